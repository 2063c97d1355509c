#include "locate/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "locate/history_internal.h"
#include "source/git_commit.h"

bool lw_index_commit_date(lw_index *index, struct lw_str commit, int64_t *date)
{
    struct lw_err ignored = {0};
    struct lw_git_id id;
    struct lw_git_commit found;
    struct lw_arena arena;
    if (!commit.n || ix_git(index, &ignored) < 0 ||
        lw_git_resolve(index->git, commit, &id, &ignored) < 0)
        return false;
    lw_arena_init(&arena, index->mem, 0);
    bool ok = lw_git_commit(index->git, &arena, &id, &found, &ignored) == 0;
    if (ok)
        *date = found.committer.time;
    lw_arena_release(&arena);
    return ok;
}

/* ---- Volumes ----------------------------------------------------------------------------- */

int hi_compare(const struct hi_commit *a, const struct hi_commit *b)
{
    if (a->date != b->date)
        return a->date > b->date ? -1 : 1;
    return memcmp(&a->id, &b->id, sizeof a->id);
}

struct lw_str hi_path(const struct hi_volume *v, uint32_t path)
{
    uint32_t start = path ? v->path_ends[path - 1] : 0;
    return lw_str_n(v->path_text + start, v->path_ends[path] - start);
}

static struct lw_str word_text(const struct lw_vocabulary *v, uint32_t word)
{
    uint32_t start = word ? v->ends[word - 1] : 0;
    return lw_str_n(v->text + start, v->ends[word] - start);
}

uint32_t lw_vocabulary_find(const struct lw_vocabulary *v, struct lw_str word)
{
    size_t low = 0, high = v->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int order = lw_str_cmp(word_text(v, (uint32_t)mid), word);
        if (order == 0)
            return (uint32_t)mid;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return UINT32_MAX;
}

static bool lies_in(struct lw_part part, size_t n)
{
    return part.start <= n && part.n <= n - part.start;
}

static bool are_below(const uint32_t *v, size_t n, size_t bound, bool or_none)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] >= bound && !(or_none && v[i] == UINT32_MAX))
            return false;
    return true;
}

/* Ends rise up to the length of the text. */
static bool are_ends(const uint32_t *ends, size_t n, size_t size)
{
    uint32_t before = 0;
    for (size_t i = 0; i < n; i++) {
        if (ends[i] < before || ends[i] > size)
            return false;
        before = ends[i];
    }
    return true;
}

/* How much there is in a container. */
struct sizes {
    size_t by_id, parents, places, changes, messages, words, word_text, path_text;
};

/* Do all places lie inside? */
static bool is_sound(const struct hi_volume *v, const struct sizes *n)
{
    for (size_t i = 0; i < v->count; i++) {
        const struct hi_commit *k = &v->commits[i];
        if (!lies_in(k->parents, n->parents) || !lies_in(k->changes, n->changes) ||
            !lies_in(k->message, n->messages) || !lies_in(k->words, n->words))
            return false;
    }
    for (size_t i = 0; i < n->changes; i++)
        if (v->changes[i].path >= v->path_count ||
            (v->changes[i].old != UINT32_MAX && v->changes[i].old >= v->path_count))
            return false;
    return n->by_id == v->count && n->places == n->parents &&
           are_below(v->by_id, n->by_id, v->count, false) &&
           are_below(v->parent_places, n->places, v->count, true) &&
           are_below(v->words, n->words, v->vocabulary.n, false) &&
           are_ends(v->path_ends, v->path_count, n->path_text) &&
           are_ends(v->vocabulary.ends, v->vocabulary.n, n->word_text);
}

/* Looks into the container; false: it is not sound. */
static bool volume_use(struct hi_volume *v)
{
    const struct lw_container *c = &v->container;
    struct sizes n;
    v->commits = lw_container_array(c, HI_COMMITS, sizeof *v->commits, &v->count);
    v->by_id = lw_container_array(c, HI_BY_ID, sizeof *v->by_id, &n.by_id);
    v->parents = lw_container_array(c, HI_PARENTS, sizeof *v->parents, &n.parents);
    v->parent_places =
        lw_container_array(c, HI_PARENT_PLACES, sizeof *v->parent_places, &n.places);
    v->changes = lw_container_array(c, HI_CHANGES, sizeof *v->changes, &n.changes);
    v->messages = lw_container_array(c, HI_MESSAGES, 1, &n.messages);
    v->words = lw_container_array(c, HI_WORDS, sizeof *v->words, &n.words);
    v->vocabulary.ends =
        lw_container_array(c, HI_WORD_ENDS, sizeof *v->vocabulary.ends, &v->vocabulary.n);
    v->vocabulary.text = lw_container_array(c, HI_WORD_TEXT, 1, &n.word_text);
    v->path_ends = lw_container_array(c, HI_PATH_ENDS, sizeof *v->path_ends, &v->path_count);
    v->path_text = lw_container_array(c, HI_PATH_TEXT, 1, &n.path_text);
    return is_sound(v, &n);
}

