#include "store/rows.h"

#include "base/text.h"
#include "store/db.h"

static const char *
status_name(int i)
{
	return visit_status_name((VisitStatus)i);
}

static const char *
verdict_name(int i)
{
	return stored_verdict_name((StoredVerdict)i);
}

static void
add_boot(StoreData *data, sqlite3_stmt *row)
{
	DataBoot *boot = g_new0(DataBoot, 1);

	boot->id = row_number(row, 0);
	boot->target = row_count(row, 1);
	boot->boot_id = db_string(row, 2);
	boot->kernel = db_string(row, 3);
	boot->made = row_number(row, 4) != 0;
	boot->began = sqlite3_column_double(row, 5);
	g_ptr_array_add(data->boots, boot);
}

static void
add_visit(StoreData *data, sqlite3_stmt *row)
{
	DataVisit *visit = g_new0(DataVisit, 1);

	visit->id = row_number(row, 0);
	visit->target = row_count(row, 1);
	visit->round = row_count(row, 2);
	visit->block = row_count(row, 3);
	visit->server = row_count(row, 4);
	visit->boot = row_number(row, 5);
	visit->attempt = sqlite3_column_int(row, 6);
	visit->status =
	    (VisitStatus)row_enum(row, 7, VISIT_SUPERSEDED + 1, status_name);
	visit->failure = db_copy(row, 8);
	visit->reason = db_copy(row, 9);
	visit->began = sqlite3_column_double(row, 10);
	visit->ended = sqlite3_column_double(row, 11);
	g_ptr_array_add(data->visits, visit);
}

static void
add_start(StoreData *data, sqlite3_stmt *row)
{
	DataStart *start = g_new0(DataStart, 1);

	start->id = row_number(row, 0);
	start->visit = row_number(row, 1);
	start->index = row_count(row, 2);
	start->pid = row_number(row, 3);
	start->version = db_copy(row, 4);
	start->exe_sha256 = db_copy(row, 5);
	start->ready_ms = row_number(row, 6);
	g_ptr_array_add(data->starts, start);
}

static void
add_run(StoreData *data, sqlite3_stmt *row)
{
	DataRun *run = g_new0(DataRun, 1);

	run->id = row_number(row, 0);
	run->visit = row_number(row, 1);
	run->start = row_number(row, 2);
	run->cell = row_number(row, 3);
	run->load = row_count(row, 4);
	run->number = sqlite3_column_int(row, 5);
	run->warmup = row_number(row, 6) != 0;
	run->good = row_number(row, 7) != 0;
	run->failure = db_copy(row, 8);
	run->reason = db_copy(row, 9);
	run->flag = db_copy(row, 10);
	run->began = sqlite3_column_double(row, 11);
	run->wall_ms = row_number(row, 12);
	run->raw = db_copy(row, 13);
	run->cpu_ms = row_number(row, 14);
	run->server_ms = row_number(row, 15);
	run->others_ms = row_number(row, 16);
	run->stolen_ms = row_number(row, 17);
	g_ptr_array_add(data->runs, run);
}

static void
add_sample(StoreData *data, sqlite3_stmt *row)
{
	DataSample *sample = g_new0(DataSample, 1);

	sample->run = row_number(row, 0);
	sample->metric = db_string(row, 1);
	sample->value = sqlite3_column_double(row, 2);
	g_ptr_array_add(data->samples, sample);
}

static void
add_proof(StoreData *data, sqlite3_stmt *row)
{
	DataProof *proof = g_new0(DataProof, 1);

	proof->visit = row_number(row, 0);
	proof->after = row_number(row, 1) != 0;
	proof->what = db_string(row, 2);
	proof->about = db_string(row, 3);
	proof->wanted = db_string(row, 4);
	proof->seen = db_string(row, 5);
	proof->verdict = (StoredVerdict)row_enum(
	    row, 6, STORED_NOT_APPLICABLE + 1, verdict_name);
	g_ptr_array_add(data->proofs, proof);
}

static void
add_fact(StoreData *data, sqlite3_stmt *row)
{
	DataFact *fact = g_new0(DataFact, 1);

	fact->scope = db_string(row, 0);
	fact->id = row_number(row, 1);
	fact->key = db_string(row, 2);
	fact->value = db_string(row, 3);
	g_ptr_array_add(data->facts, fact);
}

