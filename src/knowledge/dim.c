#include "knowledge/dim.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "knowledge/dim_internal.h"

void lw_dims_init(struct lw_dims *c, struct lw_mem *mem)
{
    memset(c, 0, sizeof *c);
    c->mem = mem;
}

static void table_release(struct lw_dims *c, struct lw_dim_table *t)
{
    lw_mem_free(c->mem, t->slots, t->room * sizeof *t->slots);
}

void lw_dims_release(struct lw_dims *c)
{
    lw_vec_release(c->mem, &c->atoms);
    lw_vec_release(c->mem, &c->monos);
    lw_vec_release(c->mem, &c->factors);
    lw_vec_release(c->mem, &c->polys);
    lw_vec_release(c->mem, &c->terms);
    lw_vec_release(c->mem, &c->undo);
    table_release(c, &c->atom_table);
    table_release(c, &c->mono_table);
    table_release(c, &c->poly_table);
    lw_dims_init(c, c->mem);
}

/* ---- Sharing: equal things have one number ------------------------------------------------
 */

typedef uint64_t hash_at(const struct lw_dims *c, uint32_t index);

static int table_grow(struct lw_dims *c, struct lw_dim_table *t, hash_at *hash)
{
    size_t room = t->room ? t->room * 2 : 64;
    uint32_t *slots = lw_mem_alloc(c->mem, room * sizeof *slots);
    if (!slots)
        return LW_ENOMEM;
    for (size_t i = 0; i < t->room; i++) {
        if (!t->slots[i])
            continue;
        size_t at = (size_t)hash(c, t->slots[i] - 1) & (room - 1);
        while (slots[at])
            at = (at + 1) & (room - 1);
        slots[at] = t->slots[i];
    }
    table_release(c, t);
    t->slots = slots;
    t->room = room;
    return 0;
}

/* Room for one more entry is made here, so that a later insertion cannot fail. */
static int table_ready(struct lw_dims *c, struct lw_dim_table *t, hash_at *hash)
{
    if (t->room && (t->n + 1) * 4 <= t->room * 3)
        return 0;
    return table_grow(c, t, hash);
}

static uint64_t hash_bytes(const void *p, size_t n)
{
    return lw_str_hash(lw_str_n(p, n));
}

static uint64_t atom_hash(const struct lw_dims *c, uint32_t index)
{
    const struct lw_dim_atom *a = &c->atoms.v[index];
    uint32_t key[3] = {(uint32_t)a->kind, a->a, a->b};
    if (a->kind == LW_DIM_SYMBOL)
        key[1] = index;
    return hash_bytes(key, sizeof key);
}

static uint64_t mono_hash(const struct lw_dims *c, uint32_t index)
{
    const struct lw_dim_span *m = &c->monos.v[index];
    return hash_bytes(c->factors.v + m->first, m->n * sizeof *c->factors.v);
}

/* Terms have padding: their hash is taken over the members. */
static uint64_t terms_hash(const struct lw_dim_term *t, size_t n)
{
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ (uint64_t)t[i].coef) * 1099511628211u;
        h = (h ^ t[i].mono) * 1099511628211u;
    }
    return h ^ h >> 29;
}

static uint64_t poly_hash(const struct lw_dims *c, uint32_t index)
{
    const struct lw_dim_span *p = &c->polys.v[index];
    return terms_hash(c->terms.v + p->first, p->n);
}

static lw_dim fail(struct lw_dims *c)
{
    c->failed = LW_ENOMEM;
    return LW_DIM_UNKNOWN;
}

enum { NO_NUMBER = UINT32_MAX };

/* The number of the atom, NO_NUMBER when memory ran out. */
static uint32_t atom_intern(struct lw_dims *c, const struct lw_dim_atom *atom)
{
    struct lw_dim_table *t = &c->atom_table;
    if (table_ready(c, t, atom_hash) < 0 || lw_vec_push(c->mem, &c->atoms, *atom) < 0)
        return NO_NUMBER;
    uint32_t last = (uint32_t)c->atoms.n - 1;
    size_t at = (size_t)atom_hash(c, last) & (t->room - 1);
    for (; t->slots[at]; at = (at + 1) & (t->room - 1)) {
        const struct lw_dim_atom *o = &c->atoms.v[t->slots[at] - 1];
        if (atom->kind != LW_DIM_SYMBOL && o->kind == atom->kind && o->a == atom->a &&
            o->b == atom->b) {
            c->atoms.n--;
            return t->slots[at] - 1;
        }
    }
    t->slots[at] = last + 1;
    t->n++;
    return last;
}

