/* gDefects4DL's Database.xml: <root> of <sir> (a project) of <bug>. */
#include <string.h>

#include "base/ahead.h"
#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "catalog/exchange.h"
#include "catalog/xml.h"

/* Its words for the kinds of bugs, and what they mean to us. */
static const struct {
    const char *name, *category, *type;
} kinds[] = {
    {"shape mismatch", "shape", "tensor"},
    {"type mismatch", "type", "tensor"},
    {"numeric error", "numeric", "training"},
    {"API misuse", "api", "api"},
    {"architecture design convention", "architecture", "model"},
    {"Performance", "performance", "other"},
    /* The paper's names for the last two. */
    {"architecture convention violation", "architecture", "model"},
    {"performance bug", "performance", "other"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* What is gathered of one bug, in the arena of its batch. */
struct entry {
    struct lw_str project, url; /* of the <sir> around it, in buffers of their own */
    struct lw_str id, error, describe, type, support, similar, buggy, fixed, issue, commit,
        tools;
    uint64_t line;
};

static struct lw_str *place_of(struct entry *e, struct lw_str name)
{
    const struct {
        const char *name;
        struct lw_str *to;
    } places[] = {
        {"id", &e->id},
        {"errormessage", &e->error},
        {"describe", &e->describe},
        {"type", &e->type},
        {"support_level", &e->support},
        {"similar_bugs", &e->similar},
        {"buggycommit", &e->buggy},
        {"fixcommit", &e->fixed},
        {"issue_url", &e->issue},
        {"commit_url", &e->commit},
        {"detection_tools", &e->tools},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (lw_str_eq(name, lw_str(places[i].name)))
            return places[i].to;
    return NULL;
}

static bool has_nocase(struct lw_str text, struct lw_str what)
{
    for (size_t i = 0; i + what.n <= text.n; i++)
        if (lw_str_eq_nocase(lw_str_part(text, i, what.n), what))
            return true;
    return false;
}

/* The format does not say; the project's name often does. */
static struct lw_str framework_of(struct lw_str project)
{
    if (has_nocase(project, LW_S("keras")))
        return LW_S("keras");
    if (has_nocase(project, LW_S("tensorflow")))
        return LW_S("tensorflow");
    return has_nocase(project, LW_S("torch")) ? LW_S("pytorch") : LW_S("");
}

/* The first sentence, at most 100 bytes at a word's end. */
static struct lw_str title_of(struct lw_str text)
{
    enum { LONGEST = 100 };
    ptrdiff_t dot = lw_str_find(text, LW_S(". "));
    if (dot > 0)
        text.n = (size_t)dot;
    if (text.n > LONGEST) {
        text.n = LONGEST;
        ptrdiff_t blank = lw_str_find_last_char(text, ' ');
        text.n = blank > 0 ? (size_t)blank : text.n;
    }
    ptrdiff_t line = lw_str_find_char(text, '\n');
    text.n = line > 0 ? (size_t)line : text.n;
    return lw_str_trim(text);
}

static struct lw_str symptom_of(const char *category, struct lw_str error)
{
    if (strcmp(category, "performance") == 0)
        return LW_S("slow");
    if (error.n)
        return LW_S("crash");
    return strcmp(category, "numeric") == 0 ? LW_S("nan") : LW_S("wrong-output");
}

static bool is_commit(struct lw_str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (!strchr("0123456789abcdef", text.p[i]))
            return false;
    return text.n == 40;
}

/* A bug as it is read, or why it is refused. Texts in the arena of its batch. */
struct item {
    struct lw_bug bug;
    uint64_t line;
    const char *refusal; /* NULL: it can be stored */
};

/* What is wrong with the entry by the format's own rules, or NULL. */
static const char *find_fault(const struct entry *e, size_t kind, int64_t *level)
{
    return kind == KINDS ? "an unknown <type>"
           : !is_commit(e->buggy) || !is_commit(e->fixed)
               ? "a commit that is not 40 lower-case hexadecimal digits"
           : e->support.n && !lw_parse_i64(e->support, level)
               ? "a <support_level> that is not a number"
           : e->url.n == 0 ? "no <source> of the project"
                           : NULL;
}

static void read_entry(const struct entry *e, struct item *item)
{
    size_t kind = 0;
    int64_t level = 1;
    while (kind < KINDS && !lw_str_eq_nocase(e->type, lw_str(kinds[kind].name)))
        kind++;
    *item = (struct item){.line = e->line, .refusal = find_fault(e, kind, &level)};
    if (item->refusal)
        return;
    const char *category = kinds[kind].category;
    struct lw_str error = lw_str_eq_nocase(e->error, LW_S("none")) ? LW_S("") : e->error;
    item->bug = (struct lw_bug){
        .id = e->id,
        .title = title_of(e->describe.n ? e->describe : e->id),
        .source = LW_S("gdefects4dl"),
        .type = lw_str(kinds[kind].type),
        .category = lw_str(category),
        .symptom = symptom_of(category, error),
        .property =
            strcmp(category, "performance") == 0 ? LW_S("efficiency") : LW_S("correctness"),
        .framework = framework_of(e->project),
        .origin_url = e->issue,
        .fix_url = e->commit,
        .description = e->describe,
        .error_message = error,
        .git_url = e->url,
        .buggy_commit = e->buggy,
        .fixed_commit = e->fixed,
        .support_level = level,
        .similar = e->similar,
        .tools = e->tools,
    };
}

/* The file is read ahead in batches, since storing a bug takes five times as long. */
enum { BATCHES = 3, BATCH = 128, BATCH_BYTES = 1 << 20 };

struct batch {
    struct lw_arena arena;
    struct item items[BATCH];
    size_t n;
};

struct walking {
    struct importing *im;
    struct xml xml;
    struct entry entry;
    struct lw_buf project, url;
    bool in_bug;
    struct batch *batches;
};

static int add_item(struct walking *w, struct batch *b, struct lw_err *err)
{
    struct item *item = &b->items[b->n];
    struct lw_err why;
    w->entry.project = lw_buf_str(&w->project);
    w->entry.url = lw_arena_copy(&b->arena, lw_buf_str(&w->url));
    if (!w->entry.url.p)
        return lw_err_nomem(err);
    read_entry(&w->entry, item);
    if (!item->refusal && import_check(w->im, &item->bug, &why) < 0) {
        item->refusal = lw_arena_copy(&b->arena, lw_str(why.text)).p;
        if (!item->refusal)
            return lw_err_nomem(err);
    }
    b->n++;
    return 0;
}

static void opened(struct walking *w)
{
    struct lw_str name = lw_buf_str(&w->xml.name);
    if (lw_str_eq(name, LW_S("bug"))) {
        w->in_bug = true;
        w->entry = (struct entry){.line = w->xml.line};
    } else if (lw_str_eq(name, LW_S("sir"))) {
        lw_buf_clear(&w->project);
        lw_buf_clear(&w->url);
    }
}

static int closed(struct walking *w, struct batch *b, struct lw_err *err)
{
    struct lw_str name = lw_buf_str(&w->xml.name);
    struct lw_str text = lw_str_trim(lw_buf_str(&w->xml.text));
    if (lw_str_eq(name, LW_S("bug")) && w->in_bug) {
        w->in_bug = false;
        return add_item(w, b, err);
    }
    if (w->in_bug) {
        struct lw_str *to = place_of(&w->entry, name);
        if (to)
            *to = lw_arena_copy(&b->arena, text);
        return !to || to->p ? 0 : lw_err_nomem(err);
    }
    if (lw_str_eq(name, LW_S("name")))
        lw_buf_add(&w->project, text);
    else if (lw_str_eq(name, LW_S("source")))
        lw_buf_add(&w->url, text);
    return w->project.failed || w->url.failed ? lw_err_nomem(err) : 0;
}

static int make_batch(void *data, size_t slot, bool *last, struct lw_err *err)
{
    struct walking *w = data;
    struct batch *b = &w->batches[slot];
    int rc = 0;
    lw_arena_clear(&b->arena);
    b->n = 0;
    do {
        rc = xml_next(&w->xml, err);
        *last = rc == XML_AT_END;
        if (rc == XML_OPENED) {
            opened(w);
            rc = 0;
        } else if (rc == XML_CLOSED) {
            rc = closed(w, b, err);
        }
        /* A batch ends between two bugs: the texts of one lie together. */
    } while (rc == 0 && !*last && (w->in_bug || (b->n < BATCH && b->arena.used < BATCH_BYTES)));
    return rc;
}

static int store_batch(void *data, size_t slot, struct lw_err *err)
{
    struct walking *w = data;
    struct batch *b = &w->batches[slot];
    struct lw_str where = lw_str(w->im->path);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < b->n; i++) {
        struct item *item = &b->items[i];
        if (item->refusal)
            import_refuse(w->im, where, item->line, item->refusal);
        else
            rc = import_checked(w->im, &item->bug, NULL, where, item->line, err);
    }
    return rc;
}

static int read_all(struct walking *w, struct lw_err *err)
{
    const struct lw_imported *result = w->im->result;
    const struct lw_ahead ahead = {
        .slots = BATCHES, .data = w, .make = make_batch, .use = store_batch};
    int rc = lw_ahead_run(&ahead, err);
    if (rc == 0 && result->added + result->present + result->refused == 0)
        rc = lw_err_set(err, LW_EINVAL, "%s: there is no <bug> in it", w->im->path);
    return rc;
}

int import_gdefects4dl(struct importing *im, struct lw_err *err)
{
    struct walking w = {.im = im};
    struct lw_mem *mem = im->catalog->ctx.mem;
    lw_buf_init(&w.project, mem, XML_TEXT);
    lw_buf_init(&w.url, mem, XML_TEXT);
    w.batches = lw_mem_alloc(mem, BATCHES * sizeof *w.batches);
    int rc = xml_open(&w.xml, mem, im->path, err);
    if (!w.batches)
        rc = lw_err_nomem(err);
    for (size_t i = 0; w.batches && i < BATCHES; i++)
        lw_arena_init(&w.batches[i].arena, mem, 0);
    if (rc == 0)
        rc = read_all(&w, err);
    for (size_t i = 0; w.batches && i < BATCHES; i++)
        lw_arena_release(&w.batches[i].arena);
    lw_mem_free(mem, w.batches, BATCHES * sizeof *w.batches);
    xml_close(&w.xml);
    lw_buf_release(&w.url);
    lw_buf_release(&w.project);
    return rc;
}

/* ---- Export -------------------------------------------------------------------------------
 */

static void put(struct lw_sink *out, const char *name, struct lw_str text)
{
    lw_putf(out, "            <%s>", name);
    xml_put(out, text);
    lw_putf(out, "</%s>\n", name);
}

int export_gdefects4dl(struct exporting *ex, const struct lw_bug *bug, const lw_file_vec *files,
                       struct lw_err *err)
{
    (void)files;
    size_t kind = 0;
    struct lw_str similar, tools;
    /* Only what lives in a repository has a place in this format. */
    if (bug->git_url.n == 0)
        return 0;
    while (kind < KINDS && !lw_str_eq(bug->category, lw_str(kinds[kind].category)))
        kind++;
    if (kind == KINDS)
        return 0;
    if (export_names(ex, bug->id, true, &similar, err) < 0 ||
        export_names(ex, bug->id, false, &tools, err) < 0)
        return err->code;
    if (ex->count++ == 0)
        lw_putz(ex->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root>\n");
    ptrdiff_t slash = lw_str_find_last_char(bug->git_url, '/');
    lw_putz(ex->out, "    <sir>\n        <name>");
    xml_put(ex->out, lw_str_from(bug->git_url, (size_t)(slash + 1)));
    lw_putz(ex->out, "</name>\n        <source>");
    xml_put(ex->out, bug->git_url);
    lw_putz(ex->out, "</source>\n        <bug>\n");
    put(ex->out, "id", bug->id);
    put(ex->out, "errormessage", bug->error_message.n ? bug->error_message : LW_S("None"));
    put(ex->out, "describe", bug->description);
    put(ex->out, "type", lw_str(kinds[kind].name));
    lw_putf(ex->out, "            <support_level>%lld</support_level>\n",
            (long long)bug->support_level);
    put(ex->out, "similar_bugs", similar);
    lw_putz(ex->out, "            <buggyVersion>\n    ");
    put(ex->out, "buggycommit", bug->buggy_commit);
    lw_putz(ex->out, "            </buggyVersion>\n            <fixVersion>\n    ");
    put(ex->out, "fixcommit", bug->fixed_commit);
    lw_putz(ex->out, "            </fixVersion>\n");
    put(ex->out, "issue_url", bug->origin_url);
    put(ex->out, "commit_url", bug->fix_url);
    put(ex->out, "detection_tools", tools);
    lw_putz(ex->out, "        </bug>\n    </sir>\n");
    return 0;
}
