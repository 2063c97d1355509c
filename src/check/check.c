#include "check/check.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/path.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/str.h"
#include "check/engine/engine.h"
#include "check/models/models.h"
#include "check/rules/watch.h"
#include "knowledge/api.h"

enum { ARENA_CAP = 192 << 20, ARENA_BLOCK = 16 << 20 };

/* What one file gave, until it is delivered. */
struct slot {
    struct lw_arena arena;
    LW_VEC(struct lw_finding) findings;
    LW_VEC(struct lw_check_unknown) unknown;
    LW_VEC(struct lw_check_inferred) inferred;
    struct lw_str error; /* why the file could not be read */
    struct lw_check_broken broken;
    struct lw_str unmodelled; /* a framework that is imported and not in the tables */
    struct lw_source input;   /* standard input, if it was that */
    uint64_t lines, calls, unknown_calls, suppressed, given_up;
};

/* What a thread keeps from one file to the next: memory and tables, nothing that is seen in a
 * result. */
struct worker {
    struct lw_arena arena; /* of the file being checked */
    struct lw_dims dims;
    struct watch_callees callees;
    struct lw_apis *apis;          /* loaded at first use */
    struct lw_buf folder;          /* of the file checked last, */
    struct lw_check_target target; /* and the versions found for it */
};

struct job {
    const struct lw_ctx *ctx;
    const struct lw_check_rules *rules;
    const struct lw_check_options *options;
    struct watch_plan plan;
    const struct lw_str *paths;
    struct ck_modules modules;
    struct worker *workers;
    unsigned worker_count;
    struct slot *slots;
    struct lw_check_result *out;
    struct lw_progress progress;
    struct lw_map seen; /* findings delivered: "path:line:column:rule" */
    struct lw_map unknown;
};

/* ---- suppression --------------------------------------------------------------------------
 */

/* What stands behind "lacewing:". */
static struct lw_str instruction(struct lw_str comment)
{
    ptrdiff_t at = lw_str_find(comment, LW_S("lacewing:"));
    return at < 0 ? (struct lw_str){0} : lw_str_trim(lw_str_from(comment, (size_t)at + 9));
}

static bool is_of_file(struct lw_str comment)
{
    return lw_str_has_prefix(instruction(comment), LW_S("ignore-file"));
}

/* "lacewing: ignore[a/b, c] why": does it speak of the rule? */
static bool silences(struct lw_str comment, struct lw_str rule)
{
    struct lw_str s = instruction(comment);
    bool file = is_of_file(comment);
    if (!lw_str_has_prefix(s, LW_S("ignore")))
        return false;
    s = lw_str_from(s, file ? 11 : 6);
    if (s.n == 0 || s.p[0] != '[')
        return true;
    ptrdiff_t end = lw_str_find_char(s, ']');
    struct lw_str list = lw_str_part(s, 1, end < 0 ? s.n : (size_t)end - 1), piece;
    ptrdiff_t slash = lw_str_find_char(rule, '/');
    while (lw_str_split(&list, ',', &piece)) {
        piece = lw_str_trim(piece);
        if (lw_str_eq(piece, rule) ||
            (slash > 0 && lw_str_eq(piece, lw_str_part(rule, 0, (size_t)slash))))
            return true;
    }
    return false;
}

/* A comment that speaks to us: of the whole file, or of a line. */
struct mark {
    uint32_t line; /* 0: of the file */
    struct lw_str text;
};
typedef LW_VEC(struct mark) marks;

/* The marks of a file in order of their lines, those of the whole file first. A comment at the
 * end of a line speaks of the line; one alone, of the next. */
static int find_marks(struct lw_mem *mem, struct ck_file *f, marks *out)
{
    const struct lw_lexed *l = &f->tree.lexed;
    for (int whole = 1; whole >= 0; whole--)
        for (size_t i = 0; i < l->trivia.n; i++) {
            if (l->trivia.v[i].kind != LW_TRIVIA_COMMENT)
                continue;
            struct lw_str text = lw_str_part(l->text, l->trivia.v[i].start,
                                             l->trivia.v[i].end - l->trivia.v[i].start);
            if (lw_str_find(text, LW_S("lacewing:")) < 0 || is_of_file(text) != (whole == 1))
                continue;
            struct lw_position p = lw_tree_position(&f->tree, l->trivia.v[i].start);
            size_t start = l->trivia.v[i].start - p.column;
            bool alone = lw_str_trim(lw_str_part(l->text, start, p.column)).n == 0;
            struct mark m = {whole ? 0 : alone ? p.line + 1 : p.line, text};
            if (lw_vec_push(mem, out, m) < 0)
                return LW_ENOMEM;
        }
    return 0;
}

