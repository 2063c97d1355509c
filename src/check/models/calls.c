/* Calls of libraries: the tables first, then the handlers. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/events.h"
#include "check/models/models.h"
#include "check/models/module.h"
#include "check/models/traits.h"
#include "check/models/unit.h"
#include "check/models/versions.h"

static const struct ck_handler *const all_handlers[] = {
#define CK_HANDLER_TABLE(name) ck_handlers_##name,
    CK_HANDLER_TABLES(CK_HANDLER_TABLE)
#undef CK_HANDLER_TABLE
};

int ck_lib_init(struct ck *c, struct lw_err *err)
{
    lw_map_init(&c->builtins, c->mem);
    for (size_t k = 0; k < sizeof all_handlers / sizeof *all_handlers; k++)
        for (const struct ck_handler *h = all_handlers[k]; h->name; h++) {
            struct lw_map_entry *e = lw_map_put(&c->builtins, lw_str(h->name), NULL);
            if (!e)
                return lw_err_nomem(err);
            e->value = (uintptr_t)h;
        }
    return 0;
}

static const struct ck_handler *find_handler(struct ck *c, struct lw_str name)
{
    return (const struct ck_handler *)(uintptr_t)lw_map_get(&c->builtins, name, 0);
}

/* May the name begin with one of the modules that ck_canonical knows? Most names do not. */
static bool is_moved(struct lw_str name)
{
    return lw_str_has_prefix(name, LW_S("te")) || lw_str_has_prefix(name, LW_S("tf")) ||
           lw_str_has_prefix(name, LW_S("ke"));
}

/* One spelling for names that modules re-export: entries of the tables may share one record, so
 * its name is not enough. */
struct lw_str ck_canonical(struct ck *c, struct lw_str name)
{
    static const char *const moved[][2] = {{"tensorflow.compat.v1.", "tensorflow."},
                                           {"tensorflow.compat.v2.", "tensorflow."},
                                           {"tensorflow.python.keras.", "keras."},
                                           {"tensorflow.contrib.keras.", "keras."},
                                           {"tensorflow.keras.", "keras."},
                                           {"tf_keras.", "keras."},
                                           {"keras.api.", "keras."},
                                           {"keras.src.", "keras."}};
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; is_moved(name) && i < sizeof moved / sizeof *moved; i++)
            if (lw_str_has_prefix(name, lw_str(moved[i][0])))
                name = ck_text(c, "%s%.*s", moved[i][1],
                               LW_F(lw_str_from(name, strlen(moved[i][0]))));
    return name;
}

/* The handler of a method: of the class, or of the nearest base that has one. */
static const struct ck_handler *method_handler(struct ck *c, const struct ck_object *o,
                                               struct lw_str method, struct lw_str *full)
{
    const struct lw_api *api = o->api;
    *full = ck_text(c, "%.*s.%.*s", LW_F(o->name), LW_F(method));
    const struct ck_handler *own = !o->of ? find_handler(c, *full) : NULL;
    if (own)
        return own;
    for (unsigned i = 0; i < 8; i++) {
        struct lw_str owner = api ? api->name : i == 0 ? o->name : (struct lw_str){0};
        if (!owner.n)
            return NULL;
        *full = ck_text(c, "%.*s.%.*s", LW_F(owner), LW_F(method));
        const struct ck_handler *h = find_handler(c, *full);
        if (h)
            return h;
        api = api && api->base.n ? lw_api_find(c->apis, api->base, NULL) : NULL;
    }
    return NULL;
}

bool ck_has_method_handler(struct ck *c, const struct ck_object *o, struct lw_str name)
{
    struct lw_str full;
    return method_handler(c, o, name, &full) != NULL;
}

/* ---- table entries ------------------------------------------------------------------------
 */

static struct lw_value plain_for(void *engine, struct lw_value v)
{
    return ck_plain_rows(engine, v);
}

