/*
 * A dictionary of a script with its words: read once, drawn from by every
 * client.  Words are kept escaped for SQL, so that a draw copies and no more.
 *
 * A Words may be read from any thread; a WordDraw is one client's.
 */
#ifndef ABLOAD_WORDS_H
#define ABLOAD_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "abload/smack.h"
#include "base/random.h"

typedef struct Words Words;

/* One client's place in one dictionary. */
typedef struct {
	uint64_t cursor;
} WordDraw;

/* What a draw may depend on besides the place. */
typedef struct {
	Random random;
	uint64_t client, clients; /* which one of how many */
} WordSource;

/*
 * Files of more bytes and lines of more are refused, as is an empty
 * dictionary: the original dies of it, with status 0.
 */
enum { WORDS_MAX_FILE = 1 << 30, WORDS_MAX_LINE = 511 };

/*
 * Reads a file (relative paths are below datadir), splits a list or takes a
 * template.  compat: the last word of a list, and the last line of a file
 * without a newline, are lost, and clients draw the same unique words, as with
 * the original.  ABRUN_ERROR_USAGE tells what is wrong with it.
 */
Words *words_new(const SmackDictionary *dictionary, const char *datadir,
    bool compat, GError **error);
/* The same of words that stand in text, as in a file of length bytes. */
Words *words_from_text(const SmackDictionary *dictionary, const char *text,
    size_t length, bool compat, GError **error);
void words_free(Words *words);

/* How many there are; 0: as many as are drawn. */
size_t words_count(const Words *words);
/* Word i as it stands in the file, and its length; borrowed. */
const char *words_raw(const Words *words, size_t i, size_t *length);
/* The most bytes that one draw copies. */
size_t words_longest(const Words *words);

/* Copies the next word, escaped for '...' in SQL or raw; its length. */
size_t words_draw(const Words *words, WordDraw *draw, WordSource *source,
    bool escaped, char *to);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Words, words_free)

#endif
