#include "analysis/causes.h"

#include <string.h>

static void
cause_free(void *what)
{
	Cause *cause = what;

	g_free(cause->where);
	g_free(cause->what);
	g_free(cause);
}

GPtrArray *
causes_new(void)
{
	return g_ptr_array_new_with_free_func(cause_free);
}

void
causes_add(GPtrArray *causes, const char *where, const char *what, size_t times)
{
	for (guint i = 0; i < causes->len; i++) {
		Cause *known = causes->pdata[i];
		if (strcmp(known->what, what) == 0) {
			known->times += times;
			return;
		}
	}
	Cause *cause = g_new0(Cause, 1);
	cause->where = g_strdup(where);
	cause->what = g_strdup(what);
	cause->times = times;
	g_ptr_array_add(causes, cause);
}
