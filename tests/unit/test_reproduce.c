/* Reproduction: repairs of snippets, stand-ins, what a run is compared with. */
#include "check.h"

#include <math.h>

#include "base/arena.h"
#include "base/buf.h"
#include "reproduce/guide.h"
#include "reproduce/indent.h"
#include "reproduce/minimize.h"
#include "reproduce/reproduce.h"
#include "reproduce/runner.h"
#include "reproduce/snippet.h"

/* ---- Snippets -----------------------------------------------------------------------------
 */

static void assert_indented(const char *text, const char *expected)
{
    struct lw_buf out;
    lw_buf_init(&out, NULL, 0);
    rp_indent(&out, lw_str(text));
    assert_str(lw_buf_str(&out), expected);
    lw_buf_release(&out);
}

static void indentation(void **state)
{
    (void)state;
    /* flattened to the first column */
    assert_indented("class A:\ndef f(self, x):\ny = x + 1\nreturn y\ndef g(self):\nreturn 2\n"
                    "\na = A()\n",
                    "class A:\n    def f(self, x):\n        y = x + 1\n        return y\n"
                    "    def g(self):\n        return 2\n\na = A()\n");
    /* a body level with its header; what is deeper keeps its shape */
    assert_indented(
        "class A:\n    def f(self):\n    for i in x:\n        go(i)\n    return 1\n",
        "class A:\n    def f(self):\n        for i in x:\n            go(i)\n"
        "        return 1\n");
    /* a line that looks at the outer loop only stands behind the inner one */
    assert_indented("for epoch in range(3):\nfor x, y in loader:\nstep(x, y)\nprint(epoch)\n",
                    "for epoch in range(3):\n    for x, y in loader:\n        step(x, y)\n"
                    "    print(epoch)\n");
    /* what continues a line moves with it */
    assert_indented("def f():\nreturn g(1,\n         2)\n",
                    "def f():\n    return g(1,\n             2)\n");
    assert_indented("if a:\nb()\nelse:\nc()\n", "if a:\n    b()\nelse:\n    c()\n");
}

static void assert_repaired(const char *text, const char *expected)
{
    struct lw_arena arena;
    struct rp_program p;
    struct lw_err err = {0};
    lw_arena_init(&arena, NULL, 0);
    rp_program_init(&p, &arena, NULL, NULL, 0);
    assert_int_equal(rp_snippet_repair(&p, lw_str(text), &err), 0);
    assert_str(p.body, expected);
    assert_int_equal(p.tree.lexed.errors.n, 0);
    rp_program_release(&p);
    lw_arena_release(&arena);
}

static void repairs(void **state)
{
    (void)state;
    assert_repaired("    a = 1\n    b = 2\n", "a = 1\nb = 2\n");
    assert_repaired(">>> a = 1\n>>> for i in x:\n...     f(i)\n1\n",
                    "a = 1\nfor i in x:\n    f(i)\n# 1\n");
    assert_repaired("In [1]: a = 1\nOut[1]: 1\n", "a = 1\n# Out[1]: 1\n");
    assert_repaired("[3]\na = 1\n%matplotlib inline\n", "# [3]\na = 1\n# %matplotlib inline\n");
    assert_repaired("a = \xe2\x80\x9cx\xe2\x80\x9d\n", "a = \"x\"\n");
    assert_repaired("print a, b\n", "print(a, b)\n");
    assert_repaired("a = 1\nthis is no Python at all\nb = 2\n",
                    "a = 1\n# this is no Python at all\nb = 2\n");
    assert_repaired("def f():\n    what are you\n", "def f():\n    pass  # what are you\n");
}

/* ---- Programs -----------------------------------------------------------------------------
 */

struct made {
    struct lw_arena arena;
    lw_report *report;
    struct lw_reproduction r;
};

static void make(struct made *m, const char *text, unsigned skip)
{
    const struct lw_reproduce_options options = {.skip = skip, .budget = 1, .max_tries = 1};
    const struct lw_ctx ctx = {0};
    struct lw_err err = {0};
    lw_arena_init(&m->arena, NULL, 0);
    assert_int_equal(lw_report_read(&m->report, NULL, NULL, LW_S("x"), lw_str(text), &err), 0);
    assert_int_equal(lw_reproduce(&m->r, &ctx, m->report, &options, &m->arena, &err), 0);
}

static void done(struct made *m)
{
    lw_report_free(m->report);
    lw_arena_release(&m->arena);
}

static bool says(const struct made *m, const char *text)
{
    return lw_str_find(m->r.program, lw_str(text)) >= 0;
}

