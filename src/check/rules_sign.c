/*
 * Rules about what is minimised and should be maximised: a likelihood, an overlap, a divergence
 * with its sign turned round.
 */
#include "base/str.h"
#include "check/look.h"
#include "check/rules.h"
#include "check/sign.h"

static bool has(const struct lw_tree *t, uint32_t node, const char *text)
{
    return lw_str_find(lw_tree_text(t, node), lw_str(text)) != LW_NPOS;
}

/* ---- likelihood -----------------------------------------------------------------------------
 */

/* distribution.log_prob(x) */
static bool is_log_prob(const struct lw_tree *t, uint32_t node)
{
    return look_owner(t, node) != LW_NO_NODE &&
           look_is(lw_tree_name(t, lw_tree_get(t, node, LW_ROLE_FUNC)), "log_prob");
}

/* ---- overlap --------------------------------------------------------------------------------
 */

/* sum(a * b) */
static bool is_sum_of_products(const struct lw_tree *t, uint32_t node)
{
    uint32_t f =
        lw_tree_kind(t, node) == LW_NODE_CALL ? lw_tree_get(t, node, LW_ROLE_FUNC) : LW_NO_NODE;
    if (f == LW_NO_NODE ||
        (lw_tree_kind(t, f) != LW_NODE_NAME && lw_tree_kind(t, f) != LW_NODE_ATTRIBUTE))
        return false;
    struct lw_str name = lw_tree_name(t, f);
    return (look_is(name, "sum") || look_is(name, "reduce_sum")) && has(t, node, "*");
}

/* What two masks have in common, and what a true positive is. */
static bool is_common(const struct lw_tree *t, uint32_t node)
{
    static const char *const names[] = {"inter", "intersect", "intersection", "overlap",
                                        "tp",    "TP",        "true_pos",     "true_positives"};
    for (uint32_t n = node; n != LW_NO_NODE; n = lw_tree_next(t, node, n, false)) {
        if (is_sum_of_products(t, n))
            return true;
        if (lw_tree_kind(t, n) != LW_NODE_NAME)
            continue;
        uint32_t value = look_assigned(t, n);
        if (look_is_any(lw_tree_name(t, n), names, sizeof names / sizeof *names) ||
            (value != LW_NO_NODE && is_sum_of_products(t, value)))
            return true;
    }
    return false;
}

/* sum(a) + sum(b): all that is in one or the other. */
static bool is_all(const struct lw_tree *t, uint32_t node)
{
    struct lw_str text = lw_tree_text(t, node);
    ptrdiff_t first = lw_str_find(text, LW_S("sum("));
    bool two = first != LW_NPOS &&
               lw_str_find(lw_str_from(text, (size_t)first + 4), LW_S("sum(")) != LW_NPOS;
    return lw_tree_kind(t, node) == LW_NODE_BIN_OP && has(t, node, "+") &&
           (two || has(t, node, "union") || has(t, node, "fp"));
}

/* (2 * common + 1) / (a + b + 1): a share between 0 and 1 that is 1 for a perfect match. */
static bool is_overlap(const struct lw_tree *t, uint32_t node)
{
    if (lw_tree_kind(t, node) != LW_NODE_BIN_OP || lw_tree_node(t, node)->op != LW_OP_DIV)
        return false;
    uint32_t below = lw_tree_get(t, node, LW_ROLE_RIGHT);
    if (lw_tree_kind(t, below) == LW_NODE_NAME)
        below = look_assigned(t, below);
    return below != LW_NO_NODE && is_all(t, below) &&
           is_common(t, lw_tree_get(t, node, LW_ROLE_LEFT));
}

/* ---- divergence -----------------------------------------------------------------------------
 */

/* 1 + logvar - mu ** 2 - exp(logvar), which is 0 at most. */
static bool is_divergence(const struct lw_tree *t, uint32_t node)
{
    uint32_t left = node;
    if (lw_tree_kind(t, node) != LW_NODE_BIN_OP || lw_tree_node(t, node)->op != LW_OP_SUB ||
        !has(t, node, "exp(") ||
        (!has(t, node, "pow(") && !has(t, node, "** 2") && !has(t, node, "**2") &&
         !has(t, node, "square(")))
        return false;
    while (lw_tree_kind(t, left) == LW_NODE_BIN_OP) {
        enum lw_op op = (enum lw_op)lw_tree_node(t, left)->op;
        if (op != LW_OP_SUB && op != LW_OP_ADD)
            return false;
        uint32_t right = lw_tree_get(t, left, LW_ROLE_RIGHT);
        if (op == LW_OP_ADD && (has(t, right, "exp(") || has(t, right, "pow(")))
            return false;
        left = lw_tree_get(t, left, LW_ROLE_LEFT);
    }
    struct lw_str one = lw_tree_text(t, left);
    return look_is(one, "1") || look_is(one, "1.") || look_is(one, "1.0");
}

/* ---- findings -------------------------------------------------------------------------------
 */

static void check_expression(struct ck *c, struct ck_file *file, uint32_t expression)
{
    struct sign_found f = sign_of(file, expression, is_log_prob);
    bool trains = ck_mentions(c, ".step()") || ck_mentions(c, "minimize(") ||
                  ck_mentions(c, "apply_gradients(");
    if (f.node != LW_NO_NODE && f.sign > 0 && f.alone && trains)
        ck_find_at(
            c, file, f.node, "training/likelihood-minimised", NULL, 0,
            "the loss is a log-likelihood with a plus sign: minimising it makes what was "
            "seen (or rewarded) less likely; negate it");
    f = sign_of(file, expression, is_overlap);
    if (f.node != LW_NO_NODE && f.sign > 0)
        ck_find_at(c, file, f.node, "training/overlap-minimised", NULL, 0,
                   "this is 1 for a perfect match and is minimised: training makes the match "
                   "worse; use 1 minus it");
    f = sign_of(file, expression, is_divergence);
    if (f.node != LW_NO_NODE && f.sign > 0)
        ck_find_at(c, file, f.node, "training/divergence-form", NULL, 0,
                   "this is 0 at most, and minimising it drives the distribution away from the "
                   "standard one without end: multiply it by -0.5");
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    if (!ck_mentions(c, "maximize=True") &&
        (ck_mentions(c, "log_prob(") || ck_mentions(c, "exp(") || ck_mentions(c, "sum(")))
        sign_minimised(c, c->files.v[0], check_expression);
}

const struct ck_rule ck_rules_sign[] = {
    {CK_EV_END, watch_end},
    {0, NULL},
};
