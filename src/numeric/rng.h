/*
 * rng - reproducible random numbers.
 *
 * xoshiro256** (D. Blackman & S. Vigna 2018) seeded through splitmix64. A generator is a small
 * value owned by its user; the same seed and stream give the same numbers everywhere. Parallel
 * work takes one stream per item, never per thread.
 */
#ifndef LW_NUMERIC_RNG_H
#define LW_NUMERIC_RNG_H

#include <stddef.h>
#include <stdint.h>

struct lw_rng {
    uint64_t s[4];
};

void lw_rng_init(struct lw_rng *r, uint64_t seed, uint64_t stream);
uint64_t lw_rng_next(struct lw_rng *r);

/* Uniform in 0…n-1 without bias; n > 0. */
uint64_t lw_rng_below(struct lw_rng *r, uint64_t n);

/* Uniform in [0, 1) with 53 bits. */
double lw_rng_unit(struct lw_rng *r);

/* Standard normal. */
double lw_rng_normal(struct lw_rng *r);

/* A random permutation of the places (Fisher-Yates). */
void lw_rng_shuffle(struct lw_rng *r, uint32_t *v, size_t n);

#endif
