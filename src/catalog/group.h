/*
 * group - which bugs are of one kind: the same root cause and the same kind of fix.
 *
 * In: the bugs of a catalogue that have both sides at hand (files in the catalogue, or a
 * mirror). Out: the shape of each fix (edit_shape.h), how alike two of them are, and whether
 * that makes them one group:
 *
 *   same category, and the shapes' cosine is at least 0.36, or at least 0.25 with the same leaf
 *   of the taxonomy.
 *
 * The two thresholds were chosen on gDefects4DL's published groups; docs/evaluation/catalog.md
 * has the figures. The support level of a bug is the size of its group, itself included.
 */
#ifndef LW_CATALOG_GROUP_H
#define LW_CATALOG_GROUP_H

#include "base/vec.h"
#include "catalog/catalog.h"
#include "source/edit_shape.h"

struct lw_fix {
    struct lw_str id, title, category, leaf, source;
    struct lw_edit_shape shape;
};

struct lw_fixes {
    struct lw_mem *mem; /* borrowed */
    struct lw_arena arena;
    LW_VEC(struct lw_fix) v; /* in byte order of the ids */
};

enum { LW_FIXES_MOST = 5000 };

/* Reads the fixes of all living bugs with files, and with `mirror` not NULL of those that live
 * in repositories found there. LW_ELIMIT beyond LW_FIXES_MOST. Release in every case. */
int lw_fixes_load(struct lw_fixes *f, lw_catalog *catalog, const char *mirror,
                  struct lw_err *err);
void lw_fixes_release(struct lw_fixes *f);

/* Its number, or -1. */
ptrdiff_t lw_fixes_find(const struct lw_fixes *f, struct lw_str id);

/* Cosine of the shapes, 0..1. */
double lw_fixes_alike(const struct lw_fixes *f, size_t a, size_t b);
bool lw_fixes_same_group(const struct lw_fixes *f, size_t a, size_t b);

/* Computes the groups of the catalogue's own programs anew and stores support levels and
 * similar bugs, inside the caller's transaction. Entries whose groups their source states keep
 * these. Does nothing in a catalogue beyond LW_FIXES_MOST. */
int lw_regroup(lw_catalog *catalog, struct lw_err *err);

#endif