struct lw_value ck_new_instance(struct ck *c, const struct lw_api *api,
                                const struct lw_value *slots, uint32_t n, uint32_t node)
{
    LW_BUG_ON(!api || (n && !slots));
    struct ck_object *o = ck_new(c, CK_INSTANCE, node);
    if (!o)
        return lw_v_unknown();
    o->api = api;
    o->name = api->name;
    o->items = ck_image_order(c, api, slots, n);
    o->item_count = n;
    if (lw_vec_push(c->mem, &c->instances, o) < 0)
        c->stopped = true;
    return ck_value(o);
}

/* What the tables give, as values of the engine. */
static struct lw_value adopt(struct ck *c, struct lw_value v, const struct lw_api_result *r,
                             uint32_t node)
{
    switch (v.kind) {
    case LW_V_LIST: return ck_new_list(c, CK_LIST, v.seq, node);
    case LW_V_DICT: return ck_new_dict(c, v.dict, node);
    case LW_V_OBJECT: {
        const struct lw_object *o = v.object;
        uint32_t n = o->api->side[LW_API_CONSTRUCT].param_count;
        if (r->bound.slots && r->bound.n == n && o->config == r->bound.slots)
            return ck_new_instance(c, o->api, r->bound.slots, n, node);
        return ck_new_instance(c, o->api, o->config, o->config ? n : 0, node);
    }
    default: return v;
    }
}

struct evaluation {
    const struct lw_api *api;
    enum lw_api_side side;
    struct ck_object *object;  /* of an instance call */
    struct lw_value self;      /* ABSENT: none */
    const struct lw_arg *args; /* without self */
    size_t n;
    uint32_t node;
    const struct ck_handler *handler;
    struct lw_str name;
    struct lw_str spelt; /* as the program calls it, imports resolved */
};

/* After an error what comes out is not known: one mistake is reported once. */
static struct lw_value blur(struct ck *c, struct lw_value v, const struct lw_api_result *r)
{
    bool wrong = false;
    for (size_t i = 0; i < r->problem_count; i++)
        wrong |= r->problems[i].severity == LW_SEVERITY_ERROR &&
                 lw_str_has_prefix(r->problems[i].rule, LW_S("shape/"));
    if (!wrong)
        return v;
    if (v.kind != LW_V_TENSOR)
        return lw_v_is_seq(v) ? lw_v_unknown() : v;
    struct lw_tensor t = *v.tensor;
    t.shape = lw_shape_unknown();
    return ck_tensor(c, &t);
}

static void tell_problems(struct ck *c, const struct lw_api_result *r,
                          const struct evaluation *e, const struct lw_arg *args, size_t n)
{
    struct ck_problems problems = {.v = r->problems,
                                   .n = r->problem_count,
                                   .api = e->api,
                                   .side = e->side,
                                   .object = e->object,
                                   .self = e->self,
                                   .args = args,
                                   .arg_count = n,
                                   .name = e->name,
                                   .spelt = e->spelt};
    if (r->problem_count)
        ck_emit(c, &(struct ck_event){
                       .kind = CK_EV_PROBLEMS, .node = e->node, .problems = &problems});
}

static const struct lw_arg *all_args(struct ck *c, const struct evaluation *e, size_t *n)
{
    *n = e->n;
    if (e->self.kind == LW_V_ABSENT)
        return e->args;
    struct lw_arg *all = lw_arena_array(c->arena, e->n + 1, sizeof *all);
    if (!all) {
        c->stopped = true;
        *n = 0;
        return NULL;
    }
    all[0] = (struct lw_arg){.value = e->self, .node = e->node};
    if (e->n)
        memcpy(all + 1, e->args, e->n * sizeof *all);
    *n = e->n + 1;
    return all;
}

