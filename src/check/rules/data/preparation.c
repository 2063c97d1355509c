/*
 * What is done to data before a network gets it: pictures that are mirrored although left and
 * right are classes, and texts that are cleaned for training and not for use. Both are read
 * from the text of the program; texts have no values that could be followed.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/roles.h"
#include "check/rules/rules.h"

/* ---- pictures that must not be mirrored ---------------------------------------------------
 */

/* Digits and letters, which are others when they are mirrored. */
static bool is_of_signs(const struct ck_object *set)
{
    static const char *const sets[] = {"MNIST", "EMNIST", "KMNIST", "QMNIST", "SVHN", "USPS"};
    return set && !set->of && set->api &&
           text_is_any(text_tail(set->api->name), sets, sizeof sets / sizeof *sets);
}

static bool is_flip(struct ck *c, struct lw_value v)
{
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    struct lw_str name =
        o && !o->of ? text_tail(o->api ? o->api->name : o->name) : (struct lw_str){0};
    double p = 1;
    if (!text_is(name, "RandomHorizontalFlip") && !text_is(name, "RandomVerticalFlip"))
        return false;
    return !ck_number_of(c, ck_config(o, "p"), &p) || p > 0;
}

static void report_flip(struct ck *c, uint32_t node)
{
    ck_find(c, node, "data/mirrored-classes", NULL, 0,
            "mirrored digits and letters look like other ones, or like none: remove the flip, "
            "and use small shifts and rotations");
}

static void watch_flipped_set(struct ck *c, const struct ck_event *e)
{
    struct ck_object *set = ck_as(e->value, CK_INSTANCE);
    if (!is_of_signs(set))
        return;
    struct lw_value transform = ck_config(set, "transform");
    struct ck_object *all = ck_as(transform, CK_INSTANCE);
    struct lw_seq seq = {.items = &transform, .n = 1};
    if (all && !all->of && all->api && text_is(text_tail(all->api->name), "Compose") &&
        !ck_sequence(c, ck_config(all, "transforms"), &seq))
        return;
    for (uint32_t i = 0; i < seq.n; i++)
        if (is_flip(c, seq.items[i])) {
            report_flip(c, e->node);
            return;
        }
}

/* The digits are the only data set of Keras that the program loads. */
static bool loads_digits(struct ck *c)
{
    return ck_shows(c, "call mnist.load_data") && !ck_shows(c, "name *ashion*") &&
           !ck_shows(c, "name *cifar*");
}

static void watch_flow(struct ck *c, const struct ck_event *e)
{
    struct ck_object *generator = ck_as(e->call->self, CK_INSTANCE);
    if (!generator || generator->of ||
        !lw_str_has_suffix(e->call->name, LW_S("ImageDataGenerator.flow")) ||
        (ck_truth(c, ck_config(generator, "horizontal_flip")) != LW_TRI_YES &&
         ck_truth(c, ck_config(generator, "vertical_flip")) != LW_TRI_YES))
        return;
    if (loads_digits(c))
        report_flip(c, e->node);
}

/* ---- classes that are called left and right ------------------------------------------------
 */

static struct lw_str unquoted(struct lw_str s)
{
    while (s.n && (s.p[0] == '"' || s.p[0] == '\''))
        s = lw_str_part(s, 1, s.n);
    while (s.n && (s.p[s.n - 1] == '"' || s.p[s.n - 1] == '\''))
        s.n--;
    return s;
}

/* Names of one list, tuple or dict that are a side. */
static bool names_sides(const struct lw_tree *t, uint32_t literal)
{
    static const char *const lefts[] = {"left", "Left", "LEFT", "turn_left", "turn left"};
    static const char *const rights[] = {"right", "Right", "RIGHT", "turn_right", "turn right"};
    bool left = false, right = false;
    enum lw_role role = lw_tree_kind(t, literal) == LW_NODE_DICT ? LW_ROLE_KEYS : LW_ROLE_ELTS;
    for (uint32_t n = lw_tree_each(t, literal, role, LW_NO_NODE); n != LW_NO_NODE;
         n = lw_tree_each(t, literal, role, n)) {
        if (lw_tree_kind(t, n) != LW_NODE_STRING)
            continue;
        struct lw_str name = unquoted(lw_tree_text(t, n));
        left |= text_is_any(name, lefts, sizeof lefts / sizeof *lefts);
        right |= text_is_any(name, rights, sizeof rights / sizeof *rights);
    }
    return left && right;
}

