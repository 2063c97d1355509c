/*
 * The edit script of two matched trees (after Chawathe and others, 1996), and a check that
 * applies it. The new tree is gone through parents first; whatever is inserted or moved goes
 * right behind its left sibling, so the order is right when what is left over is deleted.
 */
#include "base/err.h"
#include "base/str.h"
#include "source/treediff_internal.h"

/* ---- Tokens ----------------------------------------------------------------------------- */

static uint32_t subtree_tokens(const struct lw_tree *t, const struct lw_label *l, uint32_t top)
{
    uint32_t sum = 0;
    for (uint32_t i = top; i != LW_NO_NODE; i = lw_tree_next(t, top, i, false))
        sum += l[i].tokens;
    return sum;
}

enum { MOST_OWN = 96 }; /* tokens of one node that are compared in every order */

/* Hashes of the node's own tokens, or of its words only; how many there are, of which at most
 * MOST_OWN are written. */
static uint32_t own_tokens(const struct lw_tree *t, const uint64_t *words, uint32_t node,
                           bool only_words, uint64_t *out)
{
    struct lw_own_walk w = {0};
    uint32_t n = 0;
    for (uint32_t i; (i = lw_own_token(t, node, &w)) != LW_NO_TOKEN;) {
        uint8_t kind = t->lexed.tokens.v[i].kind;
        if (kind <= LW_TOK_DEDENT || (only_words && !words[i]))
            continue;
        if (n < MOST_OWN)
            out[n] = words[i] ? words[i] : kind;
        n++;
    }
    return n;
}

/* Tokens of the two nodes themselves that come or go: what is not in the longest common
 * subsequence. Where the kind stays, brackets, commas and keywords come and go with the
 * children and are not counted; an update that changes none of the words (`async`) is one. */
static uint32_t changed_words(const struct lw_treediff *d, uint32_t x, uint32_t y)
{
    uint64_t a[MOST_OWN], b[MOST_OWN];
    uint32_t row[MOST_OWN + 1] = {0};
    bool same_kind = lw_tree_kind(d->old_tree, x) == lw_tree_kind(d->new_tree, y);
    uint32_t n = own_tokens(d->old_tree, d->old_words, x, same_kind, a);
    uint32_t k = own_tokens(d->new_tree, d->new_words, y, same_kind, b);
    if (n > MOST_OWN || k > MOST_OWN)
        return n + k;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0, corner = 0; j < k; j++) {
            uint32_t above = row[j + 1];
            uint32_t most = above > row[j] ? above : row[j];
            row[j + 1] = a[i] == b[j] ? corner + 1 : most;
            corner = above;
        }
    uint32_t changed = n + k - 2 * row[k];
    return changed ? changed : 1;
}

/* ---- Script ----------------------------------------------------------------------------- */

struct writer {
    struct lw_treediff *d;
    uint8_t *kept;    /* by new node: it stays in its place among its siblings */
    uint8_t *matched; /* by new node: something at or below it is matched */
    uint32_t *tail;   /* scratch of the longest increasing subsequence */
    uint32_t *before;
};

/* The number of a new node in the tree being edited. */
static uint32_t image(const struct lw_treediff *d, uint32_t y)
{
    uint32_t x = d->to_old[y];
    return x != LW_NO_NODE ? x : (uint32_t)d->old_tree->nodes.n + y;
}

static int add(struct writer *w, struct lw_edit e)
{
    return lw_vec_push(w->d->mem, &w->d->edits, e);
}

/* Whether the partner of a child hangs where it should but perhaps for the order. */
static bool at_home(const struct lw_treediff *d, uint32_t y)
{
    uint32_t x = d->to_old[y];
    const struct lw_node *n = lw_tree_node(d->new_tree, y);
    return x != LW_NO_NODE && x != d->old_tree->root &&
           d->to_old[n->parent] == d->old_tree->nodes.v[x].parent &&
           d->old_tree->nodes.v[x].role == n->role;
}

/* The longest run of children that are in order already stays; the others move. Children of a
 * node are neighbours in both trees, so their numbers are their order. */
static void keep_children(struct writer *w, uint32_t y)
{
    struct lw_treediff *d = w->d;
    const struct lw_node *n = lw_tree_node(d->new_tree, y);
    uint32_t len = 0;
    for (uint32_t c = n->child; c < n->child + n->count; c++) {
        if (!at_home(d, c))
            continue;
        uint32_t low = 0, high = len, x = d->to_old[c];
        while (low < high) {
            uint32_t mid = (low + high) / 2;
            if (d->to_old[w->tail[mid]] < x)
                low = mid + 1;
            else
                high = mid;
        }
        w->before[c] = low ? w->tail[low - 1] : LW_NO_NODE;
        w->tail[low] = c;
        if (low == len)
            len++;
    }
    for (uint32_t c = len ? w->tail[len - 1] : LW_NO_NODE; c != LW_NO_NODE; c = w->before[c])
        w->kept[c] = 1;
}

