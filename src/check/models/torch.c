/* PyTorch: modules made of modules, optimisers, loaders. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/engine/forget.h"
#include "check/engine/text.h"
#include "check/models/models.h"
#include "check/models/nested.h"
#include "check/models/traits.h"

bool ck_is_torch_module(struct ck *c, const struct ck_object *o)
{
    static const char *const bases[] = {"torch.nn.Module", "pytorch_lightning.LightningModule",
                                        "lightning.LightningModule",
                                        "pytorch_lightning.core.LightningModule", NULL};
    struct lw_value v = {.kind = o->kind, .opaque = o};
    return ck_is_a_any(c, v, bases);
}

struct lw_value ck_weight(struct ck *c, uint32_t node)
{
    struct lw_tensor t = lw_tensor_unknown(LW_TORCH);
    t.variable = t.grad = LW_TRI_YES;
    t.line = ck_place(c, node);
    return ck_tensor(c, &t);
}

/* ---- containers ---------------------------------------------------------------------------
 */

static struct ck_object *items_of(const struct ck_object *o)
{
    return ck_as(ck_trait(o, TRAIT_ITEMS), CK_LIST);
}

static void keep_items(struct ck *c, struct ck_object *o, struct lw_seq seq, uint32_t node)
{
    ck_set_trait(c, o, TRAIT_ITEMS, ck_new_list(c, CK_LIST, seq, node));
}

static struct lw_seq values_of(struct ck *c, struct lw_value v, uint32_t node)
{
    const struct lw_dict *d;
    if (ck_pairs(v, &d))
        return (struct lw_seq){.items = d->values, .n = d->n, .open = d->open};
    return ck_iterate(c, v, node);
}

/* nn.Sequential(a, b, c), nn.Sequential(OrderedDict(…)), nn.Sequential(*list). */
static void sequential_new(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    struct lw_value first = ck_arg(call, 0, NULL);
    const struct lw_dict *d;
    if (!o)
        return;
    if (ck_pairs(first, &d)) {
        keep_items(c, o, values_of(c, first, call->node), call->node);
        for (uint32_t i = 0; i < d->n; i++)
            if (d->keys[i].kind == LW_V_STR && d->keys[i].str.p)
                ck_set_attr(c, *value, d->keys[i].str, d->values[i]);
        return;
    }
    struct lw_value *items = ck_values(c, call->n);
    struct lw_seq seq = {.items = items};
    for (size_t i = 0; items && i < call->n; i++) {
        seq.open |= call->args[i].star;
        if (!call->args[i].star && !call->args[i].name.n)
            items[seq.n++] = call->args[i].value;
    }
    if (seq.open)
        seq.n = 0;
    keep_items(c, o, seq, call->node);
}

static void module_list_new(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    struct lw_value first = ck_arg(call, 0, "modules");
    struct lw_seq seq = {0};
    if (!o)
        return;
    if (first.kind != LW_V_ABSENT && first.kind != LW_V_NONE)
        seq = values_of(c, first, call->node);
    keep_items(c, o, seq, call->node);
}

static void append_item(struct ck *c, struct ck_object *o, struct lw_value v, uint32_t node)
{
    struct ck_object *list = items_of(o);
    if (!list) {
        keep_items(c, o, (struct lw_seq){0}, node);
        list = items_of(o);
    }
    if (!list)
        return;
    struct lw_arg arg = {.value = v, .node = node};
    struct ck_call add = {
        .name = LW_S("append"), .self = ck_value(list), .args = &arg, .n = 1, .node = node};
    struct lw_value none;
    ck_list_method(c, &add, &none);
}

static void add_module(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    struct lw_value name = ck_arg(call, 0, "name"), module = ck_arg(call, 1, "module");
    *value = lw_v_none();
    if (!o)
        return;
    if (ck_is_a(c, call->self, "torch.nn.Sequential") ||
        ck_is_a(c, call->self, "torch.nn.ModuleList"))
        append_item(c, o, module, call->node);
    if (name.kind == LW_V_STR && name.str.p)
        ck_set_attr(c, call->self, name.str, module);
    else
        o->open = true;
}

