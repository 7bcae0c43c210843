#include "matrix/source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "matrix/matrix.h"

/*
 * Includes are for sharing a lab's hosts and loads.  libconfig counts lines
 * in an unsigned short.
 */
enum { INCLUDE_DEPTH = 8, INCLUDE_FILES = 100, MAX_LINES = 65535 };

typedef struct {
	size_t file; /* index into files */
	int line;
} SourceLine;

struct Source {
	GString *text;
	GArray *lines;    /* SourceLine */
	GPtrArray *files; /* char *: as shown */
	Mistakes *mistakes;
	bool torn; /* something is missing */
};

/* Where a scanner stands in libconfig's grammar. */
typedef enum { IN_CODE, IN_STRING, IN_LINE_COMMENT, IN_COMMENT } Inside;

static void add_file(Source *source, const char *text, size_t length,
    const char *path, int depth);

static void G_GNUC_PRINTF(4, 5)
    tell(Source *source, const char *path, int line, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	mistakes_add(source->mistakes, source->lines->len + 1,
	    line > 0 ? g_strdup_printf("%s:%d: %s", path, line, what)
		     : g_strdup_printf("%s: %s", path, what));
}

/* The state after these bytes of one line, its newline included. */
static Inside
scan(Inside inside, const char *text, const char *end)
{
	for (const char *c = text; c < end; c++) {
		const int next = c + 1 < end ? c[1] : '\0';
		switch (inside) {
		case IN_CODE:
			if (*c == '"')
				inside = IN_STRING;
			else if (*c == '#' || (*c == '/' && next == '/'))
				inside = IN_LINE_COMMENT;
			else if (*c == '/' && next == '*') {
				inside = IN_COMMENT;
				c++;
			}
			break;
		case IN_STRING:
			if (*c == '\\' && c + 1 < end)
				c++;
			else if (*c == '"')
				inside = IN_CODE;
			break;
		case IN_LINE_COMMENT:
			if (*c == '\n')
				inside = IN_CODE;
			break;
		case IN_COMMENT:
			if (*c == '*' && next == '/') {
				inside = IN_CODE;
				c++;
			}
			break;
		}
	}
	return inside;
}

/*
 * The name in `@include "name"`, or NULL if the line is no include.  *rest is
 * what stands after it.
 */
static char *
include_name(const char *line, const char *end, const char **rest)
{
	const char *c = line;

	while (c < end && (*c == ' ' || *c == '\t'))
		c++;
	if ((size_t)(end - c) < 9 || strncmp(c, "@include", 8) != 0)
		return NULL;
	c += 8;
	if (*c != ' ' && *c != '\t')
		return NULL;
	while (c < end && (*c == ' ' || *c == '\t'))
		c++;
	if (c == end || *c != '"')
		return NULL;
	const char *close = memchr(c + 1, '"', (size_t)(end - c - 1));
	if (close == NULL)
		return NULL;
	*rest = close + 1;
	return g_strndup(c + 1, (gsize)(close - c - 1));
}

/* A regular file of a sane size that not everybody may write. */
static char *
read_text(const char *path, size_t *length, GError **error)
{
	struct stat status;

	if (stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
	    (status.st_mode & S_IWOTH) != 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "everybody may write this file, and its commands run as "
		    "you: chmod o-w it");
		return NULL;
	}
	g_autoptr(GError) why = NULL;
	char *text = file_read(path, MATRIX_FILE_BYTES, length, &why);
	if (text == NULL) {
		/* The place already names the file. */
		g_autofree char *prefix =
		    g_strdup_printf("cannot read %s: ", path);
		const char *message = why->message;
		if (g_str_has_prefix(message, prefix))
			message += strlen(prefix);
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "cannot be read: %s", message);
	}
	return text;
}

static void
add_include(
    Source *source, const char *name, const char *path, int line, int depth)
{
	g_autofree char *directory = g_path_get_dirname(path);
	g_autofree char *file =
	    g_path_is_absolute(name) || strcmp(directory, ".") == 0
	    ? g_strdup(name)
	    : g_build_filename(directory, name, NULL);

	if (depth >= INCLUDE_DEPTH) {
		source->torn = true;
		tell(source, path, line,
		    "@include: more than %d files inside each other, does "
		    "\"%s\" include itself?",
		    INCLUDE_DEPTH, name);
		return;
	}
	if (source->files->len >= INCLUDE_FILES) {
		source->torn = true;
		tell(source, path, line,
		    "@include: more than %d files are included", INCLUDE_FILES);
		return;
	}
	size_t length = 0;
	g_autoptr(GError) error = NULL;
	g_autofree char *text = read_text(file, &length, &error);
	if (text == NULL) {
		source->torn = true;
		tell(source, path, line, "@include: %s: %s", file,
		    error->message);
	} else
		add_file(source, text, length, file, depth + 1);
}

