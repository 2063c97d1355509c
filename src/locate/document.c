#include "locate/document.h"

#include <string.h>

#include "base/checksum.h"
#include "base/err.h"
#include "base/str.h"
#include "locate/container.h"
#include "source/text.h"

void lw_document_reader_init(struct lw_document_reader *r, struct lw_mem *mem,
                             const struct lw_stopwords *stop)
{
    memset(r, 0, sizeof *r);
    lw_chunk_reader_init(&r->chunk, mem, stop);
    lw_arena_init(&r->scratch, mem, 0);
    lw_map_init(&r->known, mem);
    lw_buf_init(&r->before, mem, LW_DOC_MAX * 2);
}

static void tally_release(struct lw_mem *mem, struct lw_tally *t)
{
    lw_vec_release(mem, &t->count);
    lw_vec_release(mem, &t->touched);
}

static void release_tallies(struct lw_document_reader *r)
{
    for (int f = 0; f < LW_FIELDS; f++)
        tally_release(r->chunk.mem, &r->fields[f]);
    tally_release(r->chunk.mem, &r->idents);
    tally_release(r->chunk.mem, &r->apis);
    memset(r->fields, 0, sizeof r->fields);
    memset(&r->idents, 0, sizeof r->idents);
    memset(&r->apis, 0, sizeof r->apis);
}

void lw_document_reader_release(struct lw_document_reader *r)
{
    struct lw_mem *mem = r->chunk.mem;
    release_tallies(r);
    lw_vec_release(mem, &r->defs);
    lw_vec_release(mem, &r->params);
    lw_vec_release(mem, &r->strings);
    lw_vec_release(mem, &r->imports);
    lw_vec_release(mem, &r->text_facts);
    lw_vec_release(mem, &r->aliased);
    lw_vec_release(mem, &r->api_terms);
    lw_map_release(&r->known);
    lw_buf_release(&r->before);
    lw_vec_release(mem, &r->pieces);
    lw_vec_release(mem, &r->pieces_before);
    lw_arena_release(&r->scratch);
    lw_chunk_reader_release(&r->chunk);
}

void lw_document_reader_clear(struct lw_document_reader *r)
{
    release_tallies(r); /* numbers will mean other things */
    lw_map_clear(&r->known);
    r->pieces.n = r->pieces_before.n = 0;
    r->text_facts.n = r->aliased.n = r->api_terms.n = 0;
    lw_chunk_reader_clear(&r->chunk);
}

static void note(struct lw_document_reader *r, int rc)
{
    if (rc < 0)
        r->rc = rc;
}

/* ---- Adding up --------------------------------------------------------------------------- */

/* Room for counts of all numbers below `n`. */
static bool tally_ready(struct lw_document_reader *r, struct lw_tally *t, size_t n)
{
    if (t->count.n >= n)
        return true;
    if (lw_vec_reserve(r->chunk.mem, &t->count, n - t->count.n) < 0) {
        note(r, LW_ENOMEM);
        return false;
    }
    memset(t->count.v + t->count.n, 0, (n - t->count.n) * sizeof *t->count.v);
    t->count.n = n;
    return true;
}

static void tally(struct lw_document_reader *r, struct lw_tally *t, uint32_t number,
                  uint32_t count)
{
    if (t->count.v[number] == 0)
        note(r, lw_vec_push(r->chunk.mem, &t->touched, number));
    t->count.v[number] += count;
}

static void add_counts(struct lw_document_reader *r, const struct lw_facts *facts)
{
    for (int f = 0; f < LW_FIELDS; f++) {
        if (!tally_ready(r, &r->fields[f], r->chunk.words.terms.n))
            return;
        for (size_t i = 0; i < facts->fields[f].n; i++)
            tally(r, &r->fields[f], facts->fields[f].v[i].term, facts->fields[f].v[i].count);
    }
    if (!tally_ready(r, &r->idents, r->chunk.words.idents.n))
        return;
    for (size_t i = 0; i < facts->idents.n; i++)
        tally(r, &r->idents, facts->idents.v[i].name, facts->idents.v[i].count);
}

/* What falls to 0 stays among the touched until the tally is frozen, so whatever comes in is
 * added before. */
static void take_counts(struct lw_document_reader *r, const struct lw_facts *facts)
{
    for (int f = 0; f < LW_FIELDS; f++)
        for (size_t i = 0; i < facts->fields[f].n; i++)
            r->fields[f].count.v[facts->fields[f].v[i].term] -= facts->fields[f].v[i].count;
    for (size_t i = 0; i < facts->idents.n; i++)
        r->idents.count.v[facts->idents.v[i].name] -= facts->idents.v[i].count;
}

