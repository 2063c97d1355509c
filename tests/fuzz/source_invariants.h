/*
 * What must hold for every text whatever it contains: used by the fuzz targets of the front end
 * and by its unit tests. Each check ends the program with a message when it fails.
 */
#ifndef LW_FUZZ_SOURCE_INVARIANTS_H
#define LW_FUZZ_SOURCE_INVARIANTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "source/tree.h"

#define INVARIANT(cond)                                                        \
    do {                                                                       \
        if (!(cond)) {                                                         \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #cond); \
            abort();                                                           \
        }                                                                      \
    } while (0)

/* Length of the blank character or line joining at p, 0 if it is something else. */
static inline size_t invariant_blank(const char *p, size_t n)
{
    static const char *const odd[] = {
        "\xc2\xa0",     "\xe2\x80\x80", "\xe2\x80\x81", "\xe2\x80\x82", "\xe2\x80\x83",
        "\xe2\x80\x84", "\xe2\x80\x85", "\xe2\x80\x86", "\xe2\x80\x87", "\xe2\x80\x88",
        "\xe2\x80\x89", "\xe2\x80\x8a", "\xe2\x80\x8b", "\xe2\x80\xaf", "\xe2\x81\x9f",
        "\xe2\x81\xa0", "\xe3\x80\x80", "\xef\xbb\xbf"};
    if (memchr(" \t\f\n\r", *p, 5))
        return 1;
    if (*p == '\\' && (n == 1 || p[1] == '\n' || p[1] == '\r'))
        return n == 1 ? 1 : 2;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if (n >= strlen(odd[i]) && memcmp(p, odd[i], strlen(odd[i])) == 0)
            return strlen(odd[i]);
    return 0;
}

static inline void check_blank(const char *p, size_t n)
{
    while (n > 0) {
        size_t step = invariant_blank(p, n);
        INVARIANT(step > 0);
        p += step;
        n -= step;
    }
}

/* Every byte is in exactly one token, trivia or blank, in order. */
static inline void check_cover(const struct lw_lexed *lx)
{
    struct lw_piece_walk walk = {0};
    struct lw_piece p;
    size_t at = 0;
    while (lw_lexed_piece(lx, &walk, &p)) {
        INVARIANT(p.start == at && p.end >= p.start && p.end <= lx->text.n);
        if (p.kind == LW_PIECE_BLANK)
            check_blank(lx->text.p + p.start, p.end - p.start);
        else if (p.kind == LW_PIECE_TRIVIA)
            INVARIANT(p.end > p.start);
        at = p.end;
    }
    INVARIANT(at == lx->text.n);
    INVARIANT(walk.token == lx->tokens.n && walk.trivia == lx->trivia.n);
}

static inline void check_tokens(const struct lw_lexed *lx)
{
    long level = 0;
    INVARIANT(lx->tokens.n > 0);
    for (size_t i = 0; i < lx->tokens.n; i++) {
        const struct lw_token *t = &lx->tokens.v[i];
        INVARIANT(t->kind < LW_TOKEN_KIND_COUNT);
        INVARIANT((t->kind == LW_TOK_EOF) == (i + 1 == lx->tokens.n));
        level += t->kind == LW_TOK_INDENT;
        level -= t->kind == LW_TOK_DEDENT;
        INVARIANT(level >= 0);
        bool may_be_empty = t->kind <= LW_TOK_DEDENT || t->kind == LW_TOK_FSTRING_END;
        INVARIANT(t->end > t->start || may_be_empty);
    }
    INVARIANT(level == 0);
    check_cover(lx);
}

static inline void check_node(const struct lw_tree *t, uint32_t node)
{
    const struct lw_node *n = lw_tree_node(t, node);
    uint32_t at = lw_tree_start(t, node), end = lw_tree_end(t, node);
    INVARIANT(n->kind < LW_NODE_KIND_COUNT && n->role < LW_ROLE_COUNT);
    INVARIANT(n->first <= n->last && n->last < t->lexed.tokens.n);
    INVARIANT(at <= end && end <= t->lexed.text.n);
    for (uint32_t c = n->child; c < n->child + n->count; c++) {
        INVARIANT(c < node && lw_tree_parent(t, c) == node);
        INVARIANT(lw_tree_start(t, c) >= at && lw_tree_end(t, c) <= end);
        at = lw_tree_end(t, c);
    }
    (void)lw_tree_name(t, node);
}

static inline void check_errors(const struct lw_lexed *lx)
{
    for (size_t i = 0; i < lx->errors.n; i++) {
        const struct lw_syntax_error *e = &lx->errors.v[i];
        INVARIANT(e->start <= e->end && e->end <= lx->text.n && e->message);
        INVARIANT(i == 0 || lx->errors.v[i - 1].start <= e->start);
    }
}

/* Ranges nest, siblings follow each other, every node is reached from the root. */
static inline void check_tree(const struct lw_tree *t)
{
    uint32_t seen = 0;
    for (uint32_t n = t->root; n != LW_NO_NODE; n = lw_tree_next(t, t->root, n, false)) {
        check_node(t, n);
        seen++;
    }
    INVARIANT(seen == t->nodes.n);
    check_errors(&t->lexed);
}

#endif
