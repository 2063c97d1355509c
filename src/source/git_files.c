/* The repository's files, and an object database over its own objects only. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "base/str.h"
#include "source/git_internal.h"

enum { MAX_CONFIG = 1 << 20, MAX_SHALLOW = 64 << 20 };

/* What lies at `path` itself, links not followed; 0 = nothing. */
static mode_t kind_of(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 ? st.st_mode & S_IFMT : 0;
}

static mode_t kind_inside(const lw_git *git, const char *relative)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/%s", git->folder.p, relative);
    return n > 0 && (size_t)n < sizeof path ? kind_of(path) : 0;
}

/* Every folder on the way must be one, and the last thing a regular file. */
static bool is_inside(const lw_git *git, char *path)
{
    for (char *p = path + git->folder.n + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        mode_t kind = kind_of(path);
        *p = '/';
        if (kind != S_IFDIR)
            return false;
    }
    return kind_of(path) == S_IFREG;
}

int gt_file_read(const lw_git *git, struct lw_arena *arena, struct lw_str relative, size_t max,
                 struct lw_str *content, struct lw_err *err)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/%.*s", git->folder.p, LW_F(relative));
    if (n < 0 || (size_t)n >= sizeof path || !is_inside(git, path))
        return lw_err_set(err, LW_ENOENT, "there is no file '%.*s' in '%s'", LW_F(relative),
                          git->folder.p);
    return lw_file_read(arena, path, max, content, err);
}

/* ---- Finding it -------------------------------------------------------------------------- */

static bool is_repository(const char *folder)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/HEAD", folder);
    if (n < 0 || (size_t)n >= sizeof path || kind_of(path) != S_IFREG)
        return false;
    n = snprintf(path, sizeof path, "%s/objects", folder);
    return n > 0 && (size_t)n < sizeof path && kind_of(path) == S_IFDIR;
}

/* `inside` may be behind a link or a linked work tree: outside, so not followed. 1 = found. */
static int try_inside(lw_git *git, const char *dir, const char *inside, struct lw_err *err)
{
    struct lw_str path = lw_arena_printf(&git->arena, "%s/%s", dir, inside);
    if (!path.p)
        return lw_err_nomem(err);
    mode_t kind = kind_of(path.p);
    if (kind == S_IFLNK)
        return lw_err_set(err, LW_EINVAL,
                          "'%s' is a symbolic link, which is not followed; use its target",
                          path.p);
    if (kind == S_IFREG && lw_str_has_suffix(path, LW_S(".git")))
        return lw_err_set(err, LW_EINVAL,
                          "'%s' is a linked work tree or a submodule; use the repository that "
                          "its .git file names",
                          dir);
    if (kind != S_IFDIR || !is_repository(path.p))
        return 0;
    git->folder = path;
    return 1;
}

int gt_files_find(lw_git *git, const char *dir, struct lw_err *err)
{
    static const char *const places[] = {"repo", "repo/.git", ".git"};
    if (is_repository(dir)) {
        git->folder = lw_arena_copy(&git->arena, lw_str(dir));
        return git->folder.p ? 0 : lw_err_nomem(err);
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int rc = try_inside(git, dir, places[i], err);
        if (rc != 0)
            return rc < 0 ? rc : 0;
    }
    return lw_err_set(err, LW_ENOENT, "there is no git repository in '%s'", dir);
}

/* ---- What it is -------------------------------------------------------------------------- */

/* The two settings that change how everything else is read. Anything else in the file,
 * includes too, is ignored. */
static int check_config_line(const lw_git *git, struct lw_str line, struct lw_err *err)
{
    ptrdiff_t equals = lw_str_find_char(line, '=');
    if (equals < 0)
        return 0;
    struct lw_str key = lw_str_trim(lw_str_part(line, 0, (size_t)equals));
    struct lw_str value = lw_str_trim(lw_str_from(line, (size_t)equals + 1));
    if (lw_str_eq_nocase(key, LW_S("objectformat")) && !lw_str_eq_nocase(value, LW_S("sha1")))
        return lw_err_set(err, LW_EINVAL,
                          "'%s' uses object format '%.*s', only sha1 is supported",
                          git->folder.p, LW_F(value));
    if (lw_str_eq_nocase(key, LW_S("refstorage")) && !lw_str_eq_nocase(value, LW_S("files")))
        return lw_err_set(err, LW_EINVAL,
                          "'%s' uses ref storage '%.*s', only files is supported",
                          git->folder.p, LW_F(value));
    return 0;
}