/* A class ends with its last method. */
static void close_class(struct lw_document_reader *r, const struct lw_def *def, bool methods)
{
    if (methods && r->class_def != UINT32_MAX && r->defs.v[r->class_def].last < def->last)
        r->defs.v[r->class_def].last = def->last;
    if (!methods && def->parent == UINT32_MAX)
        r->class_def = def->kind == LW_DEF_CLASS ? (uint32_t)r->defs.n : UINT32_MAX;
}

/* Definitions, parameters and lines are numbered through the file. */
static void add_defs(struct lw_document_reader *r, const struct lw_facts *facts, uint32_t line,
                     bool methods)
{
    uint32_t base = (uint32_t)r->defs.n, params = (uint32_t)r->params.n;
    for (size_t i = 0; i < facts->defs.n && r->rc == 0; i++) {
        struct lw_def def = facts->defs.v[i];
        bool outer = def.parent == UINT32_MAX;
        def.parent = !outer ? def.parent + base : methods ? r->class_def : UINT32_MAX;
        def.first += line;
        def.last += line;
        def.param += params;
        close_class(r, &def, methods);
        note(r, lw_vec_push(r->chunk.mem, &r->defs, def));
    }
    for (size_t i = 0; i < facts->params.n && r->rc == 0; i++)
        note(r, lw_vec_push(r->chunk.mem, &r->params, facts->params.v[i]));
    for (size_t i = 0; i < facts->strings.n && r->rc == 0; i++)
        note(r, lw_vec_push(r->chunk.mem, &r->strings, facts->strings.v[i]));
    for (size_t i = 0; i < facts->imports.n && r->rc == 0; i++) {
        struct lw_import import = facts->imports.v[i];
        import.line += line;
        note(r, lw_vec_push(r->chunk.mem, &r->imports, import));
    }
}

/* ---- API names --------------------------------------------------------------------------- */

/* The facts of a text; NULL when memory ran out. They move when texts are added. */
static struct lw_text_facts *facts_of_text(struct lw_document_reader *r, uint32_t text)
{
    size_t n = r->chunk.texts.n;
    if (r->text_facts.n < n) {
        if (lw_vec_reserve(r->chunk.mem, &r->text_facts, n - r->text_facts.n) < 0) {
            note(r, LW_ENOMEM);
            return NULL;
        }
        memset(r->text_facts.v + r->text_facts.n, 0,
               (n - r->text_facts.n) * sizeof *r->text_facts.v);
        r->text_facts.n = n;
    }
    if (!r->text_facts.v[text].ready)
        r->text_facts.v[text] = (struct lw_text_facts){
            .ready = true, .first = UINT32_MAX, .alias = UINT32_MAX, .with = UINT32_MAX};
    return &r->text_facts.v[text];
}

static void add_aliases(struct lw_document_reader *r, const struct lw_facts *facts)
{
    for (size_t i = 0; i < facts->aliases.n && r->rc == 0; i++) {
        uint32_t name = facts->aliases.v[i].name;
        struct lw_text_facts *f = facts_of_text(r, name);
        if (!f)
            return;
        f->alias = facts->aliases.v[i].target;
        note(r, lw_vec_push(r->chunk.mem, &r->aliased, name));
    }
}

static void forget_aliases(struct lw_document_reader *r)
{
    for (size_t i = 0; i < r->aliased.n; i++)
        r->text_facts.v[r->aliased.v[i]].alias = UINT32_MAX;
    r->aliased.n = 0;
}

static void add_api(struct lw_document_reader *r, uint32_t text, uint32_t count)
{
    if (r->rc == 0 && tally_ready(r, &r->apis, r->chunk.texts.n))
        tally(r, &r->apis, text, count);
}

static uint32_t text_number(struct lw_document_reader *r, struct lw_str text)
{
    uint32_t number = lw_chunk_text(&r->chunk, text);
    note(r, r->chunk.rc);
    return number;
}

static struct lw_str before_dot(struct lw_str text)
{
    ptrdiff_t dot = lw_str_find_char(text, '.');
    return lw_str_part(text, 0, dot < 0 ? text.n : (size_t)dot);
}

/* The text with `with` in place of its first part. */
static uint32_t put_together(struct lw_document_reader *r, uint32_t text, uint32_t with)
{
    struct lw_str whole = lw_document_text(r, text), first = before_dot(whole);
    if (first.n == whole.n)
        return with;
    struct lw_str joined =
        lw_arena_printf(&r->scratch, "%.*s%.*s", LW_F(lw_document_text(r, with)),
                        LW_F(lw_str_from(whole, first.n)));
    note(r, joined.p ? 0 : LW_ENOMEM);
    return r->rc < 0 ? 0 : text_number(r, joined);
}

