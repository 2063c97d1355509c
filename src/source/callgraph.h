/*
 * callgraph - who calls whom and who imports whom, in a file and across a project.
 *
 * In: the flow of a file, borrowed, which must outlive the calls. Out: one record per CALL in
 * text order, owned until release. A call reaches a definition of the same file by name,
 * through self, cls, super() and class names; with a project, imported names are followed into
 * its other files; a call of a class reaches its `__init__` where it has one. What is called
 * through variables, parameters and other objects is not known: it reaches nothing.
 */
#ifndef LW_SOURCE_CALLGRAPH_H
#define LW_SOURCE_CALLGRAPH_H

#include "source/flow_view.h"

struct lw_call {
    uint32_t node;   /* the CALL */
    uint32_t point;  /* that evaluates it, or LW_FLOW_NONE */
    uint32_t graph;  /* that it is in */
    uint32_t callee; /* FUNCTION or CLASS of this file, or LW_NO_NODE */
};

struct lw_calls {
    struct lw_mem *mem;      /* borrowed */
    const struct lw_flow *f; /* borrowed */
    LW_VEC(struct lw_call) v;
};

void lw_calls_init(struct lw_calls *c, struct lw_mem *mem);
void lw_calls_release(struct lw_calls *c);
int lw_calls_build(struct lw_calls *c, const struct lw_flow *f, struct lw_err *err);

/* The FUNCTION whose body a call of the definition runs: itself, `__init__` of a class, or
 * LW_NO_NODE. */
uint32_t lw_calls_body(const struct lw_names *n, uint32_t definition);

/* A node per module, function, class that calls or is called, and per dotted name from outside;
 * an edge per call, in text order. `project` and `module` may be NULL; names then are of this
 * file only. Several files may be added to one view. */
int lw_view_calls(struct lw_view *v, const struct lw_calls *c, struct lw_tree *t,
                  struct lw_project *project, struct lw_module *module, struct lw_err *err);

/* A node per module, an edge per import with its line; modules outside the project are
 * "external". */
int lw_view_imports(struct lw_view *v, struct lw_tree *t, struct lw_str path,
                    struct lw_project *project, struct lw_module *module, struct lw_err *err);

#endif
