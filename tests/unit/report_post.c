#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <stdlib.h>

#include "report/lines.h"
#include "report/report.h"

#include "report_kernels.h"
#include "report_wide.h"

#define GOLDEN "tests/golden/report/"

static const struct {
	const char *name;
	StoreData *(*make)(void);
} nights[] = {
	{ "demo", night_demo },
	{ "failed", night_failed },
	{ "nothing", night_nothing },
	{ "one-round", night_one_round },
	{ "kernels", night_kernels },
	{ "boots", night_boots },
	{ "hostile", night_hostile },
	{ "wide", night_wide },
};

static char *
render(StoreData *(*make)(void), const ReportFormat *format)
{
	StoreData *data = make();
	Analysis *analysis = analysis_new(data);
	char *text = format->render(analysis);

	analysis_free(analysis);
	store_data_free(data);
	return text;
}

/* GOLDEN_WRITE=1 in the environment writes them anew, to be read by eye. */
static void
check_golden(const char *name, const ReportFormat *format)
{
	const char *ending = strrchr(format->file, '.');
	g_autofree char *path = g_strdup_printf(GOLDEN "%s%s", name, ending);
	g_autofree char *want = NULL;
	StoreData *(*make)(void) = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(nights); i++)
		if (strcmp(nights[i].name, name) == 0)
			make = nights[i].make;
	g_autofree char *got = render(make, format);
	if (getenv("GOLDEN_WRITE") != NULL)
		assert_true(g_file_set_contents(path, got, -1, NULL));
	assert_true(g_file_get_contents(path, &want, NULL, NULL));
	assert_string_equal(got, want);
}

static void
reports_are_as_the_golden_ones(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(nights); i++)
		for (size_t j = 0; report_formats[j] != NULL; j++)
			check_golden(nights[i].name, report_formats[j]);
}

/* Whoever finds this in the morning wants no tables of what was not done. */
static void
a_night_without_figures_is_told_shortly(void **state)
{
	g_autofree char *post = render(night_nothing, &report_post);
	g_auto(GStrv) lines = g_strsplit(post, "\n", -1);

	(void)state;
	assert_true(g_strv_length(lines) < 40);
	assert_non_null(strstr(post, "Nothing was measured: "));
	assert_non_null(strstr(post, "(9 times)"));
	assert_non_null(strstr(post, "Still changed on the host"));
	assert_null(strstr(post, "THE FIGURES"));
	assert_null(strstr(post, "All from one boot"));
}

/* It was too late for one, a host was not there, or somebody had enough. */
static StoreData *
night_unbegun(void)
{
	StoreData *data = night_nothing();

	(void)g_ptr_array_set_size(data->visits, 0);
	(void)g_ptr_array_set_size(data->events, 0);
	night_event(data, data->began + 1, 0, "until",
	    "before round 1, which could not have ended before 07:00");
	return data;
}

static void
why_no_visit_was_begun_is_not_guessed(void **state)
{
	g_autofree char *post = render(night_unbegun, &report_post);

	(void)state;
	assert_non_null(strstr(post, "No visit was begun.\n"));
	assert_null(strstr(post, "ready"));
	assert_non_null(strstr(post, "before round 1, which could not"));
}

static void
no_line_of_a_post_is_longer_than_72_columns(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(nights); i++) {
		g_autofree char *post = render(nights[i].make, &report_post);
		g_auto(GStrv) lines = g_strsplit(post, "\n", -1);
		for (size_t j = 0; lines[j] != NULL; j++)
			if (lines_width(lines[j]) > 72)
				fail_msg("%s, line %zu: %s", nights[i].name,
				    j + 1, lines[j]);
	}
}

