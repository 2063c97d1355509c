/*
 * network - a model from what a report says about it: "an MLP 6-24-24-3 with ReLU", "Flatten -
 * Linear - ReLU - Linear", "logistic regression".
 */
#ifndef LW_REPRODUCE_NETWORK_H
#define LW_REPRODUCE_NETWORK_H

#include "reproduce/facts.h"

/* Python text that makes it, in the program's framework; `name` is that of the model or of the
 * function that makes it. Empty: the report does not describe one. */
struct lw_str rp_network_text(struct rp_program *p, const struct rp_facts *f,
                              struct lw_str name);

#endif
