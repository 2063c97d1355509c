/*
 * specimen - reads one bug in the layout of specimens/<id>/ from a set of files.
 *
 * The files may come from the program itself, a folder, or an archive; they are untrusted, so
 * everything is checked and every refusal names file, line and how to fix it.
 */
#ifndef LW_CATALOG_SPECIMEN_H
#define LW_CATALOG_SPECIMEN_H

#include "base/arena.h"
#include "base/vec.h"
#include "knowledge/vocabulary.h"
#include "lacewing.h"

struct lw_file {
    struct lw_str path; /* relative, with '/' */
    struct lw_str content;
};

typedef LW_VEC(struct lw_file) lw_file_vec;

/* Limits of one specimen. */
enum { LW_SPECIMEN_FILES = 200, LW_SPECIMEN_BYTES = 32 << 20 };

/* NULL when there is none. */
const struct lw_file *lw_file_find(const lw_file_vec *files, struct lw_str path);

/*
 * Fills `bug` from the files; texts live in `arena` or in the files. `where` is the specimen's
 * place for messages ("specimens/x"); `expected_id` (may be empty) is the id its folder
 * implies.
 */
int lw_specimen_read(struct lw_bug *bug, struct lw_arena *arena, const lw_file_vec *files,
                     struct lw_str where, struct lw_str expected_id,
                     const struct lw_vocabulary *words, struct lw_err *err);

/* Reads the files of a folder (no links, no devices, within the limits). */
int lw_specimen_load(lw_file_vec *files, struct lw_arena *arena, struct lw_mem *mem,
                     const char *folder, struct lw_err *err);

/* The files of the embedded specimen `id`, borrowed from the program. */
int lw_specimen_embedded(lw_file_vec *files, struct lw_mem *mem, struct lw_str id,
                         struct lw_err *err);

#endif
