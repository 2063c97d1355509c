/*
 * Networks that are tested as they are trained, or trained as they were tested, read from the
 * words of the program (protocol.h): train() is said, eval() never; or eval() is said in every
 * epoch, and train() never.
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

/* Random answers, or new statistics, that are wanted. */
static bool is_on_purpose(const struct ck *c, const struct ck_file *file)
{
    static const char *const words[] = {
        "onte_carlo",  "onte-carlo", "onte Carlo", "mc_dropout",  "MCDropout",
        "uncertainty", "update_bn",  "bn_update",  "calibrat",    ".train(mode",
        "train(False", "set_mode",   ".train(is_", ".train(train"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ck_mentions(c, words[i]))
            return true;
    return look_says(file->source.text, "model.training") ||
           look_says(file->source.text, "net.training") ||
           look_says(file->source.text, ".training =");
}

/* ---- tested as it is trained ----------------------------------------------------------------
 */

/* A call of `who`, or one that hands it on to a function that tests, under no_grad(). */
static uint32_t test_of(const struct reading *r, struct lw_str who)
{
    const struct lw_tree *t = r->t;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t func =
            lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC) : LW_NO_NODE;
        if (func != LW_NO_NODE && lw_str_eq(lw_tree_text(t, func), who) &&
            protocol_is_without_gradient(t, n) && look_loop_around(t, n) != LW_NO_NODE)
            return n;
    }
    return LW_NO_NODE;
}

/* Pictures of a generator are made as it is trained, by custom. */
static bool is_generator(struct lw_str who)
{
    struct lw_str name = look_tail(who);
    return look_says(name, "gen") || look_says(name, "Gen") || look_is(name, "G") ||
           look_says(name, "netG") || lw_str_has_prefix(name, LW_S("G_"));
}

/* net.train() in the program, net(x) under no_grad() in a loop, and eval() nowhere. */
static void check_tested(struct reading *r)
{
    if (look_says(r->file->source.text, ".eval()") || ck_mentions(r->c, "model.eval()") ||
        ck_mentions(r->c, "net.eval()") || ck_mentions(r->c, "module.eval()") ||
        is_on_purpose(r->c, r->file) ||
        (!ck_mentions(r->c, "Dropout") && !ck_mentions(r->c, "BatchNorm") &&
         !ck_mentions(r->c, "dropout")))
        return;
    for (size_t i = 0; i < r->all.n; i++) {
        const struct protocol_call *call = &r->all.calls[i];
        uint32_t use = call->word == PROTOCOL_TRAIN && !is_generator(call->who)
                           ? test_of(r, call->who)
                           : LW_NO_NODE;
        if (use == LW_NO_NODE || protocol_is_without_gradient(r->t, call->node))
            continue;
        ck_find_at(r->c, r->file, use, "api/eval-missing", NULL, 0,
                   "'%.*s' is tested in training mode: dropout goes on removing values, and "
                   "batch normalisation uses the statistics of the batch; call eval() before "
                   "and train() after",
                   LW_F(call->who));
        return;
    }
}

/* ---- trained as it was tested ---------------------------------------------------------------
 */

/* Does the function, called by its name, run in the same pass of a loop as `node`? */
static bool is_called_beside(const struct lw_tree *t, uint32_t f, uint32_t other)
{
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t func =
            lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC) : LW_NO_NODE;
        if (func == LW_NO_NODE ||
            !lw_str_eq(look_tail(lw_tree_text(t, func)), lw_tree_name(t, f)))
            continue;
        uint32_t loop = look_loop_around(t, n);
        if (look_inside(t, n, other))
            return true; /* the one that trains calls it */
        for (uint32_t k = loop == LW_NO_NODE ? loop : lw_tree_next(t, loop, loop, false);
             k != LW_NO_NODE; k = lw_tree_next(t, loop, k, false)) {
            uint32_t callee = lw_tree_kind(t, k) == LW_NODE_CALL
                                  ? lw_tree_get(t, k, LW_ROLE_FUNC)
                                  : LW_NO_NODE;
            if (callee != LW_NO_NODE &&
                lw_str_eq(look_tail(lw_tree_text(t, callee)), lw_tree_name(t, other)))
                return true;
        }
    }
    return false;
}

/* def train(): … backward(), step(); def test(): net.eval(); both in every epoch. */
static void check_trained(struct reading *r, const struct protocol_call *eval)
{
    const struct lw_tree *t = r->t;
    uint32_t tests = lw_tree_enclosing(t, eval->node, LW_NODE_FUNCTION);
    for (size_t i = protocol_find(&r->all, PROTOCOL_STEP, anybody, 0); i < r->all.n;
         i = protocol_find(&r->all, PROTOCOL_STEP, anybody, i + 1)) {
        uint32_t trains = lw_tree_enclosing(t, r->all.calls[i].node, LW_NODE_FUNCTION);
        if (trains == LW_NO_NODE || tests == LW_NO_NODE || trains == tests ||
            lw_tree_enclosing(t, trains, LW_NODE_CLASS) !=
                lw_tree_enclosing(t, tests, LW_NODE_CLASS) ||
            !look_says(lw_tree_text(t, trains), ck_text(r->c, "%.*s(", LW_F(eval->who)).p) ||
            !look_says(lw_tree_text(t, trains), ".backward(") ||
            !is_called_beside(t, tests, trains))
            continue;
        ck_find_at(r->c, r->file, eval->node, "api/train-mode-lost", NULL, 0,
                   "'%.*s' is put into evaluation mode here and never back: from the next "
                   "epoch on it is trained so; call train() where it is trained",
                   LW_F(eval->who));
        return;
    }
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    (void)e;
    if (!look_says(file->source.text, "torch") ||
        (!look_says(file->source.text, ".train()") && !look_says(file->source.text, ".eval()")))
        return;
    struct reading *r = lw_arena_alloc(c->arena, sizeof *r);
    if (!r)
        return;
    *r = (struct reading){.c = c, .file = file, .t = &file->tree};
    protocol_read(r->t, r->t->root, &r->all);
    if (r->all.more)
        return;
    check_tested(r);
    if (ck_mentions(c, ".train()") || is_on_purpose(c, file) || ck_mentions(c, ".train(True"))
        return;
    for (size_t i = 0; i < r->all.n; i++)
        if (r->all.calls[i].word == PROTOCOL_EVAL)
            check_trained(r, &r->all.calls[i]);
}

const struct ck_rule ck_rules_tested[] = {
    {CK_EV_END, watch_end},
    {0, NULL},
};
