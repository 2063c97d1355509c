/*
 * Rules about spreads and distances that can be 0: the root of a sum of squared differences,
 * whose gradient is infinite there, and a division by the spread of values that may all be the
 * same. Where values are known their origins tell; in functions that nothing calls the text
 * does.
 */
#include "base/str.h"
#include "check/models/module.h"
#include "check/query/typical.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

static const char *const squares[] = {"square", "pow", "**", "power"};
static const char *const additions[] = {"+", "add"};
static const char *const reductions[] = {"sum", "mean", "reduce_sum", "reduce_mean"};

enum { SQUARES = 4, REDUCTIONS = 4 };

static bool same_tensor(struct lw_value a, struct lw_value b)
{
    return a.kind == LW_V_TENSOR && b.kind == LW_V_TENSOR && a.tensor->id &&
           a.tensor->id == b.tensor->id;
}

/* ---- by values ------------------------------------------------------------------------------
 */

/* Can it be 0 as a whole: a difference, a gradient, a squared error? */
static bool is_difference(struct ck *c, struct lw_value v)
{
    static const char *const differences[] = {"-", "sub", "subtract", "grad", "gradients"};
    for (unsigned i = 0; i < 4; i++) {
        v = lineage_through(c, v);
        if (lineage_made_by(c, v, differences, 5))
            return true;
        const struct ck_origin *o = lineage_made_by(c, v, squares, SQUARES);
        if (!o)
            o = lineage_made_by(c, v, (const char *const[]){"[]"}, 1);
        if (!o || o->in_count == 0)
            return false;
        v = o->in[0];
    }
    return false;
}

static bool is_squared_error(const struct ck_origin *o)
{
    static const char *const names[] = {"mse_loss", "MSELoss", "mean_squared_error",
                                        "MeanSquaredError"};
    struct lw_str name = o->layer && o->layer->api ? o->layer->api->name : o->op;
    return text_is_any(text_tail(name), names, 4);
}

/* Is it made of squares of differences, by adding alone? */
static bool is_of_squares(struct ck *c, struct lw_value v, unsigned depth)
{
    static const char *const forms[] = {"sum",  "mean",    "reduce_sum", "reduce_mean", "clamp",
                                        "relu", "maximum", "max",        "trace",       "[]"};
    v = lineage_through(c, v);
    const struct ck_origin *o = ck_origin_of(c, v);
    if (!o || depth == 0)
        return false;
    struct lw_str tail = text_tail(o->op);
    if (is_squared_error(o))
        return true;
    if (o->in_count == 0)
        return false;
    if (text_is(tail, "*") || text_is(tail, "multiply"))
        return o->in_count == 2 && same_tensor(o->in[0], o->in[1]) &&
               is_difference(c, o->in[0]);
    if (text_is_any(tail, squares, SQUARES)) {
        double power = 2;
        bool given = o->in_count < 2 || ck_number_of(c, o->in[1], &power);
        return given && power == 2 && is_difference(c, o->in[0]);
    }
    if (text_is_any(tail, additions, 2))
        return o->in_count == 2 && is_of_squares(c, o->in[0], depth - 1) &&
               is_of_squares(c, o->in[1], depth - 1);
    return text_is_any(tail, forms, sizeof forms / sizeof *forms) &&
           is_of_squares(c, o->in[0], depth - 1);
}

/* The operand of a square root or a power of 0.5; ABSENT when it is none. */
static struct lw_value root_of(struct ck *c, const struct ck_origin *o)
{
    double power = 0.5;
    struct lw_str tail = text_tail(o->op);
    bool root = text_is(tail, "sqrt");
    bool raised = text_is(tail, "pow") || text_is(tail, "**");
    if (o->in_count == 0 || (!root && !raised) || o->in[0].kind != LW_V_TENSOR ||
        (raised && (o->in_count < 2 || !ck_number_of(c, o->in[1], &power) || power != 0.5)))
        return lw_v_absent();
    return o->in[0];
}

