/*
 * language - which files are source, and how to scan those that are not Python.
 *
 * Languages are sections of data/locate/languages.ini: file endings, comment and string marks,
 * and the words that introduce classes, functions and imports. Python is read by the front end
 * (src/source); the others by a light scan that yields the same kinds of facts: classes,
 * functions (a name before a parenthesis that a block follows), other names, comments, strings.
 */
#ifndef LW_LOCATE_LANGUAGE_H
#define LW_LOCATE_LANGUAGE_H

#include "base/arena.h"
#include "base/vec.h"
#include "lacewing.h"

struct lw_words_list {
    const struct lw_str *v;
    size_t n;
};

struct lw_language {
    struct lw_str name;              /* "python", "java", … */
    struct lw_words_list extensions; /* ".py" */
    struct lw_words_list line_comments;
    struct lw_words_list block_open, block_close; /* of the same number */
    struct lw_str quotes;                         /* each character opens a string */
    struct lw_words_list class_words, function_words, import_words;
    struct lw_words_list keywords; /* names that are nothing else */
    bool is_python;
};

struct lw_languages {
    struct lw_arena arena;
    struct lw_language *v;
    size_t n;
};

int lw_languages_load(struct lw_languages *l, struct lw_mem *mem, struct lw_err *err);
void lw_languages_release(struct lw_languages *l);

/* The language of that name, or NULL. */
const struct lw_language *lw_language_find(const struct lw_languages *l, struct lw_str name);
/* The language of the path by its ending, or NULL. */
const struct lw_language *lw_language_of(const struct lw_languages *l, struct lw_str path);

/* A component of the path contains "test", in any case. */
bool lw_path_is_test(struct lw_str path);

/* ---- The light scan ---------------------------------------------------------------------- */

enum lw_scan_kind {
    LW_SCAN_END,
    LW_SCAN_CLASS,    /* the name of a class, interface, struct, … */
    LW_SCAN_FUNCTION, /* the name of a function that is defined here */
    LW_SCAN_NAME,     /* any other name that is no keyword */
    LW_SCAN_COMMENT,
    LW_SCAN_STRING,
    LW_SCAN_IMPORT, /* what follows an import word, up to the end of the line */
};

struct lw_scan {
    const struct lw_language *language; /* borrowed */
    struct lw_str text;                 /* borrowed */
    size_t at;
    bool after_class; /* the next name is that of a class */
    bool after_function;
};

struct lw_scanned {
    enum lw_scan_kind kind;
    uint32_t start, end; /* bytes of `text` */
    uint32_t block_end;  /* of a class or function: behind its block, else `end` */
    struct lw_str text;  /* without marks and quotes */
};

void lw_scan_init(struct lw_scan *s, const struct lw_language *language, struct lw_str text);
/* The next piece; its kind is LW_SCAN_END at the end. */
struct lw_scanned lw_scan_next(struct lw_scan *s);

#endif
