/* Where values come from: how tensors were made, and places in files. */
#include "base/err.h"
#include "base/str.h"
#include "check/engine/engine.h"

static struct lw_value name_tensor(struct ck *c, struct lw_value v,
                                   const struct ck_origin *origin)
{
    if (lw_vec_push(c->mem, &c->origins, origin) < 0) {
        c->stopped = true;
        return v;
    }
    struct lw_tensor t = *v.tensor;
    t.id = (uint32_t)c->origins.n;
    if (!t.line)
        t.line = origin->place;
    struct lw_value out = ck_tensor(c, &t);
    out.line = origin->place;
    return out;
}

/* The second level is that of LSTM: (output, (hidden, cell)). */
static struct lw_value name_items(struct ck *c, struct lw_value v,
                                  const struct ck_origin *origin, unsigned levels)
{
    if (v.kind == LW_V_TENSOR)
        return name_tensor(c, v, origin);
    if (!lw_v_is_seq(v) || !levels)
        return v;
    bool any = false;
    for (uint32_t i = 0; i < v.seq.n; i++)
        any |= v.seq.items[i].kind == LW_V_TENSOR;
    struct lw_value *items = any ? ck_values(c, v.seq.n) : NULL;
    if (!items)
        return v;
    for (uint32_t i = 0; i < v.seq.n; i++)
        items[i] = name_items(c, v.seq.items[i], origin, levels - 1);
    v.seq.items = items;
    return v;
}

struct lw_value ck_originate(struct ck *c, struct lw_value v, const struct ck_origin *origin)
{
    LW_BUG_ON(!origin);
    return name_items(c, v, origin, 2);
}

struct lw_value ck_made(struct ck *c, struct lw_value v, const struct ck_origin *origin,
                        const struct lw_value *in, size_t n)
{
    LW_BUG_ON(!origin || (n && !in));
    if (v.kind != LW_V_TENSOR && !lw_v_is_seq(v))
        return v;
    struct ck_origin *own = lw_arena_alloc(c->arena, sizeof *own);
    struct lw_value *operands = n ? ck_values(c, n) : NULL;
    if (!own || (n && !operands))
        return v;
    for (size_t i = 0; i < n; i++)
        operands[i] = in[i];
    *own = *origin;
    own->in = operands;
    own->in_count = (uint32_t)n;
    own->file = c->frame->file;
    own->place = ck_place(c, origin->node);
    return ck_originate(c, v, own);
}

const struct ck_origin *ck_origin_of(const struct ck *c, struct lw_value v)
{
    if (v.kind != LW_V_TENSOR || v.tensor->id == 0 || v.tensor->id > c->origins.n)
        return NULL;
    return c->origins.v[v.tensor->id - 1];
}

/* From 1. What is evaluated next mostly stands on the same line. */
static uint32_t line_of(struct ck_file *f, uint32_t offset)
{
    const uint32_t *lines = f->tree.lines.v;
    size_t n = f->tree.lines.n, near = f->near_line;
    if (near > 0 && near <= n && lines[near - 1] <= offset &&
        (near == n || offset < lines[near]))
        return f->near_line;
    return f->near_line = lw_tree_position(&f->tree, offset).line;
}

uint32_t ck_file_place(struct ck_file *f, uint32_t node)
{
    if (!f || node == LW_NO_NODE || node >= f->tree.nodes.n)
        return 0;
    uint32_t line = line_of(f, lw_tree_start(&f->tree, node));
    if (line > CK_PLACE_LINE)
        line = CK_PLACE_LINE;
    return (f->index & 0x7f) << 24 | line;
}

uint32_t ck_place(struct ck *c, uint32_t node)
{
    return c->frame ? ck_file_place(c->frame->file, node) : 0;
}

/* The place as someone says it who reads `from`. */
void ck_add_place(struct ck *c, struct lw_buf *b, const struct ck_file *from, uint32_t place)
{
    uint32_t file = place >> 24, line = place & CK_PLACE_LINE, inside;
    const struct ck_file *in = file < c->files.n ? c->files.v[file] : NULL;
    const struct lw_notebook *nb = in ? &in->source.notebook : NULL;
    const struct lw_cell *cell =
        nb && nb->cell_count ? lw_notebook_locate(nb, line, &inside) : NULL;
    bool here = !in || in == from;
    if (!here)
        lw_buf_addf(b, "%.*s%s", LW_F(in->path), cell ? ", " : ":");
    if (cell)
        lw_buf_addf(b, "cell %u, line %u", cell->number, inside);
    else
        lw_buf_addf(b, "%s%u", here ? "line " : "", line);
}

struct lw_str ck_show_place(struct ck *c, const struct ck_file *from, uint32_t place)
{
    struct lw_buf b;
    lw_buf_init(&b, c->mem, 1 << 16);
    ck_add_place(c, &b, from, place);
    struct lw_str text = lw_arena_copy(c->arena, lw_buf_str(&b));
    lw_buf_release(&b);
    return text.p ? text : LW_S("another line");
}
