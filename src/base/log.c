#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

static LogLevel current_level = LOG_NORMAL;

/* Guards standard error and the line that stands on it. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static GString *shown;

void
log_set_level(LogLevel level)
{
	current_level = level;
}

LogLevel
log_level(void)
{
	return current_level;
}

/* Caller holds the mutex. */
static void
erase(void)
{
	if (shown != NULL && shown->len > 0)
		(void)fputs("\r\033[K", stderr);
}

static void G_GNUC_PRINTF(1, 0) write_line(const char *format, va_list args)
{
	char clock[sizeof("23:59:59")];
	const time_t now = time(NULL);
	struct tm local;

	(void)localtime_r(&now, &local);
	(void)strftime(clock, sizeof(clock), "%H:%M:%S", &local);
	g_autofree char *text = g_strdup_vprintf(format, args);
	g_autofree char *safe = text_printable(text, SIZE_MAX);

	(void)pthread_mutex_lock(&mutex);
	erase();
	(void)fprintf(stderr, "%s %s\n", clock, safe);
	if (shown != NULL && shown->len > 0)
		(void)fputs(shown->str, stderr);
	(void)fflush(stderr);
	(void)pthread_mutex_unlock(&mutex);
}

void
log_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_line(format, args);
	va_end(args);
}

void
log_info(const char *format, ...)
{
	va_list args;

	if (current_level < LOG_NORMAL)
		return;
	va_start(args, format);
	write_line(format, args);
	va_end(args);
}

void
log_verbose(const char *format, ...)
{
	va_list args;

	if (current_level < LOG_VERBOSE)
		return;
	va_start(args, format);
	write_line(format, args);
	va_end(args);
}

/* A terminal whose line can be erased. */
static bool
can_redraw(void)
{
	const char *terminal = getenv("TERM");

	return isatty(STDERR_FILENO) != 0 && terminal != NULL &&
	    *terminal != '\0' && strcmp(terminal, "dumb") != 0;
}

void
log_progress(const char *line)
{
	if (current_level < LOG_PROGRESS || !can_redraw())
		return;
	g_autofree char *safe =
	    text_printable(line == NULL ? "" : line, SIZE_MAX);
	(void)pthread_mutex_lock(&mutex);
	erase();
	if (shown == NULL)
		shown = g_string_new(NULL);
	(void)g_string_assign(shown, safe);
	(void)fputs(shown->str, stderr);
	(void)fflush(stderr);
	(void)pthread_mutex_unlock(&mutex);
}
