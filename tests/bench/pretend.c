/*
 * A pretend host behind a real sshd, for a run of very many visits: forced in
 * place of a login shell, it answers the verbs that a visit without a server
 * consists of by itself, in place of some hundred processes.  The load runs;
 * what is seen of the host and of the load is made up, but for the boot id.
 * All other verbs, at the two ends of a night, go to the real programs.
 *
 *     ForceCommand exec .../pretend
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib.h>

/* What abrun feeds ends so, after the calls. */
#define END_OF_CALLS "\nexit 0\n}\n"

/* A line "abrun_call NONCE 'VERB' 'ARGUMENT'...". */
typedef struct {
	char **words;
	int n;
} Call;

static const char *
nonce(const Call *call)
{
	return call->words[1];
}

static const char *
argument(const Call *call, int i)
{
	return i + 3 < call->n ? call->words[i + 3] : "";
}

/* Keeps of each run what the load had in its environment, until it is asked. */
static char *
variables_file(const char *run)
{
	return g_strconcat(run, ".variables", NULL);
}

static void
answer_boot_id(const Call *call)
{
	g_autofree char *id = NULL;

	(void)call;
	if (g_file_get_contents(
		"/proc/sys/kernel/random/boot_id", &id, NULL, NULL))
		printf("boot_id\t%s\n", g_strstrip(id));
}

static void
answer_hash(const Call *call)
{
	(void)call;
}

static void
answer_watch(const Call *call)
{
	const int64_t us = g_get_monotonic_time();

	(void)call;
	printf("uptime_ms\t%" G_GINT64_FORMAT "\n", us / 1000);
	printf("time_ms\t%" G_GINT64_FORMAT "\n", g_get_real_time() / 1000);
	printf("cpu_ticks\t%" G_GINT64_FORMAT "\n", us / 5000);
	printf("idle_ticks\t%" G_GINT64_FORMAT "\n", us / 10000);
	puts("stolen_ticks\t0\nswapped_in\t0\nswapped_out\t0\noom_kills\t0");
	puts("clocksource\ttsc\ncpu_pressure_us\t0\nmemory_pressure_us\t0");
	puts("io_pressure_us\t0");
}

static void
answer_get(const Call *call)
{
	g_autofree char *path = g_strdup_printf("/sys/%s", argument(call, 1));
	g_autofree char *value = NULL;

	if (g_file_get_contents(path, &value, NULL, NULL))
		printf("value\t%s\n", g_strstrip(value));
}

/* The load: the last word, with the variables before it. */
static void
answer_load_prove(const Call *call)
{
	const char *run = argument(call, 0);
	g_autofree char *file = variables_file(run);
	g_autoptr(GString) variables = g_string_new(NULL);
	const int64_t began = g_get_monotonic_time();
	struct rusage used = { 0 };
	int status = 0;

	for (int i = 0; i + 3 < call->n; i++)
		if (strchr(argument(call, i), '=') != NULL)
			g_string_append_printf(
			    variables, "env\t%s\n", argument(call, i));
	g_file_set_contents(file, variables->str, -1, NULL);
	const pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", call->words[call->n - 1], NULL);
		_exit(127);
	}
	wait4(pid, &status, 0, &used);
	printf("run\t%s\npid\t%d\nexit\t%d\ntimed_out\tno\n", run, (int)pid,
	    WIFEXITED(status) ? WEXITSTATUS(status) : 128);
	printf("wall_ms\t%" G_GINT64_FORMAT "\nuser_ms\t%ld\nsys_ms\t%ld\n",
	    (g_get_monotonic_time() - began) / 1000 + 1,
	    used.ru_utime.tv_usec / 1000, used.ru_stime.tv_usec / 1000);
	printf("maxrss_kb\t%ld\ncpu_ms\t10\nbusy_ms\t1\nstolen_ms\t0\n"
	       "load_ms\t1\nleftover\t0\nescaped\tno\nout_bytes\t0\nout\t\n"
	       "err_bytes\t0\nerr\t\n",
	    used.ru_maxrss);
}

