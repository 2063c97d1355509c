/* Events to rules, findings to the list. */
#include "check/rules/watch.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "check/fix/fix.h"
#include "check/rules/table.h"

/* ---- where a value comes from -------------------------------------------------------------
 */

/* What the reader can call it: its shape or value where that says something. */
static struct lw_str cause_name(struct ck *c, struct lw_value v)
{
    bool tensor = v.kind == LW_V_TENSOR;
    struct lw_str text = tensor ? ck_show_shape(c, &v.tensor->shape) : ck_show(c, v);
    /* sizes that are minima of minima help nobody */
    bool empty = text.n > 30 && (lw_str_find(text, LW_S("max(")) != LW_NPOS ||
                                 lw_str_find(text, LW_S("min(")) != LW_NPOS);
    bool said = false;
    for (size_t i = 0; i < text.n; i++)
        said |= strchr("?.,()[] ", text.p[i]) == NULL;
    if (said && !empty)
        return text;
    if (tensor && v.tensor->shape.n == 0 && v.tensor->shape.gap < 0)
        return LW_S("the scalar");
    return ck_text(c, "the %s", tensor ? "tensor" : ck_kind_name(c, v));
}

/* "(32, 10) comes from line 14", and what that was made of; not what is in the line `here`,
 * which is printed anyway. */
static void add_cause(struct ck *c, struct lw_buf *b, struct lw_value v,
                      const struct ck_file *from, uint32_t here)
{
    uint32_t last = here;
    for (unsigned i = 0; i < 4; i++) {
        const struct ck_origin *o = ck_origin_of(c, v);
        uint32_t place = o ? o->place : v.kind == LW_V_TENSOR ? v.tensor->line : v.line;
        if (!place)
            return;
        if (place != last && place != here) {
            if (b->n)
                lw_buf_add_char(b, '\n');
            lw_buf_addf(b, "%.*s comes from ", LW_F(cause_name(c, v)));
            ck_add_place(c, b, from, place);
        }
        last = place;
        if (!o || o->in_count == 0 || o->in[0].kind != LW_V_TENSOR)
            return;
        v = o->in[0];
    }
}

static void add_calls(struct ck *c, struct lw_buf *b, const struct ck_file *from)
{
    unsigned n = 0;
    for (const struct ck_frame *f = c->frame; f && n < 4; f = f->up)
        if (f->function && f->call_place) {
            if (b->n)
                lw_buf_add_char(b, '\n');
            lw_buf_addf(b, "in %.*s(), called from ", LW_F(f->function->name));
            ck_add_place(c, b, from, f->call_place);
            n++;
        }
}

/* ---- reporting ----------------------------------------------------------------------------
 */

static bool first_time(struct ck *c, struct ck_file *f, uint32_t node, struct lw_str rule)
{
    bool is_new = false;
    struct lw_str key = ck_text(c, "%u:%u:%.*s", f->index, node, LW_F(rule));
    return lw_map_put(&c->watch->seen, key, &is_new) && is_new;
}

static void set_range(struct lw_finding *out, struct ck_file *f, uint32_t from, uint32_t to)
{
    struct lw_position a = lw_tree_position(&f->tree, from);
    struct lw_position b = lw_tree_position(&f->tree, to);
    out->line = a.line;
    out->column = a.column;
    out->end_line = b.line;
    out->end_column = b.column;
    uint32_t line;
    const struct lw_cell *cell = f->source.notebook.cell_count
                                     ? lw_notebook_locate(&f->source.notebook, a.line, &line)
                                     : NULL;
    if (cell) {
        out->cell = cell->number;
        out->end_line = out->end_line - a.line + line;
        out->line = line;
    }
}

/* The text of a line, without what it is indented by. */
static struct lw_finding_range line_range(const struct lw_tree *t, uint32_t line)
{
    uint32_t from = t->lines.v[line - 1];
    uint32_t to = line < t->lines.n ? t->lines.v[line] : (uint32_t)t->lexed.text.n;
    struct lw_str text = lw_str_part(t->lexed.text, from, to - from), code = lw_str_trim(text);
    uint32_t column = (uint32_t)(code.p - text.p);
    return (struct lw_finding_range){line, column, line, column + (uint32_t)code.n};
}

/* Do both lines stand in one cell of a notebook, or in a plain file? */
static bool is_one_cell(const struct ck_file *f, uint32_t a, uint32_t b, uint32_t *inside)
{
    const struct lw_notebook *nb = &f->source.notebook;
    uint32_t other;
    *inside = a;
    return !nb->cell_count ||
           lw_notebook_locate(nb, a, inside) == lw_notebook_locate(nb, b, &other);
}

