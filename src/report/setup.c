#include <math.h>
#include <string.h>

#include "analysis/facts.h"
#include "analysis/wording.h"
#include "base/text.h"
#include "report/reset.h"
#include "report/sections.h"

static char *
printable(const char *text)
{
	return text_printable(text == NULL ? "" : text, SECTION_TEXT_BYTES);
}

/* All values a fact had, "6.1.0 or 6.12.0"; NULL when there is none. */
static char *
fact_text(const StoreData *data, size_t target, const char *key)
{
	g_autoptr(GPtrArray) values = facts_of_target(data, target, key);
	const gboolean hash = strcmp(key, "kernel_id") == 0;
	g_autoptr(GString) text = g_string_new(NULL);

	if (values->len == 0)
		return NULL;
	for (size_t i = 0; i < values->len; i++) {
		const char *value = values->pdata[i];
		const gboolean cut =
		    hash && strlen(value) > SECTION_HASH_DIGITS;
		g_string_append_printf(text, "%s%.*s%s", i == 0 ? "" : " or ",
		    cut ? SECTION_HASH_DIGITS : (int)strlen(value), value,
		    cut ? "..." : "");
	}
	return printable(text->str);
}

static void
add_fact(GPtrArray *parts, const StoreData *data, size_t target,
    const char *key, const char *format)
{
	g_autofree char *value = fact_text(data, target, key);

	if (value == NULL)
		return;
	g_auto(GStrv) around = g_strsplit(format, "@", 2);
	g_ptr_array_add(parts, g_strconcat(around[0], value, around[1], NULL));
}

/* A figure that is one and the same over all boots, or NAN. */
static double
one_figure(const StoreData *data, size_t target, const char *key)
{
	g_autoptr(GPtrArray) values = facts_of_target(data, target, key);

	return values->len == 1 ? g_ascii_strtod(values->pdata[0], NULL) : NAN;
}

/* "4 CPUs (2 sockets x 2 cores x 1 thread)" */
static void
add_cpus(GPtrArray *parts, const StoreData *data, size_t target)
{
	static const struct {
		const char *key, *plural;
	} levels[] = { { "sockets", "sockets" },
		{ "cores_per_socket", "cores" },
		{ "threads_per_core", "threads" } };
	g_autoptr(GString) text = g_string_new(NULL);

	add_fact(parts, data, target, "cpu_model", "@");
	for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
		const double figure = one_figure(data, target, levels[i].key);
		if (!(figure >= 1 && figure < 1e6))
			break;
		g_autofree char *count =
		    wording_count((size_t)figure, levels[i].plural);
		g_string_append_printf(
		    text, "%s%s", i == 0 ? " (" : " x ", count);
	}
	if (text->len > 0)
		g_string_append_c(text, ')');
	g_autofree char *cpus = fact_text(data, target, "cpus");
	if (cpus != NULL)
		g_ptr_array_add(parts,
		    g_strdup_printf("%s %s%s", cpus,
			strcmp(cpus, "1") == 0 ? "CPU" : "CPUs", text->str));
	if (one_figure(data, target, "numa_nodes") != 1)
		add_fact(parts, data, target, "numa_nodes", "@ NUMA nodes");
}

/* Kilobytes as what a reader buys memory in. */
static void
add_memory(GPtrArray *parts, const StoreData *data, size_t target)
{
	g_autoptr(GPtrArray) values =
	    facts_of_target(data, target, "memory_kb");

	if (values->len == 0)
		return;
	const double kb = g_ascii_strtod(values->pdata[0], NULL);
	g_autofree char *size = wording_number(
	    kb >= 1048576 ? kb / 1048576 : kb / 1024, kb >= 1048576 ? 1 : 0);
	g_ptr_array_add(parts,
	    g_strdup_printf("%s %s memory", size, kb >= 1048576 ? "GB" : "MB"));
}

