#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>
#include <glib/gstdio.h>

#include "base/file.h"
#include "matrix/reader.h"

static Reader *
parse(const char *text)
{
	GError *error = NULL;
	Reader *reader = reader_parse(text, strlen(text), "t.cfg", &error);

	if (reader == NULL)
		fail_msg("%s", error->message);
	return reader;
}

static void
assert_report(const char *text, const char *report)
{
	g_autoptr(GError) error = NULL;

	assert_null(reader_parse(text, strlen(text), "t.cfg", &error));
	assert_string_equal(error->message, report);
}

static void
values_of_every_type_are_read(void **state)
{
	g_autoptr(Reader) reader =
	    parse("s = \"x\"; i = 7; l = 5000000000L; d = 0.5; b = true;"
		  "t = \"1h30min\"; p = \"1.5%\"; e = \"two\";"
		  "a = [ \"u\", \"v\" ]; one = \"w\"; g = ( { k = 1; } );");
	const ReaderNode *root = reader_root(reader);
	static const char *const words[] = { "one", "two", NULL };
	int64_t i = 0;
	double d = 0;
	bool b = false;
	int e = 0;

	(void)state;
	g_autofree char *s = reader_string(reader, root, "s");
	assert_string_equal(s, "x");
	assert_true(reader_int(reader, root, "i", 0, 9, &i));
	assert_int_equal(i, 7);
	assert_true(reader_int(reader, root, "l", 0, INT64_MAX, &i));
	assert_int_equal(i, 5000000000);
	assert_true(reader_double(reader, root, "i", 0, 9, &d));
	assert_true(reader_double(reader, root, "d", 0, 9, &d));
	assert_true(d > 0.49 && d < 0.51);
	assert_true(reader_bool(reader, root, "b", &b));
	assert_true(b);
	assert_true(reader_duration(reader, root, "t", 0, &i));
	assert_int_equal(i, 5400000);
	assert_true(reader_percent(reader, root, "p", &d));
	assert_true(d > 1.49 && d < 1.51);
	assert_true(reader_enum(reader, root, "e", words, &e));
	assert_int_equal(e, 1);
	g_autoptr(GPtrArray) a = reader_strings(reader, root, "a");
	assert_int_equal(a->len, 2);
	g_autoptr(GPtrArray) one = reader_strings(reader, root, "one");
	assert_string_equal(g_ptr_array_index(one, 0), "w");
	assert_int_equal(reader_length(reader_groups(reader, root, "g")), 1);
	assert_true(reader_finish(reader, NULL));
}

static void
an_absent_key_leaves_the_default(void **state)
{
	g_autoptr(Reader) reader = parse("");
	int64_t i = 42;

	(void)state;
	assert_false(reader_int(reader, reader_root(reader), "i", 0, 9, &i));
	assert_int_equal(i, 42);
	assert_null(reader_string(reader, reader_root(reader), "s"));
	assert_true(reader_finish(reader, NULL));
}

static void
all_mistakes_are_told_in_the_order_of_lines(void **state)
{
	g_autoptr(Reader) reader =
	    parse("a = \"x\";\n\nb = 11;\nlist = ( { c = 1; },\n"
		  "  { c = \"\"; } );\n");
	const ReaderNode *root = reader_root(reader);
	const ReaderNode *list = reader_get(root, "list");
	g_autoptr(GError) error = NULL;
	int64_t i = 0;

	(void)state;
	assert_null(reader_string(reader, reader_element(list, 1), "c"));
	assert_false(reader_int(reader, root, "b", 0, 9, &i));
	assert_false(reader_int(reader, root, "a", 0, 9, &i));
	assert_null(reader_need_string(reader, root, "d", "\"x\""));
	assert_false(reader_finish(reader, &error));
	assert_string_equal(error->message,
	    "t.cfg:1: d: is missing, write d = \"x\"\n"
	    "t.cfg:1: a: is a string, must be an integer without quotes\n"
	    "t.cfg:3: b: is 11, must be from 0 to 9\n"
	    "t.cfg:5: list[1].c: is empty, write a value or leave the key "
	    "out");
}

static void
an_unknown_key_is_guessed_or_sent_home(void **state)
{
	static const char *const here_keys[] = { "clients", "name", NULL };
	static const char *const there_keys[] = { "rounds", "runs", NULL };
	static const ReaderPlace here = { "a load", here_keys };
	static const ReaderPlace there = { "design", there_keys };
	static const ReaderPlace *const others[] = { &here, &there, NULL };
	static const char *const extra[] = { "smack", NULL };
	g_autoptr(Reader) reader =
	    parse("client = 1;\nrounds = 2;\nruonds = 3;\nelephants = 4;\n"
		  "smack = 5; smak = 6;");
	g_autoptr(GError) error = NULL;

	(void)state;
	reader_keys(reader, reader_root(reader), &here, others, extra);
	assert_false(reader_finish(reader, &error));
	assert_string_equal(error->message,
	    "t.cfg:1: client: unknown key, did you mean \"clients\"?\n"
	    "t.cfg:2: rounds: unknown key here, belongs in design\n"
	    "t.cfg:3: ruonds: unknown key, did you mean \"rounds\", which "
	    "belongs in design?\n"
	    "t.cfg:4: elephants: unknown key, known in a load: clients, "
	    "name, smack\n"
	    "t.cfg:5: smak: unknown key, did you mean \"smack\"?");
}