static int check_config(lw_git *git, struct lw_arena *scratch, struct lw_err *err)
{
    struct lw_str text, line;
    int rc = gt_file_read(git, scratch, LW_S("config"), MAX_CONFIG, &text, err);
    if (rc < 0)
        return rc == LW_ENOENT ? 0 : rc; /* mirrors may have none */
    while (rc == 0 && lw_str_line(&text, &line))
        rc = check_config_line(git, line, err);
    return rc;
}

static int read_shallow(lw_git *git, struct lw_arena *scratch, struct lw_err *err)
{
    struct lw_str text, line;
    int rc = gt_file_read(git, scratch, LW_S("shallow"), MAX_SHALLOW, &text, err);
    if (rc < 0)
        return rc == LW_ENOENT ? 0 : rc;
    while (lw_str_line(&text, &line)) {
        struct lw_git_id *id = lw_arena_alloc(&git->arena, sizeof *id);
        if (!id)
            return lw_err_nomem(err);
        if (lw_git_id_parse(line, id) && !lw_map_put(&git->shallow, gt_id_key(id), NULL))
            return lw_err_nomem(err);
    }
    return 0;
}

/* Takes the index of a pack if it is sound, else says that it is skipped. */
static int check_index(lw_git *git, struct lw_arena *scratch, struct lw_str path,
                       struct lw_err *err)
{
    struct lw_str pack =
        lw_arena_printf(scratch, "%.*s.pack", (int)(path.n - strlen(".idx")), path.p);
    struct lw_str kept = lw_arena_copy(&git->arena, path);
    if (!pack.p || !kept.p)
        return lw_err_nomem(err);
    uint64_t bytes;
    int sound = gt_pack_is_sound(path.p, pack.p, &bytes, err);
    if (sound < 0)
        return sound;
    if (bytes > git->map_bytes)
        git->map_bytes = bytes;
    if (sound)
        return lw_vec_push(git->mem, &git->packs, kept) < 0 ? lw_err_nomem(err) : 0;
    git->pick_packs = true;
    lw_log(&git->ctx->log, LW_LOG_WARNING, "'%s' is damaged; its pack is skipped", path.p);
    return 0;
}

/* libgit2 opens what it finds in objects/pack by name, so no link may be there. An index of
 * several packs is not used: it could not be trusted either. */
static int check_pack_file(lw_git *git, struct lw_arena *scratch, const char *folder,
                           struct lw_str name, struct lw_err *err)
{
    struct lw_str path = lw_arena_printf(scratch, "%s/%s", folder, name.p);
    if (!path.p)
        return lw_err_nomem(err);
    if (kind_of(path.p) == S_IFLNK)
        return lw_err_set(err, LW_EINVAL, "'%s' is a symbolic link, which is not followed",
                          path.p);
    git->pick_packs |= lw_str_has_prefix(name, LW_S("multi-pack-index"));
    return lw_str_has_suffix(name, LW_S(".idx")) ? check_index(git, scratch, path, err) : 0;
}

static int check_packs(lw_git *git, struct lw_arena *scratch, struct lw_err *err)
{
    lw_str_vec names = {0};
    mode_t kind = kind_inside(git, "objects/pack");
    if (kind == 0)
        return 0;
    struct lw_str folder = lw_arena_printf(scratch, "%s/objects/pack", git->folder.p);
    if (!folder.p)
        return lw_err_nomem(err);
    int rc = 0;
    if (kind != S_IFDIR)
        rc = lw_err_set(err, LW_EINVAL, "'%s' is not a folder", folder.p);
    if (rc == 0)
        rc = lw_dir_list(scratch, git->mem, folder.p, &names, err);
    for (size_t i = 0; rc == 0 && i < names.n; i++)
        rc = check_pack_file(git, scratch, folder.p, names.v[i], err);
    lw_vec_release(git->mem, &names);
    return rc;
}

int gt_files_check(lw_git *git, struct lw_err *err)
{
    struct lw_arena scratch;
    lw_arena_init(&scratch, git->mem, 0);
    git->has_alternates = kind_inside(git, "objects/info/alternates") != 0;
    int rc = check_config(git, &scratch, err);
    if (rc == 0)
        rc = read_shallow(git, &scratch, err);
    if (rc == 0)
        rc = check_packs(git, &scratch, err);
    lw_arena_release(&scratch);
    return rc;
}

/* ---- The object database ----------------------------------------------------------------- */

/* Stands before libgit2's reader of loose objects and lets it see regular files only. */
struct guard {
    git_odb_backend backend; /* first: libgit2 hands us a pointer to it */
    git_odb_backend *inner;  /* owned */
    const lw_git *git;
};

