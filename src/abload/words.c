#include "abload/words.h"

#include <string.h>

#include "base/error.h"
#include "base/file.h"

/*
 * Where a word lies in the pool, as it is and escaped: mostly the same place.
 * Small, since draws at random from many words find none of them in a cache.
 */
typedef struct {
	uint32_t raw, escaped;
	uint16_t raw_length, escaped_length;
} Span;

/* What stands about a template's number. */
typedef struct {
	char *head, *tail;
	size_t head_length, tail_length;
} Ends;

struct Words {
	/* What a draw needs, together: of spans and pool below. */
	const Span *span;
	const char *bytes;
	size_t n;
	SmackOrder order;
	bool compat;
	GString *pool;
	GArray *spans; /* Span */
	size_t longest;

	/* Of a template: head, then the number, then the tail. */
	Ends raw_ends, escaped_ends;
	unsigned width;
	bool zeros;
};

enum { DIGITS = 20, MAX_WIDTH = 512 };

static void
escape(GString *to, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		switch (text[i]) {
		case '\0':
			g_string_append(to, "\\0");
			continue;
		case '\n':
			g_string_append(to, "\\n");
			continue;
		case '\r':
			g_string_append(to, "\\r");
			continue;
		case '\x1a':
			g_string_append(to, "\\Z");
			continue;
		case '\\':
		case '\'':
		case '"':
			g_string_append_c(to, '\\');
			break;
		default:
			break;
		}
		g_string_append_c(to, text[i]);
	}
}

static void
add_word(Words *words, const char *text, size_t length)
{
	GString *pool = words->pool;
	const size_t raw = pool->len;

	g_string_append_len(pool, text, (gssize)length);
	const size_t escaped = pool->len;
	escape(pool, text, length);
	Span span = { .raw = (uint32_t)raw,
		.escaped = (uint32_t)escaped,
		.raw_length = (uint16_t)length,
		.escaped_length = (uint16_t)(pool->len - escaped) };
	if (span.escaped_length == span.raw_length) {
		span.escaped = span.raw;
		g_string_truncate(pool, escaped);
	}
	words->longest = MAX(words->longest, span.escaped_length);
	g_array_append_val(words->spans, span);
}

/* Every step-th line, up to its delimiter. */
static bool
split_file(Words *words, const SmackDictionary *dictionary, const char *text,
    size_t length, GError **error)
{
	const uint64_t step = dictionary->equivalent == 0
	    ? 1
	    : MAX(1, length / dictionary->equivalent);
	const char *const end = text + length;
	uint64_t number = 0;

	for (const char *at = text; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline == NULL ? end : newline;
		number++;
		if (stop - at > WORDS_MAX_LINE) {
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
			    "line %" G_GUINT64_FORMAT " of %s has %zu bytes; "
			    "at most %d are read",
			    number, dictionary->source, (size_t)(stop - at),
			    WORDS_MAX_LINE);
			return false;
		}
		if (number % step == 0 && !(newline == NULL && words->compat)) {
			const char *cut = memchr(
			    at, dictionary->delimiter, (size_t)(stop - at));
			add_word(words, at,
			    (size_t)((cut == NULL ? stop : cut) - at));
		}
		at = stop + 1;
	}
	return true;
}

static bool
is_too_long(const char *what, size_t length, GError **error)
{
	if (length <= WORDS_MAX_LINE)
		return false;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "%s has %zu bytes; at most %d are read", what, length,
	    WORDS_MAX_LINE);
	return true;
}

static bool
split_list(Words *words, const char *list, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(list, ",", -1);
	size_t n = g_strv_length(parts);

	/* The original stores a word when it sees the comma behind it. */
	if (n > 0 && (words->compat || parts[n - 1][0] == '\0'))
		n--;
	for (size_t i = 0; i < n; i++) {
		const size_t length = strlen(parts[i]);
		if (is_too_long("a word of the list", length, error))
			return false;
		add_word(words, parts[i], length);
	}
	return true;
}

static char *
escaped_copy(const char *text)
{
	g_autoptr(GString) copy = g_string_new(NULL);

	escape(copy, text, strlen(text));
	return g_string_free(g_steal_pointer(&copy), FALSE);
}

/* Takes over both texts. */
static Ends
make_ends(char *head, char *tail)
{
	return (Ends){ .head = head,
		.tail = tail,
		.head_length = strlen(head),
		.tail_length = strlen(tail) };
}

static void
clear_ends(Ends *ends)
{
	g_free(ends->head);
	g_free(ends->tail);
}

