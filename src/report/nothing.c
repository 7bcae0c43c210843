#include "analysis/causes.h"
#include "analysis/wording.h"
#include "base/text.h"
#include "report/sections.h"

/* Kinds of failure, and events, that are told here; run.db has them all. */
enum { CAUSES = 6, EVENTS = 6 };

static char *
printable(const char *text)
{
	return text_printable(text == NULL ? "" : text, SECTION_TEXT_BYTES);
}

/* "preload x flush"; "" where nothing varies. */
static char *
say_factors(const StoreData *data)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (guint i = 0; i < data->factors->len; i++) {
		const DataFactor *factor = data->factors->pdata[i];
		if (factor->levels->len > 1)
			g_string_append_printf(names, "%s%s",
			    names->len == 0 ? " (" : " x ", factor->name);
	}
	if (names->len > 0)
		g_string_append_c(names, ')');
	return printable(names->str);
}

static void
add_wanted(Document *document, const Analysis *analysis)
{
	const StoreData *data = analysis->data;
	g_autoptr(GPtrArray) loads = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *rounds = wording_count(analysis->rounds, "rounds");
	g_autofree char *cells = wording_count(data->cells->len, "cells");
	g_autofree char *factors = say_factors(data);
	g_autofree char *runs =
	    wording_count((size_t)MAX(data->runs_wanted, 0), "measured runs");
	g_autofree char *targets = wording_list(data->targets);
	g_autofree char *hosts = printable(targets);
	g_autofree char *visits =
	    wording_count(analysis->visits_planned, "visits");

	for (guint i = 0; i < data->loads->len; i++)
		g_ptr_array_add(loads,
		    printable(((DataLoad *)data->loads->pdata[i])->name));
	g_autofree char *list = wording_list(loads);
	document_add(document, BLOCK_HEADING, "What was wanted");
	document_addf(document, BLOCK_PARAGRAPH,
	    "%s of %s%s on %s, %s of %s in each %s: %s.", rounds, cells,
	    factors, hosts, runs, list, data->has_server ? "start" : "visit",
	    visits);
}

static void
add_causes(Document *document, const Analysis *analysis)
{
	const GPtrArray *causes = analysis->causes;

	for (guint i = 0; i < MIN(causes->len, CAUSES); i++) {
		const Cause *cause = causes->pdata[i];
		if (cause->times == 1)
			document_addf(document, BLOCK_ITEM, "%s %s",
			    cause->where, cause->what);
		else
			document_addf(document, BLOCK_ITEM, "%s %s (%zu times)",
			    cause->where, cause->what, cause->times);
	}
	if (causes->len > CAUSES)
		document_addf(document, BLOCK_ITEM,
		    "and in %u ways more, in run.db, tables visit and run",
		    causes->len - CAUSES);
}

/* A boot that came to nothing is no visit's failure, but an event. */
static void
add_events(Document *document, const Analysis *analysis)
{
	const GPtrArray *events = analysis->events;

	for (guint i = 0; i < MIN(events->len, EVENTS); i++)
		document_add(document, BLOCK_ITEM, events->pdata[i]);
	if (events->len > EVENTS)
		document_addf(document, BLOCK_ITEM,
		    "and %u events more, in run.db, table event",
		    events->len - EVENTS);
}

static void
add_happened(Document *document, const Analysis *analysis)
{
	g_autofree char *begun =
	    wording_count(analysis->visits_begun, "visits");

	document_add(document, BLOCK_HEADING, "What happened");
	if (analysis->visits_begun == 0)
		document_add(document, BLOCK_PARAGRAPH, "No visit was begun.");
	else
		document_addf(document, BLOCK_PARAGRAPH,
		    "%s %s begun, %zu of them valid.", begun,
		    analysis->visits_begun == 1 ? "was" : "were",
		    analysis->visits_valid);
	section_stops(document, analysis);
	add_causes(document, analysis);
	add_events(document, analysis);
}

void
section_nothing(Document *document, const Analysis *analysis)
{
	g_autofree char *directory = printable(analysis->data->directory);
	g_autofree char *path = printable(analysis->data->matrix_path);

	add_wanted(document, analysis);
	add_happened(document, analysis);
	document_add(document, BLOCK_HEADING, "Where to look");
	document_addf(document, BLOCK_PARAGRAPH,
	    "abrun status %s tells where it stands, and its raw/ what hosts "
	    "and loads printed. abrun check %s tries hosts and settings, and "
	    "measures nothing. abrun-troubleshooting(7) has what to do about "
	    "each name in capitals.",
	    directory, path);
}
