/* Rules about weights that are kept where a new model should begin: over the folds of an
 * evaluation, and from one model of a loop to the next. */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* The loop over folds that is being run. */
struct folds {
    struct ck_file *file;
    uint32_t node;
    uint32_t made; /* objects that there were before */
};

static const char folds_key;

/* for train, test in KFold(…).split(x), also inside enumerate(). */
static bool goes_over_folds(struct ck *c, uint32_t loop)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t iter =
        lw_tree_kind(t, loop) == LW_NODE_FOR ? lw_tree_get(t, loop, LW_ROLE_ITER) : LW_NO_NODE;
    uint32_t owner = iter == LW_NO_NODE ? iter : syntax_owner(t, iter);
    if (owner == LW_NO_NODE ||
        !text_is(lw_tree_name(t, lw_tree_get(t, iter, LW_ROLE_FUNC)), "split")) {
        uint32_t call = iter == LW_NO_NODE ? iter : syntax_method_call(t, iter, "split");
        owner = call == LW_NO_NODE ? call : syntax_owner(t, call);
    }
    if (owner == LW_NO_NODE)
        return false;
    const struct ck_object *o = ck_as(ck_eval(c, owner), CK_INSTANCE);
    struct lw_str name = o && !o->of && o->api ? text_tail(o->api->name) : (struct lw_str){0};
    return lw_str_has_suffix(name, LW_S("Fold")) ||
           lw_str_has_suffix(name, LW_S("ShuffleSplit"));
}

static void watch_folds(struct ck *c, const struct ck_event *e)
{
    struct folds *f = ck_state(c, &folds_key, sizeof *f);
    if (!f)
        return;
    if (e->flag && !f->file && goes_over_folds(c, e->node))
        *f = (struct folds){c->frame->file, e->node, c->objects};
    else if (!e->flag && f->file == c->frame->file && f->node == e->node)
        f->file = NULL;
}

static bool says(const struct folds *f, const char *const *words, size_t n)
{
    struct lw_str text = lw_tree_text(&f->file->tree, f->node);
    for (size_t i = 0; i < n; i++)
        if (lw_str_find(text, lw_str(words[i])) != LW_NPOS)
            return true;
    return false;
}

/* What was made before the loop is trained in it, and nothing sets it back. */
static void watch_shared(struct ck *c, const struct ck_event *e)
{
    static const char *const back[] = {
        "set_weights", "load_weights",    "clone_model", "load_model", "reset",
        "Reset",       "load_state_dict", ".apply(",     "init",       "deepcopy"};
    static const char *const judged[] = {".evaluate(", ".predict(", "validation_data",
                                         ".eval()",    "no_grad",   "score",
                                         "accuracy"};
    struct folds *f = ck_state(c, &folds_key, sizeof *f);
    if (!f || !f->file || !e->object || e->object->id > f->made || e->object->id == 0 ||
        says(f, back, sizeof back / sizeof *back) ||
        !says(f, judged, sizeof judged / sizeof *judged))
        return;
    ck_find(c, e->node, "training/model-across-folds", NULL, 0,
            "the %s is created before the loop over the folds: from the second fold on it has "
            "already been trained on its test data; create a new one for each fold",
            e->kind == CK_EV_STEP          ? "optimizer"
            : e->kind == CK_EV_SESSION_RUN ? "session"
                                           : "model");
}

/* The same for the variables of a session. */
static void watch_session(struct ck *c, const struct ck_event *e)
{
    struct lw_seq seq;
    bool trains = ck_as(e->a, CK_INSTANCE) != NULL;
    if (e->a.kind != LW_V_TENSOR && !trains && ck_sequence(c, e->a, &seq))
        for (uint32_t i = 0; i < seq.n; i++)
            trains |= ck_as(seq.items[i], CK_INSTANCE) != NULL;
    if (trains && e->object)
        watch_shared(c, e);
}

/* ---- new models of old layers -------------------------------------------------------------
 */

enum { MAX_LOOPS = 8 };

/* Loops that are being run, with the objects that there were before. */
struct loops {
    struct {
        const struct ck_file *file;
        uint32_t node, made;
    } v[MAX_LOOPS];
    size_t n;
};

static const char loops_key;

static void watch_loop(struct ck *c, const struct ck_event *e)
{
    struct loops *s = ck_state(c, &loops_key, sizeof *s);
    if (!s)
        return;
    while (!e->flag && s->n && s->v[s->n - 1].node != e->node)
        s->n--;
    if (!e->flag && s->n)
        s->n--;
    if (!e->flag || s->n == MAX_LOOPS)
        return;
    s->v[s->n].file = c->frame->file;
    s->v[s->n].node = e->node;
    s->v[s->n++].made = c->objects;
}

/* Sequential(layers) in a loop, where the layers were made before it: each model goes on with
 * the weights of the one before. */
static void watch_old_layers(struct ck *c, const struct ck_event *e)
{
    struct loops *s = ck_state(c, &loops_key, sizeof *s);
    struct ck_object *list = ck_as(ck_trait(e->object, TRAIT_ITEMS), CK_LIST);
    struct lw_seq seq;
    size_t old = 0;
    if (!s || !s->n || !list || e->object->of || !ck_sequence(c, ck_value(list), &seq) ||
        seq.open || e->object->id <= s->v[s->n - 1].made ||
        s->v[s->n - 1].file != c->frame->file)
        return;
    for (uint32_t i = 0; i < seq.n; i++) {
        const struct ck_object *o = ck_as(seq.items[i], CK_INSTANCE);
        if (!o || o->of || !o->api || ck_trait(o, TRAIT_ITEMS).kind != LW_V_ABSENT ||
            model_trait(o, MODEL_LAYERS).kind != LW_V_ABSENT ||
            lw_str_has_prefix(o->api->name, LW_S("keras.applications.")) ||
            ck_field(c, o, "trainable").kind != LW_V_ABSENT)
            return;
        struct lw_str role = lw_api_fact(o->api, "role");
        if (!text_is(role, "dense") && !text_is(role, "conv") && !text_is(role, "recurrent"))
            continue;
        if (o->id > s->v[s->n - 1].made)
            return;
        old++;
    }
    if (old > 1 && e->object->file == c->frame->file)
        ck_find(
            c, e->object->node, "training/layers-across-models", NULL, 0,
            "the layers are created before the loop and keep their weights: this model starts "
            "with the weights of the previous one; create new layers for each model");
}

const struct ck_rule rules_training_across_models[] = {
    {"training/model-across-folds", CK_EV_LOOP, watch_folds},
    {"training/model-across-folds", CK_EV_FIT | CK_EV_STEP, watch_shared},
    {"training/model-across-folds", CK_EV_SESSION_RUN, watch_session},
    {"training/layers-across-models", CK_EV_LOOP, watch_loop},
    {"training/layers-across-models", CK_EV_FIT, watch_old_layers},
    {0},
};
