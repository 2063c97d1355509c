/* store: bugs, files and verdicts in SQLite; queries; and a catalogue around it. */
#include "check.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "catalog/catalog.h"
#include "catalog/select.h"
#include "catalog/store.h"
#include "knowledge/embedded.h"

struct place {
    struct lw_ctx ctx;
    struct lw_err err;
    char folder[64], path[96];
    struct store *store;
};

static int set_up(void **state)
{
    static struct place p;
    memset(&p, 0, sizeof p);
    p.ctx.clock = lw_clock_system();
    p.ctx.jobs = 1;
    snprintf(p.folder, sizeof p.folder, "/tmp/lw-store-XXXXXX");
    *state = &p;
    if (!mkdtemp(p.folder))
        return -1;
    snprintf(p.path, sizeof p.path, "%s/catalog.db", p.folder);
    return 0;
}

static int set_up_store(void **state)
{
    if (set_up(state) < 0)
        return -1;
    struct place *p = *state;
    return sqlite_store_open(&p->store, &p->ctx, ":memory:", &p->err);
}

static int tear_down(void **state)
{
    struct place *p = *state;
    if (p->store)
        p->store->ops->close(p->store);
    p->store = NULL;
    return lw_dir_remove(p->folder, &p->err);
}

static struct lw_bug make_bug(const char *id, const char *title, const char *category)
{
    return (struct lw_bug){
        .id = lw_str(id),
        .title = lw_str(title),
        .source = LW_S("submission"),
        .type = LW_S("api"),
        .category = lw_str(category),
        .symptom = LW_S("crash"),
        .framework = LW_S("numpy"),
        .modules = LW_S("numpy"),
        .description = LW_S("the description"),
        .expect = LW_EXPECT_METRIC,
        .range = {{.low = 0, .high = 1}, {.is_nan = true}},
        .buggy_commit = LW_S("b0"),
        .fixed_commit = LW_S("f1"),
        .seeds = 3,
        .seconds = 4,
        .memory_mb = 5,
        .support_level = 6,
    };
}

static void put(struct place *p, struct lw_bug bug)
{
    static const struct lw_file contents[] = {{{"test.py", 7}, {"b", 1}},
                                              {{"buggy/x", 7}, {"a\0c", 3}}};
    lw_file_vec files = {0};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(lw_vec_push(NULL, &files, contents[i]), 0);
    assert_int_equal(p->store->ops->begin(p->store, &p->err), 0);
    assert_int_equal(p->store->ops->put_bug(p->store, &bug, &files, &p->err), 0);
    assert_int_equal(p->store->ops->commit(p->store, &p->err), 0);
    lw_vec_release(NULL, &files);
}

static int join_id(void *data, const struct lw_bug *bug)
{
    return lw_buf_addf(data, "%.*s ", LW_F(bug->id));
}

/* The ids of a query, and that its count agrees. */
static void finds(struct place *p, struct lw_query q, const char *ids)
{
    struct lw_buf found;
    uint64_t count = 0, spaces = 0;
    lw_buf_init(&found, NULL, 0);
    assert_int_equal(p->store->ops->list(p->store, &q, join_id, &found, &p->err), 0);
    if (!lw_str_eq(lw_buf_str(&found), lw_str(ids)))
        fail_msg("found '%s' instead of '%s'", lw_buf_z(&found), ids);
    for (const char *c = ids; *c; c++)
        spaces += *c == ' ';
    if (q.limit == 0 && q.offset == 0) {
        assert_int_equal(p->store->ops->count(p->store, &q, &count, &p->err), 0);
        assert_int_equal(count, spaces);
    }
    lw_buf_release(&found);
}

static void fill_four(struct place *p)
{
    put(p, make_bug("d", "Red apple tree", "shape"));
    put(p, make_bug("b", "Green apple", "type"));
    put(p, make_bug("a", "Yellow pear", "shape"));
    put(p, make_bug("c", "Red pear on a tree", "type"));
}

