/*
 * Rules about the end of a network: the last layer, its activation and its width against the
 * loss and the targets; and about networks that are one linear map.
 */
#include <math.h>

#include "base/str.h"
#include "check/fix/layers.h"
#include "check/models/module.h"
#include "check/models/traits.h"
#include "check/query/amounts.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/rules/rules.h"

static bool is(struct lw_str a, const char *b)
{
    return text_is(a, b);
}

/* ---- output against loss ------------------------------------------------------------------
 */

struct pairing {
    const struct lw_api *loss;
    struct lw_str wants, task, target;
    bool logits; /* from_logits=True */
    struct mv_output out;
    const struct mv_stage *stage; /* to blame */
};

static bool is_rectified(struct lw_str name)
{
    return is(name, "relu") || is(name, "relu6");
}

static void blame(struct ck *c, const struct pairing *p, const char *rule, const char *message)
{
    const struct mv_stage *s = p->stage;
    struct lw_value cause = s->out;
    ck_hint(c, (struct ck_hint){.object = s->layer,
                                .meant = is(p->task, "multiclass") ? LW_S("softmax")
                                         : is(p->task, "binary")   ? LW_S("sigmoid")
                                                                   : (struct lw_str){0},
                                .was = p->out.activation});
    ck_find_at(c, s->file, s->node, rule, &cause, cause.kind == LW_V_TENSOR, "%s", message);
}

static const char *const WANTS_LOGARITHMS =
    "the loss expects log-probabilities: apply log_softmax first, or use cross-entropy, which "
    "expects logits";

/* The loss takes probabilities of classes. */
static void check_probabilities(struct ck *c, const struct pairing *p)
{
    struct lw_str act = p->out.activation;
    bool multi = is(p->task, "multiclass"), binary = is(p->task, "binary");
    if (is(p->task, "distribution") && (!act.n || is_rectified(act) || is(act, "tanh")))
        blame(c, p, "architecture/loss-activation",
              "the loss compares probability distributions, but this output is not one: use "
              "softmax, or a regression loss");
    if (!multi && !binary)
        return;
    if (!act.n)
        blame(c, p, "architecture/logits-into-probability-loss",
              multi ? "the loss expects probabilities, but the last layer has no activation: "
                      "use softmax, or a loss that expects logits"
                    : "the loss expects probabilities, but the last layer has no activation: "
                      "use sigmoid, or a loss that expects logits");
    else if (is_rectified(act) || is(act, "tanh"))
        blame(
            c, p, "architecture/loss-activation",
            multi ? "the loss expects probabilities, which this activation does not produce: "
                    "use softmax"
            : p->out.width > 1
                ? "the loss expects probabilities, which this activation does not produce: use "
                  "sigmoid, or softmax and categorical cross-entropy if a sample has one class"
                : "the loss expects probabilities, which this activation does not produce: use "
                  "sigmoid");
    else if (multi && is(act, "sigmoid") && p->out.width != 1)
        blame(c, p, "architecture/loss-activation",
              "a categorical loss expects probabilities that add up to 1: use softmax instead "
              "of sigmoid, or binary cross-entropy if a sample has several labels");
    else if (binary && is(act, "softmax") && p->out.width > 2)
        blame(c, p, "architecture/loss-activation",
              "binary cross-entropy treats each unit separately, but softmax makes them add up "
              "to 1: use sigmoid, or categorical cross-entropy if a sample has one class");
    if (multi && p->out.width == 1 && !is(act, "softmax"))
        blame(c, p, "architecture/loss-width",
              "a categorical loss over one unit is constant: use binary cross-entropy, or one "
              "unit per class");
}

