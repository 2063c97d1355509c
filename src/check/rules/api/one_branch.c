/*
 * Rules about local names that only one branch of an `if` gives a value: read behind it they
 * are unbound, or still None.
 */
#include "base/str.h"
#include "check/query/bindings.h"
#include "check/query/look.h"
#include "check/query/trace.h"
#include "check/rules/rules.h"

enum { MOST_BINDINGS = 12, MOST_LOOKS = 64, MOST_USES = 12 /* of one name */ };

struct search {
    struct ck *c;
    struct ck_file *f;
    const struct lw_tree *t;
    uint32_t function;
};

/* ---- branches -----------------------------------------------------------------------------
 */

/* The `if` without `else` whose body the node stands in directly, not in a loop inside of it;
 * LW_NO_NODE: it is none. */
static uint32_t lone_if(const struct search *s, uint32_t node)
{
    for (uint32_t n = node, up = lw_tree_parent(s->t, n); up != LW_NO_NODE;
         n = up, up = lw_tree_parent(s->t, n))
        switch (lw_tree_kind(s->t, up)) {
        case LW_NODE_IF:
            return lw_tree_node(s->t, n)->role == LW_ROLE_BODY &&
                           lw_tree_get(s->t, up, LW_ROLE_ORELSE) == LW_NO_NODE
                       ? up
                       : LW_NO_NODE;
        case LW_NODE_FUNCTION:
        case LW_NODE_FOR:
        case LW_NODE_WHILE:
        case LW_NODE_TRY:
        case LW_NODE_ELIF:
        case LW_NODE_MATCH: return LW_NO_NODE;
        default: break;
        }
    return LW_NO_NODE;
}

/* The flag that the test asks: flag, not flag, self.flag, flag is None; LW_NO_NODE: another
 * test.
 */
static uint32_t flag_of(const struct lw_tree *t, uint32_t test)
{
    if (lw_tree_kind(t, test) == LW_NODE_UNARY_OP)
        test = lw_tree_get(t, test, LW_ROLE_OPERAND);
    if (lw_tree_kind(t, test) == LW_NODE_COMPARE && lw_tree_node(t, test)->count == 3 &&
        text_is(lw_tree_text(t, lw_tree_node(t, test)->child + 2), "None"))
        test = lw_tree_node(t, test)->child;
    return lw_tree_kind(t, test) == LW_NODE_NAME || lw_tree_kind(t, test) == LW_NODE_ATTRIBUTE
               ? test
               : LW_NO_NODE;
}

/* Is the flag a setting of the object, or an argument of the function that nothing else sets?
 */
static bool is_given_flag(const struct search *s, uint32_t flag)
{
    if (syntax_is_of_self(s->t, flag))
        return true;
    uint32_t id =
        lw_tree_kind(s->t, flag) == LW_NODE_NAME ? s->f->names.symbol_of.v[flag] : LW_NO_SYMBOL;
    if (id == LW_NO_SYMBOL)
        return false;
    const struct lw_symbol *symbol = &s->f->names.symbols.v[id];
    return symbol->first_binding == symbol->last_binding &&
           s->f->names.bindings.v[symbol->first_binding].kind == LW_BIND_PARAM;
}

/* ---- uses ---------------------------------------------------------------------------------
 */

/* Does a test around the use ask one of the names that the `if` asks? */
static bool is_guarded_as(const struct search *s, uint32_t use, uint32_t condition)
{
    uint32_t test = lw_tree_get(s->t, condition, LW_ROLE_TEST);
    for (uint32_t n = test; n != LW_NO_NODE; n = lw_tree_next(s->t, test, n, false))
        if ((lw_tree_kind(s->t, n) == LW_NODE_NAME ||
             lw_tree_kind(s->t, n) == LW_NODE_ATTRIBUTE) &&
            trace_is_guarded(s->t, use, s->function, lw_tree_text(s->t, n)))
            return true;
    return false;
}

/* Is it in a function inside, which may be called at another time? */
static bool is_inner(const struct search *s, uint32_t node)
{
    return lw_tree_enclosing(s->t, node, LW_NODE_FUNCTION) != s->function ||
           lw_tree_enclosing(s->t, node, LW_NODE_LAMBDA) != LW_NO_NODE;
}

/* x.a, x(…), x[…]: what None does not have. */
static bool needs_object(const struct lw_tree *t, uint32_t use)
{
    uint32_t up = lw_tree_parent(t, use);
    enum lw_role role = (enum lw_role)lw_tree_node(t, use)->role;
    switch (lw_tree_kind(t, up)) {
    case LW_NODE_ATTRIBUTE:
    case LW_NODE_SUBSCRIPT: return role == LW_ROLE_VALUE;
    case LW_NODE_CALL: return role == LW_ROLE_FUNC;
    default: return false;
    }
}

