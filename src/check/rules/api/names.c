/* Rules about names: what does not exist, is misspelt, or was removed. */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/models/versions.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- special methods ----------------------------------------------------------------------
 */

static struct lw_str strip_underscores(struct lw_str s)
{
    while (s.n && s.p[0] == '_')
        s = lw_str_from(s, 1);
    while (s.n && s.p[s.n - 1] == '_')
        s.n--;
    return s;
}

/* ___init___, _init_, __inti__: Python never calls it. */
static void watch_dunder(struct ck *c, const struct ck_event *e)
{
    static const char *const special[] = {"init", "call", "len", "getitem", "iter", "next"};
    static const char *const other[][2] = {
        {"__length__", "__len__"},      {"__get_item__", "__getitem__"},
        {"__getItem__", "__getitem__"}, {"__get__item__", "__getitem__"},
        {"__initialize__", "__init__"}, {"__size__", "__len__"}};
    struct lw_str name = e->object->name, core = strip_underscores(name);
    for (size_t i = 0; e->object->of && i < sizeof other / sizeof *other; i++)
        if (lw_str_eq(name, lw_str(other[i][0]))) {
            ck_hint(c, (struct ck_hint){.meant = lw_str(other[i][1])});
            ck_find(c, e->node, "api/misspelt-special-method", NULL, 0,
                    "'%s' is not a special method of Python and is never called; did you mean "
                    "'%s'?",
                    other[i][0], other[i][1]);
            return;
        }
    if (!e->object->of || name.n < 4 || name.p[0] != '_' || name.p[name.n - 1] != '_')
        return;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        struct lw_str want = lw_str(special[i]);
        struct lw_str right = ck_text(c, "__%s__", special[i]);
        if (lw_str_eq(name, right))
            return;
        bool same = lw_str_eq(core, want) && (i == 0 || name.n > right.n);
        bool near = core.n == want.n && want.n >= 4 && lw_str_distance(core, want, 1) == 1 &&
                    name.n == right.n && i == 0;
        if (!same && !near)
            continue;
        ck_hint(c, (struct ck_hint){.meant = right});
        ck_find(c, e->node, "api/misspelt-special-method", NULL, 0,
                "'%.*s' is not a special method of Python and is never called; did you mean "
                "'%.*s'?",
                LW_F(name), LW_F(right));
        return;
    }
}

/* A model of Keras with a __call__ of its own: what the one of Keras does (building, training=)
 * is lost, and fit() fails. */
static void watch_own_call(struct ck *c, const struct ck_event *e)
{
    static const char *const bases[] = {"keras.Model", "keras.models.Model", NULL};
    struct ck_object *cls = e->object;
    struct lw_value v = ck_value(cls);
    const struct ck_slot *call = ck_field_slot(c, cls, LW_S("__call__"));
    const struct ck_object *f = call ? ck_as(call->value, CK_FUNCTION) : NULL;
    if (!f || f->file != c->frame->file ||
        lw_tree_get(&f->file->tree, f->node, LW_ROLE_DECORATORS) != LW_NO_NODE ||
        !ck_is_a_any(c, v, bases) || c->frame->guarded || ck_field_slot(c, cls, LW_S("call")) ||
        !ck_shows(c, "call .fit"))
        return;
    const struct lw_tree *t = &f->file->tree;
    uint32_t args = lw_tree_get(t, f->node, LW_ROLE_ARGS);
    struct lw_str text = args == LW_NO_NODE ? (struct lw_str){0} : lw_tree_text(t, args);
    if (lw_str_find(text, LW_S("training")) >= 0 || lw_str_find(text, LW_S("**")) >= 0)
        return;
    ck_find(c, f->node, "api/misspelt-special-method", NULL, 0,
            "fit() calls a Keras model with training=, which this __call__() does not accept: "
            "define call() instead");
}

static void make_special_method(struct fix *f)
{
    if (!f->hint->meant.n)
        return;
    fix_say(f, "rename the method to '%.*s'", LW_F(f->hint->meant));
    fix_token(f, lw_tree_name_token(f->t, f->node), f->hint->meant);
}

/* ---- names of libraries -------------------------------------------------------------------
 */

/* torch.fft in torch.fft.rfft: only a step on the way. */
static bool is_prefix(const struct ck *c, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t up = lw_tree_parent(t, node);
    return up != LW_NO_NODE && lw_tree_kind(t, up) == LW_NODE_ATTRIBUTE;
}

