/* Labels and life of a tree difference. */
#include "base/err.h"
#include "base/str.h"
#include "source/treediff_internal.h"

uint64_t treediff_mix(uint64_t h, uint64_t x)
{
    h ^= x + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    return h ^ h >> 29;
}

bool treediff_is_word(const struct lw_tree *t, const struct lw_node *n, uint32_t token)
{
    uint8_t k = t->lexed.tokens.v[token].kind;
    switch (k) {
    case LW_TOK_EOF:
    case LW_TOK_NEWLINE:
    case LW_TOK_INDENT:
    case LW_TOK_DEDENT: return false;
    case LW_TOK_LPAREN:
    case LW_TOK_LBRACKET:
    case LW_TOK_LBRACE:
    case LW_TOK_RPAREN:
    case LW_TOK_RBRACKET:
    case LW_TOK_RBRACE:
    case LW_TOK_COLON:
    case LW_TOK_COMMA:
    case LW_TOK_SEMI:
    case LW_TOK_ARROW:
    case LW_TOK_WALRUS:
    case LW_TOK_BACKTICK:
    case LW_TOK_ASSIGN: return n->kind == LW_NODE_ERROR || n->kind == LW_NODE_MAGIC;
    case LW_TOK_AT:
        if (n->kind == LW_NODE_FUNCTION || n->kind == LW_NODE_CLASS)
            return false; /* of a decorator */
        break;
    default: break;
    }
    if (!lw_token_is_keyword((enum lw_token_kind)k) || n->kind == LW_NODE_ERROR)
        return true;
    /* A keyword is what the kind says already, but for True, None, `as` and words used as
     * names. */
    return n->count == 0 && n->kind > LW_NODE_ERROR && k != LW_TOK_YIELD;
}

uint32_t lw_own_token(const struct lw_tree *t, uint32_t node, struct lw_own_walk *w)
{
    const struct lw_node *n = lw_tree_node(t, node);
    if (n->flags & LW_NODE_EMPTY)
        return LW_NO_TOKEN;
    while (n->first + w->token <= n->last) {
        uint32_t token = n->first + w->token;
        const struct lw_node *c = &t->nodes.v[n->child + w->child];
        if (w->child < n->count && (c->flags & LW_NODE_EMPTY)) {
            w->child++;
        } else if (w->child < n->count && token == c->first) {
            w->child++;
            w->token = c->last + 1 - n->first;
        } else {
            w->token++;
            return token;
        }
    }
    return LW_NO_TOKEN;
}

static void label_words(const struct lw_tree *t, uint32_t node, struct lw_label *l,
                        uint64_t *words)
{
    const struct lw_node *n = lw_tree_node(t, node);
    struct lw_own_walk w = {0};
    for (uint32_t i; (i = lw_own_token(t, node, &w)) != LW_NO_TOKEN;) {
        l->tokens += t->lexed.tokens.v[i].kind > LW_TOK_DEDENT;
        if (!treediff_is_word(t, n, i))
            continue;
        words[i] = lw_str_hash(lw_tree_token_text(t, i)) | 1;
        l->hash = treediff_mix(l->hash, words[i]);
    }
}

static void label_node(const struct lw_tree *t, struct lw_label *labels, uint32_t node,
                       uint64_t *words)
{
    const struct lw_node *n = lw_tree_node(t, node);
    struct lw_label *l = &labels[node];
    unsigned flags = n->flags & (LW_NODE_ASYNC | LW_NODE_MARK | LW_NODE_EMPTY);
    l->hash = treediff_mix(0x6c616365u, (uint64_t)n->kind << 16 | (uint64_t)n->op << 8 | flags);
    l->size = 1;
    l->tokens = 0;
    label_words(t, node, l, words);
    l->tree = l->hash;
    for (uint32_t c = n->child; c < n->child + n->count; c++) {
        l->tree = treediff_mix(treediff_mix(l->tree, t->nodes.v[c].role), labels[c].tree);
        l->size += labels[c].size;
    }
}

struct lw_label *treediff_labels(struct lw_arena *arena, const struct lw_tree *t,
                                 uint64_t **words)
{
    size_t n = t->nodes.n;
    struct lw_label *labels = lw_arena_array(arena, n, sizeof *labels);
    uint32_t *order = lw_arena_array(arena, n, sizeof *order);
    uint32_t count = 0;
    *words = lw_arena_array(arena, t->lexed.tokens.n, sizeof **words);
    if (!labels || !order || !*words)
        return NULL;
    for (uint32_t i = t->root; i != LW_NO_NODE; i = lw_tree_next(t, t->root, i, false)) {
        labels[i].order = count;
        order[count++] = i;
    }
    for (uint32_t i = count; i-- > 0;)
        label_node(t, labels, order[i], *words);
    return labels;
}

void lw_treediff_init(struct lw_treediff *d, struct lw_mem *mem)
{
    memset(d, 0, sizeof *d);
    d->mem = mem;
    lw_arena_init(&d->arena, mem, 0);
}

void lw_treediff_release(struct lw_treediff *d)
{
    lw_vec_release(d->mem, &d->edits);
    lw_arena_release(&d->arena);
}

static uint32_t *nothing(struct lw_arena *arena, size_t n)
{
    uint32_t *p = lw_arena_array(arena, n, sizeof *p);
    if (p)
        memset(p, 0xff, n * sizeof *p);
    return p;
}

int lw_treediff_build(struct lw_treediff *d, const struct lw_tree *old_tree,
                      const struct lw_tree *new_tree, struct lw_err *err)
{
    lw_arena_clear(&d->arena);
    d->edits.n = 0;
    d->work = 0;
    d->coarse = false;
    d->old_tree = old_tree;
    d->new_tree = new_tree;
    d->old_label = treediff_labels(&d->arena, old_tree, &d->old_words);
    d->new_label = treediff_labels(&d->arena, new_tree, &d->new_words);
    d->to_new = nothing(&d->arena, old_tree->nodes.n);
    d->to_old = nothing(&d->arena, new_tree->nodes.n);
    bool ok = d->old_label && d->new_label && d->to_new && d->to_old;
    if (!ok || treediff_match(d) < 0 || treediff_script(d) < 0)
        return lw_err_nomem(err);
    return 0;
}

uint64_t lw_treediff_size(const struct lw_treediff *d)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < d->edits.n; i++)
        sum += d->edits.v[i].tokens;
    return sum;
}

const char *lw_edit_kind_name(enum lw_edit_kind kind)
{
    static const char *const names[] = {"insert", "delete", "update", "move"};
    return names[kind];
}
