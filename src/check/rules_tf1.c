/* Rules about the use of a graph of TensorFlow 1: dropout that is left on when it is tried. */
#include "base/str.h"
#include "check/look.h"
#include "check/rules.h"

enum { MAX_KEPT = 8 };

/* What was seen of the graph. */
struct graph {
    uint32_t keep[MAX_KEPT]; /* ids of placeholders of dropout */
    uint32_t keeps;
    struct ck_file *try_file;
    uint32_t tried;   /* a run without a training step that drops */
    bool tried_whole; /* one that does not */
};

static const char graph_key;

static struct graph *graph_of(struct ck *c)
{
    return ck_state(c, &graph_key, sizeof(struct graph));
}

static void watch_call(struct ck *c, const struct ck_event *e)
{
    struct graph *g = graph_of(c);
    if (!g)
        return;
    if (lw_str_has_suffix(e->call->name, LW_S("tensorflow.nn.dropout"))) {
        struct lw_value keep = ck_arg(e->call, 1, "keep_prob");
        const struct ck_origin *o = ck_origin_of(c, keep);
        if (keep.kind == LW_V_TENSOR && g->keeps < MAX_KEPT && o &&
            look_is(look_tail(o->op), "placeholder"))
            g->keep[g->keeps++] = keep.tensor->id;
    }
}

/* Are only values asked for, no operation that trains? */
static bool only_looks(struct ck *c, struct lw_value fetched)
{
    struct lw_seq seq = {.items = &fetched, .n = 1};
    if (fetched.kind != LW_V_TENSOR && (!ck_sequence(c, fetched, &seq) || seq.n == 0))
        return false;
    for (uint32_t i = 0; i < seq.n; i++)
        if (seq.items[i].kind != LW_V_TENSOR)
            return false;
    return true;
}

/* Does the run feed the share that is kept? Of an unknown feed that is taken to be 1. */
static bool feeds_share(struct ck *c, const struct graph *g, struct lw_value fed, double *share)
{
    const struct lw_dict *feed;
    *share = 1;
    if (fed.kind == LW_V_ABSENT || fed.kind == LW_V_NONE)
        return false;
    if (!ck_pairs(fed, &feed))
        return true;
    for (uint32_t i = 0; i < feed->n; i++)
        for (uint32_t k = 0; k < g->keeps; k++)
            if (feed->keys[i].kind == LW_V_TENSOR && feed->keys[i].tensor->id == g->keep[k]) {
                if (!ck_number_of(c, feed->values[i], share))
                    *share = 1;
                return true;
            }
    return false;
}

static void watch_run(struct ck *c, const struct ck_event *e)
{
    struct graph *g = graph_of(c);
    double share;
    if (!g || !g->keeps || !feeds_share(c, g, ck_arg(e->call, 1, "feed_dict"), &share))
        return;
    if (share >= 1) {
        g->tried_whole = true;
    } else if (only_looks(c, e->a) && !g->try_file) {
        g->try_file = c->frame->file;
        g->tried = e->node;
    }
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    const struct graph *g = graph_of(c);
    (void)e;
    if (g && g->try_file && !g->tried_whole)
        ck_find_at(c, g->try_file, g->tried, "training/dropout-always-on", NULL, 0,
                   "the network is tried with dropout on, and no run feeds 1: what is measured "
                   "is a network with units missing at random");
}

const struct ck_rule ck_rules_tf1[] = {
    {CK_EV_CALL, watch_call},
    {CK_EV_SESSION_RUN, watch_run},
    {CK_EV_END, watch_end},
    {0, NULL},
};
