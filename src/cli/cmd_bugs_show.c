/* bugs show: everything about one bug. */
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "catalog/bug.h"
#include "cli/bugs.h"
#include "cli/bugs_print.h"
#include "verify/available.h"

enum { SHOWN_VERDICTS = 5 };

static int json_name(void *data, struct lw_str name, uint64_t count)
{
    (void)count;
    lw_json_text(data, name);
    return 0;
}

static void json_run(struct lw_jsonw *w, const struct store_run *run)
{
    lw_json_object(w);
    lw_json_key_text(w, "version", lw_str(lw_side_name(run->side)));
    lw_json_key_text(w, "ended", run->ended);
    lw_json_key_int(w, "exit", run->exit);
    lw_json_key_double(w, "seconds", run->seconds);
    lw_json_key_double(w, "cpu_seconds", run->cpu_seconds);
    lw_json_key_int(w, "peak_bytes", (int64_t)run->peak_bytes);
    lw_json_key_text_or_null(w, "failure", run->failure);
    lw_json_end(w);
}

static int json_detection(void *data, const struct store_detection *d)
{
    struct lw_jsonw *w = data;
    char at[LW_TIME_TEXT];
    lw_json_object(w);
    lw_json_key_text(w, "tool", d->tool);
    lw_json_key_text(w, "version", lw_str(lw_side_name(d->side)));
    lw_json_key_int(w, "findings", (int64_t)d->finding_count);
    lw_json_key_text(w, "at", lw_str(lw_print_time(d->at, at)));
    lw_json_end(w);
    return 0;
}

static int json_verdict(void *data, const struct store_verification *v)
{
    struct lw_jsonw *w = data;
    char at[LW_TIME_TEXT];
    lw_json_object(w);
    lw_json_key_text(w, "at", lw_str(lw_print_time(v->at, at)));
    lw_json_key_text(w, "verdict", v->verdict);
    lw_json_key_text(w, "backend", v->backend);
    lw_json_key_text_or_null(w, "isolation", v->isolation);
    lw_json_key_text_or_null(w, "reason", v->reason);
    lw_json_key_int(w, "times", (int64_t)v->times);
    lw_json_key_int(w, "as_stated", (int64_t)v->agreed);
    lw_json_key(w, "runs");
    lw_json_array(w);
    for (size_t i = 0; i < v->run_count; i++)
        json_run(w, &v->runs[i]);
    lw_json_end(w);
    lw_json_end(w);
    return 0;
}

static void json_environment(struct lw_jsonw *w, const struct lw_bug *bug)
{
    lw_json_key(w, "environment");
    lw_json_object(w);
    lw_json_key_text(w, "modules", bug->modules);
    lw_json_key_text(w, "requirements", bug->requirements);
    lw_json_key_text(w, "command", bug->command);
    lw_json_key_text(w, "test", bug->test);
    lw_json_key_int(w, "seconds", bug->seconds);
    lw_json_key_int(w, "memory_mb", bug->memory_mb);
    lw_json_end(w);
}

static int print_json(struct cli *cli, lw_catalog *catalog, const struct lw_bug *bug, bool runs,
                      struct lw_err *err)
{
    static const char *const texts[] = {"description", "root_cause",    "generality",
                                        "fix_pattern", "error_message", "report"};
    struct store *store = catalog->store;
    struct lw_jsonw w;
    lw_jsonw_init(&w, &cli->out, false);
    lw_json_object(&w);
    bugs_json_fields(&w, bug, runs);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        lw_json_key_text_or_null(&w, texts[i],
                                 bug_text_of(bug, bug_field_find(lw_str(texts[i]))));
    lw_json_key(&w, "similar");
    lw_json_array(&w);
    int rc = store->ops->similar(store, bug->id, json_name, &w, err);
    lw_json_end(&w);
    lw_json_key(&w, "tools");
    lw_json_array(&w);
    if (rc == 0)
        rc = store->ops->tools(store, bug->id, json_name, &w, err);
    lw_json_end(&w);
    json_environment(&w, bug);
    lw_json_key(&w, "commits");
    lw_json_object(&w);
    lw_json_key_text_or_null(&w, "buggy", bug->buggy_commit);
    lw_json_key_text_or_null(&w, "fixed", bug->fixed_commit);
    lw_json_end(&w);
    lw_json_key_text_or_null(&w, "retracted", bug->retracted);
    lw_json_key(&w, "verifications");
    lw_json_array(&w);
    if (rc == 0)
        rc = store->ops->verifications(store, bug->id, SHOWN_VERDICTS, json_verdict, &w, err);
    lw_json_end(&w);
    lw_json_key(&w, "detections");
    lw_json_array(&w);
    if (rc == 0)
        rc = store->ops->detections(store, bug->id, json_detection, &w, err);
    lw_json_end(&w);
    lw_json_end(&w);
    return rc;
}

static int text_verdict(void *data, const struct store_verification *v)
{
    struct cli *cli = data;
    char at[LW_TIME_TEXT];
    struct lw_str line = lw_arena_printf(
        &cli->arena, "%s  %.*s (%.*s, %.*s)%s%.*s", lw_print_time(v->at, at), LW_F(v->verdict),
        LW_F(v->backend), LW_F(v->isolation), v->reason.n ? ": " : "", LW_F(v->reason));
    bugs_put_text(cli, "verified", line);
    if (v->times > 1)
        bugs_put_text(cli, "",
                      lw_arena_printf(&cli->arena, "as stated in %llu of %llu runs",
                                      (unsigned long long)v->agreed,
                                      (unsigned long long)v->times));
    for (size_t i = 0; i < v->run_count; i++) {
        const struct store_run *run = &v->runs[i];
        struct lw_str text = lw_arena_printf(
            &cli->arena, "%s: %.*s %d, %.1f s, %.0f MB%s%.*s", lw_side_name(run->side),
            LW_F(run->ended), run->signal ? run->signal : run->exit, run->seconds,
            (double)run->peak_bytes / 1e6, run->failure.n ? ": " : "", LW_F(run->failure));
        bugs_put_text(cli, "", text);
    }
    return 0;
}

