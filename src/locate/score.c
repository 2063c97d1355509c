#include "locate/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "locate/view.h"

void lw_minmax(double *scores, size_t n)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        low = scores[i] < low ? scores[i] : low;
        high = scores[i] > high ? scores[i] : high;
    }
    for (size_t i = 0; i < n; i++)
        scores[i] = high > low ? (scores[i] - low) / (high - low) : 0;
}

/* log of small whole numbers, which most counts are. */
enum { LOGS = 256 };

struct logs {
    double v[LOGS];
};

static void logs_fill(struct logs *l)
{
    for (int i = 1; i < LOGS; i++)
        l->v[i] = log(i) + 1;
}

/* 1 + log tf */
static double weight(const struct logs *l, uint32_t count)
{
    return count < LOGS ? l->v[count] : log(count) + 1;
}

/* ---- Wanted terms ------------------------------------------------------------------------ */

/* The terms of some queries with their weights, found by the snapshot's marks. */
struct wanted {
    const struct lw_snapshot *s;
    uint32_t *terms;
    double (*weights)[LW_QUERIES_MOST]; /* by mark - 1 */
    uint32_t n;
};

static int wanted_init(struct wanted *w, const struct lw_case *c,
                       const struct lw_bag *const *queries, size_t n)
{
    size_t terms = 0;
    for (size_t q = 0; q < n; q++)
        terms += queries[q]->n;
    *w = (struct wanted){.s = c->snapshot};
    w->terms = lw_arena_array(c->arena, terms + 1, sizeof *w->terms);
    w->weights = lw_arena_array(c->arena, terms + 1, sizeof *w->weights);
    return w->terms && w->weights ? 0 : LW_ENOMEM;
}

static void want(struct wanted *w, uint32_t term, size_t query, double weight)
{
    uint32_t *mark = &w->s->marks[term];
    if (!*mark) {
        w->terms[w->n++] = term;
        *mark = w->n;
    }
    w->weights[*mark - 1][query] = weight;
}

static void unmark(const struct wanted *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        w->s->marks[w->terms[i]] = 0;
}

static int by_term(const void *a, const void *b, void *data)
{
    const uint32_t *terms = data;
    uint32_t x = terms[*(const uint32_t *)a], y = terms[*(const uint32_t *)b];
    return (x > y) - (x < y);
}

/* The places in `terms` in order of the terms, which is the order of a document: sums over the
 * lists of a view are made in the same order as over documents. NULL: out of memory. */
static const uint32_t *in_order(const struct wanted *w, struct lw_arena *arena)
{
    uint32_t *order = lw_arena_array(arena, w->n + 1, sizeof *order);
    for (uint32_t i = 0; i < w->n && order; i++)
        order[i] = i;
    if (order && w->n > 1)
        qsort_r(order, w->n, sizeof *order, by_term, w->terms);
    return order;
}

/* ---- rVSM -------------------------------------------------------------------------------- */

struct rvsm {
    struct wanted wanted;
    const double *of_df; /* log(N / df) by df: there are fewer of these than terms */
    const uint32_t *df;
    struct logs logs;
    double norm[LW_QUERIES_MOST]; /* of the queries */
    size_t n;
};

static void add_cosines(const struct rvsm *r, struct lw_postings p, double *score)
{
    double dot[LW_QUERIES_MOST] = {0}, square = 0;
    const uint32_t *marks = r->wanted.s->marks;
    for (uint32_t i = 0; i < p.n; i++) {
        uint32_t term = p.to_index[p.terms[i]], mark = marks[term];
        double w = weight(&r->logs, p.counts[i]) * r->of_df[r->df[term]];
        square += w * w;
        for (size_t q = 0; mark && q < r->n; q++)
            dot[q] += w * r->wanted.weights[mark - 1][q];
    }
    for (size_t q = 0; q < r->n; q++)
        *score += (square > 0 ? dot[q] / sqrt(square) : dot[q]) / r->norm[q];
}

static const double *idf_table(struct lw_arena *arena, size_t n)
{
    double *of_df = lw_arena_array(arena, n + 1, sizeof *of_df);
    for (size_t d = 1; of_df && d <= n; d++)
        of_df[d] = log((double)n / (double)d);
    return of_df;
}

/* The same from the lists of a view: only files that have a term of the queries are looked at.
 */
