#include "catalog/group.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "catalog/mirror.h"
#include "source/text.h"

static const double ALIKE = 0.36, ALIKE_SAME_LEAF = 0.25;

/* Room for both versions of a file, used again for the next. */
struct shaping {
    struct lw_tree tree[2];
    struct lw_names names[2];
    struct lw_treediff diff;
};

static void shaping_init(struct shaping *s, struct lw_mem *mem)
{
    for (int i = 0; i < 2; i++) {
        lw_tree_init(&s->tree[i], mem);
        lw_names_init(&s->names[i], mem);
    }
    lw_treediff_init(&s->diff, mem);
}

static void shaping_release(struct shaping *s)
{
    lw_treediff_release(&s->diff);
    for (int i = 0; i < 2; i++) {
        lw_names_release(&s->names[i]);
        lw_tree_release(&s->tree[i]);
    }
}

/* Adds what changed in one file; one that is not Python, or new, has no shape. */
static int shape_change(struct lw_edit_shape *shape, struct shaping *s,
                        const struct lw_change *c, struct lw_arena *arena, struct lw_err *err)
{
    if (!lw_str_has_suffix(c->path, LW_S(".py")) || !c->text[0].p || !c->text[1].p)
        return 0;
    for (int i = 0; i < 2; i++) {
        struct lw_source source;
        int rc = lw_source_decode(&source, arena, c->path, c->text[i], err);
        if (rc == 0)
            rc = lw_tree_parse(&s->tree[i], source.text, err);
        if (rc == 0)
            rc = lw_names_build(&s->names[i], &s->tree[i], err);
        if (rc < 0)
            return rc == LW_ENOMEM ? rc : 0;
    }
    if (lw_treediff_build(&s->diff, &s->tree[0], &s->tree[1], err) < 0)
        return err->code;
    return lw_edit_shape_add(shape, &s->diff, &s->names[0], &s->names[1], err);
}

struct loading {
    struct lw_fixes *fixes;
    lw_catalog *catalog;
    const char *mirror;
    struct shaping shaping;
    struct lw_arena arena; /* of one bug */
};

static int note_bug(void *data, const struct lw_bug *bug)
{
    struct lw_fixes *f = data;
    struct lw_fix fix = {
        .id = lw_arena_copy(&f->arena, bug->id),
        .title = lw_arena_copy(&f->arena, bug->title),
        .category = lw_arena_copy(&f->arena, bug->category),
        .leaf = lw_arena_copy(&f->arena, bug->leaf),
        .source = lw_arena_copy(&f->arena, bug->source),
    };
    if (f->v.n >= LW_FIXES_MOST)
        return LW_ELIMIT;
    lw_edit_shape_init(&fix.shape, f->mem);
    if (!fix.id.p || !fix.title.p || !fix.category.p || !fix.leaf.p || !fix.source.p)
        return LW_ENOMEM;
    return lw_vec_push(f->mem, &f->v, fix);
}

/* Both sides of a bug, from wherever they are; none where they are not at hand. */
static int read_changes(struct loading *l, struct lw_str id, lw_change_vec *changes,
                        struct lw_err *err)
{
    lw_catalog *c = l->catalog;
    struct lw_bug bug;
    lw_file_vec files = {0};
    lw_git *git = NULL;
    int rc = c->store->ops->find(c->store, id, &l->arena, &bug, err);
    if (rc < 0)
        return rc;
    if (bug.git_url.n == 0) {
        rc = catalog_files(c, id, &l->arena, &files, err);
        if (rc == 0)
            rc = lw_specimen_changes(&files, c->ctx.mem, changes, err);
        lw_vec_release(c->ctx.mem, &files);
        return rc;
    }
    if (!l->mirror)
        return 0;
    rc = lw_mirror_open(&git, &c->ctx, &bug, l->mirror, err);
    if (rc == LW_EMISSING || rc == LW_ENOENT)
        return 0;
    if (rc == 0)
        rc = lw_mirror_changes(git, &bug, &l->arena, c->ctx.mem, changes, err);
    if (rc == 0)
        rc = lw_changes_isolate(changes, &l->arena, c->ctx.mem, err);
    lw_git_close(git);
    return rc;
}