/* Shows the finding at the line of its cause; false: it stands there, or has been shown. */
static bool move_to_cause(struct ck *c, struct ck_file *f, uint32_t node,
                          struct lw_finding *out)
{
    uint32_t place = c->watch->blamed, line = place & CK_PLACE_LINE, inside;
    uint32_t here = ck_file_place(f, node) & CK_PLACE_LINE;
    if (!place || place >> 24 != (f->index & 0x7f) || line == here || line > f->tree.lines.n ||
        !is_one_cell(f, line, here, &inside))
        return true;
    bool is_new = false;
    struct lw_str key = ck_text(c, "%u:line %u:%.*s", f->index, line, LW_F(out->rule));
    if (!lw_map_put(&c->watch->seen, key, &is_new) || !is_new)
        return false;
    out->related =
        (struct lw_finding_range){out->line, out->column, out->end_line, out->end_column};
    struct lw_finding_range at = line_range(&f->tree, line);
    out->line = out->end_line = inside;
    out->column = at.column;
    out->end_column = at.end_column;
    return true;
}

/* ---- tests that may exclude each other ----------------------------------------------------
 */

/* Was the value, and all it was made of, made by the function that is being run? */
static bool is_made_here(struct ck *c, struct lw_value v, unsigned depth)
{
    const struct ck_frame *f = c->frame;
    const struct ck_origin *o = ck_origin_of(c, v);
    uint32_t place = o ? o->place : v.kind == LW_V_TENSOR ? v.tensor->line : v.line;
    uint32_t first = ck_file_place(f->file, f->function->node);
    struct lw_position end =
        lw_tree_position(&f->file->tree, lw_tree_end(&f->file->tree, f->function->node));
    if (place < first || place > (first & ~(uint32_t)CK_PLACE_LINE) + end.line)
        return false;
    for (uint32_t i = 0; o && depth < 8 && i < o->in_count; i++)
        if (o->in[i].kind == LW_V_TENSOR && !is_made_here(c, o->in[i], depth + 1))
            return false;
    return true;
}

/* Inside a test without an answer, or behind one that a way out of the function depends on. */
static bool is_tested(const struct ck_frame *f)
{
    return f->uncertain > f->looping || f->exit_count;
}

/* `if residual: mix(a)`, and in mix() `if not residual: a @ b`: where a test without an answer
 * stands around the call, and another one in the function, values from the caller may never
 * come here. */
static bool may_be_excluded(struct ck *c, struct lw_str rule, const struct lw_value *causes,
                            size_t n)
{
    const struct ck_frame *f = c->frame;
    if ((!lw_str_has_prefix(rule, LW_S("shape/")) && !lw_str_has_prefix(rule, LW_S("type/"))) ||
        !f || !f->function || f->file != f->function->file || !is_tested(f))
        return false;
    bool outside = false;
    for (const struct ck_frame *up = f->up; up && !outside; up = up->up)
        outside = is_tested(up);
    size_t here = 0;
    for (size_t i = 0; outside && i < n; i++) {
        if (causes[i].kind == LW_V_STR)
            continue; /* the pattern of an einsum */
        if (!is_made_here(c, causes[i], 0))
            return true;
        here++;
    }
    return outside && here == 0;
}

/* ---- excuses that the table of rules lists ------------------------------------------------
 */

/* Does the program show one of these? */
static bool shows_one(const struct ck *c, const struct lw_check_evidence *e)
{
    for (bool all = true; e && e->question; e++) {
        all &= ck_shows(c, e->question);
        if (all && !e->and_next)
            return true;
        all = all || !e->and_next;
    }
    return false;
}

static bool is_excused(const struct ck *c, const struct lw_check_rule *info)
{
    return info && (shows_one(c, info->excused_by) ||
                    (info->only_with && !shows_one(c, info->only_with)));
}

bool ck_may_find(const struct ck *c, const char *rule)
{
    const struct watch_plan *plan = c->watch->plan;
    return watch_wants(plan, lw_str(rule)) &&
           !is_excused(c, lw_check_rule_find(plan->rules, lw_str(rule)));
}

/* ---- one finding --------------------------------------------------------------------------
 */

