#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"

enum {
    FIRST_CHUNK = 4096,
    LARGEST_STEP = 1 << 20, /* chunks double up to here, so waste stays small on big inputs */
    ALIGN = alignof(max_align_t)
};

struct lw_arena_chunk {
    struct lw_arena_chunk *before;
    size_t size; /* bytes in data */
    size_t fill; /* bytes in use */
    alignas(max_align_t) char data[];
};

void lw_arena_init(struct lw_arena *a, struct lw_mem *mem, size_t cap)
{
    *a = (struct lw_arena){.mem = mem, .cap = cap};
}

static void free_chunk(struct lw_arena *a, struct lw_arena_chunk *c)
{
    lw_mem_free(a->mem, c, sizeof *c + c->size);
}

void lw_arena_release(struct lw_arena *a)
{
    while (a->chunk) {
        struct lw_arena_chunk *before = a->chunk->before;
        free_chunk(a, a->chunk);
        a->chunk = before;
    }
    a->used = 0;
}

void lw_arena_clear(struct lw_arena *a)
{
    struct lw_arena_chunk *keep = NULL;
    while (a->chunk) {
        struct lw_arena_chunk *c = a->chunk;
        a->chunk = c->before;
        if (!keep || c->size > keep->size) {
            if (keep)
                free_chunk(a, keep);
            keep = c;
        } else {
            free_chunk(a, c);
        }
    }
    if (keep) {
        keep->before = NULL;
        keep->fill = 0;
    }
    a->chunk = keep;
    a->used = 0;
}

static bool add_chunk(struct lw_arena *a, size_t at_least)
{
    size_t size = a->chunk ? a->chunk->size : FIRST_CHUNK / 2;
    size = size < LARGEST_STEP ? size * 2 : LARGEST_STEP;
    if (size < at_least)
        size = at_least;
    size_t total;
    if (!lw_add_size(size, sizeof(struct lw_arena_chunk), &total))
        return false;
    struct lw_arena_chunk *c = lw_mem_alloc(a->mem, total);
    if (!c)
        return false;
    c->size = size;
    c->before = a->chunk;
    a->chunk = c;
    return true;
}

static void *take(struct lw_arena *a, size_t n, size_t align)
{
    struct lw_arena_chunk *c = a->chunk;
    size_t start = c ? (c->fill + align - 1) & ~(align - 1) : 0;
    size_t gap = c ? start - c->fill : 0;
    bool full = !c || start > c->size || n > c->size - start;
    if (full)
        start = gap = 0;
    /* Before the heap is asked: what is refused must not grow the arena. */
    if (a->cap != 0 && (n > a->cap - a->used || gap > a->cap - a->used - n))
        return NULL;
    if (full) {
        if (!add_chunk(a, n))
            return NULL;
        c = a->chunk;
    }
    c->fill = start + n;
    a->used += gap + n;
    return c->data + start;
}

void *lw_arena_alloc(struct lw_arena *a, size_t n)
{
    void *p = take(a, n, ALIGN);
    /* Chunks come zeroed from the heap but are reused after clear and rewind. */
    if (p)
        memset(p, 0, n);
    return p;
}

void *lw_arena_array(struct lw_arena *a, size_t count, size_t size)
{
    size_t n;
    return lw_mul_size(count, size, &n) ? lw_arena_alloc(a, n) : NULL;
}

char *lw_arena_bytes(struct lw_arena *a, size_t n)
{
    return take(a, n, 1);
}

struct lw_str lw_arena_copy(struct lw_arena *a, struct lw_str text)
{
    size_t n;
    char *p = lw_add_size(text.n, 1, &n) ? lw_arena_bytes(a, n) : NULL;
    if (!p)
        return (struct lw_str){NULL, 0};
    if (text.n)
        memcpy(p, text.p, text.n);
    p[text.n] = '\0';
    return (struct lw_str){p, text.n};
}

struct lw_str lw_arena_printf(struct lw_arena *a, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *p = n < 0 ? NULL : lw_arena_bytes(a, (size_t)n + 1);
    if (p)
        vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    return p ? (struct lw_str){p, (size_t)n} : (struct lw_str){NULL, 0};
}

struct lw_arena_mark lw_arena_mark(const struct lw_arena *a)
{
    return (struct lw_arena_mark){a->chunk, a->chunk ? a->chunk->fill : 0, a->used};
}

void lw_arena_rewind(struct lw_arena *a, struct lw_arena_mark mark)
{
    while (a->chunk != mark.chunk) {
        struct lw_arena_chunk *before = a->chunk->before;
        free_chunk(a, a->chunk);
        a->chunk = before;
    }
    if (a->chunk)
        a->chunk->fill = mark.fill;
    a->used = mark.used;
}

size_t lw_arena_held(const struct lw_arena *a)
{
    size_t n = 0;
    for (const struct lw_arena_chunk *c = a->chunk; c; c = c->before)
        n += sizeof *c + c->size;
    return n;
}
