/*
 * Rules about modules of Lightning, which runs the loop itself: what training_step() does that
 * the trainer does too, and what it does not give back.
 */
#include "base/str.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/query/program.h"
#include "check/rules/rules.h"

static bool is_lightning(const struct lw_tree *t, uint32_t class_node)
{
    return program_derives(t, class_node, "LightningModule");
}

/* self.automatic_optimization is set anywhere, or a base of the program may set it. */
static bool is_manual(struct ck *c)
{
    return program_has_attribute(c, "automatic_optimization") ||
           program_has_name(c, "automatic_optimization");
}

/* A call of what only a loop of one's own calls: loss.backward(), optimizer.step(). */
static bool is_own_step(const struct lw_tree *t, uint32_t call)
{
    uint32_t owner = syntax_owner(t, call);
    struct lw_str name = syntax_called_name(t, call);
    if (owner == LW_NO_NODE || lw_tree_kind(t, owner) == LW_NODE_CALL)
        return text_is(name, "backward") && owner != LW_NO_NODE;
    if (text_is(name, "backward"))
        return !text_is(lw_tree_text(t, owner), "self");
    return text_is(name, "step") && (lw_str_has_prefix(lw_tree_name(t, owner), LW_S("opt")) ||
                                     lw_str_has_suffix(lw_tree_name(t, owner), LW_S("_opt")));
}

static void check_steps(struct ck *c, struct ck_file *file, uint32_t step)
{
    const struct lw_tree *t = &file->tree;
    for (uint32_t n = step; n != LW_NO_NODE; n = lw_tree_next(t, step, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_CALL || !is_own_step(t, n))
            continue;
        struct lw_str name = syntax_called_name(t, n);
        ck_find_at(c, file, n, "api/manual-step", NULL, 0,
                   "Lightning calls %.*s() itself after training_step(): leave it out, or set "
                   "self.automatic_optimization = False and use self.manual_backward()",
                   LW_F(name));
        return;
    }
}

