/* Rules about the order of axes that transformers and recurrent modules take: batch_first. */
#include "base/num.h"
#include "base/str.h"
#include "check/query/look.h"
#include "check/query/program.h"
#include "check/rules/rules.h"

/* ---- positions along the batch ------------------------------------------------------------
 */

/* Was it made by a transformer that takes (steps, batch, width)? */
static bool is_steps_first(struct ck *c, struct lw_value v)
{
    static const char *const names[] = {"TransformerEncoder", "TransformerEncoderLayer",
                                        "TransformerDecoder", "TransformerDecoderLayer"};
    const struct ck_origin *o = ck_origin_of(c, v);
    const struct ck_object *layer = o ? o->layer : NULL;
    if (!layer || layer->of || !layer->api ||
        !text_is_any(text_tail(layer->api->name), names, 4))
        return false;
    for (unsigned i = 0; i < 2 && layer; i++) {
        struct lw_value first = ck_config(layer, "batch_first");
        if (first.kind == LW_V_BOOL)
            return first.tri == LW_TRI_NO;
        struct lw_value inner = ck_config(layer, "encoder_layer");
        if (inner.kind == LW_V_ABSENT)
            inner = ck_config(layer, "decoder_layer");
        layer = ck_as(inner, CK_INSTANCE);
        if (layer && layer->of)
            return false;
    }
    return false;
}

/* Where the layer was made that made the value: batch_first is said there. */
static uint32_t made_at(struct ck *c, struct lw_value v)
{
    const struct ck_origin *o = ck_origin_of(c, v);
    return o && o->layer ? o->layer->place : 0;
}

static void report_mixed(struct ck *c, uint32_t node, struct lw_value v, const char *what)
{
    ck_blame(c, made_at(c, v));
    ck_find(c, node, "api/batch-first", &v, 1,
            "the layer returns (time, batch, features): %s; create it with batch_first=True",
            what);
}

/* out[:, 0], out[:, -1] */
static void watch_step_index(struct ck *c, const struct ck_event *e)
{
    int64_t n;
    if (e->b.kind != LW_V_TUPLE || e->b.seq.n < 2 || e->b.seq.items[0].kind != LW_V_SLICE ||
        e->b.seq.items[0].seq.items[0].kind != LW_V_NONE ||
        e->b.seq.items[0].seq.items[1].kind != LW_V_NONE ||
        !ck_int_of(c, e->b.seq.items[1], &n) || (n != 0 && n != -1) || !c->frame->function ||
        !text_is(text_tail(c->frame->function->name), "forward") || !is_steps_first(c, e->a))
        return;
    report_mixed(c, e->node, e->a,
                 n ? "[:, -1] is the last sample, not the last time step"
                   : "[:, 0] is the first sample, not the first time step");
}

/* out, weights = attention(x, x, x); out.mean(dim=1) */
static bool is_mixed_attention(struct ck *c, const struct ck_event *e, struct lw_value x)
{
    const struct lw_tree *t = &c->frame->file->tree;
    const struct ck_origin *o = ck_origin_of(c, x);
    if (!o || !o->layer || o->layer->of || !o->layer->api || o->file != c->frame->file ||
        !text_is(o->layer->api->name, "torch.nn.MultiheadAttention"))
        return false;
    struct lw_value first = ck_config(o->layer, "batch_first");
    return first.kind == LW_V_BOOL && first.tri == LW_TRI_NO &&
           syntax_is_first_result(t, syntax_owner(t, e->node), o->node);
}

/* out.mean(dim=1) */
static void watch_step_pool(struct ck *c, const struct ck_event *e)
{
    int64_t dim;
    if (!text_is(text_tail(e->call->name), "mean"))
        return;
    struct lw_value x = lineage_operand(e->call);
    if (!ck_int_of(c, ck_slot_value(e->call, "dim"), &dim) || dim != 1)
        return;
    if (is_steps_first(c, x) || is_mixed_attention(c, e, x))
        report_mixed(c, e->node, x, "mean(dim=1) is over the samples, not over the time steps");
}

/* ---- the last step -------------------------------------------------------------------------
 */

static bool is_all(struct lw_value v)
{
    return v.kind == LW_V_SLICE && v.seq.n == 3 && v.seq.items[0].kind == LW_V_NONE &&
           v.seq.items[1].kind == LW_V_NONE && v.seq.items[2].kind == LW_V_NONE;
}

