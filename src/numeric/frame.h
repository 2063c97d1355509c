/*
 * frame - a CSV file as columns of numbers and categories.
 *
 * The first row names the columns. A column whose every non-missing field is a number is
 * numeric; any other is a column of categories, numbered in the order of their first
 * appearance. Missing fields (empty, NA, NaN, null, ? in any case) are NaN in a numeric column
 * and the code LW_MISSING in a column of categories: what to do with them is the caller's
 * business.
 *
 * A row with more or fewer fields than the header is refused with its line. Everything lives in
 * the arena.
 */
#ifndef LW_NUMERIC_FRAME_H
#define LW_NUMERIC_FRAME_H

#include "base/arena.h"
#include "base/csv.h"
#include "lacewing.h"

enum { LW_FRAME_COLUMNS = 100000 };
#define LW_MISSING UINT32_MAX

struct lw_column {
    struct lw_str name;
    bool numeric;
    double *num;           /* (rows), numeric columns */
    uint32_t *code;        /* (rows), categories; < level_count or LW_MISSING */
    struct lw_str *levels; /* (level_count) */
    size_t level_count;
    size_t missing;
};

struct lw_frame {
    struct lw_column *column;
    size_t columns, rows;
};

/* Reads to the end of `csv`, at most `max_rows` rows (0 = 50 million), else LW_ELIMIT. */
int lw_frame_read(struct lw_frame *out, struct lw_arena *arena, struct lw_csv *csv,
                  size_t max_rows, struct lw_err *err);

/* By name, or by number from 1 when no column has that name; LW_ENOENT with a list. */
int lw_frame_find(const struct lw_frame *f, struct lw_str name, size_t *column,
                  struct lw_err *err);

/* The text of a field, for a category; empty when missing or numeric. */
struct lw_str lw_frame_text(const struct lw_frame *f, size_t column, size_t row);

#endif
