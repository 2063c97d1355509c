/* Rules about Keras models: the order in which they are compiled, trained, used and saved. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/models/traits.h"
#include "check/models/versions.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- compile and fit ----------------------------------------------------------------------
 */

static bool is_loaded(struct ck *c, const struct ck_object *o)
{
    (void)c;
    return !o->api || o->open;
}

static void watch_fit(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = e->object;
    if (model_trait(o, MODEL_COMPILED).kind != LW_V_ABSENT || is_loaded(c, o) ||
        (o->of && ck_class_member(c, o->of, LW_S("compile"), NULL).kind != LW_V_ABSENT) ||
        (o->of && ck_class_member(c, o->of, LW_S("fit"), NULL).kind != LW_V_ABSENT) ||
        c->frame->guarded)
        return;
    /* Compiled somewhere that was not followed? */
    for (size_t i = 0; i < c->files.n; i++)
        if (o->of && lw_str_find(c->files.v[i]->code, LW_S(".compile(")) != LW_NPOS)
            return;
    ck_find(c, e->node, "api/fit-before-compile", NULL, 0,
            "the model is not compiled: call compile() before fit()");
}

/* layer.trainable = True after compile(): it takes effect only when compiled again. */
static void watch_frozen(struct ck *c, const struct ck_event *e)
{
    struct lw_value compiled = model_trait(e->object, MODEL_COMPILED);
    if (compiled.kind != LW_V_BOOL || compiled.tri != LW_TRI_YES || c->frame->guarded ||
        lw_str_find(e->call->name, LW_S(".fit")) < 0 ||
        !ck_is_unsettled(c, ck_value(e->object), 0))
        return;
    ck_find(c, e->node, "api/compile-after-freeze", NULL, 0,
            "'trainable' of a layer was changed after compile() and has no effect until the "
            "model is compiled again: call compile() after the change");
}

/* model.save('name') since Keras 3. */
static void watch_save(struct ck *c, const struct ck_event *e)
{
    static const char *const known[] = {".keras", ".h5", ".hdf5"};
    struct lw_value path = ck_slot_value(e->call, "filepath");
    int v[2];
    if (!lw_str_has_prefix(e->call->name, LW_S("keras.")) ||
        !lw_str_has_suffix(e->call->name, LW_S(".save")) || path.kind != LW_V_STR ||
        !path.str.p || !ck_version_of(c, LW_S("keras"), v) || v[0] < 3)
        return;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lw_str_has_suffix(path.str, lw_str(known[i])))
            return;
    ck_find(c, e->node, "api/save-extension", NULL, 0,
            "Keras 3 saves only to '.keras' or '.h5' files, not to '%.*s': add the extension, "
            "or use export() to write a SavedModel",
            LW_F(path.str));
}

static void make_save_extension(struct fix *f)
{
    uint32_t name = fix_argument(f, f->node, "filepath", 0);
    if (fix_kind(f, name) != LW_NODE_STRING ||
        lw_str_find_char(lw_tree_text(f->t, name), '.') >= 0)
        return;
    fix_say(f, "save to a '.keras' file");
    fix_insert(f, lw_tree_end(f->t, name) - 1, LW_S(".keras"));
}

/* ---- threads ------------------------------------------------------------------------------
 */

/* TensorFlow 1: the default graph belongs to a thread; a model is run in another one. */
static void watch_thread(struct ck *c, const struct ck_event *e)
{
    int v[2];
    bool threaded = false;
    for (size_t i = 0; i < c->contexts.n; i++) {
        const struct ck_object *o = ck_as(c->contexts.v[i].value, CK_INSTANCE);
        if (!o)
            continue;
        threaded |= lw_str_eq(o->name, LW_S("threading.Thread"));
        if (threaded && lw_str_find(lw_tree_text(&c->frame->file->tree, c->contexts.v[i].node),
                                    LW_S("as_default")) >= 0)
            return;
    }
    if (!threaded || !ck_version_of(c, LW_S("tensorflow"), v) || v[0] != 1 ||
        ck_current_graph(c))
        return;
    for (size_t i = 0; i < c->contexts.n; i++)
        if (c->contexts.v[i].value.kind == LW_V_UNKNOWN)
            return;
    ck_find(c, e->node, "api/thread-graph", NULL, 0,
            "the model is used in another thread, which has its own default graph: wrap the "
            "call in 'with graph.as_default():'");
}

