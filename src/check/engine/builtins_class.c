/* Built-in functions about classes and attributes: super(), isinstance(), getattr()… */
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/engine/library.h"

static void fn_super(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct ck_object *cls = ck_as(ck_arg(call, 0, NULL), CK_CLASS);
    struct lw_value self = ck_arg(call, 1, NULL);
    struct ck_object *o = ck_new(c, CK_SUPER, call->node);
    if (!o)
        return;
    o->of = cls ? cls : c->frame->in_class;
    o->self = self.kind == LW_V_ABSENT ? c->frame->self : self;
    *value = ck_value(o);
}

/* Values whose kind is all there is to know about their class. */
static bool is_plain_kind(struct lw_value v)
{
    return v.kind == LW_V_INT || v.kind == LW_V_FLOAT || v.kind == LW_V_STR ||
           v.kind == CK_LIST || v.kind == LW_V_TUPLE || v.kind == CK_DICT ||
           v.kind == LW_V_BOOL || v.kind == LW_V_NONE;
}

/* isinstance(v, type): is it a class? */
static lw_tri is_type(struct lw_value v)
{
    const struct ck_object *o = ck_object_of(v);
    if (v.kind == CK_CLASS)
        return LW_TRI_YES;
    if (v.kind == CK_NAME && o->api)
        return lw_tri_of(o->api->kind != LW_API_FUNCTION && o->api->kind != LW_API_ACTIVATION &&
                         o->api->kind != LW_API_METHOD);
    return is_plain_kind(v) || v.kind == CK_FUNCTION || v.kind == CK_METHOD ? LW_TRI_NO
                                                                            : LW_TRI_MAYBE;
}

/* isinstance(tensor, torch.Tensor), isinstance(3, np.ndarray): of what library is a value that
 * is no object of the engine? */
static lw_tri of_library(struct lw_value v, struct lw_str cls)
{
    static const struct {
        const char *prefix, *array;
        uint32_t framework;
    } known[] = {
        {"torch.", "torch.Tensor", LW_TORCH},
        {"tensorflow.", "tensorflow.Tensor", LW_TF},
        {"numpy.", "numpy.ndarray", LW_NUMPY},
        {"PIL.", NULL, 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!lw_str_has_prefix(cls, lw_str(known[i].prefix)))
            continue;
        if (v.kind != LW_V_TENSOR) /* numbers of numpy are taken for Python's */
            return is_plain_kind(v) && known[i].framework != LW_NUMPY ? LW_TRI_NO
                                                                      : LW_TRI_MAYBE;
        /* An item of an array is a number of numpy, not an array. */
        bool item = v.tensor->framework == LW_NUMPY && v.tensor->shape.n == 0;
        if (v.tensor->framework == known[i].framework)
            return known[i].array && lw_str_eq(cls, lw_str(known[i].array)) && !item
                       ? LW_TRI_YES
                       : LW_TRI_MAYBE;
        return lw_set_is_one(v.tensor->framework) && v.tensor->framework != LW_KERAS
                   ? LW_TRI_NO
                   : LW_TRI_MAYBE;
    }
    return LW_TRI_MAYBE;
}

/* A class of the program, or one of the tables. */
static bool is_class(struct lw_value v)
{
    const struct ck_object *o = ck_as(v, CK_NAME);
    return v.kind == CK_CLASS ||
           (o && o->api &&
            (o->api->kind == LW_API_LAYER || o->api->kind == LW_API_CLASS ||
             o->api->kind == LW_API_MODEL));
}

lw_tri ck_same_class(struct lw_value a, struct lw_value b)
{
    const struct ck_object *x = ck_object_of(a), *y = ck_object_of(b);
    if (!is_class(a) || !is_class(b))
        return LW_TRI_MAYBE;
    if (a.kind == CK_NAME && b.kind == CK_NAME)
        return lw_tri_of(x->api == y->api);
    /* A class that was defined again is another object of the same name. */
    return a.kind == b.kind && lw_str_eq(x->name, y->name) ? LW_TRI_MAYBE : LW_TRI_NO;
}

lw_tri ck_instance_truth(struct ck *c, struct ck_object *o)
{
    static const char *const counted[] = {"__len__", "__bool__", "__nonzero__"};
    if (o->open || (!o->of && !o->api))
        return LW_TRI_MAYBE;
    /* Of library classes only those are sure that hold nothing. */
    if (!o->of)
        return lw_tri_or(LW_TRI_MAYBE,
                         lw_tri_of(lw_str_eq(lw_api_fact(o->api, "role"), LW_S("scaler")) ||
                                   o->api->kind == LW_API_OPTIMIZER));
    if (o->of->open || o->api)
        return LW_TRI_MAYBE;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        if (ck_class_member(c, o->of, lw_str(counted[i]), NULL).kind != LW_V_ABSENT)
            return LW_TRI_MAYBE;
    return LW_TRI_YES;
}

