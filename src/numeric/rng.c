#include "numeric/rng.h"

#include <math.h>

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void lw_rng_init(struct lw_rng *r, uint64_t seed, uint64_t stream)
{
    uint64_t state = seed;
    state = splitmix(&state) ^ (stream * 0xd1342543de82ef95u + 1);
    for (int i = 0; i < 4; i++)
        r->s[i] = splitmix(&state);
}

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

uint64_t lw_rng_next(struct lw_rng *r)
{
    uint64_t *s = r->s, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

/* D. Lemire, "Fast random integer generation in an interval" (2019). */
uint64_t lw_rng_below(struct lw_rng *r, uint64_t n)
{
    unsigned __int128 m = (unsigned __int128)lw_rng_next(r) * n;
    if ((uint64_t)m < n) {
        uint64_t least = -n % n;
        while ((uint64_t)m < least)
            m = (unsigned __int128)lw_rng_next(r) * n;
    }
    return (uint64_t)(m >> 64);
}

double lw_rng_unit(struct lw_rng *r)
{
    return (double)(lw_rng_next(r) >> 11) * 0x1p-53;
}

/* Marsaglia's polar method; the second value is dropped, so that no state is hidden. */
double lw_rng_normal(struct lw_rng *r)
{
    for (;;) {
        double u = 2 * lw_rng_unit(r) - 1, v = 2 * lw_rng_unit(r) - 1, s = u * u + v * v;
        if (s > 0 && s < 1)
            return u * sqrt(-2 * log(s) / s);
    }
}

void lw_rng_shuffle(struct lw_rng *r, uint32_t *v, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)lw_rng_below(r, i);
        uint32_t t = v[i - 1];
        v[i - 1] = v[j];
        v[j] = t;
    }
}
