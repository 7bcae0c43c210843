#include "analysis/warnings.h"

#include <math.h>
#include <string.h>

#include "analysis/asked.h"
#include "analysis/drift.h"
#include "analysis/hazards.h"
#include "analysis/stop.h"
#include "analysis/wording.h"
#include "base/text.h"
#include "store/imported.h"

/* So many failures are told at once; more stand in their own section. */
enum { FAILURES_TOLD = 3, TEXT_BYTES = 400 };

static void G_GNUC_PRINTF(2, 3)
    warn(Analysis *analysis, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(analysis->warnings, g_strdup_vprintf(format, args));
	va_end(args);
}

static void
warn_unfinished(Analysis *analysis)
{
	const StoreData *data = analysis->data;
	g_autoptr(GArray) missing = g_array_new(FALSE, FALSE, sizeof(size_t));

	for (size_t round = 1; round <= analysis->rounds; round++) {
		bool begun = false;
		for (size_t i = 0; i < data->visits->len && !begun; i++)
			begun = ((const DataVisit *)data->visits->pdata[i])
				    ->round == round;
		if (!begun)
			g_array_append_val(missing, round);
	}
	if (missing->len == 0)
		return;
	g_autofree char *rounds = wording_rounds(missing);
	warn(analysis, "Not finished: %s %s of %zu %s not begun.",
	    missing->len == 1 ? "round" : "rounds", rounds, analysis->rounds,
	    missing->len == 1 ? "was" : "were");
}

static void
warn_left(Analysis *analysis)
{
	const GPtrArray *left = analysis->data->left;

	for (size_t i = 0; i < left->len; i++) {
		g_autofree char *text =
		    text_printable(left->pdata[i], TEXT_BYTES);
		warn(analysis, "Still changed on the host, not undone: %s.",
		    text);
	}
}

static void
warn_missing(Analysis *analysis)
{
	const size_t missing = analysis->visits_planned > analysis->visits_valid
	    ? analysis->visits_planned - analysis->visits_valid
	    : 0;
	const GPtrArray *failures = analysis->failures;

	if (missing == 0 && failures->len == 0)
		return;
	g_autofree char *count = missing == 0
	    ? g_strdup("All planned visits are valid in the end")
	    : g_strdup_printf("%zu of %zu planned visits gave no valid figures",
		  missing, analysis->visits_planned);
	if (failures->len == 0 || failures->len > FAILURES_TOLD) {
		warn(analysis, "%s%s.", count,
		    failures->len == 0 ? "" : "; what failed is listed below");
		return;
	}
	g_autoptr(GString) list = g_string_new(NULL);
	for (size_t i = 0; i < failures->len; i++)
		g_string_append_printf(list, "%s%s", i == 0 ? "" : "; ",
		    (const char *)failures->pdata[i]);
	warn(analysis, "%s: %s.", count, list->str);
}

/* Only the last end of a host's nights, where something is missing yet. */
static bool
is_why_it_ended(const Analysis *analysis, const DataEvent *event, size_t i)
{
	const StoreData *data = analysis->data;

	if (analysis->visits_valid >= analysis->visits_planned)
		return false;
	while (++i < data->events->len) {
		const DataEvent *later = data->events->pdata[i];
		if (later->target == event->target &&
		    strcmp(later->kind, event->kind) == 0)
			return false;
	}
	return true;
}

/* What ended a night, or broke into it; told here, it is not listed again. */
static void
warn_events(Analysis *analysis)
{
	static const char *const ends[] = { "interrupted", "given up",
		"quarantined", "ended", NULL };
	static const char *const grave[] = { "unexpected reboot", NULL };
	/* The report has them by themselves. */
	static const char *const stops[] = { STOP_EVENT, STOP_EVENT_UNTIL,
		NULL };
	const StoreData *data = analysis->data;
	g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);

	for (size_t i = 0; i < data->events->len; i++) {
		const DataEvent *event = data->events->pdata[i];
		const char *text = analysis->events->pdata[i];
		if (strcmp(event->kind, "extended") == 0) {
			g_autofree char *how =
			    text_printable(event->text, TEXT_BYTES);
			warn(analysis, "The run was extended %s.", how);
		} else if (strcmp(event->kind, ASKED_EVENT) == 0) {
			g_autofree char *how =
			    text_printable(event->text, TEXT_BYTES);
			warn(analysis, "What is compared was changed %s.", how);
		} else if (g_strv_contains(grave, event->kind) ||
		    (g_strv_contains(ends, event->kind) &&
			is_why_it_ended(analysis, event, i)))
			warn(analysis, "%s.", text);
		else if (!g_strv_contains(stops, event->kind))
			g_ptr_array_add(others, g_strdup(text));
	}
	g_ptr_array_unref(analysis->events);
	analysis->events = g_steal_pointer(&others);
}

