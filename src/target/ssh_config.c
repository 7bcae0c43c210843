#include "target/ssh_config.h"

#include <glob.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "target/ssh_keywords.h"

enum {
	CONFIG_BYTES = 1 << 20, /* written by hand */
	INCLUDE_DEPTH = 16,     /* as OpenSSH */
};

struct SshConfig {
	GHashTable *values;    /* keyword in lower case -> value */
	GPtrArray *identities; /* char * */
	GPtrArray *ignored;    /* char * */
	char *exposed;         /* the first file that others may write; NULL */
};

/* One reading: what stays the same in all files. */
typedef struct {
	SshConfig *config;
	const char *alias;
	const char *user;
	int depth;
} Reader;

void
ssh_config_free(SshConfig *config)
{
	if (config == NULL)
		return;
	g_hash_table_unref(config->values);
	g_ptr_array_unref(config->identities);
	g_ptr_array_unref(config->ignored);
	g_free(config->exposed);
	g_free(config);
}

const char *
ssh_config_get(const SshConfig *config, const char *keyword)
{
	return config == NULL ? NULL
			      : g_hash_table_lookup(config->values, keyword);
}

const GPtrArray *
ssh_config_identities(const SshConfig *config)
{
	return config->identities;
}

const GPtrArray *
ssh_config_ignored(const SshConfig *config)
{
	return config->ignored;
}

const char *
ssh_config_exposed(const SshConfig *config)
{
	return config->exposed;
}

char *
ssh_path(const char *path)
{
	if (path[0] == '~' && (path[1] == '/' || path[1] == '\0'))
		return g_strconcat(g_get_home_dir(), path + 1, NULL);
	return g_strdup(path);
}

char *
ssh_config_expand(const char *text, const char *const *tokens)
{
	GString *expanded = g_string_new(NULL);

	for (const char *c = text; *c != '\0'; c++) {
		const char *value = NULL;
		if (*c == '%' && c[1] == '%')
			value = "%";
		for (size_t i = 0; *c == '%' && tokens[i] != NULL; i++)
			if (c[1] != '\0' && tokens[i][0] == c[1])
				value = tokens[i] + 1;
		if (value != NULL) {
			g_string_append(expanded, value);
			c++;
		} else {
			g_string_append_c(expanded, *c);
		}
	}
	return g_string_free(expanded, FALSE);
}

GPtrArray *
ssh_config_words(const char *text, GError **error)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
	const char *c = text;

	for (;;) {
		c += strspn(c, " \t\r");
		if (*c == '\0' || *c == '#')
			return g_steal_pointer(&words);
		GString *word = g_string_new(NULL);
		char quote = '\0';
		for (; *c != '\0'; c++) {
			if (quote == '\0' && strchr(" \t\r", *c) != NULL)
				break;
			if (quote == '\0' && (*c == '"' || *c == '\''))
				quote = *c;
			else if (*c == quote)
				quote = '\0';
			else
				g_string_append_c(word, *c);
		}
		g_ptr_array_add(words, g_string_free(word, FALSE));
		if (quote != '\0') {
			g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
			    "a %c is not closed", quote);
			return NULL;
		}
	}
}

gboolean
ssh_config_match(const GPtrArray *patterns, guint first, const char *name)
{
	gboolean matched = FALSE;

	for (guint i = first; i < patterns->len; i++) {
		const char *pattern = g_ptr_array_index(patterns, i);
		const bool negated = pattern[0] == '!';
		if (!g_pattern_match_simple(pattern + negated, name))
			continue;
		if (negated)
			return FALSE;
		matched = TRUE;
	}
	return matched;
}

static void
ignore(Reader *reader, const char *what, const char *path, int line)
{
	g_ptr_array_add(reader->config->ignored,
	    g_strdup_printf("%s (%s line %d)", what, path, line));
}

/* "a,!b" against a name, as in Match. */
static gboolean
match_commas(const char *list, const char *name)
{
	g_auto(GStrv) parts = g_strsplit(list, ",", -1);
	g_autoptr(GPtrArray) patterns = g_ptr_array_new();

	for (size_t i = 0; parts[i] != NULL; i++)
		g_ptr_array_add(patterns, parts[i]);
	return ssh_config_match(patterns, 0, name);
}

/* What a criterion of Match looks at, or NULL if we cannot tell. */
static const char *
match_subject(const Reader *reader, const char *criterion)
{
	const SshConfig *config = reader->config;

	if (g_ascii_strcasecmp(criterion, "originalhost") == 0)
		return reader->alias;
	if (g_ascii_strcasecmp(criterion, "host") == 0) {
		const char *host = ssh_config_get(config, "hostname");
		return host != NULL ? host : reader->alias;
	}
	if (g_ascii_strcasecmp(criterion, "localuser") == 0)
		return g_get_user_name();
	if (g_ascii_strcasecmp(criterion, "user") == 0) {
		const char *user = reader->user;
		if (user == NULL)
			user = ssh_config_get(config, "user");
		return user != NULL ? user : g_get_user_name();
	}
	return NULL;
}

static bool
match_block(Reader *reader, const GPtrArray *words, const char *path, int line)
{
	bool matched = true;

	for (guint i = 0; i < words->len; i++) {
		const char *word = g_ptr_array_index(words, i);
		const bool negated = word[0] == '!';
		word += negated;
		if (g_ascii_strcasecmp(word, "all") == 0)
			continue;
		const char *subject = match_subject(reader, word);
		if (subject == NULL || i + 1 >= words->len) {
			g_autofree char *what =
			    g_strdup_printf("Match %s", word);
			ignore(reader, what, path, line);
			return false;
		}
		const char *list = g_ptr_array_index(words, ++i);
		if (match_commas(list, subject) == negated)
			matched = false;
	}
	return matched && words->len > 0;
}

