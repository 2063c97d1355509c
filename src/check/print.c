#include "check/print.h"

#include <stdio.h>
#include <string.h>

#include "base/jsonw.h"
#include "base/str.h"
#include "source/text.h"

/* ---- text ---------------------------------------------------------------------------------
 */

/* The text of the file printed last, so that a file with many findings is read once. */
struct shown {
    struct lw_arena arena;
    struct lw_str path;
    struct lw_source source;
    bool ok;
    struct lw_str *lines; /* of the source, made at first use */
    uint32_t line_count;
};

static void open_source(struct shown *s, struct lw_str path, const struct lw_source *input)
{
    struct lw_err none;
    if (s->ok && lw_str_eq(s->path, path))
        return;
    lw_arena_clear(&s->arena);
    s->path = path;
    s->lines = NULL;
    s->line_count = 0;
    struct lw_str z = lw_arena_copy(&s->arena, path);
    if (lw_str_eq(path, LW_S("-"))) { /* it can be read only once */
        s->source = *input;
        s->ok = true;
    } else
        s->ok = z.p && lw_source_load(&s->source, &s->arena, z.p, &none) == 0;
}

/* As the tree counts lines: also where a CR alone ends them. */
static bool next_line(struct lw_str *rest, struct lw_str *line)
{
    size_t n = 0;
    while (n < rest->n && rest->p[n] != '\n' && rest->p[n] != '\r')
        n++;
    if (rest->n == 0)
        return false;
    *line = lw_str_part(*rest, 0, n);
    n += n + 1 < rest->n && rest->p[n] == '\r' && rest->p[n + 1] == '\n' ? 2 : 1;
    *rest = lw_str_from(*rest, n);
    return true;
}

static void list_lines(struct shown *s)
{
    struct lw_str rest = s->source.text, line;
    uint32_t n = 0;
    while (next_line(&rest, &line))
        n++;
    s->lines = lw_arena_array(&s->arena, n + 1, sizeof *s->lines);
    rest = s->source.text;
    while (s->lines && next_line(&rest, &line))
        s->lines[s->line_count++] = line;
}

/* The line `want`, in a notebook that of the cell. */
static bool find_line(struct shown *s, uint32_t cell, uint32_t want, struct lw_str *line)
{
    const struct lw_notebook *nb = &s->source.notebook;
    for (uint32_t i = 0; cell && i < nb->cell_count; i++)
        if (nb->cells[i].number == cell)
            want += nb->cells[i].first_line - 1;
    if (!s->lines)
        list_lines(s);
    if (want < 1 || want > s->line_count)
        return false;
    *line = s->lines[want - 1];
    return true;
}

