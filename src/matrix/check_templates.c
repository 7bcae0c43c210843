#include "matrix/parse.h"

#include <string.h>

#include "matrix/template.h"
#include "matrix/words.h"

/* What a text may name. */
typedef struct {
	Reader *reader;
	const Matrix *matrix;
	const char *const *builtin;
	const Load *load;  /* its variables may be named; or NULL */
	bool keys;         /* and the keys of its definition */
	const char *never; /* why a variable cannot be here; or NULL */
} Scope;

static const LoadDefKey *
find_key(const LoadDef *def, const char *name)
{
	for (guint i = 0; def != NULL && i < def->keys->len; i++) {
		const LoadDefKey *key = g_ptr_array_index(def->keys, i);
		if (strcmp(key->name, name) == 0)
			return key;
	}
	return NULL;
}

static const Factor *
find_variable(const Matrix *matrix, const char *name)
{
	const Factor *factor = matrix_factor(matrix, name);

	return factor != NULL && factor->variable ? factor : NULL;
}

static void
use_variable(const Load *load, const char *name)
{
	for (guint i = 0; i < load->variables->len; i++)
		if (strcmp(g_ptr_array_index(load->variables, i), name) == 0)
			return;
	g_ptr_array_add(load->variables, g_strdup(name));
}

/* Everything the scope knows, for a guess; free the array alone. */
static GPtrArray *
known_words(const Scope *scope)
{
	GPtrArray *known = g_ptr_array_new();
	const Matrix *matrix = scope->matrix;
	const bool variables = scope->load != NULL && scope->never == NULL;

	for (guint i = 0; variables && i < matrix->factors->len; i++) {
		const Factor *factor = g_ptr_array_index(matrix->factors, i);
		if (factor->variable)
			g_ptr_array_add(known, factor->name);
	}
	for (guint i = 0; scope->keys && scope->load->def != NULL &&
	     i < scope->load->def->keys->len;
	     i++) {
		const LoadDefKey *key =
		    g_ptr_array_index(scope->load->def->keys, i);
		g_ptr_array_add(known, key->name);
	}
	for (size_t i = 0; scope->builtin[i] != NULL; i++)
		g_ptr_array_add(known, (void *)scope->builtin[i]);
	g_ptr_array_add(known, NULL);
	return known;
}

static void
tell_unknown(const Scope *scope, const ReaderNode *at, const char *word)
{
	const Factor *factor = matrix_factor(scope->matrix, word);

	if (factor != NULL && !factor->variable)
		reader_mistake(scope->reader, at,
		    "{%s} is a factor that sets something, only variables "
		    "(plain values) have text",
		    word);
	else if (factor != NULL)
		reader_mistake(scope->reader, at,
		    "{%s} is a variable, which only loads have", word);
	else if (g_strv_contains(words_builtin_load, word))
		reader_mistake(
		    scope->reader, at, "{%s} is built in for loads only", word);
	else {
		g_autoptr(GPtrArray) known = known_words(scope);
		g_autofree char *guess =
		    reader_guess(word, (const char *const *)known->pdata);
		reader_mistake(scope->reader, at,
		    "{%s} is unknown%s write {{%s} for a brace that stays",
		    word, *guess == '\0' ? "," : guess, word);
	}
}

/* at: the node to blame. */
static void
check_text(
    const Scope *scope, const ReaderNode *at, const char *text, bool command)
{
	g_autoptr(GPtrArray) words = NULL;

	if (text == NULL)
		return;
	words = template_words(text, command);
	for (guint i = 0; i < words->len; i++) {
		const char *word = g_ptr_array_index(words, i);
		const bool key =
		    scope->keys && find_key(scope->load->def, word) != NULL;
		const bool given = key && load_key(scope->load, word) != NULL;
		const Factor *variable =
		    given ? NULL : find_variable(scope->matrix, word);
		if (variable != NULL && scope->never != NULL)
			reader_mistake(scope->reader, at,
			    "{%s} changes from cell to cell, but %s", word,
			    scope->never);
		else if (variable != NULL && scope->load != NULL)
			use_variable(scope->load, word);
		else if (!key && !g_strv_contains(scope->builtin, word))
			tell_unknown(scope, at, word);
	}
}

/* The load's own command, or the definition's, told at `use`. */
static void
check_command(const Scope *scope, const ReaderNode *node, const char *key,
    const char *text)
{
	const ReaderNode *given = reader_get(node, key);

	check_text(
	    scope, given != NULL ? given : reader_get(node, "use"), text, true);
}

static void
check_load(Reader *reader, const Matrix *matrix, const ReaderNode *node,
    const Load *load)
{
	Scope scope = { .reader = reader,
		.matrix = matrix,
		.builtin = words_builtin_load,
		.load = load };

	if (load->def == NULL)
		return;
	for (guint i = 0; i < load->keys->len; i++) {
		const LoadKey *key = g_ptr_array_index(load->keys, i);
		check_text(
		    &scope, reader_get(node, key->name), key->value, false);
	}
	for (guint i = 0; i < load->def->keys->len; i++) {
		const LoadDefKey *key = g_ptr_array_index(load->def->keys, i);
		if (load_key(load, key->name) != NULL)
			continue;
		if (find_variable(matrix, key->name) != NULL)
			use_variable(load, key->name);
		else
			check_text(&scope, reader_get(node, "use"),
			    key->fallback, false);
	}
	scope.keys = true;
	check_command(&scope, node, "command", load->command);
	scope.never = "this command serves all cells";
	check_command(&scope, node, "setup", load->setup);
	check_command(&scope, node, "prepare", load->prepare);
	check_command(&scope, node, "restore", load->restore);
	check_command(&scope, node, "cleanup", load->cleanup);
}

