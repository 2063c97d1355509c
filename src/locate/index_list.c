/* The source files of commits: from git, and from lists in the cache. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "locate/index_internal.h"

enum { KIND = 0x73746d63 /* "cmts" */ };

enum section { COMMITS, ENTRIES, BLOBS, PATH_ENDS, PATH_TEXT };

struct kept_commit {
    struct lw_git_id id;
    uint32_t first, n;
};

/* ---- From git ---------------------------------------------------------------------------- */

struct listing {
    lw_index *index;
    LW_VEC(struct ix_entry) entries;
};

static bool is_source(void *data, const struct lw_git_entry *entry)
{
    const struct listing *l = data;
    return entry->kind == LW_GIT_FOLDER ||
           (entry->kind == LW_GIT_FILE && lw_language_of(&l->index->languages, entry->path));
}

static int add_entry(void *data, const struct lw_git_entry *entry)
{
    struct listing *l = data;
    if (entry->kind != LW_GIT_FILE)
        return 0;
    struct ix_entry e = {.path = ix_path(l->index, entry->path)};
    e.blob = e.path == UINT32_MAX ? UINT32_MAX : ix_blob(l->index, &entry->id, e.path);
    if (e.blob == UINT32_MAX || lw_vec_push(l->index->mem, &l->entries, e) < 0)
        return LW_ENOMEM;
    return 0;
}

static int list_from_git(lw_index *index, struct ix_commit *commit, struct lw_err *err)
{
    struct listing l = {.index = index};
    struct lw_git_tree_options options = {.wants = is_source, .data = &l};
    int rc = ix_git(index, err);
    if (rc == 0)
        rc = lw_git_tree_walk(index->git, &commit->id, &options, add_entry, &l, err);
    if (rc == LW_ENOMEM)
        lw_err_nomem(err);
    if (rc == 0) {
        commit->entries =
            lw_arena_array(&index->arena, l.entries.n + 1, sizeof *commit->entries);
        rc = commit->entries ? 0 : lw_err_nomem(err);
    }
    if (rc == 0) {
        commit->n = l.entries.n;
        commit->is_new = true;
        index->figures.commits_listed++;
        if (l.entries.n)
            memcpy(commit->entries, l.entries.v, l.entries.n * sizeof *l.entries.v);
    }
    lw_vec_release(index->mem, &l.entries);
    return rc;
}

/* ---- From the cache ---------------------------------------------------------------------- */

static int take_lists(void *data, struct lw_container *container, struct lw_err *err)
{
    lw_index *index = data;
    size_t n;
    const struct kept_commit *commits =
        lw_container_array(container, COMMITS, sizeof *commits, &n);
    for (size_t i = 0; i < n; i++) {
        struct lw_map_entry *e = lw_map_put(&index->listed, ix_id_key(&commits[i].id), NULL);
        if (!e)
            return lw_err_nomem(err);
        e->value = (uint64_t)index->lists.n << 32 | i;
    }
    struct ix_lists lists = {*container};
    if (lw_vec_push(index->mem, &index->lists, lists) < 0)
        return lw_err_nomem(err);
    memset(container, 0, sizeof *container);
    return 0;
}

int ix_lists_open(lw_index *index, struct lw_err *err)
{
    return lw_cache_each(&index->cache, KIND, index->format, take_lists, index, err);
}

static int damaged(struct lw_err *err)
{
    return lw_err_set(err, LW_ECORRUPT, "a list of files in the cache is damaged");
}

