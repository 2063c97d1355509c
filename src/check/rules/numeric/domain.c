/*
 * Numeric rules that a single call does not show: softmax and the logarithm of a sum of
 * exponentials written by hand, and a variance as a difference of two large means. What one
 * operation does to its operand is in the API tables.
 */
#include "base/str.h"
#include "check/models/module.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

static const char *const exps[] = {"exp"};
static const char *const sums[] = {"sum", "reduce_sum"};
static const char *const means[] = {"mean", "reduce_mean"};
static const char *const squares[] = {"square", "pow", "**", "power"};
static const char *const additions[] = {"+", "add"};

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
    static const char *const scalings[] = {"/",           "*",   "divide", "multiply",
                                           "true_divide", "mul", "[]"};
    const struct ck_origin *o = lineage_made_by(c, v, exps, EXPS);
    if (!o || o->in[0].kind != LW_V_TENSOR || (o->in[0].tensor->range.flags & LW_IV_KNOWN))
        return NULL;
    struct lw_value x = o->in[0];
    for (unsigned i = 0; i < 4; i++) {
        if (lineage_made_by(c, x, bounded, sizeof bounded / sizeof *bounded) ||
            lineage_made_by(c, x, squares, SQUARES))
            return NULL;
        const struct ck_origin *scaled =
            lineage_made_by(c, x, scalings, sizeof scalings / sizeof *scalings);
        if (!scaled)
            break;
        x = scaled->in[0].kind == LW_V_TENSOR || scaled->in_count < 2 ? scaled->in[0]
                                                                      : scaled->in[1];
    }
    return o;
}

/* exp(x) / sum(exp(x)), whatever form the sum was given; an epsilon does not help. */
static void check_softmax(struct ck *c, const struct ck_event *e)
{
    const struct ck_origin *plus = lineage_made_by(c, e->b, additions, 2);
    struct lw_value divisor = lineage_through(c, plus ? plus->in[0] : e->b);
    const struct ck_origin *top = bare_exp(c, e->a),
                           *sum = lineage_made_by(c, divisor, sums, SUMS);
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
    const struct ck_origin *a = lineage_made_by(c, e->a, means, MEANS);
    const struct ck_origin *b = lineage_made_by(c, e->b, squares, SQUARES);
    const struct ck_origin *square = a ? lineage_made_by(c, a->in[0], squares, SQUARES) : NULL;
    const struct ck_origin *mean = b ? lineage_made_by(c, b->in[0], means, MEANS) : NULL;
    if (!square || !mean || !same_tensor(square->in[0], mean->in[0]))
        return;
    ck_find(c, e->node, "numeric/cancellation", &e->a, 1,
            "a variance as the difference of two means loses all digits when the mean is large "
            "against the spread, and can be negative: use var(), or subtract the mean first");
}

/* Does the statement add squares to `name`: name += (x * x).sum(…)? */
static bool adds_squares(const struct lw_tree *t, uint32_t statement, struct lw_str name)
{
    static const char *const written[] = {"** 2", "**2", "square(", "pow(2)"};
    if (lw_tree_kind(t, statement) != LW_NODE_AUG_ASSIGN ||
        lw_tree_node(t, statement)->op != LW_OP_ADD ||
        !lw_str_eq(lw_tree_text(t, lw_tree_get(t, statement, LW_ROLE_TARGET)), name))
        return false;
    uint32_t value = lw_tree_get(t, statement, LW_ROLE_VALUE);
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        if (lw_str_find(lw_tree_text(t, value), lw_str(written[i])) != LW_NPOS)
            return true;
    for (uint32_t n = value; n != LW_NO_NODE; n = lw_tree_next(t, value, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_BIN_OP && lw_tree_node(t, n)->op == LW_OP_MULT &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_LEFT)),
                      lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_RIGHT))))
            return true;
    return false;
}

/* self.squares / n - mean**2, where squares are added up in few digits. */
static void check_running_variance(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_origin *share = ck_origin_of(c, e->a);
    const struct lw_tensor *a = ck_tensor_of(e->a);
    if (!share || !text_is(share->op, "/") || share->file != c->frame->file ||
        lw_set_within(a->dtype, LW_F32 | LW_F16 | LW_BF16) != LW_TRI_YES ||
        !lineage_made_by(c, e->b, squares, SQUARES) || !c->frame->in_class ||
        lw_tree_kind(t, share->node) != LW_NODE_BIN_OP)
        return;
    struct lw_str name = lw_tree_text(t, lw_tree_get(t, share->node, LW_ROLE_LEFT));
    uint32_t top = c->frame->in_class->node;
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false))
        if (adds_squares(t, n, name)) {
            ck_find(
                c, e->node, "numeric/cancellation", &e->a, 1,
                "a sum of squares in float32 less the squared mean leaves nothing of values "
                "that are large against their spread; use float64, or Welford's method");
            return;
        }
}

