/* Predictions for samples that come in another order than their labels. */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/calls.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

static void watch_shuffled(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = ck_arg(e->call, 0, "x");
    if (x.kind == LW_V_ABSENT)
        x = ck_arg(e->call, 0, "generator");
    struct ck_object *o = ck_as(x, CK_INSTANCE);
    struct lw_value shuffles = o ? model_trait(o, DATA_SHUFFLES) : lw_v_absent();
    if (lw_str_find(e->call->name, LW_S(".predict")) < 0 || shuffles.kind != LW_V_BOOL ||
        shuffles.tri != LW_TRI_YES)
        return;
    ck_hint(c, (struct ck_hint){.object = o});
    ck_find(c, e->node, "api/predict-shuffled", NULL, 0,
            "the generator shuffles by default, so the predictions are not in the order of the "
            "labels: create it with shuffle=False");
}

/* model.predict(flow), where flow.classes are the labels: flows of folders shuffle. */
static void check_flow(struct ck *c, struct ck_file *file, uint32_t flow)
{
    const struct lw_tree *t = &file->tree;
    if (!text_is(calls_name(t, flow), "flow_from_directory"))
        return;
    struct lw_str name = calls_result(t, flow);
    if (!name.n || calls_keyword(t, flow, "shuffle").n ||
        lw_str_find(lw_tree_text(t, t->root), ck_text(c, "%.*s.classes", LW_F(name))) ==
            LW_NPOS)
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        struct lw_str called =
            lw_tree_kind(t, n) == LW_NODE_CALL ? calls_name(t, n) : (struct lw_str){0};
        uint32_t what = called.n ? lw_tree_get(t, n, LW_ROLE_ARGS) : LW_NO_NODE;
        if ((!text_is(called, "predict") && !text_is(called, "predict_generator")) ||
            what == LW_NO_NODE || !lw_str_eq(lw_tree_text(t, what), name))
            continue;
        ck_find_at(c, file, n, "api/predict-shuffled", NULL, 0,
                   "the generator shuffles by default, so the predictions are not in the order "
                   "of %.*s.classes: create it with shuffle=False",
                   LW_F(name));
        return;
    }
}

static void make_unshuffled(struct fix *f)
{
    const struct ck_object *o = f->hint->object;
    if (!o || o->file != f->file || !fix_is_call(f, o->node))
        return;
    fix_say(f, "pass shuffle=False");
    fix_set_argument(f, o->node, "shuffle", "False");
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    calls_each_node(c, "name flow_from_directory", check_flow);
}

const struct ck_rule rules_api_predict_shuffled[] = {
    {"api/predict-shuffled", CK_EV_PREDICT, watch_shuffled},
    {"api/predict-shuffled", CK_EV_END, watch_end},
    {"api/predict-shuffled", .fix = make_unshuffled},
    {0},
};
