/* What instances of libraries have and do beyond their methods. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/text.h"
#include "check/engine/events.h"
#include "check/models/models.h"
#include "check/models/module.h"
#include "check/models/traits.h"

/* keras.applications: input and output of a model that nobody has called yet. */
static void open_pretrained(struct ck *c, struct ck_object *o, uint32_t node)
{
    const struct lw_api *input = lw_api_find(c->apis, LW_S("keras.Input"), NULL);
    struct lw_value in = ck_config(o, "input_tensor"), shape = ck_config(o, "input_shape");
    if (!input || o->of || !lw_str_has_prefix(o->name, LW_S("keras.applications.")) ||
        model_trait(o, MODEL_OUTPUT).kind != LW_V_ABSENT)
        return;
    if (in.kind != LW_V_TENSOR && lw_v_is_seq(ck_plain(c, shape))) {
        struct lw_arg arg = {.name = LW_S("shape"), .value = shape, .node = node};
        in = ck_eval_api(c, input, LW_API_CONSTRUCT, NULL, &arg, 1, node);
    }
    if (in.kind != LW_V_TENSOR)
        return;
    model_set_trait(c, o, MODEL_INPUT, in);
    model_set_trait(c, o, MODEL_OUTPUT, ck_apply(c, ck_value(o), in, node));
}

bool ck_lib_attribute(struct ck *c, struct ck_object *o, struct lw_str name, uint32_t node,
                      struct lw_value *out)
{
    LW_BUG_ON(!o || !out);
    if (lw_str_eq(name, LW_S("layers"))) {
        *out = ck_trait(o, TRAIT_ITEMS);
        if (out->kind == LW_V_ABSENT)
            *out = model_trait(o, MODEL_LAYERS);
        return out->kind != LW_V_ABSENT;
    }
    if (lw_str_eq(name, LW_S("output")) || lw_str_eq(name, LW_S("input"))) {
        open_pretrained(c, o, node);
        *out = model_trait(o, lw_str_eq(name, LW_S("output")) ? MODEL_OUTPUT : MODEL_INPUT);
        return out->kind != LW_V_ABSENT;
    }
    if ((lw_str_eq(name, LW_S("trainable_variables")) ||
         lw_str_eq(name, LW_S("trainable_weights"))) &&
        ck_is_keras_layer(c, o)) {
        struct lw_value one = ck_any_tensor(c, LW_TF, node);
        struct lw_value all = ck_make_seq(c, LW_V_LIST, &one, 1, true);
        *out = all.kind == LW_V_LIST ? ck_new_list(c, CK_LIST, all.seq, node) : lw_v_unknown();
        return true;
    }
    if (lw_str_eq(name, LW_S("training")) && ck_is_torch_module(c, o)) {
        *out = lw_v_tri(LW_TRI_MAYBE);
        return true;
    }
    if (lw_str_eq(name, LW_S("outputs")) || lw_str_eq(name, LW_S("inputs"))) {
        struct lw_value v =
            model_trait(o, lw_str_eq(name, LW_S("outputs")) ? MODEL_OUTPUT : MODEL_INPUT);
        if (v.kind != LW_V_TENSOR)
            return false;
        struct lw_value one = ck_make_seq(c, LW_V_LIST, &v, 1, false);
        if (one.kind != LW_V_LIST)
            return false;
        *out = ck_new_list(c, CK_LIST, one.seq, LW_NO_NODE);
        return true;
    }
    return false;
}

/* conv.stride = (1, 1): forward() of a PyTorch layer reads it when it is called. The change is
 * not taken back with a branch: what is set in one is not known from then on. */
static void reconfigure(struct ck *c, struct ck_object *o, struct lw_str name,
                        struct lw_value v)
{
    static const char *const read[] = {"stride", "padding",      "dilation",    "kernel_size",
                                       "size",   "scale_factor", "output_size", "p"};
    if (!o->api || o->of || !o->items || o->api->framework != LW_TORCH ||
        !text_is_any(name, read, sizeof read / sizeof *read))
        return;
    const struct lw_api_part *part = &o->api->side[LW_API_CONSTRUCT];
    struct lw_value *items = ck_values(c, o->item_count);
    for (uint32_t i = 0; items && i < o->item_count; i++)
        items[i] = i < part->param_count && lw_str_eq(part->params[i].name, name)
                       ? (ck_is_certain(c) ? v : lw_v_unknown())
                       : o->items[i];
    if (items)
        o->items = items;
}

void ck_lib_set_attribute(struct ck *c, struct ck_object *o, struct lw_str name,
                          struct lw_value v)
{
    LW_BUG_ON(!o);
    if (!name.n)
        return; /* `model. = x` of a broken program */
    reconfigure(c, o, name, v);
    if (lw_str_eq(name, LW_S("trainable")) && ck_is_keras_layer(c, o))
        model_set_trait(c, o, LAYER_UNSETTLED, lw_v_tri(LW_TRI_YES));
}

/* The layers a layer or model is made of. */
static bool parts_of(struct ck *c, struct lw_value layer, struct lw_seq *out)
{
    struct ck_object *o = ck_as(layer, CK_INSTANCE);
    struct lw_value list = o ? ck_trait(o, TRAIT_ITEMS) : lw_v_absent();
    if (o && list.kind != CK_LIST)
        list = model_trait(o, MODEL_LAYERS);
    return list.kind == CK_LIST && ck_sequence(c, list, out);
}

