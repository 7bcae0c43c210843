#include "matrix/loaddef_read.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "matrix/formula.h"
#include "matrix/template.h"
#include "matrix/words.h"

enum { KEYS = 64 };

static const char *const definition_keys[] = { "help", "tool", "version",
	"keys", "command", "setup", "prepare", "restore", "cleanup",
	"warmup_key", "length_key", "writes", "metrics", "numbers", "primary",
	"require", "forbid", "checks", "exit_status", NULL };
static const char *const key_keys[] = { "name", "help", "default", "script",
	"type", "min", "max", NULL };
/* In the order of LoadDefKeyType. */
static const char *const key_types[] = { "text", "words", "integer", "number",
	"seconds", NULL };
static const char *const check_keys[] = { "what", "left", "right", "within",
	"at_most", NULL };
static const ReaderPlace definition_place = { "a load definition",
	definition_keys };
static const ReaderPlace key_place = { "a key", key_keys };
static const ReaderPlace check_place = { "a check", check_keys };
static const ReaderPlace *const places[] = { &definition_place, &key_place,
	&loaddef_metric_place, &check_place, NULL };

static void
read_regexes(Reader *reader, const ReaderNode *group, const char *key,
    GPtrArray **patterns)
{
	const ReaderNode *node = reader_get(group, key);

	g_ptr_array_unref(*patterns);
	*patterns = reader_strings(reader, group, key);
	for (guint i = 0; i < (*patterns)->len; i++)
		loaddef_check_regex(
		    reader, node, g_ptr_array_index(*patterns, i), 0);
}

/* What its value must be; the default is told if it is something else. */
static void
read_key_type(Reader *reader, const ReaderNode *node, LoadDefKey *key)
{
	g_autoptr(GError) why = NULL;
	int type = KEY_TEXT;

	(void)reader_enum(reader, node, "type", key_types, &type);
	key->type = (LoadDefKeyType)type;
	key->max = LOADDEF_KEY_MOST;
	(void)reader_double(reader, node, "min", -LOADDEF_KEY_MOST,
	    LOADDEF_KEY_MOST, &key->min);
	(void)reader_double(reader, node, "max", -LOADDEF_KEY_MOST,
	    LOADDEF_KEY_MOST, &key->max);
	if (key->type < KEY_INTEGER &&
	    (reader_get(node, "min") != NULL ||
		reader_get(node, "max") != NULL))
		reader_mistake(reader, node,
		    "min and max are for type \"integer\", \"number\" and "
		    "\"seconds\"");
	else if (key->min > key->max)
		reader_mistake(reader, node,
		    "min is greater than max: no value would ever be right");
	else if (key->fallback != NULL) {
		g_autofree char *value =
		    loaddef_key_value(key, key->fallback, &why);
		if (value == NULL)
			reader_mistake_key(
			    reader, node, "default", "%s", why->message);
	}
}

static void
read_key(Reader *reader, const ReaderNode *node, LoadDef *def)
{
	reader_keys(reader, node, &key_place, places, NULL);
	g_autofree char *name = loaddef_read_name(reader, node, "\"threads\"");
	if (name == NULL)
		return;
	if (g_strv_contains(words_builtin_load, name)) {
		reader_mistake_key(reader, node, "name",
		    "\"%s\" is built in, choose another name", name);
		return;
	}
	if (loaddef_key(def, name) != NULL) {
		reader_mistake_key(
		    reader, node, "name", "\"%s\" is there already", name);
		return;
	}
	LoadDefKey *key = g_new0(LoadDefKey, 1);
	const ReaderNode *fallback = reader_get(node, "default");
	key->name = g_steal_pointer(&name);
	key->help = reader_need_string(
	    reader, node, "help", "\"one line that says what it is\"");
	if (key->help == NULL)
		key->help = g_strdup("");
	if (reader_is_scalar(fallback))
		key->fallback = reader_scalar(fallback);
	else if (fallback != NULL)
		reader_mistake(reader, fallback, "is %s, must be one value",
		    reader_type_name(fallback));
	(void)reader_bool(reader, node, "script", &key->script);
	read_key_type(reader, node, key);
	g_ptr_array_add(def->keys, key);
}

