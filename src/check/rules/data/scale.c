/*
 * Rules about the size of what a network gets: inputs that are too large or scaled twice,
 * columns of different magnitude, and data that is scaled for training and not for use. The
 * size is known by the usual values, by the range, or by the scaler that a part of the data
 * goes through.
 */
#include <math.h>

#include "base/str.h"
#include "check/models/models.h"
#include "check/models/module.h"
#include "check/models/traits.h"
#include "check/query/image_flow.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/query/notes.h"
#include "check/query/roles.h"
#include "check/query/typical.h"
#include "check/rules/rules.h"

static const double APART = 100;  /* times as large as another column */
static const double LARGE = 50;   /* too large for an ordinary first layer */
static const double ANOTHER = 20; /* times as large: data of another scale */

/* ---- columns ------------------------------------------------------------------------------
 */

static bool may_normalise(const struct mv_chain *chain)
{
    for (size_t i = 0; i < chain->n; i++)
        if (chain->stage[i].kind == MV_NORM || chain->stage[i].kind == MV_OTHER)
            return true;
    return chain->n == 0 || !chain->whole;
}

static void check_columns(struct ck *c, uint32_t node, struct lw_value x,
                          const struct mv_chain *chain)
{
    struct typical t;
    unsigned large = 0, small = 0;
    if (!chain || may_normalise(chain) || !typical_of(c, x, &t))
        return;
    if (t.n == 1 && typical_size(&t, 0) >= 2 * LARGE && !lineage_known_range(ck_tensor_of(x)))
        ck_find(
            c, node, "data/unscaled-input", &x, 1,
            "the inputs are about %.0f in size: scale them to about -1 to 1 before training",
            typical_size(&t, 0));
    if (t.n < 2)
        return;
    for (unsigned i = 0; i < t.n; i++) {
        if (typical_size(&t, i) > typical_size(&t, large))
            large = i;
        if (typical_size(&t, i) < typical_size(&t, small))
            small = i;
    }
    if (typical_size(&t, large) < LARGE ||
        typical_size(&t, large) < APART * typical_size(&t, small))
        return;
    ck_find(c, node, "data/unscaled-features", &x, 1,
            "column %u of the inputs is about %.0f times as large as column %u: it dominates "
            "the others and saturates the first layer; scale each column to about unit size",
            large, typical_size(&t, large) / fmax(typical_size(&t, small), 1e-6), small);
}

/* The rows of the loader that the innermost loop goes over. */
static const char rows_key;

static void watch_loader(struct ck *c, const struct ck_event *e)
{
    struct lw_value *rows = ck_state(c, &rows_key, sizeof *rows);
    const struct ck_object *o = ck_as(e->a, CK_INSTANCE);
    const struct ck_object *set =
        o && !o->of && o->api && lw_str_has_suffix(o->api->name, LW_S("data.DataLoader"))
            ? ck_as(ck_config(o, "dataset"), CK_INSTANCE)
            : NULL;
    struct lw_seq seq;
    if (!rows || !set || set->of)
        return;
    *rows = lw_v_absent();
    if (e->flag && ck_sequence(c, ck_field(c, set, "tensors"), &seq) && seq.n)
        *rows = seq.items[0];
}

static void watch_loss(struct ck *c, const struct ck_event *e)
{
    struct lw_value out = mv_loss_input(c, e);
    const struct lw_value *rows = ck_state(c, &rows_key, sizeof *rows);
    if (!ck_origin_of(c, out) || out.tensor->framework != LW_TORCH || !ck_in_loop(c) || !rows)
        return;
    const struct mv_chain *chain = mv_of_tensor(c, out);
    struct lw_value x = chain && chain->n ? chain->stage[0].in : lw_v_absent();
    if (x.kind == LW_V_TENSOR && !ck_origin_of(c, x))
        x = *rows;
    check_columns(c, e->node, x, chain);
}

static void watch_fit_columns(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = ck_arg(e->call, 0, "x");
    if (!text_is(text_tail(e->call->name), "fit") || x.kind != LW_V_TENSOR)
        return;
    check_columns(c, e->node, x, mv_of_model(c, e->object));
}

/* ---- the same on both sides ---------------------------------------------------------------
 */

