/* Work on single numbers and single samples that one operation could do for all of them. */
#include "base/str.h"
#include "check/query/calls.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- one number at a time ------------------------------------------------------------------
 */

/* table[i, j] = … in two loops over i and j. */
static void watch_store(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (e->a.kind != LW_V_TENSOR || e->value.kind != LW_V_TENSOR)
        return;
    uint32_t inner = syntax_loop_around(t, e->node);
    uint32_t outer = inner == LW_NO_NODE ? inner : syntax_loop_around(t, inner);
    uint32_t index = lw_tree_kind(t, e->node) == LW_NODE_SUBSCRIPT
                         ? lw_tree_get(t, e->node, LW_ROLE_SLICE)
                         : LW_NO_NODE;
    if (outer == LW_NO_NODE || index == LW_NO_NODE || lw_tree_kind(t, index) != LW_NODE_TUPLE ||
        lw_tree_kind(t, inner) != LW_NODE_FOR || lw_tree_kind(t, outer) != LW_NODE_FOR)
        return;
    uint32_t a = lw_tree_get(t, index, LW_ROLE_ELTS);
    uint32_t b = a == LW_NO_NODE ? a : lw_tree_each(t, index, LW_ROLE_ELTS, a);
    uint32_t i = lw_tree_get(t, outer, LW_ROLE_TARGET);
    uint32_t j = lw_tree_get(t, inner, LW_ROLE_TARGET);
    if (b == LW_NO_NODE || !lw_str_eq(lw_tree_text(t, a), lw_tree_text(t, i)) ||
        !lw_str_eq(lw_tree_text(t, b), lw_tree_text(t, j)))
        return;
    ck_find(c, e->node, "performance/python-loop", NULL, 0,
            "a tensor is filled element by element in two loops: one operation on whole "
            "tensors (broadcasting, cdist, einsum) is many times faster");
}

