/*
 * Rules about single layers and their order: layers that add nothing, answers taken from one
 * column, networks that never shrink their maps, layers that are made and not used, and the
 * conventions of published tools as notes.
 */
#include "base/str.h"
#include "check/fix/layers.h"
#include "check/models/models.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/query/places.h"
#include "check/rules/rules.h"

/* ---- the class of one column --------------------------------------------------------------
 */

/* argmax over an axis of size 1 is 0 for every sample. */
static void watch_argmax(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"argmax", "max"};
    static const char *const axes[] = {"dim", "axis", "dimension"};
    const struct ck_call *call = e->call;
    struct lw_str name = text_tail(call->name);
    bool method = call->self.kind == LW_V_TENSOR;
    int64_t axis, size;
    if (!text_is(name, names[0]) &&
        !(text_is(name, names[1]) && lw_str_has_prefix(call->name, LW_S("torch."))))
        return;
    struct lw_value x = method ? call->self : call->n ? call->args[0].value : lw_v_unknown();
    struct lw_value at = ck_arg(call, method ? 0 : 1, axes[0]);
    for (size_t i = 1; at.kind == LW_V_ABSENT && i < sizeof axes / sizeof *axes; i++)
        at = ck_arg(call, SIZE_MAX, axes[i]);
    const struct lw_tensor *t = ck_tensor_of(x);
    if (!t || !lw_shape_has_rank(&t->shape) || t->shape.n != 2 || !ck_int_of(c, at, &axis))
        return;
    axis += axis < 0 ? t->shape.n : 0;
    if (axis != 1 || !lw_dim_is_int(c->dims, t->shape.d[1], &size) || size != 1)
        return;
    ck_find(c, e->node, "architecture/argmax-one-unit", &x, 1,
            "argmax over a single output unit is always 0: compare the output with a "
            "threshold, or use one unit per class");
}

/* ---- maps that never shrink ---------------------------------------------------------------
 */

static bool is_unit_stride(struct ck *c, const struct ck_object *layer)
{
    static const char *const names[] = {"strides", "stride"};
    struct lw_seq seq;
    int64_t n;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct lw_value v = ck_config(layer, names[i]);
        if (v.kind == LW_V_ABSENT)
            continue;
        if (ck_int_of(c, v, &n))
            return n == 1;
        if (!ck_sequence(c, v, &seq) || seq.open)
            return false;
        for (uint32_t k = 0; k < seq.n; k++)
            if (!ck_int_of(c, seq.items[k], &n) || n != 1)
                return false;
    }
    return true;
}

/* A number, or the first of several equal ones; 0: not known. */
static int64_t same_number(struct ck *c, struct lw_value v)
{
    struct lw_seq seq;
    int64_t first = 0, n;
    if (ck_int_of(c, v, &first))
        return first;
    if (!ck_sequence(c, v, &seq) || seq.open)
        return 0;
    for (uint32_t i = 0; i < seq.n; i++) {
        if (!ck_int_of(c, seq.items[i], &n) || (i && n != first))
            return 0;
        first = n;
    }
    return first;
}

/* Windows that are further apart than they are wide: between them lies what no weight sees.
 * Of windows of one point that is known to be meant. */
static void watch_stride(struct ck *c, const struct ck_event *e)
{
    static const char *const windows[] = {"kernel_size", "pool_size"};
    static const char *const steps[] = {"stride", "strides"};
    struct lw_str role = e->call->api ? lw_api_fact(e->call->api, "role") : (struct lw_str){0};
    int64_t window = 0, step = 0, apart = 1;
    if ((!text_is(role, "conv") && !text_is(role, "pool")) ||
        e->call->self.kind == CK_INSTANCE || e->value.kind != CK_INSTANCE)
        return;
    const struct ck_object *o = ck_object_of(e->value);
    for (int i = 0; i < 2; i++) {
        window = window ? window : same_number(c, ck_config(o, windows[i]));
        step = step ? step : same_number(c, ck_config(o, steps[i]));
    }
    struct lw_value dilation = ck_config(o, "dilation");
    if (dilation.kind == LW_V_ABSENT)
        dilation = ck_config(o, "dilation_rate");
    if (dilation.kind != LW_V_ABSENT)
        apart = same_number(c, dilation);
    if (window < 2 || apart != 1 || step <= window)
        return;
    ck_find(c, e->node, "architecture/stride-skips", NULL, 0,
            "a kernel of %lld with a stride of %lld never reads %lld of %lld rows and columns: "
            "use a stride of at most %lld",
            (long long)window, (long long)step, (long long)(step - window), (long long)step,
            (long long)window);
}