/* Monomial numbers start at 1; 0 is the constant. */
static uint32_t mono_intern(struct lw_dims *c, const struct lw_dim_factor *f, size_t n)
{
    struct lw_dim_table *t = &c->mono_table;
    if (n == 0)
        return 0;
    if (table_ready(c, t, mono_hash) < 0 || lw_vec_reserve(c->mem, &c->factors, n) < 0 ||
        lw_vec_reserve(c->mem, &c->monos, 1) < 0)
        return NO_NUMBER;
    size_t at = (size_t)hash_bytes(f, n * sizeof *f) & (t->room - 1);
    for (; t->slots[at]; at = (at + 1) & (t->room - 1)) {
        const struct lw_dim_span *o = &c->monos.v[t->slots[at] - 1];
        if (o->n == n && memcmp(c->factors.v + o->first, f, n * sizeof *f) == 0)
            return t->slots[at];
    }
    memcpy(c->factors.v + c->factors.n, f, n * sizeof *f);
    c->monos.v[c->monos.n++] = (struct lw_dim_span){(uint32_t)c->factors.n, (uint32_t)n};
    c->factors.n += n;
    t->slots[at] = (uint32_t)c->monos.n;
    t->n++;
    return (uint32_t)c->monos.n;
}

static bool fits_literal(int64_t v)
{
    return v >= -LW_DIM_BIAS && v < LW_DIM_BIAS;
}

/* The handle of sorted terms without zeros. */
static lw_dim poly_intern(struct lw_dims *c, const struct lw_dim_term *terms, size_t n)
{
    struct lw_dim_table *t = &c->poly_table;
    if (n == 0)
        return lw_dim_int(0);
    if (n == 1 && terms[0].mono == 0 && fits_literal(terms[0].coef))
        return lw_dim_int((int32_t)terms[0].coef);
    if (n > LW_DIM_MAX_TERMS)
        return LW_DIM_UNKNOWN;
    if (table_ready(c, t, poly_hash) < 0 || lw_vec_reserve(c->mem, &c->terms, n) < 0 ||
        lw_vec_reserve(c->mem, &c->polys, 1) < 0)
        return fail(c);
    size_t at = (size_t)terms_hash(terms, n) & (t->room - 1);
    for (; t->slots[at]; at = (at + 1) & (t->room - 1)) {
        const struct lw_dim_span *o = &c->polys.v[t->slots[at] - 1];
        bool same = o->n == n;
        for (size_t i = 0; same && i < n; i++)
            same = c->terms.v[o->first + i].coef == terms[i].coef &&
                   c->terms.v[o->first + i].mono == terms[i].mono;
        if (same)
            return t->slots[at];
    }
    memcpy(c->terms.v + c->terms.n, terms, n * sizeof *terms);
    c->polys.v[c->polys.n++] = (struct lw_dim_span){(uint32_t)c->terms.n, (uint32_t)n};
    c->terms.n += n;
    t->slots[at] = (uint32_t)c->polys.n;
    t->n++;
    return (lw_dim)c->polys.n;
}

/* ---- Polynomials --------------------------------------------------------------------------
 */

void dim_open(const struct lw_dims *c, lw_dim a, struct dim_poly *p)
{
    p->n = 0;
    if (lw_dim_is_literal(a)) {
        int64_t v = (int64_t)(a & ~LW_DIM_LITERAL) - LW_DIM_BIAS;
        if (v)
            p->t[p->n++] = (struct lw_dim_term){v, 0};
        return;
    }
    const struct lw_dim_span *s = &c->polys.v[a - 1];
    memcpy(p->t, c->terms.v + s->first, s->n * sizeof *p->t);
    p->n = s->n;
}

lw_dim dim_close(struct lw_dims *c, const struct dim_poly *p)
{
    return poly_intern(c, p->t, p->n);
}

