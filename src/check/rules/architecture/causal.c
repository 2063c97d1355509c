/*
 * Rules about language models of transformers that see the token they have to predict: no
 * causal mask is given.
 */
#include "base/str.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/query/calls.h"
#include "check/query/program.h"
#include "check/rules/rules.h"

/* What kinds of modules a class keeps, by the constructor's last name. */
static const struct module {
    const char *name;
    const char *mask;  /* its argument */
    uint32_t position; /* of that */
    uint32_t inputs;   /* arguments without any mask */
} modules[] = {
    {"TransformerEncoder", "mask", 1, 1},
    {"TransformerDecoder", "tgt_mask", 2, 2},
    {"Transformer", "tgt_mask", 3, 2},
};

static const struct module *module_of(const struct lw_tree *t, uint32_t value)
{
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (text_is(calls_name(t, value), modules[i].name))
            return &modules[i];
    return NULL;
}

/* Does a Linear of the class have as many outputs as an Embedding of it has rows? */
static bool predicts_tokens(const struct lw_tree *t, uint32_t class_node)
{
    struct lw_str rows[8];
    size_t n = 0;
    for (uint32_t k = class_node; k != LW_NO_NODE; k = lw_tree_next(t, class_node, k, false))
        if (text_is(calls_name(t, k), "Embedding") && n < 8)
            rows[n++] = lw_tree_text(t, program_argument(t, k, "num_embeddings", 0));
    for (uint32_t k = class_node; n && k != LW_NO_NODE;
         k = lw_tree_next(t, class_node, k, false)) {
        struct lw_str out = text_is(calls_name(t, k), "Linear")
                                ? lw_tree_text(t, program_argument(t, k, "out_features", 1))
                                : (struct lw_str){0};
        for (size_t i = 0; out.n && i < n; i++)
            if (lw_str_eq(out, rows[i]))
                return true;
    }
    return false;
}

static bool is_one_off(const struct lw_tree *t, uint32_t bound)
{
    struct lw_str text = lw_tree_text(t, bound);
    return text_is(text, "1") || text_is(text, "-1") || lw_str_has_suffix(text, LW_S("+ 1")) ||
           lw_str_has_suffix(text, LW_S("+1"));
}

/* Are there targets one step ahead: x[:, 1:], x[:, :-1], x[i + 1:i + n + 1]? */
static bool shifts_tokens(const struct lw_tree *t)
{
    bool ahead = false, behind = false;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_SLICE)
            continue;
        uint32_t low = lw_tree_get(t, n, LW_ROLE_LOWER), up = lw_tree_get(t, n, LW_ROLE_UPPER);
        if (low != LW_NO_NODE && up != LW_NO_NODE && is_one_off(t, low) && is_one_off(t, up))
            return true;
        ahead |= low != LW_NO_NODE && up == LW_NO_NODE && text_is(lw_tree_text(t, low), "1");
        behind |= low == LW_NO_NODE && up != LW_NO_NODE && text_is(lw_tree_text(t, up), "-1");
    }
    return ahead && behind;
}

/* self.name(…) in the class without a mask of any kind. */
static void check_calls(struct ck *c, struct ck_file *f, uint32_t class_node,
                        struct lw_str name, const struct module *m)
{
    const struct lw_tree *t = &f->tree;
    for (uint32_t n = class_node; n != LW_NO_NODE; n = lw_tree_next(t, class_node, n, false)) {
        uint32_t what =
            lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC) : LW_NO_NODE;
        uint32_t function = lw_tree_enclosing(t, n, LW_NODE_FUNCTION);
        if (!syntax_is_of_self(t, what) || !lw_str_eq(lw_tree_name(t, what), name) ||
            !text_is(lw_tree_name(t, function), "forward") ||
            lw_tree_count(t, n, LW_ROLE_ARGS) > m->inputs ||
            program_argument(t, n, m->mask, m->position) != LW_NO_NODE ||
            syntax_has_keyword(t, n, "is_causal") || syntax_has_keyword(t, n, "tgt_is_causal"))
            continue;
        bool spread = false;
        for (uint32_t k = lw_tree_each(t, n, LW_ROLE_KEYWORDS, LW_NO_NODE); k != LW_NO_NODE;
             k = lw_tree_each(t, n, LW_ROLE_KEYWORDS, k))
            spread |= !lw_tree_name(t, k).n;
        if (spread)
            continue;
        ck_find_at(c, f, n, "architecture/causal-mask", NULL, 0,
                   "the %s gets no %s, so each position sees the token that it has to predict: "
                   "pass a causal mask",
                   m->name, m->mask);
        return;
    }
}

static void check_class(struct ck *c, struct ck_file *f, uint32_t class_node)
{
    const struct lw_tree *t = &f->tree;
    for (uint32_t n = class_node; n != LW_NO_NODE; n = lw_tree_next(t, class_node, n, false)) {
        uint32_t target = lw_tree_kind(t, n) == LW_NODE_ASSIGN
                              ? lw_tree_get(t, n, LW_ROLE_TARGETS)
                              : LW_NO_NODE;
        const struct module *m = syntax_is_of_self(t, target)
                                     ? module_of(t, lw_tree_get(t, n, LW_ROLE_VALUE))
                                     : NULL;
        if (m)
            check_calls(c, f, class_node, lw_tree_name(t, target), m);
    }
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    static const char *const masked[] = {"[MASK]", "<mask>", "[mask]"};
    struct ck_file *f = c->files.v[0];
    (void)e;
    bool any = false;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        any |= program_calls_of(c, modules[i].name).n > 0;
    if (!any || !shifts_tokens(&f->tree) || program_has_text(c, masked, 3))
        return;
    for (uint32_t n = f->tree.root; n != LW_NO_NODE;
         n = lw_tree_next(&f->tree, f->tree.root, n, false))
        if (lw_tree_kind(&f->tree, n) == LW_NODE_CLASS && predicts_tokens(&f->tree, n))
            check_class(c, f, n);
}

const struct ck_rule rules_architecture_causal[] = {
    {"architecture/causal-mask", CK_EV_END, watch_end},
    {0},
};