static void compare(struct ck *c, uint32_t node, struct lw_value trained, struct lw_value used)
{
    struct typical a, b;
    if (!typical_of(c, trained, &a) || !typical_of(c, used, &b) ||
        (a.n != b.n && a.n != 1 && b.n != 1))
        return;
    unsigned n = a.n > b.n ? a.n : b.n;
    for (unsigned i = 0; i < n; i++) {
        double x = typical_size(&a, i), y = typical_size(&b, i);
        if (x <= 0 || y <= 0 || (y < ANOTHER * x && x < ANOTHER * y))
            continue;
        struct lw_value causes[2] = {trained, used};
        ck_find(c, node, "data/scaled-on-one-side", causes, 2,
                "the model is trained on values of about %.3g but gets about %.3g here: "
                "preprocess both the same way",
                x, y);
        return;
    }
}

static void watch_fit(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = ck_arg(e->call, 0, "x");
    if (text_is(text_tail(e->call->name), "fit") && x.kind == LW_V_TENSOR)
        note_set(c, e->object, NOTE_TRAINED_X, x);
}

static void watch_predict(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = ck_arg(e->call, 0, "x");
    struct lw_value trained = note_of(e->object, NOTE_TRAINED_X);
    if (trained.kind == LW_V_TENSOR && x.kind == LW_V_TENSOR)
        compare(c, e->node, trained, x);
}

static void watch_module(struct ck *c, const struct ck_event *e)
{
    if (!look_is_outermost(c, e->object) || !e->call || !e->call->n ||
        e->call->args[0].value.kind != LW_V_TENSOR)
        return;
    struct lw_value x = e->call->args[0].value;
    struct lw_value trained = note_of(e->object, NOTE_TRAINED_X);
    if (ck_grad_off(c)) {
        if (trained.kind == LW_V_TENSOR)
            compare(c, e->node, trained, x);
    } else if (ck_in_loop(c)) {
        note_set(c, e->object, NOTE_TRAINED_X, x);
    }
}

/* ---- pixels of a table --------------------------------------------------------------------
 */

/* Is it read from a file, with nothing but its form changed? */
static bool is_raw_table(struct ck *c, struct lw_value v)
{
    static const char *const forms[] = {"[]",   "drop", "iloc",     "loc",
                                        "copy", "T",    "to_numpy", "train_test_split"};
    static const char *const readers[] = {"read_csv", "loadtxt", "genfromtxt"};
    for (unsigned i = 0; i < 12; i++) {
        v = lineage_through(c, v);
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o)
            return false;
        if (text_is_any(text_tail(o->op), readers, 3))
            return true;
        if (!o->in_count || !text_is_any(text_tail(o->op), forms, sizeof forms / sizeof *forms))
            return false;
        v = o->in[0];
    }
    return false;
}

/* 784 columns of a table are the pixels of MNIST, 3072 those of CIFAR: 0 to 255. */
static void watch_pixels(struct ck *c, const struct ck_event *e)
{
    struct lw_value in = model_trait(e->object, MODEL_INPUT), x = ck_arg(e->call, 0, "x");
    const struct lw_tensor *t = ck_tensor_of(in);
    int64_t columns = 1, size;
    for (uint32_t i = 1; t && lw_shape_has_rank(&t->shape) && i < t->shape.n; i++)
        columns *= lw_dim_is_int(c->dims, t->shape.d[i], &size) && size < 4096 ? size : 0;
    if ((columns != 784 && columns != 3072) || !is_raw_table(c, x) ||
        ck_shows(c, "number 255") || ck_shows(c, "number 256"))
        return;
    const struct mv_chain *chain = mv_of_model(c, e->object);
    if (chain && !may_normalise(chain))
        ck_find(c, e->node, "data/unscaled-input", &x, 1,
                "%lld columns of a table look like pixels from 0 to 255, and nothing scales "
                "them: divide by 255 before training",
                (long long)columns);
}

/* ---- known ranges --------------------------------------------------------------------------
 */

static double size_of(const struct lw_tensor *t)
{
    return fmax(fabs(t->range.lo), fabs(t->range.hi));
}

static bool is_recurrent(const struct mv_stage *s)
{
    return s->kind == MV_OTHER && text_is(s->role, "recurrent");
}

/* The first learning layer of the chain, with only reshaping before it. */
static const struct mv_stage *first_learner(const struct mv_chain *chain)
{
    for (size_t i = 0; chain && chain->whole && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->kind == MV_LEARN || is_recurrent(s))
            return s;
        if (s->kind != MV_KEEP)
            return NULL;
    }
    return NULL;
}

static bool has_normaliser(const struct mv_chain *chain)
{
    for (size_t i = 0; i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->kind == MV_NORM || (s->kind == MV_OTHER && !is_recurrent(s)))
            return true;
    }
    return false;
}

