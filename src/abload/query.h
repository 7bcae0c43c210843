/*
 * A query of a script, ready to be sent again and again: what stands in it and
 * what is drawn, part after part.  A Query may be used by all clients; what
 * they draw with is their own.
 */
#ifndef ABLOAD_QUERY_H
#define ABLOAD_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "abload/smack.h"
#include "abload/words.h"

/* A piece of the text, then a draw from a dictionary where there is one. */
typedef struct {
	char *text;
	size_t length;
	const Words *words; /* drawn from; NULL: no draw */
	size_t dictionary;  /* its index in the script */
} QueryPart;

typedef struct {
	const SmackQuery *of;
	size_t type;     /* index of its row in the report */
	GArray *parts;   /* QueryPart */
	size_t longest;  /* most bytes of one filling */
	char *prepared;  /* with ? for its draws; NULL: it cannot be */
	size_t draws;    /* in it */
	bool must_match; /* no row returned or matched: a miss */
} Query;

/*
 * words: Words * by index of the dictionary, which outlive it.  compat: what
 * stands behind the first backslash is not looked at, and a $name at the very
 * end is lost, as with the original.  ABRUN_ERROR_USAGE for a dictionary that
 * is not there. why_text says, where it cannot be prepared, why (free it).
 */
Query *query_new(const SmackQuery *query, const Smack *smack,
    const GPtrArray *words, bool compat, char **why_text, GError **error);
void query_free(Query *query);

/* Writes the text with new draws; its length. */
size_t query_fill(
    const Query *query, WordDraw *draws, WordSource *source, char *to);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Query, query_free)

#endif
