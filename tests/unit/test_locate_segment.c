/* Segments: versions of a file read by one reader or each by its own, laid out at once or
 * merged, must give the same image. */
#include "check.h"

#include "locate/document.h"
#include "locate/language.h"
#include "locate/segment.h"

enum { VERSIONS = 6 };

/* What follows a chunk decides where it ends, so versions differ there too. */
static const char *const versions[VERSIONS] = {
    "import torch.nn as nn\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return "
    "nn.Linear(x)\n\n    def reset(self):\n        '''Forget # it.'''\n        pass\n",
    "import torch.nn as nn\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return "
    "nn.Linear(x)\n\n    def start(self):\n        pass\n\n    def reset(self):\n        "
    "'''Forget # it.'''\n        pass\n\ndef after(net):\n    return net\n",
    "import torch as nn\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return "
    "nn.Linear(x)\n\n    def reset(self):\n        '''Forget # it.'''\n        pass\n",
    "import torch as nn\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return "
    "nn.Linear(x)\n    def reset(self):\n        '''Forget # it.'''\n        pass",
    "",
    "try:\n    import a\nexcept ImportError:\n    a = None\nelse:\n    x = a.b . c (a)\n",
};

struct shelf {
    struct lw_languages languages;
    struct lw_stopwords stop;
    struct lw_arena arena;
    struct lw_document documents[VERSIONS];
    struct lw_document_reader readers[VERSIONS];
    unsigned reader_count;
};

/* `alone`: each version by its own reader. */
static int shelf_fill(struct shelf *s, struct lw_mem *mem, bool alone, struct lw_err *err)
{
    memset(s, 0, sizeof *s);
    lw_arena_init(&s->languages.arena, mem, 0);
    lw_map_init(&s->stop.words, mem);
    lw_arena_init(&s->arena, mem, 0);
    int rc = lw_languages_load(&s->languages, mem, err);
    if (rc == 0)
        rc = lw_stopwords_load(&s->stop, mem, err);
    s->reader_count = alone ? VERSIONS : 1;
    for (unsigned i = 0; i < s->reader_count; i++)
        lw_document_reader_init(&s->readers[i], mem, &s->stop);
    for (unsigned i = 0; i < VERSIONS && rc == 0; i++) {
        s->documents[i].id.b[0] = (uint8_t)i; /* in the order of the versions */
        rc = lw_document_read(&s->readers[alone ? i : 0], &s->documents[i], &s->arena,
                              lw_language_find(&s->languages, LW_S("python")),
                              lw_str(versions[i]), err);
    }
    return rc;
}

static void shelf_release(struct shelf *s)
{
    for (unsigned i = 0; i < s->reader_count; i++)
        lw_document_reader_release(&s->readers[i]);
    lw_arena_release(&s->arena);
    lw_languages_release(&s->languages);
    lw_stopwords_release(&s->stop);
}

/* The image of versions `first` to `end`. */
static int build(const struct shelf *s, struct lw_mem *mem, unsigned first, unsigned end,
                 struct lw_container_writer *w, struct lw_err *err)
{
    struct lw_segment_input inputs[VERSIONS];
    for (unsigned i = first; i < end; i++) {
        unsigned reader = s->reader_count == 1 ? 0 : i;
        inputs[i - first] =
            (struct lw_segment_input){&s->documents[i], &s->readers[reader], reader};
    }
    return lw_segment_build(w, mem, 1, inputs, end - first, s->reader_count, err);
}

static int segment_of(const struct shelf *s, struct lw_mem *mem, unsigned first, unsigned end,
                      struct lw_segment *segment, struct lw_err *err)
{
    struct lw_container_writer w;
    struct lw_container container;
    int rc = build(s, mem, first, end, &w, err);
    if (rc == 0)
        rc = lw_container_take(&container, &w, err);
    return rc < 0 ? rc : lw_segment_use(segment, &container, err);
}

static void one_reader_or_many_give_the_same_image(void **state)
{
    struct shelf together, alone;
    struct lw_container_writer a, b;
    struct lw_err err = {0};
    (void)state;
    assert_int_equal(shelf_fill(&together, NULL, false, &err), 0);
    assert_int_equal(shelf_fill(&alone, NULL, true, &err), 0);
    assert_int_equal(build(&together, NULL, 0, VERSIONS, &a, &err), 0);
    assert_int_equal(build(&alone, NULL, 0, VERSIONS, &b, &err), 0);
    assert_int_equal(a.buf.n, b.buf.n);
    assert_memory_equal(a.buf.p, b.buf.p, a.buf.n);
    lw_container_abandon(&a);
    lw_container_abandon(&b);
    shelf_release(&together);
    shelf_release(&alone);
}