/* Columns are bytes; on the screen a character takes one place, however long it is. */
static bool is_begin(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

static void put_source(struct lw_sink *out, const struct lw_term *term, struct shown *s,
                       const struct lw_finding *f)
{
    struct lw_str line;
    if (!s->ok || !find_line(s, f->cell, f->line, &line))
        return;
    lw_putf(out, "%6u | ", f->line);
    lw_put_safe(out, line, true); /* tabs stay, as below them */
    lw_putz(out, "\n       | ");
    size_t from = f->column < line.n ? f->column : line.n;
    size_t to = f->end_line == f->line && f->end_column > from ? f->end_column : line.n;
    for (size_t i = 0; i < from; i++)
        if (is_begin(line.p[i]))
            lw_put_char(out, line.p[i] == '\t' ? '\t' : ' ');
    size_t width = 0;
    for (size_t i = from; i < to && i < line.n; i++)
        width += is_begin(line.p[i]);
    lw_putz(out, lw_colour(term, LW_GREEN));
    lw_put_fill(out, '^', width ? width : 1);
    lw_putf(out, "%s\n", lw_colour(term, LW_PLAIN));
}

static void put_detail(struct lw_sink *out, struct lw_str detail)
{
    struct lw_str line;
    while (lw_str_line(&detail, &line)) {
        lw_putz(out, "       = ");
        lw_put_safe(out, line, false);
        lw_put_char(out, '\n');
    }
}

static enum lw_colour colour_of(enum lw_severity s)
{
    return s == LW_SEVERITY_ERROR ? LW_RED : s == LW_SEVERITY_WARNING ? LW_YELLOW : LW_CYAN;
}

/* A column in bytes from 0 as one in characters from 1; the source of `f` is open. */
static uint32_t character(struct shown *s, const struct lw_finding *f, uint32_t line,
                          uint32_t column)
{
    struct lw_str text;
    uint32_t n = 1;
    if (!s->ok || !find_line(s, f->cell, line, &text))
        return column + 1;
    for (size_t i = 0; i < column; i++)
        n += i >= text.n || is_begin(text.p[i]);
    return n;
}

static void put_finding(struct lw_sink *out, const struct lw_term *term, struct shown *s,
                        const struct lw_finding *f)
{
    lw_putz(out, lw_colour(term, LW_BOLD));
    lw_put_safe(out, f->path, false);
    if (f->cell)
        lw_putf(out, ":cell %u", f->cell);
    lw_putf(out, ":%u:%u:%s %s%s%s: ", f->line, character(s, f, f->line, f->column),
            lw_colour(term, LW_PLAIN), lw_colour(term, colour_of(f->severity)),
            lw_severity_name(f->severity), lw_colour(term, LW_PLAIN));
    lw_put_safe(out, f->message, false);
    lw_putf(out, " [%.*s]\n", LW_F(f->rule));
}

void lw_check_print_fixed(struct lw_sink *out, const struct lw_term *term,
                          const struct lw_fixed *fixed)
{
    for (size_t i = 0; i < fixed->findings.n; i++) {
        const struct lw_finding *f = &fixed->findings.v[i];
        lw_putz(out, lw_colour(term, LW_BOLD));
        lw_put_safe(out, f->path, false);
        if (f->cell)
            lw_putf(out, ":cell %u", f->cell);
        lw_putf(out, ":%u:%u:%s %sfixed%s: ", f->line, f->column + 1, lw_colour(term, LW_PLAIN),
                lw_colour(term, LW_GREEN), lw_colour(term, LW_PLAIN));
        lw_put_safe(out, f->fix.description, false);
        lw_putf(out, " [%.*s]\n", LW_F(f->rule));
    }
}

static void put_figures(struct lw_sink *out, const struct lw_check_result *r, bool statistics,
                        bool fixed)
{
    size_t count[3] = {0}, fixable = 0;
    for (size_t i = 0; i < r->findings.n; i++) {
        count[r->findings.v[i].severity]++;
        fixable += r->findings.v[i].fix.edit_count > 0;
    }
    uint64_t files = r->files - (r->errors.n - r->unwritten);
    lw_putf(out, "%zu error%s, %zu warning%s, %zu note%s in %llu file%s\n",
            count[LW_SEVERITY_ERROR], count[LW_SEVERITY_ERROR] == 1 ? "" : "s",
            count[LW_SEVERITY_WARNING], count[LW_SEVERITY_WARNING] == 1 ? "" : "s",
            count[LW_SEVERITY_NOTE], count[LW_SEVERITY_NOTE] == 1 ? "" : "s",
            (unsigned long long)files, files == 1 ? "" : "s");
    if (fixable && !fixed)
        lw_putf(out, "%zu can be fixed with --fix; --diff shows how\n", fixable);
    if (r->incomplete.n) {
        lw_putz(out, "not complete: ");
        lw_put_safe(out, r->incomplete.v[0].path, false);
        lw_putz(out, ": ");
        lw_put_safe(out, r->incomplete.v[0].detail, false);
        lw_putz(out, r->incomplete.n > 1 ? ", and others; --format json lists them\n" : "\n");
    }
    if (!statistics)
        return;
    lw_putf(out,
            "%llu lines, %llu calls analysed, %llu of them unknown, %llu findings silenced\n",
            (unsigned long long)r->lines, (unsigned long long)r->analysed_calls,
            (unsigned long long)r->unknown_calls, (unsigned long long)r->suppressed);
    if (r->given_up)
        lw_putf(out, "%llu entry points were too long to follow to their end\n",
                (unsigned long long)r->given_up);
    for (size_t i = 0; i < r->unknown.n && i < 15; i++)
        lw_putf(out, "%6llu x %.*s\n", (unsigned long long)r->unknown.v[i].times,
                LW_F(r->unknown.v[i].name));
}

void lw_check_print_text(struct lw_sink *out, const struct lw_term *term, struct lw_mem *mem,
                         const struct lw_check_result *r, bool statistics, bool fixed)
{
    struct shown s = {0};
    lw_arena_init(&s.arena, mem, 0);
    for (size_t i = 0; i < r->findings.n; i++) {
        const struct lw_finding *f = &r->findings.v[i];
        open_source(&s, f->path, &r->input);
        put_finding(out, term, &s, f);
        put_source(out, term, &s, f);
        put_detail(out, f->detail);
        if (f->fix.edit_count) {
            lw_putz(out, "       = fix: ");
            lw_put_safe(out, f->fix.description, false);
            lw_put_char(out, '\n');
        }
    }
    put_figures(out, r, statistics, fixed);
    lw_arena_release(&s.arena);
}

/* ---- JSON ---------------------------------------------------------------------------------
 */

static void json_edit(struct lw_jsonw *w, const struct lw_finding_edit *e)
{
    lw_json_object(w);
    lw_json_key_int(w, "line", e->line);
    lw_json_key_int(w, "column", e->column);
    lw_json_key_int(w, "end_line", e->end_line);
    lw_json_key_int(w, "end_column", e->end_column);
    lw_json_key_text(w, "text", e->text);
    lw_json_end(w);
}

static void json_fix(struct lw_jsonw *w, const struct lw_finding_fix *fix)
{
    lw_json_key(w, "fix");
    if (!fix->description.n) {
        lw_json_null(w);
        return;
    }
    lw_json_object(w);
    lw_json_key_text(w, "description", fix->description);
    lw_json_key(w, "edits");
    lw_json_array(w);
    for (size_t i = 0; i < fix->edit_count; i++)
        json_edit(w, &fix->edits[i]);
    lw_json_end(w);
    lw_json_end(w);
}

static void json_related(struct lw_jsonw *w, const struct lw_finding_range *r)
{
    lw_json_key(w, "related");
    lw_json_object(w);
    lw_json_key_int(w, "line", r->line);
    lw_json_key_int(w, "column", r->column);
    lw_json_key_int(w, "end_line", r->end_line);
    lw_json_key_int(w, "end_column", r->end_column);
    lw_json_end(w);
}

static void json_finding(struct lw_jsonw *w, const struct lw_finding *f)
{
    lw_json_object(w);
    lw_json_key_text(w, "path", f->path);
    if (f->cell)
        lw_json_key_int(w, "cell", f->cell);
    lw_json_key_int(w, "line", f->line);
    lw_json_key_int(w, "column", f->column);
    lw_json_key_int(w, "end_line", f->end_line);
    lw_json_key_int(w, "end_column", f->end_column);
    lw_json_key_text(w, "rule", f->rule);
    lw_json_key_text(w, "category", f->category);
    lw_json_key_text(w, "severity", lw_str(lw_severity_name(f->severity)));
    lw_json_key_double(w, "confidence", f->confidence);
    lw_json_key_text(w, "message", f->message);
    lw_json_key_text(w, "detail", f->detail);
    if (f->related.line)
        json_related(w, &f->related);
    json_fix(w, &f->fix);
    lw_json_end(w);
}

static void json_statistics(struct lw_jsonw *w, const struct lw_check_result *r)
{
    lw_json_key(w, "statistics");
    lw_json_object(w);
    lw_json_key_int(w, "files", (int64_t)r->files);
    lw_json_key_int(w, "lines", (int64_t)r->lines);
    lw_json_key_double(w, "seconds", r->seconds);
    lw_json_key_int(w, "analysed_calls", (int64_t)r->analysed_calls);
    lw_json_key_int(w, "unknown_calls", (int64_t)r->unknown_calls);
    lw_json_key_int(w, "suppressed", (int64_t)r->suppressed);
    lw_json_key_int(w, "given_up", (int64_t)r->given_up);
    lw_json_key(w, "unknown");
    lw_json_array(w);
    for (size_t i = 0; i < r->unknown.n && i < 50; i++) {
        lw_json_object(w);
        lw_json_key_text(w, "name", r->unknown.v[i].name);
        lw_json_key_int(w, "times", (int64_t)r->unknown.v[i].times);
        lw_json_end(w);
    }
    lw_json_end(w);
    lw_json_end(w);
}

static void json_incomplete(struct lw_jsonw *w, const struct lw_check_result *r)
{
    lw_json_key_bool(w, "complete", r->incomplete.n == 0);
    lw_json_key(w, "incomplete");
    lw_json_array(w);
    for (size_t i = 0; i < r->incomplete.n; i++) {
        lw_json_object(w);
        lw_json_key_text(w, "path", r->incomplete.v[i].path);
        lw_json_key_text(w, "reason", lw_str(r->incomplete.v[i].reason));
        lw_json_key_text(w, "detail", r->incomplete.v[i].detail);
        lw_json_end(w);
    }
    lw_json_end(w);
}

/* Files that are not Python everywhere: findings in them may be fewer than there are. */
static void json_broken(struct lw_jsonw *w, const struct lw_check_result *r)
{
    lw_json_key(w, "syntax");
    lw_json_array(w);
    for (size_t i = 0; i < r->broken.n; i++) {
        const struct lw_check_broken *b = &r->broken.v[i];
        lw_json_object(w);
        lw_json_key_text(w, "path", b->path);
        if (b->cell)
            lw_json_key_int(w, "cell", b->cell);
        lw_json_key_int(w, "line", b->line);
        lw_json_key_int(w, "column", b->column);
        lw_json_key_text(w, "message", lw_str(b->message));
        lw_json_key_int(w, "count", (int64_t)b->count);
        lw_json_key_bool(w, "python2", b->python2);
        lw_json_end(w);
    }
    lw_json_end(w);
}

static void json_inferred(struct lw_jsonw *w, const struct lw_check_result *r)
{
    lw_json_key(w, "inferred");
    lw_json_array(w);
    for (size_t i = 0; i < r->inferred.n; i++) {
        lw_json_object(w);
        lw_json_key_text(w, "name", r->inferred.v[i].name);
        lw_json_key_int(w, "line", r->inferred.v[i].line);
        lw_json_key_text(w, "shape", r->inferred.v[i].shape);
        lw_json_key_text(w, "dtype", r->inferred.v[i].dtype);
        lw_json_end(w);
    }
    lw_json_end(w);
}

static void json_fixed(struct lw_jsonw *w, const struct lw_fixed *fixed, size_t n)
{
    lw_json_key(w, "fixed");
    lw_json_array(w);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < fixed[i].findings.n; k++)
            json_finding(w, &fixed[i].findings.v[k]);
    lw_json_end(w);
}

