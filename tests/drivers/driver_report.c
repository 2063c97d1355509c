/* Prints the facts of report files, a fact a line: kind, range, what it says. With -q only how
 * many there are of each kind. */
#include <stdio.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/num.h"
#include "base/str.h"
#include "report/report.h"

/* On one line. */
static void put(struct lw_str value)
{
    for (size_t i = 0; i < value.n; i++)
        if (value.p[i] == '\n')
            printf("\\n");
        else
            putchar(value.p[i]);
}

static void field(const char *name, struct lw_str value)
{
    if (!value.n)
        return;
    printf(" %s=", name);
    put(value);
}

static void number(const char *name, uint32_t value)
{
    if (value)
        printf(" %s=%u", name, value);
}

static void count(const char *name, int64_t value)
{
    if (value >= 0)
        printf(" %s=%lld", name, (long long)value);
}

static void real(const char *name, double value)
{
    char text[LW_DOUBLE_TEXT];
    printf(" %s=%s", name, lw_print_double(value, text));
}

static void print_block(const lw_report *r, const struct lw_fact *b)
{
    struct lw_str rest = b->text, line = {0};
    (void)lw_str_line(&rest, &line);
    printf("%s %u-%u", lw_fact_kind_name(b->kind), b->start, b->end);
    field("section", lw_fact_name(b));
    number("comment", lw_report_comment(r, b));
    if (b->kind == LW_FACT_CODE || b->kind == LW_FACT_OUTPUT) {
        static const char *const sorts[] = {"",          " log",  " shell",
                                            " versions", " diff", " model"};
        printf("%s%s%s%s", b->code.fenced ? " fenced" : " bare", sorts[b->code.sort],
               b->code.prompts ? " prompts" : "", b->code.elided ? " elided" : "");
        field("language", b->code.language);
    }
    if (b->kind == LW_FACT_TRACE) {
        static const char *const styles[] = {"python", "tensorflow", "ipython",
                                             "pytest", "autograph",  "native"};
        printf(" %s%s frames=%u", styles[b->trace.style], b->trace.chained ? " chained" : "",
               b->trace.frames);
    }
    printf(" | %.*s\n", LW_F(line));
}

static void print_detail(const struct lw_fact *f)
{
    static const char *const shapes[] = {"word", "class", "snake", "called"};
    printf("  %s %u-%u ", lw_fact_kind_name(f->kind), f->start, f->end);
    put(f->kind == LW_FACT_EXCEPTION ? f->text : lw_fact_value(f));
    switch (f->kind) {
    case LW_FACT_FRAME:
        number("line", f->frame.line);
        field("function", f->frame.function);
        field("code", f->frame.code);
        break;
    case LW_FACT_EXCEPTION:
        field("type", f->exception.type);
        field("message", f->exception.message);
        break;
    case LW_FACT_FILE: number("line", f->file.line); break;
    case LW_FACT_NAME:
        printf(" %s%s", shapes[f->word.shape], f->word.quoted ? " quoted" : "");
        break;
    case LW_FACT_LINK:
        field("label", f->link.label);
        field("repo", f->link.repo);
        field("rev", f->link.rev);
        field("path", f->link.path);
        number("first", f->link.first_line);
        number("last", f->link.last_line);
        break;
    case LW_FACT_VERSION:
        field("library", f->name);
        printf("%s", f->version.listed ? " listed" : "");
        break;
    case LW_FACT_SYSTEM:
        field("name", f->name);
        field("family", f->system.family);
        break;
    case LW_FACT_HARDWARE:
    case LW_FACT_DEVICE:
        field("name", f->name);
        number("count", f->hardware.count);
        break;
    case LW_FACT_SHAPE:
        field("name", f->name);
        for (uint32_t i = 0; i < f->shape.rank && i < LW_SHAPE_MAX; i++)
            printf("%s%lld", i ? "," : " dims=", (long long)f->shape.dims[i]);
        break;
    case LW_FACT_DATA:
    case LW_FACT_SETTING:
        field("name", f->name);
        if (f->number.has_number)
            real("number", f->number.low);
        if (f->number.has_number && f->number.high != f->number.low)
            real("high", f->number.high);
        break;
    case LW_FACT_LAYER:
        field("name", f->name);
        count("inputs", f->layer.inputs);
        count("width", f->layer.width);
        field("activation", f->layer.activation);
        break;
    case LW_FACT_METRIC:
        field("name", f->name);
        real("number", f->metric.value);
        count("epoch", f->metric.epoch);
        count("step", f->metric.step);
        printf("%s", f->metric.logged ? " logged" : "");
        break;
    default: field("name", lw_fact_name(f)); break;
    }
    printf("\n");
}

static void print_facts(const lw_report *r)
{
    for (size_t i = 0; lw_report_tag(r, i).n; i++)
        printf("tag %.*s\n", LW_F(lw_report_tag(r, i)));
    for (const struct lw_fact *b = NULL; (b = lw_report_next_block(r, b));) {
        print_block(r, b);
        for (int kind = LW_FACT_BLOCKS; kind < LW_FACT_KINDS; kind++)
            for (const struct lw_fact *f = NULL;
                 (f = lw_report_next_in(r, b, (enum lw_fact_kind)kind, f));)
                print_detail(f);
    }
}

static void print_counts(const lw_report *r)
{
    for (int kind = 0; kind < LW_FACT_KINDS; kind++)
        printf("%s%s %zu", kind ? ", " : "", lw_fact_kind_name((enum lw_fact_kind)kind),
               lw_report_count(r, (enum lw_fact_kind)kind));
    printf("\n");
}

static int print_report(const char *path, bool quiet, struct lw_err *err)
{
    struct lw_arena arena;
    struct lw_str bytes;
    lw_report *r = NULL;
    lw_arena_init(&arena, NULL, 0);
    int rc = lw_file_read(&arena, path, LW_REPORT_MAX, &bytes, err);
    if (rc == 0)
        rc = lw_report_read(&r, NULL, NULL, lw_str(path), bytes, err);
    if (rc == 0 && quiet)
        print_counts(r);
    else if (rc == 0)
        print_facts(r);
    lw_report_free(r);
    lw_arena_release(&arena);
    return rc;
}

int main(int argc, char **argv)
{
    struct lw_err err = {0};
    bool quiet = argc > 1 && lw_str_eq(lw_str(argv[1]), LW_S("-q"));
    for (int i = quiet ? 2 : 1; i < argc; i++)
        if (print_report(argv[i], quiet, &err) < 0) {
            fprintf(stderr, "%s\n", err.text);
            return 2;
        }
    return 0;
}
