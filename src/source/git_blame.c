#include "source/git_blame.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "source/git_queue.h"
#include "source/git_rename.h"

/* Lines of the file asked about, as lines of a version. All from 0. */
struct piece {
    uint32_t final; /* first line in the file asked about */
    uint32_t line;  /* first line in the version */
    uint32_t count;
};

typedef LW_VEC(struct piece) piece_vec;

/* A version of the file: one path in one commit. */
struct version {
    struct gt_node *node;
    struct lw_str path;
    struct gt_spot spot;
    git_odb_object *object; /* its content while it is needed; owned */
    piece_vec suspects;     /* what it may have written; owned */
    struct version *next;   /* another of the same commit */
    struct version *older;  /* another that was made before; all are in one list */
};

/* Versions of one commit, or one of them. */
struct chain {
    struct version *first;
};

struct guilty {
    struct piece piece;
    const struct version *version;
};

/* What differs between a version and its parent, in lines from 0. */
struct hunk {
    uint32_t old_start, old_count, start, count;
};

struct blaming {
    lw_git *git;
    struct lw_arena *arena; /* versions and their paths */
    struct gt_queue queue;
    LW_VEC(struct chain) of; /* per node: its versions */
    struct version *all;
    LW_VEC(struct guilty) done;
    LW_VEC(struct hunk) hunks;
    struct lw_err *err;
};

/* ---- Versions ---------------------------------------------------------------------------- */

static struct version **versions_of(struct blaming *b, const struct gt_node *node)
{
    size_t want = b->git->nodes.n;
    if (node->index >= b->of.n) {
        if (lw_vec_reserve(b->git->mem, &b->of, want - b->of.n) < 0)
            return NULL;
        memset(b->of.v + b->of.n, 0, (want - b->of.n) * sizeof *b->of.v);
        b->of.n = want;
    }
    return &b->of.v[node->index].first;
}

static int get_version(struct blaming *b, struct gt_node *node, struct lw_str path,
                       const struct gt_spot *spot, struct version **out)
{
    struct version **first = versions_of(b, node);
    if (!first)
        return lw_err_nomem(b->err);
    for (*out = *first; *out; *out = (*out)->next)
        if (lw_str_eq((*out)->path, path))
            return 0;
    struct version *v = lw_arena_alloc(b->arena, sizeof *v);
    if (!v)
        return lw_err_nomem(b->err);
    v->path = lw_arena_copy(b->arena, path);
    if (!v->path.p)
        return lw_err_nomem(b->err);
    v->node = node;
    v->spot = *spot;
    v->next = *first;
    v->older = b->all;
    b->all = *first = *out = v;
    return 0;
}

/* LW_ENOENT and so on when it cannot be read. */
static int content_of(struct blaming *b, struct version *v, struct lw_str *text)
{
    int rc = 0;
    if (!v->object)
        rc = gt_object_read(b->git, &v->spot.id, GIT_OBJECT_BLOB, GT_MAX_BLOB, &v->object,
                            b->err);
    if (rc == 0)
        *text = gt_object_text(b->git, v->object);
    return rc;
}

/* The commit waits while one of its versions is suspect. */
static int suspect(struct blaming *b, struct version *v, struct piece piece)
{
    bool waits = false;
    for (struct version *o = b->of.v[v->node->index].first; o; o = o->next)
        waits = waits || o->suspects.n;
    if (lw_vec_push(b->git->mem, &v->suspects, piece) < 0)
        return lw_err_nomem(b->err);
    return waits ? 0 : gt_queue_put(b->git, &b->queue, v->node, b->err);
}

/* ---- Parents ----------------------------------------------------------------------------- */

/* The file under the same path in the parent, or NULL. */
static int same_path(struct blaming *b, struct version *v, struct gt_node *parent,
                     struct version **out)
{
    struct gt_spot old_spot, new_spot;
    bool same;
    *out = NULL;
    int rc = gt_tree_find_both(b->git, &parent->tree, &v->node->tree, v->path, &old_spot,
                               &new_spot, &same, b->err);
    if (rc < 0)
        return gt_is_trouble(rc) ? 0 : rc;
    if (same)
        return get_version(b, parent, v->path, &v->spot, out);
    if ((old_spot.mode & 0170000) != (new_spot.mode & 0170000))
        return 0;
    return get_version(b, parent, v->path, &old_spot, out);
}

/* The file from which this one was renamed, or NULL. */
static int other_path(struct blaming *b, struct version *v, struct gt_node *parent,
                      struct version **out)
{
    struct gt_source source = {
        .old_tree = &parent->tree, .new_tree = &v->node->tree, .path = v->path};
    *out = NULL;
    int rc = gt_rename_source(b->git, b->arena, &source, b->err);
    if (rc < 0 || source.from.n == 0)
        return gt_is_trouble(rc) ? 0 : rc;
    return get_version(b, parent, source.from, &source.spot, out);
}