static void
add_swap(GPtrArray *parts, const StoreData *data, size_t target)
{
	g_autoptr(GPtrArray) total =
	    facts_of_target(data, target, "swap_total_kb");
	g_autoptr(GPtrArray) used =
	    facts_of_target(data, target, "swap_used_kb");
	gboolean in_use = FALSE;

	if (total->len == 0)
		return;
	for (size_t i = 0; i < used->len; i++)
		in_use = in_use || strcmp(used->pdata[i], "0") != 0;
	g_ptr_array_add(parts,
	    g_strdup(strcmp(total->pdata[0], "0") == 0 ? "no swap"
		    : used->len == 0                   ? "swap"
		    : in_use                           ? "swap in use"
						       : "swap not in use"));
}

static void
add_host(Document *document, const StoreData *data, size_t target)
{
	static const struct {
		const char *key, *format;
		const char *boring; /* a value that says nothing; NULL */
	} system[] = {
		{ "distro", "@", NULL },
		{ "kernel", "kernel @", NULL },
		{ "kernel_version", "@", NULL },
		{ "kernel_id", "id @", NULL },
		{ "arch", "@", NULL },
		{ "virt", "virtual: @", "none" },
		{ "governor", "governor @", NULL },
		{ "turbo", "turbo @", NULL },
		{ "smt", "SMT @", NULL },
		{ "thp", "huge pages @", NULL },
		{ "clocksource", "clock source @", NULL },
		{ "tainted", "tainted @", "0" },
		{ "cmdline", "command line @", NULL },
	};
	g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *name = printable(data->targets->pdata[target]);

	add_cpus(parts, data, target);
	add_memory(parts, data, target);
	add_swap(parts, data, target);
	for (size_t i = 0; i < G_N_ELEMENTS(system); i++) {
		g_autofree char *value = fact_text(data, target, system[i].key);
		if (g_strcmp0(value, system[i].boring) != 0)
			add_fact(parts, data, target, system[i].key,
			    system[i].format);
	}
	if (parts->len == 0)
		g_ptr_array_add(parts, g_strdup("no facts were stored"));
	g_ptr_array_add(parts, NULL);
	g_autofree char *text = g_strjoinv("; ", (char **)parts->pdata);
	document_addf(document, BLOCK_ITEM, "%s: %s.", name, text);
}

void
section_where(Document *document, const Analysis *analysis)
{
	const StoreData *data = analysis->data;

	document_add(document, BLOCK_HEADING, "Where");
	for (size_t target = 0; target < data->targets->len; target++)
		add_host(document, data, target);
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
	document_add(document, BLOCK_HEADING, "How");
	document_addf(document, BLOCK_PARAGRAPH,
	    "%s of every cell, %s (seed %" G_GUINT64_FORMAT "); %s; %s; %s and "
	    "%s of each load in each %s.%s %s%s",
	    rounds,
	    analysis->same_order ? "all in the same order"
				 : "in an order drawn for each round",
	    data->seed, boots, say_restarts(data), warmup, runs,
	    data->has_server ? "start" : "visit", resets, sums,
	    analysis->runs > 0
		? " What else ran there meanwhile was not watched."
		: "");
}

/* What the words of proofs stand for; others are shown as they are. */
static const struct {
	const char *what, *words;
} proofs[] = {
	{ "boot", "the boot is the same" },
	{ "kernel", "the kernel is the one wanted" },
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
	{ "thp", "huge pages read back" },
	{ "smt", "SMT read back" },
	{ "governor", "governor read back" },
	{ "turbo", "turbo read back" },
	{ "verify", "the matrix's own verify commands" },
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
	    "Before and after the load of each visit; a visit with a proof "
	    "that does not hold gives no figures.");
	Table *table = document_add_table(document);
	table_column(table, "", COLUMN_LABEL);
	table_column(table, "held", COLUMN_NUMBER);
	for (size_t i = 0; i < analysis->proofs->len; i++) {
		const AnalysisProof *proof = analysis->proofs->pdata[i];
		g_autofree char *held =
		    g_strdup_printf("%zu of %zu", proof->yes, proof->all);
		const char *const cells[] = { proof_words(proof->what), held };
		table_row(table, cells)->note = proof_note(proof);
	}
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