static void queries_filter_sort_and_page(void **state)
{
    struct place *p = *state;
    fill_four(p);
    finds(p, (struct lw_query){0}, "a b c d ");
    finds(p, (struct lw_query){.category = LW_S("shape")}, "a d ");
    finds(p, (struct lw_query){.category = LW_S("shape"), .type = LW_S("data")}, "");
    finds(p, (struct lw_query){.framework = LW_S("numpy"), .symptom = LW_S("crash")},
          "a b c d ");
    finds(p, (struct lw_query){.tool = LW_S("none")}, "");
    finds(p, (struct lw_query){.sort = LW_S("-id")}, "d c b a ");
    finds(p, (struct lw_query){.sort = LW_S("title")}, "b d c a ");
    finds(p, (struct lw_query){.sort = LW_S("-category")}, "c b d a ");
    finds(p, (struct lw_query){.sort = LW_S("modules")}, "a b c d ");
    finds(p, (struct lw_query){.sort = LW_S("support_level")}, "a b c d ");
    finds(p, (struct lw_query){.limit = 2}, "a b ");
    finds(p, (struct lw_query){.limit = 2, .offset = 1}, "b c ");
    finds(p, (struct lw_query){.offset = 3}, "d ");
    finds(p, (struct lw_query){.offset = 9}, "");
}

static void words_are_searched(void **state)
{
    struct place *p = *state;
    fill_four(p);
    /* in the order they came, unless a sort is asked for */
    finds(p, (struct lw_query){.text = LW_S("red")}, "d c ");
    finds(p, (struct lw_query){.text = LW_S("red"), .sort = LW_S("id")}, "c d ");
    finds(p, (struct lw_query){.text = LW_S("RED Trees")}, "d c ");
    finds(p, (struct lw_query){.text = LW_S("red"), .category = LW_S("type")}, "c ");
    finds(p, (struct lw_query){.text = LW_S("pear"), .limit = 1, .offset = 1}, "c ");
    finds(p, (struct lw_query){.text = LW_S("red pear"), .sort = LW_S("relevance")}, "c ");
    finds(p, (struct lw_query){.text = LW_S("nothing of that")}, "");
    /* nothing in the words is an operator */
    finds(p, (struct lw_query){.text = LW_S("red OR green")}, "");
    finds(p, (struct lw_query){.text = LW_S("title:red")}, "");
    finds(p, (struct lw_query){.text = LW_S("\"red")}, "d c ");
    finds(p, (struct lw_query){.text = LW_S("re*")}, "");
    finds(p, (struct lw_query){.text = LW_S("(red AND")}, "");
    finds(p, (struct lw_query){.text = LW_S("red' OR '1'='1")}, "");
    finds(p, (struct lw_query){.text = LW_S("   ")}, "a b c d ");
    finds(p, (struct lw_query){.text = LW_S("-red")}, "d c ");
}

static bool accept_some(void *data, const struct lw_bug *bug)
{
    return memchr(data, bug->id.p[0], strlen(data)) != NULL;
}

static void a_filter_of_the_callers_pages_too(void **state)
{
    struct place *p = *state;
    fill_four(p);
    struct lw_query q = {.accept = accept_some, .accept_data = (char[]){"acd"}};
    finds(p, q, "a c d ");
    q.limit = 1;
    q.offset = 1;
    finds(p, q, "c ");
    q.limit = 0;
    finds(p, q, "c d ");
    uint64_t count;
    q = (struct lw_query){.accept = accept_some, .accept_data = (char[]){"acd"}, .limit = 2};
    assert_int_equal(p->store->ops->count(p->store, &q, &count, &p->err), 0);
    assert_int_equal(count, 2); /* counting stops at the limit */
    q = (struct lw_query){.limit = 3};
    assert_int_equal(p->store->ops->count(p->store, &q, &count, &p->err), 0);
    assert_int_equal(count, 3);
}

static int stop(void *data, const struct lw_bug *bug)
{
    (void)bug;
    return ++*(int *)data == 2 ? 77 : 0;
}

static void the_caller_may_stop_a_listing(void **state)
{
    struct place *p = *state;
    fill_four(p);
    int calls = 0;
    struct lw_query q = {0};
    assert_int_equal(p->store->ops->list(p->store, &q, stop, &calls, &p->err), 77);
    assert_int_equal(calls, 2);
    finds(p, q, "a b c d "); /* and begin again */
}

static void a_wrong_sort_is_refused(void **state)
{
    struct place *p = *state;
    static const char *const wrong[] = {"shoe", "-",        "description", "id; DROP TABLE bug",
                                        "--id", "relevance"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct lw_query q = {.sort = lw_str(wrong[i])};
        assert_int_equal(p->store->ops->list(p->store, &q, join_id, NULL, &p->err), LW_EINVAL);
        assert_non_null(strstr(p->err.text, "cannot sort by '"));
    }
}

