/* Rules about Keras and TensorFlow programs. */
#include "base/str.h"
#include "check/lib.h"
#include "check/model_view.h"
#include "check/look.h"
#include "check/rules.h"
#include "check/versions.h"

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
    if (ck_field(c, o, "(compiled)").kind != LW_V_ABSENT || is_loaded(c, o) ||
        (o->of && ck_class_member(c, o->of, LW_S("compile"), NULL).kind != LW_V_ABSENT) ||
        (o->of && ck_class_member(c, o->of, LW_S("fit"), NULL).kind != LW_V_ABSENT) ||
        c->frame->guarded)
        return;
    /* Compiled somewhere that was not followed? */
    for (size_t i = 0; i < c->files.n; i++)
        if (o->of && lw_str_find(c->files.v[i]->source.text, LW_S(".compile(")) != LW_NPOS)
            return;
    ck_find(c, e->node, "api/fit-before-compile", NULL, 0,
            "the model is trained but never compiled: call compile() before fit()");
}

/* layer.trainable = True after compile(): it takes effect only when compiled again. */
static void watch_frozen(struct ck *c, const struct ck_event *e)
{
    struct lw_value compiled = ck_field(c, e->object, "(compiled)");
    if (compiled.kind != LW_V_BOOL || compiled.tri != LW_TRI_YES || c->frame->guarded ||
        lw_str_find(e->call->name, LW_S(".fit")) < 0 ||
        !ck_is_unsettled(c, ck_value(e->object), 0))
        return;
    ck_find(c, e->node, "api/compile-after-freeze", NULL, 0,
            "'trainable' of a layer was changed after compile(): it takes effect only when the "
            "model is compiled again");
}

/* Predictions for samples that come in another order than their labels. */
static void watch_shuffled(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = ck_arg(e->call, 0, "x");
    if (x.kind == LW_V_ABSENT)
        x = ck_arg(e->call, 0, "generator");
    struct ck_object *o = ck_as(x, CK_INSTANCE);
    struct lw_value shuffles = o ? ck_field(c, o, "(shuffles)") : lw_v_absent();
    if (lw_str_find(e->call->name, LW_S(".predict")) < 0 || shuffles.kind != LW_V_BOOL ||
        shuffles.tri != LW_TRI_YES)
        return;
    ck_hint(c, (struct ck_hint){.object = o});
    ck_find(c, e->node, "api/predict-shuffled", NULL, 0,
            "the generator shuffles (shuffle=True is its default): the predictions come in "
            "another order than the labels; make it with shuffle=False");
}

/* metrics=['accuracy'] with binary_crossentropy on several classes counts every column. */
static void watch_accuracy(struct ck *c, const struct ck_event *e)
{
    struct lw_value loss = ck_field(c, e->object, "(loss)");
    struct lw_value metrics = ck_field(c, e->object, "(metrics)");
    struct lw_value out = ck_field(c, e->object, "(output)");
    struct lw_seq seq;
    int64_t n;
    bool accuracy = false;
    if (loss.kind != LW_V_STR || !lw_str_eq(loss.str, LW_S("binary_crossentropy")) ||
        out.kind != LW_V_TENSOR || !lw_shape_has_rank(&out.tensor->shape) ||
        out.tensor->shape.n < 2 || !ck_sequence(c, metrics, &seq) ||
        !lw_dim_is_int(c->dims, out.tensor->shape.d[out.tensor->shape.n - 1], &n) || n < 3 ||
        !lw_str_eq(mv_last_activation(c, out), LW_S("softmax")))
        return;
    for (uint32_t i = 0; i < seq.n; i++)
        accuracy |=
            seq.items[i].kind == LW_V_STR && (lw_str_eq(seq.items[i].str, LW_S("accuracy")) ||
                                              lw_str_eq(seq.items[i].str, LW_S("acc")));
    if (accuracy)
        ck_find(c, e->node, "api/binary-accuracy", &out, 1,
                "with binary_crossentropy 'accuracy' counts each of the %lld columns as a "
                "yes/no answer and comes out far too high; use categorical_crossentropy",
                (long long)n);
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
            "Keras 3 saves only to '.keras' or '.h5' files, this is '%.*s'; to make a "
            "SavedModel use export()",
            LW_F(path.str));
}

