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
    bool unordered[MAX_INDICES]; /* what they look up is drawn or learnt: no order among them */
    size_t n;
};

static const char indices_key;

/* Does anything on the way to the table count or add up from row to row? */
static bool visit_table(void *data, struct lw_value v, const struct ck_origin *o)
{
    static const char *const ordered[] = {"arange", "linspace", "logspace", "cumprod",
                                          "cumsum", "range",    "sort"};
    bool *drawn = data;
    if (v.kind == LW_V_TENSOR && v.tensor->variable == LW_TRI_YES)
        *drawn = true;
    if (!o)
        return true;
    struct lw_str name = look_tail(o->op);
    *drawn |= look_is(name, "randn") || look_is(name, "normal") || look_is(name, "rand");
    return !look_is_any(name, ordered, sizeof ordered / sizeof *ordered);
}

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
    bool drawn = false;
    s->unordered[s->n] = look_back(c, e->a, visit_table, &drawn) && drawn;
    s->ids[s->n++] = t->id;
}

static void watch_amounts(struct ck *c, const struct ck_event *e)
{
    const struct indices *s = ck_state(c, &indices_key, sizeof *s);
    struct lw_value y = mv_loss_target(c, e);
    if (!s || !s->n || y.kind != LW_V_TENSOR ||
        !look_is(lw_api_fact(api_of(e), "task"), "regression"))
        return;
    struct lw_value whole = look_whole(c, y);
    const struct lw_tensor *t = ck_tensor_of(whole);
    if (!t || !look_known_range(t) || t->range.lo != 0 || look_top(t) < 2)
        return;
    for (size_t i = 0; i < s->n; i++)
        if (s->ids[i] == t->id) {
            ck_find(c, e->node, "architecture/class-numbers-as-amounts", &whole, 1,
                    "the targets are numbers of classes (0 to %g), and this loss takes them "
                    "for amounts with a distance; use a unit for each class and cross-entropy",
                    look_top(t));
            return;
        }
}

/* ---- the wrong way round ------------------------------------------------------------------
 */

/* Nothing that learns on the way. */
static bool visit_untrained(void *data, struct lw_value v, const struct ck_origin *o)
{
    (void)data;
    return v.tensor->variable != LW_TRI_YES && !(o && o->layer);
}

static bool is_label_name(const struct lw_tree *t, const struct ck_call *call)
{
    static const char *const names[] = {"y",      "labels", "label",   "target", "targets",
                                        "y_true", "Y",      "y_batch", "y_train"};
    uint32_t node = call->n && !call->args[0].name.n ? call->args[0].node : LW_NO_NODE;
    return node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_NAME &&
           look_is_any(lw_tree_name(t, node), names, sizeof names / sizeof *names);
}

/* cross_entropy(labels, output): the network's output is taken for the truth. */
static void watch_order(struct ck *c, const struct ck_event *e)
{
    struct lw_value input = mv_loss_input(c, e), target = mv_loss_target(c, e);
    const struct lw_api *api = api_of(e);
    if (target.kind != LW_V_TENSOR || !api || look_is(lw_api_fact(api, "task"), "regression") ||
        !lw_api_fact(api, "task").n)
        return;
    bool data = input.kind == LW_V_TENSOR ? look_back(c, input, visit_untrained, NULL)
                                          : input.kind == LW_V_UNKNOWN &&
                                                is_label_name(&c->frame->file->tree, e->call);
    if (!data || !mv_output_of(c, mv_of_tensor(c, target)).known)
        return;
    ck_find(c, e->node, "architecture/swapped-loss", &target, 1,
            "the output of the network stands where the loss takes the truth, and the labels "
            "where it takes the output: change their places");
}

/* ---- categories as amounts ----------------------------------------------------------------
 */

enum { MAX_LOOKED = 64 };

/* Tensors that an input is made of, as they are found. */
struct parts {
    struct lw_value v[MAX_LOOKED];
    const struct ck_origin *by[MAX_LOOKED]; /* what was first done to it */
    size_t n;
};

static void add_part(struct ck *c, struct parts *p, struct lw_value v,
                     const struct ck_origin *by)
{
    struct lw_seq seq;
    if (v.kind == LW_V_TENSOR) {
        if (p->n < MAX_LOOKED) {
            p->by[p->n] = by;
            p->v[p->n++] = v;
        }
    } else if (ck_sequence(c, v, &seq)) {
        for (uint32_t i = 0; i < seq.n; i++)
            if (seq.items[i].kind == LW_V_TENSOR)
                add_part(c, p, seq.items[i], by);
    }
}

/* Numbers that name rows of a table without an order go into the network as an amount. */
static void watch_category(struct ck *c, const struct ck_event *e)
{
    static const char *const names_things[] = {
        "one_hot", "embedding", "==", "eq", "!=", "where", "argmax", "<", ">", "isin"};
    const struct indices *s = ck_state(c, &indices_key, sizeof *s);
    struct lw_value out = mv_loss_input(c, e);
    const struct mv_chain *chain =
        s && s->n && out.kind == LW_V_TENSOR ? mv_of_tensor(c, out) : NULL;
    if (!chain || !chain->n || !chain->stage[0].layer ||
        !look_is(chain->stage[0].role, "dense"))
        return;
    struct parts p = {.n = 0};
    add_part(c, &p, chain->stage[0].in, NULL);
    for (size_t i = 0; i < p.n; i++) {
        for (size_t k = 0; k < s->n; k++)
            if (p.by[i] && s->unordered[k] && p.v[i].tensor->id == s->ids[k] &&
                look_top(p.v[i].tensor) >= 2) {
                ck_find_at(c, p.by[i]->file, p.by[i]->node, "data/category-as-number", &p.v[i],
                           1,
                           "these numbers pick rows of a table that has no order, and here the "
                           "network gets them as an amount: number 20 is not twice number 10; "
                           "use one_hot or an embedding");
                return;
            }
        const struct ck_origin *o = ck_origin_of(c, p.v[i]);
        if (!o || o->layer || look_is_any(look_tail(o->op), names_things, 10))
            continue;
        uint32_t n = look_is(o->op, "[]") ? 1 : o->in_count;
        for (uint32_t k = 0; k < n && k < o->in_count; k++)
            add_part(c, &p, o->in[k], o);
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
    struct lw_value y = mv_loss_target(c, e), left_out = setting(e, "ignore_index");
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
    {CK_EV_CALL | CK_EV_LAYER, watch_order},
    {CK_EV_CALL | CK_EV_LAYER, watch_category},
    {CK_EV_LOOP, watch_batches},
    {CK_EV_BACKWARD, watch_backward},
    {CK_EV_STEP, watch_step},
    {CK_EV_CALL | CK_EV_LAYER, watch_padding},
    {0, NULL},
};
