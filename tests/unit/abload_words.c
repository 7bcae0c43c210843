#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "abload/histogram.h"
#include "abload/query.h"
#include "abload/words.h"

static WordSource
source_of(uint64_t client, uint64_t clients)
{
	return (WordSource){ .random = random_stream(1, "test", client),
		.client = client,
		.clients = clients };
}

/* n draws, joined by spaces. */
static char *
draws(const Words *words, WordSource *source, size_t n)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *word = g_malloc(words_longest(words) + 1);
	WordDraw draw = { 0 };

	for (size_t i = 0; i < n; i++) {
		const size_t length =
		    words_draw(words, &draw, source, true, word);
		g_string_append_printf(
		    text, "%s%.*s", i > 0 ? " " : "", (int)length, word);
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void
assert_sequence(const SmackDictionary *dictionary, const char *text,
    bool compat, size_t n, const char *wanted)
{
	WordSource source = source_of(0, 1);
	g_autoptr(Words) words =
	    words_from_text(dictionary, text, strlen(text), compat, NULL);

	assert_non_null(words);
	g_autofree char *seen = draws(words, &source, n);
	assert_string_equal(seen, wanted);
}

static void
every_kth_line_is_a_word(void **state)
{
	SmackDictionary dictionary = { .order = SMACK_SEQUENCE,
		.kind = SMACK_FILE,
		.source = (char *)(uintptr_t) "f",
		.delimiter = ',',
		.equivalent = 4 };

	(void)state;
	/* 16 bytes over 4: each fourth line, counted from 1. */
	assert_sequence(&dictionary, "a,1\nb\nc\nd,2\ne\nf\n", false, 2, "d d");
	dictionary.equivalent = 0;
	assert_sequence(&dictionary, "a,1\nb\nc", false, 4, "a b c a");
	assert_sequence(&dictionary, "a,1\nb\nc", true, 3, "a b a");
}

static void
the_last_word_of_a_list_counts_but_for_the_original(void **state)
{
	const SmackDictionary dictionary = { .order = SMACK_SEQUENCE,
		.kind = SMACK_LIST,
		.source = (char *)(uintptr_t) "l" };

	(void)state;
	assert_sequence(&dictionary, "a,b,c", false, 4, "a b c a");
	assert_sequence(&dictionary, "a,b,c", true, 3, "a b a");
	assert_sequence(&dictionary, "it's,a\\b,", false, 2, "it\\'s a\\\\b");
}

static void
unique_words_differ_between_clients(void **state)
{
	const SmackDictionary dictionary = { .order = SMACK_UNIQUE,
		.kind = SMACK_TEMPLATE,
		.source = (char *)(uintptr_t) "t" };
	static const char template[] = "id%04d-%d";
	g_autoptr(Words) words = words_from_text(
	    &dictionary, template, strlen(template), false, NULL);
	g_autoptr(Words) compat = words_from_text(
	    &dictionary, template, strlen(template), true, NULL);
	WordSource first = source_of(0, 3);
	WordSource third = source_of(2, 3);

	(void)state;
	g_autofree char *a = draws(words, &first, 3);
	g_autofree char *c = draws(words, &third, 3);
	g_autofree char *same = draws(compat, &third, 3);
	assert_string_equal(a, "id0000- id0003- id0006-");
	assert_string_equal(c, "id0002- id0005- id0008-");
	assert_string_equal(same, "id0000- id0001- id0002-");
}

static void
random_words_depend_on_the_client_alone(void **state)
{
	const SmackDictionary dictionary = { .order = SMACK_RANDOM,
		.kind = SMACK_LIST,
		.source = (char *)(uintptr_t) "l" };
	static const char list[] = "a,b,c,d,e,f,g,h,i,j";
	g_autoptr(Words) words =
	    words_from_text(&dictionary, list, strlen(list), false, NULL);
	WordSource one = source_of(4, 10);
	WordSource again = source_of(4, 10);
	WordSource other = source_of(5, 10);

	(void)state;
	g_autofree char *first = draws(words, &one, 50);
	g_autofree char *second = draws(words, &again, 50);
	g_autofree char *third = draws(words, &other, 50);
	assert_string_equal(first, second);
	assert_string_not_equal(first, third);
}

static void
what_gives_no_word_is_refused(void **state)
{
	SmackDictionary dictionary = { .kind = SMACK_FILE,
		.source = (char *)(uintptr_t) "f" };
	g_autoptr(GError) empty = NULL;
	g_autoptr(GError) longer = NULL;
	g_autoptr(GError) template = NULL;
	g_autoptr(GError) list = NULL;
	g_autoptr(GError) wide = NULL;
	g_autofree char *line = g_strnfill(WORDS_MAX_LINE + 1, 'x');

	(void)state;
	assert_null(words_from_text(&dictionary, "", 0, false, &empty));
	assert_string_equal(empty->message, "no word comes of the file f");
	assert_null(
	    words_from_text(&dictionary, line, strlen(line), false, &longer));
	assert_string_equal(
	    longer->message, "line 1 of f has 512 bytes; at most 511 are read");
	dictionary.kind = SMACK_TEMPLATE;
	assert_null(words_from_text(&dictionary, "id%s", 4, false, &template));
	assert_non_null(strstr(template->message, "\"id%s\" has no %d"));
	dictionary.kind = SMACK_LIST;
	assert_null(
	    words_from_text(&dictionary, line, strlen(line), false, &list));
	assert_string_equal(list->message,
	    "a word of the list has 512 bytes; at most 511 are read");
	dictionary.kind = SMACK_TEMPLATE;
	line[0] = '%';
	line[1] = 'd';
	assert_null(
	    words_from_text(&dictionary, line, strlen(line), false, &wide));
	assert_string_equal(wide->message,
	    "a word of the template has 530 bytes; at most 511 are read");
}

/* The text of one query with dictionaries a (A) and b (B). */
static char *
filled(const char *sql, bool compat, char **prepared, char **why)
{
	static const char script[] =
	    "dictionary \"a\" { source_type \"list\"; source \"A,\"; }"
	    "dictionary \"b\" { source_type \"list\"; source \"B,\"; }"
	    "main { $x = 1; }";
	g_autoptr(SmackNotes) notes = smack_notes_new();
	g_autoptr(Smack) smack =
	    smack_read("t", script, strlen(script), SMACK_STRICT, notes);
	g_autoptr(GPtrArray) words =
	    g_ptr_array_new_with_free_func((GDestroyNotify)words_free);
	const SmackQuery of = { .name = (char *)(uintptr_t) "q",
		.text = (char *)(uintptr_t)sql,
		.substituted = true };
	WordSource source = source_of(0, 1);
	WordDraw cursors[2] = { 0 };
	GError *error = NULL;

	assert_non_null(smack);
	g_clear_pointer(why, g_free); /* of the call before */
	for (guint i = 0; i < 2; i++)
		g_ptr_array_add(words,
		    words_new(g_ptr_array_index(smack->dictionaries, i), ".",
			false, NULL));
	g_autoptr(Query) query =
	    query_new(&of, smack, words, compat, why, &error);
	if (query == NULL) {
		char *message = g_strdup(error->message);
		g_error_free(error);
		return message;
	}
	if (prepared != NULL)
		*prepared = g_strdup(query->prepared);
	char *text = g_malloc0(query->longest + 1);
	const size_t length = query_fill(query, cursors, &source, text);
	assert_true(length <= query->longest);
	return text;
}

static void
names_are_replaced_wherever_they_stand(void **state)
{
	g_autofree char *why = NULL;
	g_autofree char *prepared = NULL;
	g_autofree char *text =
	    filled("x='$a' and y='$b' or $", false, &prepared, &why);
	g_autofree char *end = filled("select 1+$a", false, NULL, &why);
	g_autofree char *behind = filled("'\\'$a'", false, NULL, &why);
	g_autofree char *unknown = filled("$nobody", false, NULL, &why);

	(void)state;
	assert_string_equal(text, "x='A' and y='B' or $");
	assert_string_equal(prepared, "x=? and y=? or $");
	assert_string_equal(end, "select 1+A");
	assert_string_equal(behind, "'\\'A'");
	assert_string_equal(unknown,
	    "t:0:0: query \"q\" draws from $nobody, and "
	    "there is no such dictionary");
}

static void
the_originals_mistakes_are_made_where_asked_for(void **state)
{
	g_autofree char *why = NULL;
	g_autofree char *end = filled("select 1+$a", true, NULL, &why);
	g_autofree char *behind = filled("'\\'$a'", true, NULL, &why);

	(void)state;
	assert_string_equal(end, "select 1+");
	assert_string_equal(behind, "'\\'$a'");
}

static void
a_word_that_is_not_alone_stays_text(void **state)
{
	g_autofree char *why = NULL;
	g_autofree char *prepared = NULL;
	g_autofree char *text = filled("like '$a%'", false, &prepared, &why);

	(void)state;
	assert_string_equal(text, "like 'A%'");
	assert_null(prepared);
	assert_non_null(strstr(why, "not alone in its ''"));
}

static void
a_slot_is_off_by_less_than_one_percent(void **state)
{
	(void)state;
	for (uint64_t ns = 1; ns < (uint64_t)1 << HISTOGRAM_TOP_BIT;
	     ns += ns / 97 + 1) {
		const double seen = histogram_value(histogram_slot(ns));
		assert_true(fabs(seen - (double)ns) <= (double)ns * .01);
	}
	assert_int_equal(histogram_slot(UINT64_MAX), HISTOGRAM_SLOTS - 1);
}

static void
quantiles_are_those_of_the_values(void **state)
{
	g_autofree Histogram *histogram = g_new0(Histogram, 1);

	(void)state;
	assert_true(isnan(histogram_quantile(histogram, .5)));
	for (uint64_t us = 1; us <= 1000; us++)
		histogram_add(histogram, us * 1000);
	assert_int_equal(histogram_total(histogram), 1000);
	assert_true(fabs(histogram_quantile(histogram, .5) / 5e5 - 1) < .01);
	assert_true(fabs(histogram_quantile(histogram, .99) / 9.9e5 - 1) < .01);
	assert_true(fabs(histogram_quantile(histogram, 1) / 1e6 - 1) < .01);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kth_line_is_a_word),
		cmocka_unit_test(
		    the_last_word_of_a_list_counts_but_for_the_original),
		cmocka_unit_test(unique_words_differ_between_clients),
		cmocka_unit_test(random_words_depend_on_the_client_alone),
		cmocka_unit_test(what_gives_no_word_is_refused),
		cmocka_unit_test(names_are_replaced_wherever_they_stand),
		cmocka_unit_test(
		    the_originals_mistakes_are_made_where_asked_for),
		cmocka_unit_test(a_word_that_is_not_alone_stays_text),
		cmocka_unit_test(a_slot_is_off_by_less_than_one_percent),
		cmocka_unit_test(quantiles_are_those_of_the_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
