/* Documents to the image of a segment. Every size is known before anything is laid out, so all
 * of it goes straight to its place in the image. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "locate/segment.h"
#include "locate/segment_internal.h"

/* Texts numbered in order of appearance; `order` has the numbers in byte order of the texts. */
struct dictionary {
    struct lw_map map;
    uint32_t *order;
    size_t bytes; /* of all texts */
};

/* A table by number of a reader, owned here. */
struct table {
    uint32_t *v; /* 0: not used; then number + 1 in the dictionary; in the end the rank */
    size_t n;
};

struct pair {
    uint32_t number, count;
};

/* Numbers with counts. A bit of `top` says that a word of `bits` is not 0. */
struct number_set {
    uint64_t *bits, *top;
    uint32_t *count;
    size_t room, bit_count, top_count; /* numbers; words of each */
};

/* The same for what a reader has of terms, identifiers and other texts. */
struct reader_tables {
    const struct lw_document_reader *by; /* NULL: nothing read by it is here */
    struct table terms, idents, texts;
};

struct building {
    struct lw_mem *mem;
    struct lw_container_writer *w;
    struct dictionary terms, names;
    struct reader_tables *readers;
    unsigned reader_count;
    struct sg_sizes total, laid; /* how many there are, how many are in their place */
    size_t start[SG_SECTIONS];   /* of the sections in the image */
    size_t widest;               /* entries of the longest list to be sorted */
    struct pair *pairs;          /* twice as many */
    struct number_set set;       /* empty between lists */
    int rc;                      /* 0 or LW_ENOMEM; sticks */
};

static void table_release(struct building *b, struct table *t)
{
    lw_mem_free(b->mem, t->v, t->n * sizeof *t->v);
}

static void building_release(struct building *b)
{
    struct dictionary *all[] = {&b->terms, &b->names};
    for (size_t i = 0; i < 2; i++) {
        lw_mem_free(b->mem, all[i]->order, all[i]->map.n * sizeof *all[i]->order);
        lw_map_release(&all[i]->map);
    }
    for (unsigned r = 0; b->readers && r < b->reader_count; r++) {
        table_release(b, &b->readers[r].terms);
        table_release(b, &b->readers[r].idents);
        table_release(b, &b->readers[r].texts);
    }
    lw_mem_free(b->mem, b->readers, b->reader_count * sizeof *b->readers);
    lw_mem_free(b->mem, b->pairs, 2 * b->widest * sizeof *b->pairs);
    lw_mem_free(b->mem, b->set.bits, b->set.bit_count * sizeof *b->set.bits);
    lw_mem_free(b->mem, b->set.top, b->set.top_count * sizeof *b->set.top);
    lw_mem_free(b->mem, b->set.count, b->set.room * sizeof *b->set.count);
}

static void *alloc(struct building *b, size_t n, size_t size)
{
    void *p = b->rc == 0 ? lw_mem_alloc(b->mem, n * size) : NULL;
    if (!p)
        b->rc = LW_ENOMEM;
    return p;
}

/* ---- What is used ------------------------------------------------------------------------ */

/* For ranks of both dictionaries. */
static void set_ready(struct building *b)
{
    struct number_set *s = &b->set;
    s->room = b->terms.map.n > b->names.map.n ? b->terms.map.n : b->names.map.n;
    s->bit_count = s->room / 64 + 1;
    s->top_count = s->bit_count / 64 + 1;
    s->bits = alloc(b, s->bit_count, sizeof *s->bits);
    s->top = alloc(b, s->top_count, sizeof *s->top);
    s->count = alloc(b, s->room, sizeof *s->count);
}

static void table_ready(struct building *b, struct table *t, size_t n)
{
    t->v = alloc(b, n, sizeof *t->v);
    t->n = t->v ? n : 0;
}

static void reader_ready(struct building *b, const struct lw_segment_input *in)
{
    struct reader_tables *r = &b->readers[in->reader];
    if (r->by || !in->by)
        return;
    r->by = in->by;
    table_ready(b, &r->terms, in->by->chunk.words.terms.n);
    table_ready(b, &r->idents, in->by->chunk.words.idents.n);
    table_ready(b, &r->texts, in->by->chunk.texts.n);
    for (size_t i = 0; i < r->terms.n; i++) /* every term comes from some document */
        r->terms.v[i] = 1;
}

