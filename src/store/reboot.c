#include "store/store.h"

#include "store/db.h"

int64_t
store_reboot_begin(Store *store, size_t target, size_t round, size_t block,
    const char *wanted, GError **error)
{
	return db_insert(store, "a reboot",
	    "INSERT INTO reboot (target, round, block, wanted, asked) "
	    "VALUES (?, ?, ?, ?, ?)",
	    DB_VALUES(db_int((int64_t)target), db_int((int64_t)round),
		db_int((int64_t)block), db_text(wanted), db_double(db_now())),
	    error);
}

bool
store_reboot_end(Store *store, int64_t reboot, int64_t boot, int64_t took_ms,
    Failure failure, const char *reason, GError **error)
{
	return db_write(store, "the end of a reboot",
	    "UPDATE reboot SET boot = ?, took_ms = ?, failure = ?, reason = ? "
	    "WHERE id = ?",
	    DB_VALUES(db_id(boot), db_int(took_ms),
		db_text(failure_name(failure)), db_text(reason),
		db_int(reboot)),
	    NULL, error);
}

bool
store_reboots(Store *store, size_t target, size_t round, size_t block,
    int64_t boot, const char *wanted, StoreReboots *reboots, GError **error)
{
	GError *failure = NULL;

	*reboots = (StoreReboots){ 0 };
	(void)pthread_mutex_lock(&store->mutex);
	sqlite3_stmt *row = db_bind(store,
	    "SELECT coalesce(max(took_ms) FILTER (WHERE failure IS NULL), 0), "
	    "count(*) FILTER (WHERE failure IS NOT NULL AND round = ?2 AND "
	    "block = ?3), "
	    "count(*) FILTER (WHERE failure IS NULL AND boot = ?4 AND "
	    "round = ?2 AND block = ?3), "
	    "count(*) FILTER (WHERE failure IS NULL AND boot = ?4 AND "
	    "wanted = ?5), "
	    "(SELECT failure FROM reboot WHERE target = ?1 AND round = ?2 AND "
	    "block = ?3 AND failure IS NOT NULL ORDER BY id DESC LIMIT 1) "
	    "FROM reboot WHERE target = ?1",
	    DB_VALUES(db_int((int64_t)target), db_int((int64_t)round),
		db_int((int64_t)block), db_int(boot), db_text(wanted)),
	    &failure);
	while (row != NULL && db_row(store, row, &failure)) {
		g_autofree char *last = db_copy(row, 4);
		*reboots = (StoreReboots){
			.longest_ms = sqlite3_column_int64(row, 0),
			.failed = (size_t)sqlite3_column_int64(row, 1),
			.serves = sqlite3_column_int64(row, 2) > 0,
			.same = sqlite3_column_int64(row, 3) > 0,
			.failure = failure_named(last),
		};
	}
	(void)pthread_mutex_unlock(&store->mutex);
	if (failure == NULL)
		return true;
	g_propagate_error(error, failure);
	return false;
}