/* for i …: for j …: out[i][j] = f(a[i], b[j]) of tensors. */
static void check_filling(struct ck *c, struct ck_file *file, uint32_t n)
{
    const struct lw_tree *t = &file->tree;
    if (lw_tree_kind(t, n) != LW_NODE_ASSIGN)
        return;
    uint32_t target = lw_tree_get(t, n, LW_ROLE_TARGETS), inner = syntax_loop_around(t, n);
    uint32_t outer = inner == LW_NO_NODE ? inner : syntax_loop_around(t, inner);
    if (outer == LW_NO_NODE || target == LW_NO_NODE ||
        lw_tree_kind(t, target) != LW_NODE_SUBSCRIPT || lw_tree_kind(t, inner) != LW_NODE_FOR ||
        lw_tree_kind(t, outer) != LW_NODE_FOR)
        return;
    uint32_t row = lw_tree_get(t, target, LW_ROLE_VALUE);
    uint32_t table = row != LW_NO_NODE && lw_tree_kind(t, row) == LW_NODE_SUBSCRIPT
                         ? lw_tree_get(t, row, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    if (table == LW_NO_NODE || lw_tree_kind(t, table) != LW_NODE_NAME ||
        !lw_str_eq(lw_tree_text(t, lw_tree_get(t, target, LW_ROLE_SLICE)),
                   lw_tree_text(t, lw_tree_get(t, inner, LW_ROLE_TARGET))) ||
        !lw_str_eq(lw_tree_text(t, lw_tree_get(t, row, LW_ROLE_SLICE)),
                   lw_tree_text(t, lw_tree_get(t, outer, LW_ROLE_TARGET))))
        return;
    uint32_t made = syntax_first_assigned(t, table), value = lw_tree_get(t, n, LW_ROLE_VALUE);
    struct lw_str text = made == LW_NO_NODE ? (struct lw_str){0} : lw_tree_text(t, made);
    if (lw_str_has_prefix(text, LW_S("torch.")) && lw_tree_kind(t, value) == LW_NODE_CALL)
        ck_find_at(c, file, target, "performance/python-loop", NULL, 0,
                   "a tensor is filled element by element in two loops: one operation on whole "
                   "tensors (broadcasting, cdist, einsum) is many times faster");
}

static void watch_filling(struct ck *c, const struct ck_event *e)
{
    (void)e;
    calls_each_node(c, "name *torch*", check_filling);
}

/* ---- one sample at a time ------------------------------------------------------------------
 */

/* model.predict of one sample in a loop. */
static void watch_predict(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct lw_tensor *x = ck_tensor_of(e->a);
    uint32_t loop = syntax_loop_around(t, e->node);
    int64_t n;
    if (loop == LW_NO_NODE || !text_is(text_tail(e->call->name), "predict") || !x ||
        !lw_shape_has_rank(&x->shape) || x->shape.n < 2 ||
        !lw_dim_is_int(c->dims, x->shape.d[0], &n) || n != 1)
        return;
    ck_find(c, e->node, "performance/predict-per-sample", NULL, 0,
            "predict() is called for one sample at a time: pass all samples at once, or call "
            "the model itself");
}

/* np.expand_dims(x, 0), x.reshape(1, …), x[None], [x], x[i:i + 1]: made a batch of one. */
static bool is_one(struct lw_str text)
{
    static const char *const signs[] = {"expand_dims(", "newaxis", "[None", "reshape(1,",
                                        "reshape((1,",  "array([", "[["};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (lw_str_find(text, lw_str(signs[i])) != LW_NPOS)
            return true;
    return false;
}

/* for row in random.sample(memory, n): each is a sample. */
static bool is_over_samples(const struct lw_tree *t, uint32_t loop)
{
    uint32_t iter = lw_tree_get(t, loop, LW_ROLE_ITER);
    if (iter != LW_NO_NODE && lw_tree_kind(t, iter) == LW_NODE_NAME) {
        uint32_t made = syntax_assigned(t, iter);
        iter = made == LW_NO_NODE ? iter : made;
    }
    return iter != LW_NO_NODE &&
           lw_str_find(lw_tree_text(t, iter), LW_S(".sample(")) != LW_NPOS;
}

/* Is the name given a new value behind the call, for the next pass: frames that are predicted
 * one from the other? */
static bool is_carried(const struct lw_tree *t, struct lw_str name, uint32_t loop,
                       uint32_t call)
{
    for (uint32_t n = loop; n != LW_NO_NODE; n = lw_tree_next(t, loop, n, false))
        if ((lw_tree_kind(t, n) == LW_NODE_ASSIGN ||
             lw_tree_kind(t, n) == LW_NODE_AUG_ASSIGN) &&
            lw_tree_start(t, n) > lw_tree_start(t, call) &&
            syntax_has_name(t,
                            lw_tree_get(t, n,
                                        lw_tree_kind(t, n) == LW_NODE_ASSIGN ? LW_ROLE_TARGETS
                                                                             : LW_ROLE_TARGET),
                            name))
            return true;
    return false;
}

/* x[i:i + 1] */
static bool is_slice_of_one(const struct lw_tree *t, uint32_t node)
{
    uint32_t from = lw_tree_get(t, node, LW_ROLE_LOWER),
             to = lw_tree_get(t, node, LW_ROLE_UPPER);
    return lw_tree_kind(t, to) == LW_NODE_BIN_OP && lw_tree_node(t, to)->op == LW_OP_ADD &&
           lw_str_eq(lw_tree_text(t, lw_tree_get(t, to, LW_ROLE_LEFT)),
                     lw_tree_text(t, from)) &&
           text_is(lw_tree_text(t, lw_tree_get(t, to, LW_ROLE_RIGHT)), "1");
}

/* Is the expression made of what the loop goes over, inside it? `one`: made a batch of one on
 * the way. */
static bool comes_from(const struct lw_tree *t, uint32_t expr, uint32_t loop, bool *one,
                       unsigned depth)
{
    uint32_t targets = lw_tree_get(t, loop, LW_ROLE_TARGET);
    *one |= is_one(lw_tree_text(t, expr));
    for (uint32_t n = expr; n != LW_NO_NODE && depth > 0; n = lw_tree_next(t, expr, n, false)) {
        *one |= lw_tree_kind(t, n) == LW_NODE_SLICE && is_slice_of_one(t, n);
        if (lw_tree_kind(t, n) != LW_NODE_NAME)
            continue;
        if (syntax_has_name(t, targets, lw_tree_name(t, n)))
            return true;
        uint32_t made = syntax_assigned(t, n);
        if (made != LW_NO_NODE && syntax_inside(t, made, loop) &&
            comes_from(t, made, loop, one, depth - 1))
            return true;
    }
    return false;
}

static void check_predict(struct ck *c, struct ck_file *file, uint32_t call)
{
    const struct lw_tree *t = &file->tree;
    if (!text_is(calls_name(t, call), "predict"))
        return;
    uint32_t loop = syntax_loop_around(t, call), what = lw_tree_get(t, call, LW_ROLE_ARGS);
    if (loop == LW_NO_NODE || lw_tree_kind(t, loop) != LW_NODE_FOR || what == LW_NO_NODE ||
        syntax_owner(t, call) == LW_NO_NODE)
        return;
    bool one = false;
    for (uint32_t n = what; n != LW_NO_NODE; n = lw_tree_next(t, what, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME && is_carried(t, lw_tree_name(t, n), loop, call))
            return;
    if (!comes_from(t, what, loop, &one, 5) || (!one && !is_over_samples(t, loop)))
        return;
    ck_find_at(c, file, call, "performance/predict-per-sample", NULL, 0,
               "predict() is called for one sample at a time: pass all samples at once, or "
               "call the model itself");
}

static void watch_predicting(struct ck *c, const struct ck_event *e)
{
    (void)e;
    calls_each_node(c, "name *keras*", check_predict);
}

const struct ck_rule rules_performance_one_by_one[] = {
    {"performance/python-loop", CK_EV_STORE, watch_store},
    {"performance/python-loop", CK_EV_END, watch_filling},
    {"performance/predict-per-sample", CK_EV_PREDICT, watch_predict},
    {"performance/predict-per-sample", CK_EV_END, watch_predicting},
    {0},
};