void lw_check_print_json(struct lw_sink *out, const struct lw_check_result *r,
                         const struct lw_fixed *fixed, size_t fixed_count)
{
    struct lw_jsonw w;
    lw_jsonw_init(&w, out, false);
    lw_json_object(&w);
    lw_json_key_int(&w, "files", (int64_t)r->files);
    json_incomplete(&w, r);
    lw_json_key(&w, "findings");
    lw_json_array(&w);
    for (size_t i = 0; i < r->findings.n; i++)
        json_finding(&w, &r->findings.v[i]);
    lw_json_end(&w);
    lw_json_key(&w, "errors");
    lw_json_array(&w);
    for (size_t i = 0; i < r->errors.n; i++) {
        lw_json_object(&w);
        lw_json_key_text(&w, "path", r->errors.v[i].path);
        lw_json_key_text(&w, "message", r->errors.v[i].message);
        lw_json_end(&w);
    }
    lw_json_end(&w);
    json_broken(&w, r);
    if (fixed)
        json_fixed(&w, fixed, fixed_count);
    json_statistics(&w, r);
    if (r->inferred.n)
        json_inferred(&w, r);
    lw_json_end(&w);
}

/* ---- SARIF 2.1.0 --------------------------------------------------------------------------
 */

static void sarif_text(struct lw_jsonw *w, const char *key, struct lw_str text)
{
    lw_json_key(w, key);
    lw_json_object(w);
    lw_json_key_text(w, "text", text);
    lw_json_end(w);
}

