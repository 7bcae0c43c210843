#include "target/load_proof.h"

#include <string.h>

#include "target/server_proof.h"
#include "target/startup.h"

static ProofContext
proof_context(const LoadProofContext *context, const Server *server)
{
	return (ProofContext){
		.server = server,
		.settings = context->settings,
		.subjects = context->subjects,
	};
}

static void
free_words(gpointer words)
{
	g_strfreev(words);
}

static GPtrArray *
host_verbs(const ProofContext *context)
{
	GPtrArray *verbs = g_ptr_array_new_with_free_func(free_words);

	server_proof_tunables(verbs, context);
	return verbs;
}

void
load_proof_host_ask(VerbCall *call, const LoadProofContext *context)
{
	const ProofContext proof = proof_context(context, NULL);
	g_autoptr(GPtrArray) verbs = host_verbs(&proof);

	for (guint i = 0; i < verbs->len; i++) {
		char *const *words = verbs->pdata[i];
		verb_call_addv(
		    call, words[0], (const char *const *)(words + 1));
	}
}

void
load_proof_host_judge(const LoadProofContext *context, const GPtrArray *answers,
    GPtrArray *proofs)
{
	static const char *const of_servers[] = { "process", "owner",
		"version" };
	const ProofContext proof = proof_context(context, NULL);
	g_autoptr(GPtrArray) verbs = host_verbs(&proof);
	ProofJudge judge = { &proof, NULL, NULL, proofs };

	for (size_t i = 0; i < G_N_ELEMENTS(of_servers); i++)
		server_proof_add(&judge, of_servers[i], "", "no server",
		    "no server", PROOF_NOT_APPLICABLE);
	for (guint i = 0; i < verbs->len; i++)
		server_proof_get(&judge, verbs->pdata[i], answers->pdata[i]);
}

char *
load_proof_mark(const char *directory)
{
	return g_strconcat("ABRUN_LOAD=", directory, NULL);
}

void
load_proof_run(VerbCall *call, const char *directory, const char *run,
    const char *timeout_ms, const char *cap_bytes, const GPtrArray *settings,
    const char *command)
{
	g_autoptr(GPtrArray) environment = startup_environment(settings);
	g_autofree char *count = g_strdup_printf("%u", environment->len + 1);
	g_autofree char *mark = load_proof_mark(directory);
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	g_ptr_array_add(words, (gpointer)run);
	g_ptr_array_add(words, (gpointer)timeout_ms);
	g_ptr_array_add(words, (gpointer)cap_bytes);
	g_ptr_array_add(words, (gpointer)startup_cpus(settings));
	g_ptr_array_add(words, count);
	g_ptr_array_add(words, mark);
	for (guint i = 0; i < environment->len; i++)
		g_ptr_array_add(words, environment->pdata[i]);
	g_ptr_array_add(words, (gpointer)command);
	g_ptr_array_add(words, NULL);
	verb_call_addv(call, "load_prove", (const char *const *)words->pdata);
}

/* "load_seen RUN" and names or files; NULL at the end. */
static GPtrArray *
seen_words(const char *run)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(words, g_strdup("load_seen"));
	g_ptr_array_add(words, g_strdup(run));
	return words;
}

void
load_proof_ask(VerbCall *call, const LoadProofContext *context, const char *run)
{
	const ProofContext proof = proof_context(context, NULL);
	g_autoptr(GPtrArray) words = seen_words(run);

	server_proof_add_names(words, &proof);
	server_proof_add_files(words, &proof);
	g_ptr_array_add(words, NULL);
	verb_call_add(call, "get", "sysfs", PROOF_CPUS_ONLINE, NULL);
	verb_call_addv(
	    call, "load_seen", (const char *const *)words->pdata + 1);
}

const char *
load_proof_program(const GPtrArray *answers)
{
	const VerbAnswer *seen = answers->pdata[1];

	return g_strcmp0(verb_answer_get(seen, "subject"), "program") == 0
	    ? verb_answer_get(seen, "exe")
	    : NULL;
}

static const char no_program[] =
    "it had ended before a program of it could be looked at";

static void
judge_binary(ProofJudge *judge, const GPtrArray *answers, GHashTable *known)
{
	const VerbAnswer *seen = answers->pdata[1];
	const char *exe = load_proof_program(answers);
	const char *sum = verb_answer_get(seen, "exe_sha256");

	if (g_strcmp0(verb_answer_get(seen, "subject"), "program") != 0) {
		server_proof_add(judge, "binary", "", "that of a program",
		    no_program, PROOF_NOT_APPLICABLE);
		return;
	}
	if (exe == NULL || sum == NULL) {
		server_proof_add(judge, "binary", exe == NULL ? "" : exe,
		    "that of the program", "it cannot be read", PROOF_UNKNOWN);
		return;
	}
	if (!g_hash_table_contains(known, exe))
		(void)g_hash_table_insert(known, g_strdup(exe), g_strdup(sum));
	const char *wanted = g_hash_table_lookup(known, exe);
	server_proof_add(judge, "binary", exe, wanted, sum,
	    server_proof_yes_if(strcmp(wanted, sum) == 0));
}

static void
judge_libraries(ProofJudge *judge, const VerbAnswer *seen)
{
	g_autoptr(GPtrArray) words = seen_words("");

	server_proof_add_files(words, judge->context);
	g_ptr_array_add(words, NULL);
	if (g_strcmp0(verb_answer_get(seen, "subject"), "program") == 0) {
		server_proof_libraries(
		    judge, (char *const *)words->pdata, seen);
		return;
	}
	/* Whoever has it mapped is the shell alone, if anybody. */
	for (guint i = 2; words->pdata[i] != NULL; i++)
		server_proof_add(judge, "library", words->pdata[i],
		    "mapped in a program, or absent", no_program,
		    PROOF_UNKNOWN);
}

void
load_proof_judge(const LoadProofContext *context, const char *command,
    const GPtrArray *answers, GHashTable *known, GPtrArray *proofs)
{
	Server load = { .command = (char *)command };
	const ProofContext proof = proof_context(context, &load);
	g_autoptr(GPtrArray) environment =
	    startup_environment(context->settings);
	ProofJudge judge = { &proof, environment, NULL, proofs };
	const VerbAnswer *online = answers->pdata[0];
	const VerbAnswer *seen = answers->pdata[1];
	g_autoptr(GPtrArray) names = seen_words("");

	if (online->status == VERB_DONE)
		judge.online = verb_answer_get(online, "value");
	server_proof_add_names(names, &proof);
	g_ptr_array_add(names, NULL);
	judge_binary(&judge, answers, known);
	server_proof_environ(&judge, (char *const *)names->pdata, seen);
	judge_libraries(&judge, seen);
	if (server_proof_has_kind(context->subjects, SETTING_CPUSET))
		server_proof_threads(&judge, (char *const *)names->pdata, seen);
}
