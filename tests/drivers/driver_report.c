/* Prints the facts of report files, a fact a line: kind, range, what it says. */
#include <stdio.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"
#include "report/report.h"

static void field(const char *name, struct lw_str value)
{
    if (value.n)
        printf(" %s=%.*s", name, LW_F(value));
}

static void number(const char *name, uint32_t value)
{
    if (value)
        printf(" %s=%u", name, value);
}

static void print_block(const struct lw_fact *b)
{
    struct lw_str rest = b->text, line = {0};
    (void)lw_str_line(&rest, &line);
    printf("%s %u-%u", lw_fact_kind_name(b->kind), b->start, b->end);
    if (b->kind == LW_FACT_CODE || b->kind == LW_FACT_OUTPUT)
        printf("%s", b->code.fenced ? " fenced" : " bare"), field("language", b->code.language);
    if (b->kind == LW_FACT_TRACE) {
        static const char *const styles[] = {"python", "tensorflow", "ipython", "pytest",
                                             "autograph"};
        printf(" %s%s frames=%u", styles[b->trace.style], b->trace.chained ? " chained" : "",
               b->trace.frames);
    }
    printf(" | %.*s\n", LW_F(line));
}

static void print_detail(const struct lw_fact *f)
{
    static const char *const shapes[] = {"word", "class", "snake", "called"};
    printf("  %s %u-%u %.*s", lw_fact_kind_name(f->kind), f->start, f->end, LW_F(f->text));
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
        printf(" %s%s", shapes[f->name.shape], f->name.quoted ? " quoted" : "");
        break;
    case LW_FACT_LINK:
        field("label", f->link.label);
        field("repo", f->link.repo);
        field("rev", f->link.rev);
        field("path", f->link.path);
        number("first", f->link.first_line);
        number("last", f->link.last_line);
        break;
    case LW_FACT_VERSION: field("library", f->version.library); break;
    default: break;
    }
    printf("\n");
}

static int print_report(const char *path, struct lw_err *err)
{
    struct lw_arena arena;
    struct lw_str bytes;
    lw_report *r = NULL;
    lw_arena_init(&arena, NULL, 0);
    int rc = lw_file_read(&arena, path, LW_REPORT_MAX, &bytes, err);
    if (rc == 0)
        rc = lw_report_read(&r, NULL, lw_str(path), bytes, err);
    for (const struct lw_fact *b = NULL; r && (b = lw_report_next_block(r, b));) {
        print_block(b);
        for (int kind = LW_FACT_BLOCKS; kind < LW_FACT_KINDS; kind++)
            for (const struct lw_fact *f = NULL;
                 (f = lw_report_next_in(r, b, (enum lw_fact_kind)kind, f));)
                print_detail(f);
    }
    lw_report_free(r);
    lw_arena_release(&arena);
    return rc;
}

int main(int argc, char **argv)
{
    struct lw_err err = {0};
    for (int i = 1; i < argc; i++)
        if (print_report(argv[i], &err) < 0) {
            fprintf(stderr, "%s\n", err.text);
            return 2;
        }
    return 0;
}
