#include "triage/set.h"

#include <zlib.h>

#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "base/pool.h"
#include "base/str.h"

enum { FILES_MAX = 1000000, SET_MAX = 1 << 30 };

bool lw_is_report_set(const char *path)
{
    struct lw_str p = lw_str(path);
    return lw_str_has_suffix(p, LW_S(".jsonl")) || lw_str_has_suffix(p, LW_S(".jsonl.gz")) ||
           lw_file_kind(path) == LW_FILE_FOLDER;
}

/* ---- Loading ------------------------------------------------------------------------------
 */

static int add_folder(struct lw_report_set *set, const char *path, struct lw_err *err)
{
    lw_str_vec files = {0};
    struct lw_mem *mem = set->arena.mem;
    int rc = lw_dir_walk(&set->arena, mem, path, false, FILES_MAX, &files, err);
    for (size_t i = 0; i < files.n && rc == 0; i++) {
        struct lw_report_item item = {.id = files.v[i]};
        item.name = lw_arena_printf(&set->arena, "%s/%.*s", path, LW_F(files.v[i]));
        if (!item.name.p || lw_vec_push(mem, &set->items, item) < 0)
            rc = lw_err_nomem(err);
    }
    lw_vec_release(mem, &files);
    return rc;
}

/* The whole file, unpacked where it is compressed. */
static int read_all(struct lw_buf *out, const char *path, struct lw_err *err)
{
    enum { CHUNK = 1 << 16 };
    int got = 1, rc = 0;
    if (lw_file_kind(path) != LW_FILE_REGULAR)
        return lw_err_set(err, LW_ENOENT, "file '%s' does not exist", path);
    gzFile file = gzopen(path, "rb");
    if (!file)
        return lw_err_set(err, LW_EIO, "cannot open '%s'", path);
    while (rc == 0 && got > 0) {
        char *room = lw_buf_room(out, CHUNK);
        got = room ? gzread(file, room, CHUNK) : 0;
        if (got > 0)
            lw_buf_took(out, (size_t)got);
        else if (got < 0)
            rc = lw_err_set(err, LW_EIO, "'%s' cannot be read or unpacked", path);
    }
    gzclose(file);
    if (rc == 0 && out->failed == LW_ELIMIT)
        rc = lw_err_set(err, LW_ELIMIT, "'%s' is larger than 1 GB", path);
    return rc == 0 && out->failed ? lw_err_nomem(err) : rc;
}

/* "project#id", "id", or the number of the line. */
static struct lw_str line_id(struct lw_arena *arena, struct lw_str line, size_t number)
{
    json_t *object = NULL;
    struct lw_err ignored;
    struct lw_str id = {0};
    if (lw_json_parse(&object, LW_S(""), line, &ignored) < 0)
        return lw_arena_printf(arena, "%zu", number);
    const json_t *value = json_object_get(object, "id");
    struct lw_str project = lw_json_member(object, "project"),
                  text = lw_json_member(object, "id");
    const char *between = project.n ? "#" : "";
    if (json_is_integer(value))
        id = lw_arena_printf(arena, "%.*s%s%lld", LW_F(project), between,
                             (long long)json_integer_value(value));
    else if (text.n > 0)
        id = lw_arena_printf(arena, "%.*s%s%.*s", LW_F(project), between, LW_F(text));
    else
        id = lw_arena_printf(arena, "%zu", number);
    json_decref(object);
    return id;
}

static int add_lines(struct lw_report_set *set, const char *path, struct lw_err *err)
{
    struct lw_buf text;
    struct lw_str rest, line;
    size_t number = 0;
    lw_buf_init(&text, set->arena.mem, SET_MAX);
    int rc = read_all(&text, path, err);
    rest = lw_arena_copy(&set->arena, lw_buf_str(&text));
    if (rc == 0 && !rest.p)
        rc = lw_err_nomem(err);
    lw_buf_release(&text);
    while (rc == 0 && lw_str_line(&rest, &line)) {
        number++;
        if (lw_str_trim(line).n == 0)
            continue;
        struct lw_report_item item = {.bytes = line, .id = line_id(&set->arena, line, number)};
        item.name = lw_arena_printf(&set->arena, "%s:%zu", path, number);
        if (!item.id.p || !item.name.p || lw_vec_push(set->arena.mem, &set->items, item) < 0)
            rc = lw_err_nomem(err);
    }
    return rc;
}