static void list_append(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    if (o)
        append_item(c, o, ck_arg(call, 0, NULL), call->node);
    *value = call->self;
}

static void list_insert(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE), *list = o ? items_of(o) : NULL;
    struct ck_call add = *call;
    *value = lw_v_none();
    if (!list)
        return;
    add.name = LW_S("insert");
    add.self = ck_value(list);
    ck_list_method(c, &add, value);
}

static void list_extend(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    struct lw_seq seq = ck_iterate(c, ck_arg(call, 0, NULL), call->node);
    for (uint32_t i = 0; o && i < seq.n; i++)
        append_item(c, o, seq.items[i], call->node);
    *value = call->self;
}

/* A Sequential is called: its modules in order. Its own finding is at the module that fails. */
static bool call_sequential(struct ck *c, struct ck_object *o, const struct lw_arg *args,
                            size_t n, uint32_t node, struct lw_value *out)
{
    struct lw_seq seq;
    struct lw_value v = n && !args[0].star ? args[0].value : lw_v_unknown();
    if (n > 1 && !args[1].star && args[1].node != LW_NO_NODE)
        ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                      .fault = CK_FAULT_SEQUENTIAL_INPUTS,
                                      .node = node,
                                      .given = (uint32_t)n});
    if (!ck_sequence(c, ck_value(o), &seq) || seq.open) {
        *out = lw_v_unknown();
        return true;
    }
    struct lw_value in = v;
    if (!nested_enter(c, o, in, out))
        return true;
    for (uint32_t i = 0; i < seq.n; i++) {
        if (v.kind == LW_V_UNKNOWN && seq.items[i].kind != CK_INSTANCE)
            break;
        v = nested_apply(c, seq.items[i], v, node);
    }
    nested_leave(c, o, in, v);
    *out = v;
    return true;
}

bool ck_torch_call(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                   uint32_t node, struct lw_value *out)
{
    LW_BUG_ON(o->kind != CK_INSTANCE || !out);
    if (!o->of && o->api && !c->frame->guarded && node != LW_NO_NODE &&
        (lw_str_eq(o->api->name, LW_S("torch.nn.ModuleList")) ||
         lw_str_eq(o->api->name, LW_S("torch.nn.ModuleDict")))) {
        ck_emit(c, &(struct ck_event){
                       .kind = CK_EV_FAULT, .fault = CK_FAULT_LIST_CALLED, .node = node});
        *out = lw_v_unknown();
        return true;
    }
    if (ck_is_a(c, ck_value(o), "torch.nn.Sequential") && items_of(o))
        return call_sequential(c, o, args, n, node, out);
    return ck_vision_call(c, o, args, n, node, out);
}

/* ---- parameters ---------------------------------------------------------------------------
 */

