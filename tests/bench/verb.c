/*
 * What a call of a verb costs in one session, against ssh(1) through a
 * ControlMaster that reads the same thing.
 *
 *     verb SSH_CONFIG ALIAS CONTROL_SOCKET COUNT
 *
 * Turns go A, B, A, B, so that a disturbance of the machine hits both.  Each
 * line: what, median, the two quartiles, and the least and most, in ms.
 */
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>

#include "base/deadline.h"
#include "base/process.h"
#include "base/text.h"
#include "target/target.h"

enum { OUTPUT_BYTES = 1 << 20, CALL_MS = 20000, WORKS = 5 };

static int
by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
print(const char *what, double *ms, size_t n)
{
	qsort(ms, n, sizeof(*ms), by_value);
	printf("%-34s %8.1f %8.1f %8.1f %8.1f %8.1f\n", what, ms[n / 2],
	    ms[n / 4], ms[n - 1 - n / 4], ms[0], ms[n - 1]);
}

static double
ms_since(int64_t began_us)
{
	return (double)(deadline_now_us() - began_us) / 1e3;
}

static void
must(bool done, const GError *error)
{
	if (done)
		return;
	fprintf(
	    stderr, "verb: %s\n", error == NULL ? "it failed" : error->message);
	exit(1);
}

/* One call of one verb. */
static double
call(Target *target, const char *verb)
{
	g_autoptr(GError) error = NULL;
	const int64_t began = deadline_now_us();
	g_autoptr(VerbAnswer) answer =
	    target_ask(target, deadline_in(CALL_MS), &error, verb, NULL);
	const double ms = ms_since(began);

	must(answer != NULL, error);
	return ms;
}

/* The same file, read by one ssh through a session that is open. */
static double
ssh(const char *config, const char *alias, const char *socket,
    const char *command, const char *input)
{
	const char *const argv[] = { "ssh", "-F", config, "-S", socket, alias,
		command, NULL };
	g_auto(ProcessResult) result = { 0 };
	g_autoptr(GError) error = NULL;
	const int64_t began = deadline_now_us();
	const bool ran = process_run(argv, NULL, input, OUTPUT_BYTES,
	    deadline_in(CALL_MS), NULL, &result, &error);
	const double ms = ms_since(began);

	must(ran && result.status == 0, error);
	return ms;
}

int
main(int argc, char **argv)
{
	int64_t count = 0;
	g_autoptr(GError) error = NULL;

	if (argc != 5 || !text_parse_int(argv[4], 1, 100000, &count, NULL)) {
		fprintf(stderr,
		    "usage: verb SSH_CONFIG ALIAS CONTROL_SOCKET COUNT\n");
		return 2;
	}
	g_autofree char *program = target_program("x.cfg", "linux", &error);
	must(program != NULL, error);
	Host host = { .name = argv[2], .ssh = argv[2], .ssh_config = argv[1] };
	g_autoptr(Target) target = target_new(&host, program, NULL, NULL);
	const size_t n = (size_t)count;
	g_autofree double *ms = g_new0(double, WORKS *n);
	const char *const file = "cat /proc/sys/kernel/random/boot_id";

	(void)call(target, "hello");
	for (size_t i = 0; i < n; i++) {
		ms[i] = call(target, "boot_id");
		ms[n + i] = ssh(argv[1], argv[2], argv[3], file, NULL);
		ms[2 * n + i] =
		    ssh(argv[1], argv[2], argv[3], "exec /bin/sh -s", file);
		ms[3 * n + i] = call(target, "hello");
		ms[4 * n + i] = call(target, "facts");
	}
	print("abrun: boot_id", ms, n);
	print("ssh -S: cat the boot id", ms + n, n);
	print("ssh -S: /bin/sh -s, cat it", ms + 2 * n, n);
	print("abrun: hello (id, twice)", ms + 3 * n, n);
	print("abrun: facts (some 30)", ms + 4 * n, n);
	return 0;
}
