/*
 * columns - see the header. Each kind of row is a table of its fields; putting and getting walk
 * over that table with one column in between.
 */
#include "trace/columns.h"

#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "trace/block.h"

enum field_kind { FIELD_CLIMBS, FIELD_WORD, FIELD_LONG, FIELD_BYTES };

struct field {
    size_t offset;
    enum field_kind kind;
    size_t bytes; /* of FIELD_BYTES */
};

struct layout {
    size_t size; /* of a row in memory */
    const struct field *fields;
    size_t count;
};

#define F(type, member, kind)                  \
    {                                          \
        offsetof(struct type, member), kind, 0 \
    }
#define LAYOUT(type, table)                                         \
    {                                                               \
        sizeof(struct type), table, sizeof(table) / sizeof *(table) \
    }

static const struct field point_fields[] = {
    F(lw_trace_point, id, FIELD_CLIMBS), F(lw_trace_point, step, FIELD_CLIMBS),
    F(lw_trace_point, time, FIELD_WORD), F(lw_trace_point, value, FIELD_LONG)};

static const struct field event_fields[] = {
    F(lw_trace_event, id, FIELD_CLIMBS), F(lw_trace_event, step, FIELD_CLIMBS),
    F(lw_trace_event, subject, FIELD_CLIMBS), F(lw_trace_event, value, FIELD_LONG)};

static const struct field row_fields[] = {
    F(lw_trace_row, id, FIELD_CLIMBS),
    F(lw_trace_row, step, FIELD_CLIMBS),
    F(lw_trace_row, stats.n, FIELD_LONG),
    F(lw_trace_row, stats.seen, FIELD_WORD),
    F(lw_trace_row, stats.nan, FIELD_WORD),
    F(lw_trace_row, stats.inf, FIELD_WORD),
    F(lw_trace_row, stats.zeros, FIELD_WORD),
    F(lw_trace_row, stats.min, FIELD_WORD),
    F(lw_trace_row, stats.max, FIELD_WORD),
    F(lw_trace_row, stats.mean, FIELD_WORD),
    F(lw_trace_row, stats.sd, FIELD_WORD),
    F(lw_trace_row, stats.skewness, FIELD_WORD),
    F(lw_trace_row, stats.kurtosis, FIELD_WORD),
    F(lw_trace_row, stats.median, FIELD_WORD),
    F(lw_trace_row, stats.norm, FIELD_WORD),
    F(lw_trace_row, stats.sparsity, FIELD_WORD),
    {offsetof(struct lw_trace_row, stats.bins), FIELD_BYTES, LW_STATS_BINS},
};

static const struct layout point_layout = LAYOUT(lw_trace_point, point_fields);
static const struct layout event_layout = LAYOUT(lw_trace_event, event_fields);
static const struct layout row_layout = LAYOUT(lw_trace_row, row_fields);

static size_t field_size(const struct field *f)
{
    static const size_t sizes[] = {4, 4, 8};
    return f->kind == FIELD_BYTES ? f->bytes : sizes[f->kind];
}

static void gather(char *column, const char *rows, const struct layout *l,
                   const struct field *f, size_t n)
{
    size_t size = field_size(f);
    for (size_t i = 0; i < n; i++)
        memcpy(column + i * size, rows + i * l->size + f->offset, size);
}

static void scatter(char *rows, const char *column, const struct layout *l,
                    const struct field *f, size_t n)
{
    size_t size = field_size(f);
    for (size_t i = 0; i < n; i++)
        memcpy(rows + i * l->size + f->offset, column + i * size, size);
}

static int put_column(struct lw_buf *out, const struct field *f, void *column, size_t n)
{
    switch (f->kind) {
    case FIELD_CLIMBS: return lw_column_put32(out, column, n, true);
    case FIELD_WORD: return lw_column_put32(out, column, n, false);
    case FIELD_LONG: return lw_column_put64(out, column, n);
    case FIELD_BYTES: return lw_buf_add(out, lw_str_n(column, n * f->bytes));
    }
    return LW_EBUG;
}

static bool get_column(struct lw_str *in, const struct field *f, void *column, size_t n)
{
    switch (f->kind) {
    case FIELD_CLIMBS: return lw_column_get32(in, column, n, true);
    case FIELD_WORD: return lw_column_get32(in, column, n, false);
    case FIELD_LONG: return lw_column_get64(in, column, n);
    case FIELD_BYTES:
        if (in->n / f->bytes < n)
            return false;
        memcpy(column, in->p, n * f->bytes);
        *in = lw_str_from(*in, n * f->bytes);
        return true;
    }
    return false;
}

enum { WIDEST = LW_STATS_BINS };

static int put_rows(struct lw_buf *out, const struct layout *l, const void *rows, size_t n)
{
    _Alignas(8) char column[LW_BLOCK_ROWS_MOST * WIDEST];
    uint32_t count = (uint32_t)n;
    LW_BUG_ON(n > LW_BLOCK_ROWS_MOST);
    int rc = lw_column_put32(out, &count, 1, false);
    for (size_t i = 0; rc == 0 && i < l->count; i++) {
        gather(column, rows, l, &l->fields[i], n);
        rc = put_column(out, &l->fields[i], column, n);
    }
    return rc;
}

static bool get_rows(struct lw_str payload, const struct layout *l, void *rows)
{
    _Alignas(8) char column[LW_BLOCK_ROWS_MOST * WIDEST];
    size_t n = lw_columns_count(payload);
    if (n == 0)
        return false;
    payload = lw_str_from(payload, 4);
    for (size_t i = 0; i < l->count; i++) {
        if (!get_column(&payload, &l->fields[i], column, n))
            return false;
        scatter(rows, column, l, &l->fields[i], n);
    }
    return payload.n == 0;
}

size_t lw_columns_count(struct lw_str payload)
{
    uint32_t n;
    return lw_column_get32(&payload, &n, 1, false) && n <= LW_BLOCK_ROWS_MOST ? n : 0;
}

int lw_points_put(struct lw_buf *out, const struct lw_trace_point *v, size_t n)
{
    return put_rows(out, &point_layout, v, n);
}

int lw_rows_put(struct lw_buf *out, const struct lw_trace_row *v, size_t n)
{
    return put_rows(out, &row_layout, v, n);
}

int lw_events_put(struct lw_buf *out, const struct lw_trace_event *v, size_t n)
{
    return put_rows(out, &event_layout, v, n);
}

bool lw_points_get(struct lw_str payload, struct lw_trace_point *v)
{
    return get_rows(payload, &point_layout, v);
}

bool lw_rows_get(struct lw_str payload, struct lw_trace_row *v)
{
    return get_rows(payload, &row_layout, v);
}

bool lw_events_get(struct lw_str payload, struct lw_trace_event *v)
{
    return get_rows(payload, &event_layout, v);
}
