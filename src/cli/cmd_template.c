/* template: a form for bug reports, or what a report lacks against it. */
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/commands.h"
#include "cli/triage.h"
#include "triage/form.h"

static enum lw_form_style form_style(const struct cli *cli)
{
    const char *form = cli_value(cli, "form");
    if (form && strcmp(form, "markdown") == 0)
        return LW_FORM_MARKDOWN;
    return form && strcmp(form, "gitlab") == 0 ? LW_FORM_GITLAB : LW_FORM_GITHUB;
}

static void json_check(struct cli *cli, const struct lw_form *form, const bool *answered)
{
    struct lw_jsonw w;
    lw_jsonw_init(&w, &cli->out, false);
    lw_json_object(&w);
    lw_json_key_text(&w, "type", lw_str(lw_bug_type_name(form->type)));
    lw_json_key(&w, "fields");
    lw_json_array(&w);
    for (size_t i = 0; i < form->count; i++) {
        lw_json_object(&w);
        lw_json_key_text(&w, "key", form->field[i].key);
        lw_json_key_bool(&w, "required", form->field[i].required);
        lw_json_key_bool(&w, "answered", answered[i]);
        lw_json_end(&w);
    }
    lw_json_end(&w);
    lw_json_end(&w);
}

static void text_check(struct cli *cli, const struct lw_form *form, const bool *answered)
{
    size_t lacking = 0;
    for (size_t i = 0; i < form->count; i++) {
        const struct lw_form_field *f = &form->field[i];
        if (answered[i])
            continue;
        lw_putf(&cli->out, "%s %.*s: %.*s\n", f->required ? "missing " : "optional",
                LW_F(f->label), LW_F(f->description));
        lacking++;
    }
    if (lacking == 0)
        lw_putf(&cli->out, "The report answers all that a %s bug needs.\n",
                lw_bug_type_name(form->type));
}

/* The exit code: 1 when a required answer is missing. */
static int check_report(struct cli *cli, const lw_triager *triager, struct lw_form *form,
                        const lw_report *report, struct lw_err *err)
{
    struct lw_triage triage;
    bool answered[LW_FORM_FIELDS], lacks = false;
    int rc = lw_triage_report(&triage, triager, report, &cli->arena, err);
    if (rc == 0 && !cli_value(cli, "type"))
        rc = lw_form_make(form, triager, triage.type.type, &cli->arena, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < form->count; i++) {
        answered[i] = lw_form_is_answered(&form->field[i], &triage, report);
        lacks = lacks || (form->field[i].required && !answered[i]);
    }
    if (cli_wants(cli, "json"))
        json_check(cli, form, answered);
    else
        text_check(cli, form, answered);
    return lacks ? 1 : 0;
}

static int run_with(struct cli *cli, const lw_triager *triager, struct lw_err *err)
{
    const char *type = cli_value(cli, "type"), *check = cli_value(cli, "check");
    struct lw_form form;
    lw_report *report = NULL;
    enum lw_bug_type wanted = type ? lw_bug_type_find(lw_str(type)) : LW_TYPE_UNKNOWN;
    int rc = lw_form_make(&form, triager, wanted, &cli->arena, err);
    if (rc < 0)
        return rc;
    if (!check) {
        lw_form_print(&form, form_style(cli), &cli->out);
        return 0;
    }
    const struct lw_report_item item = {.name = lw_str(check)};
    rc = lw_report_item_read(&report, cli->ctx.mem, NULL, &item, err);
    if (rc == 0)
        rc = check_report(cli, triager, &form, report, err);
    lw_report_free(report);
    return rc;
}

static int run(struct cli *cli, struct lw_err *err)
{
    lw_triager *triager;
    int rc = lw_triager_new(&triager, cli->ctx.mem, err);
    if (rc == 0)
        rc = run_with(cli, triager, err);
    lw_triager_free(triager);
    return rc;
}

static const struct cli_option options[] = {
    {"type", 0, "T", "model|tensor|training|gpu|api|data|other",
     "for this type of bug "
     "(default: any)"},
    {"form", 0, "F", "github|markdown|gitlab", "which form to print (default: github)"},
    {"check", 0, "REPORT", NULL, "say what this report lacks instead"},
    {"format", 0, "F", "text|json", "how to print what a report lacks"},
    {NULL, 0, NULL, NULL, NULL},
};

const struct cli_command cmd_template = {
    .name = "template",
    .usage = "[--type T] [--check REPORT]",
    .summary = "print a form for bug reports, or check a report against it",
    .details =
        "The form asks for what reproducing bugs of the type needed, the most useful first. "
        "An answer is required where at least half of the reproduced bugs of the type needed "
        "it. 'github' is an issue form (.github/ISSUE_TEMPLATE/bug.yml).\n\n"
        "--check compares a report with the form of its type. The exit code is 1 when a "
        "required answer is missing.",
    .options = options,
    .examples =
        (const struct cli_example[]){
            {"lacewing template --type training > .github/ISSUE_TEMPLATE/training.yml",
             "an issue form of GitHub"},
            {"lacewing template --form markdown", "a form for any bug as Markdown"},
            {"lacewing template --check report.md", "what a report lacks"},
            {NULL, NULL}},
    .min_args = 0,
    .max_args = 0,
    .run = run,
};