/* ---- keras and tf.keras -------------------------------------------------------------------
 */

static int family(struct lw_str spelt)
{
    if (lw_str_has_prefix(spelt, LW_S("keras.")))
        return 1;
    if (lw_str_has_prefix(spelt, LW_S("tensorflow.keras.")) ||
        lw_str_has_prefix(spelt, LW_S("tensorflow.python.keras.")))
        return 2;
    return 0;
}

static void watch_mixture(struct ck *c, const struct ck_event *e)
{
    struct ck_object *model = ck_as(e->call->self, CK_INSTANCE);
    struct ck_object *layer = ck_as(ck_arg(e->call, 0, "layer"), CK_INSTANCE);
    if (!lw_str_has_suffix(e->call->name, LW_S(".add")) || !model || !layer)
        return;
    int a = family(model->spelt), b = family(layer->spelt);
    if (a && b && a != b)
        ck_find(c, e->node, "api/mixed-keras", NULL, 0,
                "the model comes from '%.*s' and the layer from '%.*s': keras and tf.keras "
                "cannot be mixed; import both from one of them",
                LW_F(model->spelt), LW_F(layer->spelt));
}

/* Is `keras` the first word of the import's module? */
static uint32_t keras_token(const struct fix *f, uint32_t import)
{
    uint32_t first, end;
    if (fix_kind(f, import) == LW_NODE_IMPORT_FROM) {
        if (lw_tree_import_module(f->t, import, &first, &end) > 0 || first == end)
            return LW_NO_TOKEN;
    } else {
        return LW_NO_TOKEN;
    }
    return lw_str_eq(lw_tree_token_text(f->t, first), LW_S("keras")) ? first : LW_NO_TOKEN;
}

/* Every import of keras becomes one of tensorflow.keras. */
static void make_one_keras(struct fix *f)
{
    const struct lw_tree *t = f->t;
    fix_say(f, "import everything from tensorflow.keras");
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t token = keras_token(f, n);
        if (token != LW_NO_TOKEN)
            fix_insert(f, t->lexed.tokens.v[token].start, LW_S("tensorflow."));
        if (fix_kind(f, n) != LW_NODE_ALIAS ||
            fix_kind(f, lw_tree_parent(t, n)) != LW_NODE_IMPORT ||
            !lw_str_has_prefix(lw_tree_text(t, n), LW_S("keras")))
            continue;
        uint32_t import = lw_tree_parent(t, n);
        bool named = lw_tree_alias_end(t, n) <= lw_tree_node(t, n)->last; /* as K */
        if (named)
            fix_insert(f, lw_tree_start(t, n), LW_S("tensorflow."));
        else if (lw_tree_count(t, import, LW_ROLE_NAMES) == 1)
            fix_node(f, import, LW_S("from tensorflow import keras"));
        else
            f->failed = true;
    }
}

/* ---- layers that cannot be saved ----------------------------------------------------------
 */

static void watch_lambda(struct ck *c, const struct ck_event *e)
{
    const struct lw_dict *d;
    if (!lw_str_eq(e->call->name, LW_S("keras.layers.Lambda")) ||
        !ck_pairs(ck_slot_value(e->call, "arguments"), &d))
        return;
    for (uint32_t i = 0; i < d->n; i++)
        if (d->values[i].kind == LW_V_TENSOR && (d->values[i].tensor->framework == LW_TF ||
                                                 d->values[i].tensor->framework == LW_KERAS)) {
            ck_find(c, e->node, "api/unserialisable-layer", &d->values[i], 1,
                    "the arguments of the Lambda layer contain tensors, so the model cannot be "
                    "saved: use plain numbers, or write a layer class");
            return;
        }
}

const struct ck_rule rules_api_keras[] = {
    {"api/fit-before-compile", CK_EV_FIT, watch_fit},
    {"api/compile-after-freeze", CK_EV_FIT, watch_frozen},
    {"api/save-extension", CK_EV_CALL, watch_save, make_save_extension, .calls = ".save"},
    {"api/thread-graph", CK_EV_PREDICT, watch_thread},
    {"api/mixed-keras", CK_EV_CALL, watch_mixture, make_one_keras, .calls = ".add"},
    {"api/unserialisable-layer", CK_EV_CALL, watch_lambda, .calls = "keras.layers.Lambda"},
    {0},
};
