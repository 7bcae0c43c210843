#include "run/kernels.h"

#include <string.h>

#include "base/failure.h"
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
	return worker_fact(worker, "kernel", kernel, "id", id, error) &&
	    (sum == NULL ||
		worker_fact(worker, "kernel", kernel, "sha256", sum, error));
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
	judge_one(proofs, "kernel", "", worker->kernel, answers->pdata[first++],
	    "running");
	for (guint i = 0; i < visit->settings->len; i++) {
		const Setting *setting = visit->settings->pdata[i];
		if (setting->kind == SETTING_LOADER)
			judge_one(proofs, "loader", setting->name,
			    setting->value, answers->pdata[first++], "value");
	}
}
