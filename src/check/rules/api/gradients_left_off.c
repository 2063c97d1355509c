/* Rules about calls that leave gradients switched off for the whole program. */
#include "check/models/models.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* torch.set_grad_enabled(False) as a statement in a module: whoever called it goes on without
 * gradients. */
static void watch_switch(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_object *self = ck_as(c->frame->self, CK_INSTANCE);
    struct lw_value on = ck_arg(e->call, 0, "mode");
    if (!text_is(e->call->name, "torch.set_grad_enabled") || on.kind != LW_V_BOOL ||
        on.tri != LW_TRI_NO || !self || !ck_is_torch_module(c, self) || !c->frame->function ||
        e->node == LW_NO_NODE || lw_tree_kind(t, lw_tree_parent(t, e->node)) != LW_NODE_EXPR)
        return;
    /* Behind it: True again, or as it was. */
    uint32_t f = c->frame->function->node;
    for (uint32_t n = syntax_next_call(t, f, e->node, "set_grad_enabled"); n != LW_NO_NODE;
         n = syntax_next_call(t, f, n, "set_grad_enabled")) {
        uint32_t arg = lw_tree_each(t, n, LW_ROLE_ARGS, LW_NO_NODE);
        if (arg == LW_NO_NODE || !text_is(lw_tree_text(t, arg), "False"))
            return;
    }
    ck_find(c, e->node, "api/gradients-left-off", NULL, 0,
            "gradients stay disabled for the whole program after this call, and later training "
            "changes nothing: use 'with torch.no_grad():'");
}

const struct ck_rule rules_api_gradients_left_off[] = {
    {"api/gradients-left-off", CK_EV_CALL, watch_switch, .calls = "torch.set_grad_enabled"},
    {0},
};
