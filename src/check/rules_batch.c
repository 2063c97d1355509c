/*
 * Rules about the axis of the batch: scores that are normalised, or compared, across the
 * samples of a batch instead of within each.
 */
#include "base/str.h"
#include "check/lib.h"
#include "check/look.h"
#include "check/rules.h"

/* Has it two axes, a batch and some scores, of a known number unless it is `sure` that they are
 * scores? The number of samples is hardly ever known inside of a network. */
static bool is_batch_of_scores(struct ck *c, struct lw_value v, bool sure)
{
    const struct ck_object *self = ck_as(c->frame->self, CK_INSTANCE);
    const struct lw_tensor *t = ck_tensor_of(v);
    int64_t n;
    if (!self || !ck_is_torch_module(c, self) || !t || !lw_shape_has_rank(&t->shape) ||
        t->shape.n != 2 || (lw_dim_is_int(c->dims, t->shape.d[0], &n) && (!sure || n < 2)))
        return false;
    return lw_dim_is_int(c->dims, t->shape.d[1], &n) ? n > 1 : sure;
}

/* softmax(scores, dim=0): the probabilities of a class add up to 1 over the batch. */
static void watch_softmax(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"softmax", "log_softmax", "Softmax", "LogSoftmax"};
    int64_t dim;
    struct lw_str name = look_tail(e->call->name);
    bool layer = e->kind == CK_EV_LAYER;
    if (!look_is_any(name, names, sizeof names / sizeof *names) || !e->call->api ||
        e->call->api->framework != LW_TORCH || (layer && !e->object))
        return;
    struct lw_value x = look_operand(e->call);
    struct lw_value axis =
        layer ? ck_config(e->object, "dim")
              : ck_arg(e->call, e->call->self.kind == LW_V_TENSOR ? 0 : 1, "dim");
    if (!ck_int_of(c, axis, &dim) || dim != 0 ||
        !is_batch_of_scores(c, x, look_says(name, "og")))
        return;
    ck_find(
        c, e->node, "architecture/softmax-axis", &x, 1,
        "the softmax runs along the batch: the samples share their probabilities, and those "
        "of one sample do not add up to 1; take dim=1");
}

/* Linear(x.view(-1)): all samples as the one row of one sample. */
static void watch_flat(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"view", "reshape", "flatten"};
    struct lw_value x = look_operand(e->call);
    const struct lw_tensor *t = ck_tensor_of(x);
    const struct ck_origin *o = t ? ck_origin_of(c, x) : NULL;
    if (!o || !o->in_count || !e->object || e->object->of || !e->object->api ||
        !look_is(e->object->api->name, "torch.nn.Linear") || !lw_shape_has_rank(&t->shape) ||
        t->shape.n != 1 || !look_is_any(look_tail(o->op), names, sizeof names / sizeof *names))
        return;
    const struct lw_tensor *was = ck_tensor_of(o->in[0]);
    int64_t n;
    if (!was || !lw_shape_has_rank(&was->shape) || was->shape.n < 2 ||
        lw_dim_is_int(c->dims, was->shape.d[0], &n) ||
        !lw_str_has_prefix(ck_show_shape(c, &was->shape), LW_S("(batch,")))
        return;
    ck_find(c, e->node, "shape/reshape-mixes-samples", &x, 1,
            "the samples of the batch were joined to one row: the layer gets them as the "
            "features of a single sample; keep the first axis, as in flatten(1)");
}

/* ---- the best class, along the wrong axis ---------------------------------------------------
 */

static bool is_zero(const struct lw_tree *t, uint32_t arg)
{
    if (arg != LW_NO_NODE && lw_tree_kind(t, arg) == LW_NODE_KEYWORD)
        arg = lw_tree_get(t, arg, LW_ROLE_VALUE);
    return arg != LW_NO_NODE && look_is(lw_tree_text(t, arg), "0");
}

