/* Blobs to documents, on several threads, each once; segments in and out of the cache. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/pool.h"
#include "base/str.h"
#include "locate/index_internal.h"

/* A step is what one thread takes at a time, a round what is read between two looks at the
 * size, a segment what is kept together. */
enum { STEP = 8, ROUND = 1024, SEGMENT_BLOBS = 16384, SEGMENT_BYTES = 128 << 20 };
enum { SMALL_SEGMENT = 2048 }; /* records */

/* ---- Segments ---------------------------------------------------------------------------- */

static int add_segment(lw_index *index, struct lw_container *container, struct lw_segment **out,
                       struct lw_err *err)
{
    struct lw_segment *s = lw_mem_alloc(index->mem, sizeof *s);
    if (!s)
        return lw_err_nomem(err);
    int rc = lw_segment_use(s, container, err);
    if (rc == 0 && lw_vec_push(index->mem, &index->segments, s) < 0) {
        lw_segment_close(s);
        rc = lw_err_nomem(err);
    }
    if (rc < 0) {
        lw_mem_free(index->mem, s, sizeof *s);
        return rc;
    }
    s->base = index->record_count;
    index->record_count += (uint32_t)s->record_count;
    *out = s;
    return 0;
}

static int take_segment(void *data, struct lw_container *container, struct lw_err *err)
{
    struct lw_segment *s;
    int rc = add_segment(data, container, &s, err);
    return rc == LW_ECORRUPT ? 0 : rc;
}

int ix_segments_open(lw_index *index, struct lw_err *err)
{
    return lw_cache_each(&index->cache, LW_SEGMENT_KIND, index->format, take_segment, index,
                         err);
}

/* The record that stands for what the repository lacks. */
static int make_absent(lw_index *index, struct lw_err *err)
{
    struct lw_document d = {.facts = {.flags = LW_DOC_ABSENT}};
    struct lw_segment_input input = {.document = &d};
    struct lw_container_writer w;
    struct lw_container container;
    if (index->absent)
        return 0;
    int rc = lw_segment_build(&w, index->mem, index->format, &input, 1, 1, err);
    if (rc == 0)
        rc = lw_container_take(&container, &w, err);
    return rc < 0 ? rc : add_segment(index, &container, &index->absent, err);
}

int ix_segments_merge(lw_index *index, struct lw_err *err)
{
    const struct lw_segment *small[64];
    size_t n = 0;
    struct lw_container_writer w;
    for (size_t i = 0; i < index->segments.n && n < sizeof small / sizeof *small; i++)
        if (index->segments.v[i] != index->absent &&
            index->segments.v[i]->record_count < SMALL_SEGMENT)
            small[n++] = index->segments.v[i];
    if (n < LW_CACHE_MERGE || !index->cache.folder.n)
        return 0;
    int rc = lw_segment_merge(&w, index->mem, index->format, small, n, err);
    if (rc < 0)
        return rc;
    if (lw_cache_put(&index->cache, LW_SEGMENT_KIND, &w))
        for (size_t i = 0; i < n; i++)
            if (small[i]->container.checksum != w.checksum)
                lw_cache_drop(&index->cache, LW_SEGMENT_KIND, small[i]->container.checksum);
    lw_container_abandon(&w);
    return 0;
}

/* ---- Reading ----------------------------------------------------------------------------- */

/* What one thread needs. */
struct reader {
    struct lw_document_reader documents;
    struct lw_arena blob;
    lw_git *git;
    bool ready;
};

struct rounds {
    lw_index *index;
    const uint32_t *todo; /* blob numbers */
    size_t count;
    struct lw_document *documents; /* of the round and those before it, not yet in a segment */
    unsigned *reader_of;
    struct lw_arena *arenas; /* by step */
    struct reader *readers;
    unsigned jobs;
    size_t first; /* the round begins with this one of `todo` */
    size_t kept;  /* … which is at this place of `documents` */
};

static int reader_ready(struct rounds *r, unsigned worker, struct lw_err *err)
{
    struct reader *reader = &r->readers[worker];
    if (reader->ready)
        return 0;
    lw_document_reader_init(&reader->documents, r->index->mem, &r->index->stopwords);
    lw_arena_init(&reader->blob, r->index->mem, 0);
    reader->ready = true;
    return lw_git_open(&reader->git, r->index->ctx, r->index->folder.p, err);
}

