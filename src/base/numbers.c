#include "base/numbers.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

enum {
	FIRST_ROOM = 64,  /* numbers */
	WORD_BYTES = 512, /* no number is longer; of a text, to be shown */
	SHOWN_BYTES = 40,
	EXACT_POWER = 22, /* 10^22 is the last that a double holds exactly */
	EXPONENT_DIGITS = 5,
	MANTISSA_DIGITS = 19, /* that an uint64_t holds for sure */
};

/* Whole numbers up to here are doubles. */
#define EXACT_MANTISSA ((uint64_t)1 << 53)

static const double powers[EXACT_POWER + 1] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5,
	1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
	1e18, 1e19, 1e20, 1e21, 1e22 };

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits from *at on go into the mantissa, which wraps if they are many. */
static ptrdiff_t
read_digits(const char **at, const char *end, uint64_t *mantissa)
{
	const char *c = *at;
	uint64_t value = *mantissa;

	for (; c < end && is_digit(*c); c++)
		value = value * 10 + (uint64_t)(*c - '0');
	const ptrdiff_t digits = c - *at;
	*at = c;
	*mantissa = value;
	return digits;
}

static bool
read_exponent(const char **at, const char *end, ptrdiff_t *exponent)
{
	uint64_t value = 0;

	++*at;
	const bool minus = *at < end && **at == '-';
	if (*at < end && (**at == '-' || **at == '+'))
		++*at;
	const ptrdiff_t digits = read_digits(at, end, &value);
	if (digits == 0 || digits > EXPONENT_DIGITS)
		return false;
	*exponent += minus ? -(ptrdiff_t)value : (ptrdiff_t)value;
	return true;
}

/*
 * A decimal at the beginning of the text whose mantissa and power of ten are
 * both exact as doubles: one multiplication or division then rounds as
 * strtod() does (Clinger 1990).  Where it ends; NULL for what is no such one.
 */
static const char *
parse_exactly(const char *at, const char *end, double *value)
{
	uint64_t mantissa = 0;
	const bool minus = at < end && *at == '-';

	if (at < end && (*at == '-' || *at == '+'))
		at++;
	ptrdiff_t digits = read_digits(&at, end, &mantissa), exponent = 0;
	if (at < end && *at == '.') {
		at++;
		exponent = -read_digits(&at, end, &mantissa);
		digits -= exponent;
	}
	if (digits == 0 || digits > MANTISSA_DIGITS ||
	    mantissa > EXACT_MANTISSA)
		return NULL;
	if (at < end && (*at == 'e' || *at == 'E') &&
	    !read_exponent(&at, end, &exponent))
		return NULL;
	if (exponent > EXACT_POWER || exponent < -EXACT_POWER)
		return NULL;
	const double whole = minus ? -(double)mantissa : (double)mantissa;
	*value =
	    exponent < 0 ? whole / powers[-exponent] : whole * powers[exponent];
	return at;
}

bool
number_parse(const char *word, size_t length, double *value)
{
	char copy[WORD_BYTES], *rest = NULL;
	double exact = 0;

	if (parse_exactly(word, word + length, &exact) == word + length) {
		*value = exact;
		return true;
	}
	if (length == 0 || length >= sizeof copy)
		return false;
	memcpy(copy, word, length);
	copy[length] = '\0';
	const double read = g_ascii_strtod(copy, &rest);
	if (rest != copy + length || !isfinite(read))
		return false;
	*value = read;
	return true;
}

void
numbers_init(Numbers *numbers, const char *delimiters, size_t column)
{
	*numbers = (Numbers){ .column = column, .line = g_string_new(NULL) };
	for (const char *c = delimiters; *c != '\0'; c++)
		numbers->delimiter[(unsigned char)*c] = true;
	numbers->plain =
	    column == 1 && strpbrk(delimiters, "0123456789+-.eE") == NULL;
}

