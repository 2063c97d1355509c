/* trace - see the header. Each series grows in its own vector while the file is walked. */
#include "trace/trace.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "trace/scan.h"

struct series {
    struct lw_trace_series face;
    LW_VEC(struct lw_trace_point) points;
    LW_VEC(struct lw_trace_row) rows;
};

struct lw_trace {
    struct lw_mem *mem;
    struct lw_arena arena; /* names */
    LW_VEC(struct series) series;
    LW_VEC(struct lw_trace_name) names;
    LW_VEC(uint32_t) series_of; /* by id: number of the series + 1, 0 = none */
    LW_VEC(uint32_t) name_of;   /* by id: number of the name + 1 */
    LW_VEC(struct lw_trace_event) events;
    json_t *meta;
    uint32_t steps;
    struct lw_buf lost;
};

static int visit_meta(void *self, json_t *object, struct lw_err *err)
{
    lw_trace *t = self;
    return json_object_update(t->meta, object) < 0 ? lw_err_nomem(err) : 0;
}

static bool has_points(enum lw_trace_role role)
{
    return role == LW_SERIES_METRIC || role == LW_SERIES_SETTING;
}

/* Room in the tables by id. */
static int reserve_ids(lw_trace *t, uint32_t id)
{
    while (t->name_of.n <= id)
        if (lw_vec_push(t->mem, &t->name_of, 0) < 0 ||
            lw_vec_push(t->mem, &t->series_of, 0) < 0)
            return LW_ENOMEM;
    return 0;
}

static int add_series(lw_trace *t, const struct lw_trace_name *name)
{
    struct series s = {.face.name = *name};
    if (lw_vec_push(t->mem, &t->series, s) < 0)
        return LW_ENOMEM;
    t->series_of.v[name->id] = (uint32_t)t->series.n;
    return 0;
}

static int visit_name(void *self, const struct lw_trace_name *name, struct lw_err *err)
{
    lw_trace *t = self;
    struct lw_trace_name kept = *name;
    kept.name = lw_arena_copy(&t->arena, name->name);
    kept.layer = lw_arena_copy(&t->arena, name->layer);
    kept.path = lw_arena_copy(&t->arena, name->path);
    if (!kept.name.p || !kept.layer.p || !kept.path.p || reserve_ids(t, name->id) < 0)
        return lw_err_nomem(err);
    if (t->name_of.v[name->id]) /* said twice: the first holds */
        return 0;
    if (lw_vec_push(t->mem, &t->names, kept) < 0)
        return lw_err_nomem(err);
    t->name_of.v[name->id] = (uint32_t)t->names.n;
    return name->role == LW_SERIES_EVENT || add_series(t, &kept) == 0 ? 0 : lw_err_nomem(err);
}

static struct series *series_of(lw_trace *t, uint32_t id)
{
    return id < t->series_of.n && t->series_of.v[id] ? &t->series.v[t->series_of.v[id] - 1]
                                                     : NULL;
}

static void see_step(lw_trace *t, uint32_t step)
{
    t->steps = step > t->steps ? step : t->steps;
}

/* Numbers whose id has no name, or one of another sort, are left out. */
static int visit_points(void *self, const struct lw_trace_point *v, size_t n,
                        struct lw_err *err)
{
    lw_trace *t = self;
    for (size_t i = 0; i < n; i++) {
        struct series *s = series_of(t, v[i].id);
        if (!s || !has_points(s->face.name.role))
            continue;
        if (lw_vec_push(t->mem, &s->points, v[i]) < 0)
            return lw_err_nomem(err);
        see_step(t, v[i].step);
    }
    return 0;
}

static int visit_rows(void *self, const struct lw_trace_row *v, size_t n, struct lw_err *err)
{
    lw_trace *t = self;
    for (size_t i = 0; i < n; i++) {
        struct series *s = series_of(t, v[i].id);
        if (!s || has_points(s->face.name.role))
            continue;
        if (lw_vec_push(t->mem, &s->rows, v[i]) < 0)
            return lw_err_nomem(err);
        see_step(t, v[i].step);
    }
    return 0;
}

static int visit_events(void *self, const struct lw_trace_event *v, size_t n,
                        struct lw_err *err)
{
    lw_trace *t = self;
    for (size_t i = 0; i < n; i++) {
        if (lw_vec_push(t->mem, &t->events, v[i]) < 0)
            return lw_err_nomem(err);
        see_step(t, v[i].step);
    }
    return 0;
}

static void finish(lw_trace *t)
{
    for (size_t i = 0; i < t->series.n; i++) {
        struct series *s = &t->series.v[i];
        s->face.points = s->points.v;
        s->face.rows = s->rows.v;
        s->face.n = s->points.n + s->rows.n;
    }
}

int lw_trace_read(lw_trace **trace, struct lw_mem *mem, const char *path, struct lw_err *err)
{
    lw_trace *t = lw_mem_alloc(mem, sizeof *t);
    if (!t)
        return lw_err_nomem(err);
    t->mem = mem;
    lw_arena_init(&t->arena, mem, 0);
    lw_buf_init(&t->lost, mem, 0);
    t->meta = json_object();
    const struct lw_trace_visitor visitor = {t,          visit_meta,  visit_name, visit_points,
                                             visit_rows, visit_events};
    int rc = t->meta ? lw_trace_scan(path, mem, &visitor, &t->lost, err) : lw_err_nomem(err);
    if (rc < 0) {
        lw_trace_free(t);
        return rc;
    }
    finish(t);
    *trace = t;
    return 0;
}

void lw_trace_free(lw_trace *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->series.n; i++) {
        lw_vec_release(t->mem, &t->series.v[i].points);
        lw_vec_release(t->mem, &t->series.v[i].rows);
    }
    lw_vec_release(t->mem, &t->series);
    lw_vec_release(t->mem, &t->names);
    lw_vec_release(t->mem, &t->series_of);
    lw_vec_release(t->mem, &t->name_of);
    lw_vec_release(t->mem, &t->events);
    json_decref(t->meta);
    lw_buf_release(&t->lost);
    lw_arena_release(&t->arena);
    lw_mem_free(t->mem, t, sizeof *t);
}

size_t lw_trace_series_count(const lw_trace *t)
{
    return t->series.n;
}

const struct lw_trace_series *lw_trace_series_at(const lw_trace *t, size_t i)
{
    LW_BUG_ON(i >= t->series.n);
    return &t->series.v[i].face;
}

const struct lw_trace_series *lw_trace_find(const lw_trace *t, enum lw_trace_role role,
                                            struct lw_str name)
{
    for (size_t i = 0; i < t->series.n; i++) {
        const struct lw_trace_name *n = &t->series.v[i].face.name;
        if (n->role == role && lw_str_eq(n->name, name))
            return &t->series.v[i].face;
    }
    return NULL;
}

size_t lw_trace_event_count(const lw_trace *t)
{
    return t->events.n;
}

const struct lw_trace_event *lw_trace_events(const lw_trace *t)
{
    return t->events.v;
}

const struct lw_trace_name *lw_trace_name_of(const lw_trace *t, uint32_t id)
{
    return id < t->name_of.n && t->name_of.v[id] ? &t->names.v[t->name_of.v[id] - 1] : NULL;
}

const json_t *lw_trace_meta(const lw_trace *t)
{
    return t->meta;
}

uint32_t lw_trace_steps(const lw_trace *t)
{
    return t->steps;
}

struct lw_str lw_trace_lost(const lw_trace *t)
{
    return lw_buf_str(&t->lost);
}
