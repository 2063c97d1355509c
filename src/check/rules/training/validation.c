/* Training data that is taken for validation or tests. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/places.h"
#include "check/rules/rules.h"

/* ---- of fit() ------------------------------------------------------------------------------
 */

static uint32_t node_of_arg(const struct lw_tree *t, const struct ck_call *call,
                            size_t position, const char *name)
{
    uint32_t node = LW_NO_NODE;
    for (size_t i = 0; i < call->n && node == LW_NO_NODE; i++)
        if (call->args[i].name.n ? text_is(call->args[i].name, name) : i == position)
            node = call->args[i].node;
    return node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_KEYWORD
               ? lw_tree_get(t, node, LW_ROLE_VALUE)
               : node;
}

/* validation_data=(x, y) of fit(x, y). */
static void watch_validation(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t pair = node_of_arg(t, e->call, 7, "validation_data");
    uint32_t x = node_of_arg(t, e->call, 0, "x"), y = node_of_arg(t, e->call, 1, "y");
    if (pair == LW_NO_NODE || x == LW_NO_NODE || y == LW_NO_NODE ||
        lw_tree_kind(t, pair) != LW_NODE_TUPLE)
        return;
    uint32_t first = lw_tree_each(t, pair, LW_ROLE_ELTS, LW_NO_NODE);
    uint32_t second = first == LW_NO_NODE ? first : lw_tree_each(t, pair, LW_ROLE_ELTS, first);
    if (second == LW_NO_NODE || !lw_str_eq(lw_tree_text(t, first), lw_tree_text(t, x)) ||
        !lw_str_eq(lw_tree_text(t, second), lw_tree_text(t, y)))
        return;
    ck_find(c, pair, "training/validation-is-training", NULL, 0,
            "the validation data is the training data, so it cannot show overfitting: hold a "
            "part back, for example with validation_split");
}

/* ---- of data sets that come in two parts ---------------------------------------------------
 */

/* datasets.MNIST(…, train=True) */
static bool is_training_part(const struct lw_tree *t, uint32_t call)
{
    uint32_t func = lw_tree_get(t, call, LW_ROLE_FUNC);
    if (func == LW_NO_NODE || !text_says(lw_tree_text(t, func), "datasets."))
        return false;
    for (uint32_t k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, k))
        if (text_is(lw_tree_name(t, k), "train"))
            return text_is(lw_tree_text(t, lw_tree_get(t, k, LW_ROLE_VALUE)), "True");
    return false;
}

/* The variable that keeps it, or a loader of it. */
static struct lw_str kept_in(const struct lw_tree *t, uint32_t call)
{
    uint32_t s = lw_tree_statement(t, call);
    uint32_t target =
        lw_tree_kind(t, s) == LW_NODE_ASSIGN ? lw_tree_get(t, s, LW_ROLE_TARGETS) : LW_NO_NODE;
    return target == LW_NO_NODE ? (struct lw_str){0} : text_tail(lw_tree_text(t, target));
}

/* test_set = MNIST(root, train=True): what is called the test set is the part for training,
 * which another name has, too. */
static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    (void)e;
    if (!ck_file_shows(c, file, "keyword train=True") ||
        !ck_file_shows(c, file, "name *torch*") ||
        ck_file_shows(c, file, "keyword train=False") ||
        ck_file_shows(c, file, "name *Subset*") ||
        ck_file_shows(c, file, "name *random_split*") ||
        ck_file_shows(c, file, "name *ampler*") ||
        places_of(c, file, PLACES_SLICE, (struct lw_str){0}).n)
        return;
    uint32_t training = LW_NO_NODE, testing = LW_NO_NODE;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_CALL || !is_training_part(t, n))
            continue;
        struct lw_str name = kept_in(t, n);
        if (text_says(name, "train"))
            training = n;
        else if (text_says(name, "test"))
            testing = n;
    }
    if (training == LW_NO_NODE || testing == LW_NO_NODE ||
        !lw_str_eq(lw_tree_text(t, lw_tree_get(t, training, LW_ROLE_FUNC)),
                   lw_tree_text(t, lw_tree_get(t, testing, LW_ROLE_FUNC))))
        return;
    ck_find_at(c, file, testing, "training/validation-is-training", NULL, 0,
               "'%.*s' is the training part, on which the model was trained: use train=False",
               LW_F(kept_in(t, testing)));
}

const struct ck_rule rules_training_validation[] = {
    {"training/validation-is-training", CK_EV_FIT, watch_validation},
    {"training/validation-is-training", CK_EV_END, watch_end},
    {0},
};
