#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "target/boot_judge.h"

static const BootWanted ule = {
	.old_boot = "b0",
	.kernel = "ULE",
	.fallback = "GENERIC",
	.kernel_id = "cafe",
	.machine = "m1",
	.host_key = "SHA256:k1",
	.down_ms = 60000,
	.up_ms = 300000,
	.stable_ms = 2000,
};

static BootSeen
nothing(int64_t at_ms)
{
	return (BootSeen){ .at_ms = at_ms, .failure = FAILURE_HOST_LOST };
}

/* A boot that is over, of kernel ULE, chosen for once. */
static BootSeen
up(int64_t at_ms, const char *boot_id)
{
	return (BootSeen){ .at_ms = at_ms,
		.answered = true,
		.boot_id = boot_id,
		.finished = "yes",
		.running = "ULE",
		.armed = "ULE",
		.once = "consumed",
		.machine = "m1",
		.kernel_id = "cafe",
		.host_key = "SHA256:k1" };
}

/* Looks, the last of which must end it so. */
static void
ends(const BootWanted *wanted, const BootSeen *looks, size_t n, Failure failure,
    const char *reason)
{
	g_auto(BootCourse) course = { 0 };

	for (size_t i = 0; i < n; i++) {
		const BootPhase phase =
		    boot_course_take(&course, wanted, &looks[i]);
		assert_true((i + 1 == n) ==
		    (phase == BOOT_ENDED || phase == BOOT_READY));
	}
	assert_int_equal(course.failure, failure);
	assert_int_equal(
	    course.phase, failure == FAILURE_NONE ? BOOT_READY : BOOT_ENDED);
	if (reason != NULL && strstr(course.reason, reason) == NULL)
		fail_msg("%s does not say %s", course.reason, reason);
}
#define ENDS_FOR(wanted, failure, reason, ...)                                 \
	do {                                                                   \
		const BootSeen looks[] = { __VA_ARGS__ };                      \
		ends(wanted, looks, G_N_ELEMENTS(looks), failure, reason);     \
	} while (0)
#define ENDS(failure, reason, ...) ENDS_FOR(&ule, failure, reason, __VA_ARGS__)

static void
a_new_boot_of_the_kernel_that_lasts_is_ready(void **state)
{
	(void)state;
	ENDS(FAILURE_NONE, NULL, up(500, "b0"), up(1500, "b0"), nothing(3000),
	    nothing(9000), up(20000, "b1"), up(21000, "b1"), up(22000, "b1"));
	/* Down and up between two looks. */
	ENDS(FAILURE_NONE, NULL, up(500, "b1"), up(2600, "b1"));
}

/* A1: sshd still answers; what is not told is no other boot (A6). */
static void
an_answer_of_the_old_boot_or_of_none_is_not_another(void **state)
{
	g_auto(BootCourse) course = { 0 };
	BootSeen old = up(1000, "b0");
	BootSeen empty = up(2000, "");
	BootSeen unknown = up(3000, NULL);

	(void)state;
	assert_int_equal(boot_course_take(&course, &ule, &old), BOOT_GOES_DOWN);
	assert_int_equal(
	    boot_course_take(&course, &ule, &empty), BOOT_GOES_DOWN);
	assert_int_equal(
	    boot_course_take(&course, &ule, &unknown), BOOT_GOES_DOWN);
	assert_int_equal(course.boots, 0);
	/* A2, A5: refused, or open and silent, is down and no more. */
	const BootSeen none = nothing(4000);
	assert_int_equal(boot_course_take(&course, &ule, &none), BOOT_COMES_UP);
	empty.at_ms = 5000;
	assert_int_equal(
	    boot_course_take(&course, &ule, &empty), BOOT_COMES_UP);
	assert_int_equal(course.boots, 0);
}

static void
a_shutdown_that_hangs_has_its_name(void **state)
{
	(void)state;
	ENDS(FAILURE_HUNG_SHUTDOWN, "still answers in boot b0 after 60 s",
	    up(1000, "b0"), up(59999, "b0"), up(60000, "b0"));
	/* A link that was away for a moment makes no other boot of it. */
	ENDS(FAILURE_HUNG_SHUTDOWN, NULL, nothing(1000), up(30000, "b0"),
	    up(60000, "b0"));
}

