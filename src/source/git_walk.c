#include "source/git_walk.h"

#include <string.h>

#include "base/err.h"
#include "source/git_queue.h"

/* ---- The queue --------------------------------------------------------------------------- */

static bool is_before(const struct gt_waiting *a, const struct gt_waiting *b)
{
    return a->date != b->date ? a->date > b->date : a->number < b->number;
}

static void swap(struct gt_waiting *a, struct gt_waiting *b)
{
    struct gt_waiting t = *a;
    *a = *b;
    *b = t;
}

int gt_queue_put(lw_git *git, struct gt_queue *q, const struct gt_node *node,
                 struct lw_err *err)
{
    struct gt_waiting w = {node->date, q->arrivals++, node->index};
    if (lw_vec_push(git->mem, &q->heap, w) < 0)
        return lw_err_nomem(err);
    struct gt_waiting *v = q->heap.v;
    for (size_t i = q->heap.n - 1; i > 0 && is_before(&v[i], &v[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&v[i], &v[(i - 1) / 2]);
    return 0;
}

uint32_t gt_queue_take(struct gt_queue *q)
{
    struct gt_waiting *v = q->heap.v;
    if (q->heap.n == 0)
        return GT_NONE;
    uint32_t node = v[0].node;
    size_t n = --q->heap.n, i = 0;
    v[0] = v[n];
    for (;;) {
        size_t first = i, left = 2 * i + 1, right = left + 1;
        if (left < n && is_before(&v[left], &v[first]))
            first = left;
        if (right < n && is_before(&v[right], &v[first]))
            first = right;
        if (first == i)
            return node;
        swap(&v[i], &v[first]);
        i = first;
    }
}

void gt_queue_release(lw_git *git, struct gt_queue *q)
{
    lw_vec_release(git->mem, &q->heap);
}

uint8_t *gt_mark(lw_git *git, gt_marks *marks, uint32_t node)
{
    if (node >= marks->n) {
        size_t want = git->nodes.n > node ? git->nodes.n : (size_t)node + 1;
        if (lw_vec_reserve(git->mem, marks, want - marks->n) < 0)
            return NULL;
        memset(marks->v + marks->n, 0, want - marks->n);
        marks->n = want;
    }
    return &marks->v[node];
}

static int put_once(lw_git *git, struct gt_queue *q, gt_marks *marks, uint8_t bit,
                    const struct gt_node *node, struct lw_err *err)
{
    uint8_t *mark = gt_mark(git, marks, node->index);
    if (!mark)
        return lw_err_nomem(err);
    if (*mark & bit)
        return 0;
    *mark |= bit;
    return gt_queue_put(git, q, node, err);
}

int gt_queue_parents(lw_git *git, struct gt_queue *q, gt_marks *marks, uint8_t bit,
                     const struct gt_node *node, bool first_parent, struct lw_err *err)
{
    uint32_t count = first_parent && node->parent_count > 1 ? 1 : node->parent_count;
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && i < count; i++) {
        struct gt_node *parent;
        rc = gt_node_parent(git, node, i, &parent, err);
        if (rc == 0 && parent->state == GT_READ)
            rc = put_once(git, q, marks, bit, parent, err);
    }
    return rc;
}

/* ---- Walks ------------------------------------------------------------------------------- */

enum { SEEN = 1, HIDDEN = 2 };

struct walk {
    lw_git *git;
    const struct lw_git_walk_options *options;
    lw_git_step_fn *fn;
    void *data;
    struct gt_queue queue;
    gt_marks marks;
    LW_VEC(uint32_t) all;   /* for the topological order: every commit, by date */
    LW_VEC(uint32_t) ready; /* those whose children have been given, the next last */
    LW_VEC(uint32_t) waits; /* per node: 1 + children not yet given; 0 = not in the walk */
    uint64_t given;
    struct lw_err *err;
};

static int put_all(struct walk *w, const struct lw_git_id *ids, size_t n, uint8_t bit)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n; i++) {
        struct gt_node *node;
        rc = gt_node_get(w->git, &ids[i], &node, w->err);
        if (rc == 0)
            rc = put_once(w->git, &w->queue, &w->marks, bit, node, w->err);
    }
    return rc;
}

static int hide_ancestors(struct walk *w)
{
    int rc = put_all(w, w->options->hide, w->options->hide_count, HIDDEN);
    uint32_t at;
    while (rc == 0 && (at = gt_queue_take(&w->queue)) != GT_NONE) {
        rc = gt_canceled(w->git, w->err);
        if (rc == 0)
            rc = gt_queue_parents(w->git, &w->queue, &w->marks, HIDDEN,
                                  w->git->nodes.v[at].node, false, w->err);
    }
    return rc;
}

