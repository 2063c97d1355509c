#include "reproduce/reproduce.h"

#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "reproduce/build.h"
#include "reproduce/guide.h"
#include "reproduce/minimize.h"
#include "reproduce/runner.h"
#include "reproduce/snippet.h"

enum { RUN_SECONDS = 30 };

static const char *const action_names[LW_ACTIONS] = {
    "input-data-generation",
    "neural-network-construction",
    "hyperparameter-initialization",
    "import-addition",
    "logging",
    "obsolete-parameter-removal",
    "compiler-error-resolution",
    "dataset-procurement",
    "model-download",
    "version-migration",
};

const char *lw_action_name(enum lw_action action)
{
    return action_names[action];
}

enum lw_action lw_action_find(struct lw_str name)
{
    int i = 0;
    while (i < LW_ACTIONS && !lw_str_eq(name, lw_str(action_names[i])))
        i++;
    return (enum lw_action)i;
}

/* ---- The search ----------------------------------------------------------------------------
 */

struct search {
    const struct lw_ctx *ctx;
    const struct lw_reproduce_options *options;
    struct lw_reproduction *out;
    struct lw_arena *arena;
    struct rp_program program;
    struct rp_candidate candidate;
    struct rp_runner runner;
    double spent; /* seconds of runs */
};

/* The edits of the candidate, by line. */
static int keep_steps(struct search *s, struct lw_err *err)
{
    struct rp_program *p = &s->program;
    size_t n = p->repairs.n + p->edits.n;
    struct lw_step *steps = lw_arena_array(s->arena, n + 1, sizeof *steps);
    if (!steps)
        return lw_err_nomem(err);
    n = 0;
    for (size_t i = 0; i < p->repairs.n; i++) {
        steps[n] = p->repairs.v[i];
        steps[n++].line += p->repairs.v[i].shift;
    }
    for (size_t i = 0; i < p->edits.n; i++)
        steps[n++] = p->edits.v[i].step;
    for (size_t i = 1; i < n; i++) {
        struct lw_step step = steps[i];
        size_t k = i;
        for (; k > 0 && steps[k - 1].line > step.line; k--)
            steps[k] = steps[k - 1];
        steps[k] = step;
    }
    s->out->steps = steps;
    s->out->step_count = n;
    return 0;
}

static int build(struct search *s, struct lw_err *err)
{
    int rc = rp_build(&s->program, &s->candidate, &s->out->program, s->out, err);
    if (rc < 0)
        return rc;
    s->out->candidates++;
    s->out->framework = lw_str(rp_framework_name(s->program.framework));
    return keep_steps(s, err);
}

static int run_once(struct search *s, uint64_t seed, struct lw_run *run, struct lw_err *err)
{
    double left = s->options->budget - s->spent;
    double seconds = left < RUN_SECONDS ? left : RUN_SECONDS;
    *run = (struct lw_run){0};
    int rc = rp_run(&s->runner, s->out, seed, seconds > 1 ? seconds : 1, s->arena, run, err);
    s->spent += rc == 0 ? run->seconds : 0;
    return rc;
}

static struct lw_str print_error(struct lw_arena *arena, const struct lw_exception *e)
{
    struct lw_str rest = e->message, line = LW_S("");
    lw_str_line(&rest, &line);
    return lw_arena_printf(arena, "%.*s%s%.*s", LW_F(e->type), line.n ? ": " : "", LW_F(line));
}

static void keep_run(struct search *s, uint64_t seed, const struct lw_run *run,
                     struct lw_str error, struct lw_str metric)
{
    if (s->out->run_count == LW_REPRODUCE_SEEDS)
        s->out->run_count = 0;
    s->out->runs[s->out->run_count++] = (struct lw_reproduce_run){.seed = seed,
                                                                  .exit = run->exit,
                                                                  .seconds = run->seconds,
                                                                  .error = error,
                                                                  .metric = metric};
}

static bool may_go_on(const struct search *s)
{
    return s->out->candidates < s->options->max_tries && s->spent < s->options->budget;
}

