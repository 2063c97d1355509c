#include <errno.h>
#include "source/git_diff.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "source/git_rename.h"

/* ---- Changed files ----------------------------------------------------------------------- */

struct diffing {
    lw_git *git;
    struct lw_arena *arena;
    LW_VEC(struct lw_git_change) all;
};

static enum lw_git_status status_of(const struct gt_spot *old_spot,
                                    const struct gt_spot *new_spot)
{
    if (!old_spot->mode)
        return LW_GIT_ADDED;
    if (!new_spot->mode)
        return LW_GIT_DELETED;
    bool same_type = (old_spot->mode & 0170000) == (new_spot->mode & 0170000);
    return same_type ? LW_GIT_MODIFIED : LW_GIT_TYPE;
}

static int add_change(void *data, struct lw_str path, const struct gt_spot *old_spot,
                      const struct gt_spot *new_spot, struct lw_err *err)
{
    struct diffing *d = data;
    struct lw_git_change c = {
        .status = status_of(old_spot, new_spot),
        .path = lw_arena_copy(d->arena, path),
        .old_mode = old_spot->mode,
        .mode = new_spot->mode,
        .old_id = old_spot->id,
        .id = new_spot->id,
    };
    if (c.status != LW_GIT_ADDED)
        c.old_path = c.path;
    if (!c.path.p || lw_vec_push(d->git->mem, &d->all, c) < 0)
        return lw_err_nomem(err);
    return 0;
}

/* Turns pairs of added and deleted files into renames; the deletions go. */
static void apply_renames(struct diffing *d, const struct gt_rename *r)
{
    size_t target = 0, origin = 0, kept = 0;
    for (size_t i = 0; i < d->all.n; i++) {
        struct lw_git_change *c = &d->all.v[i];
        if (c->status == LW_GIT_DELETED && r->origins[origin++].used)
            continue;
        const struct gt_target *t = c->status == LW_GIT_ADDED ? &r->targets[target++] : NULL;
        if (t && t->origin != GT_NONE) {
            const struct gt_origin *o = &r->origins[t->origin];
            c->status = LW_GIT_RENAMED;
            c->similarity = (unsigned)((uint64_t)t->score * 100 / GT_SAME);
            c->old_path = o->path;
            c->old_mode = o->spot.mode;
            c->old_id = o->spot.id;
        }
        d->all.v[kept++] = *c;
    }
    d->all.n = kept;
}

static int find_renames(struct diffing *d, const struct lw_git_diff_options *options,
                        bool *skipped, struct lw_err *err)
{
    struct gt_rename r = {
        .least = (options->similarity ? options->similarity : 50) * (GT_SAME / 100),
        .limit = options->rename_limit ? options->rename_limit : GT_RENAME_LIMIT,
    };
    for (size_t i = 0; i < d->all.n; i++) {
        r.target_count += d->all.v[i].status == LW_GIT_ADDED;
        r.origin_count += d->all.v[i].status == LW_GIT_DELETED;
    }
    if (r.target_count == 0 || r.origin_count == 0)
        return 0;
    r.targets = lw_arena_array(d->arena, r.target_count, sizeof *r.targets);
    r.origins = lw_arena_array(d->arena, r.origin_count, sizeof *r.origins);
    if (!r.targets || !r.origins)
        return lw_err_nomem(err);
    size_t target = 0, origin = 0;
    for (size_t i = 0; i < d->all.n; i++) {
        const struct lw_git_change *c = &d->all.v[i];
        if (c->status == LW_GIT_ADDED)
            r.targets[target++] = (struct gt_target){c->path, {c->mode, c->id}, GT_NONE, 0};
        else if (c->status == LW_GIT_DELETED)
            r.origins[origin++] =
                (struct gt_origin){.path = c->path, .spot = {c->old_mode, c->old_id}};
    }
    int rc = gt_rename_find(d->git, &r, err);
    if (rc == 0)
        apply_renames(d, &r);
    *skipped = r.skipped;
    return rc;
}