/* A tf.data set whose elements are single samples. */
static void watch_unbatched(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = ck_arg(e->call, 0, "x");
    struct ck_object *o = ck_as(x, CK_INSTANCE);
    struct lw_seq seq;
    if (!o || ck_field(c, o, "(unbatched)").kind != LW_V_BOOL ||
        ck_field(c, o, "(unbatched)").tri != LW_TRI_YES)
        return;
    struct lw_value element = ck_field(c, o, "(element)");
    if (element.kind != LW_V_TUPLE || !ck_sequence(c, element, &seq) || seq.n < 2 ||
        seq.items[1].kind != LW_V_TENSOR || !lw_shape_has_rank(&seq.items[1].tensor->shape) ||
        seq.items[1].tensor->shape.n > 0)
        return;
    ck_find(c, e->node, "type/unbatched-dataset", &seq.items[1], 1,
            "the data set yields single samples: call batch() before it goes to the model");
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
    ck_find(
        c, e->node, "api/thread-graph", NULL, 0,
        "the model runs in another thread than it was made in, which has a default graph of "
        "its own; wrap the call in 'with graph.as_default():'");
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
                "the model is made by '%.*s', the layer by '%.*s': objects of keras and "
                "tf.keras do not work together",
                LW_F(model->spelt), LW_F(layer->spelt));
}

/* ---- logits and probabilities -------------------------------------------------------------
 */

/* A loss that wants logits and gets what was activated already. */
static void watch_loss(struct ck *c, const struct ck_event *e)
{
    const struct ck_call *call = e->call;
    const struct lw_api *api = call->api ? call->api : e->object ? e->object->api : NULL;
    if (!api || api->kind != LW_API_LOSS)
        return;
    struct lw_str wants = lw_api_fact(api, "wants");
    if (e->kind == CK_EV_CALL && api->side[LW_API_CALL].present && !e->object)
        return; /* only made; the call comes as LAYER */
    struct lw_value input = lw_v_absent();
    static const char *const names[] = {"input", "logits", "y_pred", "output", "predictions"};
    for (size_t i = 0; i < sizeof names / sizeof *names && input.kind == LW_V_ABSENT; i++)
        input = ck_slot_value(call, names[i]);
    struct lw_value from_logits =
        e->object ? ck_config(e->object, "from_logits") : ck_slot_value(call, "from_logits");
    bool logits = lw_str_eq(wants, LW_S("logits")) ||
                  (from_logits.kind == LW_V_BOOL && from_logits.tri == LW_TRI_YES);
    struct lw_str act = mv_last_activation(c, input);
    const struct ck_origin *last = ck_origin_of(c, look_through(c, input));
    if (lw_str_eq(wants, LW_S("log-probabilities")) && last &&
        (lw_str_eq(act, LW_S("softmax")) || lw_str_eq(act, LW_S("sigmoid"))))
        ck_find_at(c, last->file, last->node, "architecture/logits-into-probability-loss",
                   &input, 1,
                   "the loss takes logarithms of probabilities: use log_softmax before it, or "
                   "cross-entropy, which takes logits");
    if (!logits || !act.n ||
        (e->object && ck_field(c, e->object, "(doubled)").kind != LW_V_ABSENT))
        return;
    if (lw_str_eq(act, LW_S("softmax")))
        ck_find(c, e->node, "architecture/double-softmax", &input, 1,
                "the loss applies a softmax of its own to what is a softmax already: give it "
                "the values before the activation");
    else if (lw_str_eq(act, LW_S("sigmoid")))
        ck_find(c, e->node, "architecture/double-sigmoid", &input, 1,
                "the loss applies a sigmoid of its own to what is a sigmoid already: give it "
                "the values before the activation");
}

