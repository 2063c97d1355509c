/* Several segments, or documents chosen from them, as one. Terms and names of each are sorted,
 * so their ranks in the merged dictionaries rise too, and no list has to be sorted again. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "locate/segment.h"
#include "locate/segment_internal.h"

struct from {
    const struct lw_segment *segment;
    const struct lw_record *record;
};

/* Ranks in the merged dictionaries, by number of one segment. Of chosen documents only texts
 * that one of them has go in; the others' ranks mean nothing. */
struct ranks {
    uint32_t *terms, *names;
    bool *has_term, *has_name; /* NULL: all */
};

struct merging {
    struct lw_mem *mem;
    struct lw_container_writer *w;
    const struct lw_segment *const *segments;
    size_t count;
    struct ranks *ranks; /* by segment */
    struct lw_map terms, names;
    uint32_t *term_order, *name_order;
    struct from *from; /* records, each blob once, by its id */
    size_t records;
    size_t room; /* of `from` */
    struct sg_sizes total, laid;
    size_t start[SG_SECTIONS];
    int rc; /* 0 or LW_ENOMEM; sticks */
};

static void *alloc(struct merging *m, size_t n, size_t size)
{
    void *p = m->rc == 0 ? lw_mem_alloc(m->mem, n * size) : NULL;
    if (!p)
        m->rc = LW_ENOMEM;
    return p;
}

/* ---- Dictionaries ------------------------------------------------------------------------ */

static void add_text(struct merging *m, struct lw_map *map, struct lw_str text, uint32_t *to,
                     size_t *bytes)
{
    bool is_new;
    struct lw_map_entry *e = m->rc == 0 ? lw_map_put(map, text, &is_new) : NULL;
    if (!e) {
        m->rc = LW_ENOMEM;
        return;
    }
    if (is_new) {
        e->value = map->n - 1;
        *bytes += text.n;
    }
    *to = (uint32_t)e->value;
}

static void collect_texts(struct merging *m)
{
    for (size_t i = 0; i < m->count && m->rc == 0; i++) {
        const struct lw_segment *s = m->segments[i];
        m->ranks[i].terms = alloc(m, s->term_count, sizeof(uint32_t));
        m->ranks[i].names = alloc(m, s->name_count, sizeof(uint32_t));
        const struct ranks *r = &m->ranks[i];
        for (uint32_t k = 0; k < s->term_count && m->rc == 0; k++)
            if (!r->has_term || r->has_term[k])
                add_text(m, &m->terms, lw_segment_term(s, k), &r->terms[k],
                         &m->total.term_bytes);
        for (uint32_t k = 0; k < s->name_count && m->rc == 0; k++)
            if (!r->has_name || r->has_name[k])
                add_text(m, &m->names, lw_segment_name(s, k), &r->names[k],
                         &m->total.name_bytes);
    }
    m->total.terms = m->terms.n;
    m->total.names = m->names.n;
}

/* Numbers of the map become ranks in all tables. */
static void rank_all(struct merging *m, bool terms)
{
    const struct lw_map *map = terms ? &m->terms : &m->names;
    uint32_t *order = alloc(m, map->n, sizeof *order), *rank = alloc(m, map->n, sizeof *rank);
    *(terms ? &m->term_order : &m->name_order) = order;
    if (m->rc == 0)
        m->rc = sg_order_texts(m->mem, map, order);
    for (size_t i = 0; i < map->n && m->rc == 0; i++)
        rank[order[i]] = (uint32_t)i;
    for (size_t i = 0; i < m->count && m->rc == 0; i++) {
        uint32_t *table = terms ? m->ranks[i].terms : m->ranks[i].names;
        size_t n = terms ? m->segments[i]->term_count : m->segments[i]->name_count;
        for (size_t k = 0; k < n && map->n; k++)
            table[k] = rank[table[k]];
    }
    lw_mem_free(m->mem, rank, map->n * sizeof *rank);
}

/* ---- Records ----------------------------------------------------------------------------- */

static int by_blob(const void *a, const void *b)
{
    const struct from *x = a, *y = b;
    return memcmp(&x->record->facts.id, &y->record->facts.id, sizeof x->record->facts.id);
}

static void count_record(struct merging *m, const struct lw_record *r)
{
    for (int f = 0; f < LW_FIELDS; f++)
        m->total.postings += r->fields[f].n;
    m->total.uses += r->idents.n + r->apis.n;
    m->total.defs += r->defs.n;
    m->total.params += r->params.n;
    m->total.imports += r->imports.n;
    m->total.strings += r->strings.n;
}

