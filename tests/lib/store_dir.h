/*
 * A private directory for the stores of one test, removed with all in it.
 * Include it in one file of a program, after cmocka.h.
 */
#ifndef TESTS_STORE_DIR_H
#define TESTS_STORE_DIR_H

#include <unistd.h>

#include <glib.h>
#include <glib/gstdio.h>

#include "store/store.h"
#include "store_plan.h"

static inline void
remove_tree(const char *path)
{
	GDir *directory = g_dir_open(path, 0, NULL);
	const char *name;

	while (
	    directory != NULL && (name = g_dir_read_name(directory)) != NULL) {
		char *child = g_build_filename(path, name, NULL);
		if (g_file_test(child, G_FILE_TEST_IS_DIR) &&
		    !g_file_test(child, G_FILE_TEST_IS_SYMLINK))
			remove_tree(child);
		else
			(void)g_unlink(child);
		g_free(child);
	}
	if (directory != NULL)
		g_dir_close(directory);
	(void)g_rmdir(path);
}

static inline int
make_parent(void **state)
{
	*state = g_dir_make_tmp("abrun-store-XXXXXX", NULL);
	return *state == NULL;
}

static inline int
remove_parent(void **state)
{
	remove_tree(*state);
	g_free(*state);
	return 0;
}

/* A new store below the directory; the test fails where it cannot be made. */
static inline Store *
create_store(void **state)
{
	GError *error = NULL;
	Store *store = store_create(*state, small_plan(), "0.1.0", &error);

	if (error != NULL)
		fail_msg("%s", error->message);
	return store;
}

#define with_parent(test)                                                      \
	cmocka_unit_test_setup_teardown(test, make_parent, remove_parent)

#endif