/* Is the name that of a list of classes: counted somewhere, or called so? */
static bool are_classes(struct ck *c, const struct lw_tree *t, struct lw_str name)
{
    if (role_is_named(c, name, ROLE_LABEL))
        return true;
    struct lw_str count = ck_text(c, "len(%.*s)", LW_F(name));
    return lw_str_find(lw_tree_text(t, t->root), count) != LW_NPOS;
}

/* A call that mirrors pictures left to right; `x.flip(3)` does so for batches. */
static bool mirrors(const struct lw_tree *t, uint32_t call)
{
    static const char *const names[] = {
        "RandomHorizontalFlip",   "HorizontalFlip", "hflip", "fliplr",
        "random_flip_left_right", "flip_left_right"};
    uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC);
    enum lw_node_kind kind = lw_tree_kind(t, f);
    if (kind != LW_NODE_NAME && kind != LW_NODE_ATTRIBUTE)
        return false;
    struct lw_str name = lw_tree_name(t, f), text = lw_tree_text(t, call);
    if (text_is_any(name, names, sizeof names / sizeof *names))
        return true;
    return (text_is(name, "flip") && (lw_str_find(text, LW_S("[3]")) != LW_NPOS ||
                                      lw_str_find(text, LW_S("flip(3)")) != LW_NPOS ||
                                      lw_str_find(text, LW_S("[-1]")) != LW_NPOS)) ||
           (text_is(name, "ImageDataGenerator") &&
            lw_str_find(text, LW_S("horizontal_flip=True")) != LW_NPOS);
}

/* Does the function around look at labels too, and may change them? */
static bool minds_labels(const struct ck *c, const struct lw_tree *t, uint32_t call)
{
    uint32_t f = lw_tree_enclosing(t, call, LW_NODE_FUNCTION);
    return f != LW_NO_NODE &&
           (role_is_within(c, t, f, ROLE_LABEL) || text_says(lw_tree_text(t, f), "swap"));
}

static bool has_side_classes(struct ck *c, const struct lw_tree *t)
{
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN)
            continue;
        uint32_t value = lw_tree_get(t, n, LW_ROLE_VALUE);
        uint32_t target = lw_tree_get(t, n, LW_ROLE_TARGETS);
        enum lw_node_kind kind = lw_tree_kind(t, value);
        if ((kind == LW_NODE_LIST || kind == LW_NODE_TUPLE || kind == LW_NODE_DICT) &&
            lw_tree_kind(t, target) == LW_NODE_NAME && names_sides(t, value) &&
            are_classes(c, t, lw_tree_name(t, target)))
            return true;
    }
    return false;
}

static void check_sides(struct ck *c, struct ck_file *file)
{
    static const char *const losses[] = {"name *ross_entropy*", "name *CrossEntropy*",
                                         "name *crossentropy*", "text *crossentropy*"};
    const struct lw_tree *t = &file->tree;
    if (!ck_shows(c, "text *left") ||
        !ck_shows_any(c, losses, sizeof losses / sizeof *losses) || !has_side_classes(c, t))
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL && mirrors(t, n) && !minds_labels(c, t, n)) {
            ck_find_at(c, file, n, "data/mirrored-classes", NULL, 0,
                       "left and right are classes here, and a mirrored image belongs to the "
                       "other class: remove the flip, or swap the label with it");
            return;
        }
}

/* ---- texts that are cleaned on one side ----------------------------------------------------
 */

enum { MAX_LOOKS = 300, MAX_DEPTH = 8, MAX_TEXT = 100000 }; /* of one program */

/* A search for what an expression is made of. */
struct search {
    const struct lw_tree *t;
    struct lw_str cleaner;
    unsigned *looks;
    bool open;     /* something is not known */
    bool variable; /* more than what is written there */
};

static bool leads_to_cleaner(struct search *s, uint32_t expr, uint32_t scope, unsigned depth);

static uint32_t scope_of(const struct lw_tree *t, uint32_t node)
{
    uint32_t f = lw_tree_enclosing(t, node, LW_NODE_FUNCTION);
    return f == LW_NO_NODE ? t->root : f;
}

static uint32_t definition_of(const struct lw_tree *t, struct lw_str name)
{
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_FUNCTION && lw_str_eq(lw_tree_name(t, n), name))
            return n;
    return LW_NO_NODE;
}

static uint32_t plain_argument(const struct lw_tree *t, uint32_t call, uint32_t place,
                               struct lw_str name)
{
    uint32_t named = syntax_keyword(t, call, name);
    if (named != LW_NO_NODE)
        return named;
    uint32_t a = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    for (; a != LW_NO_NODE && place > 0; place--)
        a = lw_tree_each(t, call, LW_ROLE_ARGS, a);
    return a;
}