/* out of torch.max(out, 0), out.max(0), out.argmax(dim=0); LW_NO_NODE for others. */
static uint32_t maximum_of(const struct lw_tree *t, uint32_t call)
{
    uint32_t owner = look_owner(t, call);
    if (owner == LW_NO_NODE)
        return LW_NO_NODE;
    struct lw_str name = lw_tree_name(t, lw_tree_get(t, call, LW_ROLE_FUNC));
    if (!look_is(name, "max") && !look_is(name, "argmax"))
        return LW_NO_NODE;
    bool function = look_is(lw_tree_text(t, owner), "torch");
    uint32_t first = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    uint32_t dim =
        function && first != LW_NO_NODE ? lw_tree_each(t, call, LW_ROLE_ARGS, first) : first;
    for (uint32_t k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, k))
        if (look_is(lw_tree_name(t, k), "dim"))
            dim = k;
    uint32_t scores = function ? first : owner;
    if (scores != LW_NO_NODE && lw_tree_kind(t, scores) == LW_NODE_ATTRIBUTE &&
        look_is(lw_tree_name(t, scores), "data"))
        scores = lw_tree_get(t, scores, LW_ROLE_VALUE);
    return is_zero(t, dim) && scores != LW_NO_NODE && lw_tree_kind(t, scores) == LW_NODE_NAME
               ? scores
               : LW_NO_NODE;
}

/* Is it compared with labels, and are the hits counted? */
static bool counts_hits(const struct lw_tree *t, uint32_t f, struct lw_str pred)
{
    static const char *const answers[] = {"label", "target", "truth", "y"};
    for (uint32_t n = lw_tree_next(t, f, f, false); n != LW_NO_NODE;
         n = lw_tree_next(t, f, n, false)) {
        bool compares = lw_tree_kind(t, n) == LW_NODE_COMPARE ||
                        (lw_tree_kind(t, n) == LW_NODE_CALL && look_owner(t, n) != LW_NO_NODE &&
                         look_is(lw_tree_name(t, lw_tree_get(t, n, LW_ROLE_FUNC)), "eq"));
        if (!compares || !look_has_name(t, n, pred))
            continue;
        struct lw_str text = lw_tree_text(t, n);
        bool answer = false;
        for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
            answer |= look_says(text, answers[i]);
        if (answer && look_says(lw_tree_text(t, lw_tree_statement(t, n)), "sum("))
            return true;
    }
    return false;
}

/* The name that keeps the classes: `_, pred = torch.max(…)`, `pred = out.argmax(0)`. */
static struct lw_str kept_in(const struct lw_tree *t, uint32_t call)
{
    uint32_t statement = lw_tree_statement(t, call);
    uint32_t target = lw_tree_kind(t, statement) == LW_NODE_ASSIGN
                          ? lw_tree_get(t, statement, LW_ROLE_TARGETS)
                          : LW_NO_NODE;
    struct lw_str none = {0};
    if (target == LW_NO_NODE)
        return none;
    if (lw_tree_kind(t, target) == LW_NODE_NAME)
        return lw_tree_name(t, target);
    uint32_t last = LW_NO_NODE;
    for (uint32_t e = lw_tree_each(t, target, LW_ROLE_ELTS, LW_NO_NODE); e != LW_NO_NODE;
         e = lw_tree_each(t, target, LW_ROLE_ELTS, e))
        last = e;
    return last != LW_NO_NODE && lw_tree_kind(t, last) == LW_NODE_NAME ? lw_tree_name(t, last)
                                                                       : none;
}

/* _, pred = torch.max(net(x), 0); (pred == y).sum(): the best sample of each class. */
static void check_maximum(struct ck *c, struct ck_file *file, uint32_t call)
{
    const struct lw_tree *t = &file->tree;
    uint32_t scores = maximum_of(t, call);
    uint32_t f = lw_tree_enclosing(t, call, LW_NODE_FUNCTION);
    uint32_t made = scores == LW_NO_NODE ? scores : look_assigned(t, scores);
    struct lw_str pred = made == LW_NO_NODE ? (struct lw_str){0} : kept_in(t, call);
    if (!pred.n || look_loop_around(t, call) == LW_NO_NODE ||
        !counts_hits(t, f == LW_NO_NODE ? t->root : f, pred))
        return;
    static const char *const networks[] = {"model", "net", "Net", "classifier", "cnn"};
    struct lw_str text = lw_tree_text(t, made);
    bool network = false;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        network |= lw_tree_kind(t, made) == LW_NODE_CALL && look_says(text, networks[i]);
    if (!network)
        return;
    ck_find_at(c, file, call, "architecture/softmax-axis", NULL, 0,
               "the maximum runs along the batch: it is the best sample of each class, not the "
               "class of each sample; take dim=1");
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    (void)e;
    if (!look_says(file->source.text, "torch") || !look_says(file->source.text, "max("))
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL)
            check_maximum(c, file, n);
}

const struct ck_rule ck_rules_batch[] = {
    {CK_EV_CALL | CK_EV_LAYER, watch_softmax},
    {CK_EV_LAYER, watch_flat},
    {CK_EV_END, watch_end},
    {0, NULL},
};
