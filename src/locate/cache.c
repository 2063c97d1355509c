#include "locate/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/err.h"
#include "base/file.h"
#include "base/leftover.h"
#include "base/path.h"
#include "base/str.h"

#define SUFFIX     ".lwi"
#define UNFINISHED ".part"

enum { NAME_MAX_TEXT = 96, STALE_SECONDS = 3600, TOUCH_SECONDS = 86400 };

/* ---- Folders ----------------------------------------------------------------------------- */

static void give_up(struct lw_cache *c, const struct lw_err *why)
{
    lw_log(&c->ctx->log, LW_LOG_WARNING, "continuing without a cache: %s", why->text);
    lw_buf_clear(&c->root);
    lw_buf_clear(&c->folder);
}

int lw_cache_open(struct lw_cache *c, const struct lw_ctx *ctx, const char *path,
                  struct lw_str repository, uint64_t limit, struct lw_err *err)
{
    memset(c, 0, sizeof *c);
    c->ctx = ctx;
    c->limit = limit;
    lw_buf_init(&c->root, ctx->mem, 4096);
    lw_buf_init(&c->folder, ctx->mem, 4096);
    if (!path || !*path)
        return 0;
    struct lw_str name = lw_path_name(repository);
    if (lw_str_eq(name, LW_S("repo")) || lw_str_eq(name, LW_S(".git")))
        name = lw_path_name(lw_path_parent(repository));
    lw_buf_addf(&c->root, "%s/locate", path);
    lw_buf_addf(&c->folder, "%s/%.*s-%016llx", lw_buf_z(&c->root),
                LW_F(lw_str_part(name, 0, 60)), (unsigned long long)lw_checksum(repository, 1));
    if (c->root.failed == LW_ENOMEM || c->folder.failed == LW_ENOMEM)
        return lw_err_nomem(err);
    struct lw_err why = {0};
    if (c->folder.failed)
        lw_err_set(&why, LW_EINVAL, "the name of the folder is too long");
    if (c->folder.failed || lw_dir_make(lw_buf_z(&c->folder), &why) < 0)
        give_up(c, &why);
    return 0;
}

static bool is_on(const struct lw_cache *c)
{
    return c->folder.n > 0;
}

static void kind_name(uint32_t kind, char out[5])
{
    memcpy(out, &kind, 4);
    out[4] = '\0';
}

enum { PATH_ROOM = 4096 + NAME_MAX_TEXT };

static void path_of(const struct lw_cache *c, uint32_t kind, uint64_t checksum,
                    char path[PATH_ROOM])
{
    char prefix[5];
    kind_name(kind, prefix);
    snprintf(path, PATH_ROOM, "%.*s/%s-%016llx" SUFFIX, LW_F(lw_buf_str(&c->folder)), prefix,
             (unsigned long long)checksum);
}

/* ---- Reading ----------------------------------------------------------------------------- */

/* Eviction goes by age, so what is used becomes young again; once a day is enough. */
static void touch(const struct lw_cache *c, const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0 &&
        c->ctx->clock.wall(c->ctx->clock.data) - st.st_mtime > TOUCH_SECONDS)
        (void)utimensat(AT_FDCWD, path, NULL, 0);
}

/* Files that cannot be used are removed; unreadable ones are kept. */
static bool open_file(struct lw_cache *c, const char *path, uint32_t kind, uint64_t format,
                      struct lw_container *container)
{
    struct lw_err why = {0};
    int rc = lw_container_open(container, path, kind, format, &why);
    if (rc == LW_ECORRUPT) {
        lw_log(&c->ctx->log, LW_LOG_DEBUG, "%s: rebuilt", why.text);
        c->damaged++;
        (void)unlink(path);
    }
    if (rc == 0)
        touch(c, path);
    return rc == 0;
}

bool lw_cache_find(struct lw_cache *c, uint32_t kind, uint64_t name, uint64_t format,
                   struct lw_container *container)
{
    char path[PATH_ROOM];
    if (!is_on(c))
        return false;
    path_of(c, kind, name, path);
    return open_file(c, path, kind, format, container);
}

