/* Networks as chains of stages. */
#include "check/query/model_view.h"

#include <math.h>

#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/query/notes.h"

/* ---- names --------------------------------------------------------------------------------
 */

const struct lw_api *mv_entry(struct ck *c, struct lw_value v, const char *kind)
{
    if (v.kind == LW_V_STR && v.str.p)
        return lw_api_find_choice(c->apis, lw_str(kind), v.str);
    if (v.kind == LW_V_API)
        return v.api;
    if (v.kind == LW_V_OBJECT)
        return v.object->api;
    const struct ck_object *o = ck_object_of(v);
    if (!o || (o->kind != CK_NAME && o->kind != CK_INSTANCE) || o->of)
        return NULL;
    return o->api;
}

struct lw_str mv_activation(struct ck *c, struct lw_value v, bool *opaque)
{
    if (v.kind == LW_V_ABSENT || v.kind == LW_V_NONE)
        return (struct lw_str){0};
    const struct lw_api *api = mv_entry(c, v, "activation");
    struct lw_str name = api ? lw_api_fact(api, "activation") : (struct lw_str){0};
    if (lw_str_eq(name, LW_S("linear")))
        return (struct lw_str){0};
    if (!name.n)
        *opaque = true;
    return name;
}

bool mv_number(struct ck *c, struct lw_value object, const struct lw_api *api,
               const char *param, double *out)
{
    const struct ck_object *o = ck_as(object, CK_INSTANCE);
    const struct lw_api_part *part = &api->side[LW_API_CONSTRUCT];
    if (o)
        return ck_number_of(c, ck_config(o, param), out);
    for (uint32_t i = 0; i < part->param_count; i++)
        if (lw_str_eq(part->params[i].name, lw_str(param)))
            return ck_number_of(c, part->params[i].initial, out);
    return false;
}

/* ---- stages -------------------------------------------------------------------------------
 */

