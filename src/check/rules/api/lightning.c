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

static void check_module(struct ck *c, struct ck_file *file, uint32_t class_node)
{
    const struct lw_tree *t = &file->tree;
    uint32_t step = program_method(t, class_node, "training_step");
    if (step == LW_NO_NODE || !is_lightning(t, class_node) || is_manual(c))
        return;
    check_steps(c, file, step);
    if (!gives_result(t, step) && computes(t, step))
        ck_find_at(c, file, step, "api/training-step-result", NULL, 0,
                   "training_step() returns nothing, so Lightning has no loss to train with: "
                   "return the loss");
}

/* The optimizer is made in configure_optimizers() and not given back. */
static void check_optimizers(struct ck *c, struct ck_file *file, uint32_t class_node)
{
    const struct lw_tree *t = &file->tree;
    uint32_t f = program_method(t, class_node, "configure_optimizers");
    if (f == LW_NO_NODE || !is_lightning(t, class_node) || gives_result(t, f) ||
        !computes(t, f))
        return;
    ck_find_at(c, file, f, "api/training-step-result", NULL, 0,
               "configure_optimizers() returns nothing, so Lightning trains without an "
               "optimizer: return it");
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

static void make_step_out(struct fix *f)
{
    uint32_t statement = fix_statement(f, f->node);
    if (fix_kind(f, statement) != LW_NODE_EXPR)
        return;
    fix_say(f, "leave the call to Lightning");
    fix_remove_statement(f, statement);
}

const struct ck_rule rules_api_lightning[] = {
    {"api/manual-step api/training-step-result", CK_EV_END, watch_end},
    {"api/training-step-result", CK_EV_CLASS, watch_class},
    {"api/manual-step", .fix = make_step_out},
    {0},
};
