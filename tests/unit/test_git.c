/* git: repositories, revisions, commits, trees and blobs. */
#include <unistd.h>

#include "git_bench.h"

static void assert_refused(const char *name, int code, const char *part)
{
    struct bench b;
    assert_int_equal(try_open(&b, name), code);
    if (!strstr(b.err.text, part))
        fail_msg("'%s' does not speak of '%s'", b.err.text, part);
    assert_null(b.git);
    close_bench(&b);
}

/* ---- Opening ----------------------------------------------------------------------------- */

static void a_repository_is_found_in_its_folder(void **state)
{
    (void)state;
    struct bench b;
    if (!have_git)
        return;
    sh("git clone -q --bare main bare; mkdir holder holder2; cp -r bare holder/repo\n"
       "cp -r main holder2/repo; mkdir nothing");
    const char *names[] = {"main", "main/.git", "bare", "holder", "holder2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        open_bench(&b, names[i]);
        assert_str(
            lw_git_subject(&(struct lw_git_commit){.message = commit_of(&b, "HEAD").message}),
            "huge");
        close_bench(&b);
    }
    assert_refused("nothing", LW_ENOENT, "no git repository");
    assert_refused("not there", LW_ENOENT, "no git repository");
}

static void nothing_outside_is_followed(void **state)
{
    (void)state;
    struct bench b;
    struct lw_git_id id;
    if (!have_git)
        return;
    sh("mkdir linked; ln -s ../main/.git linked/.git\n"
       "mkdir worktree; echo 'gitdir: ../main/.git' >worktree/.git\n"
       "git clone -q --bare main packlink; git -C packlink repack -q -a -d; p=$(ls "
       "packlink/objects/pack/*.pack)\n"
       "mv $p hidden.pack; ln -s ../../../hidden.pack $p\n"
       "git clone -q --bare main objlink; mv objlink/objects elsewhere\n"
       "ln -s ../elsewhere objlink/objects\n"
       "git init -q --bare borrowing; cp main/.git/refs/heads/main "
       "borrowing/refs/heads/master\n"
       "echo ../../main/.git/objects >borrowing/objects/info/alternates\n"
       "git init -q --bare looselink; h=$(git -C main rev-parse v1^{commit}); f=${h#??}\n"
       "d=${h%$f}; mkdir looselink/objects/$d\n"
       "ln -s $PWD/main/.git/objects/$d/$f looselink/objects/$d/$f\n"
       "echo $h >looselink/refs/heads/x; ln -s ../../../main/.git/refs/heads/main "
       "looselink/refs/heads/y\n"
       "git clone -q --bare main including; mkfifo pipe\n"
       "printf '[include]\\n path = ../pipe\\n' >>including/config\n");
    assert_refused("linked", LW_EINVAL, "symbolic link");
    assert_refused("worktree", LW_EINVAL, "linked work tree");
    assert_refused("packlink", LW_EINVAL, "symbolic link");
    assert_refused("objlink", LW_ENOENT, "no git repository");

    open_bench(&b, "borrowing");
    assert_true(lw_git_has_alternates(b.git));
    assert_int_equal(lw_git_resolve(b.git, LW_S("HEAD"), &id, &b.err), LW_ENOENT);
    assert_non_null(strstr(b.err.text, "alternates"));
    close_bench(&b);

    open_bench(&b, "looselink");
    assert_int_equal(lw_git_resolve(b.git, LW_S("x"), &id, &b.err), LW_ENOENT);
    assert_int_equal(lw_git_resolve(b.git, LW_S("y"), &id, &b.err), LW_ENOENT);
    close_bench(&b);

    open_bench(&b, "including"); /* would hang on the pipe */
    rev(&b, "HEAD");
    close_bench(&b);
}

static void other_formats_are_refused(void **state)
{
    (void)state;
    if (!have_git)
        return;
    sh("git init -q --bare --object-format=sha256 sha256 2>/dev/null ||\n"
       "{ git init -q --bare sha256; git -C sha256 config extensions.objectformat sha256; }");
    assert_refused("sha256", LW_EINVAL, "sha256");
}

