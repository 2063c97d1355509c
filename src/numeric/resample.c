#include "numeric/resample.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/pool.h"
#include "numeric/describe.h"
#include "numeric/dist.h"
#include "numeric/rank.h"
#include "numeric/rng.h"

/* ---- Several p-values ----------------------------------------------------------------------
 */

static int order_of_p(struct lw_mem *mem, const double *p, size_t n, uint32_t **order,
                      struct lw_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (!(p[i] >= 0 && p[i] <= 1))
            return lw_err_set(err, LW_EINVAL, "p-value %zu is not between 0 and 1", i + 1);
    *order = lw_mem_alloc(mem, n * sizeof **order);
    if (*order && lw_sort_order(mem, p, n, *order) == 0)
        return 0;
    lw_mem_free(mem, *order, n * sizeof **order);
    return lw_err_nomem(err);
}

int lw_holm(struct lw_mem *mem, const double *p, size_t n, double *adjusted, struct lw_err *err)
{
    uint32_t *order;
    if (order_of_p(mem, p, n, &order, err) < 0)
        return err->code;
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fmin(1, p[order[i]] * (double)(n - i)));
        adjusted[order[i]] = most;
    }
    lw_mem_free(mem, order, n * sizeof *order);
    return 0;
}

int lw_benjamini_hochberg(struct lw_mem *mem, const double *p, size_t n, double *adjusted,
                          struct lw_err *err)
{
    uint32_t *order;
    if (order_of_p(mem, p, n, &order, err) < 0)
        return err->code;
    double least = 1;
    for (size_t i = n; i-- > 0;) {
        least = fmin(least, p[order[i]] * (double)n / (double)(i + 1));
        adjusted[order[i]] = least;
    }
    lw_mem_free(mem, order, n * sizeof *order);
    return 0;
}

/* ---- Bootstrap
 * ------------------------------------------------------------------------------- */