static void
what_libconfig_hides_is_found(void **state)
{
	(void)state;
	assert_report("a = 3000000000;\nb = 0xFFFFFFFF;\n"
		      "c = 99999999999999999999;\nd = -2147483648;",
	    "t.cfg:1: integer 3000000000 would be read as another number, "
	    "write 3000000000L\n"
	    "t.cfg:2: integer 0xFFFFFFFF would be read as another number, "
	    "write it as a string\n"
	    "t.cfg:3: integer 99999999999999999999 would be read as another "
	    "number, write it as a string");
	assert_report("a = ( \"x\"\n  \"y\", \"z\" );",
	    "t.cfg:2: two strings without a comma between them would become "
	    "one, write a comma");
	assert_report("a = 1;\n/* b = 2;\n",
	    "t.cfg:2: comment has no end, close it with */: the rest of the "
	    "file would be ignored");
	assert_report("\xef\xbb\xbf"
		      "a = 1;\n",
	    "t.cfg:1: begins with a byte order mark, save it as plain "
	    "UTF-8");
	assert_report(
	    "a = \"x\\x00y\";", "t.cfg:1: \\x00 cannot be in a string");
}

static void
strings_of_one_value_may_be_joined(void **state)
{
	g_autoptr(Reader) reader =
	    parse("a = \"x\" // one\n \"y\"; l = ( { b = \"u\" \"v\"; } );"
		  "n = [ 1e5, 2.5 ]; m = [ 0x7FFFFFFF ]; k = 5000000000L;");
	g_autofree char *a = reader_string(reader, reader_root(reader), "a");

	(void)state;
	assert_string_equal(a, "xy");
}

static void
a_syntax_error_is_told_alone_with_the_prescan(void **state)
{
	(void)state;
	assert_report("a = 3000000000;\nb = = 1;\nc = = 2;",
	    "t.cfg:1: integer 3000000000 would be read as another number, "
	    "write 3000000000L\n"
	    "t.cfg:2: syntax error here or just before: look for a missing "
	    "quote, comma, bracket or semicolon");
	assert_report("a = 1;\na = 2;",
	    "t.cfg:2: the same name is given twice in one group");
}

static void
hostile_text_is_refused_and_nothing_breaks(void **state)
{
	g_autoptr(GString) deep = g_string_new("a = ");
	g_autoptr(GString) wide = g_string_new("a = \"");
	g_autoptr(GString) tall = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	for (int i = 0; i < 100000; i++)
		g_string_append_c(deep, '(');
	assert_null(reader_parse(deep->str, deep->len, "t.cfg", &error));
	g_clear_error(&error);
	for (int i = 0; i < 1 << 20; i++)
		g_string_append_c(wide, 'x');
	g_string_append(wide, "\";");
	g_autoptr(Reader) reader = parse(wide->str);
	g_autofree char *a = reader_string(reader, reader_root(reader), "a");
	assert_int_equal(strlen(a), 1 << 20);
	for (int i = 0; i < 70000; i++)
		g_string_append_c(tall, '\n');
	assert_report(
	    tall->str, "t.cfg: is longer than 65535 lines with includes");
	g_string_truncate(tall, 0);
	for (int i = 0; i < 300000; i++)
		g_string_append_printf(tall, "a%d=1 ", i);
	assert_report(
	    tall->str, "t.cfg:1: more than 1000 settings in one group");
	assert_null(reader_parse("a = 1;\n\0b", 9, "t.cfg", &error));
	assert_string_equal(
	    error->message, "t.cfg:2: has a NUL byte, a matrix is plain text");
	g_clear_error(&error);
	assert_null(reader_parse("a = \"\xff\";", 8, "t.cfg", &error));
	assert_string_equal(error->message,
	    "t.cfg:1: byte 0xff is not UTF-8, save the file as UTF-8");
}

static void
nobody_is_told_more_than_200_mistakes(void **state)
{
	g_autoptr(GString) text = g_string_new("a = (");

	(void)state;
	for (int i = 0; i < 205; i++)
		g_string_append(text, "\"x\"\n\"y\",\n");
	g_string_append(text, "\"z\");");
	g_autoptr(GError) error = NULL;
	assert_null(reader_parse(text->str, text->len, "t.cfg", &error));
	g_auto(GStrv) lines = g_strsplit(error->message, "\n", -1);
	assert_int_equal(g_strv_length(lines), 201);
	assert_string_equal(lines[200], "and 5 more");
}