static void refs_are_read_without_objects(void **state)
{
    (void)state;
    struct bench b;
    struct lw_git_id id;
    if (!have_git)
        return;
    sh("git clone -q --bare main hollow; rm -rf hollow/objects; mkdir hollow/objects");
    open_bench(&b, "hollow");
    assert_int_equal(lw_git_ref(b.git, LW_S("HEAD"), &id, &b.err), 0);
    assert_int_equal(lw_git_resolve(b.git, LW_S("HEAD"), &(struct lw_git_id){0}, &b.err),
                     LW_ENOENT);
    assert_int_equal(lw_git_ref(b.git, LW_S("nowhere"), &(struct lw_git_id){0}, &b.err),
                     LW_ENOENT);
    close_bench(&b);
    open_bench(&b, "main");
    struct lw_git_id commit;
    assert_int_equal(lw_git_resolve(b.git, LW_S("HEAD"), &commit, &b.err), 0);
    assert_true(lw_git_id_eq(&id, &commit));
    close_bench(&b);
}

static void an_empty_repository_has_no_commits(void **state)
{
    (void)state;
    struct bench b;
    struct lw_git_id id;
    struct lw_git_refs refs;
    if (!have_git)
        return;
    sh("git init -q empty");
    open_bench(&b, "empty");
    assert_int_equal(lw_git_resolve(b.git, LW_S("HEAD"), &id, &b.err), LW_ENOENT);
    assert_non_null(strstr(b.err.text, "no commits"));
    assert_int_equal(lw_git_refs(b.git, &b.arena, &refs, &b.err), 0);
    assert_int_equal(refs.n, 0);
    close_bench(&b);
}

/* ---- Revisions --------------------------------------------------------------------------- */

static void revisions_are_what_git_says(void **state)
{
    (void)state;
    struct bench b;
    char command[512];
    if (!have_git)
        return;
    const char *revs[] = {"HEAD",       "@",           "main",   "refs/heads/side",
                          "heads/side", "v1",          "light",  "tags/v1",
                          "v1^{}",      "v1^{commit}", "HEAD~3", "HEAD~5^2",
                          "HEAD~5^2~1", "HEAD^^",      "v1^0",   "main~0"};
    sh("git -C main pack-refs --all; git -C main branch later main~2\n"
       "git -C main checkout -q --detach");
    for (size_t i = 0; i < sizeof revs / sizeof *revs; i++) {
        struct lw_str text;
        char hex[LW_GIT_ID_TEXT], path[4096];
        snprintf(command, sizeof command, "git -C main rev-parse '%s^{commit}' >answer",
                 revs[i]);
        sh(command);
        open_bench(&b, "main");
        struct lw_git_id id = rev(&b, revs[i]);
        snprintf(path, sizeof path, "%s/answer", lw_buf_z(&top));
        assert_int_equal(lw_file_read(&b.arena, path, 100, &text, &b.err), 0);
        assert_str(lw_str_trim(text), lw_git_id_print(&id, hex));
        /* by full and shortened name */
        struct lw_git_id again = rev(&b, hex);
        assert_true(lw_git_id_eq(&id, &again));
        hex[10] = '\0';
        again = rev(&b, hex);
        assert_true(lw_git_id_eq(&id, &again));
        close_bench(&b);
    }
}

static void bad_revisions_are_refused(void **state)
{
    (void)state;
    struct bench b;
    struct lw_git_id id;
    if (!have_git)
        return;
    const struct {
        const char *rev;
        int code;
    } cases[] = {
        {"nothing", LW_ENOENT},
        {"", LW_ENOENT},
        {"HEAD~99", LW_ENOENT},
        {"HEAD^7", LW_ENOENT},
        {"HEAD^{tree}", LW_EINVAL},
        {"HEAD@{1}", LW_EINVAL},
        {"HEAD:a.txt", LW_EINVAL},
        {"../../main/.git/HEAD", LW_ENOENT},
        {"HEAD~99999999999999999999999", LW_EINVAL},
        {"v1~0x", LW_EINVAL},
        {"0000000000000000000000000000000000000000", LW_ENOENT},
        {"deadbeef00", LW_ENOENT},
        {"config", LW_ENOENT},
        {"refs/../config", LW_ENOENT},
    };
    open_bench(&b, "main");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int rc = lw_git_resolve(b.git, lw_str(cases[i].rev), &id, &b.err);
        if (rc != cases[i].code)
            fail_msg("'%s' gives %d: %s", cases[i].rev, rc, b.err.text);
    }
    close_bench(&b);
}

