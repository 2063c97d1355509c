/*
 * Rules about the training of Keras models: weights that it does not reach, or reaches and
 * should not.
 */
#include "base/str.h"
#include "check/lib.h"
#include "check/look.h"
#include "check/model_view.h"
#include "check/rules.h"

/* ---- compiled while frozen ----------------------------------------------------------------
 */

static bool is_off(struct lw_value v)
{
    return v.kind == LW_V_BOOL && v.tri == LW_TRI_NO;
}

static bool is_on(struct lw_value v)
{
    return v.kind == LW_V_BOOL && v.tri == LW_TRI_YES;
}

/* What `trainable` was when compile() looked at it. */
static void watch_compile(struct ck *c, const struct ck_event *e)
{
    bool off = is_off(ck_field(c, e->object, "trainable"));
    ck_set_field(c, e->object, "(frozen)", lw_v_tri(off ? LW_TRI_YES : LW_TRI_NO));
}

static void watch_frozen(struct ck *c, const struct ck_event *e)
{
    if (!is_on(ck_field(c, e->object, "(frozen)")) ||
        !is_off(ck_field(c, e->object, "trainable")) || c->frame->guarded)
        return;
    ck_find(c, e->node, "training/all-frozen", NULL, 0,
            "the model was compiled with trainable=False: nothing of it is trained here; "
            "compile it before it is frozen for another model");
    ck_set_field(c, e->object, "(frozen)", lw_v_tri(LW_TRI_MAYBE)); /* once is enough */
}

/* ---- a discriminator that helps the generator ---------------------------------------------
 */

enum { MAX_PAIRS = 8 };

/* A model, and the compiled one that its output comes from. */
struct pairs {
    struct {
        const struct ck_object *outer, *inner;
        struct ck_file *file;
        uint32_t node;
        bool outer_trained, inner_trained;
    } v[MAX_PAIRS];
    size_t n;
};

static const char pairs_key;

/* The last layer of a Sequential. */
static struct ck_object *last_layer(struct ck *c, const struct ck_object *model)
{
    struct ck_object *list = ck_as(ck_field(c, model, "(items)"), CK_LIST);
    struct lw_seq seq;
    return list && ck_sequence(c, ck_value(list), &seq) && !seq.open && seq.n > 1
               ? ck_as(seq.items[seq.n - 1], CK_INSTANCE)
               : NULL;
}

/* A Sequential that is called runs its layers one by one: the compiled one that ends in
 * `layer`.
 */
static struct ck_object *owner_of(struct ck *c, struct ck_object *layer,
                                  const struct ck_object *but)
{
    for (size_t i = 0; i < c->instances.n; i++) {
        struct ck_object *o = c->instances.v[i];
        if (o != but && o != layer && !o->of && o->api && is_on(ck_field(c, o, "(compiled)")) &&
            last_layer(c, o) == layer)
            return o;
    }
    return layer;
}

/* The model that was compiled before and gives this one its output; NULL: none. */
static struct ck_object *last_model(struct ck *c, struct ck_object *model)
{
    const struct ck_origin *o = ck_origin_of(c, ck_field(c, model, "(output)"));
    struct ck_object *last = last_layer(c, model);
    if (!last && o && o->layer && ck_field(c, model, "(items)").kind == LW_V_ABSENT)
        last = owner_of(c, o->layer, model);
    return last && last != model && is_on(ck_field(c, last, "(compiled)")) ? last : NULL;
}

/* Is any of its layers frozen one by one? */
static bool has_frozen_layer(struct ck *c, struct ck_object *model)
{
    const struct mv_chain *chain = mv_of_model(c, model);
    for (size_t i = 0; chain && i < chain->n; i++)
        if (chain->stage[i].layer && is_off(ck_field(c, chain->stage[i].layer, "trainable")))
            return true;
    return !chain;
}

static void watch_pair(struct ck *c, const struct ck_event *e)
{
    struct pairs *s = ck_state(c, &pairs_key, sizeof *s);
    struct ck_object *inner = last_model(c, e->object);
    struct lw_value on = inner ? ck_field(c, inner, "trainable") : lw_v_absent();
    if (!s || s->n == MAX_PAIRS || !inner || (on.kind != LW_V_ABSENT && !is_on(on)) ||
        has_frozen_layer(c, inner))
        return;
    s->v[s->n].outer = e->object;
    s->v[s->n].inner = inner;
    s->v[s->n].file = c->frame->file;
    s->v[s->n++].node = e->node;
}

