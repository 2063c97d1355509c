/*
 * columns - how points, rows and events lie in their blocks; for the writer and the reader.
 *
 * The payload is the number of rows (4 bytes) and then the columns in the order of the fields
 * below. Ids and steps are differences, for they climb.
 */
#ifndef LW_TRACE_COLUMNS_H
#define LW_TRACE_COLUMNS_H

#include "base/buf.h"
#include "trace/stats.h"

struct lw_trace_point {
    uint32_t id, step;
    float time;
    double value;
};

struct lw_trace_row {
    uint32_t id, step;
    struct lw_tensor_stats stats;
};

struct lw_trace_event {
    uint32_t id, step;
    uint32_t subject;
    double value;
};

/* Rows of a block at most: a column of any field then fits on the stack. */
enum { LW_BLOCK_ROWS_MOST = 4096 };

int lw_points_put(struct lw_buf *out, const struct lw_trace_point *v, size_t n);
int lw_rows_put(struct lw_buf *out, const struct lw_trace_row *v, size_t n);
int lw_events_put(struct lw_buf *out, const struct lw_trace_event *v, size_t n);

/* How many rows a payload says it has; 0 when it is too short or has too many. */
size_t lw_columns_count(struct lw_str payload);

/* Reads all rows of the payload into `v`, which has room for lw_columns_count of them; false
 * when it is not exactly that long. */
bool lw_points_get(struct lw_str payload, struct lw_trace_point *v);
bool lw_rows_get(struct lw_str payload, struct lw_trace_row *v);
bool lw_events_get(struct lw_str payload, struct lw_trace_event *v);

#endif
