/* Rules about shapes that need more than one call. */
#include "base/num.h"
#include "base/str.h"
#include "check/fix/layers.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/query/notes.h"
#include "check/rules/rules.h"

/* The entry of the loss a model was compiled with, or NULL. */
static const struct lw_api *loss_of(struct ck *c, struct ck_object *model)
{
    struct lw_value loss = model_trait(model, MODEL_LOSS);
    struct ck_object *o = ck_object_of(loss);
    if (loss.kind == LW_V_STR && loss.str.p)
        return lw_api_find_choice(c->apis, LW_S("loss"), loss.str);
    if (o && (o->kind == CK_INSTANCE || o->kind == CK_NAME) && !o->of)
        return o->api;
    return NULL;
}

/* Elements of one sample, without `tail` dimensions at the end. */
static lw_dim per_sample(struct ck *c, const struct lw_shape *s, uint32_t tail)
{
    lw_dim n = lw_dim_int(1);
    for (uint32_t i = 1; i + tail < s->n; i++)
        n = lw_dim_mul(c->dims, n, s->d[i]);
    return n;
}

static void report(struct ck *c, const struct ck_event *e, const char *why)
{
    struct lw_value causes[2] = {e->value, e->b};
    ck_find(c, e->node, "shape/output-target-shape", causes, 2,
            "the model returns %.*s, but the targets are %.*s: %s",
            LW_F(ck_show_shape(c, &e->value.tensor->shape)),
            LW_F(ck_show_shape(c, &e->b.tensor->shape)), why);
}

static void check_onehot(struct ck *c, const struct ck_event *e, const struct lw_shape *out,
                         const struct lw_shape *y)
{
    if (out->n != y->n) {
        report(c, e, "this loss expects targets of the same shape (one-hot)");
        return;
    }
    for (uint32_t i = 1; i < out->n; i++)
        if (lw_dim_eq(c->dims, out->d[i], y->d[i]) == LW_TRI_NO) {
            report(c, e,
                   i + 1 == out->n
                       ? "this loss expects one-hot targets with as many columns as the output"
                       : "this loss expects targets of the same shape");
            return;
        }
}

static void stretched(struct ck *c, const struct ck_event *e, const struct lw_shape *out,
                      const struct lw_shape *y)
{
    ck_find(c, e->node, "shape/silent-broadcast", &e->value, 1,
            "outputs of shape %.*s are compared with targets of shape %.*s, and one is "
            "broadcast to the other: give both the same shape",
            LW_F(ck_show_shape(c, out)), LW_F(ck_show_shape(c, y)));
}

/* Keras drops a last axis of 1 where outputs and targets differ by one axis; else they do not
 * go together. */
static void check_ranks(struct ck *c, const struct ck_event *e, const struct lw_shape *out,
                        const struct lw_shape *y)
{
    const struct lw_shape *more = out->n > y->n ? out : y, *less = out->n > y->n ? y : out;
    lw_tri one = lw_dim_eq(c->dims, more->d[more->n - 1], lw_dim_int(1));
    if (more->n > less->n + 1 || one == LW_TRI_NO) {
        report(c, e, "they differ in the number of dimensions");
        return;
    }
    for (uint32_t i = 1; one == LW_TRI_YES && i < less->n; i++)
        if (lw_dim_eq(c->dims, more->d[i], less->d[i]) == LW_TRI_NO) {
            stretched(c, e, out, y);
            return;
        }
}

/* (32, 28, 28, 1) against (32, 28, 28): Keras takes the last axis away. */
static bool is_squeezed(struct ck *c, const struct lw_shape *more, const struct lw_shape *less)
{
    int64_t n;
    if (more->n != less->n + 1 || less->n < 2 ||
        !lw_dim_is_int(c->dims, more->d[less->n], &n) || n != 1)
        return false;
    for (uint32_t i = 1; i < less->n; i++)
        if (lw_dim_eq(c->dims, more->d[i], less->d[i]) == LW_TRI_NO)
            return false;
    return true;
}