/* 0 goes on, 1 ends it. */
static int give(struct walk *w, const struct gt_node *node)
{
    struct lw_git_step step = {
        .id = node->id,
        .tree = node->tree,
        .date = node->date,
        .parent_count = node->parent_count,
    };
    if (node->parent_count)
        step.parent = w->git->nodes.v[node->parents[0]].node->id;
    int rc = w->fn(w->data, &step);
    if (rc < 0)
        return w->err->code == rc ? rc : lw_err_set(w->err, rc, "the walk was stopped");
    return rc > 0 || (w->options->limit && ++w->given >= w->options->limit);
}

static int take_by_date(struct walk *w, int (*with)(struct walk *, const struct gt_node *))
{
    uint32_t at;
    int rc = 0;
    while (rc == 0 && (at = gt_queue_take(&w->queue)) != GT_NONE) {
        const struct gt_node *node = w->git->nodes.v[at].node;
        rc = gt_canceled(w->git, w->err);
        if (rc < 0)
            break;
        uint8_t *mark = gt_mark(w->git, &w->marks, at);
        if (!mark)
            return lw_err_nomem(w->err);
        if (*mark & HIDDEN)
            continue;
        rc = with(w, node);
        if (rc == 0)
            rc = gt_queue_parents(w->git, &w->queue, &w->marks, SEEN, node,
                                  w->options->first_parent, w->err);
    }
    return rc;
}

static int collect(struct walk *w, const struct gt_node *node)
{
    return lw_vec_push(w->git->mem, &w->all, node->index) < 0 ? lw_err_nomem(w->err) : 0;
}

static uint32_t parents_of(const struct walk *w, const struct gt_node *node)
{
    return w->options->first_parent && node->parent_count > 1 ? 1 : node->parent_count;
}

static int count_children(struct walk *w)
{
    size_t n = w->git->nodes.n;
    if (lw_vec_reserve(w->git->mem, &w->waits, n) < 0 ||
        lw_vec_reserve(w->git->mem, &w->ready, w->all.n) < 0)
        return lw_err_nomem(w->err);
    if (n)
        memset(w->waits.v, 0, n * sizeof *w->waits.v);
    w->waits.n = n;
    for (size_t i = 0; i < w->all.n; i++)
        w->waits.v[w->all.v[i]] = 1;
    for (size_t i = 0; i < w->all.n; i++) {
        const struct gt_node *node = w->git->nodes.v[w->all.v[i]].node;
        for (uint32_t k = 0; k < parents_of(w, node); k++)
            if (w->waits.v[node->parents[k]])
                w->waits.v[node->parents[k]]++;
    }
    for (size_t i = w->all.n; i-- > 0;)
        if (w->waits.v[w->all.v[i]] == 1)
            w->ready.v[w->ready.n++] = w->all.v[i];
    return 0;
}

/* The last parent comes first, as in git, so that a merged branch follows its merge. */
static int give_topologically(struct walk *w)
{
    int rc = take_by_date(w, collect);
    if (rc == 0)
        rc = count_children(w);
    while (rc == 0 && w->ready.n) {
        const struct gt_node *node = w->git->nodes.v[w->ready.v[--w->ready.n]].node;
        rc = give(w, node);
        if (rc == 0)
            rc = gt_canceled(w->git, w->err);
        for (uint32_t k = 0; k < parents_of(w, node); k++) {
            uint32_t parent = node->parents[k];
            if (w->waits.v[parent] && --w->waits.v[parent] == 1)
                w->ready.v[w->ready.n++] = parent;
        }
    }
    return rc;
}

int lw_git_walk(lw_git *git, const struct lw_git_walk_options *options, lw_git_step_fn *fn,
                void *data, struct lw_err *err)
{
    struct walk w = {.git = git, .options = options, .fn = fn, .data = data, .err = err};
    int rc = hide_ancestors(&w);
    if (rc == 0)
        rc = put_all(&w, options->from, options->from_count, SEEN);
    if (rc == 0)
        rc = options->order == LW_GIT_TOPOLOGICAL ? give_topologically(&w)
                                                  : take_by_date(&w, give);
    gt_queue_release(git, &w.queue);
    lw_vec_release(git->mem, &w.marks);
    lw_vec_release(git->mem, &w.all);
    lw_vec_release(git->mem, &w.ready);
    lw_vec_release(git->mem, &w.waits);
    return rc > 0 ? 0 : rc;
}
