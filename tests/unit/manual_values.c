/*
 * The defaults and ranges that abrun-matrix(5) gives are those of the parser:
 * a key at its default changes nothing, the ends of a range are taken, and
 * what is beyond them is refused.
 */
#include "manual_sections.h"

/* All that a matrix says, as far as keys with a plain default reach. */
static char *
meaning(const char *text, GError **error)
{
	g_autoptr(Matrix) matrix =
	    matrix_parse(text, strlen(text), HERE, error);

	if (matrix == NULL)
		return NULL;
	const Design *design = &matrix->design;
	const Host *host = matrix->targets->pdata[0];
	g_autofree char *identity = matrix_identity_text(matrix);
	return g_strdup_printf(
	    "%s rounds %d margin %g host_key %d quiet %g %" G_GINT64_FORMAT,
	    identity, design->rounds, design->margin_percent,
	    (int)host->host_key, design->quiet_percent, design->quiet_wait_ms);
}

/* "5", "\"1h\"" of "default 5." and "default .Ql 1h ."; NULL if none. */
static char *
plain_default(const PageItem *item)
{
	static const char pattern[] =
	    "default (?:\\.(?:Cm|Ql) ([a-z0-9%]+)|([0-9]+))(?: ?[.;,]|$)";
	g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	if (!g_regex_match(regex, item->says, 0, &match))
		return NULL;
	g_autofree char *word = g_match_info_fetch(match, 1);
	g_autofree char *number = g_match_info_fetch(match, 2);
	g_autofree char *value = g_strconcat(word, number, NULL);
	return g_str_has_prefix(item->says, "Boolean") ||
		g_str_has_prefix(item->says, "Integer")
	    ? g_steal_pointer(&value)
	    : g_strdup_printf("\"%s\"", value);
}

static bool
means_the_same(const Section *section, const char *key, const char *value)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *assignment = g_strdup_printf("%s = %s", key, value);
	g_autofree char *with = section_matrix(section, key, assignment);
	g_autofree char *without = section_matrix(section, key, "");
	g_autofree char *given = meaning(with, &error);
	g_autofree char *left_out = meaning(without, &error);

	if (error != NULL)
		fail_msg("%s: %s", key, error->message);
	return strcmp(given, left_out) == 0;
}

static bool
is_taken(
    const Section *section, const char *key, const char *format, int64_t number)
{
	g_autofree char *value = g_strdup_printf("%" G_GINT64_FORMAT, number);
	g_autofree char *form = g_strdup_printf("%s = %s", key, format);
	GString *assignment = g_string_new(form);

	(void)g_string_replace(assignment, "N", value, 1);
	g_autofree char *text = section_matrix(section, key, assignment->str);
	(void)g_string_free(assignment, TRUE);
	g_autofree char *taken = meaning(text, NULL);
	return taken != NULL;
}

/* "1 to 65535": beside the one of a default. */
static bool
range_of(const PageItem *item, int64_t *first, int64_t *last)
{
	g_autoptr(GRegex) regex =
	    g_regex_new("Integer, (\\d+) to (\\d+)[,;]", 0, 0, NULL);
	g_autoptr(GMatchInfo) match = NULL;

	if (!g_regex_match(regex, item->says, 0, &match))
		return false;
	g_autofree char *low = g_match_info_fetch(match, 1);
	g_autofree char *high = g_match_info_fetch(match, 2);
	*first = g_ascii_strtoll(low, NULL, 10);
	*last = g_ascii_strtoll(high, NULL, 10);
	return true;
}

/* Calls check for every item of every section. */
static size_t
each_item(bool (*check)(const Section *section, const PageItem *item))
{
	g_autofree char *text = page_text(PAGE);
	g_autoptr(Page) page = page_parse(text);
	size_t n = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++)
		for (guint j = 0; j < page->items->len; j++) {
			const PageItem *item = page->items->pdata[j];
			if (strcmp(item->section, sections[i].section) == 0)
				n += check(&sections[i], item);
		}
	return n;
}