static bool read_file(Reader *reader, const char *path, GError **error);

static bool
include(Reader *reader, const GPtrArray *patterns, GError **error)
{
	for (guint i = 0; i < patterns->len; i++) {
		g_autofree char *pattern =
		    ssh_path(g_ptr_array_index(patterns, i));
		if (!g_path_is_absolute(pattern)) {
			char *full = g_build_filename(
			    g_get_home_dir(), ".ssh", pattern, NULL);
			g_free(pattern);
			pattern = full;
		}
		glob_t found;
		/* No match is no mistake, as in OpenSSH. */
		if (glob(pattern, 0, NULL, &found) != 0)
			continue;
		bool ok = true;
		for (size_t k = 0; ok && k < found.gl_pathc; k++)
			ok = read_file(reader, found.gl_pathv[k], error);
		globfree(&found);
		if (!ok)
			return false;
	}
	return true;
}

/* Keeps a keyword of a block that applies; the first value wins. */
static bool
keep(Reader *reader, const char *keyword, const char *rest,
    const GPtrArray *words, const char *path, int line)
{
	SshConfig *config = reader->config;
	g_autofree char *lower = g_ascii_strdown(keyword, -1);
	const char *first = g_ptr_array_index(words, 0);

	switch (ssh_keyword_use(lower)) {
	case SSH_KEYWORD_WORD:
		if (!g_hash_table_contains(config->values, lower))
			g_hash_table_insert(config->values,
			    g_steal_pointer(&lower), g_strdup(first));
		return true;
	case SSH_KEYWORD_LINE:
		if (!g_hash_table_contains(config->values, lower))
			g_hash_table_insert(config->values,
			    g_steal_pointer(&lower), g_strdup(rest));
		return true;
	case SSH_KEYWORD_IDENTITY:
		g_ptr_array_add(config->identities, g_strdup(first));
		return true;
	case SSH_KEYWORD_HARMLESS:
		return true;
	case SSH_KEYWORD_IGNORED:
		ignore(reader, keyword, path, line);
		return true;
	}
	g_assert_not_reached();
}

/* Splits "Keyword value" and "Keyword = value"; the rest is not copied. */
static char *
split_keyword(const char *text, const char **rest)
{
	const size_t length = strcspn(text, " \t=");
	const char *c = text + length;

	c += strspn(c, " \t");
	if (*c == '=')
		c++;
	c += strspn(c, " \t");
	*rest = c;
	return g_strndup(text, length);
}

static bool
read_line(Reader *reader, char *text, const char *path, int line, bool *active,
    GError **error)
{
	const char *rest = NULL;

	g_strstrip(text);
	if (text[0] == '\0' || text[0] == '#')
		return true;
	g_autofree char *keyword = split_keyword(text, &rest);
	g_autoptr(GPtrArray) words = ssh_config_words(rest, error);
	if (words == NULL) {
		g_prefix_error(error, "%s:%d: ", path, line);
		return false;
	}
	if (words->len == 0) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "%s:%d: %s has no value", path, line, keyword);
		return false;
	}
	if (g_ascii_strcasecmp(keyword, "host") == 0)
		*active = ssh_config_match(words, 0, reader->alias);
	else if (g_ascii_strcasecmp(keyword, "match") == 0)
		*active = match_block(reader, words, path, line);
	else if (!*active)
		return true;
	else if (g_ascii_strcasecmp(keyword, "include") == 0)
		return include(reader, words, error);
	else
		return keep(reader, keyword, rest, words, path, line);
	return true;
}

/* As OpenSSH judges it: ours or root's, and nobody else may write. */
static bool
is_exposed(const char *path)
{
	struct stat info;

	return stat(path, &info) != 0 ||
	    (info.st_uid != 0 && info.st_uid != geteuid()) ||
	    (info.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

static bool
read_file(Reader *reader, const char *path, GError **error)
{
	if (reader->depth >= INCLUDE_DEPTH) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
		    "%s: Include is nested deeper than %d files", path,
		    INCLUDE_DEPTH);
		return false;
	}
	g_autofree char *text = file_read(path, CONFIG_BYTES, NULL, error);
	if (text == NULL) {
		g_prefix_error(error, "ssh_config: ");
		return false;
	}
	if (reader->config->exposed == NULL && is_exposed(path))
		reader->config->exposed = g_strdup(path);
	reader->depth++;
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	bool active = true;
	bool ok = true;
	for (int i = 0; ok && lines[i] != NULL; i++)
		ok = read_line(reader, lines[i], path, i + 1, &active, error);
	reader->depth--;
	return ok;
}

SshConfig *
ssh_config_read(
    const char *path, const char *alias, const char *user, GError **error)
{
	g_autoptr(SshConfig) config = g_new0(SshConfig, 1);
	g_autofree char *full = ssh_path(path);

	config->values =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	config->identities = g_ptr_array_new_with_free_func(g_free);
	config->ignored = g_ptr_array_new_with_free_func(g_free);
	Reader reader = { .config = config, .alias = alias, .user = user };
	if (!read_file(&reader, full, error))
		return NULL;
	return g_steal_pointer(&config);
}
