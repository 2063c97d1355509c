/*
 * Rules about what keeps a network from learning: how the signal and the gradient grow or fade
 * through the depth.
 */
#include <math.h>
#include <stdio.h>

#include "base/str.h"
#include "check/engine/traits.h"
#include "check/fix/layers.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/query/notes.h"
#include "check/rules/rules.h"

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

enum {
    DEEP = 3, /* hidden layers below which nothing is said about fading */
};
static const double FADED = 1e-3, GROWN = 1e3; /* of the gradient, root mean square */
static const double BURST = 1e4;               /* of the signal, however few layers */

struct depth {
    unsigned hidden;
    double q;             /* variance of the pre-activations */
    double gain;          /* of the gradient, mean square */
    double by_activation; /* part of `gain` that saturating activations have */
    bool chosen;          /* a random initialiser of a fixed scale takes part, */
    double most;          /* with this gain, */
    struct ck_file *file; /* and was chosen here; NULL: with the layer */
    uint32_t node;
    struct lw_str squashed; /* the activation that has the most part */
    bool reported;
};

static bool is_piecewise_linear(struct lw_str name)
{
    return !name.n || lw_str_eq(name, LW_S("relu")) || lw_str_eq(name, LW_S("leaky")) ||
           lw_str_eq(name, LW_S("relu6"));
}

/* Weights of the stage were drawn with a scale of their own. */
static void choose(struct ck *c, struct depth *d, const struct mv_stage *s, double gain)
{
    const struct ck_origin *o = ck_origin_of(c, s->weight);
    int64_t node;
    if (gain >= 0.5 && gain <= 4)
        return;
    d->chosen = true;
    if (gain <= d->most)
        return;
    d->most = gain;
    d->file = NULL;
    if (o && o->file) {
        d->file = o->file;
        d->node = o->node;
    } else if (s->layer && ck_int_of(c, note_of(s->layer, NOTE_DRAWN), &node)) {
        d->file = c->files.v[0];
        d->node = (uint32_t)node;
    }
}

/* A hidden layer: `s` learns, `name` is the activation behind it. False: not known further. */
static bool go_deeper(struct ck *c, struct depth *d, const struct mv_stage *s,
                      struct lw_str name)
{
    double w = mv_weight_gain(c, s);
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
    if (s->weight.kind == LW_V_TENSOR ||
        (s->layer && note_of(s->layer, NOTE_STD).kind != LW_V_ABSENT) ||
        (s->init.kind != LW_V_ABSENT && s->init.kind != LW_V_NONE))
        choose(c, d, s, w);
    d->hidden++;
    return true;
}

