/*
 * What tests look at in an analysis.
 */
#ifndef TESTS_CONTRASTS_H
#define TESTS_CONTRASTS_H

#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "analysis/analysis.h"
#include "nights.h"
#include "stats_golden.h"

#define DATA "tests/data/stats/"

static inline const AnalysisLoad *
first_load(const Analysis *analysis)
{
	return analysis->loads->pdata[0];
}

static inline const AnalysisContrast *
contrast(const Analysis *analysis, size_t index)
{
	return first_load(analysis)->contrasts->pdata[index];
}

/* kernel <4BSD, ULE> x library <libpthread, libthr>, one load. */
static inline StoreData *
night_2x2(FactorClass kernel_class)
{
	StoreData *data = night_new("ule-vs-4bsd", "ULE vs 4BSD");

	g_ptr_array_add(data->targets, g_strdup("lab1"));
	DataFactor *kernel = night_factor(data, "kernel", kernel_class);
	night_level(kernel, "4BSD", "");
	night_level(kernel, "ULE", "");
	DataFactor *library = night_factor(data, "threadlib", CLASS_SERVER);
	night_level(library, "libpthread", "");
	night_level(library, "libthr", "");
	night_cells(data);
	night_load(data, "select", "tps", "queries/s", true);
	return data;
}

static inline size_t
cell_of(const char *kernel, const char *library)
{
	return (strcmp(kernel, "ULE") == 0 ? 2U : 0U) +
	    (strcmp(library, "libthr") == 0 ? 1U : 0U);
}

/* The six rounds of splitplot.R, each kernel freshly booted in each. */
static inline StoreData *
night_splitplot(void)
{
	StoreData *data = night_2x2(CLASS_BOOT);
	g_auto(GStrv) lines = golden_lines(DATA "in/splitplot_6rounds.csv");
	const DataVisit *visit = NULL;
	int64_t boot = 0;

	data->rounds = 6;
	data->runs_wanted = 2;
	for (size_t i = 1; lines[i] != NULL; i++) {
		g_auto(GStrv) column = g_strsplit(lines[i], ",", -1);
		const size_t round = (size_t)atoi(column[0]);
		const size_t cell = cell_of(column[1], column[3]);
		const int number = atoi(column[4]);
		if (number == 1 && strcmp(column[3], "libpthread") == 0)
			boot = night_boot(data, 0, true);
		if (number == 1)
			visit = night_visit(data, round, cell, boot);
		night_run(data, visit, cell, 0, number,
		    g_ascii_strtod(column[5], NULL));
	}
	assert_int_equal(data->runs->len, 48);
	return data;
}

#endif