static void widen(struct building *b, size_t n)
{
    b->widest = n > b->widest ? n : b->widest;
}

/* Marks identifiers and texts of the document, and counts what it has. */
static void collect(struct building *b, const struct lw_segment_input *in)
{
    const struct lw_facts *d = &in->document->facts;
    reader_ready(b, in);
    if (b->rc < 0)
        return;
    uint32_t *idents = b->readers[in->reader].idents.v, *texts = b->readers[in->reader].texts.v;
    for (int f = 0; f < LW_FIELDS; f++) {
        b->total.postings += d->fields[f].n;
        widen(b, d->fields[f].n);
    }
    for (size_t i = 0; i < d->idents.n; i++)
        idents[d->idents.v[i].name] = 1;
    for (size_t i = 0; i < d->apis.n; i++)
        texts[d->apis.v[i].name] = 1;
    for (size_t i = 0; i < d->defs.n; i++)
        texts[d->defs.v[i].name] = 1;
    for (size_t i = 0; i < d->params.n; i++)
        texts[d->params.v[i]] = 1;
    for (size_t i = 0; i < d->imports.n; i++)
        texts[d->imports.v[i].module] = texts[d->imports.v[i].name] = 1;
    for (size_t i = 0; i < d->strings.n; i++)
        texts[d->strings.v[i]] = 1;
    widen(b, d->idents.n);
    widen(b, d->apis.n);
    b->total.uses += d->idents.n + d->apis.n;
    b->total.defs += d->defs.n;
    b->total.params += d->params.n;
    b->total.imports += d->imports.n;
    b->total.strings += d->strings.n;
}

/* ---- Dictionaries ------------------------------------------------------------------------ */

typedef struct lw_str text_fn(const struct lw_document_reader *r, uint32_t number);

static struct lw_str term_text(const struct lw_document_reader *r, uint32_t number)
{
    return lw_words_term(&r->chunk.words, number);
}

static struct lw_str ident_text(const struct lw_document_reader *r, uint32_t number)
{
    return lw_words_ident(&r->chunk.words, number);
}

/* Numbers what is marked. */
static void number_table(struct building *b, struct dictionary *d, struct table *t,
                         const struct lw_document_reader *by, text_fn *text)
{
    for (size_t i = 0; i < t->n && b->rc == 0; i++) {
        bool is_new;
        if (!t->v[i])
            continue;
        struct lw_map_entry *e = lw_map_put(&d->map, text(by, (uint32_t)i), &is_new);
        if (!e) {
            b->rc = LW_ENOMEM;
            return;
        }
        if (is_new) {
            e->value = d->map.n - 1;
            d->bytes += e->key.n;
        }
        t->v[i] = (uint32_t)e->value + 1;
    }
}

/* A text by its first eight bytes, which order most of them. */
struct text_key {
    uint64_t head;
    uint32_t number;
};

static uint64_t head_of(struct lw_str text)
{
    uint64_t head = 0;
    memcpy(&head, text.p, text.n < sizeof head ? text.n : sizeof head);
    return be64toh(head);
}

/* By their heads, byte by byte; `spare` has room for as many. */
static void sort_heads(struct text_key *v, struct text_key *spare, size_t n)
{
    for (unsigned shift = 0; shift < 64; shift += 8) {
        size_t start[257] = {0};
        for (size_t i = 0; i < n; i++)
            start[(v[i].head >> shift & 255) + 1]++;
        for (size_t d = 1; d < 256; d++)
            start[d] += start[d - 1];
        for (size_t i = 0; i < n; i++)
            spare[start[v[i].head >> shift & 255]++] = v[i];
        struct text_key *swap = v;
        v = spare;
        spare = swap;
    }
}

static int by_text(const void *a, const void *b, void *data)
{
    const struct lw_map *map = data;
    const struct text_key *x = a, *y = b;
    return lw_str_cmp(map->entries[x->number].key, map->entries[y->number].key);
}

