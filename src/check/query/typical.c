/* How large values usually are. */
#include "base/err.h"
#include "check/query/typical.h"

#include <math.h>

#include "check/query/look.h"

enum { MAX_DEPTH = 24 };

static bool find(struct ck *c, struct lw_value v, struct typical *out, unsigned depth);

double typical_size(const struct typical *t, unsigned column)
{
    LW_BUG_ON(t->n > TYPICAL_COLUMNS);
    unsigned i = t->n == 1 ? 0 : column;
    return fabs(t->mean[i]) + 2 * t->deviation[i];
}

static struct typical one(double mean, double deviation)
{
    return (struct typical){.n = 1, .mean = {mean}, .deviation = {deviation}};
}

static struct typical between(double low, double high)
{
    return one((low + high) / 2, fabs(high - low) / sqrt(12));
}

/* ---- numbers that are drawn ---------------------------------------------------------------
 */

static bool number_slot(struct ck *c, const struct ck_origin *o, const char *name,
                        double initial, double *out)
{
    struct lw_value v = lineage_slot(o, name);
    *out = initial;
    return v.kind == LW_V_ABSENT || ck_number_of(c, v, out);
}

static bool drawn(struct ck *c, const struct ck_origin *o, struct typical *out)
{
    static const char *const units[] = {"rand", "random", "random_sample", "rand_like"};
    static const char *const normals[] = {"randn", "standard_normal", "randn_like"};
    struct lw_str name = text_tail(o->op);
    double a, b;
    if (text_is_any(name, units, sizeof units / sizeof *units)) {
        *out = between(0, 1);
        return true;
    }
    if (text_is_any(name, normals, sizeof normals / sizeof *normals)) {
        *out = one(0, 1);
        return true;
    }
    if (!text_is(name, "normal"))
        return false;
    bool torch = lw_str_has_prefix(o->op, LW_S("torch."));
    if (!number_slot(c, o, torch ? "mean" : "loc", 0, &a) ||
        !number_slot(c, o, torch ? "std" : "scale", 1, &b))
        return false;
    *out = one(a, b);
    return true;
}

/* ---- arithmetic ---------------------------------------------------------------------------
 */

static unsigned at(const struct typical *t, unsigned i)
{
    return t->n == 1 ? 0 : i;
}

static bool combine(struct lw_str op, const struct typical *a, const struct typical *b,
                    struct typical *out)
{
    if (a->n != b->n && a->n != 1 && b->n != 1)
        return false;
    out->n = a->n > b->n ? a->n : b->n;
    for (unsigned i = 0; i < out->n; i++) {
        double m = a->mean[at(a, i)], s = a->deviation[at(a, i)];
        double k = b->mean[at(b, i)], r = b->deviation[at(b, i)];
        if (text_is(op, "/")) {
            if (fabs(k) <= r)
                return false;
            r = r / (k * k);
            k = 1 / k;
        }
        if (text_is(op, "+") || text_is(op, "-")) {
            out->mean[i] = text_is(op, "+") ? m + k : m - k;
            out->deviation[i] = hypot(s, r);
        } else {
            out->mean[i] = m * k;
            out->deviation[i] = sqrt(m * m * r * r + k * k * s * s + s * s * r * r);
        }
    }
    return true;
}

static bool arithmetic(struct ck *c, const struct ck_origin *o, struct typical *out,
                       unsigned depth)
{
    static const char *const ops[] = {"+", "-", "*", "/"};
    struct typical a, b;
    if (!text_is_any(o->op, ops, 4))
        return false;
    if (o->in_count == 1 && text_is(o->op, "-")) {
        if (!find(c, o->in[0], out, depth))
            return false;
        for (unsigned i = 0; i < out->n; i++)
            out->mean[i] = -out->mean[i];
        return true;
    }
    return o->in_count == 2 && find(c, o->in[0], &a, depth) && find(c, o->in[1], &b, depth) &&
           combine(o->op, &a, &b, out);
}

static bool function(struct ck *c, const struct ck_origin *o, struct typical *out,
                     unsigned depth)
{
    struct lw_str name = text_tail(o->op);
    bool exps = text_is(name, "exp"), logs = text_is(name, "log");
    if ((!exps && !logs) || !o->in_count || !find(c, o->in[0], out, depth))
        return false;
    for (unsigned i = 0; i < out->n; i++) {
        double m = out->mean[i], s = out->deviation[i];
        if (logs && m <= 0)
            return false;
        out->mean[i] = exps ? exp(m + s * s / 2) : log(m);
        out->deviation[i] = exps ? out->mean[i] * sqrt(expm1(s * s)) : s / m;
    }
    return true;
}

/* ---- columns ------------------------------------------------------------------------------
 */

