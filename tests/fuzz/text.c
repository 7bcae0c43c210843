/*
 * Fuzz target: any text as a number, size, duration, name, word to be quoted
 * or line to be shown.  What is read must be within its limits and read the
 * same again; what is written must be safe where it goes.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"

enum { SHOWN_BYTES = 80, WIDTH = 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

/* A failure has said something, and a success has not. */
static void
must_tell(bool read, GError *error)
{
	must(read == (error == NULL));
	must(read || *error->message != '\0');
	g_clear_error(&error);
}

static void
read_numbers(const char *text)
{
	GError *error = NULL;
	int64_t whole = -7, again = 0;
	double number = -7, same = 0;

	bool read = text_parse_int(text, -1000000, 1000000, &whole, &error);
	must_tell(read, error);
	must(read ? whole >= -1000000 && whole <= 1000000 : whole == -7);
	if (read) {
		g_autofree char *back =
		    g_strdup_printf("%" G_GINT64_FORMAT, whole);
		must(text_parse_int(back, whole, whole, &again, NULL));
		must(again == whole);
	}

	error = NULL;
	read = text_parse_double(text, &number, &error);
	must_tell(read, error);
	must(read ? isfinite(number) : number >= -7 && number <= -7);
	if (read) {
		char back[G_ASCII_DTOSTR_BUF_SIZE];
		(void)g_ascii_dtostr(back, sizeof(back), number);
		must(text_parse_double(back, &same, NULL));
		must(!(same < number) && !(same > number));
	}
}

static void
read_amounts(const char *text)
{
	GError *error = NULL;
	uint64_t bytes = 7;
	int64_t ms = -7;

	bool read = text_parse_size(text, &bytes, &error);
	must_tell(read, error);
	must(read ? bytes < (UINT64_C(1) << 63) : bytes == 7);

	error = NULL;
	read = text_parse_duration(text, &ms, &error);
	must_tell(read, error);
	must(read ? ms >= 0 && ms < (INT64_C(1) << 53) : ms == -7);
	g_autofree char *told = text_duration(ms);
	must(*told != '\0' && strlen(told) < 40);
}

/* Nothing that a terminal obeys is left, and once is enough. */
static void
show(const char *text)
{
	g_autofree char *shown = text_printable(text, 4 * strlen(text) + 1);
	g_autofree char *again = text_printable(shown, strlen(shown) + 1);
	g_autofree char *cut = text_printable(text, SHOWN_BYTES);

	must(g_utf8_validate(shown, -1, NULL));
	for (const char *c = shown; *c != '\0'; c++)
		must((unsigned char)*c >= 0x20 && *c != 0x7f);
	must(strcmp(shown, again) == 0);
	/* The last character kept may pass the limit; then come dots. */
	must(strlen(cut) < SHOWN_BYTES + 4 * 4 + 3);
	must(g_utf8_validate(cut, -1, NULL));
}

static void
name(const char *text)
{
	static const char *const words[] = { "rounds", "runs", "warmup",
		"order", "seed", "baseline", NULL };
	g_autofree char *safe = text_safe_name(text);
	const char *nearest = text_nearest(text, words);

	must(text_is_safe_name(safe));
	must(!text_is_safe_name(text) || strcmp(safe, text) == 0);
	for (size_t i = 0; words[i] != NULL; i++)
		must(strcmp(text, words[i]) != 0 || nearest == words[i]);
	if (text_is_variable(text))
		must(strchr(text, '=') == NULL && *text != '\0');
}

/* What a shell makes of the quoted word is the word. */
static void
quote(const char *text)
{
	GError *error = NULL;
	g_autofree char *sh = quote_sh(text);
	g_autofree char *any = quote_word(text, &error);
	g_autofree char *from_sh = g_shell_unquote(sh, NULL);
	g_autofree char *from_any =
	    any == NULL ? NULL : g_shell_unquote(any, NULL);

	must(from_sh != NULL && strcmp(from_sh, text) == 0);
	must_tell(any != NULL, error);
	must((any == NULL) == (strchr(text, '\n') != NULL));
	must(any == NULL || (from_any != NULL && strcmp(from_any, text) == 0));
}

/* No line is too wide but one of a single word, and no byte is lost. */
static void
wrap(const char *text)
{
	g_autofree char *wrapped = text_wrap(text, "  ", WIDTH);
	g_auto(GStrv) lines = g_strsplit(wrapped, "\n", -1);
	size_t bytes = 0, kept = 0;

	for (size_t i = 0; lines[i] != NULL; i++) {
		const char *line = lines[i];
		must(*line == '\0' || g_str_has_prefix(line, "  "));
		must(g_utf8_strlen(line, -1) <= WIDTH ||
		    strchr(line + 2, ' ') == NULL);
	}
	for (const char *c = text; *c != '\0'; c++)
		bytes += *c != ' ' && *c != '\n';
	for (const char *c = wrapped; *c != '\0'; c++)
		kept += *c != ' ' && *c != '\n';
	must(bytes == kept);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);

	read_numbers(text);
	read_amounts(text);
	show(text);
	name(text);
	quote(text);
	if (g_utf8_validate(text, -1, NULL))
		wrap(text);
	return 0;
}
