#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan_matrix.h"

/* Whole plans are compared in tests/golden/plan.t; here are the rules. */

static char *
write_plan(const Matrix *matrix)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Plan) plan = plan_new(matrix, &error);

	if (plan == NULL)
		fail_msg("no plan: %s", error->message);
	return plan_text(plan);
}

static void
assert_says(const Matrix *matrix, const char *wanted)
{
	g_autofree char *text = write_plan(matrix);

	if (strstr(text, wanted) == NULL)
		fail_msg("\"%s\" is not in:\n%s", wanted, text);
}

/* The same where lines may break anywhere. */
static void
assert_says_words(const Matrix *matrix, const char *wanted)
{
	g_autofree char *text = write_plan(matrix);
	g_auto(GStrv) words = g_strsplit_set(text, " \n", -1);
	g_autoptr(GString) joined = g_string_new(NULL);

	for (size_t i = 0; words[i] != NULL; i++)
		if (*words[i] != '\0')
			g_string_append_printf(joined, "%s ", words[i]);
	if (strstr(joined->str, wanted) == NULL)
		fail_msg("\"%s\" is not in:\n%s", wanted, text);
}

static void
assert_does_not_say(const Matrix *matrix, const char *unwanted)
{
	g_autofree char *text = write_plan(matrix);

	if (strstr(text, unwanted) != NULL)
		fail_msg("\"%s\" is in:\n%s", unwanted, text);
}

static size_t
count_lines(const char *text)
{
	size_t n = 0;

	for (const char *c = text; *c != '\0'; c++)
		n += *c == '\n';
	return n;
}

static void
lines_fit_a_terminal(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	hand_factor(matrix, "clients", CLASS_LOAD, "1,4,16,64,256");
	hand_load(matrix, "insert", true, "clients");
	hand_factor(matrix, "m", CLASS_SERVER, "libc,jemalloc");
	matrix->design.aa = true;
	g_autofree char *text = write_plan(matrix);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	(void)state;
	for (size_t i = 0; lines[i] != NULL; i++) {
		if (g_utf8_strlen(lines[i], -1) > 79)
			fail_msg("too long: %s", lines[i]);
		if (g_str_has_suffix(lines[i], " "))
			fail_msg("ends with a blank: \"%s\"", lines[i]);
	}
}

static void
each_round_is_there(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();

	(void)state;
	assert_says(matrix, "\n  round 1\n    reboot: kernel=4BSD\n");
	assert_says(matrix, "\n  round 5\n");
	assert_does_not_say(matrix, "round 6");
	assert_says(matrix, "\n      libthr / 30           select; update\n");
}

static void
long_names_do_not_touch_what_follows(void **state)
{
	(void)state;
	for (int n = 17; n <= 40; n++) {
		g_autoptr(Matrix) matrix = hand_matrix();
		g_autofree char *name = g_strnfill((gsize)n, 'x');
		g_autofree char *levels = g_strdup_printf("%s,b", name);
		g_autofree char *glued = g_strdup_printf("%snothing", name);
		g_autofree char *load = g_strdup_printf("%sbench", name);
		g_autofree char *visit = g_strdup_printf("%s%s", name, name);
		hand_factor(matrix, "malloc", CLASS_SERVER, levels);
		hand_load(matrix, name, false, NULL);
		assert_does_not_say(matrix, glued);
		assert_does_not_say(matrix, load);
		assert_does_not_say(matrix, visit);
	}
}

/* What nobody would read is summed up, and made no longer than shown. */
static void
a_huge_plan_is_short(void **state)
{
	static const FactorClass classes[] = { CLASS_BOOT, CLASS_SERVER,
		CLASS_LOAD };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(classes); i++) {
		g_autoptr(Matrix) matrix = hand_matrix();
		for (int f = 0; f < 4; f++) {
			g_autofree char *name = g_strdup_printf("f%d", f);
			hand_factor(
			    matrix, name, classes[i], "0,1,2,3,4,5,6,7,8,9");
		}
		hand_load(matrix, "select", false, "f0,f1,f2,f3");
		matrix->design.rounds = 100;
		g_autofree char *text = write_plan(matrix);
		assert_true(count_lines(text) < 600);
		assert_non_null(strstr(text, "... and 9900 more\n"));
	}
}

static void
many_small_rounds_end_with_a_note(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	matrix->design.rounds = 40;

	(void)state;
	assert_says(matrix,
	    "\n  rounds 11 to 40: the same visits, each round in an order of "
	    "its own\n");
	assert_does_not_say(matrix, "\n  round 11\n");
}

static void
reboots_that_are_not_needed_are_told(void **state)
{
	g_autoptr(Matrix) lazy = hand_post();
	lazy->design.boot = BOOT_LAZY;

	(void)state;
	assert_says(lazy, "  round 2\n    no reboot: kernel=ULE\n");
	g_autoptr(Matrix) none = hand_matrix();
	hand_factor(none, "malloc", CLASS_SERVER, "libc,jemalloc");
	hand_load(none, "select", false, NULL);
	assert_says_words(none, "On lab1: no reboot, 10 starts of the server");
	assert_says(none, "no setting needs a reboot");
	none->design.boot = BOOT_ROUND;
	assert_says(none, "  round 2\n    reboot\n      ");
}

