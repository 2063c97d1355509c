#include "locate/view.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "locate/view_internal.h"

/* ---- Opening ----------------------------------------------------------------------------- */

static void take_sections(struct lw_view *v)
{
    const struct lw_container *c = &v->segment.container;
    size_t n;
    v->path_ends = lw_container_array(c, VW_PATH_ENDS, sizeof *v->path_ends, &n);
    v->path_text = lw_container_section(c, VW_PATH_TEXT).p;
    v->norms = lw_container_array(c, VW_NORMS, sizeof *v->norms, &n);
    v->place_start = lw_container_array(c, VW_PLACE_START, sizeof *v->place_start, &n);
    v->holder_start = lw_container_array(c, VW_HOLDER_START, sizeof *v->holder_start, &n);
    v->commits = lw_container_array(c, VW_COMMITS, sizeof *v->commits, &n);
    v->commit_files = lw_container_array(c, VW_COMMIT_FILES, sizeof *v->commit_files, &n);
    v->commit_words = lw_container_array(c, VW_COMMIT_WORDS, sizeof *v->commit_words, &n);
    v->vocabulary.ends =
        lw_container_array(c, VW_WORD_ENDS, sizeof *v->vocabulary.ends, &v->vocabulary.n);
    v->vocabulary.text = lw_container_section(c, VW_WORD_TEXT).p;
    v->own = VW_OWN;
    uint32_t lazy = VW_OWN + v->head->own_count;
    v->place_files = lw_container_array(c, lazy + VW_PLACE_FILES, sizeof *v->place_files, &n);
    v->place_counts =
        lw_container_array(c, lazy + VW_PLACE_COUNTS, sizeof *v->place_counts, &n);
    v->holders = lw_container_array(c, lazy + VW_HOLDERS, sizeof *v->holders, &n);
    v->messages = lw_container_section(c, lazy + VW_MESSAGES);
}

int lw_view_use(struct lw_view *v, struct lw_mem *mem, struct lw_container *container,
                struct lw_err *err)
{
    size_t n;
    memset(v, 0, sizeof *v);
    v->mem = mem;
    int rc = lw_segment_use(&v->segment, container, err);
    if (rc < 0)
        return rc;
    v->head = lw_container_array(&v->segment.container, VW_HEAD, sizeof *v->head, &n);
    if (n != 1 || v->head->files != v->segment.record_count) {
        lw_view_close(v);
        return lw_err_set(err, LW_ECORRUPT, "a view of a commit is damaged");
    }
    take_sections(v);
    v->checked = lw_mem_alloc(mem, lw_container_blocks(&v->segment.container) + 1);
    if (v->checked)
        return 0;
    lw_view_close(v);
    return lw_err_nomem(err);
}

void lw_view_close(struct lw_view *v)
{
    if (v->checked)
        lw_mem_free(v->mem, v->checked, lw_container_blocks(&v->segment.container) + 1);
    lw_segment_close(&v->segment);
    memset(v, 0, sizeof *v);
}

/* Are these bytes of a lazy section as they were written? */
static bool check(struct lw_view *v, const void *p, size_t n)
{
    const struct lw_container *c = &v->segment.container;
    if (!n)
        return true;
    size_t last = lw_container_block_of(c, (const char *)p + n - 1);
    for (size_t b = lw_container_block_of(c, p); b <= last; b++) {
        if (v->checked[b])
            continue;
        if (!lw_container_block(c, b)) {
            v->damaged = true;
            return false;
        }
        v->checked[b] = true;
    }
    return true;
}

/* ---- Files ------------------------------------------------------------------------------- */

bool lw_view_is_of(const struct lw_view *v, const struct lw_git_id *commit)
{
    return memcmp(&v->head->id, commit, sizeof *commit) == 0;
}

size_t lw_view_files(const struct lw_view *v)
{
    return (size_t)v->head->files;
}

struct lw_str lw_view_path(const struct lw_view *v, size_t file)
{
    uint32_t start = file ? v->path_ends[file - 1] : 0;
    return lw_str_n(v->path_text + start, v->path_ends[file] - start);
}

uint64_t lw_view_length(const struct lw_view *v, enum lw_field field)
{
    return v->head->length[field];
}

struct lw_index_figures lw_view_figures(const struct lw_view *v)
{
    return (struct lw_index_figures){.blobs = (size_t)v->head->blobs,
                                     .segments = 1,
                                     .large = (size_t)v->head->large,
                                     .binary = (size_t)v->head->binary};
}

struct lw_places lw_view_places(struct lw_view *v, enum lw_field field, uint32_t term)
{
    uint32_t n = lw_view_df(v, field, term);
    if (!n)
        return (struct lw_places){0};
    uint32_t start = v->place_start[(size_t)term * LW_FIELDS + field];
    const uint32_t *files = v->place_files + start;
    const uint16_t *counts = v->place_counts + start;
    if (!check(v, files, n * sizeof *files) || !check(v, counts, n * sizeof *counts))
        return (struct lw_places){0};
    return (struct lw_places){files, counts, n};
}

struct lw_names_view lw_view_holders(struct lw_view *v, uint32_t name)
{
    uint32_t start = v->holder_start[name], n = v->holder_start[name + 1] - start;
    if (!check(v, v->holders + start, n * sizeof *v->holders))
        n = 0;
    return (struct lw_names_view){v->holders + start, n};
}

const void *lw_view_own(const struct lw_view *v, uint32_t number, size_t size, size_t *n)
{
    return lw_container_array(&v->segment.container, v->own + number, size, n);
}

/* ---- The past ---------------------------------------------------------------------------- */

static struct lw_past_commit past_commit(struct lw_view *v, const struct lw_view_commit *k)
{
    return (struct lw_past_commit){
        .id = k->id,
        .date = k->date,
        .author = k->author,
        .is_fix = (k->flags & VW_IS_FIX) != 0,
        .is_merge = (k->flags & VW_IS_MERGE) != 0,
        .renames = (k->flags & VW_RENAMES) != 0,
        .message = lw_str_n(v->messages.p + k->message.start, k->message.n),
        .words = v->commit_words + k->words.start,
        .word_count = k->words.n,
        .files = v->commit_files + k->files.start,
        .file_count = k->files.n,
        .changed = k->changed,
    };
}

bool lw_view_past(struct lw_view *v, struct lw_arena *arena, int64_t until,
                  struct lw_past *past, int *rc)
{
    size_t n, first = 0;
    (void)lw_container_array(&v->segment.container, VW_COMMITS, sizeof *v->commits, &n);
    for (; first < n && v->commits[first].date > until; first++)
        if (v->commits[first].flags & VW_RENAMES)
            return false;
    struct lw_past_commit *out = lw_arena_array(arena, n - first + 1, sizeof *out);
    *past = (struct lw_past){.v = out, .n = n - first, .vocabulary_count = 1};
    past->vocabularies = &v->vocabulary;
    past->view = v;
    *rc = out ? 0 : LW_ENOMEM;
    for (size_t i = first; i < n && out; i++)
        out[i - first] = past_commit(v, &v->commits[i]);
    return true;
}

struct lw_str lw_past_message(const struct lw_past *past, size_t commit)
{
    struct lw_str message = past->v[commit].message;
    if (past->view && !check(past->view, message.p, message.n))
        return LW_S("");
    return message;
}
