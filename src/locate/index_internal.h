/*
 * index_internal - the index as its own files see it.
 */
#ifndef LW_LOCATE_INDEX_INTERNAL_H
#define LW_LOCATE_INDEX_INTERNAL_H

#include "locate/cache.h"
#include "locate/segment.h"
#include "source/git_tree.h"

/* A distinct blob that some commit has under a name of a known language. */
struct ix_blob {
    struct lw_git_id id;
    uint32_t path;     /* the first it was seen under */
    uint32_t language; /* of that path */
    bool wanted;       /* some commit has it as a candidate */
    struct lw_doc doc; /* after loading; record NULL before */
};

/* A source file of a commit. */
struct ix_entry {
    uint32_t path; /* number */
    uint32_t blob; /* number */
};

struct ix_commit {
    struct lw_git_id id;
    struct ix_entry *entries; /* in byte order of the paths; in the index's arena */
    size_t n;
    struct lw_files files; /* after loading */
    bool is_new;           /* listed from git now */
};

struct ix_path {
    struct lw_str text;
    uint8_t language; /* number in languages, UINT8_MAX: none */
    bool candidate;
};

/* A cached container with lists of commits. */
struct ix_lists {
    struct lw_container container;
};

struct lw_index {
    const struct lw_ctx *ctx;
    struct lw_mem *mem;
    struct lw_arena arena;
    lw_git *git; /* NULL until it is needed: ix_git */
    struct lw_str folder;
    struct lw_languages languages;
    bool *asked; /* by language */
    struct lw_stopwords stopwords;
    struct lw_words words; /* for the terms of reports */
    struct lw_cache cache;
    uint64_t format;
    bool views, is_open;  /* may views be used; were lists and segments opened */
    struct lw_view *view; /* owned; then there is one commit, and `own` is its segment */

    struct lw_map path_of; /* text to number */
    LW_VEC(struct ix_path) paths;
    struct lw_map blob_of; /* id to number */
    LW_VEC(struct ix_blob) blobs;
    struct lw_map commit_of; /* id to number */
    LW_VEC(struct ix_commit) commits;
    struct lw_map listed; /* id to place in `lists`, of commits that are cached */
    LW_VEC(struct ix_lists) lists;

    LW_VEC(struct lw_segment *) segments;
    struct lw_segment *absent;    /* one empty record */
    const struct lw_segment *own; /* its terms are numbered as they are; NULL: none */
    struct lw_map terms; /* all others: text to number; keys borrowed from segments or words */
    uint32_t record_count;

    struct lw_index_figures figures;
};

/* The name of a commit's view in the cache, which depends on the languages asked for. */
uint64_t ix_view_key(const lw_index *index, const struct lw_git_id *id);

/* Opens the repository unless it is open. */
int ix_git(lw_index *index, struct lw_err *err);

/* Numbers of texts and ids; UINT32_MAX when memory ran out. */
uint32_t ix_path(lw_index *index, struct lw_str path);
uint32_t ix_blob(lw_index *index, const struct lw_git_id *id, uint32_t path);

static inline struct lw_str ix_id_key(const struct lw_git_id *id)
{
    return (struct lw_str){(const char *)id->b, sizeof id->b};
}

/* ---- index_list.c: files of commits -------------------------------------------------------
 */

/* Opens what the cache has. */
int ix_lists_open(lw_index *index, struct lw_err *err);
/* Fills the entries of the commit, from the cache or from git. */
int ix_list(lw_index *index, struct ix_commit *commit, struct lw_err *err);
/* Keeps the lists that are new. */
int ix_lists_save(lw_index *index, struct lw_err *err);

/* ---- index_read.c: blobs to documents -----------------------------------------------------
 */

int ix_segments_open(lw_index *index, struct lw_err *err);
/* Gives every wanted blob its document. */
int ix_read_blobs(lw_index *index, struct lw_err *err);
/* Puts small segments of the cache together when they have become many: the next run opens one
 * instead. This one goes on with what it has. */
int ix_segments_merge(lw_index *index, struct lw_err *err);

#endif
