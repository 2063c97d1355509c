#include "numeric/ranktest.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "numeric/dist.h"
#include "numeric/rank.h"

/* Average ranks are multiples of a half: doubled, they are integers, and sums of them can be
 * counted. Limits keep an exact p below about a second. */
enum { AUTO_VALUES = 60, MOST_VALUES = 200, AUTO_PAIRS = 50, MOST_PAIRS = 1000 };

/* ---- Counting rank sums --------------------------------------------------------------------
 */

/*
 * ways[s] = how many of the subsets of `take` (any number: take == SIZE_MAX) of the doubled
 * ranks have the sum s, by adding one rank after another. The counts are doubles: only their
 * ratios matter, and every addition is of positive numbers. The table is (rows, sum + 1).
 */
static double *count_sums(struct lw_arena *arena, const uint32_t *rank2, size_t n, size_t take,
                          size_t sum)
{
    size_t rows = take == SIZE_MAX ? 1 : take + 1, width = sum + 1;
    double *ways = lw_arena_array(arena, rows * width, sizeof *ways);
    if (!ways)
        return NULL;
    ways[0] = 1;
    size_t reach = 0;
    for (size_t i = 0; i < n; i++) {
        size_t r = rank2[i];
        reach = reach + r < sum ? reach + r : sum;
        if (take == SIZE_MAX) {
            for (size_t s = reach + 1; s-- > r;)
                ways[s] += ways[s - r];
            continue;
        }
        for (size_t k = i + 1 < take ? i + 1 : take; k > 0; k--) {
            double *to = ways + k * width;
            const double *from = ways + (k - 1) * width;
            for (size_t s = r; s <= reach; s++)
                to[s] += from[s - r];
        }
    }
    return take == SIZE_MAX ? ways : ways + take * width;
}

/* P(sum <= at) and P(sum >= at) from the counts. */
static void tails_of_counts(const double *ways, size_t sum, size_t at, double *lower,
                            double *upper)
{
    double below = 0, above = 0, all = 0;
    for (size_t s = 0; s <= sum; s++) {
        all += ways[s];
        if (s <= at)
            below += ways[s];
        if (s >= at)
            above += ways[s];
    }
    *lower = below / all;
    *upper = above / all;
}

/* ---- Mann-Whitney ---------------------------------------------------------------------------
 */

struct pooled {
    double *rank; /* of the first sample's values, then the second's */
    size_t n1, n2;
    double sum1; /* rank sum of the first */
    double ties;
};

static int pool_ranks(struct pooled *p, struct lw_arena *arena, struct lw_mem *mem,
                      const struct lw_sample *samples, size_t count, struct lw_err *err)
{
    size_t n = 0, at = 0;
    for (size_t g = 0; g < count; g++)
        n += samples[g].n;
    double *all = lw_arena_array(arena, n, sizeof *all);
    p->rank = lw_arena_array(arena, n, sizeof *p->rank);
    if (!all || !p->rank)
        return lw_err_nomem(err);
    for (size_t g = 0; g < count; g++) {
        memcpy(all + at, samples[g].x, samples[g].n * sizeof *all);
        at += samples[g].n;
    }
    p->n1 = samples[0].n;
    p->n2 = n - p->n1;
    if (lw_ranks(mem, all, n, p->rank, &p->ties) < 0)
        return lw_err_nomem(err);
    p->sum1 = 0;
    for (size_t i = 0; i < p->n1; i++)
        p->sum1 += p->rank[i];
    return 0;
}

static int exact_rank_sum(const struct pooled *p, struct lw_arena *arena, enum lw_tail tail,
                          double *out, struct lw_err *err)
{
    size_t n = p->n1 + p->n2, sum = 0;
    /* Count for the smaller sample: fewer rows. Its tails mirror those of the larger. */
    bool second = p->n2 < p->n1;
    size_t take = second ? p->n2 : p->n1;
    /* Without ties the ranks need no doubling. */
    double scale = p->ties > 0 ? 2 : 1;
    uint32_t *rank2 = lw_arena_array(arena, n, sizeof *rank2);
    if (!rank2)
        return lw_err_nomem(err);
    for (size_t i = 0; i < n; i++) {
        rank2[i] = (uint32_t)lround(scale * p->rank[i]);
        sum += rank2[i];
    }
    double wanted = second ? (double)n * (double)(n + 1) / 2 - p->sum1 : p->sum1;
    double *ways = count_sums(arena, rank2, n, take, sum);
    if (!ways)
        return lw_err_nomem(err);
    double lower, upper;
    tails_of_counts(ways, sum, (size_t)llround(scale * wanted), &lower, &upper);
    *out = second ? lw_tail_p(tail, upper, lower) : lw_tail_p(tail, lower, upper);
    return 0;
}

