/* Rules about a loss that is summed over the batch. */
#include "base/str.h"
#include "check/query/indices.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/rules/rules.h"

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
    return reduction.kind == LW_V_STR && reduction.str.p && text_is(reduction.str, "sum");
}

static void watch_backward(struct ck *c, const struct ck_event *e)
{
    struct summed *s = ck_state(c, &summed_key, sizeof *s);
    struct lw_value loss = e->a;
    const struct ck_origin *o = ck_origin_of(c, loss);
    if (!s)
        return;
    s->rows = 0;
    for (unsigned i = 0; i < 3 && o && text_is(o->op, "-") && o->in_count == 1; i++)
        o = ck_origin_of(c, o->in[0]);
    if (!o || !o->in_count)
        return;
    bool whole = text_is(text_tail(o->op), "sum") && lineage_slot(o, "dim").kind == LW_V_NONE;
    bool asked = o->api && o->api->kind == LW_API_LOSS &&
                 (o->layer ? !o->layer->of && sums(ck_config(o->layer, "reduction"))
                           : sums(lineage_slot(o, "reduction")));
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
        !text_is(e->object->api->name, "torch.optim.SGD") ||
        !ck_number_of(c, ck_config(e->object, "lr"), &rate) || rate * s->rows < LONG_STEP)
        return;
    ck_find_at(c, s->file, s->node, "training/summed-loss", NULL, 0,
               "the loss is a sum over a batch of %g samples, so the learning rate of %g acts "
               "like %g on their mean, and training is likely to diverge: use the mean",
               s->rows, rate, rate * s->rows);
}

const struct ck_rule rules_training_summed_loss[] = {
    {"training/summed-loss", CK_EV_LOOP, watch_batches},
    {"training/summed-loss", CK_EV_BACKWARD, watch_backward},
    {"training/summed-loss", CK_EV_STEP, watch_step},
    {0},
};
