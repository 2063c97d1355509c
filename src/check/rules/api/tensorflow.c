/* Rules about sessions, graphs and variables of TensorFlow 1, and names that moved. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/models/module.h"
#include "check/models/traits.h"
#include "check/models/versions.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/query/places.h"
#include "check/rules/rules.h"

/* ---- sessions -----------------------------------------------------------------------------
 */

struct session {
    bool initialised;
    uint32_t run; /* the first that is no initialiser */
    struct ck_file *file;
    uint32_t init_in_loop; /* an initialiser run in a loop */
    uint32_t init_loop;
};

static const char session_key;

static bool is_initialiser(struct ck *c, struct lw_value v)
{
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    struct lw_value op = o ? model_trait(o, GRAPH_OP) : lw_v_absent();
    struct lw_seq seq;
    if (!o && ck_sequence(c, v, &seq)) {
        for (uint32_t i = 0; i < seq.n; i++)
            if (is_initialiser(c, seq.items[i]))
                return true;
        return false;
    }
    return op.kind == LW_V_STR && lw_str_find(op.str, LW_S("initial")) != LW_NPOS &&
           lw_str_find(op.str, LW_S("local")) == LW_NPOS;
}

/* A loop over folds or repetitions: each begins anew on purpose. */
static bool repeats_training(const struct ck *c, uint32_t loop)
{
    static const char *const words[] = {"fold",       "Fold",   ".split(", "trial",
                                        "experiment", "repeat", "seed",    "runs"};
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t iter = lw_tree_get(t, loop, LW_ROLE_ITER);
    uint32_t target = lw_tree_get(t, loop, LW_ROLE_TARGET);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((iter != LW_NO_NODE &&
             lw_str_find(lw_tree_text(t, iter), lw_str(words[i])) != LW_NPOS) ||
            (target != LW_NO_NODE &&
             lw_str_find(lw_tree_text(t, target), lw_str(words[i])) != LW_NPOS))
            return true;
    return false;
}

static void watch_session(struct ck *c, const struct ck_event *e)
{
    struct session *s = ck_state(c, &session_key, sizeof *s);
    struct ck_loop *loop = c->frame->loop;
    if (!s)
        return;
    if (!s->file) {
        s->file = c->frame->file;
        s->run = s->init_in_loop = s->init_loop = LW_NO_NODE;
    }
    if (is_initialiser(c, e->a)) {
        s->initialised = true;
        bool own = loop && e->object && e->object->id > loop->born; /* each pass has its own */
        if (loop && !own && !repeats_training(c, loop->node)) {
            s->init_in_loop = e->node;
            s->init_loop = loop->node;
        }
        return;
    }
    if (e->a.kind != LW_V_UNKNOWN && s->run == LW_NO_NODE) {
        s->run = e->node;
        s->file = c->frame->file;
    }
    /* A training step in the loop that also runs the initialiser. */
    for (struct ck_loop *l = loop; l; l = l->up)
        if (l->node == s->init_loop && s->init_in_loop != LW_NO_NODE && s->run != LW_NO_NODE) {
            ck_find(
                c, s->init_in_loop, "api/init-in-loop", NULL, 0,
                "the variables are initialised again in each iteration of the training loop, "
                "which resets the weights: run the initializer once, before the loop");
            s->init_in_loop = LW_NO_NODE;
            return;
        }
}

/* Initialisers that the program makes and never runs: init = tf.global_variables_initializer(),
 * and no more of `init`. Those of local variables do not count. */
static bool makes_initialiser(struct ck *c, bool *runs)
{
    static const char *const makers[] = {"global_variables_initializer",
                                         "initialize_all_variables"};
    const struct lw_tree *t = &c->files.v[0]->tree;
    bool made = false;
    *runs = c->files.n > 1;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t f =
            lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC) : LW_NO_NODE;
        if (f == LW_NO_NODE || lw_tree_kind(t, f) != LW_NODE_ATTRIBUTE ||
            !text_is_any(lw_tree_name(t, f), makers, 2))
            continue;
        made = true;
        *runs |= !syntax_is_never_read(t, n);
    }
    return made;
}