/* A name of a module without a complete list that differs by one letter from a known one. */
static void near_name(struct ck *c, const struct ck_event *e, struct lw_str name, size_t dot)
{
    struct lw_str owner = lw_str_part(name, 0, dot), member = lw_str_from(name, dot + 1);
    static const char *const whole[] = {"keras.layers",
                                        "keras.models",
                                        "keras.optimizers",
                                        "keras.losses",
                                        "keras.callbacks",
                                        "tensorflow.keras.layers",
                                        "tensorflow.train",
                                        "tensorflow.keras.optimizers",
                                        "torch.cuda",
                                        "tensorflow.keras.models",
                                        "keras.utils",
                                        "keras.utils.np_utils",
                                        "keras.metrics",
                                        "keras.regularizers",
                                        "keras.datasets",
                                        "keras.applications",
                                        "keras.activations",
                                        "keras.initializers",
                                        "torchvision.transforms",
                                        "torchvision.models",
                                        "torchvision.datasets"};
    bool known = false;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        known |= lw_str_eq(owner, lw_str(whole[i]));
    if (!known || member.n < 4 || is_prefix(c, e->node) || member.p[0] == '_' ||
        lw_api_has_member(c->apis, name) == LW_TRI_YES || lw_api_tensorflow_symbol(name) >= 0)
        return;
    struct lw_str near = lw_api_nearest(c->apis, owner, member);
    size_t last = member.n - 1;
    bool digit = member.p[last] >= '0' && member.p[last] <= '9'; /* VGG16, VGG19 */
    if (!near.n || digit || near.p[0] != member.p[0] || lw_str_eq_nocase(near, member) ||
        (lw_str_distance(near, member, 2) > 1 && !text_is_swapped(near, member)))
        return;
    ck_hint(c, (struct ck_hint){.meant = near, .was = member});
    ck_find_as(c, e->node, LW_S("api/unknown-name"), LW_SEVERITY_WARNING, NULL, 0,
               ck_text(c, "%.*s has no '%.*s'; did you mean '%.*s'?", LW_F(owner), LW_F(member),
                       LW_F(near)));
}

/* tf.keras.application.VGG19: a module that is one letter away from one there is. */
static bool near_module(struct ck *c, const struct ck_event *e, struct lw_str owner)
{
    static const char *const known[] = {
        "keras.activations",   "keras.applications",    "keras.backend",
        "keras.callbacks",     "keras.constraints",     "keras.datasets",
        "keras.initializers",  "keras.layers",          "keras.losses",
        "keras.metrics",       "keras.models",          "keras.optimizers",
        "keras.preprocessing", "keras.regularizers",    "keras.utils",
        "torch.autograd",      "torch.optim",           "torchvision.datasets",
        "torchvision.models",  "torchvision.transforms"};
    struct lw_str own = lw_str_has_prefix(owner, LW_S("tensorflow.keras."))
                            ? lw_str_from(owner, strlen("tensorflow."))
                            : owner;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (lw_str_eq(own, lw_str(known[i])))
            return false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct lw_str want = lw_str(known[i]);
        ptrdiff_t dot = lw_str_find_last_char(want, '.');
        if (own.n + 1 < want.n || own.n > want.n + 1 ||
            !lw_str_has_prefix(own, lw_str_part(want, 0, (size_t)dot + 1)) ||
            own.n < (size_t)dot + 2 || own.p[dot + 1] != want.p[dot + 1] ||
            lw_str_distance(own, want, 1) > 1 ||
            lw_api_has_member(c->apis, owner) == LW_TRI_YES ||
            lw_api_tensorflow_symbol(owner) >= 0)
            continue;
        ck_hint(c, (struct ck_hint){.meant = lw_str_from(want, (size_t)dot + 1),
                                    .was = lw_str_from(own, (size_t)dot + 1)});
        ck_find_as(c, e->node, LW_S("api/unknown-name"), LW_SEVERITY_WARNING, NULL, 0,
                   ck_text(c, "there is no module '%.*s'; did you mean '%s%.*s'?", LW_F(owner),
                           own.n < owner.n ? "tensorflow." : "", LW_F(want)));
        return true;
    }
    return false;
}

static void watch_name(struct ck *c, const struct ck_event *e)
{
    struct lw_str name = e->object->name;
    ptrdiff_t dot = lw_str_find_last_char(name, '.');
    if (e->object->api || c->frame->guarded || dot <= 0)
        return;
    if (near_module(c, e, lw_str_part(name, 0, (size_t)dot)))
        return;
    if (lw_api_has_member(c->apis, name) != LW_TRI_NO) {
        near_name(c, e, name, (size_t)dot);
        return;
    }
    struct lw_str owner = lw_str_part(name, 0, (size_t)dot);
    struct lw_str member = lw_str_from(name, (size_t)dot + 1);
    struct lw_str near = lw_api_nearest(c->apis, owner, member);
    ck_hint(c, (struct ck_hint){.meant = near, .was = member});
    if (near.n)
        ck_find(c, e->node, "api/unknown-name", NULL, 0,
                "%.*s has no '%.*s'; did you mean '%.*s'?", LW_F(owner), LW_F(member),
                LW_F(near));
    else /* perhaps it is newer than the lists */
        ck_find_as(c, e->node, LW_S("api/unknown-name"), LW_SEVERITY_WARNING, NULL, 0,
                   ck_text(c, "%.*s has no '%.*s'", LW_F(owner), LW_F(member)));
}

