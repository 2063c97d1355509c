/*
 * A repository may hold anything. The input, split at 0xff bytes, gives the contents of a few
 * loose objects (two commits, two trees, two blobs, one file as it is) and of packed-refs;
 * objects are stored under fixed names, as nothing hashes them again. Reading ends, and no path
 * leaves the repository.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/ctx.h"
#include "source/git_blame.h"
#include "source/git_commit.h"
#include "source/git_history.h"
#include "source/git_walk.h"
#include "source_invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_CONTENT = 60000 }; /* what one stored block of deflate can hold */

static char folder[4096]; /* of this process; removed at its end */

static void leave(void)
{
    struct lw_err err;
    (void)lw_dir_remove(folder, &err);
}

static void write_file(const char *name, const void *data, size_t n)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    INVARIANT(f != NULL);
    INVARIANT(fwrite(data, 1, n, f) == n);
    INVARIANT(fclose(f) == 0);
}

static void prepare(void)
{
    struct lw_buf made;
    struct lw_err err;
    lw_buf_init(&made, NULL, 0);
    INVARIANT(lw_temp_dir(&made, &err) == 0);
    snprintf(folder, sizeof folder, "%s", lw_buf_z(&made));
    lw_buf_release(&made);
    static const char *const folders[] = {
        "objects",    "objects/pack", "objects/11", "objects/22", "objects/33", "objects/44",
        "objects/55", "objects/66",   "objects/77", "refs",       "refs/heads"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s", folder, folders[i]);
        INVARIANT(mkdir(path, 0700) == 0);
    }
    write_file("HEAD", "ref: refs/heads/main\n", 21);
    write_file("refs/heads/main", "1111111111111111111111111111111111111111\n", 41);
    (void)atexit(leave);
}

/* zlib's wrapping of one stored block, so that no compressor is needed. */
static void write_object(char digit, const char *type, struct lw_str content)
{
    static unsigned char out[MOST_CONTENT + 64];
    char name[64], hex[41] = {0};
    if (content.n > MOST_CONTENT)
        content.n = MOST_CONTENT;
    unsigned char *body = out + 7;
    size_t head = (size_t)snprintf((char *)body, 40, "%s %zu", type, content.n) + 1;
    memcpy(body + head, content.p, content.n);
    size_t n = head + content.n;
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < n; i++) {
        a = (a + body[i]) % 65521;
        b = (b + a) % 65521;
    }
    const unsigned char front[7] = {0x78,
                                    0x01,
                                    0x01,
                                    (unsigned char)n,
                                    (unsigned char)(n >> 8),
                                    (unsigned char)~n,
                                    (unsigned char)(~n >> 8)};
    memcpy(out, front, sizeof front);
    for (int i = 0; i < 4; i++)
        body[n + (size_t)i] = (unsigned char)((b << 16 | a) >> (24 - 8 * i));
    memset(hex, digit, 40);
    snprintf(name, sizeof name, "objects/%.2s/%s", hex, hex + 2);
    write_file(name, out, n + 7 + 4);
}

/* ---- Using it ---------------------------------------------------------------------------- */

static void check_path(struct lw_str path)
{
    struct lw_str part;
    INVARIANT(path.n > 0 && path.p[path.n - 1] != '/');
    while (lw_str_split(&path, '/', &part))
        INVARIANT(part.n > 0 && !lw_str_eq(part, LW_S(".")) && !lw_str_eq(part, LW_S("..")));
}

static int see_entry(void *data, const struct lw_git_entry *e)
{
    (void)data;
    check_path(e->path);
    return 0;
}

static int see_step(void *data, const struct lw_git_step *step)
{
    (void)step;
    INVARIANT(++*(int *)data <= 8); /* each commit once, and there are two */
    return 0;
}

static int see_touch(void *data, const struct lw_git_touch *t)
{
    (void)data;
    check_path(t->change.path);
    return 0;
}

static int see_hunk(void *data, const struct lw_git_hunk *h)
{
    (void)data;
    (void)h;
    return 0;
}

static int see_line(void *data, const struct lw_git_line *l)
{
    (void)data;
    INVARIANT(l->origin == ' ' || l->origin == '+' || l->origin == '-');
    return 0;
}

static void diff(lw_git *git, struct lw_arena *arena, const struct lw_git_id *id)
{
    struct lw_git_changes changes;
    struct lw_git_patch_fns fns = {see_hunk, see_line, NULL};
    enum lw_git_content content;
    struct lw_err err;
    if (lw_git_diff_commit(git, arena, id, NULL, &changes, &err) < 0)
        return;
    for (size_t i = 0; i < changes.n && i < 20; i++) {
        check_path(changes.v[i].path);
        (void)lw_git_patch(git, &changes.v[i], 3, &fns, &content, &err);
    }
}

static void use(lw_git *git, struct lw_arena *arena)
{
    struct lw_git_id id;
    struct lw_git_refs refs;
    struct lw_git_commit commit;
    struct lw_git_blame blame;
    struct lw_err err;
    int steps = 0;
    (void)lw_git_refs(git, arena, &refs, &err);
    if (lw_git_resolve(git, LW_S("main"), &id, &err) < 0)
        return;
    (void)lw_git_commit(git, arena, &id, &commit, &err);
    struct lw_git_tree_options some = {.max_entries = 1000};
    (void)lw_git_tree_walk(git, &id, &some, see_entry, NULL, &err);
    struct lw_git_walk_options walk = {.from = &id, .from_count = 1};
    (void)lw_git_walk(git, &walk, see_step, &steps, &err);
    (void)lw_git_history(git, &id, LW_S("a"), NULL, see_touch, NULL, &err);
    (void)lw_git_blame(git, arena, &id, LW_S("a"), NULL, &blame, &err);
    diff(git, arena, &id);
}

/* The next part of the input. */
static struct lw_str part(struct lw_str *rest)
{
    ptrdiff_t at = lw_str_find_char(*rest, (char)0xff);
    size_t n = at < 0 ? rest->n : (size_t)at;
    struct lw_str p = lw_str_part(*rest, 0, n);
    *rest = lw_str_from(*rest, at < 0 ? n : n + 1);
    return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const types[] = {"commit", "tree", "commit", "tree", "blob", "blob"};
    struct lw_str rest = lw_str_n((const char *)data, size);
    struct lw_ctx ctx = {0};
    struct lw_arena arena;
    struct lw_err err;
    lw_git *git = NULL;
    if (!folder[0])
        prepare();
    for (int i = 0; i < 6; i++)
        write_object((char)('1' + i), types[i], part(&rest));
    struct lw_str raw = part(&rest);
    write_file("objects/77/77777777777777777777777777777777777777", raw.p, raw.n);
    write_file("packed-refs", rest.p, rest.n);
    lw_arena_init(&arena, NULL, 0);
    if (lw_git_open(&git, &ctx, folder, &err) == 0)
        use(git, &arena);
    lw_git_close(git);
    lw_arena_release(&arena);
    return 0;
}