/* What the callers of `function` pass for a parameter. */
static bool callers_lead(struct search *s, uint32_t function, uint32_t place,
                         struct lw_str name, bool has_default, unsigned depth)
{
    const struct lw_tree *t = s->t;
    bool called = false;
    struct lw_str callee = lw_tree_name(t, function);
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t f =
            lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC) : LW_NO_NODE;
        if (f == LW_NO_NODE || lw_tree_kind(t, f) != LW_NODE_NAME ||
            !lw_str_eq(lw_tree_name(t, f), callee))
            continue;
        uint32_t given = plain_argument(t, n, place, name);
        called = true;
        if (given == LW_NO_NODE)
            s->open |= !has_default;
        else if (leads_to_cleaner(s, given, scope_of(t, n), depth))
            return true;
    }
    s->open |= !called;
    return false;
}

/* Of a, b = x, y: what the name gets; else the whole value. */
static uint32_t part_for(const struct lw_tree *t, uint32_t target, uint32_t value,
                         struct lw_str name)
{
    if (lw_tree_kind(t, target) != LW_NODE_TUPLE || lw_tree_kind(t, value) != LW_NODE_TUPLE)
        return value;
    uint32_t a = lw_tree_each(t, target, LW_ROLE_ELTS, LW_NO_NODE);
    uint32_t b = lw_tree_each(t, value, LW_ROLE_ELTS, LW_NO_NODE);
    while (a != LW_NO_NODE && b != LW_NO_NODE && !syntax_has_name(t, a, name)) {
        a = lw_tree_each(t, target, LW_ROLE_ELTS, a);
        b = lw_tree_each(t, value, LW_ROLE_ELTS, b);
    }
    return a == LW_NO_NODE || b == LW_NO_NODE ? value : b;
}

/* The expression that a statement or comprehension gives the name; LW_NO_NODE: another one. */
static uint32_t given_by(const struct lw_tree *t, uint32_t n, struct lw_str name)
{
    uint32_t target = LW_NO_NODE, value = LW_NO_NODE;
    switch (lw_tree_kind(t, n)) {
    case LW_NODE_ASSIGN:
        target = lw_tree_get(t, n, LW_ROLE_TARGETS);
        value = lw_tree_get(t, n, LW_ROLE_VALUE);
        break;
    case LW_NODE_FOR:
    case LW_NODE_COMPREHENSION:
        target = lw_tree_get(t, n, LW_ROLE_TARGET);
        value = lw_tree_get(t, n, LW_ROLE_ITER);
        break;
    default: return LW_NO_NODE;
    }
    return syntax_has_name(t, target, name) ? part_for(t, target, value, name) : LW_NO_NODE;
}

static bool name_leads(struct search *s, struct lw_str name, uint32_t scope, unsigned depth)
{
    const struct lw_tree *t = s->t;
    uint32_t params = lw_tree_kind(t, scope) == LW_NODE_FUNCTION
                          ? lw_tree_get(t, scope, LW_ROLE_ARGS)
                          : LW_NO_NODE;
    uint32_t place = 0, own = definition_of(t, name);
    bool known = false;
    if (own != LW_NO_NODE) /* a function of the program: what it does itself */
        return syntax_has_name(t, own, s->cleaner);
    for (uint32_t n = lw_tree_next(t, scope, scope, false); n != LW_NO_NODE;
         n = lw_tree_next(t, scope, n, false)) {
        uint32_t value = given_by(t, n, name);
        if (value == LW_NO_NODE || scope_of(t, n) != scope)
            continue;
        known = true;
        if (leads_to_cleaner(s, value, scope, depth))
            return true;
    }
    if (params == LW_NO_NODE || known)
        return false;
    for (uint32_t p = lw_tree_each(t, params, LW_ROLE_ARGS, LW_NO_NODE); p != LW_NO_NODE;
         p = lw_tree_each(t, params, LW_ROLE_ARGS, p), place++)
        if (lw_str_eq(lw_tree_name(t, p), name))
            return callers_lead(s, scope, place, name,
                                lw_tree_get(t, p, LW_ROLE_DEFAULT) != LW_NO_NODE, depth);
    return name_leads(s, name, t->root, depth);
}

/* Does the cleaner take part in what the expression is made of? */
static bool leads_to_cleaner(struct search *s, uint32_t expr, uint32_t scope, unsigned depth)
{
    const struct lw_tree *t = s->t;
    if (depth >= MAX_DEPTH || ++*s->looks > MAX_LOOKS) {
        s->open = true;
        return false;
    }
    for (uint32_t n = expr; n != LW_NO_NODE; n = lw_tree_next(t, expr, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_NAME)
            continue;
        if (lw_str_eq(lw_tree_name(t, n), s->cleaner))
            return true;
        s->variable = true;
        if (name_leads(s, lw_tree_name(t, n), scope, depth + 1))
            return true;
    }
    return false;
}

