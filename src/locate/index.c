#include "locate/index.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/err.h"
#include "base/str.h"
#include "knowledge/embedded.h"
#include "locate/index_internal.h"
#include "locate/view.h"

/* Raised whenever what is kept would differ. */
enum { FORMAT_VERSION = 5 };

bool lw_cache_default(struct lw_buf *path)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/')
        lw_buf_addf(path, "%s/lacewing", cache);
    else if (home && home[0] == '/')
        lw_buf_addf(path, "%s/.cache/lacewing", home);
    else
        return false;
    return !path->failed;
}

/* ---- Opening ----------------------------------------------------------------------------- */

/* Other tables, other terms: what was kept with them is outdated. */
static uint64_t format_number(void)
{
    static const char *const tables[] = {"data/locate/stopwords.txt",
                                         "data/locate/languages.ini"};
    uint64_t sum = (uint64_t)FORMAT_VERSION << 32 | LW_TERMS_VERSION;
    struct lw_str text;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (lw_embedded_find(lw_str(tables[i]), &text))
            sum = lw_checksum(text, sum);
    return lw_checksum(
        lw_str_n((const char *)&(size_t){sizeof(struct lw_record)}, sizeof(size_t)), sum);
}

static int ask_languages(lw_index *index, struct lw_str names, struct lw_err *err)
{
    struct lw_str name;
    index->asked = lw_arena_array(&index->arena, index->languages.n, sizeof *index->asked);
    if (!index->asked)
        return lw_err_nomem(err);
    if (!names.n)
        names = LW_S("python");
    while (lw_str_split(&names, ',', &name)) {
        const struct lw_language *l = lw_language_find(&index->languages, lw_str_trim(name));
        if (!l)
            return lw_err_set(err, LW_EINVAL, "unknown language '%.*s'", LW_F(name));
        index->asked[l - index->languages.v] = true;
    }
    return 0;
}

static int open_rest(lw_index *index, struct lw_err *err);

static int open_parts(lw_index *index, const char *repo, const struct lw_index_options *options,
                      struct lw_err *err)
{
    int rc = lw_languages_load(&index->languages, index->mem, err);
    if (rc == 0)
        rc = lw_stopwords_load(&index->stopwords, index->mem, err);
    if (rc == 0)
        rc = ask_languages(index, options->languages, err);
    if (rc < 0)
        return rc;
    char absolute[PATH_MAX];
    index->folder =
        lw_arena_copy(&index->arena, lw_str(realpath(repo, absolute) ? absolute : repo));
    index->format = format_number();
    if (!index->folder.p)
        return lw_err_nomem(err);
    rc = lw_cache_open(&index->cache, index->ctx, options->cache, index->folder,
                       options->cache_limit ? options->cache_limit : LW_CACHE_LIMIT, err);
    index->views = options->views;
    return rc < 0 || index->views ? rc : open_rest(index, err);
}

static int open_rest(lw_index *index, struct lw_err *err)
{
    if (index->is_open)
        return 0;
    index->is_open = true;
    int rc = ix_lists_open(index, err);
    if (rc == 0 && !index->lists.n) /* nothing is known of it: is it a repository at all? */
        rc = ix_git(index, err);
    return rc < 0 ? rc : ix_segments_open(index, err);
}

/* Opening takes some milliseconds, most of them in libgit2's set-up: a query whose commit is
 * known needs none of it. */
int ix_git(lw_index *index, struct lw_err *err)
{
    return index->git ? 0 : lw_git_open(&index->git, index->ctx, index->folder.p, err);
}

int lw_index_open(lw_index **out, const struct lw_ctx *ctx, const char *repo,
                  const struct lw_index_options *options, struct lw_err *err)
{
    lw_index *index = lw_mem_alloc(ctx->mem, sizeof *index);
    *out = NULL;
    if (!index)
        return lw_err_nomem(err);
    index->ctx = ctx;
    index->mem = ctx->mem;
    lw_arena_init(&index->arena, ctx->mem, 0);
    lw_map_init(&index->path_of, ctx->mem);
    lw_map_init(&index->blob_of, ctx->mem);
    lw_map_init(&index->commit_of, ctx->mem);
    lw_map_init(&index->listed, ctx->mem);
    lw_map_init(&index->terms, ctx->mem);
    lw_arena_init(&index->languages.arena, ctx->mem, 0);
    lw_map_init(&index->stopwords.words, ctx->mem);
    lw_words_init(&index->words, ctx->mem, &index->stopwords);
    index->cache.ctx = ctx;
    int rc = open_parts(index, repo, options, err);
    if (rc < 0) {
        lw_index_close(index);
        return rc;
    }
    *out = index;
    return 0;
}

