/*
 * Rules about losses that are written out: formulas whose parts are all there, but do not fit
 * each other. They look at the text of the formula, so that it does not matter where its parts
 * come from.
 */
#include <math.h>

#include "base/num.h"
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/roles.h"
#include "check/query/sign.h"
#include "check/rules/rules.h"

/* ---- divergence of a normal distribution from the standard one ----------------------------
 */

enum { TERMS = 6, MAX_NESTING = 12 };

struct term {
    uint32_t node;
    double sign;
};

/* a + b - c as terms with signs; false when there are too many. */
static bool flatten(const struct lw_tree *t, uint32_t node, double sign, struct term *out,
                    size_t *n, unsigned depth)
{
    if (depth > MAX_NESTING)
        return false;
    enum lw_op op = (enum lw_op)lw_tree_node(t, node)->op;
    if (lw_tree_kind(t, node) == LW_NODE_BIN_OP && (op == LW_OP_ADD || op == LW_OP_SUB))
        return flatten(t, lw_tree_get(t, node, LW_ROLE_LEFT), sign, out, n, depth + 1) &&
               flatten(t, lw_tree_get(t, node, LW_ROLE_RIGHT), op == LW_OP_ADD ? sign : -sign,
                       out, n, depth + 1);
    if (lw_tree_kind(t, node) == LW_NODE_UNARY_OP && op == LW_OP_USUB)
        return flatten(t, lw_tree_get(t, node, LW_ROLE_OPERAND), -sign, out, n, depth + 1);
    if (*n == TERMS)
        return false;
    out[(*n)++] = (struct term){node, sign};
    return true;
}

static bool number_of(const struct lw_tree *t, uint32_t node, double *x)
{
    struct lw_str text = lw_tree_text(t, node);
    return lw_tree_kind(t, node) == LW_NODE_NUMBER && lw_parse_double(text, x);
}

/* 2 * x, x * 2, x: the factor, and the text of x. */
static bool scaled(const struct lw_tree *t, uint32_t node, double *factor, struct lw_str *what)
{
    *factor = 1;
    if (lw_tree_kind(t, node) == LW_NODE_BIN_OP && lw_tree_node(t, node)->op == LW_OP_MULT) {
        uint32_t left = lw_tree_get(t, node, LW_ROLE_LEFT);
        uint32_t right = lw_tree_get(t, node, LW_ROLE_RIGHT);
        if (number_of(t, left, factor))
            node = right;
        else if (number_of(t, right, factor))
            node = left;
    }
    enum lw_node_kind kind = lw_tree_kind(t, node);
    *what = lw_tree_text(t, node);
    return kind == LW_NODE_NAME || kind == LW_NODE_ATTRIBUTE;
}

/* x ** 2, x.pow(2), torch.pow(x, 2), torch.square(x): the exponent, and x. */
static bool power(const struct lw_tree *t, uint32_t node, double *exponent, uint32_t *base)
{
    if (lw_tree_kind(t, node) == LW_NODE_BIN_OP && lw_tree_node(t, node)->op == LW_OP_POW) {
        *base = lw_tree_get(t, node, LW_ROLE_LEFT);
        return number_of(t, lw_tree_get(t, node, LW_ROLE_RIGHT), exponent);
    }
    uint32_t owner = syntax_owner(t, node);
    if (owner == LW_NO_NODE)
        return false;
    struct lw_str name = lw_tree_name(t, lw_tree_get(t, node, LW_ROLE_FUNC));
    uint32_t first = lw_tree_each(t, node, LW_ROLE_ARGS, LW_NO_NODE);
    bool function = text_is(lw_tree_text(t, owner), "torch");
    uint32_t second = first == LW_NO_NODE ? first : lw_tree_each(t, node, LW_ROLE_ARGS, first);
    uint32_t raised = function ? first : owner, given = function ? second : first;
    if (raised == LW_NO_NODE || (!text_is(name, "square") && !text_is(name, "pow")))
        return false;
    *base = raised;
    *exponent = 2;
    return text_is(name, "square") || (given != LW_NO_NODE && number_of(t, given, exponent));
}

