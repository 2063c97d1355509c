/*
 * reproduce - from a bug report to a program that shows the bug.
 *
 * In: a report (report/report.h). Out: a program that parses, the edit actions that made it
 * from the report's snippet, each with its line and its reason, and, when it was run, a
 * verdict.
 *
 * The ten edit actions are those of M. B. Shah, M. M. Rahman & F. Khomh, "Towards enhancing the
 * reproducibility of deep learning bugs" (EMSE 2024). Nothing here knows the specimens: what is
 * known about names, data sets, losses and defaults is in data/reproduce/.
 */
#ifndef LW_REPRODUCE_REPRODUCE_H
#define LW_REPRODUCE_REPRODUCE_H

#include "base/arena.h"
#include "base/ctx.h"
#include "lacewing.h"
#include "report/report.h"

/* In the order of INTERFACE and of the paper. */
enum lw_action {
    LW_ACTION_INPUT_DATA,
    LW_ACTION_NETWORK,
    LW_ACTION_HYPERPARAMETER,
    LW_ACTION_IMPORT,
    LW_ACTION_LOGGING,
    LW_ACTION_OBSOLETE,
    LW_ACTION_COMPILER,
    LW_ACTION_DATASET,
    LW_ACTION_MODEL,
    LW_ACTION_VERSION,
};
enum { LW_ACTIONS = LW_ACTION_VERSION + 1 };

const char *lw_action_name(enum lw_action action); /* "input-data-generation"; static */
/* LW_ACTIONS when it is none. */
enum lw_action lw_action_find(struct lw_str name);

/* How sure an edit is. */
enum lw_step_basis {
    LW_STEP_STATED,  /* follows from the report or the program */
    LW_STEP_ASSUMED, /* a conventional value, stated nowhere */
    LW_STEP_STAND_IN /* something else in the place of what is not here */
};

/* One edit action that was applied. */
struct lw_step {
    enum lw_action action;
    enum lw_step_basis basis;
    struct lw_str why;
    uint32_t line;  /* of the program, from 1 */
    uint32_t shift; /* lines that edits put before it; added to `line` at the end */
};

struct lw_reproduce_options {
    unsigned skip; /* bits: 1 << enum lw_action */
    bool run;      /* execute it in the sandbox */
    double budget; /* seconds for all runs together */
    uint32_t max_tries;
    bool minimize;   /* of an error that was reproduced: as long as `budget` again */
    bool allow_weak; /* run it also where bubblewrap cannot work */
};

/* A file beside the program that it reads. */
struct lw_reproduce_file {
    struct lw_str name;
    struct lw_str content;
};

/* One run of the program. */
struct lw_reproduce_run {
    uint64_t seed;
    int exit; /* -1: it did not end by itself */
    double seconds;
    struct lw_str error;  /* "TypeError: message"; empty: none */
    struct lw_str metric; /* the reported one, as printed last; may be empty */
};

enum { LW_REPRODUCE_SEEDS = 5, LW_REPRODUCE_FILES = 4 };

/* What the report states that a run should show. */
struct lw_reported {
    bool is_explicit;
    struct lw_str type, message; /* of the exception */
    struct lw_str metric, value; /* of a silent bug; may be empty */
    double number;               /* the value */
};

struct lw_reproduction {
    enum lw_verdict verdict;
    struct lw_str reason; /* one line; empty when reproduced */
    struct lw_reported reported;
    struct lw_str observed; /* what the last run showed */
    struct lw_str program;  /* text of reproduce.py */
    struct lw_step *steps;  /* by line */
    size_t step_count;
    struct lw_reproduce_run runs[LW_REPRODUCE_SEEDS];
    size_t run_count;
    struct lw_reproduce_file files[LW_REPRODUCE_FILES];
    size_t file_count;
    uint32_t candidates;                /* programs that were tried */
    uint32_t lines_before, lines_after; /* of --minimize; 0: not asked for */
    struct lw_str framework;            /* "torch", "tensorflow", "numpy", "" */
};

/* Everything in `arena`. A report without code is LW_EINVAL. */
int lw_reproduce(struct lw_reproduction *out, const struct lw_ctx *ctx, const lw_report *report,
                 const struct lw_reproduce_options *options, struct lw_arena *arena,
                 struct lw_err *err);

#endif
