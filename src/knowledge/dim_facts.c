/* What is known about dimensions: bounds, equality, bindings; printing. */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "knowledge/dim_internal.h"

enum { MAX_DEPTH = 24 }; /* of divisions inside divisions */

/* ---- Bounds --------------------------------------------------------------------------------
 */

struct bounds {
    int64_t lo, hi; /* INT64_MIN and INT64_MAX stand for no bound */
};

static int64_t saturate(int64_t a, int64_t b, bool product)
{
    int64_t r;
    if (product ? lw_mul_i64(a, b, &r) : lw_add_i64(a, b, &r))
        return r;
    bool negative = product ? (a < 0) != (b < 0) : a < 0;
    return negative ? INT64_MIN : INT64_MAX;
}

static int64_t add_ends(int64_t a, int64_t b, int64_t infinite)
{
    return a == infinite || b == infinite ? infinite : saturate(a, b, false);
}

static int64_t product_end(int64_t a, int64_t b)
{
    if (a == 0 || b == 0)
        return 0;
    bool infinite = a == INT64_MIN || a == INT64_MAX || b == INT64_MIN || b == INT64_MAX;
    if (infinite)
        return (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
    return saturate(a, b, true);
}

static struct bounds multiply(struct bounds x, struct bounds y)
{
    int64_t p[4] = {product_end(x.lo, y.lo), product_end(x.lo, y.hi), product_end(x.hi, y.lo),
                    product_end(x.hi, y.hi)};
    struct bounds r = {p[0], p[0]};
    for (int i = 1; i < 4; i++) {
        r.lo = p[i] < r.lo ? p[i] : r.lo;
        r.hi = p[i] > r.hi ? p[i] : r.hi;
    }
    return r;
}

static struct bounds power(struct bounds x, uint32_t n)
{
    struct bounds r = x;
    for (uint32_t i = 1; i < n; i++)
        r = multiply(r, x);
    if (n % 2 == 0 && r.lo < 0)
        r.lo = 0;
    return r;
}

static int64_t floor_end(int64_t a, int64_t b)
{
    if (a == INT64_MIN || a == INT64_MAX)
        return a;
    int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}

static struct bounds poly_bounds(struct lw_dims *c, lw_dim a, int depth);

static struct bounds division_bounds(struct bounds n, struct bounds d)
{
    struct bounds all = {INT64_MIN, INT64_MAX};
    if (d.lo < 1)
        return n.lo >= 0 && d.lo >= 0 ? (struct bounds){0, n.hi} : all;
    int64_t far = d.hi == INT64_MAX ? 0 : d.hi;
    struct bounds r;
    r.lo = n.lo >= 0 ? (far ? floor_end(n.lo, far) : 0) : floor_end(n.lo, d.lo);
    r.hi = n.hi >= 0 ? floor_end(n.hi, d.lo) : (far ? floor_end(n.hi, far) : -1);
    return r;
}

static struct bounds atom_bounds(struct lw_dims *c, uint32_t number, int depth)
{
    struct lw_dim_atom atom = c->atoms.v[number];
    if (atom.kind == LW_DIM_SYMBOL)
        return (struct bounds){atom.least, atom.most};
    struct bounds x = poly_bounds(c, atom.a, depth), y = poly_bounds(c, atom.b, depth);
    if (atom.kind == LW_DIM_DIV)
        return division_bounds(x, y);
    bool min = atom.kind == LW_DIM_MIN;
    struct bounds r = {(x.lo < y.lo) == min ? x.lo : y.lo, (x.hi < y.hi) == min ? x.hi : y.hi};
    return r;
}

static struct bounds poly_bounds(struct lw_dims *c, lw_dim a, int depth)
{
    struct bounds sum = {0, 0};
    if (!a || depth <= 0)
        return (struct bounds){INT64_MIN, INT64_MAX};
    struct dim_poly p;
    dim_open(c, a, &p);
    for (size_t i = 0; i < p.n; i++) {
        struct bounds term = {1, 1};
        struct lw_dim_span m = {0, 0};
        if (p.t[i].mono)
            m = c->monos.v[p.t[i].mono - 1];
        for (uint32_t k = 0; k < m.n; k++) {
            struct lw_dim_factor f = c->factors.v[m.first + k];
            term = multiply(term, power(atom_bounds(c, f.atom, depth - 1), f.power));
        }
        term = multiply(term, (struct bounds){p.t[i].coef, p.t[i].coef});
        sum.lo = add_ends(sum.lo, term.lo, INT64_MIN);
        sum.hi = add_ends(sum.hi, term.hi, INT64_MAX);
    }
    return sum;
}

void lw_dim_bounds(struct lw_dims *c, lw_dim a, int64_t *least, int64_t *most)
{
    struct bounds b = poly_bounds(c, lw_dim_resolve(c, a), MAX_DEPTH);
    *least = b.lo;
    *most = b.hi;
}

/* ---- Facts ---------------------------------------------------------------------------------
 */

static lw_dim resolve(struct lw_dims *c, lw_dim a, int depth);

static lw_dim resolve_atom(struct lw_dims *c, uint32_t number, int depth)
{
    struct lw_dim_atom atom = c->atoms.v[number];
    if (atom.kind == LW_DIM_SYMBOL)
        return atom.bound ? resolve(c, atom.bound, depth - 1) : dim_of_atom(c, number);
    lw_dim a = resolve(c, atom.a, depth - 1), b = resolve(c, atom.b, depth - 1);
    if (a == atom.a && b == atom.b)
        return dim_of_atom(c, number);
    if (atom.kind == LW_DIM_DIV)
        return lw_dim_floordiv(c, a, b);
    return atom.kind == LW_DIM_MIN ? lw_dim_min(c, a, b) : lw_dim_max(c, a, b);
}

static lw_dim resolve(struct lw_dims *c, lw_dim a, int depth)
{
    int64_t constant;
    if (!a || !c->bindings || dim_constant(c, a, &constant))
        return a;
    if (depth <= 0)
        return LW_DIM_UNKNOWN;
    struct dim_poly p;
    dim_open(c, a, &p);
    lw_dim sum = lw_dim_int(0);
    for (size_t i = 0; i < p.n; i++) {
        lw_dim term = lw_dim_big(c, p.t[i].coef);
        struct lw_dim_span m = {0, 0};
        if (p.t[i].mono)
            m = c->monos.v[p.t[i].mono - 1];
        for (uint32_t k = 0; k < m.n; k++) {
            struct lw_dim_factor f = c->factors.v[m.first + k];
            lw_dim value = resolve_atom(c, f.atom, depth);
            for (uint32_t n = 0; n < f.power; n++)
                term = lw_dim_mul(c, term, value);
        }
        sum = lw_dim_add(c, sum, term);
    }
    return sum;
}

lw_dim lw_dim_resolve(struct lw_dims *c, lw_dim a)
{
    return resolve(c, a, MAX_DEPTH);
}

bool lw_dim_is_int(struct lw_dims *c, lw_dim a, int64_t *out)
{
    return dim_constant(c, lw_dim_resolve(c, a), out);
}

size_t lw_dims_mark(const struct lw_dims *c)
{
    return c->undo.n;
}

void lw_dims_rewind(struct lw_dims *c, size_t mark)
{
    while (c->undo.n > mark) {
        struct lw_dim_undo u = c->undo.v[--c->undo.n];
        struct lw_dim_atom *atom = &c->atoms.v[u.atom];
        if (atom->bound && !u.bound)
            c->bindings--;
        atom->bound = u.bound;
        atom->least = u.least;
        atom->most = u.most;
    }
}

static bool remember(struct lw_dims *c, uint32_t number)
{
    const struct lw_dim_atom *atom = &c->atoms.v[number];
    struct lw_dim_undo u = {number, atom->least, atom->most, atom->bound};
    if (lw_vec_push(c->mem, &c->undo, u) == 0)
        return true;
    c->failed = LW_ENOMEM;
    return false;
}

static bool mentions(struct lw_dims *c, lw_dim a, uint32_t symbol, int depth)
{
    struct dim_poly p;
    if (!a || depth <= 0)
        return true;
    dim_open(c, a, &p);
    for (size_t i = 0; i < p.n; i++) {
        struct lw_dim_span m = {0, 0};
        if (p.t[i].mono)
            m = c->monos.v[p.t[i].mono - 1];
        for (uint32_t k = 0; k < m.n; k++) {
            uint32_t number = c->factors.v[m.first + k].atom;
            struct lw_dim_atom atom = c->atoms.v[number];
            if (number == symbol)
                return true;
            if (atom.kind != LW_DIM_SYMBOL && (mentions(c, atom.a, symbol, depth - 1) ||
                                               mentions(c, atom.b, symbol, depth - 1)))
                return true;
        }
    }
    return false;
}

/* The symbol of a term ±s, else false. */
static bool lone_symbol(const struct lw_dims *c, struct lw_dim_term t, uint32_t *number)
{
    if (!t.mono || (t.coef != 1 && t.coef != -1))
        return false;
    struct lw_dim_span m = c->monos.v[t.mono - 1];
    struct lw_dim_factor f = c->factors.v[m.first];
    *number = f.atom;
    return m.n == 1 && f.power == 1 && c->atoms.v[f.atom].kind == LW_DIM_SYMBOL;
}

/* Solves difference == 0 for one of its symbols, the youngest first: a program's later names
 * (a view's batch) give way to earlier ones. */
static bool solve(struct lw_dims *c, lw_dim difference)
{
    struct dim_poly p;
    dim_open(c, difference, &p);
    for (size_t i = p.n; i-- > 0;) {
        uint32_t number;
        if (!lone_symbol(c, p.t[i], &number))
            continue;
        struct lw_dim_term t = p.t[i];
        lw_dim self = dim_of_atom(c, number);
        lw_dim rest =
            t.coef == 1 ? lw_dim_sub(c, self, difference) : lw_dim_add(c, self, difference);
        if (!rest || mentions(c, rest, number, MAX_DEPTH) || !remember(c, number))
            continue;
        c->atoms.v[number].bound = rest;
        c->bindings++;
        return true;
    }
    return false;
}

lw_tri lw_dim_assume_eq(struct lw_dims *c, lw_dim a, lw_dim b)
{
    lw_tri equal = lw_dim_eq(c, a, b);
    if (equal != LW_TRI_MAYBE || !a || !b)
        return equal;
    lw_dim difference = lw_dim_sub(c, lw_dim_resolve(c, a), lw_dim_resolve(c, b));
    return difference && solve(c, difference) ? LW_TRI_YES : LW_TRI_MAYBE;
}

void lw_dim_assume_least(struct lw_dims *c, lw_dim a, int64_t k)
{
    struct dim_poly p;
    uint32_t number;
    a = lw_dim_resolve(c, a);
    if (!a)
        return;
    dim_open(c, a, &p);
    if (p.n == 0 || p.n > 2 || (p.n == 2 && p.t[0].mono) || p.t[p.n - 1].coef != 1 ||
        !lone_symbol(c, p.t[p.n - 1], &number))
        return;
    if (p.n == 2 && !lw_add_i64(k, -p.t[0].coef, &k))
        return;
    if (k > c->atoms.v[number].least && remember(c, number))
        c->atoms.v[number].least = k;
}

/* ---- Questions -----------------------------------------------------------------------------
 */

static int64_t common_divisor(const struct dim_poly *p)
{
    int64_t g = 0;
    for (size_t i = 0; i < p->n; i++) {
        int64_t x = p->t[i].mono ? p->t[i].coef : 0;
        while (x) {
            int64_t r = g % x;
            g = x;
            x = r;
        }
    }
    return g < 0 ? (g == INT64_MIN ? 1 : -g) : g;
}

lw_tri lw_dim_eq(struct lw_dims *c, lw_dim a, lw_dim b)
{
    int64_t k;
    lw_dim d = lw_dim_sub(c, lw_dim_resolve(c, a), lw_dim_resolve(c, b));
    if (!d)
        return LW_TRI_MAYBE;
    if (dim_constant(c, d, &k))
        return lw_tri_of(k == 0);
    struct bounds range = poly_bounds(c, d, MAX_DEPTH);
    if (range.lo > 0 || range.hi < 0)
        return LW_TRI_NO;
    struct dim_poly p;
    dim_open(c, d, &p);
    int64_t g = common_divisor(&p);
    return p.t[0].mono == 0 && g > 1 && p.t[0].coef % g != 0 ? LW_TRI_NO : LW_TRI_MAYBE;
}

lw_tri lw_dim_less(struct lw_dims *c, lw_dim a, lw_dim b)
{
    lw_dim d = lw_dim_sub(c, lw_dim_resolve(c, a), lw_dim_resolve(c, b));
    struct bounds range = poly_bounds(c, d, MAX_DEPTH);
    if (range.hi < 0)
        return LW_TRI_YES;
    return range.lo >= 0 ? LW_TRI_NO : LW_TRI_MAYBE;
}

lw_tri lw_dim_less_eq(struct lw_dims *c, lw_dim a, lw_dim b)
{
    return lw_tri_not(lw_dim_less(c, b, a));
}

lw_tri lw_dim_divisible(struct lw_dims *c, lw_dim a, lw_dim b)
{
    return lw_dim_eq(c, lw_dim_mod(c, a, b), lw_dim_int(0));
}

lw_dim lw_dim_join(struct lw_dims *c, lw_dim a, lw_dim b)
{
    return a == b || lw_dim_eq(c, a, b) == LW_TRI_YES ? a : LW_DIM_UNKNOWN;
}

/* ---- Printing and evaluation ----------------------------------------------------------------
 */

static void print_poly(struct lw_dims *c, lw_dim a, struct lw_buf *out, int depth);

static bool is_sum(struct lw_dims *c, lw_dim a)
{
    return a && !lw_dim_is_literal(a) && c->polys.v[a - 1].n > 1;
}

static void print_operand(struct lw_dims *c, lw_dim a, struct lw_buf *out, int depth)
{
    bool brackets = is_sum(c, a);
    if (brackets)
        lw_buf_add_char(out, '(');
    print_poly(c, a, out, depth);
    if (brackets)
        lw_buf_add_char(out, ')');
}

static void print_atom(struct lw_dims *c, uint32_t number, struct lw_buf *out, int depth)
{
    struct lw_dim_atom atom = c->atoms.v[number];
    if (atom.kind == LW_DIM_SYMBOL) {
        lw_buf_add(out, atom.name);
    } else if (atom.kind == LW_DIM_DIV) {
        print_operand(c, atom.a, out, depth - 1);
        lw_buf_addz(out, "//");
        print_operand(c, atom.b, out, depth - 1);
    } else {
        lw_buf_addz(out, atom.kind == LW_DIM_MIN ? "min(" : "max(");
        print_poly(c, atom.a, out, depth - 1);
        lw_buf_addz(out, ", ");
        print_poly(c, atom.b, out, depth - 1);
        lw_buf_add_char(out, ')');
    }
}

static void print_term(struct lw_dims *c, struct lw_dim_term t, bool first, struct lw_buf *out,
                       int depth)
{
    bool negative = t.coef < 0;
    uint64_t size = negative ? 0 - (uint64_t)t.coef : (uint64_t)t.coef;
    lw_buf_addz(out, first ? (negative ? "-" : "") : (negative ? " - " : " + "));
    if (!t.mono || size != 1)
        lw_buf_addf(out, "%llu", (unsigned long long)size);
    struct lw_dim_span m = {0, 0};
    if (t.mono)
        m = c->monos.v[t.mono - 1];
    bool star = size != 1;
    for (uint32_t k = 0; k < m.n; k++) {
        struct lw_dim_factor f = c->factors.v[m.first + k];
        for (uint32_t n = 0; n < f.power; n++, star = true) {
            if (star)
                lw_buf_add_char(out, '*');
            bool wrap = c->atoms.v[f.atom].kind == LW_DIM_DIV && (m.n > 1 || size != 1);
            lw_buf_addz(out, wrap ? "(" : "");
            print_atom(c, f.atom, out, depth);
            lw_buf_addz(out, wrap ? ")" : "");
        }
    }
}

static void print_poly(struct lw_dims *c, lw_dim a, struct lw_buf *out, int depth)
{
    if (!a || depth <= 0) {
        lw_buf_add_char(out, '?');
        return;
    }
    struct dim_poly p;
    dim_open(c, a, &p);
    bool first = true;
    for (size_t i = 0; i < p.n; i++) /* the constant comes last */
        if (p.t[i].mono) {
            print_term(c, p.t[i], first, out, depth);
            first = false;
        }
    if (p.n && !p.t[0].mono)
        print_term(c, p.t[0], first, out, depth);
    else if (p.n == 0)
        lw_buf_add_char(out, '0');
}

void lw_dim_print(struct lw_dims *c, lw_dim a, struct lw_buf *out)
{
    print_poly(c, lw_dim_resolve(c, a), out, MAX_DEPTH);
}

static bool eval(struct lw_dims *c, lw_dim a, const int64_t *values, int64_t *out, int depth);

static bool eval_atom(struct lw_dims *c, uint32_t number, const int64_t *values, int64_t *out,
                      int depth)
{
    struct lw_dim_atom atom = c->atoms.v[number];
    int64_t x, y;
    if (atom.kind == LW_DIM_SYMBOL) {
        uint32_t nth = 0;
        for (uint32_t i = 0; i < number; i++)
            nth += c->atoms.v[i].kind == LW_DIM_SYMBOL;
        *out = values[nth];
        return true;
    }
    if (!eval(c, atom.a, values, &x, depth - 1) || !eval(c, atom.b, values, &y, depth - 1))
        return false;
    if (atom.kind == LW_DIM_DIV) {
        if (y == 0 || (x == INT64_MIN && y == -1))
            return false;
        *out = floor_end(x, y);
    } else {
        *out = (x < y) == (atom.kind == LW_DIM_MIN) ? x : y;
    }
    return true;
}

static bool eval(struct lw_dims *c, lw_dim a, const int64_t *values, int64_t *out, int depth)
{
    int64_t sum = 0;
    struct dim_poly p;
    if (!a || depth <= 0)
        return false;
    dim_open(c, a, &p);
    for (size_t i = 0; i < p.n; i++) {
        int64_t term = p.t[i].coef, x;
        struct lw_dim_span m = {0, 0};
        if (p.t[i].mono)
            m = c->monos.v[p.t[i].mono - 1];
        for (uint32_t k = 0; k < m.n; k++) {
            struct lw_dim_factor f = c->factors.v[m.first + k];
            if (!eval_atom(c, f.atom, values, &x, depth))
                return false;
            for (uint32_t n = 0; n < f.power; n++)
                if (!lw_mul_i64(term, x, &term))
                    return false;
        }
        if (!lw_add_i64(sum, term, &sum))
            return false;
    }
    *out = sum;
    return true;
}

bool lw_dim_eval(struct lw_dims *c, lw_dim a, const int64_t *values, int64_t *out)
{
    return eval(c, lw_dim_resolve(c, a), values, out, MAX_DEPTH);
}