static bool is_suppressed(const marks *m, uint32_t first, uint32_t last, struct lw_str rule)
{
    size_t i = 0, high = m->n;
    for (; i < m->n && m->v[i].line == 0; i++)
        if (silences(m->v[i].text, rule))
            return true;
    while (i < high) { /* the first that is not before `first` */
        size_t middle = i + (high - i) / 2;
        if (m->v[middle].line < first)
            i = middle + 1;
        else
            high = middle;
    }
    for (; i < m->n && m->v[i].line <= last; i++)
        if (silences(m->v[i].text, rule))
            return true;
    return false;
}

/* ---- one file -----------------------------------------------------------------------------
 */

static struct lw_str keep(struct lw_arena *arena, struct lw_str s)
{
    return s.n ? lw_arena_copy(arena, s) : (struct lw_str){0};
}

static struct lw_source keep_source(struct lw_arena *arena, const struct lw_source *from)
{
    struct lw_source s = *from;
    uint32_t n = from->notebook.cell_count;
    struct lw_cell *cells = lw_arena_array(arena, n ? n : 1, sizeof *cells);
    for (uint32_t i = 0; cells && i < n; i++)
        cells[i] = from->notebook.cells[i];
    s.text = keep(arena, from->text);
    s.notebook.cells = cells;
    s.notebook.cell_count = cells ? n : 0;
    return s;
}

