#include "numeric/kmeans.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "numeric/rng.h"

struct lloyd {
    const double *x;
    size_t n, d, k;
    double *centre, *sum; /* (k, d) */
    size_t *count;        /* (k) */
    uint32_t *group;      /* (n) */
    double *dist;         /* (n) to the nearest centre */
    double inertia;
};

static double distance(const double *a, const double *b, size_t d)
{
    double s = 0;
    for (size_t j = 0; j < d; j++)
        s += (a[j] - b[j]) * (a[j] - b[j]);
    return s;
}

/* Each next centre is a point drawn with probability proportional to its squared distance from
 * the nearest centre so far. */
static void seed_centres(struct lloyd *m, struct lw_rng *rng)
{
    size_t first = (size_t)lw_rng_below(rng, m->n);
    memcpy(m->centre, m->x + first * m->d, m->d * sizeof *m->x);
    for (size_t i = 0; i < m->n; i++)
        m->dist[i] = INFINITY;
    for (size_t c = 1; c < m->k; c++) {
        double total = 0;
        for (size_t i = 0; i < m->n; i++) {
            m->dist[i] =
                fmin(m->dist[i], distance(m->x + i * m->d, m->centre + (c - 1) * m->d, m->d));
            total += m->dist[i];
        }
        double target = lw_rng_unit(rng) * total;
        size_t pick = 0;
        for (double sum = m->dist[0]; pick + 1 < m->n && !(sum > target); sum += m->dist[pick])
            pick++;
        memcpy(m->centre + c * m->d, m->x + pick * m->d, m->d * sizeof *m->x);
    }
}

/* Gives every point to its nearest centre (the first on a tie); true when one moved. */
static bool assign(struct lloyd *m)
{
    bool moved = false;
    m->inertia = 0;
    for (size_t i = 0; i < m->n; i++) {
        uint32_t best = 0;
        double least = INFINITY;
        for (uint32_t c = 0; c < m->k; c++) {
            double d2 = distance(m->x + i * m->d, m->centre + c * m->d, m->d);
            if (d2 < least) {
                least = d2;
                best = c;
            }
        }
        moved |= m->group[i] != best;
        m->group[i] = best;
        m->dist[i] = least;
        m->inertia += least;
    }
    return moved;
}

/* Means of the groups; an empty group takes the point farthest from its centre. */
static void recentre(struct lloyd *m)
{
    memset(m->sum, 0, m->k * m->d * sizeof *m->sum);
    memset(m->count, 0, m->k * sizeof *m->count);
    for (size_t i = 0; i < m->n; i++) {
        m->count[m->group[i]]++;
        for (size_t j = 0; j < m->d; j++)
            m->sum[m->group[i] * m->d + j] += m->x[i * m->d + j];
    }
    for (size_t c = 0; c < m->k; c++) {
        double *centre = m->centre + c * m->d;
        if (m->count[c] == 0) {
            size_t far = 0;
            for (size_t i = 1; i < m->n; i++)
                far = m->dist[i] > m->dist[far] ? i : far;
            memcpy(centre, m->x + far * m->d, m->d * sizeof *centre);
            m->dist[far] = 0;
            continue;
        }
        for (size_t j = 0; j < m->d; j++)
            centre[j] = m->sum[c * m->d + j] / (double)m->count[c];
    }
}

int lw_kmeans(struct lw_kmeans *out, struct lw_arena *arena, const double *x, size_t n,
              size_t d, size_t k, size_t starts, size_t max_iterations, uint64_t seed,
              struct lw_err *err)
{
    if (k == 0 || k > n || d == 0)
        return lw_err_set(err, LW_EINVAL, "cannot make %zu groups of %zu points", k, n);
    for (size_t i = 0; i < n * d; i++)
        if (!isfinite(x[i]))
            return lw_err_set(err, LW_EINVAL, "row %zu has a value that is not finite",
                              i / d + 1);
    *out = (struct lw_kmeans){.k = k, .d = d, .inertia = INFINITY};
    struct lloyd m = {.x = x, .n = n, .d = d, .k = k};
    struct lw_arena scratch;
    lw_arena_init(&scratch, arena->mem, 0);
    m.centre = lw_arena_array(&scratch, k * d, sizeof *m.centre);
    m.sum = lw_arena_array(&scratch, k * d, sizeof *m.sum);
    m.count = lw_arena_array(&scratch, k, sizeof *m.count);
    m.group = lw_arena_array(&scratch, n, sizeof *m.group);
    m.dist = lw_arena_array(&scratch, n, sizeof *m.dist);
    out->centre = lw_arena_array(arena, k * d, sizeof *out->centre);
    out->group = lw_arena_array(arena, n, sizeof *out->group);
    int rc = m.centre && m.sum && m.count && m.group && m.dist && out->centre && out->group
                 ? 0
                 : lw_err_nomem(err);
    for (size_t s = 0; rc == 0 && s < (starts ? starts : 10); s++) {
        struct lw_rng rng;
        lw_rng_init(&rng, seed, s);
        seed_centres(&m, &rng);
        memset(m.group, 0xff, n * sizeof *m.group);
        size_t it = 0;
        while (assign(&m) && it++ < (max_iterations ? max_iterations : 300))
            recentre(&m);
        if (m.inertia < out->inertia) {
            out->inertia = m.inertia;
            out->iterations = it;
            memcpy(out->centre, m.centre, k * d * sizeof *m.centre);
            memcpy(out->group, m.group, n * sizeof *m.group);
        }
    }
    lw_arena_release(&scratch);
    return rc;
}
