#include "matrix/parse.h"

#include <string.h>

#include "base/text.h"
#include "matrix/loaddef_read.h"
#include "matrix/words.h"

/* A run that hangs longer has failed; loads may say more or less. */
enum { DEFAULT_TIMEOUT_MS = 3600 * 1000 };

/* Names of the definitions in all places; ends with NULL. */
static char **
known_definitions(const char *matrix_path)
{
	GPtrArray *names = g_ptr_array_new();
	g_autofree char *beside = matrix_relative(matrix_path, "hooks/load");
	const char *const places[] = { beside, "hooks/load",
		SHAREDIR "/hooks/load" };

	for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
		GDir *directory = g_dir_open(places[i], 0, NULL);
		if (directory == NULL)
			continue;
		for (const char *file = g_dir_read_name(directory);
		     file != NULL; file = g_dir_read_name(directory))
			if (g_str_has_suffix(file, ".cfg"))
				g_ptr_array_add(
				    names, g_strndup(file, strlen(file) - 4));
		g_dir_close(directory);
	}
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

/* Another load told what is wrong with this definition. */
static bool
told_before(const Matrix *matrix, const char *use)
{
	for (guint i = 0; i < matrix->loads->len; i++) {
		const Load *load = g_ptr_array_index(matrix->loads, i);
		if (load->def == NULL && load->use != NULL &&
		    strcmp(load->use, use) == 0)
			return true;
	}
	return false;
}

static LoadDef *
find_definition(
    Reader *reader, const ReaderNode *node, const char *use, Matrix *matrix)
{
	g_autoptr(GError) error = NULL;

	if (use == NULL || told_before(matrix, use))
		return NULL;
	if (!text_is_safe_name(use)) {
		reader_mistake_key(reader, node, "use",
		    "\"%s\" is no name of a file hooks/load/NAME.cfg", use);
		return NULL;
	}
	g_autofree char *relative = g_strdup_printf("hooks/load/%s.cfg", use);
	g_autofree char *path = matrix_find_file(matrix->path, relative);
	if (path == NULL) {
		g_auto(GStrv) known = known_definitions(matrix->path);
		g_autofree char *guess =
		    reader_guess(use, (const char *const *)known);
		g_autofree char *places = matrix_places(matrix->path, relative);
		reader_mistake_key(reader, node, "use",
		    "no load definition \"%s\"%s looked for %s", use,
		    *guess == '\0' ? "," : guess, places);
		return NULL;
	}
	LoadDef *def = loaddef_read(path, use, &error);
	if (def == NULL)
		reader_adopt(reader, reader_get(node, "use"), error);
	return def;
}

static void
read_key(Reader *reader, const ReaderNode *node, const LoadDefKey *key,
    Load *load, const Matrix *matrix)
{
	const ReaderNode *given = reader_get(node, key->name);
	const Factor *factor = matrix_factor(matrix, key->name);

	if (given == NULL) {
		if (key->fallback == NULL &&
		    (factor == NULL || !factor->variable))
			reader_mistake_key(reader, node, key->name,
			    "is missing, %s needs it: %s", load->use,
			    key->help);
		return;
	}
	if (factor != NULL) {
		reader_mistake(reader, given,
		    "is a factor, too: leave the key or the factor out");
		return;
	}
	if (!reader_is_scalar(given)) {
		reader_mistake(reader, given, "is %s, must be a plain value",
		    reader_type_name(given));
		return;
	}
	LoadKey *read = g_new0(LoadKey, 1);
	read->name = g_strdup(key->name);
	read->value = reader_scalar(given);
	read->line = reader_line(reader, given);
	g_ptr_array_add(load->keys, read);
}