/* torch.exp(x), x.exp(): x. */
static uint32_t exponential(const struct lw_tree *t, uint32_t node)
{
    uint32_t owner = syntax_owner(t, node);
    if (owner == LW_NO_NODE ||
        !text_is(lw_tree_name(t, lw_tree_get(t, node, LW_ROLE_FUNC)), "exp"))
        return LW_NO_NODE;
    uint32_t arg = lw_tree_each(t, node, LW_ROLE_ARGS, LW_NO_NODE);
    return arg == LW_NO_NODE                          ? owner
           : text_is(lw_tree_text(t, owner), "torch") ? arg
                                                      : LW_NO_NODE;
}

/* What the four terms 1 + k x - m ** 2 - exp(j x) ** p are; signs as written. */
struct divergence {
    double one, linear, square, grown; /* signs */
    double k, j;                       /* j: of the exponent in all */
    struct lw_str x, in_exp;
};

static bool read_term(const struct lw_tree *t, struct term term, struct divergence *d)
{
    double number, exponent = 1, factor;
    uint32_t base = term.node;
    if (number_of(t, term.node, &number)) {
        d->one = term.sign;
        return number == 1;
    }
    bool raised = power(t, term.node, &exponent, &base);
    uint32_t inside = exponential(t, base);
    if (inside != LW_NO_NODE) {
        d->grown = term.sign;
        bool plain = scaled(t, inside, &factor, &d->in_exp);
        d->j = factor * exponent;
        return plain;
    }
    if (raised) {
        d->square = term.sign;
        return exponent == 2;
    }
    d->linear = term.sign;
    return scaled(t, term.node, &d->k, &d->x);
}

/* -0.5 * sum(1 + logvar - mu ** 2 - exp(logvar)), with parts that do not fit. */
static void check_divergence(struct ck *c, struct ck_file *file, uint32_t node)
{
    const struct lw_tree *t = &file->tree;
    struct term terms[TERMS];
    size_t n = 0;
    struct divergence d = {0};
    if (!flatten(t, node, 1, terms, &n, 0) || n != 4)
        return;
    for (size_t i = 0; i < n; i++)
        if (!read_term(t, terms[i], &d))
            return;
    if (d.one == 0 || d.linear == 0 || d.square == 0 || d.grown == 0 ||
        !lw_str_eq(d.x, d.in_exp) || d.k <= 0 || d.j <= 0)
        return;
    bool signs = d.one == d.linear && d.square == d.grown && d.one == -d.grown;
    if (signs && fabs(d.k - d.j) < 1e-9)
        return;
    ck_find_at(c, file, node, "training/divergence-form", NULL, 0,
               signs ? "'%.*s' has the factor %g in one term and %g in the exponent: both must "
                       "be 1 for a log variance and 2 for a log standard deviation"
                     : "the signs around '%.*s' (factors %g and %g) differ from 1 + log "
                       "variance - mean squared - variance",
               LW_F(d.x), d.k, d.j);
}

static bool has_part(struct lw_str text, const char *const *parts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lw_str_find(text, lw_str(parts[i])) != LW_NPOS)
            return true;
    return false;
}

/* 1 + logvar - mu ** 2 - exp(logvar), which is 0 at most. */
static bool is_divergence(const struct lw_tree *t, uint32_t node)
{
    static const char *const grown[] = {"exp(", "pow("};
    static const char *const squares[] = {"pow(", "** 2", "**2", "square("};
    uint32_t left = node;
    if (lw_tree_kind(t, node) != LW_NODE_BIN_OP || lw_tree_node(t, node)->op != LW_OP_SUB ||
        !has_part(lw_tree_text(t, node), grown, 1) ||
        !has_part(lw_tree_text(t, node), squares, 4))
        return false;
    while (lw_tree_kind(t, left) == LW_NODE_BIN_OP) {
        enum lw_op op = (enum lw_op)lw_tree_node(t, left)->op;
        if (op != LW_OP_SUB && op != LW_OP_ADD)
            return false;
        uint32_t right = lw_tree_get(t, left, LW_ROLE_RIGHT);
        if (op == LW_OP_ADD && has_part(lw_tree_text(t, right), grown, 2))
            return false;
        left = lw_tree_get(t, left, LW_ROLE_LEFT);
    }
    struct lw_str one = lw_tree_text(t, left);
    return text_is(one, "1") || text_is(one, "1.") || text_is(one, "1.0");
}

