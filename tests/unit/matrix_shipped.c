#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "matrix/matrix.h"

/*
 * What stands in matrices/, and what this version must say it cannot carry out
 * yet: NULL = nothing, all can be run; "" = whatever it says.
 */
static const struct {
	const char *file;
	size_t factors;
	size_t levels; /* of all factors */
	size_t loads;
	FactorClass dearest;
	const char *not_yet; /* part of what is said; NULL: it can be run */
} shipped[] = {
	{ "compile.cfg", 2, 6, 1, CLASS_SERVER, NULL },
	{ "demo.cfg", 2, 4, 2, CLASS_SERVER, NULL },
	{ "htt.cfg", 2, 6, 1, CLASS_BOOT, NULL },
	{ "libpthread-vs-libthread.cfg", 1, 2, 1, CLASS_SERVER, NULL },
	{ "malloc-sweep.cfg", 3, 8, 2, CLASS_SERVER, NULL },
	{ "sys-time-patch.cfg", 1, 2, 1, CLASS_BOOT, NULL },
	{ "ule-vs-4bsd.cfg", 2, 4, 2, CLASS_BOOT, NULL },
	{ "yieldloops.cfg", 1, 3, 1, CLASS_SERVER, NULL },
};

static Matrix *
load(const char *file)
{
	g_autofree char *path = g_build_filename("matrices", file, NULL);
	g_autoptr(GError) error = NULL;
	Matrix *matrix = matrix_load(path, &error);

	if (matrix == NULL)
		fail_msg("%s", error->message);
	return matrix;
}

static void
every_shipped_matrix_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(shipped); i++) {
		g_autoptr(Matrix) matrix = load(shipped[i].file);
		size_t levels = 0;
		FactorClass dearest = CLASS_LOAD;

		assert_int_equal(matrix->factors->len, shipped[i].factors);
		for (guint j = 0; j < matrix->factors->len; j++) {
			const Factor *factor =
			    g_ptr_array_index(matrix->factors, j);
			levels += factor->levels->len;
			dearest = MAX(dearest, factor->class);
		}
		assert_int_equal(levels, shipped[i].levels);
		assert_int_equal(matrix->loads->len, shipped[i].loads);
		assert_int_equal(dearest, shipped[i].dearest);
		assert_true(strlen(matrix->title) > 10);
	}
}

static void
what_cannot_be_run_yet_says_so(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(shipped); i++) {
		g_autoptr(Matrix) matrix = load(shipped[i].file);
		g_autofree char *not_yet = matrix_not_yet(matrix);

		if (shipped[i].not_yet == NULL && not_yet != NULL)
			fail_msg("%s: %s", shipped[i].file, not_yet);
		if (shipped[i].not_yet != NULL &&
		    (not_yet == NULL ||
			strstr(not_yet, shipped[i].not_yet) == NULL))
			fail_msg("%s: \"%s\" does not say %s", shipped[i].file,
			    not_yet == NULL ? "" : not_yet, shipped[i].not_yet);
	}
}

static void
none_is_forgotten(void **state)
{
	g_autoptr(GDir) dir = g_dir_open("matrices", 0, NULL);
	const char *file = NULL;
	size_t n = 0;

	(void)state;
	assert_non_null(dir);
	while ((file = g_dir_read_name(dir)) != NULL)
		n += g_str_has_suffix(file, ".cfg") ? 1 : 0;
	assert_int_equal(n, G_N_ELEMENTS(shipped));
}

static void
the_demo_is_what_the_issue_says(void **state)
{
	g_autoptr(Matrix) matrix = load("demo.cfg");
	const Load *reads = g_ptr_array_index(matrix->loads, 0);
	const Load *updates = g_ptr_array_index(matrix->loads, 1);

	(void)state;
	assert_string_equal(reads->name, "select-key");
	assert_string_equal(updates->name, "update-select");
	assert_false(reads->writes);
	assert_true(updates->writes);
	assert_int_equal(updates->reset, RESET_RUN);
	assert_string_equal(reads->primary, "qps");
	assert_int_equal(matrix->design.rounds, 3);
	assert_int_equal(matrix->design.runs, 1);
	assert_int_equal(matrix->design.warmup_ms, 1000);
	assert_int_equal(matrix->server.kind, SERVER_COMMAND);
	assert_true(strlen(matrix->server.socket) < 107);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shipped_matrix_is_read),
		cmocka_unit_test(what_cannot_be_run_yet_says_so),
		cmocka_unit_test(none_is_forgotten),
		cmocka_unit_test(the_demo_is_what_the_issue_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