/* One candidate of an explicit bug; `*again`: another one is worth a try. */
static int try_explicit(struct search *s, bool *again, struct lw_err *err)
{
    struct lw_run run;
    struct lw_exception seen = {0};
    bool same = false;
    int rc = run_once(s, 0, &run, err);
    if (rc < 0)
        return rc;
    bool raised = lw_exception_find(run.err, &seen);
    if (raised)
        rc = rp_same_error(&s->out->reported, &seen, s->arena, &same, err);
    s->out->observed = raised ? print_error(s->arena, &seen)
                              : lw_str(run.end == LW_RUN_EXITED ? "no error" : "did not end");
    s->out->run_count = 0;
    keep_run(s, 0, &run, raised ? s->out->observed : LW_S(""), LW_S(""));
    s->out->verdict = same ? LW_REPRODUCED : LW_NOT_REPRODUCED;
    s->out->reason = same     ? LW_S("")
                     : raised ? LW_S("the program fails otherwise than reported")
                              : LW_S("the program does not raise the reported error");
    *again = !same && (raised ? rp_guide_error(&s->program, &s->candidate, &seen)
                              : rp_guide_success(&s->program, &s->candidate));
    return rc;
}

/* One of five runs of a silent bug. False: it failed, and what to do next is known. */
static int try_seed(struct search *s, uint64_t seed, double *value, bool *found, bool *again,
                    struct lw_err *err)
{
    struct lw_run run;
    struct lw_exception seen = {0};
    char text[LW_DOUBLE_TEXT];
    int rc = run_once(s, seed, &run, err);
    if (rc < 0)
        return rc;
    bool raised = lw_exception_find(run.err, &seen);
    *found = !raised && rp_metric_read(s->ctx->mem, run.out, s->out->reported.metric, value);
    struct lw_str metric =
        *found ? lw_arena_copy(s->arena, lw_str(lw_print_rounded(*value, text))) : LW_S("");
    struct lw_str error = raised ? print_error(s->arena, &seen) : LW_S("");
    keep_run(s, seed, &run, error, metric);
    s->out->observed = raised ? error : *found ? metric : LW_S("no value of the metric");
    *again = raised ? rp_guide_error(&s->program, &s->candidate, &seen)
                    : !*found && rp_guide_success(&s->program, &s->candidate);
    return 0;
}

static int try_silent(struct search *s, bool *again, struct lw_err *err)
{
    double sum = 0, value;
    bool found = true;
    char text[LW_DOUBLE_TEXT];
    s->out->run_count = 0;
    for (uint64_t seed = 0; seed < LW_REPRODUCE_SEEDS; seed++) {
        int rc = try_seed(s, seed, &value, &found, again, err);
        if (rc < 0)
            return rc;
        if (!found)
            break;
        sum += value;
    }
    bool same = found && rp_same_value(s->out->reported.number, sum / LW_REPRODUCE_SEEDS);
    s->out->verdict = same ? LW_REPRODUCED : LW_NOT_REPRODUCED;
    if (found)
        s->out->observed = lw_arena_printf(s->arena, "%.*s %s", LW_F(s->out->reported.metric),
                                           lw_print_rounded(sum / LW_REPRODUCE_SEEDS, text));
    s->out->reason = same    ? LW_S("")
                     : found ? LW_S("the mean over five seeds is not within 5 % of the report")
                             : LW_S("the program does not show the reported quantity");
    return 0;
}

static int search(struct search *s, struct lw_err *err)
{
    bool again = true;
    if (!s->out->reported.is_explicit && s->out->reported.metric.n == 0) {
        s->out->verdict = LW_NOT_REPRODUCED;
        s->out->reason =
            LW_S("the report states neither an error nor a number to compare with");
        return build(s, err);
    }
    while (again) {
        int rc = build(s, err);
        if (rc < 0)
            return rc;
        again = false;
        rc = s->out->reported.is_explicit ? try_explicit(s, &again, err)
                                          : try_silent(s, &again, err);
        if (rc < 0)
            return rc;
        again = again && may_go_on(s);
    }
    return 0;
}

/* ---- The smallest program -------------------------------------------------------------------
 */

