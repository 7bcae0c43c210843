/*
 * What an execution came to, in both of its forms: super-smack's table, byte
 * for byte but for the figures, and JSON with everything.
 */
#ifndef ABLOAD_OUTCOME_H
#define ABLOAD_OUTCOME_H

#include <stdbool.h>

#include <glib.h>

#include "abload/bench.h"
#include "abload/crew.h"
#include "abload/series.h"

typedef struct {
	const Bench *bench;
	const GPtrArray *crews; /* Crew * */
	const Series *series;
	const char *script_sha256;
	const GPtrArray *warnings; /* char * */
} Outcome;

/*
 * Judges what ran to its end: rows that should be there, the wanted rate, no
 * client lost.  Stops the bench with the reason where it is not as asked for.
 */
void outcome_judge(Bench *bench, const GPtrArray *crews);

/* Each returns text to be freed. */
char *outcome_table(const Outcome *outcome);
char *outcome_json(const Outcome *outcome);

#endif