/* p = softmax(x) * mask; p / p.sum(): a row that is masked everywhere is 0 / 0. What a mask
 * that comes from outside holds is not known, but that is what it is for. */
static void check_masked_share(struct ck *c, const struct ck_event *e)
{
    static const char *const products[] = {"*", "mul", "multiply"};
    static const char *const shares[] = {"softmax", "exp", "sigmoid"};
    const struct ck_origin *sum = lineage_made_by(c, lineage_through(c, e->b), sums, SUMS);
    const struct ck_origin *product = lineage_made_by(c, e->a, products, 3);
    if (!sum || !product || product->in_count < 2 || !same_tensor(e->a, sum->in[0]) ||
        (e->b.kind == LW_V_TENSOR && (e->b.tensor->range.flags & LW_IV_KNOWN)))
        return;
    const struct lw_tree *t = &product->file->tree;
    uint32_t f = lw_tree_enclosing(t, product->node, LW_NODE_FUNCTION);
    struct lw_str text = lw_tree_text(t, product->node);
    bool share = lineage_made_by(c, product->in[0], shares, 3) ||
                 lineage_made_by(c, product->in[1], shares, 3);
    if (!share || lw_str_find(text, LW_S("mask")) == LW_NPOS || f == LW_NO_NODE ||
        lw_str_find(lw_tree_text(t, f), LW_S("nan_to_num")) != LW_NPOS)
        return;
    ck_find(
        c, e->node, "numeric/division-by-zero", &e->b, 1,
        "a row that is masked everywhere has the sum 0, and becomes NaN: add a small number "
        "to it, or mask the scores before softmax");
}

static void watch_operator(struct ck *c, const struct ck_event *e)
{
    if (e->op == LW_OP_DIV) {
        check_softmax(c, e);
        check_masked_share(c, e);
    } else if (e->op == LW_OP_SUB) {
        check_variance(c, e);
        check_running_variance(c, e);
    }
}

/* ---- numbers ------------------------------------------------------------------------------
 */

/* args.size: the default of an option that has to be given. */
static bool is_option(const struct lw_tree *t, uint32_t node)
{
    uint32_t right = lw_tree_kind(t, node) == LW_NODE_BIN_OP
                         ? lw_tree_get(t, node, LW_ROLE_RIGHT)
                         : LW_NO_NODE;
    return right != LW_NO_NODE && lw_tree_kind(t, right) == LW_NODE_ATTRIBUTE &&
           !lw_str_has_prefix(lw_tree_text(t, right), LW_S("self."));
}

/* self.n, which other methods of the class count up. */
static bool is_counted(const struct ck *c, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t right = lw_tree_kind(t, node) == LW_NODE_BIN_OP
                         ? lw_tree_get(t, node, LW_ROLE_RIGHT)
                         : LW_NO_NODE;
    if (right == LW_NO_NODE || lw_tree_kind(t, right) != LW_NODE_ATTRIBUTE ||
        !c->frame->in_class || c->frame->in_class->file != c->frame->file)
        return false;
    uint32_t top = c->frame->in_class->node;
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_AUG_ASSIGN &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGET)),
                      lw_tree_text(t, right)))
            return true;
    return false;
}

static void watch_divisor(struct ck *c, const struct ck_event *e)
{
    struct lw_value divisor = e->a;
    uint32_t node = e->node;
    double x;
    if (!ck_number_of(c, divisor, &x) || x != 0 || c->frame->guarded || ck_is_driven(c) ||
        !ck_is_certain(c) || node == LW_NO_NODE || is_option(&c->frame->file->tree, node) ||
        is_counted(c, node))
        return;
    ck_find(c, node, "numeric/zero-divisor", &divisor, 1,
            "the divisor is 0 here, which Python refuses: give it a smallest value, as in "
            "max(1, …)");
}

/* log(exp(x)) is x, but for those that exp takes to 0 or beyond what can be stored. */
static void check_there_and_back(struct ck *c, const struct ck_event *e,
                                 const struct ck_origin *exp)
{
    if (ck_grad_off(c) || (exp->in[0].tensor->framework & LW_NUMPY))
        return;
    ck_find(c, e->node, "numeric/log-of-zero", &exp->in[0], 1,
            "the argument is an exponential, which is 0 below -103 and overflows above 88.7: "
            "leave out exp and log, which cancel");
}

/* exp(a @ b / t) of vectors of which nothing is known, and that nothing in the function gives
 * a length of 1. */
