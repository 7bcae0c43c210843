#include "matrix/parse.h"

#include <string.h>

#include "base/text.h"
#include "matrix/words.h"

static void
read_monitor(Reader *reader, const ReaderNode *node, Matrix *matrix)
{
	static const char *const places[] = { "target", "client", NULL };
	Monitor *monitor = g_new0(Monitor, 1);
	int on = 0;

	reader_keys(reader, node, &place_monitor, words_places, NULL);
	monitor->line = reader_line(reader, node);
	monitor->name = reader_need_string(
	    reader, node, "name", "\"what the post calls it\"");
	if (monitor->name != NULL && !text_is_safe_name(monitor->name))
		reader_mistake_key(reader, node, "name",
		    "\"%s\" is no name, use letters, digits, . _ and - (at "
		    "most 64)",
		    monitor->name);
	for (guint i = 0; monitor->name != NULL && i < matrix->monitors->len;
	     i++) {
		const Monitor *other = g_ptr_array_index(matrix->monitors, i);
		if (other->name != NULL &&
		    strcmp(other->name, monitor->name) == 0)
			reader_mistake_key(reader, node, "name",
			    "two monitors are named \"%s\"", monitor->name);
	}
	(void)reader_enum(reader, node, "on", places, &on);
	monitor->on = g_strdup(places[on]);
	monitor->command =
	    reader_need_string(reader, node, "command", "\"vmstat 1\"");
	g_ptr_array_add(matrix->monitors, monitor);
}

void
read_monitors(Reader *reader, Matrix *matrix)
{
	const ReaderNode *list =
	    reader_groups(reader, reader_root(reader), "monitors");

	for (size_t i = 0; i < reader_length(list); i++)
		read_monitor(reader, reader_element(list, i), matrix);
}
