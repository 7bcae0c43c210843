#include "plan/text.h"

#include <string.h>

#include "base/text.h"

enum { KEY_COLUMNS = 13, PLACE_COLUMNS = 11 };

/* One key of design: its value in force and what that means tonight. */
static void
text_key(GString *out, const char *key, const char *value, const char *meaning)
{
	g_autofree char *head = g_strdup_printf("  %s", key);
	g_autofree char *body = *meaning == '\0'
	    ? g_strdup(value)
	    : g_strdup_printf("%s: %s", value, meaning);

	text_item(out, head, KEY_COLUMNS, body);
}

static void
text_number(GString *out, const char *key, int value, const char *meaning)
{
	g_autofree char *text = g_strdup_printf("%d", value);

	text_key(out, key, text, meaning);
}

static const char *
boot_in_words(const Plan *plan)
{
	switch (plan->matrix->design.boot) {
	case BOOT_BLOCK:
		return plan->boot_class
		    ? "in every round a fresh boot of each combination"
		    : "no setting needs a reboot, so there is none";
	case BOOT_ROUND:
		return plan->boot_class
		    ? "in every round a fresh boot of each combination"
		    : "one reboot begins every round";
	case BOOT_VISIT:
		return "a reboot before every visit";
	case BOOT_LAZY:
		return plan->boot_class
		    ? "a reboot only when another combination is running; "
		      "rounds that share a boot are one boot to the statistics"
		    : "no setting needs a reboot, so there is none";
	}
	g_assert_not_reached();
}

static const char *
order_in_words(const Plan *plan)
{
	if (!plan->matrix->design.random)
		return "as in the matrix, loads that write last";
	return plan->boot_class
	    ? "boots in a round, visits in a boot, loads in a start; loads "
	      "that write last"
	    : "visits in a round, loads in a start; loads that write last";
}

static const char *
restart_in_words(const Plan *plan)
{
	if (plan->matrix->server.kind == SERVER_NONE)
		return "no server";
	switch (plan->matrix->design.restart) {
	case RESTART_VISIT:
		return "a fresh server for every visit";
	case RESTART_CELL:
		return "a fresh server for every cell of a visit";
	case RESTART_LOAD:
		return "a fresh server for every load of a cell";
	}
	g_assert_not_reached();
}

/* "kernel = ULE, clients = 1 or 4" */
static char *
pattern_in_words(const CellPattern *pattern)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < pattern->factors->len; i++) {
		const GPtrArray *levels = g_ptr_array_index(pattern->levels, i);
		g_string_append_printf(text, "%s%s =", i > 0 ? ", " : "",
		    (const char *)g_ptr_array_index(pattern->factors, i));
		for (size_t l = 0; l < levels->len; l++)
			g_string_append_printf(text, "%s %s",
			    l > 0 ? " or" : "",
			    (const char *)g_ptr_array_index(levels, l));
	}
	return g_string_free(text, FALSE);
}

static void
text_patterns(GString *out, const char *key, const GPtrArray *patterns)
{
	g_autoptr(GString) body = g_string_new(NULL);

	for (size_t i = 0; i < patterns->len; i++) {
		g_autofree char *pattern =
		    pattern_in_words(g_ptr_array_index(patterns, i));
		g_string_append_printf(
		    body, "%s%s", i > 0 ? "; " : "", pattern);
	}
	text_key(out, key, body->len > 0 ? body->str : "none", "");
}

static void
text_warmup(GString *out, const Design *design)
{
	if (design->warmup_ms == 0) {
		text_number(out, "warmup", design->warmup_runs,
		    "runs of each load of a cell, dropped before the measured "
		    "ones");
		return;
	}
	g_autofree char *length = text_duration(design->warmup_ms);
	text_key(out, "warmup", length,
	    "by the load itself where it can, else one dropped run");
}

static void
text_contrasts(GString *out, const Design *design)
{
	g_autoptr(GString) body = g_string_new(NULL);

	if (!design->contrasts_replace)
		g_string_append(body,
		    "each factor's levels against the baseline's, and "
		    "two-factor interactions");
	for (size_t i = 0; i < design->contrasts->len; i++) {
		const Contrast *contrast =
		    g_ptr_array_index(design->contrasts, i);
		g_autofree char *of = pattern_in_words(contrast->of);
		g_autofree char *against = pattern_in_words(contrast->against);
		g_string_append_printf(
		    body, "%s%s", body->len > 0 ? "; " : "", contrast->name);
		if (contrast->named)
			g_string_append_printf(
			    body, " (%s against %s)", of, against);
	}
	text_key(out, "contrasts", body->str, "");
}