static void check_pairing(struct ck *c, const struct pairing *p)
{
    struct lw_str act = p->out.activation;
    bool dense = is(p->out.learner->role, "dense");
    if (is(p->wants, "probabilities") && !p->logits)
        check_probabilities(c, p);
    else if (is(p->wants, "log-probabilities") &&
             (!act.n || is(act, "softmax") || is(act, "sigmoid") || is(act, "tanh") ||
              is_rectified(act)))
        blame(c, p, "architecture/logits-into-probability-loss", WANTS_LOGARITHMS);
    else if ((is(p->wants, "logits") || p->logits) && is(p->task, "multiclass") &&
             p->out.width == 1)
        blame(c, p, "architecture/loss-width",
              "a categorical loss over one unit is constant: use binary cross-entropy, or one "
              "unit per class");
    else if (is(p->task, "regression") && is(act, "softmax") && p->out.width != 1)
        blame(c, p, "architecture/loss-activation",
              "softmax produces class probabilities, but this is a regression loss: use "
              "categorical cross-entropy");
    else if (is(p->task, "regression") && is_rectified(act) && dense && p->out.width == 1)
        blame(c, p, "architecture/relu-output",
              "relu on the output of a regression removes negative values, and the unit can "
              "die: make the last layer linear");
    else if ((is(p->wants, "logits") || p->logits) && is_rectified(act) &&
             (dense || is(p->out.learner->role, "conv")))
        blame(c, p, "architecture/relu-output",
              "the loss expects logits, but relu removes the negative ones: make the last "
              "layer linear");
}

static void make_linear_output(struct fix *f)
{
    if (!f->hint->was.n)
        return;
    fix_say(f, "remove the activation of the last layer");
    fix_remove_activation(f, f->node, f->hint->object, f->hint->was);
}

/* Learning layers that go on without an activation, again and again: `bare` counts those that
 * another learning layer follows, `bent` those with an activation. Normalisation and pooling
 * between do not replace it, but layers that are not known may. */
static bool check_bare(struct ck *c, const struct mv_chain *chain)
{
    const struct mv_stage *learner = NULL, *first = NULL;
    size_t bare = 0, bent = 0;
    bool active = true;
    for (size_t i = 0; i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->opaque || s->kind == MV_OTHER || s->kind == MV_NORM)
            return false;
        if (s->kind == MV_LEARN) {
            if (learner && active)
                bent++;
            else if (learner && ++bare == 1)
                first = learner;
            learner = s;
            active = false;
        }
        active |= s->activation.n > 0;
    }
    if (!first || bare < 2 || bare <= bent)
        return false;
    ck_find_at(c, first->file, first->node, "architecture/missing-activation", NULL, 0,
               "%zu of %zu hidden layers have no activation, and linear layers in a row are no "
               "better than one: put relu between them",
               bare, bare + bent);
    return true;
}

/* Two layers without bias: a table of vectors and its counterpart, as in word2vec. */
static bool is_factorised(const struct mv_chain *chain)
{
    size_t learners = 0;
    for (size_t i = 0; i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->kind != MV_LEARN)
            continue;
        struct lw_value torch = s->layer ? ck_config(s->layer, "bias") : lw_v_absent();
        struct lw_value keras = s->layer ? ck_config(s->layer, "use_bias") : lw_v_absent();
        if ((torch.kind != LW_V_BOOL || torch.tri != LW_TRI_NO) &&
            (keras.kind != LW_V_BOOL || keras.tri != LW_TRI_NO))
            return false;
        learners++;
    }
    return learners == 2;
}

/* A network of several learning layers in which nothing bends the signal. */
static bool check_linear(struct ck *c, const struct mv_chain *chain)
{
    const struct mv_stage *last = NULL;
    size_t learners = 0;
    for (size_t i = 0; chain->whole && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        bool next = s->kind == MV_LEARN;
        if (s->opaque || s->kind == MV_OTHER || s->kind == MV_POOL)
            return false;
        if (s->activation.n) /* that of the output does not count */
            break;
        learners += next;
        last = next ? s : last;
        if (i + 1 == chain->n)
            break;
    }
    if (!last || learners < 2 || is_factorised(chain))
        return false;
    for (const struct mv_stage *s = last + 1; s < chain->stage + chain->n; s++)
        if (s->kind == MV_LEARN || s->kind == MV_OTHER)
            return false; /* an activation, and more behind it */
    ck_find_at(c, last->file, last->node, "architecture/missing-activation", NULL, 0,
               "%zu layers without an activation between them are equal to one linear layer: "
               "put an activation such as relu between them",
               learners);
    return true;
}

