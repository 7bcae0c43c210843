/*
 * Fuzz target: any bytes as files of numbers, in one piece and in several, and
 * what abrun stat says of them in every form.  Two bytes choose; a form feed
 * begins the next file.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sets.h"
#include "base/numbers.h"
#include "report/sets.h"

enum { FILES = 4, OLD_LEAST = 3, PIECES = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static bool
feed(Numbers *numbers, const char *text, size_t length, size_t piece)
{
	for (size_t at = 0; at < length; at += piece)
		if (!numbers_feed(
			numbers, text + at, MIN(piece, length - at), NULL))
			return false;
	return numbers_end(numbers, NULL);
}

/* Read whole and in pieces it is the same, and finite. */
static bool
read_file(Numbers *numbers, const char *text, size_t length, size_t piece)
{
	g_auto(Numbers) again;

	numbers_init(numbers, " \t", 1);
	numbers_init(&again, " \t", 1);
	const bool ok = feed(numbers, text, length, MAX(length, 1));
	must(feed(&again, text, length, piece) == ok);
	must(again.n == numbers->n && again.lines == numbers->lines);
	for (size_t i = 0; i < again.n; i++)
		must(isfinite(numbers->values[i]) &&
		    !(numbers->values[i] < again.values[i]) &&
		    !(numbers->values[i] > again.values[i]));
	return ok;
}

static void
say_all(const NumberSet *read, size_t n, uint8_t choice)
{
	const SetsOptions numbers = {
		.old = (choice & 1) != 0,
		.compare = (choice & 2) == 0,
		.level = (choice & 4) != 0 ? .99 : .95,
		.margin = 1,
		.tests = (choice & 9) == 8,
		.seed = choice,
		.look = 1,
		.looks = choice % 3,
	};
	const SetsLook look = { { (size_t)(choice >> 5) * 12, (choice & 8) != 0,
				    numbers.old },
		false, (choice & 16) != 0, BETTER_LOWER };
	g_autoptr(Sets) sets = sets_new(read, n, &numbers);
	g_autoptr(GString) text = sets_text(sets, &look);

	must(text->len > 0 && text->str[text->len - 1] == '\n');
	if (numbers.old)
		return;
	g_autoptr(GString) json = sets_json(sets, BETTER_UNKNOWN);
	g_autoptr(GString) csv = sets_csv(sets, BETTER_HIGHER);
	must(json->len > 0 && csv->len > 0);
	must(strstr(json->str, "nan") == NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Numbers numbers[FILES] = { 0 };
	NumberSet read[FILES] = { 0 };
	size_t n = 0;
	bool ok = size > 2;

	for (size_t at = 2; ok && at < size && n < FILES; n++) {
		const uint8_t *end = memchr(data + at, '\f', size - at);
		const size_t length =
		    end == NULL ? size - at : (size_t)(end - data) - at;
		ok = read_file(&numbers[n], (const char *)data + at, length,
		    data[1] % PIECES + 1);
		read[n].name = "set";
		read[n].values = numbers[n].values;
		read[n].n = numbers[n].n;
		ok = ok && read[n].n >= ((data[0] & 1) != 0 ? OLD_LEAST : 1);
		at += length + 1;
	}
	if (ok && n > 0)
		say_all(read, n, data[0]);
	for (size_t i = 0; i < FILES; i++)
		numbers_clear(&numbers[i]);
	return 0;
}
