/* Rows that a program makes itself: their order, and the share of classes. */
#include "check/query/rows.h"

#include "check/query/look.h"
#include "check/query/notes.h"

enum { MAX_DEPTH = 24, MAX_NOTED = 64, FEW_ROWS = 10, MAX_CLASSES = 32 };

/* ---- arrays that were changed in place ----------------------------------------------------
 */

struct ids {
    uint32_t v[MAX_NOTED];
    size_t n;
};

struct noted {
    struct ids changed; /* no longer as they were made */
    struct ids halves;  /* of one value, but for a stretch that was set to another */
};

static const char noted_key;

static void note(struct ids *s, struct lw_value v)
{
    if (v.kind == LW_V_TENSOR && v.tensor->id && s->n < MAX_NOTED)
        s->v[s->n++] = v.tensor->id;
}

static bool is_noted(const struct ids *s, struct lw_value v)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->v[i] == v.tensor->id)
            return true;
    return false;
}

void rows_note_shuffled(struct ck *c, struct lw_value v)
{
    struct noted *s = ck_state(c, &noted_key, sizeof *s);
    struct ck_object *list = ck_as(v, CK_LIST);
    if (list)
        note_set(c, list, NOTE_SHUFFLED, lw_v_tri(LW_TRI_YES));
    if (s)
        note(&s->changed, v);
}

static bool was_changed(struct ck *c, struct lw_value v)
{
    const struct noted *s = ck_state(c, &noted_key, sizeof *s);
    return !s || s->changed.n == MAX_NOTED || is_noted(&s->changed, v);
}

static bool is_one_value(struct lw_value v)
{
    const struct lw_tensor *t = ck_tensor_of(v);
    return lineage_known_range(t) && t->range.lo == t->range.hi;
}

/* x[a:b], x[:, None]: the rows in their order. */
static bool keeps_order(struct lw_value index)
{
    if (index.kind == LW_V_TUPLE && index.seq.n)
        index = index.seq.items[0];
    return index.kind == LW_V_SLICE && index.seq.items[2].kind == LW_V_NONE;
}

/* labels = zeros(n); labels[n // 2:] = 1 */
void rows_note_store(struct ck *c, struct lw_value a, struct lw_value index,
                     struct lw_value value)
{
    struct noted *s = ck_state(c, &noted_key, sizeof *s);
    double x;
    if (!s || !is_one_value(a) || is_noted(&s->changed, a))
        return;
    const struct lw_shape *shape = &a.tensor->shape;
    if (index.kind == LW_V_SLICE && keeps_order(index) && ck_number_of(c, value, &x) &&
        x != a.tensor->range.lo && lw_shape_has_rank(shape) && shape->n == 1)
        note(&s->halves, a);
    else
        note(&s->changed, a);
}

/* ---- lists --------------------------------------------------------------------------------
 */

/* Constants in runs, of which none comes back: at least two runs, and one of several items. */
static bool has_runs(struct ck *c, struct lw_seq seq)
{
    uint32_t starts[MAX_CLASSES], runs = 0;
    if (seq.open || seq.n < FEW_ROWS)
        return false;
    for (uint32_t i = 0; i < seq.n; i++) {
        if (i && ck_equal(c, seq.items[i], seq.items[i - 1]) == LW_TRI_YES)
            continue;
        for (uint32_t k = 0; k < runs; k++)
            if (ck_equal(c, seq.items[i], seq.items[starts[k]]) != LW_TRI_NO)
                return false;
        if (runs == MAX_CLASSES)
            return false;
        starts[runs++] = i;
    }
    return runs > 1 && runs * 2 <= seq.n;
}

/* [k] * n: the node of k. */
static uint32_t repeated(const struct lw_tree *t, uint32_t node)
{
    if (lw_tree_kind(t, node) != LW_NODE_BIN_OP || lw_tree_node(t, node)->op != LW_OP_MULT)
        return LW_NO_NODE;
    uint32_t list = lw_tree_get(t, node, LW_ROLE_LEFT);
    if (lw_tree_kind(t, list) != LW_NODE_LIST)
        list = lw_tree_get(t, node, LW_ROLE_RIGHT);
    if (lw_tree_kind(t, list) != LW_NODE_LIST || lw_tree_count(t, list, LW_ROLE_ELTS) != 1)
        return LW_NO_NODE;
    return lw_tree_get(t, list, LW_ROLE_ELTS);
}

