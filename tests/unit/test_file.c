#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"

/* A private folder for each test, and paths in it. */
struct fixture {
    struct lw_buf root;
    struct lw_arena arena;
    struct lw_err err;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    lw_buf_init(&f->root, NULL, 0);
    lw_arena_init(&f->arena, NULL, 0);
    *state = f;
    return lw_temp_dir(&f->root, &f->err);
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    int rc = lw_dir_remove(lw_buf_z(&f->root), &f->err);
    lw_buf_release(&f->root);
    lw_arena_release(&f->arena);
    free(f);
    return rc;
}

static const char *in(struct fixture *f, const char *name)
{
    return lw_arena_printf(&f->arena, "%s/%s", lw_buf_z(&f->root), name).p;
}

/* With stdio: lw_file_write waits for the disk each time. */
static void put(struct fixture *f, const char *name, struct lw_str content)
{
    FILE *file = fopen(in(f, name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(content.p, 1, content.n, file), content.n);
    assert_int_equal(fclose(file), 0);
}

static size_t count_names(struct fixture *f, const char *name)
{
    lw_str_vec names = {0};
    assert_int_equal(lw_dir_list(&f->arena, NULL, in(f, name), &names, &f->err), 0);
    size_t n = names.n;
    lw_vec_release(NULL, &names);
    return n;
}

static void what_is_written_is_read(void **state)
{
    struct fixture *f = *state;
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 200000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *content = malloc(sizes[i] + 1);
        for (size_t k = 0; k < sizes[i]; k++)
            content[k] = (char)(k * 31);
        const char *path = in(f, "x");
        assert_int_equal(lw_file_write(path, lw_str_n(content, sizes[i]), 0644, &f->err), 0);
        struct lw_str back;
        size_t limits[] = {sizes[i], sizes[i] + 1, 1 << 20, SIZE_MAX};
        for (size_t k = 0; k < 4; k++) {
            assert_int_equal(lw_file_read(&f->arena, in(f, "x"), limits[k], &back, &f->err), 0);
            assert_int_equal(back.n, sizes[i]);
            assert_memory_equal(back.p, content, back.n);
            assert_int_equal(back.p[back.n], '\0');
        }
        if (sizes[i])
            assert_int_equal(lw_file_read(&f->arena, in(f, "x"), sizes[i] - 1, &back, &f->err),
                             LW_ELIMIT);
        free(content);
    }
    assert_int_equal(count_names(f, "."), 1); /* no temporary is left */
}

static void what_somebody_changed_is_not_rewritten(void **state)
{
    struct fixture *f = *state;
    const struct lw_str was = LW_S("one\n"), now = LW_S("two\n");
    struct lw_str back;
    put(f, "x", was);
    assert_int_equal(lw_file_rewrite(in(f, "x"), was, now, &f->err), 0);
    const struct lw_str others[] = {was, LW_S("two"), LW_S("two\nx"), LW_S("")};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(lw_file_rewrite(in(f, "x"), others[i], was, &f->err), LW_EBUSY);
        assert_non_null(strstr(f->err.text, "was changed by somebody else"));
    }
    assert_int_equal(lw_file_read(&f->arena, in(f, "x"), 100, &back, &f->err), 0);
    assert_true(lw_str_eq(back, now));
    assert_int_equal(count_names(f, "."), 1);
}

static void what_cannot_be_read_is_told(void **state)
{
    struct fixture *f = *state;
    struct lw_str content;
    assert_int_equal(lw_file_read(&f->arena, in(f, "none"), 100, &content, &f->err), LW_ENOENT);
    assert_non_null(strstr(f->err.text, "/none': No such file or directory"));
    assert_int_equal(lw_file_read(&f->arena, in(f, "."), 100, &content, &f->err), LW_EINVAL);
    assert_non_null(strstr(f->err.text, "it is a folder, not a file"));
    assert_int_equal(lw_file_read(&f->arena, "/dev/zero", 100, &content, &f->err), LW_EINVAL);
    assert_int_equal(mkfifo(in(f, "pipe"), 0600), 0);
    assert_int_equal(lw_file_read(&f->arena, in(f, "pipe"), 100, &content, &f->err), LW_EINVAL);
    assert_non_null(strstr(f->err.text, "not a regular file"));
    put(f, "x", LW_S("123456"));
    assert_int_equal(lw_file_read(&f->arena, in(f, "x"), 5, &content, &f->err), LW_ELIMIT);
    assert_non_null(strstr(f->err.text, "larger than the limit of 5 bytes"));
    /* Opens, but every read of it fails. */
    assert_int_equal(lw_file_read(&f->arena, "/proc/self/mem", 100, &content, &f->err),
                     LW_ELACK);
}