/* ---- versions -----------------------------------------------------------------------------
 */

/* What to write for a name that is gone: TensorFlow 2 keeps all of version 1 but tf.contrib. */
static struct lw_str remedy(struct ck *c, const struct lw_api_use *use, struct lw_str name)
{
    struct lw_str prefix = LW_S("tensorflow.");
    if (use->instead.n)
        return ck_text(c, "; use %.*s", LW_F(use->instead));
    if (!lw_str_has_prefix(name, prefix) || !lw_str_eq(use->removed, LW_S("2.0")))
        return (struct lw_str){0};
    if (lw_str_has_prefix(name, LW_S("tensorflow.contrib.")))
        return LW_S(", together with all of tf.contrib");
    return ck_text(c, "; use tensorflow.compat.v1.%.*s", LW_F(lw_str_from(name, prefix.n)));
}

static void watch_removed(struct ck *c, const struct ck_event *e)
{
    const struct lw_api_use *use = e->object->use;
    if (!e->object->api || !use || !use->removed.n || c->frame->guarded ||
        is_prefix(c, e->node) || lw_str_find(e->object->name, LW_S(".compat.")) >= 0 ||
        !ck_is_gone(c, use->package, use->removed))
        return;
    ck_hint(c, (struct ck_hint){
                   .meant = use->instead, .was = e->object->name, .api = e->object->api});
    ck_find(c, e->node, "api/removed-name", NULL, 0, "%.*s was removed in %.*s %.*s%.*s",
            LW_F(e->object->name), LW_F(use->package), LW_F(use->removed),
            LW_F(remedy(c, use, e->object->name)));
}

/* Nothing in the program is older than the newest Keras but this. */
static bool looks_current(struct ck *c, struct lw_str package)
{
    static const char *const old[] = {
        "keyword lr",         "name fit_generator",         "name nb_epoch", "keyword decay",
        "name *Session",      "name *placeholder*",         "text acc",      "name np_utils",
        "import layers.core", "import layers.convolutional"};
    return lw_str_eq(package, LW_S("keras")) && !c->target->given.given &&
           !ck_shows_any(c, old, sizeof old / sizeof *old);
}

/* model.predict_classes(): a method that the class has lost. */
static void watch_removed_method(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *o = ck_as(e->call->self, CK_INSTANCE);
    const struct lw_api *api = e->call->api;
    struct lw_api_use use;
    if (!o || !api || api->kind != LW_API_METHOD || !o->api || c->frame->guarded)
        return;
    ptrdiff_t dot = lw_str_find_last_char(e->call->name, '.');
    struct lw_str method = lw_str_from(e->call->name, (size_t)(dot + 1));
    if (!lw_api_method(c->apis, o->api, method, &use) || !use.removed.n ||
        (!ck_is_gone(c, use.package, use.removed) && !looks_current(c, use.package)))
        return;
    ck_hint(c, (struct ck_hint){.meant = use.instead, .was = method});
    ck_find(c, e->node, "api/removed-name", NULL, 0,
            "the method '%.*s' was removed in %.*s %.*s%s%.*s", LW_F(method), LW_F(use.package),
            LW_F(use.removed), use.instead.n ? "; use " : "", LW_F(use.instead));
}

/* "the Python type 'float'" -> "float" */
static struct lw_str plain_type(struct lw_str instead)
{
    ptrdiff_t at = lw_str_find_char(instead, '\'');
    if (!lw_str_has_prefix(instead, LW_S("the Python type '")) || at < 0)
        return (struct lw_str){0};
    struct lw_str s = lw_str_from(instead, (size_t)at + 1);
    return lw_str_part(s, 0, s.n - 1);
}

/* from tensorflow import log -> from tensorflow.math import log */
static void move_import(struct fix *f, struct lw_str name)
{
    uint32_t import = lw_tree_parent(f->t, f->node), first, end;
    ptrdiff_t dot = lw_str_find_last_char(name, '.');
    if (fix_kind(f, import) != LW_NODE_IMPORT_FROM || dot <= 0 ||
        lw_tree_count(f->t, import, LW_ROLE_NAMES) != 1 ||
        lw_tree_import_module(f->t, import, &first, &end) > 0) {
        f->failed = true;
        return;
    }
    fix_replace(f, f->t->lexed.tokens.v[first].start, f->t->lexed.tokens.v[end - 1].end,
                lw_str_part(name, 0, (size_t)dot));
    struct lw_str member = lw_str_from(name, (size_t)dot + 1);
    uint32_t token = fix_last_token(f, f->node);
    if (!lw_str_eq(lw_tree_token_text(f->t, token), member))
        fix_rename_last(f, f->node, (struct lw_str){0}, member);
}

