/* locate: from a bug report to the files, or functions, that likely hold the bug. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/table.h"
#include "cli/locate.h"
#include "locate/query.h"
#include "report/report.h"
#include "triage/triage.h"

/* ---- Shared with locate eval --------------------------------------------------------------
 */

int locate_index_options(struct cli *cli, struct lw_index_options *options, struct lw_err *err)
{
    uint64_t megabytes;
    int rc = cli_number(cli, "cache-limit", LW_CACHE_LIMIT >> 20, 1, 1 << 30, &megabytes, err);
    if (rc < 0)
        return rc;
    options->cache_limit = megabytes << 20;
    options->languages = lw_str(cli_value(cli, "languages"));
    options->cache = cli_value(cli, "cache");
    if (cli_flag(cli, "no-cache")) {
        options->cache = NULL;
    } else if (!options->cache) {
        struct lw_buf path;
        lw_buf_init(&path, cli->ctx.mem, 4096);
        if (lw_cache_default(&path))
            options->cache = lw_arena_copy(&cli->arena, lw_buf_str(&path)).p;
        lw_buf_release(&path);
    }
    return 0;
}

static int unknown_technique(struct lw_str name, struct lw_err *err)
{
    size_t limit = lw_str_typo_limit(name), best = SIZE_MAX;
    const char *guess = NULL;
    for (size_t i = 0; lw_techniques[i]; i++) {
        size_t d = lw_str_distance(name, lw_str(lw_techniques[i]->name), limit);
        if (d <= limit && d < best) {
            best = d;
            guess = lw_techniques[i]->name;
        }
    }
    if (guess)
        return lw_err_set(err, LW_EINVAL, "there is no technique '%.*s'; did you mean '%s'?",
                          LW_F(name), guess);
    return lw_err_set(err, LW_EINVAL,
                      "there is no technique '%.*s'; see 'lacewing locate --list-techniques'",
                      LW_F(name));
}

static int add_setup(struct lw_setup *setups, size_t *n, struct lw_str name, struct lw_err *err)
{
    const struct lw_technique *t = lw_technique_find(name);
    if (!t)
        return unknown_technique(name, err);
    for (size_t i = 0; i < *n; i++)
        if (setups[i].technique == t)
            return 0;
    lw_setup_init(&setups[(*n)++], t);
    return 0;
}

