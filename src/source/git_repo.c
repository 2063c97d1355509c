/* The handle, and raw objects with their troubles. */
#include "source/git_repo.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "source/git_internal.h"
#include "source/git_rename.h"

/* ---- Names of objects -------------------------------------------------------------------- */

bool lw_git_id_eq(const struct lw_git_id *a, const struct lw_git_id *b)
{
    return memcmp(a->b, b->b, sizeof a->b) == 0;
}

bool lw_git_id_is_zero(const struct lw_git_id *id)
{
    static const struct lw_git_id zero;
    return lw_git_id_eq(id, &zero);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool lw_git_id_parse(struct lw_str text, struct lw_git_id *id)
{
    if (text.n != 2 * LW_GIT_ID_BYTES)
        return false;
    for (size_t i = 0; i < LW_GIT_ID_BYTES; i++) {
        int high = hex_digit(text.p[2 * i]), low = hex_digit(text.p[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        id->b[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

const char *lw_git_id_print(const struct lw_git_id *id, char out[LW_GIT_ID_TEXT])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < LW_GIT_ID_BYTES; i++) {
        out[2 * i] = digits[id->b[i] >> 4];
        out[2 * i + 1] = digits[id->b[i] & 15];
    }
    out[2 * LW_GIT_ID_BYTES] = '\0';
    return out;
}

struct lw_str gt_id_key(const struct lw_git_id *id)
{
    return lw_str_n((const char *)id->b, sizeof id->b);
}

/* ---- The handle -------------------------------------------------------------------------- */

int lw_git_open(lw_git **out, const struct lw_ctx *ctx, const char *dir, struct lw_err *err)
{
    *out = NULL;
    lw_git *git = lw_mem_alloc(ctx->mem, sizeof *git);
    if (!git)
        return lw_err_nomem(err);
    *git = (lw_git){.ctx = ctx, .mem = ctx->mem};
    lw_arena_init(&git->arena, git->mem, 0);
    lw_map_init(&git->shallow, git->mem);
    lw_map_init(&git->packed, git->mem);
    lw_map_init(&git->node_of, git->mem);
    lw_map_init(&git->trees, git->mem);
    lw_map_init(&git->troubled, git->mem);
    int rc = gt_files_find(git, dir, err);
    if (rc == 0)
        rc = gt_files_check(git, err);
    if (rc < 0)
        lw_git_close(git);
    else
        *out = git;
    return rc;
}

/* libgit2 starts by reading all TLS certificates, some milliseconds: not before it is needed.
 */
int gt_objects_open(lw_git *git, struct lw_err *err)
{
    if (git->odb)
        return 0;
    int rc = gt_api_load(&git->api, err);
    if (rc == 0)
        rc = gt_odb_open(git, err);
    if (rc < 0 && git->odb) {
        git->api.odb_free(git->odb);
        git->odb = NULL;
    }
    return rc;
}

static void forget_trees(lw_git *git)
{
    for (size_t i = 0; i < git->trees.n; i++)
        gt_object_free(git, (git_odb_object *)(uintptr_t)git->trees.entries[i].value);
    lw_map_clear(&git->trees);
    git->tree_bytes = 0;
}

void lw_git_close(lw_git *git)
{
    if (!git)
        return;
    forget_trees(git);
    for (size_t i = 0; i < GT_RECENT; i++)
        gt_object_free(git, git->commits[i]);
    gt_similar_free(git);
    if (git->odb)
        git->api.odb_free(git->odb);
    lw_map_release(&git->shallow);
    lw_map_release(&git->packed);
    lw_map_release(&git->node_of);
    lw_map_release(&git->trees);
    lw_map_release(&git->troubled);
    lw_vec_release(git->mem, &git->packed_ids);
    lw_vec_release(git->mem, &git->packs);
    lw_vec_release(git->mem, &git->nodes);
    lw_arena_release(&git->arena);
    lw_mem_free(git->mem, git, sizeof *git);
}

bool lw_git_is_shallow(const lw_git *git)
{
    return git->shallow.n > 0;
}

bool lw_git_has_alternates(const lw_git *git)
{
    return git->has_alternates;
}

int gt_canceled(const lw_git *git, struct lw_err *err)
{
    return lw_ctx_canceled(git->ctx) ? lw_err_set(err, LW_ECANCEL, "interrupted") : 0;
}

/* ---- Troubles ---------------------------------------------------------------------------- */

const char *lw_git_trouble_name(enum lw_git_trouble kind)
{
    static const char *const names[LW_GIT_TROUBLES] = {"missing", "corrupt", "too large"};
    return names[kind];
}

void lw_git_on_trouble(lw_git *git, lw_git_trouble_fn *fn, void *data)
{
    git->trouble_fn = fn;
    git->trouble_data = data;
}

uint64_t lw_git_trouble_count(const lw_git *git, enum lw_git_trouble kind)
{
    return git->troubles[kind];
}

static int trouble_failed(lw_git *git, enum lw_git_trouble kind, const struct lw_git_id *id,
                          const char *what, struct lw_err *err)
{
    static const int codes[LW_GIT_TROUBLES] = {LW_ENOENT, LW_ECORRUPT, LW_ELIMIT};
    char hex[LW_GIT_ID_TEXT];
    bool elsewhere = kind == LW_GIT_MISSING && git->has_alternates;
    return lw_err_set(err, codes[kind], "%s %s is %s%s", what, lw_git_id_print(id, hex),
                      lw_git_trouble_name(kind),
                      elsewhere ? " (alternates of the repository are not followed)" : "");
}

int gt_trouble(lw_git *git, enum lw_git_trouble kind, const struct lw_git_id *id,
               const char *what, struct lw_err *err)
{
    if (!lw_map_find(&git->troubled, gt_id_key(id))) {
        struct lw_git_id *copy = lw_arena_alloc(&git->arena, sizeof *copy);
        if (!copy)
            return lw_err_nomem(err);
        *copy = *id;
        struct lw_map_entry *e = lw_map_put(&git->troubled, gt_id_key(copy), NULL);
        if (!e)
            return lw_err_nomem(err);
        e->value = kind;
        git->troubles[kind]++;
        if (git->trouble_fn)
            git->trouble_fn(git->trouble_data, kind, copy);
    }
    return trouble_failed(git, kind, id, what, err);
}

bool gt_is_trouble(int code)
{
    return code == LW_ENOENT || code == LW_ECORRUPT || code == LW_ELIMIT;
}

/* ---- Objects ----------------------------------------------------------------------------- */

static const char *type_name(git_object_t type)
{
    switch (type) {
    case GIT_OBJECT_COMMIT: return "commit";
    case GIT_OBJECT_TREE: return "tree";
    case GIT_OBJECT_BLOB: return "blob";
    case GIT_OBJECT_TAG: return "tag";
    default: return "object";
    }
}

/* Whether as much can be mapped and one more file be opened as libgit2 needs for a pack. It
 * forgets why it could not, and says that the object is missing. 0 or errno. */
static int try_to_map(const lw_git *git)
{
    size_t bytes =
        git->map_bytes < SIZE_MAX / 2 ? (size_t)git->map_bytes + (1 << 20) : SIZE_MAX;
    void *room =
        mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return errno;
    (void)munmap(room, bytes);
    int fd = open(git->folder.p, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    (void)close(fd);
    return 0;
}

int gt_lack(const lw_git *git, struct lw_err *err)
{
    int number = errno; /* that of a malloc that failed stays to the end */
    const git_error *e = git->api.error_last();
    if (e && e->klass == GIT_ERROR_NOMEMORY)
        number = ENOMEM;
    else if (!lw_errno_is_lack(number))
        number = e && e->klass == GIT_ERROR_OS && e->message ? lw_errno_of_lack(e->message) : 0;
    if (!lw_errno_is_lack(number))
        number = try_to_map(git);
    if (number == ENOMEM)
        return lw_err_nomem(err);
    return lw_errno_is_lack(number)
               ? lw_err_system(err, number, "cannot read the objects of", git->folder)
               : 0;
}

/* What libgit2's `code` means for us. */
static int odb_trouble(lw_git *git, int code, const struct lw_git_id *id, const char *what,
                       struct lw_err *err)
{
    bool large = errno == EFBIG; /* a base of it: see git_alloc.c */
    if (!large && gt_lack(git, err) < 0)
        return err->code;
    enum lw_git_trouble kind = code == GIT_ENOTFOUND ? LW_GIT_MISSING : LW_GIT_CORRUPT;
    return gt_trouble(git, large ? LW_GIT_LARGE : kind, id, what, err);
}

int gt_object_header(lw_git *git, const struct lw_git_id *id, git_object_t *type, size_t *size,
                     struct lw_err *err)
{
    /* A second look for a missing object would list all packs again, 50 µs each time. */
    struct lw_map_entry *known = lw_map_find(&git->troubled, gt_id_key(id));
    if (known && known->value != LW_GIT_LARGE)
        return trouble_failed(git, (enum lw_git_trouble)known->value, id, "object", err);
    if (gt_objects_open(git, err) < 0)
        return err->code;
    git_oid oid;
    memcpy(oid.id, id->b, sizeof oid.id);
    errno = 0;
    int rc = git->api.odb_read_header(size, type, git->odb, &oid);
    return rc < 0 ? odb_trouble(git, rc, id, "object", err) : 0;
}

int gt_object_read(lw_git *git, const struct lw_git_id *id, git_object_t type, size_t max,
                   git_odb_object **object, struct lw_err *err)
{
    size_t size = 0;
    git_object_t is = GIT_OBJECT_INVALID;
    *object = NULL;
    int rc = gt_object_header(git, id, &is, &size, err);
    if (rc < 0)
        return rc;
    if (is != type)
        return lw_err_set(err, LW_ECORRUPT, "expected a %s, found a %s", type_name(type),
                          type_name(is));
    if (size > max)
        return gt_trouble(git, LW_GIT_LARGE, id, type_name(type), err);
    return gt_object_read_known(git, id, type, object, err);
}

int gt_object_read_known(lw_git *git, const struct lw_git_id *id, git_object_t type,
                         git_odb_object **object, struct lw_err *err)
{
    if (gt_objects_open(git, err) < 0)
        return err->code;
    git_oid oid;
    memcpy(oid.id, id->b, sizeof oid.id);
    errno = 0;
    int rc = git->api.odb_read(object, git->odb, &oid);
    return rc < 0 ? odb_trouble(git, rc, id, type_name(type), err) : 0;
}

void gt_object_free(lw_git *git, git_odb_object *object)
{
    if (object)
        git->api.odb_object_free(object);
}

struct lw_str gt_object_text(lw_git *git, git_odb_object *object)
{
    return lw_str_n(git->api.odb_object_data(object), git->api.odb_object_size(object));
}

int gt_commit_read(lw_git *git, const struct lw_git_id *id, git_odb_object **object,
                   struct lw_err *err)
{
    git_odb_object **recent = &git->commits[(id->b[0] | id->b[1] << 8) % GT_RECENT];
    if (*recent && memcmp(git->api.odb_object_id(*recent)->id, id->b, sizeof id->b) == 0)
        return git->api.odb_object_dup(object, *recent) < 0 ? lw_err_nomem(err) : 0;
    int rc = gt_object_read(git, id, GIT_OBJECT_COMMIT, GT_MAX_COMMIT, object, err);
    if (rc < 0 || git->api.odb_object_size(*object) > GT_MAX_RECENT)
        return rc;
    gt_object_free(git, *recent);
    *recent = NULL;
    if (git->api.odb_object_dup(recent, *object) < 0)
        *recent = NULL; /* not kept, then */
    return 0;
}

enum { TREE_CACHE_BYTES = 64 << 20 };

int gt_tree_read(lw_git *git, const struct lw_git_id *id, git_odb_object **tree,
                 struct lw_err *err)
{
    struct lw_map_entry *e = lw_map_find(&git->trees, gt_id_key(id));
    if (e) {
        git_odb_object *known = (git_odb_object *)(uintptr_t)e->value;
        return git->api.odb_object_dup(tree, known) < 0 ? lw_err_nomem(err) : 0;
    }
    int rc = gt_object_read(git, id, GIT_OBJECT_TREE, GT_MAX_TREE, tree, err);
    if (rc < 0)
        return rc;
    size_t size = git->api.odb_object_size(*tree);
    if (git->tree_bytes + size > TREE_CACHE_BYTES)
        forget_trees(git);
    git_odb_object *kept = NULL;
    if (git->api.odb_object_dup(&kept, *tree) == 0) {
        /* The key is the object's own copy of its name. */
        const git_oid *oid = git->api.odb_object_id(kept);
        e = lw_map_put(&git->trees, lw_str_n((const char *)oid->id, sizeof oid->id), NULL);
        if (e) {
            e->value = (uintptr_t)kept;
            git->tree_bytes += size;
            return 0;
        }
        gt_object_free(git, kept);
    }
    gt_object_free(git, *tree);
    *tree = NULL;
    return lw_err_nomem(err);
}

/* ---- Blobs ------------------------------------------------------------------------------- */

int lw_git_blob(lw_git *git, struct lw_arena *arena, const struct lw_git_id *id, size_t max,
                struct lw_str *content, struct lw_err *err)
{
    git_odb_object *object;
    *content = (struct lw_str){NULL, 0};
    int rc = gt_object_read(git, id, GIT_OBJECT_BLOB, max, &object, err);
    if (rc < 0)
        return rc;
    *content = lw_arena_copy(arena, gt_object_text(git, object));
    gt_object_free(git, object);
    return content->p ? 0 : lw_err_nomem(err);
}

int lw_git_blob_size(lw_git *git, const struct lw_git_id *id, uint64_t *size,
                     struct lw_err *err)
{
    size_t bytes = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    int rc = gt_object_header(git, id, &type, &bytes, err);
    if (rc < 0)
        return rc;
    *size = bytes;
    return type == GIT_OBJECT_BLOB
               ? 0
               : lw_err_set(err, LW_EINVAL, "expected a blob, found a %s", type_name(type));
}

bool lw_git_is_binary(struct lw_str content)
{
    size_t n = content.n < 8000 ? content.n : 8000;
    return n > 0 && memchr(content.p, '\0', n) != NULL;
}
