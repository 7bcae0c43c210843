#include <math.h>
#include <string.h>

#include "analysis/stop.h"
#include "analysis/wording.h"
#include "base/text.h"
#include "report/method.h"
#include "report/others.h"
#include "report/reset.h"
#include "report/sections.h"

/* What intervals are told to hold, per cent. */
#define REPORT_LEVEL 95

static char *
printable(const char *text)
{
	return text_printable(text == NULL ? "" : text, SECTION_TEXT_BYTES);
}

/* "kernel x htt": what a reboot changes; NULL if nothing is. */
static char *
boot_factors(const StoreData *data)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (size_t i = 0; i < data->factors->len; i++) {
		const DataFactor *factor = data->factors->pdata[i];
		if (factor->class == CLASS_BOOT)
			g_string_append_printf(names, "%s%s",
			    names->len == 0 ? "" : " x ", factor->name);
	}
	return names->len == 0 ? NULL : printable(names->str);
}

static char *
say_boots(const StoreData *data)
{
	g_autofree char *factors = boot_factors(data);

	if (factors == NULL && data->boot_policy == BOOT_BLOCK)
		return g_strdup("no reboots");
	switch ((BootPolicy)data->boot_policy) {
	case BOOT_BLOCK:
		return g_strdup_printf(
		    "a fresh boot for each %s in every round", factors);
	case BOOT_ROUND:
		return g_strdup("a fresh boot in every round");
	case BOOT_VISIT:
		return g_strdup("a fresh boot for every visit");
	case BOOT_LAZY:
		return g_strdup("reboots only where another boot was needed");
	}
	return g_strdup("reboots unknown");
}

static const char *
say_restarts(const StoreData *data)
{
	if (!data->has_server)
		return "no server";
	switch ((RestartPolicy)data->restart_policy) {
	case RESTART_VISIT:
		return "a fresh server for every visit";
	case RESTART_CELL:
		return "a fresh server for every cell";
	case RESTART_LOAD:
		return "a fresh server for every load";
	}
	return "restarts unknown";
}

static char *
say_warmup(const StoreData *data)
{
	if (data->warmup_ms > 0) {
		g_autofree char *time = text_duration(data->warmup_ms);
		return g_strdup_printf("%s of warm-up", time);
	}
	if (data->warmup_runs > 0)
		return wording_count((size_t)data->warmup_runs, "warm-up runs");
	return g_strdup("no warm-up");
}

static char *
say_time(double seconds)
{
	g_autoptr(GDateTime) time =
	    g_date_time_new_from_unix_utc((gint64)seconds);

	return time == NULL ? g_strdup("an unknown time")
			    : g_date_time_format(time, "%Y-%m-%d %H:%M UTC");
}

/* "16 boots and 1 found running"; "one boot, found running" */
static char *
say_boot_counts(const Analysis *analysis)
{
	g_autofree char *made =
	    wording_count(analysis->boots_made, "fresh boots");

	if (analysis->boots_found == 0)
		return g_strdup(made);
	if (analysis->boots_made == 0 && analysis->boots_found == 1)
		return g_strdup("one boot, found running");
	return g_strdup_printf(
	    "%s and %zu found running", made, analysis->boots_found);
}

static char *
say_sums(const Analysis *analysis)
{
	g_autofree char *boots = say_boot_counts(analysis);
	g_autofree char *starts = analysis->data->has_server
	    ? wording_count(analysis->starts, "starts")
	    : wording_count(analysis->visits_valid, "visits");
	g_autofree char *runs = wording_count(analysis->runs, "measured runs");
	g_autofree char *time =
	    text_duration((int64_t)llround(analysis->seconds * 1000));
	g_autofree char *began = say_time(analysis->data->began);

	return g_strdup_printf(
	    "In all %s, %s, %s, %s from %s.", boots, starts, runs, time, began);
}

/* Loads that came over a network. */
static void
add_ways(Document *document, const StoreData *data)
{
	for (guint i = 0; i < data->clients->len; i++) {
		const DataClient *client = data->clients->pdata[i];
		g_autofree char *target =
		    printable(data->targets->pdata[client->target]);
		g_autofree char *address = printable(client->address);
		document_addf(document, BLOCK_PARAGRAPH,
		    "The load of %s ran on %s and reached it at %s; what lies "
		    "between them was not measured by itself.",
		    target, client->name, address);
	}
}

void
section_stops(Document *document, const Analysis *analysis)
{
	const StoreData *data = analysis->data;

	for (guint i = 0; i < data->events->len; i++) {
		const DataEvent *event = data->events->pdata[i];
		if (strcmp(event->kind, STOP_EVENT) != 0 &&
		    strcmp(event->kind, STOP_EVENT_UNTIL) != 0)
			continue;
		g_autofree char *text = printable(event->text);
		document_addf(document, BLOCK_PARAGRAPH, "Stopped %s.", text);
	}
}

static void
add_stops(Document *document, const Analysis *analysis)
{
	section_stops(document, analysis);
	if (analysis->level > REPORT_LEVEL)
		document_addf(document, BLOCK_PARAGRAPH,
		    "Intervals are computed at %g %%, and verdicts at p < %g, "
		    "so that they hold their 95 %% although it was by the "
		    "width that rounds ended.",
		    analysis->level, analysis->alpha);
}

