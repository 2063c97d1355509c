/*
 * Programs that compute gradients and never use them, or step without any: in PyTorch by what
 * is run and, where model and optimiser come from elsewhere, by the words of the program
 * (protocol.h); operations of TensorFlow that no session runs, gradients that nothing applies;
 * steps of Lightning that hand no loss back.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/protocol.h"
#include "check/rules/rules.h"

/* ---- loops that are run --------------------------------------------------------------------
 */

/* What a program did that was run. */
struct seen {
    struct ck_file *file;
    uint32_t zero, back, step; /* first in a loop; LW_NO_NODE: none */
    bool stepped, went_back;   /* anywhere */
};

static const char seen_key;

static struct seen *seen_of(struct ck *c)
{
    struct seen *s = ck_state(c, &seen_key, sizeof *s);
    if (s && !s->file) {
        s->file = c->files.v[0];
        s->zero = s->back = s->step = LW_NO_NODE;
    }
    return s;
}

static void watch_backward(struct ck *c, const struct ck_event *e)
{
    struct seen *s = seen_of(c);
    if (!s)
        return;
    s->went_back = true;
    if (ck_in_loop(c) && s->back == LW_NO_NODE) {
        s->back = e->node;
        s->file = c->frame->file;
    }
}

static void watch_step(struct ck *c, const struct ck_event *e)
{
    struct seen *s = seen_of(c);
    if (!s)
        return;
    s->stepped = true;
    if (ck_in_loop(c) && s->step == LW_NO_NODE) {
        s->step = e->node;
        if (!s->went_back)
            s->file = c->frame->file;
    }
}

static void watch_zero(struct ck *c, const struct ck_event *e)
{
    struct seen *s = seen_of(c);
    if (s && ck_in_loop(c) && s->zero == LW_NO_NODE && e->object && e->object->api &&
        e->object->api->kind == LW_API_OPTIMIZER)
        s->zero = e->node;
}

/* Is p.grad read in the function around the node? Then the gradients themselves are wanted:
 * penalties, importances, steps by hand. */
static bool reads_gradients(const struct lw_tree *t, uint32_t node)
{
    uint32_t f = lw_tree_enclosing(t, node, LW_NODE_FUNCTION);
    uint32_t top = f == LW_NO_NODE ? t->root : f;
    for (uint32_t n = top; n != LW_NO_NODE; n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ATTRIBUTE && text_is(lw_tree_name(t, n), "grad"))
            return true;
    return false;
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    const struct seen *s = seen_of(c);
    (void)e;
    if (!s)
        return;
    if (s->back != LW_NO_NODE && s->zero != LW_NO_NODE && !s->stepped &&
        !ck_shows(c, "call .step") && !ck_shows(c, "name *scaler*") &&
        !reads_gradients(&s->file->tree, s->back))
        ck_find_at(c, s->file, s->back, "training/missing-step", NULL, 0,
                   "gradients are computed and cleared, but the optimizer never steps: call "
                   "optimizer.step() after backward()");
    if (s->step != LW_NO_NODE && s->zero != LW_NO_NODE && !s->went_back &&
        !ck_shows(c, "name *backward*") && !ck_shows(c, "name autograd.grad") &&
        !ck_shows(c, "name *closure*") && !ck_shows(c, "attribute grad="))
        ck_find_at(c, s->file, s->step, "training/missing-backward", NULL, 0,
                   "the optimizer steps, but no gradient is ever computed: call "
                   "loss.backward() before step()");
}

/* ---- one of two optimisers -----------------------------------------------------------------
 */

/* Is the name an argument of a call in the loop, which may step for it? Rates are set and
 * states are saved that way, too. */
static bool is_handed_on_in(const struct lw_tree *t, uint32_t loop, struct lw_str who)
{
    static const char *const others[] = {"rate", "_lr", "sched", "save", "print", "log"};
    for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(t, loop, n, false)) {
        uint32_t call = lw_tree_parent(t, n);
        if ((enum lw_role)lw_tree_node(t, n)->role != LW_ROLE_ARGS ||
            !lw_str_eq(lw_tree_text(t, n), who) || lw_tree_kind(t, call) != LW_NODE_CALL)
            continue;
        struct lw_str callee = lw_tree_text(t, lw_tree_get(t, call, LW_ROLE_FUNC));
        bool other = false;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            other |= lw_str_find(callee, lw_str(others[i])) != LW_NPOS;
        if (!other)
            return true;
    }
    return false;
}

