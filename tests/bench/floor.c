/*
 * What a query costs a client at the least: each thread sends one canned
 * packet over and over, with other digits each time, reads as many bytes as
 * its answer has, looks at the clock, and does nothing else.  The peer of
 * tests/bench/abload.sh.
 *
 *     floor SOCKET text|prepared CLIENTS SECONDS SQL
 *
 * prints the number of queries.  SQL has the text '0000' once, in whose place
 * stand numbers from 1000 to 9999; prepared, a string is sent for it.  Both
 * protocols' packets are built here by hand; the login is the library's.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include <mysql.h>

enum { HEADER = 4, MOST = 1 << 16, DIGITS = 4 };

static const char blank[] = "'0000'";

typedef struct {
	const char *socket, *sql;
	int prepared;
	double seconds;
	unsigned long queries;
	pthread_t thread;
} Client;

static void
fail(const char *what)
{
	(void)fprintf(stderr, "floor: %s\n", what);
	exit(1);
}

static double
now(void)
{
	struct timespec time;

	(void)clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static size_t
pack(unsigned char *packet, unsigned char code, const void *body, size_t n)
{
	packet[0] = (unsigned char)((n + 1) & 0xff);
	packet[1] = (unsigned char)((n + 1) >> 8 & 0xff);
	packet[2] = 0;
	packet[3] = 0;
	packet[HEADER] = code;
	memcpy(packet + HEADER + 1, body, n);
	return HEADER + 1 + n;
}

static void
send_all(int fd, const unsigned char *packet, size_t length)
{
	if (send(fd, packet, length, MSG_NOSIGNAL) != (ssize_t)length)
		fail("cannot send");
}

/* An answer that comes in one piece, on a server that does nothing else. */
static size_t
read_some(int fd, unsigned char *answer)
{
	const ssize_t n = recv(fd, answer, MOST, 0);

	if (n <= 0)
		fail("the server is gone");
	return (size_t)n;
}

/* The statement with a question mark; its execution has types only once. */
static size_t
prepare(const Client *client, int fd, unsigned char *packet)
{
	unsigned char answer[MOST];
	char sql[1024];
	const char *at = strstr(client->sql, blank);
	unsigned char body[18] = { [5] = 1, [10] = 1, [11] = 0xfe, [13] = 4 };
	const int length = snprintf(sql, sizeof sql, "%.*s?%s",
	    (int)(at - client->sql), client->sql, at + strlen(blank));

	send_all(fd, packet, pack(packet, 0x16, sql, (size_t)length));
	if (read_some(fd, answer) < 9 || answer[HEADER] != 0)
		fail("cannot prepare");
	memcpy(body, answer + HEADER + 1, 4);
	memcpy(body + 14, "1000", DIGITS);
	send_all(fd, packet, pack(packet, 0x17, body, sizeof body));
	if (read_some(fd, answer) <= HEADER || answer[HEADER] == 0xff)
		fail("the server refuses the statement");
	body[10] = 0;
	body[11] = 4;
	return pack(packet, 0x17, body, 12 + DIGITS);
}

/* *digits is where the number goes. */
static size_t
make_packet(const Client *client, int fd, unsigned char *packet, size_t *digits)
{
	const char *at = strstr(client->sql, blank);

	if (at == NULL)
		fail("the SQL has no '0000'");
	if (client->prepared) {
		const size_t length = prepare(client, fd, packet);
		*digits = length - DIGITS;
		return length;
	}
	*digits = (size_t)(at - client->sql) + HEADER + 2;
	return pack(packet, 3, client->sql, strlen(client->sql));
}

static void
draw(uint64_t *state, unsigned char *digits)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	unsigned number = 1000 + (unsigned)(*state % 9000);
	for (int i = DIGITS - 1; i >= 0; i--) {
		digits[i] = (unsigned char)('0' + number % 10);
		number /= 10;
	}
}

static void *
run(void *argument)
{
	Client *client = argument;
	unsigned char packet[4096];
	unsigned char answer[MOST];
	MYSQL *mysql = mysql_init(NULL);

	if (mysql == NULL ||
	    mysql_real_connect(mysql, NULL, "root", NULL, "test", 0,
		client->socket, 0) == NULL)
		fail("cannot connect");
	const int fd = (int)mysql_get_socket(mysql);
	(void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	size_t digits;
	const size_t length = make_packet(client, fd, packet, &digits);
	uint64_t state = (uintptr_t)client;
	draw(&state, packet + digits);
	send_all(fd, packet, length);
	size_t wanted = read_some(fd, answer);
	if (wanted <= HEADER || answer[HEADER] == 0xff)
		fail("the server refuses the query");
	for (const double end = now() + client->seconds; now() < end;) {
		draw(&state, packet + digits);
		send_all(fd, packet, length);
		for (size_t got = 0; got < wanted;)
			got += read_some(fd, answer);
		client->queries++;
	}
	mysql_close(mysql);
	mysql_thread_end();
	return NULL;
}

int
main(int argc, char **argv)
{
	if (argc != 6 || mysql_library_init(0, NULL, NULL) != 0)
		fail("wants SOCKET text|prepared CLIENTS SECONDS SQL");
	const size_t n = strtoul(argv[3], NULL, 10);
	Client *clients = calloc(n, sizeof *clients);
	unsigned long queries = 0;

	if (clients == NULL)
		fail("no memory");
	for (size_t i = 0; i < n; i++) {
		clients[i] = (Client){ .socket = argv[1],
			.sql = argv[5],
			.prepared = strcmp(argv[2], "prepared") == 0,
			.seconds = strtod(argv[4], NULL) };
		if (pthread_create(
			&clients[i].thread, NULL, run, &clients[i]) != 0)
			fail("no thread");
	}
	for (size_t i = 0; i < n; i++) {
		(void)pthread_join(clients[i].thread, NULL);
		queries += clients[i].queries;
	}
	free(clients);
	mysql_library_end();
	(void)printf("%lu\n", queries);
	return 0;
}
