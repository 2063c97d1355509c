/* The edit script between any two texts (split at the first 0xff byte) is exact, whatever the
 * bound on the work. */
#include "source/treediff.h"
#include "source_invariants.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare(struct lw_str a, struct lw_str b, uint64_t most_work)
{
    struct lw_tree x, y;
    struct lw_treediff d;
    struct lw_err err;
    bool exact = false;
    lw_tree_init(&x, NULL);
    lw_tree_init(&y, NULL);
    lw_treediff_init(&d, NULL);
    d.most_work = most_work;
    if (lw_tree_parse(&x, a, &err) == 0 && lw_tree_parse(&y, b, &err) == 0 &&
        lw_treediff_build(&d, &x, &y, &err) == 0 && lw_treediff_check(&d, &exact, &err) == 0)
        INVARIANT(exact);
    lw_treediff_release(&d);
    lw_tree_release(&x);
    lw_tree_release(&y);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_str all = lw_str_n((const char *)data, size);
    ptrdiff_t at = lw_str_find_char(all, (char)0xff);
    size_t cut = at < 0 ? size / 2 : (size_t)at;
    struct lw_str a = lw_str_part(all, 0, cut), b = lw_str_from(all, at < 0 ? cut : cut + 1);
    compare(a, b, 0);
    compare(b, a, 1);
    compare(a, b, 1 + size * 3);
    compare(a, a, 0);
    return 0;
}
