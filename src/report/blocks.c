/*
 * The text cut into blocks: lines are given kinds, then lines of one kind become one block.
 */
#include "report/internal.h"

static int split_lines(struct lw_report *r, report_lines *lines, struct lw_err *err)
{
    struct lw_str rest = r->text, line;
    while (lw_str_line(&rest, &line)) {
        uint32_t start = (uint32_t)(line.p - r->text.p);
        struct report_line l = {
            .start = start, .end = start + (uint32_t)line.n, .kind = REPORT_LINE_PROSE};
        if (!lw_str_trim(line).n)
            l.kind = REPORT_LINE_BLANK;
        if (lw_vec_push(r->mem, lines, l) < 0)
            return lw_err_nomem(err);
    }
    return 0;
}

/* The mark of a fence: ``` or ~~~, at least three. Its length, 0 when the line is none. */
static size_t fence_of(struct lw_str line)
{
    struct lw_str s = lw_str_trim(line);
    size_t n = 0;
    while (n < s.n && s.p[n] == s.p[0] && (s.p[0] == '`' || s.p[0] == '~'))
        n++;
    return n >= 3 && lw_str_find_char(lw_str_from(s, n), '`') < 0 ? n : 0;
}

/* "# Title", "**Title**" alone on a line, "Environment:" */
static bool is_heading(const struct lw_report *r, struct lw_str line)
{
    struct lw_str said = lw_str_trim(line);
    if (report_is_section(r->words, line) &&
        (strchr("*:_", said.p[said.n - 1]) ||
         (report_is_upper(said.p[0]) && lw_str_find_char(said, ' ') > 0)))
        return true;
    size_t n = 0;
    while (n < line.n && line.p[n] == '#')
        n++;
    return n >= 1 && n <= 6 && n < line.n && report_is_blank(line.p[n]);
}

/* The rules before comments belong to no block, and what follows begins a new one. */
static void mark_comments(const struct lw_report *r, report_lines *lines)
{
    size_t comment = 0;
    bool first = false;
    for (size_t i = 1; i < lines->n && (first || comment < r->comments.n); i++) {
        struct report_line *l = &lines->v[i];
        if (comment < r->comments.n && l->end + 1 == r->comments.v[comment]) {
            l->kind = REPORT_LINE_FENCE;
            comment++;
            first = true;
        } else if (first && l->kind != REPORT_LINE_BLANK) {
            l->starts = true;
            first = false;
        }
    }
}

/* Fences and headings. A fence that is never closed holds the rest, as Markdown has it. */
static void mark_markdown(struct lw_report *r, report_lines *lines)
{
    uint32_t fence = 0, number = 0;
    char mark = 0;
    size_t width = 0;
    for (size_t i = 1; i < lines->n; i++) {
        struct report_line *l = &lines->v[i];
        struct lw_str s = report_line_text(r, l);
        if (l->kind == REPORT_LINE_FENCE) { /* the rule before a comment ends all fences */
            fence = 0;
            continue;
        }
        size_t n = fence_of(s);
        char first = n ? lw_str_trim(s).p[0] : 0;
        bool closes = fence && n >= width && first == mark && lw_str_trim(s).n == n;
        if ((n && !fence) || closes) {
            l->kind = REPORT_LINE_FENCE;
            fence = fence ? 0 : ++number;
            mark = first;
            width = n;
        } else if (fence) {
            l->fence = fence;
            l->fenced = true;
        } else if (l->kind == REPORT_LINE_PROSE && is_heading(r, s)) {
            l->kind = REPORT_LINE_HEADING;
        }
    }
}

/* ---- Fenced text ------------------------------------------------------------------------- */

static bool is_one_of(struct lw_str s, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lw_str_eq_nocase(s, lw_str(words[i])))
            return true;
    return false;
}

/* The language behind the opening mark of the fence that holds line `i`. */
static struct lw_str language_of(const struct lw_report *r, const report_lines *lines, size_t i)
{
    while (i > 0 && lines->v[i].kind != REPORT_LINE_FENCE)
        i--;
    struct lw_str s = lw_str_trim(report_line_text(r, &lines->v[i]));
    size_t n = fence_of(s);
    s = lw_str_trim(lw_str_from(s, n));
    size_t end = 0;
    while (end < s.n && !report_is_blank(s.p[end]) && s.p[end] != '{')
        end++;
    return lw_str_part(s, 0, end);
}

/* The lines [i, end) stand in one fence and belong to no traceback. */
static int judge_fenced(struct lw_report *r, report_lines *lines, size_t i, size_t end,
                        struct lw_err *err)
{
    static const char *const python[] = {"python", "py", "python3", "ipython", "pycon", "py3"};
    struct lw_str language = language_of(r, lines, i);
    bool is = is_one_of(language, python, sizeof python / sizeof *python);
    if (!is && !language.n) {
        uint32_t start = lines->v[i].start;
        int rc = report_is_python(r, lw_str_n(r->text.p + start, lines->v[end - 1].end - start),
                                  &is, err);
        if (rc < 0)
            return rc;
    }
    for (size_t k = i; k < end; k++)
        if (lines->v[k].kind == REPORT_LINE_PROSE)
            lines->v[k].kind = is ? REPORT_LINE_CODE : REPORT_LINE_OUTPUT;
    return 0;
}

