#include "plan/questions.h"

#include <string.h>

#include "base/error.h"
#include "plan/pattern.h"

/* A contrast, looked up: its sides, and which cells each of them takes. */
typedef struct {
	const Contrast *contrast;
	Pattern *of, *against;
	bool *in_of, *in_against; /* by cell */
} Question;

static void
question_free(void *what)
{
	Question *question = what;

	pattern_free(question->of);
	pattern_free(question->against);
	g_free(question->in_of);
	g_free(question->in_against);
	g_free(question);
}

static void G_GNUC_PRINTF(4, 5) refuse(const Plan *plan,
    const Contrast *contrast, GError **error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_autofree char *what = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_USAGE,
	    "%s:%d: design.contrasts: \"%s\" %s", plan->matrix->path,
	    contrast->line, contrast->name, what);
}

static bool *
cells_of(const Plan *plan, const Pattern *pattern)
{
	bool *in = g_new0(bool, plan->cells->len + 1);

	for (size_t i = 0; i < plan->cells->len; i++) {
		const Cell *cell = plan_cell(plan, i);
		in[i] = !cell->again && pattern_matches(pattern, cell->level);
	}
	return in;
}

static Question *
question_new(const Plan *plan, const Contrast *contrast, GError **error)
{
	Question *question = g_new0(Question, 1);
	static const char key[] = "contrasts";

	question->contrast = contrast;
	question->of = pattern_new(plan->matrix, contrast->of, key, error);
	question->against = question->of == NULL
	    ? NULL
	    : pattern_new(plan->matrix, contrast->against, key, error);
	if (question->against == NULL) {
		question_free(question);
		return NULL;
	}
	question->in_of = cells_of(plan, question->of);
	question->in_against = cells_of(plan, question->against);
	return question;
}

static bool
has_any(const bool *in, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (in[i])
			return true;
	return false;
}

static bool
takes(const Pattern *pattern, size_t factor, size_t level)
{
	return pattern->match[factor] == NULL || pattern->match[factor][level];
}

/* The sides do not name the same levels of it, or all. */
static bool
differs(const Question *question, const Plan *plan, size_t factor)
{
	const Factor *of = g_ptr_array_index(plan->matrix->factors, factor);

	for (size_t i = 0; i < of->levels->len; i++)
		if (takes(question->of, factor, i) !=
		    takes(question->against, factor, i))
			return true;
	return false;
}

/* The levels of a cell in which the sides do not differ; free it. */
static char *
held_of(const Question *question, const Plan *plan, const Cell *cell)
{
	GString *key = g_string_new(NULL);

	for (size_t f = 0; f < plan->matrix->factors->len; f++)
		if (!differs(question, plan, f))
			g_string_append_printf(key, "%zu ", cell->level[f]);
	return g_string_free(key, FALSE);
}

/* Some combination of what the sides do not differ in has cells of both. */
static bool
can_be_made(const Question *question, const Plan *plan)
{
	g_autoptr(GHashTable) of =
	    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	bool both = false;

	for (size_t i = 0; i < plan->cells->len; i++)
		if (question->in_of[i])
			g_hash_table_add(
			    of, held_of(question, plan, plan_cell(plan, i)));
	for (size_t i = 0; i < plan->cells->len && !both; i++) {
		g_autofree char *key =
		    held_of(question, plan, plan_cell(plan, i));
		both =
		    question->in_against[i] && g_hash_table_contains(of, key);
	}
	return both;
}

static bool
uses(const Load *load, const char *variable)
{
	for (guint i = 0; i < load->variables->len; i++)
		if (strcmp(load->variables->pdata[i], variable) == 0)
			return true;
	return false;
}

/* Of all variables that it names, or of none that it names. */
static bool
has_load(const Question *question, const Plan *plan)
{
	const Matrix *matrix = plan->matrix;

	for (guint i = 0; i < matrix->loads->len; i++) {
		const Load *load = g_ptr_array_index(matrix->loads, i);
		bool all = true;
		for (size_t f = 0; f < matrix->factors->len; f++) {
			const Factor *factor =
			    g_ptr_array_index(matrix->factors, f);
			const bool named = question->of->match[f] != NULL ||
			    question->against->match[f] != NULL;
			all = all &&
			    (!named || factor->class != CLASS_LOAD ||
				uses(load, factor->name));
		}
		if (all)
			return true;
	}
	return false;
}

static bool
check_one(const Plan *plan, const Question *question, GError **error)
{
	const Contrast *contrast = question->contrast;
	const size_t n = plan->cells->len;

	if (!has_any(question->in_of, n) || !has_any(question->in_against, n)) {
		refuse(plan, contrast, error,
		    "has no cell on the side of \"%s\": see design.exclude",
		    has_any(question->in_of, n) ? "against" : "of");
		return false;
	}
	for (size_t i = 0; i < n; i++)
		if (question->in_of[i] && question->in_against[i]) {
			refuse(plan, contrast, error,
			    "has %s on both sides: name levels that tell them "
			    "apart",
			    plan_cell(plan, i)->name);
			return false;
		}
	if (!can_be_made(question, plan)) {
		refuse(plan, contrast, error,
		    "has no cells of both sides that are else alike: see "
		    "design.exclude");
		return false;
	}
	if (has_load(question, plan))
		return true;
	refuse(plan, contrast, error,
	    "names variables of which no load uses all: no load can tell");
	return false;
}

/* The same cells, this way or the other way round. */
static bool
same(const Question *a, const Question *b, size_t n)
{
	const size_t size = n * sizeof(bool);

	return (memcmp(a->in_of, b->in_of, size) == 0 &&
		   memcmp(a->in_against, b->in_against, size) == 0) ||
	    (memcmp(a->in_of, b->in_against, size) == 0 &&
		memcmp(a->in_against, b->in_of, size) == 0);
}

static bool
check_twice(const Plan *plan, const GPtrArray *questions,
    const Question *question, GError **error)
{
	for (guint i = 0; i < questions->len; i++) {
		const Question *other = g_ptr_array_index(questions, i);
		if (strcmp(other->contrast->name, question->contrast->name) ==
		    0) {
			refuse(plan, question->contrast, error,
			    "is the name of the one in line %d, too",
			    other->contrast->line);
			return false;
		}
		if (same(other, question, plan->cells->len)) {
			refuse(plan, question->contrast, error,
			    "asks what the one in line %d asks",
			    other->contrast->line);
			return false;
		}
	}
	return true;
}

bool
questions_check(const Plan *plan, GError **error)
{
	const GPtrArray *contrasts = plan->matrix->design.contrasts;
	g_autoptr(GPtrArray) questions =
	    g_ptr_array_new_with_free_func(question_free);

	for (guint i = 0; i < contrasts->len; i++) {
		Question *question =
		    question_new(plan, g_ptr_array_index(contrasts, i), error);
		if (question == NULL)
			return false;
		const bool ok = check_one(plan, question, error) &&
		    check_twice(plan, questions, question, error);
		g_ptr_array_add(questions, question);
		if (!ok)
			return false;
	}
	return true;
}
