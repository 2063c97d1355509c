#include "catalog/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "catalog/archive_api.h"

enum {
    MAX_NAME = 512,
    MAX_PART = 200,
    MAX_DEPTH = 16,
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
    struct lw_str bytes; /* what is left, when in memory */
    int fd;              /* else -1 */
    char *chunk;
    int read_error;
    struct archive *archive;
    const struct lw_archive_limits *limits;
    uint64_t members, total;
    struct lw_arena arena; /* names */
    struct lw_map seen;    /* folded name -> 1 file, 2 folder */
    struct lw_buf content;
    lw_archive_fn each;
    void *data;
    struct lw_err *err;
};

/* ---- Names --------------------------------------------------------------------------------
 */

static int refuse(struct reader *r, struct lw_str member, const char *why)
{
    char shown[128];
    size_t n = 0;
    for (size_t i = 0; i < member.n && n < sizeof shown - 5; i++) {
        unsigned char c = (unsigned char)member.p[i];
        if (c >= 0x20 && c < 0x7f)
            shown[n++] = (char)c;
        else
            n += (size_t)snprintf(shown + n, 5, "\\x%02X", c);
    }
    shown[n] = '\0';
    return lw_err_set(r->err, LW_EINVAL, "%.*s: member '%s' is refused: %s", LW_F(r->name),
                      shown, why);
}

/* What is wrong with one part of a name, or NULL. */
static const char *part_trouble(struct lw_str part)
{
    if (part.n == 0)
        return "it has an empty part";
    if (part.n > MAX_PART)
        return "a part of it is too long";
    if (lw_str_eq(part, LW_S(".")) || lw_str_eq(part, LW_S("..")))
        return "'.' and '..' are not allowed";
    if (part.p[part.n - 1] == '.' || part.p[part.n - 1] == ' ' || part.p[0] == ' ')
        return "a part of it begins or ends with a blank or ends with a dot";
    return NULL;
}

static const char *name_trouble(struct lw_str path)
{
    size_t depth = 0;
    struct lw_str rest = path, part;
    if (path.n == 0)
        return "it has no name";
    if (path.n > MAX_NAME)
        return "its name is too long";
    if (path.p[0] == '/')
        return "its name is absolute";
    for (size_t i = 0; i < path.n; i++) {
        unsigned char c = (unsigned char)path.p[i];
        if (c < 0x20 || c >= 0x7f)
            return "its name has characters other than printable ASCII";
        if (strchr("\\:*?\"<>|", c))
            return "its name has a character that not every system allows";
    }
    while (lw_str_split(&rest, '/', &part)) {
        const char *why = part_trouble(part);
        if (why)
            return why;
        if (++depth > MAX_DEPTH)
            return "it lies too deep";
    }
    return NULL;
}

/* Notes the folded name; what it is already, or 0. -1: no memory. */
static int note_name(struct reader *r, struct lw_str path, uint64_t kind)
{
    struct lw_str folded = lw_arena_copy(&r->arena, path);
    bool is_new;
    if (!folded.p)
        return -1;
    char *p = (char *)(uintptr_t)folded.p;
    for (size_t i = 0; i < folded.n; i++)
        if (p[i] >= 'A' && p[i] <= 'Z')
            p[i] = (char)(p[i] + 32);
    struct lw_map_entry *e = lw_map_put(&r->seen, folded, &is_new);
    if (!e)
        return -1;
    if (is_new)
        e->value = kind;
    return is_new ? 0 : (int)e->value;
}

enum { IS_FILE = 1, IS_FOLDER = 2 };

/* The name is new, and no part of its way is a file. */
static int claim_name(struct reader *r, struct lw_str path, bool is_folder)
{
    for (size_t i = 0; i < path.n; i++)
        if (path.p[i] == '/') {
            int before = note_name(r, lw_str_part(path, 0, i), IS_FOLDER);
            if (before < 0)
                return lw_err_nomem(r->err);
            if (before == IS_FILE)
                return refuse(r, path, "a part of its way is a file");
        }
    int before = note_name(r, path, is_folder ? IS_FOLDER : IS_FILE);
    if (before < 0)
        return lw_err_nomem(r->err);
    if (before == 0 || (is_folder && before == IS_FOLDER))
        return 0;
    return refuse(r, path, "the name is there already, perhaps in other letter case");
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
    return lw_err_set(r->err, LW_EINVAL, "%.*s: not an archive that can be read: %s",
                      LW_F(r->name), why ? why : "it is damaged");
}

static int check_sums(struct reader *r)
{
    uint64_t in = (uint64_t)r->api.filter_bytes(r->archive, -1);
    if (r->total > r->limits->bytes)
        return too_large(r, "holds too many bytes");
    if (r->total > FREE_BYTES && in > 0 && r->total / in > RATIO)
        return too_large(r, "grows too much when it is unpacked");
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

static int read_member(struct reader *r, struct archive_entry *entry)
{
    const char *name = r->api.entry_pathname(entry);
    struct lw_str path = name ? lw_str(name) : LW_S("");
    bool is_folder = r->api.entry_filetype(entry) == AE_IFDIR;
    if (++r->members > r->limits->members)
        return too_large(r, "has too many members");
    if (is_folder && path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    if (path.n > 2 && path.p[0] == '.' && path.p[1] == '/')
        path = lw_str_from(path, 2); /* as `tar c .` writes them */
    else if (is_folder && lw_str_eq(path, LW_S(".")))
        return 0;
    const char *why = name_trouble(path);
    if (!why)
        why = kind_trouble(r, entry);
    if (why)
        return refuse(r, path, why);
    if (r->api.entry_size_is_set(entry) &&
        r->api.entry_size(entry) > (la_int64_t)r->limits->file_bytes)
        return refuse(r, path, "it is too large");
    if (claim_name(r, path, is_folder) < 0)
        return r->err->code;
    if (is_folder)
        return 0;
    /* The name belongs to the entry, which is read over by the content. */
    struct lw_str kept = lw_arena_copy(&r->arena, path);
    if (!kept.p)
        return lw_err_nomem(r->err);
    int rc = read_content(r);
    return rc < 0 ? rc : r->each(r->data, kept, lw_buf_str(&r->content), r->err);
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
            return r->members ? 0
                              : lw_err_set(r->err, LW_EINVAL, "%.*s: the archive is empty",
                                           LW_F(r->name));
        if (got != ARCHIVE_OK)
            return damaged(r);
        if (read_member(r, entry) < 0)
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
    lw_arena_init(&r->arena, r->mem, 0);
    lw_map_init(&r->seen, r->mem);
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
    lw_map_release(&r->seen);
    lw_arena_release(&r->arena);
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