/* [0] * a + [1] * b + …, of different items. */
static bool is_written_in_runs(const struct lw_tree *t, uint32_t node)
{
    struct lw_str items[MAX_CLASSES];
    uint32_t n = 0;
    for (bool last = false; !last; node = lw_tree_get(t, node, LW_ROLE_LEFT)) {
        last =
            lw_tree_kind(t, node) != LW_NODE_BIN_OP || lw_tree_node(t, node)->op != LW_OP_ADD;
        uint32_t item = repeated(t, last ? node : lw_tree_get(t, node, LW_ROLE_RIGHT));
        if (item == LW_NO_NODE || n == MAX_CLASSES)
            return false;
        items[n] = lw_tree_text(t, item);
        for (uint32_t i = 0; i < n; i++)
            if (lw_str_eq(items[i], items[n]))
                return false;
        n++;
    }
    return n > 1;
}

static bool list_is_sorted(struct ck *c, struct lw_value v)
{
    const struct ck_object *o = ck_as(v, CK_LIST);
    struct lw_seq seq;
    if (o && note_of(o, NOTE_SHUFFLED).kind != LW_V_ABSENT)
        return false;
    if (o && note_of(o, NOTE_BLOCKS).kind != LW_V_ABSENT)
        return true;
    if (ck_sequence(c, v, &seq) && has_runs(c, seq))
        return true;
    return o && o->file && o->node < o->file->tree.nodes.n &&
           is_written_in_runs(&o->file->tree, o->node);
}

/* ---- arrays -------------------------------------------------------------------------------
 */

/* zeros and ones behind each other. */
static bool are_runs(struct ck *c, const struct lw_value *parts, uint32_t n)
{
    if (n < 2 || n > MAX_CLASSES)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_one_value(parts[i]) || was_changed(c, parts[i]))
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (parts[i].tensor->range.lo == parts[k].tensor->range.lo)
                return false;
    }
    return true;
}

static bool is_count_up(struct ck *c, struct lw_value v)
{
    static const char *const counts[] = {"arange", "range"};
    const struct ck_origin *o = ck_origin_of(c, lineage_through(c, v));
    return o && text_is_any(text_tail(o->op), counts, 2);
}

/* Different items, each of which is repeated: 0 0 0 1 1 1. */
static bool is_repeated(struct ck *c, const struct ck_origin *o)
{
    static const char *const names[] = {"numpy.repeat", "torch.repeat_interleave",
                                        "tensorflow.repeat"};
    int64_t times, axis;
    struct lw_seq seq;
    if (!text_is_any(o->op, names, 3) || o->in_count < 2)
        return false;
    struct lw_value along =
        lineage_slot(o, text_is(o->op, "torch.repeat_interleave") ? "dim" : "axis");
    if ((ck_int_of(c, o->in[1], &times) && times < 2) ||
        (along.kind != LW_V_NONE && along.kind != LW_V_ABSENT &&
         !(ck_int_of(c, along, &axis) && axis == 0)))
        return false;
    if (is_count_up(c, o->in[0]))
        return true;
    struct lw_value base = lineage_through(c, o->in[0]);
    if (base.kind == LW_V_TENSOR || !ck_sequence(c, base, &seq) || seq.open || seq.n < 2)
        return false;
    for (uint32_t i = 1; i < seq.n; i++)
        if (ck_equal(c, seq.items[i], seq.items[i - 1]) != LW_TRI_NO)
            return false;
    return true;
}

static bool is_joined(struct ck *c, const struct ck_origin *o)
{
    static const char *const joins[] = {"concatenate", "cat",    "concat",
                                        "hstack",      "vstack", "append"};
    struct lw_seq seq;
    if (!text_is_any(text_tail(o->op), joins, sizeof joins / sizeof *joins))
        return false;
    if (o->in_count >= 2 && o->in[0].kind == LW_V_TENSOR)
        return are_runs(c, o->in, 2);
    return o->in_count && ck_sequence(c, o->in[0], &seq) && !seq.open &&
           are_runs(c, seq.items, seq.n);
}

