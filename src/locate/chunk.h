/*
 * chunk - a stretch of source text as facts.
 *
 * In: text of one language: a whole file, or of Python a part as lw_chunk_end cuts it off. Out:
 * `struct lw_facts`, in the reader's own arena until lw_chunk_reader_clear. Lines count from
 * the beginning of the chunk. Names that a chunk uses but does not bind are kept as `chains`
 * ("nn.Linear"): what they mean is known when the imports of the whole file are.
 */
#ifndef LW_LOCATE_CHUNK_H
#define LW_LOCATE_CHUNK_H

#include "locate/language.h"
#include "locate/terms.h"
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

/* Bits of lw_facts.flags. */
enum {
    LW_DOC_BINARY = 1, /* nothing was read from it */
    LW_DOC_LARGE = 2,  /* the same: over LW_DOC_MAX bytes */
    LW_DOC_BROKEN = 4, /* with syntax errors */
    LW_DOC_ABSENT = 8, /* the repository lacks the blob; never kept in a cache */
};

/* String literals that are kept as text: long enough to say something; cut beyond. */
enum { LW_DOC_STRING_LEAST = 8, LW_DOC_STRING_MOST = 400 };

enum lw_def_kind { LW_DEF_CLASS, LW_DEF_FUNCTION };

/* Names are numbers of the reader's texts, later of the segment's. */
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

/* A name that an import binds, and the dotted name it stands for. */
struct lw_alias {
    uint32_t name, target;
};

struct lw_facts {
    uint32_t lines, flags;
    struct {
        const struct lw_count *v;
        size_t n;
    } fields[LW_FIELDS];
    struct {
        const struct lw_use *v;
        size_t n;
    } idents, /* as spelt; `name` is a number of the reader's words */
        apis, /* dotted names, each once */
        chains;
    struct {
        const struct lw_def *v; /* in text order */
        size_t n;
    } defs;
    struct {
        const struct lw_import *v;
        size_t n;
    } imports;
    struct {
        const struct lw_alias *v;
        size_t n;
    } aliases;
    struct {
        const uint32_t *v;
        size_t n;
    } params, strings; /* literals as written between the quotes */
};

/* Where a text stands in the drafts of a chunk: at once known, nothing to forget afterwards. */
struct lw_text_place {
    uint32_t use_of, use;     /* with the chunk's stamp: its place in `uses` */
    uint32_t chain_of, chain; /* the same in `chains` */
};

struct lw_chunk_reader {
    struct lw_mem *mem;
    struct lw_words words;
    struct lw_map texts;  /* text to its number, which is its place */
    struct lw_arena kept; /* texts and facts */
    struct lw_tree tree;
    struct lw_names names;
    struct lw_units units;
    struct lw_buf padded;      /* methods with something around them */
    struct lw_buf joined;      /* a dotted name with blanks in between */
    uint32_t padding;          /* bytes in front of the chunk */
    lw_spots spots;            /* the identifiers of the chunk */
    LW_VEC(uint32_t) of_token; /* by token: its identifier, UINT32_MAX: none */
    lw_counts counts;
    LW_VEC(struct lw_use) uses, chains; /* drafts */
    LW_VEC(struct lw_def) defs;
    LW_VEC(uint32_t) params, strings;
    LW_VEC(struct lw_import) imports;
    LW_VEC(struct lw_alias) aliases;
    LW_VEC(struct lw_text_place) places; /* by text */
    uint32_t stamp;                      /* of the chunk, from 1 */
    int rc;                              /* 0 or LW_ENOMEM; sticks */
};

void lw_chunk_reader_init(struct lw_chunk_reader *r, struct lw_mem *mem,
                          const struct lw_stopwords *stop);
void lw_chunk_reader_release(struct lw_chunk_reader *r);
/* Forgets words, texts and facts. */
void lw_chunk_reader_clear(struct lw_chunk_reader *r);

/* The number of a text; the text is copied when it is new. UINT32_MAX: no memory. */
uint32_t lw_chunk_text(struct lw_chunk_reader *r, struct lw_str text);

/* Reads the text. LW_ENOMEM is the only failure. */
int lw_chunk_read(struct lw_chunk_reader *r, const struct lw_language *language,
                  struct lw_str text, struct lw_facts *facts, struct lw_err *err);

/* Where the chunk of a Python text that begins at `start` ends: before a line that begins a
 * statement of the module and stands in no bracket and no string; decorators and what belongs
 * to a statement before (`else`, `except`, …) are not cut off. */
size_t lw_chunk_end(struct lw_str text, size_t start);

#endif
