/* Rules about metrics that do not fit the loss. */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/rules/rules.h"

/* ---- metrics against losses ---------------------------------------------------------------
 */

enum family { NO_ACCURACY, EQUAL, BINARY, CATEGORICAL, SPARSE };

static enum family family_of(const struct lw_api *metric)
{
    struct lw_str name = text_tail(metric->name);
    if (text_is(name, "Accuracy"))
        return EQUAL;
    if (text_is(name, "binary_accuracy") || text_is(name, "BinaryAccuracy"))
        return BINARY;
    if (text_is(name, "categorical_accuracy") || text_is(name, "CategoricalAccuracy"))
        return CATEGORICAL;
    if (text_is(name, "sparse_categorical_accuracy") ||
        text_is(name, "SparseCategoricalAccuracy"))
        return SPARSE;
    return NO_ACCURACY;
}

/* What is wrong with the metric beside targets of that form; NULL: nothing. */
static const char *misfit(enum family family, struct lw_str target, int64_t width)
{
    if (family == EQUAL)
        return "tests whether the output equals the class, which a probability hardly ever "
               "does, so it stays near 0: use 'accuracy', which picks the matching metric";
    if (family == CATEGORICAL && text_is(target, "index"))
        return "takes the largest column of the targets, which have one column of class "
               "indices: use sparse_categorical_accuracy, or 'accuracy'";
    if (family == SPARSE && text_is(target, "onehot"))
        return "expects class indices as targets, but they are one-hot: use "
               "categorical_accuracy, or 'accuracy'";
    if (family == CATEGORICAL && text_is(target, "binary") && width == 1)
        return "takes the largest of a single column, which is always the same: use "
               "binary_accuracy, or 'accuracy'";
    if (family == BINARY && text_is(target, "index"))
        return "compares class indices with yes/no probabilities, column by column: use "
               "sparse_categorical_accuracy, or 'accuracy'";
    if (family == BINARY && text_is(target, "onehot") && width > 2)
        return "counts each column as a yes/no answer and is far too high: use "
               "categorical_accuracy, or 'accuracy'";
    return NULL;
}

static void watch_misfit(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    struct lw_value metrics = model_trait(e->object, MODEL_METRICS);
    struct lw_seq seq;
    if (!loss || !lw_str_has_prefix(loss->name, LW_S("keras.")) || c->frame->guarded ||
        text_is(lw_api_fact(loss, "task"), "regression") || metrics.kind == CK_DICT ||
        !ck_sequence(c, metrics, &seq))
        return;
    int64_t width = look_width(c, model_trait(e->object, MODEL_OUTPUT));
    if (!width)
        width = mv_output_of(c, mv_of_model(c, e->object)).width;
    for (uint32_t i = 0; i < seq.n; i++) {
        const struct lw_api *metric = mv_entry(c, seq.items[i], "metric");
        const char *wrong =
            metric ? misfit(family_of(metric), lw_api_fact(loss, "target"), width) : NULL;
        if (wrong)
            ck_find(c, e->node, "training/metric-misfit", NULL, 0, "%.*s %s",
                    LW_F(text_tail(metric->name)), wrong);
    }
}

const struct ck_rule rules_training_metric[] = {
    {"training/metric-misfit", CK_EV_COMPILE, watch_misfit},
    {0},
};
