#include "triage/features.h"

#include <math.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/str.h"
#include "knowledge/embedded.h"
#include "locate/stem.h"

enum {
    TITLE_MAX = 250,
    PROSE_MAX = 2500,
    CODE_MAX = 4000,
    ERROR_MAX = 300,
    FRAMES = 3,
    PATHS = 40,
    PATH_PARTS = 4
};

/* ---- Tables -------------------------------------------------------------------------------
 */

static int load_boilerplate(struct lw_feature_tables *t)
{
    struct lw_str text = {0}, line;
    lw_embedded_find(LW_S("data/triage/boilerplate.txt"), &text);
    while (lw_str_line(&text, &line))
        if (line.n > 0 && line.p[0] != '#' &&
            lw_vec_push(t->arena.mem, &t->boilerplate, line) < 0)
            return LW_ENOMEM;
    return 0;
}

static int load_tags(struct lw_feature_tables *t, struct lw_err *err)
{
    const struct lw_str name = LW_S("data/triage/tags.csv");
    struct lw_str text = {0};
    struct lw_csv csv;
    lw_embedded_find(name, &text);
    int rc = lw_csv_open_text(&csv, t->arena.mem, name, ',', text, err);
    while (rc == 0 && (rc = lw_csv_next(&csv, err)) > 0) {
        struct lw_str key = lw_arena_copy(&t->arena, csv.fields.v[0]);
        struct lw_str type = lw_arena_copy(&t->arena, csv.fields.v[csv.fields.n - 1]);
        struct lw_map_entry *e = key.p ? lw_map_put(&t->tags, key, NULL) : NULL;
        rc = e && type.p ? 0 : lw_err_nomem(err);
        if (rc == 0)
            e->value = (uint64_t)(uintptr_t)type.p;
    }
    lw_csv_close(&csv);
    return rc;
}

int lw_feature_tables_load(struct lw_feature_tables *t, struct lw_mem *mem, struct lw_err *err)
{
    *t = (struct lw_feature_tables){0};
    lw_arena_init(&t->arena, mem, 0);
    lw_map_init(&t->tags, mem);
    int rc = lw_stopwords_load(&t->stop, mem, err);
    if (rc == 0)
        rc = lw_concepts_load(&t->concepts, mem, err);
    if (rc == 0 && load_boilerplate(t) < 0)
        rc = lw_err_nomem(err);
    return rc < 0 ? rc : load_tags(t, err);
}

void lw_feature_tables_release(struct lw_feature_tables *t)
{
    lw_stopwords_release(&t->stop);
    lw_concepts_release(&t->concepts);
    lw_vec_release(t->arena.mem, &t->boilerplate);
    lw_map_release(&t->tags);
    lw_arena_release(&t->arena);
}

/* ---- Regions ------------------------------------------------------------------------------
 */

static const struct lw_str tag_line = {"Tags:", 5};

/* The line "Tags: a, b" of the prose, or empty. */
static struct lw_str find_tag_line(const lw_report *r)
{
    for (const struct lw_fact *f = NULL; (f = lw_report_next(r, LW_FACT_PROSE, f));) {
        struct lw_str rest = f->text, line;
        while (lw_str_line(&rest, &line))
            if (lw_str_has_prefix(line, tag_line))
                return lw_str_from(line, tag_line.n);
    }
    return (struct lw_str){0};
}

static size_t count_tags(const lw_report *r, struct lw_str line)
{
    size_t n = 0;
    struct lw_str one;
    while (lw_report_tag(r, n).n > 0)
        n++;
    while (lw_str_split(&line, ',', &one))
        n++;
    return n;
}

int lw_report_tags(lw_str_list *out, const lw_report *r, struct lw_arena *arena)
{
    struct lw_str line = find_tag_line(r), one;
    size_t n = count_tags(r, line);
    *out = (lw_str_list){lw_arena_array(arena, n + 1, sizeof *out->v), 0};
    if (!out->v)
        return LW_ENOMEM;
    while ((one = lw_report_tag(r, out->n)).n > 0)
        out->v[out->n++] = one;
    while (lw_str_split(&line, ',', &one))
        if ((one = lw_str_trim(one)).n > 0)
            out->v[out->n++] = one;
    return 0;
}

