/*
 * The rows that a table is filled with, and its dictionaries are read from: a
 * file that is there, or what gen-data would have written, or what a command
 * of the script makes where that is allowed.
 */
#ifndef ABLOAD_TABLE_DATA_H
#define ABLOAD_TABLE_DATA_H

#include <stddef.h>

#include <glib.h>

#include "abload/options.h"
#include "abload/smack.h"

/* The lines; free them.  ABRUN_ERROR_USAGE, _FAILED, _STORE. */
char *table_data(const SmackTable *table, const Options *options,
    size_t *length, GError **error);
/*
 * The lines of a dictionary's file that is not there but would be some table's
 * by gen-data; NULL for any other.  Free it.
 */
char *table_data_of(const Smack *smack, const Options *options,
    const SmackDictionary *dictionary, size_t *length);
/* Where a data file of the script lies; free it. */
char *table_data_path(const Options *options, const char *file);

#endif
