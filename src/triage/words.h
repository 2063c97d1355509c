/*
 * words - the words of a text, and the concepts they stand for.
 *
 * A word is an identifier in small letters, without underscores at its ends, or a number with a
 * letter ("2d"). Of an identifier of several parts (DataLoader, learning_rate) the parts are
 * words too. The concepts of data/triage/concepts.txt are found by words, pairs and triples.
 */
#ifndef LW_TRIAGE_WORDS_H
#define LW_TRIAGE_WORDS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "lacewing.h"

enum { LW_CONCEPTS_MAX = 64, LW_WORD_MAX = 64 };

/* The concepts; read-only once loaded, shared by all threads. */
struct lw_concepts {
    struct lw_arena arena;
    struct lw_map words; /* word or words joined by "_" to its number */
    LW_VEC(uint64_t) of; /* by number: bit c is set when it is a word of concept c */
    struct lw_str name[LW_CONCEPTS_MAX];
    struct lw_str type[LW_CONCEPTS_MAX]; /* of bug that it is evidence of; may be empty */
    size_t count;
};

int lw_concepts_load(struct lw_concepts *c, struct lw_mem *mem, struct lw_err *err);
void lw_concepts_release(struct lw_concepts *c);

/* A word of a text. */
struct lw_text_token {
    struct lw_str text;         /* the bytes of the text */
    struct lw_str word;         /* in small letters, in the arena */
    const struct lw_str *parts; /* where it has several */
    size_t part_count;
};

typedef LW_VEC(struct lw_text_token) lw_tokens;

/* Appends the words of the text; strings are in `arena`, the list in its memory. */
int lw_tokens_add(lw_tokens *out, struct lw_arena *arena, struct lw_str text);

/* How often the concepts occur, and by which word first. */
struct lw_concept_counts {
    uint32_t count[LW_CONCEPTS_MAX];
    struct lw_str word[LW_CONCEPTS_MAX];
};

/* Counts into `counts`. With `once` the same word counts once. */
int lw_concepts_count(const struct lw_concepts *c, const lw_tokens *tokens, bool once,
                      struct lw_arena *arena, struct lw_concept_counts *counts);

#endif
