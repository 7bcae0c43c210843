#include "abload/figures.h"

#include <math.h>

Connects
figures_connects(const Crew *crew)
{
	Connects connects = { .least_us = INT64_MAX };

	for (size_t i = 0; i < crew->n; i++) {
		const Client *client = &crew->clients[i];
		if (client->server == NULL)
			continue;
		connects.n++;
		connects.mean_us += (double)client->connect_us;
		connects.least_us = MIN(connects.least_us, client->connect_us);
		connects.most_us = MAX(connects.most_us, client->connect_us);
	}
	if (connects.n == 0)
		return (Connects){ 0 };
	connects.mean_us /= (double)connects.n;
	return connects;
}

Figures
figures_of(const Crew *crew, size_t type)
{
	Figures figures = { .min_ns = INFINITY };

	for (size_t i = 0; i < crew->n; i++) {
		const Tally *tally = &crew->clients[i].tallies[type];
		if (tally->queries == 0)
			continue;
		figures.queries += tally->queries;
		figures.rows += tally->rows;
		figures.misses += tally->misses;
		figures.sum_ns += tally->sum_ns;
		figures.squares += tally->squares;
		figures.min_ns = fmin(figures.min_ns, (double)tally->min_ns);
		figures.max_ns = fmax(figures.max_ns, (double)tally->max_ns);
	}
	if (figures.queries == 0)
		figures.min_ns = 0;
	return figures;
}

static double
seconds_between(uint64_t from, uint64_t to)
{
	return to > from ? (double)(to - from) / 1e9 : 0;
}

double
figures_smack_seconds(const Crew *crew)
{
	return seconds_between(crew->created_ns, crew->joined_ns);
}

double
figures_window_seconds(const Crew *crew)
{
	return seconds_between(crew->began_ns, crew->ended_ns);
}