/* sess.run([v.initializer for v in …]) */
static bool initialises_each(struct ck *c)
{
    for (size_t k = 0; k < c->files.n; k++) {
        struct ck_file *f = c->files.v[k];
        struct places_list all = places_of(c, f, PLACES_ATTRIBUTE, LW_S("initializer"));
        for (size_t i = 0; i < all.n; i++) {
            enum lw_node_kind up = lw_tree_kind(&f->tree, lw_tree_parent(&f->tree, all.v[i]));
            if (up == LW_NODE_LIST_COMP || up == LW_NODE_GENERATOR)
                return true;
        }
    }
    return false;
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct session *s = ck_state(c, &session_key, sizeof *s);
    bool runs = false;
    (void)e;
    if (!s || !s->file || s->initialised || s->run == LW_NO_NODE)
        return;
    bool made = makes_initialiser(c, &runs);
    if (runs ||
        (!made &&
         (ck_shows(c, "name *variables_initializer") || ck_shows(c, "name initialize_all*"))) ||
        initialises_each(c))
        return;
    ck_find_at(c, s->file, s->run, "api/variables-not-initialised", NULL, 0,
               "the session runs, but its variables are never initialised: run "
               "tf.global_variables_initializer() first");
}

static void make_initialised(struct fix *f)
{
    struct lw_str owner = fix_text(f, syntax_owner(f->t, f->node));
    struct lw_str name = fix_spell(f, LW_S("tensorflow.global_variables_initializer"));
    uint32_t loop = fix_outer_loop(f, f->node);
    if (!owner.n || !name.n || lw_str_find(f->t->lexed.text, LW_S(".initializer")) >= 0)
        return;
    fix_say(f, "run %.*s() first", LW_F(name));
    fix_line_before(f, loop == LW_NO_NODE ? fix_statement(f, f->node) : loop,
                    ck_text(f->c, "%.*s.run(%.*s())", LW_F(owner), LW_F(name)));
}

/* ---- graphs -------------------------------------------------------------------------------
 */

static void check_graph(struct ck *c, struct lw_value fetch, const struct ck_object *graph,
                        uint32_t node, unsigned depth)
{
    const struct ck_origin *o = ck_origin_of(c, fetch);
    struct lw_seq seq;
    if (fetch.kind != LW_V_TENSOR) {
        if (depth < 4 && fetch.kind != CK_INSTANCE && ck_sequence(c, fetch, &seq))
            for (uint32_t i = 0; i < seq.n; i++)
                check_graph(c, seq.items[i], graph, node, depth + 1);
        return;
    }
    if (!o || fetch.tensor->framework != LW_TF || !o->graph || o->graph == graph)
        return;
    ck_find(c, node, "api/other-graph", &fetch, 1,
            "the tensor belongs to another graph than the session: create the session with "
            "tf.Session(graph=…)");
}

/* A session without a graph of its own runs the default one. */
static void watch_graph(struct ck *c, const struct ck_event *e)
{
    struct lw_value graph = e->object ? model_trait(e->object, SESSION_GRAPH) : lw_v_absent();
    if (graph.kind == LW_V_ABSENT || graph.kind == LW_V_UNKNOWN)
        return;
    check_graph(c, e->a, ck_as(graph, CK_INSTANCE), e->node, 0);
}

/* ---- variables of optimisers --------------------------------------------------------------
 */

struct late {
    bool made;     /* an initialiser of all variables, after which nothing was added… */
    bool run;      /* …and it was run */
    bool trained;  /* an optimiser with variables of its own came after it was made */
    uint32_t node; /* the optimiser */
    struct ck_file *file;
};

static const char late_key;

static bool has_slots(struct ck *c, const struct ck_object *o)
{
    static const char *const plain[] = {"tensorflow.train.GradientDescentOptimizer", NULL};
    struct lw_value v = {.kind = CK_INSTANCE, .opaque = o};
    return o->api && o->api->kind == LW_API_OPTIMIZER && !ck_is_a_any(c, v, plain);
}

