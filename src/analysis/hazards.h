/*
 * Which of the facts about a host disturb a measurement, and in what words.
 * The OS programs answer raw values (abrun-hooks(7)); what they mean is known
 * here alone, in const tables.  Pure.
 */
#ifndef ANALYSIS_HAZARDS_H
#define ANALYSIS_HAZARDS_H

#include <stddef.h>

#include <glib.h>

#include "store/data.h"

typedef enum {
	HAZARD_NOTE,    /* to be known; disturbs some measurements */
	HAZARD_WARNING, /* weakens a result */
} HazardLevel;

typedef struct {
	HazardLevel level;
	size_t rule; /* of the table */
	char *said;  /* "powersave": what of the fact disturbs */
	char *about; /* what follows the rule's key: a path; else "" */
} Hazard;

void hazard_free(Hazard *hazard);
/* "CPU frequency governor powersave, not ...", no full stop.  Free it. */
char *hazard_text(const Hazard *hazard);

/*
 * Adds the Hazards of one boot to found; one that is there already gets the
 * further value: "51 MB or 52 MB of swap in use".  facts: keys of the verbs
 * facts and hazards, and "free_kb PATH"; unknown ones are ignored.  from, to:
 * the time of the measurement, seconds since 1970; what falls due in it is
 * told.
 */
void hazards_of_boot(
    GHashTable *facts, double from, double to, GPtrArray *found);

/*
 * Adds what changed between two answers of the verb watch, as borrowed
 * sentences without a host: "the CPU was throttled for heat or power".
 */
void hazards_of_visit(GHashTable *before, GHashTable *after, GPtrArray *found);

/* Of all that is stored; char * added to warnings, "host: sentence.". */
void hazards_warn(const StoreData *data, GPtrArray *warnings);
/* The notes about a target's boots, each once; free the array. */
GPtrArray *hazards_notes(const StoreData *data, size_t target);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Hazard, hazard_free)

#endif