void
numbers_clear(Numbers *numbers)
{
	g_clear_pointer(&numbers->values, g_free);
	if (numbers->line != NULL)
		g_string_free(numbers->line, TRUE);
	numbers->line = NULL;
}

static void
add(Numbers *numbers, double value)
{
	if (numbers->n == numbers->room) {
		numbers->room = MAX(numbers->room * 2, FIRST_ROOM);
		numbers->values =
		    g_renew(double, numbers->values, numbers->room);
	}
	numbers->values[numbers->n++] = value;
}

/* The word of the column; false where the line has none. */
static bool
find_word(
    const Numbers *numbers, const char **at, const char *end, size_t *length)
{
	for (size_t column = 1;; column++) {
		while (*at < end && numbers->delimiter[(unsigned char)**at])
			++*at;
		if (*at == end || **at == '#')
			return false;
		const char *word = *at;
		while (*at < end && !numbers->delimiter[(unsigned char)**at])
			++*at;
		if (column < numbers->column)
			continue;
		*length = (size_t)(*at - word);
		*at = word;
		return true;
	}
}

static bool
read_line(Numbers *numbers, const char *line, size_t length, GError **error)
{
	const char *at = line, *end = line + length;
	double value;

	numbers->lines++;
	if (length > NUMBERS_LINE_BYTES) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "line %zu is longer than %d bytes", numbers->lines,
		    NUMBERS_LINE_BYTES);
		return false;
	}
	while (end > line && g_ascii_isspace(end[-1]))
		end--;
	if (!find_word(numbers, &at, end, &length))
		return true;
	if (number_parse(at, length, &value)) {
		add(numbers, value);
		return true;
	}
	g_autofree char *word = g_strndup(at, MIN(length, WORD_BYTES));
	g_autofree char *shown = text_printable(word, SHOWN_BYTES);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "invalid data on line %zu: \"%s\" is no finite number",
	    numbers->lines, shown);
	return false;
}

/* The piece goes on with a line that an earlier one began. */
static bool
complete_line(Numbers *numbers, const char *data, size_t length, GError **error)
{
	const size_t room = NUMBERS_LINE_BYTES + 1 - numbers->line->len;

	/* One byte more than allowed is enough to refuse it. */
	g_string_append_len(numbers->line, data, (gssize)MIN(length, room));
	if (numbers->line->len <= NUMBERS_LINE_BYTES)
		return true;
	return read_line(
	    numbers, numbers->line->str, numbers->line->len, error);
}

/*
 * As long as lines are one plain number and nothing else, nothing else is
 * looked at; where that ends.
 */
static const char *
read_plain(Numbers *numbers, const char *data, const char *end)
{
	double value = 0;

	while (data < end) {
		const char *stop = parse_exactly(data, end, &value);
		if (stop == NULL || stop == end || *stop != '\n')
			break;
		add(numbers, value);
		numbers->lines++;
		data = stop + 1;
	}
	return data;
}

bool
numbers_feed(Numbers *numbers, const char *data, size_t length, GError **error)
{
	const char *end = data + length;

	while (data < end) {
		if (numbers->plain && numbers->line->len == 0)
			data = read_plain(numbers, data, end);
		if (data == end)
			break;
		const char *newline = memchr(data, '\n', (size_t)(end - data));
		const char *stop = newline == NULL ? end : newline;
		const size_t piece = (size_t)(stop - data);
		if (newline == NULL || numbers->line->len > 0) {
			if (!complete_line(numbers, data, piece, error))
				return false;
			if (newline != NULL && !numbers_end(numbers, error))
				return false;
		} else if (!read_line(numbers, data, piece, error)) {
			return false;
		}
		data = newline == NULL ? end : newline + 1;
	}
	return true;
}

bool
numbers_end(Numbers *numbers, GError **error)
{
	if (numbers->line->len == 0)
		return true;
	const bool ok =
	    read_line(numbers, numbers->line->str, numbers->line->len, error);
	g_string_truncate(numbers->line, 0);
	return ok;
}
