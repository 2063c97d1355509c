/*
 * types - what goes into a check and what comes out of it: rules, targets, options, results.
 *
 * All rooms of check/ know these; what works with them is in check.h and in the rooms.
 */
#ifndef LW_CHECK_TYPES_H
#define LW_CHECK_TYPES_H

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

/* Something that code of the program shows, as check/engine/evidence.h has it. A list ends with
 * a question that is NULL. */
struct lw_check_evidence {
    const char *question;
    bool and_next; /* it counts only together with the next */
};

struct lw_check_rule {
    struct lw_str id;       /* "shape/matmul-mismatch" */
    struct lw_str category; /* "shape" */
    enum lw_severity severity;
    bool off; /* only with --select */
    struct lw_str title;
    struct lw_str why;                          /* paragraphs */
    struct lw_str source;                       /* where the rule comes from */
    const struct lw_check_evidence *excused_by; /* one of these: it reports nothing; or NULL */
    const struct lw_check_evidence *only_with;  /* none of these: likewise; or NULL */
};

struct lw_check_ranges;
struct roles;

/* Rules that stand for a published tool; a section of data/profiles.ini. */
struct lw_check_profile {
    struct lw_str name, title;
    struct lw_str rules; /* as `select` of the options */
};

/* The table of data/rules/: one section per rule. */
struct lw_check_rules {
    struct lw_arena arena;
    struct lw_mem *mem;             /* borrowed */
    LW_VEC(struct lw_check_rule) v; /* by id */
    struct lw_map by_id;
    LW_VEC(struct lw_check_profile) profiles;
    struct lw_check_ranges *ranges; /* data/ranges.ini; see rules/ranges.h. In the arena */
    struct roles *roles;            /* data/roles.ini; see query/roles.h. In the arena */
};

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
    double seconds;                  /* of the processor, for each entry point; 0 = 10 */
    size_t memory;                   /* bytes, for what is known of one file; 0 = 192 MB */
    struct lw_check_overlay overlay; /* borrowed */
    bool trace_values;               /* also report inferred shapes (tests) */
};

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

/* A file that was not analysed to its end: bugs in it may have been missed. */
struct lw_check_incomplete {
    struct lw_str path;
    const char *reason; /* "budget", "unreadable" or "unmodelled"; static */
    struct lw_str detail;
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
    LW_VEC(struct lw_check_incomplete) incomplete;
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

#endif
