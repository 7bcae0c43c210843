#include "matrix/parse.h"

#include <string.h>

#include "base/text.h"
#include "matrix/words.h"

/* More than a lab can ever do; catches slips. */
enum { MAX_RUNS = 100000 };

static void
read_pattern_level(Reader *reader, const ReaderNode *node, const Factor *factor,
    GPtrArray *names)
{
	if (!reader_is_scalar(node)) {
		reader_mistake(reader, node, "is %s, must be a level's name",
		    reader_type_name(node));
		return;
	}
	char *name = reader_scalar(node);
	g_ptr_array_add(names, name);
	if (factor_level(factor, name) >= 0)
		return;
	g_autofree const char **known = level_names(factor);
	g_autofree char *guess = reader_guess(name, (const char *const *)known);
	reader_mistake(reader, node, "factor %s has no level \"%s\"%s",
	    factor->name, name, guess);
}

static void
read_pattern_factor(Reader *reader, const ReaderNode *node,
    const Matrix *matrix, bool many, CellPattern *pattern)
{
	const char *name = reader_name(node);
	const Factor *factor = matrix_factor(matrix, name);

	if (factor == NULL) {
		g_autofree const char **known = factor_names(matrix);
		g_autofree char *guess =
		    reader_guess(name, (const char *const *)known);
		reader_mistake(
		    reader, node, "no factor is named \"%s\"%s", name, guess);
		return;
	}
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(pattern->factors, g_strdup(name));
	g_ptr_array_add(pattern->levels, names);
	if (!reader_is_sequence(node))
		read_pattern_level(reader, node, factor, names);
	else if (!many)
		reader_mistake(reader, node, "is %s, must be one level",
		    reader_type_name(node));
	else if (reader_length(node) == 0)
		reader_mistake(reader, node, "names no level");
	for (size_t i = 0;
	     many && reader_is_sequence(node) && i < reader_length(node); i++)
		read_pattern_level(
		    reader, reader_element(node, i), factor, names);
}

static void
free_names(void *data)
{
	g_ptr_array_unref(data);
}

static CellPattern *
read_pattern(
    Reader *reader, const ReaderNode *node, const Matrix *matrix, bool many)
{
	CellPattern *pattern = g_new0(CellPattern, 1);

	pattern->factors = g_ptr_array_new_with_free_func(g_free);
	pattern->levels = g_ptr_array_new_with_free_func(free_names);
	pattern->line = reader_line(reader, node);
	if (reader_length(node) == 0)
		reader_mistake(reader, node,
		    "names no factor, write { FACTOR = \"LEVEL\"; }");
	for (size_t i = 0; i < reader_length(node); i++)
		read_pattern_factor(
		    reader, reader_element(node, i), matrix, many, pattern);
	return pattern;
}

static GPtrArray *
read_patterns(Reader *reader, const ReaderNode *node, const char *key,
    const Matrix *matrix)
{
	GPtrArray *patterns = g_ptr_array_new_with_free_func(cell_pattern_free);
	const ReaderNode *list = reader_groups(reader, node, key);

	for (size_t i = 0; i < reader_length(list); i++)
		g_ptr_array_add(patterns,
		    read_pattern(
			reader, reader_element(list, i), matrix, true));
	return patterns;
}

/* "ULE" or "ULE, libthr" */
static char *
pattern_name(const CellPattern *pattern)
{
	GString *name = g_string_new(NULL);

	for (guint i = 0; i < pattern->levels->len; i++) {
		const GPtrArray *levels = g_ptr_array_index(pattern->levels, i);
		for (guint j = 0; j < levels->len; j++)
			g_string_append_printf(name, "%s%s",
			    name->len == 0 ? ""
				: j == 0   ? ", "
					   : "|",
			    (char *)g_ptr_array_index(levels, j));
	}
	return g_string_free(name, FALSE);
}

static CellPattern *
read_side(Reader *reader, const ReaderNode *node, const char *key,
    const Matrix *matrix)
{
	const ReaderNode *side = reader_group(reader, node, key);

	if (reader_get(node, key) == NULL)
		reader_mistake_key(reader, node, key,
		    "is missing, write %s = { FACTOR = \"LEVEL\"; }", key);
	return side == NULL ? NULL : read_pattern(reader, side, matrix, true);
}

