/*
 * Rules about what a TensorFlow program prepares and never does: an operation that trains and
 * that no session runs, gradients of weights that nothing applies.
 */
#include "base/str.h"
#include "check/look.h"
#include "check/rules.h"

/* ---- operations that nobody runs ----------------------------------------------------------
 */

/* train = optimizer.minimize(loss), and no more of `train`. */
static void watch_minimize(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (!lw_str_has_prefix(e->call->name, LW_S("tensorflow.train.")) ||
        !lw_str_has_suffix(e->call->name, LW_S("Optimizer.minimize")) || c->files.n > 1 ||
        e->node == LW_NO_NODE || !ck_mentions(c, "Session(") || !ck_mentions(c, ".run("))
        return;
    uint32_t up = lw_tree_parent(t, e->node);
    bool alone = up != LW_NO_NODE && lw_tree_kind(t, up) == LW_NODE_EXPR;
    if ((!alone && !look_is_never_read(t, e->node)) || ck_mentions(c, ".assign") ||
        ck_mentions(c, "apply_gradients"))
        return; /* by hand, to show what minimize() does */
    ck_find(c, e->node, "training/missing-step", NULL, 0,
            "minimize() only makes the operation that trains, and no session runs it: the "
            "weights stay as they began");
}

/* ---- gradients that nobody applies --------------------------------------------------------
 */

static bool has_optimizer(const struct ck *c)
{
    for (size_t i = 0; i < c->instances.n; i++)
        if (!c->instances.v[i]->of && c->instances.v[i]->api &&
            c->instances.v[i]->api->kind == LW_API_OPTIMIZER)
            return true;
    return false;
}

/* tape.gradient(loss, model.trainable_variables), and nothing changes a weight. */
static void watch_gradient(struct ck *c, const struct ck_event *e)
{
    static const char *const changes[] = {"apply_gradients", ".assign", "minimize(", ".apply(",
                                          "set_weights"};
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t of = e->call->n > 1 ? e->call->args[1].node : LW_NO_NODE;
    if (!lw_str_has_suffix(e->call->name, LW_S("GradientTape.gradient")) || of == LW_NO_NODE ||
        c->files.n > 1 || lw_str_find(lw_tree_text(t, of), LW_S("trainable_")) == LW_NPOS ||
        !has_optimizer(c))
        return;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (ck_mentions(c, changes[i]))
            return;
    ck_find(c, e->node, "training/missing-step", NULL, 0,
            "gradients are computed and nothing changes the weights: give them to "
            "optimizer.apply_gradients(zip(gradients, variables))");
}

const struct ck_rule ck_rules_undone[] = {
    {CK_EV_CALL, watch_minimize},
    {CK_EV_CALL, watch_gradient},
    {0, NULL},
};
