/*
 * Which facts disturb, and in what words: a value that does and one that does
 * not for each rule, boots told as one, visits by their rounds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/hazards.h"

#include "nights.h"

/* A night from 2026-11-30 22:00 to 06:00 UTC. */
enum { FROM = 1796076000, TO = 1796104800 };

static void
put(GHashTable *facts, const char *key, const char *value)
{
	(void)g_hash_table_insert(facts, (gpointer)key, (gpointer)value);
}

/* One fact beside others of a sound host, as "! warning", "- note" lines. */
static char *
judged(const char *key, const char *value)
{
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) found =
	    g_ptr_array_new_with_free_func((GDestroyNotify)hazard_free);
	GString *text = g_string_new(NULL);

	put(facts, "memory_kb", "16000000");
	put(facts, "numa_nodes", "2");
	put(facts, "cron_jobs", "4");
	put(facts, key, value);
	hazards_of_boot(facts, FROM, TO, found);
	for (size_t i = 0; i < found->len; i++) {
		const Hazard *hazard = found->pdata[i];
		g_autofree char *words = hazard_text(hazard);
		g_string_append_printf(text, "%s%s %s", i == 0 ? "" : "\n",
		    hazard->level == HAZARD_WARNING ? "!" : "-", words);
	}
	return g_string_free(text, FALSE);
}

static void
each_fact_is_judged(void **state)
{
	static const struct {
		const char *key, *value, *wanted;
	} cases[] = {
		{ "virt", "none", "" },
		{ "virt", "kvm",
		    "! a virtual machine or container (kvm): what else its "
		    "hardware does meanwhile cannot be seen" },
		{ "virt", "qemu",
		    "! an emulated machine (qemu): its speed says nothing "
		    "about that of kernels, libraries or hardware" },
		{ "witness", "1",
		    "! kernel debug option witness is on (1): expect reduced "
		    "performance" },
		{ "invariants", "0", "" },
		{ "lockdep", "yes",
		    "! kernel debug option lockdep is on (yes): expect reduced "
		    "performance" },
		{ "debug_options", "", "" },
		{ "debug_options", "KASAN DEBUG_LIST",
		    "! a debug kernel, built with KASAN: expect reduced "
		    "performance\n"
		    "- kernel built with DEBUG_LIST, which costs little" },
		{ "boot_marks", "", "" },
		{ "boot_marks", "kasan@?",
		    "! a debug kernel: it said kasan as it booted; expect "
		    "reduced performance" },
		{ "boot_marks", "trace_printk@0",
		    "! a debug kernel: it said trace_printk as it booted; "
		    "expect reduced performance" },
		{ "boot_marks", "trace_printk@32",
		    "- a module uses trace_printk, since 32 s after the boot" },
		{ "boot_log", "ring", "" },
		{ "boot_log", "wrapped",
		    "- the kernel's first messages are lost (ring wrapped)" },
		{ "kernel", "6.1.0-26-amd64", "" },
		{ "kernel", "6.12.4-200.fc41.x86_64+debug",
		    "! a debug kernel (6.12.4-200.fc41.x86_64+debug): expect "
		    "reduced performance" },
		{ "tainted", "4097", "" },
		{ "tainted", "640",
		    "! the kernel is tainted: it has had an oops, it has "
		    "printed a warning" },
		{ "swap_used_kb", "0", "" },
		{ "swap_used_kb", "12", "! 12 kB of swap in use" },
		{ "swap_used_kb", "2048", "! 2 MB of swap in use" },
		{ "memory_available_kb", "900000", "" },
		{ "memory_available_kb", "700000",
		    "! only 684 MB of memory are available" },
		{ "tmp_free_kb", "1048575",
		    "! only 1024 MB are free for temporary files" },
		{ "free_kb /var/lib/mysql", "2000000", "" },
		{ "free_kb /var/lib/mysql", "512000",
		    "! only 500 MB are free for /var/lib/mysql" },
		{ "governor", "performance", "" },
		{ "governor", "performance powersave",
		    "! CPU frequency governor powersave, not performance: the "
		    "clock follows the load" },
		{ "clocksource", "tsc", "" },
		{ "clocksource", "hpet",
		    "! clock source hpet: to read the time is slow" },
		{ "maintenance", "", "" },
		{ "maintenance", "apt-get dpkg",
		    "! it was at work on itself when looked at: apt-get "
		    "dpkg" },
		{ "raid_busy", "md1",
		    "! a RAID is being checked or rebuilt: md1" },
		{ "users", "", "" },
		{ "users", "ann bob",
		    "! somebody was logged in when looked at: ann bob" },
		{ "timers", "apt-daily.timer=1796104801", "" },
		{ "timers",
		    "apt-daily.timer=1796086599 x.timer=1796076000 "
		    "fstrim.timer=1796000000 no.timer=never",
		    "! due meanwhile: apt-daily.timer at 00:56 UTC\n"
		    "- due meanwhile: x.timer at 22:00 UTC" },
		{ "vulnerabilities", "meltdown=Mitigation: PTI\nmds=Not", "" },
		{ "vulnerabilities",
		    "itlb=KVM: Mitigation: x\nmds=Vulnerable: no microcode\n"
		    "srso=Vulnerable",
		    "- not mitigated: mds, srso" },
		{ "numa_balancing", "0", "" },
		{ "numa_balancing", "1", "- NUMA balancing is on (1)" },
		{ "cpus_isolated", "2-3", "- isolated CPUs: 2-3" },
		{ "cron", "", "" },
		{ "cron", "crond", "- crond (4 lines of jobs) runs" },
		{ "unattended_upgrades", "0", "" },
		{ "unattended_upgrades", "1",
		    "- unattended upgrades are on (1)" },
		{ "reboot_required", "yes", "- an upgrade waits for a reboot" },
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = judged(cases[i].key, cases[i].value);
		assert_string_equal(text, cases[i].wanted);
	}
}