/* np.clip(tensor, 0, 1): most functions of numpy give PyTorch's tensors back as such. */
static struct lw_value given_back(struct ck *c, const struct evaluation *e, struct lw_value v)
{
    const struct lw_tensor *in =
        e->n && e->self.kind == LW_V_ABSENT ? ck_tensor_of(e->args[0].value) : NULL;
    if (!in || in->framework != LW_TORCH || v.kind != LW_V_TENSOR || !e->api ||
        e->api->framework != LW_NUMPY || v.tensor->framework != LW_NUMPY ||
        lw_str_eq(e->name, LW_S("numpy.array")) || lw_str_eq(e->name, LW_S("numpy.asarray")))
        return v;
    struct lw_tensor t = *v.tensor;
    t.framework = LW_NUMPY | LW_TORCH;
    return ck_tensor(c, &t);
}

/* fully_shard(model): what PyTorch does to a module in a function that no table describes, say
 * give it methods, is not known. */
static void open_arguments(const struct evaluation *e)
{
    if (!lw_str_has_prefix(e->spelt, LW_S("torch.")))
        return;
    for (size_t i = 0; i < e->n; i++)
        if (e->args[i].value.kind == CK_INSTANCE)
            ck_object_of(e->args[i].value)->open = true;
}

static struct lw_value with_origin(struct ck *c, const struct evaluation *e,
                                   const struct lw_api_result *r, struct lw_value v)
{
    if (v.kind != LW_V_TENSOR && !lw_v_is_seq(v))
        return v;
    size_t n;
    const struct lw_arg *args = all_args(c, e, &n);
    struct lw_value *in = ck_values(c, n);
    struct ck_origin *origin = lw_arena_alloc(c->arena, sizeof *origin);
    struct lw_bound *bound = lw_arena_alloc(c->arena, sizeof *bound);
    if (!in || !origin || !bound)
        return v;
    for (size_t i = 0; i < n; i++)
        in[i] = args[i].value;
    *bound = r->bound;
    *origin = (struct ck_origin){.op = e->name,
                                 .api = e->api,
                                 .layer = e->object,
                                 .in = in,
                                 .in_count = (uint32_t)n,
                                 .bound = bound,
                                 .node = e->node,
                                 .file = c->frame->file,
                                 .place = ck_place(c, e->node),
                                 .graph = ck_current_graph(c)};
    return ck_originate(c, v, origin);
}

static void count_unknown(struct ck *c, struct lw_str name)
{
    c->statistics.unknown++;
    /* Broken programs call things without a name. */
    if (name.n == 0 || lw_str_has_prefix(name, LW_S("builtins.")))
        return;
    struct lw_map_entry *e = lw_map_put(&c->unknown_calls, name, NULL);
    if (e)
        e->value++;
}

/* What the tables say: the result, and what is wrong. False when memory ran out. */
static bool ask_tables(struct ck *c, const struct evaluation *e, struct lw_api_result *r,
                       struct lw_value *out)
{
    struct lw_err err = {0};
    if (!e->api || (!e->api->side[e->side].present && e->api->kind != LW_API_CONSTANT))
        return true;
    size_t n;
    const struct lw_arg *args = all_args(c, e, &n);
    struct lw_api_call call = {
        .api = e->api,
        .side = e->side,
        .config = e->object && e->object->items && !e->object->of ? e->object->items : NULL,
        .args = args,
        .arg_count = n,
        .arena = c->arena,
        .line = ck_place(c, e->node),
        .plain = plain_for,
        .engine = c};
    if (lw_api_call(c->apis, &call, r, &err) < 0) {
        c->stopped = true;
        return false;
    }
    tell_problems(c, r, e, args, n);
    *out = adopt(c, blur(c, r->value, r), r, e->node);
    struct ck_object *made = ck_as(*out, CK_INSTANCE);
    if (made && r->value.kind == LW_V_OBJECT && e->spelt.n) {
        made->spelt = e->spelt;
        made->name = ck_canonical(c, e->spelt);
    }
    return true;
}

/* What a module gives after requires_grad_(False): whether it can be differentiated depends on
 * what went in. */
