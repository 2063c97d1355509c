/*
 * Rules about steps of a training loop that come in pairs, where one of the pair is missing:
 * samplers that are told the epoch, metrics that are set back, gradients that are scaled.
 */
#include "base/str.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/query/calls.h"
#include "check/query/look.h"
#include "check/query/roles.h"
#include "check/query/program.h"
#include "check/query/trace.h"
#include "check/rules/rules.h"

/* ---- samplers of several processes ----------------------------------------------------------
 */

/* for epoch in range(…), where the loop over batches is inside */
static bool counts_epochs(const struct lw_tree *t, uint32_t loop)
{
    uint32_t target = lw_tree_kind(t, loop) == LW_NODE_FOR
                          ? lw_tree_get(t, loop, LW_ROLE_TARGET)
                          : LW_NO_NODE;
    return lw_str_has_prefix(lw_tree_name(t, target), LW_S("ep"));
}

/* The loop over epochs of the first file; LW_NO_NODE: there is none, or more than one. */
static uint32_t epoch_loop(const struct lw_tree *t)
{
    uint32_t found = LW_NO_NODE;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (counts_epochs(t, n)) {
            if (found != LW_NO_NODE)
                return LW_NO_NODE;
            found = n;
        }
    return found;
}

static void watch_sampler(struct ck *c, const struct ck_event *e)
{
    static const char *const told[] = {"set_epoch", "prepare", "prepare_data_loader", "Trainer",
                                       "set_sampler_epoch"};
    const struct lw_tree *t = &c->files.v[0]->tree;
    struct places_list made = program_calls_of(c, "DistributedSampler");
    (void)e;
    if (!made.n || program_calls(c, told, sizeof told / sizeof *told) ||
        program_has_attribute(c, "set_epoch"))
        return;
    uint32_t loop = epoch_loop(t);
    for (size_t i = 0; i < made.n && loop != LW_NO_NODE; i++) {
        uint32_t shuffle = program_argument(t, made.v[i], "shuffle", 3);
        struct lw_str name = calls_result(t, made.v[i]);
        struct lw_str class_name =
            trace_library(c, c->files.v[0], lw_tree_get(t, made.v[i], LW_ROLE_FUNC));
        if (text_is(lw_tree_text(t, shuffle), "False") || role_is_named(c, name, ROLE_TEST) ||
            !lw_str_has_prefix(class_name, LW_S("torch.")))
            continue;
        ck_blame(c, ck_file_place(c->files.v[0], loop));
        ck_find_at(c, c->files.v[0], made.v[i], "training/sampler-epoch", NULL, 0,
                   "DistributedSampler draws the same order in every epoch: call "
                   "set_epoch(epoch) at the start of each epoch");
        return;
    }
}

/* DistributedDataParallel, and each process draws from all of the data. */
static void watch_processes(struct ck *c, const struct ck_event *e)
{
    static const char *const wraps[] = {"DistributedDataParallel", "DDP"};
    static const char *const begins[] = {"init_process_group"};
    static const char *const parts[] = {
        "DistributedSampler",     "shard", "prepare", "Subset", "split_dataset_by_node",
        "DistributedBatchSampler"};
    struct ck_file *f = c->files.v[0];
    struct places_list loaders = program_calls_of(c, "DataLoader");
    (void)e;
    if (!loaders.n || !program_calls(c, wraps, 2) || !program_calls(c, begins, 1) ||
        program_calls(c, parts, sizeof parts / sizeof *parts) ||
        program_has_name(c, "DistributedSampler") ||
        program_has_attribute(c, "DistributedSampler"))
        return;
    for (size_t i = 0; i < loaders.n; i++) {
        uint32_t shuffle = program_argument(&f->tree, loaders.v[i], "shuffle", 2);
        if (!text_is(lw_tree_text(&f->tree, shuffle), "True"))
            continue;
        ck_find_at(c, f, loaders.v[i], "training/sampler-missing", NULL, 0,
                   "each process iterates over all of the data: pass "
                   "sampler=DistributedSampler(dataset) instead of shuffle=True");
        return;
    }
}

