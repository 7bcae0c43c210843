#include "run/check_work.h"

#include <string.h>

#include "analysis/hazards.h"
#include "base/failure.h"
#include "base/log.h"
#include "base/text.h"
#include "run/check_words.h"
#include "run/client.h"
#include "run/power.h"

/* What a night is taken for whose length no load tells. */
enum { NIGHT_MS = 12 * 60 * 60 * 1000 };

/* What a session can fail of besides the login. */
static const struct {
	Failure failure;
	const char *subject;
	bool advised; /* its messages do not say what is to be done */
} session_failures[] = {
	{ FAILURE_LOCKED, "lock", false },
	{ FAILURE_LEFT_CHANGED, "changes", false },
	{ FAILURE_MATRIX_ERROR, "matrix", false },
	{ FAILURE_MISSING_FILE, "scripts", true },
};

static void
tell_no_session(Check *check, const Worker *host, const GError *failure)
{
	for (size_t i = 0; i < G_N_ELEMENTS(session_failures); i++)
		if (session_failures[i].failure == failure_of(failure)) {
			check_fail(check, host, session_failures[i].subject,
			    failure, session_failures[i].advised);
			return;
		}
	check_fail(check, host, "login", failure, true);
}

static void
tell_login(Check *check, Worker *host)
{
	const Host *is = worker_host(host);
	const char *key = target_fingerprint(host->target);
	g_autoptr(VerbAnswer) answer =
	    target_ask(host->target, worker_deadline(), NULL, "hello", NULL);
	const char *user =
	    answer == NULL ? NULL : verb_answer_get(answer, "user");

	if (is->local) {
		findings_tell(check->findings, FINDING_OK, "login",
		    "none is needed, as %s", user == NULL ? "?" : user);
		return;
	}
	findings_tell(check->findings, FINDING_OK, "login",
	    "%s as %s%s; host key %s", is->ssh, user == NULL ? "?" : user,
	    is->sudo ? " by sudo" : "", key == NULL ? "?" : key);
	findings_add(check->findings, FINDING_OK, "lock",
	    "nobody else uses the host, and no other run has left it changed",
	    NULL);
}

static void
tell_hazards(Check *check, GHashTable *facts)
{
	const Plan *plan = check->plan;
	const int64_t night =
	    plan_night_ms(plan, (size_t)plan->matrix->design.rounds);
	const double now = (double)g_get_real_time() / G_USEC_PER_SEC;
	const double end = now + (double)(night > 0 ? night : NIGHT_MS) / 1000;
	g_autoptr(GPtrArray) found =
	    g_ptr_array_new_with_free_func((GDestroyNotify)hazard_free);

	hazards_of_boot(facts, now, end, found);
	for (guint i = 0; i < found->len; i++) {
		const Hazard *hazard = found->pdata[i];
		g_autofree char *text = hazard_text(hazard);
		findings_add(check->findings,
		    hazard->level == HAZARD_WARNING ? FINDING_WARN
						    : FINDING_NOTE,
		    "hazard", text, NULL);
	}
}

/* As each visit of a night will ask, but once. */
static void
tell_quiet(Check *check, Worker *host)
{
	const Design *design = &check->plan->matrix->design;
	g_autofree char *limit =
	    g_strdup_printf("%.0f", 10 * design->quiet_percent);
	g_autofree char *wait = text_duration(design->quiet_wait_ms);

	if (design->quiet_wait_ms == 0 || client_is_one(host))
		return;
	g_autoptr(VerbAnswer) answer = target_ask(
	    host->target, worker_deadline(), NULL, "quiet", limit, "0", NULL);
	const char *busy =
	    answer == NULL ? NULL : verb_answer_get(answer, "busy_permille");
	const char *quiet =
	    answer == NULL ? NULL : verb_answer_get(answer, "quiet");
	if (busy == NULL || quiet == NULL)
		return;
	const double percent = g_ascii_strtod(busy, NULL) / 10;
	if (strcmp(quiet, "yes") == 0)
		findings_tell(check->findings, FINDING_OK, "quiet",
		    "%.0f %% of its CPUs are busy", percent);
	else
		findings_tell(check->findings, FINDING_WARN, "quiet",
		    "%.0f %% of its CPUs are busy now; each visit waits until "
		    "that is below %.0f %%, for %s at most",
		    percent, design->quiet_percent, wait);
}

/* A night goes on without it, as long as nothing hangs. */
static void
tell_power(Check *check, Worker *host)
{
	const Host *is = worker_host(host);

	for (guint i = 0; power_is_known(is) && i < is->power->len; i++) {
		const char *words = is->power->pdata[i];
		g_autoptr(GError) failure = NULL;
		if (power_is_on(host, words, &failure))
			findings_tell(check->findings, FINDING_OK, "power",
			    "%s says that it is on", words);
		else
			findings_tell(check->findings, FINDING_WARN, "power",
			    "%s would be of no use: %s", words,
			    failure->message);
	}
}

bool
check_host(Check *check, Worker *host)
{
	g_autoptr(GError) failure = NULL;
	g_autofree char *now =
	    g_strdup_printf("%s: logging in", worker_host(host)->name);

	log_progress(now);
	if (!worker_connect_alone(host, host->work, &failure)) {
		check_events(check);
		tell_no_session(check, host, failure);
		return false;
	}
	tell_login(check, host);
	check_events(check);
	g_autofree char *system = check_system(host->facts);
	findings_add(check->findings, FINDING_OK, "system", system, NULL);
	g_autofree char *space = check_space(host->facts);
	if (space != NULL)
		findings_add(check->findings, FINDING_OK, "space", space, NULL);
	tell_hazards(check, host->facts);
	tell_quiet(check, host);
	tell_power(check, host);
	return true;
}
