/* Makes a view: the chosen documents as a segment, and everything in it turned round. */
#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "locate/index_internal.h"
#include "locate/score.h"
#include "locate/technique.h"
#include "locate/view_internal.h"

struct building {
    struct lw_mem *mem;
    struct lw_arena arena; /* everything below */
    struct lw_container_writer *w;
    struct lw_segment segment; /* with postings and identifiers */
    struct lw_files files;     /* with documents of the segment */
    uint32_t *place_start, *place_files;
    uint16_t *place_counts;
    uint32_t *holder_start, *holders;
    double *norms;
    struct lw_view_head head;
    size_t places, holder_count;
};

static void *array(struct building *b, size_t n, size_t size)
{
    return lw_arena_array(&b->arena, n + 1, size);
}

/* ---- Documents --------------------------------------------------------------------------- */

/* The segments of the files, each once. */
static size_t list_segments(const struct lw_files *files, const struct lw_segment **out)
{
    size_t n = 0;
    for (size_t i = 0; i < files->n; i++) {
        size_t k = n;
        while (k > 0 && out[k - 1] != files->v[i].doc.segment)
            k--;
        if (!k)
            out[n++] = files->v[i].doc.segment;
    }
    return n;
}

static int choose(struct building *b, const lw_index *index, const struct lw_files *files,
                  struct lw_err *err)
{
    struct lw_container_writer chosen;
    struct lw_container container;
    const struct lw_segment **segments = array(b, index->segments.n, sizeof *segments);
    struct lw_doc *docs = array(b, files->n, sizeof *docs);
    if (!segments || !docs)
        return lw_err_nomem(err);
    for (size_t i = 0; i < files->n; i++)
        docs[i] = files->v[i].doc;
    int rc = lw_segment_choose(&chosen, b->mem, index->format, segments,
                               list_segments(files, segments), docs, files->n, err);
    if (rc == 0)
        rc = lw_container_take(&container, &chosen, err);
    return rc < 0 ? rc : lw_segment_use(&b->segment, &container, err);
}

static int list_files(struct building *b, const struct lw_files *files)
{
    struct lw_file *v = array(b, files->n, sizeof *v);
    for (size_t i = 0; i < files->n && v; i++) {
        struct lw_doc doc = {&b->segment, b->segment.records + i};
        uint32_t flags = doc.record->facts.flags;
        v[i] = (struct lw_file){files->v[i].path, doc, (uint32_t)i, (uint32_t)i};
        b->head.large += (flags & LW_DOC_LARGE) != 0;
        b->head.binary += (flags & LW_DOC_BINARY) != 0;
        for (int f = 0; f < LW_FIELDS; f++)
            b->head.length[f] += doc.record->facts.length[f];
    }
    b->files = (struct lw_files){.v = v, .n = files->n};
    b->head.files = files->n;
    return v ? 0 : LW_ENOMEM;
}

/* ---- Terms to files ---------------------------------------------------------------------- */

/* Counts become starts; `start` has two places more than lists, the counts of list i in i + 2,
 * so that filling moves i + 1 to where it belongs. */
static size_t add_up(uint32_t *start, size_t lists)
{
    for (size_t i = 2; i < lists + 2; i++)
        start[i] += start[i - 1];
    return start[lists + 1];
}

static int invert_terms(struct building *b)
{
    size_t lists = b->segment.term_count * LW_FIELDS;
    uint32_t *start = b->place_start = array(b, lists + 2, sizeof *start);
    if (!start)
        return LW_ENOMEM;
    for (size_t i = 0; i < b->files.n; i++)
        for (uint32_t f = 0; f < LW_FIELDS; f++) {
            struct lw_postings p = lw_doc_postings(b->files.v[i].doc, (enum lw_field)f);
            for (uint32_t k = 0; k < p.n; k++)
                start[(size_t)p.terms[k] * LW_FIELDS + f + 2]++;
        }
    b->places = add_up(start, lists);
    b->place_files = array(b, b->places, sizeof *b->place_files);
    b->place_counts = array(b, b->places, sizeof *b->place_counts);
    if (!b->place_files || !b->place_counts)
        return LW_ENOMEM;
    for (uint32_t i = 0; i < b->files.n; i++)
        for (uint32_t f = 0; f < LW_FIELDS; f++) {
            struct lw_postings p = lw_doc_postings(b->files.v[i].doc, (enum lw_field)f);
            for (uint32_t k = 0; k < p.n; k++) {
                uint32_t at = start[(size_t)p.terms[k] * LW_FIELDS + f + 1]++;
                b->place_files[at] = i;
                b->place_counts[at] = p.counts[k];
            }
        }
    return 0;
}

static int find_norms(struct building *b)
{
    b->norms = array(b, b->files.n * LW_FIELDS, sizeof *b->norms);
    uint32_t *df = array(b, b->segment.term_count, sizeof *df);
    if (!b->norms || !df)
        return LW_ENOMEM;
    for (uint32_t f = 0; f < LW_FIELDS; f++) {
        for (size_t t = 0; t < b->segment.term_count; t++) {
            const uint32_t *start = &b->place_start[t * LW_FIELDS + f];
            df[t] = start[1] - start[0];
        }
        if (lw_score_squares(&b->arena, &b->files, (enum lw_field)f, df,
                             b->norms + f * b->files.n) < 0)
            return LW_ENOMEM;
    }
    return 0;
}

