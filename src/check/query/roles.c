/* Roles of data: by where it comes from, then by its name. */
#include "check/query/roles.h"

#include "base/err.h"
#include "base/str.h"
#include "check/engine/text.h"
#include "check/query/places.h"
#include "knowledge/embedded.h"

static const char *const role_names[ROLE_END] = {
    [ROLE_NONE] = "",
    [ROLE_TRAINING] = "training",
    [ROLE_TEST] = "test",
    [ROLE_LABEL] = "label",
    [ROLE_PREDICTION] = "prediction",
    [ROLE_NETWORK] = "network",
    [ROLE_INPUT] = "input",
    [ROLE_REWARD] = "reward",
    [ROLE_DISCOUNT] = "discount",
    [ROLE_ENDING] = "ending",
    [ROLE_MASK] = "mask",
};

/* ---- the table ----------------------------------------------------------------------------
 */

static enum role role_called(struct lw_str name)
{
    for (int i = ROLE_NONE + 1; i < ROLE_END; i++)
        if (text_is(name, role_names[i]))
            return (enum role)i;
    return ROLE_NONE;
}

static int add_words(lw_str_vec *to, struct lw_mem *mem, struct lw_str list, struct lw_err *err)
{
    struct lw_str word;
    while (lw_str_split(&list, ',', &word))
        if (lw_vec_push(mem, to, lw_str_trim(word)) < 0)
            return lw_err_nomem(err);
    return 0;
}

static int take_entry(struct roles *r, struct lw_mem *mem, const struct lw_ini *ini,
                      const struct lw_ini_entry *e, struct lw_err *err)
{
    enum role role = role_called(e->section);
    struct role_words *w = &r->of[role];
    if (role == ROLE_NONE)
        return lw_ini_error(ini, e, err, "there is no role '%.*s'", LW_F(e->section));
    if (text_is(e->key, "words"))
        return add_words(&w->words, mem, e->value, err);
    if (text_is(e->key, "whole"))
        return add_words(&w->whole, mem, e->value, err);
    if (text_is(e->key, "except"))
        return add_words(&w->except, mem, e->value, err);
    w->not_with = role_called(e->value);
    if (!text_is(e->key, "not with") || w->not_with == ROLE_NONE)
        return lw_ini_error(ini, e, err, "not a key of a role, or not one of its values");
    return 0;
}

int roles_load(struct roles *r, struct lw_arena *arena, struct lw_mem *mem, struct lw_err *err)
{
    static const struct lw_str path = {"data/roles.ini", 14};
    struct lw_str text;
    struct lw_ini ini;
    *r = (struct roles){0};
    if (!lw_embedded_find(path, &text))
        return lw_err_set(err, LW_EINVAL, "%s is not there", path.p);
    int rc = lw_ini_parse(&ini, arena, path, text, err);
    for (size_t i = 0; rc == 0 && i < ini.n; i++)
        rc = take_entry(r, mem, &ini, &ini.entries[i], err);
    if (rc < 0)
        roles_release(r, mem);
    return rc;
}

void roles_release(struct roles *r, struct lw_mem *mem)
{
    for (int i = 0; i < ROLE_END; i++) {
        lw_vec_release(mem, &r->of[i].words);
        lw_vec_release(mem, &r->of[i].whole);
        lw_vec_release(mem, &r->of[i].except);
    }
}

/* ---- by name ------------------------------------------------------------------------------
 */

static bool is_upper(char ch)
{
    return ch >= 'A' && ch <= 'Z';
}

static bool is_lower(char ch)
{
    return ch >= 'a' && ch <= 'z';
}

/* Does a part of the name begin here? x_test, xtest, dataTest, TEST_X; not latest. */
static bool begins_part(struct lw_str name, size_t at)
{
    char before = at ? name.p[at - 1] : '_';
    return at < 2 || (!is_lower(before) && !is_upper(before)) ||
           (is_upper(name.p[at]) && is_lower(before));
}

