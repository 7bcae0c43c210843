/*
 * When what was asked for and what is read back are the same value, although
 * they are written differently.  Pure.  In doubt they differ: a visit that is
 * refused costs a visit, one that is wrongly believed costs the night.
 */
#ifndef TARGET_VALUE_H
#define TARGET_VALUE_H

#include <stdbool.h>

/* Names of server options: '-' and '_' are one letter, case does not count. */
bool value_same_option(const char *a, const char *b);

/*
 * A server option as given (wanted) and as SHOW GLOBAL VARIABLES tells it
 * (seen).  Equal when, tried in this order,
 *   the texts are equal;
 *   one is ON or OFF and the other means it (ON TRUE 1, OFF FALSE 0);
 *   both are numbers of the same value, where wanted may end in one of
 *   K M G T P E, powers of 1024, and 0.5 is 0.500000;
 *   one holds a '/': they differ at most by one slash at the end;
 *   both are lists with commas: the same words in any order; or, where the
 *   words are NAME=VALUE switches, seen has all that wanted names;
 *   they differ in case alone (names of enumerations).
 * A server that rounds a value therefore gives "different": the label would
 * be wrong.
 */
bool value_same_setting(const char *wanted, const char *seen);

/*
 * A sysctl or sysfs value: words between any blanks, each equal as text or as
 * a whole number.  A file that shows its choices with the one in force in
 * brackets ("always [madvise] never") stands for that one word.
 */
bool value_same_tunable(const char *wanted, const char *seen);

/* Lists of CPUs, "0-3,8" and "0,1,2,3,8" being the same. */
bool value_same_cpus(const char *wanted, const char *seen);
/* True when each CPU of the first list is in the second. */
bool value_cpus_within(const char *some, const char *all);

#endif
