/*
 * Rules about training loops that are written by hand: what is missing in them, what they
 * train, and what is done in the wrong place or too often.
 */
#include <math.h>

#include "base/map.h"
#include "base/str.h"
#include "check/models/models.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/query/notes.h"
#include "check/query/submodules.h"
#include "check/rules/rules.h"

struct loops {
    bool begun;
    bool stepped, went_back; /* anywhere */
    struct lw_value loss;    /* of the last backward() */
    uint32_t norm_node;      /* batch normalisation of a single sample since the last step */
    uint32_t norm_loop;      /* the outermost loop in which that was */
    struct ck_file *norm_file;
};

static const char loops_key;

static struct loops *loops_of(struct ck *c)
{
    struct loops *l = ck_state(c, &loops_key, sizeof *l);
    if (l && !l->begun) {
        l->begun = true;
        l->norm_node = LW_NO_NODE;
    }
    return l;
}

/* ---- what belongs to a module -------------------------------------------------------------
 */

static bool is_same(struct ck *c, const struct ck_object *part, const void *data)
{
    (void)c;
    return part == data;
}

static bool is_moody(struct ck *c, const struct ck_object *part, const void *data)
{
    (void)c;
    (void)data;
    struct lw_str role =
        !part->of && part->api ? lw_api_fact(part->api, "role") : (struct lw_str){0};
    return text_is(role, "dropout") ||
           (text_is(role, "norm") && part->api &&
            lw_str_find(part->api->name, LW_S("BatchNorm")) != LW_NPOS);
}

/* ---- optimisers and their modules ---------------------------------------------------------
 */

/* Optimizer(X.parameters()): remembers X. */
static void watch_optimizer(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    if (!o || !e->call->api || e->call->api->kind != LW_API_OPTIMIZER || !e->call->n ||
        !lw_str_has_prefix(e->call->name, LW_S("torch.optim.")))
        return;
    uint32_t params = e->call->args[0].node;
    if (params != LW_NO_NODE && lw_tree_kind(t, params) == LW_NODE_KEYWORD)
        params = lw_tree_get(t, params, LW_ROLE_VALUE);
    uint32_t owner = params == LW_NO_NODE ? LW_NO_NODE : syntax_owner(t, params);
    if (owner == LW_NO_NODE ||
        !text_is(lw_tree_name(t, lw_tree_get(t, params, LW_ROLE_FUNC)), "parameters"))
        return;
    struct ck_object *module = ck_as(ck_eval(c, owner), CK_INSTANCE);
    if (module && ck_is_torch_module(c, module))
        note_set(c, o, NOTE_MODULE, ck_value(module));
}

/* The layers that a loss was computed with, against those of the optimiser. */
struct trained {
    struct ck *c;
    const struct ck_object *module, *optimizer;
    const struct ck_object *late;     /* in the module, but younger than the optimiser */
    const struct ck_object *stranger; /* a layer that no module of an optimiser has */
    bool any, own;
};

/* Is the layer sure to be in no optimiser at all? */
static bool is_in_no_optimizer(struct ck *c, const struct ck_object *layer)
{
    for (size_t i = 0; i < c->instances.n; i++) {
        const struct ck_object *o = c->instances.v[i];
        if (o->of || !o->api || o->api->kind != LW_API_OPTIMIZER)
            continue;
        const struct ck_object *module = ck_as(note_of(o, NOTE_MODULE), CK_INSTANCE);
        if (!module || module->open || submodules_any(c, module, is_same, layer))
            return false;
    }
    return true;
}

static bool visit_trained(void *data, struct lw_value v, const struct ck_origin *o)
{
    struct trained *t = data;
    (void)v;
    if (!o || !o->layer)
        return true;
    t->any |= submodules_is_weighty(o->layer);
    if (!submodules_any(t->c, t->module, is_same, o->layer)) {
        if (submodules_is_weighty(o->layer) && is_in_no_optimizer(t->c, o->layer))
            t->stranger = o->layer;
        return true;
    }
    if (o->layer->id > t->optimizer->id && submodules_is_weighty(o->layer))
        t->late = o->layer;
    else
        t->own = true;
    return true;
}

/* A layer that gradients reach and nothing changes. Layers that are kept as they are on purpose
 * come with weights or are frozen. */