static int view_cosines(const struct rvsm *r, const struct lw_case *c, enum lw_field field,
                        double *scores)
{
    struct lw_view *view = c->snapshot->view;
    size_t files = c->snapshot->files.n;
    const double *squares = view->norms + field * files;
    const uint32_t *order = in_order(&r->wanted, c->arena);
    double *dots = lw_arena_array(c->arena, files * r->n + 1, sizeof *dots);
    if (!order || !dots)
        return LW_ENOMEM;
    for (uint32_t i = 0; i < r->wanted.n; i++) {
        const double *weights = r->wanted.weights[order[i]];
        struct lw_places p = lw_view_places(view, field, r->wanted.terms[order[i]]);
        for (uint32_t k = 0; k < p.n; k++) {
            double w = weight(&r->logs, p.counts[k]) * r->of_df[p.n];
            for (size_t q = 0; q < r->n; q++)
                dots[p.files[k] * r->n + q] += w * weights[q];
        }
    }
    for (size_t i = 0; i < files; i++)
        for (size_t q = 0; q < r->n; q++) {
            double dot = dots[i * r->n + q];
            scores[i] += (squares[i] > 0 ? dot / sqrt(squares[i]) : dot) / r->norm[q];
        }
    return 0;
}

int lw_score_cosine(const struct lw_case *c, enum lw_field field,
                    const struct lw_bag *const *queries, size_t n, double *scores,
                    struct lw_err *err)
{
    const struct lw_snapshot *s = c->snapshot;
    struct rvsm r = {.of_df = idf_table(c->arena, s->files.n), .n = n};
    r.df = s->fields[field].df;
    if (!r.of_df || wanted_init(&r.wanted, c, queries, n) < 0)
        return lw_err_nomem(err);
    logs_fill(&r.logs);
    for (size_t q = 0; q < n; q++) {
        double square = 0;
        for (size_t i = 0; i < queries[q]->n; i++) {
            const struct lw_count *t = &queries[q]->v[i];
            double w = weight(&r.logs, t->count) * r.of_df[lw_snapshot_df(s, field, t->term)];
            want(&r.wanted, t->term, q, w);
            square += w * w;
        }
        r.norm[q] = square > 0 ? sqrt(square) : 1;
    }
    int rc = s->view ? view_cosines(&r, c, field, scores) : 0;
    for (size_t i = 0; i < s->files.n && !s->view; i++)
        add_cosines(&r, lw_doc_postings(s->files.v[i].doc, field), &scores[i]);
    unmark(&r.wanted);
    return rc < 0 ? lw_err_nomem(err) : 0;
}

int lw_score_squares(struct lw_arena *arena, const struct lw_files *files, enum lw_field field,
                     const uint32_t *df, double *squares)
{
    const double *of_df = idf_table(arena, files->n);
    struct logs logs;
    if (!of_df)
        return LW_ENOMEM;
    logs_fill(&logs);
    for (size_t i = 0; i < files->n; i++) {
        struct lw_postings p = lw_doc_postings(files->v[i].doc, field);
        squares[i] = 0;
        for (uint32_t k = 0; k < p.n; k++) {
            double w = weight(&logs, p.counts[k]) * of_df[df[p.terms[k]]];
            squares[i] += w * w;
        }
    }
    return 0;
}

static double length_of(const struct lw_files *files, size_t i)
{
    return lw_doc_facts(files->v[i].doc)->length[LW_FIELD_TEXT];
}

/* Mean and so many deviations. */
static double bound_of(const struct lw_files *files, double deviations)
{
    double n = files->n ? (double)files->n : 1, sum = 0, squares = 0;
    for (size_t i = 0; i < files->n; i++)
        sum += length_of(files, i);
    for (size_t i = 0; i < files->n; i++)
        squares += (length_of(files, i) - sum / n) * (length_of(files, i) - sum / n);
    return sum / n + deviations * sqrt(squares / n);
}

/* g(length) of equation 8 */
void lw_score_length(const struct lw_case *c, struct lw_length_scale scale, double *scores)
{
    const struct lw_files *files = &c->snapshot->files;
    double low = INFINITY, high = 0;
    double bound = scale.deviations > 0 ? bound_of(files, scale.deviations) : INFINITY;
    for (size_t i = 0; i < files->n; i++) {
        double n = fmin(length_of(files, i), bound);
        low = n < low ? n : low;
        high = n > high ? n : high;
    }
    for (size_t i = 0; i < files->n; i++) {
        double n = fmin(length_of(files, i), bound);
        double scaled = high > low ? scale.steepness * (n - low) / (high - low) : 0;
        scores[i] /= 1 + exp(-scaled);
    }
}