static bool applied(const struct made *m, enum lw_action action)
{
    for (size_t i = 0; i < m->r.step_count; i++)
        if (m->r.steps[i].action == action)
            return true;
    return false;
}

#define LOSS                                                                           \
    "It fails\n\n```python\nmodel = nn.Sequential(nn.Linear(7, 8), nn.ReLU(), "        \
    "nn.Linear(8, 3))\nfor x, y in loader:\n    loss = F.cross_entropy(model(x), y)\n" \
    "    loss.backward()\n```\n\nRuntimeError: something is wrong\n"

static void imports_and_data(void **state)
{
    (void)state;
    struct made m;
    make(&m, LOSS, 0);
    assert_true(says(&m, "import torch.nn as nn\n"));
    assert_true(says(&m, "import torch.nn.functional as F\n"));
    assert_true(says(&m, "torch.randn(count, 7)"));         /* the first layer */
    assert_true(says(&m, "torch.randint(0, 3, (count,))")); /* the last one and the loss */
    assert_true(says(&m, "loader = torch.utils.data.DataLoader("));
    assert_true(applied(&m, LW_ACTION_IMPORT) && applied(&m, LW_ACTION_INPUT_DATA));
    assert_true(m.r.reported.is_explicit);
    assert_str(m.r.reported.message, "something is wrong");
    done(&m);
}

static void skipped(void **state)
{
    (void)state;
    struct made m;
    make(&m, LOSS, 1u << LW_ACTION_IMPORT);
    assert_false(says(&m, "import"));
    assert_false(applied(&m, LW_ACTION_IMPORT));
    assert_true(applied(&m, LW_ACTION_INPUT_DATA));
    done(&m);
}

/* What the report says about a name is what the name gets. */
static void stated(void **state)
{
    (void)state;
    struct made m;
    make(&m,
         "It fails\n\n```python\nnet = Net()\nnet(images, edges)\n```\n\n`images` is uint8 of "
         "shape "
         "(10, 3, 8, 8). `edges` is a list of tuples `[(0, 2), (1, 3), ...]`. I use PyTorch.\n",
         0);
    assert_true(says(&m, "images = torch.randint(0, 256, (10, 3, 8, 8)).to(torch.uint8)\n"));
    assert_true(says(&m, "edges = [(0, 2), (1, 3), ]\n"));
    done(&m);
}

/* A block that defines what an earlier one uses goes before it. */
static void order_of_blocks(void **state)
{
    (void)state;
    struct made m;
    make(&m,
         "It fails\n\n```python\nprint(width + 1)\n```\n\nBefore that\n\n```python\nwidth = "
         "3\n```\n",
         0);
    assert_true(lw_str_find(m.r.program, LW_S("width = 3")) <
                lw_str_find(m.r.program, LW_S("print(width")));
    done(&m);
}

/* ---- Minimizing ---------------------------------------------------------------------------
 */

/* A program fails as long as it has both of these. */
static int has_both(void *data, struct lw_str text, bool *still, bool *out_of_time,
                    struct lw_err *err)
{
    (void)err;
    ++*(size_t *)data;
    *still = lw_str_find(text, LW_S("boom(")) >= 0 && lw_str_find(text, LW_S("width = ")) >= 0;
    *out_of_time = false;
    return 0;
}

static void minimizing(void **state)
{
    (void)state;
    struct made m;
    struct rp_tables tables;
    struct rp_program p;
    struct lw_err err = {0};
    size_t runs = 0;
    struct lw_str text = LW_S("import math\n# a comment\nwidth = 640\nother = 3\n"
                              "def boom(n, log=True):\n    print(n)\n    return math.sqrt(n)\n"
                              "for i in range(9):\n    print(i)\n    boom(width, log=False)\n");
    make(&m, LOSS, 0);
    assert_int_equal(rp_tables_load(&tables, NULL, &err), 0);
    rp_program_init(&p, &m.arena, m.report, &tables, 0);
    assert_int_equal(rp_minimize(&p, &text, has_both, &runs, &err), 0);
    assert_str(text, "width = 2\ndef boom(n, log=True):\n    pass\n");
    assert_int_equal(rp_code_lines(text), 3);
    assert_in_range(runs, 5, 30);
    rp_program_release(&p);
    rp_tables_release(&tables);
    done(&m);
}

/* ---- Guidance -----------------------------------------------------------------------------
 */

