#include "catalog/checkout.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/leftover.h"
#include "base/path.h"
#include "base/str.h"
#include "catalog/bug.h"
#include "catalog/mirror.h"

/* Where a file of the specimen goes on this side; false when it has no place there. */
static bool target_of(struct lw_str path, enum lw_side side, bool for_run,
                      const struct lw_bug *bug, struct lw_str *target)
{
    struct lw_str mine = side == LW_BUGGY ? LW_S("buggy/") : LW_S("fixed/");
    struct lw_str other = side == LW_BUGGY ? LW_S("fixed/") : LW_S("buggy/");
    if (lw_str_has_prefix(path, other) || lw_str_eq(path, LW_S("bug.ini")))
        return false;
    bool inside = lw_str_has_prefix(path, mine);
    *target = inside ? lw_str_from(path, mine.n) : path;
    return inside || !for_run || lw_str_eq(path, bug->test) ||
           lw_str_has_prefix(path, LW_S("data/"));
}

static int write_file(struct lw_buf *path, const char *folder, struct lw_str target,
                      struct lw_str content, struct lw_err *err)
{
    if (lw_path_join(path, lw_str(folder), target, err) < 0)
        return err->code;
    int rc = lw_dir_make_for(path->p, err);
    return rc < 0 ? rc : lw_file_write(path->p, content, 0644, err);
}

static int write_side(const lw_file_vec *files, const struct lw_bug *bug, enum lw_side side,
                      bool for_run, const char *folder, struct lw_mem *mem, size_t *count,
                      struct lw_err *err)
{
    struct lw_buf path;
    lw_buf_init(&path, mem, 4096);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < files->n; i++) {
        struct lw_str target;
        if (!target_of(files->v[i].path, side, for_run, bug, &target))
            continue;
        rc = write_file(&path, folder, target, files->v[i].content, err);
        ++*count;
    }
    lw_buf_release(&path);
    return rc;
}

int lw_checkout_for_run(const lw_file_vec *files, const struct lw_bug *bug, enum lw_side side,
                        const char *folder, struct lw_mem *mem, struct lw_err *err)
{
    size_t count = 0;
    return write_side(files, bug, side, true, folder, mem, &count, err);
}

/* What is to be written, and where from. */
struct aside {
    lw_catalog *catalog;
    const struct lw_bug *bug;
    enum lw_side side;
    const lw_file_vec *files;
    lw_git *git; /* NULL: from the files */
    size_t count, passed_over;
};

static int fill_aside(struct aside *a, const char *folder, struct lw_err *err)
{
    struct lw_mem *mem = a->catalog->ctx.mem;
    if (a->git)
        return lw_mirror_write(a->git, a->bug, a->side, folder, mem, &a->count, &a->passed_over,
                               err);
    return write_side(a->files, a->bug, a->side, false, folder, mem, &a->count, err);
}

/* Everything is written beside the target and then renamed onto it. */
static int write_aside(struct aside *a, const char *into, struct lw_err *err)
{
    struct lw_arena arena;
    struct lw_err ignored;
    struct lw_leftover left = {0};
    lw_arena_init(&arena, a->catalog->ctx.mem, 0);
    struct lw_str name = lw_str(into);
    while (name.n > 1 && name.p[name.n - 1] == '/')
        name.n--;
    struct lw_str target = lw_arena_copy(&arena, name);
    struct lw_str aside =
        lw_arena_printf(&arena, "%.*s.lacewing-%ld", LW_F(name), (long)getpid());
    struct lw_str parent = lw_arena_copy(&arena, lw_path_parent(name));
    int rc = target.p && aside.p && parent.p ? lw_dir_make(parent.p, err) : lw_err_nomem(err);
    if (rc == 0) {
        lw_leftover_begin();
        int error = mkdir(aside.p, 0777) < 0 ? errno : 0;
        lw_leftover_end(&left, error ? NULL : aside.p);
        rc = error ? lw_err_system(err, error, "cannot create folder", target) : 0;
    }
    if (rc == 0) {
        rc = fill_aside(a, aside.p, err);
        if (rc == 0 && rename(aside.p, target.p) < 0)
            rc = lw_err_system(err, errno, "cannot create folder", target);
        if (rc < 0)
            lw_dir_remove(aside.p, &ignored);
        lw_leftover_drop(&left);
    }
    lw_arena_release(&arena);
    return rc;
}

int lw_checkout_git(lw_catalog *c, lw_git *git, const struct lw_bug *bug, enum lw_side side,
                    const char *into, size_t *count, size_t *passed_over, struct lw_err *err)
{
    struct aside a = {.catalog = c, .bug = bug, .side = side, .git = git};
    int rc = lw_dir_check_new(c->ctx.mem, into, err);
    if (rc == 0)
        rc = write_aside(&a, into, err);
    *count = a.count;
    *passed_over = a.passed_over;
    return rc;
}

int lw_checkout(lw_catalog *c, const struct lw_bug *bug, enum lw_side side, const char *into,
                size_t *count, struct lw_err *err)
{
    lw_file_vec files = {0};
    struct lw_arena arena;
    struct aside a = {.catalog = c, .bug = bug, .side = side, .files = &files};
    lw_arena_init(&arena, c->ctx.mem, 0);
    int rc = lw_dir_check_new(c->ctx.mem, into, err);
    if (rc == 0)
        rc = catalog_files(c, bug->id, &arena, &files, err);
    if (rc == 0 && files.n == 0)
        rc = lw_err_set(err, LW_EINVAL, "the catalogue has no files of '%.*s'", LW_F(bug->id));
    if (rc == 0)
        rc = write_aside(&a, into, err);
    *count = a.count;
    lw_vec_release(c->ctx.mem, &files);
    lw_arena_release(&arena);
    return rc;
}
