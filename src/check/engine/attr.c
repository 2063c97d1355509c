/* Attributes of values. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/engine/library.h"
#include "check/engine/traits.h"

enum { MAX_BASES = 16 }; /* classes deep */

/* ---- classes ------------------------------------------------------------------------------
 */

/* A base that is not known may have the member before those that follow it have. */
static bool hides(struct ck *c, const struct ck_object *cls, uint32_t base, uint32_t name)
{
    const struct ck_object *o = ck_object_of(cls->items[base]);
    (void)c;
    (void)name;
    return base + 1 < cls->item_count && (cls->items[base].kind == LW_V_UNKNOWN ||
                                          (cls->items[base].kind == CK_NAME && !o->api &&
                                           !lw_str_has_prefix(o->name, LW_S("builtins."))));
}

/* The __init__ of a module or layer of a library stands before those of the bases that follow,
 * and does not call them. */
static bool constructs(struct ck *c, const struct ck_object *cls, uint32_t base, uint32_t name)
{
    const struct ck_object *o = ck_as(cls->items[base], CK_NAME);
    return o && o->api && base + 1 < cls->item_count &&
           lw_str_eq(heap_name(&c->heap, name), LW_S("__init__")) &&
           (lw_api_is_a(c->apis, o->api, LW_S("torch.nn.Module")) ||
            lw_api_is_a(c->apis, o->api, LW_S("keras.layers.Layer")));
}

static struct lw_value member_of(struct ck *c, struct ck_object *cls, uint32_t name,
                                 unsigned depth)
{
    const struct ck_slot *s = fields_find(&cls->fields, name);
    /* A decorator may give the instances values of their own (dataclasses). */
    if (s && s->value.kind != LW_V_ABSENT)
        return cls->open && s->value.kind != CK_FUNCTION ? lw_v_unknown() : s->value;
    for (uint32_t i = 0; i < cls->item_count && depth < MAX_BASES; i++) {
        struct ck_object *base = ck_as(cls->items[i], CK_CLASS);
        if (!base && hides(c, cls, i, name))
            return lw_v_unknown();
        if (constructs(c, cls, i, name))
            return lw_v_absent();
        struct lw_value v = base ? member_of(c, base, name, depth + 1) : lw_v_absent();
        if (v.kind != LW_V_ABSENT)
            return v;
    }
    return lw_v_absent();
}

struct lw_value ck_class_member(struct ck *c, struct ck_object *cls, struct lw_str name,
                                struct ck_object *behind)
{
    uint32_t id = heap_intern(&c->heap, name);
    if (!behind)
        return member_of(c, cls, id, 0);
    for (uint32_t i = 0; i < behind->item_count; i++) {
        struct ck_object *base = ck_as(behind->items[i], CK_CLASS);
        if (!base && hides(c, behind, i, id))
            return lw_v_unknown();
        if (constructs(c, behind, i, id))
            return lw_v_absent();
        struct lw_value v = base ? member_of(c, base, id, 0) : lw_v_absent();
        if (v.kind != LW_V_ABSENT)
            return v;
    }
    return lw_v_absent();
}

static bool class_is_a(struct ck *c, const struct ck_object *cls, struct lw_str base,
                       unsigned depth)
{
    for (uint32_t i = 0; i < cls->item_count && depth < MAX_BASES; i++) {
        const struct ck_object *b = ck_object_of(cls->items[i]);
        if (cls->items[i].kind == CK_CLASS && class_is_a(c, b, base, depth + 1))
            return true;
        if (cls->items[i].kind == CK_NAME &&
            (lw_str_eq(b->name, base) || (b->api && lw_api_is_a(c->apis, b->api, base))))
            return true;
    }
    return false;
}

bool ck_is_a(struct ck *c, struct lw_value v, const char *base)
{
    const struct ck_object *o = ck_object_of(v);
    if (!o)
        return false;
    if (v.kind == CK_CLASS)
        return class_is_a(c, o, lw_str(base), 0);
    if (v.kind != CK_INSTANCE && v.kind != CK_NAME)
        return false;
    if (o->api && lw_api_is_a(c->apis, o->api, lw_str(base)))
        return true;
    return v.kind == CK_INSTANCE && o->of && class_is_a(c, o->of, lw_str(base), 0);
}

bool ck_is_a_any(struct ck *c, struct lw_value v, const char *const *bases)
{
    LW_BUG_ON(!bases);
    for (; *bases; bases++)
        if (ck_is_a(c, v, *bases))
            return true;
    return false;
}

