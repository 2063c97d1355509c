/* Rules about batches too small for batch normalisation. */
#include "base/str.h"
#include "check/models/module.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- inputs against weights ---------------------------------------------------------------
 */

/* Batch normalisation of a single value per channel while training. */
static void watch_batch_norm(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *o = e->object;
    int64_t n;
    if (!o || o->of || !o->api || !e->call->n ||
        !lw_str_has_prefix(o->api->name, LW_S("torch.nn.BatchNorm")) || ck_is_driven(c))
        return;
    struct lw_value x = e->call->args[0].value, mode = ck_field(c, o, "training");
    const struct lw_tensor *t = ck_tensor_of(x);
    if (!t || !lw_shape_has_rank(&t->shape) || t->shape.n < 2 ||
        (mode.kind != LW_V_ABSENT && ck_truth(c, mode) != LW_TRI_YES))
        return;
    for (uint32_t i = 0; i < t->shape.n; i++)
        if (i != 1 && (!lw_dim_is_int(c->dims, t->shape.d[i], &n) || n != 1))
            return;
    ck_find(c, e->node, "shape/batch-norm-single", &x, 1,
            "batch normalisation of shape %.*s has one value per channel, but training needs "
            "more: call eval() for single samples",
            LW_F(ck_show_shape(c, &t->shape)));
}

const struct ck_rule rules_shape_batch_norm[] = {
    {"shape/batch-norm-single", CK_EV_LAYER, watch_batch_norm},
    {0},
};
