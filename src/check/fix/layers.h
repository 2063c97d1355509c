/*
 * layers - edits of the calls that make layers, of their activations, and of losses.
 *
 * Part of the vocabulary of fix.h: what a call cannot be sure of is left undone, so that the
 * finding has no fix.
 */
#ifndef LW_CHECK_FIX_LAYERS_H
#define LW_CHECK_FIX_LAYERS_H

#include "check/fix/fix.h"

/* The call that made the layer, when it is in this file. */
uint32_t fix_made_at(const struct fix *f, const struct ck_object *o);
/* The call that made the layer of the hint; else what is called, or the finding's own call. */
uint32_t fix_layer_call(const struct fix *f);
/* `model.add(layer)` as a statement of its own; LW_NO_NODE. */
uint32_t fix_add_statement(const struct fix *f, uint32_t layer);
/* Is the node an item of a list of layers, or one of the arguments of Sequential? */
bool fix_is_layer_item(const struct fix *f, uint32_t layer);
/* Leaves out the argument of the layer. */
void fix_drop_argument(struct fix *f, const char *name);

/* Takes the activation away, whatever it was written as: an argument of the layer, a layer of
 * its own, or a function. `node` is where it is applied. */
void fix_remove_activation(struct fix *f, uint32_t node, const struct ck_object *layer,
                           struct lw_str name);
/* The literal that names the activation of the layer that was made at `call`; LW_NO_NODE. */
uint32_t fix_activation_string(const struct fix *f, uint32_t call, struct lw_str was);
void fix_swap_activation(struct fix *f, uint32_t call, struct lw_str was, struct lw_str is);
/* softmax(x, dim=1) -> sigmoid(x), of the same module where that has it. */
void fix_swap_function(struct fix *f, uint32_t call, const char *was, const char *is);

/* The only call of a class or function of that name in the file, the only text of that content;
 * LW_NO_NODE. */
uint32_t fix_only_call(const struct fix *f, const char *name);
uint32_t fix_only_string(const struct fix *f, const char *content);
/* Another loss, named by the only text of the file that says `was`. */
void fix_swap_loss(struct fix *f, const char *was, const char *is);

#endif