static void sarif_rule(struct lw_jsonw *w, const struct lw_check_rule *rule)
{
    struct lw_str why = rule->why.n ? rule->why : rule->title;
    struct lw_str page = lw_check_rule_page(rule);
    lw_json_object(w);
    lw_json_key_text(w, "id", rule->id);
    sarif_text(w, "shortDescription", rule->title);
    sarif_text(w, "fullDescription", why);
    lw_json_key(w, "help");
    lw_json_object(w);
    lw_json_key_text(w, "text", why);
    if (page.n)
        lw_json_key_text(w, "markdown", page);
    lw_json_end(w);
    lw_json_key(w, "defaultConfiguration");
    lw_json_object(w);
    lw_json_key_text(w, "level", lw_str(lw_severity_name(rule->severity)));
    lw_json_end(w);
    lw_json_key(w, "properties");
    lw_json_object(w);
    lw_json_key(w, "tags");
    lw_json_array(w);
    lw_json_text(w, rule->category);
    lw_json_end(w);
    lw_json_end(w);
    lw_json_end(w);
}

/* A path as a URI reference: RFC 3986 allows letters, digits and a few marks as they are. An
 * absolute one has a scheme, or it would be taken for one of the web. */
static void json_uri(struct lw_jsonw *w, struct lw_str path)
{
    static const struct lw_str scheme = {"file://", 7};
    char text[3 * 4096];
    size_t n = 0;
    if (path.n && path.p[0] == '/')
        for (; n < scheme.n; n++)
            text[n] = scheme.p[n];
    for (size_t i = 0; i < path.n && n + 3 < sizeof text; i++) {
        unsigned char ch = (unsigned char)path.p[i];
        bool plain = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') ||
                     (ch >= '0' && ch <= '9') || (ch && strchr("-._~/!$&'()*+,;=@", ch));
        if (plain)
            text[n++] = (char)ch;
        else
            n += (size_t)snprintf(text + n, sizeof text - n, "%%%02X", ch);
    }
    lw_json_text(w, lw_str_n(text, n));
}