int lw_score_rvsm(const struct lw_case *c, const struct lw_bag *query,
                  struct lw_length_scale scale, double *scores, struct lw_err *err)
{
    int rc = lw_score_cosine(c, LW_FIELD_TEXT, &query, 1, scores, err);
    if (rc == 0)
        lw_score_length(c, scale, scores);
    return rc;
}

/* ---- BM25 -------------------------------------------------------------------------------- */

static void add_bm25(const struct wanted *w, struct lw_postings p, struct lw_bm25 parameters,
                     double norm, size_t n, double *score)
{
    double sum[LW_QUERIES_MOST] = {0};
    const uint32_t *marks = w->s->marks;
    for (uint32_t i = 0; i < p.n; i++) {
        uint32_t mark = marks[p.to_index[p.terms[i]]];
        for (size_t q = 0; mark && q < n; q++)
            sum[q] += w->weights[mark - 1][q] * p.counts[i] * (parameters.k1 + 1) /
                      (p.counts[i] + norm);
    }
    for (size_t q = 0; q < n; q++)
        *score += sum[q];
}

/* The same from the lists of a view. */
static int view_bm25(const struct wanted *w, const struct lw_case *c, enum lw_field field,
                     struct lw_bm25 parameters, double mean, size_t n, double *scores)
{
    const struct lw_snapshot *s = c->snapshot;
    double k1 = parameters.k1, b = parameters.b;
    const uint32_t *order = in_order(w, c->arena);
    double *sums = lw_arena_array(c->arena, s->files.n * n + 1, sizeof *sums);
    if (!order || !sums)
        return LW_ENOMEM;
    for (uint32_t i = 0; i < w->n; i++) {
        const double *weights = w->weights[order[i]];
        struct lw_places p = lw_view_places(s->view, field, w->terms[order[i]]);
        for (uint32_t k = 0; k < p.n; k++) {
            uint32_t length = lw_doc_facts(s->files.v[p.files[k]].doc)->length[field];
            double norm = k1 * (1 - b + b * length / mean);
            for (size_t q = 0; q < n; q++)
                sums[p.files[k] * n + q] +=
                    weights[q] * p.counts[k] * (k1 + 1) / (p.counts[k] + norm);
        }
    }
    for (size_t i = 0; i < s->files.n; i++)
        for (size_t q = 0; q < n; q++)
            scores[i] += sums[i * n + q];
    return 0;
}

int lw_score_bm25(const struct lw_case *c, enum lw_field field,
                  const struct lw_bag *const *queries, size_t n, struct lw_bm25 parameters,
                  double *scores, struct lw_err *err)
{
    const struct lw_snapshot *s = c->snapshot;
    double files = (double)s->files.n, k1 = parameters.k1, b = parameters.b;
    double mean = (double)s->fields[field].length / (files > 0 ? files : 1);
    int rc = 0;
    struct wanted wanted;
    if (wanted_init(&wanted, c, queries, n) < 0)
        return lw_err_nomem(err);
    for (size_t q = 0; q < n; q++)
        for (size_t i = 0; i < queries[q]->n; i++) {
            const struct lw_count *t = &queries[q]->v[i];
            double df = lw_snapshot_df(s, field, t->term);
            want(&wanted, t->term, q, t->count * log(1 + (files - df + 0.5) / (df + 0.5)));
        }
    mean = mean > 1e-9 ? mean : 1e-9;
    if (s->view)
        rc = view_bm25(&wanted, c, field, parameters, mean, n, scores);
    for (size_t i = 0; i < s->files.n && !s->view; i++) {
        struct lw_doc doc = s->files.v[i].doc;
        double norm = k1 * (1 - b + b * lw_doc_facts(doc)->length[field] / mean);
        add_bm25(&wanted, lw_doc_postings(doc, field), parameters, norm, n, &scores[i]);
    }
    unmark(&wanted);
    return rc < 0 ? lw_err_nomem(err) : 0;
}

/* ---- Similar reports --------------------------------------------------------------------- */

/* Weights of terms over the earlier reports and the new one. */
struct report_weights {
    uint32_t *df;        /* by term */
    const double *of_df; /* log(reports / df) */
    struct logs logs;
};

static double report_weight(const struct report_weights *r, const struct lw_count *t)
{
    return weight(&r->logs, t->count) * r->of_df[r->df[t->term]];
}

