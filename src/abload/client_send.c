#include "abload/client_work.h"

#include <string.h>

/* Numbers of the server (MariaDB and MySQL have the same). */
enum {
	LOCK_WAIT = 1205, /* the statement was rolled back, or all */
	DEADLOCK = 1213,
	CHANGED = 1020,
};

/* Mixes bytes into the digest, eight at a time. */
static void
mix(Client *client, const char *text, size_t length)
{
	static const uint64_t odd = 0x9e3779b97f4a7c15;
	uint64_t digest = client->digest ^ length;
	uint64_t word;

	for (; length >= sizeof word; length -= sizeof word) {
		memcpy(&word, text, sizeof word);
		digest = (digest ^ GUINT64_FROM_LE(word)) * odd;
		digest ^= digest >> 29;
		text += sizeof word;
	}
	word = 0;
	memcpy(&word, text, length);
	digest = (digest ^ GUINT64_FROM_LE(word)) * odd;
	client->digest = digest ^ digest >> 32;
}

/* Draws and writes one query: bytes behind wire_text(). */
static size_t
write_query(Client *client, const Shot *shot)
{
	const Query *query = shot->query;

	if (!shot->prepared)
		return query_fill(query, client->draws, &client->source,
		    wire_text(&client->wire));
	unsigned char *at =
	    wire_begin(&client->wire, &client->statements[shot->statement]);
	for (guint i = 0; i < query->parts->len; i++) {
		const QueryPart *part =
		    &g_array_index(query->parts, QueryPart, i);
		if (part->words == NULL)
			continue;
		const size_t length =
		    words_draw(part->words, &client->draws[part->dictionary],
			&client->source, false, wire_value_bytes(at));
		at = wire_value_end(at, length);
	}
	return (size_t)(at - client->wire.out) - WIRE_HEAD;
}

static bool
transmit(Client *client, const Shot *shot, size_t length, WireAnswer *answer)
{
	return shot->prepared
	    ? wire_execute(&client->wire, &client->statements[shot->statement],
		  length, answer)
	    : wire_query(&client->wire, length, answer);
}

static void
keep_error(Client *client, const WireAnswer *answer)
{
	for (guint i = 0; i < client->errors->len; i++) {
		ClientError *known =
		    &g_array_index(client->errors, ClientError, i);
		if (known->number == answer->error) {
			known->times++;
			return;
		}
	}
	const ClientError error = { .number = answer->error,
		.times = 1,
		.message = g_strdup(answer->message) };
	g_array_append_val(client->errors, error);
}

/* The same query may be sent again: only its transaction was lost. */
static bool
may_retry(Client *client, const WireAnswer *answer, int64_t tries)
{
	WireAnswer rollback;

	if (answer->error != LOCK_WAIT && answer->error != DEADLOCK &&
	    answer->error != CHANGED)
		return false;
	return tries < client->bench->options->retries &&
	    (answer->error != LOCK_WAIT ||
		wire_say(&client->wire, "rollback", &rollback));
}

static void
tell_failure(Client *client, const Shot *shot, const WireAnswer *answer)
{
	/* What a stop breaks is no reason of its own. */
	if (bench_is_stopped(client->bench))
		return;
	bench_stop(client->bench,
	    answer->error == WIRE_TIMEOUT ? BENCH_TIMEOUT : BENCH_ABORTED,
	    "client %s %zu, query \"%s\" (%s): %s (error %u)", client->kind,
	    client->index + 1, shot->query->of->name, shot->query->of->text,
	    answer->message, answer->error);
}

/* Off the usual path: retries what may be, tells what may not. */
static bool
recover(Client *client, const Shot *shot, size_t length, WireAnswer *answer)
{
	char *written = wire_text(&client->wire);
	g_autofree char *kept = g_memdup2(written, length);

	for (int64_t tries = 0;; tries++) {
		keep_error(client, answer);
		if (!may_retry(client, answer, tries)) {
			tell_failure(client, shot, answer);
			return false;
		}
		client->retries++;
		memcpy(written, kept, length);
		if (transmit(client, shot, length, answer))
			return true;
	}
}

bool
client_exchange(
    Client *client, const Shot *shot, bool digested, WireAnswer *answer)
{
	const size_t length = write_query(client, shot);

	if (digested)
		mix(client, wire_text(&client->wire), length);
	return transmit(client, shot, length, answer) ||
	    recover(client, shot, length, answer);
}