enum { RULES_MOST = 1024 };

struct sarif {
    struct lw_jsonw w;
    const struct lw_check_result *r;
    const struct lw_check_rules *rules;
    int place[RULES_MOST]; /* of each rule in the list of the tool; -1: it is not there */
    struct shown shown;
};

static void sarif_region(struct sarif *s, const char *key, const struct lw_finding *f,
                         const struct lw_finding_edit *at)
{
    struct lw_jsonw *w = &s->w;
    open_source(&s->shown, f->path, &s->r->input);
    lw_json_key(w, key);
    lw_json_object(w);
    lw_json_key_int(w, "startLine", at->line);
    lw_json_key_int(w, "startColumn", character(&s->shown, f, at->line, at->column));
    lw_json_key_int(w, "endLine", at->end_line);
    lw_json_key_int(w, "endColumn", character(&s->shown, f, at->end_line, at->end_column));
    lw_json_end(w);
}

static void sarif_artifact(struct lw_jsonw *w, struct lw_str path)
{
    lw_json_key(w, "artifactLocation");
    lw_json_object(w);
    lw_json_key(w, "uri");
    json_uri(w, path);
    lw_json_end(w);
}

static void sarif_fix(struct sarif *s, const struct lw_finding *f)
{
    struct lw_jsonw *w = &s->w;
    lw_json_key(w, "fixes");
    lw_json_array(w);
    lw_json_object(w);
    sarif_text(w, "description", f->fix.description);
    lw_json_key(w, "artifactChanges");
    lw_json_array(w);
    lw_json_object(w);
    sarif_artifact(w, f->path);
    lw_json_key(w, "replacements");
    lw_json_array(w);
    for (size_t i = 0; i < f->fix.edit_count; i++) {
        const struct lw_finding_edit *e = &f->fix.edits[i];
        lw_json_object(w);
        sarif_region(s, "deletedRegion", f, e);
        sarif_text(w, "insertedContent", e->text);
        lw_json_end(w);
    }
    lw_json_end(w);
    lw_json_end(w);
    lw_json_end(w);
    lw_json_end(w);
    lw_json_end(w);
}