static uint32_t find_in(const struct hi_volume *v, const struct lw_git_id *id)
{
    size_t low = 0, high = v->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int order = memcmp(&v->commits[v->by_id[mid]].id, id, sizeof *id);
        if (order == 0)
            return v->by_id[mid];
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return UINT32_MAX;
}

static uint32_t node_of(const struct hi_volume *v, uint32_t commit)
{
    return v->node ? v->node[commit] : v->base + commit;
}

uint32_t hi_find(const struct lw_history *h, const struct lw_git_id *id)
{
    for (size_t i = 0; i < h->volumes.n; i++) {
        uint32_t commit = find_in(&h->volumes.v[i], id);
        if (commit != UINT32_MAX)
            return node_of(&h->volumes.v[i], commit);
    }
    return UINT32_MAX;
}

static void volume_release(struct lw_mem *mem, struct hi_volume *v)
{
    lw_mem_free(mem, v->path, v->path_count * sizeof *v->path);
    lw_mem_free(mem, v->node, v->count * sizeof *v->node);
    lw_container_close(&v->container);
}

/* Commits that earlier volumes have are theirs. */
static int find_nodes(const struct lw_history *h, struct hi_volume *v)
{
    if (!h->volumes.n)
        return 0;
    v->node = lw_mem_alloc(h->mem, v->count * sizeof *v->node);
    for (uint32_t i = 0; i < v->count && v->node; i++) {
        uint32_t known = hi_find(h, &v->commits[i].id);
        v->node[i] = known == UINT32_MAX ? v->base + i : known;
    }
    return v->node ? 0 : LW_ENOMEM;
}

static int add_nodes(struct lw_history *h, struct hi_volume *v)
{
    int rc = find_nodes(h, v);
    if (rc == 0)
        rc = lw_vec_reserve(h->mem, &h->nodes, v->count);
    for (size_t i = 0; i < v->count && rc == 0; i++)
        h->nodes.v[h->nodes.n++] = (struct hi_node){&v->commits[i], (uint32_t)h->volumes.n, 0};
    return rc;
}

int hi_add_volume(void *history, struct lw_container *container, struct lw_err *err)
{
    struct lw_history *h = history;
    struct hi_volume v = {.container = *container, .base = (uint32_t)h->nodes.n};
    memset(container, 0, sizeof *container);
    bool sound = volume_use(&v);
    int rc = sound ? add_nodes(h, &v) : 0;
    if (rc == 0 && sound)
        rc = lw_vec_push(h->mem, &h->volumes, v);
    if (rc < 0 || !sound)
        volume_release(h->mem, &v);
    return rc < 0 ? lw_err_nomem(err) : 0; /* an unsound one is as good as none */
}

/* ---- The graph --------------------------------------------------------------------------- */

static uint32_t parent_node(const struct lw_history *h, const struct hi_volume *v, uint32_t k)
{
    return v->parent_places[k] != UINT32_MAX ? node_of(v, v->parent_places[k])
                                             : hi_find(h, &v->parents[k]);
}

static int link_parents(struct lw_history *h)
{
    h->parents.n = 0;
    for (size_t i = 0; i < h->nodes.n; i++) {
        struct hi_node *node = &h->nodes.v[i];
        const struct hi_volume *v = &h->volumes.v[node->volume];
        struct lw_part part = node->commit->parents;
        node->parent = (uint32_t)h->parents.n;
        for (uint32_t k = part.start; k < part.start + part.n; k++)
            if (lw_vec_push(h->mem, &h->parents, parent_node(h, v, k)) < 0)
                return LW_ENOMEM;
    }
    return 0;
}

/* Of one volume the paths are the history's; of several they are put together. */
static int number_paths(struct lw_history *h, struct lw_map *numbers)
{
    for (size_t i = 0; i < h->volumes.n && h->volumes.n > 1; i++) {
        struct hi_volume *v = &h->volumes.v[i];
        v->path = lw_mem_alloc(h->mem, v->path_count * sizeof *v->path);
        if (!v->path)
            return LW_ENOMEM;
        for (uint32_t k = 0; k < v->path_count; k++) {
            bool is_new;
            struct lw_map_entry *e = lw_map_put(numbers, hi_path(v, k), &is_new);
            if (!e)
                return LW_ENOMEM;
            e->value = is_new ? numbers->n - 1 : e->value;
            v->path[k] = (uint32_t)e->value;
        }
    }
    return 0;
}