bool dim_add_term(struct dim_poly *p, int64_t coef, uint32_t mono)
{
    size_t at = 0;
    while (at < p->n && p->t[at].mono < mono)
        at++;
    if (at < p->n && p->t[at].mono == mono) {
        if (!lw_add_i64(p->t[at].coef, coef, &p->t[at].coef))
            return false;
        if (p->t[at].coef == 0)
            memmove(p->t + at, p->t + at + 1, (--p->n - at) * sizeof *p->t);
        return true;
    }
    if (coef == 0)
        return true;
    if (p->n >= DIM_POLY_ROOM)
        return false;
    memmove(p->t + at + 1, p->t + at, (p->n++ - at) * sizeof *p->t);
    p->t[at] = (struct lw_dim_term){coef, mono};
    return true;
}

lw_dim lw_dim_big(struct lw_dims *c, int64_t v)
{
    struct lw_dim_term t = {v, 0};
    return poly_intern(c, &t, v != 0);
}

/* The dimension that is just this atom. */
lw_dim dim_of_atom(struct lw_dims *c, uint32_t atom)
{
    struct lw_dim_factor f = {atom, 1};
    struct lw_dim_term t = {1, mono_intern(c, &f, 1)};
    return t.mono == NO_NUMBER ? fail(c) : poly_intern(c, &t, 1);
}

/* Atoms in `a`, with repetition. */
static uint32_t weight(const struct lw_dims *c, lw_dim a)
{
    uint32_t sum = 0;
    if (lw_dim_is_literal(a))
        return 0;
    struct lw_dim_span p = c->polys.v[a - 1];
    for (uint32_t i = 0; i < p.n; i++) {
        uint32_t mono = c->terms.v[p.first + i].mono;
        for (uint32_t k = 0; mono && k < c->monos.v[mono - 1].n; k++)
            sum += c->atoms.v[c->factors.v[c->monos.v[mono - 1].first + k].atom].weight;
    }
    return sum;
}

lw_dim dim_make_atom(struct lw_dims *c, enum lw_dim_atom_kind kind, lw_dim a, lw_dim b)
{
    struct lw_dim_atom atom = {
        .kind = kind, .a = a, .b = b, .weight = 1 + weight(c, a) + weight(c, b)};
    if (atom.weight > LW_DIM_MAX_WEIGHT)
        return LW_DIM_UNKNOWN;
    uint32_t number = atom_intern(c, &atom);
    return number == NO_NUMBER ? fail(c) : dim_of_atom(c, number);
}

lw_dim lw_dim_symbol(struct lw_dims *c, struct lw_str name, int64_t least, int64_t most)
{
    struct lw_dim_atom atom = {
        .kind = LW_DIM_SYMBOL, .name = name, .least = least, .most = most, .weight = 1};
    uint32_t number = atom_intern(c, &atom);
    return number == NO_NUMBER ? fail(c) : dim_of_atom(c, number);
}

bool dim_constant(const struct lw_dims *c, lw_dim a, int64_t *out)
{
    if (lw_dim_is_literal(a)) {
        *out = (int64_t)(a & ~LW_DIM_LITERAL) - LW_DIM_BIAS;
        return true;
    }
    if (a == LW_DIM_UNKNOWN)
        return false;
    const struct lw_dim_span *s = &c->polys.v[a - 1];
    if (s->n != 1 || c->terms.v[s->first].mono != 0)
        return false;
    *out = c->terms.v[s->first].coef;
    return true;
}

/* a + factor * b */
static lw_dim combine(struct lw_dims *c, lw_dim a, lw_dim b, int64_t factor)
{
    int64_t x, y, r;
    if (!a || !b)
        return LW_DIM_UNKNOWN;
    if (dim_constant(c, a, &x) && dim_constant(c, b, &y) && lw_mul_i64(y, factor, &r) &&
        lw_add_i64(x, r, &r))
        return lw_dim_big(c, r);
    struct dim_poly p, q;
    dim_open(c, a, &p);
    dim_open(c, b, &q);
    for (size_t i = 0; i < q.n; i++)
        if (!lw_mul_i64(q.t[i].coef, factor, &r) || !dim_add_term(&p, r, q.t[i].mono))
            return LW_DIM_UNKNOWN;
    return dim_close(c, &p);
}

lw_dim lw_dim_add(struct lw_dims *c, lw_dim a, lw_dim b)
{
    return combine(c, a, b, 1);
}

lw_dim lw_dim_sub(struct lw_dims *c, lw_dim a, lw_dim b)
{
    return combine(c, a, b, -1);
}