static int write_node(struct writer *w, uint32_t y)
{
    struct lw_treediff *d = w->d;
    const struct lw_node *n = lw_tree_node(d->new_tree, y);
    uint32_t x = d->to_old[y];
    bool root = y == d->new_tree->root;
    struct lw_edit e = {.role = n->role, .old_node = x, .new_node = y};
    if (!root) {
        e.parent = image(d, n->parent);
        uint32_t first = d->new_tree->nodes.v[n->parent].child;
        e.after = y > first ? image(d, y - 1) : LW_NO_NODE;
    }
    if (x == LW_NO_NODE) {
        e.kind = LW_EDIT_INSERT;
        e.whole = !w->matched[y];
        e.tokens =
            e.whole ? subtree_tokens(d->new_tree, d->new_label, y) : d->new_label[y].tokens;
        return add(w, e);
    }
    if (d->old_label[x].hash != d->new_label[y].hash) {
        struct lw_edit u = {.kind = LW_EDIT_UPDATE,
                            .old_node = x,
                            .new_node = y,
                            .parent = LW_NO_NODE,
                            .after = LW_NO_NODE,
                            .tokens = changed_words(d, x, y)};
        if (add(w, u) < 0)
            return LW_ENOMEM;
    }
    if (root || w->kept[y])
        return 0;
    e.kind = LW_EDIT_MOVE;
    e.tokens = 1;
    return add(w, e);
}

static int write_deletes(struct writer *w)
{
    struct lw_treediff *d = w->d;
    const struct lw_tree *a = d->old_tree;
    for (uint32_t x = a->root; x != LW_NO_NODE;) {
        bool gone = d->to_new[x] == LW_NO_NODE;
        /* A node below a deleted one goes with it, unless it was moved away: then what is
         * below it is looked at again. */
        uint32_t parent = lw_tree_parent(a, x);
        bool top = gone && (parent == LW_NO_NODE || d->to_new[parent] != LW_NO_NODE);
        if (top) {
            struct lw_edit e = {.kind = LW_EDIT_DELETE,
                                .old_node = x,
                                .new_node = LW_NO_NODE,
                                .parent = LW_NO_NODE,
                                .after = LW_NO_NODE,
                                .whole = true};
            for (uint32_t i = x; i != LW_NO_NODE;) {
                bool stays = d->to_new[i] != LW_NO_NODE;
                e.tokens += stays ? 0 : d->old_label[i].tokens;
                e.whole = e.whole && !stays;
                i = lw_tree_next(a, x, i, stays);
            }
            if (add(w, e) < 0)
                return LW_ENOMEM;
        }
        x = lw_tree_next(a, a->root, x, false);
    }
    return 0;
}

static int prepare(struct writer *w, struct lw_arena *arena, struct lw_treediff *d)
{
    const struct lw_tree *b = d->new_tree;
    size_t n = b->nodes.n;
    w->d = d;
    w->kept = lw_arena_array(arena, n, 1);
    w->matched = lw_arena_array(arena, n, 1);
    w->tail = lw_arena_array(arena, n, sizeof *w->tail);
    w->before = lw_arena_array(arena, n, sizeof *w->before);
    if (!w->kept || !w->matched || !w->tail || !w->before)
        return LW_ENOMEM;
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t i = y; d->to_old[y] != LW_NO_NODE && !w->matched[i];
             i = b->nodes.v[i].parent)
            w->matched[i] = 1;
    return 0;
}

int treediff_script(struct lw_treediff *d)
{
    struct lw_arena arena;
    struct writer w;
    const struct lw_tree *b = d->new_tree;
    lw_arena_init(&arena, d->mem, 0);
    int rc = prepare(&w, &arena, d);
    for (uint32_t y = b->root; y != LW_NO_NODE && rc == 0;) {
        bool skip = !w.matched[y];
        if (!skip)
            keep_children(&w, y);
        rc = write_node(&w, y);
        y = lw_tree_next(b, b->root, y, skip);
    }
    if (rc == 0)
        rc = write_deletes(&w);
    lw_arena_release(&arena);
    return rc;
}

/* ---- Check ------------------------------------------------------------------------------ */

/* The tree being edited: links between numbered nodes. */
struct bench {
    const struct lw_treediff *d;
    uint32_t *parent, *first, *next, *prev; /* LW_NO_NODE: none */
    uint32_t *says; /* by number: whose label it has, an old node or count + a new one */
    uint32_t *is;   /* by number: the new node it was found to be */
    uint8_t *role;
    uint32_t old_count;
    bool broken;
};

static void unlink_node(struct bench *k, uint32_t x)
{
    if (k->prev[x] != LW_NO_NODE)
        k->next[k->prev[x]] = k->next[x];
    else if (k->parent[x] != LW_NO_NODE)
        k->first[k->parent[x]] = k->next[x];
    if (k->next[x] != LW_NO_NODE)
        k->prev[k->next[x]] = k->prev[x];
    k->parent[x] = k->next[x] = k->prev[x] = LW_NO_NODE;
}

