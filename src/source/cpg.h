/*
 * cpg - the code property graph: syntax, control and data of a file in one graph.
 *
 * In: the flow and the calls of a file, borrowed. Out: nodes and edges, owned until release,
 * 32-bit indices throughout. Nodes 0 … tree nodes - 1 are the nodes of the syntax tree under
 * the same numbers; then one exit per flow graph (its entry is the MODULE or FUNCTION itself).
 *
 * Edges, from -> to:
 *
 *   syntax    parent -> child, in text order; `detail` is the role (enum lw_role)
 *
 *   control   statement -> the next one run; detail is enum lw_flow_edge_kind. Blocks are
 *             resolved: the edge begins at the last point of one and ends at the first of the
 *             next that is not empty
 *
 *   depends   the statement that decides -> the first statement of each block that depends on
 *             it; detail is the edge kind
 *
 *   data      defining node -> using node; detail is the symbol. Through a merge the edges are
 *             definition -> use for each; at most LW_FLOW_REACH of them a use, `partial` counts
 *             the uses that have more
 *
 *   calls     CALL -> FUNCTION or CLASS of this file
 */
#ifndef LW_SOURCE_CPG_H
#define LW_SOURCE_CPG_H

#include "source/callgraph.h"

enum lw_cpg_edge_kind {
    LW_CPG_SYNTAX,
    LW_CPG_CONTROL,
    LW_CPG_DEPENDS,
    LW_CPG_DATA,
    LW_CPG_CALLS,
};

struct lw_cpg_edge {
    uint32_t from;
    uint32_t to;
    uint32_t detail;
    uint8_t kind; /* enum lw_cpg_edge_kind */
};

struct lw_cpg {
    struct lw_mem *mem;      /* borrowed */
    const struct lw_flow *f; /* borrowed */
    uint32_t tree_nodes;
    uint32_t node_count;              /* tree nodes, then an exit per graph */
    LW_VEC(struct lw_cpg_edge) edges; /* syntax, control, depends, data, calls, each in order */
    uint32_t partial;
};

void lw_cpg_init(struct lw_cpg *g, struct lw_mem *mem);
void lw_cpg_release(struct lw_cpg *g);
int lw_cpg_build(struct lw_cpg *g, const struct lw_calls *calls, struct lw_err *err);

const char *lw_cpg_edge_name(enum lw_cpg_edge_kind kind); /* "syntax"; static */

/* A node per syntax node (n12) and exit (x0). */
void lw_view_cpg(struct lw_view *v, const struct lw_cpg *g, struct lw_tree *t);

#endif
