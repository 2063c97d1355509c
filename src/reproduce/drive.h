/*
 * drive - makes a program do something: calls of what it only defines, the training step where
 * it was left out, and the numbers that the report talks about.
 */
#ifndef LW_REPRODUCE_DRIVE_H
#define LW_REPRODUCE_DRIVE_H

#include "reproduce/build.h"

int rp_drive(struct rp_program *p, const struct rp_candidate *c, struct lw_err *err);

#endif
