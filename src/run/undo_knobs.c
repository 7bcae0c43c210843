#include "run/undo_work.h"

#include <string.h>

#include "base/error.h"
#include "run/journal.h"
#include "run/undo_judge.h"

/* One thing that is read by the verb get and written by set. */
typedef struct {
	const char *kind, *name; /* of the verbs; borrowed */
	const char *wanted;      /* by the cell; NULL: what it was */
	GPtrArray *rows;         /* StoreUndo of work: open, newest first */
	char *original;          /* NULL: no such thing, or not known */
	char *current;           /* NULL: no such thing */
	bool unread;             /* could not be asked */
	bool put; /* its new row goes to the host before it is set */
	UndoVerdict verdict;
} Knob;

static void
knob_free(gpointer data)
{
	Knob *knob = data;

	g_ptr_array_unref(knob->rows);
	g_free(knob->original);
	g_free(knob->current);
	g_free(knob);
}

/* The verbs' word for what a setting turns, or NULL. */
static const char *
knob_kind(const Setting *setting)
{
	if (setting->kind == SETTING_THREADLIB && *setting->name != '\0')
		return UNDO_KIND_LIBMAP;
	return setting->kind == SETTING_SYSCTL ||
		setting->kind == SETTING_SYSFS || setting->kind == SETTING_THP
	    ? setting_kind_name(setting->kind)
	    : NULL;
}

/* The knob of this kind and name, made when it is new. */
static Knob *
find_knob(GPtrArray *knobs, const char *kind, const char *name)
{
	for (guint i = 0; i < knobs->len; i++) {
		Knob *knob = knobs->pdata[i];
		if (strcmp(knob->kind, kind) == 0 &&
		    strcmp(knob->name, name) == 0)
			return knob;
	}
	Knob *knob = g_new0(Knob, 1);
	knob->kind = kind;
	knob->name = name;
	knob->rows = g_ptr_array_new();
	g_ptr_array_add(knobs, knob);
	return knob;
}

/* Those with open rows first: they are put back newest first. */
static GPtrArray *
collect(
    const UndoWork *work, const GPtrArray *settings, const GPtrArray *subjects)
{
	GPtrArray *knobs = g_ptr_array_new_with_free_func(knob_free);
	const char *const command = setting_kind_name(SETTING_COMMAND);

	for (guint i = 0; i < work->rows->len; i++) {
		StoreUndo *row = work->rows->pdata[i];
		if (strcmp(row->kind, command) != 0 && !undo_is_server(row))
			g_ptr_array_add(
			    find_knob(knobs, row->kind, row->name)->rows, row);
	}
	for (guint i = 0; i < subjects->len; i++) {
		const Setting *subject = subjects->pdata[i];
		if (knob_kind(subject) != NULL)
			(void)find_knob(
			    knobs, knob_kind(subject), subject->name);
	}
	for (guint i = 0; i < settings->len; i++) {
		const Setting *setting = settings->pdata[i];
		if (knob_kind(setting) != NULL)
			find_knob(knobs, knob_kind(setting), setting->name)
			    ->wanted = setting->value;
	}
	return knobs;
}

/* "sysctl vm.swappiness", "thp"; free it. */
static char *
knob_words(const Knob *knob)
{
	return *knob->name == '\0'
	    ? g_strdup(knob->kind)
	    : g_strdup_printf("%s %s", knob->kind, knob->name);
}

static void G_GNUC_PRINTF(3, 4)
    trouble(UndoTroubles *troubles, const Knob *knob, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_autofree char *words = knob_words(knob);
	undo_troubles_add(troubles, g_strdup_printf("%s: %s", words, what));
}

/* Why an answer is not what was hoped for. */
static const char *
reason(const VerbAnswer *answer)
{
	const char *text = verb_answer_get(answer, "error");

	return text != NULL ? text : "the host gave no clear answer";
}

