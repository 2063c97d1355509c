/*
 * sink - where printed text goes: a stream or a builder.
 *
 * The first failure sticks and later writes do nothing, so printers need not check each piece;
 * the face asks once at the end.
 */
#ifndef LW_BASE_SINK_H
#define LW_BASE_SINK_H

#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "lacewing.h"

struct lw_sink {
    FILE *file;         /* borrowed; or */
    struct lw_buf *buf; /* borrowed */
    int error;          /* 0, or an errno value of the first failed write */
};

struct lw_sink lw_sink_file(FILE *file);
struct lw_sink lw_sink_buf(struct lw_buf *buf);

void lw_put(struct lw_sink *s, struct lw_str text);
void lw_putz(struct lw_sink *s, const char *z);
void lw_put_char(struct lw_sink *s, char c);
void lw_put_fill(struct lw_sink *s, char c, size_t n);
void lw_putf(struct lw_sink *s, const char *fmt, ...) LW_PRINTF(2, 3);

/* As lw_put, with control characters and bytes that are not UTF-8 shown as \xNN, so that no
 * text from outside can drive the terminal. Line feeds and tabs are kept if `keep_lines`. */
void lw_put_safe(struct lw_sink *s, struct lw_str text, bool keep_lines);

/* Flushes; 0 or LW_EIO with a line such as "cannot write output: No space left on device". */
int lw_sink_finish(struct lw_sink *s, struct lw_err *err);

#endif