/* Of two optimisers in one loop, one is cleared and never steps. */
static void check_one_still(const struct protocol_program *r, const struct protocol *p,
                            uint32_t loop)
{
    if (r->all.more || protocol_find(p, PROTOCOL_STEP, PROTOCOL_ANYBODY, 0) == p->n)
        return;
    for (size_t i = protocol_find(p, PROTOCOL_ZERO, PROTOCOL_ANYBODY, 0); i < p->n;
         i = protocol_find(p, PROTOCOL_ZERO, PROTOCOL_ANYBODY, i + 1)) {
        struct lw_str who = p->calls[i].who;
        size_t back = protocol_find(p, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, i);
        struct lw_str step = ck_text(r->c, "%.*s.step", LW_F(who));
        if (!protocol_is_optimizer(who) || back == p->n ||
            lw_str_find(lw_tree_text(r->t, r->t->root), step) != LW_NPOS ||
            is_handed_on_in(r->t, loop, who))
            continue;
        ck_find_at(r->c, r->file, p->calls[back].node, "training/missing-step", NULL, 0,
                   "'%.*s' clears its gradients but never steps, so its parameters do not "
                   "change: call its step() after backward()",
                   LW_F(who));
    }
}

/* ---- steps that are missing ----------------------------------------------------------------
 */

/* Frameworks that step, or compute gradients, in their own words. */
static bool has_other_words(const struct protocol_program *r)
{
    static const char *const words[] = {
        "accelerator", "Accelerator", "fabric",   "deepspeed",       "closure", "scaler",
        "hogwild",     "Hogwild",     "def step", "functional_call", "hook"};
    struct lw_str text = lw_tree_text(r->t, r->t->root);
    return text_says_any(text, words, sizeof words / sizeof *words);
}

static bool is_mentioned(const struct ck *c, struct lw_str word)
{
    for (size_t i = 0; i < c->files.n; i++)
        if (lw_str_find(c->files.v[i]->code, word) != LW_NPOS)
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
            if (!text_says_any(callee, others, sizeof others / sizeof *others))
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
        if (lw_tree_kind(t, n) != LW_NODE_CALL || syntax_loop_around(t, n) == LW_NO_NODE)
            continue;
        uint32_t callee = lw_tree_get(t, n, LW_ROLE_FUNC);
        if (callee != LW_NO_NODE &&
            lw_str_eq(text_tail(lw_tree_text(t, callee)), lw_tree_name(t, f)))
            return true;
    }
    return false;
}

/* zero_grad() and backward() of one pass, and step() nowhere. */
static void check_never_steps(const struct protocol_program *r, size_t zero)
{
    const struct protocol *p = &r->all;
    struct lw_str who = p->calls[zero].who;
    uint32_t pass = protocol_pass(r->t, p->calls[zero].node);
    size_t back = protocol_find(p, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, zero + 1);
    struct lw_str step = ck_text(r->c, "%.*s.step", LW_F(text_tail(who)));
    if (!protocol_is_optimizer(who) || back == p->n || pass == LW_NO_NODE ||
        protocol_pass(r->t, p->calls[back].node) != pass || is_mentioned(r->c, step))
        return;
    uint32_t f = lw_tree_enclosing(r->t, p->calls[zero].node, LW_NODE_FUNCTION);
    uint32_t top = f == LW_NO_NODE ? r->t->root : f;
    bool own = lw_str_has_prefix(who, LW_S("self."));
    if (lw_tree_kind(r->t, pass) == LW_NODE_FUNCTION && !is_repeated(r->t, f))
        return;
    if (is_handed_on(r->t, own ? r->t->root : top, who) ||
        reads_gradients(r->t, p->calls[back].node))
        return;
    ck_find_at(r->c, r->file, p->calls[back].node, "training/missing-step", NULL, 0,
               "gradients are computed and cleared, but '%.*s' never steps: call its step() "
               "after backward()",
               LW_F(who));
}

/* The first backward() of the function (of the class for self.X) in a loop, or of a class. */
static uint32_t backward_in(const struct protocol_program *r, uint32_t top, bool in_class)
{
    for (size_t i = 0; i < r->all.n; i++) {
        uint32_t node = r->all.calls[i].node;
        if (r->all.calls[i].word == PROTOCOL_BACKWARD && syntax_inside(r->t, node, top) &&
            (in_class || (syntax_loop_around(r->t, node) != LW_NO_NODE &&
                          (lw_tree_kind(r->t, top) != LW_NODE_MODULE ||
                           lw_tree_enclosing(r->t, node, LW_NODE_FUNCTION) == LW_NO_NODE))))
            return node;
    }
    return LW_NO_NODE;
}