static void add_finding(struct ck *c, struct ck_file *f, uint32_t node, struct lw_str rule,
                        const enum lw_severity *severity, const struct lw_value *causes,
                        size_t n, struct lw_str message)
{
    const struct lw_check_rule *info = lw_check_rule_find(c->watch->plan->rules, rule);
    enum lw_severity most = info ? info->severity : LW_SEVERITY_WARNING;
    if (severity && (!info || *severity < most))
        most = *severity;
    if (c->quiet || node == LW_NO_NODE || !f || node >= f->tree.nodes.n || !message.p ||
        !watch_wants(c->watch->plan, rule) || is_excused(c, info) ||
        (c->ways.probing && !ways_may_report(c, rule, most)) ||
        may_be_excluded(c, rule, causes, n) || !first_time(c, f, node, rule))
        return;
    ptrdiff_t slash = lw_str_find_char(rule, '/');
    struct lw_finding out = {.tool = LW_S("lacewing-check"),
                             .rule = lw_arena_copy(c->arena, rule),
                             .path = f->path,
                             .message = lw_arena_copy(c->arena, message),
                             .confidence = 0.9};
    out.category = slash < 0 ? rule : lw_str_part(out.rule, 0, (size_t)slash);
    out.severity = most;
    if (c->ways.probing) {
        out.severity = LW_SEVERITY_WARNING;
        out.message = ck_text(c, "%.*s%.*s", LW_F(message), LW_F(c->ways.note));
    }
    if (out.severity == LW_SEVERITY_NOTE)
        out.confidence = 0.5;
    else if (out.severity == LW_SEVERITY_WARNING)
        out.confidence = 0.7;
    const struct ck_hint *hint = &c->watch->hint;
    set_range(&out, f, hint->to ? hint->from : lw_tree_start(&f->tree, node),
              hint->to ? hint->to : lw_tree_end(&f->tree, node));
    if (!move_to_cause(c, f, node, &out))
        return;
    struct lw_buf b;
    lw_buf_init(&b, c->mem, 1 << 16);
    if (out.related.line)
        lw_buf_addf(&b, "its effect is at line %u", out.related.line);
    for (size_t i = 0; i < n; i++)
        add_cause(c, &b, causes[i], f,
                  out.related.line ? c->watch->blamed : ck_file_place(f, node));
    add_calls(c, &b, f);
    out.detail = lw_arena_copy(c->arena, lw_buf_str(&b));
    lw_buf_release(&b);
    fix_maker *make = watch_fix_of(rule);
    if (make && !c->ways.probing) /* a fix for one way breaks the others */
        out.fix = fix_make(make, c, f, node, out.rule, causes, n, &c->watch->hint);
    if (!out.message.p || !out.rule.p || lw_vec_push(c->mem, &c->watch->findings, out) < 0)
        c->stopped = true; /* a finding that says nothing helps nobody */
}

bool ck_is_told(struct ck *c, struct ck_file *file, uint32_t node, const char *ids)
{
    uint32_t top = lw_tree_enclosing(&file->tree, node, LW_NODE_FUNCTION);
    uint32_t around = top == LW_NO_NODE ? file->tree.root : top;
    uint32_t first = ck_file_place(file, around) & CK_PLACE_LINE;
    uint32_t last = lw_tree_position(&file->tree, lw_tree_end(&file->tree, around)).line;
    for (size_t i = 0; i < c->watch->findings.n; i++) {
        const struct lw_finding *f = &c->watch->findings.v[i];
        struct lw_str list = lw_str(ids), id;
        if (!lw_str_eq(f->path, file->path) || f->line < first || f->line > last)
            continue;
        while (lw_str_split(&list, ' ', &id))
            if (lw_str_eq(id, f->rule))
                return true;
    }
    return false;
}

void ck_blame(struct ck *c, uint32_t place)
{
    c->watch->blamed = place;
}

void ck_hint(struct ck *c, struct ck_hint hint)
{
    c->watch->hint = hint;
}

/* A rule that reports what another owns would be run or left out for the wrong reason. */
static bool is_owner(const struct ck_rule *r, struct lw_str id)
{
    struct lw_str ids = lw_str(r && r->ids ? r->ids : ""), piece;
    while (lw_str_split(&ids, ' ', &piece))
        if (lw_str_eq(piece, id) || lw_str_eq(piece, LW_S("*")))
            return true;
    return false;
}

static void report(struct ck *c, struct ck_file *f, uint32_t node, struct lw_str rule,
                   const enum lw_severity *severity, const struct lw_value *causes, size_t n,
                   struct lw_str message)
{
    LW_BUG_ON(!is_owner(c->watch->running, rule));
    add_finding(c, f, node, rule, severity, causes, n, message);
    c->watch->hint = (struct ck_hint){0};
    c->watch->blamed = 0;
}

