/* Rules about losses that no gradient leads back from. */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/query/protocol.h"
#include "check/rules/rules.h"

static void watch_gradient(struct ck *c, const struct ck_event *e)
{
    if (e->fault == CK_FAULT_TAPE_MISSES_MODEL)
        ck_find(c, e->node, "api/tape-misses-forward", &e->a, 1,
                "the model was called outside the GradientTape, so the gradients of the loss "
                "are None: call the model inside the with block");
    else if (e->fault == CK_FAULT_GRADIENT_CUT && e->flag) {
        ck_blame(c, (uint32_t)e->at);
        ck_find(c, e->node, "api/gradient-cut", &e->a, 1,
                "the loss depends on the model only through %.*s(), which has no gradient, so "
                "tape.gradient() returns None for every weight: use a differentiable operation",
                LW_F(e->name));
    } else if (e->fault == CK_FAULT_GRADIENT_CUT)
        ck_find_at(c, e->file, e->node, "api/gradient-cut", &e->a, 1,
                   "the loss depends on the output of the model only through %.*s, which has "
                   "no gradient, so no weight is trained: use a differentiable operation",
                   LW_F(e->name));
}

/* ---- losses that are numbers --------------------------------------------------------------
 */

/* l = l.sum().item() / n and then l.backward() */
static void check_numbers(struct ck *c, struct ck_file *file)
{
    const struct lw_tree *t = &file->tree;
    struct protocol *p = lw_arena_alloc(c->arena, sizeof *p);
    if (!p)
        return;
    protocol_read(t, t->root, p);
    for (size_t i = 0; i < p->n; i++) {
        uint32_t f = lw_tree_enclosing(t, p->calls[i].node, LW_NODE_FUNCTION),
                 last = LW_NO_NODE;
        if (p->calls[i].word != PROTOCOL_BACKWARD || !syntax_is_name(p->calls[i].who))
            continue;
        uint32_t top = f == LW_NO_NODE ? t->root : f;
        for (uint32_t n = lw_tree_next(t, top, top, false);
             n != LW_NO_NODE && lw_tree_start(t, n) < lw_tree_start(t, p->calls[i].node);
             n = lw_tree_next(t, top, n, false))
            if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
                lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)), p->calls[i].who))
                last = n;
        uint32_t value = last == LW_NO_NODE ? last : lw_tree_get(t, last, LW_ROLE_VALUE);
        if (value == LW_NO_NODE || lw_tree_enclosing(t, last, LW_NODE_FUNCTION) != f)
            continue;
        uint32_t item = lw_tree_kind(t, value) == LW_NODE_BIN_OP
                            ? lw_tree_get(t, value, LW_ROLE_LEFT)
                            : value;
        uint32_t owner = item == LW_NO_NODE ? item : syntax_owner(t, item);
        if (owner == LW_NO_NODE ||
            !text_is(lw_tree_name(t, lw_tree_get(t, item, LW_ROLE_FUNC)), "item") ||
            !syntax_has_name(t, owner, p->calls[i].who))
            continue;
        ck_find_at(c, file, item, "api/gradient-cut", NULL, 0,
                   "item() converts the loss to a Python number, so backward() fails or does "
                   "not reach the network: use item() only for logging");
    }
}

static void watch_numbers(struct ck *c, const struct ck_event *e)
{
    (void)e;
    if (ck_shows(c, "call .item") && ck_shows(c, "call .backward"))
        check_numbers(c, c->files.v[0]);
}

/* ---- a gradient that is switched on at the end ----------------------------------------------
 */

/* loss.requires_grad = True: of a loss that has lost its graph it silences the error of
 * backward() and nothing else. */
static void watch_forced(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (lw_tree_kind(t, e->node) != LW_NODE_ATTRIBUTE ||
        !text_is(lw_tree_name(t, e->node), "requires_grad") ||
        ck_truth(c, e->value) != LW_TRI_YES)
        return;
    struct lw_value loss = ck_eval(c, lw_tree_get(t, e->node, LW_ROLE_VALUE));
    const struct lw_tensor *x = ck_tensor_of(loss);
    const struct ck_origin *o = ck_origin_of(c, loss);
    const struct lw_api *api = o && o->api ? o->api : o && o->layer ? o->layer->api : NULL;
    if (!x || x->framework != LW_TORCH || x->grad != LW_TRI_NO || !api ||
        api->kind != LW_API_LOSS || !o->in_count)
        return;
    ck_find_as(
        c, e->node, LW_S("api/gradient-cut"), LW_SEVERITY_WARNING, &loss, 1,
        LW_S("this loss does not depend on any weight: requires_grad = True only silences the "
             "error of backward(), and nothing is trained; remove what detaches the loss"));
}

/* ---- layers behind which the gradient ends ------------------------------------------------
 */

static void watch_cut(struct ck *c, const struct ck_event *e)
{
    struct lw_value out = model_trait(e->object, MODEL_OUTPUT);
    const struct mv_chain *chain =
        out.kind == LW_V_TENSOR && !c->frame->guarded ? mv_of_tensor(c, out) : NULL;
    for (size_t i = chain ? chain->n : 0; i-- > 0;) {
        const struct mv_stage *s = &chain->stage[i];
        if (s->kind != MV_LEARN)
            continue;
        const struct ck_origin *cut =
            s->out.kind == LW_V_TENSOR ? lineage_gradient_cut(c, out, s->out) : NULL;
        if (cut)
            ck_find_at(c, cut->file, cut->node, "api/gradient-cut", &out, 1,
                       "the output depends on the earlier layers only through %.*s, which has "
                       "no gradient, so these layers are not trained: use a differentiable "
                       "operation",
                       LW_F(text_tail(cut->op)));
        return;
    }
}

const struct ck_rule rules_api_gradient_cut[] = {
    {"api/gradient-cut api/tape-misses-forward", CK_EV_FAULT, watch_gradient, .pure = true},
    {"api/gradient-cut", CK_EV_ASSIGN, watch_forced},
    {"api/gradient-cut", CK_EV_END, watch_numbers},
    {"api/gradient-cut", CK_EV_FIT, watch_cut},
    {0},
};