/* Reads all of them in one round trip. */
static bool
look(const UndoWork *work, GPtrArray *knobs, UndoTroubles *troubles,
    GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	for (guint i = 0; i < knobs->len; i++) {
		const Knob *knob = knobs->pdata[i];
		verb_call_add(call, "get", knob->kind, knob->name, NULL);
	}
	if (!journal_keep(call, work->store, work->index, error))
		return false;
	if (!target_call(
		work->target, call, deadline_in(UNDO_CALL_MS), &answers, error))
		return false;
	for (guint i = 0; i < knobs->len; i++) {
		Knob *knob = knobs->pdata[i];
		const VerbAnswer *answer = answers->pdata[i];
		const char *value = verb_answer_get(answer, "value");
		knob->unread = answer->status != VERB_ABSENT &&
		    (answer->status != VERB_DONE || value == NULL);
		if (knob->unread)
			trouble(troubles, knob, "cannot be read: %s",
			    reason(answer));
		else if (answer->status == VERB_DONE)
			knob->current = g_strdup(value);
	}
	return true;
}

/*
 * What each was: as its oldest row says, else as first seen on this boot,
 * else as it is now, which is kept for the proofs of all later visits.
 */
static bool
find_originals(const UndoWork *work, GPtrArray *knobs, GError **error)
{
	g_autoptr(GHashTable) originals =
	    store_originals(work->store, work->index, work->boot_id, error);

	if (originals == NULL)
		return false;
	for (guint i = 0; i < knobs->len; i++) {
		Knob *knob = knobs->pdata[i];
		g_autofree char *key =
		    g_strdup_printf("%s %s", knob->kind, knob->name);
		const char *kept = g_hash_table_lookup(originals, key);
		const StoreUndo *oldest = knob->rows->len > 0
		    ? knob->rows->pdata[knob->rows->len - 1]
		    : NULL;
		if (knob->unread)
			continue;
		knob->original = g_strdup(oldest != NULL ? oldest->old_value
			: kept != NULL                   ? kept
							 : knob->current);
		if (kept == NULL && knob->original != NULL &&
		    !store_original_keep(work->store, work->index,
			work->boot_id, knob->kind, knob->name, knob->original,
			error))
			return false;
	}
	return true;
}

static bool
set_rows(
    const UndoWork *work, const Knob *knob, UndoState state, GError **error)
{
	for (guint i = 0; i < knob->rows->len; i++) {
		StoreUndo *row = knob->rows->pdata[i];
		if (!store_undo_set(work->store, row->id, state, error))
			return false;
	}
	return true;
}

static const char *
shown(const char *value)
{
	return value != NULL ? value : "absent";
}

/* Decides about one, and marks its rows where it was changed by others. */
static bool
judge(const UndoWork *work, Knob *knob, UndoTroubles *troubles, GError **error)
{
	g_autoptr(GPtrArray) ours = g_ptr_array_new();
	const char *wanted =
	    knob->wanted != NULL ? knob->wanted : knob->original;

	knob->verdict = UNDO_NOTHING;
	if (knob->unread)
		return true;
	for (guint i = 0; i < knob->rows->len; i++) {
		const StoreUndo *row = knob->rows->pdata[i];
		g_ptr_array_add(ours, row->new_value);
	}
	knob->verdict = undo_judge(knob->current, knob->original, ours, wanted);
	if (knob->verdict == UNDO_REFUSE) {
		const StoreUndo *last =
		    knob->rows->len > 0 ? knob->rows->pdata[0] : NULL;
		troubles->foreign = true;
		trouble(troubles, knob,
		    "was %s%s%s and is %s now: changed by someone else, "
		    "left alone",
		    shown(knob->original), last != NULL ? ", set to " : "",
		    last != NULL ? shown(last->new_value) : "",
		    shown(knob->current));
		return set_rows(work, knob, UNDO_FOREIGN, error);
	}
	if (knob->verdict == UNDO_WRITE &&
	    (knob->current == NULL || wanted == NULL)) {
		trouble(troubles, knob, "this system has none to be set to %s",
		    shown(wanted));
		knob->verdict = UNDO_REFUSE;
	}
	return true;
}

/* A row for a change that is about to be made. */
static bool
intend(UndoWork *work, Knob *knob, const char *value, GError **error)
{
	StoreUndo *row = g_new0(StoreUndo, 1);

	g_ptr_array_insert(work->rows, 0, row);
	row->target = work->index;
	row->kind = g_strdup(knob->kind);
	row->name = g_strdup(knob->name);
	row->old_value = g_strdup(knob->original);
	row->new_value = g_strdup(value);
	row->scope = g_strdup(
	    strcmp(knob->kind, UNDO_KIND_LIBMAP) == 0 ? "disk" : "boot");
	row->boot_id = g_strdup(work->boot_id);
	row->state = UNDO_INTENDED;
	row->id = store_undo_intend(work->store, row, error);
	g_ptr_array_insert(knob->rows, 0, row);
	return row->id != 0;
}

