#include "target/server_proof.h"

#include <string.h>

#include "target/startup.h"
#include "target/value.h"

/* What is wanted of one option. */
typedef struct {
	const char *name;
	char *value; /* NULL = no value; see given */
	bool given;  /* by the cell, or else by the command */
} Wanted;

static void
wanted_clear(Wanted *wanted)
{
	g_free(wanted->value);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Wanted, wanted_clear)

/*
 * Whether an argument is the option NAME; *value is what follows "=", or NULL
 * where nothing does.
 */
static bool
is_option(const char *argument, const char *name, const char **value)
{
	const char *equals = NULL;
	g_autofree char *given = NULL;

	if (!g_str_has_prefix(argument, "--"))
		return false;
	equals = strchr(argument, '=');
	given = equals == NULL
	    ? g_strdup(argument + 2)
	    : g_strndup(argument + 2, (gsize)(equals - argument - 2));
	*value = equals == NULL ? NULL : equals + 1;
	return value_same_option(given, name);
}

/* The option as the server's own command gives it, last. */
static void
wanted_by_command(const Server *server, Wanted *wanted)
{
	g_auto(GStrv) words = NULL;
	const char *value = NULL;

	if (server->command == NULL ||
	    !g_shell_parse_argv(server->command, NULL, &words, NULL))
		return;
	for (char **word = words; *word != NULL; word++) {
		if (!is_option(*word, wanted->name, &value))
			continue;
		g_free(wanted->value);
		wanted->value = g_strdup(value);
		wanted->given = true;
	}
}

static void
wanted_find(const ProofContext *context, const char *name, Wanted *wanted)
{
	wanted->name = name;
	for (guint i = 0; i < context->settings->len; i++) {
		const Setting *setting =
		    g_ptr_array_index(context->settings, i);

		if (setting->kind != SETTING_MYSQLD ||
		    !value_same_option(setting->name, name))
			continue;
		g_free(wanted->value);
		wanted->value = g_strdup(setting->value);
		wanted->given = true;
	}
	if (!wanted->given)
		wanted_by_command(context->server, wanted);
}

/* The option of subject i, if it is one and no earlier subject is the same. */
static const char *
option_of(const GPtrArray *subjects, guint i)
{
	const Setting *subject = g_ptr_array_index(subjects, i);

	if (subject->kind != SETTING_MYSQLD)
		return NULL;
	for (guint j = 0; j < i; j++) {
		const Setting *earlier = g_ptr_array_index(subjects, j);

		if (earlier->kind == SETTING_MYSQLD &&
		    value_same_option(earlier->name, subject->name))
			return NULL;
	}
	return subject->name;
}

static void
add(GPtrArray *proofs, const char *what, const char *name, const char *wanted,
    const char *seen, ProofVerdict verdict)
{
	g_ptr_array_add(proofs, proof_new(what, name, wanted, seen, verdict));
}

static const char *
shown_argument(bool given, const char *value)
{
	if (!given)
		return "absent";
	if (value == NULL)
		return "given without a value";
	return *value == '\0' ? "an empty value" : value;
}

static void
judge_argument(const Wanted *wanted, const VerbAnswer *answer,
    const GPtrArray *arguments, GPtrArray *proofs)
{
	bool seen_given = false;
	const char *seen_value = NULL;
	const char *wanted_text = shown_argument(wanted->given, wanted->value);

	if (answer->status != VERB_DONE || arguments->len == 0) {
		add(proofs, "argument", wanted->name, wanted_text,
		    server_proof_trouble(answer), PROOF_UNKNOWN);
		return;
	}
	for (guint i = 0; i < arguments->len; i++) {
		const char *value = NULL;

		if (!is_option(
			g_ptr_array_index(arguments, i), wanted->name, &value))
			continue;
		seen_given = true;
		seen_value = value;
	}
	add(proofs, "argument", wanted->name, wanted_text,
	    shown_argument(seen_given, seen_value),
	    server_proof_yes_if(wanted->given == seen_given &&
		g_strcmp0(wanted->value, seen_value) == 0));
}

