#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "../lib/store_dir.h"
#include "base/error.h"
#include "store/store.h"

/* What an event is refused for; free it. */
static char *
refusal(Store *store)
{
	g_autoptr(GError) error = NULL;

	assert_false(store_event(store, 0, "late", "", &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_STORE));
	return g_strdup(error->message);
}

static void
ends_with(const char *text, const char *end)
{
	if (!g_str_has_suffix(text, end))
		fail_msg("\"%s\" does not end with \"%s\"", text, end);
}

static void
nothing_is_stored_in_a_file_that_was_removed(void **state)
{
	g_autoptr(Store) store = create_store(state);
	g_autofree char *path =
	    g_build_filename(store_directory(store), "run.db", NULL);

	assert_true(store_event(store, 0, "early", "", NULL));
	assert_int_equal(unlink(path), 0);
	g_autofree char *reason = refusal(store);
	ends_with(reason, "run.db: it was moved, removed or replaced");
}

static void
nor_in_one_that_was_replaced(void **state)
{
	g_autoptr(Store) store = create_store(state);
	g_autofree char *path =
	    g_build_filename(store_directory(store), "run.db", NULL);
	g_autofree char *aside = g_strconcat(path, ".aside", NULL);

	assert_int_equal(rename(path, aside), 0);
	assert_true(g_file_set_contents(path, "other", -1, NULL));
	g_autofree char *reason = refusal(store);
	ends_with(reason, "run.db: it was moved, removed or replaced");
	/* For good: what was not stored in between would be missed. */
	assert_int_equal(rename(aside, path), 0);
	g_autofree char *later = refusal(store);
	ends_with(later, "replaced; nothing is stored since then");
}

static void
nor_where_the_run_directory_was_moved(void **state)
{
	g_autoptr(Store) store = create_store(state);
	g_autofree char *aside =
	    g_strconcat(store_directory(store), "-aside", NULL);

	assert_int_equal(rename(store_directory(store), aside), 0);
	g_autofree char *reason = refusal(store);
	ends_with(reason, "run.db: it was moved, removed or replaced");
}

static void
a_database_that_is_no_file_is_told(void **state)
{
	Store *store = create_store(state);
	g_autofree char *directory = g_strdup(store_directory(store));
	g_autofree char *path = g_build_filename(directory, "run.db", NULL);
	g_autoptr(GError) error = NULL;

	store_close(store);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_null(store_open(directory, true, &error));
	assert_true(g_error_matches(error, ABRUN_ERROR, ABRUN_ERROR_STORE));
	ends_with(error->message, "run.db: it is not a regular file");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_parent(nothing_is_stored_in_a_file_that_was_removed),
		with_parent(nor_in_one_that_was_replaced),
		with_parent(nor_where_the_run_directory_was_moved),
		with_parent(a_database_that_is_no_file_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
