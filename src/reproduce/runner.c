#include "reproduce/runner.h"

#include <math.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/scratch.h"
#include "base/str.h"
#include "report/training_log.h"

/* ---- Running -------------------------------------------------------------------------------
 */

static const struct python *find_python(const struct pythons *all, struct lw_str framework)
{
    for (size_t i = 0; i < all->all.n; i++)
        if (framework.n == 0 || python_has(&all->all.v[i], framework))
            return &all->all.v[i];
    return NULL;
}

int rp_runner_init(struct rp_runner *r, const struct lw_ctx *ctx, struct lw_str framework,
                   bool allow_weak, struct lw_err *err)
{
    *r = (struct rp_runner){.ctx = ctx, .allow_weak = allow_weak};
    int rc = lw_sandbox_new(&r->sandbox, ctx->mem, err);
    if (rc == 0)
        rc = pythons_load(&r->pythons, ctx, err);
    if (rc < 0)
        return rc;
    r->python = find_python(&r->pythons, framework);
    if (!r->python)
        return lw_err_set(err, LW_EMISSING,
                          "no Python here has the module '%.*s'; install it to run the program",
                          LW_F(framework));
    return 0;
}

void rp_runner_release(struct rp_runner *r)
{
    pythons_release(&r->pythons);
    lw_sandbox_free(r->sandbox);
}

static int write_files(const struct lw_reproduction *of, const char *folder,
                       struct lw_arena *arena, struct lw_err *err)
{
    struct lw_str path = lw_arena_printf(arena, "%s/reproduce.py", folder);
    int rc = path.p ? lw_file_write(path.p, of->program, 0644, err) : lw_err_nomem(err);
    for (size_t i = 0; i < of->file_count && rc == 0; i++) {
        path = lw_arena_printf(arena, "%s/%.*s", folder, LW_F(of->files[i].name));
        rc =
            path.p ? lw_file_write(path.p, of->files[i].content, 0644, err) : lw_err_nomem(err);
    }
    return rc;
}

int rp_run(struct rp_runner *r, const struct lw_reproduction *of, uint64_t seed, double seconds,
           struct lw_arena *arena, struct lw_run *run, struct lw_err *err)
{
    struct lw_scratch scratch;
    struct lw_policy policy;
    struct lw_str name = lw_arena_printf(arena, "LACEWING_SEED=%llu", (unsigned long long)seed);
    if (!name.p)
        return lw_err_nomem(err);
    const char *env[] = {name.p, "PYTHONHASHSEED=0", "PYTHONUNBUFFERED=1", NULL};
    const char *argv[] = {r->python->path, "reproduce.py", NULL};
    int rc = lw_scratch_make(&scratch, r->ctx->mem, err);
    if (rc == 0)
        rc = write_files(of, lw_buf_z(&scratch.path), arena, err);
    if (rc == 0) {
        lw_policy_init(&policy);
        policy.dir = lw_buf_z(&scratch.path);
        policy.binds = r->python->binds;
        policy.bind_count = r->python->bind_count;
        policy.env = env;
        policy.wall_seconds = seconds;
        policy.cpu_seconds = (uint64_t)(seconds * 2) + 1;
        policy.cancel = r->ctx->cancel;
        policy.allow_weak = r->allow_weak;
        rc = lw_sandbox_run(run, arena, r->sandbox, &policy, argv, err);
    }
    lw_scratch_release(&scratch);
    if (rc == 0 && run->end == LW_RUN_CANCELED)
        rc = lw_err_set(err, LW_ECANCEL, "interrupted");
    return rc;
}

/* ---- What the report states ----------------------------------------------------------------
 */

/* Typographic quotes and marks that a forum put into a message. */
static struct lw_str plain(struct lw_arena *arena, struct lw_str text)
{
    struct lw_buf out;
    lw_buf_init(&out, arena->mem, 0);
    for (size_t i = 0; i < text.n; i++) {
        struct lw_str s = lw_str_from(text, i);
        if (lw_str_has_prefix(s, LW_S("\xe2\x80\x98")) ||
            lw_str_has_prefix(s, LW_S("\xe2\x80\x99"))) {
            lw_buf_add_char(&out, '\'');
            i += 2;
        } else if (lw_str_has_prefix(s, LW_S("\xe2\x80\x9c")) ||
                   lw_str_has_prefix(s, LW_S("\xe2\x80\x9d"))) {
            lw_buf_add_char(&out, '"');
            i += 2;
        } else if (text.p[i] != '`') {
            lw_buf_add_char(&out, text.p[i]);
        }
    }
    struct lw_str copy = {NULL, 0};
    if (!out.failed)
        copy = lw_arena_copy(arena, lw_buf_str(&out));
    lw_buf_release(&out);
    return copy;
}

