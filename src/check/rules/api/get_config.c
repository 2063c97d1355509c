/* Rules about get_config() of a class of Keras: what it leaves out cannot be loaded again. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/program.h"
#include "check/query/trace.h"
#include "check/rules/rules.h"

/* Does a base of the class come from Keras, and none from the program? */
static bool is_of_keras(struct ck *c, const struct ck_file *f, uint32_t class_node)
{
    bool keras = false;
    for (uint32_t b = lw_tree_each(&f->tree, class_node, LW_ROLE_BASES, LW_NO_NODE);
         b != LW_NO_NODE; b = lw_tree_each(&f->tree, class_node, LW_ROLE_BASES, b)) {
        struct lw_str name = trace_library(c, f, b);
        if (!lw_str_has_prefix(name, LW_S("tensorflow.keras.")) &&
            !lw_str_has_prefix(name, LW_S("keras.")))
            return false;
        keras = true;
    }
    return keras;
}

/* Does the configuration come from somewhere that the text does not list? */
static bool is_gathered(const struct lw_tree *t, uint32_t method)
{
    static const char *const gatherers[] = {"locals", "vars", "getattr", "signature",
                                            "items_of"};
    if (trace_has_call(t, method, gatherers, sizeof gatherers / sizeof *gatherers))
        return true;
    for (uint32_t n = method; n != LW_NO_NODE; n = lw_tree_next(t, method, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if (kind == LW_NODE_RAISE || kind == LW_NODE_FOR || kind == LW_NODE_DICT_COMP ||
            (kind == LW_NODE_ATTRIBUTE && text_is(lw_tree_name(t, n), "__dict__")))
            return true;
        /* config.update(self.config) */
        if (kind == LW_NODE_CALL && text_is(syntax_called_name(t, n), "update") &&
            syntax_is_of_self(t, lw_tree_get(t, n, LW_ROLE_ARGS)))
            return true;
    }
    return false;
}

/* Is the parameter a key of it? */
static bool is_written(const struct lw_tree *t, uint32_t method, struct lw_str name)
{
    for (uint32_t n = method; n != LW_NO_NODE; n = lw_tree_next(t, method, n, false)) {
        if (lw_tree_kind(t, n) == LW_NODE_STRING && lw_str_eq(program_text(t, n), name))
            return true;
        if (lw_tree_kind(t, n) == LW_NODE_KEYWORD && lw_str_eq(lw_tree_name(t, n), name))
            return true;
    }
    return false;
}

/* Is it given to super().__init__(), which keeps it? */
static bool is_of_base(const struct lw_tree *t, uint32_t init, struct lw_str name)
{
    for (uint32_t n = init; n != LW_NO_NODE; n = lw_tree_next(t, init, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL && text_is(syntax_called_name(t, n), "__init__"))
            return syntax_has_name(t, n, name);
    return false;
}

static void look_at_class(struct ck *c, struct ck_file *f, uint32_t class_node, uint32_t config)
{
    static const char *const given[] = {"self", "name", "dtype", "trainable", "dynamic"};
    const struct lw_tree *t = &f->tree;
    uint32_t init = program_method(t, class_node, LW_S("__init__"));
    uint32_t params = init == LW_NO_NODE ? init : lw_tree_get(t, init, LW_ROLE_ARGS);
    if (params == LW_NO_NODE || !is_of_keras(c, f, class_node) || is_gathered(t, config) ||
        program_method(t, class_node, LW_S("from_config")) != LW_NO_NODE)
        return;
    const struct lw_node *all = lw_tree_node(t, params);
    for (uint32_t p = all->child; p < all->child + all->count; p++) {
        struct lw_str name = lw_tree_name(t, p);
        bool stars = lw_tree_text(t, p).n && lw_tree_text(t, p).p[0] == '*';
        if (lw_tree_kind(t, p) != LW_NODE_PARAM || stars || !name.n ||
            text_is_any(name, given, sizeof given / sizeof *given) ||
            is_written(t, config, name) || is_of_base(t, init, name))
            continue;
        ck_find_at(c, f, config, "api/config-incomplete", NULL, 0,
                   "get_config() leaves out '%.*s', an argument of __init__(), so a saved "
                   "model is loaded without it: add it to the configuration",
                   LW_F(name));
        return;
    }
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    struct ck_file *f = c->files.v[0];
    struct places_list all = places_of(c, f, PLACES_FUNCTION, LW_S("get_config"));
    for (size_t i = 0; i < all.n; i++) {
        uint32_t class_node = lw_tree_parent(&f->tree, all.v[i]);
        if (lw_tree_kind(&f->tree, class_node) == LW_NODE_CLASS)
            look_at_class(c, f, class_node, all.v[i]);
    }
}

const struct ck_rule rules_api_get_config[] = {
    {"api/config-incomplete", CK_EV_END, watch_end},
    {0},
};