/* The first call who.name(…) of the function or loop; LW_NO_NODE: none. */
static uint32_t call_by(const struct lw_tree *t, uint32_t top, struct lw_str who,
                        const char *name)
{
    uint32_t call = syntax_method_call(t, top, name);
    while (call != LW_NO_NODE && !lw_str_eq(lw_tree_text(t, syntax_owner(t, call)), who))
        call = syntax_next_call(t, top, call, name);
    return call;
}

/* ---- gradients that add up ------------------------------------------------------------------
 */

/* The `if` with % in its test that the call stands under, in the loop; LW_NO_NODE: none. */
static uint32_t every_few(const struct lw_tree *t, uint32_t call, uint32_t loop)
{
    uint32_t n = lw_tree_enclosing(t, call, LW_NODE_IF);
    for (; n != LW_NO_NODE && syntax_inside(t, n, loop);
         n = lw_tree_enclosing(t, n, LW_NODE_IF)) {
        uint32_t test = lw_tree_get(t, n, LW_ROLE_TEST);
        for (uint32_t k = test; k != LW_NO_NODE; k = lw_tree_next(t, test, k, false))
            if (lw_tree_kind(t, k) == LW_NODE_BIN_OP && lw_tree_node(t, k)->op == LW_OP_MOD)
                return n;
    }
    return LW_NO_NODE;
}

/* backward() and step() in each pass, zero_grad() in every fourth. */
static void watch_accumulated(struct ck *c, const struct ck_event *e)
{
    struct ck_file *f = c->files.v[0];
    const struct lw_tree *t = &f->tree;
    struct places_list zeros = program_calls_of(c, "zero_grad");
    (void)e;
    for (size_t i = 0; i < zeros.n; i++) {
        uint32_t loop = syntax_loop_around(t, zeros.v[i]);
        struct lw_str who = lw_tree_text(t, syntax_owner(t, zeros.v[i]));
        if (loop == LW_NO_NODE || !who.n || every_few(t, zeros.v[i], loop) == LW_NO_NODE)
            continue;
        uint32_t back = syntax_method_call(t, loop, "backward");
        uint32_t step = call_by(t, loop, who, "step"),
                 more = call_by(t, loop, who, "zero_grad");
        if (back == LW_NO_NODE || step == LW_NO_NODE || more != zeros.v[i] ||
            lw_tree_parent(t, lw_tree_statement(t, step)) != loop ||
            lw_tree_parent(t, lw_tree_statement(t, back)) != loop ||
            syntax_next_call(t, loop, more, "zero_grad") != LW_NO_NODE)
            continue;
        ck_find_at(
            c, f, step, "training/step-while-adding", NULL, 0,
            "step() runs in every batch, but zero_grad() only in some, so the gradients of "
            "earlier batches are applied again: move step() next to zero_grad()");
    }
}

/* ---- metrics that are never set back --------------------------------------------------------
 */

/* Is the call one that makes a metric which adds up: tf.keras.metrics.Mean(), torchmetrics? */
static bool makes_metric(const struct lw_tree *t, uint32_t call)
{
    uint32_t f = lw_tree_get(t, call, LW_ROLE_FUNC);
    uint32_t owner =
        lw_tree_kind(t, f) == LW_NODE_ATTRIBUTE ? lw_tree_get(t, f, LW_ROLE_VALUE) : LW_NO_NODE;
    struct lw_str module = lw_tree_name(t, owner), name = lw_tree_name(t, f);
    return (text_is(module, "metrics") || text_is(module, "torchmetrics")) && name.n &&
           name.p[0] >= 'A' && name.p[0] <= 'Z';
}

/* The name of a metric that is made before all loops; empty: this is none. */
static struct lw_str metric_name(const struct lw_tree *t, uint32_t assign)
{
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    uint32_t value = lw_tree_get(t, assign, LW_ROLE_VALUE);
    bool metric = lw_tree_kind(t, target) == LW_NODE_NAME &&
                  lw_tree_kind(t, value) == LW_NODE_CALL && makes_metric(t, value) &&
                  syntax_loop_around(t, assign) == LW_NO_NODE;
    return metric ? lw_tree_name(t, target) : (struct lw_str){0};
}

