/* Edits of values: what is computed, converted, or kept from leaving its domain. */
#include "base/err.h"
#include "base/str.h"
#include "check/fix/fix.h"
#include "check/query/look.h"

/* ---- what a finding is about ----------------------------------------------------------------
 */

const struct lw_tensor *fix_cause(const struct fix *f, size_t i)
{
    LW_BUG_ON(f->cause_count && !f->causes);
    const struct lw_tensor *t = i < f->cause_count ? ck_tensor_of(f->causes[i]) : NULL;
    return t && lw_shape_has_rank(&t->shape) ? t : NULL;
}

bool fix_size_at(struct fix *f, const struct lw_tensor *t, uint32_t axis, int64_t *n)
{
    return axis < t->shape.n && lw_dim_is_int(f->c->dims, t->shape.d[axis], n) && *n > 0;
}

/* ---- values ---------------------------------------------------------------------------------
 */

uint32_t fix_operand(struct fix *f, uint32_t call)
{
    uint32_t owner = syntax_owner(f->t, call);
    if (owner != LW_NO_NODE && !fix_is_module(f, owner))
        return owner;
    return fix_argument(f, call, NULL, 0);
}

struct lw_value fix_subject(const struct fix *f, size_t otherwise)
{
    if (f->cause_count)
        return f->causes[f->cause_count - 1];
    return otherwise < f->hint->arg_count ? f->hint->args[otherwise].value : lw_v_absent();
}

void fix_add_epsilon(struct fix *f, uint32_t node, bool tight, const char *epsilon)
{
    LW_BUG_ON(!epsilon);
    enum lw_node_kind kind = fix_kind(f, node);
    bool loose = kind == LW_NODE_IF_EXP || kind == LW_NODE_LAMBDA || kind == LW_NODE_COMPARE ||
                 kind == LW_NODE_BOOL_OP;
    fix_say(f, "add a small epsilon");
    if (loose)
        f->failed = true;
    else if (tight && kind != LW_NODE_NUMBER &&
             !(lw_tree_node(f->t, node)->flags & LW_NODE_PAREN))
        fix_around(f, node, "(", ck_text(f->c, "%s)", epsilon).p);
    else if (lw_tree_node(f->t, node)->flags & LW_NODE_PAREN)
        fix_insert(f, lw_tree_end(f->t, node), lw_str(epsilon));
    else
        fix_around(f, node, "", epsilon);
}

void fix_add_epsilon_to(struct fix *f, uint32_t call, const char *epsilon)
{
    uint32_t x = fix_operand(f, call);
    if (x != LW_NO_NODE)
        fix_add_epsilon(f, x, syntax_owner(f->t, call) == x, epsilon);
}

bool fix_is_torch(struct lw_value v)
{
    const struct lw_tensor *t = ck_tensor_of(v);
    return t && t->framework == LW_TORCH;
}

void fix_convert(struct fix *f, uint32_t node, const char *how)
{
    LW_BUG_ON(!how);
    if (node == LW_NO_NODE || (how[1] != 'a' && !ck_shows(f->c, "name *torch*")))
        return; /* only astype() is not of PyTorch */
    fix_say(f, "convert it with %s", how + 1);
    fix_suffix(f, node, how);
}

void fix_to_integers(struct fix *f)
{
    const struct lw_tensor *t = f->cause_count ? ck_tensor_of(f->causes[0]) : NULL;
    if (t && t->framework == LW_TORCH)
        fix_convert(f, fix_problem_value(f), ".long()");
    else if (t && t->framework == LW_NUMPY && f->hint->api &&
             f->hint->api->framework == LW_NUMPY)
        fix_convert(f, fix_problem_value(f), ".astype(int)");
}

void fix_add_number(struct fix *f)
{
    uint32_t value = fix_kind(f, f->node) == LW_NODE_AUG_ASSIGN
                         ? lw_tree_get(f->t, f->node, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    if (value == LW_NO_NODE)
        return;
    fix_say(f, "add %.*s.item()", LW_F(fix_text(f, value)));
    fix_suffix(f, value, ".item()");
}

void fix_new_value(struct fix *f)
{
    uint32_t own = fix_statement(f, f->node);
    uint32_t target = fix_kind(f, own) == LW_NODE_AUG_ASSIGN
                          ? lw_tree_get(f->t, own, LW_ROLE_TARGET)
                          : LW_NO_NODE;
    uint32_t value = target == LW_NO_NODE ? LW_NO_NODE : lw_tree_get(f->t, own, LW_ROLE_VALUE);
    if (value == LW_NO_NODE ||
        (fix_kind(f, target) != LW_NODE_NAME && fix_kind(f, target) != LW_NODE_ATTRIBUTE))
        return;
    struct lw_str name = fix_text(f, target);
    enum lw_op op = (enum lw_op)lw_tree_node(f->t, own)->op;
    bool simple = fix_kind(f, value) == LW_NODE_NAME || fix_kind(f, value) == LW_NODE_NUMBER ||
                  fix_is_call(f, value) || fix_kind(f, value) == LW_NODE_ATTRIBUTE ||
                  fix_kind(f, value) == LW_NODE_SUBSCRIPT ||
                  (lw_tree_node(f->t, value)->flags & LW_NODE_PAREN);
    fix_say(f, "create a new tensor: %.*s = %.*s %s …", LW_F(name), LW_F(name), lw_op_text(op));
    /* up to the value, without an opening parenthesis of its own */
    uint32_t token = lw_tree_node(f->t, target)->last + 1;
    fix_token(f, token, ck_text(f->c, "= %.*s %s", LW_F(name), lw_op_text(op)));
    if (!simple)
        fix_around(f, value, "(", ")");
}