static void check_scale(struct ck *c, uint32_t node, struct lw_value x,
                        const struct mv_chain *chain)
{
    const struct lw_tensor *t = ck_tensor_of(x);
    bool words = lineage_known_range(t) && (t->range.flags & LW_IV_WHOLE) &&
                 t->range.hi > 255 &&
                 ck_shows(c, "call *Embedding"); /* behind a layer that is not followed */
    if (!lineage_known_range(t) || size_of(t) < LARGE || !first_learner(chain) || words ||
        has_normaliser(chain))
        return;
    ck_find(c, node, "data/unscaled-input", &x, 1,
            "the inputs range from %g to %g: scale them to about -1 to 1 before training",
            t->range.lo, t->range.hi);
}

/* By what the values of pixels are divided to come to about 1; 0: something else. */
static double pixel_scale(struct ck *c, bool divides, struct lw_value by)
{
    static const double ends[] = {127, 127.5, 128, 255, 256};
    double n = 0;
    if (!ck_number_of(c, by, &n) || n <= 0)
        return 0;
    n = divides ? n : 1 / n;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fabs(n - ends[i]) < 0.1)
            return ends[i];
    return 0;
}

/* Have the pixels been scaled before, with only changes of form since? `node` is not the step:
 * a loop may come by twice. What a data set hands out shows it by its range alone. */
static bool is_scaled(struct ck *c, struct lw_value v, uint32_t node)
{
    static const char *const steps[] = {"/", "*", "divide", "multiply", "div", "mul"};
    static const char *const whole[] = {"convert_image_dtype", "to_tensor", "ToTensor"};
    static const char *const forms[] = {
        "reshape", "view",    "astype", "cast",        "float",     "[]",      "resize",
        "array",   "asarray", "tensor", "from_numpy",  "as_tensor", "permute", "transpose",
        "stack",   "squeeze", "copy",   "expand_dims", "unsqueeze", "flatten", "to"};
    for (unsigned i = 0; i < 8; i++) {
        const struct ck_origin *o = ck_origin_of(c, v);
        const struct lw_tensor *t = ck_tensor_of(v);
        if (!o)
            return lineage_known_range(t) && t->range.lo >= -1 && t->range.hi == 1;
        struct lw_str name = text_tail(o->op);
        if (!o->in_count || (o->file == c->frame->file && o->node == node))
            return false;
        if (text_is_any(name, whole, sizeof whole / sizeof *whole))
            return true;
        if (o->in_count > 1 && text_is_any(name, steps, sizeof steps / sizeof *steps))
            return pixel_scale(c, name.p[0] == '/' || name.p[0] == 'd', o->in[1]) > 0;
        if (!text_is_any(name, forms, sizeof forms / sizeof *forms))
            return false;
        v = o->in[0];
    }
    return false;
}

/* x / 255 of pixels that are between 0 and 1 already. */
static void watch_scaling(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *t = ck_tensor_of(e->a);
    if ((e->op != LW_OP_DIV && e->op != LW_OP_MULT) || !t || c->frame->guarded ||
        ((t->range.flags & LW_IV_KNOWN) && size_of(t) > 1.01))
        return;
    double by = pixel_scale(c, e->op == LW_OP_DIV, e->b);
    if (by > 0 && is_scaled(c, e->a, e->node))
        ck_find(c, e->node, "data/scaled-twice", &e->a, 1,
                "the values are already about 1 in size and are divided by %g again, which "
                "makes them about %.1g: remove one of the divisions",
                by, 1 / by);
}

static void watch_input(struct ck *c, const struct ck_event *e)
{
    check_scale(c, e->node, e->a, mv_of_model(c, e->object));
}

/* The same where a loop of torch computes its loss. */
static void watch_loss_range(struct ck *c, const struct ck_event *e)
{
    struct lw_value out = mv_loss_input(c, e);
    const struct ck_origin *o = ck_origin_of(c, out);
    if (!o || (out.tensor->framework != LW_TORCH && !ck_shows(c, "name GradientTape")) ||
        !ck_in_loop(c))
        return;
    const struct mv_chain *chain = mv_of_tensor(c, out);
    if (chain && chain->n)
        check_scale(c, e->node, chain->stage[0].in, chain);
}

/* Where the program computed the values last: what it forgot is to be done there. 0: as read.
 */
static uint32_t made_at(struct ck *c, struct lw_value v)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    return o && o->in_count && ck_tensor_of(o->in[0]) ? o->place : 0;
}

