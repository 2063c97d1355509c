/*
 * The report itself: reading files, putting facts in order, walking them.
 */
#include "report/sources.h"

const char *lw_fact_kind_name(enum lw_fact_kind kind)
{
    static const char *const names[] = {
        "summary",   "heading",  "prose",   "code",    "trace", "output",  "frame",
        "exception", "file",     "module",  "name",    "link",  "version", "library",
        "system",    "hardware", "device",  "command", "shape", "dtype",   "data",
        "import",    "layer",    "setting", "metric",  "error"};
    _Static_assert(sizeof names / sizeof *names == LW_FACT_KINDS, "a name for each kind");
    return names[kind];
}

int report_add(struct lw_report *r, struct lw_fact fact)
{
    return lw_vec_push(r->mem, &r->details, fact);
}

/* ---- Order ------------------------------------------------------------------------------- */

static bool is_before(const struct lw_fact *a, const struct lw_fact *b)
{
    if (a->start != b->start)
        return a->start < b->start;
    if (a->end != b->end)
        return a->end > b->end; /* the outer one first */
    return a->kind < b->kind;
}

/* Memory for sorting, kept from block to block. */
struct sorter {
    struct lw_mem *mem;
    LW_VEC(struct lw_fact) spare;
    LW_VEC(size_t) ends; /* of ascending runs */
};

static int find_runs(struct sorter *s, const struct lw_fact *v, size_t n)
{
    s->ends.n = 0;
    for (size_t i = 1; i <= n; i++)
        if ((i == n || is_before(&v[i], &v[i - 1])) && lw_vec_push(s->mem, &s->ends, i) < 0)
            return LW_ENOMEM;
    return 0;
}

static void merge(struct lw_fact *to, const struct lw_fact *from, size_t low, size_t mid,
                  size_t high)
{
    size_t i = low, k = mid;
    for (size_t o = low; o < high; o++) {
        bool right = i >= mid || (k < high && is_before(&from[k], &from[i]));
        to[o] = right ? from[k++] : from[i++];
    }
}

/* Merge sort of the details of one block, stable: they come in a few ascending runs, one a
 * pass. Blocks follow each other, so nothing has to be done between them. */
static int sort_details(struct sorter *s, struct lw_fact *v, size_t n)
{
    if (find_runs(s, v, n) < 0 || (s->ends.n > 1 && lw_vec_reserve(s->mem, &s->spare, n) < 0))
        return LW_ENOMEM;
    struct lw_fact *from = v, *to = s->spare.v;
    while (s->ends.n > 1) {
        size_t runs = 0, low = 0;
        for (size_t i = 0; i < s->ends.n; i += 2) {
            size_t mid = s->ends.v[i], high = i + 1 < s->ends.n ? s->ends.v[i + 1] : mid;
            merge(to, from, low, mid, high);
            s->ends.v[runs++] = low = high;
        }
        s->ends.n = runs;
        struct lw_fact *t = from;
        from = to;
        to = t;
    }
    if (from != v)
        memcpy(v, from, n * sizeof *v);
    return 0;
}

/* ---- Reading ----------------------------------------------------------------------------- */

static int block_details(struct lw_report *r, uint32_t b)
{
    bool logged;
    r->trace_from = r->details.n;
    if (report_trace_details(r, b) < 0)
        return LW_ENOMEM;
    r->trace_to = r->details.n;
    if (report_mentions(r, b) < 0 || report_log_metrics(r, b, &logged) < 0 ||
        report_terms(r, b, logged) < 0 || report_commands(r, b) < 0 || report_imports(r, b) < 0)
        return LW_ENOMEM;
    return 0;
}

/* Counts the kinds, and links each fact to the next of its kind. */
static void link_kinds(struct lw_report *r, struct lw_fact *v, size_t n)
{
    uint32_t next[LW_FACT_KINDS] = {0};
    for (size_t i = n; i-- > 0;) {
        enum lw_fact_kind kind = v[i].kind;
        v[i].next = r->count[kind]++ ? next[kind] - (uint32_t)i : 0;
        r->first[kind] = next[kind] = (uint32_t)i;
    }
}

static int find_details(struct lw_report *r, struct lw_err *err)
{
    struct sorter sorter = {.mem = r->mem};
    int rc = 0;
    for (uint32_t b = 0; b < r->blocks.n && rc == 0; b++) {
        size_t first = r->details.n;
        rc = block_details(r, b);
        if (rc == 0 && r->details.n > first)
            rc = sort_details(&sorter, r->details.v + first, r->details.n - first);
    }
    lw_vec_release(r->mem, &sorter.spare);
    lw_vec_release(r->mem, &sorter.ends);
    if (rc == 0) {
        link_kinds(r, r->blocks.v, r->blocks.n);
        link_kinds(r, r->details.v, r->details.n);
    }
    return rc < 0 ? lw_err_nomem(err) : 0;
}

