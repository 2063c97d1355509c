/* Functions and classes of the program: defining, calling, making instances. */
#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/engine/library.h"
#include "check/engine/traits.h"

static struct lw_tree *tree_of(struct ck *c)
{
    return &c->frame->file->tree;
}

/* ---- defining -----------------------------------------------------------------------------
 */

void ck_function_defaults(struct ck *c, struct ck_object *f)
{
    LW_BUG_ON(f->kind != CK_FUNCTION);
    const struct lw_tree *t = tree_of(c);
    uint32_t params = lw_tree_get(t, f->node, LW_ROLE_ARGS);
    if (params == LW_NO_NODE)
        return;
    uint32_t n = lw_tree_node(t, params)->count;
    struct lw_value *items = ck_values(c, n);
    if (!items)
        return;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t param = lw_tree_node(t, params)->child + i;
        uint32_t initial = lw_tree_get(t, param, LW_ROLE_DEFAULT);
        items[i] = initial == LW_NO_NODE ? lw_v_absent() : ck_eval(c, initial);
    }
    f->items = items;
    f->item_count = n;
}

/* Decorators that leave the signature as it is. */
static bool keeps_signature(struct lw_str text)
{
    static const char *const known[] = {"staticmethod", "classmethod",    "property",
                                        "no_grad",      "tf.function",    "inference_mode",
                                        "torch.jit",    "abstractmethod", "wraps",
                                        "lru_cache",    "override",       "enable_grad"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lw_str_find(text, lw_str(known[i])) != LW_NPOS)
            return true;
    return false;
}

static bool has_decorator(const struct lw_tree *t, uint32_t node, const char *name)
{
    for (uint32_t d = lw_tree_each(t, node, LW_ROLE_DECORATORS, LW_NO_NODE); d != LW_NO_NODE;
         d = lw_tree_each(t, node, LW_ROLE_DECORATORS, d))
        if (lw_str_has_suffix(lw_tree_text(t, d), lw_str(name)))
            return true;
    return false;
}

/* @torch.no_grad(), @torch.inference_mode() */
static bool is_without_grad(const struct lw_tree *t, uint32_t node)
{
    for (uint32_t d = lw_tree_each(t, node, LW_ROLE_DECORATORS, LW_NO_NODE); d != LW_NO_NODE;
         d = lw_tree_each(t, node, LW_ROLE_DECORATORS, d)) {
        struct lw_str text = lw_tree_text(t, d);
        if (lw_str_find(text, LW_S("no_grad")) >= 0 ||
            lw_str_find(text, LW_S("inference_mode")) >= 0)
            return true;
    }
    return false;
}

/* @add_to_class(Net) def forward…: the function becomes a method of the class, or something
 * made of it. */
static void patch_class(struct ck *c, uint32_t decorator, struct ck_object *f)
{
    const struct lw_tree *t = tree_of(c);
    if (lw_tree_kind(t, decorator) != LW_NODE_CALL ||
        lw_tree_count(t, decorator, LW_ROLE_ARGS) != 1)
        return;
    uint32_t arg = lw_tree_get(t, decorator, LW_ROLE_ARGS);
    if (lw_tree_kind(t, arg) == LW_NODE_NAME) {
        struct ck_object *cls = ck_as(ck_lookup(c, arg), CK_CLASS);
        if (cls)
            ck_set_attr(c, ck_value(cls), f->name, ck_value(f));
    }
}

/* What the methods of an object do whose __init__ is not written is not known. */
static bool has_unwritten_init(struct ck *c)
{
    uint32_t name = heap_intern(&c->heap, LW_S("__init__"));
    const struct ck_slot *s = fields_find(&c->frame->env->vars, name);
    const struct ck_object *init = s ? ck_as(s->value, CK_FUNCTION) : NULL;
    return init && init->gap;
}