/* A function of one text that hands back a plainer one, always the same way. */
static bool is_cleaner(const struct lw_tree *t, uint32_t function)
{
    static const char *const signs[] = {".lower()", "re.sub(", ".translate(", ".casefold()"};
    static const char *const others[] = {"rand", "self", "nn.", "torch", "tf."};
    uint32_t params = lw_tree_get(t, function, LW_ROLE_ARGS);
    struct lw_str text = lw_tree_text(t, function);
    bool plain = false;
    if (params == LW_NO_NODE || lw_tree_count(t, params, LW_ROLE_ARGS) != 1 ||
        lw_str_find(text, LW_S("return")) == LW_NPOS)
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (lw_str_find(text, lw_str(others[i])) != LW_NPOS)
            return false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        plain |= lw_str_find(text, lw_str(signs[i])) != LW_NPOS;
    return plain;
}

/* Does a class clean what it gets by itself? Its constructor sees other texts. */
static bool is_built_in(const struct lw_tree *t, struct lw_str cleaner)
{
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_FUNCTION &&
            lw_tree_enclosing(t, n, LW_NODE_CLASS) != LW_NO_NODE &&
            !text_is(lw_tree_name(t, n), "__init__") && syntax_has_name(t, n, cleaner))
            return true;
    return false;
}

/* What takes the text: the variable of `model(x)`, `vectorizer.transform(x)`; empty: nothing
 * of the kind. */
static struct lw_str taker_of(const struct lw_tree *t, uint32_t call)
{
    static const char *const methods[] = {"transform", "fit_transform", "texts_to_sequences",
                                          "fit_on_texts", "predict"};
    uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC);
    if (lw_tree_kind(t, f) == LW_NODE_ATTRIBUTE &&
        text_is_any(lw_tree_name(t, f), methods, sizeof methods / sizeof *methods))
        return lw_tree_text(t, lw_tree_get(t, f, LW_ROLE_VALUE));
    if (lw_tree_kind(t, f) == LW_NODE_NAME && text_is(lw_tree_name(t, f), "model"))
        return lw_tree_name(t, f);
    return (struct lw_str){0};
}

/* The first call of each taker that gets cleaned texts, and one that does not. */
static void check_cleaner(struct ck *c, struct ck_file *file, struct lw_str cleaner,
                          unsigned *looks)
{
    const struct lw_tree *t = &file->tree;
    struct lw_str with = {0};
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
            struct lw_str taker =
                lw_tree_kind(t, n) == LW_NODE_CALL ? taker_of(t, n) : (struct lw_str){0};
            uint32_t what = taker.n ? lw_tree_get(t, n, LW_ROLE_ARGS) : LW_NO_NODE;
            if (what == LW_NO_NODE || (pass && !lw_str_eq(taker, with)))
                continue;
            struct search s = {.t = t, .cleaner = cleaner, .looks = looks};
            bool clean = leads_to_cleaner(&s, what, scope_of(t, n), 0);
            if (!pass && clean && !with.n)
                with = taker;
            if (!pass || clean || s.open || !s.variable)
                continue;
            ck_find_at(c, file, n, "data/prepared-on-one-side", NULL, 0,
                       "'%.*s' gets texts preprocessed with %.*s() elsewhere, but raw texts "
                       "here: words that differ in case or punctuation are unknown to it; "
                       "preprocess both the same way",
                       LW_F(taker), LW_F(cleaner));
            return;
        }
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    unsigned looks = 0;
    (void)e;
    check_sides(c, file);
    if (file->source.text.n > MAX_TEXT)
        return;
    if (!ck_shows(c, "call .lower") && !ck_shows(c, "call re.sub") &&
        !ck_shows(c, "call .translate"))
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_FUNCTION && is_cleaner(t, n) &&
            !is_built_in(t, lw_tree_name(t, n)))
            check_cleaner(c, file, lw_tree_name(t, n), &looks);
}

const struct ck_rule rules_data_preparation[] = {
    {"data/mirrored-classes", CK_EV_CALL, watch_flipped_set},
    {"data/mirrored-classes", CK_EV_CALL, watch_flow, .calls = ".flow"},
    {"data/mirrored-classes data/prepared-on-one-side", CK_EV_END, watch_end},
    {0},
};