/* Its norm; the vector goes into `v` when given. */
static double report_vector(const struct report_weights *r, const struct lw_bag *bag, double *v)
{
    double square = 0;
    for (size_t i = 0; i < bag->n; i++) {
        double w = report_weight(r, &bag->v[i]);
        square += w * w;
        if (v)
            v[bag->v[i].term] = w;
    }
    return square > 0 ? sqrt(square) : 1;
}

static double report_dot(const struct report_weights *r, const struct lw_bag *bag,
                         const double *mine)
{
    double dot = 0;
    for (size_t i = 0; i < bag->n; i++) {
        double other = mine[bag->v[i].term];
        if (other != 0)
            dot += other * weight(&r->logs, bag->v[i].count) * r->of_df[r->df[bag->v[i].term]];
    }
    return dot;
}

static int report_weights_init(struct report_weights *r, const struct lw_case *c)
{
    size_t n = c->earlier_count;
    double *of_df = lw_arena_array(c->arena, n + 2, sizeof *of_df);
    r->df = lw_arena_array(c->arena, lw_index_term_count(c->index) + 1, sizeof *r->df);
    r->of_df = of_df;
    if (!of_df || !r->df)
        return LW_ENOMEM;
    logs_fill(&r->logs);
    for (size_t d = 1; d <= n + 1; d++)
        of_df[d] = log((double)(n + 1) / (double)d);
    for (size_t i = 0; i < c->ticket->terms.n; i++)
        r->df[c->ticket->terms.v[i].term]++;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < c->earlier[i].ticket->terms.n; k++)
            r->df[c->earlier[i].ticket->terms.v[k].term]++;
    return 0;
}

int lw_similar_reports(const struct lw_case *c, double *cosines, struct lw_err *err)
{
    struct report_weights r;
    double *mine = lw_arena_array(c->arena, lw_index_term_count(c->index) + 1, sizeof *mine);
    if (!mine || report_weights_init(&r, c) < 0)
        return lw_err_nomem(err);
    double norm = report_vector(&r, &c->ticket->terms, mine);
    for (size_t i = 0; i < c->earlier_count; i++) {
        const struct lw_bag *bag = &c->earlier[i].ticket->terms;
        cosines[i] = report_dot(&r, bag, mine) / norm / report_vector(&r, bag, NULL);
    }
    return 0;
}

int lw_score_similar(const struct lw_case *c, double *scores, struct lw_err *err)
{
    double *cosines = lw_arena_array(c->arena, c->earlier_count + 1, sizeof *cosines);
    if (!cosines)
        return lw_err_nomem(err);
    int rc = lw_similar_reports(c, cosines, err);
    for (size_t i = 0; i < c->earlier_count && rc == 0; i++) {
        const struct lw_fixed *e = &c->earlier[i];
        for (size_t k = 0; k < e->file_count; k++) {
            size_t file = lw_files_find(&c->snapshot->files, e->files[k]);
            if (file != SIZE_MAX)
                scores[file] += cosines[i] / (double)e->file_count;
        }
    }
    return rc;
}

/* ---- Why --------------------------------------------------------------------------------- */

enum { SHOWN_TERMS = 5 };

struct shown {
    uint32_t term;
    double weight;
};

static void keep_best(struct shown best[SHOWN_TERMS], struct shown s)
{
    for (int i = 0; i < SHOWN_TERMS; i++)
        if (s.weight > best[i].weight) {
            struct shown next = best[i];
            best[i] = s;
            s = next;
        }
}

static void separate(struct lw_buf *why)
{
    if (why->n)
        lw_buf_addz(why, "; ");
}

/* The shortest word of the report that the term comes from: people do not write stems. */
static struct lw_str spelt(const struct lw_words *w, struct lw_str term)
{
    uint64_t number = lw_map_get(&w->terms, term, UINT64_MAX);
    struct lw_str best = {0};
    uint32_t at = 0;
    for (uint32_t i = 0; i < w->idents.n; i++)
        for (; at < w->expansion_end.v[i]; at++)
            if (w->expansion.v[at] == number && (!best.p || w->idents.v[i].n < best.n))
                best = w->idents.v[i];
    return best.p ? best : term;
}

