#include "plan/index.h"

#include <string.h>

#include "base/text.h"

/*
 * What a night spends on other things than runs.  Assumptions, so that a
 * night can be judged before any host was seen; once a night has begun, its
 * own measured times are better.
 */
enum {
	REBOOT_MS = 120000, /* a server board: down, firmware, kernel, ssh */
	START_MS = 2000,    /* stop the server, start it until it answers */
	PROOF_MS = 200,     /* one call of all proofs of one side */
	RUN_MS = 200,       /* begin a run, collect what it printed */
};

static const Load *
load_at(const Plan *plan, size_t load)
{
	return g_ptr_array_index(plan->matrix->loads, load);
}

static bool
has_variable(const Load *load, const char *name)
{
	for (size_t i = 0; i < load->variables->len; i++)
		if (strcmp(g_ptr_array_index(load->variables, i), name) == 0)
			return true;
	return false;
}

/* The name of a cell's level of a factor; NULL when there is no such. */
static const char *
level_of(const Plan *plan, const Cell *cell, const char *name)
{
	for (size_t f = 0; f < plan->matrix->factors->len; f++) {
		const Factor *factor =
		    g_ptr_array_index(plan->matrix->factors, f);
		if (strcmp(factor->name, name) == 0)
			return plan_level(plan, cell, f)->name;
	}
	return NULL;
}

/*
 * The value of a definition's key for a cell: a variable of that name, what
 * the load gives, or the definition's fallback; NULL when nobody gives one.
 * A value that is one template, "{seconds}", is the cell's level.
 */
static const char *
key_value(const Plan *plan, const Cell *cell, const Load *load, const char *key,
    char **copy)
{
	const char *value = NULL;

	if (has_variable(load, key))
		return level_of(plan, cell, key);
	for (size_t i = 0; i < load->def->keys->len; i++) {
		const LoadDefKey *known = g_ptr_array_index(load->def->keys, i);
		if (strcmp(known->name, key) == 0)
			value = known->fallback;
	}
	for (size_t i = 0; i < load->keys->len; i++) {
		const LoadKey *given = g_ptr_array_index(load->keys, i);
		if (strcmp(given->name, key) == 0)
			value = given->value;
	}
	const size_t length = value == NULL ? 0 : strlen(value);
	if (length < 2 || value[0] != '{' || value[length - 1] != '}')
		return value;
	*copy = g_strndup(value + 1, length - 2);
	return level_of(plan, cell, *copy);
}

/* A key that takes seconds: "3" or a duration "3s"; 0 when it does not. */
static int64_t
key_ms(const Plan *plan, const Cell *cell, const Load *load, const char *key)
{
	g_autofree char *copy = NULL;
	const char *value = key_value(plan, cell, load, key, &copy);
	double seconds = 0;
	int64_t ms = 0;

	if (value == NULL)
		return 0;
	if (text_parse_double(value, &seconds, NULL))
		return seconds > 0 && seconds < 1e9 ? (int64_t)(seconds * 1e3)
						    : 0;
	return text_parse_duration(value, &ms, NULL) ? ms : 0;
}

/* The definition's own warm-up, which is part of every run. */
static int64_t
own_warmup_ms(const Plan *plan, const Cell *cell, const Load *load)
{
	const int64_t asked = plan->matrix->design.warmup_ms;

	if (load->def == NULL || load->def->warmup_key == NULL)
		return 0;
	if (asked > 0)
		return asked;
	return key_ms(plan, cell, load, load->def->warmup_key);
}

int64_t
plan_run_ms(const Plan *plan, const PlanStep *step)
{
	const Load *load = load_at(plan, step->load);
	const Cell *cell = plan_cell(plan, step->cell);

	if (load->def == NULL || load->def->length_key == NULL)
		return 0;
	const int64_t ms = key_ms(plan, cell, load, load->def->length_key);
	return ms > 0 ? ms + own_warmup_ms(plan, cell, load) : 0;
}

/*
 * Runs dropped before the measured ones of a step.  A warm-up told as time is
 * one run, unless the tool warms up by itself.
 */
static size_t
warmups_of(const Plan *plan, const Load *load)
{
	const Design *design = &plan->matrix->design;

	if (design->warmup_ms == 0)
		return (size_t)design->warmup_runs;
	return load->def != NULL && load->def->warmup_key != NULL ? 0 : 1;
}

static int64_t
warmup_ms(const Plan *plan, int64_t run_ms)
{
	const int64_t asked = plan->matrix->design.warmup_ms;

	return asked > 0 ? asked : run_ms;
}