static void
a_host_that_does_not_come_back_has_run_out_of_time(void **state)
{
	(void)state;
	ENDS(FAILURE_BOOT_TIMEOUT,
	    "kernel ULE, it did not come back within 300 s", up(1000, "b0"),
	    nothing(10000), nothing(309999), nothing(310000));
	BootSeen single = up(400000, "b1");
	single.finished = "no";
	single.why = "rc(8) has not ended";
	ENDS(FAILURE_BOOT_TIMEOUT,
	    "boot b1 is not over after 390 s: rc(8) has not ended",
	    nothing(10000), single);
	ENDS(FAILURE_BOOT_TIMEOUT, "gone again after boot b1", nothing(10000),
	    up(20000, "b1"), nothing(21000), nothing(310000));
}

/* C12: the kernel answers while its boot goes on, or while it goes down. */
static void
a_boot_that_is_not_over_is_waited_for(void **state)
{
	BootSeen young = up(20000, "b1");
	BootSeen untold = up(21000, "b1");

	(void)state;
	young.finished = "no";
	untold.finished = NULL;
	ENDS(FAILURE_NONE, NULL, nothing(10000), young, untold, up(23000, "b1"),
	    up(25000, "b1"));
}

static void
the_default_after_a_choice_is_a_kernel_that_died(void **state)
{
	BootSeen fallback = up(40000, "b2");
	BootSeen later = up(42000, "b2");

	(void)state;
	fallback.running = later.running = "GENERIC";
	ENDS(FAILURE_FELL_BACK,
	    "kernel ULE, but the default GENERIC is running", nothing(10000),
	    fallback, later);
	/* It answered before it died; one boot more is no loop. */
	ENDS(FAILURE_FELL_BACK, NULL, nothing(10000), up(20000, "b1"),
	    nothing(21000), fallback, later);
	/* GRUB's way to say so. */
	fallback.armed = later.armed = "none";
	fallback.once = later.once = NULL;
	ENDS(FAILURE_FELL_BACK, NULL, nothing(10000), fallback, later);
}

/* By the name of the kernel alone the default and the choice are one. */
static void
the_default_without_the_words_has_fallen_back(void **state)
{
	static const char *const words[] = { "nosmt", "a=1", NULL };
	BootWanted wanted = ule;
	BootSeen a = up(20000, "b1"), b = up(22000, "b1");

	(void)state;
	wanted.fallback = "ULE";
	wanted.words = words;
	a.cmdline = b.cmdline = "ro a=1\tnosmt";
	ENDS_FOR(&wanted, FAILURE_NONE, NULL, a, b);
	b.cmdline = "ro nosmt a=12 xa=1";
	ENDS_FOR(&wanted, FAILURE_FELL_BACK,
	    "asked to boot kernel ULE with a=1, but it runs without", a, b);
	b.cmdline = "";
	ENDS_FOR(&wanted, FAILURE_FELL_BACK, "with nosmt", a, b);
	/* Not told is not missing. */
	a.cmdline = b.cmdline = NULL;
	ENDS_FOR(&wanted, FAILURE_NONE, NULL, a, b);
	/* Of another kernel than the default that is for the proof. */
	wanted.fallback = "GENERIC";
	b.cmdline = "ro";
	ENDS_FOR(&wanted, FAILURE_NONE, NULL, a, b);
	/* A choice that is still there has not been looked at. */
	wanted.fallback = "ULE";
	a.once = b.once = "yes";
	ENDS_FOR(&wanted, FAILURE_ONCE_STUCK, NULL, a, b);
}

static void
the_default_without_the_tunables_has_fallen_back(void **state)
{
	static const char *const words[] = { "hw.x=1", "hw.y=", NULL };
	const char *told[] = { "hw.x=1", "hw.y=" };
	BootWanted wanted = ule;
	BootSeen a = up(20000, "b1"), b = up(22000, "b1");

	(void)state;
	wanted.fallback = "ULE";
	wanted.words = words;
	a.loader = b.loader = told;
	ENDS_FOR(&wanted, FAILURE_NONE, NULL, a, b);
	told[1] = NULL;
	ENDS_FOR(&wanted, FAILURE_NONE, NULL, a, b);
	told[1] = "hw.y";
	ENDS_FOR(&wanted, FAILURE_FELL_BACK, "with hw.y=, but", a, b);
	told[0] = "hw.x=0";
	ENDS_FOR(&wanted, FAILURE_FELL_BACK, "with hw.x=1, but", a, b);
}

