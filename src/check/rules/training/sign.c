/*
 * Rules about what is minimised and should be maximised: a likelihood, an overlap.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/sign.h"
#include "check/rules/rules.h"

static bool has(const struct lw_tree *t, uint32_t node, const char *text)
{
    return lw_str_find(lw_tree_text(t, node), lw_str(text)) != LW_NPOS;
}

/* ---- likelihood -----------------------------------------------------------------------------
 */

/* distribution.log_prob(x) */
static bool is_log_prob(const struct lw_tree *t, uint32_t node)
{
    return syntax_owner(t, node) != LW_NO_NODE &&
           text_is(lw_tree_name(t, lw_tree_get(t, node, LW_ROLE_FUNC)), "log_prob");
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
    return (text_is(name, "sum") || text_is(name, "reduce_sum")) && has(t, node, "*");
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
        uint32_t value = syntax_assigned(t, n);
        if (text_is_any(lw_tree_name(t, n), names, sizeof names / sizeof *names) ||
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
        below = syntax_assigned(t, below);
    return below != LW_NO_NODE && is_all(t, below) &&
           is_common(t, lw_tree_get(t, node, LW_ROLE_LEFT));
}

/* ---- findings -------------------------------------------------------------------------------
 */

static void check_expression(struct ck *c, struct ck_file *file, uint32_t expression)
{
    struct sign_found f = sign_of(file, expression, is_log_prob);
    bool trains = ck_shows(c, "call .step") || ck_shows(c, "call minimize") ||
                  ck_shows(c, "call apply_gradients");
    if (f.node != LW_NO_NODE && f.sign > 0 && f.alone && trains)
        ck_find_at(c, file, f.node, "training/likelihood-minimised", NULL, 0,
                   "the loss is a log-likelihood with a positive sign: minimising it makes the "
                   "observed (or rewarded) outcomes less likely; negate it");
    f = sign_of(file, expression, is_overlap);
    if (f.node != LW_NO_NODE && f.sign > 0)
        ck_find_at(c, file, f.node, "training/overlap-minimised", NULL, 0,
                   "this score is 1 for a perfect match, but it is minimised, which makes the "
                   "match worse: use 1 minus the score");
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    if (!ck_shows(c, "keyword maximize=True") &&
        (ck_shows(c, "call *log_prob") || ck_shows(c, "call exp") || ck_shows(c, "call *sum")))
        sign_minimised(c, c->files.v[0], check_expression);
}

const struct ck_rule rules_training_sign[] = {
    {"training/likelihood-minimised "
     "training/overlap-minimised",
     CK_EV_END, watch_end},
    {0},
};