static void check_values(struct ck *c, const struct ck_event *e, const struct lw_shape *out,
                         const struct lw_shape *y, bool strict)
{
    struct lw_shape both;
    if (is_squeezed(c, out, y) || is_squeezed(c, y, out))
        return;
    if (lw_shape_broadcast(c->dims, out, y, &both) == LW_TRI_NO) {
        report(c, e, "they cannot be compared element by element");
        return;
    }
    if (out->n != y->n) {
        if (e->kind == CK_EV_FIT)
            check_ranks(c, e, out, y);
        return;
    }
    for (uint32_t i = 1; i < out->n; i++)
        if (lw_dim_eq(c->dims, out->d[i], y->d[i]) == LW_TRI_NO) {
            if (strict)
                report(c, e, "this loss expects targets of the same shape");
            else
                stretched(c, e, out, y);
            return;
        }
}

static void watch_fit(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = e->object ? loss_of(c, e->object) : NULL;
    if (!loss || e->value.kind != LW_V_TENSOR || e->b.kind != LW_V_TENSOR)
        return;
    const struct lw_shape *out = &e->value.tensor->shape, *y = &e->b.tensor->shape;
    if (!lw_shape_has_rank(out) || !lw_shape_has_rank(y) || out->n == 0 || y->n == 0)
        return;
    struct lw_str target = lw_api_fact(loss, "target");
    if (lw_str_eq(target, LW_S("index"))) {
        lw_dim a = per_sample(c, out, 1), b = per_sample(c, y, 0);
        if (lw_dim_eq(c->dims, a, b) == LW_TRI_NO)
            report(c, e, "this loss expects one class index for each row of outputs");
    } else if (lw_str_eq(target, LW_S("onehot")))
        check_onehot(c, e, out, y);
    else if (lw_str_eq(target, LW_S("binary")))
        check_values(c, e, out, y, true);
    else if (lw_str_eq(target, LW_S("same")))
        check_values(c, e, out, y, false);
}

/* ---- numbers of samples -------------------------------------------------------------------
 */

static void check_rows(struct ck *c, struct lw_value a, struct lw_value b, uint32_t node)
{
    int64_t m, n;
    const struct lw_tensor *x = ck_tensor_of(a), *y = ck_tensor_of(b);
    if (!x || !y || !lw_shape_has_rank(&x->shape) || !lw_shape_has_rank(&y->shape) ||
        x->shape.n == 0 || y->shape.n == 0 || !lw_dim_is_int(c->dims, x->shape.d[0], &m) ||
        !lw_dim_is_int(c->dims, y->shape.d[0], &n) || m == n)
        return;
    struct lw_value causes[2] = {a, b};
    ck_find(c, node, "shape/sample-count", causes, 2,
            "the arrays have different numbers of samples: %lld in %.*s, %lld in %.*s",
            (long long)m, LW_F(ck_show_shape(c, &x->shape)), (long long)n,
            LW_F(ck_show_shape(c, &y->shape)));
}

/* Each array of a list against `first`, which is the first of them where it is ABSENT. */
static struct lw_value check_each(struct ck *c, struct lw_value v, struct lw_value first,
                                  uint32_t node)
{
    struct lw_seq seq;
    if (v.kind == LW_V_TENSOR) {
        check_rows(c, first, v, node);
        return first.kind == LW_V_ABSENT ? v : first;
    }
    if ((v.kind == CK_LIST || v.kind == LW_V_TUPLE) && ck_sequence(c, v, &seq) && !seq.open &&
        seq.n && seq.n <= 16 && seq.items[0].kind == LW_V_TENSOR)
        for (uint32_t i = 0; i < seq.n; i++)
            if (seq.items[i].kind == LW_V_TENSOR)
                first = check_each(c, seq.items[i], first, node);
    return first;
}

/* model.fit(x, y), also with lists of arrays; a list for a model of one input is the array. */
static void watch_rows(struct ck *c, const struct ck_event *e)
{
    struct lw_value x = ck_arg(e->call, 0, "x"), y = ck_arg(e->call, 1, "y");
    struct lw_value in = e->object ? model_trait(e->object, MODEL_INPUT) : lw_v_absent();
    struct lw_value out = e->object ? model_trait(e->object, MODEL_OUTPUT) : lw_v_absent();
    struct lw_value first = lw_v_absent();
    if (x.kind == LW_V_TENSOR || in.kind == CK_LIST || in.kind == LW_V_TUPLE)
        first = check_each(c, x, first, e->node);
    if (y.kind == LW_V_TENSOR || out.kind == CK_LIST || out.kind == LW_V_TUPLE)
        check_each(c, y, first, e->node);
}

