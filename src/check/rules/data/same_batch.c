/*
 * Rules about generators of batches: a loop without end that yields the same samples in each
 * pass.
 *
 * One pass of the loop is read statement by statement. A name is fixed where its value at the
 * yield is the same in each pass: it is never assigned in the loop, or it is assigned before
 * the yield in this pass from what is fixed. Calls are fixed only where they are known to give
 * the same for the same arguments. Whatever is not understood moves, and ends the matter.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

enum { MAX_NAMES = 48, MAX_NESTING = 6 };

struct pass {
    const struct lw_tree *t;
    uint32_t loop;
    struct {
        struct lw_str name;
        bool moves;
    } names[MAX_NAMES];
    size_t n;
    uint32_t yield; /* reached, with what it yields fixed */
    bool lost;      /* not understood, or it moves */
};

/* ---- names --------------------------------------------------------------------------------
 */

static void set(struct pass *p, struct lw_str name, bool moves)
{
    for (size_t i = 0; i < p->n; i++)
        if (lw_str_eq(p->names[i].name, name)) {
            p->names[i].moves = moves;
            return;
        }
    if (p->n == MAX_NAMES) {
        p->lost = true;
        return;
    }
    p->names[p->n].name = name;
    p->names[p->n++].moves = moves;
}

static uint32_t target_of(const struct lw_tree *t, uint32_t n)
{
    uint32_t target = lw_tree_get(t, n, LW_ROLE_TARGET);
    return target == LW_NO_NODE ? lw_tree_get(t, n, LW_ROLE_TARGETS) : target;
}

/* Is the name a target anywhere in the loop, also behind the yield? */
static bool is_assigned(const struct pass *p, struct lw_str name)
{
    for (uint32_t n = lw_tree_next(p->t, p->loop, p->loop, false); n != LW_NO_NODE;
         n = lw_tree_next(p->t, p->loop, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(p->t, n);
        uint32_t target = kind == LW_NODE_ASSIGN || kind == LW_NODE_AUG_ASSIGN ||
                                  kind == LW_NODE_FOR || kind == LW_NODE_NAMED
                              ? target_of(p->t, n)
                              : LW_NO_NODE;
        if (target != LW_NO_NODE && lw_tree_kind(p->t, target) != LW_NODE_SUBSCRIPT &&
            syntax_has_name(p->t, target, name))
            return true;
    }
    return false;
}

static bool name_moves(const struct pass *p, struct lw_str name)
{
    for (size_t i = 0; i < p->n; i++)
        if (lw_str_eq(p->names[i].name, name))
            return p->names[i].moves;
    return is_assigned(p, name);
}

/* ---- expressions --------------------------------------------------------------------------
 */

/* Functions and methods that give the same for the same. */
static bool is_pure(const struct lw_tree *t, uint32_t call)
{
    static const char *const names[] = {"abs",         "arange",
                                        "array",       "asarray",
                                        "astype",      "concatenate",
                                        "copy",        "empty",
                                        "expand_dims", "flatten",
                                        "float",       "hstack",
                                        "int",         "len",
                                        "list",        "max",
                                        "min",         "ones",
                                        "ravel",       "range",
                                        "reshape",     "round",
                                        "squeeze",     "stack",
                                        "swapaxes",    "to_categorical",
                                        "transpose",   "tuple",
                                        "vstack",      "zeros"};
    uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC);
    enum lw_node_kind kind = f == LW_NO_NODE ? LW_NODE_MISSING : lw_tree_kind(t, f);
    return (kind == LW_NODE_NAME || kind == LW_NODE_ATTRIBUTE) &&
           text_is_any(lw_tree_name(t, f), names, sizeof names / sizeof *names);
}

/* An attribute is fixed when nothing of its owner is called or assigned in the loop. */
static bool attribute_moves(const struct pass *p, uint32_t node)
{
    struct lw_str text = lw_tree_text(p->t, node);
    for (uint32_t n = lw_tree_next(p->t, p->loop, p->loop, false); n != LW_NO_NODE;
         n = lw_tree_next(p->t, p->loop, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(p->t, n);
        uint32_t target = kind == LW_NODE_ASSIGN || kind == LW_NODE_AUG_ASSIGN
                              ? target_of(p->t, n)
                              : LW_NO_NODE;
        if (target != LW_NO_NODE && lw_str_find(lw_tree_text(p->t, target), text) != LW_NPOS)
            return true;
    }
    return false;
}

static bool moves(const struct pass *p, uint32_t top)
{
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(p->t, top, n, false)) {
        switch (lw_tree_kind(p->t, n)) {
        case LW_NODE_NAME:
            if (name_moves(p, lw_tree_name(p->t, n)))
                return true;
            break;
        case LW_NODE_CALL:
            if (!is_pure(p->t, n))
                return true;
            break;
        case LW_NODE_ATTRIBUTE:
            if (attribute_moves(p, n))
                return true;
            break;
        case LW_NODE_YIELD:
        case LW_NODE_YIELD_FROM:
        case LW_NODE_AWAIT:
        case LW_NODE_LAMBDA:
        case LW_NODE_NAMED:
        case LW_NODE_GENERATOR: return true;
        default: break;
        }
    }
    return false;
}