static void
check_server(Reader *reader, const Matrix *matrix)
{
	const ReaderNode *node = reader_get(reader_root(reader), "server");
	const Server *server = &matrix->server;
	const Scope scope = { .reader = reader,
		.matrix = matrix,
		.builtin = words_builtin,
		.never = "the server serves all cells of a start" };

	check_text(&scope, reader_get(node, "command"), server->command, true);
	check_text(&scope, reader_get(node, "start"), server->start, true);
	check_text(&scope, reader_get(node, "stop"), server->stop, true);
	check_text(&scope, reader_get(node, "ready"), server->ready, true);
}

static void
check_settings(Reader *reader, const Matrix *matrix)
{
	const ReaderNode *factors = reader_get(reader_root(reader), "factors");
	const Scope scope = {
		.reader = reader, .matrix = matrix, .builtin = words_builtin
	};

	for (guint i = 0; i < matrix->factors->len; i++) {
		const Factor *factor = g_ptr_array_index(matrix->factors, i);
		const ReaderNode *node = reader_element(factors, i);
		for (guint j = 0; j < factor->levels->len; j++) {
			const Level *level =
			    g_ptr_array_index(factor->levels, j);
			const ReaderNode *at = reader_element(node, j);
			for (guint k = 0; k < level->settings->len; k++) {
				const Setting *setting =
				    g_ptr_array_index(level->settings, k);
				check_text(&scope, at, setting->apply, true);
				check_text(&scope, at, setting->undo, true);
				check_text(&scope, at, setting->verify, true);
				if (setting->kind == SETTING_DURING)
					check_text(
					    &scope, at, setting->value, true);
			}
		}
	}
}

static void
check_monitors(Reader *reader, const Matrix *matrix)
{
	const ReaderNode *list = reader_get(reader_root(reader), "monitors");
	const Scope scope = { .reader = reader,
		.matrix = matrix,
		.builtin = words_builtin_load,
		.never = "a monitor runs in every cell alike" };

	for (guint i = 0; i < matrix->monitors->len; i++) {
		const Monitor *monitor = g_ptr_array_index(matrix->monitors, i);
		check_text(&scope,
		    reader_get(reader_element(list, i), "command"),
		    monitor->command, true);
	}
}

static bool
is_used(const Matrix *matrix, const char *name)
{
	for (guint i = 0; i < matrix->loads->len; i++) {
		const Load *load = g_ptr_array_index(matrix->loads, i);
		/* What an unknown definition uses is unknown. */
		if (load->def == NULL)
			return true;
		for (guint j = 0; j < load->variables->len; j++)
			if (strcmp(g_ptr_array_index(load->variables, j),
				name) == 0)
				return true;
		/* Set and varied at once: told where it is set. */
		if (load_key(load, name) != NULL)
			return true;
	}
	return matrix->loads->len == 0;
}

/* Keys of all definitions, for a guess; free the array alone. */
static GPtrArray *
all_keys(const Matrix *matrix)
{
	GPtrArray *keys = g_ptr_array_new();

	for (guint i = 0; i < matrix->loads->len; i++) {
		const Load *load = g_ptr_array_index(matrix->loads, i);
		for (guint j = 0; j < load->def->keys->len; j++) {
			const LoadDefKey *key =
			    g_ptr_array_index(load->def->keys, j);
			g_ptr_array_add(keys, key->name);
		}
	}
	for (size_t i = 0; i < SETTING_KINDS; i++)
		g_ptr_array_add(keys, (void *)words_kinds[i]);
	g_ptr_array_add(keys, NULL);
	return keys;
}

static void
check_unused(Reader *reader, const Matrix *matrix)
{
	const ReaderNode *factors = reader_get(reader_root(reader), "factors");

	for (guint i = 0; i < matrix->factors->len; i++) {
		const Factor *factor = g_ptr_array_index(matrix->factors, i);
		if (!factor->variable || is_used(matrix, factor->name))
			continue;
		g_autoptr(GPtrArray) keys = all_keys(matrix);
		g_autofree char *guess = reader_guess(
		    factor->name, (const char *const *)keys->pdata);
		reader_mistake(reader, reader_element(factors, i),
		    "nothing uses this variable%s write {%s} in a load's "
		    "command or key, or give it the name of a load's key",
		    *guess == '\0' ? ":" : guess, factor->name);
	}
}

void
check_templates(Reader *reader, Matrix *matrix)
{
	const ReaderNode *loads = reader_get(reader_root(reader), "loads");

	for (guint i = 0; i < matrix->loads->len; i++)
		check_load(reader, matrix, reader_element(loads, i),
		    g_ptr_array_index(matrix->loads, i));
	check_server(reader, matrix);
	check_settings(reader, matrix);
	check_monitors(reader, matrix);
	check_unused(reader, matrix);
}
