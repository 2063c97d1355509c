/* Fixes of what the tables of data/api find wrong with the types of a call or operator. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

static void make_float(struct fix *f)
{
    if (f->cause_count && fix_is_torch(f->causes[0]))
        fix_convert(f, fix_problem_value(f), ".float()");
}

static void make_bool(struct fix *f)
{
    if (f->cause_count && fix_is_torch(f->causes[0]))
        fix_convert(f, fix_problem_value(f), ".bool()");
}

static void make_on_cpu(struct fix *f)
{
    uint32_t owner = syntax_owner(f->t, f->node);
    if (owner == LW_NO_NODE)
        return;
    fix_say(f, "call cpu() first");
    fix_suffix(f, owner, ".cpu()");
}

/* The target of a loss, in the type that the loss takes. */
static void make_target_type(struct fix *f)
{
    const struct lw_api *api = f->hint->api;
    bool index = api && lw_str_eq(lw_api_fact(api, "target"), LW_S("index"));
    uint32_t target = fix_argument(f, f->node, "target", 1);
    if (target != LW_NO_NODE && api && api->framework == LW_TORCH)
        fix_convert(f, target, index ? ".long()" : ".float()");
}

/* 1 - mask -> ~mask */
static void make_not(struct fix *f)
{
    uint32_t left = fix_kind(f, f->node) == LW_NODE_BIN_OP
                        ? lw_tree_get(f->t, f->node, LW_ROLE_LEFT)
                        : LW_NO_NODE;
    uint32_t right =
        left == LW_NO_NODE ? LW_NO_NODE : lw_tree_get(f->t, f->node, LW_ROLE_RIGHT);
    enum lw_node_kind kind = fix_kind(f, right);
    if (right == LW_NO_NODE || !text_is(fix_text(f, left), "1") ||
        (kind != LW_NODE_NAME && kind != LW_NODE_ATTRIBUTE && kind != LW_NODE_CALL &&
         kind != LW_NODE_SUBSCRIPT && !(lw_tree_node(f->t, right)->flags & LW_NODE_PAREN)))
        return;
    uint32_t end = lw_tree_start(f->t, right);
    if (lw_tree_node(f->t, right)->flags & LW_NODE_PAREN)
        end = f->t->lexed.tokens.v[lw_tree_node(f->t, right)->first - 1].start;
    fix_say(f, "invert the mask with ~");
    fix_replace(f, lw_tree_start(f->t, f->node), end, LW_S("~"));
}

const struct ck_rule rules_type_table_fixes[] = {
    {"type/embedding-index", .fix = fix_to_integers},
    {"type/loss-input-dtype", .fix = make_float},
    {"type/mean-of-int", .fix = make_float},
    {"type/mask-dtype", .fix = make_bool},
    {"type/numpy-of-cuda", .fix = make_on_cpu},
    {"type/target-dtype", .fix = make_target_type},
    {"type/bool-arithmetic", .fix = make_not},
    {0},
};
