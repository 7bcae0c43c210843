/*
 * Stores written and read again, for tests of records.
 */
#ifndef TESTS_STORE_READING_H
#define TESTS_STORE_READING_H

#include <glib.h>

#include "store/store.h"

static inline StoreData *
read_store(Store *store)
{
	GError *error = NULL;
	StoreData *data = store_read(store, &error);

	if (error != NULL)
		fail_msg("%s", error->message);
	return data;
}

/* What another program would find: closed, opened again and read. */
static inline StoreData *
read_again(Store *store)
{
	g_autofree char *directory = g_strdup(store_directory(store));

	store_close(store);
	g_autoptr(Store) again = store_open(directory, true, NULL);
	assert_non_null(again);
	return read_store(again);
}

static inline int64_t
begin_visit(Store *store, int64_t boot)
{
	GError *error = NULL;
	const int64_t visit =
	    store_visit_begin(store, 1, 2, 3, 1, boot, 2, &error);

	if (error != NULL)
		fail_msg("%s", error->message);
	assert_true(visit > 0);
	return visit;
}

#endif