static int pass_all(struct blaming *b, struct version *v, struct version *parent)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < v->suspects.n; i++)
        rc = suspect(b, parent, v->suspects.v[i]);
    if (rc == 0)
        v->suspects.n = 0;
    return rc;
}

/* Finds this file in each parent, first under its own path, then as a rename. One with the same
 * content takes everything, which leaves no suspects. */
static int find_parents(struct blaming *b, struct version *v, struct chain *found)
{
    int rc = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; rc == 0 && i < v->node->parent_count; i++) {
            struct gt_node *parent;
            struct version *p = NULL;
            if (found[i].first)
                continue;
            rc = gt_node_parent(b->git, v->node, i, &parent, b->err);
            if (rc == 0 && parent->state == GT_READ)
                rc = pass == 0 ? same_path(b, v, parent, &p) : other_path(b, v, parent, &p);
            if (rc < 0 || !p)
                continue;
            if (lw_git_id_eq(&p->spot.id, &v->spot.id))
                return pass_all(b, v, p);
            bool twice = false;
            for (uint32_t k = 0; k < i; k++)
                twice = twice ||
                        (found[k].first && lw_git_id_eq(&found[k].first->spot.id, &p->spot.id));
            if (!twice)
                found[i].first = p;
        }
    }
    return rc;
}

/* ---- Lines ------------------------------------------------------------------------------- */

static int add_hunk(void *data, const struct lw_git_hunk *h)
{
    struct blaming *b = data;
    /* Of an empty side the line before is given. */
    struct hunk hunk = {h->old_count ? h->old_start - 1 : h->old_start, h->old_count,
                        h->new_count ? h->new_start - 1 : h->new_start, h->new_count};
    return lw_vec_push(b->git->mem, &b->hunks, hunk) < 0 ? lw_err_nomem(b->err) : 0;
}