enum { MAX_BASES = 16 }; /* classes deep */

/* Is the class the other one, or made of it? MAYBE when not all it is made of is known. */
static lw_tri derives(const struct ck_object *cls, const struct ck_object *from, unsigned depth)
{
    if (cls == from)
        return LW_TRI_YES;
    lw_tri any = cls->open || depth >= MAX_BASES ? LW_TRI_MAYBE : LW_TRI_NO;
    /* A class that was defined again is another object of the same name. */
    if (lw_str_eq(cls->name, from->name))
        any = LW_TRI_MAYBE;
    for (uint32_t i = 0; i < cls->item_count && depth < MAX_BASES; i++)
        if (cls->items[i].kind == CK_CLASS)
            any = lw_tri_or(any, derives(ck_object_of(cls->items[i]), from, depth + 1));
        else if (cls->items[i].kind != CK_NAME)
            any = lw_tri_or(any, LW_TRI_MAYBE);
    return any;
}

static void fn_issubclass(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    const struct ck_object *cls = ck_as(ck_arg(call, 0, NULL), CK_CLASS);
    const struct ck_object *from = ck_as(ck_arg(call, 1, NULL), CK_CLASS);
    (void)c;
    *value = lw_v_tri(cls && from ? derives(cls, from, 0) : LW_TRI_MAYBE);
}

/* isinstance(v, collections.abc.Iterable) and the like, of which a name ends so. */
static lw_tri of_many(struct lw_value v, struct lw_str cls)
{
    static const char *const kinds[] = {"Iterable", "Sequence", "Collection", "Sized"};
    bool asked = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        asked |= lw_str_has_suffix(cls, lw_str(kinds[i]));
    if (!asked || !is_plain_kind(v) || v.kind == CK_DICT)
        return LW_TRI_MAYBE;
    return lw_tri_of(v.kind == CK_LIST || v.kind == LW_V_TUPLE || v.kind == LW_V_STR);
}

/* YES only for values whose class is known. */
static lw_tri instance_of(struct ck *c, struct lw_value v, struct lw_value cls)
{
    struct lw_seq seq;
    struct ck_object *k = ck_object_of(cls);
    if (lw_v_is_seq(cls) && ck_sequence(c, cls, &seq)) {
        lw_tri any = LW_TRI_NO;
        for (uint32_t i = 0; i < seq.n; i++)
            any = lw_tri_or(any, instance_of(c, v, seq.items[i]));
        return any;
    }
    if (v.kind == LW_V_UNKNOWN || !k)
        return LW_TRI_MAYBE;
    if (cls.kind == CK_CLASS && v.kind == CK_INSTANCE) {
        const struct ck_object *o = ck_object_of(v);
        /* What a library has made is of no class of the program. */
        return o->of ? derives(o->of, k, 0) : o->api && !o->open ? LW_TRI_NO : LW_TRI_MAYBE;
    }
    if (cls.kind == CK_NAME && lw_str_eq(k->name, LW_S("builtins.type")))
        return is_type(v);
    if (cls.kind == CK_NAME && (lw_str_eq(k->name, LW_S("numbers.Number")) ||
                                lw_str_eq(k->name, LW_S("numbers.Real"))))
        return v.kind == LW_V_INT || v.kind == LW_V_FLOAT || v.kind == LW_V_BOOL ? LW_TRI_YES
               : is_plain_kind(v)                                                ? LW_TRI_NO
                                                                                 : LW_TRI_MAYBE;
    if (cls.kind == CK_NAME && lw_str_has_prefix(k->name, LW_S("builtins."))) {
        struct lw_str want = lw_str_from(k->name, 9);
        const char *is = v.kind == LW_V_STR ? "str" : ck_kind_name(c, v);
        bool plain = is_plain_kind(v);
        bool container = lw_str_eq(want, LW_S("dict")) || lw_str_eq(want, LW_S("list")) ||
                         lw_str_eq(want, LW_S("tuple")) || lw_str_eq(want, LW_S("str"));
        if (v.kind == LW_V_TENSOR) /* numbers of numpy are floats, too */
            return container || v.tensor->framework == LW_TORCH ||
                           (lw_shape_has_rank(&v.tensor->shape) && v.tensor->shape.n > 0)
                       ? LW_TRI_NO
                       : LW_TRI_MAYBE;
        if (lw_str_eq(want, lw_str(is)))
            return LW_TRI_YES;
        return plain && !(v.kind == LW_V_BOOL && lw_str_eq(want, LW_S("int"))) ? LW_TRI_NO
                                                                               : LW_TRI_MAYBE;
    }
    if (cls.kind == CK_NAME && v.kind == LW_V_TENSOR &&
        lw_str_has_suffix(k->name, LW_S("Mapping")))
        return LW_TRI_NO;
    if (cls.kind == CK_NAME && v.kind == CK_INSTANCE && k->api) {
        const struct ck_object *o = ck_object_of(v);
        if (ck_is_a(c, v, ck_text(c, "%.*s", LW_F(k->api->name)).p))
            return LW_TRI_YES;
        /* Concrete layers are not derived from each other. */
        bool apart = k->api->kind == LW_API_LAYER && !o->open && o->api &&
                     c->models->is_torch_module(c, o) &&
                     (o->of ? lw_str_eq(o->api->name, LW_S("torch.nn.Module"))
                            : o->api->kind == LW_API_LAYER);
        return apart ? LW_TRI_NO : LW_TRI_MAYBE;
    }
    lw_tri many = cls.kind == CK_NAME ? of_many(v, k->name) : LW_TRI_MAYBE;
    if (many != LW_TRI_MAYBE)
        return many;
    return cls.kind == CK_NAME ? of_library(v, k->name) : LW_TRI_MAYBE;
}

