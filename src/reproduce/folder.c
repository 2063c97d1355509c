#include "reproduce/folder.h"

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "catalog/environment.h"
#include "reproduce/releases.h"

static int write_text(const char *folder, struct lw_str name, struct lw_str text,
                      struct lw_arena *arena, struct lw_err *err)
{
    struct lw_str path = lw_arena_printf(arena, "%s/%.*s", folder, LW_F(name));
    return path.p ? lw_file_write(path.p, text, 0644, err) : lw_err_nomem(err);
}

/* ---- ACTIONS.md ----------------------------------------------------------------------------
 */

static const char *basis_name(enum lw_step_basis basis)
{
    static const char *const names[] = {"", " (assumed)", " (stand-in)"};
    return names[basis];
}

static void put_actions(struct lw_sink *out, const struct lw_reproduction *r)
{
    lw_putz(out, "# Edit actions\n\n"
                 "What was changed to make a program of the report. `lacewing reproduce --skip "
                 "ACTION` leaves one out.\n\n| line | action | why |\n|---|---|---|\n");
    for (size_t i = 0; i < r->step_count; i++) {
        const struct lw_step *s = &r->steps[i];
        lw_putf(out, "| %u | %s | ", s->line, lw_action_name(s->action));
        lw_put_safe(out, s->why, false);
        lw_putf(out, "%s |\n", basis_name(s->basis));
    }
    if (r->step_count == 0)
        lw_putz(out, "|  |  | the report's program is used as it is |\n");
}

/* ---- JSON ----------------------------------------------------------------------------------
 */

static void json_runs(struct lw_jsonw *w, const struct lw_reproduction *r)
{
    lw_json_key(w, "runs");
    lw_json_array(w);
    for (size_t i = 0; i < r->run_count; i++) {
        const struct lw_reproduce_run *run = &r->runs[i];
        lw_json_object(w);
        lw_json_key_int(w, "seed", (int64_t)run->seed);
        lw_json_key_int(w, "exit", run->exit);
        lw_json_key_double(w, "seconds", run->seconds);
        lw_json_key_text_or_null(w, "error", run->error);
        lw_json_key(w, "metrics");
        lw_json_object(w);
        if (run->metric.n > 0) {
            struct lw_str name = r->reported.metric;
            char key[64];
            snprintf(key, sizeof key, "%.*s", LW_F(name));
            lw_json_key_text(w, key, run->metric);
        }
        lw_json_end(w);
        lw_json_end(w);
    }
    lw_json_end(w);
}

static void json_steps(struct lw_jsonw *w, const struct lw_reproduction *r)
{
    lw_json_key(w, "actions");
    lw_json_array(w);
    for (size_t i = 0; i < r->step_count; i++) {
        lw_json_object(w);
        lw_json_key_text(w, "action", lw_str(lw_action_name(r->steps[i].action)));
        lw_json_key_int(w, "line", r->steps[i].line);
        lw_json_key_text(w, "why", r->steps[i].why);
        lw_json_end(w);
    }
    lw_json_end(w);
}

/* The reasons of the steps of one basis. */
static void json_basis(struct lw_jsonw *w, const char *key, const struct lw_reproduction *r,
                       enum lw_step_basis basis)
{
    lw_json_key(w, key);
    lw_json_array(w);
    for (size_t i = 0; i < r->step_count; i++)
        if (r->steps[i].basis == basis)
            lw_json_text(w, r->steps[i].why);
    lw_json_end(w);
}

static void json_reported(struct lw_jsonw *w, const struct lw_reported *r)
{
    lw_json_key(w, "reported");
    lw_json_object(w);
    lw_json_key_text_or_null(w, "error", r->type);
    lw_json_key_text_or_null(w, "message", r->message);
    lw_json_key_text_or_null(w, "metric", r->metric);
    lw_json_key_text_or_null(w, "value", r->value);
    lw_json_end(w);
}

void lw_reproduction_json(struct lw_jsonw *w, const struct lw_reproduction *r)
{
    lw_json_object(w);
    lw_json_key_text(w, "verdict", lw_str(lw_verdict_name(r->verdict)));
    json_runs(w, r);
    json_reported(w, &r->reported);
    lw_json_key_text_or_null(w, "observed", r->observed);
    lw_json_key_text_or_null(w, "reason", r->reason);
    json_steps(w, r);
    json_basis(w, "assumed", r, LW_STEP_ASSUMED);
    json_basis(w, "stand_ins", r, LW_STEP_STAND_IN);
    lw_json_key_int(w, "candidates", r->candidates);
    lw_json_key(w, "minimized");
    if (r->lines_before == 0) {
        lw_json_null(w);
    } else {
        lw_json_object(w);
        lw_json_key_int(w, "before", r->lines_before);
        lw_json_key_int(w, "after", r->lines_after);
        lw_json_end(w);
    }
    lw_json_end(w);
}

static void put_expected(struct lw_sink *out, const struct lw_reproduction *r)
{
    struct lw_jsonw w;
    lw_jsonw_init(&w, out, false);
    lw_reproduction_json(&w, r);
}

/* ---- The folder ----------------------------------------------------------------------------
 */

static int write_printed(const char *folder, const char *name,
                         void (*print)(struct lw_sink *, const struct lw_reproduction *),
                         const struct lw_reproduction *r, struct lw_arena *arena,
                         struct lw_err *err)
{
    struct lw_buf text;
    lw_buf_init(&text, arena->mem, 0);
    struct lw_sink out = lw_sink_buf(&text);
    print(&out, r);
    int rc = text.failed ? lw_err_nomem(err)
                         : write_text(folder, lw_str(name), lw_buf_str(&text), arena, err);
    lw_buf_release(&text);
    return rc;
}

static int write_environment(const struct lw_reproduction *r, const lw_report *report,
                             const char *folder, struct lw_arena *arena, struct lw_err *err)
{
    static const enum lw_environment_kind kinds[] = {LW_ENV_PIP, LW_ENV_CONDA,
                                                     LW_ENV_CONTAINER};
    struct lw_bug bug = {.id = LW_S("reproduce"), .test = LW_S("reproduce.py")};
    struct lw_str text;
    int rc = rp_environment(&bug, r->program, report, arena, err);
    for (size_t i = 0; i < 3 && rc == 0; i++) {
        rc = lw_environment_text(&text, arena, &bug, kinds[i], err);
        if (rc == 0)
            rc = write_text(folder, lw_str(lw_environment_file(kinds[i])), text, arena, err);
    }
    return rc;
}

int lw_reproduction_write(const struct lw_reproduction *r, const lw_report *report,
                          const char *folder, struct lw_mem *mem, struct lw_err *err)
{
    struct lw_arena arena;
    lw_arena_init(&arena, mem, 0);
    int rc = lw_dir_make(folder, err);
    if (rc == 0)
        rc = write_text(folder, LW_S("reproduce.py"), r->program, &arena, err);
    for (size_t i = 0; i < r->file_count && rc == 0; i++)
        rc = write_text(folder, r->files[i].name, r->files[i].content, &arena, err);
    if (rc == 0)
        rc = write_environment(r, report, folder, &arena, err);
    if (rc == 0)
        rc = write_printed(folder, "ACTIONS.md", put_actions, r, &arena, err);
    if (rc == 0)
        rc = write_printed(folder, "expected.json", put_expected, r, &arena, err);
    lw_arena_release(&arena);
    return rc;
}
