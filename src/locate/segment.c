#include "locate/segment.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

/* The sections of the container, in their order. */
enum section {
    RECORDS,
    POSTING_TERMS,
    POSTING_COUNTS,
    TERM_ENDS,
    TERM_TEXT,
    NAME_ENDS,
    NAME_TEXT,
    DEFS,
    PARAMS,
    IMPORTS,
    USES,
    STRINGS,
};

/* ---- Building ---------------------------------------------------------------------------- */

/* Texts numbered in order of appearance, then in byte order. */
struct dictionary {
    struct lw_map map;
    uint32_t *rank; /* by number of appearance */
};

typedef LW_VEC(uint32_t) numbers;

struct pair {
    uint32_t number, count;
};

struct building {
    struct lw_mem *mem;
    struct dictionary terms, names;
    numbers *term_of, *name_of, *text_of; /* by reader: its term, identifier, text to ours */
    unsigned readers;
    LW_VEC(struct lw_record) records;
    numbers posting_terms;
    LW_VEC(uint16_t) posting_counts;
    LW_VEC(struct lw_def) defs;
    numbers params, strings;
    LW_VEC(struct lw_import) imports;
    LW_VEC(struct lw_use) uses;
    LW_VEC(struct pair) pairs; /* being sorted */
    int rc;                    /* 0 or LW_ENOMEM; sticks */
};

static void building_release(struct building *b)
{
    struct dictionary *all[] = {&b->terms, &b->names};
    for (size_t i = 0; i < 2; i++) {
        lw_mem_free(b->mem, all[i]->rank, all[i]->map.n * sizeof *all[i]->rank);
        lw_map_release(&all[i]->map);
    }
    for (unsigned r = 0; r < b->readers; r++) {
        if (b->term_of)
            lw_vec_release(b->mem, &b->term_of[r]);
        if (b->name_of)
            lw_vec_release(b->mem, &b->name_of[r]);
        if (b->text_of)
            lw_vec_release(b->mem, &b->text_of[r]);
    }
    lw_mem_free(b->mem, b->term_of, b->readers * sizeof *b->term_of);
    lw_mem_free(b->mem, b->name_of, b->readers * sizeof *b->name_of);
    lw_mem_free(b->mem, b->text_of, b->readers * sizeof *b->text_of);
    lw_vec_release(b->mem, &b->records);
    lw_vec_release(b->mem, &b->posting_terms);
    lw_vec_release(b->mem, &b->posting_counts);
    lw_vec_release(b->mem, &b->defs);
    lw_vec_release(b->mem, &b->params);
    lw_vec_release(b->mem, &b->strings);
    lw_vec_release(b->mem, &b->imports);
    lw_vec_release(b->mem, &b->uses);
    lw_vec_release(b->mem, &b->pairs);
}

static uint32_t number_of(struct building *b, struct dictionary *d, struct lw_str text)
{
    bool is_new;
    struct lw_map_entry *e = lw_map_put(&d->map, text, &is_new);
    if (!e) {
        b->rc = LW_ENOMEM;
        return 0;
    }
    if (is_new)
        e->value = d->map.n - 1;
    return (uint32_t)e->value;
}

/* Our number of a reader's number, looked up once. */
static uint32_t translate(struct building *b, numbers *table, struct dictionary *d,
                          uint32_t number, struct lw_str text)
{
    while (table->n <= number && b->rc == 0)
        if (lw_vec_push(b->mem, table, UINT32_MAX) < 0)
            b->rc = LW_ENOMEM;
    if (b->rc < 0)
        return 0;
    if (table->v[number] == UINT32_MAX)
        table->v[number] = number_of(b, d, text);
    return table->v[number];
}

/* A text of the document's reader. */
static void collect_text(struct building *b, const struct lw_segment_input *in, uint32_t text)
{
    if (b->rc == 0)
        translate(b, &b->text_of[in->reader], &b->names, text, lw_document_text(in->by, text));
}

