#include "source/git_history.h"

#include "base/err.h"
#include "base/str.h"
#include "source/git_queue.h"
#include "source/git_rename.h"

enum { SEEN = 1 };

struct history {
    lw_git *git;
    const struct lw_git_history_options *options;
    struct lw_str path; /* the one being followed */
    lw_git_touch_fn *fn;
    void *data;
    struct gt_queue queue;
    gt_marks marks;
    struct lw_arena arena; /* paths that were followed */
    uint64_t given;
    struct lw_err *err;
};

/* What happened to the path between two commits; status 0 = nothing, or it cannot be said. */
static int compare(struct history *h, const struct gt_node *parent, const struct gt_node *node,
                   struct lw_git_change *change)
{
    struct gt_spot a, b;
    bool same;
    *change = (struct lw_git_change){0};
    if (parent && parent->state != GT_READ)
        return 0;
    int rc = gt_tree_find_both(h->git, parent ? &parent->tree : NULL, &node->tree, h->path, &a,
                               &b, &same, h->err);
    if (rc < 0)
        return gt_is_trouble(rc) ? 0 : rc;
    if (same)
        return 0;
    bool type = (a.mode & 0170000) != (b.mode & 0170000);
    *change = (struct lw_git_change){
        .status = !a.mode   ? LW_GIT_ADDED
                  : !b.mode ? LW_GIT_DELETED
                  : type    ? LW_GIT_TYPE
                            : LW_GIT_MODIFIED,
        .old_path = a.mode ? h->path : LW_S(""),
        .path = h->path,
        .old_mode = a.mode,
        .mode = b.mode,
        .old_id = a.id,
        .id = b.id,
    };
    return 0;
}

/* 0 goes on, 1 ends it. */
static int give(struct history *h, const struct gt_node *node,
                const struct lw_git_change *change)
{
    struct lw_git_touch touch = {node->id, node->parent_count, *change};
    int rc = h->fn(h->data, &touch);
    if (rc < 0)
        return h->err->code == rc ? rc : lw_err_set(h->err, rc, "the history was stopped");
    return rc > 0 || (h->options->limit && ++h->given >= h->options->limit);
}

static int parent_of(struct history *h, const struct gt_node *node, uint32_t n,
                     struct gt_node **parent)
{
    *parent = NULL;
    return n < node->parent_count ? gt_node_parent(h->git, node, n, parent, h->err) : 0;
}

static int queue_parents(struct history *h, const struct gt_node *node)
{
    return gt_queue_parents(h->git, &h->queue, &h->marks, SEEN, node, h->options->first_parent,
                            h->err);
}

/* ---- Followed ---------------------------------------------------------------------------- */

/* An added file may have come from another; then that one is followed from here on. */
static int find_source(struct history *h, const struct gt_node *parent,
                       const struct gt_node *node, struct lw_git_change *change)
{
    struct gt_source source = {
        .old_tree = parent ? &parent->tree : NULL,
        .new_tree = &node->tree,
        .path = h->path,
        .copies = !h->options->no_copies,
    };
    int rc = gt_rename_source(h->git, &h->arena, &source, h->err);
    if (rc < 0 || source.from.n == 0)
        return gt_is_trouble(rc) ? 0 : rc;
    change->status = source.is_copy ? LW_GIT_COPIED : LW_GIT_RENAMED;
    change->similarity = (unsigned)((uint64_t)source.score * 100 / GT_SAME);
    change->old_path = source.from;
    change->old_mode = source.spot.mode;
    change->old_id = source.spot.id;
    h->path = source.from;
    return 0;
}

static int follow_step(struct history *h, const struct gt_node *node)
{
    struct lw_git_change change = {0};
    struct gt_node *parent;
    int rc = parent_of(h, node, 0, &parent);
    if (rc == 0 && (node->parent_count <= 1 || h->options->first_parent))
        rc = compare(h, parent, node, &change);
    if (rc == 0 && change.status == LW_GIT_ADDED && !gt_is_tree(change.mode))
        rc = find_source(h, parent, node, &change);
    if (rc == 0 && change.status)
        rc = give(h, node, &change);
    return rc == 0 ? queue_parents(h, node) : rc;
}