/* One step back: the value whose order decides, or ABSENT with `*sorted` set. */
static struct lw_value step_back(struct ck *c, const struct ck_origin *o, bool *sorted)
{
    static const char *const sorts[] = {"numpy.sort", "torch.sort", "tensorflow.sort"};
    static const char *const codes[] = {"to_categorical", "one_hot", "fit_transform"};
    static const char *const sums[] = {"+", "-", "*"};
    static const char *const steps[] = {"//", ">=", ">", "<", "<="};
    if (text_is(o->op, "[]"))
        return keeps_order(o->in[1]) ? o->in[0] : lw_v_absent();
    *sorted = is_repeated(c, o) || is_joined(c, o) ||
              (o->in_count == 2 && text_is_any(o->op, steps, 5) && is_count_up(c, o->in[0])) ||
              (text_is_any(o->op, sorts, 3) && o->in_count && ck_tensor_of(o->in[0]) &&
               lw_shape_has_rank(&o->in[0].tensor->shape) && o->in[0].tensor->shape.n == 1);
    if (*sorted || !o->in_count)
        return lw_v_absent();
    if (text_is_any(text_tail(o->op), codes, 3))
        return o->in[text_is(text_tail(o->op), "fit_transform") && o->in_count > 1];
    if (o->in_count == 2 && text_is_any(o->op, sums, 3) && o->in[1].kind != LW_V_TENSOR)
        return o->in[0];
    return lw_v_absent();
}

bool rows_are_sorted(struct ck *c, struct lw_value v)
{
    for (unsigned depth = 0; depth < MAX_DEPTH; depth++) {
        bool sorted = false;
        if (v.kind == LW_V_TENSOR && was_changed(c, v))
            return false;
        struct lw_value inner = lineage_through(c, v);
        if (inner.kind != LW_V_TENSOR)
            return list_is_sorted(c, inner);
        if (was_changed(c, inner))
            return false;
        const struct noted *s = ck_state(c, &noted_key, sizeof *s);
        if (is_noted(&s->halves, inner))
            return true;
        const struct ck_origin *o = ck_origin_of(c, inner);
        if (!o)
            return false;
        v = step_back(c, o, &sorted);
        if (sorted || v.kind == LW_V_ABSENT)
            return sorted;
    }
    return false;
}

/* ---- share of classes ---------------------------------------------------------------------
 */

/* Is every number between 0 and 1 as likely as any other? */
static bool is_uniform(struct ck *c, struct lw_value v)
{
    static const char *const draws[] = {"rand", "random", "random_sample", "rand_like"};
    const struct ck_origin *o = ck_origin_of(c, v);
    double low = 0, high = 1;
    if (!o)
        return false;
    if (text_is_any(text_tail(o->op), draws, sizeof draws / sizeof *draws))
        return true;
    return text_is(text_tail(o->op), "uniform") &&
           (lineage_slot(o, "low").kind == LW_V_ABSENT ||
            (ck_number_of(c, lineage_slot(o, "low"), &low) && low == 0)) &&
           (lineage_slot(o, "high").kind == LW_V_ABSENT ||
            (ck_number_of(c, lineage_slot(o, "high"), &high) && high == 1));
}

/* rand(…) < p */
static double share_of_draw(struct ck *c, const struct ck_origin *o)
{
    double p;
    bool below = text_is(o->op, "<") || text_is(o->op, "<=");
    if ((!below && !text_is(o->op, ">") && !text_is(o->op, ">=")) || o->in_count != 2 ||
        !is_uniform(c, o->in[0]) || !ck_number_of(c, o->in[1], &p) || p < 0 || p > 1)
        return -1;
    return below ? p : 1 - p;
}

