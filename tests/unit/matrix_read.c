#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "matrix/matrix.h"
#include "matrix_data.h"

static const Level *
level(const Matrix *matrix, const char *factor, guint index)
{
	const Factor *found = matrix_factor(matrix, factor);

	assert_non_null(found);
	assert_true(index < found->levels->len);
	return g_ptr_array_index(found->levels, index);
}

/* "preload=/x|sysctl vm.y=1": the settings of a level. */
static void
assert_settings(const Level *level, const char *wanted)
{
	g_autoptr(GString) seen = g_string_new(NULL);

	for (guint i = 0; i < level->settings->len; i++) {
		const Setting *setting = g_ptr_array_index(level->settings, i);
		g_string_append_printf(seen, "%s%s%s%s=%s", i > 0 ? "|" : "",
		    setting_kind_name(setting->kind),
		    *setting->name == '\0' ? "" : " ", setting->name,
		    setting->value);
	}
	assert_string_equal(seen->str, wanted);
}

static void
assert_strings(const GPtrArray *strings, const char *wanted)
{
	g_autoptr(GString) seen = g_string_new(NULL);

	for (guint i = 0; i < strings->len; i++)
		g_string_append_printf(seen, "%s%s", i > 0 ? "|" : "",
		    (char *)g_ptr_array_index(strings, i));
	assert_string_equal(seen->str, wanted);
}

static void
the_short_form_reads_as_it_stands_in_the_design(void **state)
{
	g_autoptr(Matrix) matrix = load("ule-vs-4bsd.cfg");

	(void)state;
	assert_string_equal(matrix->name, "ule-vs-4bsd");
	assert_int_equal(matrix->factors->len, 3);
	assert_int_equal(matrix_factor(matrix, "kernel")->class, CLASS_BOOT);
	assert_int_equal(
	    matrix_factor(matrix, "threadlib")->class, CLASS_SERVER);
	assert_settings(level(matrix, "kernel", 1), "kernel=GENEULE");
	assert_strings(level(matrix, "kernel", 1)->expect, "sched=ULE");
	assert_settings(level(matrix, "threadlib", 1), "threadlib=libthr");
	assert_settings(level(matrix, "yieldloops", 0), "");
	assert_settings(
	    level(matrix, "yieldloops", 1), "env LIBPTHREAD_YIELDLOOPS=30");
	assert_int_equal(matrix->server.kind, SERVER_SERVICE);
	assert_true(matrix->server.mysqld);
	assert_int_equal(matrix->server.port, 3306);
	assert_string_equal(matrix->server.user, "root");
	assert_string_equal(matrix->server.db, "test");
	assert_int_equal(matrix->server.start_timeout_ms, 60000);
	const Load *reading = g_ptr_array_index(matrix->loads, 0);
	const Load *writing = g_ptr_array_index(matrix->loads, 1);
	assert_string_equal(reading->name, "select-key");
	assert_string_equal(writing->name, "update-select");
	assert_false(reading->writes);
	assert_int_equal(reading->reset, RESET_NEVER);
	assert_true(writing->writes);
	assert_int_equal(writing->reset, RESET_RUN);
	assert_string_equal(writing->primary, "q_per_s");
	assert_string_equal(writing->cleanup, "drop {smack}");
	const Host *host = g_ptr_array_index(matrix->targets, 0);
	assert_string_equal(host->client, "target");
	assert_string_equal(host->address, "lab1");
}

