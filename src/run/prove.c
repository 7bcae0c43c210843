#include "run/prove.h"

#include <string.h>

#include "base/failure.h"
#include "base/log.h"
#include "run/client.h"
#include "run/during.h"
#include "run/kernels.h"
#include "run/monitor.h"
#include "run/paths.h"
#include "run/undo.h"
#include "run/watch.h"
#include "target/load_proof.h"
#include "target/proof.h"

/* Does a level of this visit's cell expect a fact? */
static bool
expects(const Worker *worker, const Visit *visit)
{
	for (guint f = 0; f < worker_matrix(worker)->factors->len; f++)
		if (plan_level(worker->plan, visit->cell, f)->expect->len > 0)
			return true;
	return false;
}

/* The levels of this visit's cell whose expect must hold. */
static void
judge_expect(const Worker *worker, const Visit *visit, const VerbAnswer *facts,
    GPtrArray *proofs)
{
	const Matrix *matrix = worker_matrix(worker);

	for (guint f = 0; f < matrix->factors->len; f++) {
		const Level *level = plan_level(worker->plan, visit->cell, f);
		const Factor *factor = matrix->factors->pdata[f];
		/* A rehearsal boots nothing. */
		if (worker->rehearsal && factor->class == CLASS_BOOT)
			continue;
		for (guint i = 0; i < level->expect->len; i++) {
			const char *text = level->expect->pdata[i];
			const char *equals = strchr(text, '=');
			g_autofree char *key =
			    g_strndup(text, (gsize)(equals - text));
			const char *seen = verb_answer_get(facts, key);
			const ProofVerdict verdict =
			    facts->status != VERB_DONE || seen == NULL
			    ? PROOF_UNKNOWN
			    : strcmp(seen, equals + 1) == 0 ? PROOF_YES
							    : PROOF_NO;
			g_ptr_array_add(proofs,
			    proof_new("expect", key, equals + 1,
				seen == NULL ? "not told" : seen, verdict));
		}
	}
}

static void
judge_boot(const Worker *worker, const char *about, const VerbAnswer *facts,
    GPtrArray *proofs)
{
	const char *seen = verb_answer_get(facts, "boot_id");

	g_ptr_array_add(proofs,
	    proof_new("boot", about, worker->boot_id,
		seen == NULL ? "not told" : seen,
		seen == NULL                             ? PROOF_UNKNOWN
		    : strcmp(seen, worker->boot_id) == 0 ? PROOF_YES
							 : PROOF_NO));
}

/* Binaries, libraries and scripts are what they were all night. */
static void
judge_hashes(const Worker *worker, const VerbAnswer *hashes, GPtrArray *proofs)
{
	g_autoptr(GPtrArray) paths = verb_answer_all(hashes, "path");
	g_autoptr(GPtrArray) sums = verb_answer_all(hashes, "sha256");
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < MIN(paths->len, sums->len); i++)
		(void)g_hash_table_insert(
		    seen, paths->pdata[i], sums->pdata[i]);

	GHashTableIter iter;
	gpointer path, wanted;
	g_hash_table_iter_init(&iter, worker->hashes);
	while (g_hash_table_iter_next(&iter, &path, &wanted)) {
		const char *sum = g_hash_table_lookup(seen, path);
		g_ptr_array_add(proofs,
		    proof_new("sha256", path, wanted,
			sum == NULL ? "not told" : sum,
			sum == NULL                    ? PROOF_UNKNOWN
			    : strcmp(sum, wanted) == 0 ? PROOF_YES
						       : PROOF_NO));
	}
}

static void
ask_hashes(const Worker *worker, VerbCall *call)
{
	g_autoptr(GPtrArray) paths = paths_sorted(worker->hashes);

	g_ptr_array_add(paths, NULL);
	verb_call_addv(call, "hash", (const char *const *)paths->pdata);
}

/* The user's own verify commands: exit status 0 holds. */
static void
ask_commands(const Worker *worker, const Visit *visit, VerbCall *call)
{
	for (guint i = 0; i < visit->settings->len; i++) {
		const Setting *setting = visit->settings->pdata[i];
		if (setting->kind == SETTING_COMMAND && setting->verify != NULL)
			verb_call_add(call, "load_run", worker->work_dir,
			    "30000", "4096", "", "0", setting->verify, NULL);
	}
}