/* Trained on data of one scale, used on data of another, which was made at `cause`. */
static void compare_scale(struct ck *c, const struct ck_event *e, struct lw_value trained,
                          struct lw_value used, uint32_t cause)
{
    const struct lw_tensor *a = ck_tensor_of(trained), *b = ck_tensor_of(used);
    if (!lineage_known_range(a) || !lineage_known_range(b) || size_of(a) == 0 ||
        size_of(b) == 0)
        return;
    double times = size_of(b) / size_of(a);
    if (times < ANOTHER && times > 1.0 / ANOTHER)
        return;
    struct lw_value causes[2] = {trained, used};
    ck_blame(c, times > 1 ? cause : 0);
    ck_find(c, e->node, "data/scaled-on-one-side", causes, 2,
            "the model is trained on values of %g to %g but gets %g to %g: preprocess both the "
            "same way",
            a->range.lo, a->range.hi, b->range.lo, b->range.hi);
}

static void watch_training_scale(struct ck *c, const struct ck_event *e)
{
    struct lw_value validation = ck_arg(e->call, 7, "validation_data");
    struct lw_seq seq;
    if (e->a.kind == LW_V_TENSOR)
        note_set(c, e->object, NOTE_TRAINED_ON, e->a);
    if (validation.kind == LW_V_TUPLE && ck_sequence(c, validation, &seq) && seq.n >= 2)
        compare_scale(c, e, e->a, seq.items[0], made_at(c, seq.items[0]));
    else
        compare_scale(c, e, e->a, ck_inputs_of(c, validation, e->node), 0);
}

static void watch_use(struct ck *c, const struct ck_event *e)
{
    struct lw_value trained = note_of(e->object, NOTE_TRAINED_ON);
    if (trained.kind == LW_V_TENSOR)
        compare_scale(c, e, trained, e->a, made_at(c, ck_arg(e->call, 0, "x")));
}

/* The generator standardises what the network is trained on, and what it is validated on is as
 * it was read. */
static void watch_standardised(struct ck *c, const struct ck_event *e)
{
    bool old = lw_str_has_suffix(e->call->name, LW_S("_generator"));
    struct ck_object *generator =
        image_flow_generator(ck_arg(e->call, 0, old ? "generator" : "x"));
    struct lw_value data = ck_arg(e->call, old ? 5 : 7, "validation_data");
    struct lw_seq seq;
    if (!generator || generator->of || data.kind != LW_V_TUPLE || !ck_sequence(c, data, &seq) ||
        seq.n < 2 ||
        (ck_truth(c, ck_config(generator, "featurewise_std_normalization")) != LW_TRI_YES &&
         ck_truth(c, ck_config(generator, "samplewise_std_normalization")) != LW_TRI_YES))
        return;
    const struct lw_tensor *t = ck_tensor_of(seq.items[0]);
    if (!lineage_known_range(t) || size_of(t) < LARGE)
        return;
    ck_find(c, e->node, "data/scaled-on-one-side", &seq.items[0], 1,
            "the generator standardises the training data, but the validation data keeps "
            "values of %g to %g: use the same statistics for both",
            t->range.lo, t->range.hi);
}

/* ---- a scaler for one part -----------------------------------------------------------------
 */

/* Is the name given to a scaler of scikit-learn anywhere? */
static bool is_scaler(const struct lw_tree *t, uint32_t owner)
{
    uint32_t made = owner != LW_NO_NODE && lw_tree_kind(t, owner) == LW_NODE_NAME
                        ? syntax_first_assigned(t, owner)
                        : LW_NO_NODE;
    uint32_t f = made != LW_NO_NODE && lw_tree_kind(t, made) == LW_NODE_CALL
                     ? lw_tree_get(t, made, LW_ROLE_FUNC)
                     : LW_NO_NODE;
    return f != LW_NO_NODE && lw_str_has_suffix(lw_tree_text(t, f), LW_S("Scaler"));
}

/* What becomes of the test data: only judged by a model, or prepared in some way too. */
struct fate {
    uint32_t judged; /* first place; LW_NO_NODE: none */
    bool prepared;
};

