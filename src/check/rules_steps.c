/*
 * Rules about one step of training whose model and optimiser come from elsewhere, read from the
 * words of the step (protocol.h): a call that is missing, or in the wrong order. Where the
 * values are known, rules_loop.c and rules_autograd.c say the same.
 */
#include "base/str.h"
#include "check/look.h"
#include "check/protocol.h"
#include "check/rules.h"

struct reading {
    struct ck *c;
    struct ck_file *file;
    const struct lw_tree *t;
    struct protocol all;
};

static const struct lw_str anybody = {0};

/* What is run again and again around the node: the innermost loop, else the function. */
static uint32_t pass_around(const struct lw_tree *t, uint32_t node)
{
    uint32_t loop = look_loop_around(t, node);
    return loop != LW_NO_NODE ? loop : lw_tree_enclosing(t, node, LW_NODE_FUNCTION);
}

/* Do both stand in one block, so that they always run one after the other? */
static bool is_same_block(const struct lw_tree *t, uint32_t a, uint32_t b)
{
    uint32_t x = lw_tree_statement(t, a), y = lw_tree_statement(t, b);
    return lw_tree_parent(t, x) == lw_tree_parent(t, y) &&
           lw_tree_node(t, x)->role == lw_tree_node(t, y)->role &&
           lw_tree_kind(t, x) == LW_NODE_EXPR && lw_tree_kind(t, y) == LW_NODE_EXPR;
}

/* Frameworks that step, or compute gradients, in their own words. */
static bool has_other_words(const struct reading *r)
{
    static const char *const words[] = {"accelerator", "Accelerator",    "fabric",  "deepspeed",
                                        "closure",     "scaler",         "hogwild", "Hogwild",
                                        "def step",    "functional_call"};
    struct lw_str text = lw_tree_text(r->t, r->t->root);
    return look_says_any(text, words, sizeof words / sizeof *words);
}

/* ---- order ---------------------------------------------------------------------------------
 */

/* The next step() of what is set back: of the optimiser itself, or, where the network is, of
 * the one that has its name (critic, critic_optim) or is the only one. */
static size_t step_of(const struct reading *r, size_t zero)
{
    const struct protocol *p = &r->all;
    struct lw_str who = p->calls[zero].who, name = look_tail(who);
    if (protocol_is_optimizer(who))
        return protocol_find(p, PROTOCOL_STEP, who, zero);
    size_t step = protocol_find(p, PROTOCOL_STEP, anybody, zero);
    if (step == p->n || (name.n > 2 && lw_str_find(p->calls[step].who, name) != LW_NPOS))
        return step;
    for (size_t i = protocol_find(p, PROTOCOL_STEP, anybody, 0); i < p->n;
         i = protocol_find(p, PROTOCOL_STEP, anybody, i + 1))
        if (!lw_str_eq(p->calls[i].who, p->calls[step].who))
            return p->n;
    return step;
}

/* backward(), zero_grad(), step() in one block. */
static void check_cleared(struct reading *r, size_t zero)
{
    const struct protocol *p = &r->all;
    const struct protocol_call *z = &p->calls[zero];
    size_t step = step_of(r, zero);
    size_t between = protocol_find(p, PROTOCOL_BACKWARD, anybody, zero);
    if (zero == 0 || step == p->n || between < step ||
        p->calls[zero - 1].word != PROTOCOL_BACKWARD ||
        !is_same_block(r->t, p->calls[zero - 1].node, z->node) ||
        !is_same_block(r->t, z->node, p->calls[step].node))
        return;
    ck_find_at(r->c, r->file, z->node, "training/gradients-cleared", NULL, 0,
               "zero_grad() between backward() and step() throws the gradients away: call it "
               "before backward()");
}

