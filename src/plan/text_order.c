#include "plan/text.h"

#include <string.h>

#include "base/text.h"

enum {
	ORDER_LINES = 120,  /* of all rounds: more are not read by a person */
	STEPS_SHOWN = 24,   /* of one visit */
	VISIT_COLUMNS = 28, /* of a visit's name */
};

/*
 * The levels of the factors of one class, "4BSD / off", or with the factors'
 * names, "kernel=4BSD htt=off"; "" when there is none.
 */
static char *
levels_of_class(
    const Plan *plan, const Cell *cell, FactorClass class, bool named)
{
	GString *text = g_string_new(NULL);

	for (size_t f = 0; f < plan->matrix->factors->len; f++) {
		const Factor *factor =
		    g_ptr_array_index(plan->matrix->factors, f);
		if (factor->class != class)
			continue;
		if (text->len > 0)
			g_string_append(text, named ? " " : " / ");
		if (named)
			g_string_append_printf(text, "%s=", factor->name);
		g_string_append(text, plan_level(plan, cell, f)->name);
	}
	return g_string_free(text, FALSE);
}

static char *
visit_name(const Plan *plan, const Cell *cell)
{
	g_autofree char *names =
	    levels_of_class(plan, cell, CLASS_SERVER, false);

	return g_strdup_printf("%s%s", *names != '\0' ? names : "visit",
	    cell->again ? " (again)" : "");
}

/* "4/100": the levels of the variables that a load uses. */
static void
append_values(GString *out, const Plan *plan, const PlanStep *step)
{
	const Matrix *matrix = plan->matrix;
	const Load *load = g_ptr_array_index(matrix->loads, step->load);
	const Cell *cell = plan_cell(plan, step->cell);

	for (size_t i = 0; i < load->variables->len; i++)
		for (size_t f = 0; f < matrix->factors->len; f++) {
			const Factor *factor =
			    g_ptr_array_index(matrix->factors, f);
			if (strcmp(factor->name,
				g_ptr_array_index(load->variables, i)) == 0)
				g_string_append_printf(out, "%s%s",
				    i > 0 ? "/" : "",
				    plan_level(plan, cell, f)->name);
		}
}

/* "update clients/rows=" before the first of the values. */
static void
append_load(GString *out, const Load *load)
{
	g_string_append(out, load->name);
	for (size_t i = 0; i < load->variables->len; i++)
		g_string_append_printf(out, "%s%s", i > 0 ? "/" : " ",
		    (const char *)g_ptr_array_index(load->variables, i));
	if (load->variables->len > 0)
		g_string_append_c(out, '=');
}

/* All steps of a start; a load that comes again is not named again. */
static void
append_start(
    GString *out, const Plan *plan, const PlanStart *start, size_t shown)
{
	const GPtrArray *loads = plan->matrix->loads;

	for (size_t i = 0; i < MIN(start->n_steps, shown); i++) {
		const PlanStep *step = &start->steps[i];
		if (i > 0 && step->load == start->steps[i - 1].load) {
			g_string_append_c(out, ',');
		} else {
			g_string_append(out, i > 0 ? "; " : "");
			append_load(out, g_ptr_array_index(loads, step->load));
		}
		append_values(out, plan, step);
	}
}

/* All steps of a visit; " | " stands for a restart of the server. */
static char *
steps_in_words(const Plan *plan, const PlanVisit *visit)
{
	GString *text = g_string_new(NULL);
	size_t all = 0;

	for (size_t s = 0; s < visit->n_starts; s++) {
		const PlanStart *start = &visit->starts[s];
		if (all < STEPS_SHOWN) {
			g_string_append(text, s > 0 ? " | " : "");
			append_start(text, plan, start, STEPS_SHOWN - all);
		}
		all += start->n_steps;
	}
	if (all > STEPS_SHOWN)
		g_string_append_printf(
		    text, " ... and %zu more", all - STEPS_SHOWN);
	return g_string_free(text, FALSE);
}

/* Columns that the longest name of a visit needs. */
static size_t
visit_width(const Plan *plan)
{
	size_t width = 0;

	for (size_t s = 0; s < plan->n_servers && width < VISIT_COLUMNS; s++) {
		g_autofree char *name =
		    visit_name(plan, plan_server_cell(plan, s));
		width = text_wider(width, name, VISIT_COLUMNS);
	}
	return width;
}

/* False when nothing is to be said: no reboot, and no kernel to name. */
static bool
append_block_head(GString *out, const Plan *plan, const PlanBlock *block)
{
	const Cell *cell = plan_server_cell(plan, block->visits[0].server);
	g_autofree char *kernel = levels_of_class(plan, cell, CLASS_BOOT, true);

	if (*kernel == '\0' && !block->reboot)
		return false;
	if (*kernel == '\0')
		g_string_append(out, "    reboot\n");
	else
		g_string_append_printf(out, "    %s: %s\n",
		    block->reboot ? "reboot" : "no reboot", kernel);
	return true;
}

static size_t
count_lines(const GString *text)
{
	size_t n = 0;

	for (size_t i = 0; i < text->len; i++)
		n += text->str[i] == '\n';
	return n;
}

static void
append_visit(GString *out, const Plan *plan, const PlanVisit *visit,
    size_t indent, size_t width)
{
	g_autofree char *name =
	    visit_name(plan, plan_server_cell(plan, visit->server));
	g_autofree char *head = g_strdup_printf("%*s%s", (int)indent, "", name);
	g_autofree char *steps = steps_in_words(plan, visit);

	text_item(out, head, indent + width + 2, steps);
}

/* A round, or as much of it as a person reads. */
static char *
round_in_words(const Plan *plan, size_t number, size_t width)
{
	g_autoptr(PlanRound) round = plan_round(plan, number);
	GString *text = g_string_new(NULL);
	size_t shown = 0;

	g_string_append_printf(text, "  round %zu\n", number);
	for (size_t b = 0; b < round->n_blocks; b++) {
		const PlanBlock *block = &round->blocks[b];
		if (count_lines(text) > ORDER_LINES)
			break;
		const bool headed = append_block_head(text, plan, block);
		for (size_t v = 0; v < block->n_visits; v++) {
			if (count_lines(text) > ORDER_LINES)
				break;
			append_visit(text, plan, &block->visits[v],
			    headed ? 6 : 4, width);
			shown++;
		}
	}
	if (shown < plan->n_servers)
		g_string_append_printf(text, "    ... and %zu more visits\n",
		    plan->n_servers - shown);
	return g_string_free(text, FALSE);
}

static bool
has_restarts(const Plan *plan)
{
	return plan->matrix->server.kind != SERVER_NONE &&
	    plan->matrix->design.restart != RESTART_VISIT;
}

void
text_order(GString *out, const Plan *plan)
{
	const size_t rounds = (size_t)plan->matrix->design.rounds;
	const size_t width = visit_width(plan);
	size_t lines = 0, shown = 0;

	g_string_append_printf(out,
	    "\nORDER, from seed %" G_GUINT64_FORMAT "%s\n", plan->seed,
	    has_restarts(plan) ? "; | is a fresh start of the server" : "");
	while (shown < rounds) {
		g_autofree char *text = round_in_words(plan, shown + 1, width);
		for (const char *c = text; *c != '\0'; c++)
			lines += *c == '\n';
		if (shown > 0 && lines > ORDER_LINES)
			break;
		g_string_append(out, text);
		shown++;
	}
	if (shown == rounds)
		return;
	g_string_append_printf(out,
	    "  rounds %zu to %zu: the same visits, each round in an order of "
	    "its own\n",
	    shown + 1, rounds);
}
