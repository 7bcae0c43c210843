#include "load/match.h"

#include <string.h>

#include "base/failure.h"
#include "base/text.h"
#include "load/load.h"

enum { LINE_SHOWN_BYTES = 160 };

/* Does one thing with a match; false ends the search. */
typedef bool (*OnMatch)(const GMatchInfo *match, void *data, GError **error);

/* A line without its end; too long ones lose their last, perhaps cut word. */
static void
append_line(LoadText *text, GString *clean, const char *line, size_t length)
{
	if (length > LOAD_LINE_BYTES) {
		length = LOAD_LINE_BYTES;
		while (length > 0 && !g_ascii_isspace(line[length - 1]))
			length--;
		text->cut_lines++;
	}
	g_string_append_len(clean, line, (gssize)length);
	g_string_append_c(clean, '\n');
}

static char *
clean_lines(LoadText *text, const char *raw)
{
	GString *clean = g_string_new(NULL);

	while (*raw != '\0') {
		const size_t length = strcspn(raw, "\r\n");
		append_line(text, clean, raw, length);
		raw += length;
		if (raw[0] == '\r' && raw[1] == '\n')
			raw++;
		if (*raw != '\0')
			raw++;
	}
	return g_string_free(clean, FALSE);
}

/* Where the piece that ends before end begins: at the start of a line. */
static const char *
piece_start(const char *clean, const char *end)
{
	if (end - clean <= LOAD_PIECE_BYTES)
		return clean;

	const char *start = end - LOAD_PIECE_BYTES;
	while (start < end && start[-1] != '\n')
		start++;
	return start;
}

LoadText *
load_text_new(const char *raw, Deadline deadline)
{
	LoadText *text = g_new0(LoadText, 1);
	g_autofree char *clean = clean_lines(text, raw);
	const char *end = clean + strlen(clean);

	text->deadline = deadline;
	text->cut = strstr(clean, "\n[abrun: ") != NULL;
	text->empty = clean[strspn(clean, " \t\n")] == '\0';
	text->pieces = g_ptr_array_new_with_free_func(g_free);
	while (end > clean) {
		const char *start = piece_start(clean, end);
		g_ptr_array_insert(
		    text->pieces, 0, g_strndup(start, (gsize)(end - start)));
		end = start;
	}
	return text;
}

void
load_text_free(LoadText *text)
{
	if (text == NULL)
		return;
	g_ptr_array_unref(text->pieces);
	g_free(text);
}

static GRegex *
compile(const char *pattern, GError **error)
{
	g_autoptr(GError) cause = NULL;
	g_autofree char *limited =
	    g_strdup_printf("(*LIMIT_MATCH=%d)(*LIMIT_HEAP=65536)%s",
		LOAD_REGEX_STEPS, pattern);
	GRegex *regex = g_regex_new(limited,
	    G_REGEX_MULTILINE | G_REGEX_RAW | G_REGEX_NEWLINE_LF, 0, &cause);

	if (regex == NULL)
		failure_set(error, FAILURE_BAD_RESULT, ABRUN_ERROR_FAILED,
		    "the pattern \"%s\" is wrong: %s", pattern, cause->message);
	return regex;
}

static bool
search_piece(const char *piece, const GRegex *regex, const char *pattern,
    OnMatch on_match, void *data, GError **error)
{
	g_autoptr(GMatchInfo) match = NULL;
	g_autoptr(GError) cause = NULL;

	g_regex_match_full(regex, piece, -1, 0, 0, &match, &cause);
	while (cause == NULL && g_match_info_matches(match)) {
		if (!on_match(match, data, error))
			return false;
		g_match_info_next(match, &cause);
	}
	if (cause == NULL)
		return true;
	failure_set(error, FAILURE_BAD_RESULT, ABRUN_ERROR_FAILED,
	    "the search for \"%s\" in the output was given up: it takes too "
	    "many steps",
	    pattern);
	return false;
}

static bool
search(const LoadText *text, const char *pattern, OnMatch on_match, void *data,
    GError **error)
{
	g_autoptr(GRegex) regex = compile(pattern, error);

	if (regex == NULL)
		return false;
	for (guint i = 0; i < text->pieces->len; i++) {
		if (deadline_passed(text->deadline)) {
			failure_set(error, FAILURE_BAD_RESULT,
			    ABRUN_ERROR_FAILED,
			    "the output could not be judged within %d s: "
			    "simpler patterns or less output would do",
			    LOAD_JUDGE_MS / 1000);
			return false;
		}
		if (!search_piece(g_ptr_array_index(text->pieces, i), regex,
			pattern, on_match, data, error))
			return false;
	}
	return true;
}

