#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "abload/smack.h"
#include "base/file.h"

static const char small[] =
    "query \"q\" { query \"select $d\"; type \"t\"; has_result_set \"yes\";"
    " parsed \"Y\"; }\n"
    "client \"c\" { user \"u\"; port \"3307\"; query_barrel \"2 q -0.25 1 q\";"
    " }\n"
    "dictionary \"d\" { type \"seq\"; source_type \"list\"; source \"a,b\"; }\n"
    "main { c.init(); c.set_num_rounds($2); c.create_threads($1);\n"
    " c.connect(); c.unload_query_barrel(); c.collect_threads(); }\n";

static Smack *
read_as(const char *text, SmackLevel level, SmackNotes *notes)
{
	return smack_read("t.smack", text, strlen(text), level, notes);
}

/* All mistakes that a text has, a line each. */
static void
assert_mistakes(const char *text, const char *wanted)
{
	g_autoptr(SmackNotes) notes = smack_notes_new();

	assert_null(read_as(text, SMACK_WARN, notes));
	g_ptr_array_add(notes->mistakes, NULL);
	g_autofree char *seen =
	    g_strjoinv("\n", (char **)notes->mistakes->pdata);
	assert_string_equal(seen, wanted);
}

static void
a_script_is_read_whole(void **state)
{
	g_autoptr(SmackNotes) notes = smack_notes_new();
	g_autoptr(Smack) smack = read_as(small, SMACK_STRICT, notes);

	(void)state;
	assert_non_null(smack);
	assert_int_equal(notes->warnings->len, 0);
	const SmackQuery *query = smack_query(smack, "q");
	assert_string_equal(query->text, "select $d");
	assert_true(query->result_set && query->substituted);
	const SmackClient *client = smack_client(smack, "c");
	assert_string_equal(client->user, "u");
	assert_string_equal(client->host, "");
	assert_int_equal(client->port, 3307);
	assert_int_equal(client->barrel->len, 3);
	const SmackShot *shots =
	    (const SmackShot *)(void *)client->barrel->data;
	assert_ptr_equal(shots[0].query, query);
	assert_int_equal(shots[0].count, 2);
	assert_null(shots[1].query);
	assert_int_equal(shots[1].pause_us, 250000);
	assert_int_equal(smack_dictionary(smack, "d")->order, SMACK_SEQUENCE);
	assert_int_equal(smack->statements->len, 6);
}

static void
terms_and_assignments_are_kept(void **state)
{
	static const char text[] =
	    "client \"c\" { user \"u\"; }"
	    "main { $x = 1.5.\"a\" . $1; c.init(); c.print(c::q::num_queries"
	    " . $x . c::avg_connect_time); c.query(\"x\"); }";
	g_autoptr(SmackNotes) notes = smack_notes_new();
	g_autoptr(Smack) smack = read_as(text, SMACK_WARN, notes);

	(void)state;
	assert_non_null(smack);
	const SmackStatement *first = g_ptr_array_index(smack->statements, 0);
	assert_null(first->client);
	assert_string_equal(first->name, "x");
	const SmackExpression *value = g_ptr_array_index(first->arguments, 0);
	/* 1 . 5 . "a" . $1: there are no decimals. */
	assert_int_equal(value->len, 4);
	const SmackStatement *print = g_ptr_array_index(smack->statements, 2);
	const SmackExpression *printed = g_ptr_array_index(print->arguments, 0);
	const SmackTerm *figure = g_ptr_array_index(printed, 0);
	assert_int_equal(figure->kind, SMACK_FIGURE);
	assert_string_equal(figure->type, "q");
	assert_string_equal(figure->text, "num_queries");
	const SmackTerm *parameter = g_ptr_array_index(printed, 2);
	assert_int_equal(parameter->kind, SMACK_PARAMETER);
}

