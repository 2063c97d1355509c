/*
 * Numeric rules that a single call does not show: softmax and the logarithm of a sum of
 * exponentials written by hand, and a variance as a difference of two large means. What one
 * operation does to its operand is in the API tables.
 */
#include "base/str.h"
#include "check/models/module.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* Small against what it is added to. */
static const char *const EPSILON = " + 1e-8";

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
               "this handwritten softmax overflows when a score is above 88.7: subtract the "
               "maximum first, or use the softmax of the library");
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
            "a variance computed as the difference of two means loses its digits when the mean "
            "is large compared with the deviation, and can be negative: use var(), or subtract "
            "the mean first");
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
                "a float32 sum of squares minus the squared mean loses its digits when values "
                "are large compared with their deviation: use float64, or Welford's method");
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
    ck_find(c, e->node, "numeric/division-by-zero", &e->b, 1,
            "the sum of a fully masked row is 0, and the row becomes NaN: add a small number "
            "to the sum, or mask the scores before softmax");
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
            "the divisor is 0 here, which raises ZeroDivisionError: use a minimum, as in "
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
            "remove exp and log, which cancel out");
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
                   "the loss has no upper bound, and exp overflows above 88.7: one outlier "
                   "turns all weights into NaN; minimise the loss itself");
}

/* ---- keeping values within the domain ---------------------------------------------------
 */

/* Can the value be 0, but nothing below it? */
static bool begins_at_zero(const struct fix *f, struct lw_value v)
{
    const struct lw_tensor *t = ck_tensor_of(v);
    (void)f;
    if (t)
        return (t->range.flags & LW_IV_KNOWN) && t->range.lo == 0 &&
               lw_set_within(t->dtype, LW_INTS) != LW_TRI_YES;
    return v.kind == LW_V_FLOAT && v.interval.lo == 0;
}

/* log(softmax(x)) -> log_softmax(x) */
static bool join_softmax(struct fix *f, uint32_t call, uint32_t x)
{
    if (!fix_is_call(f, x) || !text_is(fix_callee_name(f, x), "softmax"))
        return false;
    fix_say(f, "use log_softmax");
    fix_token(f, lw_tree_name_token(f->t, fix_callee(f, x)), LW_S("log_softmax"));
    fix_only(f, call, x);
    return true;
}

static void make_log(struct fix *f)
{
    uint32_t x = fix_is_call(f, f->node) ? fix_operand(f, f->node) : LW_NO_NODE;
    struct lw_value v = fix_subject(f, 0);
    bool one = text_is(fix_callee_name(f, f->node), "log1p");
    if (x == LW_NO_NODE || one)
        return;
    if (text_is(fix_callee_name(f, f->node), "log") && join_softmax(f, f->node, x))
        return;
    if (begins_at_zero(f, v))
        fix_add_epsilon(f, x, syntax_owner(f->t, f->node) == x, EPSILON);
}

static void make_divisor(struct fix *f)
{
    bool alone = text_is(fix_callee_name(f, f->node), "rsqrt") ||
                 text_is(fix_callee_name(f, f->node), "reciprocal");
    if (!begins_at_zero(f, fix_subject(f, alone ? 0 : 1)))
        return;
    if (fix_kind(f, f->node) == LW_NODE_BIN_OP && lw_tree_node(f->t, f->node)->op == LW_OP_DIV)
        fix_add_epsilon(f, lw_tree_get(f->t, f->node, LW_ROLE_RIGHT), true, EPSILON);
    else if (fix_kind(f, f->node) == LW_NODE_AUG_ASSIGN &&
             lw_tree_node(f->t, f->node)->op == LW_OP_DIV)
        fix_add_epsilon(f, lw_tree_get(f->t, f->node, LW_ROLE_VALUE), false, EPSILON);
    else if (alone)
        fix_add_epsilon_to(f, f->node, EPSILON);
    else if (fix_is_call(f, f->node)) {
        bool method = !fix_is_module(f, syntax_owner(f->t, f->node));
        uint32_t by = fix_argument(f, f->node, NULL, method ? 0 : 1);
        if (by != LW_NO_NODE)
            fix_add_epsilon(f, by, false, EPSILON);
    }
}

/* acos(x) -> acos(clamp(x, -1, 1)) */
static void make_clamped(struct fix *f)
{
    struct lw_value v = fix_subject(f, 0);
    const struct lw_tensor *t = ck_tensor_of(v);
    uint32_t x = fix_is_call(f, f->node) ? fix_operand(f, f->node) : LW_NO_NODE;
    if (!t || x == LW_NO_NODE)
        return;
    struct lw_str name = t->framework == LW_TORCH   ? fix_spell(f, LW_S("torch.clamp"))
                         : t->framework == LW_NUMPY ? fix_spell(f, LW_S("numpy.clip"))
                         : t->framework == LW_TF
                             ? fix_spell(f, LW_S("tensorflow.clip_by_value"))
                             : (struct lw_str){0};
    if (!name.n)
        return;
    /* At the ends themselves the gradient is infinite. */
    bool plain = t->framework == LW_NUMPY;
    fix_say(f, "clip the argument to the range -1 to 1");
    fix_around(f, x, ck_text(f->c, "%.*s(", LW_F(name)).p,
               plain ? ", -1.0, 1.0)" : ", -1 + 1e-7, 1 - 1e-7)");
}

