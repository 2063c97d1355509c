/* Rules about the data that a network is trained with: its scale and its labels. */
#include <math.h>

#include "base/str.h"
#include "check/model_view.h"
#include "check/rules.h"

enum {
    LARGE = 50, /* inputs of this size saturate or blow up an ordinary first layer */
};

static bool is_known(const struct lw_tensor *t)
{
    return t && (t->range.flags & LW_IV_KNOWN) && isfinite(t->range.lo) &&
           isfinite(t->range.hi);
}

/* The first learning layer of the chain, with only reshaping before it. */
static const struct mv_stage *first_learner(const struct mv_chain *chain)
{
    for (size_t i = 0; chain && chain->whole && i < chain->n; i++) {
        if (chain->stage[i].kind == MV_LEARN)
            return &chain->stage[i];
        if (chain->stage[i].kind != MV_KEEP)
            return NULL;
    }
    return NULL;
}

static bool has_norm(const struct mv_chain *chain)
{
    for (size_t i = 0; i < chain->n; i++)
        if (chain->stage[i].kind == MV_NORM || chain->stage[i].kind == MV_OTHER)
            return true;
    return false;
}

static void watch_input(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *x = ck_tensor_of(e->a);
    if (!is_known(x) || fmax(fabs(x->range.lo), fabs(x->range.hi)) < LARGE)
        return;
    const struct mv_chain *chain = mv_of_model(c, e->object);
    if (!first_learner(chain) || has_norm(chain))
        return;
    ck_find(c, e->node, "data/unscaled-input", &e->a, 1,
            "the inputs reach from %g to %g: scale them to about -1..1 before training",
            x->range.lo, x->range.hi);
}

/* Class numbers that were divided like pixels. */
static void watch_labels(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *y = ck_tensor_of(e->b);
    const struct lw_api *loss = mv_entry(c, ck_field(c, e->object, "(loss)"), "loss");
    if (!loss || !is_known(y) || (y->range.flags & LW_IV_WHOLE) ||
        !lw_str_eq(lw_api_fact(loss, "target"), LW_S("index")) ||
        lw_set_within(y->dtype, LW_FLOATS) != LW_TRI_YES)
        return;
    if (y->range.lo < 0 || y->range.hi > 1 || y->range.lo == y->range.hi)
        return;
    ck_find(c, e->node, "data/labels-scaled", &e->b, 1,
            "the loss takes class numbers, but the labels lie between %g and %g: they were "
            "scaled like inputs",
            y->range.lo, y->range.hi);
}

const struct ck_rule ck_rules_data[] = {
    {CK_EV_FIT, watch_input},
    {CK_EV_FIT, watch_labels},
    {0, NULL},
};
