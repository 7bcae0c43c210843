#include "target/value.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <glib.h>

#include "base/text.h"

/* Linux knows at most 8192 CPUs. */
enum { MAX_CPU = 8192 };

static char
option_letter(char letter)
{
	return g_ascii_tolower((gchar)(letter == '-' ? '_' : letter));
}

bool
value_same_option(const char *a, const char *b)
{
	while (*a != '\0' && option_letter(*a) == option_letter(*b)) {
		a++;
		b++;
	}
	return *a == *b;
}

static bool
is_one_of(const char *text, const char *const *words)
{
	for (; *words != NULL; words++)
		if (g_ascii_strcasecmp(text, *words) == 0)
			return true;
	return false;
}

static bool
same_switch(const char *a, const char *b)
{
	static const char *const on[] = { "ON", "TRUE", "1", NULL };
	static const char *const off[] = { "OFF", "FALSE", "0", NULL };
	static const char *const words[] = { "ON", "OFF", NULL };

	if (!is_one_of(a, words) && !is_one_of(b, words))
		return false;
	return (is_one_of(a, on) && is_one_of(b, on)) ||
	    (is_one_of(a, off) && is_one_of(b, off));
}

/* A whole number, with a suffix for sizes where that is allowed. */
static bool
whole_number(const char *text, bool suffix, gint64 *value)
{
	static const char letters[] = "KMGTPE";
	g_autofree char *digits = g_strdup(text);
	size_t length = strlen(digits);
	gint64 number = 0;
	int shift = 0;

	if (suffix && length > 1) {
		const char *letter =
		    strchr(letters, g_ascii_toupper(digits[length - 1]));

		if (letter != NULL) {
			shift = 10 * ((int)(letter - letters) + 1);
			digits[length - 1] = '\0';
		}
	}
	if (!text_parse_int(digits, INT64_MIN, INT64_MAX, &number, NULL))
		return false;
	if (number > INT64_MAX >> shift || number < -(INT64_MAX >> shift))
		return false;
	*value = number * ((gint64)1 << shift);
	return true;
}

static bool
same_number(const char *wanted, const char *seen)
{
	gint64 whole_wanted = 0, whole_seen = 0;
	double wanted_real = 0, seen_real = 0;

	if (whole_number(wanted, true, &whole_wanted) &&
	    whole_number(seen, false, &whole_seen))
		return whole_wanted == whole_seen;
	if (!text_parse_double(wanted, &wanted_real, NULL) ||
	    !text_parse_double(seen, &seen_real, NULL))
		return false;
	/* The server prints six decimals. */
	return fabs(wanted_real - seen_real) < 0.5e-6;
}

static bool
same_path(const char *a, const char *b)
{
	size_t a_length = strlen(a), b_length = strlen(b);

	if (a_length > 1 && a[a_length - 1] == '/')
		a_length--;
	if (b_length > 1 && b[b_length - 1] == '/')
		b_length--;
	return a_length == b_length && strncmp(a, b, a_length) == 0;
}

static bool
list_has(char *const *list, const char *word)
{
	for (; *list != NULL; list++)
		if (g_ascii_strcasecmp(*list, word) == 0)
			return true;
	return false;
}

static bool
same_list(const char *wanted, const char *seen)
{
	g_auto(GStrv) wanted_words = g_strsplit(wanted, ",", -1);
	g_auto(GStrv) seen_words = g_strsplit(seen, ",", -1);
	bool switches = true;

	for (char **word = wanted_words; *word != NULL; word++) {
		if (!list_has(seen_words, *word))
			return false;
		switches = switches && strchr(*word, '=') != NULL;
	}
	if (switches)
		return true;
	for (char **word = seen_words; *word != NULL; word++)
		if (!list_has(wanted_words, *word))
			return false;
	return true;
}