/* TensorDataset(x, y) */
static void watch_dataset(struct ck *c, const struct ck_event *e)
{
    if (!lw_str_eq(e->call->name, LW_S("torch.utils.data.TensorDataset")))
        return;
    for (size_t i = 0; i < e->call->n && !e->call->args[i].star; i++)
        check_rows(c, e->call->args[0].value, e->call->args[i].value, e->node);
}

/* Word numbers up to the size of the embedding or beyond. */
static void watch_words(struct ck *c, const struct ck_event *e)
{
    struct lw_seq seq;
    int64_t rows;
    const struct lw_tensor *x = ck_tensor_of(ck_arg(e->call, 0, "x"));
    struct lw_value items = e->object ? ck_trait(e->object, TRAIT_ITEMS) : lw_v_absent();
    if (!x || items.kind != CK_LIST || !ck_sequence(c, items, &seq) || !seq.n ||
        !(x->range.flags & LW_IV_KNOWN) || x->range.hi > 1e9)
        return;
    const struct ck_object *first = ck_as(seq.items[0], CK_INSTANCE);
    if (!first || !first->api ||
        !lw_str_eq(lw_api_fact(first->api, "role"), LW_S("embedding")) ||
        !ck_int_of(c, ck_config(first, "input_dim"), &rows) || x->range.hi < (double)rows)
        return;
    struct lw_value data = ck_arg(e->call, 0, "x");
    ck_find(c, e->node, "shape/embedding-range", &data, 1,
            "indices up to %g are out of range for an embedding of %lld rows", x->range.hi,
            (long long)rows);
}

/* ---- reshaping ----------------------------------------------------------------------------
 */

static bool is_known(struct ck *c, lw_dim d, int64_t *n)
{
    return lw_dim_is_int(c->dims, d, n) && *n > 0;
}

/* Rows of k elements end where an axis of the images ends: (-1, C), (-1, W * C)… */
static bool ends_with_axis(struct ck *c, const struct lw_shape *from, int64_t k)
{
    int64_t size, product = 1;
    for (uint32_t i = from->n; i-- > 1;) {
        if (!is_known(c, from->d[i], &size))
            return true;
        product *= size;
        if (product >= k)
            return product == k;
    }
    return false;
}

/* Images that are flattened to rows of another size than one image has. */
static bool cuts_images(struct ck *c, const struct lw_shape *from, const struct lw_shape *to,
                        int64_t m, int64_t k)
{
    return from->n == 4 && to->n == 2 && (k > m || !ends_with_axis(c, from, k));
}

/* x.view(-1, k) where one sample has m elements and neither divides the other: rows of the
 * result begin in the middle of a sample, or the call fails, depending on the batch. */
static void watch_reshape(struct ck *c, const struct ck_event *e)
{
    const struct ck_origin *o = ck_origin_of(c, e->value);
    if (!lw_str_has_suffix(e->call->name, LW_S("reshape")) &&
        !lw_str_has_suffix(e->call->name, LW_S("view")))
        return;
    if (!o || o->in_count == 0 || o->in[0].kind != LW_V_TENSOR || e->value.kind != LW_V_TENSOR)
        return;
    const struct lw_shape *from = &o->in[0].tensor->shape, *to = &e->value.tensor->shape;
    int64_t rows, m, k;
    if (!lw_shape_has_rank(from) || !lw_shape_has_rank(to) || from->n < 2 || to->n < 2 ||
        lw_dim_is_int(c->dims, from->d[0], &rows) || from->d[0] == LW_DIM_UNKNOWN ||
        lw_dim_eq(c->dims, from->d[0], to->d[0]) == LW_TRI_YES)
        return;
    if (!is_known(c, per_sample(c, from, 0), &m) || !is_known(c, per_sample(c, to, 0), &k) ||
        ((m % k == 0 || k % m == 0) && !cuts_images(c, from, to, m, k)))
        return;
    ck_find(c, e->node, "shape/reshape-mixes-samples", &o->in[0], 1,
            "each sample of %.*s has %lld elements, but the new rows have %lld, so samples are "
            "mixed, or the reshape fails: use rows of %lld",
            LW_F(ck_show_shape(c, from)), (long long)m, (long long)k, (long long)m);
}