static void
read_key_list(Reader *reader, const ReaderNode *root, LoadDef *def)
{
	const ReaderNode *list = reader_groups(reader, root, "keys");

	if (reader_length(list) > KEYS) {
		reader_mistake(reader, list,
		    "has %zu members, at most %d are possible",
		    reader_length(list), KEYS);
		return;
	}
	for (size_t i = 0; i < reader_length(list); i++)
		read_key(reader, reader_element(list, i), def);
}

/* A key of the definition that another key of the file names. */
static char *
read_key_name(
    Reader *reader, const ReaderNode *root, const char *key, const LoadDef *def)
{
	g_autofree char *name = reader_string(reader, root, key);

	if (name == NULL || loaddef_key(def, name) != NULL)
		return g_steal_pointer(&name);
	reader_mistake_key(
	    reader, root, key, "\"%s\" is none of the definition's keys", name);
	return NULL;
}

/* A command template: it may say keys and what is built in. */
static char *
read_command(
    Reader *reader, const ReaderNode *root, const char *key, const LoadDef *def)
{
	char *text = reader_string(reader, root, key);
	g_autoptr(GPtrArray) words =
	    template_words(text == NULL ? "" : text, true);

	for (guint i = 0; i < words->len; i++) {
		const char *word = g_ptr_array_index(words, i);
		if (loaddef_key(def, word) == NULL &&
		    !g_strv_contains(words_builtin_load, word))
			reader_mistake_key(reader, root, key,
			    "{%s} is neither one of keys nor built in, write "
			    "{{%s} for the text itself",
			    word, word);
	}
	return text;
}

static void
read_commands(Reader *reader, const ReaderNode *root, LoadDef *def)
{
	const ReaderNode *writes = reader_get(root, "writes");

	def->help = reader_need_string(
	    reader, root, "help", "\"what the tool is, in one line\"");
	def->tool = reader_string(reader, root, "tool");
	def->version = read_command(reader, root, "version", def);
	def->command = read_command(reader, root, "command", def);
	def->setup = read_command(reader, root, "setup", def);
	def->prepare = read_command(reader, root, "prepare", def);
	def->restore = read_command(reader, root, "restore", def);
	def->cleanup = read_command(reader, root, "cleanup", def);
	def->warmup_key = read_key_name(reader, root, "warmup_key", def);
	def->length_key = read_key_name(reader, root, "length_key", def);
	if (reader_is_string(writes))
		def->writes = loaddef_read_regex(reader, root, "writes", 0);
	else
		(void)reader_bool(reader, root, "writes", &def->always_writes);
}

static const Metric *
any_metric(const LoadDef *def, const char *name)
{
	const Metric *metric = loaddef_metric(def->metrics, name);

	return metric != NULL ? metric : loaddef_metric(def->numbers, name);
}

/* FormulaName: only whether there is such a number. */
static bool
is_known(const char *name, void *data, double *value, GError **error)
{
	*value = 1;
	if (any_metric(data, name) != NULL ||
	    loaddef_process_metric(name) != NULL)
		return true;
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "names \"%s\", which is none of metrics and numbers", name);
	return false;
}

static void
check_formula(Reader *reader, const ReaderNode *node, const char *key,
    const char *formula, LoadDef *def)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(GRegex) words =
	    g_regex_new("\\{[A-Za-z_][A-Za-z0-9_]*\\}", 0, 0, NULL);
	double value = 0;

	if (formula == NULL)
		return;
	g_autofree char *filled =
	    g_regex_replace_literal(words, formula, -1, 0, "1", 0, NULL);
	if (!formula_compute(filled, is_known, def, &value, &why) &&
	    g_error_matches(why, ABRUN_ERROR, ABRUN_ERROR_USAGE))
		reader_mistake_key(reader, node, key, "%s", why->message);
}

static void
check_formulas(
    Reader *reader, const ReaderNode *list, GPtrArray *metrics, LoadDef *def)
{
	for (guint i = 0; i < metrics->len; i++) {
		const Metric *metric = g_ptr_array_index(metrics, i);
		check_formula(reader, reader_element(list, i), "formula",
		    metric->formula, def);
	}
}

