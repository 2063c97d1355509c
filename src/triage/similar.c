#include "triage/similar.h"

#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "locate/terms.h"

struct posting {
    uint32_t report;
    float weight;
};

/* Reports that have a term; weights are final once the index is made. */
struct term {
    LW_VEC(struct posting) posting;
    double idf;
};

struct lw_similar_index {
    struct lw_mem *mem;
    struct lw_arena arena;
    const struct lw_report_set *set;
    struct lw_stopwords stop;
    struct lw_words words;
    LW_VEC(struct term) terms;
    double *length; /* by report */
    double *score;  /* by report, zero between calls */
};

static int count_terms(lw_similar_index *x, const lw_report *r, lw_counts *counts)
{
    uint64_t length;
    lw_words_add_text(&x->words, lw_report_text(r));
    return lw_words_take(&x->words, x->mem, counts, &length);
}

static double term_weight(const struct lw_count *c)
{
    return 1 + log((double)c->count);
}

static int add_report(lw_similar_index *x, size_t number, const lw_report *r)
{
    lw_counts counts = {0};
    int rc = count_terms(x, r, &counts);
    for (size_t i = 0; i < counts.n && rc == 0; i++) {
        const struct lw_count *c = &counts.v[i];
        const struct posting p = {(uint32_t)number, (float)term_weight(c)};
        while (rc == 0 && x->terms.n <= c->term)
            rc = lw_vec_push(x->mem, &x->terms, (struct term){0});
        if (rc == 0)
            rc = lw_vec_push(x->mem, &x->terms.v[c->term].posting, p);
    }
    lw_vec_release(x->mem, &counts);
    return rc;
}

static void weigh(lw_similar_index *x)
{
    for (size_t t = 0; t < x->terms.n; t++) {
        struct term *term = &x->terms.v[t];
        term->idf = log((1.0 + (double)x->set->items.n) / (1.0 + (double)term->posting.n)) + 1;
        for (size_t i = 0; i < term->posting.n; i++) {
            struct posting *p = &term->posting.v[i];
            p->weight *= (float)term->idf;
            x->length[p->report] += (double)p->weight * p->weight;
        }
    }
}

static int fill(lw_similar_index *x, const struct lw_ctx *ctx, struct lw_err *err)
{
    size_t n = x->set->items.n;
    x->length = lw_arena_array(&x->arena, n + 1, sizeof *x->length);
    x->score = lw_arena_array(&x->arena, n + 1, sizeof *x->score);
    int rc =
        x->length && x->score ? lw_stopwords_load(&x->stop, x->mem, err) : lw_err_nomem(err);
    lw_report_tables *tables = NULL;
    lw_words_init(&x->words, x->mem, &x->stop);
    if (rc == 0)
        rc = lw_report_tables_new(&tables, x->mem, err);
    for (size_t i = 0; i < n && rc == 0; i++) {
        lw_report *r = NULL;
        rc = lw_ctx_canceled(ctx)
                 ? lw_err_set(err, LW_ECANCEL, "interrupted")
                 : lw_report_item_read(&r, x->mem, tables, &x->set->items.v[i], err);
        if (rc == 0 && add_report(x, i, r) < 0)
            rc = lw_err_nomem(err);
        lw_report_free(r);
        rc = rc == LW_EINVAL || rc == LW_ELIMIT ? 0 : rc;
    }
    lw_report_tables_free(tables);
    weigh(x);
    return rc;
}

int lw_similar_new(lw_similar_index **out, const struct lw_ctx *ctx,
                   const struct lw_report_set *set, struct lw_err *err)
{
    struct lw_arena arena;
    lw_arena_init(&arena, ctx->mem, 0);
    struct lw_similar_index *x = lw_arena_alloc(&arena, sizeof *x);
    *out = NULL;
    if (!x)
        return lw_err_nomem(err);
    x->mem = ctx->mem;
    x->arena = arena;
    x->set = set;
    int rc = fill(x, ctx, err);
    if (rc < 0) {
        lw_similar_free(x);
        return rc;
    }
    *out = x;
    return 0;
}

void lw_similar_free(lw_similar_index *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->terms.n; i++)
        lw_vec_release(x->mem, &x->terms.v[i].posting);
    lw_vec_release(x->mem, &x->terms);
    lw_words_release(&x->words);
    lw_stopwords_release(&x->stop);
    struct lw_arena arena = x->arena; /* the index lies in it */
    lw_arena_release(&arena);
}

static int by_score(const void *a, const void *b)
{
    const struct lw_similar *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return lw_str_cmp(x->id, y->id);
}

/* Adds up the scores, term by term; the length of the report itself. */
static double add_scores(lw_similar_index *x, const lw_counts *counts)
{
    double length = 0;
    for (size_t i = 0; i < counts->n; i++) {
        if (counts->v[i].term >= x->terms.n)
            continue;
        const struct term *t = &x->terms.v[counts->v[i].term];
        double w = term_weight(&counts->v[i]) * t->idf;
        length += w * w;
        for (size_t k = 0; k < t->posting.n; k++)
            x->score[t->posting.v[k].report] += w * t->posting.v[k].weight;
    }
    return length;
}

int lw_similar_find(lw_similar_index *x, const lw_report *r, struct lw_str id,
                    struct lw_similar *out, size_t *n, struct lw_err *err)
{
    size_t count = x->set->items.n, found = 0, room = *n;
    lw_counts counts = {0};
    struct lw_similar *all = lw_mem_alloc(x->mem, (count + 1) * sizeof *all);
    int rc = all ? count_terms(x, r, &counts) : LW_ENOMEM;
    double length = rc == 0 ? add_scores(x, &counts) : 0;
    for (size_t i = 0; i < count && rc == 0; i++) {
        double score = x->score[i] / sqrt(fmax(length * x->length[i], 1e-300));
        x->score[i] = 0;
        if (score > 0 && !lw_str_eq(x->set->items.v[i].id, id))
            all[found++] = (struct lw_similar){x->set->items.v[i].id, score};
    }
    if (rc == 0 && found > 0)
        qsort(all, found, sizeof *all, by_score);
    *n = found < room ? found : room;
    for (size_t i = 0; i < *n && rc == 0; i++)
        out[i] = all[i];
    lw_vec_release(x->mem, &counts);
    lw_mem_free(x->mem, all, (count + 1) * sizeof *all);
    return rc < 0 ? lw_err_nomem(err) : 0;
}