/* Most do not, and differ in the first letter. */
static bool stands_at(struct lw_str name, size_t at, struct lw_str word)
{
    return (name.p[at] | 0x20) == (word.p[0] | 0x20) &&
           lw_str_eq_nocase(lw_str_part(name, at, word.n), word);
}

static bool is_other_word(const struct role_words *w, struct lw_str name, size_t at)
{
    for (size_t i = 0; i < w->except.n; i++)
        if (stands_at(name, at, w->except.v[i]))
            return true;
    return false;
}

static bool has_word(const struct role_words *w, struct lw_str name, size_t at)
{
    bool part = begins_part(name, at) && !is_other_word(w, name, at);
    for (size_t i = 0; i < w->words.n; i++) {
        struct lw_str word = w->words.v[i];
        bool anywhere = word.p[0] == '*';
        if ((anywhere || part) && stands_at(name, at, lw_str_from(word, anywhere)))
            return true;
    }
    return false;
}

static bool speaks_of(const struct role_words *w, struct lw_str name)
{
    for (size_t i = 0; i < w->whole.n; i++)
        if (lw_str_eq(name, w->whole.v[i]))
            return true;
    for (size_t at = 0; at < name.n; at++)
        if (has_word(w, name, at))
            return true;
    return false;
}

bool role_is_named(const struct ck *c, struct lw_str name, enum role role)
{
    LW_BUG_ON(!c->roles || role == ROLE_NONE || role >= ROLE_END);
    const struct role_words *w = &c->roles->of[role];
    return speaks_of(w, name) &&
           (w->not_with == ROLE_NONE || !speaks_of(&c->roles->of[w->not_with], name));
}

/* A name that speaks of both is of neither. */
static enum role role_of_text(const struct ck *c, struct lw_str text)
{
    if (role_is_named(c, text, ROLE_TEST))
        return ROLE_TEST;
    return role_is_named(c, text, ROLE_TRAINING) && !speaks_of(&c->roles->of[ROLE_TEST], text)
               ? ROLE_TRAINING
               : ROLE_NONE;
}

static uint32_t behind_keyword(const struct lw_tree *t, uint32_t node)
{
    return lw_tree_kind(t, node) == LW_NODE_KEYWORD ? lw_tree_get(t, node, LW_ROLE_VALUE)
                                                    : node;
}

enum role role_of_name(const struct ck *c, const struct lw_tree *t, uint32_t node)
{
    node = behind_keyword(t, node);
    return lw_tree_kind(t, node) == LW_NODE_NAME ? role_of_text(c, lw_tree_name(t, node))
                                                 : ROLE_NONE;
}

bool role_is_within(const struct ck *c, const struct lw_tree *t, uint32_t top, enum role role)
{
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if ((kind == LW_NODE_NAME || kind == LW_NODE_ATTRIBUTE || kind == LW_NODE_PARAM) &&
            role_is_named(c, lw_tree_name(t, n), role))
            return true;
    }
    return false;
}

bool role_is_assigned(const struct ck *c, const struct lw_tree *t, uint32_t statement,
                      enum role role)
{
    uint32_t to = lw_tree_kind(t, statement) == LW_NODE_ASSIGN
                      ? lw_tree_get(t, statement, LW_ROLE_TARGETS)
                      : LW_NO_NODE;
    if (to == LW_NO_NODE || lw_tree_kind(t, to) != LW_NODE_TUPLE)
        return to != LW_NO_NODE && role_is_named(c, lw_tree_text(t, to), role);
    for (uint32_t k = lw_tree_each(t, to, LW_ROLE_ELTS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, to, LW_ROLE_ELTS, k))
        if (role_is_named(c, lw_tree_text(t, k), role))
            return true;
    return false;
}