/* Said before all that is only listed: it may be what was measured. */
static void
warn_others(Analysis *analysis)
{
	const Others *others = &analysis->others;
	g_autofree char *limit = wording_short(analysis->data->others_percent);

	if (others->disturbed == 0)
		return;
	warn(analysis,
	    "In %zu of %zu measured runs the host was busy with something "
	    "else (more than %s %% of its CPU time, or not quiet before "
	    "them).",
	    others->disturbed, others->runs, limit);
}

static void
warn_flags(Analysis *analysis)
{
	if (analysis->flags->len == 1)
		warn(analysis,
		    "One run was flagged and is used all the same: "
		    "%s.",
		    (const char *)analysis->flags->pdata[0]);
	else if (analysis->flags->len > 1)
		warn(analysis,
		    "%u runs were flagged and are used all the "
		    "same; they are listed below.",
		    analysis->flags->len);
}

/* Every figure of a target comes from one boot. */
static void
warn_one_boot(Analysis *analysis, GHashTable *visits)
{
	g_autoptr(GHashTable) boots =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) targets = g_hash_table_new(NULL, NULL);
	GHashTableIter iter;
	gpointer value = NULL;

	g_hash_table_iter_init(&iter, visits);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const DataVisit *visit = value;
		g_hash_table_add(targets, GSIZE_TO_POINTER(visit->target));
		g_hash_table_add(boots,
		    g_strdup_printf(
			"%zu/%" G_GINT64_FORMAT, visit->target, visit->boot));
	}
	const guint n = g_hash_table_size(targets);
	if (n == 0 || g_hash_table_size(boots) > n)
		return;
	warn(analysis,
	    "All from one boot%s: the intervals say how well %s of it repeat, "
	    "not what another boot would give.",
	    n > 1 ? " of each host" : "",
	    analysis->data->has_server ? "starts" : "runs");
}

/* The combinations a target's round visited, in order, as text. */
static char *
order_of(const StoreData *data, size_t target, size_t round, size_t *n)
{
	GString *order = g_string_new(NULL);

	*n = 0;
	for (size_t i = 0; i < data->visits->len; i++) {
		const DataVisit *visit = data->visits->pdata[i];
		if (visit->target != target || visit->round != round ||
		    visit->attempt > 1)
			continue;
		g_string_append_printf(order, "%zu ", visit->server);
		++*n;
	}
	return g_string_free(order, FALSE);
}

static void
warn_order(Analysis *analysis)
{
	const StoreData *data = analysis->data;
	bool differs = false;
	size_t compared = 0;

	for (size_t target = 0; target < data->targets->len; target++) {
		size_t n = 0, m = 0;
		g_autofree char *first = order_of(data, target, 1, &n);
		for (size_t round = 2; round <= analysis->rounds; round++) {
			g_autofree char *next =
			    order_of(data, target, round, &m);
			if (n < 2 || m != n)
				continue;
			compared++;
			differs = differs || strcmp(first, next) != 0;
		}
	}
	analysis->same_order = compared > 0 && !differs;
	if (analysis->same_order)
		warn(analysis,
		    "Every round ran its cells in the same order: "
		    "drift within a round looks like an effect.");
}

/* Two starts or two levels that should, or should not, be the same file. */
static void
warn_identities(Analysis *analysis)
{
	const StoreData *data = analysis->data;
	const char *first = NULL;
	bool several = false;

	for (size_t i = 0; i < data->starts->len; i++) {
		const char *sha =
		    ((const DataStart *)data->starts->pdata[i])->exe_sha256;
		if (sha != NULL && first == NULL)
			first = sha;
		several = several || (sha != NULL && strcmp(sha, first) != 0);
	}
	if (several)
		warn(analysis,
		    "More than one server binary ran; their "
		    "sha256 are in run.db, table start.");
	for (size_t i = 0; i < data->facts->len; i++) {
		const DataFact *a = data->facts->pdata[i];
		if (!g_str_has_prefix(a->key, "library.") ||
		    !g_str_has_suffix(a->key, ".sha256"))
			continue;
		for (size_t j = i + 1; j < data->facts->len; j++) {
			const DataFact *b = data->facts->pdata[j];
			if (!g_str_has_prefix(b->key, "library.") ||
			    !g_str_has_suffix(b->key, ".sha256") ||
			    strcmp(a->key, b->key) == 0 ||
			    strcmp(a->value, b->value) != 0)
				continue;
			g_autofree char *one = text_printable(
			    a->key + strlen("library."), TEXT_BYTES);
			g_autofree char *two = text_printable(
			    b->key + strlen("library."), TEXT_BYTES);
			warn(analysis,
			    "Two levels load one and the same "
			    "library: %.*s and %.*s.",
			    (int)(strlen(one) - strlen(".sha256")), one,
			    (int)(strlen(two) - strlen(".sha256")), two);
		}
	}
}

