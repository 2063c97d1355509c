/*
 * What reaches each use: static single assignment. Merges stand where definitions of a symbol
 * meet (the iterated dominance frontier of the blocks that define it), only for symbols that
 * some block uses before it defines them; then one walk over the dominator tree hands values to
 * uses (Cytron and others, 1991).
 */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "source/flow_internal.h"

struct lists { /* of numbers by block or symbol: first and next */
    uint32_t *head;
    LW_VEC(uint32_t) item;
    LW_VEC(uint32_t) next;
};

struct undo {
    uint32_t symbol;
    uint32_t value;
};

struct step {
    uint32_t block;
    uint32_t child; /* next to be entered, in `children` order */
    size_t undo;    /* length of the log when it was entered */
};

struct values {
    struct lw_flow *f;
    struct lw_arena arena;
    uint32_t *current; /* by symbol: value where the walk stands */
    uint32_t *stamp;   /* by symbol: block that defined it last, while uses are looked at */
    uint8_t *exposed;  /* by symbol: some block uses it before defining it */
    uint8_t *wide;     /* by symbol: taken as wide in this graph */
    struct lists defs; /* by symbol: blocks of the graph that define it */
    LW_VEC(uint32_t) touched; /* symbols with such blocks */
    struct lists frontier;    /* by block */
    uint32_t *merged;         /* by block: symbol + 1 that a merge was made for last */
    uint32_t *first_child;    /* by block: in the dominator tree */
    uint32_t *next_child;
    LW_VEC(uint32_t) work;
    LW_VEC(struct undo) log;
    LW_VEC(struct step) steps;
};

static int add_to(struct lw_mem *mem, struct lists *l, uint32_t at, uint32_t item)
{
    uint32_t before = l->head[at];
    if (lw_vec_push(mem, &l->item, item) < 0 || lw_vec_push(mem, &l->next, before) < 0)
        return LW_ENOMEM;
    l->head[at] = (uint32_t)l->item.n - 1;
    return 0;
}

/* ---- Where symbols are defined ---------------------------------------------------------- */

static bool is_tracked(const struct values *v, const struct lw_flow_event *e)
{
    return !(e->flags & (LW_FLOW_WIDE | LW_FLOW_FREE)) && !v->wide[e->symbol];
}

static int look_at(struct values *v, const struct lw_flow_event *e, uint32_t block)
{
    struct lw_mem *mem = v->f->mem;
    if (e->symbol == LW_NO_SYMBOL || !is_tracked(v, e))
        return 0;
    bool here = v->stamp[e->symbol] == block + 1;
    if (!here && (e->kind == LW_FLOW_USE || (e->flags & LW_FLOW_WEAK)))
        v->exposed[e->symbol] = 1;
    if (e->kind == LW_FLOW_USE || here)
        return 0;
    v->stamp[e->symbol] = block + 1;
    if (v->defs.head[e->symbol] == LW_FLOW_NONE && lw_vec_push(mem, &v->touched, e->symbol) < 0)
        return LW_ENOMEM;
    return add_to(mem, &v->defs, e->symbol, block);
}

static int look_at_graph(struct values *v, const struct lw_flow_graph *g)
{
    const struct lw_flow *f = v->f;
    for (uint32_t p = g->first_point; p < g->first_point + g->point_count; p++) {
        const struct lw_flow_point *pt = &f->points.v[p];
        for (uint32_t i = pt->first_event; i < pt->first_event + pt->event_count; i++)
            if (look_at(v, &f->events.v[i], pt->block) < 0)
                return LW_ENOMEM;
    }
    return 0;
}

/* ---- Merges ----------------------------------------------------------------------------- */

/* Cooper, Harvey and Kennedy: a block where ways meet is in the frontier of everything from its
 * predecessors up to its dominator. A runner that has the block already has been there, and so
 * has all above it. */
static int make_frontiers(struct values *v, const struct lw_flow_graph *g)
{
    struct lw_flow *f = v->f;
    for (uint32_t b = g->first_block; b < g->first_block + g->block_count; b++) {
        const struct lw_flow_block *k = &f->blocks.v[b];
        if (k->in_count < 2 && b != g->first_block)
            continue;
        for (uint32_t i = 0; i < k->in_count; i++) {
            uint32_t r = f->edges.v[f->ins.v[k->first_in + i]].from;
            while (r != k->dominator || (b == g->first_block && r == b)) {
                uint32_t last = v->frontier.head[r];
                if (last != LW_FLOW_NONE && v->frontier.item.v[last] == b)
                    break;
                if (add_to(f->mem, &v->frontier, r, b) < 0)
                    return LW_ENOMEM;
                if (f->blocks.v[r].dominator == r)
                    break;
                r = f->blocks.v[r].dominator;
            }
        }
    }
    return 0;
}

