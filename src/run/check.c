#include "run/check.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/failure.h"
#include "base/log.h"
#include "run/attend.h"
#include "run/campaign.h"
#include "run/check_work.h"
#include "run/client.h"
#include "run/journal.h"
#include "run/lock.h"

void
check_fail(Check *check, const Worker *worker, const char *subject,
    const GError *failure, bool advised)
{
	if (g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_CANCELLED))
		return;
	if (!g_error_matches(failure, ABRUN_ERROR, ABRUN_ERROR_STORE))
		findings_fail(check->findings, subject,
		    worker_reason(worker, failure), failure, advised);
	else if (check->broken == NULL)
		check->broken = g_error_copy(failure);
}

bool
check_goes_on(const Check *check)
{
	return check->broken == NULL && cancel_level(check->work) == 0;
}

/* Kinds of events that are worth a line, and how it begins. */
static const struct {
	const char *kind, *subject;
	FindingLevel level;
	const char *words;
	const char *from; /* the event's text from there on; NULL: all */
} told_events[] = {
	{ "new host key accepted", "host key", FINDING_WARN,
	    "it was not known, and is accepted as new: ", NULL },
	{ "another abrun", "other abruns", FINDING_WARN,
	    "another one has processes there: ", NULL },
	{ "left running", "left running", FINDING_WARN,
	    "what loads had left there was ended: ", NULL },
	{ "monitor died", "monitor", FINDING_WARN, "", "the monitor " },
	{ "not undone", "undo", FINDING_FAIL,
	    "not everything could be put back: ", NULL },
};

static void
tell_event(Check *check, const DataEvent *event)
{
	for (size_t i = 0; i < G_N_ELEMENTS(told_events); i++) {
		const char *from = told_events[i].from;
		const char *text =
		    from == NULL ? NULL : strstr(event->text, from);
		if (strcmp(told_events[i].kind, event->kind) != 0)
			continue;
		char *words = g_strconcat(told_events[i].words,
		    text == NULL ? event->text : text, NULL);
		/* A monitor dies in each cell alike. */
		if (g_hash_table_add(check->told, words))
			findings_add(check->findings, told_events[i].level,
			    told_events[i].subject, words, NULL);
	}
}

void
check_events(Check *check)
{
	g_autoptr(StoreData) data = store_read(check->store, NULL);

	for (; data != NULL && check->events < data->events->len;
	     check->events++)
		tell_event(check, data->events->pdata[check->events]);
}

/* Changes of one host that could not be undone. */
static void
tell_left(Check *check, const Worker *host)
{
	g_autoptr(GError) failure = NULL;
	g_autoptr(GPtrArray) rows =
	    store_undo_open(check->store, host->index, &failure);
	g_autofree char *advice =
	    g_strdup_printf("abrun restore %s", store_directory(check->store));

	if (rows == NULL)
		check_fail(check, host, "undo", failure, true);
	for (guint i = 0; rows != NULL && i < rows->len; i++) {
		g_autofree char *words = journal_words(rows->pdata[i]);
		g_autofree char *text =
		    g_strdup_printf("still changed: %s", words);
		findings_add(
		    check->findings, FINDING_FAIL, "undo", text, advice);
		check->left = true;
	}
}

/* What a target is left as is told without a head of its own. */
static void
put_back(Check *check, Worker *worker)
{
	const bool used = worker->work_dir != NULL;
	const size_t fails = check->findings->fails;

	findings_group(check->findings, FINDINGS_HOST, NULL);
	worker_finish(worker);
	check_events(check);
	tell_left(check, worker);
	if (client_is_apart(worker))
		tell_left(check, worker->client);
	if (used && check->findings->fails == fails)
		findings_add(check->findings, FINDING_OK, "undo",
		    "no change, server or directory of the check is left",
		    NULL);
}