static bool
keep_line(const GMatchInfo *match, void *data, GError **error)
{
	char **line = data;
	const char *piece = g_match_info_get_string(match);
	int start = 0;

	(void)error;
	if (*line != NULL || !g_match_info_fetch_pos(match, 0, &start, NULL))
		return true;
	while (start > 0 && piece[start - 1] != '\n')
		start--;
	g_autofree char *whole =
	    g_strndup(piece + start, strcspn(piece + start, "\n"));
	*line = text_printable(g_strstrip(whole), LINE_SHOWN_BYTES);
	return true;
}

bool
load_text_line(
    const LoadText *text, const char *regex, char **line, GError **error)
{
	g_autofree char *first = NULL;

	if (!search(text, regex, keep_line, &first, error))
		return false;
	*line = g_steal_pointer(&first);
	return true;
}

typedef struct {
	const Metric *metric;
	int matches;
	double value;
	bool vanished;
	char *bad; /* the line of what was picked but is no number, or NULL */
} Picked;

/* What may follow a number that is whole: no digits, exponent or "k". */
static bool
goes_on(const char *c)
{
	if (g_ascii_isdigit(*c))
		return true;
	if (*c == '.' || *c == ',')
		return g_ascii_isdigit(c[1]);
	if (*c == 'e' || *c == 'E')
		return g_ascii_isdigit(c[1]) || c[1] == '+' || c[1] == '-';
	return *c != '\0' && strchr("kKMGT", *c) != NULL &&
	    !g_ascii_isalnum(c[1]);
}

/*
 * A number that the pattern cut: it captured "1234" of "1234,5".  What the
 * pattern itself matches beyond the number, its author knows of.
 */
static bool
is_cut(const GMatchInfo *match)
{
	const char *piece = g_match_info_get_string(match);
	int start = 0, end = 0, from = 0, to = 0;

	g_match_info_fetch_pos(match, 0, &from, &to);
	g_match_info_fetch_pos(match, 1, &start, &end);
	if (to == end && goes_on(piece + end))
		return true;
	return from == start && start > 0 &&
	    (g_ascii_isdigit(piece[start - 1]) ||
		strchr(".,-", piece[start - 1]) != NULL);
}

/* Only digits, one point, a sign, an exponent: no hex, no nan, no inf. */
static bool
read_number(const GMatchInfo *match, double *value, bool *vanished)
{
	g_autofree char *digits = g_match_info_fetch(match, 1);

	if (digits == NULL ||
	    digits[strspn(digits, "0123456789.+-eE")] != '\0' ||
	    is_cut(match) || !text_parse_double(digits, value, NULL))
		return false;
	*vanished = strchr(digits, '.') != NULL &&
	    digits[strspn(digits, "0.+-")] == '\0';
	return true;
}

static bool
pick(const GMatchInfo *match, void *data, GError **error)
{
	Picked *picked = data;
	const MatchChoice choice = picked->metric->choice;
	double value = 0;
	bool vanished = false;

	if (++picked->matches > LOAD_MATCHES ||
	    (choice == MATCH_ONLY && picked->matches > 1)) {
		failure_set(error, FAILURE_BAD_RESULT, ABRUN_ERROR_FAILED,
		    "%s stands in the output %s", picked->metric->name,
		    choice == MATCH_ONLY ? "more than once" : "too often");
		return false;
	}
	if (choice == MATCH_FIRST && picked->matches > 1)
		return true;
	if (choice == MATCH_LAST)
		g_clear_pointer(&picked->bad, g_free);
	if (!read_number(match, &value, &vanished))
		keep_line(match, &picked->bad, NULL);
	picked->vanished =
	    vanished || (choice == MATCH_SUM && picked->vanished);
	picked->value = choice == MATCH_SUM ? picked->value + value : value;
	return true;
}

bool
load_text_number(const LoadText *text, const Metric *metric, bool *found,
    double *value, bool *vanished, GError **error)
{
	Picked picked = { .metric = metric };
	const bool ok = search(text, metric->regex, pick, &picked, error);
	g_autofree char *bad = picked.bad;

	if (!ok)
		return false;
	if (bad != NULL) {
		failure_set(error, FAILURE_BAD_RESULT, ABRUN_ERROR_FAILED,
		    "%s is no plain number in \"%s\"", metric->name, bad);
		return false;
	}
	*found = picked.matches > 0;
	if (*found)
		*value = picked.value;
	*vanished = picked.vanished;
	return true;
}
