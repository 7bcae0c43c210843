/*
 * Columns of numbers as text, in pieces of any size, read fast: some 10 ns a
 * number where it has up to 15 digits.  Pure: who has the file feeds it.
 *
 * As ministat has it: a line is cut into words at the delimiters, and the
 * word of one column is the line's value.  Lines that are empty, end before
 * that column, or have a word that begins with '#' before it say nothing.
 * White space at the end of a line does not count.
 */
#ifndef BASE_NUMBERS_H
#define BASE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

/* No line that a person or a tool writes is longer. */
#define NUMBERS_LINE_BYTES 65536

/*
 * A whole word as strtod(3) of the C locale takes it, to the last bit, with
 * hexadecimals and exponents, but finite.  False leaves *value as it is.
 */
bool number_parse(const char *word, size_t length, double *value);

typedef struct {
	double *values;
	size_t n;
	size_t lines; /* so far */
	/* Private. */
	size_t room, column;
	bool plain; /* a line may be nothing but a number */
	bool delimiter[256];
	GString *line; /* one that is not complete */
} Numbers;

/* Columns count from 1; delimiters are bytes. */
void numbers_init(Numbers *numbers, const char *delimiters, size_t column);
void numbers_clear(Numbers *numbers);
/*
 * ABRUN_ERROR_USAGE with the number of the line, where a value is none or a
 * line too long; nothing can be read then.
 */
bool numbers_feed(
    Numbers *numbers, const char *data, size_t length, GError **error);
/* A last line without an end. */
bool numbers_end(Numbers *numbers, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Numbers, numbers_clear)

#endif