/* The words of the report: those of the case, else `own`, to be released. */
static struct lw_words *read_ticket(const struct lw_case *c, struct lw_words *own)
{
    struct lw_words *words = c->spelling ? c->spelling : own;
    lw_words_init(own, c->mem, lw_index_stopwords(c->index));
    if (words->idents.n == 0) {
        lw_words_add_text(words, c->ticket->summary);
        lw_words_add_text(words, c->ticket->description);
    }
    return words;
}

struct lw_str lw_spelt(const struct lw_case *c, struct lw_arena *arena, uint32_t term)
{
    struct lw_words own, *words = read_ticket(c, &own);
    struct lw_str text = lw_index_term(c->index, term);
    struct lw_str word = words->failed ? text : spelt(words, text);
    word = lw_arena_copy(arena, word);
    lw_words_release(&own);
    return word;
}

static void put_words(const struct lw_case *c, const struct shown *best, struct lw_buf *why)
{
    struct lw_words own, *words = read_ticket(c, &own);
    struct lw_str said[SHOWN_TERMS];
    size_t n = 0;
    separate(why);
    for (int i = 0; i < SHOWN_TERMS && best[i].weight > 0 && !words->failed; i++) {
        struct lw_str word = spelt(words, lw_index_term(c->index, best[i].term));
        size_t k = 0;
        while (k < n && !lw_str_eq(said[k], word))
            k++;
        if (k < n)
            continue;
        lw_buf_addf(why, "%s%.*s", n ? ", " : "words ", LW_F(word));
        said[n++] = word;
    }
    lw_words_release(&own);
}

static double shown_weight(const struct lw_snapshot *s, uint32_t term, uint32_t asked,
                           uint32_t count)
{
    return (1 + log(asked)) * (1 + log(count)) *
           log((double)(s->files.n + 1) / lw_snapshot_df(s, LW_FIELD_TEXT, term));
}

static int by_file(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Terms of a bag are in the same order as those of a document. */
static void view_best(const struct lw_snapshot *s, const struct lw_bag *query, uint32_t file,
                      struct shown best[SHOWN_TERMS])
{
    for (size_t i = 0; i < query->n; i++) {
        uint32_t term = query->v[i].term;
        struct lw_places p = lw_view_places(s->view, LW_FIELD_TEXT, term);
        const uint32_t *at = p.n ? bsearch(&file, p.files, p.n, sizeof file, by_file) : NULL;
        if (at)
            keep_best(best, (struct shown){term, shown_weight(s, term, query->v[i].count,
                                                              p.counts[at - p.files])});
    }
}

static void doc_best(const struct lw_snapshot *s, const struct lw_bag *query, size_t file,
                     struct shown best[SHOWN_TERMS])
{
    struct lw_postings p = lw_doc_postings(s->files.v[file].doc, LW_FIELD_TEXT);
    for (size_t i = 0; i < query->n; i++)
        s->marks[query->v[i].term] = query->v[i].count;
    for (uint32_t i = 0; i < p.n; i++) {
        uint32_t term = p.to_index[p.terms[i]], count = s->marks[term];
        if (count)
            keep_best(best, (struct shown){term, shown_weight(s, term, count, p.counts[i])});
    }
    for (size_t i = 0; i < query->n; i++)
        s->marks[query->v[i].term] = 0;
}

void lw_explain_terms(const struct lw_case *c, const struct lw_bag *query, size_t file,
                      struct lw_buf *why)
{
    struct shown best[SHOWN_TERMS] = {{0}};
    if (c->snapshot->view)
        view_best(c->snapshot, query, (uint32_t)file, best);
    else
        doc_best(c->snapshot, query, file, best);
    if (best[0].weight > 0)
        put_words(c, best, why);
}

void lw_explain_similar(const struct lw_case *c, size_t file, struct lw_buf *why)
{
    struct lw_err ignored = {0};
    double *cosines = lw_arena_array(c->arena, c->earlier_count + 1, sizeof *cosines);
    if (!cosines || lw_similar_reports(c, cosines, &ignored) < 0)
        return;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < c->earlier_count; i++)
        for (size_t k = 0; k < c->earlier[i].file_count; k++)
            if (lw_str_eq(c->earlier[i].files[k], c->snapshot->files.v[file].path) &&
                (best == SIZE_MAX || cosines[i] > cosines[best]))
                best = i;
    if (best == SIZE_MAX || cosines[best] <= 0)
        return;
    separate(why);
    lw_buf_addf(why, "fixed for the similar report %.*s", LW_F(c->earlier[best].ticket->id));
}
