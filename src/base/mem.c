#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void lw_mem_init(struct lw_mem *m, size_t cap)
{
    memset(m, 0, sizeof *m);
    m->cap = cap;
}

static bool must_fail(struct lw_mem *m)
{
    size_t call = atomic_fetch_add(&m->calls, 1) + 1;
    if (m->fail_at == 0)
        return false;
    return m->fail_all_after ? call >= m->fail_at : call == m->fail_at;
}

/* Books `n` more bytes, or returns false when the cap would be passed. */
static bool charge(struct lw_mem *m, size_t n)
{
    size_t before = atomic_fetch_add(&m->used, n);
    size_t now = before + n;
    if (now < before || (m->cap != 0 && now > m->cap)) {
        atomic_fetch_sub(&m->used, n);
        return false;
    }
    size_t peak = atomic_load(&m->peak);
    while (now > peak && !atomic_compare_exchange_weak(&m->peak, &peak, now))
        ;
    return true;
}

void *lw_mem_alloc(struct lw_mem *m, size_t n)
{
    if (m && (must_fail(m) || !charge(m, n)))
        return NULL;
    void *p = calloc(1, n ? n : 1);
    if (!p && m)
        atomic_fetch_sub(&m->used, n);
    return p;
}

void *lw_mem_realloc(struct lw_mem *m, void *p, size_t old_size, size_t new_size)
{
    if (!p)
        return lw_mem_alloc(m, new_size);
    size_t more = new_size > old_size ? new_size - old_size : 0;
    if (m && (must_fail(m) || !charge(m, more)))
        return NULL;
    void *grown = realloc(p, new_size ? new_size : 1);
    if (!grown) {
        if (m)
            atomic_fetch_sub(&m->used, more);
        return NULL;
    }
    if (m && new_size < old_size)
        atomic_fetch_sub(&m->used, old_size - new_size);
    return grown;
}

void lw_mem_free(struct lw_mem *m, void *p, size_t n)
{
    if (!p)
        return;
    free(p);
    if (m)
        atomic_fetch_sub(&m->used, n);
}

void *lw_heap_realloc(void *p, size_t n)
{
    return realloc(p, n ? n : 1);
}

void lw_heap_free(void *p)
{
    free(p);
}
