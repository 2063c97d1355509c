/* The history from git, laid out in a volume. */
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/err.h"
#include "base/pool.h"
#include "base/str.h"
#include "locate/history_internal.h"
#include "locate/segment_internal.h"
#include "source/git_commit.h"
#include "source/git_diff.h"
#include "source/git_walk.h"

enum { MESSAGE_MOST = 2000, STEP = 16, ROUND = 2048 };

/* ---- From git ---------------------------------------------------------------------------- */

/* What is read of one commit, before it is laid out. */
struct read_commit {
    struct lw_git_commit commit;
    struct lw_git_changes changes;
    bool ok;
};

struct reading {
    struct lw_history *h;
    LW_VEC(struct lw_git_id) todo; /* commits that are not known, parents after children */
    size_t first;                  /* of the round, in `todo` */
    struct read_commit *commits;   /* of the round */
    struct lw_arena *arenas;       /* by step of the round */
    lw_git **gits;                 /* by worker */
    size_t jobs;

    LW_VEC(struct hi_commit) kept;
    LW_VEC(struct lw_git_id) parents;
    LW_VEC(struct hi_change) changes;
    struct lw_map path_of;
    struct lw_arena names; /* keys of `path_of` */
    LW_VEC(uint32_t) path_ends;
    struct lw_buf paths, messages;
    struct lw_words words;      /* of first lines */
    LW_VEC(uint32_t) word_list; /* terms of `words`, those of a commit together */
    int rc;
};

static int note_commit(void *data, const struct lw_git_step *step)
{
    struct reading *r = data;
    return lw_vec_push(r->h->mem, &r->todo, step->id);
}

/* All ancestors of the index's commits that are not known yet. */
static int find_todo(struct reading *r, struct lw_err *err)
{
    const lw_index *index = r->h->index;
    LW_VEC(struct lw_git_id) from = {0}, hide = {0};
    int rc = 0;
    for (size_t i = 0; i < index->commits.n && rc == 0; i++)
        if (hi_find(r->h, &index->commits.v[i].id) == UINT32_MAX)
            rc = lw_vec_push(index->mem, &from, index->commits.v[i].id);
    for (size_t i = 0; i < r->h->nodes.n && rc == 0 && from.n; i++)
        rc = lw_vec_push(index->mem, &hide, r->h->nodes.v[i].commit->id);
    if (rc == 0 && from.n)
        rc = ix_git(r->h->index, err);
    if (rc == 0 && from.n) {
        struct lw_git_walk_options options = {
            .from = from.v, .from_count = from.n, .hide = hide.v, .hide_count = hide.n};
        rc = lw_git_walk(index->git, &options, note_commit, r, err);
    }
    if (rc == LW_ENOMEM)
        lw_err_nomem(err);
    lw_vec_release(index->mem, &from);
    lw_vec_release(index->mem, &hide);
    return rc;
}

/* Walks from a parent that is not known. */
static int walk_gap(struct reading *r, const struct lw_git_id *parent,
                    const struct lw_git_id *hide, size_t hidden, struct lw_err *err)
{
    struct lw_git_walk_options options = {
        .from = parent, .from_count = 1, .hide = hide, .hide_count = hidden};
    int rc = ix_git(r->h->index, err);
    if (rc == 0)
        rc = lw_git_walk(r->h->index->git, &options, note_commit, r, err);
    return rc == LW_ENOENT || rc == LW_ECORRUPT ? 0 : rc;
}

/* Parents of known commits that are not known themselves: their part of the cache was dropped,
 * or the repository lacks them. */
static int find_gaps(struct reading *r, struct lw_err *err)
{
    const struct lw_history *h = r->h;
    LW_VEC(struct lw_git_id) hide = {0};
    bool whole = true;
    int rc = 0;
    for (size_t i = 0; i < h->parents.n; i++)
        whole = whole && h->parents.v[i] != UINT32_MAX;
    for (size_t i = 0; i < h->nodes.n && rc == 0 && !whole; i++)
        rc = lw_vec_push(h->mem, &hide, h->nodes.v[i].commit->id);
    for (size_t i = 0; i < h->nodes.n && rc == 0 && !whole; i++) {
        const struct hi_node *node = &h->nodes.v[i];
        const struct lw_part part = node->commit->parents;
        for (uint32_t k = 0; k < part.n && rc == 0; k++)
            if (h->parents.v[node->parent + k] == UINT32_MAX)
                rc = walk_gap(r, &h->volumes.v[node->volume].parents[part.start + k], hide.v,
                              hide.n, err);
    }
    if (rc == LW_ENOMEM)
        lw_err_nomem(err);
    lw_vec_release(h->mem, &hide);
    return rc;
}