static int use_file(struct lw_cache *c, const char *path, uint32_t kind, uint64_t format,
                    lw_cache_fn *fn, void *data, struct lw_err *err)
{
    struct lw_container container;
    if (!open_file(c, path, kind, format, &container))
        return 0;
    int rc = fn(data, &container, err);
    lw_container_close(&container);
    return rc;
}

int lw_cache_each(struct lw_cache *c, uint32_t kind, uint64_t format, lw_cache_fn *fn,
                  void *data, struct lw_err *err)
{
    struct lw_arena arena;
    lw_str_vec names = {0};
    struct lw_err why = {0};
    char prefix[5];
    int rc = 0;
    if (!is_on(c))
        return 0;
    kind_name(kind, prefix);
    lw_arena_init(&arena, c->ctx->mem, 0);
    if (lw_dir_list(&arena, c->ctx->mem, lw_buf_z(&c->folder), &names, &why) < 0)
        give_up(c, &why);
    for (size_t i = 0; i < names.n && rc == 0 && is_on(c); i++) {
        if (!lw_str_has_prefix(names.v[i], lw_str(prefix)) ||
            !lw_str_has_suffix(names.v[i], LW_S(SUFFIX)))
            continue;
        struct lw_str path =
            lw_arena_printf(&arena, "%s/%s", lw_buf_z(&c->folder), names.v[i].p);
        rc = path.p ? use_file(c, path.p, kind, format, fn, data, err) : lw_err_nomem(err);
    }
    lw_vec_release(c->ctx->mem, &names);
    lw_arena_release(&arena);
    return rc;
}

/* ---- Writing ----------------------------------------------------------------------------- */