/* Which rules are listed, and where: those that have findings, in their order. */
static void number_rules(struct sarif *s)
{
    int next = 0;
    for (size_t i = 0; i < RULES_MOST; i++)
        s->place[i] = -1;
    for (size_t i = 0; i < s->r->findings.n; i++) {
        const struct lw_check_rule *rule =
            lw_check_rule_find(s->rules, s->r->findings.v[i].rule);
        if (rule && rule - s->rules->v.v < RULES_MOST)
            s->place[rule - s->rules->v.v] = 0;
    }
    for (size_t i = 0; i < RULES_MOST; i++)
        if (s->place[i] == 0)
            s->place[i] = next++;
}

/* A list with the one place of a finding. */
static void sarif_locations(struct sarif *s, const char *key, const struct lw_finding *f,
                            const struct lw_finding_edit *at)
{
    struct lw_jsonw *w = &s->w;
    lw_json_key(w, key);
    lw_json_array(w);
    lw_json_object(w);
    lw_json_key(w, "physicalLocation");
    lw_json_object(w);
    sarif_artifact(w, f->path);
    sarif_region(s, "region", f, at);
    lw_json_end(w);
    lw_json_end(w);
    lw_json_end(w);
}

static void sarif_result(struct sarif *s, const struct lw_finding *f)
{
    struct lw_jsonw *w = &s->w;
    struct lw_finding_edit at = {f->line, f->column, f->end_line, f->end_column, {0}};
    const struct lw_check_rule *rule = lw_check_rule_find(s->rules, f->rule);
    lw_json_object(w);
    lw_json_key_text(w, "ruleId", f->rule);
    if (rule && rule - s->rules->v.v < RULES_MOST)
        lw_json_key_int(w, "ruleIndex", s->place[rule - s->rules->v.v]);
    lw_json_key_text(w, "level", lw_str(lw_severity_name(f->severity)));
    lw_json_key_double(w, "rank", 100 * f->confidence);
    sarif_text(w, "message", f->message);
    sarif_locations(s, "locations", f, &at);
    struct lw_finding_edit shows = {
        f->related.line, f->related.column, f->related.end_line, f->related.end_column, {0}};
    if (shows.line)
        sarif_locations(s, "relatedLocations", f, &shows);
    if (!f->cell && f->fix.edit_count) /* lines of a cell are not those of the file */
        sarif_fix(s, f);
    if (f->cell || f->detail.n) {
        lw_json_key(w, "properties");
        lw_json_object(w);
        if (f->cell)
            lw_json_key_int(w, "cell", f->cell);
        if (f->detail.n)
            lw_json_key_text(w, "detail", f->detail);
        lw_json_end(w);
    }
    lw_json_end(w);
}

static void sarif_tool(struct sarif *s)
{
    struct lw_jsonw *w = &s->w;
    lw_json_key(w, "tool");
    lw_json_object(w);
    lw_json_key(w, "driver");
    lw_json_object(w);
    lw_json_key_text(w, "name", LW_S("lacewing"));
    lw_json_key_text(w, "version", LW_S(LW_VERSION));
    lw_json_key(w, "rules");
    lw_json_array(w);
    for (size_t i = 0; i < s->rules->v.n && i < RULES_MOST; i++)
        if (s->place[i] >= 0)
            sarif_rule(w, &s->rules->v.v[i]);
    lw_json_end(w);
    lw_json_end(w);
    lw_json_end(w);
}