/* ---- fields -------------------------------------------------------------------------------
 */

struct lw_value ck_field(struct ck *c, const struct ck_object *o, const char *name)
{
    const struct ck_slot *s = ck_field_slot(c, o, lw_str(name));
    return s ? s->value : lw_v_absent();
}

void ck_set_field(struct ck *c, struct ck_object *o, const char *name, struct lw_value v)
{
    LW_BUG_ON(!o || !name || !*name);
    heap_set(&c->heap, fields_put(&c->heap, &o->fields, heap_intern(&c->heap, lw_str(name))),
             v);
}

struct lw_value ck_config(const struct ck_object *o, const char *param)
{
    LW_BUG_ON(!o || !param);
    if (!o->api || !o->items)
        return lw_v_absent();
    const struct lw_api_part *p = &o->api->side[LW_API_CONSTRUCT];
    for (uint32_t i = 0; i < p->param_count && i < o->item_count; i++)
        if (lw_str_eq(p->params[i].name, lw_str(param)))
            return o->items[i];
    return lw_v_absent();
}

/* ---- reading ------------------------------------------------------------------------------
 */

static struct lw_value make_bound(struct ck *c, struct lw_value self, const struct lw_api *api,
                                  struct lw_str name, uint32_t node)
{
    struct ck_object *o = ck_new(c, CK_BOUND, node);
    if (!o)
        return lw_v_unknown();
    o->self = self;
    o->api = api;
    o->name = lw_arena_copy(c->arena, name);
    return ck_value(o);
}

static struct lw_value make_method(struct ck *c, struct lw_value self, struct ck_object *f,
                                   uint32_t node)
{
    struct ck_object *o = ck_new(c, CK_METHOD, node);
    if (!o)
        return lw_v_unknown();
    o->self = self;
    o->of = f;
    o->file = f->file;
    return ck_value(o);
}

/* A function found in a class, as seen through an instance or a class. */
static struct lw_value bind_member(struct ck *c, struct lw_value self, struct lw_value member,
                                   uint32_t node)
{
    struct ck_object *f = ck_as(member, CK_FUNCTION);
    if (!f || ck_is_static(f))
        return member;
    if (ck_is_property(f)) {
        struct lw_arg arg = {.value = self, .node = LW_NO_NODE};
        return ck_call_function(c, f, &arg, 1, node);
    }
    if (self.kind == CK_CLASS && !ck_is_classmethod(f))
        return member;
    if (self.kind == CK_INSTANCE && ck_object_of(self)->of && ck_is_classmethod(f))
        self = ck_value(ck_object_of(self)->of);
    return make_method(c, self, f, node);
}

static struct lw_value library_member(struct ck *c, struct lw_value self,
                                      const struct lw_api *api, struct lw_str name,
                                      uint32_t node)
{
    struct lw_api_use use;
    const struct lw_api *m = lw_api_method(c->apis, api, name, &use);
    if (!m)
        return lw_v_absent();
    if (lw_str_eq(lw_api_fact(m, "attribute"), LW_S("yes")) || m->kind == LW_API_CONSTANT)
        return c->models->eval_api(c, m, LW_API_CONSTRUCT, &self, NULL, 0, node);
    return make_bound(c, self, m, name, node);
}

/* A parameter that takes the name of something for the thing: activation='tanh'. */
static bool is_choice(const struct lw_api *api, struct lw_str name)
{
    const struct lw_api_part *p = &api->side[LW_API_CONSTRUCT];
    for (uint32_t i = 0; i < p->param_count; i++)
        if (lw_str_eq(p->params[i].name, name))
            return p->params[i].choice_kind.n > 0;
    return false;
}

/* A weight of a module of a library; after requires_grad_(False) it is not trained. */
static struct lw_value weight_of(struct ck *c, const struct ck_object *o, uint32_t node)
{
    struct lw_value v = c->models->weight(c, node), trained = ck_trait(o, TRAIT_TRAINED);
    if (v.kind != LW_V_TENSOR || trained.kind != LW_V_BOOL || trained.tri == LW_TRI_YES)
        return v;
    struct lw_tensor t = *v.tensor;
    t.grad = (uint8_t)trained.tri;
    return ck_tensor(c, &t);
}

