/*
 * mem - the only place that asks the C library for memory.
 *
 * A `struct lw_mem` counts what is in use, can cap it, and can make the n-th allocation fail,
 * so that tests walk through every out-of-memory path. Containers keep a borrowed pointer to
 * the one they were given. NULL stands for the process heap: neither counted nor capped.
 *
 * Memory is handed back with its size, which the owners know anyway. All functions may be
 * called from any thread.
 */
#ifndef LW_BASE_MEM_H
#define LW_BASE_MEM_H

#include <stdatomic.h>
#include <stddef.h>

struct lw_mem {
    atomic_size_t used;  /* bytes handed out and not yet returned */
    atomic_size_t peak;  /* largest value of `used` */
    atomic_size_t calls; /* allocations asked for so far */
    size_t cap;          /* refuse beyond this many bytes; 0 = no cap */
    size_t fail_at;      /* the allocation with this number (from 1) fails; 0 = none */
    int fail_all_after;  /* non-zero: every later one fails too */
};

/* `cap` in bytes, 0 for none. */
void lw_mem_init(struct lw_mem *m, size_t cap);

/* Memory of `n` bytes, zeroed, or NULL. `n` of 0 gives a valid pointer. */
void *lw_mem_alloc(struct lw_mem *m, size_t n);

/* `p` of `old_size` bytes grown or shrunk to `new_size`; on NULL `p` is unchanged and still
 * owned. */
void *lw_mem_realloc(struct lw_mem *m, void *p, size_t old_size, size_t new_size);

/* `p` may be NULL. `n` must be the size it was allocated with. */
void lw_mem_free(struct lw_mem *m, void *p, size_t n);

/* For another library that wants an allocator: C's own, uncounted. `p` may be NULL. */
void *lw_heap_realloc(void *p, size_t n);
void lw_heap_free(void *p);

#endif
