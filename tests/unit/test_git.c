/* git: small repositories made with the git program, and what is read from them. */
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

#include "base/file.h"
#include "base/proc.h"
#include "source/git_blame.h"
#include "source/git_commit.h"
#include "source/git_history.h"
#include "source/git_walk.h"

/* Everything is below one temporary folder, made once. */
static struct lw_buf top;
static bool have_git;

/* A step of the day per commit, so that all dates differ and are the same in every run. */
static const char prelude[] =
    "set -e\n"
    "day=0\n"
    "commit() { day=$((day + 1)); d=\"$((1500000000 + day * 86400)) +0100\"\n"
    "  GIT_AUTHOR_DATE=$d GIT_COMMITTER_DATE=$d git commit -q \"$@\"; }\n"
    "lines() { i=$1; while [ $i -le $2 ]; do echo \"$3 line $i\"; i=$((i + 1)); done; }\n";

static const char main_script[] =
    "git init -q main; cd main; git symbolic-ref HEAD refs/heads/main\n"
    "mkdir src; lines 1 30 one >src/one.py; lines 1 10 a >a.txt\n"
    "ln -s a.txt link; printf 'a\\000b\\n' >binary.dat; : >empty\n"
    "git add .; commit -m first; git tag -m annotated v1; git tag light\n"
    "mkdir lib; git mv src/one.py lib/two.py; echo more >>lib/two.py; git add .\n"
    "commit -m 'rename and add a line'\n"
    "git checkout -q -b side; sed -i 's/a line 2/A LINE 2/' a.txt; commit -a -m side\n"
    "git checkout -q main; sed -i 's/one line 5$/ONE LINE 5/' lib/two.py; commit -a -m main\n"
    "day=$((day + 1)); d=\"$((1500000000 + day * 86400)) +0100\"\n"
    "GIT_AUTHOR_DATE=$d GIT_COMMITTER_DATE=$d git merge -q --no-ff -m merge side\n"
    "git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,sub\n"
    "mkdir sub; commit -m 'add a submodule'\n"
    "printf 'caf\\351 \\226 latin' >../message; echo x >>a.txt\n"
    "git -c i18n.commitEncoding=ISO-8859-1 commit -q --author 'J\xf6rg <j@example.com>' -a "
    "-F ../message\n"
    "git -c i18n.commitEncoding=no-such-thing commit -q --allow-empty -F ../message\n"
    "rm link; echo file >link; chmod +x a.txt; git add .; commit -m 'change types'\n"
    "head -c 3000000 /dev/zero >huge; git add .; commit -m huge\n"
    "printf 'tree %s\\nauthor\\n\\nraw \\377 bytes\\n' $(git rev-parse HEAD^{tree}) |\n"
    "  git hash-object --literally -t commit -w --stdin >../odd\n";

static void sh(const char *script)
{
    struct lw_arena arena;
    struct lw_err err = {0};
    struct lw_run run;
    static const char *const allowed[] = {"PATH", NULL};
    static const char *const extra[] = {"GIT_CONFIG_NOSYSTEM=1",
                                        "GIT_CONFIG_GLOBAL=/dev/null",
                                        "LC_ALL=C",
                                        "GIT_AUTHOR_NAME=A U Thor",
                                        "GIT_AUTHOR_EMAIL=a@example.com",
                                        "GIT_COMMITTER_NAME=C O Mitter",
                                        "GIT_COMMITTER_EMAIL=c@example.com",
                                        "GIT_CONFIG_COUNT=1",
                                        "GIT_CONFIG_KEY_0=protocol.file.allow",
                                        "GIT_CONFIG_VALUE_0=always",
                                        NULL};
    lw_arena_init(&arena, NULL, 0);
    struct lw_str text = lw_arena_printf(&arena, "%s%s", prelude, script);
    const char *argv[] = {"/bin/sh", "-c", text.p, NULL};
    struct lw_proc proc = {
        .argv = argv, .env = lw_proc_env(&arena, allowed, extra), .cwd = lw_buf_z(&top)};
    assert_int_equal(lw_proc_run(&run, &arena, &proc, &err), 0);
    if (run.exit != 0)
        fail_msg("%.*s%.*s", LW_F(run.out), LW_F(run.err));
    lw_arena_release(&arena);
}