/* Sentences as lists of word numbers have different lengths; a model takes one. */
static void watch_sequences(struct ck *c, const struct ck_event *e)
{
    static const char *const evened[] = {
        "name *pad_sequences*", "name *_to_matrix", "name *agged*", "name *maxlen*",
        "name *max_len*",       "name *padded*",    "call *pad"};
    if (!lw_str_has_suffix(e->call->name, LW_S(".texts_to_sequences")) ||
        !ck_shows(c, "call .fit") || c->frame->function ||
        ck_shows_any(c, evened, sizeof evened / sizeof *evened))
        return;
    ck_find_as(c, e->node, LW_S("shape/ragged"), LW_SEVERITY_WARNING, NULL, 0,
               LW_S("the sequences have different lengths, one index per word of the text: pad "
                    "them with pad_sequences() before training"));
}

/* ---- views of permuted tensors ------------------------------------------------------------
 */

enum { MAX_AXES = 8 };

/* The order of the axes of `from` in the result of a transposing call; false: not such a call.
 */
static bool axis_order(struct ck *c, const struct ck_origin *o, uint32_t n,
                       uint32_t order[MAX_AXES])
{
    int64_t a, b;
    struct lw_seq seq;
    if (n > MAX_AXES)
        return false;
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    if (lw_str_has_suffix(o->op, LW_S(".permute")) && o->in_count > 1) {
        struct lw_value *axes = ck_values(c, n);
        bool list = o->in_count == 2 && ck_sequence(c, o->in[1], &seq) && seq.n == n;
        if (!axes || (!list && o->in_count != n + 1))
            return false;
        for (uint32_t i = 0; i < n; i++) {
            if (!ck_int_of(c, list ? seq.items[i] : o->in[i + 1], &a))
                return false;
            a += a < 0 ? n : 0;
            if (a < 0 || a >= n)
                return false;
            order[i] = (uint32_t)a;
        }
        return true;
    }
    bool plain = lw_str_has_suffix(o->op, LW_S(".t")) || lw_str_has_suffix(o->op, LW_S(".T"));
    if (plain && n == 2)
        a = 0, b = 1;
    else if (!(lw_str_has_suffix(o->op, LW_S(".transpose")) ||
               lw_str_has_suffix(o->op, LW_S(".swapaxes"))) ||
             o->in_count != 3 || !ck_int_of(c, o->in[1], &a) || !ck_int_of(c, o->in[2], &b))
        return false;
    a += a < 0 ? n : 0;
    b += b < 0 ? n : 0;
    if (a < 0 || b < 0 || a >= n || b >= n)
        return false;
    order[a] = (uint32_t)b;
    order[b] = (uint32_t)a;
    return true;
}

/* Does a new axis take together axes that do not follow each other in memory? */
static bool spans(struct ck *c, const struct lw_shape *from, const uint32_t *order,
                  const struct lw_shape *to)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < to->n; i++) {
        lw_dim taken = lw_dim_int(1);
        uint32_t last = UINT32_MAX;
        while (k < from->n && lw_dim_eq(c->dims, taken, to->d[i]) != LW_TRI_YES) {
            if (lw_dim_eq(c->dims, from->d[k], lw_dim_int(1)) == LW_TRI_YES) {
                k++;
                continue;
            }
            if (lw_dim_eq(c->dims, from->d[k], lw_dim_int(1)) != LW_TRI_NO)
                return false; /* an axis of size 1 lies anywhere */
            taken = lw_dim_mul(c->dims, taken, from->d[k]);
            if (last != UINT32_MAX && order[k] != last + 1)
                return lw_dim_eq(c->dims, taken, to->d[i]) == LW_TRI_YES;
            last = order[k++];
        }
        if (lw_dim_eq(c->dims, taken, to->d[i]) != LW_TRI_YES)
            return false; /* axes are split, or it cannot be told */
    }
    return false;
}

/* The tables keep view() and reshape() as one. */
static bool is_spelt_view(const struct ck *c, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (node == LW_NO_NODE || lw_tree_kind(t, node) != LW_NODE_CALL)
        return false;
    uint32_t f = lw_tree_get(t, node, LW_ROLE_FUNC);
    return f != LW_NO_NODE && lw_tree_kind(t, f) == LW_NODE_ATTRIBUTE &&
           lw_str_eq(lw_tree_name(t, f), LW_S("view"));
}

