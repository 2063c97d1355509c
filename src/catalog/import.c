/* Import: the transaction, what is refused, and our own format. */
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/path.h"
#include "base/str.h"
#include "catalog/archive.h"
#include "catalog/bug.h"
#include "catalog/exchange.h"

enum { SHOWN_REFUSALS = 100 };

void import_refuse(struct importing *im, struct lw_str where, uint64_t line, const char *why)
{
    struct lw_imported *r = im->result;
    if (++r->refused > SHOWN_REFUSALS)
        return;
    lw_buf_addf(&r->report, "%.*s", LW_F(where));
    if (line)
        lw_buf_addf(&r->report, ":%" PRIu64, line);
    lw_buf_addf(&r->report, ": %s\n", why);
}

/* Every word of a kind must be known; an imported bug may leave words out. */
int import_check(const struct importing *im, const struct lw_bug *bug, struct lw_err *why)
{
    for (size_t i = 0; i < bug_field_count; i++) {
        const struct bug_field *f = &bug_fields[i];
        struct lw_str value = bug_text_of(bug, f);
        if (f->vocabulary && value.n && !lw_vocabulary_has(&im->words, f->vocabulary, value))
            return lw_vocabulary_refuse(&im->words, f->vocabulary, value, why);
    }
    if (!lw_bug_id_ok(bug->id))
        return lw_err_set(why, LW_EINVAL,
                          "'%.*s' is not an id: letters, digits, '.', '_', '-', at most 100",
                          LW_F(bug->id));
    if (bug->fixed_commit.n && lw_str_eq(bug->buggy_commit, bug->fixed_commit))
        return lw_err_set(why, LW_EINVAL, "buggy and fixed of '%.*s' are the same commit",
                          LW_F(bug->id));
    if (bug->title.n == 0)
        return lw_err_set(why, LW_EINVAL, "'%.*s' has no title", LW_F(bug->id));
    return 0;
}

struct comparing {
    const lw_file_vec *files;
    size_t same, seen;
};

static int compare_file(void *data, struct lw_str path, struct lw_str content,
                        struct lw_err *err)
{
    struct comparing *c = data;
    (void)err;
    if (lw_str_eq(path, LW_S("bug.ini")))
        return 0; /* its source line may differ; what it says is in the fields */
    const struct lw_file *f = c->files ? lw_file_find(c->files, path) : NULL;
    c->seen++;
    c->same += f && lw_str_eq(f->content, content);
    return 0;
}

/* Is the bug that has the id the same one? 1 = yes, 0 = no, negative. */
static int is_same(struct importing *im, const struct lw_bug *bug, const struct lw_bug *there,
                   const lw_file_vec *files, struct lw_err *err)
{
    struct store *store = im->catalog->store;
    struct comparing c = {.files = files};
    if (there->retracted.n || !lw_str_eq(bug->buggy_commit, there->buggy_commit) ||
        !lw_str_eq(bug->fixed_commit, there->fixed_commit))
        return 0;
    if (bug->git_url.n)
        return 1;
    size_t mine = 0;
    for (size_t i = 0; files && i < files->n; i++)
        mine += !lw_str_eq(files->v[i].path, LW_S("bug.ini"));
    int rc = store->ops->files(store, bug->id, compare_file, &c, err);
    return rc < 0 ? rc
                  : c.seen == mine && c.same == mine && lw_str_eq(bug->title, there->title);
}

static int put_or_compare(struct importing *im, const struct lw_bug *bug,
                          const lw_file_vec *files, struct lw_str where, uint64_t line,
                          struct lw_err *err)
{
    struct store *store = im->catalog->store;
    struct lw_err why;
    struct lw_bug there;
    int rc = store->ops->find(store, bug->id, &im->arena, &there, err);
    if (rc == LW_ENOENT) {
        im->result->added++;
        return store->ops->put_bug(store, bug, files, err);
    }
    if (rc < 0)
        return rc;
    rc = is_same(im, bug, &there, files, err);
    if (rc > 0) {
        im->result->present++;
        return 0;
    }
    if (rc == 0) {
        lw_err_set(&why, LW_EINVAL,
                   "the id '%.*s' is taken by another bug; ids are never "
                   "reused",
                   LW_F(bug->id));
        import_refuse(im, where, line, why.text);
    }
    return rc;
}

int import_checked(struct importing *im, struct lw_bug *bug, const lw_file_vec *files,
                   struct lw_str where, uint64_t line, struct lw_err *err)
{
    if (lw_ctx_canceled(&im->catalog->ctx))
        return lw_err_set(err, LW_ECANCEL, "interrupted; nothing was imported");
    bug->trusted = false;
    if (bug->seeds == 0)
        bug->seeds = 5;
    if (bug->seconds == 0)
        bug->seconds = 60;
    if (bug->memory_mb == 0)
        bug->memory_mb = 2048;
    if (bug->support_level == 0)
        bug->support_level = 1;
    int rc = put_or_compare(im, bug, files, where, line, err);
    lw_progress_step(&im->progress, 1, bug->id);
    lw_arena_clear(&im->arena);
    return rc;
}

int import_put(struct importing *im, struct lw_bug *bug, const lw_file_vec *files,
               struct lw_str where, uint64_t line, struct lw_err *err)
{
    struct lw_err why;
    if (import_check(im, bug, &why) == 0)
        return import_checked(im, bug, files, where, line, err);
    import_refuse(im, where, line, why.text);
    lw_arena_clear(&im->arena);
    return 0;
}

/* ---- Our own format: specimens in an archive or a folder -----------------------------------
 */

