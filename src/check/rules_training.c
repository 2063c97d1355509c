/*
 * Rules about what keeps a network from learning: how the signal and the gradient grow or fade
 * through the depth, and the learning rate.
 */
#include <math.h>

#include "base/num.h"
#include "base/str.h"
#include "check/model_view.h"
#include "check/rules.h"

/* ---- the gain through the depth -----------------------------------------------------------
 *
 * Mean field theory of wide networks (Poole et al. 2016, Schoenholz et al. 2017): with weights
 * of variance s/fan_in, pre-activations of layer l are normal with variance
 *     q[l] = s E[phi(z)^2],  z ~ N(0, q[l-1]),  q[0] = 1 for inputs of unit size
 * and a gradient is multiplied, in mean square, by chi[l] = s E[phi'(z)^2] on its way back. One
 * computation covers sigmoid stacks, exponential activations and initialisers of a wrong scale.
 */

static double phi(struct lw_str name, double z)
{
    if (lw_str_eq(name, LW_S("sigmoid")))
        return 1 / (1 + exp(-z));
    if (lw_str_eq(name, LW_S("hard_sigmoid")))
        return fmin(1, fmax(0, 0.2 * z + 0.5));
    if (lw_str_eq(name, LW_S("tanh")))
        return tanh(z);
    if (lw_str_eq(name, LW_S("softsign")))
        return z / (1 + fabs(z));
    if (lw_str_eq(name, LW_S("relu")))
        return fmax(0, z);
    if (lw_str_eq(name, LW_S("relu6")))
        return fmin(6, fmax(0, z));
    if (lw_str_eq(name, LW_S("leaky")))
        return z < 0 ? 0.1 * z : z;
    if (lw_str_eq(name, LW_S("elu")))
        return z < 0 ? exp(z) - 1 : z;
    if (lw_str_eq(name, LW_S("selu")))
        return 1.0507 * (z < 0 ? 1.67326 * (exp(z) - 1) : z);
    if (lw_str_eq(name, LW_S("softplus")))
        return fmax(z, 0) + log1p(exp(-fabs(z)));
    if (lw_str_eq(name, LW_S("gelu")))
        return z * 0.5 * erfc(-z * 0.70710678118654752);
    if (lw_str_eq(name, LW_S("exp")))
        return exp(z);
    return name.n ? NAN : z;
}

struct moments {
    double value, slope; /* E[phi^2], E[phi'^2] */
};

static struct moments moments_of(struct lw_str name, double q)
{
    struct moments m = {0, 0};
    double scale = sqrt(q), sum = 0, h = 1e-4;
    for (int i = -100; i <= 100; i++) {
        double u = i * 0.08, w = exp(-u * u / 2), z = scale * u;
        double y = phi(name, z), d = (phi(name, z + h) - phi(name, z - h)) / (2 * h);
        sum += w;
        m.value += w * y * y;
        m.slope += w * d * d;
    }
    m.value /= sum;
    m.slope /= sum;
    return m;
}

/* Inputs that one unit adds up; 0: not known. */
static double fan_in_of(struct ck *c, const struct mv_stage *s)
{
    const struct lw_tensor *t = ck_tensor_of(s->in);
    struct lw_value kernel = s->layer ? ck_config(s->layer, "kernel_size") : lw_v_absent();
    struct lw_seq seq;
    int64_t n, k;
    if (!t || !lw_shape_has_rank(&t->shape) || !t->shape.n ||
        !lw_dim_is_int(c->dims, t->shape.d[t->shape.n - 1], &n))
        return 0;
    double fan = (double)n;
    if (lw_str_eq(s->role, LW_S("dense")))
        return fan;
    if (ck_int_of(c, kernel, &k) && t->shape.n > 2)
        return fan * pow((double)k, (double)t->shape.n - 2);
    if (!ck_sequence(c, kernel, &seq) || seq.open)
        return 0;
    for (uint32_t i = 0; i < seq.n; i++) {
        if (!ck_int_of(c, seq.items[i], &k))
            return 0;
        fan *= (double)k;
    }
    return fan;
}