/* "nn.Linear" with `import torch.nn as nn`. */
static void resolve_chain(struct lw_document_reader *r, const struct lw_use *chain)
{
    struct lw_text_facts *f = facts_of_text(r, chain->name);
    if (f && f->first == UINT32_MAX) {
        uint32_t first = text_number(r, before_dot(lw_document_text(r, chain->name)));
        f = facts_of_text(r, chain->name);
        if (f)
            f->first = first;
    }
    if (!f || r->rc < 0)
        return;
    const struct lw_text_facts *first = facts_of_text(r, f->first);
    if (!first || first->alias == UINT32_MAX)
        return;
    uint32_t with = first->alias;
    f = &r->text_facts.v[chain->name];
    if (f->with != with) {
        uint32_t whole = put_together(r, chain->name, with);
        f = facts_of_text(r, chain->name);
        if (!f)
            return;
        f->with = with;
        f->whole = whole;
    }
    add_api(r, f->whole, chain->count);
}

static void add_apis(struct lw_document_reader *r, const struct lw_facts *facts)
{
    for (size_t i = 0; i < facts->apis.n && r->rc == 0; i++)
        add_api(r, facts->apis.v[i].name, facts->apis.v[i].count);
    for (size_t i = 0; i < facts->chains.n && r->rc == 0 && r->aliased.n; i++)
        resolve_chain(r, &facts->chains.v[i]);
}

/* Finds out the terms of a dotted name. */
static void find_terms(struct lw_document_reader *r, uint32_t text)
{
    uint64_t length;
    size_t start = r->api_terms.n;
    lw_words_add_text(&r->chunk.words, lw_document_text(r, text));
    note(r, lw_words_take(&r->chunk.words, r->chunk.mem, &r->api_terms, &length));
    struct lw_text_facts *f = facts_of_text(r, text);
    if (!f)
        return;
    f->has_terms = true;
    f->term = (uint32_t)start;
    f->terms = (uint32_t)(r->api_terms.n - start);
}

/* The terms of the dotted names, as often as they are used. */
static void count_apis(struct lw_document_reader *r)
{
    for (size_t i = 0; i < r->apis.touched.n && r->rc == 0; i++) {
        uint32_t text = r->apis.touched.v[i], times = r->apis.count.v[text];
        const struct lw_text_facts *f = facts_of_text(r, text);
        if (f && !f->has_terms)
            find_terms(r, text);
        if (r->rc < 0 || !tally_ready(r, &r->fields[LW_FIELD_API], r->chunk.words.terms.n))
            return;
        f = &r->text_facts.v[text];
        for (size_t k = f->term; k < f->term + f->terms; k++)
            tally(r, &r->fields[LW_FIELD_API], r->api_terms.v[k].term,
                  r->api_terms.v[k].count * times);
    }
}

/* ---- The document ------------------------------------------------------------------------ */

/* Copies the tally into a list of the arena; the sum of its counts. */
static uint64_t freeze(struct lw_document_reader *r, struct lw_arena *arena, struct lw_tally *t,
                       const struct lw_count **v, size_t *n)
{
    struct lw_count *list = lw_arena_array(arena, t->touched.n + 1, sizeof *list);
    uint64_t sum = 0;
    size_t kept = 0;
    note(r, list ? 0 : LW_ENOMEM);
    for (size_t i = 0; i < t->touched.n && list; i++) {
        uint32_t number = t->touched.v[i], count = t->count.v[number];
        if (!count)
            continue;
        list[kept] = (struct lw_count){number, count};
        t->touched.v[kept++] = number;
        sum += count;
    }
    *v = list;
    *n = t->touched.n = kept;
    return sum;
}

static void tally_clear(struct lw_tally *t)
{
    for (size_t i = 0; i < t->touched.n; i++)
        t->count.v[t->touched.v[i]] = 0;
    t->touched.n = 0;
}

/* struct lw_use has the same members under other names. */
static void freeze_uses(struct lw_document_reader *r, struct lw_arena *arena,
                        struct lw_tally *t, const struct lw_use **v, size_t *n)
{
    const struct lw_count *counts;
    freeze(r, arena, t, &counts, n);
    struct lw_use *uses = lw_arena_array(arena, *n + 1, sizeof *uses);
    note(r, uses ? 0 : LW_ENOMEM);
    for (size_t i = 0; i < *n && r->rc == 0; i++)
        uses[i] = (struct lw_use){counts[i].term, counts[i].count};
    *v = uses;
}

