/*
 * The reports of a run directory, rendered and written.
 */
#ifndef CMD_REPORTS_H
#define CMD_REPORTS_H

#include <stdbool.h>

#include <glib.h>

#include "report/report.h"
#include "store/store.h"

/* Writes each format (names; NULL = all) into the run directory. */
bool reports_write(Store *store, const char *const *names, GError **error);
/* One format as text; free it. */
char *reports_text(Store *store, const ReportFormat *format, GError **error);

#endif