/* s = variance of the weights times fan_in; negative: not known. */
static double weight_gain(struct ck *c, const struct mv_stage *s)
{
    struct lw_value init = s->init;
    if (init.kind == LW_V_ABSENT || init.kind == LW_V_NONE)
        return lw_set_within(s->api ? s->api->framework : 0, LW_TORCH) == LW_TRI_YES ? 1.0 / 3
                                                                                     : 1;
    const struct lw_api *api = mv_entry(c, init, "initializer");
    double a = 0, b = 0, fan = fan_in_of(c, s);
    if (!api)
        return -1;
    ptrdiff_t dot = lw_str_find_last_char(api->name, '.');
    struct lw_str name = lw_str_part(api->name, (size_t)(dot + 1), api->name.n);
    if (lw_str_has_prefix(name, LW_S("Glorot")) || lw_str_has_prefix(name, LW_S("Lecun")))
        return 1;
    if (lw_str_has_prefix(name, LW_S("He")))
        return 2;
    if (lw_str_eq(name, LW_S("VarianceScaling")) && mv_number(c, init, api, "scale", &a))
        return a;
    if (lw_str_eq(name, LW_S("Orthogonal")) && mv_number(c, init, api, "gain", &a))
        return a * a;
    if (fan > 0 && lw_str_eq(name, LW_S("RandomNormal")) &&
        mv_number(c, init, api, "stddev", &a))
        return a * a * fan;
    if (fan > 0 && lw_str_eq(name, LW_S("TruncatedNormal")) &&
        mv_number(c, init, api, "stddev", &a))
        return 0.774 * a * a * fan;
    if (fan > 0 && lw_str_eq(name, LW_S("RandomUniform")) &&
        mv_number(c, init, api, "minval", &a) && mv_number(c, init, api, "maxval", &b))
        return (a * a + a * b + b * b) / 3 * fan;
    return -1;
}

enum {
    DEEP = 3, /* hidden layers below which nothing is said about fading */
};
static const double FADED = 1e-3, GROWN = 1e3; /* of the gradient, root mean square */

struct depth {
    unsigned hidden;
    double q;               /* variance of the pre-activations */
    double gain;            /* of the gradient, mean square */
    double by_activation;   /* part of `gain` that saturating activations have */
    bool chosen;            /* a random initialiser of a fixed scale takes part */
    struct lw_str squashed; /* the activation that has the most part */
    bool reported;
};

static bool is_piecewise_linear(struct lw_str name)
{
    return !name.n || lw_str_eq(name, LW_S("relu")) || lw_str_eq(name, LW_S("leaky")) ||
           lw_str_eq(name, LW_S("relu6"));
}

/* A hidden layer: `s` learns, `name` is the activation behind it. False: not known further. */
static bool go_deeper(struct ck *c, struct depth *d, const struct mv_stage *s,
                      struct lw_str name)
{
    double w = weight_gain(c, s);
    if (w <= 0 || lw_str_eq(name, LW_S("softmax")))
        return false;
    d->q *= w;
    struct moments m = moments_of(name, d->q);
    if (isnan(m.value) || isnan(m.slope)) {
        if (!lw_str_eq(name, LW_S("exp")))
            return false;
        m = (struct moments){INFINITY, INFINITY};
    }
    d->q = fmin(m.value, 1e30);
    /* The weights of the first layer are before the place where its gradient is taken. */
    d->gain *= (d->hidden ? w : 1) * fmin(m.slope, 1e30);
    if (!is_piecewise_linear(name)) {
        d->by_activation *= fmin(m.slope, 1e30);
        d->squashed = name;
    }
    if (s->init.kind != LW_V_ABSENT && s->init.kind != LW_V_NONE)
        d->chosen |= w < 0.5 || w > 4;
    d->hidden++;
    return true;
}

static void report_depth(struct ck *c, struct depth *d, const struct mv_stage *s)
{
    double gain = sqrt(d->gain), part = sqrt(d->by_activation);
    if (d->reported || d->hidden < 2)
        return;
    if (gain > GROWN && (part > GROWN || (d->chosen && d->hidden >= DEEP)))
        ck_find_at(c, s->file, s->node, "training/exploding-signal", NULL, 0,
                   "behind %u hidden layers%s%.*s the signal and its gradient have grown more "
                   "than a thousandfold: values overflow%s",
                   d->hidden, part > GROWN ? " with activation " : "",
                   part > GROWN ? (int)d->squashed.n : 0, d->squashed.p ? d->squashed.p : "",
                   part > GROWN ? "; use relu or tanh in hidden layers"
                                : "; the initialiser's scale does not fit the width");
    else if (gain < FADED && d->hidden >= DEEP && (part < 0.05 || d->chosen))
        ck_find_at(c, s->file, s->node, "training/vanishing-gradient", NULL, 0,
                   "through %u hidden layers%s%.*s the gradient fades to about 1/%.0f: the "
                   "first layers do not learn; %s",
                   d->hidden, part < 0.05 ? " with activation " : "",
                   part < 0.05 ? (int)d->squashed.n : 0, d->squashed.p ? d->squashed.p : "",
                   fmin(1 / gain, 1e12),
                   part < 0.05 ? "use relu, or normalise between the layers"
                               : "the initialiser's scale does not fit the width");
    else
        return;
    d->reported = true;
}

/* Walks the chain; a finding is at the learning layer that is too far behind the first. */
static void check_depth(struct ck *c, const struct mv_chain *chain)
{
    struct depth d = {.q = 1, .gain = 1, .by_activation = 1};
    const struct mv_stage *learner = NULL;
    struct lw_str active = {0};
    if (!chain || !chain->whole)
        return;
    for (size_t i = 0; i < chain->n && !d.reported; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->opaque || s->kind == MV_OTHER || s->kind == MV_NORM)
            return;
        if (s->kind == MV_LEARN) {
            if (learner && !go_deeper(c, &d, learner, active))
                return;
            learner = s;
            active = s->activation;
            report_depth(c, &d, s);
        } else if (s->kind == MV_ACTIVATE && learner) {
            if (active.n)
                return; /* two in a row: not a case for this theory */
            active = s->activation;
        }
    }
}

