/* Rules about softmax along an axis that is not meant. */
#include "base/str.h"
#include "check/models/models.h"
#include "check/query/look.h"
#include "check/query/roles.h"
#include "check/query/model_view.h"
#include "check/rules/rules.h"

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
    struct lw_str name = text_tail(e->call->name);
    bool layer = e->kind == CK_EV_LAYER;
    if (!text_is_any(name, names, sizeof names / sizeof *names) || !e->call->api ||
        e->call->api->framework != LW_TORCH || (layer && !e->object))
        return;
    struct lw_value x = lineage_operand(e->call);
    struct lw_value axis =
        layer ? ck_config(e->object, "dim")
              : ck_arg(e->call, e->call->self.kind == LW_V_TENSOR ? 0 : 1, "dim");
    if (!ck_int_of(c, axis, &dim) || dim != 0 ||
        !is_batch_of_scores(c, x, text_says(name, "og")))
        return;
    ck_find(c, e->node, "architecture/softmax-axis", &x, 1,
            "the softmax runs along the batch axis, so the probabilities of one sample do not "
            "add up to 1: use dim=1");
}

/* ---- the best class, along the wrong axis ---------------------------------------------------
 */

static bool is_zero(const struct lw_tree *t, uint32_t arg)
{
    if (arg != LW_NO_NODE && lw_tree_kind(t, arg) == LW_NODE_KEYWORD)
        arg = lw_tree_get(t, arg, LW_ROLE_VALUE);
    return arg != LW_NO_NODE && text_is(lw_tree_text(t, arg), "0");
}

/* out of torch.max(out, 0), out.max(0), out.argmax(dim=0); LW_NO_NODE for others. */
static uint32_t maximum_of(const struct lw_tree *t, uint32_t call)
{
    uint32_t owner = syntax_owner(t, call);
    if (owner == LW_NO_NODE)
        return LW_NO_NODE;
    struct lw_str name = lw_tree_name(t, lw_tree_get(t, call, LW_ROLE_FUNC));
    if (!text_is(name, "max") && !text_is(name, "argmax"))
        return LW_NO_NODE;
    bool function = text_is(lw_tree_text(t, owner), "torch");
    uint32_t first = lw_tree_each(t, call, LW_ROLE_ARGS, LW_NO_NODE);
    uint32_t dim =
        function && first != LW_NO_NODE ? lw_tree_each(t, call, LW_ROLE_ARGS, first) : first;
    for (uint32_t k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, LW_NO_NODE); k != LW_NO_NODE;
         k = lw_tree_each(t, call, LW_ROLE_KEYWORDS, k))
        if (text_is(lw_tree_name(t, k), "dim"))
            dim = k;
    uint32_t scores = function ? first : owner;
    if (scores != LW_NO_NODE && lw_tree_kind(t, scores) == LW_NODE_ATTRIBUTE &&
        text_is(lw_tree_name(t, scores), "data"))
        scores = lw_tree_get(t, scores, LW_ROLE_VALUE);
    return is_zero(t, dim) && scores != LW_NO_NODE && lw_tree_kind(t, scores) == LW_NODE_NAME
               ? scores
               : LW_NO_NODE;
}

