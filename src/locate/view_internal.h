/*
 * view_internal - how a view lies in its container.
 */
#ifndef LW_LOCATE_VIEW_INTERNAL_H
#define LW_LOCATE_VIEW_INTERNAL_H

#include "locate/segment_internal.h"
#include "locate/view.h"

/* Sections behind those of the segment. The lazy ones are counted from the end of those of the
 * techniques. */
enum vw_section {
    VW_HEAD = SG_SECTIONS,
    VW_PATH_ENDS,
    VW_PATH_TEXT,
    VW_NORMS,
    VW_PLACE_START,
    VW_HOLDER_START,
    VW_COMMITS,
    VW_COMMIT_FILES,
    VW_COMMIT_WORDS,
    VW_WORD_ENDS,
    VW_WORD_TEXT,
    VW_OWN
};
enum vw_lazy { VW_PLACE_FILES, VW_PLACE_COUNTS, VW_HOLDERS, VW_MESSAGES };

struct lw_view_head {
    struct lw_git_id id;
    uint32_t own_count; /* sections of the techniques */
    uint64_t files, length[LW_FIELDS];
    uint64_t large, binary, blobs;
};

enum { VW_IS_FIX = 1, VW_IS_MERGE = 2, VW_RENAMES = 4 };

struct lw_view_commit {
    struct lw_git_id id;
    uint32_t author, flags, changed;
    int64_t date;
    struct lw_part message, words, files;
};

#endif