/* Two segments that overlap in one version. */
static int merge(const struct shelf *s, struct lw_mem *mem, struct lw_container_writer *w,
                 struct lw_err *err)
{
    struct lw_segment parts[2] = {{.base = 0}, {.base = 0}};
    const struct lw_segment *all[] = {&parts[1], &parts[0]};
    int rc = segment_of(s, mem, 0, 3, &parts[0], err);
    if (rc == 0)
        rc = segment_of(s, mem, 2, VERSIONS, &parts[1], err);
    if (rc == 0)
        rc = lw_segment_merge(w, mem, 1, all, 2, err);
    lw_segment_close(&parts[0]);
    lw_segment_close(&parts[1]);
    return rc;
}

static void merged_segments_are_what_one_would_have_been(void **state)
{
    struct shelf shelf;
    struct lw_container_writer whole, merged;
    struct lw_err err = {0};
    (void)state;
    assert_int_equal(shelf_fill(&shelf, NULL, true, &err), 0);
    assert_int_equal(build(&shelf, NULL, 0, VERSIONS, &whole, &err), 0);
    assert_int_equal(merge(&shelf, NULL, &merged, &err), 0);
    assert_int_equal(whole.buf.n, merged.buf.n);
    assert_memory_equal(whole.buf.p, merged.buf.p, whole.buf.n);
    lw_container_abandon(&whole);
    lw_container_abandon(&merged);
    shelf_release(&shelf);
}

/* Versions `first` to `end` out of two segments that have all. */
static int choose(const struct shelf *s, struct lw_mem *mem, unsigned first, unsigned end,
                  struct lw_container_writer *w, struct lw_err *err)
{
    struct lw_segment parts[2] = {{.base = 0}, {.base = 0}};
    const struct lw_segment *all[] = {&parts[0], &parts[1]};
    struct lw_doc docs[VERSIONS];
    int rc = segment_of(s, mem, 0, 3, &parts[0], err);
    if (rc == 0)
        rc = segment_of(s, mem, 3, VERSIONS, &parts[1], err);
    for (unsigned i = first; i < end && rc == 0; i++)
        docs[i - first] =
            (struct lw_doc){all[i >= 3], lw_segment_find(all[i >= 3], &s->documents[i].id)};
    if (rc == 0)
        rc = lw_segment_choose(w, mem, 1, all, 2, docs, end - first, err);
    lw_segment_close(&parts[0]);
    lw_segment_close(&parts[1]);
    return rc;
}

static void chosen_documents_are_what_they_would_have_been_alone(void **state)
{
    struct shelf shelf;
    struct lw_err err = {0};
    (void)state;
    assert_int_equal(shelf_fill(&shelf, NULL, true, &err), 0);
    for (unsigned first = 0; first < VERSIONS; first++)
        for (unsigned end = first + 1; end <= VERSIONS; end++) {
            struct lw_container_writer alone, chosen;
            assert_int_equal(build(&shelf, NULL, first, end, &alone, &err), 0);
            assert_int_equal(choose(&shelf, NULL, first, end, &chosen, &err), 0);
            assert_int_equal(alone.buf.n, chosen.buf.n);
            assert_memory_equal(alone.buf.p, chosen.buf.p, alone.buf.n);
            lw_container_abandon(&alone);
            lw_container_abandon(&chosen);
        }
    shelf_release(&shelf);
}

static int choose_body(struct lw_mem *mem, void *data)
{
    struct lw_container_writer w;
    struct lw_err err = {0};
    int rc = choose(data, mem, 1, 5, &w, &err);
    if (rc == 0)
        lw_container_abandon(&w);
    return rc;
}

static int merge_body(struct lw_mem *mem, void *data)
{
    struct lw_container_writer w;
    struct lw_err err = {0};
    int rc = merge(data, mem, &w, &err);
    if (rc == 0)
        lw_container_abandon(&w);
    return rc;
}

static int fill_body(struct lw_mem *mem, void *data)
{
    struct shelf s;
    struct lw_err err = {0};
    (void)data;
    int rc = shelf_fill(&s, mem, false, &err);
    shelf_release(&s);
    return rc;
}

static void segments_without_memory(void **state)
{
    struct shelf shelf;
    struct lw_err err = {0};
    (void)state;
    check_every_allocation(fill_body, NULL);
    assert_int_equal(shelf_fill(&shelf, NULL, false, &err), 0);
    check_every_allocation(merge_body, &shelf);
    check_every_allocation(choose_body, &shelf);
    shelf_release(&shelf);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_reader_or_many_give_the_same_image),
    cmocka_unit_test(merged_segments_are_what_one_would_have_been),
    cmocka_unit_test(chosen_documents_are_what_they_would_have_been_alone),
    cmocka_unit_test(segments_without_memory),
};
CHECK_MAIN(tests)
