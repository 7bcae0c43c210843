/*
 * Inside undo only: what its files share.
 */
#ifndef RUN_UNDO_WORK_H
#define RUN_UNDO_WORK_H

#include <stdbool.h>

#include <glib.h>

#include "base/failure.h"
#include "store/store.h"
#include "target/target.h"

/* How long one call may take, and one command of the user's own. */
enum { UNDO_CALL_MS = 60000, UNDO_COMMAND_MS = 60000 };

/* A row's name is where the server listens, as the verb owner wants it. */
#define UNDO_KIND_SERVER "server"
/* A row's name is the service, its old value "active" or "inactive". */
#define UNDO_KIND_SERVICE "service"

/* A row's name is a program, its values libraries or "none"; a file. */
#define UNDO_KIND_LIBMAP "libmap"

typedef struct {
	Store *store;
	Target *target;
	size_t index; /* of the target */
	const char *boot_id;
	const char *work_dir; /* for commands; NULL: they make one */
	GPtrArray *rows;      /* StoreUndo: open ones, newest first */
	GPtrArray *left;      /* troubles go there; NULL: they are errors */
} UndoWork;

/* What went wrong with some of several things. */
typedef struct {
	GPtrArray *texts; /* char * */
	Failure failure;  /* the name of them all, unless foreign */
	bool foreign;     /* some were changed by someone else */
} UndoTroubles;

void undo_troubles_init(UndoTroubles *troubles, Failure failure);
void undo_troubles_clear(UndoTroubles *troubles);
/* Takes over the text. */
void undo_troubles_add(UndoTroubles *troubles, char *text);
/*
 * True when there are none, or when work has a list for them: they are moved
 * there.  Else false with an error that tells all.
 */
bool undo_troubles_end(
    UndoTroubles *troubles, const UndoWork *work, GError **error);

/*
 * Brings knobs to what the settings say, all others with open rows to what
 * they were; subjects are looked at for their original value.
 */
bool undo_knobs(UndoWork *work, const GPtrArray *settings,
    const GPtrArray *subjects, GError **error);

/* Stops the servers that are left. */
bool undo_servers(UndoWork *work, GError **error);
/* Whether a row is one of those. */
bool undo_is_server(const StoreUndo *row);

/* The directory to run commands in; free it. */
char *undo_directory(const UndoWork *work, GError **error);

/* Undoes the commands that the settings do not have, or not for certain. */
bool undo_commands_restore(
    UndoWork *work, const GPtrArray *settings, GError **error);
/* Applies those of the settings that are not applied. */
bool undo_commands_apply(
    UndoWork *work, const GPtrArray *settings, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(UndoTroubles, undo_troubles_clear)

#endif
