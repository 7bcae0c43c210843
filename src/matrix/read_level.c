#include "matrix/parse.h"

#include <string.h>

#include "base/text.h"
#include "matrix/words.h"

/* Kinds whose text is NAME=VALUE. */
static bool
is_pair(SettingKind kind)
{
	return kind == SETTING_LOADER || kind == SETTING_SYSCTL ||
	    kind == SETTING_SYSFS || kind == SETTING_ENV ||
	    kind == SETTING_MYSQLD || kind == SETTING_FILE;
}

static Setting *
add(Reader *reader, const ReaderNode *node, Level *level, SettingKind kind,
    const char *name, const char *value)
{
	Setting *setting = g_new0(Setting, 1);

	setting->kind = kind;
	setting->name = g_strdup(name);
	setting->value = g_strdup(value);
	setting->line = reader_line(reader, node);
	g_ptr_array_add(level->settings, setting);
	return setting;
}

/* "0-3,8" */
static bool
is_cpu_list(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, ",", -1);

	for (size_t i = 0; parts[i] != NULL; i++) {
		g_auto(GStrv) ends = g_strsplit(parts[i], "-", 2);
		int64_t first = 0, last = 0;
		if (ends[0] == NULL ||
		    !text_parse_int(ends[0], 0, 65535, &first, NULL))
			return false;
		if (ends[1] != NULL &&
		    (!text_parse_int(ends[1], 0, 65535, &last, NULL) ||
			last < first))
			return false;
	}
	return parts[0] != NULL;
}

static bool
is_one_of(const char *text, const char *const *words)
{
	return g_strv_contains(words, text);
}

/* What a value of the kind must be, or NULL if this one is. */
static const char *
value_mistake(SettingKind kind, const char *value)
{
	static const char *const switches[] = { "on", "off", NULL };
	static const char *const pages[] = { "always", "madvise", "never",
		NULL };

	switch (kind) {
	case SETTING_PRELOAD:
		if (strpbrk(value, " :") != NULL ||
		    (*value != '/' && strchr(value, '/') != NULL))
			return "a path from / or a bare name such as "
			       "\"jemalloc\", one library";
		return NULL;
	case SETTING_CPUSET:
		return is_cpu_list(value) ? NULL
					  : "a list of CPUs such as \"0-3,8\"";
	case SETTING_SMT:
	case SETTING_TURBO:
		return is_one_of(value, switches) ? NULL : "\"on\" or \"off\"";
	case SETTING_THP:
		return is_one_of(value, pages)
		    ? NULL
		    : "\"always\", \"madvise\" or \"never\"";
	case SETTING_THREADLIB:
		return text_is_safe_name(setting_threadlib_name(value))
		    ? NULL
		    : "one word, or \"libmap:\" and one";
	case SETTING_GOVERNOR:
		return text_is_safe_name(value) ? NULL : "one word";
	case SETTING_KERNEL:
	case SETTING_CMDLINE:
		return strchr(value, '\n') == NULL ? NULL : "one line";
	case SETTING_DURING:
	case SETTING_LOADER:
	case SETTING_SYSCTL:
	case SETTING_SYSFS:
	case SETTING_ENV:
	case SETTING_MYSQLD:
	case SETTING_FILE:
	case SETTING_COMMAND:
	case SETTING_KINDS:
		break;
	}
	return NULL;
}

/* mysqld takes - and _ alike, and SHOW VARIABLES shows _. */
static char *
mysqld_option(const char *name)
{
	char *option = g_strdup(g_str_has_prefix(name, "--") ? name + 2 : name);

	return g_strdelimit(option, "-", '_');
}

/* Options that abrun gives mysqld itself, from the keys of server. */
static const char *const own_options[] = { "datadir", "socket", "port", "user",
	"pid_file", NULL };