/* Is it compared with labels, and are the hits counted? */
static bool counts_hits(const struct ck *c, const struct lw_tree *t, uint32_t f,
                        struct lw_str pred)
{
    for (uint32_t n = lw_tree_next(t, f, f, false); n != LW_NO_NODE;
         n = lw_tree_next(t, f, n, false)) {
        bool compares =
            lw_tree_kind(t, n) == LW_NODE_COMPARE ||
            (lw_tree_kind(t, n) == LW_NODE_CALL && syntax_owner(t, n) != LW_NO_NODE &&
             text_is(lw_tree_name(t, lw_tree_get(t, n, LW_ROLE_FUNC)), "eq"));
        if (!compares || !syntax_has_name(t, n, pred))
            continue;
        if (role_is_within(c, t, n, ROLE_LABEL) &&
            text_says(lw_tree_text(t, lw_tree_statement(t, n)), "sum("))
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
    uint32_t made = scores == LW_NO_NODE ? scores : syntax_assigned(t, scores);
    struct lw_str pred = made == LW_NO_NODE ? (struct lw_str){0} : kept_in(t, call);
    if (!pred.n || syntax_loop_around(t, call) == LW_NO_NODE ||
        !counts_hits(c, t, f == LW_NO_NODE ? t->root : f, pred))
        return;
    static const char *const networks[] = {"model", "net", "Net", "classifier", "cnn"};
    struct lw_str text = lw_tree_text(t, made);
    bool network = false;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        network |= lw_tree_kind(t, made) == LW_NODE_CALL && text_says(text, networks[i]);
    if (!network)
        return;
    ck_find_at(c, file, call, "architecture/softmax-axis", NULL, 0,
               "the maximum runs along the batch axis, so it is the best sample of each class, "
               "not the class of each sample: use dim=1");
}

static void watch_end(struct ck *c, const struct ck_event *e)
{
    struct ck_file *file = c->files.v[0];
    const struct lw_tree *t = &file->tree;
    (void)e;
    if (!ck_file_shows(c, file, "name *torch*") || !ck_file_shows(c, file, "call *max"))
        return;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL)
            check_maximum(c, file, n);
}

/* ---- weights that are summed along another axis --------------------------------------------
 */

static bool axis_of(struct ck *c, struct lw_value v, size_t rank, int64_t *out)
{
    if (!ck_int_of(c, v, out))
        return false;
    *out += *out < 0 ? (int64_t)rank : 0;
    return *out >= 0 && *out < (int64_t)rank;
}

/* The softmax that made `v`, and the axis along which it adds up to 1. Axes of size 1 that were
 * added since are counted in; `*widened` says that it has some. */
static const struct ck_origin *softmax_axis(struct ck *c, struct lw_value v, int64_t *axis,
                                            bool *widened)
{
    static const char *const names[] = {"softmax", "Softmax"};
    static const char *const wideners[] = {"unsqueeze", "expand_dims"};
    const struct ck_origin *o = ck_origin_of(c, v);
    int64_t added[4];
    unsigned n = 0;
    *widened = false;
    for (; o && n < 4 && text_is_any(text_tail(o->op), wideners, 2) && o->in_count > 1;
         o = ck_origin_of(c, v)) {
        const struct lw_tensor *t = ck_tensor_of(v);
        if (!lw_shape_has_rank(&t->shape) || !axis_of(c, o->in[1], t->shape.n, &added[n]))
            return NULL;
        n++;
        v = o->in[0];
        *widened = true;
    }
    const struct lw_tensor *t = ck_tensor_of(v);
    if (!o || !t || !lw_shape_has_rank(&t->shape) || t->shape.n < 2 ||
        !text_is_any(text_tail(o->op), names, 2))
        return NULL;
    struct lw_value dim = o->layer ? ck_config(o->layer, "dim") : lineage_slot(o, "dim");
    if (dim.kind == LW_V_ABSENT)
        dim = o->layer ? ck_config(o->layer, "axis") : lineage_slot(o, "axis");
    if (!axis_of(c, dim, t->shape.n, axis))
        return NULL;
    while (n > 0)
        *axis += added[--n] <= *axis;
    int64_t last;
    *widened |= lw_dim_is_int(c->dims, t->shape.d[t->shape.n - 1], &last) && last == 1;
    return o;
}

static void report_axis(struct ck *c, const struct ck_origin *softmax, int64_t along,
                        int64_t summed)
{
    ck_find_at(c, softmax->file, softmax->node, "architecture/softmax-axis", NULL, 0,
               "the softmax weights add up to 1 along axis %lld, but the sum runs along axis "
               "%lld: apply softmax along the axis of the sum",
               (long long)along, (long long)summed);
}

