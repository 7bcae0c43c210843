/*
 * What has been done to the data of the loads on one target, and what follows
 * for the next run: whether a reset is due, and what of its tables must be as
 * the setup made it.  Pure; abrun-matrix(5), DATA, tells the rules.
 */
#ifndef RUN_STATE_LOG_H
#define RUN_STATE_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "matrix/matrix.h"

typedef struct StateLog StateLog;

/* One table at one time; members are NULL where they were not asked for. */
typedef struct {
	char *rows;
	char *checksum;
	char *trouble; /* why it could not be asked; else NULL */
} StateTable;

typedef enum {
	STATE_NOTHING, /* a load with a reset has written to it since */
	STATE_ROWS,    /* a load that is never reset writes to it */
	STATE_ALL,     /* rows and checksum */
} StateCompare;

/* The data are as the setup made them.  matrix must outlive it. */
StateLog *state_log_new(const Matrix *matrix);
void state_log_free(StateLog *log);

/* Keeps what a table is after the setup: what is wanted from now on. */
void state_log_want(StateLog *log, const char *table, const StateTable *wanted);

/*
 * What became of the last look at a load's tables: reason is taken, NULL when
 * all was as wanted.  It counts until the next look or reset.
 */
void state_log_found(StateLog *log, size_t load, char *reason);
const char *state_log_changed(const StateLog *log, size_t load);

/* A start begins, in this round. */
void state_log_start(StateLog *log, size_t round);
/* Another load of another cell begins. */
void state_log_step(StateLog *log);
/* Whether the load is still to be prepared in this start; it is then. */
bool state_log_prepare(StateLog *log, size_t load);
/* The load's data were made anew. */
void state_log_reset(StateLog *log, size_t load);
/* The load runs, or would have if its data were as wanted. */
void state_log_run(StateLog *log, size_t load);

/*
 * Whether the load is to be reset as a start begins, for the sake of the loads
 * that read and come first.
 */
bool state_log_due_at_start(const StateLog *log, size_t load);
/* Whether it is to be reset before its next run. */
bool state_log_due(const StateLog *log, size_t load);
/* Whether some of its tables are to be looked at before its next run. */
bool state_log_look(const StateLog *log, size_t load);
/* What must be as it was. */
StateCompare state_log_compare(const StateLog *log, const char *table);

/*
 * NULL when what must be so is as wanted, else "data changed: ..."; free it.
 * A table that nothing is wanted of is as wanted.
 */
char *state_log_judge(
    const StateLog *log, const char *table, const StateTable *seen);
/* The same of any two. */
char *state_judge(const char *table, StateCompare compare,
    const StateTable *wanted, const StateTable *seen);

void state_table_clear(StateTable *table);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(StateLog, state_log_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(StateTable, state_table_clear)

#endif
