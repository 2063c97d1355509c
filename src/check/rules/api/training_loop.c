/*
 * Rules about the calls of a training loop: gradients that are never set back, a step before
 * there are any. By the values where they are known, else by the words of the program
 * (protocol.h).
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/protocol.h"
#include "check/rules/rules.h"

/* ---- loops that are run --------------------------------------------------------------------
 */

struct training {
    struct ck_file *file;
    uint32_t step;     /* first step() in a loop */
    uint32_t backward; /* first backward() in a loop */
    uint32_t early_step;
    struct lw_value early_optimizer;
    bool zeroed;
    bool any_backward;
};

static const char training_key, looks_key;
enum { MAX_LOOKS = 50 }; /* over a loop, for a backward() that makes no event */

static struct training *training_of(struct ck *c)
{
    struct training *t = ck_state(c, &training_key, sizeof *t);
    if (t && !t->file) {
        t->file = c->frame->file;
        t->step = t->backward = t->early_step = LW_NO_NODE;
    }
    return t;
}

static void watch_training(struct ck *c, const struct ck_event *e)
{
    struct training *t = training_of(c);
    if (!t)
        return;
    if (e->kind == CK_EV_ZERO_GRAD) {
        t->zeroed = true;
    } else if (e->kind == CK_EV_BACKWARD) {
        if (t->early_step != LW_NO_NODE && !t->any_backward && ck_in_loop(c) &&
            t->file == c->frame->file)
            ck_find(c, t->early_step, "api/step-before-backward", NULL, 0,
                    "step() runs before backward(), so it applies the gradients of the "
                    "previous step, or none: call backward() first");
        t->any_backward = true;
        if (ck_in_loop(c) && t->backward == LW_NO_NODE) {
            t->backward = e->node;
            t->file = c->frame->file;
        }
    } else if (e->kind == CK_EV_STEP) {
        if (!t->any_backward && ck_in_loop(c) && t->early_step == LW_NO_NODE &&
            ck_arg(e->call, 0, "closure").kind == LW_V_ABSENT &&
            look_again(c, &looks_key, MAX_LOOKS) &&
            !protocol_goes_back(&c->frame->file->tree, LW_NO_NODE, e->node))
            t->early_step = e->node;
        if (ck_in_loop(c) && t->step == LW_NO_NODE)
            t->step = e->node;
    }
}

/* w.data -= rate * w.grad, w.data.sub_(…): is the target of the statement what has the gradient
 * that it reads? */
static bool updates_by_hand(const struct lw_tree *t, uint32_t statement)
{
    uint32_t grad = LW_NO_NODE;
    for (uint32_t n = lw_tree_next(t, statement, statement, false); n != LW_NO_NODE;
         n = lw_tree_next(t, statement, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ATTRIBUTE &&
            lw_str_eq(lw_tree_name(t, n), LW_S("grad")))
            grad = n;
    if (grad == LW_NO_NODE)
        return false;
    struct lw_str whole = lw_tree_text(t, statement);
    struct lw_str owner = lw_tree_text(t, lw_tree_get(t, grad, LW_ROLE_VALUE));
    if (!owner.n || !lw_str_has_prefix(whole, owner) || owner.n + 5 >= whole.n)
        return false;
    char next = whole.p[owner.n];
    return lw_tree_kind(t, statement) == LW_NODE_AUG_ASSIGN
               ? next == ' ' || next == '-' || next == '.'
               : lw_str_has_prefix(lw_str_from(whole, owner.n), LW_S(".data"));
}

/* The loop around backward() updates weights without an optimizer. A tensor that is made again
 * in each pass begins without a gradient. */
static bool has_own_update(const struct lw_tree *t, uint32_t backward)
{
    uint32_t loop = syntax_loop_around(t, backward);
    if (loop == LW_NO_NODE || lw_str_find(lw_tree_text(t, loop), LW_S("detach")) != LW_NPOS ||
        lw_str_find(lw_tree_text(t, loop), LW_S("requires_grad")) != LW_NPOS)
        return false;
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if ((kind == LW_NODE_AUG_ASSIGN || kind == LW_NODE_ASSIGN || kind == LW_NODE_EXPR) &&
            updates_by_hand(t, n))
            return true;
    }
    return false;
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct training *t = training_of(c);
    (void)e;
    if (!t || t->backward == LW_NO_NODE || t->zeroed ||
        (t->step == LW_NO_NODE && !has_own_update(&t->file->tree, t->backward)) ||
        protocol_clears_gradients(c))
        return;
    ck_find_at(c, t->file, t->backward, "api/missing-zero-grad", NULL, 0,
               "gradients are never set to zero, so each backward() adds to those of all "
               "previous steps: call %s in the loop",
               t->step == LW_NO_NODE ? "grad.zero_()" : "optimizer.zero_grad()");
}