/* The candidate after a run that raised `error` where `reported` was stated. */
static struct rp_candidate guided(struct rp_program *p, const char *type, const char *error,
                                  const char *reported, bool expected)
{
    struct rp_candidate c = {.message = lw_str(reported)};
    const struct lw_exception seen = {lw_str(type), lw_str(error)};
    c.facts = (struct rp_facts){.classes = 10, .samples = 64, .target = RP_TARGET_BINARY};
    c.facts.input = (struct rp_shape){{10}, 1};
    assert_int_equal(rp_guide_error(p, &c, &seen), expected);
    return c;
}

static void guidance(void **state)
{
    (void)state;
    struct lw_arena arena;
    struct rp_program p;
    lw_arena_init(&arena, NULL, 0);
    rp_program_init(&p, &arena, NULL, NULL, 0);
    struct rp_candidate c =
        guided(&p, "ModuleNotFoundError", "No module named 'a.b'", "", true);
    assert_str(c.absent, " a");
    c = guided(&p, "FileNotFoundError", "[Errno 2] No such file: 'x.csv'", "", true);
    assert_str(c.file, "x.csv");
    (void)guided(&p, "FileNotFoundError", "[Errno 2] No such file: '../x.csv'", "", false);
    (void)guided(&p, "FileNotFoundError", "[Errno 2] No such file: 'reproduce.py'", "", false);
    c = guided(&p, "ValueError", "not enough values to unpack (expected 3, got 1)", "", true);
    assert_int_equal(c.class_results, 3);
    c = guided(&p, "RuntimeError", "mat1 and mat2 shapes cannot be multiplied (32x10 and 40x8)",
               "", true);
    assert_int_equal(c.facts.input.dims[0], 40);
    c = guided(&p, "IndexError", "Target 4 is out of bounds.", "", true);
    assert_int_equal(c.facts.classes, 4);
    (void)guided(&p, "KeyError", "'what'", "", false);
    /* what is not known is asked of the report's own message */
    c = guided(&p, "KeyError", "'what'",
               "expected input[4, 3, 28, 30] to have 1 channels, but got 3 channels instead",
               true);
    assert_int_equal(c.facts.input.rank, 3);
    assert_int_equal(c.facts.input.dims[2], 30);
    c = guided(&p, "KeyError", "'what'", "expected scalar type Float but found Double", true);
    assert_str(c.facts.dtype, "float64");
    assert_int_equal(rp_guide_error(&p, &c, &(struct lw_exception){LW_S("A"), LW_S("b")}), 0);
    rp_program_release(&p);
    lw_arena_release(&arena);
}

/* ---- Comparing ----------------------------------------------------------------------------
 */

static void values(void **state)
{
    (void)state;
    double v = 0;
    assert_true(rp_same_value(0.5, 0.524) && !rp_same_value(0.5, 0.53));
    assert_true(rp_same_value(NAN, NAN) && !rp_same_value(NAN, 1) && !rp_same_value(1, NAN));
    assert_true(rp_same_value(INFINITY, INFINITY));
    assert_true(rp_metric_read(NULL, LW_S("epoch 1 accuracy 0.2\nepoch 2 accuracy 0.3\n"),
                               LW_S("accuracy"), &v));
    assert_true(v == 0.3);
    assert_true(rp_metric_read(NULL, LW_S("hello\n0.25\n"), LW_S("accuracy"), &v) && v == 0.25);
    assert_false(rp_metric_read(NULL, LW_S("hello\n"), LW_S("accuracy"), &v));
}

static int one(struct lw_mem *mem, void *data)
{
    const struct lw_reproduce_options options = {.budget = 1, .max_tries = 1};
    const struct lw_ctx ctx = {.mem = mem};
    struct lw_err err = {0};
    struct lw_arena arena;
    struct lw_reproduction r;
    lw_arena_init(&arena, mem, 0);
    int rc = lw_reproduce(&r, &ctx, data, &options, &arena, &err);
    lw_arena_release(&arena);
    return rc;
}

static void memory(void **state)
{
    (void)state;
    struct lw_err err = {0};
    lw_report *report;
    assert_int_equal(lw_report_read(&report, NULL, NULL, LW_S("x"), LW_S(LOSS), &err), 0);
    check_every_allocation(one, report);
    lw_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indentation),      cmocka_unit_test(repairs),
        cmocka_unit_test(imports_and_data), cmocka_unit_test(skipped),
        cmocka_unit_test(stated),           cmocka_unit_test(order_of_blocks),
        cmocka_unit_test(values),           cmocka_unit_test(memory),
        cmocka_unit_test(minimizing),       cmocka_unit_test(guidance),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
