#include "triage/triage.h"

#include "base/err.h"
#include "base/str.h"
#include "knowledge/embedded.h"
#include "triage/focus.h"
#include "triage/sentences.h"
#include "triage/table.h"

enum { PROSE_MAX = 20000, EVIDENCE_TEXT = 100, SAID_MAX = 1500 };

struct lw_triager {
    struct lw_mem *mem;
    struct lw_arena arena;
    lw_report_tables *tables;
    struct lw_feature_tables features;
    struct lw_type_model model;
    lw_advice_table *advice;
    lw_version_tables *versions;
    lw_origin_tables *origin;
    struct lw_focus_tables focus;
    struct triage_table questions; /* key, question */
    struct triage_table leaves;    /* type, phrase, leaf, sub-fault */
};

static int load(struct lw_triager *t, struct lw_err *err)
{
    struct lw_str model = {0};
    int rc = lw_feature_tables_load(&t->features, t->mem, err);
    lw_embedded_find(LW_S("data/triage/type.model"), &model);
    if (rc == 0)
        rc = lw_type_model_parse(&t->model, t->mem, model, err);
    if (rc == 0)
        rc = lw_report_tables_new(&t->tables, t->mem, err);
    if (rc == 0)
        rc = lw_advice_new(&t->advice, t->mem, err);
    if (rc == 0)
        rc = lw_version_tables_new(&t->versions, t->mem, err);
    if (rc == 0)
        rc = lw_origin_tables_new(&t->origin, t->mem, err);
    if (rc == 0)
        rc = lw_focus_load(&t->focus, &t->arena, err);
    if (rc == 0)
        rc = triage_table_load(&t->questions, &t->arena, LW_S("data/triage/questions.csv"), 2,
                               err);
    if (rc == 0)
        rc = triage_table_load(&t->leaves, &t->arena, LW_S("data/triage/leaves.csv"), 4, err);
    return rc;
}

int lw_triager_new(lw_triager **out, struct lw_mem *mem, struct lw_err *err)
{
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    struct lw_triager *t = lw_arena_alloc(&arena, sizeof *t);
    *out = NULL;
    if (!t)
        return lw_err_nomem(err);
    t->mem = mem;
    t->arena = arena;
    int rc = load(t, err);
    if (rc < 0) {
        lw_triager_free(t);
        return rc;
    }
    *out = t;
    return 0;
}

void lw_triager_free(lw_triager *t)
{
    if (!t)
        return;
    lw_report_tables_free(t->tables);
    lw_feature_tables_release(&t->features);
    lw_type_model_release(&t->model);
    lw_advice_free(t->advice);
    lw_version_tables_free(t->versions);
    lw_origin_tables_free(t->origin);
    struct lw_arena arena = t->arena; /* the triager lies in it */
    lw_arena_release(&arena);
}

const lw_report_tables *lw_triager_tables(const lw_triager *t)
{
    return t->tables;
}

const lw_advice_table *lw_triager_advice(const lw_triager *t)
{
    return t->advice;
}

struct lw_str lw_triager_question(const lw_triager *t, struct lw_str key)
{
    for (size_t i = 0; i < t->questions.n; i++)
        if (lw_str_eq(triage_table_row(&t->questions, i)[0], key))
            return triage_table_row(&t->questions, i)[1];
    return (struct lw_str){0};
}

/* ---- Errors -------------------------------------------------------------------------------
 */

static bool in_report(const lw_report *r, const struct lw_fact *f)
{
    return lw_report_comment(r, lw_report_block(r, f->block)) == 0;
}

/* Warnings and hangs are no errors. */
static bool is_error(const struct lw_fact *f)
{
    struct lw_str name = lw_fact_name(f);
    if (f->kind == LW_FACT_EXCEPTION)
        return !lw_str_has_suffix(f->text, LW_S("Warning"));
    return !lw_str_eq(name, LW_S("warning")) && !lw_str_eq(name, LW_S("hang"));
}

