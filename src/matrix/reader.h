/*
 * A thin typed layer over libconfig, for matrices and load definitions.  It
 * collects every mistake of a file, so that all are told together: one line
 * each, "file:line: path: what is wrong, what would be right".
 *
 *     g_autoptr(Reader) reader = reader_open(path, error);
 *     if (reader == NULL)
 *             return NULL;                 // unreadable, or no libconfig
 *     const ReaderNode *root = reader_root(reader);
 *     reader_keys(reader, root, &place, others, NULL);
 *     char *help = reader_string(reader, root, "help");
 *     ...
 *     if (!reader_finish(reader, error))   // mistakes of meaning
 *             ...
 *
 * Every getter tells what is wrong by itself.  An optional getter leaves
 * *value untouched and says nothing when the key is absent, so give the
 * default before.  Nodes live as long as the reader; what a getter returns is
 * a copy to be freed.  A NULL group is a group without keys.
 */
#ifndef MATRIX_READER_H
#define MATRIX_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>
#include <libconfig.h>

typedef struct Reader Reader;
typedef config_setting_t ReaderNode;

/*
 * Reads a file with its includes.  NULL with ABRUN_ERROR_USAGE when it cannot
 * be read, when libconfig stops at a syntax error, or when the pre-scan finds
 * what libconfig would hide; the message is the whole report.
 */
Reader *reader_open(const char *path, GError **error);
/* The same for text in memory; path names it and anchors its includes. */
Reader *reader_parse(
    const char *text, size_t length, const char *path, GError **error);
void reader_free(Reader *reader);
/* False with ABRUN_ERROR_USAGE and the whole report if there are mistakes. */
bool reader_finish(const Reader *reader, GError **error);
/* How many mistakes were told so far. */
size_t reader_mistakes(const Reader *reader);

const ReaderNode *reader_root(const Reader *reader);
/* The text that was read, includes put in. */
const char *reader_text(const Reader *reader);
/* The path it was opened by. */
const char *reader_path(const Reader *reader);

/* Adds "file:line: path: ..." about a node. */
void reader_mistake(Reader *reader, const ReaderNode *node, const char *format,
    ...) G_GNUC_PRINTF(3, 4);
/* The same about a key that a group has or lacks: path.key. */
void reader_mistake_key(Reader *reader, const ReaderNode *group,
    const char *key, const char *format, ...) G_GNUC_PRINTF(4, 5);
/* Adds a whole report made elsewhere (another file's) at a node. */
void reader_adopt(Reader *reader, const ReaderNode *node, const GError *report);

/* The node's line in its own file. */
int reader_line(const Reader *reader, const ReaderNode *node);

/* A set of keys that belong together, and how to name it in a message. */
typedef struct {
	const char *name;        /* "design", "a load" */
	const char *const *keys; /* ends with NULL */
} ReaderPlace;

/*
 * Tells every key of the group that here does not have: "unknown key, did you
 * mean ...", or where it belongs if one of others (ends with NULL; may be
 * NULL) has it.  extra: more keys that are right (ends with NULL; or NULL).
 */
void reader_keys(Reader *reader, const ReaderNode *group,
    const ReaderPlace *here, const ReaderPlace *const *others,
    const char *const *extra);
/*
 * `, did you mean "x"?`, or an empty string, as for words of one or two
 * letters; free it.
 */
char *reader_guess(const char *word, const char *const *candidates);

/* NULL when the group lacks the key. */
const ReaderNode *reader_get(const ReaderNode *group, const char *key);
/* Number of members or elements; 0 for scalars and NULL. */
size_t reader_length(const ReaderNode *node);
const ReaderNode *reader_element(const ReaderNode *node, size_t index);
/* "" for elements. */
const char *reader_name(const ReaderNode *node);

bool reader_is_group(const ReaderNode *node);
bool reader_is_sequence(const ReaderNode *node); /* [ ] or ( ) */
bool reader_is_string(const ReaderNode *node);
bool reader_is_scalar(const ReaderNode *node);
/* A scalar as text: 10, 0.5, true, words; NULL for others.  Free it. */
char *reader_scalar(const ReaderNode *node);
/* "a string", "an integer", "a list ( )"... */
const char *reader_type_name(const ReaderNode *node);

/* Optional; NULL when absent or wrong.  An empty string is wrong. */
char *reader_string(Reader *reader, const ReaderNode *group, const char *key);
/* The same, but "" is right. */
char *reader_string_or_empty(
    Reader *reader, const ReaderNode *group, const char *key);
/* Must be there; `right` completes "is missing, write KEY = ...". */
char *reader_need_string(Reader *reader, const ReaderNode *group,
    const char *key, const char *right);
/*
 * Optional values.  True when *value was set; false, *value untouched, when
 * the key is absent or wrong.
 */
bool reader_bool(
    Reader *reader, const ReaderNode *group, const char *key, bool *value);
bool reader_int(Reader *reader, const ReaderNode *group, const char *key,
    int64_t min, int64_t max, int64_t *value);
/* An integer is a number, too. */
bool reader_double(Reader *reader, const ReaderNode *group, const char *key,
    double min, double max, double *value);
/* A string with a unit, "250ms", "3s", "5min": milliseconds. */
bool reader_duration(Reader *reader, const ReaderNode *group, const char *key,
    int64_t min_ms, int64_t *ms);
/* A string, "1%", or a number: per cent, 0 to 100. */
bool reader_percent(
    Reader *reader, const ReaderNode *group, const char *key, double *percent);
/* One of words (ends with NULL): its index. */
bool reader_enum(Reader *reader, const ReaderNode *group, const char *key,
    const char *const *words, int *value);

/*
 * A [ ] or ( ) of strings as char *; a single string is a list of one.  Never
 * NULL; g_ptr_array_unref() it.
 */
GPtrArray *reader_strings(
    Reader *reader, const ReaderNode *group, const char *key);
/*
 * The node of a ( ) that holds only groups { }; NULL when absent or wrong.
 */
const ReaderNode *reader_groups(
    Reader *reader, const ReaderNode *group, const char *key);
/* The node of a group { }; NULL when absent or wrong. */
const ReaderNode *reader_group(
    Reader *reader, const ReaderNode *group, const char *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Reader, reader_free)

#endif
