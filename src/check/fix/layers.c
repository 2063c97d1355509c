/* Layers, their activations, and losses. */
#include "check/fix/layers.h"

#include "base/str.h"
#include "check/query/look.h"

uint32_t fix_made_at(const struct fix *f, const struct ck_object *o)
{
    return o && o->file == f->file && o->node < f->t->nodes.n && fix_is_call(f, o->node)
               ? o->node
               : LW_NO_NODE;
}

uint32_t fix_add_statement(const struct fix *f, uint32_t layer)
{
    uint32_t call = lw_tree_parent(f->t, layer), s = lw_tree_statement(f->t, layer);
    return lw_str_eq(fix_callee_name(f, call), LW_S("add")) && fix_kind(f, s) == LW_NODE_EXPR &&
                   lw_tree_get(f->t, s, LW_ROLE_VALUE) == call
               ? s
               : LW_NO_NODE;
}

bool fix_is_layer_item(const struct fix *f, uint32_t layer)
{
    uint32_t up = lw_tree_parent(f->t, layer);
    if (fix_kind(f, up) == LW_NODE_LIST)
        return true;
    return lw_str_eq(fix_callee_name(f, up), LW_S("Sequential")) &&
           lw_tree_node(f->t, layer)->role == LW_ROLE_ARGS;
}

/* ---- taking an activation away ------------------------------------------------------------
 */

/* f(x) or x.f(): what it is applied to. */
static uint32_t operand(const struct fix *f, uint32_t call, bool method)
{
    return method ? syntax_owner(f->t, call) : fix_argument(f, call, NULL, 0);
}

/* x = f(x, …) as a whole, or only the call of f. */
static void unapply(struct fix *f, uint32_t call, uint32_t inner)
{
    uint32_t s = lw_tree_parent(f->t, call);
    bool same =
        fix_kind(f, s) == LW_NODE_ASSIGN && lw_tree_get(f->t, s, LW_ROLE_VALUE) == call &&
        lw_str_eq(fix_text(f, lw_tree_get(f->t, s, LW_ROLE_TARGETS)), fix_text(f, inner));
    if (same)
        fix_remove_statement(f, s);
    else
        fix_only(f, call, inner);
}

static bool is_activation(struct lw_str name, struct lw_str activation)
{
    return lw_str_eq_nocase(name, activation) ||
           (text_is(activation, "relu") && lw_str_eq_nocase(name, LW_S("relu6")));
}

/* Is the layer kept under the very name that is called: self.act = ReLU(), self.act(x)? */
static bool is_called(const struct fix *f, uint32_t call, uint32_t made)
{
    uint32_t s = lw_tree_parent(f->t, made), callee = fix_callee(f, call);
    if (callee == made)
        return true;
    return fix_kind(f, s) == LW_NODE_ASSIGN && lw_tree_get(f->t, s, LW_ROLE_VALUE) == made &&
           lw_str_eq(fix_name(f, lw_tree_get(f->t, s, LW_ROLE_TARGETS)), fix_name(f, callee));
}

void fix_remove_activation(struct fix *f, uint32_t node, const struct ck_object *layer,
                           struct lw_str name)
{
    uint32_t made = fix_made_at(f, layer);
    uint32_t given = fix_argument(f, made, "activation", -1);
    if (given != LW_NO_NODE) {
        fix_remove_argument(f, made, given);
    } else if (made != LW_NO_NODE && is_activation(fix_callee_name(f, made), name) &&
               fix_is_layer_item(f, made)) {
        fix_remove_item(f, lw_tree_parent(f->t, made), made);
    } else if (made != LW_NO_NODE && fix_add_statement(f, made) != LW_NO_NODE) {
        fix_remove_statement(f, fix_add_statement(f, made));
    } else if (fix_is_call(f, node)) {
        bool own = is_activation(fix_callee_name(f, node), name);
        bool made_here = made != LW_NO_NODE && is_activation(fix_callee_name(f, made), name) &&
                         is_called(f, node, made);
        uint32_t first = fix_argument(f, node, NULL, 0), owner = syntax_owner(f->t, node);
        if (!own && !made_here)
            return;
        bool method = own && !made_here && owner != LW_NO_NODE && !fix_is_module(f, owner);
        uint32_t inner = operand(f, node, method);
        if (method && first != LW_NO_NODE && fix_kind(f, first) != LW_NODE_NUMBER &&
            fix_kind(f, first) != LW_NODE_UNARY_OP)
            return;
        if (inner != LW_NO_NODE)
            unapply(f, node, inner);
    }
}

