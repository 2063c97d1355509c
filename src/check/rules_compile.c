/* Rules about what Keras models are made of, compiled with and fed. */
#include "base/str.h"
#include "check/lib.h"
#include "check/rules.h"

/* ---- names given as text ------------------------------------------------------------------
 */

/* A text where a loss, an optimizer or a metric is named. */
static void check_choice(struct ck *c, struct lw_value v, const char *kind, uint32_t node)
{
    if (v.kind != LW_V_STR || !v.str.p || !v.str.n || c->frame->guarded ||
        lw_api_find_choice(c->apis, lw_str(kind), v.str) || ck_mentions(c, "custom_objects") ||
        ck_mentions(c, "register_keras_serializable"))
        return;
    struct lw_str near = lw_api_nearest(c->apis, ck_text(c, "@%s", kind), v.str);
    ck_hint(c, (struct ck_hint){.meant = near, .was = v.str});
    ck_find(c, node, "api/unknown-choice", NULL, 0, "Keras knows no %s '%.*s'%s%.*s%s", kind,
            LW_F(v.str), near.n ? "; did you mean '" : "", LW_F(near), near.n ? "'?" : "");
}

static void watch_compile(struct ck *c, const struct ck_event *e)
{
    struct lw_value metrics = ck_field(c, e->object, "(metrics)");
    struct lw_seq seq;
    check_choice(c, ck_field(c, e->object, "(loss)"), "loss", e->node);
    check_choice(c, ck_field(c, e->object, "(optimizer)"), "optimizer", e->node);
    if (metrics.kind == CK_LIST && ck_sequence(c, metrics, &seq))
        for (uint32_t i = 0; i < seq.n; i++)
            check_choice(c, seq.items[i], "metric", e->node);
}

/* ---- models -------------------------------------------------------------------------------
 */

static bool is_layer(struct ck *c, struct lw_value v)
{
    const struct ck_object *o = ck_as(v, CK_INSTANCE);
    return o && !o->of && o->api && ck_is_keras_layer(c, o);
}

/* Model(inputs, Dense(2)): the layer itself, not what it gives. */
static void watch_model(struct ck *c, const struct ck_event *e)
{
    static const char *const sides[] = {"inputs", "outputs"};
    if (!lw_str_eq(e->call->name, LW_S("keras.Model")) &&
        !lw_str_eq(e->call->name, LW_S("keras.models.Model")))
        return;
    for (size_t i = 0; i < 2; i++) {
        struct lw_value v = ck_slot_value(e->call, sides[i]);
        if (is_layer(c, v))
            ck_find(c, e->node, "type/argument-kind", &v, 1,
                    "'%s' of a model are tensors, this is a layer that was not called",
                    sides[i]);
    }
}

/* Sequential(a, b) instead of Sequential([a, b]). */
static void watch_sequential(struct ck *c, const struct ck_event *e)
{
    if ((!lw_str_eq(e->call->name, LW_S("keras.Sequential")) &&
         !lw_str_eq(e->call->name, LW_S("keras.models.Sequential"))) ||
        e->call->n < 2 || !is_layer(c, e->call->args[0].value))
        return;
    ck_find(c, e->node, "type/argument-kind", NULL, 0,
            "Sequential takes one list of layers: write Sequential([…])");
}

/* ---- callbacks ----------------------------------------------------------------------------
 */

static void watch_callbacks(struct ck *c, const struct ck_event *e)
{
    struct lw_value callbacks = ck_arg(e->call, SIZE_MAX, "callbacks");
    if (callbacks.kind == LW_V_STR || callbacks.kind == LW_V_INT)
        ck_find(c, e->node, "type/argument-kind", &callbacks, 1,
                "'callbacks' is a list of callback objects, this is a %s",
                callbacks.kind == LW_V_STR ? "text" : "number");
}

const struct ck_rule ck_rules_compile[] = {
    {CK_EV_COMPILE, watch_compile},
    {CK_EV_CALL, watch_model},
    {CK_EV_CALL, watch_sequential},
    {CK_EV_FIT, watch_callbacks},
    {0, NULL},
};
