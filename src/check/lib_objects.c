/* What instances of libraries have and do beyond their methods. */
#include "base/str.h"
#include "check/engine.h"
#include "check/lib.h"
#include "check/lib_module.h"
#include "check/rules.h"

/* keras.applications: input and output of a model that nobody has called yet. */
static void open_pretrained(struct ck *c, struct ck_object *o, uint32_t node)
{
    const struct lw_api *input = lw_api_find(c->apis, LW_S("keras.Input"), NULL);
    struct lw_value in = ck_config(o, "input_tensor"), shape = ck_config(o, "input_shape");
    if (!input || o->of || !lw_str_has_prefix(o->name, LW_S("keras.applications.")) ||
        ck_field(c, o, "(output)").kind != LW_V_ABSENT)
        return;
    if (in.kind != LW_V_TENSOR && lw_v_is_seq(ck_plain(c, shape))) {
        struct lw_arg arg = {.name = LW_S("shape"), .value = shape, .node = node};
        in = ck_eval_api(c, input, LW_API_CONSTRUCT, NULL, &arg, 1, node);
    }
    if (in.kind != LW_V_TENSOR)
        return;
    ck_set_field(c, o, "(input)", in);
    ck_set_field(c, o, "(output)", ck_apply(c, ck_value(o), in, node));
}

