/* total += loss: a sum that keeps the graph of every step. */
#include "base/str.h"
#include "check/query/calls.h"
#include "check/query/look.h"
#include "check/query/losses.h"
#include "check/rules/rules.h"

/* total += loss keeps the graph of every step. */
static void watch_total(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct ck_loop *loop = c->frame->loop;
    if (!loop || e->b.kind != LW_V_TENSOR || e->b.tensor->framework != LW_TORCH ||
        e->b.tensor->grad != LW_TRI_YES)
        return;
    uint32_t target = lw_tree_get(t, e->node, LW_ROLE_TARGET);
    uint32_t value = lw_tree_get(t, e->node, LW_ROLE_VALUE);
    uint32_t back = syntax_method_call(t, loop->node, "backward");
    if (back == LW_NO_NODE || value == LW_NO_NODE || lw_tree_kind(t, value) != LW_NODE_NAME)
        return;
    uint32_t owner = lw_tree_get(t, lw_tree_get(t, back, LW_ROLE_FUNC), LW_ROLE_VALUE);
    if (!lw_str_eq(lw_tree_text(t, owner), lw_tree_text(t, value)))
        return;
    struct lw_str name = lw_tree_text(t, target);
    struct lw_str whole = lw_tree_text(t, lw_tree_enclosing(t, loop->node, LW_NODE_MODULE));
    if (lw_str_find(whole, ck_text(c, "%.*s.backward", LW_F(name))) != LW_NPOS)
        return;
    ck_find(c, e->node, "api/loss-kept", &e->b, 1,
            "'%.*s' keeps the losses of all steps and their graphs in memory: add loss.item()",
            LW_F(name));
}

/* The sum and what is added: total += loss, total = total + loss. */
static bool adds(const struct lw_tree *t, uint32_t n, struct lw_str *sum, struct lw_str *term)
{
    if (lw_tree_kind(t, n) == LW_NODE_AUG_ASSIGN) {
        uint32_t value = lw_tree_get(t, n, LW_ROLE_VALUE);
        *sum = lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGET));
        *term = lw_tree_text(t, value);
        return lw_tree_node(t, n)->op == LW_OP_ADD &&
               (lw_tree_kind(t, value) == LW_NODE_NAME ||
                lw_tree_kind(t, value) == LW_NODE_ATTRIBUTE);
    }
    uint32_t value =
        lw_tree_kind(t, n) == LW_NODE_ASSIGN ? lw_tree_get(t, n, LW_ROLE_VALUE) : LW_NO_NODE;
    if (value == LW_NO_NODE || lw_tree_kind(t, value) != LW_NODE_BIN_OP ||
        lw_tree_node(t, value)->op != LW_OP_ADD)
        return false;
    uint32_t right = lw_tree_get(t, value, LW_ROLE_RIGHT);
    *sum = lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS));
    *term = lw_tree_text(t, right);
    return lw_str_eq(lw_tree_text(t, lw_tree_get(t, value, LW_ROLE_LEFT)), *sum) &&
           (lw_tree_kind(t, right) == LW_NODE_NAME ||
            lw_tree_kind(t, right) == LW_NODE_ATTRIBUTE);
}

/* The same where the value is not known. */
static void check_sum(struct ck *c, struct ck_file *file, uint32_t n)
{
    const struct lw_tree *t = &file->tree;
    struct lw_str sum, term;
    if (!adds(t, n, &sum, &term))
        return;
    uint32_t loop = syntax_loop_around(t, n),
             function = lw_tree_enclosing(t, n, LW_NODE_FUNCTION);
    struct lw_str whole = lw_tree_text(t, function == LW_NO_NODE ? t->root : function);
    if (loop == LW_NO_NODE || !losses_goes_back(t, loop, term) ||
        lw_str_find(whole, ck_text(c, "%.*s.backward", LW_F(sum))) != LW_NPOS ||
        losses_is_plain(c, whole, term))
        return;
    ck_find_at(c, file, n, "api/loss-kept", NULL, 0,
               "'%.*s' adds up the losses of all steps together with their graphs, so memory "
               "grows with every step: add %.*s.item() or %.*s.detach()",
               LW_F(sum), LW_F(term), LW_F(term));
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    calls_each_node(c, "name *torch*", check_sum);
}

const struct ck_rule rules_api_loss_kept[] = {
    {"api/loss-kept", CK_EV_AUGMENTED, watch_total},
    {"api/loss-kept", CK_EV_END, watch_end},
    {"api/loss-kept", .fix = fix_add_number},
    {0},
};
