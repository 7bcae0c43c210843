/*
 * How the value of a fact becomes part of the sentence of a hazard.  Each is
 * given all facts of the boot, the value, and the words of its rule, ended by
 * NULL; it returns NULL where there is no hazard.  Free it.
 */
#ifndef ANALYSIS_HAZARD_JUDGES_H
#define ANALYSIS_HAZARD_JUDGES_H

#include <glib.h>

typedef struct {
	GHashTable *facts; /* key to value */
	double from, to;   /* of the measurement, seconds since 1970 */
} HazardFacts;

typedef char *HazardJudge(
    const HazardFacts *seen, const char *value, const char *const *words);

/* Set, and not to nothing: the value. */
HazardJudge hazard_is_on;
/* Its words that are not among these. */
HazardJudge hazard_not_in;
/* Its words that are among these. */
HazardJudge hazard_in;
/* The value, when one of these is in it, in any case of letters. */
HazardJudge hazard_holds;
/* boot_marks: one of these, or trace_printk from the kernel itself. */
HazardJudge hazard_says_debug;
/* boot_marks: trace_printk, but of a module. */
HazardJudge hazard_says_later;
/* Bits of /proc/sys/kernel/tainted that tell of trouble. */
HazardJudge hazard_is_tainted;
/* kB, when not none. */
HazardJudge hazard_swap_used;
/* kB, when less than a server needs. */
HazardJudge hazard_little_memory;
/* kB, when a night may end early. */
HazardJudge hazard_little_space;
/* Set, where there are several NUMA nodes. */
HazardJudge hazard_many_nodes;
/* cron, with its jobs. */
HazardJudge hazard_has_jobs;
/* vulnerabilities: the names of those. */
HazardJudge hazard_not_mitigated;
/* timers due in the measurement whose names begin so. */
HazardJudge hazard_due_heavy;
/* The other timers. */
HazardJudge hazard_due_other;

#endif
