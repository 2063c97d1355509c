#include "verify/detect.h"

#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/proc.h"
#include "base/scratch.h"
#include "base/str.h"
#include "catalog/checkout.h"
#include "catalog/mirror.h"

enum { MAX_WORDS = 512, MAX_BINDS = PYTHON_BINDS + 2 };

struct detecting {
    const struct lw_verifier *v;
    const struct lw_tool *tool;
    const struct lw_bug *bug;
    const lw_file_vec *files;
    lw_git *git;
    enum lw_side side;
    struct lw_arena *arena;
    lw_change_vec changes; /* of a bug in a repository: the files that its fix touches */
    const char *words[MAX_WORDS];
    size_t word_count;
    struct lw_bind binds[MAX_BINDS];
    size_t bind_count;
    struct lw_err *err;
};

const char *lw_detection_state_name(enum lw_detection_state state)
{
    static const char *const names[] = {"found", "clean", "unsupported", "missing", "failed"};
    return names[state];
}

static int add_word(struct detecting *d, struct lw_str word)
{
    struct lw_str copy = lw_arena_copy(d->arena, word);
    if (!copy.p)
        return lw_err_nomem(d->err);
    if (d->word_count + 1 >= MAX_WORDS)
        return lw_err_set(d->err, LW_ELIMIT, "the command of '%.*s' has too many words",
                          LW_F(d->tool->name));
    d->words[d->word_count++] = copy.p;
    return 0;
}

static void add_bind(struct detecting *d, const char *path)
{
    if (d->bind_count < MAX_BINDS)
        d->binds[d->bind_count++] = (struct lw_bind){path, NULL};
}

/* The interpreter of the tool's modules, or of the bug. */
static int add_python(struct detecting *d)
{
    const struct python *python;
    struct lw_bug needs = *d->bug;
    if (d->tool->modules.n)
        needs = (struct lw_bug){.modules = d->tool->modules};
    else if (needs.modules.n == 0)
        needs.modules = LW_S("json"); /* any Python will do */
    int rc = lw_available_python(d->v->available, &needs, &python, d->err);
    if (rc < 0 && !d->tool->modules.n) {
        /* What the bug needs is not here; a tool that only reads it can still look. */
        needs = (struct lw_bug){.modules = LW_S("json")};
        rc = lw_available_python(d->v->available, &needs, &python, d->err);
    }
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < python->bind_count; i++)
        add_bind(d, python->binds[i].from);
    return add_word(d, lw_str(python->path));
}

static int add_ourselves(struct detecting *d)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return lw_err_set(d->err, LW_EMISSING, "this program cannot be found");
    path[n] = '\0';
    int rc = add_word(d, lw_str(path));
    if (rc == 0)
        add_bind(d, d->words[d->word_count - 1]);
    return rc;
}

/* The program; of a bug in a repository the files that its fix touches. */
static int add_main(struct detecting *d)
{
    if (!d->git)
        return add_word(d, d->bug->command);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < d->changes.n; i++)
        if (d->changes.v[i].text[d->side].p)
            rc = add_word(d, d->changes.v[i].path);
    return rc;
}

static int add_placeholder(struct detecting *d, struct lw_str word, bool *was)
{
    *was = true;
    if (lw_str_eq(word, LW_S("{lacewing}")))
        return add_ourselves(d);
    if (lw_str_eq(word, LW_S("{python}")))
        return add_python(d);
    if (lw_str_eq(word, LW_S("{main}")))
        return add_main(d);
    if (lw_str_eq(word, LW_S("{test}")))
        return add_word(d, d->bug->test);
    if (lw_str_eq(word, LW_S("{dir}")))
        return add_word(d, LW_S("."));
    *was = false;
    return 0;
}

/* The next word of the command; "..." keeps blanks. */
static bool next_word(struct lw_str *rest, struct lw_str *word)
{
    *rest = lw_str_trim(*rest);
    if (rest->n == 0)
        return false;
    bool quoted = rest->p[0] == '"';
    size_t from = quoted, at = from;
    while (at < rest->n &&
           (quoted ? rest->p[at] != '"' : rest->p[at] != ' ' && rest->p[at] != '\n'))
        at++;
    *word = lw_str_part(*rest, from, at - from);
    *rest = lw_str_from(*rest, at + quoted);
    return true;
}

static int build_command(struct detecting *d)
{
    struct lw_str rest = d->tool->command, word;
    int rc = 0;
    while (rc == 0 && next_word(&rest, &word)) {
        bool was;
        struct lw_str found;
        rc = add_placeholder(d, word, &was);
        if (rc < 0 || was)
            continue;
        rc = add_word(d, word);
        /* The first word is a program of this machine. */
        if (rc == 0 && d->word_count == 1) {
            if (!lw_find_program(d->words[0], d->arena, &found))
                return lw_err_set(d->err, LW_EMISSING, "'%s' was not found", d->words[0]);
            d->words[0] = found.p;
            if (!lw_str_has_prefix(found, LW_S("/usr/")) &&
                !lw_str_has_prefix(found, LW_S("/bin/")))
                add_bind(d, found.p);
        }
    }
    return rc;
}

