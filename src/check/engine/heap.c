#include "base/err.h"
#include "check/engine/heap.h"

#include <stdlib.h>

#include "base/str.h"

enum { FEW = 8 }; /* fields without a table */

void heap_init(struct ck_heap *h, struct lw_arena *arena, struct lw_mem *mem)
{
    *h = (struct ck_heap){.arena = arena, .mem = mem};
    lw_map_init(&h->names, mem);
}

void heap_release(struct ck_heap *h)
{
    lw_map_release(&h->names);
    lw_vec_release(h->mem, &h->trail);
}

uint32_t heap_intern(struct ck_heap *h, struct lw_str name)
{
    struct lw_map_entry *e = lw_map_find(&h->names, name);
    if (!e) {
        struct lw_str copy = lw_arena_copy(h->arena, name);
        e = copy.p ? lw_map_put(&h->names, copy, NULL) : NULL;
        if (!e) {
            h->failed = true;
            return 0;
        }
        e->value = h->names.n;
    }
    return (uint32_t)e->value;
}

struct lw_str heap_name(const struct ck_heap *h, uint32_t name)
{
    LW_BUG_ON(name > h->names.n);
    if (name == 0 || name > h->names.n)
        return LW_S("?");
    return h->names.entries[name - 1].key;
}

static uint32_t place(const struct ck_fields *f, uint32_t name)
{
    uint32_t i = (name * 2654435769u) & (f->cap - 1);
    while (f->table[i] && f->table[i]->name != name)
        i = (i + 1) & (f->cap - 1);
    return i;
}

struct ck_slot *fields_find(const struct ck_fields *f, uint32_t name)
{
    if (f->table)
        return f->table[place(f, name)];
    for (struct ck_slot *s = f->first; s; s = s->next)
        if (s->name == name)
            return s;
    return NULL;
}

/* A table of twice the size; without memory the list alone still serves. */
static void grow(struct ck_heap *h, struct ck_fields *f)
{
    uint32_t cap = f->cap ? f->cap * 2 : 4 * FEW;
    struct ck_slot **table = lw_arena_array(h->arena, cap, sizeof *table);
    if (!table) {
        h->failed = true;
        return;
    }
    f->table = table;
    f->cap = cap;
    for (struct ck_slot *s = f->first; s; s = s->next)
        table[place(f, s->name)] = s;
}

static struct ck_slot *new_slot(struct ck_heap *h, uint32_t name)
{
    struct ck_slot *s = lw_arena_alloc(h->arena, sizeof *s);
    if (!s) {
        h->failed = true;
        return NULL;
    }
    s->name = name;
    s->value = lw_v_absent();
    s->id = ++h->slots;
    return s;
}

struct ck_slot *fields_put(struct ck_heap *h, struct ck_fields *f, uint32_t name)
{
    LW_BUG_ON(!f);
    struct ck_slot *s = fields_find(f, name);
    if (s)
        return s;
    if ((!f->table && f->n >= FEW) || (f->table && f->n * 2 >= f->cap))
        grow(h, f);
    if (f->table && f->n + 1 >= f->cap) {
        h->failed = true;
        return NULL;
    }
    s = new_slot(h, name);
    if (!s)
        return NULL;
    if (f->last)
        f->last->next = s;
    else
        f->first = s;
    f->last = s;
    f->n++;
    if (f->table)
        f->table[place(f, name)] = s;
    return s;
}

struct lw_value slots_get(const struct ck_slot *first, uint32_t number)
{
    for (; first; first = first->next)
        if (first->name == number)
            return first->value;
    return lw_v_absent();
}

struct ck_slot *slots_put(struct ck_heap *h, struct ck_slot **first, uint32_t number)
{
    LW_BUG_ON(!first);
    for (struct ck_slot *s = *first; s; s = s->next)
        if (s->name == number)
            return s;
    struct ck_slot *s = new_slot(h, number);
    if (s) {
        s->next = *first;
        *first = s;
    }
    return s;
}

void heap_set(struct ck_heap *h, struct ck_slot *slot, struct lw_value value)
{
    if (!slot)
        return;
    if (h->open > 0 &&
        lw_vec_push(h->mem, &h->trail, (struct ck_trail_entry){slot, slot->value}) < 0) {
        h->failed = true;
        return;
    }
    slot->value = value;
}

