#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../lib/store_dir.h"
#include "base/error.h"
#include "store/store.h"
#include "store_reading.h"

static void
the_plan_comes_back(void **state)
{
	g_autoptr(StoreData) data = read_again(create_store(state));

	assert_string_equal(data->name, "small");
	assert_string_equal(data->title, "A small one");
	assert_string_equal(data->identity, "0123456789abcdef");
	assert_string_equal(data->matrix_path, "matrices/small.cfg");
	assert_string_equal(data->version, "0.1.0");
	assert_true(data->seed == UINT64_C(0xfedcba9876543210));
	assert_true(data->began > 1e9);
	assert_true(data->ended == data->began);
	assert_int_equal(data->rounds, 3);
	assert_int_equal(data->runs_wanted, 2);
	assert_int_equal(data->warmup_runs, 0);
	assert_int_equal(data->warmup_ms, 1500);
	assert_int_equal(data->boot_policy, BOOT_LAZY);
	assert_int_equal(data->restart_policy, RESTART_CELL);
	assert_true(data->margin_percent == 2.5);
	assert_int_equal(data->baseline, 1);
	assert_true(data->has_server);
	assert_string_equal(data->server, "/usr/sbin/mariadbd --no-defaults");
	assert_int_equal(data->targets->len, 2);
	assert_string_equal(data->targets->pdata[0], "lab1");
	assert_string_equal(data->targets->pdata[1], "lab2");
	assert_int_equal(data->left->len, 0);
}

static void
factors_come_back_with_their_settings_in_words(void **state)
{
	g_autoptr(StoreData) data = read_again(create_store(state));

	assert_int_equal(data->factors->len, 2);
	const DataFactor *allocator = data->factors->pdata[0];
	assert_string_equal(allocator->name, "allocator");
	assert_int_equal(allocator->class, CLASS_SERVER);
	assert_false(allocator->variable);
	assert_string_equal(allocator->levels->pdata[0], "libc");
	assert_string_equal(allocator->settings->pdata[0], "nothing set");
	assert_string_equal(allocator->levels->pdata[1], "jemalloc");
	assert_string_equal(allocator->settings->pdata[1],
	    "preload /usr/lib/libjemalloc.so.2, sysctl vm.swappiness=10, "
	    "expect numa_nodes=1");
	const DataFactor *clients = data->factors->pdata[1];
	assert_int_equal(clients->class, CLASS_LOAD);
	assert_true(clients->variable);
	assert_string_equal(clients->levels->pdata[1], "16");
	assert_string_equal(clients->settings->pdata[1], "");
}

static void
cells_come_back_with_their_levels(void **state)
{
	g_autoptr(StoreData) data = read_again(create_store(state));

	assert_int_equal(data->cells->len, 4);
	const DataCell *cell = data->cells->pdata[2];
	assert_int_equal(cell->id, 2);
	assert_string_equal(cell->name, "jemalloc / 1");
	assert_int_equal(cell->levels->len, 2);
	assert_int_equal(g_array_index(cell->levels, size_t, 0), 1);
	assert_int_equal(g_array_index(cell->levels, size_t, 1), 0);
	assert_int_equal(cell->server, 1);
	assert_false(cell->again);
	cell = data->cells->pdata[3];
	assert_true(cell->again);
}

static void
a_load_has_its_primary_metric_first_and_those_of_the_process(void **state)
{
	static const char *const update[] = { "tps", "p95", "wall", "user",
		"sys", "maxrss" };
	g_autoptr(StoreData) data = read_again(create_store(state));

	assert_int_equal(data->loads->len, 2);
	const DataLoad *load = data->loads->pdata[0];
	assert_int_equal(load->index, 0);
	assert_string_equal(load->name, "update");
	assert_string_equal(load->use, "sysbench");
	assert_string_equal(load->command, "sysbench --threads={clients} run");
	assert_true(load->writes);
	assert_int_equal(load->reset, RESET_RUN);
	assert_string_equal(load->variables->pdata[0], "clients");
	assert_int_equal(load->metrics->len, G_N_ELEMENTS(update));
	for (size_t i = 0; i < G_N_ELEMENTS(update); i++) {
		const DataMetric *metric = load->metrics->pdata[i];
		assert_string_equal(metric->name, update[i]);
		assert_int_equal(metric->primary, i == 0);
		assert_int_equal(metric->higher_is_better, i == 0);
	}
	const DataMetric *tps = load->metrics->pdata[0];
	assert_string_equal(tps->unit, "transactions/s");
	load = data->loads->pdata[1];
	assert_int_equal(load->metrics->len, 4);
	static const char *const of_process[][2] = { { "wall", "s" },
		{ "user", "s" }, { "sys", "s" }, { "maxrss", "MiB" } };
	for (guint i = 0; i < 4; i++) {
		const DataMetric *metric = load->metrics->pdata[i];
		assert_string_equal(metric->name, of_process[i][0]);
		assert_string_equal(metric->unit, of_process[i][1]);
		assert_false(metric->higher_is_better);
	}
	const DataMetric *wall = load->metrics->pdata[0];
	assert_string_equal(wall->name, "wall");
	assert_true(wall->primary);
}

