#include "check/fix/apply.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "source/tree.h"

/* ---- the text that findings speak of, and the bytes behind it
 * ---------------------------------
 */

struct surface {
    struct lw_mem *mem;
    struct lw_arena arena;
    struct lw_source source;
    struct lw_str bytes;
    bool notebook, single; /* one byte, one character */
    struct lw_fix_notebook nb;
    LW_VEC(size_t) lines;
};

static bool is_notebook(struct lw_str path, struct lw_str bytes)
{
    if (lw_str_has_suffix(path, LW_S(".ipynb")))
        return true;
    struct lw_str t = lw_str_trim(bytes);
    return lw_str_eq(path, LW_S("-")) && lw_str_has_prefix(t, LW_S("{")) &&
           lw_str_find(t, LW_S("\"cells\"")) >= 0;
}

/* Where each line begins; as the tree counts them. */
static int find_lines(struct surface *s)
{
    struct lw_str text = s->source.text;
    if (lw_vec_push(s->mem, &s->lines, 0) < 0)
        return LW_ENOMEM;
    for (size_t i = 0; i < text.n; i++) {
        bool end = text.p[i] == '\n' ||
                   (text.p[i] == '\r' && (i + 1 == text.n || text.p[i + 1] != '\n'));
        if (end && lw_vec_push(s->mem, &s->lines, i + 1) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

static int open_surface(struct surface *s, struct lw_mem *mem, struct lw_str path,
                        struct lw_str bytes, struct lw_err *err)
{
    *s = (struct surface){.mem = mem, .bytes = bytes};
    lw_arena_init(&s->arena, mem, 0);
    s->notebook = is_notebook(path, bytes);
    if (s->notebook)
        return lw_fix_notebook_read(&s->nb, mem, bytes, err);
    int rc = lw_source_decode(&s->source, &s->arena, path, bytes, err);
    if (rc < 0)
        return rc;
    s->single = s->source.converted && strcmp(s->source.encoding, "utf-16") != 0;
    if (s->source.converted && !s->single)
        return lw_err_set(err, LW_EINVAL, "'%.*s' is in %s: it is not edited", LW_F(path),
                          s->source.encoding);
    return find_lines(s) < 0 ? lw_err_nomem(err) : 0;
}

static void close_surface(struct surface *s)
{
    lw_fix_notebook_release(&s->nb, s->mem);
    lw_vec_release(s->mem, &s->lines);
    lw_arena_release(&s->arena);
}

/* The byte of a cell at a line from 1 and a column from 0; false: there is none. */
static bool find_in_cell(struct lw_str text, uint32_t line, uint32_t column, size_t *at)
{
    size_t from = 0;
    for (uint32_t k = 1; k < line; k++) {
        while (from < text.n && text.p[from] != '\n' &&
               !(text.p[from] == '\r' && (from + 1 == text.n || text.p[from + 1] != '\n')))
            from++;
        if (from >= text.n)
            return false;
        from++;
    }
    *at = from + column;
    return *at <= text.n;
}

/* A place of a finding as a byte of the file. */
static bool find_byte(const struct surface *s, uint32_t cell, uint32_t line, uint32_t column,
                      size_t *at)
{
    if (!s->notebook) {
        if (line == 0 || line > s->lines.n || s->lines.v[line - 1] + column > s->source.text.n)
            return false;
        *at = s->lines.v[line - 1] + column;
        size_t n = *at;
        for (size_t i = 0; s->single && i < n; i++)
            *at -= ((unsigned char)s->source.text.p[i] & 0xc0) == 0x80;
        return true;
    }
    for (size_t i = 0; i < s->nb.cells.n; i++) {
        const struct lw_fix_cell *c = &s->nb.cells.v[i];
        if (c->number != cell || c->end == c->first)
            continue;
        struct lw_str text = lw_str_n(s->nb.text.v + c->first, c->end - c->first);
        if (!find_in_cell(text, line, column, at))
            return false;
        *at = s->nb.map.v[c->first + *at];
        return true;
    }
    return false;
}

/* ---- edits ----------------------------------------------------------------------------------
 */

struct edit {
    size_t from, to;
    struct lw_str text;
};

typedef LW_VEC(struct edit) edit_vec;

/* Do they change the same bytes, or insert at one place? */
static bool collide(const struct edit *a, const struct edit *b)
{
    return (a->from < b->to && b->from < a->to) || a->from == b->from;
}

static bool is_ascii(struct lw_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] >= 0x80)
            return false;
    return true;
}

/* Where the edit belongs among those in order; SIZE_MAX: it collides with one of them. */
static size_t place_of(const edit_vec *edits, const struct edit *new)
{
    size_t low = 0, high = edits->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (edits->v[mid].from < new->from)
            low = mid + 1;
        else
            high = mid;
    }
    bool bad = (low < edits->n && collide(&edits->v[low], new)) ||
               (low > 0 && collide(&edits->v[low - 1], new));
    return bad ? SIZE_MAX : low;
}

