/*
 * Fuzz target: any output of a load generator, judged by the definitions of
 * hooks/load and by one that uses all there is.  The first byte chooses the
 * definition, the second how the run ended; standard error follows the first
 * NUL.  A refusal says why and gives no sample; a run that ended badly is never
 * a good one.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "load/load.h"
#include "matrix/loaddef_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const kinds[] = { "command", "mysqlslap", "pgbench",
	"super-smack", "sysbench", "all" };

/* What the outputs of the corpus were asked for. */
static const struct {
	const char *kind, *key, *value;
} asked[] = { { "mysqlslap", "clients", "10" },
	{ "mysqlslap", "queries", "20000" }, { "pgbench", "clients", "4" },
	{ "pgbench", "threads", "2" }, { "super-smack", "clients", "10" },
	{ "super-smack", "rounds", "20000" }, { "sysbench", "threads", "10" } };

/* Short words, so that a mutated text hits them. */
static const char all[] =
    "help = \"all\"; command = \"true\"; primary = \"a\";"
    "metrics = ("
    " { name = \"a\"; regex = \"^a=(\\\\S+)$\"; choice = \"last\"; },"
    " { name = \"b\"; regex = \"^b=(\\\\S+)$\"; choice = \"first\";"
    "   optional = true; max = 1000.0; },"
    " { name = \"c\"; regex = \"^c=(\\\\S+)$\"; choice = \"sum\"; optional = "
    "true; },"
    " { name = \"d\"; formula = \"a * b / (c - 1)\"; optional = true; } );"
    "numbers = ("
    " { name = \"e\"; regex = \"^e=(\\\\S+)$\"; choice = \"only\"; optional = "
    "true; } );"
    "require = [ \"^a=\" ]; forbid = [ \"^no$\" ];"
    "checks = ("
    " { what = \"e is a\"; left = \"e\"; right = \"a\"; within = 0.1; },"
    " { what = \"b in time\"; left = \"b\"; right = \"wall\"; at_most = true; "
    "} );";

typedef struct {
	LoadDef *def;
	Load load;
	LoadValues *values;
} Kind;

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
add_key(Load *load, const char *name, const char *value)
{
	LoadKey *key = g_new0(LoadKey, 1);

	key->name = g_strdup(name);
	key->value = g_strdup(value);
	g_ptr_array_add(load->keys, key);
}

static bool
has_key(const Load *load, const char *name)
{
	for (guint i = 0; i < load->keys->len; i++) {
		const LoadKey *key = load->keys->pdata[i];

		if (strcmp(key->name, name) == 0)
			return true;
	}
	return false;
}

static void
kind_open(Kind *kind, size_t i)
{
	static const char *const builtin[] = { "host", "port", "socket", "user",
		"db", "target", "round", "run", "seed", "cell", "outdir" };
	g_autofree char *path = g_strdup_printf("hooks/load/%s.cfg", kinds[i]);
	g_autoptr(GHashTable) values = load_new_values();
	g_autoptr(GError) error = NULL;

	kind->def = strcmp(kinds[i], "all") == 0
	    ? loaddef_parse(all, strlen(all), path, kinds[i], &error)
	    : loaddef_read(path, kinds[i], &error);
	if (kind->def == NULL)
		g_error("%s", error->message);
	for (size_t j = 0; j < G_N_ELEMENTS(builtin); j++)
		load_set_value(values, builtin[j], "1");
	kind->load = (Load){ .name = kind->def->name,
		.def = kind->def,
		.keys = g_ptr_array_new(),
		.metrics = kind->def->metrics,
		.command = kind->def->command,
		.primary = kind->def->primary,
		.timeout_ms = 60000 };
	for (size_t j = 0; j < G_N_ELEMENTS(asked); j++)
		if (strcmp(asked[j].kind, kinds[i]) == 0)
			add_key(&kind->load, asked[j].key, asked[j].value);
	for (guint k = 0; k < kind->def->keys->len; k++) {
		const LoadDefKey *known = kind->def->keys->pdata[k];

		if (known->fallback == NULL &&
		    !has_key(&kind->load, known->name))
			add_key(&kind->load, known->name, "10");
	}
	kind->values = load_values(&kind->load, values, NULL, &error);
	if (kind->values == NULL)
		g_error("%s: %s", path, error->message);
}

/* Read once; they live as long as the program. */
static const Kind *
kind_of(unsigned choice)
{
	static Kind opened[G_N_ELEMENTS(kinds)];
	const size_t i = choice % G_N_ELEMENTS(kinds);

	if (opened[i].def == NULL)
		kind_open(&opened[i], i);
	return &opened[i];
}

static void
judge(const Kind *kind, const LoadOutput *output)
{
	g_autoptr(GPtrArray) samples =
	    g_ptr_array_new_with_free_func((GDestroyNotify)load_sample_free);
	g_autoptr(GError) error = NULL;
	const bool good =
	    load_judge(&kind->load, kind->values, output, samples, &error);

	must(good == (error == NULL));
	if (!good) {
		must(*error->message != '\0' && samples->len == 0);
		return;
	}
	must(!output->timed_out && output->signal == NULL);
	must(output->status == kind->def->exit_status);
	for (guint i = 0; i < samples->len; i++) {
		const LoadSample *sample = samples->pdata[i];
		const Metric *metric =
		    loaddef_metric(kind->def->metrics, sample->metric);

		must(isfinite(sample->value));
		must(metric == NULL ||
		    (sample->value >= metric->min &&
			sample->value <= metric->max));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	const Kind *kind = kind_of(data[0]);
	const unsigned end = data[1];
	g_autofree char *out = g_strndup((const char *)data + 2, size - 2);
	const size_t length = MIN(strlen(out) + 1, size - 2);
	g_autofree char *err =
	    g_strndup((const char *)data + 2 + length, size - 2 - length);
	const LoadOutput output = { .status = end & 1 ? 1 : 0,
		.signal = end & 2 ? "KILL" : NULL,
		.timed_out = (end & 4) != 0,
		.out = out,
		.err = err,
		.wall_ms = end & 8 ? -1 : 3000,
		.user_ms = end & 16 ? -1 : 10,
		.sys_ms = end & 16 ? -1 : 10,
		.maxrss_kb = end & 32 ? -1 : 4000 };

	judge(kind, &output);
	return 0;
}
