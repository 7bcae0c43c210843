#include "run/undo.h"

#include <string.h>

#include "base/failure.h"
#include "run/boots_back.h"
#include "run/datadir.h"
#include "run/during.h"
#include "run/undo_judge.h"
#include "run/undo_work.h"
#include "run/workdir.h"
#include "target/proof.h"

void
undo_troubles_init(UndoTroubles *troubles, Failure failure)
{
	troubles->texts = g_ptr_array_new_with_free_func(g_free);
	troubles->failure = failure;
	troubles->foreign = false;
}

void
undo_troubles_clear(UndoTroubles *troubles)
{
	g_ptr_array_unref(troubles->texts);
}

void
undo_troubles_add(UndoTroubles *troubles, char *text)
{
	g_ptr_array_add(troubles->texts, text);
}

bool
undo_troubles_end(UndoTroubles *troubles, const UndoWork *work, GError **error)
{
	if (troubles->texts->len == 0)
		return true;
	if (work->left != NULL) {
		for (guint i = 0; i < troubles->texts->len; i++)
			g_ptr_array_add(
			    work->left, g_strdup(troubles->texts->pdata[i]));
		return true;
	}
	g_ptr_array_add(troubles->texts, NULL);
	g_autofree char *all =
	    g_strjoinv("; ", (char **)troubles->texts->pdata);
	failure_set(error,
	    troubles->foreign ? FAILURE_FOREIGN_CHANGE : troubles->failure,
	    troubles->foreign ? ABRUN_ERROR_VERIFY : ABRUN_ERROR_FAILED, "%s",
	    all);
	return false;
}

/* The open rows; those of a boot that is over are undone by its end. */
static bool
read_rows(UndoWork *work, GError **error)
{
	/* Without it every row would seem to be of another boot. */
	if (work->boot_id == NULL) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_HOST,
		    "cannot undo what was changed: which boot the host runs "
		    "is not known");
		return false;
	}
	g_autoptr(GPtrArray) rows =
	    store_undo_open(work->store, work->index, error);
	if (rows == NULL)
		return false;
	for (guint i = rows->len; i-- > 0;) {
		const StoreUndo *row = rows->pdata[i];
		if (strcmp(row->kind, WORKDIR_KIND) == 0 ||
		    strcmp(row->kind, DATADIR_KIND) == 0 ||
		    strcmp(row->kind, BOOT_KIND) == 0 ||
		    strcmp(row->kind, DURING_KIND) == 0) {
			g_ptr_array_remove_index(rows, i);
			continue; /* not ours */
		}
		if (strcmp(row->scope, "boot") != 0 ||
		    g_strcmp0(row->boot_id, work->boot_id) == 0)
			continue;
		if (!store_undo_set(work->store, row->id, UNDO_UNDONE, error))
			return false;
		g_ptr_array_remove_index(rows, i);
	}
	work->rows = g_steal_pointer(&rows);
	return true;
}

bool
undo_apply(Store *store, Target *target, size_t target_index,
    const GPtrArray *settings, const GPtrArray *subjects, const char *boot_id,
    const char *work_dir, GError **error)
{
	UndoWork work = { .store = store,
		.target = target,
		.index = target_index,
		.boot_id = boot_id,
		.work_dir = work_dir };

	if (!read_rows(&work, error))
		return false;
	g_autoptr(GPtrArray) rows = work.rows;
	return undo_commands_restore(&work, settings, error) &&
	    undo_knobs(&work, settings, subjects, error) &&
	    undo_commands_apply(&work, settings, error);
}

bool
undo_all(Store *store, Target *target, size_t target_index, const char *boot_id,
    const char *work_dir, GPtrArray *left, GError **error)
{
	UndoWork work = { .store = store,
		.target = target,
		.index = target_index,
		.boot_id = boot_id,
		.work_dir = work_dir,
		.left = left };
	g_autoptr(GPtrArray) none = g_ptr_array_new();

	if (!read_rows(&work, error))
		return false;
	g_autoptr(GPtrArray) rows = work.rows;
	g_autoptr(GError) failure = NULL;
	if (undo_servers(&work, &failure) &&
	    undo_commands_restore(&work, none, &failure))
		return undo_knobs(&work, none, none, error);
	/* Put back, but not stored: so are the others. */
	if (g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_STORE))
		(void)undo_knobs(&work, none, none, NULL);
	g_propagate_error(error, g_steal_pointer(&failure));
	return false;
}

/*
 * Where no original is kept there was none when undo_apply() looked: what
 * this system does not have is as it was.
 */
static void
judge_before(Proof *proof, const char *original)
{
	const bool absent = strcmp(proof->seen, PROOF_SEEN_ABSENT) == 0;

	if (absent ? original != NULL
		   : original == NULL || proof->verdict != PROOF_UNKNOWN)
		return;
	g_free(proof->wanted);
	proof->wanted = g_strdup(absent ? PROOF_SEEN_ABSENT : original);
	proof->verdict =
	    absent || undo_same(original, proof->seen) ? PROOF_YES : PROOF_NO;
}

bool
undo_prove(Store *store, size_t target_index, const char *boot_id,
    GPtrArray *proofs, GError **error)
{
	g_autoptr(GHashTable) originals =
	    store_originals(store, target_index, boot_id, error);

	if (originals == NULL)
		return false;
	for (guint i = 0; i < proofs->len; i++) {
		Proof *proof = proofs->pdata[i];
		g_autofree char *key =
		    g_strdup_printf("%s %s", proof->what, proof->about);
		if (strcmp(proof->wanted, PROOF_WANTED_BEFORE) == 0)
			judge_before(
			    proof, g_hash_table_lookup(originals, key));
	}
	return true;
}
