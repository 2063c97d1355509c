/*
 * arena - memory with one lifetime: many small allocations, freed together.
 *
 * Pointers from an arena live until `clear`, `rewind` past them, or `release`. An arena never
 * moves what it handed out. It belongs to one thread at a time.
 */
#ifndef LW_BASE_ARENA_H
#define LW_BASE_ARENA_H

#include "base/mem.h"
#include "lacewing.h"

struct lw_arena_chunk;

struct lw_arena {
    struct lw_mem *mem;           /* borrowed; NULL = process heap */
    struct lw_arena_chunk *chunk; /* the one being filled; earlier ones behind it */
    size_t used;                  /* bytes handed out, with alignment */
    size_t cap;                   /* refuse beyond this many bytes; 0 = no cap */
};

/* A place to rewind to; see lw_arena_mark. */
struct lw_arena_mark {
    struct lw_arena_chunk *chunk;
    size_t fill;
    size_t used;
};

/* Cannot fail: nothing is allocated before the first use. */
void lw_arena_init(struct lw_arena *a, struct lw_mem *mem, size_t cap);

/* Frees everything; the arena may be used again. */
void lw_arena_release(struct lw_arena *a);

/* Forgets everything but keeps the largest block for reuse. */
void lw_arena_clear(struct lw_arena *a);

/* `n` zeroed bytes aligned for any type, or NULL. */
void *lw_arena_alloc(struct lw_arena *a, size_t n);

/* An array of `count` zeroed elements; NULL also when the product overflows. */
void *lw_arena_array(struct lw_arena *a, size_t count, size_t size);

/* As alloc, unaligned and not zeroed: for text. */
char *lw_arena_bytes(struct lw_arena *a, size_t n);

/* A NUL-terminated copy of the text, so that `.p` can also go to C functions. Empty result with
 * p == NULL when memory ran out. */
struct lw_str lw_arena_copy(struct lw_arena *a, struct lw_str text);

/* printf into the arena; p == NULL when memory ran out. */
struct lw_str lw_arena_printf(struct lw_arena *a, const char *fmt, ...) LW_PRINTF(2, 3);

/* Everything allocated after the mark is freed by rewind. Marks nest. */
struct lw_arena_mark lw_arena_mark(const struct lw_arena *a);
void lw_arena_rewind(struct lw_arena *a, struct lw_arena_mark mark);

/* Bytes that it takes from the heap: more than `used`. */
size_t lw_arena_held(const struct lw_arena *a);

#endif