/* "bm25.k1=1.5,buglocator.alpha=0.3" */
static int set_parameters(struct lw_str text, struct lw_setup *setups, size_t n,
                          struct lw_err *err)
{
    struct lw_str one;
    while (lw_str_split(&text, ',', &one)) {
        ptrdiff_t dot = lw_str_find_char(one, '.');
        struct lw_str name = lw_str_part(one, 0, dot < 0 ? 0 : (size_t)dot);
        size_t i = 0;
        while (i < n && !lw_str_eq(lw_str(setups[i].technique->name), name))
            i++;
        if (i == n)
            return lw_err_set(
                err, LW_EINVAL,
                "--set needs TECHNIQUE.PARAMETER=NUMBER of a selected technique, not "
                "'%.*s'",
                LW_F(one));
        int rc = lw_setup_set(&setups[i], lw_str_from(one, (size_t)dot + 1), err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

int locate_setups(struct cli *cli, const char *otherwise, struct lw_setup **setups, size_t *n,
                  struct lw_err *err)
{
    const char *value = cli_value(cli, "technique");
    struct lw_str rest = lw_str(value ? value : otherwise), name;
    struct lw_setup *v = lw_arena_array(&cli->arena, LW_TECHNIQUES_MAX, sizeof *v);
    int rc = v ? 0 : lw_err_nomem(err);
    *n = 0;
    if (lw_str_eq(rest, LW_S("all")))
        for (size_t i = 0; lw_techniques[i] && rc == 0; i++)
            rc = add_setup(v, n, lw_str(lw_techniques[i]->name), err);
    else
        while (rc == 0 && lw_str_split(&rest, ',', &name))
            rc = add_setup(v, n, lw_str_trim(name), err);
    if (rc == 0 && *n == 0)
        rc = lw_err_set(err, LW_EINVAL, "--technique is empty");
    if (rc == 0 && cli_value(cli, "set"))
        rc = set_parameters(lw_str(cli_value(cli, "set")), v, *n, err);
    *setups = v;
    return rc;
}

void locate_say_passed_over(struct cli *cli, const struct lw_index_figures *f)
{
    const struct {
        size_t n;
        const char *what;
    } kinds[] = {{f->absent, "missing from the repository or damaged"},
                 {f->large, "larger than 8 MB"},
                 {f->binary, "binary"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].n)
            lw_log(&cli->ctx.log, LW_LOG_WARNING,
                   "%zu file version%s %s %s: not read, ranked as empty", kinds[i].n,
                   kinds[i].n == 1 ? "" : "s", kinds[i].n == 1 ? "is" : "are", kinds[i].what);
}

/* ---- --list-techniques --------------------------------------------------------------------
 */

static void json_technique(struct lw_jsonw *w, const struct lw_technique *t)
{
    lw_json_object(w);
    lw_json_key_text(w, "name", lw_str(t->name));
    lw_json_key_text(w, "summary", lw_str(t->summary));
    lw_json_key_bool(w, "learnt", t->learner != NULL);
    lw_json_key(w, "parameters");
    lw_json_array(w);
    for (const struct lw_parameter *p = t->parameters; p && p->name; p++) {
        lw_json_object(w);
        lw_json_key_text(w, "name", lw_str(p->name));
        lw_json_key_double(w, "value", p->value);
        lw_json_key_double(w, "least", p->least);
        lw_json_key_double(w, "most", p->most);
        lw_json_key_text(w, "help", lw_str(p->help));
        lw_json_end(w);
    }
    lw_json_end(w);
    lw_json_end(w);
}

static int list_techniques(struct cli *cli)
{
    struct lw_jsonw w;
    bool as_json = cli_wants(cli, "json");
    lw_jsonw_init(&w, &cli->out, false);
    if (as_json)
        lw_json_array(&w);
    for (size_t i = 0; lw_techniques[i]; i++) {
        const struct lw_technique *t = lw_techniques[i];
        if (as_json) {
            json_technique(&w, t);
            continue;
        }
        lw_putf(&cli->out, "%-11s %s\n", t->name, t->summary);
        for (const struct lw_parameter *p = t->parameters; p && p->name; p++)
            lw_putf(&cli->out, "    %s = %g  (%g to %g) %s\n", p->name, p->value, p->least,
                    p->most, p->help);
    }
    if (as_json)
        lw_json_end(&w);
    return 0;
}

/* ---- One report ---------------------------------------------------------------------------
 */

/* An extrinsic bug may have no file to find: that is said first. */
static int find_origin(struct cli *cli, const struct lw_ticket *ticket,
                       struct lw_origin *origin, struct lw_err *err)
{
    lw_report *report;
    int rc = lw_report_parse(&report, cli->ctx.mem, NULL, ticket->raw_summary,
                             ticket->raw_description, err);
    if (rc < 0)
        return rc;
    rc = lw_report_origin(origin, report, &cli->arena, err);
    if (rc == 0 && origin->extrinsic && !cli_wants(cli, "json"))
        lw_log(&cli->ctx.log, LW_LOG_WARNING,
               "the report seems extrinsic (%.*s%s%.*s): the cause may lie outside of the "
               "repository",
               LW_F(origin->suspect), origin->name.n ? ": " : "", LW_F(origin->name));
    origin->evidence = lw_arena_copy(&cli->arena, origin->evidence);
    lw_report_free(report);
    return rc;
}

static void print_json(struct cli *cli, const struct lw_found *found, const char *technique,
                       bool functions, const struct lw_origin *origin)
{
    struct lw_jsonw w;
    char hex[LW_GIT_ID_TEXT];
    lw_jsonw_init(&w, &cli->out, false);
    lw_json_object(&w);
    lw_json_key_text(&w, "repo", lw_str(cli_value(cli, "repo")));
    lw_json_key_text(&w, "commit", lw_str(lw_git_id_print(&found->commit, hex)));
    lw_json_key_text(&w, "technique", lw_str(technique));
    lw_json_key_text(&w, "origin", origin->extrinsic ? LW_S("extrinsic") : LW_S("intrinsic"));
    lw_json_key_text_or_null(&w, "origin_evidence", origin->evidence);
    lw_json_key_int(&w, "candidates", (int64_t)found->candidates);
    lw_json_key_double(&w, "seconds", found->seconds);
    lw_json_key(&w, "ranking");
    lw_json_array(&w);
    for (size_t i = 0; i < found->n; i++) {
        const struct lw_place *p = &found->places[i];
        lw_json_object(&w);
        lw_json_key_int(&w, "rank", (int64_t)i + 1);
        lw_json_key_text(&w, "path", p->path);
        if (functions) {
            lw_json_key_text(&w, "function", p->function);
            lw_json_key_int(&w, "line", p->first);
            lw_json_key_int(&w, "end_line", p->last);
        }
        lw_json_key_double(&w, "score", p->score);
        lw_json_key_text(&w, "why", p->why);
        lw_json_end(&w);
    }
    lw_json_end(&w);
    lw_json_end(&w);
}

static int print_text(struct cli *cli, const struct lw_found *found, bool functions,
                      struct lw_err *err)
{
    static const struct lw_table_column of_files[] = {{"rank", true, false},
                                                      {"score", true, false},
                                                      {"file", false, true},
                                                      {"why", false, true}};
    static const struct lw_table_column of_functions[] = {{"rank", true, false},
                                                          {"score", true, false},
                                                          {"function", false, true},
                                                          {"place", false, true},
                                                          {"why", false, true}};
    struct lw_table table;
    lw_table_init(&table, cli->ctx.mem, functions ? of_functions : of_files, functions ? 5 : 4);
    for (size_t i = 0; i < found->n; i++) {
        const struct lw_place *p = &found->places[i];
        lw_table_cellf(&table, "%zu", i + 1);
        lw_table_cellf(&table, "%.4f", p->score);
        if (functions) {
            lw_table_cell(&table, p->function);
            lw_table_cellf(&table, "%.*s:%u", LW_F(p->path), p->first);
        } else {
            lw_table_cell(&table, p->path);
        }
        lw_table_cell(&table, p->why);
    }
    int rc = lw_table_print(&table, &cli->out, &cli->term, err);
    lw_table_release(&table);
    return rc;
}

static int run_query(struct cli *cli, struct lw_query_options *options, struct lw_err *err)
{
    struct lw_ticket ticket;
    struct lw_found found = {0};
    struct lw_origin origin;
    int rc = lw_ticket_load(&ticket, &cli->arena, cli_value(cli, "report"), err);
    if (rc == 0)
        rc = find_origin(cli, &ticket, &origin, err);
    if (rc < 0)
        return rc;
    rc = lw_query_run(&found, &cli->ctx, &ticket, options, err);
    locate_say_passed_over(cli, &found.index);
    if (rc == 0 && cli_wants(cli, "json"))
        print_json(cli, &found, options->setup->technique->name, options->functions, &origin);
    else if (rc == 0)
        rc = print_text(cli, &found, options->functions, err);
    lw_found_release(&found);
    return rc;
}

static int run_with_set(struct cli *cli, struct lw_query_options *options, struct lw_err *err)
{
    struct lw_set set;
    if (!cli_value(cli, "earlier"))
        return run_query(cli, options, err);
    int rc = lw_set_load(&set, cli->ctx.mem, cli_value(cli, "earlier"), err);
    options->earlier = &set;
    if (rc == 0)
        rc = run_query(cli, options, err);
    lw_set_release(&set);
    return rc;
}

static int run(struct cli *cli, struct lw_err *err)
{
    struct lw_query_options options = {.repo = cli_value(cli, "repo")};
    const char *unit = cli_value(cli, "unit"), *commit = cli_value(cli, "commit");
    struct lw_setup *setups;
    size_t n;
    uint64_t top;
    if (cli_flag(cli, "list-techniques"))
        return list_techniques(cli);
    if (!options.repo || !cli_value(cli, "report"))
        return lw_err_set(err, LW_EINVAL, "'locate' needs --repo and --report");
    int rc = locate_setups(cli, lw_technique_find(LW_S("lacewing")) ? "lacewing" : "bluir",
                           &setups, &n, err);
    if (rc == 0 && n > 1)
        rc = lw_err_set(err, LW_EINVAL, "'locate' takes one technique; 'locate eval' several");
    if (rc == 0)
        rc = cli_number(cli, "top", 10, 0, UINT32_MAX, &top, err);
    if (rc == 0)
        rc = locate_index_options(cli, &options.index, err);
    if (rc < 0)
        return rc;
    options.setup = setups;
    options.top = (size_t)top;
    options.rev = lw_str(commit ? commit : "HEAD");
    options.functions = unit && strcmp(unit, "function") == 0;
    return run_with_set(cli, &options, err);
}

static const struct cli_option options_table[] = {
    {"repo", 0, "DIR", NULL, "git repository, bare or ordinary"},
    {"commit", 0, "REV", NULL, "the commit that has the bug (default: HEAD)"},
    {"report", 0, "FILE", NULL,
     "the report: Markdown or plain text, or JSON; - is standard input"},
    {"technique", 0, "T", NULL, "how to rank (see --list-techniques)"},
    {"top", 0, "N", NULL, "how many to print (default: 10); 0 prints all"},
    {"unit", 0, "U", "file|function", "what to rank (default: file)"},
    {"earlier", 0, "SET.jsonl", NULL, "reports fixed earlier, for techniques that use them"},
    {"set", 0, "T.NAME=X,...", NULL, "change parameters of the technique"},
    {"languages", 0, "L,...", NULL, "languages of the candidates (default: python)"},
    {"cache", 0, "DIR", NULL, "keep the index here (default: $XDG_CACHE_HOME/lacewing)"},
    {"no-cache", 0, NULL, NULL, "do not use a cache"},
    {"cache-limit", 0, "MB", NULL, "maximum size of the cache (default: 4096)"},
    {"list-techniques", 0, NULL, NULL, "list the techniques and their parameters"},
    {"format", 0, "F", "text|json", "how to print"},
    {NULL, 0, NULL, NULL, NULL},
};

const struct cli_command cmd_locate = {
    .name = "locate",
    .usage = "--repo DIR --commit REV --report FILE",
    .summary = "rank the files of a repository by how likely they hold a reported bug",
    .details =
        "Candidates are the source files of the commit without test files (a path component "
        "that contains `test`). Nothing is checked out. Each version of a file is read once "
        "and "
        "kept in the cache, so that the next report on the same repository takes "
        "milliseconds.\n\n"
        "A report is Markdown or plain text whose first line is the summary, or JSON with "
        "`summary`, `description` and `open_date`. With an opening date, commits and earlier "
        "reports (--earlier) that are newer are ignored.",
    .options = options_table,
    .examples =
        (const struct cli_example[]){
            {"lacewing locate --repo . --commit HEAD --report bug.md",
             "the ten likeliest files"},
            {"lacewing locate --repo . --report bug.md --unit function --top 5",
             "the five likeliest functions"},
            {"lacewing locate --list-techniques", "techniques and their parameters"},
            {NULL, NULL}},
    .min_args = 0,
    .max_args = 0,
    .run = run,
};
