/*
 * Fills a catalogue with synthetic bugs through the store, for the benchmark beside it.
 *
 * usage: bench_catalog_fill FILE COUNT
 *
 * The texts are drawn from a few thousand words with the frequencies of real text (the n-th
 * word about 1/n as often as the first), so that a search can be for a rare word, a frequent
 * one, or several. Same COUNT, same catalogue.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/num.h"
#include "base/str.h"
#include "catalog/bug.h"
#include "catalog/catalog.h"
#include "knowledge/vocabulary.h"

enum { WORDS = 4000, BATCH = 5000, RARE_EVERY = 1000, MAX_CHOICES = 128 };

/* splitmix64: small, and the same everywhere. */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static size_t below(uint64_t *state, size_t n)
{
    return (size_t)(draw(state) % n);
}

struct filler {
    uint64_t state;
    struct lw_arena arena; /* of one bug */
    uint64_t steps[WORDS]; /* cumulated frequencies */
    struct lw_vocabulary words;
};

static void make_steps(struct filler *f)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < WORDS; i++)
        f->steps[i] = sum += 1000000 / (i + 3);
}

/* The words themselves: "tensor", "gradient" and so on for the most frequent, made-up ones
 * after. */
static void add_word(struct filler *f, struct lw_buf *text)
{
    static const char *const common[] = {"tensor", "gradient", "model", "loss",  "layer",
                                         "batch",  "shape",    "input", "epoch", "value"};
    static const char *const parts[] = {"ba", "co", "di", "fu", "ge", "ka", "lo", "mi",
                                        "ne", "po", "ra", "si", "tu", "ve", "wo", "zi"};
    uint64_t at = draw(&f->state) % f->steps[WORDS - 1];
    size_t low = 0, high = WORDS - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (f->steps[middle] <= at)
            low = middle + 1;
        else
            high = middle;
    }
    if (text->n)
        lw_buf_add_char(text, ' ');
    if (low < sizeof common / sizeof *common)
        lw_buf_addz(text, common[low]);
    else
        lw_buf_addf(text, "%s%s%s", parts[low % 16], parts[low / 16 % 16], parts[low / 256]);
}

static struct lw_str sentence(struct filler *f, size_t words, const char *last)
{
    struct lw_buf text;
    lw_buf_init(&text, NULL, 0);
    for (size_t i = 0; i < words; i++)
        add_word(f, &text);
    if (last)
        lw_buf_addf(&text, " %s", last);
    struct lw_str kept = lw_arena_copy(&f->arena, lw_buf_str(&text));
    lw_buf_release(&text);
    return kept;
}

/* Some word of the kind. */
static struct lw_str choose(struct filler *f, const char *kind)
{
    struct lw_str found[MAX_CHOICES];
    size_t n = 0;
    for (size_t i = 0; i < f->words.words.n && n < MAX_CHOICES; i++) {
        struct lw_str name = f->words.words.entries[i].key, k;
        lw_str_split(&name, '\n', &k);
        if (lw_str_eq(k, lw_str(kind)))
            found[n++] = name;
    }
    return found[below(&f->state, n)];
}

static void make_bug(struct filler *f, size_t number, struct lw_bug *bug)
{
    lw_arena_clear(&f->arena);
    bool rare = number % RARE_EVERY == RARE_EVERY / 2;
    *bug = (struct lw_bug){
        /* Not in the order of their numbers, as with bugs of many sources. */
        .id = lw_arena_printf(&f->arena, "syn-%05x-%zu",
                              (unsigned)(number * 2654435761u >> 12 & 0xfffff), number),
        .title = sentence(f, 7, NULL),
        .source = choose(f, "source"),
        .type = choose(f, "type"),
        .leaf = choose(f, "leaf"),
        .category = choose(f, "category"),
        .symptom = choose(f, "symptom"),
        .property = choose(f, "property"),
        .framework = choose(f, "framework"),
        .framework_version = LW_S(">=1.0"),
        .python_version = LW_S(">=3.7"),
        .modules = LW_S("torch"),
        .description = sentence(f, 40, rare ? "quicksilver" : NULL),
        .root_cause = sentence(f, 12, NULL),
        .generality = sentence(f, 20, NULL),
        .fix_pattern = choose(f, "fix_pattern"),
        .error_message = sentence(f, 8, NULL),
        .report = sentence(f, 50, NULL),
        .requirements = LW_S("torch>=1.0\n"),
        .command = LW_S("main.py"),
        .test = LW_S("test.py"),
        .expect = LW_EXPECT_EXPLICIT,
        .exception = LW_S("RuntimeError"),
        .seeds = 5,
        .seconds = 60,
        .memory_mb = 2048,
        .support_level = (int64_t)below(&f->state, 20) + 1,
    };
    bug->origin_url = lw_arena_printf(&f->arena, "https://example.org/issues/%zu", number);
}

static int fill(struct filler *f, lw_catalog *catalog, size_t count, struct lw_err *err)
{
    struct store *store = catalog->store;
    static const struct lw_file files[] = {{{"buggy/main.py", 13}, {"print(1)\n", 9}},
                                           {{"fixed/main.py", 13}, {"print(2)\n", 9}},
                                           {{"test.py", 7}, {"import main\n", 12}}};
    lw_file_vec all = {0};
    int rc = store->ops->expect_many(store, true, err);
    for (size_t i = 0; i < 3 && rc == 0; i++)
        rc = lw_vec_push(NULL, &all, files[i]);
    for (size_t i = 0; i < count && rc == 0; i++) {
        struct lw_bug bug;
        if (i % BATCH == 0)
            rc = store->ops->begin(store, err);
        make_bug(f, i, &bug);
        if (rc == 0)
            rc = store->ops->put_bug(store, &bug, &all, err);
        if (rc == 0 && (i % BATCH == BATCH - 1 || i == count - 1))
            rc = store->ops->commit(store, err);
    }
    lw_vec_release(NULL, &all);
    return rc;
}

int main(int argc, char **argv)
{
    struct lw_err err = {0};
    lw_catalog *catalog = NULL;
    static struct filler f = {.state = 1};
    uint64_t count = 0;
    if (argc != 3 || !lw_parse_u64(lw_str(argv[2]), &count)) {
        fprintf(stderr, "usage: bench_catalog_fill FILE COUNT\n");
        return 2;
    }
    lw_arena_init(&f.arena, NULL, 0);
    make_steps(&f);
    int rc = lw_vocabulary_load(&f.words, NULL, &err);
    if (rc == 0)
        rc = lw_catalog_open(&catalog, argv[1], &err);
    if (rc == 0)
        rc = fill(&f, catalog, (size_t)count, &err);
    if (rc < 0)
        fprintf(stderr, "bench_catalog_fill: %s\n", err.text);
    lw_catalog_close(catalog);
    lw_vocabulary_release(&f.words);
    lw_arena_release(&f.arena);
    return rc < 0 ? 1 : 0;
}