static void collect(struct building *b, const struct lw_segment_input *in)
{
    const struct lw_facts *d = &in->document->facts;
    const struct lw_words *words = &in->by->chunk.words;
    for (int f = 0; f < LW_FIELDS; f++)
        for (size_t i = 0; i < d->fields[f].n && b->rc == 0; i++)
            translate(b, &b->term_of[in->reader], &b->terms, d->fields[f].v[i].term,
                      lw_words_term(words, d->fields[f].v[i].term));
    for (size_t i = 0; i < d->idents.n && b->rc == 0; i++)
        translate(b, &b->name_of[in->reader], &b->names, d->idents.v[i].name,
                  lw_words_ident(words, d->idents.v[i].name));
    for (size_t i = 0; i < d->apis.n; i++)
        collect_text(b, in, d->apis.v[i].name);
    for (size_t i = 0; i < d->defs.n; i++)
        collect_text(b, in, d->defs.v[i].name);
    for (size_t i = 0; i < d->params.n; i++)
        collect_text(b, in, d->params.v[i]);
    for (size_t i = 0; i < d->imports.n; i++) {
        collect_text(b, in, d->imports.v[i].module);
        collect_text(b, in, d->imports.v[i].name);
    }
    for (size_t i = 0; i < d->strings.n; i++)
        collect_text(b, in, d->strings.v[i]);
}

