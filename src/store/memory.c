#include "store/db.h"

#include "base/error.h"

/* A copy of the database in memory, or NULL. */
static sqlite3 *
copy(sqlite3 *from, int *code)
{
	sqlite3 *db = NULL;

	*code = sqlite3_open(":memory:", &db);
	sqlite3_backup *backup = *code != SQLITE_OK
	    ? NULL
	    : sqlite3_backup_init(db, "main", from, "main");
	if (backup != NULL) {
		(void)sqlite3_backup_step(backup, -1);
		*code = sqlite3_backup_finish(backup);
	} else if (*code == SQLITE_OK)
		*code = sqlite3_errcode(db);
	if (*code == SQLITE_OK)
		return db;
	(void)sqlite3_close(db);
	return NULL;
}

bool
store_go_on_in_memory(Store *store, GError **error)
{
	int code = SQLITE_OK;

	(void)pthread_mutex_lock(&store->mutex);
	if (store->file == NULL) {
		sqlite3 *memory = copy(store->db, &code);
		if (memory != NULL) {
			g_hash_table_remove_all(store->statements);
			store->file = store->db;
			store->db = memory;
			g_clear_pointer(&store->broken, g_free);
		}
	}
	(void)pthread_mutex_unlock(&store->mutex);
	if (code == SQLITE_OK)
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
	    "cannot copy %s to memory: %s", store->path, sqlite3_errstr(code));
	return false;
}