/* Has the module something to train? YES, NO, or it cannot be told. */
static lw_tri has_parameters(struct ck *c, struct lw_value v, unsigned depth)
{
    const struct ck_object *o = ck_as(v, CK_INSTANCE);
    struct lw_seq seq;
    if (v.kind == LW_V_TENSOR)
        return v.tensor->variable == LW_TRI_YES || v.tensor->grad == LW_TRI_YES ? LW_TRI_YES
               : v.tensor->grad == LW_TRI_NO                                    ? LW_TRI_NO
                                                                                : LW_TRI_MAYBE;
    if (!o || depth > 8)
        return v.kind == LW_V_UNKNOWN ? LW_TRI_MAYBE : LW_TRI_NO;
    if (!ck_is_torch_module(c, o))
        return (o->api || o->of) && depth > 0 && !ck_is_keras_layer(c, o) ? LW_TRI_NO
                                                                          : LW_TRI_MAYBE;
    if (!o->of && !items_of(o)) {
        struct lw_str fact = lw_api_fact(o->api, "parameters");
        struct lw_str role = lw_api_fact(o->api, "role");
        if (lw_str_eq(fact, LW_S("yes")))
            return LW_TRI_YES;
        if (lw_str_eq(fact, LW_S("no")) || lw_str_eq(role, LW_S("activation")) ||
            lw_str_eq(role, LW_S("dropout")) || lw_str_eq(role, LW_S("pool")) ||
            lw_str_eq(role, LW_S("flatten")))
            return LW_TRI_NO;
        return lw_str_eq(role, LW_S("dense")) || lw_str_eq(role, LW_S("conv")) ||
                       lw_str_eq(role, LW_S("recurrent")) || lw_str_eq(role, LW_S("embedding"))
                   ? LW_TRI_YES
                   : LW_TRI_MAYBE;
    }
    /* A __setattr__ of its own may register whatever is assigned. */
    bool bare = o->of && o->api && lw_str_eq(o->api->name, LW_S("torch.nn.Module")) &&
                ck_class_member(c, o->of, LW_S("__setattr__"), NULL).kind == LW_V_ABSENT;
    bool listed = items_of(o) != NULL;
    lw_tri any = o->open || (!bare && !listed) ? LW_TRI_MAYBE : LW_TRI_NO;
    if (items_of(o) && ck_sequence(c, v, &seq)) {
        if (seq.open)
            any = LW_TRI_MAYBE;
        for (uint32_t i = 0; i < seq.n; i++)
            any = lw_tri_or(any, has_parameters(c, seq.items[i], depth + 1));
    }
    for (const struct ck_slot *s = o->fields.first; s && any != LW_TRI_YES; s = s->next)
        if (s->value.kind != CK_LIST && s->value.kind != CK_DICT)
            any = lw_tri_or(any, has_parameters(c, s->value, depth + 1));
    return any;
}

static void parameters(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    lw_tri any = has_parameters(c, call->self, 0);
    struct lw_tensor t = lw_tensor_unknown(LW_TORCH);
    t.variable = LW_TRI_YES;
    t.grad = LW_TRI_YES;
    struct lw_value one = ck_tensor(c, &t);
    *value = ck_make_seq(c, LW_V_TUPLE, &one, any == LW_TRI_NO ? 0 : 1, any != LW_TRI_NO);
}

static void named_parameters(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_tensor t = lw_tensor_unknown(LW_TORCH);
    t.variable = LW_TRI_YES;
    t.grad = LW_TRI_YES;
    struct lw_value pair[2] = {lw_v_str((struct lw_str){0}), ck_tensor(c, &t)};
    struct lw_value one = ck_tuple(c, pair, 2);
    (void)call;
    *value = ck_make_seq(c, LW_V_TUPLE, &one, 1, true);
}

enum { MAX_MODULE_DEPTH = 8 };

static void set_trained(struct ck *c, struct lw_value v, lw_tri on, unsigned depth);

static void set_trained_items(struct ck *c, struct lw_value list, lw_tri on, unsigned depth)
{
    struct lw_seq seq;
    if (list.kind == CK_LIST && ck_sequence(c, list, &seq))
        for (uint32_t i = 0; i < seq.n; i++)
            set_trained(c, seq.items[i], on, depth);
}

/* The module and all inside; one that already has the trait was met before. */
static void set_trained(struct ck *c, struct lw_value v, lw_tri on, unsigned depth)
{
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    if (!o || !ck_is_torch_module(c, o) || depth > MAX_MODULE_DEPTH)
        return;
    struct lw_value known = ck_trait(o, TRAIT_TRAINED);
    if (known.kind == LW_V_BOOL && known.tri == on)
        return;
    ck_set_trait(c, o, TRAIT_TRAINED, lw_v_tri(on));
    set_trained_items(c, ck_trait(o, TRAIT_ITEMS), on, depth + 1);
    for (const struct ck_slot *s = o->fields.first; s; s = s->next) {
        set_trained(c, s->value, on, depth + 1);
        set_trained_items(c, s->value, on, depth + 1);
    }
}

/* model.requires_grad_(False) */
static void module_requires_grad(struct ck *c, const struct ck_call *call,
                                 struct lw_value *value)
{
    struct lw_value on = ck_arg(call, 0, "requires_grad");
    *value = call->self;
    set_trained(c, call->self, on.kind == LW_V_ABSENT ? LW_TRI_YES : ck_truth(c, on), 0);
}

