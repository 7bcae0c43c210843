#include "run/client.h"

#include "base/failure.h"
#include "base/log.h"
#include "run/journal.h"
#include "run/lock.h"
#include "run/workdir.h"

/* A turn of another target is over when its load is, and this much later. */
enum { TURN_SLACK_MS = 2 * WORKER_CALL_MS };

bool
client_is_apart(const Worker *worker)
{
	return worker->client != worker;
}

bool
client_is_one(const Worker *worker)
{
	return worker->index != worker->serves;
}

void
client_init(Worker *worker)
{
	const size_t number =
	    matrix_client_number(worker_matrix(worker), worker->index);

	worker->client = worker;
	if (number == worker->index)
		return;
	Worker *client = g_new0(Worker, 1);
	*client = (Worker){
		.plan = worker->plan,
		.store = worker->store,
		.progress = worker->progress,
		.turns = worker->turns,
		.shared = worker->shared,
		.work = worker->work,
		.cleanup = worker->cleanup,
		.index = number,
		.serves = worker->index,
		.rounds = worker->rounds,
		.rehearsal = worker->rehearsal,
		.client = client,
	};
	worker_init(client);
	worker->client = client;
}

void
client_clear(Worker *worker)
{
	if (!client_is_apart(worker))
		return;
	worker_clear(worker->client);
	g_free(worker->client);
	worker->client = worker;
}

static void
tell_waiting(void *data, const char *holder)
{
	const Worker *worker = data;
	g_autofree char *what =
	    g_strdup_printf("waiting for %s, where the load of %s runs",
		worker_host(worker->client)->name, holder);

	progress_now(worker->progress, worker_host(worker)->name, what);
	log_verbose("%s: %s", worker_host(worker)->name, what);
}

/* Longer than every other target needs for its longest run. */
static int64_t
limit_ms(const Worker *worker)
{
	const Matrix *matrix = worker_matrix(worker);
	int64_t longest_ms = 0;

	for (guint i = 0; i < matrix->loads->len; i++) {
		const Load *load = matrix->loads->pdata[i];
		longest_ms = MAX(longest_ms, load->timeout_ms);
	}
	return (longest_ms + TURN_SLACK_MS) * (int64_t)matrix->targets->len;
}

/* As client_enter(), with what ends the waiting. */
static bool
enter(Worker *worker, const Cancel *cancel, GError **error)
{
	const Worker *client = worker->client;
	/* Machines by what nobody else has: two names may mean one. */
	const char *machines[4] = { 0 };
	size_t n = 0;

	if (worker->in_turn > 0) {
		worker->in_turn++;
		return true;
	}
	if (client_is_apart(worker))
		machines[n++] = worker_host(client)->name;
	if (client->boot_id != NULL)
		machines[n++] = client->boot_id;
	if (client_is_apart(worker) && worker->boot_id != NULL)
		machines[n++] = worker->boot_id;
	if (!turns_take(worker->turns, worker_host(worker)->name, machines,
		deadline_in(limit_ms(worker)), cancel, tell_waiting, worker,
		error))
		return false;
	worker->in_turn = 1;
	return true;
}

bool
client_enter(Worker *worker, GError **error)
{
	const Target *target = worker->client->target;

	return enter(worker,
	    target == NULL ? worker->work : target_cancel(target), error);
}

void
client_leave(Worker *worker)
{
	if (--worker->in_turn == 0)
		turns_leave(worker->turns, worker_host(worker)->name);
}

bool
client_connect(Worker *worker, const Cancel *cancel, GError **error)
{
	if (!client_is_apart(worker))
		return true;
	worker_disconnect(worker->client);
	if (!enter(worker, cancel, error))
		return false;
	g_autoptr(GError) failure = NULL;
	const bool connected = worker_connect(worker->client, cancel, &failure);
	client_leave(worker);
	if (!connected)
		failure_set(error, failure_of(failure),
		    (AbrunError)failure->code, "%s: %s",
		    worker_host(worker->client)->name,
		    worker_reason(worker->client, failure));
	return connected;
}

bool
client_lock(Worker *worker, GError **error)
{
	if (!client_is_apart(worker))
		return true;
	if (!client_enter(worker, error))
		return false;
	const bool locked = lock_host(worker->client, error);
	client_leave(worker);
	return locked;
}

bool
client_end_loads(Worker *worker, GError **error)
{
	if (!client_is_apart(worker) || worker->client->target == NULL)
		return true;
	if (!client_enter(worker, error))
		return false;
	const bool ended = workdir_end_loads(worker->client, error);
	client_leave(worker);
	return ended;
}

bool
client_remove(Worker *worker, GError **error)
{
	if (!client_is_apart(worker) || worker->client->target == NULL)
		return true;
	if (!client_enter(worker, error))
		return false;
	const Worker *client = worker->client;
	const bool removed = workdir_remove(worker->client, error) &&
	    journal_keep_now(
		client->store, client->target, client->index, error);
	client_leave(worker);
	return removed;
}

bool
client_call(
    Worker *worker, const VerbCall *call, GPtrArray **answers, GError **error)
{
	if (!client_enter(worker, error))
		return false;
	const bool called = target_call(
	    worker->client->target, call, worker_deadline(), answers, error);
	client_leave(worker);
	return called;
}
