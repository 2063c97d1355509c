/* The statistics of a commit, from those of the commit before. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "locate/index_internal.h"
#include "locate/view.h"

void lw_snapshot_init(struct lw_snapshot *s, const lw_index *index, struct lw_mem *mem)
{
    memset(s, 0, sizeof *s);
    s->index = index;
    s->mem = mem;
}

static void drop_counts(struct lw_snapshot *s)
{
    for (int f = 0; f < LW_FIELDS; f++) {
        if (s->fields[f].df)
            lw_mem_free(s->mem, s->fields[f].df, s->terms * sizeof(uint32_t));
        s->fields[f] = (struct lw_field_statistics){0};
    }
    lw_mem_free(s->mem, s->marks, s->terms * sizeof *s->marks);
    s->marks = NULL;
    s->terms = 0;
    s->docs.n = 0;
}

void lw_snapshot_release(struct lw_snapshot *s)
{
    drop_counts(s);
    lw_vec_release(s->mem, &s->docs);
    lw_vec_release(s->mem, &s->next);
}

static int make_room(struct lw_snapshot *s)
{
    size_t terms = lw_index_term_count(s->index);
    if (terms == s->terms)
        return 0;
    drop_counts(s);
    s->terms = terms;
    s->marks = lw_mem_alloc(s->mem, terms * sizeof *s->marks);
    if (!s->marks)
        return LW_ENOMEM;
    for (int f = 0; f < LW_FIELDS && !s->view; f++) {
        s->fields[f].df = lw_mem_alloc(s->mem, terms * sizeof(uint32_t));
        if (!s->fields[f].df)
            return LW_ENOMEM;
    }
    return 0;
}

/* A document number to the document. */
static struct lw_doc doc_of(const lw_index *index, uint32_t number)
{
    size_t i = 0;
    while (number - index->segments.v[i]->base >= index->segments.v[i]->record_count)
        i++;
    const struct lw_segment *s = index->segments.v[i];
    return (struct lw_doc){s, s->records + (number - s->base)};
}

/* Counts a document in (1) or out (-1, as an unsigned number). */
static void count_doc(struct lw_snapshot *s, uint32_t number, uint32_t sign)
{
    struct lw_doc doc = doc_of(s->index, number);
    for (int f = 0; f < LW_FIELDS; f++) {
        struct lw_postings p = lw_doc_postings(doc, (enum lw_field)f);
        uint32_t *df = s->fields[f].df;
        for (uint32_t i = 0; i < p.n; i++)
            df[p.to_index[p.terms[i]]] += sign;
        uint64_t length = doc.record->facts.length[f];
        s->fields[f].length += sign == 1 ? length : (uint64_t)0 - length;
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Both lists are sorted and may hold a number more than once. */
static void count_difference(struct lw_snapshot *s)
{
    size_t i = 0, j = 0;
    while (i < s->docs.n || j < s->next.n) {
        if (j == s->next.n || (i < s->docs.n && s->docs.v[i] < s->next.v[j]))
            count_doc(s, s->docs.v[i++], UINT32_MAX);
        else if (i == s->docs.n || s->next.v[j] < s->docs.v[i])
            count_doc(s, s->next.v[j++], 1);
        else
            i++, j++;
    }
}

static void sort_docs(uint32_t *v, size_t n)
{
    if (n > 1)
        qsort(v, n, sizeof *v, by_number);
}

/* The first commit is counted as it is; lists are sorted when there is one to compare with. */
static void count_next(struct lw_snapshot *s)
{
    if (!s->docs.n) {
        for (size_t i = 0; i < s->next.n; i++)
            count_doc(s, s->next.v[i], 1);
        s->sorted = false;
        return;
    }
    if (!s->sorted)
        sort_docs(s->docs.v, s->docs.n);
    sort_docs(s->next.v, s->next.n);
    s->sorted = true;
    count_difference(s);
}

int lw_snapshot_set(struct lw_snapshot *s, uint32_t commit, struct lw_err *err)
{
    s->view = lw_index_view(s->index);
    int rc = make_room(s);
    s->files = lw_index_files(s->index, commit);
    for (int f = 0; f < LW_FIELDS && s->view; f++)
        s->fields[f].length = lw_view_length(s->view, (enum lw_field)f);
    if (s->view)
        return rc < 0 ? lw_err_nomem(err) : 0;
    s->next.n = 0;
    for (size_t i = 0; i < s->files.n && rc == 0; i++)
        rc = lw_vec_push(s->mem, &s->next, s->files.v[i].doc_number);
    if (rc < 0)
        return lw_err_nomem(err);
    count_next(s);
    s->docs.n = 0;
    if (lw_vec_reserve(s->mem, &s->docs, s->next.n) < 0) {
        drop_counts(s);
        return lw_err_nomem(err);
    }
    if (s->next.n)
        memcpy(s->docs.v, s->next.v, s->next.n * sizeof *s->next.v);
    s->docs.n = s->next.n;
    return 0;
}
