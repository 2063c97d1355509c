/*
 * Our own technique: a row of features for each file, ranked by a learnt model. See
 * tech_lacewing.h for the features and docs/evaluation/locate-lacewing.md for what each is
 * worth.
 */
#include "locate/tech_lacewing_kept.h"

#include <math.h>

#include "base/err.h"
#include "base/str.h"

const struct lacewing_column_info lacewing_columns[ALL_COLUMNS] = {
#define X(name, group, scaled) [COL_##name] = {#name, GROUP_##group, scaled},
    LACEWING_COLUMNS(X) LACEWING_SECOND(X)
#undef X
};

static const char *const column_names[] = {
#define X(name, group, scaled) #name,
    LACEWING_COLUMNS(X) NULL
#undef X
};

/* ---- The parts of the report ------------------------------------------------------------- */

enum lacewing_part lacewing_part_of(const struct lw_fact *block)
{
    switch (block->kind) {
    case LW_FACT_SUMMARY: return PART_SUMMARY;
    case LW_FACT_CODE: return PART_CODE;
    case LW_FACT_OUTPUT: return block->code.fenced ? PART_CODE : PART_PROSE;
    case LW_FACT_TRACE: return PART_TRACE;
    default: return PART_PROSE;
    }
}

/* The block's text; targets of links are addresses, not words. */
static void add_block(const lw_report *r, const struct lw_fact *block, struct lw_buf *out)
{
    size_t at = block->start;
    struct lw_str text = lw_report_text(r);
    for (const struct lw_fact *f = NULL; (f = lw_report_next_in(r, block, LW_FACT_LINK, f));) {
        (void)lw_buf_add(out, lw_str_part(text, at, f->start - at));
        (void)lw_buf_add_char(out, ' ');
        at = f->end;
    }
    (void)lw_buf_add(out, lw_str_part(text, at, block->end - at));
    (void)lw_buf_add_char(out, '\n');
}

static int split_parts(struct lacewing_work *w)
{
    struct lw_buf text[PARTS];
    int rc = 0;
    for (int i = 0; i < PARTS; i++)
        lw_buf_init(&text[i], w->c->mem, 0);
    for (const struct lw_fact *b = NULL; (b = lw_report_next_block(w->report, b));)
        add_block(w->report, b, &text[lacewing_part_of(b)]);
    for (int i = 0; i < PARTS; i++) {
        w->part[i] = lw_arena_copy(w->c->arena, lw_buf_str(&text[i]));
        rc = text[i].failed || !w->part[i].p ? LW_ENOMEM : rc;
        lw_buf_release(&text[i]);
    }
    return rc;
}

/* Every name that may be looked for: words of the texts, functions of frames, parts of dotted
 * names. */
static int ask_names(struct lacewing_work *w)
{
    struct lacewing_tree *t = &w->tree;
    int rc = lacewing_tree_ask_words(t, lw_report_text(w->report));
    for (int i = 0; i < PARTS && rc == 0; i++) /* links cut out of words */
        rc = lacewing_tree_ask_words(t, w->part[i]);
    for (const struct lw_fact *f = NULL;
         rc == 0 && (f = lw_report_next(w->report, LW_FACT_FRAME, f));)
        rc = lacewing_tree_ask(t, f->frame.function);
    for (const struct lw_fact *f = NULL;
         rc == 0 && (f = lw_report_next(w->report, LW_FACT_MODULE, f));) {
        struct lw_str rest = f->text, part;
        while (rc == 0 && lw_str_split(&rest, '.', &part))
            rc = lacewing_tree_ask(t, part);
    }
    return rc;
}

/* ---- Shape ------------------------------------------------------------------------------- */

/* Folders beside the library: what is in them is rarely what a report is about. */
static bool is_aside(struct lw_str path)
{
    static const char *const names[] = {"doc",       "docs",       "script",  "scripts",
                                        "benchmark", "benchmarks", "demo",    "demos",
                                        "tutorial",  "tutorials",  "sandbox", "contrib",
                                        "tools",     "setup.py",   "conf.py"};
    struct lw_str part;
    while (lw_str_split(&path, '/', &part)) {
        if (path.n && lw_str_find(part, LW_S("example")) >= 0)
            return true;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (lw_str_eq(part, lw_str(names[i])))
                return true;
    }
    return false;
}