static void look_at_use(const struct lw_tree *t, uint32_t name, struct fate *f)
{
    static const char *const judges[] = {"evaluate", "predict", "predict_classes", "score"};
    static const char *const looks[] = {"print", "len", "train_test_split", "fit", "head"};
    uint32_t up = lw_tree_parent(t, name);
    enum lw_node_kind kind = up == LW_NO_NODE ? LW_NODE_MODULE : lw_tree_kind(t, up);
    uint32_t call = lw_tree_enclosing(t, name, LW_NODE_CALL);
    uint32_t func = call == LW_NO_NODE ? call : lw_tree_get(t, call, LW_ROLE_FUNC);
    struct lw_str callee = {0};
    if (func != LW_NO_NODE &&
        (lw_tree_kind(t, func) == LW_NODE_NAME || lw_tree_kind(t, func) == LW_NODE_ATTRIBUTE))
        callee = lw_tree_name(t, func);
    if (kind == LW_NODE_ATTRIBUTE && text_is(lw_tree_name(t, up), "shape"))
        return;
    if (kind == LW_NODE_ASSIGN) { /* some rows of something: as they come */
        enum lw_node_kind value = lw_tree_kind(t, lw_tree_get(t, up, LW_ROLE_VALUE));
        f->prepared |= value != LW_NODE_NAME && value != LW_NODE_SUBSCRIPT;
        return;
    }
    if (kind == LW_NODE_CALL && text_is_any(callee, judges, 4))
        f->judged = f->judged == LW_NO_NODE ? name : f->judged;
    else if (!(kind == LW_NODE_CALL && text_is_any(callee, looks, 5)) &&
             !(kind == LW_NODE_TUPLE && (text_is(callee, "fit") || callee.n == 0)))
        f->prepared = true;
}

/* x_train = scaler.fit_transform(x_train), and model.evaluate(x_test) of what nobody scaled. */
static void check_scaled(struct ck *c, struct ck_file *file, uint32_t call)
{
    const struct lw_tree *t = &file->tree;
    uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC), x = lw_tree_get(t, call, LW_ROLE_ARGS);
    struct lw_str test = {0};
    struct fate fate = {.judged = LW_NO_NODE};
    if (f == LW_NO_NODE || lw_tree_kind(t, f) != LW_NODE_ATTRIBUTE || x == LW_NO_NODE ||
        (!text_is(lw_tree_name(t, f), "fit_transform") &&
         !text_is(lw_tree_name(t, f), "transform")) ||
        role_of_name(c, t, x) != ROLE_TRAINING ||
        !is_scaler(t, lw_tree_get(t, f, LW_ROLE_VALUE)))
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_NAME ||
            !role_is_counterpart(lw_tree_name(t, x), lw_tree_name(t, n)))
            continue;
        test = lw_tree_name(t, n);
        look_at_use(t, n, &fate);
    }
    if (test.n && fate.judged != LW_NO_NODE && !fate.prepared)
        ck_find_at(c, file, fate.judged, "data/scaled-on-one-side", NULL, 0,
                   "'%.*s' is transformed by the scaler, but '%.*s' is not, so the model gets "
                   "inputs of another scale: call transform() on both",
                   LW_F(lw_tree_name(t, x)), LW_F(test));
}

static void watch_scaled_part(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    (void)e;
    if (!ck_shows(c, "call *Scaler") || !look_reads_names(c))
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL)
            check_scaled(c, file, n);
}

/* What is known of a range says more than the usual size. */
const struct ck_rule rules_data_scale[] = {
    {"data/unscaled-input", CK_EV_FIT, watch_input},
    {"data/scaled-on-one-side", CK_EV_FIT, watch_training_scale},
    {"data/scaled-on-one-side", CK_EV_CALL, image_flow_note, .calls = ".flow*"},
    {"data/scaled-on-one-side", CK_EV_FIT, watch_standardised},
    {"data/scaled-on-one-side", CK_EV_PREDICT, watch_use},
    {"data/unscaled-input", CK_EV_CALL | CK_EV_LAYER, watch_loss_range, .calls = "@loss"},
    {"data/scaled-twice", CK_EV_OPERATOR, watch_scaling},
    {"data/unscaled-features data/unscaled-input", CK_EV_LOOP, watch_loader},
    {"data/unscaled-features data/unscaled-input", CK_EV_CALL | CK_EV_LAYER, watch_loss,
     .calls = "@loss"},
    {"data/unscaled-features data/unscaled-input", CK_EV_FIT, watch_fit_columns},
    {"data/scaled-on-one-side", CK_EV_FIT, watch_fit},
    {"data/scaled-on-one-side", CK_EV_PREDICT, watch_predict},
    {"data/scaled-on-one-side", CK_EV_LAYER, watch_module},
    {"data/unscaled-input", CK_EV_FIT, watch_pixels},
    {"data/scaled-on-one-side", CK_EV_END, watch_scaled_part},
    {0},
};
