/* Rules about one network that stands for two. */
#include "base/str.h"
#include "check/models/module.h"
#include "check/query/look.h"
#include "check/query/program.h"
#include "check/query/trace.h"
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

/* The same of a class that gets its network from elsewhere: self.target = self.net. */
static void look_at_copy(struct ck *c, struct ck_file *f, uint32_t call, const char *reads)
{
    const struct lw_tree *t = &f->tree;
    uint32_t given = program_argument(t, call, "state_dict", 0), to = syntax_owner(t, call);
    uint32_t from =
        lw_tree_kind(t, given) == LW_NODE_CALL && text_is(syntax_called_name(t, given), reads)
            ? syntax_owner(t, given)
            : LW_NO_NODE;
    if (to == LW_NO_NODE || from == LW_NO_NODE ||
        lw_str_eq(lw_tree_text(t, from), lw_tree_text(t, to)) || !syntax_is_of_self(t, to) ||
        !syntax_is_of_self(t, from))
        return;
    uint32_t made = trace_attribute(c, f, to);
    if (made == LW_NO_NODE || !lw_str_eq(lw_tree_text(t, made), lw_tree_text(t, from)))
        return;
    ck_find_at(c, f, made, "training/same-network", NULL, 0,
               "'%.*s' and '%.*s' are the same network, so the copy changes with every step: "
               "create it with copy.deepcopy() or a second constructor call",
               LW_F(lw_tree_text(t, to)), LW_F(lw_tree_text(t, from)));
}

static void watch_attributes(struct ck *c, const struct ck_event *e)
{
    enum { MOST_CALLS = 64 };
    (void)e;
    struct places_list torch = program_calls_of(c, "load_state_dict");
    struct places_list keras = program_calls_of(c, "set_weights");
    for (size_t i = 0; i < torch.n && i < MOST_CALLS; i++)
        look_at_copy(c, c->files.v[0], torch.v[i], "state_dict");
    for (size_t i = 0; i < keras.n && i < MOST_CALLS; i++)
        look_at_copy(c, c->files.v[0], keras.v[i], "get_weights");
}

const struct ck_rule rules_training_same_network[] = {
    {"training/same-network", CK_EV_END, watch_attributes},
    {"training/same-network", CK_EV_CALL, watch_copied,
     .calls = ".load_state_dict .set_weights"},
    {0},
};
