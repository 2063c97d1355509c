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

/* ---- rVSM -------------------------------------------------------------------------------- */

struct rvsm {
    const double *idf;    /* by term; 0 where no file has it */
    const double *wanted; /* by term: weight in the query */
    const struct logs *logs;
};

static double cosine(const struct rvsm *r, struct lw_postings p)
{
    double dot = 0, square = 0;
    for (uint32_t i = 0; i < p.n; i++) {
        uint32_t term = p.to_index[p.terms[i]];
        double w = weight(r->logs, p.counts[i]) * r->idf[term];
        square += w * w;
        dot += w * r->wanted[term];
    }
    return square > 0 ? dot / sqrt(square) : dot;
}

/* log(N / df): there are fewer different df than terms. */
static int fill_idf(const struct lw_case *c, enum lw_field field, double *idf)
{
    const struct lw_snapshot *s = c->snapshot;
    double *of_df = lw_arena_array(c->arena, s->files.n + 1, sizeof *of_df);
    if (!of_df)
        return LW_ENOMEM;
    for (size_t d = 1; d <= s->files.n; d++)
        of_df[d] = log((double)s->files.n / (double)d);
    for (size_t t = 0; t < s->terms; t++)
        idf[t] = of_df[s->fields[field].df[t]];
    return 0;
}

int lw_score_cosine(const struct lw_case *c, enum lw_field field, const struct lw_bag *query,
                    double *scores, struct lw_err *err)
{
    const struct lw_snapshot *s = c->snapshot;
    struct logs logs;
    double norm = 0, *idf = lw_arena_array(c->arena, s->terms + 1, sizeof *idf);
    double *wanted = lw_arena_array(c->arena, s->terms + 1, sizeof *wanted);
    if (!idf || !wanted || fill_idf(c, field, idf) < 0)
        return lw_err_nomem(err);
    logs_fill(&logs);
    for (size_t i = 0; i < query->n; i++) {
        double w = weight(&logs, query->v[i].count) * idf[query->v[i].term];
        wanted[query->v[i].term] = w;
        norm += w * w;
    }
    struct rvsm r = {idf, wanted, &logs};
    for (size_t i = 0; i < s->files.n; i++)
        scores[i] +=
            cosine(&r, lw_doc_postings(s->files.v[i].doc, field)) / (norm > 0 ? sqrt(norm) : 1);
    return 0;
}

/* g(length) of equation 8 */
void lw_score_length(const struct lw_case *c, double *scores)
{
    const struct lw_files *files = &c->snapshot->files;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < files->n; i++) {
        double n = lw_doc_facts(files->v[i].doc)->length[LW_FIELD_TEXT];
        low = n < low ? n : low;
        high = n > high ? n : high;
    }
    for (size_t i = 0; i < files->n; i++) {
        double n = lw_doc_facts(files->v[i].doc)->length[LW_FIELD_TEXT];
        double scaled = high > low ? (n - low) / (high - low) : 0;
        scores[i] /= 1 + exp(-scaled);
    }
}

int lw_score_rvsm(const struct lw_case *c, const struct lw_bag *query, double *scores,
                  struct lw_err *err)
{
    int rc = lw_score_cosine(c, LW_FIELD_TEXT, query, scores, err);
    if (rc == 0)
        lw_score_length(c, scores);
    return rc;
}

/* ---- BM25 -------------------------------------------------------------------------------- */

int lw_score_bm25(const struct lw_case *c, enum lw_field field, const struct lw_bag *query,
                  double k1, double b, double *scores, struct lw_err *err)
{
    const struct lw_snapshot *s = c->snapshot;
    double *wanted = lw_arena_array(c->arena, s->terms + 1, sizeof *wanted);
    double n = (double)s->files.n, mean = (double)s->fields[field].length / (n > 0 ? n : 1);
    if (!wanted)
        return lw_err_nomem(err);
    for (size_t i = 0; i < query->n; i++) {
        double df = s->fields[field].df[query->v[i].term];
        wanted[query->v[i].term] = query->v[i].count * log(1 + (n - df + 0.5) / (df + 0.5));
    }
    mean = mean > 1e-9 ? mean : 1e-9;
    for (size_t i = 0; i < s->files.n; i++) {
        struct lw_doc doc = s->files.v[i].doc;
        struct lw_postings p = lw_doc_postings(doc, field);
        double norm = k1 * (1 - b + b * lw_doc_facts(doc)->length[field] / mean), sum = 0;
        for (uint32_t j = 0; j < p.n; j++) {
            double w = wanted[p.to_index[p.terms[j]]];
            if (w != 0)
                sum += w * p.counts[j] * (k1 + 1) / (p.counts[j] + norm);
        }
        scores[i] += sum;
    }
    return 0;
}

