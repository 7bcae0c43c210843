#include "analysis/hazards.h"

#include <string.h>

#include "analysis/hazard_judges.h"
#include "base/text.h"

/* Of one foreign value; so many values are told of one hazard. */
enum { WORD_BYTES = 300, VALUES_TOLD = 3 };

static const char *const heavy_options[] = { "KASAN", "KMSAN", "KCSAN",
	"PROVE_LOCKING", "LOCK_STAT", "DEBUG_LOCK_ALLOC", "DEBUG_SPINLOCK",
	"DEBUG_MUTEXES", "DEBUG_ATOMIC_SLEEP", "DEBUG_PAGEALLOC_ENABLE_DEFAULT",
	"SLUB_DEBUG_ON", "DEBUG_OBJECTS", "DEBUG_KMEMLEAK",
	/* Of FreeBSD. */
	"DIAGNOSTIC", "LOCK_PROFILING", "DEBUG_LOCKS", "DEBUG_VFS_LOCKS",
	"DEBUG_MEMGUARD", "DEBUG_REDZONE", "MUTEX_DEBUG", "SOCKBUF_DEBUG",
	NULL };
static const char *const marks[] = { "kasan", "lockdep", NULL };
static const char *const debug_names[] = { "debug", "-dbg", "kasan", NULL };
/* As systemd-detect-virt names them; the first two have no hardware at all. */
static const char *const emulated[] = { "qemu", "bochs", NULL };
static const char *const no_virt[] = { "none", "qemu", "bochs", NULL };
static const char *const fast[] = { "performance", NULL };
static const char *const slow_clocks[] = { "hpet", "acpi_pm", "jiffies",
	"refined-jiffies", "pit", "i8254", "HPET", "ACPI-fast", "ACPI-safe",
	NULL };
static const char *const lost[] = { "wrapped", NULL };
/* By what their names begin with. */
static const char *const heavy_timers[] = { "apt-daily", "dnf-", "packagekit",
	"e2scrub", "fstrim", "man-db", "mlocate", "plocate", "updatedb",
	"logrotate", "mdcheck", "mdmonitor-oneshot", "raid-check", "xfs_scrub",
	"btrfs-", "zfs-scrub", "zpool-scrub", "snapper-", "fwupd-refresh",
	"unattended", "zypper", "yum-", "backup", "restic", "borg", NULL };

/* A key that ends in a blank stands for all that begin so. */
static const struct {
	const char *key;
	HazardLevel level;
	HazardJudge *judge;
	const char *const *words;
	const char *sentence; /* @ is what the judge said, # the key's rest */
} rules[] = {
	{ "virt", HAZARD_WARNING, hazard_in, emulated,
	    "an emulated machine (@): its speed says nothing about that of "
	    "kernels, libraries or hardware" },
	{ "virt", HAZARD_WARNING, hazard_not_in, no_virt,
	    "a virtual machine or container (@): what else its hardware does "
	    "meanwhile cannot be seen" },
	{ "witness", HAZARD_WARNING, hazard_is_on, NULL,
	    "kernel debug option witness is on (@): expect reduced "
	    "performance" },
	{ "invariants", HAZARD_WARNING, hazard_is_on, NULL,
	    "kernel debug option invariants is on (@): expect reduced "
	    "performance" },
	{ "debug", HAZARD_WARNING, hazard_is_on, NULL,
	    "kernel debug option debug is on (@): expect reduced "
	    "performance" },
	{ "kasan", HAZARD_WARNING, hazard_is_on, NULL,
	    "kernel debug option kasan is on (@): expect reduced "
	    "performance" },
	{ "lockdep", HAZARD_WARNING, hazard_is_on, NULL,
	    "kernel debug option lockdep is on (@): expect reduced "
	    "performance" },
	{ "debug_options", HAZARD_WARNING, hazard_in, heavy_options,
	    "a debug kernel, built with @: expect reduced performance" },
	{ "boot_marks", HAZARD_WARNING, hazard_says_debug, marks,
	    "a debug kernel: it said @ as it booted; expect reduced "
	    "performance" },
	{ "kernel", HAZARD_WARNING, hazard_holds, debug_names,
	    "a debug kernel (@): expect reduced performance" },
	{ "kernel_version", HAZARD_WARNING, hazard_holds, debug_names,
	    "a debug kernel (@): expect reduced performance" },
	{ "tainted", HAZARD_WARNING, hazard_is_tainted, NULL,
	    "the kernel is tainted: @" },
	{ "swap_used_kb", HAZARD_WARNING, hazard_swap_used, NULL,
	    "@ of swap in use" },
	{ "memory_available_kb", HAZARD_WARNING, hazard_little_memory, NULL,
	    "only @ of memory are available" },
	{ "tmp_free_kb", HAZARD_WARNING, hazard_little_space, NULL,
	    "only @ are free for temporary files" },
	{ "free_kb ", HAZARD_WARNING, hazard_little_space, NULL,
	    "only @ are free for #" },
	{ "governor", HAZARD_WARNING, hazard_not_in, fast,
	    "CPU frequency governor @, not performance: the clock follows the "
	    "load" },
	{ "clocksource", HAZARD_WARNING, hazard_in, slow_clocks,
	    "clock source @: to read the time is slow" },
	{ "maintenance", HAZARD_WARNING, hazard_is_on, NULL,
	    "it was at work on itself when looked at: @" },
	{ "raid_busy", HAZARD_WARNING, hazard_is_on, NULL,
	    "a RAID is being checked or rebuilt: @" },
	{ "zpool_busy", HAZARD_WARNING, hazard_is_on, NULL,
	    "a pool is being scrubbed or rebuilt: @" },
	{ "users", HAZARD_WARNING, hazard_is_on, NULL,
	    "somebody was logged in when looked at: @" },
	{ "timers", HAZARD_WARNING, hazard_due_heavy, heavy_timers,
	    "due meanwhile: @" },
	{ "timers", HAZARD_NOTE, hazard_due_other, heavy_timers,
	    "due meanwhile: @" },
	{ "debug_options", HAZARD_NOTE, hazard_not_in, heavy_options,
	    "kernel built with @, which costs little" },
	{ "boot_marks", HAZARD_NOTE, hazard_says_later, NULL,
	    "a module uses trace_printk, since @ after the boot" },
	{ "boot_log", HAZARD_NOTE, hazard_in, lost,
	    "the kernel's first messages are lost (ring @)" },
	{ "vulnerabilities", HAZARD_NOTE, hazard_not_mitigated, NULL,
	    "not mitigated: @" },
	{ "numa_balancing", HAZARD_NOTE, hazard_many_nodes, NULL,
	    "NUMA balancing is on (@)" },
	{ "cpus_off", HAZARD_NOTE, hazard_is_on, NULL, "CPUs that are off: @" },
	{ "cpus_isolated", HAZARD_NOTE, hazard_is_on, NULL,
	    "isolated CPUs: @" },
	{ "nohz_full", HAZARD_NOTE, hazard_is_on, NULL,
	    "CPUs without tick: @" },
	{ "cron", HAZARD_NOTE, hazard_has_jobs, NULL, "@ runs" },
	{ "unattended_upgrades", HAZARD_NOTE, hazard_is_on, NULL,
	    "unattended upgrades are on (@)" },
	{ "reboot_required", HAZARD_NOTE, hazard_is_on, NULL,
	    "an upgrade waits for a reboot" },
};