/* zero_grad(), step(), backward() in one block. */
static void check_early(struct reading *r, size_t zero)
{
    const struct protocol *p = &r->all;
    const struct protocol_call *z = &p->calls[zero];
    size_t step = step_of(r, zero);
    size_t back = protocol_find(p, PROTOCOL_BACKWARD, anybody, zero);
    if (step == p->n || back == p->n || back < step ||
        protocol_find(p, PROTOCOL_ZERO, anybody, step) < back ||
        !is_same_block(r->t, z->node, p->calls[step].node) ||
        !is_same_block(r->t, z->node, p->calls[back].node))
        return;
    ck_find_at(r->c, r->file, p->calls[step].node, "api/step-before-backward", NULL, 0,
               "step() runs before backward(): it applies the gradients of the step before, or "
               "none");
}

/* clip_grad_norm_(…) as a statement between two places; LW_NO_NODE: none. */
static uint32_t clip_between(const struct lw_tree *t, uint32_t from, uint32_t to)
{
    uint32_t first = lw_tree_statement(t, from), last = lw_tree_statement(t, to);
    uint32_t block = lw_tree_parent(t, first);
    for (uint32_t s = lw_tree_each(t, block, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, block, LW_ROLE_BODY, s))
        if (lw_tree_start(t, s) > lw_tree_start(t, first) &&
            lw_tree_start(t, s) < lw_tree_start(t, last) &&
            lw_tree_kind(t, s) == LW_NODE_EXPR && look_says(lw_tree_text(t, s), "clip_grad"))
            return s;
    return LW_NO_NODE;
}

/* zero_grad(), clip, backward(), step() in one block, and no other clip. */
static void check_clip(struct reading *r, size_t zero)
{
    const struct protocol *p = &r->all;
    size_t back = protocol_find(p, PROTOCOL_BACKWARD, anybody, zero);
    size_t step = protocol_find(p, PROTOCOL_STEP, anybody, back);
    if (step == p->n || !is_same_block(r->t, p->calls[zero].node, p->calls[back].node) ||
        !is_same_block(r->t, p->calls[back].node, p->calls[step].node))
        return;
    uint32_t early = clip_between(r->t, p->calls[zero].node, p->calls[back].node);
    if (early == LW_NO_NODE ||
        clip_between(r->t, p->calls[back].node, p->calls[step].node) != LW_NO_NODE)
        return;
    ck_find_at(r->c, r->file, lw_tree_get(r->t, early, LW_ROLE_VALUE),
               "training/clip-before-backward", NULL, 0,
               "gradients are clipped before backward() makes them: those of the step are not; "
               "clip between backward() and step()");
}

/* ---- steps that are missing ----------------------------------------------------------------
 */

static bool is_mentioned(const struct ck *c, struct lw_str word)
{
    for (size_t i = 0; i < c->files.n; i++)
        if (lw_str_find(c->files.v[i]->source.text, word) != LW_NPOS)
            return true;
    return false;
}

/* Is the name an argument of a call that may step for it? */
static bool is_handed_on(const struct lw_tree *t, uint32_t top, struct lw_str who)
{
    static const char *const others[] = {"rate",        "_lr",   "lr_scheduler", "LROnPlateau",
                                         "save",        "print", "log",          "isinstance",
                                         "AnnealingLR", "StepLR"};
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false)) {
        uint32_t up = lw_tree_parent(t, n);
        if (!lw_str_eq(lw_tree_text(t, n), who) || lw_tree_kind(t, up) == LW_NODE_ATTRIBUTE)
            continue;
        enum lw_role role = (enum lw_role)lw_tree_node(t, n)->role;
        uint32_t call = lw_tree_kind(t, up) == LW_NODE_KEYWORD ? lw_tree_parent(t, up) : up;
        if (lw_tree_kind(t, call) == LW_NODE_CALL && role != LW_ROLE_FUNC) {
            struct lw_str callee = lw_tree_text(t, lw_tree_get(t, call, LW_ROLE_FUNC));
            if (!look_says_any(callee, others, sizeof others / sizeof *others))
                return true;
        } else if (role != LW_ROLE_TARGETS && lw_tree_kind(t, n) != LW_NODE_PARAM &&
                   lw_tree_kind(t, up) != LW_NODE_EXPR) {
            return true; /* in a list, another name, returned */
        }
    }
    return false;
}

