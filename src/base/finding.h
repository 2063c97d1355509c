/*
 * finding - what a detector, ours or a foreign one, says about one place of a program.
 *
 * One type for one idea: `check`, foreign tools and diagnoses all yield findings; text, JSON,
 * SARIF and tables are views of them. All text is borrowed and lives as long as the owner of
 * the list says, usually an arena. Empty text stands for "not given".
 */
#ifndef LW_BASE_FINDING_H
#define LW_BASE_FINDING_H

#include "base/arena.h"
#include "lacewing.h"

enum lw_severity {
    LW_SEVERITY_NOTE,    /* a convention or a hint: never counts against a program */
    LW_SEVERITY_WARNING, /* probably wrong, or wrong on some runs */
    LW_SEVERITY_ERROR,   /* the program fails or learns nothing when it gets here */
};

/* Replaces a range of the text; lines from 1, columns from 0 in bytes. */
struct lw_finding_edit {
    uint32_t line, column;
    uint32_t end_line, end_column;
    struct lw_str text;
};

struct lw_finding_fix {
    struct lw_str description;
    const struct lw_finding_edit *edits; /* in text order, apart from each other */
    size_t edit_count;
};

/* A range of the text of a file; line 0: none. */
struct lw_finding_range {
    uint32_t line, column;
    uint32_t end_line, end_column;
};

struct lw_finding {
    struct lw_str tool;     /* "lacewing-check" */
    struct lw_str rule;     /* "shape/matmul-mismatch" */
    struct lw_str category; /* a word of the vocabulary */
    struct lw_str path;     /* as the user gave it */
    struct lw_str message;  /* one line */
    struct lw_str detail;   /* further lines: where the facts come from; may be empty */
    enum lw_severity severity;
    double confidence; /* 0..1 */
    uint32_t line, column;
    uint32_t end_line, end_column;
    uint32_t cell;             /* of a notebook, from 1, the lines being within it; else 0 */
    struct lw_finding_fix fix; /* description empty: none */
    /* The finding stands at the cause; this is where it shows, in the same file and cell. */
    struct lw_finding_range related;
};

/* A copy of which all text is in the arena. False when memory ran out; a fix that has no room
 * is none. */
bool lw_finding_copy(struct lw_finding *out, struct lw_arena *arena,
                     const struct lw_finding *f);

/* "note", "warning", "error"; static. */
const char *lw_severity_name(enum lw_severity severity);
/* False when the text is none of them; "info" and "hint" count as notes, "fatal" as error. */
bool lw_severity_parse(struct lw_str text, enum lw_severity *severity);

/* Path, line, column, rule, message: the order in which findings are shown. For qsort. */
int lw_finding_cmp(const void *a, const void *b);

#endif
