#include "numeric/sketch.h"

#include <math.h>
#include <string.h>

#include "numeric/rank.h"

void lw_sketch_init(struct lw_sketch *s, struct lw_mem *mem)
{
    memset(s, 0, sizeof *s);
    s->mem = mem;
}

void lw_sketch_release(struct lw_sketch *s)
{
    for (size_t h = 0; h < LW_SKETCH_LEVELS; h++)
        lw_mem_free(s->mem, s->level[h].v, LW_SKETCH_ROOM * sizeof(double));
    lw_sketch_init(s, s->mem);
}

static int need_room(struct lw_sketch *s, struct lw_sketch_level *l)
{
    if (!l->v)
        l->v = lw_mem_alloc(s->mem, LW_SKETCH_ROOM * sizeof(double));
    return l->v ? 0 : LW_ENOMEM;
}

static int push(struct lw_sketch *s, size_t h, double x);

/* Halves a full level into the one above. The depth of the calls is the number of levels. */
static int compact(struct lw_sketch *s, size_t h)
{
    struct lw_sketch_level *l = &s->level[h];
    if (h + 1 == LW_SKETCH_LEVELS)
        return LW_ENOMEM; /* 2^48 * 4096 values: not on any machine */
    lw_sort(l->v, l->n);
    for (size_t i = l->odd ? 1 : 0; i < l->n; i += 2)
        if (push(s, h + 1, l->v[i]) < 0)
            return LW_ENOMEM;
    l->odd = !l->odd;
    l->n = 0;
    return 0;
}

static int push(struct lw_sketch *s, size_t h, double x)
{
    struct lw_sketch_level *l = &s->level[h];
    if (need_room(s, l) < 0)
        return LW_ENOMEM;
    if (l->n == LW_SKETCH_ROOM && compact(s, h) < 0)
        return LW_ENOMEM;
    l->v[l->n++] = x;
    return 0;
}

int lw_sketch_add(struct lw_sketch *s, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i])) {
            s->nan++;
            continue;
        }
        if (push(s, 0, x[i]) < 0)
            return LW_ENOMEM;
        s->n++;
    }
    return 0;
}

int lw_sketch_merge(struct lw_sketch *s, const struct lw_sketch *other)
{
    for (size_t h = 0; h < LW_SKETCH_LEVELS; h++)
        for (size_t i = 0; i < other->level[h].n; i++)
            if (push(s, h, other->level[h].v[i]) < 0)
                return LW_ENOMEM;
    s->n += other->n;
    s->nan += other->nan;
    return 0;
}

struct weighted {
    double value;
    uint64_t weight;
};

/* All kept values in order with their weights, in `out` (room for `total`). */
static int gather(const struct lw_sketch *s, struct weighted *out, size_t total)
{
    double *v = lw_mem_alloc(s->mem, total * sizeof *v);
    uint32_t *order = lw_mem_alloc(s->mem, total * sizeof *order);
    uint8_t *height = lw_mem_alloc(s->mem, total);
    int rc = v && order && height ? 0 : LW_ENOMEM;
    size_t k = 0;
    for (size_t h = 0; rc == 0 && h < LW_SKETCH_LEVELS; h++)
        for (size_t i = 0; i < s->level[h].n; i++, k++) {
            v[k] = s->level[h].v[i];
            height[k] = (uint8_t)h;
        }
    if (rc == 0)
        rc = lw_sort_order(s->mem, v, total, order);
    for (size_t i = 0; rc == 0 && i < total; i++)
        out[i] = (struct weighted){v[order[i]], (uint64_t)1 << height[order[i]]};
    lw_mem_free(s->mem, v, total * sizeof *v);
    lw_mem_free(s->mem, order, total * sizeof *order);
    lw_mem_free(s->mem, height, total);
    return rc;
}

int lw_sketch_quantile(const struct lw_sketch *s, double p, double *out)
{
    size_t total = 0;
    for (size_t h = 0; h < LW_SKETCH_LEVELS; h++)
        total += s->level[h].n;
    *out = NAN;
    if (total == 0 || !(p >= 0 && p <= 1))
        return 0;
    struct weighted *w = lw_mem_alloc(s->mem, total * sizeof *w);
    int rc = w ? gather(s, w, total) : LW_ENOMEM;
    uint64_t all = 0, before = 0;
    for (size_t i = 0; rc == 0 && i < total; i++)
        all += w[i].weight;
    double target = p * (double)all;
    for (size_t i = 0; rc == 0 && i < total; i++) {
        before += w[i].weight;
        *out = w[i].value;
        if ((double)before >= target)
            break;
    }
    lw_mem_free(s->mem, w, total * sizeof *w);
    return rc;
}
