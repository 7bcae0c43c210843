#include "target/verbs.h"

#include <stdarg.h>
#include <string.h>

#include "base/failure.h"
#include "base/quote.h"
#include "base/text.h"
#include "target/verb_part.h"
#include "target/verb_text.h"

enum {
	/* Of a reason that goes into a message. */
	REASON_BYTES = 1000,
	/* Of one answer: more than any server has libraries or arguments. */
	PAIRS_MAX = 10000,
};

struct VerbCall {
	GPtrArray *verbs; /* GPtrArray of char *: the verb and its arguments */
};

VerbCall *
verb_call_new(void)
{
	VerbCall *call = g_new0(VerbCall, 1);

	call->verbs =
	    g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	return call;
}

void
verb_call_free(VerbCall *call)
{
	if (call == NULL)
		return;
	g_ptr_array_unref(call->verbs);
	g_free(call);
}

static GPtrArray *
add_verb(VerbCall *call, const char *verb)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(words, g_strdup(verb));
	g_ptr_array_add(call->verbs, words);
	return words;
}

void
verb_call_add(VerbCall *call, const char *verb, ...)
{
	GPtrArray *words = add_verb(call, verb);
	va_list arguments;
	const char *argument;

	va_start(arguments, verb);
	while ((argument = va_arg(arguments, const char *)) != NULL)
		g_ptr_array_add(words, g_strdup(argument));
	va_end(arguments);
}

void
verb_call_addv(VerbCall *call, const char *verb, const char *const *arguments)
{
	GPtrArray *words = add_verb(call, verb);

	for (size_t i = 0; arguments[i] != NULL; i++)
		g_ptr_array_add(words, g_strdup(arguments[i]));
}

size_t
verb_call_length(const VerbCall *call)
{
	return call->verbs->len;
}

const char *
verb_call_verb(const VerbCall *call, size_t i)
{
	return g_ptr_array_index(
	    (GPtrArray *)g_ptr_array_index(call->verbs, i), 0);
}

char *
verb_call_script(const VerbCall *call, const char *program, const char *nonce)
{
	GString *script = g_string_new("abrun_fed=yes\n");

	verb_part_append(script, program, call);
	g_string_append(script, "\n{\n");
	for (size_t i = 0; i < call->verbs->len; i++) {
		const GPtrArray *words = g_ptr_array_index(call->verbs, i);

		g_string_append_printf(script, "abrun_call %s", nonce);
		for (size_t j = 0; j < words->len; j++) {
			g_autofree char *word =
			    quote_sh(g_ptr_array_index(words, j));
			g_string_append_printf(script, " %s", word);
		}
		g_string_append_c(script, '\n');
	}
	g_string_append(script, "exit 0\n}\n");
	return g_string_free(script, FALSE);
}

static VerbAnswer *
answer_new(const char *verb)
{
	VerbAnswer *answer = g_new0(VerbAnswer, 1);

	answer->verb = g_strdup(verb);
	answer->status = VERB_UNKNOWN;
	answer->keys = g_ptr_array_new_with_free_func(g_free);
	answer->values = g_ptr_array_new_with_free_func(g_free);
	return answer;
}

void
verb_answer_free(VerbAnswer *answer)
{
	if (answer == NULL)
		return;
	g_ptr_array_unref(answer->keys);
	g_ptr_array_unref(answer->values);
	g_free(answer->verb);
	g_free(answer);
}

/* Whatever was read of it, it tells nothing but why. */
static void
make_unknown(VerbAnswer *answer, const char *reason)
{
	answer->status = VERB_UNKNOWN;
	answer->whole = false;
	g_ptr_array_set_size(answer->keys, 0);
	g_ptr_array_set_size(answer->values, 0);
	g_ptr_array_add(answer->keys, g_strdup("error"));
	g_ptr_array_add(answer->values, g_strdup(reason));
}

/* A stretch of text. */
typedef struct {
	const char *start;
	size_t length;
} Span;

/*
 * The line at *at, without its end; *at moves behind it.  False at the end of
 * the text.
 */
static bool
next_line(const char **at, Span *line)
{
	const char *start = *at;

	if (*start == '\0')
		return false;
	const char *end = strchr(start, '\n');
	*at = end == NULL ? start + strlen(start) : end + 1;
	size_t length = end == NULL ? strlen(start) : (size_t)(end - start);
	if (length > 0 && start[length - 1] == '\r')
		length--;
	*line = (Span){ .start = start, .length = length };
	return true;
}

static bool
span_is(Span span, const char *text)
{
	return span.length == strlen(text) &&
	    memcmp(span.start, text, span.length) == 0;
}

static bool
span_begins(Span span, const char *text)
{
	return span.length >= strlen(text) &&
	    memcmp(span.start, text, strlen(text)) == 0;
}

