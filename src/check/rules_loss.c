/*
 * Rules about what a loss of torch is computed of, beyond shapes and activations: class numbers
 * taken for amounts, sums over the batch against the step, padding among the targets.
 */
#include <math.h>

#include "base/str.h"
#include "check/look.h"
#include "check/model_view.h"
#include "check/rules.h"

static const struct lw_api *api_of(const struct ck_event *e)
{
    return e->call->api ? e->call->api : e->object ? e->object->api : NULL;
}

/* What the loss compares with; ABSENT when the event is no loss. */
static struct lw_value target_of(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"target", "labels", "y_true", "targets"};
    struct lw_value v = lw_v_absent();
    if (mv_loss_input(c, e).kind == LW_V_ABSENT)
        return v;
    for (size_t i = 0; i < sizeof names / sizeof *names && v.kind == LW_V_ABSENT; i++)
        v = ck_slot_value(e->call, names[i]);
    return v;
}

/* An argument of the loss function, or of the object that is called. */
static struct lw_value setting(const struct ck_event *e, const char *name)
{
    return e->object && !e->object->of ? ck_config(e->object, name)
                                       : ck_slot_value(e->call, name);
}

/* ---- class numbers taken for amounts ------------------------------------------------------
 */

enum { MAX_INDICES = 64 };

/* Tensors that were used to look something up: they name things. */
struct indices {
    uint32_t ids[MAX_INDICES];
    size_t n;
};

static const char indices_key;

static void watch_index(struct ck *c, const struct ck_event *e)
{
    struct indices *s = ck_state(c, &indices_key, sizeof *s);
    const struct lw_tensor *t = ck_tensor_of(e->b);
    int64_t rows;
    if (!s || !t || !t->id || lw_set_within(t->dtype, LW_INTS) != LW_TRI_YES ||
        s->n == MAX_INDICES || !look_known_range(t) || e->a.kind != LW_V_TENSOR ||
        !lw_shape_has_rank(&e->a.tensor->shape) || !e->a.tensor->shape.n ||
        !lw_dim_is_int(c->dims, e->a.tensor->shape.d[0], &rows) ||
        look_top(t) + 1 != (double)rows) /* each number has its row */
        return;
    s->ids[s->n++] = t->id;
}

/* The tensor of which `v` is some rows, in another type perhaps. */
static struct lw_value whole_of(struct ck *c, struct lw_value v)
{
    for (unsigned i = 0; i < 6; i++) {
        v = look_through(c, v);
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o || !look_is(o->op, "[]") || o->in[1].kind == LW_V_TUPLE)
            break;
        v = o->in[0];
    }
    return v;
}

static void watch_amounts(struct ck *c, const struct ck_event *e)
{
    const struct indices *s = ck_state(c, &indices_key, sizeof *s);
    struct lw_value y = target_of(c, e);
    if (!s || !s->n || y.kind != LW_V_TENSOR ||
        !look_is(lw_api_fact(api_of(e), "task"), "regression"))
        return;
    struct lw_value whole = whole_of(c, y);
    const struct lw_tensor *t = ck_tensor_of(whole);
    if (!t || !look_known_range(t) || t->range.lo != 0 || look_top(t) < 2)
        return;
    for (size_t i = 0; i < s->n; i++)
        if (s->ids[i] == t->id) {
            ck_find(c, e->node, "architecture/class-numbers-as-amounts", &whole, 1,
                    "the targets are numbers of classes (0 to %g), and this loss takes them "
                    "for amounts: class 9 is not three times class 3; use a unit for each "
                    "class and cross-entropy",
                    look_top(t));
            return;
        }
}

/* ---- sums over the batch ------------------------------------------------------------------
 */

/* Of the last backward pass: a loss that is a sum of so many rows. */
struct summed {
    double rows;
    uint32_t node;
    struct ck_file *file;
    double loader; /* rows of a batch of the loader that is gone over */
};

static const char summed_key;
static const double LONG_STEP = 5; /* of a rate for the mean, with plain gradient descent */

static void watch_batches(struct ck *c, const struct ck_event *e)
{
    struct summed *s = ck_state(c, &summed_key, sizeof *s);
    const struct ck_object *o = ck_as(e->a, CK_INSTANCE);
    int64_t size;
    if (!s || !o || o->of || !o->api ||
        !lw_str_has_suffix(o->api->name, LW_S("data.DataLoader")))
        return;
    s->loader = e->flag && ck_int_of(c, ck_config(o, "batch_size"), &size) ? (double)size : 0;
}

