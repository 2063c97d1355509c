/* Rules about the shapes of what a model or a data loader gets. */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

static void watch_items(struct ck *c, const struct ck_event *e)
{
    if (e->fault == CK_FAULT_ITEMS_DIFFER)
        ck_find(c, e->node, "shape/stack", (struct lw_value[]){e->a, e->b}, 2,
                "the items of the dataset have shapes %.*s and %.*s, which the DataLoader "
                "cannot stack: pad them in a collate_fn",
                LW_F(ck_show_shape(c, &e->a.tensor->shape)),
                LW_F(ck_show_shape(c, &e->b.tensor->shape)));
}

static void watch_model_input(struct ck *c, const struct ck_event *e)
{
    if (e->fault == CK_FAULT_MODEL_INPUT) {
        struct lw_str message =
            ck_text(c, "the model was built for inputs of shape %.*s, but gets %.*s",
                    LW_F(ck_show_shape(c, &e->b.tensor->shape)),
                    LW_F(ck_show_shape(c, &e->a.tensor->shape)));
        ck_find_as(c, e->node, LW_S("shape/model-input"),
                   e->flag ? LW_SEVERITY_WARNING : LW_SEVERITY_ERROR,
                   (struct lw_value[]){e->a, e->b}, 2, message);
    } else if (e->fault == CK_FAULT_MODEL_INPUTS)
        ck_find(c, e->node, "shape/model-input", &e->a, 1,
                "the model expects %u inputs, but gets %u", e->count, e->given);
    else if (e->fault == CK_FAULT_NUMBER_INPUT)
        ck_find(c, e->node, "shape/model-input", &e->a, 1,
                "the model gets a number, but expects an array with one row per sample: write "
                "np.array([[…]])");
}

static void watch_token_rank(struct ck *c, const struct ck_event *e)
{
    if (e->fault == CK_FAULT_TOKEN_RANK)
        ck_find(c, e->node, "shape/layer-input-rank", &e->a, 1,
                "the model expects (batch, tokens), but its input has shape %.*s: add the "
                "batch dimension with unsqueeze(0)",
                LW_F(ck_show_shape(c, &e->a.tensor->shape)));
}

/* A recurrent layer behind a recurrent layer of Keras that gives its last step only. */
static void make_sequences(struct fix *f)
{
    const struct lw_tensor *x = fix_cause(f, 0);
    const struct lw_api *api = f->hint->api;
    const struct ck_origin *o = x ? ck_origin_of(f->c, f->causes[0]) : NULL;
    if (!o || !o->layer || !o->layer->api || x->shape.n != 2 || !api ||
        !text_is(lw_api_fact(api, "role"), "recurrent") ||
        !text_is(lw_api_fact(o->layer->api, "role"), "recurrent") ||
        !lw_str_has_prefix(o->layer->api->name, LW_S("keras.")) || o->layer->file != f->file ||
        !fix_is_call(f, o->layer->node))
        return;
    uint32_t made = o->layer->node;
    if (fix_is_call(f, fix_argument(f, made, "layer", 0))) /* Bidirectional(LSTM(8)) */
        made = fix_argument(f, made, "layer", 0);
    fix_say(f, "pass return_sequences=True to the previous layer");
    fix_set_argument(f, made, "return_sequences", "True");
}

/* ---- as many targets as outputs -----------------------------------------------------------
 */

/* tf.keras gives a single target to every output; Keras on its own does not. */
static bool is_own_keras(const struct ck_object *o)
{
    return lw_str_has_prefix(o->spelt, LW_S("keras."));
}

static void watch_targets(struct ck *c, const struct ck_event *e)
{
    struct lw_seq outs, targets;
    struct lw_value out = model_trait(e->object, MODEL_OUTPUT), y = e->b;
    struct lw_value loss = model_trait(e->object, MODEL_LOSS);
    if (e->object->of || out.kind == LW_V_TENSOR || !ck_sequence(c, out, &outs) || outs.open ||
        outs.n < 2 || c->frame->guarded || (loss.kind != LW_V_STR && loss.kind != CK_NAME))
        return;
    if (y.kind == LW_V_TENSOR && is_own_keras(e->object) && y.tensor->framework != LW_PANDAS)
        ck_find(c, e->node, "shape/target-count", &y, 1,
                "the model has %u outputs, but gets one array of targets: pass a list of %u",
                outs.n, outs.n);
    else if (y.kind == LW_V_TUPLE && ck_sequence(c, y, &targets) && !targets.open &&
             targets.n != outs.n && targets.n > 1 && targets.items[0].kind == LW_V_TENSOR)
        ck_find(c, e->node, "shape/target-count", &targets.items[0], 1,
                "the model has %u outputs, but gets %u arrays of targets", outs.n, targets.n);
}

const struct ck_rule rules_shape_model_input[] = {
    {"shape/stack", CK_EV_FAULT, watch_items, .pure = true},
    {"shape/model-input", CK_EV_FAULT, watch_model_input, .pure = true},
    {"shape/layer-input-rank", CK_EV_FAULT, watch_token_rank, make_sequences, .pure = true},
    {"shape/target-count", CK_EV_FIT, watch_targets},
    {0},
};