/* A value that nothing keeps from 0, of tensors that have gradients; what the tables know the
 * range of they report. */
static bool has_steep_root(struct ck *c, const struct ck_origin *o)
{
    struct lw_value x = root_of(c, o);
    if (x.kind != LW_V_TENSOR || (x.tensor->framework & LW_NUMPY) ||
        (x.tensor->range.flags & LW_IV_KNOWN) ||
        lw_iv_above(x.tensor->range, 0, false) == LW_TRI_YES)
        return false;
    return is_of_squares(c, x, 8);
}

#define STEEP                                                                               \
    "the gradient of a square root is infinite at 0, where the compared values are equal, " \
    "and "                                                                                  \
    "the weights become NaN: add a small number inside, as in sqrt(x + 1e-8)"

static void report_root(struct ck *c, const struct ck_origin *o)
{
    ck_find_at(c, o->file, o->node, "numeric/sqrt-gradient", o->in, 1, STEEP);
}

/* ---- by text --------------------------------------------------------------------------------
 */

/* The part of an expression that its name stands for: `d` after `d = a - b`. */
static uint32_t meant(const struct lw_tree *t, uint32_t n)
{
    for (unsigned i = 0; i < 4 && n != LW_NO_NODE && lw_tree_kind(t, n) == LW_NODE_NAME; i++) {
        uint32_t value = syntax_assigned(t, n);
        if (value == LW_NO_NODE)
            break;
        n = value;
    }
    return n;
}

/* What f of f(x, …) and x.f(…) is applied to; LW_NO_NODE for other names. */
static uint32_t applied_to(const struct lw_tree *t, uint32_t n, const char *const *names,
                           size_t count)
{
    if (n == LW_NO_NODE || lw_tree_kind(t, n) != LW_NODE_CALL)
        return LW_NO_NODE;
    uint32_t f = lw_tree_get(t, n, LW_ROLE_FUNC);
    if (f == LW_NO_NODE || !text_is_any(text_tail(lw_tree_text(t, f)), names, count))
        return LW_NO_NODE;
    uint32_t owner = syntax_owner(t, n);
    if (owner != LW_NO_NODE) {
        struct lw_str text = lw_tree_text(t, owner);
        static const char *const libraries[] = {
            "torch", "tf", "K", "np", "tf.math", "F", "numpy", "backend", "tensorflow"};
        if (!text_is_any(text, libraries, sizeof libraries / sizeof *libraries))
            return owner;
    }
    return lw_tree_get(t, n, LW_ROLE_ARGS);
}

static bool is_power(const struct lw_tree *t, uint32_t n, const char *exponent)
{
    return lw_tree_kind(t, n) == LW_NODE_BIN_OP && lw_tree_node(t, n)->op == LW_OP_POW &&
           text_is(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_RIGHT)), exponent);
}

/* The last argument of pow(x, 2) and x.pow(2). */
static struct lw_str last_argument(const struct lw_tree *t, uint32_t call)
{
    struct lw_str out = {0};
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a))
        out = lw_tree_text(t, a);
    return out;
}

static bool text_is_difference(const struct lw_tree *t, uint32_t n)
{
    n = meant(t, n);
    return n != LW_NO_NODE && lw_tree_kind(t, n) == LW_NODE_BIN_OP &&
           lw_tree_node(t, n)->op == LW_OP_SUB &&
           lw_tree_kind(t, lw_tree_get(t, n, LW_ROLE_LEFT)) != LW_NODE_NUMBER &&
           lw_tree_kind(t, lw_tree_get(t, n, LW_ROLE_RIGHT)) != LW_NODE_NUMBER;
}