enum { MANY_FEATURES = 8192 };

/* Two or more convolutions, each at full size, and then a dense layer over everything. */
static void check_shrinking(struct ck *c, const struct mv_chain *chain)
{
    const struct mv_stage *first = NULL;
    size_t convolutions = 0;
    int64_t size;
    for (size_t i = 0; chain && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->kind == MV_POOL || s->kind == MV_OTHER)
            return;
        if (s->kind != MV_LEARN)
            continue;
        if (text_is(s->role, "conv")) {
            if (!s->layer || !is_unit_stride(c, s->layer))
                return;
            first = first ? first : s;
            convolutions++;
            continue;
        }
        const struct lw_tensor *t = ck_tensor_of(s->in);
        if (text_is(s->role, "dense") && convolutions >= 2 && t &&
            lw_shape_has_rank(&t->shape) && t->shape.n == 2 &&
            lw_dim_is_int(c->dims, t->shape.d[1], &size) && size >= MANY_FEATURES)
            ck_find_at(c, s->file, s->node, "architecture/no-downsampling", &s->in, 1,
                       "%zu convolutions have neither pooling nor strides, so this layer gets "
                       "%lld features and holds nearly all weights: add pooling or strides",
                       convolutions, (long long)size);
        return;
    }
}

/* ---- maps that go on into dense layers ------------------------------------------------------
 */

/* A convolution whose maps reach the output through dense layers alone: a dense layer works on
 * the last axis, so that there is an answer for each point and none for the sample. */
static void check_flatten(struct ck *c, const struct mv_chain *chain)
{
    const struct mv_stage *dense = NULL;
    bool conv = false;
    for (size_t i = 0; chain && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        const struct lw_tensor *t = ck_tensor_of(s->in);
        if (s->kind == MV_OTHER || text_is(s->role, "flatten") || text_is(s->role, "reshape"))
            return;
        conv |= text_is(s->role, "conv");
        if (text_is(s->role, "dense") && conv && !dense && t && lw_shape_has_rank(&t->shape) &&
            t->shape.n == 4)
            dense = s;
    }
    const struct lw_tensor *out =
        chain && chain->n ? ck_tensor_of(chain->stage[chain->n - 1].out) : NULL;
    if (!dense || !out || !lw_shape_has_rank(&out->shape) || out->shape.n != 4)
        return;
    ck_hint(c, (struct ck_hint){.object = dense->layer});
    ck_find_at(c, dense->file, dense->node, "architecture/missing-flatten", &dense->in, 1,
               "the dense layers work on each point of the feature maps, so the output is a "
               "map: put Flatten() or global pooling before the first dense layer");
}

static void make_flatten(struct fix *f)
{
    uint32_t call = fix_layer_call(f);
    if (!fix_is_call(f, call))
        return;
    struct lw_str name = fix_sibling(f, fix_callee(f, call), LW_S("Flatten"));
    uint32_t s = fix_add_statement(f, call), up = lw_tree_parent(f->t, call);
    if (!name.n)
        return;
    fix_say(f, "add Flatten() before the dense layer");
    if (s != LW_NO_NODE)
        fix_line_before(
            f, s,
            ck_text(f->c, "%.*s(%.*s())", LW_F(fix_text(f, fix_callee(f, up))), LW_F(name)));
    else if (fix_is_layer_item(f, call))
        fix_insert(f, lw_tree_start(f->t, call), ck_text(f->c, "%.*s(), ", LW_F(name)));
    else if (fix_callee(f, up) == call)
        fix_around(f, fix_argument(f, up, NULL, 0), ck_text(f->c, "%.*s()(", LW_F(name)).p,
                   ")");
    else
        f->failed = true;
}

/* ---- the last layer ---------------------------------------------------------------------
 */

