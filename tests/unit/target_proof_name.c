/* What visits are called that proofs have ended. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "target/proof.h"

static Failure
name_of(const char *what, ProofVerdict verdict)
{
	g_autoptr(GPtrArray) proofs =
	    g_ptr_array_new_with_free_func((GDestroyNotify)proof_free);

	g_ptr_array_add(proofs, proof_new("owner", "", "a", "a", PROOF_YES));
	g_ptr_array_add(proofs, proof_new(what, "", "a", "b", verdict));
	g_ptr_array_add(proofs, proof_new("owner", "", "a", "b", PROOF_NO));
	return proofs_failure(proofs);
}

static void
the_first_that_does_not_hold_gives_the_name(void **state)
{
	static const struct {
		const char *what;
		Failure failure;
	} cases[] = {
		{ "boot", FAILURE_UNEXPECTED_REBOOT },
		{ "library", FAILURE_WRONG_LIBRARY },
		{ "sysctl", FAILURE_TUNABLE_LOST },
		{ "thp", FAILURE_TUNABLE_LOST },
		{ "cpuset", FAILURE_WRONG_CPUS },
		{ "kernel", FAILURE_WRONG_KERNEL },
		{ "sha256", FAILURE_SOFTWARE_CHANGED },
		{ "weather", FAILURE_PROOF_FAILED },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_string_equal(
		    failure_name(name_of(cases[i].what, PROOF_NO)),
		    failure_name(cases[i].failure));
}

static void
what_could_not_be_had_gives_way_to_what_does_not_hold(void **state)
{
	(void)state;
	assert_int_equal(
	    name_of("library", PROOF_UNKNOWN), FAILURE_STALE_SERVER);
	g_autoptr(GPtrArray) proofs =
	    g_ptr_array_new_with_free_func((GDestroyNotify)proof_free);
	g_ptr_array_add(proofs, proof_new("boot", "", "a", "?", PROOF_UNKNOWN));
	assert_int_equal(proofs_failure(proofs), FAILURE_PROOF_UNKNOWN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_that_does_not_hold_gives_the_name),
		cmocka_unit_test(
		    what_could_not_be_had_gives_way_to_what_does_not_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
