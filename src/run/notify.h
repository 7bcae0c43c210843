/*
 * Tells the programs of hooks/notify that the matrix names what happens.  They
 * are told and no more: one that fails becomes an event of the run.
 */
#ifndef RUN_NOTIFY_H
#define RUN_NOTIFY_H

#include <stdbool.h>

#include <glib.h>

#include "plan/plan.h"
#include "store/store.h"

typedef struct {
	const char *event; /* "begun", "host-lost", "given-up", "finished"... */
	const char *text;  /* in words */
	const char *target;  /* name; NULL: of the whole run */
	const char *failure; /* its name; NULL */
	const char *status;  /* of abrun's end; NULL: it goes on */
	const char *post;    /* path of the finished post; NULL */
} Notice;

/* Whether all programs that the matrix names are there: ABRUN_ERROR_USAGE. */
bool notify_check(const Matrix *matrix, GError **error);

void notify_tell(const Matrix *matrix, Store *store, const Notice *notice);

#endif
