#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/report.h"

#include "stats_golden.h"

#define DATA "tests/data/stats/"

enum { WIDTH = 74 };

/*
 * ministat's pictures.  Some are cut: it draws the first set only as high as
 * the last (its bug), so that rows are missing at the top.  Sets of even
 * number are left out, whose median it takes from the upper middle value.
 */
static const struct {
	const char *name;
	size_t missing; /* rows */
} pictures[] = {
	{ "s1_select_4bsd_libthr_vs_libpthread", 0 },
	{ "s1_select_diag_ulelibpthread_vs_4bsdlibthr", 0 },
	{ "s1_select_diag_ulelibthr_vs_4bsdlibpthread", 1 },
	{ "s1_select_libpthread_ule_vs_4bsd", 1 },
	{ "s1_select_libthr_ule_vs_4bsd", 0 },
	{ "s1_select_ule_libthr_vs_libpthread", 0 },
	{ "s1_update_4bsd_libthr_vs_libpthread", 0 },
	{ "s1_update_diag_ulelibpthread_vs_4bsdlibthr", 1 },
	{ "s1_update_diag_ulelibthr_vs_4bsdlibpthread", 1 },
	{ "s1_update_libpthread_ule_vs_4bsd", 0 },
	{ "s1_update_libthr_ule_vs_4bsd", 2 },
	{ "s1_update_ule_libthr_vs_libpthread", 0 },
};

/* The legend and the picture of a transcript, without what follows. */
static char *
picture_of(char **lines)
{
	GString *text = g_string_new(NULL);
	size_t frames = 0;

	for (size_t i = 1; lines[i] != NULL && frames < 2; i++) {
		if (g_str_has_prefix(lines[i], "+--"))
			frames++;
		g_string_append_printf(text, "%s\n", lines[i]);
	}
	return g_string_free(text, FALSE);
}

static char *
draw(const double *const *sets, const size_t *lengths, const char *const *names,
    size_t n, size_t width)
{
	PlotSet drawn[2];

	for (size_t i = 0; i < n; i++)
		drawn[i] = (PlotSet){ sets[i], lengths[i],
			stats_summary(sets[i], lengths[i]) };
	return report_plot(drawn, names, n, width);
}

static char *
plot_files(const char *const *files, size_t n)
{
	GArray *numbers[2] = { NULL, NULL };
	const double *sets[2] = { NULL, NULL };
	size_t lengths[2] = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		g_autofree char *path = g_strdup_printf(DATA "in/%s", files[i]);
		numbers[i] = golden_numbers(path);
		sets[i] = (const double *)(void *)numbers[i]->data;
		lengths[i] = numbers[i]->len;
	}
	char *plot = draw(sets, lengths, files, n, WIDTH);
	for (size_t i = 0; i < n; i++)
		g_array_unref(numbers[i]);
	return plot;
}

/* Takes away rows below the upper frame, the fourth line and on. */
static char *
without_top(const char *plot, size_t rows)
{
	GString *text = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit(plot, "\n", -1);

	for (size_t i = 0; lines[i + 1] != NULL; i++)
		if (i < 3 || i >= 3 + rows)
			g_string_append_printf(text, "%s\n", lines[i]);
	return g_string_free(text, FALSE);
}

static void
pictures_are_as_ministat_draws_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(pictures); i++) {
		g_autofree char *path =
		    g_strdup_printf(DATA "ministat/%s.txt", pictures[i].name);
		g_auto(GStrv) lines = golden_lines(path);
		g_auto(GStrv) words = g_strsplit(lines[0], " ", -1);
		const char *const files[] = { words[4], words[5] };
		g_autofree char *want = picture_of(lines);
		g_autofree char *whole = plot_files(files, 2);
		g_autofree char *got = without_top(whole, pictures[i].missing);
		assert_string_equal(got, want);
	}
}

/* ministat would draw two of the three x: its height is the last set's. */
static void
the_taller_first_set_is_drawn_whole(void **state)
{
	const double tall[] = { 1, 1, 1, 9 }, low[] = { 5, 6 };
	const double *const sets[] = { tall, low };
	const size_t lengths[] = { 4, 2 };
	const char *const names[] = { "tall", "low" };
	g_autofree char *plot = draw(sets, lengths, names, 2, 20);
	size_t marks = 0;

	(void)state;
	for (const char *c = strchr(plot, '|'); *c != '\0'; c++)
		if (*c == 'x')
			marks++;
	assert_int_equal(marks, 4);
}

static void
an_overlap_is_a_star(void **state)
{
	const double a[] = { 1, 2, 3 }, b[] = { 1, 5, 6 };
	const double *const sets[] = { a, b };
	const size_t lengths[] = { 3, 3 };
	const char *const names[] = { "a", "b" };
	g_autofree char *plot = draw(sets, lengths, names, 2, 30);

	(void)state;
	assert_non_null(strchr(plot, '*'));
}

static void
values_that_cannot_be_drawn_are_said_so(void **state)
{
	const double same[] = { 4, 4, 4 }, bad[] = { 1, NAN };
	const double *const sets[] = { same, same };
	const double *const bad_sets[] = { bad };
	const size_t lengths[] = { 3, 3 }, bad_length[] = { 2 };
	const char *const names[] = { "a", "b" };
	g_autofree char *equal = draw(sets, lengths, names, 2, 30);
	g_autofree char *nan = draw(bad_sets, bad_length, names, 1, 30);
	g_autofree char *thin = draw(sets, lengths, names, 2, 0);

	(void)state;
	assert_non_null(strstr(equal, "[no picture"));
	assert_non_null(strstr(nan, "[no picture"));
	assert_non_null(strstr(thin, "[no picture"));
}

static void
a_thousand_equal_values_do_not_fill_the_screen(void **state)
{
	double many[1001] = { 1 };
	const double *const sets[] = { many };
	const size_t lengths[] = { G_N_ELEMENTS(many) };
	const char *const names[] = { "many" };
	g_autofree char *plot = draw(sets, lengths, names, 1, 30);
	g_auto(GStrv) lines = g_strsplit(plot, "\n", -1);

	(void)state;
	assert_true(g_strv_length(lines) < 30);
	assert_non_null(strstr(plot, "a mark stands for up to 50 values"));
}

static void
one_value_has_no_bar(void **state)
{
	const double one[] = { 3 }, two[] = { 1, 2 };
	const double *const sets[] = { one, two };
	const size_t lengths[] = { 1, 2 };
	const char *const names[] = { "one", "two" };
	g_autofree char *plot = draw(sets, lengths, names, 2, 12);

	(void)state;
	assert_string_equal(plot,
	    "x one\n"
	    "+ two\n"
	    "+------------+\n"
	    "| +    +    x|\n"
	    "||___A__|   A|\n"
	    "+------------+\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pictures_are_as_ministat_draws_them),
		cmocka_unit_test(the_taller_first_set_is_drawn_whole),
		cmocka_unit_test(an_overlap_is_a_star),
		cmocka_unit_test(values_that_cannot_be_drawn_are_said_so),
		cmocka_unit_test(
		    a_thousand_equal_values_do_not_fill_the_screen),
		cmocka_unit_test(one_value_has_no_bar),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