static void
read_contrast(Reader *reader, const ReaderNode *node, const Matrix *matrix,
    Design *design)
{
	Contrast *contrast = g_new0(Contrast, 1);

	reader_keys(reader, node, &place_contrast, words_places, NULL);
	contrast->line = reader_line(reader, node);
	contrast->of = read_side(reader, node, "of", matrix);
	contrast->against = read_side(reader, node, "against", matrix);
	contrast->name = reader_string(reader, node, "name");
	contrast->named = contrast->name != NULL;
	if (!contrast->named && contrast->of != NULL &&
	    contrast->against != NULL) {
		g_autofree char *of = pattern_name(contrast->of);
		g_autofree char *against = pattern_name(contrast->against);
		contrast->name = g_strdup_printf("%s / %s", of, against);
	}
	g_ptr_array_add(design->contrasts, contrast);
}

/* ( { ... }, ... ) adds; ( "only", { ... }, ... ) replaces. */
static void
read_contrasts(Reader *reader, const ReaderNode *node, const Matrix *matrix,
    Design *design)
{
	const ReaderNode *list = reader_get(node, "contrasts");

	design->contrasts =
	    g_ptr_array_new_with_free_func(matrix_contrast_free);
	if (list != NULL && !config_setting_is_list(list)) {
		reader_mistake(reader, list,
		    "is %s, must be a list of groups ( { of = { ... }; "
		    "against = { ... }; } )",
		    reader_type_name(list));
		return;
	}
	for (size_t i = 0; i < reader_length(list); i++) {
		const ReaderNode *element = reader_element(list, i);
		if (reader_is_group(element))
			read_contrast(reader, element, matrix, design);
		else if (i == 0 && reader_is_string(element) &&
		    strcmp(config_setting_get_string(element), "only") == 0)
			design->contrasts_replace = true;
		else
			reader_mistake(reader, element,
			    "must be a group { }, or \"only\" as the first");
	}
	if (design->contrasts_replace && design->contrasts->len == 0)
		reader_mistake(reader, list,
		    "compares nothing: write a group { } after \"only\"");
}

static void
read_int(Reader *reader, const ReaderNode *node, const char *key, int64_t min,
    int64_t max, int *value)
{
	int64_t number = 0;

	if (reader_int(reader, node, key, min, max, &number))
		*value = (int)number;
}

static void
read_quiet(Reader *reader, const ReaderNode *node, Design *design)
{
	const ReaderNode *quiet = reader_group(reader, node, "quiet");

	if (quiet == NULL)
		return;
	reader_keys(reader, quiet, &place_quiet, words_places, NULL);
	(void)reader_percent(reader, quiet, "limit", &design->quiet_percent);
	(void)reader_duration(reader, quiet, "wait", 0, &design->quiet_wait_ms);
}

/* What a rule by width needs for its intervals to hold what they say. */
static void
check_stop(Reader *reader, const ReaderNode *node, const Design *design)
{
	const StopRule *stop = &design->stop;
	const char *const needing[] = { "looks", "max_rounds" };

	for (size_t i = 0; i < G_N_ELEMENTS(needing); i++)
		if (!(stop->halfwidth_percent > 0) &&
		    reader_get(node, needing[i]) != NULL)
			reader_mistake_key(reader, node, needing[i],
			    "needs halfwidth: nothing else is looked at");
	if (!(stop->halfwidth_percent > 0))
		return;
	if (stop->max_rounds == 0)
		reader_mistake_key(reader, node, "halfwidth",
		    "needs max_rounds, where it ends in any case");
	else if (stop->max_rounds < design->rounds)
		reader_mistake_key(reader, node, "max_rounds",
		    "is less than the %d rounds that are made first",
		    design->rounds);
	if (design->rounds < MATRIX_STOP_ROUNDS)
		reader_mistake_key(reader, node, "halfwidth",
		    "needs design.rounds of %d or more: after fewer an "
		    "interval may be narrow by chance",
		    MATRIX_STOP_ROUNDS);
}

