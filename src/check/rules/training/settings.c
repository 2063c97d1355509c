/*
 * Rules about the settings of training: too few or too long steps, metrics and
 * callbacks that do not fit.
 */
#include <math.h>

#include "base/str.h"
#include "check/models/traits.h"
#include "check/models/versions.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/query/typical.h"
#include "check/query/program.h"
#include "check/rules/rules.h"

/* ---- numbers ------------------------------------------------------------------------------
 */

/* keep_prob=dropout_rate: what is dropped is given where what is kept is asked for. */
static void watch_kept(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    for (size_t i = 0; i < e->call->n; i++) {
        const struct lw_arg *a = &e->call->args[i];
        uint32_t node = a->node;
        if (!text_is(a->name, "keep_prob") || node == LW_NO_NODE)
            continue;
        if (lw_tree_kind(t, node) == LW_NODE_KEYWORD)
            node = lw_tree_get(t, node, LW_ROLE_VALUE);
        enum lw_node_kind kind = lw_tree_kind(t, node);
        struct lw_str name = kind == LW_NODE_NAME || kind == LW_NODE_ATTRIBUTE
                                 ? lw_tree_name(t, node)
                                 : (struct lw_str){0};
        double x = 0;
        if (lw_str_find(name, LW_S("drop")) == LW_NPOS ||
            lw_str_find(name, LW_S("rate")) == LW_NPOS ||
            lw_str_find(name, LW_S("keep")) != LW_NPOS ||
            (ck_number_of(c, a->value, &x) && x >= 0.5))
            continue;
        ck_find(c, e->node, "training/dropout-rate", NULL, 0,
                "keep_prob is the probability to keep a unit, but '%.*s' looks like the "
                "probability to drop it: pass 1 - %.*s",
                LW_F(name), LW_F(name));
    }
}

/* ---- metrics ------------------------------------------------------------------------------
 */

static bool is_accuracy(struct lw_value v)
{
    return v.kind == LW_V_STR && v.str.p &&
           (lw_str_eq(v.str, LW_S("accuracy")) || lw_str_eq(v.str, LW_S("acc")));
}

/* Either the loss or the metric is of another task. */
static void watch_metrics(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    struct lw_value metrics = model_trait(e->object, MODEL_METRICS);
    struct lw_seq seq;
    if (!loss || !lw_str_eq(lw_api_fact(loss, "task"), LW_S("regression")) ||
        !ck_sequence(c, metrics, &seq))
        return;
    for (uint32_t i = 0; i < seq.n; i++)
        if (is_accuracy(seq.items[i])) {
            ck_find(
                c, e->node, "training/accuracy-on-regression", NULL, 0,
                "accuracy compares classes, but %.*s is a regression loss: use a cross-entropy "
                "loss for classification, or mean absolute error as the metric",
                LW_F(loss->name));
            return;
        }
}

/* ---- early stopping -----------------------------------------------------------------------
 */

enum { MANY_EPOCHS = 10 };

/* It waits for longer than there are epochs, or not at all. */
static void watch_patience(struct ck *c, const struct ck_event *e)
{
    struct lw_value callbacks = ck_arg(e->call, 5, "callbacks");
    struct lw_value given = ck_arg(e->call, 3, "epochs");
    struct lw_seq seq;
    int64_t epochs, patience;
    if (given.kind == LW_V_ABSENT)
        given = ck_arg(e->call, 3, "nb_epoch");
    if (!ck_int_of(c, given, &epochs) || !ck_sequence(c, callbacks, &seq) || c->frame->loop)
        return;
    for (uint32_t i = 0; i < seq.n; i++) {
        struct ck_object *o = ck_as(seq.items[i], CK_INSTANCE);
        if (!o || o->of || !o->api ||
            !lw_str_has_suffix(o->api->name, LW_S(".EarlyStopping")) ||
            !ck_int_of(c, ck_config(o, "patience"), &patience))
            continue;
        if (patience == 0 && epochs >= MANY_EPOCHS)
            ck_find_at(c, o->file, o->node, "training/no-patience", NULL, 0,
                       "patience is 0: of %lld epochs, the first that does not improve ends "
                       "the training; use a patience of a few epochs",
                       (long long)epochs);
        if (patience < epochs)
            continue;
        ck_find(c, e->node, "training/early-stopping-inert", NULL, 0,
                "EarlyStopping waits for %lld epochs without improvement, but there are only "
                "%lld, so it never stops the training: lower the patience",
                (long long)patience, (long long)epochs);
    }
}

