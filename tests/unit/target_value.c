#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "target/value.h"

static void
dashes_and_underscores_name_one_option(void **state)
{
	(void)state;
	assert_true(value_same_option(
	    "innodb-buffer-pool-size", "INNODB_buffer_pool_size"));
	assert_false(value_same_option("innodb_buffer_pool", "innodb_buffer"));
	assert_false(value_same_option("innodb_buffer", "innodb_buffer_pool"));
}

static void
sizes_equal_their_bytes(void **state)
{
	(void)state;
	assert_true(value_same_setting("64M", "67108864"));
	assert_true(value_same_setting("64m", "67108864"));
	assert_true(value_same_setting("1K", "1024"));
	assert_true(value_same_setting("2T", "2199023255552"));
	assert_false(value_same_setting("64M", "64"));
	assert_false(value_same_setting("64", "67108864"));
	assert_false(value_same_setting("100M", "134217728"));
	assert_false(value_same_setting("64MB", "67108864"));
	assert_false(value_same_setting("K", "0"));
	assert_false(value_same_setting("9000P", "0"));
}

static void
numbers_are_compared_as_numbers(void **state)
{
	(void)state;
	assert_true(value_same_setting("0.5", "0.500000"));
	assert_true(value_same_setting("007", "7"));
	assert_true(value_same_setting("-1", "-1"));
	assert_false(value_same_setting("0.5", "0.6"));
	assert_false(value_same_setting("1", "2"));
	assert_false(value_same_setting("1", "1x"));
	assert_false(value_same_setting("", "0"));
}

static void
switches_have_three_spellings(void **state)
{
	(void)state;
	assert_true(value_same_setting("1", "ON"));
	assert_true(value_same_setting("true", "ON"));
	assert_true(value_same_setting("off", "OFF"));
	assert_true(value_same_setting("OFF", "0"));
	assert_false(value_same_setting("1", "OFF"));
	assert_false(value_same_setting("2", "ON"));
	assert_false(value_same_setting("yes", "ON"));
	/* TRUE as text beside a number says nothing about switches. */
	assert_false(value_same_setting("true", "1.5"));
}

static void
enumerations_ignore_case_and_paths_do_not(void **state)
{
	(void)state;
	assert_true(value_same_setting("o_direct", "O_DIRECT"));
	assert_false(value_same_setting("O_DIRECT", "O_DIRECT_NO_FSYNC"));
	assert_true(value_same_setting("/data/db", "/data/db/"));
	assert_false(value_same_setting("/data/DB", "/data/db"));
	assert_false(value_same_setting("/data", "/data/db"));
}

static void
lists_are_sets_and_switch_lists_are_parts(void **state)
{
	(void)state;
	assert_true(value_same_setting("NO_ZERO_DATE,STRICT_ALL_TABLES",
	    "STRICT_ALL_TABLES,NO_ZERO_DATE"));
	assert_false(value_same_setting(
	    "STRICT_ALL_TABLES", "STRICT_ALL_TABLES,NO_ZERO_DATE"));
	assert_false(value_same_setting(
	    "STRICT_ALL_TABLES,ANSI", "STRICT_ALL_TABLES,NO_ZERO_DATE"));
	assert_true(value_same_setting("mrr=on", "index_merge=on,mrr=on"));
	assert_false(value_same_setting("mrr=on", "index_merge=on,mrr=off"));
}

static void
tunables_are_words_between_blanks(void **state)
{
	(void)state;
	assert_true(value_same_tunable(
	    "4096 131072 6291456", "4096\t131072\t6291456\n"));
	assert_true(value_same_tunable("madvise", "always [madvise] never"));
	assert_false(value_same_tunable("always", "always [madvise] never"));
	assert_true(value_same_tunable("010", "10"));
	assert_false(value_same_tunable("1", "1 2"));
	assert_false(value_same_tunable("", "0"));
	assert_false(value_same_tunable("64M", "67108864"));
}

static void
lists_of_cpus_are_sets(void **state)
{
	(void)state;
	assert_true(value_same_cpus("0-3,8", "0,1,2,3,8"));
	assert_true(value_same_cpus("8,0-3", "0-3,8"));
	assert_false(value_same_cpus("0-3", "0-4"));
	assert_false(value_same_cpus("", ""));
	assert_false(value_same_cpus("x", "x"));
	assert_false(value_same_cpus("3-1", "1-3"));
	assert_true(value_cpus_within("0-3", "0-63"));
	assert_false(value_cpus_within("0-3", "0-2"));
	assert_false(value_cpus_within("", "0-2"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dashes_and_underscores_name_one_option),
		cmocka_unit_test(sizes_equal_their_bytes),
		cmocka_unit_test(numbers_are_compared_as_numbers),
		cmocka_unit_test(switches_have_three_spellings),
		cmocka_unit_test(enumerations_ignore_case_and_paths_do_not),
		cmocka_unit_test(lists_are_sets_and_switch_lists_are_parts),
		cmocka_unit_test(tunables_are_words_between_blanks),
		cmocka_unit_test(lists_of_cpus_are_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
