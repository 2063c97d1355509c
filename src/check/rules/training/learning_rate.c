/* Rules about the length of steps and how it changes. */
#include "base/num.h"
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/rules/rules.h"

/* ---- learning rate ------------------------------------------------------------------------
 */

static bool fact_number(const struct lw_api *api, const char *key, double *out)
{
    struct lw_str text = lw_api_fact(api, key);
    return text.n && lw_parse_double(text, out);
}

/* SGD is used with rates of all sizes, by schedule and batch; others at most a little above. */
static bool is_in_use(const struct lw_api *api, double rate, double high)
{
    return rate <= 10 * high || lw_str_has_suffix(api->name, LW_S("SGD"));
}

/* lr=args.lr: the default of an option, which the author has tried out. */
static bool is_option(const struct ck *c, const struct ck_call *call, const char *name)
{
    const struct lw_tree *t = &c->frame->file->tree;
    for (size_t i = 0; i < call->n; i++) {
        const struct lw_arg *a = &call->args[i];
        if (a->node == LW_NO_NODE || !lw_str_eq(a->name, lw_str(name)))
            continue;
        uint32_t v = lw_tree_kind(t, a->node) == LW_NODE_KEYWORD
                         ? lw_tree_get(t, a->node, LW_ROLE_VALUE)
                         : a->node;
        return v != LW_NO_NODE && lw_tree_kind(t, v) == LW_NODE_ATTRIBUTE &&
               !syntax_is_of_self(t, v);
    }
    return false;
}

static void watch_rate(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *api = e->call->api;
    double rate, low, high;
    if (!api || api->kind != LW_API_OPTIMIZER || e->call->self.kind == CK_INSTANCE)
        return;
    char name[LOOK_RATE_NAME];
    if (!look_rate_parameter(api, name))
        return;
    struct lw_value v = ck_slot_value(e->call, name);
    if (!ck_number_of(c, v, &rate))
        return;
    bool later = ck_shows(c, "name *lr_scheduler*") || ck_shows(c, "name param_groups") ||
                 ck_shows(c, "name *LearningRateScheduler") || ck_shows(c, "name set_value");
    if (rate == 0) { /* somebody may set it later */
        if (!later)
            ck_find(c, e->node, "training/learning-rate-low", NULL, 0,
                    "the learning rate is 0, so the weights never change");
        return;
    }
    if (fact_number(api, "lr-high", &high) && rate > high)
        ck_find_as(c, e->node, LW_S("training/learning-rate-high"),
                   is_option(c, e->call, name) && is_in_use(api, rate, high)
                       ? LW_SEVERITY_NOTE
                       : LW_SEVERITY_WARNING,
                   NULL, 0,
                   ck_text(c,
                           "a learning rate of %g is far above the usual range of %.*s (up to "
                           "%g): the loss jumps or diverges",
                           rate, LW_F(api->name), high));
    else if (fact_number(api, "lr-low", &low) && rate < low && !later) /* a sweep begins low */
        ck_find(c, e->node, "training/learning-rate-low", NULL, 0,
                "a learning rate of %g is far below the usual range of %.*s (from %g): "
                "training takes unreasonably long",
                rate, LW_F(api->name), low);
}

/* ---- steps that are too short for a new layer ---------------------------------------------
 */

/* rate / (1 - momentum) */
static const double SHORT = 1.001e-4;

/* The gradients of cross-entropy are of about 1: plain steps of 1e-5 take ten thousands of
 * steps to move a weight. Weights that were loaded need not go far. */
