/* Rules about what a loss is given, and in which order. */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/indices.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/query/roles.h"
#include "check/rules/rules.h"

static const struct lw_api *api_of(const struct ck_event *e)
{
    return e->call->api ? e->call->api : e->object ? e->object->api : NULL;
}

/* ---- class numbers taken for amounts ------------------------------------------------------
 */

static void watch_index(struct ck *c, const struct ck_event *e)
{
    indices_note(c, e->a, e->b);
}

static void watch_amounts(struct ck *c, const struct ck_event *e)
{
    const struct indices *s = indices_of(c);
    struct lw_value y = mv_loss_target(c, e);
    if (!s || !s->n || y.kind != LW_V_TENSOR ||
        !text_is(lw_api_fact(api_of(e), "task"), "regression"))
        return;
    struct lw_value whole = lineage_whole(c, y);
    const struct lw_tensor *t = ck_tensor_of(whole);
    if (!t || !lineage_known_range(t) || t->range.lo != 0 || lineage_top(t) < 2)
        return;
    for (size_t i = 0; i < s->n; i++)
        if (s->ids[i] == t->id) {
            ck_find(c, e->node, "architecture/class-numbers-as-amounts", &whole, 1,
                    "the targets are class indices (0 to %.4g), but this is a regression loss: "
                    "use one unit per class and cross-entropy",
                    lineage_top(t));
            return;
        }
}

/* ---- the wrong way round ------------------------------------------------------------------
 */

/* Nothing that learns on the way. */
static bool visit_untrained(void *data, struct lw_value v, const struct ck_origin *o)
{
    (void)data;
    return v.tensor->variable != LW_TRI_YES && !(o && o->layer);
}

static bool is_label_name(const struct ck *c, const struct ck_call *call)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t node = call->n && !call->args[0].name.n ? call->args[0].node : LW_NO_NODE;
    return node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_NAME &&
           role_is_named(c, lw_tree_name(t, node), ROLE_LABEL);
}

/* Of PyTorch, and no gradient leads from it to any weight. */
static bool is_untrained(struct lw_value v)
{
    const struct lw_tensor *t = ck_tensor_of(v);
    return t && t->framework == LW_TORCH && t->grad == LW_TRI_NO;
}

/* Did a module of the program or of PyTorch make it, perhaps with an activation behind? */
static bool is_prediction(struct ck *c, struct lw_value v)
{
    const struct mv_chain *chain = mv_of_tensor(c, v);
    return chain && chain->n && chain->stage[chain->n - 1].kind != MV_OTHER;
}

static void report_swapped(struct ck *c, const struct ck_event *e, struct lw_value target)
{
    ck_find(c, e->node, "architecture/swapped-loss", &target, 1,
            "predictions and labels are swapped in the call of the loss: swap the arguments");
}

/* cross_entropy(labels, output): the network's output is taken for the truth. */
static void watch_order(struct ck *c, const struct ck_event *e)
{
    struct lw_value input = mv_loss_input(c, e), target = mv_loss_target(c, e);
    const struct lw_api *api = api_of(e);
    if (target.kind != LW_V_TENSOR || !api || text_is(lw_api_fact(api, "task"), "regression") ||
        !lw_api_fact(api, "task").n)
        return;
    if (is_untrained(input) && target.tensor->grad == LW_TRI_YES && is_prediction(c, target)) {
        report_swapped(c, e, target);
        return;
    }
    bool data = input.kind == LW_V_TENSOR
                    ? lineage_walk(c, input, visit_untrained, NULL)
                    : input.kind == LW_V_UNKNOWN && is_label_name(c, e->call);
    if (!data || !mv_output_of(c, mv_of_tensor(c, target)).known)
        return;
    report_swapped(c, e, target);
}

static bool names_any(struct lw_str name, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lw_str_find(name, lw_str(words[i])) != LW_NPOS)
            return true;
    return false;
}

/* def loss(y_pred, y_true), where Keras passes the truth first. It matters where the two are
 * not treated alike. */
static void watch_parameters(struct ck *c, const struct ck_event *e)
{
    static const char *const uneven[] = {"log(", "entropy", "kullback", "kl_div"};
    struct lw_value loss = model_trait(e->object, MODEL_LOSS);
    const struct ck_object *f = ck_as(loss, CK_FUNCTION), *m = ck_as(loss, CK_METHOD);
    if (m && m->of && m->of->kind == CK_FUNCTION)
        f = m->of;
    if (!f || !f->file || lw_tree_kind(&f->file->tree, f->node) != LW_NODE_FUNCTION)
        return;
    const struct lw_tree *t = &f->file->tree;
    uint32_t params = lw_tree_get(t, f->node, LW_ROLE_ARGS);
    struct lw_str name[2] = {{0}, {0}};
    size_t n = 0, skip = m ? 1 : 0;
    for (uint32_t p = params == LW_NO_NODE ? params : lw_tree_next(t, params, params, false);
         p != LW_NO_NODE && n < skip + 2; p = lw_tree_next(t, params, p, false)) {
        if (lw_tree_kind(t, p) != LW_NODE_PARAM)
            continue;
        if (n >= skip)
            name[n - skip] = lw_tree_name(t, p);
        n++;
    }
    if (n < skip + 2 || !role_is_named(c, name[0], ROLE_PREDICTION) ||
        !role_is_named(c, name[1], ROLE_LABEL) ||
        !names_any(lw_tree_text(t, f->node), uneven, 4))
        return;
    ck_find_at(c, f->file, f->node, "architecture/swapped-loss", NULL, 0,
               "Keras passes the targets first and the predictions second, so '%.*s' gets the "
               "targets: swap the parameters",
               LW_F(name[0]));
}

const struct ck_rule rules_architecture_loss_arguments[] = {
    {"architecture/class-numbers-as-amounts", CK_EV_INDEX, watch_index},
    {"architecture/class-numbers-as-amounts", CK_EV_CALL | CK_EV_LAYER, watch_amounts,
     .calls = "@loss"},
    {"architecture/swapped-loss", CK_EV_CALL | CK_EV_LAYER, watch_order, .calls = "@loss"},
    {"architecture/swapped-loss", CK_EV_COMPILE, watch_parameters},
    {0},
};