static void check_stranger(struct ck *c, const struct ck_event *e,
                           const struct ck_object *layer)
{
    if (!layer || ck_shows(c, "name requires_grad*") || ck_shows(c, "name load_state_dict*") ||
        ck_shows(c, "name *pretrained*"))
        return;
    ck_find_at(c, e->object->file, e->object->node, "training/optimizer-misses-layer", NULL, 0,
               "the loss depends on the layer created on %.*s, which no optimizer updates: "
               "pass the parameters of all modules to the optimizer",
               LW_F(ck_show_place(c, e->object->file, layer->place)));
}

/* The loss depends on the module only behind detach(). */
static void check_detached(struct ck *c, const struct loops *l, const struct ck_event *e,
                           const struct ck_object *module)
{
    struct trained t = {.c = c, .module = module, .optimizer = e->object};
    const struct ck_origin *o = ck_origin_of(c, l->loss);
    if (!o || !lineage_walk_gradient(c, l->loss, visit_trained, &t))
        return;
    if (t.own) {
        check_stranger(c, e, t.stranger);
        return;
    }
    ck_find_at(c, o->file, o->node, "training/optimizer-misses-layer", NULL, 0,
               "detach() cuts this loss off from the module that the optimizer trains, so no "
               "gradient reaches it: remove detach()");
}

static void check_trained(struct ck *c, const struct loops *l, const struct ck_event *e,
                          const struct ck_object *module)
{
    struct trained t = {.c = c, .module = module, .optimizer = e->object};
    if (module->open || !lineage_walk(c, l->loss, visit_trained, &t) || !t.any ||
        ck_shows(c, "name add_param_group"))
        return;
    if (t.late || !t.own)
        ck_find_at(
            c, e->object->file, e->object->node, "training/optimizer-misses-layer", NULL, 0,
            t.late ? "a layer of the network is created after this optimizer, which never "
                     "updates it: create the optimizer after the network is complete"
                   : "this optimizer holds the parameters of a module that the loss does not "
                     "depend on, so nothing is learned: pass the parameters of the trained "
                     "module");
    else
        check_detached(c, l, e, module);
}

/* ---- modes --------------------------------------------------------------------------------
 */

static void check_mode(struct ck *c, const struct ck_event *e, const struct ck_object *module)
{
    struct lw_value mode = ck_field(c, module, "training");
    if (mode.kind != LW_V_BOOL || mode.tri != LW_TRI_NO ||
        !submodules_any(c, module, is_moody, NULL))
        return;
    ck_hint(c, (struct ck_hint){.object = module});
    ck_find(c, e->node, "training/eval-mode", NULL, 0,
            "the model is trained in evaluation mode: dropout is inactive and batch "
            "normalisation keeps its old statistics; call train() before the loop");
}

static void make_train_mode(struct fix *f)
{
    struct lw_str name = fix_name_of(f, f->hint->object);
    uint32_t loop = fix_outer_loop(f, f->node);
    if (!name.n || loop == LW_NO_NODE)
        return;
    fix_say(f, "call %.*s.train() at the start of each epoch", LW_F(name));
    fix_line_first(f, loop, ck_text(f->c, "%.*s.train()", LW_F(name)));
}

/* Of all loops around; LW_NO_NODE: none. */
static uint32_t outermost_loop(const struct ck *c)
{
    uint32_t node = LW_NO_NODE;
    for (const struct ck_frame *f = c->frame; f; f = f->up)
        for (const struct ck_loop *l = f->loop; l; l = l->up)
            node = l->node;
    return node;
}

/* BatchNorm of one sample: its statistics are the sample's own. */
static void watch_norm(struct ck *c, const struct ck_event *e)
{
    struct loops *l = loops_of(c);
    const struct ck_object *o = e->object;
    struct lw_value x = e->call->n ? e->call->args[0].value : lw_v_unknown();
    const struct lw_tensor *t = ck_tensor_of(x);
    int64_t n;
    if (!l || !o || o->of || !o->api ||
        lw_str_find(o->api->name, LW_S("torch.nn.BatchNorm")) == LW_NPOS || !t ||
        !lw_shape_has_rank(&t->shape) || t->shape.n < 2 ||
        !lw_dim_is_int(c->dims, t->shape.d[0], &n) || n != 1)
        return;
    l->norm_node = o->node;
    l->norm_loop = outermost_loop(c);
    l->norm_file = o->file;
}

