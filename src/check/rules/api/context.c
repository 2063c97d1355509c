/* Rules about context managers that are made and never entered. */
#include "check/query/look.h"
#include "check/rules/rules.h"

/* torch.no_grad() as a statement: the object is made and dropped, nothing is switched. */
static void watch_context(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (e->node == LW_NO_NODE || lw_tree_kind(t, e->node) != LW_NODE_CALL ||
        lw_tree_kind(t, lw_tree_parent(t, e->node)) != LW_NODE_EXPR)
        return;
    ck_find(c, e->node, "api/context-not-entered", NULL, 0,
            "%.*s() does nothing by itself: put 'with' before it and ':' behind it, and indent "
            "the code that it is for",
            LW_F(syntax_called_name(t, e->node)));
}

/* What may go below a `with`: no training, and nothing that others import. */
static bool may_enclose(const struct fix *f, uint32_t statement)
{
    switch (fix_kind(f, statement)) {
    case LW_NODE_FUNCTION:
    case LW_NODE_CLASS:
    case LW_NODE_IMPORT:
    case LW_NODE_IMPORT_FROM: return false;
    default:
        return syntax_method_call(f->t, statement, "backward") == LW_NO_NODE &&
               syntax_method_call(f->t, statement, "step") == LW_NO_NODE &&
               syntax_method_call(f->t, statement, "train") == LW_NO_NODE;
    }
}

/* Does the statement compute nothing: return model? */
static bool is_bare_return(const struct fix *f, uint32_t statement)
{
    if (fix_kind(f, statement) != LW_NODE_RETURN)
        return false;
    uint32_t value = lw_tree_get(f->t, statement, LW_ROLE_VALUE);
    return value == LW_NO_NODE || fix_kind(f, value) == LW_NODE_NAME;
}

/* torch.no_grad() -> with torch.no_grad(): around the rest of the block; directly before a
 * function it is a decorator that lacks its @. */
static void make_entered(struct fix *f)
{
    struct lw_str name = fix_callee_name(f, f->node);
    uint32_t statement = fix_statement(f, f->node);
    uint32_t first = fix_neighbour(f, statement, true), last = first;
    if ((!text_is(name, "no_grad") && !text_is(name, "inference_mode")) || first == LW_NO_NODE)
        return;
    uint32_t behind = lw_tree_position(f->t, lw_tree_end(f->t, f->node)).line + 1;
    if (fix_kind(f, first) == LW_NODE_FUNCTION &&
        lw_tree_position(f->t, lw_tree_start(f->t, first)).line == behind) {
        fix_say(f, "make it a decorator: @%.*s", LW_F(fix_text(f, f->node)));
        fix_insert(f, lw_tree_start(f->t, f->node), LW_S("@"));
        return;
    }
    if (is_bare_return(f, first))
        return;
    for (uint32_t s = first; s != LW_NO_NODE; s = fix_neighbour(f, s, true)) {
        if (!may_enclose(f, s))
            return;
        last = s;
    }
    struct lw_str line = ck_text(f->c, "with %.*s:", LW_F(fix_text(f, f->node)));
    fix_say(f, "put the rest of the block into %.*s()", LW_F(name));
    fix_remove_statement(f, statement);
    fix_enclose(f, first, last, line);
}

const struct ck_rule rules_api_context[] = {
    {"api/context-not-entered", CK_EV_CALL, watch_context, .fix = make_entered,
     .calls = "torch.no_grad torch.enable_grad torch.inference_mode torch.autocast "
              "torch.autograd.detect_anomaly tensorflow.device tensorflow.GradientTape "
              "tensorflow.Graph.as_default tensorflow.Session.as_default"},
    {0},
};