lw_dim lw_dim_neg(struct lw_dims *c, lw_dim a)
{
    return combine(c, lw_dim_int(0), a, -1);
}

enum { MAX_FACTORS = 16 };

/* The product of two monomials; NO_NUMBER when it is too long or memory ran out. */
static uint32_t mono_product(struct lw_dims *c, uint32_t a, uint32_t b)
{
    if (!a || !b)
        return a ? a : b;
    struct lw_dim_factor f[2 * MAX_FACTORS];
    struct lw_dim_span x = c->monos.v[a - 1], y = c->monos.v[b - 1];
    size_t n = 0, i = 0, j = 0;
    while (i < x.n || j < y.n) {
        if (n >= MAX_FACTORS)
            return NO_NUMBER;
        const struct lw_dim_factor *p = i < x.n ? &c->factors.v[x.first + i] : NULL;
        const struct lw_dim_factor *q = j < y.n ? &c->factors.v[y.first + j] : NULL;
        f[n] = p && (!q || p->atom <= q->atom) ? *p : *q;
        if (p && q && p->atom == q->atom) {
            f[n].power = p->power + q->power;
            i++, j++;
        } else if (p && (!q || p->atom < q->atom)) {
            i++;
        } else {
            j++;
        }
        if (f[n].power > 64)
            return NO_NUMBER;
        n++;
    }
    return mono_intern(c, f, n);
}

lw_dim lw_dim_mul(struct lw_dims *c, lw_dim a, lw_dim b)
{
    struct dim_poly p, q, out = {.n = 0};
    int64_t x, y, r;
    if ((dim_constant(c, a, &x) && x == 0) || (dim_constant(c, b, &y) && y == 0))
        return lw_dim_int(0); /* 0 times anything, even the unknown */
    if (!a || !b)
        return LW_DIM_UNKNOWN;
    dim_open(c, a, &p);
    dim_open(c, b, &q);
    for (size_t i = 0; i < p.n; i++) {
        for (size_t j = 0; j < q.n; j++) {
            uint32_t mono = mono_product(c, p.t[i].mono, q.t[j].mono);
            if (mono == NO_NUMBER || !lw_mul_i64(p.t[i].coef, q.t[j].coef, &r) ||
                !dim_add_term(&out, r, mono))
                return LW_DIM_UNKNOWN;
        }
    }
    return dim_close(c, &out);
}

/* ---- Division ------------------------------------------------------------------------------
 */

/* x / y as monomials; NO_NUMBER when y does not divide x. */
static uint32_t mono_quotient(struct lw_dims *c, uint32_t a, uint32_t b)
{
    if (!b)
        return a;
    if (!a)
        return NO_NUMBER;
    struct lw_dim_factor f[MAX_FACTORS];
    struct lw_dim_span x = c->monos.v[a - 1], y = c->monos.v[b - 1];
    size_t n = 0, j = 0;
    for (size_t i = 0; i < x.n; i++) {
        struct lw_dim_factor p = c->factors.v[x.first + i];
        if (j < y.n && c->factors.v[y.first + j].atom == p.atom) {
            if (c->factors.v[y.first + j].power > p.power)
                return NO_NUMBER;
            p.power -= c->factors.v[y.first + j++].power;
        }
        if (p.power)
            f[n++] = p;
    }
    return j == y.n ? mono_intern(c, f, n) : NO_NUMBER;
}

static uint32_t mono_degree(const struct lw_dims *c, uint32_t mono)
{
    uint32_t degree = 0;
    for (uint32_t i = 0; mono && i < c->monos.v[mono - 1].n; i++)
        degree += c->factors.v[c->monos.v[mono - 1].first + i].power;
    return degree;
}

/* Graded lexicographic order: compatible with products, so that division by the leading term
 * terminates. */
static bool mono_before(const struct lw_dims *c, uint32_t a, uint32_t b)
{
    uint32_t da = mono_degree(c, a), db = mono_degree(c, b);
    if (da != db || a == b || !a || !b)
        return da < db;
    struct lw_dim_span x = c->monos.v[a - 1], y = c->monos.v[b - 1];
    for (uint32_t i = 0; i < x.n && i < y.n; i++) {
        const struct lw_dim_factor *p = &c->factors.v[x.first + i];
        const struct lw_dim_factor *q = &c->factors.v[y.first + i];
        if (p->atom != q->atom)
            return p->atom > q->atom; /* the lower atom number leads */
        if (p->power != q->power)
            return p->power < q->power;
    }
    return x.n < y.n;
}