static void
add_line(
    Source *source, const char *text, const char *end, size_t file, int line)
{
	const SourceLine place = { file, line };

	g_string_append_len(source->text, text, end - text);
	if (end == text || end[-1] != '\n')
		g_string_append_c(source->text, '\n');
	g_array_append_val(source->lines, place);
}

static void
add_lines(Source *source, const char *text, const char *end, const char *path,
    int depth)
{
	const size_t file = source->files->len - 1;
	Inside inside = IN_CODE;
	int line = 1;

	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		stop = stop == NULL ? end : stop + 1;
		const char *rest = NULL;
		g_autofree char *name =
		    inside == IN_CODE ? include_name(text, stop, &rest) : NULL;
		if (name == NULL) {
			inside = scan(inside, text, stop);
			add_line(source, text, stop, file, line);
		} else {
			add_include(source, name, path, line, depth);
			while (rest < stop && g_ascii_isspace(*rest))
				rest++;
			/* A comment may follow; libconfig judges the rest. */
			if (rest < stop) {
				inside = scan(inside, rest, stop);
				add_line(source, rest, stop, file, line);
			}
		}
		text = stop;
		line++;
	}
}

/* The line of a byte, 1... */
static int
line_of(const char *text, const char *at)
{
	int line = 1;

	for (const char *c = text; c < at; c++)
		line += *c == '\n';
	return line;
}

static void
add_file(Source *source, const char *text, size_t length, const char *path,
    int depth)
{
	const char *end = text + length;
	const char *bad = NULL;

	g_ptr_array_add(source->files, g_strdup(path));
	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		tell(source, path, 1,
		    "begins with a byte order mark, save it as plain UTF-8");
		text += 3;
	}
	if (memchr(text, '\0', (size_t)(end - text)) != NULL) {
		bad = memchr(text, '\0', (size_t)(end - text));
		source->torn = true;
		tell(source, path, line_of(text, bad),
		    "has a NUL byte, a matrix is plain text");
		end = bad;
	} else if (!g_utf8_validate(text, end - text, &bad))
		tell(source, path, line_of(text, bad),
		    "byte 0x%02x is not UTF-8, save the file as UTF-8",
		    (unsigned char)*bad);
	if (source->text->len + (size_t)(end - text) > MATRIX_FILE_BYTES) {
		source->torn = true;
		tell(source, path, 0, "is larger than %d bytes with includes",
		    MATRIX_FILE_BYTES);
	} else
		add_lines(source, text, end, path, depth);
	if (source->lines->len > MAX_LINES) {
		source->torn = true;
		tell(source, path, 0, "is longer than %d lines with includes",
		    MAX_LINES);
	}
}

static Source *
source_new(Mistakes *mistakes)
{
	Source *source = g_new0(Source, 1);

	source->text = g_string_new(NULL);
	source->lines = g_array_new(FALSE, FALSE, sizeof(SourceLine));
	source->files = g_ptr_array_new_with_free_func(g_free);
	source->mistakes = mistakes;
	return source;
}

Source *
source_read(const char *path, Mistakes *mistakes)
{
	Source *source = source_new(mistakes);
	size_t length = 0;
	g_autoptr(GError) error = NULL;
	g_autofree char *text = read_text(path, &length, &error);

	if (text == NULL) {
		source->torn = true;
		tell(source, path, 0, "%s", error->message);
	} else
		add_file(source, text, length, path, 0);
	return source;
}

Source *
source_parse(
    const char *text, size_t length, const char *path, Mistakes *mistakes)
{
	Source *source = source_new(mistakes);

	add_file(source, text, length, path, 0);
	return source;
}

void
source_free(Source *source)
{
	if (source == NULL)
		return;
	(void)g_string_free(source->text, TRUE);
	g_array_unref(source->lines);
	g_ptr_array_unref(source->files);
	g_free(source);
}

bool
source_is_whole(const Source *source)
{
	return !source->torn;
}

const char *
source_text(const Source *source)
{
	return source->text->str;
}

/* The end of the text counts as its last line. */
static const SourceLine *
find_line(const Source *source, size_t line)
{
	const size_t n = source->lines->len;

	if (n == 0)
		return NULL;
	const size_t index = line == 0 ? 0 : MIN(line - 1, n - 1);
	return &g_array_index(source->lines, SourceLine, index);
}

char *
source_place(const Source *source, size_t line)
{
	const SourceLine *place = find_line(source, line);

	if (place == NULL)
		return g_strdup_printf(
		    "%s:1", (char *)g_ptr_array_index(source->files, 0));
	return g_strdup_printf("%s:%d",
	    (char *)g_ptr_array_index(source->files, place->file), place->line);
}

int
source_line(const Source *source, size_t line)
{
	const SourceLine *place = find_line(source, line);

	return place == NULL ? 1 : place->line;
}