void ck_define_function(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = tree_of(c);
    struct ck_object *o = ck_new(c, CK_FUNCTION, node);
    if (!o)
        return;
    o->name = lw_tree_name(t, node);
    o->env = ck_capture(c->frame->env);
    o->of = c->frame->in_class && !c->frame->function ? c->frame->in_class : NULL;
    o->open = o->gap =
        ck_gaps_within(&c->frame->file->gaps, t, node) || (o->of && has_unwritten_init(c));
    ck_function_defaults(c, o);
    for (uint32_t d = lw_tree_each(t, node, LW_ROLE_DECORATORS, LW_NO_NODE); d != LW_NO_NODE;
         d = lw_tree_each(t, node, LW_ROLE_DECORATORS, d)) {
        o->open |= !keeps_signature(lw_tree_text(t, d));
        ck_eval(c, d);
        patch_class(c, d, o);
    }
    heap_set(&c->heap, ck_slot_of(c, node), ck_value(o));
    if (lw_vec_push(c->mem, &c->defined, o) < 0)
        c->stopped = true;
    ck_emit(c, &(struct ck_event){.kind = CK_EV_FUNCTION, .node = node, .object = o});
}

static void take_bases(struct ck *c, struct ck_object *o)
{
    const struct lw_tree *t = tree_of(c);
    uint32_t n = lw_tree_count(t, o->node, LW_ROLE_BASES), i = 0;
    struct lw_value *bases = ck_values(c, n);
    if (!bases)
        return;
    for (uint32_t b = lw_tree_each(t, o->node, LW_ROLE_BASES, LW_NO_NODE); b != LW_NO_NODE;
         b = lw_tree_each(t, o->node, LW_ROLE_BASES, b)) {
        struct lw_value v = ck_eval(c, b);
        struct ck_object *base = ck_object_of(v);
        bases[i++] = v;
        if (v.kind == CK_CLASS || v.kind == CK_NAME) {
            if (!o->api)
                o->api = base->api;
            o->open |= v.kind == CK_CLASS
                           ? base->open
                           : !base->api && !lw_str_eq(base->name, LW_S("object"));
        } else
            o->open = true;
    }
    o->items = bases;
    o->item_count = i;
}

void ck_define_class(struct ck *c, uint32_t node)
{
    struct lw_tree *t = tree_of(c);
    struct ck_object *o = ck_new(c, CK_CLASS, node);
    struct ck_env *env = lw_arena_alloc(c->arena, sizeof *env);
    if (!o || !env)
        return;
    o->name = lw_tree_name(t, node);
    o->open = o->gap = ck_gaps_within(&c->frame->file->gaps, t, node);
    take_bases(c, o);
    for (uint32_t d = lw_tree_each(t, node, LW_ROLE_DECORATORS, LW_NO_NODE); d != LW_NO_NODE;
         d = lw_tree_each(t, node, LW_ROLE_DECORATORS, d)) {
        ck_eval(c, d);
        o->open = true;
    }
    uint32_t first = lw_tree_get(t, node, LW_ROLE_BODY);
    *env = (struct ck_env){
        .parent = ck_capture(c->frame->env),
        .file = c->frame->file,
        .scope = first == LW_NO_NODE ? 0 : c->frame->file->names.scope_of.v[first]};
    /* The body runs in a frame of its own kind: `self` and the function are the outer ones. */
    struct ck_frame frame = *c->frame;
    frame.up = c->frame;
    frame.env = env;
    frame.function = NULL;
    frame.in_class = o;
    frame.loop = NULL;
    frame.returns = (ck_saved){0}; /* a `return` in a class is a mistake, and stays in it */
    c->frame = &frame;
    ck_exec_block(c, node, LW_ROLE_BODY);
    c->frame = frame.up;
    lw_vec_release(c->mem, &frame.returns);
    o->fields = env->vars;
    heap_set(&c->heap, ck_slot_of(c, node), ck_value(o));
    if (lw_vec_push(c->mem, &c->defined, o) < 0)
        c->stopped = true;
    ck_emit(c, &(struct ck_event){.kind = CK_EV_CLASS, .node = node, .object = o});
}

/* ---- binding arguments --------------------------------------------------------------------
 */

struct binding {
    struct ck *c;
    struct ck_object *f;
    const struct lw_arg *args;
    size_t n;
    uint32_t node;
    uint32_t params;
    uint32_t count;
    struct lw_value values[64];
    bool starred; /* something of unknown length was passed */
    bool quiet;
};

static uint32_t param_node(const struct binding *b, uint32_t i)
{
    return lw_tree_node(&b->f->file->tree, b->params)->child + i;
}

static enum lw_param_kind param_kind(const struct binding *b, uint32_t i)
{
    return (enum lw_param_kind)lw_tree_node(&b->f->file->tree, param_node(b, i))->op;
}