static struct lw_dim_term leading(const struct lw_dims *c, const struct dim_poly *p)
{
    struct lw_dim_term best = p->t[0];
    for (size_t i = 1; i < p->n; i++)
        if (mono_before(c, best.mono, p->t[i].mono))
            best = p->t[i];
    return best;
}

/* Polynomial division; unknown when a rest stays. */
static lw_dim divide_polynomials(struct lw_dims *c, lw_dim a, lw_dim b)
{
    struct dim_poly rest, by, quotient = {.n = 0};
    dim_open(c, a, &rest);
    dim_open(c, b, &by);
    if (by.n == 0)
        return LW_DIM_UNKNOWN;
    struct lw_dim_term lead = leading(c, &by);
    for (int round = 0; rest.n && round < 2 * LW_DIM_MAX_TERMS; round++) {
        struct lw_dim_term top = leading(c, &rest);
        uint32_t mono = mono_quotient(c, top.mono, lead.mono);
        if (mono == NO_NUMBER || top.coef % lead.coef != 0)
            return LW_DIM_UNKNOWN;
        int64_t coef = top.coef / lead.coef, r;
        if (!dim_add_term(&quotient, coef, mono))
            return LW_DIM_UNKNOWN;
        for (size_t i = 0; i < by.n; i++) {
            uint32_t m = mono_product(c, by.t[i].mono, mono);
            if (m == NO_NUMBER || !lw_mul_i64(by.t[i].coef, -coef, &r) ||
                !dim_add_term(&rest, r, m))
                return LW_DIM_UNKNOWN;
        }
    }
    return rest.n ? LW_DIM_UNKNOWN : dim_close(c, &quotient);
}

lw_dim lw_dim_divide_exactly(struct lw_dims *c, lw_dim a, lw_dim b)
{
    a = lw_dim_resolve(c, a);
    b = lw_dim_resolve(c, b);
    int64_t x, y;
    if (!a || !b || (dim_constant(c, b, &y) && y == 0))
        return LW_DIM_UNKNOWN;
    if (dim_constant(c, a, &x) && x == 0)
        return lw_dim_int(0);
    return divide_polynomials(c, a, b);
}

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
}

/* (x//m + k) // by = (x + m*k) // (m*by): one strided layer after another. */
static bool flatten_division(struct lw_dims *c, struct dim_poly *rest, int64_t *by)
{
    struct lw_dim_term *t = rest->n ? &rest->t[rest->n - 1] : NULL;
    if (!t || t->coef != 1 || t->mono == 0 || rest->n > 2 ||
        (rest->n == 2 && rest->t[0].mono != 0))
        return false;
    struct lw_dim_span m = c->monos.v[t->mono - 1];
    struct lw_dim_factor f = c->factors.v[m.first];
    int64_t inner, k = rest->n == 2 ? rest->t[0].coef : 0, product;
    if (m.n != 1 || f.power != 1 || c->atoms.v[f.atom].kind != LW_DIM_DIV ||
        !dim_constant(c, c->atoms.v[f.atom].b, &inner) || inner <= 0 ||
        !lw_mul_i64(k, inner, &k) || !lw_mul_i64(*by, inner, &product))
        return false;
    dim_open(c, c->atoms.v[f.atom].a, rest);
    *by = product;
    return dim_add_term(rest, k, 0);
}

/* Takes multiples of `by` out of `rest` into `whole`, so that 0 <= coefficients < by. */
static bool take_multiples(struct dim_poly *rest, int64_t by, struct dim_poly *whole)
{
    struct dim_poly in = *rest;
    rest->n = 0;
    for (size_t i = 0; i < in.n; i++) {
        int64_t q = floor_div(in.t[i].coef, by);
        if (!dim_add_term(whole, q, in.t[i].mono) ||
            !dim_add_term(rest, in.t[i].coef - q * by, in.t[i].mono))
            return false;
    }
    return true;
}