static const void *copy_of(struct lw_document_reader *r, struct lw_arena *arena, const void *v,
                           size_t n, size_t size)
{
    void *copy = lw_arena_array(arena, n + 1, size);
    note(r, copy ? 0 : LW_ENOMEM);
    if (copy && n)
        memcpy(copy, v, n * size);
    return copy;
}

#define COPY(r, arena, list, draft)                                                \
    do {                                                                           \
        (list).v = copy_of((r), (arena), (draft).v, (draft).n, sizeof *(draft).v); \
        (list).n = (draft).n;                                                      \
    } while (0)

static void finish(struct lw_document_reader *r, struct lw_document *d, struct lw_arena *arena)
{
    count_apis(r);
    for (int f = 0; f < LW_FIELDS; f++)
        d->length[f] =
            freeze(r, arena, &r->fields[f], &d->facts.fields[f].v, &d->facts.fields[f].n);
    freeze_uses(r, arena, &r->idents, &d->facts.idents.v, &d->facts.idents.n);
    freeze_uses(r, arena, &r->apis, &d->facts.apis.v, &d->facts.apis.n);
    COPY(r, arena, d->facts.defs, r->defs);
    COPY(r, arena, d->facts.params, r->params);
    COPY(r, arena, d->facts.strings, r->strings);
    COPY(r, arena, d->facts.imports, r->imports);
    tally_clear(&r->fields[LW_FIELD_API]); /* what names mean depends on the whole file */
    tally_clear(&r->apis);
}

/* What a chunk is known by. */
struct chunk_key {
    uint64_t checksum, size;
};

struct known_chunk {
    struct chunk_key key;
    struct lw_facts facts;
};

/* The facts of a chunk, read unless it was before. NULL: no memory. */
static const struct lw_facts *facts_of(struct lw_document_reader *r,
                                       const struct lw_language *language, struct lw_str text,
                                       struct lw_err *err)
{
    bool is_new;
    uint64_t seed = language->is_python ? 0 : lw_checksum(language->name, 0);
    struct chunk_key key = {lw_checksum(text, seed), text.n};
    struct lw_map_entry *e =
        lw_map_put(&r->known, lw_str_n((const char *)&key, sizeof key), &is_new);
    if (e && !is_new)
        return &((const struct known_chunk *)(uintptr_t)e->value)->facts;
    struct known_chunk *known = lw_arena_alloc(&r->chunk.kept, sizeof *known);
    if (!e || !known) {
        lw_err_nomem(err);
        return NULL;
    }
    known->key = key;
    e->key = lw_str_n((const char *)&known->key, sizeof known->key);
    e->value = (uintptr_t)known;
    return lw_chunk_read(&r->chunk, language, text, &known->facts, err) < 0 ? NULL
                                                                            : &known->facts;
}

static int add_chunk(struct lw_document_reader *r, struct lw_document *d,
                     const struct lw_facts *facts, bool methods, struct lw_err *err)
{
    if (!facts)
        return err->code;
    add_defs(r, facts, d->facts.lines, methods);
    add_aliases(r, facts);
    d->facts.lines += facts->lines;
    d->facts.flags |= facts->flags;
    return r->rc < 0 ? lw_err_nomem(err) : 0;
}

/* ---- What the file before had ------------------------------------------------------------ */

/* Does the text at `at` go on as the piece did, up to and with what decided where it ends? */
static bool stands_at(const struct lw_document_reader *r, const struct lw_doc_piece *piece,
                      struct lw_str text, size_t at)
{
    size_t n = piece->next - piece->start, left = text.n - at;
    if (n > left || (piece->next == r->before.n && n != left))
        return false;
    return memcmp(r->before.p + piece->start, text.p + at, n) == 0;
}

/* The chunk at `at` as a piece of the file before; NULL when it was none of the next few. */
static struct lw_doc_piece *find_before(struct lw_document_reader *r, struct lw_str text,
                                        size_t at)
{
    enum { LOOK = 4 }; /* so many may be gone between two that stayed */
    size_t end = r->piece_before + LOOK;
    end = end < r->pieces_before.n ? end : r->pieces_before.n;
    for (size_t i = r->piece_before; i < end; i++)
        if (stands_at(r, &r->pieces_before.v[i], text, at)) {
            r->piece_before = i + 1;
            return &r->pieces_before.v[i];
        }
    return NULL;
}

static size_t behind_line(struct lw_str text, size_t at)
{
    const char *end = at < text.n ? memchr(text.p + at, '\n', text.n - at) : NULL;
    return end ? (size_t)(end - text.p) + 1 : text.n;
}

