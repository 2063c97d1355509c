#include "base/seqdiff.h"

#include <string.h>

#include "base/vec.h"

/* A part of both sequences that is still to be compared. */
struct part {
    long a0, a1, b0, b1;
};

struct diff {
    struct lw_mem *mem;
    const uint64_t *a, *b;
    bool *keep_a, *keep_b;
    /* By diagonal (place in a less place in b): the furthest place in a that was reached from
     * the start, and from the end. */
    long *forward, *backward;
    LW_VEC(struct part) todo;
};

/* Takes equal ends off. */
static void trim(struct diff *d, struct part *p)
{
    while (p->a0 < p->a1 && p->b0 < p->b1 && d->a[p->a0] == d->b[p->b0])
        d->keep_a[p->a0++] = d->keep_b[p->b0++] = true;
    while (p->a0 < p->a1 && p->b0 < p->b1 && d->a[p->a1 - 1] == d->b[p->b1 - 1])
        d->keep_a[--p->a1] = d->keep_b[--p->b1] = true;
}

/* The range of diagonals in use; those at its ends have guards beside them. */
struct band {
    long low, high;
};

static void widen(struct band *s, long *reached, long least, long most, long guard)
{
    if (s->low > least)
        reached[--s->low - 1] = guard;
    else
        s->low++;
    if (s->high < most)
        reached[++s->high + 1] = guard;
    else
        s->high--;
}

/* The furthest point reached from the start, for parts that are too expensive. */
static void furthest(const struct diff *d, const struct part *p, const struct band *f, long *x,
                     long *y)
{
    long best = -1;
    for (long k = f->low; k <= f->high; k += 2) {
        long i = d->forward[k] < p->a1 ? d->forward[k] : p->a1, j = i - k;
        if (j > p->b1) {
            j = p->b1;
            i = j + k;
        }
        if (i + j > best) {
            best = i + j;
            *x = i;
            *y = j;
        }
    }
}

/* A point on an optimal path in the middle of it: searched from both ends until the searches
 * meet. */
static void middle(struct diff *d, const struct part *p, long *x, long *y)
{
    long least = p->a0 - p->b1, most = p->a1 - p->b0;
    long start = p->a0 - p->b0, end = p->a1 - p->b1;
    bool odd = (start - end) & 1;
    struct band f = {start, start}, r = {end, end};
    d->forward[start] = p->a0;
    d->backward[end] = p->a1;
    for (long cost = 1;; cost++) {
        widen(&f, d->forward, least, most, -1);
        for (long k = f.high; k >= f.low; k -= 2) {
            long down = d->forward[k + 1], right = d->forward[k - 1];
            long i = right < down ? down : right + 1;
            while (i < p->a1 && i - k < p->b1 && d->a[i] == d->b[i - k])
                i++;
            d->forward[k] = i;
            if (odd && r.low <= k && k <= r.high && d->backward[k] <= i) {
                *x = i;
                *y = i - k;
                return;
            }
        }
        widen(&r, d->backward, least, most, INT32_MAX);
        for (long k = r.high; k >= r.low; k -= 2) {
            long up = d->backward[k - 1], left = d->backward[k + 1];
            long i = up < left ? up : left - 1;
            while (i > p->a0 && i - k > p->b0 && d->a[i - 1] == d->b[i - k - 1])
                i--;
            d->backward[k] = i;
            if (!odd && f.low <= k && k <= f.high && i <= d->forward[k]) {
                *x = i;
                *y = i - k;
                return;
            }
        }
        if (cost >= LW_SEQDIFF_COST) {
            furthest(d, p, &f, x, y);
            return;
        }
    }
}

static int compare(struct diff *d, struct part whole)
{
    int rc = lw_vec_push(d->mem, &d->todo, whole);
    while (rc == 0 && d->todo.n > 0) {
        struct part p = d->todo.v[--d->todo.n];
        long x = 0, y = 0;
        trim(d, &p);
        if (p.a0 == p.a1 || p.b0 == p.b1)
            continue;
        middle(d, &p, &x, &y);
        rc = lw_vec_push(d->mem, &d->todo, (struct part){p.a0, x, p.b0, y});
        if (rc == 0)
            rc = lw_vec_push(d->mem, &d->todo, (struct part){x, p.a1, y, p.b1});
    }
    return rc;
}

int lw_seqdiff(struct lw_mem *mem, const uint64_t *a, size_t n, const uint64_t *b, size_t m,
               bool *keep_a, bool *keep_b)
{
    if (n >= INT32_MAX || m >= INT32_MAX)
        return LW_ENOMEM;
    struct diff d = {.mem = mem, .a = a, .b = b, .keep_a = keep_a, .keep_b = keep_b};
    size_t room = n + m + 3, bytes = 2 * room * sizeof(long);
    memset(keep_a, 0, n * sizeof *keep_a);
    memset(keep_b, 0, m * sizeof *keep_b);
    long *space = lw_mem_alloc(mem, bytes);
    if (!space)
        return LW_ENOMEM;
    d.forward = space + m + 1;
    d.backward = space + room + m + 1;
    int rc = compare(&d, (struct part){0, (long)n, 0, (long)m});
    lw_vec_release(mem, &d.todo);
    lw_mem_free(mem, space, bytes);
    return rc;
}