static void rank_texts(struct building *b, struct dictionary *d)
{
    size_t n = d->map.n;
    uint32_t *order = lw_mem_alloc(b->mem, n * sizeof *order);
    d->rank = lw_mem_alloc(b->mem, n * sizeof *d->rank);
    if (order && d->rank) {
        lw_map_sorted(&d->map, order);
        for (size_t i = 0; i < n; i++)
            d->rank[order[i]] = (uint32_t)i;
    } else {
        b->rc = LW_ENOMEM;
    }
    lw_mem_free(b->mem, order, n * sizeof *order);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Pairs (number, count), sorted by number: by insertion when they are few, else digit by digit.
 * `spare` has room for as many; numbers are below `bound`. */
static void sort_pairs(struct pair *v, struct pair *spare, size_t n, size_t bound)
{
    enum { FEW = 24, BITS = 8, DIGITS = 1 << BITS };
    if (n <= FEW) {
        for (size_t i = 1; i < n; i++) {
            struct pair p = v[i];
            size_t at = i;
            for (; at > 0 && v[at - 1].number > p.number; at--)
                v[at] = v[at - 1];
            v[at] = p;
        }
        return;
    }
    struct pair *from = v, *to = spare;
    for (unsigned shift = 0; bound >> shift; shift += BITS) {
        uint32_t start[DIGITS + 1] = {0};
        for (size_t i = 0; i < n; i++)
            start[(from[i].number >> shift & (DIGITS - 1)) + 1]++;
        for (size_t d = 1; d < DIGITS; d++)
            start[d] += start[d - 1];
        for (size_t i = 0; i < n; i++)
            to[start[from[i].number >> shift & (DIGITS - 1)]++] = from[i];
        struct pair *swap = from;
        from = to;
        to = swap;
    }
    if (from != v)
        memcpy(v, from, n * sizeof *v);
}

/* Room for `n` pairs, twice. */
static bool pairs_ready(struct building *b, size_t n)
{
    b->pairs.n = 0;
    if (lw_vec_reserve(b->mem, &b->pairs, 2 * n + 1) < 0)
        b->rc = LW_ENOMEM;
    return b->rc == 0;
}

static void push(struct building *b, int rc)
{
    if (rc < 0)
        b->rc = rc;
}

static struct lw_part lay_field(struct building *b, const struct lw_segment_input *in, int f)
{
    const struct lw_count *field = in->document->facts.fields[f].v;
    size_t n = in->document->facts.fields[f].n;
    struct lw_part part = {(uint32_t)b->posting_terms.n, (uint32_t)n};
    if (!pairs_ready(b, n) || lw_vec_reserve(b->mem, &b->posting_terms, n) < 0 ||
        lw_vec_reserve(b->mem, &b->posting_counts, n) < 0) {
        b->rc = LW_ENOMEM;
        return part;
    }
    const uint32_t *ours = b->term_of[in->reader].v;
    struct pair *sorted = b->pairs.v;
    for (size_t i = 0; i < n; i++)
        sorted[i] = (struct pair){b->terms.rank[ours[field[i].term]], field[i].count};
    sort_pairs(sorted, sorted + n, n, b->terms.map.n);
    for (size_t i = 0; i < n; i++) {
        b->posting_terms.v[part.start + i] = sorted[i].number;
        b->posting_counts.v[part.start + i] =
            (uint16_t)(sorted[i].count < UINT16_MAX ? sorted[i].count : UINT16_MAX);
    }
    b->posting_terms.n += n;
    b->posting_counts.n += n;
    return part;
}

/* The rank of a text of the document's reader. */
static uint32_t text_rank(const struct building *b, const struct lw_segment_input *in,
                          uint32_t text)
{
    return b->names.rank[b->text_of[in->reader].v[text]];
}

static struct lw_part lay_uses(struct building *b, const struct lw_segment_input *in, bool apis)
{
    const struct lw_facts *d = &in->document->facts;
    size_t n = apis ? d->apis.n : d->idents.n;
    struct lw_part part = {(uint32_t)b->uses.n, (uint32_t)n};
    if (!pairs_ready(b, n) || lw_vec_reserve(b->mem, &b->uses, n) < 0) {
        b->rc = LW_ENOMEM;
        return part;
    }
    struct pair *sorted = b->pairs.v;
    for (size_t i = 0; i < n; i++) {
        struct lw_use use = apis ? d->apis.v[i] : d->idents.v[i];
        sorted[i].number = apis ? text_rank(b, in, use.name)
                                : b->names.rank[b->name_of[in->reader].v[use.name]];
        sorted[i].count = use.count;
    }
    sort_pairs(sorted, sorted + n, n, b->names.map.n);
    for (size_t i = 0; i < n; i++)
        b->uses.v[part.start + i] = (struct lw_use){sorted[i].number, sorted[i].count};
    b->uses.n += n;
    return part;
}

static void lay_facts(struct building *b, const struct lw_segment_input *in,
                      struct lw_record *r)
{
    const struct lw_facts *d = &in->document->facts;
    r->defs = (struct lw_part){(uint32_t)b->defs.n, (uint32_t)d->defs.n};
    r->params = (struct lw_part){(uint32_t)b->params.n, (uint32_t)d->params.n};
    r->imports = (struct lw_part){(uint32_t)b->imports.n, (uint32_t)d->imports.n};
    r->strings = (struct lw_part){(uint32_t)b->strings.n, (uint32_t)d->strings.n};
    for (size_t i = 0; i < d->defs.n && b->rc == 0; i++) {
        struct lw_def def = d->defs.v[i];
        def.name = text_rank(b, in, def.name);
        push(b, lw_vec_push(b->mem, &b->defs, def));
    }
    for (size_t i = 0; i < d->params.n && b->rc == 0; i++)
        push(b, lw_vec_push(b->mem, &b->params, text_rank(b, in, d->params.v[i])));
    for (size_t i = 0; i < d->imports.n && b->rc == 0; i++) {
        struct lw_import import = d->imports.v[i];
        import.module = text_rank(b, in, import.module);
        import.name = text_rank(b, in, import.name);
        push(b, lw_vec_push(b->mem, &b->imports, import));
    }
    for (size_t i = 0; i < d->strings.n && b->rc == 0; i++)
        push(b, lw_vec_push(b->mem, &b->strings, text_rank(b, in, d->strings.v[i])));
}

static void lay(struct building *b, const struct lw_segment_input *in)
{
    const struct lw_document *d = in->document;
    struct lw_record r = {.facts = {d->id, d->bytes, d->facts.lines, d->facts.flags, {0}}};
    for (int f = 0; f < LW_FIELDS && b->rc == 0; f++) {
        r.facts.length[f] = (uint32_t)(d->length[f] < UINT32_MAX ? d->length[f] : UINT32_MAX);
        r.fields[f] = lay_field(b, in, f);
    }
    r.idents = lay_uses(b, in, false);
    r.apis = lay_uses(b, in, true);
    if (b->rc == 0)
        lay_facts(b, in, &r);
    if (b->rc == 0)
        push(b, lw_vec_push(b->mem, &b->records, r));
}

static int by_id(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct lw_git_id));
}

