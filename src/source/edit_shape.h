/*
 * edit_shape - what a fix looks like, so that fixes of the same shape find each other across
 * projects.
 *
 * In: tree differences with the names of both versions, borrowed while they are added. Out: a
 * sparse vector of features, owned until release, and the cosine of two of them in 0..1.
 *
 * Features of each edit: what was done to which kind of node in which role of which parent;
 * the words that came and went; and, lighter, the context: the statement, the call whose
 * argument changed, loops and functions around. A word is
 *   - the dotted name of what comes from an import, its last part, and the sub-words of that
 *     ("to", "float", "32"), so that tf.to_float and torch.float32 have something in common;
 *   - names of attributes, keywords and builtins, with their sub-words;
 *   - for names defined in the file, only that it is one; for literals, only their type, but
 *     for short strings that are a word ('float32', 'same'), which mean something to an API.
 * Repetition counts less than linearly. Equal edits have similarity 1, edits without a common
 * feature 0; two edits without any feature are not similar (0).
 */
#ifndef LW_SOURCE_EDIT_SHAPE_H
#define LW_SOURCE_EDIT_SHAPE_H

#include "source/names.h"
#include "source/treediff.h"

struct lw_edit_feature {
    uint64_t hash;
    double weight;
};

struct lw_edit_shape {
    struct lw_mem *mem;               /* borrowed */
    LW_VEC(struct lw_edit_feature) v; /* after `finish`: by hash, each once, of length 1 */
    bool finished;
};

void lw_edit_shape_init(struct lw_edit_shape *s, struct lw_mem *mem);
void lw_edit_shape_release(struct lw_edit_shape *s);

/* Adds the edits of one file. */
int lw_edit_shape_add(struct lw_edit_shape *s, const struct lw_treediff *d,
                      const struct lw_names *old_names, const struct lw_names *new_names,
                      struct lw_err *err);
/* Once, after all files: the shape is then complete. */
void lw_edit_shape_finish(struct lw_edit_shape *s);

/* 0..1 of two finished shapes. */
double lw_edit_similarity(const struct lw_edit_shape *a, const struct lw_edit_shape *b);

/* ---- Nearest neighbours ----------------------------------------------------------------- */

/* Shapes by feature. A question goes through the shapes of its most telling features first and
 * stops as soon as no other shape can be among the best; those that can are compared exactly.
 * Features that many shapes have count less (inverse document frequency), as soon as there are
 * shapes to count. */
struct lw_edit_index {
    struct lw_mem *mem; /* borrowed */
    LW_VEC(struct lw_edit_entry {
        uint64_t hash;
        double weight; /* when `built`: with its rarity, and each shape of length 1 */
        uint32_t term;
    })
    entries;               /* of one shape after the other, each by hash */
    LW_VEC(size_t) starts; /* of each shape in `entries` */
    LW_VEC(struct lw_edit_term {
        uint64_t hash;
        double rarity;
        double most;  /* weight in any shape */
        size_t first; /* in `postings` */
        size_t count;
    })
    terms; /* by hash */
    LW_VEC(struct lw_edit_posting {
        double weight;
        uint32_t shape;
    })
    postings;
    LW_VEC(double) weights; /* of the entries as they were added */
    bool built;
};

struct lw_edit_hit {
    uint32_t shape; /* in order of adding, from 0 */
    double similarity;
};

void lw_edit_index_init(struct lw_edit_index *x, struct lw_mem *mem);
void lw_edit_index_release(struct lw_edit_index *x);
int lw_edit_index_add(struct lw_edit_index *x, const struct lw_edit_shape *s,
                      struct lw_err *err);
/* The most similar shapes, best first, equals in order of adding; at most `room`, `*count` are
 * written; none with similarity 0. The first question after shapes were added builds the index.
 */
int lw_edit_index_find(struct lw_edit_index *x, const struct lw_edit_shape *s,
                       struct lw_edit_hit *hits, size_t room, size_t *count,
                       struct lw_err *err);
/* The same by looking at every shape: what `find` must agree with. */
int lw_edit_index_scan(struct lw_edit_index *x, const struct lw_edit_shape *s,
                       struct lw_edit_hit *hits, size_t room, size_t *count,
                       struct lw_err *err);

#endif
