/*
 * Rules about which way is better: scores that a schedule or callback takes for losses, and a
 * generator that is trained to be found out.
 */
#include "base/str.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/query/calls.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/query/program.h"
#include "check/rules/rules.h"

/* ---- scores and losses ----------------------------------------------------------------------
 */

/* Is a part of the name, between underscores, one of the words? */
static bool has_part(struct lw_str name, const char *const *words, size_t n)
{
    struct lw_str part;
    while (lw_str_split(&name, '_', &part))
        if (text_is_any(part, words, n))
            return true;
    return false;
}

enum way { WAY_UNKNOWN, WAY_UP, WAY_DOWN };

/* Which way a figure of this name gets better. */
static enum way way_of(struct lw_str name)
{
    static const char *const up[] = {"acc",  "accuracy", "f1",   "auc",    "dice",     "iou",
                                     "miou", "map",      "bleu", "recall", "precision"};
    static const char *const down[] = {"loss", "error", "mse", "mae", "rmse", "perplexity"};
    bool rises = has_part(name, up, sizeof up / sizeof *up);
    bool falls = has_part(name, down, sizeof down / sizeof *down);
    return rises == falls ? WAY_UNKNOWN : rises ? WAY_UP : WAY_DOWN;
}

static void report_way(struct ck *c, struct ck_file *f, uint32_t node, struct lw_str name,
                       bool up)
{
    ck_find_at(c, f, node, "training/monitor-direction", NULL, 0,
               "a %s '%.*s' is better, but here the %s value counts as better: pass mode='%s'",
               up ? "larger" : "smaller", LW_F(name), up ? "smaller" : "larger",
               up ? "max" : "min");
}

/* The mode that a call says: WAY_UNKNOWN where it says none, or not in plain text. */
static enum way said_mode(const struct lw_tree *t, uint32_t call, bool *given)
{
    uint32_t mode = syntax_keyword(t, call, LW_S("mode"));
    *given = mode != LW_NO_NODE;
    return text_is(program_text(t, mode), "min")   ? WAY_DOWN
           : text_is(program_text(t, mode), "max") ? WAY_UP
                                                   : WAY_UNKNOWN;
}

/* EarlyStopping(monitor="val_acc"), of Lightning without a mode: the smaller is better. */
static void watch_callback(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"EarlyStopping", "ModelCheckpoint"};
    const struct lw_api *api = e->call->api;
    if (!api || api->kind != LW_API_CALLBACK || !text_is_any(text_tail(api->name), names, 2))
        return;
    struct lw_value monitor = ck_slot_value(e->call, "monitor");
    struct lw_value mode = ck_slot_value(e->call, "mode");
    if (monitor.kind != LW_V_STR || !monitor.str.p || mode.kind != LW_V_STR || !mode.str.p)
        return;
    enum way meant = way_of(monitor.str);
    bool down = text_is(mode.str, "min"), up = text_is(mode.str, "max");
    if ((meant == WAY_UP && down) || (meant == WAY_DOWN && up))
        report_way(c, c->frame->file, e->node, monitor.str, meant == WAY_UP);
}

/* The call that made what the name holds: scheduler of scheduler.step(); LW_NO_NODE. */
static uint32_t maker_of(const struct lw_tree *t, struct lw_str name, struct places_list made)
{
    for (size_t i = 0; i < made.n; i++) {
        uint32_t s = lw_tree_statement(t, made.v[i]);
        if (lw_tree_kind(t, s) == LW_NODE_ASSIGN &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, s, LW_ROLE_TARGETS)), name))
            return made.v[i];
    }
    return LW_NO_NODE;
}

/* scheduler = ReduceLROnPlateau(optimizer), scheduler.step(val_acc) */
static void watch_plateaus(struct ck *c, const struct ck_event *e)
{
    (void)e;
    const struct lw_tree *t = &c->files.v[0]->tree;
    struct places_list made = program_calls_of(c, "ReduceLROnPlateau");
    struct places_list steps = program_calls_of(c, "step");
    for (size_t i = 0; made.n && i < steps.n; i++) {
        uint32_t maker = maker_of(t, lw_tree_text(t, syntax_owner(t, steps.v[i])), made);
        uint32_t figure = lw_tree_each(t, steps.v[i], LW_ROLE_ARGS, LW_NO_NODE);
        if (maker == LW_NO_NODE || lw_tree_kind(t, figure) != LW_NODE_NAME)
            continue;
        bool given;
        enum way meant = way_of(lw_tree_name(t, figure)), said = said_mode(t, maker, &given);
        if (!given && program_argument(t, maker, "mode", 1) == LW_NO_NODE)
            said = WAY_DOWN;
        if (meant != WAY_UNKNOWN && said != WAY_UNKNOWN && meant != said)
            report_way(c, c->files.v[0], maker, lw_tree_name(t, figure), meant == WAY_UP);
    }
}

/* ---- a generator and its judge
 * ----------------------------------------------------------------
 */

/* What the judge is told about made samples: the network that made them, and the label. */
struct judged {
    const struct ck_object *maker;
    double label;
};

static const char judged_key;

struct trail {
    const struct ck_object *cut_maker; /* of what detach() was called of */
    const struct ck_object *maker;     /* looked for, */
    bool made_by;                      /* and on the way */
    struct ck *c;
};

static bool visit_trail(void *data, struct lw_value v, const struct ck_origin *o)
{
    struct trail *w = data;
    (void)v;
    if (o && o->in_count && text_is(text_tail(o->op), "detach")) {
        const struct ck_origin *from = ck_origin_of(w->c, o->in[0]);
        if (from && from->layer)
            w->cut_maker = from->layer;
        return true;
    }
    if (o && o->layer && o->layer == w->maker)
        w->made_by = true;
    return true;
}

/* Labels that are all 0 or all 1. */
static bool is_label(struct lw_value v, double *out)
{
    const struct lw_tensor *t = ck_tensor_of(v);
    if (!lineage_known_range(t) || t->range.lo != t->range.hi)
        return false;
    *out = t->range.lo;
    return *out == 0 || *out == 1;
}

/* bce(d(fake.detach()), zeros), and later bce(d(fake), zeros) for the generator. */
static void watch_judge(struct ck *c, const struct ck_event *e)
{
    struct lw_value input = mv_loss_input(c, e), target = mv_loss_target(c, e);
    struct judged *j = ck_state(c, &judged_key, sizeof *j);
    double label;
    if (!j || input.kind != LW_V_TENSOR || input.tensor->framework != LW_TORCH ||
        !is_label(target, &label))
        return;
    struct trail w = {.c = c, .maker = j->maker};
    lineage_walk_gradient(c, input, visit_trail, &w);
    if (w.cut_maker) {
        *j = (struct judged){w.cut_maker, label};
        return;
    }
    if (j->maker && w.made_by && label == j->label)
        ck_find(c, e->node, "training/generator-direction", NULL, 0,
                "generated samples get the label %g here as in the loss of the discriminator, "
                "so the generator learns to be recognised as fake: use the label %g",
                label, 1 - label);
}

const struct ck_rule rules_training_direction[] = {
    {"training/monitor-direction", CK_EV_CALL, watch_callback},
    {"training/monitor-direction", CK_EV_END, watch_plateaus},
    {"training/generator-direction", CK_EV_CALL | CK_EV_LAYER, watch_judge},
    {0},
};