static void watch_late(struct ck *c, const struct ck_event *e)
{
    struct late *l = ck_state(c, &late_key, sizeof *l);
    struct lw_str name = e->call->name;
    if (!l)
        return;
    if (lw_str_find(name, LW_S("variables_initializer")) >= 0 ||
        lw_str_find(name, LW_S("initialize_all_variables")) >= 0) {
        *l = (struct late){.made = true};
        return;
    }
    const struct ck_object *o = ck_as(e->call->self, CK_INSTANCE);
    if (!l->made || !l->run || !o || !lw_str_has_suffix(name, LW_S(".minimize")) ||
        !has_slots(c, o) || l->trained)
        return;
    l->trained = true;
    l->node = e->node;
    l->file = c->frame->file;
}

static void watch_late_run(struct ck *c, const struct ck_event *e)
{
    struct late *l = ck_state(c, &late_key, sizeof *l);
    const struct ck_object *o = ck_as(e->a, CK_INSTANCE);
    if (!l)
        return;
    if (is_initialiser(c, e->a)) {
        l->run = true;
        return;
    }
    struct lw_value op = o ? model_trait(o, GRAPH_OP) : lw_v_absent();
    if (!l->trained || op.kind != LW_V_STR || !lw_str_has_suffix(op.str, LW_S(".minimize")))
        return;
    ck_find_at(c, l->file, l->node, "api/init-before-optimizer", NULL, 0,
               "the optimizer creates variables here, after the initializer has run, and they "
               "stay uninitialised: build the training op before running the initializer");
    l->trained = false;
}

/* ---- placeholders in eager mode -----------------------------------------------------------
 */

static void watch_placeholder(struct ck *c, const struct ck_event *e)
{
    int v[2];
    if (!lw_str_eq(e->call->name, LW_S("tensorflow.placeholder")) || c->frame->guarded ||
        ck_current_graph(c) || ck_is_driven(c))
        return;
    if (!ck_version_of(c, LW_S("tensorflow"), v) || v[0] < 2)
        return;
    ck_find(c, e->node, "api/placeholder-eager", NULL, 0,
            "TensorFlow 2 runs eagerly: placeholder() works only inside a graph ('with "
            "tf.Graph().as_default():') or after tf.compat.v1.disable_eager_execution()");
}

/* Graphs as in TensorFlow 1, from the line behind the import on. */
static void make_graph_mode(struct fix *f)
{
    const struct lw_tree *t = f->t;
    struct lw_str name = fix_spell(f, LW_S("tensorflow"));
    for (uint32_t s = lw_tree_each(t, t->root, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, t->root, LW_ROLE_BODY, s)) {
        uint32_t alias =
            fix_kind(f, s) == LW_NODE_IMPORT ? lw_tree_get(t, s, LW_ROLE_NAMES) : LW_NO_NODE;
        if (!name.n || !lw_str_eq(fix_name(f, alias), name))
            continue;
        fix_say(f, "disable eager execution");
        fix_line_behind(f, s,
                        ck_text(f->c, "%.*s.compat.v1.disable_eager_execution()", LW_F(name)));
        return;
    }
}

/* ---- names and positions ------------------------------------------------------------------
 */

/* get_tensor_by_name("x") instead of "x:0". */
static void watch_tensor_name(struct ck *c, const struct ck_event *e)
{
    struct lw_value name = ck_arg(e->call, 0, "name");
    if (!lw_str_has_suffix(e->call->name, LW_S("get_tensor_by_name")) ||
        name.kind != LW_V_STR || !name.str.p || lw_str_find_char(name.str, ':') >= 0)
        return;
    ck_find(
        c, e->node, "api/tensor-name", NULL, 0,
        "'%.*s' is the name of an operation; the name of its first output tensor is '%.*s:0'",
        LW_F(name.str), LW_F(name.str));
}

static void make_tensor_name(struct fix *f)
{
    uint32_t name = fix_argument(f, f->node, "name", 0);
    if (fix_kind(f, name) != LW_NODE_STRING)
        return;
    fix_say(f, "add ':0' for the first output of the operation");
    fix_insert(f, lw_tree_end(f->t, name) - 1, LW_S(":0"));
}