/* ---- statements ---------------------------------------------------------------------------
 */

static void assign(struct pass *p, uint32_t target, bool moving)
{
    const struct lw_tree *t = p->t;
    switch (lw_tree_kind(t, target)) {
    case LW_NODE_NAME: set(p, lw_tree_name(t, target), moving); break;
    case LW_NODE_TUPLE:
    case LW_NODE_LIST:
        for (uint32_t e = lw_tree_each(t, target, LW_ROLE_ELTS, LW_NO_NODE); e != LW_NO_NODE;
             e = lw_tree_each(t, target, LW_ROLE_ELTS, e)) {
            if (lw_tree_kind(t, e) != LW_NODE_NAME)
                p->lost = true;
            else
                set(p, lw_tree_name(t, e), moving);
        }
        break;
    case LW_NODE_SUBSCRIPT: { /* the array keeps what is fixed and gets what is */
        uint32_t owner = lw_tree_get(t, target, LW_ROLE_VALUE);
        bool at = moves(p, lw_tree_get(t, target, LW_ROLE_SLICE));
        if (owner == LW_NO_NODE || lw_tree_kind(t, owner) != LW_NODE_NAME)
            p->lost = true;
        else if (moving || at || name_moves(p, lw_tree_name(t, owner)))
            set(p, lw_tree_name(t, owner), true);
        break;
    }
    default: p->lost = true; break;
    }
}

static bool contains(const struct lw_tree *t, uint32_t top, enum lw_node_kind kind)
{
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == kind)
            return true;
    return false;
}

/* f(x) for its effect: what takes part may be another one afterwards. */
static void effect(struct pass *p, uint32_t call)
{
    static const char *const adding[] = {"append", "extend"};
    const struct lw_tree *t = p->t;
    uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC);
    if (f != LW_NO_NODE && text_is(lw_tree_text(t, f), "print"))
        return;
    uint32_t owner = f == LW_NO_NODE ? f : syntax_owner(t, call);
    bool adds = owner != LW_NO_NODE && lw_tree_kind(t, owner) == LW_NODE_NAME &&
                text_is_any(lw_tree_name(t, f), adding, 2);
    bool fixed = adds && !name_moves(p, lw_tree_name(t, owner));
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a))
        fixed = fixed && !moves(p, a);
    for (uint32_t n = call; !fixed && n != LW_NO_NODE; n = lw_tree_next(t, call, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME)
            set(p, lw_tree_name(t, n), true);
}

static void read_block(struct pass *p, uint32_t parent, enum lw_role role, unsigned depth);

/* What a branch assigns is not the same in each pass unless it was fixed before. */
static void read_branches(struct pass *p, uint32_t node, unsigned depth)
{
    const struct lw_tree *t = p->t;
    bool unsure = moves(p, lw_tree_get(t, node, LW_ROLE_TEST));
    size_t before = p->n;
    read_block(p, node, LW_ROLE_BODY, depth + 1);
    read_block(p, node, LW_ROLE_ORELSE, depth + 1);
    for (size_t i = 0; i < p->n; i++)
        if (i >= before || unsure)
            p->names[i].moves =
                i >= before || p->names[i].moves || is_assigned(p, p->names[i].name);
}

static void read_statement(struct pass *p, uint32_t n, unsigned depth)
{
    const struct lw_tree *t = p->t;
    uint32_t value = lw_tree_get(t, n, LW_ROLE_VALUE);
    bool yields = contains(t, n, LW_NODE_YIELD) || contains(t, n, LW_NODE_YIELD_FROM);
    switch (lw_tree_kind(t, n)) {
    case LW_NODE_ASSIGN: {
        bool moving = yields || moves(p, value);
        for (uint32_t g = lw_tree_each(t, n, LW_ROLE_TARGETS, LW_NO_NODE); g != LW_NO_NODE;
             g = lw_tree_each(t, n, LW_ROLE_TARGETS, g))
            assign(p, g, moving);
        p->lost |= yields;
        break;
    }
    case LW_NODE_AUG_ASSIGN: {
        uint32_t target = target_of(t, n);
        assign(p, target, yields || moves(p, value) || moves(p, target));
        p->lost |= yields;
        break;
    }
    case LW_NODE_FOR:
        p->lost |= yields;
        assign(p, target_of(t, n), moves(p, lw_tree_get(t, n, LW_ROLE_ITER)));
        read_block(p, n, LW_ROLE_BODY, depth + 1);
        break;
    case LW_NODE_IF:
        p->lost |= yields || contains(t, n, LW_NODE_ELIF);
        read_branches(p, n, depth);
        break;
    case LW_NODE_EXPR:
        if (value != LW_NO_NODE && lw_tree_kind(t, value) == LW_NODE_YIELD)
            p->yield = value;
        else if (value != LW_NO_NODE && lw_tree_kind(t, value) == LW_NODE_CALL && !yields)
            effect(p, value);
        else
            p->lost |= yields;
        break;
    case LW_NODE_PASS:
    case LW_NODE_PRINT: break;
    default: p->lost = true; break;
    }
}

