#include "abload/packet.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include <glib.h>

bool
wire_fail(WireAnswer *answer, unsigned error, const char *message)
{
	answer->error = error;
	(void)g_strlcpy(answer->message, message, sizeof answer->message);
	return false;
}

static bool
wire_fail_errno(WireAnswer *answer, const char *what)
{
	const int error = errno;

	if (error == EAGAIN || error == EWOULDBLOCK)
		return wire_fail(answer, WIRE_TIMEOUT,
		    "no answer before the query's deadline");
	(void)g_snprintf(answer->message, sizeof answer->message, "%s: %s",
	    what, g_strerror(error));
	answer->error = WIRE_LOST;
	return false;
}

bool
packet_send(const Wire *wire, size_t length, WireAnswer *answer)
{
	const unsigned char *at = wire->out;

	while (length > 0) {
		const ssize_t n = send(wire->fd, at, length, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return wire_fail_errno(answer, "cannot send");
		at += n;
		length -= (size_t)n;
	}
	return true;
}

/* At least wanted bytes, of which there may be PACKET_BUFFER, stand there. */
static bool
receive(Wire *wire, size_t wanted, WireAnswer *answer)
{
	if (wire->from == wire->to)
		wire->from = wire->to = 0;
	if (wire->from + wanted > PACKET_BUFFER) {
		memmove(wire->in, wire->in + wire->from, wire->to - wire->from);
		wire->to -= wire->from;
		wire->from = 0;
	}
	while (wire->to - wire->from < wanted) {
		const ssize_t n = recv(
		    wire->fd, wire->in + wire->to, PACKET_BUFFER - wire->to, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return wire_fail_errno(answer, "cannot receive");
		if (n == 0)
			return wire_fail(answer, WIRE_LOST,
			    "the server has closed the connection");
		wire->to += (size_t)n;
	}
	return true;
}

/* Drops bytes that have come or will. */
static bool
drop(Wire *wire, size_t length, WireAnswer *answer)
{
	while (length > 0) {
		if (wire->from == wire->to && !receive(wire, 1, answer))
			return false;
		const size_t n = MIN(length, wire->to - wire->from);
		wire->from += n;
		length -= n;
	}
	return true;
}

bool
packet_fetch(Wire *wire, Packet *packet, WireAnswer *answer)
{
	if (!receive(wire, PACKET_HEADER, answer))
		return false;
	const unsigned char *header = wire->in + wire->from;
	size_t length =
	    header[0] | (size_t)header[1] << 8 | (size_t)header[2] << 16;
	const size_t kept = MIN(length, (size_t)PACKET_KEPT);
	wire->from += PACKET_HEADER;
	if (!receive(wire, kept, answer))
		return false;
	packet->bytes = wire->in + wire->from;
	packet->length = length;
	wire->from += kept;
	if (kept == length)
		return true;
	if (!drop(wire, length - kept, answer))
		return false;
	while (length == PACKET_FULL) {
		if (!receive(wire, PACKET_HEADER, answer))
			return false;
		header = wire->in + wire->from;
		length = header[0] | (size_t)header[1] << 8 |
		    (size_t)header[2] << 16;
		wire->from += PACKET_HEADER;
		if (!drop(wire, length, answer))
			return false;
	}
	return true;
}

/* A length-encoded number at *at; *at is behind it. */
bool
packet_number(const Packet *packet, size_t *at, uint64_t *value)
{
	static const struct {
		unsigned char mark;
		size_t bytes;
	} kinds[] = { { 0xfc, 2 }, { 0xfd, 3 }, { 0xfe, 8 } };
	const size_t there = MIN(packet->length, (size_t)PACKET_KEPT);

	if (*at >= there)
		return false;
	const unsigned char first = packet->bytes[(*at)++];
	if (first < 0xfb) {
		*value = first;
		return true;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (kinds[i].mark != first)
			continue;
		if (*at + kinds[i].bytes > there)
			return false;
		*value = 0;
		for (size_t k = 0; k < kinds[i].bytes; k++)
			*value |= (uint64_t)packet->bytes[(*at)++] << (8 * k);
		return true;
	}
	return false;
}

unsigned
packet_short(const unsigned char *at)
{
	return at[0] | (unsigned)at[1] << 8;
}