/* ---- loops that are read -------------------------------------------------------------------
 */

static bool is_called_often(const struct lw_tree *t, uint32_t call)
{
    static const char *const names[] = {"train",   "train_step",  "training_step",  "update",
                                        "learn",   "optimize",    "optimize_model", "_train",
                                        "_update", "train_batch", "train_one_step"};
    uint32_t f = lw_tree_enclosing(t, call, LW_NODE_FUNCTION);
    return syntax_loop_around(t, call) != LW_NO_NODE ||
           (f != LW_NO_NODE && text_is_any(lw_tree_name(t, f), names, 11));
}

/* backward() and step() again and again, and no word about gradients that are set back. A class
 * of the program with a step() may do it there. */
static void check_never_cleared(const struct protocol_program *r)
{
    const struct protocol *p = &r->all;
    size_t back = protocol_find(p, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, 0);
    size_t step = protocol_find(p, PROTOCOL_STEP, PROTOCOL_ANYBODY, back);
    if (back == p->n || step == p->n || p->more ||
        !is_called_often(r->t, p->calls[back].node) ||
        lw_tree_enclosing(r->t, p->calls[back].node, LW_NODE_FUNCTION) !=
            lw_tree_enclosing(r->t, p->calls[step].node, LW_NODE_FUNCTION) ||
        protocol_clears_gradients(r->c) || ck_shows(r->c, "def step*") ||
        ck_shows(r->c, "call autograd.grad") || ck_shows(r->c, "name *Hogwild*"))
        return;
    ck_find_at(r->c, r->file, p->calls[back].node, "api/missing-zero-grad", NULL, 0,
               "gradients are never set to zero, so each backward() adds to those of all "
               "previous steps: call %.*s.zero_grad() in the loop",
               LW_F(p->calls[step].who));
}

/* Is the node in the first block of the `if`? */
static bool is_in_body(const struct lw_tree *t, uint32_t node, uint32_t branch)
{
    for (uint32_t s = lw_tree_each(t, branch, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, branch, LW_ROLE_BODY, s))
        if (syntax_inside(t, node, s))
            return true;
    return false;
}

static bool is_on_side(const struct lw_tree *t, uint32_t node, uint32_t branch, bool body)
{
    return syntax_inside(t, node, branch) && is_in_body(t, node, branch) == body;
}

/* if mixed: scale(loss).backward(), step  else: zero_grad, backward, step */
static void check_one_way(const struct protocol_program *r, const struct protocol *p,
                          size_t back)
{
    uint32_t node = p->calls[back].node, loop = syntax_loop_around(r->t, node);
    uint32_t branch = loop == LW_NO_NODE ? loop : protocol_condition(r->t, node, loop);
    if (branch == LW_NO_NODE)
        return;
    bool side = is_in_body(r->t, node, branch);
    for (size_t i = protocol_find(p, PROTOCOL_STEP, PROTOCOL_ANYBODY, back); i < p->n;
         i = protocol_find(p, PROTOCOL_STEP, PROTOCOL_ANYBODY, i + 1)) {
        struct lw_str who = p->calls[i].who;
        size_t zero = protocol_find(&r->all, PROTOCOL_ZERO, who, 0);
        size_t other = protocol_find(p, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, 0);
        while (other < p->n && !is_on_side(r->t, p->calls[other].node, branch, !side))
            other = protocol_find(p, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, other + 1);
        if (!is_on_side(r->t, p->calls[i].node, branch, side) || zero == r->all.n ||
            other == p->n)
            continue;
        bool elsewhere = false;
        for (; zero < r->all.n; zero = protocol_find(&r->all, PROTOCOL_ZERO, who, zero + 1))
            elsewhere |= !is_on_side(r->t, r->all.calls[zero].node, branch, !side);
        if (!elsewhere && protocol_are_steppers_cleared(&r->all) && !r->all.more)
            ck_find_at(
                r->c, r->file, node, "api/missing-zero-grad", NULL, 0,
                "gradients are set to zero only in the other branch; in this one each "
                "backward() adds to those of previous steps: call %.*s.zero_grad() in both",
                LW_F(who));
        return;
    }
}