/* ---- exponentials that stay finite ------------------------------------------------------
 */

static bool is_one(const struct fix *f, uint32_t node)
{
    struct lw_str s = fix_text(f, node);
    return fix_kind(f, node) == LW_NODE_NUMBER &&
           (text_is(s, "1") || text_is(s, "1.0") || text_is(s, "1."));
}

/* 1 / (1 + exp(-z)): the division, when `exp` is that of a sigmoid by hand. */
static uint32_t sigmoid_of(const struct fix *f, uint32_t exp)
{
    uint32_t sum = lw_tree_parent(f->t, exp);
    uint32_t whole = sum == LW_NO_NODE ? sum : lw_tree_parent(f->t, sum);
    if (fix_kind(f, sum) != LW_NODE_BIN_OP || lw_tree_node(f->t, sum)->op != LW_OP_ADD ||
        fix_kind(f, whole) != LW_NODE_BIN_OP || lw_tree_node(f->t, whole)->op != LW_OP_DIV ||
        lw_tree_get(f->t, whole, LW_ROLE_RIGHT) != sum ||
        !is_one(f, lw_tree_get(f->t, whole, LW_ROLE_LEFT)))
        return LW_NO_NODE;
    uint32_t left = lw_tree_get(f->t, sum, LW_ROLE_LEFT);
    uint32_t right = lw_tree_get(f->t, sum, LW_ROLE_RIGHT);
    return is_one(f, left == exp ? right : left) ? whole : LW_NO_NODE;
}

static void join_sigmoid(struct fix *f, uint32_t whole, uint32_t x, uint32_t framework)
{
    struct lw_str name = framework == LW_TORCH ? fix_spell(f, LW_S("torch.sigmoid"))
                         : framework == LW_TF  ? fix_spell(f, LW_S("tensorflow.sigmoid"))
                                               : (struct lw_str){0};
    uint32_t z = fix_kind(f, x) == LW_NODE_UNARY_OP && lw_tree_node(f->t, x)->op == LW_OP_USUB
                     ? lw_tree_get(f->t, x, LW_ROLE_OPERAND)
                     : LW_NO_NODE;
    struct lw_str tanh =
        framework == LW_NUMPY ? fix_spell(f, LW_S("numpy.tanh")) : (struct lw_str){0};
    if ((!name.n && !tanh.n) || z == LW_NO_NODE)
        return;
    uint32_t up = lw_tree_parent(f->t, whole);
    bool bare = (lw_tree_node(f->t, whole)->flags & LW_NODE_PAREN) ||
                !lw_node_is_expression(fix_kind(f, up)); /* nothing binds closer */
    bool plain = fix_kind(f, z) == LW_NODE_NAME;
    fix_say(f, name.n ? "use the sigmoid of the library"
                      : "compute the sigmoid with tanh, which does not overflow");
    fix_replace(f, lw_tree_start(f->t, whole), lw_tree_start(f->t, z),
                name.n ? ck_text(f->c, "%.*s(", LW_F(name))
                       : ck_text(f->c, "%s0.5 * (1 + %.*s(0.5 * %s", bare ? "" : "(",
                                 LW_F(tanh), plain ? "" : "("));
    uint32_t end = lw_tree_end(f->t, whole);
    if ((lw_tree_node(f->t, lw_tree_get(f->t, whole, LW_ROLE_RIGHT))->flags & LW_NODE_PAREN) &&
        end < f->t->lexed.text.n && f->t->lexed.text.p[end] == ')' &&
        !(lw_tree_node(f->t, whole)->flags & LW_NODE_PAREN))
        end++;
    fix_replace(f, lw_tree_end(f->t, z), end,
                name.n ? LW_S(")")
                       : ck_text(f->c, "))%s%s", plain ? "" : ")", bare ? "" : ")"));
}

/* The call of sum that the exponentials are divided by, in the same function. */
static uint32_t sum_below(const struct fix *f, uint32_t exp)
{
    uint32_t top = lw_tree_enclosing(f->t, exp, LW_NODE_FUNCTION);
    top = top == LW_NO_NODE ? f->t->root : top;
    for (uint32_t n = exp; n != LW_NO_NODE; n = lw_tree_next(f->t, top, n, false)) {
        struct lw_str name = fix_callee_name(f, n);
        uint32_t up = fix_is_call(f, n) ? lw_tree_parent(f->t, n) : LW_NO_NODE;
        if ((text_is(name, "sum") || text_is(name, "reduce_sum")) &&
            fix_kind(f, up) == LW_NODE_BIN_OP && lw_tree_node(f->t, up)->op == LW_OP_DIV &&
            lw_tree_get(f->t, up, LW_ROLE_RIGHT) == n)
            return n;
    }
    return LW_NO_NODE;
}