static void watch_short_steps(struct ck *c, const struct ck_event *e)
{
    struct lw_value optimizer = model_trait(e->object, MODEL_OPTIMIZER);
    const struct ck_object *o = ck_as(optimizer, CK_INSTANCE);
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    struct lw_seq seq;
    double rate, momentum = 0;
    if (!loss && ck_sequence(c, model_trait(e->object, MODEL_LOSS), &seq) && seq.n == 1)
        loss = mv_entry(c, seq.items[0], "loss");
    if (!o || o->of || !o->api || !loss || !text_is(text_tail(o->api->name), "SGD") ||
        text_is(lw_api_fact(loss, "task"), "regression") ||
        !lw_str_has_prefix(loss->name, LW_S("keras.losses.")) ||
        lw_str_find(loss->name, LW_S("rossentropy")) == LW_NPOS ||
        !ck_number_of(c, ck_config(o, "learning_rate"), &rate) || rate <= 0)
        return;
    (void)ck_number_of(c, ck_config(o, "momentum"), &momentum);
    if (momentum < 0 || momentum >= 1 || rate / (1 - momentum) > SHORT ||
        ck_shows(c, "name *load_weights*") || ck_shows(c, "name *load_model*") ||
        ck_shows(c, "name *LearningRateScheduler") || ck_shows(c, "name set_value") ||
        ck_shows(c, "name *fine*") || ck_shows(c, "name *Fine*"))
        return;
    ck_find_at(c, o->file, o->node, "training/learning-rate-low", NULL, 0,
               "a learning rate of %g with momentum %g moves new layers by about %g per unit "
               "of gradient: training takes unreasonably long; 0.01 is usual",
               rate, momentum, rate / (1 - momentum));
}

/* ---- steps that are too long for a trained network ----------------------------------------
 */

/* ten times what BERT was published with */
static const double LONG = 4.9e-4;

/* Transformers of Hugging Face that go on from trained weights: Devlin et al. 2018 use 2e-5 to
 * 5e-5; with Keras' own 1e-3 they lose what they know within some steps. */
static void watch_pretrained(struct ck *c, const struct ck_event *e)
{
    static const char *const models[] = {
        "name TFBert*",    "name TFRoberta*",   "name TFDistilBert*", "name TFAlbert*",
        "name TFElectra*", "name TFAutoModel*", "name TFXLNet*"};
    struct lw_value optimizer = model_trait(e->object, MODEL_OPTIMIZER);
    const struct lw_api *api = mv_entry(c, optimizer, "optimizer");
    double rate;
    if (!ck_shows_any(c, models, sizeof models / sizeof *models) || !api ||
        !ck_shows(c, "call .from_pretrained") || c->frame->guarded ||
        ck_shows(c, "name *trainable*") || ck_shows(c, "name *Schedule*") ||
        !lw_str_has_prefix(text_tail(api->name), LW_S("Adam")) ||
        !mv_number(c, optimizer, api, "learning_rate", &rate) || rate < LONG)
        return;
    ck_find(c, e->node, "training/learning-rate-high", NULL, 0,
            "a learning rate of %g destroys the pretrained weights of a transformer, which "
            "then predicts the same for every input; 2e-5 to 5e-5 is usual",
            rate);
}

/* ---- schedules ----------------------------------------------------------------------------
 */

