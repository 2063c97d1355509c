#include "reproduce/minimize.h"

#include "base/err.h"
#include "base/str.h"
#include "reproduce/needs.h"

enum { DEPTH_MAX = 40, PASSES_MAX = 4 };

struct shrink {
    struct rp_program *p; /* its tree is that of `text` at the start of a pass */
    struct lw_str text;
    size_t unbound; /* names that the program had unbound from the start */
    rp_still_fn still;
    void *data;
    bool changed, stop;
    struct lw_err *err;
    int rc;
};

/* ---- Candidates ---------------------------------------------------------------------------
 */

static struct lw_str without(struct shrink *s, uint32_t start, uint32_t end,
                             const char *instead)
{
    return rp_printf(s->p, "%.*s%s%.*s", LW_F(lw_str_part(s->text, 0, start)), instead,
                     LW_F(lw_str_from(s->text, end)));
}

/* Names that nothing binds; SIZE_MAX: it does not parse. */
static size_t count_unbound(struct shrink *s, struct lw_str text)
{
    struct rp_program q;
    struct rp_need *needs = lw_arena_array(s->p->arena, RP_NEEDS_MAX, sizeof *needs);
    rp_program_init(&q, s->p->arena, s->p->report, s->p->tables, 0);
    size_t n = SIZE_MAX;
    if (!needs)
        s->rc = lw_err_nomem(s->err);
    else if ((s->rc = rp_program_parse(&q, text, s->err)) == 0 && q.tree.lexed.errors.n == 0)
        n = rp_needs_find(&q, needs, RP_NEEDS_MAX);
    rp_program_release(&q);
    return n;
}

/* Takes the candidate if the failure remains. */
static bool try_text(struct shrink *s, struct lw_str text)
{
    bool still = false;
    if (s->stop || s->rc < 0 || s->p->failed)
        return false;
    if (count_unbound(s, text) > s->unbound || s->rc < 0)
        return false;
    s->rc = s->still(s->data, text, &still, &s->stop, s->err);
    if (s->rc == 0 && still) {
        s->text = text;
        s->changed = true;
    }
    return s->rc == 0 && still;
}

/* ---- Statements ---------------------------------------------------------------------------
 */

static uint32_t line_end(struct lw_str text, uint32_t at)
{
    while (at < text.n && text.p[at] != '\n')
        at++;
    return at < text.n ? at + 1 : at;
}

static bool is_block_role(enum lw_role role)
{
    return role == LW_ROLE_BODY || role == LW_ROLE_ORELSE || role == LW_ROLE_FINALBODY;
}

static void shrink_blocks(struct shrink *s, uint32_t node, int depth);

/* The statement with its children; what is behind it in the text is already done. */
static void shrink_statement(struct shrink *s, uint32_t node, bool alone, int depth)
{
    const struct lw_tree *t = &s->p->tree;
    uint32_t start = rp_statement_start(t, node);
    uint32_t end = line_end(s->text, lw_tree_end(t, node));
    if (lw_tree_kind(t, node) == LW_NODE_PASS)
        return;
    int indent = (int)(lw_tree_start(t, node) - start);
    struct lw_str pass = rp_printf(s->p, "%*spass\n", indent, "");
    if (!try_text(s, without(s, start, end, alone ? pass.p : "")))
        shrink_blocks(s, node, depth + 1);
}

/* The statements below a node, from the last to the first. */
static void shrink_blocks(struct shrink *s, uint32_t node, int depth)
{
    const struct lw_tree *t = &s->p->tree;
    const struct lw_node *n = lw_tree_node(t, node);
    if (depth > DEPTH_MAX)
        return;
    for (uint32_t i = n->count; i-- > 0 && !s->stop && s->rc == 0;) {
        uint32_t child = n->child + i;
        enum lw_role role = (enum lw_role)lw_tree_node(t, child)->role;
        if (lw_node_is_statement(lw_tree_kind(t, child)))
            shrink_statement(s, child,
                             is_block_role(role) && node != t->root &&
                                 lw_tree_count(t, node, role) == 1,
                             depth);
        else
            shrink_blocks(s, child, depth + 1);
    }
}

/* ---- Arguments and numbers ----------------------------------------------------------------
 */

