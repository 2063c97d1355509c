/* Rules about rows and words of the test data that the training data has too. */
#include "base/str.h"
#include "check/models/module.h"
#include "check/query/look.h"
#include "check/query/rows.h"
#include "check/rules/rules.h"

/* ---- copies on both sides of a split -------------------------------------------------------
 */

static bool visit_copies(void *data, struct lw_value v, const struct ck_origin *o)
{
    static const char *const copies[] = {"numpy.repeat", "torch.repeat_interleave"};
    bool *found = data;
    if (!o || !text_is_any(o->op, copies, 2) || !lw_shape_has_rank(&v.tensor->shape) ||
        v.tensor->shape.n < 2)
        return true;
    struct lw_value along = lineage_slot(o, text_is(o->op, copies[0]) ? "axis" : "dim");
    *found = along.kind == LW_V_INT && along.dim == lw_dim_int(0);
    return !*found;
}

static bool has_copies(struct ck *c, struct lw_value v)
{
    bool found = false;
    if (v.kind == LW_V_TENSOR)
        lineage_walk(c, v, visit_copies, &found);
    return found;
}

static void report_copies(struct ck *c, uint32_t node, struct lw_value v)
{
    ck_find(c, node, "data/copies-across-split", v.kind == LW_V_TENSOR ? &v : NULL,
            v.kind == LW_V_TENSOR,
            "rows are duplicated before the random split, so copies of a row end up on both "
            "sides: split first, or split by the original row");
}

/* x, y = SMOTE().fit_resample(x, y), or something made of what resample(…, replace=True)
 * gave, somewhere before. */
static bool is_resampled(const struct lw_tree *t, uint32_t node, struct lw_str name,
                         unsigned depth)
{
    uint32_t function = lw_tree_enclosing(t, node, LW_NODE_FUNCTION);
    uint32_t top = function == LW_NO_NODE ? t->root : function;
    bool resampled = false;
    for (uint32_t n = lw_tree_next(t, top, top, false); n != LW_NO_NODE;
         n = lw_tree_next(t, top, n, false)) {
        if (lw_tree_start(t, n) >= lw_tree_start(t, node))
            break;
        if (lw_tree_kind(t, n) != LW_NODE_ASSIGN ||
            !syntax_has_name(t, lw_tree_get(t, n, LW_ROLE_TARGETS), name))
            continue;
        struct lw_str text = lw_tree_text(t, n);
        resampled = lw_str_find(text, LW_S(".fit_resample(")) != LW_NPOS ||
                    lw_str_find(text, LW_S(".fit_sample(")) != LW_NPOS ||
                    (lw_str_find(text, LW_S("resample(")) != LW_NPOS &&
                     lw_str_find(text, LW_S("replace=True")) != LW_NPOS);
        uint32_t value = lw_tree_get(t, n, LW_ROLE_VALUE);
        for (uint32_t k = value; k != LW_NO_NODE && !resampled && depth > 0;
             k = lw_tree_next(t, value, k, false))
            resampled = lw_tree_kind(t, k) == LW_NODE_NAME &&
                        !lw_str_eq(lw_tree_name(t, k), name) &&
                        is_resampled(t, n, lw_tree_name(t, k), depth - 1);
    }
    return resampled;
}

static void watch_split_copies(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (!text_is(text_tail(e->call->name), "train_test_split"))
        return;
    bool drawn = ck_shows(c, "call *resample") || ck_shows(c, "call fit_sample");
    for (size_t i = 0; i < e->call->n && !e->call->args[i].name.n; i++) {
        uint32_t node = e->call->args[i].node;
        if (has_copies(c, e->call->args[i].value) ||
            (drawn && node != LW_NO_NODE && lw_tree_kind(t, node) == LW_NODE_NAME &&
             is_resampled(t, node, lw_tree_name(t, node), 2))) {
            report_copies(c, e->node, e->call->args[i].value);
            return;
        }
    }
}

/* rows[~test], where each row is drawn on its own. */
static void watch_mask_copies(struct ck *c, const struct ck_event *e)
{
    const struct ck_origin *o = ck_origin_of(c, e->b);
    if (!o || !text_is(o->op, "~") || !o->in_count)
        return;
    const struct ck_origin *drawn = ck_origin_of(c, o->in[0]);
    if (drawn && rows_share(c, o->in[0]) > 0 && has_copies(c, e->a))
        report_copies(c, e->node, e->a);
}

/* ---- vocabularies --------------------------------------------------------------------------
 */

static const char fitted_key;

struct fitted {
    uint32_t node;
    struct ck_file *file;
    bool is_set;
};

/* Tokenizer.fit_on_texts(all texts), then train_test_split. */
static void watch_vocabulary(struct ck *c, const struct ck_event *e)
{
    const struct lw_tree *t = &c->frame->file->tree;
    struct fitted *s = ck_state(c, &fitted_key, sizeof *s);
    if (!s)
        return;
    if (text_is(text_tail(e->call->name), "fit_on_texts") && e->call->n &&
        e->call->args[0].node != LW_NO_NODE &&
        lw_str_find(lw_tree_text(t, e->call->args[0].node), LW_S("train")) == LW_NPOS) {
        *s = (struct fitted){e->node, c->frame->file, true};
    } else if (s->is_set && text_is(text_tail(e->call->name), "train_test_split")) {
        ck_find_at(c, s->file, s->node, "data/vocabulary-leak", NULL, 0,
                   "the vocabulary is built from all texts before the split, so it contains "
                   "words of the test texts: split first and fit on the training part");
        s->is_set = false;
    }
}

const struct ck_rule rules_data_across_split[] = {
    {"data/copies-across-split", CK_EV_CALL, watch_split_copies, .calls = ".train_test_split"},
    {"data/copies-across-split", CK_EV_INDEX, watch_mask_copies},
    {"data/vocabulary-leak", CK_EV_CALL, watch_vocabulary,
     .calls = ".fit_on_texts .train_test_split"},
    {0},
};