static void check_sign(struct ck *c, struct ck_file *file, uint32_t expression)
{
    struct sign_found f = sign_of(file, expression, is_divergence);
    if (f.node != LW_NO_NODE && f.sign > 0)
        ck_find_at(c, file, f.node, "training/divergence-form", NULL, 0,
                   "this KL term has the wrong sign: minimising it drives the distribution "
                   "away from the standard normal without bound; multiply it by -0.5");
}

static void watch_sign(struct ck *c, const struct ck_event *e)
{
    (void)e;
    if (!ck_shows(c, "keyword maximize=True") && ck_shows(c, "call exp"))
        sign_minimised(c, c->files.v[0], check_sign);
}

/* ---- ends of episodes ---------------------------------------------------------------------
 */

/* (1 - done), or a name that says which steps go on: what is left out at the end. */
static bool minds_end(const struct ck *c, const struct lw_tree *t, uint32_t top)
{
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false)) {
        struct lw_str left =
            lw_tree_kind(t, n) == LW_NODE_BIN_OP && lw_tree_node(t, n)->op == LW_OP_SUB
                ? lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_LEFT))
                : (struct lw_str){0};
        if (text_is(left, "1") || text_is(left, "1.0") || text_is(left, "1.") ||
            lw_str_has_prefix(lw_tree_name(t, n), LW_S("not")) ||
            lw_tree_kind(t, n) == LW_NODE_UNARY_OP)
            return true;
    }
    return role_is_within(c, t, top, ROLE_ENDING) || role_is_within(c, t, top, ROLE_MASK);
}

/* rewards + gamma * value, without a word about the end of the episode */
static bool is_return_without_end(const struct ck *c, const struct lw_tree *t, uint32_t node)
{
    if (lw_tree_kind(t, node) != LW_NODE_BIN_OP || lw_tree_node(t, node)->op != LW_OP_ADD)
        return false;
    uint32_t right = lw_tree_get(t, node, LW_ROLE_RIGHT);
    uint32_t left = lw_tree_get(t, node, LW_ROLE_LEFT);
    /* the first of several sums: each would look at all before it */
    if (lw_tree_kind(t, left) == LW_NODE_BIN_OP && lw_tree_node(t, left)->op == LW_OP_ADD)
        return false;
    return lw_tree_kind(t, right) == LW_NODE_BIN_OP &&
           lw_tree_node(t, right)->op == LW_OP_MULT &&
           role_is_within(c, t, right, ROLE_DISCOUNT) && !minds_end(c, t, right) &&
           role_is_within(c, t, left, ROLE_REWARD);
}

/* Is the name a target, alone or among others: a, (b, name) = … */
static bool is_assigned(const struct lw_tree *t, uint32_t name)
{
    uint32_t up = lw_tree_parent(t, name);
    enum lw_role role = (enum lw_role)lw_tree_node(t, name)->role;
    while (up != LW_NO_NODE &&
           (lw_tree_kind(t, up) == LW_NODE_TUPLE || lw_tree_kind(t, up) == LW_NODE_LIST ||
            lw_tree_kind(t, up) == LW_NODE_STARRED)) {
        role = (enum lw_role)lw_tree_node(t, up)->role;
        up = lw_tree_parent(t, up);
    }
    return role == LW_ROLE_TARGETS || role == LW_ROLE_TARGET;
}

/* Does the use of the name say nothing about the end: dones = tensor(dones), len(dones)? */
static bool only_converts(const struct lw_tree *t, uint32_t name)
{
    uint32_t s = lw_tree_statement(t, name), call = lw_tree_parent(t, name);
    if (lw_tree_kind(t, call) == LW_NODE_CALL && text_is(syntax_called_name(t, call), "len"))
        return true;
    return lw_tree_kind(t, s) == LW_NODE_ASSIGN &&
           lw_str_eq(lw_tree_text(t, lw_tree_get(t, s, LW_ROLE_TARGETS)),
                     lw_tree_name(t, name));
}