/* softmax_cross_entropy_with_logits(a, b): since TensorFlow 1.0 and before 2.0 only named. */
static void watch_cross_entropy(struct ck *c, const struct ck_event *e)
{
    static const char *const before[] = {"name initialize_all_variables", "call tf.mul",
                                         "call tf.sub", "name SummaryWriter", "call tf.pack"};
    int v[2];
    if (!e->call->n || e->call->args[0].name.n || e->call->args[0].star ||
        !lw_str_has_prefix(e->call->name, LW_S("tensorflow.nn.")) ||
        lw_str_find(e->call->name, LW_S("_cross_entropy_with_logits")) < 0 ||
        lw_str_find(e->call->name, LW_S("weighted")) >= 0 || c->frame->guarded)
        return;
    bool known = ck_version_of(c, LW_S("tensorflow"), v);
    if (known ? v[0] != 1
              : !ck_shows(c, "call *placeholder") ||
                    ck_shows_any(c, before, sizeof before / sizeof *before))
        return;
    struct lw_str message = ck_text(
        c, "TensorFlow 1 accepts these arguments only by keyword: write labels=… and logits=…");
    ck_find_as(c, e->node, LW_S("api/positional-logits"),
               known ? LW_SEVERITY_ERROR : LW_SEVERITY_WARNING, NULL, 0, message);
}

/* softmax_cross_entropy_with_logits(a, b): the first were logits, then labels. */
static void make_named_logits(struct fix *f)
{
    uint32_t a = fix_argument(f, f->node, NULL, 0), b = fix_argument(f, f->node, NULL, 1);
    if (a == LW_NO_NODE || b == LW_NO_NODE || fix_argument(f, f->node, NULL, 2) != LW_NO_NODE)
        return;
    fix_say(f, "pass logits= and labels= by keyword");
    fix_around(f, a, "logits=", "");
    fix_around(f, b, "labels=", "");
}

/* ---- batch normalisation ------------------------------------------------------------------
 */

static void watch_batch_norm(struct ck *c, const struct ck_event *e)
{
    struct lw_str name = e->object->name;
    bool contrib = lw_str_has_suffix(name, LW_S("contrib.slim.batch_norm")) ||
                   lw_str_has_suffix(name, LW_S("contrib.layers.batch_norm"));
    if (!contrib)
        return;
    ck_find(c, e->node, "api/batch-norm-mode", NULL, 0,
            "batch_norm runs in training mode unless is_training=False is passed, but this "
            "graph is reused for predictions: pass is_training=False here");
}

/* ---- variables by name --------------------------------------------------------------------
 */

enum { MAX_VARIABLES = 64 };

struct variables {
    struct lw_str name[MAX_VARIABLES];
    const struct ck_object *graph[MAX_VARIABLES];
    size_t n;
};

static const char variables_key;

/* "scope/name"; empty when a scope around has a name that is not known. */
static struct lw_str scoped(struct ck *c, struct lw_str name)
{
    for (size_t i = c->contexts.n; i-- > 0;) {
        const struct ck_object *o = ck_as(c->contexts.v[i].value, CK_INSTANCE);
        if (!o || !o->api || !lw_str_has_suffix(o->api->name, LW_S(".variable_scope"))) {
            if (c->contexts.v[i].value.kind == LW_V_UNKNOWN)
                return (struct lw_str){0};
            continue;
        }
        struct lw_value scope = ck_config(o, "name_or_scope");
        if (scope.kind != LW_V_STR || !scope.str.n)
            return (struct lw_str){0};
        name = ck_text(c, "%.*s/%.*s", LW_F(scope.str), LW_F(name));
    }
    return name;
}

