#include "run/state_log.h"

#include <string.h>

/* Of one load.  Starts and rounds count from 1; 0 is before the first. */
typedef struct {
	size_t reset_start, reset_round; /* of the last reset */
	size_t run_start, run_round;     /* of the last run */
	size_t prepared;                 /* in which start */
	bool spoilt;   /* some load has written since the last reset */
	bool is_new;   /* was reset and has not run since */
	char *changed; /* what the last look found; NULL: nothing */
} LoadLog;

struct StateLog {
	const Matrix *matrix;
	LoadLog *loads;
	size_t start, round;
	bool step;           /* no run of this step yet */
	GHashTable *wanted;  /* table to StateTable */
	GHashTable *written; /* tables, since their load's reset */
};

static const Load *
load_at(const StateLog *log, size_t load)
{
	return log->matrix->loads->pdata[load];
}

void
state_table_clear(StateTable *table)
{
	g_clear_pointer(&table->rows, g_free);
	g_clear_pointer(&table->checksum, g_free);
	g_clear_pointer(&table->trouble, g_free);
}

static void
table_free(gpointer data)
{
	StateTable *table = data;

	state_table_clear(table);
	g_free(table);
}

StateLog *
state_log_new(const Matrix *matrix)
{
	StateLog *log = g_new0(StateLog, 1);

	log->matrix = matrix;
	log->loads = g_new0(LoadLog, matrix->loads->len);
	log->wanted =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, table_free);
	log->written =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return log;
}

void
state_log_free(StateLog *log)
{
	if (log == NULL)
		return;
	for (guint i = 0; i < log->matrix->loads->len; i++)
		g_free(log->loads[i].changed);
	g_free(log->loads);
	g_hash_table_unref(log->wanted);
	g_hash_table_unref(log->written);
	g_free(log);
}

void
state_log_want(StateLog *log, const char *table, const StateTable *wanted)
{
	StateTable *copy = g_new0(StateTable, 1);

	copy->rows = g_strdup(wanted->rows);
	copy->checksum = g_strdup(wanted->checksum);
	(void)g_hash_table_insert(log->wanted, g_strdup(table), copy);
}

void
state_log_found(StateLog *log, size_t load, char *reason)
{
	g_free(log->loads[load].changed);
	log->loads[load].changed = reason;
}

const char *
state_log_changed(const StateLog *log, size_t load)
{
	return log->loads[load].changed;
}

void
state_log_start(StateLog *log, size_t round)
{
	log->start++;
	log->round = round;
	log->step = true;
}

void
state_log_step(StateLog *log)
{
	log->step = true;
}

bool
state_log_prepare(StateLog *log, size_t load)
{
	const bool due = log->loads[load].prepared != log->start;

	log->loads[load].prepared = log->start;
	return due;
}

static bool
names(const Load *load, const char *table)
{
	return g_ptr_array_find_with_equal_func(
	    load->tables, table, g_str_equal, NULL);
}

/* Whether they may work on the same data: of tables not named nobody knows. */
static bool
shares(const Load *a, const Load *b)
{
	if (a == b || a->tables->len == 0 || b->tables->len == 0)
		return true;
	for (guint i = 0; i < a->tables->len; i++)
		if (names(b, a->tables->pdata[i]))
			return true;
	return false;
}

void
state_log_reset(StateLog *log, size_t load)
{
	LoadLog *of = &log->loads[load];
	const GPtrArray *tables = load_at(log, load)->tables;

	of->reset_start = log->start;
	of->reset_round = log->round;
	of->spoilt = false;
	of->is_new = true;
	g_clear_pointer(&of->changed, g_free);
	for (guint i = 0; i < tables->len; i++)
		(void)g_hash_table_remove(log->written, tables->pdata[i]);
}

void
state_log_run(StateLog *log, size_t load)
{
	const Load *of = load_at(log, load);

	log->step = false;
	log->loads[load].run_start = log->start;
	log->loads[load].run_round = log->round;
	log->loads[load].is_new = false;
	if (!of->writes)
		return;
	for (guint i = 0; i < log->matrix->loads->len; i++)
		if (shares(of, load_at(log, i)))
			log->loads[i].spoilt = true;
	for (guint i = 0; i < of->tables->len && of->reset != RESET_NEVER; i++)
		(void)g_hash_table_add(
		    log->written, g_strdup(of->tables->pdata[i]));
}

bool
state_log_due_at_start(const StateLog *log, size_t load)
{
	const Reset reset = load_at(log, load)->reset;

	if (reset != RESET_RUN && reset != RESET_START)
		return false;
	if (log->loads[load].reset_start == log->start)
		return false;
	for (guint i = 0; i < log->matrix->loads->len; i++) {
		const Load *other = load_at(log, i);
		if (!other->writes && shares(other, load_at(log, load)))
			return true;
	}
	return false;
}

bool
state_log_due(const StateLog *log, size_t load)
{
	const LoadLog *of = &log->loads[load];

	switch (load_at(log, load)->reset) {
	case RESET_NEVER:
		return false;
	case RESET_RUN:
		return of->reset_start != log->start || of->spoilt;
	case RESET_START:
		return of->reset_start != log->start ||
		    (of->run_start != log->start && of->spoilt);
	case RESET_ROUND:
		return of->reset_round != log->round ||
		    (of->run_round != log->round && of->spoilt);
	}
	g_assert_not_reached();
}

StateCompare
state_log_compare(const StateLog *log, const char *table)
{
	if (g_hash_table_contains(log->written, table))
		return STATE_NOTHING;
	for (guint i = 0; i < log->matrix->loads->len; i++) {
		const Load *load = load_at(log, i);
		if (load->writes && load->reset == RESET_NEVER &&
		    names(load, table))
			return STATE_ROWS;
	}
	return STATE_ALL;
}

bool
state_log_look(const StateLog *log, size_t load)
{
	const Load *of = load_at(log, load);

	if (!log->step && !log->loads[load].is_new &&
	    !(of->writes && of->reset == RESET_NEVER))
		return false;
	for (guint i = 0; i < of->tables->len; i++)
		if (state_log_compare(log, of->tables->pdata[i]) !=
		    STATE_NOTHING)
			return true;
	return false;
}

static char *
in_words(StateCompare compare, const StateTable *table)
{
	if (table->trouble != NULL)
		return g_strdup(table->trouble);
	if (compare == STATE_ROWS)
		return g_strdup_printf("%s rows", table->rows);
	return g_strdup_printf(
	    "%s rows, checksum %s", table->rows, table->checksum);
}

char *
state_judge(const char *table, StateCompare compare, const StateTable *wanted,
    const StateTable *seen)
{
	if (compare == STATE_NOTHING ||
	    (seen->trouble == NULL &&
		g_strcmp0(wanted->rows, seen->rows) == 0 &&
		(compare == STATE_ROWS ||
		    g_strcmp0(wanted->checksum, seen->checksum) == 0)))
		return NULL;
	g_autofree char *want = in_words(compare, wanted);
	g_autofree char *see = in_words(compare, seen);
	return g_strdup_printf(
	    "data changed: wanted %s in %s; seen %s", want, table, see);
}

char *
state_log_judge(const StateLog *log, const char *table, const StateTable *seen)
{
	const StateTable *wanted = g_hash_table_lookup(log->wanted, table);

	return wanted == NULL
	    ? NULL
	    : state_judge(table, state_log_compare(log, table), wanted, seen);
}