/* The axis of the batch, where the layer behind which `v` comes says so; -1: it does not. */
static int64_t batch_axis(struct ck *c, struct lw_value v)
{
    const struct mv_chain *chain = mv_of_tensor(c, v);
    bool dense = false;
    for (size_t i = chain ? chain->n : 0; i-- > 0;) {
        const struct mv_stage *s = &chain->stage[i];
        const struct lw_tensor *out = ck_tensor_of(s->out);
        if (s->kind == MV_LEARN && !dense) {
            if (!s->layer || !text_is(s->role, "dense") || !out ||
                !lw_shape_has_rank(&out->shape))
                return -1;
            if (out->shape.n == 2)
                return 0;
            dense = true;
        } else if (dense && s->layer && text_is(s->role, "recurrent")) {
            struct lw_value first = ck_config(s->layer, "batch_first");
            return first.kind != LW_V_BOOL || first.tri != LW_TRI_NO ? 0 : 1;
        } else if (s->kind != MV_KEEP && s->kind != MV_ACTIVATE) {
            return -1;
        }
    }
    return -1;
}

/* What a module answers with is a softmax over the samples of the batch. */
static void check_answer(struct ck *c, struct lw_value v)
{
    static const char *const names[] = {"softmax", "Softmax", "log_softmax", "LogSoftmax"};
    const struct ck_origin *o = lineage_made_by(c, v, names, 4);
    const struct lw_tensor *t = ck_tensor_of(v);
    int64_t axis, size;
    if (!o || !o->in_count || o->in[0].kind != LW_V_TENSOR || !lw_shape_has_rank(&t->shape) ||
        t->shape.n < 2)
        return;
    struct lw_value dim = o->layer ? ck_config(o->layer, "dim") : lineage_slot(o, "dim");
    if (!axis_of(c, dim, t->shape.n, &axis) ||
        (lw_dim_is_int(c->dims, t->shape.d[t->shape.n - 1], &size) && size == 1) ||
        batch_axis(c, o->in[0]) != axis)
        return;
    ck_find_at(c, o->file, o->node, "architecture/softmax-axis", &o->in[0], 1,
               "the softmax runs along axis %lld, the batch axis, so the probabilities of one "
               "sample do not add up to 1: apply softmax along the last axis",
               (long long)axis);
}

static void watch_answer(struct ck *c, const struct ck_event *e)
{
    const struct ck_object *f = c->frame->function, *self = ck_as(c->frame->self, CK_INSTANCE);
    struct lw_seq seq;
    if (!f || !self || !text_is(text_tail(f->name), "forward") || !ck_is_torch_module(c, self))
        return;
    if (e->value.kind == LW_V_TENSOR)
        check_answer(c, e->value);
    else if (e->value.kind == LW_V_TUPLE && ck_sequence(c, e->value, &seq))
        for (uint32_t i = 0; i < seq.n; i++)
            if (seq.items[i].kind == LW_V_TENSOR)
                check_answer(c, seq.items[i]);
}

/* softmax along an axis of size 1 is 1 everywhere. (batch, 1) is softmax-one-unit. */
static void watch_single(struct ck *c, const struct ck_event *e)
{
    int64_t axis, size;
    bool widened;
    const struct ck_origin *o = ck_origin_of(c, e->value);
    if (!o || o->node != e->node || !softmax_axis(c, e->value, &axis, &widened) ||
        e->value.tensor->shape.n < 3 ||
        !lw_dim_is_int(c->dims, e->value.tensor->shape.d[axis], &size) || size != 1)
        return;
    ck_find(c, e->node, "architecture/softmax-constant", &e->value, 1,
            "softmax along axis %lld, whose size is 1, is always 1: apply it along the axis of "
            "the values to weight",
            (long long)axis);
}

/* (softmax(scores, dim=0).unsqueeze(2) * vectors).sum(dim=1) */
static void watch_weighted_sum(struct ck *c, const struct ck_event *e)
{
    int64_t along, summed;
    bool widened;
    if (!text_is(text_tail(e->call->name), "sum") &&
        !text_is(text_tail(e->call->name), "reduce_sum"))
        return;
    struct lw_value x = lineage_operand(e->call);
    const struct ck_origin *product = ck_origin_of(c, x);
    struct lw_value dim = ck_slot_value(e->call, "dim");
    if (dim.kind == LW_V_ABSENT)
        dim = ck_slot_value(e->call, "axis");
    if (!product || !text_is(product->op, "*") || product->in_count != 2 ||
        !lw_shape_has_rank(&x.tensor->shape) || !axis_of(c, dim, x.tensor->shape.n, &summed))
        return;
    for (unsigned i = 0; i < 2; i++) {
        const struct ck_origin *o = softmax_axis(c, product->in[i], &along, &widened);
        const struct lw_tensor *w = o ? ck_tensor_of(product->in[i]) : NULL;
        if (w && widened && w->shape.n == x.tensor->shape.n && along == 0 && summed != 0) {
            report_axis(c, o, along, summed);
            return;
        }
    }
}