/* The last exception of the report itself, else the last other error. */
static const struct lw_fact *find_error(const lw_report *r)
{
    static const enum lw_fact_kind kinds[] = {LW_FACT_EXCEPTION, LW_FACT_ERROR};
    for (size_t k = 0; k < 2; k++) {
        const struct lw_fact *last = NULL;
        for (const struct lw_fact *f = NULL; (f = lw_report_next(r, kinds[k], f));)
            if (is_error(f) && in_report(r, f))
                last = f;
        if (last)
            return last;
    }
    return NULL;
}

static bool has_any(struct lw_str text, const char *const *phrases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lw_find_phrase(text, lw_str(phrases[i])) >= 0)
            return true;
    return false;
}

/* An error that is only spoken of: in the title one word is enough, in a sentence it must be
 * said that it happens. */
static bool speaks_of_error(struct lw_str title, struct lw_str prose)
{
    static const char *const named[] = {"error",
                                        "errors",
                                        "exception",
                                        "crash",
                                        "crashes",
                                        "crashed",
                                        "fails",
                                        "failing",
                                        "failed",
                                        "failure",
                                        "raises",
                                        "throws",
                                        "fail",
                                        "traceback",
                                        "segfault",
                                        "not defined",
                                        "out of memory",
                                        "not found",
                                        "broken",
                                        "broke",
                                        "breaks",
                                        "flaky",
                                        "assertion",
                                        "raise",
                                        "throw",
                                        "crashing",
                                        "segmentation fault",
                                        "illegal memory access"};
    static const char *const said[] = {
        "an error",      "following error", "the error",  "this error",  "error message",
        "raises",        "will raise",      "throws",     "crash",       "crashes",
        "crashed",       "an exception",    "segfault",   "fails with",  "error occurs",
        "tests fail",    "test fails",      "is failing", "are failing", "error is raised",
        "causes errors", "has no attribute"};
    static const char *const denied[] = {"silently", "no error", "without error",
                                         "without any error", "won't throw"};
    if (has_any(title, denied, sizeof denied / sizeof *denied))
        return false;
    return has_any(title, named, sizeof named / sizeof *named) ||
           has_any(prose, said, sizeof said / sizeof *said);
}

static bool is_explicit(const struct lw_triage *t, const lw_report *r, struct lw_str prose)
{
    return t->error || lw_report_count(r, LW_FACT_TRACE) > 0 ||
           speaks_of_error(lw_report_summary(r), lw_str_part(prose, 0, SAID_MAX));
}

/* ---- Leaf ---------------------------------------------------------------------------------
 */

static void find_leaf(struct lw_triage *out, const lw_triager *t)
{
    struct lw_str type = lw_str(lw_bug_type_name(out->type.type));
    struct lw_str message = out->error ? lw_fact_value(out->error) : (struct lw_str){0};
    for (size_t i = 0; i < t->leaves.n; i++) {
        const struct lw_str *row = triage_table_row(&t->leaves, i);
        if (!lw_str_eq(row[0], type) ||
            (lw_find_phrase(out->summary, row[1]) < 0 && lw_find_phrase(message, row[1]) < 0))
            continue;
        if (out->leaf.n == 0)
            out->leaf = row[2];
        if (out->sub_fault.n == 0)
            out->sub_fault = row[3];
    }
}

/* ---- Component information ----------------------------------------------------------------
 */

static struct lw_str first_line(struct lw_str s)
{
    struct lw_str line = s;
    lw_str_line(&s, &line);
    return lw_str_trim(lw_str_part(line, 0, EVIDENCE_TEXT));
}

static void add_evidence(struct lw_component_report *c, struct lw_str text)
{
    text = first_line(text);
    c->present = true;
    for (size_t i = 0; i < c->count; i++)
        if (lw_str_eq(c->evidence[i], text))
            return;
    if (text.n > 0 && c->count < LW_EVIDENCE_MAX)
        c->evidence[c->count++] = text;
}

/* Which facts tell a component. A metric is a log only where it was logged; a shape in an error
 * message tells about the error. */
static const struct {
    enum lw_fact_kind kind;
    enum lw_component component;
} tells[] = {
    {LW_FACT_SHAPE, LW_COMPONENT_DATA},
    {LW_FACT_DATA, LW_COMPONENT_DATA},
    {LW_FACT_DTYPE, LW_COMPONENT_DATA},
    {LW_FACT_LAYER, LW_COMPONENT_MODEL},
    {LW_FACT_SETTING, LW_COMPONENT_HYPERPARAMETERS},
    {LW_FACT_CODE, LW_COMPONENT_CODE},
    {LW_FACT_TRACE, LW_COMPONENT_LOGS},
    {LW_FACT_EXCEPTION, LW_COMPONENT_LOGS},
    {LW_FACT_ERROR, LW_COMPONENT_LOGS},
    {LW_FACT_METRIC, LW_COMPONENT_LOGS},
};