/* What people call the quantities, and Keras does not. A metric of the program may be called
 * so.
 */
static bool is_never_reported(struct ck *c, const struct ck_event *e, struct lw_str monitor)
{
    static const char *const names[] = {
        "value_loss", "validation_loss",  "valid_loss",     "val-loss",
        "valLoss",    "loss_val",         "train_loss",     "training_loss",
        "test_loss",  "value_acc",        "validation_acc", "validation_accuracy",
        "val-acc",    "val-accuracy",     "train_acc",      "train_accuracy",
        "test_acc",   "training_accuracy"};
    return text_is_any(monitor, names, sizeof names / sizeof *names) && !e->object->of &&
           !ck_shows(c, "name *Metric*") && !ck_shows(c, "name add_metric*") &&
           !ck_shows(c, "name on_epoch_end") && !ck_shows(c, "def train_step");
}

/* Does the program use what TensorFlow has since version 2: a file for weights or a model of
 * Keras 3, eager loops, a function that 1 does not have? */
static bool is_second_tensorflow(struct ck *c)
{
    static const char *const newer[] = {
        "set_seed",  "GradientTape", "RandomFlip",        "RandomRotation",
        "Rescaling", "default_rng",  "TextVectorization", "image_dataset_from_directory"};
    int v[2];
    return program_calls(c, newer, sizeof newer / sizeof *newer) ||
           (program_has_attribute(c, "function") && program_has_name(c, "tf")) ||
           (program_has_attribute(c, "config") && program_has_name(c, "tf") &&
            program_has_attribute(c, "list_physical_devices")) ||
           (ck_version_of(c, LW_S("tensorflow"), v) && v[0] >= 2);
}

/* A quantity that training does not report: the callback never acts. */
static bool is_reported(struct ck *c, const struct ck_event *e, struct lw_str monitor)
{
    static const char *const accuracies[] = {"acc", "accuracy", "binary_accuracy",
                                             "categorical_accuracy"};
    bool generator = lw_str_has_suffix(e->call->name, LW_S("_generator"));
    struct lw_value data = ck_arg(e->call, generator ? 5 : 7, "validation_data");
    struct lw_value part = ck_arg(e->call, generator ? SIZE_MAX : 6, "validation_split");
    struct lw_value metrics = model_trait(e->object, MODEL_METRICS);
    struct lw_seq seq;
    double share;
    bool with = (data.kind != LW_V_ABSENT && data.kind != LW_V_NONE) ||
                (part.kind != LW_V_ABSENT && (!ck_number_of(c, part, &share) || share > 0));
    for (size_t i = 0; i < e->call->n; i++)
        with |= e->call->args[i].star > 0;
    if (is_never_reported(c, e, monitor))
        return false;
    if (lw_str_has_prefix(monitor, LW_S("val_"))) {
        if (!with)
            return false;
        monitor = lw_str_part(monitor, 4, monitor.n);
    }
    /* TensorFlow 2 calls it as compile() does. */
    if (text_is(monitor, "acc") && ck_sequence(c, metrics, &seq) && seq.n == 1 && !seq.open &&
        seq.items[0].kind == LW_V_STR && text_is(seq.items[0].str, "accuracy") &&
        is_second_tensorflow(c))
        return false;
    bool none = metrics.kind == LW_V_ABSENT || metrics.kind == LW_V_NONE ||
                (ck_sequence(c, metrics, &seq) && seq.n == 0 && !seq.open);
    if (!none && metrics.kind == CK_LIST && ck_sequence(c, metrics, &seq) && !seq.open) {
        none = true; /* only metrics that are no accuracy */
        for (uint32_t i = 0; i < seq.n; i++)
            none &= seq.items[i].kind == LW_V_STR && seq.items[i].str.p &&
                    lw_str_find(seq.items[i].str, LW_S("acc")) == LW_NPOS;
    }
    for (size_t i = 0; none && i < sizeof accuracies / sizeof *accuracies; i++)
        if (text_is(monitor, accuracies[i]))
            return false;
    return true;
}