static const struct ck_origin *exp_of_product(struct ck *c, struct lw_value v)
{
    static const char *const products[] = {" @ ", "matmul(", "mm(", "einsum(", "tensordot("};
    static const char *const bounds[] = {"norm",  "cosine", "max(",
                                         "clamp", "clip",   "logsumexp"};
    const struct ck_origin *o = lineage_made_by(c, v, exps, EXPS);
    if (!o || o->in_count == 0 || o->in[0].kind != LW_V_UNKNOWN ||
        lw_tree_kind(&o->file->tree, o->node) != LW_NODE_CALL)
        return NULL;
    const struct lw_tree *t = &o->file->tree;
    uint32_t x = lw_tree_get(t, o->node, LW_ROLE_ARGS);
    uint32_t f = lw_tree_enclosing(t, o->node, LW_NODE_FUNCTION);
    struct lw_str whole = lw_tree_text(t, f == LW_NO_NODE ? t->root : f);
    if (x != LW_NO_NODE && lw_tree_kind(t, x) == LW_NODE_NAME)
        x = syntax_assigned(t, x);
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (lw_str_find(whole, lw_str(bounds[i])) != LW_NPOS)
            return NULL;
    for (size_t i = 0; x != LW_NO_NODE && i < sizeof products / sizeof *products; i++)
        if (lw_str_find(lw_tree_text(t, x), lw_str(products[i])) != LW_NPOS)
            return o;
    return NULL;
}

/* The exponential from which v is made by sums, products, quotients and selection alone; of
 * sums and products any part will do. */
static const struct ck_origin *exp_within(struct ck *c, struct lw_value v, unsigned depth)
{
    static const char *const forms[] = {
        "sum", "mean",   "reduce_sum", "reduce_mean",   "/",
        "div", "divide", "*",          "multiply",      "mul",
        "+",   "add",    "[]",         "masked_select", "stack",
        "cat", "diag",   "diagonal",   "concat",        "boolean_mask"};
    v = lineage_through(c, v);
    const struct ck_origin *exp = bare_exp(c, v);
    if (!exp)
        exp = exp_of_product(c, v);
    if (exp || depth == 0)
        return exp;
    const struct ck_origin *o = lineage_made_by(c, v, forms, sizeof forms / sizeof *forms);
    for (uint32_t i = 0; o && !exp && i < o->in_count && i < 2; i++)
        if (o->in[i].kind == LW_V_TENSOR)
            exp = exp_within(c, o->in[i], depth - 1);
    return exp;
}

/* log(exp(x)), log(sum(exp(x))) */
static void watch_log(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = lineage_operand(e->call);
    if (!text_is(text_tail(e->call->name), "log"))
        return;
    const struct ck_origin *whole = bare_exp(c, x);
    if (whole)
        check_there_and_back(c, e, whole);
    const struct ck_origin *exp = whole ? NULL : exp_within(c, x, 6);
    if (exp)
        ck_find_at(
            c, exp->file, exp->node, "numeric/exp-overflow", &x, 1,
            "the sum of exponentials overflows when a value is above 88.7: use logsumexp");
}

/* exp(cross_entropy(…) / t).backward(): a loss has no upper bound. Where nothing is trained
 * with it, as for a perplexity, no harm is done. */
static void watch_backward(struct ck *c, const struct ck_event *e)
{
    static const char *const scalings[] = {"/", "*", "mean", "sum", "div", "mul"};
    const struct ck_origin *exp = lineage_made_by(c, e->a, exps, EXPS);
    struct lw_value x = exp ? exp->in[0] : lw_v_absent();
    for (unsigned i = 0; exp && i < 4; i++) {
        const struct ck_origin *o = lineage_made_by(c, x, scalings, 6);
        if (!o)
            break;
        x = o->in[0].kind == LW_V_TENSOR || o->in_count < 2 ? o->in[0] : o->in[1];
    }
    const struct ck_origin *o = exp ? ck_origin_of(c, x) : NULL;
    const struct lw_api *api = !o ? NULL : o->api ? o->api : o->layer ? o->layer->api : NULL;
    if (api && api->kind == LW_API_LOSS)
        ck_find_at(c, exp->file, exp->node, "numeric/exp-overflow", &x, 1,
                   "the loss has no upper bound, and exp overflows above 88.7: one sample that "
                   "is far off makes all weights NaN; train on the loss itself");
}

const struct ck_rule rules_numeric_domain[] = {
    {"numeric/cancellation numeric/division-by-zero numeric/exp-overflow", CK_EV_OPERATOR,
     watch_operator},
    {"numeric/exp-overflow numeric/log-of-zero", CK_EV_CALL, watch_log},
    {"numeric/exp-overflow", CK_EV_BACKWARD, watch_backward},
    {"numeric/zero-divisor", CK_EV_DIVISOR, watch_divisor, .pure = true},
    {0},
};
