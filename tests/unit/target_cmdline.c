/* Words of the kernel's command line: what is wanted, and what proves it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "target/cmdline_proof.h"
#include "target/proof.h"

static Matrix *
matrix_of(const char *levels)
{
	g_autofree char *text = g_strdup_printf(
	    "targets = ( { name = \"box\"; os = \"linux\"; } );"
	    "factors: { line = ( %s ); };"
	    "loads = ( { use = \"command\"; command = \"true\"; } );",
	    levels);
	g_autoptr(GError) error = NULL;
	Matrix *matrix =
	    matrix_parse(text, strlen(text), "tests/x.cfg", &error);

	if (matrix == NULL)
		fail_msg("%s", error->message);
	return matrix;
}

static VerbAnswer *
answer_of(const char *line)
{
	VerbAnswer *answer = g_new0(VerbAnswer, 1);

	answer->verb = g_strdup("boot_state");
	answer->keys = g_ptr_array_new_with_free_func(g_free);
	answer->values = g_ptr_array_new_with_free_func(g_free);
	if (line != NULL) {
		g_ptr_array_add(answer->keys, g_strdup("cmdline"));
		g_ptr_array_add(answer->values, g_strdup(line));
	}
	return answer;
}

/* What does not hold in a cell of that level, on a kernel with that line. */
static char *
failures(const Matrix *matrix, guint level, const char *line, guint *n)
{
	const Factor *factor = matrix->factors->pdata[0];
	const Level *of = factor->levels->pdata[level];
	g_autoptr(VerbAnswer) answer = answer_of(line);
	g_autoptr(GPtrArray) proofs =
	    g_ptr_array_new_with_free_func((GDestroyNotify)proof_free);

	cmdline_proof_judge(matrix, of->settings, answer, proofs);
	*n = proofs->len;
	return proofs_failures(proofs);
}

#define LINE "BOOT_IMAGE=/vmlinuz ro quiet"
#define LEVELS                                                                 \
	"{ name = \"as it is\"; },"                                            \
	"{ name = \"off\"; cmdline = \"mitigations=off  nosmt\"; },"           \
	"{ name = \"nosmt\"; cmdline = \"nosmt\"; }"

static void
each_word_of_the_cell_is_there_and_no_other(void **state)
{
	static const struct {
		guint level;
		const char *line, *failures;
	} cases[] = {
		{ 0, LINE, NULL },
		{ 1, LINE " mitigations=off nosmt", NULL },
		{ 2, LINE " nosmt", NULL },
		{ 0, LINE " nosmt",
		    "cmdline: wanted nosmt absent, seen " LINE " nosmt" },
		{ 1, LINE " nosmt",
		    "cmdline: wanted mitigations=off given, seen " LINE
		    " nosmt" },
		{ 2, LINE " nosmt=force",
		    "cmdline: wanted nosmt given, seen " LINE " nosmt=force" },
		{ 0, NULL,
		    "cmdline: wanted mitigations=off absent, unknown: not "
		    "told; cmdline: wanted nosmt absent, unknown: not told" },
	};
	g_autoptr(Matrix) matrix = matrix_of(LEVELS);

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		guint n = 0;
		g_autofree char *seen =
		    failures(matrix, cases[i].level, cases[i].line, &n);
		assert_int_equal(n, 2);
		if (cases[i].failures == NULL)
			assert_null(seen);
		else
			assert_string_equal(seen == NULL ? "all hold" : seen,
			    cases[i].failures);
	}
}

static void
a_matrix_without_words_proves_none(void **state)
{
	g_autoptr(Matrix) matrix = matrix_of("{ name = \"as it is\"; }");
	guint n = 1;
	g_autofree char *seen = failures(matrix, 0, NULL, &n);

	(void)state;
	assert_null(seen);
	assert_int_equal(n, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_word_of_the_cell_is_there_and_no_other),
		cmocka_unit_test(a_matrix_without_words_proves_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