/* Nothing but zero_grad() is ever asked of the optimiser inside `top`. */
static void check_idle(const struct protocol_program *r, uint32_t top, struct lw_str who,
                       bool in_class)
{
    uint32_t back = backward_in(r, top, in_class);
    for (uint32_t n = in_class ? LW_NO_NODE : syntax_next_call(r->t, top, top, "step");
         n != LW_NO_NODE; n = syntax_next_call(r->t, top, n, "step"))
        if (lw_tree_each(r->t, n, LW_ROLE_ARGS, LW_NO_NODE) == LW_NO_NODE &&
            !text_says(lw_tree_text(r->t, syntax_owner(r->t, n)), "sched"))
            return; /* another one steps: this one is left over */
    if (back == LW_NO_NODE || !protocol_is_optimizer(who) ||
        is_mentioned(r->c, ck_text(r->c, "%.*s.step", LW_F(text_tail(who)))) ||
        is_handed_on(r->t, in_class ? r->t->root : top, who) || reads_gradients(r->t, back))
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
    return (text_says(callee, "optim") && !text_says(callee, "lr_sched")) ||
           text_is_any(text_tail(callee), names, sizeof names / sizeof *names);
}

/* optimizer = optim.Adam(…), self.optimizer = …, beside a backward(). */
static void check_made(const struct protocol_program *r, uint32_t assign)
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
static void check_given(const struct protocol_program *r, uint32_t f)
{
    uint32_t params = lw_tree_get(r->t, f, LW_ROLE_ARGS);
    uint32_t count = params == LW_NO_NODE ? 0 : lw_tree_node(r->t, params)->count;
    for (uint32_t i = 0; i < count; i++) {
        struct lw_str name = lw_tree_name(r->t, lw_tree_node(r->t, params)->child + i);
        if (protocol_is_optimizer(name) && text_says(name, "ptim"))
            check_idle(r, f, name, false);
    }
}

/* ---- gradients that are missing ------------------------------------------------------------
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
            !text_says_any(lw_tree_text(t, lw_tree_get(t, up, LW_ROLE_FUNC)), tells,
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
            !text_says(lw_tree_name(t, target), "loss"))
            continue;
        if (lw_tree_kind(t, value) != LW_NODE_CALL)
            return lw_tree_name(t, target);
        static const char *const losses[] = {"criterion", "loss", "Loss",    "crit",
                                             "F.",        "bce",  "entropy", "mse"};
        struct lw_str callee = lw_tree_text(t, lw_tree_get(t, value, LW_ROLE_FUNC));
        if (text_says_any(callee, losses, sizeof losses / sizeof *losses))
            return lw_tree_name(t, target);
    }
    return (struct lw_str){0};
}

/* zero_grad(), loss, step(): nothing computes a gradient. */
static void check_never_back(const struct protocol_program *r, size_t zero)
{
    const struct protocol *p = &r->all;
    uint32_t pass = protocol_pass(r->t, p->calls[zero].node);
    size_t step = protocol_find(p, PROTOCOL_STEP, PROTOCOL_ANYBODY, zero);
    if (pass == LW_NO_NODE || step == p->n || protocol_pass(r->t, p->calls[step].node) != pass)
        return;
    uint32_t f = lw_tree_enclosing(r->t, p->calls[zero].node, LW_NODE_FUNCTION);
    struct lw_str text = lw_tree_text(r->t, f == LW_NO_NODE ? pass : f);
    static const char *const words[] = {"backward", "autograd", ".grad", "closure"};
    struct lw_str loss = loss_in(r->t, pass);
    if (text_says_any(text, words, sizeof words / sizeof *words) || !loss.n ||
        !is_only_told(r->t, pass, loss))
        return;
    struct protocol_function made = {.node = LW_NO_NODE};
    for (uint32_t n = lw_tree_next(r->t, pass, pass, false); n != LW_NO_NODE;
         n = lw_tree_next(r->t, pass, n, false)) {
        if (lw_tree_kind(r->t, n) != LW_NODE_CALL)
            continue;
        made = protocol_callee(r->c, r->file, n);
        if (made.node != LW_NO_NODE &&
            text_says(lw_tree_text(&made.file->tree, made.node), "backward"))
            return;
    }
    ck_find_at(r->c, r->file, p->calls[step].node, "training/missing-backward", NULL, 0,
               "the optimizer steps, but no gradient is ever computed: call %.*s.backward() "
               "before step()",
               LW_F(loss));
}

