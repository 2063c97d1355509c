/*
 * Labels: how many classes there are when nobody says it. to_categorical() and unique() count
 * those that are there; for the labels of a data set that comes with a library they are known,
 * as long as all kinds of rows are still among them.
 */
#include "base/str.h"
#include "check/engine/lineage.h"
#include "check/engine/text.h"
#include "check/models/models.h"

enum { MOST_CLASSES = 1000, MAX_STEPS = 8 };

/* Is every class of the data set still there? Parts that were picked at random have them all;
 * of a slice or a condition nobody knows. */
static bool has_all_classes(struct ck *c, struct lw_value y)
{
    for (unsigned i = 0; i < MAX_STEPS; i++) {
        y = lineage_through(c, y);
        const struct ck_origin *o = ck_origin_of(c, y);
        if (!o || (o->api && o->api->kind == LW_API_DATASET))
            return true; /* the pairs that a data set is loaded as have no origin of their own
                          */
        if (!o->in_count || !text_is(text_tail(o->op), "train_test_split"))
            return false;
        y = o->in[0];
    }
    return false;
}

/* How many classes the labels have; 0: not known. */
static int32_t classes_of(struct ck *c, struct lw_value y)
{
    const struct lw_tensor *t = ck_tensor_of(y);
    if (!t || !lineage_known_range(t) || !(t->range.flags & LW_IV_WHOLE) || t->range.lo != 0 ||
        t->range.hi < 1 || t->range.hi >= MOST_CLASSES || !has_all_classes(c, y))
        return 0;
    return (int32_t)t->range.hi + 1;
}

static void set_last(struct ck *c, struct lw_value *value, int32_t n)
{
    struct lw_tensor t = *ck_tensor_of(*value);
    t.shape.d[t.shape.n - 1] = lw_dim_int(n);
    *value = ck_tensor(c, &t);
}

static void one_hot(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value y = ck_slot_value(call, "y");
    const struct lw_tensor *to = ck_tensor_of(*value);
    int32_t n = to && lw_shape_has_rank(&to->shape) && to->shape.n >= 2 &&
                        ck_slot_value(call, "num_classes").kind == LW_V_NONE
                    ? classes_of(c, y)
                    : 0;
    if (n)
        set_last(c, value, n);
}

/* unique() of labels alone; with counts it gives several arrays. */
static void unique(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    const struct lw_tensor *to = ck_tensor_of(*value);
    int32_t n = call->n == 1 && to && lw_shape_has_rank(&to->shape) && to->shape.n == 1
                    ? classes_of(c, call->args[0].value)
                    : 0;
    if (n)
        set_last(c, value, n);
}

const struct ck_handler ck_handlers_labels[] = {
    {"keras.utils.to_categorical", one_hot},
    {"numpy.unique", unique},
    {NULL, NULL},
};