static struct lw_str first_line(struct lw_str text)
{
    struct lw_str line = LW_S("");
    lw_str_line(&text, &line);
    return lw_str_trim(line);
}

/* What people look at first comes first. */
static int importance(const struct lw_fact *f)
{
    int rank = f->metric.logged ? 0 : 10;
    return rank + (lw_str_find(f->name, LW_S("accuracy")) >= 0 ? 3
                   : lw_str_eq(f->name, LW_S("loss"))          ? 1
                                                               : 2);
}

/* "Five seeds: 0.38, 0.37, 0.27": several values of the same metric stand for their mean. */
static void take_mean(struct lw_reported *out, const lw_report *report)
{
    struct lw_str text = lw_report_text(report), mark = LW_S("seeds: ");
    ptrdiff_t at = lw_str_find(text, mark);
    struct lw_str rest = lw_str_from(text, at < 0 ? text.n : (size_t)at + mark.n), piece;
    double sum = 0, value;
    size_t n = 0;
    while (lw_str_split(&rest, ',', &piece)) {
        piece = lw_str_trim(piece);
        size_t k = 0;
        while (k < piece.n && ((piece.p[k] >= '0' && piece.p[k] <= '9') || piece.p[k] == '.'))
            k++;
        while (k > 0 && piece.p[k - 1] == '.')
            k--;
        if (!lw_parse_double(lw_str_part(piece, 0, k), &value))
            break;
        sum += value, n++;
        if (k < piece.n)
            break;
    }
    if (n > 1)
        out->number = sum / (double)n;
}

int rp_reported_read(struct lw_reported *out, const lw_report *report, struct lw_arena *arena,
                     struct lw_err *err)
{
    int best = -1;
    *out = (struct lw_reported){0};
    for (const struct lw_fact *f = NULL; (f = lw_report_next(report, LW_FACT_EXCEPTION, f));) {
        if (lw_report_comment(report, lw_report_block(report, f->block)) > 0)
            continue;
        out->is_explicit = true;
        out->type = f->exception.type;
        out->message = plain(arena, first_line(f->exception.message));
        if (!out->message.p)
            return lw_err_nomem(err);
    }
    for (const struct lw_fact *f = NULL; (f = lw_report_next(report, LW_FACT_METRIC, f));) {
        if (out->is_explicit || importance(f) < best)
            continue;
        best = importance(f);
        out->metric = f->name;
        out->value = lw_fact_value(f);
        out->number = f->metric.value;
    }
    take_mean(out, report);
    return 0;
}

int rp_same_error(const struct lw_reported *reported, const struct lw_exception *seen,
                  struct lw_arena *arena, bool *same, struct lw_err *err)
{
    return lw_exception_matches(arena, seen, reported->type, reported->message, same, err);
}

/* ---- Metrics -------------------------------------------------------------------------------
 */

struct wanted {
    struct lw_str metric;
    double value;
    bool found;
};

static int take_row(void *data, const struct lw_log_row *row)
{
    struct wanted *w = data;
    if (lw_str_eq(row->metric, w->metric)) {
        w->value = row->value;
        w->found = true;
    }
    return 0;
}

/* "accuracy 0.31", or a number alone. */
static bool take_plain(struct lw_str line, struct lw_str metric, double *value)
{
    line = lw_str_trim(line);
    if (lw_str_has_prefix(line, metric))
        line = lw_str_trim(lw_str_from(line, metric.n));
    return line.n && lw_parse_double(line, value);
}

bool rp_metric_read(struct lw_mem *mem, struct lw_str output, struct lw_str metric,
                    double *value)
{
    struct wanted w = {.metric = metric};
    struct lw_err err = {0};
    lw_log_reader *log = NULL;
    struct lw_str line;
    bool is, alone = false;
    double number = 0;
    if (lw_log_new(&log, mem, &err) < 0)
        return false;
    while (lw_str_line(&output, &line)) {
        (void)lw_log_line(log, line, 0, take_row, &w, &is);
        alone = take_plain(line, metric, &number) || alone;
    }
    lw_log_free(log);
    *value = w.found ? w.value : number;
    return w.found || alone;
}

bool rp_same_value(double reported, double seen)
{
    if (isnan(reported) || isnan(seen))
        return isnan(reported) && isnan(seen);
    if (isinf(reported) || isinf(seen))
        return reported == seen;
    return fabs(seen - reported) <= 0.05 * fabs(reported);
}
