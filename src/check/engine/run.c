/* Entry points: the module, then what nothing called. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/engine/forget.h"
#include "check/engine/library.h"

bool ck_step(struct ck *c)
{
    if (c->stopped)
        return false;
    c->steps++;
    if (c->steps >= c->step_limit || c->heap.failed ||
        (c->steps % 512 == 0 && c->clock.seconds(c->clock.data) > c->deadline)) {
        c->stopped = true;
        return false;
    }
    return true;
}

/* Steps, about 0.7 us each, are what bounds the work, so that a result does not depend on the
 * machine; the clock is there for steps that are not like others. */
enum {
    MODULE_STEPS = 250000,   /* the module with all it calls: the program itself */
    FUNCTION_STEPS = 100000, /* a function that nothing called */
    FILE_STEPS = 400000,     /* all of them */
};

static void begin(struct ck *c, uint64_t steps)
{
    c->step_limit = steps;
    c->stopped = c->heap.failed;
    c->steps = 0;
    c->depth = 0;
    c->call_depth = 0;
    c->join_depth = 0;
    c->nested.depth = 0;
    c->contexts.n = 0;
    ways_reset(c);
    c->deadline = c->clock.seconds(c->clock.data) + c->seconds;
}

/* ---- parameters of which nothing is known --------------------------------------------------
 */

static bool is_forward(const struct ck_object *f)
{
    return lw_str_eq(f->name, LW_S("forward")) || lw_str_eq(f->name, LW_S("call")) ||
           lw_str_eq(f->name, LW_S("training_step"));
}

