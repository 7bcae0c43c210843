#include <math.h>
#include <string.h>

#include <jansson.h>

#include "report/sets.h"
#include "report/sets_tests.h"

enum { NUMBER_BYTES = G_ASCII_DTOSTR_BUF_SIZE };

/* What is not known is null. */
static json_t *
number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *
number_of_test(const MeanTest *test, double value)
{
	return number(test->valid ? value : NAN);
}

/* A file's name may be no UTF-8; JSON is. */
static json_t *
name_json(const char *name)
{
	g_autofree char *valid = g_utf8_make_valid(name, -1);

	return json_string(valid);
}

static json_t *
set_json(const NumberSet *set)
{
	const Summary *s = &set->summary;

	return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
			 "s:o, s:I}",
	    "file", name_json(set->name), "n", (json_int_t)s->n, "min",
	    number(s->min), "max", number(s->max), "median", number(s->median),
	    "mean", number(s->mean), "stddev", number(s->sd), "cv_percent",
	    number(s->cv_percent), "first_percent", number(set->first_percent),
	    "trend_p", number(set->trend.p), "trend_slope",
	    number(set->trend.slope), "outliers", (json_int_t)set->outliers);
}

static json_t *
student_json(const StudentTest *student)
{
	const MeanTest *test = &student->mean;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
	    "difference", number(test->difference.estimate), "low",
	    number_of_test(test, test->difference.low), "high",
	    number_of_test(test, test->difference.high), "percent",
	    number(student->percent), "percent_error",
	    number(student->percent_error), "pooled_stddev",
	    number(student->pooled_sd), "t", number(test->t), "df",
	    number(test->df), "p", number(test->p));
}

static json_t *
ranks_json(const SetComparison *compared)
{
	const RankTest *ranks = &compared->ranks;
	const ShiftTest *shift = &compared->shift;

	return json_pack("{s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "u",
	    number(ranks->u), "p", number(ranks->p), "exact", ranks->exact,
	    "least_p", number(ranks->least_p), "cliffs_delta",
	    number(ranks->cliff), "shift", number(shift->shift.estimate),
	    "shift_low", number(shift->shift.low), "shift_high",
	    number(shift->shift.high), "shift_level", number(shift->level));
}

static json_t *
comparison_json(const Sets *sets, size_t i, Better better)
{
	const SetComparison *compared = &sets->comparisons[i];
	const Interval *change = &compared->change;

	return json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
			 "s:o, s:o, s:o, s:o, s:s, s:o}",
	    "base", name_json(sets->sets[0].name), "test",
	    name_json(sets->sets[i + 1].name), "unit",
	    compared->raw ? "value" : "percent", "change",
	    number(change->estimate), "low", number(change->low), "high",
	    number(change->high), "equivalence_low",
	    number(compared->narrow.low), "equivalence_high",
	    number(compared->narrow.high), "t", number(compared->t), "df",
	    number(compared->df), "p", number(compared->p), "p_adjusted",
	    number(compared->p_holm), "student",
	    student_json(&compared->student), "ranks", ranks_json(compared),
	    "verdict", sets_verdict(compared->verdict, better), "detectable",
	    number(compared->detectable));
}

/* What is there only where it was asked for. */
static void
add_asked(const Sets *sets, json_t *root)
{
	/* The look is of one comparison's share of what all may spend. */
	const double spent = sets->look.spent * (double)sets->family;
	json_t *list = json_object_get(root, "sets");
	json_t *pairs = json_object_get(root, "comparisons");

	/* Without a test there is nothing to look at. */
	if (sets->options.looks > 0 && sets->family > 0)
		(void)json_object_set_new(root, "look",
		    json_pack("{s:I, s:I, s:o, s:o, s:o}", "number",
			(json_int_t)sets->options.look, "planned",
			(json_int_t)sets->options.looks, "spent", number(spent),
			"z", number(sets->look.z), "p_adjusted_below",
			number(sets->bound)));
	if (!sets->options.tests)
		return;
	(void)json_object_set_new(
	    root, "seed", json_integer((json_int_t)sets->options.seed));
	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *set = json_array_get(list, i);
		(void)json_object_set_new(
		    set, "shapiro_w", number(sets->sets[i].shapiro.w));
		(void)json_object_set_new(
		    set, "shapiro_p", number(sets->sets[i].shapiro.p));
	}
	for (size_t i = 0; i < json_array_size(pairs); i++)
		(void)json_object_set_new(json_array_get(pairs, i), "tests",
		    sets_tests_json(&sets->comparisons[i]));
}