/* grad(…)[0], and views of it. */
static bool text_is_gradient(const struct lw_tree *t, uint32_t n)
{
    static const char *const forms[] = {"view", "reshape", "flatten"};
    static const char *const grads[] = {"grad", "gradients"};
    for (unsigned i = 0; i < 6 && n != LW_NO_NODE; i++) {
        n = meant(t, n);
        if (lw_tree_kind(t, n) == LW_NODE_SUBSCRIPT) {
            n = lw_tree_get(t, n, LW_ROLE_VALUE);
            continue;
        }
        if (lw_tree_kind(t, n) == LW_NODE_CALL) {
            uint32_t f = lw_tree_get(t, n, LW_ROLE_FUNC);
            if (text_is_any(text_tail(lw_tree_text(t, f)), grads, 2))
                return true;
        }
        n = applied_to(t, n, forms, 3);
    }
    return false;
}

/* Is it written as squares of differences, added up? */
static bool text_is_of_squares(const struct lw_tree *t, uint32_t n, unsigned depth)
{
    n = meant(t, n);
    if (n == LW_NO_NODE || depth == 0)
        return false;
    uint32_t base = LW_NO_NODE;
    if (lw_tree_kind(t, n) == LW_NODE_BIN_OP && lw_tree_node(t, n)->op == LW_OP_ADD)
        return text_is_of_squares(t, lw_tree_get(t, n, LW_ROLE_LEFT), depth - 1) &&
               text_is_of_squares(t, lw_tree_get(t, n, LW_ROLE_RIGHT), depth - 1);
    if (is_power(t, n, "2"))
        base = lw_tree_get(t, n, LW_ROLE_LEFT);
    else if (lw_tree_kind(t, n) == LW_NODE_CALL)
        base = applied_to(t, n, squares, 1);
    if (base == LW_NO_NODE && lw_tree_kind(t, n) == LW_NODE_CALL &&
        text_is(last_argument(t, n), "2"))
        base = applied_to(t, n, squares + 1, 1);
    if (base != LW_NO_NODE)
        return text_is_difference(t, base) || text_is_gradient(t, base) ||
               text_is_of_squares(t, base, depth - 1);
    return text_is_of_squares(t, applied_to(t, n, reductions, REDUCTIONS), depth - 1);
}

/* What a root is taken of; LW_NO_NODE when the expression is no root. */
static uint32_t text_root_of(const struct lw_tree *t, uint32_t n)
{
    static const char *const roots[] = {"sqrt"}, *const powers[] = {"pow"};
    if (is_power(t, n, "0.5"))
        return lw_tree_get(t, n, LW_ROLE_LEFT);
    if (lw_tree_kind(t, n) != LW_NODE_CALL)
        return LW_NO_NODE;
    uint32_t x = applied_to(t, n, roots, 1);
    return x != LW_NO_NODE || !text_is(last_argument(t, n), "0.5")
               ? x
               : applied_to(t, n, powers, 1);
}

/* ---- where a loss is computed --------------------------------------------------------------
 */

/* A module of PyTorch with nothing to learn in it: most are losses. */
static bool is_weightless(const struct ck *c)
{
    static const char *const parts[] = {"nn.Linear",     "nn.Conv",       "nn.Parameter",
                                        "nn.Sequential", "nn.ModuleList", "nn.LSTM",
                                        "nn.GRU"};
    const struct ck_object *class = c->frame->in_class;
    if (!class || !class->api || !text_is(class->api->name, "torch.nn.Module"))
        return false;
    struct lw_str text = lw_tree_text(&c->frame->file->tree, class->node);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (lw_str_find(text, lw_str(parts[i])) >= 0)
            return false;
    return true;
}

/* In a class FocalLoss, in a function gradient_penalty(), in a module without weights. */
static bool is_loss_code(struct ck *c)
{
    static const char *const words[] = {"loss",    "Loss",      "penalty",
                                        "Penalty", "criterion", "Criterion"};
    const struct lw_tree *t = &c->frame->file->tree;
    struct lw_str names[2] = {{0}, {0}};
    if (c->frame->in_class)
        names[0] = lw_tree_name(t, c->frame->in_class->node);
    if (c->frame->function && c->frame->function->node != LW_NO_NODE)
        names[1] = lw_tree_name(t, c->frame->function->node);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; names[i].n && k < sizeof words / sizeof *words; k++)
            if (lw_str_find(names[i], lw_str(words[k])) >= 0)
                return true;
    return text_is(names[1], "forward") && is_weightless(c);
}