/* The first hunk that ends behind `line`. */
static size_t hunk_behind(const struct blaming *b, uint32_t line)
{
    size_t low = 0, high = b->hunks.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct hunk *h = &b->hunks.v[middle];
        if (h->start + h->count > line)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Cuts the piece at the hunks: what is in none goes to the parent, the rest to `kept`. */
static int split(struct blaming *b, struct piece piece, struct version *parent, piece_vec *kept)
{
    size_t i = hunk_behind(b, piece.line);
    int rc = 0;
    while (rc == 0 && piece.count) {
        const struct hunk *h = i < b->hunks.n ? &b->hunks.v[i] : NULL;
        const struct hunk *before = i > 0 ? &b->hunks.v[i - 1] : NULL;
        struct piece part = piece;
        if (h && piece.line >= h->start) {
            uint32_t rest = h->start + h->count - piece.line;
            part.count = rest < piece.count ? rest : piece.count;
            if (part.count && lw_vec_push(b->git->mem, kept, part) < 0)
                rc = lw_err_nomem(b->err);
            i++;
        } else {
            uint32_t rest = h ? h->start - piece.line : piece.count;
            part.count = rest < piece.count ? rest : piece.count;
            if (before) /* wraps around where lines were added */
                part.line +=
                    before->old_start + before->old_count - (before->start + before->count);
            rc = suspect(b, parent, part);
        }
        piece.final += part.count;
        piece.line += part.count;
        piece.count -= part.count;
    }
    return rc;
}

static int pass_lines(struct blaming *b, struct version *v, struct version *parent)
{
    struct lw_str old_text, text;
    struct lw_git_patch_fns fns = {.hunk = add_hunk, .data = b};
    piece_vec kept = {0};
    b->hunks.n = 0;
    int rc = content_of(b, v, &text);
    if (rc == 0)
        rc = content_of(b, parent, &old_text);
    if (rc < 0)
        return gt_is_trouble(rc) ? 0 : rc;
    rc = lw_git_patch_texts(b->git, old_text, text, 0, &fns, b->err);
    for (size_t i = 0; rc == 0 && i < v->suspects.n; i++)
        rc = split(b, v->suspects.v[i], parent, &kept);
    lw_vec_release(b->git->mem, &v->suspects);
    v->suspects.v = kept.v;
    v->suspects.n = kept.n;
    v->suspects.cap = kept.cap;
    return rc;
}

/* ---- The walk ---------------------------------------------------------------------------- */

static int pass_to_parents(struct blaming *b, struct version *v)
{
    struct chain few[4] = {{NULL}}, *found = few;
    uint32_t n = v->node->parent_count;
    if (n > sizeof few / sizeof *few)
        found = lw_arena_array(b->arena, n, sizeof *found);
    if (!found)
        return lw_err_nomem(b->err);
    int rc = find_parents(b, v, found);
    for (uint32_t i = 0; rc == 0 && i < n && v->suspects.n; i++)
        if (found[i].first)
            rc = pass_lines(b, v, found[i].first);
    return rc;
}

static int convict(struct blaming *b, struct version *v)
{
    for (size_t i = 0; i < v->suspects.n; i++) {
        struct guilty g = {v->suspects.v[i], v};
        if (lw_vec_push(b->git->mem, &b->done, g) < 0)
            return lw_err_nomem(b->err);
    }
    v->suspects.n = 0;
    return 0;
}

static int judge(struct blaming *b, struct version *v)
{
    int rc = gt_canceled(b->git, b->err);
    if (rc == 0)
        rc = pass_to_parents(b, v);
    if (rc == 0)
        rc = convict(b, v);
    gt_object_free(b->git, v->object);
    v->object = NULL;
    lw_vec_release(b->git->mem, &v->suspects);
    memset(&v->suspects, 0, sizeof v->suspects);
    return rc;
}

static int walk(struct blaming *b)
{
    uint32_t at;
    int rc = 0;
    while (rc == 0 && (at = gt_queue_take(&b->queue)) != GT_NONE)
        for (struct version *v = b->of.v[at].first; rc == 0 && v; v = v->next)
            if (v->suspects.n)
                rc = judge(b, v);
    return rc;
}

static int by_final(const void *a, const void *b)
{
    const struct guilty *x = a, *y = b;
    return (x->piece.final > y->piece.final) - (x->piece.final < y->piece.final);
}

static int collect(struct blaming *b, struct lw_git_blame *blame)
{
    struct lw_git_blame_span *v = lw_arena_array(b->arena, b->done.n, sizeof *v);
    size_t n = 0;
    if (!v)
        return lw_err_nomem(b->err);
    if (b->done.n)
        qsort(b->done.v, b->done.n, sizeof *b->done.v, by_final);
    for (size_t i = 0; i < b->done.n; i++) {
        const struct guilty *g = &b->done.v[i];
        struct lw_git_blame_span *last = n ? &v[n - 1] : NULL;
        bool joins = last && i && b->done.v[i - 1].version == g->version &&
                     last->origin_line + last->count == g->piece.line + 1;
        if (joins)
            last->count += g->piece.count;
        else
            v[n++] = (struct lw_git_blame_span){g->piece.final + 1, g->piece.count,
                                                g->version->node->id, g->version->path,
                                                g->piece.line + 1};
    }
    *blame = (struct lw_git_blame){v, n};
    return 0;
}

static uint32_t count_lines(struct lw_str text)
{
    size_t n = 0;
    struct lw_str line;
    while (lw_str_split(&text, '\n', &line))
        n++;
    return (uint32_t)n; /* fewer than GT_MAX_BLOB */
}

static int start(struct blaming *b, const struct lw_git_id *commit, struct lw_str path,
                 const struct lw_git_blame_options *options)
{
    struct lw_git_entry entry;
    struct gt_node *node;
    struct version *v;
    struct lw_str text;
    int rc = lw_git_tree_find(b->git, commit, path, &entry, b->err);
    if (rc == 0)
        rc = gt_node_get(b->git, commit, &node, b->err);
    if (rc == 0 && entry.kind != LW_GIT_FILE && entry.kind != LW_GIT_LINK)
        rc = lw_err_set(b->err, LW_EINVAL, "'%.*s' is not a file", LW_F(path));
    if (rc == 0)
        rc = get_version(b, node, path, &(struct gt_spot){entry.mode, entry.id}, &v);
    if (rc == 0)
        rc = content_of(b, v, &text);
    if (rc < 0)
        return rc;
    uint32_t lines = count_lines(text);
    uint32_t first = options && options->first ? options->first : 1;
    uint32_t last = options && options->last ? options->last : lines;
    if (last > lines || first > last + 1 || (first > last && lines))
        return lw_err_set(b->err, LW_EINVAL, "'%.*s' has only lines 1 to %u", LW_F(path),
                          lines);
    return lines ? suspect(b, v, (struct piece){first - 1, first - 1, last - first + 1}) : 0;
}

int lw_git_blame(lw_git *git, struct lw_arena *arena, const struct lw_git_id *commit,
                 struct lw_str path, const struct lw_git_blame_options *options,
                 struct lw_git_blame *blame, struct lw_err *err)
{
    struct blaming b = {.git = git, .arena = arena, .err = err};
    *blame = (struct lw_git_blame){NULL, 0};
    int rc = start(&b, commit, path, options);
    if (rc == 0)
        rc = walk(&b);
    if (rc == 0)
        rc = collect(&b, blame);
    for (struct version *v = b.all; v; v = v->older) {
        gt_object_free(git, v->object);
        lw_vec_release(git->mem, &v->suspects);
    }
    gt_queue_release(git, &b.queue);
    lw_vec_release(git->mem, &b.of);
    lw_vec_release(git->mem, &b.done);
    lw_vec_release(git->mem, &b.hunks);
    return rc;
}