static void close_view(lw_index *index)
{
    if (!index->view)
        return;
    lw_view_close(index->view);
    lw_mem_free(index->mem, index->view, sizeof *index->view);
}

void lw_index_close(lw_index *index)
{
    if (!index)
        return;
    close_view(index);
    for (size_t i = 0; i < index->segments.n; i++) {
        struct lw_segment *s = index->segments.v[i];
        if (s->to_index)
            lw_mem_free(index->mem, s->to_index, s->term_count * sizeof *s->to_index);
        lw_segment_close(s);
        lw_mem_free(index->mem, s, sizeof *s);
    }
    for (size_t i = 0; i < index->lists.n; i++)
        lw_container_close(&index->lists.v[i].container);
    lw_cache_close(&index->cache);
    lw_vec_release(index->mem, &index->segments);
    lw_vec_release(index->mem, &index->lists);
    lw_vec_release(index->mem, &index->paths);
    lw_vec_release(index->mem, &index->blobs);
    lw_vec_release(index->mem, &index->commits);
    lw_map_release(&index->path_of);
    lw_map_release(&index->blob_of);
    lw_map_release(&index->commit_of);
    lw_map_release(&index->listed);
    lw_map_release(&index->terms);
    lw_words_release(&index->words);
    lw_stopwords_release(&index->stopwords);
    lw_languages_release(&index->languages);
    lw_git_close(index->git);
    lw_arena_release(&index->arena);
    lw_mem_free(index->mem, index, sizeof *index);
}

/* ---- Numbers ----------------------------------------------------------------------------- */

/* Of a failed put, the entry must not stay: its key is not ours. */
static bool own_key(lw_index *index, struct lw_map_entry *e, size_t number)
{
    e->key = lw_arena_copy(&index->arena, e->key);
    e->value = number;
    return e->key.p != NULL;
}

static struct ix_path path_facts(const lw_index *index, struct lw_str text)
{
    const struct lw_language *l = lw_language_of(&index->languages, text);
    struct ix_path path = {.text = text, .language = UINT8_MAX};
    if (l) {
        path.language = (uint8_t)(l - index->languages.v);
        path.candidate = index->asked[path.language] && !lw_path_is_test(text);
    }
    return path;
}

uint32_t ix_path(lw_index *index, struct lw_str text)
{
    bool is_new;
    struct lw_map_entry *e = lw_map_put(&index->path_of, text, &is_new);
    if (!e)
        return UINT32_MAX;
    if (is_new) {
        if (!own_key(index, e, index->paths.n) ||
            lw_vec_push(index->mem, &index->paths, path_facts(index, e->key)) < 0)
            return UINT32_MAX;
    }
    return (uint32_t)e->value;
}

uint32_t ix_blob(lw_index *index, const struct lw_git_id *id, uint32_t path)
{
    bool is_new;
    struct lw_map_entry *e = lw_map_put(&index->blob_of, ix_id_key(id), &is_new);
    if (!e)
        return UINT32_MAX;
    if (is_new) {
        uint8_t language = index->paths.v[path].language;
        struct ix_blob blob = {
            .id = *id, .path = path, .language = language == UINT8_MAX ? 0 : language};
        if (!own_key(index, e, index->blobs.n) ||
            lw_vec_push(index->mem, &index->blobs, blob) < 0)
            return UINT32_MAX;
    }
    return (uint32_t)e->value;
}

static int number_commit(lw_index *index, const struct ix_commit *commit)
{
    struct lw_map_entry *e = lw_map_put(&index->commit_of, ix_id_key(&commit->id), NULL);
    return e && own_key(index, e, index->commits.n)
               ? lw_vec_push(index->mem, &index->commits, *commit)
               : LW_ENOMEM;
}

/* A full name that the cache knows needs no repository; a branch that points to one, no objects
 * of it. */
static int find_commit(lw_index *index, struct lw_str rev, struct lw_git_id *id,
                       struct lw_err *err)
{
    if (lw_git_id_parse(rev, id) && lw_map_find(&index->listed, ix_id_key(id)))
        return 0;
    struct lw_err ignored;
    int rc = ix_git(index, err);
    if (rc == 0 && lw_git_ref(index->git, rev, id, &ignored) == 0 &&
        lw_map_find(&index->listed, ix_id_key(id)))
        return 0;
    return rc < 0 ? rc : lw_git_resolve(index->git, rev, id, err);
}