/* ---- seeds ---------------------------------------------------------------------------------
 */

/* A constant seed inside a loop; a step in the same loop, of an optimiser that is older, goes
 * on with the same draws. */
struct seeded {
    uint32_t loop, node;
    struct ck_file *loop_file, *file;
    uint32_t born; /* objects when the loop began */
};

static const char seeded_key;

static void watch_seed(struct ck *c, const struct ck_event *e)
{
    static const char *const seeds[] = {"torch.manual_seed", "numpy.random.seed",
                                        "tensorflow.set_random_seed",
                                        "tensorflow.random.set_seed"};
    struct seeded *s = ck_state(c, &seeded_key, sizeof *s);
    bool is_seed = false;
    double x;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
        is_seed |= text_is(e->call->name, seeds[i]);
    if (!is_seed || !s || !e->call->n || !ck_number_of(c, e->call->args[0].value, &x))
        return;
    const struct ck_frame *f = c->frame;
    while (f && !f->loop)
        f = f->up;
    if (!f || (s->loop_file == f->file && s->loop == f->loop->node))
        return;
    *s = (struct seeded){f->loop->node, e->node, f->file, c->frame->file, f->loop->born};
}

static void check_seed(struct ck *c, const struct ck_event *e)
{
    const struct seeded *s = ck_state(c, &seeded_key, sizeof *s);
    if (!s || !s->loop_file || !e->object || e->object->id > s->born)
        return;
    for (const struct ck_frame *f = c->frame; f; f = f->up)
        for (const struct ck_loop *l = f->loop; l; l = l->up)
            if (f->file == s->loop_file && l->node == s->loop)
                ck_find_at(
                    c, s->file, s->node, "training/seed-in-loop", NULL, 0,
                    "the seed is set to the same value in each iteration, so every step draws "
                    "the same batches, noise and dropout: set it once, before the loop");
}

/* ---- backward and step --------------------------------------------------------------------
 */

/* Model and optimiser are made in the very loop that steps. */
static void check_renewed(struct ck *c, const struct ck_event *e,
                          const struct ck_object *module)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t loop = syntax_loop_around(t, e->node);
    if (loop == LW_NO_NODE || module->file != c->frame->file ||
        e->object->file != c->frame->file || syntax_loop_around(t, e->object->node) != loop ||
        syntax_loop_around(t, module->node) != loop)
        return;
    ck_find_at(c, module->file, module->node, "training/model-in-loop", NULL, 0,
               "the model is created again in each iteration of the training loop and loses "
               "what it has learned: create it before the loop");
}

/* Was what a loss judges cut off from the network that made it? */
static bool is_cut(struct ck *c, struct lw_value v)
{
    static const char *const cuts[] = {"detach"};
    static const char *const forms[] = {"view",    "reshape", "squeeze", "flatten",
                                        "sigmoid", "softmax", "float",   "[]"};
    for (unsigned i = 0; i < 4; i++) {
        const struct ck_origin *cut = lineage_made_by(c, v, cuts, 1);
        const struct ck_origin *made = cut ? ck_origin_of(c, cut->in[0]) : NULL;
        if (cut)
            return made != NULL; /* and not data */
        const struct ck_origin *o = lineage_made_by(c, v, forms, sizeof forms / sizeof *forms);
        if (!o)
            return false;
        v = o->in[0];
    }
    return false;
}

/* Data, or something that has no gradient either. */
static bool is_given(struct ck *c, struct lw_value v)
{
    const struct lw_tensor *t = ck_tensor_of(v);
    return !t || t->grad == LW_TRI_NO || !ck_origin_of(c, v) || is_cut(c, v);
}

enum { TERMS = 16 };