static void watch_monitor(struct ck *c, const struct ck_event *e)
{
    static const char *const acting[] = {".EarlyStopping", ".ModelCheckpoint",
                                         ".ReduceLROnPlateau"};
    bool generator = lw_str_has_suffix(e->call->name, LW_S("_generator"));
    struct lw_value callbacks = ck_arg(e->call, generator ? 4 : 5, "callbacks");
    struct lw_seq seq;
    if (!ck_sequence(c, callbacks, &seq) || model_trait(e->object, MODEL_COMPILED).kind == 0)
        return;
    for (uint32_t i = 0; i < seq.n; i++) {
        struct ck_object *o = ck_as(seq.items[i], CK_INSTANCE);
        bool acts = false;
        for (size_t k = 0; o && !o->of && o->api && k < sizeof acting / sizeof *acting; k++)
            acts |= lw_str_has_suffix(o->api->name, lw_str(acting[k]));
        struct lw_value monitor = acts ? ck_config(o, "monitor") : lw_v_absent();
        if (monitor.kind != LW_V_STR || !monitor.str.p ||
            (lw_str_has_suffix(o->api->name, LW_S(".ModelCheckpoint")) &&
             ck_truth(c, ck_config(o, "save_best_only")) != LW_TRI_YES) ||
            is_reported(c, e, monitor.str))
            continue;
        ck_blame(c, monitor.line);
        ck_find_at(
            c, o->file, o->node, "training/monitor-missing", NULL, 0,
            "'%.*s' is not among the values that this training logs%s: the callback never acts",
            LW_F(monitor.str),
            lw_str_has_prefix(monitor.str, LW_S("val_"))
                ? ", which has no validation data or no such metric"
                : "");
    }
}

/* ---- how far the weights can go -----------------------------------------------------------
 */

struct settings {
    const struct lw_api *optimizer;
    double rate, momentum;
    bool adaptive; /* a step is about as long as the rate, whatever the gradient */
    bool plain;    /* gradient descent without clipping */
};

/* The rate of an optimiser that is kept in a variable, as it begins. */
static bool rate_in_variable(struct ck *c, const struct ck_object *optimizer, const char *name,
                             double *rate)
{
    static const char *const makers[] = {"Variable", "constant"};
    const struct ck_origin *o =
        optimizer ? lineage_made_by(c, ck_config(optimizer, name), makers, 2) : NULL;
    return o && ck_number_of(c, o->in[0], rate);
}

static bool settings_of(struct ck *c, struct lw_value optimizer, struct settings *out)
{
    static const char *const adaptive[] = {"Adam",          "AdamW",           "Adamax",
                                           "Nadam",         "NAdam",           "RMSprop",
                                           "AdamOptimizer", "RMSPropOptimizer"};
    static const char *const plain[] = {"SGD", "GradientDescentOptimizer", "MomentumOptimizer"};
    const struct lw_api *api = mv_entry(c, optimizer, "optimizer");
    const struct ck_object *o = ck_as(optimizer, CK_INSTANCE);
    char name[LOOK_RATE_NAME];
    if (!api || !look_rate_parameter(api, name))
        return false;
    *out = (struct settings){.optimizer = api};
    struct lw_str tail = text_tail(api->name);
    out->adaptive = text_is_any(tail, adaptive, sizeof adaptive / sizeof *adaptive);
    out->plain = text_is_any(tail, plain, sizeof plain / sizeof *plain);
    if (o && out->plain) {
        struct lw_value clip[2] = {ck_config(o, "clipnorm"), ck_config(o, "clipvalue")};
        for (int i = 0; i < 2; i++)
            out->plain &= clip[i].kind == LW_V_ABSENT || clip[i].kind == LW_V_NONE;
    }
    if (!mv_number(c, optimizer, api, "momentum", &out->momentum))
        out->momentum = 0;
    return (mv_number(c, optimizer, api, name, &out->rate) ||
            rate_in_variable(c, o, name, &out->rate)) &&
           out->rate > 0;
}

