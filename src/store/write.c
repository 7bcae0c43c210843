#include "store/db.h"

#include "base/error.h"

/* Ids of the database begin at 1; 0 is "none" in the headers. */

/* The row of a boot already met, 0 if there is none or on an error. */
static int64_t
known_boot(Store *store, size_t target, const char *boot_id, GError **error)
{
	int64_t id = 0;

	(void)pthread_mutex_lock(&store->mutex);
	sqlite3_stmt *row = db_bind(store,
	    "SELECT id FROM boot WHERE target = ? AND boot_id = ?",
	    DB_VALUES(db_int((int64_t)target), db_text(boot_id)), error);
	if (row != NULL && db_row(store, row, error)) {
		id = sqlite3_column_int64(row, 0);
		(void)sqlite3_reset(row);
	}
	(void)pthread_mutex_unlock(&store->mutex);
	return id;
}

int64_t
store_boot(Store *store, size_t target, const char *boot_id, const char *kernel,
    bool made, GError **error)
{
	GError *failure = NULL;
	const int64_t known = known_boot(store, target, boot_id, &failure);

	if (failure != NULL)
		g_propagate_error(error, failure);
	if (known != 0 || failure != NULL)
		return known;
	return db_insert(store, "a boot",
	    "INSERT INTO boot (target, boot_id, kernel, made, began) "
	    "VALUES (?, ?, ?, ?, ?)",
	    DB_VALUES(db_int((int64_t)target), db_text(boot_id),
		db_text(kernel != NULL ? kernel : ""), db_int(made),
		db_double(db_now())),
	    error);
}

int64_t
store_visit_begin(Store *store, size_t target, size_t round, size_t block,
    size_t server, int64_t boot, int attempt, GError **error)
{
	return db_insert(store, "the begin of a visit",
	    "INSERT INTO visit (target, round, block, server, boot, attempt, "
	    "status, began) VALUES (?, ?, ?, ?, ?, ?, 'running', ?)",
	    DB_VALUES(db_int((int64_t)target), db_int((int64_t)round),
		db_int((int64_t)block), db_int((int64_t)server), db_id(boot),
		db_int(attempt), db_double(db_now())),
	    error);
}

/* One statement that must change one row. */
static bool
update_one(Store *store, const char *wanted, const char *sql,
    const DbValue *values, size_t n, GError **error)
{
	(void)pthread_mutex_lock(&store->mutex);
	bool ok = db_begin(store, wanted, error);
	if (ok) {
		bool changed = db_run(store, wanted, sql, values, n, error);
		if (changed && sqlite3_changes(store->db) != 1) {
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
			    "cannot store %s in %s: there is no such row",
			    wanted, store->path);
			changed = false;
		}
		ok = db_commit(store, wanted, changed, error);
	}
	(void)pthread_mutex_unlock(&store->mutex);
	return ok;
}

bool
store_visit_end(Store *store, int64_t visit, VisitStatus status,
    Failure failure, const char *reason, GError **error)
{
	g_return_val_if_fail(status != VISIT_RUNNING, false);
	/* A visit that ended may be superseded later: its end stays. */
	return update_one(store, "the end of a visit",
	    "UPDATE visit SET status = ?, failure = ?, reason = ?, "
	    "ended = coalesce(ended, ?) WHERE id = ?",
	    DB_VALUES(db_text(visit_status_name(status)),
		db_text(failure_name(failure)), db_text(reason),
		db_double(db_now()), db_int(visit)),
	    error);
}

bool
store_supersede(Store *store, size_t target, size_t round, size_t block,
    int64_t boot, const char *reason, size_t *n, GError **error)
{
	static const char wanted[] = "the repetition of a block";

	*n = 0;
	(void)pthread_mutex_lock(&store->mutex);
	bool ok = db_begin(store, wanted, error);
	if (ok) {
		const bool ran = db_run(store, wanted,
		    "UPDATE visit SET status = 'superseded', failure = "
		    "coalesce(failure, ?6), reason = CASE WHEN reason IS NULL "
		    "THEN ?1 "
		    "ELSE reason || '; ' || ?1 END "
		    "WHERE target = ?2 AND round = ?3 AND block = ?4 "
		    "AND boot <> ?5 "
		    "AND status IN ('valid', 'invalid', 'failed')",
		    DB_VALUES(db_text(reason), db_int((int64_t)target),
			db_int((int64_t)round), db_int((int64_t)block),
			db_int(boot),
			db_text(failure_name(FAILURE_UNEXPECTED_REBOOT))),
		    error);
		if (ran)
			*n = (size_t)sqlite3_changes(store->db);
		ok = db_commit(store, wanted, ran, error);
	}
	(void)pthread_mutex_unlock(&store->mutex);
	return ok;
}

