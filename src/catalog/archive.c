#include "catalog/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "catalog/archive_api.h"
#include "catalog/member.h"
#include "catalog/zip.h"

enum {
    CHUNK = 64 << 10,
    RATIO = 200,           /* text compresses 10 times, zeros 1000 times and more */
    FREE_BYTES = 256 << 10 /* below this no ratio is looked at */
};

const struct lw_archive_limits lw_archive_one = {2 * LW_SPECIMEN_FILES, LW_SPECIMEN_BYTES,
                                                 LW_SPECIMEN_BYTES};
const struct lw_archive_limits lw_archive_many = {20000000, UINT64_C(8) << 30,
                                                  LW_SPECIMEN_BYTES};

struct reader {
    struct ar_api api;
    struct lw_mem *mem;
    struct lw_str name;
    struct lw_str bytes;      /* what is left, when in memory */
    int fd;                   /* else -1 */
    struct zip_source source; /* all of it */
    struct zip_directory directory;
    bool is_zip; /* known with the first member; its directory is loaded then */
    char *chunk;
    int read_error;
    struct archive *archive;
    const struct lw_archive_limits *limits;
    uint64_t members, total;
    struct member_names names;
    struct lw_buf content;
    lw_archive_fn each;
    void *data;
    struct lw_err *err;
};

static int refuse(struct reader *r, struct lw_str member, const char *why)
{
    return member_refuse(r->name, member, why, r->err);
}

/* ---- Members ------------------------------------------------------------------------------
 */

static int too_large(struct reader *r, const char *what)
{
    return lw_err_set(r->err, LW_ELIMIT, "%.*s: the archive %s", LW_F(r->name), what);
}

static int damaged(struct reader *r)
{
    const char *why = r->api.error_string(r->archive);
    if (r->read_error)
        return lw_err_system(r->err, r->read_error, "cannot read", r->name);
    if (why && ar_is_out_of_memory(why))
        return lw_err_nomem(r->err);
    return lw_err_set(r->err, LW_EINVAL, "%.*s: cannot be read as an archive: %s",
                      LW_F(r->name), why ? why : "it is damaged");
}

static int check_sums(struct reader *r)
{
    uint64_t in = (uint64_t)r->api.filter_bytes(r->archive, -1);
    if (r->total > r->limits->bytes)
        return too_large(r, "contains too many bytes");
    if (r->total > FREE_BYTES && in > 0 && r->total / in > RATIO)
        return too_large(r, "becomes too large when it is unpacked");
    return 0;
}

static int read_content(struct reader *r)
{
    lw_buf_clear(&r->content);
    for (;;) {
        char *to = lw_buf_room(&r->content, CHUNK);
        if (!to)
            return r->content.failed == LW_ELIMIT ? too_large(r, "has a file that is too large")
                                                  : lw_err_nomem(r->err);
        la_ssize_t n = r->api.read_data(r->archive, to, CHUNK);
        if (n < 0)
            return damaged(r);
        if (n == 0)
            return 0;
        lw_buf_took(&r->content, (size_t)n);
        r->total += (uint64_t)n;
        if (check_sums(r) < 0)
            return r->err->code;
    }
}

/* What kind of member it is, when it is one we do not take. */
static const char *kind_trouble(struct reader *r, struct archive_entry *entry)
{
    unsigned type = r->api.entry_filetype(entry);
    if (r->api.entry_hardlink(entry) || r->api.entry_symlink(entry) || type == AE_IFLNK)
        return "it is a link";
    if (type != AE_IFREG && type != AE_IFDIR)
        return "it is neither a file nor a folder";
    if (r->api.entry_is_encrypted(entry))
        return "it is encrypted";
    if (r->api.entry_sparse_count(entry) > 0)
        return "it is a sparse file";
    return NULL;
}

/* What is wrong with the member before its content is looked at, in `*why`; then its name is
 * taken. `full` is the name as it was before it was tidied. */
static int check_member(struct reader *r, struct archive_entry *entry, struct lw_str full,
                        struct lw_str path, bool is_folder, const char **why)
{
    *why = member_name_trouble(path);
    if (!*why)
        *why = kind_trouble(r, entry);
    if (!*why && r->is_zip)
        *why = zip_directory_meet(&r->directory, full, is_folder);
    if (!*why && r->api.entry_size_is_set(entry) &&
        r->api.entry_size(entry) > (la_int64_t)r->limits->file_bytes)
        *why = "it is too large";
    return *why ? 0 : member_names_claim(&r->names, path, is_folder, why, r->err);
}

