/* Statements of training loops. */
#include "base/str.h"
#include "check/fix/fix.h"
#include "check/query/look.h"

uint32_t fix_statement(const struct fix *f, uint32_t node)
{
    return node == LW_NO_NODE ? LW_NO_NODE : lw_tree_statement(f->t, node);
}

uint32_t fix_outer_loop(const struct fix *f, uint32_t node)
{
    uint32_t loop = syntax_loop_around(f->t, node), up = loop;
    while (up != LW_NO_NODE) {
        loop = up;
        up = syntax_loop_around(f->t, loop);
    }
    return loop;
}

uint32_t fix_in_block_of(const struct fix *f, uint32_t node, uint32_t beside)
{
    uint32_t block = lw_tree_parent(f->t, beside);
    while (node != LW_NO_NODE && lw_tree_parent(f->t, node) != block)
        node = lw_tree_parent(f->t, node);
    return node != LW_NO_NODE &&
                   lw_tree_node(f->t, node)->role == lw_tree_node(f->t, beside)->role
               ? node
               : LW_NO_NODE;
}

struct lw_str fix_owner_of_call(const struct fix *f, uint32_t node, const char *name)
{
    uint32_t top = fix_outer_loop(f, node);
    if (top == LW_NO_NODE)
        return (struct lw_str){0};
    for (uint32_t call = syntax_method_call(f->t, top, name); call != LW_NO_NODE;
         call = syntax_next_call(f->t, top, call, name)) {
        struct lw_str owner = fix_text(f, syntax_owner(f->t, call));
        if (lw_str_find(owner, LW_S("sched")) < 0 && lw_str_find(owner, LW_S("scaler")) < 0 &&
            lw_str_find_char(owner, '\n') < 0)
            return owner;
    }
    return (struct lw_str){0};
}

void fix_once_before_loop(struct fix *f)
{
    uint32_t own = fix_statement(f, f->node), loop = fix_outer_loop(f, f->node);
    if (loop == LW_NO_NODE || fix_kind(f, own) != LW_NODE_EXPR ||
        fix_kind(f, lw_tree_parent(f->t, own)) == LW_NODE_IF)
        return;
    fix_say(f, "move it before the loop");
    fix_move_before(f, own, loop);
}

void fix_without_gradients(struct fix *f, uint32_t statement)
{
    struct lw_str name = fix_spell(f, LW_S("torch.no_grad"));
    if (!name.n)
        return;
    fix_say(f, "wrap it in 'with %.*s():'", LW_F(name));
    fix_enclose(f, statement, statement, ck_text(f->c, "with %.*s():", LW_F(name)));
}
