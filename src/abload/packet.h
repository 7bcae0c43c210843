/*
 * Packets of the client/server protocol, as they come through one buffer that
 * never grows.  Inside the wire only.
 */
#ifndef ABLOAD_PACKET_H
#define ABLOAD_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abload/wire.h"

enum {
	PACKET_BUFFER = 1 << 16, /* bytes of Wire.in */
	PACKET_HEADER = 4,
	PACKET_FULL = 0xffffff, /* of that length: another goes on with it */
	PACKET_KEPT = 1024,     /* bytes of a packet: all that is looked at */
};

/* One packet: its beginning, and how long it was. */
typedef struct {
	const unsigned char *bytes;
	size_t length; /* of the packet; the first PACKET_KEPT are there */
} Packet;

/* Always false, with the answer's error set. */
bool wire_fail(WireAnswer *answer, unsigned error, const char *message);

/* Sends length bytes of Wire.out. */
bool packet_send(const Wire *wire, size_t length, WireAnswer *answer);
/* The next packet, where it has not come as a whole. */
bool packet_fetch(Wire *wire, Packet *packet, WireAnswer *answer);
/*
 * The next packet, good until the one after; one that goes on in others counts
 * as one.  Most have come together with the one before.
 */
static inline bool
packet_next(Wire *wire, Packet *packet, WireAnswer *answer)
{
	const unsigned char *at = wire->in + wire->from;
	const size_t there = wire->to - wire->from;

	if (there >= PACKET_HEADER) {
		const size_t length =
		    at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16;
		if (length <= there - PACKET_HEADER) {
			packet->bytes = at + PACKET_HEADER;
			packet->length = length;
			wire->from += PACKET_HEADER + length;
			return true;
		}
	}
	return packet_fetch(wire, packet, answer);
}
/*
 * A length-encoded number at *at, which is then behind it; false where there
 * is none.
 */
bool packet_number(const Packet *packet, size_t *at, uint64_t *value);
unsigned packet_short(const unsigned char *at);

#endif
