#include "catalog/catalog.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/path.h"
#include "base/str.h"
#include "base/version.h"
#include "catalog/group.h"
#include "knowledge/embedded.h"
#include "knowledge/vocabulary.h"

/* $XDG_DATA_HOME/lacewing/catalog.db, or ~/.local/share/…; creates the folder. */
static int default_path(struct lw_arena *arena, const char **path, struct lw_err *err)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    struct lw_str folder;
    if (data && *data == '/')
        folder = lw_arena_printf(arena, "%s/lacewing", data);
    else if (home && *home == '/')
        folder = lw_arena_printf(arena, "%s/.local/share/lacewing", home);
    else
        return lw_err_set(
            err, LW_EINVAL,
            "no place for the catalogue: set HOME or XDG_DATA_HOME to an absolute "
            "path, or use --catalog PATH");
    struct lw_str file = folder.p ? lw_arena_printf(arena, "%s/catalog.db", folder.p) : folder;
    if (!file.p)
        return lw_err_nomem(err);
    *path = file.p;
    if (lw_file_kind(folder.p) == LW_FILE_FOLDER)
        return 0;
    return lw_dir_make(folder.p, err) < 0 ? lw_err_context(err, "catalogue") : 0;
}

static int given_path(struct lw_arena *arena, const char *given, const char **path,
                      struct lw_err *err)
{
    if (strncmp(given, "postgresql://", 13) == 0 || strncmp(given, "postgres://", 11) == 0)
        return lw_err_set(err, LW_EMISSING,
                          "this build has no PostgreSQL support; use the path of a file");
    if (lw_file_kind(given) == LW_FILE_FOLDER)
        return lw_err_set(err, LW_EINVAL, "catalogue '%s' is a folder; name a file in it",
                          given);
    struct lw_str parent = lw_arena_copy(arena, lw_path_parent(lw_str(given)));
    struct lw_str copy = lw_arena_copy(arena, lw_str(given));
    if (!parent.p || !copy.p)
        return lw_err_nomem(err);
    if (copy.n == 0 || lw_file_kind(parent.p) != LW_FILE_FOLDER)
        return lw_err_set(err, LW_ENOENT, "catalogue '%s': there is no folder '%s'", given,
                          parent.p);
    *path = copy.p;
    return 0;
}

/* ---- The bugs that come with the program ---------------------------------------------------
 */

struct refresh {
    lw_catalog *catalog;
    struct lw_vocabulary words;
    struct lw_arena arena; /* of one specimen */
    struct lw_map ids;     /* of the embedded ones */
    lw_str_vec gone;
};

#define GONE LW_S("no longer comes with the program")

/* Has the user added a bug under this id before the program came to have one? 1 = yes. */
static int is_taken(struct refresh *r, struct lw_str id, struct lw_err *err)
{
    struct store *store = r->catalog->store;
    struct lw_bug bug;
    int rc = store->ops->find(store, id, &r->arena, &bug, err);
    if (rc < 0)
        return rc == LW_ENOENT ? 0 : rc;
    if (!bug.trusted)
        lw_log(&r->catalog->ctx.log, LW_LOG_WARNING,
               "one of your bugs is called '%.*s'; it is kept, and the one that comes with "
               "the program is left out",
               LW_F(id));
    /* What the user withdrew stays withdrawn. */
    bool withdrawn = bug.retracted.n && !lw_str_eq(bug.retracted, GONE);
    return !bug.trusted || withdrawn;
}

/* Stores one of the program's own bugs from its files. */
static int load_embedded(struct refresh *r, struct lw_str id, struct lw_str source,
                         const lw_file_vec *files, struct lw_err *err)
{
    struct store *store = r->catalog->store;
    struct lw_bug bug;
    int rc = is_taken(r, id, err);
    if (rc != 0)
        return rc < 0 ? rc : 0;
    rc = lw_specimen_read(&bug, &r->arena, files, id, id, &r->words, err);
    if (rc == 0) {
        bug.source = source;
        bug.trusted = true;
        rc = store->ops->put_bug(store, &bug, files, err);
    }
    return rc;
}

static int load_specimen(struct refresh *r, struct lw_str id, struct lw_err *err)
{
    lw_file_vec files = {0};
    lw_arena_clear(&r->arena);
    int rc = lw_specimen_embedded(&files, r->catalog->ctx.mem, id, err);
    if (rc == 0)
        rc = load_embedded(r, id, LW_S("specimen"), &files, err);
    lw_vec_release(r->catalog->ctx.mem, &files);
    return rc;
}

