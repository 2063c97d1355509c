/*
 * flow_internal - what the parts of the flow builder share. The parts: flow_build makes blocks,
 * points and edges; flow_events the uses and definitions of a point; flow_order dominators and
 * control dependence; flow_values what reaches each use.
 */
#ifndef LW_SOURCE_FLOW_INTERNAL_H
#define LW_SOURCE_FLOW_INTERNAL_H

#include "source/flow_graph.h"

/* Uses and definitions of a point, while it is collected. */
struct flow_events {
    struct lw_flow *f;
    LW_VEC(uint8_t) binds;                /* by node: binding kind + 1 */
    LW_VEC(uint8_t) in_lambda;            /* by scope */
    LW_VEC(uint32_t) self_of;             /* by scope: symbol of the method's first parameter */
    LW_VEC(uint32_t) class_of;            /* by scope: class whose method it is in */
    LW_VEC(struct lw_flow_event) late;    /* definitions that happen after the rest */
    LW_VEC(struct lw_flow_event) pending; /* of `:=`, innermost last; next is the NAMED */
};

int flow_events_init(struct flow_events *e, struct lw_flow *f);
void flow_events_release(struct flow_events *e);

/* Appends the events of the point, which is the next to be added. */
int flow_collect(struct flow_events *e, uint32_t node, enum lw_flow_part part);

/* Dominators, post-dominators and control dependence of a graph whose edges are in place. */
int flow_order(struct lw_flow *f, uint32_t graph);

/* Values of all uses of all graphs. */
int flow_values(struct lw_flow *f);

#endif
