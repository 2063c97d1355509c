/* git: changes, patches, histories, blame and walks. */
#include "git_bench.h"

/* ---- Changes ----------------------------------------------------------------------------- */

static void print_changes(struct lw_buf *out, const struct lw_git_changes *changes)
{
    lw_buf_clear(out);
    for (size_t i = 0; i < changes->n; i++) {
        const struct lw_git_change *c = &changes->v[i];
        lw_buf_addf(out, "%c%u:%.*s>%.*s ", (char)c->status, c->similarity, LW_F(c->old_path),
                    LW_F(c->path));
    }
}

static void changes_have_kinds(void **state)
{
    (void)state;
    struct bench b;
    struct lw_buf out;
    struct lw_git_changes changes;
    if (!have_git)
        return;
    lw_buf_init(&out, NULL, 0);
    open_bench(&b, "main");
    const struct {
        const char *rev, *expected;
    } cases[] = {
        {"v1", "A0:>a.txt A0:>binary.dat A0:>empty A0:>link A0:>src/one.py "},
        {"side~1", "R98:src/one.py>lib/two.py "},
        {"main~4", "A0:>sub "},
        {"main~1", "M0:a.txt>a.txt T0:link>link "},
        {"main~5", "M0:a.txt>a.txt "},
        {"main~2", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_git_id id = rev(&b, cases[i].rev);
        assert_int_equal(lw_git_diff_commit(b.git, &b.arena, &id, NULL, &changes, &b.err), 0);
        print_changes(&out, &changes);
        assert_str(lw_buf_str(&out), cases[i].expected);
    }
    struct lw_git_id from = rev(&b, "main"), to = rev(&b, "v1");
    struct lw_git_diff_options plain = {.no_renames = true};
    assert_int_equal(lw_git_diff(b.git, &b.arena, &from, &to, &plain, &changes, &b.err), 0);
    print_changes(&out, &changes);
    assert_str(lw_buf_str(&out), "M0:a.txt>a.txt D0:huge>huge D0:lib/two.py>lib/two.py "
                                 "T0:link>link A0:>src/one.py D0:sub>sub ");
    struct lw_git_diff_options under = {.under = LW_S("lib")};
    assert_int_equal(lw_git_diff(b.git, &b.arena, &from, &to, &under, &changes, &b.err), 0);
    print_changes(&out, &changes);
    assert_str(lw_buf_str(&out), "D0:lib/two.py>lib/two.py ");
    lw_buf_release(&out);
    close_bench(&b);
}

static int refuse_hunk(void *data, const struct lw_git_hunk *h)
{
    (void)data;
    (void)h;
    return LW_EIO;
}

static void patches_have_hunks_and_lines(void **state)
{
    (void)state;
    struct bench b;
    struct lw_buf out;
    struct lw_git_changes changes;
    enum lw_git_content content;
    if (!have_git)
        return;
    lw_buf_init(&out, NULL, 0);
    open_bench(&b, "main");
    struct lw_git_id id = rev(&b, "side");
    struct lw_git_patch_fns fns = {put_hunk, put_line, &out};
    assert_int_equal(lw_git_diff_commit(b.git, &b.arena, &id, NULL, &changes, &b.err), 0);
    assert_int_equal(lw_git_patch(b.git, &changes.v[0], 1, &fns, &content, &b.err), 0);
    assert_int_equal(content, LW_GIT_TEXT);
    assert_str(lw_buf_str(&out), "@1,3 1,3\n1 1  a line 1\n2 0 -a line 2\n0 2 +A LINE 2\n"
                                 "3 3  a line 3\n");
    id = rev(&b, "v1");
    assert_int_equal(lw_git_diff_commit(b.git, &b.arena, &id, NULL, &changes, &b.err), 0);
    assert_int_equal(lw_git_patch(b.git, &changes.v[1], 3, &fns, &content, &b.err), 0);
    assert_int_equal(content, LW_GIT_BINARY);
    lw_buf_clear(&out);
    assert_int_equal(lw_git_patch(b.git, &changes.v[2], 3, &fns, &content, &b.err), 0);
    assert_str(lw_buf_str(&out), ""); /* an empty file */
    id = rev(&b, "main~4");
    assert_int_equal(lw_git_diff_commit(b.git, &b.arena, &id, NULL, &changes, &b.err), 0);
    assert_int_equal(lw_git_patch(b.git, &changes.v[0], 3, &fns, &content, &b.err), 0);
    assert_int_equal(content, LW_GIT_NO_CONTENT);
    struct lw_git_patch_fns refuse = {.hunk = refuse_hunk};
    assert_int_equal(lw_git_patch_texts(b.git, LW_S("a\n"), LW_S("b\n"), 0, &refuse, &b.err),
                     LW_EIO);
    lw_buf_release(&out);
    close_bench(&b);
}

/* ---- Histories and blame ------------------------------------------------------------------
 */

static void histories_follow_renames(void **state)
{
    (void)state;
    struct bench b;
    struct lw_buf out;
    if (!have_git)
        return;
    lw_buf_init(&out, NULL, 0);
    open_bench(&b, "main");
    struct lw_git_id id = rev(&b, "main");
    const struct {
        const char *path;
        struct lw_git_history_options options;
        const char *expected;
    } cases[] = {
        {"lib/two.py", {0}, "M:lib/two.py R:lib/two.py A:src/one.py "},
        {"lib/two.py", {.no_follow = true}, "M:lib/two.py A:lib/two.py "},
        {"lib/two.py", {.limit = 1}, "M:lib/two.py "},
        {"a.txt", {0}, "M:a.txt M:a.txt M:a.txt A:a.txt "},
        {"a.txt", {.no_follow = true, .full = true}, "M:a.txt M:a.txt M:a.txt A:a.txt "},
        {"a.txt", {.first_parent = true}, "M:a.txt M:a.txt M:a.txt A:a.txt "},
        {"lib/", {.no_follow = true}, "M:lib A:lib "},
        {"src", {.no_follow = true}, "D:src A:src "},
        {"sub", {0}, "A:sub "},
        {"never", {0}, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lw_buf_clear(&out);
        assert_int_equal(lw_git_history(b.git, &id, lw_str(cases[i].path), &cases[i].options,
                                        put_touch, &out, &b.err),
                         0);
        assert_str(lw_buf_str(&out), cases[i].expected);
    }
    lw_buf_release(&out);
    close_bench(&b);
}

static void blame_follows_renames(void **state)
{
    (void)state;
    struct bench b;
    struct lw_git_blame blame;
    if (!have_git)
        return;
    open_bench(&b, "main");
    struct lw_git_id id = rev(&b, "main"), first = rev(&b, "v1"), second = rev(&b, "v1");
    second = rev(&b, "side~1");
    struct lw_git_id third = rev(&b, "main~5^1");
    assert_int_equal(
        lw_git_blame(b.git, &b.arena, &id, LW_S("lib/two.py"), NULL, &blame, &b.err), 0);
    assert_int_equal(blame.n, 4);
    const struct lw_git_blame_span *s = blame.v;
    assert_true(lw_git_id_eq(&s[0].commit, &first) && s[0].line == 1 && s[0].count == 4);
    assert_str(s[0].path, "src/one.py");
    assert_true(lw_git_id_eq(&s[1].commit, &third) && s[1].line == 5 && s[1].count == 1);
    assert_true(lw_git_id_eq(&s[2].commit, &first) && s[2].line == 6 && s[2].count == 25);
    assert_true(lw_git_id_eq(&s[3].commit, &second) && s[3].line == 31 && s[3].count == 1);
    struct lw_git_blame_options part = {5, 7};
    assert_int_equal(
        lw_git_blame(b.git, &b.arena, &id, LW_S("lib/two.py"), &part, &blame, &b.err), 0);
    assert_int_equal(blame.n, 2);
    assert_int_equal(blame.v[1].origin_line, 6);
    struct lw_git_blame_options beyond = {30, 99};
    assert_int_equal(
        lw_git_blame(b.git, &b.arena, &id, LW_S("lib/two.py"), &beyond, &blame, &b.err),
        LW_EINVAL);
    assert_int_equal(lw_git_blame(b.git, &b.arena, &id, LW_S("empty"), NULL, &blame, &b.err),
                     0);
    assert_int_equal(blame.n, 0);
    assert_int_equal(lw_git_blame(b.git, &b.arena, &id, LW_S("lib"), NULL, &blame, &b.err),
                     LW_EINVAL);
    assert_int_equal(lw_git_blame(b.git, &b.arena, &id, LW_S("none"), NULL, &blame, &b.err),
                     LW_ENOENT);
    close_bench(&b);
}

/* ---- Walks ------------------------------------------------------------------------------- */

struct walked {
    struct bench *b;
    struct lw_buf text;
};

static int put_step(void *data, const struct lw_git_step *step)
{
    struct walked *w = data;
    struct lw_git_commit c;
    assert_int_equal(lw_git_commit(w->b->git, &w->b->arena, &step->id, &c, &w->b->err), 0);
    return lw_buf_addf(&w->text, "%.*s, ", LW_F(lw_git_subject(&c)));
}

static void walks_have_orders_and_bounds(void **state)
{
    (void)state;
    struct bench b;
    if (!have_git)
        return;
    open_bench(&b, "main");
    struct walked w = {.b = &b};
    lw_buf_init(&w.text, NULL, 0);
    struct lw_git_id from = rev(&b, "main~4"), hide = rev(&b, "v1");
    const struct {
        struct lw_git_walk_options options;
        const char *expected;
    } cases[] = {
        {{.limit = 0}, "add a submodule, merge, main, side, rename and add a line, first, "},
        {{.order = LW_GIT_TOPOLOGICAL},
         "add a submodule, merge, side, main, rename and add a line, first, "},
        {{.first_parent = true},
         "add a submodule, merge, main, rename and add a line, first, "},
        {{.limit = 2}, "add a submodule, merge, "},
        {{.order = LW_GIT_TOPOLOGICAL, .limit = 3}, "add a submodule, merge, side, "},
        {{.hide = &hide, .hide_count = 1},
         "add a submodule, merge, main, side, rename and add a line, "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_git_walk_options options = cases[i].options;
        options.from = &from;
        options.from_count = 1;
        lw_buf_clear(&w.text);
        assert_int_equal(lw_git_walk(b.git, &options, put_step, &w, &b.err), 0);
        assert_str(lw_buf_str(&w.text), cases[i].expected);
    }
    lw_buf_release(&w.text);
    close_bench(&b);
}

static void an_interrupt_ends_it(void **state)
{
    (void)state;
    struct bench b;
    atomic_bool cancel = false;
    int steps = 0;
    struct lw_git_blame blame;
    struct lw_git_changes changes;
    if (!have_git)
        return;
    open_bench(&b, "main");
    struct lw_git_id id = rev(&b, "main");
    struct lw_git_walk_options options = {.from = &id, .from_count = 1};
    b.ctx.cancel = &cancel;
    atomic_store(&cancel, true);
    assert_int_equal(lw_git_walk(b.git, &options, count_step, &steps, &b.err), LW_ECANCEL);
    assert_int_equal(steps, 0);
    assert_int_equal(lw_git_history(b.git, &id, LW_S("a.txt"), NULL, put_touch, NULL, &b.err),
                     LW_ECANCEL);
    assert_int_equal(lw_git_blame(b.git, &b.arena, &id, LW_S("a.txt"), NULL, &blame, &b.err),
                     LW_ECANCEL);
    assert_int_equal(lw_git_diff(b.git, &b.arena, NULL, &id, NULL, &changes, &b.err),
                     LW_ECANCEL);
    close_bench(&b);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(changes_have_kinds),
    cmocka_unit_test(patches_have_hunks_and_lines),
    cmocka_unit_test(histories_follow_renames),
    cmocka_unit_test(blame_follows_renames),
    cmocka_unit_test(walks_have_orders_and_bounds),
    cmocka_unit_test(an_interrupt_ends_it),
};

GIT_BENCH_MAIN(tests)
