/*
 * scan - walks through a trace file block by block, in memory that does not grow with the file.
 *
 * For work that needs each number once. trace.h keeps everything instead.
 */
#ifndef LW_TRACE_SCAN_H
#define LW_TRACE_SCAN_H

#include <jansson.h>

#include "base/buf.h"
#include "lacewing.h"
#include "trace/columns.h"
#include "trace/name.h"

/* Each function may be NULL; what it gets is borrowed for the call; a negative code ends the
 * walk with that code, `err` filled. */
struct lw_trace_visitor {
    void *self;
    int (*meta)(void *self, json_t *object, struct lw_err *err);
    int (*name)(void *self, const struct lw_trace_name *name, struct lw_err *err);
    int (*points)(void *self, const struct lw_trace_point *v, size_t n, struct lw_err *err);
    int (*rows)(void *self, const struct lw_trace_row *v, size_t n, struct lw_err *err);
    int (*events)(void *self, const struct lw_trace_event *v, size_t n, struct lw_err *err);
};

/* `lost` gets a line about what could not be read, or stays empty: a block that is damaged is
 * passed over, a file that ends inside of a block ends there. LW_EINVAL: not a trace. */
int lw_trace_scan(const char *path, struct lw_mem *mem, const struct lw_trace_visitor *visitor,
                  struct lw_buf *lost, struct lw_err *err);

/* Is the file a trace, by its first bytes? */
bool lw_trace_is(const char *path);

#endif