static int mark_fenced(struct lw_report *r, report_lines *lines, struct lw_err *err)
{
    for (size_t i = 1; i < lines->n; i++) {
        if (!lines->v[i].fenced || lines->v[i].kind != REPORT_LINE_PROSE)
            continue;
        size_t end = i + 1;
        while (end < lines->n && lines->v[end].fence == lines->v[i].fence &&
               lines->v[end].kind != REPORT_LINE_TRACE)
            end++;
        int rc = judge_fenced(r, lines, i, end, err);
        if (rc < 0)
            return rc;
        i = end - 1;
    }
    return 0;
}

/* ---- Lines to blocks --------------------------------------------------------------------- */

static enum lw_fact_kind block_kind(const struct report_line *l)
{
    switch ((enum report_line_kind)l->kind) {
    case REPORT_LINE_HEADING: return LW_FACT_HEADING;
    case REPORT_LINE_CODE: return LW_FACT_CODE;
    case REPORT_LINE_TRACE: return LW_FACT_TRACE;
    case REPORT_LINE_OUTPUT: return LW_FACT_OUTPUT;
    default: return LW_FACT_PROSE;
    }
}

static struct lw_fact new_block(const struct lw_report *r, const report_lines *lines, size_t i)
{
    const struct report_line *l = &lines->v[i];
    struct lw_fact b = {
        .kind = i ? block_kind(l) : LW_FACT_SUMMARY, .start = l->start, .end = l->end};
    if (b.kind == LW_FACT_CODE || b.kind == LW_FACT_OUTPUT) {
        b.code.fenced = l->fenced;
        b.code.sort = (enum lw_output_sort)l->sort;
        if (l->fenced)
            b.code.language = language_of(r, lines, i);
    } else if (b.kind == LW_FACT_TRACE) {
        b.trace.style = (enum lw_trace_style)l->style;
        b.trace.chained = l->chained;
    }
    return b;
}

/* A line goes on with the block of the line before unless something tells them apart. Blank
 * lines are inside a block when lines of it follow. */
static bool goes_on(const struct lw_fact *b, const struct report_line *before,
                    const struct report_line *l)
{
    return !l->starts && b->kind == block_kind(l) && b->kind != LW_FACT_HEADING &&
           before->fence == l->fence && before->sort == l->sort;
}

static int make_blocks(struct lw_report *r, const report_lines *lines, struct lw_err *err)
{
    size_t before = 0;
    for (size_t i = 0; i < lines->n; i++) {
        const struct report_line *l = &lines->v[i];
        if (i && (l->kind == REPORT_LINE_BLANK || l->kind == REPORT_LINE_FENCE))
            continue;
        struct lw_fact *b = r->blocks.n ? &r->blocks.v[r->blocks.n - 1] : NULL;
        if (i > 1 && b->kind != LW_FACT_SUMMARY && goes_on(b, &lines->v[before], l)) {
            b->end = l->end;
            if (b->kind == LW_FACT_TRACE) /* the first line may only introduce it */
                b->trace.style = (enum lw_trace_style)l->style;
        } else if (lw_vec_push(r->mem, &r->blocks, new_block(r, lines, i)) < 0)
            return lw_err_nomem(err);
        before = i;
    }
    return 0;
}

static void look_into(struct lw_fact *b)
{
    struct lw_str rest = b->text, line;
    while (lw_str_line(&rest, &line)) {
        struct lw_str s = lw_str_trim(line);
        b->code.prompts |= report_prompt(line) > 0;
        b->code.elided |= lw_str_eq(s, LW_S("...")) || lw_str_eq(s, LW_S("\xe2\x80\xa6"));
    }
}

/* What only the whole block tells: its text, its section, its sort. */
static int finish_blocks(struct lw_report *r, struct lw_err *err)
{
    struct lw_str section = {0};
    size_t comment = 0;
    for (size_t i = 0; i < r->blocks.n; i++) {
        struct lw_fact *b = &r->blocks.v[i];
        b->block = (uint32_t)i;
        b->text = lw_str_n(r->text.p + b->start, b->end - b->start);
        while (comment < r->comments.n && r->comments.v[comment] <= b->start) {
            section = (struct lw_str){0};
            comment++;
        }
        if (b->kind == LW_FACT_HEADING)
            section = report_section(r->words, b->text);
        b->name = section;
        if (b->kind == LW_FACT_CODE || b->kind == LW_FACT_OUTPUT)
            look_into(b);
        if (b->kind == LW_FACT_OUTPUT && b->code.fenced && report_sort_output(r, b) < 0)
            return lw_err_nomem(err);
    }
    return 0;
}

int report_blocks(struct lw_report *r, struct lw_err *err)
{
    report_lines lines = {0};
    int rc = split_lines(r, &lines, err);
    if (rc == 0) {
        mark_comments(r, &lines);
        mark_markdown(r, &lines);
        report_find_traces(r, &lines);
        rc = mark_fenced(r, &lines, err);
    }
    if (rc == 0)
        rc = report_find_code(r, &lines, err);
    if (rc == 0)
        rc = report_find_outputs(r, &lines, err);
    if (rc == 0)
        rc = make_blocks(r, &lines, err);
    if (rc == 0)
        rc = finish_blocks(r, err);
    lw_vec_release(r->mem, &lines);
    return rc;
}
