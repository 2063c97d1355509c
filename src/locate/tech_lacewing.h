/*
 * tech_lacewing - what the parts of our own technique share. Not for other folders.
 *
 * A report is read as facts (src/report), a commit's files through the index, its history
 * through lw_past. Every candidate gets one row of features; a linear ranker in two stages
 * turns rows into scores (tech_lacewing_rank.c): the second stage knows which files the first
 * put on top, and what usually changes together with those.
 *
 * The features are columns of LACEWING_COLUMNS. Each belongs to a group, which is what the
 * ablation leaves out, and says whether it is scaled by its largest value in the report.
 */
#ifndef LW_LOCATE_TECH_LACEWING_H
#define LW_LOCATE_TECH_LACEWING_H

#include "base/map.h"
#include "locate/score.h"
#include "locate/technique.h"
#include "report/report.h"

/* The parts of a report that are compared with files separately. */
enum lacewing_part {
    PART_SUMMARY,
    PART_PROSE, /* prose and headings, link targets blanked */
    PART_CODE,  /* code and other fenced text */
    PART_TRACE, /* tracebacks */
};
enum { PARTS = 4 };

/* The part that a block of the report belongs to. */
enum lacewing_part lacewing_part_of(const struct lw_fact *block);

/* Columns for each part: X(name, group, scaled). The four of a kind follow each other, in the
 * order of the parts. */
