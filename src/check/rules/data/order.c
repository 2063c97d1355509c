/* Rules about the order in which data comes: shuffled apart, not shuffled, or used up. */
#include "base/str.h"
#include "check/engine/traits.h"
#include "check/query/look.h"
#include "check/query/roles.h"
#include "check/rules/rules.h"

/* ---- data that is shuffled ----------------------------------------------------------------
 */

enum { MAX_SHUFFLED = 8 };

/* Names of the arrays that were shuffled in place one after another. */
struct shuffled {
    struct lw_str names[MAX_SHUFFLED];
    uint32_t nodes[MAX_SHUFFLED];
    struct ck_file *file;
    size_t n;
};

static const char shuffled_key;

/* shuffle(x); shuffle(y): the labels belong to other samples now, unless the generator was set
 * back in between. */
static void watch_shuffle(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct shuffled *s = ck_state(c, &shuffled_key, sizeof *s);
    struct lw_str tail = text_tail(e->call->name);
    if (!s || !c->frame)
        return;
    if (text_is(tail, "seed") || text_is(tail, "set_state")) {
        s->n = 0;
        return;
    }
    if (!text_is(tail, "shuffle") || e->call->n != 1 || e->call->args[0].node == LW_NO_NODE ||
        lw_tree_kind(t, e->call->args[0].node) != LW_NODE_NAME)
        return;
    struct lw_str name = lw_tree_name(t, e->call->args[0].node);
    uint32_t block = lw_tree_parent(t, lw_tree_statement(t, e->node));
    for (size_t i = 0; i < s->n && s->file == c->frame->file; i++)
        if (!lw_str_eq(s->names[i], name) &&
            lw_tree_parent(t, lw_tree_statement(t, s->nodes[i])) == block &&
            role_is_named(c, name, ROLE_LABEL) != role_is_named(c, s->names[i], ROLE_LABEL)) {
            ck_find(c, e->node, "data/shuffled-apart", NULL, 0,
                    "'%.*s' and '%.*s' are shuffled separately, so the labels no longer match "
                    "their samples: draw one permutation and index both with it",
                    LW_F(s->names[i]), LW_F(name));
            return;
        }
    if (s->n >= MAX_SHUFFLED || s->file != c->frame->file)
        s->n = 0;
    s->file = c->frame->file;
    s->names[s->n] = name;
    s->nodes[s->n++] = e->node;
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
    fix_say(f, "shuffle both with one permutation");
    fix_node(f, before,
             ck_text(f->c, "order = %.*s.permutation(len(%.*s))", LW_F(fix_text(f, owner)),
                     LW_F(x)));
    fix_node(f, own,
             ck_text(f->c, "%.*s, %.*s = %.*s[order], %.*s[order]", LW_F(x), LW_F(y), LW_F(x),
                     LW_F(y)));
}

/* ---- iterators that are used up -----------------------------------------------------------
 */

static bool is_assigned_in(const struct lw_tree *t, uint32_t top, struct lw_str name)
{
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
            lw_str_find(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), name) != LW_NPOS)
            return true;
    return false;
}

static bool has_break(const struct lw_tree *t, uint32_t loop)
{
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_BREAK || lw_tree_kind(t, n) == LW_NODE_RETURN)
            return true;
    return false;
}

/* A generator that was made before the outer loop: its second pass finds nothing. */
static void watch_iterator(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct ck_object *o = ck_as(e->a, CK_LIST);
    bool once = o && ck_trait(o, TRAIT_ONCE).kind == LW_V_BOOL;
    uint32_t over = e->flag && once && lw_tree_kind(t, e->node) == LW_NODE_FOR
                        ? lw_tree_get(t, e->node, LW_ROLE_ITER)
                        : LW_NO_NODE;
    uint32_t outer = over == LW_NO_NODE ? over : syntax_loop_around(t, e->node);
    if (outer == LW_NO_NODE || lw_tree_kind(t, over) != LW_NODE_NAME || has_break(t, e->node) ||
        is_assigned_in(t, outer, lw_tree_name(t, over)) ||
        syntax_has_name(t, lw_tree_get(t, outer, LW_ROLE_TARGET), lw_tree_name(t, over)))
        return;
    ck_find(
        c, over, "data/iterator-exhausted", NULL, 0,
        "'%.*s' is a generator that the first iteration of the outer loop exhausts, so all "
        "later iterations see no data: make it a list, or create a new one in each iteration",
        LW_F(lw_tree_name(t, over)));
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
    fix_say(f, "convert it to a list");
    bool enclosed = lw_str_has_prefix(fix_text(f, found), LW_S("("));
    fix_insert(f, lw_tree_start(t, found), enclosed ? LW_S("list") : LW_S("list("));
    if (!enclosed)
        fix_insert(f, lw_tree_end(t, found), LW_S(")"));
}

const struct ck_rule rules_data_order[] = {
    {"data/shuffled-apart", CK_EV_CALL, watch_shuffle, make_one_order,
     .calls = ".seed .set_state .shuffle"},
    {"data/iterator-exhausted", CK_EV_LOOP, watch_iterator, make_list},
    {0},
};
