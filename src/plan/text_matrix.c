#include "plan/text.h"

#include <string.h>

#include "base/text.h"

enum {
	NAME_COLUMNS = 20,   /* of a name in a table */
	CELLS_SHOWN = 100,   /* more are not read by a person */
	COMMAND_BYTES = 300, /* of a command of the matrix */
};

static const char *
client_in_words(const Host *target)
{
	if (target->client == NULL || strcmp(target->client, "target") == 0)
		return "load runs on the target";
	if (strcmp(target->client, "controller") == 0)
		return "load runs on the controller";
	return NULL;
}

static void
text_host(GString *out, const Host *host, size_t columns, bool target)
{
	g_autofree char *head = g_strdup_printf("  %s", host->name);
	g_autoptr(GString) body = g_string_new(host->ssh);
	const char *client = client_in_words(host);

	if (host->ssh_config != NULL)
		g_string_append_printf(
		    body, " by ssh_config %s", host->ssh_config);
	if (host->os != NULL)
		g_string_append_printf(body, ", %s", host->os);
	if (host->sudo)
		g_string_append(body, " with sudo");
	if (target && client != NULL)
		g_string_append_printf(body, ", %s", client);
	else if (target)
		g_string_append_printf(body, ", load runs on %s", host->client);
	else
		g_string_append(body, ", runs load");
	for (guint i = 0; host->power != NULL && i < host->power->len; i++)
		g_string_append_printf(body, "%s%s",
		    i == 0 ? ", power " : ", else ",
		    (const char *)host->power->pdata[i]);
	text_item(out, head, columns, body->str);
}

static char *
server_in_words(const Server *server)
{
	switch (server->kind) {
	case SERVER_NONE:
		return g_strdup("none: the settings act on the load itself");
	case SERVER_SERVICE:
		return g_strdup_printf("service %s", server->service);
	case SERVER_COMMAND:
		return g_strdup_printf(
		    "started by abrun: `%s`", server->command);
	case SERVER_OTHER:
		return g_strdup_printf("started by `%s`", server->start);
	}
	g_assert_not_reached();
}

void
text_targets(GString *out, const Plan *plan)
{
	const Matrix *matrix = plan->matrix;
	size_t width = strlen(matrix->monitors->len > 0 ? "monitor" : "server");

	for (size_t i = 0; i < matrix->targets->len; i++)
		width = text_wider(width,
		    ((const Host *)g_ptr_array_index(matrix->targets, i))->name,
		    NAME_COLUMNS);
	g_string_append(out, "\nTARGETS\n");
	for (size_t i = 0; i < matrix->targets->len; i++)
		text_host(out, g_ptr_array_index(matrix->targets, i), width + 4,
		    true);
	for (size_t i = 0; i < matrix->hosts->len; i++)
		text_host(
		    out, g_ptr_array_index(matrix->hosts, i), width + 4, false);
	g_autofree char *server = server_in_words(&matrix->server);
	g_autofree char *body = text_printable(server, COMMAND_BYTES);
	text_item(out, "  server", width + 4, body);
	for (size_t i = 0; i < matrix->monitors->len; i++) {
		const Monitor *monitor = g_ptr_array_index(matrix->monitors, i);
		g_autofree char *line =
		    g_strdup_printf("%s on the %s in every cell: `%s`",
			monitor->name, monitor->on, monitor->command);
		text_item(out, "  monitor", width + 4, line);
	}
}

