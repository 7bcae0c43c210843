/*
 * For tests of load definitions: a load as a matrix would make it, and what
 * load_judge() says about an output.
 */
#ifndef TESTS_LOAD_CASE_H
#define TESTS_LOAD_CASE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "load/load.h"
#include "matrix/loaddef_read.h"

typedef struct {
	Load load;
	LoadValues *values;
	GPtrArray *samples;
	GError *error;
} LoadCase;

static void
key_destroy(void *data)
{
	LoadKey *key = data;

	g_free(key->name);
	g_free(key->value);
	g_free(key);
}

static void
sample_destroy(void *data)
{
	load_sample_free(data);
}

/* Takes def. */
static void
case_init(LoadCase *test, LoadDef *def)
{
	static char name[] = "a load";

	memset(test, 0, sizeof(*test));
	test->load.name = name;
	test->load.def = def;
	test->load.keys = g_ptr_array_new_with_free_func(key_destroy);
	test->load.metrics = def->metrics;
	test->load.command = def->command;
	test->load.primary = def->primary;
	test->load.timeout_ms = 60000;
	test->samples = g_ptr_array_new_with_free_func(sample_destroy);
}

static G_GNUC_UNUSED void
case_open(LoadCase *test, const char *name)
{
	g_autofree char *path = g_strdup_printf("hooks/load/%s.cfg", name);
	GError *error = NULL;
	LoadDef *def = loaddef_read(path, name, &error);

	if (def == NULL)
		fail_msg("%s", error->message);
	case_init(test, def);
}

/* A definition given as text instead of a file under hooks/. */
static G_GNUC_UNUSED void
case_parse(LoadCase *test, const char *text)
{
	GError *error = NULL;
	LoadDef *def =
	    loaddef_parse(text, strlen(text), "test.cfg", "test", &error);

	if (def == NULL)
		fail_msg("%s", error->message);
	case_init(test, def);
}

static G_GNUC_UNUSED void
case_close(LoadCase *test)
{
	loaddef_free(test->load.def);
	g_ptr_array_unref(test->load.keys);
	g_ptr_array_unref(test->samples);
	g_clear_pointer(&test->values, g_hash_table_unref);
	g_clear_error(&test->error);
}

static G_GNUC_UNUSED void
case_key(LoadCase *test, const char *name, const char *value)
{
	LoadKey *key = g_new0(LoadKey, 1);

	key->name = g_strdup(name);
	key->value = g_strdup(value);
	g_ptr_array_add(test->load.keys, key);
}

/* The built-in values that a run gives. */
static G_GNUC_UNUSED LoadValues *
case_builtin(void)
{
	LoadValues *values = load_new_values();

	load_set_value(values, "host", "127.0.0.1");
	load_set_value(values, "port", "3306");
	load_set_value(values, "socket", "/tmp/s");
	load_set_value(values, "user", "root");
	load_set_value(values, "db", "test");
	load_set_value(values, "target", "lab1");
	load_set_value(values, "round", "1");
	load_set_value(values, "run", "1");
	load_set_value(values, "seed", "7");
	load_set_value(values, "cell", "0");
	load_set_value(values, "outdir", "/tmp/run.1");
	return values;
}

static G_GNUC_UNUSED void
case_values(LoadCase *test)
{
	g_autoptr(GHashTable) builtin = case_builtin();

	test->values = load_values(&test->load, builtin, NULL, &test->error);
	if (test->values == NULL)
		fail_msg("%s", test->error->message);
}

/* An exit with status 0 and this output. */
static G_GNUC_UNUSED LoadOutput
case_output(const char *out)
{
	return (LoadOutput){ .out = out,
		.err = "",
		.wall_ms = 3000,
		.user_ms = -1,
		.sys_ms = -1,
		.maxrss_kb = -1 };
}

static G_GNUC_UNUSED bool
case_judge(LoadCase *test, const LoadOutput *output)
{
	if (test->values == NULL)
		case_values(test);
	g_clear_error(&test->error);
	g_ptr_array_set_size(test->samples, 0);
	return load_judge(
	    &test->load, test->values, output, test->samples, &test->error);
}

static G_GNUC_UNUSED bool
case_says(LoadCase *test, const char *out)
{
	const LoadOutput output = case_output(out);

	return case_judge(test, &output);
}

/* What was made of the file; a refusal's reason is in test->error. */
static G_GNUC_UNUSED bool
case_file(LoadCase *test, const char *name)
{
	g_autofree char *path = g_strdup_printf("tests/data/load/%s", name);
	GError *error = NULL;
	g_autofree char *text = file_read(path, 1 << 20, NULL, &error);

	if (text == NULL)
		fail_msg("%s", error->message);
	LoadOutput output = case_output(text);
	output.wall_ms = -1; /* nobody measured it */
	return case_judge(test, &output);
}

/*
 * No beginning of an output is a result, wherever it ends before its last
 * word; nobody measured the process, whose time would catch more.
 */
static G_GNUC_UNUSED void
assert_beginnings_are_refused(LoadCase *test, const char *name, char *text)
{
	LoadOutput output = case_output(g_strchomp(text));

	output.wall_ms = -1;
	if (!case_judge(test, &output))
		fail_msg("%s: %s", name, test->error->message);
	for (size_t end = strlen(text); end-- > 0;) {
		text[end] = '\0';
		if (case_judge(test, &output))
			fail_msg("%s: the first %zu bytes passed", name, end);
		assert_int_equal(test->samples->len, 0);
	}
}

/* The sample's value; NAN when there is none. */
static G_GNUC_UNUSED double
case_sample(const LoadCase *test, const char *metric)
{
	for (guint i = 0; i < test->samples->len; i++) {
		const LoadSample *sample = g_ptr_array_index(test->samples, i);
		if (strcmp(sample->metric, metric) == 0)
			return sample->value;
	}
	return (double)NAN;
}

static G_GNUC_UNUSED void
assert_sample(const LoadCase *test, const char *metric, double wanted)
{
	const double seen = case_sample(test, metric);

	if (!(fabs(seen - wanted) <= 1e-9 * fabs(wanted)))
		fail_msg("%s is %.10g, must be %.10g", metric, seen, wanted);
}

static G_GNUC_UNUSED void
assert_reason(const LoadCase *test, const char *part)
{
	assert_non_null(test->error);
	assert_int_equal(test->samples->len, 0);
	if (strstr(test->error->message, part) == NULL)
		fail_msg(
		    "\"%s\" does not say \"%s\"", test->error->message, part);
}

#endif
