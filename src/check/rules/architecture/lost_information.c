/*
 * Rules about what a network cannot see, whatever it learns: a maximum does not count, a
 * normalisation of each sample takes its level away, a sum over words does not combine them.
 */
#include "base/str.h"
#include "check/models/traits.h"
#include "check/query/look.h"
#include "check/query/model_view.h"
#include "check/rules/rules.h"

/* Is it a layer or function of one of these names? Entries of the tables may have several. */
static bool is_layer_of(const struct mv_stage *s, const char *const *names, size_t n)
{
    if (!s->api || (s->layer && s->layer->of))
        return false;
    return text_is_any(
        text_tail(s->layer && s->layer->spelt.n ? s->layer->spelt : s->api->name), names, n);
}

/* What the loss of the event is meant for: "regression", "multiclass"…; empty: no loss. */
static struct lw_str task_of(const struct ck_event *e)
{
    const struct lw_api *api = e->call->api ? e->call->api : e->object ? e->object->api : NULL;
    return api ? lw_api_fact(api, "task") : (struct lw_str){0};
}

/* ---- word vectors as scores -----------------------------------------------------------------
 */

static bool tells_classes(struct lw_str task)
{
    return text_is(task, "binary") || text_is(task, "multiclass");
}

/* A mean, sum or maximum over all words. */
static bool pools_words(const struct mv_stage *s)
{
    static const char *const pools[] = {"mean",
                                        "sum",
                                        "amax",
                                        "reduce_mean",
                                        "reduce_sum",
                                        "reduce_max",
                                        "GlobalAveragePooling1D",
                                        "GlobalMaxPooling1D",
                                        "GlobalAvgPool1D",
                                        "GlobalMaxPool1D"};
    return is_layer_of(s, pools, sizeof pools / sizeof *pools);
}

/* The embedding whose pooled vectors are all that the network computes; NULL: there is more. */
static const struct mv_stage *lone_embedding(const struct mv_chain *chain)
{
    static const char *const tables[] = {"Embedding", "EmbeddingBag"};
    const struct mv_stage *embedding = NULL;
    bool pooled = false;
    for (size_t i = 0; i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (is_layer_of(s, tables, 2) && !embedding) {
            embedding = s;
            pooled = text_is(text_tail(s->api->name), "EmbeddingBag");
        } else if (pools_words(s)) {
            pooled = true;
        } else if (s->kind != MV_KEEP && s->kind != MV_ACTIVATE) {
            return NULL;
        }
    }
    return pooled && chain->whole ? embedding : NULL;
}

static void report_votes(struct ck *c, const struct mv_chain *chain)
{
    const struct mv_stage *s = chain ? lone_embedding(chain) : NULL;
    if (s)
        ck_find_at(
            c, s->layer ? s->layer->file : s->file, s->layer ? s->layer->node : s->node,
            "architecture/votes-of-words", NULL, 0,
            "the pooled word embeddings are the class scores, so the network never combines "
            "two words ('not good'): use wider embeddings and dense layers after the pooling");
}

static void watch_votes(struct ck *c, const struct ck_event *e)
{
    struct lw_value scores = mv_loss_input(c, e);
    if (scores.kind == LW_V_TENSOR && tells_classes(task_of(e)))
        report_votes(c, mv_of_tensor(c, scores));
}

static void watch_compiled_votes(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, ck_arg(e->call, 1, "loss"), "loss");
    if (loss && tells_classes(lw_api_fact(loss, "task")))
        report_votes(c, mv_of_model(c, e->object));
}

/* ---- a maximum that should count ------------------------------------------------------------
 */

/* One maximum of a whole map. */
static bool is_global_maximum(struct ck *c, const struct mv_stage *s)
{
    static const char *const all[] = {"GlobalMaxPooling1D",
                                      "GlobalMaxPooling2D",
                                      "GlobalMaxPooling3D",
                                      "GlobalMaxPool1D",
                                      "GlobalMaxPool2D",
                                      "GlobalMaxPool3D",
                                      "amax",
                                      "reduce_max"};
    static const char *const to_size[] = {"AdaptiveMaxPool1d",   "AdaptiveMaxPool2d",
                                          "AdaptiveMaxPool3d",   "adaptive_max_pool1d",
                                          "adaptive_max_pool2d", "adaptive_max_pool3d"};
    if (is_layer_of(s, all, sizeof all / sizeof *all))
        return true;
    const struct lw_tensor *out = ck_tensor_of(s->out);
    int64_t size = 0;
    if (!is_layer_of(s, to_size, sizeof to_size / sizeof *to_size) || !out ||
        !lw_shape_has_rank(&out->shape) || out->shape.n < 3)
        return false;
    for (unsigned i = 2; i < out->shape.n; i++)
        if (!lw_dim_is_int(c->dims, out->shape.d[i], &size) || size != 1)
            return false;
    return true;
}

static void report_maximum(struct ck *c, const struct mv_chain *chain)
{
    for (size_t i = 0; chain && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (!is_global_maximum(c, s))
            continue;
        ck_find_at(c, s->layer ? s->layer->file : s->file, s->layer ? s->layer->node : s->node,
                   "architecture/maximum-for-count", NULL, 0,
                   "global max pooling is the same for one object and for many, but the "
                   "targets are counts: use average or sum pooling");
        return;
    }
}

