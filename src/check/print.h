/*
 * print - findings for people (text with the source line), for programs (JSON, SARIF) and for
 * GitHub's log.
 */
#ifndef LW_CHECK_PRINT_H
#define LW_CHECK_PRINT_H

#include "base/sink.h"
#include "base/term.h"
#include "check/check.h"
#include "check/fix/apply.h"

/* Findings with their source lines (files are read again), then a line of figures. `fixed`:
 * --fix has done what it can, and is not recommended. */
void lw_check_print_text(struct lw_sink *out, const struct lw_term *term, struct lw_mem *mem,
                         const struct lw_check_result *r, bool statistics, bool fixed);
/* `fixed` may be NULL: fixing was not asked for. */
void lw_check_print_json(struct lw_sink *out, const struct lw_check_result *r,
                         const struct lw_fixed *fixed, size_t fixed_count);
/* A line for each finding of the file that was fixed. */
void lw_check_print_fixed(struct lw_sink *out, const struct lw_term *term,
                          const struct lw_fixed *fixed);
/* Files are read again: its columns are characters. */
void lw_check_print_sarif(struct lw_sink *out, struct lw_mem *mem,
                          const struct lw_check_result *r, const struct lw_check_rules *rules);
void lw_check_print_github(struct lw_sink *out, struct lw_mem *mem,
                           const struct lw_check_result *r);

void lw_check_print_rules(struct lw_sink *out, const struct lw_check_rules *rules);
void lw_check_print_rules_json(struct lw_sink *out, const struct lw_check_rules *rules);
void lw_check_print_rule(struct lw_sink *out, const struct lw_term *term,
                         const struct lw_check_rule *rule);

#endif