static int read_blob(struct rounds *r, struct reader *reader, struct lw_arena *arena,
                     const struct ix_blob *blob, struct lw_document *d, struct lw_err *err)
{
    struct lw_str bytes;
    d->id = blob->id;
    d->language = blob->language;
    lw_arena_clear(&reader->blob);
    int rc = lw_git_blob(reader->git, &reader->blob, &blob->id, LW_DOC_MAX, &bytes, err);
    if (rc == LW_ENOENT || rc == LW_ECORRUPT)
        d->facts.flags = LW_DOC_ABSENT;
    else if (rc == LW_ELIMIT)
        d->facts.flags = LW_DOC_LARGE;
    else if (rc == 0)
        return lw_document_read(&reader->documents, d, arena,
                                &r->index->languages.v[blob->language], bytes, err);
    return d->facts.flags ? 0 : rc;
}

static int read_step(void *data, size_t item, unsigned worker, struct lw_err *err)
{
    struct rounds *r = data;
    size_t from = item * STEP, end = from + STEP;
    int rc = reader_ready(r, worker, err);
    for (size_t i = from; i < end && r->first + i < r->count && rc == 0; i++) {
        r->reader_of[r->kept + i] = worker;
        rc = read_blob(r, &r->readers[worker], &r->arenas[(r->kept + from) / STEP],
                       &r->index->blobs.v[r->todo[r->first + i]], &r->documents[r->kept + i],
                       err);
    }
    return rc;
}

/* Lays the documents read so far out in a segment, and keeps it. */
static int make_segment(struct rounds *r, size_t n, struct lw_err *err)
{
    lw_index *index = r->index;
    struct lw_segment *segment;
    struct lw_container_writer w;
    struct lw_container container;
    size_t count = 0;
    struct lw_segment_input *inputs = lw_mem_alloc(index->mem, n * sizeof *inputs);
    if (!inputs)
        return lw_err_nomem(err);
    for (size_t i = 0; i < n; i++) {
        unsigned by = r->reader_of[i];
        if (r->documents[i].facts.flags & LW_DOC_ABSENT)
            index->figures.absent++;
        else
            inputs[count++] =
                (struct lw_segment_input){&r->documents[i], &r->readers[by].documents, by};
        index->figures.bytes_read += r->documents[i].bytes;
    }
    int rc = lw_segment_build(&w, index->mem, index->format, inputs, count, r->jobs, err);
    lw_mem_free(index->mem, inputs, n * sizeof *inputs);
    if (rc < 0)
        return rc;
    if (count)
        (void)lw_cache_put(&index->cache, LW_SEGMENT_KIND, &w);
    rc = lw_container_take(&container, &w, err);
    return rc < 0 ? rc : add_segment(index, &container, &segment, err);
}

static void forget(struct rounds *r, size_t n)
{
    memset(r->documents, 0, n * sizeof *r->documents);
    for (size_t i = 0; i < (n + STEP - 1) / STEP; i++)
        lw_arena_release(&r->arenas[i]);
    for (unsigned i = 0; i < r->jobs; i++) {
        if (r->readers[i].ready)
            lw_document_reader_clear(&r->readers[i].documents);
    }
}

static int read_rounds(struct rounds *r, struct lw_err *err)
{
    int rc = 0;
    size_t kept = 0; /* documents that are in no segment yet */
    uint64_t bytes = 0;
    while (r->first < r->count && rc == 0) {
        size_t n = r->count - r->first < ROUND ? r->count - r->first : ROUND;
        r->kept = kept;
        struct lw_pool pool = {.count = (n + STEP - 1) / STEP,
                               .jobs = r->jobs,
                               .cancel = r->index->ctx->cancel,
                               .data = r,
                               .work = read_step};
        rc = lw_pool_run(&pool, err);
        for (size_t i = 0; i < n; i++)
            bytes += r->documents[kept + i].bytes;
        kept += n;
        r->first += n;
        bool full = bytes > SEGMENT_BYTES || kept + ROUND > SEGMENT_BLOBS;
        if (rc == 0 && (full || r->first == r->count)) {
            rc = make_segment(r, kept, err);
            forget(r, kept);
            kept = 0;
            bytes = 0;
        }
    }
    forget(r, kept);
    return rc;
}