/* The chunk at `at`; `facts` is NULL when memory ran out. */
static struct lw_doc_piece next_piece(struct lw_document_reader *r,
                                      const struct lw_language *language, struct lw_str text,
                                      size_t at, struct lw_err *err)
{
    struct lw_doc_piece *same = language->is_python ? find_before(r, text, at) : NULL;
    if (same) {
        same->stayed = true;
        return (struct lw_doc_piece){at, at + (same->end - same->start),
                                     at + (same->next - same->start), same->facts, true};
    }
    size_t end = language->is_python ? lw_chunk_end(text, at) : text.n;
    return (struct lw_doc_piece){at, end, behind_line(text, end),
                                 facts_of(r, language, lw_str_part(text, at, end - at), err),
                                 false};
}

/* The counts of the file before become those of this one: what came and what went decides. */
static void count_pieces(struct lw_document_reader *r)
{
    for (size_t i = 0; i < r->pieces.n && r->rc == 0; i++)
        if (!r->pieces.v[i].stayed)
            add_counts(r, r->pieces.v[i].facts);
    for (size_t i = 0; i < r->pieces_before.n && r->rc == 0; i++)
        if (!r->pieces_before.v[i].stayed)
            take_counts(r, r->pieces_before.v[i].facts);
}

/* There is no file before. */
static void forget_before(struct lw_document_reader *r)
{
    for (int f = 0; f < LW_FIELDS; f++)
        tally_clear(&r->fields[f]);
    tally_clear(&r->idents);
    r->pieces_before.n = 0;
}

/* The text becomes the one before. After `finish`. */
static void keep_pieces(struct lw_document_reader *r, struct lw_str text)
{
    lw_buf_clear(&r->before);
    lw_buf_add(&r->before, text);
    r->pieces_before.n = 0;
    if (r->before.failed == LW_ENOMEM ||
        lw_vec_reserve(r->chunk.mem, &r->pieces_before, r->pieces.n) < 0)
        note(r, LW_ENOMEM);
    if (r->before.failed || r->rc < 0) {
        forget_before(r);
        return;
    }
    for (size_t i = 0; i < r->pieces.n; i++) {
        r->pieces_before.v[i] = r->pieces.v[i];
        r->pieces_before.v[i].stayed = false;
    }
    r->pieces_before.n = r->pieces.n;
}

/* Imports may stand behind what uses them, so API names come in a second round. */
static int read_chunks(struct lw_document_reader *r, struct lw_document *d,
                       const struct lw_language *language, struct lw_str text,
                       struct lw_err *err)
{
    int rc = 0;
    r->pieces.n = r->piece_before = 0;
    if (!language->is_python)
        forget_before(r);
    for (size_t at = 0; at < text.n && rc == 0;) {
        struct lw_doc_piece piece = next_piece(r, language, text, at, err);
        rc = add_chunk(r, d, piece.facts, text.p[at] == ' ' || text.p[at] == '\t', err);
        if (rc == 0 && lw_vec_push(r->chunk.mem, &r->pieces, piece) < 0)
            rc = lw_err_nomem(err);
        at = piece.end;
    }
    if (rc == 0)
        count_pieces(r);
    for (size_t i = 0; i < r->pieces.n && rc == 0; i++)
        add_apis(r, r->pieces.v[i].facts);
    return rc < 0 ? rc : r->rc < 0 ? lw_err_nomem(err) : 0;
}

int lw_document_read(struct lw_document_reader *r, struct lw_document *d,
                     struct lw_arena *arena, const struct lw_language *language,
                     struct lw_str bytes, struct lw_err *err)
{
    struct lw_source source = {.text = bytes};
    d->bytes = (uint32_t)(bytes.n < UINT32_MAX ? bytes.n : UINT32_MAX);
    lw_arena_clear(&r->scratch);
    forget_aliases(r);
    r->defs.n = r->params.n = r->strings.n = r->imports.n = 0;
    r->class_def = UINT32_MAX;
    if (bytes.n > LW_DOC_MAX || lw_git_is_binary(bytes)) {
        d->facts.flags |= bytes.n > LW_DOC_MAX ? LW_DOC_LARGE : LW_DOC_BINARY;
        return 0;
    }
    int rc = language->is_python
                 ? lw_source_decode(&source, &r->scratch, LW_S("x.py"), bytes, err)
                 : 0;
    if (rc == 0)
        rc = read_chunks(r, d, language, source.text, err);
    finish(r, d, arena);
    if (rc == 0 && language->is_python)
        keep_pieces(r, source.text);
    else
        forget_before(r);
    return rc < 0 ? rc : r->rc < 0 ? lw_err_nomem(err) : 0;
}