void
hazard_free(Hazard *hazard)
{
	if (hazard == NULL)
		return;
	g_free(hazard->said);
	g_free(hazard->about);
	g_free(hazard);
}

char *
hazard_text(const Hazard *hazard)
{
	GString *text = g_string_new(NULL);

	for (const char *c = rules[hazard->rule].sentence; *c != '\0'; c++) {
		if (*c == '@')
			g_string_append(text, hazard->said);
		else if (*c == '#')
			g_string_append(text, hazard->about);
		else
			g_string_append_c(text, *c);
	}
	return g_string_free(text, FALSE);
}

/* One rule's hazards of several boots become one: "51 MB or 52 MB". */
static bool
merge(GPtrArray *found, const Hazard *hazard)
{
	for (size_t i = 0; i < found->len; i++) {
		Hazard *known = found->pdata[i];
		if (known->rule != hazard->rule ||
		    strcmp(known->about, hazard->about) != 0)
			continue;
		g_auto(GStrv) parts = g_strsplit(known->said, " or ", -1);
		const size_t n = g_strv_length(parts);
		if (n > VALUES_TOLD ||
		    g_strv_contains((const char *const *)parts, hazard->said))
			return true;
		char *joined = g_strdup_printf("%s or %s", known->said,
		    n < VALUES_TOLD ? hazard->said : "others");
		g_free(known->said);
		known->said = joined;
		return true;
	}
	return false;
}

static void
add(GPtrArray *found, size_t rule, const HazardFacts *seen, const char *key,
    const char *value)
{
	g_autofree char *said =
	    rules[rule].judge(seen, value, rules[rule].words);

	if (said == NULL)
		return;
	g_autoptr(Hazard) hazard = g_new0(Hazard, 1);
	hazard->level = rules[rule].level;
	hazard->rule = rule;
	hazard->said = text_printable(said, WORD_BYTES);
	hazard->about =
	    text_printable(key + strlen(rules[rule].key), WORD_BYTES);
	if (!merge(found, hazard))
		g_ptr_array_add(found, g_steal_pointer(&hazard));
}

void
hazards_of_boot(GHashTable *facts, double from, double to, GPtrArray *found)
{
	const HazardFacts seen = { facts, from, to };

	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++) {
		const char *key = rules[i].key;
		const char *value = g_hash_table_lookup(facts, key);
		if (value != NULL)
			add(found, i, &seen, key, value);
		if (!g_str_has_suffix(key, " "))
			continue;
		GList *keys = g_list_sort(
		    g_hash_table_get_keys(facts), (GCompareFunc)strcmp);
		for (const GList *item = keys; item != NULL; item = item->next)
			if (g_str_has_prefix(item->data, key))
				add(found, i, &seen, item->data,
				    g_hash_table_lookup(facts, item->data));
		g_list_free(keys);
	}
}