/* x.transpose(1, 2).view(…): a view must not take apart what lies together. */
static void watch_view(struct ck *c, const struct ck_event *e)
{
    const struct lw_tensor *x = ck_tensor_of(e->call->self), *out = ck_tensor_of(e->value);
    const struct ck_origin *o = ck_origin_of(c, e->call->self);
    uint32_t order[MAX_AXES];
    if (!is_spelt_view(c, e->node) ||
        !lw_str_has_prefix(e->call->name, LW_S("torch.Tensor.")) || !x || !out || !o ||
        o->in_count == 0 || o->in[0].kind != LW_V_TENSOR || !lw_shape_has_rank(&x->shape) ||
        !lw_shape_has_rank(&out->shape))
        return;
    const struct ck_origin *before = ck_origin_of(c, o->in[0]);
    uint32_t none[MAX_AXES];
    if (!axis_order(c, o, x->shape.n, order) || !before || lw_str_eq(before->op, LW_S("[]")) ||
        axis_order(c, before, x->shape.n, none) ||
        lw_str_has_suffix(before->op, LW_S("expand")) ||
        !spans(c, &x->shape, order, &out->shape))
        return;
    ck_find(c, e->node, "shape/view-strides", &e->call->self, 1,
            "the dimensions of %.*s were permuted, so view() to %.*s would need a copy: use "
            "reshape(), or call contiguous() first",
            LW_F(ck_show_shape(c, &x->shape)), LW_F(ck_show_shape(c, &out->shape)));
}

/* view() of permuted axes. */
static void make_reshape(struct fix *f)
{
    uint32_t callee = fix_callee(f, f->node);
    if (!lw_str_eq(fix_callee_name(f, f->node), LW_S("view")))
        return;
    fix_say(f, "use reshape()");
    fix_token(f, lw_tree_name_token(f->t, callee), LW_S("reshape"));
}

/* ---- vocabularies -------------------------------------------------------------------------
 */

/* {word: number + 2 for number, word in enumerate(words)}: how far the numbers are shifted. */
static bool shift_of(struct ck *c, uint32_t comp, int64_t *shift)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t value = lw_tree_get(t, comp, LW_ROLE_VALUES);
    uint32_t generator = lw_tree_get(t, comp, LW_ROLE_GENERATORS);
    if (value == LW_NO_NODE || generator == LW_NO_NODE)
        return false;
    uint32_t target = lw_tree_get(t, generator, LW_ROLE_TARGET);
    uint32_t iter = lw_tree_get(t, generator, LW_ROLE_ITER);
    if (target == LW_NO_NODE || lw_tree_kind(t, target) != LW_NODE_TUPLE ||
        iter == LW_NO_NODE || !lw_str_has_prefix(lw_tree_text(t, iter), LW_S("enumerate(")))
        return false;
    struct lw_str counter = lw_tree_text(t, lw_tree_node(t, target)->child);
    struct lw_str text = lw_tree_text(t, value);
    if (!lw_str_has_prefix(text, counter))
        return false;
    text = lw_str_trim(lw_str_from(text, counter.n));
    *shift = 0;
    if (text.n == 0)
        return true;
    uint64_t n;
    if (text.p[0] != '+' || !lw_parse_u64(lw_str_trim(lw_str_from(text, 1)), &n) || n > 100)
        return false;
    *shift = (int64_t)n;
    return true;
}

static void watch_dict(struct ck *c, const struct ck_event *e)
{
    struct ck_object *o = ck_as(e->value, CK_DICT);
    const struct lw_tree *t = &c->frame->file->tree;
    int64_t shift;
    uint32_t comp = o && o->file == c->frame->file ? o->node : LW_NO_NODE;
    if (comp != LW_NO_NODE && lw_tree_kind(t, comp) == LW_NODE_DICT_COMP &&
        note_of(o, NOTE_SHIFT).kind == LW_V_ABSENT && shift_of(c, comp, &shift))
        note_set(c, o, NOTE_SHIFT, ck_int(c, shift));
}

/* What a variable of the file that is assigned once was assigned; the node itself when it is no
 * such one. */
