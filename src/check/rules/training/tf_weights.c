/*
 * Rules about weights of TensorFlow and Keras that training does not reach: those of Lambda
 * layers and losses, the averages of batch normalisation, and optimisers that are thrown away.
 */
#include "base/str.h"
#include "check/models/models.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/query/notes.h"
#include "check/rules/rules.h"

/* ---- weights nobody knows of --------------------------------------------------------------
 */

/* The innermost function around that Keras calls for a Lambda layer or as a loss; NULL: none.
 */
static struct ck_object *wrapped(struct ck *c)
{
    for (const struct ck_frame *f = c->frame; f; f = f->up)
        if (f->function && model_trait(f->function, FUNCTION_WRAPPED).kind == LW_V_STR)
            return f->function;
    return NULL;
}

static bool is_off(struct lw_value v)
{
    return v.kind == LW_V_BOOL && v.tri == LW_TRI_NO;
}

/* A number, or values that are drawn: what a weight begins with. Data is a constant in
 * disguise.
 */
static bool is_start(struct ck *c, struct lw_value v)
{
    static const char *const makers[] = {"random_normal",  "truncated_normal",
                                         "random_uniform", "normal",
                                         "uniform",        "zeros",
                                         "ones",           "randn",
                                         "rand",           "glorot_uniform",
                                         "random"};
    double x;
    if (v.kind == LW_V_TENSOR)
        return lineage_made_by(c, v, makers, sizeof makers / sizeof *makers) != NULL;
    return ck_number_of(c, v, &x);
}

static bool makes_variable(struct ck *c, const struct ck_event *e)
{
    bool tf = lw_str_eq(e->call->name, LW_S("tensorflow.Variable"));
    bool keras = lw_str_eq(e->call->name, LW_S("keras.backend.variable"));
    const struct lw_tree *t = &c->frame->file->tree;
    if ((!tf && !keras) || is_off(ck_arg(e->call, 1, "trainable")) ||
        !is_start(c, ck_slot_value(e->call, tf ? "initial_value" : "value")))
        return false;
    return lw_str_find(lw_tree_text(t, e->node), LW_S("ariable(")) != LW_NPOS;
}

static bool learns(const struct ck_object *o)
{
    static const char *const roles[] = {"dense", "conv", "recurrent", "embedding"};
    return o->api && !o->of && lw_str_has_prefix(o->api->name, LW_S("keras.layers.")) &&
           text_is_any(lw_api_fact(o->api, "role"), roles, 4);
}

static void report_untracked(struct ck *c, uint32_t node, bool lambda)
{
    ck_find(c, node, "training/untracked-weight", NULL, 0, "%s",
            lambda
                ? "a Lambda layer does not track weights: this one does not belong to the "
                  "model and is never trained; write a layer class, or call the layer outside"
                : "a loss function does not track weights: this one is created again in each "
                  "call and never trained; make it a weight of a layer");
}

/* A weight or layer is made where nobody keeps it. */
static void watch_made(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *made = ck_as(e->value, CK_INSTANCE);
    bool layer =
        made && e->call->self.kind != CK_INSTANCE && made->node == e->node && learns(made);
    if (!layer && !makes_variable(c, e))
        return;
    struct ck_object *f = wrapped(c);
    if (!f || note_of(f, NOTE_TOLD).kind != LW_V_ABSENT)
        return;
    report_untracked(c, e->node, text_is(model_trait(f, FUNCTION_WRAPPED).str, "lambda"));
    note_set(c, f, NOTE_TOLD, lw_v_tri(LW_TRI_YES));
}

enum { MAX_STEPS = 64, MAX_DEPTH = 24 };

struct search {
    struct lw_value from; /* what the Lambda layer gets */
    unsigned steps;
    bool found;
};