static void
read_keys(Reader *reader, const ReaderNode *node, Load *load, Matrix *matrix)
{
	const LoadDef *def = load->def;
	g_autoptr(GPtrArray) extra = g_ptr_array_new();

	for (guint i = 0; i < def->keys->len; i++) {
		const LoadDefKey *key = g_ptr_array_index(def->keys, i);
		g_ptr_array_add(extra, key->name);
		read_key(reader, node, key, load, matrix);
	}
	/* Known, so that it is not sent to another section. */
	g_ptr_array_add(extra, (void *)"command");
	g_ptr_array_add(extra, NULL);
	reader_keys(reader, node, &place_load, words_places,
	    (const char *const *)extra->pdata);
}

/* The load's own text, or else the definition's. */
static char *
read_command(
    Reader *reader, const ReaderNode *node, const char *key, const char *other)
{
	char *text = reader_string(reader, node, key);

	return text != NULL ? text : g_strdup(other);
}

static void
read_commands(Reader *reader, const ReaderNode *node, Load *load)
{
	const LoadDef *def = load->def;

	if (def->command != NULL && reader_get(node, "command") != NULL)
		reader_mistake_key(reader, node, "command",
		    "%s has a command of its own, write use = \"command\" "
		    "for yours",
		    load->use);
	if (def->command == NULL)
		load->command = reader_need_string(
		    reader, node, "command", "\"what is to be timed\"");
	else
		load->command = g_strdup(def->command);
	load->setup = read_command(reader, node, "setup", def->setup);
	load->prepare = read_command(reader, node, "prepare", def->prepare);
	load->restore = read_command(reader, node, "restore", def->restore);
	load->cleanup = read_command(reader, node, "cleanup", def->cleanup);
}

/* metrics = [ "tps" ] picks from the definition's. */
static GPtrArray *
pick_metrics(Reader *reader, const ReaderNode *node, const LoadDef *def)
{
	GPtrArray *picked = g_ptr_array_new();
	g_autoptr(GPtrArray) names = reader_strings(reader, node, "metrics");
	g_autoptr(GPtrArray) known = g_ptr_array_new();

	for (guint i = 0; i < def->metrics->len; i++) {
		const Metric *metric = g_ptr_array_index(def->metrics, i);
		g_ptr_array_add(known, metric->name);
	}
	g_ptr_array_add(known, NULL);
	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		const Metric *metric = loaddef_metric(def->metrics, name);
		if (metric != NULL) {
			g_ptr_array_add(picked, (void *)metric);
			continue;
		}
		if (loaddef_process_metric(name) != NULL)
			continue; /* every load has these */
		g_autofree char *guess =
		    reader_guess(name, (const char *const *)known->pdata);
		reader_mistake_key(reader, node, "metrics",
		    "%s has no metric \"%s\"%s", def->name, name, guess);
	}
	return picked;
}

static void
read_metrics(Reader *reader, const ReaderNode *node, Load *load)
{
	const ReaderNode *given = reader_get(node, "metrics");
	const bool own = given != NULL && config_setting_is_list(given) &&
	    (reader_length(given) == 0 ||
		reader_is_group(reader_element(given, 0)));

	if (given == NULL)
		load->metrics = g_ptr_array_ref(load->def->metrics);
	else if (own)
		load->metrics = loaddef_read_metrics(
		    reader, reader_groups(reader, node, "metrics"));
	else
		load->metrics = pick_metrics(reader, node, load->def);

	load->primary = reader_string(reader, node, "primary");
	const bool chosen = load->primary != NULL;
	if (!chosen)
		load->primary = g_strdup(load->def->primary);
	if (load->primary != NULL &&
	    (loaddef_metric(load->metrics, load->primary) != NULL ||
		loaddef_process_metric(load->primary) != NULL))
		return;
	if (chosen)
		reader_mistake_key(reader, node, "primary",
		    "\"%s\" is no metric of this load", load->primary);
	else if (load->metrics->len > 0) {
		const Metric *first = g_ptr_array_index(load->metrics, 0);
		g_free(load->primary);
		load->primary = g_strdup(first->name);
	} else {
		g_free(load->primary);
		load->primary = g_strdup(loaddef_process_metrics[0].name);
	}
}

