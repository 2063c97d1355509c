/* Makers for shapes: sizes, axes and elements of tensors. */
#include "base/str.h"
#include "check/fix/fix.h"
#include "check/query/look.h"

/* A recurrent layer behind a recurrent layer of Keras that gives its last step only. */
static void make_sequences(struct fix *f)
{
    const struct lw_tensor *x = fix_cause(f, 0);
    const struct lw_api *api = f->hint->api;
    const struct ck_origin *o = x ? ck_origin_of(f->c, f->causes[0]) : NULL;
    if (!o || !o->layer || !o->layer->api || x->shape.n != 2 || !api ||
        !text_is(lw_api_fact(api, "role"), "recurrent") ||
        !text_is(lw_api_fact(o->layer->api, "role"), "recurrent") ||
        !lw_str_has_prefix(o->layer->api->name, LW_S("keras.")) || o->layer->file != f->file ||
        !fix_is_call(f, o->layer->node))
        return;
    uint32_t made = o->layer->node;
    if (fix_is_call(f, fix_argument(f, made, "layer", 0))) /* Bidirectional(LSTM(8)) */
        made = fix_argument(f, made, "layer", 0);
    fix_say(f, "let the layer before give all steps");
    fix_set_argument(f, made, "return_sequences", "True");
}

/* loss.data[0], loss[0] of a value without axes: loss.item() */
static void make_item(struct fix *f)
{
    const struct lw_tensor *x = fix_cause(f, 0);
    uint32_t value = fix_kind(f, f->node) == LW_NODE_SUBSCRIPT
                         ? lw_tree_get(f->t, f->node, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    if (!x || x->shape.n != 0 || x->framework != LW_TORCH || value == LW_NO_NODE ||
        !text_is(fix_text(f, lw_tree_get(f->t, f->node, LW_ROLE_SLICE)), "0"))
        return;
    if (fix_kind(f, value) == LW_NODE_ATTRIBUTE && text_is(fix_name(f, value), "data"))
        value = lw_tree_get(f->t, value, LW_ROLE_VALUE);
    fix_say(f, "take the number with item()");
    fix_replace(f, lw_tree_end(f->t, value), lw_tree_end(f->t, f->node), LW_S(".item()"));
}

/* backward() of many losses: of their mean. */
static void make_mean(struct fix *f)
{
    uint32_t owner = syntax_owner(f->t, f->node);
    if (owner == LW_NO_NODE || fix_argument(f, f->node, NULL, 0) != LW_NO_NODE)
        return;
    fix_say(f, "take the mean");
    fix_suffix(f, owner, ".mean()");
}

/* x.view(32, 64) of another number of samples: x.view(-1, 64) */
static void make_any_batch(struct fix *f)
{
    bool reshapes = text_is(fix_callee_name(f, f->node), "view") ||
                    text_is(fix_callee_name(f, f->node), "reshape");
    uint32_t owner = reshapes ? syntax_owner(f->t, f->node) : LW_NO_NODE;
    const struct lw_tensor *x = fix_cause(f, 0);
    if (owner == LW_NO_NODE || fix_is_module(f, owner) || !x || x->shape.n < 2)
        return;
    int64_t all = 1, rest = 1, n;
    for (uint32_t i = 0; i < x->shape.n; i++) {
        if (!lw_dim_is_int(f->c->dims, x->shape.d[i], &n))
            return;
        all *= n;
    }
    uint32_t first = fix_argument(f, f->node, NULL, 0), a = first;
    while ((a = lw_tree_each(f->t, f->node, LW_ROLE_ARGS, a)) != LW_NO_NODE) {
        if (!ck_int_of(f->c, ck_eval(f->c, a), &n) || n <= 0 || n > all)
            return;
        rest *= n;
    }
    if (first == LW_NO_NODE || rest <= 1 || all % rest ||
        !lw_dim_is_int(f->c->dims, x->shape.d[0], &n) || n != all / rest)
        return;
    fix_say(f, "take the number of samples as it is");
    fix_node(f, first, LW_S("-1"));
}

/* nn.Embedding(len(words), …) where numbers begin behind 0. */
static void make_rows(struct fix *f)
{
    uint32_t rows = fix_argument(f, f->node, NULL, 0);
    if (!f->hint->meant.n || !fix_is_call(f, rows) ||
        !text_is(fix_callee_name(f, rows), "len") ||
        !lw_str_eq(fix_text(f, fix_argument(f, rows, NULL, 0)), f->hint->was))
        return;
    fix_say(f, "make room for all numbers");
    fix_insert(f, lw_tree_end(f->t, rows), f->hint->meant);
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
    fix_say(f, "write ~ for not");
    fix_replace(f, lw_tree_start(f->t, f->node), end, LW_S("~"));
}

/* abs(a - b) of unsigned numbers. */
static void make_signed(struct fix *f)
{
    const struct lw_tensor *x = fix_cause(f, 0);
    uint32_t owner = syntax_owner(f->t, f->node);
    uint32_t minus = owner != LW_NO_NODE && !fix_is_module(f, owner)
                         ? owner
                         : fix_argument(f, f->node, NULL, 0);
    if (!x || fix_kind(f, minus) != LW_NODE_BIN_OP ||
        lw_tree_node(f->t, minus)->op != LW_OP_SUB)
        return;
    fix_say(f, "convert to a signed type first");
    fix_suffix(f, lw_tree_get(f->t, minus, LW_ROLE_LEFT),
               x->framework == LW_TORCH ? ".int()" : ".astype(int)");
}

/* data.to(device)[part] -> data[part].to(device) */
static void make_part_first(struct fix *f)
{
    uint32_t up = lw_tree_parent(f->t, f->node), owner = syntax_owner(f->t, f->node);
    if (fix_kind(f, up) != LW_NODE_SUBSCRIPT || owner == LW_NO_NODE)
        return;
    uint32_t end = lw_tree_end(f->t, f->node);
    struct lw_str part = lw_str_part(f->t->lexed.text, end, lw_tree_end(f->t, up) - end);
    fix_say(f, "take the part first");
    fix_insert(f, lw_tree_end(f->t, owner), part);
    fix_replace(f, end, lw_tree_end(f->t, up), LW_S(""));
}

/* f(axis, values) -> f(values, axis) */
static void make_swapped(struct fix *f)
{
    uint32_t a = fix_argument(f, f->node, NULL, 0), b = fix_argument(f, f->node, NULL, 1);
    if (b == LW_NO_NODE || !f->hint->problem || !text_is(fix_callee_name(f, f->node), "concat"))
        return;
    fix_say(f, "give the tensors first, then the axis");
    fix_node(f, a, fix_text(f, b));
    fix_node(f, b, fix_text(f, a));
}

/* shuffle(x), shuffle(y) -> one order for both */
static void make_one_order(struct fix *f)
{
    uint32_t own = lw_tree_statement(f->t, f->node), before = fix_neighbour(f, own, false);
    uint32_t first = fix_kind(f, before) == LW_NODE_EXPR
                         ? lw_tree_get(f->t, before, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    struct lw_str x = fix_text(f, fix_argument(f, first, NULL, 0));
    struct lw_str y = fix_text(f, fix_argument(f, f->node, NULL, 0));
    uint32_t owner = syntax_owner(f->t, f->node);
    if (!x.n || !y.n || fix_kind(f, own) != LW_NODE_EXPR ||
        lw_tree_get(f->t, own, LW_ROLE_VALUE) != f->node ||
        !lw_str_eq(fix_text(f, fix_callee(f, first)), fix_text(f, fix_callee(f, f->node))) ||
        !text_is(fix_callee_name(f, f->node), "shuffle") ||
        fix_variable(f, x).kind != LW_V_TENSOR || fix_variable(f, y).kind != LW_V_TENSOR ||
        fix_variable(f, LW_S("order")).kind != LW_V_ABSENT || fix_text(f, owner).n == 0 ||
        text_is(fix_text(f, owner), "random"))
        return;
    fix_say(f, "shuffle both in one order");
    fix_node(f, before,
             ck_text(f->c, "order = %.*s.permutation(len(%.*s))", LW_F(fix_text(f, owner)),
                     LW_F(x)));
    fix_node(f, own,
             ck_text(f->c, "%.*s, %.*s = %.*s[order], %.*s[order]", LW_F(x), LW_F(y), LW_F(x),
                     LW_F(y)));
}

/* for … in pairs: of an iterator that is used up: a list of it. */
static void make_list(struct fix *f)
{
    static const char *const once[] = {"zip", "map", "filter", "enumerate", "reversed"};
    struct lw_str name = fix_text(f, f->node);
    uint32_t found = LW_NO_NODE;
    const struct lw_tree *t = f->t;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (fix_kind(f, n) != LW_NODE_ASSIGN ||
            !lw_str_eq(fix_text(f, lw_tree_get(t, n, LW_ROLE_TARGETS)), name))
            continue;
        if (found != LW_NO_NODE)
            return;
        found = lw_tree_get(t, n, LW_ROLE_VALUE);
    }
    if (fix_kind(f, found) != LW_NODE_GENERATOR &&
        !text_is_any(fix_callee_name(f, found), once, sizeof once / sizeof *once))
        return;
    fix_say(f, "keep the items in a list");
    bool enclosed = lw_str_has_prefix(fix_text(f, found), LW_S("("));
    fix_insert(f, lw_tree_start(t, found), enclosed ? LW_S("list") : LW_S("list("));
    if (!enclosed)
        fix_insert(f, lw_tree_end(t, found), LW_S(")"));
}

/* self.x.grad adds up: it begins anew before backward(). */
static void make_fresh_gradient(struct fix *f)
{
    if (!f->hint->was.n || lw_str_find_char(f->hint->was, '\n') >= 0)
        return;
    fix_say(f, "set %.*s back before", LW_F(f->hint->was));
    fix_line_before(f, lw_tree_statement(f->t, f->node),
                    ck_text(f->c, "%.*s = None", LW_F(f->hint->was)));
}

const struct fix_rule fix_rules_shape[] = {
    {"api/argument-order", make_swapped},
    {"api/gradient-adds-up", make_fresh_gradient},
    {"data/iterator-exhausted", make_list},
    {"data/shuffled-apart", make_one_order},
    {"performance/convert-all", make_part_first},
    {"shape/backward-scalar", make_mean},
    {"shape/embedding-range", make_rows},
    {"shape/index", make_item},
    {"shape/layer-input-rank", make_sequences},
    {"shape/reshape-elements", make_any_batch},
    {"type/bool-arithmetic", make_not},
    {"type/unsigned-difference", make_signed},
    {NULL, NULL},
};
