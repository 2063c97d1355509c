/*
 * test_set = MNIST(root, train=True): what is called the test set of a data set that comes in
 * two parts is the part for training, which another name has, too.
 */
#include "base/str.h"
#include "check/look.h"
#include "check/rules.h"

/* datasets.MNIST(…, train=True) */
static bool is_training_part(const struct lw_tree *t, uint32_t call)
{
    uint32_t func = lw_tree_get(t, call, LW_ROLE_FUNC);
    if (func == LW_NO_NODE || !look_says(lw_tree_text(t, func), "datasets."))
        return false;
    for (uint32_t k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, k))
        if (look_is(lw_tree_name(t, k), "train"))
            return look_is(lw_tree_text(t, lw_tree_get(t, k, LW_ROLE_VALUE)), "True");
    return false;
}

/* The variable that keeps it, or a loader of it. */
static struct lw_str kept_in(const struct lw_tree *t, uint32_t call)
{
    uint32_t s = lw_tree_statement(t, call);
    uint32_t target =
        lw_tree_kind(t, s) == LW_NODE_ASSIGN ? lw_tree_get(t, s, LW_ROLE_TARGETS) : LW_NO_NODE;
    return target == LW_NO_NODE ? (struct lw_str){0} : look_tail(lw_tree_text(t, target));
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    struct lw_str text = file->source.text;
    (void)e;
    if (!look_says(text, "train=True") || look_says(text, "train=False") ||
        look_says(text, "Subset") || look_says(text, "random_split") ||
        look_says(text, "ampler") || look_says(text, "[:") || !look_says(text, "torch"))
        return;
    uint32_t training = LW_NO_NODE, testing = LW_NO_NODE;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_CALL || !is_training_part(t, n))
            continue;
        struct lw_str name = kept_in(t, n);
        if (look_says(name, "train"))
            training = n;
        else if (look_says(name, "test"))
            testing = n;
    }
    if (training == LW_NO_NODE || testing == LW_NO_NODE ||
        !lw_str_eq(lw_tree_text(t, lw_tree_get(t, training, LW_ROLE_FUNC)),
                   lw_tree_text(t, lw_tree_get(t, testing, LW_ROLE_FUNC))))
        return;
    ck_find_at(c, file, testing, "training/validation-is-training", NULL, 0,
               "'%.*s' is the part for training, with which the model is trained: take "
               "train=False",
               LW_F(kept_in(t, testing)));
}

const struct ck_rule ck_rules_split[] = {
    {CK_EV_END, watch_end},
    {0, NULL},
};