/* A blob may be in two of them, when processes read it side by side. */
static void collect_records(struct merging *m)
{
    for (size_t i = 0; i < m->count; i++)
        m->room += m->segments[i]->record_count;
    m->from = alloc(m, m->room, sizeof *m->from);
    if (!m->from)
        return;
    size_t n = 0;
    for (size_t i = 0; i < m->count; i++)
        for (size_t k = 0; k < m->segments[i]->record_count; k++)
            m->from[n++] = (struct from){m->segments[i], &m->segments[i]->records[k]};
    if (n > 1)
        qsort(m->from, n, sizeof *m->from, by_blob);
    for (size_t i = 0; i < n; i++) {
        if (m->records && by_blob(&m->from[m->records - 1], &m->from[i]) == 0)
            continue;
        m->from[m->records++] = m->from[i];
        count_record(m, m->from[i].record);
    }
    m->total.records = m->records;
}

static const struct ranks *ranks_of(const struct merging *m, const struct lw_segment *s)
{
    size_t i = 0;
    while (m->segments[i] != s)
        i++;
    return &m->ranks[i];
}

/* ---- Choosing ---------------------------------------------------------------------------- */

static void mark(bool *has, const uint32_t *v, struct lw_part part)
{
    for (uint32_t i = 0; i < part.n; i++)
        has[v[part.start + i]] = true;
}

static void mark_uses(bool *has, const struct lw_use *v, struct lw_part part)
{
    for (uint32_t i = 0; i < part.n; i++)
        has[v[part.start + i].name] = true;
}

static void mark_texts(const struct ranks *to, const struct lw_segment *s,
                       const struct lw_record *r)
{
    for (int f = 0; f < LW_FIELDS; f++)
        mark(to->has_term, s->posting_terms, r->fields[f]);
    mark_uses(to->has_name, s->uses, r->idents);
    mark_uses(to->has_name, s->uses, r->apis);
    mark(to->has_name, s->params, r->params);
    mark(to->has_name, s->strings, r->strings);
    for (uint32_t i = 0; i < r->defs.n; i++)
        to->has_name[s->defs[r->defs.start + i].name] = true;
    for (uint32_t i = 0; i < r->imports.n; i++) {
        to->has_name[s->imports[r->imports.start + i].module] = true;
        to->has_name[s->imports[r->imports.start + i].name] = true;
    }
}

static void choose(struct merging *m, const struct lw_doc *docs, size_t n)
{
    for (size_t i = 0; i < m->count && m->rc == 0; i++) {
        m->ranks[i].has_term = alloc(m, m->segments[i]->term_count + 1, sizeof(bool));
        m->ranks[i].has_name = alloc(m, m->segments[i]->name_count + 1, sizeof(bool));
    }
    m->room = n;
    m->from = alloc(m, n, sizeof *m->from);
    for (size_t i = 0; i < n && m->rc == 0; i++) {
        m->from[i] = (struct from){docs[i].segment, docs[i].record};
        mark_texts(ranks_of(m, docs[i].segment), docs[i].segment, docs[i].record);
        count_record(m, docs[i].record);
    }
    m->records = m->total.records = n;
}

/* ---- Laying out -------------------------------------------------------------------------- */

static void *section(struct merging *m, enum sg_section s)
{
    return m->w->buf.p + m->start[s];
}

static struct lw_part lay_numbers(uint32_t *to, size_t *laid, const uint32_t *v,
                                  struct lw_part part, const uint32_t *rank)
{
    struct lw_part at = {(uint32_t)*laid, part.n};
    for (uint32_t i = 0; i < part.n; i++)
        to[at.start + i] = rank[v[part.start + i]];
    *laid += part.n;
    return at;
}

static struct lw_part lay_postings(struct merging *m, const struct lw_segment *s,
                                   struct lw_part part, const uint32_t *rank)
{
    uint16_t *counts = (uint16_t *)section(m, SG_POSTING_COUNTS) + m->laid.postings;
    if (part.n)
        memcpy(counts, s->posting_counts + part.start, part.n * sizeof *counts);
    return lay_numbers(section(m, SG_POSTING_TERMS), &m->laid.postings, s->posting_terms, part,
                       rank);
}

static struct lw_part lay_uses(struct merging *m, const struct lw_segment *s,
                               struct lw_part part, const uint32_t *rank)
{
    struct lw_part at = {(uint32_t)m->laid.uses, part.n};
    struct lw_use *uses = (struct lw_use *)section(m, SG_USES) + at.start;
    for (uint32_t i = 0; i < part.n; i++) {
        uses[i] = s->uses[part.start + i];
        uses[i].name = rank[uses[i].name];
    }
    m->laid.uses += part.n;
    return at;
}

