/*
 * --check: whether the words of a script and the rows of its tables are of one
 * making.
 */
#ifndef ABLOAD_CHECK_H
#define ABLOAD_CHECK_H

#include <stdbool.h>

#include "abload/bench.h"

/*
 * Every select that draws one word is asked with each word there is, through
 * a client that has it in its barrel.  ABRUN_ERROR_VERIFY when some word finds
 * no row; tells on standard output what was looked at.
 */
bool check_words(Bench *bench, GError **error);

#endif