static void apply_to(struct ck *c, struct lw_value f, struct lw_value v, uint32_t node,
                     unsigned depth);

static void apply_to_list(struct ck *c, struct lw_value f, struct lw_value list, uint32_t node,
                          unsigned depth)
{
    struct lw_seq seq;
    if (list.kind == CK_LIST && ck_sequence(c, list, &seq))
        for (uint32_t i = 0; i < seq.n; i++)
            apply_to(c, f, seq.items[i], node, depth);
}

/* model.apply(f): f gets every module inside, and the model itself at the end. */
static void apply_to(struct ck *c, struct lw_value f, struct lw_value v, uint32_t node,
                     unsigned depth)
{
    const struct ck_object *o = ck_as(v, CK_INSTANCE);
    struct lw_arg arg = {.value = v, .node = node};
    if (!o || !ck_is_torch_module(c, o) || depth > MAX_MODULE_DEPTH || c->stopped)
        return;
    apply_to_list(c, f, ck_trait(o, TRAIT_ITEMS), node, depth + 1);
    for (const struct ck_slot *s = o->fields.first; s; s = s->next) {
        apply_to(c, f, s->value, node, depth + 1);
        apply_to_list(c, f, s->value, node, depth + 1);
    }
    ck_call(c, f, &arg, 1, node);
}

static void apply(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value f = ck_arg(call, 0, "fn");
    *value = call->self;
    if (f.kind == CK_FUNCTION || f.kind == CK_METHOD)
        apply_to(c, f, call->self, call->node, 0);
}

static void children(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    struct lw_seq seq;
    *value = ck_make_seq(c, LW_V_TUPLE, NULL, 0, true);
    if (!o)
        return;
    if (items_of(o) && ck_sequence(c, call->self, &seq)) {
        *value = (struct lw_value){.kind = LW_V_TUPLE, .seq = seq};
        return;
    }
    if (ck_vision_children(c, o, &seq)) {
        *value = (struct lw_value){.kind = LW_V_TUPLE, .seq = seq};
        return;
    }
    if (!o->of || o->open)
        return;
    struct lw_value *items = ck_values(c, o->fields.n);
    uint32_t n = 0;
    for (struct ck_slot *s = o->fields.first; items && s; s = s->next)
        if (s->value.kind == CK_INSTANCE && ck_is_torch_module(c, ck_object_of(s->value)))
            items[n++] = s->value;
    if (items)
        *value = ck_make_seq(c, LW_V_TUPLE, items, n, false);
}

/* ---- training -----------------------------------------------------------------------------
 */

static void backward(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = lw_v_none();
    ck_emit(c, &(struct ck_event){
                   .kind = CK_EV_BACKWARD, .node = call->node, .a = call->self, .call = call});
}

static void optimizer_step(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = lw_v_unknown();
    ck_emit(c, &(struct ck_event){.kind = CK_EV_STEP,
                                  .node = call->node,
                                  .object = ck_as(call->self, CK_INSTANCE),
                                  .call = call});
}

static void zero_grad(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = lw_v_none();
    ck_emit(c, &(struct ck_event){.kind = CK_EV_ZERO_GRAD,
                                  .node = call->node,
                                  .object = ck_as(call->self, CK_INSTANCE),
                                  .call = call});
}

/* ---- data ---------------------------------------------------------------------------------
 */

struct batching {
    lw_dim batch;
    uint32_t framework;
};

static struct lw_value batch_way(struct ck *c, struct lw_value v, const void *data)
{
    const struct batching *b = data;
    return ck_batched(c, v, b->batch, b->framework);
}