static bool in_package(const struct lacewing_tree *t, struct lw_str path)
{
    struct lw_str part;
    for (int i = 0; i < 2 && lw_str_split(&path, '/', &part) && path.n; i++)
        if (lacewing_tree_is_package(t, part))
            return true;
    return false;
}

int lacewing_describe_shape(struct lacewing_work *w)
{
    for (size_t k = 0; k < SHAPE_COLUMNS && w->kept; k++)
        memcpy(w->col[SHAPE_FIRST + k], w->kept->shape + k * w->files->n,
               w->files->n * sizeof(double));
    if (w->kept)
        return 0;
    for (size_t i = 0; i < w->files->n; i++) {
        struct lw_str path = w->files->v[i].path;
        struct lw_doc doc = w->files->v[i].doc;
        size_t depth = 1;
        for (size_t k = 0; k < path.n; k++)
            depth += path.p[k] == '/';
        w->col[COL_LINES][i] = log1p(lw_doc_facts(doc)->lines);
        struct lw_defs_view defs = lw_doc_defs(doc);
        size_t functions = 0;
        for (size_t k = 0; k < defs.n; k++)
            functions += defs.v[k].kind == LW_DEF_FUNCTION;
        w->col[COL_FUNCTIONS][i] = log1p((double)functions);
        w->col[COL_IS_INIT][i] = lw_str_has_suffix(path, LW_S("__init__.py"));
        w->col[COL_IN_PACKAGE][i] = in_package(&w->tree, path);
        w->col[COL_ASIDE][i] = is_aside(path);
        w->col[COL_DEPTH][i] = (double)depth / 8;
    }
    return 0;
}

/* ---- Rows -------------------------------------------------------------------------------- */

static int make_columns(struct lacewing_work *w)
{
    for (int k = 0; k < FIRST_COLUMNS; k++) {
        w->col[k] = lw_arena_array(w->c->arena, w->files->n + 1, sizeof(double));
        if (!w->col[k])
            return LW_ENOMEM;
    }
    return 0;
}

/* Scaled columns are divided by their largest value, so that reports of any length and
 * projects of any size look alike to the ranker. */
static int make_rows(const struct lacewing_work *w, struct lw_features *f)
{
    size_t n = w->files->n;
    f->n = n;
    f->rows = lw_arena_array(&f->arena, n * FIRST_COLUMNS + 1, sizeof *f->rows);
    if (!f->rows)
        return LW_ENOMEM;
    for (size_t k = 0; k < FIRST_COLUMNS; k++) {
        double most = 0;
        for (size_t i = 0; i < n; i++)
            most = w->col[k][i] > most ? w->col[k][i] : most;
        double scale = lacewing_columns[k].scaled && most > 0 ? 1 / most : 1;
        for (size_t i = 0; i < n; i++)
            f->rows[i * FIRST_COLUMNS + k] = (float)(w->col[k][i] * scale);
    }
    return 0;
}

static int describe_all(struct lacewing_work *w, struct lw_features *f)
{
    struct lacewing_extra *extra = NULL;
    int rc = split_parts(w);
    if (rc == 0)
        rc = ask_names(w);
    if (rc == 0)
        rc = lacewing_tree_fill(&w->tree);
    if (rc == 0)
        rc = make_columns(w);
    if (rc == 0)
        rc = lacewing_describe_mentions(w);
    if (rc == 0)
        rc = lacewing_describe_text(w);
    if (rc == 0)
        rc = lacewing_describe_past(w);
    if (rc == 0)
        rc = lacewing_describe_shape(w);
    if (rc == 0)
        rc = lacewing_make_extra(w, &f->arena, &extra);
    f->extra = extra;
    return rc == 0 ? make_rows(w, f) : rc;
}