/* A summary is one line. */
static struct lw_str one_line(struct lw_buf *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->p[i] == '\n' || b->p[i] == '\t')
            b->p[i] = ' ';
    return lw_str_trim(lw_buf_str(b));
}

/* The comments, each behind a line with a rule; where they begin is kept. */
static int add_comments(struct lw_report *r, struct lw_buf *all,
                        const struct report_source *source)
{
    for (size_t i = 0; i < source->comments.n; i++) {
        (void)lw_buf_addz(all, "\n\n---\n");
        if (lw_vec_push(r->mem, &r->comments, (uint32_t)all->n) < 0)
            return LW_ENOMEM;
        report_readable(all, source->comments.v[i]);
    }
    return 0;
}

static int make_text(struct lw_report *r, const struct report_source *source,
                     struct lw_err *err)
{
    struct lw_buf head, all;
    lw_buf_init(&head, r->mem, 0);
    lw_buf_init(&all, r->mem, 0);
    report_readable(&head, source->summary);
    (void)lw_buf_add(&all, one_line(&head));
    r->summary_end = all.n;
    (void)lw_buf_add_char(&all, '\n');
    report_readable(&all, source->description);
    int rc = add_comments(r, &all, source);
    if (rc == 0 && !head.failed && !all.failed)
        r->text = lw_arena_copy(&r->arena, lw_buf_str(&all));
    lw_buf_release(&head);
    lw_buf_release(&all);
    return r->text.p ? 0 : lw_err_nomem(err);
}

/* What stands in the file beside the text. */
static int keep_frame(struct lw_report *r, const struct report_source *source,
                      struct lw_err *err)
{
    r->format = source->format;
    r->open_date = lw_arena_copy(&r->arena, source->open_date);
    r->project = lw_arena_copy(&r->arena, source->project);
    if (!r->open_date.p || !r->project.p)
        return lw_err_nomem(err);
    for (size_t i = 0; i < source->tags.n; i++) {
        struct lw_str tag = lw_arena_copy(&r->arena, source->tags.v[i]);
        if (!tag.p || lw_vec_push(r->mem, &r->tags, tag) < 0)
            return lw_err_nomem(err);
    }
    return 0;
}

static int find_facts(struct lw_report *r, const struct report_words *words,
                      const struct report_source *source, struct lw_err *err)
{
    r->words = words;
    int rc = keep_frame(r, source, err);
    if (rc == 0)
        rc = make_text(r, source, err);
    if (rc == 0)
        rc = report_blocks(r, err);
    if (rc == 0)
        rc = find_details(r, err);
    r->words = r->log.words = NULL;
    return rc;
}

static size_t source_size(const struct report_source *source)
{
    size_t n = source->summary.n + source->description.n;
    for (size_t i = 0; i < source->comments.n; i++)
        n += source->comments.v[i].n;
    return n;
}

struct lw_report_tables {
    struct lw_mem *mem;
    struct report_words words;
};

int lw_report_tables_new(lw_report_tables **out, struct lw_mem *mem, struct lw_err *err)
{
    struct lw_report_tables *t = lw_mem_alloc(mem, sizeof *t);
    *out = NULL;
    if (!t)
        return lw_err_nomem(err);
    t->mem = mem;
    int rc = report_words_load(&t->words, mem, err);
    if (rc < 0) {
        lw_mem_free(mem, t, sizeof *t);
        return rc;
    }
    *out = t;
    return 0;
}

void lw_report_tables_free(lw_report_tables *t)
{
    if (!t)
        return;
    report_words_release(&t->words);
    lw_mem_free(t->mem, t, sizeof *t);
}

static int parse_source(lw_report **out, struct lw_mem *mem, const lw_report_tables *tables,
                        const struct report_source *source, struct lw_err *err)
{
    *out = NULL;
    if (source_size(source) > LW_REPORT_MAX)
        return lw_err_set(err, LW_ELIMIT, "the report is longer than %d MB",
                          LW_REPORT_MAX >> 20);
    struct lw_report *r = lw_mem_alloc(mem, sizeof *r);
    if (!r)
        return lw_err_nomem(err);
    r->mem = mem;
    lw_arena_init(&r->arena, mem, 0);
    report_log_init(&r->log, mem, &tables->words);
    int rc = find_facts(r, &tables->words, source, err);
    if (rc < 0) {
        lw_report_free(r);
        return rc;
    }
    *out = r;
    return 0;
}

/* With tables of its own where none are given. */
static int parse(lw_report **out, struct lw_mem *mem, const lw_report_tables *tables,
                 const struct report_source *source, struct lw_err *err)
{
    lw_report_tables *own = NULL;
    int rc = tables ? 0 : lw_report_tables_new(&own, mem, err);
    if (rc == 0)
        rc = parse_source(out, mem, tables ? tables : own, source, err);
    lw_report_tables_free(own);
    return rc;
}

