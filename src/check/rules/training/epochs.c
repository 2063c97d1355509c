/*
 * Rules about what is done once in an epoch and belongs to each batch, and the other way round:
 * a step behind the loop over the batches, an optimiser that begins anew with each epoch.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* A loop inside `outer`, before `node`, that clears and makes gradients and never steps. */
static uint32_t loop_without_step(const struct lw_tree *t, uint32_t outer, uint32_t node)
{
    for (uint32_t n = lw_tree_next(t, outer, outer, false); n != LW_NO_NODE;
         n = lw_tree_next(t, outer, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if ((kind == LW_NODE_FOR || kind == LW_NODE_WHILE) &&
            lw_tree_end(t, n) <= lw_tree_start(t, node) &&
            syntax_method_call(t, n, "backward") != LW_NO_NODE &&
            syntax_method_call(t, n, "zero_grad") != LW_NO_NODE &&
            syntax_method_call(t, n, "step") == LW_NO_NODE)
            return n;
    }
    return LW_NO_NODE;
}

/* optimizer.step() behind the loop over batches in which zero_grad() is called. */
static void watch_step(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t outer = syntax_loop_around(t, e->node);
    if (outer == LW_NO_NODE || loop_without_step(t, outer, e->node) == LW_NO_NODE ||
        lw_str_find(lw_tree_text(t, outer), LW_S(".grad =")) != LW_NPOS)
        return; /* the program puts gradients together itself */
    ck_find(c, e->node, "training/step-after-batches", NULL, 0,
            "each batch clears the gradients, but step() is called only after the last one, so "
            "only the last batch trains the model: call step() in the loop over the batches");
}

/* Is the loop one over epochs: called so, or counted, with another one inside that steps? */
static bool goes_over_epochs(const struct lw_tree *t, uint32_t loop)
{
    if (lw_tree_kind(t, loop) != LW_NODE_FOR)
        return false;
    struct lw_str target = lw_tree_text(t, lw_tree_get(t, loop, LW_ROLE_TARGET));
    struct lw_str iter = lw_tree_text(t, lw_tree_get(t, loop, LW_ROLE_ITER));
    uint32_t step = syntax_method_call(t, loop, "step");
    return lw_str_find(target, LW_S("epoch")) != LW_NPOS ||
           lw_str_find(iter, LW_S("epoch")) != LW_NPOS ||
           lw_str_find(iter, LW_S("EPOCH")) != LW_NPOS ||
           (lw_str_has_prefix(iter, LW_S("range(")) && step != LW_NO_NODE &&
            syntax_loop_around(t, step) != loop);
}

/* Has the optimiser something to remember from step to step? */
static bool remembers(struct ck *c, const struct ck_object *o)
{
    double momentum = 0;
    struct lw_str name = text_tail(o->api->name);
    if (!text_is(name, "SGD"))
        return lw_str_has_prefix(name, LW_S("Ad")) || text_is(name, "RMSprop") ||
               text_is(name, "NAdam") || text_is(name, "RAdam");
    return ck_number_of(c, ck_config(o, "momentum"), &momentum) && momentum > 0;
}

/* Is the model whose parameters it gets made or replaced in the loop? */
static bool makes_model(const struct lw_tree *t, uint32_t loop, uint32_t node)
{
    uint32_t call = syntax_method_call(t, node, "parameters");
    uint32_t owner = call == LW_NO_NODE ? call : syntax_owner(t, call);
    if (owner == LW_NO_NODE)
        return true;
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)),
                      lw_tree_text(t, owner)))
            return true;
    return false;
}

static void watch_made(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    uint32_t loop = syntax_loop_around(t, e->node);
    if (!o || o->of || !o->api || loop == LW_NO_NODE ||
        !lw_str_has_prefix(o->api->name, LW_S("torch.optim.")) ||
        lw_tree_parent(t, lw_tree_statement(t, e->node)) != loop ||
        !goes_over_epochs(t, loop) || !remembers(c, o) ||
        syntax_method_call(t, loop, "step") == LW_NO_NODE || makes_model(t, loop, e->node))
        return;
    ck_find(c, e->node, "training/optimizer-each-epoch", NULL, 0,
            "a new optimizer in each epoch loses the moments of the gradients: create it once, "
            "before the loop");
}

const struct ck_rule rules_training_epochs[] = {
    {"training/step-after-batches", CK_EV_STEP, watch_step},
    {"training/optimizer-each-epoch", CK_EV_CALL, watch_made},
    {0},
};