static void
text_stop(GString *out, const StopRule *stop)
{
	g_autoptr(GString) body = g_string_new(NULL);

	if (stop->halfwidth_percent > 0)
		g_string_append_printf(body,
		    "when every interval is within +-%g %%; ",
		    stop->halfwidth_percent);
	if (stop->looks > 0)
		g_string_append_printf(body, "%d looks; ", stop->looks);
	if (stop->max_rounds > 0)
		g_string_append_printf(
		    body, "at most %d rounds; ", stop->max_rounds);
	if (stop->until != NULL)
		g_string_append_printf(body,
		    "no round is begun that cannot end before %s; ",
		    stop->until);
	if (body->len == 0)
		g_string_append(body, "after the last round; ");
	g_string_truncate(body, body->len - 2);
	text_key(out, "stop", body->str, "");
}

static const char *
share_in_words(const Matrix *matrix)
{
	if (matrix->targets->len < 2)
		return "";
	return matrix->design.share ? "the targets share the rounds"
				    : "every target runs the whole matrix";
}

static void
text_percent(GString *out, const char *key, double percent, const char *meaning)
{
	g_autofree char *text = g_strdup_printf("%g %%", percent);

	text_key(out, key, text, meaning);
}

static void
text_quiet(GString *out, const Design *design)
{
	g_autofree char *wait = text_duration(design->quiet_wait_ms);
	g_autofree char *text = g_strdup_printf("%g %%", design->quiet_percent);
	g_autofree char *meaning = g_strdup_printf(
	    "a visit waits for at most %s until the CPU is less busy", wait);

	if (design->quiet_wait_ms == 0)
		text_key(out, "quiet", "no visit waits for it", "");
	else
		text_key(out, "quiet", text, meaning);
}

void
text_design(GString *out, const Plan *plan)
{
	const Design *design = &plan->matrix->design;
	g_autofree char *seed =
	    g_strdup_printf("%" G_GUINT64_FORMAT, plan->seed);

	g_string_append(out, "\nDESIGN, values in force\n");
	text_number(out, "rounds", design->rounds, "each of every cell once");
	text_number(out, "runs", design->runs,
	    "measured, of each load of a cell, one after another");
	text_warmup(out, design);
	text_key(out, "order", design->random ? "random" : "listed",
	    order_in_words(plan));
	text_key(
	    out, "boot", boot_policy_name(design->boot), boot_in_words(plan));
	text_key(out, "restart", restart_policy_name(design->restart),
	    restart_in_words(plan));
	text_key(out, "seed", seed,
	    design->seed_given ? "given" : "derived from the identity");
	text_key(out, "baseline", plan_cell(plan, plan->baseline)->name, "");
	text_patterns(out, "exclude", design->exclude);
	text_patterns(out, "include", design->include);
	text_key(out, "aa", design->aa ? "true" : "false",
	    design->aa ? "the baseline a second time, to see the night's noise"
		       : "");
	text_key(out, "share", design->share ? "true" : "false",
	    share_in_words(plan->matrix));
	text_percent(out, "margin", design->margin_percent,
	    "a change within it counts as none");
	text_percent(out, "others", design->others_percent,
	    "more CPU than that used by others flags a run");
	text_quiet(out, design);
	text_contrasts(out, design);
	text_stop(out, &design->stop);
}

/* "40 x 2 s" and what it comes to. */
static void
text_part(
    GString *out, const char *what, size_t n, int64_t ms, const char *meaning)
{
	if (n == 0)
		return;
	g_autofree char *each = text_duration(ms / (int64_t)n);
	g_autofree char *all = text_duration(ms);
	g_autofree char *sum = g_strdup_printf("%zu x %s", n, each);

	g_autofree char *head = g_strdup_printf(
	    "  %-*s%-18s%-*s  ", PLACE_COLUMNS, what, sum, PLACE_COLUMNS, all);
	text_item(out, head, strlen(head), meaning);
}

/* Names of loads of which some run tells no length. */
static char *
silent_loads(const Plan *plan)
{
	const GPtrArray *loads = plan->matrix->loads;
	GString *names = g_string_new(NULL);

	for (size_t l = 0; l < loads->len; l++) {
		bool silent = false;
		for (size_t c = 0; c < plan->cells->len && !silent; c++)
			silent = plan_run_ms(plan,
				     &(PlanStep){ .cell = c, .load = l }) == 0;
		if (silent)
			g_string_append_printf(names, "%s%s",
			    names->len > 0 ? ", " : "",
			    ((const Load *)g_ptr_array_index(loads, l))->name);
	}
	return g_string_free(names, FALSE);
}

