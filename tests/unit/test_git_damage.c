/* git: repositories with holes, rubbish and traps in them; memory and threads. */
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "git_bench.h"

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

/* ---- Seeded damage ----------------------------------------------------------------------- */

static uint32_t pick(uint64_t *seed, uint32_t n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % n;
}

/* A few bytes changed, a stretch copied over another, or the end cut off. */
static size_t damage(char *data, size_t n, uint64_t *seed)
{
    uint32_t size = (uint32_t)n;
    switch (pick(seed, 4)) {
    case 0: return pick(seed, size);
    case 1: {
        uint32_t length = 1 + pick(seed, 64), from = pick(seed, size), to = pick(seed, size);
        for (uint32_t i = 0; i < length && from + i < size && to + i < size; i++)
            data[to + i] = data[from + i];
        return n;
    }
    default:
        for (uint32_t i = pick(seed, 8) + 1; i > 0; i--)
            data[pick(seed, size)] = (char)pick(seed, 256);
        return n;
    }
}

static void write_all(const char *path, const char *data, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* Writes damaged versions of the file in the repository `corrupt` and uses each. */
static void try_damage(const char *file, int rounds, uint64_t seed)
{
    struct lw_arena arena;
    struct lw_err err = {0};
    struct lw_str good;
    char path[4096];
    lw_arena_init(&arena, NULL, 0);
    snprintf(path, sizeof path, "%s/corrupt/%s", lw_buf_z(&top), file);
    assert_int_equal(lw_file_read(&arena, path, 1 << 24, &good, &err), 0);
    char *bad = lw_arena_bytes(&arena, good.n);
    assert_non_null(bad);
    for (int i = 0; i < rounds; i++) {
        struct bench b;
        memcpy(bad, good.p, good.n);
        write_all(path, bad, damage(bad, good.n, &seed));
        if (try_open(&b, "corrupt") == 0)
            use_everything(&b, "main");
        close_bench(&b);
    }
    write_all(path, good.p, good.n);
    lw_arena_release(&arena);
}

static void corrupt_packs_never_crash(void **state)
{
    (void)state;
    if (!have_git)
        return;
    /* libgit2 wants a name of 40 digits, but does not look whether they are right. */
    sh("git clone -q --bare main corrupt; cd corrupt; git repack -q -a -d; chmod -R u+w "
       "objects\n"
       "for e in pack idx; do mv objects/pack/*.$e objects/p.$e; done; rm -f objects/pack/*\n"
       "for e in pack idx; do mv objects/p.$e "
       "objects/pack/pack-1234567890123456789012345678901234567890.$e; done");
    try_damage("objects/pack/pack-1234567890123456789012345678901234567890.pack", 150, 1);
    try_damage("objects/pack/pack-1234567890123456789012345678901234567890.idx", 150, 2);
    try_damage("packed-refs", 60, 3);
    try_damage("HEAD", 30, 4);
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
    cmocka_unit_test(missing_blobs_are_passed_over),
    cmocka_unit_test(missing_trees_and_commits_are_passed_over),
    cmocka_unit_test(shallow_histories_end_where_they_were_cut),
    cmocka_unit_test(corrupt_packs_never_crash),
    cmocka_unit_test(hostile_trees_are_bounded),
    cmocka_unit_test(every_allocation_may_fail),
    cmocka_unit_test(threads_have_their_own_handles),
};

GIT_BENCH_MAIN(tests)