/* Features of a tensor, else as the layer says that has them as `param`; 0: not known. */
static int64_t features(struct ck *c, struct lw_value v, const struct mv_stage *s,
                        const char *param)
{
    const struct lw_tensor *t = ck_tensor_of(v);
    int64_t n = 0;
    if (t && lw_shape_has_rank(&t->shape) && t->shape.n >= 2 &&
        lw_dim_is_int(c->dims, t->shape.d[t->shape.n - 1], &n))
        return n;
    if ((t && lw_shape_has_rank(&t->shape)) || !s->layer)
        return 0;
    if (ck_int_of(c, ck_config(s->layer, param), &n))
        return n;
    return is(lw_str(param), "out_features") && ck_int_of(c, ck_config(s->layer, "units"), &n)
               ? n
               : 0;
}

/* A convolution of Keras that looks at more than one point. Those of torch have their
 * activation elsewhere more often than not, and in generators of images none is meant. */
static bool is_wide_conv(struct ck *c, const struct mv_stage *s)
{
    struct lw_value kernel = s->layer && s->kind == MV_LEARN && is(s->role, "conv")
                                 ? ck_config(s->layer, "kernel_size")
                                 : lw_v_absent();
    struct lw_seq seq;
    int64_t n = 0;
    if (ck_sequence(c, kernel, &seq) && seq.n && !seq.open)
        kernel = seq.items[0];
    return ck_int_of(c, kernel, &n) && n > 1 && s->api &&
           lw_str_has_prefix(s->api->name, LW_S("keras."));
}

static bool is_bare_conv(struct ck *c, const struct mv_stage *s)
{
    return is_wide_conv(c, s) && !s->activation.n && !s->opaque;
}

/* A dense layer that another follows without an activation. The product of the two has rank
 * min(in, width, out): when the width is not the least of them the layer restricts nothing and
 * adds nothing; when it is, the layer is a bottleneck, which may be meant. */
static void check_redundant(struct ck *c, const struct mv_chain *chain)
{
    const struct mv_stage *before = NULL;
    for (size_t i = 0; chain && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        bool dense = s->kind == MV_LEARN && is(s->role, "dense");
        if (dense && before) {
            int64_t in = features(c, before->in, before, "in_features");
            int64_t width = features(c, before->out, before, "out_features");
            int64_t out = features(c, s->out, s, "out_features");
            struct lw_str from = in > 0 ? ck_text(c, " from %lld", (long long)in) : LW_S("");
            bool probes =
                in <= 0 && ck_shows(c, "attribute trainable=False"); /* what others made */
            if (width > 1 && out > 0 && !probes && ((in > 0 && width >= in) || width >= out))
                ck_find_at(c, before->file, before->node, "architecture/redundant-layer", NULL,
                           0,
                           "this layer and the next are equal to one linear layer%.*s to %lld "
                           "features, and the %lld features between them add nothing: put an "
                           "activation between them",
                           LW_F(from), (long long)out, (long long)width);
        }
        if (is_bare_conv(c, s) && i + 1 < chain->n && is_wide_conv(c, &chain->stage[i + 1]))
            ck_find_at(c, s->file, s->node, "architecture/redundant-layer", NULL, 0,
                       "this convolution and the next are equal to one linear filter: put an "
                       "activation between them");
        if (dense)
            before = s->activation.n == 0 && !s->opaque ? s : NULL;
        else if (s->kind != MV_KEEP || s->opaque)
            before = NULL;
    }
}

/* fc1 and fc2, fc1 and fc_out: names of layers that are to be different ones. */
static bool are_steps(struct lw_str a, struct lw_str b)
{
    static const char *const stems[] = {"fc", "lin", "dense", "mlp", "layer"};
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++)
        if (lw_str_has_prefix(a, lw_str(stems[i])) && lw_str_has_prefix(b, lw_str(stems[i])) &&
            a.p[a.n - 1] >= '0' && a.p[a.n - 1] <= '9')
            return true;
    return false;
}

static struct lw_str field_name(struct ck *c, const struct ck_object *o,
                                const struct ck_object *part)
{
    for (const struct ck_slot *s = o->fields.first; s; s = s->next)
        if (ck_as(s->value, CK_INSTANCE) == part)
            return heap_name(&c->heap, s->name);
    return (struct lw_str){0};
}

static bool is_linear(const struct ck_object *o)
{
    return o && !o->of && o->api && is(o->api->name, "torch.nn.Linear");
}