/* Texts with the same head one by one. */
static void sort_equal_heads(const struct lw_map *map, struct text_key *v, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && v[end].head == v[i].head;)
            end++;
        if (end - i > 1)
            qsort_r(v + i, end - i, sizeof *v, by_text, (void *)(uintptr_t)map);
    }
}

int sg_order_texts(struct lw_mem *mem, const struct lw_map *map, uint32_t *order)
{
    size_t n = map->n;
    struct text_key *keys = lw_mem_alloc(mem, 2 * n * sizeof *keys);
    if (!keys)
        return LW_ENOMEM;
    for (size_t i = 0; i < n; i++)
        keys[i] = (struct text_key){head_of(map->entries[i].key), (uint32_t)i};
    sort_heads(keys, keys + n, n);
    sort_equal_heads(map, keys, n);
    for (size_t i = 0; i < n; i++)
        order[i] = keys[i].number;
    lw_mem_free(mem, keys, 2 * n * sizeof *keys);
    return 0;
}

static void order_texts(struct building *b, struct dictionary *d)
{
    d->order = alloc(b, d->map.n, sizeof *d->order);
    if (b->rc == 0)
        b->rc = sg_order_texts(b->mem, &d->map, d->order);
}

/* Numbers of the dictionary become ranks. */
static void rank_table(struct table *t, const uint32_t *rank)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->v[i])
            t->v[i] = rank[t->v[i] - 1];
}

static uint32_t *ranks_of(struct building *b, const struct dictionary *d)
{
    uint32_t *rank = alloc(b, d->map.n, sizeof *rank);
    for (size_t i = 0; rank && i < d->map.n; i++)
        rank[d->order[i]] = (uint32_t)i;
    return rank;
}

static void make_dictionaries(struct building *b)
{
    for (unsigned r = 0; r < b->reader_count; r++) {
        struct reader_tables *t = &b->readers[r];
        number_table(b, &b->terms, &t->terms, t->by, term_text);
        number_table(b, &b->names, &t->idents, t->by, ident_text);
        number_table(b, &b->names, &t->texts, t->by, lw_document_text);
    }
    order_texts(b, &b->terms);
    order_texts(b, &b->names);
    uint32_t *terms = ranks_of(b, &b->terms), *names = ranks_of(b, &b->names);
    for (unsigned r = 0; r < b->reader_count && b->rc == 0; r++) {
        rank_table(&b->readers[r].terms, terms);
        rank_table(&b->readers[r].idents, names);
        rank_table(&b->readers[r].texts, names);
    }
    lw_mem_free(b->mem, terms, b->terms.map.n * sizeof *terms);
    lw_mem_free(b->mem, names, b->names.map.n * sizeof *names);
}

/* ---- Laying out -------------------------------------------------------------------------- */

static void *section(struct building *b, enum sg_section s)
{
    return b->w->buf.p + b->start[s];
}

void sg_leave_sections(struct lw_container_writer *w, const struct sg_sizes *n,
                       size_t start[SG_SECTIONS])
{
    const size_t size[SG_SECTIONS] = {
        [SG_RECORDS] = n->records * sizeof(struct lw_record),
        [SG_POSTING_TERMS] = n->postings * sizeof(uint32_t),
        [SG_POSTING_COUNTS] = n->postings * sizeof(uint16_t),
        [SG_TERM_ENDS] = n->terms * sizeof(uint32_t),
        [SG_TERM_TEXT] = n->term_bytes,
        [SG_NAME_ENDS] = n->names * sizeof(uint32_t),
        [SG_NAME_TEXT] = n->name_bytes,
        [SG_DEFS] = n->defs * sizeof(struct lw_def),
        [SG_PARAMS] = n->params * sizeof(uint32_t),
        [SG_IMPORTS] = n->imports * sizeof(struct lw_import),
        [SG_USES] = n->uses * sizeof(struct lw_use),
        [SG_STRINGS] = n->strings * sizeof(uint32_t),
    };
    size_t all = 0;
    for (int s = 0; s < SG_SECTIONS; s++)
        all += size[s] + 8;
    (void)lw_buf_room(&w->buf, all + 64);
    for (int s = 0; s < SG_SECTIONS; s++)
        start[s] = lw_container_leave(w, size[s]);
}

