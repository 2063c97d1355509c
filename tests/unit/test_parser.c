#include "check.h"

#include "../fuzz/source_invariants.h"
#include "source/metrics.h"
#include "source/names.h"
#include "source/units.h"

static void parse(struct lw_tree *t, struct lw_str text)
{
    struct lw_err err;
    lw_tree_init(t, NULL);
    assert_int_equal(lw_tree_parse(t, text, &err), 0);
    check_tokens(&t->lexed);
    check_tree(t);
}

/* The n-th node of the kind in text order. */
static uint32_t nth(const struct lw_tree *t, enum lw_node_kind kind, int n)
{
    for (uint32_t i = t->root; i != LW_NO_NODE; i = lw_tree_next(t, t->root, i, false))
        if (lw_tree_kind(t, i) == kind && n-- == 0)
            return i;
    fail_msg("no such node");
    return LW_NO_NODE;
}

static void children_are_found_by_role(void **state)
{
    (void)state;
    struct lw_tree t;
    parse(&t, LW_S("@d\nasync def f(a, *, b=1) -> int:\n    return g(x, y=2, *z)\n"));
    uint32_t f = nth(&t, LW_NODE_FUNCTION, 0);
    assert_str(lw_tree_name(&t, f), "f");
    assert_str(lw_tree_token_text(&t, lw_tree_def_token(&t, f)), "async");
    assert_str(lw_tree_text(&t, lw_tree_get(&t, f, LW_ROLE_RETURNS)), "int");
    assert_str(lw_tree_text(&t, lw_tree_get(&t, f, LW_ROLE_DECORATORS)), "d");
    uint32_t call = nth(&t, LW_NODE_CALL, 0);
    assert_str(lw_tree_text(&t, lw_tree_get(&t, call, LW_ROLE_FUNC)), "g");
    assert_int_equal(lw_tree_count(&t, call, LW_ROLE_ARGS), 2);
    uint32_t keyword = lw_tree_get(&t, call, LW_ROLE_KEYWORDS);
    assert_str(lw_tree_name(&t, keyword), "y");
    assert_int_equal(lw_tree_enclosing(&t, keyword, LW_NODE_FUNCTION), f);
    assert_int_equal(lw_tree_kind(&t, lw_tree_statement(&t, keyword)), LW_NODE_RETURN);
    uint32_t b = nth(&t, LW_NODE_PARAM, 1);
    assert_int_equal(lw_tree_node(&t, b)->op, LW_PARAM_KEYWORD);
    lw_tree_release(&t);
}

static void a_byte_is_found(void **state)
{
    (void)state;
    struct lw_tree t;
    struct lw_str text = LW_S("x = 1\r\nif y:\r\n  z(abc)\r\n");
    parse(&t, text);
    uint32_t at = (uint32_t)lw_str_find(text, LW_S("abc")) + 1;
    assert_str(lw_tree_text(&t, lw_tree_at(&t, at)), "abc");
    struct lw_position p = lw_tree_position(&t, at);
    assert_int_equal(p.line, 3);
    assert_int_equal(p.column, 5);
    assert_int_equal(lw_tree_at(&t, 5), t.root);
    lw_tree_release(&t);
}

static char *fill(const char *head, const char *piece, size_t count, const char *tail,
                  size_t *n)
{
    size_t a = strlen(head), b = strlen(piece), c = strlen(tail);
    char *p = malloc(a + b * count + c + 1);
    assert_non_null(p);
    memcpy(p, head, a);
    for (size_t i = 0; i < count; i++)
        memcpy(p + a + i * b, piece, b);
    memcpy(p + a + b * count, tail, c + 1);
    *n = a + b * count + c;
    return p;
}

/* Chains of any length are fine; nesting beyond the limit is an error, not a crash. */
static void long_and_deep_texts(void **state)
{
    (void)state;
    static const struct {
        const char *head, *piece, *tail;
        size_t count;
        bool error;
    } cases[] = {
        {"x = a", " + a", "\n", 100000, false},
        {"if a: pass\n", "elif b: pass\n", "else: pass\n", 100000, false},
        {"x = [", "1, ", "]\n", 1700000, false}, /* one line of 5 MB */
        {"x = ", "(", "\n", 100000, true},
        {"x = ", "[", "\n", 100000, true},
        {"x = ", "-", "1\n", 100000, true},
        {"x = ", "not ", "1\n", 100000, true},
        {"x = ", "lambda: ", "1\n", 100000, true},
        {"x = 1", " if a else 1", "\n", 100000, true},
        {"x = 2", " ** 2", "\n", 100000, true},
        {"x = ", "await ", "y\n", 100000, true},
        {"x = a", ".b", "\n", 100000, false},
        {"x = a", "()", "\n", 100000, false},
        {"x = a", " and a", "\n", 100000, false},
        {"match x:\n case ", "[", "\n", 100000, true},
        {"x = ", "f'{", "\n", 1000, true},
        {"", "class A: x = 1; ", "\n", 10000, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n;
        char *text = fill(cases[i].head, cases[i].piece, cases[i].count, cases[i].tail, &n);
        struct lw_tree t;
        parse(&t, lw_str_n(text, n));
        assert_int_equal(t.lexed.errors.n > 0, cases[i].error);
        lw_tree_release(&t);
        free(text);
    }
}

static void a_tree_is_small(void **state)
{
    (void)state;
    size_t n;
    char *text =
        fill("", "def f(self, x, y=1):\n    return self.a[x] + y * (x - 1)\n", 1000, "", &n);
    struct lw_tree t;
    parse(&t, lw_str_n(text, n));
    /* Denser than any real file, which need 3 to 4 bytes a byte; see bench/source/speed.py. */
    assert_true(lw_tree_bytes(&t) < 16 * n);
    lw_tree_release(&t);
    free(text);
}

static int all_with(struct lw_mem *mem, void *data)
{
    struct lw_tree t;
    struct lw_names names;
    struct lw_units units;
    struct lw_err err;
    lw_metrics_vec rows = {0};
    lw_tree_init(&t, mem);
    lw_names_init(&names, mem);
    lw_units_init(&units, mem);
    int rc = lw_tree_parse(&t, lw_str(data), &err);
    /* Positions fall back to line 1 without memory for the line table; that is no failure of
     * theirs, but one here. */
    if (rc == 0) {
        (void)lw_tree_position(&t, 0);
        rc = t.lines.n == 0 ? LW_ENOMEM : 0;
    }
    if (rc == 0)
        rc = lw_names_build(&names, &t, &err);
    if (rc == 0)
        rc = lw_units_build(&units, &names, &err);
    if (rc == 0)
        rc = lw_metrics_build(&rows, mem, &t, &err);
    lw_vec_release(mem, &rows);
    lw_units_release(&units);
    lw_names_release(&names);
    lw_tree_release(&t);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(all_with, "import numpy as np  # c\nfrom x import *\n"
                                     "class C(B):\n  'doc'\n  def f(self, a=1):\n"
                                     "    global g\n    g = self.x = np.zeros(a + g) or foo(\n"
                                     "    return [i for i in a if not i]\nprint 1, `x`\n");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(children_are_found_by_role), cmocka_unit_test(a_byte_is_found),
    cmocka_unit_test(long_and_deep_texts),        cmocka_unit_test(a_tree_is_small),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
