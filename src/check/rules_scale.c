/*
 * Rules about the usual size of what a network gets: columns of different magnitude, and data
 * that is scaled for training and not for use. Ranges are rules_data.c; this is about data
 * whose range has no end but whose size is known all the same.
 */
#include <math.h>

#include "base/str.h"
#include "check/lib.h"
#include "check/lib_module.h"
#include "check/look.h"
#include "check/model_view.h"
#include "check/rules.h"
#include "check/typical.h"

static const double APART = 100;  /* times as large as another column */
static const double LARGE = 50;   /* too large for an ordinary first layer */
static const double ANOTHER = 20; /* times as large: data of another scale */

/* ---- columns ------------------------------------------------------------------------------
 */

static bool may_normalise(const struct mv_chain *chain)
{
    for (size_t i = 0; i < chain->n; i++)
        if (chain->stage[i].kind == MV_NORM || chain->stage[i].kind == MV_OTHER)
            return true;
    return chain->n == 0 || !chain->whole;
}

static void check_columns(struct ck *c, uint32_t node, struct lw_value x,
                          const struct mv_chain *chain)
{
    struct typical t;
    unsigned large = 0, small = 0;
    if (!chain || may_normalise(chain) || !typical_of(c, x, &t))
        return;
    if (t.n == 1 && typical_size(&t, 0) >= 2 * LARGE && !look_known_range(ck_tensor_of(x)))
        ck_find(c, node, "data/unscaled-input", &x, 1,
                "the inputs are about %.0f in size: scale them to about -1..1 before training",
                typical_size(&t, 0));
    if (t.n < 2)
        return;
    for (unsigned i = 0; i < t.n; i++) {
        if (typical_size(&t, i) > typical_size(&t, large))
            large = i;
        if (typical_size(&t, i) < typical_size(&t, small))
            small = i;
    }
    if (typical_size(&t, large) < LARGE ||
        typical_size(&t, large) < APART * typical_size(&t, small))
        return;
    ck_find(c, node, "data/unscaled-features", &x, 1,
            "column %u of the inputs is about %.0f times as large as column %u: it drowns the "
            "others and saturates the first layer; scale each column to about unit size",
            large, typical_size(&t, large) / fmax(typical_size(&t, small), 1e-6), small);
}

/* The rows of the loader that the innermost loop goes over. */
static const char rows_key;

static void watch_loader(struct ck *c, const struct ck_event *e)
{
    struct lw_value *rows = ck_state(c, &rows_key, sizeof *rows);
    const struct ck_object *o = ck_as(e->a, CK_INSTANCE);
    const struct ck_object *set =
        o && !o->of && o->api && lw_str_has_suffix(o->api->name, LW_S("data.DataLoader"))
            ? ck_as(ck_config(o, "dataset"), CK_INSTANCE)
            : NULL;
    struct lw_seq seq;
    if (!rows || !set || set->of)
        return;
    *rows = lw_v_absent();
    if (e->flag && ck_sequence(c, ck_field(c, set, "tensors"), &seq) && seq.n)
        *rows = seq.items[0];
}

static void watch_loss(struct ck *c, const struct ck_event *e)
{
    struct lw_value out = mv_loss_input(c, e);
    const struct lw_value *rows = ck_state(c, &rows_key, sizeof *rows);
    if (!ck_origin_of(c, out) || out.tensor->framework != LW_TORCH || !look_in_loop(c) || !rows)
        return;
    const struct mv_chain *chain = mv_of_tensor(c, out);
    struct lw_value x = chain && chain->n ? chain->stage[0].in : lw_v_absent();
    if (x.kind == LW_V_TENSOR && !ck_origin_of(c, x))
        x = *rows;
    check_columns(c, e->node, x, chain);
}

/* ---- the same on both sides ---------------------------------------------------------------
 */

static void compare(struct ck *c, uint32_t node, struct lw_value trained, struct lw_value used)
{
    struct typical a, b;
    if (!typical_of(c, trained, &a) || !typical_of(c, used, &b) ||
        (a.n != b.n && a.n != 1 && b.n != 1))
        return;
    unsigned n = a.n > b.n ? a.n : b.n;
    for (unsigned i = 0; i < n; i++) {
        double x = typical_size(&a, i), y = typical_size(&b, i);
        if (x <= 0 || y <= 0 || (y < ANOTHER * x && x < ANOTHER * y))
            continue;
        struct lw_value causes[2] = {trained, used};
        ck_find(c, node, "data/scaled-on-one-side", causes, 2,
                "the model is trained on values of about %.3g and gets about %.3g here: do the "
                "same to both",
                x, y);
        return;
    }
}

static void watch_fit(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = ck_arg(e->call, 0, "x");
    if (!look_is(look_tail(e->call->name), "fit") || x.kind != LW_V_TENSOR)
        return;
    ck_set_field(c, e->object, "(trained-x)", x);
    check_columns(c, e->node, x, mv_of_model(c, e->object));
}

