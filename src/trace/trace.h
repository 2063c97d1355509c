/*
 * trace - a training run as it was recorded: series of numbers, statistics of tensors, events.
 *
 * In: a trace file (docs/formats.md), also one that is still being written, was cut short or is
 * damaged: what can be read is there, and `lost` says in a line what is not. Out: an opaque
 * `lw_trace` that owns everything handed out, until lw_trace_free.
 *
 * A series has one name and its points or rows in the order of their steps; two at one step
 * stay in the order of the file. Events are one list in their order.
 */
#ifndef LW_TRACE_TRACE_H
#define LW_TRACE_TRACE_H

#include <jansson.h>

#include "base/mem.h"
#include "lacewing.h"
#include "trace/columns.h"
#include "trace/name.h"

typedef struct lw_trace lw_trace;

struct lw_trace_series {
    struct lw_trace_name name;
    struct lw_trace_point *points; /* of roles METRIC and SETTING, else NULL */
    struct lw_trace_row *rows;     /* of the others */
    size_t n;
};

int lw_trace_read(lw_trace **trace, struct lw_mem *mem, const char *path, struct lw_err *err);
void lw_trace_free(lw_trace *trace); /* NULL is fine */

size_t lw_trace_series_count(const lw_trace *t);
const struct lw_trace_series *lw_trace_series_at(const lw_trace *t, size_t i);
/* The first series of that role and name, or NULL. */
const struct lw_trace_series *lw_trace_find(const lw_trace *t, enum lw_trace_role role,
                                            struct lw_str name);

size_t lw_trace_event_count(const lw_trace *t);
const struct lw_trace_event *lw_trace_events(const lw_trace *t);
/* What the id of an event or its subject stands for; NULL when the file does not say. */
const struct lw_trace_name *lw_trace_name_of(const lw_trace *t, uint32_t id);

/* Facts about the run: one JSON object, possibly empty. */
const json_t *lw_trace_meta(const lw_trace *t);

/* The largest step. */
uint32_t lw_trace_steps(const lw_trace *t);

/* What could not be read: "the last 312 bytes are not a whole block"; empty when all was. */
struct lw_str lw_trace_lost(const lw_trace *t);

#endif
