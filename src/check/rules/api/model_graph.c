/* Rules about models of Keras whose outputs do not come from their inputs. */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

enum { MOST_SEEN = 512, MOST_INPUTS = 32, MOST_DEPTH = 200 };

struct graph {
    const struct ck_origin *inputs[MOST_INPUTS];
    uint32_t input_ids[MOST_INPUTS];
    uint32_t input_count;
    uint32_t seen[MOST_SEEN];
    uint32_t seen_count;
    struct lw_value missing; /* an Input() that the model does not have; ABSENT: none */
};

static bool is_input(const struct ck_origin *o)
{
    return text_is(text_tail(o->op), "Input") && lw_str_has_prefix(o->op, LW_S("keras."));
}

/* False: what the model is made for is not known. */
static bool add_inputs(struct ck *c, struct graph *g, struct lw_value v, unsigned depth)
{
    const struct lw_dict *d;
    struct lw_seq seq;
    const struct ck_origin *o = ck_origin_of(c, v);
    if (v.kind == LW_V_TENSOR) {
        if (!o || g->input_count == MOST_INPUTS)
            return false;
        g->input_ids[g->input_count] = v.tensor->id;
        g->inputs[g->input_count++] = o;
        return true;
    }
    bool dict = ck_pairs(v, &d);
    if (depth > 3 || (dict ? d->open : !ck_sequence(c, v, &seq) || seq.open))
        return false;
    bool whole = true;
    for (uint32_t i = 0; i < (dict ? d->n : seq.n); i++)
        whole &= add_inputs(c, g, dict ? d->values[i] : seq.items[i], depth + 1);
    return whole;
}

/* Tensors that branches of the program joined keep the origin of one of them. */
static bool is_given(const struct graph *g, uint32_t id, const struct ck_origin *o)
{
    for (uint32_t i = 0; i < g->input_count; i++)
        if (g->input_ids[i] == id || g->inputs[i] == o)
            return true;
    return false;
}

static void walk(struct ck *c, struct graph *g, struct lw_value v, unsigned depth)
{
    struct lw_seq seq;
    const struct ck_origin *o = ck_origin_of(c, v);
    if (depth > MOST_DEPTH || g->seen_count == MOST_SEEN || g->missing.kind != LW_V_ABSENT)
        return;
    if (v.kind != LW_V_TENSOR) {
        if ((lw_v_is_seq(v) || v.kind == CK_LIST) && ck_sequence(c, v, &seq))
            for (uint32_t i = 0; i < seq.n; i++)
                walk(c, g, seq.items[i], depth + 1);
        return;
    }
    for (uint32_t i = 0; i < g->seen_count; i++)
        if (g->seen[i] == v.tensor->id)
            return;
    g->seen[g->seen_count++] = v.tensor->id;
    if (!o || is_given(g, v.tensor->id, o))
        return;
    if (is_input(o))
        g->missing = v;
    for (uint32_t i = 0; i < o->in_count; i++)
        walk(c, g, o->in[i], depth + 1);
}

static void watch_model(struct ck *c, const struct ck_event *e)
{
    static const char key;
    struct graph *g = ck_state(c, &key, sizeof *g);
    if (!g || c->frame->guarded)
        return;
    *g = (struct graph){.missing = lw_v_absent()};
    struct lw_value in = model_trait(e->object, MODEL_INPUT);
    if (!add_inputs(c, g, in, 0))
        return;
    walk(c, g, model_trait(e->object, MODEL_OUTPUT), 0);
    if (g->missing.kind == LW_V_TENSOR)
        ck_find(c, e->node, "api/graph-disconnected", &g->missing, 1,
                "the outputs depend on the Input() created at %.*s, which is not among the "
                "inputs of the model: add it to inputs=",
                LW_F(ck_show_place(c, c->frame->file, ck_origin_of(c, g->missing)->place)));
}

const struct ck_rule rules_api_model_graph[] = {
    {"api/graph-disconnected", CK_EV_MODEL, watch_model},
    {0},
};
