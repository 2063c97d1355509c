/*
 * Rules about training loops whose model, optimiser and data come from elsewhere: what the
 * loop forgets is seen from what it calls (protocol.h), whatever the values are.
 */
#include "base/str.h"
#include "check/look.h"
#include "check/protocol.h"
#include "check/rules.h"

/* A file of the program, and what all of it calls. */
struct reading {
    struct ck *c;
    struct ck_file *file;
    const struct lw_tree *t;
    struct protocol all, loop; /* of the file; of the loop that is looked at */
};

static const struct lw_str anybody = {0};

/* ---- gradients that are never set back ----------------------------------------------------
 */

static bool is_called_often(const struct lw_tree *t, uint32_t call)
{
    static const char *const names[] = {"train",   "train_step",  "training_step",  "update",
                                        "learn",   "optimize",    "optimize_model", "_train",
                                        "_update", "train_batch", "train_one_step"};
    uint32_t f = lw_tree_enclosing(t, call, LW_NODE_FUNCTION);
    return look_loop_around(t, call) != LW_NO_NODE ||
           (f != LW_NO_NODE && look_is_any(lw_tree_name(t, f), names, 11));
}

/* backward() and step() again and again, and no word about gradients that are set back. A class
 * of the program with a step() may do it there. */
static void check_never_cleared(struct reading *r)
{
    const struct protocol *p = &r->all;
    size_t back = protocol_find(p, PROTOCOL_BACKWARD, anybody, 0);
    size_t step = protocol_find(p, PROTOCOL_STEP, anybody, back);
    if (back == p->n || step == p->n || p->more ||
        !is_called_often(r->t, p->calls[back].node) ||
        lw_tree_enclosing(r->t, p->calls[back].node, LW_NODE_FUNCTION) !=
            lw_tree_enclosing(r->t, p->calls[step].node, LW_NODE_FUNCTION) ||
        protocol_clears_gradients(r->c) || ck_mentions(r->c, "def step") ||
        ck_mentions(r->c, "autograd.grad(") || ck_mentions(r->c, "Hogwild"))
        return;
    ck_find_at(r->c, r->file, p->calls[back].node, "api/missing-zero-grad", NULL, 0,
               "gradients are never set to zero: each backward() adds to those of the steps "
               "before; call %.*s.zero_grad() in the loop",
               LW_F(p->calls[step].who));
}

/* Are all that are set back optimisers that step? Else one of them may stand for others. */
static bool are_steppers_cleared(const struct protocol *p)
{
    for (size_t i = protocol_find(p, PROTOCOL_ZERO, anybody, 0); i < p->n;
         i = protocol_find(p, PROTOCOL_ZERO, anybody, i + 1))
        if (protocol_find(p, PROTOCOL_STEP, p->calls[i].who, 0) == p->n)
            return false;
    return true;
}

/* Of two optimisers in one loop one is set back, the other never. */
static void check_one_kept(struct reading *r)
{
    const struct protocol *p = &r->loop;
    size_t zero = protocol_find(p, PROTOCOL_ZERO, anybody, 0);
    if (zero == p->n || !are_steppers_cleared(&r->all) || r->all.more ||
        ck_mentions(r->c, ".grad = None") || ck_mentions(r->c, "def step"))
        return;
    for (size_t i = protocol_find(p, PROTOCOL_STEP, anybody, 0); i < p->n;
         i = protocol_find(p, PROTOCOL_STEP, anybody, i + 1)) {
        size_t back = protocol_find(p, PROTOCOL_BACKWARD, anybody, 0);
        if (back < i && look_is_name(p->calls[i].who) &&
            protocol_find(&r->all, PROTOCOL_ZERO, p->calls[i].who, 0) == r->all.n)
            ck_find_at(r->c, r->file, p->calls[i].node, "training/gradients-kept", NULL, 0,
                       "the gradients of '%.*s' are never set to zero, only those of "
                       "'%.*s': each backward() adds to them; call its zero_grad() too",
                       LW_F(p->calls[i].who), LW_F(p->calls[zero].who));
    }
}

/* Is the name an argument of a call in the loop, which may step for it? Rates are set and
 * states are saved that way, too. */
