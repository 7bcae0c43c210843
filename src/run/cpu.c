#include "run/cpu.h"

#include "base/text.h"

static int64_t
number_of(const VerbAnswer *answer, const char *key)
{
	const char *text = verb_answer_get(answer, key);
	int64_t value = -1;

	return text != NULL && text_parse_int(text, 0, INT64_MAX, &value, NULL)
	    ? value
	    : -1;
}

void
cpu_read(const VerbAnswer *answer, bool has_server, StoreRun *run)
{
	const int64_t busy = number_of(answer, "busy_ms");
	const int64_t load = number_of(answer, "load_ms");

	run->cpu_ms = number_of(answer, "cpu_ms");
	run->stolen_ms = number_of(answer, "stolen_ms");
	run->server_ms = number_of(answer, "server_ms");
	run->others_ms = -1;
	if (run->cpu_ms <= 0 || busy < 0 || load < 0 ||
	    (has_server && run->server_ms < 0))
		return;
	/* Each is counted in ticks, and not at one moment. */
	run->others_ms = MAX(busy - load - MAX(run->server_ms, 0), 0);
}
