#include "check/doubt_numeric.h"

#include "base/str.h"
#include "check/look.h"

enum { MAX_STEPS = 12 };

static const char *const sums[] = {"sum", "reduce_sum"};
static const char *const roots[] = {"sqrt", "norm", "vector_norm", "**", "pow"};
static const char *const squares[] = {"square", "pow", "**", "*", "multiply"};

static const struct lw_tree *tree_of(const struct ck *c)
{
    return &c->frame->file->tree;
}

/* ---- values that belong together ----------------------------------------------------------
 */

/* Was it picked from the results of one of these, without any change? */
static bool is_picked_from(struct ck *c, struct lw_value v, const char *const *names, size_t n)
{
    static const char *const picks[] = {"topk",   "top_k", "gather", "[]",   "sort", "max",
                                        "values", "view",  "to",     "amax", "cast", "type"};
    for (unsigned i = 0; i < MAX_STEPS; i++) {
        v = look_through(c, v);
        const struct ck_origin *made = ck_origin_of(c, v);
        struct lw_value curve = made && made->layer && !made->layer->of
                                    ? ck_config(made->layer, "activation")
                                    : lw_v_absent();
        if (look_made_by(c, v, names, n) ||
            (curve.kind == LW_V_STR && curve.str.p && look_is_any(curve.str, names, n)))
            return true;
        const struct ck_origin *o = look_made_by(c, v, picks, sizeof picks / sizeof *picks);
        if (!o || o->in_count == 0)
            return false;
        v = o->in[0];
    }
    return false;
}

/* p / sum(p) of some of the largest probabilities, or by the largest of such sums: they are
 * never all 0. The same is taken for x / sum(x) of an x of which little is known. */
static bool is_share(struct ck *c, struct lw_value x, struct lw_value divisor)
{
    static const char *const positive[] = {"softmax", "sigmoid", "Softmax", "softplus"};
    static const char *const largest[] = {"max", "amax", "reduce_max"};
    const struct ck_origin *top = look_made_by(c, look_through(c, divisor), largest, 3);
    struct lw_value whole = top && top->in_count ? top->in[0] : divisor;
    const struct ck_origin *sum = look_made_by(c, look_through(c, whole), sums, 2);
    if (!sum || sum->in_count == 0)
        return false;
    const struct lw_tensor *t = ck_tensor_of(divisor), *of = ck_tensor_of(sum->in[0]);
    const struct lw_tensor *by = ck_tensor_of(x);
    bool own = t && of && by && of->id && of->id == by->id && !(t->range.flags & LW_IV_KNOWN);
    return own || is_picked_from(c, sum->in[0], positive, 4);
}

/* x / sqrt(sum(x * x)), where the values of x lie on both sides of 0: that all of a vector are
 * 0 at once does not come up, as it does behind relu. */
static bool is_length(struct ck *c, struct lw_value x, struct lw_value divisor)
{
    const struct ck_origin *root = look_made_by(c, look_through(c, divisor), roots, 5);
    const struct ck_origin *sum =
        root && root->in_count ? look_made_by(c, root->in[0], sums, 2) : NULL;
    const struct ck_origin *square =
        sum && sum->in_count ? look_made_by(c, sum->in[0], squares, 5) : NULL;
    const struct lw_tensor *t = ck_tensor_of(x);
    if (!t || !t->id || !square || square->in_count == 0)
        return false;
    const struct lw_tensor *of = ck_tensor_of(square->in[0]);
    return of && of->id == t->id && of->range.lo < 0;
}

/* x + (x == 0) * epsilon */
static bool is_mended(struct ck *c, struct lw_value v)
{
    static const char *const adds[] = {"+", "add"};
    static const char *const factors[] = {"*", "multiply", "mul"};
    static const char *const tests[] = {"==", "equal", "eq", "<=", "less_equal", "<", "less"};
    const struct ck_origin *o = look_made_by(c, v, adds, 2);
    for (uint32_t i = 0; o && i < 2 && o->in_count == 2; i++) {
        struct lw_value term = look_through(c, o->in[1 - i]);
        const struct ck_origin *product = look_made_by(c, term, factors, 3);
        const struct lw_tensor *x = ck_tensor_of(o->in[i]);
        for (uint32_t k = 0; product && x && x->id && k < product->in_count; k++) {
            static const char *const forms[] = {"to_float", "cast", "float"};
            struct lw_value factor = look_through(c, product->in[k]);
            const struct ck_origin *form = look_made_by(c, factor, forms, 3);
            factor = form && form->in_count ? form->in[0] : factor;
            const struct ck_origin *test = look_made_by(c, factor, tests, 7);
            const struct lw_tensor *of = test ? ck_tensor_of(test->in[0]) : NULL;
            if (of && of->id == x->id)
                return true;
        }
    }
    return false;
}

/* ---- what the program asks before ---------------------------------------------------------
 */

/* What the operation is done with, in the text: the divisor, the argument. */
static uint32_t operand_node(const struct ck *c, const struct lw_arg *arg, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    if (node == LW_NO_NODE)
        return LW_NO_NODE;
    if (lw_tree_kind(t, node) == LW_NODE_BIN_OP)
        return lw_tree_get(t, node, LW_ROLE_RIGHT);
    if (lw_tree_kind(t, node) == LW_NODE_AUG_ASSIGN)
        return lw_tree_get(t, node, LW_ROLE_VALUE);
    uint32_t n = arg ? arg->node : LW_NO_NODE;
    return n != LW_NO_NODE && n != node && look_inside(t, n, node) ? n : LW_NO_NODE;
}