static int write_program(struct detecting *d, const char *folder)
{
    size_t count, passed_over;
    struct lw_mem *mem = d->v->ctx.mem;
    if (!d->git)
        return lw_checkout_for_run(d->files, d->bug, d->side, folder, mem, d->err);
    int rc = lw_mirror_changes(d->git, d->bug, d->arena, mem, &d->changes, d->err);
    if (rc == 0)
        rc = lw_changes_isolate(&d->changes, d->arena, mem, d->err);
    if (rc == 0)
        rc =
            lw_mirror_write(d->git, d->bug, d->side, folder, mem, &count, &passed_over, d->err);
    return rc;
}

static int run_tool(struct detecting *d, const char *folder, struct lw_run *run)
{
    static const char *const env[] = {"HOME=/tmp", "XDG_CACHE_HOME=/tmp", "NO_COLOR=1", NULL};
    struct lw_policy policy;
    int rc = write_program(d, folder);
    if (rc == 0)
        rc = build_command(d);
    if (rc < 0)
        return rc;
    lw_policy_init(&policy);
    policy.dir = folder;
    policy.env = env;
    policy.binds = d->binds;
    policy.bind_count = d->bind_count;
    policy.wall_seconds = (double)d->tool->seconds;
    policy.cpu_seconds = (uint64_t)d->tool->seconds * 2;
    policy.memory_bytes = (uint64_t)d->tool->memory_mb << 20;
    policy.keep_bytes = 8 << 20;
    policy.cancel = d->v->ctx.cancel;
    policy.allow_weak = d->bug->trusted || d->v->allow_weak;
    d->words[d->word_count] = NULL;
    rc = lw_sandbox_run(run, d->arena, d->v->sandbox, &policy, d->words, d->err);
    if (rc == 0 && run->end == LW_RUN_CANCELED)
        rc = lw_err_set(d->err, LW_ECANCEL, "interrupted");
    return rc;
}

static int keep(const struct detecting *d, const struct lw_detection *out)
{
    struct store *store = d->v->catalog->store;
    const struct store_detection row = {
        .bug_id = d->bug->id,
        .tool = d->tool->name,
        .side = d->side,
        .seconds = out->seconds,
        .at = d->v->ctx.clock.wall(d->v->ctx.clock.data),
        .findings = out->findings.v,
        .finding_count = out->findings.n,
    };
    int rc = store->ops->begin(store, d->err);
    if (rc < 0)
        return rc;
    rc = store->ops->put_detection(store, &row, d->err);
    if (rc == 0)
        return store->ops->commit(store, d->err);
    store->ops->rollback(store);
    return rc;
}

static int say(struct lw_detection *out, enum lw_detection_state state, struct lw_str reason,
               struct lw_err *err)
{
    out->state = state;
    out->reason = reason;
    return reason.p ? 0 : lw_err_nomem(err);
}

/* The last line on standard error. */
static struct lw_str last_words(const struct lw_run *run)
{
    struct lw_str rest = lw_str_trim(run->err), line, last = LW_S("");
    while (lw_str_line(&rest, &line))
        last = line;
    return last;
}

static int judge_run(struct detecting *d, const struct lw_run *run, struct lw_detection *out)
{
    out->seconds = run->seconds;
    if (run->end != LW_RUN_EXITED)
        return say(out, LW_DETECT_FAILED,
                   lw_arena_printf(d->arena, "it ended by %s", lw_run_end_name(run->end)),
                   d->err);
    if (!lw_tool_ran(d->tool, run->exit))
        return say(
            out, LW_DETECT_FAILED,
            lw_arena_printf(d->arena, "exit code %d: %.*s", run->exit, LW_F(last_words(run))),
            d->err);
    int rc = lw_tool_parse(&out->findings, d->tool, d->arena, d->v->ctx.mem, run->exit,
                           run->out, run->err, d->err);
    if (rc == LW_EINVAL || rc == LW_ELIMIT)
        return say(out, LW_DETECT_FAILED, lw_arena_copy(d->arena, lw_str(d->err->text)),
                   d->err);
    if (rc < 0)
        return rc;
    out->state = out->findings.n ? LW_DETECT_FOUND : LW_DETECT_CLEAN;
    return keep(d, out);
}

int lw_detect(struct lw_detection *out, const struct lw_verifier *v, const struct lw_tool *tool,
              const struct lw_bug *bug, const lw_file_vec *files, lw_git *git,
              enum lw_side side, struct lw_arena *arena, struct lw_err *err)
{
    struct detecting d = {.v = v,
                          .tool = tool,
                          .bug = bug,
                          .files = files,
                          .git = git,
                          .side = side,
                          .arena = arena,
                          .err = err};
    struct lw_scratch scratch;
    struct lw_run run;
    *out = (struct lw_detection){.reason = LW_S("")};
    struct lw_str why = lw_tool_unsupported(tool, bug, arena);
    if (!why.p || why.n)
        return say(out, LW_DETECT_UNSUPPORTED, why, err);
    int rc = lw_scratch_make(&scratch, v->ctx.mem, err);
    if (rc == 0)
        rc = run_tool(&d, lw_buf_z(&scratch.path), &run);
    if (rc == 0)
        rc = judge_run(&d, &run, out);
    else if (rc == LW_EMISSING)
        rc = say(out, LW_DETECT_MISSING,
                 lw_arena_printf(arena, "%s%s%.*s", err->text,
                                 tool->install.n ? "; install it with: " : "",
                                 LW_F(tool->install)),
                 err);
    lw_scratch_release(&scratch);
    lw_vec_release(v->ctx.mem, &d.changes);
    return rc;
}
