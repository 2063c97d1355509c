/*
 * Numeric rules that a single call does not show: softmax and the logarithm of a sum of
 * exponentials written by hand, and a variance as a difference of two large means. What one
 * operation does to its operand is in the API tables.
 */
#include "base/str.h"
#include "check/look.h"
#include "check/rules.h"

static const char *const exps[] = {"exp"};
static const char *const sums[] = {"sum", "reduce_sum"};
static const char *const means[] = {"mean", "reduce_mean"};
static const char *const squares[] = {"square", "pow", "**", "power"};

enum { EXPS = 1, SUMS = 2, MEANS = 2, SQUARES = 4 };

static bool same_tensor(struct lw_value a, struct lw_value b)
{
    return a.kind == LW_V_TENSOR && b.kind == LW_V_TENSOR && a.tensor->id &&
           a.tensor->id == b.tensor->id;
}

/* exp(x) of an x that nothing bounds and of which the tables know no range; they report the
 * others. */
static const struct ck_origin *bare_exp(struct ck *c, struct lw_value v)
{
    static const char *const bounded[] = {"-",       "sub",  "subtract", "clip", "clamp",
                                          "minimum", "tanh", "sigmoid",  "neg",  "log_softmax",
                                          "norm",    "abs",  "square"};
    static const char *const scalings[] = {"/",        "*",           "divide",
                                           "multiply", "true_divide", "mul"};
    const struct ck_origin *o = look_made_by(c, v, exps, EXPS);
    if (!o || o->in[0].kind != LW_V_TENSOR || (o->in[0].tensor->range.flags & LW_IV_KNOWN))
        return NULL;
    struct lw_value x = o->in[0];
    for (unsigned i = 0; i < 4; i++) {
        if (look_made_by(c, x, bounded, sizeof bounded / sizeof *bounded) ||
            look_made_by(c, x, squares, SQUARES))
            return NULL;
        const struct ck_origin *scaled =
            look_made_by(c, x, scalings, sizeof scalings / sizeof *scalings);
        if (!scaled)
            break;
        x = scaled->in[0].kind == LW_V_TENSOR || scaled->in_count < 2 ? scaled->in[0]
                                                                      : scaled->in[1];
    }
    return o;
}

/* exp(x) / sum(exp(x)) */
static void check_softmax(struct ck *c, const struct ck_event *e)
{
    const struct ck_origin *top = bare_exp(c, e->a), *sum = look_made_by(c, e->b, sums, SUMS);
    const struct ck_origin *below = sum ? bare_exp(c, sum->in[0]) : NULL;
    if (!top || !below ||
        (!same_tensor(e->a, sum->in[0]) && !same_tensor(top->in[0], below->in[0])))
        return;
    ck_find_at(c, top->file, top->node, "numeric/exp-overflow", &e->a, 1,
               "a softmax by hand overflows when a score is above 88.7: subtract the maximum "
               "first, or use the softmax of the library");
}

/* mean(x**2) - mean(x)**2 */
static void check_variance(struct ck *c, const struct ck_event *e)
{
    const struct ck_origin *a = look_made_by(c, e->a, means, MEANS);
    const struct ck_origin *b = look_made_by(c, e->b, squares, SQUARES);
    const struct ck_origin *square = a ? look_made_by(c, a->in[0], squares, SQUARES) : NULL;
    const struct ck_origin *mean = b ? look_made_by(c, b->in[0], means, MEANS) : NULL;
    if (!square || !mean || !same_tensor(square->in[0], mean->in[0]))
        return;
    ck_find(c, e->node, "numeric/cancellation", &e->a, 1,
            "a variance as the difference of two means loses all digits when the mean is large "
            "against the spread, and can be negative: use var(), or subtract the mean first");
}

static void watch_operator(struct ck *c, const struct ck_event *e)
{
    if (e->op == LW_OP_DIV)
        check_softmax(c, e);
    else if (e->op == LW_OP_SUB)
        check_variance(c, e);
}

/* log(sum(exp(x))) */
static void watch_log(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = e->call->self.kind == LW_V_TENSOR ? e->call->self
                        : e->call->n                      ? e->call->args[0].value
                                                          : lw_v_unknown();
    if (!look_is(look_tail(e->call->name), "log"))
        return;
    const struct ck_origin *sum = look_made_by(c, x, sums, SUMS);
    const struct ck_origin *exp = sum ? bare_exp(c, sum->in[0]) : NULL;
    if (exp)
        ck_find_at(
            c, exp->file, exp->node, "numeric/exp-overflow", &x, 1,
            "the sum of exponentials overflows when a value is above 88.7: use logsumexp");
}

const struct ck_rule ck_rules_numeric[] = {
    {CK_EV_OPERATOR, watch_operator},
    {CK_EV_CALL, watch_log},
    {0, NULL},
};
