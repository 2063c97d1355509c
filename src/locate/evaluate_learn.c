/* Learnt techniques in an evaluation: no project teaches the model that is tried on it. */
#include <string.h>

#include "base/err.h"
#include "base/pool.h"
#include "base/str.h"
#include "knowledge/embedded.h"
#include "locate/evaluate_internal.h"

static bool has_lesson(const struct evaluation *v, size_t report, size_t technique)
{
    return !v->e->reports[report].skipped && v->lessons[report].features[technique];
}

/* Lessons of all projects but one. */
static size_t collect(const struct evaluation *v, size_t technique, uint32_t without,
                      struct lw_lesson *out)
{
    size_t n = 0;
    for (size_t i = 0; i < v->e->report_count; i++) {
        const struct lesson *l = &v->lessons[i];
        if (v->e->reports[i].project == without || !has_lesson(v, i, technique) ||
            !l->truth_count)
            continue;
        out[n++] = (struct lw_lesson){l->features[technique], l->truth, l->truth_count,
                                      v->e->reports[i].project};
    }
    return n;
}

int ev_judge_by(struct evaluation *v, size_t technique, size_t report, const void *model,
                struct lw_err *err)
{
    const struct lw_setup *setup = &v->e->setups[technique];
    struct lesson *l = &v->lessons[report];
    const struct lw_features *f = l->features[technique];
    double *scores = lw_mem_alloc(v->ctx->mem, (f->n + 1) * sizeof *scores);
    if (!scores)
        return lw_err_nomem(err);
    int rc = setup->technique->learner->score(setup, model, f, v->ctx->mem, scores, err);
    if (rc == 0)
        ev_judge(&v->e->reports[report].outcomes[technique],
                 l->ranks + technique * l->rank_room, scores, f->n, l->truth, l->truth_count);
    lw_mem_free(v->ctx->mem, scores, (f->n + 1) * sizeof *scores);
    return rc;
}

void ev_forget(struct evaluation *v, size_t technique, size_t report)
{
    struct lw_features **f = &v->lessons[report].features[technique];
    if (!*f)
        return;
    lw_arena_release(&(*f)->arena);
    lw_mem_free(v->ctx->mem, *f, sizeof **f);
    *f = NULL;
}

static int judge(struct evaluation *v, size_t technique, uint32_t project, const void *model,
                 struct lw_err *err)
{
    int rc = 0;
    for (size_t i = 0; i < v->e->report_count && rc == 0; i++)
        if (v->e->reports[i].project == project && has_lesson(v, i, technique))
            rc = ev_judge_by(v, technique, i, model, err);
    return rc;
}

static int leave_out(struct evaluation *v, size_t technique, uint32_t project,
                     struct lw_err *err)
{
    const struct lw_setup *setup = &v->e->setups[technique];
    const struct lw_learner *learner = setup->technique->learner;
    size_t room = (v->e->report_count + 1) * sizeof(struct lw_lesson);
    struct lw_lesson *lessons = lw_mem_alloc(v->ctx->mem, room);
    void *model = NULL;
    if (!lessons)
        return lw_err_nomem(err);
    size_t n = collect(v, technique, project, lessons);
    int rc =
        n ? learner->learn(setup, v->ctx, lessons, n, &model, err)
          : lw_err_set(err, LW_EINVAL,
                       "%s has nothing to learn from: the dataset needs another project, or "
                       "use --model shipped",
                       setup->technique->name);
    if (rc == 0)
        rc = judge(v, technique, project, model, err);
    if (model)
        learner->discard(v->ctx->mem, model);
    lw_mem_free(v->ctx->mem, lessons, room);
    return rc;
}

static int load_shipped(const struct evaluation *v, const struct lw_learner *learner,
                        void **model, struct lw_err *err)
{
    struct lw_str text;
    *model = NULL;
    if (!learner->model_path || !lw_embedded_find(lw_str(learner->model_path), &text))
        return LW_ENOENT;
    return learner->load(v->ctx->mem, text, model, err);
}

