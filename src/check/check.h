/*
 * check - finds what is wrong in a Python program that uses TensorFlow, Keras, PyTorch and
 * numpy, without running it.
 *
 * In: files, and what to look for. Out: findings and figures, in an arena of the result. Files
 * are analysed on several threads; the result does not depend on their number.
 */
#ifndef LW_CHECK_CHECK_H
#define LW_CHECK_CHECK_H

#include "check/fix/apply.h"
#include "check/rules/table.h"
#include "check/types.h"

/* ---- what to check --------------------------------------------------------------------------
 */

/* "tensorflow=2.0,torch=1.13"; LW_EINVAL when it is not that. */
int lw_check_target_parse(struct lw_check_target *t, struct lw_str text, struct lw_err *err);

/* The same from what is to be installed: the text of a requirements.txt, environment.yml,
 * setup.cfg… Versions that are already known stay. */
void lw_check_target_read(struct lw_check_target *t, struct lw_str text);
/* What the nearest such files in the folder of `path` or above it say; nothing is no error.
 * LW_ENOMEM. */
int lw_check_target_find(struct lw_check_target *t, struct lw_mem *mem, struct lw_str path);

/* The folder of a file, and those above it. */
struct lw_check_above {
    struct lw_str folder; /* borrowed from the path, or in the arena of `next` */
    unsigned steps;
};
struct lw_check_above lw_check_above(struct lw_str path);
/* The first call gives the folder itself. False: there is none above. */
bool lw_check_above_next(struct lw_check_above *a, struct lw_arena *arena);

/* Checks that every name of select and ignore is a rule or a category. */
int lw_check_options_check(const struct lw_check_options *o, const struct lw_check_rules *r,
                           struct lw_err *err);

/* ---- checking -------------------------------------------------------------------------------
 */

/* Checks the files; `paths` as lw_check_files lists them. A file that cannot be read is an
 * entry of `errors`. LW_ENOMEM, LW_ECANCEL. */
int lw_check_run(struct lw_check_result *out, const struct lw_ctx *ctx,
                 const struct lw_check_rules *rules, const struct lw_check_options *options,
                 const struct lw_str *paths, size_t count, struct lw_err *err);

/* Checks one text that is in memory, as the file `path`. */
int lw_check_text(struct lw_check_result *out, const struct lw_ctx *ctx,
                  const struct lw_check_rules *rules, const struct lw_check_options *options,
                  struct lw_str path, struct lw_str text, struct lw_err *err);

/* Fixes one file; see lw_fix_file. */
int lw_check_fix_file(struct lw_fixed *out, struct lw_arena *arena, const struct lw_ctx *ctx,
                      const struct lw_check_rules *rules,
                      const struct lw_check_options *options, struct lw_str path,
                      struct lw_str bytes, const struct lw_str *paths, size_t path_count,
                      struct lw_err *err);

/* Python files and notebooks at `path`: itself, or those below the folder that .gitignore does
 * not name. Text in `arena`. */
int lw_check_files(lw_str_vec *out, struct lw_arena *arena, struct lw_mem *mem,
                   const char *path, struct lw_err *err);

#endif