/* The edit as bytes of the file; false: there is no such place. */
static bool locate(const struct surface *s, const struct lw_finding *f, size_t i,
                   struct edit *out)
{
    const struct lw_finding_edit *e = &f->fix.edits[i];
    out->text = e->text;
    return find_byte(s, f->cell, e->line, e->column, &out->from) &&
           find_byte(s, f->cell, e->end_line, e->end_column, &out->to) &&
           out->from <= out->to && (!s->single || is_ascii(e->text));
}

/* All edits of a finding, or none. 1: added, 0: not. */
static int add_fix(edit_vec *edits, const struct surface *s, const struct lw_finding *f)
{
    struct edit new, before = {0};
    for (size_t i = 0; i < f->fix.edit_count; i++) {
        if (!locate(s, f, i, &new) || place_of(edits, &new) == SIZE_MAX ||
            (i > 0 && (new.from < before.to || collide(&before, &new))))
            return 0;
        before = new;
    }
    if (lw_vec_reserve(s->mem, edits, f->fix.edit_count) < 0)
        return LW_ENOMEM;
    for (size_t i = 0; i < f->fix.edit_count; i++) {
        (void)locate(s, f, i, &new);
        size_t at = place_of(edits, &new);
        memmove(edits->v + at + 1, edits->v + at, (edits->n - at) * sizeof new);
        edits->v[at] = new;
        edits->n++;
    }
    return f->fix.edit_count > 0;
}

/* As it stands inside a literal of JSON. */
static void add_escaped(struct lw_buf *out, struct lw_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char ch = s.p[i];
        if (ch == '"' || ch == '\\')
            lw_buf_addf(out, "\\%c", ch);
        else if (ch == '\n')
            lw_buf_addz(out, "\\n");
        else if (ch == '\r')
            lw_buf_addz(out, "\\r");
        else if (ch == '\t')
            lw_buf_addz(out, "\\t");
        else if ((unsigned char)ch < 0x20)
            lw_buf_addf(out, "\\u%04x", (unsigned)ch);
        else
            lw_buf_add_char(out, ch);
    }
}

static void write_out(struct lw_buf *out, const struct surface *s, const edit_vec *edits)
{
    size_t at = 0;
    for (size_t i = 0; i < edits->n; i++) {
        const struct edit *e = &edits->v[i];
        lw_buf_add(out, lw_str_part(s->bytes, at, e->from - at));
        if (s->notebook)
            add_escaped(out, e->text);
        else
            lw_buf_add(out, e->text);
        at = e->to;
    }
    lw_buf_add(out, lw_str_from(s->bytes, at));
}

int lw_fix_apply(struct lw_buf *out, struct lw_mem *mem, struct lw_str path,
                 struct lw_str bytes, const struct lw_finding *findings, size_t count,
                 const bool *chosen, bool *applied, struct lw_err *err)
{
    struct surface s;
    edit_vec edits = {0};
    int done = 0, rc = open_surface(&s, mem, path, bytes, err);
    for (size_t i = 0; rc >= 0 && i < count; i++) {
        bool wanted = (!chosen || chosen[i]) && findings[i].fix.edit_count > 0;
        int added = wanted ? add_fix(&edits, &s, &findings[i]) : 0;
        if (added < 0)
            rc = lw_err_nomem(err);
        done += added > 0;
        if (applied)
            applied[i] = added > 0;
    }
    if (rc >= 0) {
        write_out(out, &s, &edits);
        rc = out->failed ? lw_err_set(err, out->failed, "the fixed text is too large") : done;
    }
    lw_vec_release(mem, &edits);
    close_surface(&s);
    return rc;
}

/* ---- until nothing is left
 * ---------------------------------------------------------------------
 */

enum { ROUNDS = 10, SINGLES = 40, SINGLES_TOGETHER = 4 };

struct session {
    struct lw_arena *arena;
    const struct lw_ctx *ctx;
    const struct lw_fix_checker *checker;
    const struct lw_check_rules *rules;
    const struct lw_check_options *options;
    struct lw_str path;
    const struct lw_str *paths; /* of all files that are looked at; NULL: this one alone */
    size_t path_count;
    struct lw_check_result first; /* of the file as it was */
    size_t first_errors;          /* of its syntax */
    struct lw_fixed *out;
    unsigned singles;
    lw_str_vec refused; /* "rule message" of fixes that did not stand the test */
};

