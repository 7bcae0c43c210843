#include "target/ssh_mark.h"

#include <string.h>

#include <libssh/libssh.h>

#include "base/quote.h"
#include "base/text.h"

enum {
	HELD_BYTES = 1 << 16, /* more noise than this before it: no mark */
	LINE_BYTES = 64,      /* " PID\n" is far shorter */
};

void
ssh_mark_init(SshMark *mark)
{
	uint64_t number = 0;

	(void)ssh_get_random(&number, sizeof(number), 0);
	*mark = (SshMark){
		.word =
		    g_strdup_printf("abrun-%016" G_GINT64_MODIFIER "x", number),
		.held = g_string_new(NULL),
	};
}

void
ssh_mark_clear(SshMark *mark)
{
	g_clear_pointer(&mark->word, g_free);
	if (mark->held != NULL)
		(void)g_string_free(g_steal_pointer(&mark->held), TRUE);
}

char *
ssh_mark_wrap(const SshMark *mark, const char *command, GError **error)
{
	g_autofree char *script =
	    g_strdup_printf("echo %s $$ >&2; %s", mark->word, command);
	g_autofree char *word = quote_word(script, error);

	return word == NULL ? NULL
			    : g_strconcat("exec /bin/sh -c ", word, NULL);
}

/* Cuts the mark's line out of what is held, if it is whole. */
static void
cut(SshMark *mark)
{
	const size_t length = strlen(mark->word);
	char *start =
	    memmem(mark->held->str, mark->held->len, mark->word, length);

	if (start == NULL)
		return;
	const char *number = start + length;
	const char *end = strchr(number, '\n');
	if (end == NULL)
		return;
	g_autofree char *text = g_strndup(number, (gsize)(end - number));
	if (strlen(text) < LINE_BYTES)
		(void)text_parse_int(
		    g_strstrip(text), 2, INT32_MAX, &mark->pid, NULL);
	g_string_erase(mark->held, start - mark->held->str, end + 1 - start);
	mark->over = true;
}

size_t
ssh_mark_filter(
    SshMark *mark, const char *data, size_t length, const char **output)
{
	if (mark->over) {
		*output = data;
		return length;
	}
	g_string_append_len(mark->held, data, (gssize)length);
	cut(mark);
	mark->over = mark->over || mark->held->len >= HELD_BYTES;
	*output = mark->held->str;
	return mark->over ? mark->held->len : 0;
}

size_t
ssh_mark_rest(SshMark *mark, const char **output)
{
	const size_t length = mark->over ? 0 : mark->held->len;

	*output = mark->held->str;
	mark->over = true;
	return length;
}