/* fc2(fc1(x)) + x: a step of a residual stream may be of low rank. */
static bool is_added(const struct lw_tree *t, uint32_t call)
{
    uint32_t up = call == LW_NO_NODE ? call : lw_tree_parent(t, call);
    return up != LW_NO_NODE && lw_tree_kind(t, up) == LW_NODE_BIN_OP &&
           lw_tree_node(t, up)->op == LW_OP_ADD;
}

/* self.fc2(self.fc1(x)) in a module that nothing trains here and whose sizes are parameters: by
 * their names they are steps of a network, and not the halves of one matrix. */
static void watch_linear_pair(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *self = ck_as(c->frame->self, CK_INSTANCE);
    const struct ck_origin *o = e->call->n ? ck_origin_of(c, e->call->args[0].value) : NULL;
    int64_t width;
    if (!is_linear(e->object) || !o || !is_linear(o->layer) || !self || !self->of ||
        !ck_is_torch_module(c, self) || o->layer == e->object || o->file != c->frame->file ||
        ck_int_of(c, ck_config(e->object, "out_features"), &width) ||
        is_added(&c->frame->file->tree, e->node) ||
        !are_steps(field_name(c, self, o->layer), field_name(c, self, e->object)))
        return;
    ck_find_at(c, o->file, o->node, "architecture/redundant-layer", NULL, 0,
               "this layer and the next are equal to one linear layer: put an activation "
               "between them");
}

static void check_output(struct ck *c, const struct mv_chain *chain, const struct lw_api *loss,
                         struct lw_value from_logits)
{
    if (!chain || c->frame->guarded)
        return;
    struct pairing p = {.loss = loss,
                        .wants = lw_api_fact(loss, "wants"),
                        .task = lw_api_fact(loss, "task"),
                        .target = lw_api_fact(loss, "target"),
                        .out = mv_output_of(c, chain)};
    if (from_logits.kind == LW_V_UNKNOWN ||
        (from_logits.kind == LW_V_BOOL && from_logits.tri == LW_TRI_MAYBE))
        return;
    p.logits = from_logits.kind == LW_V_BOOL && from_logits.tri == LW_TRI_YES;
    if (!check_linear(c, chain) && !check_bare(c, chain))
        check_redundant(c, chain);
    if (!p.out.known)
        return;
    p.stage = p.out.stage;
    check_pairing(c, &p);
}

/* A network of torch whose loss is the program's own. */
static void watch_answer(struct ck *c, const struct ck_event *e)
{
    if (e->value.kind != LW_V_TENSOR || !look_is_outermost(c, e->object) || !ck_in_loop(c) ||
        ck_grad_off(c) || c->frame->guarded || !ck_shows(c, "call .backward"))
        return;
    const struct mv_chain *chain = mv_of_tensor(c, e->value);
    if (chain && chain->n && !check_linear(c, chain) && !check_bare(c, chain))
        check_redundant(c, chain);
}

/* The generator of two adversaries is compiled by habit, and trained through the other one. */
static bool is_generator(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t owner = node == LW_NO_NODE ? node : syntax_owner(t, node);
    return owner != LW_NO_NODE && ck_shows(c, "name *discriminator*") &&
           lw_str_find(lw_tree_text(t, owner), LW_S("gen")) != LW_NPOS;
}

static void check_compiled(struct ck *c, const struct ck_event *e)
{
    struct lw_value given = model_trait(e->object, MODEL_LOSS);
    const struct lw_api *loss = mv_entry(c, given, "loss");
    struct ck_object *o = ck_as(given, CK_INSTANCE);
    if (loss && loss->kind == LW_API_LOSS && !is_generator(c, e->node))
        check_output(c, mv_of_model(c, e->object), loss,
                     o ? ck_config(o, "from_logits") : lw_v_absent());
}

static void watch_compile(struct ck *c, const struct ck_event *e)
{
    if (!e->object->of)
        check_compiled(c, e);
}

/* A model of the program's own class is known when it has seen data. */
static void watch_own_model(struct ck *c, const struct ck_event *e)
{
    if (e->object->of)
        check_compiled(c, e);
}

/* ---- output against targets ---------------------------------------------------------------
 */

