/*
 * keras - Keras models of layers: what they take and give (keras.c), which compile()
 * and fit() ask (keras_fit.c).
 *
 * A model is an object of the engine. What is known of it is in its traits (models/traits.h),
 * so that branches of the program are told apart.
 */
#ifndef LW_CHECK_MODELS_KERAS_H
#define LW_CHECK_MODELS_KERAS_H

#include "check/models/models.h"

/* The size of a batch that is not known. */
lw_dim keras_batch_symbol(struct ck *c);
/* The size of the batch of data that a model gets; LW_DIM_UNKNOWN: not known. */
lw_dim keras_batch_of(struct ck *c, struct lw_value x);
/* The output of a functional model for a batch of another size. */
struct lw_value keras_rebatch(struct ck *c, struct lw_value out, lw_dim batch);
/* Reports data `x` at `node` that does not fit the input `in` of the model. */
void keras_check_input(struct ck *c, struct ck_object *o, struct lw_value in, struct lw_value x,
                       uint32_t node);

#endif
