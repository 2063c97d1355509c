/* Rules about data sets that a model cannot take. */
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- compile and fit ----------------------------------------------------------------------
 */

/* A tf.data set whose elements are single samples. */
static void watch_unbatched(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = ck_arg(e->call, 0, "x");
    struct ck_object *o = ck_as(x, CK_INSTANCE);
    struct lw_seq seq;
    if (!o || model_trait(o, DATA_UNBATCHED).kind != LW_V_BOOL ||
        model_trait(o, DATA_UNBATCHED).tri != LW_TRI_YES)
        return;
    struct lw_value element = model_trait(o, DATA_ELEMENT);
    if (element.kind != LW_V_TUPLE || !ck_sequence(c, element, &seq) || seq.n < 2 ||
        seq.items[1].kind != LW_V_TENSOR || !lw_shape_has_rank(&seq.items[1].tensor->shape) ||
        seq.items[1].tensor->shape.n > 0)
        return;
    ck_find(c, e->node, "type/unbatched-dataset", &seq.items[1], 1,
            "the dataset yields single samples: call batch() before it is passed to the model");
}

const struct ck_rule rules_type_model_input[] = {
    {"type/unbatched-dataset", CK_EV_FIT, watch_unbatched},
    {0},
};