static struct lw_str param_name(const struct binding *b, uint32_t i)
{
    return lw_tree_name(&b->f->file->tree, param_node(b, i));
}

/* cls(…) in a method of a class: those that derive from it have an __init__ of their own. */
static bool is_through_cls(const struct binding *b)
{
    const struct lw_tree *t = &b->c->frame->file->tree;
    uint32_t func = b->node == LW_NO_NODE || lw_tree_kind(t, b->node) != LW_NODE_CALL
                        ? LW_NO_NODE
                        : lw_tree_get(t, b->node, LW_ROLE_FUNC);
    return func != LW_NO_NODE && lw_str_eq(lw_tree_text(t, func), LW_S("cls"));
}

/* A method that others define: nothing but `raise NotImplementedError`, `pass` or `...`. */
static bool is_left_open(const struct ck_object *f)
{
    const struct lw_tree *t = &f->file->tree;
    if (!f->of)
        return false;
    for (uint32_t n = lw_tree_each(t, f->node, LW_ROLE_BODY, LW_NO_NODE); n != LW_NO_NODE;
         n = lw_tree_each(t, f->node, LW_ROLE_BODY, n)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        struct lw_str text = lw_tree_text(t, n);
        bool nothing =
            kind == LW_NODE_PASS || lw_str_eq(text, LW_S("...")) ||
            (kind == LW_NODE_EXPR && text.n &&
             (text.p[0] == '"' || text.p[0] == '\'' || text.p[0] == 'r')) ||
            (kind == LW_NODE_RAISE && lw_str_find(text, LW_S("NotImplemented")) != LW_NPOS);
        if (!nothing)
            return false;
    }
    return true;
}

/* The call does not fit the function. */
static void complain(struct binding *b, struct ck_event e)
{
    if (is_through_cls(b) || is_left_open(b->f))
        return;
    e.kind = CK_EV_FAULT;
    e.object = b->f;
    ck_emit(b->c, &e);
}

static bool takes_position(enum lw_param_kind k)
{
    return k == LW_PARAM_PLAIN || k == LW_PARAM_POSITIONAL;
}

static void bind_positions(struct binding *b)
{
    uint32_t i = 0, given = 0, wanted = 0;
    LW_VEC(struct lw_value) extra = {0};
    for (uint32_t k = 0; k < b->count; k++)
        wanted += takes_position(param_kind(b, k));
    for (size_t a = 0; a < b->n; a++) {
        if (b->args[a].name.n)
            continue;
        given++;
        if (b->args[a].star) {
            b->starred = true;
            continue;
        }
        if (b->starred)
            continue;
        while (i < b->count && !takes_position(param_kind(b, i)))
            i++;
        if (i < b->count)
            b->values[i++] = b->args[a].value;
        else if (lw_vec_push(b->c->mem, &extra, b->args[a].value) < 0)
            b->c->stopped = true;
    }
    bool has_rest = false;
    for (uint32_t k = 0; k < b->count; k++)
        if (param_kind(b, k) == LW_PARAM_VARARG) {
            has_rest = true;
            b->values[k] = ck_make_seq(b->c, LW_V_TUPLE, extra.v, extra.n, b->starred);
        }
    if (extra.n && !has_rest && !b->quiet)
        complain(b, (struct ck_event){.fault = CK_FAULT_MANY_ARGUMENTS,
                                      .node = b->node,
                                      .count = wanted,
                                      .given = given});
    lw_vec_release(b->c->mem, &extra);
}

/* layer(x, training=True): Keras keeps it to itself where call() does not ask for it, and
 * passes it on where a model calls its layers. */
static bool is_taken_by_keras(const struct binding *b, struct lw_str name)
{
    return lw_str_eq(name, LW_S("training")) && lw_str_eq(b->f->name, LW_S("call")) &&
           b->f->of && ck_is_a(b->c, ck_value(b->f->of), "keras.layers.Layer");
}

/* Keras calls build() with those of its arguments that build() asks for. */
static bool is_built_by_keras(const struct binding *b)
{
    const struct lw_tree *t = &b->c->frame->file->tree;
    return lw_str_eq(b->f->name, LW_S("build")) && b->f->of &&
           ck_is_a(b->c, ck_value(b->f->of), "keras.layers.Layer") &&
           lw_str_find(lw_tree_text(t, b->node), LW_S("build")) < 0;
}