static double normal_p(enum lw_tail tail, double gap, double se, double correction)
{
    struct lw_dist z = lw_dist_normal(0, 1);
    double lower = lw_dist_lower(z, (gap + correction) / se);
    double upper = lw_dist_upper(z, (gap - correction) / se);
    return lw_tail_p(tail, lower, upper);
}

static bool wants_exact(enum lw_exactness exact, size_t n, size_t automatic)
{
    return exact == LW_EXACT_YES || (exact == LW_EXACT_AUTO && n <= automatic);
}

static int mann_whitney_p(struct lw_test *out, const struct pooled *p, struct lw_arena *arena,
                          enum lw_tail tail, enum lw_exactness exact, struct lw_err *err)
{
    double n1 = (double)p->n1, n2 = (double)p->n2, n = n1 + n2;
    out->exact = wants_exact(exact, p->n1 + p->n2, AUTO_VALUES);
    if (out->exact && p->n1 + p->n2 > MOST_VALUES)
        return lw_err_set(err, LW_ELIMIT, "an exact p-value is computed for up to %d values",
                          MOST_VALUES);
    if (out->exact)
        return exact_rank_sum(p, arena, tail, &out->p, err);
    double variance = n1 * n2 / 12 * (n + 1 - p->ties / (n * (n - 1)));
    if (!(variance > 0))
        return lw_err_set(err, LW_EINVAL, "all values are equal: there is nothing to rank");
    out->p = normal_p(tail, out->statistic - n1 * n2 / 2, sqrt(variance), 0.5);
    return 0;
}

int lw_mann_whitney(struct lw_test *out, struct lw_mem *mem, struct lw_sample a,
                    struct lw_sample b, enum lw_tail tail, enum lw_exactness exact,
                    struct lw_err *err)
{
    *out = (struct lw_test){0};
    if (lw_sample_check(a, 1, "the first sample", err) < 0 ||
        lw_sample_check(b, 1, "the second sample", err) < 0)
        return err->code;
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    struct pooled p;
    int rc = pool_ranks(&p, &arena, mem, (struct lw_sample[]){a, b}, 2, err);
    if (rc == 0) {
        double n1 = (double)a.n, n2 = (double)b.n;
        out->statistic = p.sum1 - n1 * (n1 + 1) / 2;
        out->estimate = 2 * out->statistic / (n1 * n2) - 1;
        rc = mann_whitney_p(out, &p, &arena, tail, exact, err);
    }
    lw_arena_release(&arena);
    return rc;
}

/* ---- Wilcoxon
 * --------------------------------------------------------------------------------- */

struct signed_ranks {
    double *d; /* the differences that are not zero */
    double *rank;
    size_t n;
    double plus; /* W+ */
    double ties;
};

static int sign_ranks(struct signed_ranks *s, struct lw_arena *arena, struct lw_mem *mem,
                      struct lw_sample a, struct lw_sample b, struct lw_err *err)
{
    s->d = lw_arena_array(arena, a.n, sizeof *s->d);
    s->rank = lw_arena_array(arena, a.n, sizeof *s->rank);
    double *size = lw_arena_array(arena, a.n, sizeof *size);
    if (!s->d || !s->rank || !size)
        return lw_err_nomem(err);
    for (size_t i = 0; i < a.n; i++) {
        double d = a.x[i] - b.x[i];
        if (d != 0) {
            size[s->n] = fabs(d);
            s->d[s->n++] = d;
        }
    }
    if (lw_ranks(mem, size, s->n, s->rank, &s->ties) < 0)
        return lw_err_nomem(err);
    for (size_t i = 0; i < s->n; i++)
        if (s->d[i] > 0)
            s->plus += s->rank[i];
    return 0;
}