static enum mv_kind kind_of_role(struct lw_str role)
{
    static const struct {
        const char *role;
        enum mv_kind kind;
    } kinds[] = {
        {"dense", MV_LEARN},         {"conv", MV_LEARN},   {"conv-transpose", MV_LEARN},
        {"activation", MV_ACTIVATE}, {"pool", MV_POOL},    {"norm", MV_NORM},
        {"dropout", MV_KEEP},        {"flatten", MV_KEEP}, {"reshape", MV_KEEP},
        {"identity", MV_KEEP},       {"pad", MV_KEEP},     {"crop", MV_KEEP},
        {"upsample", MV_KEEP},       {"input", MV_KEEP},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (lw_str_eq(role, lw_str(kinds[i].role)))
            return kinds[i].kind;
    return MV_OTHER;
}

/* The trained operand of a function of two; ABSENT when there is none. */
static struct lw_value weight_of(const struct ck_origin *o)
{
    const struct lw_tensor *second = o->in_count > 1 ? ck_tensor_of(o->in[1]) : NULL;
    return second && second->variable == LW_TRI_YES ? o->in[1] : lw_v_absent();
}

/* Functions that are a layer when one operand is trained. */
static struct lw_str function_role(struct lw_str name)
{
    static const char *const products[] = {"matmul", "@", "mm", "linear", "xw_plus_b"};
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (text_is(name, products[i]))
            return LW_S("dense");
    return lw_str_has_prefix(name, LW_S("conv")) ? LW_S("conv") : (struct lw_str){0};
}

/* Functions and operators that hand values on, or stand for a layer, without a role of their
 * own. */
static enum mv_kind kind_of_function(const struct ck_origin *o)
{
    static const char *const keep[] = {
        "reshape", "view",     "squeeze",    "flatten", "cast",      "float",      "to",
        "dropout", "identity", "contiguous", "[]",      "unsqueeze", "expand_dims"};
    bool weighted = weight_of(o).kind == LW_V_TENSOR;
    struct lw_str name = text_tail(o->op);
    for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
        if (text_is(name, keep[i]))
            return MV_KEEP;
    if (weighted && (text_is(name, "+") || text_is(name, "add") || text_is(name, "bias_add")))
        return MV_KEEP;
    if (weighted && function_role(name).n)
        return MV_LEARN;
    if (lw_str_has_prefix(name, LW_S("max_pool")) ||
        lw_str_has_prefix(name, LW_S("avg_pool")) || lw_str_has_prefix(name, LW_S("adaptive_")))
        return MV_POOL;
    if (lw_str_has_prefix(name, LW_S("batch_norm")) ||
        lw_str_has_prefix(name, LW_S("layer_norm")) || text_is(name, "lrn") ||
        lw_str_has_prefix(name, LW_S("local_response_norm")))
        return MV_NORM;
    return MV_OTHER;
}

static struct lw_value argument(const struct ck_object *layer, const struct lw_api *api,
                                const struct lw_bound *bound, const char *name)
{
    if (layer)
        return ck_config(layer, name);
    const struct lw_api_part *part = api ? &api->side[LW_API_CONSTRUCT] : NULL;
    for (uint32_t i = 0; part && bound && i < bound->n && i < part->param_count; i++)
        if (lw_str_eq(part->params[i].name, lw_str(name)))
            return bound->slots[i];
    return lw_v_absent();
}

static void describe(struct ck *c, struct mv_stage *s, const struct lw_bound *bound)
{
    /* TimeDistributed(Dense(…)): what is inside is done at each step. */
    struct ck_object *inner =
        s->layer && s->api && lw_str_eq(lw_api_fact(s->api, "role"), LW_S("wrapper"))
            ? ck_as(ck_config(s->layer, "layer"), CK_INSTANCE)
            : NULL;
    if (inner && inner->api) {
        s->layer = inner;
        s->api = inner->api;
    }
    const struct lw_api *api = s->api;
    s->init = lw_v_absent();
    if (!api || (s->layer && s->layer->of))
        return;
    if (lw_api_fact(api, "role").n)
        s->role = lw_api_fact(api, "role");
    if (s->role.n && s->weight.kind != LW_V_TENSOR)
        s->kind = kind_of_role(s->role);
    s->activation = lw_api_fact(api, "activation");
    if (s->activation.n && s->kind == MV_OTHER)
        s->kind = MV_ACTIVATE;
    if (!s->activation.n && (s->kind == MV_LEARN || s->kind == MV_ACTIVATE)) {
        struct lw_value given = argument(s->layer, api, bound, "activation");
        s->activation = mv_activation(c, given, &s->opaque);
        if (s->kind == MV_ACTIVATE && given.kind == LW_V_ABSENT)
            s->opaque = true;
    }
    if (s->kind == MV_LEARN)
        s->init = argument(s->layer, api, bound, "kernel_initializer");
}

/* ---- chains -------------------------------------------------------------------------------
 */

static bool holds_tensors(struct ck *c, struct lw_value v)
{
    struct lw_seq seq;
    if (v.kind == LW_V_TENSOR || !ck_sequence(c, v, &seq))
        return false;
    for (uint32_t i = 0; i < seq.n; i++)
        if (seq.items[i].kind == LW_V_TENSOR)
            return true;
    return false;
}

/* The operands that are no parameters; `out` is one of them. 0: a source of data. */
static size_t operands(struct ck *c, const struct ck_origin *o, struct lw_value *out)
{
    size_t found = 0;
    for (uint32_t i = 0; i < o->in_count; i++) {
        const struct lw_tensor *t = ck_tensor_of(o->in[i]);
        if (holds_tensors(c, o->in[i]) || (i == 0 && o->in[i].kind == LW_V_UNKNOWN))
            return 2;
        if (!t || t->variable == LW_TRI_YES)
            continue;
        *out = o->in[i];
        found++;
    }
    return found;
}

/* Chains are built often and looked at once: one is enough. */
static struct mv_chain *scratch(struct ck *c)
{
    static const char key;
    struct mv_chain *chain = ck_state(c, &key, sizeof *chain);
    if (chain) {
        chain->n = 0;
        chain->whole = false;
    }
    return chain;
}

static void reverse(struct mv_chain *chain)
{
    for (size_t i = 0; i < chain->n / 2; i++) {
        struct mv_stage other = chain->stage[i];
        chain->stage[i] = chain->stage[chain->n - 1 - i];
        chain->stage[chain->n - 1 - i] = other;
    }
}

static bool visit_data(void *data, struct lw_value v, const struct ck_origin *o)
{
    (void)data;
    return v.tensor->variable != LW_TRI_YES && !(o && o->layer);
}

/* What is computed from data alone, without weights, is an input of the network. */
static bool is_data(struct ck *c, struct lw_value v)
{
    return v.kind == LW_V_TENSOR && lineage_walk(c, v, visit_data, NULL);
}

/* Leaves out what is done to the data before the first layer. */
static void drop_preparation(struct mv_chain *chain)
{
    size_t skip = 0;
    while (skip < chain->n && !chain->stage[skip].layer &&
           chain->stage[skip].kind != MV_LEARN && !chain->stage[skip].trained)
        skip++;
    if (!chain->whole || skip == chain->n)
        return;
    for (size_t i = skip; i < chain->n; i++)
        chain->stage[i - skip] = chain->stage[i];
    chain->n -= skip;
}

/* The output with its axes changed back: what it was before transposes at the end. */
static struct lw_value upright(struct ck *c, struct lw_value v)
{
    static const char *const turns[] = {"transpose", "permute", "t", "T", "swapaxes"};
    for (unsigned i = 0; i < 4; i++) {
        const struct ck_origin *o = lineage_made_by(c, v, turns, sizeof turns / sizeof *turns);
        if (!o || o->layer || o->in[0].kind != LW_V_TENSOR)
            break;
        v = o->in[0];
    }
    return v;
}

/* Layers that one call of a container ran are where they were made, not where it was called. */
static void place_layers(struct mv_chain *chain)
{
    uint32_t before = LW_NO_NODE;
    for (size_t i = 0; i < chain->n; i++) {
        struct mv_stage *s = &chain->stage[i];
        uint32_t call = s->node;
        bool shared = call == before || (i + 1 < chain->n && chain->stage[i + 1].node == call);
        if (shared && s->layer && !s->layer->of && s->layer->file) {
            s->file = s->layer->file;
            s->node = s->layer->node;
        }
        before = call;
    }
}

const struct mv_chain *mv_of_tensor(struct ck *c, struct lw_value v)
{
    struct mv_chain *chain = scratch(c);
    unsigned models = 0;
    if (!chain)
        return NULL;
    v = upright(c, v);
    while (chain->n < MV_MAX_STAGES) {
        const struct ck_origin *o = ck_origin_of(c, v);
        struct lw_value before = lw_v_unknown();
        chain->whole = !o && v.kind == LW_V_TENSOR;
        if (!o)
            break;
        /* A model that was built before: its own layers. */
        struct lw_value inside =
            o->layer && models < 8 ? model_trait(o->layer, MODEL_OUTPUT) : lw_v_absent();
        if (inside.kind == LW_V_TENSOR && ck_origin_of(c, inside) &&
            ck_origin_of(c, inside) != o) {
            v = inside;
            models++;
            continue;
        }
        struct mv_stage *s = &chain->stage[chain->n++];
        size_t count = operands(c, o, &before);
        *s = (struct mv_stage){.kind = kind_of_function(o),
                               .weight = lw_v_absent(),
                               .api = o->api,
                               .layer = o->layer,
                               .in = before,
                               .out = v,
                               .file = o->file,
                               .node = o->node};
        for (uint32_t i = 0; i < o->in_count; i++)
            s->trained |=
                o->in[i].kind == LW_V_TENSOR && o->in[i].tensor->variable == LW_TRI_YES;
        if (s->kind == MV_LEARN) {
            s->weight = weight_of(o);
            s->role = function_role(text_tail(o->op));
        }
        describe(c, s, o->bound);
        if (count == 0) {
            chain->n--; /* a placeholder, data */
            chain->whole = true;
        }
        if (count > 1 && !o->layer && is_data(c, v))
            chain->whole = true;
        if (count != 1)
            break;
        v = before;
    }
    reverse(chain);
    drop_preparation(chain);
    place_layers(chain);
    return chain;
}

static const struct mv_chain *of_layers(struct ck *c, struct ck_object *list)
{
    struct lw_seq seq;
    struct mv_chain *chain = scratch(c);
    if (!chain || !ck_sequence(c, ck_value(list), &seq) || seq.open || seq.n > MV_MAX_STAGES)
        return NULL;
    chain->whole = true;
    for (uint32_t i = 0; i < seq.n; i++) {
        struct ck_object *o = ck_as(seq.items[i], CK_INSTANCE);
        if (!o) { /* a layer of another library: what follows it is known */
            chain->n = 0;
            chain->whole = false;
            continue;
        }
        struct mv_stage *s = &chain->stage[chain->n++];
        *s = (struct mv_stage){.kind = MV_OTHER,
                               .weight = lw_v_absent(),
                               .api = o->api,
                               .layer = o,
                               .in = lw_v_unknown(),
                               .out = lw_v_unknown(),
                               .file = o->file,
                               .node = o->node};
        describe(c, s, NULL);
    }
    return chain;
}

const struct mv_chain *mv_of_model(struct ck *c, struct ck_object *model)
{
    struct lw_value out = model_trait(model, MODEL_OUTPUT);
    struct ck_object *list = ck_as(ck_trait(model, TRAIT_ITEMS), CK_LIST);
    if (out.kind == LW_V_TENSOR && ck_origin_of(c, out))
        return mv_of_tensor(c, out);
    return list && !model->of ? of_layers(c, list) : NULL;
}

/* ---- the output ---------------------------------------------------------------------------
 */

static int64_t width_of(struct ck *c, const struct mv_stage *s)
{
    const struct lw_tensor *t = ck_tensor_of(s->out);
    static const char *const units[] = {"units", "filters", "out_features", "out_channels"};
    int64_t n = 0;
    if (t && lw_shape_has_rank(&t->shape) && t->shape.n &&
        lw_dim_is_int(c->dims, t->shape.d[t->shape.n - 1], &n))
        return n;
    for (size_t i = 0; !t && s->layer && i < sizeof units / sizeof *units; i++)
        if (ck_int_of(c, ck_config(s->layer, units[i]), &n))
            return n;
    return 0;
}

struct lw_str mv_last_activation(struct ck *c, struct lw_value v)
{
    const struct mv_chain *chain = mv_of_tensor(c, v);
    for (size_t i = chain ? chain->n : 0; i-- > 0;)
        if (chain->stage[i].kind != MV_KEEP)
            return chain->stage[i].activation;
    return (struct lw_str){0};
}

struct mv_output mv_output_of(struct ck *c, const struct mv_chain *chain)
{
    struct mv_output out = {0};
    for (size_t i = chain ? chain->n : 0; i-- > 0;) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->opaque || (s->kind != MV_KEEP && s->kind != MV_LEARN && s->kind != MV_ACTIVATE))
            return out;
        if (s->kind == MV_KEEP)
            continue;
        if (!out.stage) {
            out.stage = s;
            out.activation = s->activation;
        }
        if (s->kind != MV_LEARN)
            continue;
        out.learner = s;
        out.known = true;
        out.width = width_of(c, s);
        return out;
    }
    return out;
}