static int read_member(struct reader *r, struct archive_entry *entry)
{
    const char *name = r->api.entry_pathname(entry), *why;
    struct lw_str full = name ? lw_str(name) : LW_S(""), path = full;
    bool is_folder = r->api.entry_filetype(entry) == AE_IFDIR;
    if (++r->members > r->limits->members)
        return too_large(r, "has too many members");
    if (is_folder && path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    if (path.n > 2 && path.p[0] == '.' && path.p[1] == '/')
        path = lw_str_from(path, 2); /* as `tar c .` writes them */
    else if (is_folder && lw_str_eq(path, LW_S(".")))
        return 0;
    if (check_member(r, entry, full, path, is_folder, &why) < 0)
        return r->err->code;
    if (why)
        return refuse(r, path, why);
    if (is_folder)
        return 0;
    /* The name belongs to the entry, which is read over by the content. */
    struct lw_str kept = lw_arena_copy(&r->names.arena, path);
    if (!kept.p)
        return lw_err_nomem(r->err);
    int rc = read_content(r);
    if (rc < 0 || member_is_left_out(kept))
        return rc;
    return r->each(r->data, kept, lw_buf_str(&r->content), r->err);
}

/* With the first member the format is known. */
static int check_format(struct reader *r)
{
    const char *why;
    if (r->is_zip ||
        (r->api.format(r->archive) & ARCHIVE_FORMAT_BASE_MASK) != ARCHIVE_FORMAT_ZIP)
        return 0;
    if (r->api.filter_count(r->archive) > 1)
        return too_large(r, "is compressed more than once");
    int rc = zip_directory_load(&r->directory, r->mem, &r->source, &why, r->err);
    r->is_zip = true;
    if (rc == LW_EINVAL)
        rc = lw_err_set(r->err, rc, "%.*s: the zip archive is refused: %s", LW_F(r->name), why);
    return rc;
}

static int end_members(struct reader *r)
{
    if (r->members == 0)
        return lw_err_set(r->err, LW_EINVAL, "%.*s: the archive is empty", LW_F(r->name));
    if (r->is_zip && r->directory.left)
        return lw_err_set(r->err, LW_EINVAL,
                          "%.*s: the zip archive is refused: its directory names members that "
                          "are not there",
                          LW_F(r->name));
    return 0;
}

static int read_members(struct reader *r)
{
    for (;;) {
        struct archive_entry *entry;
        int got = r->api.read_next_header(r->archive, &entry);
        /* One kind of compression, not several wrapped around each other. */
        if (r->api.filter_count(r->archive) > 2)
            return too_large(r, "is compressed more than once");
        if (got == ARCHIVE_EOF)
            return end_members(r);
        if (got != ARCHIVE_OK)
            return damaged(r);
        if (check_format(r) < 0 || read_member(r, entry) < 0)
            return r->err->code;
    }
}

/* ---- Input --------------------------------------------------------------------------------
 */

static la_ssize_t next_block(struct archive *a, void *data, const void **block)
{
    struct reader *r = data;
    (void)a;
    if (r->fd < 0) {
        struct lw_str part = lw_str_part(r->bytes, 0, CHUNK);
        r->bytes = lw_str_from(r->bytes, part.n);
        *block = part.p;
        return (la_ssize_t)part.n;
    }
    ssize_t n;
    do
        n = read(r->fd, r->chunk, CHUNK);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        r->read_error = errno;
    *block = r->chunk;
    return n;
}

static int open_reader(struct reader *r)
{
    r->archive = r->api.read_new();
    if (!r->archive)
        return lw_err_nomem(r->err);
    if (r->api.read_support_filter_gzip(r->archive) != ARCHIVE_OK ||
        r->api.read_support_filter_zstd(r->archive) != ARCHIVE_OK ||
        r->api.read_support_format_tar(r->archive) != ARCHIVE_OK ||
        r->api.read_support_format_zip_streamable(r->archive) != ARCHIVE_OK)
        return lw_err_set(r->err, LW_EMISSING,
                          "libarchive was built without zstd, gzip, tar or zip");
    if (r->api.read_open(r->archive, r, NULL, next_block, NULL) != ARCHIVE_OK)
        return damaged(r);
    return 0;
}

static int read_all(struct reader *r)
{
    int rc = ar_api_load(&r->api, r->err);
    r->source = (struct zip_source){r->bytes, r->fd};
    member_names_init(&r->names, r->mem);
    lw_buf_init(&r->content, r->mem, r->limits->file_bytes + CHUNK);
    if (rc == 0) {
        r->chunk = lw_mem_alloc(r->mem, CHUNK);
        rc = r->chunk ? open_reader(r) : lw_err_nomem(r->err);
    }
    if (rc == 0)
        rc = read_members(r);
    if (r->archive)
        r->api.read_free(r->archive);
    lw_mem_free(r->mem, r->chunk, CHUNK);
    lw_buf_release(&r->content);
    if (r->is_zip)
        zip_directory_release(&r->directory);
    member_names_release(&r->names);
    return rc;
}

int lw_archive_read_bytes(struct lw_mem *mem, struct lw_str name, struct lw_str bytes,
                          const struct lw_archive_limits *limits, lw_archive_fn each,
                          void *data, struct lw_err *err)
{
    struct reader r = {.mem = mem,
                       .name = name,
                       .bytes = bytes,
                       .fd = -1,
                       .limits = limits,
                       .each = each,
                       .data = data,
                       .err = err};
    return read_all(&r);
}

int lw_archive_read_file(struct lw_mem *mem, const char *path,
                         const struct lw_archive_limits *limits, lw_archive_fn each, void *data,
                         struct lw_err *err)
{
    struct reader r = {.mem = mem,
                       .name = lw_str(path),
                       .limits = limits,
                       .each = each,
                       .data = data,
                       .err = err};
    struct stat st;
    r.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (r.fd < 0)
        return lw_err_system(err, errno, "cannot open", lw_str(path));
    int rc = fstat(r.fd, &st) == 0 && S_ISREG(st.st_mode)
                 ? read_all(&r)
                 : lw_err_set(err, LW_EINVAL, "'%s' is not a regular file", path);
    close(r.fd);
    return rc;
}

/* ---- One specimen -------------------------------------------------------------------------
 */

struct gathering {
    const char *name;
    lw_file_vec *files;
    struct lw_arena *arena;
    struct lw_mem *mem;
};

static int gather(void *data, struct lw_str path, struct lw_str content, struct lw_err *err)
{
    struct gathering *g = data;
    struct lw_file f = {lw_arena_copy(g->arena, path), lw_arena_copy(g->arena, content)};
    if (g->files->n >= LW_SPECIMEN_FILES)
        return lw_err_set(err, LW_ELIMIT, "%s: a specimen has at most %d files", g->name,
                          LW_SPECIMEN_FILES);
    if (!f.path.p || !f.content.p || lw_vec_push(g->mem, g->files, f) < 0)
        return lw_err_nomem(err);
    return 0;
}

/* Where bug.ini is not at the top, takes the only folder off all names. */
static int strip_folder(lw_file_vec *files, const char *name, struct lw_err *err)
{
    if (lw_file_find(files, LW_S("bug.ini")) || files->n == 0)
        return 0;
    ptrdiff_t slash = lw_str_find_char(files->v[0].path, '/');
    struct lw_str folder = lw_str_part(files->v[0].path, 0, (size_t)(slash + 1));
    for (size_t i = 0; i < files->n; i++)
        if (slash < 0 || !lw_str_has_prefix(files->v[i].path, folder))
            return lw_err_set(err, LW_EINVAL,
                              "%s: there is no bug.ini at the top, and no single folder", name);
    for (size_t i = 0; i < files->n; i++)
        files->v[i].path = lw_str_from(files->v[i].path, folder.n);
    return 0;
}

int lw_archive_specimen(lw_file_vec *files, struct lw_arena *arena, struct lw_mem *mem,
                        const char *path, struct lw_str bytes, struct lw_err *err)
{
    struct gathering g = {path ? path : "submission", files, arena, mem};
    int rc = path ? lw_archive_read_file(mem, path, &lw_archive_one, gather, &g, err)
                  : lw_archive_read_bytes(mem, LW_S("submission"), bytes, &lw_archive_one,
                                          gather, &g, err);
    return rc < 0 ? rc : strip_folder(files, g.name, err);
}
