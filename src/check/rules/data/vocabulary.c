/*
 * Rules about numbers of words and the embedding that looks them up: numbers that do not begin
 * at 0 need as many rows more.
 */
#include "base/num.h"
#include "base/str.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/query/calls.h"
#include "check/query/program.h"
#include "check/rules/rules.h"

/* What numbers words: {w: i + 2 for i, w in enumerate(words)}, kept under a name. */
struct numbering {
    uint32_t assign;     /* of the dictionary */
    struct lw_str kept;  /* text of what it is assigned to: "self.index" */
    struct lw_str words; /* text of what is numbered: "self.words" */
    int64_t first;       /* number of the first word, above 0 */
};

static bool number_of(const struct lw_tree *t, uint32_t node, int64_t *out)
{
    return lw_tree_kind(t, node) == LW_NODE_NUMBER && lw_parse_i64(lw_tree_text(t, node), out);
}

/* i, i + 2, 2 + i: what is added to the counter of the comprehension; false: something else. */
static bool added_to(const struct lw_tree *t, uint32_t value, struct lw_str counter, int64_t *n)
{
    *n = 0;
    if (lw_tree_kind(t, value) == LW_NODE_NAME)
        return lw_str_eq(lw_tree_name(t, value), counter);
    uint32_t a = lw_tree_kind(t, value) == LW_NODE_BIN_OP ? lw_tree_get(t, value, LW_ROLE_LEFT)
                                                          : LW_NO_NODE;
    uint32_t b = a == LW_NO_NODE ? a : lw_tree_get(t, value, LW_ROLE_RIGHT);
    if (a == LW_NO_NODE || lw_tree_node(t, value)->op != LW_OP_ADD)
        return false;
    return (lw_str_eq(lw_tree_name(t, a), counter) && number_of(t, b, n)) ||
           (lw_str_eq(lw_tree_name(t, b), counter) && number_of(t, a, n));
}

/* `name = {…}` or `self.name = {…}` of a comprehension that numbers from above 0. */
static bool reads_numbering(const struct lw_tree *t, uint32_t assign, struct numbering *out)
{
    uint32_t dict = lw_tree_get(t, assign, LW_ROLE_VALUE);
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    uint32_t loop = lw_tree_kind(t, dict) == LW_NODE_DICT_COMP
                        ? lw_tree_get(t, dict, LW_ROLE_GENERATORS)
                        : LW_NO_NODE;
    uint32_t iter = loop == LW_NO_NODE ? loop : lw_tree_get(t, loop, LW_ROLE_ITER);
    uint32_t pair = loop == LW_NO_NODE ? loop : lw_tree_get(t, loop, LW_ROLE_TARGET);
    uint32_t counter = lw_tree_kind(t, pair) == LW_NODE_TUPLE
                           ? lw_tree_get(t, pair, LW_ROLE_ELTS)
                           : LW_NO_NODE;
    if (!text_is(calls_name(t, iter), "enumerate") || counter == LW_NO_NODE ||
        lw_tree_get(t, loop, LW_ROLE_IFS) != LW_NO_NODE ||
        (lw_tree_kind(t, target) != LW_NODE_NAME && !syntax_is_of_self(t, target)))
        return false;
    uint32_t words = lw_tree_each(t, iter, LW_ROLE_ARGS, LW_NO_NODE);
    uint32_t start = program_argument(t, iter, "start", 1);
    int64_t from = 0, added;
    if (words == LW_NO_NODE || (start != LW_NO_NODE && !number_of(t, start, &from)) ||
        !added_to(t, lw_tree_get(t, dict, LW_ROLE_VALUES), lw_tree_name(t, counter), &added) ||
        from + added < 1)
        return false;
    *out = (struct numbering){assign, lw_tree_text(t, target), lw_tree_text(t, words),
                              from + added};
    return true;
}

/* Is anything else written into the dictionary: index["<pad>"] = 0, index.update(…)? */
static bool is_completed(const struct lw_tree *t, const struct numbering *g)
{
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t target = lw_tree_kind(t, n) == LW_NODE_ASSIGN
                              ? lw_tree_get(t, n, LW_ROLE_TARGETS)
                              : LW_NO_NODE;
        if (lw_tree_kind(t, target) == LW_NODE_SUBSCRIPT &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, target, LW_ROLE_VALUE)), g->kept))
            return true;
        if (n != g->assign && target != LW_NO_NODE &&
            lw_str_eq(lw_tree_text(t, target), g->kept))
            return true;
        static const char *const fills[] = {"update", "setdefault"};
        uint32_t owner = lw_tree_kind(t, n) == LW_NODE_CALL ? syntax_owner(t, n) : LW_NO_NODE;
        if (owner != LW_NO_NODE && lw_str_eq(lw_tree_text(t, owner), g->kept) &&
            text_is_any(calls_name(t, n), fills, 2))
            return true;
    }
    return false;
}

/* x of len(x); LW_NO_NODE: it is no such call. */
static uint32_t length_of(const struct lw_tree *t, uint32_t node)
{
    return text_is(calls_name(t, node), "len") &&
                   lw_tree_kind(t, lw_tree_get(t, node, LW_ROLE_FUNC)) == LW_NODE_NAME
               ? lw_tree_each(t, node, LW_ROLE_ARGS, LW_NO_NODE)
               : LW_NO_NODE;
}

/* Is it the number of words, or of entries of the dictionary? */
static bool counts_words(const struct lw_tree *t, uint32_t node, const struct numbering *g)
{
    uint32_t of = length_of(t, node);
    struct lw_str text = lw_tree_text(t, of);
    return of != LW_NO_NODE && (lw_str_eq(text, g->words) || lw_str_eq(text, g->kept));
}

