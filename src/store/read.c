#include "store/rows.h"

#include "store/db.h"

int64_t
row_number(sqlite3_stmt *row, int column)
{
	return sqlite3_column_int64(row, column);
}

size_t
row_count(sqlite3_stmt *row, int column)
{
	return (size_t)sqlite3_column_int64(row, column);
}

/* The enum value of a word that one of n names is; 0 if none is. */
int
row_enum(sqlite3_stmt *row, int column, int n, const char *(*name)(int))
{
	const char *word = (const char *)sqlite3_column_text(row, column);

	for (int i = 0; i < n; i++)
		if (g_strcmp0(word, name(i)) == 0)
			return i;
	return 0;
}

gpointer
row_item(const GPtrArray *items, sqlite3_stmt *row, int column)
{
	const int64_t index = sqlite3_column_int64(row, column);

	return index >= 0 && index < items->len ? items->pdata[index] : NULL;
}

static bool
read_rows(
    Store *store, const RowReader *readers, StoreData *data, GError **error)
{
	for (const RowReader *reader = readers; reader->sql != NULL; reader++) {
		GError *failure = NULL;
		sqlite3_stmt *row =
		    db_bind(store, reader->sql, NULL, 0, &failure);
		while (row != NULL && db_row(store, row, &failure))
			reader->add(data, row);
		if (failure != NULL) {
			g_propagate_error(error, failure);
			return false;
		}
	}
	return true;
}

/* One transaction: a reader beside the writer sees one moment. */
static bool
read_all(Store *store, StoreData *data, GError **error)
{
	if (!db_read_begin(store, error))
		return false;
	const bool ok = read_rows(store, rows_plan, data, error) &&
	    read_rows(store, rows_night, data, error);
	db_read_end(store);
	return ok;
}

StoreData *
store_read(Store *store, GError **error)
{
	g_autoptr(StoreData) data = store_data_new();

	data->directory = g_strdup(store->directory);
	(void)pthread_mutex_lock(&store->mutex);
	const bool ok = read_all(store, data, error);
	(void)pthread_mutex_unlock(&store->mutex);
	return ok ? g_steal_pointer(&data) : NULL;
}
