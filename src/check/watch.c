/* Events to rules, findings to the list. */
#include "check/watch.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "check/fix.h"

static const struct ck_rule *const all_rules[] = {
#define CK_RULE_TABLE(name) ck_rules_##name,
    CK_RULE_TABLES(CK_RULE_TABLE)
#undef CK_RULE_TABLE
};

/* Rules that look at one event and keep nothing: they may see what is only tried. */
static bool is_pure(const struct ck_rule *table)
{
    return table == ck_rules_shape || table == ck_rules_axes || table == ck_rules_type;
}

/* There are far more events than rules that ask for one of them. */
static void sort_by_event(struct ck_watch *w)
{
    size_t n = 0;
    for (unsigned bit = 0; bit < WATCH_EVENTS; bit++) {
        w->begins[bit] = (uint16_t)n;
        for (size_t k = 0; k < sizeof all_rules / sizeof *all_rules; k++)
            for (const struct ck_rule *r = all_rules[k]; r->events; r++)
                if (r->events & 1u << bit) {
                    LW_BUG_ON(n >= WATCH_MOST);
                    w->pure[n] = is_pure(all_rules[k]);
                    w->watchers[n++] = r->watch;
                }
    }
    w->begins[WATCH_EVENTS] = (uint16_t)n;
}

void watch_init(struct ck_watch *w, struct lw_mem *mem, const struct lw_check_rules *rules,
                const struct lw_check_options *options)
{
    *w = (struct ck_watch){.rules = rules, .options = options};
    lw_map_init(&w->seen, mem);
    sort_by_event(w);
}

void watch_release(struct ck_watch *w, struct lw_mem *mem)
{
    lw_map_release(&w->seen);
    lw_vec_release(mem, &w->states);
    lw_vec_release(mem, &w->findings);
    lw_vec_release(mem, &w->inferred);
}

/* ---- which rules --------------------------------------------------------------------------
 */

/* Is `rule` or its category in the list? */
static bool listed(struct lw_str list, struct lw_str rule)
{
    struct lw_str piece;
    ptrdiff_t slash = lw_str_find_char(rule, '/');
    struct lw_str category = slash < 0 ? rule : lw_str_part(rule, 0, (size_t)slash);
    while (lw_str_split(&list, ',', &piece)) {
        piece = lw_str_trim(piece);
        if (lw_str_eq(piece, rule) || lw_str_eq(piece, category) ||
            lw_str_eq(piece, LW_S("all")))
            return true;
    }
    return false;
}

/* Is the rule one that was asked for? */
static bool is_wanted(const struct ck_watch *w, struct lw_str rule)
{
    const struct lw_check_rule *info = lw_check_rule_find(w->rules, rule);
    if (listed(w->options->ignore, rule))
        return false;
    if (w->options->select.n)
        return listed(w->options->select, rule);
    return !info || !info->off;
}

/* ---- where a value comes from -------------------------------------------------------------
 */

/* The place as someone says it who reads `from`. */
static void add_place(struct ck *c, struct lw_buf *b, const struct ck_file *from,
                      uint32_t place)
{
    uint32_t file = place >> 24, line = place & CK_PLACE_LINE, inside;
    const struct ck_file *in = file < c->files.n ? c->files.v[file] : NULL;
    const struct lw_notebook *nb = in ? &in->source.notebook : NULL;
    const struct lw_cell *cell =
        nb && nb->cell_count ? lw_notebook_locate(nb, line, &inside) : NULL;
    bool here = !in || in == from;
    if (!here)
        lw_buf_addf(b, "%.*s%s", LW_F(in->path), cell ? ", " : ":");
    if (cell)
        lw_buf_addf(b, "cell %u, line %u", cell->number, inside);
    else
        lw_buf_addf(b, "%s%u", here ? "line " : "", line);
}