static bool has_phrase(const struct lw_feature_tables *t, struct lw_str line)
{
    char low[200];
    size_t n = line.n < sizeof low ? line.n : sizeof low;
    for (size_t i = 0; i < n; i++)
        low[i] = line.p[i] >= 'A' && line.p[i] <= 'Z' ? (char)(line.p[i] + 32) : line.p[i];
    for (size_t i = 0; i < t->boilerplate.n; i++)
        if (lw_str_find(lw_str_n(low, n), t->boilerplate.v[i]) >= 0)
            return true;
    return false;
}

/* A short line with a version is part of a list of versions, not of what people say. */
static bool lists_version(const lw_report *r, const struct lw_fact *block, struct lw_str line,
                          const struct lw_fact **at)
{
    const char *text = lw_report_text(r).p;
    uint32_t start = (uint32_t)(line.p - text), end = start + (uint32_t)line.n;
    const struct lw_fact *f = *at;
    while (f && f->start < start)
        f = lw_report_next_in(r, block, LW_FACT_VERSION, f);
    *at = f;
    return f && f->start < end && line.n < 90 && lw_str_find_char(line, ':') >= 0;
}

static void add_prose(struct lw_buf *out, const lw_report *r, const struct lw_feature_tables *t,
                      const struct lw_fact *block, size_t most)
{
    struct lw_str rest = block->text, line;
    const struct lw_fact *version = lw_report_next_in(r, block, LW_FACT_VERSION, NULL);
    while (out->n < most && lw_str_line(&rest, &line)) {
        if (lw_str_has_prefix(line, tag_line) || has_phrase(t, line) ||
            lists_version(r, block, line, &version))
            continue;
        lw_buf_add(out, lw_str_part(line, 0, most - out->n));
        lw_buf_add_char(out, '\n');
    }
}

struct lw_str lw_report_prose(const lw_report *r, const struct lw_feature_tables *t,
                              struct lw_arena *arena, size_t most)
{
    struct lw_buf out;
    struct lw_str prose = {0};
    lw_buf_init(&out, arena->mem, 0);
    lw_buf_add(&out, lw_str_part(lw_str_from(lw_report_summary(r), TITLE_MAX), 0, most));
    for (const struct lw_fact *f = NULL;
         out.n < most && (f = lw_report_next(r, LW_FACT_PROSE, f));)
        if (!lw_str_eq(f->name, LW_S("environment")) && lw_report_comment(r, f) == 0)
            add_prose(&out, r, t, f, most);
    if (!out.failed)
        prose = lw_arena_copy(arena, lw_buf_str(&out));
    lw_buf_release(&out);
    return prose;
}

/* ---- Features -----------------------------------------------------------------------------
 */

struct reading {
    lw_features *out;
    const struct lw_feature_tables *tables;
    const lw_report *report;
    struct lw_arena *arena;
    bool failed;
};

static void add(struct reading *d, enum lw_feature_group group, struct lw_str name,
                struct lw_str word, double value)
{
    const struct lw_feature f = {group, name, word, value};
    if (!name.p || lw_vec_push(d->arena->mem, d->out, f) < 0)
        d->failed = true;
}

/* Title and error have few words: what matters is whether they are there. In longer texts the
 * share of a concept counts. */
static void add_concepts(struct reading *d, enum lw_feature_group group, const char *region,
                         const struct lw_concept_counts *counts, bool share)
{
    const struct lw_concepts *c = &d->tables->concepts;
    double sum = 0;
    for (size_t k = 0; k < c->count; k++)
        sum += counts->count[k];
    for (size_t k = 0; k < c->count; k++) {
        double n = counts->count[k];
        if (n > 0)
            add(d, group, lw_arena_printf(d->arena, "%s @%.*s", region, LW_F(c->name[k])),
                counts->word[k], share ? sqrt(n / sum) : sqrt(n < 3 ? n : 3));
    }
}

