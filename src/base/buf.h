/*
 * buf - building text.
 *
 * A builder has a maximum size given at birth. The first failure (memory or maximum) sticks:
 * later additions do nothing, so a caller may add many pieces and check once. The text is
 * always NUL-terminated and owned by the builder until `release`.
 */
#ifndef LW_BASE_BUF_H
#define LW_BASE_BUF_H

#include <stdarg.h>

#include "base/mem.h"
#include "lacewing.h"

struct lw_buf {
    struct lw_mem *mem; /* borrowed */
    char *p;            /* NULL before the first byte */
    size_t n;
    size_t room; /* bytes allocated */
    size_t max;  /* longest text allowed */
    int failed;  /* 0, LW_ENOMEM or LW_ELIMIT */
};

enum { LW_BUF_MAX = 1 << 30 };

/* `max` in bytes; 0 stands for LW_BUF_MAX. */
void lw_buf_init(struct lw_buf *b, struct lw_mem *mem, size_t max);
void lw_buf_release(struct lw_buf *b);

/* Empty again, failure forgotten, memory kept. */
void lw_buf_clear(struct lw_buf *b);

/* Each returns the sticky code: 0 or negative. */
int lw_buf_add(struct lw_buf *b, struct lw_str s);
int lw_buf_addz(struct lw_buf *b, const char *z);
int lw_buf_add_char(struct lw_buf *b, char c);
int lw_buf_addf(struct lw_buf *b, const char *fmt, ...) LW_PRINTF(2, 3);
int lw_buf_vaddf(struct lw_buf *b, const char *fmt, va_list args) LW_PRINTF(2, 0);

/* `n` copies of `c`. */
int lw_buf_fill(struct lw_buf *b, char c, size_t n);

/* Room for `n` more bytes at the returned place (NULL on failure); lw_buf_took says how many
 * were written. For read(2). */
char *lw_buf_room(struct lw_buf *b, size_t n);
void lw_buf_took(struct lw_buf *b, size_t n);

/* Cuts the text to its first `n` bytes. */
void lw_buf_cut(struct lw_buf *b, size_t n);

/* Borrowed until the next change. Never NULL. */
struct lw_str lw_buf_str(const struct lw_buf *b);
const char *lw_buf_z(const struct lw_buf *b);

#endif