/* ---- weights ------------------------------------------------------------------------------
 */

double mv_fan_in(struct ck *c, const struct mv_stage *s)
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

/* The call that gave a variable its first values: tf.Variable(tf.zeros(…)). */
static const struct ck_origin *first_values(struct ck *c, struct lw_value weight)
{
    static const char *const wrappers[] = {"Variable", "Parameter", "requires_grad_",
                                           "to",       "cuda",      "cast"};
    const struct ck_origin *o = ck_origin_of(c, weight);
    for (unsigned depth = 0; o && depth < 4; depth++) {
        bool wraps = false;
        for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
            wraps |= text_is(text_tail(o->op), wrappers[i]);
        if (!wraps)
            return o;
        o = o->in_count ? ck_origin_of(c, o->in[0]) : NULL;
    }
    return NULL;
}

static bool slot_number(struct ck *c, const struct ck_origin *o, const char *name,
                        double initial, double *out)
{
    struct lw_value v = argument(NULL, o->api, o->bound, name);
    *out = initial;
    return v.kind == LW_V_ABSENT || v.kind == LW_V_NONE || ck_number_of(c, v, out);
}

/* The same for a variable of the program. */
static double variable_gain(struct ck *c, const struct mv_stage *s)
{
    const struct ck_origin *o = first_values(c, s->weight);
    const struct lw_shape *shape = &s->weight.tensor->shape;
    double a, b, fan = 1;
    int64_t n;
    if (!o || !lw_shape_has_rank(shape) || shape->n < 2)
        return -1;
    for (uint32_t i = 0; i + 1 < shape->n; i++) {
        if (!lw_dim_is_int(c->dims, shape->d[i], &n))
            return -1;
        fan *= (double)n;
    }
    struct lw_str name = text_tail(o->op);
    bool torch = s->weight.tensor->framework == LW_TORCH;
    if (torch && shape->n > 2)
        return -1; /* channels come first there */
    if (text_is(name, "randn"))
        return fan;
    if (lw_str_has_suffix(name, LW_S("normal")) && slot_number(c, o, "stddev", 1, &a))
        return a * a * fan * (lw_str_has_prefix(name, LW_S("truncated")) ? 0.774 : 1);
    if (lw_str_has_suffix(name, LW_S("uniform")) && slot_number(c, o, "minval", 0, &a) &&
        slot_number(c, o, "maxval", 1, &b))
        return (a * a + a * b + b * b) / 3 * fan;
    return -1;
}