/* Dropout(0.0): the switch is off. */
static bool drops_nothing(struct ck *c, const struct mv_stage *s)
{
    double rate;
    return s->layer && ((ck_number_of(c, ck_config(s->layer, "rate"), &rate) && rate == 0) ||
                        (ck_number_of(c, ck_config(s->layer, "p"), &rate) && rate == 0));
}

/* Dropout as the last stage clears answers, not features. */
static void check_last(struct ck *c, const struct mv_chain *chain)
{
    const struct mv_stage *s = chain && chain->n ? &chain->stage[chain->n - 1] : NULL;
    bool learns = false;
    for (size_t i = 0; s && i < chain->n; i++)
        learns |= chain->stage[i].kind == MV_LEARN;
    for (; s && s > chain->stage && (s->kind == MV_KEEP || s->kind == MV_ACTIVATE); s--)
        if (text_is(s->role, "dropout") && learns && !drops_nothing(c, s)) {
            ck_find_at(c, s->file, s->node, "architecture/dropout-on-output", NULL, 0,
                       "dropout after the last layer sets outputs to 0 during training: put it "
                       "before the last layer");
            return;
        }
}

/* Dropout behind the last layer changes places with it. */
static void make_dropout_before(struct fix *f)
{
    uint32_t s = fix_is_call(f, f->node) ? fix_add_statement(f, f->node) : LW_NO_NODE;
    uint32_t before = s == LW_NO_NODE ? LW_NO_NODE : fix_neighbour(f, s, false);
    if (before == LW_NO_NODE || lw_str_find(fix_text(f, before), LW_S("Dense(")) < 0)
        return;
    fix_say(f, "move the dropout before the last layer");
    fix_move_before(f, s, before);
}

/* ---- layers that are made and not used ----------------------------------------------------
 */

static bool is_weighty(const struct ck_object *o)
{
    static const char *const roles[] = {"dense", "conv", "conv-transpose", "recurrent"};
    struct lw_str role =
        o && !o->of && o->api ? lw_api_fact(o->api, "role") : (struct lw_str){0};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (text_is(role, roles[i]))
            return true;
    return false;
}

