/*
 * Networks that are tested as they are trained, or trained as they were tested: eval() or
 * train() is missing. Where the model is known, by its value; else from the words of the
 * program (protocol.h).
 */
#include "base/str.h"
#include "check/models/models.h"
#include "check/models/module.h"
#include "check/query/look.h"
#include "check/query/program.h"
#include "check/query/protocol.h"
#include "check/query/trace.h"
#include "check/query/roles.h"
#include "check/rules/rules.h"

/* ---- models that are known -----------------------------------------------------------------
 */

static uint32_t grad_off_node(const struct ck *c)
{
    for (size_t i = c->contexts.n; i-- > 0;) {
        const struct ck_object *o = ck_as(c->contexts.v[i].value, CK_INSTANCE);
        if (o && o->api && o->file == c->frame->file &&
            (lw_str_eq(o->api->name, LW_S("torch.no_grad")) ||
             lw_str_eq(o->api->name, LW_S("torch.inference_mode"))))
            return o->node;
    }
    return LW_NO_NODE;
}

/* Dropout or batch normalisation under no_grad(), and nothing ever calls eval(). */
static void watch_eval(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *o = e->object;
    if (!o || o->of || !o->api || ck_is_driven(c) || !ck_grad_off(c) ||
        ck_field(c, o, "training").kind != LW_V_ABSENT)
        return;
    bool norm = lw_str_has_prefix(o->api->name, LW_S("torch.nn.BatchNorm"));
    if (!norm && !lw_str_has_prefix(o->api->name, LW_S("torch.nn.Dropout")))
        return;
    uint32_t node = grad_off_node(c);
    if (!ck_shows(c, "name *backward*") || ck_shows(c, "call eval()") || protocol_sets_mode(c))
        return;
    ck_find(c, node == LW_NO_NODE ? e->node : node, "api/eval-missing", NULL, 0,
            "the model is evaluated in training mode: %s; call eval() before the evaluation "
            "and train() after it",
            norm ? "batch normalisation uses the statistics of the test batch and updates its "
                   "running averages"
                 : "dropout stays active");
}

/* model.eval() in a loop that also trains, and no model.train() in it: from the second pass on
 * the model trains in evaluation mode. */
static void watch_loop(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (e->flag || lw_tree_enclosing(t, e->node, LW_NODE_FOR) != LW_NO_NODE)
        return;
    uint32_t eval = syntax_method_call(t, e->node, "eval");
    if (eval == LW_NO_NODE || syntax_method_call(t, e->node, "backward") == LW_NO_NODE ||
        syntax_method_call(t, e->node, "train") != LW_NO_NODE ||
        syntax_method_call(t, e->node, "step") == LW_NO_NODE ||
        lw_tree_count(t, eval, LW_ROLE_ARGS) > 0)
        return;
    uint32_t owner = lw_tree_get(t, lw_tree_get(t, eval, LW_ROLE_FUNC), LW_ROLE_VALUE);
    struct lw_value v = ck_eval(c, owner);
    struct ck_object *o = ck_as(v, CK_INSTANCE);
    if (!o || !ck_is_torch_module(c, o) ||
        lw_tree_start(t, syntax_method_call(t, e->node, "backward")) > lw_tree_start(t, eval))
        return;
    ck_find(
        c, eval, "api/train-mode-lost", NULL, 0,
        "eval() puts the model into evaluation mode, and nothing puts it back: from the next "
        "epoch on it trains in evaluation mode; call train() at the start of each epoch");
}

/* ---- a mode that another function leaves ---------------------------------------------------
 */