static struct lw_value instance_attr(struct ck *c, struct lw_value v, struct lw_str name,
                                     uint32_t node)
{
    struct ck_object *o = ck_object_of(v);
    const struct ck_slot *s = ck_field_slot(c, o, name);
    if (s && s->value.kind != LW_V_ABSENT)
        return s->value;
    if (o->of) {
        struct lw_value m = ck_class_member(c, o->of, name, NULL);
        if (m.kind != LW_V_ABSENT)
            return bind_member(c, v, m, node);
    }
    if (lw_str_eq(name, LW_S("__call__")) && o->api)
        return v;
    if (lw_str_eq(name, LW_S("__dict__")))
        return ck_fields_of(c, v, node);
    struct lw_value out;
    if (c->models->attribute(c, o, name, node, &out))
        return out;
    if (o->api) {
        char param[64];
        struct lw_api_use use;
        const struct lw_api *method = lw_api_method(c->apis, o->api, name, &use);
        /* rng.seed is a method, though the constructor has a parameter of that name. */
        bool hidden = method && method->kind == LW_API_METHOD &&
                      !lw_str_eq(lw_api_fact(method, "attribute"), LW_S("yes"));
        if (name.n < sizeof param && !hidden) {
            memcpy(param, name.p, name.n);
            param[name.n] = 0;
            out = ck_config(o, param);
            bool weight = lw_str_eq(name, LW_S("bias")) || lw_str_eq(name, LW_S("weight"));
            if (weight && c->models->is_torch_module(c, o))
                return weight_of(c, o, node);
            if (out.kind == LW_V_STR && is_choice(o->api, name))
                return lw_v_unknown(); /* 'tanh' was looked up: the attribute is the function */
            if (out.kind == LW_V_NONE && c->models->is_keras_layer(c, o))
                return lw_v_unknown(); /* computed later: normalizer.mean */
            if (out.kind != LW_V_ABSENT)
                return out;
        }
        out = library_member(c, v, o->api, name, node);
        if (out.kind != LW_V_ABSENT)
            return out;
        const struct lw_api *own =
            o->of ? NULL
                  : lw_api_find(c->apis, ck_text(c, "%.*s.%.*s", LW_F(o->name), LW_F(name)),
                                NULL);
        if (own)
            return make_bound(c, v, own, name, node);
    }
    ck_emit(c, &(struct ck_event){.kind = CK_EV_ATTRIBUTE, .node = node, .a = v, .name = name});
    return c->models->has_method(c, o, name) ? make_bound(c, v, NULL, name, node)
                                             : lw_v_unknown();
}

/* Methods that only arrays have: what they are called on is one, wherever it comes from.
 * Programs are often fragments without their data. */
static uint32_t array_method(struct ck *c, struct lw_str name)
{
    bool torch = ck_shows(c, "name *torch*");
    if (ck_shows(c, "name *mxnet*"))
        return 0; /* sizes of its own: -2, -3, -4 */
    bool numpy = ck_shows(c, "name np") || ck_shows(c, "name *numpy*") ||
                 ck_shows(c, "name *keras*") || !ck_shows(c, "import *");
    if (lw_str_eq(name, LW_S("astype")) ||
        (!torch && numpy && lw_str_eq(name, LW_S("reshape"))))
        return LW_NUMPY;
    static const char *const own[] = {"detach", "log_softmax", "permute", "softmax", "view"};
    for (size_t i = 0; torch && i < sizeof own / sizeof *own; i++)
        if (lw_str_eq(name, lw_str(own[i])))
            return LW_TORCH;
    return 0;
}

/* model.reshape(data_shapes=…): no method of arrays. */
static bool has_strange_keyword(const struct lw_tree *t, uint32_t call)
{
    static const char *const known[] = {"order",    "copy",  "dtype", "casting", "subok",
                                        "newshape", "shape", "dims",  "size",    "dim",
                                        "mask",     "value", "axis"};
    for (uint32_t k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, k)) {
        bool fits = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            fits |= lw_str_eq(lw_tree_name(t, k), lw_str(known[i]));
        if (!fits)
            return true;
    }
    return false;
}

/* ops.reshape(x, (2, 3)): what stands before the dot may as well be a module. */
static bool may_be_function(struct ck *c, uint32_t attribute)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t call = attribute == LW_NO_NODE ? LW_NO_NODE : lw_tree_parent(t, attribute);
    if (call == LW_NO_NODE || lw_tree_kind(t, call) != LW_NODE_CALL)
        return true;
    if (has_strange_keyword(t, call))
        return true;
    uint32_t first = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    uint32_t second =
        first == LW_NO_NODE ? LW_NO_NODE : lw_tree_each(t, call, LW_ROLE_ARGS, first);
    struct lw_str name = lw_tree_name(t, attribute);
    bool softmax = lw_str_has_suffix(name, LW_S("softmax"));
    if (softmax || lw_str_eq(name, LW_S("detach")))
        return first != LW_NO_NODE &&
               (!softmax || lw_tree_kind(t, first) == LW_NODE_NAME ||
                lw_tree_each(t, call, LW_ROLE_KEYWORDS, LW_NO_NODE) != LW_NO_NODE);
    if (second == LW_NO_NODE)
        return false;
    enum lw_node_kind kind = lw_tree_kind(t, second);
    return kind == LW_NODE_LIST || kind == LW_NODE_TUPLE || kind == LW_NODE_ATTRIBUTE ||
           lw_str_eq(name, LW_S("astype"));
}