static struct lw_str format(struct ck *c, const char *fmt, va_list args)
{
    char text[1024];
    int n = vsnprintf(text, sizeof text, fmt, args);
    size_t length = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    return lw_arena_copy(c->arena, lw_str_n(text, length));
}

void ck_find(struct ck *c, uint32_t node, const char *rule, const struct lw_value *causes,
             size_t n, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    struct lw_str message = format(c, fmt, args);
    va_end(args);
    report(c, c->frame ? c->frame->file : NULL, node, lw_str(rule), NULL, causes, n, message);
}

void ck_find_as(struct ck *c, uint32_t node, struct lw_str rule, enum lw_severity severity,
                const struct lw_value *causes, size_t n, struct lw_str message)
{
    report(c, c->frame ? c->frame->file : NULL, node, rule, &severity, causes, n, message);
}

void ck_find_at(struct ck *c, struct ck_file *file, uint32_t node, const char *rule,
                const struct lw_value *causes, size_t n, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    struct lw_str message = format(c, fmt, args);
    va_end(args);
    report(c, file, node, lw_str(rule), NULL, causes, n, message);
}

/* With --trace-values: what is known where a name is assigned. */
static void infer(struct ck *c, uint32_t target, struct lw_value v)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (!c->watch->plan->options->trace_values || c->ways.probing || v.kind != LW_V_TENSOR ||
        c->frame->file->index != 0 || lw_tree_kind(t, target) != LW_NODE_NAME)
        return;
    struct lw_buf b;
    lw_buf_init(&b, c->mem, 256);
    lw_dtypes_print(v.tensor->dtype, &b);
    struct lw_check_inferred one = {.name = lw_tree_name(t, target),
                                    .line = ck_place(c, target) & CK_PLACE_LINE,
                                    .shape = ck_show_shape(c, &v.tensor->shape),
                                    .dtype = lw_arena_copy(c->arena, lw_buf_str(&b))};
    lw_buf_release(&b);
    if (lw_vec_push(c->mem, &c->watch->inferred, one) < 0)
        c->stopped = true;
}

/* ---- events -------------------------------------------------------------------------------
 */

void watch_init(struct ck_watch *w, struct lw_mem *mem, const struct watch_plan *plan,
                struct watch_callees *callees)
{
    *w = (struct ck_watch){.plan = plan, .callees = callees};
    lw_map_init(&w->seen, mem);
}

void watch_release(struct ck_watch *w, struct lw_mem *mem)
{
    lw_map_release(&w->seen);
    lw_vec_release(mem, &w->findings);
    lw_vec_release(mem, &w->inferred);
}

/* Do all ids of a rule have an excuse? What the program shows is known when it has been run. */
static bool is_all_excused(const struct ck *c, const struct ck_rule *r)
{
    struct lw_str ids = lw_str(r->ids ? r->ids : "*"), id;
    while (lw_str_split(&ids, ' ', &id))
        if (!is_excused(c, lw_check_rule_find(c->watch->plan->rules, id)))
            return false;
    return true;
}

static void show(struct ck *c, const struct ck_rule *r, const struct ck_event *e)
{
    c->watch->running = r;
    if ((!c->ways.probing || r->pure) && (e->kind != CK_EV_END || !is_all_excused(c, r)))
        r->watch(c, e);
}

void watch_emit(struct ck *c, const struct ck_event *e)
{
    struct ck_watch *w = c->watch;
    const struct ck_rule *around = w->running; /* a rule that runs code makes events too */
    int bit = __builtin_ctzll(e->kind);
    const struct ck_rule *const *rules = w->plan->watchers + w->plan->begins[bit];
    size_t n = (size_t)(w->plan->begins[bit + 1] - w->plan->begins[bit]);
    if (e->kind == CK_EV_ASSIGN)
        infer(c, e->node, e->value);
    if (e->kind == CK_EV_CALL || e->kind == CK_EV_LAYER) {
        struct callees_set set = callees_wanted(w->callees, rules, n, e);
        for (size_t k = 0; k < CALLEES_MOST / 64; k++)
            for (uint64_t bits = set.bits[k]; bits; bits &= bits - 1)
                show(c, rules[k * 64 + (size_t)__builtin_ctzll(bits)], e);
    } else
        for (size_t i = 0; i < n; i++)
            show(c, rules[i], e);
    w->running = around;
}
