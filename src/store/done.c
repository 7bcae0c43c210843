#include "store/rows.h"

#include "store/db.h"

char *
store_visit_key(size_t target, size_t round, size_t block, size_t server)
{
	return g_strdup_printf("%zu/%zu/%zu/%zu", target, round, block, server);
}

GHashTable *
store_done(Store *store, GError **error)
{
	g_autoptr(GHashTable) done =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GError *failure = NULL;

	(void)pthread_mutex_lock(&store->mutex);
	sqlite3_stmt *row = db_bind(store,
	    "SELECT target, round, block, server FROM visit "
	    "WHERE " DB_VISIT_DONE,
	    NULL, 0, &failure);
	while (row != NULL && db_row(store, row, &failure))
		(void)g_hash_table_add(done,
		    store_visit_key(row_count(row, 0), row_count(row, 1),
			row_count(row, 2), row_count(row, 3)));
	(void)pthread_mutex_unlock(&store->mutex);
	if (failure != NULL) {
		g_propagate_error(error, failure);
		return NULL;
	}
	return g_steal_pointer(&done);
}
