/* Dropout that stays on when the network is tried or used. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/query/look.h"
#include "check/query/trace.h"
#include "check/rules/rules.h"

/* ---- whatever the mode of a module ---------------------------------------------------------
 */

static bool has_star(const struct ck_call *call)
{
    for (size_t i = 0; i < call->n; i++)
        if (call->args[i].star)
            return true;
    return false;
}

static uint32_t node_of(const struct lw_tree *t, const struct ck_call *call, const char *name)
{
    for (size_t i = 0; i < call->n; i++)
        if (text_is(call->args[i].name, name))
            return lw_tree_kind(t, call->args[i].node) == LW_NODE_KEYWORD
                       ? lw_tree_get(t, call->args[i].node, LW_ROLE_VALUE)
                       : call->args[i].node;
    return LW_NO_NODE;
}

/* Is dropout to be off at some time? Where a file only defines modules, whoever trains them
 * stands elsewhere, and calls eval() there. */
static bool is_judged_without(struct ck *c)
{
    return (ck_shows(c, "call eval()") || !ck_shows(c, "call .backward")) &&
           !ck_shows(c, "name *onte*") && !ck_shows(c, "name *uncertain*") &&
           !ck_shows(c, "name *MC*");
}

/* F.dropout(x) drops whatever the mode of the module is, and so does the attention function.
 * Outside of modules there is no mode; where nothing calls eval() it makes no difference. */
static void watch_dropout(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"dropout", "dropout1d", "dropout2d", "dropout3d",
                                        "alpha_dropout"};
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_object *self = ck_as(c->frame->self, CK_INSTANCE);
    struct lw_str name = text_tail(e->call->name);
    bool attention = text_is(name, "scaled_dot_product_attention");
    double p = 0;
    if (!lw_str_has_prefix(e->call->name, LW_S("torch.nn.functional.")) ||
        (!attention && !text_is_any(name, names, 5)) || !self || !ck_is_torch_module(c, self) ||
        has_star(e->call) || !is_judged_without(c) ||
        trace_is_below_test(t, e->node, lw_tree_enclosing(t, e->node, LW_NODE_FUNCTION),
                            LW_S("self.training")))
        return;
    if (!attention) {
        struct lw_value rate = ck_arg(e->call, 1, "p");
        if (ck_arg(e->call, 2, "training").kind != LW_V_ABSENT ||
            (ck_number_of(c, rate, &p) && p == 0))
            return;
        ck_find(
            c, e->node, "training/dropout-always-on", NULL, 0,
            "this dropout does not follow the mode of the module: eval() does not turn it off, "
            "and predictions stay random; pass training=self.training, or use nn.Dropout");
        return;
    }
    uint32_t given = node_of(t, e->call, "dropout_p");
    if (given == LW_NO_NODE || !ck_number_of(c, ck_arg(e->call, 4, "dropout_p"), &p) ||
        p <= 0 || lw_str_find(lw_tree_text(t, given), LW_S("training")) != LW_NPOS)
        return;
    ck_find(c, e->node, "training/dropout-always-on", NULL, 0,
            "the attention drops %g of its weights even after eval(): pass dropout_p only "
            "while self.training is true",
            p);
}

/* x = nn.Dropout(0.5)(x) in forward(): made anew each time, it is always in training mode. */
static void watch_new_dropout(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *o = e->object, *self = ck_as(c->frame->self, CK_INSTANCE);
    if (!o || o->of || !o->api || !text_is(lw_api_fact(o->api, "role"), "dropout") || !self ||
        !ck_is_torch_module(c, self) || !c->frame->function || o->file != c->frame->file ||
        text_is(c->frame->function->name, "__init__") ||
        !lw_str_has_prefix(o->api->name, LW_S("torch.nn.Dropout")) ||
        !syntax_inside(&o->file->tree, o->node, c->frame->function->node) ||
        !is_judged_without(c))
        return;
    struct lw_str text =
        lw_tree_text(&o->file->tree, lw_tree_statement(&o->file->tree, o->node));
    if (lw_str_find(text, LW_S("training")) != LW_NPOS)
        return;
    ck_find(c, e->node, "training/dropout-always-on", NULL, 0,
            "a Dropout layer created in forward() is always in training mode: eval() does not "
            "turn it off, and predictions stay random; create it in __init__()");
}

