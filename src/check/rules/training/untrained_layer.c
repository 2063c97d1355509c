/* Rules about layers that are meant to learn and only run under no_grad(). */
#include "base/str.h"
#include "check/models/models.h"
#include "check/models/module.h"
#include "check/query/look.h"
#include "check/query/protocol.h"
#include "check/rules/rules.h"

enum { MAX_LAYERS = 64 };

struct used_layers {
    struct {
        const struct ck_object *layer;
        struct ck_file *file;
        uint32_t node; /* the call under no_grad() in a method of its module */
        bool trained;  /* called with gradients, too */
    } v[MAX_LAYERS];
    size_t n;
};

static const char used_key;

static bool has_weights(const struct ck_object *o)
{
    struct lw_str role = !o->of && o->api ? lw_api_fact(o->api, "role") : (struct lw_str){0};
    return text_is(role, "dense") || text_is(role, "conv") || text_is(role, "recurrent");
}

/* Kept as it is on purpose: the copy that follows another network, or a fixed projection. */
static bool is_kept_by_name(struct lw_str name)
{
    static const char *const parts[] = {"ema",    "target", "teacher", "key",  "moment",
                                        "frozen", "fixed",  "random",  "_k",   "ref",
                                        "old",    "prior",  "stft",    "basis"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (lw_str_find(name, lw_str(parts[i])) != LW_NPOS)
            return true;
    return false;
}

/* The attribute of the module that holds the layer; empty: none. */
static struct lw_str name_in(struct ck *c, const struct ck_object *module,
                             const struct ck_object *layer)
{
    for (const struct ck_slot *s = module->fields.first; s; s = s->next)
        if (ck_as(s->value, CK_INSTANCE) == layer)
            return heap_name(&c->heap, s->name);
    return (struct lw_str){0};
}

static void watch_layer(struct ck *c, const struct ck_event *e)
{
    struct used_layers *u = ck_state(c, &used_key, sizeof *u);
    const struct ck_object *o = e->object, *self = ck_as(c->frame->self, CK_INSTANCE);
    if (!u || !o || !has_weights(o) || o->api->framework != LW_TORCH)
        return;
    bool off = ck_grad_off(c);
    size_t i = 0;
    while (i < u->n && u->v[i].layer != o)
        i++;
    if (i < u->n) {
        u->v[i].trained |= !off;
        return;
    }
    /* Only what stands inside the method itself: who evaluates the whole is outside. */
    if (i == MAX_LAYERS ||
        (off && (e->node == LW_NO_NODE || !self || !self->of ||
                 !protocol_is_without_gradient(&c->frame->file->tree, e->node) ||
                 !ck_is_torch_module(c, self) || c->frame->grad_off ||
                 is_kept_by_name(name_in(c, self, o)) || !name_in(c, self, o).n)))
        return;
    u->v[u->n].layer = o;
    u->v[u->n].file = c->frame->file;
    u->v[u->n].node = e->node;
    u->v[u->n++].trained = !off;
}

static void check_layers(struct ck *c)
{
    const struct used_layers *u = ck_state(c, &used_key, sizeof *u);
    for (size_t i = 0; u && i < u->n; i++)
        if (!u->v[i].trained)
            ck_find_at(c, u->v[i].file, u->v[i].node, "training/untrained-layer", NULL, 0,
                       "this layer is only called under no_grad(), so no gradient reaches its "
                       "weights and they never change: move the call out of the block");
}

static void watch_untrained(struct ck *c, const struct ck_event *e)
{
    (void)e;
    check_layers(c);
}

const struct ck_rule rules_training_untrained_layer[] = {
    {"training/untrained-layer", CK_EV_LAYER, watch_layer},
    {"training/untrained-layer", CK_EV_END, watch_untrained},
    {0},
};
