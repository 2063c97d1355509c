#include "base/buf.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

void lw_buf_init(struct lw_buf *b, struct lw_mem *mem, size_t max)
{
    *b = (struct lw_buf){.mem = mem, .max = max ? max : LW_BUF_MAX};
}

void lw_buf_release(struct lw_buf *b)
{
    lw_mem_free(b->mem, b->p, b->room);
    lw_buf_init(b, b->mem, b->max);
}

void lw_buf_clear(struct lw_buf *b)
{
    b->n = 0;
    b->failed = 0;
    if (b->p)
        b->p[0] = '\0';
}

/* Room for `more` bytes and the NUL. */
static int reserve(struct lw_buf *b, size_t more)
{
    if (b->failed)
        return b->failed;
    if (more > b->max - b->n)
        return b->failed = LW_ELIMIT;
    if (more >= SIZE_MAX / 2 - b->n) /* so that doubling cannot wrap */
        return b->failed = LW_ENOMEM;
    size_t want = b->n + more + 1;
    if (want <= b->room)
        return 0;
    size_t room = b->room ? b->room : 64;
    while (room < want)
        room *= 2;
    char *p = lw_mem_realloc(b->mem, b->p, b->room, room);
    if (!p)
        return b->failed = LW_ENOMEM;
    b->p = p;
    b->room = room;
    return 0;
}

int lw_buf_add(struct lw_buf *b, struct lw_str s)
{
    int rc = reserve(b, s.n);
    if (rc < 0)
        return rc;
    if (s.n)
        memcpy(b->p + b->n, s.p, s.n);
    b->n += s.n;
    b->p[b->n] = '\0';
    return 0;
}

int lw_buf_addz(struct lw_buf *b, const char *z)
{
    return lw_buf_add(b, lw_str(z));
}

int lw_buf_add_char(struct lw_buf *b, char c)
{
    return lw_buf_add(b, lw_str_n(&c, 1));
}

int lw_buf_vaddf(struct lw_buf *b, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    if (n < 0 && !b->failed)
        b->failed = LW_ELIMIT; /* beyond INT_MAX, or not expressible in the locale */
    int rc = n < 0 ? b->failed : reserve(b, (size_t)n);
    if (rc == 0) {
        vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
        b->n += (size_t)n;
    }
    va_end(again);
    return rc;
}

int lw_buf_addf(struct lw_buf *b, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int rc = lw_buf_vaddf(b, fmt, args);
    va_end(args);
    return rc;
}

int lw_buf_fill(struct lw_buf *b, char c, size_t n)
{
    int rc = reserve(b, n);
    if (rc < 0)
        return rc;
    memset(b->p + b->n, c, n);
    b->n += n;
    b->p[b->n] = '\0';
    return 0;
}

char *lw_buf_room(struct lw_buf *b, size_t n)
{
    return reserve(b, n) < 0 ? NULL : b->p + b->n;
}

void lw_buf_took(struct lw_buf *b, size_t n)
{
    b->n += n;
    b->p[b->n] = '\0';
}

void lw_buf_cut(struct lw_buf *b, size_t n)
{
    if (n >= b->n)
        return;
    b->n = n;
    b->p[n] = '\0';
}

struct lw_str lw_buf_str(const struct lw_buf *b)
{
    return (struct lw_str){lw_buf_z(b), b->n};
}

const char *lw_buf_z(const struct lw_buf *b)
{
    return b->p ? b->p : "";
}
