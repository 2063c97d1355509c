#include "check.h"

#include "source/edit_fix.h"
#include "source/edit_patch.h"
#include "source/edit_shape.h"

struct change {
    struct lw_tree a, b;
    struct lw_names x, y;
    struct lw_treediff d;
};

static int open_bounded(struct change *c, struct lw_mem *mem, const char *old_text,
                        const char *new_text, uint64_t most_work)
{
    struct lw_err err;
    lw_tree_init(&c->a, mem);
    lw_tree_init(&c->b, mem);
    lw_names_init(&c->x, mem);
    lw_names_init(&c->y, mem);
    lw_treediff_init(&c->d, mem);
    c->d.most_work = most_work;
    int rc = lw_tree_parse(&c->a, lw_str(old_text), &err);
    if (rc == 0)
        rc = lw_tree_parse(&c->b, lw_str(new_text), &err);
    if (rc == 0)
        rc = lw_names_build(&c->x, &c->a, &err);
    if (rc == 0)
        rc = lw_names_build(&c->y, &c->b, &err);
    return rc < 0 ? rc : lw_treediff_build(&c->d, &c->a, &c->b, &err);
}

static int open_change(struct change *c, struct lw_mem *mem, const char *old_text,
                       const char *new_text)
{
    return open_bounded(c, mem, old_text, new_text, 0);
}

static void close_change(struct change *c)
{
    lw_treediff_release(&c->d);
    lw_names_release(&c->x);
    lw_names_release(&c->y);
    lw_tree_release(&c->a);
    lw_tree_release(&c->b);
}

/* ---- Scripts ---------------------------------------------------------------------------- */

/* The script as "kind Node text" lines; it must be exact. */
static void check_bounded(const char *old_text, const char *new_text, uint64_t most_work,
                          const char *expected)
{
    struct change c;
    struct lw_buf b;
    struct lw_err err;
    bool exact;
    lw_buf_init(&b, NULL, 0);
    assert_int_equal(open_bounded(&c, NULL, old_text, new_text, most_work), 0);
    assert_int_equal(lw_treediff_check(&c.d, &exact, &err), 0);
    assert_true(exact);
    assert_int_equal(c.d.coarse, most_work == 1);
    for (size_t i = 0; i < c.d.edits.n; i++) {
        const struct lw_edit *e = &c.d.edits.v[i];
        struct lw_tree *t = e->old_node == LW_NO_NODE ? &c.b : &c.a;
        uint32_t node = e->old_node == LW_NO_NODE ? e->new_node : e->old_node;
        (void)lw_buf_addf(&b, "%s %s %.*s\n", lw_edit_kind_name((enum lw_edit_kind)e->kind),
                          lw_node_kind_name(lw_tree_kind(t, node)),
                          LW_F(lw_tree_text(t, node)));
    }
    assert_string_equal(lw_buf_z(&b), expected);
    lw_buf_release(&b);
    close_change(&c);
}

static void check_script(const char *old_text, const char *new_text, const char *expected)
{
    check_bounded(old_text, new_text, 0, expected);
}

static void scripts(void **state)
{
    (void)state;
    check_script("x = 1\n", "x = 1\n", "");
    check_script("x = f(1)\n", "# new\nx  =  (f( 1, ))\n", "");
    check_script("x = a\n", "x = b\n", "update Name a\n");
    check_script("x = a + 1\n", "x = a - 1\n", "update BinOp a + 1\n");
    check_script("f(a)\n", "f(a, b)\n", "insert Name b\n");
    check_script("f(a, k=1)\n", "f(a, j=2, k=1)\n", "insert keyword j=2\n");
    check_script("x = a\n", "x = int(a)\n",
                 "insert Call int(a)\ninsert Name int\nmove Name a\n");
    check_script("x = int(a)\n", "x = a\n", "move Name a\ndelete Call int(a)\n");
    check_script("a = 1\nb = 2\nc = 3\n", "b = 2\nc = 3\na = 1\n", "move Assign a = 1\n");
    check_script(
        "def f():\n    return g(x)\n", "def f():\n    if x:\n        return g(x)\n",
        "insert If if x:\n        return g(x)\ninsert Name x\nmove Return return g(x)\n");
    check_script("import a\n", "", "delete Import import a\n");
    check_script("", "import a\n", "insert Import import a\n");
    check_script("if a:\n    b\n", "if a:\n    b\nelse:\n    c\n", "insert Expr c\n");
    check_script("def f(a):\n  pass\n", "@d\nasync def f(a):\n  pass\n",
                 "update FunctionDef def f(a):\n  pass\ninsert Name d\n");
}