static int make(void **state)
{
    (void)state;
    struct lw_arena arena;
    struct lw_err err = {0};
    struct lw_str path;
    lw_buf_init(&top, NULL, 0);
    lw_arena_init(&arena, NULL, 0);
    have_git = lw_find_program("git", &arena, &path);
    lw_arena_release(&arena);
    if (lw_temp_dir(&top, &err) < 0)
        return -1;
    if (have_git)
        sh(main_script);
    else
        printf("# git is not installed: nothing is tried\n");
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    struct lw_err err = {0};
    int rc = lw_dir_remove(lw_buf_z(&top), &err);
    lw_buf_release(&top);
    return rc;
}

/* What a test needs: a handle, an arena, an error. */
struct bench {
    struct lw_ctx ctx;
    struct lw_arena arena;
    struct lw_err err;
    lw_git *git;
};

static int try_open(struct bench *b, const char *name)
{
    char path[4096];
    *b = (struct bench){0};
    lw_arena_init(&b->arena, NULL, 0);
    snprintf(path, sizeof path, "%s/%s", lw_buf_z(&top), name);
    return lw_git_open(&b->git, &b->ctx, path, &b->err);
}

static void open_bench(struct bench *b, const char *name)
{
    int rc = try_open(b, name);
    if (rc < 0)
        fail_msg("%s", b->err.text);
}

static void close_bench(struct bench *b)
{
    lw_git_close(b->git);
    lw_arena_release(&b->arena);
}

static struct lw_git_id rev(struct bench *b, const char *name)
{
    struct lw_git_id id = {0};
    if (lw_git_resolve(b->git, lw_str(name), &id, &b->err) < 0)
        fail_msg("%s", b->err.text);
    return id;
}

static struct lw_git_commit commit_of(struct bench *b, const char *name)
{
    struct lw_git_id id = rev(b, name);
    struct lw_git_commit c;
    assert_int_equal(lw_git_commit(b->git, &b->arena, &id, &c, &b->err), 0);
    return c;
}

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

struct listed {
    struct lw_buf text;
    int stop_after;
};

static int list_entry(void *data, const struct lw_git_entry *e)
{
    struct listed *l = data;
    lw_buf_addf(&l->text, "%d:%.*s ", (int)e->kind, LW_F(e->path));
    return l->stop_after && --l->stop_after == 0;
}

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

static int put_hunk(void *data, const struct lw_git_hunk *h)
{
    lw_buf_addf(data, "@%u,%u %u,%u\n", h->old_start, h->old_count, h->new_start, h->new_count);
    return 0;
}

