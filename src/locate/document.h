/*
 * document - one file's content as the index keeps it.
 *
 * In: the bytes of a blob and its language. Out: `struct lw_document`: how often each term
 * stands in each field, the identifiers as spelt, definitions with their lines and parameters,
 * imports, API names and the raw text of string literals. Terms are numbers of the reader's
 * `struct lw_words`, all other texts are copied into the caller's arena, so documents outlive
 * the blob. A reader belongs to one thread.
 */
#ifndef LW_LOCATE_DOCUMENT_H
#define LW_LOCATE_DOCUMENT_H

#include "locate/language.h"
#include "locate/terms.h"
#include "source/git_repo.h"
#include "source/names.h"
#include "source/units.h"

/* What the terms of a file come from. */
enum lw_field {
    LW_FIELD_TEXT,     /* every identifier of the text, comments and strings too */
    LW_FIELD_CLASS,    /* names of classes */
    LW_FIELD_FUNCTION, /* names of functions and methods */
    LW_FIELD_NAME,     /* every use of other names: variables, attributes, parameters */
    LW_FIELD_COMMENT,  /* comments and docstrings */
    LW_FIELD_STRING,   /* other strings */
    LW_FIELD_API,      /* dotted names from imports, where they are used */
};
enum { LW_FIELDS = 7 };

const char *lw_field_name(enum lw_field field); /* "text"; static */

/* Bits of lw_document.flags. */
enum {
    LW_DOC_BINARY = 1, /* nothing was read from it */
    LW_DOC_LARGE = 2,  /* the same: over LW_DOC_MAX bytes */
    LW_DOC_BROKEN = 4, /* with syntax errors */
    LW_DOC_ABSENT = 8, /* the repository lacks the blob; never kept in a cache */
};

enum { LW_DOC_MAX = 8 << 20, LW_DOC_STRING_LEAST = 8, LW_DOC_STRING_MOST = 400 };

enum lw_def_kind { LW_DEF_CLASS, LW_DEF_FUNCTION };

/* Names are numbers of the segment's (in a document being read: of `names`) texts. */
struct lw_def {
    uint32_t name;
    uint32_t kind;          /* enum lw_def_kind */
    uint32_t parent;        /* definition around it, UINT32_MAX when there is none */
    uint32_t first, last;   /* lines from 1, decorators included */
    uint32_t param, params; /* the parameters' names: params of them from `param` on */
};

struct lw_import {
    uint32_t module; /* "torch.nn"; empty for `from . import x` */
    uint32_t name;   /* imported name, "*", or empty for `import module` */
    uint32_t level;  /* leading dots */
    uint32_t line;
};

/* A name and how often. */
struct lw_use {
    uint32_t name;
    uint32_t count;
};

struct lw_document {
    struct lw_git_id id;
    uint32_t bytes, lines, flags, language;
    uint64_t length[LW_FIELDS];
    lw_counts fields[LW_FIELDS];
    LW_VEC(struct lw_str) names;  /* texts that the following refer to */
    LW_VEC(struct lw_use) idents; /* as spelt; `name` is a number of the reader's words */
    LW_VEC(struct lw_def) defs;   /* in text order */
    LW_VEC(uint32_t) params;
    LW_VEC(struct lw_import) imports;
    LW_VEC(struct lw_use) apis; /* dotted names, each once */
    LW_VEC(uint32_t) strings;   /* literals of 8 to 400 bytes, as written between the quotes */
};

void lw_document_release(struct lw_document *d, struct lw_mem *mem);

/* What reading needs, kept from blob to blob. */
struct lw_document_reader {
    struct lw_mem *mem;
    struct lw_words words;
    struct lw_tree tree;
    struct lw_names names;
    struct lw_units units;
    struct lw_arena scratch;
    struct lw_map seen;        /* API names of the blob */
    lw_spots spots;            /* its identifiers */
    LW_VEC(uint32_t) of_token; /* by token: its identifier, UINT32_MAX: none */
};

void lw_document_reader_init(struct lw_document_reader *r, struct lw_mem *mem,
                             const struct lw_stopwords *stop);
void lw_document_reader_release(struct lw_document_reader *r);

/* Reads the blob into `d` (zeroed). Any bytes are fine; LW_ENOMEM is the only failure. */
int lw_document_read(struct lw_document_reader *r, struct lw_document *d,
                     struct lw_arena *arena, const struct lw_language *language,
                     struct lw_str bytes, struct lw_err *err);

#endif
