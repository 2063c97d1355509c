#include "catalog/mirror.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/leftover.h"
#include "base/path.h"
#include "base/proc.h"
#include "base/str.h"
#include "source/git_diff.h"
#include "source/git_tree.h"

enum { MAX_BLOB = 4 << 20, MAX_FILE = 512 << 20, MAX_ENTRIES = 500000 };

/* "owner+name" of an address such as https://host/owner/name[.git][/more]; of a file: address
 * the last two parts. Empty when there are no two parts. */
static struct lw_str project_of(struct lw_arena *arena, struct lw_str url)
{
    bool local = lw_str_has_prefix(url, LW_S("file://"));
    ptrdiff_t at = lw_str_find(url, LW_S("://"));
    struct lw_str rest = lw_str_from(url, at < 0 ? 0 : (size_t)at + 3), part;
    struct lw_str parts[2] = {{0}, {0}};
    size_t n = 0;
    if (!local)
        lw_str_split(&rest, '/', &part); /* the host */
    while ((local || n < 2) && lw_str_split(&rest, '/', &part))
        if (part.n) {
            if (n > 1)
                parts[0] = parts[1];
            parts[n > 0] = part;
            n++;
        }
    if (n < 2)
        return LW_S("");
    if (lw_str_has_suffix(parts[1], LW_S(".git")))
        parts[1].n -= 4;
    return lw_arena_printf(arena, "%.*s+%.*s", LW_F(parts[0]), LW_F(parts[1]));
}

static bool has_commits(lw_git *git, const struct lw_bug *bug)
{
    struct lw_git_id id;
    struct lw_err ignored;
    return lw_git_resolve(git, bug->buggy_commit, &id, &ignored) == 0 &&
           lw_git_resolve(git, bug->fixed_commit, &id, &ignored) == 0;
}

/* Opens `path` if it is a repository that has both commits: 1, 0, or a failure that would meet
 * every other path as well. */
static int try_path(lw_git **git, const struct lw_ctx *ctx, const struct lw_bug *bug,
                    const char *path, struct lw_err *err)
{
    int rc = lw_git_open(git, ctx, path, err);
    if (rc == LW_EMISSING || rc == LW_ENOMEM || rc == LW_ECANCEL)
        return rc;
    if (rc < 0)
        return 0;
    if (has_commits(*git, bug))
        return 1;
    lw_git_close(*git);
    *git = NULL;
    return 0;
}

/* Is the folder called as the project, or as its second half? */
static bool is_called(struct lw_str name, struct lw_str project)
{
    ptrdiff_t plus = lw_str_find_char(project, '+');
    return project.n && (lw_str_eq_nocase(name, project) ||
                         lw_str_eq_nocase(name, lw_str_from(project, (size_t)plus + 1)));
}

static int search(lw_git **git, const struct lw_ctx *ctx, const struct lw_bug *bug,
                  const char *folder, struct lw_arena *arena, struct lw_err *err)
{
    const struct lw_str projects[] = {project_of(arena, bug->git_url),
                                      project_of(arena, bug->fix_url),
                                      project_of(arena, bug->origin_url)};
    lw_str_vec names = {0};
    int rc = try_path(git, ctx, bug, folder, err);
    if (rc == 0)
        rc = lw_dir_list(arena, ctx->mem, folder, &names, err);
    for (size_t p = 0; rc == 0 && p < 3; p++)
        for (size_t i = 0; rc == 0 && i < names.n; i++) {
            if (!is_called(names.v[i], projects[p]))
                continue;
            struct lw_str path = lw_arena_printf(arena, "%s/%.*s", folder, LW_F(names.v[i]));
            rc = path.p ? try_path(git, ctx, bug, path.p, err) : lw_err_nomem(err);
        }
    lw_vec_release(ctx->mem, &names);
    return rc;
}

