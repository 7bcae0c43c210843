#include "abload/wire.h"

#include <string.h>

#include <glib.h>

#include "abload/packet.h"

enum {
	MORE_RESULTS = 0x0008, /* SERVER_MORE_RESULTS_EXISTS */
	EOF_LENGTH = 5,
	COM_QUERY = 0x03,
	COM_STMT_PREPARE = 0x16,
	COM_STMT_EXECUTE = 0x17,
	TYPE_STRING = 0xfe, /* MYSQL_TYPE_STRING */
	IS_OK = 0x00,
	IS_FILE = 0xfb, /* the server asks for a file of ours */
	IS_EOF = 0xfe,
	IS_ERROR = 0xff,
	PROGRESS = 0xffff, /* an "error" that reports progress (MariaDB) */
};

/* An error packet, as it stands. */
static bool
fail_by_server(const Packet *packet, WireAnswer *answer)
{
	enum { STATE = 6 }; /* '#' and SQLSTATE */
	size_t at = 3;

	if (packet->length < at)
		return wire_fail(answer, WIRE_MALFORMED, "a torn error packet");
	answer->error = packet_short(packet->bytes + 1);
	if (packet->length >= at + STATE && packet->bytes[at] == '#')
		at += STATE;
	const size_t length = MIN(MIN(packet->length, (size_t)PACKET_KEPT) - at,
	    sizeof answer->message - 1);
	memcpy(answer->message, packet->bytes + at, length);
	answer->message[length] = '\0';
	return false;
}

static bool
is_error(const Packet *packet)
{
	return packet->length > 0 && packet->bytes[0] == IS_ERROR;
}

static bool
is_progress(const Packet *packet)
{
	return packet->length >= 3 && is_error(packet) &&
	    packet_short(packet->bytes + 1) == PROGRESS;
}

/* An OK packet, also one that stands where an EOF was: its status. */
static bool
read_ok(const Packet *packet, uint64_t *affected, unsigned *status,
    WireAnswer *answer)
{
	size_t at = 1;
	uint64_t inserted;

	if (!packet_number(packet, &at, affected) ||
	    !packet_number(packet, &at, &inserted) || at + 2 > packet->length)
		return wire_fail(answer, WIRE_MALFORMED, "a torn OK packet");
	*status = packet_short(packet->bytes + at);
	return true;
}

static bool
skip_columns(Wire *wire, uint64_t columns, WireAnswer *answer)
{
	Packet packet;

	for (uint64_t i = 0; i < columns; i++)
		if (!packet_next(wire, &packet, answer))
			return false;
	return true;
}

static bool
skip_eof(Wire *wire, WireAnswer *answer)
{
	Packet packet;

	if (!wire->has_eof)
		return true;
	if (!packet_next(wire, &packet, answer))
		return false;
	if (packet.length == EOF_LENGTH && packet.bytes[0] == IS_EOF)
		return true;
	return is_error(&packet)
	    ? fail_by_server(&packet, answer)
	    : wire_fail(answer, WIRE_MALFORMED, "no end of the columns");
}

/* Counts rows up to what ends them. */
static bool
count_rows(Wire *wire, unsigned *status, WireAnswer *answer)
{
	Packet packet;
	uint64_t affected;

	for (;;) {
		if (!packet_next(wire, &packet, answer))
			return false;
		if (is_error(&packet))
			return fail_by_server(&packet, answer);
		if (packet.length == 0 || packet.bytes[0] != IS_EOF ||
		    packet.length >= PACKET_FULL) {
			answer->rows++;
			continue;
		}
		if (packet.length != EOF_LENGTH)
			return read_ok(&packet, &affected, status, answer);
		*status = packet_short(packet.bytes + 3);
		return true;
	}
}

static bool
read_result_set(
    Wire *wire, const Packet *head, unsigned *status, WireAnswer *answer)
{
	size_t at = 0;
	uint64_t columns = 0;

	if (!packet_number(head, &at, &columns) || columns == 0)
		return wire_fail(
		    answer, WIRE_MALFORMED, "an answer of no kind");
	/* Where metadata are cached a byte tells whether they follow. */
	if (at < head->length && head->bytes[at] == 0)
		columns = 0;
	answer->result_set = true;
	return skip_columns(wire, columns, answer) && skip_eof(wire, answer) &&
	    count_rows(wire, status, answer);
}

static bool
read_answer(Wire *wire, WireAnswer *answer)
{
	unsigned status = 0;

	do {
		Packet packet;
		do {
			if (!packet_next(wire, &packet, answer))
				return false;
		} while (is_progress(&packet));
		if (packet.length == 0 || packet.bytes[0] == IS_FILE)
			return wire_fail(answer, WIRE_MALFORMED,
			    "the server asks for a file");
		if (is_error(&packet))
			return fail_by_server(&packet, answer);
		if (packet.bytes[0] == IS_OK) {
			if (!read_ok(
				&packet, &answer->affected, &status, answer))
				return false;
		} else if (!read_result_set(wire, &packet, &status, answer)) {
			return false;
		}
	} while ((status & MORE_RESULTS) != 0);
	return true;
}

