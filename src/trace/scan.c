/* scan - see the header. A window of the file slides over it; it holds at least one block. */
#include "trace/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "trace/block.h"

/* A file with more damaged places than that is read up to there: each costs a checksum over
 * what its head says, and a hostile file could ask for the whole file again and again. */
enum { PIECE = 1 << 18, DAMAGES_MOST = 64 };

struct scan {
    const char *path;
    int fd;
    bool at_end;
    struct lw_buf window, room;
    size_t at;        /* in the window: what is before it is done */
    uint64_t skipped; /* bytes of damaged blocks */
    unsigned damages;
    const struct lw_trace_visitor *visitor;
    union {
        struct lw_trace_point points[LW_BLOCK_ROWS_MOST];
        struct lw_trace_row rows[LW_BLOCK_ROWS_MOST];
        struct lw_trace_event events[LW_BLOCK_ROWS_MOST];
    } decoded;
};

/* ---- The window -------------------------------------------------------------------------- */

static int read_more(struct scan *s, struct lw_err *err)
{
    if (s->at >= PIECE && s->at >= s->window.n / 2) {
        memmove(s->window.p, s->window.p + s->at, s->window.n - s->at);
        lw_buf_cut(&s->window, s->window.n - s->at);
        s->at = 0;
    }
    char *room = lw_buf_room(&s->window, PIECE);
    if (!room)
        return lw_err_nomem(err);
    ssize_t n;
    do
        n = read(s->fd, room, PIECE);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return lw_err_system(err, errno, "cannot read", lw_str(s->path));
    lw_buf_took(&s->window, (size_t)n);
    s->at_end = n == 0;
    return 0;
}

static struct lw_str rest(const struct scan *s)
{
    return lw_str_from(lw_buf_str(&s->window), s->at);
}

/* ---- What blocks hold -------------------------------------------------------------------- */

static int visit_meta(struct scan *s, struct lw_str payload, struct lw_err *err)
{
    json_t *object;
    struct lw_err ignored;
    if (!s->visitor->meta)
        return 0;
    if (lw_json_parse(&object, lw_str(s->path), payload, &ignored) < 0)
        return LW_ECORRUPT;
    int rc =
        json_is_object(object) ? s->visitor->meta(s->visitor->self, object, err) : LW_ECORRUPT;
    json_decref(object);
    return rc;
}

static bool read_name(struct lw_trace_name *name, const json_t *object)
{
    const json_t *id = json_object_get(object, "id");
    const json_t *line = json_object_get(object, "line");
    if (!json_is_integer(id) || json_integer_value(id) < 0 ||
        json_integer_value(id) >= LW_TRACE_IDS)
        return false;
    *name = (struct lw_trace_name){
        .id = (uint32_t)json_integer_value(id),
        .role = lw_trace_role_find(lw_json_member(object, "role")),
        .name = lw_json_member(object, "name"),
        .layer = lw_json_member(object, "layer"),
        .path = lw_json_member(object, "path"),
    };
    if (json_is_integer(line) && json_integer_value(line) > 0 &&
        json_integer_value(line) <= UINT32_MAX)
        name->line = (uint32_t)json_integer_value(line);
    return name->role < LW_SERIES_ROLES;
}

static int visit_name(struct scan *s, struct lw_str text, struct lw_err *err)
{
    json_t *object;
    struct lw_err ignored;
    struct lw_trace_name name;
    if (lw_json_parse(&object, lw_str(s->path), text, &ignored) < 0)
        return LW_ECORRUPT;
    int rc = !read_name(&name, object) ? LW_ECORRUPT
             : s->visitor->name        ? s->visitor->name(s->visitor->self, &name, err)
                                       : 0;
    json_decref(object);
    return rc;
}

static int visit_names(struct scan *s, struct lw_str payload, struct lw_err *err)
{
    int rc = 0;
    for (struct lw_str line; rc == 0 && lw_str_line(&payload, &line);)
        rc = line.n ? visit_name(s, line, err) : 0;
    return rc;
}