static int invert_idents(struct building *b)
{
    uint32_t *start = b->holder_start =
        array(b, b->segment.name_count + 2, sizeof *b->holder_start);
    if (!start)
        return LW_ENOMEM;
    for (size_t i = 0; i < b->files.n; i++) {
        struct lw_uses_view idents = lw_doc_idents(b->files.v[i].doc);
        for (size_t k = 0; k < idents.n; k++)
            start[idents.v[k].name + 2]++;
    }
    b->holder_count = add_up(start, b->segment.name_count);
    b->holders = array(b, b->holder_count, sizeof *b->holders);
    for (uint32_t i = 0; i < b->files.n && b->holders; i++) {
        struct lw_uses_view idents = lw_doc_idents(b->files.v[i].doc);
        for (size_t k = 0; k < idents.n; k++)
            b->holders[start[idents.v[k].name + 1]++] = i;
    }
    return b->holders ? 0 : LW_ENOMEM;
}

/* ---- The past ---------------------------------------------------------------------------- */

struct pasts {
    struct lw_view_commit *commits;
    uint32_t *files, *words;
    size_t file_count, word_count;
    struct lw_buf messages;
    struct lw_map vocabulary; /* text to number, later rank */
    uint32_t *order;
};

static struct lw_str word_text(const struct lw_past *past, const struct lw_past_commit *c,
                               uint32_t k)
{
    const struct lw_vocabulary *v = &past->vocabularies[c->vocabulary];
    uint32_t word = c->words[k], start = word ? v->ends[word - 1] : 0;
    return lw_str_n(v->text + start, v->ends[word] - start);
}

static int collect_words(const struct lw_past *past, struct pasts *p, struct building *b)
{
    for (size_t i = 0; i < past->n; i++)
        for (uint32_t k = 0; k < past->v[i].word_count; k++)
            if (!lw_map_put(&p->vocabulary, word_text(past, &past->v[i], k), NULL))
                return LW_ENOMEM;
    p->order = array(b, p->vocabulary.n, sizeof *p->order);
    if (!p->order)
        return LW_ENOMEM;
    lw_map_sorted(&p->vocabulary, p->order);
    for (size_t i = 0; i < p->vocabulary.n; i++)
        p->vocabulary.entries[p->order[i]].value = i;
    return 0;
}

static void lay_commit(const struct lw_past *past, size_t number, struct pasts *p)
{
    const struct lw_past_commit *c = &past->v[number];
    p->commits[number] = (struct lw_view_commit){
        .id = c->id,
        .author = c->author,
        .date = c->date,
        .flags = (c->is_fix ? VW_IS_FIX : 0u) | (c->is_merge ? VW_IS_MERGE : 0u) |
                 (c->renames ? VW_RENAMES : 0u),
        .changed = c->changed,
        .message = {(uint32_t)p->messages.n, (uint32_t)c->message.n},
        .words = {(uint32_t)p->word_count, c->word_count},
        .files = {(uint32_t)p->file_count, c->file_count},
    };
    lw_buf_add(&p->messages, c->message);
    for (uint32_t k = 0; k < c->word_count; k++)
        p->words[p->word_count++] =
            (uint32_t)lw_map_get(&p->vocabulary, word_text(past, c, k), 0);
    for (uint32_t k = 0; k < c->file_count; k++)
        p->files[p->file_count++] = c->files[k];
}

static int lay_past(struct building *b, const struct lw_past *past, struct pasts *p)
{
    size_t words = 0, files = 0;
    for (size_t i = 0; i < past->n; i++) {
        words += past->v[i].word_count;
        files += past->v[i].file_count;
    }
    p->commits = array(b, past->n, sizeof *p->commits);
    p->words = array(b, words, sizeof *p->words);
    p->files = array(b, files, sizeof *p->files);
    if (!p->commits || !p->words || !p->files || collect_words(past, p, b) < 0)
        return LW_ENOMEM;
    for (size_t i = 0; i < past->n; i++)
        lay_commit(past, i, p);
    return p->messages.failed ? LW_ENOMEM : 0;
}

static int add_vocabulary(struct building *b, const struct pasts *p)
{
    uint32_t *ends = array(b, p->vocabulary.n, sizeof *ends), at = 0;
    struct lw_buf text;
    if (!ends)
        return LW_ENOMEM;
    lw_buf_init(&text, b->mem, 0);
    for (size_t i = 0; i < p->vocabulary.n; i++) {
        struct lw_str word = p->vocabulary.entries[p->order[i]].key;
        lw_buf_add(&text, word);
        ends[i] = at += (uint32_t)word.n;
    }
    lw_container_add(b->w, ends, p->vocabulary.n * sizeof *ends);
    lw_container_add(b->w, text.p, text.n);
    int rc = text.failed ? LW_ENOMEM : 0;
    lw_buf_release(&text);
    return rc;
}

/* ---- Sections ---------------------------------------------------------------------------- */