static int write_dictionary(struct lw_container_writer *w, struct building *b,
                            struct dictionary *d)
{
    size_t n = d->map.n;
    struct lw_buf text;
    uint32_t *order = lw_mem_alloc(b->mem, n * sizeof *order);
    uint32_t *ends = lw_mem_alloc(b->mem, n * sizeof *ends);
    lw_buf_init(&text, b->mem, 0);
    for (size_t i = 0; order && i < n; i++)
        order[d->rank[i]] = (uint32_t)i;
    for (size_t i = 0; order && ends && i < n; i++) {
        lw_buf_add(&text, d->map.entries[order[i]].key);
        ends[i] = (uint32_t)text.n;
    }
    int rc = !order || !ends || text.failed ? LW_ENOMEM : 0;
    if (rc == 0) {
        lw_container_add(w, ends, n * sizeof *ends);
        lw_container_add(w, text.p, text.n);
    }
    lw_buf_release(&text);
    lw_mem_free(b->mem, order, n * sizeof *order);
    lw_mem_free(b->mem, ends, n * sizeof *ends);
    return rc;
}

static void write_sections(struct lw_container_writer *w, struct building *b)
{
    qsort(b->records.v, b->records.n, sizeof *b->records.v, by_id);
    lw_container_add(w, b->records.v, b->records.n * sizeof *b->records.v);
    lw_container_add(w, b->posting_terms.v, b->posting_terms.n * sizeof *b->posting_terms.v);
    lw_container_add(w, b->posting_counts.v, b->posting_counts.n * sizeof *b->posting_counts.v);
    push(b, write_dictionary(w, b, &b->terms));
    if (b->rc == 0)
        push(b, write_dictionary(w, b, &b->names));
    lw_container_add(w, b->defs.v, b->defs.n * sizeof *b->defs.v);
    lw_container_add(w, b->params.v, b->params.n * sizeof *b->params.v);
    lw_container_add(w, b->imports.v, b->imports.n * sizeof *b->imports.v);
    lw_container_add(w, b->uses.v, b->uses.n * sizeof *b->uses.v);
    lw_container_add(w, b->strings.v, b->strings.n * sizeof *b->strings.v);
}

/* Room for everything at once: growing by doubling would copy it several times. */
static void reserve(struct building *b, const struct lw_segment_input *inputs, size_t n)
{
    size_t postings = 0, uses = 0, defs = 0, params = 0, imports = 0, strings = 0;
    for (size_t i = 0; i < n; i++) {
        const struct lw_facts *d = &inputs[i].document->facts;
        for (int f = 0; f < LW_FIELDS; f++)
            postings += d->fields[f].n;
        uses += d->idents.n + d->apis.n;
        defs += d->defs.n;
        params += d->params.n;
        imports += d->imports.n;
        strings += d->strings.n;
    }
    push(b, lw_vec_reserve(b->mem, &b->posting_terms, postings));
    push(b, lw_vec_reserve(b->mem, &b->posting_counts, postings));
    push(b, lw_vec_reserve(b->mem, &b->uses, uses));
    push(b, lw_vec_reserve(b->mem, &b->defs, defs));
    push(b, lw_vec_reserve(b->mem, &b->params, params));
    push(b, lw_vec_reserve(b->mem, &b->imports, imports));
    push(b, lw_vec_reserve(b->mem, &b->strings, strings));
    push(b, lw_vec_reserve(b->mem, &b->records, n));
}

/* Bytes of the sections, about. */
static size_t image_size(const struct building *b)
{
    return b->records.n * sizeof *b->records.v + b->posting_terms.n * 6 +
           b->uses.n * sizeof *b->uses.v + b->defs.n * sizeof *b->defs.v +
           (b->params.n + b->strings.n) * 4 + b->imports.n * sizeof *b->imports.v +
           (b->terms.map.n + b->names.map.n) * 32;
}