struct lw_str ck_show_place(struct ck *c, const struct ck_file *from, uint32_t place)
{
    struct lw_buf b;
    lw_buf_init(&b, c->mem, 1 << 16);
    add_place(c, &b, from, place);
    struct lw_str text = lw_arena_copy(c->arena, lw_buf_str(&b));
    lw_buf_release(&b);
    return text.p ? text : LW_S("another line");
}

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
            add_place(c, b, from, place);
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
            add_place(c, b, from, f->call_place);
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

static void set_range(struct lw_finding *out, struct ck_file *f, uint32_t node)
{
    struct lw_position a = lw_tree_position(&f->tree, lw_tree_start(&f->tree, node));
    struct lw_position b = lw_tree_position(&f->tree, lw_tree_end(&f->tree, node));
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

static void add_finding(struct ck *c, struct ck_file *f, uint32_t node, struct lw_str rule,
                        const enum lw_severity *severity, const struct lw_value *causes,
                        size_t n, struct lw_str message)
{
    const struct lw_check_rule *info = lw_check_rule_find(c->watch->rules, rule);
    enum lw_severity most = info ? info->severity : LW_SEVERITY_WARNING;
    if (severity && (!info || *severity < most))
        most = *severity;
    if (c->quiet || node == LW_NO_NODE || !f || node >= f->tree.nodes.n ||
        !is_wanted(c->watch, rule) || (c->ways.probing && !ways_may_report(c, rule, most)) ||
        !first_time(c, f, node, rule))
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
    set_range(&out, f, node);
    struct lw_buf b;
    lw_buf_init(&b, c->mem, 1 << 16);
    for (size_t i = 0; i < n; i++)
        add_cause(c, &b, causes[i], f, ck_file_place(f, node));
    add_calls(c, &b, f);
    out.detail = lw_arena_copy(c->arena, lw_buf_str(&b));
    lw_buf_release(&b);
    if (!c->ways.probing) /* a fix for one way breaks the others */
        out.fix = fix_make(c, f, node, out.rule, causes, n);
    if (!out.message.p || !out.rule.p || lw_vec_push(c->mem, &c->watch->findings, out) < 0)
        c->stopped = true; /* a finding that says nothing helps nobody */
}

void ck_hint(struct ck *c, struct ck_hint hint)
{
    c->watch->hint = hint;
}

static void report(struct ck *c, struct ck_file *f, uint32_t node, struct lw_str rule,
                   const enum lw_severity *severity, const struct lw_value *causes, size_t n,
                   struct lw_str message)
{
    add_finding(c, f, node, rule, severity, causes, n, message);
    c->watch->hint = (struct ck_hint){0};
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

/* ---- events -------------------------------------------------------------------------------
 */

void ck_emit(struct ck *c, const struct ck_event *e)
{
    if (c->stopped)
        return;
    const struct ck_watch *w = c->watch;
    for (uint32_t rest = e->kind; rest; rest &= rest - 1) {
        int bit = __builtin_ctz(rest);
        for (uint16_t i = w->begins[bit]; i < w->begins[bit + 1]; i++)
            if (!c->ways.probing || w->pure[i])
                w->watchers[i](c, e);
    }
}

/* Rules ask for few words again and again: only files that came since are searched. */
static struct watch_word *remembered(struct ck_watch *w, const char *word)
{
    size_t at = ((uintptr_t)word >> 2) % WATCH_WORDS;
    while (w->words[at].word && w->words[at].word != word)
        at = (at + 1) % WATCH_WORDS;
    if (w->words[at].word)
        return &w->words[at];
    if (w->word_count == WATCH_WORDS / 2)
        return NULL;
    w->word_count++;
    w->words[at] = (struct watch_word){.word = word};
    return &w->words[at];
}

/* Does a comment begin before `at` on its line? Quotes are told apart by their number: a line
 * inside a long string may be taken for one with a comment. */
static bool in_comment(struct lw_str text, size_t at)
{
    size_t from = at;
    char quote = 0;
    while (from > 0 && text.p[from - 1] != '\n')
        from--;
    for (size_t i = from; i < at; i++) {
        char ch = text.p[i];
        if (quote)
            quote = ch == quote ? 0 : quote;
        else if (ch == '"' || ch == '\'')
            quote = ch;
        else if (ch == '#')
            return true;
    }
    return false;
}

/* What was commented out is not done. */
static bool mentions(struct lw_str text, struct lw_str word)
{
    for (size_t from = 0; from < text.n;) {
        ptrdiff_t at = lw_str_find(lw_str_from(text, from), word);
        if (at == LW_NPOS)
            return false;
        if (!in_comment(text, from + (size_t)at))
            return true;
        from += (size_t)at + 1;
    }
    return false;
}

bool ck_mentions(const struct ck *c, const char *word)
{
    struct watch_word once = {.word = word}, *w = remembered(c->watch, word);
    if (!w)
        w = &once;
    for (; !w->found && w->files < c->files.n; w->files++)
        w->found = mentions(c->files.v[w->files]->source.text, lw_str(word));
    return w->found;
}

bool ck_is_certain(const struct ck *c)
{
    for (const struct ck_frame *f = c->frame; f; f = f->up)
        if (f->uncertain > f->looping)
            return false;
    return true;
}

void *ck_state(struct ck *c, const void *key, size_t size)
{
    struct ck_watch *w = c->watch;
    for (size_t i = 0; i < w->states.n; i++)
        if (w->states.v[i].key == key)
            return w->states.v[i].memory;
    struct watch_state s = {.key = key, .memory = lw_arena_alloc(c->arena, size)};
    if (!s.memory || lw_vec_push(c->mem, &w->states, s) < 0)
        return NULL;
    return s.memory;
}

void ck_on_unpack(struct ck *c, uint32_t target, struct lw_value v, struct lw_seq seq,
                  uint32_t count, uint32_t from)
{
    (void)from;
    ck_emit(c,
            &(struct ck_event){
                .kind = CK_EV_UNPACK, .node = target, .value = v, .seq = seq, .count = count});
}

void ck_on_store(struct ck *c, uint32_t target, struct lw_value owner, struct lw_value index,
                 struct lw_value v)
{
    ck_emit(c, &(struct ck_event){
                   .kind = CK_EV_STORE, .node = target, .a = owner, .b = index, .value = v});
}

/* With --trace-values: what is known where a name is assigned. */
static void infer(struct ck *c, uint32_t target, struct lw_value v)
{
    const struct lw_tree *t = &c->frame->file->tree;
    if (!c->watch->options->trace_values || c->ways.probing || v.kind != LW_V_TENSOR ||
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

void ck_on_assign(struct ck *c, uint32_t target, struct lw_value v, uint32_t from)
{
    (void)from;
    infer(c, target, v);
    ck_emit(c, &(struct ck_event){.kind = CK_EV_ASSIGN, .node = target, .value = v});
}

void ck_on_augmented(struct ck *c, uint32_t node, struct lw_value a, struct lw_value b)
{
    ck_emit(c, &(struct ck_event){.kind = CK_EV_AUGMENTED, .node = node, .a = a, .b = b});
}

void ck_on_loop(struct ck *c, uint32_t node, struct lw_value over, bool begins)
{
    ck_emit(c, &(struct ck_event){.kind = CK_EV_LOOP, .node = node, .a = over, .flag = begins});
}

void ck_on_return(struct ck *c, uint32_t node, struct lw_value v)
{
    ck_emit(c, &(struct ck_event){.kind = CK_EV_RETURN, .node = node, .value = v});
}

void ck_on_index(struct ck *c, uint32_t node, struct lw_value v, struct lw_value index,
                 struct lw_value out)
{
    ck_emit(c, &(struct ck_event){
                   .kind = CK_EV_INDEX, .node = node, .a = v, .b = index, .value = out});
}

void ck_on_expression(struct ck *c, uint32_t node, struct lw_value v)
{
    ck_emit(c, &(struct ck_event){.kind = CK_EV_EXPRESSION, .node = node, .value = v});
}
