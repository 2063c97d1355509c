/* Rules about weights that training does not reach because they are frozen, or reaches because
 * they are not. */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/query/notes.h"
#include "check/query/submodules.h"
#include "check/rules/rules.h"

/* ---- compiled while frozen ----------------------------------------------------------------
 */

static bool is_off(struct lw_value v)
{
    return v.kind == LW_V_BOOL && v.tri == LW_TRI_NO;
}

static bool is_on(struct lw_value v)
{
    return v.kind == LW_V_BOOL && v.tri == LW_TRI_YES;
}

/* What `trainable` was when compile() looked at it. */
static void watch_compile(struct ck *c, const struct ck_event *e)
{
    bool off = is_off(ck_field(c, e->object, "trainable"));
    note_set(c, e->object, NOTE_FROZEN, lw_v_tri(off ? LW_TRI_YES : LW_TRI_NO));
}

static void watch_frozen(struct ck *c, const struct ck_event *e)
{
    if (!is_on(note_of(e->object, NOTE_FROZEN)) ||
        !is_off(ck_field(c, e->object, "trainable")) || c->frame->guarded)
        return;
    ck_find(c, e->node, "training/all-frozen", NULL, 0,
            "the model was compiled with trainable=False, so nothing is trained here: compile "
            "it before freezing it for the other model");
    note_set(c, e->object, NOTE_FROZEN, lw_v_tri(LW_TRI_MAYBE)); /* once is enough */
}

/* ---- a discriminator that helps the generator ---------------------------------------------
 */

enum { MAX_PAIRS = 8 };

/* A model, and the compiled one that its output comes from. */
struct pairs {
    struct {
        const struct ck_object *outer, *inner;
        struct ck_file *file;
        uint32_t node;
        bool outer_trained, inner_trained;
    } v[MAX_PAIRS];
    size_t n;
};

static const char pairs_key;

/* The last layer of a Sequential. */
static struct ck_object *last_layer(struct ck *c, const struct ck_object *model)
{
    struct ck_object *list = ck_as(ck_trait(model, TRAIT_ITEMS), CK_LIST);
    struct lw_seq seq;
    return list && ck_sequence(c, ck_value(list), &seq) && !seq.open && seq.n > 1
               ? ck_as(seq.items[seq.n - 1], CK_INSTANCE)
               : NULL;
}

/* A Sequential that is called runs its layers one by one: the compiled one that ends in
 * `layer`.
 */
static struct ck_object *owner_of(struct ck *c, struct ck_object *layer,
                                  const struct ck_object *but)
{
    for (size_t i = 0; i < c->instances.n; i++) {
        struct ck_object *o = c->instances.v[i];
        if (o != but && o != layer && !o->of && o->api &&
            is_on(model_trait(o, MODEL_COMPILED)) && last_layer(c, o) == layer)
            return o;
    }
    return layer;
}

/* The model that was compiled before and gives this one its output; NULL: none. */
static struct ck_object *last_model(struct ck *c, struct ck_object *model)
{
    const struct ck_origin *o = ck_origin_of(c, model_trait(model, MODEL_OUTPUT));
    struct ck_object *last = last_layer(c, model);
    if (!last && o && o->layer && ck_trait(model, TRAIT_ITEMS).kind == LW_V_ABSENT)
        last = owner_of(c, o->layer, model);
    return last && last != model && is_on(model_trait(last, MODEL_COMPILED)) ? last : NULL;
}

/* Is any of its layers frozen one by one? */
static bool has_frozen_layer(struct ck *c, struct ck_object *model)
{
    const struct mv_chain *chain = mv_of_model(c, model);
    for (size_t i = 0; chain && i < chain->n; i++)
        if (chain->stage[i].layer && is_off(ck_field(c, chain->stage[i].layer, "trainable")))
            return true;
    return !chain;
}

static void watch_pair(struct ck *c, const struct ck_event *e)
{
    struct pairs *s = ck_state(c, &pairs_key, sizeof *s);
    struct ck_object *inner = last_model(c, e->object);
    struct lw_value on = inner ? ck_field(c, inner, "trainable") : lw_v_absent();
    if (!s || s->n == MAX_PAIRS || !inner || (on.kind != LW_V_ABSENT && !is_on(on)) ||
        has_frozen_layer(c, inner))
        return;
    s->v[s->n].outer = e->object;
    s->v[s->n].inner = inner;
    s->v[s->n].file = c->frame->file;
    s->v[s->n++].node = e->node;
}

