#include "run/subject.h"

#include "base/failure.h"
#include "base/log.h"
#include "run/prove.h"
#include "target/load_proof.h"
#include "target/proof.h"

/* The program of a load is named, and the same all night. */
static bool
know_program(Worker *worker, const GPtrArray *answers, GError **error)
{
	const char *program = load_proof_program(answers);
	const char *sum = program == NULL
	    ? NULL
	    : verb_answer_get(answers->pdata[1], "exe_sha256");

	return sum == NULL || g_hash_table_contains(worker->hashes, program) ||
	    worker_fact(worker, "program", program, "sha256", sum, error);
}

bool
subject_prove(Worker *worker, const Visit *visit, const Load *load, int number,
    int64_t run, const char *command, const VerbAnswer *answer, GError **error)
{
	const LoadProofContext context = { visit->settings, worker->subjects };
	const char *directory = verb_answer_get(answer, "run");
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;
	g_autoptr(GPtrArray) proofs =
	    g_ptr_array_new_with_free_func((GDestroyNotify)proof_free);

	if (directory == NULL) {
		failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_FAILED,
		    "asked for the run of %s, but the answer does not name "
		    "its directory",
		    load->name);
		return false;
	}
	load_proof_ask(call, &context, directory);
	if (!target_call(
		worker->target, call, worker_deadline(), &answers, error) ||
	    !know_program(worker, answers, error))
		return false;
	load_proof_judge(&context, command, answers, worker->hashes, proofs);
	if (!prove_keep(worker, visit, false, run, proofs, error))
		return false;
	g_autofree char *failures = proofs_failures(proofs);
	if (failures != NULL) {
		failure_set(error, proofs_failure(proofs), ABRUN_ERROR_VERIFY,
		    "run %d of %s: %s", number, load->name, failures);
		return false;
	}
	log_verbose("%s: round %zu, %s: %u proofs hold in run %d of %s",
	    worker_host(worker)->name, visit->round, visit->cell->name,
	    proofs->len, number, load->name);
	return true;
}
