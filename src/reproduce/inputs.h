/*
 * inputs - definitions for names that no import explains: data, models, optimizers, functions,
 * classes, numbers.
 */
#ifndef LW_REPRODUCE_INPUTS_H
#define LW_REPRODUCE_INPUTS_H

#include "reproduce/build.h"

struct rp_inputs {
    struct rp_program *p;
    struct rp_candidate *c;
    struct rp_need *needs; /* that are left */
    size_t count;
    struct lw_reproduction *out; /* gets the files that the program reads */
    bool numpy, has_numpy;       /* the stand-ins use it; it is imported */
    bool torch_used, torch;
    bool os;
    bool samples; /* stand_in_samples is used */
};

void rp_inputs_define(struct rp_inputs *in);

#endif