static void
what_is_not_said_has_the_defaults_of_the_manual(void **state)
{
	g_autoptr(Matrix) matrix =
	    parse("targets = ( { name = \"lab1\"; os = \"linux\"; } );"
		  "factors: { thp = [ \"always\", \"never\" ]; };"
		  "loads = ( { use = \"command\"; command = \"make\"; } );");
	const Design *design = &matrix->design;
	const Host *host = g_ptr_array_index(matrix->targets, 0);
	const Load *load = g_ptr_array_index(matrix->loads, 0);

	(void)state;
	assert_string_equal(matrix->title, "t");
	assert_int_equal(design->rounds, 5);
	assert_int_equal(design->runs, 2);
	assert_int_equal(design->warmup_runs, 1);
	assert_int_equal(design->warmup_ms, 0);
	assert_true(design->random);
	assert_int_equal(design->boot, BOOT_BLOCK);
	assert_int_equal(design->restart, RESTART_VISIT);
	assert_false(design->seed_given);
	assert_null(design->baseline);
	assert_false(design->aa);
	assert_false(design->share);
	assert_float_equal(design->margin_percent, 1, 0);
	assert_float_equal(design->others_percent, 10, 0);
	assert_int_equal(matrix->server.kind, SERVER_NONE);
	assert_false(matrix->server.mysqld);
	assert_int_equal(matrix->server.port, 0);
	assert_string_equal(host->ssh, "lab1");
	assert_string_equal(host->address, "lab1");
	assert_int_equal(host->host_key, HOST_KEY_STRICT);
	assert_string_equal(load->name, "command");
	assert_string_equal(load->primary, "wall");
	assert_int_equal(load->timeout_ms, 3600000);
}

static void
every_setting_of_a_level_is_read(void **state)
{
	g_autoptr(Matrix) matrix = load("full.cfg");
	const Level *tuned = level(matrix, "bundle", 1);

	(void)state;
	assert_settings(tuned,
	    "cmdline=mitigations=off|"
	    "loader machdep.hyperthreading_allowed=0|"
	    "sysctl vm.swappiness=1|sysctl kernel.sched_x=a=b|"
	    "sysfs kernel/mm/ksm/run=0|threadlib=libthr|"
	    "preload=/usr/lib/libx.so|env EMPTY=|env A=b c|"
	    "mysqld innodb_flush_method=O_DIRECT|mysqld sync_binlog=0|"
	    "cpuset=0-3,8|smt=off|governor=performance|turbo=on|thp=never|"
	    "file /etc/a.cnf=lab.cfg|during powerd -n=powerd -n|"
	    "during scx_rusty=scx_rusty|command=");
	const Setting *command =
	    g_ptr_array_index(tuned->settings, tuned->settings->len - 1);
	assert_string_equal(command->apply, "on {target}");
	assert_string_equal(command->undo, "off");
	assert_string_equal(command->verify, "is on");
	assert_strings(tuned->expect, "threads_per_core=1");
	assert_true(tuned->same);
	assert_int_equal(matrix_factor(matrix, "bundle")->class, CLASS_BOOT);
	assert_settings(level(matrix, "kernel", 0), "");
	assert_settings(level(matrix, "kernel", 1), "kernel=6.1.0-18");
	const Factor *clients = matrix_factor(matrix, "clients");
	assert_true(clients->variable);
	assert_int_equal(clients->class, CLASS_LOAD);
	assert_string_equal(level(matrix, "clients", 1)->name, "4");
	assert_string_equal(level(matrix, "clients", 2)->name, "many");
}

static void
hosts_and_server_say_all_they_can(void **state)
{
	g_autoptr(Matrix) matrix = load("full.cfg");
	const Host *lab1 = matrix_host(matrix, "lab1");
	const Host *gen1 = matrix_host(matrix, "gen1");
	const Server *server = &matrix->server;
	g_autofree char *key =
	    g_build_filename(g_get_home_dir(), ".ssh/id_lab", NULL);

	(void)state;
	assert_true(gen1->sudo);
	assert_null(gen1->client);
	assert_string_equal(lab1->ssh, "root@[2001:db8::1]:2222");
	assert_string_equal(lab1->ssh_config, "tests/data/matrix/ssh/config");
	assert_string_equal(lab1->key, key);
	assert_string_equal(lab1->known_hosts, "/etc/ssh/known");
	assert_int_equal(lab1->host_key, HOST_KEY_ACCEPT_NEW);
	assert_string_equal(lab1->path, "/opt/bin:/bin");
	assert_string_equal(lab1->client, "gen1");
	assert_string_equal(lab1->address, "10.0.0.1");
	assert_null(matrix_host(matrix, "lab3"));
	assert_int_equal(server->kind, SERVER_COMMAND);
	assert_string_equal(server->run_as, "mysql");
	assert_string_equal(server->datadir, "/data/db");
	assert_string_equal(server->datadir_from, "/data/clean");
	assert_string_equal(server->socket, "/run/m.sock");
	assert_int_equal(server->port, 3307);
	assert_string_equal(server->user, "bench");
	assert_string_equal(server->db, "sbtest");
	assert_string_equal(server->option_file, "tests/data/matrix/my.cnf");
	assert_int_equal(server->start_timeout_ms, 120000);
	assert_int_equal(server->stop_timeout_ms, 90000);
}