static void
read_stop(Reader *reader, const ReaderNode *design, Design *values)
{
	const ReaderNode *node = reader_group(reader, design, "stop");
	StopRule *stop = &values->stop;

	if (node == NULL)
		return;
	reader_keys(reader, node, &place_stop, words_places, NULL);
	(void)reader_percent(
	    reader, node, "halfwidth", &stop->halfwidth_percent);
	read_int(reader, node, "looks", 1, MATRIX_ROUNDS, &stop->looks);
	read_int(
	    reader, node, "max_rounds", 1, MATRIX_ROUNDS, &stop->max_rounds);
	stop->until = reader_string(reader, node, "until");
	if (stop->until != NULL &&
	    !g_regex_match_simple("^([01][0-9]|2[0-3]):[0-5][0-9]$",
		stop->until, G_REGEX_DOLLAR_ENDONLY, 0))
		reader_mistake_key(reader, node, "until",
		    "\"%s\" is no time of day such as \"07:00\"", stop->until);
	check_stop(reader, node, values);
}

/* An integer drops runs, a string is a length of time. */
static void
read_warmup(Reader *reader, const ReaderNode *node, Design *design)
{
	if (reader_is_string(reader_get(node, "warmup"))) {
		if (reader_duration(
			reader, node, "warmup", 1, &design->warmup_ms))
			design->warmup_runs = 0;
	} else
		read_int(
		    reader, node, "warmup", 0, MAX_RUNS, &design->warmup_runs);
}

static void
read_seed(Reader *reader, const ReaderNode *node, Design *design)
{
	const ReaderNode *given = reader_get(node, "seed");
	int64_t seed = 0;

	if (given == NULL || !reader_is_string(given)) {
		design->seed_given =
		    reader_int(reader, node, "seed", 0, INT64_MAX, &seed);
		design->seed = (uint64_t)seed;
		return;
	}
	guint64 parsed = 0;
	design->seed_given = g_ascii_string_to_unsigned(
	    config_setting_get_string(given), 10, 0, UINT64_MAX, &parsed, NULL);
	design->seed = parsed;
	if (!design->seed_given)
		reader_mistake(reader, given,
		    "\"%s\" is no integer from 0 to 18446744073709551615",
		    config_setting_get_string(given));
}

static void
read_policies(Reader *reader, const ReaderNode *node, Design *design)
{
	static const char *const orders[] = { "listed", "random", NULL };
	int order = design->random, boot = BOOT_BLOCK;
	int restart = RESTART_VISIT;

	(void)reader_enum(reader, node, "order", orders, &order);
	(void)reader_enum(reader, node, "boot", words_boots, &boot);
	(void)reader_enum(reader, node, "restart", words_restarts, &restart);
	design->random = order == 1;
	design->boot = (BootPolicy)boot;
	design->restart = (RestartPolicy)restart;
}

void
read_design(Reader *reader, Matrix *matrix)
{
	const ReaderNode *node =
	    reader_group(reader, reader_root(reader), "design");
	Design *design = &matrix->design;

	*design = (Design){ .rounds = 5,
		.runs = 2,
		.warmup_runs = 1,
		.random = true,
		.margin_percent = 1,
		.others_percent = 10,
		.quiet_percent = 10,
		.quiet_wait_ms = 30000 };
	reader_keys(reader, node, &place_design, words_places, NULL);
	read_int(reader, node, "rounds", 1, MATRIX_ROUNDS, &design->rounds);
	read_int(reader, node, "runs", 1, MAX_RUNS, &design->runs);
	read_warmup(reader, node, design);
	read_policies(reader, node, design);
	read_seed(reader, node, design);
	const ReaderNode *baseline = reader_group(reader, node, "baseline");
	if (baseline != NULL)
		design->baseline =
		    read_pattern(reader, baseline, matrix, false);
	design->exclude = read_patterns(reader, node, "exclude", matrix);
	design->include = read_patterns(reader, node, "include", matrix);
	(void)reader_bool(reader, node, "aa", &design->aa);
	(void)reader_bool(reader, node, "share", &design->share);
	(void)reader_percent(reader, node, "margin", &design->margin_percent);
	(void)reader_percent(reader, node, "others", &design->others_percent);
	read_contrasts(reader, node, matrix, design);
	read_quiet(reader, node, design);
	read_stop(reader, node, design);
}