/* A variable's values on one line, any other factor's levels one a line. */
static void
text_factor(
    GString *out, const Factor *factor, size_t name_width, size_t level_width)
{
	g_autofree char *head = g_strdup_printf("  %-*s  %-6s  ",
	    (int)name_width, factor->name, factor_class_name(factor->class));
	g_autofree char *blank = g_strnfill(strlen(head), ' ');

	if (factor->variable) {
		g_autoptr(GString) values = g_string_new(NULL);
		for (size_t l = 0; l < factor->levels->len; l++) {
			const Level *level =
			    g_ptr_array_index(factor->levels, l);
			g_string_append_printf(
			    values, "%s%s", l > 0 ? ", " : "", level->name);
		}
		const size_t columns = strlen(head);
		text_item(out, g_strchomp(head), columns, values->str);
		return;
	}
	for (size_t l = 0; l < factor->levels->len; l++) {
		const Level *level = g_ptr_array_index(factor->levels, l);
		g_autofree char *body = plan_level_text(level);
		g_autofree char *line =
		    g_strdup_printf("%s%s", l == 0 ? head : blank, level->name);
		text_item(out, line, strlen(head) + level_width + 2, body);
	}
}

static void
text_classes(GString *out, const Plan *plan)
{
	bool has[CLASS_BOOT + 1] = { false };
	g_autoptr(GString) text = g_string_new(NULL);
	const bool server = plan->matrix->server.kind != SERVER_NONE;

	for (size_t f = 0; f < plan->matrix->factors->len; f++)
		has[(
		    (const Factor *)g_ptr_array_index(plan->matrix->factors, f))
			->class] = true;
	if (has[CLASS_BOOT])
		g_string_append(text, "boot: a change needs a reboot. ");
	if (has[CLASS_SERVER])
		g_string_append(text,
		    server ? "server: a change needs a fresh start of the "
			     "server. "
			   : "server: a change needs a visit of its own. ");
	if (has[CLASS_LOAD])
		g_string_append(
		    text, "load: only the load's own command line changes. ");
	if (has[CLASS_BOOT] || has[CLASS_SERVER])
		g_string_append(text,
		    "What one level sets and a cell does not is proved absent "
		    "there.");
	g_autofree char *wrapped = text_wrap(text->str, "  ", TEXT_COLUMNS);
	g_string_append(out, wrapped);
}

void
text_factors(GString *out, const Plan *plan)
{
	const GPtrArray *factors = plan->matrix->factors;
	size_t name_width = 0, level_width = 0;

	if (factors->len == 0)
		return;
	for (size_t f = 0; f < factors->len; f++) {
		const Factor *factor = g_ptr_array_index(factors, f);
		name_width = text_wider(name_width, factor->name, NAME_COLUMNS);
		for (size_t l = 0; l < factor->levels->len; l++)
			level_width = text_wider(level_width,
			    ((const Level *)g_ptr_array_index(
				 factor->levels, l))
				->name,
			    NAME_COLUMNS);
	}
	g_string_append(out, "\nFACTORS, their class and levels\n");
	for (size_t f = 0; f < factors->len; f++)
		text_factor(out, g_ptr_array_index(factors, f), name_width,
		    level_width);
	text_classes(out, plan);
}