/* A function of the file that is called in a loop of the file, or is named like one. */
static bool is_repeated(const struct lw_tree *t, uint32_t f)
{
    if (f == LW_NO_NODE)
        return false;
    for (uint32_t n = lw_tree_next(t, t->root, t->root, false); n != LW_NO_NODE;
         n = lw_tree_next(t, t->root, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_CALL || look_loop_around(t, n) == LW_NO_NODE)
            continue;
        uint32_t callee = lw_tree_get(t, n, LW_ROLE_FUNC);
        if (callee != LW_NO_NODE &&
            lw_str_eq(look_tail(lw_tree_text(t, callee)), lw_tree_name(t, f)))
            return true;
    }
    return false;
}

/* zero_grad() and backward() of one pass, and step() nowhere. */
static void check_never_steps(struct reading *r, size_t zero)
{
    const struct protocol *p = &r->all;
    struct lw_str who = p->calls[zero].who;
    uint32_t pass = pass_around(r->t, p->calls[zero].node);
    size_t back = protocol_find(p, PROTOCOL_BACKWARD, anybody, zero + 1);
    struct lw_str step = ck_text(r->c, "%.*s.step", LW_F(look_tail(who)));
    if (!protocol_is_optimizer(who) || back == p->n || pass == LW_NO_NODE ||
        pass_around(r->t, p->calls[back].node) != pass || is_mentioned(r->c, step))
        return;
    uint32_t f = lw_tree_enclosing(r->t, p->calls[zero].node, LW_NODE_FUNCTION);
    uint32_t top = f == LW_NO_NODE ? r->t->root : f;
    bool own = lw_str_has_prefix(who, LW_S("self."));
    if (lw_tree_kind(r->t, pass) == LW_NODE_FUNCTION && !is_repeated(r->t, f))
        return;
    if (is_handed_on(r->t, own ? r->t->root : top, who))
        return;
    ck_find_at(r->c, r->file, p->calls[back].node, "training/missing-step", NULL, 0,
               "gradients are computed and cleared, but '%.*s' never steps: call its step() "
               "after backward()",
               LW_F(who));
}

/* The first backward() of the function (of the class for self.X) in a loop, or of a class. */
static uint32_t backward_in(const struct reading *r, uint32_t top, bool in_class)
{
    for (size_t i = 0; i < r->all.n; i++) {
        uint32_t node = r->all.calls[i].node;
        if (r->all.calls[i].word == PROTOCOL_BACKWARD && look_inside(r->t, node, top) &&
            (in_class || (look_loop_around(r->t, node) != LW_NO_NODE &&
                          (lw_tree_kind(r->t, top) != LW_NODE_MODULE ||
                           lw_tree_enclosing(r->t, node, LW_NODE_FUNCTION) == LW_NO_NODE))))
            return node;
    }
    return LW_NO_NODE;
}

/* Nothing but zero_grad() is ever asked of the optimiser inside `top`. */
static void check_idle(struct reading *r, uint32_t top, struct lw_str who, bool in_class)
{
    uint32_t back = backward_in(r, top, in_class);
    for (uint32_t n = in_class ? LW_NO_NODE : look_next_call(r->t, top, top, "step");
         n != LW_NO_NODE; n = look_next_call(r->t, top, n, "step"))
        if (lw_tree_each(r->t, n, LW_ROLE_ARGS, LW_NO_NODE) == LW_NO_NODE &&
            !look_says(lw_tree_text(r->t, look_owner(r->t, n)), "sched"))
            return; /* another one steps: this one is left over */
    if (back == LW_NO_NODE || !protocol_is_optimizer(who) ||
        is_mentioned(r->c, ck_text(r->c, "%.*s.step", LW_F(look_tail(who)))) ||
        is_handed_on(r->t, in_class ? r->t->root : top, who))
        return;
    ck_find_at(r->c, r->file, back, "training/missing-step", NULL, 0,
               "gradients are computed, but '%.*s' never steps: call its step() after "
               "backward()",
               LW_F(who));
}

