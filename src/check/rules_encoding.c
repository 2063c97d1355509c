/*
 * Rules about the form of the targets that a Keras model is trained with: classes as columns of
 * 0 and 1, or as numbers; one for each row, or for each step. Where the number of classes is
 * known the shapes tell; mostly it is counted when the program runs, and what the labels were
 * made by tells.
 */
#include "base/str.h"
#include "check/look.h"
#include "check/model_view.h"
#include "check/rules.h"

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
    if (flat && look_known_range(t) && (t->range.flags & LW_IV_WHOLE) && t->range.lo >= 0 &&
        look_top(t) >= 2)
        return true;
    for (unsigned i = 0; i < 6; i++) {
        y = look_through(c, y);
        const struct ck_origin *o = ck_origin_of(c, y);
        if (o && lw_str_find(o->op, LW_S(".LabelEncoder.")) != LW_NPOS)
            return !look_is(look_tail(o->op), "inverse_transform");
        if (!o || !o->in_count || !look_is_any(look_tail(o->op), forms, 2))
            return false;
        y = o->in[0];
    }
    return false;
}

/* Categorical loss and class numbers, or the other way round, in a network of as many units as
 * the program finds classes. */
static void watch_fit(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, ck_field(c, e->object, "(loss)"), "loss");
    struct lw_value y = ck_arg(e->call, 1, "y");
    if (!loss || c->frame->guarded)
        return;
    struct lw_str target = lw_api_fact(loss, "target");
    struct mv_output out = mv_output_of(c, mv_of_model(c, e->object));
    if (!out.known || out.width || !look_is(out.learner->role, "dense"))
        return; /* the shapes are compared */
    if (look_is(target, "onehot") && is_numbered(c, y))
        ck_find(c, e->node, "architecture/loss-target", &y, 1,
                "categorical cross-entropy takes a column for each class, and the targets are "
                "numbers of classes: use to_categorical(), or sparse_categorical_crossentropy");
    else if (look_is(target, "index") && look_is_one_hot(c, y))
        ck_find(c, e->node, "architecture/loss-target", &y, 1,
                "sparse categorical cross-entropy takes the number of the class, and the "
                "targets have a column for each: use categorical_crossentropy, or leave the "
                "numbers as they are");
}

/* ---- one answer for each step -------------------------------------------------------------
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
        if (look_is(s->role, "recurrent") && s->layer &&
            ck_truth(c, ck_config(s->layer, "return_sequences")) == LW_TRI_YES) {
            ck_find_at(c, s->file, s->node, "architecture/loss-target", &e->value, 1,
                       "return_sequences=True gives an output for each step, and there is one "
                       "target for each row: leave it out in the last recurrent layer");
            return;
        }
        if (s->kind == MV_OTHER)
            return;
    }
}

const struct ck_rule ck_rules_encoding[] = {
    {CK_EV_FIT, watch_fit},
    {CK_EV_FIT, watch_steps},
    {0, NULL},
};
