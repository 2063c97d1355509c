/*
 * text - Python files and notebooks as UTF-8 text.
 *
 * In: the bytes of a .py file in any encoding that Python files declare in practice, or of a
 * Jupyter notebook. Out: `struct lw_source`, whose text and cell map live in the caller's arena
 * (or are the caller's bytes themselves where nothing had to be changed).
 */
#ifndef LW_SOURCE_TEXT_H
#define LW_SOURCE_TEXT_H

#include "base/arena.h"
#include "source/notebook.h"

enum { LW_SOURCE_MAX = 1 << 30 }; /* largest file that is read */

struct lw_source {
    struct lw_str path;   /* as given */
    struct lw_str text;   /* UTF-8, unless the bytes were not what they claim to be */
    const char *encoding; /* "utf-8", "latin-1", "cp1252", "utf-16"; static */
    bool converted;       /* text is not the file's own bytes: do not edit the file with it */
    struct lw_notebook notebook; /* cell_count is 0 for a plain file */
};

/* Reads the file; "-" is standard input. */
int lw_source_load(struct lw_source *s, struct lw_arena *arena, const char *path,
                   struct lw_err *err);

/* The same from bytes, which must outlive `s`. A path that ends in .ipynb is a notebook. */
int lw_source_decode(struct lw_source *s, struct lw_arena *arena, struct lw_str path,
                     struct lw_str bytes, struct lw_err *err);

#endif
