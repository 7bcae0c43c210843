#include "run/undo_work.h"

#include <string.h>

#include "base/failure.h"
#include "base/text.h"
#include "run/journal.h"

/* Bytes of a command's output that are kept, and that are shown. */
enum { OUTPUT_BYTES = 4096, SHOWN_BYTES = 300 };

/* A command to be run for a row. */
typedef struct {
	const StoreUndo *row;
	const char *text;
	bool put; /* the row goes to the host before it */
	bool ok;  /* it ended with status 0 */
} Command;

static bool
is_command(const StoreUndo *row)
{
	return strcmp(row->kind, setting_kind_name(SETTING_COMMAND)) == 0;
}

static const Setting *
setting_of(const GPtrArray *settings, const char *apply)
{
	for (guint i = 0; i < settings->len; i++) {
		const Setting *setting = settings->pdata[i];
		if (setting->kind == SETTING_COMMAND &&
		    strcmp(setting->apply, apply) == 0)
			return setting;
	}
	return NULL;
}

/*
 * Applied for certain, and nothing can have taken it away: it may stay.  A
 * command without an undo never may: other commands are its undo.
 */
static bool
is_in_force(const UndoWork *work, const StoreUndo *row)
{
	return row->state == UNDO_DONE && row->old_value != NULL &&
	    g_strcmp0(row->boot_id, work->boot_id) == 0;
}

static void
judge_answer(Command *command, const VerbAnswer *answer, UndoTroubles *troubles)
{
	const char *status = verb_answer_get(answer, "exit");
	const char *late = verb_answer_get(answer, "timed_out");
	const char *said = verb_answer_get(answer, "err");

	command->ok = answer->status == VERB_DONE &&
	    g_strcmp0(status, "0") == 0 && g_strcmp0(late, "yes") != 0;
	if (command->ok)
		return;
	if (said == NULL || *said == '\0')
		said = verb_answer_get(answer, "error");
	g_autofree char *words = g_strdup(said != NULL ? said : "");
	g_autofree char *output =
	    text_printable(g_strchomp(words), SHOWN_BYTES);
	g_autofree char *end = g_strcmp0(late, "yes") == 0
	    ? g_strdup_printf("did not end in %d s", UNDO_COMMAND_MS / 1000)
	    : status == NULL ? g_strdup("could not be run")
			     : g_strdup_printf("ended with status %s", status);
	undo_troubles_add(troubles,
	    g_strdup_printf("command \"%s\" %s%s%s", command->text, end,
		*output != '\0' ? ": " : "", output));
}

char *
undo_directory(const UndoWork *work, GError **error)
{
	if (work->work_dir != NULL)
		return g_strdup(work->work_dir);
	g_autoptr(VerbAnswer) made = target_ask(
	    work->target, deadline_in(UNDO_CALL_MS), error, "workdir", NULL);
	if (made == NULL)
		return NULL;
	const char *dir = verb_answer_get(made, "dir");
	if (dir == NULL)
		failure_set(error, FAILURE_NO_ANSWER, ABRUN_ERROR_FAILED,
		    "the host made no work directory for commands");
	return g_strdup(dir);
}

/* Runs them in order. */
static bool
run_commands(const UndoWork *work, GArray *commands, UndoTroubles *troubles,
    GError **error)
{
	g_autoptr(VerbCall) call = verb_call_new();
	g_autoptr(GPtrArray) answers = NULL;

	if (commands->len == 0)
		return true;
	g_autofree char *dir = undo_directory(work, error);
	if (dir == NULL)
		return false;
	for (guint i = 0; i < commands->len; i++) {
		g_autofree char *limit = g_strdup_printf("%d", UNDO_COMMAND_MS);
		g_autofree char *cap = g_strdup_printf("%d", OUTPUT_BYTES);
		Command *command = &g_array_index(commands, Command, i);
		command->put = command->put &&
		    journal_put(call, work->store, command->row);
		verb_call_add(call, "load_run", dir, limit, cap, "", "0",
		    command->text, NULL);
	}
	if (work->work_dir == NULL)
		verb_call_add(call, "remove_workdir", dir, NULL);
	if (!journal_keep(call, work->store, work->index, error))
		return false;
	if (!target_call(work->target, call,
		deadline_in(
		    UNDO_CALL_MS + (int64_t)commands->len * UNDO_COMMAND_MS),
		&answers, error))
		return false;
	guint next = 0;
	for (guint i = 0; i < commands->len; i++) {
		Command *command = &g_array_index(commands, Command, i);
		next += command->put;
		judge_answer(command, answers->pdata[next++], troubles);
	}
	return true;
}