static bool is_own(const struct session *s, const struct lw_finding *f)
{
    return lw_str_eq(f->path, s->path);
}

static size_t count_rule(const struct session *s, const struct lw_check_result *r,
                         struct lw_str rule, bool notes)
{
    size_t n = 0;
    for (size_t i = 0; i < r->findings.n; i++) {
        const struct lw_finding *f = &r->findings.v[i];
        n += (s->paths || is_own(s, f)) && lw_str_eq(f->rule, rule) &&
             (notes || f->severity != LW_SEVERITY_NOTE);
    }
    return n;
}

static size_t count_fixed(const struct session *s, struct lw_str rule)
{
    size_t n = 0;
    for (size_t i = 0; i < s->out->findings.n; i++)
        n += lw_str_eq(s->out->findings.v[i].rule, rule);
    return n;
}

static size_t syntax_errors(struct session *s, struct lw_str bytes)
{
    struct lw_tree tree;
    struct lw_source source;
    struct lw_arena arena;
    struct lw_err none;
    size_t n = 0;
    lw_tree_init(&tree, s->ctx->mem);
    lw_arena_init(&arena, s->ctx->mem, 0);
    struct lw_str path = is_notebook(s->path, bytes) ? LW_S("-.ipynb") : s->path;
    if (lw_source_decode(&source, &arena, path, bytes, &none) < 0 ||
        lw_tree_parse(&tree, source.text, &none) < 0)
        n = SIZE_MAX;
    else
        n = tree.lexed.errors.n;
    lw_tree_release(&tree);
    lw_arena_release(&arena);
    return n;
}

/* Are the findings that were fixed gone, and is no error or warning new? */
static bool is_better(struct session *s, const struct lw_check_result *r, struct lw_str bytes)
{
    for (size_t i = 0; i < s->rules->v.n; i++) {
        struct lw_str rule = s->rules->v.v[i].id;
        size_t fixed = count_fixed(s, rule), now = count_rule(s, r, rule, fixed > 0);
        size_t had = now ? count_rule(s, &s->first, rule, fixed > 0) : 0;
        if (now > (had > fixed ? had - fixed : 0))
            return false;
    }
    return syntax_errors(s, bytes) <= s->first_errors;
}

static int record(struct session *s, const struct lw_finding *f)
{
    struct lw_finding copy;
    return lw_finding_copy(&copy, s->arena, f)
               ? lw_vec_push(s->ctx->mem, &s->out->findings, copy)
               : LW_ENOMEM;
}

static struct lw_str key_of(struct session *s, const struct lw_finding *f)
{
    return lw_arena_printf(s->arena, "%.*s %.*s", LW_F(f->rule), LW_F(f->message));
}

static bool is_refused(struct session *s, const struct lw_finding *f)
{
    struct lw_str key = key_of(s, f);
    for (size_t i = 0; i < s->refused.n; i++)
        if (lw_str_eq(s->refused.v[i], key))
            return true;
    return false;
}

static int check(struct session *s, struct lw_check_result *r, struct lw_str bytes,
                 struct lw_err *err)
{
    lw_check_result_init(r, s->ctx->mem);
    if (s->paths) {
        struct lw_check_options o = *s->options;
        o.overlay = (struct lw_check_overlay){s->path, bytes};
        return s->checker->run(r, s->ctx, s->rules, &o, s->paths, s->path_count, err);
    }
    return s->checker->text(r, s->ctx, s->rules, s->options, s->path, bytes, err);
}

/* Applies what is chosen of the result's fixes to `*bytes`; how many, or negative. */
static int apply(struct session *s, const struct lw_check_result *r, const bool *chosen,
                 struct lw_str *bytes, struct lw_err *err)
{
    struct lw_buf out;
    bool *applied = lw_arena_array(s->arena, r->findings.n + 1, sizeof *applied);
    if (!applied)
        return lw_err_nomem(err);
    lw_buf_init(&out, s->ctx->mem, 0);
    int n = lw_fix_apply(&out, s->ctx->mem, s->path, *bytes, r->findings.v, r->findings.n,
                         chosen, applied, err);
    for (size_t i = 0; n > 0 && i < r->findings.n; i++)
        if (applied[i] && record(s, &r->findings.v[i]) < 0)
            n = lw_err_nomem(err);
    if (n > 0) {
        *bytes = lw_arena_copy(s->arena, lw_buf_str(&out));
        if (!bytes->p)
            n = lw_err_nomem(err);
    }
    lw_buf_release(&out);
    return n;
}