double lw_statistic_mean(double *x, size_t n, void *data)
{
    (void)data;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

double lw_statistic_median(double *x, size_t n, void *data)
{
    (void)data;
    return lw_median(x, n);
}

enum { REPLICATES_PER_ITEM = 64 };

struct bootstrap_run {
    struct lw_mem *mem;
    struct lw_sample s;
    const struct lw_bootstrap *how;
    size_t replicates;
    double *value; /* (replicates) */
};

/* One block of replicates; replicate r has its own stream, whatever thread it runs on. */
static int bootstrap_block(void *data, size_t item, unsigned worker, struct lw_err *err)
{
    (void)worker;
    struct bootstrap_run *run = data;
    size_t n = run->s.n, first = item * REPLICATES_PER_ITEM;
    double *x = lw_mem_alloc(run->mem, n * sizeof *x);
    if (!x)
        return lw_err_nomem(err);
    for (size_t r = first; r < first + REPLICATES_PER_ITEM && r < run->replicates; r++) {
        struct lw_rng rng;
        lw_rng_init(&rng, run->how->seed, r);
        for (size_t i = 0; i < n; i++)
            x[i] = run->s.x[lw_rng_below(&rng, n)];
        run->value[r] = run->how->statistic(x, n, run->how->data);
    }
    lw_mem_free(run->mem, x, n * sizeof *x);
    return 0;
}

/* Efron's acceleration from the jackknife: sum d^3 / (6 (sum d^2)^1.5). */
static double acceleration(const struct bootstrap_run *run, double *x)
{
    size_t n = run->s.n;
    struct lw_moments m;
    lw_moments_init(&m);
    for (size_t out = 0; out < n; out++) {
        memcpy(x, run->s.x, out * sizeof *x);
        memcpy(x + out, run->s.x + out + 1, (n - 1 - out) * sizeof *x);
        double v = run->how->statistic(x, n - 1, run->how->data);
        lw_moments_add(&m, &v, 1);
    }
    return m.m2 > 0 ? -m.m3 / (6 * m.m2 * sqrt(m.m2)) : 0;
}

/* The share of sorted values at which BCa puts the end of normal quantile z. */
static double bca_share(double z, double bias, double a)
{
    double shifted = bias + (bias + z) / (1 - a * (bias + z));
    return lw_dist_lower(lw_dist_normal(0, 1), shifted);
}

static double sorted_quantile(const double *v, size_t n, double p)
{
    double at = p * (double)(n - 1);
    size_t k = (size_t)at;
    return k + 1 < n ? v[k] + (at - (double)k) * (v[k + 1] - v[k]) : v[n - 1];
}

static int bootstrap_ends(struct lw_interval *out, struct bootstrap_run *run, double *x,
                          struct lw_err *err)
{
    size_t below = 0, equal = 0;
    for (size_t i = 0; i < run->replicates; i++) {
        if (!isfinite(run->value[i]))
            return lw_err_set(err, LW_EINVAL, "the statistic is not finite on a resample");
        below += run->value[i] < out->value;
        equal += run->value[i] == out->value;
    }
    double level = run->how->level > 0 ? run->how->level : 0.95;
    double low = (1 - level) / 2, high = 1 - low;
    lw_sort(run->value, run->replicates);
    /* Ties with the estimate count by half, so that discrete statistics are not biased. */
    double share = ((double)below + (double)equal / 2) / (double)run->replicates;
    if (!run->how->percentile && share > 0 && share < 1) {
        struct lw_dist normal = lw_dist_normal(0, 1);
        double bias = lw_dist_quantile(normal, share), a = acceleration(run, x);
        double z = lw_dist_quantile(normal, high);
        low = bca_share(-z, bias, a);
        high = bca_share(z, bias, a);
    }
    out->low = sorted_quantile(run->value, run->replicates, low);
    out->high = sorted_quantile(run->value, run->replicates, high);
    return 0;
}

int lw_bootstrap(struct lw_interval *out, struct lw_mem *mem, struct lw_sample s,
                 const struct lw_bootstrap *how, struct lw_err *err)
{
    *out = (struct lw_interval){0};
    if (lw_sample_check(s, 2, "the sample", err) < 0)
        return err->code;
    struct bootstrap_run run = {mem, s, how, how->replicates ? how->replicates : 9999, NULL};
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    double *x = lw_arena_array(&arena, s.n, sizeof *x);
    run.value = lw_arena_array(&arena, run.replicates, sizeof *run.value);
    int rc = x && run.value ? 0 : lw_err_nomem(err);
    if (rc == 0) {
        memcpy(x, s.x, s.n * sizeof *x);
        out->value = how->statistic(x, s.n, how->data);
        struct lw_pool pool = {
            .count = (run.replicates + REPLICATES_PER_ITEM - 1) / REPLICATES_PER_ITEM,
            .jobs = how->jobs ? how->jobs : 1,
            .data = &run,
            .work = bootstrap_block,
        };
        rc = lw_pool_run(&pool, err);
    }
    if (rc == 0)
        rc = bootstrap_ends(out, &run, x, err);
    lw_arena_release(&arena);
    return rc;
}

/* ---- Samples
 * ------------------------------------------------------------------------------------ */

int lw_cochran(double *out, double confidence, double margin, double p, double population,
               struct lw_err *err)
{
    if (!(confidence > 0 && confidence < 1))
        return lw_err_set(err, LW_EINVAL, "the confidence must be between 0 and 1");
    if (!(margin > 0 && margin < 1) || !(p > 0 && p < 1))
        return lw_err_set(err, LW_EINVAL,
                          "the margin and the proportion must be between 0 and 1");
    if (!(population >= 0))
        return lw_err_set(err, LW_EINVAL, "the population is not a count");
    double z = lw_dist_upper_quantile(lw_dist_normal(0, 1), (1 - confidence) / 2);
    double n = z * z * p * (1 - p) / (margin * margin);
    if (population > 0)
        n /= 1 + (n - 1) / population;
    *out = ceil(n - 1e-9);
    return 0;
}

/* R. Floyd's choice of k of n (1987) would need a set; with ascending output, D. Knuth's
 * algorithm S (TAOCP 3.4.2) needs nothing. */
int lw_sample_simple(struct lw_mem *mem, size_t n, size_t k, uint64_t seed, uint32_t *out,
                     struct lw_err *err)
{
    (void)mem;
    if (k > n || n >= UINT32_MAX)
        return lw_err_set(err, LW_EINVAL, "cannot choose %zu of %zu", k, n);
    struct lw_rng rng;
    lw_rng_init(&rng, seed, 0);
    size_t taken = 0;
    for (size_t i = 0; taken < k; i++)
        if (lw_rng_below(&rng, n - i) < k - taken)
            out[taken++] = (uint32_t)i;
    return 0;
}

/* How many of each stratum: floors of the exact shares, then one more by largest remainder. */
static void allot(const size_t *size, size_t strata, size_t n, size_t k, size_t *take,
                  double *rest)
{
    size_t left = k;
    for (size_t s = 0; s < strata; s++) {
        double share = (double)k * (double)size[s] / (double)n;
        take[s] = (size_t)share;
        rest[s] = share - (double)take[s];
        if (take[s] == 0 && size[s] > 0)
            rest[s] += 1; /* an empty hand goes first */
        left -= take[s];
    }
    for (; left > 0; left--) {
        size_t best = strata;
        for (size_t s = 0; s < strata; s++)
            if (take[s] < size[s] && (best == strata || rest[s] > rest[best]))
                best = s;
        take[best]++;
        rest[best] -= 2;
    }
}

int lw_sample_stratified(struct lw_mem *mem, const uint32_t *stratum, size_t n, size_t strata,
                         size_t k, uint64_t seed, uint32_t *out, struct lw_err *err)
{
    if (k > n || n == 0)
        return lw_err_set(err, LW_EINVAL, "cannot choose %zu of %zu", k, n);
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    size_t *left = lw_arena_array(&arena, strata, sizeof *left);
    size_t *take = lw_arena_array(&arena, strata, sizeof *take);
    double *rest = lw_arena_array(&arena, strata, sizeof *rest);
    int rc = left && take && rest ? 0 : lw_err_nomem(err);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        if (stratum[i] >= strata)
            rc = lw_err_set(err, LW_EINVAL, "row %zu has no stratum", i + 1);
        else
            left[stratum[i]]++;
    }
    if (rc == 0) {
        allot(left, strata, n, k, take, rest);
        struct lw_rng rng;
        lw_rng_init(&rng, seed, 0);
        size_t taken = 0;
        for (size_t i = 0; i < n; i++) {
            uint32_t s = stratum[i];
            if (lw_rng_below(&rng, left[s]--) < take[s]) {
                take[s]--;
                out[taken++] = (uint32_t)i;
            }
        }
    }
    lw_arena_release(&arena);
    return rc;
}
