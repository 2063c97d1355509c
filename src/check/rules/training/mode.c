/*
 * Rules about what is different in training and in use: layers that ask for the mode, states
 * that go on from batch to batch.
 */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- layers of a model --------------------------------------------------------------------
 */

enum { MAX_DEPTH = 6 };

static bool parts_of(struct ck *c, const struct ck_object *o, struct lw_seq *out)
{
    struct lw_value list = ck_trait(o, TRAIT_ITEMS);
    if (list.kind != CK_LIST)
        list = model_trait(o, MODEL_LAYERS);
    return list.kind == CK_LIST && ck_sequence(c, list, out);
}

static bool is_off(struct lw_value v)
{
    return v.kind == LW_V_BOOL && v.tri == LW_TRI_NO;
}

/* Networks of keras.applications that normalise batches. */
static bool normalises(struct lw_str name)
{
    return lw_str_has_prefix(name, LW_S("keras.applications.")) &&
           lw_str_find(name, LW_S("VGG")) == LW_NPOS;
}

/* Is there a layer in it that does something else in training? One that is frozen does not. */
static bool asks_mode(struct ck *c, const struct ck_object *o, unsigned depth)
{
    struct lw_seq seq;
    if (!o->api || o->of || depth > MAX_DEPTH || is_off(ck_field(c, o, "trainable")))
        return false;
    if (text_is(lw_api_fact(o->api, "role"), "dropout") || normalises(o->api->name) ||
        lw_str_has_suffix(o->api->name, LW_S(".BatchNormalization")))
        return true;
    if (!parts_of(c, o, &seq))
        return false;
    for (uint32_t i = 0; i < seq.n; i++) {
        const struct ck_object *part = ck_as(seq.items[i], CK_INSTANCE);
        if (part && asks_mode(c, part, depth + 1))
            return true;
    }
    return false;
}

/* A model of the program's own: what its class says. */
static bool own_asks_mode(const struct ck_object *o)
{
    const struct ck_object *cls = o->of;
    if (!cls || !cls->file || cls->node == LW_NO_NODE)
        return false;
    struct lw_str text = lw_tree_text(&cls->file->tree, cls->node);
    return (lw_str_find(text, LW_S("Dropout(")) != LW_NPOS ||
            lw_str_find(text, LW_S("BatchNormalization(")) != LW_NPOS) &&
           lw_str_find(text, LW_S("training=True")) == LW_NPOS &&
           lw_str_find(text, LW_S("training = True")) == LW_NPOS;
}

/* ---- the mode in a loop with a tape -------------------------------------------------------
 */

/* What stands before `.trainable_variables`; LW_NO_NODE: something else. */
static uint32_t trained_model(const struct lw_tree *t, uint32_t sources)
{
    static const char *const names[] = {"trainable_variables", "trainable_weights"};
    if (sources != LW_NO_NODE && lw_tree_kind(t, sources) == LW_NODE_KEYWORD)
        sources = lw_tree_get(t, sources, LW_ROLE_VALUE);
    return sources != LW_NO_NODE && lw_tree_kind(t, sources) == LW_NODE_ATTRIBUTE &&
                   text_is_any(lw_tree_name(t, sources), names, 2)
               ? lw_tree_get(t, sources, LW_ROLE_VALUE)
               : LW_NO_NODE;
}

static bool is_under_tape(const struct lw_tree *t, uint32_t node)
{
    uint32_t with = lw_tree_enclosing(t, node, LW_NODE_WITH);
    uint32_t item = with == LW_NO_NODE ? with : lw_tree_get(t, with, LW_ROLE_ITEMS);
    return item != LW_NO_NODE &&
           lw_str_find(lw_tree_text(t, item), LW_S("GradientTape")) != LW_NPOS;
}

/* The call of the model under a tape that does not say the mode; LW_NO_NODE: there is none, or
 * another one says it. */