/* One more dimension in front: what a loader makes of items. */
struct lw_value ck_batched(struct ck *c, struct lw_value item, lw_dim batch, uint32_t framework)
{
    struct lw_tensor t;
    struct lw_value v;
    struct lw_seq seq;
    const struct lw_dict *d;
    switch ((int)item.kind) {
    case LW_V_TENSOR:
        t = *item.tensor;
        t.shape = lw_shape_insert(&t.shape, 0, batch);
        if (t.framework == LW_NUMPY && framework) {
            t.framework = (uint8_t)framework;
            t.device = framework == LW_TORCH ? LW_CPU : t.device;
        }
        t.id = 0;
        v = ck_tensor(c, &t);
        if (c->ways.live)
            ways_map(c, item, v, batch_way, &(struct batching){batch, framework});
        return v;
    case LW_V_INT:
    case LW_V_FLOAT:
    case LW_V_BOOL:
        t = lw_tensor_unknown(framework ? framework : LW_NUMPY);
        t.shape = lw_shape_make(&batch, 1);
        t.dtype = item.kind == LW_V_INT ? LW_I64 : item.kind == LW_V_FLOAT ? LW_F64 : LW_BOOL;
        if (framework == LW_TORCH)
            t.device = LW_CPU;
        if (item.kind == LW_V_FLOAT)
            t.range = item.interval;
        return ck_tensor(c, &t);
    case LW_V_TUPLE:
    case LW_V_LIST:
    case CK_LIST: {
        if (!ck_sequence(c, item, &seq) || seq.open)
            return lw_v_unknown();
        struct lw_value *items = ck_values(c, seq.n);
        for (uint32_t i = 0; items && i < seq.n; i++)
            items[i] = ck_batched(c, seq.items[i], batch, framework);
        return items ? ck_make_seq(c, LW_V_TUPLE, items, seq.n, false) : lw_v_unknown();
    }
    case CK_DICT: {
        if (!ck_pairs(item, &d) || d->open)
            return lw_v_unknown();
        struct lw_value *values = ck_values(c, d->n);
        struct lw_dict *now = lw_arena_alloc(c->arena, sizeof *now);
        for (uint32_t i = 0; values && i < d->n; i++)
            values[i] = ck_batched(c, d->values[i], batch, framework);
        if (!values || !now)
            return lw_v_unknown();
        *now = (struct lw_dict){d->keys, values, d->n, false};
        return ck_new_dict(c, now, LW_NO_NODE);
    }
    default: return lw_v_unknown();
    }
}

/* One item of a data set, as dataset[i]. */
static struct lw_value dataset_item(struct ck *c, struct lw_value dataset, uint32_t node)
{
    struct ck_object *o = ck_as(dataset, CK_INSTANCE);
    if (!o) {
        struct lw_seq seq = ck_iterate(c, dataset, node);
        return seq.n ? ck_join_items(c, seq) : lw_v_unknown();
    }
    struct lw_value element = model_trait(o, DATA_ELEMENT);
    if (element.kind != LW_V_ABSENT)
        return element;
    struct lw_arg arg = {.value = lw_v_dim(lw_dim_symbol(c->dims, LW_S("i"), 0, LW_DIM_MOST)),
                         .node = LW_NO_NODE};
    forget_changes written = {0};
    forget_written(c, o, &written);
    struct lw_value v = ck_call_method(c, dataset, "__getitem__", &arg, 1, node);
    forget_undo(c, &written);
    lw_vec_release(c->mem, &written);
    return v.kind == LW_V_ABSENT ? lw_v_unknown() : v;
}

static void tensor_dataset(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    struct lw_value *items = ck_values(c, call->n);
    if (!o || !items)
        return;
    for (size_t i = 0; i < call->n; i++) {
        if (call->args[i].star)
            return;
        struct lw_value v = call->args[i].value;
        items[i] = v.kind == LW_V_TENSOR ? ck_subscript(c, v, ck_int(c, 0), call->node)
                                         : lw_v_unknown();
        if (i == 0 && v.kind == LW_V_TENSOR)
            ck_set_trait(c, o, TRAIT_LENGTH, lw_v_dim(lw_shape_at(&v.tensor->shape, 0)));
    }
    model_set_trait(c, o, DATA_ELEMENT, ck_tuple(c, items, call->n));
    struct lw_value *rows = ck_values(c, call->n);
    for (size_t i = 0; rows && i < call->n; i++)
        rows[i] = call->args[i].value;
    if (rows)
        ck_set_field(c, o, "tensors", ck_tuple(c, rows, call->n));
}

