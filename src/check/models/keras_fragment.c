/*
 * Keras models of which a program shows only what is done with them: `model` of a question that
 * leaves the layers out, what load_model() gave, what a function of another file returned.
 *
 * Nothing is known of their layers, and no table is asked about their arguments. Training and
 * predicting is told to the rules all the same: what they conclude from data, generators and
 * callbacks holds for any model.
 */
#include "base/str.h"
#include "check/engine/events.h"
#include "check/engine/lineage.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/models/models.h"
#include "check/models/traits.h"

static bool has_keyword(const struct lw_arg *args, size_t n, const char *const *names,
                        size_t count)
{
    for (size_t i = 0; i < n; i++)
        if (args[i].name.n && text_is_any(args[i].name, names, count))
            return true;
    return false;
}

/* fit(x, y, epochs=10), and not fit(x, y) of scikit-learn. */
static bool is_keras_fit(const struct lw_arg *args, size_t n)
{
    static const char *const own[] = {"epochs",           "nb_epoch",      "validation_split",
                                      "validation_data",  "initial_epoch", "steps_per_epoch",
                                      "validation_steps", "show_accuracy"};
    return has_keyword(args, n, own, sizeof own / sizeof *own);
}

/* A generator of Keras: it says whether it shuffles. */
static bool is_generator(const struct lw_arg *args, size_t n)
{
    const struct ck_object *o = n && !args[0].star ? ck_as(args[0].value, CK_INSTANCE) : NULL;
    return o && model_trait(o, DATA_SHUFFLES).kind != LW_V_ABSENT;
}

static bool is_keras_call(struct lw_str method, const struct lw_arg *args, size_t n)
{
    static const char *const only[] = {"fit_generator", "predict_generator"};
    if (text_is_any(method, only, 2))
        return n > 0;
    if (text_is(method, "fit"))
        return is_keras_fit(args, n);
    return text_is(method, "predict") && is_generator(args, n);
}

static struct ck_object *unknown_model(struct ck *c, uint32_t node)
{
    const struct lw_api *api = lw_api_find(c->apis, LW_S("keras.models.Model"), NULL);
    struct ck_object *o =
        api ? ck_as(ck_new_instance(c, api, NULL, 0, node), CK_INSTANCE) : NULL;
    if (!o)
        return NULL;
    o->open = true;
    model_set_trait(c, o, MODEL_COMPILED, lw_v_tri(LW_TRI_MAYBE));
    model_set_trait(c, o, MODEL_LOSS, lw_v_unknown());
    model_set_trait(c, o, MODEL_METRICS, lw_v_unknown());
    model_set_trait(c, o, MODEL_OPTIMIZER, lw_v_unknown());
    model_set_trait(c, o, MODEL_OUTPUT, lw_v_unknown());
    return o;
}

void ck_keras_fragment(struct ck *c, const struct lw_arg *args, size_t n, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t f = node == LW_NO_NODE || lw_tree_kind(t, node) != LW_NODE_CALL
                     ? LW_NO_NODE
                     : lw_tree_get(t, node, LW_ROLE_FUNC);
    if (f == LW_NO_NODE || lw_tree_kind(t, f) != LW_NODE_ATTRIBUTE || c->frame->guarded)
        return;
    struct lw_str method = lw_tree_name(t, f);
    if (!is_keras_call(method, args, n))
        return;
    struct ck_object *model = unknown_model(c, node);
    struct ck_call call = {.name = ck_text(c, "keras.models.Model.%.*s", LW_F(method)),
                           .self = ck_value(model),
                           .args = args,
                           .n = n,
                           .node = node};
    bool trains = lw_str_has_prefix(method, LW_S("fit"));
    if (model)
        ck_emit(c, &(struct ck_event){.kind = trains ? CK_EV_FIT : CK_EV_PREDICT,
                                      .node = node,
                                      .object = model,
                                      .call = &call,
                                      .a = lw_v_unknown(),
                                      .b = lw_v_unknown(),
                                      .value = lw_v_unknown()});
}