/* "select-key" of a script, else of what the definition cannot guess. */
static char *
default_name(const Load *load)
{
	for (int pass = 0; pass < 2; pass++)
		for (guint i = 0; i < load->def->keys->len; i++) {
			const LoadDefKey *key =
			    g_ptr_array_index(load->def->keys, i);
			const char *value = load_key(load, key->name);
			if (value == NULL ||
			    (pass == 0 ? !key->script
				       : key->fallback != NULL) ||
			    !g_ascii_isalpha(*value))
				continue;
			g_autofree char *base = g_path_get_basename(value);
			char *dot = strrchr(base, '.');
			if (dot != NULL && dot != base)
				*dot = '\0';
			return text_safe_name(base);
		}
	return text_safe_name(load->use);
}

static void
read_name(Reader *reader, const ReaderNode *node, Load *load, Matrix *matrix)
{
	load->name = reader_string(reader, node, "name");
	if (load->name != NULL && !text_is_safe_name(load->name))
		reader_mistake_key(reader, node, "name",
		    "\"%s\" is no name, use letters, digits, . _ and - (at "
		    "most 64)",
		    load->name);
	if (load->name == NULL && load->def == NULL)
		return; /* it would be named after what is not known */
	if (load->name == NULL)
		load->name = default_name(load);
	for (guint i = 0; load->name != NULL && i < matrix->loads->len; i++) {
		const Load *other = g_ptr_array_index(matrix->loads, i);
		if (other->name != NULL &&
		    strcmp(other->name, load->name) == 0) {
			reader_mistake_key(reader, node, "name",
			    "two loads are named \"%s\", write name = \"...\" "
			    "in one",
			    load->name);
			break;
		}
	}
}

static void
read_tables(Reader *reader, const ReaderNode *node, Load *load)
{
	load->tables = reader_strings(reader, node, "tables");
	for (guint i = 0; i < load->tables->len; i++) {
		const char *table = g_ptr_array_index(load->tables, i);
		if (*table == '\0' || strpbrk(table, "`\\\n") != NULL)
			reader_mistake_key(reader, node, "tables",
			    "\"%s\" is no name of a table", table);
	}
}

static void
read_load(Reader *reader, const ReaderNode *node, Matrix *matrix)
{
	Load *load = g_new0(Load, 1);
	int reset = RESET_NEVER;

	load->line = reader_line(reader, node);
	load->keys = g_ptr_array_new_with_free_func(load_key_free);
	load->variables = g_ptr_array_new_with_free_func(g_free);
	load->timeout_ms = DEFAULT_TIMEOUT_MS;
	load->use = reader_need_string(
	    reader, node, "use", "\"sysbench\" or another of hooks/load");
	load->def = find_definition(reader, node, load->use, matrix);
	if (load->def != NULL) {
		read_keys(reader, node, load, matrix);
		read_commands(reader, node, load);
		read_metrics(reader, node, load);
		load->writes = load->def->always_writes;
	}
	read_tables(reader, node, load);
	if (reader_enum(reader, node, "reset", words_resets, &reset))
		load->writes = true;
	load->reset = (Reset)reset;
	(void)reader_duration(reader, node, "timeout", 1000, &load->timeout_ms);
	read_name(reader, node, load, matrix);
	g_ptr_array_add(matrix->loads, load);
}

void
read_loads(Reader *reader, Matrix *matrix)
{
	const ReaderNode *root = reader_root(reader);
	const ReaderNode *list = reader_groups(reader, root, "loads");

	if (reader_get(root, "loads") == NULL)
		reader_mistake_key(reader, root, "loads",
		    "is missing, write loads = ( { use = \"command\"; command "
		    "= \"make\"; } );");
	else if (list != NULL && reader_length(list) == 0)
		reader_mistake(reader, list, "has no loads");
	for (size_t i = 0; i < reader_length(list); i++)
		read_load(reader, reader_element(list, i), matrix);
}
