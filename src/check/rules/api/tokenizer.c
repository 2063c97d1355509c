/*
 * Rules about tokenizers and the models and trainers of transformers that get what they make:
 * tokens that the model has no row for, padding that is learnt, labels under another name.
 */
#include "base/str.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/query/program.h"
#include "check/rules/rules.h"

/* ---- tokens that were added -----------------------------------------------------------------
 */

/* Is a model of transformers read: BertModel.from_pretrained, AutoModelForX.from_pretrained? */
static bool reads_model(struct ck *c)
{
    struct ck_file *f = c->files.v[0];
    struct places_list calls = program_calls_of(c, "from_pretrained");
    for (size_t i = 0; i < calls.n; i++) {
        uint32_t owner = syntax_owner(&f->tree, calls.v[i]);
        struct lw_str name = lw_tree_name(&f->tree, owner);
        for (size_t k = 0; k + 5 <= name.n; k++) {
            struct lw_str rest = lw_str_from(name, k);
            if (lw_str_has_prefix(rest, LW_S("Model")) ||
                lw_str_has_prefix(rest, LW_S("ForC")) ||
                lw_str_has_prefix(rest, LW_S("LMHead")) ||
                lw_str_has_prefix(rest, LW_S("ForS")) ||
                lw_str_has_prefix(rest, LW_S("ForT")) ||
                lw_str_has_prefix(rest, LW_S("ForQ")) || lw_str_has_prefix(rest, LW_S("ForM")))
                return true;
        }
    }
    return false;
}

/* Does the argument hold a text of the program's own, not only tokens that there are? */
static bool names_new_tokens(const struct lw_tree *t, uint32_t call)
{
    uint32_t what = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    if (what == LW_NO_NODE)
        return false;
    if (lw_tree_kind(t, what) != LW_NODE_DICT)
        return true;
    for (uint32_t v = lw_tree_each(t, what, LW_ROLE_VALUES, LW_NO_NODE); v != LW_NO_NODE;
         v = lw_tree_each(t, what, LW_ROLE_VALUES, v))
        if (!lw_str_has_suffix(lw_tree_name(t, v), LW_S("_token")))
            return true;
    return false;
}

static void check_tokens(struct ck *c, const char *name)
{
    struct ck_file *f = c->files.v[0];
    struct places_list calls = program_calls_of(c, name);
    for (size_t i = 0; i < calls.n; i++) {
        uint32_t owner = syntax_owner(&f->tree, calls.v[i]);
        struct lw_str who = lw_tree_name(&f->tree, owner);
        bool tokenizer =
            lw_str_has_prefix(who, LW_S("tok")) || lw_str_has_suffix(who, LW_S("tokenizer"));
        if (!tokenizer || !names_new_tokens(&f->tree, calls.v[i]))
            continue;
        ck_find_at(c, f, calls.v[i], "api/embeddings-not-resized", NULL, 0,
                   "tokens are added to the tokenizer, but the embedding of the model has no "
                   "rows for them: call model.resize_token_embeddings(len(tokenizer))");
        return;
    }
}

static void watch_tokens(struct ck *c, const struct ck_event *e)
{
    static const char *const resizing[] = {"resize_token_embeddings", "set_input_embeddings",
                                           "resize_embeddings", "_resize_token_embeddings"};
    (void)e;
    if (!program_calls_of(c, "from_pretrained").n || program_calls(c, resizing, 4) ||
        !reads_model(c))
        return;
    check_tokens(c, "add_special_tokens");
    check_tokens(c, "add_tokens");
}

/* ---- padding among the labels ---------------------------------------------------------------
 */

/* x of x["input_ids"] and x.input_ids, also behind clone(); LW_NO_NODE: it is none. */
static uint32_t ids_of(const struct lw_tree *t, uint32_t value)
{
    while (lw_tree_kind(t, value) == LW_NODE_CALL &&
           lw_tree_count(t, value, LW_ROLE_ARGS) == 0 && syntax_owner(t, value) != LW_NO_NODE)
        value = syntax_owner(t, value);
    bool named = lw_tree_kind(t, value) == LW_NODE_ATTRIBUTE &&
                 text_is(lw_tree_name(t, value), "input_ids");
    bool item = lw_tree_kind(t, value) == LW_NODE_SUBSCRIPT &&
                text_is(program_text(t, lw_tree_get(t, value, LW_ROLE_SLICE)), "input_ids");
    return named || item ? lw_tree_get(t, value, LW_ROLE_VALUE) : LW_NO_NODE;
}

/* Was it made by a call that pads? */
static bool is_padded(struct ck *c, struct ck_file *f, uint32_t tokens)
{
    const struct lw_tree *t = &f->tree;
    uint32_t made = lw_tree_kind(t, tokens) == LW_NODE_CALL   ? tokens
                    : lw_tree_kind(t, tokens) == LW_NODE_NAME ? places_assigned(c, f, tokens)
                                                              : LW_NO_NODE;
    uint32_t padding = lw_tree_kind(t, made) == LW_NODE_CALL
                           ? syntax_keyword(t, made, LW_S("padding"))
                           : LW_NO_NODE;
    return padding != LW_NO_NODE && !text_is(lw_tree_text(t, padding), "False") &&
           !text_is(program_text(t, padding), "do_not_pad");
}