static bool is_handed_on(const struct lw_tree *t, uint32_t loop, struct lw_str who)
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
static void check_one_still(struct reading *r, uint32_t loop)
{
    const struct protocol *p = &r->loop;
    if (r->all.more || protocol_find(p, PROTOCOL_STEP, anybody, 0) == p->n)
        return;
    for (size_t i = protocol_find(p, PROTOCOL_ZERO, anybody, 0); i < p->n;
         i = protocol_find(p, PROTOCOL_ZERO, anybody, i + 1)) {
        struct lw_str who = p->calls[i].who;
        size_t back = protocol_find(p, PROTOCOL_BACKWARD, anybody, i);
        struct lw_str step = ck_text(r->c, "%.*s.step", LW_F(who));
        if (!protocol_is_optimizer(who) || back == p->n ||
            lw_str_find(lw_tree_text(r->t, r->t->root), step) != LW_NPOS ||
            is_handed_on(r->t, loop, who))
            continue;
        ck_find_at(r->c, r->file, p->calls[back].node, "training/missing-step", NULL, 0,
                   "'%.*s' clears its gradients and never steps: what it has stays as it "
                   "began; call its step() after backward()",
                   LW_F(who));
    }
}

/* ---- gradients under a condition ----------------------------------------------------------
 */

/* The innermost `if` between the node and the loop; LW_NO_NODE: none. */
static uint32_t condition_around(const struct lw_tree *t, uint32_t node, uint32_t loop)
{
    for (uint32_t n = lw_tree_parent(t, node); n != LW_NO_NODE && n != loop;
         n = lw_tree_parent(t, n))
        if (lw_tree_kind(t, n) == LW_NODE_IF)
            return n;
    return LW_NO_NODE;
}

/* The `if step % n == 0` around the node. */
static uint32_t every_nth(const struct lw_tree *t, uint32_t node, uint32_t loop)
{
    uint32_t n = condition_around(t, node, loop);
    while (n != LW_NO_NODE &&
           lw_str_find(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TEST)), LW_S("%")) == LW_NPOS)
        n = condition_around(t, n, loop);
    return n;
}

/* What is run again and again around the node: a loop, else the function, one step of it. */
static uint32_t pass_around(const struct lw_tree *t, uint32_t node)
{
    uint32_t loop = look_loop_around(t, node);
    return loop != LW_NO_NODE ? loop : lw_tree_enclosing(t, node, LW_NODE_FUNCTION);
}

/* who.zero_grad() in each pass of the loop. */
static size_t always_cleared(const struct reading *r, struct lw_str who, uint32_t loop)
{
    const struct protocol *p = &r->loop;
    size_t i = protocol_find(p, PROTOCOL_ZERO, who, 0);
    while (i < p->n && (pass_around(r->t, p->calls[i].node) != loop ||
                        condition_around(r->t, p->calls[i].node, loop) != LW_NO_NODE))
        i = protocol_find(p, PROTOCOL_ZERO, who, i + 1);
    return i;
}

/* Gradients are cleared in each pass and used in every n-th: those of the others are lost. */
static void check_accumulation(struct reading *r)
{
    const struct protocol *p = &r->loop;
    for (size_t i = protocol_find(p, PROTOCOL_STEP, anybody, 0); i < p->n;
         i = protocol_find(p, PROTOCOL_STEP, anybody, i + 1)) {
        uint32_t loop = pass_around(r->t, p->calls[i].node);
        uint32_t nth = loop == LW_NO_NODE ? loop : every_nth(r->t, p->calls[i].node, loop);
        size_t zero = nth == LW_NO_NODE ? p->n : always_cleared(r, p->calls[i].who, loop);
        if (zero == p->n)
            continue;
        bool always = false, inside = false;
        for (size_t k = protocol_find(p, PROTOCOL_BACKWARD, anybody, 0); k < p->n;
             k = protocol_find(p, PROTOCOL_BACKWARD, anybody, k + 1)) {
            always |= pass_around(r->t, p->calls[k].node) == loop;
            inside |= look_inside(r->t, p->calls[k].node, nth);
        }
        if (always && !inside)
            ck_find_at(
                r->c, r->file, p->calls[zero].node, "training/gradients-cleared", NULL, 0,
                "the gradients are set to zero in every pass, but the optimizer steps only in "
                "some: those of the other passes are lost; clear them after step()");
    }
}

