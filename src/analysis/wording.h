/*
 * Numbers and lists as words: always '.', "n/a" for what is not known, the
 * same in every locale.  All results are to be freed.
 */
#ifndef ANALYSIS_WORDING_H
#define ANALYSIS_WORDING_H

#include <glib.h>

#include "stats/stats.h"
#include "store/data.h"

/* "+7.8", "-0.0" for what is below zero but rounds to it, "0.0", "n/a". */
char *wording_signed(double value, int decimals);
/* Without a plus. */
char *wording_number(double value, int decimals);
/* As few digits as tell it: "1", "0.5", "12.25". */
char *wording_short(double value);
/* Decimals that tell the interval's half-width with two digits or one. */
int wording_decimals(Interval interval);
/* ".017", "< .001", "1", "n/a" */
char *wording_p(double p);
/* "2", "2 and 5", "1-4 and 7"; of an ascending array of size_t. */
char *wording_rounds(const GArray *rounds);
/* "a, b and c" */
char *wording_list(const GPtrArray *words);
/* "1 start", "2 starts"; the word is the plural. */
char *wording_count(size_t count, const char *plural);
/*
 * A level as a reader understands it alone: its name, or "factor name" where
 * the name says nothing (a number, "on", "default") or is another factor's.
 */
char *wording_level(const StoreData *data, size_t factor, size_t level);
/* "libc / 1", or a cell's own name if it has no factors. */
char *wording_cell(const StoreData *data, const DataCell *cell);
/* The server-class combination: a visit's cells have these in common. */
char *wording_server(const StoreData *data, size_t server);

#endif