/* Does the function give back anything, or yield, or end in an error on purpose? */
static bool gives_result(const struct lw_tree *t, uint32_t function)
{
    for (uint32_t n = lw_tree_next(t, function, function, false); n != LW_NO_NODE;
         n = lw_tree_next(t, function, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if ((kind == LW_NODE_RETURN && lw_tree_get(t, n, LW_ROLE_VALUE) != LW_NO_NODE) ||
            kind == LW_NODE_YIELD || kind == LW_NODE_RAISE)
            return true;
    }
    return false;
}

/* Does it compute anything at all: is there an assignment? */
static bool computes(const struct lw_tree *t, uint32_t function)
{
    for (uint32_t n = function; n != LW_NO_NODE; n = lw_tree_next(t, function, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN)
            return true;
    return false;
}

/* return loss.item(), loss.detach(): no gradient leads back from it. */
static void check_result(struct ck *c, struct ck_file *file, uint32_t step)
{
    static const char *const cuts[] = {"item", "detach", "tolist", "numpy"};
    const struct lw_tree *t = &file->tree;
    for (uint32_t n = step; n != LW_NO_NODE; n = lw_tree_next(t, step, n, false)) {
        uint32_t value = lw_tree_kind(t, n) == LW_NODE_RETURN ? lw_tree_get(t, n, LW_ROLE_VALUE)
                                                              : LW_NO_NODE;
        if (lw_tree_kind(t, value) == LW_NODE_DICT)
            for (uint32_t k = lw_tree_each(t, value, LW_ROLE_KEYS, LW_NO_NODE), v = LW_NO_NODE;
                 k != LW_NO_NODE; k = lw_tree_each(t, value, LW_ROLE_KEYS, k)) {
                v = lw_tree_each(t, value, LW_ROLE_VALUES, v);
                if (text_is(program_text(t, k), "loss"))
                    value = v;
            }
        if (syntax_owner(t, value) != LW_NO_NODE &&
            text_is_any(syntax_called_name(t, value), cuts, 4))
            ck_find_at(c, file, value, "api/training-step-result", NULL, 0,
                       "Lightning calls backward() on what training_step() returns, but %.*s() "
                       "removes the gradient: return the loss itself",
                       LW_F(syntax_called_name(t, value)));
    }
}

static void check_module(struct ck *c, struct ck_file *file, uint32_t class_node)
{
    const struct lw_tree *t = &file->tree;
    uint32_t step = program_method(t, class_node, LW_S("training_step"));
    if (step == LW_NO_NODE || !is_lightning(t, class_node) || is_manual(c))
        return;
    check_steps(c, file, step);
    check_result(c, file, step);
    if (!gives_result(t, step) && computes(t, step))
        ck_find_at(c, file, step, "api/training-step-result", NULL, 0,
                   "training_step() returns nothing, so Lightning has no loss to train with: "
                   "return the loss");
}

/* The optimizer is made in configure_optimizers() and not given back. */
static void check_optimizers(struct ck *c, struct ck_file *file, uint32_t class_node)
{
    const struct lw_tree *t = &file->tree;
    uint32_t f = program_method(t, class_node, LW_S("configure_optimizers"));
    if (f == LW_NO_NODE || !is_lightning(t, class_node) || gives_result(t, f) ||
        !computes(t, f))
        return;
    ck_find_at(c, file, f, "api/training-step-result", NULL, 0,
               "configure_optimizers() returns nothing, so Lightning has no optimizer and "
               "trains nothing: return the optimizer");
}

static void watch_class(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->frame->file;
    if (file->index != 0 || !e->object ||
        lw_tree_kind(&file->tree, e->object->node) != LW_NODE_CLASS)
        return;
    check_optimizers(c, file, e->object->node);
}

/* What other files set is known at the end. */
static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    struct ck_file *file = c->files.v[0];
    struct places_list steps = places_of(c, file, PLACES_FUNCTION, LW_S("training_step"));
    for (size_t i = 0; i < steps.n; i++) {
        uint32_t class_node = lw_tree_enclosing(&file->tree, steps.v[i], LW_NODE_CLASS);
        if (class_node != LW_NO_NODE)
            check_module(c, file, class_node);
    }
}

/* Is a module of Lightning defined in the first file? */
static bool has_module(struct ck *c)
{
    struct ck_file *file = c->files.v[0];
    struct places_list steps = places_of(c, file, PLACES_FUNCTION, LW_S("training_step"));
    for (size_t i = 0; i < steps.n; i++)
        if (is_lightning(&file->tree,
                         lw_tree_enclosing(&file->tree, steps.v[i], LW_NODE_CLASS)))
            return true;
    return false;
}

/* ---- what is watched and what is logged
 * -------------------------------------------------------
 */

enum { MAX_KEYS = 64 };

/* The names that the program logs; `open`: others too. */
struct logged {
    struct lw_str keys[MAX_KEYS];
    size_t n;
    bool open;
};

static void add_key(const struct lw_tree *t, uint32_t node, struct logged *out)
{
    struct lw_str key = program_text(t, node);
    if (!key.n || out->n == MAX_KEYS)
        out->open = true;
    else
        out->keys[out->n++] = key;
}

/* self.log("name", …), self.log_dict({"name": …}) */
static void read_logged(struct ck *c, struct logged *out)
{
    const struct lw_tree *t = &c->files.v[0]->tree;
    struct places_list one = program_calls_of(c, "log"), many = program_calls_of(c, "log_dict");
    for (size_t i = 0; i < one.n; i++)
        if (text_is(lw_tree_text(t, syntax_owner(t, one.v[i])), "self"))
            add_key(t, program_argument(t, one.v[i], "name", 0), out);
    for (size_t i = 0; i < many.n; i++) {
        uint32_t dict = program_argument(t, many.v[i], "dictionary", 0);
        out->open |= lw_tree_kind(t, dict) != LW_NODE_DICT;
        for (uint32_t k = lw_tree_kind(t, dict) == LW_NODE_DICT
                              ? lw_tree_each(t, dict, LW_ROLE_KEYS, LW_NO_NODE)
                              : LW_NO_NODE;
             k != LW_NO_NODE; k = lw_tree_each(t, dict, LW_ROLE_KEYS, k))
            add_key(t, k, out);
    }
}

/* Is it logged, also as name_epoch and name_step? */
static bool is_logged(const struct logged *l, struct lw_str monitor)
{
    for (size_t i = 0; i < l->n; i++)
        if (lw_str_has_prefix(monitor, l->keys[i]) &&
            (monitor.n == l->keys[i].n || lw_str_has_suffix(monitor, LW_S("_epoch")) ||
             lw_str_has_suffix(monitor, LW_S("_step"))))
            return true;
    return false;
}

static void report_monitor(struct ck *c, uint32_t node, struct lw_str monitor)
{
    ck_find_at(c, c->files.v[0], node, "api/monitor-not-logged", NULL, 0,
               "'%.*s' is monitored, but no self.log() logs it: log it under this name, or "
               "monitor a metric that is logged",
               LW_F(monitor));
}

/* "lr_scheduler": ReduceLROnPlateau(…) in a dictionary without "monitor" */
static void check_plateau(struct ck *c, uint32_t call)
{
    const struct lw_tree *t = &c->files.v[0]->tree;
    uint32_t dict = lw_tree_enclosing(t, call, LW_NODE_DICT);
    uint32_t f = lw_tree_enclosing(t, call, LW_NODE_FUNCTION);
    if (dict == LW_NO_NODE || !text_is(lw_tree_name(t, f), "configure_optimizers"))
        return;
    for (; dict != LW_NO_NODE; dict = lw_tree_enclosing(t, dict, LW_NODE_DICT))
        for (uint32_t k = lw_tree_each(t, dict, LW_ROLE_KEYS, LW_NO_NODE); k != LW_NO_NODE;
             k = lw_tree_each(t, dict, LW_ROLE_KEYS, k))
            if (text_is(program_text(t, k), "monitor"))
                return;
    ck_find_at(c, c->files.v[0], call, "api/monitor-not-logged", NULL, 0,
               "ReduceLROnPlateau has no metric to monitor: add \"monitor\" to the dictionary "
               "that configure_optimizers() returns");
}

static void watch_monitors(struct ck *c, const struct ck_event *e)
{
    static const char *const callbacks[] = {"EarlyStopping", "ModelCheckpoint"};
    const struct lw_tree *t = &c->files.v[0]->tree;
    struct logged *l = lw_arena_alloc(c->arena, sizeof *l);
    (void)e;
    if (!l || !has_module(c))
        return;
    *l = (struct logged){0};
    read_logged(c, l);
    struct places_list plateaus = program_calls_of(c, "ReduceLROnPlateau");
    for (size_t i = 0; i < plateaus.n; i++)
        check_plateau(c, plateaus.v[i]);
    for (size_t k = 0; k < 2 && l->n && !l->open; k++) {
        struct places_list made = program_calls_of(c, callbacks[k]);
        for (size_t i = 0; i < made.n; i++) {
            uint32_t node = syntax_keyword(t, made.v[i], LW_S("monitor"));
            if (node == LW_NO_NODE && k == 0)
                node = program_argument(t, made.v[i], "monitor", 0);
            struct lw_str monitor = program_text(t, node);
            if (monitor.n && !is_logged(l, monitor))
                report_monitor(c, node, monitor);
        }
    }
}

static void make_step_out(struct fix *f)
{
    uint32_t statement = fix_statement(f, f->node);
    if (fix_kind(f, statement) != LW_NODE_EXPR)
        return;
    fix_say(f, "remove the call, which Lightning makes itself");
    fix_remove_statement(f, statement);
}

const struct ck_rule rules_api_lightning[] = {
    {"api/manual-step api/training-step-result", CK_EV_END, watch_end},
    {"api/training-step-result", CK_EV_CLASS, watch_class},
    {"api/monitor-not-logged", CK_EV_END, watch_monitors},
    {"api/manual-step", .fix = make_step_out},
    {0},
};