/* Sends what stands in out: a command byte and length bytes behind it. */
static bool
command(Wire *wire, unsigned char code, size_t length, WireAnswer *answer)
{
	const size_t packet = length + 1;

	answer->rows = 0;
	answer->affected = 0;
	answer->result_set = false;
	answer->error = 0;
	wire->out[0] = (unsigned char)(packet & 0xff);
	wire->out[1] = (unsigned char)(packet >> 8 & 0xff);
	wire->out[2] = (unsigned char)(packet >> 16 & 0xff);
	wire->out[3] = 0;
	wire->out[4] = code;
	return packet_send(wire, PACKET_HEADER + packet, answer);
}

char *
wire_text(Wire *wire)
{
	return (char *)wire->out + WIRE_HEAD;
}

bool
wire_query(Wire *wire, size_t length, WireAnswer *answer)
{
	return command(wire, COM_QUERY, length, answer) &&
	    read_answer(wire, answer);
}

static bool
fits(const Wire *wire, size_t length, WireAnswer *answer)
{
	return length <= wire->room ||
	    wire_fail(answer, WIRE_MALFORMED, "a text that is too long");
}

bool
wire_say(Wire *wire, const char *text, WireAnswer *answer)
{
	const size_t length = strlen(text);

	if (!fits(wire, length, answer))
		return false;
	memcpy(wire_text(wire), text, length);
	return wire_query(wire, length, answer);
}

/* "select 1" has one column: what follows it tells. */
static bool
learn(Wire *wire, WireAnswer *answer)
{
	static const char probe[] = "select 1";
	Packet packet;
	unsigned status;

	memcpy(wire_text(wire), probe, sizeof probe - 1);
	if (!command(wire, COM_QUERY, sizeof probe - 1, answer) ||
	    !packet_next(wire, &packet, answer))
		return false;
	if (is_error(&packet))
		return fail_by_server(&packet, answer);
	if (packet.length == 0 || packet.bytes[0] != 1)
		return wire_fail(
		    answer, WIRE_MALFORMED, "no answer to a probe");
	if (!skip_columns(wire, 1, answer) ||
	    !packet_next(wire, &packet, answer))
		return false;
	wire->has_eof =
	    packet.length == EOF_LENGTH && packet.bytes[0] == IS_EOF;
	return count_rows(wire, &status, answer);
}

bool
wire_init(Wire *wire, int fd, size_t longest, WireAnswer *answer)
{
	enum { LEAST = 1024 };

	*wire = (Wire){ .fd = fd };
	wire->room = MAX(longest, (size_t)LEAST);
	wire->in = g_malloc(PACKET_BUFFER);
	wire->out = g_malloc(wire->room + WIRE_HEAD);
	return learn(wire, answer);
}

void
wire_clear(Wire *wire)
{
	g_clear_pointer(&wire->in, g_free);
	g_clear_pointer(&wire->out, g_free);
}

bool
wire_prepare(Wire *wire, const char *text, size_t length,
    WireStatement *statement, WireAnswer *answer)
{
	enum { PREPARED = 12 };
	Packet packet;

	if (!fits(wire, length, answer))
		return false;
	memcpy(wire_text(wire), text, length);
	if (!command(wire, COM_STMT_PREPARE, length, answer) ||
	    !packet_next(wire, &packet, answer))
		return false;
	if (is_error(&packet))
		return fail_by_server(&packet, answer);
	if (packet.length < PREPARED || packet.bytes[0] != IS_OK)
		return wire_fail(
		    answer, WIRE_MALFORMED, "a torn prepared statement");
	statement->id = packet.bytes[1] | (uint32_t)packet.bytes[2] << 8 |
	    (uint32_t)packet.bytes[3] << 16 | (uint32_t)packet.bytes[4] << 24;
	const unsigned columns = packet_short(packet.bytes + 5);
	statement->parameters = packet_short(packet.bytes + 7);
	if (statement->parameters > WIRE_MAX_PARAMETERS)
		return wire_fail(
		    answer, WIRE_MALFORMED, "a statement of too many values");
	return (statement->parameters == 0 ||
		   (skip_columns(wire, statement->parameters, answer) &&
		       skip_eof(wire, answer))) &&
	    (columns == 0 ||
		(skip_columns(wire, columns, answer) &&
		    skip_eof(wire, answer)));
}

unsigned char *
wire_begin(Wire *wire, const WireStatement *statement)
{
	unsigned char *at = wire->out + WIRE_HEAD;
	const unsigned nulls = (statement->parameters + 7) / 8;

	*at++ = (unsigned char)(statement->id & 0xff);
	*at++ = (unsigned char)(statement->id >> 8 & 0xff);
	*at++ = (unsigned char)(statement->id >> 16 & 0xff);
	*at++ = (unsigned char)(statement->id >> 24 & 0xff);
	*at++ = 0; /* no cursor */
	*at++ = 1; /* once */
	*at++ = 0;
	*at++ = 0;
	*at++ = 0;
	if (statement->parameters == 0)
		return at;
	memset(at, 0, nulls);
	at += nulls;
	*at++ = statement->typed ? 0 : 1; /* whether types follow */
	if (statement->typed)
		return at;
	for (unsigned i = 0; i < statement->parameters; i++) {
		*at++ = TYPE_STRING;
		*at++ = 0;
	}
	return at;
}

bool
wire_execute(
    Wire *wire, WireStatement *statement, size_t length, WireAnswer *answer)
{
	if (!command(wire, COM_STMT_EXECUTE, length, answer) ||
	    !read_answer(wire, answer))
		return false;
	statement->typed = true;
	return true;
}