bool ck_is_spread_of_open(const struct lw_arg *args, size_t n, size_t which)
{
    for (size_t i = 0; i < n; i++)
        if (args[i].star && args[i].name.n && args[i].node == args[which].node)
            return true;
    return false;
}

static void bind_keywords(struct binding *b)
{
    uint32_t rest = LW_NO_NODE;
    for (uint32_t k = 0; k < b->count; k++)
        if (param_kind(b, k) == LW_PARAM_KWARG)
            rest = k;
    LW_VEC(struct lw_value) keys = {0};
    LW_VEC(struct lw_value) values = {0};
    bool open = false;
    for (size_t a = 0; a < b->n; a++) {
        if (!b->args[a].name.n)
            continue;
        if (b->args[a].star) {
            b->starred = open = true;
            continue;
        }
        uint32_t k = 0;
        while (k < b->count &&
               (!lw_str_eq(param_name(b, k), b->args[a].name) ||
                param_kind(b, k) == LW_PARAM_VARARG || param_kind(b, k) == LW_PARAM_KWARG))
            k++;
        if (k < b->count)
            b->values[k] = b->args[a].value;
        else if (rest != LW_NO_NODE) {
            if (lw_vec_push(b->c->mem, &keys, lw_v_str(b->args[a].name)) < 0 ||
                lw_vec_push(b->c->mem, &values, b->args[a].value) < 0)
                b->c->stopped = true;
        } else if (!b->quiet && !is_taken_by_keras(b, b->args[a].name) &&
                   !ck_is_spread_of_open(b->args, b->n, a))
            complain(b, (struct ck_event){.fault = CK_FAULT_UNKNOWN_KEYWORD,
                                          .node = b->args[a].node,
                                          .name = b->args[a].name});
    }
    if (rest != LW_NO_NODE) {
        struct lw_dict *d = lw_arena_alloc(b->c->arena, sizeof *d);
        struct lw_value k = ck_make_seq(b->c, LW_V_LIST, keys.v, keys.n, false);
        struct lw_value v = ck_make_seq(b->c, LW_V_LIST, values.v, keys.n, false);
        if (d && k.kind == LW_V_LIST && v.kind == LW_V_LIST)
            *d = (struct lw_dict){k.seq.items, v.seq.items, (uint32_t)keys.n, open};
        b->values[rest] = ck_new_dict(b->c, d, b->node);
    }
    lw_vec_release(b->c->mem, &keys);
    lw_vec_release(b->c->mem, &values);
}

static void bind_defaults(struct binding *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        enum lw_param_kind kind = param_kind(b, i);
        if (b->values[i].kind != LW_V_ABSENT || kind == LW_PARAM_VARARG ||
            kind == LW_PARAM_KWARG)
            continue;
        bool has = i < b->f->item_count && b->f->items[i].kind != LW_V_ABSENT;
        if (has && !b->starred)
            b->values[i] = b->f->items[i];
        else
            b->values[i] = lw_v_unknown();
        if (!has && !b->starred && !b->quiet && !is_taken_by_keras(b, param_name(b, i)))
            complain(b, (struct ck_event){.fault = CK_FAULT_MISSING_ARGUMENT,
                                          .node = b->node,
                                          .name = param_name(b, i)});
    }
}

static bool bind(struct binding *b)
{
    const struct lw_tree *t = &b->f->file->tree;
    b->params = lw_tree_get(t, b->f->node, LW_ROLE_ARGS);
    b->count = b->params == LW_NO_NODE ? 0 : lw_tree_node(t, b->params)->count;
    if (b->count > 64)
        return false;
    for (uint32_t i = 0; i < b->count; i++)
        b->values[i] = lw_v_absent();
    b->quiet = b->f->open || b->node == LW_NO_NODE || is_built_by_keras(b);
    bind_positions(b);
    bind_keywords(b);
    bind_defaults(b);
    return true;
}

/* ---- calling ------------------------------------------------------------------------------
 */

static unsigned active_calls(const struct ck *c, const struct ck_object *f)
{
    unsigned n = 0;
    for (const struct ck_frame *k = c->frame; k; k = k->up)
        n += k->function && k->function->node == f->node && k->function->file == f->file;
    return n;
}