static int still_fails(void *data, struct lw_str text, bool *still, bool *out_of_time,
                       struct lw_err *err)
{
    struct search *s = data;
    struct lw_run run;
    struct lw_exception seen;
    struct lw_str before = s->out->program;
    s->out->program = text;
    int rc = run_once(s, 0, &run, err);
    *still = false;
    if (rc == 0 && lw_exception_find(run.err, &seen))
        rc = rp_same_error(&s->out->reported, &seen, s->arena, still, err);
    s->out->program = before;
    *out_of_time = s->spent >= s->options->budget;
    return rc;
}

/* Steps whose line is gone are gone; the others move with it. */
static void move_steps(struct lw_reproduction *out, struct lw_str before)
{
    struct lw_str rest = before, line;
    size_t kept = 0, step = 0;
    uint32_t at = 1, to = 1;
    struct lw_str after = out->program, other;
    bool more = lw_str_line(&after, &other);
    for (; lw_str_line(&rest, &line); at++) {
        bool same = more && lw_str_eq(line, other);
        for (; step < out->step_count && out->steps[step].line == at; step++)
            if (same) {
                out->steps[kept] = out->steps[step];
                out->steps[kept++].line = to;
            }
        if (same) {
            more = lw_str_line(&after, &other);
            to++;
        }
    }
    out->step_count = kept;
}

static int minimize(struct search *s, struct lw_err *err)
{
    struct lw_str before = s->out->program, text = before;
    s->spent = 0;
    int rc = rp_minimize(&s->program, &text, still_fails, s, err);
    if (rc < 0)
        return rc;
    s->out->program = text;
    s->out->lines_before = rp_code_lines(before);
    s->out->lines_after = rp_code_lines(text);
    move_steps(s->out, before);
    return 0;
}

/* ---- The whole -----------------------------------------------------------------------------
 */

static int run_search(struct search *s, struct lw_err *err)
{
    int rc = build(s, err); /* tells the framework */
    s->out->candidates = 0;
    if (rc < 0)
        return rc;
    rc = rp_runner_init(&s->runner, s->ctx, s->out->framework, s->options->allow_weak, err);
    if (rc == 0)
        rc = search(s, err);
    if (rc == 0 && s->options->minimize && s->out->reported.is_explicit &&
        s->out->verdict == LW_REPRODUCED)
        rc = minimize(s, err);
    rp_runner_release(&s->runner);
    if (rc == LW_EMISSING) {
        s->out->verdict = LW_UNAVAILABLE;
        s->out->reason = lw_arena_copy(s->arena, lw_str(err->text));
        s->out->candidates = 1;
        rc = s->out->reason.p ? 0 : lw_err_nomem(err);
    }
    return rc;
}

static int reproduce(struct search *s, struct lw_err *err)
{
    struct rp_program *p = &s->program;
    int rc = rp_snippet_read(p, err);
    if (rc == 0)
        rc = rp_reported_read(&s->out->reported, p->report, s->arena, err);
    if (rc < 0)
        return rc;
    p->snippet = p->body;
    p->snippet_repairs = p->repairs.n;
    s->candidate.silent = !s->out->reported.is_explicit;
    s->candidate.metric = s->out->reported.metric;
    s->candidate.message = s->out->reported.message;
    if (s->options->run)
        return run_search(s, err);
    s->out->verdict = LW_UNAVAILABLE;
    s->out->reason = LW_S("the program was not run; --run runs it");
    return build(s, err);
}

int lw_reproduce(struct lw_reproduction *out, const struct lw_ctx *ctx, const lw_report *report,
                 const struct lw_reproduce_options *options, struct lw_arena *arena,
                 struct lw_err *err)
{
    struct rp_tables tables;
    struct search s = {.ctx = ctx, .options = options, .out = out, .arena = arena};
    *out = (struct lw_reproduction){0};
    int rc = rp_tables_load(&tables, ctx->mem, err);
    rp_program_init(&s.program, arena, report, &tables, options->skip);
    if (rc == 0)
        rc = reproduce(&s, err);
    rp_program_release(&s.program);
    rp_tables_release(&tables);
    return rc;
}
