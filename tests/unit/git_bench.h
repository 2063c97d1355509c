/*
 * git_bench - what the tests of git access share: small repositories made with the git program
 * below one temporary folder, a handle on one of them, and callbacks that write down what they
 * get. Where git is not installed, `have_git` is false and nothing is tried.
 */
#ifndef LW_TESTS_GIT_BENCH_H
#define LW_TESTS_GIT_BENCH_H

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

static inline void sh(const char *script)
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

static inline int make(void **state)
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

static inline int unmake(void **state)
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

static inline int try_open(struct bench *b, const char *name)
{
    char path[4096];
    *b = (struct bench){0};
    lw_arena_init(&b->arena, NULL, 0);
    snprintf(path, sizeof path, "%s/%s", lw_buf_z(&top), name);
    return lw_git_open(&b->git, &b->ctx, path, &b->err);
}

static inline void open_bench(struct bench *b, const char *name)
{
    int rc = try_open(b, name);
    if (rc < 0)
        fail_msg("%s", b->err.text);
}

static inline void close_bench(struct bench *b)
{
    lw_git_close(b->git);
    lw_arena_release(&b->arena);
}

static inline struct lw_git_id rev(struct bench *b, const char *name)
{
    struct lw_git_id id = {0};
    if (lw_git_resolve(b->git, lw_str(name), &id, &b->err) < 0)
        fail_msg("%s", b->err.text);
    return id;
}

static inline struct lw_git_commit commit_of(struct bench *b, const char *name)
{
    struct lw_git_id id = rev(b, name);
    struct lw_git_commit c;
    assert_int_equal(lw_git_commit(b->git, &b->arena, &id, &c, &b->err), 0);
    return c;
}

/* ---- What callbacks were given ----------------------------------------------------------- */

struct listed {
    struct lw_buf text;
    int stop_after;
};

static inline int list_entry(void *data, const struct lw_git_entry *e)
{
    struct listed *l = data;
    lw_buf_addf(&l->text, "%d:%.*s ", (int)e->kind, LW_F(e->path));
    return l->stop_after && --l->stop_after == 0;
}

static inline int put_hunk(void *data, const struct lw_git_hunk *h)
{
    lw_buf_addf(data, "@%u,%u %u,%u\n", h->old_start, h->old_count, h->new_start, h->new_count);
    return 0;
}

static inline int put_line(void *data, const struct lw_git_line *l)
{
    lw_buf_addf(data, "%u %u %c%.*s", l->old_line, l->line, l->origin, LW_F(l->text));
    return 0;
}

static inline int put_touch(void *data, const struct lw_git_touch *t)
{
    return lw_buf_addf(data, "%c:%.*s ", (char)t->change.status, LW_F(t->change.path));
}

static inline int count_step(void *data, const struct lw_git_step *step)
{
    (void)step;
    ++*(int *)data;
    return 0;
}

#define GIT_BENCH_MAIN(tests)                               \
    int main(void)                                          \
    {                                                       \
        cmocka_set_message_output(CM_OUTPUT_TAP);           \
        return cmocka_run_group_tests(tests, make, unmake); \
    }

#endif
