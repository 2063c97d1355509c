/* Parts of data, by their names. */
#include "check/query/parts.h"

#include "base/str.h"

enum { MAX_TEXT = 100000 };

static bool is_letter(char ch)
{
    return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

/* Does the word begin a part of the name, as in x_test, xtest, dataTest and TEST_X, but not in
 * latest? `end` is where it ends. */
static bool has_word(struct lw_str name, const char *word, size_t *end)
{
    struct lw_str w = lw_str(word);
    for (size_t i = 0; i + w.n <= name.n; i++) {
        bool capital = name.p[i] >= 'A' && name.p[i] <= 'Z';
        bool begins = i < 2 || !is_letter(name.p[i - 1]) ||
                      (capital && name.p[i - 1] >= 'a' && name.p[i - 1] <= 'z');
        *end = i + w.n;
        if (begins && lw_str_eq(lw_str_part(name, i, i + w.n), w))
            return true;
    }
    return false;
}

static bool has_any(struct lw_str name, const char *const *words, size_t n, struct lw_str *rest)
{
    for (size_t i = 0; i < n; i++) {
        size_t end;
        if (has_word(name, words[i], &end)) {
            *rest = lw_str_from(name, end);
            return true;
        }
    }
    return false;
}

static enum part part_of(struct lw_str name)
{
    static const char *const training[] = {"train", "Train", "TRAIN"};
    static const char *const test[] = {"test", "Test", "TEST"};
    struct lw_str rest;
    bool trains = has_any(name, training, 3, &rest) && !lw_str_has_prefix(rest, LW_S("e")) &&
                  !lw_str_has_prefix(rest, LW_S("able"));
    bool tests = has_any(name, test, 3, &rest) && !lw_str_has_prefix(rest, LW_S("e"));
    return trains == tests ? PART_NONE : trains ? PART_TRAINING : PART_TEST;
}

enum part part_of_node(const struct lw_tree *t, uint32_t node)
{
    if (node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_KEYWORD)
        node = lw_tree_get(t, node, LW_ROLE_VALUE);
    return node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_NAME
               ? part_of(lw_tree_name(t, node))
               : PART_NONE;
}

bool part_is_counterpart(struct lw_str name, struct lw_str other)
{
    static const char *const test[] = {"test", "Test", "TEST"};
    static const char *const training[] = {"train", "Train", "TRAIN"};
    for (size_t i = 0; i < 3; i++) {
        size_t end;
        struct lw_str w = lw_str(training[i]);
        if (!has_word(other, test[i], &end))
            continue;
        struct lw_str head = lw_str_part(other, 0, end - 4), rest = lw_str_from(other, end);
        return name.n == head.n + w.n + rest.n && lw_str_has_prefix(name, head) &&
               lw_str_eq(lw_str_part(name, head.n, head.n + w.n), w) &&
               lw_str_eq(lw_str_from(name, head.n + w.n), rest);
    }
    return false;
}

bool parts_are_searched(const struct ck *c)
{
    return ck_mentions(c, ".fit(") && c->files.v[0]->source.text.n <= MAX_TEXT;
}