static bool is_told(const lw_report *r, const struct lw_fact *f)
{
    enum lw_fact_kind block =
        (int)f->kind < LW_FACT_BLOCKS ? f->kind : lw_report_block(r, f->block)->kind;
    if (f->kind == LW_FACT_METRIC)
        return f->metric.logged;
    if (f->kind == LW_FACT_SHAPE || f->kind == LW_FACT_DTYPE)
        return block != LW_FACT_TRACE;
    return true;
}

static void read_components(struct lw_triage *out, const lw_report *r)
{
    const char *text = lw_report_text(r).p;
    for (size_t k = 0; k < sizeof tells / sizeof *tells; k++)
        for (const struct lw_fact *f = NULL; (f = lw_report_next(r, tells[k].kind, f));)
            if (is_told(r, f))
                add_evidence(&out->component[tells[k].component],
                             lw_str_n(text + f->start, f->end - f->start));
    for (const struct lw_fact *f = NULL; (f = lw_report_next(r, LW_FACT_OUTPUT, f));) {
        if (f->code.sort == LW_OUTPUT_LOG)
            add_evidence(&out->component[LW_COMPONENT_LOGS], f->text);
        if (f->code.sort == LW_OUTPUT_MODEL)
            add_evidence(&out->component[LW_COMPONENT_MODEL], f->text);
    }
}

/* The last value of each metric. */
static void read_metrics(struct lw_triage *out, const lw_report *r)
{
    for (const struct lw_fact *f = NULL; (f = lw_report_next(r, LW_FACT_METRIC, f));) {
        size_t i = 0;
        while (i < out->metric_count && !lw_str_eq(out->metric[i].name, lw_fact_name(f)))
            i++;
        if (i == LW_METRICS_MAX)
            continue;
        out->metric_count += i == out->metric_count;
        out->metric[i] = (struct lw_reported_metric){lw_fact_name(f), lw_fact_value(f)};
    }
}

/* ---- What is missing ----------------------------------------------------------------------
 */

static void add_lack(struct lw_triage *out, const lw_triager *t, struct lw_str key,
                     double confidence)
{
    if (out->lack_count < LW_LACKS_MAX)
        out->lack[out->lack_count++] =
            (struct lw_lack){key, lw_triager_question(t, key), confidence};
}

static bool states_environment(const struct lw_triage *out, const lw_report *r)
{
    for (size_t i = 0; i < out->versions.framework_count; i++)
        if (out->versions.framework[i].version.n > 0 &&
            out->versions.framework[i].inferred.n == 0)
            return true;
    return lw_stated_version(r, LW_S("python")).n > 0;
}

static bool states_device(const lw_report *r)
{
    return lw_report_count(r, LW_FACT_HARDWARE) > 0 ||
           lw_stated_version(r, LW_S("cuda")).n > 0 ||
           lw_stated_version(r, LW_S("driver")).n > 0;
}

/* By the rules of the type; what the rules do not mention comes where the type or the sort of
 * the bug asks for it. */
static void find_lacks(struct lw_triage *out, const lw_triager *t, const lw_report *r)
{
    bool is_gpu = out->type.type == LW_TYPE_GPU;
    if (is_gpu && !states_device(r))
        add_lack(out, t, LW_S("device"), 0);
    if (out->is_explicit && lw_report_count(r, LW_FACT_TRACE) == 0)
        add_lack(out, t, LW_S("traceback"), 0);
    for (size_t i = 0; i < out->information->count; i++) {
        const struct lw_advice_rule *rule = &out->information->rules[i];
        enum lw_component c = lw_component_find(rule->item);
        if ((int)c < LW_COMPONENTS && !rule->weak && !out->component[c].present &&
            !(c == LW_COMPONENT_LOGS && out->is_explicit))
            add_lack(out, t, rule->item, rule->confidence);
    }
    if (!out->is_explicit && out->metric_count == 0)
        add_lack(out, t, LW_S("metrics"), 0);
    if (!states_environment(out, r))
        add_lack(out, t, LW_S("framework-version"), 0);
    if (out->origin.extrinsic && out->origin.version.n == 0)
        add_lack(out, t, LW_S("last-good"), 0);
}

