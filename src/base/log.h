/*
 * What the program says while it works.  Only run/, cmd/ and abload/ call
 * these; lower floors return errors.  One line a call, written at once, from
 * any thread, and safe for a terminal whatever a host said: see
 * text_printable().  The level, and what stands on the terminal, are the only
 * globals of the program; the level is set before the first thread starts.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <glib.h>

typedef enum {
	LOG_QUIET = -2, /* errors only */
	LOG_PROGRESS,   /* and the progress line */
	LOG_NORMAL,     /* what a person must know */
	LOG_VERBOSE,    /* every step */
} LogLevel;

void log_set_level(LogLevel level);
LogLevel log_level(void);

/* To standard error, with the time of day. */
void log_error(const char *format, ...) G_GNUC_PRINTF(1, 2);
void log_info(const char *format, ...) G_GNUC_PRINTF(1, 2);
void log_verbose(const char *format, ...) G_GNUC_PRINTF(1, 2);
/*
 * The progress line: on a terminal it is redrawn in place and removed before
 * any other line; elsewhere, and on a dumb one, nothing is printed.  NULL
 * removes it.
 */
void log_progress(const char *line);

#endif
