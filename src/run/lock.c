#include "run/lock.h"

#include "base/log.h"
#include "run/client.h"
#include "run/journal.h"
#include "run/login.h"
#include "target/host_lock.h"
#include "target/nonce.h"

/* The run's token on this host, from its first night on. */
static bool
find_token(Worker *worker, char **token, GError **error)
{
	if (*token != NULL)
		return true;
	const char *kept = g_hash_table_lookup(worker->before, JOURNAL_TOKEN);
	*token = kept != NULL ? g_strdup(kept) : verb_nonce(error);
	if (*token == NULL ||
	    !login_keep(worker->store, worker->index, worker_host(worker),
		worker_matrix(worker)->path, error))
		return false;
	return kept != NULL ||
	    store_fact(worker->store, "host", (int64_t)worker->index,
		JOURNAL_TOKEN, *token, error);
}

/* Numbers of hosts end with that of the controller. */
static size_t
count(const Matrix *matrix)
{
	return matrix->targets->len + matrix->hosts->len + 1;
}

SharedLock *
shared_locks_new(const Matrix *matrix)
{
	return g_new0(SharedLock, count(matrix));
}

void
shared_locks_free(SharedLock *locks, const Matrix *matrix)
{
	for (size_t i = 0; locks != NULL && i < count(matrix); i++) {
		host_lock_free(locks[i].lock);
		g_free(locks[i].token);
	}
	g_free(locks);
}

static bool
take(Worker *worker, HostLock **lock, char **token, GError **error)
{
	if (*lock != NULL && host_lock_held(*lock))
		return true;
	g_clear_pointer(lock, host_lock_free);
	if (!find_token(worker, token, error))
		return false;
	g_autofree char *told = NULL;
	g_autofree char *directory =
	    g_canonicalize_filename(store_directory(worker->store), NULL);
	*lock = host_lock_take(worker->target, *token, directory,
	    deadline_in(WORKER_CONNECT_MS), &told, error);
	if (*lock != NULL && told != NULL)
		log_info("%s: the lock of the host was left behind: %s",
		    worker_host(worker)->name, told);
	return *lock != NULL;
}

bool
lock_host(Worker *worker, GError **error)
{
	if (worker_host(worker)->local)
		return true;
	if (!client_is_one(worker))
		return take(worker, &worker->lock, &worker->lock_token, error);
	SharedLock *shared = &worker->shared[worker->index];
	if (!take(worker, &shared->lock, &shared->token, error))
		return false;
	if (worker->lock_token == NULL)
		worker->lock_token = g_strdup(shared->token);
	return true;
}
