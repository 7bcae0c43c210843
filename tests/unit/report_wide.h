/*
 * A night for golden reports whose labels do not fit beside the figures: three
 * factors, one of them a variable of the load, and two rounds.
 */
#ifndef TESTS_UNIT_REPORT_WIDE_H
#define TESTS_UNIT_REPORT_WIDE_H

#include <math.h>

#include "nights.h"

static inline StoreData *
night_wide(void)
{
	StoreData *data = night_new("wide", "Three factors, two rounds");

	g_ptr_array_add(data->targets, g_strdup("lab1"));
	DataFactor *preload = night_factor(data, "preload", CLASS_SERVER);
	night_level(preload, "default", "nothing set");
	night_level(preload, "jemalloc", "preload jemalloc");
	DataFactor *purge = night_factor(data, "purge", CLASS_SERVER);
	night_level(purge, "4", "nothing set");
	night_level(purge, "2", "mysqld innodb_purge_threads=2");
	DataFactor *threads = night_factor(data, "threads", CLASS_LOAD);
	night_level(threads, "1", "");
	night_level(threads, "16", "");
	night_cells(data);
	DataLoad *load =
	    night_load(data, "point_select", "tps", "transactions/s", true);
	g_ptr_array_add(load->variables, g_strdup("threads"));
	data->rounds = 2;
	const int64_t boot = night_boot(data, 0, false);
	for (size_t round = 1; round <= 2; round++)
		for (size_t i = 0; i < 4; i++) {
			const size_t server = (i + round) % 4;
			DataVisit *visit =
			    night_visit(data, round, server, boot);
			night_start(data, visit);
			for (size_t j = 0; j < 2; j++) {
				const size_t cell = 2 * server + j;
				night_run(data, visit, cell, 0, 1,
				    11646 * (j == 1 ? 3 : 1) *
					exp(.01 *
					    (double)((cell * 5 + round * 3) %
						7)));
			}
		}
	return data;
}

#endif
