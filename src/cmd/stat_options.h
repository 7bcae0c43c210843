/*
 * The command line of abrun stat: ministat's options, and more.  They are read
 * by getopt_long(3), since ministat's users write -c95 and -An.
 */
#ifndef CMD_STAT_OPTIONS_H
#define CMD_STAT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <glib.h>

#include "analysis/sets.h"
#include "report/sets.h"

typedef enum { STAT_TEXT, STAT_JSON, STAT_CSV } StatFormat;

typedef struct {
	SetsOptions numbers;
	SetsLook look; /* plot.width 0: as wide as the terminal */
	StatFormat format;
	size_t column;
	const char *delimiters;
	bool help;
	/* What is left in argv. */
	char **files;
	size_t n_files;
} StatOptions;

/* ABRUN_ERROR_USAGE where something is no option or no value of one. */
bool stat_options(StatOptions *options, int argc, char **argv, GError **error);
/* What --help says. */
extern const char stat_help[];

#endif
