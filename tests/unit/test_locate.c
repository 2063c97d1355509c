#include "check.h"

#include <unistd.h>

#include "base/file.h"
#include "locate/container.h"
#include "locate/dataset.h"
#include "locate/document.h"
#include "locate/evaluate.h"
#include "locate/language.h"
#include "locate/resolve.h"
#include "locate/stem.h"

/* ---- Stems: the examples of Porter's paper ------------------------------------------------
 */

static void stems_are_those_of_the_paper(void **state)
{
    static const char *const pairs[][2] = {
        {"caresses", "caress"},
        {"ponies", "poni"},
        {"ties", "ti"},
        {"caress", "caress"},
        {"cats", "cat"},
        {"feed", "feed"},
        {"agreed", "agre"},
        {"plastered", "plaster"},
        {"bled", "bled"},
        {"motoring", "motor"},
        {"sing", "sing"},
        {"conflated", "conflat"},
        {"troubled", "troubl"},
        {"sized", "size"},
        {"hopping", "hop"},
        {"tanned", "tan"},
        {"falling", "fall"},
        {"hissing", "hiss"},
        {"fizzed", "fizz"},
        {"failing", "fail"},
        {"filing", "file"},
        {"happy", "happi"},
        {"sky", "sky"},
        {"relational", "relat"},
        {"conditional", "condit"},
        {"rational", "ration"},
        {"valenci", "valenc"},
        {"hesitanci", "hesit"},
        {"digitizer", "digit"},
        {"conformabli", "conform"},
        {"radicalli", "radic"},
        {"differentli", "differ"},
        {"vileli", "vile"},
        {"analogousli", "analog"},
        {"vietnamization", "vietnam"},
        {"predication", "predic"},
        {"operator", "oper"},
        {"feudalism", "feudal"},
        {"decisiveness", "decis"},
        {"hopefulness", "hope"},
        {"callousness", "callous"},
        {"formaliti", "formal"},
        {"sensitiviti", "sensit"},
        {"sensibiliti", "sensibl"},
        {"triplicate", "triplic"},
        {"formative", "form"},
        {"formalize", "formal"},
        {"electriciti", "electr"},
        {"electrical", "electr"},
        {"hopeful", "hope"},
        {"goodness", "good"},
        {"revival", "reviv"},
        {"allowance", "allow"},
        {"inference", "infer"},
        {"airliner", "airlin"},
        {"gyroscopic", "gyroscop"},
        {"adjustable", "adjust"},
        {"defensible", "defens"},
        {"irritant", "irrit"},
        {"replacement", "replac"},
        {"adjustment", "adjust"},
        {"dependent", "depend"},
        {"adoption", "adopt"},
        {"homologou", "homolog"},
        {"communism", "commun"},
        {"activate", "activ"},
        {"angulariti", "angular"},
        {"homologous", "homolog"},
        {"effective", "effect"},
        {"bowdlerize", "bowdler"},
        {"probate", "probat"},
        {"rate", "rate"},
        {"cease", "ceas"},
        {"controll", "control"},
        {"roll", "roll"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char word[64];
        size_t n = strlen(pairs[i][0]);
        memcpy(word, pairs[i][0], n);
        assert_str(lw_str_n(word, lw_stem(word, n)), pairs[i][1]);
    }
}

/* ---- Terms --------------------------------------------------------------------------------
 */

struct terms {
    struct lw_stopwords stop;
    struct lw_words words;
    lw_counts counts;
    uint64_t length;
};

static void terms_of(struct terms *t, const char *text)
{
    struct lw_err err = {0};
    memset(t, 0, sizeof *t);
    assert_int_equal(lw_stopwords_load(&t->stop, NULL, &err), 0);
    lw_words_init(&t->words, NULL, &t->stop);
    lw_words_add_text(&t->words, lw_str(text));
    assert_int_equal(lw_words_take(&t->words, NULL, &t->counts, &t->length), 0);
}

static void terms_release(struct terms *t)
{
    lw_vec_release(NULL, &t->counts);
    lw_words_release(&t->words);
    lw_stopwords_release(&t->stop);
}

static void assert_term(const struct terms *t, size_t i, const char *text, uint32_t count)
{
    assert_true(i < t->counts.n);
    assert_str(lw_words_term(&t->words, t->counts.v[i].term), text);
    assert_int_equal(t->counts.v[i].count, count);
}

static void identifiers_are_split_and_kept_whole(void **state)
{
    struct terms t;
    (void)state;
    terms_of(&t, "getHTTPResponse _batch_norm_ conv2d conv2d self the A");
    assert_int_equal(t.counts.n, 8);
    assert_term(&t, 0, "http", 1); /* get is a stop word */
    assert_term(&t, 1, "respons", 1);
    assert_term(&t, 2, "=gethttpresponse", 1);
    assert_term(&t, 3, "batch", 1);
    assert_term(&t, 4, "norm", 1);
    assert_term(&t, 5, "=batch_norm", 1);
    assert_term(&t, 6, "conv", 2);
    assert_term(&t, 7, "=conv2d", 2);
    assert_int_equal(t.length, 10);
    terms_release(&t);
}

/* ---- Containers ---------------------------------------------------------------------------
 */

enum { KIND = 0x74736574, FORMAT = 7 };

static int make_image(struct lw_container_writer *w, struct lw_mem *mem)
{
    struct lw_err err = {0};
    static const uint32_t numbers[] = {1, 2, 3};
    lw_container_begin(w, mem, KIND, FORMAT);
    lw_container_add(w, numbers, sizeof numbers);
    lw_container_add(w, NULL, 0);
    lw_container_add(w, "abc", 3);
    int rc = lw_container_finish(w, &err);
    if (rc < 0)
        lw_container_abandon(w);
    return rc;
}

struct file {
    struct lw_buf folder;
    char path[512];
};

static void write_image(struct file *f, struct lw_str image)
{
    struct lw_err err = {0};
    lw_buf_init(&f->folder, NULL, 0);
    assert_int_equal(lw_temp_dir(&f->folder, &err), 0);
    snprintf(f->path, sizeof f->path, "%s/x", lw_buf_z(&f->folder));
    assert_int_equal(lw_file_write(f->path, image, 0600, &err), 0);
}

static void remove_image(struct file *f)
{
    struct lw_err err = {0};
    assert_int_equal(lw_dir_remove(lw_buf_z(&f->folder), &err), 0);
    lw_buf_release(&f->folder);
}

static void a_container_comes_back_as_it_was(void **state)
{
    struct lw_container_writer w;
    struct lw_container c;
    struct lw_err err = {0};
    struct file f;
    size_t n;
    (void)state;
    assert_int_equal(make_image(&w, NULL), 0);
    write_image(&f, lw_buf_str(&w.buf));
    assert_int_equal(lw_container_open(&c, f.path, KIND, FORMAT, &err), 0);
    const uint32_t *numbers = lw_container_array(&c, 0, sizeof *numbers, &n);
    assert_int_equal(n, 3);
    assert_int_equal(numbers[2], 3);
    assert_int_equal(lw_container_section(&c, 1).n, 0);
    assert_str(lw_container_section(&c, 2), "abc");
    assert_int_equal(lw_container_section(&c, 3).n, 0);
    lw_container_close(&c);
    assert_int_equal(lw_container_open(&c, f.path, KIND + 1, FORMAT, &err), LW_ECORRUPT);
    assert_int_equal(lw_container_open(&c, f.path, KIND, FORMAT + 1, &err), LW_ECORRUPT);
    remove_image(&f);
    assert_int_equal(lw_container_open(&c, f.path, KIND, FORMAT, &err), LW_ENOENT);
    lw_container_abandon(&w);
}

/* Every byte changed, every shorter length: never opened. */
static void a_damaged_container_is_not_opened(void **state)
{
    struct lw_container_writer w;
    struct lw_container c;
    struct lw_err err = {0};
    (void)state;
    assert_int_equal(make_image(&w, NULL), 0);
    for (size_t i = 0; i < w.buf.n; i += 7) {
        struct file f;
        w.buf.p[i] = (char)(w.buf.p[i] ^ 0x10);
        write_image(&f, lw_buf_str(&w.buf));
        assert_int_equal(lw_container_open(&c, f.path, KIND, FORMAT, &err), LW_ECORRUPT);
        remove_image(&f);
        w.buf.p[i] = (char)(w.buf.p[i] ^ 0x10);
        write_image(&f, lw_str_part(lw_buf_str(&w.buf), 0, i));
        assert_int_equal(lw_container_open(&c, f.path, KIND, FORMAT, &err), LW_ECORRUPT);
        remove_image(&f);
    }
    lw_container_abandon(&w);
}

/* What is damaged in a lazy section is told by its block, and by no other; all else is told on
 * opening. */
static void lazy_sections_are_checked_by_block(void **state)
{
    enum { N = 3 * LW_CONTAINER_BLOCK - 24 };
    struct lw_container_writer w;
    struct lw_container c;
    struct lw_err err = {0};
    static char bytes[N];
    (void)state;
    memset(bytes, 'x', sizeof bytes);
    lw_container_begin(&w, NULL, KIND, FORMAT);
    lw_container_add(&w, "abc", 3);
    lw_container_be_lazy(&w);
    lw_container_add(&w, bytes, N);
    lw_container_add(&w, "end", 3);
    assert_int_equal(lw_container_finish(&w, &err), 0);
    size_t lazy = (size_t)w.lazy, end = lazy + N + 8;
    for (size_t i = 0; i < w.buf.n; i += 61) {
        struct file f;
        w.buf.p[i] = (char)(w.buf.p[i] ^ 0x10);
        write_image(&f, lw_buf_str(&w.buf));
        w.buf.p[i] = (char)(w.buf.p[i] ^ 0x10);
        int rc = lw_container_open(&c, f.path, KIND, FORMAT, &err);
        assert_int_equal(rc, i >= lazy && i < end ? 0 : LW_ECORRUPT);
        if (rc == 0) {
            assert_int_equal(lw_container_blocks(&c), 3);
            assert_int_equal(lw_container_block_of(&c, c.p + i),
                             (i - lazy) / LW_CONTAINER_BLOCK);
            for (size_t b = 0; b < 3; b++)
                assert_int_equal(lw_container_block(&c, b),
                                 b != (i - lazy) / LW_CONTAINER_BLOCK);
            assert_int_equal(lw_container_section(&c, 2).n, 3);
            lw_container_close(&c);
        }
        remove_image(&f);
    }
    lw_container_abandon(&w);
}

static int container_body(struct lw_mem *mem, void *data)
{
    struct lw_container_writer w;
    (void)data;
    int rc = make_image(&w, mem);
    if (rc == 0)
        lw_container_abandon(&w);
    return rc;
}

static void container_without_memory(void **state)
{
    (void)state;
    check_every_allocation(container_body, NULL);
}

/* ---- Documents ----------------------------------------------------------------------------
 */

static const char program[] = "import torch.nn as nn\n"
                              "from . import helper\n"
                              "class Net(nn.Module):\n"
                              "    \"\"\"A small network.\"\"\"\n"
                              "    def forward(self, inputs):\n"
                              "        # flatten everything\n"
                              "        return nn.Linear(4, inputs, name='first layer')\n";

static int read_program(struct lw_mem *mem, struct lw_document *d, struct lw_arena *arena,
                        struct lw_document_reader *r, const char *language, struct lw_str text,
                        struct lw_languages *languages, struct lw_stopwords *stop)
{
    struct lw_err err = {0};
    memset(stop, 0, sizeof *stop);
    lw_map_init(&stop->words, mem);
    int rc = lw_languages_load(languages, mem, &err);
    if (rc == 0)
        rc = lw_stopwords_load(stop, mem, &err);
    lw_document_reader_init(r, mem, stop);
    lw_arena_init(arena, mem, 0);
    memset(d, 0, sizeof *d);
    if (rc == 0)
        rc = lw_document_read(r, d, arena, lw_language_find(languages, lw_str(language)), text,
                              &err);
    return rc;
}

struct reading {
    struct lw_document d;
    struct lw_arena arena;
    struct lw_document_reader r;
    struct lw_languages languages;
    struct lw_stopwords stop;
};

static void reading_release(struct reading *g, struct lw_mem *mem)
{
    (void)mem;
    lw_document_reader_release(&g->r);
    lw_arena_release(&g->arena);
    lw_languages_release(&g->languages);
    lw_stopwords_release(&g->stop);
}

static int reading_start(struct reading *g, struct lw_mem *mem, const char *language,
                         struct lw_str text)
{
    return read_program(mem, &g->d, &g->arena, &g->r, language, text, &g->languages, &g->stop);
}

static bool has_term(const struct reading *g, enum lw_field field, const char *term)
{
    const struct lw_facts *f = &g->d.facts;
    for (size_t i = 0; i < f->fields[field].n; i++)
        if (lw_str_eq(lw_words_term(&g->r.chunk.words, f->fields[field].v[i].term),
                      lw_str(term)))
            return true;
    return false;
}

static void a_python_file_becomes_a_document(void **state)
{
    struct reading g;
    (void)state;
    assert_int_equal(reading_start(&g, NULL, "python", lw_str(program)), 0);
    assert_int_equal(g.d.facts.flags, 0);
    assert_int_equal(g.d.facts.lines, 7);
    assert_int_equal(g.d.facts.defs.n, 2);
    assert_str(lw_document_text(&g.r, g.d.facts.defs.v[0].name), "Net");
    assert_int_equal(g.d.facts.defs.v[0].kind, LW_DEF_CLASS);
    assert_int_equal(g.d.facts.defs.v[0].first, 3);
    assert_int_equal(g.d.facts.defs.v[0].last, 7);
    assert_str(lw_document_text(&g.r, g.d.facts.defs.v[1].name), "forward");
    assert_int_equal(g.d.facts.defs.v[1].parent, 0);
    assert_int_equal(g.d.facts.defs.v[1].params, 2);
    assert_str(lw_document_text(&g.r, g.d.facts.params.v[g.d.facts.defs.v[1].param + 1]),
               "inputs");
    assert_int_equal(g.d.facts.imports.n, 2);
    assert_str(lw_document_text(&g.r, g.d.facts.imports.v[0].module), "torch.nn");
    assert_int_equal(g.d.facts.imports.v[1].level, 1);
    assert_str(lw_document_text(&g.r, g.d.facts.imports.v[1].name), "helper");
    assert_true(has_term(&g, LW_FIELD_CLASS, "net"));
    assert_false(has_term(&g, LW_FIELD_CLASS, "forward"));
    assert_true(has_term(&g, LW_FIELD_FUNCTION, "forward"));
    assert_true(has_term(&g, LW_FIELD_NAME, "linear"));
    assert_true(has_term(&g, LW_FIELD_COMMENT, "flatten"));
    assert_true(has_term(&g, LW_FIELD_COMMENT, "network"));
    assert_false(has_term(&g, LW_FIELD_COMMENT, "layer"));
    assert_true(has_term(&g, LW_FIELD_STRING, "layer"));
    assert_true(has_term(&g, LW_FIELD_API, "torch"));
    assert_int_equal(g.d.facts.strings.n, 1);
    assert_str(lw_document_text(&g.r, g.d.facts.strings.v[0]), "first layer");
    reading_release(&g, NULL);
}

static int document_body(struct lw_mem *mem, void *data)
{
    struct reading g;
    (void)data;
    int rc = reading_start(&g, mem, "python", lw_str(program));
    reading_release(&g, mem);
    return rc;
}

static void a_document_without_memory(void **state)
{
    (void)state;
    check_every_allocation(document_body, NULL);
}

static void binary_and_large_files_are_marked(void **state)
{
    struct reading g;
    static char large[LW_DOC_MAX + 1];
    (void)state;
    assert_int_equal(reading_start(&g, NULL, "python", lw_str_n("a\0b", 3)), 0);
    assert_int_equal(g.d.facts.flags, LW_DOC_BINARY);
    reading_release(&g, NULL);
    memset(large, 'x', sizeof large);
    assert_int_equal(reading_start(&g, NULL, "python", lw_str_n(large, sizeof large)), 0);
    assert_int_equal(g.d.facts.flags, LW_DOC_LARGE);
    assert_int_equal(g.d.facts.fields[LW_FIELD_TEXT].n, 0);
    reading_release(&g, NULL);
}

static void other_languages_are_scanned(void **state)
{
    static const char java[] = "package a;\nimport java.util.List;\n"
                               "/* A shape of the canvas. */\n"
                               "public class Shape extends Base {\n"
                               "    // widest edge\n"
                               "    int computeWidth(List<Integer> edges) throws Error {\n"
                               "        if (edges.isEmpty()) { return 0; }\n"
                               "        return helper.call(\"wide { text\");\n    }\n"
                               "    abstract void draw();\n}\n";
    struct reading g;
    (void)state;
    assert_int_equal(reading_start(&g, NULL, "java", lw_str(java)), 0);
    assert_int_equal(g.d.facts.defs.n, 2);
    assert_str(lw_document_text(&g.r, g.d.facts.defs.v[0].name), "Shape");
    assert_int_equal(g.d.facts.defs.v[0].kind, LW_DEF_CLASS);
    assert_int_equal(g.d.facts.defs.v[0].first, 4);
    assert_int_equal(g.d.facts.defs.v[0].last, 11);
    assert_str(lw_document_text(&g.r, g.d.facts.defs.v[1].name), "computeWidth");
    assert_int_equal(g.d.facts.defs.v[1].kind, LW_DEF_FUNCTION);
    assert_int_equal(g.d.facts.defs.v[1].parent, 0);
    assert_int_equal(g.d.facts.defs.v[1].first, 6);
    assert_int_equal(g.d.facts.defs.v[1].last, 9);
    assert_int_equal(g.d.facts.imports.n, 1);
    assert_str(lw_document_text(&g.r, g.d.facts.imports.v[0].module), "java.util.List");
    assert_true(has_term(&g, LW_FIELD_COMMENT, "canva"));
    assert_true(has_term(&g, LW_FIELD_COMMENT, "edg"));
    assert_true(has_term(&g, LW_FIELD_STRING, "wide"));
    assert_true(has_term(&g, LW_FIELD_NAME, "helper"));
    assert_false(has_term(&g, LW_FIELD_NAME, "public"));
    reading_release(&g, NULL);
}

/* ---- Reports ------------------------------------------------------------------------------
 */

static void dates_are_read(void **state)
{
    static const struct {
        const char *text;
        int64_t seconds;
    } good[] = {{"1970-01-01T00:00:00Z", 0},
                {"2017-09-11T22:05:47Z", 1505167547},
                {"2017-09-12T00:05:47+02:00", 1505167547},
                {"2017-09-11 22:05:47", 1505167547},
                {"2017-09-11T22:05:47.123Z", 1505167547},
                {"2000-02-29", 951782400},
                {"1969-12-31T23:59:59Z", -1}};
    static const char *const bad[] = {"", "yesterday", "2017-13-01", "2017-01-01T1",
                                      "2017/01/01"};
    int64_t seconds;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(lw_parse_time(lw_str(good[i].text), &seconds));
        assert_int_equal(seconds, good[i].seconds);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(lw_parse_time(lw_str(bad[i]), &seconds));
}

static void markup_becomes_plain_text(void **state)
{
    struct lw_arena arena;
    (void)state;
    lw_arena_init(&arena, NULL, 0);
    assert_str(lw_plain_text(&arena, LW_S("a&amp;quot;b &lt;c&gt; &#65;&#x42; &nothing; &")),
               "a\"b <c> AB &nothing; &");
    assert_str(
        lw_plain_text(&arena, LW_S("see <denchmark-link:http://x>x.py</denchmark-link> <b>")),
        "see  x.py  <b>");
    assert_str(lw_plain_text(&arena, LW_S("<denchmark-never closed")),
               "<denchmark-never closed");
    lw_arena_release(&arena);
}

static void reports_are_text_or_json(void **state)
{
    struct lw_arena arena;
    struct lw_ticket t;
    struct lw_err err = {0};
    (void)state;
    lw_arena_init(&arena, NULL, 0);
    assert_int_equal(lw_ticket_parse(&t, &arena, LW_S("r"),
                                     LW_S("# Loss is nan\n\nafter two steps\n"), &err),
                     0);
    assert_str(t.summary, "Loss is nan");
    assert_str(t.description, "after two steps");
    assert_true(t.open_date == INT64_MAX);
    assert_int_equal(lw_ticket_parse(&t, &arena, LW_S("r"),
                                     LW_S("{\"summary\": \"S\", \"description\": \"D\", "
                                          "\"open_date\": \"1970-01-02\"}"),
                                     &err),
                     0);
    assert_str(t.summary, "S");
    assert_int_equal(t.open_date, 86400);
    assert_int_equal(lw_ticket_parse(&t, &arena, LW_S("r"), LW_S(" \n "), &err), LW_EINVAL);
    assert_int_equal(lw_ticket_parse(&t, &arena, LW_S("r"), LW_S("{}"), &err), LW_EINVAL);
    lw_arena_release(&arena);
}

/* ---- Paths --------------------------------------------------------------------------------
 */

static void paths_of_traces_are_found_in_the_tree(void **state)
{
    static const struct lw_file files[] = {{.path = LW_S("pkg/core/trainer.py")},
                                           {.path = LW_S("pkg/nn/trainer.py")},
                                           {.path = LW_S("pkg/nn/unique.py")},
                                           {.path = LW_S("setup.py")}};
    struct lw_files tree = {.v = files, .n = 4};
    (void)state;
    assert_int_equal(lw_resolve_path(&tree, LW_S("/usr/lib/site-packages/pkg/core/trainer.py")),
                     0);
    assert_int_equal(lw_resolve_path(&tree, LW_S("C:\\x\\pkg\\nn\\trainer.py")), 1);
    assert_int_equal(lw_resolve_path(&tree, LW_S("nn/trainer.py")), 1);
    assert_int_equal(lw_resolve_path(&tree, LW_S("unique.py")), 2);
    assert_true(lw_resolve_path(&tree, LW_S("trainer.py")) == SIZE_MAX);
    assert_true(lw_resolve_path(&tree, LW_S("other/unique.py")) == SIZE_MAX);
    assert_int_equal(lw_resolve_path(&tree, LW_S("/home/me/setup.py")), 3);
    assert_true(lw_resolve_path(&tree, LW_S("mytrainer.py")) == SIZE_MAX);
}

static void tests_are_no_candidates(void **state)
{
    (void)state;
    assert_true(lw_path_is_test(LW_S("tests/a.py")));
    assert_true(lw_path_is_test(LW_S("pkg/MyTest.py")));
    assert_false(lw_path_is_test(LW_S("pkg/model.py")));
    assert_false(lw_path_is_test(LW_S("tes/t.py")));
}

static void ranks_go_by_score_then_place(void **state)
{
    static const double scores[] = {1, 3, 2, 3};
    uint32_t order[4];
    (void)state;
    lw_rank(scores, 4, order);
    assert_int_equal(order[0], 1);
    assert_int_equal(order[1], 3);
    assert_int_equal(order[2], 2);
    assert_int_equal(order[3], 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(stems_are_those_of_the_paper),
    cmocka_unit_test(identifiers_are_split_and_kept_whole),
    cmocka_unit_test(a_container_comes_back_as_it_was),
    cmocka_unit_test(a_damaged_container_is_not_opened),
    cmocka_unit_test(lazy_sections_are_checked_by_block),
    cmocka_unit_test(container_without_memory),
    cmocka_unit_test(a_python_file_becomes_a_document),
    cmocka_unit_test(a_document_without_memory),
    cmocka_unit_test(binary_and_large_files_are_marked),
    cmocka_unit_test(other_languages_are_scanned),
    cmocka_unit_test(dates_are_read),
    cmocka_unit_test(markup_becomes_plain_text),
    cmocka_unit_test(reports_are_text_or_json),
    cmocka_unit_test(paths_of_traces_are_found_in_the_tree),
    cmocka_unit_test(tests_are_no_candidates),
    cmocka_unit_test(ranks_go_by_score_then_place),
};
CHECK_MAIN(tests)