/* The text of what a name inside the callee is in the caller: a parameter is its argument. */
static struct lw_str in_caller(const struct protocol_program *r,
                               struct protocol_function callee, uint32_t call,
                               struct lw_str who)
{
    const struct lw_tree *t = &callee.file->tree;
    uint32_t params = lw_tree_get(t, callee.node, LW_ROLE_ARGS);
    uint32_t count = params == LW_NO_NODE ? 0 : lw_tree_node(t, params)->count;
    uint32_t arg = lw_tree_each(r->t, call, LW_ROLE_ARGS, LW_NO_NODE);
    bool method = syntax_owner(r->t, call) != LW_NO_NODE;
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
static struct lw_str left_in_eval(const struct protocol_program *r, uint32_t call,
                                  struct protocol_function callee)
{
    struct protocol p;
    const struct lw_tree *t = &callee.file->tree;
    protocol_read(t, callee.node, &p);
    size_t eval = protocol_find(&p, PROTOCOL_EVAL, PROTOCOL_ANYBODY, 0);
    if (eval == p.n || p.more ||
        protocol_find(&p, PROTOCOL_TRAIN, PROTOCOL_ANYBODY, eval) < p.n ||
        protocol_find(&p, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, 0) < p.n ||
        lw_str_find(lw_tree_text(t, callee.node), LW_S(".training")) != LW_NPOS ||
        lw_str_find(lw_tree_text(t, callee.node), LW_S(".train(")) != LW_NPOS)
        return (struct lw_str){0};
    return in_caller(r, callee, call, p.calls[eval].who);
}

/* validate(model) inside the loop over batches leaves eval() on for the rest of them. */
static void check_helper(const struct protocol_program *r, const struct protocol *p,
                         uint32_t call)
{
    uint32_t loop = syntax_loop_around(r->t, call);
    bool trains = false;
    for (size_t i = protocol_find(p, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, 0); i < p->n;
         i = protocol_find(p, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, i + 1))
        trains |= loop != LW_NO_NODE && syntax_inside(r->t, p->calls[i].node, loop);
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
               "this call leaves '%.*s' in evaluation mode, and the loop continues to train "
               "it: call train() afterwards",
               LW_F(who));
}

static bool is_trained_behind(const struct protocol_program *r, uint32_t f, uint32_t behind,
                              struct lw_str who)
{
    uint32_t use = use_behind(r->t, f, behind, who);
    return use != LW_NO_NODE && !protocol_is_without_gradient(r->t, use);
}

/* model.train(); boxes = find(model, x), which calls eval(); loss = model(x): trained as it was
 * left. */
static void check_undone(const struct protocol_program *r, const struct protocol_call *train)
{
    uint32_t f = lw_tree_enclosing(r->t, train->node, LW_NODE_FUNCTION);
    if (f == LW_NO_NODE || protocol_is_without_gradient(r->t, train->node))
        return;
    struct lw_str text = lw_tree_text(r->t, f);
    bool learns = lw_str_find(lw_tree_name(r->t, f), LW_S("loss")) != LW_NPOS ||
                  lw_str_find(text, LW_S(".backward(")) != LW_NPOS;
    if (!learns || syntax_next_call(r->t, f, train->node, "train") != LW_NO_NODE)
        return;
    for (uint32_t n = lw_tree_next(r->t, f, train->node, false); n != LW_NO_NODE;
         n = lw_tree_next(r->t, f, n, false)) {
        struct protocol_function callee = {.node = LW_NO_NODE};
        if (lw_tree_kind(r->t, n) == LW_NODE_CALL &&
            syntax_loop_around(r->t, n) == syntax_loop_around(r->t, train->node))
            callee = protocol_callee(r->c, r->file, n);
        if (callee.node == LW_NO_NODE || !lw_str_eq(left_in_eval(r, n, callee), train->who) ||
            !is_trained_behind(r, f, n, train->who))
            continue;
        ck_find_at(r->c, r->file, n, "api/train-mode-lost", NULL, 0,
                   "this call leaves '%.*s' in evaluation mode, and the code after it trains "
                   "the model: call train() afterwards",
                   LW_F(train->who));
        return;
    }
}

/* ---- tests in the mode of training ---------------------------------------------------------
 */