/* clang-format off */
#define FOR_PARTS(X, name, group, scaled)      \
    X(name##_SUMMARY, group, scaled)           \
    X(name##_PROSE, group, scaled)             \
    X(name##_CODE, group, scaled)              \
    X(name##_TRACE, group, scaled)

#define LACEWING_COLUMNS(X)                    \
    X(TRACE_LAST, TRACE, false)                \
    X(TRACE_DEEP, TRACE, false)                \
    X(TRACE_COUNT, TRACE, false)               \
    X(TRACE_RAISED, TRACE, false)              \
    X(TRACE_PLACE, TRACE, false)               \
    X(TRACE_FUNCTION, TRACE, false)            \
    X(LINK, MENTION, false)                    \
    X(LINK_LINE, MENTION, false)               \
    FOR_PARTS(X, FILE, MENTION, false)         \
    X(FILE_FOLDER, MENTION, false)             \
    FOR_PARTS(X, DOTTED, MODULE, false)        \
    X(DOTTED_MODULE, MODULE, false)            \
    X(IMPORTED, MODULE, false)                 \
    X(IMPORTED_MODULE, MODULE, false)          \
    FOR_PARTS(X, CLASS, NAME, true)            \
    FOR_PARTS(X, CLASS_BEST, NAME, false)      \
    FOR_PARTS(X, FUNCTION, NAME, true)         \
    FOR_PARTS(X, METHOD, NAME, true)           \
    FOR_PARTS(X, METHOD_BEST, NAME, false)     \
    FOR_PARTS(X, RARE, NAME, true)             \
    X(PARAMETER, NAME, true)                   \
    X(LITERAL, LITERAL, true)                  \
    X(LITERAL_ERROR, LITERAL, true)            \
    X(TEXT_ALL, TEXT, true)                    \
    X(COSINE, TEXT, true)                      \
    FOR_PARTS(X, TEXT, TEXT, true)             \
    FOR_PARTS(X, IN_CLASS, TEXT, true)         \
    FOR_PARTS(X, IN_FUNCTION, TEXT, true)      \
    FOR_PARTS(X, IN_NAME, TEXT, true)          \
    FOR_PARTS(X, IN_COMMENT, TEXT, true)       \
    FOR_PARTS(X, IN_STRING, TEXT, true)        \
    FOR_PARTS(X, IN_API, TEXT, true)           \
    FOR_PARTS(X, IN_PATH, PATH, true)          \
    X(STEM_SUMMARY, PATH, false)               \
    X(STEM_ALL, PATH, false)                   \
    X(BRIDGE_TEXT, BRIDGE, true)               \
    X(BRIDGE_FUNCTION, BRIDGE, true)           \
    X(BRIDGE_PATH, BRIDGE, true)               \
    X(SIMILAR, SIMILAR, true)                  \
    X(SIMILAR_BEST, SIMILAR, true)             \
    X(REPORTED, SIMILAR, true)                 \
    X(CHANGES, HISTORY, true)                  \
    X(FIXES, HISTORY, true)                    \
    X(LAST_CHANGE, HISTORY, true)              \
    X(RECENT_CHANGES, HISTORY, true)           \
    X(RECENT_FIXES, HISTORY, true)             \
    X(MESSAGES, HISTORY, true)                 \
    X(REFERRED, HISTORY, true)                 \
    X(LINES, SHAPE, true)                      \
    X(FUNCTIONS, SHAPE, true)                  \
    X(IS_INIT, SHAPE, false)                   \
    X(IN_PACKAGE, SHAPE, false)                \
    X(ASIDE, SHAPE, false)                     \
    X(DEPTH, SHAPE, false)

/* Columns of the second stage, made from the scores of the first. */
#define LACEWING_SECOND(X)                     \
    X(FIRST_SCORE, SECOND, false)              \
    X(FIRST_RANK, SECOND, false)               \
    X(TOGETHER_BEST, SECOND, false)            \
    X(TOGETHER, SECOND, false)                 \
    X(IMPORTED_BY_TOP, SECOND, false)          \
    X(IMPORTS_TOP, SECOND, false)              \
    X(SAME_FOLDER, SECOND, false)              \
    X(SAME_NAME, SECOND, false)

enum lacewing_column {
#define X(name, group, scaled) COL_##name,
    LACEWING_COLUMNS(X)
    FIRST_COLUMNS,
    BEFORE_SECOND = FIRST_COLUMNS - 1,
    LACEWING_SECOND(X)
    ALL_COLUMNS
#undef X
};
/* clang-format on */

enum lacewing_group {
    GROUP_TRACE,
    GROUP_MENTION,
    GROUP_MODULE,
    GROUP_NAME,
    GROUP_LITERAL,
    GROUP_TEXT,
    GROUP_PATH,
    GROUP_BRIDGE,
    GROUP_SIMILAR,
    GROUP_HISTORY,
    GROUP_SHAPE,
    GROUP_SECOND,
};
enum { GROUPS = GROUP_SECOND + 1 };

struct lacewing_column_info {
    const char *name;
    enum lacewing_group group;
    bool scaled;
};
extern const struct lacewing_column_info lacewing_columns[ALL_COLUMNS];

/* Text to several candidates, each with a number of its own. */
struct lacewing_entry {
    uint32_t file;
    uint32_t item; /* the definition, say */
    uint32_t next; /* entry + 1, 0 = last */
};

/* Letters of the tables of texts that a view keeps. */
enum {
    TABLE_BASES = 'b',
    TABLE_ENDINGS = 'e',
    TABLE_MODULES = 'm',
    TABLE_PACKAGES = 'p',
    TABLE_ROOTED = 'r',
};

struct lacewing_keys;
struct lacewing_kept;

struct lacewing_multi {
    struct lw_map map; /* to entry + 1 */
    LW_VEC(struct lacewing_entry) entries;
    const struct lacewing_keys *kept; /* looked into instead; NULL: there is none */
    char table;
};

void lacewing_multi_init(struct lacewing_multi *m, struct lw_mem *mem);
void lacewing_multi_release(struct lacewing_multi *m);
int lacewing_multi_add(struct lacewing_multi *m, struct lw_str key, uint32_t file,
                       uint32_t item);
/* The entry of that key after `before` (NULL: the first), or NULL. Latest added first. */
const struct lacewing_entry *lacewing_multi_next(const struct lacewing_multi *m,
                                                 struct lw_str key,
                                                 const struct lacewing_entry *before);
/* How many different files the key has. */
size_t lacewing_multi_files(const struct lacewing_multi *m, struct lw_str key);

enum lacewing_kind { KIND_CLASS, KIND_FUNCTION, KIND_METHOD, KIND_PARAMETER };
enum { KINDS = 4 };

/* The names asked for among those of a segment. */
struct lacewing_marks {
    const struct lw_segment *segment;
    uint32_t *of_name; /* by name of the segment: number of the name + 1, 0: nobody asked */
};

/* Where names are defined: those of a report, some hundreds of the ten thousands of a tree. */
struct lacewing_defs {
    struct lw_map names; /* asked for; the number is the place in the map */
    LW_VEC(struct lacewing_marks) marks;
    uint32_t (*last)[KINDS];               /* by name: entry + 1, 0: none */
    LW_VEC(struct lacewing_entry) entries; /* item: the definition */
};

/* The files of a commit by what they are called and what they define. */
struct lacewing_tree {
    const struct lw_files *files;
    struct lw_arena arena;         /* dotted names */
    struct lacewing_multi bases;   /* "x.py" */
    struct lw_map modules;         /* "pkg.sub.x" to file */
    struct lacewing_multi rooted;  /* "pkg.sub.x" of src/pkg/sub/x.py: from the outermost
                                    * package on, where that is not the whole */
    struct lacewing_multi endings; /* "b.sub.x", "sub.x": ends of a module's name with dots */
    struct lw_map packages;        /* names of the outermost packages */
    struct lw_str *module;         /* by file */
    struct lacewing_defs defs;
    const struct lacewing_kept *kept; /* instead of all above but `defs` */
};

/* `kept`: what a view has of it, borrowed; NULL: nothing. */
void lacewing_tree_init(struct lacewing_tree *t, struct lw_mem *mem,
                        const struct lw_files *files, const struct lacewing_kept *kept);
void lacewing_tree_release(struct lacewing_tree *t);

/* Asks for the definitions of a name, or of every word of a text, which must outlive the tree.
 * Before lacewing_tree_fill. */
int lacewing_tree_ask(struct lacewing_tree *t, struct lw_str name);
int lacewing_tree_ask_words(struct lacewing_tree *t, struct lw_str text);
/* Looks at all files. 0 or LW_ENOMEM. */
int lacewing_tree_fill(struct lacewing_tree *t);

/* By name of the document's segment: 1 + the place in `defs.names`, 0: nobody asked for it.
 * Borrowed; NULL when memory ran out. */
const uint32_t *lacewing_tree_marks(struct lacewing_tree *t, struct lw_doc doc);

/* The definition of a name that was asked for after `before` (NULL: the first), or NULL.
 * Those of one file follow each other. */
const struct lacewing_entry *lacewing_tree_defined(const struct lacewing_tree *t,
                                                   enum lacewing_kind kind, struct lw_str name,
                                                   const struct lacewing_entry *before);
/* How many files define it. */
size_t lacewing_tree_definers(const struct lacewing_tree *t, enum lacewing_kind kind,
                              struct lw_str name);

/* Files whose path ends like `path`, as many components as any has. At most `room` in `found`;
 * the number of all is returned, `*depth` components agree. */
size_t lacewing_tree_match(const struct lacewing_tree *t, struct lw_str path, uint32_t *found,
                           size_t room, size_t *depth);
/* Is it the name of an outermost package? */
bool lacewing_tree_is_package(const struct lacewing_tree *t, struct lw_str name);
enum lacewing_kind lacewing_kind_of(const struct lw_defs_view *defs, const struct lw_def *d);
/* The file that is the module, or UINT32_MAX; a part of a name must be unique. */
uint32_t lacewing_tree_module(const struct lacewing_tree *t, struct lw_str dotted);
/* The file that defines what module `file` calls `name`, through re-exports; UINT32_MAX. */
uint32_t lacewing_tree_export(const struct lacewing_tree *t, uint32_t file, struct lw_str name);
/* The file that an import of `file` reaches, or UINT32_MAX. */
uint32_t lacewing_tree_import(const struct lacewing_tree *t, uint32_t file,
                              const struct lw_import *import);

/* What stage two needs of a case, in the features' arena or a view. */
struct lacewing_extra {
    const uint32_t *import_start, *imports; /* by file: files it imports */
    const uint32_t *commit_start, *commits; /* by commit: files that it changed */
    const uint32_t *touch_start, *touches;  /* by file: commits */
    const uint32_t *folder, *base;          /* by file: numbers of its folder and its name;
                                             * UINT32_MAX for __init__.py */
};

struct lacewing_work {
    const struct lw_case *c;
    const struct lw_files *files;
    lw_report *report;
    const struct lacewing_kept *kept; /* what the view of the commit has; NULL: none */
    struct lacewing_tree tree;
    struct lw_str part[PARTS];  /* texts, in the case's arena */
    struct lw_words words;      /* for terms of texts */
    LW_VEC(uint32_t) term_of;   /* by term of `words`: the index's number, LW_NO_TERM */
    double *col[FIRST_COLUMNS]; /* (files) each, in the case's arena */
    size_t longest_path;        /* of the files; no module has a longer name */
};

/* The terms of a text that some file or report has, each once with its count (at most `cap`),
 * in the case's arena. 0 or LW_ENOMEM. */
int lacewing_terms(struct lacewing_work *w, struct lw_str text, uint32_t cap,
                   struct lw_bag *bag);

/* Each fills its columns; 0 or LW_ENOMEM. */
int lacewing_describe_mentions(struct lacewing_work *w); /* TRACE, MENTION, MODULE, NAME */
int lacewing_describe_text(struct lacewing_work *w);     /* LITERAL, TEXT, PATH, BRIDGE */
int lacewing_describe_past(struct lacewing_work *w);     /* SIMILAR, HISTORY */
int lacewing_describe_shape(struct lacewing_work *w);    /* SHAPE */
int lacewing_make_extra(struct lacewing_work *w, struct lw_arena *arena,
                        struct lacewing_extra **out);

/* ---- The ranker -------------------------------------------------------------------------- */

struct lacewing_model {
    double first[FIRST_COLUMNS];
    double second[ALL_COLUMNS];
    struct lw_arena arena;
    struct lw_str *projects;
    size_t project_count;
};

int lacewing_learn(const struct lw_setup *setup, const struct lw_ctx *ctx,
                   const struct lw_lesson *lessons, size_t n, void **model, struct lw_err *err);
int lacewing_score(const struct lw_setup *setup, const void *model, const struct lw_features *f,
                   struct lw_mem *mem, double *scores, struct lw_err *err);
int lacewing_save(const void *model, const struct lw_str *projects, size_t project_count,
                  struct lw_buf *out, struct lw_err *err);
int lacewing_load(struct lw_mem *mem, struct lw_str text, void **model, struct lw_err *err);
bool lacewing_knows(const void *model, struct lw_str project);
void lacewing_discard(struct lw_mem *mem, void *model);

#endif