/* Both are trained in turns. */
static void watch_turns(struct ck *c, const struct ck_event *e)
{
    struct pairs *s = ck_state(c, &pairs_key, sizeof *s);
    bool in_loop = ck_in_loop(c);
    for (size_t i = 0; s && in_loop && i < s->n; i++) {
        struct lw_value now = ck_field(c, s->v[i].inner, "trainable");
        if (e->object == s->v[i].outer && (now.kind == LW_V_ABSENT || is_on(now)))
            s->v[i].outer_trained = true;
        else if (e->object == s->v[i].inner)
            s->v[i].inner_trained = true;
        else
            continue;
        if (s->v[i].outer_trained && s->v[i].inner_trained)
            ck_find_at(c, s->v[i].file, s->v[i].node, "training/discriminator-not-frozen", NULL,
                       0,
                       "the last part of this model is also trained on its own, and training "
                       "the whole model undoes what it has learned: set trainable = False on "
                       "this part before this compile()");
    }
}

/* ---- parameters of PyTorch -----------------------------------------------------------------
 */

static bool is_weighty_since(struct ck *c, const struct ck_object *part, const void *data)
{
    (void)c;
    const uint32_t *since = data;
    return part->id > *since && (part->of || !part->api || submodules_is_weighty(part));
}

/* for p in X.parameters(): p.requires_grad = False */
static void watch_freezing(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t over = lw_tree_kind(t, e->node) == LW_NODE_FOR
                        ? lw_tree_get(t, e->node, LW_ROLE_ITER)
                        : LW_NO_NODE;
    uint32_t owner = over == LW_NO_NODE ? LW_NO_NODE : syntax_owner(t, over);
    if (e->flag || owner == LW_NO_NODE ||
        !text_is(lw_tree_name(t, lw_tree_get(t, over, LW_ROLE_FUNC)), "parameters"))
        return;
    for (uint32_t s = lw_tree_each(t, e->node, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, e->node, LW_ROLE_BODY, s)) {
        struct lw_str text = lw_tree_text(t, s);
        struct ck_object *module = ck_as(ck_eval(c, owner), CK_INSTANCE);
        if (module && lw_tree_kind(t, s) == LW_NODE_ASSIGN &&
            lw_str_find(text, LW_S("requires_grad")) != LW_NPOS &&
            lw_str_has_suffix(text, LW_S("False")))
            note_set(c, module, NOTE_FROZEN, ck_int(c, (int64_t)c->objects));
    }
}

/* Frozen as a whole, and nothing added since. */
static void watch_step(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *module =
        e->object ? ck_as(note_of(e->object, NOTE_MODULE), CK_INSTANCE) : NULL;
    if (!module)
        return;
    struct lw_value at = note_of(module, NOTE_FROZEN);
    int64_t n;
    if (!ck_int_of(c, at, &n) || ck_shows(c, "attribute requires_grad=True") ||
        ck_shows(c, "keyword requires_grad=True") || ck_shows(c, "call requires_grad_(True)"))
        return;
    uint32_t since = (uint32_t)n;
    if (submodules_any(c, module, is_weighty_since, &since))
        return;
    ck_find(c, e->node, "training/all-frozen", NULL, 0,
            "requires_grad is False for every parameter of the model, so there is nothing to "
            "train: freeze before the new layers are added");
}

/* ---- events -------------------------------------------------------------------------------
 */

/* layer.trainable = False for every layer that learns. */
static void watch_layers(struct ck *c, const struct ck_event *e)
{
    const struct mv_chain *chain = mv_of_model(c, e->object);
    size_t learners = 0;
    for (size_t i = 0; chain && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        struct lw_value on = s->layer ? ck_field(c, s->layer, "trainable") : lw_v_absent();
        bool off = on.kind == LW_V_BOOL && on.tri == LW_TRI_NO;
        if ((s->kind == MV_LEARN || s->kind == MV_OTHER || s->kind == MV_NORM) && !off)
            return;
        learners += s->kind == MV_LEARN;
    }
    if (learners)
        ck_find(c, e->node, "training/all-frozen", NULL, 0,
                "every layer of the model has trainable=False, so there is nothing to train: "
                "freeze only the layers of the base model");
}

const struct ck_rule rules_training_frozen[] = {
    {"training/all-frozen", CK_EV_COMPILE, watch_compile},
    {"training/all-frozen", CK_EV_FIT, watch_frozen},
    {"training/discriminator-not-frozen", CK_EV_COMPILE, watch_pair},
    {"training/discriminator-not-frozen", CK_EV_FIT, watch_turns},
    {"training/all-frozen", CK_EV_COMPILE, watch_layers},
    {"training/all-frozen", CK_EV_LOOP, watch_freezing},
    {"training/all-frozen", CK_EV_STEP, watch_step},
    {0},
};