/* Both are trained in turns. */
static void watch_turns(struct ck *c, const struct ck_event *e)
{
    struct pairs *s = ck_state(c, &pairs_key, sizeof *s);
    bool in_loop = look_in_loop(c);
    for (size_t i = 0; s && in_loop && i < s->n; i++) {
        struct lw_value now = ck_field(c, s->v[i].inner, "trainable");
        if (e->object == s->v[i].outer && (now.kind == LW_V_ABSENT || is_on(now)))
            s->v[i].outer_trained = true;
        else if (e->object == s->v[i].inner)
            s->v[i].inner_trained = true;
        else
            continue;
        if (s->v[i].outer_trained && s->v[i].inner_trained)
            ck_find_at(
                c, s->v[i].file, s->v[i].node, "training/discriminator-not-frozen", NULL, 0,
                "the last part of this model is trained on its own too: training the whole "
                "undoes what it has learnt; set its trainable to False before this compile()");
    }
}

/* ---- layers behind which the gradient ends ------------------------------------------------
 */

static void watch_cut(struct ck *c, const struct ck_event *e)
{
    struct lw_value out = ck_field(c, e->object, "(output)");
    const struct mv_chain *chain =
        out.kind == LW_V_TENSOR && !c->frame->guarded ? mv_of_tensor(c, out) : NULL;
    for (size_t i = chain ? chain->n : 0; i-- > 0;) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->kind != MV_LEARN)
            continue;
        const struct ck_origin *cut =
            s->out.kind == LW_V_TENSOR ? look_gradient_cut(c, out, s->out) : NULL;
        if (cut)
            ck_find_at(c, cut->file, cut->node, "api/gradient-cut", &out, 1,
                       "the output comes from the layers before only through %.*s, which has "
                       "no gradient: none of them can be trained",
                       LW_F(look_tail(cut->op)));
        return;
    }
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
    struct ck_object *list = ck_as(ck_field(c, e->object, "(items)"), CK_LIST);
    struct lw_seq seq;
    size_t old = 0;
    if (!s || !s->n || !list || e->object->of || !ck_sequence(c, ck_value(list), &seq) ||
        seq.open || e->object->id <= s->v[s->n - 1].made ||
        s->v[s->n - 1].file != c->frame->file)
        return;
    for (uint32_t i = 0; i < seq.n; i++) {
        const struct ck_object *o = ck_as(seq.items[i], CK_INSTANCE);
        if (!o || o->of || !o->api || ck_field(c, o, "(items)").kind != LW_V_ABSENT ||
            ck_field(c, o, "(layers)").kind != LW_V_ABSENT ||
            lw_str_has_prefix(o->api->name, LW_S("keras.applications.")) ||
            ck_field(c, o, "trainable").kind != LW_V_ABSENT)
            return;
        struct lw_str role = lw_api_fact(o->api, "role");
        if (!look_is(role, "dense") && !look_is(role, "conv") && !look_is(role, "recurrent"))
            continue;
        if (o->id > s->v[s->n - 1].made)
            return;
        old++;
    }
    if (old > 1 && e->object->file == c->frame->file)
        ck_find(c, e->object->node, "training/layers-across-models", NULL, 0,
                "the layers were made before the loop, and weights belong to layers: this "
                "model begins where the one before it ended; make new layers for each model");
}

/* ---- a loss of one sample -----------------------------------------------------------------
 */

/* y_pred[0] in a loss of the program: the first axis is the batch. */
static void watch_sample(struct ck *c, const struct ck_event *e)
{
    const struct ck_origin *o = ck_origin_of(c, e->a);
    const struct lw_tensor *t = ck_tensor_of(e->a);
    int64_t at, rows = 0;
    if (!o || !t || !look_is(o->op, "output") || o->in_count || !ck_int_of(c, e->b, &at) ||
        !lw_shape_has_rank(&t->shape) || t->shape.n < 2 ||
        (lw_dim_is_int(c->dims, t->shape.d[0], &rows) && rows < 2) || look_in_loop(c))
        return;
    ck_find(c, e->node, "training/loss-of-one-sample", &e->a, 1,
            "the first axis of what a loss gets is the batch: [%lld] is one sample, and the "
            "others do not count; use [:, %lld] for a column, or a loss for each output",
            (long long)at, (long long)at);
}

/* ---- parameters the wrong way round -------------------------------------------------------
 */

static bool names_any(struct lw_str name, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lw_str_find(name, lw_str(words[i])) != LW_NPOS)
            return true;
    return false;
}

/* def loss(y_pred, y_true), where Keras passes the truth first. It matters where the two are
 * not treated alike. */
