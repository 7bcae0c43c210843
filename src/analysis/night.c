#include "analysis/night.h"

#include <math.h>
#include <string.h>

#include "analysis/causes.h"
#include "analysis/grid.h"
#include "analysis/wording.h"
#include "base/text.h"
#include "store/imported.h"

enum { REASON_BYTES = 400 };

static const DataCell *
cell_by_id(const StoreData *data, int64_t id)
{
	for (size_t i = 0; i < data->cells->len; i++) {
		const DataCell *cell = data->cells->pdata[i];
		if (cell->id == id)
			return cell;
	}
	return NULL;
}

/* "round 5, ULE / libthr", with the target where there are several. */
static char *
visit_name(const StoreData *data, const DataVisit *visit)
{
	g_autofree char *server = wording_server(data, visit->server);

	if (data->targets->len < 2 || visit->target >= data->targets->len)
		return g_strdup_printf("round %zu, %s", visit->round, server);
	g_autofree char *target =
	    text_printable(data->targets->pdata[visit->target], REASON_BYTES);
	return g_strdup_printf(
	    "round %zu on %s, %s", visit->round, target, server);
}

/* A later visit of the same combination is valid. */
static bool
was_repeated(const DataVisit *visit, GHashTable *visits)
{
	GHashTableIter iter;
	gpointer value = NULL;

	g_hash_table_iter_init(&iter, visits);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const DataVisit *other = value;
		if (other->target == visit->target &&
		    other->round == visit->round &&
		    other->server == visit->server)
			return true;
	}
	return false;
}

static const char *
what_happened(VisitStatus status)
{
	switch (status) {
	case VISIT_RUNNING:
		return "was cut off";
	case VISIT_VALID:
		return "is valid";
	case VISIT_INVALID:
		return "is invalid";
	case VISIT_FAILED:
		return "failed";
	case VISIT_INTERRUPTED:
		return "was interrupted";
	case VISIT_SUPERSEDED:
		return "was superseded";
	}
	g_assert_not_reached();
}

/* What became of a visit that is not valid; free it. */
static char *
visit_failure(const DataVisit *visit, GHashTable *visits)
{
	g_autofree char *reason = visit->reason == NULL
	    ? NULL
	    : text_printable(visit->reason, REASON_BYTES);

	return g_strdup_printf("%s%s%s%s%s%s", what_happened(visit->status),
	    visit->failure == NULL ? "" : ": ",
	    visit->failure == NULL ? "" : visit->failure,
	    reason == NULL ? "" : ": ", reason == NULL ? "" : reason,
	    was_repeated(visit, visits) ? " (then repeated, and valid)" : "");
}

static void
add_failure(Analysis *analysis, const char *text, size_t times)
{
	if (times > 0)
		g_ptr_array_add(analysis->failures,
		    times == 1
			? g_strdup(text)
			: g_strdup_printf("%s (%zu times)", text, times));
}

/* Attempts that failed alike, one after the other, are told once. */
static void
list_visits(Analysis *analysis, GHashTable *visits)
{
	const StoreData *data = analysis->data;
	g_autofree char *last = NULL;
	size_t times = 0;

	for (size_t i = 0; i < data->visits->len; i++) {
		const DataVisit *visit = data->visits->pdata[i];
		if (visit->status == VISIT_VALID)
			continue;
		g_autofree char *name = visit_name(data, visit);
		g_autofree char *what = visit_failure(visit, visits);
		g_autofree char *text = g_strdup_printf("%s %s", name, what);
		causes_add(analysis->causes, name, what, 1);
		if (g_strcmp0(text, last) == 0) {
			times++;
			continue;
		}
		add_failure(analysis, last, times);
		g_free(last);
		last = g_steal_pointer(&text);
		times = 1;
	}
	add_failure(analysis, last, times);
}

static char *
run_name(const StoreData *data, const DataRun *run, const DataVisit *visit)
{
	const DataCell *cell = cell_by_id(data, run->cell);
	g_autofree char *cell_name =
	    cell == NULL ? g_strdup("?") : wording_cell(data, cell);
	const char *load_name = "?";

	for (size_t i = 0; i < data->loads->len; i++) {
		const DataLoad *load = data->loads->pdata[i];
		if (load->index == run->load)
			load_name = load->name;
	}
	g_autofree char *load = text_printable(load_name, REASON_BYTES);
	g_autofree char *number = run->warmup
	    ? g_strdup("warm-up")
	    : g_strdup_printf("run %d", run->number);
	return g_strdup_printf(
	    "round %zu, %s, %s, %s", visit->round, cell_name, load, number);
}

static void
note_run(Analysis *analysis, const DataRun *run, const DataVisit *visit)
{
	if (run->good && (run->flag == NULL || run->warmup))
		return;
	g_autofree char *name = run_name(analysis->data, run, visit);
	const char *text = run->good ? run->flag
	    : run->reason != NULL    ? run->reason
				     : "no reason was stored";
	g_autofree char *shown = text_printable(text, REASON_BYTES);
	if (run->good)
		g_ptr_array_add(
		    analysis->flags, g_strdup_printf("%s: %s", name, shown));
	else {
		g_autofree char *what = g_strdup_printf("failed: %s%s%s",
		    run->failure == NULL ? "" : run->failure,
		    run->failure == NULL ? "" : ": ", shown);
		causes_add(analysis->causes, name, what, 1);
		g_ptr_array_add(
		    analysis->failures, g_strdup_printf("%s %s", name, what));
	}
}

