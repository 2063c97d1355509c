/* Rules about targets that a loss is not made for: their form, their range and what they mean.
 */
#include "base/str.h"
#include "check/models/module.h"
#include "check/models/traits.h"
#include "check/query/amounts.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/rules/rules.h"

/* ---- what is fed as labels ----------------------------------------------------------------
 */

enum { MAX_LABELS = 8 };

/* Placeholders that a loss of two classes takes for its labels. */
struct binary_labels {
    uint32_t ids[MAX_LABELS];
    size_t n;
};

static const char labels_key;

static void watch_binary_loss(struct ck *c, const struct ck_event *e)
{
    struct binary_labels *b = ck_state(c, &labels_key, sizeof *b);
    const struct lw_api *api = e->call->api;
    if (!b || !api || api->kind != LW_API_LOSS || b->n == MAX_LABELS ||
        !lw_str_has_prefix(api->name, LW_S("tensorflow.")) ||
        !text_is(lw_api_fact(api, "target"), "binary"))
        return;
    struct lw_value y = lineage_through(c, mv_loss_target(c, e));
    if (y.kind == LW_V_TENSOR && y.tensor->id)
        b->ids[b->n++] = y.tensor->id;
}

static void watch_fed_labels(struct ck *c, const struct ck_event *e)
{
    const struct binary_labels *b = ck_state(c, &labels_key, sizeof *b);
    const struct lw_dict *feed;
    struct lw_tensor y;
    if (!b || !b->n || !ck_pairs(ck_arg(e->call, 1, "feed_dict"), &feed))
        return;
    for (uint32_t i = 0; i < feed->n; i++)
        for (size_t k = 0; k < b->n; k++) {
            if (feed->keys[i].kind != LW_V_TENSOR || feed->keys[i].tensor->id != b->ids[k] ||
                !ck_to_tensor(c, feed->values[i], &y) || !lineage_known_range(&y) ||
                (y.range.lo >= 0 && lineage_top(&y) <= 1))
                continue;
            ck_find(c, e->node, "architecture/loss-target", &feed->values[i], 1,
                    "the loss expects labels of 0 and 1, but they range from %.4g to %.4g: use "
                    "one unit per class and softmax cross-entropy",
                    y.range.lo, lineage_top(&y));
        }
}

/* ---- classes in an order -------------------------------------------------------------------
 */

enum { FEW_CLASSES = 20 };

/* Whole numbers from 0 on as targets of one output of a regression: classes, of which the loss
 * thinks that 0 is nearer to 1 than to 2. */
static void check_numbers(struct ck *c, uint32_t node, struct lw_value target,
                          struct lw_value output)
{
    const struct lw_tensor *y = ck_tensor_of(target);
    if (!y || !(y->range.flags & LW_IV_KNOWN) || !(y->range.flags & LW_IV_WHOLE) ||
        y->range.lo != 0 || y->range.hi < 2 || y->range.hi > FEW_CLASSES ||
        look_speaks_of_counts(lw_tree_text(&c->frame->file->tree, node)))
        return;
    struct mv_output out = mv_output_of(c, mv_of_tensor(c, output));
    if (out.known && out.width == 1)
        ck_find(c, node, "architecture/loss-target", &target, 1,
                "the targets are the integers 0 to %.4g: if they are classes, use one unit per "
                "class and cross-entropy instead of a regression loss",
                y->range.hi);
}

/* A loss of regression that is called. */
static void watch_numbers(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *api = e->call->api ? e->call->api : e->object ? e->object->api : NULL;
    struct lw_value input = mv_loss_input(c, e);
    if (input.kind == LW_V_TENSOR && text_is(lw_api_fact(api, "task"), "regression"))
        check_numbers(c, e->node, ck_slot_value(e->call, "target"), input);
}

/* mean((model(x) - y) ** 2) is a loss too. */
static void check_written_numbers(struct ck *c, uint32_t node, struct lw_value loss)
{
    struct lw_value sides[2];
    if (!look_squared_error(c, loss, &sides[0], &sides[1]))
        return;
    for (int i = 0; i < 2; i++)
        check_numbers(c, node, sides[1 - i], sides[i]);
}

static void watch_backward_numbers(struct ck *c, const struct ck_event *e)
{
    check_written_numbers(c, e->node, e->a);
}

static void watch_minimize_numbers(struct ck *c, const struct ck_event *e)
{
    if (lw_str_has_suffix(e->call->name, LW_S("Optimizer.minimize")))
        check_written_numbers(c, e->node, ck_arg(e->call, 0, "loss"));
}

/* ---- the form of targets ------------------------------------------------------------------
 *
 * Classes as columns of 0 and 1, or as numbers; one for each row, or for each step. Where the
 * number of classes is known the shapes tell; mostly it is counted when the program runs, and
 * what the labels were made by tells.
 */