static uint32_t assigned_once(struct ck *c, uint32_t node)
{
    const struct lw_tree *t = &c->frame->file->tree;
    uint32_t found = LW_NO_NODE, times = 0;
    if (lw_tree_kind(t, node) != LW_NODE_NAME)
        return node;
    for (uint32_t n = 0; n < t->nodes.n; n++)
        if (lw_tree_kind(t, n) == LW_NODE_ASSIGN &&
            lw_str_eq(lw_tree_text(t, lw_tree_get(t, n, LW_ROLE_TARGETS)),
                      lw_tree_name(t, node))) {
            found = lw_tree_get(t, n, LW_ROLE_VALUE);
            times++;
        }
    return times == 1 && found != LW_NO_NODE ? found : node;
}

/* Embedding(len(tokenizer.word_index)): the words have the numbers from 1 on. */
static void watch_word_index(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (!e->call->api || !lw_str_eq(lw_api_fact(e->call->api, "role"), LW_S("embedding")) ||
        !e->call->n || e->call->args[0].node == LW_NO_NODE || e->call->args[0].name.n)
        return;
    uint32_t size = assigned_once(c, e->call->args[0].node);
    struct lw_str text = lw_tree_text(t, size);
    if (!lw_str_has_prefix(text, LW_S("len(")) ||
        !lw_str_has_suffix(text, LW_S(".word_index)")) || ck_shows(c, "name *num_words*") ||
        ck_shows(c, "subscript word_index") || ck_shows(c, "name get_word_index") ||
        !ck_shows(c, "name texts_to_sequences*"))
        return;
    ck_find(c, e->node, "shape/embedding-range", NULL, 0,
            "the indices of word_index start at 1, so the largest is %.*s: the embedding needs "
            "one more row",
            LW_F(text));
}

/* Embedding(len(vocabulary)) where the numbers of the vocabulary begin at 2. */
static void watch_vocabulary(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (!e->call->api || !lw_str_eq(lw_api_fact(e->call->api, "role"), LW_S("embedding")) ||
        !e->call->n || e->call->args[0].node == LW_NO_NODE ||
        lw_tree_kind(t, e->call->args[0].node) != LW_NODE_CALL)
        return;
    uint32_t size = e->call->args[0].node;
    uint32_t arg = lw_tree_get(t, size, LW_ROLE_ARGS);
    if (!lw_str_has_prefix(lw_tree_text(t, size), LW_S("len(")) || arg == LW_NO_NODE ||
        (lw_tree_kind(t, arg) != LW_NODE_NAME && lw_tree_kind(t, arg) != LW_NODE_ATTRIBUTE))
        return;
    struct ck_object *o = ck_as(ck_eval(c, arg), CK_DICT);
    int64_t shift;
    if (!o || !ck_int_of(c, note_of(o, NOTE_SHIFT), &shift) || shift < 1 ||
        lw_str_find(o->file->code, ck_text(c, "%.*s[", LW_F(lw_tree_text(t, arg)))) >= 0)
        return;
    ck_hint(c, (struct ck_hint){.was = lw_tree_text(t, arg),
                                .meant = ck_text(c, " + %lld", (long long)shift)});
    ck_find(c, e->node, "shape/embedding-range", NULL, 0,
            "the indices in '%.*s' start at %lld, so the largest is above len(%.*s) - 1: the "
            "embedding needs len(%.*s) + %lld rows",
            LW_F(lw_tree_text(t, arg)), (long long)shift, LW_F(lw_tree_text(t, arg)),
            LW_F(lw_tree_text(t, arg)), (long long)shift);
}

/* nn.Embedding(len(words), …) where numbers begin behind 0. */
static void make_rows(struct fix *f)
{
    uint32_t rows = fix_argument(f, f->node, NULL, 0);
    if (!f->hint->meant.n || !fix_is_call(f, rows) ||
        !text_is(fix_callee_name(f, rows), "len") ||
        !lw_str_eq(fix_text(f, fix_argument(f, rows, NULL, 0)), f->hint->was))
        return;
    fix_say(f, "make the embedding large enough");
    fix_insert(f, lw_tree_end(f->t, rows), f->hint->meant);
}

/* ---- comparing ----------------------------------------------------------------------------
 */

static bool see_learnt(void *data, struct lw_value v, const struct ck_origin *o)
{
    bool *found = data;
    *found = v.tensor->variable == LW_TRI_YES ||
             (o && (o->layer || lw_str_has_suffix(o->op, LW_S(".predict"))));
    return !*found;
}