/* Standard deviation of the initial weights, of the layer where it is least; 0: not known. */
static double least_weight(struct ck *c, const struct mv_chain *chain)
{
    double least = 0;
    for (size_t i = 0; chain && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->kind == MV_OTHER || s->kind == MV_NORM)
            return 0;
        if (s->kind != MV_LEARN)
            continue;
        double fan = mv_fan_in(c, s), gain = mv_weight_gain(c, s);
        if (fan <= 0 || gain <= 0)
            return 0;
        double weight = sqrt(gain / fan);
        least = least == 0 || weight < least ? weight : least;
    }
    return least;
}

/* Optimiser steps of a call of fit; 0: not known. */
static double steps_of(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = ck_arg(e->call, 0, "x"), size = ck_arg(e->call, 2, "batch_size");
    struct lw_value given = ck_arg(e->call, 3, "epochs");
    struct lw_value part = ck_arg(e->call, 6, "validation_split");
    struct lw_tensor t;
    int64_t rows, batch = 32, epochs = 1;
    double share = 0;
    if (given.kind == LW_V_ABSENT)
        given = ck_arg(e->call, 3, "nb_epoch");
    if (!lw_str_has_suffix(e->call->name, LW_S(".fit")) || !ck_to_tensor(c, x, &t) ||
        !lw_shape_has_rank(&t.shape) || t.shape.n == 0 ||
        !lw_dim_is_int(c->dims, t.shape.d[0], &rows) ||
        (given.kind != LW_V_ABSENT && !ck_int_of(c, given, &epochs)) ||
        (size.kind != LW_V_ABSENT && size.kind != LW_V_NONE && !ck_int_of(c, size, &batch)) ||
        batch <= 0 || epochs <= 0)
        return 0;
    if (part.kind != LW_V_ABSENT && (!ck_number_of(c, part, &share) || share < 0 || share >= 1))
        return 0;
    return ceil((double)rows * (1 - share) / (double)batch) * (double)epochs;
}

/* Targets that were drawn at random: a program that only shows how to call things. */
static bool is_drawn(struct ck *c, struct lw_value v)
{
    for (unsigned i = 0; i < 4; i++) {
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o)
            return false;
        if (lw_str_find(o->op, LW_S(".random.")) != LW_NPOS)
            return true;
        if (o->in_count == 0)
            return false;
        v = o->in[0];
    }
    return false;
}

enum { FAR_FEWER = 7 };

/* A weight moves by about the rate in a step of Adam; in one of gradient descent by the rate
 * times the gradient, which is a tenth and less where outputs are bounded. Weights that cannot
 * go a seventh of their own size have learnt nothing. `weight` is the least: 0 is not known. */
static void check_way(struct ck *c, uint32_t node, const struct settings *s, double steps,
                      bool bounded, double weight)
{
    double way = s->adaptive           ? steps * s->rate
                 : s->plain && bounded ? steps * s->rate / (1 - fmin(s->momentum, 0.99)) / 10
                                       : HUGE_VAL;
    if (weight <= 0 || way * FAR_FEWER > weight)
        return;
    ck_find(
        c, node, "training/too-few-steps", NULL, 0,
        "a learning rate of %g moves a weight by about %.2g in %.0f step%s, but the weights "
        "start at about %.2g: train longer, with smaller batches, or with a higher rate",
        s->rate, way, steps, steps > 1 ? "s" : "", weight);
}

static void watch_steps(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    struct settings s;
    double steps = steps_of(c, e);
    if (steps <= 0 || ck_in_loop(c) || !loss ||
        !settings_of(c, model_trait(e->object, MODEL_OPTIMIZER), &s) ||
        is_drawn(c, ck_arg(e->call, 1, "y")))
        return;
    bool bounded = !text_is(lw_api_fact(loss, "task"), "regression");
    double weight = least_weight(c, mv_of_model(c, e->object));
    check_way(c, e->node, &s, steps, bounded, weight);
}

/* ---- steps that are too long --------------------------------------------------------------
 */

/* Largest curvature of the mean squared error of a linear model, over 2: E[x]^2 for each
 * feature and the variance, for inputs spread evenly over their range. */
static double curvature(struct ck *c, const struct lw_tensor *x)
{
    double mean = (x->range.lo + x->range.hi) / 2, width = x->range.hi - x->range.lo;
    int64_t n = 1;
    if (lw_shape_has_rank(&x->shape) && x->shape.n > 1 &&
        !lw_dim_is_int(c->dims, x->shape.d[x->shape.n - 1], &n))
        n = 1;
    return (double)n * mean * mean + width * width / 12;
}