static void
strings_know_three_escapes(void **state)
{
	static const char text[] = "client \"a\\\\b\\\"c\\\nd\\ne\" "
				   "{ user \"#// no comment\"; }"
				   "main { $x = 1; }";
	g_autoptr(SmackNotes) notes = smack_notes_new();
	g_autoptr(Smack) smack = read_as(text, SMACK_WARN, notes);

	(void)state;
	assert_non_null(smack);
	assert_non_null(smack_client(smack, "a\\b\"c\nde"));
	assert_int_equal(notes->warnings->len, 1);
	assert_string_equal(g_ptr_array_index(notes->warnings, 0),
	    "t.smack:2:2: \"\\n\" in a string means nothing and is left out");
	const SmackClient *client = g_ptr_array_index(smack->clients, 0);
	assert_string_equal(client->user, "#// no comment");
}

static void
what_is_passed_over_is_told_by_level(void **state)
{
	static const char text[] = "client \"c\" { user \"u\"; } +- main {\n"
				   " $x = 1; & }";
	static const char told[] =
	    "t.smack:1:26: \"+-\" means nothing here and is passed over";
	g_autoptr(SmackNotes) warned = smack_notes_new();
	g_autoptr(SmackNotes) strict = smack_notes_new();
	g_autoptr(SmackNotes) compat = smack_notes_new();
	g_autoptr(Smack) read = read_as(text, SMACK_WARN, warned);
	g_autoptr(Smack) as_before = read_as(text, SMACK_COMPAT, compat);

	(void)state;
	assert_non_null(read);
	assert_int_equal(warned->warnings->len, 2);
	assert_string_equal(g_ptr_array_index(warned->warnings, 0), told);
	assert_null(read_as(text, SMACK_STRICT, strict));
	assert_int_equal(strict->mistakes->len, 2);
	assert_string_equal(g_ptr_array_index(strict->mistakes, 0), told);
	assert_non_null(as_before);
	assert_int_equal(compat->warnings->len, 0);
}

static void
mistakes_are_told_together_with_their_places(void **state)
{
	(void)state;
	assert_mistakes("query \"q\" { quary \"x\"; }\n"
			"table \"t\" { client \"nobody\"; min_row \"9\";\n"
			"  create 7; }\n"
			"main { c.init(); }",
	    "t.smack:1:13: a query has no line \"quary\", did you mean "
	    "\"query\"?\n"
	    "t.smack:1:7: query \"q\" has no line query\n"
	    "t.smack:2:30: a table has no line \"min_row\", did you mean "
	    "\"min_rows\"?\n"
	    "t.smack:3:10: wanted a string, but a number stands here\n"
	    "t.smack:2:7: table \"t\" has no line create\n"
	    "t.smack:4:8: there is no client \"c\" in this file");
	assert_mistakes("client \"c\" { query_barrel \"2 q 1\"; }\n"
			"query \"qq\" { query \"x\"; }\n"
			"main { c.init(); }",
	    "t.smack:1:27: the barrel of client \"c\" names a query \"q\" that "
	    "is not in this file, did you mean \"qq\"?");
	assert_mistakes("client \"c\" { user \"\"; }\n"
			"main { c.connect(); c.conect(); c.print(); }",
	    "t.smack:2:23: a client has no method \"conect\", did you mean "
	    "\"connect\"?\n"
	    "t.smack:2:35: print takes 1 argument, and has 0");
	assert_mistakes("client \"c\" { user \"\"; }\n"
			"main { c.connect(); c.init(); c.print($x);\n"
			" c.unload_query_barrel(); }",
	    "t.smack:2:8: c.connect comes before c.init()\n"
	    "t.smack:2:40: $x is used before it is set\n"
	    "t.smack:3:2: client \"c\" has no query_barrel to unload");
}

static void
a_file_that_ends_too_early_is_told(void **state)
{
	(void)state;
	assert_mistakes("",
	    "t.smack:1:1: wanted query, dictionary, client or table, but the "
	    "end of the file stands here");
	assert_mistakes("client \"c\" { user \"x",
	    "t.smack:1:19: a string that begins here has no end\n"
	    "t.smack:1:21: wanted a string, but the end of the file stands "
	    "here");
	assert_mistakes("client \"c\" { user \"x\"; }",
	    "t.smack:1:25: wanted query, dictionary, client, table or main, "
	    "but "
	    "the end of the file stands here");
}

