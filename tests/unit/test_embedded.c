#include "check.h"

#include "knowledge/embedded.h"

static void every_file_is_found_by_its_path(void **state)
{
    (void)state;
    struct lw_str path, content, found, before = LW_S("");
    size_t n = 0;
    for (; lw_embedded_at(n, &path, &content); n++) {
        assert_true(lw_str_cmp(before, path) < 0); /* byte order, none twice */
        before = path;
        assert_true(lw_embedded_find(path, &found));
        assert_ptr_equal(found.p, content.p);
        assert_int_equal(found.n, content.n);
        assert_int_equal(content.p[content.n], '\0');
        assert_int_equal(lw_embedded_first(path), n);
    }
    assert_true(n > 0);
    assert_false(lw_embedded_at(SIZE_MAX, &path, &content));
    assert_false(lw_embedded_find(LW_S("data/none"), &found));
    assert_false(lw_embedded_find(LW_S(""), &found));
    assert_false(lw_embedded_find(LW_S("zzz"), &found));
    assert_int_equal(lw_embedded_first(LW_S("")), 0);
    assert_int_equal(lw_embedded_first(LW_S("\xff")), n);
    assert_int_equal(lw_embedded_first(LW_S("data/")), 0);
}

static void the_digest_is_64_hexadecimal_digits(void **state)
{
    (void)state;
    struct lw_str d = lw_embedded_digest();
    assert_int_equal(d.n, 64);
    assert_int_equal(strspn(d.p, "0123456789abcdef"), 64);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_file_is_found_by_its_path),
    cmocka_unit_test(the_digest_is_64_hexadecimal_digits),
};
CHECK_MAIN(tests)