static void lay_defs(struct merging *m, const struct lw_segment *s, struct lw_record *r,
                     const uint32_t *rank)
{
    struct lw_def *defs = (struct lw_def *)section(m, SG_DEFS) + m->laid.defs;
    struct lw_import *imports = (struct lw_import *)section(m, SG_IMPORTS) + m->laid.imports;
    for (uint32_t i = 0; i < r->defs.n; i++) {
        defs[i] = s->defs[r->defs.start + i];
        defs[i].name = rank[defs[i].name];
    }
    for (uint32_t i = 0; i < r->imports.n; i++) {
        imports[i] = s->imports[r->imports.start + i];
        imports[i].module = rank[imports[i].module];
        imports[i].name = rank[imports[i].name];
    }
    r->defs.start = (uint32_t)m->laid.defs;
    r->imports.start = (uint32_t)m->laid.imports;
    m->laid.defs += r->defs.n;
    m->laid.imports += r->imports.n;
}

static void lay(struct merging *m, const struct from *from, struct lw_record *r)
{
    const struct lw_segment *s = from->segment;
    const struct ranks *ranks = ranks_of(m, s);
    *r = *from->record;
    for (int f = 0; f < LW_FIELDS; f++)
        r->fields[f] = lay_postings(m, s, r->fields[f], ranks->terms);
    r->idents = lay_uses(m, s, r->idents, ranks->names);
    r->apis = lay_uses(m, s, r->apis, ranks->names);
    r->params =
        lay_numbers(section(m, SG_PARAMS), &m->laid.params, s->params, r->params, ranks->names);
    r->strings = lay_numbers(section(m, SG_STRINGS), &m->laid.strings, s->strings, r->strings,
                             ranks->names);
    lay_defs(m, s, r, ranks->names);
}

static void lay_all(struct merging *m)
{
    struct lw_record *records = section(m, SG_RECORDS);
    for (size_t i = 0; i < m->records; i++)
        lay(m, &m->from[i], &records[i]);
    sg_lay_dictionary(&m->terms, m->term_order, section(m, SG_TERM_ENDS),
                      section(m, SG_TERM_TEXT));
    sg_lay_dictionary(&m->names, m->name_order, section(m, SG_NAME_ENDS),
                      section(m, SG_NAME_TEXT));
}

static void merging_release(struct merging *m)
{
    for (size_t i = 0; m->ranks && i < m->count; i++) {
        lw_mem_free(m->mem, m->ranks[i].terms, m->segments[i]->term_count * sizeof(uint32_t));
        lw_mem_free(m->mem, m->ranks[i].names, m->segments[i]->name_count * sizeof(uint32_t));
        lw_mem_free(m->mem, m->ranks[i].has_term, m->segments[i]->term_count + 1);
        lw_mem_free(m->mem, m->ranks[i].has_name, m->segments[i]->name_count + 1);
    }
    lw_mem_free(m->mem, m->ranks, m->count * sizeof *m->ranks);
    lw_mem_free(m->mem, m->from, m->room * sizeof *m->from);
    lw_mem_free(m->mem, m->term_order, m->terms.n * sizeof(uint32_t));
    lw_mem_free(m->mem, m->name_order, m->names.n * sizeof(uint32_t));
    lw_map_release(&m->terms);
    lw_map_release(&m->names);
}

/* Of all documents where `docs` is NULL. */
static int merge(struct merging *m, uint64_t format, const struct lw_doc *docs, size_t n,
                 struct lw_err *err)
{
    struct lw_container_writer *w = m->w;
    lw_map_init(&m->terms, m->mem);
    lw_map_init(&m->names, m->mem);
    lw_container_begin(w, m->mem, LW_SEGMENT_KIND, format);
    m->ranks = alloc(m, m->count, sizeof *m->ranks);
    if (m->rc == 0 && docs)
        choose(m, docs, n);
    if (m->rc == 0)
        collect_texts(m);
    if (m->rc == 0)
        rank_all(m, true);
    if (m->rc == 0)
        rank_all(m, false);
    if (m->rc == 0 && !docs)
        collect_records(m);
    if (m->rc == 0)
        sg_leave_sections(w, &m->total, m->start);
    if (m->rc == 0 && !w->buf.failed)
        lay_all(m);
    int rc = m->rc < 0 ? lw_err_nomem(err) : lw_container_finish(w, err);
    merging_release(m);
    if (rc < 0)
        lw_container_abandon(w);
    return rc;
}

int lw_segment_merge(struct lw_container_writer *w, struct lw_mem *mem, uint64_t format,
                     const struct lw_segment *const *segments, size_t n, struct lw_err *err)
{
    struct merging m = {.mem = mem, .w = w, .segments = segments, .count = n};
    return merge(&m, format, NULL, 0, err);
}

int lw_segment_choose(struct lw_container_writer *w, struct lw_mem *mem, uint64_t format,
                      const struct lw_segment *const *segments, size_t n,
                      const struct lw_doc *docs, size_t doc_count, struct lw_err *err)
{
    struct merging m = {.mem = mem, .w = w, .segments = segments, .count = n};
    return merge(&m, format, docs, doc_count, err);
}