/* A number where %d stands; what follows a second % is not kept. */
static bool
read_template(Words *words, const char *template, GError **error)
{
	const char *field = strchr(template, '%');
	const char *at = field == NULL ? NULL : field + 1;
	unsigned width = 0;

	words->zeros = at != NULL && *at == '0';
	while (at != NULL && g_ascii_isdigit(*at) && width <= MAX_WIDTH)
		width = width * 10 + (unsigned)(*at++ - '0');
	if (at == NULL || strchr("diu", *at) == NULL || *at == '\0' ||
	    width > MAX_WIDTH) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "the template \"%s\" has no %%d, or one wider than %d",
		    template, MAX_WIDTH);
		return false;
	}
	const char *tail = at + 1;
	const char *cut = strchr(tail, '%');
	words->raw_ends = make_ends(
	    g_strndup(template, (size_t)(field - template)),
	    g_strndup(tail, cut == NULL ? strlen(tail) : (size_t)(cut - tail)));
	words->escaped_ends = make_ends(escaped_copy(words->raw_ends.head),
	    escaped_copy(words->raw_ends.tail));
	words->width = width;
	words->longest = words->escaped_ends.head_length + MAX(width, DIGITS) +
	    words->escaped_ends.tail_length;
	return !is_too_long("a word of the template",
	    words->raw_ends.head_length + MAX(width, DIGITS) +
		words->raw_ends.tail_length,
	    error);
}

Words *
words_from_text(const SmackDictionary *dictionary, const char *text,
    size_t length, bool compat, GError **error)
{
	g_autoptr(Words) words = g_new0(Words, 1);

	words->order = dictionary->order;
	words->compat = compat;
	words->pool = g_string_new(NULL);
	words->spans = g_array_new(FALSE, FALSE, sizeof(Span));
	switch (dictionary->kind) {
	case SMACK_FILE:
		if (!split_file(words, dictionary, text, length, error))
			return NULL;
		break;
	case SMACK_LIST:
		if (!split_list(words, text, error))
			return NULL;
		break;
	case SMACK_TEMPLATE:
		if (!read_template(words, text, error))
			return NULL;
		return g_steal_pointer(&words);
	}
	words->span = (const Span *)(void *)words->spans->data;
	words->bytes = words->pool->str;
	words->n = words->spans->len;
	if (words->n > 0)
		return g_steal_pointer(&words);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "no word comes of %s %s",
	    dictionary->kind == SMACK_FILE ? "the file" : "the list",
	    dictionary->source);
	return NULL;
}

Words *
words_new(const SmackDictionary *dictionary, const char *datadir, bool compat,
    GError **error)
{
	if (dictionary->kind != SMACK_FILE) {
		Words *words = words_from_text(dictionary, dictionary->source,
		    strlen(dictionary->source), compat, error);
		if (words == NULL)
			g_prefix_error(
			    error, "dictionary \"%s\": ", dictionary->name);
		return words;
	}
	g_autofree char *path = g_path_is_absolute(dictionary->source)
	    ? g_strdup(dictionary->source)
	    : g_build_filename(datadir, dictionary->source, NULL);
	size_t length = 0;
	g_autofree char *text = file_read(path, WORDS_MAX_FILE, &length, error);
	Words *words = text == NULL
	    ? NULL
	    : words_from_text(dictionary, text, length, compat, error);
	if (words == NULL)
		g_prefix_error(error, "dictionary \"%s\": ", dictionary->name);
	return words;
}

void
words_free(Words *words)
{
	if (words == NULL)
		return;
	(void)g_string_free(words->pool, TRUE);
	g_array_unref(words->spans);
	clear_ends(&words->raw_ends);
	clear_ends(&words->escaped_ends);
	g_free(words);
}

size_t
words_count(const Words *words)
{
	return words->spans->len;
}

const char *
words_raw(const Words *words, size_t i, size_t *length)
{
	const Span *span = &g_array_index(words->spans, Span, i);

	*length = span->raw_length;
	return words->pool->str + span->raw;
}

size_t
words_longest(const Words *words)
{
	return words->longest;
}

static size_t
draw_template(const Words *words, WordDraw *draw, const WordSource *source,
    const Ends *ends, char *to)
{
	uint64_t number = draw->cursor++;
	char digits[DIGITS];
	unsigned n = 0;
	char *at = to;

	if (!words->compat)
		number = number * source->clients + source->client;
	do {
		digits[n++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	memcpy(at, ends->head, ends->head_length);
	at += ends->head_length;
	for (unsigned i = n; i < words->width; i++)
		*at++ = words->zeros ? '0' : ' ';
	while (n > 0)
		*at++ = digits[--n];
	memcpy(at, ends->tail, ends->tail_length);
	return (size_t)(at - to) + ends->tail_length;
}

size_t
words_draw(const Words *words, WordDraw *draw, WordSource *source, bool escaped,
    char *to)
{
	size_t i;

	switch (words->order) {
	case SMACK_RANDOM:
		i = random_below(&source->random, words->n);
		break;
	case SMACK_SEQUENCE:
		i = draw->cursor;
		draw->cursor = i + 1 == words->n ? 0 : i + 1;
		break;
	case SMACK_UNIQUE:
	default:
		return draw_template(words, draw, source,
		    escaped ? &words->escaped_ends : &words->raw_ends, to);
	}
	const Span *span = &words->span[i];
	const size_t length = escaped ? span->escaped_length : span->raw_length;
	memcpy(
	    to, words->bytes + (escaped ? span->escaped : span->raw), length);
	return length;
}