/* get_variable() makes a name once; a function with it that is called twice fails. */
static void watch_variable(struct ck *c, const struct ck_event *e)
{
    struct variables *s = ck_state(c, &variables_key, sizeof *s);
    struct lw_value name = ck_arg(e->call, 0, "name");
    if (!lw_str_eq(e->call->name, LW_S("tensorflow.get_variable")) || !s ||
        name.kind != LW_V_STR || !name.str.n || ck_is_driven(c) || !ck_is_certain(c) ||
        c->frame->guarded)
        return;
    struct lw_str full = scoped(c, name.str);
    const struct ck_object *graph = ck_current_graph(c);
    if (!full.n)
        return;
    for (size_t i = 0; i < s->n; i++)
        if (s->graph[i] == graph && lw_str_eq(s->name[i], full)) {
            ck_find(c, e->node, "api/variable-exists", NULL, 0,
                    "the variable '%.*s' already exists: use another variable scope, or share "
                    "it with reuse=tf.AUTO_REUSE",
                    LW_F(full));
            return;
        }
    if (s->n < MAX_VARIABLES) {
        s->graph[s->n] = graph;
        s->name[s->n++] = full;
    }
}

const struct ck_rule rules_api_tensorflow[] = {
    {"api/batch-norm-mode api/init-before-optimizer api/init-in-loop "
     "api/other-graph api/placeholder-eager api/positional-logits "
     "api/tensor-name api/variable-exists api/variables-not-initialised",
     CK_EV_SESSION_RUN, watch_late_run},
    {"api/batch-norm-mode api/init-before-optimizer api/init-in-loop "
     "api/other-graph api/placeholder-eager api/positional-logits "
     "api/tensor-name api/variable-exists api/variables-not-initialised",
     CK_EV_SESSION_RUN, watch_session},
    {"api/batch-norm-mode api/init-before-optimizer api/init-in-loop "
     "api/other-graph api/placeholder-eager api/positional-logits "
     "api/tensor-name api/variable-exists api/variables-not-initialised",
     CK_EV_SESSION_RUN, watch_graph},
    {"api/batch-norm-mode api/init-before-optimizer api/init-in-loop "
     "api/other-graph api/placeholder-eager api/positional-logits "
     "api/tensor-name api/variable-exists api/variables-not-initialised",
     CK_EV_END, watch_end},
    {"api/batch-norm-mode api/init-before-optimizer api/init-in-loop "
     "api/other-graph api/placeholder-eager api/positional-logits "
     "api/tensor-name api/variable-exists api/variables-not-initialised",
     CK_EV_CALL, watch_late,
     .calls = "*variables_initializer *initialize_all_variables .minimize"},
    {"api/batch-norm-mode api/init-before-optimizer api/init-in-loop "
     "api/other-graph api/placeholder-eager api/positional-logits "
     "api/tensor-name api/variable-exists api/variables-not-initialised",
     CK_EV_CALL, watch_placeholder, .calls = "tensorflow.placeholder"},
    {"api/batch-norm-mode api/init-before-optimizer api/init-in-loop "
     "api/other-graph api/placeholder-eager api/positional-logits "
     "api/tensor-name api/variable-exists api/variables-not-initialised",
     CK_EV_CALL, watch_tensor_name, .calls = "*get_tensor_by_name"},
    {"api/batch-norm-mode api/init-before-optimizer api/init-in-loop "
     "api/other-graph api/placeholder-eager api/positional-logits "
     "api/tensor-name api/variable-exists api/variables-not-initialised",
     CK_EV_CALL, watch_cross_entropy, .calls = "tensorflow.nn.*"},
    {"api/batch-norm-mode api/init-before-optimizer api/init-in-loop "
     "api/other-graph api/placeholder-eager api/positional-logits "
     "api/tensor-name api/variable-exists api/variables-not-initialised",
     CK_EV_NAME, watch_batch_norm},
    {"api/batch-norm-mode api/init-before-optimizer api/init-in-loop "
     "api/other-graph api/placeholder-eager api/positional-logits "
     "api/tensor-name api/variable-exists api/variables-not-initialised",
     CK_EV_CALL, watch_variable, .calls = "tensorflow.get_variable"},
    {"api/positional-logits", .fix = make_named_logits},
    {"api/tensor-name", .fix = make_tensor_name},
    {"api/init-in-loop", .fix = fix_once_before_loop},
    {"api/placeholder-eager", .fix = make_graph_mode},
    {"api/variables-not-initialised", .fix = make_initialised},
    {0},
};