/* LW_ECORRUPT when the numbers do not fit together: git is asked then. */
static int list_from_cache(lw_index *index, struct ix_commit *commit, uint64_t place,
                           struct lw_err *err)
{
    const struct lw_container *c = &index->lists.v[place >> 32].container;
    size_t commit_count, entry_count, blob_count, path_count;
    const struct kept_commit *kept =
        lw_container_array(c, COMMITS, sizeof *kept, &commit_count);
    const struct ix_entry *entries =
        lw_container_array(c, ENTRIES, sizeof *entries, &entry_count);
    const struct lw_git_id *blobs = lw_container_array(c, BLOBS, sizeof *blobs, &blob_count);
    const uint32_t *ends = lw_container_array(c, PATH_ENDS, sizeof *ends, &path_count);
    struct lw_str text = lw_container_section(c, PATH_TEXT);
    kept += (uint32_t)place;
    if (kept->first > entry_count || kept->n > entry_count - kept->first)
        return damaged(err);
    commit->entries = lw_arena_array(&index->arena, kept->n + 1, sizeof *commit->entries);
    if (!commit->entries)
        return lw_err_nomem(err);
    for (uint32_t i = 0; i < kept->n; i++) {
        const struct ix_entry *e = &entries[kept->first + i];
        if (e->path >= path_count || e->blob >= blob_count)
            return damaged(err);
        uint32_t start = e->path ? ends[e->path - 1] : 0;
        uint32_t path = ix_path(index, lw_str_part(text, start, ends[e->path] - start));
        uint32_t blob = path == UINT32_MAX ? path : ix_blob(index, &blobs[e->blob], path);
        if (blob == UINT32_MAX)
            return lw_err_nomem(err);
        commit->entries[i] = (struct ix_entry){path, blob};
    }
    commit->n = kept->n;
    return 0;
}

int ix_list(lw_index *index, struct ix_commit *commit, struct lw_err *err)
{
    const struct lw_map_entry *e = lw_map_find(&index->listed, ix_id_key(&commit->id));
    int rc = e ? list_from_cache(index, commit, e->value, err) : LW_ECORRUPT;
    return rc == LW_ECORRUPT ? list_from_git(index, commit, err) : rc;
}

/* ---- Keeping ----------------------------------------------------------------------------- */

typedef LW_VEC(struct ix_commit) ix_commits;

/* Index-wide numbers to those of one container. */
struct keeping {
    struct lw_mem *mem;
    uint32_t *path_to, *blob_to; /* UINT32_MAX: not yet */
    LW_VEC(struct kept_commit) commits;
    LW_VEC(struct ix_entry) entries;
    LW_VEC(struct lw_git_id) blobs;
    LW_VEC(uint32_t) path_ends;
    struct lw_buf text;
};

static int keep_entry(const lw_index *index, struct keeping *k, const struct ix_entry *e)
{
    if (k->path_to[e->path] == UINT32_MAX) {
        lw_buf_add(&k->text, index->paths.v[e->path].text);
        k->path_to[e->path] = (uint32_t)k->path_ends.n;
        if (k->text.failed || lw_vec_push(k->mem, &k->path_ends, (uint32_t)k->text.n) < 0)
            return LW_ENOMEM;
    }
    if (k->blob_to[e->blob] == UINT32_MAX) {
        k->blob_to[e->blob] = (uint32_t)k->blobs.n;
        if (lw_vec_push(k->mem, &k->blobs, index->blobs.v[e->blob].id) < 0)
            return LW_ENOMEM;
    }
    struct ix_entry kept = {k->path_to[e->path], k->blob_to[e->blob]};
    return lw_vec_push(k->mem, &k->entries, kept);
}

static int keep_commit(const lw_index *index, struct keeping *k, const struct ix_commit *c)
{
    struct kept_commit kept = {c->id, (uint32_t)k->entries.n, (uint32_t)c->n};
    int rc = lw_vec_push(k->mem, &k->commits, kept);
    for (size_t i = 0; i < c->n && rc == 0; i++)
        rc = keep_entry(index, k, &c->entries[i]);
    return rc;
}

/* Containers with fewer commits than this are put together. */
enum { SMALL_LIST = 512 };

static bool is_small(const struct ix_lists *l)
{
    size_t n;
    (void)lw_container_array(&l->container, COMMITS, sizeof(struct kept_commit), &n);
    return n < SMALL_LIST;
}

