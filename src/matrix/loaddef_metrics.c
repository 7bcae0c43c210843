#include "matrix/loaddef_read.h"

#include <float.h>

#include "base/text.h"
#include "matrix/words.h"

enum { METRICS = 64 };

/* Values outside are no measurements but accidents of the tool. */
#define DEFAULT_MIN 0.0
#define DEFAULT_MAX 1e12

static const char *const metric_keys[] = { "name", "unit", "regex", "formula",
	"choice", "better", "optional", "min", "max", NULL };
/* In the order of MatchChoice. */
static const char *const choices[] = { "last", "first", "only", "sum", NULL };
static const char *const directions[] = { "lower", "higher", NULL };

const ReaderPlace loaddef_metric_place = { "a metric", metric_keys };

void
loaddef_check_regex(
    Reader *reader, const ReaderNode *node, const char *pattern, int groups)
{
	g_autoptr(GError) why = NULL;
	g_autoptr(GRegex) regex = g_regex_new(pattern,
	    G_REGEX_MULTILINE | G_REGEX_RAW | G_REGEX_NEWLINE_LF, 0, &why);

	if (regex == NULL)
		reader_mistake(reader, node, "%s", why->message);
	else if (g_regex_get_capture_count(regex) < groups)
		reader_mistake(reader, node,
		    "has no group, must have ( ) around the number");
}

char *
loaddef_read_regex(
    Reader *reader, const ReaderNode *group, const char *key, int groups)
{
	char *pattern = reader_string(reader, group, key);

	if (pattern != NULL)
		loaddef_check_regex(
		    reader, reader_get(group, key), pattern, groups);
	return pattern;
}

char *
loaddef_read_name(Reader *reader, const ReaderNode *group, const char *example)
{
	g_autofree char *name =
	    reader_need_string(reader, group, "name", example);

	if (name == NULL || text_is_variable(name))
		return g_steal_pointer(&name);
	reader_mistake_key(reader, group, "name",
	    "\"%s\" must be letters, digits and _", name);
	return NULL;
}

static void
read_how(Reader *reader, const ReaderNode *node, Metric *metric)
{
	int choice = MATCH_LAST;
	int higher = 0;

	metric->regex = loaddef_read_regex(reader, node, "regex", 1);
	metric->formula = reader_string(reader, node, "formula");
	if ((reader_get(node, "regex") == NULL) ==
	    (reader_get(node, "formula") == NULL))
		reader_mistake(reader, node,
		    "must have one of regex and formula, which say where its "
		    "number comes from");
	(void)reader_enum(reader, node, "choice", choices, &choice);
	metric->choice = (MatchChoice)choice;
	(void)reader_enum(reader, node, "better", directions, &higher);
	metric->higher_is_better = higher == 1;
}

static Metric *
read_metric(Reader *reader, const ReaderNode *node)
{
	Metric *metric = g_new0(Metric, 1);

	reader_keys(reader, node, &loaddef_metric_place, NULL, NULL);
	metric->name = loaddef_read_name(reader, node, "\"tps\"");
	metric->unit = reader_string_or_empty(reader, node, "unit");
	if (metric->name == NULL)
		metric->name = g_strdup("");
	if (metric->unit == NULL)
		metric->unit = g_strdup("");
	read_how(reader, node, metric);
	(void)reader_bool(reader, node, "optional", &metric->optional);
	metric->min = DEFAULT_MIN;
	metric->max = DEFAULT_MAX;
	(void)reader_double(
	    reader, node, "min", -DBL_MAX, DBL_MAX, &metric->min);
	(void)reader_double(
	    reader, node, "max", -DBL_MAX, DBL_MAX, &metric->max);
	if (metric->min > metric->max)
		reader_mistake(reader, node,
		    "min is greater than max: no value would ever be right");
	return metric;
}

static void
free_metric(void *data)
{
	metric_free(data);
}

GPtrArray *
loaddef_read_metrics(Reader *reader, const ReaderNode *list)
{
	GPtrArray *metrics = g_ptr_array_new_with_free_func(free_metric);
	const size_t n = reader_length(list);

	if (n > METRICS) {
		reader_mistake(reader, list,
		    "has %zu members, at most %d are possible", n, METRICS);
		return metrics;
	}
	for (size_t i = 0; i < n; i++) {
		const ReaderNode *node = reader_element(list, i);
		Metric *metric = read_metric(reader, node);
		if (loaddef_process_metric(metric->name) != NULL)
			reader_mistake_key(reader, node, "name",
			    "\"%s\" is measured for every load, choose another "
			    "name",
			    metric->name);
		else if (*metric->name != '\0' &&
		    loaddef_metric(metrics, metric->name) != NULL)
			reader_mistake_key(reader, node, "name",
			    "\"%s\" is there already", metric->name);
		g_ptr_array_add(metrics, metric);
	}
	return metrics;
}