/* Targets that the output activation cannot reach. */
static void check_range(struct ck *c, const struct mv_output *out, struct lw_value target)
{
    const struct lw_tensor *y = ck_tensor_of(target);
    double low = 0, high = 1;
    if (!y || !(y->range.flags & LW_IV_KNOWN) || !out->known ||
        (y->range.why != LW_WHY_NONE && y->range.why != LW_WHY_NORMAL))
        return;
    if (is(out->activation, "tanh"))
        low = -1;
    else if (is_rectified(out->activation) || is(out->activation, "softplus"))
        high = HUGE_VAL;
    else if (!is(out->activation, "sigmoid") && !is(out->activation, "softmax"))
        return;
    if (y->range.lo >= low && y->range.hi <= high)
        return;
    bool bounded = isfinite(y->range.lo) && isfinite(y->range.hi);
    struct lw_str span = bounded
                             ? ck_text(c, "range from %.4g to %.4g", y->range.lo, y->range.hi)
                             : LW_S("have no bounds");
    ck_hint(c, (struct ck_hint){.object = out->stage->layer, .was = out->activation});
    ck_find_at(
        c, out->stage->file, out->stage->node, "architecture/output-range", &target, 1,
        "the output activation is %.*s, but the targets %.*s: scale the targets, or make "
        "the last layer linear",
        LW_F(out->activation), LW_F(span));
}

/* The output of a recurrent layer itself lies between -1 and 1: tanh makes it. */
static void check_recurrent(struct ck *c, struct lw_value output, struct lw_value target)
{
    static const char *const forms[] = {"[]", "view", "reshape", "squeeze", "flatten"};
    const struct lw_tensor *y = ck_tensor_of(target);
    const struct ck_origin *o = ck_origin_of(c, output);
    for (unsigned i = 0;
         o && !o->layer && o->in_count && i < 4 && text_is_any(text_tail(o->op), forms, 5); i++)
        o = ck_origin_of(c, o->in[0]);
    const struct lw_tensor *t = ck_tensor_of(output);
    if (!o || !o->layer || o->layer->of || !o->layer->api || !t || !lineage_known_range(t) ||
        o->layer->api->framework != LW_TORCH || !y || !lineage_known_range(y) ||
        !is(lw_api_fact(o->layer->api, "role"), "recurrent") || t->range.lo < -1 ||
        t->range.hi > 1 || y->range.why != LW_WHY_NONE ||
        (y->range.lo >= -1 && y->range.hi <= 1))
        return;
    ck_find_at(c, o->file, o->node, "architecture/output-range", &target, 1,
               "the output of a recurrent layer lies between -1 and 1, but the targets range "
               "from %.4g to %.4g: add a linear layer after it",
               y->range.lo, y->range.hi);
}

/* A loss of regression that is called or written out: the output against the targets. */
static void check_regression(struct ck *c, struct lw_value output, struct lw_value target)
{
    struct mv_output out = mv_output_of(c, mv_of_tensor(c, output));
    check_range(c, &out, target);
    check_recurrent(c, output, target);
}

/* (x - mean) / deviation, or what StandardScaler gives: about half of it is negative. */
static bool is_standardised(struct ck *c, struct lw_value v)
{
    static const char *const forms[] = {"[]", "train_test_split"};
    static const char *const quotients[] = {"/"}, *const differences[] = {"-"};
    static const char *const means[] = {"mean", "average", "reduce_mean"};
    for (unsigned i = 0; i < 6; i++) {
        v = lineage_through(c, v);
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o || !o->in_count)
            return false;
        if (lw_str_find(o->op, LW_S(".StandardScaler.")) != LW_NPOS)
            return !is(text_tail(o->op), "inverse_transform");
        if (lineage_made_by(c, v, quotients, 1)) {
            const struct ck_origin *d = lineage_made_by(c, o->in[0], differences, 1);
            return d && d->in_count == 2 && lineage_made_by(c, d->in[1], means, 3);
        }
        if (!text_is_any(text_tail(o->op), forms, 2))
            return false;
        v = o->in[0];
    }
    return false;
}

static void watch_standardised(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    struct lw_value y = ck_arg(e->call, 1, "y");
    if (!loss || !is(lw_api_fact(loss, "task"), "regression") || !is_standardised(c, y))
        return;
    struct mv_output out = mv_output_of(c, mv_of_model(c, e->object));
    if (out.known && (is_rectified(out.activation) || is(out.activation, "sigmoid")))
        ck_find_at(c, out.stage->file, out.stage->node, "architecture/output-range", &y, 1,
                   "the output activation is %.*s, but about half of the standardised targets "
                   "are negative and cannot be reached: make the last layer linear",
                   LW_F(out.activation));
}