/* ---- All of it ----------------------------------------------------------------------------
 */

static int judge_type(struct lw_triage *out, const lw_triager *t, const lw_report *r,
                      struct lw_arena *arena)
{
    lw_features features = {0};
    int rc = lw_features_read(&features, &t->features, r, true, arena);
    if (rc == 0)
        rc = lw_type_model_judge(&out->type, &t->model, &features, arena);
    lw_vec_release(arena->mem, &features);
    return rc;
}

static int find_focus(struct lw_triage *out, const lw_triager *t, const lw_report *r,
                      struct lw_str prose, struct lw_arena *arena)
{
    enum lw_component wanted[LW_SHOWN_INFORMATION];
    size_t n = 0;
    for (size_t i = 0; i < out->information->count && n < LW_SHOWN_INFORMATION; i++) {
        enum lw_component c = lw_component_find(out->information->rules[i].item);
        if ((int)c < LW_COMPONENTS)
            wanted[n++] = c;
    }
    struct lw_str text =
        lw_arena_printf(arena, "%.*s\n\n%.*s", LW_F(lw_report_summary(r)), LW_F(prose));
    if (!text.p)
        return LW_ENOMEM;
    return lw_focus_find(&out->focus, &t->focus, text, wanted, n, arena);
}

int lw_triage_report(struct lw_triage *out, const lw_triager *t, const lw_report *r,
                     struct lw_arena *arena, struct lw_err *err)
{
    *out = (struct lw_triage){.summary = lw_report_summary(r)};
    struct lw_str prose = lw_report_prose(r, &t->features, arena, PROSE_MAX);
    if (!prose.p || judge_type(out, t, r, arena) < 0)
        return lw_err_nomem(err);
    struct lw_str type = lw_str(lw_bug_type_name(out->type.type));
    out->error = find_error(r);
    out->is_explicit = is_explicit(out, r, prose);
    find_leaf(out, t);
    lw_versions_read(&out->versions, t->versions, r);
    lw_origin_read(&out->origin, t->origin, r, prose, &out->versions);
    out->information = lw_advice_find(t->advice, LW_ADVICE_INFORMATION, type);
    out->actions = lw_advice_find(t->advice, LW_ADVICE_ACTION, type);
    out->sub_actions = lw_advice_find(t->advice, LW_ADVICE_SUB_FAULT, out->sub_fault);
    read_components(out, r);
    read_metrics(out, r);
    find_lacks(out, t, r);
    return find_focus(out, t, r, prose, arena) < 0 ? lw_err_nomem(err) : 0;
}

static int keep_text(struct lw_str *text, struct lw_arena *arena)
{
    *text = lw_arena_copy(arena, *text);
    return text->p ? 0 : LW_ENOMEM;
}

int lw_report_origin(struct lw_origin *out, const lw_report *r, struct lw_arena *arena,
                     struct lw_err *err)
{
    struct lw_feature_tables features;
    lw_version_tables *versions = NULL;
    lw_origin_tables *origin = NULL;
    struct lw_stated_versions stated;
    int rc = lw_feature_tables_load(&features, arena->mem, err);
    if (rc == 0)
        rc = lw_version_tables_new(&versions, arena->mem, err);
    if (rc == 0)
        rc = lw_origin_tables_new(&origin, arena->mem, err);
    if (rc == 0) {
        lw_versions_read(&stated, versions, r);
        struct lw_str prose = lw_report_prose(r, &features, arena, PROSE_MAX);
        lw_origin_read(out, origin, r, prose, &stated);
        if (!prose.p || keep_text(&out->suspect, arena) < 0 || keep_text(&out->name, arena) < 0)
            rc = lw_err_nomem(err);
    }
    lw_origin_tables_free(origin);
    lw_version_tables_free(versions);
    lw_feature_tables_release(&features);
    return rc;
}