/* Does the function get the end of episodes, or take it out of the batch, and never look at it?
 */
static bool drops_end(const struct ck *c, const struct lw_tree *t, uint32_t f)
{
    bool taken = false;
    for (uint32_t n = lw_tree_next(t, f, f, false); n != LW_NO_NODE;
         n = lw_tree_next(t, f, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if ((kind != LW_NODE_ATTRIBUTE && kind != LW_NODE_NAME && kind != LW_NODE_PARAM) ||
            !role_is_named(c, lw_tree_name(t, n), ROLE_ENDING))
            continue;
        if (kind == LW_NODE_ATTRIBUTE)
            return false;
        if (kind == LW_NODE_PARAM || is_assigned(t, n))
            taken = true;
        else if (!only_converts(t, n))
            return false;
    }
    return taken;
}

static void check_return(struct ck *c, struct ck_file *file, uint32_t node)
{
    const struct lw_tree *t = &file->tree;
    uint32_t f = lw_tree_enclosing(t, node, LW_NODE_FUNCTION);
    if (f == LW_NO_NODE || !is_return_without_end(c, t, node) || !drops_end(c, t, f))
        return;
    ck_find_at(c, file, node, "training/ending-ignored", NULL, 0,
               "the batch says which steps ended an episode, but the target ignores it: the "
               "value of the next state must not be added there; multiply it by (1 - done)");
}

/* ---- policy and value ---------------------------------------------------------------------
 */

/* The value that is assigned to the name last before the node, in the same function. */
static uint32_t last_value(const struct lw_tree *t, uint32_t f, uint32_t before,
                           struct lw_str name)
{
    uint32_t found = LW_NO_NODE;
    for (uint32_t n = lw_tree_next(t, f, f, false);
         n != LW_NO_NODE && lw_tree_start(t, n) < lw_tree_start(t, before);
         n = lw_tree_next(t, f, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), name))
            found = lw_tree_get(t, n, LW_ROLE_VALUE);
    return found;
}

/* What is taken off in `returns - values`, or in a name that was made so; LW_NO_NODE: nothing,
 * or without its gradient. */
static uint32_t baseline_of(const struct lw_tree *t, uint32_t f, uint32_t node)
{
    if (lw_tree_kind(t, node) == LW_NODE_NAME)
        node = last_value(t, f, node, lw_tree_name(t, node));
    if (node == LW_NO_NODE || lw_tree_kind(t, node) != LW_NODE_BIN_OP ||
        lw_tree_node(t, node)->op != LW_OP_SUB)
        return LW_NO_NODE;
    uint32_t value = lw_tree_get(t, node, LW_ROLE_RIGHT);
    return lw_tree_kind(t, value) == LW_NODE_NAME ? value : LW_NO_NODE;
}

/* Is a loss of regression computed of the name in the function: what the critic learns by? */
static bool is_fitted(const struct lw_tree *t, uint32_t f, struct lw_str name)
{
    static const char *const losses[] = {"mse", "MSE", "smooth_l1", "huber", "SmoothL1"};
    for (uint32_t n = lw_tree_next(t, f, f, false); n != LW_NO_NODE;
         n = lw_tree_next(t, f, n, false)) {
        uint32_t func =
            lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC) : LW_NO_NODE;
        if (func == LW_NO_NODE || !has_part(lw_tree_text(t, func), losses, 5))
            continue;
        for (uint32_t a = lw_tree_each(t, n, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
             a = lw_tree_each(t, n, LW_ROLE_ARGS, a))
            if (syntax_has_name(t, a, name))
                return true;
    }
    return false;
}