/* (a + w * b).backward(), where b is a loss of something detached: a constant. */
static void check_terms(struct ck *c, struct lw_value loss)
{
    struct lw_value todo[TERMS] = {loss};
    static const char *const sums[] = {"+", "-", "*", "/", "add", "sub", "mul", "div"};
    for (size_t n = 1, seen = 0; n && seen < TERMS; seen++) {
        struct lw_value v = todo[--n];
        const struct lw_tensor *t = ck_tensor_of(v);
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!t || !o || !o->in_count)
            continue;
        const struct lw_api *api = o->api ? o->api : o->layer ? o->layer->api : NULL;
        for (uint32_t i = 0; text_is_any(text_tail(o->op), sums, 8) && i < o->in_count; i++)
            if (o->in[i].kind == LW_V_TENSOR && n < TERMS)
                todo[n++] = o->in[i];
        if (seen && api && api->kind == LW_API_LOSS && is_cut(c, o->in[0]) &&
            (t->grad == LW_TRI_NO || (o->in_count == 2 && is_given(c, o->in[1]))))
            ck_find_at(c, o->file, o->node, "training/detached-term", &v, 1,
                       "the prediction in this loss was detached, so the term is a constant "
                       "and trains nothing: remove detach()");
    }
}

static void watch_backward(struct ck *c, const struct ck_event *e)
{
    if (ck_in_loop(c) && !c->frame->guarded)
        check_terms(c, e->a);
    struct loops *l = loops_of(c);
    if (!l)
        return;
    l->went_back = true;
    l->loss = e->a;
}

static void watch_step(struct ck *c, const struct ck_event *e)
{
    struct loops *l = loops_of(c);
    if (!l)
        return;
    l->stepped = true;
    /* A model that was tried on one sample before the loop is not trained with it. */
    if (l->norm_node != LW_NO_NODE && l->went_back && l->norm_loop == outermost_loop(c))
        ck_find_at(
            c, l->norm_file, l->norm_node, "training/batch-of-one", NULL, 0,
            "batch normalisation is trained with one sample at a time, and computes mean and "
            "variance from that sample alone: use larger batches, or another normalisation");
    check_seed(c, e);
    struct ck_object *module =
        e->object ? ck_as(note_of(e->object, NOTE_MODULE), CK_INSTANCE) : NULL;
    if (!module)
        return;
    check_mode(c, e, module);
    check_renewed(c, e, module);
    if (l->went_back)
        check_trained(c, l, e, module);
}

/* ---- schedulers ---------------------------------------------------------------------------
 */

/* CosineAnnealingLR(optimizer, epochs): is the length counted in epochs? */
static bool is_length_in_epochs(const struct ck_object *o)
{
    const struct lw_tree *t = &o->file->tree;
    if (!text_is(text_tail(o->api->name), "CosineAnnealingLR") ||
        lw_tree_kind(t, o->node) != LW_NODE_CALL)
        return false;
    uint32_t first = lw_tree_each(t, o->node, LW_ROLE_ARGS, LW_NO_NODE);
    uint32_t length =
        first == LW_NO_NODE ? first : lw_tree_each(t, o->node, LW_ROLE_ARGS, first);
    uint32_t named = syntax_keyword(t, o->node, LW_S("T_max"));
    struct lw_str text = lw_tree_text(t, named == LW_NO_NODE ? length : named);
    return lw_str_find(text, LW_S("epoch")) != LW_NPOS &&
           lw_str_find(text, LW_S("*")) == LW_NPOS && lw_str_find(text, LW_S("(")) == LW_NPOS;
}

/* Is the function being run called in a loop of its caller: an epoch of training? */
static bool is_called_in_loop(const struct ck *c)
{
    return c->frame->function && c->frame->up && c->frame->up->loop;
}

/* A schedule for epochs that moves with every batch: what is left after a few hundred of them.
 */
