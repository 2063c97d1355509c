/*
 * module - the state of PyTorch modules: where their weights are, of which type, and
 * whether gradients are recorded.
 *
 * to(), cuda(), double()… of a module reach the modules it is made of, their parameters and
 * their registered buffers; plain tensors in attributes stay where they are.
 */
#ifndef LW_CHECK_MODELS_MODULE_H
#define LW_CHECK_MODELS_MODULE_H

#include "check/models/models.h"

/* The device of the weights of a library module: a set of LW_CPU…. LW_DEVICE_UNKNOWN when
 * something may have moved them that was not seen. */
uint32_t ck_module_device(struct ck *c, const struct ck_object *o);
/* From now on the device of its weights is not known. */
void ck_module_anywhere(struct ck *c, struct ck_object *o);
/* The element type of its weights. */
lw_dtypes ck_module_dtype(struct ck *c, const struct ck_object *o);
/* What a library module gives, in the type of its weights where the input does not decide. */
struct lw_value ck_module_output(struct ck *c, const struct ck_object *o, struct lw_value v);

/* Inside torch.no_grad() or the like: results need no gradients. */
bool ck_grad_off(const struct ck *c);
/* The value as such code gets it. */
struct lw_value ck_without_grad(struct ck *c, struct lw_value v);

/* The module that a DataParallel wraps; NULL when it is none. */
struct ck_object *ck_wrapped_module(struct ck *c, const struct ck_object *o);

/* The argument of a layer of the library: where nothing is known about it, what the layer asks
 * for, and the variable holds that from then on (takes.c). */
struct lw_value ck_taken(struct ck *c, const struct ck_object *layer, const struct lw_arg *arg);

#endif