static int exact_signed(const struct signed_ranks *s, struct lw_arena *arena, enum lw_tail tail,
                        double *out, struct lw_err *err)
{
    uint32_t *rank2 = lw_arena_array(arena, s->n, sizeof *rank2);
    if (!rank2)
        return lw_err_nomem(err);
    size_t sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        rank2[i] = (uint32_t)lround(2 * s->rank[i]);
        sum += rank2[i];
    }
    double *ways = count_sums(arena, rank2, s->n, SIZE_MAX, sum);
    if (!ways)
        return lw_err_nomem(err);
    double lower, upper;
    tails_of_counts(ways, sum, (size_t)llround(2 * s->plus), &lower, &upper);
    *out = lw_tail_p(tail, lower, upper);
    return 0;
}

static int wilcoxon_p(struct lw_test *out, const struct signed_ranks *s, struct lw_arena *arena,
                      enum lw_tail tail, enum lw_exactness exact, bool continuity,
                      struct lw_err *err)
{
    if (s->n == 0)
        return lw_err_set(err, LW_EINVAL, "all pairs are equal: there is nothing to rank");
    out->exact = wants_exact(exact, s->n, AUTO_PAIRS);
    if (out->exact && s->n > MOST_PAIRS)
        return lw_err_set(err, LW_ELIMIT, "an exact p-value is computed for up to %d pairs",
                          MOST_PAIRS);
    if (out->exact)
        return exact_signed(s, arena, tail, &out->p, err);
    double n = (double)s->n;
    double se = sqrt((n * (n + 1) * (2 * n + 1) - s->ties / 2) / 24);
    out->p = normal_p(tail, s->plus - n * (n + 1) / 4, se, continuity ? 0.5 : 0);
    return 0;
}

int lw_wilcoxon(struct lw_test *out, struct lw_mem *mem, struct lw_sample a, struct lw_sample b,
                enum lw_tail tail, enum lw_exactness exact, bool continuity, struct lw_err *err)
{
    *out = (struct lw_test){0};
    if (lw_sample_check(a, 1, "the first sample", err) < 0 ||
        lw_sample_check(b, 1, "the second sample", err) < 0)
        return err->code;
    if (a.n != b.n)
        return lw_err_set(err, LW_EINVAL, "pairs need samples of equal length, not %zu and %zu",
                          a.n, b.n);
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    struct signed_ranks s = {0};
    int rc = sign_ranks(&s, &arena, mem, a, b, err);
    if (rc == 0)
        rc = wilcoxon_p(out, &s, &arena, tail, exact, continuity, err);
    if (rc == 0) {
        double n = (double)s.n, all = n * (n + 1) / 2;
        out->statistic = s.plus;
        out->df = n;
        out->estimate = (2 * s.plus - all) / all;
    }
    lw_arena_release(&arena);
    return rc;
}

/* ---- Kruskal-Wallis
 * --------------------------------------------------------------------------- */

int lw_kruskal(struct lw_test *out, struct lw_mem *mem, const struct lw_sample *groups,
               size_t count, struct lw_err *err)
{
    *out = (struct lw_test){0};
    if (count < 2)
        return lw_err_set(err, LW_EINVAL, "Kruskal-Wallis needs at least two groups");
    for (size_t g = 0; g < count; g++)
        if (lw_sample_check(groups[g], 1, "a group", err) < 0)
            return err->code;
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    struct pooled p;
    int rc = pool_ranks(&p, &arena, mem, groups, count, err);
    if (rc == 0) {
        double n = (double)(p.n1 + p.n2), sum = 0;
        const double *rank = p.rank;
        for (size_t g = 0; g < count; g++) {
            double r = 0;
            for (size_t i = 0; i < groups[g].n; i++)
                r += *rank++;
            sum += r * r / (double)groups[g].n;
        }
        double h = 12 / (n * (n + 1)) * sum - 3 * (n + 1);
        double correction = 1 - p.ties / (n * n * n - n);
        if (!(correction > 0))
            rc = lw_err_set(err, LW_EINVAL, "all values are equal: there is nothing to rank");
        out->statistic = h / correction;
        out->df = (double)count - 1;
        out->p = lw_dist_upper(lw_dist_chi2(out->df), out->statistic);
        out->estimate = out->statistic * (n + 1) / (n * n - 1);
    }
    lw_arena_release(&arena);
    return rc;
}