/* Does it depend on the epoch, also through a name that was assigned from it? */
static bool depends(const struct lw_tree *t, uint32_t function, uint32_t node,
                    struct lw_str epoch)
{
    for (uint32_t n = node; n != LW_NO_NODE; n = lw_tree_next(t, node, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_IF_EXP || lw_tree_kind(t, n) == LW_NODE_COMPARE)
            return false; /* a factor that is chosen by the epoch */
    if (syntax_has_name(t, node, epoch))
        return true;
    for (uint32_t n = lw_tree_next(t, function, function, false); n != LW_NO_NODE;
         n = lw_tree_next(t, function, n, false)) {
        uint32_t target = lw_tree_kind(t, n) == LW_NODE_ASSIGN
                              ? lw_tree_get(t, n, LW_ROLE_TARGETS)
                              : LW_NO_NODE;
        if (target != LW_NO_NODE && lw_tree_kind(t, target) == LW_NODE_NAME &&
            syntax_has_name(t, lw_tree_get(t, n, LW_ROLE_VALUE), epoch) &&
            syntax_has_name(t, node, lw_tree_name(t, target)))
            return true;
    }
    return false;
}

static bool is_named(const struct lw_tree *t, uint32_t node, struct lw_str name)
{
    return node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_NAME &&
           lw_str_eq(lw_tree_name(t, node), name);
}

/* rate * f(epoch) or rate / f(epoch), where the rate is the present one; LW_NO_NODE: nowhere.
 */
static uint32_t compounded(const struct lw_tree *t, uint32_t function, struct lw_str epoch,
                           struct lw_str rate)
{
    for (uint32_t n = lw_tree_next(t, function, function, false); n != LW_NO_NODE;
         n = lw_tree_next(t, function, n, false)) {
        enum lw_op op = lw_tree_kind(t, n) == LW_NODE_BIN_OP
                            ? (enum lw_op)lw_tree_node(t, n)->op
                            : LW_OP_NONE;
        if (op != LW_OP_MULT && op != LW_OP_DIV)
            continue;
        uint32_t left = lw_tree_get(t, n, LW_ROLE_LEFT),
                 right = lw_tree_get(t, n, LW_ROLE_RIGHT);
        if ((is_named(t, left, rate) && depends(t, function, right, epoch)) ||
            (op == LW_OP_MULT && is_named(t, right, rate) && depends(t, function, left, epoch)))
            return n;
    }
    return LW_NO_NODE;
}

/* Keras passes the present rate: a factor that grows with the epoch is taken again and again.
 */
static void watch_schedule(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *f = ck_as(ck_arg(e->call, 0, "schedule"), CK_FUNCTION);
    if (!f || !lw_str_has_suffix(e->call->name, LW_S(".LearningRateScheduler")) || !f->file)
        return;
    const struct lw_tree *t = &f->file->tree;
    uint32_t params = lw_tree_get(t, f->node, LW_ROLE_ARGS), name[2] = {LW_NO_NODE, LW_NO_NODE};
    size_t n = 0;
    for (uint32_t p = params == LW_NO_NODE ? params : lw_tree_next(t, params, params, false);
         p != LW_NO_NODE; p = lw_tree_next(t, params, p, false)) {
        if (lw_tree_kind(t, p) != LW_NODE_PARAM)
            continue;
        if (n < 2)
            name[n] = p;
        n++;
    }
    if (n != 2 || lw_tree_get(t, name[1], LW_ROLE_DEFAULT) != LW_NO_NODE)
        return;
    uint32_t found = compounded(t, f->node, lw_tree_name(t, name[0]), lw_tree_name(t, name[1]));
    if (found != LW_NO_NODE)
        ck_find_at(c, f->file, found, "training/rate-decay", NULL, 0,
                   "the second argument of a schedule is the current learning rate, not the "
                   "initial one, so the factors of all epochs multiply: return the initial "
                   "rate times the factor");
}

/* ---- pretrained models ---------------------------------------------------------------------
 */

/* Fine-tuning takes 1e-6 to 1e-3; adapters and small networks from scratch a little more. */
static void check_tuning(struct ck *c, const struct ck_call *call)
{
    double rate;
    if (ck_shows(c, "name *peft*") || ck_shows(c, "name *PromptTuning*"))
        return; /* a few rows of numbers are learnt, with rates up to 1 */
    if (ck_number_of(c, ck_arg(call, SIZE_MAX, "learning_rate"), &rate) && rate > 0.01)
        ck_find(c, call->node, "training/learning-rate-high", NULL, 0,
                "a learning rate of %g is far above the usual range for fine-tuning (5e-5; at "
                "most 0.01): the loss diverges, and the pretrained weights are lost",
                rate);
}

static void watch_tuning(struct ck *c, const struct ck_event *e)
{
    if (!c->frame->guarded && lw_str_has_suffix(e->call->name, LW_S("TrainingArguments")))
        check_tuning(c, e->call);
}

const struct ck_rule rules_training_learning_rate[] = {
    {"training/learning-rate-high training/learning-rate-low", CK_EV_CALL, watch_rate,
     .calls = "@optimizer"},
    {"training/learning-rate-low", CK_EV_COMPILE, watch_short_steps},
    {"training/learning-rate-high", CK_EV_COMPILE, watch_pretrained},
    {"training/learning-rate-high", CK_EV_CALL, watch_tuning, .calls = "*TrainingArguments"},
    {"training/rate-decay", CK_EV_CALL, watch_schedule, .calls = ".LearningRateScheduler"},
    {0},
};
