/*
 * hint - what a rule knows about the remedy of what it reports, for the maker of its fix.
 */
#ifndef LW_CHECK_FIX_HINT_H
#define LW_CHECK_FIX_HINT_H

#include "check/engine/engine.h"

/* What a rule knows about the remedy besides what it reports. All borrowed. */
struct ck_hint {
    struct lw_str meant;            /* the right spelling of what the finding is about, */
    struct lw_str was;              /* and how it is written now, where that is not plain */
    const struct ck_object *object; /* that takes part: a model, an optimizer, a layer */
    uint32_t node;                  /* a place in the finding's file; 0: none */
    uint32_t from, to;              /* bytes that are wrong; 0: those of the finding's node */
    const struct lw_api *api;       /* of a call: the entry, */
    enum lw_api_side side;
    const struct lw_problem *problem; /* what its tables say, */
    const struct lw_arg *args;        /* and the arguments, with self */
    size_t arg_count;
};

#endif