static void a_dash_is_standard_input(void **state)
{
    struct fixture *f = *state;
    struct lw_str content;
    int ends[2], old = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "one\ntwo", 7), 7);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    assert_int_equal(lw_file_read(&f->arena, "-", 100, &content, &f->err), 0);
    assert_str(content, "one\ntwo");
    close(STDIN_FILENO);
    assert_int_equal(lw_file_read(&f->arena, "-", 100, &content, &f->err), LW_EIO);
    dup2(old, STDIN_FILENO);
    close(old);
}

static void writing_respects_mode_and_umask(void **state)
{
    struct fixture *f = *state;
    mode_t old = umask(027);
    assert_int_equal(lw_file_write(in(f, "x"), LW_S("a"), 0777, &f->err), 0);
    umask(old);
    struct stat st;
    assert_int_equal(stat(in(f, "x"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0750);
    assert_int_equal(lw_file_write(in(f, "x"), LW_S("b"), 0400, &f->err), 0);
    assert_int_equal(stat(in(f, "x"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0400);
}

static void names_may_be_as_long_as_the_system_allows(void **state)
{
    struct fixture *f = *state;
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    assert_int_equal(lw_file_write(in(f, name), LW_S("x"), 0644, &f->err), 0);
    char path[5000];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_int_equal(lw_file_write(path, LW_S("x"), 0644, &f->err), LW_EINVAL);
}

static void a_failed_write_leaves_the_old_content(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(mkdir(in(f, "folder"), 0700), 0);
    assert_int_equal(lw_file_write(in(f, "folder"), LW_S("x"), 0644, &f->err), LW_EIO);
    assert_int_equal(lw_file_write(in(f, "none/x"), LW_S("x"), 0644, &f->err), LW_ENOENT);
    assert_int_equal(lw_file_write("/proc/x", LW_S("x"), 0644, &f->err), LW_ENOENT);
    assert_int_equal(count_names(f, "."), 1);
    put(f, "x", LW_S("old"));
    /* A limit on the file size stands for the full disk. */
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = (struct rlimit){1000, old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    char *big = calloc(1, 5000);
    int rc = lw_file_write(in(f, "x"), lw_str_n(big, 5000), 0644, &f->err);
    setrlimit(RLIMIT_FSIZE, &old);
    free(big);
    assert_int_equal(rc, LW_EIO);
    assert_non_null(strstr(f->err.text, "/x': File too large"));
    struct lw_str content;
    assert_int_equal(lw_file_read(&f->arena, in(f, "x"), 100, &content, &f->err), 0);
    assert_str(content, "old");
    assert_int_equal(count_names(f, "."), 2);
}

static void a_full_disk_leaves_the_old_content(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(mkdir(in(f, "disk"), 0700), 0);
    if (mount("none", in(f, "disk"), "tmpfs", 0, "size=64k") < 0) {
        print_message("# cannot mount a small disk here (%s): not tried\n", strerror(errno));
        return;
    }
    char *big = calloc(1, 100000);
    int first = lw_file_write(in(f, "disk/x"), LW_S("old"), 0644, &f->err);
    int second = lw_file_write(in(f, "disk/x"), lw_str_n(big, 100000), 0644, &f->err);
    struct lw_str content = {0};
    struct lw_err ignored;
    lw_file_read(&f->arena, in(f, "disk/x"), 200000, &content, &ignored);
    size_t left = count_names(f, "disk");
    umount(in(f, "disk"));
    free(big);
    assert_int_equal(first, 0);
    assert_int_equal(second, LW_ELACK);
    assert_non_null(strstr(f->err.text, "No space left on device"));
    assert_str(content, "old");
    assert_int_equal(left, 1);
}

static int read_lines(struct fixture *f, const char *path, size_t max, struct lw_buf *flat)
{
    struct lw_reader r;
    int rc = lw_reader_open(&r, NULL, path, max, &f->err);
    if (rc < 0)
        return rc;
    struct lw_str line;
    uint64_t n = 0;
    while ((rc = lw_reader_line(&r, &line, &f->err)) > 0) {
        assert_int_equal(r.line, ++n);
        lw_buf_add(flat, line);
        lw_buf_add_char(flat, '|');
    }
    lw_reader_close(&r);
    lw_reader_close(&r);
    return rc;
}

static void lines_of_any_file(void **state)
{
    struct fixture *f = *state;
    struct lw_buf flat, text;
    lw_buf_init(&flat, NULL, 0);
    lw_buf_init(&text, NULL, 0);
    put(f, "a", LW_S(""));
    assert_int_equal(read_lines(f, in(f, "a"), 100, &flat), 0);
    assert_str(lw_buf_str(&flat), "");
    put(f, "a", LW_S("one\r\n\ntwo\nlast"));
    assert_int_equal(read_lines(f, in(f, "a"), 100, &flat), 0);
    assert_str(lw_buf_str(&flat), "one||two|last|");
    /* Lines around the steps in which the file is read. */
    for (size_t n = 0; n < 300000;) {
        size_t length = n % 997 * 3;
        lw_buf_fill(&text, (char)('a' + n % 26), length);
        lw_buf_add_char(&text, '\n');
        n += length + 1;
    }
    put(f, "a", lw_buf_str(&text));
    lw_buf_clear(&flat);
    assert_int_equal(read_lines(f, in(f, "a"), SIZE_MAX, &flat), 0);
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '\n')
            text.p[i] = '|';
    assert_int_equal(flat.n, text.n);
    assert_memory_equal(flat.p, text.p, text.n);
    lw_buf_release(&flat);
    lw_buf_release(&text);
}

/* The limit means the same wherever the line lies in the file, with LF, CRLF or neither. */
static void long_lines_are_refused(void **state)
{
    struct fixture *f = *state;
    static const char *const ends[] = {"\n", "\r\n", ""};
    static const size_t before[] = {0, 10, 65526, 65536, 131060};
    struct lw_buf text, flat;
    lw_buf_init(&text, NULL, 0);
    lw_buf_init(&flat, NULL, 0);
    for (size_t i = 0; i < 15; i++)
        for (size_t length = 9; length < 13; length++) {
            lw_buf_clear(&text);
            for (size_t n = 0; n < before[i / 3]; n += 2)
                lw_buf_addz(&text, "x\n");
            lw_buf_fill(&text, 'y', length);
            lw_buf_addz(&text, ends[i % 3]);
            put(f, "a", lw_buf_str(&text));
            lw_buf_clear(&flat);
            int rc = read_lines(f, in(f, "a"), 10, &flat);
            if (rc != (length > 10 ? LW_ELIMIT : 0))
                fail_msg("%zu bytes after %zu: %d", length, before[i / 3], rc);
        }
    /* And a line without end is refused before it is read whole. */
    lw_buf_clear(&text);
    lw_buf_fill(&text, 'z', 1 << 20);
    put(f, "a", lw_buf_str(&text));
    assert_int_equal(read_lines(f, in(f, "a"), 1000, &flat), LW_ELIMIT);
    assert_non_null(strstr(f->err.text, "/a:1: line is longer than 1000 bytes"));
    assert_int_equal(read_lines(f, in(f, "none"), 10, &flat), LW_ENOENT);
    assert_int_equal(read_lines(f, "/proc/self/mem", 10, &flat), LW_ELACK);
    lw_buf_release(&text);
    lw_buf_release(&flat);
}

static void kinds_of_files(void **state)
{
    struct fixture *f = *state;
    put(f, "x", LW_S(""));
    assert_int_equal(symlink("x", in(f, "link")), 0);
    assert_int_equal(symlink("nowhere", in(f, "dangling")), 0);
    assert_int_equal(lw_file_kind(in(f, "x")), LW_FILE_REGULAR);
    assert_int_equal(lw_file_kind(in(f, "link")), LW_FILE_REGULAR);
    assert_int_equal(lw_file_kind(in(f, ".")), LW_FILE_FOLDER);
    assert_int_equal(lw_file_kind("/dev/null"), LW_FILE_OTHER);
    assert_int_equal(lw_file_kind(in(f, "none")), LW_FILE_NONE);
    assert_int_equal(lw_file_kind(in(f, "dangling")), LW_FILE_NONE);
}

static void folders_are_made_with_parents(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(lw_dir_make(in(f, "a//b/c/"), &f->err), 0);
    assert_int_equal(lw_dir_make(in(f, "a/b/c"), &f->err), 0);
    assert_int_equal(lw_file_kind(in(f, "a/b/c")), LW_FILE_FOLDER);
    assert_int_equal(lw_dir_make("/", &f->err), 0);
    put(f, "x", LW_S(""));
    assert_int_equal(lw_dir_make(in(f, "x"), &f->err), LW_EINVAL);
    assert_int_equal(lw_dir_make(in(f, "x/y"), &f->err), LW_ENOENT);
    assert_int_equal(lw_dir_make("", &f->err), LW_EINVAL);
    assert_int_equal(lw_dir_make("/proc/none/x", &f->err), LW_ENOENT);
    char path[5000];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_int_equal(lw_dir_make(path, &f->err), LW_EINVAL);
    assert_int_equal(lw_dir_make_for(in(f, "for/it/name"), &f->err), 0);
    assert_int_equal(lw_file_kind(in(f, "for/it")), LW_FILE_FOLDER);
    assert_int_equal(lw_file_kind(in(f, "for/it/name")), LW_FILE_NONE);
    assert_int_equal(lw_dir_make_for("name", &f->err), 0);
    assert_int_equal(lw_dir_make_for("/name", &f->err), 0);
    path[sizeof path - 2] = '/';
    assert_int_equal(lw_dir_make_for(path, &f->err), LW_EINVAL);
}

static void check_tree(struct fixture *f, bool strict, size_t max, int code, const char *names)
{
    lw_str_vec files = {0};
    struct lw_buf flat;
    lw_buf_init(&flat, NULL, 0);
    int rc = lw_dir_walk(&f->arena, NULL, lw_buf_z(&f->root), strict, max, &files, &f->err);
    assert_int_equal(rc, code);
    for (size_t i = 0; rc == 0 && i < files.n; i++)
        lw_buf_addf(&flat, "%s ", files.v[i].p);
    if (rc == 0)
        assert_string_equal(lw_buf_z(&flat), names);
    lw_buf_release(&flat);
    lw_vec_release(NULL, &files);
}

static void trees_are_listed_in_byte_order(void **state)
{
    struct fixture *f = *state;
    check_tree(f, true, 0, 0, "");
    lw_dir_make(in(f, "b/c"), &f->err);
    lw_dir_make(in(f, "empty"), &f->err);
    static const char *const names[] = {"z", "b/y", "b/c/x", "b.txt", "a"};
    for (size_t i = 0; i < 5; i++)
        put(f, names[i], LW_S("1"));
    check_tree(f, true, 5, 0, "a b.txt b/c/x b/y z ");
    check_tree(f, true, 4, LW_ELIMIT, NULL);
    assert_non_null(strstr(f->err.text, "contains more than 4 files"));
    assert_int_equal(symlink("/", in(f, "b/link")), 0);
    check_tree(f, false, 5, 0, "a b.txt b/c/x b/y z ");
    check_tree(f, true, 5, LW_EINVAL, NULL);
    assert_non_null(strstr(f->err.text, "'b/link' in "));
    lw_str_vec list = {0};
    assert_int_equal(lw_dir_walk(&f->arena, NULL, in(f, "none"), true, 5, &list, &f->err),
                     LW_ENOENT);
    assert_int_equal(lw_dir_list(&f->arena, NULL, in(f, "none"), &list, &f->err), LW_ENOENT);
    assert_int_equal(lw_dir_list(&f->arena, NULL, in(f, "."), &list, &f->err), 0);
    assert_int_equal(list.n, 5);
    assert_str(list.v[1], "b");
    assert_str(list.v[2], "b.txt");
    lw_vec_release(NULL, &list);
}

/* Goes down `depth` folders, making them, and back. */
static void make_deep(struct fixture *f, int depth)
{
    int here = open(".", O_RDONLY | O_DIRECTORY);
    assert_int_equal(chdir(lw_buf_z(&f->root)), 0);
    for (int i = 0; i < depth; i++) {
        assert_int_equal(mkdir("deep-down", 0700), 0);
        assert_int_equal(chdir("deep-down"), 0);
    }
    int fd = open("file", O_CREAT | O_WRONLY, 0600);
    close(fd);
    assert_int_equal(fchdir(here), 0);
    close(here);
}

static void a_tree_too_deep_is_refused(void **state)
{
    struct fixture *f = *state;
    make_deep(f, 65);
    check_tree(f, true, 5, LW_ELIMIT, NULL);
    assert_non_null(strstr(f->err.text, "more than 64 folders deep"));
}

/* A program may leave behind what it likes: deeper than any path can name, or than there are
 * descriptors. */
static void trees_of_any_depth_are_removed(void **state)
{
    struct fixture *f = *state;
    make_deep(f, 450);
    put(f, "x", LW_S("1"));
    struct rlimit old, few;
    getrlimit(RLIMIT_NOFILE, &old);
    few = (struct rlimit){32, old.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    int rc = lw_dir_remove(lw_buf_z(&f->root), &f->err);
    setrlimit(RLIMIT_NOFILE, &old);
    assert_int_equal(rc, 0);
    assert_int_equal(lw_file_kind(lw_buf_z(&f->root)), LW_FILE_NONE);
}

static void removing_follows_no_links(void **state)
{
    struct fixture *f = *state;
    lw_dir_make(in(f, "keep"), &f->err);
    lw_dir_make(in(f, "tree/a/b"), &f->err);
    put(f, "keep/x", LW_S("1"));
    put(f, "tree/a/b/x", LW_S("1"));
    assert_int_equal(symlink("../keep", in(f, "tree/link")), 0);
    assert_int_equal(symlink("../../keep/x", in(f, "tree/a/link")), 0);
    assert_int_equal(mkfifo(in(f, "tree/pipe"), 0600), 0);
    assert_int_equal(lw_dir_remove(in(f, "tree"), &f->err), 0);
    assert_int_equal(lw_file_kind(in(f, "tree")), LW_FILE_NONE);
    assert_int_equal(lw_file_kind(in(f, "keep/x")), LW_FILE_REGULAR);
    assert_int_equal(lw_dir_remove(in(f, "tree"), &f->err), 0); /* gone is fine */
    assert_int_equal(symlink("keep", in(f, "link")), 0);
    assert_true(lw_dir_remove(in(f, "link"), &f->err) < 0);
    assert_true(lw_dir_remove(in(f, "keep/x"), &f->err) < 0);
    assert_int_equal(lw_file_kind(in(f, "keep/x")), LW_FILE_REGULAR);
}

/* Runs `body` in a child that is not root; the code it ends with. */
static int as_user(struct fixture *f, int (*body)(struct fixture *))
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
            _exit(99);
        _exit(body(f));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int remove_locked_tree(struct fixture *f)
{
    static const mode_t modes[] = {0500, 0000, 0300, 0400};
    for (size_t i = 0; i < 4; i++) {
        if (lw_dir_make(in(f, "open/tree/locked/inner"), &f->err) < 0 ||
            lw_file_write(in(f, "open/tree/locked/x"), LW_S("1"), 0600, &f->err) < 0 ||
            lw_file_write(in(f, "open/tree/locked/inner/y"), LW_S("1"), 0600, &f->err) < 0 ||
            chmod(in(f, "open/tree/locked/inner"), modes[i]) < 0 ||
            chmod(in(f, "open/tree/locked"), modes[i]) < 0 ||
            chmod(in(f, "open/tree"), modes[i]) < 0)
            return 50;
        if (lw_dir_remove(in(f, "open/tree"), &f->err) < 0)
            return 1 + (int)i;
    }
    return 0;
}

static int fail_on_foreign_tree(struct fixture *f)
{
    struct lw_str content;
    lw_str_vec files = {0};
    if (lw_dir_remove(in(f, "foreign"), &f->err) != LW_EIO)
        return 1;
    if (lw_file_read(&f->arena, in(f, "foreign/secret"), 10, &content, &f->err) != LW_EIO)
        return 2;
    if (lw_file_write(in(f, "foreign/new"), LW_S("1"), 0644, &f->err) != LW_EIO)
        return 3;
    if (lw_dir_make(in(f, "foreign/new"), &f->err) != LW_EIO)
        return 4;
    if (lw_dir_walk(&f->arena, NULL, in(f, "foreign"), true, 9, &files, &f->err) != LW_EIO)
        return 5;
    lw_vec_release(NULL, &files);
    return 0;
}

static void locked_folders_are_removed_foreign_ones_not(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(chmod(lw_buf_z(&f->root), 0755), 0);
    assert_int_equal(mkdir(in(f, "open"), 0777), 0);
    assert_int_equal(chmod(in(f, "open"), 0777), 0);
    assert_int_equal(as_user(f, remove_locked_tree), 0);
    if (geteuid() != 0) {
        print_message("# not root: nothing here belongs to somebody else\n");
        return;
    }
    lw_dir_make(in(f, "foreign/inner"), &f->err);
    assert_int_equal(chmod(in(f, "foreign/inner"), 0700), 0);
    assert_int_equal(lw_file_write(in(f, "foreign/secret"), LW_S("1"), 0600, &f->err), 0);
    assert_int_equal(as_user(f, fail_on_foreign_tree), 0);
    assert_int_equal(lw_file_kind(in(f, "foreign/secret")), LW_FILE_REGULAR);
}

static void temporary_folders_are_private(void **state)
{
    struct fixture *f = *state;
    struct stat st;
    assert_int_equal(stat(lw_buf_z(&f->root), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0700);
    const char *old = getenv("TMPDIR");
    struct lw_buf path;
    lw_buf_init(&path, NULL, 0);
    setenv("TMPDIR", lw_buf_z(&f->root), 1);
    assert_int_equal(lw_temp_dir(&path, &f->err), 0);
    assert_true(lw_str_has_prefix(lw_buf_str(&path), lw_buf_str(&f->root)));
    setenv("TMPDIR", in(f, "none"), 1);
    assert_int_equal(lw_temp_dir(&path, &f->err), LW_ENOENT);
    setenv("TMPDIR", "relative", 1);
    assert_int_equal(lw_temp_dir(&path, &f->err), 0);
    assert_true(lw_str_has_prefix(lw_buf_str(&path), LW_S("/tmp/")));
    assert_int_equal(lw_dir_remove(lw_buf_z(&path), &f->err), 0);
    if (old)
        setenv("TMPDIR", old, 1);
    else
        unsetenv("TMPDIR");
    lw_buf_release(&path);
}

static size_t open_descriptors(void)
{
    struct lw_arena a;
    lw_str_vec names = {0};
    struct lw_err err;
    lw_arena_init(&a, NULL, 0);
    assert_int_equal(lw_dir_list(&a, NULL, "/proc/self/fd", &names, &err), 0);
    size_t n = names.n;
    lw_vec_release(NULL, &names);
    lw_arena_release(&a);
    return n;
}

static int use_all(struct lw_mem *mem, void *data)
{
    struct fixture *f = data;
    struct lw_arena arena;
    struct lw_err err = {0};
    lw_str_vec files = {0};
    struct lw_reader r = {.fd = -1};
    struct lw_buf temp;
    lw_arena_init(&arena, mem, 0);
    lw_buf_init(&temp, mem, 0);
    struct lw_str content;
    int rc = lw_file_read(&arena, in(f, "t/a"), 100, &content, &err);
    if (rc == 0)
        rc = lw_dir_walk(&arena, mem, in(f, "t"), true, 100, &files, &err);
    lw_vec_release(mem, &files);
    if (rc == 0)
        rc = lw_dir_list(&arena, mem, in(f, "t"), &files, &err);
    if (rc == 0 && (rc = lw_reader_open(&r, mem, in(f, "t/a"), 100, &err)) == 0)
        while ((rc = lw_reader_line(&r, &content, &err)) > 0)
            ;
    lw_reader_close(&r);
    if (rc == 0 && (rc = lw_temp_dir(&temp, &err)) == 0)
        rc = lw_dir_remove(lw_buf_z(&temp), &err);
    lw_buf_release(&temp);
    lw_vec_release(mem, &files);
    lw_arena_release(&arena);
    return rc;
}

static void every_allocation_may_fail_and_no_descriptor_leaks(void **state)
{
    struct fixture *f = *state;
    lw_dir_make(in(f, "t/b/c"), &f->err);
    static const char *const names[] = {"t/a", "t/b/1", "t/b/c/2", "t/b/c/3"};
    for (size_t i = 0; i < 4; i++)
        put(f, names[i], LW_S("one\ntwo\n"));
    size_t before = open_descriptors();
    check_every_allocation(use_all, f);
    assert_int_equal(open_descriptors(), before);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    test(what_is_written_is_read),
    test(what_somebody_changed_is_not_rewritten),
    test(what_cannot_be_read_is_told),
    test(a_dash_is_standard_input),
    test(writing_respects_mode_and_umask),
    test(names_may_be_as_long_as_the_system_allows),
    test(a_failed_write_leaves_the_old_content),
    test(a_full_disk_leaves_the_old_content),
    test(lines_of_any_file),
    test(long_lines_are_refused),
    test(kinds_of_files),
    test(folders_are_made_with_parents),
    test(trees_are_listed_in_byte_order),
    test(a_tree_too_deep_is_refused),
    test(trees_of_any_depth_are_removed),
    test(removing_follows_no_links),
    test(locked_folders_are_removed_foreign_ones_not),
    test(temporary_folders_are_private),
    test(every_allocation_may_fail_and_no_descriptor_leaks),
};
CHECK_MAIN(tests)
