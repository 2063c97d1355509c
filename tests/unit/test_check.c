/* The engine of `check`: what is joined, shared, remembered, silenced and found on disk. */
#include "check.h"

#include <sys/stat.h>

#include "base/clock.h"
#include "base/pool.h"
#include "check/check.h"
#include "check/engine/engine.h"

/* ---- helpers ------------------------------------------------------------------------------
 */

struct folder {
    struct lw_buf path;
    struct lw_buf file;
};

static void folder_open(struct folder *f)
{
    struct lw_err err = {0};
    lw_buf_init(&f->path, NULL, 0);
    lw_buf_init(&f->file, NULL, 0);
    assert_int_equal(lw_temp_dir(&f->path, &err), 0);
}

static void folder_close(struct folder *f)
{
    struct lw_err err = {0};
    assert_int_equal(lw_dir_remove(lw_buf_z(&f->path), &err), 0);
    lw_buf_release(&f->path);
    lw_buf_release(&f->file);
}

static const char *path_in(struct folder *f, const char *name)
{
    lw_buf_clear(&f->file);
    lw_buf_addf(&f->file, "%s/%s", lw_buf_z(&f->path), name);
    return lw_buf_z(&f->file);
}

static void write_file(struct folder *f, const char *name, const char *text)
{
    struct lw_err err = {0};
    const char *slash = strrchr(name, '/');
    if (slash) {
        lw_buf_clear(&f->file);
        lw_buf_addf(&f->file, "%s/%.*s", lw_buf_z(&f->path), (int)(slash - name), name);
        assert_int_equal(lw_dir_make(lw_buf_z(&f->file), &err), 0);
    }
    FILE *out = fopen(path_in(f, name), "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static struct lw_ctx context(struct lw_mem *mem, unsigned jobs)
{
    return (struct lw_ctx){.mem = mem, .clock = lw_clock_system(), .jobs = jobs};
}

/* The findings of a text as "line rule\n…", in `out`. */
static uint64_t check_text(const char *text, struct lw_buf *out)
{
    struct lw_check_rules rules;
    struct lw_check_result r;
    struct lw_check_options options = {.target = {.given = true}};
    struct lw_err err = {0};
    struct lw_ctx ctx = context(NULL, 1);
    assert_int_equal(lw_check_rules_load(&rules, NULL, &err), 0);
    lw_check_result_init(&r, NULL);
    assert_int_equal(
        lw_check_text(&r, &ctx, &rules, &options, LW_S("in.py"), lw_str(text), &err), 0);
    lw_buf_clear(out);
    for (size_t i = 0; i < r.findings.n; i++)
        lw_buf_addf(out, "%u %.*s\n", r.findings.v[i].line, LW_F(r.findings.v[i].rule));
    uint64_t suppressed = r.suppressed;
    lw_check_result_release(&r);
    lw_check_rules_release(&rules);
    return suppressed;
}

/* As much of an engine as values need. */
struct engine {
    struct ck c;
    struct lw_arena arena;
    struct lw_dims dims;
};

static void engine_open(struct engine *e)
{
    lw_arena_init(&e->arena, NULL, 64 << 20);
    lw_dims_init(&e->dims, NULL);
    e->c = (struct ck){.arena = &e->arena,
                       .dims = &e->dims,
                       .clock = lw_clock_system(),
                       .step_limit = 100000,
                       .deadline = 1e300};
    heap_init(&e->c.heap, &e->arena, NULL);
}

static void engine_close(struct engine *e)
{
    lw_vec_release(NULL, &e->c.origins);
    heap_release(&e->c.heap);
    lw_dims_release(&e->dims);
    lw_arena_release(&e->arena);
}

static struct lw_value dict_of(struct ck *c, const struct lw_value *pairs, size_t n)
{
    struct lw_dict *d = lw_arena_alloc(c->arena, sizeof *d);
    struct lw_value *keys = ck_values(c, n), *values = ck_values(c, n);
    for (size_t i = 0; i < n; i++) {
        keys[i] = pairs[2 * i];
        values[i] = pairs[2 * i + 1];
    }
    *d = (struct lw_dict){keys, values, (uint32_t)n, false};
    return (struct lw_value){.kind = LW_V_DICT, .dict = d};
}

/* ---- joins --------------------------------------------------------------------------------
 */

static void joins_keep_what_both_have(void **state)
{
    (void)state;
    struct engine e;
    engine_open(&e);
    struct ck *c = &e.c;
    struct lw_value one = ck_int(c, 1), two = ck_int(c, 2);
    int64_t n;
    assert_true(ck_int_of(c, ck_join(c, one, one), &n) && n == 1);
    assert_int_equal(ck_join(c, one, two).kind, LW_V_INT);
    assert_false(ck_int_of(c, ck_join(c, one, two), &n));
    assert_int_equal(ck_join(c, one, lw_v_none()).kind, LW_V_UNKNOWN);
    assert_true(ck_int_of(c, ck_join(c, lw_v_absent(), two), &n) && n == 2);
    struct lw_value a[2] = {one, two}, b[2] = {one, one};
    struct lw_value t = ck_join(c, ck_tuple(c, a, 2), ck_tuple(c, b, 2));
    assert_int_equal(t.seq.n, 2);
    assert_true(ck_int_of(c, t.seq.items[0], &n) && n == 1);
    assert_false(ck_int_of(c, t.seq.items[1], &n));
    t = ck_join(c, ck_tuple(c, a, 2), ck_tuple(c, b, 1));
    assert_true(t.seq.open);
    engine_close(&e);
}

static void widening_leaves_no_bound_that_moves(void **state)
{
    (void)state;
    struct engine e;
    engine_open(&e);
    struct lw_value a = lw_v_interval(lw_iv_between(0, 1)),
                    b = lw_v_interval(lw_iv_between(0, 2));
    struct lw_value joined = ck_join(&e.c, a, b);
    assert_true(joined.interval.lo == 0 && joined.interval.hi == 2);
    e.c.widening = true;
    struct lw_value widened = ck_join(&e.c, a, b);
    assert_true(widened.interval.lo == 0 && widened.interval.hi > 1e300);
    engine_close(&e);
}

static void dicts_do_not_grow_with_every_join(void **state)
{
    (void)state;
    struct engine e;
    engine_open(&e);
    struct ck *c = &e.c;
    struct lw_value known = lw_v_str(LW_S("a")), value;
    struct lw_value x[] = {known, ck_int(c, 1), lw_v_unknown(), ck_int(c, 2)};
    struct lw_value y[] = {lw_v_unknown(), ck_int(c, 3), known, ck_int(c, 1)};
    struct lw_value a = dict_of(c, x, 2), b = dict_of(c, y, 2);
    for (int i = 0; i < 100; i++) {
        struct lw_value next = ck_join(c, a, b);
        b = a;
        a = next;
    }
    assert_int_equal(a.kind, LW_V_DICT);
    assert_int_equal(a.dict->n, 2);
    /* The key that is not known stands last: what is before it may have been overwritten. */
    assert_int_equal(a.dict->keys[1].kind, LW_V_UNKNOWN);
    assert_false(ck_dict_get(c, a, known, &value));
    struct lw_value only = dict_of(c, x, 1);
    assert_true(ck_dict_get(c, ck_join(c, only, dict_of(c, y + 2, 1)), known, &value));
    engine_close(&e);
}

static void values_inside_themselves_can_be_joined(void **state)
{
    (void)state;
    struct engine e;
    engine_open(&e);
    struct ck *c = &e.c;
    struct lw_value lists[2];
    for (int i = 0; i < 2; i++) {
        lists[i] = ck_new_list(c, CK_LIST, (struct lw_seq){0}, LW_NO_NODE);
        struct lw_value self = ck_make_seq(c, LW_V_LIST, &lists[i], 1, false);
        ck_object_of(lists[i])->contents.value = self;
    }
    ck_join(c, lists[0], lists[1]);
    ck_equal(c, lists[0], lists[1]);
    assert_int_equal(c->join_depth, 0);
    engine_close(&e);
}

static void tuples_of_tuples_are_not_walked_to_their_end(void **state)
{
    (void)state;
    struct engine e;
    engine_open(&e);
    struct ck *c = &e.c;
    struct lw_value t = ck_int(c, 1), u = ck_int(c, 1);
    for (int i = 0; i < 60; i++) { /* two to the sixty values */
        struct lw_value tt[2] = {t, t}, uu[2] = {u, u};
        t = ck_tuple(c, tt, 2);
        u = ck_tuple(c, uu, 2);
    }
    assert_true(ck_same(t, t));
    assert_false(ck_same(t, u));
    ck_join(c, t, u);
    assert_int_not_equal(ck_equal(c, t, u), LW_TRI_NO);
    assert_true(c->steps <= 200000);
    engine_close(&e);
}

/* ---- heap ---------------------------------------------------------------------------------
 */

static void branches_are_taken_back_and_joined(void **state)
{
    (void)state;
    struct engine e;
    engine_open(&e);
    struct ck *c = &e.c;
    struct ck_fields f = {0};
    struct ck_slot *x = fields_put(&c->heap, &f, heap_intern(&c->heap, LW_S("x")));
    struct ck_slot *y = fields_put(&c->heap, &f, heap_intern(&c->heap, LW_S("y")));
    int64_t n;
    heap_set(&c->heap, x, ck_int(c, 1));
    struct ck_changes ways[2];
    size_t mark = heap_mark(&c->heap);
    heap_set(&c->heap, x, ck_int(c, 2));
    heap_set(&c->heap, y, ck_int(c, 5));
    ways[0] = heap_take(&c->heap, mark);
    assert_true(ck_int_of(c, x->value, &n) && n == 1);
    assert_int_equal(y->value.kind, LW_V_ABSENT);
    mark = heap_mark(&c->heap);
    heap_set(&c->heap, y, ck_int(c, 5));
    ways[1] = heap_take(&c->heap, mark);
    heap_merge(&c->heap, ways, 2, ck_join_slot, c);
    assert_false(ck_int_of(c, x->value, &n));
    assert_true(ck_int_of(c, y->value, &n) && n == 5);
    engine_close(&e);
}

static void dead_variables_leave_the_trail(void **state)
{
    (void)state;
    struct engine e;
    engine_open(&e);
    struct ck *c = &e.c;
    struct ck_fields outer = {0}, dead = {0};
    struct ck_slot *x = fields_put(&c->heap, &outer, 1), *y = fields_put(&c->heap, &dead, 2);
    size_t mark = heap_mark(&c->heap);
    heap_set(&c->heap, x, ck_int(c, 1));
    size_t from = c->heap.trail.n;
    heap_set(&c->heap, y, ck_int(c, 2));
    heap_set(&c->heap, x, ck_int(c, 3));
    heap_set(&c->heap, y, ck_int(c, 4));
    heap_forget(&c->heap, from, &dead);
    assert_int_equal(c->heap.trail.n, 2);
    struct ck_changes changes = heap_take(&c->heap, mark);
    assert_int_equal(changes.n, 1);
    assert_int_equal(x->value.kind, LW_V_ABSENT);
    engine_close(&e);
}

/* ---- modules ------------------------------------------------------------------------------
 */

static void a_module_is_parsed_once(void **state)
{
    (void)state;
    struct folder f;
    struct ck_modules m;
    struct lw_err err = {0};
    const struct ck_parsed *a, *b, *c;
    folder_open(&f);
    write_file(&f, "a.py", "x = 1\n");
    ck_modules_init(&m, NULL, CK_MODULES_ROOM);
    assert_int_equal(ck_modules_get(&m, lw_str(path_in(&f, "a.py")), &a, &err), 0);
    assert_int_equal(ck_modules_get(&m, lw_str(path_in(&f, "a.py")), &b, &err), 0);
    assert_ptr_equal(a, b);
    ck_modules_put(&m, a);
    ck_modules_put(&m, b);
    assert_int_equal(ck_modules_get(&m, lw_str(path_in(&f, "a.py")), &c, &err), 0);
    assert_ptr_equal(a, c);
    assert_int_equal(m.misses, 1);
    assert_int_equal(m.hits, 2);
    ck_modules_put(&m, c);
    assert_true(ck_modules_get(&m, lw_str(path_in(&f, "b.py")), &c, &err) < 0);
    ck_modules_release(&m);
    folder_close(&f);
}

static void unused_modules_go_when_room_is_short(void **state)
{
    (void)state;
    struct folder f;
    struct lw_mem mem;
    struct ck_modules m;
    struct lw_err err = {0};
    const struct ck_parsed *a, *b;
    folder_open(&f);
    write_file(&f, "a.py", "x = 1\n");
    write_file(&f, "b.py", "y = 1\n");
    lw_mem_init(&mem, 0);
    ck_modules_init(&m, &mem, 1);
    assert_int_equal(ck_modules_get(&m, lw_str(path_in(&f, "a.py")), &a, &err), 0);
    size_t before = atomic_load(&mem.used);
    assert_int_equal(ck_modules_get(&m, lw_str(path_in(&f, "b.py")), &b, &err), 0);
    assert_str(b->source.text, "y = 1\n");
    ck_modules_put(&m, b);
    assert_true(atomic_load(&mem.used) < before + 1000); /* b is gone but for its name */
    assert_str(a->source.text, "x = 1\n");               /* a is still in use */
    assert_int_equal(ck_modules_get(&m, lw_str(path_in(&f, "b.py")), &b, &err), 0);
    assert_int_equal(m.misses, 3);
    ck_modules_put(&m, b);
    ck_modules_put(&m, a);
    assert_int_equal(m.idle_bytes, 0);
    ck_modules_release(&m);
    assert_int_equal(atomic_load(&mem.used), 0);
    folder_close(&f);
}

struct crowd {
    struct ck_modules m;
    struct lw_str path;
};

static int get_and_put(void *data, size_t item, unsigned worker, struct lw_err *err)
{
    struct crowd *c = data;
    const struct ck_parsed *p;
    (void)worker;
    if (ck_modules_kind(&c->m, c->path) != LW_FILE_REGULAR)
        return LW_EINVAL;
    int rc = ck_modules_get(&c->m, c->path, &p, err);
    if (rc == 0 && p->tree.nodes.n < 3)
        rc = LW_EINVAL;
    if (rc == 0)
        ck_modules_put(&c->m, p);
    c->m.room = item % 2 ? 1 : 0; /* nothing stays */
    return rc;
}

static void threads_share_modules(void **state)
{
    (void)state;
    struct folder f;
    struct crowd c;
    struct lw_err err = {0};
    folder_open(&f);
    write_file(&f, "a.py", "def f(x):\n    return x + 1\n");
    ck_modules_init(&c.m, NULL, CK_MODULES_ROOM);
    c.path = lw_str(path_in(&f, "a.py"));
    struct lw_pool pool = {.count = 400, .jobs = 4, .data = &c, .work = get_and_put};
    assert_int_equal(lw_pool_run(&pool, &err), 0);
    ck_modules_release(&c.m);
    folder_close(&f);
}

static int get_a_module(struct lw_mem *mem, void *data)
{
    struct ck_modules m;
    struct lw_err err = {0};
    const struct ck_parsed *p = NULL;
    ck_modules_init(&m, mem, CK_MODULES_ROOM);
    int rc = ck_modules_get(&m, lw_str(data), &p, &err);
    if (rc == 0) {
        assert_true(p->tree.nodes.n > 0);
        ck_modules_put(&m, p);
    }
    ck_modules_release(&m);
    /* Without memory to share it or to make it smaller the file is still there. */
    return rc == 0 && atomic_load(&mem->calls) >= mem->fail_at ? LW_ENOMEM : rc;
}

static void modules_survive_a_lack_of_memory(void **state)
{
    (void)state;
    struct folder f;
    folder_open(&f);
    write_file(&f, "a.py", "import torch\nx = torch.zeros(3)\n");
    char path[4096];
    snprintf(path, sizeof path, "%s", path_in(&f, "a.py"));
    check_every_allocation(get_a_module, path);
    folder_close(&f);
}

/* ---- comments that silence ----------------------------------------------------------------
 */

static void comments_silence_findings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *found;
        unsigned silenced;
    } cases[] = {
        {"x = a @ b\n", "3 shape/matmul-inner\n", 0},
        {"x = a @ b  # lacewing: ignore[shape/matmul-inner] known\n", "", 1},
        {"x = a @ b  # lacewing: ignore[shape]\n", "", 1},
        {"x = a @ b  # lacewing: ignore\n", "", 1},
        {"x = a @ b  # lacewing: ignore[numeric, shape/matmul-inner]\n", "", 1},
        {"x = a @ b  # lacewing: ignore[numeric]\n", "3 shape/matmul-inner\n", 0},
        {"# lacewing: ignore[shape] the next line\nx = a @ b\n", "", 1},
        {"x = a @ b\n# lacewing: ignore[shape]\n", "3 shape/matmul-inner\n", 0},
        {"x = a @ b\n# lacewing: ignore-file[shape]\n", "", 1},
        {"x = a @ b\n# lacewing: ignore-file\n", "", 1},
        {"x = a @ b  # lacewing: keep\n", "3 shape/matmul-inner\n", 0},
    };
    struct lw_buf text, found;
    lw_buf_init(&text, NULL, 0);
    lw_buf_init(&found, NULL, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lw_buf_clear(&text);
        lw_buf_addf(&text, "import torch\na, b = torch.zeros(2, 3), torch.zeros(2, 3)\n%s",
                    cases[i].text);
        uint64_t silenced = check_text(lw_buf_z(&text), &found);
        assert_str(lw_buf_str(&found), cases[i].found);
        assert_int_equal(silenced, cases[i].silenced);
    }
    lw_buf_release(&text);
    lw_buf_release(&found);
}

