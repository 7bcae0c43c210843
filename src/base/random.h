/*
 * Random numbers that are the same on every machine: SplitMix64 seeds
 * xoshiro256** (Blackman and Vigna, public domain algorithms), and ranges use
 * rejection, so no value is favoured.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint64_t state[4];
} Random;

/*
 * A stream of its own for (seed, purpose, index): what one stream draws never
 * moves another, so the order of round 7 does not depend on rounds 1 to 6.
 */
Random random_stream(uint64_t seed, const char *purpose, uint64_t index);
uint64_t random_next(Random *random);
/* Uniform in [0, bound); bound > 0. */
uint64_t random_below(Random *random, uint64_t bound);
/* Fisher-Yates over n values. */
void random_shuffle(Random *random, size_t *values, size_t n);

#endif
