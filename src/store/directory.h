/*
 * Inside the store only: the run directory as files, its lock, and a Store
 * from a directory that is there.
 */
#ifndef STORE_DIRECTORY_H
#define STORE_DIRECTORY_H

#include <stdbool.h>

#include <glib.h>

#include "store/db.h"

/*
 * Takes the lock of a directory: a descriptor to be closed, or -1 with
 * ABRUN_ERROR_HOST (another abrun has it: who, and since when) or _STORE.
 */
int directory_lock(const char *directory, GError **error);
/* Flushes the names in a directory to disk. */
bool directory_sync(const char *directory);

/* A Store without a database yet; takes over the lock, which may be -1. */
Store *store_new(const char *directory, int lock, bool read_only);
/* Opens and checks the database of a store made so. */
bool store_attach(Store *store, GError **error);

/* Writes what the plan says in one transaction of the caller's. */
bool describe_plan(
    Store *store, const Plan *plan, const char *version, GError **error);
/* The same of a StoreData that was imported, with all its samples. */
bool describe_import(Store *store, const void *data, GError **error);

#endif
