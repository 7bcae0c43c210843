#include "store/db.h"

#include "base/error.h"

static const char *const states[] = {
	[UNDO_INTENDED] = "intended",
	[UNDO_DONE] = "done",
	[UNDO_UNDONE] = "undone",
	[UNDO_FOREIGN] = "foreign",
};

static UndoState
state_of(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(states); i++)
		if (g_strcmp0(states[i], name) == 0)
			return (UndoState)i;
	/* The table's CHECK lets no other word in. */
	g_assert_not_reached();
}

static void
undo_free(StoreUndo *undo)
{
	g_free(undo->kind);
	g_free(undo->name);
	g_free(undo->old_value);
	g_free(undo->new_value);
	g_free(undo->scope);
	g_free(undo->boot_id);
	g_free(undo);
}

int64_t
store_undo_intend(Store *store, const StoreUndo *undo, GError **error)
{
	return db_insert(store, "what will be undone",
	    "INSERT INTO undo (target, kind, name, old_value, new_value, "
	    "scope, boot_id, state, intended_at) "
	    "VALUES (?, ?, ?, ?, ?, ?, ?, 'intended', ?)",
	    DB_VALUES(db_int((int64_t)undo->target), db_text(undo->kind),
		db_text(undo->name), db_text(undo->old_value),
		db_text(undo->new_value), db_text(undo->scope),
		db_text(undo->boot_id), db_double(db_now())),
	    error);
}

/*
 * intended -> done -> undone; what was only intended may turn out not to
 * have happened; what was found foreign may be found right later.
 */
static bool
may_follow(UndoState from, UndoState to)
{
	switch (from) {
	case UNDO_INTENDED:
		return true;
	case UNDO_DONE:
		return to != UNDO_INTENDED;
	case UNDO_FOREIGN:
		return to == UNDO_FOREIGN || to == UNDO_UNDONE;
	case UNDO_UNDONE:
		return to == UNDO_UNDONE;
	}
	g_assert_not_reached();
}

/* False without an error where there is no such row. */
static bool
read_state(Store *store, int64_t id, UndoState *state, GError **error)
{
	sqlite3_stmt *row =
	    db_bind(store, "SELECT state FROM undo WHERE id = ?",
		DB_VALUES(db_int(id)), error);
	bool found = false;

	while (row != NULL && db_row(store, row, error)) {
		g_autofree char *name = db_string(row, 0);
		*state = state_of(name);
		found = true;
	}
	return found;
}

static bool
change_state(Store *store, int64_t id, UndoState to, GError **error)
{
	UndoState from;
	GError *failure = NULL;

	if (!read_state(store, id, &from, &failure)) {
		if (failure != NULL)
			g_propagate_error(error, failure);
		else
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
			    "%s has no undo row %" G_GINT64_FORMAT, store->path,
			    id);
		return false;
	}
	if (!may_follow(from, to)) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
		    "undo row %" G_GINT64_FORMAT
		    " of %s is %s and cannot become %s",
		    id, store->path, states[from], states[to]);
		return false;
	}
	return db_run(store, "what was undone",
	    "UPDATE undo SET state = ?, changed_at = ? WHERE id = ?",
	    DB_VALUES(db_text(states[to]), db_double(db_now()), db_int(id)),
	    error);
}

bool
store_undo_set(Store *store, int64_t id, UndoState state, GError **error)
{
	static const char wanted[] = "what was undone";

	(void)pthread_mutex_lock(&store->mutex);
	const bool ok = db_begin(store, wanted, error) &&
	    db_commit(
		store, wanted, change_state(store, id, state, error), error);
	(void)pthread_mutex_unlock(&store->mutex);
	return ok;
}

static StoreUndo *
undo_of_row(sqlite3_stmt *row)
{
	StoreUndo *undo = g_new0(StoreUndo, 1);
	g_autofree char *state = db_string(row, 8);

	undo->id = sqlite3_column_int64(row, 0);
	undo->target = (size_t)sqlite3_column_int64(row, 1);
	undo->kind = db_string(row, 2);
	undo->name = db_string(row, 3);
	undo->old_value = db_copy(row, 4);
	undo->new_value = db_copy(row, 5);
	undo->scope = db_string(row, 6);
	undo->boot_id = db_copy(row, 7);
	undo->state = state_of(state);
	return undo;
}

