/*
 * flow_view - graphs as text for people, JSON for programs and DOT for drawing.
 *
 * Every kind of graph (control flow, data flow, calls, imports, code properties) is turned into
 * a list of nodes and edges with names, in an order that depends only on the source, and
 * printed from there. Texts live in the view's arena or are borrowed from the sources.
 */
#ifndef LW_SOURCE_FLOW_VIEW_H
#define LW_SOURCE_FLOW_VIEW_H

#include "base/jsonw.h"
#include "base/sink.h"
#include "source/flow_graph.h"
#include "source/project.h"

struct lw_view_node {
    struct lw_str name; /* unique in the view: "b3", "f", "pkg.mod.f" */
    const char *kind;   /* static: "block", "FunctionDef" */
    struct lw_str text; /* what it is; may have several lines */
    uint32_t line;      /* from 1; 0 = it has no place in the file */
    uint32_t column;
};

struct lw_view_edge {
    uint32_t from;
    uint32_t to;
    const char *kind;   /* static: "true", "data" */
    struct lw_str text; /* the name that flows, the place of a call; may be empty */
};

struct lw_view {
    struct lw_mem *mem; /* borrowed */
    struct lw_arena arena;
    LW_VEC(struct lw_view_node) nodes;
    LW_VEC(struct lw_view_edge) edges;
    LW_VEC(uint32_t) starts; /* by node: its first edge once they are sorted */
    struct lw_map names;
    bool failed; /* memory ran out; sticks */
};

void lw_view_init(struct lw_view *v, struct lw_mem *mem);
void lw_view_release(struct lw_view *v);

/* Adding; failures stick and are seen by the printers' callers through `failed`. */
uint32_t lw_view_node(struct lw_view *v, struct lw_view_node node);
/* The node of that name, or LW_FLOW_NONE. */
uint32_t lw_view_find(const struct lw_view *v, struct lw_str name);
void lw_view_edge(struct lw_view *v, uint32_t from, uint32_t to, const char *kind,
                  struct lw_str text);

enum lw_view_format { LW_VIEW_TEXT, LW_VIEW_JSON, LW_VIEW_DOT };

/* Edges follow their `from` node in the order they were added. LW_ENOMEM also when adding had
 * failed. JSON: "nodes" and "edges" in an open object. */
int lw_view_print(struct lw_view *v, struct lw_sink *out, struct lw_str title,
                  struct lw_err *err);
int lw_view_dot(struct lw_view *v, struct lw_sink *out, struct lw_str title,
                struct lw_err *err);
int lw_view_json(struct lw_view *v, struct lw_jsonw *w, struct lw_err *err);

/* ---- What can be viewed ----------------------------------------------------------------- */

/* A node per block; its text lists points with their uses and definitions: `x` used, `=x`
 * defined, `~x` weakly defined, `!x` deleted; `x?` free or unbound. */
void lw_view_control(struct lw_view *v, const struct lw_flow *f, struct lw_tree *t);
/* A node per point that has uses or definitions; an edge per definition and use it reaches. */
void lw_view_data(struct lw_view *v, const struct lw_flow *f, struct lw_tree *t);

/* "FunctionDef f", for titles: the qualified name of a MODULE, FUNCTION or CLASS: "A.f"; in
 * the arena. */
struct lw_str lw_view_qualified(struct lw_view *v, const struct lw_tree *t, uint32_t node);
/* Where it begins; of a decorated definition: the `def` or `class`. */
struct lw_position lw_view_place(struct lw_tree *t, uint32_t node);

#endif
