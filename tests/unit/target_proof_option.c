#include "../lib/proof_fixture.h"

static void
an_option_must_be_given_and_in_force(void **state)
{
	Fixture *f = *state;

	g_hash_table_insert(f->values, (gpointer) "flush_log", (gpointer) "1");
	assert_fails_with(f, "option: wanted flush_log 2, seen 1");
	g_hash_table_remove(f->values, "flush_log");
	assert_fails_with(f,
	    "option: wanted flush_log 2, unknown: no variable of the server "
	    "shows it");
	g_hash_table_insert(f->values, (gpointer) "flush_log", (gpointer) "2");
	say(answer_of(f, "cmdline", 0), "arg", "--flush_log=1");
	assert_fails_with(f, "argument: wanted flush_log 2, seen 1");
	say(answer_of(f, "cmdline", 0), "arg", "--FLUSH-log=2");
	assert_fails_with(f, NULL);
}

static void
a_size_in_force_is_the_size_asked_for(void **state)
{
	Fixture *f = *state;

	g_ptr_array_add(f->settings, &pool);
	say(answer_of(f, "cmdline", 0), "arg", "--pool-size=64M");
	g_hash_table_insert(
	    f->values, (gpointer) "pool_size", (gpointer) "67108864");
	assert_fails_with(f, NULL);
	g_hash_table_insert(
	    f->values, (gpointer) "pool_size", (gpointer) "67108865");
	assert_fails_with(f, "option: wanted pool_size 64M, seen 67108865");
}

static void
the_option_of_another_cell_must_not_be_given(void **state)
{
	Fixture *f = *state;

	say(answer_of(f, "cmdline", 0), "arg", "--pool_size=64M");
	assert_fails_with(f, "argument: wanted pool_size absent, seen 64M");
	say(answer_of(f, "cmdline", 0), "arg", "--pool-size");
	assert_fails_with(
	    f, "argument: wanted pool_size absent, seen given without a value");
}

static void
an_option_of_the_command_stands_where_the_cell_sets_none(void **state)
{
	Fixture *f = *state;
	Setting base = { .kind = SETTING_MYSQLD,
		.name = (char *)"base_size",
		.value = (char *)"9" };

	g_ptr_array_add(f->subjects, &base);
	g_hash_table_insert(f->values, (gpointer) "base_size", (gpointer) "5");
	assert_fails_with(f, NULL);
	g_hash_table_insert(f->values, (gpointer) "base_size", (gpointer) "9");
	assert_fails_with(f, "option: wanted base_size 5, seen 9");
}

static void
a_server_that_does_not_answer_proves_nothing(void **state)
{
	Fixture *f = *state;
	g_autofree char *failures = NULL;

	option_proof_values(&f->context, NULL, "refused", f->proofs);
	failures = proofs_failures(f->proofs);
	assert_string_equal(failures,
	    "version: wanted 10.11, unknown: refused; "
	    "option: wanted flush_log 2, unknown: refused; "
	    "option: wanted pool_size the server's default, unknown: refused");
}

static void
one_statement_asks_for_all_variables(void **state)
{
	Fixture *f = *state;
	Setting odd = { .kind = SETTING_MYSQLD,
		.name = (char *)"x'; DROP TABLE t",
		.value = (char *)"" };
	Setting loose = { .kind = SETTING_MYSQLD,
		.name = (char *)"loose-Pool-x",
		.value = (char *)"" };

	g_ptr_array_add(f->subjects, &odd);
	g_ptr_array_add(f->subjects, &loose);

	g_autofree char *sql = option_proof_statement(&f->context);

	assert_string_equal(sql,
	    "SHOW GLOBAL VARIABLES WHERE Variable_name IN "
	    "('version', 'flush_log', 'pool_size', 'pool_x')");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PROOF_TEST(an_option_must_be_given_and_in_force),
		PROOF_TEST(a_size_in_force_is_the_size_asked_for),
		PROOF_TEST(the_option_of_another_cell_must_not_be_given),
		PROOF_TEST(
		    an_option_of_the_command_stands_where_the_cell_sets_none),
		PROOF_TEST(a_server_that_does_not_answer_proves_nothing),
		PROOF_TEST(one_statement_asks_for_all_variables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