static void
nothing_foreign_can_steer_a_terminal(void **state)
{
	(void)state;
	for (size_t j = 0; report_formats[j] != NULL; j++) {
		g_autofree char *text =
		    render(night_hostile, report_formats[j]);
		for (const char *c = text; *c != '\0'; c++)
			assert_false((unsigned char)*c < 0x20 && *c != '\n');
		assert_true(g_utf8_validate(text, -1, NULL));
		assert_null(strstr(text, "\xe2\x80\xae"));
	}
}

/* Only the first line is a subject, whatever a title holds. */
static void
a_title_cannot_forge_a_header(void **state)
{
	g_autofree char *post = render(night_hostile, &report_post);

	(void)state;
	assert_true(g_str_has_prefix(post, "Subject: "));
	assert_null(strstr(post, "\nSubject:"));
}

static size_t
count_bars(const char *line)
{
	size_t bars = 0;

	for (const char *c = line; *c != '\0'; c++)
		if (*c == '|' && (c == line || c[-1] != '\\'))
			bars++;
	return bars;
}

static void
D62_rows_of_a_markdown_table_have_equally_many_cells(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(nights); i++) {
		g_autofree char *text =
		    render(nights[i].make, &report_markdown);
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
		size_t bars = 0, tables = 0;
		for (size_t j = 0; lines[j] != NULL; j++) {
			/* Frames of pictures begin with + and hold bars too. */
			if (g_str_has_prefix(lines[j], "```"))
				while (!g_str_has_prefix(lines[++j], "```"))
					continue;
			if (lines[j][0] != '|') {
				bars = 0;
				continue;
			}
			if (bars == 0)
				tables++;
			else if (count_bars(lines[j]) != bars)
				fail_msg("%s, line %zu: %s", nights[i].name,
				    j + 1, lines[j]);
			bars = count_bars(lines[j]);
		}
		assert_true(tables >= 3 || nights[i].make == night_nothing);
	}
}

static bool
spawn(const char **argv)
{
	int status = -1;

	return g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH,
		   NULL, NULL, NULL, NULL, &status, NULL) &&
	    status == 0;
}

/* A locale whose decimal sign is a comma changes no byte. */
static void
D57_the_locale_changes_nothing(void **state)
{
	g_autofree char *before = render(night_demo, &report_post);
	g_autofree char *directory = g_dir_make_tmp("abrun-XXXXXX", NULL);
	g_autofree char *locale =
	    g_build_filename(directory, "pl_PL.UTF-8", NULL);
	const char *make[] = { "localedef", "-i", "pl_PL", "-f", "UTF-8",
		locale, NULL };
	const char *drop[] = { "rm", "-r", directory, NULL };
	char comma[8] = "";

	(void)state;
	assert_true(spawn(make));
	assert_true(g_setenv("LOCPATH", directory, true));
	assert_non_null(setlocale(LC_ALL, "pl_PL.UTF-8"));
	g_snprintf(comma, sizeof(comma), "%.1f", 1.5);
	g_autofree char *after = render(night_demo, &report_post);
	setlocale(LC_ALL, "C");
	g_unsetenv("LOCPATH");
	assert_true(spawn(drop));
	assert_string_equal(comma, "1,5");
	assert_string_equal(before, after);
}

static void
formats_are_found_by_name(void **state)
{
	(void)state;
	assert_ptr_equal(report_format("post"), &report_post);
	assert_ptr_equal(report_format("md"), &report_markdown);
	assert_null(report_format("pdf"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_are_as_the_golden_ones),
		cmocka_unit_test(a_night_without_figures_is_told_shortly),
		cmocka_unit_test(why_no_visit_was_begun_is_not_guessed),
		cmocka_unit_test(no_line_of_a_post_is_longer_than_72_columns),
		cmocka_unit_test(nothing_foreign_can_steer_a_terminal),
		cmocka_unit_test(a_title_cannot_forge_a_header),
		cmocka_unit_test(
		    D62_rows_of_a_markdown_table_have_equally_many_cells),
		cmocka_unit_test(D57_the_locale_changes_nothing),
		cmocka_unit_test(formats_are_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