static bool
look_at_client(Check *check, Worker *worker)
{
	const char *target = worker_host(worker)->name;
	const char *client = worker_host(worker->client)->name;

	if (client_is_apart(worker)) {
		g_autofree char *head = g_strdup_printf(
		    "%s, where the loads of %s run", client, target);
		findings_group(check->findings, FINDINGS_HOST, head);
		if (!check_host(check, worker->client))
			return false;
	}
	if (check_goes_on(check))
		check_client(check, worker);
	return check_goes_on(check);
}

static void
look(Check *check, Worker *worker)
{
	findings_group(
	    check->findings, FINDINGS_HOST, worker_host(worker)->name);
	if (!check_host(check, worker))
		return;
	const bool serves = check_server(check, worker);
	if (check_goes_on(check) && look_at_client(check, worker) && serves)
		check_cells(check, worker);
}

static void
check_target(Check *check, size_t index)
{
	Worker worker = {
		.plan = check->plan,
		.store = check->store,
		.progress = check->progress,
		.work = check->work,
		.cleanup = check->cleanup,
		.turns = check->turns,
		.shared = check->shared,
		.index = index,
		.serves = index,
		.rounds = 1,
		.rehearsal = true,
	};

	worker_init(&worker);
	g_hash_table_remove_all(check->without);
	look(check, &worker);
	/* A host that cannot be used may have been changed already. */
	put_back(check, &worker);
	worker_clear(&worker);
}

static void *
check_main(void *argument)
{
	Check *check = argument;

	for (size_t i = 0; i < check->plan->matrix->targets->len; i++)
		if (check_goes_on(check))
			check_target(check, i);
	return NULL;
}

static int
attend_check(Check *check)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	g_autoptr(Turns) turns = turns_new();
	g_autoptr(Progress) progress = progress_new(0);
	g_autofree char *how_undone = g_strdup_printf(
	    "by abrun restore %s", store_directory(check->store));
	Attended attended = { 0 };

	check->turns = turns;
	check->progress = progress;
	check->shared = shared_locks_new(check->plan->matrix);
	attend_block();
	if (attend_start(&attended, check_main, check))
		g_ptr_array_add(all, &attended);
	attend(all, check->work, check->cleanup, how_undone);
	log_progress(NULL);
	shared_locks_free(check->shared, check->plan->matrix);
	if (check->broken != NULL) {
		log_error("%s", check->broken->message);
		return CAMPAIGN_NOT_STORED;
	}
	if (cancel_level(check->work) > 0 || !attended.started)
		return attended.started ? CAMPAIGN_INTERRUPTED
					: CAMPAIGN_NOTHING;
	return findings_status(check->findings);
}

static void
remove_tree(const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *below = g_build_filename(path, name, NULL);
		if (unlink(below) != 0)
			remove_tree(below);
	}
	(void)rmdir(path);
}

static int
check_in(const char *parent, Check *check, GError **error)
{
	g_autoptr(Cancel) work = cancel_new(error);
	g_autoptr(Cancel) cleanup = work == NULL ? NULL : cancel_new(error);
	g_autoptr(Store) store = cleanup == NULL
	    ? NULL
	    : store_create(parent, check->plan, VERSION, error);

	if (store == NULL)
		return CAMPAIGN_NOT_STORED;
	check->store = store;
	check->work = work;
	check->cleanup = cleanup;
	return attend_check(check);
}

int
check_run(const Plan *plan, Findings *findings)
{
	g_autoptr(GError) failure = NULL;
	g_autofree char *parent =
	    g_dir_make_tmp("abrun-check-XXXXXX", &failure);
	g_autoptr(GHashTable) told =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) without =
	    g_hash_table_new(g_direct_hash, g_direct_equal);
	Check check = {
		.plan = plan,
		.findings = findings,
		.told = told,
		.without = without,
	};
	const int status = parent == NULL ? CAMPAIGN_NOT_STORED
					  : check_in(parent, &check, &failure);

	if (failure != NULL)
		log_error("%s", failure->message);
	/* What is left changed is undone from there. */
	if (parent != NULL && !check.left)
		remove_tree(parent);
	g_clear_error(&check.broken);
	return status;
}
