#include "abload/cpu.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <glib.h>

/* The first bytes of a file of /proc; NULL where there is none. */
static char *
read_proc(const char *path)
{
	enum { MOST = 4096 };
	FILE *file = fopen(path, "re");

	if (file == NULL)
		return NULL;
	char *text = g_malloc0(MOST);
	const size_t n = fread(text, 1, MOST - 1, file);
	(void)fclose(file);
	if (n > 0)
		return text;
	g_free(text);
	return NULL;
}

static int64_t
ticks_to_ns(int64_t ticks)
{
	const long hz = sysconf(_SC_CLK_TCK);

	return hz > 0 ? ticks * (1000000000 / hz) : -1;
}

/* The fields behind the program's name, which may hold anything. */
static int64_t
process_ns(int64_t pid)
{
	enum { USER = 11, SYSTEM = 12 }; /* from the state on, which is 0 */
	g_autofree char *path =
	    g_strdup_printf("/proc/%" G_GINT64_FORMAT "/stat", pid);
	g_autofree char *text = pid > 0 ? read_proc(path) : NULL;
	const char *at = text == NULL ? NULL : strrchr(text, ')');

	if (at == NULL || at[1] == '\0')
		return -1;
	g_auto(GStrv) fields = g_strsplit(at + 2, " ", -1);
	if (g_strv_length(fields) <= SYSTEM)
		return -1;
	return ticks_to_ns(g_ascii_strtoll(fields[USER], NULL, 10) +
	    g_ascii_strtoll(fields[SYSTEM], NULL, 10));
}

/* "cpu user nice system idle iowait irq softirq steal guest guest_nice" */
static int64_t
busy_ns(void)
{
	enum { IDLE = 3, WAIT = 4, STEAL = 7 }; /* guests are in user */
	g_autofree char *text = read_proc("/proc/stat");
	int64_t busy = 0;

	if (text == NULL || !g_str_has_prefix(text, "cpu "))
		return -1;
	char *at = text + strlen("cpu ");
	for (int i = 0; i <= STEAL; i++) {
		const int64_t ticks = g_ascii_strtoll(at, &at, 10);
		if (i != IDLE && i != WAIT)
			busy += ticks;
	}
	return ticks_to_ns(busy);
}

static int64_t
timeval_ns(struct timeval time)
{
	return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_usec * 1000;
}

Cpu
cpu_now(int64_t peer)
{
	struct rusage usage;
	Cpu cpu = { .own_ns = -1 };

	if (getrusage(RUSAGE_SELF, &usage) == 0) {
		cpu.own_ns =
		    timeval_ns(usage.ru_utime) + timeval_ns(usage.ru_stime);
		cpu.switches = usage.ru_nvcsw + usage.ru_nivcsw;
	}
	cpu.server_ns = process_ns(peer);
	cpu.busy_ns = busy_ns();
	cpu.cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	return cpu;
}
