/* Rules about placeholders of TensorFlow 1 that get no value. */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/rules/rules.h"

/* ---- feeding and fetching -----------------------------------------------------------------
 */

enum { MAX_NEEDED = 512, MAX_NEEDED_DEPTH = 100 };

/* Placeholders that a fetch needs. */
struct needed {
    struct ck *c;
    const struct lw_dict *fed; /* NULL: nothing */
    struct lw_value missing;
    uint32_t seen[MAX_NEEDED];
    size_t seen_count;
};

static bool is_fed(const struct needed *n, struct lw_value v)
{
    for (uint32_t i = 0; n->fed && i < n->fed->n; i++) {
        struct lw_value key = n->fed->keys[i];
        if (key.kind != LW_V_TENSOR || key.tensor->id == v.tensor->id)
            return true;
    }
    return false;
}

/* Looks for a placeholder that is not fed behind `v`, but neither behind what is fed instead of
 * being computed, nor behind arrays, which an earlier run() has computed. */
static void find_needed(struct needed *n, struct lw_value v, unsigned depth)
{
    struct lw_seq seq;
    if (n->missing.kind == LW_V_TENSOR || depth > MAX_NEEDED_DEPTH)
        return;
    if (v.kind == LW_V_TUPLE || v.kind == LW_V_LIST || v.kind == CK_LIST) {
        for (uint32_t i = 0; ck_sequence(n->c, v, &seq) && i < seq.n; i++)
            find_needed(n, seq.items[i], depth + 1);
        return;
    }
    if (v.kind != LW_V_TENSOR || v.tensor->framework == LW_NUMPY || is_fed(n, v))
        return;
    for (size_t i = 0; v.tensor->id && i < n->seen_count; i++)
        if (n->seen[i] == v.tensor->id)
            return;
    const struct ck_origin *o = ck_origin_of(n->c, v);
    if (!o || n->seen_count == MAX_NEEDED)
        return;
    n->seen[n->seen_count++] = v.tensor->id;
    if (lw_str_eq(o->op, LW_S("tensorflow.placeholder"))) {
        n->missing = v;
        return;
    }
    for (uint32_t i = 0; i < o->in_count; i++)
        find_needed(n, o->in[i], depth + 1);
}

/* A tensor is fetched that depends on a placeholder, and nothing is fed to it. */
static void check_needed(struct ck *c, struct lw_value fetch, struct lw_value feed,
                         uint32_t node)
{
    struct needed *n = lw_arena_alloc(c->arena, sizeof *n);
    struct lw_seq seq;
    if (!n)
        return;
    *n = (struct needed){.c = c, .missing = lw_v_absent()};
    if (feed.kind != LW_V_ABSENT && feed.kind != LW_V_NONE &&
        (!ck_pairs(feed, &n->fed) || n->fed->open))
        return;
    if ((fetch.kind == CK_LIST || fetch.kind == LW_V_TUPLE) && ck_sequence(c, fetch, &seq)) {
        for (uint32_t i = 0; i < seq.n && !seq.open; i++)
            if (seq.items[i].kind == LW_V_TENSOR || seq.items[i].kind == CK_INSTANCE)
                check_needed(c, seq.items[i], feed, node);
        return;
    }
    const struct ck_object *step = ck_as(fetch, CK_INSTANCE);
    if (step) /* minimize(loss) */
        fetch = model_trait(step, GRAPH_LOSS);
    if (fetch.kind != LW_V_TENSOR || c->frame->guarded)
        return;
    find_needed(n, fetch, 0);
    if (n->missing.kind == LW_V_TENSOR)
        ck_find(c, node, "api/placeholder-not-fed", &n->missing, 1,
                "the fetched tensors need the placeholder created at %.*s, but feed_dict has "
                "no value for it: add it to feed_dict",
                LW_F(ck_show_place(c, c->frame->file, ck_origin_of(c, n->missing)->place)));
}

static void watch_needed(struct ck *c, const struct ck_event *e)
{
    check_needed(c, e->a, ck_arg(e->call, 1, "feed_dict"), e->node);
}

/* loss.eval(feed_dict={…}) */
static void watch_eval(struct ck *c, const struct ck_event *e)
{
    if (lw_str_eq(e->call->name, LW_S("tensorflow.Tensor.eval")))
        check_needed(c, e->call->self, ck_arg(e->call, 0, "feed_dict"), e->node);
}

const struct ck_rule rules_api_feed[] = {
    {"api/placeholder-not-fed", CK_EV_SESSION_RUN, watch_needed, .pure = true},
    {"api/placeholder-not-fed", CK_EV_CALL, watch_eval, .pure = true,
     .calls = "tensorflow.Tensor.eval"},
    {0},
};