/* ---- Similar reports --------------------------------------------------------------------- */

static double idf_of(const uint32_t *df, uint32_t term, size_t reports)
{
    return log((double)(reports + 1) / df[term]);
}

/* Its norm; the vector goes into `v` when given. */
static double report_vector(const struct lw_bag *bag, const uint32_t *df, size_t reports,
                            const struct logs *logs, double *v)
{
    double square = 0;
    for (size_t i = 0; i < bag->n; i++) {
        double w = weight(logs, bag->v[i].count) * idf_of(df, bag->v[i].term, reports);
        square += w * w;
        if (v)
            v[bag->v[i].term] = w;
    }
    return square > 0 ? sqrt(square) : 1;
}

static double report_dot(const struct lw_bag *bag, const uint32_t *df, size_t reports,
                         const struct logs *logs, const double *mine)
{
    double dot = 0;
    for (size_t i = 0; i < bag->n; i++) {
        uint32_t term = bag->v[i].term;
        if (mine[term] != 0)
            dot += mine[term] * weight(logs, bag->v[i].count) * idf_of(df, term, reports);
    }
    return dot;
}

int lw_similar_reports(const struct lw_case *c, double *cosines, struct lw_err *err)
{
    size_t terms = lw_index_term_count(c->index), n = c->earlier_count;
    uint32_t *df = lw_arena_array(c->arena, terms + 1, sizeof *df);
    double *mine = lw_arena_array(c->arena, terms + 1, sizeof *mine);
    struct logs logs;
    if (!df || !mine)
        return lw_err_nomem(err);
    logs_fill(&logs);
    for (size_t i = 0; i < c->ticket->terms.n; i++)
        df[c->ticket->terms.v[i].term]++;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < c->earlier[i].ticket->terms.n; k++)
            df[c->earlier[i].ticket->terms.v[k].term]++;
    double norm = report_vector(&c->ticket->terms, df, n, &logs, mine);
    for (size_t i = 0; i < n; i++) {
        const struct lw_bag *bag = &c->earlier[i].ticket->terms;
        cosines[i] =
            report_dot(bag, df, n, &logs, mine) / norm / report_vector(bag, df, n, &logs, NULL);
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

static const struct lw_count *find_in(const struct lw_bag *bag, uint32_t term)
{
    for (size_t i = 0; i < bag->n; i++)
        if (bag->v[i].term == term)
            return &bag->v[i];
    return NULL;
}

static void separate(struct lw_buf *why)
{
    if (why->n)
        lw_buf_addz(why, "; ");
}

void lw_explain_terms(const struct lw_case *c, const struct lw_bag *query, size_t file,
                      struct lw_buf *why)
{
    const struct lw_snapshot *s = c->snapshot;
    struct lw_postings p = lw_doc_postings(s->files.v[file].doc, LW_FIELD_TEXT);
    struct shown best[SHOWN_TERMS] = {{0}};
    for (uint32_t i = 0; i < p.n; i++) {
        uint32_t term = p.to_index[p.terms[i]];
        const struct lw_count *q = find_in(query, term);
        if (q)
            keep_best(best, (struct shown){term, (1 + log(q->count)) * (1 + log(p.counts[i])) *
                                                     log((double)(s->files.n + 1) /
                                                         s->fields[LW_FIELD_TEXT].df[term])});
    }
    if (best[0].weight <= 0)
        return;
    separate(why);
    lw_buf_addz(why, "words ");
    for (int i = 0; i < SHOWN_TERMS && best[i].weight > 0; i++) {
        struct lw_str text = lw_index_term(c->index, best[i].term);
        lw_buf_addf(why, "%s%.*s", i ? ", " : "", LW_F(lw_str_from(text, text.p[0] == '=')));
    }
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