static bool is_input(struct ck *c, struct lw_value x, struct lw_value v)
{
    struct lw_seq seq;
    if (x.kind == LW_V_TENSOR)
        return x.tensor->id == v.tensor->id;
    if (x.kind != CK_INSTANCE && ck_sequence(c, x, &seq))
        for (uint32_t i = 0; i < seq.n; i++)
            if (seq.items[i].kind == LW_V_TENSOR && seq.items[i].tensor->id == v.tensor->id)
                return true;
    return false;
}

/* Is a weight that was made outside among what the result was computed from? */
static void search_weights(struct ck *c, struct search *s, struct lw_value v, unsigned depth)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    if (v.kind != LW_V_TENSOR || !o || s->found || depth > MAX_DEPTH ||
        ++s->steps > MAX_STEPS || is_input(c, s->from, v))
        return;
    if (text_is(o->op, "tensorflow.Variable")) {
        s->found = v.tensor->variable == LW_TRI_YES && o->in_count && is_start(c, o->in[0]);
        return;
    }
    if (o->layer && learns(o->layer) && !is_off(ck_field(c, o->layer, "trainable"))) {
        s->found = true;
        return;
    }
    for (uint32_t i = 0; i < o->in_count; i++)
        search_weights(c, s, o->in[i], depth + 1);
}

static void watch_lambda(struct ck *c, const struct ck_event *e)
{
    if (!e->object->api || e->object->of || !e->call->n ||
        !lw_str_eq(e->object->api->name, LW_S("keras.layers.Lambda")) ||
        ck_shows(c, "name GradientTape"))
        return;
    struct search s = {.from = e->call->args[0].value};
    const struct ck_object *f = ck_as(ck_config(e->object, "function"), CK_FUNCTION);
    if (s.from.kind == LW_V_UNKNOWN || !f || note_of(f, NOTE_TOLD).kind != LW_V_ABSENT)
        return;
    search_weights(c, &s, e->value, 0);
    if (s.found)
        report_untracked(c, e->node, true);
}

/* ---- averages of batch normalisation ------------------------------------------------------
 */

struct norms {
    struct ck_file *file;
    uint32_t node; /* the first; 0 with `file` NULL: none */
    const struct ck_object *graph;
};

static const char norms_key;

static void watch_norm(struct ck *c, const struct ck_event *e)
{
    struct norms *s = ck_state(c, &norms_key, sizeof *s);
    struct lw_value training = ck_slot_value(e->call, "training");
    if (!s || !lw_str_eq(e->call->name, LW_S("tensorflow.layers.batch_normalization")) ||
        training.kind == LW_V_ABSENT || is_off(training) || s->file)
        return;
    s->file = c->frame->file;
    s->node = e->node;
    s->graph = ck_current_graph(c);
}

/* get_collection(UPDATE_OPS) asks the graph that is the default one now. */
static void watch_collection(struct ck *c, const struct ck_event *e)
{
    struct norms *s = ck_state(c, &norms_key, sizeof *s);
    const struct lw_tree *t = &c->frame->file->tree;
    if (!s || !s->file || !s->graph ||
        !lw_str_eq(e->call->name, LW_S("tensorflow.get_collection")) ||
        lw_str_find(lw_tree_text(t, e->node), LW_S("UPDATE_OPS")) == LW_NPOS ||
        ck_current_graph(c)) /* another model, in a graph of its own */
        return;
    ck_find(c, e->node, "training/norm-not-updated", NULL, 0,
            "the network is in another graph, and UPDATE_OPS of the default graph is empty, so "
            "the moving averages are never updated: read it inside 'with graph.as_default():'");
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    static const char *const done[] = {"name UPDATE_OPS", "name *update_ops*",
                                       "name create_train_op", "name optimize_loss",
                                       "name *extra_update*"};
    const struct norms *s = ck_state(c, &norms_key, sizeof *s);
    (void)e;
    if (!s || !s->file || !ck_shows(c, "call .minimize") || !ck_shows(c, "call *Session") ||
        ck_shows_any(c, done, sizeof done / sizeof *done))
        return;
    ck_find_at(c, s->file, s->node, "training/norm-not-updated", NULL, 0,
               "nothing runs tf.GraphKeys.UPDATE_OPS, so the moving averages of this layer "
               "never change: create the training op under tf.control_dependencies() of them");
}

