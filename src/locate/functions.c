#include "locate/functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "locate/score.h"
#include "locate/view.h"
#include "source/text.h"

/* Functions of this many best files are looked at: enough for any list that people read. */
enum { BEST_FILES = 30 };

struct function {
    size_t file;
    uint32_t def;
    double file_score, text_score;
    bool named;
    uint32_t matched; /* the term that counts most, LW_NO_TERM: none */
};

struct ranking {
    const struct lw_case *c;
    struct lw_words words;
    double *wanted; /* by term: weight in the report */
    LW_VEC(struct function) functions;
    lw_counts counts;
    LW_VEC(size_t) lines; /* of the file: where each begins, and the end of the text */
};

static int find_lines(struct ranking *r, struct lw_str text)
{
    struct lw_str rest = text, line;
    int rc = 0;
    r->lines.n = 0;
    while (rc == 0 && lw_str_line(&rest, &line))
        rc = lw_vec_push(r->c->mem, &r->lines, (size_t)(line.p - text.p));
    return rc < 0 ? rc : lw_vec_push(r->c->mem, &r->lines, text.n);
}

/* The lines first … last of the text. */
static struct lw_str lines_of(const struct ranking *r, struct lw_str text, uint32_t first,
                              uint32_t last)
{
    size_t count = r->lines.n - 1, end = last < count ? last : count;
    if (first == 0 || first > end)
        return LW_S("");
    size_t start = r->lines.v[first - 1];
    return lw_str_part(text, start, r->lines.v[end] - start);
}

static bool is_named(const struct lw_case *c, struct lw_str name)
{
    const struct lw_str texts[] = {c->ticket->summary, c->ticket->description};
    for (size_t i = 0; i < 2 && name.n > 3; i++)
        if (lw_str_find(texts[i], name) >= 0)
            return true;
    return false;
}

/* BM25 with the functions of a file as long as they are: b and k1 as usual, a function of 60
 * terms counts as average. */
static int score_text(struct ranking *r, struct lw_str text, struct function *f)
{
    uint64_t length;
    double best = 0;
    r->counts.n = 0;
    lw_words_add_text(&r->words, text);
    int rc = lw_words_take(&r->words, r->c->mem, &r->counts, &length);
    f->matched = LW_NO_TERM;
    for (size_t i = 0; i < r->counts.n && rc == 0; i++) {
        uint32_t term =
            lw_index_find_term(r->c->index, lw_words_term(&r->words, r->counts.v[i].term));
        double w = term == LW_NO_TERM ? 0 : r->wanted[term], tf = r->counts.v[i].count;
        double part = w * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * (double)length / 60));
        f->text_score += part;
        if (part > best) {
            best = part;
            f->matched = term;
        }
    }
    return rc;
}

static int add_functions(struct ranking *r, size_t file, double file_score, struct lw_err *err)
{
    struct lw_doc doc = r->c->snapshot->files.v[file].doc;
    struct lw_defs_view defs = lw_doc_defs(doc);
    struct lw_arena_mark mark = lw_arena_mark(r->c->arena);
    struct lw_str bytes;
    struct lw_source source = {0};
    struct lw_err ignored = {0};
    int rc = 0;
    if (lw_case_text(r->c, r->c->arena, doc, &bytes, &ignored) < 0 ||
        lw_source_decode(&source, r->c->arena, LW_S("x.py"), bytes, &ignored) < 0)
        source.text = LW_S("");
    rc = find_lines(r, source.text);
    for (uint32_t i = 0; i < defs.n && rc == 0; i++) {
        struct function f = {.file = file, .def = i, .file_score = file_score};
        if (defs.v[i].kind != LW_DEF_FUNCTION)
            continue;
        f.named = is_named(r->c, lw_doc_name(doc, defs.v[i].name));
        rc = score_text(r, lines_of(r, source.text, defs.v[i].first, defs.v[i].last), &f);
        if (rc == 0)
            rc = lw_vec_push(r->c->mem, &r->functions, f);
    }
    lw_arena_rewind(r->c->arena, mark);
    return rc < 0 ? lw_err_nomem(err) : 0;
}

static double total(const struct function *f)
{
    return f->file_score + f->text_score + (f->named ? 0.5 : 0);
}

static int by_total(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    double p = total(x), q = total(y);
    if (p != q)
        return p > q ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->def > y->def) - (x->def < y->def);
}

