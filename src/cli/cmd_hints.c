/* hints: what to look for and what to try first, by the type of the bug. */
#include "base/err.h"
#include "base/str.h"
#include "cli/commands.h"
#include "cli/triage.h"

static void print_json(struct cli *cli, const struct lw_triage *t)
{
    struct lw_jsonw w;
    lw_jsonw_init(&w, &cli->out, false);
    lw_json_object(&w);
    lw_json_key_text(&w, "summary", t->summary);
    lw_json_key_text(&w, "type", lw_str(lw_bug_type_name(t->type.type)));
    lw_json_key_text_or_null(&w, "sub_fault", t->sub_fault);
    lw_json_key(&w, "information");
    triage_json_rules(&w, t->information, LW_SHOWN_INFORMATION);
    lw_json_key(&w, "actions");
    triage_json_rules(&w, t->actions, LW_SHOWN_ACTIONS);
    lw_json_key(&w, "sub_fault_actions");
    if (t->sub_actions)
        triage_json_rules(&w, t->sub_actions, LW_SHOWN_ACTIONS);
    else
        lw_json_null(&w);
    lw_json_key_text_or_null(&w, "focus", t->focus);
    lw_json_end(&w);
}

static void put_heading(struct cli *cli, const char *what, const struct lw_advice *a,
                        struct lw_str type)
{
    if (a->pooled)
        lw_putf(&cli->out,
                "%s (over all types: there are too few reproduced %.*s bugs for rules of their "
                "own)\n",
                what, LW_F(type));
    else
        lw_putf(&cli->out, "%s (%.*s)\n", what, LW_F(type));
}

static void print_text(struct cli *cli, const struct lw_triage *t)
{
    struct lw_sink *out = &cli->out;
    struct lw_str type = lw_str(lw_bug_type_name(t->type.type));
    lw_putf(out, "type: %.*s\n", LW_F(type));
    if (t->focus.n > 0) {
        lw_putz(out, "look first at: ");
        lw_put_safe(out, t->focus, false);
        lw_put_char(out, '\n');
    }
    put_heading(cli, "\ninformation that reproducing needed", t->information, type);
    triage_put_rules(out, t->information, LW_SHOWN_INFORMATION);
    put_heading(cli, "\nedit actions that reproduced such bugs", t->actions, type);
    triage_put_rules(out, t->actions, LW_SHOWN_ACTIONS);
    if (t->sub_actions) {
        put_heading(cli, "\nedit actions for the sub-fault", t->sub_actions, t->sub_fault);
        triage_put_rules(out, t->sub_actions, LW_SHOWN_ACTIONS);
    }
}

static int run(struct cli *cli, struct lw_err *err)
{
    const struct lw_report_item item = {.name = lw_str(cli->args[0])};
    struct lw_triage triage;
    lw_triager *triager = NULL;
    lw_report *report = NULL;
    int rc = lw_report_item_read(&report, cli->ctx.mem, NULL, &item, err);
    if (rc == 0)
        rc = lw_triager_new(&triager, cli->ctx.mem, err);
    if (rc == 0)
        rc = lw_triage_report(&triage, triager, report, &cli->arena, err);
    if (rc == 0 && cli_wants(cli, "json"))
        print_json(cli, &triage);
    else if (rc == 0)
        print_text(cli, &triage);
    lw_triager_free(triager);
    lw_report_free(report);
    return rc;
}

static const struct cli_option options[] = {
    {"format", 0, "F", "text|json", "how to print"},
    {NULL, 0, NULL, NULL, NULL},
};

const struct cli_command cmd_hints = {
    .name = "hints",
    .usage = "FILE",
    .summary = "say what to look for and what to try to reproduce a report",
    .details =
        "The type of the report decides. Rules 'type -> information' and 'type -> edit action' "
        "are mined by Apriori over 148 bugs that a study reproduced by hand; confidence is the "
        "share of the type's bugs that needed it. Below 30 % a rule is marked weak. A type "
        "with fewer than ten bugs gets the rules over all types, and the output says so. Where "
        "a sub-fault is evident (optimisation, loss, hyperparameters, layer, model), its edit "
        "actions are printed as well.",
    .options = options,
    .examples =
        (const struct cli_example[]){{"lacewing hints report.md", "hints for one report"},
                                     {NULL, NULL}},
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
