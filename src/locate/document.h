/*
 * document - one file's content as the index keeps it.
 *
 * In: the bytes of a blob and its language. Out: `struct lw_document`: how often each term
 * stands in each field, the identifiers as spelt, definitions with their lines and parameters,
 * imports, API names and the raw text of string literals. Terms and identifiers are numbers of
 * the reader's `struct lw_words`, other texts numbers of its `texts`; the lists are in the
 * caller's arena. A reader belongs to one thread.
 *
 * Versions of a file are mostly alike. A Python file is read in chunks (chunk.h), which the
 * reader remembers: a chunk that it has seen costs adding up its counts, and a checksum unless
 * it stands where it stood in the file read before.
 */
#ifndef LW_LOCATE_DOCUMENT_H
#define LW_LOCATE_DOCUMENT_H

#include "locate/chunk.h"
#include "source/git_repo.h"

enum { LW_DOC_MAX = 8 << 20 };

struct lw_document {
    struct lw_git_id id;
    uint32_t bytes, language;
    uint64_t length[LW_FIELDS]; /* terms in each field, with repetition */
    struct lw_facts facts;      /* without `chains`: they are resolved into `apis` */
};

/* Counts by number, with the numbers that have one. */
struct lw_tally {
    LW_VEC(uint32_t) count;
    LW_VEC(uint32_t) touched;
};

/* What is known about a text as a dotted name, found out once. Numbers are of texts. */
struct lw_text_facts {
    bool ready;
    uint32_t first;       /* what stands before the first dot */
    uint32_t alias;       /* what the text stands for in this blob, UINT32_MAX: nothing */
    uint32_t with, whole; /* with `first` standing for `with`, the text means `whole` */
    uint32_t term, terms; /* its terms: so many of api_terms from `term` on */
    bool has_terms;
};

/* A chunk of a file. */
struct lw_doc_piece {
    size_t start, end, next; /* `next`: behind the line that follows, which decided the cut */
    const struct lw_facts *facts;
    bool stayed; /* of the file before: this one has it too; of this one: it had it */
};

/* What reading needs, kept from blob to blob. */
struct lw_document_reader {
    struct lw_chunk_reader chunk;
    struct lw_arena scratch; /* of one blob */
    struct lw_map known;     /* checksum and length of a chunk to its facts */
    struct lw_buf before;    /* the text read before */
    LW_VEC(struct lw_doc_piece) pieces, pieces_before;
    size_t piece_before; /* where the next is looked for */
    struct lw_tally fields[LW_FIELDS], idents, apis;
    LW_VEC(struct lw_text_facts) text_facts;
    LW_VEC(uint32_t) aliased; /* texts that stand for something in this blob */
    lw_counts api_terms;      /* terms of texts, end to end */
    LW_VEC(struct lw_def) defs;
    uint32_t class_def; /* whose methods the next chunk may hold, UINT32_MAX: none */
    LW_VEC(uint32_t) params, strings;
    LW_VEC(struct lw_import) imports;
    int rc; /* 0 or LW_ENOMEM */
};

void lw_document_reader_init(struct lw_document_reader *r, struct lw_mem *mem,
                             const struct lw_stopwords *stop);
void lw_document_reader_release(struct lw_document_reader *r);
/* Forgets words, texts and chunks: bounds its memory. */
void lw_document_reader_clear(struct lw_document_reader *r);

/* Reads the blob into `d` (zeroed). Any bytes are fine; LW_ENOMEM is the only failure. */
int lw_document_read(struct lw_document_reader *r, struct lw_document *d,
                     struct lw_arena *arena, const struct lw_language *language,
                     struct lw_str bytes, struct lw_err *err);

static inline struct lw_str lw_document_text(const struct lw_document_reader *r, uint32_t text)
{
    return r->chunk.texts.entries[text].key;
}

#endif