static bool
is_dotted(const char *name)
{
	return *name != '\0' &&
	    strspn(name,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789._-/%") == strlen(name);
}

/* Why NAME of NAME=VALUE cannot be, or NULL. */
static const char *
name_mistake(SettingKind kind, const char *name)
{
	if (kind == SETTING_ENV && !text_is_variable(name))
		return "is no name of a variable";
	if (kind == SETTING_ENV && strcmp(name, "LD_PRELOAD") == 0)
		return "belongs in preload, so that the mapping is proved";
	if (kind == SETTING_MYSQLD && is_one_of(name, own_options))
		return "is given by abrun itself, write it as a key of server";
	if (kind == SETTING_SYSFS &&
	    (*name == '/' || strstr(name, "..") != NULL))
		return "is no path below /sys";
	if (kind == SETTING_FILE && *name != '/')
		return "is no path from / on the target";
	return kind == SETTING_FILE || is_dotted(name) ? NULL
						       : "is no such name";
}

static void
add_pair(Reader *reader, const ReaderNode *node, Level *level, SettingKind kind,
    const char *text)
{
	const char *equals = strchr(text, '=');

	if (equals == NULL || equals == text) {
		reader_mistake(reader, node, "\"%s\" is not %s", text,
		    kind == SETTING_FILE ? "\"/path/on/target=file/here\""
					 : "\"NAME=VALUE\"");
		return;
	}
	g_autofree char *raw = g_strndup(text, (gsize)(equals - text));
	g_autofree char *name = kind == SETTING_MYSQLD
	    ? mysqld_option(raw)
	    : g_strdup(kind == SETTING_SYSFS && g_str_has_prefix(raw, "/sys/")
		      ? raw + strlen("/sys/")
		      : raw);
	const char *mistake = name_mistake(kind, name);
	if (mistake != NULL)
		reader_mistake(reader, node, "\"%s\" %s", raw, mistake);
	else if (kind == SETTING_FILE && equals[1] == '\0')
		reader_mistake(reader, node,
		    "\"%s\" names no file with the contents", text);
	else
		(void)add(reader, node, level, kind, name, equals + 1);
}

void
read_plain(Reader *reader, const ReaderNode *node, SettingKind kind,
    const char *text, Level *level)
{
	if (words_is_nothing(text))
		return;
	if (is_pair(kind)) {
		add_pair(reader, node, level, kind, text);
		return;
	}
	const char *must = *text == '\0' ? "a value, or \"default\" for none"
					 : value_mistake(kind, text);
	if (must != NULL)
		reader_mistake(reader, node, "\"%s\" must be %s", text, must);
	else
		(void)add(reader, node, level, kind,
		    kind == SETTING_DURING ? text : "", text);
}

/* kind = "value" or, for pairs and during, kind = [ "...", "..." ] */
static void
read_setting(
    Reader *reader, const ReaderNode *node, SettingKind kind, Level *level)
{
	const bool many = is_pair(kind) || kind == SETTING_DURING;

	if (reader_is_scalar(node)) {
		g_autofree char *text = reader_scalar(node);
		if (config_setting_type(node) == CONFIG_TYPE_BOOL ||
		    config_setting_type(node) == CONFIG_TYPE_FLOAT)
			reader_mistake(reader, node,
			    "is %s, must be a string in quotes",
			    reader_type_name(node));
		else
			read_plain(reader, node, kind, text, level);
		return;
	}
	if (!many || !reader_is_sequence(node)) {
		reader_mistake(reader, node, "is %s, must be %s",
		    reader_type_name(node),
		    many ? "an array of strings such as [ \"NAME=VALUE\" ]"
			 : "one value in quotes: each value is a level");
		return;
	}
	for (size_t i = 0; i < reader_length(node); i++) {
		const ReaderNode *element = reader_element(node, i);
		g_autofree char *text = NULL;
		if (reader_is_string(element))
			text = reader_scalar(element);
		if (text == NULL)
			reader_mistake(reader, element,
			    "is %s, must be a string in quotes",
			    reader_type_name(element));
		else
			read_plain(reader, element, kind, text, level);
	}
}

static void
read_command(Reader *reader, const ReaderNode *node, Level *level)
{
	g_autofree char *apply = reader_string(reader, node, "apply");
	g_autofree char *undo = reader_string(reader, node, "undo");
	g_autofree char *verify = reader_string(reader, node, "verify");

	if (apply == NULL && reader_get(node, "apply") == NULL &&
	    (undo != NULL || verify != NULL)) {
		reader_mistake_key(reader, node, "apply",
		    "is missing, undo and verify need it");
		return;
	}
	if (apply == NULL)
		return;
	Setting *setting = add(
	    reader, reader_get(node, "apply"), level, SETTING_COMMAND, "", "");
	setting->apply = g_steal_pointer(&apply);
	setting->undo = g_steal_pointer(&undo);
	setting->verify = g_steal_pointer(&verify);
}

static void
read_expect(Reader *reader, const ReaderNode *node, Level *level)
{
	g_ptr_array_unref(level->expect);
	level->expect = reader_strings(reader, node, "expect");
	for (guint i = 0; i < level->expect->len; i++) {
		const char *fact = g_ptr_array_index(level->expect, i);
		const char *equals = strchr(fact, '=');
		if (equals == NULL || equals == fact)
			reader_mistake_key(reader, node, "expect",
			    "\"%s\" is not \"FACT=VALUE\" such as "
			    "\"sched=ULE\"",
			    fact);
	}
}

void
read_level(Reader *reader, const ReaderNode *node, Level *level)
{
	reader_keys(reader, node, &place_level, words_places, NULL);
	for (size_t i = 0; i < reader_length(node); i++) {
		const ReaderNode *member = reader_element(node, i);
		SettingKind kind = SETTING_KINDS;
		if (words_kind(reader_name(member), &kind) &&
		    kind != SETTING_COMMAND)
			read_setting(reader, member, kind, level);
	}
	read_command(reader, node, level);
	read_expect(reader, node, level);
	(void)reader_bool(reader, node, "same", &level->same);
}