static double rows_of(struct ck *c, struct lw_value v, double otherwise)
{
    int64_t n;
    const struct lw_tensor *t = ck_tensor_of(v);
    if (t && lw_shape_has_rank(&t->shape) && t->shape.n &&
        lw_dim_is_int(c->dims, t->shape.d[0], &n))
        return (double)n;
    return t && lw_shape_has_rank(&t->shape) && t->shape.n ? otherwise : 0;
}

static bool sums(struct lw_value reduction)
{
    return reduction.kind == LW_V_STR && reduction.str.p && look_is(reduction.str, "sum");
}

static void watch_backward(struct ck *c, const struct ck_event *e)
{
    struct summed *s = ck_state(c, &summed_key, sizeof *s);
    struct lw_value loss = e->a;
    const struct ck_origin *o = ck_origin_of(c, loss);
    if (!s)
        return;
    s->rows = 0;
    for (unsigned i = 0; i < 3 && o && look_is(o->op, "-") && o->in_count == 1; i++)
        o = ck_origin_of(c, o->in[0]);
    if (!o || !o->in_count)
        return;
    bool whole = look_is(look_tail(o->op), "sum") && look_slot(o, "dim").kind == LW_V_NONE;
    bool asked = o->api && o->api->kind == LW_API_LOSS &&
                 (o->layer ? !o->layer->of && sums(ck_config(o->layer, "reduction"))
                           : sums(look_slot(o, "reduction")));
    if (!whole && !asked)
        return;
    s->rows = rows_of(c, o->in[0], s->loader);
    s->node = o->node;
    s->file = o->file;
}

static void watch_step(struct ck *c, const struct ck_event *e)
{
    struct summed *s = ck_state(c, &summed_key, sizeof *s);
    double rate;
    if (!s || s->rows < 2 || !e->object || e->object->of || !e->object->api ||
        !look_is(e->object->api->name, "torch.optim.SGD") ||
        !ck_number_of(c, ck_config(e->object, "lr"), &rate) || rate * s->rows < LONG_STEP ||
        ck_mentions(c, "clip_grad"))
        return;
    ck_find_at(c, s->file, s->node, "training/summed-loss", NULL, 0,
               "the loss is a sum over a batch of %g rows, so that the rate of %g acts like %g "
               "on their mean: training diverges; take the mean",
               s->rows, rate, rate * s->rows);
}

/* ---- padding among the targets ------------------------------------------------------------
 */

static void watch_padding(struct ck *c, const struct ck_event *e)
{
    static const char *const reorders[] = {"transpose", "permute", "t"};
    struct lw_value y = target_of(c, e), left_out = setting(e, "ignore_index");
    struct lw_value reduction = setting(e, "reduction");
    double ignored, padding;
    if (y.kind != LW_V_TENSOR || !ck_number_of(c, left_out, &ignored) ||
        (reduction.kind == LW_V_STR && reduction.str.p && look_is(reduction.str, "none")))
        return;
    const struct ck_origin *o = NULL;
    for (unsigned i = 0; i < 8; i++) {
        y = look_through(c, y);
        o = ck_origin_of(c, y);
        if (!o || !o->in_count ||
            (!look_is(o->op, "[]") && !look_is_any(look_tail(o->op), reorders, 3)) ||
            (look_is(o->op, "[]") && o->in[1].kind != LW_V_TUPLE &&
             o->in[1].kind != LW_V_SLICE))
            break;
        y = o->in[0];
    }
    if (!o || !look_is(look_tail(o->op), "pad_sequence") ||
        !ck_number_of(c, look_slot(o, "padding_value"), &padding) || padding == ignored)
        return;
    ck_find(c, e->node, "data/padding-in-loss", &y, 1,
            "the targets are padded with %g, which the loss counts like any class: the network "
            "learns to predict padding; give ignore_index=%g",
            padding, padding);
}

const struct ck_rule ck_rules_loss[] = {
    {CK_EV_INDEX, watch_index},
    {CK_EV_CALL | CK_EV_LAYER, watch_amounts},
    {CK_EV_LOOP, watch_batches},
    {CK_EV_BACKWARD, watch_backward},
    {CK_EV_STEP, watch_step},
    {CK_EV_CALL | CK_EV_LAYER, watch_padding},
    {0, NULL},
};