static void make_zero_grad(struct fix *f)
{
    struct lw_str owner = fix_owner_of_call(f, f->node, "step");
    if (!owner.n)
        return;
    fix_say(f, "call %.*s.zero_grad() before backward()", LW_F(owner));
    fix_line_before(f, fix_statement(f, f->node),
                    ck_text(f->c, "%.*s.zero_grad()", LW_F(owner)));
}

/* zero_grad(), step(), backward() in one block. */
static void check_early(const struct protocol_program *r, size_t zero)
{
    const struct protocol *p = &r->all;
    const struct protocol_call *z = &p->calls[zero];
    size_t step = protocol_step_of(&r->all, zero);
    size_t back = protocol_find(p, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, zero);
    if (step == p->n || back == p->n || back < step ||
        protocol_find(p, PROTOCOL_ZERO, PROTOCOL_ANYBODY, step) < back ||
        !protocol_is_same_block(r->t, z->node, p->calls[step].node) ||
        !protocol_is_same_block(r->t, z->node, p->calls[back].node))
        return;
    ck_find_at(r->c, r->file, p->calls[step].node, "api/step-before-backward", NULL, 0,
               "step() runs before backward(), so it applies the gradients of the previous "
               "step, or none: call backward() first");
}

static void make_step_behind(struct fix *f)
{
    uint32_t loop = syntax_loop_around(f->t, f->node), step = fix_statement(f, f->node);
    uint32_t back =
        loop == LW_NO_NODE ? LW_NO_NODE : syntax_next_call(f->t, loop, f->node, "backward");
    uint32_t place = fix_in_block_of(f, fix_statement(f, back), step);
    if (back == LW_NO_NODE || place == LW_NO_NODE || fix_kind(f, step) != LW_NODE_EXPR)
        return;
    fix_say(f, "move step() after backward()");
    fix_move_behind(f, step, place);
}

/* Where the model and the optimiser come from elsewhere. */
static void watch_protocol(struct ck *c, const struct ck_event *e)
{
    const struct protocol_program *r = protocol_of(c);
    struct protocol p;
    (void)e;
    if (!r)
        return;
    check_never_cleared(r);
    for (uint32_t loop = protocol_next_training(r, r->t->root, &p); loop != LW_NO_NODE;
         loop = protocol_next_training(r, loop, &p))
        for (size_t i = 0; i < p.n; i++)
            if (p.calls[i].word == PROTOCOL_BACKWARD)
                check_one_way(r, &p, i);
}

static void watch_early(struct ck *c, const struct ck_event *e)
{
    const struct protocol_program *r = protocol_of_steps(c);
    (void)e;
    for (size_t i = 0; r && i < r->all.n; i++)
        if (r->all.calls[i].word == PROTOCOL_ZERO)
            check_early(r, i);
}

const struct ck_rule rules_api_training_loop[] = {
    {"api/missing-zero-grad api/step-before-backward",
     CK_EV_BACKWARD | CK_EV_STEP | CK_EV_ZERO_GRAD, watch_training},
    {"api/missing-zero-grad", CK_EV_END, watch_protocol},
    {"api/step-before-backward", CK_EV_END, watch_early},
    {"api/missing-zero-grad", CK_EV_END, watch_end},
    {"api/missing-zero-grad", .fix = make_zero_grad},
    {"api/step-before-backward", .fix = make_step_behind},
    {0},
};