/* The largest of x along the axis of the sum; empty: not known how to write it. */
static struct lw_str largest(struct fix *f, struct lw_str x, uint32_t sum, uint32_t framework)
{
    struct lw_str none = {0};
    uint32_t axis = fix_argument(f, sum, "axis", -1), dim = fix_argument(f, sum, "dim", -1);
    bool module = fix_is_module(f, syntax_owner(f->t, sum));
    uint32_t given = axis == LW_NO_NODE ? dim : axis;
    if (given == LW_NO_NODE)
        given = fix_argument(f, sum, NULL, module ? 1 : 0);
    struct lw_str along = fix_text(f, given);
    if (framework == LW_NUMPY) {
        struct lw_str name = fix_spell(f, LW_S("numpy.max"));
        return !name.n   ? none
               : along.n ? ck_text(f->c, "%.*s(%.*s, axis=%.*s, keepdims=True)", LW_F(name),
                                   LW_F(x), LW_F(along))
                         : ck_text(f->c, "%.*s(%.*s)", LW_F(name), LW_F(x));
    }
    if (framework == LW_TF) {
        struct lw_str name = fix_spell(f, LW_S("tensorflow.reduce_max"));
        return !name.n   ? none
               : along.n ? ck_text(f->c, "%.*s(%.*s, axis=%.*s, keepdims=True)", LW_F(name),
                                   LW_F(x), LW_F(along))
                         : ck_text(f->c, "%.*s(%.*s)", LW_F(name), LW_F(x));
    }
    if (framework != LW_TORCH)
        return none;
    return along.n ? ck_text(f->c, "%.*s.max(dim=%.*s, keepdim=True)[0]", LW_F(x), LW_F(along))
                   : ck_text(f->c, "%.*s.max()", LW_F(x));
}

/* exp(x) / sum(exp(x)): the maximum is subtracted from every x. */
static void shift_softmax(struct fix *f, uint32_t exp, uint32_t x, uint32_t framework)
{
    uint32_t sum = sum_below(f, exp), top = lw_tree_enclosing(f->t, exp, LW_NODE_FUNCTION);
    struct lw_str text = fix_text(f, x);
    if (sum == LW_NO_NODE || fix_kind(f, x) != LW_NODE_NAME)
        return;
    struct lw_str most = largest(f, text, sum, framework);
    top = top == LW_NO_NODE ? f->t->root : top;
    if (!most.n)
        return;
    fix_say(f, "subtract the maximum first");
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(f->t, top, n, false)) {
        uint32_t of = text_is(fix_callee_name(f, n), "exp") ? fix_operand(f, n) : LW_NO_NODE;
        if (of == LW_NO_NODE || !lw_str_eq(fix_text(f, of), text))
            continue;
        if (syntax_owner(f->t, n) == of)
            fix_around(f, of, "(", ck_text(f->c, " - %.*s)", LW_F(most)).p);
        else
            fix_insert(f, lw_tree_end(f->t, of), ck_text(f->c, " - %.*s", LW_F(most)));
    }
}

static void make_exp(struct fix *f)
{
    uint32_t x =
        text_is(fix_callee_name(f, f->node), "exp") ? fix_operand(f, f->node) : LW_NO_NODE;
    struct lw_value v = f->hint->arg_count ? f->hint->args[0].value : fix_subject(f, 0);
    const struct lw_tensor *t = ck_tensor_of(v);
    if (x == LW_NO_NODE || !t)
        return;
    uint32_t whole = sigmoid_of(f, f->node);
    if (whole != LW_NO_NODE)
        join_sigmoid(f, whole, x, t->framework);
    else
        shift_softmax(f, f->node, x, t->framework);
}

const struct ck_rule rules_numeric_domain[] = {
    {"numeric/cancellation numeric/division-by-zero numeric/exp-overflow", CK_EV_OPERATOR,
     watch_operator},
    {"numeric/exp-overflow numeric/log-of-zero", CK_EV_CALL, watch_log, .calls = ".log"},
    {"numeric/exp-overflow", CK_EV_BACKWARD, watch_backward},
    {"numeric/zero-divisor", CK_EV_DIVISOR, watch_divisor, .pure = true},
    {"numeric/log-of-zero", .fix = make_log},
    {"numeric/division-by-zero", .fix = make_divisor},
    {"numeric/arc-domain", .fix = make_clamped},
    {"numeric/exp-overflow", .fix = make_exp},
    {0},
};