/* The name at the bottom of `mask.sum().float()`, `self.count`, `x[i]`; also of `n + eps`. */
static struct lw_str root_name(const struct lw_tree *t, uint32_t n)
{
    for (unsigned i = 0; i < MAX_STEPS && n != LW_NO_NODE; i++) {
        switch (lw_tree_kind(t, n)) {
        case LW_NODE_NAME: return lw_tree_name(t, n);
        case LW_NODE_CALL: n = lw_tree_get(t, n, LW_ROLE_FUNC); break;
        case LW_NODE_ATTRIBUTE:
            if (lw_str_has_prefix(lw_tree_text(t, n), LW_S("self.")))
                return lw_tree_text(t, n);
            n = lw_tree_get(t, n, LW_ROLE_VALUE);
            break;
        case LW_NODE_SUBSCRIPT: n = lw_tree_get(t, n, LW_ROLE_VALUE); break;
        default: return (struct lw_str){0};
        }
    }
    return (struct lw_str){0};
}

/* Does a test speak of it, as of a number? That it is there, or how long, says nothing. */
static bool speaks_of(const struct lw_tree *t, uint32_t test, struct lw_str name)
{
    static const char *const others[] = {"None", "isinstance", "hasattr", "shape", "ndim",
                                         "dim(", "size(",      "len(",    "dtype"};
    struct lw_str text = lw_tree_text(t, test);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (lw_str_find(text, lw_str(others[i])) >= 0)
            return false;
    if (test == LW_NO_NODE)
        return false;
    return lw_str_has_prefix(name, LW_S("self.")) ? lw_str_find(text, name) >= 0
                                                  : look_has_name(t, test, name);
}

/* if n == 0: return … */
static bool leaves_early(const struct lw_tree *t, uint32_t statement, struct lw_str name)
{
    if (lw_tree_kind(t, statement) == LW_NODE_ASSERT)
        return speaks_of(t, lw_tree_get(t, statement, LW_ROLE_TEST), name);
    if (lw_tree_kind(t, statement) != LW_NODE_IF ||
        !speaks_of(t, lw_tree_get(t, statement, LW_ROLE_TEST), name))
        return false;
    for (uint32_t s = lw_tree_each(t, statement, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, statement, LW_ROLE_BODY, s)) {
        enum lw_node_kind kind = lw_tree_kind(t, s);
        if (kind == LW_NODE_RETURN || kind == LW_NODE_CONTINUE || kind == LW_NODE_RAISE ||
            kind == LW_NODE_BREAK)
            return true;
    }
    return false;
}

/* A statement before it, in the same block, that leaves when the value is 0. */
static bool was_left(const struct lw_tree *t, uint32_t block, uint32_t inner,
                     struct lw_str name)
{
    static const enum lw_role roles[] = {LW_ROLE_BODY, LW_ROLE_ORELSE};
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++)
        for (uint32_t s = lw_tree_each(t, block, roles[r], LW_NO_NODE);
             s != LW_NO_NODE && lw_tree_start(t, s) < lw_tree_start(t, inner);
             s = lw_tree_each(t, block, roles[r], s))
            if (leaves_early(t, s, name))
                return true;
    return false;
}

/* if n > 0: x / n; x / n if n else 0; where(n > 0, x / n, 0) */
static bool is_asked_before(const struct ck *c, uint32_t operand, uint32_t node)
{
    static const char *const choices[] = {"where", "cond", "select", "switch", "where_v2"};
    const struct lw_tree *t = tree_of(c);
    struct lw_str name = root_name(t, operand);
    if (!name.n)
        return false;
    uint32_t inner = node;
    for (uint32_t n = lw_tree_parent(t, node); n != LW_NO_NODE; n = lw_tree_parent(t, n)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        bool branch = kind == LW_NODE_IF || kind == LW_NODE_ELIF || kind == LW_NODE_IF_EXP ||
                      kind == LW_NODE_WHILE;
        if (branch && speaks_of(t, lw_tree_get(t, n, LW_ROLE_TEST), name))
            return true;
        if (kind == LW_NODE_CALL) {
            uint32_t f = lw_tree_get(t, n, LW_ROLE_FUNC);
            uint32_t condition = lw_tree_get(t, n, LW_ROLE_ARGS);
            if (f != LW_NO_NODE && look_is_any(look_tail(lw_tree_text(t, f)), choices, 5) &&
                condition != inner && speaks_of(t, condition, name))
                return true;
        }
        if (lw_node_is_statement(kind) && was_left(t, n, inner, name))
            return true;
        if (kind == LW_NODE_FUNCTION)
            return false;
        inner = n;
    }
    return false;
}

bool ck_numeric_is_fine(struct ck *c, const struct lw_problem *p, const struct lw_arg *args,
                        size_t n, uint32_t node)
{
    if (!lw_str_has_prefix(p->rule, LW_S("numeric/")) || n == 0)
        return false;
    bool division = lw_str_eq(p->rule, LW_S("numeric/division-by-zero"));
    const struct lw_arg *arg = &args[division && n > 1 ? 1 : 0];
    if (is_mended(c, arg->value))
        return true;
    return division &&
           (is_share(c, args[0].value, arg->value) || is_length(c, args[0].value, arg->value) ||
            is_asked_before(c, operand_node(c, arg, node), node));
}