/* Targets that the output activation cannot reach, or that a regression loss does not fit. */
static void watch_targets(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *y = ck_tensor_of(e->b);
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    if (!y || !loss || !(y->range.flags & LW_IV_KNOWN) ||
        !is(lw_api_fact(loss, "target"), "same"))
        return;
    const struct mv_chain *chain = mv_of_model(c, e->object);
    struct mv_output out = mv_output_of(c, chain);
    if (!out.known || !out.activation.n)
        return;
    if (is(out.activation, "sigmoid") && is(lw_api_fact(loss, "task"), "regression") &&
        (y->range.flags & LW_IV_WHOLE) && y->range.lo == 0 && y->range.hi == 1) {
        ck_find_at(
            c, out.stage->file, out.stage->node, "architecture/loss-activation", &e->b, 1,
            "the targets are 0 and 1, but this is a regression loss, whose gradient through "
            "the sigmoid vanishes for wrong predictions: use binary cross-entropy");
        return;
    }
    check_range(c, &out, e->b);
}

/* table['price'] with an output that ends at 1. */
static void watch_amounts(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    struct lw_value y = ck_arg(e->call, 1, "y");
    struct lw_str name;
    if (!loss || !is(lw_api_fact(loss, "task"), "regression") ||
        is(lw_api_fact(loss, "target"), "binary") || !amounts_in(c, &y, &name))
        return;
    struct mv_output out = mv_output_of(c, mv_of_model(c, e->object));
    if (out.known && (is(out.activation, "sigmoid") || is(out.activation, "tanh")))
        ck_find_at(c, out.stage->file, out.stage->node, "architecture/output-range", &y, 1,
                   "the output activation is %.*s, which stays below 1, but '%.*s' is an "
                   "unscaled quantity: scale it, or make the last layer linear",
                   LW_F(out.activation), LW_F(name));
}

/* relu cannot reach negative targets, of which no scale is known. */
static void make_unbounded(struct fix *f)
{
    const struct lw_tensor *y = f->cause_count ? ck_tensor_of(f->causes[0]) : NULL;
    if (y && text_is(f->hint->was, "relu") && y->range.lo < 0)
        make_linear_output(f);
}

/* Several labels at once, and an output that has to choose one of them. */
static void watch_labels(struct ck *c, const struct ck_event *e)
{
    static const char *const forms[] = {"[]",      "astype",  "array",
                                        "asarray", "toarray", "train_test_split"};
    struct lw_value y = ck_arg(e->call, 1, "y");
    const struct ck_origin *o = ck_origin_of(c, y);
    for (unsigned i = 0; o && i < 4 && text_is_any(text_tail(o->op), forms, 6); i++)
        o = o->in_count ? ck_origin_of(c, o->in[0]) : NULL;
    if (!o || lw_str_find(o->op, LW_S("MultiLabelBinarizer.")) == LW_NPOS)
        return;
    struct mv_output out = mv_output_of(c, mv_of_model(c, e->object));
    if (out.known && is(out.activation, "softmax"))
        ck_find_at(c, out.stage->file, out.stage->node, "architecture/loss-activation", &y, 1,
                   "a sample may have several labels, but softmax outputs add up to 1: use "
                   "sigmoid and binary cross-entropy");
}

static void swap_regression(struct fix *f, const char *is)
{
    static const char *const losses[] = {"mse", "mean_squared_error", "mae",
                                         "mean_absolute_error"};
    uint32_t compile = fix_only_call(f, "compile");
    for (size_t i = 0; i < sizeof losses / sizeof *losses && !f->n; i++) {
        uint32_t loss = fix_only_string(f, losses[i]);
        if (compile != LW_NO_NODE && loss != LW_NO_NODE && syntax_inside(f->t, loss, compile))
            fix_swap_loss(f, losses[i], is);
    }
}

