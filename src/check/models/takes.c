/* What a layer takes tells what it was given: `self.conv(x)` runs only if x has the axes and
 * the channels of the convolution. In a file of its own a network gets an input of which
 * nothing is known; from its first layer on the sizes are known again, and what is wrong
 * between the layers behind shows. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/lineage.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/engine/traits.h"
#include "check/models/models.h"
#include "check/models/module.h"

enum { MAX_NESTED = 4 }; /* Sequential in Sequential */

/* The layer that gets the input of this one: the first of a Sequential. */
static const struct ck_object *first_layer(struct ck *c, const struct ck_object *o)
{
    struct lw_seq items;
    for (unsigned depth = 0; o && !o->of && o->api && depth < MAX_NESTED; depth++) {
        if (!lw_str_eq(o->api->name, LW_S("torch.nn.Sequential")))
            return o;
        struct lw_value list = ck_trait(o, TRAIT_ITEMS);
        if (list.kind != CK_LIST || !ck_sequence(c, list, &items) || items.open || !items.n)
            return NULL;
        o = ck_as(items.items[0], CK_INSTANCE);
    }
    return NULL;
}

static lw_dim size_of(const struct ck_object *o, const char *param)
{
    struct lw_value v = ck_config(o, param);
    return v.kind == LW_V_INT ? v.dim : LW_DIM_UNKNOWN;
}

/* (batch, channels, height, width): a single picture without a batch is taken as well, but
 * next to nobody has one. */
static struct lw_shape maps(struct ck *c, lw_dim channels, size_t axes)
{
    static const char *const names[] = {"depth", "height", "width"};
    lw_dim d[5] = {lw_dim_symbol(c->dims, LW_S("batch"), 1, LW_DIM_MOST), channels};
    for (size_t i = 0; i < axes; i++)
        d[2 + i] = lw_dim_symbol(
            c->dims, axes == 1 ? LW_S("length") : lw_str(names[3 - axes + i]), 1, LW_DIM_MOST);
    return lw_shape_make(d, axes + 2);
}

/* "torch.nn.ConvTranspose2d": 2; 0 for others. */
static size_t axes_of(struct lw_str name)
{
    static const char *const ends[] = {"1d", "2d", "3d"};
    for (size_t i = 0; i < 3; i++)
        if (lw_str_has_suffix(name, lw_str(ends[i])))
            return i + 1;
    return 0;
}

/* The shape that the layer asks for; false when it takes any, or several. */
static bool asked_shape(struct ck *c, const struct ck_object *o, struct lw_shape *out)
{
    struct lw_str role = lw_api_fact(o->api, "role"), name = o->api->name;
    size_t axes = axes_of(name);
    bool is_norm = text_is(role, "norm") &&
                   lw_str_has_prefix(name, LW_S("torch.nn.BatchNorm")) && axes > 1;
    if (!lw_str_has_prefix(name, LW_S("torch.nn.")))
        return false;
    if (text_is(role, "dense")) {
        *out = lw_shape_unknown();
        out->d[0] = size_of(o, "in_features");
        out->n = 1;
        out->gap = 0;
        return out->d[0] != LW_DIM_UNKNOWN;
    }
    if (axes && (text_is(role, "conv") || text_is(role, "conv-transpose")))
        *out = maps(c, size_of(o, "in_channels"), axes);
    else if (is_norm)
        *out = maps(c, size_of(o, "num_features"), axes);
    else
        return false;
    return true;
}

/* Is nothing known about its shape? */
static bool is_blank(struct lw_value v)
{
    return v.kind == LW_V_UNKNOWN ||
           (v.kind == LW_V_TENSOR && v.tensor->shape.n == 0 && v.tensor->shape.gap >= 0 &&
            (v.tensor->framework & LW_TORCH));
}

/* The variable that the argument is, too, where it still holds that value. */
static void learn(struct ck *c, uint32_t node, struct lw_value was, struct lw_value is)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (node == LW_NO_NODE || lw_tree_kind(t, node) != LW_NODE_NAME)
        return;
    struct ck_slot *s = ck_bound_slot(c, node);
    if (s && ck_same(s->value, was))
        heap_set(&c->heap, s, is);
}

struct lw_value ck_taken(struct ck *c, const struct ck_object *layer, const struct lw_arg *arg)
{
    LW_BUG_ON(!layer || !arg);
    const struct ck_object *o = first_layer(c, layer);
    struct lw_shape shape;
    if (arg->star || arg->name.n || !is_blank(arg->value) || !o || !o->items ||
        !asked_shape(c, o, &shape))
        return arg->value;
    struct lw_tensor t =
        arg->value.kind == LW_V_TENSOR ? *arg->value.tensor : lw_tensor_unknown(LW_TORCH);
    t.shape = shape;
    if (!t.line)
        t.line = ck_place(c, arg->node);
    struct lw_value v = ck_tensor(c, &t);
    learn(c, arg->node, arg->value, v);
    return v;
}
