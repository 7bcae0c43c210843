/*
 * What abrun stat --tests adds to a comparison, in each form.  Pure.
 */
#ifndef REPORT_SETS_TESTS_H
#define REPORT_SETS_TESTS_H

#include <glib.h>
#include <jansson.h>

#include "analysis/sets.h"

/* Appends a block of lines for each comparison. */
void sets_tests_text(GString *out, const Sets *sets);
/* Of one comparison: a new reference. */
json_t *sets_tests_json(const SetComparison *compared);

/* Of the columns that CSV has more then; the values are NAN where unknown. */
#define SETS_TESTS_COLUMNS 8
extern const char *const sets_tests_columns[SETS_TESTS_COLUMNS];
void sets_tests_values(
    const SetComparison *compared, double values[SETS_TESTS_COLUMNS]);

#endif