static int write_all(int fd, struct lw_str text)
{
    while (text.n) {
        ssize_t n = write(fd, text.p, text.n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        text = lw_str_from(text, (size_t)n);
    }
    return 0;
}

/* Aside, then renamed. Not synced to the disk: after a power cut the checksum tells, and the
 * file is made again. */
static int write_file(const char *path, struct lw_str image)
{
    char aside[4096 + 2 * NAME_MAX_TEXT];
    struct lw_leftover left;
    snprintf(aside, sizeof aside, "%s.%ld" UNFINISHED, path, (long)getpid());
    lw_leftover_begin();
    int fd = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    int number = errno;
    lw_leftover_end(&left, fd < 0 ? NULL : aside);
    int rc = fd < 0 ? -1 : write_all(fd, image);
    if (fd >= 0) {
        number = errno;
        if (close(fd) < 0 || rc < 0 || rename(aside, path) < 0) {
            number = rc < 0 ? number : errno;
            rc = -1;
            (void)unlink(aside);
        }
    }
    lw_leftover_drop(&left);
    errno = number;
    return rc;
}

static bool put(struct lw_cache *c, uint32_t kind, uint64_t name,
                const struct lw_container_writer *w)
{
    char path[PATH_ROOM];
    if (!is_on(c))
        return false;
    path_of(c, kind, name, path);
    c->changed = true;
    if (write_file(path, lw_buf_str(&w->buf)) == 0)
        return true;
    struct lw_err why = {0};
    lw_err_system(&why, errno, "cannot keep a part of the index in", lw_buf_str(&c->folder));
    lw_log(&c->ctx->log, LW_LOG_WARNING, "%s", why.text);
    return false;
}

bool lw_cache_put(struct lw_cache *c, uint32_t kind, const struct lw_container_writer *w)
{
    return put(c, kind, w->checksum, w);
}

void lw_cache_drop(struct lw_cache *c, uint32_t kind, uint64_t checksum)
{
    char path[PATH_ROOM];
    if (!is_on(c))
        return;
    path_of(c, kind, checksum, path);
    (void)unlink(path);
}

/* ---- Eviction ---------------------------------------------------------------------------- */

struct kept {
    struct lw_str path;
    int64_t time;
    uint64_t size;
};

typedef LW_VEC(struct kept) kept_vec;

static int by_age(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return lw_str_cmp(x->path, y->path);
}

/* Files of ours below the root; what killed processes left unfinished goes at once. */
static void look_at(struct lw_cache *c, struct lw_arena *arena, struct lw_str file,
                    kept_vec *all)
{
    struct stat st;
    struct lw_str path = lw_arena_printf(arena, "%s/%.*s", lw_buf_z(&c->root), LW_F(file));
    if (!path.p || lstat(path.p, &st) < 0 || !S_ISREG(st.st_mode))
        return;
    if (lw_str_has_suffix(file, LW_S(UNFINISHED)) &&
        c->ctx->clock.wall(c->ctx->clock.data) - st.st_mtime > STALE_SECONDS)
        (void)unlink(path.p);
    struct kept kept = {path, st.st_mtime, (uint64_t)st.st_size};
    if (lw_str_has_suffix(file, LW_S(SUFFIX)))
        (void)lw_vec_push(c->ctx->mem, all, kept);
}

static void evict(struct lw_cache *c)
{
    struct lw_arena arena;
    lw_str_vec files = {0};
    kept_vec all = {0};
    struct lw_err ignored = {0};
    uint64_t total = 0;
    lw_arena_init(&arena, c->ctx->mem, 0);
    if (lw_dir_walk(&arena, c->ctx->mem, lw_buf_z(&c->root), false, 1000000, &files,
                    &ignored) == 0)
        for (size_t i = 0; i < files.n; i++)
            look_at(c, &arena, files.v[i], &all);
    for (size_t i = 0; i < all.n; i++)
        total += all.v[i].size;
    if (all.n)
        qsort(all.v, all.n, sizeof *all.v, by_age);
    for (size_t i = 0; i < all.n && total > c->limit; i++)
        if (unlink(all.v[i].path.p) == 0)
            total -= all.v[i].size;
    lw_vec_release(c->ctx->mem, &all);
    lw_vec_release(c->ctx->mem, &files);
    lw_arena_release(&arena);
}

/* The oldest files of the kind in the repository's folder go until `most` are left. */
static void thin_out(struct lw_cache *c, uint32_t kind, size_t most)
{
    struct lw_arena arena;
    lw_str_vec names = {0};
    kept_vec all = {0};
    struct lw_err ignored = {0};
    char prefix[5];
    struct lw_str folder = lw_path_name(lw_buf_str(&c->folder));
    kind_name(kind, prefix);
    lw_arena_init(&arena, c->ctx->mem, 0);
    (void)lw_dir_list(&arena, c->ctx->mem, lw_buf_z(&c->folder), &names, &ignored);
    for (size_t i = 0; i < names.n; i++) {
        struct lw_str file = {0};
        if (lw_str_has_prefix(names.v[i], lw_str(prefix)))
            file = lw_arena_printf(&arena, "%.*s/%.*s", LW_F(folder), LW_F(names.v[i]));
        if (file.n)
            look_at(c, &arena, file, &all);
    }
    if (all.n)
        qsort(all.v, all.n, sizeof *all.v, by_age);
    for (size_t i = 0; i + most < all.n; i++)
        (void)unlink(all.v[i].path.p);
    lw_vec_release(c->ctx->mem, &all);
    lw_vec_release(c->ctx->mem, &names);
    lw_arena_release(&arena);
}

bool lw_cache_put_as(struct lw_cache *c, uint32_t kind, uint64_t name, size_t most,
                     const struct lw_container_writer *w)
{
    bool kept = put(c, kind, name, w);
    if (kept)
        thin_out(c, kind, most);
    return kept;
}

void lw_cache_close(struct lw_cache *c)
{
    if (is_on(c) && c->changed)
        evict(c);
    lw_buf_release(&c->root);
    lw_buf_release(&c->folder);
}