/* ---- Views ------------------------------------------------------------------------------- */

struct lw_view *lw_index_view(const lw_index *index)
{
    return index->view;
}

uint64_t ix_view_key(const lw_index *index, const struct lw_git_id *id)
{
    return lw_checksum(lw_str_n((const char *)index->asked, index->languages.n),
                       lw_checksum(ix_id_key(id), LW_VIEW_KIND));
}

void lw_index_drop_view(lw_index *index)
{
    index->cache.damaged++;
    if (index->view)
        lw_cache_drop(&index->cache, LW_VIEW_KIND, ix_view_key(index, &index->commits.v[0].id));
}

enum { VIEWS_MOST = 8 };

int lw_index_keep_view(lw_index *index, uint32_t commit, const struct lw_past *past,
                       struct lw_err *err)
{
    struct lw_container_writer w;
    if (!index->cache.folder.n)
        return 0;
    int rc = lw_view_build(&w, index, commit, past, err);
    if (rc == LW_ELIMIT) /* then there is none */
        return 0;
    if (rc < 0)
        return rc;
    (void)lw_cache_put_as(&index->cache, LW_VIEW_KIND,
                          ix_view_key(index, &index->commits.v[commit].id), VIEWS_MOST, &w);
    lw_container_abandon(&w);
    return 0;
}

/* The commit with the files of the view. */
static int take_view(lw_index *index, const struct lw_git_id *id)
{
    struct ix_commit commit = {.id = *id};
    size_t n = lw_view_files(index->view);
    struct lw_file *files = lw_arena_array(&index->arena, n + 1, sizeof *files);
    for (size_t i = 0; i < n && files; i++)
        files[i] = (struct lw_file){
            lw_view_path(index->view, i),
            {&index->view->segment, index->view->segment.records + i},
            (uint32_t)i,
            (uint32_t)i,
        };
    commit.files = (struct lw_files){.v = files, .n = n};
    index->own = &index->view->segment;
    index->figures = lw_view_figures(index->view);
    return files ? number_commit(index, &commit) : LW_ENOMEM;
}

/* Is there a view of the commit? 1: it is the index now. */
static int open_view(lw_index *index, const struct lw_git_id *id, struct lw_err *err)
{
    struct lw_container container;
    struct lw_err ignored = {0};
    if (!lw_cache_find(&index->cache, LW_VIEW_KIND, ix_view_key(index, id), index->format,
                       &container))
        return 0;
    struct lw_view *view = lw_mem_alloc(index->mem, sizeof *view);
    int rc = view ? lw_view_use(view, index->mem, &container, &ignored) : LW_ENOMEM;
    lw_container_close(&container);
    if (rc == 0 && !lw_view_is_of(view, id)) {
        lw_view_close(view);
        rc = LW_ECORRUPT;
    }
    if (rc < 0 && view)
        lw_mem_free(index->mem, view, sizeof *view);
    if (rc < 0)
        return rc == LW_ECORRUPT ? 0 : lw_err_nomem(err);
    index->view = view;
    return take_view(index, id) < 0 ? lw_err_nomem(err) : 1;
}

/* A commit by its full name, or a branch that points to it, which needs no objects. */
static int find_view(lw_index *index, struct lw_str rev, struct lw_err *err)
{
    struct lw_git_id id;
    struct lw_err ignored;
    if (!index->views || index->is_open || !index->cache.folder.n)
        return 0;
    if (lw_git_id_parse(rev, &id))
        return open_view(index, &id, err);
    if (ix_git(index, &ignored) < 0 || lw_git_ref(index->git, rev, &id, &ignored) < 0)
        return 0;
    return open_view(index, &id, err);
}

