#include "abload/series.h"

#include <math.h>
#include <string.h>

struct Series {
	uint64_t interval_ns;
	uint64_t next_ns; /* 0: the gate is shut */
	uint64_t last_ns;
	Cpu last_cpu;
	Histogram before, now, between; /* all latencies */
	GArray *rows;
};

Series *
series_new(int64_t interval_ms)
{
	Series *series = g_new0(Series, 1);

	series->interval_ns = (uint64_t)interval_ms * 1000000;
	series->rows = g_array_new(FALSE, FALSE, sizeof(SeriesRow));
	return series;
}

void
series_free(Series *series)
{
	if (series == NULL)
		return;
	g_array_unref(series->rows);
	g_free(series);
}

const GArray *
series_rows(const Series *series)
{
	return series->rows;
}

static void
read_crew(Series *series, Crew *crew)
{
	(void)pthread_mutex_lock(&crew->lock);
	const size_t n = crew->n;
	(void)pthread_mutex_unlock(&crew->lock);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < crew->clients[i].n_types; k++)
			histogram_merge(
			    &series->now, crew->clients[i].tallies[k].latency);
}

static double
share(int64_t from, int64_t to, const Cpu *cpu, double seconds)
{
	return from < 0 || to < 0
	    ? NAN
	    : (double)(to - from) / 1e9 / seconds / (double)cpu->cpus;
}

static void
add_row(Series *series, Bench *bench, uint64_t now)
{
	const Cpu cpu = cpu_now(bench->peer);
	const double seconds = (double)(now - series->last_ns) / 1e9;
	const double own =
	    share(series->last_cpu.own_ns, cpu.own_ns, &cpu, seconds);
	const double server =
	    share(series->last_cpu.server_ns, cpu.server_ns, &cpu, seconds);
	const double busy =
	    share(series->last_cpu.busy_ns, cpu.busy_ns, &cpu, seconds);
	const SeriesRow row = {
		.from_s = (double)(series->last_ns - bench->began_ns) / 1e9,
		.to_s = (double)(now - bench->began_ns) / 1e9,
		.queries = histogram_total(&series->between),
		.p50_us = histogram_quantile(&series->between, .5) / 1e3,
		.p99_us = histogram_quantile(&series->between, .99) / 1e3,
		.own_share = own,
		.others_share = fmax(0, busy - own - server),
	};

	g_array_append_val(series->rows, row);
	series->last_cpu = cpu;
	series->last_ns = now;
}

void
series_look(Series *series, Bench *bench, const GPtrArray *crews)
{
	if (series->interval_ns == 0)
		return;
	if (series->next_ns == 0) {
		(void)pthread_mutex_lock(&bench->lock);
		series->last_ns = bench->began_ns;
		series->last_cpu = bench->began_cpu;
		(void)pthread_mutex_unlock(&bench->lock);
		if (series->last_ns == 0)
			return;
		series->next_ns = series->last_ns + series->interval_ns;
	}
	const uint64_t now = bench_now_ns();
	if (now < series->next_ns)
		return;
	series->before = series->now;
	memset(&series->now, 0, sizeof series->now);
	for (guint i = 0; i < crews->len; i++)
		read_crew(series, g_ptr_array_index(crews, i));
	series->between = series->now;
	histogram_since(&series->between, &series->before);
	add_row(series, bench, now);
	while (series->next_ns <= now)
		series->next_ns += series->interval_ns;
}