/* "$XDG_CACHE_HOME/lacewing/mirrors", or empty. */
static struct lw_str cache_folder(struct lw_arena *arena)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache == '/')
        return lw_arena_printf(arena, "%s/lacewing/mirrors", cache);
    if (home && *home == '/')
        return lw_arena_printf(arena, "%s/.cache/lacewing/mirrors", home);
    return LW_S("");
}

static int no_mirror(const struct lw_bug *bug, const char *folder, struct lw_err *err)
{
    if (folder)
        return lw_err_set(err, LW_EMISSING,
                          "no repository in '%s' has both commits of '%.*s'; get it with 'git "
                          "clone --bare %.*s' there",
                          folder, LW_F(bug->id), LW_F(bug->git_url));
    return lw_err_set(err, LW_EMISSING,
                      "the program of '%.*s' lives in %.*s; pass a folder with a clone of it "
                      "with --mirror DIR, or use --fetch, which needs a network",
                      LW_F(bug->id), LW_F(bug->git_url));
}

int lw_mirror_open(lw_git **git, const struct lw_ctx *ctx, const struct lw_bug *bug,
                   const char *folder, struct lw_err *err)
{
    struct lw_arena arena;
    *git = NULL;
    lw_arena_init(&arena, ctx->mem, 0);
    const char *named = folder ? folder : getenv("LACEWING_MIRROR");
    struct lw_str cache = cache_folder(&arena);
    int rc = 0;
    if (named && lw_file_kind(named) != LW_FILE_FOLDER)
        rc = lw_err_set(err, LW_EINVAL, "there is no folder '%s' with repositories", named);
    else if (named)
        rc = search(git, ctx, bug, named, &arena, err);
    if (rc == 0 && cache.n && lw_file_kind(cache.p) == LW_FILE_FOLDER)
        rc = search(git, ctx, bug, cache.p, &arena, err);
    if (rc == 0)
        rc = no_mirror(bug, named, err);
    lw_arena_release(&arena);
    return rc < 0 ? rc : 0;
}

/* ---- Getting one --------------------------------------------------------------------------
 */

static int run_git(const struct lw_ctx *ctx, struct lw_arena *arena, const char *url,
                   const char *into, struct lw_err *err)
{
    static const char *const allowed[] = {"PATH",        "HOME",          "http_proxy",
                                          "https_proxy", "HTTPS_PROXY",   "HTTP_PROXY",
                                          "no_proxy",    "SSL_CERT_FILE", NULL};
    static const char *const extra[] = {"GIT_TERMINAL_PROMPT=0", "LC_ALL=C", NULL};
    const char *const argv[] = {"git", "clone", "--bare", "--quiet", "--", url, into, NULL};
    struct lw_run run;
    struct lw_proc proc = {.argv = argv,
                           .env = lw_proc_env(arena, allowed, extra),
                           .wall_seconds = 3600,
                           .cancel = ctx->cancel};
    if (!proc.env)
        return lw_err_nomem(err);
    int rc = lw_proc_run(&run, arena, &proc, err);
    if (rc < 0)
        return rc;
    if (run.end == LW_RUN_CANCELED)
        return lw_err_set(err, LW_ECANCEL, "interrupted");
    struct lw_str rest = run.err, line = {0};
    while (lw_str_line(&rest, &line) && !lw_str_has_prefix(line, LW_S("fatal:")))
        ;
    if (run.end != LW_RUN_EXITED || run.exit != 0)
        return lw_err_set(err, LW_EMISSING, "cannot clone %s: %.*s", url, LW_F(line));
    return 0;
}