int lw_report_parse(lw_report **out, struct lw_mem *mem, const lw_report_tables *tables,
                    struct lw_str summary, struct lw_str description, struct lw_err *err)
{
    const struct report_source source = {.summary = summary, .description = description};
    *out = NULL;
    return parse(out, mem, tables, &source, err);
}

int lw_report_read(lw_report **out, struct lw_mem *mem, const lw_report_tables *tables,
                   struct lw_str name, struct lw_str bytes, struct lw_err *err)
{
    struct report_source source;
    struct lw_arena arena;
    *out = NULL;
    lw_arena_init(&arena, mem, 0);
    int rc = report_source_read(&source, &arena, mem, name, bytes, err);
    if (rc == 0)
        rc = parse(out, mem, tables, &source, err);
    lw_vec_release(mem, &source.comments);
    lw_vec_release(mem, &source.tags);
    lw_arena_release(&arena);
    return rc;
}

void lw_report_free(lw_report *r)
{
    if (!r)
        return;
    struct lw_mem *mem = r->mem;
    lw_vec_release(mem, &r->blocks);
    lw_vec_release(mem, &r->details);
    report_log_release(&r->log);
    lw_vec_release(mem, &r->tags);
    lw_vec_release(mem, &r->comments);
    lw_arena_release(&r->arena);
    lw_mem_free(mem, r, sizeof *r);
}

/* ---- Looking ----------------------------------------------------------------------------- */

struct lw_str lw_report_text(const lw_report *r)
{
    return r->text;
}

struct lw_str lw_report_summary(const lw_report *r)
{
    return lw_str_part(r->text, 0, r->summary_end);
}

struct lw_str lw_report_description(const lw_report *r)
{
    return lw_str_from(r->text, r->summary_end + 1);
}

struct lw_str lw_report_open_date(const lw_report *r)
{
    return r->open_date;
}

struct lw_str lw_report_project(const lw_report *r)
{
    return r->project;
}

enum lw_report_format lw_report_format(const lw_report *r)
{
    return r->format;
}

struct lw_str lw_report_tag(const lw_report *r, size_t number)
{
    return number < r->tags.n ? r->tags.v[number] : (struct lw_str){0};
}

uint32_t lw_report_comment(const lw_report *r, const struct lw_fact *block)
{
    size_t low = 0, high = r->comments.n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (r->comments.v[mid] <= block->start)
            low = mid + 1;
        else
            high = mid;
    }
    return (uint32_t)low;
}

struct lw_str lw_fact_name(const struct lw_fact *f)
{
    switch (f->kind) {
    case LW_FACT_FRAME: return f->frame.function;
    case LW_FACT_EXCEPTION: return f->exception.type;
    default: return f->name;
    }
}

struct lw_str lw_fact_value(const struct lw_fact *f)
{
    return f->kind == LW_FACT_EXCEPTION ? f->exception.message : f->text;
}

const struct lw_fact *lw_report_next(const lw_report *r, enum lw_fact_kind kind,
                                     const struct lw_fact *before)
{
    const struct lw_fact *v = (int)kind < (int)LW_FACT_BLOCKS ? r->blocks.v : r->details.v;
    if (before)
        return before->next ? before + before->next : NULL;
    return r->count[kind] ? &v[r->first[kind]] : NULL;
}

const struct lw_fact *lw_report_next_block(const lw_report *r, const struct lw_fact *before)
{
    size_t i = before ? (size_t)(before - r->blocks.v) + 1 : 0;
    return i < r->blocks.n ? &r->blocks.v[i] : NULL;
}

const struct lw_fact *lw_report_block(const lw_report *r, uint32_t number)
{
    LW_BUG_ON(number >= r->blocks.n);
    return &r->blocks.v[number];
}

const struct lw_fact *lw_report_next_in(const lw_report *r, const struct lw_fact *block,
                                        enum lw_fact_kind kind, const struct lw_fact *before)
{
    const struct lw_fact *f = before;
    if (!f) { /* the first detail at or behind the block's start */
        size_t low = 0, high = r->details.n;
        while (low < high) {
            size_t mid = low + (high - low) / 2;
            if (r->details.v[mid].start < block->start)
                low = mid + 1;
            else
                high = mid;
        }
        if (low == r->details.n)
            return NULL;
        f = &r->details.v[low];
    } else {
        f++;
    }
    for (; f < r->details.v + r->details.n && f->start < block->end; f++)
        if (f->kind == kind && f->block == block->block)
            return f;
    return NULL;
}

size_t lw_report_count(const lw_report *r, enum lw_fact_kind kind)
{
    return r->count[kind];
}