int64_t
store_start(Store *store, int64_t visit, size_t index, int64_t pid,
    const char *version, const char *exe_sha256, int64_t ready_ms,
    GError **error)
{
	return db_insert(store, "a start of the server",
	    "INSERT INTO start (visit, position, pid, version, exe_sha256, "
	    "ready_ms, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
	    DB_VALUES(db_int(visit), db_int((int64_t)index), db_int(pid),
		db_text(version), db_text(exe_sha256), db_int(ready_ms),
		db_double(db_now())),
	    error);
}

static bool
add_run(Store *store, const StoreRun *run, const char *wanted, GError **error)
{
	return db_run(store, wanted,
	    "INSERT INTO run (visit, start, cell, load, number, warmup, good, "
	    "failure, reason, flag, began, wall_ms, cpu_ms, server_ms, "
	    "others_ms, stolen_ms, raw) "
	    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    DB_VALUES(db_int(run->visit), db_id(run->start),
		db_int((int64_t)run->cell), db_int((int64_t)run->load),
		db_int(run->number), db_int(run->warmup), db_int(run->good),
		db_text(failure_name(run->failure)), db_text(run->reason),
		db_text(run->flag), db_double(run->began), db_int(run->wall_ms),
		db_known(run->cpu_ms), db_known(run->server_ms),
		db_known(run->others_ms), db_known(run->stolen_ms),
		db_text(run->raw)),
	    error);
}

static bool
add_samples(Store *store, int64_t id, const StoreRun *run, const char *wanted,
    GError **error)
{
	for (size_t i = 0; i < run->n_samples; i++)
		if (!db_run(store, wanted,
			"INSERT INTO sample (run, metric, value) "
			"VALUES (?, ?, ?)",
			DB_VALUES(db_int(id), db_text(run->metrics[i]),
			    db_double(run->values[i])),
			error))
			return false;
	return true;
}

int64_t
store_run(Store *store, const StoreRun *run, GError **error)
{
	static const char wanted[] = "a run and its samples";
	int64_t id = 0;

	(void)pthread_mutex_lock(&store->mutex);
	if (db_begin(store, wanted, error)) {
		bool ok = add_run(store, run, wanted, error);
		const int64_t row = sqlite3_last_insert_rowid(store->db);
		ok = ok && add_samples(store, row, run, wanted, error);
		if (db_commit(store, wanted, ok, error))
			id = row;
	}
	(void)pthread_mutex_unlock(&store->mutex);
	return id;
}

bool
store_flag_visit(Store *store, int64_t visit, const char *flag, GError **error)
{
	return db_write(store, "a flag",
	    "UPDATE run SET flag = CASE WHEN flag IS NULL THEN ?2 "
	    "ELSE flag || '; ' || ?2 END "
	    "WHERE visit = ?1 AND (flag IS NULL OR instr(flag, ?2) = 0)",
	    DB_VALUES(db_int(visit), db_text(flag)), NULL, error);
}

static bool
add_proofs(Store *store, int64_t visit, bool after, const StoreProof *proofs,
    size_t n, const char *wanted, GError **error)
{
	for (size_t i = 0; i < n; i++) {
		const StoreProof *proof = &proofs[i];
		if (!db_run(store, wanted,
			"INSERT INTO proof (visit, after, what, about, "
			"wanted, seen, verdict, run) "
			"VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, 0))",
			DB_VALUES(db_int(visit), db_int(after),
			    db_text(proof->what), db_text(proof->about),
			    db_text(proof->wanted), db_text(proof->seen),
			    db_text(stored_verdict_name(proof->verdict)),
			    db_int(proof->run)),
			error))
			return false;
	}
	return true;
}

bool
store_proofs(Store *store, int64_t visit, bool after, const StoreProof *proofs,
    size_t n, GError **error)
{
	static const char wanted[] = "the proofs of a visit";

	(void)pthread_mutex_lock(&store->mutex);
	const bool ok = db_begin(store, wanted, error) &&
	    db_commit(store, wanted,
		add_proofs(store, visit, after, proofs, n, wanted, error),
		error);
	(void)pthread_mutex_unlock(&store->mutex);
	return ok;
}

