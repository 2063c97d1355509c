/*
 * slice - the statements that a line depends on, or that depend on it.
 *
 * In: flow and calls of a file, borrowed, and a line. Out: a mark per line, owned until
 * release. A backward slice holds what the line's statements use (definitions that reach them),
 * what decides whether they run (control dependence), and so on from there; across calls inside
 * the file it goes from a call to what the function returns or yields, and from a parameter to
 * the calls of its function. A forward slice goes the same ways in the other direction. Calls
 * are not told apart by their caller. Linear in the size of the flow.
 */
#ifndef LW_SOURCE_SLICE_H
#define LW_SOURCE_SLICE_H

#include "base/term.h"
#include "source/callgraph.h"

enum lw_slice_mark {
    LW_SLICE_NOT,
    LW_SLICE_AROUND, /* a `def` or `class` line around something in the slice */
    LW_SLICE_IN,
    LW_SLICE_START, /* of the statement asked about */
};

struct lw_slice {
    struct lw_mem *mem;     /* borrowed */
    LW_VEC(uint8_t) lines;  /* enum lw_slice_mark of line i + 1 */
    LW_VEC(uint8_t) points; /* by point of the flow: is in the slice */
    uint32_t statements;    /* in the slice, those of the line included */
};

void lw_slice_init(struct lw_slice *s, struct lw_mem *mem);
void lw_slice_release(struct lw_slice *s);

/* LW_ENOENT when no statement covers the line (it is blank, a comment, or not in the file). */
int lw_slice_build(struct lw_slice *s, const struct lw_calls *calls, struct lw_tree *t,
                   uint32_t line, bool forward, struct lw_err *err);

/* The source with its lines marked: `*` the statement asked about, `>` in the slice; what is
 * not in it is folded, short gaps are shown. */
void lw_slice_print(struct lw_sink *out, const struct lw_term *term, const struct lw_slice *s,
                    struct lw_str text);
void lw_slice_json(struct lw_jsonw *w, const struct lw_slice *s);

#endif
