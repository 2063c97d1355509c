/* Makers for values: numbers that leave their domain, and types that do not fit. */
#include "base/str.h"
#include "check/fix/fix.h"
#include "check/query/look.h"

/* Small against what is added to; the root of that of a distance must be so as well. */
static const char *const EPSILON = " + 1e-8", *const ROOT_EPSILON = " + 1e-16";

/* ---- domains --------------------------------------------------------------------------------
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
    fix_say(f, "compute the logarithm of softmax in one step");
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

static void make_root(struct fix *f)
{
    if (fix_is_call(f, f->node))
        fix_add_epsilon_to(f, f->node, ROOT_EPSILON);
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
    fix_say(f, "keep the argument within -1 and 1");
    fix_around(f, x, ck_text(f->c, "%.*s(", LW_F(name)).p,
               plain ? ", -1.0, 1.0)" : ", -1 + 1e-7, 1 - 1e-7)");
}

/* ---- exponentials ---------------------------------------------------------------------------
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
                      : "compute the sigmoid by tanh, which does not overflow");
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

/* ---- types ----------------------------------------------------------------------------------
 */

/* The target of a loss, in the type that the loss takes. */
static void make_target_type(struct fix *f)
{
    const struct lw_api *api = f->hint->api;
    bool index = api && lw_str_eq(lw_api_fact(api, "target"), LW_S("index"));
    uint32_t target = fix_argument(f, f->node, "target", 1);
    if (target != LW_NO_NODE && api && api->framework == LW_TORCH)
        fix_convert(f, target, index ? ".long()" : ".float()");
}

/* Where the tensor was made of an array, in this file; LW_NO_NODE. */
static uint32_t array_call(struct fix *f, struct lw_value v)
{
    static const char *const makers[] = {"from_numpy", "as_tensor", "tensor"};
    for (unsigned i = 0; i < 16 && fix_is_torch(v); i++) {
        const struct ck_origin *o = ck_origin_of(f->c, v);
        if (!o || !o->in_count)
            return LW_NO_NODE;
        if (text_is_any(text_tail(o->op), makers, sizeof makers / sizeof *makers))
            return o->file == f->file && fix_is_call(f, o->node) ? o->node : LW_NO_NODE;
        v = o->in[0];
    }
    return LW_NO_NODE;
}

/* The input of a layer, in the type of its weights: where it was made of an array of numpy,
 * whose numbers are of 64 bits, so that everything made of it fits; else where it goes in. */
static void make_weight_type(struct fix *f)
{
    uint32_t made = f->cause_count ? array_call(f, f->causes[0]) : LW_NO_NODE;
    if (made != LW_NO_NODE && f->causes[0].tensor->dtype == LW_F64)
        fix_convert(f, made, ".float()");
    else if (f->cause_count && fix_is_torch(f->causes[0]))
        fix_convert(f, fix_argument(f, f->node, NULL, 0),
                    f->causes[0].tensor->dtype == LW_F32 ? ".double()" : ".float()");
}

static void make_float(struct fix *f)
{
    if (f->cause_count && fix_is_torch(f->causes[0]))
        fix_convert(f, fix_problem_value(f), ".float()");
}

static void make_bool(struct fix *f)
{
    if (f->cause_count && fix_is_torch(f->causes[0]))
        fix_convert(f, fix_problem_value(f), ".bool()");
}

/* numpy() of what is on the GPU or requires gradients. */
static void make_detached(struct fix *f)
{
    uint32_t x = fix_is_call(f, f->node) ? fix_operand(f, f->node) : LW_NO_NODE;
    if (x == LW_NO_NODE)
        return;
    fix_say(f, "detach it first");
    fix_suffix(f, x, ".detach()");
}

static void make_on_cpu(struct fix *f)
{
    uint32_t owner = syntax_owner(f->t, f->node);
    if (owner == LW_NO_NODE)
        return;
    fix_say(f, "move it to the CPU first");
    fix_suffix(f, owner, ".cpu()");
}

static void make_stack(struct fix *f)
{
    uint32_t callee = fix_callee(f, f->node);
    if (!text_is(fix_callee_name(f, f->node), "tensor") ||
        lw_tree_get(f->t, f->node, LW_ROLE_KEYWORDS) != LW_NO_NODE)
        return;
    struct lw_str name = fix_sibling(f, callee, LW_S("stack"));
    fix_say(f, "use torch.stack");
    if (name.n)
        fix_node(f, callee, name);
}

/* a / b -> a // b, the only division inside. */
static void make_floor(struct fix *f)
{
    uint32_t division = LW_NO_NODE;
    uint32_t top = f->hint->problem ? fix_problem_value(f) : f->node;
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(f->t, top, n, false))
        if (fix_kind(f, n) == LW_NODE_BIN_OP && lw_tree_node(f->t, n)->op == LW_OP_DIV) {
            if (division != LW_NO_NODE)
                return;
            division = n;
        }
    if (division == LW_NO_NODE)
        return;
    uint32_t token = lw_tree_node(f->t, lw_tree_get(f->t, division, LW_ROLE_LEFT))->last + 1;
    while (f->t->lexed.tokens.v[token].kind == LW_TOK_RPAREN)
        token++;
    if (f->t->lexed.tokens.v[token].kind != LW_TOK_SLASH)
        return;
    fix_say(f, "divide with //");
    fix_token(f, token, LW_S("//"));
}

static void make_index(struct fix *f)
{
    struct lw_value v = f->cause_count ? f->causes[0] : lw_v_absent();
    uint32_t index = fix_kind(f, f->node) == LW_NODE_SUBSCRIPT
                         ? lw_tree_get(f->t, f->node, LW_ROLE_SLICE)
                         : LW_NO_NODE;
    if (f->hint->problem)
        fix_to_integers(f);
    else if (!fix_is_torch(v))
        make_floor(f);
    else if (fix_kind(f, index) == LW_NODE_NAME || fix_is_call(f, index) ||
             fix_kind(f, index) == LW_NODE_ATTRIBUTE)
        fix_convert(f, index, ".long()");
}

static void make_class_call(struct fix *f)
{
    uint32_t callee = fix_callee(f, f->node);
    if (!f->hint->meant.n || fix_kind(f, callee) != LW_NODE_ATTRIBUTE ||
        !lw_str_eq(fix_name(f, callee), f->hint->was))
        return;
    fix_say(f, "write '%.*s'", LW_F(f->hint->meant));
    fix_token(f, lw_tree_name_token(f->t, callee), f->hint->meant);
}

const struct fix_rule fix_rules_numeric[] = {
    {"numeric/arc-domain", make_clamped},
    {"numeric/division-by-zero", make_divisor},
    {"numeric/exp-overflow", make_exp},
    {"numeric/log-of-zero", make_log},
    {"numeric/sqrt-gradient", make_root},
    {"type/embedding-index", fix_to_integers},
    {"type/float-size", make_floor},
    {"type/index-dtype", make_index},
    {"type/layer-input-dtype", make_weight_type},
    {"type/list-of-tensors", make_stack},
    {"type/loss-input-dtype", make_float},
    {"type/mask-dtype", make_bool},
    {"type/mean-of-int", make_float},
    {"type/not-callable", make_class_call},
    {"type/numpy-of-cuda", make_on_cpu},
    {"type/numpy-of-grad", make_detached},
    {"type/target-dtype", make_target_type},
    {NULL, NULL},
};