/* Of two optimisers one never steps. */
static void watch_still(struct ck *c, const struct ck_event *e)
{
    const struct protocol_program *r = protocol_of(c);
    struct protocol p;
    (void)e;
    if (!r)
        return;
    for (uint32_t loop = protocol_next_training(r, r->t->root, &p); loop != LW_NO_NODE;
         loop = protocol_next_training(r, loop, &p))
        check_one_still(r, &p, loop);
}

static void watch_protocol(struct ck *c, const struct ck_event *e)
{
    const struct protocol_program *r = protocol_of_steps(c);
    (void)e;
    if (!r || has_other_words(r))
        return;
    for (size_t i = 0; i < r->all.n; i++)
        if (r->all.calls[i].word == PROTOCOL_ZERO) {
            check_never_steps(r, i);
            check_never_back(r, i);
        }
    if (protocol_find(&r->all, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, 0) == r->all.n)
        return;
    for (uint32_t n = r->t->root; n != LW_NO_NODE; n = lw_tree_next(r->t, r->t->root, n, false))
        if (lw_tree_kind(r->t, n) == LW_NODE_ASSIGN)
            check_made(r, n);
        else if (lw_tree_kind(r->t, n) == LW_NODE_FUNCTION)
            check_given(r, n);
}

/* ---- operations that nobody runs ----------------------------------------------------------
 */

/* train = optimizer.minimize(loss), and no more of `train`. */
static void watch_minimize(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (!lw_str_has_prefix(e->call->name, LW_S("tensorflow.train.")) ||
        !lw_str_has_suffix(e->call->name, LW_S("Optimizer.minimize")) || c->files.n > 1 ||
        e->node == LW_NO_NODE || !ck_shows(c, "call *Session") || !ck_shows(c, "call .run"))
        return;
    uint32_t up = lw_tree_parent(t, e->node);
    bool alone = up != LW_NO_NODE && lw_tree_kind(t, up) == LW_NODE_EXPR;
    if ((!alone && !syntax_is_never_read(t, e->node)) || ck_shows(c, "attribute assign*") ||
        ck_shows(c, "name apply_gradients"))
        return; /* by hand, to show what minimize() does */
    ck_find(c, e->node, "training/missing-step", NULL, 0,
            "minimize() only creates the training operation, and no session runs it: the "
            "weights never change");
}

/* ---- gradients that nobody applies --------------------------------------------------------
 */

static bool has_optimizer(const struct ck *c)
{
    for (size_t i = 0; i < c->instances.n; i++)
        if (!c->instances.v[i]->of && c->instances.v[i]->api &&
            c->instances.v[i]->api->kind == LW_API_OPTIMIZER)
            return true;
    return false;
}

/* tape.gradient(loss, model.trainable_variables), and nothing changes a weight. */
static void watch_gradient(struct ck *c, const struct ck_event *e)
{
    static const char *const changes[] = {"name apply_gradients", "attribute assign*",
                                          "call minimize", "call .apply", "name set_weights"};
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t of = e->call->n > 1 ? e->call->args[1].node : LW_NO_NODE;
    if (!lw_str_has_suffix(e->call->name, LW_S("GradientTape.gradient")) || of == LW_NO_NODE ||
        c->files.n > 1 || lw_str_find(lw_tree_text(t, of), LW_S("trainable_")) == LW_NPOS ||
        !has_optimizer(c) || ck_shows_any(c, changes, sizeof changes / sizeof *changes))
        return;
    ck_find(c, e->node, "training/missing-step", NULL, 0,
            "gradients are computed, but nothing changes the weights: call "
            "optimizer.apply_gradients(zip(gradients, variables))");
}

static void make_step(struct fix *f)
{
    struct lw_str owner = fix_owner_of_call(f, f->node, "zero_grad");
    if (!owner.n)
        return;
    fix_say(f, "call %.*s.step() after backward()", LW_F(owner));
    fix_line_behind(f, fix_statement(f, f->node), ck_text(f->c, "%.*s.step()", LW_F(owner)));
}

