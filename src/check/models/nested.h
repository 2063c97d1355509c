/*
 * nested - containers of modules that are called: nn.Sequential, keras.Sequential.
 *
 * A container may hold others, and hold one of them many times: n containers that each hold the
 * one before twice stand for two to the n layers. Within the outermost call, a container that
 * gets once more what it got before gives once more what it gave, and is not run again. The
 * first layers are run in any case, so that rules see a deep network as one.
 */
#ifndef LW_CHECK_MODELS_NESTED_H
#define LW_CHECK_MODELS_NESTED_H

#include "check/engine/engine.h"

/* The call of a container begins. True: run its modules, then call nested_leave(). False: `out`
 * is what it gives. */
bool nested_enter(struct ck *c, struct ck_object *o, struct lw_value in, struct lw_value *out);
void nested_leave(struct ck *c, struct ck_object *o, struct lw_value in, struct lw_value out);
/* Runs one of its modules on a value. */
struct lw_value nested_apply(struct ck *c, struct lw_value module, struct lw_value in,
                             uint32_t node);

/* Do the tensors differ in nothing but in how they came to be? */
bool nested_alike(struct lw_value a, struct lw_value b);

#endif
