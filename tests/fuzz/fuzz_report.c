/* Any bytes are a report or an error; blocks follow each other, hold every detail and every
 * line that says something; details are in text order; all ranges lie inside the text. */
#include "report/report.h"
#include "source_invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void inside(struct lw_str text, struct lw_str part)
{
    INVARIANT(part.n == 0 || (part.p >= text.p && part.p + part.n <= text.p + text.n));
}

static void check_detail(const lw_report *r, const struct lw_fact *f)
{
    struct lw_str text = lw_report_text(r);
    const struct lw_fact *b = lw_report_block(r, f->block);
    INVARIANT(f->start < f->end && f->end <= text.n);
    INVARIANT(b->start <= f->start && f->end <= b->end);
    if (f->kind != LW_FACT_DATA) /* the name of a data set is ours */
        inside(text, f->text);
    INVARIANT(lw_fact_value(f).n || f->kind == LW_FACT_EXCEPTION);
    if (f->kind == LW_FACT_FRAME)
        inside(text, f->frame.function), inside(text, f->frame.code);
    if (f->kind == LW_FACT_EXCEPTION)
        inside(text, f->exception.type), inside(text, f->exception.message);
    if (f->kind == LW_FACT_LINK)
        inside(text, f->link.label), inside(text, f->link.path), inside(text, f->link.rev);
}

/* Blank, a fence, or the rule before a comment. */
static bool says_nothing(struct lw_str line)
{
    struct lw_str s = lw_str_trim(line);
    return !s.n || s.p[0] == '`' || s.p[0] == '~' || lw_str_eq(s, LW_S("---"));
}

static void check_lines(const lw_report *r)
{
    struct lw_str text = lw_report_text(r), rest = text, line;
    const struct lw_fact *b = lw_report_next_block(r, NULL);
    while (lw_str_line(&rest, &line)) {
        uint32_t start = (uint32_t)(line.p - text.p), end = start + (uint32_t)line.n;
        while (b && b->end < end)
            b = lw_report_next_block(r, b);
        INVARIANT(says_nothing(line) || (b && b->start <= start));
    }
}

static void check(const lw_report *r)
{
    check_lines(r);
    uint32_t end = 0, number = 0;
    for (const struct lw_fact *b = NULL; (b = lw_report_next_block(r, b)); number++) {
        INVARIANT(b->block == number && b->start >= end && b->start <= b->end);
        INVARIANT(b->end <= lw_report_text(r).n);
        end = b->end;
    }
    for (int kind = LW_FACT_BLOCKS; kind < LW_FACT_KINDS; kind++) {
        const struct lw_fact *before = NULL;
        size_t n = 0;
        for (const struct lw_fact *f = NULL;
             (f = lw_report_next(r, (enum lw_fact_kind)kind, f)); n++) {
            check_detail(r, f);
            INVARIANT(!before || before->start <= f->start);
            before = f;
        }
        INVARIANT(n == lw_report_count(r, (enum lw_fact_kind)kind));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_str text = lw_str_n((const char *)data, size);
    struct lw_err err = {0};
    lw_report *r = NULL;
    if (lw_report_read(&r, NULL, NULL, LW_S("fuzz"), text, &err) == 0) {
        check(r);
        lw_report_free(r);
    }
    if (lw_report_parse(&r, NULL, NULL, lw_str_part(text, 0, 40), text, &err) == 0) {
        check(r);
        lw_report_free(r);
    }
    return 0;
}
