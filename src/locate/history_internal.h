/*
 * history_internal - the history as its own files see it.
 */
#ifndef LW_LOCATE_HISTORY_INTERNAL_H
#define LW_LOCATE_HISTORY_INTERNAL_H

#include "locate/history.h"
#include "locate/index_internal.h"

enum { HI_KIND = 0x74736968 /* "hist" */ };

/* The sections of a container. */
enum hi_section {
    HI_COMMITS,
    HI_BY_ID,         /* numbers of the commits in order of their ids */
    HI_PARENTS,       /* ids */
    HI_PARENT_PLACES, /* of each parent: its number here, UINT32_MAX: in no commit of these */
    HI_CHANGES,
    HI_PATH_ENDS,
    HI_PATH_TEXT,
    HI_MESSAGES,
    HI_WORDS, /* of first lines, numbers of the words below, in order of appearance */
    HI_WORD_ENDS,
    HI_WORD_TEXT, /* in byte order */
};

enum { HI_IS_FIX = 1, HI_IS_MERGE = 2 };

/* A commit as it is kept, newest first. */
struct hi_commit {
    struct lw_git_id id;
    uint32_t author, flags;
    int64_t date;
    struct lw_part parents, changes, message, words;
    uint32_t changed, unused;
};

/* A source file that a commit changed. */
struct hi_change {
    uint32_t path; /* of the container */
    uint32_t old;  /* the path it was renamed from, else UINT32_MAX */
};

/* A container. */
struct hi_volume {
    struct lw_container container;
    const struct hi_commit *commits;
    size_t count;
    const uint32_t *by_id;
    const struct lw_git_id *parents;
    const uint32_t *parent_places;
    const struct hi_change *changes;
    const char *messages;
    const uint32_t *words;
    struct lw_vocabulary vocabulary;
    const uint32_t *path_ends;
    const char *path_text;
    size_t path_count;
    uint32_t *path; /* by path of the container: that of the history; owned, NULL: the same */
    uint32_t base;  /* node of the first commit */
    uint32_t *node; /* by commit: its node; owned, NULL: base + number */
};

/* A commit of the history. One that several volumes have is a node only once; the others are
 * never reached. */
struct hi_node {
    const struct hi_commit *commit;
    uint32_t volume;
    uint32_t parent; /* the first of its parents in `parents` */
};

struct lw_history {
    lw_index *index; /* borrowed */
    struct lw_mem *mem;
    LW_VEC(struct hi_volume) volumes;
    LW_VEC(struct hi_node) nodes;
    LW_VEC(uint32_t) parents; /* nodes, those of one commit together; UINT32_MAX: unknown */
    LW_VEC(uint32_t)
    index_path; /* by path of the history: its number in the index, UINT32_MAX */
};

/* Newest first; of the same second by id, which is the same whatever the cache held. */
int hi_compare(const struct hi_commit *a, const struct hi_commit *b);
/* The node of the commit, UINT32_MAX when it is not known. */
uint32_t hi_find(const struct lw_history *h, const struct lw_git_id *id);
/* A path of the container as text. */
struct lw_str hi_path(const struct hi_volume *v, uint32_t path);
/* Adds a container, which is taken over; an unsound one is left out. */
int hi_add_volume(void *history, struct lw_container *container, struct lw_err *err);
/* Reads from git what no volume has, into one more volume. */
int hi_read(struct lw_history *h, struct lw_err *err);

#endif
