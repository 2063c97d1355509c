/*
 * Labels: how many columns one-hot codes have when nobody says it. to_categorical() counts the
 * classes that are there; for the labels of a data set that comes with a library they are
 * known, as long as all kinds of rows are still among them.
 */
#include "base/str.h"
#include "check/lib.h"
#include "check/look.h"

enum { MOST_CLASSES = 1000, MAX_STEPS = 8 };

/* Is every class of the data set still there? Parts that were picked at random have them all;
 * of a slice or a condition nobody knows. */
static bool has_all_classes(struct ck *c, struct lw_value y)
{
    for (unsigned i = 0; i < MAX_STEPS; i++) {
        y = look_through(c, y);
        const struct ck_origin *o = ck_origin_of(c, y);
        if (!o || (o->api && o->api->kind == LW_API_DATASET))
            return true; /* the pairs that a data set is loaded as have no origin of their own
                          */
        if (!o->in_count || !look_is(look_tail(o->op), "train_test_split"))
            return false;
        y = o->in[0];
    }
    return false;
}

static void one_hot(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value y = ck_slot_value(call, "y");
    const struct lw_tensor *from = ck_tensor_of(y), *to = ck_tensor_of(*value);
    if (!from || !to || ck_slot_value(call, "num_classes").kind != LW_V_NONE ||
        !look_known_range(from) || !(from->range.flags & LW_IV_WHOLE) || from->range.lo != 0 ||
        from->range.hi < 1 || from->range.hi >= MOST_CLASSES ||
        !lw_shape_has_rank(&to->shape) || to->shape.n < 2 || !has_all_classes(c, y))
        return;
    struct lw_tensor t = *to;
    t.shape.d[t.shape.n - 1] = lw_dim_int((int32_t)from->range.hi + 1);
    *value = ck_tensor(c, &t);
}

const struct ck_handler ck_handlers_labels[] = {
    {"keras.utils.to_categorical", one_hot},
    {NULL, NULL},
};