static void make_fitting(struct fix *f)
{
    struct lw_str was = f->hint->was, want = f->hint->meant;
    if (!want.n) { /* the activation of a classifier, and a loss of regression */
        swap_regression(f, text_is(was, "softmax") ? "categorical_crossentropy"
                                                   : "binary_crossentropy");
        return;
    }
    if (lw_str_eq(want, was))
        return;
    fix_swap_activation(f, fix_layer_call(f), was, want);
    if (!f->n && fix_is_call(f, f->node) && text_is(want, "sigmoid") && text_is(was, "relu"))
        fix_swap_function(f, f->node, "relu", "sigmoid");
}

/* Scores of one class, where the layers that they come from cannot be followed. */
static void check_one_score(struct ck *c, uint32_t node, const struct lw_api *loss,
                            struct lw_value scores)
{
    const struct lw_tensor *t = ck_tensor_of(scores);
    int64_t width = 0;
    if (!t || t->shape.n != 2 || !lw_shape_has_rank(&t->shape) || c->frame->guarded ||
        !lw_dim_is_int(c->dims, t->shape.d[1], &width) || width != 1 ||
        !is(lw_api_fact(loss, "wants"), "logits") ||
        !is(lw_api_fact(loss, "task"), "multiclass") ||
        mv_output_of(c, mv_of_tensor(c, scores)).known)
        return;
    ck_find(c, node, "architecture/loss-width", &scores, 1,
            "a categorical loss over one class score is constant: use binary cross-entropy, or "
            "one score per class");
}

/* A loss that is called with the network's output. */
static void watch_loss(struct ck *c, const struct ck_event *e)
{
    const struct ck_call *call = e->call;
    const struct lw_api *api = call->api ? call->api : e->object ? e->object->api : NULL;
    struct lw_value input = mv_loss_input(c, e);
    if (input.kind != LW_V_TENSOR)
        return;
    check_output(c, mv_of_tensor(c, input), api,
                 e->object ? ck_config(e->object, "from_logits")
                           : ck_slot_value(call, "from_logits"));
    check_one_score(c, e->node, api, input);
    if (is(lw_api_fact(api, "task"), "regression"))
        check_regression(c, input, ck_slot_value(call, "target"));
}

/* mean((model(x) - y) ** 2) is a loss too. */
static void check_written(struct ck *c, struct lw_value loss)
{
    const struct lw_api *mse = lw_api_find_choice(c->apis, LW_S("loss"), LW_S("mse"));
    struct lw_value sides[2];
    if (!mse || !look_squared_error(c, loss, &sides[0], &sides[1]))
        return;
    for (int i = 0; i < 2; i++) {
        struct mv_output out = mv_output_of(c, mv_of_tensor(c, sides[i]));
        if (!out.known)
            continue;
        check_output(c, mv_of_tensor(c, sides[i]), mse, lw_v_absent());
        check_regression(c, sides[i], sides[1 - i]);
    }
}

static void watch_backward(struct ck *c, const struct ck_event *e)
{
    check_written(c, e->a);
}

static void watch_minimize(struct ck *c, const struct ck_event *e)
{
    if (lw_str_has_suffix(e->call->name, LW_S("Optimizer.minimize")))
        check_written(c, ck_arg(e->call, 0, "loss"));
}

/* A loss of logarithms that gets probabilities, whatever network they come from. */
static void watch_log_probabilities(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *api = e->call->api ? e->call->api : e->object ? e->object->api : NULL;
    struct lw_value input = mv_loss_input(c, e);
    if (input.kind == LW_V_ABSENT || !is(lw_api_fact(api, "wants"), "log-probabilities"))
        return;
    struct lw_str act = mv_last_activation(c, input);
    const struct ck_origin *last = ck_origin_of(c, lineage_through(c, input));
    if (last && (is(act, "softmax") || is(act, "sigmoid")))
        ck_find_at(c, last->file, last->node, "architecture/logits-into-probability-loss",
                   &input, 1, "%s", WANTS_LOGARITHMS);
}

/* The loss of torch that takes what the network gives. */
static bool swap_loss(struct fix *f, const char *was, const char *is)
{
    uint32_t call = fix_only_call(f, was);
    if (call == LW_NO_NODE)
        return false;
    struct lw_str name = fix_sibling(f, fix_callee(f, call), lw_str(is));
    if (!name.n)
        return false;
    fix_say(f, "use %s, which takes logits", is);
    fix_node(f, fix_callee(f, call), name);
    return true;
}