static int load_specimens(struct refresh *r, struct lw_err *err)
{
    struct lw_str path, content, folder = LW_S("specimens/");
    for (size_t i = lw_embedded_first(folder); lw_embedded_at(i, &path, &content); i++) {
        if (!lw_str_has_prefix(path, folder))
            break;
        struct lw_str id = lw_str_from(path, folder.n);
        ptrdiff_t slash = lw_str_find_char(id, '/');
        if (slash == LW_NPOS)
            continue;
        id.n = (size_t)slash;
        bool is_new;
        if (!lw_map_put(&r->ids, id, &is_new))
            return lw_err_nomem(err);
        if (is_new && load_specimen(r, id, err) < 0)
            return err->code;
    }
    return 0;
}

/* Bugs whose programs live in public repositories: one file each, data/gdefects4dl/<id>.ini. */
static int load_git_entries(struct refresh *r, struct lw_err *err)
{
    struct lw_str path, content, folder = LW_S("data/gdefects4dl/"), end = LW_S(".ini");
    int rc = 0;
    for (size_t i = lw_embedded_first(folder); rc == 0 && lw_embedded_at(i, &path, &content);
         i++) {
        if (!lw_str_has_prefix(path, folder))
            break;
        if (!lw_str_has_suffix(path, end))
            continue;
        struct lw_str id = lw_str_part(path, folder.n, path.n - folder.n - end.n);
        lw_file_vec files = {0};
        lw_arena_clear(&r->arena);
        if (!lw_map_put(&r->ids, id, NULL) ||
            lw_vec_push(r->catalog->ctx.mem, &files,
                        (struct lw_file){LW_S("bug.ini"), content}) < 0)
            rc = lw_err_nomem(err);
        if (rc == 0)
            rc = load_embedded(r, id, LW_S("gdefects4dl"), &files, err);
        lw_vec_release(r->catalog->ctx.mem, &files);
    }
    return rc;
}

static int load_all(struct refresh *r, struct lw_err *err)
{
    int rc = load_specimens(r, err);
    return rc < 0 ? rc : load_git_entries(r, err);
}

static int note_gone(void *data, const struct lw_bug *bug)
{
    struct refresh *r = data;
    if (!bug->trusted || lw_map_find(&r->ids, bug->id))
        return 0;
    struct lw_str id = lw_arena_copy(&r->arena, bug->id);
    return id.p ? lw_vec_push(r->catalog->ctx.mem, &r->gone, id) : LW_ENOMEM;
}

/* Ids are never reused: what is no longer shipped stays, marked. */
static int retract_gone(struct refresh *r, struct lw_err *err)
{
    struct store *store = r->catalog->store;
    const struct lw_query specimens = {.source = LW_S("specimen")};
    const struct lw_query entries = {.source = LW_S("gdefects4dl")};
    int rc = store->ops->list(store, &specimens, note_gone, r, err);
    if (rc == 0)
        rc = store->ops->list(store, &entries, note_gone, r, err);
    for (size_t i = 0; rc == 0 && i < r->gone.n; i++)
        rc = store->ops->retract(store, r->gone.v[i], GONE, err);
    return rc == LW_ENOMEM ? lw_err_nomem(err) : rc;
}

static int refresh_in_transaction(struct refresh *r, struct lw_err *err)
{
    struct store *store = r->catalog->store;
    int rc = load_all(r, err);
    if (rc == 0)
        rc = retract_gone(r, err);
    if (rc == 0)
        rc = lw_regroup(r->catalog, err);
    if (rc == 0)
        rc = store->ops->put_meta(store, "embedded_digest", lw_embedded_digest(), err);
    if (rc == 0)
        rc = store->ops->put_meta(store, "embedded_version", lw_str(lw_version()), err);
    return rc;
}

/* Does the catalogue hold other embedded bugs than this program, from no newer program? */
static int needs_refresh(lw_catalog *c, bool *needed, struct lw_err *err)
{
    struct lw_str digest, version;
    struct store *store = c->store;
    if (store->ops->get_meta(store, "embedded_digest", &c->found, &digest, err) < 0 ||
        store->ops->get_meta(store, "embedded_version", &c->found, &version, err) < 0)
        return err->code;
    *needed = !lw_str_eq(digest, lw_embedded_digest()) &&
              lw_version_compare(lw_str(lw_version()), version) >= 0;
    return 0;
}

static int refresh(lw_catalog *c, struct lw_err *err)
{
    struct refresh r = {.catalog = c};
    struct store *store = c->store;
    bool needed = true;
    int rc = lw_vocabulary_load(&r.words, c->ctx.mem, err);
    if (rc < 0)
        return rc;
    lw_arena_init(&r.arena, c->ctx.mem, 0);
    lw_map_init(&r.ids, c->ctx.mem);
    rc = store->ops->begin(store, err);
    if (rc == 0) {
        rc = needs_refresh(c, &needed, err); /* another process may have done it meanwhile */
        if (rc == 0 && needed)
            rc = refresh_in_transaction(&r, err);
        if (rc == 0)
            rc = store->ops->commit(store, err);
        else
            store->ops->rollback(store);
    }
    lw_vec_release(c->ctx.mem, &r.gone);
    lw_map_release(&r.ids);
    lw_arena_release(&r.arena);
    lw_vocabulary_release(&r.words);
    return rc;
}

