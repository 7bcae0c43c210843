/*
 * A row of the undo journal as the text that a host keeps of it, with whose it
 * is: lines "key<TAB>value", values written as the verbs write them, and a
 * last line without which it is not whole.  Pure.
 */
#ifndef RUN_JOURNAL_TEXT_H
#define RUN_JOURNAL_TEXT_H

#include <glib.h>

#include "store/store.h"

typedef struct {
	StoreUndo undo;   /* id and target are not kept */
	char *controller; /* the host where abrun ran */
	char *user;
	char *directory; /* its run directory */
} JournalRow;

/* Strings of the row may be NULL where StoreUndo's may; free it. */
char *journal_text(const JournalRow *row);
/* NULL for a text that is not whole, or of another version; free it. */
JournalRow *journal_row_parse(const char *text);
void journal_row_free(JournalRow *row);
/* "sysctl vm.swappiness: was 60, set to 10"; fit to print, free it. */
char *journal_words(const StoreUndo *undo);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(JournalRow, journal_row_free)

#endif
