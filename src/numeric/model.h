/*
 * model - learnt models as files.
 *
 * The format is text, documented in docs/statistics.md:
 *
 *     lacewing-model 1 KIND
 *     NAME COUNT
 *     numbers, any white space between them
 *     …
 *     end
 *
 * KIND is trees, linear, or matrix; each NAME is an array of doubles, written so that they read
 * back the same. A file is checked as it is read: sizes are bounded by the file's own length,
 * unknown names are kept, damage is LW_ECORRUPT with its line. NaN and infinities are allowed
 * as numbers, and refused where a model cannot hold them.
 */
#ifndef LW_NUMERIC_MODEL_H
#define LW_NUMERIC_MODEL_H

#include "base/arena.h"
#include "base/buf.h"
#include "numeric/linear.h"
#include "numeric/svd.h"
#include "numeric/trees.h"

struct lw_array {
    struct lw_str name;
    double *v;
    size_t n;
};

enum { LW_MODEL_ARRAYS = 64 };

struct lw_model {
    struct lw_str kind;
    struct lw_array array[LW_MODEL_ARRAYS];
    size_t count;
};

/* Text in and out; the arrays of a parsed model are in the arena. */
int lw_model_parse(struct lw_model *out, struct lw_arena *arena, struct lw_str text,
                   struct lw_err *err);
int lw_model_print(struct lw_buf *out, const struct lw_model *m);

/* NULL when there is none of that name. */
const struct lw_array *lw_model_find(const struct lw_model *m, const char *name);

/* Trees; the loaded ones are owned by the caller (lw_trees_release). */
int lw_trees_save(struct lw_buf *out, struct lw_arena *arena, const struct lw_trees *t,
                  struct lw_err *err);
int lw_trees_load(struct lw_trees *out, struct lw_mem *mem, struct lw_str text,
                  struct lw_err *err);

/* Linear classifiers; in the arena. */
int lw_linear_save(struct lw_buf *out, const struct lw_linear *l, struct lw_err *err);
int lw_linear_load(struct lw_linear *out, struct lw_arena *arena, struct lw_str text,
                   struct lw_err *err);

#endif
