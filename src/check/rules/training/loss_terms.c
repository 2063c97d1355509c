/*
 * Rules about the terms of a loss: one that is summed beside one that is averaged.
 *
 * The loss of a variational autoencoder is a reconstruction term and a divergence, both summed
 * over their dimensions. A mean over 784 pixels beside a sum over the latent dimensions makes
 * the divergence some hundred times too strong: every input gets the same code.
 */
#include <math.h>

#include "base/str.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

static const double MANY = 64;      /* values that are averaged over */
static const double TOO_WEAK = 0.1; /* a factor of the divergence: it was weighed on purpose */

/* ---- the mean -----------------------------------------------------------------------------
 */

static const char *const means[] = {"mean", "reduce_mean"};
static const char *const sums[] = {"sum", "reduce_sum"};

/* Values of one sample, as far as they are known; 0: not at all. */
static double values_of(struct ck *c, const struct lw_shape *s)
{
    double n = 1;
    int64_t size;
    if (!lw_shape_has_rank(s))
        return lw_dim_is_int(c->dims, lw_shape_at(s, -1), &size) ? (double)size : 0;
    for (uint32_t i = 1; i < s->n; i++) {
        if (!lw_dim_is_int(c->dims, s->d[i], &size))
            return 0;
        n *= (double)size;
    }
    return n;
}

/* Values of one sample that the loss of the library averages over; 0: it is no such call. */
static double averaged(struct ck *c, struct lw_value v)
{
    static const char *const losses[] = {"binary_crossentropy",
                                         "mean_squared_error",
                                         "mse",
                                         "binary_cross_entropy",
                                         "mse_loss",
                                         "BinaryCrossentropy",
                                         "MeanSquaredError",
                                         "BCELoss",
                                         "MSELoss"};
    const struct ck_origin *o = lineage_made_by(c, v, means, 2);
    o = ck_origin_of(c, o ? o->in[0] : v);
    if (!o || o->in_count < 2 || !o->api ||
        !text_is_any(text_tail(o->api->name), losses, sizeof losses / sizeof *losses))
        return 0;
    struct lw_value reduction =
        o->layer ? ck_config(o->layer, "reduction") : lineage_slot(o, "reduction");
    if (lw_str_has_prefix(o->api->name, LW_S("torch.")) &&
        !(reduction.kind == LW_V_STR && text_is(reduction.str, "mean")))
        return 0;
    struct lw_value average =
        o->layer ? ck_config(o->layer, "size_average") : lineage_slot(o, "size_average");
    if (average.kind != LW_V_ABSENT && average.kind != LW_V_NONE &&
        ck_truth(c, average) != LW_TRI_YES)
        return 0; /* the old way to ask for the sum */
    const struct lw_tensor *t = ck_tensor_of(o->in[0]), *u = ck_tensor_of(o->in[1]);
    double n = t ? values_of(c, &t->shape) : 0, m = u ? values_of(c, &u->shape) : 0;
    return n > m ? n : m;
}

/* ---- the divergence -----------------------------------------------------------------------
 */

struct parts {
    bool exps, squares;
};

static bool visit(void *data, struct lw_value v, const struct ck_origin *o)
{
    static const char *const squares[] = {"square", "pow", "**"};
    struct parts *p = data;
    (void)v;
    if (o) {
        p->exps |= text_is(text_tail(o->op), "exp");
        p->squares |= text_is_any(text_tail(o->op), squares, 3);
    }
    return !p->exps || !p->squares;
}

/* Is it a sum of exp(a) and b² over the latent dimensions, with a factor of about 1? */
static bool is_divergence(struct ck *c, struct lw_value v)
{
    double factor = 1, x;
    const struct ck_origin *o = NULL;
    for (unsigned i = 0; i < 6; i++) {
        o = ck_origin_of(c, v);
        if (!o || !o->in_count)
            return false;
        if (text_is_any(text_tail(o->op), sums, 2))
            break;
        bool scaled = text_is(o->op, "*") && o->in_count == 2;
        if (scaled && ck_number_of(c, o->in[0], &x))
            v = o->in[1];
        else if ((scaled || text_is(o->op, "/")) && o->in_count == 2 &&
                 ck_number_of(c, o->in[1], &x))
            v = o->in[0];
        else if (text_is_any(text_tail(o->op), means, 2) || o->in_count == 1) {
            v = o->in[0];
            continue;
        } else {
            return false;
        }
        factor *= text_is(o->op, "/") ? (x != 0 ? 1 / x : 0) : x;
    }
    struct parts p = {0};
    if (!o || !text_is_any(text_tail(o->op), sums, 2) || fabs(factor) < TOO_WEAK)
        return false;
    (void)lineage_walk(c, o->in[0], visit, &p);
    return p.exps && p.squares;
}

static void watch_sum(struct ck *c, const struct ck_event *e)
{
    if (e->op != LW_OP_ADD || e->a.kind != LW_V_TENSOR || e->b.kind != LW_V_TENSOR)
        return;
    for (int i = 0; i < 2; i++) {
        struct lw_value mean = i ? e->b : e->a, sum = i ? e->a : e->b;
        double n = averaged(c, mean);
        if (n < MANY || !is_divergence(c, sum))
            continue;
        ck_find(
            c, e->node, "training/unbalanced-terms", &sum, 1,
            "the reconstruction loss is a mean over %.0f values, but the KL divergence is a "
            "sum, which makes it %.0f times too strong: sum both, or multiply the mean by %.0f",
            n, n, n);
        return;
    }
}

/* ---- a loss of one sample -----------------------------------------------------------------
 */

/* y_pred[0] in a loss of the program: the first axis is the batch. */
static void watch_sample(struct ck *c, const struct ck_event *e)
{
    const struct ck_origin *o = ck_origin_of(c, e->a);
    const struct lw_tensor *t = ck_tensor_of(e->a);
    int64_t at, rows = 0;
    if (!o || !t || !text_is(o->op, "output") || o->in_count || !ck_int_of(c, e->b, &at) ||
        !lw_shape_has_rank(&t->shape) || t->shape.n < 2 ||
        (lw_dim_is_int(c->dims, t->shape.d[0], &rows) && rows < 2) || ck_in_loop(c))
        return;
    ck_find(c, e->node, "training/loss-of-one-sample", &e->a, 1,
            "the first axis of these tensors is the batch: [%lld] selects one sample, and the "
            "others do not count; use [:, %lld] for a column, or one loss per output",
            (long long)at, (long long)at);
}

const struct ck_rule rules_training_loss_terms[] = {
    {"training/unbalanced-terms", CK_EV_OPERATOR, watch_sum},
    {"training/loss-of-one-sample", CK_EV_INDEX, watch_sample},
    {0},
};
