#include "report/lines.h"

#include <string.h>

static size_t
columns_of(gunichar c)
{
	if (g_unichar_iszerowidth(c))
		return 0;
	return g_unichar_iswide(c) ? 2 : 1;
}

size_t
lines_width(const char *text)
{
	size_t width = 0;

	for (const char *p = text; *p != '\0'; p = g_utf8_next_char(p))
		width += columns_of(g_utf8_get_char(p));
	return width;
}

/* The end of the word at p: a space before '%' does not end it. */
static const char *
word_end(const char *p)
{
	while (*p != '\0' && *p != '\n' && (*p != ' ' || p[1] == '%'))
		p++;
	return p;
}

/* As much of a word as fits; at least one character. */
static const char *
break_at(const char *p, const char *end, size_t width)
{
	const char *start = p;
	size_t used = 0;

	while (p < end) {
		const size_t columns = columns_of(g_utf8_get_char(p));
		if (p > start && used + columns > width)
			break;
		used += columns;
		p = g_utf8_next_char(p);
	}
	return p;
}

typedef struct {
	GString *out;
	const char *indent, *others;
	size_t width, column;
	gboolean begun; /* something stands on this line */
} Wrap;

static void
end_line(Wrap *wrap)
{
	g_string_append_c(wrap->out, '\n');
	wrap->begun = FALSE;
	wrap->indent = wrap->others;
}

static void
put(Wrap *wrap, const char *p, const char *end)
{
	while (p < end) {
		g_autofree char *word = g_strndup(p, (gsize)(end - p));
		const size_t columns = lines_width(word);
		if (wrap->begun && wrap->column + 1 + columns > wrap->width)
			end_line(wrap);
		if (wrap->begun) {
			g_string_append_c(wrap->out, ' ');
			wrap->column++;
		} else {
			g_string_append(wrap->out, wrap->indent);
			wrap->column = lines_width(wrap->indent);
			wrap->begun = TRUE;
		}
		const size_t room =
		    wrap->width > wrap->column ? wrap->width - wrap->column : 1;
		const char *stop =
		    columns <= room ? end : break_at(p, end, room);
		g_string_append_len(wrap->out, p, stop - p);
		wrap->column += columns;
		p = stop;
		if (p < end)
			end_line(wrap);
	}
}

char *
lines_wrap(
    const char *text, const char *first, const char *others, size_t width)
{
	Wrap wrap = { g_string_new(NULL), first, others, width, 0, FALSE };

	for (const char *p = text; *p != '\0';) {
		if (*p == '\n' && wrap.begun)
			end_line(&wrap);
		if (*p == '\n' || *p == ' ') {
			p++;
			continue;
		}
		const char *end = word_end(p);
		put(&wrap, p, end);
		p = end;
	}
	if (wrap.begun)
		end_line(&wrap);
	return g_string_free(wrap.out, FALSE);
}

void
lines_append(GString *out, const char *text, size_t width, gboolean right)
{
	const size_t columns = lines_width(text);

	if (!right)
		g_string_append(out, text);
	for (size_t i = columns; i < width; i++)
		g_string_append_c(out, ' ');
	if (right)
		g_string_append(out, text);
}
