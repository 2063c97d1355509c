/*
 * The wrappers of Keras for scikit-learn: KerasClassifier(build_fn=f) makes the model by
 * calling f(), and fit() or cross_val_score() train it.
 */
#include "base/str.h"
#include "check/engine/events.h"
#include "check/engine/lineage.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/models/models.h"
#include "check/models/traits.h"

/* Does the function work without arguments? */
static bool needs_nothing(const struct ck_object *f)
{
    if (!f || !f->file || f->node == LW_NO_NODE ||
        lw_tree_kind(&f->file->tree, f->node) != LW_NODE_FUNCTION)
        return false;
    const struct lw_tree *t = &f->file->tree;
    uint32_t params = lw_tree_get(t, f->node, LW_ROLE_ARGS);
    if (params == LW_NO_NODE)
        return true;
    for (uint32_t p = lw_tree_each(t, params, LW_ROLE_ARGS, LW_NO_NODE); p != LW_NO_NODE;
         p = lw_tree_each(t, params, LW_ROLE_ARGS, p))
        if (lw_tree_get(t, p, LW_ROLE_DEFAULT) == LW_NO_NODE)
            return false;
    return true;
}

static void make(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    struct lw_value f = ck_slot_value(call, "build_fn");
    if (f.kind == LW_V_ABSENT || f.kind == LW_V_NONE)
        f = ck_arg(call, SIZE_MAX, "model");
    if (o && needs_nothing(ck_as(f, CK_FUNCTION)))
        model_set_trait(c, o, WRAPPER_MODEL, ck_call(c, f, NULL, 0, call->node));
}

/* The model of a wrapper is trained with `x` and `y`. A classifier numbers the classes itself,
 * and makes columns of them where the loss wants it. */
static void train(struct ck *c, const struct ck_object *wrapper, struct lw_arg x,
                  struct lw_arg y, uint32_t node)
{
    struct lw_value model = model_trait(wrapper, WRAPPER_MODEL);
    const struct lw_tensor *t = ck_tensor_of(y.value);
    struct lw_arg args[4] = {x, y}; /* how long is said elsewhere, or by the caller */
    args[2] =
        (struct lw_arg){.name = LW_S("epochs"), .value = lw_v_unknown(), .node = LW_NO_NODE};
    args[3] = (struct lw_arg){
        .name = LW_S("batch_size"), .value = lw_v_unknown(), .node = LW_NO_NODE};
    if (!ck_as(model, CK_INSTANCE))
        return;
    if (lw_str_has_suffix(wrapper->name, LW_S("Classifier")) &&
        (!t || !lw_shape_has_rank(&t->shape) || t->shape.n < 2))
        args[1].value = lw_v_unknown();
    ck_call(c, ck_get_attr(c, model, LW_S("fit"), node), args, 4, node);
}

static void fit(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    const struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    *value = lw_v_unknown();
    if (o && call->n >= 2 && !call->args[0].star && !call->args[1].star &&
        !call->args[0].name.n && !call->args[1].name.n)
        train(c, o, call->args[0], call->args[1], call->node);
}

/* cross_val_score(estimator, x, y) */
static void score(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    const struct ck_object *o = call->n >= 3 ? ck_as(call->args[0].value, CK_INSTANCE) : NULL;
    *value = lw_v_unknown();
    if (o && lw_str_find(o->name, LW_S("rappers.")) != LW_NPOS && !call->args[1].name.n &&
        !call->args[2].name.n)
        train(c, o, call->args[1], call->args[2], call->node);
}

#define WRAPPER(name)    \
    {name, make},        \
    {                    \
        name ".fit", fit \
    }

const struct ck_handler ck_handlers_wrapper[] = {
    WRAPPER("keras.wrappers.scikit_learn.KerasClassifier"),
    WRAPPER("keras.wrappers.scikit_learn.KerasRegressor"),
    WRAPPER("scikeras.wrappers.KerasClassifier"),
    WRAPPER("scikeras.wrappers.KerasRegressor"),
    {"sklearn.model_selection.cross_val_score", score},
    {NULL, NULL},
};
