/*
 * Rules about settings that nothing reads: attributes of parameters and modules that are spelt
 * otherwise, and keys of parameter groups that the optimizer does not know.
 */
#include "base/str.h"
#include "check/engine/syntax.h"
#include "check/engine/text.h"
#include "check/query/calls.h"
#include "check/query/program.h"
#include "check/rules/rules.h"

/* ---- attributes -----------------------------------------------------------------------------
 */

/* Spellings that are written for an attribute, and what is meant. */
static const struct {
    const char *written, *meant;
} attributes[] = {
    {"require_grad", "requires_grad"},
    {"require_grads", "requires_grad"},
    {"requires_grads", "requires_grad"},
    {"requiresgrad", "requires_grad"},
    {"requires_gradient", "requires_grad"},
    {"required_grad", "requires_grad"},
    {"requires_gard", "requires_grad"},
    {"require_gradient", "requires_grad"},
    {"trainble", "trainable"},
    {"trainabel", "trainable"},
    {"trianable", "trainable"},
    {"is_trainable", "trainable"},
    {"trainiable", "trainable"},
};

static void report_attribute(struct ck *c, uint32_t target, struct lw_str written,
                             const char *meant)
{
    ck_hint(c, (struct ck_hint){.meant = lw_str(meant), .was = written});
    ck_find(c, target, "api/inert-attribute", NULL, 0,
            "'%.*s' is misspelt, so setting it has no effect: write '%s'", LW_F(written),
            meant);
}

/* p.require_grad = False */
static void watch_spelling(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (lw_tree_kind(t, e->node) != LW_NODE_ATTRIBUTE || syntax_is_of_self(t, e->node) ||
        e->value.kind != LW_V_BOOL)
        return;
    struct lw_str name = lw_tree_name(t, e->node);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (text_is(name, attributes[i].written))
            report_attribute(c, e->node, name, attributes[i].meant);
}

/* module.requires_grad = False: only parameters have it. layer.trainable = False of torch. */
static void watch_module(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct lw_str name = lw_tree_kind(t, e->node) == LW_NODE_ATTRIBUTE
                             ? lw_tree_name(t, e->node)
                             : (struct lw_str){0};
    bool grad = text_is(name, "requires_grad"), keras = text_is(name, "trainable");
    if ((!grad && !keras) || e->value.kind != LW_V_BOOL || syntax_is_of_self(t, e->node))
        return;
    struct lw_value owner = ck_eval(c, lw_tree_get(t, e->node, LW_ROLE_VALUE));
    const struct ck_object *o = ck_as(owner, CK_INSTANCE);
    if (!o || !ck_is_a(c, owner, "torch.nn.Module") ||
        (o->of && ck_class_member(c, o->of, name, NULL).kind != LW_V_ABSENT) ||
        (keras && program_has_attribute(c, "requires_grad")))
        return;
    ck_find(c, e->node, "api/inert-attribute", NULL, 0,
            "setting '%.*s' of a PyTorch module has no effect on its parameters: call "
            "requires_grad_() of the module, or set requires_grad of each parameter",
            LW_F(name));
}

/* ---- parameter groups -----------------------------------------------------------------------
 */

static const struct {
    const char *written, *meant;
} keys[] = {
    {"learning_rate", "lr"},
    {"learningrate", "lr"},
    {"learning-rate", "lr"},
    {"LR", "lr"},
    {"Lr", "lr"},
    {"l_r", "lr"},
    {"lrs", "lr"},
    {"rate", "lr"},
    {"weight-decay", "weight_decay"},
    {"weightdecay", "weight_decay"},
    {"wd", "weight_decay"},
    {"weight_decays", "weight_decay"},
    {"momentums", "momentum"},
    {"beta", "betas"},
    {"param", "params"},
};

static const char *meant_key(struct lw_str key)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (text_is(key, keys[i].written))
            return keys[i].meant;
    return NULL;
}