/* Numbers of more than two classes, one for each row. */
static bool is_numbered(struct ck *c, struct lw_value y)
{
    static const char *const forms[] = {"[]", "train_test_split"};
    const struct lw_tensor *t = ck_tensor_of(y);
    int64_t last;
    bool flat =
        t && lw_shape_has_rank(&t->shape) &&
        (t->shape.n == 1 ||
         (t->shape.n == 2 && lw_dim_is_int(c->dims, t->shape.d[1], &last) && last == 1));
    if (flat && lineage_known_range(t) && (t->range.flags & LW_IV_WHOLE) && t->range.lo >= 0 &&
        lineage_top(t) >= 2)
        return true;
    for (unsigned i = 0; i < 6; i++) {
        y = lineage_through(c, y);
        const struct ck_origin *o = ck_origin_of(c, y);
        if (o && lw_str_find(o->op, LW_S(".LabelEncoder.")) != LW_NPOS)
            return !text_is(text_tail(o->op), "inverse_transform");
        if (!o || !o->in_count || !text_is_any(text_tail(o->op), forms, 2))
            return false;
        y = o->in[0];
    }
    return false;
}

/* Categorical loss and class numbers, or the other way round, in a network of as many units as
 * the program finds classes. */
static void watch_encoding(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    struct lw_value y = ck_arg(e->call, 1, "y");
    if (!loss || c->frame->guarded)
        return;
    struct lw_str target = lw_api_fact(loss, "target");
    struct mv_output out = mv_output_of(c, mv_of_model(c, e->object));
    if (!out.known || out.width || !text_is(out.learner->role, "dense"))
        return; /* the shapes are compared */
    if (text_is(target, "onehot") && is_numbered(c, y))
        ck_find(c, e->node, "architecture/loss-target", &y, 1,
                "categorical_crossentropy expects one-hot targets, but these are class "
                "indices: use to_categorical(), or sparse_categorical_crossentropy");
    else if (text_is(target, "index") && look_is_one_hot(c, y))
        ck_find(c, e->node, "architecture/loss-target", &y, 1,
                "sparse_categorical_crossentropy expects class indices, but the targets are "
                "one-hot: use categorical_crossentropy, or keep the class indices");
}

/* ---- one answer for each step --------------------------------------------------------------
 */

/* LSTM(…, return_sequences=True) before the last layers, and one target for each row. How many
 * steps there are is not known here; where it is, the shapes tell. */
static void watch_steps(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *y = ck_tensor_of(e->b), *out = ck_tensor_of(e->value);
    int64_t n;
    bool single = y && lw_shape_has_rank(&y->shape) &&
                  (y->shape.n == 1 ||
                   (y->shape.n == 2 && lw_dim_is_int(c->dims, y->shape.d[1], &n) && n == 1));
    if (!single || !out || c->frame->guarded || !lw_shape_has_rank(&out->shape) ||
        out->shape.n != 3 || lw_dim_is_int(c->dims, out->shape.d[1], &n))
        return;
    const struct mv_chain *chain = mv_of_tensor(c, e->value);
    for (size_t i = chain ? chain->n : 0; i-- > 0;) {
        const struct mv_stage *s = &chain->stage[i];
        if (text_is(s->role, "recurrent") && s->layer &&
            ck_truth(c, ck_config(s->layer, "return_sequences")) == LW_TRI_YES) {
            ck_find_at(c, s->file, s->node, "architecture/loss-target", &e->value, 1,
                       "return_sequences=True returns an output for each time step, but there "
                       "is one target per sample: remove it from the last recurrent layer");
            return;
        }
        if (s->kind == MV_OTHER)
            return;
    }
}

/* ---- targets of 0 and 1 --------------------------------------------------------------------
 */

/* Targets that a loss for yes and no does not fit. */
static void watch_binary_targets(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *y = ck_tensor_of(e->b);
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    if (!y || !loss || !(y->range.flags & LW_IV_KNOWN) ||
        !text_is(lw_api_fact(loss, "target"), "binary") ||
        (y->range.lo >= 0 && lineage_top(y) <= 1))
        return;
    ck_find(c, e->node, "architecture/loss-target", &e->b, 1,
            "binary cross-entropy expects targets between 0 and 1, but they range from %.4g to "
            "%.4g: use one unit per class and a categorical loss, or a regression loss",
            y->range.lo, lineage_top(y));
}

/* table['price'] with a loss for yes and no. */
static void watch_binary_amounts(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    struct lw_value y = ck_arg(e->call, 1, "y");
    struct lw_str name;
    if (loss && text_is(lw_api_fact(loss, "target"), "binary") && amounts_in(c, &y, &name))
        ck_find(c, e->node, "architecture/loss-target", &y, 1,
                "binary cross-entropy expects targets between 0 and 1, but '%.*s' is a "
                "quantity: use a regression loss and a linear last layer",
                LW_F(name));
}

const struct ck_rule rules_architecture_loss_target[] = {
    {"architecture/loss-target", CK_EV_SESSION_RUN, watch_fed_labels},
    {"architecture/loss-target", CK_EV_CALL, watch_binary_loss, .calls = "@loss"},
    {"architecture/loss-target", CK_EV_FIT, watch_encoding},
    {"architecture/loss-target", CK_EV_FIT, watch_steps},
    {"architecture/loss-target", CK_EV_CALL | CK_EV_LAYER, watch_numbers, .calls = "@loss"},
    {"architecture/loss-target", CK_EV_BACKWARD, watch_backward_numbers},
    {"architecture/loss-target", CK_EV_CALL, watch_minimize_numbers,
     .calls = "*Optimizer.minimize"},
    {"architecture/loss-target", CK_EV_FIT, watch_binary_targets},
    {"architecture/loss-target", CK_EV_FIT, watch_binary_amounts},
    {0},
};
