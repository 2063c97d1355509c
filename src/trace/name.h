/*
 * name - what an id of a trace stands for.
 */
#ifndef LW_TRACE_NAME_H
#define LW_TRACE_NAME_H

#include "lacewing.h"

enum lw_trace_role {
    LW_SERIES_METRIC,          /* points: "loss", "val_accuracy" */
    LW_SERIES_SETTING,         /* points: what the program sets: "lr", "batch_size" */
    LW_SERIES_INPUT,           /* rows: what goes into the model, a batch */
    LW_SERIES_TARGET,          /* rows: what the loss compares with */
    LW_SERIES_OUTPUT,          /* rows: what a layer returns */
    LW_SERIES_OUTPUT_GRADIENT, /* rows: the gradient of that */
    LW_SERIES_WEIGHT,          /* rows: a parameter */
    LW_SERIES_GRADIENT,        /* rows: its gradient before the step */
    LW_SERIES_UPDATE,          /* rows: what the step added to it */
    LW_SERIES_EVENT,           /* events: "backward", "step", "zero_grad" */
    LW_SERIES_ROLES
};

const char *lw_trace_role_name(enum lw_trace_role role); /* "output-gradient"; static */
/* LW_SERIES_ROLES when there is none of that name. */
enum lw_trace_role lw_trace_role_find(struct lw_str name);

/* Ids are below this, so that a table by id is small. */
enum { LW_TRACE_IDS = 1 << 20 };

/* Texts are borrowed from who hands it out. */
struct lw_trace_name {
    uint32_t id;
    enum lw_trace_role role;
    struct lw_str name;  /* "fc1.weight", "loss" */
    struct lw_str layer; /* of a tensor, may be empty: "fc1" */
    struct lw_str path;  /* where the program makes it, may be empty */
    uint32_t line;       /* 0 = not known */
};

#endif