int lw_index_commit(lw_index *index, struct lw_str rev, uint32_t *number, struct lw_err *err)
{
    struct ix_commit commit = {0};
    int rc = find_view(index, rev, err);
    if (rc == 1) {
        *number = 0;
        return 0;
    }
    if (rc == 0)
        rc = open_rest(index, err);
    if (rc == 0)
        rc = find_commit(index, rev, &commit.id, err);
    if (rc < 0)
        return rc;
    const struct lw_map_entry *e = lw_map_find(&index->commit_of, ix_id_key(&commit.id));
    if (e) {
        *number = (uint32_t)e->value;
        return 0;
    }
    rc = ix_list(index, &commit, err);
    if (rc < 0)
        return rc;
    if (number_commit(index, &commit) < 0)
        return lw_err_nomem(err);
    *number = (uint32_t)(index->commits.n - 1);
    for (size_t i = 0; i < commit.n; i++)
        if (index->paths.v[commit.entries[i].path].candidate)
            index->blobs.v[commit.entries[i].blob].wanted = true;
    return 0;
}

/* ---- Loading ----------------------------------------------------------------------------- */

static size_t own_count(const lw_index *index)
{
    return index->own ? index->own->term_count : 0;
}

/* The number of a term, a new one where it has none; LW_NO_TERM when memory ran out. The text
 * must live as long as the index. */
static uint32_t number_term(lw_index *index, struct lw_str text)
{
    bool is_new;
    uint32_t own = index->own ? lw_segment_find_term(index->own, text) : LW_NO_TERM;
    if (own != LW_NO_TERM)
        return own;
    struct lw_map_entry *e = lw_map_put(&index->terms, text, &is_new);
    if (e && is_new)
        e->value = own_count(index) + index->terms.n - 1;
    return e ? (uint32_t)e->value : LW_NO_TERM;
}

/* Index-wide numbers for the segment's terms. */
static int number_terms(lw_index *index, struct lw_segment *s, struct lw_err *err)
{
    if (s->to_index || !s->term_count)
        return 0;
    uint32_t *to = lw_mem_alloc(index->mem, s->term_count * sizeof *to);
    if (!to)
        return lw_err_nomem(err);
    s->to_index = to;
    for (uint32_t i = 0; i < s->term_count; i++) {
        to[i] = s == index->own ? i : number_term(index, lw_segment_term(s, i));
        if (to[i] == LW_NO_TERM)
            return lw_err_nomem(err);
    }
    return 0;
}

/* A query looks at one commit, whose blobs are mostly in one segment: its terms are sorted, and
 * finding a few hundred in it costs less than a map of all. */
static void choose_own(lw_index *index)
{
    const struct lw_segment *s = NULL;
    if (index->own || index->terms.n || index->commits.n != 1)
        return;
    for (size_t i = 0; i < index->blobs.n; i++) {
        struct lw_doc doc = index->blobs.v[i].doc;
        if (doc.record && doc.segment != index->absent &&
            (!s || s->term_count < doc.segment->term_count))
            s = doc.segment;
    }
    index->own = s;
}

static int number_all_terms(lw_index *index, struct lw_err *err)
{
    int rc = 0;
    choose_own(index);
    for (size_t i = 0; i < index->blobs.n && rc == 0; i++)
        if (index->blobs.v[i].doc.record)
            rc = number_terms(
                index, (struct lw_segment *)(uintptr_t)index->blobs.v[i].doc.segment, err);
    return rc;
}

static int make_files(lw_index *index, struct ix_commit *c, struct lw_err *err)
{
    size_t candidates = 0;
    if (c->files.v)
        return 0;
    for (size_t i = 0; i < c->n; i++)
        candidates += index->paths.v[c->entries[i].path].candidate;
    struct lw_file *files = lw_arena_array(&index->arena, candidates + 1, sizeof *files);
    struct lw_str *others =
        lw_arena_array(&index->arena, c->n - candidates + 1, sizeof *others);
    if (!files || !others)
        return lw_err_nomem(err);
    c->files = (struct lw_files){files, candidates, others, c->n - candidates};
    for (size_t i = 0; i < c->n; i++) {
        const struct ix_path *path = &index->paths.v[c->entries[i].path];
        struct lw_doc doc = index->blobs.v[c->entries[i].blob].doc;
        if (!path->candidate) {
            *others++ = path->text;
            continue;
        }
        *files++ =
            (struct lw_file){path->text, doc, c->entries[i].path,
                             doc.segment->base + (uint32_t)(doc.record - doc.segment->records)};
    }
    return 0;
}