static const char insert_event[] =
    "INSERT INTO event (at, target, kind, text) VALUES (?, ?, ?, ?)";

/* What it says now is no change of the host. */
static bool
goes_on(const char *key)
{
	static const char *const keys[] = { "time", "uptime_s", "load_average",
		"memory_available_kb", "swap_used_kb", "tmp_free_kb", "timers",
		"users", "maintenance", "boot_log", NULL };

	return g_strv_contains(keys, key) || g_str_has_prefix(key, "free_kb ");
}

/* An old value that is about to be replaced stays as an event. */
static bool
keep_old_fact(Store *store, const char *scope, int64_t id, const char *key,
    const char *value, GError **error)
{
	GError *failure = NULL;
	sqlite3_stmt *row = db_bind(store,
	    "SELECT value FROM fact WHERE scope = ? AND of = ? AND key = ?",
	    DB_VALUES(db_text(scope), db_int(id), db_text(key)), error);
	g_autofree char *old = NULL;

	if (row == NULL)
		return false;
	while (db_row(store, row, &failure)) {
		g_free(old);
		old = db_string(row, 0);
	}
	if (failure != NULL) {
		g_propagate_error(error, failure);
		return false;
	}
	if (old == NULL || g_str_equal(old, value) || goes_on(key))
		return true;
	g_autofree char *text =
	    g_strdup_printf("%s %" G_GINT64_FORMAT ": %s was %s, is %s", scope,
		id, key, old, value);
	return db_run(store, "an event", insert_event,
	    DB_VALUES(
		db_double(db_now()), db_id(0), db_text("fact"), db_text(text)),
	    error);
}

static bool
add_facts(Store *store, const char *scope, int64_t id, const char *const *keys,
    const char *const *values, size_t n, const char *wanted, GError **error)
{
	for (size_t i = 0; i < n; i++)
		if (!keep_old_fact(
			store, scope, id, keys[i], values[i], error) ||
		    !db_run(store, wanted,
			"INSERT INTO fact (scope, of, key, value, at) "
			"VALUES (?1, ?2, ?3, ?4, ?5) "
			"ON CONFLICT DO UPDATE SET value = ?4, at = ?5",
			DB_VALUES(db_text(scope), db_int(id), db_text(keys[i]),
			    db_text(values[i]), db_double(db_now())),
			error))
			return false;
	return true;
}

bool
store_facts(Store *store, const char *scope, int64_t id,
    const char *const *keys, const char *const *values, size_t n,
    GError **error)
{
	static const char wanted[] = "a fact";

	(void)pthread_mutex_lock(&store->mutex);
	const bool ok = db_begin(store, wanted, error) &&
	    db_commit(store, wanted,
		add_facts(store, scope, id, keys, values, n, wanted, error),
		error);
	(void)pthread_mutex_unlock(&store->mutex);
	return ok;
}

bool
store_fact(Store *store, const char *scope, int64_t id, const char *key,
    const char *value, GError **error)
{
	return store_facts(store, scope, id, &key, &value, 1, error);
}

bool
store_event(Store *store, size_t target, const char *kind, const char *text,
    GError **error)
{
	return db_write(store, "an event", insert_event,
	    DB_VALUES(db_double(db_now()),
		target == SIZE_MAX ? db_id(0) : db_int((int64_t)target),
		db_text(kind), db_text(text)),
	    NULL, error);
}

bool
store_rounds(Store *store, int rounds, const char *kind, const char *text,
    GError **error)
{
	static const char wanted[] = "the number of rounds";

	(void)pthread_mutex_lock(&store->mutex);
	bool ok = db_begin(store, wanted, error);
	if (ok) {
		ok = db_run(store, wanted, "UPDATE experiment SET rounds = ?",
			 DB_VALUES(db_int(rounds)), error) &&
		    db_run(store, wanted, insert_event,
			DB_VALUES(db_double(db_now()), db_id(0), db_text(kind),
			    db_text(text)),
			error);
		ok = db_commit(store, wanted, ok, error);
	}
	(void)pthread_mutex_unlock(&store->mutex);
	return ok;
}