static bool is_loose(const struct guard *g, const git_oid *oid)
{
    char hex[LW_GIT_ID_TEXT], name[64];
    struct lw_git_id id;
    memcpy(id.b, oid->id, sizeof id.b);
    lw_git_id_print(&id, hex);
    int number = errno; /* of the packs, which were asked before: see gt_lack */
    snprintf(name, sizeof name, "objects/%.2s", hex);
    bool found = kind_inside(g->git, name) == S_IFDIR;
    snprintf(name, sizeof name, "objects/%.2s/%s", hex, hex + 2);
    found = found && kind_inside(g->git, name) == S_IFREG;
    errno = number;
    return found;
}

static int guard_read(void **data, size_t *size, git_object_t *type, git_odb_backend *backend,
                      const git_oid *oid)
{
    struct guard *g = (struct guard *)backend;
    return is_loose(g, oid) ? g->inner->read(data, size, type, g->inner, oid) : GIT_ENOTFOUND;
}

static int guard_header(size_t *size, git_object_t *type, git_odb_backend *backend,
                        const git_oid *oid)
{
    struct guard *g = (struct guard *)backend;
    return is_loose(g, oid) ? g->inner->read_header(size, type, g->inner, oid) : GIT_ENOTFOUND;
}

static int guard_exists(git_odb_backend *backend, const git_oid *oid)
{
    return is_loose((struct guard *)backend, oid);
}

/* Only names of files are looked at; what they hold is read through the others. */
static int guard_exists_prefix(git_oid *found, git_odb_backend *backend, const git_oid *start,
                               size_t digits)
{
    struct guard *g = (struct guard *)backend;
    return g->inner->exists_prefix(found, g->inner, start, digits);
}

static int guard_foreach(git_odb_backend *backend, git_odb_foreach_cb fn, void *data)
{
    struct guard *g = (struct guard *)backend;
    return g->inner->foreach (g->inner, fn, data);
}

static void guard_free(git_odb_backend *backend)
{
    struct guard *g = (struct guard *)backend;
    g->inner->free(g->inner);
}

static int odb_failed(const lw_git *git, struct lw_err *err)
{
    const git_error *e = git->api.error_last();
    if (gt_lack(git, err) < 0)
        return err->code;
    return lw_err_set(err, LW_ECORRUPT, "cannot read the objects of '%s': %s", git->folder.p,
                      e && e->message ? e->message : "unknown reason");
}

/* Hands `backend` to the database, which owns it from then on. */
static int add_backend(lw_git *git, git_odb_backend *backend, int priority, struct lw_err *err)
{
    if (git->api.odb_add_backend(git->odb, backend, priority) == 0)
        return 0;
    backend->free(backend);
    return odb_failed(git, err);
}

/* All packs, or those that are sound one by one. */
static int add_packs(lw_git *git, const char *objects, struct lw_err *err)
{
    git_odb_backend *pack = NULL;
    if (!git->pick_packs) {
        if (git->api.odb_backend_pack(&pack, objects) < 0)
            return odb_failed(git, err);
        return add_backend(git, pack, 2, err);
    }
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < git->packs.n; i++) {
        if (git->api.odb_backend_one_pack(&pack, git->packs.v[i].p) < 0)
            return odb_failed(git, err);
        rc = add_backend(git, pack, 2, err);
    }
    return rc;
}

int gt_odb_open(lw_git *git, struct lw_err *err)
{
    git_odb_backend *loose = NULL;
    struct lw_str objects = lw_arena_printf(&git->arena, "%s/objects", git->folder.p);
    struct guard *guard = lw_arena_alloc(&git->arena, sizeof *guard);
    if (!objects.p || !guard)
        return lw_err_nomem(err);
    errno = 0;
    if (git->api.odb_new(&git->odb) < 0)
        return odb_failed(git, err);
    int rc = add_packs(git, objects.p, err);
    if (rc < 0)
        return rc;
    if (git->api.odb_backend_loose(&loose, objects.p, 0, 0, 0, 0) < 0)
        return odb_failed(git, err);
    *guard = (struct guard){
        .backend = {.version = GIT_ODB_BACKEND_VERSION,
                    .read = guard_read,
                    .read_header = guard_header,
                    .exists = guard_exists,
                    .exists_prefix = guard_exists_prefix,
                    .foreach = guard_foreach,
                    .free = guard_free},
        .inner = loose,
        .git = git,
    };
    return add_backend(git, &guard->backend, 1, err);
}