static void
read_check(Reader *reader, const ReaderNode *node, LoadDef *def)
{
	CrossCheck *check = g_new0(CrossCheck, 1);

	reader_keys(reader, node, &check_place, places, NULL);
	check->what = reader_need_string(
	    reader, node, "what", "\"what holds of a good run\"");
	check->left = reader_need_string(
	    reader, node, "left", "\"a metric or a formula of metrics\"");
	check->right = reader_need_string(
	    reader, node, "right", "\"what it must be equal to\"");
	(void)reader_double(reader, node, "within", 0, 1, &check->within);
	(void)reader_bool(reader, node, "at_most", &check->at_most);
	check_formula(reader, node, "left", check->left, def);
	check_formula(reader, node, "right", check->right, def);
	g_ptr_array_add(def->checks, check);
}

static void
read_numbers(Reader *reader, const ReaderNode *root, LoadDef *def)
{
	const ReaderNode *metrics = reader_groups(reader, root, "metrics");
	const ReaderNode *numbers = reader_groups(reader, root, "numbers");
	const ReaderNode *checks = reader_groups(reader, root, "checks");

	g_ptr_array_unref(def->metrics);
	def->metrics = loaddef_read_metrics(reader, metrics);
	g_ptr_array_unref(def->numbers);
	def->numbers = loaddef_read_metrics(reader, numbers);
	for (guint i = 0; i < def->numbers->len; i++) {
		const Metric *metric = g_ptr_array_index(def->numbers, i);
		if (loaddef_metric(def->metrics, metric->name) != NULL)
			reader_mistake(reader, reader_element(numbers, i),
			    "\"%s\" is a metric, too", metric->name);
	}
	check_formulas(reader, metrics, def->metrics, def);
	check_formulas(reader, numbers, def->numbers, def);
	for (size_t i = 0; i < reader_length(checks); i++)
		read_check(reader, reader_element(checks, i), def);
}

static void
read_primary(Reader *reader, const ReaderNode *root, LoadDef *def)
{
	def->primary = reader_string(reader, root, "primary");
	if (def->primary == NULL) {
		const Metric *first = def->metrics->len == 0
		    ? NULL
		    : g_ptr_array_index(def->metrics, 0);
		def->primary =
		    g_strdup(first == NULL ? loaddef_process_metrics[0].name
					   : first->name);
		return;
	}
	const Metric *metric = loaddef_metric(def->metrics, def->primary);
	if (metric == NULL && loaddef_process_metric(def->primary) == NULL)
		reader_mistake_key(reader, root, "primary",
		    "\"%s\" is none of its metrics", def->primary);
	else if (metric != NULL && metric->optional)
		reader_mistake_key(reader, root, "primary",
		    "\"%s\" is optional: a run without it would say nothing",
		    def->primary);
}

static LoadDef *
read_definition(Reader *reader, const char *name, GError **error)
{
	g_autoptr(LoadDef) def = loaddef_new();
	const ReaderNode *root = reader_root(reader);
	int64_t exit_status = 0;

	def->name = g_strdup(name);
	def->path = g_strdup(reader_path(reader));
	def->line = reader_line(reader, root);
	reader_keys(reader, root, &definition_place, places, NULL);
	read_key_list(reader, root, def);
	read_commands(reader, root, def);
	read_numbers(reader, root, def);
	read_primary(reader, root, def);
	read_regexes(reader, root, "require", &def->require);
	read_regexes(reader, root, "forbid", &def->forbid);
	(void)reader_int(reader, root, "exit_status", 0, 255, &exit_status);
	def->exit_status = (int)exit_status;
	return reader_finish(reader, error) ? g_steal_pointer(&def) : NULL;
}

LoadDef *
loaddef_read(const char *path, const char *name, GError **error)
{
	g_autoptr(Reader) reader = reader_open(path, error);

	return reader == NULL ? NULL : read_definition(reader, name, error);
}

LoadDef *
loaddef_parse(const char *text, size_t length, const char *path,
    const char *name, GError **error)
{
	g_autoptr(Reader) reader = reader_parse(text, length, path, error);

	return reader == NULL ? NULL : read_definition(reader, name, error);
}