/* With the comma before or behind it. */
static void drop_part(struct shrink *s, uint32_t node)
{
    const struct lw_tree *t = &s->p->tree;
    uint32_t start = lw_tree_start(t, node), end = lw_tree_end(t, node);
    uint32_t before = start, behind = end;
    while (before > 0 && (s->text.p[before - 1] == ' ' || s->text.p[before - 1] == '\n'))
        before--;
    while (behind < s->text.n && (s->text.p[behind] == ' ' || s->text.p[behind] == '\n'))
        behind++;
    if (before > 0 && s->text.p[before - 1] == ',')
        start = before - 1;
    else if (behind < s->text.n && s->text.p[behind] == ',')
        end = behind + 1;
    (void)try_text(s, without(s, start, end, ""));
}

static void shrink_number(struct shrink *s, uint32_t node)
{
    const struct lw_tree *t = &s->p->tree;
    uint32_t start = lw_tree_start(t, node), end = lw_tree_end(t, node);
    struct lw_str text = lw_tree_text(t, node);
    if (text.n < 2 || lw_str_find_char(text, '.') >= 0 || lw_str_find_char(text, 'e') >= 0)
        return;
    (void)try_text(s, without(s, start, end, "2"));
}

static bool is_row_of_layers(const struct lw_tree *t, uint32_t call)
{
    return lw_tree_kind(t, call) == LW_NODE_CALL && lw_tree_count(t, call, LW_ROLE_ARGS) > 1 &&
           lw_str_eq(rp_callee(t, call), LW_S("Sequential"));
}

static void shrink_parts(struct shrink *s)
{
    const struct lw_tree *t = &s->p->tree;
    /* From the end of the text on: what stands before does not move. */
    uint32_t last = (uint32_t)s->text.n;
    while (!s->stop && s->rc == 0) {
        uint32_t best = LW_NO_NODE;
        for (uint32_t n = 0; n < t->nodes.n; n++) {
            enum lw_node_kind kind = lw_tree_kind(t, n);
            bool layer = (enum lw_role)lw_tree_node(t, n)->role == LW_ROLE_ARGS &&
                         is_row_of_layers(t, lw_tree_parent(t, n));
            if ((kind == LW_NODE_KEYWORD || kind == LW_NODE_NUMBER || layer) &&
                lw_tree_end(t, n) <= last &&
                (best == LW_NO_NODE || lw_tree_end(t, n) > lw_tree_end(t, best)))
                best = n;
        }
        if (best == LW_NO_NODE)
            return;
        last = lw_tree_start(t, best);
        if (lw_tree_kind(t, best) == LW_NODE_NUMBER)
            shrink_number(s, best);
        else
            drop_part(s, best);
    }
}

/* ---- Comments -----------------------------------------------------------------------------
 */

static bool is_code(struct lw_str line)
{
    line = lw_str_trim(line);
    return line.n > 0 && line.p[0] != '#';
}

uint32_t rp_code_lines(struct lw_str text)
{
    uint32_t n = 0;
    struct lw_str line;
    while (lw_str_line(&text, &line))
        n += is_code(line);
    return n;
}

/* Lines that hold nothing but a comment. */
static void drop_comments(struct shrink *s)
{
    const struct lw_lexed *lx = &s->p->tree.lexed;
    for (size_t i = lx->trivia.n; i-- > 0;) {
        uint32_t start = lx->trivia.v[i].start;
        if (lx->trivia.v[i].kind != LW_TRIVIA_COMMENT)
            continue;
        while (start > 0 && (s->text.p[start - 1] == ' ' || s->text.p[start - 1] == '\t'))
            start--;
        if (start == 0 || s->text.p[start - 1] == '\n')
            s->text = without(s, start, line_end(s->text, lx->trivia.v[i].end), "");
    }
}

/* ---- The whole ----------------------------------------------------------------------------
 */

static int parse(struct shrink *s)
{
    return s->rc < 0 ? s->rc : (s->rc = rp_program_parse(s->p, s->text, s->err));
}

int rp_minimize(struct rp_program *p, struct lw_str *text, rp_still_fn still, void *data,
                struct lw_err *err)
{
    struct shrink s = {.p = p, .text = *text, .still = still, .data = data, .err = err};
    s.unbound = count_unbound(&s, s.text);
    for (int pass = 0; pass < PASSES_MAX && !s.stop && parse(&s) == 0; pass++) {
        s.changed = false;
        shrink_blocks(&s, p->tree.root, 0);
        if (!s.changed)
            break;
    }
    if (parse(&s) == 0 && !s.stop)
        shrink_parts(&s);
    if (parse(&s) == 0)
        drop_comments(&s);
    *text = s.text;
    return s.rc == 0 && p->failed ? lw_err_nomem(err) : s.rc;
}
