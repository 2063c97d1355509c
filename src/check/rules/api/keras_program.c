/*
 * Rules about programs of Keras as a whole: layers that are made in each call, models that are
 * read without the classes they need, data that never ends, one optimizer for two models.
 */
#include "base/str.h"
#include "check/models/models.h"
#include "check/models/traits.h"
#include "check/query/calls.h"
#include "check/query/look.h"
#include "check/query/notes.h"
#include "check/query/program.h"
#include "check/query/submodules.h"
#include "check/rules/rules.h"

/* ---- layers made in call() and forward() ----------------------------------------------------
 */

/* Is the new layer called at once, or kept only in a variable of the function? */
static bool is_not_kept(const struct lw_tree *t, uint32_t made)
{
    uint32_t up = lw_tree_parent(t, made);
    if (lw_tree_kind(t, up) == LW_NODE_CALL && lw_tree_get(t, up, LW_ROLE_FUNC) == made)
        return true;
    return lw_tree_kind(t, up) == LW_NODE_ASSIGN &&
           lw_tree_kind(t, lw_tree_get(t, up, LW_ROLE_TARGETS)) == LW_NODE_NAME;
}

static void watch_layer(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *made = ck_as(e->value, CK_INSTANCE), *f = c->frame->function;
    const struct ck_object *self = ck_as(c->frame->self, CK_INSTANCE);
    if (!made || !f || !f->of || !self || !self->of || made->node != e->node ||
        e->call->self.kind == CK_INSTANCE || !submodules_is_weighty(made) ||
        !is_not_kept(&c->frame->file->tree, e->node))
        return;
    bool keras = text_is(f->name, "call"), torch = text_is(f->name, "forward");
    if ((!keras || made->api->framework == LW_TORCH) &&
        (!torch || made->api->framework != LW_TORCH || !ck_is_torch_module(c, self)))
        return;
    ck_find(c, e->node, "training/layer-in-call", NULL, 0,
            "the layer is created again in each call of %.*s(), so its weights are never "
            "trained: create it in __init__() and call it here",
            LW_F(f->name));
}

/* Is the function one that @tf.function makes a graph of? */
static bool is_traced(const struct lw_tree *t, uint32_t function)
{
    for (uint32_t d = lw_tree_each(t, function, LW_ROLE_DECORATORS, LW_NO_NODE);
         d != LW_NO_NODE; d = lw_tree_each(t, function, LW_ROLE_DECORATORS, d)) {
        uint32_t what =
            lw_tree_kind(t, d) == LW_NODE_CALL ? lw_tree_get(t, d, LW_ROLE_FUNC) : d;
        if (text_is(lw_tree_text(t, what), "tf.function"))
            return true;
    }
    return false;
}

/* w = tf.Variable(…) in a tf.function, w = self.add_weight(…) in call(): kept in no attribute.
 */
static void watch_variable(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct lw_str name = syntax_called_name(t, e->node);
    bool weight = text_is(name, "add_weight"), variable = text_is(name, "Variable");
    uint32_t f = lw_tree_enclosing(t, e->node, LW_NODE_FUNCTION);
    uint32_t s = lw_tree_statement(t, e->node);
    if ((!weight && !variable) || lw_tree_kind(t, s) != LW_NODE_ASSIGN ||
        lw_tree_kind(t, lw_tree_get(t, s, LW_ROLE_TARGETS)) != LW_NODE_NAME ||
        !text_is(lw_tree_text(t, lw_tree_get(t, e->node, LW_ROLE_FUNC)),
                 weight ? "self.add_weight" : "tf.Variable"))
        return;
    bool traced = variable && is_traced(t, f);
    if (traced || (weight && text_is(lw_tree_name(t, f), "call")))
        ck_find(c, e->node, "training/layer-in-call", NULL, 0,
                "the variable is created again in each call of %.*s(), so it is never "
                "trained%s: create it once, %s",
                LW_F(lw_tree_name(t, f)), traced ? ", and tf.function raises an error" : "",
                traced ? "before the function" : "in build()");
}

/* ---- models that are read -------------------------------------------------------------------
 */

struct loaded {
    struct ck_file *file;
    uint32_t node; /* the first load_model() without custom_objects; 0: none */
    bool compiles; /* it compiles the model again */
    bool own_loss; /* a model was compiled with functions of the program */
};

static const char loaded_key;

static bool is_single_file(struct lw_value path)
{
    static const char *const ends[] = {".h5", ".hdf5", ".keras"};
    for (size_t i = 0; path.kind == LW_V_STR && path.str.p && i < 3; i++)
        if (lw_str_has_suffix(path.str, lw_str(ends[i])))
            return true;
    return false;
}