static void
restarts_in_a_visit_are_marked(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	matrix->design.restart = RESTART_LOAD;

	(void)state;
	assert_says(matrix, "; | is a fresh start of the server\n");
	assert_says(matrix, "  select | update\n");
}

static void
a_length_that_is_not_known_is_told(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();

	(void)state;
	assert_says_words(matrix, "time not known. ");
	assert_says(matrix, "\nTIME, not known\n");
	assert_says_words(matrix, "takes: select, update. ");
	assert_says_words(
	    matrix, "adds 4 min for its 240 runs. All else takes 23 min 36 s.");
	Load *load = g_ptr_array_index(matrix->loads, 0);
	hand_add_key(load->def, "time", "60");
	load->def->length_key = g_strdup("time");
	assert_says(matrix, "\nTIME, at least ");
	assert_says_words(matrix, "takes: update. ");
}

static void
a_load_that_comes_again_is_not_named_again(void **state)
{
	g_autoptr(Matrix) matrix = hand_matrix();
	hand_factor(matrix, "clients", CLASS_LOAD, "1,4");
	hand_factor(matrix, "rows", CLASS_LOAD, "10,99");
	hand_load(matrix, "select", false, "clients,rows");
	hand_load(matrix, "count", false, NULL);
	hand_load(matrix, "insert", true, "rows");
	matrix->design.random = false;

	(void)state;
	assert_says(matrix,
	    "    visit  select clients/rows=1/10; count; select "
	    "clients/rows=1/99,4/10,4/99;\n"
	    "           insert rows=10,99\n");
}

static void
the_seed_says_where_it_comes_from(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();

	(void)state;
	assert_says(matrix, "  seed       20070107: given\n");
	matrix->design.seed_given = false;
	assert_says(matrix, ": derived from the identity\n");
}

static void
patterns_and_stop_rules_are_shown(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	g_ptr_array_add(matrix->design.exclude,
	    hand_pattern("kernel=ULE;yieldloops=30,default"));
	matrix->design.stop.until = g_strdup("07:00");
	matrix->design.stop.halfwidth_percent = 0.5;

	(void)state;
	assert_says_words(
	    matrix, "exclude kernel = ULE, yieldloops = 30 or default ");
	assert_says(matrix, "\nCELLS, 4 (4 excluded)\n");
	assert_says_words(matrix, "when every interval is within +-0.5 %");
	assert_says_words(
	    matrix, "no round is begun that cannot end before 07:00");
}

static void
settings_are_said_in_the_words_of_the_matrix(void **state)
{
	static const struct {
		SettingKind kind;
		const char *name, *value, *text;
	} cases[] = {
		{ SETTING_KERNEL, "", "GENERIC", "kernel GENERIC" },
		{ SETTING_KERNEL, "", NULL, "kernel default" },
		{ SETTING_ENV, "A", "", "env A=" },
		{ SETTING_SYSCTL, "kern.x", "1", "sysctl kern.x=1" },
		{ SETTING_SYSFS, "a/b", "1", "sysfs a/b=1" },
		{ SETTING_PRELOAD, "", "jemalloc", "preload jemalloc" },
		{ SETTING_FILE, "/etc/x", "x.conf", "file /etc/x from x.conf" },
		{ SETTING_DURING, "scx_rusty", "scx_rusty",
		    "during `scx_rusty`" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		const Setting setting = { .kind = cases[i].kind,
			.name = (char *)cases[i].name,
			.value = (char *)cases[i].value };
		g_autofree char *text = plan_setting_text(&setting);
		assert_string_equal(text, cases[i].text);
	}
	const Setting command = { .kind = SETTING_COMMAND,
		.name = (char *)"",
		.apply = (char *)"tune 1" };
	g_autofree char *text = plan_setting_text(&command);
	assert_string_equal(text, "command `tune 1`");
}

static void
levels_say_what_they_set_and_expect(void **state)
{
	Level level = { .settings =
			    g_ptr_array_new_with_free_func(setting_free),
		.expect = hand_words("sched=ULE,cpus=4") };
	g_autofree char *nothing = plan_level_text(&level);

	(void)state;
	assert_string_equal(
	    nothing, "nothing set, expect sched=ULE and cpus=4");
	g_ptr_array_add(
	    level.settings, hand_setting(SETTING_ENV, "A", "\033[2J"));
	g_autofree char *text = plan_level_text(&level);
	assert_string_equal(
	    text, "env A=\\x1b[2J, expect sched=ULE and cpus=4");
	g_ptr_array_unref(level.settings);
	g_ptr_array_unref(level.expect);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_fit_a_terminal),
		cmocka_unit_test(each_round_is_there),
		cmocka_unit_test(long_names_do_not_touch_what_follows),
		cmocka_unit_test(a_huge_plan_is_short),
		cmocka_unit_test(many_small_rounds_end_with_a_note),
		cmocka_unit_test(reboots_that_are_not_needed_are_told),
		cmocka_unit_test(restarts_in_a_visit_are_marked),
		cmocka_unit_test(a_length_that_is_not_known_is_told),
		cmocka_unit_test(a_load_that_comes_again_is_not_named_again),
		cmocka_unit_test(the_seed_says_where_it_comes_from),
		cmocka_unit_test(patterns_and_stop_rules_are_shown),
		cmocka_unit_test(settings_are_said_in_the_words_of_the_matrix),
		cmocka_unit_test(levels_say_what_they_set_and_expect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