/* ---- compiled in each pass ----------------------------------------------------------------
 */

static bool says_any(struct lw_str text, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lw_str_find(text, lw_str(words[i])) != LW_NPOS)
            return true;
    return false;
}

/* The first `owner.name(…)` of the loop; LW_NO_NODE: none. */
static uint32_t call_of(const struct lw_tree *t, uint32_t loop, struct lw_str owner,
                        const char *name)
{
    for (uint32_t n = syntax_method_call(t, loop, name); n != LW_NO_NODE;
         n = syntax_next_call(t, loop, n, name)) {
        uint32_t at = syntax_owner(t, n);
        if (at != LW_NO_NODE && lw_str_eq(lw_tree_text(t, at), owner))
            return n;
    }
    return LW_NO_NODE;
}

static bool is_assigned(const struct lw_tree *t, uint32_t loop, struct lw_str name)
{
    for (uint32_t n = loop; n != LW_NO_NODE; n = lw_tree_next(t, loop, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        uint32_t target = kind == LW_NODE_ASSIGN ? lw_tree_get(t, n, LW_ROLE_TARGETS)
                          : kind == LW_NODE_FOR  ? lw_tree_get(t, n, LW_ROLE_TARGET)
                                                 : LW_NO_NODE;
        if (target != LW_NO_NODE && syntax_has_name(t, target, name))
            return true;
    }
    return false;
}

/* for …: model.compile(…); model.fit(…): the weights go on, the optimiser begins anew. */
static void watch_loop(struct ck *c, const struct ck_event *e)
{
    static const char *const staged[] = {"trainable", "set_weights", "load_weights",
                                         "clone_model", "load_model"};
    const struct lw_tree *t = &c->frame->file->tree;
    enum lw_node_kind kind = lw_tree_kind(t, e->node);
    if (!e->flag || (kind != LW_NODE_FOR && kind != LW_NODE_WHILE))
        return;
    uint32_t compile = syntax_method_call(t, e->node, "compile");
    uint32_t owner = compile == LW_NO_NODE ? compile : syntax_owner(t, compile);
    if (owner == LW_NO_NODE || lw_tree_kind(t, owner) != LW_NODE_NAME ||
        syntax_loop_around(t, compile) != e->node ||
        says_any(lw_tree_text(t, e->node), staged, sizeof staged / sizeof *staged))
        return;
    struct lw_str name = lw_tree_name(t, owner);
    uint32_t fit = call_of(t, e->node, name, "fit");
    if (fit == LW_NO_NODE)
        fit = call_of(t, e->node, name, "train_on_batch");
    if (fit == LW_NO_NODE || is_assigned(t, e->node, name) ||
        !syntax_has_keyword(t, compile, "optimizer"))
        return;
    ck_find(c, compile, "training/compile-in-loop", NULL, 0,
            "compile() in each iteration keeps the weights but resets the optimizer: compile "
            "before the loop, or create a new model in each iteration");
}

const struct ck_rule rules_training_tf_weights[] = {
    {"training/untracked-weight", CK_EV_CALL, watch_made},
    {"training/untracked-weight", CK_EV_LAYER, watch_lambda},
    {"training/compile-in-loop training/norm-not-updated training/untracked-weight", CK_EV_CALL,
     watch_norm, .calls = ".batch_normalization"},
    {"training/norm-not-updated", CK_EV_CALL, watch_collection, .calls = ".get_collection"},
    {"training/compile-in-loop", CK_EV_LOOP, watch_loop},
    {"training/norm-not-updated", CK_EV_END, watch_end},
    {0},
};