static void report_depth(struct ck *c, struct depth *d, const struct mv_stage *s)
{
    double gain = sqrt(d->gain), part = sqrt(d->by_activation);
    double signal = sqrt(d->q * fmax(1, mv_weight_gain(c, s))); /* what this layer gives */
    if (d->reported || d->hidden < 1 || (d->hidden < 2 && !(d->chosen && signal > BURST)))
        return;
    if ((gain > GROWN && part > GROWN) ||
        (d->chosen && (signal > BURST || (fmax(gain, signal) > GROWN && d->hidden >= DEEP))))
        ck_find_at(
            c, part <= GROWN && d->file ? d->file : s->file,
            part <= GROWN && d->file ? d->node : s->node, "training/exploding-signal", NULL, 0,
            "after %u hidden layer%s%s%.*s the signal and its gradient have grown more than a "
            "thousandfold, and training is likely to diverge%s",
            d->hidden, d->hidden == 1 ? "" : "s", part > GROWN ? " with activation " : "",
            part > GROWN ? (int)d->squashed.n : 0, d->squashed.p ? d->squashed.p : "",
            part > GROWN ? "; use relu or tanh in hidden layers"
                         : "; use an initialiser that scales with the layer width");
    else if (gain < FADED && d->hidden >= DEEP && (part < 0.05 || d->chosen))
        ck_find_at(c, s->file, s->node, "training/vanishing-gradient", NULL, 0,
                   "through %u hidden layers%s%.*s the gradient shrinks to about 1/%.0f, so "
                   "the first layers do not learn; %s",
                   d->hidden, part < 0.05 ? " with activation " : "",
                   part < 0.05 ? (int)d->squashed.n : 0, d->squashed.p ? d->squashed.p : "",
                   fmin(1 / gain, 1e12),
                   part < 0.05 ? "use relu, or normalise between the layers"
                               : "use an initialiser that scales with the layer width");
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

/* ---- networks that are born dead ----------------------------------------------------------
 *
 * A relu layer of n units is 0 for an input with probability 2^-n when its weights are
 * symmetric and its biases 0, and what is behind it is constant then: the gradient is 0
 * everywhere (Lu et al. 2020, "Dying ReLU and Initialization"). Over the depth this adds up to
 * 1 - product of (1 - 2^-n).
 */

static const double LIKELY = 0.2;

static double units_of(struct ck *c, const struct mv_stage *s)
{
    const struct lw_tensor *t = ck_tensor_of(s->out);
    int64_t n = 0;
    if (s->layer && ck_int_of(c, ck_config(s->layer, "units"), &n))
        return (double)n;
    if (t && lw_shape_has_rank(&t->shape) && t->shape.n > 1 &&
        lw_dim_is_int(c->dims, t->shape.d[t->shape.n - 1], &n))
        return (double)n;
    return 0;
}

static void check_dying(struct ck *c, const struct mv_chain *chain)
{
    const struct mv_stage *learner = NULL;
    double alive = 1;
    unsigned layers = 0;
    for (size_t i = 0; chain && chain->whole && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->opaque || s->kind == MV_OTHER || s->kind == MV_NORM)
            return;
        if (s->kind == MV_LEARN &&
            (!lw_str_eq(s->role, LW_S("dense")) ||
             lw_set_within(s->api ? s->api->framework : 0, LW_TORCH) == LW_TRI_YES))
            return;
        learner = s->kind == MV_LEARN ? s : learner;
        if (!learner || !lw_str_eq(s->activation, LW_S("relu")))
            continue;
        double n = units_of(c, learner);
        if (n < 1)
            return;
        alive *= 1 - exp2(-n);
        layers++;
        if (1 - alive < LIKELY || layers < DEEP)
            continue;
        ck_find_at(c, learner->file, learner->node, "training/dying-relu", NULL, 0,
                   "with %u relu layers this narrow, one of them outputs only 0 from the start "
                   "with a probability of %.0f %%, and nothing behind it learns: use wider or "
                   "fewer layers, or leaky relu",
                   layers, 100 * (1 - alive));
        return;
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
        if (learner && mv_is_constant(c, learner)) {
            const struct ck_origin *o = ck_origin_of(c, learner->weight);
            ck_find_at(c, o && o->file ? o->file : learner->file,
                       o && o->file ? o->node : learner->node, "training/constant-initializer",
                       NULL, 0,
                       "all weights of this hidden layer start equal, so its units get equal "
                       "gradients and stay equal: use a random initialiser");
        }
        learner = s;
    }
}

enum { MANY_INPUTS = 8 };

/* A hidden layer of many inputs whose weights are all positive: each unit is about the sum of
 * its inputs, and they differ by no more than 1/sqrt(n) of it. */
static void check_sides(struct ck *c, const struct mv_chain *chain)
{
    const struct mv_stage *learner = NULL;
    for (size_t i = 0; chain && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->kind == MV_OTHER || s->kind == MV_NORM)
            learner = NULL;
        if (s->kind != MV_LEARN)
            continue;
        if (learner && mv_is_one_sided(c, s) && mv_fan_in(c, s) >= MANY_INPUTS) {
            const struct ck_origin *o = ck_origin_of(c, s->weight);
            ck_find_at(
                c, o && o->file ? o->file : s->file, o && o->file ? o->node : s->node,
                "training/one-sided-initializer", NULL, 0,
                "all %.0f weights of each unit start positive, so all units compute nearly the "
                "same sum, which grows from layer to layer: draw them from a distribution "
                "around 0",
                mv_fan_in(c, s));
        }
        learner = s;
    }
}

static bool is_learner(const struct ck_event *e)
{
    const struct lw_api *api = e->call && e->call->api ? e->call->api
                               : e->object             ? e->object->api
                                                       : NULL;
    struct lw_str role = api ? lw_api_fact(api, "role") : (struct lw_str){0};
    return lw_str_eq(role, LW_S("dense")) || lw_str_eq(role, LW_S("conv")) ||
           (e->kind == CK_EV_CALL && lw_str_has_suffix(e->call->name, LW_S("matmul")));
}

static void watch_depth(struct ck *c, const struct ck_event *e)
{
    const struct mv_chain *chain = NULL;
    if (e->kind == CK_EV_OPERATOR && e->op != LW_OP_MAT_MULT)
        return;
    if (e->kind == CK_EV_COMPILE)
        chain = mv_of_model(c, e->object);
    else if (e->value.kind == LW_V_TENSOR && (e->kind == CK_EV_OPERATOR || is_learner(e)))
        chain = mv_of_tensor(c, e->value);
    check_depth(c, chain);
    check_dying(c, chain);
    check_symmetry(c, chain);
    check_sides(c, chain);
}