static void
judge_commands(const Visit *visit, const GPtrArray *answers, guint first,
    GPtrArray *proofs)
{
	for (guint i = 0; i < visit->settings->len; i++) {
		const Setting *setting = visit->settings->pdata[i];
		if (setting->kind != SETTING_COMMAND || setting->verify == NULL)
			continue;
		const VerbAnswer *answer = answers->pdata[first++];
		const char *status = verb_answer_get(answer, "exit");
		g_autofree char *seen = status == NULL
		    ? g_strdup("not told")
		    : g_strdup_printf("exit status %s", status);
		g_ptr_array_add(proofs,
		    proof_new("verify", setting->verify, "exit status 0", seen,
			status == NULL                 ? PROOF_UNKNOWN
			    : strcmp(status, "0") == 0 ? PROOF_YES
						       : PROOF_NO));
	}
}

/* The store has them under its own names. */
G_STATIC_ASSERT((int)PROOF_YES == (int)STORED_YES &&
    (int)PROOF_NO == (int)STORED_NO &&
    (int)PROOF_UNKNOWN == (int)STORED_UNKNOWN &&
    (int)PROOF_NOT_APPLICABLE == (int)STORED_NOT_APPLICABLE);

bool
prove_keep(Worker *worker, const Visit *visit, bool after, int64_t run,
    const GPtrArray *proofs, GError **error)
{
	g_autofree StoreProof *rows = g_new0(StoreProof, proofs->len);

	for (guint i = 0; i < proofs->len; i++) {
		const Proof *proof = proofs->pdata[i];
		rows[i] = (StoreProof){ .what = proof->what,
			.about = proof->about,
			.wanted = proof->wanted,
			.seen = proof->seen,
			.run = run,
			.verdict = (StoredVerdict)proof->verdict };
	}
	return store_proofs(
	    worker->store, visit->id, after, rows, proofs->len, error);
}

static bool
is_refuted(const GPtrArray *proofs, const char *what)
{
	for (guint i = 0; i < proofs->len; i++) {
		const Proof *proof = proofs->pdata[i];
		if (strcmp(proof->what, what) == 0 &&
		    proof->verdict == PROOF_NO)
			return true;
	}
	return false;
}

/* A start that is lost says nothing about the cell. */
static bool
hold(Worker *worker, const GPtrArray *proofs, bool after, GError **error)
{
	g_autofree char *failures = proofs_failures(proofs);

	if (failures == NULL)
		return true;
	if (after &&
	    (is_refuted(proofs, "process") || is_refuted(proofs, "owner"))) {
		worker->start_lost = true;
		failure_set(error, FAILURE_SERVER_EXITED, ABRUN_ERROR_FAILED,
		    "the server died in the visit: after the load: %s",
		    failures);
		return false;
	}
	failure_set(error, proofs_failure(proofs), ABRUN_ERROR_VERIFY,
	    "%s the load: %s", after ? "after" : "before", failures);
	return false;
}

/*
 * Whatever else is seen then is not what was set up; all is asked anew on the
 * boot that runs.
 */
static bool
is_same_boot(const Worker *worker, const VerbAnswer *facts, GError **error)
{
	const char *seen = verb_answer_get(facts, "boot_id");

	/* What is not told is judged as a proof. */
	if (seen == NULL || strcmp(seen, worker->boot_id) == 0)
		return true;
	failure_set(error, FAILURE_UNEXPECTED_REBOOT, ABRUN_ERROR_HOST,
	    "rebooted by itself: boot wanted %s, seen %s", worker->boot_id,
	    seen);
	return false;
}

void
prove_clear(ProofSide *side)
{
	g_clear_pointer(&side->call, verb_call_free);
	g_clear_pointer(&side->answers, g_ptr_array_unref);
	g_clear_pointer(&side->client, g_ptr_array_unref);
}