static bool length_of(struct ck *c, struct lw_value dataset, int64_t *n)
{
    struct ck_object *o = ck_as(dataset, CK_INSTANCE);
    struct lw_value v = o ? ck_trait(o, TRAIT_LENGTH) : lw_v_absent();
    if (o && o->of && v.kind == LW_V_ABSENT && !c->frame->uncertain)
        v = ck_call_method(c, dataset, "__len__", NULL, 0, LW_NO_NODE);
    return ck_int_of(c, v, n);
}

/* The sizes of a batch and of the last one, where the length of the data is known. */
static bool batch_sizes(struct ck *c, const struct ck_call *call, struct lw_value dataset,
                        lw_dim out[2])
{
    struct lw_value size = ck_slot_value(call, "batch_size");
    struct lw_value drop = ck_slot_value(call, "drop_last");
    struct lw_value sampler = ck_slot_value(call, "sampler");
    int64_t length, n;
    if (sampler.kind != LW_V_NONE || !ck_int_of(c, size, &n) || n < 1 ||
        drop.kind != LW_V_BOOL || drop.tri == LW_TRI_MAYBE || !length_of(c, dataset, &length) ||
        length < 1)
        return false;
    int64_t full = length < n ? length : n, rest = length % n;
    if (drop.tri == LW_TRI_YES || rest == 0 || length < n)
        rest = full;
    out[0] = lw_dim_big(c->dims, full);
    out[1] = lw_dim_big(c->dims, rest);
    return true;
}

/* What a function of the program makes of a list of items. */
static struct lw_value collated(struct ck *c, struct lw_value collate, struct lw_value item,
                                uint32_t node)
{
    struct lw_value *one = ck_values(c, 1);
    if (!one || (collate.kind != CK_FUNCTION && collate.kind != CK_METHOD) ||
        item.kind == LW_V_UNKNOWN)
        return lw_v_unknown();
    *one = item;
    struct lw_value list =
        ck_new_list(c, CK_LIST, (struct lw_seq){.items = one, .n = 1, .open = true}, node);
    struct lw_arg arg = {.value = list, .node = node};
    return ck_call(c, collate, &arg, 1, node);
}

/* len(loader): the number of batches. */
static void set_passes(struct ck *c, const struct ck_call *call, struct ck_object *loader)
{
    struct lw_value drop = ck_slot_value(call, "drop_last");
    struct lw_value batches = ck_slot_value(call, "batch_sampler");
    int64_t length, size;
    if ((batches.kind != LW_V_NONE && batches.kind != LW_V_ABSENT) ||
        ck_slot_value(call, "sampler").kind != LW_V_NONE ||
        !ck_int_of(c, ck_slot_value(call, "batch_size"), &size) || size < 1 ||
        ck_truth(c, drop) != LW_TRI_NO ||
        !length_of(c, ck_slot_value(call, "dataset"), &length) || length < 1)
        return;
    ck_set_trait(c, loader, TRAIT_LENGTH, ck_int(c, (length + size - 1) / size));
}

/* Is the setting unknown only because of `**kwargs`? They hold num_workers and the like. */
static bool may_be_given(const struct ck_call *call, struct lw_value v)
{
    bool starred = false;
    for (size_t i = 0; i < call->n; i++)
        starred |= call->args[i].star;
    return v.kind != LW_V_ABSENT && v.kind != LW_V_NONE && !(starred && v.kind == LW_V_UNKNOWN);
}

