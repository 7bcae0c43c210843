/*
 * A program's output under regular expressions that must not be able to hold
 * up the night: lines are cut, each place of a match has a step limit, long
 * output is searched in pieces, and a deadline is looked at between them.
 */
#ifndef LOAD_MATCH_H
#define LOAD_MATCH_H

#include <stdbool.h>

#include <glib.h>

#include "base/deadline.h"
#include "matrix/loaddef.h"

enum {
	/*
	 * Output is searched in pieces of whole lines, counted from its end, so
	 * that a final block is in one piece; within one, a bad pattern costs
	 * some ten seconds at most.
	 */
	LOAD_PIECE_BYTES = 32 << 10,
	LOAD_JUDGE_MS = 20000, /* all patterns of one run together */
};

typedef struct {
	GPtrArray *pieces; /* char *, in order; lines end with LF alone */
	size_t cut_lines;  /* how many were too long */
	bool cut;          /* the caller had cut it: "[abrun: N bytes cut]" */
	bool empty;        /* nothing but blanks */
	Deadline deadline;
} LoadText;

LoadText *load_text_new(const char *raw, Deadline deadline);
void load_text_free(LoadText *text);

/*
 * The first line that the regex matches in, made printable, or NULL when none
 * does; free it.  False with ABRUN_ERROR_FAILED when the search gave up.
 */
bool load_text_line(
    const LoadText *text, const char *regex, char **line, GError **error);

/*
 * The number that metric->regex and ->choice pick.  *found is false when
 * nothing matches.  *vanished: it is written as 0.00, which may be any number
 * that is too small for its digits.  False with ABRUN_ERROR_FAILED when what
 * matches is not a plain number, was not captured whole, or is not the only
 * one.
 */
bool load_text_number(const LoadText *text, const Metric *metric, bool *found,
    double *value, bool *vanished, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(LoadText, load_text_free)

#endif