/* Is the function inside another one, which never names it? */
static bool is_dead_function(const struct lw_tree *t, uint32_t function)
{
    uint32_t outer = lw_tree_enclosing(t, function, LW_NODE_FUNCTION);
    if (outer == LW_NO_NODE || lw_tree_enclosing(t, function, LW_NODE_CLASS) == LW_NO_NODE ||
        lw_tree_kind(t, lw_tree_parent(t, function)) == LW_NODE_CLASS)
        return false;
    struct lw_str name = lw_tree_name(t, function);
    for (uint32_t n = outer; n != LW_NO_NODE; n = lw_tree_next(t, outer, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NAME && lw_str_eq(lw_tree_name(t, n), name))
            return false;
    return true;
}

/* Does anything read `.name`? */
static bool is_read(struct ck *c, struct ck_file *f, struct lw_str name)
{
    const struct lw_tree *t = &f->tree;
    struct places_list uses = places_of(c, f, PLACES_ATTRIBUTE, name);
    for (size_t i = 0; i < uses.n; i++) {
        uint32_t n = uses.v[i], up = lw_tree_parent(t, n);
        if (lw_tree_kind(t, up) == LW_NODE_ASSIGN && lw_tree_get(t, up, LW_ROLE_VALUE) != n)
            continue;
        uint32_t function = lw_tree_enclosing(t, n, LW_NODE_FUNCTION);
        if (function == LW_NO_NODE || !is_dead_function(t, function))
            return true;
    }
    return false;
}

/* Ways to reach a field without its name. */
static bool is_indirect(struct lw_str text)
{
    static const char *const words[] = {"getattr(",       "_modules",   "named_children",
                                        ".children()",    ".modules()", "__dict__",
                                        "named_modules(", "vars(",      "locals()"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lw_str_find(text, lw_str(words[i])) != LW_NPOS)
            return true;
    return false;
}

/* A class of the program whose only bases are the library's. */
static bool is_own_module(struct ck *c, const struct ck_object *o)
{
    if (!o->of || o->of->file->index != 0 || o->open || !o->api)
        return false;
    for (uint32_t i = 0; i < o->of->item_count; i++)
        if (o->of->items[i].kind != CK_NAME)
            return false;
    return ck_class_member(c, o->of, LW_S("forward"), NULL).kind != LW_V_ABSENT ||
           ck_class_member(c, o->of, LW_S("call"), NULL).kind != LW_V_ABSENT;
}

static void watch_unused(struct ck *c, const struct ck_event *e)
{
    (void)e;
    if (is_indirect(c->files.v[0]->code)) /* where all own modules are */
        return;
    for (size_t i = 0; i < c->instances.n; i++) {
        const struct ck_object *o = c->instances.v[i];
        if (!is_own_module(c, o) || ck_is_a(c, ck_value(o->of), "torch.nn.Sequential"))
            continue; /* the library calls the parts of the latter in turn */
        for (const struct ck_slot *s = o->fields.first; s; s = s->next) {
            const struct ck_object *layer = ck_as(s->value, CK_INSTANCE);
            struct lw_str name = heap_name(&c->heap, s->name);
            if (!is_weighty(layer) || layer->file != o->of->file ||
                is_read(c, layer->file, name))
                continue;
            ck_find_at(c, layer->file, layer->node, "architecture/unused-layer", NULL, 0,
                       "'%.*s' is created but never called, so it is not part of the network",
                       LW_F(name));
        }
    }
}

/* ---- conventions --------------------------------------------------------------------------
 */

static void check_order(struct ck *c, const struct mv_stage *s, const struct mv_stage *before)
{
    struct lw_value bias = before->layer ? ck_config(before->layer, "use_bias") : lw_v_absent();
    if (s->kind == MV_NORM && before->kind == MV_LEARN && bias.kind == LW_V_BOOL &&
        bias.tri == LW_TRI_YES && !before->activation.n)
        ck_find_at(c, before->file, before->node, "architecture/bias-before-norm", NULL, 0,
                   "the normalisation after this layer removes its bias: pass use_bias=False");
    if (s->kind == MV_POOL && text_is(before->role, "dropout"))
        ck_find_at(c, before->file, before->node, "architecture/dropout-before-pooling", NULL,
                   0,
                   "pooling after dropout selects the values that were not dropped: put the "
                   "dropout after the pooling");
    if (s->kind == MV_NORM && text_is(before->role, "dropout"))
        ck_find_at(c, before->file, before->node, "architecture/dropout-before-norm", NULL, 0,
                   "dropout changes the statistics that the normalisation sees in training "
                   "only: put the dropout after the normalisation");
}

static int64_t kernel_of(struct ck *c, const struct mv_stage *s)
{
    struct lw_value kernel = s->layer ? ck_config(s->layer, "kernel_size") : lw_v_absent();
    struct lw_seq seq;
    int64_t n = 0;
    if (ck_sequence(c, kernel, &seq) && seq.n && !seq.open)
        kernel = seq.items[0];
    return ck_int_of(c, kernel, &n) ? n : 0;
}

static int64_t width_at(struct ck *c, const struct mv_stage *s)
{
    static const char *const units[] = {"units", "filters", "out_features", "out_channels"};
    int64_t n = 0;
    for (size_t i = 0; s->layer && i < sizeof units / sizeof *units; i++)
        if (ck_int_of(c, ck_config(s->layer, units[i]), &n))
            return n;
    return 0;
}

/* Widths, filters and windows along the depth. */
static void check_progress(struct ck *c, const struct mv_stage *s,
                           const struct mv_stage *before)
{
    int64_t a = width_at(c, before), b = width_at(c, s);
    int64_t k = kernel_of(c, before), m = kernel_of(c, s);
    if (!lw_str_eq(s->role, before->role))
        return;
    if (text_is(s->role, "dense") && a > 0 && b > a)
        ck_find_at(c, s->file, s->node, "architecture/growing-widths", NULL, 0,
                   "this dense layer has %lld units, but the previous one %lld: widths usually "
                   "shrink towards the output",
                   (long long)b, (long long)a);
    if (text_is(s->role, "conv") && a > 0 && b > 0 && b < a)
        ck_find_at(c, s->file, s->node, "architecture/shrinking-filters", NULL, 0,
                   "this convolution has %lld filters, but the previous one %lld: the number "
                   "of filters usually grows with the depth",
                   (long long)b, (long long)a);
    if (text_is(s->role, "conv") && k > 0 && m > 0 && m < k)
        ck_find_at(c, s->file, s->node, "architecture/shrinking-windows", NULL, 0,
                   "this convolution has a kernel of %lld, but the previous one %lld: kernels "
                   "usually grow with the depth",
                   (long long)m, (long long)k);
}

static void check_bias(struct ck *c, const struct mv_stage *s)
{
    struct lw_value init = s->layer ? ck_config(s->layer, "bias_initializer") : lw_v_absent();
    const struct lw_api *api = mv_entry(c, init, "initializer");
    if (s->kind == MV_LEARN && api && !text_is(text_tail(api->name), "Zeros"))
        ck_find_at(c, s->file, s->node, "architecture/bias-initializer", NULL, 0,
                   "the bias is not initialised to 0, as is usual: the random weights already "
                   "break the symmetry");
}

static void check_conventions(struct ck *c, const struct mv_chain *chain)
{
    const struct mv_stage *learner = NULL;
    for (size_t i = 0; chain && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (i)
            check_order(c, s, &chain->stage[i - 1]);
        check_bias(c, s);
        if (s->kind != MV_LEARN)
            continue;
        if (learner)
            check_progress(c, s, learner);
        learner = s;
    }
}

/* ---- events -------------------------------------------------------------------------------
 */

static void check_chain(struct ck *c, const struct mv_chain *chain)
{
    if (!chain || c->frame->guarded)
        return;
    check_shrinking(c, chain);
    check_last(c, chain);
    check_flatten(c, chain);
    check_conventions(c, chain);
}

static void watch_compile(struct ck *c, const struct ck_event *e)
{
    check_chain(c, mv_of_model(c, e->object));
}

/* The network whose output goes to a loss. */
static void watch_loss(struct ck *c, const struct ck_event *e)
{
    struct lw_value input = mv_loss_input(c, e);
    if (input.kind == LW_V_TENSOR)
        check_chain(c, mv_of_tensor(c, input));
}

/* ---- layers that are too wide or too narrow -----------------------------------------------
 */

/* weights: 4 GB, and as much again for gradients */
static const double HUGE_LAYER = 1e9;

static bool dense_size(struct ck *c, const struct ck_event *e, double *weights)
{
    const struct ck_object *o =
        e->kind == CK_EV_LAYER ? e->object : ck_as(e->value, CK_INSTANCE);
    int64_t in, out;
    if (!o || o->of || !o->api || !text_is(lw_api_fact(o->api, "role"), "dense"))
        return false;
    if (e->kind == CK_EV_CALL) {
        if (!ck_int_of(c, ck_config(o, "in_features"), &in) ||
            !ck_int_of(c, ck_config(o, "out_features"), &out))
            return false;
    } else {
        const struct lw_tensor *x = e->call->n ? ck_tensor_of(e->call->args[0].value) : NULL;
        if (!x || !lw_shape_has_rank(&x->shape) || x->shape.n < 2 ||
            !lw_dim_is_int(c->dims, x->shape.d[x->shape.n - 1], &in) ||
            !ck_int_of(c, ck_config(o, "units"), &out))
            return false;
    }
    *weights = (double)in * (double)out;
    return true;
}

static void watch_size(struct ck *c, const struct ck_event *e)
{
    double n;
    if (dense_size(c, e, &n) && n >= HUGE_LAYER)
        ck_find(c, e->node, "architecture/huge-layer", NULL, 0,
                "this layer has %.2g weights, %.3g GB in float32: add pooling or strides "
                "before flattening",
                n, n * 4e-9);
}

/* Of a dense layer; 0: not known. */
static int64_t units_of(struct ck *c, const struct mv_stage *s)
{
    int64_t n = 0;
    if (!text_is(s->role, "dense") || !s->layer ||
        (!ck_int_of(c, ck_config(s->layer, "out_features"), &n) &&
         !ck_int_of(c, ck_config(s->layer, "units"), &n)))
        return 0;
    return n;
}

/* One unit, and classes behind it: whatever its activation, they are told apart by one number.
 */
static void check_one_number(struct ck *c, const struct mv_chain *chain)
{
    const struct mv_stage *narrow = NULL;
    for (size_t i = 0; chain && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        bool classes = text_is(s->activation, "softmax") ||
                       (i + 1 < chain->n && chain->stage[i + 1].kind == MV_ACTIVATE &&
                        text_is(chain->stage[i + 1].activation, "softmax"));
        if (s->kind == MV_LEARN && narrow && classes && units_of(c, s) != 1 &&
            !text_is(narrow->activation, "relu")) {
            ck_find_at(c, narrow->file, narrow->node, "architecture/one-unit-bottleneck", NULL,
                       0,
                       "this hidden layer has a single unit, so the classes after it depend on "
                       "one number: give the layer more units, or remove it");
            return;
        }
        if (s->kind == MV_LEARN)
            narrow = units_of(c, s) == 1 ? s : NULL;
        else if (s->kind == MV_OTHER)
            narrow = NULL;
    }
}

/* relu of one unit between wider layers: half of the inputs, or all, come out as 0. */
static void check_bottleneck(struct ck *c, const struct mv_chain *chain)
{
    const struct mv_stage *narrow = NULL;
    int64_t units = 0;
    for (size_t i = 0; chain && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->kind == MV_LEARN && narrow && units == 1) {
            ck_find_at(c, narrow->file, narrow->node, "architecture/one-unit-bottleneck", NULL,
                       0,
                       "this hidden layer has a single unit with relu, which is 0 for at least "
                       "half of the inputs at the start: give the layer more units");
            return;
        }
        if (s->kind == MV_LEARN) {
            narrow = NULL;
            units = units_of(c, s);
            if (text_is(s->activation, "relu"))
                narrow = s;
            else if (i + 1 < chain->n && chain->stage[i + 1].kind == MV_ACTIVATE &&
                     text_is(chain->stage[i + 1].activation, "relu"))
                narrow = s;
        } else if (s->kind == MV_OTHER) {
            narrow = NULL;
        }
    }
}

