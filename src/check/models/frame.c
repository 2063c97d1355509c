/*
 * Tables of pandas: tensors of the framework LW_PANDAS, of two axes (a frame) or one (a
 * column). What is read from a file has rows and columns of unknown number; columns that the
 * program picks are taken to be there.
 */
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/engine/events.h"
#include "check/models/models.h"

static lw_dim rows_symbol(struct ck *c)
{
    return lw_dim_symbol(c->dims, LW_S("rows"), 0, LW_DIM_MOST);
}

static struct lw_value frame_of(struct ck *c, lw_dim rows, lw_dim columns, uint32_t node)
{
    lw_dim d[2] = {rows, columns};
    struct lw_tensor t = lw_tensor_unknown(LW_PANDAS);
    t.shape = lw_shape_make(d, 2);
    t.line = ck_place(c, node);
    t.grad = LW_TRI_NO;
    t.variable = LW_TRI_NO;
    return ck_tensor(c, &t);
}

/* ---- reading ------------------------------------------------------------------------------
 */

/* Arguments by which a reader gives something else than one frame. */
static void read_table(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    static const char *const others[] = {"chunksize",  "iterator",  "squeeze", "typ",
                                         "sheet_name", "sheetname", "lines"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct lw_value v = ck_arg(call, SIZE_MAX, others[i]);
        if (v.kind != LW_V_ABSENT && v.kind != LW_V_STR && v.kind != LW_V_INT)
            return;
        if (v.kind != LW_V_ABSENT && i < 4)
            return;
    }
    lw_dim columns = lw_dim_symbol(c->dims, LW_S("columns"), 1, LW_DIM_MOST);
    *value = frame_of(c, rows_symbol(c), columns, call->node);
}

/* DataFrame(data): as many rows as the data; columns may be added later. */
static void frame_new(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    struct lw_value data = ck_arg(call, 0, "data");
    const struct lw_tensor *t = ck_tensor_of(data);
    struct lw_tensor array;
    if (t && (!lw_shape_has_rank(&t->shape) || t->shape.n == 0 || t->shape.n > 2))
        t = NULL;
    if (!t && data.kind == CK_LIST && ck_to_tensor(c, data, &array) &&
        lw_shape_has_rank(&array.shape) && array.shape.n == 2)
        t = &array;
    *value = frame_of(c, t ? t->shape.d[0] : rows_symbol(c),
                      t && t->shape.n == 2 ? t->shape.d[1] : LW_DIM_UNKNOWN, call->node);
}

static void column_new(struct ck *c, const struct ck_call *call, struct lw_value *value)
{
    const struct lw_tensor *t = ck_tensor_of(ck_arg(call, 0, "data"));
    bool known = t && lw_shape_has_rank(&t->shape) && t->shape.n == 1;
    struct lw_tensor out = *frame_of(c, 0, 0, call->node).tensor;
    lw_dim rows = known ? t->shape.d[0] : rows_symbol(c);
    out.shape = lw_shape_make(&rows, 1);
    if (known)
        out.dtype = t->dtype;
    *value = ck_tensor(c, &out);
}

/* ---- parts --------------------------------------------------------------------------------
 */

static bool is_whole(struct lw_value slice)
{
    for (uint32_t i = 0; i < slice.seq.n; i++)
        if (slice.seq.items[i].kind != LW_V_NONE && slice.seq.items[i].kind != LW_V_ABSENT)
            return false;
    return true;
}

/* How many of `n` columns a slice takes: those that it names are there. */
static lw_dim sliced(struct ck *c, lw_dim n, struct lw_value slice)
{
    int64_t from = 0, to = 0, step = 1;
    const struct lw_value *s = slice.seq.items;
    if (is_whole(slice))
        return n;
    bool starts = slice.seq.n > 0 && s[0].kind == LW_V_INT && ck_int_of(c, s[0], &from);
    bool ends = slice.seq.n > 1 && s[1].kind == LW_V_INT && ck_int_of(c, s[1], &to);
    bool open_start = slice.seq.n == 0 || s[0].kind == LW_V_NONE || s[0].kind == LW_V_ABSENT;
    bool open_end = slice.seq.n < 2 || s[1].kind == LW_V_NONE || s[1].kind == LW_V_ABSENT;
    if (slice.seq.n > 2 && s[2].kind != LW_V_NONE && s[2].kind != LW_V_ABSENT &&
        (!ck_int_of(c, s[2], &step) || step != 1))
        return LW_DIM_UNKNOWN;
    if ((!starts && !open_start) || (!ends && !open_end))
        return LW_DIM_UNKNOWN;
    if (ends && to >= 0 && from >= 0)
        return to > from ? lw_dim_int((int32_t)(to - from)) : lw_dim_int(0);
    if (from >= 0 && (open_end || to < 0)) /* x[1:], x[:-1]: so many less */
        return lw_dim_sub(c->dims, n, lw_dim_int((int32_t)(from - to)));
    if (from < 0 && open_end)
        return lw_dim_int((int32_t)-from);
    return LW_DIM_UNKNOWN;
}

enum part { PART_GONE, PART_KEPT, PART_LOST };