static void
an_address_is_the_ssh_host_without_user_and_port(void **state)
{
	static const char *const pairs[][2] = { { "lab9", "lab9" },
		{ "root@lab9:22", "lab9" }, { "a@b@lab9", "lab9" },
		{ "root@[::1]:22", "::1" }, { "::1", "::1" },
		{ "10.0.0.1:2222", "10.0.0.1" } };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(pairs); i++) {
		g_autofree char *text = g_strdup_printf(
		    "targets = ( { name = \"x\"; ssh = \"%s\"; os = "
		    "\"linux\"; } );"
		    "factors: { thp = [ \"always\" ]; };"
		    "loads = ( { use = \"command\"; command = \"make\"; } );",
		    pairs[i][0]);
		g_autoptr(Matrix) matrix = parse(text);
		const Host *host = g_ptr_array_index(matrix->targets, 0);
		assert_string_equal(host->address, pairs[i][1]);
	}
}

static void
loads_know_their_keys_variables_and_metrics(void **state)
{
	g_autoptr(Matrix) matrix = load("full.cfg");
	const Load *select = g_ptr_array_index(matrix->loads, 0);
	const Load *update = g_ptr_array_index(matrix->loads, 1);
	const LoadKey *rounds = g_ptr_array_index(select->keys, 1);
	const Metric *own = g_ptr_array_index(update->metrics, 0);

	(void)state;
	assert_string_equal(rounds->name, "rounds");
	assert_string_equal(rounds->value, "{clients}000");
	assert_strings(select->variables, "clients");
	assert_strings(update->variables, "clients");
	assert_string_equal(select->primary, "wall");
	assert_int_equal(select->metrics->len, 1);
	assert_string_equal(select->prepare, "warm {db}");
	assert_int_equal(select->timeout_ms, 600000);
	assert_string_equal(update->setup, "s");
	assert_int_equal(update->reset, RESET_START);
	assert_strings(update->tables, "http_auth");
	assert_string_equal(own->name, "own");
	assert_string_equal(update->primary, "own");
}

static void
the_design_is_read_key_by_key(void **state)
{
	g_autoptr(Matrix) matrix = load("full.cfg");
	const Design *design = &matrix->design;
	const CellPattern *exclude = g_ptr_array_index(design->exclude, 0);
	const Contrast *contrast = g_ptr_array_index(design->contrasts, 0);
	const Monitor *monitor = g_ptr_array_index(matrix->monitors, 0);

	(void)state;
	assert_int_equal(design->rounds, 10);
	assert_int_equal(design->runs, 3);
	assert_int_equal(design->warmup_runs, 0);
	assert_false(design->random);
	assert_int_equal(design->boot, BOOT_VISIT);
	assert_int_equal(design->restart, RESTART_CELL);
	assert_true(design->seed_given);
	assert_true(design->seed == UINT64_MAX);
	assert_strings(design->baseline->factors, "clients|kernel");
	assert_strings(g_ptr_array_index(design->baseline->levels, 0), "4");
	assert_strings(exclude->factors, "kernel|clients");
	assert_strings(g_ptr_array_index(exclude->levels, 1), "1|many");
	assert_int_equal(design->include->len, 1);
	assert_true(design->aa);
	assert_true(design->share);
	assert_float_equal(design->margin_percent, 2.5, 1e-9);
	assert_float_equal(design->others_percent, 5, 1e-9);
	assert_true(design->contrasts_replace);
	assert_string_equal(contrast->name, "4 / 1");
	assert_float_equal(design->stop.halfwidth_percent, 1, 1e-9);
	assert_int_equal(design->stop.looks, 3);
	assert_int_equal(design->stop.max_rounds, 20);
	assert_string_equal(design->stop.until, "07:00");
	assert_string_equal(monitor->on, "client");
	assert_strings(matrix->notify, "mail root@localhost");
}