/* ---- weights that are drawn again ---------------------------------------------------------
 */

/* The node without `.data`. */
static uint32_t without_data(const struct lw_tree *t, uint32_t node)
{
    if (node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_ATTRIBUTE &&
        text_is(lw_tree_name(t, node), "data"))
        return lw_tree_get(t, node, LW_ROLE_VALUE);
    return node;
}

/* X of `X.weight`, `X.weight.data`, `X.bias`; `part` is "weight" or "bias". */
static struct ck_object *owner_of(struct ck *c, uint32_t node, struct lw_str *part)
{
    const struct lw_tree *t = &c->frame->file->tree;
    node = without_data(t, node);
    if (node == LW_NO_NODE || lw_tree_kind(t, node) != LW_NODE_ATTRIBUTE)
        return NULL;
    *part = lw_tree_name(t, node);
    struct ck_object *o = ck_as(ck_eval(c, lw_tree_get(t, node, LW_ROLE_VALUE)), CK_INSTANCE);
    return o && !o->of && o->api ? o : NULL;
}

/* X when the node is p of a loop `for p in X.parameters()`, or of X.named_parameters(). */
static struct ck_object *module_of(struct ck *c, uint32_t node)
{
    static const char *const lists[] = {"parameters", "named_parameters"};
    const struct lw_tree *t = &c->frame->file->tree;
    node = without_data(t, node);
    if (node == LW_NO_NODE || lw_tree_kind(t, node) != LW_NODE_NAME)
        return NULL;
    for (uint32_t loop = syntax_loop_around(t, node); loop != LW_NO_NODE;
         loop = syntax_loop_around(t, loop)) {
        if (lw_tree_kind(t, loop) != LW_NODE_FOR ||
            !syntax_has_name(t, lw_tree_get(t, loop, LW_ROLE_TARGET), lw_tree_name(t, node)))
            continue;
        uint32_t call = lw_tree_get(t, loop, LW_ROLE_ITER);
        uint32_t f = lw_tree_kind(t, call) == LW_NODE_CALL ? lw_tree_get(t, call, LW_ROLE_FUNC)
                                                           : LW_NO_NODE;
        if (f == LW_NO_NODE || lw_tree_kind(t, f) != LW_NODE_ATTRIBUTE ||
            !text_is_any(lw_tree_name(t, f), lists, 2))
            return NULL;
        return ck_as(ck_eval(c, lw_tree_get(t, f, LW_ROLE_VALUE)), CK_INSTANCE);
    }
    return NULL;
}

/* What weights begin with. */
struct drawn {
    bool constant;
    struct lw_value std, gain;
    uint32_t node;
};

enum { MAX_NESTING = 8 };

/* Keeps it with the layer, and those inside; model_view reads it. */
static void note_drawn(struct ck *c, struct ck_object *o, const struct drawn *d, unsigned depth)
{
    bool here = c->frame->file == c->files.v[0];
    struct lw_seq seq;
    if (depth > MAX_NESTING)
        return;
    if (!o->of) {
        note_set(c, o, NOTE_CONSTANT, lw_v_tri(d->constant ? LW_TRI_YES : LW_TRI_NO));
        note_set(c, o, NOTE_STD, d->std);
        note_set(c, o, NOTE_GAIN, d->constant ? lw_v_unknown() : d->gain);
        note_set(c, o, NOTE_DRAWN, here ? ck_int(c, d->node) : lw_v_unknown());
    }
    if (ck_sequence(c, ck_trait(o, TRAIT_ITEMS), &seq))
        for (uint32_t i = 0; i < seq.n; i++) {
            struct ck_object *item = ck_as(seq.items[i], CK_INSTANCE);
            if (item && item != o)
                note_drawn(c, item, d, depth + 1);
        }
    for (struct ck_slot *s = o->of ? o->fields.first : NULL; s; s = s->next) {
        struct ck_object *part = ck_as(s->value, CK_INSTANCE);
        if (part && part != o && part->api)
            note_drawn(c, part, d, depth + 1);
    }
}

/* The deviation of a uniform distribution. */
static struct lw_value spread(struct ck *c, const struct ck_call *call, size_t first,
                              const char *from, const char *to)
{
    struct lw_value a = ck_arg(call, first, from), b = ck_arg(call, first + 1, to);
    double low = 0, high = 1;
    if ((a.kind != LW_V_ABSENT && !ck_number_of(c, a, &low)) ||
        (b.kind != LW_V_ABSENT && !ck_number_of(c, b, &high)))
        return lw_v_unknown();
    return lw_v_float(sqrt((low * low + low * high + high * high) / 3));
}