static void
foreign_text_is_made_printable(void **state)
{
	g_autofree char *text = judged("users", "a\033[2Jb");

	(void)state;
	assert_null(strchr(text, '\033'));
}

static void
without_numa_nodes_nothing_moves(void **state)
{
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) found =
	    g_ptr_array_new_with_free_func((GDestroyNotify)hazard_free);

	(void)state;
	put(facts, "numa_balancing", "1");
	put(facts, "cron", "cron");
	hazards_of_boot(facts, FROM, TO, found);
	assert_int_equal(found->len, 0);
}

static StoreData *
night_of(size_t boots)
{
	StoreData *data = night_new("hazards", "hazards");

	g_ptr_array_add(data->targets, g_strdup("lab1"));
	for (size_t i = 0; i < boots; i++)
		(void)night_boot(data, 0, true);
	return data;
}

static char *
told(StoreData *data)
{
	g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);

	hazards_warn(data, warnings);
	g_ptr_array_add(warnings, NULL);
	return g_strjoinv("\n", (char **)warnings->pdata);
}

static void
boots_are_told_as_one(void **state)
{
	g_autoptr(StoreData) data = night_of(6);
	static const char *const used[] = { "2048", "0", "2048", "3072", "4096",
		"5120" };

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		const DataBoot *boot = data->boots->pdata[i];
		night_fact(data, "boot", boot->id, "swap_used_kb", used[i]);
		night_fact(data, "boot", boot->id, "cron", "cron");
		night_fact(data, "boot", boot->id, "cron_jobs", "2");
	}
	g_autofree char *text = told(data);
	assert_string_equal(
	    text, "lab1: 2 MB or 3 MB or 4 MB or others of swap in use.");
	g_autoptr(GPtrArray) notes = hazards_notes(data, 0);
	assert_int_equal(notes->len, 1);
	assert_string_equal(notes->pdata[0], "cron (2 lines of jobs) runs");
}