static bool makes_optimizer(struct lw_str callee)
{
    static const char *const names[] = {"SGD",     "Adam",     "AdamW",  "RMSprop",
                                        "Adagrad", "Adadelta", "Adamax", "RAdam"};
    return (look_says(callee, "optim") && !look_says(callee, "lr_sched")) ||
           look_is_any(look_tail(callee), names, sizeof names / sizeof *names);
}

/* optimizer = optim.Adam(…), self.optimizer = …, beside a backward(). */
static void check_made(struct reading *r, uint32_t assign)
{
    const struct lw_tree *t = r->t;
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    uint32_t value = lw_tree_get(t, assign, LW_ROLE_VALUE);
    uint32_t func = value != LW_NO_NODE && lw_tree_kind(t, value) == LW_NODE_CALL
                        ? lw_tree_get(t, value, LW_ROLE_FUNC)
                        : LW_NO_NODE;
    if (func == LW_NO_NODE || target == LW_NO_NODE || !makes_optimizer(lw_tree_text(t, func)))
        return;
    struct lw_str who = lw_tree_text(t, target);
    uint32_t f = lw_tree_enclosing(t, assign, LW_NODE_FUNCTION);
    uint32_t cls = lw_tree_enclosing(t, assign, LW_NODE_CLASS);
    if (lw_tree_kind(t, target) == LW_NODE_NAME)
        check_idle(r, f == LW_NO_NODE ? t->root : f, who, false);
    else if (cls != LW_NO_NODE && lw_str_has_prefix(who, LW_S("self.")))
        check_idle(r, cls, who, true);
}

/* def train(model, optimizer, loader): and the optimiser is never asked to step. */
static void check_given(struct reading *r, uint32_t f)
{
    uint32_t params = lw_tree_get(r->t, f, LW_ROLE_ARGS);
    uint32_t count = params == LW_NO_NODE ? 0 : lw_tree_node(r->t, params)->count;
    for (uint32_t i = 0; i < count; i++) {
        struct lw_str name = lw_tree_name(r->t, lw_tree_node(r->t, params)->child + i);
        if (protocol_is_optimizer(name) && look_says(name, "ptim"))
            check_idle(r, f, name, false);
    }
}

/* ---- gradients that are missing -------------------------------------------------------------
 */

/* Is the loss only printed, added up and recorded? */
static bool is_only_told(const struct lw_tree *t, uint32_t pass, struct lw_str loss)
{
    static const char *const tells[] = {"print",   "append", "update", "float",  "format",
                                        "log",     "scalar", "str",    "write",  "description",
                                        "postfix", "isnan",  "add",    "reduce", "mean"};
    for (uint32_t n = lw_tree_next(t, pass, pass, false); n != LW_NO_NODE;
         n = lw_tree_next(t, pass, n, false)) {
        if (lw_tree_kind(t, n) != LW_NODE_NAME || !lw_str_eq(lw_tree_name(t, n), loss))
            continue;
        uint32_t up = lw_tree_parent(t, n);
        enum lw_role role = (enum lw_role)lw_tree_node(t, n)->role;
        if (lw_tree_kind(t, up) == LW_NODE_RETURN)
            return false;
        if (lw_tree_kind(t, up) == LW_NODE_CALL && role == LW_ROLE_ARGS &&
            !look_says_any(lw_tree_text(t, lw_tree_get(t, up, LW_ROLE_FUNC)), tells,
                           sizeof tells / sizeof *tells))
            return false;
    }
    return true;
}