void
option_proof_arguments(
    const ProofContext *context, const VerbAnswer *answer, GPtrArray *proofs)
{
	g_autoptr(GPtrArray) arguments = verb_answer_all(answer, "arg");

	for (guint i = 0; i < context->subjects->len; i++) {
		const char *name = option_of(context->subjects, i);
		g_auto(Wanted) wanted = { 0 };

		if (name == NULL)
			continue;
		wanted_find(context, name, &wanted);
		judge_argument(&wanted, answer, arguments, proofs);
	}
}

/* The variable that shows an option; NULL when the name cannot be one. */
static char *
variable_of(const char *option)
{
	g_autofree char *name = g_ascii_strdown(option, -1);

	for (char *letter = name; *letter != '\0'; letter++) {
		if (*letter == '-')
			*letter = '_';
		if (!g_ascii_isalnum(*letter) && *letter != '_')
			return NULL;
	}
	if (g_str_has_prefix(name, "loose_"))
		return g_strdup(name + strlen("loose_"));
	return g_steal_pointer(&name);
}

char *
option_proof_statement(const ProofContext *context)
{
	g_autoptr(GString) sql = g_string_new(
	    "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version'");

	for (guint i = 0; i < context->subjects->len; i++) {
		const char *name = option_of(context->subjects, i);
		g_autofree char *variable =
		    name == NULL ? NULL : variable_of(name);

		if (variable != NULL)
			g_string_append_printf(sql, ", '%s'", variable);
	}
	g_string_append_c(sql, ')');
	return g_string_free(g_steal_pointer(&sql), FALSE);
}

static void
judge_value(const Wanted *wanted, GHashTable *values, const char *trouble,
    GPtrArray *proofs)
{
	g_autofree char *variable = variable_of(wanted->name);
	bool judged = wanted->given && wanted->value != NULL;
	const char *wanted_text = judged ? wanted->value
	    : wanted->given              ? "as the server's command gives it"
					 : "the server's default";
	const char *seen = values == NULL || variable == NULL
	    ? NULL
	    : g_hash_table_lookup(values, variable);

	if (values == NULL)
		add(proofs, "option", wanted->name, wanted_text, trouble,
		    PROOF_UNKNOWN);
	else if (!judged)
		/* What it stands at is kept, but there is nothing to compare
		 * with: its absence is proved by the arguments. */
		add(proofs, "option", wanted->name, wanted_text,
		    seen == NULL ? "no variable shows it" : seen,
		    PROOF_NOT_APPLICABLE);
	else if (seen == NULL)
		add(proofs, "option", wanted->name, wanted_text,
		    "no variable of the server shows it", PROOF_UNKNOWN);
	else
		add(proofs, "option", wanted->name, wanted_text, seen,
		    server_proof_yes_if(
			value_same_setting(wanted->value, seen)));
}

static void
judge_version(const ProofContext *context, GHashTable *values,
    const char *trouble, GPtrArray *proofs)
{
	const char *wanted = context->life->version;
	const char *seen =
	    values == NULL ? NULL : g_hash_table_lookup(values, "version");

	if (seen == NULL)
		add(proofs, "version", "", wanted,
		    values == NULL ? trouble : "the server does not tell",
		    PROOF_UNKNOWN);
	else
		add(proofs, "version", "", wanted, seen,
		    server_proof_yes_if(strcmp(wanted, seen) == 0));
}

void
option_proof_values(const ProofContext *context, GHashTable *values,
    const char *trouble, GPtrArray *proofs)
{
	judge_version(context, values, trouble, proofs);
	for (guint i = 0; i < context->subjects->len; i++) {
		const char *name = option_of(context->subjects, i);
		g_auto(Wanted) wanted = { 0 };

		if (name == NULL)
			continue;
		wanted_find(context, name, &wanted);
		judge_value(&wanted, values, trouble, proofs);
	}
}