/* model, net, classifier: and not criterion, or a function that counts. */
static bool is_network_name(struct lw_str name)
{
    static const char *const parts[] = {"model", "net", "Net", "classif", "encoder", "cnn"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (lw_str_find(name, lw_str(parts[i])) != LW_NPOS)
            return true;
    return false;
}

/* net.train(); … acc = val(net, loader), which does not say eval(). */
static void check_judged_in_training(const struct protocol_program *r, uint32_t call)
{
    uint32_t func = lw_tree_get(r->t, call, LW_ROLE_FUNC);
    uint32_t f = lw_tree_enclosing(r->t, call, LW_NODE_FUNCTION);
    if (func == LW_NO_NODE || f == LW_NO_NODE ||
        !role_is_named(r->c, text_tail(lw_tree_text(r->t, func)), ROLE_TEST) ||
        (!ck_shows(r->c, "name *Dropout*") && !ck_shows(r->c, "name *BatchNorm*")))
        return;
    struct protocol_function callee = protocol_callee(r->c, r->file, call);
    if (callee.node == LW_NO_NODE)
        return;
    struct protocol inner, outer;
    const struct lw_tree *t = &callee.file->tree;
    protocol_read(t, callee.node, &inner);
    protocol_read(r->t, f, &outer);
    if (inner.more || outer.more ||
        protocol_find(&inner, PROTOCOL_EVAL, PROTOCOL_ANYBODY, 0) < inner.n ||
        protocol_find(&inner, PROTOCOL_TRAIN, PROTOCOL_ANYBODY, 0) < inner.n ||
        protocol_find(&inner, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, 0) < inner.n ||
        protocol_find(&outer, PROTOCOL_EVAL, PROTOCOL_ANYBODY, 0) < outer.n)
        return;
    uint32_t params = lw_tree_get(t, callee.node, LW_ROLE_ARGS);
    uint32_t count = params == LW_NO_NODE ? 0 : lw_tree_node(t, params)->count;
    for (uint32_t i = 0; i < count; i++) {
        struct lw_str name = lw_tree_name(t, lw_tree_node(t, params)->child + i);
        uint32_t use = use_behind(t, callee.node, callee.node, name);
        if (use == LW_NO_NODE || protocol_find(&outer, PROTOCOL_TRAIN,
                                               in_caller(r, callee, call, name), 0) == outer.n)
            continue;
        ck_find_at(
            r->c, callee.file, use, "api/eval-missing", NULL, 0,
            "'%.*s' is evaluated in training mode, in which dropout and batch normalisation "
            "behave differently: call eval() before the evaluation and train() after it",
            LW_F(name));
        return;
    }
}

/* for phase in ["train", "val"] */
static bool names_phases(const struct protocol_program *r, uint32_t list)
{
    bool training = false, test = false;
    for (uint32_t e = lw_tree_each(r->t, list, LW_ROLE_ELTS, LW_NO_NODE); e != LW_NO_NODE;
         e = lw_tree_each(r->t, list, LW_ROLE_ELTS, e)) {
        struct lw_str phase = program_text(r->t, e);
        training |= role_is_named(r->c, phase, ROLE_TRAINING);
        test |= role_is_named(r->c, phase, ROLE_TEST);
    }
    return training && test;
}

/* A network that the loop asks, and that `train` asks, too; LW_NO_NODE: none. */
static uint32_t network_in(const struct protocol_program *r, uint32_t loop, uint32_t train)
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
static void check_test_loop(const struct protocol_program *r, uint32_t loop)
{
    uint32_t f = lw_tree_enclosing(r->t, loop, LW_NODE_FUNCTION);
    uint32_t over = lw_tree_get(r->t, loop, LW_ROLE_ITER);
    if (over == LW_NO_NODE || ck_shows(r->c, "call eval()") ||
        (!ck_shows(r->c, "name *Dropout*") && !ck_shows(r->c, "name *BatchNorm*")) ||
        protocol_sets_mode(r->c))
        return;
    if (lw_tree_kind(r->t, over) == LW_NODE_NAME) { /* batches = tqdm(test_loader) */
        uint32_t given = places_assigned(r->c, r->file, over);
        over = given == LW_NO_NODE ? over : given;
    }
    bool phases = names_phases(r, over);
    if (!phases && !role_is_named(r->c, lw_tree_text(r->t, over), ROLE_TEST))
        return;
    for (size_t i = protocol_find(&r->all, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, 0);
         i < r->all.n; i = protocol_find(&r->all, PROTOCOL_BACKWARD, PROTOCOL_ANYBODY, i + 1)) {
        uint32_t train = syntax_loop_around(r->t, r->all.calls[i].node);
        if (train == LW_NO_NODE || syntax_inside(r->t, r->all.calls[i].node, loop) != phases ||
            lw_tree_enclosing(r->t, train, LW_NODE_FUNCTION) != f)
            continue;
        uint32_t use = network_in(r, loop, train);
        if (use == LW_NO_NODE)
            continue;
        ck_find_at(
            r->c, r->file, use, "api/eval-missing", NULL, 0,
            "'%.*s' is evaluated in training mode, in which dropout and batch normalisation "
            "behave differently: call eval() before the evaluation and train() after it",
            LW_F(lw_tree_text(r->t, lw_tree_get(r->t, use, LW_ROLE_FUNC))));
        return;
    }
}

/* model.train() under no_grad(), before the model is asked: its answers are those of training.
 */
static void check_wrong_mode(const struct protocol_program *r, const struct protocol_call *call)
{
    static const char *const meant[] = {"bn",       "BatchNorm", "batch_norm", "onte",
                                        "uncert",   "MC",        "mc_",        "calib",
                                        "momentum", "stat",      "swa",        "ema"};
    uint32_t with = lw_tree_enclosing(r->t, call->node, LW_NODE_WITH);
    uint32_t f = lw_tree_enclosing(r->t, call->node, LW_NODE_FUNCTION);
    if (with == LW_NO_NODE || !protocol_is_without_gradient(r->t, call->node) ||
        (f != LW_NO_NODE && !syntax_inside(r->t, with, f)) ||
        use_behind(r->t, with, call->node, call->who) == LW_NO_NODE)
        return;
    struct lw_str text = lw_tree_text(r->t, f == LW_NO_NODE ? with : f);
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
        if (lw_str_find(text, lw_str(meant[i])) != LW_NPOS)
            return;
    ck_find_at(r->c, r->file, call->node, "api/eval-missing", NULL, 0,
               "'%.*s' is put into training mode for an evaluation: dropout stays active and "
               "batch normalisation is updated with test data; call eval() instead",
               LW_F(call->who));
}

/* Where the model comes from elsewhere: what the program calls says enough. */
static void watch_protocol(struct ck *c, const struct ck_event *e)
{
    const struct protocol_program *r = protocol_of(c);
    struct protocol p;
    (void)e;
    if (!r)
        return;
    const struct lw_tree *t = r->t;
    for (size_t i = 0; i < r->all.n; i++)
        if (r->all.calls[i].word == PROTOCOL_TRAIN) {
            check_wrong_mode(r, &r->all.calls[i]);
            check_undone(r, &r->all.calls[i]);
        }
    for (uint32_t loop = protocol_next_training(r, t->root, &p); loop != LW_NO_NODE;
         loop = protocol_next_training(r, loop, &p))
        for (uint32_t n = lw_tree_next(t, loop, loop, false); n != LW_NO_NODE;
             n = lw_tree_next(t, loop, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_CALL) {
                check_helper(r, &p, n);
                check_judged_in_training(r, n);
            }
    for (uint32_t n = lw_tree_next(t, t->root, t->root, false); n != LW_NO_NODE;
         n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_FOR)
            check_test_loop(r, n);
}

/* ---- tested as it is trained, trained as it was tested -------------------------------------
 */

/* Random answers, or new statistics, that are wanted. */
static bool is_on_purpose(struct ck *c, const struct ck_file *file)
{
    static const char *const words[] = {
        "name *onte_carlo*",  "name *mc_dropout*", "name *MCDropout*",
        "name *uncertainty*", "name *update_bn*",  "name *bn_update*",
        "name *calibrat*",    "name *set_mode*",   "name *is_train*"};
    static const char *const modes[] = {"attribute model.training", "attribute net.training",
                                        "attribute training="};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (ck_file_shows(c, file, modes[i]))
            return true;
    return protocol_sets_mode(c) || ck_shows_any(c, words, sizeof words / sizeof *words);
}

/* A call of `who`, or one that hands it on to a function that tests, under no_grad(). */
static uint32_t test_of(const struct protocol_program *r, struct lw_str who)
{
    const struct lw_tree *t = r->t;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t func =
            lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC) : LW_NO_NODE;
        if (func != LW_NO_NODE && lw_str_eq(lw_tree_text(t, func), who) &&
            protocol_is_without_gradient(t, n) && syntax_loop_around(t, n) != LW_NO_NODE)
            return n;
    }
    return LW_NO_NODE;
}

