#include "check/engine/square.h"

#include "base/str.h"

enum { MAX_FACTORS = 8 };

/* Has the expression the same value wherever it stands in one statement? */
static bool is_pure(const struct lw_tree *t, uint32_t node)
{
    for (uint32_t n = node; n != LW_NO_NODE; n = lw_tree_next(t, node, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL || lw_tree_kind(t, n) == LW_NODE_NAMED)
            return false;
    return true;
}

/* The factors of a * b * c, in reverse order; `*minus`: an odd number of signs. */
static size_t factors_of(const struct lw_tree *t, uint32_t node, uint32_t out[MAX_FACTORS],
                         bool *minus)
{
    size_t n = 0;
    while (n < MAX_FACTORS && node != LW_NO_NODE) {
        if (lw_tree_kind(t, node) == LW_NODE_UNARY_OP &&
            lw_tree_node(t, node)->op == LW_OP_USUB) {
            *minus = !*minus;
            node = lw_tree_get(t, node, LW_ROLE_OPERAND);
        } else if (lw_tree_kind(t, node) == LW_NODE_BIN_OP &&
                   lw_tree_node(t, node)->op == LW_OP_MULT) {
            out[n] = lw_tree_get(t, node, LW_ROLE_RIGHT);
            if (out[n++] == LW_NO_NODE)
                return 0;
            node = lw_tree_get(t, node, LW_ROLE_LEFT);
        } else {
            out[n++] = node;
            return n;
        }
    }
    return 0;
}

static struct lw_interval range_of(struct ck *c, uint32_t node)
{
    struct lw_tensor t;
    c->quiet++;
    struct lw_value v = ck_eval(c, node);
    c->quiet--;
    return ck_to_tensor(c, v, &t) ? t.range : lw_iv_unknown();
}

bool ck_range_of_squares(struct ck *c, uint32_t node, struct lw_interval *out)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t f[MAX_FACTORS];
    bool minus = false, paired = false, used[MAX_FACTORS] = {false};
    if (node == LW_NO_NODE || lw_tree_kind(t, node) != LW_NODE_BIN_OP)
        return false;
    size_t n = factors_of(t, node, f, &minus);
    size_t partner[MAX_FACTORS] = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n && !used[i]; k++)
            if (!used[k] && lw_tree_kind(t, f[i]) != LW_NODE_NUMBER &&
                lw_str_eq(lw_tree_text(t, f[i]), lw_tree_text(t, f[k])) && is_pure(t, f[i])) {
                used[i] = used[k] = paired = true;
                partner[i] = k;
            }
    if (!paired)
        return false;
    struct lw_interval all = lw_iv_number(minus ? -1 : 1);
    for (size_t i = 0; i < n; i++) {
        if (used[i] && !partner[i])
            continue; /* the second of a pair */
        struct lw_interval x = range_of(c, f[i]);
        all = lw_iv_mul(all, partner[i] ? lw_iv_find(LW_S("square"))(x) : x);
    }
    *out = all;
    return true;
}