static struct lw_value of_frozen(struct ck *c, const struct ck_object *o, struct lw_value v)
{
    struct lw_value trained = o ? ck_trait(o, TRAIT_TRAINED) : lw_v_absent();
    if (v.kind != LW_V_TENSOR || v.tensor->grad != LW_TRI_YES || trained.kind != LW_V_BOOL ||
        trained.tri == LW_TRI_YES)
        return v;
    struct lw_tensor t = *v.tensor;
    t.grad = LW_TRI_MAYBE;
    return ck_tensor(c, &t);
}

static struct lw_value evaluate(struct ck *c, const struct evaluation *e)
{
    struct lw_api_result r = {0};
    struct lw_value v = lw_v_unknown();
    if (!ask_tables(c, e, &r, &v))
        return v;
    struct ck_call call = {.name = e->name,
                           .api = e->api,
                           .self = e->self,
                           .args = e->args,
                           .n = e->n,
                           .node = e->node,
                           .r = &r};
    if (e->handler)
        e->handler->run(c, &call, &v);
    if (e->api && e->api->kind == LW_API_DATASET)
        ck_vision_dataset(c, &call, v);
    if (!e->handler && !e->api) {
        count_unknown(c, e->name);
        open_arguments(e);
    }
    v = of_frozen(c, e->object, ck_without_grad(c, v));
    if (v.kind == LW_V_TENSOR && lw_str_has_prefix(e->spelt, LW_S("keras.ops."))) {
        struct lw_tensor t = *v.tensor; /* of whatever back end, by rules of its own */
        t.dtype = LW_DTYPE_UNKNOWN;
        v = ck_tensor(c, &t);
    }
    v = given_back(c, e, v);
    if (!ck_origin_of(c, v))
        v = with_origin(c, e, &r, v);
    struct ck_event event = {.kind = CK_EV_CALL, .node = e->node, .call = &call, .value = v};
    ck_emit(c, &event);
    if (e->side == LW_API_CALL) {
        event.kind = CK_EV_LAYER;
        event.object = e->object;
        ck_emit(c, &event);
    }
    return v;
}

struct lw_value ck_eval_api(struct ck *c, const struct lw_api *api, enum lw_api_side side,
                            const struct lw_value *self, const struct lw_arg *args, size_t n,
                            uint32_t node)
{
    LW_BUG_ON(!api || (n && !args));
    struct evaluation e = {.api = api,
                           .side = side,
                           .self = self ? *self : lw_v_absent(),
                           .args = args,
                           .n = n,
                           .node = node,
                           .name = api->name,
                           .handler = find_handler(c, api->name)};
    return evaluate(c, &e);
}

/* ---- names --------------------------------------------------------------------------------
 */

struct lw_value ck_call_name(struct ck *c, struct ck_object *name, const struct lw_arg *args,
                             size_t n, uint32_t node)
{
    LW_BUG_ON(name->kind != CK_NAME);
    struct evaluation e = {.api = name->api,
                           .self = lw_v_absent(),
                           .args = args,
                           .n = n,
                           .node = node,
                           .name = name->api ? name->api->name : name->name};
    struct lw_value out;
    struct ck_object *self = n ? ck_as(args[0].value, CK_INSTANCE) : NULL;
    if (self &&
        lw_str_has_suffix(name->name, LW_S(".__init__"))) { /* nn.Module.__init__(self) */
        ck_construct_base(c, self, args + 1, n - 1, node);
        return lw_v_none();
    }
    struct lw_str own = ck_canonical(c, name->name);
    if (!name->api && ck_pretrained(c, name, args, n, node, &out))
        return out;
    e.handler = find_handler(c, own);
    if (e.handler)
        e.name = own;
    else
        e.handler = find_handler(c, e.name);
    e.spelt = name->name;
    return evaluate(c, &e);
}

/* ---- methods ------------------------------------------------------------------------------
 */

static bool container_method(struct ck *c, const struct ck_call *call, struct lw_value *out)
{
    switch ((int)call->self.kind) {
    case CK_LIST:
    case CK_SET: return ck_list_method(c, call, out);
    case CK_DICT:
    case LW_V_DICT: return ck_dict_method(c, call, out);
    case LW_V_STR: return ck_str_method(c, call, out);
    case LW_V_TUPLE:
    case LW_V_SHAPE: return ck_tuple_method(c, call, out);
    default: return false;
    }
}

