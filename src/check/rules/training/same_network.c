/* Rules about one network that stands for two. */
#include "base/str.h"
#include "check/models/module.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- a copy that is none ------------------------------------------------------------------
 */

/* target.load_state_dict(net.state_dict()), target.set_weights(net.get_weights()): what gives
 * and what takes are one object, made by `target = net`. */
static void watch_copied(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_object *to = ck_as(e->call->self, CK_INSTANCE);
    struct lw_str name = text_tail(e->call->name);
    bool torch = text_is(name, "load_state_dict");
    if (!to || (!torch && !text_is(name, "set_weights")) || !e->call->n ||
        e->call->args[0].node == LW_NO_NODE)
        return;
    uint32_t from = syntax_owner(t, e->call->args[0].node), owner = syntax_owner(t, e->node);
    uint32_t call = e->call->args[0].node;
    if (from == LW_NO_NODE || owner == LW_NO_NODE || lw_tree_kind(t, call) != LW_NODE_CALL ||
        !text_is(lw_tree_name(t, lw_tree_get(t, call, LW_ROLE_FUNC)),
                 torch ? "state_dict" : "get_weights") ||
        lw_str_eq(lw_tree_text(t, from), lw_tree_text(t, owner)))
        return;
    if (ck_as(ck_eval(c, from), CK_INSTANCE) == to)
        ck_find(c, e->node, "training/same-network", NULL, 0,
                "'%.*s' and '%.*s' are the same network, so the copy changes with every step: "
                "create it with copy.deepcopy() or a second constructor call",
                LW_F(lw_tree_text(t, owner)), LW_F(lw_tree_text(t, from)));
}

const struct ck_rule rules_training_same_network[] = {
    {"training/same-network", CK_EV_CALL, watch_copied,
     .calls = ".load_state_dict .set_weights"},
    {0},
};