/* stack([a, b], dim=1), column_stack([a, b]), array([a, b]).T */
static bool columns(struct ck *c, const struct ck_origin *o, struct typical *out,
                    unsigned depth)
{
    static const char *const rows[] = {"array", "vstack", "stack"};
    struct lw_str name = text_tail(o->op);
    struct lw_seq seq;
    int64_t axis = 0;
    if (text_is(name, "stack")) {
        struct lw_value along =
            lineage_slot(o, lw_str_has_prefix(o->op, LW_S("torch.")) ? "dim" : "axis");
        if (!ck_int_of(c, along, &axis) || (axis != 1 && axis != -1))
            return false;
    } else if (text_is(name, "T") || text_is(name, "transpose")) {
        o = o->in_count == 1 ? ck_origin_of(c, o->in[0]) : NULL;
        if (!o || !text_is_any(text_tail(o->op), rows, 3))
            return false;
    } else if (!text_is(name, "column_stack")) {
        return false;
    }
    if (!o->in_count || !ck_sequence(c, o->in[0], &seq) || seq.open || seq.n < 2 ||
        seq.n > TYPICAL_COLUMNS)
        return false;
    out->n = seq.n;
    for (uint32_t i = 0; i < seq.n; i++) {
        struct typical part;
        const struct lw_tensor *t = ck_tensor_of(seq.items[i]);
        if (!t || !lw_shape_has_rank(&t->shape) || t->shape.n != 1 ||
            !find(c, seq.items[i], &part, depth) || part.n != 1)
            return false;
        out->mean[i] = part.mean[0];
        out->deviation[i] = part.deviation[0];
    }
    return true;
}

/* DataFrame({"income": …, "age": …}) */
static bool frame(struct ck *c, const struct ck_origin *o, struct typical *out, unsigned depth)
{
    const struct lw_dict *d;
    if (!text_is(text_tail(o->op), "DataFrame") || !o->in_count || !ck_pairs(o->in[0], &d) ||
        d->open || d->n < 2 || d->n > TYPICAL_COLUMNS)
        return false;
    out->n = d->n;
    for (uint32_t i = 0; i < d->n; i++) {
        struct typical part;
        if (!find(c, d->values[i], &part, depth) || part.n != 1)
            return false;
        out->mean[i] = part.mean[0];
        out->deviation[i] = part.deviation[0];
    }
    return true;
}

/* Rows, or one column, of a table. */
static bool part_of(struct ck *c, const struct ck_origin *o, struct typical *out,
                    unsigned depth)
{
    int64_t k;
    struct lw_value index = o->in[1];
    if (!find(c, o->in[0], out, depth))
        return false;
    if (index.kind != LW_V_TUPLE || out->n == 1 || index.seq.n < 2)
        return true;
    struct lw_value column = index.seq.items[1];
    if (column.kind == LW_V_SLICE)
        return column.seq.items[0].kind == LW_V_NONE && column.seq.items[1].kind == LW_V_NONE;
    if (!ck_int_of(c, column, &k))
        return false;
    k += k < 0 ? out->n : 0;
    if (k < 0 || k >= out->n)
        return false;
    *out = one(out->mean[k], out->deviation[k]);
    return true;
}

/* Mean or deviation over the rows. */
static bool statistic(struct ck *c, const struct ck_origin *o, struct typical *out,
                      unsigned depth)
{
    struct lw_str name = text_tail(o->op);
    bool mean = text_is(name, "mean"), deviation = text_is(name, "std");
    int64_t axis;
    if ((!mean && !deviation) || !o->in_count || !find(c, o->in[0], out, depth))
        return false;
    struct lw_value along =
        lineage_slot(o, lw_str_has_prefix(o->op, LW_S("torch.")) ? "dim" : "axis");
    if (out->n > 1 && !(ck_int_of(c, along, &axis) && axis == 0))
        return false;
    for (unsigned i = 0; i < out->n; i++) {
        if (deviation)
            out->mean[i] = out->deviation[i];
        out->deviation[i] = 0;
    }
    return true;
}

static bool is_scaled(const struct ck_origin *o)
{
    static const char *const names[] = {"StandardScaler.fit_transform",
                                        "StandardScaler.transform"};
    return lw_str_has_suffix(o->op, lw_str(names[0])) ||
           lw_str_has_suffix(o->op, lw_str(names[1]));
}

static bool find_tensor(struct ck *c, struct lw_value v, struct typical *out, unsigned depth)
{
    static const char *const forms[] = {
        "float",  "double", "to",        "astype",      "clone",  "copy",
        "detach", "tensor", "asarray",   "from_numpy",  "array",  "cuda",
        "cpu",    "numpy",  "unsqueeze", "FloatTensor", "values", "to_numpy"};
    const struct ck_origin *o = ck_origin_of(c, v);
    if (o && !o->layer) {
        if (text_is(o->op, "[]"))
            return part_of(c, o, out, depth);
        if (is_scaled(o)) {
            *out = one(0, 1);
            return true;
        }
        if (drawn(c, o, out) || arithmetic(c, o, out, depth) || function(c, o, out, depth) ||
            columns(c, o, out, depth) || frame(c, o, out, depth) || statistic(c, o, out, depth))
            return true;
        if (o->in_count && o->in[0].kind == LW_V_TENSOR &&
            text_is_any(text_tail(o->op), forms, sizeof forms / sizeof *forms) &&
            find(c, o->in[0], out, depth))
            return true;
    }
    if (!lineage_known_range(v.tensor))
        return false;
    *out = between(v.tensor->range.lo, v.tensor->range.hi);
    return true;
}

static bool find(struct ck *c, struct lw_value v, struct typical *out, unsigned depth)
{
    double x;
    if (depth == 0)
        return false;
    if (v.kind == LW_V_TENSOR)
        return find_tensor(c, v, out, depth - 1);
    if (!ck_number_of(c, v, &x))
        return false;
    *out = one(x, 0);
    return true;
}

bool typical_of(struct ck *c, struct lw_value v, struct typical *out)
{
    LW_BUG_ON(!out);
    return v.kind == LW_V_TENSOR && find(c, v, out, MAX_DEPTH);
}