/* Is the node in the first block of the `if`? */
static bool is_in_body(const struct lw_tree *t, uint32_t node, uint32_t branch)
{
    for (uint32_t s = lw_tree_each(t, branch, LW_ROLE_BODY, LW_NO_NODE); s != LW_NO_NODE;
         s = lw_tree_each(t, branch, LW_ROLE_BODY, s))
        if (look_inside(t, node, s))
            return true;
    return false;
}

static bool is_on_side(const struct lw_tree *t, uint32_t node, uint32_t branch, bool body)
{
    return look_inside(t, node, branch) && is_in_body(t, node, branch) == body;
}

/* if mixed: scale(loss).backward(), step  else: zero_grad, backward, step */
static void check_one_way(struct reading *r, size_t back)
{
    const struct protocol *p = &r->loop;
    uint32_t node = p->calls[back].node, loop = look_loop_around(r->t, node);
    uint32_t branch = loop == LW_NO_NODE ? loop : condition_around(r->t, node, loop);
    if (branch == LW_NO_NODE)
        return;
    bool side = is_in_body(r->t, node, branch);
    for (size_t i = protocol_find(p, PROTOCOL_STEP, anybody, back); i < p->n;
         i = protocol_find(p, PROTOCOL_STEP, anybody, i + 1)) {
        struct lw_str who = p->calls[i].who;
        size_t zero = protocol_find(&r->all, PROTOCOL_ZERO, who, 0);
        size_t other = protocol_find(p, PROTOCOL_BACKWARD, anybody, 0);
        while (other < p->n && !is_on_side(r->t, p->calls[other].node, branch, !side))
            other = protocol_find(p, PROTOCOL_BACKWARD, anybody, other + 1);
        if (!is_on_side(r->t, p->calls[i].node, branch, side) || zero == r->all.n ||
            other == p->n)
            continue;
        bool elsewhere = false;
        for (; zero < r->all.n; zero = protocol_find(&r->all, PROTOCOL_ZERO, who, zero + 1))
            elsewhere |= !is_on_side(r->t, r->all.calls[zero].node, branch, !side);
        if (!elsewhere && are_steppers_cleared(&r->all) && !r->all.more)
            ck_find_at(
                r->c, r->file, node, "api/missing-zero-grad", NULL, 0,
                "gradients are set to zero only in the other branch: here each backward() adds "
                "to those of the steps before; call %.*s.zero_grad() in both",
                LW_F(who));
        return;
    }
}

/* ---- modes --------------------------------------------------------------------------------
 */

/* The text of what a name inside the callee is in the caller: a parameter is its argument. */
static struct lw_str in_caller(const struct reading *r, struct protocol_function callee,
                               uint32_t call, struct lw_str who)
{
    const struct lw_tree *t = &callee.file->tree;
    uint32_t params = lw_tree_get(t, callee.node, LW_ROLE_ARGS);
    uint32_t count = params == LW_NO_NODE ? 0 : lw_tree_node(t, params)->count;
    uint32_t arg = lw_tree_each(r->t, call, LW_ROLE_ARGS, LW_NO_NODE);
    bool method = look_owner(r->t, call) != LW_NO_NODE;
    for (uint32_t i = method ? 1 : 0; i < count; i++) {
        uint32_t param = lw_tree_node(t, params)->child + i;
        if (lw_str_eq(lw_tree_name(t, param), who))
            return arg == LW_NO_NODE ? (struct lw_str){0} : lw_tree_text(r->t, arg);
        arg = arg == LW_NO_NODE ? arg : lw_tree_each(r->t, call, LW_ROLE_ARGS, arg);
    }
    return callee.file == r->file ? who : (struct lw_str){0};
}

/* The first call of `who` inside `top` and behind the node; LW_NO_NODE: none. */
static uint32_t use_behind(const struct lw_tree *t, uint32_t top, uint32_t behind,
                           struct lw_str who)
{
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL &&
            lw_tree_start(t, n) > lw_tree_start(t, behind) &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_FUNC)), who))
            return n;
    return LW_NO_NODE;
}

/* The network that the callee leaves in evaluation mode, as the caller names it. */
static struct lw_str left_in_eval(const struct reading *r, uint32_t call,
                                  struct protocol_function callee)
{
    struct protocol p;
    const struct lw_tree *t = &callee.file->tree;
    protocol_read(t, callee.node, &p);
    size_t eval = protocol_find(&p, PROTOCOL_EVAL, anybody, 0);
    if (eval == p.n || p.more || protocol_find(&p, PROTOCOL_TRAIN, anybody, eval) < p.n ||
        protocol_find(&p, PROTOCOL_BACKWARD, anybody, 0) < p.n ||
        lw_str_find(lw_tree_text(t, callee.node), LW_S(".training")) != LW_NPOS ||
        lw_str_find(lw_tree_text(t, callee.node), LW_S(".train(")) != LW_NPOS)
        return (struct lw_str){0};
    return in_caller(r, callee, call, p.calls[eval].who);
}