/* The method of a value of which it is not known whose tensor it is, or whether it is one. */
static struct lw_value guessed_attr(struct ck *c, struct lw_value v, struct lw_str name,
                                    uint32_t node)
{
    uint32_t framework = array_method(c, name);
    const struct lw_api *m =
        framework ? lw_api_tensor_method(c->apis, framework, name, NULL) : NULL;
    if (!m || may_be_function(c, node))
        return lw_v_unknown();
    if (v.kind != LW_V_TENSOR)
        return make_bound(c, ck_any_tensor(c, framework, node), m, name, node);
    struct lw_tensor t = *v.tensor;
    t.framework = (uint8_t)framework;
    return make_bound(c, ck_tensor(c, &t), m, name, node);
}

static struct lw_value tensor_attr(struct ck *c, struct lw_value v, struct lw_str name,
                                   uint32_t node)
{
    static const uint32_t order[] = {LW_TORCH, LW_TF, LW_NUMPY, LW_KERAS, LW_PANDAS};
    const struct lw_tensor *t = v.tensor;
    uint32_t framework = t->framework;
    if (framework == LW_KERAS)
        framework = LW_KERAS | LW_TF;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!(framework & order[i]))
            continue;
        const struct lw_api *m = lw_api_tensor_method(c->apis, order[i], name, NULL);
        if (!m)
            continue;
        /* Of an unknown library the first that has it speaks, but only about shapes. */
        if (lw_str_eq(lw_api_fact(m, "attribute"), LW_S("yes")) || m->kind == LW_API_CONSTANT)
            return c->models->eval_api(c, m, LW_API_CONSTRUCT, &v, NULL, 0, node);
        if (!lw_set_is_one(t->framework & ~(uint32_t)LW_KERAS) && t->framework != LW_KERAS) {
            struct lw_value guess = guessed_attr(c, v, name, node);
            if (guess.kind != LW_V_UNKNOWN)
                return guess;
            break;
        }
        return make_bound(c, v, m, name, node);
    }
    ck_emit(c, &(struct ck_event){.kind = CK_EV_ATTRIBUTE, .node = node, .a = v, .name = name});
    return make_bound(c, v, NULL, name, node);
}

static struct lw_value name_attr(struct ck *c, struct ck_object *o, struct lw_str name,
                                 uint32_t node)
{
    const struct ck_slot *own = ck_field_slot(c, o, name);
    if (own && own->value.kind != LW_V_ABSENT)
        return own->value; /* torch.pi = …: the program has given it another value */
    struct lw_str dotted = ck_text(c, "%.*s.%.*s", LW_F(o->name), LW_F(name));
    struct lw_value v = ck_new_name(c, dotted);
    struct ck_object *n = ck_as(v, CK_NAME);
    if (!n)
        return v;
    ck_emit(c, &(struct ck_event){.kind = CK_EV_NAME, .node = node, .object = n});
    if (n->api && n->api->kind == LW_API_CONSTANT)
        return c->models->eval_api(c, n->api, LW_API_CONSTRUCT, NULL, NULL, 0, node);
    return v;
}

static struct lw_value class_attr(struct ck *c, struct lw_value v, struct lw_str name,
                                  uint32_t node)
{
    struct ck_object *o = ck_object_of(v);
    struct lw_value m = ck_class_member(c, o, name, NULL);
    if (m.kind != LW_V_ABSENT)
        return bind_member(c, v, m, node);
    if (lw_str_eq(name, LW_S("__name__")))
        return lw_v_str(o->name);
    return o->api ? library_member(c, v, o->api, name, node) : lw_v_unknown();
}

