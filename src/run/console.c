#include "run/console.h"

#include "base/log.h"
#include "base/text.h"
#include "run/hook.h"

/* Of the last lines so much stands in the report. */
enum { SHOWN_BYTES = 300 };

static void
tell(Worker *worker, const char *text)
{
	log_error("%s: console: %s", worker_host(worker)->name, text);
	(void)store_event(
	    worker->store, worker->index, CONSOLE_EVENT, text, NULL);
}

void
console_open(Worker *worker, const char *what, Console *console)
{
	const Host *host = worker_host(worker);
	const HookFact facts[] = {
		{ "TARGET", host->name },
		{ "DIRECTORY", store_directory(worker->store) },
	};
	g_autoptr(GError) failure = NULL;

	*console = (Console){ 0 };
	/* abrun restore may have no run directory. */
	if (host->console == NULL || store_directory(worker->store) == NULL)
		return;
	g_autofree char *safe = text_safe_name(host->name);
	g_autofree char *name =
	    g_strdup_printf("console-%s-%s.txt", safe, what);
	g_auto(GStrv) env = hook_environment(facts, G_N_ELEMENTS(facts));
	console->path = store_raw_path(worker->store, name);
	if (console->path != NULL)
		console->follow = follow_start(host->console,
		    (const char *const *)env, console->path, &failure);
	if (console->follow == NULL)
		tell(worker,
		    failure == NULL ? "it cannot be kept" : failure->message);
}

void
console_close(Worker *worker, Console *console, bool failed)
{
	const bool open = console->follow != NULL;
	g_autofree char *last = follow_end(console->follow);

	if (open && failed) {
		g_autofree char *name = g_path_get_basename(console->path);
		g_autofree char *lines = follow_last_lines(last, SHOWN_BYTES);
		g_autofree char *text = *lines == '\0'
		    ? g_strdup("it printed nothing")
		    : g_strdup_printf("raw/%s ends: %s", name, lines);
		tell(worker, text);
	}
	g_clear_pointer(&console->path, g_free);
	console->follow = NULL;
}
