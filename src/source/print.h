/*
 * print - tokens and trees as text for people and as JSON for programs.
 *
 * Positions are line (from 1) and column (from 0, in bytes). JSON nodes are a flat list in text
 * order, parents first, each with the index of its parent, so that deep trees can be written
 * and read without recursion.
 */
#ifndef LW_SOURCE_PRINT_H
#define LW_SOURCE_PRINT_H

#include "base/jsonw.h"
#include "base/sink.h"
#include "source/tree.h"

/* One line per token and trivia, in text order. */
void lw_print_tokens(struct lw_sink *out, struct lw_tree *t);
void lw_json_tokens(struct lw_jsonw *w, struct lw_tree *t);

/* One line per node, indented by depth. */
void lw_print_tree(struct lw_sink *out, struct lw_tree *t);
void lw_json_tree(struct lw_jsonw *w, struct lw_tree *t);

/* Errors and Python 2 marks. */
void lw_print_errors(struct lw_sink *out, struct lw_tree *t, struct lw_str path);
void lw_json_errors(struct lw_jsonw *w, struct lw_tree *t);

/* "line", "column", "end_line", "end_column" of a byte range, in an open object. */
void lw_json_range(struct lw_jsonw *w, struct lw_tree *t, uint32_t start, uint32_t end);

#endif