static int read_one(struct reading *r, lw_git *git, struct lw_arena *arena, size_t i,
                    struct lw_err *err)
{
    struct read_commit *c = &r->commits[i];
    struct lw_git_diff_options options = {.rename_limit = 200};
    const struct lw_git_id *id = &r->todo.v[r->first + i];
    int rc = lw_git_commit(git, arena, id, &c->commit, err);
    c->ok = rc == 0;
    if (rc == 0 && c->commit.parent_count <= 1)
        rc = lw_git_diff_commit(git, arena, id, &options, &c->changes, err);
    /* What cannot be read counts as nothing changed. */
    return rc == LW_ENOENT || rc == LW_ECORRUPT || rc == LW_ELIMIT ? 0 : rc;
}

static int read_step(void *data, size_t item, unsigned worker, struct lw_err *err)
{
    struct reading *r = data;
    int rc = r->gits[worker]
                 ? 0
                 : lw_git_open(&r->gits[worker], r->h->index->ctx, r->h->index->folder.p, err);
    size_t left = r->todo.n - r->first;
    for (size_t i = item * STEP; i < (item + 1) * STEP && i < left && rc == 0; i++)
        rc = read_one(r, r->gits[worker], &r->arenas[item], i, err);
    return rc;
}

/* ---- Laying out -------------------------------------------------------------------------- */

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Does the message speak of a fix? Words of the study (section 3.1): fix and bug anywhere, as
 * in BLIA; error and resolve at the start of a word. */
static bool speaks_of_fix(struct lw_str message)
{
    static const struct {
        const char *word;
        bool anywhere;
    } words[] = {{"fix", true}, {"bug", true}, {"error", false}, {"resolv", false}};
    for (size_t i = 0; i < message.n; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            struct lw_str word = lw_str(words[k].word);
            char before = i ? small(message.p[i - 1]) : ' ';
            if (small(message.p[i]) == word.p[0] &&
                lw_str_eq_nocase(lw_str_part(message, i, word.n), word) &&
                (words[k].anywhere || before < 'a' || before > 'z'))
                return true;
        }
    return false;
}

static void note(struct reading *r, int rc)
{
    if (rc < 0)
        r->rc = rc;
}

static uint32_t keep_path(struct reading *r, struct lw_str path)
{
    bool is_new;
    struct lw_map_entry *e = lw_map_put(&r->path_of, path, &is_new);
    if (!e) {
        note(r, LW_ENOMEM);
        return 0;
    }
    if (is_new) {
        e->key = lw_arena_copy(&r->names, path);
        e->value = r->path_ends.n;
        note(r, e->key.p ? 0 : LW_ENOMEM);
        lw_buf_add(&r->paths, path);
        note(r, lw_vec_push(r->h->mem, &r->path_ends, (uint32_t)r->paths.n));
    }
    return (uint32_t)e->value;
}

static void keep_changes(struct reading *r, struct hi_commit *k,
                         const struct lw_git_changes *changes)
{
    const struct lw_languages *languages = &r->h->index->languages;
    k->changes.start = (uint32_t)r->changes.n;
    for (size_t i = 0; i < changes->n && r->rc == 0; i++) {
        const struct lw_git_change *c = &changes->v[i];
        if (!lw_language_of(languages, c->path))
            continue;
        struct hi_change kept = {keep_path(r, c->path), UINT32_MAX};
        if (c->status == LW_GIT_RENAMED && lw_language_of(languages, c->old_path))
            kept.old = keep_path(r, c->old_path);
        note(r, lw_vec_push(r->h->mem, &r->changes, kept));
        k->changes.n++;
    }
    k->changed = k->changes.n;
}

