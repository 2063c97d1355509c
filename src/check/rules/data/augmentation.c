/* Rules about data of a test that is changed at random like that of training. */
#include "base/str.h"
#include "check/query/image_flow.h"
#include "check/query/look.h"
#include "check/query/roles.h"
#include "check/query/places.h"
#include "check/rules/rules.h"

static const char *const random_settings[] = {
    "rotation_range", "width_shift_range", "height_shift_range", "shear_range",
    "zoom_range",     "horizontal_flip",   "vertical_flip",      "channel_shift_range"};

static bool is_augmenting(struct ck *c, const struct ck_object *generator)
{
    double x;
    for (size_t i = 0; i < sizeof random_settings / sizeof *random_settings; i++) {
        struct lw_value v = ck_config(generator, random_settings[i]);
        if ((v.kind == LW_V_BOOL && v.tri == LW_TRI_YES) ||
            (v.kind != LW_V_BOOL && ck_number_of(c, v, &x) && x > 0))
            return true;
    }
    return false;
}

static void watch_augmented(struct ck *c, const struct ck_event *e)
{
    bool old = lw_str_has_suffix(e->call->name, LW_S("_generator"));
    struct lw_value data = ck_arg(e->call, old ? 5 : 7, "validation_data");
    struct ck_object *generator = image_flow_generator(data);
    struct ck_object *flow = ck_as(data, CK_INSTANCE);
    if (!generator || generator->of || !is_augmenting(c, generator))
        return;
    ck_find_at(c, flow->file, flow->node, "data/augmented-validation", NULL, 0,
               "the validation images are augmented at random like the training images: use a "
               "generator that only scales them");
}

/* Is one of the transforms random? */
static bool is_random_transform(struct ck *c, struct lw_value v)
{
    static const char *const names[] = {"ColorJitter", "AutoAugment", "RandAugment",
                                        "TrivialAugmentWide", "AugMix"};
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    struct lw_seq seq;
    if (!o || o->of)
        return false;
    struct lw_str name = text_tail(o->api ? o->api->name : o->name);
    if (!text_is(name, "Compose"))
        return lw_str_has_prefix(name, LW_S("Random")) ||
               text_is_any(name, names, sizeof names / sizeof *names);
    struct lw_value list = ck_config(o, "transforms");
    if (!ck_sequence(c, list, &seq))
        return false;
    for (uint32_t i = 0; i < seq.n; i++) {
        struct ck_object *one = ck_as(seq.items[i], CK_INSTANCE);
        struct lw_str inner =
            one ? text_tail(one->api ? one->api->name : one->name) : (struct lw_str){0};
        if (lw_str_has_prefix(inner, LW_S("Random")) ||
            text_is_any(inner, names, sizeof names / sizeof *names))
            return true;
    }
    return false;
}

/* CIFAR10(train=False, transform=augment), ImageFolder("data/val", augment) */
static void watch_test_set(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    if (!o || o->of || !o->api || o->api->kind != LW_API_DATASET)
        return;
    if (role_of_set(c, o) == ROLE_TEST && is_random_transform(c, ck_config(o, "transform")))
        ck_find(c, e->node, "data/augmented-validation", NULL, 0,
                "the test images are augmented at random like the training images: use only "
                "deterministic transforms");
}

/* The data set that a loader or a part goes back to. */
static struct ck_object *whole_set(const struct ck_object *o)
{
    struct ck_object *set = NULL;
    for (unsigned i = 0; o && !o->of && o->api && i < 4; i++) {
        bool part = lw_str_has_suffix(o->api->name, LW_S("data.DataLoader")) ||
                    lw_str_has_suffix(o->api->name, LW_S("data.Subset"));
        if (!part)
            break;
        set = ck_as(ck_config(o, "dataset"), CK_INSTANCE);
        o = set;
    }
    return set;
}

/* val_set = OwnDataset(files, transform=augment) */
static void watch_own_test_set(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    if (!o || !o->of || lw_tree_kind(t, e->node) != LW_NODE_NAME ||
        !role_is_named(c, lw_tree_name(t, e->node), ROLE_TEST) ||
        !ck_is_a(c, e->value, "torch.utils.data.Dataset"))
        return;
    for (const struct ck_slot *s = o->fields.first; s; s = s->next)
        if (lw_str_find(heap_name(&c->heap, s->name), LW_S("transform")) != LW_NPOS &&
            is_random_transform(c, s->value)) {
            ck_find(c, e->node, "data/augmented-validation", NULL, 0,
                    "the validation data is augmented at random: the scores vary from run to "
                    "run and are too low; use a transform without random parts");
            return;
        }
}

/* val_transform = train_transform, which has random parts */
static void watch_same_transform(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t s = lw_tree_statement(t, e->node);
    uint32_t value = s != LW_NO_NODE && lw_tree_kind(t, s) == LW_NODE_ASSIGN
                         ? lw_tree_get(t, s, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    if (value == LW_NO_NODE || lw_tree_kind(t, value) != LW_NODE_NAME ||
        lw_tree_kind(t, e->node) != LW_NODE_NAME ||
        !role_is_named(c, lw_tree_name(t, e->node), ROLE_TEST) ||
        lw_str_find(lw_tree_name(t, e->node), LW_S("transform")) == LW_NPOS ||
        !role_is_named(c, lw_tree_name(t, value), ROLE_TRAINING))
        return;
    struct lw_str name = lw_tree_name(t, value);
    for (uint32_t n = lw_tree_next(t, t->root, t->root, false); n != LW_NO_NODE;
         n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), name) &&
            lw_str_find(lw_tree_text(t, n), LW_S(".Rand")) != LW_NPOS) {
            ck_find(c, e->node, "data/augmented-validation", NULL, 0,
                    "'%.*s' augments images at random and is also used for validation: create "
                    "another transform without random parts",
                    LW_F(name));
            return;
        }
}

