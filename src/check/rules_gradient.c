/*
 * Rules about what is meant to learn and gets no gradient: layers that are only used under
 * no_grad(), losses that are turned into numbers, steps of Lightning that hand no loss back.
 */
#include "base/str.h"
#include "check/lib.h"
#include "check/lib_module.h"
#include "check/look.h"
#include "check/protocol.h"
#include "check/rules.h"

/* ---- layers that only run without gradients -----------------------------------------------
 */

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
    return look_is(role, "dense") || look_is(role, "conv") || look_is(role, "recurrent");
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
    static const char *const meant[] = {"weight.data", "weight.copy_", ".weight ="};
    const struct used_layers *u = ck_state(c, &used_key, sizeof *u);
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
        if (ck_mentions(c, meant[i]))
            return;
    for (size_t i = 0; u && i < u->n; i++)
        if (!u->v[i].trained)
            ck_find_at(
                c, u->v[i].file, u->v[i].node, "training/untrained-layer", NULL, 0,
                "this layer is only called under no_grad(): no gradient ever reaches its "
                "weights, and it stays as it began; take it out of the block");
}

/* ---- losses that are numbers --------------------------------------------------------------
 */

/* l = l.sum().item() / n and then l.backward() */
static void check_numbers(struct ck *c, struct ck_file *file)
{
    const struct lw_tree *t = &file->tree;
    struct protocol *p = lw_arena_alloc(c->arena, sizeof *p);
    if (!p)
        return;
    protocol_read(t, t->root, p);
    for (size_t i = 0; i < p->n; i++) {
        uint32_t f = lw_tree_enclosing(t, p->calls[i].node, LW_NODE_FUNCTION),
                 last = LW_NO_NODE;
        if (p->calls[i].word != PROTOCOL_BACKWARD || !look_is_name(p->calls[i].who))
            continue;
        uint32_t top = f == LW_NO_NODE ? t->root : f;
        for (uint32_t n = lw_tree_next(t, top, top, false);
             n != LW_NO_NODE && lw_tree_start(t, n) < lw_tree_start(t, p->calls[i].node);
             n = lw_tree_next(t, top, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
                lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), p->calls[i].who))
                last = n;
        uint32_t value = last == LW_NO_NODE ? last : lw_tree_get(t, last, LW_ROLE_VALUE);
        if (value == LW_NO_NODE || lw_tree_enclosing(t, last, LW_NODE_FUNCTION) != f)
            continue;
        uint32_t item = lw_tree_kind(t, value) == LW_NODE_BIN_OP
                            ? lw_tree_get(t, value, LW_ROLE_LEFT)
                            : value;
        uint32_t owner = item == LW_NO_NODE ? item : look_owner(t, item);
        if (owner == LW_NO_NODE ||
            !look_is(lw_tree_name(t, lw_tree_get(t, item, LW_ROLE_FUNC)), "item") ||
            !look_has_name(t, owner, p->calls[i].who))
            continue;
        ck_find_at(
            c, file, item, "api/gradient-cut", NULL, 0,
            "item() makes a number of the loss: its backward() fails, or reaches nothing "
            "of the network; leave item() to what is printed");
    }
}

/* ---- Lightning ----------------------------------------------------------------------------
 */

static bool is_lightning(const struct lw_tree *t, uint32_t cls)
{
    for (uint32_t b = lw_tree_each(t, cls, LW_ROLE_BASES, LW_NO_NODE); b != LW_NO_NODE;
         b = lw_tree_each(t, cls, LW_ROLE_BASES, b))
        if (lw_str_has_suffix(lw_tree_text(t, b), LW_S("LightningModule")))
            return true;
    return false;
}

/* Does it hand back anything, or train by itself? */
static bool hands_back(const struct lw_tree *t, uint32_t f)
{
    static const char *const own[] = {"backward(", "NotImplemented", "automatic_optimization"};
    for (uint32_t n = lw_tree_next(t, f, f, false); n != LW_NO_NODE;
         n = lw_tree_next(t, f, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if (kind == LW_NODE_YIELD || kind == LW_NODE_RAISE ||
            (kind == LW_NODE_RETURN && lw_tree_get(t, n, LW_ROLE_VALUE) != LW_NO_NODE))
            return true;
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (lw_str_find(lw_tree_text(t, f), lw_str(own[i])) != LW_NPOS)
            return true;
    return false;
}

/* training_step() of Lightning is told the loss only by what is returned. */
static void watch_class(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *cls = e->object;
    const struct lw_tree *t = &c->frame->file->tree;
    if (!cls || cls->file != c->frame->file || !is_lightning(t, cls->node) ||
        ck_mentions(c, "automatic_optimization"))
        return;
    for (uint32_t f = lw_tree_each(t, cls->node, LW_ROLE_BODY, LW_NO_NODE); f != LW_NO_NODE;
         f = lw_tree_each(t, cls->node, LW_ROLE_BODY, f))
        if (lw_tree_kind(t, f) == LW_NODE_FUNCTION &&
            look_is(lw_tree_name(t, f), "training_step") && !hands_back(t, f) &&
            lw_str_find(lw_tree_text(t, f), LW_S("loss")) != LW_NPOS)
            ck_find(c, f, "training/missing-backward", NULL, 0,
                    "training_step() returns nothing: Lightning computes gradients only of the "
                    "loss that it returns, and skips the step without one; return the loss");
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    check_layers(c);
    if (ck_mentions(c, ".item()") && ck_mentions(c, ".backward("))
        check_numbers(c, c->files.v[0]);
}

/* ---- a gradient that is switched on at the end ----------------------------------------------
 */

/* loss.requires_grad = True: of a loss that has lost its graph it silences the error of
 * backward() and nothing else. */
static void watch_forced(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (lw_tree_kind(t, e->node) != LW_NODE_ATTRIBUTE ||
        !look_is(lw_tree_name(t, e->node), "requires_grad") ||
        ck_truth(c, e->value) != LW_TRI_YES)
        return;
    struct lw_value loss = ck_eval(c, lw_tree_get(t, e->node, LW_ROLE_VALUE));
    const struct lw_tensor *x = ck_tensor_of(loss);
    const struct ck_origin *o = ck_origin_of(c, loss);
    const struct lw_api *api = o && o->api ? o->api : o && o->layer ? o->layer->api : NULL;
    if (!x || x->framework != LW_TORCH || x->grad != LW_TRI_NO || !api ||
        api->kind != LW_API_LOSS || !o->in_count)
        return;
    ck_find_as(
        c, e->node, LW_S("api/gradient-cut"), LW_SEVERITY_WARNING, &loss, 1,
        LW_S("the way from this loss to the weights is cut; with the gradient switched on "
             "here backward() runs, and reaches nothing"));
}

const struct ck_rule ck_rules_gradient[] = {
    {CK_EV_ASSIGN, watch_forced},
    {CK_EV_LAYER, watch_layer},
    {CK_EV_CLASS, watch_class},
    {CK_EV_END, watch_end},
    {0, NULL},
};
