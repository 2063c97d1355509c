/* Rules about activations that are applied twice, also by a loss, or stand in the wrong place.
 */
#include "base/str.h"
#include "check/fix/layers.h"
#include "check/models/module.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/query/notes.h"
#include "check/rules/rules.h"

/* The operation that activated the value, through what keeps values. */
static const struct ck_origin *activation_of(struct ck *c, struct lw_value v,
                                             struct lw_str *name)
{
    for (unsigned i = 0; i < 8 && v.kind == LW_V_TENSOR; i++) {
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o)
            return NULL;
        bool opaque = false;
        *name = o->api ? lw_api_fact(o->api, "activation") : (struct lw_str){0};
        if (!name->n && o->layer && !o->layer->of)
            *name = mv_activation(c, ck_config(o->layer, "activation"), &opaque);
        if (name->n)
            return o;
        if (opaque || !o->in_count)
            return NULL;
        v = o->in[0];
    }
    return NULL;
}

/* Where it is: of a layer that stands in a Sequential the place where it is made. */
static uint32_t activated_at(struct ck *c, struct lw_value v)
{
    struct lw_str name = {0};
    const struct ck_origin *o = activation_of(c, v, &name);
    if (!o)
        return 0;
    const struct lw_tree *t = &o->file->tree;
    const struct ck_object *layer = o->layer;
    uint32_t f = lw_tree_enclosing(t, o->node, LW_NODE_FUNCTION);
    bool forward = f != LW_NO_NODE && text_is(lw_tree_name(t, f), "forward");
    return layer && layer->file && !forward ? layer->place : o->place;
}

/* A loss that wants logits and gets what was activated already. */
static void watch_loss(struct ck *c, const struct ck_event *e)
{
    const struct ck_call *call = e->call;
    const struct lw_api *api = call->api ? call->api : e->object ? e->object->api : NULL;
    if (!api || api->kind != LW_API_LOSS)
        return;
    struct lw_str wants = lw_api_fact(api, "wants");
    if (e->kind == CK_EV_CALL && api->side[LW_API_CALL].present && !e->object)
        return; /* only made; the call comes as LAYER */
    struct lw_value input = lw_v_absent();
    static const char *const names[] = {"input", "logits", "y_pred", "output", "predictions"};
    for (size_t i = 0; i < sizeof names / sizeof *names && input.kind == LW_V_ABSENT; i++)
        input = ck_slot_value(call, names[i]);
    struct lw_value from_logits =
        e->object ? ck_config(e->object, "from_logits") : ck_slot_value(call, "from_logits");
    bool logits = lw_str_eq(wants, LW_S("logits")) ||
                  (from_logits.kind == LW_V_BOOL && from_logits.tri == LW_TRI_YES);
    struct lw_str act = mv_last_activation(c, input);
    if (!logits || !act.n ||
        (e->object && note_of(e->object, NOTE_DOUBLED).kind != LW_V_ABSENT))
        return;
    ck_blame(c, activated_at(c, input));
    if (lw_str_eq(act, LW_S("softmax")))
        ck_find(c, e->node, "architecture/double-softmax", &input, 1,
                "softmax is applied twice, because the loss applies one itself: pass the "
                "logits to the loss");
    else if (lw_str_eq(act, LW_S("sigmoid")))
        ck_find(c, e->node, "architecture/double-sigmoid", &input, 1,
                "sigmoid is applied twice, because the loss applies one itself: pass the "
                "logits to the loss");
}

/* Which activation the loss of a compiled model applies again; empty: none. */
static struct lw_str doubled(struct ck *c, struct ck_object *model)
{
    struct lw_value loss = model_trait(model, MODEL_LOSS);
    const struct lw_api *api = mv_entry(c, loss, "loss");
    const struct ck_object *o = ck_as(loss, CK_INSTANCE);
    struct lw_value from_logits = o ? ck_config(o, "from_logits") : lw_v_absent();
    bool logits = (api && lw_str_eq(lw_api_fact(api, "wants"), LW_S("logits"))) ||
                  (from_logits.kind == LW_V_BOOL && from_logits.tri == LW_TRI_YES);
    struct mv_output out = {0};
    if (logits)
        out = mv_output_of(c, mv_of_model(c, model));
    return out.known && (lw_str_eq(out.activation, LW_S("softmax")) ||
                         lw_str_eq(out.activation, LW_S("sigmoid")))
               ? out.activation
               : (struct lw_str){0};
}

