/* record - see the header. */
#include "trace/record.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"
#include "trace/stats.h"
#include "trace/writer.h"

enum { SAMPLE_MOST = 1 << 16 };

/* A tensor as it was. */
struct memory {
    float *values; /* room for `room` */
    size_t room, count;
};

struct lw_recorder {
    lw_trace_writer *writer;
    LW_VEC(struct memory) memories; /* by id */
    float now[SAMPLE_MOST];
};

struct lw_recorder *lwr_open(const char *path)
{
    struct lw_err err;
    struct lw_recorder *r = lw_mem_alloc(NULL, sizeof *r);
    if (r && lw_trace_writer_open(&r->writer, NULL, path, true, &err) < 0) {
        lw_mem_free(NULL, r, sizeof *r);
        r = NULL;
    }
    return r;
}

int lwr_close(struct lw_recorder *r)
{
    struct lw_err err;
    if (!r)
        return 0;
    int rc = lw_trace_writer_close(r->writer, &err);
    for (size_t i = 0; i < r->memories.n; i++)
        lw_mem_free(NULL, r->memories.v[i].values, r->memories.v[i].room * sizeof(float));
    lw_vec_release(NULL, &r->memories);
    lw_mem_free(NULL, r, sizeof *r);
    return rc == 0;
}

int lwr_flush(struct lw_recorder *r)
{
    return lw_trace_writer_flush(r->writer) == 0;
}

void lwr_meta(struct lw_recorder *r, const char *json, uint64_t n)
{
    lw_trace_add_meta(r->writer, lw_str_n(json, (size_t)n));
}

void lwr_name(struct lw_recorder *r, uint32_t id, uint32_t role, const char *name,
              const char *layer, const char *path, uint32_t line)
{
    if (role < LW_SERIES_ROLES)
        lw_trace_add_name(
            r->writer,
            &(struct lw_trace_name){id, role, lw_str(name), lw_str(layer), lw_str(path), line});
}

void lwr_point(struct lw_recorder *r, uint32_t id, uint32_t step, double time, double value)
{
    lw_trace_add_point(r->writer, id, step, (float)time, value);
}

void lwr_event(struct lw_recorder *r, uint32_t id, uint32_t step, uint32_t subject,
               double value)
{
    lw_trace_add_event(r->writer, id, step, subject, value);
}

/* The numbers of another language made into a tensor; an unknown type is an empty one. */
static struct lw_tensor tensor_of(uint64_t address, uint64_t n, uint32_t dtype)
{
    if (dtype >= LW_DTYPES || !address)
        return (struct lw_tensor){NULL, 0, LW_DTYPE_F32};
    return (struct lw_tensor){(const void *)(uintptr_t)address, n, dtype};
}

void lwr_tensors(struct lw_recorder *r, uint32_t step, uint32_t count, const uint32_t *ids,
                 const uint64_t *addresses, const uint64_t *sizes, const uint32_t *dtypes,
                 uint64_t most)
{
    for (uint32_t i = 0; i < count; i++) {
        struct lw_tensor_stats stats;
        lw_tensor_describe(&stats, tensor_of(addresses[i], sizes[i], dtypes[i]), most);
        lw_trace_add_row(r->writer, ids[i], step, &stats);
    }
}

/* The memory of an id, with room for `count` values; NULL: none. */
static struct memory *memory_of(struct lw_recorder *r, uint32_t id, size_t count)
{
    while (r->memories.n <= id)
        if (lw_vec_push(NULL, &r->memories, (struct memory){0}) < 0)
            return NULL;
    struct memory *m = &r->memories.v[id];
    if (m->room < count) {
        float *grown =
            lw_mem_realloc(NULL, m->values, m->room * sizeof *grown, count * sizeof *grown);
        if (!grown)
            return NULL;
        m->values = grown;
        m->room = count;
    }
    return m;
}

void lwr_remember(struct lw_recorder *r, uint32_t count, const uint32_t *ids,
                  const uint64_t *addresses, const uint64_t *sizes, const uint32_t *dtypes,
                  uint64_t most)
{
    size_t room = most && most < SAMPLE_MOST ? (size_t)most : SAMPLE_MOST;
    for (uint32_t i = 0; i < count; i++) {
        struct lw_tensor t = tensor_of(addresses[i], sizes[i], dtypes[i]);
        struct memory *m = ids[i] < LW_TRACE_IDS ? memory_of(r, ids[i], room) : NULL;
        if (m)
            m->count = lw_tensor_sample(m->values, t, m->room);
    }
}

void lwr_changes(struct lw_recorder *r, uint32_t step, uint32_t count, const uint32_t *ids,
                 const uint64_t *addresses, const uint64_t *sizes, const uint32_t *dtypes,
                 uint8_t *changed)
{
    for (uint32_t i = 0; i < count; i++) {
        struct memory *m = ids[i] < r->memories.n ? &r->memories.v[ids[i]] : NULL;
        struct lw_tensor t = tensor_of(addresses[i], sizes[i], dtypes[i]);
        changed[i] = 0;
        if (!m || !m->count || lw_tensor_sample(r->now, t, m->room) != m->count)
            continue;
        struct lw_tensor_stats stats;
        lw_tensor_describe_change(&stats, m->values, r->now, m->count, t.n);
        lw_trace_add_row(r->writer, ids[i], step, &stats);
        changed[i] = memcmp(m->values, r->now, m->count * sizeof(float)) != 0;
    }
}