int lw_mirror_fetch(const struct lw_ctx *ctx, const struct lw_bug *bug, struct lw_err *err)
{
    struct lw_arena arena;
    struct lw_err ignored;
    lw_arena_init(&arena, ctx->mem, 0);
    struct lw_str cache = cache_folder(&arena), project = project_of(&arena, bug->git_url);
    struct lw_str url = lw_arena_copy(&arena, bug->git_url);
    struct lw_str into = lw_arena_printf(&arena, "%s/%.*s", cache.p, LW_F(project));
    struct lw_str part =
        lw_arena_printf(&arena, "%s.part-%ld", into.p ? into.p : "", (long)getpid());
    int rc = 0;
    if (!cache.n || !project.n)
        rc = lw_err_set(err, LW_EINVAL, "no folder to clone into: set HOME or XDG_CACHE_HOME");
    else if (!url.p || !into.p || !part.p)
        rc = lw_err_nomem(err);
    else if (lw_file_kind(into.p) == LW_FILE_NONE)
        rc = lw_dir_make(cache.p, err);
    if (rc == 0 && lw_file_kind(into.p) == LW_FILE_NONE) {
        struct lw_leftover left;
        lw_leftover_begin();
        lw_leftover_end(&left, part.p); /* git makes it */
        rc = run_git(ctx, &arena, url.p, part.p, err);
        /* Another process may have been faster: its clone is as good. */
        if (rc == 0)
            (void)rename(part.p, into.p);
        lw_dir_remove(part.p, &ignored);
        lw_leftover_drop(&left);
    }
    lw_arena_release(&arena);
    return rc;
}

/* ---- Both sides ---------------------------------------------------------------------------
 */

static int resolve_sides(lw_git *git, const struct lw_bug *bug, struct lw_git_id ids[2],
                         struct lw_err *err)
{
    if (lw_git_resolve(git, bug->buggy_commit, &ids[LW_BUGGY], err) < 0 ||
        lw_git_resolve(git, bug->fixed_commit, &ids[LW_FIXED], err) < 0)
        return err->code;
    return 0;
}

/* The text of one side; p == NULL when it has none. 1: not to be shown. */
static int blob_text(lw_git *git, struct lw_arena *arena, const struct lw_git_id *id,
                     struct lw_str *text, struct lw_err *err)
{
    *text = (struct lw_str){NULL, 0};
    if (lw_git_id_is_zero(id))
        return 0;
    int rc = lw_git_blob(git, arena, id, MAX_BLOB, text, err);
    if (rc == LW_ENOENT || rc == LW_ECORRUPT || rc == LW_ELIMIT)
        return 1;
    return rc < 0 ? rc : lw_git_is_binary(*text);
}

int lw_mirror_changes(lw_git *git, const struct lw_bug *bug, struct lw_arena *arena,
                      struct lw_mem *mem, lw_change_vec *changes, struct lw_err *err)
{
    struct lw_git_id ids[2];
    struct lw_git_changes found;
    const struct lw_git_diff_options options = {.no_renames = true};
    int rc = resolve_sides(git, bug, ids, err);
    if (rc == 0)
        rc = lw_git_diff(git, arena, &ids[LW_BUGGY], &ids[LW_FIXED], &options, &found, err);
    for (size_t i = 0; rc == 0 && i < found.n; i++) {
        const struct lw_git_change *c = &found.v[i];
        struct lw_change change = {.path = c->path};
        if (lw_git_kind_of(c->mode ? c->mode : c->old_mode) != LW_GIT_FILE)
            continue;
        rc = blob_text(git, arena, &c->old_id, &change.text[LW_BUGGY], err);
        if (rc == 0)
            rc = blob_text(git, arena, &c->id, &change.text[LW_FIXED], err);
        if (rc == 0 && lw_vec_push(mem, changes, change) < 0)
            rc = lw_err_nomem(err);
        rc = rc > 0 ? 0 : rc;
    }
    return rc;
}

/* The file of the other side, or NULL. */
static const struct lw_file *other_side(const lw_file_vec *files, struct lw_str folder,
                                        struct lw_str name)
{
    for (size_t i = 0; i < files->n; i++)
        if (lw_str_has_prefix(files->v[i].path, folder) &&
            lw_str_eq(lw_str_from(files->v[i].path, folder.n), name))
            return &files->v[i];
    return NULL;
}

