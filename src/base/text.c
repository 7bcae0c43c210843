#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { NAME_BYTES = 64, WORD_BYTES = 64 };

bool
text_parse_int(
    const char *text, int64_t min, int64_t max, int64_t *value, GError **error)
{
	char *end = NULL;

	errno = 0;
	const int64_t parsed = g_ascii_strtoll(text, &end, 10);
	if (*text == '\0' || g_ascii_isspace(*text) || *end != '\0') {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "\"%s\" is not a whole number", text);
		return false;
	}
	if (errno == ERANGE || parsed < min || parsed > max) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "%s is not between %" G_GINT64_FORMAT
		    " and %" G_GINT64_FORMAT,
		    text, min, max);
		return false;
	}
	*value = parsed;
	return true;
}

bool
text_parse_double(const char *text, double *value, GError **error)
{
	char *end = NULL;
	const double parsed = g_ascii_strtod(text, &end);

	if (*text == '\0' || g_ascii_isspace(*text) || *end != '\0' ||
	    !isfinite(parsed)) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "\"%s\" is not a number", text);
		return false;
	}
	*value = parsed;
	return true;
}

/* Digits with at most one point, as much as there is; NULL if none. */
static const char *
parse_prefix(const char *text, double *value)
{
	const size_t length = strspn(text, "0123456789.");
	g_autofree char *digits = g_strndup(text, length);

	if (length == 0 || !text_parse_double(digits, value, NULL))
		return NULL;
	return text + length;
}

bool
text_parse_size(const char *text, uint64_t *bytes, GError **error)
{
	static const char units[] = "KMGT";
	double value = 0;
	const char *rest = parse_prefix(text, &value);

	if (rest != NULL && *rest != '\0') {
		const char *unit = strchr(units, *rest);
		if (unit == NULL || rest[1] != '\0')
			rest = NULL;
		else
			value = ldexp(value, (int)(unit - units + 1) * 10);
	}
	if (rest == NULL || value >= 0x1p63) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "\"%s\" is not a size such as 512, 64M or 1.5G", text);
		return false;
	}
	*bytes = (uint64_t)value;
	return true;
}

bool
text_parse_duration(const char *text, int64_t *ms, GError **error)
{
	static const struct {
		const char *unit;
		double ms;
	} units[] = { { "ms", 1 }, { "s", 1e3 }, { "min", 60e3 }, { "m", 60e3 },
		{ "h", 3600e3 }, { "d", 86400e3 } };
	double total = 0;
	const char *rest = text;

	while (rest != NULL && (*rest != '\0' || rest == text)) {
		double value = 0;
		rest = parse_prefix(rest, &value);
		if (rest == NULL)
			break;
		const size_t length =
		    strspn(rest, "abcdefghijklmnopqrstuvwxyz");
		size_t i = 0;
		while (i < G_N_ELEMENTS(units) &&
		    (strlen(units[i].unit) != length ||
			strncmp(units[i].unit, rest, length) != 0))
			i++;
		if (i == G_N_ELEMENTS(units)) {
			rest = NULL;
			break;
		}
		total += value * units[i].ms;
		rest += length;
		rest += strspn(rest, " ");
	}
	if (rest == NULL || total >= 0x1p53) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "\"%s\" is not a duration such as 250ms, 3s, 5min or 2h",
		    text);
		return false;
	}
	*ms = (int64_t)total;
	return true;
}

char *
text_duration(int64_t ms)
{
	const int64_t s = (ms + 500) / 1000;

	if (ms < 1000)
		return g_strdup_printf("%d ms", (int)ms);
	if (s < 60)
		return g_strdup_printf("%d s", (int)s);
	if (s < 3600 && s % 60 == 0)
		return g_strdup_printf("%d min", (int)(s / 60));
	if (s < 3600)
		return g_strdup_printf(
		    "%d min %d s", (int)(s / 60), (int)(s % 60));
	return g_strdup_printf(
	    "%" G_GINT64_FORMAT " h %d min", s / 3600, (int)(s % 3600 / 60));
}

/* Optimal string alignment distance: a swap of neighbours counts one. */
static size_t
distance(const char *a, const char *b)
{
	const size_t n = strlen(a), m = strlen(b);
	size_t d[WORD_BYTES + 1][WORD_BYTES + 1];

	if (n > WORD_BYTES || m > WORD_BYTES)
		return SIZE_MAX;
	for (size_t i = 0; i <= n; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= m; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			const size_t cost = a[i - 1] != b[j - 1];
			size_t best = MIN(d[i - 1][j], d[i][j - 1]) + 1;
			best = MIN(best, d[i - 1][j - 1] + cost);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				best = MIN(best, d[i - 2][j - 2] + 1);
			d[i][j] = best;
		}
	return d[n][m];
}

