#include "plan/index.h"

#include "base/random.h"

/*
 * One stream a round.  The blocks are drawn first, so that lazy reboots can
 * look at the round before without making it.
 */
static Random
stream_of(const Plan *plan, size_t round)
{
	return random_stream(plan->seed, "order", round);
}

static size_t *
blocks_of(const Plan *plan, Random *random, size_t *n_blocks)
{
	const Design *design = &plan->matrix->design;
	const size_t n =
	    design->boot == BOOT_VISIT ? plan->n_servers : plan->n_boots;
	size_t *blocks = g_new(size_t, n + 1);

	for (size_t i = 0; i < n; i++)
		blocks[i] = i;
	if (design->random)
		random_shuffle(random, blocks, n);
	*n_blocks = n;
	return blocks;
}

size_t *
order_blocks(const Plan *plan, size_t round, size_t *n_blocks)
{
	Random random = stream_of(plan, round);

	return blocks_of(plan, &random, n_blocks);
}

static void
shuffle_steps(const Plan *plan, Random *random, PlanStep *steps, size_t n)
{
	if (!plan->matrix->design.random)
		return;
	for (size_t i = n; i > 1; i--) {
		const size_t j = (size_t)random_below(random, i);
		const PlanStep moved = steps[i - 1];
		steps[i - 1] = steps[j];
		steps[j] = moved;
	}
}

/* Reading steps first: what they read must not depend on who wrote before. */
static PlanStart
make_start(const Plan *plan, Random *random, const PlanStep *steps, size_t n,
    size_t reading)
{
	PlanStart start = { .n_steps = n,
		.steps = g_memdup2(steps, n * sizeof *steps) };

	shuffle_steps(plan, random, start.steps, reading);
	shuffle_steps(plan, random, start.steps + reading, n - reading);
	return start;
}

/* restart = load: the steps of one start, each in a start of its own. */
static void
start_each_load(PlanVisit *visit, const PlanStart *all)
{
	visit->n_starts = all->n_steps;
	visit->starts = g_new0(PlanStart, all->n_steps + 1);
	for (size_t i = 0; i < all->n_steps; i++) {
		visit->starts[i].n_steps = 1;
		visit->starts[i].steps = g_new(PlanStep, 1);
		visit->starts[i].steps[0] = all->steps[i];
	}
}

/* The steps of one cell in the listed steps of a visit. */
typedef struct {
	size_t read_at, n_read, write_at, n_write;
} CellSteps;

static size_t
count_cell(const PlanStep *steps, size_t at, size_t end, size_t cell)
{
	size_t n = 0;

	while (at + n < end && steps[at + n].cell == cell)
		n++;
	return n;
}

/* Listed steps stand in the order of their cells, reading and writing each. */
static CellSteps *
steps_of_cells(const PlanStep *steps, size_t n, size_t reading,
    const size_t *cells, size_t n_cells)
{
	CellSteps *of = g_new(CellSteps, n_cells + 1);
	size_t read = 0, write = reading;

	for (size_t c = 0; c < n_cells; c++) {
		of[c].read_at = read;
		of[c].n_read = count_cell(steps, read, reading, cells[c]);
		of[c].write_at = write;
		of[c].n_write = count_cell(steps, write, n, cells[c]);
		read += of[c].n_read;
		write += of[c].n_write;
	}
	return of;
}

/*
 * restart = cell: a cell that every load leaves to another cell like it gets
 * no start.
 */
static void
start_each_cell(const Plan *plan, Random *random, PlanVisit *visit,
    const PlanStep *steps, size_t n, size_t reading)
{
	const PlanIndex *index = plan->index;
	const size_t *cells =
	    index->server_cells + index->cell_at[visit->server];
	const size_t n_cells =
	    index->cell_at[visit->server + 1] - index->cell_at[visit->server];
	g_autofree CellSteps *of =
	    steps_of_cells(steps, n, reading, cells, n_cells);
	g_autofree size_t *order = g_new(size_t, n_cells + 1);
	g_autofree PlanStep *own = g_new(PlanStep, n + 1);

	for (size_t c = 0; c < n_cells; c++)
		order[c] = c;
	if (plan->matrix->design.random)
		random_shuffle(random, order, n_cells);
	visit->starts = g_new0(PlanStart, n_cells + 1);
	for (size_t c = 0; c < n_cells; c++) {
		const CellSteps *cell = &of[order[c]];
		const size_t n_own = cell->n_read + cell->n_write;
		if (n_own == 0)
			continue;
		for (size_t i = 0; i < n_own; i++)
			own[i] = steps[i < cell->n_read
				? cell->read_at + i
				: cell->write_at + i - cell->n_read];
		visit->starts[visit->n_starts++] =
		    make_start(plan, random, own, n_own, cell->n_read);
	}
}

