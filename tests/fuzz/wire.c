/* Answers of a server: read to their end, whatever they hold. */
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include "abload/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { LONGEST = 256, MOST = 1 << 16, QUERIES = 3 };
	int ends[2];
	Wire wire = { 0 };
	WireAnswer answer;
	WireStatement statement = { 0 };

	/* More would not fit into the socket, and nobody reads meanwhile. */
	if (size > MOST || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		return 0;
	if (write(ends[1], data, size) == (ssize_t)size &&
	    shutdown(ends[1], SHUT_WR) == 0 &&
	    wire_init(&wire, ends[0], LONGEST, &answer)) {
		(void)wire_prepare(&wire, "select ?", 8, &statement, &answer);
		for (int i = 0; i < QUERIES; i++)
			(void)wire_say(&wire, "select 1", &answer);
	}
	wire_clear(&wire);
	(void)close(ends[0]);
	(void)close(ends[1]);
	return 0;
}
