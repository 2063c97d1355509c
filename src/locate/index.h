/*
 * index - the files of a repository's commits, ready to be compared with reports.
 *
 * In: a git repository and commits of it. Out: for each commit the candidate files with their
 * contents as documents (document.h), and which terms stand in how many of them. Every distinct
 * blob is read and parsed once, whatever the number of commits, and kept in segments: images
 * (container.h) in the cache folder or only in memory.
 *
 *     lw_index_open            repository, cache folder, languages
 *     lw_index_commit          … for each commit: its files; number of the commit
 *     lw_index_load            reads what no segment has, on several threads; writes segments
 *     lw_index_terms           … for each report: text to term numbers
 *     ---- from here on the index is read-only and may be used by many threads ----
 *     lw_snapshot_set          per thread: the statistics of a commit; the next commit costs
 *                              what changed
 *
 * Same input, same results, whatever is in the cache and on any number of threads: the terms of
 * a document are always in byte order of their texts, so that sums are made in the same order.
 *
 * Everything handed out is borrowed from the index and lives as long as it is open.
 */
#ifndef LW_LOCATE_INDEX_H
#define LW_LOCATE_INDEX_H

#include "base/ctx.h"
#include "locate/document.h"

typedef struct lw_index lw_index;
struct lw_past;
struct lw_view;

struct lw_index_options {
    const char *cache;       /* cache folder; NULL: nothing is kept */
    uint64_t cache_limit;    /* bytes; 0 = LW_CACHE_LIMIT */
    struct lw_str languages; /* "python,java"; empty = python */
    bool views;              /* a commit that has a view (view.h) in the cache is not looked up
                              * otherwise; no other commit can be added to it then */
};

#define LW_CACHE_LIMIT ((uint64_t)4 << 30)

/* `ctx` is borrowed as long as the index lives; its jobs and cancel flag hold. */
int lw_index_open(lw_index **out, const struct lw_ctx *ctx, const char *repo,
                  const struct lw_index_options *options, struct lw_err *err);
/* NULL is fine. */
void lw_index_close(lw_index *index);

/* The folder where caches lie unless told otherwise: $XDG_CACHE_HOME/lacewing or
 * ~/.cache/lacewing. False when neither variable is set. */
bool lw_cache_default(struct lw_buf *path);

/* Adds the commit that `rev` means, or finds it; `*number` counts from 0. LW_ENOENT: unknown.
 */
int lw_index_commit(lw_index *index, struct lw_str rev, uint32_t *number, struct lw_err *err);
/* Reads the blobs of all commits added so far. */
int lw_index_load(lw_index *index, struct lw_err *err);

/* The view that stands for all of it, or NULL. */
struct lw_view *lw_index_view(const lw_index *index);
/* Keeps one of the commit in the cache, if there is one; `past` is all that led to it. */
int lw_index_keep_view(lw_index *index, uint32_t commit, const struct lw_past *past,
                       struct lw_err *err);
/* The view was found to be damaged: it is not there the next time. */
void lw_index_drop_view(lw_index *index);

struct lw_git_id lw_index_commit_id(const lw_index *index, uint32_t number);
/* Where the repository is; NUL-terminated. */
struct lw_str lw_index_folder(const lw_index *index);
const struct lw_stopwords *lw_index_stopwords(const lw_index *index);

struct lw_index_figures {
    size_t blobs, blobs_read; /* distinct ones in use; of these read from git now */
    uint64_t bytes_read;
    size_t segments, segments_damaged, commits_listed; /* … listed from git now */
    size_t absent, large, binary;
    double seconds_read, seconds_write;
};
struct lw_index_figures lw_index_figures(const lw_index *index);

/* ---- Terms ------------------------------------------------------------------------------- */

enum { LW_NO_TERM = UINT32_MAX };

/* A bag of terms, in byte order of their texts. */
struct lw_bag {
    const struct lw_count *v;
    size_t n;
    uint64_t length; /* sum of the counts */
};

/* The terms of a text, in `arena`; new ones get numbers beyond those of the files. Before the
 * index is shared by threads only. */
int lw_index_terms(lw_index *index, struct lw_arena *arena, struct lw_str text,
                   struct lw_bag *bag, struct lw_err *err);
/* Of both bags together. */
int lw_bag_join(const lw_index *index, struct lw_arena *arena, const struct lw_bag *a,
                const struct lw_bag *b, struct lw_bag *out, struct lw_err *err);