static PlanVisit
make_visit(const Plan *plan, Random *random, size_t server)
{
	const PlanIndex *index = plan->index;
	const PlanStep *steps = index->steps + index->step_at[server];
	const size_t n = index->step_at[server + 1] - index->step_at[server];
	const size_t reading = index->reading[server];
	PlanVisit visit = { .server = server };

	switch (plan->matrix->design.restart) {
	case RESTART_VISIT:
		visit.n_starts = 1;
		visit.starts = g_new(PlanStart, 1);
		visit.starts[0] = make_start(plan, random, steps, n, reading);
		break;
	case RESTART_CELL:
		start_each_cell(plan, random, &visit, steps, n, reading);
		break;
	case RESTART_LOAD: {
		PlanStart all = make_start(plan, random, steps, n, reading);
		start_each_load(&visit, &all);
		g_free(all.steps);
		break;
	}
	}
	return visit;
}

static PlanBlock
make_block(const Plan *plan, Random *random, size_t *servers, size_t n)
{
	PlanBlock block = { .n_visits = n, .visits = g_new0(PlanVisit, n + 1) };

	block.boot = plan_server_cell(plan, servers[0])->boot;
	if (plan->matrix->design.random)
		random_shuffle(random, servers, n);
	for (size_t i = 0; i < n; i++)
		block.visits[i] = make_visit(plan, random, servers[i]);
	return block;
}

/* The combination that runs when a round begins; SIZE_MAX = not known. */
static size_t
boot_before(const Plan *plan, size_t round)
{
	size_t n = 0;

	if (round == 1)
		return SIZE_MAX;
	g_autofree size_t *before = order_blocks(plan, round - 1, &n);
	g_assert(n > 0);
	return before[n - 1];
}

static void
mark_reboots(const Plan *plan, PlanRound *round)
{
	const BootPolicy policy = plan->matrix->design.boot;
	size_t running = SIZE_MAX;

	if (policy == BOOT_LAZY && plan->boot_class)
		running = boot_before(plan, round->round);
	for (size_t i = 0; i < round->n_blocks; i++) {
		PlanBlock *block = &round->blocks[i];
		switch (policy) {
		case BOOT_BLOCK:
			block->reboot = plan->boot_class;
			break;
		case BOOT_ROUND:
			block->reboot = plan->boot_class || i == 0;
			break;
		case BOOT_VISIT:
			block->reboot = true;
			break;
		case BOOT_LAZY:
			block->reboot =
			    plan->boot_class && block->boot != running;
			break;
		}
		running = block->boot;
	}
}

PlanRound *
plan_round(const Plan *plan, size_t number)
{
	const PlanIndex *index = plan->index;
	Random random = stream_of(plan, number);
	PlanRound *round = g_new0(PlanRound, 1);

	g_assert(number > 0);
	g_autofree size_t *ids = blocks_of(plan, &random, &round->n_blocks);
	round->round = number;
	round->blocks = g_new0(PlanBlock, round->n_blocks + 1);
	for (size_t i = 0; i < round->n_blocks; i++) {
		const size_t id = ids[i];
		const bool one = plan->matrix->design.boot == BOOT_VISIT;
		const size_t at = one ? 0 : index->server_at[id];
		const size_t n = one ? 1 : index->server_at[id + 1] - at;
		g_autofree size_t *servers = g_memdup2(
		    one ? &id : index->boot_servers + at, n * sizeof *servers);
		round->blocks[i] = make_block(plan, &random, servers, n);
	}
	mark_reboots(plan, round);
	return round;
}

void
plan_round_free(PlanRound *round)
{
	if (round == NULL)
		return;
	for (size_t b = 0; b < round->n_blocks; b++) {
		PlanBlock *block = &round->blocks[b];
		for (size_t v = 0; v < block->n_visits; v++) {
			PlanVisit *visit = &block->visits[v];
			for (size_t s = 0; s < visit->n_starts; s++)
				g_free(visit->starts[s].steps);
			g_free(visit->starts);
		}
		g_free(block->visits);
	}
	g_free(round->blocks);
	g_free(round);
}