static int add_merge(struct values *v, uint32_t block, uint32_t symbol)
{
    struct lw_flow *f = v->f;
    struct lw_flow_block *k = &f->blocks.v[block];
    struct lw_flow_merge m = {.block = block,
                              .symbol = symbol,
                              .first_operand = (uint32_t)f->operands.n,
                              .count = k->in_count,
                              .next = k->first_merge};
    if (lw_vec_push(f->mem, &f->merges, m) < 0 ||
        lw_vec_reserve(f->mem, &f->operands, k->in_count) < 0)
        return LW_ENOMEM;
    for (uint32_t i = 0; i < k->in_count; i++)
        f->operands.v[f->operands.n++] = LW_FLOW_NONE;
    k->first_merge = (uint32_t)f->merges.n - 1;
    return 0;
}

static int merge_symbol(struct values *v, uint32_t symbol)
{
    struct lw_flow *f = v->f;
    v->work.n = 0;
    for (uint32_t i = v->defs.head[symbol]; i != LW_FLOW_NONE; i = v->defs.next.v[i])
        if (lw_vec_push(f->mem, &v->work, v->defs.item.v[i]) < 0)
            return LW_ENOMEM;
    while (v->work.n > 0) {
        uint32_t b = v->work.v[--v->work.n];
        for (uint32_t i = v->frontier.head[b]; i != LW_FLOW_NONE; i = v->frontier.next.v[i]) {
            uint32_t at = v->frontier.item.v[i];
            if (v->merged[at] == symbol + 1)
                continue;
            v->merged[at] = symbol + 1;
            if (add_merge(v, at, symbol) < 0 || lw_vec_push(f->mem, &v->work, at) < 0)
                return LW_ENOMEM;
        }
    }
    return 0;
}