int lw_index_load(lw_index *index, struct lw_err *err)
{
    if (index->view)
        return 0;
    struct lw_clock clock = index->ctx->clock;
    double start = clock.seconds(clock.data);
    int rc = ix_read_blobs(index, err);
    double middle = clock.seconds(clock.data);
    if (rc == 0)
        rc = ix_lists_save(index, err);
    if (rc == 0)
        rc = ix_segments_merge(index, err);
    if (rc == 0)
        rc = number_all_terms(index, err);
    for (size_t i = 0; i < index->commits.n && rc == 0; i++)
        rc = make_files(index, &index->commits.v[i], err);
    index->figures.seconds_read += middle - start;
    index->figures.seconds_write += clock.seconds(clock.data) - middle;
    return rc;
}

/* ---- Looking ----------------------------------------------------------------------------- */

struct lw_git_id lw_index_commit_id(const lw_index *index, uint32_t number)
{
    return index->commits.v[number].id;
}

struct lw_str lw_index_folder(const lw_index *index)
{
    return index->folder;
}

const struct lw_stopwords *lw_index_stopwords(const lw_index *index)
{
    return &index->stopwords;
}

struct lw_index_figures lw_index_figures(const lw_index *index)
{
    struct lw_index_figures f = index->figures;
    if (!index->view)
        f.segments = index->segments.n - (index->absent != NULL);
    f.segments_damaged = index->cache.damaged;
    return f;
}

struct lw_files lw_index_files(const lw_index *index, uint32_t commit)
{
    return index->commits.v[commit].files;
}

size_t lw_files_find(const struct lw_files *files, struct lw_str path)
{
    size_t low = 0, high = files->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int order = lw_str_cmp(files->v[mid].path, path);
        if (order == 0)
            return mid;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return SIZE_MAX;
}

/* ---- Terms ------------------------------------------------------------------------------- */

size_t lw_index_term_count(const lw_index *index)
{
    return own_count(index) + index->terms.n;
}

struct lw_str lw_index_term(const lw_index *index, uint32_t term)
{
    size_t own = own_count(index);
    return term < own ? lw_segment_term(index->own, term)
                      : index->terms.entries[term - own].key;
}

uint32_t lw_index_find_term(const lw_index *index, struct lw_str text)
{
    uint32_t own = index->own ? lw_segment_find_term(index->own, text) : LW_NO_TERM;
    return own != LW_NO_TERM ? own : (uint32_t)lw_map_get(&index->terms, text, LW_NO_TERM);
}

static int by_text(const void *a, const void *b, void *data)
{
    const lw_index *index = data;
    const struct lw_count *x = a, *y = b;
    return lw_str_cmp(lw_index_term(index, x->term), lw_index_term(index, y->term));
}

/* The reader's number becomes the index's. */
static int renumber(lw_index *index, struct lw_count *c)
{
    c->term = number_term(index, lw_words_term(&index->words, c->term));
    return c->term == LW_NO_TERM ? LW_ENOMEM : 0;
}

int lw_index_terms(lw_index *index, struct lw_arena *arena, struct lw_str text,
                   struct lw_bag *bag, struct lw_err *err)
{
    lw_counts counts = {0};
    lw_words_add_text(&index->words, text);
    int rc = lw_words_take(&index->words, index->mem, &counts, &bag->length);
    for (size_t i = 0; i < counts.n && rc == 0; i++)
        rc = renumber(index, &counts.v[i]);
    struct lw_count *v = lw_arena_array(arena, counts.n + 1, sizeof *v);
    if (rc < 0 || !v) {
        lw_vec_release(index->mem, &counts);
        return lw_err_nomem(err);
    }
    if (counts.n) {
        memcpy(v, counts.v, counts.n * sizeof *v);
        qsort_r(v, counts.n, sizeof *v, by_text, index);
    }
    bag->v = v;
    bag->n = counts.n;
    lw_vec_release(index->mem, &counts);
    return 0;
}

int lw_bag_join(const lw_index *index, struct lw_arena *arena, const struct lw_bag *a,
                const struct lw_bag *b, struct lw_bag *out, struct lw_err *err)
{
    struct lw_count *v = lw_arena_array(arena, a->n + b->n + 1, sizeof *v);
    size_t i = 0, j = 0, n = 0;
    if (!v)
        return lw_err_nomem(err);
    while (i < a->n || j < b->n) {
        int order = i == a->n   ? 1
                    : j == b->n ? -1
                                : by_text(&a->v[i], &b->v[j], (void *)(uintptr_t)index);
        v[n] = order <= 0 ? a->v[i++] : b->v[j++];
        if (order == 0)
            v[n].count += b->v[j++].count;
        n++;
    }
    *out = (struct lw_bag){v, n, a->length + b->length};
    return 0;
}