/* The same for the types of bugs that the concepts are evidence of. */
static void add_evidence(struct reading *d, enum lw_feature_group group, const char *region,
                         const struct lw_concept_counts *counts, bool share)
{
    const struct lw_concepts *c = &d->tables->concepts;
    double sum[LW_TYPES] = {0}, all = 0;
    for (size_t k = 0; k < c->count; k++) {
        enum lw_bug_type type = lw_bug_type_find(c->type[k]);
        all += counts->count[k];
        if (type < LW_TYPE_UNKNOWN)
            sum[type] += counts->count[k];
    }
    for (unsigned type = 0; type < LW_TYPES; type++)
        if (sum[type] > 0)
            add(d, group,
                lw_arena_printf(d->arena, "%s #%s", region,
                                lw_bug_type_name((enum lw_bug_type)type)),
                (struct lw_str){0}, share ? sqrt(sum[type] / all) : sqrt(fmin(sum[type], 4)));
}

static void read_concepts(struct reading *d, enum lw_feature_group group, const char *region,
                          struct lw_str text, bool share)
{
    struct lw_concept_counts counts = {0};
    lw_tokens tokens = {0};
    if (lw_tokens_add(&tokens, d->arena, text) < 0 ||
        lw_concepts_count(&d->tables->concepts, &tokens, !share, d->arena, &counts) < 0)
        d->failed = true;
    else {
        add_concepts(d, group, region, &counts, share);
        add_evidence(d, group, region, &counts, share);
    }
    lw_vec_release(d->arena->mem, &tokens);
}

/* "loading" and "loads" are one word, by their stem; "conv2d" and "batch_size" stay. */
static struct lw_str stem(struct reading *d, struct lw_str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (word.p[i] < 'a' || word.p[i] > 'z')
            return word;
    struct lw_str copy = lw_arena_copy(d->arena, word);
    return copy.p ? lw_str_n(copy.p, lw_stem((char *)copy.p, copy.n)) : copy;
}

static void add_word(struct reading *d, enum lw_feature_group group, const char *region,
                     struct lw_str word, struct lw_str shown)
{
    add(d, group, lw_arena_printf(d->arena, "%s %.*s", region, LW_F(stem(d, word))), shown, 1);
}

static void add_token(struct reading *d, enum lw_feature_group group, const char *region,
                      const lw_tokens *tokens, size_t i, bool pairs)
{
    const struct lw_text_token *t = &tokens->v[i];
    bool stop = t->word.n < 3 || lw_is_stopword(&d->tables->stop, t->word);
    add_word(d, group, region, t->word, stop ? (struct lw_str){0} : t->text);
    for (size_t k = 0; k < t->part_count; k++)
        add_word(d, group, region, t->parts[k], t->text);
    if (!pairs || i + 1 == tokens->n)
        return;
    struct lw_str next = tokens->v[i + 1].word;
    struct lw_str pair = lw_arena_printf(d->arena, "%.*s %.*s", LW_F(t->word), LW_F(next));
    add(d, group,
        lw_arena_printf(d->arena, "%s %.*s %.*s", region, LW_F(stem(d, t->word)),
                        LW_F(stem(d, next))),
        stop ? (struct lw_str){0} : pair, 1);
}

static int by_name(const void *a, const void *b)
{
    return lw_str_cmp(((const struct lw_feature *)a)->name,
                      ((const struct lw_feature *)b)->name);
}

/* Adds up features of the same name from `first` on. */
static void merge(lw_features *f, size_t first)
{
    size_t to = first;
    if (f->n > first)
        qsort(f->v + first, f->n - first, sizeof *f->v, by_name);
    for (size_t i = first; i < f->n; i++)
        if (i > first && lw_str_eq(f->v[to - 1].name, f->v[i].name))
            f->v[to - 1].value += f->v[i].value;
        else
            f->v[to++] = f->v[i];
    f->n = to;
}

static void read_words(struct reading *d, enum lw_feature_group group, const char *region,
                       struct lw_str text, bool title)
{
    lw_tokens tokens = {0};
    size_t first = d->out->n;
    if (lw_tokens_add(&tokens, d->arena, text) < 0)
        d->failed = true;
    for (size_t i = 0; i < tokens.n && !d->failed; i++)
        add_token(d, group, region, &tokens, i, title);
    merge(d->out, first);
    for (size_t i = first; i < d->out->n; i++)
        d->out->v[i].value = title ? 1 : 1 + log(d->out->v[i].value);
    lw_vec_release(d->arena->mem, &tokens);
}

