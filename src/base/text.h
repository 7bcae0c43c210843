/*
 * Text in and out: strict parsing of numbers, sizes and durations; guesses
 * for misspelt words; remote text made safe for a terminal.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

/*
 * Each reads the whole string or fails with ABRUN_ERROR_USAGE, a message that
 * names what was read, and *value untouched.
 */
bool text_parse_int(
    const char *text, int64_t min, int64_t max, int64_t *value, GError **error);
/* A finite number with '.', never a decimal comma. */
bool text_parse_double(const char *text, double *value, GError **error);
/* "64M", "512", "1.5G": bytes; K M G T are powers of 1024. */
bool text_parse_size(const char *text, uint64_t *bytes, GError **error);
/* "250ms", "3s", "5min", "1h30min", "2h": milliseconds; a unit is needed. */
bool text_parse_duration(const char *text, int64_t *ms, GError **error);

/* "250 ms", "3 s", "1 min 45 s", "7 h 52 min"; free it. */
char *text_duration(int64_t ms);

/*
 * The candidate nearest to the word by Damerau-Levenshtein distance, at most
 * max(1, length / 3) away; NULL if none is.  The list ends with NULL.
 */
const char *text_nearest(const char *word, const char *const *candidates);

/*
 * A copy of foreign text with control characters, line separators, invalid
 * UTF-8 and bidirectional overrides written as \xNN, newline as \n and tab as
 * \t.  It is cut once it has max_bytes, and then ends with "...".  Free it.
 */
char *text_printable(const char *text, size_t max_bytes);
/* The same for several lines, whose ends and tabs stay; never cut. */
char *text_printable_lines(const char *text);
/*
 * The lines of foreign text in one, "a; b", without empty and repeated ones,
 * printable and cut as above.  Free it.
 */
char *text_one_line(const char *text, size_t max_bytes);

/* [A-Za-z0-9._-]+, not starting with . or -, at most 64 bytes. */
bool text_is_safe_name(const char *name);
/* [A-Za-z_][A-Za-z0-9_]* */
bool text_is_variable(const char *name);
/* Text as a safe name: other bytes become '_'; never empty.  Free it. */
char *text_safe_name(const char *text);

/* sha256 in lower-case hex; free it. */
char *text_sha256(const char *data, size_t length);

/* Words wrapped at width columns, each line after indent; free it. */
char *text_wrap(const char *text, const char *indent, size_t width);

#endif
