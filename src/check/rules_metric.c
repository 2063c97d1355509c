/* Rules about what a Keras model is judged by: metrics that do not fit its loss and targets. */
#include "base/str.h"
#include "check/look.h"
#include "check/model_view.h"
#include "check/rules.h"

static bool is(struct lw_str a, const char *b)
{
    return look_is(a, b);
}

/* ---- metrics against losses ---------------------------------------------------------------
 */

enum family { NO_ACCURACY, EQUAL, BINARY, CATEGORICAL, SPARSE };

static enum family family_of(const struct lw_api *metric)
{
    struct lw_str name = look_tail(metric->name);
    if (is(name, "Accuracy"))
        return EQUAL;
    if (is(name, "binary_accuracy") || is(name, "BinaryAccuracy"))
        return BINARY;
    if (is(name, "categorical_accuracy") || is(name, "CategoricalAccuracy"))
        return CATEGORICAL;
    if (is(name, "sparse_categorical_accuracy") || is(name, "SparseCategoricalAccuracy"))
        return SPARSE;
    return NO_ACCURACY;
}

/* What is wrong with the metric beside targets of that form; NULL: nothing. */
static const char *misfit(enum family family, struct lw_str target, int64_t width)
{
    if (family == EQUAL)
        return "compares the output with the class for equality, which probabilities never "
               "meet: it stays near 0; write 'accuracy', which picks the right one";
    if (family == CATEGORICAL && is(target, "index"))
        return "takes the largest column of the targets, which have one column of class "
               "numbers: use sparse_categorical_accuracy, or 'accuracy'";
    if (family == SPARSE && is(target, "onehot"))
        return "takes the targets for class numbers, and they are one-hot: use "
               "categorical_accuracy, or 'accuracy'";
    if (family == CATEGORICAL && is(target, "binary") && width == 1)
        return "takes the largest of one column, which is always the same: use "
               "binary_accuracy, or 'accuracy'";
    if (family == BINARY && is(target, "index"))
        return "compares class numbers with probabilities of yes and no, column by column: use "
               "sparse_categorical_accuracy, or 'accuracy'";
    if (family == BINARY && is(target, "onehot") && width > 2)
        return "counts each column as a yes/no answer and comes out far too high: use "
               "categorical_accuracy, or 'accuracy'";
    return NULL;
}

static int64_t width_of(struct ck *c, struct lw_value out)
{
    const struct lw_tensor *t = ck_tensor_of(out);
    int64_t n = 0;
    if (t && lw_shape_has_rank(&t->shape) && t->shape.n > 1)
        (void)lw_dim_is_int(c->dims, t->shape.d[t->shape.n - 1], &n);
    return n;
}

static void watch_misfit(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, ck_field(c, e->object, "(loss)"), "loss");
    struct lw_value metrics = ck_field(c, e->object, "(metrics)");
    struct lw_seq seq;
    if (!loss || !lw_str_has_prefix(loss->name, LW_S("keras.")) || c->frame->guarded ||
        is(lw_api_fact(loss, "task"), "regression") || metrics.kind == CK_DICT ||
        !ck_sequence(c, metrics, &seq))
        return;
    int64_t width = width_of(c, ck_field(c, e->object, "(output)"));
    if (!width)
        width = mv_output_of(c, mv_of_model(c, e->object)).width;
    for (uint32_t i = 0; i < seq.n; i++) {
        const struct lw_api *metric = mv_entry(c, seq.items[i], "metric");
        const char *wrong =
            metric ? misfit(family_of(metric), lw_api_fact(loss, "target"), width) : NULL;
        if (wrong)
            ck_find(c, e->node, "training/metric-misfit", NULL, 0, "%.*s %s",
                    LW_F(look_tail(metric->name)), wrong);
    }
}

/* ---- yes and no for each class ------------------------------------------------------------
 */

enum { MAX_COMPILED = 16 };

/* Models that were compiled with binary cross-entropy and 'accuracy', and where. */
struct compiled {
    struct {
        const struct ck_object *model;
        struct ck_file *file;
        uint32_t node;
    } v[MAX_COMPILED];
    size_t n;
};

static const char compiled_key;

static bool asks_accuracy(struct ck *c, const struct ck_object *model)
{
    struct lw_seq seq;
    if (!ck_sequence(c, ck_field(c, model, "(metrics)"), &seq))
        return false;
    for (uint32_t i = 0; i < seq.n; i++)
        if (seq.items[i].kind == LW_V_STR && seq.items[i].str.p &&
            (is(seq.items[i].str, "accuracy") || is(seq.items[i].str, "acc")))
            return true;
    return false;
}

static void watch_binary(struct ck *c, const struct ck_event *e)
{
    struct compiled *s = ck_state(c, &compiled_key, sizeof *s);
    const struct lw_api *loss = mv_entry(c, ck_field(c, e->object, "(loss)"), "loss");
    if (!s || s->n == MAX_COMPILED || !loss || !is(lw_api_fact(loss, "task"), "binary") ||
        !asks_accuracy(c, e->object))
        return;
    s->v[s->n].model = e->object;
    s->v[s->n].file = c->frame->file;
    s->v[s->n++].node = e->node;
}

static void watch_one_hot(struct ck *c, const struct ck_event *e)
{
    struct compiled *s = ck_state(c, &compiled_key, sizeof *s);
    struct lw_value y = ck_arg(e->call, 1, "y");
    size_t i = 0;
    while (s && i < s->n && s->v[i].model != e->object)
        i++;
    if (!s || i == s->n || !look_is_one_hot(c, y))
        return;
    int64_t width = width_of(c, ck_field(c, e->object, "(output)"));
    if (!width)
        width = width_of(c, y);
    struct mv_output out = mv_output_of(c, mv_of_model(c, e->object));
    bool several = width > 2 || (!width && is(out.activation, "softmax"));
    if (several)
        ck_find_at(
            c, s->v[i].file, s->v[i].node, "api/binary-accuracy", &y, 1,
            "with binary_crossentropy 'accuracy' counts each column as a yes/no answer, but a "
            "row has one class of several; use softmax and categorical_crossentropy");
}

const struct ck_rule ck_rules_metric[] = {
    {CK_EV_COMPILE, watch_misfit},
    {CK_EV_COMPILE, watch_binary},
    {CK_EV_FIT, watch_one_hot},
    {0, NULL},
};