static int visit_columns(struct scan *s, const struct lw_block *b, struct lw_err *err)
{
    const struct lw_trace_visitor *v = s->visitor;
    size_t n = lw_columns_count(b->payload);
    switch (b->kind) {
    case LW_BLOCK_POINTS:
        if (!n || !lw_points_get(b->payload, s->decoded.points))
            return LW_ECORRUPT;
        return v->points ? v->points(v->self, s->decoded.points, n, err) : 0;
    case LW_BLOCK_ROWS:
        if (!n || !lw_rows_get(b->payload, s->decoded.rows))
            return LW_ECORRUPT;
        return v->rows ? v->rows(v->self, s->decoded.rows, n, err) : 0;
    default:
        if (!n || !lw_events_get(b->payload, s->decoded.events))
            return LW_ECORRUPT;
        return v->events ? v->events(v->self, s->decoded.events, n, err) : 0;
    }
}

/* LW_ECORRUPT without a line when it is not what its kind says. */
static int visit(struct scan *s, const struct lw_block *b, struct lw_err *err)
{
    switch (b->kind) {
    case LW_BLOCK_META: return visit_meta(s, b->payload, err);
    case LW_BLOCK_NAMES: return visit_names(s, b->payload, err);
    case LW_BLOCK_POINTS:
    case LW_BLOCK_ROWS:
    case LW_BLOCK_EVENTS: return visit_columns(s, b, err);
    }
    return 0; /* of a later version: its checksum is right, so it is left out in peace */
}

/* ---- The walk ---------------------------------------------------------------------------- */

/* 1 when it is not worth going on. */
static int skip(struct scan *s, size_t n)
{
    s->skipped += n;
    s->at += n;
    return ++s->damages == DAMAGES_MOST;
}

/* One block, or more of the file; 1 at the end. */
static int step(struct scan *s, struct lw_err *err)
{
    struct lw_block block;
    struct lw_err why;
    int rc = rest(s).n ? lw_block_get(&block, &s->room, rest(s), &why) : 0;
    if (rc == 0)
        return s->at_end ? 1 : read_more(s, err);
    if (rc == LW_ECORRUPT)
        return skip(s, lw_block_search(rest(s)));
    if (rc < 0) {
        *err = why;
        return rc;
    }
    rc = visit(s, &block, err);
    if (rc == LW_ECORRUPT)
        return skip(s, block.size);
    s->at += block.size;
    return rc;
}

static int begin(struct scan *s, struct lw_err *err)
{
    int rc = 0;
    while (rc == 0 && !s->at_end && s->window.n < LW_TRACE_MAGIC_SIZE)
        rc = read_more(s, err);
    if (rc == 0 && !lw_str_has_prefix(rest(s), lw_str_n(LW_TRACE_MAGIC, LW_TRACE_MAGIC_SIZE)))
        rc = lw_err_set(err, LW_EINVAL, "'%s' is not a trace of Lacewing", s->path);
    s->at = LW_TRACE_MAGIC_SIZE;
    return rc;
}

static void say_lost(const struct scan *s, struct lw_buf *lost)
{
    size_t left = rest(s).n;
    if (s->skipped)
        lw_buf_addf(lost, "%llu bytes are damaged and were left out",
                    (unsigned long long)s->skipped);
    if (left)
        lw_buf_addf(lost,
                    s->damages < DAMAGES_MOST ? "%sthe last %zu bytes are not a whole block"
                                              : "%sthe rest was not read",
                    s->skipped ? "; " : "", left);
}

int lw_trace_scan(const char *path, struct lw_mem *mem, const struct lw_trace_visitor *visitor,
                  struct lw_buf *lost, struct lw_err *err)
{
    struct scan *s = lw_mem_alloc(mem, sizeof *s);
    if (!s)
        return lw_err_nomem(err);
    s->path = path;
    s->visitor = visitor;
    lw_buf_init(&s->window, mem, 0);
    lw_buf_init(&s->room, mem, LW_BLOCK_MOST);
    s->fd = open(path, O_RDONLY | O_CLOEXEC);
    int rc = s->fd < 0 ? lw_err_system(err, errno, "cannot open", lw_str(path)) : begin(s, err);
    while (rc == 0)
        rc = step(s, err);
    if (rc == 1)
        say_lost(s, lost);
    if (s->fd >= 0)
        close(s->fd);
    lw_buf_release(&s->window);
    lw_buf_release(&s->room);
    lw_mem_free(mem, s, sizeof *s);
    return rc == 1 ? lost->failed : rc;
}

bool lw_trace_is(const char *path)
{
    char head[LW_TRACE_MAGIC_SIZE];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, head, sizeof head);
    close(fd);
    return n == (ssize_t)sizeof head && memcmp(head, LW_TRACE_MAGIC, sizeof head) == 0;
}