int lw_segment_build(struct lw_container_writer *w, struct lw_mem *mem, uint64_t format,
                     const struct lw_segment_input *inputs, size_t n, unsigned readers,
                     struct lw_err *err)
{
    struct building b = {.mem = mem, .readers = readers};
    lw_map_init(&b.terms.map, mem);
    lw_map_init(&b.names.map, mem);
    lw_container_begin(w, mem, LW_SEGMENT_KIND, format);
    b.term_of = lw_mem_alloc(mem, readers * sizeof *b.term_of);
    b.name_of = lw_mem_alloc(mem, readers * sizeof *b.name_of);
    b.text_of = lw_mem_alloc(mem, readers * sizeof *b.text_of);
    b.rc = b.term_of && b.name_of && b.text_of ? 0 : LW_ENOMEM;
    for (size_t i = 0; i < n && b.rc == 0; i++)
        collect(&b, &inputs[i]);
    if (b.rc == 0)
        rank_texts(&b, &b.terms);
    if (b.rc == 0)
        rank_texts(&b, &b.names);
    if (b.rc == 0)
        reserve(&b, inputs, n);
    for (size_t i = 0; i < n && b.rc == 0; i++)
        lay(&b, &inputs[i]);
    if (b.rc == 0) {
        (void)lw_buf_room(&w->buf, image_size(&b));
        write_sections(w, &b);
    }
    int rc = b.rc < 0 ? lw_err_nomem(err) : lw_container_finish(w, err);
    building_release(&b);
    if (rc < 0)
        lw_container_abandon(w);
    return rc;
}

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
    s->records = lw_container_array(c, RECORDS, sizeof *s->records, &s->record_count);
    s->posting_terms = lw_container_array(c, POSTING_TERMS, sizeof *s->posting_terms, &terms);
    s->posting_counts =
        lw_container_array(c, POSTING_COUNTS, sizeof *s->posting_counts, &counts);
    s->term_ends = lw_container_array(c, TERM_ENDS, sizeof *s->term_ends, &s->term_count);
    s->name_ends = lw_container_array(c, NAME_ENDS, sizeof *s->name_ends, &s->name_count);
    struct lw_str term_text = lw_container_section(c, TERM_TEXT);
    struct lw_str name_text = lw_container_section(c, NAME_TEXT);
    s->term_text = term_text.p;
    s->name_text = name_text.p;
    s->defs = lw_container_array(c, DEFS, sizeof *s->defs, &n);
    s->params = lw_container_array(c, PARAMS, sizeof *s->params, &n);
    s->imports = lw_container_array(c, IMPORTS, sizeof *s->imports, &n);
    s->uses = lw_container_array(c, USES, sizeof *s->uses, &n);
    s->strings = lw_container_array(c, STRINGS, sizeof *s->strings, &n);
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

uint32_t lw_doc_find_name(struct lw_doc doc, struct lw_str text)
{
    size_t low = 0, high = doc.segment->name_count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int order = lw_str_cmp(lw_segment_name(doc.segment, (uint32_t)mid), text);
        if (order == 0)
            return (uint32_t)mid;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return LW_NO_TERM;
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

struct lw_uses_view lw_doc_apis(struct lw_doc doc)
{
    return (struct lw_uses_view){doc.segment->uses + doc.record->apis.start,
                                 doc.record->apis.n};
}

uint32_t lw_doc_count_ident(struct lw_doc doc, struct lw_str ident)
{
    uint32_t name = lw_doc_find_name(doc, ident);
    struct lw_uses_view idents = lw_doc_idents(doc);
    const struct lw_use *use =
        name == LW_NO_TERM || !idents.n
            ? NULL
            : bsearch(&name, idents.v, idents.n, sizeof *idents.v, by_number);
    return use ? use->count : 0;
}

struct lw_names_view lw_doc_strings(struct lw_doc doc)
{
    return (struct lw_names_view){doc.segment->strings + doc.record->strings.start,
                                  doc.record->strings.n};
}