static bool visit_drawn(void *data, struct lw_value v, const struct ck_origin *o)
{
    static const char *const even[] = {"arange", "linspace", "rand",         "random",
                                       "range",  "uniform",  "random_sample"};
    (void)v;
    *(bool *)data |= o && text_is_any(text_tail(o->op), even, sizeof even / sizeof *even);
    return true;
}

/* How far above the limit a rate is wrong for sure: most columns of written or measured data
 * are smaller than its range lets them be. */
static double margin(struct ck *c, struct lw_value x)
{
    bool even = false;
    lineage_walk(c, x, visit_drawn, &even);
    return even ? 1 : 5;
}

/* Gradient descent on a squared error runs away when the rate is above 2 / curvature. Inputs of
 * known range give the curvature of a linear model exactly; the first layer of a deeper one
 * sees the same inputs. */
static bool check_stability(struct ck *c, uint32_t node, const struct settings *s,
                            struct lw_value x, bool linear)
{
    const struct lw_tensor *t = ck_tensor_of(x);
    if (!s->plain || !lineage_known_range(t))
        return false;
    double over = s->rate * curvature(c, t) / (1 + s->momentum);
    bool wrong = over > (linear ? margin(c, x) : 20);
    if (wrong)
        ck_find(c, node, "training/step-too-long", &x, 1,
                "with inputs of %g to %g, gradient descent with a learning rate of %g diverges "
                "to NaN (stable below about %.2g): scale the inputs, or lower the rate",
                t->range.lo, t->range.hi, s->rate, s->rate / over);
    return wrong;
}

/* The input of a chain that is a linear model, or begins with a learning layer. */
static bool learns_from(const struct mv_chain *chain, bool *linear)
{
    bool first = true;
    *linear = true;
    for (size_t i = 0; chain && chain->whole && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->kind == MV_KEEP)
            continue;
        if (s->kind != MV_LEARN && (first || s->kind != MV_ACTIVATE))
            return false;
        *linear &= s->activation.n == 0 && !s->opaque && (first || s->kind != MV_LEARN);
        first = false;
    }
    return !first;
}

static const double JUMP = 10; /* rate times target: how far the first step goes */

/* The gradient of a squared error is as large as the targets. In a network of several layers
 * the first step makes weights of rate times target, the next one is that much longer. */
static void check_targets(struct ck *c, const struct ck_event *e, const struct settings *s)
{
    const struct mv_chain *chain = mv_of_model(c, e->object);
    struct lw_value y = ck_arg(e->call, 1, "y");
    struct typical t;
    size_t learners = 0;
    for (size_t i = 0; chain && i < chain->n; i++) {
        if (chain->stage[i].kind == MV_OTHER || chain->stage[i].kind == MV_NORM)
            return;
        learners += chain->stage[i].kind == MV_LEARN;
    }
    if (!s->plain || learners < 2 || !typical_of(c, y, &t) || t.n != 1 ||
        s->rate * typical_size(&t, 0) < JUMP)
        return;
    ck_find(c, e->node, "training/step-too-long", &y, 1,
            "targets of about %.0f make the gradient of the squared error as large, and "
            "gradient descent with a learning rate of %g diverges to NaN: scale the targets",
            typical_size(&t, 0), s->rate);
}

static void watch_stability(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    struct settings s;
    bool linear;
    if (!loss || lw_str_find(text_tail(loss->name), LW_S("quared")) == LW_NPOS ||
        lw_str_find(text_tail(loss->name), LW_S("ogarithmic")) != LW_NPOS ||
        !settings_of(c, model_trait(e->object, MODEL_OPTIMIZER), &s))
        return;
    if (!learns_from(mv_of_model(c, e->object), &linear) ||
        !check_stability(c, e->node, &s, e->a, linear))
        check_targets(c, e, &s);
}

/* ---- the same in loops of torch and sessions of TensorFlow 1
 * ---------------------------------
 */

static const char loss_key, graph_key, passes_key;

enum { MAX_LOOPS = 16 };

