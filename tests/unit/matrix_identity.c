/*
 * The identity of a run: what it must follow, and what it must not (DESIGN,
 * "Identity").
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glib/gstdio.h>

#include "base/file.h"
#include "matrix/matrix.h"

static const char plain[] =
    "title = \"t\";\n"
    "hosts = ( { name = \"gen1\"; ssh = \"x\"; os = \"linux\"; } );\n"
    "targets = ( { name = \"lab1\"; ssh = \"root@lab1\"; os = \"linux\";"
    " key = \"k\"; known_hosts = \"n\"; ssh_config = \"c\"; power = \"p\";"
    " path = \"/bin\"; client = \"gen1\"; sudo = false; } );\n"
    "factors: { preload = [ \"default\", \"jemalloc\" ];\n"
    " f = ( { name = \"a\"; }, { name = \"b\"; sysctl = [ \"vm.x=1\" ];"
    " apply = \"do\"; undo = \"un\"; verify = \"ver\";"
    " expect = [ \"e=1\" ]; } );\n"
    " clients = [ 1, 4 ]; };\n"
    "server: { command = \"mysqld\"; port = 3306; user = \"u\"; };\n"
    "loads = ( { use = \"super-smack\"; smack = \"select-key.smack\";"
    " rounds = 10; timeout = \"5min\"; } );\n"
    "monitors = ( { name = \"v\"; command = \"vmstat 1\"; } );\n"
    "notify = [ \"mail x\" ];\n"
    "design: { rounds = 5; runs = 2; warmup = 1; margin = \"1%\";"
    " order = \"random\"; boot = \"block\"; restart = \"visit\";"
    " baseline: { clients = 1; };"
    " exclude = ( { clients = 4; f = \"b\"; } );"
    " share = false; others = \"10%\"; };\n";

static char *
identity_at(const char *text, const char *path)
{
	GError *error = NULL;
	g_autoptr(Matrix) matrix =
	    matrix_parse(text, strlen(text), path, &error);

	if (matrix == NULL)
		fail_msg("%s\n%s", text, error->message);
	return matrix_identity_text(matrix);
}

static char *
identity(const char *text)
{
	return identity_at(text, "tests/data/matrix/t.cfg");
}

/* The text with one passage changed, which must occur. */
static char *
changed(const char *text, const char *from, const char *to)
{
	GString *copy = g_string_new(text);

	assert_int_equal(g_string_replace(copy, from, to, 1), 1);
	return g_string_free(copy, FALSE);
}

static void
compare(const char *from, const char *to, bool same)
{
	g_autofree char *text = changed(plain, from, to);
	g_autofree char *before = identity(plain);
	g_autofree char *after = identity(text);

	if ((strcmp(before, after) == 0) != same)
		fail_msg("%s -> %s: must %s", from, to,
		    same ? "not matter" : "matter");
}

static void
how_much_and_how_to_log_in_do_not_matter(void **state)
{
	(void)state;
	compare("title = \"t\"", "title = \"u\"", true);
	compare("ssh = \"root@lab1\"", "ssh = \"root@10.0.0.1:22\"", true);
	compare("key = \"k\"", "key = \"l\"", true);
	compare("known_hosts = \"n\"", "known_hosts = \"m\"", true);
	compare("ssh_config = \"c\"", "ssh_config = \"d\"", true);
	compare("power = \"p\"", "power = \"q\"", true);
	compare("notify = [ \"mail x\" ];", "", true);
	compare("rounds = 5", "rounds = 6", true);
	compare("margin = \"1%\"", "margin = \"2%\"", true);
	compare(
	    "baseline: { clients = 1; }", "baseline: { clients = 4; }", true);
	compare("others = \"10%\";",
	    "others = \"10%\"; stop: { until = \"07:00\"; };", true);
	compare("others = \"10%\";",
	    "others = \"10%\"; contrasts = ( { of: { f = \"b\"; }; "
	    "against: { f = \"a\"; }; } );",
	    true);
	/* Nor how it is written. */
	compare("title = \"t\";\n", "title: \"t\" # words\n\n", true);
	compare(
	    "design: { rounds = 5; runs = 2;", "design: { rounds = 5;", true);
}