static void watch_schedule(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct ck_object *o = ck_as(e->call->self, CK_INSTANCE);
    double gamma = 0, size = 1;
    if (!o || o->of || !o->api ||
        lw_str_find(o->api->name, LW_S("torch.optim.lr_scheduler.")) == LW_NPOS ||
        !text_is(text_tail(e->call->name), "step"))
        return;
    uint32_t loop = syntax_loop_around(t, e->node);
    bool outer = loop != LW_NO_NODE &&
                 (syntax_loop_around(t, loop) != LW_NO_NODE || is_called_in_loop(c));
    struct lw_str kind = text_tail(o->api->name);
    if (outer && syntax_method_call(t, loop, "backward") != LW_NO_NODE && o->file &&
        is_length_in_epochs(o)) {
        ck_find(c, e->node, "training/scheduler-every-batch", NULL, 0,
                "the length of the schedule is given in epochs, but it steps in every batch: "
                "the learning rate swings up and down many times; call step() once per epoch");
        return;
    }
    if (!outer || syntax_method_call(t, loop, "backward") == LW_NO_NODE ||
        (!text_is(kind, "ExponentialLR") && !text_is(kind, "StepLR")) ||
        !ck_number_of(c, ck_config(o, "gamma"), &gamma) || gamma <= 0 || gamma >= 1)
        return;
    if (text_is(kind, "StepLR") && !ck_number_of(c, ck_config(o, "step_size"), &size))
        return;
    if (size < 1 || pow(gamma, floor(300 / size)) > 1e-3)
        return;
    ck_find(c, e->node, "training/scheduler-every-batch", NULL, 0,
            "the scheduler steps in every batch: after 100 batches the learning rate is %.0e "
            "of its initial value; call step() once per epoch",
            pow(gamma, floor(100 / size)));
}

static void make_schedule_out(struct fix *f)
{
    uint32_t own = fix_statement(f, f->node), loop = syntax_loop_around(f->t, f->node);
    if (loop == LW_NO_NODE || lw_tree_parent(f->t, own) != loop ||
        fix_kind(f, own) != LW_NODE_EXPR)
        return;
    fix_say(f, "call scheduler.step() once per epoch");
    fix_move_behind(f, own, loop);
}

/* scheduler.step() in front of optimizer.step(), in the same loop. */
static void watch_schedule_order(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct ck_object *o = ck_as(e->call->self, CK_INSTANCE);
    struct loops *l = loops_of(c);
    if (!l || !o || o->of || !o->api || l->stepped ||
        lw_str_find(o->api->name, LW_S("torch.optim.lr_scheduler.")) == LW_NPOS ||
        !text_is(text_tail(e->call->name), "step"))
        return;
    uint32_t loop = syntax_loop_around(t, e->node);
    if (loop == LW_NO_NODE || syntax_method_call(t, loop, "backward") == LW_NO_NODE)
        return;
    ck_find(c, e->node, "training/scheduler-order", NULL, 0,
            "since PyTorch 1.1 scheduler.step() belongs after optimizer.step(): this order "
            "skips the first value of the schedule");
}

/* The last step() of the loop that is not the schedule's own. */
static void make_schedule_behind(struct fix *f)
{
    uint32_t loop = syntax_loop_around(f->t, f->node), own = fix_statement(f, f->node);
    uint32_t last = LW_NO_NODE;
    for (uint32_t call = f->node; loop != LW_NO_NODE && call != LW_NO_NODE;
         call = syntax_next_call(f->t, loop, call, "step"))
        if (call != f->node)
            last = call;
    uint32_t place =
        last == LW_NO_NODE ? last : fix_in_block_of(f, fix_statement(f, last), own);
    if (place == LW_NO_NODE || fix_kind(f, own) != LW_NODE_EXPR)
        return;
    fix_say(f, "call scheduler.step() after optimizer.step()");
    fix_move_behind(f, own, place);
}

/* ---- patience -----------------------------------------------------------------------------
 */

/* The counters that a loop breaks on, with the place that counts each up: all are found in two
 * walks over the loop, however many there are. */
enum {
    NOT_COUNTED,
    SPOILT,
    FIRST_PLACE
}; /* values of the map; a place is its node + FIRST_PLACE */

/* name += 1 or name = name + 1. */
static bool is_increment(const struct lw_tree *t, uint32_t s, struct lw_str name)
{
    if (lw_tree_kind(t, s) == LW_NODE_AUG_ASSIGN)
        return lw_tree_node(t, s)->op == LW_OP_ADD &&
               lw_str_eq(lw_tree_text(t, lw_tree_get(t, s, LW_ROLE_TARGET)), name);
    uint32_t value = lw_tree_get(t, s, LW_ROLE_VALUE);
    return value != LW_NO_NODE && lw_tree_kind(t, value) == LW_NODE_BIN_OP &&
           lw_tree_node(t, value)->op == LW_OP_ADD &&
           lw_str_eq(lw_tree_text(t, lw_tree_get(t, s, LW_ROLE_TARGETS)), name) &&
           lw_str_eq(lw_tree_text(t, lw_tree_get(t, value, LW_ROLE_LEFT)), name);
}