static void
proofs_come_back_in_order(void **state)
{
	const StoreProof before[] = {
		{ "library", "/usr/lib/x.so", "mapped", "not mapped", 1, 0 },
		{ "environment", "A", "absent", "\xff\n", 2, 0 },
		{ "owner", "", "4711", "4711", 0, 0 },
	};
	const StoreProof after[] = { { "cpuset", "", "", "", 3, 0 } };
	Store *store = create_store(state);
	const int64_t visit = begin_visit(store, 0);
	assert_true(store_proofs(store, visit, false, before, 3, NULL));
	assert_true(store_proofs(store, visit, true, after, 1, NULL));
	assert_true(store_proofs(store, visit, true, NULL, 0, NULL));

	g_autoptr(StoreData) data = read_again(store);
	assert_int_equal(data->proofs->len, 4);
	for (size_t i = 0; i < 3; i++) {
		const DataProof *proof = data->proofs->pdata[i];
		assert_int_equal(proof->visit, visit);
		assert_false(proof->after);
		assert_string_equal(proof->what, before[i].what);
		assert_string_equal(proof->about, before[i].about);
		assert_string_equal(proof->wanted, before[i].wanted);
		assert_int_equal(proof->verdict, before[i].verdict);
	}
	/* Text that is no UTF-8 is kept as what every reader can read. */
	const DataProof *odd = data->proofs->pdata[1];
	assert_string_equal(odd->seen, "\xef\xbf\xbd\n");
	const DataProof *last = data->proofs->pdata[3];
	assert_true(last->after);
	assert_int_equal(last->verdict, 3);
}

static void
a_fact_told_again_counts_and_the_old_one_stays_as_an_event(void **state)
{
	Store *store = create_store(state);
	assert_true(store_fact(store, "host", 0, "governor", "ondemand", NULL));
	assert_true(store_fact(store, "host", 1, "governor", "none", NULL));
	assert_true(store_fact(store, "host", 0, "governor", "ondemand", NULL));

	StoreData *data = read_store(store);
	assert_int_equal(data->facts->len, 2);
	assert_int_equal(data->events->len, 0);
	store_data_free(data);

	assert_true(
	    store_fact(store, "host", 0, "governor", "performance", NULL));
	data = read_again(store);
	assert_int_equal(data->facts->len, 2);
	const DataFact *changed = data->facts->pdata[0];
	assert_string_equal(changed->scope, "host");
	assert_int_equal(changed->id, 0);
	assert_string_equal(changed->value, "performance");
	const DataFact *other = data->facts->pdata[1];
	assert_int_equal(other->id, 1);
	assert_string_equal(other->value, "none");
	const DataEvent *event = data->events->pdata[0];
	assert_string_equal(event->kind, "fact");
	assert_string_equal(
	    event->text, "host 0: governor was ondemand, is performance");
	assert_true(event->target == SIZE_MAX);
	store_data_free(data);
}

static void
a_clock_that_goes_on_is_no_event(void **state)
{
	Store *store = create_store(state);
	assert_true(store_fact(store, "boot", 1, "uptime_s", "10", NULL));
	assert_true(store_fact(store, "boot", 1, "time", "1796055536", NULL));
	assert_true(store_fact(store, "boot", 1, "uptime_s", "20", NULL));
	assert_true(store_fact(store, "boot", 1, "time", "1796055546", NULL));
	static const char *const keys[] = { "free_kb /var", "users" };
	static const char *const before[] = { "10", "ann" };
	static const char *const after[] = { "9", "" };
	assert_true(store_facts(store, "boot", 1, keys, before, 2, NULL));
	assert_true(store_facts(store, "boot", 1, keys, after, 2, NULL));

	StoreData *data = read_store(store);
	assert_int_equal(data->events->len, 0);
	const DataFact *uptime = data->facts->pdata[0];
	assert_string_equal(uptime->value, "20");
	assert_int_equal(data->facts->len, 4);
	const DataFact *users = data->facts->pdata[3];
	assert_string_equal(users->value, "");
	store_data_free(data);
	store_close(store);
}

static void
events_come_back(void **state)
{
	Store *store = create_store(state);
	assert_true(store_event(store, 1, "retry", "link lost", NULL));
	assert_true(
	    store_event(store, SIZE_MAX, "interrupted", "SIGINT", NULL));

	g_autoptr(StoreData) data = read_again(store);
	const DataEvent *event = data->events->pdata[0];
	assert_int_equal(event->target, 1);
	assert_string_equal(event->kind, "retry");
	assert_string_equal(event->text, "link lost");
	assert_true(event->at >= data->began && event->at <= data->ended);
	event = data->events->pdata[1];
	assert_true(event->target == SIZE_MAX);
}

static void
more_rounds_can_be_planned(void **state)
{
	Store *store = create_store(state);
	assert_true(
	    store_rounds(store, 10, "extended", "from 5 to 10 rounds", NULL));
	g_autoptr(StoreData) data = read_again(store);
	assert_int_equal(data->rounds, 10);
	assert_int_equal(data->events->len, 1);
	const DataEvent *event = data->events->pdata[0];
	assert_string_equal(event->kind, "extended");
	assert_string_equal(event->text, "from 5 to 10 rounds");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_parent(the_plan_comes_back),
		with_parent(factors_come_back_with_their_settings_in_words),
		with_parent(cells_come_back_with_their_levels),
		with_parent(
		    a_load_has_its_primary_metric_first_and_those_of_the_process),
		with_parent(proofs_come_back_in_order),
		with_parent(
		    a_fact_told_again_counts_and_the_old_one_stays_as_an_event),
		with_parent(a_clock_that_goes_on_is_no_event),
		with_parent(events_come_back),
		with_parent(more_rounds_can_be_planned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
