/*
 * Fuzz target: any text as the answer of a host.  The first byte chooses what
 * was asked.  However the text lies, each verb gets one answer, and one that
 * is not whole tells nothing; a value that say() wrote comes back as it was.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "target/verbs.h"

/* Short, so that a mutated text hits it. */
#define NONCE "n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static VerbCall *
make_call(unsigned choice)
{
	static const char *const verbs[] = { "hello", "hash", "get", "get" };
	VerbCall *call = verb_call_new();

	for (size_t i = 0; i < 1 + choice % G_N_ELEMENTS(verbs); i++)
		verb_call_add(call, verbs[i], "an 'argument'\n", NULL);
	return call;
}

static void
look_at(const VerbAnswer *answer, const char *verb)
{
	GError *error = NULL;
	const bool done = verb_answer_check(answer, &error);

	must(strcmp(answer->verb, verb) == 0);
	must(answer->keys->len == answer->values->len);
	must(answer->status <= VERB_UNKNOWN);
	must(done == (answer->status == VERB_DONE) && done == (error == NULL));
	must(done || *error->message != '\0');
	g_clear_error(&error);
	if (!answer->whole) {
		must(answer->status == VERB_UNKNOWN && answer->keys->len == 1);
		must(verb_answer_get(answer, "error") != NULL);
	}
	for (guint i = 0; i < answer->keys->len; i++) {
		const char *key = answer->keys->pdata[i];
		g_autoptr(GPtrArray) all = verb_answer_all(answer, key);

		must(*key != '\0' && all->len > 0);
		must(all->pdata[0] == verb_answer_get(answer, key));
	}
}

static void
read_text(const VerbCall *call, const char *text)
{
	g_autoptr(GString) noise = g_string_new(NULL);
	g_autoptr(GPtrArray) answers =
	    verb_answers_parse(call, NONCE, text, noise);
	g_autoptr(GPtrArray) quiet =
	    verb_answers_parse(call, NONCE, text, NULL);

	must(answers->len == verb_call_length(call));
	must(quiet->len == answers->len);
	must(noise->len <= strlen(text));
	for (guint i = 0; i < answers->len; i++)
		look_at(answers->pdata[i], verb_call_verb(call, i));
}

/* As say of the OS programs writes it. */
static char *
escape(const char *value)
{
	GString *escaped = g_string_new(NULL);

	for (const char *c = value; *c != '\0'; c++)
		switch (*c) {
		case '\\':
			g_string_append(escaped, "\\\\");
			break;
		case '\t':
			g_string_append(escaped, "\\t");
			break;
		case '\n':
			g_string_append(escaped, "\\n");
			break;
		case '\r':
			g_string_append(escaped, "\\r");
			break;
		default:
			g_string_append_c(escaped, *c);
		}
	return g_string_free(escaped, FALSE);
}

/* A value travels unharmed, whatever stands before and behind its frame. */
static void
send_value(const char *value)
{
	g_autoptr(VerbCall) call = make_call(0);
	g_autofree char *escaped = escape(value);
	g_autofree char *text =
	    g_strconcat("noise\nBEGIN " NONCE " hello protocol=1\nkey\t",
		escaped, "\nEND " NONCE " hello 0\nnoise", NULL);
	g_autoptr(GString) noise = g_string_new(NULL);
	g_autoptr(GPtrArray) answers =
	    verb_answers_parse(call, NONCE, text, noise);
	const VerbAnswer *answer = answers->pdata[0];

	must(answer->whole && answer->status == VERB_DONE);
	must(strcmp(verb_answer_get(answer, "key"), value) == 0);
	must(strcmp(noise->str, "noise\nnoise") == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	g_autoptr(VerbCall) call = make_call(data[0]);
	g_autofree char *text = g_strndup((const char *)data + 1, size - 1);
	g_autofree char *script = verb_call_script(call, "", NONCE);

	must(g_str_has_suffix(script, "exit 0\n}\n"));
	read_text(call, text);
	send_value(text);
	return 0;
}