/* The files of one specimen on their way in. */
struct incoming {
    struct importing *im;
    lw_file_vec files;
    struct lw_buf folder; /* of the specimen, with its '/' */
    bool flat;            /* the archive is one specimen, without a folder around it */
};

/* A refusal of the reader names the file: it is reported as it is. */
static int read_incoming(struct incoming *in, struct lw_err *err)
{
    struct importing *im = in->im;
    struct lw_bug bug;
    struct lw_err why;
    struct lw_str id =
        lw_str_part(lw_buf_str(&in->folder), 0, in->folder.n ? in->folder.n - 1 : 0);
    struct lw_str where =
        lw_arena_printf(&im->arena, "%s%s%.*s", im->path, id.n ? "/" : "", LW_F(id));
    if (!where.p)
        return lw_err_nomem(err);
    int rc = lw_specimen_read(&bug, &im->arena, &in->files, where, LW_S(""), &im->words, &why);
    if (rc == LW_ENOMEM)
        return lw_err_nomem(err);
    if (rc < 0) {
        import_refuse(im, LW_S("refused"), 0, why.text);
        lw_arena_clear(&im->arena);
        return 0;
    }
    return import_put(im, &bug, &in->files, where, 0, err);
}

static int flush(struct incoming *in, struct lw_err *err)
{
    int rc = in->files.n ? read_incoming(in, err) : 0;
    in->files.n = 0;
    lw_buf_clear(&in->folder);
    return rc;
}

/* Is this a file of a specimen that lies at the top of its archive? */
static bool is_flat(struct lw_str path)
{
    return lw_str_find_char(path, '/') == LW_NPOS || lw_str_has_prefix(path, LW_S("buggy/")) ||
           lw_str_has_prefix(path, LW_S("fixed/")) || lw_str_has_prefix(path, LW_S("data/"));
}

/* Members of one specimen follow each other; a new folder begins the next. */
static int take_member(void *data, struct lw_str path, struct lw_str content,
                       struct lw_err *err)
{
    struct incoming *in = data;
    struct importing *im = in->im;
    struct lw_str folder = lw_str_part(path, 0, (size_t)(lw_str_find_char(path, '/') + 1));
    in->flat = in->flat || (in->files.n == 0 && is_flat(path));
    if (!in->flat && in->files.n && !lw_str_eq(folder, lw_buf_str(&in->folder)) &&
        flush(in, err) < 0)
        return err->code;
    if (in->files.n == 0 && !in->flat)
        lw_buf_add(&in->folder, folder);
    if (in->files.n >= LW_SPECIMEN_FILES)
        return lw_err_set(err, LW_ELIMIT, "%s: a specimen has at most %d files", im->path,
                          LW_SPECIMEN_FILES);
    struct lw_file f = {lw_arena_copy(&im->arena, lw_str_from(path, in->folder.n)),
                        lw_arena_copy(&im->arena, content)};
    if (!f.path.p || !f.content.p || lw_vec_push(im->catalog->ctx.mem, &in->files, f) < 0)
        return lw_err_nomem(err);
    return 0;
}

static int import_folder(struct incoming *in, const char *path, struct lw_err *err)
{
    struct importing *im = in->im;
    struct lw_mem *mem = im->catalog->ctx.mem;
    struct lw_err why;
    int rc = lw_specimen_load(&in->files, &im->arena, mem, path, &why);
    if (rc == 0)
        return flush(in, err);
    in->files.n = 0;
    lw_arena_clear(&im->arena);
    if (rc == LW_ENOMEM)
        return lw_err_nomem(err);
    import_refuse(im, lw_str(path), 0, why.text);
    return 0;
}

/* A folder with bug.ini, or one that holds such folders. */
static int import_folders(struct incoming *in, struct lw_err *err)
{
    struct importing *im = in->im;
    struct lw_mem *mem = im->catalog->ctx.mem;
    struct lw_buf path;
    struct lw_arena arena;
    lw_str_vec names = {0};
    lw_arena_init(&arena, mem, 0);
    lw_buf_init(&path, mem, 4096);
    lw_path_append(&path, lw_str(im->path), LW_S("bug.ini"));
    int rc = 0;
    if (lw_file_kind(lw_buf_z(&path)) == LW_FILE_REGULAR)
        rc = import_folder(in, im->path, err);
    else
        rc = lw_dir_list(&arena, mem, im->path, &names, err);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        lw_path_append(&path, lw_str(im->path), names.v[i]);
        if (path.failed)
            rc = lw_err_nomem(err);
        else if (lw_file_kind(lw_buf_z(&path)) == LW_FILE_FOLDER) {
            lw_buf_add(&in->folder, names.v[i]);
            lw_buf_addz(&in->folder, "/");
            rc = import_folder(in, lw_buf_z(&path), err);
        }
    }
    lw_vec_release(mem, &names);
    lw_buf_release(&path);
    lw_arena_release(&arena);
    return rc;
}

int import_lacewing(struct importing *im, struct lw_err *err)
{
    struct incoming in = {.im = im};
    struct lw_mem *mem = im->catalog->ctx.mem;
    lw_buf_init(&in.folder, mem, 1024);
    int rc;
    if (lw_file_kind(im->path) == LW_FILE_FOLDER) {
        rc = import_folders(&in, err);
    } else {
        rc = lw_archive_read_file(mem, im->path, &lw_archive_many, take_member, &in, err);
        if (rc == 0)
            rc = flush(&in, err);
    }
    lw_vec_release(mem, &in.files);
    lw_buf_release(&in.folder);
    return rc;
}
