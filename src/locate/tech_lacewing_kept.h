/*
 * tech_lacewing_kept - what our technique keeps in the view of a commit: all that it derives
 * from the files and not from the report. Each table has a counterpart that is made from
 * documents where there is no view; both give the same results.
 */
#ifndef LW_LOCATE_TECH_LACEWING_KEPT_H
#define LW_LOCATE_TECH_LACEWING_KEPT_H

#include "locate/tech_lacewing.h"
#include "locate/view.h"

/* Sections in the view. */
enum kept_section {
    KEPT_KEY_ENDS, /* names of files and modules, in byte order, their table's letter first */
    KEPT_KEY_TEXT,
    KEPT_KEY_VALUES,
    KEPT_ENTRIES,
    KEPT_MODULE_ENDS,
    KEPT_MODULE_TEXT,
    KEPT_DEF_START, /* by name */
    KEPT_DEFS,
    KEPT_SHAPE, /* (SHAPE_COLUMNS, files) */
    KEPT_IMPORT_START,
    KEPT_IMPORTS,
    KEPT_FOLDERS,
    KEPT_BASES,
    KEPT_PATH_WORDS,
    KEPT_PATH_WORD_TEXT,
    KEPT_PATH_START,
    KEPT_PATH_COUNTS,
    KEPT_PIECES,
    KEPT_SECTIONS
};

enum { SHAPE_FIRST = COL_LINES, SHAPE_COLUMNS = COL_DEPTH - COL_LINES + 1 };

/* Texts to numbers. */
struct lacewing_keys {
    const uint32_t *ends, *values;
    const char *text;
    size_t n;
    const struct lacewing_entry *entries;
};

/* A definition of a name, or a function with a parameter of it. */
struct lacewing_kept_def {
    uint32_t file, def, kind; /* enum lacewing_kind */
};

/* A word of paths. */
struct lacewing_path_word {
    uint32_t term;  /* of the view's segment, LW_NO_TERM: no file has it */
    uint32_t start; /* in the text */
    uint32_t n;
};

/* The words of the files' paths, with the counts of words: of the whole path of file i from
 * start[2 i] on, of its own name from start[2 i + 1] on. */
struct lacewing_paths {
    const struct lacewing_path_word *words;
    size_t word_count;
    const char *text;
    const uint32_t *start;
    const struct lw_count *counts;
};

/* A piece of a string literal between placeholders. */
struct lacewing_piece {
    uint32_t file;
    uint32_t start;   /* in the text of the segment's names */
    uint16_t n, slot; /* of the sieve */
};

struct lacewing_kept {
    struct lacewing_keys keys;
    const uint32_t *module_ends;
    const char *module_text;
    const uint32_t *def_start;
    const struct lacewing_kept_def *defs;
    const double *shape;
    struct lacewing_extra extra; /* imports, folders and names of files */
    struct lacewing_paths paths;
    const struct lacewing_piece *pieces;
    size_t piece_count;
};

void lacewing_kept_use(struct lacewing_kept *k, const struct lw_view *view);

/* The value of a text in the table of that letter, `otherwise` when it is in none. */
uint32_t lacewing_keys_find(const struct lacewing_keys *k, char table, struct lw_str text,
                            uint32_t otherwise);

/* Makes all of them. */
int lacewing_keep(const struct lw_view_source *source, struct lw_container_writer *w);

/* ---- Parts of it, for both ---------------------------------------------------------------
 */

int lacewing_read_paths(struct lw_mem *mem, struct lw_arena *arena,
                        const struct lw_stopwords *stop, const struct lw_files *files,
                        struct lacewing_paths *out);

/* The pieces of a literal that are long enough to be looked for. */
bool lacewing_next_piece(struct lw_str *rest, struct lw_str *piece);
/* What the beginning of a piece (of eight bytes at least) is looked up by. */
uint16_t lacewing_sieve_slot(const char *p);

/* Imports, folders and names of files. */
int lacewing_find_places(struct lacewing_work *w, struct lw_arena *arena,
                         struct lacewing_extra *x);

#endif