void ck_settle(struct ck *c, struct lw_value layer, unsigned depth)
{
    struct ck_object *o = ck_as(layer, CK_INSTANCE);
    struct lw_seq seq;
    if (!o || depth > 8)
        return;
    if (model_trait(o, LAYER_UNSETTLED).kind != LW_V_ABSENT)
        model_set_trait(c, o, LAYER_UNSETTLED, lw_v_tri(LW_TRI_NO));
    if (parts_of(c, layer, &seq))
        for (uint32_t i = 0; i < seq.n; i++)
            ck_settle(c, seq.items[i], depth + 1);
}

bool ck_is_unsettled(struct ck *c, struct lw_value layer, unsigned depth)
{
    struct ck_object *o = ck_as(layer, CK_INSTANCE);
    struct lw_value v = o ? model_trait(o, LAYER_UNSETTLED) : lw_v_absent();
    struct lw_seq seq;
    if (v.kind == LW_V_BOOL && v.tri == LW_TRI_YES)
        return true;
    if (!o || depth > 8 || !parts_of(c, layer, &seq))
        return false;
    for (uint32_t i = 0; i < seq.n; i++)
        if (ck_is_unsettled(c, seq.items[i], depth + 1))
            return true;
    return false;
}

bool ck_lib_call(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                 uint32_t node, struct lw_value *out)
{
    LW_BUG_ON(o->kind != CK_INSTANCE || !out);
    return ck_packed_call(c, o, args, n, node, out) ||
           ck_transformers_call(c, o, args, n, node, out) ||
           ck_torch_call(c, o, args, n, node, out) || ck_keras_call(c, o, args, n, node, out);
}

static struct lw_seq one_of(struct ck *c, struct lw_value any)
{
    struct lw_value *one = ck_values(c, 1);
    if (!one)
        return (struct lw_seq){.open = true};
    *one = any;
    return (struct lw_seq){.items = one, .n = 1, .open = true};
}

bool ck_lib_iterate(struct ck *c, struct ck_object *o, uint32_t node, struct lw_seq *out)
{
    struct lw_value element = model_trait(o, DATA_ELEMENT);
    struct lw_value batches = model_trait(o, DATA_BATCHES);
    (void)node;
    if (element.kind == LW_V_ABSENT)
        return false;
    if (ck_field(c, o, "collate_fn").kind != LW_V_ABSENT) { /* set after the constructor */
        *out = one_of(c, lw_v_unknown());
        return true;
    }
    if (batches.kind == LW_V_TUPLE && ck_sequence(c, batches, out)) {
        out->open = true;
        return true;
    }
    *out = one_of(c, element);
    return true;
}

bool ck_lib_subscript(struct ck *c, struct ck_object *o, struct lw_value index, uint32_t node,
                      struct lw_value *out)
{
    struct lw_value element = model_trait(o, DATA_ELEMENT);
    if (ck_transformers_subscript(c, o, index, node, out))
        return true;
    if (element.kind != LW_V_ABSENT) {
        *out = element;
        return true;
    }
    if (lw_str_eq(o->name, LW_S("sklearn.utils.Bunch")) && index.kind == LW_V_STR &&
        index.str.p) {
        struct ck_slot *s = ck_field_slot(c, o, index.str);
        *out = s ? s->value : lw_v_unknown();
        return true;
    }
    struct lw_value items = ck_trait(o, TRAIT_ITEMS);
    if (items.kind == CK_LIST && index.kind == LW_V_SLICE && !o->of && o->api) {
        struct lw_value part = ck_subscript(c, items, index, node);
        struct lw_value copy = ck_new_instance(c, o->api, o->items, o->item_count, node);
        struct ck_object *now = ck_as(copy, CK_INSTANCE);
        if (now)
            ck_set_trait(c, now, TRAIT_ITEMS, part);
        *out = copy;
        return true;
    }
    return false;
}

/* ---- with ---------------------------------------------------------------------------------
 */

struct lw_value ck_enter(struct ck *c, struct lw_value v, uint32_t node)
{
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    if (o && lw_str_has_suffix(o->name, LW_S(".GradientTape")))
        model_set_trait(c, o, TAPE_SINCE, ck_int(c, (int64_t)c->origins.n));
    struct lw_value own = ck_call_method(c, v, "__enter__", NULL, 0, node);
    return own.kind == LW_V_ABSENT ? v : own;
}

struct lw_value ck_in_place(struct ck *c, struct lw_value a, struct lw_value v)
{
    /* numpy and torch keep the left side's type and place; what matters here is the shape. */
    if (a.kind != LW_V_TENSOR || v.kind != LW_V_TENSOR || a.tensor->framework == LW_TF ||
        a.tensor->framework == LW_KERAS)
        return v;
    struct lw_tensor t = *v.tensor;
    if (lw_set_is_one(a.tensor->dtype))
        t.dtype = a.tensor->dtype;
    if (a.tensor->framework == LW_TORCH &&
        (a.tensor->variable == LW_TRI_YES || ck_grad_off(c))) {
        t.grad = a.tensor->grad;
        t.variable = a.tensor->variable;
        t.device = a.tensor->device;
    }
    return ck_tensor(c, &t);
}