/* floor((g*u + k) / (g*d)) = floor((u + floor(k/g)) / d) */
static void cancel_common(struct dim_poly *rest, int64_t *by)
{
    int64_t g = *by;
    for (size_t i = 0; i < rest->n; i++)
        if (rest->t[i].mono)
            g = gcd(g, rest->t[i].coef);
    if (g <= 1)
        return;
    struct dim_poly in = *rest;
    rest->n = 0;
    for (size_t i = 0; i < in.n; i++)
        dim_add_term(rest, floor_div(in.t[i].coef, g), in.t[i].mono);
    *by /= g;
}

/* By a constant > 0, in canonical form. */
static lw_dim divide_by_constant(struct lw_dims *c, lw_dim a, int64_t by)
{
    struct dim_poly rest, whole = {.n = 0};
    dim_open(c, a, &rest);
    do {
        if (!take_multiples(&rest, by, &whole))
            return LW_DIM_UNKNOWN;
        cancel_common(&rest, &by);
    } while (by > 1 && flatten_division(c, &rest, &by));
    if (by == 1) {
        for (size_t i = 0; i < rest.n; i++)
            if (!dim_add_term(&whole, rest.t[i].coef, rest.t[i].mono))
                return LW_DIM_UNKNOWN;
        rest.n = 0;
    }
    lw_dim sum = dim_close(c, &whole);
    if (rest.n == 0 || (rest.n == 1 && rest.t[0].mono == 0))
        return sum; /* what is left is a constant below the divisor */
    lw_dim numerator = dim_close(c, &rest), divisor = lw_dim_big(c, by);
    int64_t least, most;
    lw_dim_bounds(c, numerator, &least, &most);
    if (least >= 0 && most < by)
        return sum;
    return numerator && divisor
               ? lw_dim_add(c, sum, dim_make_atom(c, LW_DIM_DIV, numerator, divisor))
               : LW_DIM_UNKNOWN;
}

lw_dim lw_dim_floordiv(struct lw_dims *c, lw_dim a, lw_dim b)
{
    int64_t x, y;
    a = lw_dim_resolve(c, a);
    b = lw_dim_resolve(c, b);
    if (!a || !b)
        return LW_DIM_UNKNOWN;
    if (dim_constant(c, b, &y)) {
        if (y == 0 || y == INT64_MIN)
            return LW_DIM_UNKNOWN;
        if (dim_constant(c, a, &x))
            return lw_dim_big(c, x == INT64_MIN ? x / y : floor_div(x, y));
        if (y < 0)
            return lw_dim_floordiv(c, lw_dim_neg(c, a), lw_dim_big(c, -y));
        return divide_by_constant(c, a, y);
    }
    /* A symbolic divisor is a size: taken to be different from 0 as the program divides by it.
     */
    lw_dim exact = lw_dim_divide_exactly(c, a, b);
    return exact ? exact : dim_make_atom(c, LW_DIM_DIV, a, b);
}

lw_dim lw_dim_ceildiv(struct lw_dims *c, lw_dim a, lw_dim b)
{
    return lw_dim_neg(c, lw_dim_floordiv(c, lw_dim_neg(c, a), b));
}

lw_dim lw_dim_mod(struct lw_dims *c, lw_dim a, lw_dim b)
{
    return lw_dim_sub(c, a, lw_dim_mul(c, b, lw_dim_floordiv(c, a, b)));
}

static lw_dim extreme(struct lw_dims *c, lw_dim a, lw_dim b, enum lw_dim_atom_kind kind)
{
    a = lw_dim_resolve(c, a);
    b = lw_dim_resolve(c, b);
    if (!a || !b)
        return LW_DIM_UNKNOWN;
    lw_tri less = lw_dim_less_eq(c, a, b);
    if (less == LW_TRI_YES)
        return kind == LW_DIM_MIN ? a : b;
    if (less == LW_TRI_NO || lw_dim_less_eq(c, b, a) == LW_TRI_YES)
        return kind == LW_DIM_MIN ? b : a;
    return dim_make_atom(c, kind, a < b ? a : b, a < b ? b : a);
}

lw_dim lw_dim_min(struct lw_dims *c, lw_dim a, lw_dim b)
{
    return extreme(c, a, b, LW_DIM_MIN);
}

lw_dim lw_dim_max(struct lw_dims *c, lw_dim a, lw_dim b)
{
    return extreme(c, a, b, LW_DIM_MAX);
}