static int text_detection(void *data, const struct store_detection *d)
{
    struct cli *cli = data;
    char at[LW_TIME_TEXT];
    bugs_put_text(cli, "detection",
                  lw_arena_printf(&cli->arena, "%s  %.*s on %s: %zu finding%s",
                                  lw_print_time(d->at, at), LW_F(d->tool),
                                  lw_side_name(d->side), d->finding_count,
                                  d->finding_count == 1 ? "" : "s"));
    return 0;
}

static int text_name(void *data, struct lw_str name, uint64_t count)
{
    (void)count;
    struct lw_buf *names = data;
    return lw_buf_addf(names, "%s%.*s", names->n ? ", " : "", LW_F(name));
}

static int print_names(struct cli *cli, lw_catalog *catalog, const struct lw_bug *bug,
                       struct lw_err *err)
{
    struct store *store = catalog->store;
    struct lw_buf names;
    lw_buf_init(&names, cli->ctx.mem, 0);
    int rc = store->ops->similar(store, bug->id, text_name, &names, err);
    bugs_put_text(cli, "similar", lw_buf_str(&names));
    lw_buf_clear(&names);
    if (rc == 0)
        rc = store->ops->tools(store, bug->id, text_name, &names, err);
    bugs_put_text(cli, "tools", lw_buf_str(&names));
    lw_buf_release(&names);
    return rc;
}

static int print_text(struct cli *cli, lw_catalog *catalog, const struct lw_bug *bug,
                      struct lw_str runs, struct lw_err *err)
{
    static const struct {
        const char *label, *field;
    } rows[] = {
        {"source", "source"},
        {"type", "type"},
        {"leaf", "leaf"},
        {"category", "category"},
        {"symptom", "symptom"},
        {"property", "property"},
        {"framework", "framework"},
        {"framework version", "framework_version"},
        {"python version", "python_version"},
        {"needs", "modules"},
        {"error", "error_message"},
        {"description", "description"},
        {"root cause", "root_cause"},
        {"why general", "generality"},
        {"fix pattern", "fix_pattern"},
        {"origin", "origin_url"},
        {"fix", "fix_url"},
        {"repository", "git_url"},
        {"buggy commit", NULL},
        {"retracted", "retracted"},
    };
    lw_putz(&cli->out, lw_colour(&cli->term, LW_BOLD));
    lw_put_safe(&cli->out, bug->id, false);
    lw_putf(&cli->out, "%s  ", lw_colour(&cli->term, LW_PLAIN));
    lw_put_safe(&cli->out, bug->title, false);
    lw_putz(&cli->out, "\n\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        bugs_put_text(cli, rows[i].label,
                      rows[i].field ? bug_text_of(bug, bug_field_find(lw_str(rows[i].field)))
                                    : bug->buggy_commit);
    bugs_put_text(cli, "fixed commit", bug->fixed_commit);
    if (bug->support_level > 1)
        bugs_put_text(cli, "support level",
                      lw_arena_printf(&cli->arena, "%lld", (long long)bug->support_level));
    bugs_put_text(cli, "runs here",
                  bug->git_url.n ? LW_S("no: its program lives in the repository") : runs);
    int rc = print_names(cli, catalog, bug, err);
    if (rc == 0)
        rc = catalog->store->ops->verifications(catalog->store, bug->id, SHOWN_VERDICTS,
                                                text_verdict, cli, err);
    if (rc == 0)
        rc = catalog->store->ops->detections(catalog->store, bug->id, text_detection, cli, err);
    lw_putz(&cli->out, "\nSee also: lacewing bugs diff ");
    lw_put_safe(&cli->out, bug->id, false);
    lw_putz(&cli->out, bug->git_url.n ? ", lacewing bugs history " : ", lacewing bugs verify ");
    lw_put_safe(&cli->out, bug->id, false);
    lw_putz(&cli->out, "\n");
    return rc;
}

static int run(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    lw_available *available = NULL;
    const struct lw_bug *bug;
    struct lw_err why = {0};
    enum lw_side side;
    int rc = bugs_find(cli, &catalog, &bug, &side, err);
    if (rc == 0)
        rc = lw_available_new(&available, &cli->ctx, err);
    if (rc == 0) {
        const struct python *python;
        bool runs = lw_available_python(available, bug, &python, &why) == 0;
        rc = cli_wants(cli, "json")
                 ? print_json(cli, catalog, bug, runs, err)
                 : print_text(cli, catalog, bug, runs ? LW_S("yes") : lw_str(why.text), err);
    }
    lw_available_free(available);
    lw_catalog_close(catalog);
    return rc;
}

static const struct cli_example examples[] = {
    {"lacewing bugs show pt-linear-in-features", "what is wrong, why, and how it is fixed"},
    {"lacewing bugs show pt-linear-in-features --format json", "the same for a program"},
    {NULL, NULL},
};

const struct cli_command cmd_bugs_show = {
    .name = "bugs show",
    .usage = "ID",
    .summary = "everything about one bug",
    .examples = examples,
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