/* How often the loops that are being run go round; 0: not known. */
struct passes {
    double times[MAX_LOOPS];
    unsigned n;
};

static double passes_over(struct ck *c, struct lw_value over)
{
    const struct ck_object *o = ck_as(over, CK_INSTANCE);
    struct lw_value length = o ? ck_trait(o, TRAIT_LENGTH) : lw_v_absent();
    struct lw_seq seq;
    int64_t n;
    if (o)
        return ck_int_of(c, length, &n) ? (double)n : 0;
    if (over.kind == LW_V_TENSOR || !ck_sequence(c, over, &seq))
        return 0;
    if (!seq.open)
        return seq.n;
    return lw_dim_is_int(c->dims, seq.length, &n) ? (double)n : 0;
}

static void watch_passes(struct ck *c, const struct ck_event *e)
{
    struct passes *p = ck_state(c, &passes_key, sizeof *p);
    if (!p)
        return;
    if (!e->flag)
        p->n -= p->n > 0;
    else if (p->n++ < MAX_LOOPS)
        p->times[p->n - 1] = passes_over(c, e->a);
}

/* Steps that a step here stands for; 0: not known. */
static double steps_here(struct ck *c)
{
    const struct passes *p = ck_state(c, &passes_key, sizeof *p);
    double steps = 1;
    for (unsigned i = 0; p && i < p->n; i++)
        steps *= i < MAX_LOOPS ? p->times[i] : 0;
    return p && p->n ? steps : 0;
}

/* The network that a loss is computed of, however it is written; NULL: not known. */
static const struct mv_chain *network_of(struct ck *c, struct lw_value loss)
{
    for (unsigned depth = 0; depth < 8; depth++) {
        const struct ck_origin *o = ck_origin_of(c, loss);
        if (!o || !o->in_count)
            return NULL;
        for (uint32_t i = 0; i < o->in_count && i < 2; i++) {
            const struct mv_chain *chain =
                o->in[i].kind == LW_V_TENSOR ? mv_of_tensor(c, o->in[i]) : NULL;
            if (chain && chain->whole && mv_output_of(c, chain).known)
                return chain;
        }
        loss = o->in[0].kind == LW_V_TENSOR || o->in_count < 2 ? o->in[0] : o->in[1];
    }
    return NULL;
}

/* The same measure as for fit(). Random data shows how to call things, and no loop of a test
 * wants to learn. */
static void check_loop_way(struct ck *c, uint32_t node, const struct settings *s,
                           struct lw_value loss)
{
    const struct ck_origin *o = ck_origin_of(c, loss);
    const struct lw_api *api = o->api ? o->api : o->layer ? o->layer->api : NULL;
    double steps = steps_here(c);
    bool named = api && api->kind == LW_API_LOSS;
    if (steps <= 0 || (!named && !s->adaptive) || ck_shows(c, "call torch.rand*") ||
        ck_shows(c, "name assert*") || ck_shows(c, "name load_state_dict*") ||
        ck_shows(c, "name *pretrained*"))
        return;
    bool bounded = named && !text_is(lw_api_fact(api, "task"), "regression");
    check_way(c, node, s, steps, bounded, least_weight(c, network_of(c, loss)));
}

static void watch_backward(struct ck *c, const struct ck_event *e)
{
    struct lw_value *loss = ck_state(c, &loss_key, sizeof *loss);
    if (loss)
        *loss = e->a;
}

static void watch_step(struct ck *c, const struct ck_event *e)
{
    struct lw_value *loss = ck_state(c, &loss_key, sizeof *loss);
    const struct ck_origin *o = loss ? ck_origin_of(c, *loss) : NULL;
    struct settings s;
    bool linear;
    if (!o || !e->object || !settings_of(c, ck_value(e->object), &s))
        return;
    check_loop_way(c, e->node, &s, *loss);
    if (o->in_count < 2)
        return;
    struct lw_str name = text_tail(o->op);
    if (!text_is(name, "MSELoss") && !text_is(name, "mse_loss"))
        return;
    const struct mv_chain *chain = mv_of_tensor(c, o->in[0]);
    if (chain && chain->n && learns_from(chain, &linear))
        check_stability(c, e->node, &s, chain->stage[0].in, linear);
}

enum { MAX_FED = 4 };

