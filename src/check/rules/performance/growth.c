/* Rules about what grows from step to step. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- hooks --------------------------------------------------------------------------------
 */

static const char *const hook_names[] = {"register_forward_hook", "register_forward_pre_hook",
                                         "register_full_backward_hook",
                                         "register_backward_hook"};

static uint32_t hook_call(const struct lw_tree *t, uint32_t top)
{
    uint32_t found = LW_NO_NODE;
    for (size_t i = 0; found == LW_NO_NODE && i < sizeof hook_names / sizeof *hook_names; i++)
        found = syntax_method_call(t, top, hook_names[i]);
    return found;
}

static bool is_made_in(const struct lw_tree *t, uint32_t loop, struct lw_str name)
{
    if (syntax_has_name(t, lw_tree_get(t, loop, LW_ROLE_TARGET), name))
        return true;
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
            syntax_has_name(t, lw_tree_get(t, n, LW_ROLE_TARGETS), name))
            return true;
    return false;
}

/* The name that `a.b[c].d` begins with, else LW_NO_NODE. */
static uint32_t root_of(const struct lw_tree *t, uint32_t node)
{
    while (node != LW_NO_NODE && (lw_tree_kind(t, node) == LW_NODE_ATTRIBUTE ||
                                  lw_tree_kind(t, node) == LW_NODE_SUBSCRIPT))
        node = lw_tree_get(t, node, LW_ROLE_VALUE);
    return node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_NAME ? node : LW_NO_NODE;
}

/* Is a name among the arguments that the loop around does not make anew? With `owner` what the
 * call is a method of counts too. */
static bool takes_older(const struct lw_tree *t, uint32_t call, uint32_t loop, bool owner)
{
    uint32_t root = owner ? root_of(t, lw_tree_get(t, call, LW_ROLE_FUNC)) : LW_NO_NODE;
    if (root != LW_NO_NODE && !is_made_in(t, loop, lw_tree_name(t, root)))
        return true;
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a)) {
        if (lw_tree_kind(t, a) != LW_NODE_NAME)
            continue;
        if (!is_made_in(t, loop, lw_tree_name(t, a)))
            return true;
    }
    return false;
}

/* model.layer4.register_forward_hook(…) of a model that the function neither gets nor makes. */
static bool hooks_global(const struct lw_tree *t, uint32_t function, uint32_t hook)
{
    uint32_t root = root_of(t, syntax_owner(t, hook));
    if (root == LW_NO_NODE)
        return false;
    struct lw_str name = lw_tree_name(t, root);
    uint32_t params = lw_tree_get(t, function, LW_ROLE_ARGS);
    for (uint32_t p = params; p != LW_NO_NODE; p = lw_tree_next(t, params, p, false))
        if (lw_tree_kind(t, p) == LW_NODE_PARAM && lw_str_eq(lw_tree_name(t, p), name))
            return false;
    for (uint32_t n = lw_tree_next(t, function, function, false); n != LW_NO_NODE;
         n = lw_tree_next(t, function, n, false))
        if ((lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
             syntax_has_name(t, lw_tree_get(t, n, LW_ROLE_TARGETS), name)) ||
            (lw_tree_kind(t, n) == LW_NODE_FOR &&
             syntax_has_name(t, lw_tree_get(t, n, LW_ROLE_TARGET), name)))
            return false;
    return true;
}