/*
 * The knob was read as value.  If that is the original, all is undone; else
 * one row is done and the others, which have the same old value, are over.
 */
static bool
settle(
    const UndoWork *work, const Knob *knob, const char *value, GError **error)
{
	if (undo_same(value, knob->original))
		return set_rows(work, knob, UNDO_UNDONE, error);
	bool kept = false;
	for (guint i = 0; i < knob->rows->len; i++) {
		const StoreUndo *row = knob->rows->pdata[i];
		if (kept || !undo_same(row->new_value, value)) {
			if (!store_undo_set(
				work->store, row->id, UNDO_UNDONE, error))
				return false;
			continue;
		}
		kept = true;
		if (row->state == UNDO_INTENDED &&
		    !store_undo_set(work->store, row->id, UNDO_DONE, error))
			return false;
	}
	return true;
}

/* One answer of set: what was read back decides. */
static bool
take_answer(UndoWork *work, Knob *knob, const char *wanted,
    const VerbAnswer *answer, UndoTroubles *troubles, GError **error)
{
	const char *seen = verb_answer_get(answer, "new");

	/* 010 reads back as 10, which the verb calls a failure. */
	if (seen != NULL && undo_same(wanted, seen))
		return settle(work, knob, wanted, error);
	trouble(
	    troubles, knob, "cannot be set to %s: %s", wanted, reason(answer));
	/* A third value is our doing: without a row it were someone else's. */
	return seen == NULL || undo_same(seen, knob->original) ||
	    undo_same(seen, knob->current) || undo_same(seen, wanted) ||
	    intend(work, knob, seen, error);
}

/* Writes all that must be written in one round trip. */
static bool
write_knobs(
    UndoWork *work, GPtrArray *knobs, UndoTroubles *troubles, GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	for (guint i = 0; i < knobs->len; i++) {
		Knob *knob = knobs->pdata[i];
		if (knob->verdict != UNDO_WRITE)
			continue;
		if (knob->wanted != NULL) {
			if (!intend(work, knob, knob->wanted, error))
				return false;
			knob->put = journal_put(
			    call, work->store, knob->rows->pdata[0]);
		}
		verb_call_add(call, "set", knob->kind, knob->name,
		    knob->wanted != NULL ? knob->wanted : knob->original, NULL);
	}
	if (verb_call_length(call) == 0)
		return true;
	if (!target_call(
		work->target, call, deadline_in(UNDO_CALL_MS), &answers, error))
		return false;
	guint next = 0;
	for (guint i = 0; i < knobs->len; i++) {
		Knob *knob = knobs->pdata[i];
		next += knob->put;
		if (knob->verdict == UNDO_WRITE &&
		    !take_answer(work, knob,
			knob->wanted != NULL ? knob->wanted : knob->original,
			answers->pdata[next++], troubles, error))
			return false;
	}
	return true;
}

bool
undo_knobs(UndoWork *work, const GPtrArray *settings, const GPtrArray *subjects,
    GError **error)
{
	g_autoptr(GPtrArray) knobs = collect(work, settings, subjects);
	g_auto(UndoTroubles) troubles;

	undo_troubles_init(&troubles,
	    settings->len > 0 ? FAILURE_SETTING_FAILED : FAILURE_UNDO_FAILED);
	if (knobs->len == 0)
		return true;
	if (!look(work, knobs, &troubles, error) ||
	    !find_originals(work, knobs, error))
		return false;
	for (guint i = 0; i < knobs->len; i++)
		if (!judge(work, knobs->pdata[i], &troubles, error))
			return false;
	/* A cell that cannot be had is not half made. */
	if (work->left == NULL && !undo_troubles_end(&troubles, work, error))
		return false;
	for (guint i = 0; i < knobs->len; i++) {
		const Knob *knob = knobs->pdata[i];
		if (knob->verdict == UNDO_NOTHING && !knob->unread &&
		    !settle(work, knob, knob->current, error))
			return false;
	}
	return write_knobs(work, knobs, &troubles, error) &&
	    undo_troubles_end(&troubles, work, error);
}