static void leave_sections(struct building *b, size_t records)
{
    b->total.records = records;
    b->total.terms = b->terms.map.n;
    b->total.term_bytes = b->terms.bytes;
    b->total.names = b->names.map.n;
    b->total.name_bytes = b->names.bytes;
    sg_leave_sections(b->w, &b->total, b->start);
}

static void insert_pairs(struct pair *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct pair p = v[i];
        size_t at = i;
        for (; at > 0 && v[at - 1].number > p.number; at--)
            v[at] = v[at - 1];
        v[at] = p;
    }
}

/* The set numbers in order, with their counts; the set is empty then. */
static void take_set(struct number_set *s, struct pair *out)
{
    for (size_t t = 0; t < s->top_count; t++)
        for (; s->top[t]; s->top[t] &= s->top[t] - 1) {
            size_t w = t * 64 + (size_t)__builtin_ctzll(s->top[t]);
            for (; s->bits[w]; s->bits[w] &= s->bits[w] - 1) {
                uint32_t number = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(s->bits[w]));
                *out++ = (struct pair){number, s->count[number]};
            }
        }
}

/* The first `n` pairs, each number once, in order of the numbers: by insertion when they are
 * few, else as a set. */
static const struct pair *sort_pairs(struct building *b, size_t n)
{
    enum { FEW = 24 };
    struct number_set *s = &b->set;
    if (n <= FEW) {
        insert_pairs(b->pairs, n);
        return b->pairs;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t number = b->pairs[i].number;
        s->bits[number / 64] |= (uint64_t)1 << number % 64;
        s->top[number / 4096] |= (uint64_t)1 << number / 64 % 64;
        s->count[number] = b->pairs[i].count;
    }
    take_set(s, b->pairs + n);
    return b->pairs + n;
}

static struct lw_part lay_field(struct building *b, const struct lw_segment_input *in, int f)
{
    const struct lw_count *field = in->document->facts.fields[f].v;
    size_t n = in->document->facts.fields[f].n;
    struct lw_part part = {(uint32_t)b->laid.postings, (uint32_t)n};
    const uint32_t *rank = b->readers[in->reader].terms.v;
    for (size_t i = 0; i < n; i++)
        b->pairs[i] = (struct pair){rank[field[i].term], field[i].count};
    const struct pair *sorted = sort_pairs(b, n);
    uint32_t *terms = (uint32_t *)section(b, SG_POSTING_TERMS) + part.start;
    uint16_t *counts = (uint16_t *)section(b, SG_POSTING_COUNTS) + part.start;
    for (size_t i = 0; i < n; i++) {
        terms[i] = sorted[i].number;
        counts[i] = (uint16_t)(sorted[i].count < UINT16_MAX ? sorted[i].count : UINT16_MAX);
    }
    b->laid.postings += n;
    return part;
}

static struct lw_part lay_uses(struct building *b, const struct lw_use *v, size_t n,
                               const uint32_t *rank)
{
    struct lw_part part = {(uint32_t)b->laid.uses, (uint32_t)n};
    struct lw_use *uses = (struct lw_use *)section(b, SG_USES) + part.start;
    for (size_t i = 0; i < n; i++)
        b->pairs[i] = (struct pair){rank[v[i].name], v[i].count};
    const struct pair *sorted = sort_pairs(b, n);
    for (size_t i = 0; i < n; i++)
        uses[i] = (struct lw_use){sorted[i].number, sorted[i].count};
    b->laid.uses += n;
    return part;
}

static struct lw_part lay_texts(struct building *b, enum sg_section s, size_t *laid,
                                const uint32_t *texts, size_t n, const uint32_t *rank)
{
    struct lw_part part = {(uint32_t)*laid, (uint32_t)n};
    uint32_t *to = (uint32_t *)section(b, s) + part.start;
    for (size_t i = 0; i < n; i++)
        to[i] = rank[texts[i]];
    *laid += n;
    return part;
}

