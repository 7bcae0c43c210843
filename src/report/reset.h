/*
 * How the night kept its data the same, in words.
 */
#ifndef REPORT_RESET_H
#define REPORT_RESET_H

#include "store/data.h"

/*
 * " Data reset: before every run for update. update2 writes and is never
 * reset."; "" when no load writes and nothing was copied.  Free it.
 */
char *reset_words(const StoreData *data);

#endif
