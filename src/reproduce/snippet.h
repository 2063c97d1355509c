/*
 * snippet - from the code blocks of a report to text that parses.
 *
 * Blocks are joined in an order in which names are bound before they are used. What keeps the
 * text from parsing is taken off or put right line by line: prompts, what a session printed,
 * cell marks, typographic quotes, Python 2, lost or wrong indentation (indent.h), and at last
 * lines that are no Python at all, which become comments. The number of lines does not change,
 * so each repair names its line. The result always parses.
 */
#ifndef LW_REPRODUCE_SNIPPET_H
#define LW_REPRODUCE_SNIPPET_H

#include "reproduce/program.h"

/* Makes the report's code the body of `p`. LW_EINVAL: the report has none. */
int rp_snippet_read(struct rp_program *p, struct lw_err *err);

/* The same for one text, as fuzzing and tests call it. */
int rp_snippet_repair(struct rp_program *p, struct lw_str text, struct lw_err *err);

#endif