static void
types_are_told_apart(void **state)
{
	g_autoptr(Reader) reader = parse("\n\nc = true;\n\n"
					 "e = 0.1;\nf = 1e300;\ng = \"\";\n");
	const ReaderNode *root = reader_root(reader);
	g_autoptr(GError) error = NULL;
	double d = 0;

	(void)state;
	assert_false(reader_double(reader, root, "c", 0, 1, &d));
	assert_false(reader_double(reader, root, "f", 0, 1, &d));
	assert_false(reader_percent(reader, root, "g", &d));
	g_autofree char *text = reader_scalar(reader_get(root, "e"));
	assert_string_equal(text, "0.1");
	g_autofree char *yes = reader_scalar(reader_get(root, "c"));
	assert_string_equal(yes, "true");
	assert_false(reader_finish(reader, &error));
	assert_string_equal(error->message,
	    "t.cfg:3: c: is true or false, must be a number without quotes\n"
	    "t.cfg:6: f: is 1e+300, must be from 0 to 1\n"
	    "t.cfg:7: g: \"\" is not from \"0%\" to \"100%\", write a share "
	    "such as \"1%\"");
}

static void
a_file_that_cannot_be_read_says_why(void **state)
{
	g_autoptr(GError) error = NULL;

	(void)state;
	assert_null(reader_open("/nonexistent.cfg", &error));
	assert_string_equal(error->message,
	    "/nonexistent.cfg: cannot be read: No such file or directory");
	g_clear_error(&error);
	assert_null(reader_open("/tmp/.", &error));
	assert_non_null(strstr(error->message, "not a regular file"));
}

static void
put(const char *directory, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);
	g_autofree char *above = g_path_get_dirname(path);

	assert_int_equal(g_mkdir_with_parents(above, 0700), 0);
	assert_true(file_write(path, text, strlen(text), 0600, NULL));
}

static void
take_away(const char *directory, const char *name)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);

	assert_int_equal(g_remove(path), 0);
}

static void
includes_nest_relative_to_their_file_and_keep_lines(void **state)
{
	g_autofree char *top = g_dir_make_tmp("abrun-reader-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(top, "a.cfg", NULL);
	g_autoptr(GError) error = NULL;
	int64_t i = 0;

	(void)state;
	put(top, "a.cfg",
	    "/*\n@include \"none\"\n*/\n@include \"sub/b.cfg\" # hosts\n"
	    "z = 1;\n");
	put(top, "sub/b.cfg", "y = 2;\n@include \"c.cfg\"\nx = 3;");
	put(top, "sub/c.cfg", "\nw = 4;\n");
	g_autoptr(Reader) reader = reader_open(path, &error);
	assert_non_null(reader);
	const ReaderNode *root = reader_root(reader);
	static const char *const keys[] = { "w", "x", "y", "z" };
	for (size_t k = 0; k < G_N_ELEMENTS(keys); k++)
		assert_false(reader_int(reader, root, keys[k], 9, 9, &i));
	assert_false(reader_finish(reader, &error));
	g_autofree char *wanted =
	    g_strdup_printf("%s/sub/b.cfg:1: y: is 2, must be from 9 to 9\n"
			    "%s/sub/c.cfg:2: w: is 4, must be from 9 to 9\n"
			    "%s/sub/b.cfg:3: x: is 3, must be from 9 to 9\n"
			    "%s/a.cfg:5: z: is 1, must be from 9 to 9",
		top, top, top, top);
	assert_string_equal(error->message, wanted);

	g_clear_error(&error);
	put(top, "a.cfg", "\n@include \"a.cfg\"\n");
	assert_null(reader_open(path, &error));
	assert_non_null(strstr(error->message, "a.cfg:2: @include: more than"));
	g_clear_error(&error);
	put(top, "a.cfg", "@include \"none.cfg\"\n");
	assert_null(reader_open(path, &error));
	assert_non_null(strstr(error->message,
	    "/none.cfg: cannot be read: No such file or directory"));
	g_clear_error(&error);
	assert_int_equal(g_chmod(path, 0666), 0);
	assert_null(reader_open(path, &error));
	assert_non_null(strstr(error->message, "chmod o-w"));
	take_away(top, "a.cfg");
	take_away(top, "sub/b.cfg");
	take_away(top, "sub/c.cfg");
	take_away(top, "sub");
	assert_int_equal(g_remove(top), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_every_type_are_read),
		cmocka_unit_test(an_absent_key_leaves_the_default),
		cmocka_unit_test(all_mistakes_are_told_in_the_order_of_lines),
		cmocka_unit_test(an_unknown_key_is_guessed_or_sent_home),
		cmocka_unit_test(what_libconfig_hides_is_found),
		cmocka_unit_test(strings_of_one_value_may_be_joined),
		cmocka_unit_test(a_syntax_error_is_told_alone_with_the_prescan),
		cmocka_unit_test(hostile_text_is_refused_and_nothing_breaks),
		cmocka_unit_test(nobody_is_told_more_than_200_mistakes),
		cmocka_unit_test(types_are_told_apart),
		cmocka_unit_test(a_file_that_cannot_be_read_says_why),
		cmocka_unit_test(
		    includes_nest_relative_to_their_file_and_keep_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