static int find_paths(struct lw_history *h)
{
    struct lw_map numbers;
    lw_map_init(&numbers, h->mem);
    int rc = number_paths(h, &numbers);
    const struct hi_volume *only = h->volumes.n == 1 ? h->volumes.v : NULL;
    size_t n = only ? only->path_count : numbers.n;
    for (size_t i = 0; i < n && rc == 0; i++) {
        struct lw_str text = only ? hi_path(only, (uint32_t)i) : numbers.entries[i].key;
        rc = lw_vec_push(h->mem, &h->index_path,
                         (uint32_t)lw_map_get(&h->index->path_of, text, UINT32_MAX));
    }
    lw_map_release(&numbers);
    return rc;
}

static int open_parts(struct lw_history *h, struct lw_err *err)
{
    int rc = lw_cache_each(&h->index->cache, HI_KIND, h->index->format, hi_add_volume, h, err);
    if (rc == 0 && link_parents(h) < 0)
        rc = lw_err_nomem(err);
    size_t volumes = h->volumes.n;
    if (rc == 0)
        rc = hi_read(h, err);
    if (rc == 0 && h->volumes.n > volumes && link_parents(h) < 0)
        rc = lw_err_nomem(err);
    return rc == 0 && find_paths(h) < 0 ? lw_err_nomem(err) : rc;
}

int lw_history_open(struct lw_history **out, lw_index *index, struct lw_err *err)
{
    struct lw_history *h = lw_mem_alloc(index->mem, sizeof *h);
    *out = NULL;
    if (!h)
        return lw_err_nomem(err);
    h->index = index;
    h->mem = index->mem;
    int rc = open_parts(h, err);
    if (rc < 0) {
        lw_history_close(h);
        return rc;
    }
    *out = h;
    return 0;
}

void lw_history_close(struct lw_history *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->volumes.n; i++)
        volume_release(h->mem, &h->volumes.v[i]);
    lw_vec_release(h->mem, &h->volumes);
    lw_vec_release(h->mem, &h->nodes);
    lw_vec_release(h->mem, &h->parents);
    lw_vec_release(h->mem, &h->index_path);
    lw_mem_free(h->mem, h, sizeof *h);
}
/* ---- The past of a report ---------------------------------------------------------------- */

struct looking {
    const struct lw_history *h;
    struct lw_arena *arena;
    uint32_t *visible; /* nodes */
    size_t count;
    uint32_t *file_of; /* by path: candidate it is now, UINT32_MAX: none */
    uint32_t *files;   /* room for those of the next commits */
};

/* Ancestors of the node, itself included, are marked. */
static int find_ancestors(struct looking *l, uint32_t start, uint8_t *seen)
{
    const struct lw_history *h = l->h;
    size_t waiting = 0;
    uint32_t *stack = lw_arena_array(l->arena, h->nodes.n + 1, sizeof *stack);
    if (!stack)
        return LW_ENOMEM;
    seen[start] = 1;
    stack[waiting++] = start;
    while (waiting) {
        const struct hi_node *node = &h->nodes.v[stack[--waiting]];
        for (uint32_t k = 0; k < node->commit->parents.n; k++) {
            uint32_t parent = h->parents.v[node->parent + k];
            if (parent != UINT32_MAX && !seen[parent]) {
                seen[parent] = 1;
                stack[waiting++] = parent;
            }
        }
    }
    return 0;
}

static int by_age(const void *a, const void *b, void *data)
{
    const struct lw_history *h = data;
    return hi_compare(h->nodes.v[*(const uint32_t *)a].commit,
                      h->nodes.v[*(const uint32_t *)b].commit);
}

/* Ancestors that are not newer than `until`, newest first. A volume is in this order, so that
 * only those of several volumes have to be sorted. */