static void a_bug_comes_back_as_it_went_in(void **state)
{
    struct place *p = *state;
    struct lw_arena arena;
    struct lw_bug bug;
    lw_arena_init(&arena, NULL, 0);
    put(p, make_bug("x", "T\x1b\xc3\xa9\n", "shape"));
    assert_int_equal(p->store->ops->find(p->store, LW_S("x"), &arena, &bug, &p->err), 0);
    assert_str(bug.title, "T\x1b\xc3\xa9\n");
    assert_str(bug.description, "the description");
    assert_str(bug.buggy_commit, "b0");
    assert_str(bug.fixed_commit, "f1");
    assert_int_equal(bug.expect, LW_EXPECT_METRIC);
    assert_true(bug.range[0].low == 0 && bug.range[0].high == 1 && !bug.range[0].is_nan);
    assert_true(bug.range[1].is_nan);
    assert_int_equal(bug.seeds, 3);
    assert_int_equal(bug.seconds, 4);
    assert_int_equal(bug.memory_mb, 5);
    assert_int_equal(bug.support_level, 6);
    assert_int_equal(p->store->ops->find(p->store, LW_S("y"), &arena, &bug, &p->err),
                     LW_ENOENT);
    lw_arena_release(&arena);
}

static int join_file(void *data, struct lw_str path, struct lw_str content, struct lw_err *err)
{
    (void)err;
    return lw_buf_addf(data, "%.*s=%zu ", LW_F(path), content.n);
}

static void putting_again_replaces(void **state)
{
    struct place *p = *state;
    struct lw_buf files;
    put(p, make_bug("x", "old words", "shape"));
    put(p, make_bug("x", "new words", "type"));
    finds(p, (struct lw_query){0}, "x ");
    finds(p, (struct lw_query){.category = LW_S("shape")}, "");
    finds(p, (struct lw_query){.text = LW_S("old")}, "");
    finds(p, (struct lw_query){.text = LW_S("new")}, "x ");
    lw_buf_init(&files, NULL, 0);
    assert_int_equal(p->store->ops->files(p->store, LW_S("x"), join_file, &files, &p->err), 0);
    assert_str(lw_buf_str(&files), "buggy/x=3 test.py=1 ");
    lw_buf_release(&files);
}

static void a_retracted_bug_is_found_but_not_listed(void **state)
{
    struct place *p = *state;
    struct lw_arena arena;
    struct lw_bug bug;
    struct store *s = p->store;
    lw_arena_init(&arena, NULL, 0);
    fill_four(p);
    for (int twice = 0; twice < 2; twice++)
        assert_int_equal(s->ops->retract(s, LW_S("c"), LW_S("a mistake"), &p->err), 0);
    finds(p, (struct lw_query){0}, "a b d ");
    finds(p, (struct lw_query){.text = LW_S("red")}, "d ");
    finds(p, (struct lw_query){.text = LW_S("red"), .category = LW_S("type")}, "");
    assert_int_equal(s->ops->find(s, LW_S("c"), &arena, &bug, &p->err), 0);
    assert_str(bug.retracted, "a mistake");
    put(p, bug); /* still retracted, still out of the index */
    finds(p, (struct lw_query){.text = LW_S("red")}, "d ");
    assert_int_equal(s->ops->retract(s, LW_S("c"), LW_S(""), &p->err), 0);
    finds(p, (struct lw_query){.text = LW_S("red")}, "d c ");
    assert_int_equal(s->ops->retract(s, LW_S("zzz"), LW_S("x"), &p->err), LW_ENOENT);
    lw_arena_release(&arena);
}

static int join_pair(void *data, struct lw_str value, uint64_t count)
{
    return lw_buf_addf(data, "%.*s:%llu ", LW_F(value), (unsigned long long)count);
}

static void facets_count_living_bugs(void **state)
{
    struct place *p = *state;
    struct lw_buf got;
    fill_four(p);
    put(p, make_bug("e", "t", "type"));
    assert_int_equal(p->store->ops->retract(p->store, LW_S("a"), LW_S("x"), &p->err), 0);
    lw_buf_init(&got, NULL, 0);
    assert_int_equal(p->store->ops->facet(p->store, "category", join_pair, &got, &p->err), 0);
    assert_int_equal(p->store->ops->facet(p->store, "modules", join_pair, &got, &p->err), 0);
    assert_str(lw_buf_str(&got), "type:3 shape:1 numpy:4 ");
    lw_buf_release(&got);
}