/* No activation before a loss that takes probabilities. */
static void make_probabilities(struct fix *f)
{
    uint32_t call = fix_layer_call(f);
    struct lw_str want = f->hint->meant;
    const struct lw_api *api = f->hint->object ? f->hint->object->api : NULL;
    bool keras = api && lw_str_has_prefix(api->name, LW_S("keras.")) &&
                 text_is(lw_api_fact(api, "role"), "dense");
    if (keras && want.n && call != LW_NO_NODE) {
        fix_say(f, "give the last layer the activation '%.*s'", LW_F(want));
        fix_set_argument(f, call, "activation", ck_text(f->c, "'%.*s'", LW_F(want)).p);
    } else if (!f->hint->was.n && api && api->framework == LW_TORCH) {
        if (!swap_loss(f, "NLLLoss", "CrossEntropyLoss") &&
            !swap_loss(f, "nll_loss", "cross_entropy") &&
            !swap_loss(f, "BCELoss", "BCEWithLogitsLoss"))
            (void)swap_loss(f, "binary_cross_entropy", "binary_cross_entropy_with_logits");
    } else if (lw_str_eq(f->hint->was, LW_S("softmax")) && fix_is_call(f, f->node) &&
               lw_str_eq(fix_callee_name(f, f->node), LW_S("softmax"))) {
        fix_say(f, "use log_softmax");
        fix_token(f, lw_tree_name_token(f->t, fix_callee(f, f->node)), LW_S("log_softmax"));
    } else if (lw_str_eq(f->hint->was, LW_S("softmax")) &&
               lw_str_eq(fix_callee_name(f, call), LW_S("Softmax"))) {
        struct lw_str name = fix_sibling(f, fix_callee(f, call), LW_S("LogSoftmax"));
        fix_say(f, "use LogSoftmax");
        if (name.n)
            fix_node(f, fix_callee(f, call), name);
    }
}

const struct ck_rule rules_architecture_output[] = {
    {"architecture/logits-into-probability-loss", CK_EV_CALL | CK_EV_LAYER,
     watch_log_probabilities, .calls = "@loss"},
    {"architecture/redundant-layer", CK_EV_LAYER, watch_linear_pair},
    {"architecture/logits-into-probability-loss architecture/loss-activation "
     "architecture/loss-width architecture/missing-activation "
     "architecture/redundant-layer architecture/relu-output",
     CK_EV_COMPILE, watch_compile},
    {"architecture/logits-into-probability-loss architecture/loss-activation "
     "architecture/loss-width "
     "architecture/missing-activation architecture/output-range architecture/redundant-layer "
     "architecture/relu-output",
     CK_EV_CALL | CK_EV_LAYER, watch_loss, .calls = "@loss"},
    {"architecture/missing-activation architecture/redundant-layer", CK_EV_LAYER, watch_answer},
    {"architecture/loss-activation architecture/output-range", CK_EV_FIT, watch_targets},
    {"architecture/output-range", CK_EV_FIT, watch_standardised},
    {"architecture/output-range", CK_EV_FIT, watch_amounts},
    {"architecture/loss-activation", CK_EV_FIT, watch_labels},
    {"architecture/logits-into-probability-loss architecture/loss-activation "
     "architecture/loss-width "
     "architecture/missing-activation architecture/output-range architecture/redundant-layer "
     "architecture/relu-output",
     CK_EV_BACKWARD, watch_backward},
    {"architecture/logits-into-probability-loss architecture/loss-activation "
     "architecture/loss-width "
     "architecture/missing-activation architecture/output-range architecture/redundant-layer "
     "architecture/relu-output",
     CK_EV_CALL, watch_minimize, .calls = "*Optimizer.minimize"},
    {"architecture/logits-into-probability-loss architecture/loss-activation "
     "architecture/loss-width architecture/missing-activation "
     "architecture/redundant-layer architecture/relu-output",
     CK_EV_FIT, watch_own_model},
    {"architecture/relu-output", .fix = make_linear_output},
    {"architecture/output-range", .fix = make_unbounded},
    {"architecture/logits-into-probability-loss", .fix = make_probabilities},
    {"architecture/loss-activation", .fix = make_fitting},
    {0},
};
