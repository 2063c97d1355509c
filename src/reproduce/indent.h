/*
 * indent - gives back the indentation that a report lost.
 *
 * In: lines of Python whose indentation is wrong somewhere: flattened to the first column, a
 * body level with its header, a block deeper than its place. Out: the same lines, indented by
 * what their keywords say. Blocks that are indented well relative to their header keep their
 * shape.
 */
#ifndef LW_REPRODUCE_INDENT_H
#define LW_REPRODUCE_INDENT_H

#include "base/buf.h"
#include "lacewing.h"

/* Appends `text` with its indentation made anew. */
void rp_indent(struct lw_buf *out, struct lw_str text);

#endif