static int join_verdict(void *data, const struct store_verification *v)
{
    return lw_buf_addf(data, "%.*s@%lld ", LW_F(v->verdict), (long long)v->at);
}

static void put_verdict(struct place *p, const char *verdict, int64_t at)
{
    const struct store_run runs[2] = {{.side = LW_BUGGY, .ended = LW_S("exited"), .exit = 1},
                                      {.side = LW_FIXED, .ended = LW_S("exited")}};
    struct store_verification v = {.bug_id = LW_S("a"),
                                   .backend = LW_S("host"),
                                   .verdict = lw_str(verdict),
                                   .at = at,
                                   .runs = runs,
                                   .run_count = 2};
    assert_int_equal(p->store->ops->begin(p->store, &p->err), 0);
    assert_int_equal(p->store->ops->put_verification(p->store, &v, &p->err), 0);
    assert_int_equal(p->store->ops->commit(p->store, &p->err), 0);
}

static void verdicts_come_newest_first_and_outlive_a_refresh(void **state)
{
    struct place *p = *state;
    struct lw_buf got, troubles;
    fill_four(p);
    for (int i = 1; i <= 4; i++)
        put_verdict(p, i == 3 ? "flaky" : "reproduced", i);
    put(p, make_bug("a", "again", "shape"));
    lw_buf_init(&got, NULL, 0);
    lw_buf_init(&troubles, NULL, 0);
    assert_int_equal(
        p->store->ops->verifications(p->store, LW_S("a"), 3, join_verdict, &got, &p->err), 0);
    assert_str(lw_buf_str(&got), "reproduced@4 flaky@3 reproduced@2 ");
    assert_int_equal(p->store->ops->check(p->store, join_pair, &troubles, &p->err), 0);
    assert_str(lw_buf_str(&troubles), "");
    lw_buf_release(&troubles);
    lw_buf_release(&got);
}

static void what_is_rolled_back_never_was(void **state)
{
    struct place *p = *state;
    struct lw_bug bug = make_bug("x", "words", "shape");
    assert_int_equal(p->store->ops->begin(p->store, &p->err), 0);
    assert_int_equal(p->store->ops->put_bug(p->store, &bug, NULL, &p->err), 0);
    p->store->ops->rollback(p->store);
    finds(p, (struct lw_query){0}, "");
    finds(p, (struct lw_query){.text = LW_S("words")}, "");
}

static int count_row(void *data, int columns, char **values, char **names)
{
    (void)columns, (void)values, (void)names;
    ++*(int *)data;
    return 0;
}

/* Indices of the bugs, and whether the text index merges as it does by itself. */
static void indices_stand(const struct place *p)
{
    sqlite3 *db;
    int indices = 0, merges = 0;
    assert_int_equal(sqlite3_open(p->path, &db), SQLITE_OK);
    sqlite3_exec(db, "SELECT 1 FROM sqlite_master WHERE type = 'index' AND tbl_name = 'bug'",
                 count_row, &indices, NULL);
    sqlite3_exec(db,
                 "SELECT 1 FROM bug_text_config WHERE (k = 'automerge' AND v <> 4) OR "
                 "(k = 'hashsize' AND v <> 8388608)",
                 count_row, &merges, NULL);
    sqlite3_close(db);
    assert_int_equal(indices, 4); /* with the one that keeps ids unique */
    assert_int_equal(merges, 0);
}

static void put_many(struct place *p, int from, int to)
{
    char id[16];
    assert_int_equal(p->store->ops->expect_many(p->store, true, &p->err), 0);
    assert_int_equal(p->store->ops->begin(p->store, &p->err), 0);
    for (int i = from; i < to; i++) {
        snprintf(id, sizeof id, "m%06d", (int)((i * 7919LL) % 1000003));
        struct lw_bug bug =
            make_bug(id, i % 1000 ? "Plum" : "Cherry", i % 500 ? "shape" : "type");
        assert_int_equal(p->store->ops->put_bug(p->store, &bug, NULL, &p->err), 0);
    }
}