/* The statement assigns to the target: counters in it have their one place, or are spoilt. */
static void note_target(const struct lw_tree *t, uint32_t s, uint32_t target,
                        struct lw_map *counters)
{
    for (uint32_t n = target; n != LW_NO_NODE; n = lw_tree_next(t, target, n, false)) {
        struct lw_map_entry *e = lw_tree_kind(t, n) == LW_NODE_NAME
                                     ? lw_map_find(counters, lw_tree_name(t, n))
                                     : NULL;
        if (e)
            e->value = e->value == NOT_COUNTED && is_increment(t, s, e->key)
                           ? (uint64_t)s + FIRST_PLACE
                           : SPOILT;
    }
}

static void note_assignments(const struct lw_tree *t, uint32_t loop, struct lw_map *counters)
{
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false)) {
        if (lw_tree_kind(t, n) == LW_NODE_AUG_ASSIGN)
            note_target(t, n, lw_tree_get(t, n, LW_ROLE_TARGET), counters);
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN)
            continue;
        for (uint32_t target = lw_tree_each(t, n, LW_ROLE_TARGETS, LW_NO_NODE);
             target != LW_NO_NODE; target = lw_tree_each(t, n, LW_ROLE_TARGETS, target))
            note_target(t, n, target, counters);
    }
}

/* What assigns to a side of an `if`'s comparison inside it: the first and another one. */
struct renewed {
    uint32_t branch;
    uint32_t first, other;
};

static struct renewed find_renewed(const struct lw_tree *t, uint32_t branch)
{
    struct renewed r = {branch, LW_NO_NODE, LW_NO_NODE};
    uint32_t test = lw_tree_kind(t, branch) == LW_NODE_IF ? lw_tree_get(t, branch, LW_ROLE_TEST)
                                                          : LW_NO_NODE;
    if (test == LW_NO_NODE || lw_tree_kind(t, test) != LW_NODE_COMPARE)
        return r;
    struct lw_str left = lw_tree_text(t, lw_tree_get(t, test, LW_ROLE_LEFT));
    struct lw_str right = lw_tree_text(t, lw_tree_get(t, test, LW_ROLE_COMPARATORS));
    for (uint32_t n = branch; n != LW_NO_NODE && r.other == LW_NO_NODE;
         n = lw_tree_next(t, branch, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN)
            continue;
        struct lw_str target = lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS));
        if (lw_str_eq(target, left) || lw_str_eq(target, right))
            *(r.first == LW_NO_NODE ? &r.first : &r.other) = n;
    }
    return r;
}

/* The `if` whose two branches are "better" and "count": it compares a value with the best one
 * so far, which the other branch sets. `r` keeps what is known of the last `if`. */
static bool is_judged(const struct lw_tree *t, uint32_t increment, struct renewed *r)
{
    uint32_t up = lw_tree_parent(t, increment);
    if (lw_tree_kind(t, up) == LW_NODE_ELIF)
        up = lw_tree_parent(t, up);
    if (r->branch != up)
        *r = find_renewed(t, up);
    return (r->first != LW_NO_NODE && r->first != increment) || r->other != LW_NO_NODE;
}

/* Counters of bad epochs that good ones do not reset. */
static void report_counters(struct ck *c, const struct lw_map *counters)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct renewed r = {LW_NO_NODE, LW_NO_NODE, LW_NO_NODE};
    for (size_t i = 0; i < counters->n; i++) {
        const struct lw_map_entry *e = &counters->entries[i];
        uint32_t increment = (uint32_t)(e->value - FIRST_PLACE);
        if (e->value >= FIRST_PLACE && is_judged(t, increment, &r))
            ck_find(c, increment, "training/patience-not-reset", NULL, 0,
                    "'%.*s' counts bad epochs, but an improvement does not reset it: training "
                    "stops after that many bad epochs in total; set it to 0 when the best "
                    "value improves",
                    LW_F(e->key));
    }
}