/* Commits to be written: the new ones, and with `all` those of the small containers. */
static int choose(lw_index *index, bool all, ix_commits *out)
{
    struct lw_err ignored = {0};
    int rc = 0;
    for (size_t i = 0; i < index->commits.n && rc == 0; i++)
        if (index->commits.v[i].is_new)
            rc = lw_vec_push(index->mem, out, index->commits.v[i]);
    for (size_t i = 0; i < index->listed.n && rc == 0 && all; i++) {
        uint64_t place = index->listed.entries[i].value;
        struct ix_commit commit = {0};
        memcpy(&commit.id, index->listed.entries[i].key.p, sizeof commit.id);
        if (!is_small(&index->lists.v[place >> 32]))
            continue;
        rc = list_from_cache(index, &commit, place, &ignored);
        if (rc == 0)
            rc = lw_vec_push(index->mem, out, commit);
        rc = rc == LW_ECORRUPT ? 0 : rc;
    }
    return rc;
}

static int fill(lw_index *index, struct keeping *k, const ix_commits *commits)
{
    int rc = 0;
    memset(k->path_to, 0xff, index->paths.n * sizeof *k->path_to);
    memset(k->blob_to, 0xff, index->blobs.n * sizeof *k->blob_to);
    for (size_t i = 0; i < commits->n && rc == 0; i++)
        rc = keep_commit(index, k, &commits->v[i]);
    return rc;
}

static void drop_lists(lw_index *index, uint64_t now)
{
    for (size_t i = 0; i < index->lists.n; i++)
        if (is_small(&index->lists.v[i]) && index->lists.v[i].container.checksum != now)
            lw_cache_drop(&index->cache, KIND, index->lists.v[i].container.checksum);
}

static int write_lists(lw_index *index, struct keeping *k, bool all, struct lw_err *err)
{
    struct lw_container_writer w;
    lw_container_begin(&w, index->mem, KIND, index->format);
    lw_container_add(&w, k->commits.v, k->commits.n * sizeof *k->commits.v);
    lw_container_add(&w, k->entries.v, k->entries.n * sizeof *k->entries.v);
    lw_container_add(&w, k->blobs.v, k->blobs.n * sizeof *k->blobs.v);
    lw_container_add(&w, k->path_ends.v, k->path_ends.n * sizeof *k->path_ends.v);
    lw_container_add(&w, k->text.p, k->text.n);
    int rc = lw_container_finish(&w, err);
    if (rc == 0 && lw_cache_put(&index->cache, KIND, &w) && all)
        drop_lists(index, w.checksum);
    lw_container_abandon(&w);
    return rc;
}

/* Writes the commits in one container. */
static int save(lw_index *index, const ix_commits *commits, bool all, struct lw_err *err)
{
    size_t paths = index->paths.n * sizeof(uint32_t), blobs = index->blobs.n * sizeof(uint32_t);
    struct keeping k = {.mem = index->mem};
    lw_buf_init(&k.text, index->mem, 0);
    k.path_to = lw_mem_alloc(index->mem, paths);
    k.blob_to = lw_mem_alloc(index->mem, blobs);
    int rc = k.path_to && k.blob_to && fill(index, &k, commits) == 0
                 ? write_lists(index, &k, all, err)
                 : lw_err_nomem(err);
    lw_mem_free(index->mem, k.path_to, paths);
    lw_mem_free(index->mem, k.blob_to, blobs);
    lw_vec_release(index->mem, &k.commits);
    lw_vec_release(index->mem, &k.entries);
    lw_vec_release(index->mem, &k.blobs);
    lw_vec_release(index->mem, &k.path_ends);
    lw_buf_release(&k.text);
    return rc;
}

int ix_lists_save(lw_index *index, struct lw_err *err)
{
    bool any = false;
    size_t small = 1;
    ix_commits commits = {0};
    for (size_t i = 0; i < index->commits.n; i++)
        any |= index->commits.v[i].is_new;
    if (!any || !index->cache.folder.n)
        return 0;
    for (size_t i = 0; i < index->lists.n; i++)
        small += is_small(&index->lists.v[i]);
    bool all = small >= LW_CACHE_MERGE;
    int rc = choose(index, all, &commits);
    rc = rc == 0 ? save(index, &commits, all, err) : lw_err_nomem(err);
    for (size_t i = 0; i < index->commits.n; i++)
        index->commits.v[i].is_new = false;
    lw_vec_release(index->mem, &commits);
    return rc;
}
