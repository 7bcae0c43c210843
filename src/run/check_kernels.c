#include "run/check_work.h"

#include <string.h>

#include "run/kernels.h"
#include "run/power.h"

static void
tell_level(Check *check, const Worker *worker, const Factor *factor,
    const Level *level, const char *kernel)
{
	const char *id = kernels_id(worker, kernel);
	const char *file = g_hash_table_lookup(worker->kernel_files, kernel);

	if (id != NULL)
		findings_tell(check->findings, FINDING_OK, "kernel",
		    "%s=%s is %s%s%.12s", factor->name, level->name, id,
		    file == NULL ? "" : ", sha256 ", file == NULL ? "" : file);
}

/* What each name stands for there. */
static void
tell_levels(Check *check, const Worker *worker)
{
	const Matrix *matrix = worker_matrix(worker);

	for (guint f = 0; f < matrix->factors->len; f++) {
		const Factor *factor = matrix->factors->pdata[f];
		for (guint l = 0; l < factor->levels->len; l++) {
			const Level *level = factor->levels->pdata[l];
			for (guint i = 0; i < level->settings->len; i++) {
				const Setting *one = level->settings->pdata[i];
				if (one->kind == SETTING_KERNEL)
					tell_level(check, worker, factor, level,
					    one->value);
			}
		}
	}
}

/* Each boot but those of the night is of the default. */
static void
tell_default(Check *check, const char *fallback, const char *running)
{
	if (fallback == NULL || running == NULL)
		findings_add(check->findings, FINDING_WARN, "kernel",
		    "which one is the default, or which one runs, is not told",
		    NULL);
	else if (strcmp(fallback, running) == 0)
		findings_tell(check->findings, FINDING_OK, "kernel",
		    "%s is the default, and runs", fallback);
	else
		findings_tell(check->findings, FINDING_WARN, "kernel",
		    "the default is %s, but %s runs: that the default comes "
		    "up is not known, and the host falls back to it",
		    fallback, running);
}

/* What somebody else has chosen, or the loader has not taken back. */
static void
tell_choice(Check *check, const char *armed, const char *once)
{
	if (armed == NULL || strcmp(armed, "none") == 0 ||
	    g_strcmp0(once, "consumed") == 0)
		return;
	if (g_strcmp0(once, "no") == 0)
		findings_tell(check->findings, FINDING_FAIL, "boot",
		    "%s is chosen for every boot from now on, as the loader "
		    "cannot take a choice back",
		    armed);
	else
		findings_tell(check->findings, FINDING_WARN, "boot",
		    "somebody has chosen %s for the next boot; the night takes "
		    "that back",
		    armed);
}

static void
tell_state(Check *check, const Worker *worker, const VerbAnswer *state)
{
	g_autoptr(GPtrArray) hazards = verb_answer_all(state, "hazard");

	tell_default(check, verb_answer_get(state, "default"),
	    verb_answer_get(state, "running"));
	tell_choice(check, verb_answer_get(state, "armed"),
	    verb_answer_get(state, "once"));
	for (guint i = 0; i < hazards->len; i++)
		findings_add(check->findings, FINDING_WARN, "boot",
		    hazards->pdata[i], NULL);
	if (g_strcmp0(verb_answer_get(state, "watchdog"), "no") == 0 &&
	    !power_is_known(worker_host(worker)))
		findings_add(check->findings, FINDING_WARN, "boot",
		    "nothing ends a kernel that hangs: no watchdog runs there, "
		    "and the matrix gives the target no power",
		    NULL);
}

bool
check_kernels(Check *check, Worker *worker)
{
	g_autoptr(GError) failure = NULL;

	if (!kernels_are_booted(worker->plan))
		return true;
	tell_levels(check, worker);
	g_autoptr(VerbAnswer) state = target_ask(
	    worker->target, worker_deadline(), &failure, "boot_state", NULL);
	if (state == NULL) {
		check_fail(check, worker, "boot", failure, true);
		return false;
	}
	tell_state(check, worker, state);
	if (kernels_differ(worker, &failure))
		return true;
	check_fail(check, worker, "kernel", failure, false);
	return false;
}
