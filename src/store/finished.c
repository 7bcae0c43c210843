#include "store/db.h"

/* With design.share a round is dealt to one target, else all do it. */
static bool
visit_is_done(GHashTable *done, const Matrix *matrix, size_t round,
    size_t block, size_t server)
{
	size_t n_done = 0;

	for (size_t target = 0; target < matrix->targets->len; target++) {
		g_autofree char *key =
		    store_visit_key(target, round, block, server);
		if (g_hash_table_contains(done, key))
			n_done++;
	}
	return matrix->design.share ? n_done > 0
				    : n_done == matrix->targets->len;
}

static bool
round_is_done(GHashTable *done, const Plan *plan, size_t number)
{
	g_autoptr(PlanRound) round = plan_round(plan, number);

	for (size_t i = 0; i < round->n_blocks; i++)
		for (size_t j = 0; j < round->blocks[i].n_visits; j++)
			if (!visit_is_done(done, plan->matrix, number, i,
				round->blocks[i].visits[j].server))
				return false;
	return true;
}

bool
store_finished(Store *store, const Plan *plan)
{
	g_autoptr(GHashTable) done = store_done(store, NULL);

	if (done == NULL)
		return false;
	for (int round = 1; round <= plan->matrix->design.rounds; round++)
		if (!round_is_done(done, plan, (size_t)round))
			return false;
	return true;
}

/* One truth of the database; false on a failure, too. */
static bool
holds(Store *store, const char *sql)
{
	bool truth = false;

	(void)pthread_mutex_lock(&store->mutex);
	sqlite3_stmt *row = db_bind(store, sql, NULL, 0, NULL);
	while (row != NULL && db_row(store, row, NULL))
		truth = sqlite3_column_int(row, 0) != 0;
	(void)pthread_mutex_unlock(&store->mutex);
	return truth;
}

bool
store_ended(Store *store)
{
	return holds(store,
	    "SELECT (SELECT count(*) FROM host WHERE role = 'target') * "
	    "(SELECT count(DISTINCT server) FROM cell) * rounds <= "
	    "(SELECT count(*) FROM (SELECT DISTINCT target, round, server "
	    "FROM visit WHERE " DB_VISIT_DONE
	    " AND round <= rounds)) FROM experiment");
}

/* A command without an undo was run for good. */
bool
store_undo_due(Store *store)
{
	return holds(store,
	    "SELECT count(*) FROM undo WHERE state IN ('intended', 'done') "
	    "AND (kind <> 'command' OR old_value IS NOT NULL)");
}