/* A function that sets hooks ends, and a loop around one of its calls goes on. */
static void watch_hooks(struct ck *c, const struct ck_event *e)
{
    const struct ck_frame *f = c->frame;
    if (!e->object->file || ck_shows(c, "call .remove") || !ck_shows(c, "call *_hook"))
        return;
    uint32_t hook = hook_call(&e->object->file->tree, e->object->node);
    if (hook == LW_NO_NODE || text_is(text_tail(e->object->name), "__init__"))
        return;
    const struct lw_tree *there = &e->object->file->tree;
    uint32_t hooked = root_of(there, syntax_owner(there, hook));
    bool own = hooked != LW_NO_NODE && text_is(lw_tree_name(there, hooked), "self");
    bool global = hooks_global(&e->object->file->tree, e->object->node, hook);
    for (unsigned depth = 0; f && depth < 4; f = f->up, depth++) {
        const struct lw_tree *t = &f->file->tree;
        uint32_t loop = f->loop ? f->loop->node : LW_NO_NODE;
        if (loop == LW_NO_NODE || lw_tree_kind(t, loop) != LW_NODE_FOR)
            continue;
        for (uint32_t n = lw_tree_next(t, f->statement, f->statement, false); n != LW_NO_NODE;
             n = lw_tree_next(t, f->statement, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_CALL &&
                (global || takes_older(t, n, loop, own))) {
                ck_find_at(c, e->object->file, hook, "performance/hooks-pile-up", NULL, 0,
                           "a hook is registered in every iteration and never removed, so each "
                           "forward pass calls all of them: keep the handle and call remove(), "
                           "or register it once before the loop");
                return;
            }
    }
}

/* ---- loops that a network ends ------------------------------------------------------------
 */

static bool is_appended_in(const struct lw_tree *t, uint32_t loop, struct lw_str name)
{
    for (uint32_t call = syntax_method_call(t, loop, "append"); call != LW_NO_NODE;
         call = syntax_next_call(t, loop, call, "append"))
        if (lw_str_eq(lw_tree_text(t, syntax_owner(t, call)), name))
            return true;
    return false;
}

static bool is_recurrent(struct ck *c, const struct ck_object *model)
{
    for (const struct ck_slot *s = model->fields.first; s; s = s->next) {
        const struct ck_object *o = ck_as(s->value, CK_INSTANCE);
        if (o && !o->of && o->api && text_is(lw_api_fact(o->api, "role"), "recurrent"))
            return true;
    }
    (void)c;
    return false;
}

/* logits, _ = model(tensor([ids])); ids.append(…): the state that is thrown away has all that
 * was read before. */
static void watch_prefix(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t loop = syntax_loop_around(t, e->node), s = lw_tree_statement(t, e->node);
    if (loop == LW_NO_NODE || !e->object || !e->object->of ||
        lw_tree_kind(t, s) != LW_NODE_ASSIGN || lw_tree_get(t, s, LW_ROLE_VALUE) != e->node ||
        e->call->n != 1 || e->call->args[0].node == LW_NO_NODE || !is_recurrent(c, e->object))
        return;
    uint32_t target = lw_tree_get(t, s, LW_ROLE_TARGETS);
    uint32_t last = LW_NO_NODE;
    if (lw_tree_kind(t, target) != LW_NODE_TUPLE)
        return;
    for (uint32_t n = lw_tree_each(t, target, LW_ROLE_ELTS, LW_NO_NODE); n != LW_NO_NODE;
         n = lw_tree_each(t, target, LW_ROLE_ELTS, n))
        last = n;
    if (last == LW_NO_NODE || !text_is(lw_tree_text(t, last), "_"))
        return;
    uint32_t given = e->call->args[0].node;
    for (uint32_t n = given; n != LW_NO_NODE; n = lw_tree_next(t, given, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME &&
            lw_tree_kind(t, lw_tree_parent(t, n)) != LW_NODE_SUBSCRIPT &&
            is_appended_in(t, loop, lw_tree_name(t, n))) {
            ck_find(c, e->node, "performance/whole-prefix", NULL, 0,
                    "every step processes '%.*s' from its beginning, although the recurrent "
                    "state already covers it: keep the state and pass only the new part",
                    LW_F(lw_tree_name(t, n)));
            return;
        }
}

const struct ck_rule rules_performance_growth[] = {
    {"performance/hooks-pile-up "
     "performance/whole-prefix",
     CK_EV_FUNCTION_END, watch_hooks},
    {"performance/whole-prefix", CK_EV_LAYER, watch_prefix},
    {0},
};
