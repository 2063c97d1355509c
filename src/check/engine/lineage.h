/*
 * lineage - what a value was computed from: the origins of tensors, followed back.
 *
 * Nothing is changed or reported. Walks see a tensor once and are bounded; what is beyond is
 * "not known".
 */
#ifndef LW_CHECK_ENGINE_LINEAGE_H
#define LW_CHECK_ENGINE_LINEAGE_H

#include "check/engine/engine.h"

/* Has the tensor a range of which both ends are known and finite? */
bool lineage_known_range(const struct lw_tensor *t);

/* The largest value that an element can have, as far as the range says. */
double lineage_top(const struct lw_tensor *t);

/* Every tensor that `v` was computed from, itself included, is given to `visit` once with its
 * origin (NULL at a source); false ends the walk. Returns false when something on the way is
 * not known, when `visit` ended it, or when there is too much. */
typedef bool lineage_visit(void *data, struct lw_value v, const struct ck_origin *origin);
bool lineage_walk(struct ck *c, struct lw_value v, lineage_visit *visit, void *data);
/* The same, but not behind detach() and the like. */
bool lineage_walk_gradient(struct ck *c, struct lw_value v, lineage_visit *visit, void *data);

/* The operation that made `v` of operands, when its name (without modules) is one of these. */
const struct ck_origin *lineage_made_by(struct ck *c, struct lw_value v,
                                        const char *const *names, size_t n);

/* What a function or method is applied to: x of x.f() and f(x). */
struct lw_value lineage_operand(const struct ck_call *call);

/* The argument that the call of a function got for a parameter, or its default; ABSENT: none.
 */
struct lw_value lineage_slot(const struct ck_origin *o, const char *name);

/* The tensor that only changed its type, place or outer form to become `v`. */
struct lw_value lineage_through(struct ck *c, struct lw_value v);

/* The place where `v` became what it is in type: where it was made, read or cast, and all
 * behind that only took it as it was; 0: not known. */
uint32_t lineage_typed_at(struct ck *c, struct lw_value v);

/* The tensor of which `v` is some rows, in another type perhaps. */
struct lw_value lineage_whole(struct ck *c, struct lw_value v);

/* The operation without a gradient (argmax, rounding, numpy…) through which alone `v` depends
 * on `on`, a tensor that has an origin; NULL when there is another way, or none, or when
 * something on the way is not known. */
const struct ck_origin *lineage_gradient_cut(struct ck *c, struct lw_value v,
                                             struct lw_value on);
/* Is the result of the operation without a gradient? */
bool lineage_cuts_gradient(const struct ck_origin *o, const struct lw_tensor *t);

#endif