/* Pictures of a generator are made as it is trained, by custom. */
static bool is_generator(struct lw_str who)
{
    struct lw_str name = text_tail(who);
    return text_says(name, "gen") || text_says(name, "Gen") || text_is(name, "G") ||
           text_says(name, "netG") || lw_str_has_prefix(name, LW_S("G_"));
}

/* net.train() in the program, net(x) under no_grad() in a loop, and eval() nowhere. */
static void check_tested(const struct protocol_program *r)
{
    if (ck_file_shows(r->c, r->file, "call eval()") || ck_shows(r->c, "call model.eval") ||
        ck_shows(r->c, "call net.eval") || ck_shows(r->c, "call module.eval") ||
        is_on_purpose(r->c, r->file) ||
        (!ck_shows(r->c, "name *Dropout*") && !ck_shows(r->c, "name *BatchNorm*") &&
         !ck_shows(r->c, "name *dropout*")))
        return;
    for (size_t i = 0; i < r->all.n; i++) {
        const struct protocol_call *call = &r->all.calls[i];
        uint32_t use = call->word == PROTOCOL_TRAIN && !is_generator(call->who)
                           ? test_of(r, call->who)
                           : LW_NO_NODE;
        if (use == LW_NO_NODE || protocol_is_without_gradient(r->t, call->node))
            continue;
        ck_find_at(r->c, r->file, use, "api/eval-missing", NULL, 0,
                   "'%.*s' is evaluated in training mode: dropout stays active, and batch "
                   "normalisation uses the statistics of the batch; call eval() before and "
                   "train() after",
                   LW_F(call->who));
        return;
    }
}