static bool is_turned(int section)
{
    return section == SG_POSTING_TERMS || section == SG_POSTING_COUNTS || section == SG_USES;
}

/* Those of the segment without what is turned round; whoever asks a document of the view for
 * it gets nothing. */
static void add_segment(struct building *b)
{
    for (int i = 0; i < SG_SECTIONS; i++) {
        struct lw_str bytes = lw_container_section(&b->segment.container, (uint32_t)i);
        lw_container_add(b->w, bytes.p, is_turned(i) ? 0 : bytes.n);
    }
    if (b->w->buf.failed)
        return;
    struct lw_record *records =
        (struct lw_record *)(void *)(b->w->buf.p + b->w->sections[SG_RECORDS].start);
    for (size_t i = 0; i < b->files.n; i++) {
        memset(records[i].fields, 0, sizeof records[i].fields);
        records[i].idents = records[i].apis = (struct lw_part){0};
    }
}

static int add_paths(struct building *b)
{
    uint32_t *ends = array(b, b->files.n, sizeof *ends), at = 0;
    struct lw_buf text;
    if (!ends)
        return LW_ENOMEM;
    lw_buf_init(&text, b->mem, 0);
    for (size_t i = 0; i < b->files.n; i++) {
        lw_buf_add(&text, b->files.v[i].path);
        ends[i] = at += (uint32_t)b->files.v[i].path.n;
    }
    lw_container_add(b->w, ends, b->files.n * sizeof *ends);
    lw_container_add(b->w, text.p, text.n);
    int rc = text.failed ? LW_ENOMEM : 0;
    lw_buf_release(&text);
    return rc;
}

static int add_own(struct building *b, const lw_index *index)
{
    struct lw_view_source source = {b->mem, &b->arena, &b->segment, &b->files,
                                    &index->stopwords};
    uint32_t before = b->w->count;
    int rc = 0;
    for (size_t i = 0; lw_techniques[i] && rc == 0; i++)
        if (lw_techniques[i]->keep)
            rc = lw_techniques[i]->keep(&source, b->w);
    b->head.own_count = b->w->count - before;
    return rc;
}

static int add_sections(struct building *b, const lw_index *index, const struct lw_past *past,
                        const struct pasts *p)
{
    struct lw_container_writer *w = b->w;
    add_segment(b);
    size_t head = lw_container_leave(w, sizeof b->head);
    if (add_paths(b) < 0)
        return LW_ENOMEM;
    lw_container_add(w, b->norms, b->files.n * LW_FIELDS * sizeof *b->norms);
    lw_container_add(w, b->place_start,
                     (b->segment.term_count * LW_FIELDS + 1) * sizeof *b->place_start);
    lw_container_add(w, b->holder_start, (b->segment.name_count + 1) * sizeof *b->holder_start);
    lw_container_add(w, p->commits, past->n * sizeof *p->commits);
    lw_container_add(w, p->files, p->file_count * sizeof *p->files);
    lw_container_add(w, p->words, p->word_count * sizeof *p->words);
    if (add_vocabulary(b, p) < 0 || add_own(b, index) < 0)
        return LW_ENOMEM;
    lw_container_be_lazy(w);
    lw_container_add(w, b->place_files, b->places * sizeof *b->place_files);
    lw_container_add(w, b->place_counts, b->places * sizeof *b->place_counts);
    lw_container_add(w, b->holders, b->holder_count * sizeof *b->holders);
    lw_container_add(w, p->messages.p, p->messages.n);
    if (!w->buf.failed)
        memcpy(w->buf.p + head, &b->head, sizeof b->head);
    return 0;
}

static int build(struct building *b, const lw_index *index, const struct lw_past *past,
                 struct pasts *p, struct lw_err *err)
{
    if (invert_terms(b) < 0 || find_norms(b) < 0 || invert_idents(b) < 0 ||
        lay_past(b, past, p) < 0 || add_sections(b, index, past, p) < 0)
        return lw_err_nomem(err);
    return lw_container_finish(b->w, err);
}

int lw_view_build(struct lw_container_writer *w, const lw_index *index, uint32_t commit,
                  const struct lw_past *past, struct lw_err *err)
{
    struct building b = {.mem = index->mem, .w = w};
    struct pasts p = {0};
    struct lw_files files = lw_index_files(index, commit);
    lw_arena_init(&b.arena, b.mem, 0);
    lw_buf_init(&p.messages, b.mem, 0);
    lw_map_init(&p.vocabulary, b.mem);
    lw_container_begin(w, b.mem, LW_VIEW_KIND, index->format);
    b.head.id = lw_index_commit_id(index, commit);
    b.head.blobs = index->figures.blobs;
    int rc = choose(&b, index, &files, err);
    if (rc == 0 && list_files(&b, &files) < 0)
        rc = lw_err_nomem(err);
    if (rc == 0)
        rc = build(&b, index, past, &p, err);
    if (rc < 0)
        lw_container_abandon(w);
    lw_segment_close(&b.segment);
    lw_map_release(&p.vocabulary);
    lw_buf_release(&p.messages);
    lw_arena_release(&b.arena);
    return rc;
}