/* May the shipped model be tried on this project? */
static bool may_ship(const struct evaluation *v, const struct lw_learner *learner,
                     const void *model, uint32_t project)
{
    if (!model || v->options->model == LW_MODEL_LOPO)
        return false;
    return v->options->model == LW_MODEL_SHIPPED ||
           !learner->knows(model, v->e->projects[project]);
}

static const struct lw_learner *learner_of(const struct evaluation *v, size_t technique)
{
    return v->e->setups[technique].technique->learner;
}

int ev_load_models(struct evaluation *v, struct lw_err *err)
{
    v->at_once = !v->options->model_out;
    for (size_t t = 0; t < v->e->setup_count; t++) {
        const struct lw_learner *learner = learner_of(v, t);
        if (!learner)
            continue;
        if (v->options->model ==
            LW_MODEL_LOPO) { /* one with other columns can be replaced so */
            v->at_once = false;
            continue;
        }
        int rc = load_shipped(v, learner, &v->shipped[t], err);
        if (rc == LW_ENOENT && v->options->model == LW_MODEL_SHIPPED)
            return lw_err_set(err, LW_EMISSING, "this program contains no model of %s",
                              v->e->setups[t].technique->name);
        if (rc < 0 && rc != LW_ENOENT)
            return rc;
        for (uint32_t p = 0; p < v->e->project_count; p++)
            v->at_once = v->at_once && may_ship(v, learner, v->shipped[t], p);
    }
    return 0;
}

void ev_release_models(struct evaluation *v)
{
    for (size_t t = 0; t < v->e->setup_count; t++)
        if (v->shipped[t])
            learner_of(v, t)->discard(v->ctx->mem, v->shipped[t]);
}

struct learning {
    struct evaluation *v;
    size_t technique;
};

static int learn_project(void *data, size_t item, unsigned worker, struct lw_err *err)
{
    const struct learning *l = data;
    const void *shipped = l->v->shipped[l->technique];
    uint32_t project = (uint32_t)item;
    (void)worker;
    return may_ship(l->v, learner_of(l->v, l->technique), shipped, project)
               ? judge(l->v, l->technique, project, shipped, err)
               : leave_out(l->v, l->technique, project, err);
}

/* Projects side by side: what one is left out of does not touch another. */
static int learn_one(struct evaluation *v, size_t technique, struct lw_err *err)
{
    struct lw_clock clock = v->ctx->clock;
    double start = clock.seconds(clock.data);
    struct learning learning = {v, technique};
    struct lw_pool pool = {.count = v->e->project_count,
                           .jobs = v->ctx->jobs ? v->ctx->jobs : 1,
                           .cancel = v->ctx->cancel,
                           .data = &learning,
                           .work = learn_project};
    int rc = lw_pool_run(&pool, err);
    v->e->seconds[technique] += clock.seconds(clock.data) - start;
    return rc;
}

/* A model of all reports, as text. */
static int learn_all(struct evaluation *v, size_t technique, struct lw_err *err)
{
    const struct lw_setup *setup = &v->e->setups[technique];
    const struct lw_learner *learner = setup->technique->learner;
    size_t room = (v->e->report_count + 1) * sizeof(struct lw_lesson);
    struct lw_lesson *lessons = lw_mem_alloc(v->ctx->mem, room);
    void *model = NULL;
    if (!lessons)
        return lw_err_nomem(err);
    size_t n = collect(v, technique, UINT32_MAX, lessons);
    int rc = learner->learn(setup, v->ctx, lessons, n, &model, err);
    if (rc == 0)
        rc = learner->save(model, v->e->projects, v->e->project_count, v->options->model_out,
                           err);
    if (model)
        learner->discard(v->ctx->mem, model);
    lw_mem_free(v->ctx->mem, lessons, room);
    return rc;
}

int ev_learn(struct evaluation *v, struct lw_err *err)
{
    int rc = 0;
    for (size_t t = 0; t < v->e->setup_count && rc == 0 && !v->at_once; t++)
        if (v->e->setups[t].technique->learner)
            rc = learn_one(v, t, err);
    for (size_t t = 0; t < v->e->setup_count && rc == 0 && v->options->model_out; t++)
        if (v->e->setups[t].technique->learner)
            rc = learn_all(v, t, err);
    return rc;
}