struct lw_value ck_call_bound(struct ck *c, struct ck_object *bound, const struct lw_arg *args,
                              size_t n, uint32_t node)
{
    LW_BUG_ON(bound->kind != CK_BOUND);
    struct evaluation e = {.api = bound->api,
                           .self = bound->self,
                           .args = args,
                           .n = n,
                           .node = node,
                           .name = bound->name};
    struct ck_object *self = ck_object_of(bound->self);
    if (bound->of) { /* super().method() of a library class */
        if (!lw_str_eq(bound->name, LW_S("__init__")))
            return lw_v_unknown();
        if (self && self->kind == CK_INSTANCE)
            ck_construct_base(c, self, args, n, node);
        return lw_v_none();
    }
    struct ck_call call = {
        .name = bound->name, .self = bound->self, .args = args, .n = n, .node = node};
    struct lw_value out;
    if (!bound->api && container_method(c, &call, &out)) {
        if (self && self->kind == CK_LIST &&
            (lw_str_eq(bound->name, LW_S("append")) || lw_str_eq(bound->name, LW_S("extend"))))
            ck_emit(c, &(struct ck_event){
                           .kind = CK_EV_APPEND, .node = node, .call = &call, .a = call.self});
        return out;
    }
    if (self && (self->kind == CK_INSTANCE || self->kind == CK_CLASS))
        e.handler = method_handler(c, self, bound->name, &e.name);
    if (bound->api && !e.handler) {
        e.name = bound->api->name;
        e.handler = find_handler(c, e.name);
    }
    return evaluate(c, &e);
}

/* ---- instances ----------------------------------------------------------------------------
 */

static struct lw_value call_own(struct ck *c, struct ck_object *o, const struct lw_arg *args,
                                size_t n, uint32_t node)
{
    static const char *const ways[] = {"__call__", "forward", "call"};
    struct lw_value self = ck_value(o);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (i == 1 && !ck_is_torch_module(c, o))
            continue;
        if (i == 2 && !ck_is_keras_layer(c, o))
            continue;
        struct lw_value v = ck_call_method(c, self, ways[i], args, n, node);
        if (v.kind != LW_V_ABSENT)
            return v;
    }
    return lw_v_absent();
}

/* A layer of the program is called: build(input_shape) runs first, once. */
static void build_layer(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                        uint32_t node)
{
    if (!ck_is_keras_layer(c, o) || model_trait(o, LAYER_BUILT).kind != LW_V_ABSENT)
        return;
    model_set_trait(c, o, LAYER_BUILT, lw_v_tri(LW_TRI_YES));
    struct lw_value in = n && !args[0].star ? args[0].value : lw_v_unknown();
    struct lw_arg shape = {.value = lw_v_unknown(), .node = LW_NO_NODE};
    if (in.kind == LW_V_TENSOR && lw_shape_has_rank(&in.tensor->shape))
        shape.value = lw_v_shape(c->arena, &in.tensor->shape);
    ck_call_method(c, ck_value(o), "build", &shape, 1, node);
}

/* initializer(shape): all of them make a tensor of that shape. */
static struct lw_value initial_weights(struct ck *c, const struct lw_arg *args, size_t n,
                                       uint32_t node)
{
    struct lw_tensor t = lw_tensor_unknown(LW_TF);
    if (n == 0 || args[0].star || args[0].value.kind == LW_V_TENSOR ||
        !lw_v_to_shape(c->dims, ck_plain(c, args[0].value), &t.shape))
        return lw_v_unknown();
    t.line = ck_place(c, node);
    if (n == 1)
        t.dtype = LW_F32;
    return ck_tensor(c, &t);
}

