/*
 * What to do about one knob, given what it was, what abrun wrote and what it
 * is now.  Pure.
 */
#ifndef RUN_UNDO_JUDGE_H
#define RUN_UNDO_JUDGE_H

#include <stdbool.h>

#include <glib.h>

typedef enum {
	UNDO_NOTHING, /* it is as wanted */
	UNDO_WRITE,   /* it is as it was, or ours: write what is wanted */
	UNDO_REFUSE,  /* neither: changed by someone else */
} UndoVerdict;

/*
 * Values may be NULL: there is no such knob.  ours (char *, or NULL) are the
 * values of rows not yet undone, intended ones as well: they may or may not
 * have been written.  wanted may be the original.
 */
UndoVerdict undo_judge(const char *current, const char *original,
    const GPtrArray *ours, const char *wanted);

/* Equal as the kernel means it; NULL equals NULL alone. */
bool undo_same(const char *a, const char *b);

#endif