static void
a_host_without_boots_is_told_too(void **state)
{
	g_autoptr(StoreData) data = night_of(0);

	(void)state;
	night_fact(data, "host", 0, "governor", "ondemand");
	g_autofree char *text = told(data);
	assert_non_null(strstr(text, "governor ondemand"));
}

/* What one counter must read before and after, and what it tells then. */
static const char *
between(const char *key, const char *before, const char *after)
{
	g_autoptr(GHashTable) from = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) to = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) found = g_ptr_array_new();

	put(from, "cpu_ticks", "1000");
	put(to, "cpu_ticks", "2000");
	put(from, "uptime_ms", "100000");
	put(to, "uptime_ms", "110000");
	if (before != NULL)
		put(from, key, before);
	put(to, key, after);
	hazards_of_visit(from, to, found);
	assert_true(found->len <= 1);
	return found->len == 0 ? "" : found->pdata[0];
}

static void
counters_tell_what_came_between(void **state)
{
	static const char throttled[] =
	    "the CPU was throttled for heat or power";

	(void)state;
	assert_string_equal(between("throttled_core", "10084", "10084"), "");
	assert_string_equal(
	    between("throttled_core", "10084", "10085"), throttled);
	assert_string_equal(between("throttled_package", "0", "7"), throttled);
	assert_string_equal(between("throttled_package", NULL, "7"), "");
	assert_string_equal(between("swapped_in", "100", "355"), "");
	assert_string_equal(
	    between("swapped_out", "100", "356"), "memory was swapped");
	assert_string_equal(between("oom_kills", "1", "2"),
	    "a process was killed for want of memory");
	assert_string_equal(between("stolen_ticks", "0", "10"), "");
	assert_string_equal(between("stolen_ticks", "0", "11"),
	    "the hypervisor took more than 1 % of the CPU time");
	assert_string_equal(between("clocksource", "tsc", "tsc"), "");
	assert_string_equal(
	    between("clocksource", "tsc", "hpet"), "the clock source changed");
	assert_string_equal(between("governor", "performance", "powersave"),
	    "the frequency governor changed");
	assert_string_equal(between("sched_ext", "enabled x", "disabled"),
	    "the CPU scheduler changed");
}

static void
a_clock_that_was_set_is_told(void **state)
{
	(void)state;
	assert_string_equal(
	    between("time_ms", "1796076000000", "1796076010400"), "");
	assert_string_equal(
	    between("time_ms", "1796076000000", "1796076010600"),
	    "the clock was set");
	assert_string_equal(
	    between("time_ms", "1796076000000", "1796068810000"),
	    "the clock was set");
}

static void
visits_are_told_by_their_rounds(void **state)
{
	g_autoptr(StoreData) data = night_of(1);

	(void)state;
	for (size_t round = 1; round <= 4; round++) {
		DataVisit *visit = night_visit(data, round, 0, 1);
		night_fact(data, "visit", visit->id, "before.oom_kills", "3");
		night_fact(data, "visit", visit->id, "after.oom_kills",
		    round == 2 ? "3" : "4");
		if (round == 4)
			visit->status = VISIT_FAILED;
	}
	g_autofree char *text = told(data);
	assert_string_equal(text,
	    "lab1: a process was killed for want of memory, in 2 of 3 visits "
	    "(rounds 1 and 3).");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_fact_is_judged),
		cmocka_unit_test(foreign_text_is_made_printable),
		cmocka_unit_test(without_numa_nodes_nothing_moves),
		cmocka_unit_test(boots_are_told_as_one),
		cmocka_unit_test(a_host_without_boots_is_told_too),
		cmocka_unit_test(counters_tell_what_came_between),
		cmocka_unit_test(a_clock_that_was_set_is_told),
		cmocka_unit_test(visits_are_told_by_their_rounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
