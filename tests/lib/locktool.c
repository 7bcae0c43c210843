/*
 * Drives target/host_lock.h from shell tests.
 *
 *     locktool SSH_CONFIG PROGRAM TOKEN DIRECTORY
 *
 * Takes the lock of the host "lab" and keeps it until the end of standard
 * input.  Prints "held", after it "told: ..." if something was; "lost" when
 * it is not held at the end; or "error CODE: MESSAGE", with status 1.
 */
#include <stdio.h>

#include <glib.h>

#include "base/file.h"
#include "target/host_lock.h"

enum { PROGRAM_BYTES = 1 << 20, TAKE_MS = 30000 };

static int
fail(const GError *error)
{
	printf("error %d: %s\n", error->code, error->message);
	return 1;
}

int
main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *told = NULL;

	if (argc != 5)
		return 2;
	g_autofree char *program =
	    file_read(argv[2], PROGRAM_BYTES, NULL, &error);
	if (program == NULL)
		return fail(error);
	const Host host = {
		.name = (char *)"lab",
		.ssh = (char *)"lab",
		.ssh_config = argv[1],
	};
	g_autoptr(Target) target = target_new(&host, program, NULL, NULL);
	g_autoptr(HostLock) lock = host_lock_take(
	    target, argv[3], argv[4], deadline_in(TAKE_MS), &told, &error);
	if (lock == NULL)
		return fail(error);
	(void)puts("held");
	if (told != NULL)
		printf("told: %s\n", told);
	(void)fflush(stdout);
	while (getchar() != EOF)
		continue;
	if (!host_lock_held(lock))
		(void)puts("lost");
	return 0;
}
