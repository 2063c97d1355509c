#include "locate/score.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

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

static const double *idf_table(const struct lw_case *c)
{
    size_t n = c->snapshot->files.n;
    double *of_df = lw_arena_array(c->arena, n + 1, sizeof *of_df);
    for (size_t d = 1; of_df && d <= n; d++)
        of_df[d] = log((double)n / (double)d);
    return of_df;
}

int lw_score_cosine(const struct lw_case *c, enum lw_field field,
                    const struct lw_bag *const *queries, size_t n, double *scores,
                    struct lw_err *err)
{
    const struct lw_snapshot *s = c->snapshot;
    struct rvsm r = {.of_df = idf_table(c), .df = s->fields[field].df, .n = n};
    if (!r.of_df || wanted_init(&r.wanted, c, queries, n) < 0)
        return lw_err_nomem(err);
    logs_fill(&r.logs);
    for (size_t q = 0; q < n; q++) {
        double square = 0;
        for (size_t i = 0; i < queries[q]->n; i++) {
            const struct lw_count *t = &queries[q]->v[i];
            double w = weight(&r.logs, t->count) * r.of_df[r.df[t->term]];
            want(&r.wanted, t->term, q, w);
            square += w * w;
        }
        r.norm[q] = square > 0 ? sqrt(square) : 1;
    }
    for (size_t i = 0; i < s->files.n; i++)
        add_cosines(&r, lw_doc_postings(s->files.v[i].doc, field), &scores[i]);
    unmark(&r.wanted);
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

int lw_score_bm25(const struct lw_case *c, enum lw_field field,
                  const struct lw_bag *const *queries, size_t n, struct lw_bm25 parameters,
                  double *scores, struct lw_err *err)
{
    const struct lw_snapshot *s = c->snapshot;
    double files = (double)s->files.n, k1 = parameters.k1, b = parameters.b;
    double mean = (double)s->fields[field].length / (files > 0 ? files : 1);
    struct wanted wanted;
    if (wanted_init(&wanted, c, queries, n) < 0)
        return lw_err_nomem(err);
    for (size_t q = 0; q < n; q++)
        for (size_t i = 0; i < queries[q]->n; i++) {
            const struct lw_count *t = &queries[q]->v[i];
            double df = s->fields[field].df[t->term];
            want(&wanted, t->term, q, t->count * log(1 + (files - df + 0.5) / (df + 0.5)));
        }
    mean = mean > 1e-9 ? mean : 1e-9;
    for (size_t i = 0; i < s->files.n; i++) {
        struct lw_doc doc = s->files.v[i].doc;
        double norm = k1 * (1 - b + b * lw_doc_facts(doc)->length[field] / mean);
        add_bm25(&wanted, lw_doc_postings(doc, field), parameters, norm, n, &scores[i]);
    }
    unmark(&wanted);
    return 0;
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

void lw_explain_terms(const struct lw_case *c, const struct lw_bag *query, size_t file,
                      struct lw_buf *why)
{
    const struct lw_snapshot *s = c->snapshot;
    struct lw_postings p = lw_doc_postings(s->files.v[file].doc, LW_FIELD_TEXT);
    struct shown best[SHOWN_TERMS] = {{0}};
    for (size_t i = 0; i < query->n; i++)
        s->marks[query->v[i].term] = query->v[i].count;
    for (uint32_t i = 0; i < p.n; i++) {
        uint32_t term = p.to_index[p.terms[i]], count = s->marks[term];
        if (count)
            keep_best(best, (struct shown){term, (1 + log(count)) * (1 + log(p.counts[i])) *
                                                     log((double)(s->files.n + 1) /
                                                         s->fields[LW_FIELD_TEXT].df[term])});
    }
    for (size_t i = 0; i < query->n; i++)
        s->marks[query->v[i].term] = 0;
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
