#include "abload/smack_work.h"

#include <string.h>

#include "base/text.h"

typedef struct {
	const char *name;
	guint least, most; /* arguments */
} Method;

static const Method methods[] = {
	{ "init", 0, 0 },
	{ "set_num_rounds", 1, 1 },
	{ "create_threads", 1, 1 },
	{ "connect", 0, 0 },
	{ "unload_query_barrel", 0, 0 },
	{ "collect_threads", 0, 0 },
	{ "disconnect", 0, 0 },
	{ "print", 1, 1 },
	{ "query", 1, 1 },
	{ "run_save_result", 2, 2 },
	{ "run_check_result", 0, G_MAXUINT }, /* does nothing */
	{ "sleep", 2, 2 },
};

static const char *const parameters[] = { "max_connect_time",
	"min_connect_time", "avg_connect_time", NULL };
static const char *const figures[] = { "num_queries", "max_time", "min_time",
	"q_per_s", NULL };

void
smack_term_free(SmackTerm *term)
{
	if (term == NULL)
		return;
	g_free(term->text);
	g_free(term->type);
	g_free(term);
}

static void
free_term(gpointer data)
{
	smack_term_free(data);
}

SmackExpression *
smack_expression_new(void)
{
	return g_ptr_array_new_with_free_func(free_term);
}

static SmackTerm *
new_term(SmackTermKind kind, SmackWord *word)
{
	SmackTerm *term = g_new0(SmackTerm, 1);

	term->kind = kind;
	term->text = g_steal_pointer(&word->text);
	term->place = word->place;
	return term;
}

SmackTerm *
smack_term_text(SmackWord *text)
{
	return new_term(SMACK_TEXT, text);
}

SmackTerm *
smack_term_argument(SmackWork *work, SmackWord *digits)
{
	enum { MOST = 1000 };
	SmackTerm *term = new_term(SMACK_ARGUMENT, digits);
	int64_t number = 0;

	if (!text_parse_int(term->text, 0, MOST, &number, NULL))
		smack_mistake(work, term->place,
		    "$%s: the arguments are $0 to $%d", term->text, MOST);
	term->argument = (unsigned)number;
	return term;
}

SmackTerm *
smack_term_variable(SmackWord *name)
{
	return new_term(SMACK_VARIABLE, name);
}

SmackTerm *
smack_term_result(
    SmackWork *work, SmackWord *client, SmackWord *type, SmackWord *name)
{
	const char *const *known = type == NULL ? parameters : figures;
	SmackTerm *term =
	    new_term(type == NULL ? SMACK_PARAMETER : SMACK_FIGURE, name);

	term->client = smack_client(work->smack, client->text);
	if (term->client == NULL)
		smack_mistake(work, client->place,
		    "there is no client \"%s\" before this line", client->text);
	if (!g_strv_contains(known, term->text)) {
		g_autofree char *list =
		    g_strjoinv(", ", (char **)(uintptr_t)known);
		smack_mistake(work, term->place, "%s can be one of %s, not %s",
		    type == NULL ? "client::" : "client::type::", list,
		    term->text);
	}
	if (type != NULL)
		term->type = g_steal_pointer(&type->text);
	smack_word_clear(client);
	return term;
}

static void
add_statement(SmackWork *work, const SmackClient *client, SmackWord *name,
    GPtrArray *arguments, SmackPlace place)
{
	SmackStatement *statement = g_new0(SmackStatement, 1);

	statement->client = client;
	statement->name = g_steal_pointer(&name->text);
	statement->arguments = arguments;
	statement->place = place;
	g_ptr_array_add(work->smack->statements, statement);
}

void
smack_main_assign(SmackWork *work, SmackWord *variable, SmackExpression *value)
{
	GPtrArray *arguments =
	    g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);

	g_ptr_array_add(arguments, value);
	add_statement(work, NULL, variable, arguments, variable->place);
}

static const char *
nearest_method(const char *name)
{
	const char *names[G_N_ELEMENTS(methods) + 1] = { NULL };

	for (size_t i = 0; i < G_N_ELEMENTS(methods); i++)
		names[i] = methods[i].name;
	return text_nearest(name, names);
}

static void
check_call(SmackWork *work, const SmackWord *method, guint arguments)
{
	for (size_t i = 0; i < G_N_ELEMENTS(methods); i++) {
		if (strcmp(methods[i].name, method->text) != 0)
			continue;
		if (arguments < methods[i].least || arguments > methods[i].most)
			smack_mistake(work, method->place,
			    "%s takes %u argument%s, and has %u", method->text,
			    methods[i].least, methods[i].least == 1 ? "" : "s",
			    arguments);
		return;
	}
	const char *near = nearest_method(method->text);
	smack_mistake(work, method->place,
	    "a client has no method \"%s\"%s%s%s", method->text,
	    near == NULL ? "" : ", did you mean \"", near == NULL ? "" : near,
	    near == NULL ? "" : "\"?");
}

void
smack_main_call(
    SmackWork *work, SmackWord *client, SmackWord *method, GPtrArray *arguments)
{
	const SmackClient *of = smack_client(work->smack, client->text);

	if (of == NULL)
		smack_mistake(work, client->place,
		    "there is no client \"%s\" in this file", client->text);
	check_call(work, method, arguments->len);
	/* A NULL client would be an assignment; the script is lost anyway. */
	if (of != NULL)
		add_statement(work, of, method, arguments, client->place);
	else
		g_ptr_array_unref(arguments);
	smack_word_clear(client);
	smack_word_clear(method);
}

static void
check_expression(
    SmackWork *work, const SmackExpression *expression, GHashTable *variables)
{
	for (guint i = 0; i < expression->len; i++) {
		const SmackTerm *term = g_ptr_array_index(expression, i);
		if (term->kind == SMACK_VARIABLE &&
		    !g_hash_table_contains(variables, term->text))
			smack_mistake(work, term->place,
			    "$%s is used before it is set", term->text);
	}
}

/* What a client of the original would never do, or die of. */
static void
check_order(SmackWork *work, const SmackStatement *statement, GHashTable *begun)
{
	const SmackClient *client = statement->client;

	const bool known = g_hash_table_contains(begun, client);

	if (strcmp(statement->name, "init") == 0 && !known)
		g_hash_table_add(begun, (gpointer)(uintptr_t)client);
	else if (strcmp(statement->name, "init") == 0)
		smack_mistake(work, statement->place,
		    "%s.init() comes for the second time", client->name);
	else if (!known)
		smack_mistake(work, statement->place,
		    "%s.%s comes before %s.init()", client->name,
		    statement->name, client->name);
	if (strcmp(statement->name, "unload_query_barrel") == 0 &&
	    client->barrel->len == 0)
		smack_mistake(work, statement->place,
		    "client \"%s\" has no query_barrel to unload",
		    client->name);
}

void
smack_main_check(SmackWork *work)
{
	g_autoptr(GHashTable) variables =
	    g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) begun = g_hash_table_new(NULL, NULL);
	const GPtrArray *statements = work->smack->statements;

	for (guint i = 0; i < statements->len; i++) {
		const SmackStatement *statement =
		    g_ptr_array_index(statements, i);
		for (guint k = 0; k < statement->arguments->len; k++)
			check_expression(work,
			    g_ptr_array_index(statement->arguments, k),
			    variables);
		if (statement->client == NULL)
			g_hash_table_add(variables, statement->name);
		else
			check_order(work, statement, begun);
	}
}