struct lw_value ck_call_instance(struct ck *c, struct ck_object *o, const struct lw_arg *args,
                                 size_t n, uint32_t node)
{
    LW_BUG_ON(o->kind != CK_INSTANCE);
    if (o->of) {
        build_layer(c, o, args, n, node);
        struct lw_value v = call_own(c, o, args, n, node);
        if (v.kind != LW_V_ABSENT) {
            struct ck_call call = {
                .name = o->name, .self = ck_value(o), .args = args, .n = n, .node = node};
            ck_emit(
                c,
                &(struct ck_event){
                    .kind = CK_EV_LAYER, .node = node, .object = o, .call = &call, .value = v});
            return v;
        }
        ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                      .fault = CK_FAULT_NO_FORWARD,
                                      .node = node,
                                      .object = o});
    }
    struct lw_value out;
    struct lw_arg only;
    if (n == 1) {
        only = args[0];
        only.value = ck_taken(c, o, args);
        args = &only;
    }
    if (ck_lib_call(c, o, args, n, node, &out))
        return out;
    if (!o->api)
        return lw_v_unknown();
    if (o->api->kind == LW_API_INITIALIZER && !o->api->side[LW_API_CALL].present)
        return initial_weights(c, args, n, node);
    struct evaluation e = {.api = o->api,
                           .side = LW_API_CALL,
                           .object = o,
                           .self = lw_v_absent(),
                           .args = args,
                           .n = n,
                           .node = node,
                           .name = o->api->name};
    return ck_module_output(c, o, evaluate(c, &e));
}

struct lw_value ck_apply(struct ck *c, struct lw_value layer, struct lw_value input,
                         uint32_t node)
{
    struct lw_arg arg = {.value = input, .node = node};
    return ck_call(c, layer, &arg, 1, node);
}

/* ---- bases of the program's classes -------------------------------------------------------
 */

void ck_construct_base(struct ck *c, struct ck_object *o, const struct lw_arg *args, size_t n,
                       uint32_t node)
{
    LW_BUG_ON(o->kind != CK_INSTANCE);
    model_set_trait(c, o, MODULE_INITIALISED, lw_v_tri(LW_TRI_YES));
    if (!o->api || !o->api->side[LW_API_CONSTRUCT].present)
        return;
    struct lw_api_result r = {0};
    struct lw_err err = {0};
    struct lw_api_call call = {.api = o->api,
                               .side = LW_API_CONSTRUCT,
                               .args = args,
                               .arg_count = n,
                               .arena = c->arena,
                               .line = ck_place(c, node),
                               .plain = plain_for,
                               .engine = c};
    if (lw_api_bind(c->apis, &call, &r, &err) < 0) {
        c->stopped = true;
        return;
    }
    o->items = r.bound.slots;
    o->item_count = r.bound.n;
    struct lw_value made = ck_value(o);
    struct ck_call info = {.name = o->api->name,
                           .api = o->api,
                           .self = made,
                           .args = args,
                           .n = n,
                           .node = node,
                           .r = &r};
    const struct ck_handler *h = find_handler(c, o->api->name);
    if (h)
        h->run(c, &info, &made);
}

const struct ck_library models_library = {
    .call_name = ck_call_name,
    .call_bound = ck_call_bound,
    .call_instance = ck_call_instance,
    .call_unknown = ck_keras_fragment,
    .construct_base = ck_construct_base,
    .made_by_engine = ck_module_anywhere,
    .eval_api = ck_eval_api,
    .attribute = ck_lib_attribute,
    .set_attribute = ck_lib_set_attribute,
    .has_method = ck_has_method_handler,
    .subscript = ck_lib_subscript,
    .frame_part = ck_frame_part,
    .frame_store = ck_frame_store,
    .iterate = ck_lib_iterate,
    .enter = ck_enter,
    .in_place = ck_in_place,
    .grad_off = ck_grad_off,
    .without_grad = ck_without_grad,
    .current_graph = ck_current_graph,
    .is_torch_module = ck_is_torch_module,
    .is_keras_layer = ck_is_keras_layer,
    .weight = ck_weight,
    .product = ck_unit_product,
    .range_chosen = ck_range_chosen,
};