/* Steps are the same in every round, only their order is not. */
static void
add_runs(const Plan *plan, size_t rounds, PlanTotals *totals)
{
	const size_t n_steps = plan->index->step_at[plan->n_servers];
	const size_t runs = (size_t)plan->matrix->design.runs * rounds;

	for (size_t i = 0; i < n_steps; i++) {
		const PlanStep *step = &plan->index->steps[i];
		const int64_t ms = plan_run_ms(plan, step);
		const size_t dropped =
		    warmups_of(plan, load_at(plan, step->load)) * rounds;
		totals->runs += runs;
		totals->warmups += dropped;
		if (ms == 0) {
			totals->unknown_runs += runs;
			totals->unknown_warmups += dropped;
			continue;
		}
		totals->run_ms += (ms + RUN_MS) * (int64_t)runs;
		totals->warmup_ms +=
		    (warmup_ms(plan, ms) + RUN_MS) * (int64_t)dropped;
	}
}

static size_t
starts_in_round(const Plan *plan)
{
	const PlanIndex *index = plan->index;
	const size_t n_steps = index->step_at[plan->n_servers];
	g_autofree bool *started = g_new0(bool, plan->cells->len);
	size_t starts = 0;

	switch (plan->matrix->design.restart) {
	case RESTART_VISIT:
		return plan->n_servers;
	case RESTART_LOAD:
		return n_steps;
	case RESTART_CELL:
		for (size_t i = 0; i < n_steps; i++) {
			starts += !started[index->steps[i].cell];
			started[index->steps[i].cell] = true;
		}
		return starts;
	}
	g_assert_not_reached();
}

static size_t
lazy_reboots(const Plan *plan, size_t rounds)
{
	size_t running = SIZE_MAX, reboots = 0;

	for (size_t r = 1; r <= rounds; r++) {
		size_t n = 0;
		g_autofree size_t *blocks = order_blocks(plan, r, &n);
		for (size_t i = 0; i < n; i++) {
			reboots += blocks[i] != running;
			running = blocks[i];
		}
	}
	return reboots;
}

static size_t
reboots_in(const Plan *plan, size_t rounds)
{
	/* The last one undoes what only a reboot undoes. */
	const size_t last = plan->boot_class && rounds > 0 ? 1 : 0;

	switch (plan->matrix->design.boot) {
	case BOOT_BLOCK:
		return plan->boot_class ? plan->n_boots * rounds + last : 0;
	case BOOT_ROUND:
		return plan->n_boots * rounds + last;
	case BOOT_VISIT:
		return plan->n_servers * rounds + last;
	case BOOT_LAZY:
		return plan->boot_class ? lazy_reboots(plan, rounds) + last : 0;
	}
	g_assert_not_reached();
}

PlanTotals
plan_totals(const Plan *plan, size_t rounds)
{
	const size_t starts = starts_in_round(plan) * rounds;
	PlanTotals totals = {
		.reboots = reboots_in(plan, rounds),
		.visits = plan->n_servers * rounds,
		.proofs = 2 * starts,
	};

	if (plan->matrix->server.kind != SERVER_NONE)
		totals.starts = starts;
	add_runs(plan, rounds, &totals);
	totals.reboot_ms = REBOOT_MS * (int64_t)totals.reboots;
	totals.start_ms = START_MS * (int64_t)totals.starts;
	totals.proof_ms = PROOF_MS * (int64_t)totals.proofs;
	if (totals.unknown_runs < totals.runs)
		totals.ms = totals.reboot_ms + totals.start_ms +
		    totals.proof_ms + totals.run_ms + totals.warmup_ms;
	return totals;
}

/* The most targets that measure from one client host. */
static size_t
targets_on_one_client(const Matrix *matrix)
{
	size_t most = 1;

	for (size_t i = 0; i < matrix->targets->len; i++) {
		const Host *target = g_ptr_array_index(matrix->targets, i);
		size_t n = 0;
		if (target->client == NULL ||
		    strcmp(target->client, "target") == 0)
			continue;
		for (size_t j = 0; j < matrix->targets->len; j++) {
			const Host *other =
			    g_ptr_array_index(matrix->targets, j);
			n += g_strcmp0(other->client, target->client) == 0;
		}
		most = MAX(most, n);
	}
	return most;
}

int64_t
plan_night_ms(const Plan *plan, size_t rounds)
{
	const Matrix *matrix = plan->matrix;
	const size_t n = MAX(matrix->targets->len, 1);
	const size_t own = matrix->design.share ? (rounds + n - 1) / n : rounds;
	const PlanTotals totals = plan_totals(plan, own);
	const int64_t waits = (int64_t)targets_on_one_client(matrix) - 1;

	if (totals.ms == 0)
		return 0;
	return totals.ms + waits * (totals.run_ms + totals.warmup_ms);
}
