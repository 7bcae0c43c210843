/*
 * The tables of a script: made, looked at, dropped, through the client that
 * each names.  What is done is told on standard output in super-smack's words.
 */
#ifndef ABLOAD_TABLE_H
#define ABLOAD_TABLE_H

#include <stdbool.h>

#include <glib.h>

#include "abload/options.h"
#include "abload/smack.h"

/*
 * Before a run: a table that is not there, or has fewer rows than wanted, is
 * made anew, as the original does.
 */
bool table_ensure_all(
    const Smack *smack, const Options *options, GError **error);
/* --prepare: each is made anew. */
bool table_prepare_all(
    const Smack *smack, const Options *options, GError **error);
/*
 * --check: each has at least its rows, and every word of each dictionary that
 * reads the table's file is the key of one.  ABRUN_ERROR_VERIFY.
 */
bool table_check_all(
    const Smack *smack, const Options *options, GError **error);
/* --cleanup: each is dropped. */
bool table_drop_all(const Smack *smack, const Options *options, GError **error);

#endif
