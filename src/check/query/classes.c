/* Numbers of classes against the units of a network. */
#include "base/err.h"
#include "check/query/classes.h"

#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"

bool classes_are_numbered(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    return loss && text_is(lw_api_fact(loss, "target"), "index");
}

static enum classes_fit compare(struct lw_value target, struct mv_output out,
                                struct classes *found)
{
    const struct lw_tensor *y = ck_tensor_of(target);
    if (!lineage_known_range(y) || !out.known || out.width < 2 ||
        lineage_top(y) < (double)out.width)
        return CLASSES_FIT;
    *found = (struct classes){target, y->range.lo, lineage_top(y), out};
    return found->lowest == 1 && found->highest == (double)out.width ? CLASSES_FROM_ONE
                                                                     : CLASSES_TOO_MANY;
}

enum classes_fit classes_of(struct ck *c, const struct ck_event *e, struct classes *out)
{
    LW_BUG_ON(!out);
    if (e->kind == CK_EV_FIT)
        return classes_are_numbered(c, e)
                   ? compare(e->b, mv_output_of(c, mv_of_model(c, e->object)), out)
                   : CLASSES_FIT;
    const struct lw_api *api = e->call->api ? e->call->api : e->object ? e->object->api : NULL;
    struct lw_value input = mv_loss_input(c, e);
    if (input.kind != LW_V_TENSOR || !lw_str_has_prefix(api->name, LW_S("keras.")) ||
        !text_is(lw_api_fact(api, "target"), "index"))
        return CLASSES_FIT;
    return compare(mv_loss_target(c, e), mv_output_of(c, mv_of_tensor(c, input)), out);
}