/* Values of parameters against what their annotations promise. */
static void take_parameters(struct ck *c, struct binding *b, struct ck_env *env,
                            struct ck_symbols *symbols, uint32_t call_node,
                            struct ck_frame *caller)
{
    const struct lw_tree *t = &b->f->file->tree;
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t param = param_node(b, i);
        uint32_t annotation = lw_tree_get(t, param, LW_ROLE_ANNOTATION);
        struct lw_value v = b->values[i];
        struct lw_shape want;
        if (annotation != LW_NO_NODE && v.kind == LW_V_TENSOR &&
            lw_shape_has_rank(&v.tensor->shape) &&
            ck_annotation_shape(c, annotation, symbols, &want)) {
            lw_tri fits = ck_fits(c, &v.tensor->shape, &want);
            if (fits == LW_TRI_NO && call_node != LW_NO_NODE) {
                struct ck_frame *mine = c->frame;
                c->frame = caller;
                ck_emit(c, &(struct ck_event){.kind = CK_EV_FAULT,
                                              .fault = CK_FAULT_ARGUMENT_SHAPE,
                                              .node = call_node,
                                              .value = v,
                                              .shape = &want,
                                              .object = b->f,
                                              .name = param_name(b, i)});
                c->frame = mine;
            }
        } else if (annotation != LW_NO_NODE)
            v = ck_annotated(c, annotation, v, symbols);
        struct ck_slot *slot =
            fields_put(&c->heap, &env->vars, heap_intern(&c->heap, param_name(b, i)));
        heap_set(&c->heap, slot, v);
    }
}

static struct lw_value run_body(struct ck *c, struct ck_frame *frame, uint32_t node)
{
    if (lw_tree_kind(&frame->file->tree, node) == LW_NODE_LAMBDA)
        return ck_eval(c, lw_tree_get(&frame->file->tree, node, LW_ROLE_BODY));
    frame->mark = heap_mark(&c->heap);
    enum ck_flow flow = ck_exec_block(c, node, LW_ROLE_BODY);
    if (flow == CK_NEXT)
        frame->result = frame->result.kind == LW_V_ABSENT
                            ? lw_v_none()
                            : ck_join(c, frame->result, lw_v_none());
    bool live = flow == CK_NEXT || flow == CK_RETURN;
    if (frame->returns.n == 0) {
        heap_commit(&c->heap);
    } else {
        struct ck_branches b = {0};
        struct ck_changes end = heap_take(&c->heap, frame->mark);
        if (live)
            b.live[b.live_count++] = end;
        for (size_t i = 0; i < frame->returns.n && b.live_count < CK_MAX_BRANCHES; i++)
            b.live[b.live_count++] = frame->returns.v[i];
        ck_branches_join(c, &b);
        lw_vec_release(c->mem, &frame->returns);
    }
    return frame->result.kind == LW_V_ABSENT ? lw_v_unknown() : frame->result;
}

static struct lw_value generator_of(struct ck *c, struct lw_value yielded, uint32_t node)
{
    struct lw_value seq = ck_make_seq(c, LW_V_LIST, &yielded, 1, true);
    struct lw_value list =
        seq.kind == LW_V_LIST ? ck_new_list(c, CK_LIST, seq.seq, node) : lw_v_unknown();
    struct ck_object *o = ck_as(list, CK_LIST);
    if (o)
        ck_set_trait(c, o, TRAIT_ONCE, lw_v_tri(LW_TRI_YES));
    return list;
}