static void watch_load(struct ck *c, const struct ck_event *e)
{
    struct loaded *l = ck_state(c, &loaded_key, sizeof *l);
    if (!l || l->file || !lw_str_has_suffix(e->call->name, LW_S(".load_model")) ||
        ck_arg(e->call, 1, "custom_objects").kind != LW_V_ABSENT || c->frame->guarded ||
        !is_single_file(ck_arg(e->call, 0, "filepath")))
        return;
    l->file = c->frame->file;
    l->node = e->node;
    l->compiles = ck_truth(c, ck_arg(e->call, 2, "compile")) != LW_TRI_NO;
}

static void watch_compiled(struct ck *c, const struct ck_event *e)
{
    struct loaded *l = ck_state(c, &loaded_key, sizeof *l);
    if (l && model_trait(e->object, MODEL_LOSS).kind == CK_FUNCTION)
        l->own_loss = true;
}

/* Can the model that is read have been made with the class? Not if it is defined below. */
static bool is_before(const struct ck_object *o, const struct loaded *l)
{
    const struct lw_tree *t = &l->file->tree;
    return o->file != l->file ||
           lw_tree_enclosing(t, l->node, LW_NODE_FUNCTION) != LW_NO_NODE ||
           lw_tree_start(t, o->node) < lw_tree_start(t, l->node);
}

/* A layer class of the program that is used, and that Keras was not told about. */
static const struct ck_object *own_layer(struct ck *c, const struct loaded *l)
{
    for (size_t i = 0; i < c->defined.n; i++) {
        const struct ck_object *o = c->defined.v[i];
        if (o->kind == CK_CLASS && o->called && o->file && o->file->index == 0 &&
            is_before(o, l) &&
            lw_tree_get(&o->file->tree, o->node, LW_ROLE_DECORATORS) == LW_NO_NODE &&
            ck_is_a(c, ck_value(c->defined.v[i]), "keras.layers.Layer") &&
            !ck_is_a(c, ck_value(c->defined.v[i]), "keras.Model"))
            return o;
    }
    return NULL;
}

static void watch_loaded(struct ck *c, const struct ck_event *e)
{
    static const char *const told[] = {"get_custom_objects", "custom_object_scope",
                                       "CustomObjectScope", "register_keras_serializable"};
    static const char *const saved[] = {"save", "ModelCheckpoint", "save_model"};
    const struct loaded *l = ck_state(c, &loaded_key, sizeof *l);
    (void)e;
    if (!l || !l->file || program_calls(c, told, 4) || !program_calls(c, saved, 3))
        return;
    const struct ck_object *layer = own_layer(c, l);
    if (!layer && !(l->own_loss && l->compiles))
        return;
    if (layer)
        ck_find_at(c, l->file, l->node, "api/custom-objects", NULL, 0,
                   "load_model() does not know the layer class '%.*s' of this program: pass "
                   "custom_objects, or register the class",
                   LW_F(layer->name));
    else
        ck_find_at(c, l->file, l->node, "api/custom-objects", NULL, 0,
                   "load_model() does not know the loss function of this program: pass "
                   "custom_objects, or compile=False");
}

/* ---- data without an end --------------------------------------------------------------------
 */

static bool is_endless(struct lw_value set)
{
    const struct ck_object *o = ck_as(set, CK_INSTANCE);
    struct lw_value v = o ? model_trait(o, DATA_ENDLESS) : lw_v_absent();
    return v.kind == LW_V_BOOL && v.tri == LW_TRI_YES;
}

/* Is it the call of a generator of the program that never ends: while True: … yield? */
static bool is_endless_generator(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (lw_tree_kind(t, node) == LW_NODE_NAME)
        node = places_assigned(c, c->frame->file, node);
    if (lw_tree_kind(t, node) != LW_NODE_CALL ||
        lw_tree_kind(t, lw_tree_get(t, node, LW_ROLE_FUNC)) != LW_NODE_NAME)
        return false;
    struct places_list made =
        places_of(c, c->frame->file, PLACES_FUNCTION, calls_name(t, node));
    bool loops = false, yields = false;
    for (uint32_t n = made.n == 1 ? made.v[0] : LW_NO_NODE; n != LW_NO_NODE;
         n = lw_tree_next(t, made.v[0], n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if (kind == LW_NODE_RETURN || kind == LW_NODE_BREAK || kind == LW_NODE_CLASS)
            return false;
        yields |= kind == LW_NODE_YIELD;
        loops |= kind == LW_NODE_WHILE &&
                 (text_is(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TEST)), "True") ||
                  text_is(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TEST)), "1"));
    }
    return loops && yields;
}