static uint32_t modeless_call(const struct lw_tree *t, uint32_t top, struct lw_str model)
{
    uint32_t found = LW_NO_NODE;
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false)) {
        uint32_t f =
            lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC) : LW_NO_NODE;
        if (f == LW_NO_NODE || !lw_str_eq(lw_tree_text(t, f), model) || !is_under_tape(t, n))
            continue;
        if (lw_tree_count(t, n, LW_ROLE_ARGS) != 1 || lw_tree_count(t, n, LW_ROLE_KEYWORDS))
            return LW_NO_NODE;
        if (found == LW_NO_NODE)
            found = n;
    }
    return found;
}

static void watch_tape(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (!lw_str_has_suffix(e->call->name, LW_S("GradientTape.gradient")) || e->call->n < 2)
        return;
    uint32_t owner = trained_model(t, e->call->args[1].node);
    const struct ck_object *o =
        owner == LW_NO_NODE ? NULL : ck_as(ck_eval(c, owner), CK_INSTANCE);
    if (!o || !(o->of ? own_asks_mode(o) : asks_mode(c, o, 0)))
        return;
    uint32_t top = lw_tree_enclosing(t, e->node, LW_NODE_FUNCTION);
    uint32_t call = modeless_call(t, top == LW_NO_NODE ? t->root : top, lw_tree_text(t, owner));
    if (call != LW_NO_NODE)
        ck_find(c, call, "training/inference-mode", NULL, 0,
                "the model is trained in inference mode: dropout is inactive and batch "
                "normalisation keeps its old statistics; call it with training=True here");
}

/* ---- states that go on --------------------------------------------------------------------
 */

static bool is_stateful(struct ck *c, const struct ck_object *o, unsigned depth)
{
    struct lw_seq seq;
    struct lw_value on = o->api && !o->of ? ck_config(o, "stateful") : lw_v_absent();
    if (on.kind == LW_V_BOOL && on.tri == LW_TRI_YES)
        return true;
    if (depth > MAX_DEPTH || !parts_of(c, o, &seq))
        return false;
    for (uint32_t i = 0; i < seq.n; i++) {
        const struct ck_object *part = ck_as(seq.items[i], CK_INSTANCE);
        if (part && is_stateful(c, part, depth + 1))
            return true;
    }
    return false;
}

/* Do the batches come in another order in each epoch? */
static bool is_shuffled(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = ck_arg(e->call, 0, "x");
    struct lw_value shuffle = ck_arg(e->call, SIZE_MAX, "shuffle");
    const struct ck_object *o = ck_as(x, CK_INSTANCE);
    if (o) {
        struct lw_value set = model_trait(o, DATA_REORDERED);
        return set.kind == LW_V_BOOL && set.tri == LW_TRI_YES;
    }
    int64_t rows;
    if (x.kind == LW_V_TENSOR && lw_shape_has_rank(&x.tensor->shape) && x.tensor->shape.n &&
        lw_dim_is_int(c->dims, x.tensor->shape.d[0], &rows) && rows < 2)
        return false;
    const struct lw_tree *t = &c->frame->file->tree;
    if (e->call->n == 0 || e->call->args[0].node == LW_NO_NODE ||
        lw_tree_kind(t, e->call->args[0].node) != LW_NODE_NAME)
        return false; /* x[i:i + 1]: one batch at a time */
    for (size_t i = 0; i < e->call->n; i++)
        if (e->call->args[i].star)
            return false;
    return shuffle.kind == LW_V_ABSENT || ck_truth(c, shuffle) == LW_TRI_YES;
}

static void watch_state(struct ck *c, const struct ck_event *e)
{
    if (!lw_str_has_suffix(e->call->name, LW_S(".fit")) || c->frame->guarded ||
        !is_stateful(c, e->object, 0) || !is_shuffled(c, e))
        return;
    ck_find(
        c, e->node, "training/stateful-shuffled", NULL, 0,
        "a stateful layer continues from the previous batch, but the samples are shuffled, so "
        "its state belongs to other sequences: pass shuffle=False, or turn stateful off");
}

const struct ck_rule rules_training_mode[] = {
    {"training/inference-mode", CK_EV_CALL, watch_tape, .calls = ".gradient"},
    {"training/stateful-shuffled", CK_EV_FIT, watch_state},
    {0},
};
