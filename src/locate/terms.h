/*
 * terms - text to the terms that documents and reports are compared by.
 *
 * An identifier ([A-Za-z_][A-Za-z0-9_]*) is split at case, underscores and digits; each part of
 * at least two letters that is no stop word (data/locate/stopwords.txt) is stemmed; one of
 * several parts is also kept whole, in small letters behind a "=", without underscores at its
 * ends: "getHTTPResponse" gives http, respons and =gethttpresponse (get is a stop word).
 *
 * `struct lw_words` is the work of one thread: it remembers every identifier it has seen with
 * its terms, so that text is counted at the speed of one hash lookup an identifier.
 */
#ifndef LW_LOCATE_TERMS_H
#define LW_LOCATE_TERMS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "lacewing.h"

/* Changes whenever text would give other terms. */
enum { LW_TERMS_VERSION = 1 };

/* The stop words; read-only once loaded, shared by all threads. */
struct lw_stopwords {
    struct lw_map words;
};

int lw_stopwords_load(struct lw_stopwords *s, struct lw_mem *mem, struct lw_err *err);
void lw_stopwords_release(struct lw_stopwords *s);
bool lw_is_stopword(const struct lw_stopwords *s, struct lw_str lower);

struct lw_count {
    uint32_t term;
    uint32_t count;
};

typedef LW_VEC(struct lw_count) lw_counts;

/* A place of the table of identifiers. Those of up to 16 bytes are in it, zeros behind them; of
 * longer ones the first and the last eight bytes. */
struct lw_word_slot {
    uint64_t first, last;
    uint32_t size;
    uint32_t ident; /* number + 1; 0: free */
};

struct lw_words {
    struct lw_mem *mem;
    const struct lw_stopwords *stop; /* borrowed */
    struct lw_arena arena;           /* identifiers and terms as text */
    struct lw_word_slot *slots;      /* a power of two of them */
    size_t slot_count;
    LW_VEC(struct lw_str) idents;   /* by number */
    struct lw_map terms;            /* term to its number */
    struct lw_map parts;            /* part of an identifier to its term, UINT32_MAX: none */
    LW_VEC(uint32_t) expansion;     /* terms of all identifiers, end to end */
    LW_VEC(uint32_t) expansion_end; /* by identifier */
    LW_VEC(uint32_t) ident_count;   /* by identifier: in the text being counted */
    LW_VEC(uint32_t) touched;       /* identifiers with a count, in order of appearance */
    LW_VEC(uint32_t) term_count;    /* by term, all zero between calls */
    int failed;                     /* 0 or LW_ENOMEM; sticks */
};

void lw_words_init(struct lw_words *w, struct lw_mem *mem, const struct lw_stopwords *stop);
void lw_words_release(struct lw_words *w);

/* Counts every identifier of the text, or the one identifier. */
void lw_words_add_text(struct lw_words *w, struct lw_str text);
void lw_words_add(struct lw_words *w, struct lw_str ident);

/* Where an identifier stands in a text. */
struct lw_spot {
    uint32_t start; /* byte */
    uint32_t ident; /* its number */
};

typedef LW_VEC(struct lw_spot) lw_spots;

/* As add_text, and sets `spots` (in `w->mem`) to where each stands, in order. */
void lw_words_scan(struct lw_words *w, struct lw_str text, lw_spots *spots);
/* Counts an identifier by its number. */
void lw_words_add_number(struct lw_words *w, uint32_t ident);

/* Appends the identifiers counted so far as (identifier, count), in order of appearance. */
int lw_words_peek_idents(struct lw_words *w, struct lw_mem *mem, lw_counts *out);

/* Appends the terms of what was counted, each once, in order of first appearance, sets
 * `*length` to the sum of their counts, and forgets the counts. */
int lw_words_take(struct lw_words *w, struct lw_mem *mem, lw_counts *out, uint64_t *length);

static inline struct lw_str lw_words_term(const struct lw_words *w, uint32_t term)
{
    return w->terms.entries[term].key;
}

static inline struct lw_str lw_words_ident(const struct lw_words *w, uint32_t ident)
{
    return w->idents.v[ident];
}

#endif