/* The module that the block calls by its name; empty: none, or several. */
static struct lw_str called_module(struct fix *f, uint32_t block)
{
    struct lw_str found = {0};
    for (uint32_t n = block; n != LW_NO_NODE; n = lw_tree_next(f->t, block, n, false)) {
        uint32_t callee = fix_callee(f, n);
        if (fix_kind(f, callee) != LW_NODE_NAME)
            continue;
        struct ck_object *o = ck_as(fix_variable(f, fix_name(f, callee)), CK_INSTANCE);
        if (!o || !ck_is_torch_module(f->c, o) || (o->api && o->api->kind == LW_API_LOSS) ||
            lw_str_eq(found, fix_name(f, callee)))
            continue;
        if (found.n)
            return (struct lw_str){0};
        found = fix_name(f, callee);
    }
    return found;
}

static void make_eval(struct fix *f)
{
    uint32_t with = lw_tree_enclosing(f->t, f->node, LW_NODE_WITH);
    struct lw_str name = with == LW_NO_NODE ? (struct lw_str){0} : called_module(f, with);
    if (!name.n)
        return;
    uint32_t loop = fix_outer_loop(f, with);
    fix_say(f, "call %.*s.eval() before the evaluation", LW_F(name));
    fix_line_before(f, with, ck_text(f->c, "%.*s.eval()", LW_F(name)));
    if (loop != LW_NO_NODE && syntax_method_call(f->t, loop, "backward") != LW_NO_NODE)
        fix_line_behind(f, with, ck_text(f->c, "%.*s.train()", LW_F(name)));
}

/* Does the function, called by its name, run in the same pass of a loop as `node`? */
static bool is_called_beside(const struct lw_tree *t, uint32_t f, uint32_t other)
{
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t func =
            lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC) : LW_NO_NODE;
        if (func == LW_NO_NODE ||
            !lw_str_eq(text_tail(lw_tree_text(t, func)), lw_tree_name(t, f)))
            continue;
        uint32_t loop = syntax_loop_around(t, n);
        if (syntax_inside(t, n, other))
            return true; /* the one that trains calls it */
        for (uint32_t k = loop == LW_NO_NODE ? loop : lw_tree_next(t, loop, loop, false);
             k != LW_NO_NODE; k = lw_tree_next(t, loop, k, false)) {
            uint32_t callee = lw_tree_kind(t, k) == LW_NODE_CALL
                                  ? lw_tree_get(t, k, LW_ROLE_FUNC)
                                  : LW_NO_NODE;
            if (callee != LW_NO_NODE &&
                lw_str_eq(text_tail(lw_tree_text(t, callee)), lw_tree_name(t, other)))
                return true;
        }
    }
    return false;
}

