/*
 * Rules about averages over batches: what was added up for samples is divided by the number of
 * batches, or the other way round.
 */
#include "base/str.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/query/calls.h"
#include "check/query/program.h"
#include "check/rules/rules.h"

/* What the loop runs over, through enumerate() and progress bars; LW_NO_NODE. */
static uint32_t iterated(const struct lw_tree *t, uint32_t loop)
{
    static const char *const wrappers[] = {"enumerate", "tqdm", "track", "progress_bar"};
    uint32_t iter =
        lw_tree_kind(t, loop) == LW_NODE_FOR ? lw_tree_get(t, loop, LW_ROLE_ITER) : LW_NO_NODE;
    for (unsigned i = 0; i < 3 && text_is_any(calls_name(t, iter), wrappers, 4); i++)
        iter = lw_tree_each(t, iter, LW_ROLE_ARGS, LW_NO_NODE);
    return iter;
}

/* Is there a comparison in it, whose hits are summed? */
static bool sums_hits(const struct lw_tree *t, uint32_t value)
{
    bool compares = false, sums = false;
    for (uint32_t n = value; n != LW_NO_NODE; n = lw_tree_next(t, value, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        struct lw_str name = kind == LW_NODE_CALL ? calls_name(t, n) : (struct lw_str){0};
        if (kind == LW_NODE_BIN_OP || text_is(name, "mean") || text_is(name, "len") ||
            text_is(name, "all"))
            return false;
        compares |= kind == LW_NODE_COMPARE || text_is(name, "eq");
        sums |= text_is(name, "sum");
    }
    return compares && sums;
}

/* len(x), x.size(0), x.shape[0] */
static bool is_batch_size(const struct lw_tree *t, uint32_t node)
{
    static const char *const sizes[] = {"len", "size"};
    static const char *const names[] = {"batch_size", "bs", "n", "b"};
    uint32_t of = lw_tree_kind(t, node) == LW_NODE_SUBSCRIPT
                      ? lw_tree_get(t, node, LW_ROLE_VALUE)
                      : LW_NO_NODE;
    return text_is_any(calls_name(t, node), sizes, 2) ||
           text_is(lw_tree_name(t, of), "shape") ||
           (lw_tree_kind(t, node) == LW_NODE_NAME &&
            text_is_any(lw_tree_name(t, node), names, 4));
}

static bool is_loss_value(const struct lw_tree *t, uint32_t node)
{
    uint32_t owner = text_is(calls_name(t, node), "item") ? syntax_owner(t, node) : LW_NO_NODE;
    return lw_tree_kind(t, owner) == LW_NODE_NAME &&
           lw_str_has_suffix(lw_tree_name(t, owner), LW_S("loss"));
}

/* loss.item() * x.size(0), in this order or the other */
static bool is_weighted_loss(const struct lw_tree *t, uint32_t value)
{
    if (lw_tree_kind(t, value) != LW_NODE_BIN_OP)
        return false;
    uint32_t a = lw_tree_get(t, value, LW_ROLE_LEFT), b = lw_tree_get(t, value, LW_ROLE_RIGHT);
    return lw_tree_node(t, value)->op == LW_OP_MULT &&
           ((is_loss_value(t, a) && is_batch_size(t, b)) ||
            (is_loss_value(t, b) && is_batch_size(t, a)));
}

static bool grows_by_sample(const struct lw_tree *t, uint32_t value)
{
    return sums_hits(t, value) || is_weighted_loss(t, value);
}

/* `name / len(loader)` behind the loop, also as 100 * name / len(loader). */
static bool divides(const struct lw_tree *t, uint32_t node, struct lw_str name,
                    struct lw_str loader)
{
    uint32_t a = lw_tree_kind(t, node) == LW_NODE_BIN_OP ? lw_tree_get(t, node, LW_ROLE_LEFT)
                                                         : LW_NO_NODE;
    uint32_t b = a == LW_NO_NODE ? a : lw_tree_get(t, node, LW_ROLE_RIGHT);
    uint32_t of = text_is(calls_name(t, b), "len")
                      ? lw_tree_each(t, b, LW_ROLE_ARGS, LW_NO_NODE)
                      : LW_NO_NODE;
    if (of == LW_NO_NODE || !lw_str_eq(lw_tree_text(t, of), loader))
        return false;
    while (lw_tree_kind(t, a) == LW_NODE_BIN_OP) {
        uint32_t left = lw_tree_get(t, a, LW_ROLE_LEFT);
        a = lw_tree_kind(t, left) == LW_NODE_NUMBER ? lw_tree_get(t, a, LW_ROLE_RIGHT) : left;
    }
    if (text_is(calls_name(t, a), "float") || text_is(calls_name(t, a), "item"))
        a = syntax_owner(t, a) != LW_NO_NODE ? syntax_owner(t, a)
                                             : lw_tree_each(t, a, LW_ROLE_ARGS, LW_NO_NODE);
    return lw_tree_node(t, node)->op == LW_OP_DIV && lw_str_eq(lw_tree_text(t, a), name);
}

/* Is the loader one of batches of one sample, as far as the file says? */
static bool has_single_batches(struct ck *c, struct ck_file *f, uint32_t loader)
{
    const struct lw_tree *t = &f->tree;
    uint32_t made =
        lw_tree_kind(t, loader) == LW_NODE_NAME ? places_assigned(c, f, loader) : LW_NO_NODE;
    uint32_t size = lw_tree_kind(t, made) == LW_NODE_CALL
                        ? program_argument(t, made, "batch_size", 1)
                        : LW_NO_NODE;
    return made != LW_NO_NODE &&
           (text_is(lw_tree_text(t, size), "1") ||
            (text_is(calls_name(t, made), "DataLoader") && size == LW_NO_NODE) ||
            lw_tree_kind(t, made) != LW_NODE_CALL);
}

static void check_sum(struct ck *c, struct ck_file *f, uint32_t sum)
{
    const struct lw_tree *t = &f->tree;
    uint32_t loop = syntax_loop_around(t, sum);
    uint32_t target = lw_tree_get(t, sum, LW_ROLE_TARGET);
    uint32_t loader = loop == LW_NO_NODE ? loop : iterated(t, loop);
    bool named = lw_tree_kind(t, loader) == LW_NODE_NAME || syntax_is_of_self(t, loader);
    if (!named || lw_tree_kind(t, target) != LW_NODE_NAME ||
        !grows_by_sample(t, lw_tree_get(t, sum, LW_ROLE_VALUE)) ||
        has_single_batches(c, f, loader))
        return;
    uint32_t function = lw_tree_enclosing(t, sum, LW_NODE_FUNCTION);
    uint32_t top = function == LW_NO_NODE ? t->root : function;
    struct lw_str name = lw_tree_name(t, target), of = lw_tree_text(t, loader);
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false)) {
        if (lw_tree_start(t, n) < lw_tree_end(t, sum) || !divides(t, n, name, of))
            continue;
        ck_find_at(c, f, n, "training/average-over-batches", NULL, 0,
                   "'%.*s' is a sum over samples, but len(%.*s) is the number of batches: "
                   "divide by the number of samples, len(%.*s.dataset)",
                   LW_F(name), LW_F(of), LW_F(of));
        return;
    }
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *f = c->files.v[0];
    const struct lw_tree *t = &f->tree;
    (void)e;
    if (!program_has_name(c, "torch") || f->source.text.n > CALLS_MOST_TEXT)
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_AUG_ASSIGN)
            check_sum(c, f, n);
}

static void make_by_samples(struct fix *f)
{
    uint32_t length = fix_kind(f, f->node) == LW_NODE_BIN_OP
                          ? lw_tree_get(f->t, f->node, LW_ROLE_RIGHT)
                          : LW_NO_NODE;
    uint32_t loader = fix_is_call(f, length)
                          ? lw_tree_each(f->t, length, LW_ROLE_ARGS, LW_NO_NODE)
                          : LW_NO_NODE;
    if (loader == LW_NO_NODE)
        return;
    fix_say(f, "divide by the number of samples");
    fix_insert(f, lw_tree_end(f->t, loader), LW_S(".dataset"));
}

const struct ck_rule rules_training_averages[] = {
    {"training/average-over-batches", CK_EV_END, watch_end, make_by_samples},
    {0},
};