static void
answer_load_seen(const Call *call)
{
	g_autofree char *file = variables_file(argument(call, 0));
	g_autofree char *variables = NULL;
	g_auto(GStrv) lines = NULL;

	puts("subject\theld\npid\t1000\nstart\t1000\nstate\tS\ncomm\tsh\n"
	     "exe\t/usr/bin/sh\nexe_identity\t1:2:3:4.000000000:5.000000000\n"
	     "exe_sha256\t0000000000000000000000000000000000000000000000000000"
	     "000000000000\nthreads\t1\ncpus\t0-1\nreadable\t1");
	if (!g_file_get_contents(file, &variables, NULL, NULL))
		return;
	unlink(file);
	lines = g_strsplit(variables, "\n", -1);
	for (int i = 1; i + 3 < call->n; i++) {
		g_autofree char *wanted =
		    g_strdup_printf("env\t%s=", argument(call, i));

		for (char **line = lines; *line != NULL; line++)
			if (g_str_has_prefix(*line, wanted))
				puts(*line);
	}
}

typedef struct {
	const char *verb;
	void (*answer)(const Call *call);
} Verb;

static const Verb verbs[] = {
	{ "boot_id", answer_boot_id },
	{ "get", answer_get },
	{ "hash", answer_hash },
	{ "load_prove", answer_load_prove },
	{ "load_seen", answer_load_seen },
	{ "watch", answer_watch },
};

static const Verb *
find_verb(const Call *call)
{
	for (size_t i = 0; i < G_N_ELEMENTS(verbs); i++)
		if (call->n > 2 && strcmp(call->words[2], verbs[i].verb) == 0)
			return &verbs[i];
	return NULL;
}

/* All calls of what was fed; NULL when one is for the real programs. */
static GArray *
read_calls(const char *fed)
{
	g_auto(GStrv) lines = g_strsplit(fed, "\n", -1);
	GArray *calls = g_array_new(FALSE, FALSE, sizeof(Call));
	bool known = true;

	for (char **line = lines; *line != NULL && known; line++) {
		Call call;

		if (!g_str_has_prefix(*line, "abrun_call "))
			continue;
		known = g_shell_parse_argv(*line, &call.n, &call.words, NULL) &&
		    find_verb(&call) != NULL;
		if (known)
			g_array_append_val(calls, call);
	}
	if (known && calls->len > 0)
		return calls;
	g_array_free(calls, TRUE);
	return NULL;
}

/* The program and its calls, or as much as there is. */
static GString *
read_fed(void)
{
	GString *fed = g_string_new(NULL);
	char block[65536];
	ssize_t n;

	while (!g_str_has_suffix(fed->str, END_OF_CALLS) &&
	    (n = read(STDIN_FILENO, block, sizeof(block))) > 0)
		g_string_append_len(fed, block, n);
	return fed;
}

static void
write_all(int to, const char *data, size_t n)
{
	while (n > 0) {
		const ssize_t some = write(to, data, n);

		if (some <= 0)
			exit(1);
		data += some;
		n -= (size_t)some;
	}
}

/* The same to a real shell, and what still comes; it has our output. */
static int
pass_on(const GString *fed)
{
	int ends[2];
	char block[65536];
	ssize_t n;
	int status = 0;

	if (pipe(ends) != 0)
		return 1;
	const pid_t pid = fork();

	if (pid == 0) {
		dup2(ends[0], STDIN_FILENO);
		close(ends[0]);
		close(ends[1]);
		execl("/bin/sh", "sh", "-s", NULL);
		_exit(127);
	}
	close(ends[0]);
	write_all(ends[1], fed->str, fed->len);
	while ((n = read(STDIN_FILENO, block, sizeof(block))) > 0)
		write_all(ends[1], block, (size_t)n);
	close(ends[1]);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int
main(void)
{
	const char *command = g_getenv("SSH_ORIGINAL_COMMAND");
	const char *mark = command == NULL ? NULL : strstr(command, "abrun-");

	if (mark == NULL || strstr(command, "exec /bin/sh -s") == NULL) {
		execl("/bin/sh", "sh", "-c", command == NULL ? ":" : command,
		    NULL);
		return 127;
	}
	fprintf(
	    stderr, "%.*s %d\n", (int)strcspn(mark, " "), mark, (int)getpid());
	g_autoptr(GString) fed = read_fed();
	g_autoptr(GArray) calls = read_calls(fed->str);

	if (calls == NULL)
		return pass_on(fed);
	for (guint i = 0; i < calls->len; i++) {
		const Call *call = &g_array_index(calls, Call, i);

		printf("BEGIN %s %s protocol=1\n", nonce(call), call->words[2]);
		find_verb(call)->answer(call);
		printf("END %s %s 0\n", nonce(call), call->words[2]);
	}
	return 0;
}