static struct lw_value enter_function(struct ck *c, struct binding *b, uint32_t node)
{
    struct ck_object *f = b->f;
    struct ck_file *file = f->file;
    struct ck_env *env = lw_arena_alloc(c->arena, sizeof *env);
    if (!env)
        return lw_v_unknown();
    const struct lw_tree *t = &file->tree;
    uint32_t body = lw_tree_get(t, f->node, LW_ROLE_BODY);
    *env = (struct ck_env){.parent = f->env,
                           .file = file,
                           .scope = body == LW_NO_NODE ? 0 : file->names.scope_of.v[body]};
    struct ck_frame frame = {.up = c->frame,
                             .file = file,
                             .env = env,
                             .function = f,
                             .in_class = f->of,
                             .result = lw_v_absent(),
                             .yielded = lw_v_absent(),
                             .self = b->count && f->of ? b->values[0] : lw_v_absent(),
                             .call_place = ck_place(c, node),
                             .guarded = c->frame ? c->frame->guarded : 0};
    struct ck_frame *caller = c->frame;
    struct ck_symbols symbols = {0};
    if (lw_tree_kind(t, f->node) == LW_NODE_LAMBDA && caller)
        frame.self = caller->self;
    else
        frame.grad_off = is_without_grad(t, f->node);
    frame.symbols = &symbols;
    c->frame = &frame;
    c->call_depth++;
    size_t trail = c->heap.trail.n;
    take_parameters(c, b, env, &symbols, node, caller);
    struct lw_value v = run_body(c, &frame, f->node);
    if (!env->captured)
        heap_forget(&c->heap, trail, &env->vars);
    if (frame.yielded.kind != LW_V_ABSENT)
        v = generator_of(c, frame.yielded, f->node);
    ck_emit(c, &(struct ck_event){
                   .kind = CK_EV_FUNCTION_END, .node = f->node, .object = f, .value = v});
    LW_BUG_ON(c->frame != &frame || !c->call_depth);
    c->call_depth--;
    c->frame = caller;
    return v;
}

struct lw_value ck_call_function(struct ck *c, struct ck_object *f, const struct lw_arg *args,
                                 size_t n, uint32_t node)
{
    LW_BUG_ON(f->kind != CK_FUNCTION);
    /* What a decorator makes of arguments and result is not known: it is run as an entry point.
     */
    if (f->open && node != LW_NO_NODE) {
        struct ck_object *made = n && lw_str_eq(f->name, LW_S("__init__"))
                                     ? ck_as(args[0].value, CK_INSTANCE)
                                     : NULL;
        if (made)
            made->open = true; /* what __init__ does is not known */
        return lw_v_unknown();
    }
    if (!f->called && lw_vec_push(c->mem, &c->called, f) < 0)
        c->heap.failed = true;
    f->called = true;
    ck_emit(
        c,
        &(struct ck_event){
            .kind = CK_EV_USER_CALL, .node = node, .object = f, .args = args, .arg_count = n});
    struct binding b = {.c = c, .f = f, .args = args, .n = n, .node = node};
    if (!bind(&b) || c->call_depth >= CK_MAX_CALLS || active_calls(c, f) >= CK_MAX_RECURSION ||
        !ck_step(c))
        return lw_v_unknown();
    return enter_function(c, &b, node);
}

/* The arguments with `self` in front; NULL when memory ran out. */
static const struct lw_arg *with_self(struct ck *c, struct lw_value self,
                                      const struct lw_arg *args, size_t n)
{
    struct lw_arg *all = lw_arena_array(c->arena, n + 1, sizeof *all);
    if (!all) {
        c->stopped = true;
        return NULL;
    }
    all[0] = (struct lw_arg){.value = self, .node = LW_NO_NODE};
    if (n)
        memcpy(all + 1, args, n * sizeof *args);
    return all;
}

struct lw_value ck_call_method(struct ck *c, struct lw_value v, const char *name,
                               const struct lw_arg *args, size_t n, uint32_t node)
{
    LW_BUG_ON(!name || (n && !args));
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    if (!o || !o->of)
        return lw_v_absent();
    struct lw_value own = ck_field(c, o, name);
    if (lw_str_eq(lw_str(name), LW_S("forward")) && own.kind != LW_V_ABSENT)
        return ck_call(c, own, args, n, node); /* model.forward = model.infer */
    struct lw_value f = ck_class_member(c, o->of, lw_str(name), NULL);
    struct ck_object *function = ck_as(f, CK_FUNCTION);
    const struct lw_arg *all = function ? with_self(c, v, args, n) : NULL;
    if (!all)
        return f.kind == LW_V_ABSENT ? f : lw_v_unknown();
    return ck_call_function(c, function, all, n + 1, node);
}

struct ck_object *ck_new_of(struct ck *c, struct ck_object *cls, uint32_t node)
{
    LW_BUG_ON(cls->kind != CK_CLASS);
    struct ck_object *o = ck_new(c, CK_INSTANCE, node);
    if (!o)
        return NULL;
    o->of = cls;
    o->api = cls->api;
    o->open = cls->open;
    o->name = cls->name;
    o->newest = cls->newest;
    cls->newest = o;
    o->number = (uint32_t)c->instances.n;
    if (lw_vec_push(c->mem, &c->instances, o) < 0)
        c->stopped = true;
    return o;
}

