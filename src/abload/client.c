#include "abload/client.h"

#include <string.h>

/* The server's number, in MariaDB and MySQL. */
enum { TOO_MANY_STATEMENTS = 1461 };

void
client_init(Client *client)
{
	const guint dictionaries = client->bench->smack->dictionaries->len;

	client->draws = g_new0(WordDraw, dictionaries + 1);
	client->tallies = g_new0(Tally, client->n_types);
	for (size_t i = 0; i < client->n_types; i++) {
		client->tallies[i].latency = g_new0(Histogram, 1);
		client->tallies[i].min_ns = UINT64_MAX;
	}
	client->statements = g_new0(WireStatement, client->n_statements + 1);
	client->errors = g_array_new(FALSE, TRUE, sizeof(ClientError));
	client->source.client = client->index;
	client->source.clients = client->clients;
	client->fd = -1;
}

void
client_clear(Client *client)
{
	client_disconnect(client);
	for (size_t i = 0; i < client->n_types; i++)
		g_free(client->tallies[i].latency);
	for (guint i = 0; i < client->errors->len; i++)
		g_free(g_array_index(client->errors, ClientError, i).message);
	g_array_unref(client->errors);
	g_free(client->tallies);
	g_free(client->draws);
	g_free(client->statements);
	g_free(client->server);
}

void
client_disconnect(Client *client)
{
	__atomic_store_n(&client->fd, -1, __ATOMIC_RELEASE);
	wire_clear(&client->wire);
	g_clear_pointer(&client->connection, connection_close);
}

static size_t
longest_of(const Client *client)
{
	size_t longest = 0;

	for (size_t i = 0; i < client->n_shots; i++)
		if (client->shots[i].query != NULL)
			longest = MAX(longest,
			    client->shots[i].query->longest +
				strlen(client->shots[i].query->of->text));
	/* An execution has a head, and types and lengths for each value. */
	return longest + (size_t)WIRE_MAX_PARAMETERS * 8;
}

static bool
prepare(Client *client, WireAnswer *answer)
{
	for (size_t i = 0; i < client->n_shots; i++) {
		const Shot *shot = &client->shots[i];
		if (!shot->prepared)
			continue;
		if (wire_prepare(&client->wire, shot->query->prepared,
			strlen(shot->query->prepared),
			&client->statements[shot->statement], answer))
			continue;
		bench_stop(client->bench, BENCH_NO_SERVER,
		    "client %s %zu cannot prepare \"%s\": %s (error %u%s)",
		    client->kind, client->index + 1, shot->query->prepared,
		    answer->message, answer->error,
		    answer->error == TOO_MANY_STATEMENTS
			? "; raise max_prepared_stmt_count"
			: "");
		return false;
	}
	return true;
}

bool
client_connect(Client *client)
{
	g_autoptr(GError) error = NULL;
	WireAnswer answer;
	const uint64_t began = bench_now_ns();

	client->connection = connection_open(client->login, &error);
	if (client->connection == NULL) {
		bench_stop(client->bench, BENCH_NO_SERVER, "client %s %zu: %s",
		    client->kind, client->index + 1, error->message);
		return false;
	}
	client->connect_us = (int64_t)((bench_now_ns() - began) / 1000);
	client->server = g_strdup(connection_server(client->connection));
	/* One tells it for all. */
	if (client->index == 0)
		client->peer = connection_peer(client->connection);
	const int fd = connection_socket(client->connection, &error);
	if (fd < 0) {
		bench_stop(client->bench, BENCH_NO_SERVER, "client %s %zu: %s",
		    client->kind, client->index + 1, error->message);
		return false;
	}
	__atomic_store_n(&client->fd, fd, __ATOMIC_RELEASE);
	if (!wire_init(&client->wire, fd, longest_of(client), &answer)) {
		bench_stop(client->bench, BENCH_NO_SERVER,
		    "client %s %zu: %s (error %u)", client->kind,
		    client->index + 1, answer.message, answer.error);
		return false;
	}
	return prepare(client, &answer);
}

bool
client_say(Client *client, const char *sql)
{
	WireAnswer answer;

	if (client->connection == NULL) {
		bench_stop(client->bench, BENCH_USAGE,
		    "client %s says \"%s\" before it is connected",
		    client->kind, sql);
		return false;
	}
	if (wire_say(&client->wire, sql, &answer))
		return true;
	bench_stop(client->bench, BENCH_ABORTED,
	    "client %s %zu, \"%s\": %s (error %u)", client->kind,
	    client->index + 1, sql, answer.message, answer.error);
	return false;
}
