/*
 * functions - from ranked files to the functions in them.
 */
#ifndef LW_LOCATE_FUNCTIONS_H
#define LW_LOCATE_FUNCTIONS_H

#include "locate/query.h"

/*
 * Ranks the functions of the best files. `order` are the candidates by falling `scores`. A
 * function's score is its file's, scaled to 0…1, and as much again for BM25 of its own lines
 * (scaled over all functions looked at) and for its name standing in the report. In `arena`; at
 * most `top` (0: all).
 */
int lw_rank_functions(const struct lw_case *c, const double *scores, const uint32_t *order,
                      size_t top, struct lw_arena *arena, const struct lw_place **places,
                      size_t *n, struct lw_err *err);

#endif