/* validate(model) inside the loop over batches leaves eval() on for the rest of them. */
static void check_helper(struct reading *r, uint32_t call)
{
    const struct protocol *p = &r->loop;
    uint32_t loop = look_loop_around(r->t, call);
    bool trains = false;
    for (size_t i = protocol_find(p, PROTOCOL_BACKWARD, anybody, 0); i < p->n;
         i = protocol_find(p, PROTOCOL_BACKWARD, anybody, i + 1))
        trains |= loop != LW_NO_NODE && look_inside(r->t, p->calls[i].node, loop);
    struct protocol_function callee = {.node = LW_NO_NODE};
    if (trains)
        callee = protocol_callee(r->c, r->file, call);
    struct lw_str who =
        callee.node == LW_NO_NODE ? (struct lw_str){0} : left_in_eval(r, call, callee);
    uint32_t next =
        who.n ? lw_tree_next(r->t, loop, lw_tree_statement(r->t, call), true) : LW_NO_NODE;
    if (!who.n || use_behind(r->t, loop, loop, who) == LW_NO_NODE ||
        lw_str_find(lw_tree_text(r->t, loop), LW_S(".train(")) != LW_NPOS ||
        (next != LW_NO_NODE && lw_tree_kind(r->t, next) == LW_NODE_BREAK))
        return;
    ck_find_at(r->c, r->file, call, "api/train-mode-lost", NULL, 0,
               "this leaves '%.*s' in evaluation mode, and the loop goes on training it: call "
               "train() after it",
               LW_F(who));
}

static bool is_trained_behind(const struct reading *r, uint32_t f, uint32_t behind,
                              struct lw_str who)
{
    uint32_t use = use_behind(r->t, f, behind, who);
    return use != LW_NO_NODE && !protocol_is_without_gradient(r->t, use);
}

/* model.train(); boxes = find(model, x), which calls eval(); loss = model(x): trained as it was
 * left. */
static void check_undone(struct reading *r, const struct protocol_call *train)
{
    uint32_t f = lw_tree_enclosing(r->t, train->node, LW_NODE_FUNCTION);
    if (f == LW_NO_NODE || protocol_is_without_gradient(r->t, train->node))
        return;
    struct lw_str text = lw_tree_text(r->t, f);
    bool learns = lw_str_find(lw_tree_name(r->t, f), LW_S("loss")) != LW_NPOS ||
                  lw_str_find(text, LW_S(".backward(")) != LW_NPOS;
    if (!learns || look_next_call(r->t, f, train->node, "train") != LW_NO_NODE)
        return;
    for (uint32_t n = lw_tree_next(r->t, f, train->node, false); n != LW_NO_NODE;
         n = lw_tree_next(r->t, f, n, false)) {
        struct protocol_function callee = {.node = LW_NO_NODE};
        if (lw_tree_kind(r->t, n) == LW_NODE_CALL &&
            look_loop_around(r->t, n) == look_loop_around(r->t, train->node))
            callee = protocol_callee(r->c, r->file, n);
        if (callee.node == LW_NO_NODE || !lw_str_eq(left_in_eval(r, n, callee), train->who) ||
            !is_trained_behind(r, f, n, train->who))
            continue;
        ck_find_at(r->c, r->file, n, "api/train-mode-lost", NULL, 0,
                   "this leaves '%.*s' in evaluation mode, and what follows trains it: call "
                   "train() after it",
                   LW_F(train->who));
        return;
    }
}