/* The same for compile(loss=…). The loss is told, so that the training does not say it again.
 */
static void watch_compiled_loss(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = ck_as(model_trait(e->object, MODEL_LOSS), CK_INSTANCE);
    struct lw_str act = c->frame->guarded ? (struct lw_str){0} : doubled(c, e->object);
    if (!act.n || (o && note_of(o, NOTE_DOUBLED).kind != LW_V_ABSENT))
        return;
    if (o)
        note_set(c, o, NOTE_DOUBLED, lw_v_tri(LW_TRI_YES));
    ck_find(c, e->node,
            lw_str_eq(act, LW_S("softmax")) ? "architecture/double-softmax"
                                            : "architecture/double-sigmoid",
            NULL, 0,
            "%.*s is applied twice, by the last layer and by the loss: make the last layer "
            "linear, or use a loss that does not apply %.*s",
            LW_F(act), LW_F(act));
}

/* softmax(softmax(x)), also as a layer behind a layer. */
static void watch_activation(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *api = e->call->api ? e->call->api : e->object ? e->object->api : NULL;
    if (!api || (e->object && e->object->of))
        return;
    struct lw_str own = lw_api_fact(api, "activation");
    if (!lw_str_eq(own, LW_S("softmax")) || e->value.kind != LW_V_TENSOR)
        return;
    const struct ck_origin *o = ck_origin_of(c, e->value);
    if (!o || o->in_count == 0)
        return;
    if (lw_str_eq(mv_last_activation(c, o->in[0]), LW_S("softmax")))
        ck_find(c, e->node, "architecture/double-softmax", &o->in[0], 1,
                "softmax is applied twice, which makes the probabilities nearly equal: remove "
                "one of them");
}

/* ---- activations of a chain ----------------------------------------------------------------
 */

static uint32_t last_rank(struct lw_value v)
{
    const struct lw_tensor *t = ck_tensor_of(v);
    return t && lw_shape_has_rank(&t->shape) ? t->shape.n : 0;
}

/* Two activations with no layer between them, and softmax between layers. */
static void check_activations(struct ck *c, const struct mv_chain *chain)
{
    const struct mv_stage *active = NULL;
    for (size_t i = 0; chain && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->kind == MV_LEARN && active && text_is(active->activation, "softmax") &&
            text_is(s->role, "dense") &&
            (last_rank(active->out) == 2 || active->out.kind != LW_V_TENSOR)) {
            ck_hint(c, (struct ck_hint){.object = active->layer});
            ck_find_at(c, active->file, active->node, "architecture/hidden-softmax", NULL, 0,
                       "softmax in a hidden layer makes its outputs add up to 1 and shrinks "
                       "the gradient: use relu in hidden layers");
        }
        bool output = text_is(s->activation, "softmax") || text_is(s->activation, "sigmoid");
        if (s->kind == MV_ACTIVATE && active && s->activation.n &&
            (!output || text_is(active->activation, "relu")) &&
            !lw_str_eq(s->activation, active->activation))
            ck_find_at(c, s->file, s->node, "architecture/double-activation", NULL, 0,
                       "two activations follow each other without a layer between them: remove "
                       "one of them");
        if (s->kind == MV_ACTIVATE && active && s->layer && s->api &&
            !lw_api_fact(s->api, "activation").n && text_is(s->activation, "softmax") &&
            text_is(active->activation, "softmax"))
            ck_find_at(c, s->file, s->node, "architecture/double-softmax", NULL, 0,
                       "softmax is applied twice, which makes the probabilities nearly equal: "
                       "remove one of them");
        if (s->kind == MV_LEARN || s->kind == MV_ACTIVATE)
            active = s->activation.n ? s : NULL;
        else if (s->kind != MV_KEEP)
            active = NULL;
    }
}