static void read_title(struct reading *d, bool described)
{
    struct lw_str title = lw_str_part(lw_report_summary(d->report), 0, TITLE_MAX);
    const char *sort = described ? "report" : "post";
    read_concepts(d, LW_FEATURES_TITLE_CONCEPTS, "title", title, false);
    read_words(d, LW_FEATURES_TITLE_WORDS, "title", title, true);
    read_concepts(d, LW_FEATURES_SORT_CONCEPTS, sort, title, false);
    read_words(d, LW_FEATURES_SORT_WORDS, sort, title, true);
    add(d, LW_FEATURES_FACTS, lw_arena_printf(d->arena, "sort %s", sort), (struct lw_str){0},
        1);
}

/* The last exception of the report itself. */
static const struct lw_fact *last_exception(const lw_report *r)
{
    const struct lw_fact *last = NULL;
    for (const struct lw_fact *f = NULL; (f = lw_report_next(r, LW_FACT_EXCEPTION, f));)
        if (lw_report_comment(r, lw_report_block(r, f->block)) == 0)
            last = f;
    return last;
}

static void read_error(struct reading *d)
{
    const struct lw_fact *f = last_exception(d->report), *frame[FRAMES] = {0};
    struct lw_str text = {0};
    if (f)
        text = lw_arena_printf(d->arena, "%.*s: %.*s", LW_F(f->text),
                               LW_F(lw_str_part(f->exception.message, 0, ERROR_MAX)));
    read_concepts(d, LW_FEATURES_ERROR_CONCEPTS, "error", text, false);
    for (const struct lw_fact *x = NULL; (x = lw_report_next(d->report, LW_FACT_FRAME, x));) {
        frame[2] = frame[1];
        frame[1] = frame[0];
        frame[0] = x;
    }
    struct lw_buf paths;
    lw_buf_init(&paths, d->arena->mem, 0);
    for (size_t i = 0; i < FRAMES && frame[i]; i++)
        lw_buf_addf(&paths, "%.*s %.*s\n", LW_F(frame[i]->text),
                    LW_F(frame[i]->frame.function));
    text = lw_arena_copy(d->arena, lw_buf_str(&paths));
    lw_buf_release(&paths);
    read_concepts(d, LW_FEATURES_FRAME_CONCEPTS, "frame", text, true);
}

/* The last PATH_PARTS parts: what is in front says where a library was installed. */
static struct lw_str path_end(struct lw_str path)
{
    size_t parts = 0;
    for (size_t i = path.n; i > 0; i--)
        if (path.p[i - 1] == '/' && ++parts == PATH_PARTS)
            return lw_str_from(path, i);
    return path;
}

/* The last files that are named by facts of one kind. */
static void add_paths(struct lw_buf *out, const lw_report *r, enum lw_fact_kind kind)
{
    size_t n = lw_report_count(r, kind), i = 0;
    for (const struct lw_fact *f = NULL; (f = lw_report_next(r, kind, f)); i++) {
        struct lw_str path = kind == LW_FACT_LINK ? f->link.path : f->text;
        if (i + PATHS >= n && path.n > 0)
            lw_buf_addf(out, "%.*s\n", LW_F(path_end(path)));
    }
}

/* Files that frames, sentences and links name: their folders say which part is broken. */
static void read_paths(struct reading *d)
{
    struct lw_buf paths;
    lw_buf_init(&paths, d->arena->mem, 0);
    add_paths(&paths, d->report, LW_FACT_FRAME);
    add_paths(&paths, d->report, LW_FACT_FILE);
    add_paths(&paths, d->report, LW_FACT_LINK);
    struct lw_str text = lw_arena_copy(d->arena, lw_buf_str(&paths));
    lw_buf_release(&paths);
    read_words(d, LW_FEATURES_PATH_WORDS, "path", text, false);
}