static void refs_are_listed_once_each(void **state)
{
    (void)state;
    struct bench b;
    struct lw_git_refs refs;
    if (!have_git)
        return;
    sh("git clone -q --bare main refs; cd refs; git pack-refs --all; git branch -f side main\n"
       "git update-ref refs/heads/a/b main; echo rubbish >refs/heads/broken\n"
       "git symbolic-ref refs/heads/circle refs/heads/circle");
    open_bench(&b, "refs");
    assert_int_equal(lw_git_refs(b.git, &b.arena, &refs, &b.err), 0);
    const char *names[] = {"refs/heads/a/b",  "refs/heads/later", "refs/heads/main",
                           "refs/heads/side", "refs/tags/light",  "refs/tags/v1"};
    assert_int_equal(refs.n, sizeof names / sizeof *names);
    for (size_t i = 0; i < refs.n; i++)
        assert_str(refs.v[i].name, names[i]);
    assert_true(lw_git_id_eq(&refs.v[3].id, &refs.v[2].id)); /* loose wins over packed */
    close_bench(&b);
}

/* ---- Commits ----------------------------------------------------------------------------- */

static void a_commit_says_who_and_when(void **state)
{
    (void)state;
    struct bench b;
    if (!have_git)
        return;
    open_bench(&b, "main");
    struct lw_git_commit c = commit_of(&b, "v1");
    assert_str(c.author.name, "A U Thor");
    assert_str(c.author.email, "a@example.com");
    assert_str(c.committer.name, "C O Mitter");
    assert_int_equal(c.author.time, 1500000000 + 86400);
    assert_int_equal(c.author.zone, 60);
    assert_str(c.message, "first\n");
    assert_int_equal(c.parent_count, 0);
    struct lw_git_commit merge = commit_of(&b, "main~5");
    assert_str(merge.message, "merge\n");
    assert_int_equal(merge.parent_count, 2);
    struct lw_git_commit side = commit_of(&b, "side");
    assert_true(lw_git_id_eq(&merge.parents[1], &side.id));
    close_bench(&b);
}

static void messages_become_utf8(void **state)
{
    (void)state;
    struct bench b;
    struct lw_str odd;
    char path[4096];
    if (!have_git)
        return;
    open_bench(&b, "main");
    struct lw_git_commit c = commit_of(&b, "main~3");
    assert_str(c.encoding, "ISO-8859-1");
    assert_str(c.message, "caf\xc3\xa9 \xc2\x96 latin\n");
    assert_str(c.author.name, "J\xc3\xb6rg");
    /* an encoding nobody knows: Windows-1252, with its dash */
    c = commit_of(&b, "main~2");
    assert_str(c.message, "caf\xc3\xa9 \xe2\x80\x93 latin\n");
    snprintf(path, sizeof path, "%s/odd", lw_buf_z(&top));
    assert_int_equal(lw_file_read(&b.arena, path, 100, &odd, &b.err), 0);
    odd = lw_str_trim(odd);
    struct lw_str name = lw_arena_copy(&b.arena, odd);
    c = commit_of(&b, name.p);
    assert_str(c.message, "raw \xc3\xbf bytes\n");
    assert_str(c.author.name, "");
    assert_int_equal(c.committer.time, 0);
    close_bench(&b);
}

/* ---- Trees and blobs ----------------------------------------------------------------------
 */

static bool no_src(void *data, const struct lw_git_entry *e)
{
    (void)data;
    return !lw_str_eq(e->path, LW_S("src")) && !lw_str_eq(e->path, LW_S("lib"));
}