/* def train(): … backward(), step(); def test(): net.eval(); both in every epoch. */
static void check_trained(const struct protocol_program *r, const struct protocol_call *eval)
{
    const struct lw_tree *t = r->t;
    uint32_t tests = lw_tree_enclosing(t, eval->node, LW_NODE_FUNCTION);
    for (size_t i = protocol_find(&r->all, PROTOCOL_STEP, PROTOCOL_ANYBODY, 0); i < r->all.n;
         i = protocol_find(&r->all, PROTOCOL_STEP, PROTOCOL_ANYBODY, i + 1)) {
        uint32_t trains = lw_tree_enclosing(t, r->all.calls[i].node, LW_NODE_FUNCTION);
        if (trains == LW_NO_NODE || tests == LW_NO_NODE || trains == tests ||
            text_is(lw_tree_name(t, tests), "eval") || /* it hands the mode on */
            lw_tree_enclosing(t, trains, LW_NODE_CLASS) !=
                lw_tree_enclosing(t, tests, LW_NODE_CLASS) ||
            !text_says(lw_tree_text(t, trains), ck_text(r->c, "%.*s(", LW_F(eval->who)).p) ||
            !text_says(lw_tree_text(t, trains), ".backward(") ||
            !is_called_beside(t, tests, trains))
            continue;
        ck_find_at(
            r->c, r->file, eval->node, "api/train-mode-lost", NULL, 0,
            "'%.*s' is put into evaluation mode here and never back: from the next epoch on it "
            "trains in evaluation mode; call train() before each training epoch",
            LW_F(eval->who));
        return;
    }
}

/* Only where the finding is about model.eval() itself: the owner of validate() is no model. */
static void make_train_first(struct fix *f)
{
    struct lw_str owner = fix_text(f, syntax_owner(f->t, f->node));
    uint32_t loop = fix_outer_loop(f, f->node);
    if (!lw_str_eq(syntax_called_name(f->t, f->node), LW_S("eval")) || !owner.n ||
        loop == LW_NO_NODE)
        return;
    fix_say(f, "call %.*s.train() at the start of each epoch", LW_F(owner));
    fix_line_first(f, loop, ck_text(f->c, "%.*s.train()", LW_F(owner)));
}

/* ---- programs that say one mode only once -------------------------------------------------
 */

/* train() once before the loop over epochs, in which eval() is called after training. */
static void check_train_once(const struct protocol_program *r, const struct protocol_call *eval)
{
    uint32_t loop = syntax_loop_around(r->t, eval->node), outer = loop;
    uint32_t f = lw_tree_enclosing(r->t, eval->node, LW_NODE_FUNCTION);
    bool trains = false, said = false;
    while (outer != LW_NO_NODE) {
        loop = outer;
        outer = syntax_loop_around(r->t, loop);
    }
    for (size_t i = 0; i < r->all.n && loop != LW_NO_NODE; i++) {
        const struct protocol_call *x = &r->all.calls[i];
        bool inside = syntax_inside(r->t, x->node, loop);
        trains |= x->word == PROTOCOL_BACKWARD && inside &&
                  lw_tree_start(r->t, x->node) < lw_tree_start(r->t, eval->node);
        if (x->word != PROTOCOL_TRAIN)
            continue;
        if (inside || lw_tree_enclosing(r->t, x->node, LW_NODE_FUNCTION) != f)
            return;
        said |= lw_str_eq(x->who, eval->who);
    }
    if (!trains || !said)
        return;
    ck_find_at(r->c, r->file, eval->node, "api/train-mode-lost", NULL, 0,
               "from the second epoch on '%.*s' trains in evaluation mode: train() is called "
               "once before the loop; call it at the start of each epoch",
               LW_F(eval->who));
}

/* Does what the call makes behave differently in training? */
static bool makes_modes(struct ck *c, struct ck_file *file, uint32_t call)
{
    static const char *const layers[] = {"AlphaDropout", "BatchNorm1d", "BatchNorm2d",
                                         "BatchNorm3d",  "Dropout",     "Dropout2d",
                                         "Dropout3d"};
    struct lw_str name = trace_library(c, file, lw_tree_get(&file->tree, call, LW_ROLE_FUNC));
    return lw_str_has_prefix(name, LW_S("torchvision.models.")) ||
           (lw_str_has_prefix(name, LW_S("torch.nn.")) &&
            text_is_any(text_tail(name), layers, sizeof layers / sizeof *layers));
}

/* Is something of this name treated as a network anywhere in the file: x.parameters()? */
static bool is_treated_as_network(struct ck *c, struct ck_file *file, struct lw_str name)
{
    static const char *const words[] = {"load_state_dict", "parameters", "state_dict", "train"};
    enum { MOST = 32 };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        struct places_list calls = places_of(c, file, PLACES_CALL, lw_str(words[k]));
        for (size_t i = 0; i < calls.n && i < MOST; i++)
            if (lw_str_eq(lw_tree_name(&file->tree, syntax_owner(&file->tree, calls.v[i])),
                          name))
                return true;
    }
    return false;
}