/* Does it come out of a model? */
static bool is_learnt(struct ck *c, struct lw_value v)
{
    bool found = false;
    (void)lineage_walk(c, v, see_learnt, &found);
    return found;
}

/* Is one of them what the model gives, the other what it should give? */
static bool is_error_term(struct ck *c, struct lw_value x, struct lw_value y)
{
    bool cut = x.tensor->grad != y.tensor->grad && x.tensor->grad != LW_TRI_MAYBE &&
               y.tensor->grad != LW_TRI_MAYBE;
    return lw_dim_eq(c->dims, x.tensor->shape.d[0], y.tensor->shape.d[0]) != LW_TRI_NO &&
           (cut || is_learnt(c, x) != is_learnt(c, y));
}

/* (n,) == (n, 1) compares everything with everything, and so does (n,) - (n, 1), which is meant
 * at times: of all pairs of a set. An output against its target never is. */
static void watch_compare(struct ck *c, const struct ck_event *e)
{
    int64_t n;
    if ((e->op != LW_OP_EQ && e->op != LW_OP_SUB) || e->a.kind != LW_V_TENSOR ||
        e->b.kind != LW_V_TENSOR)
        return;
    const struct lw_shape *x = &e->a.tensor->shape, *y = &e->b.tensor->shape;
    if (!lw_shape_has_rank(x) || !lw_shape_has_rank(y))
        return;
    const struct lw_shape *flat = x->n == 1 ? x : y, *column = x->n == 1 ? y : x;
    if (flat->n != 1 || column->n != 2 || !is_known(c, column->d[1], &n) || n != 1 ||
        lw_dim_eq(c->dims, flat->d[0], lw_dim_int(1)) == LW_TRI_YES ||
        lw_dim_eq(c->dims, column->d[0], lw_dim_int(1)) == LW_TRI_YES ||
        (e->op == LW_OP_SUB && !is_error_term(c, e->a, e->b)))
        return;
    struct lw_value causes[2] = {e->a, e->b};
    ck_find(c, e->node, "shape/silent-broadcast", causes, 2,
            "shapes %.*s and %.*s are %s, which broadcasts to all pairs of values: give both "
            "the same shape",
            LW_F(ck_show_shape(c, x)), LW_F(ck_show_shape(c, y)),
            e->op == LW_OP_EQ ? "compared" : "subtracted");
}

static bool same_shape(struct fix *f, const struct lw_tensor *a, const struct lw_tensor *b)
{
    for (uint32_t i = 0; i < a->shape.n && a->shape.n == b->shape.n; i++)
        if (lw_dim_eq(f->c->dims, a->shape.d[i], b->shape.d[i]) != LW_TRI_YES)
            return false;
    return a->shape.n == b->shape.n;
}

/* (n, 1) against (n,): the target gets the missing axis. */
static bool is_column(struct fix *f, const struct lw_tensor *out, const struct lw_tensor *y)
{
    int64_t one;
    return out->shape.n == 2 && y->shape.n == 1 && fix_size_at(f, out, 1, &one) && one == 1 &&
           lw_dim_eq(f->c->dims, out->shape.d[0], y->shape.d[0]) == LW_TRI_YES;
}

/* A loss of torch that is called: its target, in the shape it takes. */
static void reshape_target(struct fix *f, const struct lw_tensor *out,
                           const struct lw_tensor *y)
{
    bool index = lw_str_eq(lw_api_fact(f->hint->api, "target"), LW_S("index"));
    uint32_t target = fix_argument(f, f->node, "target", 1);
    int64_t classes;
    if (target == LW_NO_NODE || !out || !y || !lw_shape_has_rank(&out->shape) ||
        !lw_shape_has_rank(&y->shape))
        return;
    if (index && out->shape.n == 2 && same_shape(f, out, y) &&
        fix_size_at(f, out, 1, &classes) && classes > 1) {
        fix_say(f, "pass class indices as target");
        fix_suffix(f, target, ".argmax(dim=1)");
    } else if (!index && is_column(f, out, y)) {
        fix_say(f, "add an axis to the target: unsqueeze(1)");
        fix_suffix(f, target, ".unsqueeze(1)");
    }
}

