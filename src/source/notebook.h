/*
 * notebook - the code cells of a Jupyter notebook as one text.
 *
 * In: the JSON of a notebook (format 3 or 4). Out: the code cells one after the other, each
 * ended by a line feed, and a map from lines of that text back to cell and line; both live in
 * the caller's arena. A cell that `%%magic` hands to another language keeps its place as an
 * empty one; `%%time` and its like leave Python code and are trivia to the lexer.
 */
#ifndef LW_SOURCE_NOTEBOOK_H
#define LW_SOURCE_NOTEBOOK_H

#include "base/arena.h"

struct lw_cell {
    uint32_t number;     /* among all cells of the notebook, from 1 */
    uint32_t first_line; /* of the text, from 1 */
    uint32_t line_count; /* 0: the cell is not Python */
};

struct lw_notebook {
    struct lw_cell *cells; /* the code cells, in order */
    uint32_t cell_count;
};

/* LW_EINVAL when the text is no JSON or no notebook. */
int lw_notebook_read(struct lw_notebook *nb, struct lw_str *text, struct lw_arena *arena,
                     struct lw_str json, struct lw_err *err);

/* The cell that holds the line of the text (from 1), and the line within it (from 1); NULL when
 * the line is past the end. */
const struct lw_cell *lw_notebook_locate(const struct lw_notebook *nb, uint32_t line,
                                         uint32_t *line_in_cell);

#endif
