/*
 * submodules - what a module of PyTorch is made of.
 *
 * Nothing is changed or kept; objects are borrowed.
 */
#ifndef LW_CHECK_QUERY_SUBMODULES_H
#define LW_CHECK_QUERY_SUBMODULES_H

#include "check/engine/engine.h"

typedef bool submodules_visit(struct ck *c, const struct ck_object *part, const void *data);

/* Does `visit` hold for the module or anything in it? Also where it is nested too deep to see.
 */
bool submodules_any(struct ck *c, const struct ck_object *module, submodules_visit *visit,
                    const void *data);

/* Is it a layer of a framework that has weights of its own? */
bool submodules_is_weighty(const struct ck_object *layer);

#endif
