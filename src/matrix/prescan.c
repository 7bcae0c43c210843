#include "matrix/prescan.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

/* libconfig takes the square of this many steps; a person writes a hundred. */
enum { GROUP_SETTINGS = 1000 };

typedef struct {
	const Source *source;
	Mistakes *mistakes;
	const char *at;   /* next byte */
	size_t line;      /* its line */
	GString *nesting; /* open brackets */
	GArray *settings; /* guint: = seen in each of them and outside */
	bool after_string;
	bool too_large;
} Scan;

static void G_GNUC_PRINTF(3, 4)
    tell(Scan *scan, size_t line, const char *format, ...)
{
	va_list arguments;
	g_autofree char *place = source_place(scan->source, line);

	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	mistakes_add(
	    scan->mistakes, line, g_strdup_printf("%s: %s", place, what));
}

static void
skip_to(Scan *scan, const char *end)
{
	for (; scan->at < end; scan->at++)
		scan->line += *scan->at == '\n';
}

static void
skip_comment(Scan *scan)
{
	const char *end = strstr(scan->at + 2, "*/");

	if (end == NULL) {
		tell(scan, scan->line,
		    "comment has no end, close it with */: the rest of the "
		    "file would be ignored");
		end = scan->at + strlen(scan->at);
	} else
		end += 2;
	skip_to(scan, end);
}

static bool
is_zero_escape(const char *c)
{
	return c[0] == '\\' && c[1] == 'x' && c[2] == '0' && c[3] == '0';
}

static void
skip_string(Scan *scan)
{
	const size_t nesting = scan->nesting->len;
	const bool listed =
	    nesting > 0 && scan->nesting->str[nesting - 1] != '{';

	if (scan->after_string && listed)
		tell(scan, scan->line,
		    "two strings without a comma between them would become "
		    "one, write a comma");
	const char *c = scan->at + 1;
	while (*c != '\0' && *c != '"') {
		if (is_zero_escape(c))
			tell(scan, scan->line, "\\x00 cannot be in a string");
		c += *c == '\\' && c[1] != '\0' ? 2 : 1;
	}
	skip_to(scan, *c == '"' ? c + 1 : c);
	scan->after_string = true;
}

static bool
is_name_char(char c)
{
	return g_ascii_isalnum(c) || c == '-' || c == '_' || c == '*';
}

static void
skip_name(Scan *scan)
{
	while (is_name_char(*scan->at))
		scan->at++;
	scan->after_string = false;
}

/* Whether libconfig would read another number than the one written. */
static bool
wraps(const char *digits, bool hex, bool large)
{
	errno = 0;
	if (hex) {
		const guint64 value = g_ascii_strtoull(digits, NULL, 16);
		return errno == ERANGE ||
		    value > (large ? INT64_MAX : INT32_MAX);
	}
	const gint64 value = g_ascii_strtoll(digits, NULL, 10);
	return errno == ERANGE ||
	    (!large && (value > INT32_MAX || value < INT32_MIN));
}

static void
skip_number(Scan *scan)
{
	const char *start = scan->at;
	const char *c = start + (*start == '-' || *start == '+');
	const bool hex = c[0] == '0' && (c[1] == 'x' || c[1] == 'X');

	c += hex ? 2 : 0;
	const char *digits = c;
	while (hex ? g_ascii_isxdigit(*c) : g_ascii_isdigit(*c))
		c++;
	const bool is_float = !hex && (*c == '.' || *c == 'e' || *c == 'E');
	if (is_float)
		while (g_ascii_isalnum(*c) || *c == '.' ||
		    ((*c == '-' || *c == '+') &&
			(c[-1] == 'e' || c[-1] == 'E')))
			c++;
	const bool large = *c == 'L';
	g_autofree char *number = g_strndup(start, (gsize)(c - start));
	if (!is_float && wraps(hex ? digits : number, hex, large)) {
		g_autofree char *shown = text_printable(number, 40);
		if (!hex && !large && !wraps(number, hex, true))
			tell(scan, scan->line,
			    "integer %s would be read as another number, "
			    "write %sL",
			    shown, shown);
		else
			tell(scan, scan->line,
			    "integer %s would be read as another number, "
			    "write it as a string",
			    shown);
	}
	while (*c == 'L')
		c++;
	scan->at = MAX(c, start + 1);
	scan->after_string = false;
}

static void
open_bracket(Scan *scan, char bracket)
{
	const guint none = 0;

	g_string_append_c(scan->nesting, bracket);
	g_array_append_val(scan->settings, none);
}

static void
close_bracket(Scan *scan)
{
	if (scan->nesting->len == 0)
		return;
	g_string_truncate(scan->nesting, scan->nesting->len - 1);
	g_array_set_size(scan->settings, scan->settings->len - 1);
}

static void
count_setting(Scan *scan)
{
	GArray *settings = scan->settings;
	guint *count = &g_array_index(settings, guint, settings->len - 1);

	if (++*count != GROUP_SETTINGS + 1)
		return;
	tell(scan, scan->line, "more than %d settings in one group",
	    GROUP_SETTINGS);
	scan->too_large = true;
}

static void
skip_punctuation(Scan *scan)
{
	const char c = *scan->at;

	if (c == '(' || c == '[' || c == '{')
		open_bracket(scan, c);
	else if (c == ')' || c == ']' || c == '}')
		close_bracket(scan);
	else if (c == '=' || c == ':')
		count_setting(scan);
	scan->after_string = false;
	scan->at++;
}

static bool
starts_number(const char *c)
{
	return g_ascii_isdigit(*c) ||
	    ((*c == '-' || *c == '+') && g_ascii_isdigit(c[1]));
}

bool
prescan(const Source *source, Mistakes *mistakes)
{
	g_autoptr(GString) nesting = g_string_new(NULL);
	g_autoptr(GArray) settings =
	    g_array_set_size(g_array_new(FALSE, TRUE, sizeof(guint)), 1);
	Scan scan = { .source = source,
		.mistakes = mistakes,
		.at = source_text(source),
		.line = 1,
		.nesting = nesting,
		.settings = settings };

	while (*scan.at != '\0') {
		const char *c = scan.at;
		if (g_ascii_isspace(*c))
			skip_to(&scan, c + 1);
		else if (*c == '#' || (c[0] == '/' && c[1] == '/'))
			scan.at += strcspn(c, "\n");
		else if (c[0] == '/' && c[1] == '*')
			skip_comment(&scan);
		else if (*c == '"')
			skip_string(&scan);
		else if (starts_number(c))
			skip_number(&scan);
		else if (is_name_char(*c))
			skip_name(&scan);
		else
			skip_punctuation(&scan);
	}
	return !scan.too_large;
}