/* Is the difference itself squared: advantage.pow(2), advantage ** 2? */
static bool is_squared(const struct lw_tree *t, uint32_t f, uint32_t difference)
{
    if (lw_tree_kind(t, difference) != LW_NODE_NAME)
        return false;
    for (uint32_t n = lw_tree_next(t, f, f, false); n != LW_NO_NODE;
         n = lw_tree_next(t, f, n, false)) {
        uint32_t base = LW_NO_NODE;
        if (lw_tree_kind(t, n) == LW_NODE_BIN_OP && lw_tree_node(t, n)->op == LW_OP_POW)
            base = lw_tree_get(t, n, LW_ROLE_LEFT);
        else if (lw_tree_kind(t, n) == LW_NODE_CALL &&
                 (text_is(syntax_called_name(t, n), "pow") ||
                  text_is(syntax_called_name(t, n), "square")))
            base = syntax_owner(t, n);
        if (lw_tree_kind(t, base) == LW_NODE_NAME &&
            lw_str_eq(lw_tree_name(t, base), lw_tree_name(t, difference)))
            return true;
    }
    return false;
}

/* ((returns - values) * log_probs).mean() beside mse(returns, values): the policy's loss pulls
 * at the critic as well. */
static void check_policy(struct ck *c, struct ck_file *file, uint32_t node)
{
    static const char *const logs[] = {"log_prob", "logprob", "log_pi", "logp"};
    const struct lw_tree *t = &file->tree;
    uint32_t f = lw_tree_enclosing(t, node, LW_NODE_FUNCTION);
    if (lw_tree_node(t, node)->op != LW_OP_MULT || f == LW_NO_NODE)
        return;
    uint32_t left = lw_tree_get(t, node, LW_ROLE_LEFT);
    uint32_t right = lw_tree_get(t, node, LW_ROLE_RIGHT);
    bool first = has_part(lw_tree_text(t, left), logs, 4);
    if (first == has_part(lw_tree_text(t, right), logs, 4))
        return;
    uint32_t value = baseline_of(t, f, first ? right : left);
    if (value == LW_NO_NODE ||
        (!is_fitted(t, f, lw_tree_name(t, value)) && !is_squared(t, f, first ? right : left)))
        return;
    struct lw_str name = lw_tree_name(t, value), text = lw_tree_text(t, f);
    if (lw_str_find(text, ck_text(c, "%.*s.detach", LW_F(name))) != LW_NPOS ||
        lw_str_find(text, ck_text(c, "%.*s.data", LW_F(name))) != LW_NPOS ||
        lw_str_find(text, LW_S("no_grad")) != LW_NPOS ||
        lw_str_find(text, LW_S("autograd.grad(")) != LW_NPOS)
        return;
    ck_find_at(c, file, node, "training/critic-not-detached", NULL, 0,
               "the policy loss also changes '%.*s': it moves the critic to make this product "
               "small instead of towards the returns; use %.*s.detach() here",
               LW_F(name), LW_F(name));
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    (void)e;
    if (!ck_shows(c, "name *torch*") && !ck_shows(c, "name *tensorflow*"))
        return;
    bool grown = ck_shows(c, "call exp");
    bool discounted = ck_shows(c, "name *gamma*") || ck_shows(c, "name *GAMMA*") ||
                      ck_shows(c, "name *discount*");
    bool policy = ck_shows(c, "name *log_prob*") || ck_shows(c, "name *logp*");
    for (uint32_t n = lw_tree_next(t, t->root, t->root, false);
         n != LW_NO_NODE && (grown || discounted || policy);
         n = lw_tree_next(t, t->root, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_BIN_OP)
            continue;
        if (discounted)
            check_return(c, file, n);
        if (policy)
            check_policy(c, file, n);
        if (grown && lw_tree_kind(t, lw_tree_parent(t, n)) != LW_NODE_BIN_OP)
            check_divergence(c, file, n);
        else if (grown && lw_tree_node(t, lw_tree_parent(t, n))->op == LW_OP_MULT)
            check_divergence(c, file, n);
    }
}

const struct ck_rule rules_training_formula[] = {
    {"training/critic-not-detached training/divergence-form training/ending-ignored", CK_EV_END,
     watch_end},
    {"training/divergence-form", CK_EV_END, watch_sign},
    {0},
};