/* model.predict_classes(x): the class of the largest output, or yes from one half on. */
static void replace_predict_classes(struct fix *f)
{
    uint32_t callee = fix_callee(f, f->node), owner = syntax_owner(f->t, f->node);
    const struct ck_object *model =
        owner == LW_NO_NODE ? NULL : ck_as(ck_eval(f->c, owner), CK_INSTANCE);
    struct lw_value out = model ? model_trait(model, MODEL_OUTPUT) : lw_v_absent();
    const struct lw_tensor *t = ck_tensor_of(out);
    int64_t n;
    if (!t || !lw_shape_has_rank(&t->shape) || t->shape.n != 2 ||
        !lw_dim_is_int(f->c->dims, t->shape.d[1], &n))
        return;
    fix_say(f, "compute the class from predict()");
    fix_token(f, lw_tree_name_token(f->t, callee), LW_S("predict"));
    if (n > 1)
        fix_insert(f, lw_tree_end(f->t, f->node), LW_S(".argmax(axis=-1)"));
    else
        fix_around(f, f->node, "(", " > 0.5).astype('int32')");
}

/* A program of TensorFlow 1: the old names, where the new ones are not used beside them. */
static void import_old(struct fix *f)
{
    static const char *const newer[] = {"GradientTape", "tf.function", "keras", "compat.v1"};
    const struct lw_tree *t = f->t;
    struct lw_str name = f->hint->was;
    if (!lw_str_has_prefix(name, LW_S("tensorflow.")) ||
        lw_api_tensorflow_symbol(
            ck_text(f->c, "tf.compat.v1.%.*s", LW_F(lw_str_from(name, 11)))) <= 0)
        return;
    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++)
        if (lw_str_find(t->lexed.text, lw_str(newer[i])) >= 0)
            return;
    for (uint32_t s = lw_tree_each(t, t->root, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, t->root, LW_ROLE_BODY, s)) {
        if (!lw_str_eq(lw_tree_text(t, s), LW_S("import tensorflow as tf")))
            continue;
        fix_say(f, "import tensorflow.compat.v1 and disable TensorFlow 2 behavior");
        fix_node(f, s, LW_S("import tensorflow.compat.v1 as tf"));
        fix_line_behind(f, s, LW_S("tf.disable_v2_behavior()"));
        return;
    }
}

/* A name that is gone, of which the tables say what it is called today. */
static void make_removed(struct fix *f)
{
    struct lw_str instead = f->hint->meant, plain = plain_type(instead);
    if (lw_str_eq(f->hint->was, LW_S("predict_classes")) && fix_is_call(f, f->node)) {
        replace_predict_classes(f);
        return;
    }
    if (!instead.n) {
        import_old(f);
        return;
    }
    if (plain.n && fix_kind(f, f->node) == LW_NODE_ATTRIBUTE) {
        fix_node(f, f->node, plain);
    } else if (!fix_is_word(instead)) {
        return;
    } else if (fix_is_call(f, f->node)) { /* a method */
        if (!f->hint->was.n || lw_str_find_char(instead, '.') >= 0 ||
            fix_argument(f, f->node, "generator", -1) != LW_NO_NODE)
            return;
        fix_rename_last(f, f->node, f->hint->was, instead);
        return;
    } else if (!f->hint->api || (!lw_str_eq(f->hint->api->name, instead) &&
                                 !lw_str_has_prefix(instead, LW_S("torchvision.")))) {
        return; /* another function, with other arguments */
    } else if (fix_kind(f, f->node) == LW_NODE_ALIAS) {
        move_import(f, instead);
    } else if (fix_kind(f, f->node) == LW_NODE_ATTRIBUTE) {
        struct lw_str text = fix_spell(f, instead);
        if (text.n)
            fix_node(f, f->node, text);
    }
    fix_say(f, "write '%.*s'", LW_F(plain.n ? plain : instead));
}

const struct ck_rule rules_api_names[] = {
    {"api/misspelt-special-method", CK_EV_CLASS, watch_own_call},
    {"api/misspelt-special-method", CK_EV_FUNCTION, watch_dunder},
    {"api/unknown-name", CK_EV_NAME, watch_name, fix_spelling},
    {"api/removed-name", CK_EV_NAME, watch_removed},
    {"api/removed-name", CK_EV_CALL, watch_removed_method},
    {"api/misspelt-special-method", .fix = make_special_method},
    {"api/removed-name", .fix = make_removed},
    {0},
};
