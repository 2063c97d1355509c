/* Rules about the Trainer and the models of transformers. */
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/models/models.h"
#include "check/rules/rules.h"

/* _, pooled = bert(ids): since version 4 the names of the outputs, not the outputs. */
static void watch_output(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    if (!ck_is_model_output(o) || c->frame->guarded)
        return;
    ck_find(c, e->node, "api/model-output-unpacked", NULL, 0,
            "since transformers 4 unpacking the output gives its field names, not tensors: use "
            "outputs[0] or outputs.last_hidden_state, or pass return_dict=False");
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
            "load_best_model_at_end needs an evaluation at each save, but eval_strategy is "
            "'%.*s' and save_strategy is '%.*s': use the same value for both",
            LW_F(test), LW_F(save));
}

static void watch_strategies(struct ck *c, const struct ck_event *e)
{
    if (!c->frame->guarded && lw_str_has_suffix(e->call->name, LW_S("TrainingArguments")))
        check_strategies(c, e->call);
}

const struct ck_rule rules_api_transformers[] = {
    {"api/best-model-strategy", CK_EV_CALL, watch_strategies, .calls = "*TrainingArguments"},
    {"api/model-output-unpacked", CK_EV_UNPACK, watch_output},
    {0},
};