bool
value_same_setting(const char *wanted, const char *seen)
{
	if (strcmp(wanted, seen) == 0)
		return true;
	if (*wanted == '\0' || *seen == '\0')
		return false;
	if (same_switch(wanted, seen) || same_number(wanted, seen))
		return true;
	if (strchr(wanted, '/') != NULL || strchr(seen, '/') != NULL)
		return same_path(wanted, seen);
	if (strchr(seen, ',') != NULL)
		return same_list(wanted, seen);
	return g_ascii_strcasecmp(wanted, seen) == 0;
}

/* The word in brackets, if exactly one stands in the text. */
static char *
bracketed(const char *text)
{
	const char *open = strchr(text, '[');
	const char *close = open == NULL ? NULL : strchr(open, ']');

	if (close == NULL || strchr(close, '[') != NULL)
		return NULL;
	return g_strndup(open + 1, (gsize)(close - open - 1));
}

/* The words of a text; blanks at its ends and double ones do not count. */
static GPtrArray *
words_of(const char *text)
{
	g_auto(GStrv) parts = g_strsplit_set(text, " \t\r\n", -1);
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	for (char **part = parts; *part != NULL; part++)
		if (**part != '\0')
			g_ptr_array_add(words, g_strdup(*part));
	return words;
}

static bool
same_word(const char *wanted, const char *seen)
{
	gint64 wanted_number = 0, seen_number = 0;

	if (strcmp(wanted, seen) == 0)
		return true;
	return whole_number(wanted, false, &wanted_number) &&
	    whole_number(seen, false, &seen_number) &&
	    wanted_number == seen_number;
}

bool
value_same_tunable(const char *wanted, const char *seen)
{
	g_autofree char *chosen = bracketed(seen);
	g_autoptr(GPtrArray) wanted_words = words_of(wanted);
	g_autoptr(GPtrArray) seen_words =
	    words_of(chosen != NULL ? chosen : seen);

	if (wanted_words->len != seen_words->len)
		return false;
	for (guint i = 0; i < wanted_words->len; i++)
		if (!same_word(g_ptr_array_index(wanted_words, i),
			g_ptr_array_index(seen_words, i)))
			return false;
	return true;
}

/* A byte a CPU, 1 where the list has it; NULL for what is no list. */
static GByteArray *
cpu_set(const char *list)
{
	g_autoptr(GByteArray) set = g_byte_array_new();
	g_auto(GStrv) ranges = g_strsplit(list, ",", -1);
	const guint8 zero = 0;

	if (*ranges == NULL)
		return NULL;
	for (size_t cpu = 0; cpu < MAX_CPU; cpu++)
		g_byte_array_append(set, &zero, 1);
	for (char **range = ranges; *range != NULL; range++) {
		g_auto(GStrv) ends = g_strsplit(g_strstrip(*range), "-", 2);
		gint64 first = 0, last = 0;

		if (ends[0] == NULL ||
		    !text_parse_int(ends[0], 0, MAX_CPU - 1, &first, NULL))
			return NULL;
		last = first;
		if (ends[1] != NULL &&
		    !text_parse_int(ends[1], first, MAX_CPU - 1, &last, NULL))
			return NULL;
		for (gint64 cpu = first; cpu <= last; cpu++)
			set->data[cpu] = 1;
	}
	return g_steal_pointer(&set);
}

bool
value_same_cpus(const char *wanted, const char *seen)
{
	g_autoptr(GByteArray) wanted_set = cpu_set(wanted);
	g_autoptr(GByteArray) seen_set = cpu_set(seen);

	return wanted_set != NULL && seen_set != NULL &&
	    memcmp(wanted_set->data, seen_set->data, MAX_CPU) == 0;
}

bool
value_cpus_within(const char *some, const char *all)
{
	g_autoptr(GByteArray) some_set = cpu_set(some);
	g_autoptr(GByteArray) all_set = cpu_set(all);

	if (some_set == NULL || all_set == NULL)
		return false;
	for (size_t i = 0; i < MAX_CPU; i++)
		if (some_set->data[i] && !all_set->data[i])
			return false;
	return true;
}
