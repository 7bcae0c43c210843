/*
 * What R says of boots with runs in them, and of rounds with kernels in them,
 * key by key.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/groups.h"
#include "stats/nested.h"
#include "stats/stats.h"

#include "stats_pairs.h"

enum { BOOTS = 6, RUNS = 5 };

static void
check_line(
    double got, const json_t *r, const char *key, int line, double digits)
{
	g_autofree char *path = g_strdup_printf("%s/%d", key, line);

	assert_digits(got, golden_at(r, path), digits);
}

/* One kernel's runs, boot by boot, and the boots' means. */
typedef struct {
	double runs[BOOTS * RUNS], means[BOOTS];
	const double *boots[BOOTS];
	size_t lengths[BOOTS];
} Kernel;

static void
kernel_read(Kernel *kernel, const char *name)
{
	g_auto(GStrv) lines = golden_lines(DATA "in/nested_2x6x5.csv");
	size_t n = 0;

	for (size_t i = 1; lines[i] != NULL; i++) {
		g_auto(GStrv) column = g_strsplit(lines[i], ",", -1);
		if (strcmp(column[0], name) == 0 && n < BOOTS * RUNS)
			kernel->runs[n++] = g_ascii_strtod(column[3], NULL);
	}
	assert_int_equal(n, BOOTS * RUNS);
	for (size_t i = 0; i < BOOTS; i++) {
		kernel->boots[i] = kernel->runs + i * RUNS;
		kernel->lengths[i] = RUNS;
		kernel->means[i] = stats_summary(kernel->boots[i], RUNS).mean;
	}
}

static void
check_kernel(const Kernel *kernel, const json_t *r)
{
	const double *const means = kernel->means;
	const size_t boots = BOOTS;
	const double weight = 1;
	const Anova anova = stats_anova(kernel->boots, kernel->lengths, BOOTS);
	const double *const runs = kernel->runs;
	const size_t all = BOOTS * RUNS;
	const MeanTest t = stats_contrast(&means, &boots, &weight, 1, .95);
	const MeanTest naive = stats_contrast(&runs, &all, &weight, 1, .95);
	const Components c =
	    stats_components(kernel->boots, kernel->lengths, BOOTS);

	assert_digits(
	    anova.between / anova.df_between, golden_at(r, "MS_between"), 12);
	assert_digits(
	    anova.within / anova.df_within, golden_at(r, "MS_within"), 12);
	assert_digits(anova.f, golden_at(r, "F"), 12);
	assert_digits(anova.p, golden_at(r, "F_p"), 11);
	assert_digits(t.difference.estimate, golden_at(r, "grand_mean"), 14);
	assert_digits(t.difference.low, golden_at(r, "ci95_mean_boot_t/0"), 13);
	assert_digits(
	    t.difference.high, golden_at(r, "ci95_mean_boot_t/1"), 13);
	assert_digits(naive.difference.low, golden_at(r, "ci95_naive/0"), 13);
	assert_digits(naive.difference.high, golden_at(r, "ci95_naive/1"), 13);
	assert_digits(
	    1 + (RUNS - 1) * c.share, golden_at(r, "design_effect"), 12);
}

/* The same nights by boots, and by runs, which is wrong. */
static void
boots_are_compared_as_in_r(void **state)
{
	json_t *root = golden_json(DATA "r/nested_golden.json");
	const json_t *per = json_object_get(root, "per_kernel");
	const json_t *boots = json_object_get(root, "welch_on_boot_means");
	const json_t *logs = json_object_get(root, "gmr_on_boot_means");
	const json_t *wrong =
	    json_object_get(root, "naive_welch_on_runs_WRONG");
	Kernel a, b;

	(void)state;
	kernel_read(&a, "A");
	kernel_read(&b, "B");
	check_kernel(&a, json_object_get(per, "A"));
	check_kernel(&b, json_object_get(per, "B"));
	for (size_t i = 0; i < BOOTS; i++) {
		check_line(a.means[i], root, "boot_means_A", (int)i, 14);
		check_line(b.means[i], root, "boot_means_B", (int)i, 14);
	}
	const double *const means[] = { a.means, b.means };
	const double *const runs[] = { a.runs, b.runs };
	const size_t n[] = { BOOTS, BOOTS },
		     m[] = { BOOTS * RUNS, BOOTS * RUNS };
	const double weights[] = { -1, 1 };
	const MeanTest by_boots = stats_contrast(means, n, weights, 2, .95);
	assert_digits(by_boots.t, golden_at(boots, "t"), 12);
	assert_digits(by_boots.df, golden_at(boots, "df"), 12);
	assert_digits(by_boots.p, golden_at(boots, "p"), 12);
	assert_digits(by_boots.difference.low, golden_at(boots, "ci95/0"), 11);
	assert_digits(by_boots.difference.high, golden_at(boots, "ci95/1"), 12);
	const RatioTest ratio =
	    stats_welch_log(a.means, BOOTS, b.means, BOOTS, .95);
	assert_digits(ratio.ratio.estimate, golden_at(logs, "gmr"), 13);
	assert_digits(ratio.p, golden_at(logs, "p"), 11.5);
	assert_digits(ratio.ratio.low, golden_at(logs, "ci95/0"), 13);
	assert_digits(ratio.ratio.high, golden_at(logs, "ci95/1"), 13);
	const MeanTest by_runs = stats_contrast(runs, m, weights, 2, .95);
	assert_digits(by_runs.t, golden_at(wrong, "t"), 12);
	assert_digits(by_runs.df, golden_at(wrong, "df"), 12);
	assert_digits(by_runs.difference.low, golden_at(wrong, "ci95/0"), 12);
	assert_digits(by_runs.difference.high, golden_at(wrong, "ci95/1"), 12);
	assert_digits(by_runs.p, golden_at(wrong, "p"), 11.5);
	assert_true(by_boots.p / by_runs.p > 6800);
	json_decref(root);
}

/* A split plot's F is the square of the t of differences in rounds. */
static void
rounds_are_compared_as_in_rs_split_plot(void **state)
{
	json_t *root = golden_json(DATA "r/splitplot_golden.json");
	const json_t *list = json_object_get(
	    json_object_get(root, "per_round_kernel"), "per_round");
	const json_t *r = json_object_get(
	    json_object_get(root, "aov_error_strata"), "Error: round:kernel");
	double differences[6];

	(void)state;
	for (size_t i = 0; i < 6; i++)
		differences[i] = json_number_value(json_array_get(list, i));
	const RatioTest test = stats_paired_log(differences, 6, .95);
	check_line(test.t * test.t, r, "F", 0, 11.5);
	check_line(test.p, r, "p", 0, 11.5);
	assert_digits(log(test.ratio.estimate),
	    golden_at(root, "per_round_kernel/mean"), 12);
	json_decref(root);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boots_are_compared_as_in_r),
		cmocka_unit_test(rounds_are_compared_as_in_rs_split_plot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