static int put_line(void *data, const struct lw_git_line *l)
{
    lw_buf_addf(data, "%u %u %c%.*s", l->old_line, l->line, l->origin, LW_F(l->text));
    return 0;
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

static int put_touch(void *data, const struct lw_git_touch *t)
{
    return lw_buf_addf(data, "%c:%.*s ", (char)t->change.status, LW_F(t->change.path));
}

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

static int count_step(void *data, const struct lw_git_step *step)
{
    (void)step;
    ++*(int *)data;
    return 0;
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

/* ---- Damage ------------------------------------------------------------------------------ */

static void note(void *data, enum lw_git_trouble kind, const struct lw_git_id *id)
{
    (void)id;
    ((int *)data)[kind]++;
}

/* Everything a caller may do with a damaged repository; it must end, and say why. */
static void use_everything(struct bench *b, const char *name)
{
    struct lw_git_id id;
    struct lw_git_changes changes;
    struct lw_git_blame blame;
    struct lw_git_refs refs;
    struct lw_buf out;
    struct listed l = {0};
    enum lw_git_content content;
    int steps = 0;
    lw_git_refs(b->git, &b->arena, &refs, &b->err);
    if (lw_git_resolve(b->git, lw_str(name), &id, &b->err) < 0)
        return;
    lw_buf_init(&out, NULL, 0);
    lw_buf_init(&l.text, NULL, 0);
    struct lw_git_patch_fns fns = {put_hunk, put_line, &out};
    lw_git_tree_walk(b->git, &id, NULL, list_entry, &l, &b->err);
    lw_git_walk(b->git, &(struct lw_git_walk_options){.from = &id, .from_count = 1}, count_step,
                &steps, &b->err);
    lw_git_history(b->git, &id, LW_S("lib/two.py"), NULL, put_touch, &out, &b->err);
    lw_git_blame(b->git, &b->arena, &id, LW_S("lib/two.py"), NULL, &blame, &b->err);
    if (lw_git_diff(b->git, &b->arena, NULL, &id, NULL, &changes, &b->err) == 0)
        for (size_t i = 0; i < changes.n; i++)
            lw_git_patch(b->git, &changes.v[i], 3, &fns, &content, &b->err);
    lw_buf_release(&out);
    lw_buf_release(&l.text);
}

static void missing_blobs_are_passed_over(void **state)
{
    (void)state;
    struct bench b;
    int noted[LW_GIT_TROUBLES] = {0};
    struct lw_git_blame blame;
    struct lw_git_changes changes;
    if (!have_git)
        return;
    /* the version of lib/two.py that was renamed from src/one.py, and one of its descendants */
    sh("cp -r main missing; cd missing; rm_blob() { h=$(git rev-parse $1); f=${h#??}\n"
       " rm -f .git/objects/${h%$f}/$f; }; rm_blob side~1:lib/two.py; rm_blob main:a.txt");
    open_bench(&b, "missing");
    lw_git_on_trouble(b.git, note, noted);
    struct lw_git_id id = rev(&b, "main"), rename = rev(&b, "side~1");
    assert_int_equal(
        lw_git_blame(b.git, &b.arena, &id, LW_S("lib/two.py"), NULL, &blame, &b.err), 0);
    assert_int_equal(blame.n, 1); /* stays with the commit whose parent cannot be read */
    assert_int_equal(lw_git_diff_commit(b.git, &b.arena, &rename, NULL, &changes, &b.err), 0);
    assert_int_equal(changes.n, 2); /* no rename can be seen */
    assert_int_equal(lw_git_blame(b.git, &b.arena, &id, LW_S("a.txt"), NULL, &blame, &b.err),
                     LW_ENOENT);
    use_everything(&b, "main");
    assert_int_equal(noted[LW_GIT_MISSING], 2); /* each once */
    assert_int_equal(lw_git_trouble_count(b.git, LW_GIT_MISSING), 2);
    assert_int_equal(noted[LW_GIT_CORRUPT], 0);
    close_bench(&b);
}

static void missing_trees_and_commits_are_passed_over(void **state)
{
    (void)state;
    struct bench b;
    int steps = 0;
    if (!have_git)
        return;
    sh("cp -r main gaps; cd gaps; rm_object() { h=$(git rev-parse $1); f=${h#??}\n"
       " rm -f .git/objects/${h%$f}/$f; }; rm_object main:lib; rm_object side~1");
    open_bench(&b, "gaps");
    struct lw_git_id id = rev(&b, "main");
    struct listed l = {0};
    lw_buf_init(&l.text, NULL, 0);
    assert_int_equal(lw_git_tree_walk(b.git, &id, NULL, list_entry, &l, &b.err), 0);
    assert_str(lw_buf_str(&l.text), "1:a.txt 1:binary.dat 1:empty 1:huge 1:link 3:sub ");
    struct lw_git_walk_options options = {.from = &id, .from_count = 1};
    assert_int_equal(lw_git_walk(b.git, &options, count_step, &steps, &b.err), 0);
    assert_int_equal(steps, 8); /* up to the hole */
    assert_int_equal(lw_git_trouble_count(b.git, LW_GIT_MISSING), 2);
    use_everything(&b, "main");
    lw_buf_release(&l.text);
    close_bench(&b);
}

static void shallow_histories_end_where_they_were_cut(void **state)
{
    (void)state;
    struct bench b;
    int steps = 0;
    if (!have_git)
        return;
    sh("git clone -q --depth 3 --branch main --single-branch file://$PWD/main shallow");
    open_bench(&b, "shallow");
    assert_true(lw_git_is_shallow(b.git));
    struct lw_git_id id = rev(&b, "HEAD");
    struct lw_git_walk_options options = {.from = &id, .from_count = 1};
    assert_int_equal(lw_git_walk(b.git, &options, count_step, &steps, &b.err), 0);
    assert_int_equal(steps, 3);
    assert_int_equal(commit_of(&b, "HEAD~2").parent_count, 0);
    use_everything(&b, "HEAD");
    assert_int_equal(lw_git_trouble_count(b.git, LW_GIT_MISSING), 0);
    close_bench(&b);
}

/* Overwrites a stretch of the file with rubbish. */
static void damage(const char *path, size_t at, size_t n)
{
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, (long)at, SEEK_SET), 0);
    for (size_t i = 0; i < n; i++)
        fputc((int)(at * 7 + i * 31) & 255, f);
    fclose(f);
}