size_t lw_index_term_count(const lw_index *index);
struct lw_str lw_index_term(const lw_index *index, uint32_t term);
/* LW_NO_TERM when no file and no report has it. */
uint32_t lw_index_find_term(const lw_index *index, struct lw_str text);

/* ---- Documents --------------------------------------------------------------------------- */

struct lw_segment;
struct lw_record;

/* The content of a file. Cheap to copy. */
struct lw_doc {
    const struct lw_segment *segment;
    const struct lw_record *record;
};

struct lw_doc_facts {
    struct lw_git_id id;
    uint32_t bytes, lines, flags; /* LW_DOC_… */
    uint32_t length[LW_FIELDS];   /* terms in each field, with repetition */
};
const struct lw_doc_facts *lw_doc_facts(struct lw_doc doc);

/* The terms of a field. `terms[i]` is local: index-wide it is `to_index[terms[i]]`. Ascending,
 * which is byte order of the texts. Counts saturate at 65535. */
struct lw_postings {
    const uint32_t *terms;
    const uint16_t *counts;
    const uint32_t *to_index;
    uint32_t n;
};
struct lw_postings lw_doc_postings(struct lw_doc doc, enum lw_field field);

/* Names (identifiers as spelt, dotted names, string literals) are numbers of the segment. */
struct lw_str lw_doc_name(struct lw_doc doc, uint32_t name);
/* Names of a segment are numbered below this. */
size_t lw_doc_name_count(struct lw_doc doc);
/* The number of the text in the document's segment, LW_NO_TERM when it stands in none. */
uint32_t lw_doc_find_name(struct lw_doc doc, struct lw_str text);

struct lw_defs_view {
    const struct lw_def *v;
    size_t n;
    const uint32_t *params; /* see lw_def.param */
};
struct lw_defs_view lw_doc_defs(struct lw_doc doc);

struct lw_imports_view {
    const struct lw_import *v;
    size_t n;
};
struct lw_imports_view lw_doc_imports(struct lw_doc doc);

struct lw_uses_view {
    const struct lw_use *v; /* ascending by name, which is byte order of the texts */
    size_t n;
};
struct lw_uses_view lw_doc_idents(struct lw_doc doc); /* every identifier of the text */

struct lw_names_view {
    const uint32_t *v;
    size_t n;
};
struct lw_names_view lw_doc_strings(struct lw_doc doc); /* literals, in text order */

/* ---- Commits ----------------------------------------------------------------------------- */

struct lw_file {
    struct lw_str path;
    struct lw_doc doc;
    uint32_t path_number; /* the same for the same path in all commits of the index */
    uint32_t doc_number;  /* the same for the same content */
};

struct lw_files {
    const struct lw_file *v; /* candidates in byte order of the paths */
    size_t n;
    const struct lw_str
        *others; /* source files that are no candidates: tests, other languages */
    size_t other_count;
};
/* After lw_index_load. */
struct lw_files lw_index_files(const lw_index *index, uint32_t commit);

/* The candidate with that path, or SIZE_MAX. */
size_t lw_files_find(const struct lw_files *files, struct lw_str path);

/* ---- Statistics of a commit -------------------------------------------------------------- */

struct lw_field_statistics {
    uint32_t *df;    /* by term: files whose field has it; NULL with a view: lw_snapshot_df */
    uint64_t length; /* terms of all files */
};

/* Belongs to one thread. */
struct lw_snapshot {
    const lw_index *index; /* borrowed */
    struct lw_mem *mem;
    struct lw_files files;
    struct lw_field_statistics fields[LW_FIELDS];
    uint32_t *marks;       /* by term; for whoever scores; all 0 between uses */
    size_t terms;          /* room of df and marks */
    struct lw_view *view;  /* of the commit, borrowed from the index; NULL: there is none */
    LW_VEC(uint32_t) docs; /* document numbers counted in */
    LW_VEC(uint32_t) next;
    bool sorted; /* `docs` is, ascending */
};

void lw_snapshot_init(struct lw_snapshot *s, const lw_index *index, struct lw_mem *mem);
void lw_snapshot_release(struct lw_snapshot *s);
/* Makes it that of the commit. */
int lw_snapshot_set(struct lw_snapshot *s, uint32_t commit, struct lw_err *err);

#endif
