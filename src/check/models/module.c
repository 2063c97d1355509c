#include "base/err.h"
#include "check/models/module.h"

#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/models/traits.h"

enum { MAX_DEPTH = 12 }; /* modules inside each other */

struct move {
    uint32_t device; /* 0: stays */
    lw_dtypes dtype; /* 0: stays */
};

static bool is_wrapper(struct ck *c, const struct ck_object *o)
{
    static const char *const bases[] = {"torch.nn.DataParallel",
                                        "torch.nn.parallel.DistributedDataParallel", NULL};
    struct lw_value v = {.kind = o->kind, .opaque = o};
    return !o->of && ck_is_a_any(c, v, bases);
}

struct ck_object *ck_wrapped_module(struct ck *c, const struct ck_object *o)
{
    LW_BUG_ON(!o);
    return is_wrapper(c, o) ? ck_as(ck_config(o, "module"), CK_INSTANCE) : NULL;
}

/* ---- moving -------------------------------------------------------------------------------
 */

static struct lw_str buffer_mark(struct ck *c, struct lw_str name)
{
    return ck_text(c, "(buffer)%.*s", LW_F(name));
}

static bool is_buffer(struct ck *c, const struct ck_object *o, struct lw_str name)
{
    struct lw_str mark = buffer_mark(c, name);
    return ck_field_slot(c, o, mark) != NULL;
}

/* nn.Parameter(…, requires_grad=False) moves too. */
static bool is_parameter(struct ck *c, struct lw_value v)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    return v.tensor->variable == LW_TRI_YES ||
           (o && lw_str_has_suffix(o->op, LW_S("Parameter")));
}

static void move_tensor(struct ck *c, struct ck_slot *s, const struct move *m)
{
    struct lw_tensor t = *s->value.tensor;
    if (m->device)
        t.device = (uint8_t)m->device;
    if (m->dtype && (t.dtype & LW_FLOATS))
        t.dtype = m->dtype;
    heap_set(&c->heap, s, ck_tensor(c, &t));
}

static void move_module(struct ck *c, struct ck_object *o, const struct move *m, unsigned depth)
{
    struct lw_seq seq;
    if (depth > MAX_DEPTH)
        return;
    if (m->device)
        model_set_trait(c, o, MODULE_DEVICE,
                        (struct lw_value){.kind = LW_V_DEVICE, .device = m->device});
    if (m->dtype)
        model_set_trait(c, o, MODULE_DTYPE, lw_v_dtype(m->dtype));
    struct ck_object *inner = ck_wrapped_module(c, o);
    if (inner)
        move_module(c, inner, m, depth + 1);
    struct ck_object *items = ck_as(ck_trait(o, TRAIT_ITEMS), CK_LIST);
    if (items && ck_sequence(c, ck_value(items), &seq))
        for (uint32_t i = 0; i < seq.n; i++) {
            struct ck_object *item = ck_as(seq.items[i], CK_INSTANCE);
            if (item && ck_is_torch_module(c, item))
                move_module(c, item, m, depth + 1);
        }
    if (!o->of && !o->open && !inner && !items && !o->fields.first)
        return;
    for (struct ck_slot *s = o->fields.first; s; s = s->next) {
        struct ck_object *part = ck_as(s->value, CK_INSTANCE);
        if (part && part != o && ck_is_torch_module(c, part))
            move_module(c, part, m, depth + 1);
        else if (s->value.kind == LW_V_TENSOR && s->value.tensor->framework == LW_TORCH &&
                 (is_parameter(c, s->value) || is_buffer(c, o, heap_name(&c->heap, s->name))))
            move_tensor(c, s, m);
    }
}

static uint32_t device_of(struct lw_value v)
{
    if (v.kind == LW_V_DEVICE)
        return v.device;
    if (v.kind == LW_V_TENSOR)
        return v.tensor->device;
    if (v.kind == LW_V_INT)
        return LW_CUDA;
    if (v.kind != LW_V_STR)
        return LW_DEVICE_UNKNOWN;
    return !v.str.p                                 ? LW_CHOSEN_DEVICE
           : lw_str_has_prefix(v.str, LW_S("cuda")) ? LW_CUDA
           : lw_str_has_prefix(v.str, LW_S("cpu"))  ? LW_CPU
                                                    : LW_OTHER_DEVICE;
}

