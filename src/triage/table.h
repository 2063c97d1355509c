/*
 * table - the CSV files of data/triage as rows of fields.
 */
#ifndef LW_TRIAGE_TABLE_H
#define LW_TRIAGE_TABLE_H

#include "base/arena.h"
#include "lacewing.h"

struct triage_table {
    struct lw_str *fields; /* row after row; in the arena */
    size_t columns, n;     /* rows, without the header */
};

/* Reads the embedded file, which has that many columns. */
int triage_table_load(struct triage_table *t, struct lw_arena *arena, struct lw_str name,
                      size_t columns, struct lw_err *err);

size_t triage_count_lines(struct lw_str text);

static inline const struct lw_str *triage_table_row(const struct triage_table *t, size_t row)
{
    return t->fields + row * t->columns;
}

#endif