static void
another_kernel_is_wrong(void **state)
{
	BootSeen a = up(20000, "b1"), b = up(22000, "b1");

	(void)state;
	a.running = b.running = "old";
	ENDS(FAILURE_WRONG_KERNEL,
	    "asked to boot kernel ULE, but old is running", a, b);
	/* The loader has not looked at what was chosen. */
	a.running = b.running = "GENERIC";
	a.once = b.once = "yes";
	ENDS(FAILURE_WRONG_KERNEL, "has not looked at the choice", a, b);
	/* The same name, built anew. */
	a = up(20000, "b1");
	b = up(22000, "b1");
	a.kernel_id = b.kernel_id = "f00d";
	ENDS(FAILURE_WRONG_KERNEL, "id wanted cafe, seen f00d", a, b);
}

/* A16, A17. */
static void
a_choice_that_is_not_for_once_is_stuck(void **state)
{
	BootSeen a = up(20000, "b1"), b = up(22000, "b1");

	(void)state;
	a.once = b.once = "yes";
	ENDS(FAILURE_ONCE_STUCK, "still chosen for the next", a, b);
	a.once = b.once = "no";
	ENDS(FAILURE_ONCE_STUCK, NULL, a, b);
	assert_true(boot_failure_ends_host(FAILURE_ONCE_STUCK));
}

static void
three_boots_for_one_are_a_loop(void **state)
{
	(void)state;
	ENDS(FAILURE_BOOT_LOOP, "it has booted 3 times within 60 s",
	    nothing(1000), up(20000, "b1"), nothing(30000), up(40000, "b2"),
	    up(41000, "b2"), up(60000, "b3"));
	assert_true(boot_failure_ends_host(FAILURE_BOOT_LOOP));
	assert_false(boot_failure_ends_host(FAILURE_FELL_BACK));
}

static void
what_the_power_brings_up_may_end_the_host(void **state)
{
	(void)state;
	assert_int_equal(
	    boot_failure_after(FAILURE_BOOT_TIMEOUT, FAILURE_WRONG_HOST),
	    FAILURE_WRONG_HOST);
	assert_int_equal(
	    boot_failure_after(FAILURE_HUNG_SHUTDOWN, FAILURE_BOOT_LOOP),
	    FAILURE_BOOT_LOOP);
	assert_int_equal(
	    boot_failure_after(FAILURE_BOOT_TIMEOUT, FAILURE_POWER_FAILED),
	    FAILURE_BOOT_TIMEOUT);
	assert_int_equal(
	    boot_failure_after(FAILURE_HUNG_SHUTDOWN, FAILURE_BOOT_TIMEOUT),
	    FAILURE_HUNG_SHUTDOWN);
}

static void
another_key_or_machine_is_told_at_once(void **state)
{
	BootSeen key = nothing(20000);
	BootSeen seen_key = up(20000, "b1");
	BootSeen machine = up(20000, "b1");

	(void)state;
	key.failure = FAILURE_HOST_KEY;
	ENDS(FAILURE_HOST_KEY, "its host key is another", nothing(1000), key);
	seen_key.host_key = "SHA256:k2";
	ENDS(FAILURE_HOST_KEY, "wanted SHA256:k1, seen SHA256:k2", seen_key);
	machine.machine = "m2";
	ENDS(FAILURE_WRONG_HOST, "machine id wanted m1, seen m2", machine);
	/* Not told is not another. */
	BootSeen a = up(20000, "b1"), b = up(22000, "b1");
	a.machine = b.machine = a.host_key = b.host_key = NULL;
	a.kernel_id = b.kernel_id = NULL;
	ENDS(FAILURE_NONE, NULL, a, b);
}

static void
what_cannot_be_told_is_never_ready(void **state)
{
	BootSeen a = up(20000, "b1"), b = up(30000, "b1"), c = up(400000, "b1");

	(void)state;
	a.running = b.running = c.running = NULL;
	ENDS(FAILURE_PROOF_UNKNOWN, "kernel not told", a, b, c);
	a = up(20000, "b1");
	b = up(30000, "b1");
	c = up(400000, "b1");
	a.once = b.once = c.once = NULL;
	ENDS(FAILURE_PROOF_UNKNOWN, NULL, a, b, c);
}