/* out[:, -1] of a recurrent module that takes time first: the last sample, not the last step.
 */
static void watch_last_step(struct ck *c, const struct ck_event *e)
{
    const struct ck_origin *o = ck_origin_of(c, e->a);
    struct lw_seq seq;
    int64_t n;
    if (!o || !o->layer || o->layer->of || !o->layer->api ||
        !lw_str_eq(lw_api_fact(o->layer->api, "role"), LW_S("recurrent")) ||
        !lw_str_has_prefix(o->layer->api->name, LW_S("torch.nn.")))
        return;
    struct lw_value first = ck_config(o->layer, "batch_first");
    struct lw_value layers = ck_config(o->layer, "num_layers");
    bool known = lw_shape_has_rank(&e->a.tensor->shape) && e->a.tensor->shape.n == 3;
    bool state = known
                     ? lw_dim_eq(c->dims, e->a.tensor->shape.d[0], layers.dim) == LW_TRI_YES
                     : !syntax_is_first_result(
                           &c->frame->file->tree,
                           lw_tree_get(&c->frame->file->tree, e->node, LW_ROLE_VALUE), o->node);
    if (first.kind != LW_V_BOOL || first.tri != LW_TRI_NO || state || e->b.kind != LW_V_TUPLE ||
        !ck_sequence(c, e->b, &seq) || seq.n < 2 || !is_all(seq.items[0]) ||
        !ck_int_of(c, seq.items[1], &n) || n != -1 || (seq.n == 3 && !is_all(seq.items[2])))
        return;
    ck_blame(c, o->layer->place);
    ck_find(c, e->node, "api/batch-first", &e->a, 1,
            "the module returns (time, batch, features): [:, -1] is the last sample of the "
            "batch, not the last time step; create it with batch_first=True, or use [-1]");
}

/* ---- packed sequences
 * ------------------------------------------------------------------------
 */

/* pack_padded_sequence(…, batch_first=True), and pad_packed_sequence() without it. */
static void watch_packed(struct ck *c, const struct ck_event *e)
{
    struct ck_file *f = c->files.v[0];
    const struct lw_tree *t = &f->tree;
    struct places_list in = program_calls_of(c, "pack_padded_sequence");
    struct places_list out = program_calls_of(c, "pad_packed_sequence");
    (void)e;
    if (in.n != 1 || out.n != 1)
        return;
    uint32_t packed = program_argument(t, in.v[0], "batch_first", 2);
    uint32_t padded = program_argument(t, out.v[0], "batch_first", 1);
    if (!text_is(lw_tree_text(t, packed), "True") ||
        (padded != LW_NO_NODE && !text_is(lw_tree_text(t, padded), "False")) ||
        syntax_keyword(t, out.v[0], LW_S("")) != LW_NO_NODE)
        return;
    uint32_t next = lw_tree_parent(t, out.v[0]);
    if (lw_tree_kind(t, next) != LW_NODE_ASSIGN)
        return;
    uint32_t kept = lw_tree_get(t, next, LW_ROLE_TARGETS);
    if (lw_tree_kind(t, kept) == LW_NODE_TUPLE)
        kept = lw_tree_get(t, kept, LW_ROLE_ELTS);
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false))
        if (lw_tree_kind(t, n) == LW_NODE_CALL &&
            lw_tree_start(t, n) > lw_tree_start(t, next) &&
            lw_str_eq(lw_tree_text(t, syntax_owner(t, n)), lw_tree_text(t, kept)) &&
            (text_is(syntax_called_name(t, n), "transpose") ||
             text_is(syntax_called_name(t, n), "permute")))
            return;
    ck_find_at(c, f, out.v[0], "api/batch-first", NULL, 0,
               "the sequences are packed with batch_first=True, and unpacked without it the "
               "result is (time, batch, features): pass batch_first=True here too");
}

const struct ck_rule rules_api_batch_first[] = {
    {"api/batch-first", CK_EV_INDEX, watch_step_index, .pure = true},
    {"api/batch-first", CK_EV_CALL, watch_step_pool, .pure = true, .calls = ".mean"},
    {"api/batch-first", CK_EV_INDEX, watch_last_step, .pure = true},
    {"api/batch-first", CK_EV_END, watch_packed},
    {0},
};