static void lay_defs(struct building *b, const struct lw_facts *d, struct lw_record *r,
                     const uint32_t *rank)
{
    r->defs = (struct lw_part){(uint32_t)b->laid.defs, (uint32_t)d->defs.n};
    r->imports = (struct lw_part){(uint32_t)b->laid.imports, (uint32_t)d->imports.n};
    struct lw_def *defs = (struct lw_def *)section(b, SG_DEFS) + r->defs.start;
    struct lw_import *imports = (struct lw_import *)section(b, SG_IMPORTS) + r->imports.start;
    for (size_t i = 0; i < d->defs.n; i++) {
        defs[i] = d->defs.v[i];
        defs[i].name = rank[defs[i].name];
    }
    for (size_t i = 0; i < d->imports.n; i++) {
        imports[i] = d->imports.v[i];
        imports[i].module = rank[imports[i].module];
        imports[i].name = rank[imports[i].name];
    }
    b->laid.defs += d->defs.n;
    b->laid.imports += d->imports.n;
}

static void lay(struct building *b, const struct lw_segment_input *in, struct lw_record *r)
{
    const struct lw_document *d = in->document;
    const struct lw_facts *facts = &d->facts;
    const struct reader_tables *t = &b->readers[in->reader];
    *r = (struct lw_record){.facts = {d->id, d->bytes, facts->lines, facts->flags, {0}}};
    for (int f = 0; f < LW_FIELDS; f++) {
        r->facts.length[f] = (uint32_t)(d->length[f] < UINT32_MAX ? d->length[f] : UINT32_MAX);
        r->fields[f] = lay_field(b, in, f);
    }
    r->idents = lay_uses(b, facts->idents.v, facts->idents.n, t->idents.v);
    r->apis = lay_uses(b, facts->apis.v, facts->apis.n, t->texts.v);
    r->params =
        lay_texts(b, SG_PARAMS, &b->laid.params, facts->params.v, facts->params.n, t->texts.v);
    r->strings = lay_texts(b, SG_STRINGS, &b->laid.strings, facts->strings.v, facts->strings.n,
                           t->texts.v);
    lay_defs(b, facts, r, t->texts.v);
}

void sg_lay_dictionary(const struct lw_map *map, const uint32_t *order, uint32_t *ends,
                       char *text)
{
    uint32_t end = 0;
    for (size_t i = 0; i < map->n; i++) {
        struct lw_str key = map->entries[order[i]].key;
        memcpy(text + end, key.p, key.n);
        ends[i] = end += (uint32_t)key.n;
    }
}

static int by_id(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct lw_git_id));
}

static void lay_all(struct building *b, const struct lw_segment_input *inputs, size_t n)
{
    struct lw_record *records = section(b, SG_RECORDS);
    for (size_t i = 0; i < n; i++)
        lay(b, &inputs[i], &records[i]);
    if (n > 1)
        qsort(records, n, sizeof *records, by_id);
    sg_lay_dictionary(&b->terms.map, b->terms.order, section(b, SG_TERM_ENDS),
                      section(b, SG_TERM_TEXT));
    sg_lay_dictionary(&b->names.map, b->names.order, section(b, SG_NAME_ENDS),
                      section(b, SG_NAME_TEXT));
}

int lw_segment_build(struct lw_container_writer *w, struct lw_mem *mem, uint64_t format,
                     const struct lw_segment_input *inputs, size_t n, unsigned readers,
                     struct lw_err *err)
{
    struct building b = {.mem = mem, .w = w, .reader_count = readers, .widest = 1};
    lw_map_init(&b.terms.map, mem);
    lw_map_init(&b.names.map, mem);
    lw_container_begin(w, mem, LW_SEGMENT_KIND, format);
    b.readers = alloc(&b, readers, sizeof *b.readers);
    for (size_t i = 0; i < n && b.rc == 0; i++)
        collect(&b, &inputs[i]);
    if (b.rc == 0)
        make_dictionaries(&b);
    b.pairs = alloc(&b, 2 * b.widest, sizeof *b.pairs);
    set_ready(&b);
    if (b.rc == 0)
        leave_sections(&b, n);
    if (b.rc == 0 && !w->buf.failed)
        lay_all(&b, inputs, n);
    int rc = b.rc < 0 ? lw_err_nomem(err) : lw_container_finish(w, err);
    building_release(&b);
    if (rc < 0)
        lw_container_abandon(w);
    return rc;
}
