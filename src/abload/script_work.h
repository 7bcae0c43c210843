/*
 * Inside the carrying out of main only.
 */
#ifndef ABLOAD_SCRIPT_WORK_H
#define ABLOAD_SCRIPT_WORK_H

#include <pthread.h>
#include <stdbool.h>

#include <glib.h>

#include "abload/crew.h"

/* One kind of client on its way through main. */
typedef struct {
	Bench *bench;
	Crew *crew;
	GHashTable *variables;
	pthread_t thread;
} Kind;

/* The text of an expression, for this kind; free it. */
char *script_evaluate(const Kind *kind, const SmackExpression *expression);
/*
 * Writes what a query returns to a file, or "-" for standard output: a line a
 * row, each field followed by a tab.
 */
bool script_save(
    const Login *login, const char *sql, const char *to, GError **error);

#endif