static void link_node(struct bench *k, uint32_t x, uint32_t parent, uint32_t after)
{
    if (after != LW_NO_NODE && k->parent[after] != parent) {
        k->broken = true;
        return;
    }
    k->parent[x] = parent;
    k->prev[x] = after;
    k->next[x] = after == LW_NO_NODE ? k->first[parent] : k->next[after];
    if (k->next[x] != LW_NO_NODE)
        k->prev[k->next[x]] = x;
    if (after == LW_NO_NODE)
        k->first[parent] = x;
    else
        k->next[after] = x;
}

/* Copies the children of a node of a tree, whose numbers begin at `base`. */
static void link_children(struct bench *k, const struct lw_tree *t, uint32_t node,
                          uint32_t base)
{
    const struct lw_node *n = lw_tree_node(t, node);
    for (uint32_t c = n->child; c < n->child + n->count; c++) {
        uint32_t x = base + c;
        k->parent[x] = base + node;
        k->prev[x] = c > n->child ? x - 1 : LW_NO_NODE;
        k->next[x] = c + 1 < n->child + n->count ? x + 1 : LW_NO_NODE;
        k->role[x] = t->nodes.v[c].role;
        k->says[x] = x;
    }
    k->first[base + node] = n->count ? base + n->child : LW_NO_NODE;
}

static void apply(struct bench *k, const struct lw_edit *e)
{
    const struct lw_tree *b = k->d->new_tree;
    uint32_t x = e->old_node;
    switch (e->kind) {
    case LW_EDIT_INSERT:
        x = k->old_count + e->new_node;
        k->says[x] = x;
        k->role[x] = e->role;
        link_node(k, x, e->parent, e->after);
        for (uint32_t i = e->new_node; e->whole && i != LW_NO_NODE;
             i = lw_tree_next(b, e->new_node, i, false))
            link_children(k, b, i, k->old_count);
        return;
    case LW_EDIT_DELETE: unlink_node(k, x); return;
    case LW_EDIT_UPDATE: k->says[x] = k->old_count + e->new_node; return;
    default:
        unlink_node(k, x);
        link_node(k, x, e->parent, e->after);
        k->role[x] = e->role;
    }
}

static uint64_t label_at(const struct bench *k, uint32_t x)
{
    uint32_t s = k->says[x];
    return s < k->old_count ? k->d->old_label[s].hash : k->d->new_label[s - k->old_count].hash;
}

/* Whether the edited tree is the new one, node by node, each below the same parent. */
static bool is_new_tree(const struct bench *k)
{
    const struct lw_tree *b = k->d->new_tree;
    uint32_t x = k->d->old_tree->root;
    for (uint32_t y = b->root; y != LW_NO_NODE;) {
        const struct lw_node *n = lw_tree_node(b, y);
        if (x == LW_NO_NODE)
            return false;
        k->is[x] = y;
        if (y != b->root && k->is[k->parent[x]] != n->parent)
            return false;
        if (label_at(k, x) != k->d->new_label[y].hash ||
            (y != b->root && k->role[x] != n->role))
            return false;
        if ((k->first[x] == LW_NO_NODE) != (n->count == 0))
            return false;
        y = lw_tree_next(b, b->root, y, false);
        if (k->first[x] != LW_NO_NODE) {
            x = k->first[x];
            continue;
        }
        while (x != k->d->old_tree->root && k->next[x] == LW_NO_NODE)
            x = k->parent[x];
        x = x == k->d->old_tree->root ? LW_NO_NODE : k->next[x];
    }
    return x == LW_NO_NODE;
}

static int check(const struct lw_treediff *d, struct lw_arena *arena, bool *exact)
{
    uint32_t old_count = (uint32_t)d->old_tree->nodes.n;
    size_t n = old_count + d->new_tree->nodes.n;
    struct bench k = {.d = d, .old_count = old_count};
    uint32_t *space = lw_arena_array(arena, n * 6, sizeof *space);
    k.role = lw_arena_array(arena, n, 1);
    if (!space || !k.role)
        return LW_ENOMEM;
    memset(space, 0xff, n * 6 * sizeof *space);
    k.parent = space;
    k.first = space + n;
    k.next = space + 2 * n;
    k.prev = space + 3 * n;
    k.says = space + 4 * n;
    k.is = space + 5 * n;
    k.says[d->old_tree->root] = d->old_tree->root;
    for (uint32_t i = d->old_tree->root; i != LW_NO_NODE;
         i = lw_tree_next(d->old_tree, d->old_tree->root, i, false))
        link_children(&k, d->old_tree, i, 0);
    for (size_t i = 0; i < d->edits.n && !k.broken; i++)
        apply(&k, &d->edits.v[i]);
    *exact = !k.broken && is_new_tree(&k);
    return 0;
}

int lw_treediff_check(const struct lw_treediff *d, bool *exact, struct lw_err *err)
{
    struct lw_arena arena;
    lw_arena_init(&arena, d->mem, 0);
    *exact = false;
    int rc = check(d, &arena, exact);
    lw_arena_release(&arena);
    return rc < 0 ? lw_err_nomem(err) : 0;
}
