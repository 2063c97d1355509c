/*
 * features - a bug report as what the type model looks at.
 *
 * A report is cut into regions: the title (the start of the summary), the prose without the
 * lines of issue forms and environment lists, the last exception, the innermost frames, code
 * and output, the files that are named, and tags. Each gives the concepts it mentions
 * (words.h); title, prose and files also give their words by their stems, the title pairs of
 * words. A title with a description and one without are
 * different sorts of text: the words of the title exist twice, once for both sorts and once for
 * its own.
 */
#ifndef LW_TRIAGE_FEATURES_H
#define LW_TRIAGE_FEATURES_H

#include "locate/terms.h"
#include "report/report.h"
#include "triage/types.h"
#include "triage/words.h"

/* Features of a group are weighted together. */
enum lw_feature_group {
    LW_FEATURES_TITLE_CONCEPTS,
    LW_FEATURES_TITLE_WORDS,
    LW_FEATURES_SORT_CONCEPTS, /* of the title, for its sort of text */
    LW_FEATURES_SORT_WORDS,
    LW_FEATURES_PROSE_CONCEPTS,
    LW_FEATURES_PROSE_WORDS,
    LW_FEATURES_ERROR_CONCEPTS,
    LW_FEATURES_FRAME_CONCEPTS,
    LW_FEATURES_CODE_CONCEPTS,
    LW_FEATURES_PATH_WORDS,
    LW_FEATURES_FACTS,
    LW_FEATURES_TAGS,
};
enum { LW_FEATURE_GROUPS = LW_FEATURES_TAGS + 1 };

struct lw_feature {
    enum lw_feature_group group;
    struct lw_str name; /* unique over all groups: "title gpu", "prose @device" */
    struct lw_str word; /* for people; may be empty */
    double value;       /* before weighting: a count of words, a share of concepts */
};

typedef LW_VEC(struct lw_feature) lw_features;

/* What reading features needs besides the report; read-only once loaded. */
struct lw_feature_tables {
    struct lw_concepts concepts;
    struct lw_arena arena;
    LW_VEC(struct lw_str) boilerplate; /* phrases of issue forms, in small letters */
    struct lw_map tags;                /* word of a tag to its type */
    struct lw_stopwords stop;          /* are never shown as reasons */
};

int lw_feature_tables_load(struct lw_feature_tables *t, struct lw_mem *mem, struct lw_err *err);
void lw_feature_tables_release(struct lw_feature_tables *t);

/* The tags of a report: of the file, or of a line "Tags: a, b". In `arena`. */
typedef struct lw_str_list {
    struct lw_str *v;
    size_t n;
} lw_str_list;
int lw_report_tags(lw_str_list *out, const lw_report *r, struct lw_arena *arena);

/* The sentences of people in the report itself: prose without lines of issue forms, environment
 * lists and tags; at most `most` bytes. In `arena`. */
struct lw_str lw_report_prose(const lw_report *r, const struct lw_feature_tables *t,
                              struct lw_arena *arena, size_t most);

/* Appends the features; strings are in `arena`, the list in its memory. */
int lw_features_read(lw_features *out, const struct lw_feature_tables *t, const lw_report *r,
                     bool with_tags, struct lw_arena *arena);

#endif
