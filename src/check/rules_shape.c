/* Rules about shapes that need more than one call: the output of a model and its targets. */
#include "base/str.h"
#include "check/lib.h"
#include "check/rules.h"

/* The entry of the loss a model was compiled with, or NULL. */
static const struct lw_api *loss_of(struct ck *c, struct ck_object *model)
{
    struct lw_value loss = ck_field(c, model, "(loss)");
    struct ck_object *o = ck_object_of(loss);
    if (loss.kind == LW_V_STR && loss.str.p)
        return lw_api_find_choice(c->apis, LW_S("loss"), loss.str);
    if (o && (o->kind == CK_INSTANCE || o->kind == CK_NAME) && !o->of)
        return o->api;
    return NULL;
}

/* Elements of one sample, without `tail` dimensions at the end. */
static lw_dim per_sample(struct ck *c, const struct lw_shape *s, uint32_t tail)
{
    lw_dim n = lw_dim_int(1);
    for (uint32_t i = 1; i + tail < s->n; i++)
        n = lw_dim_mul(c->dims, n, s->d[i]);
    return n;
}

static void report(struct ck *c, const struct ck_event *e, const char *why)
{
    struct lw_value causes[2] = {e->value, e->b};
    ck_find(c, e->node, "shape/output-target-shape", causes, 2,
            "the model gives %.*s, the targets are %.*s: %s",
            LW_F(ck_show_shape(c, &e->value.tensor->shape)),
            LW_F(ck_show_shape(c, &e->b.tensor->shape)), why);
}

static void check_onehot(struct ck *c, const struct ck_event *e, const struct lw_shape *out,
                         const struct lw_shape *y)
{
    if (out->n != y->n) {
        report(c, e, "this loss wants targets of the same shape (one-hot)");
        return;
    }
    for (uint32_t i = 1; i < out->n; i++)
        if (lw_dim_eq(c->dims, out->d[i], y->d[i]) == LW_TRI_NO) {
            report(c, e,
                   i + 1 == out->n
                       ? "this loss wants one-hot targets with as many columns as the output"
                       : "this loss wants targets of the same shape");
            return;
        }
}

static void check_values(struct ck *c, const struct ck_event *e, const struct lw_shape *out,
                         const struct lw_shape *y, bool strict)
{
    struct lw_shape both;
    if (lw_shape_broadcast(c->dims, out, y, &both) == LW_TRI_NO) {
        report(c, e, "they cannot be compared element by element");
        return;
    }
    if (out->n != y->n)
        return;
    for (uint32_t i = 1; i < out->n; i++)
        if (lw_dim_eq(c->dims, out->d[i], y->d[i]) == LW_TRI_NO) {
            if (strict)
                report(c, e, "this loss wants targets of the same shape");
            else
                ck_find(c, e->node, "shape/silent-broadcast", &e->value, 1,
                        "outputs of shape %.*s are compared with targets of shape %.*s: one is "
                        "stretched to fit the other",
                        LW_F(ck_show_shape(c, out)), LW_F(ck_show_shape(c, y)));
            return;
        }
}

static void watch_fit(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = e->object ? loss_of(c, e->object) : NULL;
    if (!loss || e->value.kind != LW_V_TENSOR || e->b.kind != LW_V_TENSOR)
        return;
    const struct lw_shape *out = &e->value.tensor->shape, *y = &e->b.tensor->shape;
    if (!lw_shape_has_rank(out) || !lw_shape_has_rank(y) || out->n == 0 || y->n == 0)
        return;
    struct lw_str target = lw_api_fact(loss, "target");
    if (lw_str_eq(target, LW_S("index"))) {
        lw_dim a = per_sample(c, out, 1), b = per_sample(c, y, 0);
        if (lw_dim_eq(c->dims, a, b) == LW_TRI_NO)
            report(c, e, "this loss wants one class number for each row of outputs");
    } else if (lw_str_eq(target, LW_S("onehot")))
        check_onehot(c, e, out, y);
    else if (lw_str_eq(target, LW_S("binary")))
        check_values(c, e, out, y, true);
    else if (lw_str_eq(target, LW_S("same")))
        check_values(c, e, out, y, false);
}

/* ---- reshaping ----------------------------------------------------------------------------
 */

static bool is_known(struct ck *c, lw_dim d, int64_t *n)
{
    return lw_dim_is_int(c->dims, d, n) && *n > 0;
}

/* x.view(-1, k) where one sample has m elements and neither divides the other: rows of the
 * result begin in the middle of a sample, or the call fails, depending on the batch. */
static void watch_reshape(struct ck *c, const struct ck_event *e)
{
    const struct ck_origin *o = ck_origin_of(c, e->value);
    if (!lw_str_has_suffix(e->call->name, LW_S("reshape")) &&
        !lw_str_has_suffix(e->call->name, LW_S("view")))
        return;
    if (!o || o->in_count == 0 || o->in[0].kind != LW_V_TENSOR || e->value.kind != LW_V_TENSOR)
        return;
    const struct lw_shape *from = &o->in[0].tensor->shape, *to = &e->value.tensor->shape;
    int64_t rows, m, k;
    if (!lw_shape_has_rank(from) || !lw_shape_has_rank(to) || from->n < 2 || to->n < 2 ||
        lw_dim_is_int(c->dims, from->d[0], &rows) || from->d[0] == LW_DIM_UNKNOWN ||
        lw_dim_eq(c->dims, from->d[0], to->d[0]) == LW_TRI_YES)
        return;
    if (!is_known(c, per_sample(c, from, 0), &m) || !is_known(c, per_sample(c, to, 0), &k) ||
        m % k == 0 || k % m == 0)
        return;
    ck_find(
        c, e->node, "shape/reshape-mixes-samples", &o->in[0], 1,
        "each sample of %.*s has %lld elements, the new rows have %lld: samples are cut and "
        "mixed, or the reshape fails",
        LW_F(ck_show_shape(c, from)), (long long)m, (long long)k);
}

/* ---- comparing ----------------------------------------------------------------------------
 */

/* (n,) == (n, 1) compares everything with everything. */
static void watch_compare(struct ck *c, const struct ck_event *e)
{
    int64_t n;
    if (e->op != LW_OP_EQ || e->a.kind != LW_V_TENSOR || e->b.kind != LW_V_TENSOR)
        return;
    const struct lw_shape *x = &e->a.tensor->shape, *y = &e->b.tensor->shape;
    if (!lw_shape_has_rank(x) || !lw_shape_has_rank(y))
        return;
    const struct lw_shape *flat = x->n == 1 ? x : y, *column = x->n == 1 ? y : x;
    if (flat->n != 1 || column->n != 2 || !is_known(c, column->d[1], &n) || n != 1 ||
        lw_dim_eq(c->dims, flat->d[0], lw_dim_int(1)) == LW_TRI_YES ||
        lw_dim_eq(c->dims, column->d[0], lw_dim_int(1)) == LW_TRI_YES)
        return;
    struct lw_value causes[2] = {e->a, e->b};
    ck_find(c, e->node, "shape/silent-broadcast", causes, 2,
            "shapes %.*s and %.*s are compared: each value of one with each of the other",
            LW_F(ck_show_shape(c, x)), LW_F(ck_show_shape(c, y)));
}

const struct ck_rule ck_rules_shape[] = {
    {CK_EV_CALL, watch_reshape},
    {CK_EV_OPERATOR, watch_compare},
    {CK_EV_FIT | CK_EV_PREDICT, watch_fit},
    {0, NULL},
};
