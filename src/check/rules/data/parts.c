/*
 * Rules about the parts that data is split into, by the names that programs give them: what is
 * trained on the test part, inputs of one part with labels of the other, and results of a split
 * that are unpacked in another order than they come.
 *
 * The data mostly comes from files, so that sizes do not tell the parts apart; their names do.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/roles.h"
#include "check/rules/rules.h"

static uint32_t argument(const struct lw_tree *t, const struct ck_call *call, size_t position,
                         const char *name)
{
    for (size_t i = 0; i < call->n; i++)
        if (call->args[i].name.n ? text_is(call->args[i].name, name) : i == position) {
            uint32_t node = call->args[i].node;
            return node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_KEYWORD
                       ? lw_tree_get(t, node, LW_ROLE_VALUE)
                       : node;
        }
    return LW_NO_NODE;
}

/* ---- inputs of one part, labels of the other ----------------------------------------------
 */

static bool check_pair(struct ck *c, uint32_t x, uint32_t y)
{
    const struct lw_tree *t = &c->frame->file->tree;
    enum role of_x = role_of_name(c, t, x), of_y = role_of_name(c, t, y);
    if (of_x == ROLE_NONE || of_y == ROLE_NONE || of_x == of_y)
        return false;
    ck_find(c, y, "data/parts-mixed", NULL, 0,
            "'%.*s' is from the %s part, but '%.*s' is from the %s part: the labels belong to "
            "other rows than the inputs",
            LW_F(lw_tree_name(t, x)), of_x == ROLE_TEST ? "test" : "training",
            LW_F(lw_tree_name(t, y)), of_y == ROLE_TEST ? "test" : "training");
    return true;
}

static void watch_pairs(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t pair = argument(t, e->call, 7, "validation_data");
    check_pair(c, argument(t, e->call, 0, "x"), argument(t, e->call, 1, "y"));
    if (pair == LW_NO_NODE || lw_tree_kind(t, pair) != LW_NODE_TUPLE)
        return;
    uint32_t x = lw_tree_each(t, pair, LW_ROLE_ELTS, LW_NO_NODE);
    check_pair(c, x, x == LW_NO_NODE ? x : lw_tree_each(t, pair, LW_ROLE_ELTS, x));
}

/* ---- trained on the test part -------------------------------------------------------------
 */

/* The first name in the file that is the training data to this test data, and whether a model
 * gets it. */
static uint32_t counterpart(const struct lw_tree *t, struct lw_str name, bool *trained)
{
    static const char *const fits[] = {"fit", "fit_generator", "train_on_batch", "partial_fit"};
    uint32_t found = LW_NO_NODE;
    *trained = false;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_NAME ||
            !role_is_counterpart(lw_tree_name(t, n), name))
            continue;
        found = found == LW_NO_NODE ? n : found;
        uint32_t call = lw_tree_enclosing(t, n, LW_NODE_CALL);
        uint32_t f = call == LW_NO_NODE ? call : lw_tree_get(t, call, LW_ROLE_FUNC);
        *trained |= f != LW_NO_NODE && lw_tree_kind(t, f) == LW_NODE_ATTRIBUTE &&
                    text_is_any(lw_tree_name(t, f), fits, 4);
    }
    return found;
}

static void watch_test_part(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t x = argument(t, e->call, 0, "x"), y = argument(t, e->call, 1, "y");
    bool trained;
    if (role_of_name(c, t, x) != ROLE_TEST || role_of_name(c, t, y) == ROLE_TRAINING ||
        c->frame->guarded)
        return;
    uint32_t other = counterpart(t, lw_tree_name(t, x), &trained);
    if (other == LW_NO_NODE || trained)
        return;
    ck_find(c, x, "data/trained-on-test", NULL, 0,
            "the model is trained on the test data '%.*s', and no model is trained on '%.*s': "
            "train on '%.*s'",
            LW_F(lw_tree_name(t, x)), LW_F(lw_tree_name(t, other)),
            LW_F(lw_tree_name(t, other)));
}

/* ---- the answer among the inputs ----------------------------------------------------------
 */

/* Columns of a table, as in t[:, 0:8] and t[:, 8]. */
struct columns {
    struct lw_str table;
    long from, to; /* behind the last */
};

static struct lw_str spaces_cut(struct lw_str s)
{
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\n'))
        s = lw_str_from(s, 1);
    return s;
}

static bool cut_number(struct lw_str *s, long *out)
{
    size_t n = 0;
    *s = spaces_cut(*s);
    for (*out = 0; n < s->n && n < 6 && s->p[n] >= '0' && s->p[n] <= '9'; n++)
        *out = *out * 10 + (s->p[n] - '0');
    *s = spaces_cut(lw_str_from(*s, n));
    return n > 0;
}

static bool cut_char(struct lw_str *s, char ch)
{
    *s = spaces_cut(*s);
    if (!s->n || s->p[0] != ch)
        return false;
    *s = spaces_cut(lw_str_from(*s, 1));
    return true;
}

