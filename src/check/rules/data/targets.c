/* Rules about numbers of categories and padded targets. */
#include "base/str.h"
#include "check/query/indices.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/rules/rules.h"

/* An argument of the loss function, or of the object that is called. */
static struct lw_value setting(const struct ck_event *e, const char *name)
{
    return e->object && !e->object->of ? ck_config(e->object, name)
                                       : ck_slot_value(e->call, name);
}

/* ---- categories as amounts ----------------------------------------------------------------
 */

enum { MAX_LOOKED = 64 };

/* Tensors that an input is made of, as they are found. */
struct parts {
    struct lw_value v[MAX_LOOKED];
    const struct ck_origin *by[MAX_LOOKED]; /* what was first done to it */
    size_t n;
};

static void add_part(struct ck *c, struct parts *p, struct lw_value v,
                     const struct ck_origin *by)
{
    struct lw_seq seq;
    if (v.kind == LW_V_TENSOR) {
        if (p->n < MAX_LOOKED) {
            p->by[p->n] = by;
            p->v[p->n++] = v;
        }
    } else if (ck_sequence(c, v, &seq)) {
        for (uint32_t i = 0; i < seq.n; i++)
            if (seq.items[i].kind == LW_V_TENSOR)
                add_part(c, p, seq.items[i], by);
    }
}

static void watch_category_index(struct ck *c, const struct ck_event *e)
{
    indices_note(c, e->a, e->b);
}

/* Numbers that name rows of a table without an order go into the network as an amount. */
static void watch_category(struct ck *c, const struct ck_event *e)
{
    static const char *const names_things[] = {
        "one_hot", "embedding", "==", "eq", "!=", "where", "argmax", "<", ">", "isin"};
    const struct indices *s = indices_of(c);
    struct lw_value out = mv_loss_input(c, e);
    const struct mv_chain *chain =
        s && s->n && out.kind == LW_V_TENSOR ? mv_of_tensor(c, out) : NULL;
    if (!chain || !chain->n || !chain->stage[0].layer ||
        !text_is(chain->stage[0].role, "dense"))
        return;
    struct parts p = {.n = 0};
    add_part(c, &p, chain->stage[0].in, NULL);
    for (size_t i = 0; i < p.n; i++) {
        for (size_t k = 0; k < s->n; k++)
            if (p.by[i] && s->unordered[k] && p.v[i].tensor->id == s->ids[k] &&
                lineage_top(p.v[i].tensor) >= 2) {
                ck_find_at(c, p.by[i]->file, p.by[i]->node, "data/category-as-number", &p.v[i],
                           1,
                           "these category indices have no order, but the network gets them as "
                           "a quantity, as if 20 were twice 10: use one_hot or an embedding");
                return;
            }
        const struct ck_origin *o = ck_origin_of(c, p.v[i]);
        if (!o || o->layer || text_is_any(text_tail(o->op), names_things, 10))
            continue;
        uint32_t n = text_is(o->op, "[]") ? 1 : o->in_count;
        for (uint32_t k = 0; k < n && k < o->in_count; k++)
            add_part(c, &p, o->in[k], o);
    }
}

/* ---- padding among the targets ------------------------------------------------------------
 */

static void watch_padding(struct ck *c, const struct ck_event *e)
{
    static const char *const reorders[] = {"transpose", "permute", "t"};
    struct lw_value y = mv_loss_target(c, e), left_out = setting(e, "ignore_index");
    struct lw_value reduction = setting(e, "reduction");
    double ignored, padding;
    if (y.kind != LW_V_TENSOR || !ck_number_of(c, left_out, &ignored) ||
        (reduction.kind == LW_V_STR && reduction.str.p && text_is(reduction.str, "none")))
        return;
    const struct ck_origin *o = NULL;
    for (unsigned i = 0; i < 8; i++) {
        y = lineage_through(c, y);
        o = ck_origin_of(c, y);
        if (!o || !o->in_count ||
            (!text_is(o->op, "[]") && !text_is_any(text_tail(o->op), reorders, 3)) ||
            (text_is(o->op, "[]") && o->in[1].kind != LW_V_TUPLE &&
             o->in[1].kind != LW_V_SLICE))
            break;
        y = o->in[0];
    }
    if (!o || !text_is(text_tail(o->op), "pad_sequence") ||
        !ck_number_of(c, lineage_slot(o, "padding_value"), &padding) || padding == ignored)
        return;
    ck_find(c, e->node, "data/padding-in-loss", &y, 1,
            "the targets are padded with %g, which the loss counts like any class, so the "
            "network learns to predict padding: pass ignore_index=%g",
            padding, padding);
}

const struct ck_rule rules_data_targets[] = {
    {"data/category-as-number", CK_EV_INDEX, watch_category_index},
    {"data/category-as-number", CK_EV_CALL | CK_EV_LAYER, watch_category, .calls = "@loss"},
    {"data/padding-in-loss", CK_EV_CALL | CK_EV_LAYER, watch_padding, .calls = "@loss"},
    {0},
};
