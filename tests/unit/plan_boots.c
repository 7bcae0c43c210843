#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan_matrix.h"

/* Reboot marks of rounds 1 to 3, blocks in order: "RR RR RR". */
static char *
write_reboots(const Plan *plan)
{
	GString *text = g_string_new(NULL);

	for (size_t r = 1; r <= 3; r++) {
		g_autoptr(PlanRound) round = plan_round(plan, r);
		for (size_t b = 0; b < round->n_blocks; b++)
			g_string_append_c(
			    text, round->blocks[b].reboot ? 'R' : '-');
		g_string_append_c(text, ' ');
	}
	return g_string_free(text, FALSE);
}

static void
reboots_follow_the_policy(void **state)
{
	/* Rounds of hand_post boot 0 1, 1 0, 0 1: lazy saves two. */
	static const struct {
		BootPolicy policy;
		const char *kernels, *libraries;
	} cases[] = {
		{ BOOT_BLOCK, "RR RR RR ", "- - - " },
		{ BOOT_ROUND, "RR RR RR ", "R R R " },
		{ BOOT_VISIT, "RRRRRRRR RRRRRRRR RRRRRRRR ", "RR RR RR " },
		{ BOOT_LAZY, "RR -R -R ", "- - - " },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(Matrix) kernels = hand_post();
		kernels->design.boot = cases[i].policy;
		g_autoptr(Plan) kernels_plan = new_plan(kernels);
		g_autofree char *marks = write_reboots(kernels_plan);
		assert_string_equal(marks, cases[i].kernels);

		g_autoptr(Matrix) libraries = hand_matrix();
		hand_factor(libraries, "malloc", CLASS_SERVER, "libc,jemalloc");
		hand_load(libraries, "select", false, NULL);
		libraries->design.boot = cases[i].policy;
		g_autoptr(Plan) libraries_plan = new_plan(libraries);
		g_autofree char *few = write_reboots(libraries_plan);
		assert_string_equal(few, cases[i].libraries);
	}
}

static void
a_boot_for_every_visit_mixes_kernels(void **state)
{
	g_autoptr(Matrix) matrix = hand_post();
	matrix->design.boot = BOOT_VISIT;
	g_autoptr(Plan) plan = new_plan(matrix);
	size_t changes = 0;

	(void)state;
	for (size_t r = 1; r <= 20; r++) {
		g_autoptr(PlanRound) round = plan_round(plan, r);
		assert_int_equal(round->n_blocks, 8);
		for (size_t b = 1; b < 8; b++) {
			assert_int_equal(round->blocks[b].n_visits, 1);
			changes +=
			    round->blocks[b].boot != round->blocks[b - 1].boot;
		}
	}
	/* One a round if kernels were kept together; 4 in the mean if not. */
	assert_true(changes > 60 && changes < 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reboots_follow_the_policy),
		cmocka_unit_test(a_boot_for_every_visit_mixes_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