/* Class numbers or one column per class, as the targets are. */
static void make_loss_of_targets(struct fix *f)
{
    const struct lw_tensor *out = f->cause_count > 1 ? ck_tensor_of(f->causes[0]) : NULL;
    const struct lw_tensor *y = f->cause_count > 1 ? ck_tensor_of(f->causes[1]) : NULL;
    int64_t classes, width = 1;
    if (f->hint->api && f->hint->api->framework == LW_TORCH) {
        const struct lw_arg *args = f->hint->args;
        size_t n = f->hint->arg_count;
        for (size_t i = 0; i < n && i < 2; i++)
            if (args[i].name.n)
                return;
        if (n >= 2)
            reshape_target(f, ck_tensor_of(args[n - 2].value), ck_tensor_of(args[n - 1].value));
        return;
    }
    if (f->hint->problem || !out || !y || !lw_shape_has_rank(&out->shape) ||
        !lw_shape_has_rank(&y->shape) || out->shape.n != 2 ||
        !fix_size_at(f, out, 1, &classes) || classes < 2 || y->shape.n > 2 ||
        (y->shape.n == 2 && !fix_size_at(f, y, 1, &width)))
        return;
    if (width == 1)
        fix_swap_loss(f, "categorical_crossentropy", "sparse_categorical_crossentropy");
    else if (width == classes)
        fix_swap_loss(f, "sparse_categorical_crossentropy", "categorical_crossentropy");
}

/* ---- samples that become one row -----------------------------------------------------------
 */

/* Linear(x.view(-1)): all samples as the one row of one sample. */
static void watch_flat(struct ck *c, const struct ck_event *e)
{
    static const char *const names[] = {"view", "reshape", "flatten"};
    struct lw_value x = lineage_operand(e->call);
    const struct lw_tensor *t = ck_tensor_of(x);
    const struct ck_origin *o = t ? ck_origin_of(c, x) : NULL;
    if (!o || !o->in_count || !e->object || e->object->of || !e->object->api ||
        !text_is(e->object->api->name, "torch.nn.Linear") || !lw_shape_has_rank(&t->shape) ||
        t->shape.n != 1 || !text_is_any(text_tail(o->op), names, sizeof names / sizeof *names))
        return;
    const struct lw_tensor *was = ck_tensor_of(o->in[0]);
    int64_t n;
    if (!was || !lw_shape_has_rank(&was->shape) || was->shape.n < 2 ||
        lw_dim_is_int(c->dims, was->shape.d[0], &n) ||
        !lw_str_has_prefix(ck_show_shape(c, &was->shape), LW_S("(batch,")))
        return;
    ck_find(c, e->node, "shape/reshape-mixes-samples", &x, 1,
            "the samples of the batch are flattened into one row, which the layer takes as a "
            "single sample: keep the batch dimension, as in flatten(1)");
}

const struct ck_rule rules_shape_values[] = {
    {"shape/ragged", CK_EV_CALL, watch_sequences, .pure = true, .calls = ".texts_to_sequences"},
    {"shape/reshape-mixes-samples", CK_EV_CALL, watch_reshape, .pure = true,
     .calls = "*reshape *view"},
    {"shape/view-strides", CK_EV_CALL, watch_view, make_reshape, .pure = true,
     .calls = "torch.Tensor.*"},
    {"shape/embedding-range", CK_EV_ASSIGN | CK_EV_RETURN, watch_dict, .pure = true},
    {"shape/embedding-range", CK_EV_CALL, watch_vocabulary, .pure = true},
    {"shape/embedding-range", CK_EV_CALL, watch_word_index, .pure = true},
    {"shape/silent-broadcast", CK_EV_OPERATOR, watch_compare, .pure = true},
    {"shape/output-target-shape shape/silent-broadcast", CK_EV_FIT | CK_EV_PREDICT, watch_fit,
     .pure = true},
    {"shape/sample-count", CK_EV_FIT, watch_rows, .pure = true},
    {"shape/embedding-range", CK_EV_FIT, watch_words, .pure = true},
    {"shape/sample-count", CK_EV_CALL, watch_dataset, .pure = true,
     .calls = "torch.utils.data.TensorDataset"},
    {"shape/reshape-mixes-samples", CK_EV_LAYER, watch_flat},
    {"shape/silent-broadcast", .fix = make_loss_of_targets},
    {"shape/output-target-shape", .fix = make_loss_of_targets},
    {"shape/embedding-range", .fix = make_rows},
    {0},
};