/* What a careful person would say happened, where pieces are found again. */
static void scripts_keep_what_stayed(void **state)
{
    (void)state;
    check_script("x = f(a)\n", "x: int = f(a)\n",
                 "update Assign x = f(a)\nmove Name x\ninsert Name int\n");
    check_script("return f(a, b)\n", "y = f(a, b)\nlog()\nreturn y\n",
                 "update Return return f(a, b)\ninsert Name y\ninsert Expr log()\n"
                 "insert Return return y\n");
    check_script("x = a.b.c\n", "x = a.b.c.d(e)\n",
                 "insert Call a.b.c.d(e)\ninsert Attribute a.b.c.d\nmove Attribute a.b.c\n"
                 "insert Name e\n");
    check_script("f(a=dict(b=1, c=(2, 3)))\n", "f(b=1, c=(2, 3))\n",
                 "move keyword b=1\nmove keyword c=(2, 3)\n"
                 "delete keyword a=dict(b=1, c=(2, 3))\n");
    check_script("import a.b as c\n", "from a import b as c\n",
                 "update Import import a.b as c\nupdate alias a.b as c\n");
    check_script("step(a, k=False)\n", "with e:\n    step(b, k=False)\n",
                 "insert With with e:\n    step(b, k=False)\ninsert withitem e\n"
                 "move Expr step(a, k=False)\nupdate Name a\n");
    check_script("x = y\n", "x = self.y\n", "update Name y\ninsert Name self\n");
    check_script("import a.b.c.d\n", "import a.c.d\n", "update alias a.b.c.d\n");
}

/* The words of an update are counted as they come and go, not by their place. */
static void updates_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        uint32_t tokens;
    } cases[] = {
        {"import a.b.c.d\n", "import a.c.d\n", 2},
        {"x = 'a' 'b' 'c'\n", "x = 'b' 'c'\n", 1},
        {"x = y\n", "x = self.y\n", 2}, /* . and self */
        {"return y\n", "x = y\n", 3},   /* return goes, x and = come */
        {"def f(): pass\n", "async def f(): pass\n", 1},
        {"x = f(a)\n", "x: int = f(a)\n", 3}, /* : and int, and x is the only target */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct change c;
        assert_int_equal(open_change(&c, NULL, cases[i].a, cases[i].b), 0);
        assert_int_equal(lw_treediff_size(&c.d), cases[i].tokens);
        close_change(&c);
    }
}

/* Beyond the bound nothing is replaced whole that a token difference keeps. */
static void tokens_decide_beyond_the_bound(void **state)
{
    (void)state;
    check_bounded("x = f(a, b)\ny = g(c)\n", "x = f(a, d)\nz = 1\ny = g(c, e)\n", 1,
                  "update Name b\ninsert Assign z = 1\ninsert Name e\n");
    check_bounded("def f(a):\n    return a.b(1, 2)\n", "def g(a):\n    return a.b(1, 3)\n", 1,
                  "update FunctionDef def f(a):\n    return a.b(1, 2)\nupdate Number 2\n");
    check_bounded("p = q\n", "p = q\n", 1, "");
}

/* ---- Random changes --------------------------------------------------------------------- */

static uint32_t pick(uint64_t *seed, uint32_t n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % n;
}

/* Lines from a small pool in random order and depth: much is equal, much has moved. */
static void make_text(struct lw_buf *b, uint64_t *seed)
{
    static const char *const pool[] = {
        "x = f(a, b)", "if x:",      "y = [x, y, 1]", "while y:", "return x",   "def g(a):",
        "class C(B):", "x.a = y[0]", "else:",         "import m", "f(k=1, *a)", "z = -x + y"};
    uint32_t depth = 0, n = pick(seed, 12) + 1;
    for (uint32_t i = 0; i < n; i++) {
        (void)lw_buf_fill(b, ' ', depth);
        (void)lw_buf_addz(b, pool[pick(seed, 12)]);
        (void)lw_buf_add_char(b, '\n');
        if (b->p[b->n - 2] == ':' && pick(seed, 4))
            depth++;
        else if (depth > 0 && pick(seed, 3) == 0)
            depth--;
    }
}

static void random_changes_are_exact(void **state)
{
    (void)state;
    static const uint64_t bounds[] = {0, 1, 50, 400};
    uint64_t seed = 11;
    struct lw_buf x, y;
    lw_buf_init(&x, NULL, 0);
    lw_buf_init(&y, NULL, 0);
    for (int i = 0; i < 3000; i++) {
        struct change c;
        struct lw_err err;
        bool exact = false;
        lw_buf_clear(&x);
        lw_buf_clear(&y);
        make_text(&x, &seed);
        make_text(&y, &seed);
        assert_int_equal(open_bounded(&c, NULL, lw_buf_z(&x), lw_buf_z(&y), bounds[i % 4]), 0);
        assert_int_equal(lw_treediff_check(&c.d, &exact, &err), 0);
        assert_true(exact);
        /* The check can fail: without one of its edits a script is not exact. */
        if (c.d.edits.n > 0) {
            c.d.edits.n--;
            assert_int_equal(lw_treediff_check(&c.d, &exact, &err), 0);
            assert_false(exact);
        }
        close_change(&c);
    }
    lw_buf_release(&x);
    lw_buf_release(&y);
}