/* A root at `node`, whose value is `v`. */
static void check_root(struct ck *c, struct lw_value v, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_origin *o = ck_origin_of(c, v);
    if (node == LW_NO_NODE || ck_grad_off(c) || !is_loss_code(c))
        return;
    if (o && has_steep_root(c, o)) {
        report_root(c, o);
        return;
    }
    struct lw_value x = o ? root_of(c, o) : lw_v_unknown();
    bool vague = x.kind == LW_V_UNKNOWN || x.kind == LW_V_ABSENT ||
                 (x.kind == LW_V_TENSOR && !(x.tensor->range.flags & LW_IV_KNOWN) &&
                  !(x.tensor->framework & LW_NUMPY) &&
                  lw_iv_above(x.tensor->range, 0, false) != LW_TRI_YES);
    uint32_t operand = vague ? text_root_of(t, node) : LW_NO_NODE;
    if (operand != LW_NO_NODE &&
        (ck_shows(c, "name *torch*") || ck_shows(c, "name *tensorflow*")) &&
        text_is_of_squares(t, operand, 8))
        ck_find(c, node, "numeric/sqrt-gradient", NULL, 0, STEEP);
}

static void make_root(struct fix *f)
{
    if (fix_is_call(f, f->node))
        fix_add_epsilon_to(f, f->node, " + 1e-16"); /* its root must be small, too */
}

static void watch_call(struct ck *c, const struct ck_event *e)
{
    struct lw_str tail = text_tail(e->call->name);
    if ((text_is(tail, "sqrt") || text_is(tail, "pow")) &&
        !lw_str_has_prefix(e->call->name, LW_S("numpy.")) &&
        !lw_str_has_prefix(e->call->name, LW_S("math.")))
        check_root(c, e->value, e->node);
}

static void watch_power(struct ck *c, const struct ck_event *e)
{
    if (e->op == LW_OP_POW)
        check_root(c, e->value, e->node);
}

static bool visit_root(void *data, struct lw_value v, const struct ck_origin *o)
{
    struct ck *c = data;
    (void)v;
    if (o && has_steep_root(c, o))
        report_root(c, o);
    return true;
}

static void watch_trained_root(struct ck *c, const struct ck_event *e)
{
    lineage_walk_gradient(c, e->a, visit_root, c);
}

/* ---- spreads --------------------------------------------------------------------------------
 */

/* (returns - returns.mean()) / returns.std() of what was collected in one go, an episode: one
 * item has no spread in PyTorch (NaN), equal ones have 0. */
static void check_episode(struct ck *c, uint32_t node)
{
    static const char *const stds[] = {"std"};
    static const char *const makers[] = {"tensor", "as_tensor", "FloatTensor", "Tensor"};
    const struct lw_tree *t = &c->frame->file->tree;
    if (node == LW_NO_NODE || lw_tree_kind(t, node) != LW_NODE_BIN_OP ||
        !ck_shows(c, "name *torch*"))
        return;
    uint32_t divisor = meant(t, lw_tree_get(t, node, LW_ROLE_RIGHT));
    uint32_t x = applied_to(t, divisor, stds, 1);
    if (x == LW_NO_NODE || lw_tree_kind(t, x) != LW_NODE_NAME ||
        lw_tree_count(t, divisor, LW_ROLE_ARGS) + lw_tree_count(t, divisor, LW_ROLE_KEYWORDS) >
            (syntax_owner(t, divisor) == x ? 0 : 1))
        return;
    uint32_t made = syntax_assigned(t, x);
    uint32_t f = made != LW_NO_NODE && lw_tree_kind(t, made) == LW_NODE_CALL
                     ? lw_tree_get(t, made, LW_ROLE_FUNC)
                     : LW_NO_NODE;
    if (f == LW_NO_NODE || !text_is_any(text_tail(lw_tree_text(t, f)), makers, 4))
        return;
    uint32_t list = lw_tree_get(t, made, LW_ROLE_ARGS);
    uint32_t first = list != LW_NO_NODE && lw_tree_kind(t, list) == LW_NODE_NAME
                         ? syntax_first_assigned(t, list)
                         : LW_NO_NODE;
    if (first == LW_NO_NODE || !text_is(lw_tree_text(t, first), "[]"))
        return;
    ck_find(c, node, "numeric/constant-column", NULL, 0,
            "values that are all equal have a deviation of 0 and become NaN: add a small "
            "number to it");
}