static bool ignores_padding(struct ck *c)
{
    static const char *const helpers[] = {"DataCollatorForSeq2Seq",
                                          "DataCollatorForLanguageModeling", "masked_fill",
                                          "masked_fill_"};
    const struct lw_tree *t = &c->files.v[0]->tree;
    if (program_calls(c, helpers, sizeof helpers / sizeof *helpers))
        return true;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_NUMBER && text_is(lw_tree_text(t, n), "100"))
            return true;
        else if (lw_tree_kind(t, n) == LW_NODE_KEYWORD &&
                 text_is(lw_tree_name(t, n), "ignore_index"))
            return true;
    return program_has_attribute(c, "ignore_index");
}

static void check_labels(struct ck *c, struct ck_file *f, uint32_t value)
{
    uint32_t tokens = ids_of(&f->tree, value);
    if (tokens == LW_NO_NODE || !is_padded(c, f, tokens) || ignores_padding(c))
        return;
    ck_find_at(c, f, value, "data/padding-in-labels", NULL, 0,
               "the labels are padded token ids, so the model learns to predict the padding: "
               "set them to -100 where the attention mask is 0");
}

/* batch["labels"] = enc["input_ids"], model(…, labels=enc.input_ids), {"labels": …} */
static void check_node(struct ck *c, struct ck_file *f, uint32_t n)
{
    const struct lw_tree *t = &f->tree;
    enum lw_node_kind kind = lw_tree_kind(t, n);
    if (kind == LW_NODE_KEYWORD && text_is(lw_tree_name(t, n), "labels")) {
        check_labels(c, f, lw_tree_get(t, n, LW_ROLE_VALUE));
    } else if (kind == LW_NODE_ASSIGN) {
        uint32_t target = lw_tree_get(t, n, LW_ROLE_TARGETS);
        if (lw_tree_kind(t, target) == LW_NODE_SUBSCRIPT &&
            text_is(program_text(t, lw_tree_get(t, target, LW_ROLE_SLICE)), "labels"))
            check_labels(c, f, lw_tree_get(t, n, LW_ROLE_VALUE));
    }
}

static void watch_labels(struct ck *c, const struct ck_event *e)
{
    struct ck_file *f = c->files.v[0];
    const struct lw_tree *t = &f->tree;
    (void)e;
    if (!program_calls_of(c, "from_pretrained").n)
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        check_node(c, f, n);
}

static void make_ignored(struct fix *f)
{
    uint32_t tokens = ids_of(f->t, f->node);
    if (fix_kind(f, tokens) != LW_NODE_NAME || fix_kind(f, f->node) == LW_NODE_CALL)
        return;
    fix_say(f, "ignore the padding in the loss");
    fix_insert(f, lw_tree_end(f->t, f->node),
               ck_text(f->c, ".masked_fill(%.*s[\"attention_mask\"] == 0, -100)",
                       LW_F(fix_text(f, tokens))));
}

/* ---- labels of a Trainer --------------------------------------------------------------------
 */

/* The first statement x["target"] = … with a name that programs give to labels. */
static uint32_t renamed_labels(const struct lw_tree *t)
{
    static const char *const names[] = {"target", "targets", "y",     "class",
                                        "gold",   "answer",  "score", "category"};
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t target = lw_tree_kind(t, n) == LW_NODE_ASSIGN
                              ? lw_tree_get(t, n, LW_ROLE_TARGETS)
                              : LW_NO_NODE;
        if (lw_tree_kind(t, target) == LW_NODE_SUBSCRIPT &&
            text_is_any(program_text(t, lw_tree_get(t, target, LW_ROLE_SLICE)), names,
                        sizeof names / sizeof *names))
            return target;
    }
    return LW_NO_NODE;
}

/* A Trainer gives the model what its forward() names and drops all other columns. */
static void watch_trainer(struct ck *c, const struct ck_event *e)
{
    static const char *const known[] = {"labels", "label", "label_ids", "start_positions",
                                        "end_positions"};
    static const char *const own[] = {"compute_loss", "DataCollatorForLanguageModeling"};
    struct ck_file *f = c->files.v[0];
    struct places_list made = program_calls_of(c, "Trainer");
    (void)e;
    if (!made.n || !program_calls_of(c, "from_pretrained").n || !reads_model(c))
        return;
    uint32_t labels = renamed_labels(&f->tree);
    if (labels == LW_NO_NODE || program_calls(c, own, 2) || program_has_text(c, known, 5) ||
        places_of(c, f, PLACES_FUNCTION, LW_S("compute_loss")).n)
        return;
    for (uint32_t n = f->tree.root; n != LW_NO_NODE;
         n = lw_tree_next(&f->tree, f->tree.root, n, false))
        if (lw_tree_kind(&f->tree, n) == LW_NODE_KEYWORD &&
            (text_is(lw_tree_name(&f->tree, n), "labels") ||
             text_is(lw_tree_name(&f->tree, n), "label_names") ||
             text_is(lw_tree_name(&f->tree, n), "data_collator")))
            return;
    ck_find_at(c, f, labels, "api/label-column", NULL, 0,
               "the Trainer drops columns that the model does not accept, so the labels under "
               "this name are lost and there is no loss: name the column 'labels'");
}

static void make_labels(struct fix *f)
{
    uint32_t key = lw_tree_get(f->t, f->node, LW_ROLE_SLICE);
    if (fix_kind(f, key) != LW_NODE_STRING)
        return;
    fix_say(f, "name the column 'labels'");
    fix_quoted(f, key, LW_S("labels"));
}

const struct ck_rule rules_api_tokenizer[] = {
    {"api/embeddings-not-resized", CK_EV_END, watch_tokens},
    {"data/padding-in-labels", CK_EV_END, watch_labels, make_ignored},
    {"api/label-column", CK_EV_END, watch_trainer, make_labels},
    {0},
};