int lw_specimen_changes(const lw_file_vec *files, struct lw_mem *mem, lw_change_vec *changes,
                        struct lw_err *err)
{
    const struct lw_str folders[2] = {LW_S("buggy/"), LW_S("fixed/")};
    for (size_t i = 0; i < files->n; i++)
        for (int side = LW_BUGGY; side <= LW_FIXED; side++) {
            const struct lw_file *f = &files->v[i];
            if (!lw_str_has_prefix(f->path, folders[side]))
                continue;
            struct lw_change c = {.path = lw_str_from(f->path, folders[side].n)};
            const struct lw_file *other = other_side(files, folders[!side], c.path);
            c.text[side] = f->content;
            if (other)
                c.text[!side] = other->content;
            bool again = other && side == LW_FIXED; /* came with its buggy side */
            bool same = other && lw_str_eq(c.text[0], c.text[1]);
            if (!again && !same && lw_vec_push(mem, changes, c) < 0)
                return lw_err_nomem(err);
        }
    return 0;
}

/* ---- Files --------------------------------------------------------------------------------
 */

struct writing {
    lw_git *git;
    const char *folder;
    struct lw_mem *mem;
    struct lw_buf path;
    size_t count, passed_over;
    struct lw_err *err;
};

/* Without waiting for the disk, unlike lw_file_write: a tree has thousands of files, and
 * whoever asked for it renames the whole or removes it. */
static int write_plain(const char *path, struct lw_str content, unsigned mode,
                       struct lw_err *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    size_t done = 0;
    if (fd < 0)
        return lw_err_system(err, errno, "cannot create", lw_str(path));
    int failed = 0;
    while (!failed && done < content.n) {
        ssize_t n = write(fd, content.p + done, content.n - done);
        if (n >= 0)
            done += (size_t)n;
        else if (errno != EINTR)
            failed = errno;
    }
    if (close(fd) < 0 && !failed)
        failed = errno;
    return failed ? lw_err_system(err, failed, "cannot write", lw_str(path)) : 0;
}

static int write_blob(struct writing *w, const struct lw_git_entry *entry)
{
    struct lw_arena arena;
    struct lw_str content;
    lw_arena_init(&arena, w->mem, 0);
    int rc = lw_git_blob(w->git, &arena, &entry->id, MAX_FILE, &content, w->err);
    if (rc == 0)
        rc = lw_path_join(&w->path, lw_str(w->folder), entry->path, w->err);
    if (rc == 0)
        rc = lw_dir_make_for(w->path.p, w->err);
    if (rc == 0)
        rc = write_plain(w->path.p, content, entry->mode & 0111 ? 0755 : 0644, w->err);
    lw_arena_release(&arena);
    return rc;
}

static int write_entry(void *data, const struct lw_git_entry *entry)
{
    struct writing *w = data;
    int rc = entry->kind == LW_GIT_FILE ? write_blob(w, entry) : LW_ENOENT;
    /* Partial mirrors lack large files; names that leave the folder are never written. */
    if (rc == LW_ENOENT || rc == LW_ECORRUPT || rc == LW_ELIMIT || rc == LW_EINVAL) {
        w->passed_over++;
        return 0;
    }
    w->count += rc == 0;
    return rc;
}

int lw_mirror_write(lw_git *git, const struct lw_bug *bug, enum lw_side side,
                    const char *folder, struct lw_mem *mem, size_t *count, size_t *passed_over,
                    struct lw_err *err)
{
    struct lw_git_id ids[2];
    struct writing w = {.git = git, .folder = folder, .mem = mem, .err = err};
    const struct lw_git_tree_options options = {.max_entries = MAX_ENTRIES};
    lw_buf_init(&w.path, mem, 8192);
    int rc = resolve_sides(git, bug, ids, err);
    if (rc == 0)
        rc = lw_git_tree_walk(git, &ids[side], &options, write_entry, &w, err);
    *count = w.count;
    *passed_over = w.passed_over;
    lw_buf_release(&w.path);
    return rc;
}