/* What a function of torch.nn.init, or a method that fills a tensor, does; false: neither. */
static bool drawn_by(struct ck *c, const struct ck_call *call, struct drawn *out)
{
    static const char *const constants[] = {"constant_", "zeros_", "ones_", "fill_", "zero_"};
    bool init = lw_str_has_prefix(call->name, LW_S("torch.nn.init."));
    struct lw_str name = text_tail(call->name);
    *out = (struct drawn){.std = lw_v_absent(), .gain = lw_v_absent(), .node = call->node};
    out->constant = text_is_any(name, constants, 5);
    if (text_is(name, "normal_")) {
        out->std = ck_arg(call, init ? 2 : 1, "std");
        if (out->std.kind == LW_V_ABSENT)
            out->std = lw_v_float(1);
    } else if (text_is(name, "uniform_")) {
        out->std = init ? spread(c, call, 1, "a", "b") : spread(c, call, 0, "from", "to");
    } else if (lw_str_has_prefix(name, LW_S("xavier"))) {
        out->gain = lw_v_float(1);
    } else if (lw_str_has_prefix(name, LW_S("kaiming"))) {
        out->gain = lw_v_float(2);
    } else if (!init && !out->constant) {
        return false;
    }
    return init || lw_str_has_prefix(call->name, LW_S("torch.Tensor."));
}

/* Layers whose biases begin far below 0. */
enum { MAX_LOW = 32 };
struct low_biases {
    struct {
        const struct ck_object *layer;
        struct ck_file *file;
        uint32_t node;
        double bias;
    } v[MAX_LOW];
    size_t n;
};

static const char low_key;

static void note_low(struct ck *c, const struct ck_object *layer, uint32_t node, double bias)
{
    struct low_biases *low = ck_state(c, &low_key, sizeof *low);
    if (!low || low->n == MAX_LOW)
        return;
    low->v[low->n].layer = layer;
    low->v[low->n].file = c->frame->file;
    low->v[low->n].node = node;
    low->v[low->n++].bias = bias;
}

/* relu(layer(x)); what has such a bias at the end, as a detector has, gives few objects. */
static void watch_relu(struct ck *c, const struct ck_event *e)
{
    const struct low_biases *low = ck_state(c, &low_key, sizeof *low);
    const struct ck_origin *o =
        low && low->n && e->call ? ck_origin_of(c, lineage_operand(e->call)) : NULL;
    for (size_t i = 0; o && o->layer && i < low->n; i++)
        if (low->v[i].layer == o->layer)
            ck_find_at(c, low->v[i].file, low->v[i].node, "training/dying-relu", NULL, 0,
                       "a bias of %g keeps relu at 0 for ordinary inputs from the start: use 0",
                       low->v[i].bias);
}

static void watch_init(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct lw_str part = {0};
    struct drawn d;
    double x = 0;
    if (!lw_str_has_suffix(e->call->name, LW_S("_")) || !drawn_by(c, e->call, &d))
        return;
    bool method = lw_str_has_prefix(e->call->name, LW_S("torch.Tensor."));
    if (!method && !e->call->n)
        return;
    uint32_t weight = method ? syntax_owner(t, e->node) : e->call->args[0].node;
    struct ck_object *o = owner_of(c, weight, &part), *all = o ? NULL : module_of(c, weight);
    if (all)
        note_drawn(c, all, &d, 0);
    if (!o)
        return;
    struct lw_value value =
        ck_arg(e->call, method ? 0 : 1, method ? "value" : "val"); /* of constant_, fill_ */
    if (text_is(part, "bias") && d.constant && ck_number_of(c, value, &x) && x <= -2)
        note_low(c, o, e->node, x);
    if (text_is(part, "weight"))
        note_drawn(c, o, &d, MAX_NESTING);
}

/* ---- layers that begin at 0 ----------------------------------------------------------------
 */

/* m.weight, m.weight.data */
static bool is_weight(struct lw_str text)
{
    ptrdiff_t dot = lw_str_find_char(text, '.');
    if (dot <= 0 || !syntax_is_name(lw_str_n(text.p, (size_t)dot)))
        return false;
    struct lw_str rest = lw_str_from(text, (size_t)dot);
    return text_is(rest, ".weight") || text_is(rest, ".weight.data");
}

static bool is_zero(struct lw_str text)
{
    return text_is(text, "0") || text_is(text, "0.") || text_is(text, "0.0");
}

