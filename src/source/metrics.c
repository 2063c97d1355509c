#include "source/metrics.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"

enum { LINE_CODE = 1, LINE_COMMENT = 2 };

typedef LW_VEC(uint8_t) line_flags; /* by line, from index 1 */

struct halstead {
    struct lw_map names;    /* names and attributes */
    struct lw_map literals; /* as they are written */
    bool seen[LW_OP_COUNT];
    uint32_t compound; /* operands that are neither */
};

/* ---- Lines ------------------------------------------------------------------------------ */

static void mark_lines(line_flags *lines, struct lw_tree *t, uint32_t start, uint32_t end,
                       uint8_t flag)
{
    uint32_t from = lw_tree_position(t, start).line;
    uint32_t to = end > start ? lw_tree_position(t, end - 1).line : from;
    for (uint32_t i = from; i <= to && i < lines->n; i++)
        lines->v[i] |= flag;
}

static int flag_lines(line_flags *lines, struct lw_mem *mem, struct lw_tree *t)
{
    const struct lw_lexed *lx = &t->lexed;
    uint32_t last = lw_tree_position(t, (uint32_t)lx->text.n).line;
    if (lw_vec_reserve(mem, lines, (size_t)last + 2) < 0)
        return LW_ENOMEM;
    lines->n = (size_t)last + 1;
    memset(lines->v, 0, lines->n);
    for (size_t i = 0; i < lx->tokens.n; i++)
        if (lx->tokens.v[i].kind > LW_TOK_DEDENT)
            mark_lines(lines, t, lx->tokens.v[i].start, lx->tokens.v[i].end, LINE_CODE);
    for (size_t i = 0; i < lx->trivia.n; i++)
        if (lx->trivia.v[i].kind == LW_TRIVIA_COMMENT)
            mark_lines(lines, t, lx->trivia.v[i].start, lx->trivia.v[i].end, LINE_COMMENT);
    return 0;
}

static void count_lines(struct lw_metrics *m, const line_flags *lines, uint32_t from,
                        uint32_t to)
{
    m->lines = to >= from ? to - from + 1 : 0;
    for (uint32_t i = from; i <= to && i < lines->n; i++) {
        m->code_lines += (lines->v[i] & LINE_CODE) != 0;
        m->comment_lines += (lines->v[i] & LINE_COMMENT) != 0;
        m->blank_lines += lines->v[i] == 0;
    }
}

/* ---- Branches --------------------------------------------------------------------------- */

static uint32_t branches(const struct lw_tree *t, uint32_t node)
{
    switch (lw_tree_kind(t, node)) {
    case LW_NODE_IF:
    case LW_NODE_ELIF:
    case LW_NODE_FOR:
    case LW_NODE_WHILE:
    case LW_NODE_HANDLER:
    case LW_NODE_ASSERT:
    case LW_NODE_CASE:
    case LW_NODE_IF_EXP: return 1;
    case LW_NODE_COMPREHENSION: return 1 + lw_tree_count(t, node, LW_ROLE_IFS);
    case LW_NODE_BOOL_OP: return lw_tree_node(t, node)->count - 1;
    default: return 0;
    }
}

/* ---- Halstead --------------------------------------------------------------------------- */

static int operand(struct halstead *h, struct lw_metrics *m, const struct lw_tree *t,
                   uint32_t node)
{
    struct lw_map *map = NULL;
    struct lw_str key = {"", 0};
    m->operands++;
    switch (lw_tree_kind(t, node)) {
    case LW_NODE_NAME:
    case LW_NODE_ATTRIBUTE:
        map = &h->names;
        key = lw_tree_name(t, node);
        break;
    case LW_NODE_NUMBER:
    case LW_NODE_STRING:
    case LW_NODE_CONSTANT:
        map = &h->literals;
        key = lw_tree_text(t, node);
        break;
    default: h->compound++; return 0;
    }
    return lw_map_put(map, key, NULL) ? 0 : LW_ENOMEM;
}

