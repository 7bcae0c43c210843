#include "plan/text.h"

#include <string.h>

#include "base/text.h"

enum { SHORT_HASH = 12 };

size_t
text_wider(size_t width, const char *word, size_t limit)
{
	const size_t columns = (size_t)g_utf8_strlen(word, -1);

	return MIN(MAX(width, columns), limit);
}

/* "1 reboot", "3 reboots" */
static char *
text_count(size_t n, const char *what)
{
	return g_strdup_printf("%zu %s%s", n, what, n == 1 ? "" : "s");
}

void
text_item(GString *out, const char *head, size_t columns, const char *body)
{
	g_autofree char *indent = g_strnfill(columns, ' ');
	g_autofree char *wrapped = text_wrap(body, indent, TEXT_COLUMNS);
	const size_t length = (size_t)g_utf8_strlen(head, -1);

	const bool touches = length == columns && !g_str_has_suffix(head, " ");
	if (*wrapped == '\0' || length > columns || touches) {
		g_string_append_printf(out, "%s\n%s", head, wrapped);
		return;
	}
	g_string_append_printf(out, "%s%s", head, wrapped + length);
}

char *
plan_setting_text(const Setting *setting)
{
	const char *kind = setting_kind_name(setting->kind);

	if (setting->kind == SETTING_COMMAND)
		return g_strdup_printf("%s `%s`", kind, setting->apply);
	if (setting->value == NULL)
		return g_strdup_printf("%s default", kind);
	if (setting->kind == SETTING_FILE)
		return g_strdup_printf(
		    "%s %s from %s", kind, setting->name, setting->value);
	if (setting->kind == SETTING_DURING)
		return g_strdup_printf("%s `%s`", kind, setting->value);
	if (setting->name != NULL && *setting->name != '\0')
		return g_strdup_printf(
		    "%s %s=%s", kind, setting->name, setting->value);
	return g_strdup_printf("%s %s", kind, setting->value);
}

char *
plan_level_text(const Level *level)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (size_t i = 0; i < level->settings->len; i++) {
		g_autofree char *setting =
		    plan_setting_text(g_ptr_array_index(level->settings, i));
		g_string_append_printf(
		    text, "%s%s", text->len > 0 ? ", " : "", setting);
	}
	if (text->len == 0)
		g_string_append(text, "nothing set");
	for (size_t i = 0; i < level->expect->len; i++)
		g_string_append_printf(text, "%s %s",
		    i == 0 ? ", expect" : " and",
		    (const char *)g_ptr_array_index(level->expect, i));
	return text_printable(text->str, text->len * 4);
}

static char *
targets_in_words(const Matrix *matrix)
{
	const Host *first = g_ptr_array_index(matrix->targets, 0);

	if (matrix->targets->len == 1)
		return g_strdup_printf("On %s", first->name);
	if (matrix->design.share)
		return g_strdup_printf(
		    "Dealt to %u targets, in all", matrix->targets->len);
	return g_strdup_printf("On each of %u targets", matrix->targets->len);
}

/* What a person wants to know first. */
static void
text_summary(GString *out, const Plan *plan)
{
	const Matrix *matrix = plan->matrix;
	const size_t rounds = (size_t)matrix->design.rounds;
	const PlanTotals totals = plan_totals(plan, rounds);
	const int64_t ms = plan_night_ms(plan, rounds);
	g_autofree char *targets = targets_in_words(matrix);
	g_autofree char *reboots = text_count(totals.reboots, "reboot");
	g_autofree char *starts = text_count(totals.starts, "start");
	g_autofree char *runs = text_count(totals.runs, "measured run");
	g_autofree char *warmups = text_count(totals.warmups, "warm-up");
	g_autofree char *cells = text_count(plan->cells->len, "cell");
	g_autofree char *loads = text_count(matrix->loads->len, "load");
	g_autofree char *of = text_count(rounds, "round");
	g_autofree char *night = text_duration(ms);
	g_autofree char *text = g_strdup_printf(
	    "%s, %s, %s in %s order. %s: %s, %s%s, %s and %s, %s%s.", cells,
	    loads, of, matrix->design.random ? "random" : "listed", targets,
	    totals.reboots == 0 ? "no reboot" : reboots,
	    totals.starts == 0 ? "no server to start" : starts,
	    totals.starts == 0 ? "" : " of the server", runs, warmups,
	    ms == 0 ? "time not known"
		    : (totals.unknown_runs > 0 ? "at least " : "about "),
	    ms == 0 ? "" : night);
	g_autofree char *wrapped = text_wrap(text, "", TEXT_COLUMNS);
	g_autofree char *title = text_printable(matrix->title, 500);

	g_string_append_printf(out, "%s\n%s, plan %.*s\n\n%s", title,
	    matrix->path, SHORT_HASH, plan->identity, wrapped);
}

static void
text_identity(GString *out, const Plan *plan)
{
	const GPtrArray *files = plan->matrix->files;

	g_string_append_printf(out, "\nIDENTITY\n  plan %s\n", plan->identity);
	for (size_t i = 0; i < files->len; i++) {
		const MatrixFile *file = g_ptr_array_index(files, i);
		/* What it says is in the identity, how it says it is not. */
		if (strcmp(file->role, "matrix") != 0)
			g_string_append_printf(out, "  %.*s  %s (%s)\n",
			    SHORT_HASH, file->sha256, file->path, file->role);
	}
	g_autofree char *note = text_wrap(
	    "It covers all that the matrix says and the contents of the files "
	    "above, except rounds, quiet, stop, margin, contrasts, baseline, "
	    "title, "
	    "power, notify and how hosts are reached. The same matrix has the "
	    "same plan on every machine.",
	    "  ", TEXT_COLUMNS);
	g_string_append(out, note);
}

char *
plan_text(const Plan *plan)
{
	GString *out = g_string_new(NULL);

	text_summary(out, plan);
	text_targets(out, plan);
	text_factors(out, plan);
	text_cells(out, plan);
	text_loads(out, plan);
	text_design(out, plan);
	text_time(out, plan);
	text_order(out, plan);
	text_identity(out, plan);
	return g_string_free(out, FALSE);
}
