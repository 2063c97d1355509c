/*
 * table - rows in columns that fit the terminal.
 *
 * Cells are collected (text copied), then printed with each column as wide as its widest cell;
 * where that is too wide, the columns marked `flexible` give way and their cells are cut with
 * an ellipsis. Without a terminal nothing is cut. All cells are printed terminal-safe.
 */
#ifndef LW_BASE_TABLE_H
#define LW_BASE_TABLE_H

#include "base/arena.h"
#include "base/sink.h"
#include "base/term.h"
#include "base/vec.h"
#include "lacewing.h"

struct lw_table_column {
    const char *title;
    bool right;    /* numbers */
    bool flexible; /* may be narrowed */
};

struct lw_table_cell {
    struct lw_str text;
    enum lw_colour colour;
};

enum { LW_TABLE_COLUMNS = 16 };

struct lw_table {
    struct lw_arena arena;
    const struct lw_table_column *columns; /* borrowed */
    size_t column_count;
    LW_VEC(struct lw_table_cell) cells; /* row after row */
    bool failed;                        /* out of memory: print will say so */
};

/* At most LW_TABLE_COLUMNS columns. */
void lw_table_init(struct lw_table *t, struct lw_mem *mem,
                   const struct lw_table_column *columns, size_t count);
void lw_table_release(struct lw_table *t);

/* Adds the next cell, left to right; a row is complete after `count` of them. */
void lw_table_cell(struct lw_table *t, struct lw_str text);
void lw_table_cell_coloured(struct lw_table *t, struct lw_str text, enum lw_colour colour);
void lw_table_cellf(struct lw_table *t, const char *fmt, ...) LW_PRINTF(2, 3);

/* Header and rows; LW_ENOMEM when a cell could not be kept. */
int lw_table_print(struct lw_table *t, struct lw_sink *out, const struct lw_term *term,
                   struct lw_err *err);

#endif