static void
another_server_is_no_mysqld_unless_it_says_so(void **state)
{
	static const char base[] =
	    "targets = ( { name = \"lab1\"; os = \"linux\"; } );"
	    "factors: { thp = [ \"always\", \"never\" ]; };"
	    "loads = ( { use = \"command\"; command = \"x {port}\";"
	    " metrics = [ \"wall\" ]; primary = \"maxrss\"; } );"
	    "server: { start = \"a\"; stop = \"b\"; ready = \"c {port}\";"
	    " port = 80; %s };";
	g_autofree char *other_text = g_strdup_printf(base, "");
	g_autofree char *mysqld_text = g_strdup_printf(base, "mysqld = true;");
	g_autoptr(Matrix) other = parse(other_text);
	g_autoptr(Matrix) mysqld = parse(mysqld_text);
	const Load *load = g_ptr_array_index(other->loads, 0);
	g_autofree char *not_yet = matrix_not_yet(other);

	(void)state;
	assert_int_equal(other->server.kind, SERVER_OTHER);
	assert_false(other->server.mysqld);
	assert_int_equal(other->server.port, 80);
	assert_string_equal(other->server.ready, "c {port}");
	assert_true(mysqld->server.mysqld);
	assert_int_equal(load->metrics->len, 0);
	assert_string_equal(load->primary, "maxrss");
	assert_null(not_yet);
}

static void
no_server_is_fine(void **state)
{
	static const char base[] =
	    "targets = ( { name = \"lab1\"; os = \"linux\"; } );"
	    "factors: { thp = [ \"always\", \"never\" ]; };"
	    "loads = ( { use = \"command\"; command = \"make\"; } ); ";
	g_autoptr(Matrix) none = parse(base);
	g_autofree char *of_none = matrix_not_yet(none);

	(void)state;
	assert_null(of_none);
	matrix_free(NULL);
}

static void
warmup_by_time_counts_no_runs(void **state)
{
	g_autoptr(Matrix) matrix =
	    parse("targets = ( { name = \"lab1\"; os = \"linux\"; } );"
		  "factors: { thp = [ \"always\", \"never\" ]; };"
		  "server: { command = \"mysqld\"; };"
		  "loads = ( { use = \"sysbench\"; test = "
		  "\"oltp_read_only\"; } );"
		  "design: { warmup = \"1min30s\"; };");

	(void)state;
	assert_int_equal(matrix->design.warmup_ms, 90000);
	assert_int_equal(matrix->design.warmup_runs, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    the_short_form_reads_as_it_stands_in_the_design),
		cmocka_unit_test(
		    what_is_not_said_has_the_defaults_of_the_manual),
		cmocka_unit_test(every_setting_of_a_level_is_read),
		cmocka_unit_test(hosts_and_server_say_all_they_can),
		cmocka_unit_test(
		    an_address_is_the_ssh_host_without_user_and_port),
		cmocka_unit_test(loads_know_their_keys_variables_and_metrics),
		cmocka_unit_test(the_design_is_read_key_by_key),
		cmocka_unit_test(another_server_is_no_mysqld_unless_it_says_so),
		cmocka_unit_test(no_server_is_fine),
		cmocka_unit_test(warmup_by_time_counts_no_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