static void many_bugs_are_found_as_few_are(void **state)
{
    struct place *p = *state;
    p->store->ops->close(p->store); /* from memory to a file: another connection looks at it */
    assert_int_equal(sqlite_store_open(&p->store, &p->ctx, p->path, &p->err), 0);
    put_many(p, 1, 2001);
    p->store->ops->rollback(p->store);
    finds(p, (struct lw_query){0}, "");
    indices_stand(p);
    put_many(p, 1, 2001);
    assert_int_equal(p->store->ops->commit(p->store, &p->err), 0);
    assert_int_equal(p->store->ops->expect_many(p->store, false, &p->err), 0);
    indices_stand(p);
    struct lw_query typed = {.category = LW_S("type")};
    finds(p, typed, "m837955 m878467 m918979 m959491 ");
    finds(p, (struct lw_query){.text = LW_S("cherry")}, "m918979 m837955 ");
}

static void mistyped_ids_find_their_neighbours(void **state)
{
    struct place *p = *state;
    struct lw_arena arena;
    struct lw_str near[3];
    put(p, make_bug("pt-linear", "t", "shape"));
    put(p, make_bug("pt-linear-two", "t", "shape"));
    put(p, make_bug("np-other", "t", "shape"));
    put(p, make_bug("pt-lineal", "t", "shape"));
    lw_arena_init(&arena, NULL, 0);
    struct store *s = p->store;
    assert_int_equal(s->ops->similar_ids(s, LW_S("pt-linaer"), &arena, near, &p->err), 0);
    assert_str(near[0], "pt-linear");
    assert_str(near[1], "pt-lineal");
    assert_int_equal(s->ops->similar_ids(s, LW_S("two"), &arena, near, &p->err), 0);
    assert_str(near[0], "pt-linear-two"); /* a part of it */
    assert_int_equal(near[1].n, 0);
    assert_int_equal(s->ops->similar_ids(s, LW_S("qqqqqqqq"), &arena, near, &p->err), 0);
    assert_int_equal(near[0].n, 0);
    assert_int_equal(s->ops->similar_ids(s, LW_S(""), &arena, near, &p->err), 0);
    lw_arena_release(&arena);
}

/* One of everything. */
static int use_store(struct lw_mem *mem, void *data)
{
    (void)data;
    struct lw_ctx ctx = {.mem = mem};
    struct lw_err err;
    struct store *s;
    struct lw_arena arena;
    struct lw_bug bug = make_bug("x", "some words", "shape"), found;
    struct lw_str near[3], value;
    struct lw_query q = {.category = LW_S("shape"), .text = LW_S("some words")};
    struct store_verification v = {.bug_id = LW_S("x"), .verdict = LW_S("unavailable")};
    uint64_t n;
    int calls = 0;
    int rc = sqlite_store_open(&s, &ctx, ":memory:", &err);
    if (rc < 0)
        return rc;
    lw_arena_init(&arena, mem, 0);
    if ((rc = s->ops->begin(s, &err)) == 0)
        rc = s->ops->put_bug(s, &bug, NULL, &err);
    if (rc == 0)
        rc = s->ops->put_verification(s, &v, &err);
    if (rc == 0)
        rc = s->ops->put_meta(s, "k", LW_S("v"), &err);
    if (rc == 0)
        rc = s->ops->commit(s, &err);
    if (rc == 0)
        rc = s->ops->get_meta(s, "k", &arena, &value, &err);
    if (rc == 0)
        rc = s->ops->list(s, &q, stop, &calls, &err);
    if (rc == 0)
        rc = s->ops->count(s, &q, &n, &err);
    if (rc == 0)
        rc = s->ops->find(s, LW_S("x"), &arena, &found, &err);
    if (rc == 0)
        rc = s->ops->similar_ids(s, LW_S("y"), &arena, near, &err);
    if (rc == 0)
        rc = s->ops->retract(s, LW_S("x"), LW_S("r"), &err);
    lw_arena_release(&arena);
    s->ops->close(s);
    return rc;
}

static void the_store_survives_every_failing_allocation(void **state)
{
    (void)state;
    check_every_allocation(use_store, NULL);
}

/* ---- The catalogue ----------------------------------------------------------------------- */