static void watch_parameters(struct ck *c, const struct ck_event *e)
{
    static const char *const guessed[] = {"pred", "y_hat", "output", "logits"};
    static const char *const known[] = {"true", "label", "target", "actual"};
    static const char *const uneven[] = {"log(", "entropy", "kullback", "kl_div"};
    struct lw_value loss = ck_field(c, e->object, "(loss)");
    const struct ck_object *f = ck_as(loss, CK_FUNCTION), *m = ck_as(loss, CK_METHOD);
    if (m && m->of && m->of->kind == CK_FUNCTION)
        f = m->of;
    if (!f || !f->file || lw_tree_kind(&f->file->tree, f->node) != LW_NODE_FUNCTION)
        return;
    const struct lw_tree *t = &f->file->tree;
    uint32_t params = lw_tree_get(t, f->node, LW_ROLE_ARGS);
    struct lw_str name[2] = {{0}, {0}};
    size_t n = 0, skip = m ? 1 : 0;
    for (uint32_t p = params == LW_NO_NODE ? params : lw_tree_next(t, params, params, false);
         p != LW_NO_NODE && n < skip + 2; p = lw_tree_next(t, params, p, false)) {
        if (lw_tree_kind(t, p) != LW_NODE_PARAM)
            continue;
        if (n >= skip)
            name[n - skip] = lw_tree_name(t, p);
        n++;
    }
    if (n < skip + 2 || !names_any(name[0], guessed, 4) || names_any(name[0], known, 4) ||
        !names_any(name[1], known, 4) || names_any(name[1], guessed, 4) ||
        !names_any(lw_tree_text(t, f->node), uneven, 4))
        return;
    ck_find_at(c, f->file, f->node, "architecture/swapped-loss", NULL, 0,
               "Keras passes the truth first and the prediction second: '%.*s' gets the "
               "targets here; swap the parameters",
               LW_F(name[0]));
}

/* ---- steps that are too short for a new layer ---------------------------------------------
 */

static const double SHORT = 1.001e-4; /* rate / (1 - momentum) */

/* The gradients of cross-entropy are of about 1: plain steps of 1e-5 take ten thousands of
 * steps to move a weight. Weights that were loaded need not go far. */
static void watch_rate(struct ck *c, const struct ck_event *e)
{
    struct lw_value optimizer = ck_field(c, e->object, "(optimizer)");
    const struct ck_object *o = ck_as(optimizer, CK_INSTANCE);
    const struct lw_api *loss = mv_entry(c, ck_field(c, e->object, "(loss)"), "loss");
    struct lw_seq seq;
    double rate, momentum = 0;
    if (!loss && ck_sequence(c, ck_field(c, e->object, "(loss)"), &seq) && seq.n == 1)
        loss = mv_entry(c, seq.items[0], "loss");
    if (!o || o->of || !o->api || !loss || !look_is(look_tail(o->api->name), "SGD") ||
        look_is(lw_api_fact(loss, "task"), "regression") ||
        !lw_str_has_prefix(loss->name, LW_S("keras.losses.")) ||
        lw_str_find(loss->name, LW_S("rossentropy")) == LW_NPOS ||
        !ck_number_of(c, ck_config(o, "learning_rate"), &rate) || rate <= 0)
        return;
    (void)ck_number_of(c, ck_config(o, "momentum"), &momentum);
    if (momentum < 0 || momentum >= 1 || rate / (1 - momentum) > SHORT ||
        ck_mentions(c, "load_weights") || ck_mentions(c, "load_model") ||
        ck_mentions(c, "LearningRateScheduler") || ck_mentions(c, "set_value") ||
        ck_mentions(c, "fine") || ck_mentions(c, "Fine"))
        return;
    ck_find_at(c, o->file, o->node, "training/learning-rate-low", NULL, 0,
               "a learning rate of %g with momentum %g moves new layers by about %g per unit "
               "of gradient: nothing is learnt in reasonable time; 0.01 is usual",
               rate, momentum, rate / (1 - momentum));
}

/* ---- steps that are too long for a trained network ----------------------------------------
 */

static const double LONG = 4.9e-4; /* ten times what BERT was published with */

/* Transformers of Hugging Face that go on from trained weights: Devlin et al. 2018 use 2e-5 to
 * 5e-5; with Keras' own 1e-3 they lose what they know within some steps. */
static void watch_pretrained(struct ck *c, const struct ck_event *e)
{
    static const char *const models[] = {"TFBert",    "TFRoberta",   "TFDistilBert", "TFAlbert",
                                         "TFElectra", "TFAutoModel", "TFXLNet"};
    struct lw_value optimizer = ck_field(c, e->object, "(optimizer)");
    const struct lw_api *api = mv_entry(c, optimizer, "optimizer");
    double rate;
    bool trained = false;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        trained |= ck_mentions(c, models[i]);
    if (!trained || !api || !ck_mentions(c, ".from_pretrained(") || c->frame->guarded ||
        ck_mentions(c, "trainable") || ck_mentions(c, "Schedule") ||
        !lw_str_has_prefix(look_tail(api->name), LW_S("Adam")) ||
        !mv_number(c, optimizer, api, "learning_rate", &rate) || rate < LONG)
        return;
    ck_find(c, e->node, "training/learning-rate-high", NULL, 0,
            "a learning rate of %g wipes out what a pretrained transformer knows: it ends up "
            "with one answer for all; 2e-5 to 5e-5 is usual",
            rate);
}