/* Long lists of children stay within the bound. */
static void work_is_bounded(void **state)
{
    (void)state;
    struct lw_buf x, y;
    struct change c;
    struct lw_err err;
    bool exact;
    lw_buf_init(&x, NULL, 0);
    lw_buf_init(&y, NULL, 0);
    for (int i = 0; i < 3000; i++) {
        (void)lw_buf_addf(&x, "x%d = f(%d, a)\n", i, i);
        (void)lw_buf_addf(&y, "y%d = f(%d, b)\n", i, i);
    }
    assert_int_equal(open_change(&c, NULL, lw_buf_z(&x), lw_buf_z(&y)), 0);
    assert_int_equal(lw_treediff_check(&c.d, &exact, &err), 0);
    assert_true(exact);
    assert_true(c.d.coarse);
    /* Of each statement two names change. */
    assert_int_equal(lw_treediff_size(&c.d), 3000 * 2 * 2);
    assert_true(c.d.work < 2000000 + 400ull * (c.a.nodes.n + c.b.nodes.n));
    close_change(&c);
    lw_buf_release(&x);
    lw_buf_release(&y);
}

/* ---- Shapes ----------------------------------------------------------------------------- */

static void make_shape(struct lw_edit_shape *s, const char *old_text, const char *new_text)
{
    struct change c;
    struct lw_err err;
    lw_edit_shape_init(s, NULL);
    assert_int_equal(open_change(&c, NULL, old_text, new_text), 0);
    assert_int_equal(lw_edit_shape_add(s, &c.d, &c.x, &c.y, &err), 0);
    lw_edit_shape_finish(s);
    close_change(&c);
}

static void similarity(void **state)
{
    (void)state;
    struct lw_edit_shape s[4];
    struct lw_edit_index x;
    struct lw_edit_hit hits[2];
    struct lw_err err;
    size_t count;
    make_shape(&s[0], "import numpy as np\ndef f(img):\n    return np.zeros(3)\n",
               "import numpy as np\ndef f(img):\n    return np.zeros(3, dtype=img.dtype)\n");
    /* Other local names and literals, other spelling of the import: the same. */
    make_shape(&s[1], "import numpy\ndef g(pic):\n    return numpy.zeros(77)\n",
               "import numpy\ndef g(pic):\n    return numpy.zeros(77, dtype=pic.dtype)\n");
    make_shape(&s[2], "def f(a):\n    a.train()\n", "def f(a):\n    a.eval()\n");
    make_shape(&s[3], "x = 1\n", "x = 1\n");
    assert_true(lw_edit_similarity(&s[0], &s[0]) > 0.999999);
    assert_true(lw_edit_similarity(&s[0], &s[1]) > 0.95);
    assert_true(lw_edit_similarity(&s[0], &s[2]) < 0.2);
    assert_true(lw_edit_similarity(&s[3], &s[3]) == 0);
    lw_edit_index_init(&x, NULL);
    for (int i = 1; i < 4; i++)
        assert_int_equal(lw_edit_index_add(&x, &s[i], &err), 0);
    assert_int_equal(lw_edit_index_find(&x, &s[0], hits, 2, &count, &err), 0);
    assert_true(count >= 1 && hits[0].shape == 0 && hits[0].similarity > 0.9);
    lw_edit_index_release(&x);
    for (int i = 0; i < 4; i++)
        lw_edit_shape_release(&s[i]);
}

/* ---- Hunks ------------------------------------------------------------------------------ */

static void check_sort(const char *path, const char *old_text, const char *new_text,
                       const char *expected)
{
    struct change c;
    struct lw_buf b;
    struct lw_err err;
    lw_fix_vec hunks = {0};
    lw_buf_init(&b, NULL, 0);
    assert_int_equal(open_change(&c, NULL, old_text, new_text), 0);
    assert_int_equal(lw_fix_hunks(&hunks, NULL, lw_str(path), &c.d, &c.a, &c.b, &err), 0);
    for (size_t i = 0; i < hunks.n; i++)
        (void)lw_buf_addf(&b, "%s ", lw_fix_sort_name((enum lw_fix_sort)hunks.v[i].sort));
    assert_string_equal(lw_buf_z(&b), expected);
    lw_vec_release(NULL, &hunks);
    lw_buf_release(&b);
    close_change(&c);
}

