/*
 * One connection's way from a query to its answer: a send and as few receives
 * as the answer needs, without an allocation.  The login is the client
 * library's (connection.h); what follows on its socket is the client/server
 * protocol as MySQL's and MariaDB's documentation give it: text commands
 * (COM_QUERY), prepared ones (COM_STMT_PREPARE, _EXECUTE), and answers with or
 * without an EOF packet behind the columns (CLIENT_DEPRECATE_EOF).  Rows are
 * counted and dropped.
 *
 * A Wire is for one thread; another may shutdown(2) its socket to end it.
 */
#ifndef ABLOAD_WIRE_H
#define ABLOAD_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	int fd;
	bool has_eof;       /* packets that end the columns */
	unsigned char *in;  /* what has come */
	size_t from, to;    /* of it, not yet looked at */
	unsigned char *out; /* what is sent next, its header first */
	size_t room;        /* bytes of out behind its head */
} Wire;

enum {
	WIRE_MESSAGE = 256,    /* bytes kept of an error's text */
	WIRE_LOST = 2013,      /* the library's number for a lost server */
	WIRE_MALFORMED = 2027, /* and for an answer that is none */
	WIRE_TIMEOUT = 3024,   /* the server's for a query that took too long */
	WIRE_HEAD = 5,         /* header and command, before a text */
	WIRE_MAX_PARAMETERS = 64,
};

/* What became of one command. */
typedef struct {
	uint64_t rows;     /* that came back */
	uint64_t affected; /* that it matched, where it has no result set */
	bool result_set;
	unsigned error; /* 0: it went well */
	char message[WIRE_MESSAGE];
} WireAnswer;

/* A statement that the server has prepared. */
typedef struct {
	uint32_t id;
	unsigned parameters;
	bool typed; /* the server knows the parameters' types */
} WireStatement;

/*
 * fd is borrowed: blocking, with a receive timeout that is the deadline of
 * each answer.  longest: the most bytes of a text or of an execution.  Asks
 * the server one query to learn how it ends columns; false with *answer.
 */
bool wire_init(Wire *wire, int fd, size_t longest, WireAnswer *answer);
void wire_clear(Wire *wire);

/* Where to write the next text: at most longest bytes. */
char *wire_text(Wire *wire);
/*
 * Sends the length bytes of wire_text() and reads the whole answer, all its
 * result sets.  False with answer->error; the connection is of use after an
 * error that is not WIRE_LOST, _MALFORMED or _TIMEOUT.
 */
bool wire_query(Wire *wire, size_t length, WireAnswer *answer);
/* The same of a text elsewhere, which is copied. */
bool wire_say(Wire *wire, const char *text, WireAnswer *answer);

bool wire_prepare(Wire *wire, const char *text, size_t length,
    WireStatement *statement, WireAnswer *answer);
/*
 * Where to write parameter values, each by wire_value_bytes() and _end():
 * begin, value, value, ..., execute.
 */
unsigned char *wire_begin(Wire *wire, const WireStatement *statement);
/* Where the bytes of a value go that begins at at. */
static inline char *
wire_value_bytes(unsigned char *at)
{
	return (char *)at + 1;
}
/* Its length, before the bytes: less than 65536.  Where the next one begins. */
static inline unsigned char *
wire_value_end(unsigned char *at, size_t length)
{
	enum { ONE_BYTE = 250, TWO_BYTES = 0xfc };

	if (length <= ONE_BYTE) {
		*at = (unsigned char)length;
		return at + 1 + length;
	}
	__builtin_memmove(at + 3, at + 1, length);
	at[0] = TWO_BYTES;
	at[1] = (unsigned char)(length & 0xff);
	at[2] = (unsigned char)(length >> 8);
	return at + 3 + length;
}
/* length: from wire_text() to behind the last value. */
bool wire_execute(
    Wire *wire, WireStatement *statement, size_t length, WireAnswer *answer);

#endif
