#include "abload/table.h"

#include <stdio.h>
#include <string.h>

#include "abload/table_data.h"
#include "base/error.h"
#include "base/text.h"

enum { BATCH = 1000 }; /* rows of one insert */

/* A name inside ``. */
static char *
quote_name(const char *name)
{
	g_auto(GStrv) parts = g_strsplit(name, "`", -1);
	g_autofree char *inside = g_strjoinv("``", parts);

	return g_strdup_printf("`%s`", inside);
}

static bool
say(Connection *connection, const SmackTable *table, const char *sql,
    size_t length, GError **error)
{
	if (connection_do(connection, sql, length, error))
		return true;
	g_prefix_error(error, "table '%s': ", table->name);
	return false;
}

static Connection *
open_for(const SmackTable *table, const Options *options, GError **error)
{
	const Login login = options_login(options, table->client);
	Connection *connection = connection_open(&login, error);

	if (connection == NULL) {
		g_prefix_error(error, "table '%s', client %s: ", table->name,
		    table->client->name);
		return NULL;
	}
	g_autofree char *engine = options->engine == NULL
	    ? NULL
	    : g_strdup_printf(
		  "set session default_storage_engine = '%s'", options->engine);
	if (engine == NULL ||
	    say(connection, table, engine, strlen(engine), error))
		return connection;
	connection_close(connection);
	return NULL;
}

/* Rows of the table; -1 where there is none. */
static bool
count_rows(Connection *connection, const SmackTable *table, int64_t *rows,
    GError **error)
{
	enum { NO_SUCH_TABLE = 1146 };
	g_autofree char *name = quote_name(table->name);
	g_autofree char *sql = g_strdup_printf("select count(*) from %s", name);
	g_autoptr(GError) trouble = NULL;
	g_autofree char *count = connection_value(connection, sql, &trouble);

	*rows = -1;
	if (count != NULL)
		return text_parse_int(count, 0, INT64_MAX, rows, error);
	if (connection_errno(connection) == NO_SUCH_TABLE)
		return true;
	g_propagate_error(error, g_steal_pointer(&trouble));
	return false;
}

/* Appends "('a','b')" of a line's fields. */
static void
append_row(
    Connection *connection, GString *sql, const char *line, size_t length)
{
	const char *const end = line + length;

	g_string_append(sql, sql->str[sql->len - 1] == ')' ? ",(" : "(");
	for (const char *at = line;;) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const char *stop = comma == NULL ? end : comma;
		g_string_append_c(sql, '\'');
		connection_escape(connection, sql, at, (size_t)(stop - at));
		g_string_append_c(sql, '\'');
		if (comma == NULL)
			break;
		g_string_append_c(sql, ',');
		at = comma + 1;
	}
	g_string_append_c(sql, ')');
}

static bool
insert_rows(Connection *connection, const SmackTable *table, const char *text,
    size_t length, GError **error)
{
	g_autofree char *name = quote_name(table->name);
	g_autofree char *head = g_strdup_printf("insert into %s values ", name);
	g_autoptr(GString) sql = g_string_new(head);
	const char *const end = text + length;
	size_t rows = 0;

	for (const char *at = text; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline == NULL ? end : newline;
		append_row(connection, sql, at, (size_t)(stop - at));
		at = stop + 1;
		if (++rows % BATCH != 0 && at < end)
			continue;
		if (!say(connection, table, sql->str, sql->len, error))
			return false;
		g_string_assign(sql, head);
	}
	return true;
}

static bool
make(Connection *connection, const SmackTable *table, const Options *options,
    GError **error)
{
	size_t length = 0;
	g_autofree char *text = table->data_file[0] == '\0'
	    ? NULL
	    : table_data(table, options, &length, error);

	if (text == NULL && table->data_file[0] != '\0')
		return false;
	(void)printf("Creating table '%s'\n", table->name);
	if (!say(
		connection, table, table->create, strlen(table->create), error))
		return false;
	if (text != NULL) {
		(void)printf("Loading data from file '%s' into table '%s'\n",
		    table->data_file, table->name);
		/* One transaction, where the engine has them. */
		if (!say(connection, table, "begin", 5, error) ||
		    !insert_rows(connection, table, text, length, error) ||
		    !say(connection, table, "commit", 6, error))
			return false;
	}
	int64_t rows;
	if (!count_rows(connection, table, &rows, error))
		return false;
	if (rows < 0 || (uint64_t)rows < table->rows) {
		g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_VERIFY,
		    "table '%s' was made with %" G_GINT64_FORMAT
		    " rows, and min_rows is %" G_GUINT64_FORMAT,
		    table->name, rows, table->rows);
		return false;
	}
	(void)printf("Table %s is now ready for the test\n", table->name);
	return true;
}

static bool
drop(Connection *connection, const SmackTable *table, GError **error)
{
	g_autofree char *name = quote_name(table->name);
	g_autofree char *sql = g_strdup_printf("drop table if exists %s", name);

	return say(connection, table, sql, strlen(sql), error);
}

static bool
ensure(Connection *connection, const SmackTable *table, const Options *options,
    GError **error)
{
	int64_t rows;

	if (!count_rows(connection, table, &rows, error))
		return false;
	if (rows >= 0 && (uint64_t)rows >= table->rows)
		return true;
	if (rows >= 0)
		(void)printf("Table '%s' does not meet condtions, will be "
			     "dropped\n",
		    table->name);
	return drop(connection, table, error) &&
	    make(connection, table, options, error);
}

static bool
prepare(Connection *connection, const SmackTable *table, const Options *options,
    GError **error)
{
	return drop(connection, table, error) &&
	    make(connection, table, options, error);
}

static bool
look(Connection *connection, const SmackTable *table, const Options *options,
    GError **error)
{
	int64_t rows;

	(void)options;
	if (!count_rows(connection, table, &rows, error))
		return false;
	if (rows >= 0 && (uint64_t)rows >= table->rows) {
		(void)printf("Table %s has %" G_GINT64_FORMAT " rows\n",
		    table->name, rows);
		return true;
	}
	g_set_error(error, ABRUN_ERROR, ABRUN_ERROR_VERIFY,
	    "table '%s' has %" G_GINT64_FORMAT
	    " rows (-1: it is not there), and min_rows is %" G_GUINT64_FORMAT,
	    table->name, rows, table->rows);
	return false;
}

static bool
remove_table(Connection *connection, const SmackTable *table,
    const Options *options, GError **error)
{
	(void)options;
	return drop(connection, table, error);
}

typedef bool Deed(Connection *connection, const SmackTable *table,
    const Options *options, GError **error);

static bool
for_each(const Smack *smack, const Options *options, Deed *deed, GError **error)
{
	for (guint i = 0; i < smack->tables->len; i++) {
		const SmackTable *table = g_ptr_array_index(smack->tables, i);
		g_autoptr(Connection) connection =
		    open_for(table, options, error);
		if (connection == NULL ||
		    !deed(connection, table, options, error))
			return false;
		(void)fflush(stdout);
	}
	return true;
}

bool
table_ensure_all(const Smack *smack, const Options *options, GError **error)
{
	return for_each(smack, options, ensure, error);
}

bool
table_prepare_all(const Smack *smack, const Options *options, GError **error)
{
	return for_each(smack, options, prepare, error);
}

bool
table_check_all(const Smack *smack, const Options *options, GError **error)
{
	return for_each(smack, options, look, error);
}

bool
table_drop_all(const Smack *smack, const Options *options, GError **error)
{
	return for_each(smack, options, remove_table, error);
}