static int find_visible(struct looking *l, uint32_t start, int64_t until)
{
    const struct lw_history *h = l->h;
    uint8_t *seen = lw_arena_array(l->arena, h->nodes.n + 1, sizeof *seen);
    bool sorted = true;
    l->visible = lw_arena_array(l->arena, h->nodes.n + 1, sizeof *l->visible);
    if (!seen || !l->visible || find_ancestors(l, start, seen) < 0)
        return LW_ENOMEM;
    for (uint32_t i = 0; i < h->nodes.n; i++) {
        if (!seen[i] || h->nodes.v[i].commit->date > until)
            continue;
        sorted = sorted && (!l->count ||
                            by_age(&l->visible[l->count - 1], &i, (void *)(uintptr_t)h) <= 0);
        l->visible[l->count++] = i;
    }
    if (!sorted)
        qsort_r(l->visible, l->count, sizeof *l->visible, by_age, (void *)(uintptr_t)h);
    return 0;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Most commits change a few files. */
static void sort_numbers(uint32_t *v, uint32_t n)
{
    enum { FEW = 16 };
    if (n > FEW) {
        qsort(v, n, sizeof *v, by_number);
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        uint32_t number = v[i], at = i;
        for (; at > 0 && v[at - 1] > number; at--)
            v[at] = v[at - 1];
        v[at] = number;
    }
}

static uint32_t *file_at(const struct looking *l, const struct hi_volume *v, uint32_t path)
{
    return &l->file_of[v->path ? v->path[path] : path];
}

/* The candidates that the commit changed. What it renamed is, before it, known by the old name.
 */
static void find_files(struct looking *l, const struct hi_node *node,
                       struct lw_past_commit *out)
{
    const struct hi_volume *v = &l->h->volumes.v[node->volume];
    const struct hi_change *changes = v->changes + node->commit->changes.start;
    uint32_t *files = l->files, n = 0, distinct = 0;
    for (uint32_t i = 0; i < node->commit->changes.n; i++) {
        uint32_t file = *file_at(l, v, changes[i].path);
        if (file == UINT32_MAX)
            continue;
        files[n++] = file;
        if (changes[i].old != UINT32_MAX && *file_at(l, v, changes[i].old) == UINT32_MAX) {
            *file_at(l, v, changes[i].old) = file;
            out->renames = true;
        }
    }
    sort_numbers(files, n);
    for (uint32_t i = 0; i < n; i++)
        if (!distinct || files[distinct - 1] != files[i])
            files[distinct++] = files[i];
    out->files = files;
    out->file_count = distinct;
    l->files += distinct;
}

static int fill_commits(struct looking *l, struct lw_past_commit *out)
{
    size_t changes = 0;
    for (size_t i = 0; i < l->count; i++)
        changes += l->h->nodes.v[l->visible[i]].commit->changes.n;
    l->files = lw_arena_array(l->arena, changes + 1, sizeof *l->files);
    if (!l->files)
        return LW_ENOMEM;
    for (size_t i = 0; i < l->count; i++) {
        const struct hi_node *node = &l->h->nodes.v[l->visible[i]];
        const struct hi_volume *v = &l->h->volumes.v[node->volume];
        const struct hi_commit *k = node->commit;
        out[i] = (struct lw_past_commit){
            .id = k->id,
            .date = k->date,
            .author = k->author,
            .is_fix = (k->flags & HI_IS_FIX) != 0,
            .is_merge = (k->flags & HI_IS_MERGE) != 0,
            .message = lw_str_n(v->messages + k->message.start, k->message.n),
            .words = v->words + k->words.start,
            .word_count = k->words.n,
            .vocabulary = node->volume,
            .changed = k->changed,
        };
        find_files(l, node, &out[i]);
    }
    return 0;
}

/* Paths of the history to candidates. */
static int map_files(struct looking *l, const lw_index *index, const struct lw_files *files)
{
    const struct lw_history *h = l->h;
    uint32_t *of_index = lw_arena_array(l->arena, index->paths.n + 1, sizeof *of_index);
    l->file_of = lw_arena_array(l->arena, h->index_path.n + 1, sizeof *l->file_of);
    if (!of_index || !l->file_of)
        return LW_ENOMEM;
    memset(of_index, 0xff, index->paths.n * sizeof *of_index);
    for (size_t i = 0; i < files->n; i++)
        of_index[files->v[i].path_number] = (uint32_t)i;
    for (size_t i = 0; i < h->index_path.n; i++)
        l->file_of[i] =
            h->index_path.v[i] == UINT32_MAX ? UINT32_MAX : of_index[h->index_path.v[i]];
    return 0;
}

static int list_vocabularies(const struct lw_history *h, struct lw_arena *arena,
                             struct lw_past *past)
{
    struct lw_vocabulary *v = lw_arena_array(arena, h->volumes.n + 1, sizeof *v);
    for (size_t i = 0; i < h->volumes.n && v; i++)
        v[i] = h->volumes.v[i].vocabulary;
    past->vocabularies = v;
    past->vocabulary_count = h->volumes.n;
    return v ? 0 : LW_ENOMEM;
}

int lw_past_make(const struct lw_history *h, struct lw_arena *arena, const lw_index *index,
                 uint32_t commit, int64_t until, struct lw_past *past, struct lw_err *err)
{
    struct looking l = {.h = h, .arena = arena};
    struct lw_git_id id = lw_index_commit_id(index, commit);
    struct lw_files files = lw_index_files(index, commit);
    uint32_t start = hi_find(h, &id);
    memset(past, 0, sizeof *past);
    if ((start != UINT32_MAX && find_visible(&l, start, until) < 0) ||
        map_files(&l, index, &files) < 0 || list_vocabularies(h, arena, past) < 0)
        return lw_err_nomem(err);
    struct lw_past_commit *v = lw_arena_array(arena, l.count + 1, sizeof *v);
    if (!v || fill_commits(&l, v) < 0)
        return lw_err_nomem(err);
    past->v = v;
    past->n = l.count;
    return 0;
}
