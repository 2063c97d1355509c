/* Rules about values that do not fit their placeholder. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- feeding and fetching -----------------------------------------------------------------
 */

/* A value fed to a placeholder: same rank, and the sizes it fixes. */
static void check_feed(struct ck *c, struct lw_value placeholder, struct lw_value v,
                       uint32_t node)
{
    struct lw_tensor t;
    if (placeholder.kind != LW_V_TENSOR || !ck_to_tensor(c, v, &t))
        return;
    const struct lw_shape *want = &placeholder.tensor->shape, *is = &t.shape;
    if (!lw_shape_has_rank(want) || !lw_shape_has_rank(is))
        return;
    bool wrong = want->n != is->n;
    for (uint32_t i = 0; !wrong && i < want->n; i++)
        wrong = lw_dim_is_literal(want->d[i]) &&
                lw_dim_eq(c->dims, want->d[i], is->d[i]) == LW_TRI_NO;
    struct lw_value causes[2] = {placeholder, v};
    if (wrong)
        ck_find(c, node, "shape/feed-shape", causes, 2,
                "a value of shape %.*s is fed to a placeholder of shape %.*s",
                LW_F(ck_show_shape(c, is)), LW_F(ck_show_shape(c, want)));
}

static void watch_feed(struct ck *c, const struct ck_event *e)
{
    const struct lw_dict *d;
    struct lw_value feed = ck_arg(e->call, 1, "feed_dict");
    for (uint32_t i = 0; ck_pairs(feed, &d) && i < d->n; i++)
        check_feed(c, d->keys[i], d->values[i], e->node);
}

const struct ck_rule rules_shape_feed[] = {
    {"shape/feed-shape", CK_EV_SESSION_RUN, watch_feed, .pure = true},
    {0},
};
