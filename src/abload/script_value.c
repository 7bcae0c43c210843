#include "abload/script_work.h"

#include <math.h>
#include <string.h>

#include "abload/figures.h"

/* What main may read of a crew, as the original writes its numbers. */
static char *
result_text(const Crew *crew, const SmackTerm *term)
{
	double value = 0;

	if (term->kind == SMACK_PARAMETER) {
		const Connects connects = figures_connects(crew);
		value = strcmp(term->text, "max_connect_time") == 0
		    ? (double)connects.most_us
		    : strcmp(term->text, "min_connect_time") == 0
		    ? (double)connects.least_us
		    : connects.mean_us;
		value = floor(value / 1e3);
	}
	for (guint i = 0; term->kind == SMACK_FIGURE && i < crew->types->len;
	     i++) {
		if (strcmp(g_ptr_array_index(crew->types, i), term->type) != 0)
			continue;
		const Figures figures = figures_of(crew, i);
		const double seconds = figures_smack_seconds(crew);
		if (strcmp(term->text, "num_queries") == 0)
			value = (double)figures.queries;
		else if (strcmp(term->text, "max_time") == 0)
			value = floor(figures.max_ns / 1e6);
		else if (strcmp(term->text, "min_time") == 0)
			value = floor(figures.min_ns / 1e6);
		else if (seconds > 0)
			value = (double)figures.queries / seconds;
	}
	char number[G_ASCII_DTOSTR_BUF_SIZE];
	return g_strdup(g_ascii_formatd(number, sizeof number, "%f", value));
}

char *
script_evaluate(const Kind *kind, const SmackExpression *expression)
{
	/* A script that doubles a variable soon has more than the memory. */
	enum { MOST = 1 << 24 };
	const Options *options = kind->bench->options;
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < expression->len; i++) {
		const SmackTerm *term = g_ptr_array_index(expression, i);
		g_autofree char *result = NULL;
		switch (term->kind) {
		case SMACK_TEXT:
			g_string_append(text, term->text);
			break;
		case SMACK_ARGUMENT:
			g_string_append(text,
			    term->argument == 0
				? options->file
				: options->arguments[term->argument - 1]);
			break;
		case SMACK_VARIABLE:
			g_string_append(text,
			    g_hash_table_lookup(kind->variables, term->text));
			break;
		case SMACK_PARAMETER:
		case SMACK_FIGURE:
			/* Of another kind nothing is known here. */
			if (kind->crew != NULL &&
			    kind->crew->of == term->client)
				result = result_text(kind->crew, term);
			g_string_append(text, result == NULL ? "" : result);
			break;
		}
		if (text->len > MOST) {
			bench_stop(kind->bench, BENCH_USAGE,
			    "%s:%d:%d: a text of more than %d bytes",
			    options->file, term->place.line, term->place.column,
			    MOST);
			g_string_truncate(text, 0);
		}
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}