static int open_store(lw_catalog *c, const char *given, struct lw_err *err)
{
    const char *path = NULL;
    int rc =
        given ? given_path(&c->arena, given, &path, err) : default_path(&c->arena, &path, err);
    c->path = path;
    if (rc == 0)
        rc = sqlite_store_open(&c->store, &c->ctx, path, err);
    bool needed = false;
    if (rc == 0)
        rc = needs_refresh(c, &needed, err);
    if (rc == 0 && needed) {
        rc = refresh(c, err);
        /* A catalogue that cannot be written is still good for reading. */
        if (rc == LW_EIO && strstr(err->text, "read-only")) {
            lw_log(&c->ctx.log, LW_LOG_WARNING,
                   "%s; its embedded bugs are from another version", err->text);
            rc = 0;
        }
    }
    return rc;
}

int catalog_open(lw_catalog **catalog, const struct lw_ctx *ctx, const char *path,
                 struct lw_err *err)
{
    lw_catalog *c = lw_mem_alloc(ctx->mem, sizeof *c);
    if (!c)
        return lw_err_nomem(err);
    c->ctx = *ctx;
    lw_arena_init(&c->arena, ctx->mem, 0);
    lw_arena_init(&c->found, ctx->mem, 0);
    int rc = open_store(c, path, err);
    if (rc < 0) {
        lw_catalog_close(c);
        return rc;
    }
    *catalog = c;
    return 0;
}

int lw_catalog_open(lw_catalog **catalog, const char *path, struct lw_err *err)
{
    struct lw_ctx ctx = {
        .log = {stderr, LW_LOG_WARNING},
        .clock = lw_clock_system(),
        .talk = {.file = stderr},
        .jobs = 1,
    };
    return catalog_open(catalog, &ctx, path, err);
}

void lw_catalog_close(lw_catalog *c)
{
    if (!c)
        return;
    if (c->store)
        c->store->ops->close(c->store);
    lw_arena_release(&c->found);
    lw_arena_release(&c->arena);
    lw_mem_free(c->ctx.mem, c, sizeof *c);
}

int lw_catalog_list(lw_catalog *c, const struct lw_query *query, lw_bug_fn each, void *data,
                    struct lw_err *err)
{
    return c->store->ops->list(c->store, query, each, data, err);
}

int lw_catalog_count(lw_catalog *c, const struct lw_query *query, uint64_t *count,
                     struct lw_err *err)
{
    return c->store->ops->count(c->store, query, count, err);
}

static int suggest(lw_catalog *c, struct lw_str id, struct lw_err *err)
{
    struct lw_str near[3];
    struct lw_err ignored;
    if (c->store->ops->similar_ids(c->store, id, &c->found, near, &ignored) < 0 || !near[0].n)
        return lw_err_set(err, LW_ENOENT,
                          "there is no bug '%.*s'; 'lacewing bugs list' shows all", LW_F(id));
    return lw_err_set(err, LW_ENOENT, "there is no bug '%.*s'; did you mean %.*s%s%.*s?",
                      LW_F(id), LW_F(near[0]), near[1].n ? " or " : "", LW_F(near[1]));
}

int lw_catalog_find(lw_catalog *c, struct lw_str id, const struct lw_bug **bug,
                    struct lw_err *err)
{
    lw_arena_clear(&c->found);
    int rc = c->store->ops->find(c->store, id, &c->found, &c->bug, err);
    if (rc == LW_ENOENT)
        return suggest(c, id, err);
    *bug = &c->bug;
    return rc;
}

struct keeping {
    struct lw_arena *arena;
    struct lw_mem *mem;
    lw_file_vec *files;
};

static int keep_file(void *data, struct lw_str path, struct lw_str content, struct lw_err *err)
{
    struct keeping *k = data;
    struct lw_file f = {lw_arena_copy(k->arena, path), lw_arena_copy(k->arena, content)};
    if (!f.path.p || !f.content.p || lw_vec_push(k->mem, k->files, f) < 0)
        return lw_err_nomem(err);
    return 0;
}

int catalog_files(lw_catalog *c, struct lw_str id, struct lw_arena *arena, lw_file_vec *files,
                  struct lw_err *err)
{
    struct keeping k = {arena, c->ctx.mem, files};
    return c->store->ops->files(c->store, id, keep_file, &k, err);
}

int catalog_put_verification(lw_catalog *c, const struct store_verification *v,
                             struct lw_err *err)
{
    struct store *store = c->store;
    int rc = store->ops->begin(store, err);
    if (rc < 0)
        return rc;
    rc = store->ops->put_verification(store, v, err);
    if (rc == 0)
        return store->ops->commit(store, err);
    store->ops->rollback(store);
    return rc;
}