static int diff_trees(lw_git *git, struct lw_arena *arena, const struct lw_git_id *old_tree,
                      const struct lw_git_id *new_tree,
                      const struct lw_git_diff_options *options, struct lw_git_changes *changes,
                      struct lw_err *err)
{
    static const struct lw_git_diff_options none;
    struct diffing d = {.git = git, .arena = arena};
    if (!options)
        options = &none;
    struct gt_compare how = {
        .old_tree = old_tree,
        .new_tree = new_tree,
        .under = options->under,
        .fn = add_change,
        .data = &d,
    };
    *changes = (struct lw_git_changes){0};
    int rc = gt_tree_compare(git, &how, err);
    if (rc == 0 && !options->no_renames)
        rc = find_renames(&d, options, &changes->renames_skipped, err);
    if (rc == 0) {
        struct lw_git_change *v = lw_arena_array(arena, d.all.n, sizeof *v);
        if (v && d.all.n)
            memcpy(v, d.all.v, d.all.n * sizeof *v);
        changes->v = v;
        changes->n = d.all.n;
        rc = v ? 0 : lw_err_nomem(err);
    }
    lw_vec_release(git->mem, &d.all);
    return rc;
}

int lw_git_diff(lw_git *git, struct lw_arena *arena, const struct lw_git_id *old_commit,
                const struct lw_git_id *new_commit, const struct lw_git_diff_options *options,
                struct lw_git_changes *changes, struct lw_err *err)
{
    struct gt_node *old_node = NULL, *new_node;
    int rc = old_commit ? gt_node_get(git, old_commit, &old_node, err) : 0;
    if (rc == 0)
        rc = gt_node_get(git, new_commit, &new_node, err);
    if (rc < 0)
        return rc;
    return diff_trees(git, arena, old_node ? &old_node->tree : NULL, &new_node->tree, options,
                      changes, err);
}

int lw_git_diff_commit(lw_git *git, struct lw_arena *arena, const struct lw_git_id *commit,
                       const struct lw_git_diff_options *options,
                       struct lw_git_changes *changes, struct lw_err *err)
{
    struct gt_node *node, *parent = NULL;
    int rc = gt_node_get(git, commit, &node, err);
    if (rc == 0 && node->parent_count)
        rc = gt_node_at(git, node->parents[0], &parent, err);
    if (rc < 0)
        return rc;
    return diff_trees(git, arena, parent ? &parent->tree : NULL, &node->tree, options, changes,
                      err);
}

/* ---- Lines ------------------------------------------------------------------------------- */

struct patching {
    const struct lw_git_patch_fns *fns;
    int rc; /* of a callback that did not return 0 */
};

static int on_hunk(const git_diff_delta *delta, const git_diff_hunk *h, void *data)
{
    struct patching *p = data;
    struct lw_git_hunk hunk = {(uint32_t)h->old_start, (uint32_t)h->old_lines,
                               (uint32_t)h->new_start, (uint32_t)h->new_lines};
    (void)delta;
    p->rc = p->fns->hunk ? p->fns->hunk(p->fns->data, &hunk) : 0;
    return p->rc ? GIT_EUSER : 0;
}

static int on_line(const git_diff_delta *delta, const git_diff_hunk *h, const git_diff_line *l,
                   void *data)
{
    struct patching *p = data;
    (void)delta;
    (void)h;
    if (l->origin != ' ' && l->origin != '+' && l->origin != '-')
        return 0; /* "no newline at end": the text shows it */
    struct lw_git_line line = {
        .origin = l->origin,
        .old_line = l->old_lineno > 0 ? (uint32_t)l->old_lineno : 0,
        .line = l->new_lineno > 0 ? (uint32_t)l->new_lineno : 0,
        .text = lw_str_n(l->content, l->content_len),
    };
    p->rc = p->fns->line ? p->fns->line(p->fns->data, &line) : 0;
    return p->rc ? GIT_EUSER : 0;
}