/* ---- schedules ----------------------------------------------------------------------------
 */

/* Does it depend on the epoch, also through a name that was assigned from it? */
static bool depends(const struct lw_tree *t, uint32_t function, uint32_t node,
                    struct lw_str epoch)
{
    for (uint32_t n = node; n != LW_NO_NODE; n = lw_tree_next(t, node, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_IF_EXP || lw_tree_kind(t, n) == LW_NODE_COMPARE)
            return false; /* a factor that is chosen by the epoch */
    if (look_has_name(t, node, epoch))
        return true;
    for (uint32_t n = lw_tree_next(t, function, function, false); n != LW_NO_NODE;
         n = lw_tree_next(t, function, n, false)) {
        uint32_t target = lw_tree_kind(t, n) == LW_NODE_ASSIGN
                              ? lw_tree_get(t, n, LW_ROLE_TARGETS)
                              : LW_NO_NODE;
        if (target != LW_NO_NODE && lw_tree_kind(t, target) == LW_NODE_NAME &&
            look_has_name(t, lw_tree_get(t, n, LW_ROLE_VALUE), epoch) &&
            look_has_name(t, node, lw_tree_name(t, target)))
            return true;
    }
    return false;
}

static bool is_named(const struct lw_tree *t, uint32_t node, struct lw_str name)
{
    return node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_NAME &&
           lw_str_eq(lw_tree_name(t, node), name);
}

/* rate * f(epoch) or rate / f(epoch), where the rate is the present one; LW_NO_NODE: nowhere.
 */
static uint32_t compounded(const struct lw_tree *t, uint32_t function, struct lw_str epoch,
                           struct lw_str rate)
{
    for (uint32_t n = lw_tree_next(t, function, function, false); n != LW_NO_NODE;
         n = lw_tree_next(t, function, n, false)) {
        enum lw_op op = lw_tree_kind(t, n) == LW_NODE_BIN_OP
                            ? (enum lw_op)lw_tree_node(t, n)->op
                            : LW_OP_NONE;
        if (op != LW_OP_MULT && op != LW_OP_DIV)
            continue;
        uint32_t left = lw_tree_get(t, n, LW_ROLE_LEFT),
                 right = lw_tree_get(t, n, LW_ROLE_RIGHT);
        if ((is_named(t, left, rate) && depends(t, function, right, epoch)) ||
            (op == LW_OP_MULT && is_named(t, right, rate) && depends(t, function, left, epoch)))
            return n;
    }
    return LW_NO_NODE;
}

/* Keras passes the present rate: a factor that grows with the epoch is taken again and again.
 */
static void watch_schedule(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *f = ck_as(ck_arg(e->call, 0, "schedule"), CK_FUNCTION);
    if (!f || !lw_str_has_suffix(e->call->name, LW_S(".LearningRateScheduler")) || !f->file)
        return;
    const struct lw_tree *t = &f->file->tree;
    uint32_t params = lw_tree_get(t, f->node, LW_ROLE_ARGS), name[2] = {LW_NO_NODE, LW_NO_NODE};
    size_t n = 0;
    for (uint32_t p = params == LW_NO_NODE ? params : lw_tree_next(t, params, params, false);
         p != LW_NO_NODE; p = lw_tree_next(t, params, p, false)) {
        if (lw_tree_kind(t, p) != LW_NODE_PARAM)
            continue;
        if (n < 2)
            name[n] = p;
        n++;
    }
    if (n != 2 || lw_tree_get(t, name[1], LW_ROLE_DEFAULT) != LW_NO_NODE)
        return;
    uint32_t found = compounded(t, f->node, lw_tree_name(t, name[0]), lw_tree_name(t, name[1]));
    if (found != LW_NO_NODE)
        ck_find_at(
            c, f->file, found, "training/rate-decay", NULL, 0,
            "the second argument is the rate of now, not that of the start: a factor of the "
            "epoch piles up, and the rate fades within a few; multiply the first rate");
}

const struct ck_rule ck_rules_keras_train[] = {
    {CK_EV_COMPILE, watch_compile},
    {CK_EV_COMPILE, watch_pair},
    {CK_EV_COMPILE, watch_parameters},
    {CK_EV_COMPILE, watch_rate},
    {CK_EV_COMPILE, watch_pretrained},
    {CK_EV_FIT, watch_frozen},
    {CK_EV_FIT, watch_turns},
    {CK_EV_FIT, watch_cut},
    {CK_EV_FIT, watch_old_layers},
    {CK_EV_LOOP, watch_loop},
    {CK_EV_INDEX, watch_sample},
    {CK_EV_CALL, watch_schedule},
    {0, NULL},
};