static void watch_bottleneck(struct ck *c, const struct ck_event *e)
{
    if (e->kind == CK_EV_FIT) {
        check_bottleneck(c, mv_of_model(c, e->object));
        check_one_number(c, mv_of_model(c, e->object));
        return;
    }
    struct lw_value out = mv_loss_input(c, e);
    if (ck_origin_of(c, out))
        check_bottleneck(c, mv_of_tensor(c, out));
}

/* ---- names that promise probabilities -----------------------------------------------------
 */

static void watch_promise(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"predict_proba", "predict_probs", "predict_probability",
                                        "predict_probabilities", "probabilities"};
    const struct ck_object *f = c->frame->function;
    if (!f || !text_is_any(text_tail(f->name), names, sizeof names / sizeof *names) ||
        !ck_origin_of(c, e->value))
        return;
    struct mv_output out = mv_output_of(c, mv_of_tensor(c, lineage_through(c, e->value)));
    if (!out.known || out.activation.n || !out.learner ||
        (out.learner->activation.n && !out.stage))
        return;
    ck_find(c, e->node, "architecture/logits-as-probabilities", &e->value, 1,
            "%.*s() returns logits, not probabilities: apply softmax or sigmoid",
            LW_F(text_tail(f->name)));
}

/* ---- one layer in several places ----------------------------------------------------------
 */

