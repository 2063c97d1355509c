/* Weights that are kept as they are best, and go on changing: state_dict() without a copy. */
#include "base/str.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

static bool contains_call(const struct lw_tree *t, uint32_t top, const char *name)
{
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false)) {
        uint32_t f =
            lw_tree_kind(t, n) == LW_NODE_CALL ? lw_tree_get(t, n, LW_ROLE_FUNC) : LW_NO_NODE;
        if (f != LW_NO_NODE && lw_tree_kind(t, f) == LW_NODE_ATTRIBUTE &&
            lw_str_eq(lw_tree_name(t, f), lw_str(name)))
            return true;
    }
    return false;
}

/* best = model.state_dict() in the training loop, model.load_state_dict(best) later: `best` is
 * the weights themselves, and they go on changing. */
static void watch_state_dict(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_loop *loop = c->frame->loop;
    if (!lw_str_has_suffix(e->call->name, LW_S(".state_dict")) || !loop ||
        e->node == LW_NO_NODE || !ck_as(e->call->self, CK_INSTANCE))
        return;
    uint32_t assign = lw_tree_parent(t, e->node);
    if (assign == LW_NO_NODE || lw_tree_kind(t, assign) != LW_NODE_ASSIGN ||
        lw_tree_get(t, assign, LW_ROLE_VALUE) != e->node ||
        !contains_call(t, loop->node, "step"))
        return;
    uint32_t func = lw_tree_get(t, e->node, LW_ROLE_FUNC);
    uint32_t model = func == LW_NO_NODE ? LW_NO_NODE : lw_tree_get(t, func, LW_ROLE_VALUE);
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    if (model == LW_NO_NODE || target == LW_NO_NODE)
        return;
    struct lw_str back = ck_text(c, "%.*s.load_state_dict(%.*s)", LW_F(lw_tree_text(t, model)),
                                 LW_F(lw_tree_text(t, target)));
    uint32_t function = lw_tree_enclosing(t, e->node, LW_NODE_FUNCTION);
    struct lw_str around =
        function == LW_NO_NODE ? c->frame->file->code : lw_tree_text(t, function);
    if (lw_str_find(around, back) < 0)
        return;
    ck_find(c, e->node, "api/weights-by-reference", NULL, 0,
            "state_dict() returns references to the weights, and training continues to change "
            "them: keep copy.deepcopy(%.*s.state_dict())",
            LW_F(lw_tree_text(t, model)));
}

/* best = model.state_dict() in a loop that goes on training: `best` is the weights themselves.
 */
static void check_best(struct ck *c, struct ck_file *file, uint32_t assign)
{
    const struct lw_tree *t = &file->tree;
    uint32_t value = lw_tree_get(t, assign, LW_ROLE_VALUE);
    uint32_t target = lw_tree_get(t, assign, LW_ROLE_TARGETS);
    uint32_t loop = syntax_loop_around(t, assign);
    if (value == LW_NO_NODE || syntax_owner(t, value) == LW_NO_NODE || loop == LW_NO_NODE ||
        !text_is(lw_tree_name(t, lw_tree_get(t, value, LW_ROLE_FUNC)), "state_dict"))
        return;
    struct lw_str name = lw_tree_text(t, target), text = lw_tree_text(t, loop);
    uint32_t f = lw_tree_enclosing(t, assign, LW_NODE_FUNCTION);
    struct lw_str whole = lw_tree_text(t, f == LW_NO_NODE ? t->root : f);
    bool trains = lw_str_find(text, LW_S("train")) != LW_NPOS ||
                  lw_str_find(text, LW_S(".step(")) != LW_NPOS;
    struct lw_str behind =
        lw_str_from(whole, (size_t)(text.p - whole.p) + text.n); /* read where the loop ended */
    bool kept = lw_str_has_prefix(name, LW_S("self.")) ||
                (syntax_is_name(name) && lw_str_find(behind, name) != LW_NPOS);
    if (!trains || !kept || lw_str_find(name, LW_S("best")) == LW_NPOS ||
        lw_str_find(text, ck_text(c, "(%.*s", LW_F(name))) != LW_NPOS)
        return;
    ck_find_at(c, file, value, "api/weights-by-reference", NULL, 0,
               "state_dict() returns references to the weights, and training continues to "
               "change them: keep copy.deepcopy(%.*s)",
               LW_F(lw_tree_text(t, value)));
}

/* best = model.state_dict() -> copy.deepcopy(…) */
static void make_copy(struct fix *f)
{
    struct lw_str name = fix_spell_import(f, "copy", "deepcopy");
    fix_say(f, "keep a copy of the weights");
    fix_around(f, f->node, ck_text(f->c, "%.*s(", LW_F(name)).p, ")");
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    (void)e;
    if (!ck_shows(c, "name *torch*") || !ck_file_shows(c, file, "call state_dict()"))
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN)
            check_best(c, file, n);
}

const struct ck_rule rules_api_weights_by_reference[] = {
    {"api/weights-by-reference", CK_EV_CALL, watch_state_dict, .calls = ".state_dict"},
    {"api/weights-by-reference", CK_EV_END, watch_end},
    {"api/weights-by-reference", .fix = make_copy},
    {0},
};
