#include "abload/crew.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

typedef enum {
	ORDER_NONE,
	ORDER_CONNECT,
	ORDER_WARM_UP,
	ORDER_RUN,
	ORDER_SAY,
	ORDER_DISCONNECT,
	ORDER_LEAVE,
} Order;

/* What a client's thread is started with. */
typedef struct {
	Crew *crew;
	Client *client;
} Place;

static gint
by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The types of a barrel, sorted, and each one's index by name. */
static GHashTable *
make_types(Crew *crew)
{
	const GArray *barrel = crew->of->barrel;
	GHashTable *indices = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < barrel->len; i++) {
		const SmackQuery *query =
		    g_array_index(barrel, SmackShot, i).query;
		if (query != NULL && g_hash_table_add(indices, query->type))
			g_ptr_array_add(crew->types, query->type);
	}
	g_ptr_array_sort(crew->types, by_name);
	for (guint i = 0; i < crew->types->len; i++)
		g_hash_table_replace(indices, g_ptr_array_index(crew->types, i),
		    GUINT_TO_POINTER(i));
	return indices;
}

static void
make_shots(Crew *crew)
{
	const GArray *barrel = crew->of->barrel;
	g_autoptr(GHashTable) types = make_types(crew);

	for (guint i = 0; i < barrel->len; i++) {
		const SmackShot *of = &g_array_index(barrel, SmackShot, i);
		Shot shot = { .pause_us = of->pause_us, .count = of->count };
		if (of->query != NULL) {
			shot.query = bench_query(crew->bench, of->query);
			shot.type = GPOINTER_TO_UINT(
			    g_hash_table_lookup(types, of->query->type));
			shot.prepared = crew->bench->options->prepared &&
			    shot.query->prepared != NULL;
		}
		if (shot.prepared)
			shot.statement = crew->statements++;
		g_array_append_val(crew->shots, shot);
	}
}

Crew *
crew_new(Bench *bench, const SmackClient *client)
{
	Crew *crew = g_new0(Crew, 1);

	crew->bench = bench;
	crew->of = client;
	crew->shots = g_array_new(FALSE, TRUE, sizeof(Shot));
	crew->types = g_ptr_array_new();
	crew->rounds = 1;
	(void)pthread_mutex_init(&crew->lock, NULL);
	(void)pthread_cond_init(&crew->changed, NULL);
	crew->login = options_login(bench->options, client);
	make_shots(crew);
	return crew;
}

/* Gives an order to all clients, once the last one is carried out. */
static void
command(Crew *crew, Order order)
{
	(void)pthread_mutex_lock(&crew->lock);
	while (crew->busy > 0)
		(void)pthread_cond_wait(&crew->changed, &crew->lock);
	crew->order = (int)order;
	crew->busy = crew->n;
	crew->turn++;
	(void)pthread_cond_broadcast(&crew->changed);
	(void)pthread_mutex_unlock(&crew->lock);
}

static bool
wait_done(Crew *crew)
{
	(void)pthread_mutex_lock(&crew->lock);
	while (crew->busy > 0)
		(void)pthread_cond_wait(&crew->changed, &crew->lock);
	(void)pthread_mutex_unlock(&crew->lock);
	return !bench_is_stopped(crew->bench);
}

static Order
next_order(Crew *crew, size_t *turn)
{
	(void)pthread_mutex_lock(&crew->lock);
	while (crew->turn == *turn)
		(void)pthread_cond_wait(&crew->changed, &crew->lock);
	*turn = crew->turn;
	const Order order = (Order)crew->order;
	(void)pthread_mutex_unlock(&crew->lock);
	return order;
}

static void
done(Crew *crew)
{
	(void)pthread_mutex_lock(&crew->lock);
	crew->busy--;
	(void)pthread_cond_broadcast(&crew->changed);
	(void)pthread_mutex_unlock(&crew->lock);
}

/* Closing and breaking must not meet. */
static void
disconnect(Crew *crew, Client *client)
{
	(void)pthread_mutex_lock(&crew->lock);
	client_disconnect(client);
	(void)pthread_mutex_unlock(&crew->lock);
}

static void
carry_out(Crew *crew, Client *client, Order order)
{
	if (order == ORDER_DISCONNECT)
		disconnect(crew, client);
	if (bench_is_stopped(crew->bench))
		return;
	switch (order) {
	case ORDER_CONNECT:
		(void)client_connect(client);
		break;
	case ORDER_WARM_UP:
		(void)client_warm_up(client);
		break;
	case ORDER_RUN:
		(void)client_run(client, crew->began_ns);
		break;
	case ORDER_SAY:
		(void)client_say(client, crew->text);
		break;
	case ORDER_DISCONNECT:
	case ORDER_LEAVE:
	case ORDER_NONE:
		break;
	}
}