/* valid = DataLoader(train_set, sampler=…), train, valid = random_split(train_set, …): a part
 * of a data set has the transforms of the whole. */
static void watch_test_part(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct ck_object *o = ck_as(e->value, CK_INSTANCE);
    if (!o || o->of || !o->api || lw_tree_kind(t, e->node) != LW_NODE_NAME ||
        !role_is_named(c, lw_tree_name(t, e->node), ROLE_TEST) ||
        ck_shows(c, "attribute dataset.*") || ck_shows(c, "attribute dataset="))
        return;
    uint32_t statement = lw_tree_statement(t, e->node);
    struct ck_object *set = whole_set(o);
    bool sampled = set && lw_str_has_suffix(o->api->name, LW_S("data.DataLoader")) &&
                   ck_config(o, "sampler").kind == CK_INSTANCE;
    bool part = set && ck_as(ck_config(o, "dataset"), CK_INSTANCE) != set;
    bool split = !set && o->api->kind == LW_API_DATASET && statement != LW_NO_NODE &&
                 lw_str_find(lw_tree_text(t, statement), LW_S("random_split(")) != LW_NPOS;
    if ((!sampled && !part && !split) || role_of_set(c, split ? o : set) == ROLE_TEST ||
        !is_random_transform(c, ck_config(split ? o : set, "transform")))
        return;
    ck_find(c, e->node, "data/augmented-validation", NULL, 0,
            "'%.*s' is a part of the training set and shares its random transforms: load the "
            "data a second time with deterministic transforms",
            LW_F(lw_tree_name(t, e->node)));
}

/* ---- transforms of the program
 * ---------------------------------------------------------------
 */

/* Does the function draw a random number? */
static bool draws(const struct ck_object *f)
{
    static const char *const names[] = {"rand",   "randint", "random",  "uniform", "choice",
                                        "normal", "randn",   "shuffle", "integers"};
    const struct lw_tree *t = f && f->file ? &f->file->tree : NULL;
    for (uint32_t n = t ? f->node : LW_NO_NODE; n != LW_NO_NODE;
         n = lw_tree_next(t, f->node, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL &&
            text_is_any(syntax_called_name(t, n), names, sizeof names / sizeof *names))
            return true;
    return false;
}

enum { MAX_STEPS = 3 };

/* Is it a transform that changes what it gets at random, of a library or of the program? */
static bool is_random(struct ck *c, struct lw_value v, unsigned depth)
{
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    struct lw_seq seq;
    if (v.kind == CK_FUNCTION)
        return draws(ck_object_of(v));
    if (!o && depth && v.kind != LW_V_TENSOR && ck_sequence(c, v, &seq))
        for (uint32_t i = 0; i < seq.n; i++)
            if (is_random(c, seq.items[i], depth - 1))
                return true;
    if (!o || !o->of)
        return o && is_random_transform(c, v);
    struct lw_value call = ck_class_member(c, o->of, LW_S("__call__"), NULL);
    if (call.kind != CK_FUNCTION || depth == 0)
        return false;
    if (draws(ck_object_of(call)))
        return true;
    for (const struct ck_slot *s = o->fields.first; s; s = s->next)
        if (is_random(c, s->value, depth - 1))
            return true;
    return false;
}

/* Is part.dataset.transform set to another one? */
static bool replaces_transform(struct ck *c)
{
    struct ck_file *f = c->files.v[0];
    struct places_list all = places_of(c, f, PLACES_ATTRIBUTE, LW_S("dataset"));
    for (size_t i = 0; i < all.n; i++)
        if (lw_tree_kind(&f->tree, lw_tree_parent(&f->tree, all.v[i])) == LW_NODE_ATTRIBUTE)
            return true;
    return false;
}

/* train, val = random_split(OwnDataset(…, transform=augment), …) */
static void watch_split(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_object *set = ck_as(ck_arg(e->call, 0, "dataset"), CK_INSTANCE);
    if (!text_is(text_tail(e->call->name), "random_split") || !set || !set->of ||
        !role_is_assigned(c, t, lw_tree_statement(t, e->node), ROLE_TEST) ||
        replaces_transform(c))
        return;
    for (const struct ck_slot *s = set->fields.first; s; s = s->next)
        if (is_random(c, s->value, MAX_STEPS)) {
            ck_find(c, e->node, "data/augmented-validation", NULL, 0,
                    "the parts share one dataset and its random transforms, so the validation "
                    "samples are augmented too: create a second dataset without random "
                    "transforms");
            return;
        }
}

const struct ck_rule rules_data_augmentation[] = {
    {"data/augmented-validation", CK_EV_ASSIGN, watch_own_test_set},
    {"data/augmented-validation", CK_EV_ASSIGN, watch_same_transform},
    {"data/augmented-validation", CK_EV_FIT, watch_augmented},
    {"data/augmented-validation", CK_EV_CALL, image_flow_note, .calls = ".flow*"},
    {"data/augmented-validation", CK_EV_CALL, watch_test_set},
    {"data/augmented-validation", CK_EV_ASSIGN, watch_test_part},
    {"data/augmented-validation", CK_EV_CALL, watch_split},
    {0},
};