static void
E74_whatever_changes_the_night_matters(void **state)
{
	static const char *const changes[][2] = {
		{ "name = \"lab1\"", "name = \"lab2\"" },
		{ "path = \"/bin\"", "path = \"/sbin\"" },
		{ "client = \"gen1\"", "client = \"target\"" },
		{ "client = \"gen1\"", "client = \"gen1\"; address = \"x\"" },
		{ "sudo = false", "sudo = true" },
		{ "\"jemalloc\"", "\"tcmalloc\"" },
		{ "name = \"b\"; sysctl", "name = \"b\"; sysfs" },
		{ "vm.x=1", "vm.x=2" },
		{ "apply = \"do\"", "apply = \"done\"" },
		{ "undo = \"un\"", "undo = \"unx\"" },
		{ "verify = \"ver\"", "verify = \"very\"" },
		{ "e=1", "e=2" },
		{ "[ 1, 4 ]", "[ 1, 4, 8 ]" },
		{ "[ 1, 4 ]", "[ 4, 1 ]" },
		{ "\"mysqld\"", "\"mariadbd\"" },
		{ "port = 3306", "port = 3307" },
		{ "user = \"u\"", "user = \"v\"" },
		{ "rounds = 10", "rounds = 11" },
		{ "rounds = 10", "name = \"n\"; rounds = 10" },
		{ "timeout = \"5min\"", "timeout = \"6min\"" },
		{ "timeout = \"5min\"", "prepare = \"x\"" },
		{ "timeout = \"5min\"", "reset = \"start\"" },
		{ "timeout = \"5min\"", "tables = [ \"t\" ]" },
		{ "timeout = \"5min\"", "primary = \"wall\"" },
		{ "timeout = \"5min\"", "metrics = [ \"q_per_s\" ]" },
		{ "vmstat 1", "vmstat 2" },
		{ "runs = 2", "runs = 3" },
		{ "warmup = 1", "warmup = 0" },
		{ "order = \"random\"", "order = \"listed\"" },
		{ "boot = \"block\"", "boot = \"lazy\"" },
		{ "restart = \"visit\"", "restart = \"cell\"" },
		{ "share = false", "share = true" },
		{ "share = false", "aa = true" },
		{ "share = false", "seed = 1" },
		{ "clients = 4; f = \"b\"", "clients = 4" },
		{ "share = false", "include = ( { clients = 4; } )" },
		{ "others = \"10%\"", "others = \"11%\"" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(changes); i++)
		compare(changes[i][0], changes[i][1], false);
}

/* Cells that are taken from the baseline follow it. */
static void
the_baseline_matters_where_cells_are_taken_from_it(void **state)
{
	static const char *const ways[] = { "aa = true;",
		"include = ( { f = \"b\"; } );" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
		g_autofree char *text =
		    changed(plain, "share = false;", ways[i]);
		g_autofree char *other =
		    changed(text, "{ clients = 1; }", "{ clients = 4; }");
		g_autofree char *before = identity(text);
		g_autofree char *after = identity(other);
		assert_string_not_equal(before, after);
	}
}

static void
copy_file(const char *from, const char *directory, const char *to)
{
	size_t length = 0;
	g_autofree char *path = g_build_filename(directory, to, NULL);
	g_autofree char *above = g_path_get_dirname(path);
	g_autofree char *data = file_read(from, 1 << 20, &length, NULL);

	assert_non_null(data);
	assert_int_equal(g_mkdir_with_parents(above, 0700), 0);
	assert_true(file_write(path, data, length, 0600, NULL));
}

static void
remove_file(const char *directory, const char *name)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);

	assert_int_equal(g_remove(path), 0);
}

/* A copy of the lab's files elsewhere is the same; a changed script is not. */
static void
files_matter_by_what_they_hold_and_not_by_where_they_lie(void **state)
{
	static const char *const files[] = { "hooks/load/super-smack.cfg",
		"hooks/os/linux.sh", "select-key.smack" };
	g_autofree char *top = g_dir_make_tmp("abrun-identity-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(top, "t.cfg", NULL);
	g_autofree char *script =
	    g_build_filename(top, "select-key.smack", NULL);

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *from =
		    g_build_filename("tests/data/matrix", files[i], NULL);
		copy_file(from, top, files[i]);
	}
	g_autofree char *text = changed(
	    plain, "user = \"u\"", "user = \"u\"; option_file = \"my.cnf\"");
	g_autofree char *here = identity(text);
	g_autofree char *there = identity_at(text, path);
	assert_string_equal(here, there);
	assert_true(file_write(script, "other", 5, 0600, NULL));
	g_autofree char *after = identity_at(text, path);
	assert_string_not_equal(here, after);
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++)
		remove_file(top, files[i]);
	remove_file(top, "hooks/load");
	remove_file(top, "hooks/os");
	remove_file(top, "hooks");
	assert_int_equal(g_remove(top), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(how_much_and_how_to_log_in_do_not_matter),
		cmocka_unit_test(E74_whatever_changes_the_night_matters),
		cmocka_unit_test(
		    the_baseline_matters_where_cells_are_taken_from_it),
		cmocka_unit_test(
		    files_matter_by_what_they_hold_and_not_by_where_they_lie),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