bool ck_lib_attribute(struct ck *c, struct ck_object *o, struct lw_str name, uint32_t node,
                      struct lw_value *out)
{
    if (lw_str_eq(name, LW_S("layers"))) {
        *out = ck_field(c, o, "(items)");
        if (out->kind == LW_V_ABSENT)
            *out = ck_field(c, o, "(layers)");
        return out->kind != LW_V_ABSENT;
    }
    if (lw_str_eq(name, LW_S("output")) || lw_str_eq(name, LW_S("input"))) {
        open_pretrained(c, o, node);
        *out = ck_field(c, o, lw_str_eq(name, LW_S("output")) ? "(output)" : "(input)");
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
            ck_field(c, o, lw_str_eq(name, LW_S("outputs")) ? "(output)" : "(input)");
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

void ck_lib_set_attribute(struct ck *c, struct ck_object *o, struct lw_str name,
                          struct lw_value v)
{
    (void)v;
    if (lw_str_eq(name, LW_S("trainable")) && ck_is_keras_layer(c, o))
        ck_set_field(c, o, "(unsettled)", lw_v_tri(LW_TRI_YES));
}

/* The layers a layer or model is made of. */
static bool parts_of(struct ck *c, struct lw_value layer, struct lw_seq *out)
{
    struct ck_object *o = ck_as(layer, CK_INSTANCE);
    struct lw_value list = o ? ck_field(c, o, "(items)") : lw_v_absent();
    if (o && list.kind != CK_LIST)
        list = ck_field(c, o, "(layers)");
    return list.kind == CK_LIST && ck_sequence(c, list, out);
}

void ck_settle(struct ck *c, struct lw_value layer, unsigned depth)
{
    struct ck_object *o = ck_as(layer, CK_INSTANCE);
    struct lw_seq seq;
    if (!o || depth > 8)
        return;
    if (ck_field(c, o, "(unsettled)").kind != LW_V_ABSENT)
        ck_set_field(c, o, "(unsettled)", lw_v_tri(LW_TRI_NO));
    if (parts_of(c, layer, &seq))
        for (uint32_t i = 0; i < seq.n; i++)
            ck_settle(c, seq.items[i], depth + 1);
}

bool ck_is_unsettled(struct ck *c, struct lw_value layer, unsigned depth)
{
    struct ck_object *o = ck_as(layer, CK_INSTANCE);
    struct lw_value v = o ? ck_field(c, o, "(unsettled)") : lw_v_absent();
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
    struct lw_value element = ck_field(c, o, "(element)");
    struct lw_value batches = ck_field(c, o, "(batches)");
    (void)node;
    if (element.kind == LW_V_ABSENT)
        return false;
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
    struct lw_value element = ck_field(c, o, "(element)");
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
    struct lw_value items = ck_field(c, o, "(items)");
    if (items.kind == CK_LIST && index.kind == LW_V_SLICE && !o->of && o->api) {
        struct lw_value part = ck_subscript(c, items, index, node);
        struct lw_value copy = ck_new_instance(c, o->api, o->items, o->item_count, node);
        struct ck_object *now = ck_as(copy, CK_INSTANCE);
        if (now)
            ck_set_field(c, now, "(items)", part);
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
        ck_set_field(c, o, "(since)", ck_int(c, (int64_t)c->origins.n));
    struct lw_value own = ck_call_method(c, v, "__enter__", NULL, 0, node);
    return own.kind == LW_V_ABSENT ? v : own;
}

void ck_leave(struct ck *c, struct lw_value v, uint32_t node)
{
    (void)c;
    (void)v;
    (void)node;
}

struct lw_value ck_in_place(struct ck *c, struct lw_value a, struct lw_value v, uint32_t node)
{
    /* numpy and torch keep the left side's type and place; what matters here is the shape. */
    (void)node;
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

/* ---- what cannot be -----------------------------------------------------------------------
 */

void ck_not_callable(struct ck *c, struct lw_value f, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t func = node == LW_NO_NODE ? LW_NO_NODE : lw_tree_get(t, node, LW_ROLE_FUNC);
    bool vague = f.kind == LW_V_NONE && (c->frame->function || c->frame->uncertain);
    if (f.kind == LW_V_TENSOR && f.tensor->framework == LW_NUMPY)
        vague |= (f.tensor->dtype & LW_OBJECT) != 0; /* an item of an array of functions */
    if (f.kind == LW_V_TENSOR && !lw_shape_has_rank(&f.tensor->shape) && !ck_origin_of(c, f))
        vague = true; /* a parameter that was only taken for a tensor */
    if (func == LW_NO_NODE || vague || c->frame->guarded)
        return;
    struct lw_str text = lw_tree_text(t, func);
    if (text.n > 60)
        text.n = 60;
    const char *kind = ck_kind_name(c, f);
    const char *article = f.kind == LW_V_NONE ? "" : strchr("aeiou", kind[0]) ? "an " : "a ";
    ck_find(c, node, "type/not-callable", &f, 1, "'%.*s' is called, but it is %s%s here",
            LW_F(text), article, kind);
}

void ck_index_range(struct ck *c, struct lw_value v, int64_t at, uint32_t n, uint32_t node)
{
    if (v.kind == LW_V_SHAPE)
        ck_find(c, node, "shape/axis-out-of-range", &v, 1,
                "the shape has %u dimension%s: there is no dimension %lld", n,
                n == 1 ? "" : "s", (long long)at);
    else if (v.kind == LW_V_TUPLE && n > 0)
        ck_find(c, node, "type/index-out-of-range", &v, 1,
                "index %lld is out of range: the tuple has %u item%s", (long long)at, n,
                n == 1 ? "" : "s");
}

/* np.array(self.rows) of a list that is empty: other methods fill it. */
static bool is_filled_elsewhere(struct ck *c, struct lw_value v)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    int64_t rows;
    if (!o || o->node == LW_NO_NODE || !lw_shape_has_rank(&v.tensor->shape) ||
        v.tensor->shape.n != 1 || !lw_dim_is_int(c->dims, v.tensor->shape.d[0], &rows) || rows)
        return false;
    const struct lw_tree *t = &o->file->tree;
    uint32_t list = lw_tree_kind(t, o->node) == LW_NODE_CALL
                        ? lw_tree_each(t, o->node, LW_ROLE_ARGS, LW_NO_NODE)
                        : LW_NO_NODE;
    return list != LW_NO_NODE && lw_tree_kind(t, list) == LW_NODE_ATTRIBUTE;
}

void ck_bad_index(struct ck *c, struct lw_value v, struct lw_str message, uint32_t node)
{
    const struct lw_tensor *t = v.tensor;
    bool scalar = t->framework == LW_TORCH && lw_shape_has_rank(&t->shape) && t->shape.n == 0;
    if (is_filled_elsewhere(c, v))
        return;
    if (!scalar) {
        ck_find(c, node, "shape/index", &v, 1, "%.*s", LW_F(message));
        return;
    }
    /* loss.data[0] was the way until PyTorch 0.4, and with it Variable(). */
    ck_find_as(c, node, LW_S("shape/index"),
               ck_mentions(c, "Variable(") ? LW_SEVERITY_WARNING : LW_SEVERITY_ERROR, &v, 1,
               LW_S("too many indices: since PyTorch 1.0 a tensor without axes cannot be "
                    "indexed; use item()"));
}
