#include "base/err.h"
#include "check/query/places.h"

#include <stdlib.h>

#include "check/engine/syntax.h"

struct place {
    uint64_t key;   /* name and kind */
    uint32_t order; /* in the text, parents first */
    uint32_t node;
};

struct ck_places {
    struct place *place; /* by key, then in order */
    uint32_t *node;      /* the same, the nodes alone */
    size_t n;
};

static uint64_t key_of(struct ck *c, enum places_kind kind, struct lw_str name)
{
    return (uint64_t)heap_intern(&c->heap, name) << 3 | kind;
}

/* name = f(… name …): the name; nothing for other assignments. */
static struct lw_str remade(const struct lw_tree *t, uint32_t assign)
{
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    uint32_t value = lw_tree_get(t, assign, LW_ROLE_VALUE);
    bool plain = target != LW_NO_NODE && lw_tree_kind(t, target) == LW_NODE_NAME &&
                 value != LW_NO_NODE && lw_tree_kind(t, value) == LW_NODE_CALL;
    struct lw_str name = plain ? lw_tree_name(t, target) : (struct lw_str){0};
    return plain && syntax_has_name(t, value, name) ? name : (struct lw_str){0};
}

/* Gathers places; without `place` it counts them. */
struct gather {
    struct ck *c;
    const struct lw_tree *t;
    struct place *place;
    size_t n, room;
    uint32_t order;
};

static void add(struct gather *g, enum places_kind kind, struct lw_str name, uint32_t node)
{
    if (g->place && g->n < g->room)
        g->place[g->n] = (struct place){key_of(g->c, kind, name), g->order, node};
    g->n++;
}

/* name = value, (a, name) = (1, value) */
static void add_given(struct gather *g, uint32_t assign)
{
    const struct lw_tree *t = g->t;
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    uint32_t value = lw_tree_get(t, assign, LW_ROLE_VALUE);
    if (value == LW_NO_NODE || lw_tree_count(t, assign, LW_ROLE_TARGETS) != 1)
        return;
    if (lw_tree_kind(t, target) == LW_NODE_NAME)
        add(g, PLACES_GIVEN, lw_tree_name(t, target), value);
    if (lw_tree_kind(t, target) != LW_NODE_TUPLE || lw_tree_kind(t, value) != LW_NODE_TUPLE ||
        lw_tree_count(t, target, LW_ROLE_ELTS) != lw_tree_count(t, value, LW_ROLE_ELTS))
        return;
    uint32_t a = lw_tree_each(t, target, LW_ROLE_ELTS, LW_NO_NODE);
    uint32_t b = lw_tree_each(t, value, LW_ROLE_ELTS, LW_NO_NODE);
    for (; a != LW_NO_NODE && b != LW_NO_NODE; a = lw_tree_each(t, target, LW_ROLE_ELTS, a),
                                               b = lw_tree_each(t, value, LW_ROLE_ELTS, b))
        if (lw_tree_kind(t, a) == LW_NODE_NAME)
            add(g, PLACES_GIVEN, lw_tree_name(t, a), b);
}

static void add_call(struct gather *g, uint32_t call)
{
    uint32_t f = lw_tree_get(g->t, call, LW_ROLE_FUNC);
    if (f != LW_NO_NODE &&
        (lw_tree_kind(g->t, f) == LW_NODE_NAME || lw_tree_kind(g->t, f) == LW_NODE_ATTRIBUTE))
        add(g, PLACES_CALL, lw_tree_name(g->t, f), call);
}

static void add_slice(struct gather *g, uint32_t node)
{
    uint32_t slice = lw_tree_get(g->t, node, LW_ROLE_SLICE);
    if (slice != LW_NO_NODE && lw_tree_kind(g->t, slice) == LW_NODE_TUPLE)
        slice = lw_tree_get(g->t, slice, LW_ROLE_ELTS);
    if (slice != LW_NO_NODE && lw_tree_kind(g->t, slice) == LW_NODE_SLICE)
        add(g, PLACES_SLICE, (struct lw_str){0}, node);
}

static void add_node(struct gather *g, uint32_t node)
{
    switch ((int)lw_tree_kind(g->t, node)) {
    case LW_NODE_ATTRIBUTE: add(g, PLACES_ATTRIBUTE, lw_tree_name(g->t, node), node); break;
    case LW_NODE_FUNCTION: add(g, PLACES_FUNCTION, lw_tree_name(g->t, node), node); break;
    case LW_NODE_CALL: add_call(g, node); break;
    case LW_NODE_SUBSCRIPT: add_slice(g, node); break;
    case LW_NODE_ASSIGN:
        add_given(g, node);
        if (remade(g->t, node).n)
            add(g, PLACES_REMADE, remade(g->t, node), node);
        break;
    default: break;
    }
}

static void gather(struct gather *g)
{
    g->n = g->order = 0;
    for (uint32_t n = g->t->root; n != LW_NO_NODE;
         n = lw_tree_next(g->t, g->t->root, n, false)) {
        add_node(g, n);
        g->order++;
    }
}

static int by_key(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->order > y->order) - (x->order < y->order);
}

static struct ck_places *make(struct ck *c, const struct lw_tree *t)
{
    struct ck_places *p = lw_arena_alloc(c->arena, sizeof *p);
    struct gather g = {.c = c, .t = t};
    gather(&g);
    g.room = g.n;
    g.place = lw_arena_array(c->arena, g.room + 1, sizeof *g.place);
    uint32_t *node = lw_arena_array(c->arena, g.room + 1, sizeof *node);
    if (!p || !g.place || !node) {
        c->heap.failed = true;
        return NULL;
    }
    gather(&g);
    qsort(g.place, g.n, sizeof *g.place, by_key);
    for (size_t i = 0; i < g.n; i++)
        node[i] = g.place[i].node;
    *p = (struct ck_places){.place = g.place, .node = node, .n = g.n};
    return p;
}

/* The first place whose key is at least this one. */
static size_t find(const struct ck_places *p, uint64_t key)
{
    size_t low = 0, high = p->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->place[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct places_list places_of(struct ck *c, struct ck_file *f, enum places_kind kind,
                             struct lw_str name)
{
    LW_BUG_ON(!f || kind > PLACES_SLICE);
    if (!f->places)
        f->places = make(c, &f->tree);
    if (!f->places)
        return (struct places_list){0};
    uint64_t key = key_of(c, kind, name);
    size_t first = find(f->places, key), behind = find(f->places, key + 1);
    return (struct places_list){f->places->node + first, behind - first};
}

size_t places_before(const struct ck_file *f, struct places_list list, uint32_t at)
{
    LW_BUG_ON(list.n && !list.v);
    size_t low = 0, high = list.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lw_tree_start(&f->tree, list.v[middle]) < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t places_assigned(struct ck *c, struct ck_file *f, uint32_t name)
{
    const struct lw_tree *t = &f->tree;
    uint32_t top = lw_tree_enclosing(t, name, LW_NODE_FUNCTION);
    uint32_t here = lw_tree_statement(t, name);
    struct places_list given = places_of(c, f, PLACES_GIVEN, lw_tree_name(t, name));
    for (size_t i = places_before(f, given, lw_tree_start(t, name)); i-- > 0;) {
        uint32_t value = given.v[i];
        if (top != LW_NO_NODE && lw_tree_start(t, value) < lw_tree_start(t, top))
            break;
        if (lw_tree_enclosing(t, value, LW_NODE_FUNCTION) == top &&
            lw_tree_statement(t, value) != here)
            return value;
    }
    return LW_NO_NODE;
}