static void read_block(struct pass *p, uint32_t parent, enum lw_role role, unsigned depth)
{
    if (depth > MAX_NESTING)
        p->lost = true;
    for (uint32_t n = lw_tree_each(p->t, parent, role, LW_NO_NODE);
         n != LW_NO_NODE && !p->lost && p->yield == LW_NO_NODE;
         n = lw_tree_each(p->t, parent, role, n))
        read_statement(p, n, depth);
}

/* ---- what is yielded ----------------------------------------------------------------------
 */

/* Is a part of something taken: x[a:b], x[rows]? All of the data again and again may be meant.
 */
static bool takes_part(const struct lw_tree *t, uint32_t loop)
{
    for (uint32_t n = loop; n != LW_NO_NODE; n = lw_tree_next(t, loop, n, false)) {
        uint32_t index = lw_tree_kind(t, n) == LW_NODE_SUBSCRIPT
                             ? lw_tree_get(t, n, LW_ROLE_SLICE)
                             : LW_NO_NODE;
        if (index == LW_NO_NODE)
            continue;
        enum lw_node_kind kind = lw_tree_kind(t, index);
        if (kind == LW_NODE_NAME ||
            (kind == LW_NODE_SLICE && lw_tree_get(t, index, LW_ROLE_UPPER) != LW_NO_NODE))
            return true;
    }
    return false;
}

/* while True: */
static bool is_endless(const struct lw_tree *t, uint32_t loop)
{
    uint32_t test = lw_tree_get(t, loop, LW_ROLE_TEST);
    struct lw_str text = test == LW_NO_NODE ? (struct lw_str){0} : lw_tree_text(t, test);
    return text_is(text, "True") || text_is(text, "1") || text_is(text, "(True)") ||
           text_is(text, "(1)");
}

/* Inputs and targets. */
static bool is_batch(const struct lw_tree *t, uint32_t yield)
{
    uint32_t value = lw_tree_get(t, yield, LW_ROLE_VALUE);
    return value != LW_NO_NODE && lw_tree_kind(t, value) == LW_NODE_TUPLE &&
           lw_tree_count(t, value, LW_ROLE_ELTS) >= 2;
}

static void check_loop(struct ck *c, uint32_t function, uint32_t loop)
{
    const struct lw_tree *t = &c->frame->file->tree;
    static const char key;
    struct pass *p = ck_state(c, &key, sizeof *p);
    if (!p || !is_endless(t, loop) || contains(t, function, LW_NODE_GLOBAL) ||
        contains(t, function, LW_NODE_NONLOCAL))
        return;
    *p = (struct pass){.t = t, .loop = loop, .yield = LW_NO_NODE};
    read_block(p, loop, LW_ROLE_BODY, 0);
    if (p->lost || p->yield == LW_NO_NODE || !is_batch(t, p->yield) || !takes_part(t, loop) ||
        moves(p, lw_tree_get(t, p->yield, LW_ROLE_VALUE)))
        return;
    ck_find(c, p->yield, "data/same-batch", NULL, 0,
            "every iteration yields the same samples, because the selection does not change "
            "inside the loop: select new samples in each iteration");
}

/* A generator was defined. */
static void watch_generator(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t top = e->object->node;
    if (e->object->file != c->frame->file || top == LW_NO_NODE ||
        lw_tree_kind(t, top) != LW_NODE_FUNCTION || !contains(t, top, LW_NODE_YIELD))
        return;
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, lw_tree_kind(t, n) == LW_NODE_FUNCTION))
        if (lw_tree_kind(t, n) == LW_NODE_WHILE)
            check_loop(c, top, n);
}

const struct ck_rule rules_data_same_batch[] = {
    {"data/same-batch", CK_EV_FUNCTION, watch_generator},
    {0},
};