static void data_loader(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    struct lw_value dataset = ck_slot_value(call, "dataset");
    struct lw_value size = ck_slot_value(call, "batch_size");
    struct lw_value collate = ck_slot_value(call, "collate_fn");
    struct lw_value sampler = ck_slot_value(call, "batch_sampler");
    if (!o)
        return;
    lw_dim batch = lw_dim_symbol(c->dims, LW_S("batch"), 1, LW_DIM_MOST);
    int64_t n;
    if (size.kind == LW_V_INT && ck_int_of(c, size, &n) && n == 1)
        batch = size.dim; /* the last batch may be smaller: only 1 is sure */
    ck_set_field(c, o, "dataset", dataset);
    lw_dim sizes[2] = {batch, batch};
    bool known = batch_sizes(c, call, dataset, sizes);
    bool sampled = may_be_given(call, sampler);
    bool custom = sampled || may_be_given(call, collate);
    struct lw_value item = sampled ? lw_v_unknown() : dataset_item(c, dataset, call->node);
    if (custom) {
        model_set_trait(c, o, DATA_ELEMENT,
                        sampled ? lw_v_unknown() : collated(c, collate, item, call->node));
        set_passes(c, call, o);
        return;
    }
    if (ck_int_of(c, size, &n) && n > 1)
        ck_check_items(c, dataset, call->node);
    if (known && lw_dim_eq(c->dims, sizes[0], sizes[1]) == LW_TRI_NO) {
        struct lw_value both[2] = {ck_batched(c, item, sizes[0], LW_TORCH),
                                   ck_batched(c, item, sizes[1], LW_TORCH)};
        model_set_trait(c, o, DATA_BATCHES, ck_tuple(c, both, 2));
    }
    model_set_trait(c, o, DATA_ELEMENT, ck_batched(c, item, batch, LW_TORCH));
    set_passes(c, call, o);
}

static void subset(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    struct lw_value dataset = ck_arg(call, 0, "dataset");
    if (o)
        model_set_trait(c, o, DATA_ELEMENT, dataset_item(c, dataset, call->node));
}

static void random_split(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value dataset = ck_arg(call, 0, "dataset");
    struct lw_seq parts = ck_iterate(c, ck_arg(call, 1, "lengths"), call->node);
    struct lw_value *items = ck_values(c, parts.n);
    if (!items)
        return;
    for (uint32_t i = 0; i < parts.n; i++)
        items[i] = dataset;
    *value = ck_make_seq(c, LW_V_TUPLE, items, parts.n, parts.open);
}

/* The size of an axis of a grid: that of a vector, or of a scalar 1. */
static bool grid_size(struct lw_value v, lw_dim *out)
{
    const struct lw_tensor *t = ck_tensor_of(v);
    if (!t || !lw_shape_has_rank(&t->shape) || t->shape.n > 1)
        return false;
    *out = t->shape.n ? t->shape.d[0] : lw_dim_int(1);
    return true;
}

/* meshgrid(x, y), meshgrid([x, y]): as many tensors, each as large as the grid. */
static void meshgrid(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value axes[4], grids[4];
    struct lw_shape shape = lw_shape_of_rank(0);
    struct lw_seq seq;
    size_t n = 0;
    for (size_t i = 0; i < call->n && n < 4; i++)
        if (!call->args[i].name.n && !call->args[i].star)
            axes[n++] = call->args[i].value;
    if (n == 1 && axes[0].kind != LW_V_TENSOR && ck_sequence(c, axes[0], &seq) && !seq.open)
        for (n = 0; n < seq.n && n < 4; n++)
            axes[n] = seq.items[n];
    struct lw_value order = ck_arg(call, SIZE_MAX, "indexing");
    bool swapped = order.kind == LW_V_STR && text_is(order.str, "xy") && n > 1;
    for (size_t i = 0; i < n; i++) {
        lw_dim size;
        if (!grid_size(axes[swapped && i < 2 ? 1 - i : i], &size))
            return;
        lw_shape_push(&shape, size);
    }
    for (size_t i = 0; i < n; i++) {
        struct lw_tensor t = *axes[i].tensor;
        t.shape = shape;
        t.id = 0;
        grids[i] = ck_tensor(c, &t);
    }
    if (n)
        *value = ck_tuple(c, grids, n);
}