/* ---- Cliff's delta
 * ------------------------------------------------------------------------------ */

/* dominance[i] = (#b below a_i - #b above a_i) / nb; both sorted. */
static double dominance(const double *a, size_t na, const double *b, size_t nb, double *squares)
{
    size_t below = 0, not_above = 0;
    double sum = 0, sq = 0;
    for (size_t i = 0; i < na; i++) {
        while (below < nb && b[below] < a[i])
            below++;
        if (not_above < below)
            not_above = below;
        while (not_above < nb && b[not_above] <= a[i])
            not_above++;
        double d = ((double)below - (double)(nb - not_above)) / (double)nb;
        sum += d;
        sq += d * d;
    }
    *squares = sq;
    return sum / (double)na;
}

/* Pairs (i, j) with a_i != b_j: the sum of d_ij^2; both sorted. */
static double unequal_pairs(const double *a, size_t na, const double *b, size_t nb)
{
    double equal = 0;
    for (size_t i = 0, j = 0, k = 0; i < na; i++) {
        while (j < nb && b[j] < a[i])
            j++;
        k = k < j ? j : k;
        while (k < nb && b[k] <= a[i])
            k++;
        equal += (double)(k - j);
    }
    return (double)na * (double)nb - equal;
}

/* N. Cliff, "Dominance statistics" (1993): variance from the rows, the columns and the cells,
 * and the interval that stays inside -1…1 (equation 9 of Feng & Cliff 2004). */
static void cliff_interval(struct lw_cliff *out, double rows, double columns, double cells,
                           double n, double m)
{
    double d = out->delta;
    double si = (rows - n * d * d) / (n - 1), sj = (columns - m * d * d) / (m - 1);
    double sij = (cells - n * m * d * d) / (n * m - 1);
    double least = (1 - d * d) / (n * m - 1);
    double variance = fmax(((m - 1) * si + (n - 1) * sj + sij) / (n * m), least);
    double z = lw_dist_quantile(lw_dist_normal(0, 1), 0.975), z2v = z * z * variance;
    double part = z * sqrt(variance) * sqrt((1 - d * d) * (1 - d * d) + z2v);
    out->low = fmax(-1, (d - d * d * d - part) / (1 - d * d + z2v));
    out->high = fmin(1, (d - d * d * d + part) / (1 - d * d + z2v));
}

int lw_cliff(struct lw_cliff *out, struct lw_mem *mem, struct lw_sample a, struct lw_sample b,
             struct lw_err *err)
{
    *out = (struct lw_cliff){0};
    if (lw_sample_check(a, 2, "the first sample", err) < 0 ||
        lw_sample_check(b, 2, "the second sample", err) < 0)
        return err->code;
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    double *x = lw_arena_array(&arena, a.n, sizeof *x);
    double *y = lw_arena_array(&arena, b.n, sizeof *y);
    int rc = 0;
    if (x && y) {
        memcpy(x, a.x, a.n * sizeof *x);
        memcpy(y, b.x, b.n * sizeof *y);
        lw_sort(x, a.n);
        lw_sort(y, b.n);
        double rows, columns;
        out->delta = dominance(x, a.n, y, b.n, &rows);
        dominance(y, b.n, x, a.n, &columns);
        if (fabs(out->delta) == 1)
            out->low = out->high = out->delta;
        else
            cliff_interval(out, rows, columns, unequal_pairs(x, a.n, y, b.n), (double)a.n,
                           (double)b.n);
    } else {
        rc = lw_err_nomem(err);
    }
    lw_arena_release(&arena);
    return rc;
}

const char *lw_cliff_reading(double delta)
{
    double d = fabs(delta);
    return d < 0.147 ? "negligible" : d < 0.33 ? "small" : d < 0.474 ? "medium" : "large";
}