/* A hidden layer whose weights all begin equal: its units stay equal. */
static void check_symmetry(struct ck *c, const struct mv_chain *chain)
{
    const struct mv_stage *learner = NULL;
    for (size_t i = 0; chain && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->kind == MV_OTHER)
            learner = NULL;
        if (s->kind != MV_LEARN)
            continue;
        const struct lw_api *init = learner ? mv_entry(c, learner->init, "initializer") : NULL;
        if (init && lw_str_eq(lw_api_fact(init, "constant"), LW_S("yes")))
            ck_find_at(c, learner->file, learner->node, "training/constant-initializer", NULL,
                       0,
                       "all weights of this hidden layer begin equal: its units get the same "
                       "gradient and stay equal; use a random initialiser");
        learner = s;
    }
}

static bool is_learner(const struct ck_event *e)
{
    const struct lw_api *api = e->call && e->call->api ? e->call->api
                               : e->object             ? e->object->api
                                                       : NULL;
    struct lw_str role = api ? lw_api_fact(api, "role") : (struct lw_str){0};
    return lw_str_eq(role, LW_S("dense")) || lw_str_eq(role, LW_S("conv"));
}

static void watch_depth(struct ck *c, const struct ck_event *e)
{
    const struct mv_chain *chain = NULL;
    if (e->kind == CK_EV_COMPILE)
        chain = mv_of_model(c, e->object);
    else if (e->value.kind == LW_V_TENSOR && is_learner(e))
        chain = mv_of_tensor(c, e->value);
    check_depth(c, chain);
    check_symmetry(c, chain);
}

/* ---- learning rate ------------------------------------------------------------------------
 */

static bool fact_number(const struct lw_api *api, const char *key, double *out)
{
    struct lw_str text = lw_api_fact(api, key);
    return text.n && lw_parse_double(text, out);
}

static void watch_rate(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *api = e->call->api;
    double rate, low, high;
    if (!api || api->kind != LW_API_OPTIMIZER || e->call->self.kind == CK_INSTANCE)
        return;
    struct lw_str param = lw_api_fact(api, "lr");
    char name[32];
    if (!param.n || param.n >= sizeof name)
        return;
    for (size_t i = 0; i <= param.n; i++)
        name[i] = i < param.n ? param.p[i] : '\0';
    struct lw_value v = ck_slot_value(e->call, name);
    if (!ck_number_of(c, v, &rate) || rate == 0)
        return;
    if (fact_number(api, "lr-high", &high) && rate > high)
        ck_find(c, e->node, "training/learning-rate-high", NULL, 0,
                "a learning rate of %g is far above what %.*s is used with (up to %g): the "
                "loss jumps or diverges",
                rate, LW_F(api->name), high);
    else if (fact_number(api, "lr-low", &low) && rate < low)
        ck_find(c, e->node, "training/learning-rate-low", NULL, 0,
                "a learning rate of %g is far below what %.*s is used with (from %g): nothing "
                "is learnt in reasonable time",
                rate, LW_F(api->name), low);
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
    const struct lw_api *loss = mv_entry(c, ck_field(c, e->object, "(loss)"), "loss");
    struct lw_value metrics = ck_field(c, e->object, "(metrics)");
    struct lw_seq seq;
    if (!loss || !lw_str_eq(lw_api_fact(loss, "task"), LW_S("regression")) ||
        !ck_sequence(c, metrics, &seq))
        return;
    for (uint32_t i = 0; i < seq.n; i++)
        if (is_accuracy(seq.items[i])) {
            ck_find(c, e->node, "training/accuracy-on-regression", NULL, 0,
                    "accuracy counts classes that were hit, but %.*s is a loss of regression: "
                    "use a cross-entropy to classify, or mean absolute error to judge",
                    LW_F(loss->name));
            return;
        }
}

/* ---- early stopping -----------------------------------------------------------------------
 */

/* It waits for longer than there are epochs. */
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
            !ck_int_of(c, ck_config(o, "patience"), &patience) || patience < epochs)
            continue;
        ck_find(c, e->node, "training/early-stopping-inert", NULL, 0,
                "EarlyStopping waits for %lld epochs without progress, but there are only "
                "%lld: it never stops anything",
                (long long)patience, (long long)epochs);
    }
}

const struct ck_rule ck_rules_training[] = {
    {CK_EV_LAYER | CK_EV_CALL | CK_EV_COMPILE, watch_depth},
    {CK_EV_COMPILE, watch_metrics},
    {CK_EV_FIT, watch_patience},
    {CK_EV_CALL, watch_rate},
    {0, NULL},
};
