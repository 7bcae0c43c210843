/*
 * What the command line of abload asks for.
 */
#ifndef ABLOAD_OPTIONS_H
#define ABLOAD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "abload/connection.h"
#include "abload/smack.h"

typedef enum {
	ACTION_RUN,
	ACTION_PREPARE, /* make the tables anew */
	ACTION_CHECK,   /* look at them */
	ACTION_CLEANUP, /* drop them */
} Action;

typedef struct {
	char *file;       /* of the script; "-": standard input */
	char **arguments; /* $1, $2, ...; ends with NULL */

	uint64_t clients, rounds; /* 0: as the script says */
	int64_t duration_ms;      /* 0: rounds count */
	int64_t warmup_ms;
	uint64_t warmup_rounds;
	double rate; /* queries a second of all clients; 0: as can be */
	uint64_t seed;
	int64_t interval_ms; /* of the series; 0: none */
	int64_t retries;     /* of a query that lost a lock */

	Login login;   /* "" or 0 members: as the script says */
	char *engine;  /* of tables that are made; NULL: the server's */
	char *datadir; /* where data files are looked for */
	char *out;     /* file for the JSON, or NULL */

	Action action;
	SmackLevel level;
	bool poisson; /* arrivals at the rate, else even ones */
	bool prepared;
	bool allow_misses, allow_shell;
	bool table, json; /* what goes to standard output */
	bool quiet;
} Options;

/*
 * Reads the command line.  Called as super-smack it takes that program's.
 * NULL with ABRUN_ERROR_USAGE; or NULL without an error when all was said
 * (--help, --version).
 */
Options *options_read(int argc, char **argv, GError **error);
/*
 * How a client of the script logs in: what the command line does not say is
 * the script's.  Borrows from both.
 */
Login options_login(const Options *options, const SmackClient *client);
void options_free(Options *options);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Options, options_free)

#endif
