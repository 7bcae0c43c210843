/*
 * Reading of load definitions (loaddef.c), for matrix_load() and tests.  Apart
 * from loaddef.h, so that libconfig stays inside the matrix floor.
 */
#ifndef MATRIX_LOADDEF_READ_H
#define MATRIX_LOADDEF_READ_H

#include <glib.h>

#include "matrix/loaddef.h"
#include "matrix/reader.h"

/*
 * Reads and checks hooks/load/NAME.cfg at path.  NULL with ABRUN_ERROR_USAGE;
 * the message is the whole report, one line a mistake.  Free with
 * loaddef_free().
 */
LoadDef *loaddef_read(const char *path, const char *name, GError **error);
/* The same for text in memory; path names it. */
LoadDef *loaddef_parse(const char *text, size_t length, const char *path,
    const char *name, GError **error);

/*
 * The metrics of a ( ) of groups, as a definition and a load of a matrix
 * write them: Metric, with a free function.  Mistakes go to the reader; never
 * NULL.
 */
GPtrArray *loaddef_read_metrics(Reader *reader, const ReaderNode *list);

/* The keys of a metric. */
extern const ReaderPlace loaddef_metric_place;

/* Tells when a pattern is wrong or has fewer than so many groups. */
void loaddef_check_regex(
    Reader *reader, const ReaderNode *node, const char *pattern, int groups);
char *loaddef_read_regex(
    Reader *reader, const ReaderNode *group, const char *key, int groups);
/* `name`, as templates and formulas can say it; NULL after a mistake. */
char *loaddef_read_name(
    Reader *reader, const ReaderNode *group, const char *example);

#endif
