#include "cmd/choose.h"

#include <string.h>

#include "analysis/asked.h"
#include "analysis/stop.h"
#include "base/error.h"
#include "base/log.h"
#include "base/process.h"

enum { DIFF_MS = 10000, DIFF_BYTES = 65536 };

/* What the run was begun with, to be told apart from what it becomes. */
static bool
keep_files(Store *store, const Matrix *matrix, GError **error)
{
	for (guint i = 0; i < matrix->files->len; i++) {
		const MatrixFile *file = matrix->files->pdata[i];
		g_autofree char *key = g_strdup_printf("file.%s", file->path);
		if (!store_fact(
			store, "experiment", 0, key, file->sha256, error))
			return false;
	}
	return true;
}

/* By which rule the night stops: what it is begun with counts. */
static bool
keep_stop(Store *store, const Design *design, GError **error)
{
	const StopRule *stop = &design->stop;
	char width[G_ASCII_DTOSTR_BUF_SIZE];
	g_autofree char *first =
	    g_strdup_printf("%d", MAX(design->rounds, MATRIX_STOP_ROUNDS));
	g_autofree char *most = g_strdup_printf("%d", stop->max_rounds);
	g_autofree char *looks = g_strdup_printf("%d", stop->looks);
	const char *const keys[] = { STOP_FACT_HALFWIDTH, STOP_FACT_FIRST,
		STOP_FACT_MOST, STOP_FACT_LOOKS };
	const char *const values[] = { g_ascii_dtostr(width, sizeof width,
					   stop->halfwidth_percent),
		first, most, looks };

	return !(stop->halfwidth_percent > 0) ||
	    store_facts(store, "experiment", 0, keys, values,
		G_N_ELEMENTS(keys), error);
}

/* What is compared beside, or instead of, each factor's levels. */
static bool
keep_contrasts(Store *store, const Design *design, GError **error)
{
	g_autofree char *text = asked_text(design);

	return design->contrasts->len == 0 ||
	    store_fact(store, "experiment", 0, ASKED_FACT, text, error);
}

/*
 * They change no figure, so they may be changed at any time; that it was after
 * looking must be told.
 */
static bool
agree_on_contrasts(Store *store, const Design *design, GError **error)
{
	g_autofree char *text = asked_text(design);
	g_autofree char *names = asked_names(design);
	g_autofree char *kept = store_experiment_fact(store, ASKED_FACT);

	if (kept == NULL ? design->contrasts->len == 0
			 : strcmp(kept, text) == 0)
		return true;
	g_autofree char *how = g_strdup_printf("%s, to: %s",
	    store_ended(store) ? "after looking" : "before it had ended",
	    names);
	log_info("what is compared in %s is changed %s", store_directory(store),
	    how);
	return store_fact(store, "experiment", 0, ASKED_FACT, text, error) &&
	    store_event(store, SIZE_MAX, ASKED_EVENT, how, error);
}

/* A night may be killed between its last run and the look at it. */
static bool
is_decided(Store *store)
{
	g_autoptr(StoreData) data = store_read(store, NULL);

	if (data == NULL)
		return true;
	g_auto(StopLook) look = stop_look(data, NULL);
	return look.text == NULL;
}

static Store *
create(Matrix *matrix, const Plan *plan, const RunWish *wish, GError **error)
{
	if (wish->rounds > 0)
		matrix->design.rounds = wish->rounds;
	g_autoptr(Store) store =
	    store_create(wish->reports, plan, VERSION, error);

	if (store == NULL || !keep_files(store, matrix, error) ||
	    !keep_stop(store, &matrix->design, error) ||
	    !keep_contrasts(store, &matrix->design, error))
		return NULL;
	return g_steal_pointer(&store);
}

/* The files that the matrix uses and that are not what they were. */
static char *
changed_files(Store *store, const Matrix *matrix)
{
	g_autoptr(StoreData) data = store_read(store, NULL);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < matrix->files->len && data != NULL; i++) {
		const MatrixFile *file = matrix->files->pdata[i];
		g_autofree char *key = g_strdup_printf("file.%s", file->path);
		bool same = false;
		for (guint j = 0; j < data->facts->len && !same; j++) {
			const DataFact *fact = data->facts->pdata[j];
			same = strcmp(fact->key, key) == 0 &&
			    strcmp(fact->value, file->sha256) == 0;
		}
		if (!same)
			g_string_append_printf(text, "%s%s",
			    text->len == 0 ? "" : ", ", file->path);
	}
	return g_strdup_printf("the text of the matrix is the same; %s%s",
	    text->len == 0 ? "what it says is understood in another way by "
			     "this version of abrun"
			   : "what has changed is a file that it uses: ",
	    text->str);
}

/* What changed in the matrix since the run began; free it. */
static char *
difference(Store *store, const Matrix *matrix)
{
	g_autofree char *old =
	    g_build_filename(store_directory(store), "matrix.cfg", NULL);
	const char *const argv[] = { "diff", "-u", "--label", old, "--label",
		matrix->path, old, "-", NULL };
	g_auto(ProcessResult) result = { 0 };

	if (!process_run(argv, NULL, matrix->source, DIFF_BYTES,
		deadline_in(DIFF_MS), NULL, &result, NULL) ||
	    result.out->len == 0)
		return changed_files(store, matrix);
	return g_strdup(result.out->str);
}

