/*
 * check - finds what is wrong in a Python program that uses TensorFlow, Keras, PyTorch and
 * numpy, without running it.
 *
 * In: files, and what to look for. Out: findings and figures, in an arena of the result. Files
 * are analysed on several threads; the result does not depend on their number.
 */
#ifndef LW_CHECK_CHECK_H
#define LW_CHECK_CHECK_H

#include "base/arena.h"
#include "base/ctx.h"
#include "base/file.h"
#include "base/finding.h"
#include "base/ini.h"
#include "base/map.h"
#include "base/vec.h"
#include "source/text.h"

/* ---- rules ----------------------------------------------------------------------------------
 */

struct lw_check_rule {
    struct lw_str id;       /* "shape/matmul-mismatch" */
    struct lw_str category; /* "shape" */
    enum lw_severity severity;
    bool off; /* only with --select */
    struct lw_str title;
    struct lw_str why;    /* paragraphs */
    struct lw_str source; /* where the rule comes from */
};

struct lw_check_ranges;

/* The table of data/rules/: one section per rule. */
struct lw_check_rules {
    struct lw_arena arena;
    struct lw_mem *mem;             /* borrowed */
    LW_VEC(struct lw_check_rule) v; /* by id */
    struct lw_map by_id;
    struct lw_check_ranges *ranges; /* data/ranges.ini; see ranges.h. In the arena */
};

/* What docs/rules/ has about it, Markdown; empty: nothing. */
struct lw_str lw_check_rule_page(const struct lw_check_rule *r);
/* Code that the rule reports, or the same mended, as its page has it; empty: there is none. */
struct lw_str lw_check_rule_example(const struct lw_check_rule *r, bool wrong);

int lw_check_rules_load(struct lw_check_rules *r, struct lw_mem *mem, struct lw_err *err);
void lw_check_rules_release(struct lw_check_rules *r);
const struct lw_check_rule *lw_check_rule_find(const struct lw_check_rules *r,
                                               struct lw_str id);

/* Do findings of the rule have fixes, some of them at least? */
bool lw_check_rule_has_fix(struct lw_str id);

/* ---- what to check --------------------------------------------------------------------------
 */

/* A version a program is written for; parts that are not known are -1. */
struct lw_check_version {
    int major, minor;
};

struct lw_check_target {
    struct lw_check_version tensorflow, keras, torch, numpy;
    bool given; /* by the user, not guessed */
};

/* "tensorflow=2.0,torch=1.13"; LW_EINVAL when it is not that. */
int lw_check_target_parse(struct lw_check_target *t, struct lw_str text, struct lw_err *err);

/* The same from what is to be installed: the text of a requirements.txt, environment.yml,
 * setup.cfg… Versions that are already known stay. */
void lw_check_target_read(struct lw_check_target *t, struct lw_str text);
/* What the nearest such files in the folder of `path` or above it say; nothing is no error.
 * LW_ENOMEM. */
int lw_check_target_find(struct lw_check_target *t, struct lw_mem *mem, struct lw_str path);

/* The folder of a file, and those above it. */
struct lw_check_above {
    struct lw_str folder; /* borrowed from the path, or in the arena of `next` */
    unsigned steps;
};
struct lw_check_above lw_check_above(struct lw_str path);
/* The first call gives the folder itself. False: there is none above. */
bool lw_check_above_next(struct lw_check_above *a, struct lw_arena *arena);

/* A text to be taken for the content of the file of just this path. */
struct lw_check_overlay {
    struct lw_str path; /* empty: none */
    struct lw_str bytes;
};

struct lw_check_options {
    struct lw_str
        select; /* rules or categories, separated by commas; empty = the default ones */
    struct lw_str ignore;
    struct lw_check_target target;   /* not given: looked for next to each file */
    double seconds;                  /* of the processor, for each entry point; 0 = 2 */
    size_t memory;                   /* bytes, for what is known of one file; 0 = 192 MB */
    struct lw_check_overlay overlay; /* borrowed */
    bool trace_values;               /* also report inferred shapes (tests) */
};

/* Checks that every name of select and ignore is a rule or a category. */
int lw_check_options_check(const struct lw_check_options *o, const struct lw_check_rules *r,
                           struct lw_err *err);

/* ---- results --------------------------------------------------------------------------------
 */

struct lw_check_error {
    struct lw_str path;
    struct lw_str message;
};

struct lw_check_broken { /* a file that is not Python everywhere; the rest of it was checked */
    struct lw_str path;
    uint32_t cell, line, column; /* of the first error; cell is 0 outside notebooks */
    const char *message;         /* static */
    size_t count;                /* errors */
    bool python2;                /* all of them are right in Python 2 */
};

struct lw_check_unknown {
    struct lw_str name;
    uint64_t times;
};

struct lw_check_inferred { /* with trace_values: what a variable held at a line */
    struct lw_str name;
    uint32_t line;
    struct lw_str shape; /* "(32, 10)" */
    struct lw_str dtype; /* "float32" */
};

struct lw_check_result {
    struct lw_mem *mem; /* borrowed */
    struct lw_arena arena;
    LW_VEC(struct lw_finding) findings; /* ordered */
    LW_VEC(struct lw_check_error) errors;
    size_t unwritten; /* of them, at the end: files that were read, but could not be fixed */
    LW_VEC(struct lw_check_broken) broken;
    LW_VEC(struct lw_check_unknown) unknown; /* most frequent first */
    LW_VEC(struct lw_check_inferred) inferred;
    struct lw_source input; /* what was read from standard input, for messages */
    uint64_t files, lines;
    uint64_t analysed_calls, unknown_calls;
    uint64_t suppressed; /* findings that a comment silences */
    uint64_t given_up;   /* entry points that took too long */
    double seconds;
};

void lw_check_result_init(struct lw_check_result *r, struct lw_mem *mem);
void lw_check_result_release(struct lw_check_result *r);

/* Checks the files; `paths` as lw_check_files lists them. A file that cannot be read is an
 * entry of `errors`. LW_ENOMEM, LW_ECANCEL. */
int lw_check_run(struct lw_check_result *out, const struct lw_ctx *ctx,
                 const struct lw_check_rules *rules, const struct lw_check_options *options,
                 const struct lw_str *paths, size_t count, struct lw_err *err);

/* Checks one text that is in memory, as the file `path`. */
int lw_check_text(struct lw_check_result *out, const struct lw_ctx *ctx,
                  const struct lw_check_rules *rules, const struct lw_check_options *options,
                  struct lw_str path, struct lw_str text, struct lw_err *err);

/* Python files and notebooks at `path`: itself, or those below the folder that .gitignore does
 * not name. Text in `arena`. */
int lw_check_files(lw_str_vec *out, struct lw_arena *arena, struct lw_mem *mem,
                   const char *path, struct lw_err *err);

#endif
