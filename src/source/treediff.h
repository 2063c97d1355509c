/*
 * treediff - what changed between two versions of a file, on their syntax trees.
 *
 * In: two parsed trees, borrowed, which must outlive the difference. Out: which nodes
 * correspond, and an edit script of inserts, deletes, updates and moves that turns the old tree
 * into the new one, owned until release.
 *
 * Two trees are equal when kinds, roles, operators, the order of children, and the words of
 * every node are: names, literals, dots, stars. Layout, comments, brackets and commas that
 * change none of these do not count (edit_fix.h looks at them).
 *
 * Matching, in order (the ideas of GumTree: Falleri and others, 2014):
 *   1. equal statements (and large expressions) that occur once on each side, largest first;
 *   2. from the roots down, children of matched pairs: equal ones in order (longest common
 *      subsequence); definitions and keywords by name; an expression that was put around
 *      another, or taken from around it, is told from the inner one; then by similarity of
 *      their words, where simple statements may change their kind (a value that was assigned
 *      is returned); then what is equal below the rest, and statements that a block was put
 *      around; at last what stands in the same role;
 *   3. what is left over anywhere: equal statements, then similar ones, in order;
 *   4. from the leaves up, what is left, with the parents of what its children matched, if at
 *      least half of their descendants agree; then 2. again inside;
 *   5. leaves whose tokens are common to both files, in order, and 4. once more.
 * Work is bounded by LW_TREEDIFF_WORK steps a node plus a constant. Beyond it (`coarse`)
 * similarity is no longer computed, and 5. alone decides what is the same: a token difference,
 * of bounded cost as well. Scripts are always exact.
 */
#ifndef LW_SOURCE_TREEDIFF_H
#define LW_SOURCE_TREEDIFF_H

#include "base/arena.h"
#include "base/jsonw.h"
#include "base/sink.h"
#include "base/term.h"
#include "source/tree.h"

enum { LW_TREEDIFF_WORK = 200 };

/* An update changes what a node says itself: its words, its operator, and also its kind. */
enum lw_edit_kind { LW_EDIT_INSERT, LW_EDIT_DELETE, LW_EDIT_UPDATE, LW_EDIT_MOVE };

/* Nodes of the tree being edited are numbered: old ones as in the old tree, inserted ones by
 * their number in the new tree plus the old tree's count. */
struct lw_edit {
    uint8_t kind;      /* enum lw_edit_kind */
    uint8_t role;      /* of the node under its parent: insert, move */
    bool whole;        /* insert, delete: with everything below */
    uint32_t old_node; /* LW_NO_NODE for an insert */
    uint32_t new_node; /* LW_NO_NODE for a delete */
    uint32_t parent;   /* insert, move: the number of the node it goes under */
    uint32_t after;    /* insert, move: sibling before it, or LW_NO_NODE for the first place */
    uint32_t tokens; /* changed: deleted, inserted, or both sides of an update; of a move: 1 */
};

/* What a node says itself, without its children. */
struct lw_label {
    uint64_t hash;   /* of kind, operator, flags and words */
    uint64_t tree;   /* of that and the children with their roles */
    uint32_t size;   /* nodes of the subtree */
    uint32_t tokens; /* of the node itself */
    uint32_t order;  /* its number in preorder; the subtree is [order, order + size) */
};

struct lw_treediff {
    struct lw_mem *mem;             /* borrowed */
    const struct lw_tree *old_tree; /* borrowed */
    const struct lw_tree *new_tree; /* borrowed */
    struct lw_arena arena;
    struct lw_label *old_label; /* by node */
    struct lw_label *new_label;
    uint64_t *old_words; /* by token: a hash of its text, 0 when it is no word of its node */
    uint64_t *new_words;
    uint32_t *to_new; /* by old node: its partner, or LW_NO_NODE */
    uint32_t *to_old;
    LW_VEC(struct lw_edit) edits;
    uint64_t work;
    uint64_t most_work; /* may be set before a build; 0: the bound above */
    bool coarse;        /* the bound was met: matched by tokens */
};

void lw_treediff_init(struct lw_treediff *d, struct lw_mem *mem);
void lw_treediff_release(struct lw_treediff *d);

/* Replaces the contents by the difference. LW_ENOMEM is the only failure. */
int lw_treediff_build(struct lw_treediff *d, const struct lw_tree *old_tree,
                      const struct lw_tree *new_tree, struct lw_err *err);

/* Applies the script to a copy of the old tree; `*exact` says whether that is the new tree. */
int lw_treediff_check(const struct lw_treediff *d, bool *exact, struct lw_err *err);

/* Changed tokens of the whole script. */
uint64_t lw_treediff_size(const struct lw_treediff *d);

const char *lw_edit_kind_name(enum lw_edit_kind kind); /* "insert"; static */

/* Walks the tokens of a node that belong to none of its children, in order, starting from a
 * zeroed walk; LW_NO_TOKEN behind the last. */
struct lw_own_walk {
    uint32_t token; /* less the first of the node */
    uint32_t child; /* less the first child */
};
uint32_t lw_own_token(const struct lw_tree *t, uint32_t node, struct lw_own_walk *w);

/* ---- Print ------------------------------------------------------------------------------ */

/* One line per edit. */
void lw_treediff_print(struct lw_sink *out, const struct lw_term *term, struct lw_treediff *d,
                       struct lw_tree *old_tree, struct lw_tree *new_tree);
/* "edits" in an open object. */
void lw_treediff_json(struct lw_jsonw *w, struct lw_treediff *d, struct lw_tree *old_tree,
                      struct lw_tree *new_tree);
/* Both versions beside each other, lines that changed marked, the rest folded. */
int lw_treediff_side(struct lw_sink *out, const struct lw_term *term, struct lw_treediff *d,
                     struct lw_tree *old_tree, struct lw_tree *new_tree, uint32_t context,
                     struct lw_err *err);

#endif
