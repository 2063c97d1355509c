/*
 * history - what happened to the files of a repository, as it could be known at a moment.
 *
 * In: an index whose commits are added. Out: `struct lw_history`, all commits that lead to them
 * (date, author, message, changed source files; cached like the index), read-only and shared by
 * threads; and per report a `struct lw_past`: the commits that are ancestors of the buggy
 * commit (itself included) and not newer than the report's opening date, newest first. A
 * technique sees only the latter, so it cannot look into the future.
 *
 * Paths are those of the buggy commit: where a commit renamed a file, what happened to it
 * before counts for its later name. Merges are listed without files.
 */
#ifndef LW_LOCATE_HISTORY_H
#define LW_LOCATE_HISTORY_H

#include "locate/index.h"

struct lw_history;

/* Reads the history of all commits of the index so far. */
int lw_history_open(struct lw_history **out, lw_index *index, struct lw_err *err);
/* NULL is fine. */
void lw_history_close(struct lw_history *history);

/* The date of a commit of the repository; false when it is not known. For fix commits, which
 * are no ancestors: the repository is asked. Before threads share the index only. */
bool lw_index_commit_date(lw_index *index, struct lw_str commit, int64_t *date);

struct lw_past_commit {
    struct lw_git_id id;
    int64_t date;    /* of the committer, seconds since 1970 */
    uint32_t author; /* a number for the author's address */
    bool is_fix;     /* the message speaks of a fix or a bug */
    bool is_merge;
    bool renames;          /* a candidate: before it, that had another name */
    struct lw_str message; /* its first 2000 bytes; see lw_past_message */
    const uint32_t *words; /* the terms of its first line, each once, in order of appearance */
    uint32_t word_count;
    uint32_t vocabulary;   /* the one whose numbers they are */
    const uint32_t *files; /* candidates of the buggy commit that it changed, ascending */
    uint32_t file_count;
    uint32_t changed; /* source files that it changed, also those that are gone */
};

/* Terms of messages in byte order; commits that were read together share one. */
struct lw_vocabulary {
    const uint32_t *ends;
    const char *text;
    size_t n;
};
/* The number of the term, UINT32_MAX when no message has it. */
uint32_t lw_vocabulary_find(const struct lw_vocabulary *v, struct lw_str term);

struct lw_view;

struct lw_past {
    const struct lw_past_commit *v; /* newest first */
    size_t n;
    const struct lw_vocabulary *vocabularies;
    size_t vocabulary_count;
    struct lw_view *view; /* whose lists these are; NULL: the history's */
};

/* The message of a commit; empty where a view is damaged (view.h). */
struct lw_str lw_past_message(const struct lw_past *past, size_t commit);

/* Everything is in `arena`. `until`: the opening date; INT64_MAX for none. */
int lw_past_make(const struct lw_history *history, struct lw_arena *arena,
                 const lw_index *index, uint32_t commit, int64_t until, struct lw_past *past,
                 struct lw_err *err);

#endif