/* Beyond the bound the remaining symbols are taken as wide. */
static int make_merges(struct values *v, const struct lw_flow_graph *g)
{
    struct lw_flow *f = v->f;
    size_t events = 0, before = f->operands.n;
    for (uint32_t p = g->first_point; p < g->first_point + g->point_count; p++)
        events += f->points.v[p].event_count;
    size_t bound = LW_FLOW_MERGES * (events + g->block_count) + 1024;
    for (size_t i = 0; i < v->touched.n; i++) {
        uint32_t symbol = v->touched.v[i];
        if (!v->exposed[symbol])
            continue;
        if (f->operands.n - before > bound)
            v->wide[symbol] = 1;
        else if (merge_symbol(v, symbol) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

/* ---- The walk --------------------------------------------------------------------------- */

static int set_current(struct values *v, uint32_t symbol, uint32_t value)
{
    struct undo u = {symbol, v->current[symbol]};
    v->current[symbol] = value;
    return lw_vec_push(v->f->mem, &v->log, u);
}

static int value_event(struct values *v, uint32_t index)
{
    struct lw_flow_event *e = &v->f->events.v[index];
    if (e->symbol == LW_NO_SYMBOL)
        return 0;
    if (v->wide[e->symbol] && !(e->flags & LW_FLOW_FIELD))
        e->flags |= LW_FLOW_WIDE;
    if (e->flags & (LW_FLOW_WIDE | LW_FLOW_FREE))
        return 0;
    if (e->kind == LW_FLOW_USE || (e->flags & LW_FLOW_WEAK))
        e->value = v->current[e->symbol];
    if (e->kind == LW_FLOW_USE)
        return 0;
    return set_current(v, e->symbol, e->kind == LW_FLOW_KILL ? LW_FLOW_NONE : index);
}

/* Hands the values at the end of the block to the merges behind it. */
static void leave_block(struct values *v, uint32_t block)
{
    struct lw_flow *f = v->f;
    const struct lw_flow_block *k = &f->blocks.v[block];
    for (uint32_t i = 0; i < k->out_count; i++) {
        uint32_t edge = k->first_out + i;
        const struct lw_flow_block *to = &f->blocks.v[f->edges.v[edge].to];
        if (to->first_merge == LW_FLOW_NONE)
            continue;
        /* Edges into a block are in ascending order. */
        uint32_t low = 0, high = to->in_count;
        while (high - low > 1) {
            uint32_t mid = low + (high - low) / 2;
            if (f->ins.v[to->first_in + mid] <= edge)
                low = mid;
            else
                high = mid;
        }
        for (uint32_t m = to->first_merge; m != LW_FLOW_NONE; m = f->merges.v[m].next)
            f->operands.v[f->merges.v[m].first_operand + low] =
                v->current[f->merges.v[m].symbol];
    }
}

static int enter_block(struct values *v, uint32_t block)
{
    struct lw_flow *f = v->f;
    const struct lw_flow_block *k = &f->blocks.v[block];
    struct step s = {block, v->first_child[block], v->log.n};
    if (lw_vec_push(f->mem, &v->steps, s) < 0)
        return LW_ENOMEM;
    for (uint32_t m = k->first_merge; m != LW_FLOW_NONE; m = f->merges.v[m].next)
        if (set_current(v, f->merges.v[m].symbol, m | 0x80000000u) < 0)
            return LW_ENOMEM;
    for (uint32_t p = k->first_point; p < k->first_point + k->point_count; p++) {
        const struct lw_flow_point *pt = &f->points.v[p];
        for (uint32_t i = pt->first_event; i < pt->first_event + pt->event_count; i++)
            if (value_event(v, i) < 0)
                return LW_ENOMEM;
    }
    leave_block(v, block);
    return 0;
}

static int walk(struct values *v, const struct lw_flow_graph *g)
{
    struct lw_flow *f = v->f;
    for (uint32_t b = g->first_block + g->block_count; b-- > g->first_block;) {
        uint32_t d = f->blocks.v[b].dominator;
        if (d == b)
            continue;
        v->next_child[b] = v->first_child[d];
        v->first_child[d] = b;
    }
    if (enter_block(v, g->first_block) < 0)
        return LW_ENOMEM;
    while (v->steps.n > 0) {
        struct step *s = &v->steps.v[v->steps.n - 1];
        uint32_t child = s->child;
        if (child != LW_FLOW_NONE) {
            s->child = v->next_child[child];
            if (enter_block(v, child) < 0)
                return LW_ENOMEM;
            continue;
        }
        while (v->log.n > s->undo) {
            v->log.n--;
            v->current[v->log.v[v->log.n].symbol] = v->log.v[v->log.n].value;
        }
        v->steps.n--;
    }
    return 0;
}

/* ---- Bound or not ----------------------------------------------------------------------- */

/* A merge is bound when a definition reaches it, perhaps through other merges. */
static int mark_bound(struct lw_flow *f, struct lw_arena *arena)
{
    size_t n = f->merges.n;
    struct lists users = {.head = lw_arena_array(arena, n, sizeof(uint32_t))};
    LW_VEC(uint32_t) work = {0};
    int rc = users.head || n == 0 ? 0 : LW_ENOMEM;
    if (n > 0 && users.head)
        memset(users.head, 0xff, n * sizeof *users.head);
    for (uint32_t m = 0; m < n && rc == 0; m++) {
        struct lw_flow_merge *x = &f->merges.v[m];
        for (uint32_t i = 0; i < x->count && rc == 0; i++) {
            uint32_t value = f->operands.v[x->first_operand + i];
            if (lw_flow_is_merge(value))
                rc = add_to(f->mem, &users, lw_flow_merge_of(value), m);
            else if (value != LW_FLOW_NONE)
                x->bound = true;
        }
        if (x->bound && rc == 0)
            rc = lw_vec_push(f->mem, &work, m);
    }
    while (work.n > 0 && rc == 0) {
        uint32_t m = work.v[--work.n];
        for (uint32_t i = users.head[m]; i != LW_FLOW_NONE && rc == 0; i = users.next.v[i]) {
            struct lw_flow_merge *x = &f->merges.v[users.item.v[i]];
            if (!x->bound) {
                x->bound = true;
                rc = lw_vec_push(f->mem, &work, users.item.v[i]);
            }
        }
    }
    lw_vec_release(f->mem, &work);
    lw_vec_release(f->mem, &users.item);
    lw_vec_release(f->mem, &users.next);
    return rc;
}

/* Lists of definitions by symbol, and which symbols are defined outside their own graph. */
static int list_definitions(struct lw_flow *f, uint8_t *elsewhere)
{
    if (lw_vec_reserve(f->mem, &f->first_def, f->symbol_count) < 0)
        return LW_ENOMEM;
    f->first_def.n = f->symbol_count;
    if (f->symbol_count > 0)
        memset(f->first_def.v, 0xff, f->symbol_count * sizeof *f->first_def.v);
    for (uint32_t i = (uint32_t)f->events.n; i-- > 0;) {
        struct lw_flow_event *e = &f->events.v[i];
        if (e->kind != LW_FLOW_DEF || e->symbol == LW_NO_SYMBOL)
            continue;
        e->next = f->first_def.v[e->symbol];
        f->first_def.v[e->symbol] = i;
        if ((e->flags & (LW_FLOW_WIDE | LW_FLOW_FIELD)) == LW_FLOW_WIDE &&
            e->symbol < f->names->symbols.n)
            elsewhere[e->symbol] = 1;
    }
    return 0;
}

/* Uses that nothing reaches. A use of a symbol that another graph defines too (global,
 * nonlocal, an object changed elsewhere) is reached by those as well. */
static void mark_uses(struct lw_flow *f, const uint8_t *elsewhere)
{
    for (size_t i = 0; i < f->events.n; i++) {
        struct lw_flow_event *e = &f->events.v[i];
        if (e->kind != LW_FLOW_USE || (e->flags & LW_FLOW_FREE))
            continue;
        if (elsewhere[e->symbol] && !(e->flags & LW_FLOW_WIDE))
            e->flags |= LW_FLOW_ELSEWHERE;
        bool bound =
            e->value != LW_FLOW_NONE &&
            (!lw_flow_is_merge(e->value) || f->merges.v[lw_flow_merge_of(e->value)].bound);
        if (e->flags & (LW_FLOW_WIDE | LW_FLOW_ELSEWHERE))
            bound = bound || f->first_def.v[e->symbol] != LW_FLOW_NONE;
        if (!bound)
            e->flags |= LW_FLOW_UNBOUND;
    }
}

/* ---- All together ----------------------------------------------------------------------- */

static uint32_t *filled(struct lw_arena *arena, size_t n)
{
    uint32_t *p = lw_arena_array(arena, n, sizeof *p);
    if (p)
        memset(p, 0xff, n * sizeof *p);
    return p;
}

static int prepare(struct values *v)
{
    size_t symbols = v->f->symbol_count, blocks = v->f->blocks.n;
    v->current = filled(&v->arena, symbols);
    v->stamp = lw_arena_array(&v->arena, symbols, sizeof *v->stamp);
    v->exposed = lw_arena_array(&v->arena, symbols, 1);
    v->wide = lw_arena_array(&v->arena, symbols, 1);
    v->defs.head = filled(&v->arena, symbols);
    v->frontier.head = filled(&v->arena, blocks);
    v->merged = lw_arena_array(&v->arena, blocks, sizeof *v->merged);
    v->first_child = filled(&v->arena, blocks);
    v->next_child = filled(&v->arena, blocks);
    bool ok = v->current && v->stamp && v->exposed && v->wide && v->defs.head &&
              v->frontier.head && v->merged && v->first_child && v->next_child;
    return ok ? 0 : LW_ENOMEM;
}

static int graph_values(struct values *v, const struct lw_flow_graph *g)
{
    int rc = 0;
    v->touched.n = v->defs.item.n = v->defs.next.n = 0;
    v->frontier.item.n = v->frontier.next.n = 0;
    if (look_at_graph(v, g) < 0 || make_frontiers(v, g) < 0 || make_merges(v, g) < 0 ||
        walk(v, g) < 0)
        rc = LW_ENOMEM;
    for (size_t i = 0; i < v->touched.n; i++) {
        uint32_t s = v->touched.v[i];
        v->defs.head[s] = LW_FLOW_NONE;
        v->exposed[s] = v->wide[s] = 0;
    }
    return rc;
}

static int all_values(struct values *v)
{
    struct lw_flow *f = v->f;
    uint8_t *elsewhere = lw_arena_array(&v->arena, f->symbol_count, 1);
    if (!elsewhere || prepare(v) < 0)
        return LW_ENOMEM;
    for (size_t g = 0; g < f->graphs.n; g++)
        if (graph_values(v, &f->graphs.v[g]) < 0)
            return LW_ENOMEM;
    if (mark_bound(f, &v->arena) < 0 || list_definitions(f, elsewhere) < 0)
        return LW_ENOMEM;
    mark_uses(f, elsewhere);
    return 0;
}

int flow_values(struct lw_flow *f)
{
    struct values v = {.f = f};
    lw_arena_init(&v.arena, f->mem, 0);
    int rc = all_values(&v);
    lw_vec_release(f->mem, &v.defs.item);
    lw_vec_release(f->mem, &v.defs.next);
    lw_vec_release(f->mem, &v.touched);
    lw_vec_release(f->mem, &v.frontier.item);
    lw_vec_release(f->mem, &v.frontier.next);
    lw_vec_release(f->mem, &v.work);
    lw_vec_release(f->mem, &v.log);
    lw_vec_release(f->mem, &v.steps);
    lw_arena_release(&v.arena);
    return rc;
}

/* ---- Questions -------------------------------------------------------------------------- */

void lw_flow_walk_release(const struct lw_flow *f, struct lw_flow_walk *w)
{
    lw_vec_release(f->mem, &w->stamp);
    lw_vec_release(f->mem, &w->work);
}

/* A new round: nothing is seen. Stamps are by event, then by merge. */
static int walk_begin(const struct lw_flow *f, struct lw_flow_walk *w)
{
    size_t n = f->events.n + f->merges.n;
    w->work.n = 0;
    if (w->stamp.n < n) {
        if (lw_vec_reserve(f->mem, &w->stamp, n - w->stamp.n) < 0)
            return LW_ENOMEM;
        memset(w->stamp.v + w->stamp.n, 0, (n - w->stamp.n) * sizeof *w->stamp.v);
        w->stamp.n = n;
    }
    w->round++;
    w->steps = LW_FLOW_STEPS;
    w->more = false;
    return 0;
}

/* Takes a step, or says that there are none left. */
static bool walk_may_go_on(struct lw_flow_walk *w, size_t found)
{
    w->more = w->more || w->steps == 0 || found > LW_FLOW_REACH;
    if (!w->more)
        w->steps--;
    return !w->more;
}

static int walk_add(const struct lw_flow *f, struct lw_flow_walk *w, uint32_t value)
{
    if (value == LW_FLOW_NONE)
        return 0;
    size_t at = lw_flow_is_merge(value) ? f->events.n + lw_flow_merge_of(value) : value;
    if (w->stamp.v[at] == w->round)
        return 0;
    w->stamp.v[at] = w->round;
    return lw_vec_push(f->mem, &w->work, value);
}

static int walk_all(const struct lw_flow *f, struct lw_flow_walk *w, lw_flow_list *out)
{
    size_t before = out->n;
    for (size_t i = 0; i < w->work.n; i++) {
        uint32_t value = w->work.v[i];
        if (!lw_flow_is_merge(value)) {
            const struct lw_flow_event *e = &f->events.v[value];
            w->more = w->more || out->n - before == LW_FLOW_REACH;
            if (out->n - before == LW_FLOW_REACH)
                break;
            if (lw_vec_push(f->mem, out, value) < 0 ||
                ((e->flags & LW_FLOW_WEAK) && walk_add(f, w, e->value) < 0))
                return LW_ENOMEM;
            continue;
        }
        const struct lw_flow_merge *m = &f->merges.v[lw_flow_merge_of(value)];
        for (uint32_t k = 0; k < m->count && walk_may_go_on(w, 0); k++)
            if (walk_add(f, w, f->operands.v[m->first_operand + k]) < 0)
                return LW_ENOMEM;
    }
    return 0;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

int lw_flow_reaching(const struct lw_flow *f, struct lw_flow_walk *w, uint32_t event,
                     lw_flow_list *out)
{
    const struct lw_flow_event *e = &f->events.v[event];
    size_t before = out->n;
    if (e->flags & LW_FLOW_FREE)
        return 0;
    if (walk_begin(f, w) < 0 || walk_add(f, w, e->value) < 0)
        return LW_ENOMEM;
    if (e->flags & (LW_FLOW_WIDE | LW_FLOW_ELSEWHERE)) {
        bool all = (e->flags & LW_FLOW_WIDE) != 0;
        for (uint32_t d = f->first_def.v[e->symbol];
             d != LW_FLOW_NONE && walk_may_go_on(w, w->work.n); d = f->events.v[d].next)
            if (d != event && (all || (f->events.v[d].flags & LW_FLOW_WIDE)) &&
                walk_add(f, w, d) < 0)
                return LW_ENOMEM;
    }
    if (walk_all(f, w, out) < 0)
        return LW_ENOMEM;
    if (out->n > before + 1)
        qsort(out->v + before, out->n - before, sizeof *out->v, compare);
    return 0;
}