static bool columns_of(const struct lw_tree *t, uint32_t node, struct columns *out)
{
    if (node == LW_NO_NODE || lw_tree_kind(t, node) != LW_NODE_SUBSCRIPT)
        return false;
    uint32_t table = lw_tree_get(t, node, LW_ROLE_VALUE);
    out->table = lw_tree_text(t, table);
    struct lw_str rest = lw_str_from(lw_tree_text(t, node), out->table.n);
    if (!cut_char(&rest, '[') || !cut_char(&rest, ':') || !cut_char(&rest, ','))
        return false;
    bool given = cut_number(&rest, &out->from);
    if (!cut_char(&rest, ':'))
        return given && (out->to = out->from + 1, cut_char(&rest, ']'));
    return cut_number(&rest, &out->to) && cut_char(&rest, ']');
}

/* The subscript that an assignment takes, below .values, .astype() and the like. */
static uint32_t taken(const struct lw_tree *t, uint32_t assign)
{
    uint32_t n = lw_tree_get(t, assign, LW_ROLE_VALUE);
    for (unsigned i = 0; i < 4 && n != LW_NO_NODE; i++) {
        if (lw_tree_kind(t, n) == LW_NODE_SUBSCRIPT)
            return n;
        if (lw_tree_kind(t, n) == LW_NODE_CALL)
            n = lw_tree_get(t, n, LW_ROLE_FUNC);
        else if (lw_tree_kind(t, n) == LW_NODE_ATTRIBUTE)
            n = lw_tree_get(t, n, LW_ROLE_VALUE);
        else
            break;
    }
    return LW_NO_NODE;
}

/* X = t[:, 0:9] and, right behind it, y = t[:, 8]. */
static void check_answer(struct ck *c, struct ck_file *file, uint32_t assign, uint32_t before)
{
    const struct lw_tree *t = &file->tree;
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    struct columns y, x;
    if (target == LW_NO_NODE || lw_tree_kind(t, target) != LW_NODE_NAME ||
        !role_is_named(c, lw_tree_name(t, target), ROLE_LABEL) ||
        !columns_of(t, taken(t, assign), &y) || y.to != y.from + 1 || before == LW_NO_NODE ||
        !columns_of(t, taken(t, before), &x) || !lw_str_eq(x.table, y.table) ||
        y.from < x.from || y.from >= x.to || x.to - x.from < 2)
        return;
    ck_find_at(c, file, before, "data/target-among-inputs", NULL, 0,
               "column %ld is the target, but it is also among the inputs (columns %ld to "
               "%ld), so the network only has to copy it: remove it from the inputs",
               y.from, x.from, x.to - 1);
}

static void watch_columns(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    uint32_t before = LW_NO_NODE;
    (void)e;
    if (!look_reads_names(c))
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN) {
            check_answer(c, file, n, before);
            before = n;
        }
}

/* ---- parts in another order ---------------------------------------------------------------
 */

enum { MAX_PARTS = 4 };

/* x_train, y_train, x_test, y_test = train_test_split(x, y) */
static void watch_split(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t assign = e->node == LW_NO_NODE ? e->node : lw_tree_parent(t, e->node);
    if (!lw_str_has_suffix(e->call->name, LW_S("sklearn.model_selection.train_test_split")) ||
        assign == LW_NO_NODE || lw_tree_kind(t, assign) != LW_NODE_ASSIGN)
        return;
    uint32_t targets = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    enum role parts[MAX_PARTS] = {ROLE_NONE};
    size_t n = 0;
    for (uint32_t k = lw_tree_each(t, targets, LW_ROLE_ELTS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, targets, LW_ROLE_ELTS, k), n++)
        if (n < MAX_PARTS)
            parts[n] = role_of_name(c, t, k);
    bool in_pairs = n == 4 && parts[0] == ROLE_TRAINING && parts[1] == ROLE_TRAINING &&
                    parts[2] == ROLE_TEST && parts[3] == ROLE_TEST;
    bool turned = (n == 4 || n == 2) && parts[0] == ROLE_TEST && parts[1] == ROLE_TRAINING;
    if (in_pairs)
        ck_find(c, targets, "data/split-order", NULL, 0,
                "train_test_split() returns both parts of the first array, then both of the "
                "second: write x_train, x_test, y_train, y_test");
    else if (turned)
        ck_find(c, targets, "data/split-order", NULL, 0,
                "train_test_split() returns the training part first, but here the first name "
                "is that of the test part: swap the names");
}

const struct ck_rule rules_data_parts[] = {
    {"data/parts-mixed", CK_EV_FIT | CK_EV_PREDICT, watch_pairs},
    {"data/trained-on-test", CK_EV_FIT, watch_test_part},
    {"data/split-order", CK_EV_CALL, watch_split, .calls = ".train_test_split"},
    {"data/target-among-inputs", CK_EV_END, watch_columns},
    {0},
};