GString *
sets_json(const Sets *sets, Better better)
{
	json_t *list = json_array(), *pairs = json_array();

	for (size_t i = 0; i < sets->n; i++)
		(void)json_array_append_new(list, set_json(&sets->sets[i]));
	for (size_t i = 0; i + 1 < sets->n && sets->options.compare; i++)
		(void)json_array_append_new(
		    pairs, comparison_json(sets, i, better));
	json_t *root = json_pack("{s:o, s:o, s:I, s:o, s:o}", "level",
	    number(sets->options.level), "margin_percent",
	    number(sets->options.margin), "family", (json_int_t)sets->family,
	    "sets", list, "comparisons", pairs);
	if (sets->options.compare)
		add_asked(sets, root);
	char *text = json_dumps(root, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
	GString *out = g_string_new(text);

	g_string_append_c(out, '\n');

	json_decref(root);
	free(text);
	return out;
}

/* A field is quoted where a reader would take it apart (RFC 4180). */
static void
append_field(GString *out, const char *text)
{
	if (strpbrk(text, ",\"\r\n") == NULL) {
		g_string_append(out, text);
		return;
	}
	g_autofree char *quoted = g_strdup(text);
	g_auto(GStrv) parts = g_strsplit(quoted, "\"", -1);
	g_autofree char *doubled = g_strjoinv("\"\"", parts);
	g_string_append_printf(out, "\"%s\"", doubled);
}

/* Empty where not known; with all digits, so that it reads back the same. */
static void
append_values(GString *out, const double *values, size_t n)
{
	char buffer[NUMBER_BYTES];

	for (size_t i = 0; i < n; i++) {
		g_string_append_c(out, ',');
		if (isfinite(values[i]))
			g_string_append(out,
			    g_ascii_dtostr(buffer, sizeof buffer, values[i]));
	}
}

static void
append_csv_comparison(
    GString *out, const SetComparison *compared, Better better)
{
	const StudentTest *student = &compared->student;
	const double values[] = { student->mean.difference.estimate,
		student->mean.difference.low, student->mean.difference.high,
		student->percent, student->percent_error, student->mean.p,
		compared->change.estimate, compared->change.low,
		compared->change.high, compared->p, compared->p_holm,
		compared->ranks.p };

	append_values(out, values, G_N_ELEMENTS(values));
	g_string_append_printf(out, ",%s,%s",
	    compared->raw ? "value" : "percent",
	    sets_verdict(compared->verdict, better));
}

/* The columns that are there only where they were asked for. */
static void
append_csv_tests(GString *out, const Sets *sets, size_t i)
{
	double values[SETS_TESTS_COLUMNS];

	for (size_t j = 0; j < SETS_TESTS_COLUMNS; j++)
		values[j] = NAN;
	if (i > 0)
		sets_tests_values(&sets->comparisons[i - 1], values);
	append_values(out, values, SETS_TESTS_COLUMNS);
	append_values(out, &sets->sets[i].shapiro.p, 1);
}

static void
append_csv_tests_head(GString *out)
{
	for (size_t j = 0; j < SETS_TESTS_COLUMNS; j++)
		g_string_append_printf(out, ",%s", sets_tests_columns[j]);
	g_string_append(out, ",shapiro_p");
}

GString *
sets_csv(const Sets *sets, Better better)
{
	const bool tests = sets->options.tests && sets->options.compare;
	GString *out = g_string_new(
	    "file,n,min,max,median,mean,stddev,cv_percent,"
	    "difference,difference_low,difference_high,percent,percent_error,"
	    "student_p,change,change_low,change_high,p,p_adjusted,ranks_p,"
	    "change_unit,verdict");

	if (tests)
		append_csv_tests_head(out);
	g_string_append_c(out, '\n');
	for (size_t i = 0; i < sets->n; i++) {
		const Summary *s = &sets->sets[i].summary;
		const double values[] = { (double)s->n, s->min, s->max,
			s->median, s->mean, s->sd, s->cv_percent };
		append_field(out, sets->sets[i].name);
		append_values(out, values, G_N_ELEMENTS(values));
		if (i > 0 && sets->options.compare)
			append_csv_comparison(
			    out, &sets->comparisons[i - 1], better);
		else
			g_string_append(out, ",,,,,,,,,,,,,,");
		if (tests)
			append_csv_tests(out, sets, i);
		g_string_append_c(out, '\n');
	}
	return out;
}
