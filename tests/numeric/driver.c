#include "driver.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/num.h"
#include "base/vec.h"

double call_num(const struct call *c, size_t i)
{
    return i < c->n && c->arg[i].n == 1 ? c->arg[i].v[0] : NAN;
}

size_t call_count(const struct call *c, size_t i)
{
    double x = call_num(c, i);
    return x >= 0 ? (size_t)x : 0;
}

struct lw_str call_word(const struct call *c, size_t i)
{
    return i < c->n ? c->arg[i].word : (struct lw_str){0};
}

void put(double x)
{
    printf("%.17g ", x);
}

void put_all(const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(v[i]);
}

double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int read_raw(struct call *c, struct arg *a, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return lw_err_set(&c->err, LW_EIO, "cannot open %s", path);
    fseek(f, 0, SEEK_END);
    a->n = (size_t)ftell(f) / sizeof(double);
    rewind(f);
    a->v = lw_arena_array(c->arena, a->n, sizeof *a->v);
    size_t got = a->v ? fread(a->v, sizeof *a->v, a->n, f) : 0;
    fclose(f);
    return got == a->n ? 0 : lw_err_set(&c->err, LW_EIO, "short read of %s", path);
}

static int read_list(struct call *c, struct arg *a)
{
    struct lw_str rest = lw_str_part(a->word, 1, a->word.n - 2), piece;
    a->v = lw_arena_array(c->arena, a->word.n, sizeof *a->v);
    while (lw_str_split(&rest, ',', &piece))
        if (!lw_parse_double(piece, &a->v[a->n++]))
            return lw_err_set(&c->err, LW_EINVAL, "bad number %.*s", LW_F(piece));
    return 0;
}

static int read_arg(struct call *c, struct lw_str word)
{
    if (c->n == MAX_ARGS)
        return lw_err_set(&c->err, LW_ELIMIT, "too many arguments");
    struct arg *a = &c->arg[c->n++];
    *a = (struct arg){.word = word};
    if (lw_str_has_prefix(word, LW_S("file:")))
        return read_raw(c, a, lw_arena_copy(c->arena, lw_str_from(word, 5)).p);
    if (lw_str_has_prefix(word, LW_S("[")))
        return read_list(c, a);
    double x;
    if (lw_parse_double(word, &x)) {
        a->v = lw_arena_array(c->arena, 1, sizeof *a->v);
        a->v[0] = x;
        a->n = 1;
    }
    return 0;
}

static int run_line(struct call *c, struct lw_str line)
{
    struct lw_str name, word;
    if (!lw_str_split(&line, ' ', &name))
        return lw_err_set(&c->err, LW_EINVAL, "empty line");
    while (lw_str_split(&line, ' ', &word)) {
        int rc = word.n ? read_arg(c, word) : 0;
        if (rc < 0)
            return rc;
    }
    const struct command *tables[] = {distribution_commands, test_commands, learner_commands};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct command *k = tables[t]; k->name; k++)
            if (lw_str_eq(name, lw_str(k->name)))
                return k->run(c);
    return lw_err_set(&c->err, LW_EINVAL, "no command %.*s", LW_F(name));
}

int main(void)
{
    struct lw_arena arena;
    lw_arena_init(&arena, NULL, 0);
    char *line = NULL;
    size_t room = 0;
    ssize_t got;
    while ((got = getline(&line, &room, stdin)) > 0) {
        struct call c = {.arena = &arena};
        int rc = run_line(&c, lw_str_trim(lw_str_n(line, (size_t)got)));
        if (rc < 0)
            printf("error %d %s", rc, c.err.text);
        putchar('\n');
        fflush(stdout);
        lw_arena_clear(&arena);
    }
    free(line);
    lw_arena_release(&arena);
    return 0;
}