static bool
check_default(const Section *section, const PageItem *item)
{
	g_autofree char *value = plain_default(item);

	/* Its default depends on what else is given: told in words. */
	if (value == NULL || strcmp(item->key, "port") == 0 ||
	    strcmp(item->key, "reset") == 0)
		return false;
	if (!means_the_same(section, item->key, value))
		fail_msg("%s: the default is not %s", item->key, value);
	/* The example is another value, so a default that is none shows. */
	if (item->example != NULL) {
		g_autofree char *text =
		    section_matrix(section, item->key, item->example);
		g_autofree char *without =
		    section_matrix(section, item->key, "");
		g_autofree char *other = meaning(text, NULL);
		g_autofree char *usual = meaning(without, NULL);
		if (strcmp(item->key, "client") != 0 &&
		    strcmp(other, usual) == 0)
			fail_msg("%s: its example is the default", item->key);
	}
	return true;
}

static bool
check_range(const Section *section, const PageItem *item)
{
	int64_t first = 0, last = 0;

	if (!range_of(item, &first, &last))
		return false;
	const char *form = last > INT32_MAX ? "NL" : "N";
	if (!is_taken(section, item->key, form, first) ||
	    !is_taken(section, item->key, form, last))
		fail_msg("%s: its range is smaller", item->key);
	if (is_taken(section, item->key, form, first - 1) ||
	    (last < INT64_MAX && is_taken(section, item->key, form, last + 1)))
		fail_msg("%s: its range is larger", item->key);
	return true;
}

static bool
check_least(const Section *section, const PageItem *item)
{
	const char *least = strstr(item->says, "Duration, at least ");

	if (least == NULL)
		return false;
	least += strlen("Duration, at least ");
	g_autofree char *value = g_strndup(least, strcspn(least, ";"));
	g_autofree char *form = g_strdup_printf("\"%s\"", value);
	if (!is_taken(section, item->key, form, 0))
		fail_msg("%s: %s is refused", item->key, value);
	if (is_taken(section, item->key,
		g_str_has_suffix(value, "ms") ? "\"N.5ms\"" : "\"999ms\"", 0))
		fail_msg("%s: less than %s is taken", item->key, value);
	return true;
}

static void
defaults_are_what_a_key_left_out_means(void **state)
{
	(void)state;
	assert_true(each_item(check_default) >= 18);
	/* The check sees a default that is wrong. */
	assert_false(means_the_same(&sections[6], "rounds", "6"));
	assert_false(means_the_same(&sections[6], "margin", "\"2%\""));
	assert_false(
	    means_the_same(&sections[1], "host_key", "\"accept-new\""));
}

static void
ranges_end_where_the_page_says(void **state)
{
	(void)state;
	assert_true(each_item(check_range) >= 6);
	assert_int_equal(each_item(check_least), 6);
}

static void
each_word_of_a_choice_is_taken(void **state)
{
	g_autofree char *text = page_text(PAGE);
	g_autoptr(Page) page = page_parse(text);
	g_autoptr(GRegex) regex = g_regex_new("\\.Cm ([a-z-]+)", 0, 0, NULL);
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++)
		for (guint j = 0; j < page->items->len; j++) {
			const PageItem *item = page->items->pdata[j];
			g_autoptr(GMatchInfo) match = NULL;
			if (strcmp(item->section, sections[i].section) != 0 ||
			    !g_str_has_prefix(item->says, "Word,"))
				continue;
			for (g_regex_match(regex, item->says, 0, &match);
			     g_match_info_matches(match);
			     g_match_info_next(match, NULL)) {
				g_autofree char *word =
				    g_match_info_fetch(match, 1);
				g_autofree char *form =
				    g_strdup_printf("\"%s\"", word);
				if (!is_taken(&sections[i], item->key, form, 0))
					fail_msg("%s: %s is refused", item->key,
					    word);
				n++;
			}
		}
	assert_true(n >= 25);
	assert_false(is_taken(&sections[6], "order", "\"sorted\"", 0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_are_what_a_key_left_out_means),
		cmocka_unit_test(ranges_end_where_the_page_says),
		cmocka_unit_test(each_word_of_a_choice_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