/* A visit cannot be valid with a proof that does not hold. */
static void
warn_proofs(Analysis *analysis, GHashTable *visits)
{
	size_t bad = 0;

	for (size_t i = 0; i < analysis->data->proofs->len; i++) {
		const DataProof *proof = analysis->data->proofs->pdata[i];
		if ((proof->verdict == STORED_NO ||
			proof->verdict == STORED_UNKNOWN) &&
		    g_hash_table_contains(visits, &proof->visit))
			bad++;
	}
	if (bad > 0)
		warn(analysis,
		    "Visits count as valid although %zu of their proofs do not "
		    "hold: see run.db, table proof.",
		    bad);
}

static void
warn_contrasts(Analysis *analysis)
{
	size_t welch = 0, raw = 0;

	for (size_t i = 0; i < analysis->loads->len; i++) {
		const AnalysisLoad *load = analysis->loads->pdata[i];
		for (size_t j = 0; j < load->contrasts->len; j++) {
			const AnalysisContrast *contrast =
			    load->contrasts->pdata[j];
			if (contrast->welch && !isnan(contrast->p))
				welch++;
			if (contrast->raw)
				raw++;
		}
		const Interval noise = load->noise;
		if (noise.low > 0 || noise.high < 0) {
			g_autofree char *low =
			    wording_signed(noise.low, wording_decimals(noise));
			g_autofree char *high =
			    wording_signed(noise.high, wording_decimals(noise));
			g_autofree char *name =
			    text_printable(load->load->name, TEXT_BYTES);
			warn(analysis,
			    "%s: the baseline differs from itself, "
			    "by %s to %s %%: something that no "
			    "factor names moves the figures.",
			    name, low, high);
		}
	}
	if (welch > 0 && imported_from(analysis->data) == NULL)
		warn(analysis,
		    "Where it says Welch, means of units are compared, not "
		    "rounds: too few rounds are complete, or rounds share "
		    "boots.");
	if (raw > 0)
		warn(analysis,
		    "Some values are not above 0: their contrasts are told in "
		    "the metric's unit, not in per cent.");
}

/* What a post of another tool's figures must be read with. */
static void
warn_imported(Analysis *analysis, const char *path)
{
	const StoreData *data = analysis->data;
	g_autofree char *name = text_printable(path, TEXT_BYTES);

	warn(analysis,
	    "Imported from %s, not proved: what the cells were is taken on "
	    "trust.",
	    name);
	if (data->boots->len == 0)
		warn(analysis,
		    "It names no boots. As far as it tells each cell is one "
		    "boot, and the intervals say how well its %s repeat, not "
		    "what another boot would give.",
		    imported_unit(data));
	warn_contrasts(analysis);
}

void
warnings_add(Analysis *analysis, GHashTable *visits)
{
	const char *imported = imported_from(analysis->data);

	if (imported != NULL) {
		warn_imported(analysis, imported);
		return;
	}
	warn_unfinished(analysis);
	warn_events(analysis);
	warn_left(analysis);
	/* What weakens figures is not told where there is none. */
	if (analysis->runs == 0)
		return;
	warn_missing(analysis);
	warn_others(analysis);
	warn_proofs(analysis, visits);
	warn_identities(analysis);
	warn_contrasts(analysis);
	warn_flags(analysis);
	warn_one_boot(analysis, visits);
	warn_order(analysis);
	drift_warn(analysis, visits);
	hazards_warn(analysis->data, analysis->warnings);
	if (analysis->data->targets->len > 1)
		warn(analysis,
		    "Effects are taken within each of %u hosts; "
		    "each round on each host counts as one round, "
		    "and the tables hold all hosts' figures.",
		    analysis->data->targets->len);
}