/* Softmax between layers: relu. */
static void make_relu(struct fix *f)
{
    uint32_t call = fix_layer_call(f);
    if (fix_activation_string(f, call, LW_S("softmax")) != LW_NO_NODE) {
        fix_swap_activation(f, call, LW_S("softmax"), LW_S("relu"));
        return;
    }
    bool layer = lw_str_eq(fix_callee_name(f, call), LW_S("Softmax"));
    uint32_t callee = fix_callee(f, call);
    if (!layer || callee == LW_NO_NODE)
        return;
    struct lw_str relu = fix_sibling(f, callee, LW_S("ReLU"));
    if (!relu.n)
        return;
    fix_say(f, "use ReLU in hidden layers");
    fix_node(f, call, ck_text(f->c, "%.*s()", LW_F(relu)));
}

/* A loss that activates gets values that are activated already. */
static void make_logits(struct fix *f)
{
    struct lw_str name = {0};
    struct lw_value v = f->cause_count ? f->causes[0] : lw_v_absent();
    if (v.kind != LW_V_TENSOR)
        return;
    uint32_t node = f->node;
    bool own =
        fix_is_call(f, node) && lw_str_eq_nocase(fix_callee_name(f, node), LW_S("softmax"));
    if (own) { /* softmax of softmax: the outer one goes */
        fix_say(f, "remove the second softmax");
        fix_remove_activation(f, node, NULL, LW_S("softmax"));
        return;
    }
    const struct ck_origin *o = activation_of(f->c, v, &name);
    if (!o || o->file != f->file ||
        (!lw_str_eq(name, LW_S("softmax")) && !lw_str_eq(name, LW_S("sigmoid"))))
        return;
    fix_say(f, "remove the %.*s before the loss", LW_F(name));
    fix_remove_activation(f, o->node, o->layer, name);
}

static void watch_chain(struct ck *c, const struct ck_event *e)
{
    if (!c->frame->guarded)
        check_activations(c, mv_of_model(c, e->object));
}

/* The network whose output goes to a loss. */
static void watch_loss_chain(struct ck *c, const struct ck_event *e)
{
    struct lw_value input = mv_loss_input(c, e);
    if (input.kind == LW_V_TENSOR && !c->frame->guarded)
        check_activations(c, mv_of_tensor(c, input));
}

/* A network that is trained with a loss of the program's own: its answer is all there is. */
static void watch_answer(struct ck *c, const struct ck_event *e)
{
    if (e->value.kind == LW_V_TENSOR && look_is_outermost(c, e->object) && ck_in_loop(c) &&
        !ck_grad_off(c) && !c->frame->guarded && ck_shows(c, "call .backward"))
        check_activations(c, mv_of_tensor(c, e->value));
}

const struct ck_rule rules_architecture_double_activation[] = {
    {"architecture/double-sigmoid architecture/double-softmax", CK_EV_CALL | CK_EV_LAYER,
     watch_loss, .calls = "@loss"},
    {"architecture/double-softmax", CK_EV_CALL | CK_EV_LAYER, watch_activation},
    {"architecture/double-sigmoid architecture/double-softmax", CK_EV_COMPILE | CK_EV_FIT,
     watch_compiled_loss},
    {"architecture/double-activation architecture/double-softmax architecture/hidden-softmax",
     CK_EV_COMPILE, watch_chain},
    {"architecture/double-activation architecture/double-softmax architecture/hidden-softmax",
     CK_EV_CALL | CK_EV_LAYER, watch_loss_chain, .calls = "@loss"},
    {"architecture/double-activation architecture/double-softmax architecture/hidden-softmax",
     CK_EV_LAYER, watch_answer},
    {"architecture/double-softmax", .fix = make_logits},
    {"architecture/double-sigmoid", .fix = make_logits},
    {"architecture/hidden-softmax", .fix = make_relu},
    {0},
};