/* The rows of commands that ended well get their new state. */
static bool
set_states(const UndoWork *work, const GArray *commands, UndoState state,
    GError **error)
{
	for (guint i = 0; i < commands->len; i++) {
		const Command *command = &g_array_index(commands, Command, i);
		if (command->ok &&
		    !store_undo_set(
			work->store, command->row->id, state, error))
			return false;
	}
	return true;
}

/* Rows that were undone are open no longer. */
static void
drop_rows(UndoWork *work, const GArray *commands)
{
	for (guint i = 0; i < commands->len; i++) {
		const Command *command = &g_array_index(commands, Command, i);
		if (command->ok)
			(void)g_ptr_array_remove(
			    work->rows, (gpointer)command->row);
	}
}

bool
undo_commands_restore(UndoWork *work, const GPtrArray *settings, GError **error)
{
	g_autoptr(GArray) undos = g_array_new(FALSE, TRUE, sizeof(Command));
	g_auto(UndoTroubles) troubles;

	undo_troubles_init(&troubles, FAILURE_UNDO_FAILED);
	for (guint i = 0; i < work->rows->len; i++) {
		const StoreUndo *row = work->rows->pdata[i];
		const Command undo = { .row = row, .text = row->old_value };
		if (!is_command(row))
			continue;
		if (row->old_value != NULL) {
			if (setting_of(settings, row->name) == NULL ||
			    !is_in_force(work, row))
				g_array_append_val(undos, undo);
		} else if (work->left != NULL)
			undo_troubles_add(&troubles,
			    g_strdup_printf("command \"%s\" was run and has no "
					    "undo",
				row->name));
	}
	if (!run_commands(work, undos, &troubles, error) ||
	    !set_states(work, undos, UNDO_UNDONE, error))
		return false;
	drop_rows(work, undos);
	return undo_troubles_end(&troubles, work, error);
}

static const StoreUndo *
row_of(const UndoWork *work, const char *apply)
{
	for (guint i = 0; i < work->rows->len; i++) {
		const StoreUndo *row = work->rows->pdata[i];
		if (is_command(row) && strcmp(row->name, apply) == 0)
			return row;
	}
	return NULL;
}

/* A row for a command that is about to be run. */
static const StoreUndo *
intend(UndoWork *work, const Setting *setting, GError **error)
{
	StoreUndo *row = g_new0(StoreUndo, 1);

	g_ptr_array_insert(work->rows, 0, row);
	row->target = work->index;
	row->kind = g_strdup(setting_kind_name(SETTING_COMMAND));
	row->name = g_strdup(setting->apply);
	row->old_value = g_strdup(setting->undo);
	row->scope = g_strdup("disk");
	row->boot_id = g_strdup(work->boot_id);
	row->state = UNDO_INTENDED;
	row->id = store_undo_intend(work->store, row, error);
	return row->id != 0 ? row : NULL;
}

bool
undo_commands_apply(UndoWork *work, const GPtrArray *settings, GError **error)
{
	g_autoptr(GArray) applies = g_array_new(FALSE, TRUE, sizeof(Command));
	g_auto(UndoTroubles) troubles;

	undo_troubles_init(&troubles, FAILURE_SETTING_FAILED);
	for (guint i = 0; i < settings->len; i++) {
		const Setting *setting = settings->pdata[i];
		if (setting->kind != SETTING_COMMAND)
			continue;
		const StoreUndo *row = row_of(work, setting->apply);
		if (row != NULL && is_in_force(work, row))
			continue;
		if (row == NULL && (row = intend(work, setting, error)) == NULL)
			return false;
		/* One without an undo is for good: nobody is to wait for it. */
		const Command apply = { .row = row,
			.text = setting->apply,
			.put = setting->undo != NULL };
		g_array_append_val(applies, apply);
	}
	return run_commands(work, applies, &troubles, error) &&
	    set_states(work, applies, UNDO_DONE, error) &&
	    undo_troubles_end(&troubles, work, error);
}
