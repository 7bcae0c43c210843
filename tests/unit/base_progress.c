#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/log.h"

enum { SEEN_BYTES = 4096 };

#define MARK "<end>"

/* What a terminal named so got of a progress line and what stood on it. */
static void
show(const char *terminal, char *seen)
{
	const int master = posix_openpt(O_RDWR | O_NOCTTY);

	assert_true(master >= 0);
	assert_int_equal(grantpt(master), 0);
	assert_int_equal(unlockpt(master), 0);
	const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	assert_true(slave >= 0);
	const int saved = dup(STDERR_FILENO);
	assert_true(saved >= 0);
	if (terminal == NULL)
		assert_int_equal(unsetenv("TERM"), 0);
	else
		assert_int_equal(setenv("TERM", terminal, 1), 0);

	assert_int_equal(dup2(slave, STDERR_FILENO), STDERR_FILENO);
	log_progress("half way");
	log_error("a %s", "word");
	log_progress(NULL);
	assert_int_equal(dup2(saved, STDERR_FILENO), STDERR_FILENO);

	/* The terminal hands over when it likes: up to a mark. */
	assert_int_equal(write(slave, MARK, strlen(MARK)), strlen(MARK));
	memset(seen, 0, SEEN_BYTES);
	for (size_t n = 0; strstr(seen, MARK) == NULL;) {
		const ssize_t got = read(master, seen + n, SEEN_BYTES - 1 - n);
		assert_true(got > 0);
		n += (size_t)got;
	}
	(void)close(saved);
	(void)close(slave);
	(void)close(master);
}

static void
a_terminal_is_redrawn(void **state)
{
	char seen[SEEN_BYTES];

	(void)state;
	show("xterm", seen);
	assert_non_null(strstr(seen, "half way\r\033[K"));
	assert_non_null(strstr(seen, " a word\r\n"));
}

static void
a_dumb_terminal_gets_plain_lines(void **state)
{
	static const char *const dumb[] = { "dumb", "", NULL };
	char seen[SEEN_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(dumb) / sizeof(*dumb); i++) {
		show(dumb[i], seen);
		assert_null(strchr(seen, '\033'));
		assert_null(strstr(seen, "half way"));
		assert_non_null(strstr(seen, " a word\r\n"));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_terminal_is_redrawn),
		cmocka_unit_test(a_dumb_terminal_gets_plain_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