/* to(device), to(dtype), to(device, dtype), to(tensor). */
static void module_to(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    struct move m = {0};
    *value = call->self;
    for (size_t i = 0; i < call->n; i++) {
        const struct lw_arg *a = &call->args[i];
        bool named = a->name.n > 0;
        if (a->star)
            m = (struct move){LW_DEVICE_UNKNOWN, LW_DTYPE_UNKNOWN};
        else if (a->value.kind == LW_V_DTYPE)
            m.dtype = a->value.dtypes;
        else if (named && lw_str_eq(a->name, LW_S("dtype")))
            m.dtype = LW_DTYPE_UNKNOWN;
        else if (named ? lw_str_eq(a->name, LW_S("device")) : i == 0)
            m.device = device_of(a->value);
        if (!named && a->value.kind == LW_V_UNKNOWN)
            m = (struct move){LW_DEVICE_UNKNOWN, LW_DTYPE_UNKNOWN};
    }
    if (o)
        move_module(c, o, &m, 0);
}

static void module_cast(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    static const struct {
        const char *method;
        struct move move;
    } table[] = {
        {".bfloat16", {.dtype = LW_BF16}}, {".cpu", {.device = LW_CPU}},
        {".cuda", {.device = LW_CUDA}},    {".double", {.dtype = LW_F64}},
        {".float", {.dtype = LW_F32}},     {".half", {.dtype = LW_F16}},
    };
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    *value = call->self;
    for (size_t i = 0; o && i < sizeof table / sizeof *table; i++)
        if (lw_str_has_suffix(call->name, lw_str(table[i].method)))
            move_module(c, o, &table[i].move, 0);
}

static void register_tensor(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    struct lw_value name = ck_arg(call, 0, "name"), v = ck_arg(call, 1, NULL);
    if (v.kind == LW_V_ABSENT)
        v = ck_arg(call, 1,
                   lw_str_has_suffix(call->name, LW_S("_buffer")) ? "tensor" : "param");
    *value = lw_v_none();
    if (!o)
        return;
    if (name.kind != LW_V_STR || !name.str.p) {
        o->open = true;
        return;
    }
    ck_set_attr(c, call->self, name.str, v.kind == LW_V_TENSOR ? v : lw_v_unknown());
    if (lw_str_has_suffix(call->name, LW_S("_buffer")))
        ck_set_attr(c, call->self, buffer_mark(c, name.str), lw_v_tri(LW_TRI_YES));
}

/* train() and eval() of a module reach its parts. */
static void set_training(struct ck *c, struct ck_object *o, lw_tri mode, unsigned depth)
{
    struct lw_seq seq;
    if (depth > MAX_DEPTH)
        return;
    ck_set_field(c, o, "training", lw_v_tri(mode));
    struct ck_object *inner = ck_wrapped_module(c, o);
    if (inner)
        set_training(c, inner, mode, depth + 1);
    struct ck_object *items = ck_as(ck_trait(o, TRAIT_ITEMS), CK_LIST);
    if (items && ck_sequence(c, ck_value(items), &seq))
        for (uint32_t i = 0; i < seq.n; i++) {
            struct ck_object *item = ck_as(seq.items[i], CK_INSTANCE);
            if (item && ck_is_torch_module(c, item))
                set_training(c, item, mode, depth + 1);
        }
    for (struct ck_slot *s = o->of ? o->fields.first : NULL; s; s = s->next) {
        struct ck_object *part = ck_as(s->value, CK_INSTANCE);
        if (part && part != o && ck_is_torch_module(c, part))
            set_training(c, part, mode, depth + 1);
    }
}

static void set_mode(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *o = ck_as(call->self, CK_INSTANCE);
    struct lw_value mode = ck_arg(call, 0, "mode");
    *value = call->self;
    bool train = lw_str_has_suffix(call->name, LW_S(".train"));
    lw_tri t = !train ? LW_TRI_NO : mode.kind == LW_V_ABSENT ? LW_TRI_YES : ck_truth(c, mode);
    if (o)
        set_training(c, o, t, 0);
}

/* ---- where and what they are --------------------------------------------------------------
 */

static bool inside_device(const struct ck *c)
{
    for (size_t i = 0; i < c->contexts.n; i++)
        if (c->contexts.v[i].value.kind == LW_V_DEVICE)
            return true;
    return false;
}

