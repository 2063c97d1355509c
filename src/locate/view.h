/*
 * view - all that a query needs of one commit, laid out to be looked into and not gone through.
 *
 * The index keeps documents, so whoever scores a commit goes through all of them. A view turns
 * them round: by term the files that have it, by identifier its files, with the norms, paths
 * and the visible past of the commit; techniques add tables of their own. It is a container in
 * the cache, made by the first query on a commit and found by the commit's id; the next query
 * opens nothing else, and reads only what its words lead to. What it holds follows from the
 * commit alone, and sums are made in the same order as from the documents, so results are the
 * same to the last bit.
 *
 * The long lists are lazy sections (container.h): a damaged one reads as empty and sets
 * `damaged`, and the query is then made again without the view.
 *
 * A view belongs to one thread.
 */
#ifndef LW_LOCATE_VIEW_H
#define LW_LOCATE_VIEW_H

#include "locate/history.h"
#include "locate/segment.h"

enum { LW_VIEW_KIND = 0x77656976 /* "view" */ };

struct lw_view_head;
struct lw_view_commit;

struct lw_view {
    struct lw_mem *mem;
    struct lw_segment segment; /* the candidates in order of their paths, without postings and
                                * identifiers; owns the container */
    const struct lw_view_head *head;
    const uint32_t *path_ends;
    const char *path_text;
    const double *norms;         /* (LW_FIELDS, files): squares of rVSM's vectors */
    const uint32_t *place_start; /* (terms, LW_FIELDS), one more */
    const uint32_t *place_files;
    const uint16_t *place_counts;
    const uint32_t *holder_start; /* (names), one more */
    const uint32_t *holders;
    const struct lw_view_commit *commits;
    const uint32_t *commit_files, *commit_words;
    struct lw_vocabulary vocabulary;
    struct lw_str messages;
    uint32_t own;  /* the first section of the techniques */
    bool *checked; /* by block */
    bool damaged;
};

/* Looks into an opened container, which the view takes over. LW_ECORRUPT, LW_ENOMEM. */
int lw_view_use(struct lw_view *v, struct lw_mem *mem, struct lw_container *container,
                struct lw_err *err);
void lw_view_close(struct lw_view *v);

bool lw_view_is_of(const struct lw_view *v, const struct lw_git_id *commit);
size_t lw_view_files(const struct lw_view *v);
struct lw_str lw_view_path(const struct lw_view *v, size_t file);
uint64_t lw_view_length(const struct lw_view *v, enum lw_field field);
/* Of the files: how many are LW_DOC_LARGE and LW_DOC_BINARY, how many blobs they are. */
struct lw_index_figures lw_view_figures(const struct lw_view *v);

/* Where a term stands in a field: files, ascending, with counts. */
struct lw_places {
    const uint32_t *files;
    const uint16_t *counts;
    uint32_t n;
};
struct lw_places lw_view_places(struct lw_view *v, enum lw_field field, uint32_t term);

static inline uint32_t lw_view_df(const struct lw_view *v, enum lw_field field, uint32_t term)
{
    const uint32_t *start = &v->place_start[(size_t)term * LW_FIELDS + field];
    return term < v->segment.term_count ? start[1] - start[0] : 0;
}

static inline uint32_t lw_snapshot_df(const struct lw_snapshot *s, enum lw_field field,
                                      uint32_t term)
{
    return s->view ? lw_view_df(s->view, field, term) : s->fields[field].df[term];
}

/* The files that have an identifier (a name of the segment), ascending. */
struct lw_names_view lw_view_holders(struct lw_view *v, uint32_t name);

/* What lw_past_make would give; false when it may not be the same: commits newer than `until`
 * renamed files. LW_ENOMEM sets *rc. */
bool lw_view_past(struct lw_view *v, struct lw_arena *arena, int64_t until,
                  struct lw_past *past, int *rc);

/* Sections of the techniques are numbered from 0 on. */
const void *lw_view_own(const struct lw_view *v, uint32_t number, size_t size, size_t *n);

/* ---- Making ------------------------------------------------------------------------------ */

/* What a technique may lay out for the view: files whose documents are those of the view. */
struct lw_view_source {
    struct lw_mem *mem;
    struct lw_arena *arena;
    const struct lw_segment *segment;
    const struct lw_files *files;
    const struct lw_stopwords *stopwords;
};

/* Makes the image for a commit of the index with its whole past. */
int lw_view_build(struct lw_container_writer *w, const lw_index *index, uint32_t commit,
                  const struct lw_past *past, struct lw_err *err);

#endif
