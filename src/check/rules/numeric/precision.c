/*
 * Rules about what a type of numbers cannot hold: an epsilon below the smallest half, sums and
 * products of bytes; and about the mean of what a mask may leave empty.
 */
#include <math.h>

#include "base/str.h"
#include "check/models/module.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- an epsilon that is 0 -------------------------------------------------------------------
 */

/* Half of the smallest number of 16 bits: what is below it becomes 0. */
#define HALF_OF_SMALLEST 2.98e-8

static void check_epsilon(struct ck *c, const struct ck_event *e, struct lw_value x,
                          struct lw_value number)
{
    const struct lw_tensor *t = ck_tensor_of(x);
    double eps;
    if (!t || t->dtype != LW_F16 || number.kind == LW_V_TENSOR ||
        !ck_number_of(c, number, &eps) || !(eps > 0) || eps > HALF_OF_SMALLEST)
        return;
    ck_find(
        c, e->node, "numeric/epsilon-lost", &x, 1,
        "%g is 0 in float16, so adding it has no effect: use 1e-4, or compute this in float32",
        eps);
}

/* ---- bytes ----------------------------------------------------------------------------------
 */

/* The largest number of the small types of whole numbers; 0: another type. */
static double most_of(lw_dtypes d)
{
    return d == LW_U8 ? 255 : d == LW_I8 ? 127 : d == LW_U16 ? 65535 : d == LW_I16 ? 32767 : 0;
}

enum { LEAST_ADDED = 16, MOST_TIMES = 16 };

/* picture * 2 + 100 of bytes goes round at 256. Masks of 0 and 1 are multiplied by 255; what is
 * in a file is not known to be one. */
static void check_bytes(struct ck *c, const struct ck_event *e, struct lw_value x,
                        struct lw_value number)
{
    const struct lw_tensor *t = ck_tensor_of(x), *out = ck_tensor_of(e->value);
    double n, most = t ? most_of(t->dtype) : 0;
    if (most == 0 || !out || out->dtype != t->dtype || !lineage_known_range(t) ||
        number.kind == LW_V_TENSOR || !ck_number_of(c, number, &n) || n != floor(n) || n < 2)
        return;
    bool times = e->op == LW_OP_MULT;
    if (times ? n > MOST_TIMES : n < LEAST_ADDED)
        return;
    double top = times ? lineage_top(t) * n : lineage_top(t) + n;
    if (top > most && lineage_top(t) > most / 2)
        ck_find(c, e->node, "numeric/overflow", &x, 1,
                "values up to %g become up to %g, but the type holds at most %g, and larger "
                "values wrap around: convert to float first",
                lineage_top(t), top, most);
}

static void watch_operator(struct ck *c, const struct ck_event *e)
{
    if (e->op == LW_OP_ADD) {
        check_epsilon(c, e, e->a, e->b);
        check_epsilon(c, e, e->b, e->a);
    }
    if (e->op == LW_OP_ADD || e->op == LW_OP_MULT) {
        check_bytes(c, e, e->a, e->b);
        check_bytes(c, e, e->b, e->a);
    }
}

/* ---- the mean of nothing --------------------------------------------------------------------
 */

/* Does the number of its elements depend on a mask, behind what is done to each? */
static bool is_selected(struct ck *c, struct lw_value v)
{
    static const char *const pointwise[] = {"**",  "*",   "-",   "+",      "/",   "pow",
                                            "abs", "log", "exp", "square", "neg", "sqrt"};
    for (unsigned i = 0; i < 5; i++) {
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o || !o->in_count)
            return false;
        if (text_is(o->op, "[]"))
            return o->in_count > 1 && o->in[1].kind == LW_V_TENSOR &&
                   o->in[1].tensor->dtype == LW_BOOL;
        if (!text_is_any(text_tail(o->op), pointwise, sizeof pointwise / sizeof *pointwise))
            return false;
        v = o->in[0];
    }
    return false;
}

/* x[mask].mean(), where nothing says that the mask has a true element. */
static void watch_mean(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = lineage_operand(e->call);
    const struct lw_tensor *t = ck_tensor_of(x);
    if (!text_is(text_tail(e->call->name), "mean") || !t || (t->framework & LW_NUMPY) ||
        ck_grad_off(c) || !ck_is_certain(c) || !is_selected(c, x))
        return;
    ck_find_as(c, e->node, LW_S("numeric/undefined"), LW_SEVERITY_NOTE, &x, 1,
               LW_S("the mean of no elements is NaN: a batch whose mask is false everywhere "
                    "turns the weights into NaN; divide the sum by max(1, count)"));
}

/* ---- an epsilon next to 1 ------------------------------------------------------------------
 */

/* clamp(x, eps, 1 - eps) with an epsilon that float32 does not have next to 1. */
static void watch_clip(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"clamp", "clip", "clip_by_value", "clamp_max"};
    static const char *const ends[] = {"max", "a_max", "clip_value_max", "max_value"};
    const struct lw_tensor *t = ck_tensor_of(e->value);
    double most = 0;
    if (!text_is_any(text_tail(e->call->name), names, 4) || !t ||
        lw_set_within(t->dtype, LW_F32 | LW_F16 | LW_BF16) != LW_TRI_YES)
        return;
    for (size_t i = 0; i < 4 && most == 0; i++) /* by whatever name */
        if (!ck_number_of(c, ck_slot_value(e->call, ends[i]), &most))
            most = 0;
    if (most >= 1 || (float)most != 1.0f)
        return;
    int64_t classes = 0;
    bool many = t->shape.n > 1 &&
                lw_dim_is_int(c->dims, lw_shape_at(&t->shape, -1), &classes) && classes > 1;
    /* of the probabilities of several classes nobody asks for 1 - p */
    ck_find_as(
        c, e->node, LW_S("numeric/epsilon-lost"), many ? LW_SEVERITY_NOTE : LW_SEVERITY_WARNING,
        &e->value, 1,
        ck_text(c,
                "1 - %.2g is 1 in float32, so the upper bound does not exclude 1: use an "
                "epsilon of 1e-6",
                1 - most));
}

const struct ck_rule rules_numeric_precision[] = {
    {"numeric/epsilon-lost numeric/overflow", CK_EV_OPERATOR, watch_operator},
    {"numeric/undefined", CK_EV_CALL, watch_mean, .calls = ".mean"},
    {"numeric/epsilon-lost", CK_EV_CALL, watch_clip,
     .calls = ".clamp .clip .clip_by_value .clamp_max"},
    {0},
};
