/*
 * What was measured of a load's process: its times and its memory.  Inside the
 * floor; pure.
 */
#ifndef LOAD_PROCESS_H
#define LOAD_PROCESS_H

#include <stdbool.h>

#include <glib.h>

#include "load/load.h"

/* Adds a LoadSample. */
LoadSample *load_sample_add(
    GPtrArray *samples, const char *metric, double value);

/* Nothing runs in no time, however bad the clock: ABRUN_ERROR_FAILED. */
bool load_took_time(const LoadOutput *output, GError **error);
/* By name; below 0 when not measured, NAN when it is no such name. */
double load_process_value(const LoadOutput *output, const char *name);
/* Adds a sample of each that was measured. */
void load_process_samples(const LoadOutput *output, GPtrArray *samples);

#endif