static void remember_args(struct ck *c, struct ck_object *o, const struct lw_arg *args,
                          size_t n)
{
    struct lw_arg *made = n ? lw_arena_array(c->arena, n, sizeof *made) : NULL;
    for (size_t i = 0; made && i < n; i++)
        made[i] = args[i];
    o->made = made;
    o->made_count = made ? (uint32_t)n : 0;
}

static struct lw_value instantiate(struct ck *c, struct ck_object *cls,
                                   const struct lw_arg *args, size_t n, uint32_t node)
{
    cls->called = true;
    if (ck_class_member(c, cls, LW_S("__new__"), NULL).kind == CK_FUNCTION)
        return lw_v_unknown(); /* it may give an object of another class */
    struct ck_object *o = ck_new_of(c, cls, node);
    if (!o)
        return lw_v_unknown();
    remember_args(c, o, args, n);
    struct lw_value v = ck_value(o);
    bool written =
        !cls->gap || fields_find(&cls->fields, heap_intern(&c->heap, LW_S("__init__")));
    if (written && !ck_construct_record(c, o, args, n, node)) {
        struct lw_value init = ck_class_member(c, cls, LW_S("__init__"), NULL);
        if (init.kind == CK_FUNCTION)
            ck_call_method(c, v, "__init__", args, n, node);
        else
            c->models->construct_base(c, o, args, n, node);
    }
    ck_emit(c, &(struct ck_event){.kind = CK_EV_INSTANCE,
                                  .node = node,
                                  .object = o,
                                  .args = args,
                                  .arg_count = n,
                                  .value = v});
    return v;
}

static struct lw_value call_method_object(struct ck *c, struct ck_object *m,
                                          const struct lw_arg *args, size_t n, uint32_t node)
{
    const struct lw_arg *all = with_self(c, m->self, args, n);
    return all ? ck_call_function(c, m->of, all, n + 1, node) : lw_v_unknown();
}

static struct lw_value unknown_call(struct ck *c, const struct lw_arg *args, size_t n,
                                    uint32_t node)
{
    c->statistics.unknown++;
    c->models->call_unknown(c, args, n, node);
    return lw_v_unknown();
}

struct lw_value ck_call(struct ck *c, struct lw_value f, const struct lw_arg *args, size_t n,
                        uint32_t node)
{
    LW_BUG_ON(n && !args);
    struct ck_object *o = ck_object_of(f);
    c->statistics.calls++;
    switch ((int)f.kind) {
    case CK_FUNCTION: return ck_call_function(c, o, args, n, node);
    case CK_METHOD: return call_method_object(c, o, args, n, node);
    case CK_CLASS: return instantiate(c, o, args, n, node);
    case CK_INSTANCE: return c->models->call_instance(c, o, args, n, node);
    case CK_NAME: return c->models->call_name(c, o, args, n, node);
    case CK_BOUND: return c->models->call_bound(c, o, args, n, node);
    case LW_V_UNKNOWN: return unknown_call(c, args, n, node);
    case LW_V_NONE:
    case LW_V_BOOL:
    case LW_V_INT:
    case LW_V_FLOAT:
    case LW_V_STR:
    case LW_V_TUPLE:
    case LW_V_TENSOR:
    case LW_V_SHAPE:
    case CK_LIST:
    case CK_DICT:
        ck_emit(c,
                &(struct ck_event){
                    .kind = CK_EV_FAULT, .fault = CK_FAULT_NOT_CALLABLE, .node = node, .a = f});
        return lw_v_unknown();
    default: return unknown_call(c, args, n, node);
    }
}

/* Is the function a static or class method? */
bool ck_is_static(const struct ck_object *f)
{
    return f->file && has_decorator(&f->file->tree, f->node, "staticmethod");
}

bool ck_is_classmethod(const struct ck_object *f)
{
    return f->file && has_decorator(&f->file->tree, f->node, "classmethod");
}

bool ck_is_property(const struct ck_object *f)
{
    return f->file && (has_decorator(&f->file->tree, f->node, "property") ||
                       has_decorator(&f->file->tree, f->node, "cached_property"));
}