/* A call who.result() or who.compute() in a loop of which each pass is an epoch. */
static uint32_t epoch_of_result(struct ck *c, struct lw_str who, const char *method)
{
    const struct lw_tree *t = &c->files.v[0]->tree;
    struct places_list calls = program_calls_of(c, method);
    for (size_t i = 0; i < calls.n; i++) {
        uint32_t loop = syntax_loop_around(t, calls.v[i]);
        if (!lw_str_eq(lw_tree_name(t, syntax_owner(t, calls.v[i])), who))
            continue;
        for (; loop != LW_NO_NODE; loop = syntax_loop_around(t, loop))
            if (counts_epochs(t, loop))
                return loop;
    }
    return LW_NO_NODE;
}

static bool is_updated(struct ck *c, struct lw_str who)
{
    static const char *const methods[] = {"update_state", "update", "__call__"};
    const struct lw_tree *t = &c->files.v[0]->tree;
    for (size_t k = 0; k < 3; k++) {
        struct places_list calls = program_calls_of(c, methods[k]);
        for (size_t i = 0; i < calls.n; i++)
            if (lw_str_eq(lw_tree_name(t, syntax_owner(t, calls.v[i])), who))
                return true;
    }
    return places_of(c, c->files.v[0], PLACES_CALL, who).n > 0;
}

static void watch_metrics(struct ck *c, const struct ck_event *e)
{
    static const char *const resets[] = {"reset_states", "reset_state", "reset",
                                         "reset_metrics"};
    struct ck_file *f = c->files.v[0];
    const struct lw_tree *t = &f->tree;
    (void)e;
    if ((!program_has_attribute(c, "metrics") && !program_has_name(c, "torchmetrics")) ||
        program_calls(c, resets, sizeof resets / sizeof *resets))
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        struct lw_str who =
            lw_tree_kind(t, n) == LW_NODE_ASSIGN ? metric_name(t, n) : (struct lw_str){0};
        uint32_t loop = who.n ? epoch_of_result(c, who, "result") : LW_NO_NODE;
        if (who.n && loop == LW_NO_NODE)
            loop = epoch_of_result(c, who, "compute");
        if (loop == LW_NO_NODE || !is_updated(c, who))
            continue;
        uint32_t first = lw_tree_get(t, loop, LW_ROLE_TARGET);
        ck_find_at(c, f, first, "training/metric-not-reset", NULL, 0,
                   "'%.*s' accumulates over all epochs and is never reset, so its value is not "
                   "that of one epoch: call reset_state() (torchmetrics: reset()) at the start "
                   "of each epoch",
                   LW_F(who));
        return;
    }
}

/* ---- gradients that are scaled --------------------------------------------------------------
 */

/* scaler of scaler.scale(loss).backward(); empty: the call is none. */
static struct lw_str scaler_of(const struct lw_tree *t, uint32_t backward)
{
    uint32_t scale = syntax_owner(t, backward);
    if (lw_tree_kind(t, scale) != LW_NODE_CALL ||
        !text_is(syntax_called_name(t, scale), "scale"))
        return (struct lw_str){0};
    return lw_tree_text(t, syntax_owner(t, scale));
}

/* A plain step() of something else in the loop. */
static uint32_t plain_step(const struct lw_tree *t, uint32_t top, uint32_t behind)
{
    for (uint32_t call = syntax_method_call(t, top, "step"); call != LW_NO_NODE;
         call = syntax_next_call(t, top, call, "step")) {
        struct lw_str who = lw_tree_name(t, syntax_owner(t, call));
        if (lw_str_has_prefix(who, LW_S("opt")) &&
            lw_tree_start(t, call) > lw_tree_start(t, behind))
            return call;
    }
    return LW_NO_NODE;
}