/* ---- fixed in a graph of TensorFlow 1 ------------------------------------------------------
 */

enum { MAX_DROPS = 16 };

struct drops {
    struct {
        struct ck_file *file;
        uint32_t node;
        bool varies; /* it was off once, or is not known */
    } v[MAX_DROPS];
    size_t n;
};

static const char drops_key;

/* Is a part dropped whatever happens? YES, NO, or not known. */
static lw_tri drops(struct ck *c, const struct ck_call *call)
{
    static const char *const params[] = {"rate", "keep_prob", "input_keep_prob",
                                         "output_keep_prob", "state_keep_prob"};
    lw_tri is = LW_TRI_NO;
    for (size_t i = 0; i < sizeof params / sizeof *params; i++) {
        struct lw_value v = ck_arg(call, i < 2 ? 1 : SIZE_MAX, params[i]);
        double x;
        if (v.kind == LW_V_ABSENT || v.kind == LW_V_NONE)
            continue;
        if (!ck_number_of(c, v, &x))
            return LW_TRI_MAYBE;
        if (x > 0 && x < 1)
            is = LW_TRI_YES;
    }
    return is;
}

static void watch_drop(struct ck *c, const struct ck_event *e)
{
    bool function = lw_str_eq(e->call->name, LW_S("tensorflow.nn.dropout"));
    struct drops *s = ck_state(c, &drops_key, sizeof *s);
    if (!s || (!function && !lw_str_has_suffix(e->call->name, LW_S(".DropoutWrapper"))) ||
        e->call->self.kind == CK_INSTANCE)
        return;
    bool varies = drops(c, e->call) != LW_TRI_YES || c->frame->uncertain;
    for (size_t i = 0; i < s->n; i++)
        if (s->v[i].file == c->frame->file && s->v[i].node == e->node) {
            s->v[i].varies |= varies;
            return;
        }
    if (s->n == MAX_DROPS)
        return;
    s->v[s->n].file = c->frame->file;
    s->v[s->n].node = e->node;
    s->v[s->n++].varies = varies;
}

/* One graph for training and for the answers. */
static void watch_fixed(struct ck *c, const struct ck_event *e)
{
    static const char *const modes[] = {"name *is_train*", "name *isTrain*", "keyword training",
                                        "name *phase*", "name mode"};
    static const char *const judged[] = {"name *accuracy*", "name *predict*", "name *test*",
                                         "name *valid*"};
    struct drops *s = ck_state(c, &drops_key, sizeof *s);
    (void)e;
    if (!s || !s->n || !ck_shows(c, "call *Session") || !ck_shows(c, "call .minimize") ||
        ck_shows_any(c, modes, sizeof modes / sizeof *modes) ||
        !ck_shows_any(c, judged, sizeof judged / sizeof *judged))
        return;
    for (size_t i = 0; i < s->n; i++)
        if (!s->v[i].varies)
            ck_find_at(c, s->v[i].file, s->v[i].node, "training/dropout-always-on", NULL, 0,
                       "the dropout rate is fixed in the graph, so units are dropped at "
                       "inference too: make it a placeholder, and feed the value that keeps "
                       "all units at inference");
}

/* ---- fed to a graph of TensorFlow 1 --------------------------------------------------------
 */

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
            text_is(text_tail(o->op), "placeholder"))
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
                   "the network is evaluated with dropout active, because no run() feeds a "
                   "keep probability of 1: feed 1 for the evaluation");
}

const struct ck_rule rules_training_dropout[] = {
    {"training/dropout-always-on", CK_EV_CALL, watch_dropout, .calls = "torch.nn.functional.*"},
    {"training/dropout-always-on", CK_EV_LAYER, watch_new_dropout},
    {"training/dropout-always-on", CK_EV_CALL, watch_drop,
     .calls = "tensorflow.nn.dropout .DropoutWrapper"},
    {"training/dropout-always-on", CK_EV_END, watch_fixed},
    {"training/dropout-always-on", CK_EV_CALL, watch_call, .calls = "*tensorflow.nn.dropout"},
    {"training/dropout-always-on", CK_EV_SESSION_RUN, watch_run},
    {"training/dropout-always-on", CK_EV_END, watch_end},
    {0},
};