/* Adds "key<TAB>value"; false if the line is anything else. */
static bool
add_pair(VerbAnswer *answer, Span line)
{
	size_t key = 0;

	while (key < line.length &&
	    (g_ascii_islower(line.start[key]) ||
		g_ascii_isdigit(line.start[key]) || line.start[key] == '_'))
		key++;
	if (key == 0 || key == line.length || line.start[key] != '\t')
		return false;
	char *value =
	    verb_unescape(line.start + key + 1, line.length - key - 1);
	if (value == NULL)
		return false;
	g_ptr_array_add(answer->keys, g_strndup(line.start, key));
	g_ptr_array_add(answer->values, value);
	return true;
}

/*
 * What a text is read with: the words before the verb of a frame's first and
 * last line.
 */
typedef struct {
	char *begin;
	char *end;
} Marks;

/*
 * Reads the frame whose first line is at *at into answer.  *at moves behind
 * the frame, or to the line that tore it.  False if it is torn; *why says how.
 * A frame of another verb moves *at to the end: which verb it or any later
 * frame answers is not known.
 */
static bool
read_frame(
    const Marks *marks, VerbAnswer *answer, const char **at, const char **why)
{
	g_autofree char *first =
	    g_strdup_printf("%s%s protocol=1", marks->begin, answer->verb);
	g_autofree char *last =
	    g_strdup_printf("%s%s ", marks->end, answer->verb);
	Span line = { .start = "" };

	(void)next_line(at, &line);
	if (!span_is(line, first)) {
		*why = "the answer is of another verb or protocol";
		*at += strlen(*at);
		return false;
	}
	*why = "the answer is torn";
	for (const char *here = *at; next_line(&here, &line); *at = here) {
		if (!span_begins(line, marks->end)) {
			if (answer->keys->len == PAIRS_MAX)
				*why = "the answer does not come to an end";
			if (answer->keys->len == PAIRS_MAX ||
			    !add_pair(answer, line))
				return false;
			continue;
		}
		const char status = line.start[line.length - 1];
		if (!span_begins(line, last) ||
		    line.length != strlen(last) + 1 || status < '0' ||
		    status > '3')
			return false;
		*at = here;
		answer->status = (VerbStatus)(status - '0');
		answer->whole = true;
		return true;
	}
	return false;
}

static void
append_noise(GString *noise, const char *from, const char *to)
{
	if (noise != NULL)
		g_string_append_len(noise, from, to - from);
}

GPtrArray *
verb_answers_parse(
    const VerbCall *call, const char *nonce, const char *text, GString *noise)
{
	g_autofree char *begin = g_strdup_printf("BEGIN %s ", nonce);
	g_autofree char *end = g_strdup_printf("END %s ", nonce);
	const Marks marks = { .begin = begin, .end = end };
	GPtrArray *answers =
	    g_ptr_array_new_with_free_func((GDestroyNotify)verb_answer_free);
	const char *why = NULL;
	const char *quiet = text; /* up to here all is frames or kept noise */
	const char *at = text;

	/* The frames come in the order of the verbs, or no answer is sure. */
	for (size_t i = 0; i < call->verbs->len; i++) {
		VerbAnswer *answer = answer_new(verb_call_verb(call, i));
		const char *frame = strstr(at, marks.begin);

		g_ptr_array_add(answers, answer);
		if (frame == NULL) {
			make_unknown(answer, "no answer");
			continue;
		}
		at = frame;
		if (!read_frame(&marks, answer, &at, &why)) {
			make_unknown(answer, why);
			continue;
		}
		append_noise(noise, quiet, frame);
		quiet = at;
	}
	append_noise(noise, quiet, quiet + strlen(quiet));
	return answers;
}

const char *
verb_answer_get(const VerbAnswer *answer, const char *key)
{
	for (size_t i = 0; i < answer->keys->len; i++)
		if (strcmp(g_ptr_array_index(answer->keys, i), key) == 0)
			return g_ptr_array_index(answer->values, i);
	return NULL;
}

GPtrArray *
verb_answer_all(const VerbAnswer *answer, const char *key)
{
	GPtrArray *values = g_ptr_array_new();

	for (size_t i = 0; i < answer->keys->len; i++)
		if (strcmp(g_ptr_array_index(answer->keys, i), key) == 0)
			g_ptr_array_add(
			    values, g_ptr_array_index(answer->values, i));
	return values;
}

bool
verb_answer_check(const VerbAnswer *answer, GError **error)
{
	const char *said = verb_answer_get(answer, "error");
	g_autofree char *reason = text_printable(
	    said == NULL ? "no reason given" : said, REASON_BYTES);

	switch (answer->status) {
	case VERB_DONE:
		return true;
	case VERB_FAILED:
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED, "%s: %s",
		    answer->verb, reason);
		return false;
	case VERB_ABSENT:
		failure_set(error, FAILURE_NOT_SUPPORTED, ABRUN_ERROR_FAILED,
		    "%s: this system has no such thing%s%s", answer->verb,
		    said == NULL ? "" : ": ", said == NULL ? "" : reason);
		return false;
	case VERB_UNKNOWN:
		failure_set(error, FAILURE_PROOF_UNKNOWN, ABRUN_ERROR_VERIFY,
		    "%s: cannot tell: %s", answer->verb, reason);
		return false;
	}
	g_assert_not_reached();
}
