/*
 * print_names - names, units and metrics as text for people and as JSON for programs.
 */
#ifndef LW_SOURCE_PRINT_NAMES_H
#define LW_SOURCE_PRINT_NAMES_H

#include "base/jsonw.h"
#include "base/sink.h"
#include "base/term.h"
#include "source/metrics.h"
#include "source/project.h"
#include "source/units.h"

/* Scopes with their symbols, then the calls with what they reach. With a project (may be NULL)
 * calls are followed into its other files; `path` is that of the file, relative to its folder
 * for relative imports to work. */
int lw_print_names(struct lw_sink *out, struct lw_tree *t, const struct lw_names *n,
                   struct lw_project *project, struct lw_str path, struct lw_err *err);
int lw_json_names(struct lw_jsonw *w, struct lw_tree *t, const struct lw_names *n,
                  struct lw_project *project, struct lw_str path, struct lw_err *err);

void lw_print_units(struct lw_sink *out, struct lw_tree *t, const struct lw_units *u);
void lw_json_units(struct lw_jsonw *w, struct lw_tree *t, const struct lw_units *u);

int lw_print_metrics(struct lw_sink *out, const struct lw_term *term, struct lw_mem *mem,
                     struct lw_tree *t, const lw_metrics_vec *rows, struct lw_err *err);
void lw_json_metrics(struct lw_jsonw *w, struct lw_tree *t, const lw_metrics_vec *rows);

#endif