const char *
text_nearest(const char *word, const char *const *candidates)
{
	const char *nearest = NULL;
	size_t least = MAX(strlen(word) / 3, 1) + 1;

	for (size_t i = 0; candidates[i] != NULL; i++) {
		const size_t away = distance(word, candidates[i]);
		if (away < least) {
			least = away;
			nearest = candidates[i];
		}
	}
	return nearest;
}

static bool
is_unsafe(gunichar c)
{
	/*
	 * C0, DEL and C1; then what ends a line, and the marks that reorder
	 * what a reader sees.
	 */
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c ||
	    c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	    (c >= 0x2066 && c <= 0x2069);
}

/* keep: the ASCII characters that stay as they are, though unsafe. */
static char *
printable(const char *text, size_t max_bytes, const char *keep)
{
	GString *out = g_string_new(NULL);
	const char *p = text;

	while (*p != '\0' && out->len < max_bytes) {
		const gunichar c = g_utf8_get_char_validated(p, -1);
		const bool valid = c != (gunichar)-1 && c != (gunichar)-2;
		const char *next = valid ? g_utf8_next_char(p) : p + 1;
		if (strchr(keep, *p) != NULL)
			g_string_append_c(out, *p);
		else if (*p == '\n')
			g_string_append(out, "\\n");
		else if (*p == '\t')
			g_string_append(out, "\\t");
		else if (valid && !is_unsafe(c))
			g_string_append_len(out, p, next - p);
		else
			for (const char *byte = p; byte < next; byte++)
				g_string_append_printf(
				    out, "\\x%02x", (unsigned char)*byte);
		p = next;
	}
	if (*p != '\0')
		g_string_append(out, "...");
	return g_string_free(out, FALSE);
}

char *
text_printable(const char *text, size_t max_bytes)
{
	return printable(text, max_bytes, "");
}

char *
text_printable_lines(const char *text)
{
	return printable(text, SIZE_MAX, "\n\t");
}

char *
text_one_line(const char *text, size_t max_bytes)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GPtrArray) kept = g_ptr_array_new();

	for (char **line = lines; *line != NULL; line++) {
		g_strstrip(*line);
		if (**line != '\0' &&
		    !g_ptr_array_find_with_equal_func(
			kept, *line, g_str_equal, NULL))
			g_ptr_array_add(kept, *line);
	}
	g_ptr_array_add(kept, NULL);
	g_autofree char *joined = g_strjoinv("; ", (char **)kept->pdata);
	return text_printable(joined, max_bytes);
}

bool
text_is_safe_name(const char *name)
{
	const size_t length = strlen(name);

	if (length == 0 || length > NAME_BYTES || *name == '.' || *name == '-')
		return false;
	for (const char *c = name; *c != '\0'; c++)
		if (!g_ascii_isalnum(*c) && strchr("._-", *c) == NULL)
			return false;
	return true;
}

bool
text_is_variable(const char *name)
{
	if (!g_ascii_isalpha(*name) && *name != '_')
		return false;
	for (const char *c = name; *c != '\0'; c++)
		if (!g_ascii_isalnum(*c) && *c != '_')
			return false;
	return true;
}

char *
text_safe_name(const char *text)
{
	GString *name = g_string_new(NULL);

	for (const char *c = text; *c != '\0' && name->len < NAME_BYTES; c++) {
		const bool first = name->len == 0;
		const bool safe = g_ascii_isalnum(*c) || *c == '_' ||
		    (!first && (*c == '.' || *c == '-'));
		g_string_append_c(name, safe ? *c : '_');
	}
	if (name->len == 0)
		g_string_append_c(name, '_');
	return g_string_free(name, FALSE);
}

char *
text_sha256(const char *data, size_t length)
{
	return g_compute_checksum_for_data(
	    G_CHECKSUM_SHA256, (const guchar *)data, length);
}

char *
text_wrap(const char *text, const char *indent, size_t width)
{
	GString *out = g_string_new(NULL);
	g_auto(GStrv) words = g_strsplit_set(text, " \n", -1);
	size_t column = 0;

	for (size_t i = 0; words[i] != NULL; i++) {
		const size_t length = (size_t)g_utf8_strlen(words[i], -1);
		if (length == 0)
			continue;
		if (column > 0 && column + 1 + length > width) {
			g_string_append_c(out, '\n');
			column = 0;
		}
		if (column == 0) {
			g_string_append(out, indent);
			column = (size_t)g_utf8_strlen(indent, -1);
		} else {
			g_string_append_c(out, ' ');
			column++;
		}
		g_string_append(out, words[i]);
		column += length;
	}
	if (column > 0)
		g_string_append_c(out, '\n');
	return g_string_free(out, FALSE);
}