static struct lw_value super_attr(struct ck *c, struct ck_object *s, struct lw_str name,
                                  uint32_t node)
{
    struct ck_object *cls = s->of;
    if (!cls)
        return lw_v_unknown();
    struct lw_value m = ck_class_member(c, cls, name, cls);
    struct ck_object *f = ck_as(m, CK_FUNCTION);
    if (f)
        return ck_is_static(f) ? m : make_method(c, s->self, f, node);
    const struct lw_api *api = cls->api;
    struct lw_value v = api && !lw_str_eq(name, LW_S("__init__"))
                            ? library_member(c, s->self, api, name, node)
                            : lw_v_absent();
    if (v.kind != LW_V_ABSENT)
        return v;
    struct lw_value bound = make_bound(c, s->self, NULL, name, node);
    struct ck_object *o = ck_as(bound, CK_BOUND);
    if (o)
        o->of = cls; /* marks a call through super() */
    return bound;
}

static struct lw_value module_attr(struct ck *c, struct ck_object *m, struct lw_str name)
{
    ck_run_file(c, m->file);
    struct ck_slot *s = fields_find(&m->file->env->vars, heap_intern(&c->heap, name));
    if (s && s->value.kind == CK_LAZY) {
        struct lw_value lazy = s->value;
        s->value = lw_v_unknown(); /* modules that import each other */
        s->value = ck_force(c, lazy);
    }
    /* a package that imports a library and has a module of the same name: pyro.torch */
    const struct ck_object *library = s ? ck_as(s->value, CK_NAME) : NULL;
    bool doubtful = library && lw_str_find_char(library->name, '.') < 0;
    if (s && s->value.kind != LW_V_ABSENT && !doubtful)
        return s->value;
    struct lw_value v = ck_submodule(c, m->file, name);
    if (v.kind == LW_V_ABSENT)
        return doubtful ? s->value : lw_v_unknown();
    return v;
}

struct lw_value ck_get_attr(struct ck *c, struct lw_value v, struct lw_str name, uint32_t node)
{
    struct ck_object *o = ck_object_of(v);
    if (name.n == 0)
        return lw_v_unknown(); /* x.(): the name is missing */
    if (lw_str_eq(name, LW_S("__class__")) && v.kind != LW_V_UNKNOWN)
        return ck_type_of(c, v);
    switch ((int)v.kind) {
    case LW_V_TENSOR: return tensor_attr(c, v, name, node);
    case LW_V_INT:
    case LW_V_FLOAT:
        ck_emit(
            c, &(struct ck_event){.kind = CK_EV_ATTRIBUTE, .node = node, .a = v, .name = name});
        return make_bound(c, v, NULL, name, node);
    case LW_V_SHAPE:
        if ((lw_str_eq(name, LW_S("rank")) || lw_str_eq(name, LW_S("ndims"))) &&
            lw_shape_has_rank(v.shape))
            return ck_int(c, (int64_t)v.shape->n);
        return make_bound(c, v, NULL, name, node);
    case LW_V_TUPLE:
    case CK_LIST:
    case CK_DICT:
        ck_emit(
            c, &(struct ck_event){.kind = CK_EV_CONTAINER, .node = node, .a = v, .name = name});
        return make_bound(c, v, NULL, name, node);
    case LW_V_STR:
    case CK_SET:
    case LW_V_DEVICE: return make_bound(c, v, NULL, name, node);
    case CK_INSTANCE: return instance_attr(c, v, name, node);
    case CK_NAME: return name_attr(c, o, name, node);
    case CK_CLASS: return class_attr(c, v, name, node);
    case CK_SUPER: return super_attr(c, o, name, node);
    case CK_MODULE: return module_attr(c, o, name);
    case LW_V_NONE:
        ck_emit(
            c, &(struct ck_event){.kind = CK_EV_ATTRIBUTE, .node = node, .a = v, .name = name});
        return lw_v_unknown();
    case LW_V_UNKNOWN: return guessed_attr(c, v, name, node);
    default: return lw_v_unknown();
    }
}

void ck_set_attr(struct ck *c, struct lw_value v, struct lw_str name, struct lw_value value)
{
    struct ck_object *o = ck_object_of(v);
    uint32_t id = heap_intern(&c->heap, name);
    if (v.kind == CK_INSTANCE && lw_str_eq(name, LW_S("__dict__"))) {
        ck_set_fields(c, o, value);
        return;
    }
    if (v.kind == CK_INSTANCE || v.kind == CK_CLASS || v.kind == CK_NAME)
        heap_set(&c->heap, fields_put(&c->heap, &o->fields, id), value);
    else if (v.kind == CK_MODULE)
        heap_set(&c->heap, fields_put(&c->heap, &o->file->env->vars, id), value);
    if (v.kind == CK_INSTANCE)
        c->models->set_attribute(c, o, name, value);
}