int lw_report_set_load(struct lw_report_set *set, struct lw_mem *mem, const char *path,
                       struct lw_err *err)
{
    *set = (struct lw_report_set){0};
    lw_arena_init(&set->arena, mem, 0);
    int rc = lw_file_kind(path) == LW_FILE_FOLDER ? add_folder(set, path, err)
                                                  : add_lines(set, path, err);
    if (rc == 0 && set->items.n == 0)
        rc = lw_err_set(err, LW_EINVAL, "'%s' contains no reports", path);
    return rc;
}

void lw_report_set_release(struct lw_report_set *set)
{
    lw_vec_release(set->arena.mem, &set->items);
    lw_arena_release(&set->arena);
}

int lw_report_item_read(lw_report **out, struct lw_mem *mem, const lw_report_tables *tables,
                        const struct lw_report_item *item, struct lw_err *err)
{
    if (item->bytes.p && lw_str_trim(item->bytes).p[0] != '{')
        return lw_err_set(err, LW_EINVAL, "%.*s: not a JSON object", LW_F(item->name));
    if (item->bytes.p)
        return lw_report_read(out, mem, tables, item->name, item->bytes, err);
    struct lw_arena arena;
    struct lw_str bytes;
    lw_arena_init(&arena, mem, 0);
    int rc = lw_file_read(&arena, item->name.p, LW_REPORT_MAX, &bytes, err);
    if (rc == 0)
        rc = lw_report_read(out, mem, tables, item->name, bytes, err);
    lw_arena_release(&arena);
    return rc;
}

/* ---- Triage -------------------------------------------------------------------------------
 */

struct done {
    struct lw_arena arena;
    lw_report *report;
    struct lw_triage triage;
    struct lw_err err;
};

struct running {
    const struct lw_ctx *ctx;
    const lw_triager *triager;
    const struct lw_report_set *set;
    struct done *done; /* one an item */
    int (*deliver)(void *data, const struct lw_triaged *one, struct lw_err *err);
    void *data;
};

/* What is wrong with one report does not end the set. */
static bool is_of_report(int rc)
{
    return rc == LW_EINVAL || rc == LW_ELIMIT;
}

static int work(void *data, size_t i, unsigned worker, struct lw_err *err)
{
    struct running *run = data;
    struct done *d = &run->done[i];
    (void)worker;
    lw_arena_init(&d->arena, run->ctx->mem, 0);
    int rc = lw_report_item_read(&d->report, run->ctx->mem, lw_triager_tables(run->triager),
                                 &run->set->items.v[i], err);
    if (rc == 0)
        rc = lw_triage_report(&d->triage, run->triager, d->report, &d->arena, err);
    if (rc < 0)
        d->err = *err;
    return is_of_report(rc) ? 0 : rc;
}

static int hand_out(void *data, size_t i, struct lw_err *err)
{
    struct running *run = data;
    struct done *d = &run->done[i];
    const struct lw_triaged one = {&run->set->items.v[i], d->report, &d->triage, d->err};
    int rc = run->deliver(run->data, &one, err);
    lw_report_free(d->report);
    lw_arena_release(&d->arena);
    d->report = NULL;
    return rc;
}

int lw_triage_set(const struct lw_ctx *ctx, const lw_triager *t,
                  const struct lw_report_set *set,
                  int (*deliver)(void *data, const struct lw_triaged *one, struct lw_err *err),
                  void *data, struct lw_err *err)
{
    struct lw_arena arena;
    lw_arena_init(&arena, ctx->mem, 0);
    struct running run = {ctx, t, set, NULL, deliver, data};
    run.done = lw_arena_array(&arena, set->items.n + 1, sizeof *run.done);
    const struct lw_pool pool = {.count = set->items.n,
                                 .jobs = ctx->jobs,
                                 .window = 64,
                                 .cancel = ctx->cancel,
                                 .data = &run,
                                 .work = work,
                                 .deliver = hand_out};
    int rc = run.done ? lw_pool_run(&pool, err) : lw_err_nomem(err);
    for (size_t i = 0; i < set->items.n && run.done; i++) {
        lw_report_free(run.done[i].report);
        lw_arena_release(&run.done[i].arena);
    }
    lw_arena_release(&arena);
    return rc;
}
