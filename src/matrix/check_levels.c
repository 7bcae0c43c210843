#include "matrix/parse.h"

#include <string.h>

/* "preload", "env LD_LIBMAP", "the command ..." */
static char *
subject_text(const Setting *setting)
{
	if (setting->kind == SETTING_COMMAND)
		return g_strdup_printf("the command \"%s\"", setting->apply);
	return g_strdup_printf("%s%s%s", setting_kind_name(setting->kind),
	    *setting->name == '\0' ? "" : " ", setting->name);
}

/* Everything of a level but its name, as one text. */
static char *
level_text(const Level *level)
{
	g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < level->settings->len; i++) {
		const Setting *setting = g_ptr_array_index(level->settings, i);
		g_ptr_array_add(parts,
		    g_strdup_printf("%d\1%s\1%s\1%s\1%s\1%s",
			(int)setting->kind, setting->name, setting->value,
			setting->apply == NULL ? "" : setting->apply,
			setting->undo == NULL ? "" : setting->undo,
			setting->verify == NULL ? "" : setting->verify));
	}
	for (guint i = 0; i < level->expect->len; i++)
		g_ptr_array_add(
		    parts, g_strdup(g_ptr_array_index(level->expect, i)));
	g_ptr_array_add(parts, NULL);
	return g_strjoinv("\2", (char **)parts->pdata);
}

/* Two levels that do the same compare a thing with itself. */
static void
check_same(Reader *reader, const ReaderNode *node, const Factor *factor)
{
	g_autoptr(GHashTable) texts =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; !factor->variable && i < factor->levels->len; i++) {
		Level *level = g_ptr_array_index(factor->levels, i);
		char *text = level_text(level);
		const Level *first = g_hash_table_lookup(texts, text);
		if (first != NULL && !level->same)
			reader_mistake(reader, reader_element(node, i),
			    "level \"%s\" sets the same as \"%s\", write same "
			    "= true in it if that is meant",
			    level->name, first->name);
		g_hash_table_insert(texts, text, level);
	}
}

static void
check_twice(Reader *reader, const ReaderNode *node, const Level *level)
{
	for (guint i = 0; i < level->settings->len; i++) {
		const Setting *setting = g_ptr_array_index(level->settings, i);
		for (guint j = 0; j < i; j++) {
			const Setting *before =
			    g_ptr_array_index(level->settings, j);
			if (!setting_same_subject(setting, before))
				continue;
			g_autofree char *subject = subject_text(setting);
			reader_mistake(reader, node, "sets %s twice", subject);
			break;
		}
	}
}

/* owners: subject as text -> the first Factor that sets it. */
static void
check_owner(Reader *reader, const ReaderNode *node, const Level *level,
    Factor *factor, GHashTable *owners)
{
	for (guint i = 0; i < level->settings->len; i++) {
		const Setting *setting = g_ptr_array_index(level->settings, i);
		g_autofree char *subject = subject_text(setting);
		const Factor *owner = g_hash_table_lookup(owners, subject);
		if (owner == NULL)
			g_hash_table_insert(
			    owners, g_steal_pointer(&subject), factor);
		else if (owner != factor)
			reader_mistake(reader, node,
			    "sets %s, which factor %s sets, too: one factor "
			    "must hold it",
			    subject, owner->name);
	}
}

/* What a threadlib is carried out by: its library is what is proved. */
static void
check_libmap(Reader *reader, const ReaderNode *node, const Level *level)
{
	for (guint i = 0; i < level->settings->len; i++) {
		const Setting *setting = g_ptr_array_index(level->settings, i);
		if (setting->kind == SETTING_ENV &&
		    g_str_has_prefix(setting->name, "LD_LIBMAP"))
			reader_mistake(reader, node,
			    "sets env %s, which a threadlib of this matrix "
			    "sets, too: leave it to that",
			    setting->name);
	}
}

static bool
has_threadlib(const Matrix *matrix)
{
	g_autoptr(GPtrArray) subjects = matrix_subjects(matrix);

	for (guint i = 0; i < subjects->len; i++)
		if (((const Setting *)subjects->pdata[i])->kind ==
		    SETTING_THREADLIB)
			return true;
	return false;
}

void
check_levels(Reader *reader, const Matrix *matrix)
{
	const ReaderNode *factors = reader_get(reader_root(reader), "factors");
	const bool threads = has_threadlib(matrix);
	g_autoptr(GHashTable) owners =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < matrix->factors->len; i++) {
		Factor *factor = g_ptr_array_index(matrix->factors, i);
		const ReaderNode *node = reader_element(factors, i);
		for (guint j = 0; j < factor->levels->len; j++) {
			const Level *level =
			    g_ptr_array_index(factor->levels, j);
			const ReaderNode *at = reader_element(node, j);
			check_twice(reader, at, level);
			check_owner(reader, at, level, factor, owners);
			if (threads)
				check_libmap(reader, at, level);
		}
		check_same(reader, node, factor);
	}
}