/* The name in `if name > …: … break`; empty: it is something else. */
static struct lw_str broken_on(const struct lw_tree *t, uint32_t n)
{
    uint32_t test =
        lw_tree_kind(t, n) == LW_NODE_IF ? lw_tree_get(t, n, LW_ROLE_TEST) : LW_NO_NODE;
    if (test == LW_NO_NODE || lw_tree_kind(t, test) != LW_NODE_COMPARE)
        return (struct lw_str){0};
    uint32_t left = lw_tree_get(t, test, LW_ROLE_LEFT);
    bool breaks = false;
    for (uint32_t s = lw_tree_each(t, n, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, n, LW_ROLE_BODY, s))
        breaks |= lw_tree_kind(t, s) == LW_NODE_BREAK;
    return breaks && lw_tree_kind(t, left) == LW_NODE_NAME ? lw_tree_name(t, left)
                                                           : (struct lw_str){0};
}

/* The counter is set back where the best value is renewed. */
static void make_reset(struct fix *f)
{
    bool plain = fix_kind(f, f->node) == LW_NODE_AUG_ASSIGN;
    uint32_t target = lw_tree_get(f->t, f->node, plain ? LW_ROLE_TARGET : LW_ROLE_TARGETS);
    uint32_t up = lw_tree_parent(f->t, f->node);
    if (fix_kind(f, up) == LW_NODE_ELIF)
        up = lw_tree_parent(f->t, up);
    uint32_t test =
        fix_kind(f, up) == LW_NODE_IF ? lw_tree_get(f->t, up, LW_ROLE_TEST) : LW_NO_NODE;
    if (fix_kind(f, test) != LW_NODE_COMPARE || target == LW_NO_NODE)
        return;
    struct lw_str sides[2] = {fix_text(f, lw_tree_get(f->t, test, LW_ROLE_LEFT)),
                              fix_text(f, lw_tree_get(f->t, test, LW_ROLE_COMPARATORS))};
    for (uint32_t n = up; n != LW_NO_NODE; n = lw_tree_next(f->t, up, n, false)) {
        if (n == f->node || fix_kind(f, n) != LW_NODE_ASSIGN)
            continue;
        struct lw_str to = fix_text(f, lw_tree_get(f->t, n, LW_ROLE_TARGETS));
        if (!lw_str_eq(to, sides[0]) && !lw_str_eq(to, sides[1]))
            continue;
        fix_say(f, "reset '%.*s' to 0 when the best value improves", LW_F(fix_text(f, target)));
        fix_line_behind(f, n, ck_text(f->c, "%.*s = 0", LW_F(fix_text(f, target))));
        return;
    }
}

static void watch_patience(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (e->flag)
        return;
    struct lw_map counters;
    lw_map_init(&counters, c->mem);
    for (uint32_t n = lw_tree_next(t, e->node, e->node, false); n != LW_NO_NODE;
         n = lw_tree_next(t, e->node, n, false)) {
        struct lw_str name = broken_on(t, n);
        if (name.n && !lw_map_put(&counters, name, NULL))
            goto out; /* out of memory: what is not known is not reported */
    }
    if (counters.n) {
        note_assignments(t, e->node, &counters);
        report_counters(c, &counters);
    }
out:
    lw_map_release(&counters);
}

const struct ck_rule rules_training_loop[] = {
    {NULL, CK_EV_CALL, watch_optimizer,
     .calls = "@optimizer"}, /* notes that other files need, too */
    {"training/scheduler-order", CK_EV_CALL, watch_schedule_order, .calls = ".step"},
    {"training/scheduler-every-batch", CK_EV_CALL, watch_schedule, make_schedule_out,
     .calls = ".step"},
    {"training/seed-in-loop", CK_EV_CALL, watch_seed,
     .calls = ".manual_seed .seed .set_random_seed .set_seed"},
    {"training/batch-of-one", CK_EV_LAYER, watch_norm},
    {"training/batch-of-one training/detached-term training/optimizer-misses-layer",
     CK_EV_BACKWARD, watch_backward},
    {"training/batch-of-one training/eval-mode training/model-in-loop "
     "training/optimizer-misses-layer training/scheduler-order training/seed-in-loop",
     CK_EV_STEP, watch_step},
    {"training/patience-not-reset", CK_EV_LOOP, watch_patience, make_reset},
    {"training/eval-mode", .fix = make_train_mode},
    {"training/scheduler-order", .fix = make_schedule_behind},
    {"training/seed-in-loop", .fix = fix_once_before_loop},
    {0},
};
