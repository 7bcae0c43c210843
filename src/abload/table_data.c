#include "abload/table_data.h"

#include <stdio.h>
#include <string.h>

#include "abload/gendata.h"
#include "abload/words.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"

enum {
	SHELL_MS = 600000,     /* for a command that makes a file */
	SHELL_BYTES = 1 << 30, /* of such a file */
};

char *
table_data_path(const Options *options, const char *file)
{
	return g_path_is_absolute(file)
	    ? g_strdup(file)
	    : g_build_filename(options->datadir, file, NULL);
}

/* NULL without an error where the command is not gen-data's. */
static char *
generate(const SmackTable *table, size_t *length, GError **error)
{
	uint64_t rows;
	g_autofree char *format = NULL;

	if (!gendata_command(table->generator, &rows, &format))
		return NULL;
	g_autoptr(GenData) data = gendata_new(format, error);
	if (data == NULL)
		return NULL;
	g_autoptr(GString) text = g_string_new(NULL);
	for (uint64_t i = 0; i < rows; i++) {
		gendata_row(data, text);
		g_string_append_c(text, '\n');
	}
	*length = text->len;
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static char *
make_by_shell(
    const SmackTable *table, const char *path, size_t *length, GError **error)
{
	const char *const argv[] = { "/bin/sh", "-c", table->generator, NULL };
	g_auto(ProcessResult) result = { 0 };

	(void)printf("Populating data file '%s' with shell command '%s'\n",
	    path, table->generator);
	if (!process_run(argv, NULL, NULL, SHELL_BYTES, deadline_in(SHELL_MS),
		NULL, &result, error))
		return NULL;
	if (result.status != 0 || result.truncated) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_FAILED,
		    "table '%s': %s ended with status %d: %s", table->name,
		    table->generator, result.status, result.err->str);
		return NULL;
	}
	/* Dictionaries read it, too. */
	if (!file_write(path, result.out->str, result.out->len, 0644, error))
		return NULL;
	*length = result.out->len;
	return g_strndup(result.out->str, result.out->len);
}

char *
table_data(const SmackTable *table, const Options *options, size_t *length,
    GError **error)
{
	g_autofree char *path = table_data_path(options, table->data_file);
	GError *wrong = NULL;

	/* A file that is there counts: another C library may have made it. */
	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return file_read(path, WORDS_MAX_FILE, length, error);
	char *text = generate(table, length, &wrong);
	if (text != NULL)
		return text;
	if (wrong != NULL) {
		g_propagate_error(error, wrong);
		return NULL;
	}
	if (table->generator[0] != '\0' && options->allow_shell)
		return make_by_shell(table, path, length, error);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "table '%s': there is no %s%s%s", table->name, path,
	    table->generator[0] == '\0'
		? ""
		: "; --allow-shell lets the script make it by: ",
	    table->generator);
	return NULL;
}

char *
table_data_of(const Smack *smack, const Options *options,
    const SmackDictionary *dictionary, size_t *length)
{
	g_autofree char *path = table_data_path(options, dictionary->source);

	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return NULL;
	for (guint i = 0; i < smack->tables->len; i++) {
		const SmackTable *table = g_ptr_array_index(smack->tables, i);
		if (strcmp(table->data_file, dictionary->source) != 0)
			continue;
		char *text = generate(table, length, NULL);
		if (text != NULL)
			return text;
	}
	return NULL;
}