/* ---- training steps of Lightning -----------------------------------------------------------
 */

static bool is_lightning(const struct lw_tree *t, uint32_t cls)
{
    for (uint32_t b = lw_tree_each(t, cls, LW_ROLE_BASES, LW_NO_NODE); b != LW_NO_NODE;
         b = lw_tree_each(t, cls, LW_ROLE_BASES, b))
        if (lw_str_has_suffix(lw_tree_text(t, b), LW_S("LightningModule")))
            return true;
    return false;
}

/* Does it hand back anything, or train by itself? */
static bool hands_back(const struct lw_tree *t, uint32_t f)
{
    static const char *const own[] = {"backward(", "NotImplemented", "automatic_optimization"};
    for (uint32_t n = lw_tree_next(t, f, f, false); n != LW_NO_NODE;
         n = lw_tree_next(t, f, n, false)) {
        enum lw_node_kind kind = lw_tree_kind(t, n);
        if (kind == LW_NODE_YIELD || kind == LW_NODE_RAISE ||
            (kind == LW_NODE_RETURN && lw_tree_get(t, n, LW_ROLE_VALUE) != LW_NO_NODE))
            return true;
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (lw_str_find(lw_tree_text(t, f), lw_str(own[i])) != LW_NPOS)
            return true;
    return false;
}

/* training_step() of Lightning is told the loss only by what is returned. */
static void watch_class(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *cls = e->object;
    const struct lw_tree *t = &c->frame->file->tree;
    if (!cls || cls->file != c->frame->file || !is_lightning(t, cls->node) ||
        ck_shows(c, "name automatic_optimization"))
        return;
    for (uint32_t f = lw_tree_each(t, cls->node, LW_ROLE_BODY, LW_NO_NODE); f != LW_NO_NODE;
         f = lw_tree_each(t, cls->node, LW_ROLE_BODY, f))
        if (lw_tree_kind(t, f) == LW_NODE_FUNCTION &&
            text_is(lw_tree_name(t, f), "training_step") && !hands_back(t, f) &&
            lw_str_find(lw_tree_text(t, f), LW_S("loss")) != LW_NPOS)
            ck_find(c, f, "training/missing-backward", NULL, 0,
                    "training_step() returns nothing: Lightning computes gradients only from "
                    "the returned loss, and skips the step without one; return the loss");
}

/* The variable that a statement before sets and that is called a loss. */
static struct lw_str loss_before(const struct fix *f, uint32_t statement)
{
    for (uint32_t s = fix_neighbour(f, statement, false); s != LW_NO_NODE;
         s = fix_neighbour(f, s, false)) {
        uint32_t target = fix_kind(f, s) == LW_NODE_ASSIGN
                              ? lw_tree_get(f->t, s, LW_ROLE_TARGETS)
                              : LW_NO_NODE;
        if (fix_kind(f, target) == LW_NODE_NAME &&
            lw_str_find(fix_text(f, target), LW_S("loss")) >= 0)
            return fix_text(f, target);
    }
    return (struct lw_str){0};
}

static void make_backward(struct fix *f)
{
    uint32_t step = fix_statement(f, f->node);
    struct lw_str loss = loss_before(f, step);
    if (!loss.n)
        return;
    fix_say(f, "call %.*s.backward() before optimizer.step()", LW_F(loss));
    fix_line_before(f, step, ck_text(f->c, "%.*s.backward()", LW_F(loss)));
}

const struct ck_rule rules_training_missing_step[] = {
    {"training/missing-backward training/missing-step", CK_EV_BACKWARD, watch_backward},
    {"training/missing-backward training/missing-step", CK_EV_STEP, watch_step},
    {"training/missing-backward training/missing-step", CK_EV_ZERO_GRAD, watch_zero},
    {"training/missing-step", CK_EV_CALL, watch_minimize, .calls = "*Optimizer.minimize"},
    {"training/missing-step", CK_EV_CALL, watch_gradient, .calls = ".gradient"},
    {"training/missing-backward", CK_EV_CLASS, watch_class},
    {"training/missing-step", CK_EV_END, watch_still},
    {"training/missing-backward training/missing-step", CK_EV_END, watch_protocol},
    {"training/missing-backward training/missing-step", CK_EV_END, watch_end},
    {"training/missing-backward", .fix = make_backward},
    {"training/missing-step", .fix = make_step},
    {0},
};