static bool is_trained_layer(struct ck *c, struct lw_value v)
{
    static const char *const roles[] = {"dense", "conv", "recurrent", "attention",
                                        "conv-transpose"};
    const struct ck_object *o = ck_as(v, CK_INSTANCE);
    if (!o || (!ck_is_torch_module(c, o) && !ck_is_keras_layer(c, o)))
        return false;
    return o->of || (o->api && text_is_any(lw_api_fact(o->api, "role"), roles,
                                           sizeof roles / sizeof *roles));
}

/* [layer] * n: one layer n times. */
static bool is_one_repeated(struct ck *c, struct lw_value list)
{
    const struct ck_object *o = ck_as(list, CK_LIST);
    struct lw_seq seq;
    if (!o || !o->file || o->node >= o->file->tree.nodes.n || !ck_sequence(c, list, &seq) ||
        !seq.n || (!seq.open && seq.n < 2))
        return false;
    const struct lw_tree *t = &o->file->tree;
    if (lw_tree_kind(t, o->node) != LW_NODE_BIN_OP ||
        lw_tree_node(t, o->node)->op != LW_OP_MULT)
        return false;
    for (uint32_t i = 1; i < seq.n; i++)
        if (!ck_same(seq.items[0], seq.items[i]))
            return false;
    return is_trained_layer(c, seq.items[0]);
}