static void report_rows(struct ck *c, struct ck_file *f, uint32_t node, struct lw_str kept,
                        int64_t first)
{
    ck_find_at(c, f, node, "data/numbers-beyond-rows", NULL, 0,
               "the word indices of '%.*s' start at %lld, so the last one is out of range for "
               "an embedding with that many rows: add %lld",
               LW_F(kept), (long long)first, (long long)first);
}

/* Embedding(len(index), …), or the name that was given that number. */
static void check_rows(struct ck *c, struct ck_file *f, const struct numbering *g)
{
    const struct lw_tree *t = &f->tree;
    static const char *const names[] = {"Embedding", "EmbeddingBag"};
    for (size_t k = 0; k < 2; k++) {
        struct places_list made = program_calls_of(c, names[k]);
        for (size_t i = 0; i < made.n; i++) {
            uint32_t rows = program_argument(t, made.v[i], "num_embeddings", 0);
            if (rows == LW_NO_NODE || lw_tree_kind(t, rows) == LW_NODE_STARRED)
                rows = program_argument(t, made.v[i], "input_dim", 0);
            if (lw_tree_kind(t, rows) == LW_NODE_NAME)
                rows = places_assigned(c, f, rows);
            if (rows != LW_NO_NODE && counts_words(t, rows, g)) {
                report_rows(c, f, rows, g->kept, g->first);
                return;
            }
        }
    }
}

/* def __len__(self): return len(self.words), in the class that numbers them. */
static bool check_size(struct ck *c, struct ck_file *f, const struct numbering *g)
{
    const struct lw_tree *t = &f->tree;
    uint32_t class_node = lw_tree_enclosing(t, g->assign, LW_NODE_CLASS);
    uint32_t size =
        class_node == LW_NO_NODE ? class_node : program_method(t, class_node, LW_S("__len__"));
    uint32_t last = size == LW_NO_NODE ? size : lw_tree_each(t, size, LW_ROLE_BODY, LW_NO_NODE);
    uint32_t value = lw_tree_kind(t, last) == LW_NODE_RETURN
                         ? lw_tree_get(t, last, LW_ROLE_VALUE)
                         : LW_NO_NODE;
    static const char *const tables[] = {"Embedding", "EmbeddingBag"};
    if (value == LW_NO_NODE || !counts_words(t, value, g) || !program_calls(c, tables, 2))
        return false;
    report_rows(c, f, value, g->kept, g->first);
    return true;
}

/* model = Net(len(index)): a module of the program that takes the number of words. */
static void check_given(struct ck *c, struct ck_file *f, const struct numbering *g)
{
    const struct lw_tree *t = &f->tree;
    static const char *const tables[] = {"Embedding", "EmbeddingBag"};
    static const char *const words[] = {"vocab_size", "num_embeddings", "n_vocab",
                                        "vocab",      "n_words",        "num_words",
                                        "input_dim",  "voc_size"};
    if (!program_calls(c, tables, 2))
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t value = LW_NO_NODE;
        if (lw_tree_kind(t, n) == LW_NODE_KEYWORD &&
            text_is_any(lw_tree_name(t, n), words, sizeof words / sizeof *words))
            value = lw_tree_get(t, n, LW_ROLE_VALUE);
        else if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
                 text_is_any(lw_tree_name(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), words,
                             sizeof words / sizeof *words))
            value = lw_tree_get(t, n, LW_ROLE_VALUE);
        if (value != LW_NO_NODE && counts_words(t, value, g)) {
            report_rows(c, f, value, g->kept, g->first);
            return;
        }
    }
}

/* ---- the Tokenizer of Keras
 * -------------------------------------------------------------------
 */

/* Embedding(len(tokenizer.word_index), …): its numbers begin at 1. */
static void check_word_index(struct ck *c, struct ck_file *f, uint32_t embedding)
{
    const struct lw_tree *t = &f->tree;
    uint32_t rows = program_argument(t, embedding, "input_dim", 0);
    if (lw_tree_kind(t, rows) == LW_NODE_NAME)
        rows = places_assigned(c, f, rows);
    uint32_t of = rows == LW_NO_NODE ? rows : length_of(t, rows);
    if (lw_tree_kind(t, of) == LW_NODE_NAME)
        of = places_assigned(c, f, of);
    if (lw_tree_kind(t, of) == LW_NODE_ATTRIBUTE && text_is(lw_tree_name(t, of), "word_index"))
        report_rows(c, f, rows, lw_tree_text(t, of), 1);
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *f = c->files.v[0];
    const struct lw_tree *t = &f->tree;
    struct places_list embeddings = program_calls_of(c, "Embedding");
    struct numbering g;
    (void)e;
    for (size_t i = 0; i < embeddings.n; i++)
        check_word_index(c, f, embeddings.v[i]);
    static const char *const tables[] = {"Embedding", "EmbeddingBag"};
    if (!program_calls(c, tables, 2) || f->source.text.n > CALLS_MOST_TEXT)
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN || !reads_numbering(t, n, &g) ||
            is_completed(t, &g))
            continue;
        if (!check_size(c, f, &g)) {
            check_rows(c, f, &g);
            check_given(c, f, &g);
        }
        return;
    }
}

static void make_more_rows(struct fix *f)
{
    if (!fix_is_call(f, f->node))
        return;
    uint32_t of = length_of(f->t, f->node);
    if (lw_tree_kind(f->t, of) != LW_NODE_ATTRIBUTE || !text_is(fix_name(f, of), "word_index"))
        return;
    fix_say(f, "add a row for index 0");
    fix_insert(f, lw_tree_end(f->t, f->node), LW_S(" + 1"));
}

const struct ck_rule rules_data_vocabulary[] = {
    {"data/numbers-beyond-rows", CK_EV_END, watch_end, make_more_rows},
    {0},
};
