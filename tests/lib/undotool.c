/*
 * Drives run/undo.h from shell tests, on the host "lab" of an ssh_config.
 *
 *     undotool apply DIRECTORY SSH_CONFIG [-]SETTING...
 *     undotool all DIRECTORY SSH_CONFIG
 *     undotool prove DIRECTORY SSH_CONFIG KIND NAME SEEN
 *
 * SETTING is sysctl:NAME=VALUE, sysfs:NAME=VALUE, thp:VALUE or
 * command:APPLY|UNDO (UNDO may be empty: none); with "-" before it the cell
 * does not set it, another one does.  Prints "done" or "error CODE: MESSAGE",
 * "left: ..." for each thing left, "trips: N", "proof: VERDICT WANTED".
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "run/undo.h"
#include "store_plan.h"
#include "target/proof.h"

enum { CALL_MS = 30000 };

/* A setting for a word; its strings are in texts. */
static Setting *
parse_setting(GStringChunk *texts, const char *word)
{
	g_auto(GStrv) parts = g_strsplit(word, ":", 2);
	g_auto(GStrv) pair = g_strsplit_set(parts[1], "=|", 2);
	const char *first = g_string_chunk_insert(texts, pair[0]);
	const char *second =
	    pair[1] != NULL ? g_string_chunk_insert(texts, pair[1]) : NULL;

	if (strcmp(parts[0], "sysctl") == 0)
		return setting_of(SETTING_SYSCTL, first, second);
	if (strcmp(parts[0], "sysfs") == 0)
		return setting_of(SETTING_SYSFS, first, second);
	if (strcmp(parts[0], "thp") == 0)
		return setting_of(SETTING_THP, "", first);
	g_assert(strcmp(parts[0], "command") == 0);
	Setting *setting = setting_of(SETTING_COMMAND, "", "");
	setting->apply = text_of(first);
	setting->undo = *second != '\0' ? text_of(second) : NULL;
	return setting;
}

static bool
apply(Store *store, Target *target, const char *boot_id, char **words,
    GError **error)
{
	g_autoptr(GPtrArray) settings = g_ptr_array_new();
	g_autoptr(GPtrArray) subjects = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GStringChunk) texts = g_string_chunk_new(256);

	for (char **word = words; *word != NULL; word++) {
		const bool set = **word != '-';
		Setting *setting =
		    parse_setting(texts, set ? *word : *word + 1);
		g_ptr_array_add(subjects, setting);
		if (set)
			g_ptr_array_add(settings, setting);
	}
	return undo_apply(
	    store, target, 0, settings, subjects, boot_id, NULL, error);
}

static bool
undo(Store *store, Target *target, const char *boot_id, GError **error)
{
	g_autoptr(GPtrArray) left = g_ptr_array_new_with_free_func(g_free);
	const bool ok = undo_all(store, target, 0, boot_id, NULL, left, error);

	for (guint i = 0; i < left->len; i++)
		printf("left: %s\n", (const char *)left->pdata[i]);
	return ok;
}

static bool
prove(Store *store, const char *boot_id, char **words, GError **error)
{
	g_autoptr(GPtrArray) proofs =
	    g_ptr_array_new_with_free_func((GDestroyNotify)proof_free);
	Proof *proof = proof_new(
	    words[0], words[1], "what it was before", words[2], PROOF_UNKNOWN);

	g_ptr_array_add(proofs, proof);
	if (!undo_prove(store, 0, boot_id, proofs, error))
		return false;
	printf("proof: %s %s\n", proof_verdict_name(proof->verdict),
	    proof->wanted);
	return true;
}

static bool
run(char **argv, GError **error)
{
	g_autofree char *program = target_program("x.cfg", "linux", error);
	Host host = { .name = text_of("lab"),
		.ssh = text_of("lab"),
		.ssh_config = argv[3],
		.os = text_of("linux") };

	if (program == NULL)
		return false;
	g_autoptr(Store) store = store_open(argv[2], false, error);
	if (store == NULL)
		return false;
	g_autoptr(Target) target = target_new(&host, program, NULL, NULL);
	g_autoptr(VerbAnswer) boot =
	    target_ask(target, deadline_in(CALL_MS), error, "boot_id", NULL);
	if (boot == NULL)
		return false;
	const char *boot_id = verb_answer_get(boot, "boot_id");
	const size_t before = target_round_trips(target);
	bool ok;
	if (strcmp(argv[1], "apply") == 0)
		ok = apply(store, target, boot_id, argv + 4, error);
	else if (strcmp(argv[1], "all") == 0)
		ok = undo(store, target, boot_id, error);
	else
		ok = prove(store, boot_id, argv + 4, error);
	printf("trips: %zu\n", target_round_trips(target) - before);
	return ok;
}

int
main(int argc, char **argv)
{
	GError *error = NULL;

	if (argc < 4)
		return 2;
	if (run(argv, &error)) {
		printf("done\n");
		return 0;
	}
	printf("error %d: %s\n", error->code, error->message);
	g_clear_error(&error);
	return 1;
}