/* loss = criterion(…) in the pass. */
static struct lw_str loss_in(const struct lw_tree *t, uint32_t pass)
{
    for (uint32_t n = lw_tree_next(t, pass, pass, false); n != LW_NO_NODE;
         n = lw_tree_next(t, pass, n, false)) {
        uint32_t target = lw_tree_kind(t, n) == LW_NODE_ASSIGN
                              ? lw_tree_get(t, n, LW_ROLE_TARGETS)
                              : LW_NO_NODE;
        uint32_t value = target == LW_NO_NODE ? LW_NO_NODE : lw_tree_get(t, n, LW_ROLE_VALUE);
        if (value == LW_NO_NODE || lw_tree_kind(t, target) != LW_NODE_NAME ||
            !look_says(lw_tree_name(t, target), "loss"))
            continue;
        if (lw_tree_kind(t, value) != LW_NODE_CALL)
            return lw_tree_name(t, target);
        static const char *const losses[] = {"criterion", "loss", "Loss",    "crit",
                                             "F.",        "bce",  "entropy", "mse"};
        struct lw_str callee = lw_tree_text(t, lw_tree_get(t, value, LW_ROLE_FUNC));
        if (look_says_any(callee, losses, sizeof losses / sizeof *losses))
            return lw_tree_name(t, target);
    }
    return (struct lw_str){0};
}

/* zero_grad(), loss, step(): nothing computes a gradient. */
static void check_never_back(struct reading *r, size_t zero)
{
    const struct protocol *p = &r->all;
    uint32_t pass = pass_around(r->t, p->calls[zero].node);
    size_t step = protocol_find(p, PROTOCOL_STEP, anybody, zero);
    if (pass == LW_NO_NODE || step == p->n || pass_around(r->t, p->calls[step].node) != pass)
        return;
    uint32_t f = lw_tree_enclosing(r->t, p->calls[zero].node, LW_NODE_FUNCTION);
    struct lw_str text = lw_tree_text(r->t, f == LW_NO_NODE ? pass : f);
    static const char *const words[] = {"backward", "autograd", ".grad", "closure"};
    struct lw_str loss = loss_in(r->t, pass);
    if (look_says_any(text, words, sizeof words / sizeof *words) || !loss.n ||
        !is_only_told(r->t, pass, loss))
        return;
    struct protocol_function made = {.node = LW_NO_NODE};
    for (uint32_t n = lw_tree_next(r->t, pass, pass, false); n != LW_NO_NODE;
         n = lw_tree_next(r->t, pass, n, false)) {
        if (lw_tree_kind(r->t, n) != LW_NODE_CALL)
            continue;
        made = protocol_callee(r->c, r->file, n);
        if (made.node != LW_NO_NODE &&
            look_says(lw_tree_text(&made.file->tree, made.node), "backward"))
            return;
    }
    ck_find_at(r->c, r->file, p->calls[step].node, "training/missing-backward", NULL, 0,
               "the optimizer steps, but no gradient is ever computed: call %.*s.backward() "
               "before step()",
               LW_F(loss));
}

/* ---- a file ---------------------------------------------------------------------------------
 */

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    (void)e;
    if (!look_says(file->source.text, "torch") || (!look_says(file->source.text, "zero_grad") &&
                                                   !look_says(file->source.text, ".backward(")))
        return;
    struct reading *r = lw_arena_alloc(c->arena, sizeof *r);
    if (!r)
        return;
    *r = (struct reading){.c = c, .file = file, .t = t};
    protocol_read(t, t->root, &r->all);
    if (r->all.more)
        return;
    bool other = has_other_words(r);
    for (size_t i = 0; i < r->all.n; i++) {
        if (r->all.calls[i].word != PROTOCOL_ZERO)
            continue;
        check_cleared(r, i);
        check_early(r, i);
        check_clip(r, i);
        if (!other) {
            check_never_steps(r, i);
            check_never_back(r, i);
        }
    }
    if (other || protocol_find(&r->all, PROTOCOL_BACKWARD, anybody, 0) == r->all.n)
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN)
            check_made(r, n);
        else if (lw_tree_kind(t, n) == LW_NODE_FUNCTION)
            check_given(r, n);
}

const struct ck_rule ck_rules_steps[] = {
    {CK_EV_END, watch_end},
    {0, NULL},
};
