#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "matrix/matrix.h"
#include "matrix_data.h"

/* What a level does not set must be proved absent: each subject once. */
static void
subjects_are_all_that_any_level_sets(void **state)
{
	g_autoptr(Matrix) matrix = load("full.cfg");
	g_autoptr(GPtrArray) subjects = matrix_subjects(matrix);

	(void)state;
	assert_int_equal(subjects->len, 1 + 20);
	for (guint i = 0; i < subjects->len; i++)
		for (guint j = 0; j < i; j++)
			assert_false(
			    setting_same_subject(g_ptr_array_index(subjects, i),
				g_ptr_array_index(subjects, j)));
}

static void
files_are_found_beside_the_matrix_and_hashed(void **state)
{
	g_autoptr(Matrix) matrix = load("ule-vs-4bsd.cfg");
	static const char *const wanted[][2] = {
		{ "matrix", "tests/data/matrix/ule-vs-4bsd.cfg" },
		{ "os program", "tests/data/matrix/hooks/os/freebsd.sh" },
		{ "os program", "hooks/os/freebsd-boot.sh" },
		{ "os program", "hooks/os/common.sh" },
		{ "load definition",
		    "tests/data/matrix/hooks/load/super-smack.cfg" },
		{ "script", "tests/data/matrix/select-key.smack" },
	};

	(void)state;
	assert_int_equal(matrix->files->len, G_N_ELEMENTS(wanted));
	for (guint i = 0; i < matrix->files->len; i++) {
		const MatrixFile *file = g_ptr_array_index(matrix->files, i);
		assert_string_equal(file->role, wanted[i][0]);
		assert_string_equal(file->path, wanted[i][1]);
		assert_int_equal(strlen(file->sha256), 64);
	}
	const MatrixFile *script = g_ptr_array_index(matrix->files, 5);
	/* printf 'the script of a test\n' | sha256sum */
	assert_string_equal(script->sha256,
	    "16f52efb1e5914125c28419c1ecf5627583bb1fe2ce9717943cb82873357c528");
}

static void
what_cannot_be_run_yet_is_named(void **state)
{
	g_autoptr(Matrix) full = load("full.cfg");
	g_autoptr(Matrix) ule = load("ule-vs-4bsd.cfg");
	g_autoptr(Matrix) demo =
	    parse("targets = ( { name = \"a\"; os = \"linux\"; },"
		  " { name = \"b\"; os = \"linux\"; } );"
		  "factors: { preload = [ \"default\", \"jemalloc\" ];"
		  " threads = [ 1, 4 ]; thp = [ \"always\", \"never\" ]; };"
		  "server: { command = \"mysqld\"; };"
		  "loads = ( { use = \"sysbench\"; test = "
		  "\"oltp_update_index\"; reset = \"never\"; } );"
		  "design: { aa = true; boot = \"lazy\"; };");
	g_autofree char *of_full = matrix_not_yet(full);
	g_autofree char *of_ule = matrix_not_yet(ule);

	(void)state;
	assert_null(matrix_not_yet(demo));
	assert_null(of_ule);
	assert_string_equal(of_full,
	    "not yet: setting smt (line 26)\n"
	    "not yet: setting governor (line 26)\n"
	    "not yet: setting turbo (line 27)\n"
	    "not yet: setting file (line 27)\n"
	    "not yet: design.share");
}

/* It can be planned without, and run only where they are. */
static void
what_is_not_on_this_machine_is_named(void **state)
{
	g_autoptr(Matrix) lacking = parse(
	    "targets = ( { name = \"a\"; os = \"linux\"; power = \"crane 7\"; "
	    "} );"
	    "factors: { thp = [ \"always\", \"never\" ]; };"
	    "server: { command = \"mysqld\"; };"
	    "notify = [ \"pigeon\" ]; visit = [ \"settle 5\" ];"
	    "loads = ( { use = \"super-smack\"; smack = \"gone.smack\"; "
	    "clients = 1; rounds = 1;"
	    " reset = \"never\"; }, { use = \"super-smack\"; name = \"own\";"
	    " smack = \"/on/the/host.smack\"; clients = 1; rounds = 1; reset = "
	    "\"never\"; } );");
	g_autofree char *missing = matrix_missing(lacking);
	g_auto(GStrv) lines = g_strsplit(missing, "\n", -1);

	(void)state;
	assert_int_equal(g_strv_length(lines), 5);
	assert_non_null(strstr(lines[0],
	    "missing: power = \"crane 7\": no such program, looked for "));
	assert_non_null(strstr(lines[0], "hooks/power/crane"));
	assert_non_null(strstr(lines[1], "missing: visit = \"settle 5\": "));
	assert_non_null(strstr(lines[2], "missing: notify = \"pigeon\": "));
	assert_non_null(strstr(lines[3],
	    "missing: load gone, smack = \"gone.smack\": no such "
	    "script, looked for "));
	g_autoptr(Matrix) whole =
	    parse("targets = ( { name = \"a\"; os = \"linux\"; } );"
		  "factors: { thp = [ \"always\", \"never\" ]; };"
		  "loads = ( { use = \"command\"; command = \"make\"; } );"
		  "notify = [ \"mail root\" ];");
	assert_null(matrix_missing(whole));
}

static void
every_word_of_the_language_is_listed_once(void **state)
{
	g_autoptr(GPtrArray) words = matrix_words();

	(void)state;
	assert_true(words->len > 80);
	for (guint i = 1; i < words->len; i++)
		assert_true(strcmp(g_ptr_array_index(words, i - 1),
				g_ptr_array_index(words, i)) < 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(subjects_are_all_that_any_level_sets),
		cmocka_unit_test(files_are_found_beside_the_matrix_and_hashed),
		cmocka_unit_test(what_cannot_be_run_yet_is_named),
		cmocka_unit_test(what_is_not_on_this_machine_is_named),
		cmocka_unit_test(every_word_of_the_language_is_listed_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