static void
twice_the_same_name_is_a_mistake(void **state)
{
	(void)state;
	assert_mistakes(
	    "client \"c\" { user \"\"; } client \"c\" { user \"\"; }"
	    "main { $x = 1; }",
	    "t.smack:1:32: there is a client \"c\" already");
}

static void
many_mistakes_are_cut_short(void **state)
{
	g_autoptr(GString) text = g_string_new("client \"c\" {");
	g_autoptr(SmackNotes) notes = smack_notes_new();

	(void)state;
	for (int i = 0; i < 1000; i++)
		g_string_append(text, "nonsense \"x\";\n");
	g_string_append(text, "} main { $x = 1; }");
	assert_null(read_as(text->str, SMACK_WARN, notes));
	assert_int_equal(notes->mistakes->len, SMACK_MAX_NOTES + 1);
}

static void
a_hundred_thousand_lines_are_read(void **state)
{
	enum { LINES = 100000 };
	g_autoptr(GString) text = g_string_new(small);
	g_autoptr(SmackNotes) notes = smack_notes_new();

	(void)state;
	g_string_truncate(text, text->len - strlen(" }\n") + 1);
	for (int i = 0; i < LINES; i++)
		g_string_append(text, "$x = 1;\n");
	g_string_append(text, "}");
	g_autoptr(Smack) smack = read_as(text->str, SMACK_WARN, notes);
	assert_non_null(smack);
	assert_int_equal(smack->statements->len, LINES + 6);
}

/* "query "q7" {...}" and so on, and a barrel that names them all. */
static char *
many_queries(int n, const char *type)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (int i = 0; i < n; i++)
		g_string_append_printf(text,
		    "query \"q%d\" { query \"select 1\"; %s }\n", i, type);
	g_string_append(text, "client \"c\" { query_barrel \"");
	for (int i = 0; i < n; i++)
		g_string_append_printf(text, "1 q%d ", i);
	g_string_append(text, "\"; } main { c.init(); }");
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void
a_hundred_thousand_blocks_find_each_other(void **state)
{
	enum { BLOCKS = 100000 };
	g_autofree char *text = many_queries(BLOCKS, "type \"t\";");
	g_autoptr(SmackNotes) notes = smack_notes_new();
	g_autoptr(Smack) smack = read_as(text, SMACK_STRICT, notes);

	(void)state;
	assert_non_null(smack);
	const GArray *barrel = smack_client(smack, "c")->barrel;
	assert_int_equal(barrel->len, BLOCKS);
	for (guint i = 0; i < BLOCKS; i++)
		assert_ptr_equal(g_array_index(barrel, SmackShot, i).query,
		    g_ptr_array_index(smack->queries, i));
}

static void
types_without_number_are_refused(void **state)
{
	g_autofree char *text = many_queries(1001, "");

	(void)state;
	assert_mistakes(text,
	    "t.smack:1002:27: the barrel of client \"c\" has queries of 1001 "
	    "types, and at most 1000 are counted apart");
}

static void
own_scripts_read_without_a_word(void **state)
{
	static const char *const files[] = { "matrices/smacks/select-key.smack",
		"matrices/smacks/update-select.smack" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autoptr(SmackNotes) notes = smack_notes_new();
		size_t length = 0;
		g_autofree char *text =
		    file_read(files[i], SMACK_MAX_BYTES, &length, NULL);
		assert_non_null(text);
		g_autoptr(Smack) smack =
		    smack_read(files[i], text, length, SMACK_STRICT, notes);
		assert_non_null(smack);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_script_is_read_whole),
		cmocka_unit_test(terms_and_assignments_are_kept),
		cmocka_unit_test(strings_know_three_escapes),
		cmocka_unit_test(what_is_passed_over_is_told_by_level),
		cmocka_unit_test(mistakes_are_told_together_with_their_places),
		cmocka_unit_test(a_file_that_ends_too_early_is_told),
		cmocka_unit_test(twice_the_same_name_is_a_mistake),
		cmocka_unit_test(many_mistakes_are_cut_short),
		cmocka_unit_test(a_hundred_thousand_lines_are_read),
		cmocka_unit_test(a_hundred_thousand_blocks_find_each_other),
		cmocka_unit_test(types_without_number_are_refused),
		cmocka_unit_test(own_scripts_read_without_a_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