/* Is it a group: opt.param_groups[0], or what a loop over param_groups gets? */
static bool is_group(const struct lw_tree *t, uint32_t node)
{
    if (lw_tree_kind(t, node) == LW_NODE_SUBSCRIPT)
        return text_is(lw_tree_name(t, lw_tree_get(t, node, LW_ROLE_VALUE)), "param_groups");
    for (uint32_t loop = lw_tree_kind(t, node) == LW_NODE_NAME ? syntax_loop_around(t, node)
                                                               : LW_NO_NODE;
         loop != LW_NO_NODE; loop = syntax_loop_around(t, loop)) {
        uint32_t iter = lw_tree_kind(t, loop) == LW_NODE_FOR
                            ? lw_tree_get(t, loop, LW_ROLE_ITER)
                            : LW_NO_NODE;
        if (text_is(calls_name(t, iter), "enumerate"))
            iter = lw_tree_each(t, iter, LW_ROLE_ARGS, LW_NO_NODE);
        if (text_is(lw_tree_name(t, iter), "param_groups") &&
            syntax_has_name(t, lw_tree_get(t, loop, LW_ROLE_TARGET), lw_tree_name(t, node)))
            return true;
    }
    return false;
}

/* group["learning_rate"] = lr, and nothing reads group["learning_rate"] */
static void check_key(struct ck *c, struct ck_file *f, uint32_t target)
{
    const struct lw_tree *t = &f->tree;
    uint32_t key = lw_tree_get(t, target, LW_ROLE_SLICE);
    const char *meant = meant_key(program_text(t, key));
    if (!meant || !is_group(t, lw_tree_get(t, target, LW_ROLE_VALUE)))
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_SUBSCRIPT && n != target &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_SLICE)),
                      lw_tree_text(t, key)) &&
            lw_tree_get(t, lw_tree_parent(t, n), LW_ROLE_TARGETS) != n)
            return;
    ck_hint(c, (struct ck_hint){.meant = lw_str(meant), .was = program_text(t, key)});
    ck_find_at(c, f, target, "api/group-key", NULL, 0,
               "the optimizer ignores the key '%.*s' of a parameter group: write '%s'",
               LW_F(program_text(t, key)), meant);
}

/* {"params": …, "learning_rate": 1e-4}, given to an optimizer */
static void check_made(struct ck *c, struct ck_file *f, uint32_t dict)
{
    const struct lw_tree *t = &f->tree;
    bool group = false;
    for (uint32_t k = lw_tree_each(t, dict, LW_ROLE_KEYS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, dict, LW_ROLE_KEYS, k))
        group |= text_is(program_text(t, k), "params");
    for (uint32_t k = lw_tree_each(t, dict, LW_ROLE_KEYS, LW_NO_NODE); group && k != LW_NO_NODE;
         k = lw_tree_each(t, dict, LW_ROLE_KEYS, k)) {
        const char *meant = meant_key(program_text(t, k));
        if (meant && !text_is(lw_str(meant), "params"))
            ck_find_at(c, f, k, "api/group-key", NULL, 0,
                       "the optimizer ignores the key '%.*s' of a parameter group: write '%s'",
                       LW_F(program_text(t, k)), meant);
    }
}

static void watch_groups(struct ck *c, const struct ck_event *e)
{
    struct ck_file *f = c->files.v[0];
    const struct lw_tree *t = &f->tree;
    (void)e;
    if (!program_has_name(c, "torch") || f->source.text.n > CALLS_MOST_TEXT)
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        uint32_t target =
            lw_tree_kind(t, n) == LW_NODE_ASSIGN       ? lw_tree_get(t, n, LW_ROLE_TARGETS)
            : lw_tree_kind(t, n) == LW_NODE_AUG_ASSIGN ? lw_tree_get(t, n, LW_ROLE_TARGET)
                                                       : LW_NO_NODE;
        if (lw_tree_kind(t, target) == LW_NODE_SUBSCRIPT)
            check_key(c, f, target);
        else if (lw_tree_kind(t, n) == LW_NODE_DICT)
            check_made(c, f, n);
    }
}

static void make_key(struct fix *f)
{
    uint32_t key = fix_kind(f, f->node) == LW_NODE_SUBSCRIPT
                       ? lw_tree_get(f->t, f->node, LW_ROLE_SLICE)
                       : LW_NO_NODE;
    if (fix_kind(f, key) != LW_NODE_STRING || !f->hint->meant.n)
        return;
    fix_say(f, "write '%.*s'", LW_F(f->hint->meant));
    fix_quoted(f, key, f->hint->meant);
}

static void make_attribute(struct fix *f)
{
    if (f->hint->meant.n)
        fix_spelling(f);
}

const struct ck_rule rules_api_inert[] = {
    {"api/inert-attribute", CK_EV_ASSIGN, watch_spelling},
    {"api/inert-attribute", CK_EV_ASSIGN, watch_module},
    {"api/group-key", CK_EV_END, watch_groups, make_key},
    {"api/inert-attribute", .fix = make_attribute},
    {0},
};