static void *
client_main(void *argument)
{
	g_autofree Place *place = argument;
	Crew *crew = place->crew;
	size_t turn = 0;

	connection_thread_init();
	for (;;) {
		const Order order = next_order(crew, &turn);
		carry_out(crew, place->client, order);
		if (order == ORDER_LEAVE)
			break;
		done(crew);
	}
	disconnect(crew, place->client);
	connection_thread_end();
	done(crew);
	return NULL;
}

bool
crew_create(Crew *crew, size_t clients)
{
	crew->created_ns = bench_now_ns();
	crew->clients =
	    aligned_alloc(_Alignof(Client), clients * sizeof *crew->clients);
	if (crew->clients == NULL)
		g_error("out of memory");
	memset(crew->clients, 0, clients * sizeof *crew->clients);
	crew->threads = g_new0(pthread_t, clients);
	for (size_t i = 0; i < clients; i++) {
		Client *client = &crew->clients[i];
		client->bench = crew->bench;
		client->login = &crew->login;
		client->kind = crew->of->name;
		client->index = i;
		client->clients = clients;
		client->shots = (const Shot *)(void *)crew->shots->data;
		client->n_shots = crew->shots->len;
		client->n_types = crew->types->len;
		client->n_statements = crew->statements;
		client_init(client);
		Place *place = g_new(Place, 1);
		*place = (Place){ crew, client };
		const int status =
		    pthread_create(&crew->threads[i], NULL, client_main, place);
		if (status == 0) {
			(void)pthread_mutex_lock(&crew->lock);
			crew->n = i + 1;
			(void)pthread_mutex_unlock(&crew->lock);
			continue;
		}
		g_free(place);
		client_clear(client);
		bench_stop(crew->bench, BENCH_NO_SERVER,
		    "cannot make thread %zu of %zu: %s", i + 1, clients,
		    g_strerror(status));
		return false;
	}
	return true;
}

bool
crew_connect(Crew *crew)
{
	command(crew, ORDER_CONNECT);
	return wait_done(crew);
}

bool
crew_unload(Crew *crew)
{
	if (!crew->measured) {
		command(crew, ORDER_WARM_UP);
		if (!wait_done(crew))
			return false;
		crew->began_ns = bench_gate(
		    crew->bench, crew->n > 0 ? crew->clients[0].peer : 0);
		if (crew->began_ns == 0)
			return false;
	}
	for (size_t i = 0; i < crew->n; i++)
		crew->clients[i].rounds = crew->rounds;
	crew->measured = true;
	crew->unloads += crew->rounds;
	crew->unloading = true;
	command(crew, ORDER_RUN);
	return true;
}

bool
crew_collect(Crew *crew)
{
	const bool well = wait_done(crew);

	crew->unloading = false;
	crew->joined_ns = bench_now_ns();
	crew->ended_cpu = cpu_now(crew->bench->peer);
	for (size_t i = 0; i < crew->n; i++)
		crew->ended_ns = MAX(crew->ended_ns, crew->clients[i].last_ns);
	return well;
}

bool
crew_say(Crew *crew, const char *sql)
{
	crew->text = sql;
	command(crew, ORDER_SAY);
	return wait_done(crew);
}

bool
crew_disconnect(Crew *crew)
{
	command(crew, ORDER_DISCONNECT);
	return wait_done(crew);
}

void
crew_break(Crew *crew)
{
	(void)pthread_mutex_lock(&crew->lock);
	for (size_t i = 0; i < crew->n; i++) {
		const int fd =
		    __atomic_load_n(&crew->clients[i].fd, __ATOMIC_ACQUIRE);
		if (fd >= 0)
			(void)shutdown(fd, SHUT_RDWR);
	}
	(void)pthread_mutex_unlock(&crew->lock);
}

void
crew_free(Crew *crew)
{
	if (crew == NULL)
		return;
	if (crew->n > 0)
		command(crew, ORDER_LEAVE);
	for (size_t i = 0; i < crew->n; i++) {
		(void)pthread_join(crew->threads[i], NULL);
		client_clear(&crew->clients[i]);
	}
	free(crew->clients);
	g_free(crew->threads);
	g_array_unref(crew->shots);
	g_ptr_array_unref(crew->types);
	(void)pthread_cond_destroy(&crew->changed);
	(void)pthread_mutex_destroy(&crew->lock);
	g_free(crew);
}
