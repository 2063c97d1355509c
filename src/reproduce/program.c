#include "reproduce/program.h"

#include <stdarg.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

void rp_program_init(struct rp_program *p, struct lw_arena *arena, const lw_report *report,
                     const struct rp_tables *tables, unsigned skip)
{
    *p = (struct rp_program){
        .mem = arena->mem, .arena = arena, .report = report, .tables = tables, .skip = skip};
    lw_tree_init(&p->tree, p->mem);
    lw_names_init(&p->names, p->mem);
}

void rp_program_release(struct rp_program *p)
{
    lw_vec_release(p->mem, &p->edits);
    lw_vec_release(p->mem, &p->repairs);
    lw_names_release(&p->names);
    lw_tree_release(&p->tree);
}

int rp_program_parse(struct rp_program *p, struct lw_str body, struct lw_err *err)
{
    p->body = body;
    p->edits.n = 0;
    int rc = lw_tree_parse(&p->tree, body, err);
    return rc < 0 ? rc : lw_names_build(&p->names, &p->tree, err);
}

bool rp_wants(const struct rp_program *p, enum lw_action action)
{
    return !(p->skip & 1u << action);
}

static void add_edit(struct rp_program *p, struct rp_edit edit)
{
    if (!p->failed && rp_wants(p, edit.step.action))
        p->failed = lw_vec_push(p->mem, &p->edits, edit);
}

void rp_replace(struct rp_program *p, uint32_t start, uint32_t end, struct lw_str text,
                struct lw_step step)
{
    add_edit(p, (struct rp_edit){start, end, text, RP_FIRST_VALUES, step});
}

void rp_insert(struct rp_program *p, uint32_t at, unsigned order, struct lw_str text,
               struct lw_step step)
{
    add_edit(p, (struct rp_edit){at, at, text, order, step});
}

struct lw_str rp_printf(struct rp_program *p, const char *fmt, ...)
{
    struct lw_buf text;
    va_list args;
    lw_buf_init(&text, p->mem, 0);
    va_start(args, fmt);
    lw_buf_vaddf(&text, fmt, args);
    va_end(args);
    struct lw_str copy = lw_arena_copy(p->arena, lw_buf_str(&text));
    if (text.failed || !copy.p)
        p->failed = LW_ENOMEM;
    lw_buf_release(&text);
    return copy.p ? copy : LW_S("");
}

uint32_t rp_top_statement(const struct lw_tree *t, uint32_t node)
{
    while (node != LW_NO_NODE && lw_tree_parent(t, node) != t->root)
        node = lw_tree_parent(t, node);
    return node;
}

uint32_t rp_statement_start(const struct lw_tree *t, uint32_t statement)
{
    uint32_t at = lw_tree_start(t, statement);
    while (at > 0 && (t->lexed.text.p[at - 1] == ' ' || t->lexed.text.p[at - 1] == '\t'))
        at--;
    return at;
}

uint32_t rp_statement_end(const struct rp_program *p, uint32_t statement)
{
    uint32_t at = lw_tree_end(&p->tree, statement);
    while (at < p->body.n && p->body.p[at] != '\n')
        at++;
    return at < p->body.n ? at + 1 : at;
}

static bool is_heading(const struct lw_tree *t, uint32_t statement)
{
    enum lw_node_kind kind = lw_tree_kind(t, statement);
    if (kind == LW_NODE_EXPR)
        return lw_tree_kind(t, lw_tree_get(t, statement, LW_ROLE_VALUE)) == LW_NODE_STRING;
    return kind == LW_NODE_IMPORT || kind == LW_NODE_IMPORT_FROM;
}

uint32_t rp_after_imports(const struct rp_program *p)
{
    const struct lw_tree *t = &p->tree;
    uint32_t at = 0, s = LW_NO_NODE;
    while ((s = lw_tree_each(t, t->root, LW_ROLE_BODY, s)) != LW_NO_NODE && is_heading(t, s))
        at = rp_statement_end(p, s);
    return at;
}

static bool is_behind(const struct rp_edit *a, const struct rp_edit *b)
{
    return a->start != b->start ? a->start > b->start : a->order > b->order;
}

/* By place and order; else they stay in the order in which they were made. */
static void sort_edits(struct rp_edit *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct rp_edit e = v[i];
        size_t k = i;
        for (; k > 0 && is_behind(&v[k - 1], &e); k--)
            v[k] = v[k - 1];
        v[k] = e;
    }
}

static uint32_t lines_in(struct lw_str text)
{
    uint32_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    return n;
}

/* Lines of the body move down by what is inserted before them. */
static void move_repairs(struct rp_program *p, const struct rp_edit *e, uint32_t first)
{
    uint32_t body_line = lines_in(lw_str_part(p->body, 0, e->start)) + 1;
    for (size_t i = 0; i < p->repairs.n; i++)
        if (p->repairs.v[i].line >= body_line)
            p->repairs.v[i].shift = first;
}

struct lw_str rp_render(struct rp_program *p)
{
    struct lw_buf out;
    uint32_t at = 0, line = 1, added = 0;
    lw_buf_init(&out, p->mem, 0);
    sort_edits(p->edits.v, p->edits.n);
    for (size_t i = 0; i < p->repairs.n; i++)
        p->repairs.v[i].shift = 0;
    for (size_t i = 0; i < p->edits.n; i++) {
        struct rp_edit *e = &p->edits.v[i];
        if (e->start < at)
            continue; /* what it would change has gone */
        struct lw_str kept = lw_str_part(p->body, at, e->start - at);
        struct lw_str gone = lw_str_part(p->body, e->start, e->end - e->start);
        lw_buf_add(&out, kept);
        line += lines_in(kept);
        if (e->start == p->body.n && out.n > 0 && out.p[out.n - 1] != '\n') {
            lw_buf_add_char(&out, '\n');
            line++;
        }
        e->step.line = line;
        for (size_t k = 0; k < e->text.n && e->text.p[k] == '\n'; k++)
            e->step.line++;
        lw_buf_add(&out, e->text);
        line += lines_in(e->text);
        added += lines_in(e->text) - lines_in(gone);
        move_repairs(p, e, added);
        at = e->end;
    }
    lw_buf_add(&out, lw_str_from(p->body, at));
    struct lw_str text = lw_arena_copy(p->arena, lw_buf_str(&out));
    if (out.failed || !text.p)
        p->failed = LW_ENOMEM;
    lw_buf_release(&out);
    return text.p ? text : LW_S("");
}

int rp_settle(struct rp_program *p, struct lw_err *err)
{
    struct lw_str body = rp_render(p);
    for (size_t i = 0; i < p->repairs.n; i++)
        p->repairs.v[i].line += p->repairs.v[i].shift;
    for (size_t i = 0; i < p->edits.n && !p->failed; i++)
        p->failed = lw_vec_push(p->mem, &p->repairs, p->edits.v[i].step);
    return p->failed ? lw_err_nomem(err) : rp_program_parse(p, body, err);
}

int rp_restart(struct rp_program *p, struct lw_err *err)
{
    p->repairs.n = p->snippet_repairs;
    return rp_program_parse(p, p->snippet, err);
}