static void fn_isinstance(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    *value = lw_v_tri(instance_of(c, ck_arg(call, 0, NULL), ck_arg(call, 1, NULL)));
}

static void fn_getattr(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value v = ck_arg(call, 0, NULL), name = ck_arg(call, 1, NULL);
    struct lw_value otherwise = ck_arg(call, 2, NULL);
    if (name.kind != LW_V_STR || !name.str.p)
        return;
    c->quiet++;
    *value = ck_get_attr(c, v, name.str, call->node);
    c->quiet--;
    if (otherwise.kind != LW_V_ABSENT && v.kind != CK_INSTANCE)
        *value = ck_join(c, *value, otherwise);
}

static void fn_setattr(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value owner = ck_arg(call, 0, NULL), name = ck_arg(call, 1, NULL);
    *value = lw_v_none();
    if (name.kind == LW_V_STR && name.str.p)
        ck_set_attr(c, owner, name.str, ck_arg(call, 2, NULL));
    else if (owner.kind == CK_INSTANCE)
        ck_object_of(owner)->open = true;
}

struct lw_value ck_type_of(struct ck *c, struct lw_value v)
{
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    if (o && o->of)
        return ck_value(o->of);
    if (o && o->api && !o->open)
        return ck_new_name(c, o->api->name);
    if (is_plain_kind(v))
        return ck_new_name(
            c, ck_text(c, "builtins.%s", v.kind == LW_V_STR ? "str" : ck_kind_name(c, v)));
    return lw_v_unknown();
}

static void fn_type(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    if (call->n == 1)
        *value = ck_type_of(c, ck_arg(call, 0, NULL));
}

/* Can it be called? */
static void fn_callable(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value v = ck_arg(call, 0, NULL);
    struct ck_object *o = ck_object_of(v);
    lw_tri is = LW_TRI_MAYBE;
    if (is_plain_kind(v) || v.kind == LW_V_TENSOR || v.kind == LW_V_SHAPE)
        is = LW_TRI_NO;
    else if (v.kind == CK_FUNCTION || v.kind == CK_METHOD || v.kind == CK_CLASS ||
             v.kind == CK_BOUND)
        is = LW_TRI_YES;
    else if (v.kind == CK_NAME && o->api && o->api->side[LW_API_CONSTRUCT].present)
        is = LW_TRI_YES;
    else if (v.kind == CK_INSTANCE && o->of &&
             ck_class_member(c, o->of, LW_S("__call__"), NULL).kind != LW_V_ABSENT)
        is = LW_TRI_YES;
    *value = lw_v_tri(is);
}

static void fn_object(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    (void)c;
    (void)call;
    *value = lw_v_unknown();
}

const struct ck_handler ck_handlers_class[] = {
    {"builtins.callable", fn_callable},
    {"builtins.getattr", fn_getattr},
    {"builtins.isinstance", fn_isinstance},
    {"builtins.issubclass", fn_issubclass},
    {"builtins.object", fn_object},
    {"builtins.setattr", fn_setattr},
    {"builtins.super", fn_super},
    {"builtins.type", fn_type},
    {NULL, NULL},
};
