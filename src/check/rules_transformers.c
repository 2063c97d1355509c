/* Rules about Hugging Face transformers: outputs, and the arguments of its trainer. */
#include "base/str.h"
#include "check/engine.h"
#include "check/lib.h"
#include "check/rules.h"

/* _, pooled = bert(ids): since version 4 the names of the outputs, not the outputs. */
static void watch_output(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    if (!ck_is_model_output(o) || c->frame->guarded || ck_mentions(c, "return_dict") ||
        ck_mentions(c, "pytorch_transformers"))
        return;
    ck_find(c, e->node, "api/model-output-unpacked", NULL, 0,
            "since transformers 4 this unpacks the names of the outputs: take outputs[0] or "
            "outputs.last_hidden_state, or pass return_dict=False");
}

/* The strategy that an argument says; the default where there is none; empty: not known. */
static struct lw_str strategy(const struct ck_call *call, const char *name, const char *older,
                              const char *otherwise)
{
    struct lw_value v = ck_arg(call, SIZE_MAX, name);
    if (v.kind == LW_V_ABSENT && older)
        v = ck_arg(call, SIZE_MAX, older);
    if (v.kind == LW_V_ABSENT)
        return lw_str(otherwise);
    return v.kind == LW_V_STR && v.str.p ? v.str : (struct lw_str){0};
}

static void check_strategies(struct ck *c, const struct ck_call *call)
{
    struct lw_str test = strategy(call, "eval_strategy", "evaluation_strategy", "no");
    struct lw_str save = strategy(call, "save_strategy", NULL, "steps");
    if (ck_truth(c, ck_arg(call, SIZE_MAX, "load_best_model_at_end")) != LW_TRI_YES ||
        !test.n || !save.n || lw_str_eq(test, save))
        return;
    for (size_t i = 0; i < call->n; i++)
        if (call->args[i].star)
            return;
    ck_find(c, call->node, "api/best-model-strategy", NULL, 0,
            "load_best_model_at_end needs a test at each save: eval_strategy is '%.*s', "
            "save_strategy is '%.*s'; give both the same",
            LW_F(test), LW_F(save));
}

/* Fine-tuning takes 1e-6 to 1e-3; adapters and small networks from scratch a little more. */
static void check_rate(struct ck *c, const struct ck_call *call)
{
    double rate;
    if (ck_mentions(c, "peft") || ck_mentions(c, "PromptTuning"))
        return; /* a few rows of numbers are learnt, with rates up to 1 */
    if (ck_number_of(c, ck_arg(call, SIZE_MAX, "learning_rate"), &rate) && rate > 0.01)
        ck_find(c, call->node, "training/learning-rate-high", NULL, 0,
                "a learning rate of %g is far above what pretrained models are tuned with "
                "(5e-5; at most 0.01): the loss diverges, and what was learnt before is lost",
                rate);
}

static bool ends_with(struct lw_str name, const char *end)
{
    return lw_str_has_prefix(name, LW_S("transformers.")) &&
           lw_str_has_suffix(name, lw_str(end));
}

static void watch_arguments(struct ck *c, const struct ck_event *e)
{
    if (c->frame->guarded || !ends_with(e->call->name, "TrainingArguments"))
        return;
    check_strategies(c, e->call);
    check_rate(c, e->call);
}

const struct ck_rule ck_rules_transformers[] = {
    {CK_EV_CALL, watch_arguments},
    {CK_EV_UNPACK, watch_output},
    {0, NULL},
};
