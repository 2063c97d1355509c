#include "check.h"

#include "base/buf.h"
#include "knowledge/api.h"
#include "knowledge/api_text.h"
#include "knowledge/rule.h"

struct fixture {
    struct lw_dims dims;
    struct lw_apis *apis;
    struct lw_arena arena;
    struct lw_err err;
};

static int set_up(void **state)
{
    static struct fixture f;
    lw_dims_init(&f.dims, NULL);
    lw_arena_init(&f.arena, NULL, 0);
    *state = &f;
    return lw_apis_load(&f.apis, NULL, &f.dims, &f.err);
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    lw_apis_free(f->apis);
    lw_dims_release(&f->dims);
    lw_arena_release(&f->arena);
    return 0;
}

/* "value ! rule" */
static const char *evaluate(struct fixture *f, const char *call)
{
    struct lw_api_result r;
    struct lw_buf b;
    f->err.code = 0;
    if (lw_api_eval_text(f->apis, lw_str(call), &f->arena, &r, &f->err) < 0)
        return f->err.text;
    lw_buf_init(&b, NULL, 0);
    lw_v_print(&f->dims, r.value, &b);
    for (size_t i = 0; i < r.problem_count; i++)
        lw_buf_addf(&b, " ! %.*s", LW_F(r.problems[i].rule));
    const char *text = lw_arena_copy(&f->arena, lw_buf_str(&b)).p;
    lw_buf_release(&b);
    return text;
}

static void every_entry_is_understood(void **state)
{
    struct fixture *f = *state;
    if (lw_apis_check(f->apis, &f->err) < 0)
        fail_msg("%s", f->err.text);
}