/* The message, and the terms of its first line. */
static void keep_message(struct reading *r, struct hi_commit *k, struct lw_str message)
{
    lw_counts counts = {0};
    uint64_t length;
    struct lw_str rest = message, line = {0};
    k->message = (struct lw_part){(uint32_t)r->messages.n, (uint32_t)message.n};
    lw_buf_add(&r->messages, message);
    (void)lw_str_line(&rest, &line);
    lw_words_add_text(&r->words, line);
    note(r, lw_words_take(&r->words, r->h->mem, &counts, &length));
    k->words = (struct lw_part){(uint32_t)r->word_list.n, (uint32_t)counts.n};
    for (size_t i = 0; i < counts.n && r->rc == 0; i++)
        note(r, lw_vec_push(r->h->mem, &r->word_list, counts.v[i].term));
    lw_vec_release(r->h->mem, &counts);
}

static void keep_commit(struct reading *r, const struct read_commit *c)
{
    struct lw_str message = lw_str_part(lw_str_trim(c->commit.message), 0, MESSAGE_MOST);
    struct hi_commit k = {
        .id = c->commit.id,
        .author = (uint32_t)lw_checksum(c->commit.author.email, 0),
        .date = c->commit.committer.time,
        .parents = {(uint32_t)r->parents.n, (uint32_t)c->commit.parent_count},
    };
    k.flags = (speaks_of_fix(message) ? HI_IS_FIX : 0u) |
              (c->commit.parent_count > 1 ? HI_IS_MERGE : 0u);
    keep_message(r, &k, message);
    for (size_t i = 0; i < c->commit.parent_count && r->rc == 0; i++)
        note(r, lw_vec_push(r->h->mem, &r->parents, c->commit.parents[i]));
    keep_changes(r, &k, &c->changes);
    note(r, lw_vec_push(r->h->mem, &r->kept, k));
}

/* A commit of a volume. */
static void keep_node(struct reading *r, const struct hi_volume *v, const struct hi_commit *old)
{
    struct hi_commit k = *old;
    k.parents.start = (uint32_t)r->parents.n;
    k.changes.start = (uint32_t)r->changes.n;
    keep_message(r, &k, lw_str_n(v->messages + old->message.start, old->message.n));
    for (uint32_t i = 0; i < old->parents.n && r->rc == 0; i++)
        note(r, lw_vec_push(r->h->mem, &r->parents, v->parents[old->parents.start + i]));
    for (uint32_t i = 0; i < old->changes.n && r->rc == 0; i++) {
        const struct hi_change *c = &v->changes[old->changes.start + i];
        struct hi_change kept = {keep_path(r, hi_path(v, c->path)), UINT32_MAX};
        if (c->old != UINT32_MAX)
            kept.old = keep_path(r, hi_path(v, c->old));
        note(r, lw_vec_push(r->h->mem, &r->changes, kept));
    }
    note(r, lw_vec_push(r->h->mem, &r->kept, k));
}

/* Volumes with fewer commits than this are put together when they have become many. */
enum { SMALL_VOLUME = 1024 };

static bool must_merge(const struct lw_history *h)
{
    size_t small = 1;
    for (size_t i = 0; i < h->volumes.n; i++)
        small += h->volumes.v[i].count < SMALL_VOLUME;
    return small >= LW_CACHE_MERGE;
}

static void keep_small(struct reading *r)
{
    struct lw_history *h = r->h;
    for (size_t i = 0; i < h->nodes.n && r->rc == 0; i++) {
        const struct hi_volume *v = &h->volumes.v[h->nodes.v[i].volume];
        if (v->count < SMALL_VOLUME && (!v->node || v->node[i - v->base] == i))
            keep_node(r, v, h->nodes.v[i].commit);
    }
}

static void drop_small(struct lw_history *h, uint64_t now)
{
    for (size_t i = 0; i < h->volumes.n; i++)
        if (h->volumes.v[i].count < SMALL_VOLUME && h->volumes.v[i].container.checksum != now)
            lw_cache_drop(&h->index->cache, HI_KIND, h->volumes.v[i].container.checksum);
}

/* ---- Writing ----------------------------------------------------------------------------- */

