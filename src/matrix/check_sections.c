#include "matrix/parse.h"

#include <string.h>

/* What client may say; free the array, which ends with NULL. */
static GPtrArray *
client_names(const Matrix *matrix)
{
	GPtrArray *known = g_ptr_array_new();

	g_ptr_array_add(known, (void *)"target");
	g_ptr_array_add(known, (void *)"controller");
	for (guint i = 0; i < matrix->hosts->len; i++) {
		const Host *host = g_ptr_array_index(matrix->hosts, i);
		if (host->name != NULL)
			g_ptr_array_add(known, host->name);
	}
	g_ptr_array_add(known, NULL);
	return known;
}

static void
check_clients(Reader *reader, const Matrix *matrix)
{
	const ReaderNode *root = reader_root(reader);
	const ReaderNode *targets = reader_get(root, "targets");
	const bool has_server = reader_get(root, "server") != NULL;
	g_autoptr(GPtrArray) known = client_names(matrix);
	const char *const *names = (const char *const *)known->pdata;

	for (guint i = 0; i < matrix->targets->len; i++) {
		const Host *target = g_ptr_array_index(matrix->targets, i);
		const ReaderNode *node = reader_element(targets, i);
		if (target->client == NULL)
			continue;
		if (!g_strv_contains(names, target->client)) {
			g_autofree char *guess =
			    reader_guess(target->client, names);
			reader_mistake_key(reader, node, "client",
			    "no member of hosts is named \"%s\"%s",
			    target->client,
			    *guess == '\0'
				? ", write one of hosts, \"target\" or "
				  "\"controller\""
				: guess);
		} else if (!has_server &&
		    strcmp(target->client, "target") != 0) {
			reader_mistake_key(reader, node, "client",
			    "is \"%s\", but without server the load itself is "
			    "what is measured, on the target: leave client "
			    "out, or write what the load speaks to as server: "
			    "{ start = ...; stop = ...; port = ...; }",
			    target->client);
		}
	}
}

/* Nobody reaches a socket from elsewhere. */
static void
check_sockets(Reader *reader, const Matrix *matrix)
{
	const ReaderNode *server = reader_get(reader_root(reader), "server");

	if (server == NULL || matrix->server.socket == NULL ||
	    matrix->server.port != 0)
		return;
	for (guint i = 0; i < matrix->targets->len; i++) {
		const Host *target = g_ptr_array_index(matrix->targets, i);
		if (target->name == NULL || target->client == NULL ||
		    strcmp(target->client, "target") == 0)
			continue;
		reader_mistake_key(reader, server, "port",
		    "is missing: the load of %s runs on \"%s\" and reaches no "
		    "socket, write port = 3306 and let the server listen there",
		    target->name, target->client);
		return;
	}
}

/* mysqld settings and tables need something that speaks MySQL. */
static void
check_mysqld(Reader *reader, const Matrix *matrix)
{
	const ReaderNode *root = reader_root(reader);
	const ReaderNode *factors = reader_get(root, "factors");
	const ReaderNode *loads = reader_get(root, "loads");

	if (matrix->server.mysqld)
		return;
	for (guint i = 0; i < matrix->factors->len; i++) {
		const Factor *factor = g_ptr_array_index(matrix->factors, i);
		const ReaderNode *node = reader_element(factors, i);
		for (guint j = 0; j < factor->levels->len; j++) {
			const Level *level =
			    g_ptr_array_index(factor->levels, j);
			for (guint k = 0; k < level->settings->len; k++) {
				const Setting *setting =
				    g_ptr_array_index(level->settings, k);
				if (setting->kind != SETTING_MYSQLD)
					continue;
				reader_mistake(reader, reader_element(node, j),
				    "sets mysqld %s, but server is no mysqld: "
				    "write server: { service = ... } or { "
				    "command = ... }",
				    setting->name);
			}
		}
	}
	for (guint i = 0; i < matrix->loads->len; i++) {
		const Load *load = g_ptr_array_index(matrix->loads, i);
		if (load->tables->len > 0)
			reader_mistake_key(reader, reader_element(loads, i),
			    "tables",
			    "are counted by SQL, but server is no mysqld");
	}
}

static void
check_size(Reader *reader, const Matrix *matrix)
{
	double cells = 1;

	for (guint i = 0; i < matrix->factors->len; i++) {
		const Factor *factor = g_ptr_array_index(matrix->factors, i);
		cells *= MAX(factor->levels->len, 1);
	}
	if (cells > MATRIX_CELLS)
		reader_mistake_key(reader, reader_root(reader), "factors",
		    "%.0f cells, at most %d can be", cells, MATRIX_CELLS);
}

void
check_sections(Reader *reader, const Matrix *matrix)
{
	check_clients(reader, matrix);
	check_sockets(reader, matrix);
	check_mysqld(reader, matrix);
	check_size(reader, matrix);
}