/* Without context git leaves out what both texts end with, in blocks of 1024 bytes up to the
 * next line end; that can decide between hunks that are equally good. */
static void trim_common_end(struct lw_str *a, struct lw_str *b)
{
    enum { BLOCK = 1024 };
    size_t smaller = a->n < b->n ? a->n : b->n, trimmed = 0, back = 0;
    while (trimmed + BLOCK <= smaller &&
           memcmp(a->p + a->n - trimmed - BLOCK, b->p + b->n - trimmed - BLOCK, BLOCK) == 0)
        trimmed += BLOCK;
    while (back < trimmed)
        if (a->p[a->n - trimmed + back++] == '\n')
            break;
    a->n -= trimmed - back;
    b->n -= trimmed - back;
}

int lw_git_patch_texts(lw_git *git, struct lw_str old_text, struct lw_str new_text,
                       unsigned context, const struct lw_git_patch_fns *fns, struct lw_err *err)
{
    git_diff_options options;
    struct patching p = {.fns = fns};
    if (gt_objects_open(git, err) < 0)
        return err->code;
    if (git->api.diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION) < 0)
        return lw_err_set(err, LW_EMISSING, "libgit2 does not know its own options");
    options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC;
    options.context_lines = context;
    if (context == 0)
        trim_common_end(&old_text, &new_text);
    errno = 0;
    int rc = git->api.diff_buffers(old_text.n ? old_text.p : "", old_text.n, NULL,
                                   new_text.n ? new_text.p : "", new_text.n, NULL, &options,
                                   NULL, NULL, on_hunk, fns->line ? on_line : NULL, &p);
    if (p.rc < 0)
        return err->code == p.rc ? p.rc : lw_err_set(err, p.rc, "the diff was stopped");
    if (p.rc == 0 && errno == ENOMEM) /* libgit2 does not ask whether the comparison ended */
        return lw_err_nomem(err);
    if (p.rc > 0 || rc == 0)
        return 0;
    if (gt_lack(git, err) < 0)
        return err->code;
    return lw_err_set(err, LW_ELIMIT, "the files are too large to compare");
}

/* The content of one side, or nothing (`*object` NULL) where there is none. */
static int read_side(lw_git *git, uint32_t mode, const struct lw_git_id *id,
                     git_odb_object **object, struct lw_str *text, struct lw_err *err)
{
    *object = NULL;
    *text = LW_S("");
    if (mode == 0)
        return 0;
    int rc = gt_object_read(git, id, GIT_OBJECT_BLOB, GT_MAX_BLOB, object, err);
    if (rc == 0)
        *text = gt_object_text(git, *object);
    return rc;
}

int lw_git_patch(lw_git *git, const struct lw_git_change *change, unsigned context,
                 const struct lw_git_patch_fns *fns, enum lw_git_content *content,
                 struct lw_err *err)
{
    git_odb_object *a = NULL, *b = NULL;
    struct lw_str old_text, new_text;
    *content = LW_GIT_NO_CONTENT;
    if (lw_git_kind_of(change->old_mode) == LW_GIT_SUBMODULE ||
        lw_git_kind_of(change->mode) == LW_GIT_SUBMODULE)
        return 0;
    int rc = read_side(git, change->old_mode, &change->old_id, &a, &old_text, err);
    if (rc == 0)
        rc = read_side(git, change->mode, &change->id, &b, &new_text, err);
    if (gt_is_trouble(rc)) {
        rc = 0;
    } else if (rc == 0 && (lw_git_is_binary(old_text) || lw_git_is_binary(new_text))) {
        *content = LW_GIT_BINARY;
    } else if (rc == 0) {
        *content = LW_GIT_TEXT;
        rc = lw_git_patch_texts(git, old_text, new_text, context, fns, err);
    }
    gt_object_free(git, a);
    gt_object_free(git, b);
    return rc;
}