/* binomial(1, p, size) */
static double share_of_trial(struct ck *c, const struct ck_origin *o)
{
    double n, p;
    if (!text_is(text_tail(o->op), "binomial") || !ck_number_of(c, lineage_slot(o, "n"), &n) ||
        n != 1 || !ck_number_of(c, lineage_slot(o, "p"), &p))
        return -1;
    return p;
}

/* choice([0, 1], size, p=[0.97, 0.03]) */
static double share_of_choice(struct ck *c, const struct ck_origin *o)
{
    struct lw_seq items, parts;
    double first, second, p;
    if (!text_is(text_tail(o->op), "choice") || !ck_sequence(c, lineage_slot(o, "p"), &parts) ||
        parts.open || parts.n != 2 || !ck_number_of(c, parts.items[1], &p))
        return -1;
    struct lw_value from = lineage_slot(o, "a");
    if (ck_number_of(c, from, &first))
        return first == 2 ? p : -1;
    if (!ck_sequence(c, from, &items) || items.open || items.n != 2 ||
        !ck_number_of(c, items.items[0], &first) || !ck_number_of(c, items.items[1], &second) ||
        first != 0 || second != 1)
        return -1;
    return p;
}

/* make_classification(weights=[0.97, 0.03]) */
static double share_of_generated(struct ck *c, const struct ck_origin *o)
{
    struct lw_seq parts;
    double first;
    if (!text_is(text_tail(o->op), "make_classification") ||
        !ck_sequence(c, lineage_slot(o, "weights"), &parts) || parts.open || parts.n < 1 ||
        parts.n > 2 || !ck_number_of(c, parts.items[0], &first))
        return -1;
    return 1 - first;
}

static double rows_in(struct ck *c, struct lw_value v)
{
    int64_t n;
    const struct lw_tensor *t = ck_tensor_of(v);
    if (!t || !lw_shape_has_rank(&t->shape) || t->shape.n < 1 ||
        !lw_dim_is_int(c->dims, t->shape.d[0], &n))
        return -1;
    return (double)n;
}

/* concatenate([zeros(950), ones(50)]) */
static double share_of_parts(struct ck *c, const struct ck_origin *o)
{
    struct lw_seq seq;
    double ones = 0, all = 0;
    if (!is_joined(c, o))
        return -1;
    if (o->in[0].kind == LW_V_TENSOR)
        seq = (struct lw_seq){.items = o->in, .n = 2};
    else if (!ck_sequence(c, o->in[0], &seq))
        return -1;
    for (uint32_t i = 0; i < seq.n; i++) {
        double value = seq.items[i].tensor->range.lo, n = rows_in(c, seq.items[i]);
        if ((value != 0 && value != 1) || n < 0)
            return -1;
        all += n;
        ones += value * n;
    }
    return all > 0 ? ones / all : -1;
}

static double share_of_list(struct ck *c, struct lw_value v)
{
    struct lw_seq seq;
    double ones = 0, x;
    if (!ck_sequence(c, v, &seq) || seq.open || seq.n < 2 * FEW_ROWS)
        return -1;
    for (uint32_t i = 0; i < seq.n; i++) {
        if (!ck_number_of(c, seq.items[i], &x) || (x != 0 && x != 1))
            return -1;
        ones += x;
    }
    return ones / seq.n;
}

double rows_share(struct ck *c, struct lw_value v)
{
    bool whole = true;
    for (unsigned depth = 0; depth < MAX_DEPTH; depth++) {
        v = lineage_through(c, v);
        if (v.kind != LW_V_TENSOR)
            return whole ? share_of_list(c, v) : -1;
        const struct ck_origin *o = ck_origin_of(c, v);
        if (!o)
            return -1;
        double found[] = {share_of_draw(c, o), share_of_trial(c, o), share_of_choice(c, o),
                          share_of_generated(c, o), whole ? share_of_parts(c, o) : -1};
        for (size_t i = 0; i < sizeof found / sizeof *found; i++)
            if (found[i] >= 0)
                return found[i];
        if (!text_is(o->op, "[]") || o->in[1].kind == LW_V_TUPLE)
            return -1;
        whole &= o->in[1].kind != LW_V_SLICE; /* picked, not cut off */
        v = o->in[0];
    }
    return -1;
}