/* The run and the wish agree on a number of rounds, or it is refused. */
static bool
agree_on_rounds(
    Store *store, Matrix *matrix, const RunWish *wish, GError **error)
{
	g_autoptr(StoreData) data = store_read(store, error);
	const int rounds =
	    wish->rounds > 0 ? wish->rounds : matrix->design.rounds;
	size_t begun = 0;

	if (data == NULL)
		return false;
	for (guint i = 0; i < data->visits->len; i++) {
		const DataVisit *visit = data->visits->pdata[i];
		begun = MAX(begun, visit->round);
	}
	if (wish->rounds > 0 && wish->rounds < data->rounds) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "--rounds %d: %s has %d rounds planned and %zu begun, and "
		    "none is taken away after looking: give %d or more, or "
		    "start another run with --new --rounds %d",
		    wish->rounds, store_directory(store), data->rounds, begun,
		    data->rounds, wish->rounds);
		return false;
	}
	matrix->design.rounds = MAX(rounds, data->rounds);
	if (rounds <= data->rounds)
		return true;
	g_autofree char *text = g_strdup_printf("from %d to %d rounds%s",
	    data->rounds, rounds,
	    store_ended(store) ? " after looking" : ", before it had ended");
	log_info("%s is extended %s", store_directory(store), text);
	return store_rounds(store, rounds, "extended", text, error);
}

/*
 * What a run has left changed on a host is undone from its directory, and
 * would stay for ever once no one looks there.
 */
static void
refuse_undone(const Store *store, const char *matrix, bool new, GError **error)
{
	const char *directory = store_directory(store);

	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
	    "%s%s has left changes on its hosts that are not undone (abrun "
	    "status %s names them): abrun restore %s undoes them, and so does "
	    "abrun %s%s, which goes on with that run",
	    new ? "--new: " : "the matrix has changed, and ", directory,
	    directory, directory, matrix,
	    new ? "" : ", with the matrix as it was");
}

/* Kept locked until the new one is made, so that nothing runs meanwhile. */
static Store *
create_beside(Matrix *matrix, const Plan *plan, const RunWish *wish,
    const char *newest, GError **error)
{
	g_autoptr(GError) failure = NULL;
	g_autoptr(Store) last = store_open(newest, false, &failure);

	if (g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_HOST)) {
		g_propagate_prefixed_error(error, g_steal_pointer(&failure),
		    "--new: the last run still goes on: ");
		return NULL;
	}
	if (last == NULL)
		log_error("%s: what it may have left changed on its hosts is "
			  "not known",
		    failure->message);
	else if (store_undo_due(last)) {
		refuse_undone(last, matrix->path, true, error);
		return NULL;
	}
	return create(matrix, plan, wish, error);
}

static void
refuse_other(Store *store, const Matrix *matrix, const RunWish *wish,
    bool ended, GError **error)
{
	g_autofree char *changes = difference(store, matrix);
	g_autofree char *rounds = wish->rounds == 0
	    ? g_strdup("")
	    : g_strdup_printf(" --rounds %d", wish->rounds);

	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "%s %s and was begun with another matrix; put the matrix back to "
	    "%s it, or use --new%s to start another run:\n%s",
	    store_directory(store), ended ? "is finished" : "is unfinished",
	    ended ? "extend" : "go on with", rounds, changes);
}

/* A run that cannot be opened is not lost, and does not block the matrix. */
static void
tell_way_out(const char *directory, const GError *failure)
{
	if (g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_STORE))
		log_error("%s cannot be gone on with; what its loads printed "
			  "is in %s/raw and stays there: use --new to start "
			  "another run",
		    directory, directory);
}

Store *
choose_store(Matrix *matrix, const Plan *plan, const RunWish *wish,
    bool *finished, GError **error)
{
	g_autofree char *newest = store_newest(wish->reports, matrix->name);
	g_autoptr(GError) failure = NULL;

	*finished = false;
	if (newest == NULL)
		return create(matrix, plan, wish, error);
	if (wish->new)
		return create_beside(matrix, plan, wish, newest, error);
	g_autoptr(Store) store = store_open(newest, false, &failure);
	if (store == NULL) {
		tell_way_out(newest, failure);
		g_propagate_error(error, g_steal_pointer(&failure));
		return NULL;
	}
	if (strcmp(store_identity(store), plan->identity) == 0) {
		if (!agree_on_rounds(store, matrix, wish, error) ||
		    !agree_on_contrasts(store, &matrix->design, error))
			return NULL;
		*finished = store_finished(store, plan) &&
		    !store_undo_due(store) && is_decided(store);
		log_info(
		    *finished ? "%s is finished" : "going on with %s", newest);
		return g_steal_pointer(&store);
	}
	const bool ended = store_ended(store);
	if (!ended || wish->rounds > 0) {
		refuse_other(store, matrix, wish, ended, error);
		return NULL;
	}
	if (store_undo_due(store)) {
		refuse_undone(store, matrix->path, false, error);
		return NULL;
	}
	return create(matrix, plan, wish, error);
}