static int load_one(struct loading *l, struct lw_fix *fix, struct lw_err *err)
{
    lw_change_vec changes = {0};
    lw_arena_clear(&l->arena);
    int rc = read_changes(l, fix->id, &changes, err);
    for (size_t i = 0; rc == 0 && i < changes.n; i++)
        rc = shape_change(&fix->shape, &l->shaping, &changes.v[i], &l->arena, err);
    if (rc == 0)
        lw_edit_shape_finish(&fix->shape);
    lw_vec_release(l->catalog->ctx.mem, &changes);
    return rc;
}

int lw_fixes_load(struct lw_fixes *f, lw_catalog *catalog, const char *mirror,
                  struct lw_err *err)
{
    struct loading l = {.fixes = f, .catalog = catalog, .mirror = mirror};
    struct store *store = catalog->store;
    *f = (struct lw_fixes){.mem = catalog->ctx.mem};
    lw_arena_init(&f->arena, f->mem, 0);
    lw_arena_init(&l.arena, f->mem, 0);
    shaping_init(&l.shaping, f->mem);
    int rc = store->ops->list(store, &(struct lw_query){0}, note_bug, f, err);
    if (rc == LW_ENOMEM)
        lw_err_nomem(err);
    if (rc == LW_ELIMIT)
        lw_err_set(err, LW_ELIMIT, "fixes are compared in catalogues of up to %d bugs",
                   LW_FIXES_MOST);
    for (size_t i = 0; rc == 0 && i < f->v.n; i++)
        rc = load_one(&l, &f->v.v[i], err);
    shaping_release(&l.shaping);
    lw_arena_release(&l.arena);
    return rc;
}

void lw_fixes_release(struct lw_fixes *f)
{
    for (size_t i = 0; i < f->v.n; i++)
        lw_edit_shape_release(&f->v.v[i].shape);
    lw_vec_release(f->mem, &f->v);
    lw_arena_release(&f->arena);
}

ptrdiff_t lw_fixes_find(const struct lw_fixes *f, struct lw_str id)
{
    for (size_t i = 0; i < f->v.n; i++)
        if (lw_str_eq(f->v.v[i].id, id))
            return (ptrdiff_t)i;
    return -1;
}

double lw_fixes_alike(const struct lw_fixes *f, size_t a, size_t b)
{
    const struct lw_edit_shape *x = &f->v.v[a].shape, *y = &f->v.v[b].shape;
    return x->finished && y->finished ? lw_edit_similarity(x, y) : 0;
}

bool lw_fixes_same_group(const struct lw_fixes *f, size_t a, size_t b)
{
    const struct lw_fix *x = &f->v.v[a], *y = &f->v.v[b];
    if (a == b || !lw_str_eq(x->category, y->category))
        return false;
    bool same_leaf = x->leaf.n && lw_str_eq(x->leaf, y->leaf);
    return lw_fixes_alike(f, a, b) >= (same_leaf ? ALIKE_SAME_LEAF : ALIKE);
}

/* ---- Into the catalogue --------------------------------------------------------------------
 */

/* Those whose groups are ours to say. */
static bool is_ours(const struct lw_fix *fix)
{
    return lw_str_eq(fix->source, LW_S("specimen")) ||
           lw_str_eq(fix->source, LW_S("submission"));
}

static int store_group(lw_catalog *catalog, const struct lw_fixes *f, size_t at,
                       struct lw_err *err)
{
    struct store *store = catalog->store;
    LW_VEC(struct lw_str) others = {0};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < f->v.n; i++)
        if (is_ours(&f->v.v[i]) && lw_fixes_same_group(f, at, i) &&
            lw_vec_push(f->mem, &others, f->v.v[i].id) < 0)
            rc = lw_err_nomem(err);
    if (rc == 0)
        rc = store->ops->relate(store, STORE_SIMILAR, f->v.v[at].id, others.v, others.n, err);
    if (rc == 0)
        rc = store->ops->set_support(store, f->v.v[at].id, (int64_t)others.n + 1, err);
    lw_vec_release(f->mem, &others);
    return rc;
}

int lw_regroup(lw_catalog *catalog, struct lw_err *err)
{
    struct lw_fixes f;
    int rc = lw_fixes_load(&f, catalog, NULL, err);
    for (size_t i = 0; rc == 0 && i < f.v.n; i++)
        if (is_ours(&f.v.v[i]))
            rc = store_group(catalog, &f, i, err);
    lw_fixes_release(&f);
    return rc == LW_ELIMIT ? 0 : rc;
}