static void
the_limit_is_learnt_and_bounded(void **state)
{
	(void)state;
	assert_int_equal(boot_limit_ms(0, 1200000), 900000);
	assert_int_equal(boot_limit_ms(100000, 1200000), 300000);
	assert_int_equal(boot_limit_ms(2000, 1200000), 60000);
	assert_int_equal(boot_limit_ms(800000, 1200000), 900000);
	assert_int_equal(boot_limit_ms(2000, 5000), 5000);
}

static void
the_default_is_booted_again_where_it_may_not_run(void **state)
{
	(void)state;
	assert_true(boot_is_due_back("ULE", "b0", "b1", "ULE", "GENERIC"));
	assert_false(boot_is_due_back("ULE", "b1", "b1", "GENERIC", "GENERIC"));
	assert_false(boot_is_due_back("ULE", "b0", "b2", "GENERIC", "GENERIC"));
	assert_true(
	    boot_is_due_back("GENERIC", "b0", "b1", "GENERIC", "GENERIC"));
	assert_true(boot_is_due_back(
	    "GENERIC hw.x=1", "b0", "b1", "GENERIC", "GENERIC"));
	assert_false(
	    boot_is_due_back("GENERIC2", "b0", "b1", "GENERIC", "GENERIC"));
	/* Titles of GRUB have blanks. */
	assert_true(boot_is_due_back(
	    "Linux 6.1 nosmt", "b0", "b1", "Linux 6.1", "Linux 6.1"));
}

static void
the_default_with_settings_looks_like_the_default(void **state)
{
	(void)state;
	assert_true(boot_has_settings("GENERIC hw.x=1", "GENERIC"));
	assert_true(boot_has_settings("Linux 6.1 nosmt", "Linux 6.1"));
	assert_false(boot_has_settings("GENERIC", "GENERIC"));
	assert_false(boot_has_settings("GENERIC2 hw.x=1", "GENERIC"));
	assert_false(boot_has_settings("ULE hw.x=1", "GENERIC"));
	assert_false(boot_has_settings("GEN", "GENERIC"));
}

static void
one_kernel_that_does_not_boot_is_not_the_host(void **state)
{
	(void)state;
	assert_false(boot_is_hopeless(0, 0, 1));
	assert_false(boot_is_hopeless(1, 1, 1));
	assert_true(boot_is_hopeless(2, 1, 1));
	assert_false(boot_is_hopeless(5, 1, 2));
	assert_true(boot_is_hopeless(2, 2, 2));
	assert_true(boot_is_hopeless(3, 2, 4));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_boot_of_the_kernel_that_lasts_is_ready),
		cmocka_unit_test(
		    an_answer_of_the_old_boot_or_of_none_is_not_another),
		cmocka_unit_test(a_shutdown_that_hangs_has_its_name),
		cmocka_unit_test(
		    a_host_that_does_not_come_back_has_run_out_of_time),
		cmocka_unit_test(a_boot_that_is_not_over_is_waited_for),
		cmocka_unit_test(
		    the_default_after_a_choice_is_a_kernel_that_died),
		cmocka_unit_test(the_default_without_the_words_has_fallen_back),
		cmocka_unit_test(
		    the_default_without_the_tunables_has_fallen_back),
		cmocka_unit_test(another_kernel_is_wrong),
		cmocka_unit_test(a_choice_that_is_not_for_once_is_stuck),
		cmocka_unit_test(three_boots_for_one_are_a_loop),
		cmocka_unit_test(what_the_power_brings_up_may_end_the_host),
		cmocka_unit_test(another_key_or_machine_is_told_at_once),
		cmocka_unit_test(what_cannot_be_told_is_never_ready),
		cmocka_unit_test(the_limit_is_learnt_and_bounded),
		cmocka_unit_test(
		    the_default_is_booted_again_where_it_may_not_run),
		cmocka_unit_test(
		    the_default_with_settings_looks_like_the_default),
		cmocka_unit_test(one_kernel_that_does_not_boot_is_not_the_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
