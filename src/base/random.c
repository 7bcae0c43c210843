#include "base/random.h"

static uint64_t
splitmix(uint64_t *x)
{
	uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static uint64_t
rotate_left(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

Random
random_stream(uint64_t seed, const char *purpose, uint64_t index)
{
	/* FNV-1a of the purpose keeps streams of one seed apart. */
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (const char *c = purpose; *c != '\0'; c++)
		hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);

	uint64_t x = seed;
	uint64_t mixed = splitmix(&x) ^ hash;
	mixed = splitmix(&mixed) ^ index;

	Random random;
	for (int i = 0; i < 4; i++)
		random.state[i] = splitmix(&mixed);
	return random;
}

uint64_t
random_next(Random *random)
{
	uint64_t *s = random->state;
	const uint64_t result = rotate_left(s[1] * 5, 7) * 9;
	const uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return result;
}

uint64_t
random_below(Random *random, uint64_t bound)
{
	/*
	 * Values below 2^64 mod bound would be one too many: draw again.  The
	 * division is for the few that are below bound itself.
	 */
	for (;;) {
		const uint64_t draw = random_next(random);
		if (draw >= bound || draw >= -bound % bound)
			return draw % bound;
	}
}

void
random_shuffle(Random *random, size_t *values, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		const size_t j = (size_t)random_below(random, i);
		const size_t moved = values[i - 1];
		values[i - 1] = values[j];
		values[j] = moved;
	}
}
