/* BLIA (K. C. Youm, J. Ahn, J. Kim and E. Lee, APSEC 2015 and IST 2017): structured text,
 * similar reports, stack traces and recent fixes. Where the papers are silent,
 * docs/techniques.md says what was chosen. */
#include <math.h>

#include "base/err.h"
#include "base/str.h"
#include "locate/resolve.h"
#include "locate/score.h"
#include "locate/technique.h"
#include "report/report.h"

/* ---- Text -------------------------------------------------------------------------------- */

/* StructVSM: cosines of summary and description with classes, functions, names and comments,
 * added up, times the length function of rVSM. */
static int score_text(const struct lw_setup *setup, const struct lw_case *c, double *scores,
                      struct lw_err *err)
{
    static const enum lw_field fields[] = {LW_FIELD_CLASS, LW_FIELD_FUNCTION, LW_FIELD_NAME,
                                           LW_FIELD_COMMENT};
    const struct lw_bag *queries[] = {&c->ticket->summary_terms, &c->ticket->description_terms};
    int rc = 0;
    for (size_t f = 0; f < sizeof fields / sizeof *fields && rc == 0; f++)
        rc = lw_score_cosine(c, fields[f], queries, 2, scores, err);
    struct lw_length_scale scale = {lw_setup_value(setup, "deviations"),
                                    lw_setup_value(setup, "steepness")};
    lw_score_length(c, scale, scores);
    return rc;
}

/* ---- Stack traces ------------------------------------------------------------------------ */

enum { RANKED_FRAMES = 10 };
static const double far_frame = 0.1, imported_file = 0.1;

/* Files that the file imports get a little too. */
static void score_imports(const struct lw_case *c, size_t file, double *trace)
{
    const struct lw_files *files = &c->snapshot->files;
    struct lw_imports_view imports = lw_doc_imports(files->v[file].doc);
    for (size_t i = 0; i < imports.n; i++) {
        size_t to = lw_resolve_import(c, file, &imports.v[i]);
        if (to != SIZE_MAX && trace[to] < imported_file)
            trace[to] = imported_file;
    }
}

/* 1 / rank for the files of the ten innermost frames in the project, 0.1 for those farther out;
 * the frame where the exception was raised has rank 1. */
static void score_frames(const struct lw_case *c, const lw_report *report, double *trace)
{
    size_t total = lw_report_count(report, LW_FACT_FRAME), rank = 0;
    const struct lw_fact **frames = lw_arena_array(c->arena, total + 1, sizeof *frames);
    size_t n = 0;
    if (!frames)
        return;
    for (const struct lw_fact *f = NULL; (f = lw_report_next(report, LW_FACT_FRAME, f));)
        frames[n++] = f;
    while (n-- > 0) {
        size_t file = lw_resolve_path(&c->snapshot->files, frames[n]->text);
        if (file == SIZE_MAX)
            continue;
        double score = ++rank <= RANKED_FRAMES ? 1.0 / (double)rank : far_frame;
        if (score > trace[file])
            trace[file] = score;
        score_imports(c, file, trace);
    }
}

static int score_traces(const struct lw_case *c, double *trace, struct lw_err *err)
{
    lw_report *report;
    int rc = lw_report_parse(&report, c->mem, NULL, c->ticket->raw_summary,
                             c->ticket->raw_description, err);
    if (rc == LW_ELIMIT)
        return 0; /* too long to be looked into: as if there were no traces */
    if (rc < 0)
        return rc;
    score_frames(c, report, trace);
    lw_report_free(report);
    return 0;
}

/* ---- Recent fixes ------------------------------------------------------------------------ */

/* Each fix of the last k days before the report gives its files 1 / (1 + e^(12 (1 - (k - t) /
 * k))) with t its age in days. */
static void score_fixes(const struct lw_case *c, double days, double *fixes)
{
    for (size_t i = 0; c->past && i < c->past->n; i++) {
        const struct lw_past_commit *commit = &c->past->v[i];
        int64_t now =
            c->ticket->open_date == INT64_MAX ? c->past->v[0].date : c->ticket->open_date;
        double age = (double)(now - commit->date) / 86400;
        if (age > days)
            break;
        if (!commit->is_fix)
            continue;
        double score = 1 / (1 + exp(12 * (1 - (days - age) / days)));
        for (uint32_t k = 0; k < commit->file_count; k++)
            fixes[commit->files[k]] += score;
    }
}

/* ---- All together ------------------------------------------------------------------------ */

/* (1 - beta) ((1 - alpha) N(text) + alpha N(similar) + trace) + beta N(fixes) */
static int score(const struct lw_setup *setup, const struct lw_case *c, double *scores,
                 struct lw_err *err)
{
    size_t n = c->snapshot->files.n;
    double alpha = lw_setup_value(setup, "alpha"), beta = lw_setup_value(setup, "beta");
    double *parts = lw_arena_array(c->arena, 3 * n + 1, sizeof *parts);
    if (!parts)
        return lw_err_nomem(err);
    double *similar = parts, *trace = parts + n, *fixes = parts + 2 * n;
    int rc = score_text(setup, c, scores, err);
    if (rc == 0)
        rc = lw_score_similar(c, similar, err);
    if (rc == 0)
        rc = score_traces(c, trace, err);
    score_fixes(c, lw_setup_value(setup, "k"), fixes);
    lw_minmax(scores, n);
    lw_minmax(similar, n);
    lw_minmax(fixes, n);
    for (size_t i = 0; i < n; i++)
        scores[i] = (1 - beta) * ((1 - alpha) * scores[i] + alpha * similar[i] + trace[i]) +
                    beta * fixes[i];
    return rc;
}

static void explain(const struct lw_setup *setup, const struct lw_case *c,
                    const struct lw_features *features, size_t file, struct lw_buf *why)
{
    struct lw_err ignored = {0};
    double *trace = lw_arena_array(c->arena, c->snapshot->files.n + 1, sizeof *trace);
    double *fixes = lw_arena_array(c->arena, c->snapshot->files.n + 1, sizeof *fixes);
    (void)features;
    if (!trace || !fixes || score_traces(c, trace, &ignored) < 0)
        return;
    if (trace[file] > imported_file)
        lw_buf_addz(why, "in the stack trace");
    else if (trace[file] > 0)
        lw_buf_addz(why, "imported by a file in the stack trace");
    score_fixes(c, lw_setup_value(setup, "k"), fixes);
    if (fixes[file] > 0)
        lw_buf_addf(why, "%sfixed recently", why->n ? "; " : "");
    lw_explain_terms(c, &c->ticket->terms, file, why);
    lw_explain_similar(c, file, why);
}

const struct lw_technique lw_technique_blia = {
    .name = "blia",
    .summary = "structured text, similar reports, stack traces and recent fixes",
    .parameters =
        (const struct lw_parameter[]){
            {"alpha", 0.2, 0, 1, "weight of the similar reports"},
            {"beta", 0.2, 0, 1, "weight of the recent fixes"},
            {"k", 15, 1, 10000, "days during which a fix counts as recent"},
            {"deviations", 0, 0, 100,
             "length that counts as longest, in deviations above the mean; 0: the real one"},
            {"steepness", 1, 0, 100, "how strongly long files are preferred"},
            {NULL, 0, 0, 0, NULL}},
    .needs = LW_NEEDS_HISTORY,
    .score = score,
    .explain = explain,
};