/* softmax(scores, dim=1) @ values, of three axes or more: the product sums along the last. */
static void check_product(struct ck *c, struct lw_value weights)
{
    int64_t along;
    bool widened;
    const struct ck_origin *o = softmax_axis(c, weights, &along, &widened);
    const struct lw_tensor *t = ck_tensor_of(weights);
    if (o && !widened && t->shape.n >= 3 && along != (int64_t)t->shape.n - 1)
        report_axis(c, o, along, (int64_t)t->shape.n - 1);
}

static void watch_product(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"bmm", "matmul"};
    if (e->kind == CK_EV_OPERATOR) {
        if (e->op == LW_OP_MAT_MULT)
            check_product(c, e->a);
    } else if (text_is_any(text_tail(e->call->name), names, 2)) {
        check_product(c, lineage_operand(e->call));
    }
}

/* einsum("bt,btd->bd", softmax(scores, dim=0), x): the letter of the softmax has to be summed.
 */
static void check_letters(struct ck *c, struct lw_str letters, struct lw_str kept,
                          struct lw_value weights)
{
    int64_t along;
    bool widened;
    const struct ck_origin *o = softmax_axis(c, weights, &along, &widened);
    const struct lw_tensor *t = o ? ck_tensor_of(weights) : NULL;
    if (!t || widened || t->shape.n != letters.n || !kept.n ||
        lw_str_find_char(kept, letters.p[along]) < 0)
        return;
    for (size_t i = 0; i < letters.n; i++)
        if (lw_str_find_char(kept, letters.p[i]) < 0) {
            report_axis(c, o, along, (int64_t)i);
            return;
        }
}

static void watch_einsum(struct ck *c, const struct ck_event *e)
{
    struct lw_value equation = e->call->n ? e->call->args[0].value : lw_v_absent();
    if (!text_is(text_tail(e->call->name), "einsum") || equation.kind != LW_V_STR ||
        !equation.str.p)
        return;
    ptrdiff_t arrow = lw_str_find_last_char(equation.str, '>');
    if (arrow < 1 || lw_str_find_char(equation.str, '.') >= 0)
        return;
    struct lw_str kept = lw_str_trim(lw_str_from(equation.str, (size_t)arrow + 1));
    struct lw_str inputs = lw_str_part(equation.str, 0, (size_t)arrow - 1), letters;
    for (size_t i = 1; i < e->call->n && lw_str_split(&inputs, ',', &letters); i++)
        if (e->call->args[i].value.kind == LW_V_TENSOR)
            check_letters(c, lw_str_trim(letters), kept, e->call->args[i].value);
}

const struct ck_rule rules_architecture_softmax_axis[] = {
    {"architecture/softmax-axis", CK_EV_CALL | CK_EV_LAYER, watch_softmax,
     .calls = ".softmax .log_softmax .Softmax .LogSoftmax"},
    {"architecture/softmax-axis", CK_EV_END, watch_end},
    {"architecture/softmax-constant", CK_EV_CALL | CK_EV_LAYER, watch_single, .pure = true},
    {"architecture/softmax-axis", CK_EV_RETURN, watch_answer, .pure = true},
    {"architecture/softmax-axis", CK_EV_CALL, watch_weighted_sum, .pure = true,
     .calls = ".sum .reduce_sum"},
    {"architecture/softmax-axis", CK_EV_CALL | CK_EV_OPERATOR, watch_product, .pure = true,
     .calls = ".bmm .matmul"},
    {"architecture/softmax-axis", CK_EV_CALL, watch_einsum, .pure = true},
    {0},
};