static void report_shared(struct ck *c, struct ck_file *file, uint32_t node)
{
    ck_find_at(c, file, node, "architecture/shared-layer", NULL, 0,
               "[layer] * n holds the same layer n times, so all share one set of weights: "
               "create each layer in a list comprehension");
}

/* Sequential(*[layer] * n): the list that is spread. */
static uint32_t spread_list(const struct lw_tree *t, uint32_t call)
{
    for (uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE); a != LW_NO_NODE;
         a = lw_tree_each(t, call, LW_ROLE_ARGS, a)) {
        uint32_t list = lw_tree_kind(t, a) == LW_NODE_STARRED ? lw_tree_get(t, a, LW_ROLE_VALUE)
                                                              : LW_NO_NODE;
        if (list != LW_NO_NODE && lw_tree_kind(t, list) == LW_NODE_BIN_OP &&
            lw_tree_node(t, list)->op == LW_OP_MULT)
            return list;
    }
    return LW_NO_NODE;
}

static void watch_repeated(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"ModuleList", "Sequential"};
    const struct lw_value *lists = &e->a;
    size_t n = 1;
    struct lw_value args[8];
    if (e->kind == CK_EV_LOOP && !e->flag)
        return;
    if (e->kind == CK_EV_CALL) {
        if (!text_is_any(text_tail(e->call->name), names, 2))
            return;
        uint32_t spread = spread_list(&c->frame->file->tree, e->node);
        if (spread != LW_NO_NODE && e->call->n > 1 &&
            ck_same(e->call->args[0].value, e->call->args[1].value) &&
            is_trained_layer(c, e->call->args[0].value))
            report_shared(c, c->frame->file, spread);
        for (n = 0; n < e->call->n && n < 8; n++)
            args[n] = e->call->args[n].value;
        lists = args;
    }
    for (size_t i = 0; i < n; i++)
        if (is_one_repeated(c, lists[i]))
            report_shared(c, ck_object_of(lists[i])->file, ck_object_of(lists[i])->node);
}

const struct ck_rule rules_architecture_layers[] = {
    {"architecture/stride-skips", CK_EV_CALL, watch_stride},
    {"architecture/argmax-one-unit", CK_EV_CALL, watch_argmax, .calls = ".argmax .max"},
    {"architecture/bias-before-norm architecture/bias-initializer "
     "architecture/dropout-before-norm architecture/dropout-before-pooling "
     "architecture/dropout-on-output architecture/growing-widths "
     "architecture/missing-flatten architecture/no-downsampling architecture/shrinking-filters "
     "architecture/shrinking-windows",
     CK_EV_COMPILE, watch_compile},
    {"architecture/bias-before-norm architecture/bias-initializer "
     "architecture/dropout-before-norm architecture/dropout-before-pooling "
     "architecture/dropout-on-output architecture/growing-widths "
     "architecture/missing-flatten architecture/no-downsampling architecture/shrinking-filters "
     "architecture/shrinking-windows",
     CK_EV_CALL | CK_EV_LAYER, watch_loss, .calls = "@loss"},
    {"architecture/unused-layer", CK_EV_END, watch_unused},
    {"architecture/huge-layer", CK_EV_CALL | CK_EV_LAYER, watch_size},
    {"architecture/one-unit-bottleneck", CK_EV_CALL | CK_EV_LAYER | CK_EV_FIT, watch_bottleneck,
     .calls = "@loss"},
    {"architecture/logits-as-probabilities", CK_EV_RETURN, watch_promise},
    {"architecture/shared-layer", CK_EV_CALL | CK_EV_LOOP, watch_repeated,
     .calls = ".ModuleList .Sequential"},
    {"architecture/missing-flatten", .fix = make_flatten},
    {"architecture/dropout-on-output", .fix = make_dropout_before},
    {0},
};
