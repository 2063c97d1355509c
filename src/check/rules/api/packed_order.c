/* Rules about pack_padded_sequence(), which wants the longest sequence first. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/program.h"
#include "check/query/trace.h"
#include "check/rules/rules.h"

/* Does anything in the program bring sequences in order? */
static bool is_sorted_somewhere(struct ck *c)
{
    static const char *const sorts[] = {
        "sort",    "sorted",     "argsort",        "topk",           "pack_sequence",
        "lexsort", "sort_batch", "BucketIterator", "sort_by_length", "sort_sequences"};
    return program_calls(c, sorts, sizeof sorts / sizeof *sorts);
}

/* Are the lengths counted here, in the order of the batch: a sum over a mask, len() of each? */
static bool are_counted(struct ck *c, struct ck_file *f, uint32_t lengths)
{
    static const char *const same[] = {"cpu", "tolist", "to", "long", "int", "numpy"};
    static const char *const counts[] = {"sum", "tensor", "LongTensor", "as_tensor"};
    uint32_t made = trace_through(c, f, lengths, same, sizeof same / sizeof *same);
    if (lw_tree_kind(&f->tree, lw_tree_get(&f->tree, made, LW_ROLE_ARGS)) == LW_NODE_LIST)
        return false; /* written out */
    return lw_tree_kind(&f->tree, made) == LW_NODE_LIST_COMP ||
           (lw_tree_kind(&f->tree, made) == LW_NODE_CALL &&
            text_is_any(syntax_called_name(&f->tree, made), counts,
                        sizeof counts / sizeof *counts));
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    enum { MOST_CALLS = 32 };
    static const char *const loaders[] = {"DataLoader"};
    (void)e;
    struct ck_file *f = c->files.v[0];
    const struct lw_tree *t = &f->tree;
    struct places_list calls = program_calls_of(c, "pack_padded_sequence");
    if (!calls.n || is_sorted_somewhere(c))
        return;
    for (size_t i = 0; i < calls.n && i < MOST_CALLS; i++) {
        uint32_t lengths = program_argument(t, calls.v[i], "lengths", 1);
        if (lengths == LW_NO_NODE ||
            program_argument(t, calls.v[i], "enforce_sorted", 3) != LW_NO_NODE ||
            (!are_counted(c, f, lengths) && !program_calls(c, loaders, 1)))
            continue;
        ck_find_at(c, f, calls.v[i], "api/unsorted-lengths", NULL, 0,
                   "nothing sorts the sequences by length, and without that this call fails "
                   "for most batches: use enforce_sorted=False");
    }
}

const struct ck_rule rules_api_packed_order[] = {
    {"api/unsorted-lengths", CK_EV_END, watch_end},
    {0},
};