static void
count_runs(Analysis *analysis, GHashTable *visits)
{
	const StoreData *data = analysis->data;

	for (size_t i = 0; i < data->runs->len; i++) {
		const DataRun *run = data->runs->pdata[i];
		const DataVisit *visit =
		    g_hash_table_lookup(visits, &run->visit);
		if (visit == NULL)
			continue;
		if (run->warmup)
			analysis->warmups++;
		else if (run->good)
			analysis->runs++;
		note_run(analysis, run, visit);
	}
	for (size_t i = 0; i < data->starts->len; i++) {
		const DataStart *start = data->starts->pdata[i];
		if (g_hash_table_contains(visits, &start->visit))
			analysis->starts++;
	}
}

static size_t
count_servers(const StoreData *data)
{
	g_autoptr(GHashTable) servers = g_hash_table_new(NULL, NULL);

	for (size_t i = 0; i < data->cells->len; i++) {
		const DataCell *cell = data->cells->pdata[i];
		g_hash_table_add(servers, GSIZE_TO_POINTER(cell->server));
	}
	return g_hash_table_size(servers);
}

static void
add_about(AnalysisProof *line, const char *about)
{
	g_autofree char *shown = text_printable(about, REASON_BYTES);

	for (size_t i = 0; i < line->about->len; i++)
		if (strcmp(line->about->pdata[i], shown) == 0)
			return;
	if (*shown != '\0')
		g_ptr_array_add(line->about, g_steal_pointer(&shown));
}

/* One line for each thing that was proved, however often. */
static void
count_proofs(Analysis *analysis)
{
	const StoreData *data = analysis->data;
	g_autoptr(GHashTable) lines = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) superseded =
	    g_hash_table_new(g_int64_hash, g_int64_equal);

	for (size_t i = 0; i < data->visits->len; i++) {
		DataVisit *visit = data->visits->pdata[i];
		if (visit->status == VISIT_SUPERSEDED)
			g_hash_table_add(superseded, &visit->id);
	}
	for (size_t i = 0; i < data->proofs->len; i++) {
		const DataProof *proof = data->proofs->pdata[i];
		if (g_hash_table_contains(superseded, &proof->visit))
			continue;
		AnalysisProof *line = g_hash_table_lookup(lines, proof->what);
		if (line == NULL) {
			line = g_new0(AnalysisProof, 1);
			line->what = text_printable(proof->what, REASON_BYTES);
			line->about = g_ptr_array_new_with_free_func(g_free);
			g_hash_table_insert(lines, proof->what, line);
			g_ptr_array_add(analysis->proofs, line);
		}
		if (proof->verdict == STORED_NOT_APPLICABLE)
			continue;
		add_about(line, proof->about);
		line->all++;
		if (proof->verdict == STORED_YES)
			line->yes++;
	}
}

static void
list_events(Analysis *analysis)
{
	const StoreData *data = analysis->data;

	for (size_t i = 0; i < data->events->len; i++) {
		const DataEvent *event = data->events->pdata[i];
		g_autoptr(GDateTime) at =
		    g_date_time_new_from_unix_utc((gint64)event->at);
		g_autofree char *time = at == NULL
		    ? g_strdup("?")
		    : g_date_time_format(at, "%H:%M UTC");
		g_autofree char *kind =
		    text_printable(event->kind, REASON_BYTES);
		g_autofree char *text =
		    text_printable(event->text, REASON_BYTES);
		g_autofree char *target = event->target < data->targets->len
		    ? text_printable(
			  data->targets->pdata[event->target], REASON_BYTES)
		    : g_strdup("abrun");
		g_ptr_array_add(analysis->events,
		    g_strdup_printf(
			"%s, %s: %s: %s", time, target, kind, text));
	}
}

void
night_count(Analysis *analysis, GHashTable *visits)
{
	const StoreData *data = analysis->data;

	analysis->rounds = grid_rounds(data);
	analysis->visits_planned =
	    analysis->rounds * count_servers(data) * data->targets->len;
	analysis->visits_begun = data->visits->len;
	analysis->visits_valid = g_hash_table_size(visits);
	if (imported_from(data) != NULL)
		analysis->visits_planned = analysis->visits_valid;
	for (size_t i = 0; i < data->boots->len; i++) {
		const DataBoot *boot = data->boots->pdata[i];
		if (boot->made)
			analysis->boots_made++;
		else
			analysis->boots_found++;
	}
	analysis->seconds = fmax(data->ended - data->began, 0);
	list_visits(analysis, visits);
	count_runs(analysis, visits);
	count_proofs(analysis);
	list_events(analysis);
}