size_t heap_mark(struct ck_heap *h)
{
    h->open++;
    return h->trail.n;
}

static int by_slot(const void *a, const void *b)
{
    uint32_t x = ((const struct ck_change *)a)->slot->id;
    uint32_t y = ((const struct ck_change *)b)->slot->id;
    return (x > y) - (x < y);
}

void heap_commit(struct ck_heap *h)
{
    LW_BUG_ON(!h->open);
    if (--h->open == 0)
        h->trail.n = 0;
}

void heap_keep(struct ck_heap *h, size_t mark)
{
    LW_BUG_ON(!h->open);
    h->trail.n = mark;
    heap_commit(h);
}

struct ck_changes heap_snapshot(struct ck_heap *h, size_t mark)
{
    LW_BUG_ON(!h->open);
    struct ck_changes out = {0};
    size_t n = h->trail.n > mark ? h->trail.n - mark : 0;
    if (n > 0) {
        out.v = lw_arena_array(h->arena, n, sizeof *out.v);
        if (!out.v)
            h->failed = true;
    }
    uint32_t epoch = ++h->epoch;
    for (size_t i = h->trail.n; out.v && i-- > mark;) {
        struct ck_slot *slot = h->trail.v[i].slot;
        if (slot->seen != epoch)
            out.v[out.n++] = (struct ck_change){slot, slot->value};
        slot->seen = epoch;
    }
    if (out.n > 1)
        qsort(out.v, out.n, sizeof *out.v, by_slot);
    return out;
}

void heap_undo(struct ck_heap *h, size_t mark)
{
    LW_BUG_ON(!h->open);
    while (h->trail.n > mark) {
        struct ck_trail_entry e = h->trail.v[--h->trail.n];
        e.slot->value = e.old;
    }
    h->open--;
}

struct ck_changes heap_take(struct ck_heap *h, size_t mark)
{
    struct ck_changes out = heap_snapshot(h, mark);
    heap_undo(h, mark);
    return out;
}

void heap_forget(struct ck_heap *h, size_t from, const struct ck_fields *dead)
{
    LW_BUG_ON(!dead);
    if (h->trail.n <= from)
        return;
    uint32_t epoch = ++h->epoch;
    for (struct ck_slot *s = dead->first; s; s = s->next)
        s->seen = epoch;
    size_t n = from;
    for (size_t i = from; i < h->trail.n; i++)
        if (h->trail.v[i].slot->seen != epoch)
            h->trail.v[n++] = h->trail.v[i];
    h->trail.n = n;
}

void heap_redo(struct ck_heap *h, struct ck_changes changes)
{
    for (uint32_t i = 0; i < changes.n; i++)
        heap_set(h, changes.v[i].slot, changes.v[i].value);
}

struct lw_value heap_value_in(const struct ck_changes *c, struct ck_slot *slot)
{
    LW_BUG_ON(!c || !slot);
    struct ck_change key = {.slot = slot};
    const struct ck_change *found =
        c->n ? bsearch(&key, c->v, c->n, sizeof *c->v, by_slot) : NULL;
    return found ? found->value : slot->value;
}

void heap_merge(struct ck_heap *h, const struct ck_changes *branches, size_t count,
                heap_join join, void *data)
{
    LW_BUG_ON(!count || !join);
    if (count == 1) {
        heap_redo(h, branches[0]);
        return;
    }
    uint32_t epoch = ++h->epoch;
    /* New values are kept aside until all are known: a change must not be seen by the join of
     * another branch's copy of the same slot. */
    for (size_t b = 0; b < count; b++)
        for (uint32_t i = 0; i < branches[b].n; i++) {
            struct ck_slot *slot = branches[b].v[i].slot;
            if (slot->seen == epoch)
                continue;
            struct lw_value v = lw_v_absent();
            for (size_t k = 0; k < count; k++) {
                struct lw_value other = heap_value_in(&branches[k], slot);
                if (v.kind == LW_V_ABSENT)
                    v = other;
                else if (other.kind != LW_V_ABSENT)
                    v = join(data, v, other);
            }
            slot->seen = epoch;
            heap_set(h, slot, v);
        }
}
