/* library: loaded by name, or missing with the package that has it. */
#include "base/library.h"
#include "check.h"

static void finds_functions(void **state)
{
    (void)state;
    struct lw_err err;
    double (*cosine)(double) = NULL;
    const struct lw_library_function functions[] = {{"cos", (void **)&cosine}};
    assert_int_equal(lw_library_load("libm.so.6", "libc6", functions, 1, &err), 0);
    assert_true(cosine(0) == 1);
}

static void says_what_is_missing(void **state)
{
    (void)state;
    struct lw_err err;
    void *none = NULL;
    const struct lw_library_function functions[] = {{"no_such_function", &none}};
    assert_int_equal(lw_library_load("libnone.so.1", "libnone1", functions, 1, &err),
                     LW_EMISSING);
    assert_non_null(strstr(err.text, "libnone.so.1 cannot be used"));
    assert_non_null(strstr(err.text, "install the package libnone1"));
    assert_int_equal(lw_library_load("libm.so.6", "libc6", functions, 1, &err), LW_EMISSING);
    assert_non_null(strstr(err.text, "install the package libc6"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(finds_functions),
    cmocka_unit_test(says_what_is_missing),
};

CHECK_MAIN(tests)