/* A network that is asked without gradients: net(x), self.net(x), outside of modules. */
static bool asks_network(struct ck *c, struct ck_file *file, uint32_t call)
{
    const struct lw_tree *t = &file->tree;
    uint32_t func = lw_tree_get(t, call, LW_ROLE_FUNC);
    uint32_t in = lw_tree_enclosing(t, call, LW_NODE_CLASS);
    return (lw_tree_kind(t, func) == LW_NODE_NAME || syntax_is_of_self(t, func)) &&
           (role_is_named(c, lw_tree_name(t, func), ROLE_NETWORK) ||
            is_treated_as_network(c, file, lw_tree_name(t, func))) &&
           !trace_library(c, file, func).n &&
           lw_names_callee(&file->names, call) == LW_NO_NODE &&
           protocol_is_without_gradient(t, call) &&
           (in == LW_NO_NODE || !program_derives(t, in, "Module"));
}

/* eval() is not said anywhere in a program that trains or loads a network and then asks it. */
static void watch_never(struct ck *c, const struct ck_event *e)
{
    static const char *const modes[] = {"eval", "Trainer", "prepare", "fit", "train_mode"};
    static const char *const weights[] = {"backward", "load_state_dict"};
    (void)e;
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    uint32_t asked = LW_NO_NODE;
    bool differs = false;
    if (!program_imports(c, "torch") || program_calls(c, modes, sizeof modes / sizeof *modes) ||
        program_has_attribute(c, "eval") || program_has_attribute(c, "training") ||
        (!program_calls_of(c, weights[0]).n && !program_calls_of(c, weights[1]).n))
        return;
    for (uint32_t n = 0; n < t->nodes.n; n++) {
        if (lw_tree_kind(t, n) != LW_NODE_CALL)
            continue;
        struct lw_str name = syntax_called_name(t, n);
        if (text_is(name, "train") && lw_tree_count(t, n, LW_ROLE_ARGS))
            return; /* train(False), train(mode) */
        differs = differs || makes_modes(c, file, n);
        if (asked == LW_NO_NODE && asks_network(c, file, n))
            asked = n;
    }
    if (!differs || asked == LW_NO_NODE || ck_is_told(c, file, asked, "api/eval-missing"))
        return;
    ck_find_at(c, file, asked, "api/eval-missing", NULL, 0,
               "'%.*s' is asked without gradients, but nothing calls eval(): dropout and batch "
               "normalisation behave as in training; call eval() before",
               LW_F(lw_tree_text(t, lw_tree_get(t, asked, LW_ROLE_FUNC))));
}

/* train() is said, eval() never; or eval() is said in every epoch, and train() never. */
static void watch_words(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    (void)e;
    if (!ck_file_shows(c, file, "name *torch*") ||
        (!ck_file_shows(c, file, "call train()") && !ck_file_shows(c, file, "call eval()")))
        return;
    const struct protocol_program *r = protocol_of(c);
    if (!r || r->all.more)
        return;
    check_tested(r);
    for (size_t i = 0; i < r->all.n; i++)
        if (r->all.calls[i].word == PROTOCOL_EVAL)
            check_train_once(r, &r->all.calls[i]);
    if (ck_shows(c, "call train()") || is_on_purpose(c, file) ||
        ck_shows(c, "call train(True)"))
        return;
    for (size_t i = 0; i < r->all.n; i++)
        if (r->all.calls[i].word == PROTOCOL_EVAL)
            check_trained(r, &r->all.calls[i]);
}

const struct ck_rule rules_api_modes[] = {
    {"api/eval-missing", CK_EV_LAYER, watch_eval},
    {"api/train-mode-lost", CK_EV_LOOP, watch_loop},
    {"api/eval-missing api/train-mode-lost", CK_EV_END, watch_protocol},
    {"api/eval-missing api/train-mode-lost", CK_EV_END, watch_words},
    {"api/eval-missing", CK_EV_END, watch_never},
    {"api/eval-missing", .fix = make_eval},
    {"api/train-mode-lost", .fix = make_train_first},
    {0},
};
