#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "abload/gendata.h"

#define STOCK "%12-12s%n,%25-25s,%n,%d"

static char *
rows_of(const char *format, uint64_t n)
{
	g_autoptr(GenData) data = gendata_new(format, NULL);
	g_autoptr(GString) text = g_string_new(NULL);

	assert_non_null(data);
	for (uint64_t i = 0; i < n; i++) {
		gendata_row(data, text);
		g_string_append_c(text, '\n');
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void
the_stock_file_is_byte_for_byte_the_original(void **state)
{
	g_autofree char *text = rows_of(STOCK, 90000);

	(void)state;
	g_autofree char *sum =
	    g_compute_checksum_for_string(G_CHECKSUM_MD5, text, -1);
	assert_int_equal(strlen(text), 5421337);
	assert_string_equal(sum, "f0d0fcc1c0b95d390b5d6155e8d2309c");
	assert_true(g_str_has_prefix(
	    text, "ilcpsklryvmc1,pjnbpbwllsrehfmxrkecwitrs,1,2089018456\n"));
}

static void
text_and_rows_stand_where_the_format_has_them(void **state)
{
	g_autofree char *text = rows_of("a%%b%n;", 3);

	(void)state;
	assert_string_equal(text, "a%b1;\na%b2;\na%b3;\n");
}

static void
the_upper_length_is_never_reached(void **state)
{
	g_autofree char *text = rows_of("%2-4s", 200);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	bool two = false;
	bool three = false;

	(void)state;
	for (size_t i = 0; i < 200; i++) {
		const size_t length = strlen(lines[i]);
		assert_in_range(length, 2, 3);
		two |= length == 2;
		three |= length == 3;
	}
	assert_true(two && three);
}

static void
formats_that_gen_data_has_not_are_refused(void **state)
{
	static const char *const wrong[] = { "%x", "%", "%12-", "%5000s",
		"%3-99999s" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autoptr(GError) error = NULL;
		assert_null(gendata_new(wrong[i], &error));
		assert_non_null(strstr(error->message, wrong[i]));
	}
}

static void
a_command_is_taken_for_gen_data_only_where_it_is(void **state)
{
	uint64_t rows = 0;
	g_autofree char *format = NULL;
	g_autofree char *quoted = NULL;
	char *none = NULL;

	(void)state;
	assert_true(
	    gendata_command("gen-data -n 90000 -f " STOCK, &rows, &format));
	assert_int_equal(rows, 90000);
	assert_string_equal(format, STOCK);
	assert_true(gendata_command(
	    "/usr/bin/gen-data -f '%n x' -n 7", &rows, &quoted));
	assert_int_equal(rows, 7);
	assert_string_equal(quoted, "%n x");
	assert_false(gendata_command("gen-data -n 5", &rows, &none));
	assert_false(gendata_command("gen-data -n x -f y", &rows, &none));
	assert_false(gendata_command("gen-data -n 5 -f y; rm x", &rows, &none));
	assert_false(gendata_command("gen-data -n 5 -f y;rm", &rows, &none));
	assert_false(gendata_command("sh gen-data -n 5 -f", &rows, &none));
	assert_false(gendata_command("", &rows, &none));
	assert_null(none);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_stock_file_is_byte_for_byte_the_original),
		cmocka_unit_test(text_and_rows_stand_where_the_format_has_them),
		cmocka_unit_test(the_upper_length_is_never_reached),
		cmocka_unit_test(formats_that_gen_data_has_not_are_refused),
		cmocka_unit_test(
		    a_command_is_taken_for_gen_data_only_where_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