/* A file that was read in part. */
static void sarif_broken(struct lw_jsonw *w, const struct lw_check_broken *b)
{
    lw_json_object(w);
    lw_json_key_text(w, "level", LW_S("warning"));
    sarif_text(w, "message", lw_str(b->message));
    lw_json_key(w, "locations");
    lw_json_array(w);
    lw_json_object(w);
    lw_json_key(w, "physicalLocation");
    lw_json_object(w);
    sarif_artifact(w, b->path);
    lw_json_key(w, "region");
    lw_json_object(w);
    lw_json_key_int(w, "startLine", b->line);
    lw_json_end(w);
    lw_json_end(w);
    lw_json_end(w);
    lw_json_end(w);
    lw_json_end(w);
}

/* What could not be read. */
static void sarif_invocation(struct sarif *s)
{
    struct lw_jsonw *w = &s->w;
    lw_json_key(w, "invocations");
    lw_json_array(w);
    lw_json_object(w);
    lw_json_key_bool(w, "executionSuccessful", s->r->errors.n == 0);
    lw_json_key(w, "toolExecutionNotifications");
    lw_json_array(w);
    for (size_t i = 0; i < s->r->errors.n; i++) {
        lw_json_object(w);
        lw_json_key_text(w, "level", LW_S("error"));
        sarif_text(w, "message", s->r->errors.v[i].message);
        lw_json_end(w);
    }
    for (size_t i = 0; i < s->r->broken.n; i++)
        sarif_broken(w, &s->r->broken.v[i]);
    lw_json_end(w);
    lw_json_end(w);
    lw_json_end(w);
}

void lw_check_print_sarif(struct lw_sink *out, struct lw_mem *mem,
                          const struct lw_check_result *r, const struct lw_check_rules *rules)
{
    struct sarif s = {.r = r, .rules = rules};
    struct lw_jsonw *w = &s.w;
    lw_arena_init(&s.shown.arena, mem, 0);
    number_rules(&s);
    lw_jsonw_init(w, out, false);
    lw_json_object(w);
    lw_json_key_text(w, "version", LW_S("2.1.0"));
    lw_json_key_text(w, "$schema", LW_S("https://json.schemastore.org/sarif-2.1.0.json"));
    lw_json_key(w, "runs");
    lw_json_array(w);
    lw_json_object(w);
    sarif_tool(&s);
    sarif_invocation(&s);
    lw_json_key_text(w, "columnKind", LW_S("unicodeCodePoints"));
    lw_json_key(w, "results");
    lw_json_array(w);
    for (size_t i = 0; i < r->findings.n; i++)
        sarif_result(&s, &r->findings.v[i]);
    lw_json_end(w);
    lw_json_end(w);
    lw_json_end(w);
    lw_json_end(w);
    lw_arena_release(&s.shown.arena);
}

/* ---- GitHub -------------------------------------------------------------------------------
 */

/* Workflow commands escape %, CR and LF; properties also ':' and ','. The rest is printed as
 * elsewhere: the log of a workflow is looked at in a terminal too. */
static void put_escaped(struct lw_sink *out, struct lw_str s, bool property)
{
    size_t plain = 0; /* where what has no escape of its own begins */
    for (size_t i = 0; i < s.n; i++) {
        char ch = s.p[i];
        if (ch != '%' && ch != '\r' && ch != '\n' && !(property && (ch == ':' || ch == ',')))
            continue;
        lw_put_safe(out, lw_str_part(s, plain, i - plain), false);
        lw_putf(out, "%%%02X", (unsigned char)ch);
        plain = i + 1;
    }
    lw_put_safe(out, lw_str_from(s, plain), false);
}

/* Columns are allowed only where one line is meant; lines of a cell are not those of the file.
 */
static void put_annotation(struct lw_sink *out, struct shown *s, const struct lw_finding *f)
{
    lw_putf(out, "::%s file=",
            f->severity == LW_SEVERITY_NOTE ? "notice" : lw_severity_name(f->severity));
    put_escaped(out, f->path, true);
    if (!f->cell && f->line < f->end_line)
        lw_putf(out, ",line=%u,endLine=%u", f->line, f->end_line);
    else if (!f->cell)
        lw_putf(out, ",line=%u,col=%u,endLine=%u,endColumn=%u", f->line,
                character(s, f, f->line, f->column), f->line,
                character(s, f, f->line, f->end_column));
    lw_putz(out, ",title=");
    put_escaped(out, f->rule, true);
    lw_putz(out, "::");
    if (f->cell)
        lw_putf(out, "cell %u, line %u: ", f->cell, f->line);
    put_escaped(out, f->message, false);
    if (f->detail.n)
        lw_putz(out, "%0A");
    put_escaped(out, f->detail, false);
    if (f->fix.edit_count) {
        lw_putz(out, "%0Afix: ");
        put_escaped(out, f->fix.description, false);
    }
    lw_put_char(out, '\n');
}

