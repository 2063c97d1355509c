/* Rules about the order of steps of a tf.data pipeline. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/program.h"
#include "check/query/trace.h"
#include "check/rules/rules.h"

enum { MOST_STEPS = 32, MOST_CALLS = 128 };

/* The data set that a step of a pipeline is called on: of x.map(f) x; through names. */
static uint32_t step_before(struct ck *c, struct ck_file *f, uint32_t call)
{
    const struct lw_tree *t = &f->tree;
    uint32_t owner = lw_tree_kind(t, call) == LW_NODE_CALL ? syntax_owner(t, call) : LW_NO_NODE;
    if (owner == LW_NO_NODE || trace_library(c, f, owner).n)
        return LW_NO_NODE;
    return trace_value(c, f, owner);
}

/* Is it data of TensorFlow: what a function of tf.data or tensorflow_datasets gives? */
static bool is_dataset(struct ck *c, struct ck_file *f, uint32_t call)
{
    struct lw_str name = lw_tree_kind(&f->tree, call) == LW_NODE_CALL ? trace_called(c, f, call)
                                                                      : (struct lw_str){0};
    return lw_str_has_prefix(name, LW_S("tensorflow.data.")) ||
           lw_str_has_prefix(name, LW_S("tensorflow_datasets."));
}

static void look_at_shuffle(struct ck *c, struct ck_file *f, uint32_t shuffle)
{
    static const char *const back[] = {"unbatch", "flat_map", "interleave", "window"};
    static const char *const batches[] = {"batch", "padded_batch"};
    const struct lw_tree *t = &f->tree;
    bool batched = false, pipeline = false;
    uint32_t step = step_before(c, f, shuffle);
    for (unsigned i = 0; i < MOST_STEPS && lw_tree_kind(t, step) == LW_NODE_CALL; i++) {
        struct lw_str name = syntax_called_name(t, step);
        if (text_is_any(name, back, sizeof back / sizeof *back) || text_is(name, "shuffle"))
            return;
        batched |= text_is_any(name, batches, 2);
        pipeline |= text_is(name, "prefetch") || text_is(name, "map");
        if (is_dataset(c, f, step)) {
            pipeline = true;
            break;
        }
        step = step_before(c, f, step);
    }
    if (!batched || !pipeline)
        return;
    ck_find_at(c, f, shuffle, "data/shuffled-batches", NULL, 0,
               "shuffle() comes after batch(), so each batch holds the same samples in every "
               "epoch: call shuffle() before batch()");
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    struct places_list calls = program_calls_of(c, "shuffle");
    for (size_t i = 0; i < calls.n && i < MOST_CALLS; i++)
        look_at_shuffle(c, c->files.v[0], calls.v[i]);
}

const struct ck_rule rules_data_shuffled_batches[] = {
    {"data/shuffled-batches", CK_EV_END, watch_end},
    {0},
};