/* A squared error that is minimised by gradient descent, and the placeholders or numbers that
 * are multiplied with its weights. */
struct descent {
    struct ck *c;
    struct settings settings;
    struct lw_value given; /* numbers of the program; ABSENT: none */
    uint32_t fed[MAX_FED]; /* ids */
    size_t n;
    bool squared, bent;
};

static bool visit_error(void *data, struct lw_value v, const struct ck_origin *o)
{
    static const char *const squares[] = {"square", "squared_difference", "pow", "**",
                                          "mean_squared_error"};
    static const char *const products[] = {"*", "@", "matmul", "multiply", "mul"};
    struct descent *d = data;
    (void)v;
    if (!o)
        return true;
    struct lw_str name = text_tail(o->op);
    d->squared |= text_is_any(name, squares, sizeof squares / sizeof *squares);
    d->bent |= o->api && lw_api_fact(o->api, "activation").n > 0;
    if (o->in_count < 2 || !text_is_any(name, products, sizeof products / sizeof *products))
        return true;
    for (int i = 0; i < 2; i++) {
        const struct lw_tensor *w = ck_tensor_of(o->in[i]), *x = ck_tensor_of(o->in[1 - i]);
        struct lw_tensor list;
        if (w && w->variable == LW_TRI_YES && (!x || x->variable == LW_TRI_NO) &&
            ck_to_tensor(d->c, o->in[1 - i], &list) && lineage_known_range(&list) &&
            list.range.lo < list.range.hi)
            d->given = ck_tensor(d->c, &list);
        if (w && x && w->variable == LW_TRI_YES && x->variable != LW_TRI_YES && x->id &&
            d->n < MAX_FED)
            d->fed[d->n++] = x->id;
    }
    return true;
}

static void watch_minimize(struct ck *c, const struct ck_event *e)
{
    struct descent *d = ck_state(c, &graph_key, sizeof *d);
    if (!d || !lw_str_has_suffix(e->call->name, LW_S("Optimizer.minimize")) ||
        !settings_of(c, e->call->self, &d->settings))
        return;
    d->c = c;
    d->n = 0;
    d->given = lw_v_absent();
    d->squared = d->bent = false;
    if (!lineage_walk(c, ck_arg(e->call, 0, "loss"), visit_error, d) || !d->squared || d->bent)
        d->n = 0;
    else if (d->given.kind == LW_V_TENSOR)
        check_stability(c, e->node, &d->settings, d->given, true);
}

static void watch_feed(struct ck *c, const struct ck_event *e)
{
    struct descent *d = ck_state(c, &graph_key, sizeof *d);
    const struct lw_dict *feed;
    struct lw_tensor x;
    if (!d || !d->n || !ck_pairs(ck_arg(e->call, 1, "feed_dict"), &feed))
        return;
    for (uint32_t i = 0; i < feed->n; i++)
        for (size_t k = 0; k < d->n; k++)
            if (feed->keys[i].kind == LW_V_TENSOR && feed->keys[i].tensor->id == d->fed[k] &&
                ck_to_tensor(c, feed->values[i], &x) &&
                check_stability(c, e->node, &d->settings, ck_tensor(c, &x), true))
                d->n = 0; /* once is enough: later runs may only look at the result */
}

const struct ck_rule rules_training_settings[] = {
    {"training/dropout-rate", CK_EV_CALL, watch_kept},
    {"training/step-too-long", CK_EV_CALL, watch_minimize, .calls = "*Optimizer.minimize"},
    {"training/accuracy-on-regression", CK_EV_COMPILE, watch_metrics},
    {"training/early-stopping-inert training/no-patience", CK_EV_FIT, watch_patience},
    {"training/monitor-missing", CK_EV_FIT, watch_monitor},
    {"training/too-few-steps", CK_EV_FIT, watch_steps},
    {"training/step-too-long", CK_EV_FIT, watch_stability},
    {"training/step-too-long training/too-few-steps", CK_EV_LOOP, watch_passes},
    {"training/step-too-long training/too-few-steps", CK_EV_BACKWARD, watch_backward},
    {"training/step-too-long training/too-few-steps", CK_EV_STEP, watch_step},
    {"training/step-too-long", CK_EV_SESSION_RUN, watch_feed},
    {0},
};
