/*
 * types - the words that triage sorts reports by.
 */
#ifndef LW_TRIAGE_TYPES_H
#define LW_TRIAGE_TYPES_H

#include "lacewing.h"

/* What a bug is about. */
enum lw_bug_type {
    LW_TYPE_MODEL,
    LW_TYPE_TENSOR,
    LW_TYPE_TRAINING,
    LW_TYPE_GPU,
    LW_TYPE_API,
    LW_TYPE_DATA,
    LW_TYPE_OTHER,
    LW_TYPE_UNKNOWN,
};
enum { LW_TYPES = LW_TYPE_UNKNOWN };

const char *lw_bug_type_name(enum lw_bug_type type); /* "model"; static */
/* LW_TYPES + 1 when it is none. */
enum lw_bug_type lw_bug_type_find(struct lw_str name);

/* What a report tells: the component information of the reproducibility study. */
enum lw_component {
    LW_COMPONENT_DATA,
    LW_COMPONENT_MODEL,
    LW_COMPONENT_HYPERPARAMETERS,
    LW_COMPONENT_CODE,
    LW_COMPONENT_LOGS,
};
enum { LW_COMPONENTS = LW_COMPONENT_LOGS + 1 };

const char *lw_component_name(enum lw_component component); /* "data"; static */
/* LW_COMPONENTS when it is none. */
enum lw_component lw_component_find(struct lw_str name);

#endif