static int read_all(lw_index *index, const uint32_t *todo, size_t count, struct lw_err *err)
{
    struct rounds r = {.index = index, .todo = todo, .count = count};
    r.jobs = index->ctx->jobs ? index->ctx->jobs : 1;
    size_t room = count < SEGMENT_BLOBS ? count : SEGMENT_BLOBS, steps = room / STEP + 1;
    r.documents = lw_mem_alloc(index->mem, room * sizeof *r.documents);
    r.reader_of = lw_mem_alloc(index->mem, room * sizeof *r.reader_of);
    r.arenas = lw_mem_alloc(index->mem, steps * sizeof *r.arenas);
    r.readers = lw_mem_alloc(index->mem, r.jobs * sizeof *r.readers);
    int rc = 0;
    if (!r.documents || !r.reader_of || !r.arenas || !r.readers)
        rc = lw_err_nomem(err);
    for (size_t i = 0; r.arenas && i < steps; i++)
        lw_arena_init(&r.arenas[i], index->mem, 0);
    if (rc == 0)
        rc = read_rounds(&r, err);
    for (unsigned i = 0; r.readers && i < r.jobs; i++) {
        if (!r.readers[i].ready)
            continue;
        lw_document_reader_release(&r.readers[i].documents);
        lw_arena_release(&r.readers[i].blob);
        lw_git_close(r.readers[i].git);
    }
    lw_mem_free(index->mem, r.documents, room * sizeof *r.documents);
    lw_mem_free(index->mem, r.reader_of, room * sizeof *r.reader_of);
    lw_mem_free(index->mem, r.arenas, steps * sizeof *r.arenas);
    lw_mem_free(index->mem, r.readers, r.jobs * sizeof *r.readers);
    return rc;
}

/* ---- Which ------------------------------------------------------------------------------- */

static bool find_doc(const lw_index *index, struct ix_blob *blob)
{
    for (size_t i = 0; i < index->segments.n && !blob->doc.record; i++) {
        const struct lw_record *record = lw_segment_find(index->segments.v[i], &blob->id);
        if (record)
            blob->doc = (struct lw_doc){index->segments.v[i], record};
    }
    return blob->doc.record != NULL;
}

static void count_blob(lw_index *index, const struct ix_blob *blob)
{
    uint32_t flags = blob->doc.record->facts.flags;
    index->figures.large += (flags & LW_DOC_LARGE) != 0;
    index->figures.binary += (flags & LW_DOC_BINARY) != 0;
    index->figures.blobs++;
}

/* Versions of the same file one after the other: git keeps them as differences to each other,
 * and unpacking is quick while the neighbour is still in its cache. */
static int by_path(const void *a, const void *b, void *data)
{
    const lw_index *index = data;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint32_t p = index->blobs.v[x].path, q = index->blobs.v[y].path;
    return p != q ? (p > q) - (p < q) : (x > y) - (x < y);
}

int ix_read_blobs(lw_index *index, struct lw_err *err)
{
    LW_VEC(uint32_t) todo = {0};
    int rc = 0;
    for (size_t i = 0; i < index->blobs.n && rc == 0; i++) {
        struct ix_blob *blob = &index->blobs.v[i];
        if (blob->wanted && !blob->doc.record && !find_doc(index, blob) &&
            lw_vec_push(index->mem, &todo, (uint32_t)i) < 0)
            rc = lw_err_nomem(err);
    }
    if (todo.n > 1)
        qsort_r(todo.v, todo.n, sizeof *todo.v, by_path, index);
    if (rc == 0 && todo.n)
        rc = read_all(index, todo.v, todo.n, err);
    index->figures.blobs_read += todo.n;
    if (rc == 0)
        rc = make_absent(index, err);
    for (size_t i = 0; i < todo.n && rc == 0; i++) {
        struct ix_blob *blob = &index->blobs.v[todo.v[i]];
        if (!find_doc(index, blob))
            blob->doc = (struct lw_doc){index->absent, index->absent->records};
    }
    index->figures.blobs = 0;
    for (size_t i = 0; i < index->blobs.n && rc == 0; i++)
        if (index->blobs.v[i].wanted)
            count_blob(index, &index->blobs.v[i]);
    lw_vec_release(index->mem, &todo);
    return rc;
}
