/*
 * Commands as a reader would type them.  What a definition needs of sh to put
 * a command line together is worked out: "$@" and set, eval of quoted words,
 * and the question whether there is a socket.  What is of another shape stays
 * as it is.
 */
#include "load/load.h"

#include <string.h>

/*
 * Where needle begins outside of quotes, or NULL.  A needle may begin with a
 * quote of its own.
 */
static const char *
find_outside_quotes(const char *text, const char *needle)
{
	const size_t length = strlen(needle);
	char quote = '\0';

	for (const char *c = text; *c != '\0'; c++) {
		if (quote == '\0' && strncmp(c, needle, length) == 0)
			return c;
		if (*c == '\\' && quote != '\'' && c[1] != '\0')
			c++;
		else if (*c == quote)
			quote = '\0';
		else if (quote == '\0' && (*c == '\'' || *c == '"'))
			quote = *c;
	}
	return NULL;
}

/*
 * Takes what stands from *text to the end, which is taken, too, and not kept.
 * NULL, *text untouched, when it does not begin like that.
 */
static char *
take(const char **text, const char *begin, const char *end)
{
	if (!g_str_has_prefix(*text, begin))
		return NULL;
	const char *from = *text + strlen(begin);
	const char *to = find_outside_quotes(from, end);
	if (to == NULL)
		return NULL;
	*text = to + strlen(end);
	while (**text == ' ')
		(*text)++;
	return g_strndup(from, (gsize)(to - from));
}

/* The words with "$@" in them replaced by those of before; free it. */
static char *
with_words(const char *words, const char *before)
{
	static const char all[] = "\"$@\"";
	g_autoptr(GString) done = g_string_new(NULL);
	const char *at = strstr(words, all);

	if (at == NULL)
		return g_strdup(words);
	g_string_append_len(done, words, at - words);
	g_string_append(done, before);
	at += strlen(all);
	if (*before == '\0' && *at == ' ')
		at++;
	g_string_append(done, at);
	return g_string_free(g_steal_pointer(&done), FALSE);
}

/* What sh makes of a literal in single quotes; NULL for anything else. */
static char *
unquote(const char *literal)
{
	return literal == NULL || *literal != '\''
	    ? NULL
	    : g_shell_unquote(literal, NULL);
}

/* eval set -- 'LITERAL'; */
static bool
take_eval(const char **text, char **words)
{
	g_autofree char *literal = take(text, "eval set -- ", ";");
	char *plain = unquote(literal);

	if (plain == NULL)
		return false;
	g_free(*words);
	*words = plain;
	return true;
}

/* set -- WORDS; */
static bool
take_set(const char **text, char **words)
{
	g_autofree char *given = take(text, "set -- ", ";");

	if (given == NULL)
		return false;
	char *whole = with_words(given, *words);
	g_free(*words);
	*words = whole;
	return true;
}

/* if [ -n 'LITERAL' ]; then set -- WORDS; else set -- WORDS; fi; */
static bool
take_if(const char **text, char **words)
{
	const char *rest = *text;
	g_autofree char *literal = take(&rest, "if [ -n ", " ]; then ");
	g_autofree char *plain = unquote(literal);
	g_autofree char *there =
	    plain == NULL ? NULL : take(&rest, "", " else ");
	g_autofree char *missing =
	    there == NULL ? NULL : take(&rest, "", " fi;");

	if (missing == NULL)
		return false;
	const char *chosen = *plain != '\0' ? there : missing;
	if (!take_set(&chosen, words))
		return false;
	*text = rest;
	return true;
}

char *
load_shown_command(const char *command)
{
	const char *rest = command;
	g_autofree char *words = g_strdup("");
	g_autoptr(GRegex) quotes = g_regex_new(
	    "(?<![^ =])'([A-Za-z0-9_./:,{}=@%+-]+)'(?=[ ;]|$)", 0, 0, NULL);

	while (take_eval(&rest, &words) || take_if(&rest, &words) ||
	    take_set(&rest, &words))
		;
	const bool whole = find_outside_quotes(rest, ";") == NULL &&
	    find_outside_quotes(rest, "\n") == NULL;
	if (!whole)
		rest = command;
	else if (g_str_has_prefix(rest, "exec "))
		rest += strlen("exec ");
	g_autofree char *line =
	    whole ? with_words(rest, words) : g_strdup(rest);
	return g_regex_replace(quotes, line, -1, 0, "\\1", 0, NULL);
}