static void calls_are_judged(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *call, *expected;
    } cases[] = {
        {"torch.nn.Linear(4, 3)(tensor((2, 4), float32))", "float32 (2, 3)"},
        {"torch.nn.Linear(4, 3)(tensor((2, 5), float32))",
         "float32 (2, 3) ! shape/linear-in-features"},
        {"torch.nn.Conv2d(3, 8, 3)(tensor((1, 3, 2, 9), float32))",
         "float32 (1, 8, 0, 7) ! shape/conv-nonpositive-dim"},
        {"torch.cat([tensor((2, 3), float32), tensor((2, 4), float32)], 2)",
         "float32 (2, 3) ! shape/axis-range"}, /* told once */
        {"torch.Tensor.view(tensor((4, 16, 5, 5), float32), -1, 400)", "float32 (4, 400)"},
        {"keras.layers.Dense(10)(tensor((32, 784), float32))", "float32 (32, 10)"},
        {"tensorflow.keras.layers.Dense(10)(unknown)", "float32 (..., 10)"},
        {"keras.layers.LSTM(7)(tensor((3, 4), float32))",
         "float32 (3, 7) ! shape/layer-input-rank"},
        {"tensorflow.matmul(tensor((2, 3), float32), tensor((3, 4), float64))",
         "float32 (2, 4) ! type/dtype-mix"},
        {"tensorflow.log(tensor((2, 3), float32, between(0, 1)))",
         "float32 (2, 3) ! numeric/log-of-zero"},
        {"tensorflow.log(tensor((2, 3), float32))", "float32 (2, 3)"},
        {"numpy.dot(tensor((2, 3), float64), tensor((4,), float64))",
         "float64 (2,) ! shape/matmul-inner"},
        {"torch.nn.Linear(4)", "torch.nn.Linear ! api/missing-argument"},
        {"torch.nn.Linear(4, 3, outs=2)", "torch.nn.Linear ! api/unknown-argument"},
        {"torch.nn.Linear(4, 'x')", "torch.nn.Linear ! type/argument-kind"},
        {"keras.layers.Dense(4, activation='rleu')", "keras.layers.Dense ! api/unknown-choice"},
        {"keras.layers.Dense(output_dim=4)", "keras.layers.Dense ! api/renamed-argument"},
        {"torch.no_such_thing(1)", "no entry 'torch.no_such_thing'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(evaluate(f, cases[i].call), cases[i].expected);
}

static void names_have_aliases_and_versions(void **state)
{
    struct fixture *f = *state;
    struct lw_api_use use;
    const struct lw_api *dense = lw_api_find(f->apis, LW_S("keras.layers.Dense"), NULL);
    assert_non_null(dense);
    assert_ptr_equal(
        dense, lw_api_find(f->apis, LW_S("tensorflow.python.keras.layers.core.Dense"), NULL));
    assert_ptr_equal(lw_api_find(f->apis, LW_S("torch.relu_"), NULL),
                     lw_api_find(f->apis, LW_S("torch.relu"), NULL));
    assert_non_null(lw_api_find(f->apis, LW_S("tensorflow.log"), &use));
    assert_str(use.removed, "2.0");
    assert_str(use.instead, "tensorflow.math.log");
    assert_str(use.package, "tensorflow");
    assert_non_null(lw_api_find(f->apis, LW_S("numpy.int"), &use));
    assert_str(use.deprecated, "1.20");
    const struct lw_api *relu = lw_api_find_choice(f->apis, LW_S("activation"), LW_S("relu"));
    assert_non_null(relu);
    assert_str(lw_api_fact(relu, "activation"), "relu");
    assert_null(lw_api_find_choice(f->apis, LW_S("activation"), LW_S("nonsense")));
    assert_str(lw_api_nearest(f->apis, LW_S("tensorflow.keras.layers"), LW_S("Densse")),
               "Dense");
}

static void methods_are_found_through_bases(void **state)
{
    struct fixture *f = *state;
    const struct lw_api *linear = lw_api_find(f->apis, LW_S("torch.nn.Linear"), NULL);
    const struct lw_api *method = lw_api_method(f->apis, linear, LW_S("parameters"), NULL);
    assert_non_null(method);
    assert_str(method->name, "torch.nn.Module.parameters");
    assert_null(lw_api_method(f->apis, linear, LW_S("nothing_like_it"), NULL));
    assert_true(lw_api_is_a(f->apis, linear, LW_S("torch.nn.Module")));
    assert_false(lw_api_is_a(f->apis, linear, LW_S("keras.layers.Layer")));
    assert_non_null(lw_api_tensor_method(f->apis, LW_TORCH, LW_S("view"), NULL));
    assert_non_null(lw_api_tensor_method(f->apis, LW_NUMPY, LW_S("astype"), NULL));
    assert_null(lw_api_tensor_method(f->apis, LW_NUMPY, LW_S("unsqueeze"), NULL));
}

static void lists_of_names_are_known(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(lw_api_has_member(f->apis, LW_S("torch.nn.Conv2d")), LW_TRI_YES);
    assert_int_equal(lw_api_has_member(f->apis, LW_S("torch.nn.Conv2D")), LW_TRI_NO);
    assert_int_equal(lw_api_has_member(f->apis, LW_S("torch.Tensor.expand_dims")), LW_TRI_NO);
    assert_int_equal(lw_api_has_member(f->apis, LW_S("numpy._private")), LW_TRI_MAYBE);
    assert_int_equal(lw_api_has_member(f->apis, LW_S("other.thing")), LW_TRI_MAYBE);
    assert_int_equal(lw_api_tensorflow_symbol(LW_S("tf.nn.relu")), 63);
    assert_int_equal(lw_api_tensorflow_symbol(LW_S("tensorflow.placeholder")), 31);
    assert_int_equal(lw_api_tensorflow_symbol(LW_S("tensorflow.nonsense")), -1);
    assert_int_equal(lw_api_tensorflow_symbol(LW_S("tf.AttrValue")), 31);
    assert_int_equal(lw_api_tensorflow_symbol(LW_S("x")), -1);
}

static void operators_work_on_mixed_operands(void **state)
{
    struct fixture *f = *state;
    struct lw_tensor t = lw_tensor_unknown(LW_TORCH);
    t.shape = lw_shape_of_rank(2);
    t.shape.d[0] = t.shape.d[1] = lw_dim_int(3);
    t.dtype = LW_I64;
    struct lw_api_call where = {.arena = &f->arena};
    struct lw_api_result r;
    assert_int_equal(lw_api_operator(f->apis, LW_S("+"), lw_v_tensor(&f->arena, &t),
                                     lw_v_float(0.5), &where, &r, &f->err),
                     0);
    assert_int_equal(r.value.kind, LW_V_TENSOR);
    assert_int_equal(r.value.tensor->dtype, LW_F32);
    assert_int_equal(r.value.tensor->framework, LW_TORCH);
    assert_int_equal(lw_api_operator(f->apis, LW_S("-"), lw_v_tensor(&f->arena, &t),
                                     lw_v_absent(), &where, &r, &f->err),
                     0);
    assert_int_equal(r.value.tensor->dtype, LW_I64);
}

/* x - max(x) is at most 0, its exponentials lie in 0..1 and sum to at least 1. */
static void a_safe_softmax_is_seen(void **state)
{
    struct fixture *f = *state;
    struct lw_api_call where = {.arena = &f->arena};
    struct lw_api_result r;
    struct lw_tensor t = lw_tensor_unknown(LW_TORCH);
    t.shape = lw_shape_of_rank(2);
    t.dtype = LW_F32;
    t.range = lw_iv_unbounded(LW_WHY_NETWORK, 1);
    t.id = 1000000;
    struct lw_value x = lw_v_tensor(&f->arena, &t);
    struct lw_arg args[3] = {{.value = x},
                             {.name = LW_S("dim"), .value = lw_v_dim(lw_dim_int(1))},
                             {.name = LW_S("keepdim"), .value = lw_v_tri(LW_TRI_YES)}};
    struct lw_api_call call = {.arena = &f->arena, .args = args, .arg_count = 3};
    call.api = lw_api_find(f->apis, LW_S("torch.max"), NULL);
    assert_int_equal(lw_api_call(f->apis, &call, &r, &f->err), 0);
    assert_int_equal(r.value.kind, LW_V_TUPLE);
    assert_int_equal(
        lw_api_operator(f->apis, LW_S("-"), x, r.value.seq.items[0], &where, &r, &f->err), 0);
    assert_true(r.value.tensor->range.hi == 0);
    args[0].value = r.value;
    call.arg_count = 1;
    call.api = lw_api_find(f->apis, LW_S("torch.exp"), NULL);
    assert_int_equal(lw_api_call(f->apis, &call, &r, &f->err), 0);
    assert_int_equal(r.problem_count, 0);
    args[0].value = r.value;
    call.api = lw_api_find(f->apis, LW_S("torch.sum"), NULL);
    assert_int_equal(lw_api_call(f->apis, &call, &r, &f->err), 0);
    assert_true(r.value.tensor->range.lo == 1);
}

static void bad_tables_are_refused(void **state)
{
    struct fixture *f = *state;
    static const char *const bad[] = {
        "a.b\n  (x, x y=)\n  shape x.shape +\n",
        "a.b\n  shape nothing(1)\n",
        "a.b\n  need x ! norule \"m\"\n",
        "a.b\n  is no_family(1)\n",
        "a.b\n  shape undefined_name\n",
        "a.b\n  (x)\n  let = 3\n",
        "a.b a.b\n  (x)\n",
        "family x\n  shape (1,)\n",
        "a.b\n  (x)\n  need x ! a/b \"{x\"\n",
        "a.b\n  kind nonsense\n",
        "a.b\n  (&nothing)\n",
        "a.b\n  base no.such\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct lw_apis *apis = NULL;
        struct lw_err err = {0};
        int rc = lw_apis_load_text(&apis, NULL, &f->dims, LW_S("bad"), lw_str(bad[i]), &err);
        if (rc == 0) {
            rc = lw_apis_check(apis, &err);
            lw_apis_free(apis);
        }
        if (rc != LW_EINVAL)
            fail_msg("accepted: %s", bad[i]);
    }
}

static int load_and_call(struct lw_mem *mem, void *data)
{
    static const char text[] = "family f(x)\n  shape x.shape\n  dtype float32\n"
                               "a.g a.h<2.0\n  (x, y:int=3, *rest, z='k')\n  is f(x)\n"
                               "  need y < 9 ! shape/small \"{y} is large for {x.shape}\"\n";
    struct lw_dims dims;
    struct lw_apis *apis = NULL;
    struct lw_arena arena;
    struct lw_err err = {0};
    struct lw_api_result r;
    (void)data;
    lw_dims_init(&dims, mem);
    lw_arena_init(&arena, mem, 0);
    int rc = lw_apis_load_text(&apis, mem, &dims, LW_S("t"), lw_str(text), &err);
    if (rc == 0)
        rc = lw_api_eval_text(apis, LW_S("a.h(tensor((2, 3), int64), 12)"), &arena, &r, &err);
    if (rc == LW_ENOENT) /* the entry could not be read for want of memory */
        rc = LW_ENOMEM;
    if (rc == 0 &&
        (r.problem_count != 1 || r.value.kind != LW_V_TENSOR ||
         r.value.tensor->dtype != LW_F32 || r.value.tensor->shape.n != 2 || dims.failed ||
         !lw_str_eq(r.problems[0].message, LW_S("12 is large for (2, 3)"))))
        rc = LW_ENOMEM; /* values become unknown where memory ran out */
    lw_apis_free(apis);
    lw_dims_release(&dims);
    lw_arena_release(&arena);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(load_and_call, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_is_understood),
        cmocka_unit_test(calls_are_judged),
        cmocka_unit_test(names_have_aliases_and_versions),
        cmocka_unit_test(methods_are_found_through_bases),
        cmocka_unit_test(lists_of_names_are_known),
        cmocka_unit_test(operators_work_on_mixed_operands),
        cmocka_unit_test(a_safe_softmax_is_seen),
        cmocka_unit_test(bad_tables_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