static bool is_spread(const struct ck_call *call)
{
    for (size_t i = 0; i < call->n; i++)
        if (call->args[i].star)
            return true;
    return false;
}

/* fit(dataset, batch_size=32): a data set has its batches. */
static void watch_batches(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *set = ck_as(ck_arg(e->call, 0, "x"), CK_INSTANCE);
    struct lw_value size = ck_arg(e->call, SIZE_MAX, "batch_size");
    if (!set || set->of || !set->api || size.kind == LW_V_ABSENT || size.kind == LW_V_NONE ||
        c->frame->guarded || !ck_is_a(c, ck_arg(e->call, 0, "x"), "tensorflow.data.Dataset"))
        return;
    ck_find(c, e->node, "api/batch-size-of-dataset", NULL, 0,
            "batch_size cannot be combined with a tf.data.Dataset, which is batched by its own "
            "batch(): remove batch_size");
}

static void watch_endless(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    bool fits = text_is(text_tail(e->call->name), "fit");
    static const char *const names[] = {"fit", "evaluate", "predict"};
    if (is_spread(e->call) || c->frame->guarded ||
        !text_is_any(text_tail(e->call->name), names, 3))
        return;
    const char *steps = fits ? "steps_per_epoch" : "steps";
    struct lw_value given = ck_arg(e->call, SIZE_MAX, steps);
    bool ends = given.kind != LW_V_ABSENT && given.kind != LW_V_NONE;
    struct lw_value check = ck_arg(e->call, SIZE_MAX, "validation_data");
    struct lw_value check_steps = ck_arg(e->call, SIZE_MAX, "validation_steps");
    if (!ends && (is_endless(ck_arg(e->call, 0, "x")) ||
                  is_endless_generator(c, program_argument(t, e->node, "x", 0))))
        ck_find(c, e->node, "training/endless-data", NULL, 0,
                "the data repeats without end, so the %s never ends: pass %s",
                fits ? "first epoch" : "evaluation", steps);
    else if (fits && check_steps.kind == LW_V_ABSENT && is_endless(check))
        ck_find(c, e->node, "training/endless-data", NULL, 0,
                "the validation data repeats without end, so the validation never ends: pass "
                "validation_steps");
}

/* ---- one optimizer for two models -----------------------------------------------------------
 */

/* The model of model.trainable_variables inside the arguments of the call. */
static struct lw_value trained_model(struct ck *c, uint32_t call)
{
    static const char *const weights[] = {"trainable_variables", "trainable_weights"};
    const struct lw_tree *t = &c->frame->file->tree;
    for (uint32_t n = lw_tree_next(t, call, call, false); n != LW_NO_NODE;
         n = lw_tree_next(t, call, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ATTRIBUTE &&
            text_is_any(lw_tree_name(t, n), weights, 2))
            return ck_eval(c, lw_tree_get(t, n, LW_ROLE_VALUE));
    return lw_v_absent();
}

static void watch_optimizer(struct ck *c, const struct ck_event *e)
{
    struct ck_object *optimizer = ck_as(e->call->self, CK_INSTANCE);
    if (!optimizer || optimizer->of || !text_is(text_tail(e->call->name), "apply_gradients"))
        return;
    const struct ck_object *model = ck_as(trained_model(c, e->node), CK_INSTANCE);
    struct lw_value before = note_of(optimizer, NOTE_TRAINS);
    const struct ck_object *first = ck_as(before, CK_INSTANCE);
    if (!model || model->undone)
        return;
    if (!first) {
        note_set(c, optimizer, NOTE_TRAINS, ck_value((struct ck_object *)model));
        return;
    }
    if (first == model || first->undone || !ck_is_certain(c))
        return;
    ck_blame(c, c->frame->call_place);
    ck_find(c, e->node, "training/shared-optimizer", NULL, 0,
            "this optimizer already trains another model and keeps state for its variables: "
            "create one optimizer for each model");
}

const struct ck_rule rules_api_keras_program[] = {
    {"training/layer-in-call", CK_EV_CALL, watch_layer},
    {"training/layer-in-call", CK_EV_CALL, watch_variable},
    {"api/batch-size-of-dataset", CK_EV_FIT | CK_EV_PREDICT, watch_batches},
    {"api/custom-objects", CK_EV_CALL, watch_load},
    {"api/custom-objects", CK_EV_COMPILE, watch_compiled},
    {"api/custom-objects", CK_EV_END, watch_loaded},
    {"training/endless-data", CK_EV_FIT | CK_EV_PREDICT, watch_endless},
    {"training/shared-optimizer", CK_EV_CALL, watch_optimizer},
    {0},
};