static void
text_unknown(GString *out, const Plan *plan, const PlanTotals *totals)
{
	const size_t unknown = totals->unknown_runs + totals->unknown_warmups;

	if (unknown == 0)
		return;
	g_autofree char *names = silent_loads(plan);
	g_autofree char *second = text_duration((int64_t)unknown * 1000);
	g_autofree char *rest =
	    text_duration(totals->reboot_ms + totals->start_ms +
		totals->proof_ms + totals->run_ms + totals->warmup_ms);
	g_autofree char *text = g_strdup_printf(
	    "Not known: no key says how long a run of these takes: %s. Every "
	    "second of such a run adds %s for its %zu runs. All else takes "
	    "%s.",
	    names, second, unknown, rest);
	g_autofree char *wrapped = text_wrap(text, "  ", TEXT_COLUMNS);
	g_string_append(out, wrapped);
}

/* Whether data are made anew in the night, which takes nobody knows how long.
 */
static bool
remakes_data(const Matrix *matrix)
{
	for (size_t i = 0; i < matrix->loads->len; i++) {
		const Load *load = g_ptr_array_index(matrix->loads, i);
		if (load->reset != RESET_NEVER)
			return true;
	}
	return matrix->server.datadir_from != NULL;
}

/* What the sum leaves out. */
static void
text_uncounted(GString *out, const Plan *plan)
{
	const Matrix *matrix = plan->matrix;
	const size_t rounds = (size_t)matrix->design.rounds;
	g_autoptr(GString) text = g_string_new("Not counted: ");
	g_autoptr(GString) resets = g_string_new(NULL);

	for (size_t i = 0; i < matrix->loads->len; i++) {
		const Load *load = g_ptr_array_index(matrix->loads, i);
		if (load->reset != RESET_NEVER)
			g_string_append_printf(resets, "%s%s",
			    resets->len > 0 ? ", " : "", load->name);
	}
	g_string_append(text, "filling data and comparing tables");
	if (matrix->server.datadir_from != NULL)
		g_string_append_printf(text,
		    "; %zu copies of %s, and filling each",
		    plan_totals(plan, rounds).starts + 1,
		    matrix->server.datadir_from);
	if (resets->len > 0)
		g_string_append_printf(text, "; resets for %s", resets->str);
	g_string_append(text, "; repeats after a failure.");
	g_autofree char *wrapped = text_wrap(text->str, "  ", TEXT_COLUMNS);
	g_string_append(out, wrapped);
}

void
text_time(GString *out, const Plan *plan)
{
	const Matrix *matrix = plan->matrix;
	const size_t rounds = (size_t)matrix->design.rounds;
	const PlanTotals totals = plan_totals(plan, rounds);
	const int64_t ms = plan_night_ms(plan, rounds);
	g_autofree char *night = text_duration(ms);

	g_string_append_printf(out, "\nTIME, %s%s\n",
	    ms == 0
		? "not known"
		: (totals.unknown_runs > 0 || remakes_data(matrix) ? "at least "
								   : "about "),
	    ms == 0 ? "" : night);
	text_part(out, "reboots", totals.reboots, totals.reboot_ms,
	    plan->boot_class ? "assumed; the last, back to the default kernel"
			     : "assumed");
	text_part(out, "starts", totals.starts, totals.start_ms,
	    "assumed: stop, start until it answers");
	text_part(out, "proofs", totals.proofs, totals.proof_ms,
	    "assumed: before and after");
	text_part(out, "runs", totals.runs - totals.unknown_runs, totals.run_ms,
	    "by the loads' keys, in the mean");
	text_part(out, "warm-ups", totals.warmups - totals.unknown_warmups,
	    totals.warmup_ms, "likewise");
	text_unknown(out, plan, &totals);
	if (matrix->targets->len > 1) {
		const char *how = matrix->design.share
		    ? "The targets share the rounds and work at once"
		    : "Counted for one target; the targets work at once";
		g_autofree char *text = g_strdup_printf(
		    "%s; those that measure from one client host wait for "
		    "each other's runs.",
		    how);
		g_autofree char *wrapped = text_wrap(text, "  ", TEXT_COLUMNS);
		g_string_append(out, wrapped);
	}
	text_uncounted(out, plan);
}