static int by_age(const void *a, const void *b)
{
    return hi_compare(a, b);
}

static int by_id(const void *a, const void *b, void *data)
{
    const struct hi_commit *commits = data;
    return memcmp(&commits[*(const uint32_t *)a].id, &commits[*(const uint32_t *)b].id,
                  sizeof commits->id);
}

static uint32_t place_of(const struct reading *r, const uint32_t *order,
                         const struct lw_git_id *id)
{
    size_t low = 0, high = r->kept.n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int rank = memcmp(&r->kept.v[order[mid]].id, id, sizeof *id);
        if (rank == 0)
            return order[mid];
        if (rank < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return UINT32_MAX;
}

/* The order of the ids, and where each parent is. */
static void add_graph(struct reading *r, struct lw_container_writer *w)
{
    uint32_t *order = lw_arena_array(&r->names, r->kept.n + 1, sizeof *order);
    uint32_t *places = lw_arena_array(&r->names, r->parents.n + 1, sizeof *places);
    if (!order || !places) {
        note(r, LW_ENOMEM);
        return;
    }
    for (size_t i = 0; i < r->kept.n; i++)
        order[i] = (uint32_t)i;
    if (r->kept.n > 1)
        qsort_r(order, r->kept.n, sizeof *order, by_id, r->kept.v);
    for (size_t i = 0; i < r->parents.n; i++)
        places[i] = place_of(r, order, &r->parents.v[i]);
    lw_container_add(w, order, r->kept.n * sizeof *order);
    lw_container_add(w, r->parents.v, r->parents.n * sizeof *r->parents.v);
    lw_container_add(w, places, r->parents.n * sizeof *places);
}

/* The terms of the messages in byte order, and the lists with their numbers in it. */
static void add_words(struct reading *r, struct lw_container_writer *w)
{
    const struct lw_map *terms = &r->words.terms;
    size_t bytes = 0;
    for (size_t i = 0; i < terms->n; i++)
        bytes += terms->entries[i].key.n;
    uint32_t *order = lw_arena_array(&r->names, terms->n + 1, sizeof *order);
    uint32_t *rank = lw_arena_array(&r->names, terms->n + 1, sizeof *rank);
    uint32_t *ends = lw_arena_array(&r->names, terms->n + 1, sizeof *ends);
    char *text = lw_arena_bytes(&r->names, bytes + 1);
    if (!order || !rank || !ends || !text || sg_order_texts(r->h->mem, terms, order) < 0) {
        note(r, LW_ENOMEM);
        return;
    }
    for (size_t i = 0; i < terms->n; i++)
        rank[order[i]] = (uint32_t)i;
    for (size_t i = 0; i < r->word_list.n; i++)
        r->word_list.v[i] = rank[r->word_list.v[i]];
    sg_lay_dictionary(terms, order, ends, text);
    lw_container_add(w, r->word_list.v, r->word_list.n * sizeof *r->word_list.v);
    lw_container_add(w, ends, terms->n * sizeof *ends);
    lw_container_add(w, text, bytes);
}

/* All sections, in the order of enum hi_section. */
static int fill_container(struct reading *r, struct lw_container_writer *w, struct lw_err *err)
{
    lw_container_begin(w, r->h->mem, HI_KIND, r->h->index->format);
    if (r->kept.n > 1)
        qsort(r->kept.v, r->kept.n, sizeof *r->kept.v, by_age);
    lw_container_add(w, r->kept.v, r->kept.n * sizeof *r->kept.v);
    add_graph(r, w);
    lw_container_add(w, r->changes.v, r->changes.n * sizeof *r->changes.v);
    lw_container_add(w, r->path_ends.v, r->path_ends.n * sizeof *r->path_ends.v);
    lw_container_add(w, r->paths.p, r->paths.n);
    lw_container_add(w, r->messages.p, r->messages.n);
    add_words(r, w);
    return r->rc < 0 ? lw_err_nomem(err) : lw_container_finish(w, err);
}

static int make_volume(struct reading *r, struct lw_err *err)
{
    bool merge = must_merge(r->h);
    if (merge)
        keep_small(r);
    struct lw_container_writer w;
    struct lw_container container;
    if (r->rc < 0 || r->paths.failed || r->messages.failed)
        return lw_err_nomem(err);
    int rc = fill_container(r, &w, err);
    if (rc == 0 && lw_cache_put(&r->h->index->cache, HI_KIND, &w) && merge)
        drop_small(r->h, w.checksum);
    if (rc == 0)
        rc = lw_container_take(&container, &w, err);
    lw_container_abandon(&w);
    if (rc == 0) {
        rc = hi_add_volume(r->h, &container, err);
        lw_container_close(&container);
    }
    return rc;
}

/* ---- All of it --------------------------------------------------------------------------- */

/* Reads the next commits and keeps what matters of them. */
static int read_round(struct reading *r, size_t n, struct lw_err *err)
{
    size_t steps = (n + STEP - 1) / STEP;
    struct lw_pool pool = {.count = steps,
                           .jobs = (unsigned)r->jobs,
                           .cancel = r->h->index->ctx->cancel,
                           .data = r,
                           .work = read_step};
    memset(r->commits, 0, ROUND * sizeof *r->commits);
    int rc = lw_pool_run(&pool, err);
    for (size_t i = 0; i < n && rc == 0 && r->rc == 0; i++)
        if (r->commits[i].ok)
            keep_commit(r, &r->commits[i]);
    for (size_t i = 0; i < steps; i++)
        lw_arena_clear(&r->arenas[i]);
    r->first += n;
    return rc < 0 ? rc : r->rc < 0 ? lw_err_nomem(err) : 0;
}

static int read_todo(struct reading *r, struct lw_err *err)
{
    lw_index *index = r->h->index;
    size_t steps = ROUND / STEP;
    r->jobs = index->ctx->jobs ? index->ctx->jobs : 1;
    r->commits = lw_mem_alloc(index->mem, ROUND * sizeof *r->commits);
    r->arenas = lw_mem_alloc(index->mem, steps * sizeof *r->arenas);
    r->gits = lw_mem_alloc(index->mem, r->jobs * sizeof *r->gits);
    int rc = r->commits && r->arenas && r->gits ? 0 : lw_err_nomem(err);
    for (size_t i = 0; i < steps && r->arenas; i++)
        lw_arena_init(&r->arenas[i], index->mem, 0);
    while (rc == 0 && r->first < r->todo.n)
        rc = read_round(r, r->todo.n - r->first < ROUND ? r->todo.n - r->first : ROUND, err);
    if (rc == 0)
        rc = make_volume(r, err);
    for (size_t i = 0; i < steps && r->arenas; i++)
        lw_arena_release(&r->arenas[i]);
    for (size_t i = 0; i < r->jobs && r->gits; i++)
        lw_git_close(r->gits[i]);
    lw_mem_free(index->mem, r->commits, ROUND * sizeof *r->commits);
    lw_mem_free(index->mem, r->arenas, steps * sizeof *r->arenas);
    lw_mem_free(index->mem, r->gits, r->jobs * sizeof *r->gits);
    return rc;
}

static void reading_release(struct reading *r)
{
    struct lw_mem *mem = r->h->mem;
    lw_vec_release(mem, &r->todo);
    lw_vec_release(mem, &r->kept);
    lw_vec_release(mem, &r->parents);
    lw_vec_release(mem, &r->changes);
    lw_vec_release(mem, &r->path_ends);
    lw_map_release(&r->path_of);
    lw_arena_release(&r->names);
    lw_buf_release(&r->paths);
    lw_buf_release(&r->messages);
    lw_words_release(&r->words);
    lw_vec_release(mem, &r->word_list);
}

int hi_read(struct lw_history *h, struct lw_err *err)
{
    struct reading r = {.h = h};
    lw_words_init(&r.words, h->mem, &h->index->stopwords);
    lw_map_init(&r.path_of, h->mem);
    lw_arena_init(&r.names, h->mem, 0);
    lw_buf_init(&r.paths, h->mem, 0);
    lw_buf_init(&r.messages, h->mem, 0);
    int rc = find_gaps(&r, err);
    if (rc == 0)
        rc = find_todo(&r, err);
    if (rc == 0 && r.todo.n)
        rc = read_todo(&r, err);
    reading_release(&r);
    return rc;
}