/* What an index does to the axis of size `n`. */
static enum part take(struct ck *c, struct lw_value index, lw_dim n, bool column, lw_dim *out)
{
    struct lw_seq seq;
    *out = LW_DIM_UNKNOWN;
    switch ((int)index.kind) {
    case LW_V_INT:
    case LW_V_STR: return PART_GONE;
    case LW_V_SLICE:
        *out = is_whole(index) ? n : column ? sliced(c, n, index) : LW_DIM_UNKNOWN;
        return PART_KEPT;
    case LW_V_TENSOR:
        return lw_shape_has_rank(&index.tensor->shape) && index.tensor->shape.n == 1
                   ? PART_KEPT
                   : PART_LOST;
    case CK_LIST:
        if (ck_sequence(c, index, &seq) && !seq.open && seq.n > 0 &&
            (seq.items[0].kind == LW_V_STR || seq.items[0].kind == LW_V_INT))
            *out = lw_dim_int((int32_t)seq.n);
        return PART_KEPT;
    default: return PART_LOST;
    }
}

/* df.iloc[a, b], df.loc[a, b] */
static struct lw_shape part_of(struct ck *c, const struct lw_shape *s, struct lw_value a,
                               struct lw_value b)
{
    lw_dim d[2], out[2];
    uint32_t n = 0;
    enum part rows = take(c, a, s->d[0], false, &d[0]);
    enum part columns = take(c, b, s->d[1], true, &d[1]);
    if (rows == PART_LOST || columns == PART_LOST || s->n != 2)
        return lw_shape_unknown();
    if (rows == PART_KEPT)
        out[n++] = d[0];
    if (columns == PART_KEPT)
        out[n++] = d[1];
    return lw_shape_make(out, n);
}

/* df["a"], df[["a", "b"]], df[mask], df[10:20] */
static struct lw_shape picked(struct ck *c, const struct lw_shape *s, struct lw_value index)
{
    struct lw_seq seq;
    lw_dim d[2] = {s->d[0], LW_DIM_UNKNOWN};
    bool frame = s->n == 2;
    bool labels = index.kind == CK_LIST && ck_sequence(c, index, &seq) && !seq.open &&
                  seq.n > 0 && seq.items[0].kind == LW_V_STR;
    if (index.kind == LW_V_STR)
        return frame ? lw_shape_make(d, 1) : lw_shape_unknown();
    if (labels && frame) {
        d[1] = lw_dim_int((int32_t)seq.n);
        return lw_shape_make(d, 2);
    }
    if (index.kind == LW_V_INT) /* a column, or a row of iloc */
        return frame ? lw_shape_make(&d[1], 1) : lw_shape_of_rank(0);
    if (index.kind != LW_V_SLICE && index.kind != LW_V_TENSOR)
        return lw_shape_unknown();
    d[1] = frame ? s->d[1] : LW_DIM_UNKNOWN;
    if (index.kind != LW_V_SLICE || !is_whole(index))
        d[0] = LW_DIM_UNKNOWN;
    return lw_shape_make(d, s->n);
}

struct lw_value ck_frame_part(struct ck *c, struct lw_value frame, struct lw_value index,
                              uint32_t node)
{
    struct lw_tensor t = *frame.tensor;
    t.id = 0;
    t.line = ck_place(c, node);
    t.dtype = LW_DTYPE_UNKNOWN;
    t.range = lw_iv_unknown();
    if (!lw_shape_has_rank(&frame.tensor->shape) || t.shape.n == 0 || t.shape.n > 2)
        t.shape = lw_shape_unknown();
    else if (index.kind == LW_V_TUPLE && index.seq.n == 2 && !index.seq.open)
        t.shape = part_of(c, &frame.tensor->shape, index.seq.items[0], index.seq.items[1]);
    else
        t.shape = picked(c, &frame.tensor->shape, index);
    if (lw_shape_has_rank(&t.shape) && t.shape.n == 0)
        return lw_v_unknown();
    return ck_part_of(c, ck_tensor(c, &t), frame, index, node);
}

/* df["new"] = …: there may be one column more. */
void ck_frame_store(struct ck *c, uint32_t owner, struct lw_value frame)
{
    struct lw_tensor t = *frame.tensor;
    enum lw_node_kind kind = lw_tree_kind(&c->frame->file->tree, owner);
    if (!lw_shape_has_rank(&t.shape) || t.shape.n != 2 ||
        (kind != LW_NODE_NAME && kind != LW_NODE_ATTRIBUTE))
        return;
    t.shape.d[1] = LW_DIM_UNKNOWN;
    ck_assign(c, owner, ck_tensor(c, &t), owner);
}

const struct ck_handler ck_handlers_frame[] = {
    {"pandas.DataFrame", frame_new},
    {"pandas.Series", column_new},
    {"pandas.read_csv", read_table},
    {"pandas.read_excel", read_table},
    {"pandas.read_parquet", read_table},
    {"pandas.read_sql", read_table},
    {"pandas.read_table", read_table},
    {"pandas.io.parsers.read_csv", read_table},
    {NULL, NULL},
};