static void corrupt_packs_never_crash(void **state)
{
    (void)state;
    struct bench b;
    char path[4096];
    struct stat st;
    if (!have_git)
        return;
    const char *kinds[] = {"pack", "idx"};
    for (size_t k = 0; k < 2; k++) {
        for (size_t part = 0; part < 12; part++) {
            sh("rm -rf corrupt; git clone -q --bare main corrupt; cd corrupt; git repack -q -a "
               "-d\n"
               "chmod -R u+w objects; for e in pack idx; do mv objects/pack/*.$e objects/p.$e; "
               "done\n"
               "rm -f objects/pack/*; for e in pack idx; do mv objects/p.$e "
               "objects/pack/pack-1234567890123456789012345678901234567890.$e; done");
            snprintf(path, sizeof path,
                     "%s/corrupt/objects/pack/"
                     "pack-1234567890123456789012345678901234567890.%s",
                     lw_buf_z(&top), kinds[k]);
            assert_int_equal(stat(path, &st), 0);
            size_t size = (size_t)st.st_size;
            damage(path, size * part / 12, part % 3 == 0 ? 40 : 4);
            if (part == 11)
                assert_int_equal(truncate(path, (off_t)(size / 2)), 0);
            if (try_open(&b, "corrupt") == 0)
                use_everything(&b, "main");
            close_bench(&b);
        }
    }
}

static void hostile_trees_are_bounded(void **state)
{
    (void)state;
    struct bench b;
    struct listed l = {0};
    struct lw_git_changes changes;
    if (!have_git)
        return;
    /* names that leave the folder; ten folders in ten folders in …; four hundred levels */
    sh("git init -q hostile; cd hostile; b=$(echo x | git hash-object -w --stdin)\n"
       "/usr/bin/env python3 -c 'import sys; b = bytes.fromhex(sys.argv[1])\n"
       "sys.stdout.buffer.write(b\"100644 ok\\0\" + b + b\"100644 ../up\\0\" + b)' $b |\n"
       "  git hash-object --literally -t tree -w --stdin >../t_up\n"
       "git update-ref refs/heads/up $(git commit-tree -m up $(cat ../t_up))\n"
       "t=$(printf '100644 blob %s\\tx\\n' $b | git mktree); bomb=$t; deep=$t\n"
       "for i in 1 2 3 4 5 6 7 8 9; do bomb=$(for j in 0 1 2 3 4 5 6 7 8 9; do\n"
       "  printf '040000 tree %s\\t%s\\n' $bomb $j; done | git mktree); done\n"
       "git update-ref refs/heads/bomb $(git commit-tree -m bomb $bomb)\n"
       "i=0; while [ $i -lt 400 ]; do deep=$(printf '040000 tree %s\\td\\n' $deep | git "
       "mktree)\n"
       "  i=$((i + 1)); done\n"
       "git update-ref refs/heads/deep $(git commit-tree -m deep $deep)\n"
       "git update-ref refs/heads/nothing $(git commit-tree -m nothing "
       "4b825dc642cb6eb9a060e54bf8d69288fbee4904)\n");
    lw_buf_init(&l.text, NULL, 0);
    open_bench(&b, "hostile");
    struct lw_git_id id = rev(&b, "up");
    assert_int_equal(lw_git_tree_walk(b.git, &id, NULL, list_entry, &l, &b.err), 0);
    assert_str(lw_buf_str(&l.text), "1:ok ");
    assert_int_equal(lw_git_trouble_count(b.git, LW_GIT_CORRUPT), 1);
    id = rev(&b, "bomb");
    struct lw_git_tree_options options = {.max_entries = 100000};
    assert_int_equal(lw_git_tree_walk(b.git, &id, &options, list_entry, &l, &b.err), LW_ELIMIT);
    id = rev(&b, "deep");
    assert_int_equal(lw_git_diff(b.git, &b.arena, NULL, &id, NULL, &changes, &b.err), 0);
    assert_int_equal(changes.n, 0);
    assert_int_equal(lw_git_trouble_count(b.git, LW_GIT_LARGE), 1);
    id = rev(&b, "nothing");
    assert_int_equal(lw_git_diff_commit(b.git, &b.arena, &id, NULL, &changes, &b.err), 0);
    assert_int_equal(changes.n, 0);
    lw_buf_release(&l.text);
    close_bench(&b);
}