/* ---- versions -----------------------------------------------------------------------------
 */

static void requirements_give_versions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int tf[2], torch[2];
    } cases[] = {
        {"tensorflow==1.15.2\n", {1, 15}, {-1, -1}},
        {"tensorflow-gpu >= 1.4 , < 2\ntorch\n", {1, 99}, {-1, -1}},
        {"TensorFlow<=2.3\n", {2, 3}, {-1, -1}},
        {"tensorflow>=2.1\ntorch>=1.0\n", {2, 1}, {-1, -1}},
        {"tensorflow-probability==0.8\ntensorflow_datasets==4.0\n", {-1, -1}, {-1, -1}},
        {"torch==1.13.1+cu117 ; python_version < '3.9'\n", {-1, -1}, {1, 13}},
        {"# torch==1.0\ntorch[extra]~=2.1  # tensorflow==1.0\n", {-1, -1}, {2, 1}},
        {"dependencies:\n  - pytorch=1.8.1=py3.8_cuda\n", {-1, -1}, {1, 8}},
        {"install_requires=['torch>=1.4,<1.10', \"tensorflow == 2.*\"],\n", {2, -1}, {1, 9}},
        {"[tool.poetry.dependencies]\ntorch = \"^1.13\"\n", {-1, -1}, {1, 13}},
        {"torch==1.9\ntorch==1.7 ; sys_platform == 'darwin'\n", {-1, -1}, {1, 7}},
        {"git+https://x/torch==3\ntorch!=1.5\ntorch==\ntorch==x\n", {-1, -1}, {-1, -1}},
        {"tensorflow<0\ntorch==99999999999999999999\n", {-1, -1}, {99999, -1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_check_version none = {-1, -1};
        struct lw_check_target t = {none, none, none, none, false};
        lw_check_target_read(&t, lw_str(cases[i].text));
        assert_int_equal(t.tensorflow.major, cases[i].tf[0]);
        assert_int_equal(t.tensorflow.minor, cases[i].tf[1]);
        assert_int_equal(t.torch.major, cases[i].torch[0]);
        assert_int_equal(t.torch.minor, cases[i].torch[1]);
        assert_int_equal(t.given, cases[i].tf[0] >= 0 || cases[i].torch[0] >= 0);
    }
}

static void the_nearest_requirements_count(void **state)
{
    (void)state;
    struct folder f;
    struct lw_check_target t;
    folder_open(&f);
    write_file(&f, "requirements.txt", "torch==1.1\n");
    write_file(&f, "a/.git/x", "");
    write_file(&f, "a/setup.py", "torch==1.2\n");
    write_file(&f, "a/b/requirements.txt", "# nothing\n");
    write_file(&f, "a/b/c/x.py", "");
    write_file(&f, "d/.git/x", "");
    write_file(&f, "d/x.py", "");
    assert_int_equal(lw_check_target_find(&t, NULL, lw_str(path_in(&f, "a/b/c/x.py"))), 0);
    assert_int_equal(t.torch.minor, 2);
    assert_int_equal(lw_check_target_find(&t, NULL, lw_str(path_in(&f, "x.py"))), 0);
    assert_int_equal(t.torch.minor, 1);
    assert_int_equal(lw_check_target_find(&t, NULL, lw_str(path_in(&f, "d/x.py"))), 0);
    assert_false(t.given); /* what is above a repository is another matter */
    assert_int_equal(chmod(lw_buf_z(&f.path), 01777), 0); /* so is what is in a /tmp */
    write_file(&f, "e/x.py", "");
    assert_int_equal(lw_check_target_find(&t, NULL, lw_str(path_in(&f, "e/x.py"))), 0);
    assert_false(t.given);
    folder_close(&f);
}

/* ---- files --------------------------------------------------------------------------------
 */

static void list_in(struct folder *f, const char *name, struct lw_buf *out)
{
    lw_str_vec files = {0};
    struct lw_arena arena;
    struct lw_err err = {0};
    lw_arena_init(&arena, NULL, 0);
    assert_int_equal(lw_check_files(&files, &arena, NULL, path_in(f, name), &err), 0);
    lw_buf_clear(out);
    for (size_t i = 0; i < files.n; i++)
        lw_buf_addf(out, "%s%.*s", i ? " " : "",
                    LW_F(lw_str_from(files.v[i], lw_buf_str(&f->path).n + 1)));
    lw_vec_release(NULL, &files);
    lw_arena_release(&arena);
}

static void gitignore_files_are_respected(void **state)
{
    (void)state;
    static const struct {
        const char *patterns, *files;
    } cases[] = {
        {"", "r/a.py r/b/c.py r/b/d/e.ipynb r/f.py"},
        {"b/\n", "r/a.py r/f.py"},
        {"*.py\n!f.py\n", "r/b/d/e.ipynb r/f.py"},
        {"/b/c.py\n# a.py\n", "r/a.py r/b/d/e.ipynb r/f.py"},
        {"c.py\nb/**/e.*\n", "r/a.py r/f.py"},
        {"**/c.py\n[!f].py\n", "r/b/d/e.ipynb r/f.py"},
        {"[a-c].py\n\\f.py\n", "r/b/d/e.ipynb"},
        {"?.p?\nb/*/\n", ""},
        {"b/**\n", "r/a.py r/f.py"},
        {"[\n*[\n", "r/a.py r/b/c.py r/b/d/e.ipynb r/f.py"},
        {"*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*x\n**/**/**/**/**/**/z\n",
         "r/a.py r/b/c.py r/b/d/e.ipynb r/f.py"},
    };
    struct folder f;
    struct lw_buf out;
    folder_open(&f);
    lw_buf_init(&out, NULL, 0);
    write_file(&f, "r/a.py", "");
    write_file(&f, "r/b/c.py", "");
    write_file(&f, "r/b/d/e.ipynb", "{}");
    write_file(&f, "r/b/d/note.txt", "");
    write_file(&f, "r/f.py", "");
    write_file(&f, "r/__pycache__/g.py", "");
    write_file(&f, "r/.git/h.py", "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(&f, "r/.gitignore", cases[i].patterns);
        list_in(&f, "r", &out);
        assert_str(lw_buf_str(&out), cases[i].files);
    }
    write_file(&f, "r/.gitignore", "/b/c.py\nd/\n");
    list_in(&f, "r/b", &out); /* the file above counts too */
    assert_str(lw_buf_str(&out), "");
    list_in(&f, "r/b/c.py", &out); /* but not for what is named */
    assert_str(lw_buf_str(&out), "r/b/c.py");
    lw_buf_release(&out);
    folder_close(&f);
}

/* ---- whole runs ---------------------------------------------------------------------------
 */

static void run_folder(struct folder *f, unsigned jobs, struct lw_buf *out)
{
    struct lw_check_rules rules;
    struct lw_check_result r;
    struct lw_check_options options = {.seconds = 100};
    struct lw_err err = {0};
    struct lw_ctx ctx = context(NULL, jobs);
    lw_str_vec files = {0};
    struct lw_arena arena;
    lw_arena_init(&arena, NULL, 0);
    assert_int_equal(lw_check_files(&files, &arena, NULL, lw_buf_z(&f->path), &err), 0);
    assert_int_equal(lw_check_rules_load(&rules, NULL, &err), 0);
    lw_check_result_init(&r, NULL);
    assert_int_equal(lw_check_run(&r, &ctx, &rules, &options, files.v, files.n, &err), 0);
    lw_buf_clear(out);
    lw_buf_addf(out, "%llu files %llu lines %llu calls\n", (unsigned long long)r.files,
                (unsigned long long)r.lines, (unsigned long long)r.analysed_calls);
    for (size_t i = 0; i < r.findings.n; i++)
        lw_buf_addf(out, "%.*s:%u %.*s %.*s\n", LW_F(r.findings.v[i].path),
                    r.findings.v[i].line, LW_F(r.findings.v[i].rule),
                    LW_F(r.findings.v[i].detail));
    lw_check_result_release(&r);
    lw_check_rules_release(&rules);
    lw_vec_release(NULL, &files);
    lw_arena_release(&arena);
}

static void the_number_of_threads_changes_nothing(void **state)
{
    (void)state;
    struct folder f;
    struct lw_buf one, many;
    char name[32], text[256];
    folder_open(&f);
    lw_buf_init(&one, NULL, 0);
    lw_buf_init(&many, NULL, 0);
    write_file(&f, "shared.py",
               "import torch\nbad = torch.zeros(2, 3) @ torch.zeros(2, 3)\n"
               "def f(n):\n    return torch.zeros(n, 3)\n");
    for (int i = 0; i < 30; i++) {
        snprintf(name, sizeof name, "user%d.py", i);
        snprintf(text, sizeof text,
                 "from shared import f, bad\nimport torch\nx = f(%d) @ torch.zeros(4, 5)\n", i);
        write_file(&f, name, text);
    }
    run_folder(&f, 1, &one);
    assert_true(lw_str_find(lw_buf_str(&one), LW_S("31 files")) == 0);
    assert_true(lw_str_find(lw_buf_str(&one), LW_S("user29.py:3 shape/matmul-inner")) > 0);
    for (unsigned jobs = 2; jobs < 6; jobs++) {
        run_folder(&f, jobs, &many);
        assert_string_equal(lw_buf_z(&one), lw_buf_z(&many));
    }
    lw_buf_release(&one);
    lw_buf_release(&many);
    folder_close(&f);
}

static const char program[] = "import torch\n"
                              "from torch import nn\n"
                              "class Net(nn.Module):\n"
                              "    def __init__(self, n=10):\n"
                              "        super().__init__()\n"
                              "        self.a = nn.Linear(n, 20)\n"
                              "    def forward(self, x):\n"
                              "        d = {}\n"
                              "        for k in x:\n"
                              "            d[k] = [i for i in range(3)]\n"
                              "        return self.a(x) if self.training else d\n"
                              "net = Net()\n"
                              "y = net(torch.zeros(4, 11))\n"
                              "try:\n"
                              "    z = torch.cat([y, y], 1)\n"
                              "except ValueError as e:\n"
                              "    z = str(e) + 'x'\n";

/* Memory may be gone at any time: nothing leaks, nothing crashes; what had to be given up is
 * either an error or "cannot tell". */
static void a_check_survives_a_lack_of_memory(void **state)
{
    (void)state;
    struct lw_check_rules rules;
    struct lw_err err = {0};
    assert_int_equal(lw_check_rules_load(&rules, NULL, &err), 0);
    struct lw_check_options options = {.seconds = 100};
    size_t found = 0, failed = 0, calls = 1;
    for (size_t n = 1; n <= calls + 17; n += n < 40 ? 1 : 17) {
        struct lw_mem mem;
        struct lw_check_result r;
        lw_mem_init(&mem, 0);
        mem.fail_at = n;
        mem.fail_all_after = n % 2 == 0;
        struct lw_ctx ctx = context(&mem, 1);
        lw_check_result_init(&r, &mem);
        int rc =
            lw_check_text(&r, &ctx, &rules, &options, LW_S("in.py"), lw_str(program), &err);
        assert_true(rc == 0 || rc == LW_ENOMEM);
        found += r.findings.n > 0;
        failed += rc < 0;
        lw_check_result_release(&r);
        assert_int_equal(atomic_load(&mem.used), 0);
        if (atomic_load(&mem.calls) > calls)
            calls = atomic_load(&mem.calls);
    }
    assert_true(found > 0);
    assert_true(failed > 10);
    assert_true(calls > 100);
    lw_check_rules_release(&rules);
}

/* The memory of a file ends in the middle of anything, a message too: what is reported is
 * whole. */
static void findings_are_whole_when_memory_ends(void **state)
{
    (void)state;
    struct lw_check_rules rules;
    struct lw_err err = {0};
    assert_int_equal(lw_check_rules_load(&rules, NULL, &err), 0);
    size_t all = 0, fewer = 0;
    for (size_t memory = 1 << 20; memory > 512; memory = memory * 127 / 128) {
        struct lw_check_options options = {.seconds = 100, .memory = memory};
        struct lw_check_result r;
        struct lw_ctx ctx = context(NULL, 1);
        lw_check_result_init(&r, NULL);
        int rc =
            lw_check_text(&r, &ctx, &rules, &options, LW_S("in.py"), lw_str(program), &err);
        assert_true(rc == 0 || rc == LW_ENOMEM);
        for (size_t i = 0; i < r.findings.n; i++) {
            assert_true(r.findings.v[i].message.n > 0);
            assert_true(r.findings.v[i].rule.n > 0);
        }
        all = r.findings.n > all ? r.findings.n : all;
        fewer += r.findings.n < all;
        lw_check_result_release(&r);
    }
    assert_true(all > 0);
    assert_true(fewer > 10);
    lw_check_rules_release(&rules);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(joins_keep_what_both_have),
        cmocka_unit_test(widening_leaves_no_bound_that_moves),
        cmocka_unit_test(dicts_do_not_grow_with_every_join),
        cmocka_unit_test(values_inside_themselves_can_be_joined),
        cmocka_unit_test(tuples_of_tuples_are_not_walked_to_their_end),
        cmocka_unit_test(branches_are_taken_back_and_joined),
        cmocka_unit_test(dead_variables_leave_the_trail),
        cmocka_unit_test(a_module_is_parsed_once),
        cmocka_unit_test(unused_modules_go_when_room_is_short),
        cmocka_unit_test(threads_share_modules),
        cmocka_unit_test(modules_survive_a_lack_of_memory),
        cmocka_unit_test(comments_silence_findings),
        cmocka_unit_test(requirements_give_versions),
        cmocka_unit_test(the_nearest_requirements_count),
        cmocka_unit_test(gitignore_files_are_respected),
        cmocka_unit_test(the_number_of_threads_changes_nothing),
        cmocka_unit_test(a_check_survives_a_lack_of_memory),
        cmocka_unit_test(findings_are_whole_when_memory_ends),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(all, NULL, NULL);
}
