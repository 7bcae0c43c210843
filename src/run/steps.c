#include "run/steps.h"

#include "base/failure.h"
#include "base/log.h"
#include "run/hook.h"

/* A room may have to cool down. */
enum { LIMIT_MS = 10 * 60 * 1000 };

bool
steps_check(const Matrix *matrix, GError **error)
{
	for (guint i = 0; i < matrix->visit->len; i++) {
		g_autofree char *path = hook_path(
		    matrix->path, "visit", matrix->visit->pdata[i], error);
		if (path == NULL)
			return false;
	}
	return true;
}

static bool
step(Worker *worker, const Visit *visit, guint index, const char *when,
    const char *failure, const Cancel *cancel, GError **error)
{
	const Matrix *matrix = worker_matrix(worker);
	const Host *host = worker_host(worker);
	g_autofree char *round = g_strdup_printf("%zu", visit->round);
	const HookFact facts[] = {
		{ "WHEN", when },
		{ "TARGET", host->name },
		{ "SSH", host->ssh },
		{ "ROUND", round },
		{ "CELL", visit->cell->name },
		{ "FAILURE", failure },
		{ "TITLE", matrix->title },
		{ "MATRIX", matrix->path },
		{ "DIRECTORY", store_directory(worker->store) },
	};

	if (hook_run(matrix->path, "visit", matrix->visit->pdata[index], facts,
		G_N_ELEMENTS(facts), LIMIT_MS, cancel, error))
		return true;
	g_prefix_error(error, "%s the visit, ", when);
	return false;
}

static void
after(Worker *worker, const Visit *visit, guint begun, const char *failed)
{
	for (guint i = begun; i-- > 0;) {
		g_autoptr(GError) failure = NULL;
		if (step(worker, visit, i, "after", failed, worker->cleanup,
			&failure))
			continue;
		log_error("%s: round %zu, %s: %s", worker_host(worker)->name,
		    visit->round, visit->cell->name, failure->message);
		(void)store_event(worker->store, worker->index,
		    "visit hook failed", failure->message, NULL);
	}
}

bool
steps_visit(Worker *worker, const Visit *visit, GError **error)
{
	const guint n = worker_matrix(worker)->visit->len;
	g_autoptr(GError) failure = NULL;
	guint begun = 0;

	while (begun < n &&
	    step(worker, visit, begun, "before", NULL, worker->work, &failure))
		begun++;
	if (begun == n && visit_run(worker, visit, &failure)) {
		after(worker, visit, begun, NULL);
		return true;
	}
	after(worker, visit, begun, failure_name(failure_of(failure)));
	g_propagate_error(error, g_steal_pointer(&failure));
	return false;
}
