/* Rules about the ranks that operations of TensorFlow take. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/models/module.h"
#include "check/models/versions.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/rules/rules.h"

/* ---- matrices and stacks of them ----------------------------------------------------------
 */

/* Until TensorFlow 1.13 matmul() takes two tensors of one rank. */
static void watch_matmul(struct ck *c, const struct ck_event *e)
{
    struct lw_value a = ck_arg(e->call, 0, "a"), b = ck_arg(e->call, 1, "b");
    if (!text_is(text_tail(e->call->name), "matmul") ||
        !lw_str_has_prefix(e->call->name, LW_S("tensorflow.")) || a.kind != LW_V_TENSOR ||
        b.kind != LW_V_TENSOR || c->frame->guarded || ck_shows(c, "name *compat*") ||
        (!ck_shows(c, "name placeholder") && !ck_shows(c, "name Session")))
        return;
    const struct lw_shape *x = &a.tensor->shape, *y = &b.tensor->shape;
    int v[2];
    if (!lw_shape_has_rank(x) || !lw_shape_has_rank(y) || x->n == y->n || x->n < 2 ||
        y->n < 2 || (c->target->given.given && ck_version_of(c, LW_S("tensorflow"), v)))
        return;
    struct lw_value causes[2] = {a, b};
    struct lw_str message =
        ck_text(c,
                "before TensorFlow 1.14 matmul needs tensors of equal rank, but these are %.*s "
                "and %.*s: reshape the first, or use tf.tensordot(…, axes=1)",
                LW_F(ck_show_shape(c, x)), LW_F(ck_show_shape(c, y)));
    ck_find_as(c, e->node, LW_S("shape/op-rank"), LW_SEVERITY_WARNING, causes, 2, message);
}

const struct ck_rule rules_shape_tf_rank[] = {
    {"shape/op-rank", CK_EV_CALL, watch_matmul, .calls = ".matmul"},
    {0},
};