static bool *choose(struct session *s, const struct lw_check_result *r)
{
    bool *chosen = lw_arena_array(s->arena, r->findings.n + 1, sizeof *chosen);
    for (size_t i = 0; chosen && i < r->findings.n; i++) {
        const struct lw_finding *f = &r->findings.v[i];
        chosen[i] = f->fix.edit_count > 0 && is_own(s, f) && !is_refused(s, f);
    }
    return chosen;
}

/* All fixes at once, then those that could not be applied with them or came to light by them.
 * What was good last stands, in `out`. */
static int fix_together(struct session *s, struct lw_err *err)
{
    struct lw_str bytes = s->out->after;
    size_t good = s->out->findings.n;
    int rc = 1;
    for (unsigned i = 0; rc > 0 && i < ROUNDS; i++) {
        struct lw_check_result r;
        rc = check(s, &r, bytes, err);
        bool *chosen = rc < 0 ? NULL : choose(s, &r);
        if (rc == 0 && !chosen)
            rc = lw_err_nomem(err);
        if (rc == 0 && is_better(s, &r, bytes)) {
            s->out->after = bytes;
            good = s->out->findings.n;
        }
        if (rc == 0)
            rc = apply(s, &r, chosen, &bytes, err);
        lw_check_result_release(&r);
    }
    s->out->findings.n = good;
    return rc < 0 ? rc : 0;
}

/* Each single fix costs a check, of one file or of all. */
static bool may_try(const struct session *s)
{
    return s->singles < (s->paths ? SINGLES_TOGETHER : SINGLES);
}

/* The first fix that stands alone: 1. None is left: 0. */
static int fix_one(struct session *s, const struct lw_check_result *r, struct lw_err *err)
{
    for (size_t i = 0; i < r->findings.n && may_try(s); i++) {
        const struct lw_finding *f = &r->findings.v[i];
        if (!f->fix.edit_count || !is_own(s, f) || is_refused(s, f))
            continue;
        bool *chosen = lw_arena_array(s->arena, r->findings.n, sizeof *chosen);
        struct lw_str bytes = s->out->after, key = key_of(s, f);
        struct lw_check_result after;
        size_t before = s->out->findings.n;
        if (!chosen || !key.p)
            return lw_err_nomem(err);
        chosen[i] = true;
        s->singles++;
        int rc = apply(s, r, chosen, &bytes, err);
        if (rc < 0)
            return rc;
        rc = check(s, &after, bytes, err);
        bool good = rc == 0 && s->out->findings.n > before && is_better(s, &after, bytes);
        lw_check_result_release(&after);
        if (rc < 0)
            return rc;
        if (good) {
            s->out->after = bytes;
            return 1;
        }
        s->out->findings.n = before;
        s->out->left_out++;
        if (lw_vec_push(s->ctx->mem, &s->refused, key) < 0)
            return lw_err_nomem(err);
    }
    return 0;
}

static int fix_apart(struct session *s, struct lw_err *err)
{
    int rc = 1;
    while (rc > 0 && may_try(s)) {
        struct lw_check_result r;
        rc = check(s, &r, s->out->after, err);
        if (rc == 0)
            rc = fix_one(s, &r, err);
        lw_check_result_release(&r);
    }
    return rc < 0 ? rc : 0;
}

int lw_fix_file(struct lw_fixed *out, struct lw_arena *arena, const struct lw_ctx *ctx,
                const struct lw_fix_checker *checker, const struct lw_check_rules *rules,
                const struct lw_check_options *options, struct lw_str path, struct lw_str bytes,
                const struct lw_str *paths, size_t path_count, struct lw_err *err)
{
    *out = (struct lw_fixed){.path = path, .before = bytes, .after = bytes};
    struct session s = {.arena = arena,
                        .ctx = ctx,
                        .checker = checker,
                        .rules = rules,
                        .options = options,
                        .path = path,
                        .paths = paths,
                        .path_count = path_count,
                        .out = out};
    s.first_errors = syntax_errors(&s, bytes);
    int rc = check(&s, &s.first, bytes, err);
    for (size_t i = 0; rc == 0 && i < s.first.findings.n; i++)
        out->fixable +=
            is_own(&s, &s.first.findings.v[i]) && s.first.findings.v[i].fix.edit_count > 0;
    if (rc == 0)
        rc = fix_together(&s, err);
    if (rc == 0)
        rc = fix_apart(&s, err);
    lw_check_result_release(&s.first);
    lw_vec_release(ctx->mem, &s.refused);
    return rc;
}

void lw_fixed_release(struct lw_fixed *f, struct lw_mem *mem)
{
    lw_vec_release(mem, &f->findings);
}