/* ---- another activation ---------------------------------------------------------------------
 */

uint32_t fix_activation_string(const struct fix *f, uint32_t call, struct lw_str was)
{
    uint32_t given = fix_argument(f, call, "activation", -1);
    if (given == LW_NO_NODE && lw_str_eq(fix_callee_name(f, call), LW_S("Activation")))
        given = fix_argument(f, call, NULL, 0);
    return given != LW_NO_NODE && fix_is_string(f, given, was) ? given : LW_NO_NODE;
}

uint32_t fix_layer_call(const struct fix *f)
{
    uint32_t made = fix_made_at(f, f->hint->object);
    if (made != LW_NO_NODE)
        return made;
    /* Dense(3)(x) */
    uint32_t callee = fix_callee(f, f->node);
    return fix_is_call(f, callee) ? callee : f->node;
}

void fix_swap_activation(struct fix *f, uint32_t call, struct lw_str was, struct lw_str is)
{
    uint32_t given = fix_activation_string(f, call, was);
    if (given == LW_NO_NODE)
        return;
    fix_say(f, "use the activation '%.*s'", LW_F(is));
    fix_quoted(f, given, is);
}

void fix_swap_function(struct fix *f, uint32_t call, const char *was, const char *is)
{
    static const char *const axes[] = {"dim", "axis"};
    uint32_t callee = fix_callee(f, call), second = fix_argument(f, call, NULL, 1);
    if (fix_kind(f, callee) != LW_NODE_ATTRIBUTE || !text_is(fix_name(f, callee), was) ||
        !fix_is_module(f, syntax_owner(f->t, call)))
        return;
    fix_say(f, "use %s", is);
    fix_token(f, lw_tree_name_token(f->t, callee), lw_str(is));
    for (size_t i = 0; i < 2; i++) {
        uint32_t axis = fix_argument(f, call, axes[i], -1);
        if (axis != LW_NO_NODE)
            fix_remove_argument(f, call, axis);
    }
    if (second != LW_NO_NODE)
        fix_remove_argument(f, call, second);
}

uint32_t fix_only_call(const struct fix *f, const char *name)
{
    uint32_t found = LW_NO_NODE;
    const struct lw_tree *t = f->t;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (!fix_is_call(f, n) || !text_is(fix_callee_name(f, n), name))
            continue;
        if (found != LW_NO_NODE)
            return LW_NO_NODE;
        found = n;
    }
    return found;
}

uint32_t fix_only_string(const struct fix *f, const char *content)
{
    uint32_t found = LW_NO_NODE;
    const struct lw_tree *t = f->t;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (!fix_is_string(f, n, lw_str(content)))
            continue;
        if (found != LW_NO_NODE)
            return LW_NO_NODE;
        found = n;
    }
    return found;
}

void fix_swap_loss(struct fix *f, const char *was, const char *is)
{
    uint32_t loss = fix_only_string(f, was);
    if (loss == LW_NO_NODE)
        return;
    fix_say(f, "use the loss '%s'", is);
    fix_quoted(f, loss, lw_str(is));
}

/* ---- arguments of layers --------------------------------------------------------------------
 */

void fix_drop_argument(struct fix *f, const char *name)
{
    uint32_t call = fix_layer_call(f), given = fix_argument(f, call, name, -1);
    if (given == LW_NO_NODE)
        return;
    fix_say(f, "remove %s=%.*s", name, LW_F(fix_text(f, given)));
    fix_remove_argument(f, call, given);
}