static int operation(struct halstead *h, struct lw_metrics *m, const struct lw_tree *t,
                     uint32_t node)
{
    const struct lw_node *n = lw_tree_node(t, node);
    bool compare = n->kind == LW_NODE_COMPARE;
    if (!compare && n->kind != LW_NODE_BIN_OP && n->kind != LW_NODE_UNARY_OP &&
        n->kind != LW_NODE_BOOL_OP && n->kind != LW_NODE_AUG_ASSIGN)
        return 0;
    if (!compare) {
        m->operators++;
        h->seen[n->op] = true;
    }
    for (uint32_t c = n->child; c < n->child + n->count; c++) {
        const struct lw_node *child = lw_tree_node(t, c);
        if (child->kind == LW_NODE_CMPOP) {
            m->operators++;
            h->seen[child->op] = true;
        } else if (operand(h, m, t, c) < 0) {
            return LW_ENOMEM;
        }
    }
    return 0;
}

static void finish(struct lw_metrics *m, const struct halstead *h)
{
    for (size_t i = 0; i < LW_OP_COUNT; i++)
        m->distinct_operators += h->seen[i];
    m->distinct_operands = (uint32_t)(h->names.n + h->literals.n) + h->compound;
    uint32_t vocabulary = m->distinct_operators + m->distinct_operands;
    if (vocabulary > 0)
        m->volume = (double)(m->operators + m->operands) * log2((double)vocabulary);
    if (m->distinct_operands > 0)
        m->difficulty = (double)m->distinct_operators / 2 *
                        ((double)m->operands / (double)m->distinct_operands);
    m->effort = m->volume * m->difficulty;
    m->maintainability = 100;
    if (m->volume <= 0 || m->code_lines == 0)
        return;
    double percent = 100.0 * m->comment_lines / m->code_lines;
    double index = 171 - 5.2 * log(m->volume) - 0.23 * m->cyclomatic -
                   16.2 * log((double)m->code_lines) +
                   50 * sin(sqrt(2.46 * (percent * M_PI / 180)));
    m->maintainability = fmin(fmax(index * 100 / 171, 0), 100);
}

/* ---- Rows ------------------------------------------------------------------------------- */

static bool is_definition(const struct lw_tree *t, uint32_t node)
{
    return lw_tree_kind(t, node) == LW_NODE_FUNCTION || lw_tree_kind(t, node) == LW_NODE_CLASS;
}

static int measure(struct lw_metrics *m, struct halstead *h, const struct lw_tree *t)
{
    lw_map_clear(&h->names);
    lw_map_clear(&h->literals);
    memset(h->seen, 0, sizeof h->seen);
    h->compound = 0;
    m->cyclomatic = 1;
    uint32_t n = m->node;
    while (n != LW_NO_NODE) {
        bool skip = n != m->node && m->node != t->root && is_definition(t, n);
        if (!skip) {
            m->cyclomatic += branches(t, n);
            if (operation(h, m, t, n) < 0)
                return LW_ENOMEM;
        }
        n = lw_tree_next(t, m->node, n, skip);
    }
    finish(m, h);
    return 0;
}

static int add_row(lw_metrics_vec *out, struct lw_mem *mem, struct lw_tree *t, uint32_t node,
                   const line_flags *lines, struct halstead *h)
{
    struct lw_metrics m = {.node = node};
    uint32_t end = lw_tree_end(t, node), start = lw_tree_start(t, node);
    uint32_t last = end > start ? lw_tree_position(t, end - 1).line : 0;
    count_lines(&m, lines, lw_tree_position(t, start).line, last);
    if (measure(&m, h, t) < 0)
        return LW_ENOMEM;
    return lw_vec_push(mem, out, m);
}

int lw_metrics_build(lw_metrics_vec *out, struct lw_mem *mem, struct lw_tree *t,
                     struct lw_err *err)
{
    line_flags lines = {0};
    struct halstead h = {0};
    lw_map_init(&h.names, mem);
    lw_map_init(&h.literals, mem);
    int rc = flag_lines(&lines, mem, t);
    for (uint32_t n = t->root; rc == 0 && n != LW_NO_NODE;
         n = lw_tree_next(t, t->root, n, false))
        if (n == t->root || lw_tree_kind(t, n) == LW_NODE_FUNCTION)
            rc = add_row(out, mem, t, n, &lines, &h);
    lw_map_release(&h.names);
    lw_map_release(&h.literals);
    lw_vec_release(mem, &lines);
    return rc < 0 ? lw_err_nomem(err) : 0;
}
