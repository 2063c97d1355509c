#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

void lw_map_init(struct lw_map *m, struct lw_mem *mem)
{
    *m = (struct lw_map){.mem = mem};
}

void lw_map_release(struct lw_map *m)
{
    lw_mem_free(m->mem, m->entries, m->cap * sizeof *m->entries);
    lw_mem_free(m->mem, m->slots, m->slot_count * sizeof *m->slots);
    lw_map_init(m, m->mem);
}

void lw_map_clear(struct lw_map *m)
{
    m->n = 0;
    if (m->slots)
        memset(m->slots, 0, m->slot_count * sizeof *m->slots);
}

/* The slot that holds `key`, or the free one where it belongs. The table is never full. */
static size_t slot_of(const struct lw_map *m, struct lw_str key, uint64_t hash)
{
    size_t mask = m->slot_count - 1;
    size_t at = hash & mask;
    while (m->slots[at]) {
        const struct lw_map_entry *e = &m->entries[m->slots[at] - 1];
        if (e->hash == hash && lw_str_eq(e->key, key))
            return at;
        at = (at + 1) & mask;
    }
    return at;
}

struct lw_map_entry *lw_map_find(const struct lw_map *m, struct lw_str key)
{
    if (m->n == 0)
        return NULL;
    uint32_t index = m->slots[slot_of(m, key, lw_str_hash(key))];
    return index ? &m->entries[index - 1] : NULL;
}

uint64_t lw_map_get(const struct lw_map *m, struct lw_str key, uint64_t otherwise)
{
    const struct lw_map_entry *e = lw_map_find(m, key);
    return e ? e->value : otherwise;
}

static bool grow_slots(struct lw_map *m)
{
    size_t count = m->slot_count ? m->slot_count * 2 : 16;
    uint32_t *slots = lw_mem_alloc(m->mem, count * sizeof *slots);
    if (!slots)
        return false;
    lw_mem_free(m->mem, m->slots, m->slot_count * sizeof *m->slots);
    m->slots = slots;
    m->slot_count = count;
    for (size_t i = 0; i < m->n; i++)
        slots[slot_of(m, m->entries[i].key, m->entries[i].hash)] = (uint32_t)i + 1;
    return true;
}

static bool grow_entries(struct lw_map *m)
{
    size_t cap = m->cap ? m->cap * 2 : 8;
    struct lw_map_entry *e =
        lw_mem_realloc(m->mem, m->entries, m->cap * sizeof *e, cap * sizeof *e);
    if (!e)
        return false;
    m->entries = e;
    m->cap = cap;
    return true;
}

struct lw_map_entry *lw_map_put(struct lw_map *m, struct lw_str key, bool *is_new)
{
    uint64_t hash = lw_str_hash(key);
    bool fresh = false;
    if (m->n >= UINT32_MAX - 1)
        return NULL;
    /* At most half full, so that runs of taken slots stay short. */
    if ((m->n + 1) * 2 > m->slot_count && !grow_slots(m))
        return NULL;
    size_t at = slot_of(m, key, hash);
    if (!m->slots[at]) {
        if (m->n == m->cap && !grow_entries(m))
            return NULL;
        m->entries[m->n++] = (struct lw_map_entry){.key = key, .hash = hash};
        m->slots[at] = (uint32_t)m->n;
        fresh = true;
    }
    if (is_new)
        *is_new = fresh;
    return &m->entries[m->slots[at] - 1];
}

static int by_key(const void *a, const void *b, void *entries)
{
    const struct lw_map_entry *e = entries;
    return lw_str_cmp(e[*(const uint32_t *)a].key, e[*(const uint32_t *)b].key);
}

void lw_map_sorted(const struct lw_map *m, uint32_t *order)
{
    for (size_t i = 0; i < m->n; i++)
        order[i] = (uint32_t)i;
    if (m->n > 1)
        qsort_r(order, m->n, sizeof *order, by_key, m->entries);
}