/* Which activation the loss of a compiled model applies again; empty: none. */
static struct lw_str doubled(struct ck *c, struct ck_object *model)
{
    struct lw_value loss = ck_field(c, model, "(loss)");
    const struct lw_api *api = mv_entry(c, loss, "loss");
    const struct ck_object *o = ck_as(loss, CK_INSTANCE);
    struct lw_value from_logits = o ? ck_config(o, "from_logits") : lw_v_absent();
    bool logits = (api && lw_str_eq(lw_api_fact(api, "wants"), LW_S("logits"))) ||
                  (from_logits.kind == LW_V_BOOL && from_logits.tri == LW_TRI_YES);
    struct mv_output out = {0};
    if (logits)
        out = mv_output_of(c, mv_of_model(c, model));
    return out.known && (lw_str_eq(out.activation, LW_S("softmax")) ||
                         lw_str_eq(out.activation, LW_S("sigmoid")))
               ? out.activation
               : (struct lw_str){0};
}

/* The same for compile(loss=…). The loss is told, so that the training does not say it again.
 */
static void watch_compiled_loss(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = ck_as(ck_field(c, e->object, "(loss)"), CK_INSTANCE);
    struct lw_str act = c->frame->guarded ? (struct lw_str){0} : doubled(c, e->object);
    if (!act.n || (o && ck_field(c, o, "(doubled)").kind != LW_V_ABSENT))
        return;
    if (o)
        ck_set_field(c, o, "(doubled)", lw_v_tri(LW_TRI_YES));
    ck_find(c, e->node,
            lw_str_eq(act, LW_S("softmax")) ? "architecture/double-softmax"
                                            : "architecture/double-sigmoid",
            NULL, 0,
            "the loss applies a %.*s of its own to what is a %.*s already: leave the last "
            "layer linear, or take a loss of probabilities",
            LW_F(act), LW_F(act));
}

/* softmax(softmax(x)), also as a layer behind a layer. */
static void watch_activation(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *api = e->call->api ? e->call->api : e->object ? e->object->api : NULL;
    if (!api || (e->object && e->object->of))
        return;
    struct lw_str own = lw_api_fact(api, "activation");
    if (!lw_str_eq(own, LW_S("softmax")) || e->value.kind != LW_V_TENSOR)
        return;
    const struct ck_origin *o = ck_origin_of(c, e->value);
    if (!o || o->in_count == 0)
        return;
    if (lw_str_eq(mv_last_activation(c, o->in[0]), LW_S("softmax")))
        ck_find(c, e->node, "architecture/double-softmax", &o->in[0], 1,
                "softmax of a softmax: the probabilities become nearly equal");
}

/* ---- layers that cannot be saved ----------------------------------------------------------
 */

static void watch_lambda(struct ck *c, const struct ck_event *e)
{
    const struct lw_dict *d;
    if (!lw_str_eq(e->call->name, LW_S("keras.layers.Lambda")) ||
        !ck_pairs(ck_slot_value(e->call, "arguments"), &d))
        return;
    if (!ck_mentions(c, "ModelCheckpoint") && !ck_mentions(c, ".save("))
        return;
    for (uint32_t i = 0; i < d->n; i++)
        if (d->values[i].kind == LW_V_TENSOR && (d->values[i].tensor->framework == LW_TF ||
                                                 d->values[i].tensor->framework == LW_KERAS)) {
            ck_find(
                c, e->node, "api/unserialisable-layer", &d->values[i], 1,
                "the arguments of the Lambda layer hold tensors: the model cannot be saved; "
                "use plain numbers, or a layer of its own class");
            return;
        }
}

const struct ck_rule ck_rules_keras[] = {
    {CK_EV_FIT, watch_fit},
    {CK_EV_FIT, watch_unbatched},
    {CK_EV_FIT, watch_frozen},
    {CK_EV_PREDICT, watch_shuffled},
    {CK_EV_COMPILE, watch_accuracy},
    {CK_EV_CALL, watch_save},
    {CK_EV_PREDICT, watch_thread},
    {CK_EV_CALL, watch_mixture},
    {CK_EV_CALL | CK_EV_LAYER, watch_loss},
    {CK_EV_CALL | CK_EV_LAYER, watch_activation},
    {CK_EV_COMPILE | CK_EV_FIT, watch_compiled_loss},
    {CK_EV_CALL, watch_lambda},
    {0, NULL},
};