/* The same for a layer of torch whose weights were drawn again (torch.nn.init). */
static double chosen_gain(struct ck *c, const struct mv_stage *s)
{
    double x, fan = mv_fan_in(c, s);
    if (ck_number_of(c, note_of(s->layer, NOTE_GAIN), &x))
        return x;
    if (fan > 0 && ck_number_of(c, note_of(s->layer, NOTE_STD), &x))
        return x * x * fan;
    return -1;
}

bool mv_is_constant(struct ck *c, const struct mv_stage *s)
{
    static const char *const constants[] = {"zeros", "ones", "zeros_like", "ones_like", "full"};
    const struct lw_api *init = mv_entry(c, s->init, "initializer");
    const struct ck_origin *o =
        s->weight.kind == LW_V_TENSOR ? first_values(c, s->weight) : NULL;
    for (size_t i = 0; o && i < sizeof constants / sizeof *constants; i++)
        if (text_is(text_tail(o->op), constants[i]))
            return true;
    struct lw_value chosen = s->layer ? note_of(s->layer, NOTE_CONSTANT) : lw_v_absent();
    if (chosen.kind == LW_V_BOOL)
        return chosen.tri == LW_TRI_YES;
    return init && text_is(lw_api_fact(init, "constant"), "yes");
}

bool mv_is_one_sided(struct ck *c, const struct mv_stage *s)
{
    double low = 0, high = 1;
    if (s->weight.kind == LW_V_TENSOR) {
        const struct ck_origin *o = first_values(c, s->weight);
        struct lw_str name = o ? text_tail(o->op) : (struct lw_str){0};
        if (text_is(name, "rand"))
            return true;
        return lw_str_has_suffix(name, LW_S("uniform")) &&
               slot_number(c, o, "minval", 0, &low) && slot_number(c, o, "maxval", 1, &high) &&
               low >= 0 && high > 0;
    }
    const struct lw_api *api = mv_entry(c, s->init, "initializer");
    return api && text_is(text_tail(api->name), "RandomUniform") &&
           mv_number(c, s->init, api, "minval", &low) &&
           mv_number(c, s->init, api, "maxval", &high) && low >= 0 && high > 0;
}