void
section_how(Document *document, const Analysis *analysis)
{
	const StoreData *data = analysis->data;
	g_autofree char *boots = say_boots(data);
	g_autofree char *rounds = wording_count(analysis->rounds, "rounds");
	g_autofree char *warmup = say_warmup(data);
	g_autofree char *runs =
	    wording_count((size_t)MAX(data->runs_wanted, 0), "measured runs");
	g_autofree char *resets = reset_words(data);
	g_autofree char *sums = say_sums(analysis);
	g_autofree char *others = others_report(analysis);
	document_add(document, BLOCK_HEADING, "How");
	document_addf(document, BLOCK_PARAGRAPH,
	    "%s of every cell, %s (seed %" G_GUINT64_FORMAT "); %s; %s; %s and "
	    "%s of each load in each %s.%s %s%s",
	    rounds,
	    analysis->same_order ? "all in the same order"
				 : "in an order drawn for each round",
	    data->seed, boots, say_restarts(data), warmup, runs,
	    data->has_server ? "start" : "visit", resets, sums, others);
	add_stops(document, analysis);
	method_advise(document, analysis);
	add_ways(document, data);
}

/* What the words of proofs stand for; others are shown as they are. */
static const struct {
	const char *what, *words;
} proofs[] = {
	{ "boot", "the boot is the same" },
	{ "kernel", "the kernel is the one wanted" },
	{ "cmdline", "words of the kernel's command line, or absent" },
	{ "loader", "tunables of the loader read back" },
	{ "owner", "the server owns its port or socket" },
	{ "process", "it is the process that was started" },
	{ "uptime", "it is as young as its start, by SQL" },
	{ "version", "its version, by SQL" },
	{ "binary", "its binary is the same, by sha256" },
	{ "library", "libraries mapped in it, or absent" },
	{ "environment", "variables in it, or absent" },
	{ "cpuset", "CPUs of all its threads" },
	{ "argument", "its command line" },
	{ "option", "its options, by SQL" },
	{ "sha256", "files are the same, by sha256" },
	{ "sysctl", "sysctl read back" },
	{ "sysfs", "sysfs read back" },
	{ "libmap", "the file that chooses its thread library" },
	{ "thp", "huge pages read back" },
	{ "smt", "SMT read back" },
	{ "governor", "governor read back" },
	{ "turbo", "turbo read back" },
	{ "verify", "the matrix's own verify commands" },
	{ "during", "processes that lived through the visit, or absent" },
	{ "expect", "facts expected of the host" },
};

static const char *
proof_words(const char *what)
{
	for (size_t i = 0; i < G_N_ELEMENTS(proofs); i++)
		if (strcmp(proofs[i].what, what) == 0)
			return proofs[i].words;
	return what;
}

/* What it was proved of, where that is more than the process itself. */
static char *
proof_note(const AnalysisProof *proof)
{
	static const char *const plain[] = { "owner", "process", "binary",
		"boot", "uptime", NULL };

	if (proof->about->len == 0 || g_strv_contains(plain, proof->what))
		return NULL;
	if (proof->about->len > SECTION_ABOUT)
		return g_strdup_printf("of %u names", proof->about->len);
	return wording_list(proof->about);
}

/* What is proved of a server is not passed for want of one. */
static void
add_not_applicable(Document *document, const Analysis *analysis)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; i < analysis->proofs->len; i++) {
		const AnalysisProof *proof = analysis->proofs->pdata[i];
		if (proof->all == 0)
			g_ptr_array_add(
			    words, g_strdup(proof_words(proof->what)));
	}
	if (words->len == 0)
		return;
	g_autofree char *list = wording_list(words);
	document_addf(document, BLOCK_PARAGRAPH, "Not applicable: %s.", list);
}

void
section_proved(Document *document, const Analysis *analysis)
{
	document_add(document, BLOCK_HEADING, "Proved");
	if (analysis->proofs->len == 0) {
		document_add(
		    document, BLOCK_PARAGRAPH, "Nothing: no proof is stored.");
		return;
	}
	document_add(document, BLOCK_PARAGRAPH,
	    analysis->data->has_server
		? "Before and after the load of each visit; a visit with a "
		  "proof that does not hold gives no figures."
		: "Of the host before and after the loads of each visit, of "
		  "the load in each measured run, while it runs; a visit "
		  "with a proof that does not hold gives no figures.");
	Table *table = document_add_table(document);
	table_column(table, "", COLUMN_LABEL);
	table_column(table, "held", COLUMN_NUMBER);
	for (size_t i = 0; i < analysis->proofs->len; i++) {
		const AnalysisProof *proof = analysis->proofs->pdata[i];
		if (proof->all == 0)
			continue;
		g_autofree char *held =
		    g_strdup_printf("%zu of %zu", proof->yes, proof->all);
		const char *const cells[] = { proof_words(proof->what), held };
		table_row(table, cells)->note = proof_note(proof);
	}
	if (!analysis->data->has_server)
		add_not_applicable(document, analysis);
}

void
section_again(Document *document, const Analysis *analysis)
{
	const StoreData *data = analysis->data;
	g_autofree char *path = printable(data->matrix_path);
	g_autofree char *plan = printable(data->identity);
	g_autofree char *version = printable(data->version);
	g_autofree char *directory = printable(data->directory);

	document_add(document, BLOCK_HEADING, "To do it again");
	document_addf(document, BLOCK_PARAGRAPH,
	    "abrun %s   (plan %.8s, abrun %s)", path, plan, version);
	document_addf(document, BLOCK_PARAGRAPH,
	    "In %s: matrix.cfg as it was read, run.db with every sample, "
	    "proof, fact and their order, raw/ with the output of every run.",
	    directory);
}
