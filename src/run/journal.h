/*
 * The undo journal on the host itself: rows of the store are put there, too,
 * before the change is made, so that another controller can undo what this one
 * left when it died.  Once a row is undone, or found changed by someone else,
 * the host is told which are still open, by the next call that goes there
 * anyway.  A run that has never locked the host keeps nothing there.
 */
#ifndef RUN_JOURNAL_H
#define RUN_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "run/journal_text.h"
#include "run/worker.h"

/* The fact of a host by which it knows the run. */
#define JOURNAL_TOKEN "lock_token"

/*
 * Adds the verb that puts a stored row there; true if one was added.  It must
 * come before the verb that makes the change, which is not carried out if the
 * row cannot be put.
 */
bool journal_put(VerbCall *call, Store *store, const StoreUndo *row);
/* Adds the verb that removes the rows that are no longer open. */
bool journal_keep(VerbCall *call, Store *store, size_t target, GError **error);
/* Both at once in calls of their own. */
bool journal_put_now(
    Store *store, Target *target, const StoreUndo *row, GError **error);
bool journal_keep_now(
    Store *store, Target *target, size_t index, GError **error);

/* A row on a host. */
typedef struct {
	char *run;       /* the token of its run */
	char *id;        /* of the row in that run */
	int64_t stored;  /* of the same in a store here; 0: in none */
	JournalRow *row; /* NULL: a file that is not whole */
} JournalEntry;

/* All of a host, oldest first of each run; NULL with an error. */
GPtrArray *journal_list(Target *target, GError **error);
/* Still to be undone on this boot. */
bool journal_is_open(const JournalEntry *entry, const char *boot_id);
/* Removes all rows of a run but those (char *). */
bool journal_keep_only(
    Target *target, const char *run, const GPtrArray *ids, GError **error);

/*
 * No other run's changes are open on the host, nor were left by an earlier
 * run of the same controller; else ABRUN_ERROR_HOST, which names them and
 * what undoes them.
 */
bool journal_check(Worker *worker, GError **error);

#endif