static void watch_episode(struct ck *c, const struct ck_event *e)
{
    if (e->op == LW_OP_DIV)
        check_episode(c, e->node);
}

/* ---- columns of data -----------------------------------------------------------------------
 */

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
    struct lw_value axis = lineage_slot(o, "axis");
    if (axis.kind == LW_V_ABSENT || axis.kind == LW_V_NONE)
        axis = lineage_slot(o, "dim");
    return axis.kind != LW_V_ABSENT && axis.kind != LW_V_NONE;
}

/* (x - mean) / x.std(axis=0), (x - low) / (x.max(axis=0) - x.min(axis=0)): a column of data
 * that is the same in all rows makes it 0 / 0. */
static void check_spread(struct ck *c, const struct ck_event *e)
{
    static const char *const spreads[] = {"std", "nanstd", "ptp"};
    static const char *const tops[] = {"max", "amax", "nanmax"};
    static const char *const lows[] = {"min", "amin", "nanmin"};
    const struct ck_origin *o = lineage_made_by(c, e->b, spreads, 3);
    const struct ck_origin *difference = ck_origin_of(c, e->b);
    if (!o && difference && text_is(difference->op, "-") && difference->in_count == 2) {
        o = lineage_made_by(c, difference->in[0], tops, 3);
        if (!lineage_made_by(c, difference->in[1], lows, 3))
            o = NULL;
    }
    if (!o || !is_by_column(o) || o->in[0].kind != LW_V_TENSOR)
        return;
    const struct lw_tensor *t = o->in[0].tensor;
    struct typical spread;
    bool digits = ck_shows(c, "call mnist.load_data");
    bool known = lineage_known_range(t) || typical_of(c, o->in[0], &spread);
    if (t->framework != LW_NUMPY || (known && !digits) || is_mended(c, e->b) ||
        ck_shows(c, "name *nan_to_num*"))
        return;
    /* Of 33 such divisions in public programs none met a constant column: a note, but for edges
     * of digits and for tables that the program reads number by number, with nothing that
     * would have shown them before. */
    bool raw = ck_shows(c, "call csv.reader") || ck_shows(c, "call *loadtxt");
    ck_find_as(c, e->node, LW_S("numeric/constant-column"),
               digits || raw ? LW_SEVERITY_WARNING : LW_SEVERITY_NOTE, &e->b, 1,
               LW_S("a column with the same value in all rows has a deviation of 0 and becomes "
                    "NaN: add a small number, or divide by 1 where it is 0"));
}

static void watch_spread(struct ck *c, const struct ck_event *e)
{
    if (e->op == LW_OP_DIV)
        check_spread(c, e);
}

const struct ck_rule rules_numeric_root[] = {
    {"numeric/sqrt-gradient", CK_EV_OPERATOR, watch_power},
    {"numeric/sqrt-gradient", CK_EV_CALL, watch_call, .calls = ".sqrt .pow"},
    {"numeric/sqrt-gradient", CK_EV_BACKWARD, watch_trained_root},
    {"numeric/constant-column", CK_EV_OPERATOR, watch_episode},
    {"numeric/constant-column", CK_EV_OPERATOR, watch_spread},
    {"numeric/constant-column", CK_EV_STORE, watch_store},
    {"numeric/sqrt-gradient", .fix = make_root},
    {0},
};