static uint64_t count_of(lw_catalog *c)
{
    struct lw_err err;
    uint64_t n = 0;
    assert_int_equal(lw_catalog_count(c, &(struct lw_query){0}, &n, &err), 0);
    return n;
}

static void run_sql(const struct place *p, const char *text)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(p->path, &db), SQLITE_OK);
    char *message = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    sqlite3_close(db);
}

static lw_catalog *open_it(struct place *p)
{
    lw_catalog *c = NULL;
    if (catalog_open(&c, &p->ctx, p->path, &p->err) < 0)
        fail_msg("%s", p->err.text);
    return c;
}

static void the_first_use_loads_the_embedded_bugs(void **state)
{
    struct place *p = *state;
    const struct lw_bug *bug;
    lw_catalog *c = open_it(p);
    uint64_t specimens = 0;
    const struct lw_query own = {.source = LW_S("specimen")};
    assert_int_equal(lw_catalog_count(c, &own, &specimens, &p->err), 0);
    assert_true(specimens >= 12);
    assert_int_equal(count_of(c), specimens + 64); /* those of gDefects4DL */
    assert_int_equal(lw_catalog_find(c, LW_S("np-uint8-wraparound"), &bug, &p->err), 0);
    assert_true(bug->trusted);
    assert_str(bug->source, "specimen");
    assert_int_equal(lw_catalog_find(c, LW_S("np-uint8-wraparond"), &bug, &p->err), LW_ENOENT);
    assert_string_equal(p->err.text, "there is no bug 'np-uint8-wraparond'; did you mean "
                                     "np-uint8-wraparound?");
    lw_catalog_close(c);
    c = open_it(p);
    assert_int_equal(count_of(c), specimens + 64);
    lw_catalog_close(c);
}

static void an_older_programs_bugs_are_brought_up_to_date(void **state)
{
    struct place *p = *state;
    const struct lw_bug *bug;
    lw_catalog *c = open_it(p);
    uint64_t before = count_of(c);
    lw_catalog_close(c);
    run_sql(p, "UPDATE meta SET value = 'other' WHERE key = 'embedded_digest';"
               "UPDATE meta SET value = '0.0.1' WHERE key = 'embedded_version';"
               "UPDATE bug SET description = 'old' WHERE id = 'np-uint8-wraparound';"
               "UPDATE bug SET id = 'no-longer-shipped' WHERE id = 'pt-deep-sigmoid'");
    c = open_it(p);
    assert_int_equal(count_of(c), before);
    assert_int_equal(lw_catalog_find(c, LW_S("np-uint8-wraparound"), &bug, &p->err), 0);
    assert_false(lw_str_eq(bug->description, LW_S("old")));
    assert_int_equal(lw_catalog_find(c, LW_S("no-longer-shipped"), &bug, &p->err), 0);
    assert_str(bug->retracted, "no longer comes with the program");
    lw_catalog_close(c);
}

static void a_newer_programs_bugs_are_left_alone(void **state)
{
    struct place *p = *state;
    const struct lw_bug *bug;
    lw_catalog_close(open_it(p));
    run_sql(p, "UPDATE meta SET value = 'other' WHERE key = 'embedded_digest';"
               "UPDATE meta SET value = '999.0.0' WHERE key = 'embedded_version';"
               "UPDATE bug SET description = 'newer' WHERE id = 'np-uint8-wraparound'");
    lw_catalog *c = open_it(p);
    assert_int_equal(lw_catalog_find(c, LW_S("np-uint8-wraparound"), &bug, &p->err), 0);
    assert_str(bug->description, "newer");
    lw_catalog_close(c);
}

/* A user may have added a bug before the program came to have one of the same id. */
static void a_bug_of_the_users_own_is_not_overwritten(void **state)
{
    struct place *p = *state;
    const struct lw_bug *bug;
    lw_catalog *c = open_it(p);
    uint64_t before = count_of(c);
    lw_catalog_close(c);
    run_sql(p, "UPDATE meta SET value = 'other' WHERE key = 'embedded_digest';"
               "UPDATE bug SET source = 'submission', trusted = 0, title = 'mine' "
               "WHERE id = 'np-uint8-wraparound'");
    c = open_it(p);
    assert_int_equal(lw_catalog_find(c, LW_S("np-uint8-wraparound"), &bug, &p->err), 0);
    assert_str(bug->title, "mine");
    assert_false(bug->trusted);
    assert_int_equal(count_of(c), before);
    lw_catalog_close(c);
}