GPtrArray *
store_undo_open(Store *store, size_t target, GError **error)
{
	g_autoptr(GPtrArray) undos =
	    g_ptr_array_new_with_free_func((GDestroyNotify)undo_free);
	GError *failure = NULL;

	(void)pthread_mutex_lock(&store->mutex);
	sqlite3_stmt *row = db_bind(store,
	    "SELECT id, target, kind, name, old_value, new_value, scope, "
	    "boot_id, state FROM undo "
	    "WHERE target = ? AND state <> 'undone' ORDER BY id DESC",
	    DB_VALUES(db_int((int64_t)target)), &failure);
	while (row != NULL && db_row(store, row, &failure))
		g_ptr_array_add(undos, undo_of_row(row));
	(void)pthread_mutex_unlock(&store->mutex);
	if (failure != NULL) {
		g_propagate_error(error, failure);
		return NULL;
	}
	return g_steal_pointer(&undos);
}

static char *
last_fact(Store *store, const char *scope, int64_t of, const char *key)
{
	char *value = NULL;

	(void)pthread_mutex_lock(&store->mutex);
	sqlite3_stmt *row = db_bind(store,
	    "SELECT value FROM fact WHERE scope = ? AND of = ? AND key = ?",
	    DB_VALUES(db_text(scope), db_int(of), db_text(key)), NULL);
	while (row != NULL && db_row(store, row, NULL)) {
		g_free(value);
		value = db_string(row, 0);
	}
	(void)pthread_mutex_unlock(&store->mutex);
	return value;
}

char *
store_host_fact(Store *store, size_t host, const char *key)
{
	return last_fact(store, "host", (int64_t)host, key);
}

char *
store_experiment_fact(Store *store, const char *key)
{
	return last_fact(store, "experiment", 0, key);
}

GArray *
store_undo_hosts(Store *store, GError **error)
{
	g_autoptr(GArray) hosts = g_array_new(FALSE, FALSE, sizeof(size_t));
	GError *failure = NULL;

	(void)pthread_mutex_lock(&store->mutex);
	sqlite3_stmt *row = db_bind(store,
	    "SELECT DISTINCT target FROM undo WHERE state <> 'undone' "
	    "ORDER BY target",
	    NULL, 0, &failure);
	while (row != NULL && db_row(store, row, &failure)) {
		const size_t host = (size_t)sqlite3_column_int64(row, 0);
		g_array_append_val(hosts, host);
	}
	(void)pthread_mutex_unlock(&store->mutex);
	if (failure == NULL)
		return g_steal_pointer(&hosts);
	g_propagate_error(error, failure);
	return NULL;
}

bool
store_original_keep(Store *store, size_t target, const char *boot_id,
    const char *kind, const char *name, const char *value, GError **error)
{
	return db_write(store, "what a setting was",
	    "INSERT INTO original (target, boot_id, kind, name, value) "
	    "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
	    DB_VALUES(db_int((int64_t)target), db_text(boot_id), db_text(kind),
		db_text(name), db_text(value)),
	    NULL, error);
}

GHashTable *
store_originals(
    Store *store, size_t target, const char *boot_id, GError **error)
{
	g_autoptr(GHashTable) originals =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	GError *failure = NULL;

	(void)pthread_mutex_lock(&store->mutex);
	sqlite3_stmt *row = db_bind(store,
	    "SELECT kind || ' ' || name, value FROM original "
	    "WHERE target = ? AND boot_id = ?",
	    DB_VALUES(db_int((int64_t)target), db_text(boot_id)), &failure);
	while (row != NULL && db_row(store, row, &failure))
		(void)g_hash_table_insert(
		    originals, db_string(row, 0), db_string(row, 1));
	(void)pthread_mutex_unlock(&store->mutex);
	if (failure != NULL) {
		g_propagate_error(error, failure);
		return NULL;
	}
	return g_steal_pointer(&originals);
}