/* w.fill_(0), w.zero_(), init.zeros_(w), init.constant_(w, 0) of a weight */
static bool is_zeroing(const struct lw_tree *t, uint32_t call)
{
    uint32_t owner = syntax_owner(t, call);
    if (owner == LW_NO_NODE)
        return false;
    struct lw_str name = lw_tree_name(t, lw_tree_get(t, call, LW_ROLE_FUNC));
    uint32_t first = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    uint32_t second = first == LW_NO_NODE ? first : lw_tree_each(t, call, LW_ROLE_ARGS, first);
    struct lw_str none = {0};
    struct lw_str a = first == LW_NO_NODE ? none : lw_tree_text(t, first);
    struct lw_str b = second == LW_NO_NODE ? none : lw_tree_text(t, second);
    if (text_is(name, "zero_"))
        return is_weight(lw_tree_text(t, owner));
    if (text_is(name, "fill_"))
        return is_weight(lw_tree_text(t, owner)) && is_zero(a);
    return (text_is(name, "zeros_") && is_weight(a)) ||
           (text_is(name, "constant_") && is_weight(a) && is_zero(b));
}

/* The condition of the nearest `if` or `elif` whose block the node is in. */
static struct lw_str condition_of(const struct lw_tree *t, uint32_t node)
{
    for (uint32_t n = node, up = lw_tree_parent(t, n); up != LW_NO_NODE;
         n = up, up = lw_tree_parent(t, up)) {
        enum lw_node_kind kind = lw_tree_kind(t, up);
        if (kind == LW_NODE_FUNCTION)
            break;
        if ((kind == LW_NODE_IF || kind == LW_NODE_ELIF) &&
            (enum lw_role)lw_tree_node(t, n)->role == LW_ROLE_BODY)
            return lw_tree_text(t, lw_tree_get(t, up, LW_ROLE_TEST));
    }
    return (struct lw_str){0};
}

/* nn.Conv2d, classname.find("Conv"): and not ConvNextGRN */
static bool is_kind(struct lw_str test, const char *kind)
{
    static const char *const ways[] = {"nn.%s", "'%s", "\"%s"};
    char word[32];
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        snprintf(word, sizeof word, ways[i], kind);
        if (text_says(test, word))
            return true;
    }
    return false;
}

/* if isinstance(m, nn.Conv2d): m.weight.data.fill_(0), in a loop over modules or a function
 * that apply() gets. All units of a layer compute the same then, and nothing comes back through
 * the layer. Read from the text: the module may be anything. */
static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    (void)e;
    if (!ck_file_shows(c, file, "name *torch*") ||
        !ck_file_shows(c, file, "attribute weight*") ||
        (!ck_file_shows(c, file, "call fill_") && !ck_file_shows(c, file, "call *zero_") &&
         !ck_file_shows(c, file, "call *zeros_") && !ck_file_shows(c, file, "call *constant_")))
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_CALL || !is_zeroing(t, n))
            continue;
        struct lw_str test = condition_of(t, n);
        uint32_t f = lw_tree_enclosing(t, n, LW_NODE_FUNCTION);
        struct lw_str whole = lw_tree_text(t, f == LW_NO_NODE ? t->root : f);
        /* the one linear layer of a convolutional network is its last: it may begin at 0 */
        bool all =
            is_kind(test, "Conv") || (is_kind(test, "Linear") && !text_says(whole, "Conv"));
        bool asks = text_says(test, "isinstance") || text_says(test, ".find(") ||
                    text_says(test, "type(") || text_says(test, " in ");
        if (!all || !asks || text_says(test, "Norm") || text_says(whole, "ixup") ||
            text_says(whole, "zero_init"))
            continue;
        ck_find_at(c, file, n, "training/constant-initializer", NULL, 0,
                   "the weights of all these layers start at 0, so their units stay equal and "
                   "pass no gradient: draw them at random");
    }
}

static void make_random_init(struct fix *f)
{
    fix_drop_argument(f, "kernel_initializer");
}

/* The rules share what they note about a program: each of them needs all. */
#define OURS                                                                       \
    "training/constant-initializer training/dying-relu training/exploding-signal " \
    "training/one-sided-initializer training/vanishing-gradient"

const struct ck_rule rules_training_initializers[] = {
    {OURS, CK_EV_LAYER | CK_EV_CALL | CK_EV_OPERATOR | CK_EV_COMPILE, watch_depth},
    {OURS, CK_EV_CALL, watch_init, .calls = "*_"},
    {"training/dying-relu", CK_EV_CALL, watch_relu, .calls = ".relu .relu_"},
    {"training/dying-relu", CK_EV_LAYER, watch_relu, .calls = "torch.nn.ReLU"},
    {"training/constant-initializer", CK_EV_END, watch_end, make_random_init},
    {0},
};