bool role_is_counterpart(struct lw_str name, struct lw_str other)
{
    static const char *const test[] = {"test", "Test", "TEST"};
    static const char *const training[] = {"train", "Train", "TRAIN"};
    for (size_t i = 0; i < 3; i++)
        for (size_t at = 0; at + 4 <= other.n; at++) {
            if (!begins_part(other, at) ||
                !lw_str_eq(lw_str_part(other, at, 4), lw_str(test[i])))
                continue;
            struct lw_str rest = lw_str_from(other, at + 4);
            return name.n == other.n + 1 &&
                   lw_str_has_prefix(name, lw_str_part(other, 0, at)) &&
                   lw_str_has_suffix(name, rest) &&
                   lw_str_eq(lw_str_part(name, at, 5), lw_str(training[i]));
        }
    return false;
}

/* ---- by where it comes from ---------------------------------------------------------------
 */

/* The last folder or file of a path. */
static struct lw_str last_part(struct lw_str path)
{
    while (path.n && path.p[path.n - 1] == '/')
        path.n--;
    return lw_str_from(path, (size_t)(lw_str_find_last_char(path, '/') + 1));
}

enum role role_of_set(const struct ck *c, const struct ck_object *set)
{
    struct lw_value train = ck_config(set, "train"), split = ck_config(set, "split");
    struct lw_value root = ck_config(set, "root");
    if (train.kind == LW_V_BOOL && train.tri != LW_TRI_MAYBE)
        return train.tri == LW_TRI_YES ? ROLE_TRAINING : ROLE_TEST;
    if (split.kind == LW_V_STR && split.str.p)
        return role_of_text(c, split.str);
    return train.kind == LW_V_ABSENT && root.kind == LW_V_STR && root.str.p
               ? role_of_text(c, last_part(root.str))
               : ROLE_NONE;
}

/* Of `a, b, c, d = train_test_split(x, y)`, the part that the name gets there. */
static enum role role_of_target(const struct lw_tree *t, uint32_t call, struct lw_str name)
{
    uint32_t assign = lw_tree_parent(t, call), n = 0;
    uint32_t targets = lw_tree_kind(t, assign) == LW_NODE_ASSIGN
                           ? lw_tree_get(t, assign, LW_ROLE_TARGETS)
                           : LW_NO_NODE;
    for (uint32_t k = lw_tree_each(t, targets, LW_ROLE_ELTS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, targets, LW_ROLE_ELTS, k), n++)
        if (lw_tree_kind(t, k) == LW_NODE_NAME && lw_str_eq(lw_tree_name(t, k), name))
            return n % 2 ? ROLE_TEST : ROLE_TRAINING;
    return ROLE_NONE;
}

/* What the last train_test_split() before it in the same function made of the name. */
static enum role role_of_split(struct ck *c, struct ck_file *f, uint32_t name)
{
    enum { MAX_SPLITS = 8 };
    const struct lw_tree *t = &f->tree;
    struct places_list calls = places_of(c, f, PLACES_CALL, LW_S("train_test_split"));
    uint32_t function = lw_tree_enclosing(t, name, LW_NODE_FUNCTION);
    size_t n = places_before(f, calls, lw_tree_start(t, name));
    for (size_t i = n; i-- > 0 && n - i <= MAX_SPLITS;) {
        enum role role = role_of_target(t, calls.v[i], lw_tree_name(t, name));
        if (role != ROLE_NONE && lw_tree_enclosing(t, calls.v[i], LW_NODE_FUNCTION) == function)
            return role;
    }
    return ROLE_NONE;
}

enum role role_of_data(struct ck *c, struct ck_file *f, uint32_t node)
{
    node = behind_keyword(&f->tree, node);
    if (node == LW_NO_NODE)
        return ROLE_NONE;
    enum role role =
        lw_tree_kind(&f->tree, node) == LW_NODE_NAME ? role_of_split(c, f, node) : ROLE_NONE;
    /* what is long is no name, and calls in calls are asked for one by one */
    enum { LONGEST = 200 };
    return role != ROLE_NONE
               ? role
               : role_of_text(c, lw_str_part(lw_tree_text(&f->tree, node), 0, LONGEST));
}
