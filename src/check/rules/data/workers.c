/*
 * Rules about data sets that draw random numbers in the workers of a loader: each worker gets a
 * copy of the generator.
 */
#include "base/str.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/query/calls.h"
#include "check/query/program.h"
#include "check/rules/rules.h"

/* A generator with a state of its own: np.random.default_rng(0), RandomState(0), Random(0). */
static bool makes_generator(const struct lw_tree *t, uint32_t value)
{
    static const char *const names[] = {"default_rng", "RandomState", "Random", "manual_seed"};
    return lw_tree_kind(t, value) == LW_NODE_CALL &&
           text_is_any(calls_name(t, value), names, sizeof names / sizeof *names);
}

/* `self.name = generator` in __init__; LW_NO_NODE: none. */
static uint32_t kept_generator(const struct lw_tree *t, uint32_t init)
{
    for (uint32_t n = init; n != LW_NO_NODE; n = lw_tree_next(t, init, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
            syntax_is_of_self(t, lw_tree_get(t, n, LW_ROLE_TARGETS)) &&
            makes_generator(t, lw_tree_get(t, n, LW_ROLE_VALUE)))
            return n;
    return LW_NO_NODE;
}

static bool reads_attribute(const struct lw_tree *t, uint32_t function, struct lw_str name)
{
    for (uint32_t n = function; n != LW_NO_NODE; n = lw_tree_next(t, function, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ATTRIBUTE && lw_str_eq(lw_tree_name(t, n), name))
            return true;
    return false;
}

/* Is a loader with workers made, of which the number is written down or may be above 0? */
static bool has_workers(struct ck *c, const struct lw_tree *t)
{
    struct places_list loaders = program_calls_of(c, "DataLoader");
    for (size_t i = 0; i < loaders.n; i++) {
        uint32_t n = syntax_keyword(t, loaders.v[i], LW_S("num_workers"));
        if (n != LW_NO_NODE && !text_is(lw_tree_text(t, n), "0"))
            return true;
    }
    return false;
}

static void check_set(struct ck *c, struct ck_file *f, uint32_t class_node)
{
    const struct lw_tree *t = &f->tree;
    uint32_t init = program_method(t, class_node, LW_S("__init__"));
    uint32_t item = program_method(t, class_node, LW_S("__getitem__"));
    uint32_t made =
        init == LW_NO_NODE || item == LW_NO_NODE ? LW_NO_NODE : kept_generator(t, init);
    if (made == LW_NO_NODE || !program_derives(t, class_node, "Dataset"))
        return;
    struct lw_str name = lw_tree_name(t, lw_tree_get(t, made, LW_ROLE_TARGETS));
    if (!reads_attribute(t, item, name))
        return;
    ck_find_at(c, f, made, "data/generator-in-workers", NULL, 0,
               "every DataLoader worker gets a copy of self.%.*s, so all workers draw the same "
               "numbers, and the same again in each epoch: create it in the worker, from "
               "get_worker_info().seed",
               LW_F(name));
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    static const char *const seeded[] = {"get_worker_info"};
    struct ck_file *f = c->files.v[0];
    struct places_list items = places_of(c, f, PLACES_FUNCTION, LW_S("__getitem__"));
    (void)e;
    if (!items.n || !has_workers(c, &f->tree) || program_calls(c, seeded, 1))
        return;
    struct places_list loaders = program_calls_of(c, "DataLoader");
    for (size_t i = 0; i < loaders.n; i++)
        if (syntax_keyword(&f->tree, loaders.v[i], LW_S("worker_init_fn")) != LW_NO_NODE)
            return;
    for (size_t i = 0; i < items.n; i++) {
        uint32_t class_node = lw_tree_enclosing(&f->tree, items.v[i], LW_NODE_CLASS);
        if (class_node != LW_NO_NODE)
            check_set(c, f, class_node);
    }
}

const struct ck_rule rules_data_workers[] = {
    {"data/generator-in-workers", CK_EV_END, watch_end},
    {0},
};