/* Is the tensor, as far as its range is known, of whole numbers, and more than two? */
static bool may_be_counts(struct lw_value v)
{
    const struct lw_tensor *t = ck_tensor_of(v);
    if (!t || !lineage_known_range(t))
        return true;
    return (t->range.flags & LW_IV_WHOLE) && lineage_top(t) - t->range.lo >= 2;
}

static void watch_counted(struct ck *c, const struct ck_event *e)
{
    struct lw_value guess = mv_loss_input(c, e), target = mv_loss_target(c, e);
    if (guess.kind == LW_V_TENSOR && text_is(task_of(e), "regression") &&
        look_speaks_of_counts(lw_tree_text(&c->frame->file->tree, e->node)) &&
        may_be_counts(lineage_whole(c, target)))
        report_maximum(c, mv_of_tensor(c, guess));
}

static void watch_fitted(struct ck *c, const struct ck_event *e)
{
    const struct lw_api *loss = mv_entry(c, model_trait(e->object, MODEL_LOSS), "loss");
    if (loss && text_is(lw_api_fact(loss, "task"), "regression") &&
        look_speaks_of_counts(lw_tree_text(&c->frame->file->tree, e->node)) &&
        may_be_counts(e->b))
        report_maximum(c, mv_of_model(c, e->object));
}

/* ---- a level that is normalised away
 * ----------------------------------------------------------
 */

/* A normalisation by the statistics of the sample itself: whatever its factor, the result is
 * the same. */
static bool is_per_sample(const struct mv_stage *s)
{
    static const char *const norms[] = {"InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d",
                                        "instance_norm", "UnitNormalization"};
    return is_layer_of(s, norms, sizeof norms / sizeof *norms);
}

/* The normalisation that comes before anything that is not linear; NULL: none. */
static const struct mv_stage *leading_norm(const struct mv_chain *chain)
{
    for (size_t i = 0; chain && chain->whole && i < chain->n; i++) {
        const struct mv_stage *s = &chain->stage[i];
        if (is_per_sample(s))
            return s;
        if (s->kind != MV_KEEP && (s->kind != MV_LEARN || s->activation.n || s->opaque))
            return NULL;
    }
    return NULL;
}

struct dependence {
    uint32_t on; /* id */
    bool found;
};

static bool visit_dependence(void *data, struct lw_value v, const struct ck_origin *o)
{
    struct dependence *d = data;
    d->found |= v.tensor->id == d->on;
    if (o && text_is(o->op, "[]") && o->in_count > 1 && o->in[1].kind == LW_V_TENSOR)
        d->found |= o->in[1].tensor->id == d->on;
    return true;
}

/* Is `v` computed from the tensor, or looked up by it? */
static lw_tri depends_on(struct ck *c, struct lw_value v, uint32_t id)
{
    struct dependence d = {.on = id};
    bool complete = lineage_walk(c, v, visit_dependence, &d);
    return d.found ? LW_TRI_YES : complete ? LW_TRI_NO : LW_TRI_MAYBE;
}

/* Inputs that are a factor told by the target times something that does not know it. */
static bool is_told_by_level(struct ck *c, struct lw_value input, struct lw_value target)
{
    const struct ck_origin *o = ck_origin_of(c, input);
    const struct lw_tensor *t = ck_tensor_of(target);
    if (!o || !t || !t->id || o->in_count != 2 || !text_is(o->op, "*"))
        return false;
    lw_tri a = depends_on(c, o->in[0], t->id), b = depends_on(c, o->in[1], t->id);
    return (a == LW_TRI_YES && b == LW_TRI_NO) || (a == LW_TRI_NO && b == LW_TRI_YES);
}

static void watch_level(struct ck *c, const struct ck_event *e)
{
    struct lw_value guess = mv_loss_input(c, e), target = mv_loss_target(c, e);
    if (guess.kind != LW_V_TENSOR || target.kind != LW_V_TENSOR)
        return;
    const struct mv_chain *chain = mv_of_tensor(c, guess);
    const struct mv_stage *s = chain ? leading_norm(chain) : NULL;
    struct ck_object *norm = s ? s->layer : NULL;
    if (!norm)
        return;
    struct lw_value input = lineage_whole(c, chain->stage[0].in);
    if (is_told_by_level(c, input, lineage_whole(c, target)))
        ck_find_at(c, norm->file, norm->node, "architecture/level-erased", &input, 1,
                   "the target depends only on the scale of a sample, and this layer "
                   "normalises each sample to the same scale: normalise over the batch");
}

const struct ck_rule rules_architecture_lost_information[] = {
    {"architecture/votes-of-words", CK_EV_CALL | CK_EV_LAYER, watch_votes, .calls = "@loss"},
    {"architecture/votes-of-words", CK_EV_COMPILE, watch_compiled_votes},
    {"architecture/maximum-for-count", CK_EV_CALL | CK_EV_LAYER, watch_counted,
     .calls = "@loss"},
    {"architecture/maximum-for-count", CK_EV_FIT, watch_fitted},
    {"architecture/level-erased", CK_EV_CALL | CK_EV_LAYER, watch_level, .calls = "@loss"},
    {0},
};
