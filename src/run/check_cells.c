#include "run/check_work.h"

#include <string.h>

#include "base/failure.h"
#include "base/log.h"
#include "base/text.h"
#include "run/check_words.h"
#include "run/kernels.h"
#include "run/prepare.h"
#include "run/resolve.h"
#include "run/visit.h"

/* Of a target: levels may be many, and servers slow. */
enum { CELLS_MS = 30 * 60 * 1000 };

/* The libraries that the levels so far were resolved to. */
static void
tell_libraries(Check *check, const Worker *worker, guint from)
{
	for (guint i = from; i < worker->resolved->len; i++) {
		const ResolvedSetting *resolved = worker->resolved->pdata[i];
		if (resolved->of != NULL &&
		    (resolved->is->kind == SETTING_PRELOAD ||
			resolved->is->kind == SETTING_THREADLIB))
			findings_tell(check->findings, FINDING_OK, "library",
			    "%s is %s", resolved->of->value,
			    resolved->is->value);
	}
}

/* False when a level was not had: its cells are left out. */
static bool
resolve_levels(Check *check, Worker *worker)
{
	const Matrix *matrix = worker_matrix(worker);
	bool all = true;

	for (guint f = 0; f < matrix->factors->len; f++) {
		const Factor *factor = matrix->factors->pdata[f];
		for (guint l = 0; l < factor->levels->len; l++) {
			const Level *level = factor->levels->pdata[l];
			const guint known = worker->resolved->len;
			g_autofree char *name =
			    g_strdup_printf("%s=%s", factor->name, level->name);
			g_autoptr(GError) failure = NULL;
			if (!check_goes_on(check))
				return false;
			if (resolve_level(worker, level, &failure)) {
				tell_libraries(check, worker, known);
				continue;
			}
			check_fail(check, worker, name, failure, false);
			(void)g_hash_table_add(check->without, (gpointer)level);
			all = false;
		}
	}
	return all;
}

static void
tell_server(Check *check, const Worker *worker)
{
	const ServerLife *life = &worker->life;
	g_autofree char *time = text_duration(life->ready_ms);

	if (worker->control == NULL)
		findings_add(check->findings, FINDING_NOTE, "server",
		    "there is none: environment and library of the loads are "
		    "proved when they run",
		    NULL);
	else
		findings_tell(check->findings, FINDING_OK, "server",
		    "%s%s%s, ready after %s",
		    life->exe == NULL ? "?" : life->exe,
		    life->version == NULL ? "" : ", ",
		    life->version == NULL ? "" : life->version, time);
}

bool
check_server(Check *check, Worker *worker)
{
	g_autoptr(GError) failure = NULL;
	g_autofree char *now = g_strdup_printf(
	    "%s: starting the server", worker_host(worker)->name);

	if (!resolve_server(worker, &failure)) {
		check_fail(check, worker, "server", failure, false);
		return false;
	}
	if (!kernels_prepare(worker, &failure)) {
		check_fail(check, worker, "kernel", failure, true);
		g_clear_error(&failure);
	}
	(void)resolve_levels(check, worker);
	if (!check_goes_on(check) || !check_kernels(check, worker))
		return false;
	resolve_subjects(worker);
	if (!check_goes_on(check))
		return false;
	log_progress(now);
	if (!prepare_server(worker, &failure)) {
		check_fail(check, worker, "server", failure, true);
		return false;
	}
	tell_server(check, worker);
	return true;
}

/* How many proofs of a visit held, before and after. */
static size_t
proofs_of(const Check *check, int64_t visit)
{
	g_autoptr(StoreData) data = store_read(check->store, NULL);
	size_t n = 0;

	for (guint i = 0; data != NULL && i < data->proofs->len; i++) {
		const DataProof *proof = data->proofs->pdata[i];
		n += proof->visit == visit && proof->verdict == STORED_YES;
	}
	return n;
}

static bool
try_cell(Worker *worker, Visit *visit, GError **error)
{
	if (!visit_reach(worker, error))
		return false;
	visit->id = store_visit_begin(worker->store, worker->index, 1, 0,
	    visit->plan->server, worker->boot, 1, error);
	return visit->id != 0 && visit_rehearse(worker, visit, error);
}

/* False when the host is gone, or we end. */
static bool
check_cell(Check *check, Worker *worker, size_t server)
{
	const PlanVisit plan = { .server = server };
	const Cell *cell = plan_server_cell(check->plan, server);
	g_autoptr(GPtrArray) settings = worker_settings(worker, cell);
	g_autofree char *name = plan_server_words(check->plan, server);
	g_autoptr(GError) failure = NULL;
	Visit visit = {
		.plan = &plan, .round = 1, .cell = cell, .settings = settings
	};

	if (try_cell(worker, &visit, &failure)) {
		findings_tell(check->findings, FINDING_OK, name,
		    "%zu proofs hold%s", proofs_of(check, visit.id),
		    kernels_are_booted(check->plan)
			? "; its kernel was not booted: a check boots none"
			: "");
		return true;
	}
	if (g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_CANCELLED))
		return false;
	g_autoptr(GError) told = g_error_copy(failure);
	g_free(told->message);
	told->message =
	    g_strdup(check_cell_reason(worker_reason(worker, failure)));
	check_fail(check, worker, name, told, true);
	/* As in a night: a session that failed once is not trusted. */
	worker->unsettled = true;
	worker_disconnect(worker);
	return check_goes_on(check) &&
	    !g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_HOST);
}

void
check_cells(Check *check, Worker *worker)
{
	const char *host = worker_host(worker)->name;
	const Plan *plan = check->plan;
	g_autoptr(GArray) cover = plan_cover(plan, check->without);
	const Deadline end = deadline_in(CELLS_MS);
	g_autofree char *head =
	    g_strdup_printf("cells on %s: %u of %zu, which together hold every "
			    "level that can be had; each is set up and proved "
			    "without load",
		host, cover->len, plan->n_servers);
	guint done = 0;

	findings_group(check->findings, FINDINGS_CELLS, head);
	while (done < cover->len && !deadline_passed(end)) {
		const size_t server = g_array_index(cover, size_t, done);
		g_autofree char *now = g_strdup_printf(
		    "%s: cell %u of %u", host, done + 1, cover->len);
		log_progress(now);
		done++;
		if (!check_cell(check, worker, server))
			break;
		check_events(check);
	}
	check_events(check);
	if (done < cover->len && check_goes_on(check))
		findings_tell(check->findings, FINDING_WARN, "cells",
		    "%u of them were not tried", cover->len - done);
}
