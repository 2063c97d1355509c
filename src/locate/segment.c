#include "locate/segment.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "locate/segment_internal.h"

/* ---- Using ------------------------------------------------------------------------------- */

/* Of a dictionary: the last end is the length of its text. */
static bool fits(const uint32_t *ends, size_t n, struct lw_str text)
{
    return n == 0 ? text.n == 0 : ends[n - 1] == text.n;
}

int lw_segment_use(struct lw_segment *s, struct lw_container *container, struct lw_err *err)
{
    size_t terms, counts, n;
    memset(s, 0, sizeof *s);
    s->container = *container;
    memset(container, 0, sizeof *container);
    const struct lw_container *c = &s->container;
    s->records = lw_container_array(c, SG_RECORDS, sizeof *s->records, &s->record_count);
    s->posting_terms =
        lw_container_array(c, SG_POSTING_TERMS, sizeof *s->posting_terms, &terms);
    s->posting_counts =
        lw_container_array(c, SG_POSTING_COUNTS, sizeof *s->posting_counts, &counts);
    s->term_ends = lw_container_array(c, SG_TERM_ENDS, sizeof *s->term_ends, &s->term_count);
    s->name_ends = lw_container_array(c, SG_NAME_ENDS, sizeof *s->name_ends, &s->name_count);
    struct lw_str term_text = lw_container_section(c, SG_TERM_TEXT);
    struct lw_str name_text = lw_container_section(c, SG_NAME_TEXT);
    s->term_text = term_text.p;
    s->name_text = name_text.p;
    s->defs = lw_container_array(c, SG_DEFS, sizeof *s->defs, &n);
    s->params = lw_container_array(c, SG_PARAMS, sizeof *s->params, &n);
    s->imports = lw_container_array(c, SG_IMPORTS, sizeof *s->imports, &n);
    s->uses = lw_container_array(c, SG_USES, sizeof *s->uses, &n);
    s->strings = lw_container_array(c, SG_STRINGS, sizeof *s->strings, &n);
    if (terms == counts && fits(s->term_ends, s->term_count, term_text) &&
        fits(s->name_ends, s->name_count, name_text))
        return 0;
    lw_segment_close(s);
    return lw_err_set(err, LW_ECORRUPT, "a part of the index is damaged");
}

void lw_segment_close(struct lw_segment *s)
{
    lw_container_close(&s->container);
}

static int by_id(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct lw_git_id));
}

static struct lw_str text_at(const char *text, const uint32_t *ends, uint32_t i)
{
    uint32_t start = i ? ends[i - 1] : 0;
    return lw_str_n(text + start, ends[i] - start);
}

struct lw_str lw_segment_term(const struct lw_segment *s, uint32_t term)
{
    return text_at(s->term_text, s->term_ends, term);
}

struct lw_str lw_segment_name(const struct lw_segment *s, uint32_t name)
{
    return text_at(s->name_text, s->name_ends, name);
}

/* Texts are in byte order. */
static uint32_t find_text(const char *text, const uint32_t *ends, size_t n, struct lw_str what)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int order = lw_str_cmp(text_at(text, ends, (uint32_t)mid), what);
        if (order == 0)
            return (uint32_t)mid;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return LW_NO_TERM;
}

uint32_t lw_segment_find_term(const struct lw_segment *s, struct lw_str text)
{
    return find_text(s->term_text, s->term_ends, s->term_count, text);
}

const struct lw_record *lw_segment_find(const struct lw_segment *s, const struct lw_git_id *id)
{
    if (!s->record_count)
        return NULL;
    return bsearch(id, s->records, s->record_count, sizeof *s->records, by_id);
}

/* ---- Documents (index.h) ----------------------------------------------------------------- */

const struct lw_doc_facts *lw_doc_facts(struct lw_doc doc)
{
    return &doc.record->facts;
}

struct lw_postings lw_doc_postings(struct lw_doc doc, enum lw_field field)
{
    struct lw_part part = doc.record->fields[field];
    return (struct lw_postings){doc.segment->posting_terms + part.start,
                                doc.segment->posting_counts + part.start, doc.segment->to_index,
                                part.n};
}

struct lw_str lw_doc_name(struct lw_doc doc, uint32_t name)
{
    return lw_segment_name(doc.segment, name);
}

size_t lw_doc_name_count(struct lw_doc doc)
{
    return doc.segment->name_count;
}

uint32_t lw_doc_find_name(struct lw_doc doc, struct lw_str text)
{
    const struct lw_segment *s = doc.segment;
    return find_text(s->name_text, s->name_ends, s->name_count, text);
}

struct lw_defs_view lw_doc_defs(struct lw_doc doc)
{
    const struct lw_record *r = doc.record;
    return (struct lw_defs_view){doc.segment->defs + r->defs.start, r->defs.n,
                                 doc.segment->params + r->params.start};
}

struct lw_imports_view lw_doc_imports(struct lw_doc doc)
{
    return (struct lw_imports_view){doc.segment->imports + doc.record->imports.start,
                                    doc.record->imports.n};
}

struct lw_uses_view lw_doc_idents(struct lw_doc doc)
{
    return (struct lw_uses_view){doc.segment->uses + doc.record->idents.start,
                                 doc.record->idents.n};
}

struct lw_names_view lw_doc_strings(struct lw_doc doc)
{
    return (struct lw_names_view){doc.segment->strings + doc.record->strings.start,
                                  doc.record->strings.n};
}