/* A client host apart: in the same boot, its tools and scripts as they were. */
static GPtrArray *
look_at_client(Worker *worker, const Visit *visit, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	verb_call_add(call, "boot_id", NULL);
	ask_hashes(worker->client, call);
	const guint monitors = (guint)verb_call_length(call);
	monitors_ask(worker, worker->client, visit, call);
	return client_call(worker, call, &answers, error) &&
		monitors_take(
		    worker, worker->client, visit, answers, monitors, error)
	    ? g_steal_pointer(&answers)
	    : NULL;
}

static void
judge_client(const Worker *worker, const GPtrArray *answers, GPtrArray *proofs)
{
	const Worker *client = worker->client;

	judge_boot(
	    client, worker_host(client)->name, answers->pdata[0], proofs);
	judge_hashes(client, answers->pdata[1], proofs);
}

bool
prove_look(Worker *worker, const Visit *visit, ProofSide *side, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	/* These verbs come first: judge counts from there. */
	if (worker->control != NULL)
		server_prove_ask(call, &worker->server, &worker->life,
		    visit->settings, worker->subjects);
	else
		load_proof_host_ask(call,
		    &(LoadProofContext){ visit->settings, worker->subjects });
	const guint ours = (guint)verb_call_length(call);
	/* Both tell the boot; looking up all facts takes some time. */
	verb_call_add(call, expects(worker, visit) ? "facts" : "boot_id", NULL);
	ask_hashes(worker, call);
	ask_commands(worker, visit, call);
	const guint boot = (guint)verb_call_length(call);
	kernels_ask(worker, visit, call);
	watch_ask(worker, call);
	const guint during = (guint)verb_call_length(call);
	during_ask(worker, call);
	const guint monitors = (guint)verb_call_length(call);
	monitors_ask(worker, worker, visit, call);
	if (!target_call(
		worker->target, call, watch_deadline(worker), &answers, error))
		return false;
	if (!is_same_boot(worker, answers->pdata[ours], error) ||
	    !monitors_take(worker, worker, visit, answers, monitors, error))
		return false;
	if (worker->control != NULL &&
	    !server_identified(worker->control, answers, &worker->life, error))
		return false;
	g_autoptr(GPtrArray) client = NULL;
	if (client_is_apart(worker)) {
		client = look_at_client(worker, visit, error);
		if (client == NULL)
			return false;
	}
	*side = (ProofSide){
		.client = g_steal_pointer(&client),
		.call = g_steal_pointer(&call),
		.answers = g_steal_pointer(&answers),
		.ours = ours,
		.boot = boot,
		.during = during,
	};
	return true;
}

bool
prove_judge(Worker *worker, const Visit *visit, const ProofSide *side,
    bool after, GError **error)
{
	const GPtrArray *answers = side->answers;
	const guint ours = side->ours;
	g_autoptr(GPtrArray) proofs =
	    g_ptr_array_new_with_free_func((GDestroyNotify)proof_free);

	watch_look(worker, answers, after);
	if (worker->control != NULL &&
	    !server_prove_judge(worker->control, side->call, answers,
		&worker->life, visit->settings, worker->subjects, proofs,
		error))
		return false;
	if (worker->control == NULL)
		load_proof_host_judge(
		    &(LoadProofContext){ visit->settings, worker->subjects },
		    answers, proofs);
	if (!undo_prove(
		worker->store, worker->index, worker->boot_id, proofs, error))
		return false;
	/* With a server its boot is proved with it. */
	if (worker->control == NULL)
		judge_boot(worker, "", answers->pdata[ours], proofs);
	judge_expect(worker, visit, answers->pdata[ours], proofs);
	judge_hashes(worker, answers->pdata[ours + 1], proofs);
	judge_commands(visit, answers, ours + 2, proofs);
	kernels_judge(worker, visit, answers, side->boot, proofs);
	if (!during_judge(worker, visit, answers, side->during, proofs, error))
		return false;
	if (side->client != NULL)
		judge_client(worker, side->client, proofs);
	if (!prove_keep(worker, visit, after, 0, proofs, error) ||
	    !hold(worker, proofs, after, error))
		return false;
	log_verbose("%s: round %zu, %s: %u proofs hold %s the load",
	    worker_host(worker)->name, visit->round, visit->cell->name,
	    proofs->len, after ? "after" : "before");
	return true;
}
