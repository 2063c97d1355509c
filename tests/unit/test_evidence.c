#include "check.h"

#include "base/err.h"
#include "check/engine/evidence.h"

struct fixture {
    struct lw_arena arena;
    struct lw_tree tree;
    struct lw_names names;
    struct evidence e;
};

static int gather(struct fixture *f, struct lw_mem *mem, struct lw_str text)
{
    struct lw_err err;
    lw_arena_init(&f->arena, mem, 0);
    lw_tree_init(&f->tree, mem);
    lw_names_init(&f->names, mem);
    lw_map_init(&f->e.words, mem);
    int rc = lw_tree_parse(&f->tree, text, &err);
    if (rc == 0)
        rc = lw_names_build(&f->names, &f->tree, &err);
    return rc ? rc : evidence_gather(&f->e, &f->arena, mem, &f->names, &err);
}

static void release(struct fixture *f)
{
    evidence_release(&f->e);
    lw_names_release(&f->names);
    lw_tree_release(&f->tree);
    lw_arena_release(&f->arena);
}

static bool shows(const char *text, const char *question)
{
    struct fixture f;
    assert_int_equal(gather(&f, NULL, lw_str(text)), 0);
    bool answer = evidence_shows(&f.e, question);
    release(&f);
    return answer;
}

static void names_of_every_kind(void **state)
{
    (void)state;
    assert_true(shows("x = 1", "name x"));
    assert_true(shows("def f(mode): pass", "name mode"));
    assert_true(shows("def train_step(): pass", "def train_step"));
    assert_true(shows("class Net: pass", "def Net"));
    assert_false(shows("train_step()", "def train_step"));
    assert_true(shows("p.requires_grad", "name requires_grad"));
    assert_true(shows("f(strict=s)", "name strict"));
    assert_false(shows("xy = 1", "name x"));
    assert_true(shows("if cuda: pass", "variable cuda"));
    assert_false(shows("import torch.cuda\ntorch.cuda.x()", "variable cuda"));
}

static void comments_texts_and_dead_code_show_nothing(void **state)
{
    (void)state;
    assert_false(shows("# loss.backward()\n", "call backward"));
    assert_false(shows("print('loss.backward() is called')", "call backward"));
    assert_false(shows("if False:\n    loss.backward()\n", "call backward"));
    assert_false(shows("if 0:\n    a = 1\n    loss.backward()\n", "name backward"));
    assert_true(shows("if 0:\n    a = 1\nelse:\n    loss.backward()\n", "call backward"));
}

static void calls_and_methods(void **state)
{
    (void)state;
    assert_true(shows("loss.backward()", "call backward"));
    assert_true(shows("loss.backward()", "call .backward"));
    assert_true(shows("eval(text)", "call eval"));
    assert_false(shows("eval(text)", "call .eval"));
    assert_false(shows("f = loss.backward", "call backward"));
    assert_true(shows("net.train(False)", "call train(False)"));
    assert_false(shows("net.train(True)", "call train(False)"));
    assert_true(shows("net.train()", "call train()"));
    assert_false(shows("net.train(data)", "call train()"));
    assert_false(shows("net.train(data=x)", "call train()"));
    assert_true(shows("p.grad.zero_()", "call grad.zero_"));
}

static void values_that_are_given(void **state)
{
    (void)state;
    assert_true(shows("f(reuse = True)", "keyword reuse=True"));
    assert_true(shows("f(side='left')", "keyword side=left"));
    assert_false(shows("f(reuse=r)", "keyword reuse=True"));
    assert_true(shows("p.grad = None", "attribute grad=None"));
    assert_true(shows("p.grad = x", "attribute grad="));
    assert_false(shows("y = p.grad", "attribute grad="));
    assert_true(shows("x = y / 255.0", "number 255"));
    assert_true(shows("x = y / 255", "number 255"));
    assert_false(shows("x = y / 255.5", "number 255"));
    assert_true(shows("a.index[3]", "subscript index"));
    assert_true(shows("x['labels'] = y", "text labels"));
    assert_false(shows("x['all labels'] = y", "text labels"));
}

static void imports_give_full_names(void **state)
{
    (void)state;
    assert_true(shows("import apex.amp", "import apex"));
    assert_true(shows("from apex import amp", "import apex"));
    assert_true(
        shows("from torch.autograd import grad\ngrad(y, x)", "call torch.autograd.grad"));
    assert_true(shows("from torch.autograd import grad as g\ng(y)", "call autograd.grad"));
    assert_true(shows("import torch.nn.functional as F\nF.relu(x)", "call functional.relu"));
    assert_true(shows("import torch\ntorch.autograd.grad(y)", "call torch.autograd.grad"));
    assert_true(shows("import tensorflow as tf\n@tf.function\ndef f(): pass",
                      "attribute tensorflow.function"));
    assert_false(shows("import torch", "import torchvision"));
}

static void stars_stand_for_letters(void **state)
{
    (void)state;
    assert_true(shows("import torchvision", "name torch*"));
    assert_true(shows("ModelCheckpoint()", "call *Checkpoint"));
    assert_true(shows("differential_privacy = 1", "name *rivac*"));
    assert_false(shows("differential_privacy = 1", "name rivac*"));
    assert_true(shows("from . import a", "import *"));
    assert_false(shows("a = 1", "import *"));
    assert_true(evidence_is_question(LW_S("call .eval")));
    assert_false(evidence_is_question(LW_S("backward")));
    assert_false(evidence_is_question(LW_S("call ")));
    assert_false(evidence_is_question(LW_S("sees backward")));
}

static void odd_programs_are_read(void **state)
{
    (void)state;
    assert_true(shows("import\nfrom . import a\nfrom .b import *\nimport c.\nx.", "name a"));
    assert_true(shows("a.b.c.d.e.f.g.h.i.j()", "call i.j"));
    assert_false(shows("", "name a"));
}

static int gather_once(struct lw_mem *mem, void *data)
{
    struct fixture f;
    (void)data;
    int rc = gather(&f, mem,
                    LW_S("import a.b as c\nfrom d.e import f\nc.g(h=1)\nf(True)\ni.j = 'k'\n"));
    release(&f);
    return rc;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_every_allocation(gather_once, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_of_every_kind),
    cmocka_unit_test(comments_texts_and_dead_code_show_nothing),
    cmocka_unit_test(calls_and_methods),
    cmocka_unit_test(values_that_are_given),
    cmocka_unit_test(imports_give_full_names),
    cmocka_unit_test(stars_stand_for_letters),
    cmocka_unit_test(odd_programs_are_read),
    cmocka_unit_test(memory_may_run_out),
};

CHECK_MAIN(tests)