/* torch.jit.script(model): the same computation, with other methods. */
static void scripted(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(*value, CK_INSTANCE);
    (void)c;
    (void)call;
    if (o)
        o->open = true;
}

/* torch.tensor([loss_a, loss_b]): each tensor inside stands for its only element. */
static void tensor_new(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value data = ck_arg(call, 0, "data");
    struct lw_seq seq;
    if ((data.kind != CK_LIST && data.kind != LW_V_TUPLE) || value->kind != LW_V_TENSOR ||
        !ck_sequence(c, data, &seq) || seq.n == 0)
        return;
    for (uint32_t i = 0; i < seq.n; i++)
        if (seq.items[i].kind != LW_V_TENSOR || seq.items[i].tensor->framework != LW_TORCH)
            return;
    struct lw_tensor t = *value->tensor;
    lw_dim n = seq.open ? LW_DIM_UNKNOWN : lw_dim_int((int32_t)seq.n);
    t.shape = lw_shape_make(&n, 1);
    *value = ck_tensor(c, &t);
}

/* x.resize_as_(y), self.x.resize_(2, 3): what stands there has another shape from now on. */
static void resized(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct lw_tensor *like = ck_tensor_of(ck_arg(call, 0, "the_template"));
    if (call->self.kind != LW_V_TENSOR || call->node == LW_NO_NODE ||
        lw_tree_kind(t, call->node) != LW_NODE_CALL)
        return;
    struct lw_tensor now = *call->self.tensor;
    now.shape = like ? like->shape : lw_shape_unknown();
    *value = ck_tensor(c, &now);
    uint32_t method = lw_tree_get(t, call->node, LW_ROLE_FUNC);
    if (lw_tree_kind(t, method) != LW_NODE_ATTRIBUTE)
        return;
    uint32_t place = lw_tree_get(t, method, LW_ROLE_VALUE);
    if (lw_tree_kind(t, place) == LW_NODE_NAME) {
        struct ck_slot *slot = ck_bound_slot(c, place);
        if (slot)
            heap_set(&c->heap, slot, *value);
    } else if (lw_tree_kind(t, place) == LW_NODE_ATTRIBUTE) {
        struct ck_object *o =
            ck_as(ck_eval(c, lw_tree_get(t, place, LW_ROLE_VALUE)), CK_INSTANCE);
        struct lw_str name = lw_arena_copy(c->arena, lw_tree_name(t, place));
        if (o && name.p)
            ck_set_field(c, o, name.p, *value);
    }
}

const struct ck_handler ck_handlers_torch[] = {
    {"torch.compile", scripted},
    {"torch.jit.script", scripted},
    {"torch.jit.trace", scripted},
    {"torch.tensor", tensor_new},
    {"torch.nn.ModuleList", module_list_new},
    {"torch.nn.ModuleList.append", list_append},
    {"torch.nn.ModuleList.extend", list_extend},
    {"torch.nn.ModuleList.insert", list_insert},
    {"torch.nn.Module.add_module", add_module},
    {"torch.nn.Module.apply", apply},
    {"torch.nn.Module.children", children},
    {"torch.nn.Module.named_parameters", named_parameters},
    {"torch.nn.Module.parameters", parameters},
    {"torch.nn.Module.register_module", add_module},
    {"torch.nn.Module.requires_grad_", module_requires_grad},
    {"torch.nn.Module.zero_grad", zero_grad},
    {"torch.nn.Sequential", sequential_new},
    {"torch.nn.Sequential.append", list_append},
    {"torch.Tensor.backward", backward},
    {"torch.Tensor.resize_", resized},
    {"torch.Tensor.resize_as_", resized},
    {"torch.Tensor.set_", resized},
    {"torch.optim.Optimizer.step", optimizer_step},
    {"torch.optim.Optimizer.zero_grad", zero_grad},
    {"torch.utils.data.DataLoader", data_loader},
    {"torch.utils.data.Subset", subset},
    {"torch.utils.data.TensorDataset", tensor_dataset},
    {"torch.meshgrid", meshgrid},
    {"torch.utils.data.random_split", random_split},
    {NULL, NULL},
};
