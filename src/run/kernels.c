#include "run/kernels.h"

#include <string.h>

#include "base/failure.h"
#include "target/cmdline_proof.h"
#include "target/proof.h"

bool
kernels_are_booted(const Plan *plan)
{
	const BootPolicy policy = plan->matrix->design.boot;

	return plan->boot_class || policy == BOOT_ROUND || policy == BOOT_VISIT;
}

const char *
kernels_id(const Worker *worker, const char *kernel)
{
	return g_hash_table_lookup(worker->kernels, kernel);
}

bool
kernels_resolve(Worker *worker, const char *kernel, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	if (kernels_id(worker, kernel) != NULL)
		return true;
	verb_call_add(call, "kernel", kernel, NULL);
	if (!target_call(
		worker->target, call, worker_deadline(), &answers, error))
		return false;
	const VerbAnswer *answer = answers->pdata[0];
	const char *id = verb_answer_get(answer, "id");
	const char *sum = verb_answer_get(answer, "sha256");
	if (answer->status == VERB_ABSENT) {
		const char *why = verb_answer_get(answer, "error");
		failure_set(error, FAILURE_MISSING_FILE, ABRUN_ERROR_USAGE,
		    "%s has no kernel %s%s%s", worker_host(worker)->name,
		    kernel, why == NULL ? "" : ": ", why == NULL ? "" : why);
		return false;
	}
	if (!verb_answer_check(answer, error))
		return false;
	if (id == NULL) {
		failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_FAILED,
		    "kernel: the answer for %s is not whole", kernel);
		return false;
	}
	(void)g_hash_table_insert(
	    worker->kernels, g_strdup(kernel), g_strdup(id));
	if (sum != NULL) {
		const char *options = verb_answer_get(answer, "options");
		(void)g_hash_table_insert(worker->kernel_files,
		    g_strdup(kernel),
		    g_strdup_printf(
			"%s %s", sum, options == NULL ? "" : options));
	}
	return worker_fact(worker, "kernel", kernel, "id", id, error) &&
	    (sum == NULL ||
		worker_fact(worker, "kernel", kernel, "sha256", sum, error));
}

bool
kernels_take(Worker *worker, const Setting *setting, GError **error)
{
	g_autoptr(VerbAnswer) state = target_ask(
	    worker->target, worker_deadline(), error, "boot_state", NULL);

	if (state == NULL)
		return false;
	const bool has = verb_answer_get(state, "cmdline") != NULL;
	if (has == (setting->kind == SETTING_CMDLINE))
		return true;
	failure_set(error, FAILURE_MATRIX_ERROR, ABRUN_ERROR_USAGE,
	    has ? "%s: loader \"%s=%s\": its loader has no tunables; give the "
		  "kernel words by cmdline"
		: "%s: cmdline%s \"%s\": its kernel has no command line; give "
		  "the loader tunables by loader",
	    worker_host(worker)->name, setting->name, setting->value);
	return false;
}

