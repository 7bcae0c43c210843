#include "matrix/mistakes.h"

#include <string.h>

#include "base/error.h"

/* Nobody reads more; a file of noise must not print a book. */
enum { REPORT_LINES = 200 };

typedef struct {
	size_t order;
	char *text;
} Mistake;

struct Mistakes {
	GPtrArray *list; /* Mistake */
};

static void
mistake_free(void *data)
{
	Mistake *mistake = data;

	g_free(mistake->text);
	g_free(mistake);
}

Mistakes *
mistakes_new(void)
{
	Mistakes *mistakes = g_new0(Mistakes, 1);

	mistakes->list = g_ptr_array_new_with_free_func(mistake_free);
	return mistakes;
}

void
mistakes_free(Mistakes *mistakes)
{
	if (mistakes == NULL)
		return;
	g_ptr_array_unref(mistakes->list);
	g_free(mistakes);
}

/* Kept in order; what was told first of one line stays first. */
void
mistakes_add(Mistakes *mistakes, size_t order, char *text)
{
	GPtrArray *list = mistakes->list;
	guint place = list->len;

	while (place > 0) {
		const Mistake *before = g_ptr_array_index(list, place - 1);
		if (before->order <= order)
			break;
		place--;
	}
	for (guint i = place; i > 0; i--) {
		const Mistake *same = g_ptr_array_index(list, i - 1);
		if (same->order != order)
			break;
		if (strcmp(same->text, text) == 0) {
			g_free(text);
			return;
		}
	}
	if (list->len > 10 * REPORT_LINES) {
		g_free(text);
		return;
	}
	Mistake *mistake = g_new0(Mistake, 1);
	mistake->order = order;
	mistake->text = text;
	g_ptr_array_insert(list, (gint)place, mistake);
}

size_t
mistakes_count(const Mistakes *mistakes)
{
	return mistakes->list->len;
}

bool
mistakes_finish(const Mistakes *mistakes, GError **error)
{
	const GPtrArray *list = mistakes->list;
	g_autoptr(GString) report = g_string_new(NULL);

	if (list->len == 0)
		return true;
	for (guint i = 0; i < MIN(list->len, REPORT_LINES); i++) {
		const Mistake *mistake = g_ptr_array_index(list, i);
		if (i > 0)
			g_string_append_c(report, '\n');
		g_string_append(report, mistake->text);
	}
	if (list->len > REPORT_LINES)
		g_string_append_printf(report, "\nand %s%u more",
		    list->len > 10 * REPORT_LINES ? "at least " : "",
		    list->len - REPORT_LINES);
	g_set_error_literal(error, ABRUN_ERROR, ABRUN_ERROR_USAGE, report->str);
	return false;
}
