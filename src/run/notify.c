#include "run/notify.h"

#include "base/log.h"
#include "run/hook.h"

/* A mail server that hangs must not hold up a night. */
enum { LIMIT_MS = 30000 };

bool
notify_check(const Matrix *matrix, GError **error)
{
	for (guint i = 0; i < matrix->notify->len; i++) {
		g_autofree char *path = hook_path(
		    matrix->path, "notify", matrix->notify->pdata[i], error);
		if (path == NULL)
			return false;
	}
	return true;
}

void
notify_tell(const Matrix *matrix, Store *store, const Notice *notice)
{
	const HookFact facts[] = {
		{ "EVENT", notice->event },
		{ "TEXT", notice->text },
		{ "TARGET", notice->target },
		{ "FAILURE", notice->failure },
		{ "STATUS", notice->status },
		{ "POST", notice->post },
		{ "TITLE", matrix->title },
		{ "MATRIX", matrix->path },
		{ "DIRECTORY", store_directory(store) },
	};

	for (guint i = 0; i < matrix->notify->len; i++) {
		g_autoptr(GError) failure = NULL;
		if (hook_run(matrix->path, "notify", matrix->notify->pdata[i],
			facts, G_N_ELEMENTS(facts), LIMIT_MS, NULL, &failure))
			continue;
		log_error("%s, told of \"%s\"; the night goes on",
		    failure->message, notice->event);
		(void)store_event(
		    store, SIZE_MAX, "notify failed", failure->message, NULL);
	}
}