/* model, net, classifier: and not criterion, or a function that counts. */
static bool is_network_name(struct lw_str name)
{
    static const char *const parts[] = {"model", "net", "Net", "classif", "encoder", "cnn"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (lw_str_find(name, lw_str(parts[i])) != LW_NPOS)
            return true;
    return false;
}

static bool is_validation_name(struct lw_str name)
{
    return lw_str_has_prefix(name, LW_S("val")) || lw_str_has_prefix(name, LW_S("eval")) ||
           lw_str_has_prefix(name, LW_S("test")) || lw_str_has_prefix(name, LW_S("_val")) ||
           lw_str_has_prefix(name, LW_S("_eval"));
}

/* net.train(); … acc = val(net, loader), which does not say eval(). */
static void check_judged_in_training(struct reading *r, uint32_t call)
{
    uint32_t func = lw_tree_get(r->t, call, LW_ROLE_FUNC);
    uint32_t f = lw_tree_enclosing(r->t, call, LW_NODE_FUNCTION);
    if (func == LW_NO_NODE || f == LW_NO_NODE ||
        !is_validation_name(look_tail(lw_tree_text(r->t, func))) ||
        (!ck_mentions(r->c, "Dropout") && !ck_mentions(r->c, "BatchNorm")))
        return;
    struct protocol_function callee = protocol_callee(r->c, r->file, call);
    if (callee.node == LW_NO_NODE)
        return;
    struct protocol inner, outer;
    const struct lw_tree *t = &callee.file->tree;
    protocol_read(t, callee.node, &inner);
    protocol_read(r->t, f, &outer);
    if (inner.more || outer.more ||
        protocol_find(&inner, PROTOCOL_EVAL, anybody, 0) < inner.n ||
        protocol_find(&inner, PROTOCOL_TRAIN, anybody, 0) < inner.n ||
        protocol_find(&inner, PROTOCOL_BACKWARD, anybody, 0) < inner.n ||
        protocol_find(&outer, PROTOCOL_EVAL, anybody, 0) < outer.n)
        return;
    uint32_t params = lw_tree_get(t, callee.node, LW_ROLE_ARGS);
    uint32_t count = params == LW_NO_NODE ? 0 : lw_tree_node(t, params)->count;
    for (uint32_t i = 0; i < count; i++) {
        struct lw_str name = lw_tree_name(t, lw_tree_node(t, params)->child + i);
        uint32_t use = use_behind(t, callee.node, callee.node, name);
        if (use == LW_NO_NODE || protocol_find(&outer, PROTOCOL_TRAIN,
                                               in_caller(r, callee, call, name), 0) == outer.n)
            continue;
        ck_find_at(r->c, callee.file, use, "api/eval-missing", NULL, 0,
                   "'%.*s' is evaluated in training mode: dropout and batch normalisation work "
                   "as in training; call eval() before and train() after",
                   LW_F(name));
        return;
    }
}

static bool says_test(struct lw_str name)
{
    return (lw_str_find(name, LW_S("test")) != LW_NPOS ||
            lw_str_find(name, LW_S("val")) != LW_NPOS) &&
           lw_str_find(name, LW_S("value")) == LW_NPOS;
}

/* A network that the loop asks, and that `train` asks, too; LW_NO_NODE: none. */
static uint32_t network_in(const struct reading *r, uint32_t loop, uint32_t train)
{
    for (uint32_t n = lw_tree_next(r->t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(r->t, loop, n, false)) {
        uint32_t func = lw_tree_kind(r->t, n) == LW_NODE_CALL
                            ? lw_tree_get(r->t, n, LW_ROLE_FUNC)
                            : LW_NO_NODE;
        if (func != LW_NO_NODE && lw_tree_kind(r->t, func) == LW_NODE_NAME &&
            is_network_name(lw_tree_name(r->t, func)) &&
            use_behind(r->t, train, train, lw_tree_name(r->t, func)) != LW_NO_NODE)
            return n;
    }
    return LW_NO_NODE;
}

/* for x, y in test_loader: model(x), beside a loop that trains the model, in a program that
 * never says eval(). */
static void check_test_loop(struct reading *r, uint32_t loop)
{
    uint32_t f = lw_tree_enclosing(r->t, loop, LW_NODE_FUNCTION);
    uint32_t over = lw_tree_get(r->t, loop, LW_ROLE_ITER);
    uint32_t top = f == LW_NO_NODE ? r->t->root : f;
    if (over == LW_NO_NODE || ck_mentions(r->c, ".eval()") ||
        ck_mentions(r->c, "train(False)") ||
        (!ck_mentions(r->c, "Dropout") && !ck_mentions(r->c, "BatchNorm")) ||
        ck_mentions(r->c, ".train(mode"))
        return;
    struct lw_str name = lw_tree_text(r->t, over);
    if (lw_tree_kind(r->t, over) == LW_NODE_NAME) /* batches = tqdm(test_loader) */
        for (uint32_t n = lw_tree_next(r->t, top, top, false);
             n != LW_NO_NODE && lw_tree_start(r->t, n) < lw_tree_start(r->t, loop);
             n = lw_tree_next(r->t, top, n, false))
            if (lw_tree_kind(r->t, n) == LW_NODE_ASSIGN &&
                lw_str_eq(lw_tree_text(r->t, lw_tree_get(r->t, n, LW_ROLE_TARGETS)),
                          lw_tree_name(r->t, over)))
                name = lw_tree_text(r->t, lw_tree_get(r->t, n, LW_ROLE_VALUE));
    bool phases = says_test(name) && lw_str_find(name, LW_S("'train'")) != LW_NPOS;
    if (!phases && (!says_test(name) || lw_str_find(name, LW_S("train")) != LW_NPOS))
        return;
    for (size_t i = protocol_find(&r->all, PROTOCOL_BACKWARD, anybody, 0); i < r->all.n;
         i = protocol_find(&r->all, PROTOCOL_BACKWARD, anybody, i + 1)) {
        uint32_t train = look_loop_around(r->t, r->all.calls[i].node);
        if (train == LW_NO_NODE || look_inside(r->t, r->all.calls[i].node, loop) != phases ||
            lw_tree_enclosing(r->t, train, LW_NODE_FUNCTION) != f)
            continue;
        uint32_t use = network_in(r, loop, train);
        if (use == LW_NO_NODE)
            continue;
        ck_find_at(r->c, r->file, use, "api/eval-missing", NULL, 0,
                   "'%.*s' is tested in training mode: dropout and batch normalisation work as "
                   "in training; call eval() before and train() after",
                   LW_F(lw_tree_text(r->t, lw_tree_get(r->t, use, LW_ROLE_FUNC))));
        return;
    }
}

/* model.train() under no_grad(), before the model is asked: its answers are those of training.
 */
static void check_wrong_mode(struct reading *r, const struct protocol_call *call)
{
    static const char *const meant[] = {"bn",       "BatchNorm", "batch_norm", "onte",
                                        "uncert",   "MC",        "mc_",        "calib",
                                        "momentum", "stat",      "swa",        "ema"};
    uint32_t with = lw_tree_enclosing(r->t, call->node, LW_NODE_WITH);
    uint32_t f = lw_tree_enclosing(r->t, call->node, LW_NODE_FUNCTION);
    if (with == LW_NO_NODE || !protocol_is_without_gradient(r->t, call->node) ||
        (f != LW_NO_NODE && !look_inside(r->t, with, f)) ||
        use_behind(r->t, with, call->node, call->who) == LW_NO_NODE)
        return;
    struct lw_str text = lw_tree_text(r->t, f == LW_NO_NODE ? with : f);
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
        if (lw_str_find(text, lw_str(meant[i])) != LW_NPOS)
            return;
    ck_find_at(r->c, r->file, call->node, "api/eval-missing", NULL, 0,
               "'%.*s' is put into training mode for an evaluation: dropout goes on removing "
               "values and batch normalisation learns from the data; call eval()",
               LW_F(call->who));
}

/* ---- the best weights ---------------------------------------------------------------------
 */

/* best = model.state_dict() in a loop that goes on training: `best` is the weights themselves.
 */
static void check_best(struct reading *r, uint32_t assign)
{
    uint32_t value = lw_tree_get(r->t, assign, LW_ROLE_VALUE);
    uint32_t target = lw_tree_get(r->t, assign, LW_ROLE_TARGETS);
    uint32_t loop = look_loop_around(r->t, assign);
    if (value == LW_NO_NODE || look_owner(r->t, value) == LW_NO_NODE || loop == LW_NO_NODE ||
        !look_is(lw_tree_name(r->t, lw_tree_get(r->t, value, LW_ROLE_FUNC)), "state_dict"))
        return;
    struct lw_str name = lw_tree_text(r->t, target), text = lw_tree_text(r->t, loop);
    uint32_t f = lw_tree_enclosing(r->t, assign, LW_NODE_FUNCTION);
    struct lw_str whole = lw_tree_text(r->t, f == LW_NO_NODE ? r->t->root : f);
    bool trains = lw_str_find(text, LW_S("train")) != LW_NPOS ||
                  lw_str_find(text, LW_S(".step(")) != LW_NPOS;
    struct lw_str behind =
        lw_str_from(whole, (size_t)(text.p - whole.p) + text.n); /* read where the loop ended */
    bool kept = lw_str_has_prefix(name, LW_S("self.")) ||
                (look_is_name(name) && lw_str_find(behind, name) != LW_NPOS);
    if (!trains || !kept || lw_str_find(name, LW_S("best")) == LW_NPOS ||
        lw_str_find(text, ck_text(r->c, "(%.*s", LW_F(name))) != LW_NPOS)
        return;
    ck_find_at(
        r->c, r->file, value, "api/weights-by-reference", NULL, 0,
        "state_dict() hands out the weights themselves, which training goes on changing: "
        "keep copy.deepcopy(%.*s)",
        LW_F(lw_tree_text(r->t, value)));
}

/* ---- a file -------------------------------------------------------------------------------
 */

static void check_loop(struct reading *r, uint32_t loop)
{
    protocol_read(r->t, loop, &r->loop);
    const struct protocol *p = &r->loop;
    if (p->more || protocol_find(p, PROTOCOL_BACKWARD, anybody, 0) == p->n)
        return;
    check_one_kept(r);
    check_one_still(r, loop);
    check_accumulation(r);
    for (size_t i = 0; i < p->n; i++)
        if (p->calls[i].word == PROTOCOL_BACKWARD)
            check_one_way(r, i);
    for (uint32_t n = lw_tree_next(r->t, loop, loop, false); n != LW_NO_NODE;
         n = lw_tree_next(r->t, loop, n, false))
        if (lw_tree_kind(r->t, n) == LW_NODE_CALL) {
            check_helper(r, n);
            check_judged_in_training(r, n);
        }
}

/* Functions that are one step of a loop elsewhere. */
static void check_single_steps(struct reading *r)
{
    uint32_t last = LW_NO_NODE;
    for (size_t i = protocol_find(&r->all, PROTOCOL_STEP, anybody, 0); i < r->all.n;
         i = protocol_find(&r->all, PROTOCOL_STEP, anybody, i + 1)) {
        uint32_t node = r->all.calls[i].node;
        uint32_t f = lw_tree_enclosing(r->t, node, LW_NODE_FUNCTION);
        if (look_loop_around(r->t, node) != LW_NO_NODE || f == LW_NO_NODE || f == last)
            continue;
        last = f;
        protocol_read(r->t, f, &r->loop);
        if (!r->loop.more)
            check_accumulation(r);
    }
}

static void check_file(struct ck *c, struct ck_file *file)
{
    struct reading *r = lw_arena_alloc(c->arena, sizeof *r);
    const struct lw_tree *t = &file->tree;
    if (!r)
        return;
    *r = (struct reading){.c = c, .file = file, .t = t};
    protocol_read(t, t->root, &r->all);
    check_never_cleared(r);
    for (size_t i = 0; i < r->all.n; i++)
        if (r->all.calls[i].word == PROTOCOL_TRAIN) {
            check_wrong_mode(r, &r->all.calls[i]);
            check_undone(r, &r->all.calls[i]);
        }
    bool best = lw_str_find(lw_tree_text(t, t->root), LW_S("state_dict()")) != LW_NPOS;
    for (uint32_t n = best ? t->root : LW_NO_NODE; n != LW_NO_NODE;
         n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN)
            check_best(r, n);
    if (protocol_find(&r->all, PROTOCOL_BACKWARD, anybody, 0) == r->all.n)
        return;
    for (uint32_t n = lw_tree_next(t, t->root, t->root, false); n != LW_NO_NODE;
         n = lw_tree_next(t, t->root, n, false))
        if ((lw_tree_kind(t, n) == LW_NODE_FOR || lw_tree_kind(t, n) == LW_NODE_WHILE) &&
            look_loop_around(t, n) == LW_NO_NODE)
            check_loop(r, n);
    check_single_steps(r);
    for (uint32_t n = lw_tree_next(t, t->root, t->root, false); n != LW_NO_NODE;
         n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_FOR)
            check_test_loop(r, n);
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    (void)e;
    if (ck_mentions(c, "torch"))
        check_file(c, c->files.v[0]);
}

const struct ck_rule ck_rules_protocol[] = {
    {CK_EV_END, watch_end},
    {0, NULL},
};