/* Where the cell's first line stands in the text of a notebook, from 0. */
static uint32_t cell_start(const struct lw_notebook *nb, uint32_t number)
{
    uint32_t low = 0, high = nb->cell_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (nb->cells[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < nb->cell_count && nb->cells[low].number == number
               ? nb->cells[low].first_line - 1
               : 0;
}

static struct ck_file *file_at(struct ck *c, struct lw_str path)
{
    for (size_t k = 0; k < c->files.n; k++)
        if (lw_str_eq(c->files.v[k]->path, path))
            return c->files.v[k];
    return NULL;
}

static int keep_finding(struct ck *c, struct slot *s, const struct lw_finding *f,
                        const marks *all)
{
    const struct ck_file *file = file_at(c, f->path);
    uint32_t from = f->cell && file ? cell_start(&file->source.notebook, f->cell) : 0;
    const marks *of = file ? &all[file->index] : NULL;
    struct lw_finding copy;
    if (of && (is_suppressed(of, f->line + from, f->end_line + from, f->rule) ||
               (f->related.line && is_suppressed(of, f->related.line + from,
                                                 f->related.end_line + from, f->rule)))) {
        s->suppressed++;
        return 0;
    }
    return lw_finding_copy(&copy, &s->arena, f) && lw_vec_push(c->mem, &s->findings, copy) == 0
               ? 0
               : LW_ENOMEM;
}

static int keep_findings(struct ck *c, struct slot *s)
{
    marks all[CK_MAX_FILES] = {0};
    size_t n = c->watch->findings.n;
    int rc = 0;
    for (size_t k = 0; k < c->files.n && rc == 0 && n > 0; k++)
        if (lw_str_find(c->files.v[k]->source.text, LW_S("lacewing:")) >= 0)
            rc = find_marks(c->mem, c->files.v[k], &all[k]);
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = keep_finding(c, s, &c->watch->findings.v[i], all);
    for (size_t k = 0; k < c->files.n; k++)
        lw_vec_release(c->mem, &all[k]);
    return rc;
}

static int keep_figures(struct ck *c, struct slot *s)
{
    s->calls += c->statistics.calls;
    s->unknown_calls += c->statistics.unknown;
    s->given_up += c->given_up;
    for (size_t i = 0; i < c->unknown_calls.n; i++)
        if (lw_vec_push(
                c->mem, &s->unknown,
                (struct lw_check_unknown){keep(&s->arena, c->unknown_calls.entries[i].key),
                                          c->unknown_calls.entries[i].value}) < 0)
            return LW_ENOMEM;
    for (size_t i = 0; i < c->watch->inferred.n; i++) {
        struct lw_check_inferred v = c->watch->inferred.v[i];
        v.name = keep(&s->arena, v.name);
        v.shape = keep(&s->arena, v.shape);
        v.dtype = keep(&s->arena, v.dtype);
        if (lw_vec_push(c->mem, &s->inferred, v) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

static uint64_t count_lines(struct lw_str text)
{
    uint64_t n = text.n > 0 && text.p[text.n - 1] != '\n';
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    return n;
}

/* The first place that is not Python 3; where there is one that is not Python of any version,
 * that. */
static struct lw_check_broken find_broken(struct ck_file *f)
{
    struct lw_tree *t = &f->tree;
    const struct lw_syntax_error *first = NULL;
    for (size_t i = 0; i < t->lexed.errors.n; i++) {
        const struct lw_syntax_error *e = &t->lexed.errors.v[i];
        if (!first || (first->severity != LW_SYNTAX_ERROR && e->severity == LW_SYNTAX_ERROR))
            first = e;
    }
    if (!first)
        return (struct lw_check_broken){0};
    struct lw_position at = lw_tree_position(t, first->start);
    struct lw_check_broken out = {.line = at.line,
                                  .column = at.column,
                                  .message = first->message,
                                  .count = t->lexed.errors.n,
                                  .python2 = first->severity == LW_SYNTAX_PYTHON2};
    const struct lw_notebook *nb = &f->source.notebook;
    const struct lw_cell *cell =
        nb->cell_count ? lw_notebook_locate(nb, at.line, &out.line) : NULL;
    if (cell)
        out.cell = cell->number;
    return out;
}

/* A framework of deep learning that the file imports, and of which the tables say nothing. */
static struct lw_str find_unmodelled(const struct ck *c, const struct ck_file *f)
{
    static const char *const frameworks[] = {
        "caffe", "caffe2", "chainer", "cntk",      "dynet",   "flax",   "haiku",
        "jax",   "mxnet",  "paddle",  "mindspore", "oneflow", "theano", "tinygrad"};
    for (size_t i = 0; i < f->names.symbols.n; i++) {
        uint32_t alias = f->names.symbols.v[i].first_import;
        if (alias == LW_NO_NODE)
            continue;
        uint32_t up = lw_tree_parent(&f->tree, alias), token, end;
        if (lw_tree_kind(&f->tree, up) == LW_NODE_IMPORT)
            token = lw_tree_node(&f->tree, alias)->first;
        else if (lw_tree_import_module(&f->tree, up, &token, &end) > 0)
            continue;
        struct lw_str head = lw_tree_token_text(&f->tree, token);
        for (size_t k = 0; k < sizeof frameworks / sizeof *frameworks; k++)
            if (lw_str_eq(head, lw_str(frameworks[k])) && !lw_api_is_module(c->apis, head))
                return lw_str(frameworks[k]);
    }
    return (struct lw_str){0};
}

static int run_engine(struct slot *s, struct ck *c, struct lw_str path,
                      const struct ck_parsed *parsed, struct lw_err *err)
{
    int rc = ck_lib_init(c, err);
    if (rc == 0)
        rc = ck_answers_init(c, err);
    if (rc == 0 && ck_load_file(c, path, parsed)) {
        s->lines = count_lines(parsed->source.text);
        s->broken = find_broken(c->files.v[0]);
        s->unmodelled = find_unmodelled(c, c->files.v[0]);
        ck_run(c);
        if (keep_findings(c, s) < 0 || keep_figures(c, s) < 0)
            rc = lw_err_nomem(err);
    }
    return rc;
}

/* Files come folder by folder: the versions of the last one mostly hold for the next. */
static int find_target(struct job *j, struct worker *w, struct lw_str path, struct lw_err *err)
{
    struct lw_str folder = lw_path_parent(path);
    if (j->options->target.given) {
        w->target = j->options->target;
        return 0;
    }
    if (w->folder.n && lw_str_eq(lw_buf_str(&w->folder), folder))
        return 0;
    lw_buf_clear(&w->folder);
    bool failed = lw_buf_add(&w->folder, folder) == LW_ENOMEM ||
                  lw_check_target_find(&w->target, j->ctx->mem, path) < 0;
    return failed ? lw_err_nomem(err) : 0;
}

static int ready_worker(struct job *j, struct worker *w, struct lw_str path, struct lw_err *err)
{
    int rc = find_target(j, w, path, err);
    if (rc < 0)
        return rc;
    lw_arena_clear(&w->arena);
    lw_dims_release(&w->dims);
    if (!w->apis)
        return lw_apis_load(&w->apis, j->ctx->mem, &w->dims, err);
    lw_apis_restart(w->apis);
    return 0;
}

static int check_parsed(struct job *j, struct slot *s, struct worker *w, struct lw_str path,
                        const struct ck_parsed *parsed, struct lw_err *err)
{
    struct lw_mem *mem = j->ctx->mem;
    struct ck_watch watch;
    int rc = ready_worker(j, w, path, err);
    if (rc < 0)
        return rc;
    struct ck_target target = {.given = w->target};
    struct ck c = {.mem = mem,
                   .arena = &w->arena,
                   .clock = lw_clock_thread(),
                   .apis = w->apis,
                   .roles = j->rules->roles,
                   .dims = &w->dims,
                   .shared = &j->modules,
                   .target = &target,
                   .models = &models_library,
                   .emit = watch_emit,
                   .watch = &watch,
                   .seconds = j->options->seconds > 0 ? j->options->seconds : 10};
    watch_init(&watch, mem, &j->plan, &w->callees);
    heap_init(&c.heap, &w->arena, mem);
    lw_map_init(&c.unknown_calls, mem);
    lw_map_init(&c.library, mem);
    lw_map_init(&c.builtins, mem);
    lw_map_init(&c.modules, mem);
    lw_map_init(&c.nested.known, mem);
    rc = run_engine(s, &c, path, parsed, err);
    ck_release_files(&c);
    lw_map_release(&c.unknown_calls);
    lw_map_release(&c.library);
    lw_map_release(&c.builtins);
    lw_map_release(&c.modules);
    lw_map_release(&c.nested.known);
    lw_vec_release(mem, &c.nested.runs);
    lw_vec_release(mem, &c.origins);
    lw_vec_release(mem, &c.defined);
    lw_vec_release(mem, &c.called);
    lw_vec_release(mem, &c.instances);
    lw_vec_release(mem, &c.contexts);
    heap_release(&c.heap);
    watch_release(&watch, mem);
    return rc;
}

static int check_one(void *data, size_t item, unsigned worker, struct lw_err *err)
{
    struct job *j = data;
    struct slot *s = &j->slots[item];
    const struct ck_parsed *parsed = NULL;
    struct lw_err why = {0};
    lw_arena_init(&s->arena, j->ctx->mem, 0);
    int rc = ck_modules_get(&j->modules, j->paths[item], &parsed, &why);
    if (rc == LW_ENOMEM)
        *err = why;
    else if (rc < 0) {
        s->error = lw_arena_copy(&s->arena, lw_str(why.text));
        rc = 0;
    } else {
        if (lw_str_eq(j->paths[item], LW_S("-")))
            s->input = keep_source(&s->arena, &parsed->source);
        rc = check_parsed(j, s, &j->workers[worker], j->paths[item], parsed, err);
    }
    ck_modules_put(&j->modules, parsed);
    return rc;
}

/* ---- the whole job ------------------------------------------------------------------------
 */

static int job_open(struct job *j, size_t count, struct lw_err *err)
{
    struct lw_mem *mem = j->ctx->mem;
    watch_plan_init(&j->plan, j->rules, j->options);
    lw_map_init(&j->seen, mem);
    lw_map_init(&j->unknown, mem);
    ck_modules_init(&j->modules, mem, CK_MODULES_ROOM);
    j->modules.overlay = j->options->overlay;
    j->modules.stores.paths = j->paths;
    j->modules.stores.path_count = count;
    lw_progress_init(&j->progress, j->ctx->talk, j->ctx->clock, "check", count);
    j->worker_count = j->ctx->jobs ? j->ctx->jobs : 1;
    if (j->worker_count > count)
        j->worker_count = count ? (unsigned)count : 1;
    j->workers = lw_arena_array(&j->out->arena, j->worker_count, sizeof *j->workers);
    j->slots = lw_arena_array(&j->out->arena, count ? count : 1, sizeof *j->slots);
    if (!j->workers || !j->slots) {
        j->worker_count = 0;
        return lw_err_nomem(err);
    }
    for (unsigned i = 0; i < j->worker_count; i++) {
        struct worker *w = &j->workers[i];
        lw_arena_init(&w->arena, mem, j->options->memory ? j->options->memory : ARENA_CAP);
        lw_dims_init(&w->dims, mem);
        callees_init(&w->callees, mem);
        lw_buf_init(&w->folder, mem, 65536);
        /* One large block that is used again and again: pages are taken from the system once.
         * Where it cannot be had, small ones do. */
        if (count > 1)
            lw_arena_bytes(&w->arena, ARENA_BLOCK);
        lw_arena_clear(&w->arena);
    }
    return 0;
}

static void job_close(struct job *j)
{
    for (unsigned i = 0; i < j->worker_count; i++) {
        lw_apis_free(j->workers[i].apis);
        lw_dims_release(&j->workers[i].dims);
        callees_release(&j->workers[i].callees);
        lw_buf_release(&j->workers[i].folder);
        lw_arena_release(&j->workers[i].arena);
    }
    ck_modules_release(&j->modules);
    lw_progress_finish(&j->progress);
    lw_map_release(&j->seen);
    lw_map_release(&j->unknown);
}

/* ---- all files ----------------------------------------------------------------------------
 */

static int deliver_finding(struct job *j, const struct lw_finding *f)
{
    struct lw_arena *a = &j->out->arena;
    struct lw_str key = lw_arena_printf(a, "%.*s:%u:%u:%u:%.*s", LW_F(f->path), f->cell,
                                        f->line, f->column, LW_F(f->rule));
    bool is_new;
    if (!key.p || !lw_map_put(&j->seen, key, &is_new))
        return LW_ENOMEM;
    if (!is_new)
        return 0;
    struct lw_finding copy;
    if (!lw_finding_copy(&copy, a, f))
        return LW_ENOMEM;
    return lw_vec_push(j->out->mem, &j->out->findings, copy);
}

static int deliver_figures(struct job *j, struct slot *s)
{
    struct lw_check_result *out = j->out;
    out->files++;
    out->lines += s->lines;
    out->analysed_calls += s->calls;
    out->unknown_calls += s->unknown_calls;
    out->suppressed += s->suppressed;
    out->given_up += s->given_up;
    if (s->input.text.n)
        out->input = keep_source(&out->arena, &s->input);
    for (size_t i = 0; i < s->unknown.n; i++) {
        struct lw_str name = keep(&out->arena, s->unknown.v[i].name);
        struct lw_map_entry *e = name.p ? lw_map_put(&j->unknown, name, NULL) : NULL;
        if (!e)
            return LW_ENOMEM;
        e->value += s->unknown.v[i].times;
    }
    for (size_t i = 0; i < s->inferred.n; i++) {
        struct lw_check_inferred v = s->inferred.v[i];
        v.name = keep(&out->arena, v.name);
        v.shape = keep(&out->arena, v.shape);
        v.dtype = keep(&out->arena, v.dtype);
        if (lw_vec_push(out->mem, &out->inferred, v) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

static void release_slot(struct job *j, struct slot *s)
{
    lw_vec_release(j->ctx->mem, &s->findings);
    lw_vec_release(j->ctx->mem, &s->unknown);
    lw_vec_release(j->ctx->mem, &s->inferred);
    lw_arena_release(&s->arena);
}

static int add_incomplete(struct job *j, struct lw_str path, const char *reason,
                          struct lw_str detail)
{
    struct lw_check_incomplete one = {keep(&j->out->arena, path), reason, detail};
    return detail.p ? lw_vec_push(j->out->mem, &j->out->incomplete, one) : LW_ENOMEM;
}

/* Says why bugs of the file may have been missed. */
static int deliver_incomplete(struct job *j, const struct slot *s, struct lw_str path)
{
    struct lw_arena *a = &j->out->arena;
    int rc = 0;
    if (s->error.n)
        rc = add_incomplete(j, path, "unreadable", keep(a, s->error));
    if (rc == 0 && s->broken.count && !s->broken.python2)
        rc = add_incomplete(j, path, "unreadable",
                            lw_arena_printf(a, "syntax error in line %u: %s", s->broken.line,
                                            s->broken.message));
    if (rc == 0 && s->given_up)
        rc = add_incomplete(
            j, path, "budget",
            lw_arena_printf(
                a, "%llu function%s not followed to the end (too long, or too little memory)",
                (unsigned long long)s->given_up, s->given_up == 1 ? "" : "s"));
    if (rc == 0 && s->unmodelled.n)
        rc = add_incomplete(
            j, path, "unmodelled",
            lw_arena_printf(a, "there is no API table for %.*s", LW_F(s->unmodelled)));
    return rc;
}

static int deliver(void *data, size_t item, struct lw_err *err)
{
    struct job *j = data;
    struct slot *s = &j->slots[item];
    int rc = deliver_figures(j, s);
    for (size_t i = 0; rc == 0 && i < s->findings.n; i++)
        rc = deliver_finding(j, &s->findings.v[i]);
    if (rc == 0 && s->error.n) {
        struct lw_check_error e = {keep(&j->out->arena, j->paths[item]),
                                   keep(&j->out->arena, s->error)};
        rc = lw_vec_push(j->out->mem, &j->out->errors, e);
    }
    if (rc == 0 && s->broken.count) {
        s->broken.path = keep(&j->out->arena, j->paths[item]);
        rc = lw_vec_push(j->out->mem, &j->out->broken, s->broken);
    }
    if (rc == 0)
        rc = deliver_incomplete(j, s, j->paths[item]);
    release_slot(j, s);
    *s = (struct slot){0};
    lw_progress_step(&j->progress, 1, j->paths[item]);
    return rc < 0 ? lw_err_nomem(err) : 0;
}

static int most_first(const void *a, const void *b)
{
    const struct lw_check_unknown *x = a, *y = b;
    if (x->times != y->times)
        return x->times < y->times ? 1 : -1;
    return lw_str_cmp(x->name, y->name);
}

static int close_result(struct job *j, struct lw_err *err)
{
    struct lw_check_result *out = j->out;
    for (size_t i = 0; i < j->unknown.n; i++)
        if (lw_vec_push(out->mem, &out->unknown,
                        (struct lw_check_unknown){j->unknown.entries[i].key,
                                                  j->unknown.entries[i].value}) < 0)
            return lw_err_nomem(err);
    if (out->unknown.n)
        qsort(out->unknown.v, out->unknown.n, sizeof *out->unknown.v, most_first);
    if (out->findings.n)
        qsort(out->findings.v, out->findings.n, sizeof *out->findings.v, lw_finding_cmp);
    return 0;
}

int lw_check_run(struct lw_check_result *out, const struct lw_ctx *ctx,
                 const struct lw_check_rules *rules, const struct lw_check_options *options,
                 const struct lw_str *paths, size_t count, struct lw_err *err)
{
    struct job j = {.ctx = ctx, .rules = rules, .options = options, .paths = paths, .out = out};
    double start = ctx->clock.seconds(ctx->clock.data);
    int rc = job_open(&j, count, err);
    if (rc == 0) {
        struct lw_pool pool = {.count = count,
                               .jobs = j.worker_count,
                               .window = 256,
                               .cancel = ctx->cancel,
                               .data = &j,
                               .work = check_one,
                               .deliver = deliver};
        rc = lw_pool_run(&pool, err);
        for (size_t i = 0; i < count; i++)
            release_slot(&j, &j.slots[i]);
    }
    if (rc == 0)
        rc = close_result(&j, err);
    job_close(&j);
    out->seconds = ctx->clock.seconds(ctx->clock.data) - start;
    return rc;
}

int lw_check_text(struct lw_check_result *out, const struct lw_ctx *ctx,
                  const struct lw_check_rules *rules, const struct lw_check_options *options,
                  struct lw_str path, struct lw_str text, struct lw_err *err)
{
    struct job j = {.ctx = ctx, .rules = rules, .options = options, .paths = &path, .out = out};
    const struct ck_parsed *parsed = NULL;
    int rc = job_open(&j, 1, err);
    if (rc == 0) {
        lw_arena_init(&j.slots[0].arena, ctx->mem, 0);
        rc = ck_modules_parse(&j.modules, path, text, &parsed, err);
        if (rc == 0)
            rc = check_parsed(&j, &j.slots[0], &j.workers[0], path, parsed, err);
        if (rc == 0)
            rc = deliver(&j, 0, err);
        release_slot(&j, &j.slots[0]);
        ck_modules_put(&j.modules, parsed);
    }
    if (rc == 0)
        rc = close_result(&j, err);
    job_close(&j);
    return rc;
}

int lw_check_fix_file(struct lw_fixed *out, struct lw_arena *arena, const struct lw_ctx *ctx,
                      const struct lw_check_rules *rules,
                      const struct lw_check_options *options, struct lw_str path,
                      struct lw_str bytes, const struct lw_str *paths, size_t path_count,
                      struct lw_err *err)
{
    static const struct lw_fix_checker checker = {lw_check_run, lw_check_text};
    return lw_fix_file(out, arena, ctx, &checker, rules, options, path, bytes, paths,
                       path_count, err);
}
