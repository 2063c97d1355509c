/*
 * The front end over files, for bench/source/speed.py.
 *
 *     bench_source lex|parse LIST   megabytes a second over the files named in LIST
 *     bench_source size LIST        bytes of tree per byte of text
 *     bench_source each LIST        for each file: nanoseconds a byte, a line each
 *
 * Times are of this process's CPU, the best of three rounds; reading the files is not counted.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/str.h"
#include "source/tree.h"

enum { ROUNDS = 3, LARGEST = 1 << 30 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct corpus {
    struct lw_arena arena;
    LW_VEC(struct lw_str) texts;
    size_t bytes;
};

static int load(struct corpus *c, const char *list, struct lw_err *err)
{
    struct lw_str names, path;
    int rc = lw_file_read(&c->arena, list, LARGEST, &names, err);
    while (rc == 0 && lw_str_line(&names, &path)) {
        struct lw_str text, name = lw_arena_copy(&c->arena, path);
        rc = lw_file_read(&c->arena, name.p, LARGEST, &text, err);
        if (rc == 0)
            rc = lw_vec_push(NULL, &c->texts, text);
        c->bytes += rc == 0 ? text.n : 0;
    }
    return rc;
}

static int run_once(struct lw_tree *t, struct lw_str text, bool lex, struct lw_err *err)
{
    return lex ? lw_lex(&t->lexed, text, err) : lw_tree_parse(t, text, err);
}

/* The best time for all texts from `from` to before `to`; negative on failure. */
static double best(const struct corpus *c, size_t from, size_t to, bool lex, size_t *tree_bytes)
{
    struct lw_tree t;
    struct lw_err err;
    double fastest = 1e9;
    lw_tree_init(&t, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        double before = seconds();
        *tree_bytes = 0;
        for (size_t i = from; i < to; i++) {
            if (run_once(&t, c->texts.v[i], lex, &err) < 0)
                fastest = -1;
            *tree_bytes += lw_tree_bytes(&t);
        }
        double spent = seconds() - before;
        fastest = spent < fastest ? spent : fastest;
    }
    lw_tree_release(&t);
    return fastest;
}

int main(int argc, char **argv)
{
    struct corpus c = {0};
    struct lw_err err;
    lw_arena_init(&c.arena, NULL, 0);
    if (argc != 3 || load(&c, argv[2], &err) < 0)
        return 2;
    size_t tree_bytes;
    bool lex = strcmp(argv[1], "lex") == 0;
    if (strcmp(argv[1], "each") == 0) {
        for (size_t i = 0; i < c.texts.n; i++)
            printf("%.4f\n",
                   best(&c, i, i + 1, false, &tree_bytes) * 1e9 / (double)c.texts.v[i].n);
    } else {
        double spent = best(&c, 0, c.texts.n, lex, &tree_bytes);
        bool size = strcmp(argv[1], "size") == 0;
        printf("%.3f\n",
               size ? (double)tree_bytes / (double)c.bytes : (double)c.bytes / 1e6 / spent);
    }
    lw_vec_release(NULL, &c.texts);
    lw_arena_release(&c.arena);
    return 0;
}