/* Blanks at the end of a line go; a line without words goes whole. */
static void
end_line(GString *out)
{
	while (out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	if (out->str[out->len - 1] != '\n')
		g_string_append_c(out, '\n');
}

/* A row of level names in columns, or the joined name when too wide. */
static void
text_cell(GString *out, const Plan *plan, const Cell *cell,
    const size_t *widths, bool columns)
{
	const char *mark = "";

	if (cell->again)
		mark = "baseline again (aa)";
	else if (cell->id == plan->baseline)
		mark = "baseline";
	g_string_append(out, "  ");
	if (!columns)
		g_string_append_printf(out, "%s  ", cell->name);
	for (size_t f = 0; columns && f < plan->matrix->factors->len; f++)
		g_string_append_printf(out, "%-*s  ", (int)widths[f],
		    plan_level(plan, cell, f)->name);
	g_string_append(out, mark);
	end_line(out);
}

void
text_cells(GString *out, const Plan *plan)
{
	const GPtrArray *factors = plan->matrix->factors;
	g_autofree size_t *widths = g_new0(size_t, factors->len + 1);
	const size_t shown = MIN(plan->cells->len, CELLS_SHOWN);
	size_t total = 2;

	for (size_t f = 0; f < factors->len; f++) {
		const Factor *factor = g_ptr_array_index(factors, f);
		widths[f] = text_wider(0, factor->name, TEXT_COLUMNS);
		for (size_t l = 0; l < factor->levels->len; l++)
			widths[f] = text_wider(widths[f],
			    ((const Level *)g_ptr_array_index(
				 factor->levels, l))
				->name,
			    TEXT_COLUMNS);
		total += widths[f] + 2;
	}
	const bool columns =
	    factors->len > 0 && total + strlen("baseline") <= TEXT_COLUMNS;
	g_string_append_printf(out, "\nCELLS, %u", plan->cells->len);
	if (plan->excluded > 0)
		g_string_append_printf(out, " (%zu excluded)", plan->excluded);
	g_string_append(out, "\n  ");
	for (size_t f = 0; columns && f < factors->len; f++)
		g_string_append_printf(out, "%-*s  ", (int)widths[f],
		    ((const Factor *)g_ptr_array_index(factors, f))->name);
	end_line(out);
	for (size_t i = 0; i < shown; i++)
		text_cell(out, plan, plan_cell(plan, i), widths, columns);
	if (shown < plan->cells->len)
		g_string_append_printf(
		    out, "  ... and %zu more\n", plan->cells->len - shown);
}

static const char *
reset_in_words(const Load *load)
{
	switch (load->reset) {
	case RESET_NEVER:
		return load->writes ? "writes, never reset" : "does not write";
	case RESET_ROUND:
		return "writes, data reset for every round";
	case RESET_START:
		return "writes, data reset for every start";
	case RESET_RUN:
		return "writes, data reset for every run";
	}
	g_assert_not_reached();
}

static void
append_primary(GString *out, const Load *load)
{
	const Metric *metric = loaddef_metric(load->metrics, load->primary);

	g_string_append_printf(out, "; judged by %s", load->primary);
	if (metric != NULL)
		g_string_append_printf(out, " (%s, %s is better)", metric->unit,
		    metric->higher_is_better ? "more" : "less");
}

static void
text_load(GString *out, const Load *load, size_t columns)
{
	g_autofree char *head = g_strdup_printf("  %s", load->name);
	g_autoptr(GString) body = g_string_new(load->use);

	g_string_append_printf(body, ", %s", reset_in_words(load));
	for (size_t i = 0; i < load->variables->len; i++)
		g_string_append_printf(body, "%s %s",
		    i == 0 ? ", once for each" : " and",
		    (const char *)g_ptr_array_index(load->variables, i));
	for (size_t i = 0; i < load->keys->len; i++) {
		const LoadKey *key = g_ptr_array_index(load->keys, i);
		g_string_append_printf(
		    body, "%s %s=%s", i == 0 ? ":" : "", key->name, key->value);
	}
	if (load->def == NULL || load->def->command == NULL) {
		g_autofree char *command =
		    text_printable(load->command, COMMAND_BYTES);
		g_string_append_printf(body, ": `%s`", command);
	}
	append_primary(body, load);
	if (load->timeout_ms > 0) {
		g_autofree char *timeout = text_duration(load->timeout_ms);
		g_string_append_printf(body, "; killed after %s", timeout);
	}
	text_item(out, head, columns, body->str);
}

void
text_loads(GString *out, const Plan *plan)
{
	const GPtrArray *loads = plan->matrix->loads;
	size_t width = 0;

	for (size_t i = 0; i < loads->len; i++)
		width = text_wider(width,
		    ((const Load *)g_ptr_array_index(loads, i))->name,
		    NAME_COLUMNS);
	g_string_append(out, "\nLOADS\n");
	for (size_t i = 0; i < loads->len; i++)
		text_load(out, g_ptr_array_index(loads, i), width + 4);
}
