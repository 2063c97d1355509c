/* writer - see the header. */
#include "trace/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/jsonw.h"
#include "base/sink.h"
#include "base/str.h"
#include "trace/block.h"
#include "trace/columns.h"

struct lw_trace_writer {
    struct lw_mem *mem;
    int fd;
    pid_t owner;
    off_t good; /* the length of the file up to the last whole block */
    int failed; /* the first failure; nothing is written afterwards */
    struct lw_err why;
    struct lw_buf names, payload, block;
    struct lw_trace_point points[LW_BLOCK_ROWS_MOST];
    struct lw_trace_row rows[LW_BLOCK_ROWS_MOST];
    struct lw_trace_event events[LW_BLOCK_ROWS_MOST];
    size_t point_count, row_count, event_count;
};

static int fail(lw_trace_writer *w, int code)
{
    if (!w->failed)
        w->failed = code;
    return w->failed;
}

/* Is the writer of no use any more, or of another process? */
static bool is_idle(const lw_trace_writer *w)
{
    return w->failed || getpid() != w->owner;
}

static int write_all(lw_trace_writer *w, struct lw_str bytes)
{
    for (size_t at = 0; at < bytes.n;) {
        ssize_t n = write(w->fd, bytes.p + at, bytes.n - at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            int number = errno;
            /* Half a block behind the good ones would only be passed over; without it the file
             * is as if it had been ended here. Where that fails too nothing better is left. */
            int cut = ftruncate(w->fd, w->good);
            (void)cut;
            return fail(w, lw_err_system(&w->why, number, "cannot write", LW_S("the trace")));
        }
        at += (size_t)n;
    }
    w->good += (off_t)bytes.n;
    return 0;
}

static int write_block(lw_trace_writer *w, enum lw_block_kind kind, struct lw_str payload)
{
    lw_buf_clear(&w->block);
    int rc = lw_block_put(&w->block, kind, payload);
    if (rc < 0)
        return fail(w, lw_err_set(&w->why, rc, "a block of the trace cannot be made"));
    return write_all(w, lw_buf_str(&w->block));
}

int lw_trace_writer_open(lw_trace_writer **writer, struct lw_mem *mem, const char *path,
                         bool only_new, struct lw_err *err)
{
    lw_trace_writer *w = lw_mem_alloc(mem, sizeof *w);
    if (!w)
        return lw_err_nomem(err);
    w->mem = mem;
    w->owner = getpid();
    lw_buf_init(&w->names, mem, LW_BLOCK_MOST);
    lw_buf_init(&w->payload, mem, LW_BLOCK_MOST);
    lw_buf_init(&w->block, mem, 0);
    int how = only_new ? O_EXCL : O_TRUNC;
    w->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND | how, 0666);
    if (w->fd < 0) {
        int rc = lw_err_system(err, errno, "cannot write", lw_str(path));
        lw_mem_free(mem, w, sizeof *w);
        return rc;
    }
    *writer = w;
    if (write_all(w, lw_str_n(LW_TRACE_MAGIC, LW_TRACE_MAGIC_SIZE)) == 0)
        return 0;
    return lw_trace_writer_close(w, err);
}

static int flush_names(lw_trace_writer *w)
{
    if (!w->names.n)
        return 0;
    int rc = write_block(w, LW_BLOCK_NAMES, lw_buf_str(&w->names));
    lw_buf_clear(&w->names);
    return rc;
}

/* Names go before what uses them. */
static int flush_columns(lw_trace_writer *w, enum lw_block_kind kind, int put)
{
    if (put < 0)
        return fail(w, put);
    int rc = flush_names(w);
    return rc < 0 ? rc : write_block(w, kind, lw_buf_str(&w->payload));
}

static int flush_points(lw_trace_writer *w)
{
    if (!w->point_count)
        return 0;
    lw_buf_clear(&w->payload);
    int put = lw_points_put(&w->payload, w->points, w->point_count);
    w->point_count = 0;
    return flush_columns(w, LW_BLOCK_POINTS, put);
}

static int flush_rows(lw_trace_writer *w)
{
    if (!w->row_count)
        return 0;
    lw_buf_clear(&w->payload);
    int put = lw_rows_put(&w->payload, w->rows, w->row_count);
    w->row_count = 0;
    return flush_columns(w, LW_BLOCK_ROWS, put);
}

static int flush_events(lw_trace_writer *w)
{
    if (!w->event_count)
        return 0;
    lw_buf_clear(&w->payload);
    int put = lw_events_put(&w->payload, w->events, w->event_count);
    w->event_count = 0;
    return flush_columns(w, LW_BLOCK_EVENTS, put);
}

int lw_trace_writer_flush(lw_trace_writer *w)
{
    if (is_idle(w))
        return w->failed;
    int rc = flush_names(w);
    rc = rc < 0 ? rc : flush_points(w);
    rc = rc < 0 ? rc : flush_rows(w);
    return rc < 0 ? rc : flush_events(w);
}

int lw_trace_writer_close(lw_trace_writer *w, struct lw_err *err)
{
    if (!w)
        return 0;
    int rc = lw_trace_writer_flush(w);
    if (rc < 0 && w->why.text[0])
        *err = w->why;
    else if (rc < 0)
        lw_err_nomem(err);
    close(w->fd);
    lw_buf_release(&w->names);
    lw_buf_release(&w->payload);
    lw_buf_release(&w->block);
    lw_mem_free(w->mem, w, sizeof *w);
    return rc;
}

int lw_trace_add_meta(lw_trace_writer *w, struct lw_str json)
{
    return is_idle(w) ? w->failed : write_block(w, LW_BLOCK_META, json);
}

int lw_trace_add_name(lw_trace_writer *w, const struct lw_trace_name *name)
{
    if (is_idle(w))
        return w->failed;
    struct lw_sink sink = lw_sink_buf(&w->names);
    struct lw_jsonw json;
    lw_jsonw_init(&json, &sink, true);
    lw_json_object(&json);
    lw_json_key_int(&json, "id", name->id);
    lw_json_key_text(&json, "role", lw_str(lw_trace_role_name(name->role)));
    lw_json_key_text(&json, "name", name->name);
    if (name->layer.n)
        lw_json_key_text(&json, "layer", name->layer);
    if (name->path.n)
        lw_json_key_text(&json, "path", name->path);
    if (name->line)
        lw_json_key_int(&json, "line", name->line);
    lw_json_end(&json);
    return w->names.failed ? fail(w, w->names.failed) : 0;
}

int lw_trace_add_point(lw_trace_writer *w, uint32_t id, uint32_t step, float time, double value)
{
    if (is_idle(w))
        return w->failed;
    w->points[w->point_count++] = (struct lw_trace_point){id, step, time, value};
    return w->point_count == LW_BLOCK_ROWS_MOST ? flush_points(w) : 0;
}

int lw_trace_add_row(lw_trace_writer *w, uint32_t id, uint32_t step,
                     const struct lw_tensor_stats *stats)
{
    if (is_idle(w))
        return w->failed;
    w->rows[w->row_count++] = (struct lw_trace_row){id, step, *stats};
    return w->row_count == LW_BLOCK_ROWS_MOST ? flush_rows(w) : 0;
}

int lw_trace_add_event(lw_trace_writer *w, uint32_t id, uint32_t step, uint32_t subject,
                       double value)
{
    if (is_idle(w))
        return w->failed;
    w->events[w->event_count++] = (struct lw_trace_event){id, step, subject, value};
    return w->event_count == LW_BLOCK_ROWS_MOST ? flush_events(w) : 0;
}
