/*
 * The host where a target's load runs.  It is the target itself, and then
 * worker->client is the worker; or it is a client host or the controller, and
 * then worker->client is a second Worker, of which only what a session needs
 * is used: index, target, work_dir, boot_id, hashes, scripts, has_password.
 *
 * Whoever speaks to a client host has the turn at it, since another target's
 * load may be measured from there.
 */
#ifndef RUN_CLIENT_H
#define RUN_CLIENT_H

#include <stdbool.h>

#include <glib.h>

#include "run/worker.h"

/* The load runs elsewhere than on the target. */
bool client_is_apart(const Worker *worker);
/* This is the second Worker of some other one. */
bool client_is_one(const Worker *worker);

/* Makes worker->client, frees it. */
void client_init(Worker *worker);
void client_clear(Worker *worker);

/*
 * The turn at the machines that a run of the load keeps busy, that of the load
 * and that of the server.  While others have it, the progress line says so.
 * A turn may be taken within a turn.  ABRUN_ERROR_CANCELLED, or _TIMEOUT when
 * that took longer than all others need for a run each.
 */
bool client_enter(Worker *worker, GError **error);
void client_leave(Worker *worker);

/*
 * Logs in to a client host apart, keeps its facts, makes the work directory
 * with scripts and password there; nothing where there is none.
 */
bool client_connect(Worker *worker, const Cancel *cancel, GError **error);

/* The lock of a client host apart is held, or taken again. */
bool client_lock(Worker *worker, GError **error);

/* Ends loads that still run there; removes the work directory. */
bool client_end_loads(Worker *worker, GError **error);
bool client_remove(Worker *worker, GError **error);

/* The answers of one call to a client host apart. */
bool client_call(
    Worker *worker, const VerbCall *call, GPtrArray **answers, GError **error);

#endif
