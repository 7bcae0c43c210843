#include "analysis/analysis.h"

#include <math.h>

#include "analysis/answer.h"
#include "analysis/asked.h"
#include "analysis/contrast.h"
#include "analysis/grid.h"
#include "analysis/night.h"
#include "analysis/stop.h"
#include "analysis/verdict.h"
#include "analysis/warnings.h"
#include "base/text.h"
#include "store/imported.h"

enum { NAME_BYTES = 4096 };

static void
row_free(AnalysisRow *row)
{
	g_ptr_array_unref(row->names);
	g_array_unref(row->values);
	g_array_unref(row->rounds);
	g_free(row);
}

static void
load_free(AnalysisLoad *load)
{
	g_ptr_array_unref(load->factors);
	g_ptr_array_unref(load->rows);
	g_ptr_array_unref(load->contrasts);
	g_ptr_array_unref(load->unasked);
	g_free(load);
}

static void
proof_free(AnalysisProof *proof)
{
	g_free(proof->what);
	g_ptr_array_unref(proof->about);
	g_free(proof);
}

/* Factors with more than one level among the rows. */
static GArray *
varying(const Grid *grid)
{
	GArray *factors = g_array_new(FALSE, FALSE, sizeof(size_t));

	for (size_t i = 0; i < grid->factors->len; i++) {
		const size_t factor = g_array_index(grid->factors, size_t, i);
		for (size_t row = 1; row < grid->rows->len; row++)
			if (grid_level(grid, row, factor) !=
			    grid_level(grid, 0, factor)) {
				g_array_append_val(factors, factor);
				break;
			}
	}
	return factors;
}

static AnalysisRow *
row_new(const Grid *grid, size_t row, const GArray *factors)
{
	AnalysisRow *out = g_new0(AnalysisRow, 1);

	out->cell = (size_t)grid_row(grid, row)->cell->id;
	out->again = grid_row(grid, row)->again;
	out->names = g_ptr_array_new_with_free_func(g_free);
	out->values = g_array_new(FALSE, FALSE, sizeof(double));
	out->rounds = g_array_new(FALSE, FALSE, sizeof(size_t));
	for (size_t i = 0; i < factors->len; i++) {
		const size_t index = g_array_index(factors, size_t, i);
		const DataFactor *factor = grid->data->factors->pdata[index];
		g_ptr_array_add(out->names,
		    text_printable(
			factor->levels->pdata[grid_level(grid, row, index)],
			NAME_BYTES));
	}
	for (size_t place = 0; place < grid->places->len; place++) {
		const double value = grid->means[grid_at(grid, row, place)];
		if (isnan(value)) {
			/* Cells of an import need not be of one length. */
			out->failed += !grid->imported;
			continue;
		}
		g_array_append_val(out->values, value);
		g_array_append_val(out->rounds,
		    g_array_index(grid->places, GridPlace, place).round);
	}
	out->due = out->values->len + out->failed;
	out->summary = stats_summary(
	    (const double *)(void *)out->values->data, out->values->len);
	return out;
}

static AnalysisLoad *
load_new(const StoreData *data, GHashTable *visits, const DataLoad *load,
    const Asked *asked)
{
	const DataMetric *metric = load->metrics->pdata[0];

	for (size_t i = 0; i < load->metrics->len; i++) {
		const DataMetric *candidate = load->metrics->pdata[i];
		if (candidate->primary)
			metric = candidate;
	}
	g_autoptr(Grid) grid = grid_new(data, visits, load, metric);
	g_autoptr(GArray) factors = varying(grid);
	AnalysisLoad *out = g_new0(AnalysisLoad, 1);
	out->load = load;
	out->metric = metric;
	out->unit = grid->imported ? imported_unit(data)
	    : data->has_server     ? "starts"
				   : "visits";
	out->factors = g_ptr_array_new_with_free_func(g_free);
	out->rows = g_ptr_array_new_with_free_func((GDestroyNotify)row_free);
	for (size_t i = 0; i < factors->len; i++) {
		const DataFactor *factor =
		    data->factors->pdata[g_array_index(factors, size_t, i)];
		g_ptr_array_add(
		    out->factors, text_printable(factor->name, NAME_BYTES));
	}
	for (size_t row = 0; row < grid->rows->len; row++)
		g_ptr_array_add(out->rows, row_new(grid, row, factors));
	out->unasked = g_ptr_array_new_with_free_func(g_free);
	out->contrasts = contrasts_new(grid, asked, &out->untold, out->unasked);
	out->noise = contrast_noise(grid, &out->noise_rounds);
	out->advice = advice_of(data, visits, load, metric);
	return out;
}

/* Of contrasts that have a p: Holm's family is made of those. */
static void
count_asked(Analysis *analysis)
{
	for (size_t i = 0; i < analysis->loads->len; i++) {
		const AnalysisLoad *load = analysis->loads->pdata[i];
		for (size_t j = 0; j < load->contrasts->len; j++) {
			const AnalysisContrast *contrast =
			    load->contrasts->pdata[j];
			if (contrast->asked && !isnan(contrast->p))
				analysis->family_asked++;
		}
	}
}

Analysis *
analysis_new(const StoreData *data)
{
	Analysis *analysis = g_new0(Analysis, 1);
	g_autoptr(GHashTable) visits = grid_visits(data);
	g_autoptr(Asked) asked = asked_read(data);
	const double level = stop_level(data);

	analysis->level = 100 * level;
	analysis->alpha = 1 - level;
	analysis->only_asked = asked->only;
	analysis->data = data;
	analysis->loads =
	    g_ptr_array_new_with_free_func((GDestroyNotify)load_free);
	analysis->proofs =
	    g_ptr_array_new_with_free_func((GDestroyNotify)proof_free);
	analysis->warnings = g_ptr_array_new_with_free_func(g_free);
	analysis->failures = g_ptr_array_new_with_free_func(g_free);
	analysis->causes = causes_new();
	analysis->flags = g_ptr_array_new_with_free_func(g_free);
	analysis->events = g_ptr_array_new_with_free_func(g_free);
	night_count(analysis, visits);
	for (size_t i = 0; i < data->loads->len; i++) {
		const DataLoad *load = data->loads->pdata[i];
		if (load->metrics->len > 0)
			g_ptr_array_add(analysis->loads,
			    load_new(data, visits, load, asked));
	}
	count_asked(analysis);
	analysis->family =
	    verdicts_set(analysis->loads, data->margin_percent, level);
	analysis->others = others_of(data, visits);
	warnings_add(analysis, visits);
	analysis->answer = answer_text(analysis);
	analysis->headline = answer_headline(analysis);
	return analysis;
}

void
analysis_free(Analysis *analysis)
{
	if (analysis == NULL)
		return;
	g_ptr_array_unref(analysis->loads);
	g_ptr_array_unref(analysis->proofs);
	g_ptr_array_unref(analysis->warnings);
	g_ptr_array_unref(analysis->failures);
	g_ptr_array_unref(analysis->causes);
	g_ptr_array_unref(analysis->flags);
	g_ptr_array_unref(analysis->events);
	g_free(analysis->answer);
	g_free(analysis->headline);
	g_free(analysis);
}
