/*
 * Numeric rules that a single call does not show: softmax and the logarithm of a sum of
 * exponentials written by hand, and a variance as a difference of two large means. What one
 * operation does to its operand is in the API tables.
 */
#include "base/str.h"
#include "check/lib_module.h"
#include "check/look.h"
#include "check/rules.h"
#include "check/typical.h"

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

/* exp(x) / sum(exp(x)), whatever form the sum was given; an epsilon does not help. */
static void check_softmax(struct ck *c, const struct ck_event *e)
{
    const struct ck_origin *plus = look_made_by(c, e->b, additions, 2);
    struct lw_value divisor = look_through(c, plus ? plus->in[0] : e->b);
    const struct ck_origin *top = bare_exp(c, e->a),
                           *sum = look_made_by(c, divisor, sums, SUMS);
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
    if (!share || !look_is(share->op, "/") || share->file != c->frame->file ||
        lw_set_within(a->dtype, LW_F32 | LW_F16 | LW_BF16) != LW_TRI_YES ||
        !look_made_by(c, e->b, squares, SQUARES) || !c->frame->in_class ||
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

enum { MAX_MENDED = 32 };

/* Tensors of which some elements were set: std[std == 0] = 1. */
struct mended {
    uint32_t ids[MAX_MENDED];
    size_t n;
};

static const char mended_key;

static void watch_store(struct ck *c, const struct ck_event *e)
{
    struct mended *m = ck_state(c, &mended_key, sizeof *m);
    if (m && e->a.kind == LW_V_TENSOR && e->a.tensor->id)
        m->ids[m->n++ % MAX_MENDED] = e->a.tensor->id;
}

static bool is_mended(struct ck *c, struct lw_value v)
{
    const struct mended *m = ck_state(c, &mended_key, sizeof *m);
    for (size_t i = 0; m && i < m->n && i < MAX_MENDED; i++)
        if (m->ids[i] == v.tensor->id)
            return true;
    return false;
}

/* An axis was named: a number for each column. */
static bool is_by_column(const struct ck_origin *o)
{
    struct lw_value axis = look_slot(o, "axis");
    if (axis.kind == LW_V_ABSENT || axis.kind == LW_V_NONE)
        axis = look_slot(o, "dim");
    return axis.kind != LW_V_ABSENT && axis.kind != LW_V_NONE;
}

/* (x - mean) / x.std(axis=0), (x - low) / (x.max(axis=0) - x.min(axis=0)): a column of data
 * that is the same in all rows makes it 0 / 0. */
static void check_spread(struct ck *c, const struct ck_event *e)
{
    static const char *const spreads[] = {"std", "nanstd", "ptp"};
    static const char *const tops[] = {"max", "amax", "nanmax"};
    static const char *const lows[] = {"min", "amin", "nanmin"};
    const struct ck_origin *o = look_made_by(c, e->b, spreads, 3);
    const struct ck_origin *difference = ck_origin_of(c, e->b);
    if (!o && difference && look_is(difference->op, "-") && difference->in_count == 2) {
        o = look_made_by(c, difference->in[0], tops, 3);
        if (!look_made_by(c, difference->in[1], lows, 3))
            o = NULL;
    }
    if (!o || !is_by_column(o) || o->in[0].kind != LW_V_TENSOR)
        return;
    const struct lw_tensor *t = o->in[0].tensor;
    struct typical spread;
    bool digits = ck_mentions(c, "mnist.load_data(");
    bool known = look_known_range(t) || typical_of(c, o->in[0], &spread);
    if (t->framework != LW_NUMPY || (known && !digits) || is_mended(c, e->b) ||
        ck_mentions(c, "nan_to_num"))
        return;
    /* Of 33 such divisions in public programs none met a constant column: a note, but for edges
     * of digits and for tables that the program reads number by number, with nothing that
     * would have shown them before. */
    bool raw = ck_mentions(c, "csv.reader(") || ck_mentions(c, "loadtxt(");
    ck_find_as(c, e->node, LW_S("numeric/constant-column"),
               digits || raw ? LW_SEVERITY_WARNING : LW_SEVERITY_NOTE, &e->b, 1,
               LW_S("a column that is the same in all rows has a spread of 0, and its values "
                    "become NaN: add a small number, or divide by 1 where it is 0"));
}

/* p = softmax(x) * mask; p / p.sum(): a row that is masked everywhere is 0 / 0. What a mask
 * that comes from outside holds is not known, but that is what it is for. */
static void check_masked_share(struct ck *c, const struct ck_event *e)
{
    static const char *const products[] = {"*", "mul", "multiply"};
    static const char *const shares[] = {"softmax", "exp", "sigmoid"};
    const struct ck_origin *sum = look_made_by(c, look_through(c, e->b), sums, SUMS);
    const struct ck_origin *product = look_made_by(c, e->a, products, 3);
    if (!sum || !product || product->in_count < 2 || !same_tensor(e->a, sum->in[0]) ||
        (e->b.kind == LW_V_TENSOR && (e->b.tensor->range.flags & LW_IV_KNOWN)))
        return;
    const struct lw_tree *t = &product->file->tree;
    uint32_t f = lw_tree_enclosing(t, product->node, LW_NODE_FUNCTION);
    struct lw_str text = lw_tree_text(t, product->node);
    bool share = look_made_by(c, product->in[0], shares, 3) ||
                 look_made_by(c, product->in[1], shares, 3);
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
        check_spread(c, e);
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

void ck_on_divisor(struct ck *c, struct lw_value divisor, uint32_t node)
{
    double x;
    if (!ck_number_of(c, divisor, &x) || x != 0 || c->frame->guarded || ck_is_driven(c) ||
        !ck_is_certain(c) || node == LW_NO_NODE || is_option(&c->frame->file->tree, node) ||
        is_counted(c, node))
        return;
    ck_find(c, node, "numeric/zero-divisor", &divisor, 1,
            "the divisor is 0 here, which Python refuses: give it a smallest value, as in "
            "max(1, …)");
}

/* clamp(x, eps, 1 - eps) with an epsilon that float32 does not have next to 1. */
static void watch_clip(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"clamp", "clip", "clip_by_value", "clamp_max"};
    static const char *const ends[] = {"max", "a_max", "clip_value_max", "max_value"};
    const struct lw_tensor *t = ck_tensor_of(e->value);
    double most = 0;
    if (!look_is_any(look_tail(e->call->name), names, 4) || !t ||
        lw_set_within(t->dtype, LW_F32 | LW_F16 | LW_BF16) != LW_TRI_YES)
        return;
    for (size_t i = 0; i < 4 && most == 0; i++) /* by whatever name */
        if (!ck_number_of(c, ck_slot_value(e->call, ends[i]), &most))
            most = 0;
    if (most >= 1 || (float)most != 1.0f)
        return;
    ck_find(c, e->node, "numeric/epsilon-lost", &e->value, 1,
            "1 - %.2g is 1 in float32: the upper end does not keep values from 1; take an "
            "epsilon of 1e-6",
            1 - most);
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
    const struct ck_origin *o = look_made_by(c, v, exps, EXPS);
    if (!o || o->in_count == 0 || o->in[0].kind != LW_V_UNKNOWN ||
        lw_tree_kind(&o->file->tree, o->node) != LW_NODE_CALL)
        return NULL;
    const struct lw_tree *t = &o->file->tree;
    uint32_t x = lw_tree_get(t, o->node, LW_ROLE_ARGS);
    uint32_t f = lw_tree_enclosing(t, o->node, LW_NODE_FUNCTION);
    struct lw_str whole = lw_tree_text(t, f == LW_NO_NODE ? t->root : f);
    if (x != LW_NO_NODE && lw_tree_kind(t, x) == LW_NODE_NAME)
        x = look_assigned(t, x);
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
    v = look_through(c, v);
    const struct ck_origin *exp = bare_exp(c, v);
    if (!exp)
        exp = exp_of_product(c, v);
    if (exp || depth == 0)
        return exp;
    const struct ck_origin *o = look_made_by(c, v, forms, sizeof forms / sizeof *forms);
    for (uint32_t i = 0; o && !exp && i < o->in_count && i < 2; i++)
        if (o->in[i].kind == LW_V_TENSOR)
            exp = exp_within(c, o->in[i], depth - 1);
    return exp;
}

/* log(exp(x)), log(sum(exp(x))) */
static void watch_log(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = look_operand(e->call);
    if (!look_is(look_tail(e->call->name), "log"))
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
    const struct ck_origin *exp = look_made_by(c, e->a, exps, EXPS);
    struct lw_value x = exp ? exp->in[0] : lw_v_absent();
    for (unsigned i = 0; exp && i < 4; i++) {
        const struct ck_origin *o = look_made_by(c, x, scalings, 6);
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

const struct ck_rule ck_rules_numeric[] = {
    {CK_EV_OPERATOR, watch_operator}, {CK_EV_CALL, watch_log},    {CK_EV_CALL, watch_clip},
    {CK_EV_BACKWARD, watch_backward}, {CK_EV_STORE, watch_store}, {0, NULL},
};