void lw_check_print_github(struct lw_sink *out, struct lw_mem *mem,
                           const struct lw_check_result *r)
{
    struct shown s = {0};
    lw_arena_init(&s.arena, mem, 0);
    for (size_t i = 0; i < r->findings.n; i++) {
        open_source(&s, r->findings.v[i].path, &r->input);
        put_annotation(out, &s, &r->findings.v[i]);
    }
    lw_arena_release(&s.arena);
}

/* ---- rules --------------------------------------------------------------------------------
 */

void lw_check_print_rules(struct lw_sink *out, const struct lw_check_rules *rules)
{
    size_t width = 0;
    for (size_t i = 0; i < rules->v.n; i++)
        width = rules->v.v[i].id.n > width ? rules->v.v[i].id.n : width;
    for (size_t i = 0; i < rules->v.n; i++) {
        const struct lw_check_rule *r = &rules->v.v[i];
        lw_putf(out, "%-*.*s  %-7s  %.*s%s\n", (int)width, LW_F(r->id),
                lw_severity_name(r->severity), LW_F(r->title), r->off ? " (off)" : "");
    }
}

void lw_check_print_rules_json(struct lw_sink *out, const struct lw_check_rules *rules)
{
    struct lw_jsonw w;
    lw_jsonw_init(&w, out, false);
    lw_json_array(&w);
    for (size_t i = 0; i < rules->v.n; i++) {
        const struct lw_check_rule *r = &rules->v.v[i];
        lw_json_object(&w);
        lw_json_key_text(&w, "rule", r->id);
        lw_json_key_text(&w, "category", r->category);
        lw_json_key_text(&w, "severity", lw_str(lw_severity_name(r->severity)));
        lw_json_key_bool(&w, "default", !r->off);
        lw_json_key_bool(&w, "fixable", lw_check_rule_has_fix(r->id));
        lw_json_key_text(&w, "title", r->title);
        lw_json_key_text(&w, "why", r->why);
        lw_json_key_text(&w, "source", r->source);
        lw_json_end(&w);
    }
    lw_json_end(&w);
}

static void put_indented(struct lw_sink *out, struct lw_str text)
{
    struct lw_str line;
    while (lw_str_line(&text, &line))
        lw_putf(out, line.n ? "    %.*s\n" : "%.*s\n", LW_F(line));
}

void lw_check_print_rule(struct lw_sink *out, const struct lw_term *term,
                         const struct lw_check_rule *r)
{
    lw_putf(out, "%s%.*s%s (%s%s)\n\n%.*s\n", lw_colour(term, LW_BOLD), LW_F(r->id),
            lw_colour(term, LW_PLAIN), lw_severity_name(r->severity), r->off ? ", off" : "",
            LW_F(r->title));
    if (r->why.n)
        lw_putf(out, "\n%.*s\n", LW_F(r->why));
    struct lw_str wrong = lw_check_rule_example(r, true);
    struct lw_str right = lw_check_rule_example(r, false);
    if (wrong.n) {
        lw_putz(out, "\nWrong:\n\n");
        put_indented(out, wrong);
    }
    if (right.n) {
        lw_putz(out, "\nRight:\n\n");
        put_indented(out, right);
    }
    if (lw_check_rule_has_fix(r->id))
        lw_putz(out, "\n--fix applies a safe fix where there is one.\n");
    if (r->source.n)
        lw_putf(out, "\nSource: %.*s\n", LW_F(r->source));
    lw_putf(out, "\nA comment \"# lacewing: ignore[%.*s] why\" on the line silences it.\n",
            LW_F(r->id));
}
