#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../lib/store_dir.h"
#include "store/store.h"
#include "store_reading.h"

static int64_t
reboot(Store *store, size_t round, const char *wanted, int64_t boot,
    Failure failure)
{
	const int64_t id = store_reboot_begin(store, 1, round, 0, wanted, NULL);

	assert_true(id > 0);
	assert_true(store_reboot_end(store, id, boot, 1000 * (int64_t)round,
	    failure, failure == FAILURE_NONE ? NULL : "why", NULL));
	return id;
}

static StoreReboots
known(
    Store *store, size_t target, size_t round, int64_t boot, const char *wanted)
{
	StoreReboots reboots;

	assert_true(store_reboots(
	    store, target, round, 0, boot, wanted, &reboots, NULL));
	return reboots;
}

static void
what_a_block_has_had_of_boots_is_known(void **state)
{
	g_autoptr(Store) store = create_store(state);
	const int64_t boot = store_boot(store, 1, "b1", "k", true, NULL);

	assert_int_equal(known(store, 1, 1, boot, "ULE").failed, 0);
	(void)reboot(store, 1, "ULE", 0, FAILURE_BOOT_TIMEOUT);
	(void)reboot(store, 1, "ULE", 0, FAILURE_FELL_BACK);
	(void)reboot(store, 2, "ULE", boot, FAILURE_NONE);
	/* One that was cut off says nothing. */
	assert_true(store_reboot_begin(store, 1, 3, 0, "ULE", NULL) > 0);

	const StoreReboots first = known(store, 1, 1, boot, "ULE");
	assert_int_equal(first.failed, 2);
	assert_int_equal(first.failure, FAILURE_FELL_BACK);
	assert_false(first.serves);
	assert_true(first.same);
	assert_int_equal(first.longest_ms, 2000);
	const StoreReboots second = known(store, 1, 2, boot, "kernel");
	assert_int_equal(second.failed, 0);
	assert_int_equal(second.failure, FAILURE_NONE);
	assert_true(second.serves);
	assert_false(second.same);
	const StoreReboots third = known(store, 1, 3, boot + 1, "ULE");
	assert_int_equal(third.failed, 0);
	assert_false(third.serves);
	assert_false(third.same);
	assert_int_equal(known(store, 0, 2, boot, "ULE").longest_ms, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_parent(what_a_block_has_had_of_boots_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