/* forward(self, model, x): is the parameter called, or annotated as something else? */
static bool is_tensor_param(const struct ck_object *f, uint32_t param)
{
    const struct lw_tree *t = &f->file->tree;
    uint32_t annotation = lw_tree_get(t, param, LW_ROLE_ANNOTATION);
    struct lw_str name = lw_tree_name(t, param);
    if (annotation != LW_NO_NODE &&
        lw_str_find(lw_tree_text(t, annotation), LW_S("ensor")) < 0 &&
        lw_str_find(lw_tree_text(t, annotation), LW_S("rray")) < 0)
        return false;
    static const char *const states[] = {"h",  "hc",    "hs",     "hx",
                                         "h0", "cache", "memory", "mems"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (lw_str_eq(name, lw_str(states[i])))
            return false; /* a pair, or a list, as often as a tensor */
    static const char *const parts[] = {"hidden", "state",  "text",   "sentence", "prompt",
                                        "batch",  "sample", "target", "config"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (lw_str_find(name, lw_str(parts[i])) >= 0)
            return false;
    for (uint32_t n = f->node; n != LW_NO_NODE; n = lw_tree_next(t, f->node, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL) {
            uint32_t callee = lw_tree_get(t, n, LW_ROLE_FUNC);
            if (callee != LW_NO_NODE && lw_tree_kind(t, callee) == LW_NODE_NAME &&
                lw_str_eq(lw_tree_name(t, callee), name))
                return false;
        }
    return true;
}

static struct lw_value symbolic(struct ck *c, struct ck_object *f, uint32_t i, uint32_t param,
                                struct lw_value self)
{
    struct ck_object *o = ck_object_of(self);
    struct lw_value initial = i < f->item_count ? f->items[i] : lw_v_absent();
    bool literal = initial.kind == LW_V_INT || initial.kind == LW_V_FLOAT ||
                   initial.kind == LW_V_STR ||
                   (initial.kind == LW_V_TUPLE && initial.seq.n > 0);
    /* A size of -1 and () are placeholders that every caller replaces. */
    int64_t n;
    if (initial.kind == LW_V_INT && ck_int_of(c, initial, &n) && n < 0)
        return lw_v_unknown();
    if (literal)
        return initial;
    if (initial.kind == LW_V_BOOL)
        return lw_v_tri(LW_TRI_MAYBE);
    if (initial.kind != LW_V_ABSENT || !o || !is_forward(f))
        return lw_v_unknown();
    struct ck_frame *frame = c->frame;
    struct ck_frame inside = {.up = frame, .file = f->file, .env = f->file->env};
    c->frame = &inside;
    struct lw_value v = lw_v_unknown();
    if (c->models->is_torch_module(c, o) && is_tensor_param(f, param))
        v = ck_any_tensor(c, LW_TORCH, param);
    c->frame = frame;
    return v;
}

static struct lw_value call_symbolic(struct ck *c, struct ck_object *f, struct lw_value self)
{
    const struct lw_tree *t = &f->file->tree;
    uint32_t params = lw_tree_get(t, f->node, LW_ROLE_ARGS);
    uint32_t count = params == LW_NO_NODE ? 0 : lw_tree_node(t, params)->count;
    struct lw_arg args[64];
    size_t n = 0;
    for (uint32_t i = 0; i < count && n < 64; i++) {
        uint32_t param = lw_tree_node(t, params)->child + i;
        enum lw_param_kind kind = (enum lw_param_kind)lw_tree_node(t, param)->op;
        struct lw_arg a = {.node = LW_NO_NODE};
        if (kind == LW_PARAM_VARARG || kind == LW_PARAM_KWARG) {
            a.star = true;
            a.value = lw_v_unknown();
            if (kind == LW_PARAM_KWARG)
                a.name = LW_S("**");
            args[n++] = a;
            continue;
        }
        if (kind == LW_PARAM_KEYWORD)
            a.name = lw_tree_name(t, param);
        a.value = i == 0 && self.kind != LW_V_ABSENT ? self : symbolic(c, f, i, param, self);
        args[n++] = a;
    }
    return ck_call_function(c, f, args, n, LW_NO_NODE);
}

/* __init__ with the arguments of an instance that is no more; objects among them may be no more
 * either. */
static void make_again(struct ck *c, const struct ck_object *was, struct ck_object *o)
{
    struct lw_arg args[32];
    size_t n = was->made_count < 32 ? was->made_count : 32;
    for (size_t i = 0; i < n; i++) {
        args[i] = was->made[i];
        args[i].node = LW_NO_NODE;
        if (ck_is_object(args[i].value) && args[i].value.kind != CK_FUNCTION &&
            args[i].value.kind != CK_CLASS && args[i].value.kind != CK_NAME)
            args[i].value = lw_v_unknown();
    }
    ck_call_method(c, ck_value(o), "__init__", args, n, LW_NO_NODE);
}

/* The last instance that the program made and that is still there, or NULL; `*was` is the last
 * that is no more, or NULL. Those between them are left out from now on: each method may make
 * one. */
static struct ck_object *last_instance(struct ck *c, const struct ck_object *cls,
                                       const struct ck_object **was)
{
    struct ck_object *o = cls->newest, *gone = NULL;
    for (; o; o = o->newest) {
        if (o->number >= c->instances.n || c->instances.v[o->number] != o)
            continue; /* of a way that was taken back */
        /* other objects are built around what is no more */
        if (!o->undone || !c->models->is_torch_module(c, o))
            break;
        if (!gone)
            gone = o;
    }
    if (gone)
        gone->newest = o;
    *was = gone;
    return o;
}

/* An instance of our own to call methods on. */
static struct lw_value new_instance(struct ck *c, struct ck_object *cls,
                                    const struct ck_object *was)
{
    struct lw_value init = ck_class_member(c, cls, LW_S("__init__"), NULL);
    struct ck_object *o = ck_new_of(c, cls, cls->node);
    if (!o)
        return lw_v_unknown();
    o->file = cls->file;
    struct ck_object *f = ck_as(init, CK_FUNCTION);
    if (f && was)
        make_again(c, was, o);
    else if (f)
        call_symbolic(c, f, ck_value(o));
    else
        c->models->construct_base(c, o, NULL, 0, LW_NO_NODE);
    c->models->made_by_engine(c, o);
    ck_emit(c, &(struct ck_event){.kind = CK_EV_INSTANCE, .node = cls->node, .object = o});
    return ck_value(o);
}

static bool is_abandoned(const struct ck_object *f)
{
    return lw_str_has_prefix(f->name, LW_S("test_")) || f->file->index != 0;
}

/* A class that only groups functions: Trainer.run(model), def run(model) without self. */
static bool is_grouped(struct ck *c, const struct ck_object *f)
{
    const struct lw_tree *t = &f->file->tree;
    uint32_t params = lw_tree_get(t, f->node, LW_ROLE_ARGS);
    if (params == LW_NO_NODE || !lw_tree_node(t, params)->count)
        return true;
    struct lw_str first = lw_tree_name(t, lw_tree_node(t, params)->child);
    return lw_str_find(first, LW_S("self")) == LW_NPOS && !lw_str_eq(first, LW_S("cls")) &&
           ck_file_has(c, f->file, CK_DOTTED,
                       ck_text(c, "%.*s.%.*s", LW_F(f->of->name), LW_F(f->name)));
}

/* What the function gets as its first argument; absent: nothing special. */
static struct lw_value self_for(struct ck *c, const struct ck_object *f,
                                struct forget_self *forgotten)
{
    if (!f->of || ck_is_static(f) || is_grouped(c, f))
        return lw_v_absent();
    if (ck_is_classmethod(f))
        return ck_value(f->of);
    const struct ck_object *was;
    struct ck_object *o = last_instance(c, f->of, &was);
    if (o)
        return ck_value(o);
    forget_end(c, forgotten);
    return new_instance(c, f->of, was);
}

static void run_function(struct ck *c, struct ck_object *f, struct forget_self *forgotten)
{
    begin(c, FUNCTION_STEPS);
    struct lw_value self = self_for(c, f, forgotten);
    if (!f->called && !c->stopped) {
        forget_before(c, forgotten, f, self);
        size_t mark = heap_mark(&c->heap), made = c->instances.n;
        call_symbolic(c, f, self);
        heap_undo(&c->heap, mark);
        for (; made < c->instances.n; made++)
            c->instances.v[made]->undone = true;
    }
}

void ck_run(struct ck *c)
{
    struct ck_file *f = c->files.v[0];
    begin(c, MODULE_STEPS);
    ck_run_file(c, f);
    c->given_up += c->stopped;
    struct ck_frame outer = {.file = f,
                             .env = f->env,
                             .result = lw_v_absent(),
                             .yielded = lw_v_absent(),
                             .self = lw_v_absent()};
    forget_changes globals = {0};
    struct forget_self forgotten = {0};
    c->frame = &outer;
    outer.mark = heap_mark(&c->heap);
    forget_globals(c, f, &globals);
    /* Last first: main() stands at the end and calls what stands before it. */
    for (size_t i = c->defined.n; i-- > 0;) {
        struct ck_object *o = c->defined.v[i];
        if (o->kind != CK_FUNCTION || o->called || o->gap || is_abandoned(o))
            continue;
        if (c->total_steps >= FILE_STEPS) {
            c->given_up++;
            continue;
        }
        run_function(c, o, &forgotten);
        c->total_steps += c->steps;
        c->given_up += c->stopped;
    }
    forget_end(c, &forgotten);
    forget_undo(c, &globals);
    begin(c, FUNCTION_STEPS);
    ck_emit(c, &(struct ck_event){.kind = CK_EV_END, .node = f->tree.root});
    heap_commit(&c->heap);
    lw_vec_release(c->mem, &outer.returns);
    lw_vec_release(c->mem, &globals);
    LW_BUG_ON(c->frame != &outer || c->heap.open);
    LW_BUG_ON(c->depth || c->call_depth || c->join_depth || c->quiet);
    c->frame = NULL;
}
