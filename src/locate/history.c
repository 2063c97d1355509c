#include "locate/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/pool.h"
#include "base/str.h"
#include "locate/index_internal.h"
#include "source/git_commit.h"
#include "source/git_diff.h"
#include "source/git_walk.h"

enum { KIND = 0x74736968 /* "hist" */, MESSAGE_MOST = 2000, STEP = 16, ROUND = 2048 };

/* The sections of a container. */
enum section { COMMITS, PARENTS, CHANGES, PATH_ENDS, PATH_TEXT, MESSAGES };

enum { IS_FIX = 1, IS_MERGE = 2 };

/* A commit as it is kept. */
struct kept {
    struct lw_git_id id;
    uint32_t author, flags;
    int64_t date;
    struct lw_part parents, changes, message;
    uint32_t changed, unused;
};

/* A source file that a commit changed. */
struct change {
    uint32_t path; /* of the container */
    uint32_t old;  /* the path it was renamed from, else UINT32_MAX */
};

/* A container, and where its paths are in the index. */
struct volume {
    struct lw_container container;
    const struct kept *commits;
    size_t count;
    const struct lw_git_id *parents;
    const struct change *changes;
    const char *messages;
    uint32_t *path; /* by path of the container; owned */
    size_t path_count;
};

/* A commit of the history. */
struct node {
    const struct kept *kept;
    uint32_t volume;
    uint32_t parent; /* the first of its parents in `parents` */
};

struct lw_history {
    lw_index *index; /* borrowed */
    struct lw_mem *mem;
    LW_VEC(struct volume) volumes;
    LW_VEC(struct node) nodes;
    struct lw_map number_of;  /* id to node */
    LW_VEC(uint32_t) parents; /* nodes, those of one commit together; UINT32_MAX: unknown */
};

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

/* The paths of the container become paths of the index. */
static int translate_paths(lw_index *index, struct volume *v)
{
    const uint32_t *ends =
        lw_container_array(&v->container, PATH_ENDS, sizeof *ends, &v->path_count);
    struct lw_str text = lw_container_section(&v->container, PATH_TEXT);
    v->path = lw_mem_alloc(index->mem, v->path_count * sizeof *v->path);
    if (!v->path)
        return LW_ENOMEM;
    for (size_t i = 0; i < v->path_count; i++) {
        uint32_t start = i ? ends[i - 1] : 0;
        v->path[i] = ix_path(index, lw_str_part(text, start, ends[i] - start));
        if (v->path[i] == UINT32_MAX)
            return LW_ENOMEM;
    }
    return 0;
}

/* Do all places lie inside? */
static bool is_sound(const struct volume *v, size_t parents, size_t changes, size_t messages)
{
    for (size_t i = 0; i < v->count; i++) {
        const struct kept *k = &v->commits[i];
        if (k->parents.start > parents || k->parents.n > parents - k->parents.start ||
            k->changes.start > changes || k->changes.n > changes - k->changes.start ||
            k->message.start > messages || k->message.n > messages - k->message.start)
            return false;
    }
    for (size_t i = 0; i < changes; i++)
        if (v->changes[i].path >= v->path_count ||
            (v->changes[i].old != UINT32_MAX && v->changes[i].old >= v->path_count))
            return false;
    return true;
}