static void
add_event(StoreData *data, sqlite3_stmt *row)
{
	DataEvent *event = g_new0(DataEvent, 1);

	event->at = sqlite3_column_double(row, 0);
	event->target = sqlite3_column_type(row, 1) == SQLITE_NULL
	    ? SIZE_MAX
	    : row_count(row, 1);
	event->kind = db_string(row, 2);
	event->text = db_string(row, 3);
	g_ptr_array_add(data->events, event);
}

/* "lab1: sysctl vm.swappiness was 60, set to 10" */
static void
add_left(StoreData *data, sqlite3_stmt *row)
{
	const char *target = (const char *)sqlite3_column_text(row, 0);
	const char *kind = (const char *)sqlite3_column_text(row, 1);
	const char *name = (const char *)sqlite3_column_text(row, 2);
	const char *old = (const char *)sqlite3_column_text(row, 3);
	const char *new = (const char *)sqlite3_column_text(row, 4);
	const char *state = (const char *)sqlite3_column_text(row, 5);
	g_autofree char *words = NULL;

	if (g_str_equal(kind, "command"))
		words = g_strdup_printf("%s: command %s; its undo: %s", target,
		    name, old != NULL ? old : "none was given");
	else if (g_str_equal(kind, "workdir"))
		words = g_strdup_printf(
		    "%s: %s, and what was started from it", target, name);
	else if (g_str_equal(kind, "datadir"))
		words = g_strdup_printf("%s: %s, a copy of %s", target, name,
		    new != NULL ? new : "the data");
	else
		words = g_strdup_printf("%s: %s %s was %s, set to %s%s", target,
		    kind, name, old != NULL ? old : "absent",
		    new != NULL ? new : "absent",
		    g_str_equal(state, "foreign")
			? ", then changed by someone else"
			: "");
	g_ptr_array_add(data->left, text_printable(words, 1000));
}

static void
add_ended(StoreData *data, sqlite3_stmt *row)
{
	data->ended = sqlite3_column_double(row, 0);
}

/* The latest time that any row tells. */
#define LAST_STORED                                                            \
	"SELECT max(at) FROM (SELECT began AS at FROM experiment "             \
	"UNION ALL SELECT max(began) FROM boot "                               \
	"UNION ALL SELECT max(began) FROM visit "                              \
	"UNION ALL SELECT max(ended) FROM visit "                              \
	"UNION ALL SELECT max(at) FROM start "                                 \
	"UNION ALL SELECT max(began + wall_ms / 1000.0) FROM run "             \
	"UNION ALL SELECT max(at) FROM fact "                                  \
	"UNION ALL SELECT max(at) FROM event "                                 \
	"UNION ALL SELECT max(intended_at) FROM undo "                         \
	"UNION ALL SELECT max(changed_at) FROM undo)"

const RowReader rows_night[] = {
	{ LAST_STORED, add_ended },
	{ "SELECT id, target, boot_id, kernel, made, began FROM boot "
	  "ORDER BY id",
	    add_boot },
	{ "SELECT id, target, round, block, server, boot, attempt, status, "
	  "failure, reason, began, ended FROM visit ORDER BY id",
	    add_visit },
	{ "SELECT id, visit, position, pid, version, exe_sha256, ready_ms "
	  "FROM start ORDER BY id",
	    add_start },
	{ "SELECT id, visit, start, cell, load, number, warmup, good, "
	  "failure, reason, flag, began, wall_ms, raw, "
	  "ifnull(cpu_ms, -1), ifnull(server_ms, -1), "
	  "ifnull(others_ms, -1), ifnull(stolen_ms, -1) "
	  "FROM run ORDER BY id",
	    add_run },
	{ "SELECT run, metric, value FROM sample ORDER BY rowid", add_sample },
	{ "SELECT visit, after, what, about, wanted, seen, verdict FROM proof "
	  "ORDER BY id",
	    add_proof },
	{ "SELECT scope, of, key, value FROM fact ORDER BY id", add_fact },
	{ "SELECT at, target, kind, text FROM event ORDER BY id", add_event },
	{ "SELECT host.name, kind, undo.name, old_value, new_value, state "
	  "FROM undo JOIN host ON host.id = undo.target "
	  "WHERE state <> 'undone' ORDER BY undo.id",
	    add_left },
	{ NULL, NULL },
};
