/*
 * Drives load definitions from shell tests.
 *
 *     loadtool expand NAME PART VALUES...
 *     loadtool judge NAME STATUS OUT ERR VALUES...
 *
 * NAME is a definition of hooks/load; PART one of command, setup, prepare,
 * restore, cleanup.  VALUES are NAME=VALUE: a built-in one (host, port,
 * socket, user, db...) or a key of the load.  expand prints the command; judge
 * takes an exit status and the files of both outputs and prints a line
 * "METRIC VALUE" for each sample.  Errors and refusals: "error: MESSAGE", exit
 * status 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "load/load.h"
#include "matrix/loaddef_read.h"

enum { OUTPUT_BYTES = 64 << 20 };

static const char *const builtin[] = { "host", "port", "socket", "user", "db",
	"target", "round", "run", "seed", "cell", "outdir", NULL };

static int
fail(const GError *error)
{
	printf("error: %s\n", error->message);
	return 1;
}

static void
add_key(Load *load, const char *name, const char *value)
{
	LoadKey *key = g_new0(LoadKey, 1);

	key->name = g_strdup(name);
	key->value = g_strdup(value);
	g_ptr_array_add(load->keys, key);
}

static LoadValues *
read_values(Load *load, char **words, GError **error)
{
	g_autoptr(GHashTable) values = load_new_values();

	for (size_t i = 0; builtin[i] != NULL; i++)
		load_set_value(values, builtin[i], "");
	for (; *words != NULL; words++) {
		g_auto(GStrv) pair = g_strsplit(*words, "=", 2);
		if (g_strv_contains(builtin, pair[0]))
			load_set_value(values, pair[0], pair[1]);
		else
			add_key(load, pair[0], pair[1]);
	}
	return load_values(load, values, NULL, error);
}

static const char *
part_of(const LoadDef *def, const char *part)
{
	const struct {
		const char *name;
		const char *text;
	} parts[] = { { "command", def->command }, { "setup", def->setup },
		{ "prepare", def->prepare }, { "restore", def->restore },
		{ "cleanup", def->cleanup } };

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
		if (strcmp(part, parts[i].name) == 0 && parts[i].text != NULL)
			return parts[i].text;
	fprintf(stderr, "loadtool: %s has no %s\n", def->name, part);
	exit(2);
}

static int
expand(const Load *load, const LoadValues *values, const char *part)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *command =
	    load_expand_command(part_of(load->def, part), values, &error);

	if (command == NULL)
		return fail(error);
	printf("%s\n", command);
	return 0;
}

static void
free_sample(void *data)
{
	load_sample_free(data);
}

/* words: STATUS OUT ERR */
static int
judge(const Load *load, const LoadValues *values, char **words)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) samples =
	    g_ptr_array_new_with_free_func(free_sample);
	g_autofree char *out = file_read(words[1], OUTPUT_BYTES, NULL, &error);
	g_autofree char *err = out == NULL
	    ? NULL
	    : file_read(words[2], OUTPUT_BYTES, NULL, &error);
	LoadOutput output = { .status = atoi(words[0]),
		.out = out,
		.err = err,
		.wall_ms = -1,
		.user_ms = -1,
		.sys_ms = -1,
		.maxrss_kb = -1 };

	if (err == NULL || !load_judge(load, values, &output, samples, &error))
		return fail(error);
	for (guint i = 0; i < samples->len; i++) {
		const LoadSample *sample = g_ptr_array_index(samples, i);
		printf("%s %.10g\n", sample->metric, sample->value);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	const int fixed = argc > 1 && strcmp(argv[1], "judge") == 0 ? 6 : 4;
	g_autoptr(GError) error = NULL;

	if (argc < fixed) {
		fprintf(stderr, "usage: loadtool expand|judge NAME ...\n");
		return 2;
	}
	g_autofree char *path = g_strdup_printf("hooks/load/%s.cfg", argv[2]);
	g_autoptr(LoadDef) def = loaddef_read(path, argv[2], &error);
	if (def == NULL)
		return fail(error);
	Load load = { .name = argv[2],
		.def = def,
		.keys = g_ptr_array_new(),
		.metrics = def->metrics,
		.timeout_ms = 60000 };
	g_autoptr(GHashTable) values = read_values(&load, argv + fixed, &error);
	if (values == NULL)
		return fail(error);
	return fixed == 6 ? judge(&load, values, argv + 3)
			  : expand(&load, values, argv[3]);
}