double mv_weight_gain(struct ck *c, const struct mv_stage *s)
{
    struct lw_value init = s->init;
    if (s->weight.kind == LW_V_TENSOR)
        return variable_gain(c, s);
    if (s->layer && note_of(s->layer, NOTE_CONSTANT).kind != LW_V_ABSENT)
        return chosen_gain(c, s);
    if (init.kind == LW_V_ABSENT || init.kind == LW_V_NONE)
        return lw_set_within(s->api ? s->api->framework : 0, LW_TORCH) == LW_TRI_YES ? 1.0 / 3
                                                                                     : 1;
    const struct lw_api *api = mv_entry(c, init, "initializer");
    double a = 0, b = 0, fan = mv_fan_in(c, s);
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

/* ---- losses -------------------------------------------------------------------------------
 */

/* tf.nn.…_with_logits(logits, labels) before TensorFlow 1, where the names came later. */
static struct lw_value positional(const struct ck_call *call, size_t at)
{
    bool old = lw_str_has_prefix(call->name, LW_S("tensorflow.nn.")) &&
               lw_str_find(call->name, LW_S("_cross_entropy_with_logits")) != LW_NPOS;
    return old && call->n > at && !call->args[0].name.n && !call->args[at].name.n &&
                   !call->args[at].star && call->args[0].value.kind == LW_V_TENSOR
               ? call->args[at].value
               : lw_v_absent();
}

struct lw_value mv_loss_input(struct ck *c, const struct ck_event *e)
{
    const struct ck_call *call = e->call;
    const struct lw_api *api = call->api ? call->api : e->object ? e->object->api : NULL;
    static const char *const names[] = {"input", "logits", "y_pred", "output", "predictions"};
    struct lw_value input = lw_v_absent();
    (void)c;
    if (!api || api->kind != LW_API_LOSS || (e->object && e->object->of) ||
        (e->kind == CK_EV_CALL && api->side[LW_API_CALL].present && !e->object))
        return input;
    input = positional(call, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names && input.kind == LW_V_ABSENT; i++)
        input = ck_slot_value(call, names[i]);
    return input;
}

struct lw_value mv_loss_target(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"target", "labels", "y_true", "targets"};
    struct lw_value target = lw_v_absent();
    if (mv_loss_input(c, e).kind == LW_V_ABSENT)
        return target;
    target = positional(e->call, 1);
    for (size_t i = 0; i < sizeof names / sizeof *names && target.kind == LW_V_ABSENT; i++)
        target = ck_slot_value(e->call, names[i]);
    return target;
}
