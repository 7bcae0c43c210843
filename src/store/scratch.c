#include "store/directory.h"

#include "base/error.h"

/* Nothing else is in it, so there is nothing for rows to refer to. */
Store *
store_scratch(GError **error)
{
	g_autoptr(Store) store = store_new("(memory)", -1, false);
	int code = sqlite3_open(":memory:", &store->db);

	if (code == SQLITE_OK)
		code = sqlite3_exec(store->db, store_schema, NULL, NULL, NULL);
	if (code == SQLITE_OK)
		code = sqlite3_exec(
		    store->db, "PRAGMA foreign_keys = OFF", NULL, NULL, NULL);
	if (code == SQLITE_OK)
		return g_steal_pointer(&store);
	g_autofree char *reason = db_reason(store->db, code);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_STORE,
	    "cannot make a database in memory: %s", reason);
	return NULL;
}