/* What else a level sets, as one text; free it. */
static char *
other_settings(const Level *level)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < level->settings->len; i++) {
		const Setting *setting = level->settings->pdata[i];
		if (setting->kind != SETTING_KERNEL)
			g_string_append_printf(text, "%d\1%s\1%s\1%s\1%s\2",
			    (int)setting->kind, setting->name, setting->value,
			    setting->apply == NULL ? "" : setting->apply,
			    setting->verify == NULL ? "" : setting->verify);
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static const char *
kernel_of(const Level *level)
{
	for (guint i = 0; i < level->settings->len; i++) {
		const Setting *setting = level->settings->pdata[i];
		if (setting->kind == SETTING_KERNEL)
			return setting->value;
	}
	return KERNELS_DEFAULT;
}

/* Why two kernels are one, or NULL. */
static const char *
same_kernel(const Worker *worker, const char *a, const char *b)
{
	const char *id_a = kernels_id(worker, a), *id_b = kernels_id(worker, b);
	const char *file = g_hash_table_lookup(worker->kernel_files, a);

	if (id_a == NULL || id_b == NULL)
		return NULL;
	if (strcmp(id_a, id_b) == 0)
		return "are one kernel by name";
	return file != NULL &&
		g_strcmp0(file, g_hash_table_lookup(worker->kernel_files, b)) ==
		    0
	    ? "are one kernel by the contents of their files"
	    : NULL;
}

static bool
differ(const Worker *worker, const Factor *factor, guint i, guint j,
    GError **error)
{
	const Level *a = factor->levels->pdata[i];
	const Level *b = factor->levels->pdata[j];
	g_autofree char *of_a = other_settings(a);
	g_autofree char *of_b = other_settings(b);
	const char *why = same_kernel(worker, kernel_of(a), kernel_of(b));

	if (why == NULL || a->same || b->same || strcmp(of_a, of_b) != 0)
		return true;
	failure_set(error, FAILURE_MATRIX_ERROR, ABRUN_ERROR_USAGE,
	    "%s: levels %s and %s of %s %s (%s, %s), so that nothing would be "
	    "compared; write same = true in one if that is meant",
	    worker_host(worker)->name, a->name, b->name, factor->name, why,
	    kernels_id(worker, kernel_of(a)), kernels_id(worker, kernel_of(b)));
	return false;
}

static bool
sets_kernels(const Factor *factor)
{
	for (guint i = 0; i < factor->levels->len; i++)
		if (strcmp(kernel_of(factor->levels->pdata[i]),
			KERNELS_DEFAULT) != 0)
			return true;
	return false;
}

bool
kernels_differ(const Worker *worker, GError **error)
{
	const Matrix *matrix = worker_matrix(worker);

	for (guint f = 0; f < matrix->factors->len; f++) {
		const Factor *factor = matrix->factors->pdata[f];
		for (guint j = 1;
		     sets_kernels(factor) && j < factor->levels->len; j++)
			for (guint i = 0; i < j; i++)
				if (!differ(worker, factor, i, j, error))
					return false;
	}
	return true;
}

bool
kernels_prepare(Worker *worker, GError **error)
{
	return !kernels_are_booted(worker->plan) ||
	    kernels_resolve(worker, KERNELS_DEFAULT, error);
}

const char *
kernels_build(const Worker *worker, const char *kernel)
{
	g_autofree char *key = g_strdup_printf("kernel.%s.build", kernel);

	return g_hash_table_lookup(worker->before, key);
}

bool
kernels_keep_build(
    Worker *worker, const char *kernel, const char *build, GError **error)
{
	if (build == NULL || kernels_build(worker, kernel) != NULL)
		return true;
	(void)g_hash_table_insert(worker->before,
	    g_strdup_printf("kernel.%s.build", kernel), g_strdup(build));
	return worker_fact(worker, "kernel", kernel, "build", build, error);
}

void
kernels_ask(const Worker *worker, const Visit *visit, VerbCall *call)
{
	if (worker->kernel == NULL)
		return;
	verb_call_add(call, "boot_state", NULL);
	for (guint i = 0; i < visit->settings->len; i++) {
		const Setting *setting = visit->settings->pdata[i];
		if (setting->kind == SETTING_LOADER)
			verb_call_add(
			    call, "get", "loader", setting->name, NULL);
	}
}

static void
judge_one(GPtrArray *proofs, const char *what, const char *about,
    const char *wanted, const VerbAnswer *answer, const char *key)
{
	const char *seen =
	    answer->status == VERB_DONE ? verb_answer_get(answer, key) : NULL;

	g_ptr_array_add(proofs,
	    proof_new(what, about, wanted, seen == NULL ? "not told" : seen,
		seen == NULL                    ? PROOF_UNKNOWN
		    : strcmp(seen, wanted) == 0 ? PROOF_YES
						: PROOF_NO));
}

void
kernels_judge(const Worker *worker, const Visit *visit,
    const GPtrArray *answers, guint first, GPtrArray *proofs)
{
	if (worker->kernel == NULL)
		return;
	cmdline_proof_judge(worker_matrix(worker), visit->settings,
	    answers->pdata[first], proofs);
	judge_one(proofs, "kernel", "", worker->kernel, answers->pdata[first++],
	    "running");
	for (guint i = 0; i < visit->settings->len; i++) {
		const Setting *setting = visit->settings->pdata[i];
		if (setting->kind == SETTING_LOADER)
			judge_one(proofs, "loader", setting->name,
			    setting->value, answers->pdata[first++], "value");
	}
}