static void scale_texts(struct ranking *r)
{
    double most = 0;
    for (size_t i = 0; i < r->functions.n; i++)
        most = r->functions.v[i].text_score > most ? r->functions.v[i].text_score : most;
    for (size_t i = 0; i < r->functions.n && most > 0; i++)
        r->functions.v[i].text_score /= most;
}

/* "Class.method" */
static struct lw_str qualified(struct lw_arena *arena, struct lw_doc doc, uint32_t def)
{
    struct lw_defs_view defs = lw_doc_defs(doc);
    struct lw_str name = lw_doc_name(doc, defs.v[def].name);
    for (int depth = 0; depth < 64 && defs.v[def].parent != UINT32_MAX; depth++) {
        def = defs.v[def].parent;
        name = lw_arena_printf(arena, "%.*s.%.*s", LW_F(lw_doc_name(doc, defs.v[def].name)),
                               LW_F(name));
    }
    return lw_arena_copy(arena, name);
}

static struct lw_str why(const struct ranking *r, struct lw_arena *arena,
                         const struct function *f)
{
    struct lw_str word =
        f->matched == LW_NO_TERM ? LW_S("") : lw_spelt(r->c, arena, f->matched);
    return lw_arena_printf(arena, "%s%s%s%.*s", f->named ? "named in the report" : "",
                           f->named && word.n ? "; " : "", word.n ? "word " : "", LW_F(word));
}

static int place(const struct ranking *r, struct lw_arena *arena, size_t n,
                 struct lw_place *places)
{
    for (size_t i = 0; i < n; i++) {
        const struct function *f = &r->functions.v[i];
        const struct lw_file *file = &r->c->snapshot->files.v[f->file];
        const struct lw_def *def = &lw_doc_defs(file->doc).v[f->def];
        places[i] = (struct lw_place){.path = lw_arena_copy(arena, file->path),
                                      .score = total(f),
                                      .why = why(r, arena, f),
                                      .function = qualified(arena, file->doc, f->def),
                                      .first = def->first,
                                      .last = def->last};
        if (!places[i].path.p || !places[i].why.p || !places[i].function.p)
            return LW_ENOMEM;
    }
    return 0;
}

static int prepare(struct ranking *r, const struct lw_case *c)
{
    const struct lw_snapshot *s = c->snapshot;
    r->wanted = lw_arena_array(c->arena, s->terms + 1, sizeof *r->wanted);
    if (!r->wanted)
        return LW_ENOMEM;
    for (size_t i = 0; i < c->ticket->terms.n; i++) {
        const struct lw_count *t = &c->ticket->terms.v[i];
        double df = lw_snapshot_df(s, LW_FIELD_TEXT, t->term), n = (double)s->files.n;
        r->wanted[t->term] = t->count * log(1 + (n - df + 0.5) / (df + 0.5));
    }
    return 0;
}

int lw_rank_functions(const struct lw_case *c, const double *scores, const uint32_t *order,
                      size_t top, struct lw_arena *arena, const struct lw_place **places,
                      size_t *n, struct lw_err *err)
{
    struct ranking r = {.c = c};
    size_t files = c->snapshot->files.n;
    lw_words_init(&r.words, c->mem, lw_index_stopwords(c->index));
    int rc = prepare(&r, c) < 0 ? lw_err_nomem(err) : 0;
    double high = files ? scores[order[0]] : 0, low = files ? scores[order[files - 1]] : 0;
    for (size_t i = 0; i < files && i < BEST_FILES && rc == 0; i++)
        rc = add_functions(&r, order[i],
                           high > low ? (scores[order[i]] - low) / (high - low) : 0, err);
    if (rc == 0) {
        scale_texts(&r);
        if (r.functions.n > 1)
            qsort(r.functions.v, r.functions.n, sizeof *r.functions.v, by_total);
        *n = top && top < r.functions.n ? top : r.functions.n;
        struct lw_place *v = lw_arena_array(arena, *n + 1, sizeof *v);
        rc = v && place(&r, arena, *n, v) == 0 ? 0 : lw_err_nomem(err);
        *places = v;
    }
    lw_vec_release(c->mem, &r.functions);
    lw_vec_release(c->mem, &r.counts);
    lw_vec_release(c->mem, &r.lines);
    lw_words_release(&r.words);
    return rc;
}