static uint32_t clip_in(const struct lw_tree *t, uint32_t top)
{
    static const char *const names[] = {"clip_grad_norm_", "clip_grad_value_"};
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL && text_is_any(calls_name(t, n), names, 2))
            return n;
    return LW_NO_NODE;
}

static void check_scaled(struct ck *c, struct ck_file *f, uint32_t backward)
{
    const struct lw_tree *t = &f->tree;
    struct lw_str who = scaler_of(t, backward);
    uint32_t loop = syntax_loop_around(t, backward);
    uint32_t top = loop != LW_NO_NODE ? loop : lw_tree_enclosing(t, backward, LW_NODE_FUNCTION);
    if (!who.n || top == LW_NO_NODE)
        return;
    uint32_t step = call_by(t, top, who, "step"), plain = plain_step(t, top, backward);
    if (step == LW_NO_NODE && plain != LW_NO_NODE) {
        ck_find_at(c, f, plain, "training/scaled-gradients", NULL, 0,
                   "the gradients are still scaled by %.*s here: call %.*s.step(optimizer), "
                   "which unscales them",
                   LW_F(who), LW_F(who));
        return;
    }
    static const char *const made[] = {"GradScaler"};
    if (!program_calls(c, made, 1))
        return; /* it comes from elsewhere, and may be cared for there */
    static const char *const updates[] = {"update"};
    if (step != LW_NO_NODE && !program_calls(c, updates, 1)) {
        ck_find_at(c, f, step, "training/scaled-gradients", NULL, 0,
                   "%.*s.update() is never called, so the scale is never adapted: call it "
                   "after each step",
                   LW_F(who));
        return;
    }
    static const char *const unscaling[] = {"unscale_"};
    uint32_t clip = clip_in(t, top);
    if (step != LW_NO_NODE && clip != LW_NO_NODE && !program_calls(c, unscaling, 1))
        ck_find_at(c, f, clip, "training/scaled-gradients", NULL, 0,
                   "the gradients are clipped while they are scaled by %.*s: call "
                   "%.*s.unscale_(optimizer) first",
                   LW_F(who), LW_F(who));
}

static void watch_scaler(struct ck *c, const struct ck_event *e)
{
    struct places_list calls = program_calls_of(c, "backward");
    (void)e;
    for (size_t i = 0; i < calls.n; i++)
        check_scaled(c, c->files.v[0], calls.v[i]);
}

static void make_unscaled(struct fix *f)
{
    uint32_t statement = fix_statement(f, f->node);
    uint32_t loop = syntax_loop_around(f->t, f->node);
    uint32_t back = loop == LW_NO_NODE ? loop : syntax_method_call(f->t, loop, "backward");
    struct lw_str who = back == LW_NO_NODE ? (struct lw_str){0} : scaler_of(f->t, back);
    if (!who.n)
        return;
    uint32_t owner = syntax_owner(f->t, f->node);
    if (text_is(fix_callee_name(f, f->node), "step") &&
        lw_tree_count(f->t, f->node, LW_ROLE_ARGS) == 0 &&
        !lw_str_eq(fix_text(f, owner), who)) {
        fix_say(f, "call step() of the scaler");
        fix_node(f, f->node,
                 ck_text(f->c, "%.*s.step(%.*s)", LW_F(who), LW_F(fix_text(f, owner))));
    } else if (lw_str_eq(fix_text(f, owner), who) && fix_kind(f, statement) == LW_NODE_EXPR) {
        fix_say(f, "call update() of the scaler");
        fix_line_behind(f, statement, ck_text(f->c, "%.*s.update()", LW_F(who)));
    }
}

const struct ck_rule rules_training_companions[] = {
    {"training/sampler-epoch", CK_EV_END, watch_sampler},
    {"training/sampler-missing", CK_EV_END, watch_processes},
    {"training/step-while-adding", CK_EV_END, watch_accumulated},
    {"training/metric-not-reset", CK_EV_END, watch_metrics},
    {"training/scaled-gradients", CK_EV_END, watch_scaler, make_unscaled},
    {0},
};
