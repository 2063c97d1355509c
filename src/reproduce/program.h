/*
 * program - the program that a report is turned into: the snippet and the edits on it.
 *
 * The body is the text of the snippet once it parses (snippet.h). Everything else is an edit:
 * a range of the body, the text that takes its place, the edit action it belongs to, and why.
 * The body never changes afterwards, so a candidate is a list of edits, and leaving out an
 * action is leaving out its edits.
 *
 * Memory is the arena's and lives as long as the report. The first failure sticks in `failed`:
 * later additions do nothing, so a caller may add many edits and check once. Not for other
 * folders; reproduce.h is the face.
 */
#ifndef LW_REPRODUCE_PROGRAM_H
#define LW_REPRODUCE_PROGRAM_H

#include "base/arena.h"
#include "base/vec.h"
#include "report/report.h"
#include "reproduce/reproduce.h"
#include "reproduce/tables.h"
#include "source/names.h"

/* A change of the body. */
struct rp_edit {
    uint32_t start, end; /* bytes of the body */
    struct lw_str text;  /* what takes their place */
    unsigned order;      /* among those of the same place: what others need comes first */
    struct lw_step step; /* `line` is set by rp_render */
};

enum rp_framework { RP_PYTHON, RP_NUMPY, RP_TORCH, RP_KERAS };

struct rp_program {
    struct lw_mem *mem;     /* borrowed, as all here but the vectors */
    struct lw_arena *arena; /* of the whole report */
    const lw_report *report;
    const struct rp_tables *tables;
    unsigned skip; /* bits: 1 << enum lw_action */
    enum rp_framework framework;
    struct lw_str body;
    struct lw_tree tree;   /* of the body */
    struct lw_names names; /* of the tree */
    LW_VEC(struct rp_edit) edits;
    LW_VEC(struct lw_step) repairs; /* already in the body; `line` is that of the body */
    struct lw_str snippet;          /* the body before any edit, and how many repairs it has */
    size_t snippet_repairs;
    int failed;
};

void rp_program_init(struct rp_program *p, struct lw_arena *arena, const lw_report *report,
                     const struct rp_tables *tables, unsigned skip);
void rp_program_release(struct rp_program *p);

/* Makes `body` the body; forgets the edits. */
int rp_program_parse(struct rp_program *p, struct lw_str body, struct lw_err *err);

/* Makes the edits part of the body, and their steps repairs: what comes next sees them. */
int rp_settle(struct rp_program *p, struct lw_err *err);
/* Back to the snippet, for another candidate. */
int rp_restart(struct rp_program *p, struct lw_err *err);

/* May the action be used? */
bool rp_wants(const struct rp_program *p, enum lw_action action);

enum { RP_FIRST_IMPORTS, RP_FIRST_HELPERS, RP_FIRST_VALUES };

/* Puts `text`, whole lines, before the statement that begins at byte `at` of the body. Nothing
 * happens when the step's action is to be skipped. */
void rp_insert(struct rp_program *p, uint32_t at, unsigned order, struct lw_str text,
               struct lw_step step);
/* Replaces a range of the body. */
void rp_replace(struct rp_program *p, uint32_t start, uint32_t end, struct lw_str text,
                struct lw_step step);

/* Text in the arena; an empty one, and `failed`, when memory ran out. */
struct lw_str rp_printf(struct rp_program *p, const char *fmt, ...) LW_PRINTF(2, 3);

/* The statement of the module that the node belongs to. */
uint32_t rp_top_statement(const struct lw_tree *t, uint32_t node);
/* Its first byte, the indentation before it included: where something can be inserted. */
uint32_t rp_statement_start(const struct lw_tree *t, uint32_t statement);
/* The byte behind the line that it ends in. */
uint32_t rp_statement_end(const struct rp_program *p, uint32_t statement);
/* Behind the import statements and the docstring that the body begins with. */
uint32_t rp_after_imports(const struct rp_program *p);

/* The body with all its edits, in the arena; sets their lines. */
struct lw_str rp_render(struct rp_program *p);

#endif