static void hunks_are_sorted(void **state)
{
    (void)state;
    const char *old_text =
        "import a\n\ndef f(x):\n    \"\"\"Doc.\"\"\"\n    # old\n    y = g(x)\n"
        "    return y\n\nz = [1,\n  2]\n";
    const char *new_text = "import a, b\n\ndef f(x):\n    \"\"\"More.\"\"\"\n    # new\n"
                           "    y = g(x)\n    return y + 1\n\nz = [1, 2]\n";
    check_sort("m.py", old_text, new_text, "import docstring code formatting ");
    check_sort("m.py", "# a\nx = 1\n", "# b\nx = 1\n", "comment ");
    check_sort("m.py", "x = 1 # a\n", "x = 2 # b\n", "code ");
    check_sort("tests/m.py", "x = 1\n", "x = 2\n", "test ");
    check_sort("README", "x = 1\n", "x = 2\n", "other ");
    check_sort("m.py", "x = 1\n", "x = 1\n", "");
}

static void patches(void **state)
{
    (void)state;
    struct lw_patch p;
    struct lw_buf out;
    struct lw_err err;
    const char *text =
        "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@ head\n a\n+b\n c\n"
        "@@ -4 +5,0 @@\n-e\n";
    lw_patch_init(&p, NULL);
    lw_buf_init(&out, NULL, 0);
    assert_int_equal(lw_patch_parse(&p, lw_str(text), &err), 0);
    assert_int_equal(p.files.n, 1);
    assert_int_equal(p.hunks.n, 2);
    assert_str(p.files.v[0].new_path, "f");
    assert_int_equal(lw_patch_apply(&p, 0, LW_S("a\nc\nd\ne\nf\n"), &out, &err), 0);
    assert_string_equal(lw_buf_z(&out), "a\nb\nc\nd\nf\n");
    lw_buf_clear(&out);
    assert_int_equal(lw_patch_apply(&p, 0, LW_S("a\nx\n"), &out, &err), LW_EINVAL);
    assert_int_equal(lw_patch_parse(&p, LW_S("--- a\n+++ b\n@@ -1,2 +1 @@\n a\n"), &err),
                     LW_EINVAL);
    lw_buf_release(&out);
    lw_patch_release(&p);
}

/* ---- Memory ----------------------------------------------------------------------------- */

static int everything(struct lw_mem *mem, void *data)
{
    (void)data;
    struct change c;
    struct lw_edit_shape s;
    struct lw_edit_index x;
    struct lw_edit_hit hit;
    struct lw_err err;
    lw_fix_vec hunks = {0};
    size_t count;
    bool exact;
    lw_edit_shape_init(&s, mem);
    lw_edit_index_init(&x, mem);
    int rc = open_change(&c, mem, "import m as n\ndef f(a):\n    return n.g(a) + 1\nx = f(2)\n",
                         "import m as n\nx = f(2)\ndef f(a, b):\n    return n.h(int(a))\n");
    if (rc == 0)
        rc = lw_treediff_check(&c.d, &exact, &err);
    if (rc == 0)
        rc = lw_edit_shape_add(&s, &c.d, &c.x, &c.y, &err);
    if (rc == 0) {
        lw_edit_shape_finish(&s);
        rc = lw_edit_index_add(&x, &s, &err);
    }
    if (rc == 0)
        rc = lw_edit_index_find(&x, &s, &hit, 1, &count, &err);
    if (rc == 0) {
        (void)lw_tree_position(&c.a, 9);
        (void)lw_tree_position(&c.b, 9);
        rc = c.a.lines.n && c.b.lines.n ? 0 : LW_ENOMEM;
    }
    if (rc == 0)
        rc = lw_fix_hunks(&hunks, mem, LW_S("m.py"), &c.d, &c.a, &c.b, &err);
    lw_vec_release(mem, &hunks);
    lw_edit_index_release(&x);
    lw_edit_shape_release(&s);
    close_change(&c);
    return rc;
}

static void every_allocation(void **state)
{
    (void)state;
    check_every_allocation(everything, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(scripts),
    cmocka_unit_test(scripts_keep_what_stayed),
    cmocka_unit_test(updates_are_counted),
    cmocka_unit_test(tokens_decide_beyond_the_bound),
    cmocka_unit_test(random_changes_are_exact),
    cmocka_unit_test(work_is_bounded),
    cmocka_unit_test(similarity),
    cmocka_unit_test(hunks_are_sorted),
    cmocka_unit_test(patches),
    cmocka_unit_test(every_allocation),
};

CHECK_MAIN(tests)