/* A catalogue of format 1, as the first version made it, is numbered and indexed on opening. */
static void an_older_format_is_brought_up_to_date(void **state)
{
    struct place *p = *state;
    struct lw_str schema;
    assert_true(lw_embedded_find(LW_S("data/schema/001.sql"), &schema));
    run_sql(p, schema.p);
    run_sql(
        p, "INSERT INTO bug(id, title, source, type, leaf, category, symptom, property, "
           "framework, origin_url, fix_url, description, root_cause, generality, fix_pattern, "
           "error_message, report, exception, message, metric, git_url, retracted, expect, "
           "seeds, support_level, trusted) VALUES"
           "('old', 'Old apple', 'submission', 'api', 'l', 'shape', 'nan', 'p', 'numpy', '', "
           "'', 'apples', '', '', '', '', '', '', '', '', '', '', 0, 5, 1, 0),"
           "('gone', 'Gone apple', 'submission', 'api', 'l', 'shape', 'nan', 'p', 'numpy', '', "
           "'', 'apples', '', '', '', '', '', '', '', '', '', 'why', 0, 5, 1, 0);"
           "INSERT INTO environment SELECT num, '', '', 'numpy', '', '', '', 1, 1 FROM bug;"
           "PRAGMA user_version = 1; PRAGMA application_id = 1280787249");
    assert_int_equal(sqlite_store_open(&p->store, &p->ctx, p->path, &p->err), 0);
    finds(p, (struct lw_query){.category = LW_S("shape"), .symptom = LW_S("nan")}, "old ");
    finds(p, (struct lw_query){.text = LW_S("apple"), .framework = LW_S("numpy")}, "old ");
    finds(p, (struct lw_query){.text = LW_S("apple"), .framework = LW_S("keras")}, "");
    struct lw_buf troubles;
    lw_buf_init(&troubles, NULL, 0);
    assert_int_equal(p->store->ops->check(p->store, join_pair, &troubles, &p->err), 0);
    assert_str(lw_buf_str(&troubles), "");
    lw_buf_release(&troubles);
}

static bool has_numpy(void *data, const struct lw_bug *bug)
{
    ++*(size_t *)data;
    return lw_str_eq(bug->modules, LW_S("numpy"));
}

/* The caller's filter is asked once for each environment, not for each bug. */
static void environments_are_asked_once(void **state)
{
    struct place *p = *state;
    size_t asked = 0;
    fill_four(p);
    struct lw_bug other = make_bug("e", "Red plum tree", "shape");
    other.modules = LW_S("torch");
    put(p, other);
    struct lw_query q = {
        .accept = has_numpy, .accept_data = &asked, .accept_by_environment = true};
    q.text = LW_S("red");
    finds(p, q, "d c ");
    q.text = LW_S("");
    finds(p, q, "a b c d ");
    q.category = LW_S("shape");
    finds(p, q, "a d ");
    assert_int_equal(asked, 2 * 6); /* two environments, a listing and a count each */
}

static void refused(struct place *p, const char *path, int code, const char *text)
{
    lw_catalog *c = NULL;
    int rc = catalog_open(&c, &p->ctx, path, &p->err);
    assert_null(c);
    if (rc != code || !strstr(p->err.text, text))
        fail_msg("%d '%s' instead of %d '%s'", rc, rc ? p->err.text : "", code, text);
}

static void what_cannot_be_a_catalogue_is_refused(void **state)
{
    struct place *p = *state;
    lw_catalog_close(open_it(p));
    run_sql(p, "PRAGMA user_version = 99");
    refused(p, p->path, LW_ECORRUPT, "was made by a newer lacewing (format 99, this program");
    run_sql(p, "PRAGMA user_version = 1; PRAGMA application_id = 5");
    refused(p, p->path, LW_EINVAL, "is a database of another program");
    assert_int_equal(lw_file_write(p->path,
                                   LW_S("not a database, but long enough to look at, "
                                        "and then some more of it, so that it is over "
                                        "a hundred bytes"),
                                   0644, &p->err),
                     0);
    refused(p, p->path, LW_ECORRUPT, "is damaged or not a catalogue");
    refused(p, p->folder, LW_EINVAL, "is a folder; name a file in it");
    refused(p, "/no/such/folder/x.db", LW_ENOENT, "there is no folder '/no/such/folder'");
    refused(p, "", LW_ENOENT, "catalogue ''");
    refused(p, "postgresql://host/base", LW_EMISSING, "no PostgreSQL support");
}