static void watch_predict(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = ck_arg(e->call, 0, "x");
    struct lw_value trained = ck_field(c, e->object, "(trained-x)");
    if (trained.kind == LW_V_TENSOR && x.kind == LW_V_TENSOR)
        compare(c, e->node, trained, x);
}

static void watch_module(struct ck *c, const struct ck_event *e)
{
    if (!look_is_outermost(c, e->object) || !e->call || !e->call->n ||
        e->call->args[0].value.kind != LW_V_TENSOR)
        return;
    struct lw_value x = e->call->args[0].value;
    struct lw_value trained = ck_field(c, e->object, "(trained-x)");
    if (ck_grad_off(c)) {
        if (trained.kind == LW_V_TENSOR)
            compare(c, e->node, trained, x);
    } else if (look_in_loop(c)) {
        ck_set_field(c, e->object, "(trained-x)", x);
    }
}

/* ---- pixels of a table --------------------------------------------------------------------
 */

/* Is it read from a file, with nothing but its form changed? */
static bool is_raw_table(struct ck *c, struct lw_value v)
{
    static const char *const forms[] = {"[]",   "drop", "iloc",     "loc",
                                        "copy", "T",    "to_numpy", "train_test_split"};
    static const char *const readers[] = {"read_csv", "loadtxt", "genfromtxt"};
    for (unsigned i = 0; i < 12; i++) {
        v = look_through(c, v);
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o)
            return false;
        if (look_is_any(look_tail(o->op), readers, 3))
            return true;
        if (!o->in_count || !look_is_any(look_tail(o->op), forms, sizeof forms / sizeof *forms))
            return false;
        v = o->in[0];
    }
    return false;
}

/* 784 columns of a table are the pixels of MNIST, 3072 those of CIFAR: 0 to 255. */
static void watch_pixels(struct ck *c, const struct ck_event *e)
{
    struct lw_value in = ck_field(c, e->object, "(input)"), x = ck_arg(e->call, 0, "x");
    const struct lw_tensor *t = ck_tensor_of(in);
    int64_t columns = 1, size;
    for (uint32_t i = 1; t && lw_shape_has_rank(&t->shape) && i < t->shape.n; i++)
        columns *= lw_dim_is_int(c->dims, t->shape.d[i], &size) && size < 4096 ? size : 0;
    if ((columns != 784 && columns != 3072) || !is_raw_table(c, x) || ck_mentions(c, "255") ||
        ck_mentions(c, "256"))
        return;
    const struct mv_chain *chain = mv_of_model(c, e->object);
    if (chain && !may_normalise(chain))
        ck_find(c, e->node, "data/unscaled-input", &x, 1,
                "%lld columns of a table are pixels from 0 to 255, as far as can be seen, and "
                "nothing scales them: divide by 255 before training",
                (long long)columns);
}

/* ---- whole quotients ----------------------------------------------------------------------
 */

/* The division that left only whole numbers, on the way from data to what a network gets; NULL:
 * there is none. */
static const struct ck_origin *floor_division(struct ck *c, struct lw_value x, double *by)
{
    static const char *const forms[] = {"[]", "train_test_split", "transpose", "concatenate"};
    for (unsigned i = 0; i < 12; i++) {
        x = look_through(c, x);
        const struct ck_origin *o = ck_origin_of(c, x);
        if (!o || !o->in_count)
            return NULL;
        if (look_is(look_tail(o->op), "//") || look_is(look_tail(o->op), "floor_divide"))
            return o->in_count == 2 && ck_number_of(c, o->in[1], by) ? o : NULL;
        if (!look_is_any(look_tail(o->op), forms, sizeof forms / sizeof *forms))
            return NULL;
        x = o->in[0];
    }
    return NULL;
}

/* x_train // 255: every pixel but the brightest becomes 0. */
static void watch_whole_quotient(struct ck *c, const struct ck_event *e)
{
    double by = 0;
    const struct ck_origin *o = floor_division(c, ck_arg(e->call, 0, "x"), &by);
    const struct lw_tensor *t = o ? ck_tensor_of(o->in[0]) : NULL;
    bool pixels = by == 255 || by == 256;
    bool known = t && look_known_range(t) && t->range.lo >= 0 && t->range.lo < t->range.hi;
    if (!o || by < 2 || (known ? t->range.hi > by : !pixels))
        return;
    ck_find_at(c, o->file, o->node, "data/fraction-to-integer", &o->in[0], 1,
               "// %g keeps only the whole part, which is 0 for all values below %g: the "
               "network sees nothing; divide by %g with /",
               by, by, by);
}

const struct ck_rule ck_rules_scale[] = {
    {CK_EV_LOOP, watch_loader},
    {CK_EV_CALL | CK_EV_LAYER, watch_loss},
    {CK_EV_FIT, watch_fit},
    {CK_EV_PREDICT, watch_predict},
    {CK_EV_LAYER, watch_module},
    {CK_EV_FIT, watch_pixels},
    {CK_EV_FIT | CK_EV_PREDICT, watch_whole_quotient},
    {0, NULL},
};
