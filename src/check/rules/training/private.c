/*
 * Training that keeps its data private: what one person can change of a step has to be bounded
 * before the steps of all are added up. A bound on the sum of a batch, with noise on top, looks
 * the same and promises nothing.
 */
#include "base/str.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* Rows that a loss takes together; 0: not known. */
static int64_t rows_of_loss(struct ck *c, struct lw_value loss)
{
    for (unsigned i = 0; i < 8; i++) {
        const struct ck_origin *o = ck_origin_of(c, loss);
        const struct lw_tensor *t = o && o->in_count ? ck_tensor_of(o->in[0]) : NULL;
        int64_t rows;
        if (!t || !lw_shape_has_rank(&t->shape))
            return 0;
        if (t->shape.n)
            return lw_dim_is_int(c->dims, t->shape.d[0], &rows) ? rows : 0;
        loss = o->in[0];
    }
    return 0;
}

/* ---- gradients that are asked for: torch.autograd.grad(loss, …) -----------------------------
 */

struct parts {
    struct ck *c;
    bool noise;
    bool batch;  /* the gradient of a loss over several rows */
    bool single; /* of one row, or of nobody knows how many */
};

static bool visit_part(void *data, struct lw_value v, const struct ck_origin *o)
{
    static const char *const drawn[] = {"randn",   "randn_like", "normal",
                                        "normal_", "Laplace",    "sample"};
    struct parts *p = data;
    (void)v;
    if (!o)
        return true;
    p->noise |= text_is_any(text_tail(o->op), drawn, sizeof drawn / sizeof *drawn);
    if (text_is(o->op, "torch.autograd.grad") && o->in_count) {
        int64_t rows = rows_of_loss(p->c, o->in[0]);
        *(rows > 1 ? &p->batch : &p->single) = true;
    }
    return true;
}

static struct parts parts_of(struct ck *c, struct lw_value v)
{
    struct parts p = {.c = c};
    lineage_walk(c, v, visit_part, &p);
    return p;
}

static void report(struct ck *c, struct ck_file *file, uint32_t node)
{
    ck_find_at(c, file, node, "training/private-clip-batch", NULL, 0,
               "the gradient is clipped for the whole batch before noise is added, so a single "
               "sample can dominate it: clip the gradient of each sample, then add them up");
}

static void watch_noise(struct ck *c, const struct ck_event *e)
{
    if (e->op != LW_OP_ADD || e->a.kind != LW_V_TENSOR || e->b.kind != LW_V_TENSOR)
        return;
    struct parts a = parts_of(c, e->a), b = parts_of(c, e->b);
    bool left = a.batch && !a.single && b.noise && !b.batch && !b.single;
    bool right = b.batch && !b.single && a.noise && !a.batch && !a.single;
    if (left || right)
        report(c, c->frame->file, e->node);
}

/* ---- gradients that backward() leaves: p.grad
 * ------------------------------------------------
 */

static const char rows_key;

static void watch_backward(struct ck *c, const struct ck_event *e)
{
    int64_t *rows = ck_state(c, &rows_key, sizeof *rows);
    if (rows)
        *rows = rows_of_loss(c, e->a);
}

/* Behind the clipping: p.grad += sigma * torch.randn_like(p.grad), in any of its spellings. */
static bool adds_noise(const struct lw_tree *t, uint32_t clip)
{
    uint32_t top = lw_tree_enclosing(t, clip, LW_NODE_FUNCTION);
    if (top == LW_NO_NODE)
        top = t->root;
    struct lw_str text = lw_tree_text(t, top), line;
    struct lw_str rest =
        lw_str_part(text, lw_tree_end(t, clip) - lw_tree_start(t, top), text.n);
    while (lw_str_line(&rest, &line)) {
        bool gradient = lw_str_find(line, LW_S(".grad")) != LW_NPOS;
        bool noise = lw_str_find(line, LW_S("randn")) != LW_NPOS ||
                     lw_str_find(line, LW_S("normal")) != LW_NPOS ||
                     lw_str_find(line, LW_S("noise")) != LW_NPOS;
        if (gradient && noise)
            return true;
    }
    return false;
}

static void watch_clip(struct ck *c, const struct ck_event *e)
{
    const int64_t *rows = ck_state(c, &rows_key, sizeof *rows);
    if (rows && *rows > 1 && lw_str_has_suffix(e->call->name, LW_S("clip_grad_norm_")) &&
        adds_noise(&c->frame->file->tree, e->node))
        report(c, c->frame->file, e->node);
}

const struct ck_rule rules_training_private[] = {
    {"training/private-clip-batch", CK_EV_OPERATOR, watch_noise},
    {"training/private-clip-batch", CK_EV_BACKWARD, watch_backward},
    {"training/private-clip-batch", CK_EV_CALL, watch_clip, .calls = "*clip_grad_norm_"},
    {0},
};