/* ---- names --------------------------------------------------------------------------------
 */

/* What is known of the bindings of a name. */
struct given {
    uint32_t condition; /* the `if` of all that are not None */
    bool none;          /* it is None before */
};

/* All bindings stand in one `if`, but for one to None before it. */
static bool read_bindings(const struct search *s, const struct lw_symbol *symbol,
                          struct given *out)
{
    unsigned count = 0;
    *out = (struct given){LW_NO_NODE, false};
    for (uint32_t i = symbol->first_binding; i != LW_NO_SYMBOL;
         i = s->f->names.bindings.v[i].next) {
        const struct lw_binding *b = &s->f->names.bindings.v[i];
        uint32_t st = lw_tree_statement(s->t, b->node);
        if (++count > MOST_BINDINGS || b->kind != LW_BIND_ASSIGN ||
            lw_tree_kind(s->t, st) != LW_NODE_ASSIGN)
            return false;
        if (i == symbol->first_binding && lw_tree_parent(s->t, st) == s->function &&
            text_is(lw_tree_text(s->t, lw_tree_get(s->t, st, LW_ROLE_VALUE)), "None")) {
            out->none = true;
            continue;
        }
        uint32_t condition = lone_if(s, b->node);
        if (condition == LW_NO_NODE ||
            (out->condition != LW_NO_NODE && out->condition != condition))
            return false;
        out->condition = condition;
    }
    return out->condition != LW_NO_NODE;
}

static void look_at_symbol(struct search *s, uint32_t id)
{
    const struct lw_symbol *symbol = &s->f->names.symbols.v[id];
    struct given given;
    if ((symbol->flags & (LW_SYMBOL_GLOBAL | LW_SYMBOL_NONLOCAL)) ||
        !(symbol->flags & LW_SYMBOL_USED) || !read_bindings(s, symbol, &given) ||
        !look_again(s->c, look_at_symbol, MOST_LOOKS))
        return;
    uint32_t test = lw_tree_get(s->t, given.condition, LW_ROLE_TEST);
    /* `if x is None: x = …` is the first pass of a loop, or makes up for None */
    if (given.none ? syntax_has_name(s->t, test, symbol->name) ||
                         syntax_loop_around(s->t, given.condition) != LW_NO_NODE
                   : !is_given_flag(s, flag_of(s->t, test)))
        return;
    for (uint32_t use = trace_next_use(s->f, s->function, given.condition, id), seen = 0;
         use != LW_NO_NODE; use = trace_next_use(s->f, s->function, use, id)) {
        if (syntax_inside(s->t, use, given.condition))
            continue;
        if (++seen > MOST_USES)
            return;
        if (is_inner(s, use) ||
            lw_tree_kind(s->t, lw_tree_statement(s->t, use)) == LW_NODE_DELETE)
            return;
        if ((given.none && !needs_object(s->t, use)) ||
            is_guarded_as(s, use, given.condition) ||
            trace_is_guarded(s->t, use, s->function, symbol->name) ||
            bindings_excuse(s->c, s->f, use))
            continue;
        if (given.none)
            ck_find_at(s->c, s->f, use, "api/maybe-none", NULL, 0,
                       "'%.*s' is None unless the condition of line %u holds: test it here, or "
                       "give it a value on the other way",
                       LW_F(symbol->name),
                       ck_file_place(s->f, given.condition) & CK_PLACE_LINE);
        else
            ck_find_at(s->c, s->f, use, "api/maybe-unbound", NULL, 0,
                       "'%.*s' is assigned only if the condition of line %u holds, and read "
                       "here in any case: assign it on the other way, too",
                       LW_F(symbol->name),
                       ck_file_place(s->f, given.condition) & CK_PLACE_LINE);
        return;
    }
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    struct ck_file *f = c->files.v[0];
    struct search s = {.c = c, .f = f, .t = &f->tree};
    if (f->tree.lexed.errors.n)
        return;
    for (uint32_t i = 0; i < f->names.scopes.n; i++) {
        if (f->names.scopes.v[i].kind != LW_SCOPE_FUNCTION)
            continue;
        s.function = f->names.scopes.v[i].node;
        for (uint32_t id = f->names.scopes.v[i].first_symbol; id != LW_NO_SYMBOL;
             id = f->names.symbols.v[id].next)
            look_at_symbol(&s, id);
    }
}

const struct ck_rule rules_api_one_branch[] = {
    {"api/maybe-none api/maybe-unbound", CK_EV_END, watch_end},
    {0},
};