uint32_t ck_module_device(struct ck *c, const struct ck_object *o)
{
    LW_BUG_ON(!o);
    struct lw_value moved = model_trait(o, MODULE_DEVICE), made = ck_config(o, "device");
    if (moved.kind == LW_V_DEVICE)
        return moved.device;
    if (moved.kind != LW_V_ABSENT || ck_is_driven(c) || inside_device(c) ||
        ck_shows(c, "name set_default_*") || ck_shows(c, "name *accelerator*") ||
        ck_shows(c, "name *DataParallel") || ck_shows(c, "attribute data="))
        return LW_DEVICE_UNKNOWN;
    return made.kind == LW_V_ABSENT || made.kind == LW_V_NONE ? LW_CPU : device_of(made);
}

void ck_module_anywhere(struct ck *c, struct ck_object *o)
{
    if (ck_is_torch_module(c, o))
        move_module(c, o, &(struct move){.device = LW_DEVICE_UNKNOWN}, 0);
}

lw_dtypes ck_module_dtype(struct ck *c, const struct ck_object *o)
{
    LW_BUG_ON(!o);
    struct lw_value cast = model_trait(o, MODULE_DTYPE), made = ck_config(o, "dtype");
    if (cast.kind == LW_V_DTYPE)
        return cast.dtypes;
    if (cast.kind != LW_V_ABSENT || ck_is_driven(c) || ck_shows(c, "name set_default_*") ||
        ck_shows(c, "name *autocast*") || ck_shows(c, "name *cuda.amp*") ||
        ck_shows(c, "name *apex*"))
        return LW_DTYPE_UNKNOWN;
    if (made.kind == LW_V_DTYPE)
        return made.dtypes;
    return made.kind == LW_V_ABSENT || made.kind == LW_V_NONE ? LW_F32 : LW_DTYPE_UNKNOWN;
}

struct lw_value ck_module_output(struct ck *c, const struct ck_object *o, struct lw_value v)
{
    LW_BUG_ON(!o);
    if (v.kind != LW_V_TENSOR || v.tensor->framework != LW_TORCH || o->of ||
        !lw_str_eq(lw_api_fact(o->api, "role"), LW_S("embedding")))
        return v;
    lw_dtypes dtype = ck_module_dtype(c, o);
    if (dtype == v.tensor->dtype)
        return v;
    struct lw_tensor t = *v.tensor; /* rows of the table, not of what picks them */
    t.dtype = dtype;
    struct lw_value same = lw_v_tensor(c->arena, &t);
    same.line = v.line;
    return same;
}

/* ---- gradients ----------------------------------------------------------------------------
 */

static bool is_context(const struct ck_context *context, const char *name)
{
    const struct ck_object *o = ck_as(context->value, CK_INSTANCE);
    return o && o->api && lw_str_eq(o->api->name, lw_str(name));
}

bool ck_grad_off(const struct ck *c)
{
    for (size_t i = c->contexts.n; i-- > 0;) { /* the innermost one decides */
        if (is_context(&c->contexts.v[i], "torch.enable_grad") ||
            is_context(&c->contexts.v[i], "torch.set_grad_enabled"))
            return false;
        if (is_context(&c->contexts.v[i], "torch.no_grad") ||
            is_context(&c->contexts.v[i], "torch.inference_mode"))
            return true;
    }
    for (const struct ck_frame *f = c->frame; f; f = f->up)
        if (f->grad_off)
            return true;
    return false;
}

struct lw_value ck_without_grad(struct ck *c, struct lw_value v)
{
    if (v.kind != LW_V_TENSOR || v.tensor->framework != LW_TORCH ||
        v.tensor->grad == LW_TRI_NO || v.tensor->variable == LW_TRI_YES || !ck_grad_off(c))
        return v;
    struct lw_tensor t = *v.tensor;
    t.grad = LW_TRI_NO;
    return ck_tensor(c, &t);
}

const struct ck_handler ck_handlers_module[] = {
    {"torch.nn.Module.bfloat16", module_cast},
    {"torch.nn.Module.cpu", module_cast},
    {"torch.nn.Module.cuda", module_cast},
    {"torch.nn.Module.eval", set_mode},
    {"torch.nn.Module.double", module_cast},
    {"torch.nn.Module.float", module_cast},
    {"torch.nn.Module.half", module_cast},
    {"torch.nn.Module.register_buffer", register_tensor},
    {"torch.nn.Module.register_parameter", register_tensor},
    {"torch.nn.Module.to", module_to},
    {"torch.nn.Module.train", set_mode},
    {NULL, NULL},
};
