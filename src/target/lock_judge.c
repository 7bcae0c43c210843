#include "target/lock_judge.h"

#include <string.h>

#include "base/text.h"
#include "target/verb_text.h"

/* Of one word of whoever holds the lock, in a message. */
enum { WORD_BYTES = 300 };

/* Key to value of lines "key<TAB>value"; others are left out. */
static GHashTable *
parse(const char *text)
{
	GHashTable *table =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line != NULL; line++) {
		const char *tab = strchr(*line, '\t');
		char *value = tab == NULL
		    ? NULL
		    : verb_unescape(tab + 1, strlen(tab + 1));
		if (value != NULL)
			(void)g_hash_table_insert(table,
			    g_strndup(*line, (gsize)(tab - *line)), value);
	}
	return table;
}

/* A word of the file, fit to print; free it. */
static char *
word(GHashTable *lock, const char *key)
{
	const char *value = g_hash_table_lookup(lock, key);

	return text_printable(value == NULL ? "?" : value, WORD_BYTES);
}

static char *
tell(GHashTable *lock)
{
	g_autofree char *pid = word(lock, "pid");
	g_autofree char *user = word(lock, "user");
	g_autofree char *controller = word(lock, "controller");
	g_autofree char *since = word(lock, "since");
	g_autofree char *run = word(lock, "run");

	return g_strdup_printf(
	    "process %s of %s on %s since %s UTC, run directory %s", pid, user,
	    controller, since, run);
}

static LockState
judge(const VerbAnswer *answer, GHashTable *lock, const char *token,
    const char **stale)
{
	const char *boot = verb_answer_get(answer, "boot_id");
	const char *now = verb_answer_get(answer, "now");
	const char *its_boot = g_hash_table_lookup(lock, "boot_id");
	const char *until = g_hash_table_lookup(lock, "until");
	int64_t at = 0, end = 0;

	if (g_strcmp0(g_hash_table_lookup(lock, "released"), "yes") == 0)
		return LOCK_FREE;
	if (g_strcmp0(g_hash_table_lookup(lock, "token"), token) == 0)
		return LOCK_OURS;
	/* It is written whole, by another name, and the disk may be full. */
	*stale = "its file was lost";
	if (its_boot == NULL || until == NULL ||
	    !text_parse_int(until, 0, INT64_MAX, &end, NULL))
		return LOCK_STALE;
	*stale = "the host was booted since";
	if (boot != NULL && strcmp(boot, its_boot) != 0)
		return LOCK_STALE;
	*stale = "its lease has run out";
	return now != NULL && text_parse_int(now, 0, INT64_MAX, &at, NULL) &&
		at > end
	    ? LOCK_STALE
	    : LOCK_HELD;
}

LockState
lock_judge(const VerbAnswer *answer, const char *token, char **words)
{
	const char *text = verb_answer_get(answer, "lock");
	g_autoptr(GHashTable) lock = parse(text == NULL ? "" : text);
	const char *stale = NULL;
	const LockState state =
	    text == NULL ? LOCK_FREE : judge(answer, lock, token, &stale);
	g_autofree char *who = tell(lock);

	if (words != NULL)
		*words = state == LOCK_HELD ? g_steal_pointer(&who)
		    : state == LOCK_STALE
		    ? g_strdup_printf("%s; it was that of %s", stale, who)
		    : NULL;
	return state;
}

char *
lock_token(const VerbAnswer *answer)
{
	const char *text = verb_answer_get(answer, "lock");
	g_autoptr(GHashTable) lock = parse(text == NULL ? "" : text);

	return g_strdup(g_hash_table_lookup(lock, "token"));
}