static int add_nodes(struct lw_history *h, uint32_t volume)
{
    const struct volume *v = &h->volumes.v[volume];
    for (size_t i = 0; i < v->count; i++) {
        bool is_new;
        struct lw_map_entry *e =
            lw_map_put(&h->number_of, ix_id_key(&v->commits[i].id), &is_new);
        struct node node = {&v->commits[i], volume, 0};
        if (!e)
            return LW_ENOMEM;
        if (!is_new)
            continue;
        e->value = h->nodes.n;
        if (lw_vec_push(h->mem, &h->nodes, node) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

static void volume_release(struct lw_mem *mem, struct volume *v)
{
    if (v->path)
        lw_mem_free(mem, v->path, v->path_count * sizeof *v->path);
    lw_container_close(&v->container);
}

/* Takes the container over. */
static int add_volume(void *data, struct lw_container *container, struct lw_err *err)
{
    struct lw_history *h = data;
    size_t parents, changes;
    struct volume v = {.container = *container};
    memset(container, 0, sizeof *container);
    v.commits = lw_container_array(&v.container, COMMITS, sizeof *v.commits, &v.count);
    v.parents = lw_container_array(&v.container, PARENTS, sizeof *v.parents, &parents);
    v.changes = lw_container_array(&v.container, CHANGES, sizeof *v.changes, &changes);
    struct lw_str messages = lw_container_section(&v.container, MESSAGES);
    v.messages = messages.p;
    int rc = translate_paths(h->index, &v);
    bool sound = rc == 0 && is_sound(&v, parents, changes, messages.n);
    if (sound)
        rc = lw_vec_push(h->mem, &h->volumes, v);
    if (rc < 0 || !sound) {
        volume_release(h->mem, &v);
        return rc < 0 ? lw_err_nomem(err) : 0; /* an unsound one is as good as none */
    }
    return add_nodes(h, (uint32_t)h->volumes.n - 1) < 0 ? lw_err_nomem(err) : 0;
}

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

    LW_VEC(struct kept) kept;
    LW_VEC(struct lw_git_id) parents;
    LW_VEC(struct change) changes;
    struct lw_map path_of;
    struct lw_arena names; /* keys of `path_of` */
    LW_VEC(uint32_t) path_ends;
    struct lw_buf paths, messages;
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
        if (!lw_map_find(&r->h->number_of, ix_id_key(&index->commits.v[i].id)))
            rc = lw_vec_push(index->mem, &from, index->commits.v[i].id);
    for (size_t i = 0; i < r->h->nodes.n && rc == 0 && from.n; i++)
        rc = lw_vec_push(index->mem, &hide, r->h->nodes.v[i].kept->id);
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

/* Parents of known commits that are not known themselves: their part of the cache was dropped,
 * or the repository lacks them. */
static int find_gaps(struct reading *r, struct lw_err *err)
{
    const struct lw_history *h = r->h;
    LW_VEC(struct lw_git_id) hide = {0};
    int rc = 0;
    for (size_t i = 0; i < h->nodes.n && rc == 0; i++)
        rc = lw_vec_push(h->mem, &hide, h->nodes.v[i].kept->id);
    for (size_t i = 0; i < h->nodes.n && rc == 0; i++) {
        const struct lw_part part = h->nodes.v[i].kept->parents;
        const struct lw_git_id *parents = h->volumes.v[h->nodes.v[i].volume].parents;
        for (uint32_t k = part.start; k < part.start + part.n && rc == 0; k++) {
            if (lw_map_find(&h->number_of, ix_id_key(&parents[k])))
                continue;
            struct lw_git_walk_options options = {
                .from = &parents[k], .from_count = 1, .hide = hide.v, .hide_count = hide.n};
            rc = ix_git(h->index, err);
            if (rc == 0)
                rc = lw_git_walk(h->index->git, &options, note_commit, r, err);
            if (rc == LW_ENOENT || rc == LW_ECORRUPT)
                rc = 0;
        }
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

static void keep_changes(struct reading *r, struct kept *k,
                         const struct lw_git_changes *changes)
{
    const struct lw_languages *languages = &r->h->index->languages;
    k->changes.start = (uint32_t)r->changes.n;
    for (size_t i = 0; i < changes->n && r->rc == 0; i++) {
        const struct lw_git_change *c = &changes->v[i];
        if (!lw_language_of(languages, c->path))
            continue;
        struct change kept = {keep_path(r, c->path), UINT32_MAX};
        if (c->status == LW_GIT_RENAMED && lw_language_of(languages, c->old_path))
            kept.old = keep_path(r, c->old_path);
        note(r, lw_vec_push(r->h->mem, &r->changes, kept));
        k->changes.n++;
    }
    k->changed = k->changes.n;
}

static void keep_commit(struct reading *r, const struct read_commit *c)
{
    struct lw_str message = lw_str_part(lw_str_trim(c->commit.message), 0, MESSAGE_MOST);
    struct kept k = {
        .id = c->commit.id,
        .author = (uint32_t)lw_checksum(c->commit.author.email, 0),
        .date = c->commit.committer.time,
        .parents = {(uint32_t)r->parents.n, (uint32_t)c->commit.parent_count},
        .message = {(uint32_t)r->messages.n, (uint32_t)message.n},
    };
    k.flags =
        (speaks_of_fix(message) ? IS_FIX : 0u) | (c->commit.parent_count > 1 ? IS_MERGE : 0u);
    lw_buf_add(&r->messages, message);
    for (size_t i = 0; i < c->commit.parent_count && r->rc == 0; i++)
        note(r, lw_vec_push(r->h->mem, &r->parents, c->commit.parents[i]));
    keep_changes(r, &k, &c->changes);
    note(r, lw_vec_push(r->h->mem, &r->kept, k));
}

/* A commit of a volume. */
static void keep_node(struct reading *r, const struct volume *v, const struct kept *old)
{
    const lw_index *index = r->h->index;
    struct kept k = *old;
    k.parents.start = (uint32_t)r->parents.n;
    k.message.start = (uint32_t)r->messages.n;
    k.changes.start = (uint32_t)r->changes.n;
    lw_buf_add(&r->messages, lw_str_n(v->messages + old->message.start, old->message.n));
    for (uint32_t i = 0; i < old->parents.n && r->rc == 0; i++)
        note(r, lw_vec_push(r->h->mem, &r->parents, v->parents[old->parents.start + i]));
    for (uint32_t i = 0; i < old->changes.n && r->rc == 0; i++) {
        const struct change *c = &v->changes[old->changes.start + i];
        struct change kept = {keep_path(r, index->paths.v[v->path[c->path]].text), UINT32_MAX};
        if (c->old != UINT32_MAX)
            kept.old = keep_path(r, index->paths.v[v->path[c->old]].text);
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
        const struct volume *v = &h->volumes.v[h->nodes.v[i].volume];
        if (v->count < SMALL_VOLUME)
            keep_node(r, v, h->nodes.v[i].kept);
    }
}

static void drop_small(struct lw_history *h, uint64_t now)
{
    for (size_t i = 0; i < h->volumes.n; i++)
        if (h->volumes.v[i].count < SMALL_VOLUME && h->volumes.v[i].container.checksum != now)
            lw_cache_drop(&h->index->cache, KIND, h->volumes.v[i].container.checksum);
}

static int make_volume(struct reading *r, struct lw_err *err)
{
    bool merge = must_merge(r->h);
    if (merge)
        keep_small(r);
    lw_index *index = r->h->index;
    struct lw_container_writer w;
    struct lw_container container;
    if (r->rc < 0 || r->paths.failed || r->messages.failed)
        return lw_err_nomem(err);
    lw_container_begin(&w, index->mem, KIND, index->format);
    lw_container_add(&w, r->kept.v, r->kept.n * sizeof *r->kept.v);
    lw_container_add(&w, r->parents.v, r->parents.n * sizeof *r->parents.v);
    lw_container_add(&w, r->changes.v, r->changes.n * sizeof *r->changes.v);
    lw_container_add(&w, r->path_ends.v, r->path_ends.n * sizeof *r->path_ends.v);
    lw_container_add(&w, r->paths.p, r->paths.n);
    lw_container_add(&w, r->messages.p, r->messages.n);
    int rc = lw_container_finish(&w, err);
    if (rc == 0 && lw_cache_put(&index->cache, KIND, &w) && merge)
        drop_small(r->h, w.checksum);
    if (rc == 0)
        rc = lw_container_take(&container, &w, err);
    lw_container_abandon(&w);
    if (rc == 0) {
        rc = add_volume(r->h, &container, err);
        lw_container_close(&container);
    }
    return rc;
}

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
}

static int read_from_git(struct lw_history *h, struct lw_err *err)
{
    struct reading r = {.h = h};
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

/* ---- The graph --------------------------------------------------------------------------- */

static int link_parents(struct lw_history *h)
{
    for (size_t i = 0; i < h->nodes.n; i++) {
        struct node *node = &h->nodes.v[i];
        const struct lw_git_id *parents =
            h->volumes.v[node->volume].parents + node->kept->parents.start;
        node->parent = (uint32_t)h->parents.n;
        for (uint32_t k = 0; k < node->kept->parents.n; k++) {
            uint32_t number =
                (uint32_t)lw_map_get(&h->number_of, ix_id_key(&parents[k]), UINT32_MAX);
            if (lw_vec_push(h->mem, &h->parents, number) < 0)
                return LW_ENOMEM;
        }
    }
    return 0;
}

int lw_history_open(struct lw_history **out, lw_index *index, struct lw_err *err)
{
    struct lw_history *h = lw_mem_alloc(index->mem, sizeof *h);
    *out = NULL;
    if (!h)
        return lw_err_nomem(err);
    h->index = index;
    h->mem = index->mem;
    lw_map_init(&h->number_of, index->mem);
    int rc = lw_cache_each(&index->cache, KIND, index->format, add_volume, h, err);
    if (rc == 0)
        rc = read_from_git(h, err);
    if (rc == 0 && link_parents(h) < 0)
        rc = lw_err_nomem(err);
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
    lw_map_release(&h->number_of);
    lw_mem_free(h->mem, h, sizeof *h);
}

/* ---- The past of a report ---------------------------------------------------------------- */

struct looking {
    const struct lw_history *h;
    struct lw_arena *arena;
    uint32_t *visible; /* nodes */
    size_t count;
    uint32_t *file_of; /* by path of the index: candidate it is now, UINT32_MAX: none */
};

/* Ancestors of the node, itself included, that are not newer than `until`. */
static int find_visible(struct looking *l, uint32_t start, int64_t until)
{
    const struct lw_history *h = l->h;
    size_t n = h->nodes.n, waiting = 0;
    uint8_t *seen = lw_arena_array(l->arena, n + 1, sizeof *seen);
    uint32_t *stack = lw_arena_array(l->arena, n + 1, sizeof *stack);
    l->visible = lw_arena_array(l->arena, n + 1, sizeof *l->visible);
    if (!seen || !stack || !l->visible)
        return LW_ENOMEM;
    seen[start] = 1;
    stack[waiting++] = start;
    while (waiting) {
        uint32_t number = stack[--waiting];
        const struct node *node = &h->nodes.v[number];
        if (node->kept->date <= until)
            l->visible[l->count++] = number;
        for (uint32_t k = 0; k < node->kept->parents.n; k++) {
            uint32_t parent = h->parents.v[node->parent + k];
            if (parent != UINT32_MAX && !seen[parent]) {
                seen[parent] = 1;
                stack[waiting++] = parent;
            }
        }
    }
    return 0;
}

/* Newest first; of the same second by id, which is the same whatever the cache held. */
static int by_age(const void *a, const void *b, void *data)
{
    const struct lw_history *h = data;
    const struct kept *x = h->nodes.v[*(const uint32_t *)a].kept;
    const struct kept *y = h->nodes.v[*(const uint32_t *)b].kept;
    if (x->date != y->date)
        return x->date > y->date ? -1 : 1;
    return memcmp(&x->id, &y->id, sizeof x->id);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The candidates that the commit changed. What it renamed is, before it, known by the old name.
 */
static int find_files(struct looking *l, const struct node *node, struct lw_past_commit *out)
{
    const struct volume *v = &l->h->volumes.v[node->volume];
    const struct change *changes = v->changes + node->kept->changes.start;
    uint32_t *files = lw_arena_array(l->arena, node->kept->changes.n + 1, sizeof *files), n = 0;
    if (!files)
        return LW_ENOMEM;
    for (uint32_t i = 0; i < node->kept->changes.n; i++) {
        uint32_t file = l->file_of[v->path[changes[i].path]];
        if (file == UINT32_MAX)
            continue;
        files[n++] = file;
        if (changes[i].old != UINT32_MAX && l->file_of[v->path[changes[i].old]] == UINT32_MAX)
            l->file_of[v->path[changes[i].old]] = file;
    }
    if (n > 1)
        qsort(files, n, sizeof *files, by_number);
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!distinct || files[distinct - 1] != files[i])
            files[distinct++] = files[i];
    out->files = files;
    out->file_count = distinct;
    return 0;
}

static int fill_commits(struct looking *l, struct lw_past_commit *out)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct node *node = &l->h->nodes.v[l->visible[i]];
        const struct kept *k = node->kept;
        out[i] = (struct lw_past_commit){
            .id = k->id,
            .date = k->date,
            .author = k->author,
            .is_fix = (k->flags & IS_FIX) != 0,
            .is_merge = (k->flags & IS_MERGE) != 0,
            .message = lw_str_n(l->h->volumes.v[node->volume].messages + k->message.start,
                                k->message.n),
            .changed = k->changed,
        };
        if (find_files(l, node, &out[i]) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

/* By candidate, the commits that changed it. */
static int fill_touches(struct lw_arena *arena, size_t files, struct lw_past *past)
{
    uint32_t *start = lw_arena_array(arena, files + 2, sizeof *start);
    size_t total = 0;
    for (size_t i = 0; i < past->n; i++)
        total += past->v[i].file_count;
    uint32_t *touches = lw_arena_array(arena, total + 1, sizeof *touches);
    if (!start || !touches)
        return LW_ENOMEM;
    for (size_t i = 0; i < past->n; i++)
        for (uint32_t k = 0; k < past->v[i].file_count; k++)
            start[past->v[i].files[k] + 2]++;
    for (size_t f = 1; f <= files; f++)
        start[f + 1] += start[f];
    for (size_t i = 0; i < past->n; i++)
        for (uint32_t k = 0; k < past->v[i].file_count; k++)
            touches[start[past->v[i].files[k] + 1]++] = (uint32_t)i;
    past->touches = touches;
    past->touch_start = start;
    return 0;
}

static int map_files(struct looking *l, const lw_index *index, const struct lw_files *files)
{
    l->file_of = lw_arena_array(l->arena, index->paths.n + 1, sizeof *l->file_of);
    if (!l->file_of)
        return LW_ENOMEM;
    memset(l->file_of, 0xff, index->paths.n * sizeof *l->file_of);
    for (size_t i = 0; i < files->n; i++)
        l->file_of[files->v[i].path_number] = (uint32_t)i;
    return 0;
}

int lw_past_make(const struct lw_history *h, struct lw_arena *arena, const lw_index *index,
                 uint32_t commit, int64_t until, struct lw_past *past, struct lw_err *err)
{
    struct looking l = {.h = h, .arena = arena};
    struct lw_git_id id = lw_index_commit_id(index, commit);
    struct lw_files files = lw_index_files(index, commit);
    uint64_t start = lw_map_get(&h->number_of, ix_id_key(&id), UINT64_MAX);
    memset(past, 0, sizeof *past);
    if ((start != UINT64_MAX && find_visible(&l, (uint32_t)start, until) < 0) ||
        map_files(&l, index, &files) < 0)
        return lw_err_nomem(err);
    if (l.count > 1)
        qsort_r(l.visible, l.count, sizeof *l.visible, by_age, (void *)(uintptr_t)h);
    struct lw_past_commit *v = lw_arena_array(arena, l.count + 1, sizeof *v);
    if (!v || fill_commits(&l, v) < 0)
        return lw_err_nomem(err);
    past->v = v;
    past->n = l.count;
    return fill_touches(arena, files.n, past) < 0 ? lw_err_nomem(err) : 0;
}