static void read_code(struct reading *d)
{
    struct lw_buf code;
    lw_buf_init(&code, d->arena->mem, 0);
    for (const struct lw_fact *b = NULL;
         code.n < CODE_MAX && (b = lw_report_next_block(d->report, b));)
        if (b->kind == LW_FACT_CODE ||
            (b->kind == LW_FACT_OUTPUT && b->code.sort != LW_OUTPUT_VERSIONS))
            lw_buf_add(&code, lw_str_part(b->text, 0, CODE_MAX - code.n));
    struct lw_str text = lw_arena_copy(d->arena, lw_buf_str(&code));
    lw_buf_release(&code);
    read_concepts(d, LW_FEATURES_CODE_CONCEPTS, "code", text, true);
}

static void read_facts(struct reading *d)
{
    static const enum lw_fact_kind kinds[] = {LW_FACT_TRACE,  LW_FACT_CODE,   LW_FACT_EXCEPTION,
                                              LW_FACT_DEVICE, LW_FACT_SHAPE,  LW_FACT_DTYPE,
                                              LW_FACT_LAYER,  LW_FACT_METRIC, LW_FACT_SETTING,
                                              LW_FACT_ERROR,  LW_FACT_DATA};
    const struct lw_fact *error = last_exception(d->report);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (lw_report_count(d->report, kinds[i]) > 0)
            add(d, LW_FEATURES_FACTS,
                lw_arena_printf(d->arena, "has %s", lw_fact_kind_name(kinds[i])),
                (struct lw_str){0}, 1);
    if (error)
        add(d, LW_FEATURES_FACTS, lw_arena_printf(d->arena, "raises %.*s", LW_F(error->text)),
            error->text, 1);
}

/* "keras-layer" has the tag word "layer". */
static bool has_tag_word(struct lw_str tag, struct lw_str word)
{
    ptrdiff_t at = lw_str_find(tag, word);
    return at >= 0 && (at == 0 || tag.p[at - 1] == '-') &&
           ((size_t)at + word.n == tag.n || tag.p[(size_t)at + word.n] == '-');
}

static void read_tags(struct reading *d)
{
    lw_str_list tags;
    if (lw_report_tags(&tags, d->report, d->arena) < 0) {
        d->failed = true;
        return;
    }
    const struct lw_map *known = &d->tables->tags;
    for (size_t i = 0; i < tags.n; i++) {
        struct lw_str tag = tags.v[i];
        add(d, LW_FEATURES_TAGS, lw_arena_printf(d->arena, "tag %.*s", LW_F(tag)), tag, 1);
        for (size_t k = 0; k < known->n; k++)
            if (has_tag_word(tag, known->entries[k].key))
                add(d, LW_FEATURES_TAGS,
                    lw_arena_printf(d->arena, "tag @%s",
                                    (const char *)(uintptr_t)known->entries[k].value),
                    tag, 3);
    }
}

/* A title with a description, as in an issue; a post is a title, perhaps with tags. */
static bool is_described(const lw_report *r, struct lw_str prose, bool tagged)
{
    return lw_str_trim(prose).n > 0 || (!tagged && lw_str_trim(lw_report_description(r)).n > 0);
}

int lw_features_read(lw_features *out, const struct lw_feature_tables *t, const lw_report *r,
                     bool with_tags, struct lw_arena *arena)
{
    struct reading d = {.out = out, .tables = t, .report = r, .arena = arena};
    struct lw_str prose = lw_report_prose(r, t, arena, PROSE_MAX);
    if (!prose.p)
        return LW_ENOMEM;
    lw_str_list tags;
    if (lw_report_tags(&tags, r, arena) < 0)
        return LW_ENOMEM;
    read_title(&d, is_described(r, prose, tags.n > 0));
    read_concepts(&d, LW_FEATURES_PROSE_CONCEPTS, "prose", prose, true);
    read_words(&d, LW_FEATURES_PROSE_WORDS, "prose", prose, false);
    read_error(&d);
    read_paths(&d);
    read_code(&d);
    read_facts(&d);
    if (with_tags)
        read_tags(&d);
    if (!d.failed)
        merge(out, 0);
    return d.failed ? LW_ENOMEM : 0;
}
