/* Nearest neighbours among edit shapes: an inverted index over their features. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "source/edit_shape.h"

void lw_edit_index_init(struct lw_edit_index *x, struct lw_mem *mem)
{
    memset(x, 0, sizeof *x);
    x->mem = mem;
}

void lw_edit_index_release(struct lw_edit_index *x)
{
    lw_vec_release(x->mem, &x->postings);
    lw_vec_release(x->mem, &x->norms);
}

int lw_edit_index_add(struct lw_edit_index *x, const struct lw_edit_shape *s,
                      struct lw_err *err)
{
    uint32_t shape = (uint32_t)x->norms.n;
    if (lw_vec_reserve(x->mem, &x->postings, s->v.n) < 0 ||
        lw_vec_push(x->mem, &x->norms, 0) < 0)
        return lw_err_nomem(err);
    for (size_t i = 0; i < s->v.n; i++) {
        struct lw_edit_posting *p = &x->postings.v[x->postings.n++];
        p->hash = s->v.v[i].hash;
        p->weight = s->v.v[i].weight;
        p->shape = shape;
    }
    x->sorted = false;
    return 0;
}

static int by_feature(const void *p, const void *q)
{
    const struct lw_edit_posting *x = p, *y = q;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->shape < y->shape ? -1 : x->shape > y->shape;
}

/* ln((1 + N) / (1 + n)) + 1/2: a feature that all have still counts a little. */
static double rarity(const struct lw_edit_index *x, size_t having)
{
    return log((1 + (double)x->norms.n) / (1 + (double)having)) + 0.5;
}

static size_t run_length(const struct lw_edit_index *x, size_t from)
{
    size_t to = from;
    while (to < x->postings.n && x->postings.v[to].hash == x->postings.v[from].hash)
        to++;
    return to - from;
}

static void sort(struct lw_edit_index *x)
{
    if (x->postings.n > 1)
        qsort(x->postings.v, x->postings.n, sizeof *x->postings.v, by_feature);
    memset(x->norms.v, 0, x->norms.n * sizeof *x->norms.v);
    for (size_t i = 0, n; i < x->postings.n; i += n) {
        n = run_length(x, i);
        double r = rarity(x, n);
        for (size_t k = i; k < i + n; k++) {
            double w = x->postings.v[k].weight * r;
            x->norms.v[x->postings.v[k].shape] += w * w;
        }
    }
    for (size_t i = 0; i < x->norms.n; i++)
        x->norms.v[i] = sqrt(x->norms.v[i]);
    x->sorted = true;
}

static size_t first_posting(const struct lw_edit_index *x, uint64_t hash)
{
    size_t low = 0, high = x->postings.n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (x->postings.v[mid].hash < hash)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Sums of products for every shape that shares a feature; returns the length of the question.
 */
static double score(const struct lw_edit_index *x, const struct lw_edit_shape *s, double *sums)
{
    double norm = 0;
    for (size_t i = 0; i < s->v.n; i++) {
        size_t at = first_posting(x, s->v.v[i].hash), n = 0;
        if (at < x->postings.n && x->postings.v[at].hash == s->v.v[i].hash)
            n = run_length(x, at);
        double r = rarity(x, n), w = s->v.v[i].weight * r;
        norm += w * w;
        for (size_t k = at; k < at + n; k++)
            sums[x->postings.v[k].shape] += w * x->postings.v[k].weight * r;
    }
    return sqrt(norm);
}

/* Keeps the best, sorted; equals stay in order of adding. */
static void keep(struct lw_edit_hit *hits, size_t room, size_t *count, struct lw_edit_hit hit)
{
    size_t at = *count;
    if (at == room) {
        if (hits[room - 1].similarity >= hit.similarity)
            return;
        at--;
    } else {
        ++*count;
    }
    for (; at > 0 && hits[at - 1].similarity < hit.similarity; at--)
        hits[at] = hits[at - 1];
    hits[at] = hit;
}

int lw_edit_index_find(struct lw_edit_index *x, const struct lw_edit_shape *s,
                       struct lw_edit_hit *hits, size_t room, size_t *count, struct lw_err *err)
{
    size_t n = x->norms.n;
    *count = 0;
    if (n == 0 || room == 0)
        return 0;
    double *sums = lw_mem_alloc(x->mem, n * sizeof *sums);
    if (!sums)
        return lw_err_nomem(err);
    if (!x->sorted)
        sort(x);
    double norm = score(x, s, sums);
    for (uint32_t i = 0; i < n; i++) {
        if (sums[i] <= 0)
            continue;
        double like = sums[i] / (norm * x->norms.v[i]);
        keep(hits, room, count, (struct lw_edit_hit){i, like > 1 ? 1 : like});
    }
    lw_mem_free(x->mem, sums, n * sizeof *sums);
    return 0;
}