/* ---- Memory and threads --------------------------------------------------------------------
 */

static int use_with(struct lw_mem *mem, void *data)
{
    struct lw_ctx ctx = {.mem = mem};
    struct lw_arena arena;
    struct lw_err err = {0};
    lw_git *git = NULL;
    struct lw_git_id id, first;
    struct lw_git_refs refs;
    struct lw_git_commit commit;
    struct lw_git_changes changes;
    struct lw_git_blame blame;
    int steps = 0;
    lw_arena_init(&arena, mem, 0);
    int rc = lw_git_open(&git, &ctx, data, &err);
    if (rc == 0)
        rc = lw_git_refs(git, &arena, &refs, &err);
    if (rc == 0)
        rc = lw_git_resolve(git, LW_S("main"), &id, &err);
    if (rc == 0)
        rc = lw_git_resolve(git, LW_S("v1"), &first, &err);
    struct lw_git_walk_options walk = {.from = &id,
                                       .from_count = 1,
                                       .order = LW_GIT_TOPOLOGICAL,
                                       .hide = &first,
                                       .hide_count = 1};
    if (rc == 0)
        rc = lw_git_walk(git, &walk, count_step, &steps, &err);
    struct lw_git_id latin;
    if (rc == 0)
        rc = lw_git_resolve(git, LW_S("main~3"), &latin, &err);
    if (rc == 0)
        rc = lw_git_commit(git, &arena, &latin, &commit, &err);
    if (rc == 0)
        rc = lw_git_diff(git, &arena, &first, &id, NULL, &changes, &err);
    if (rc == 0)
        rc = lw_git_blame(git, &arena, &id, LW_S("lib/two.py"), NULL, &blame, &err);
    struct lw_buf out;
    lw_buf_init(&out, NULL, 0);
    if (rc == 0)
        rc = lw_git_history(git, &id, LW_S("lib/two.py"), NULL, put_touch, &out, &err);
    lw_buf_release(&out);
    lw_git_close(git);
    lw_arena_release(&arena);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char path[4096];
    if (!have_git)
        return;
    snprintf(path, sizeof path, "%s/main", lw_buf_z(&top));
    check_every_allocation(use_with, path);
}

static void *use_in_thread(void *path)
{
    for (int i = 0; i < 5; i++)
        if (use_with(NULL, path) < 0)
            return path;
    return NULL;
}

static void threads_have_their_own_handles(void **state)
{
    (void)state;
    pthread_t threads[4];
    char path[4096];
    void *failed;
    if (!have_git)
        return;
    snprintf(path, sizeof path, "%s/main", lw_buf_z(&top));
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_in_thread, path), 0);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_repository_is_found_in_its_folder),
    cmocka_unit_test(nothing_outside_is_followed),
    cmocka_unit_test(other_formats_are_refused),
    cmocka_unit_test(an_empty_repository_has_no_commits),
    cmocka_unit_test(revisions_are_what_git_says),
    cmocka_unit_test(bad_revisions_are_refused),
    cmocka_unit_test(refs_are_listed_once_each),
    cmocka_unit_test(a_commit_says_who_and_when),
    cmocka_unit_test(messages_become_utf8),
    cmocka_unit_test(trees_are_walked_in_order),
    cmocka_unit_test(blobs_have_a_limit),
    cmocka_unit_test(changes_have_kinds),
    cmocka_unit_test(patches_have_hunks_and_lines),
    cmocka_unit_test(histories_follow_renames),
    cmocka_unit_test(blame_follows_renames),
    cmocka_unit_test(walks_have_orders_and_bounds),
    cmocka_unit_test(an_interrupt_ends_it),
    cmocka_unit_test(missing_blobs_are_passed_over),
    cmocka_unit_test(missing_trees_and_commits_are_passed_over),
    cmocka_unit_test(shallow_histories_end_where_they_were_cut),
    cmocka_unit_test(corrupt_packs_never_crash),
    cmocka_unit_test(hostile_trees_are_bounded),
    cmocka_unit_test(every_allocation_may_fail),
    cmocka_unit_test(threads_have_their_own_handles),
};

int main(void)
{
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, make, unmake);
}
