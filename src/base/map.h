/*
 * map - text to a 64-bit value, remembering insertion order.
 *
 * Iteration over `entries` is in insertion order, so output never depends on the hash. Keys are
 * borrowed and must outlive the map (an arena or the source text). Values are plain integers:
 * an index into a vector, or a pointer through uintptr_t.
 */
#ifndef LW_BASE_MAP_H
#define LW_BASE_MAP_H

#include "base/mem.h"
#include "lacewing.h"

struct lw_map_entry {
    struct lw_str key; /* borrowed */
    uint64_t value;
    uint64_t hash;
};

struct lw_map {
    struct lw_mem *mem;           /* borrowed */
    struct lw_map_entry *entries; /* in insertion order; read freely */
    size_t n;
    size_t cap;
    uint32_t *slots; /* entry index + 1, 0 = free */
    size_t slot_count;
};

void lw_map_init(struct lw_map *m, struct lw_mem *mem);
void lw_map_release(struct lw_map *m);
void lw_map_clear(struct lw_map *m);

/* The entry, borrowed until the next put, or NULL. */
struct lw_map_entry *lw_map_find(const struct lw_map *m, struct lw_str key);

/* The value of `key`, or `otherwise`. */
uint64_t lw_map_get(const struct lw_map *m, struct lw_str key, uint64_t otherwise);

/* Finds or adds `key` (a new entry has value 0); `*is_new` may be NULL. NULL: out of memory. */
struct lw_map_entry *lw_map_put(struct lw_map *m, struct lw_str key, bool *is_new);

/* Indices of the entries in byte order of their keys, in `order` (room for n). */
void lw_map_sorted(const struct lw_map *m, uint32_t *order);

#endif
