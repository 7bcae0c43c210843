#include "run/progress.h"

#include <pthread.h>

#include "base/deadline.h"
#include "base/log.h"
#include "base/text.h"

struct Progress {
	pthread_mutex_t mutex; /* guards the rest */
	size_t visits, done;
	int64_t began_us;
};

Progress *
progress_new(size_t visits)
{
	Progress *progress = g_new0(Progress, 1);

	(void)pthread_mutex_init(&progress->mutex, NULL);
	progress->visits = visits;
	progress->began_us = deadline_now_us();
	return progress;
}

void
progress_free(Progress *progress)
{
	if (progress == NULL)
		return;
	log_progress(NULL);
	(void)pthread_mutex_destroy(&progress->mutex);
	g_free(progress);
}

void
progress_more(Progress *progress, size_t visits)
{
	(void)pthread_mutex_lock(&progress->mutex);
	progress->visits += visits;
	(void)pthread_mutex_unlock(&progress->mutex);
}

void
progress_visit(Progress *progress)
{
	(void)pthread_mutex_lock(&progress->mutex);
	progress->done++;
	(void)pthread_mutex_unlock(&progress->mutex);
}

void
progress_now(Progress *progress, const char *target, const char *what)
{
	(void)pthread_mutex_lock(&progress->mutex);
	const size_t done = progress->done, visits = progress->visits;
	const int64_t spent_ms =
	    (deadline_now_us() - progress->began_us) / 1000;
	(void)pthread_mutex_unlock(&progress->mutex);

	g_autofree char *time = text_duration(
	    spent_ms / (int64_t)MAX(done, 1) * (int64_t)(visits - done));
	g_autofree char *left =
	    done == 0 ? g_strdup("") : g_strdup_printf(", %s left", time);
	g_autofree char *line = g_strdup_printf("visit %zu of %zu%s; %s: %.60s",
	    MIN(done + 1, visits), visits, left, target, what);
	log_progress(line);
}