/* ---- Not followed ------------------------------------------------------------------------ */

/* The first parent that has the path as `node` has it, or NULL; `*change` is the difference to
 * the very first. */
static int same_parent(struct history *h, const struct gt_node *node, struct gt_node **same,
                       struct lw_git_change *change)
{
    uint32_t count =
        h->options->first_parent && node->parent_count > 1 ? 1 : node->parent_count;
    *same = NULL;
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && !*same && i < count; i++) {
        struct lw_git_change c;
        struct gt_node *parent;
        rc = parent_of(h, node, i, &parent);
        if (rc == 0)
            rc = compare(h, parent, node, &c);
        if (rc == 0 && i == 0)
            *change = c;
        if (rc == 0 && !c.status && parent->state == GT_READ)
            *same = parent;
    }
    return rc;
}

static int queue_one(struct history *h, const struct gt_node *node)
{
    uint8_t *mark = gt_mark(h->git, &h->marks, node->index);
    if (!mark)
        return lw_err_nomem(h->err);
    if (*mark & SEEN)
        return 0;
    *mark |= SEEN;
    return gt_queue_put(h->git, &h->queue, node, h->err);
}

static int simplified_step(struct history *h, const struct gt_node *node)
{
    struct lw_git_change change = {0};
    struct gt_node *same = NULL;
    int rc = node->parent_count ? same_parent(h, node, &same, &change)
                                : compare(h, NULL, node, &change);
    if (rc == 0 && same)
        return queue_one(h, same);
    if (rc == 0 && change.status)
        rc = give(h, node, &change);
    return rc == 0 ? queue_parents(h, node) : rc;
}

static int full_step(struct history *h, const struct gt_node *node)
{
    struct lw_git_change change = {0};
    struct gt_node *parent;
    int rc = parent_of(h, node, 0, &parent);
    if (rc == 0 && (node->parent_count <= 1 || h->options->first_parent))
        rc = compare(h, parent, node, &change);
    if (rc == 0 && change.status)
        rc = give(h, node, &change);
    return rc == 0 ? queue_parents(h, node) : rc;
}

/* -------------------------------------------------------------------------------------------
 */

static int walk(struct history *h, const struct lw_git_id *commit)
{
    struct gt_node *node;
    uint32_t at;
    int (*step)(struct history *, const struct gt_node *) = !h->options->no_follow ? follow_step
                                                            : h->options->full
                                                                ? full_step
                                                                : simplified_step;
    int rc = gt_node_get(h->git, commit, &node, h->err);
    if (rc == 0)
        rc = queue_one(h, node);
    while (rc == 0 && (at = gt_queue_take(&h->queue)) != GT_NONE) {
        rc = gt_canceled(h->git, h->err);
        if (rc == 0)
            rc = step(h, h->git->nodes.v[at].node);
    }
    return rc;
}

int lw_git_history(lw_git *git, const struct lw_git_id *commit, struct lw_str path,
                   const struct lw_git_history_options *options, lw_git_touch_fn *fn,
                   void *data, struct lw_err *err)
{
    static const struct lw_git_history_options none;
    struct history h = {.git = git,
                        .options = options ? options : &none,
                        .path = path,
                        .fn = fn,
                        .data = data,
                        .err = err};
    while (h.path.n && h.path.p[h.path.n - 1] == '/')
        h.path.n--;
    lw_arena_init(&h.arena, git->mem, 0);
    int rc = walk(&h, commit);
    gt_queue_release(git, &h.queue);
    lw_vec_release(git->mem, &h.marks);
    lw_arena_release(&h.arena);
    return rc > 0 ? 0 : rc;
}