static void trees_are_walked_in_order(void **state)
{
    (void)state;
    struct bench b;
    struct listed l = {0};
    if (!have_git)
        return;
    lw_buf_init(&l.text, NULL, 0);
    open_bench(&b, "main");
    struct lw_git_id id = rev(&b, "main~4");
    assert_int_equal(lw_git_tree_walk(b.git, &id, NULL, list_entry, &l, &b.err), 0);
    assert_str(lw_buf_str(&l.text), "1:a.txt 1:binary.dat 1:empty 1:lib/two.py 2:link 3:sub ");
    lw_buf_clear(&l.text);
    struct lw_git_tree_options under = {.under = LW_S("lib")};
    assert_int_equal(lw_git_tree_walk(b.git, &id, &under, list_entry, &l, &b.err), 0);
    assert_str(lw_buf_str(&l.text), "1:lib/two.py ");
    lw_buf_clear(&l.text);
    struct lw_git_tree_options wants = {.wants = no_src};
    l.stop_after = 3;
    assert_int_equal(lw_git_tree_walk(b.git, &id, &wants, list_entry, &l, &b.err), 0);
    assert_str(lw_buf_str(&l.text), "1:a.txt 1:binary.dat 1:empty ");
    struct lw_git_tree_options few = {.max_entries = 3};
    l.stop_after = 0;
    assert_int_equal(lw_git_tree_walk(b.git, &id, &few, list_entry, &l, &b.err), LW_ELIMIT);
    struct lw_git_entry e;
    assert_int_equal(lw_git_tree_find(b.git, &id, LW_S("lib/two.py"), &e, &b.err), 0);
    assert_int_equal(e.mode, 0100644);
    assert_int_equal(lw_git_tree_find(b.git, &id, LW_S("lib"), &e, &b.err), 0);
    assert_int_equal(e.kind, LW_GIT_FOLDER);
    assert_int_equal(lw_git_tree_find(b.git, &id, LW_S("lib/three"), &e, &b.err), LW_ENOENT);
    assert_int_equal(lw_git_tree_find(b.git, &id, LW_S("a.txt/x"), &e, &b.err), LW_ENOENT);
    lw_buf_release(&l.text);
    close_bench(&b);
}

static void blobs_have_a_limit(void **state)
{
    (void)state;
    struct bench b;
    struct lw_git_entry e;
    struct lw_str text;
    uint64_t size;
    if (!have_git)
        return;
    open_bench(&b, "main");
    struct lw_git_id id = rev(&b, "main");
    assert_int_equal(lw_git_tree_find(b.git, &id, LW_S("huge"), &e, &b.err), 0);
    assert_int_equal(lw_git_blob_size(b.git, &e.id, &size, &b.err), 0);
    assert_int_equal(size, 3000000);
    assert_int_equal(lw_git_blob(b.git, &b.arena, &e.id, 2999999, &text, &b.err), LW_ELIMIT);
    assert_int_equal(lw_git_trouble_count(b.git, LW_GIT_LARGE), 1);
    assert_int_equal(lw_git_blob(b.git, &b.arena, &e.id, 3000000, &text, &b.err), 0);
    assert_int_equal(text.n, 3000000);
    assert_true(lw_git_is_binary(text));
    assert_int_equal(lw_git_tree_find(b.git, &id, LW_S("empty"), &e, &b.err), 0);
    assert_int_equal(lw_git_blob(b.git, &b.arena, &e.id, 0, &text, &b.err), 0);
    assert_int_equal(text.n, 0);
    /* a commit is no blob */
    assert_int_equal(lw_git_blob(b.git, &b.arena, &id, 1000, &text, &b.err), LW_ECORRUPT);
    close_bench(&b);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_repository_is_found_in_its_folder),
    cmocka_unit_test(nothing_outside_is_followed),
    cmocka_unit_test(other_formats_are_refused),
    cmocka_unit_test(refs_are_read_without_objects),
    cmocka_unit_test(an_empty_repository_has_no_commits),
    cmocka_unit_test(revisions_are_what_git_says),
    cmocka_unit_test(bad_revisions_are_refused),
    cmocka_unit_test(refs_are_listed_once_each),
    cmocka_unit_test(a_commit_says_who_and_when),
    cmocka_unit_test(messages_become_utf8),
    cmocka_unit_test(trees_are_walked_in_order),
    cmocka_unit_test(blobs_have_a_limit),
};

GIT_BENCH_MAIN(tests)