static int describe(const struct lw_setup *setup, const struct lw_case *c,
                    struct lw_features *f, struct lw_err *err)
{
    (void)setup;
    struct lacewing_work w = {.c = c, .files = &c->snapshot->files};
    int rc = lw_report_parse(&w.report, c->mem, NULL, c->ticket->raw_summary,
                             c->ticket->raw_description, err);
    if (rc < 0)
        return rc;
    lw_words_init(&w.words, c->mem, lw_index_stopwords(c->index));
    struct lacewing_kept kept = {0};
    if (c->snapshot->view) {
        lacewing_kept_use(&kept, c->snapshot->view);
        w.kept = &kept;
    }
    lacewing_tree_init(&w.tree, c->mem, w.files, w.kept);
    rc = describe_all(&w, f);
    lacewing_tree_release(&w.tree);
    lw_vec_release(c->mem, &w.term_of);
    lw_words_release(&w.words);
    lw_report_free(w.report);
    return rc < 0 ? lw_err_nomem(err) : 0;
}

/* ---- Why --------------------------------------------------------------------------------- */

struct reason {
    int column;
    double least;
    const char *text;
};

/* The strongest first. */
static const struct reason reasons[] = {
    {COL_TRACE_LAST, 0.3, "last frame of the project in the traceback"},
    {COL_TRACE_DEEP, 0.1, "in the traceback"},
    {COL_LINK, 0.3, "linked in the report"},
    {COL_FILE_SUMMARY, 0.1, "named in the summary"},
    {COL_FILE_PROSE, 0.1, "named in the report"},
    {COL_FILE_CODE, 0.3, "named in quoted code"},
    {COL_LITERAL_ERROR, 0.5, "contains the text of the error message"},
    {COL_CLASS_BEST_SUMMARY, 0.4, "defines a class that the summary names"},
    {COL_METHOD_BEST_SUMMARY, 0.4, "defines a method that the summary names"},
    {COL_DOTTED_SUMMARY, 0.5, "defines a dotted name that the summary contains"},
    {COL_DOTTED_PROSE, 0.5, "defines a dotted name that the report contains"},
    {COL_CLASS_BEST_PROSE, 0.4, "defines a class that the report names"},
    {COL_METHOD_BEST_PROSE, 0.4, "defines a method that the report names"},
    {COL_REFERRED, 0.3, "changed by a commit that the report refers to"},
    {COL_IMPORTED, 0.5, "defines a name that the quoted code imports"},
    {COL_LITERAL, 0.6, "contains a string that the report quotes"},
    {COL_STEM_SUMMARY, 0.9, "file name matches a word of the summary"},
    {COL_SIMILAR, 0.6, "fixed for similar reports"},
    {COL_MESSAGES, 0.7, "changed by commits with a similar message"},
    {COL_RECENT_FIXES, 0.8, "fixed often recently"},
};

static void explain(const struct lw_setup *setup, const struct lw_case *c,
                    const struct lw_features *f, size_t file, struct lw_buf *why)
{
    (void)setup;
    size_t said = 0;
    const float *row = &f->rows[file * FIRST_COLUMNS];
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons && said < 3; i++) {
        if (row[reasons[i].column] < reasons[i].least ||
            (reasons[i].column == COL_TRACE_DEEP && said))
            continue;
        (void)lw_buf_addf(why, "%s%s", said ? "; " : "", reasons[i].text);
        said++;
    }
    if (said < 3)
        lw_explain_terms(c, &c->ticket->terms, file, why);
}

/* ---- The technique ----------------------------------------------------------------------- */

static const struct lw_parameter parameters[] = {
    {"strength", 1, 0.001, 1000, "weight of the reports relative to regularisation"},
    {"pairs", 40, 0, 1000, "weight of the pairwise loss relative to the listwise loss"},
    {"without", 0, 0, 4095, "sum of 2^g: leaves out feature group g (for ablations)"},
    {NULL, 0, 0, 0, NULL},
};

static const struct lw_learner learner = {
    .columns = column_names,
    .model_path = "data/locate/lacewing.model",
    .describe = describe,
    .learn = lacewing_learn,
    .score = lacewing_score,
    .save = lacewing_save,
    .load = lacewing_load,
    .knows = lacewing_knows,
    .discard = lacewing_discard,
};

extern const struct lw_technique lw_technique_lacewing;
const struct lw_technique lw_technique_lacewing = {
    .name = "lacewing",
    .summary = "our technique: names, text and similar reports, combined by a learnt model",
    .parameters = parameters,
    .needs = LW_NEEDS_HISTORY,
    .explain = explain,
    .learner = &learner,
    .keep = lacewing_keep,
};