static int open_catalog(struct lw_mem *mem, void *data)
{
    const struct place *p = data;
    struct lw_ctx ctx = p->ctx;
    struct lw_err err;
    lw_catalog *c = NULL;
    const struct lw_bug *bug;
    lw_file_vec files = {0};
    struct lw_arena arena;
    ctx.mem = mem;
    int rc = catalog_open(&c, &ctx, p->path, &err);
    if (rc < 0)
        return rc;
    lw_arena_init(&arena, mem, 0);
    rc = lw_catalog_find(c, LW_S("pt-deep-sigmoid"), &bug, &err);
    if (rc == 0)
        rc = catalog_files(c, LW_S("pt-deep-sigmoid"), &arena, &files, &err);
    lw_vec_release(mem, &files);
    lw_arena_release(&arena);
    lw_catalog_close(c);
    return rc;
}

static void opening_survives_every_failing_allocation(void **state)
{
    struct place *p = *state;
    lw_catalog_close(open_it(p));
    check_every_allocation(open_catalog, p);
}

/* Each failing refresh must leave the catalogue as it was before it. */
static void a_failing_refresh_changes_nothing(void **state)
{
    struct place *p = *state;
    lw_catalog_close(open_it(p));
    for (size_t n = 1;; n += 7 + n / 16) { /* dense at first, then at a few hundred points */
        run_sql(p, "UPDATE meta SET value = 'other' WHERE key = 'embedded_digest'");
        struct lw_mem mem;
        lw_mem_init(&mem, 0);
        mem.fail_at = n;
        int rc = open_catalog(&mem, p);
        assert_int_equal(atomic_load(&mem.used), 0);
        if (rc == 0)
            break;
        assert_int_equal(rc, LW_ENOMEM);
        struct lw_buf troubles;
        lw_buf_init(&troubles, NULL, 0);
        assert_int_equal(sqlite_store_open(&p->store, &p->ctx, p->path, &p->err), 0);
        if (n % 5 == 1)
            assert_int_equal(p->store->ops->check(p->store, join_pair, &troubles, &p->err), 0);
        assert_str(lw_buf_str(&troubles), "");
        finds(p, (struct lw_query){.limit = 1}, "allennlp4612 ");
        p->store->ops->close(p->store);
        p->store = NULL;
        lw_buf_release(&troubles);
    }
}

#define STORE_TEST(f)   cmocka_unit_test_setup_teardown(f, set_up_store, tear_down)
#define CATALOG_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    STORE_TEST(queries_filter_sort_and_page),
    STORE_TEST(words_are_searched),
    STORE_TEST(a_filter_of_the_callers_pages_too),
    STORE_TEST(the_caller_may_stop_a_listing),
    STORE_TEST(a_wrong_sort_is_refused),
    STORE_TEST(a_bug_comes_back_as_it_went_in),
    STORE_TEST(putting_again_replaces),
    STORE_TEST(a_retracted_bug_is_found_but_not_listed),
    STORE_TEST(facets_count_living_bugs),
    STORE_TEST(environments_are_asked_once),
    STORE_TEST(verdicts_come_newest_first_and_outlive_a_refresh),
    STORE_TEST(what_is_rolled_back_never_was),
    STORE_TEST(many_bugs_are_found_as_few_are),
    STORE_TEST(mistyped_ids_find_their_neighbours),
    CATALOG_TEST(the_store_survives_every_failing_allocation),
    CATALOG_TEST(the_first_use_loads_the_embedded_bugs),
    CATALOG_TEST(an_older_programs_bugs_are_brought_up_to_date),
    CATALOG_TEST(an_older_format_is_brought_up_to_date),
    CATALOG_TEST(a_newer_programs_bugs_are_left_alone),
    CATALOG_TEST(a_bug_of_the_users_own_is_not_overwritten),
    CATALOG_TEST(what_cannot_be_a_catalogue_is_refused),
    CATALOG_TEST(opening_survives_every_failing_allocation),
    CATALOG_TEST(a_failing_refresh_changes_nothing),
};

CHECK_MAIN(tests)
