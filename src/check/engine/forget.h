/*
 * forget - what is not known any more where a function is run that nothing was seen to call.
 *
 * The values at hand are those that the module code and __init__ left. Before somebody calls
 * the function, other parts of the program may have run: they fill what is empty, add to sums,
 * set items and attributes. Those values become unknown on the heap; who asks undoes it.
 */
#ifndef LW_CHECK_ENGINE_FORGET_H
#define LW_CHECK_ENGINE_FORGET_H

#include "check/engine/engine.h"

/* What other methods of the object change, before `f` is called with it. `self` may be
 * anything: only objects of the program's classes have such methods. */
void forget_before(struct ck *c, const struct ck_object *f, struct lw_value self);

/* Variables and their values before; release with lw_vec_release. */
typedef LW_VEC(struct ck_change) forget_changes;

/* `cache = None` in the module: a function that is called later finds something else there.
 * Once for all functions, or many of both would take their product. */
void forget_globals(struct ck *c, struct ck_file *f, forget_changes *out);
/* Gives back the values of those that nothing was assigned to in between. */
void forget_undo(struct ck *c, const forget_changes *changes);

#endif
