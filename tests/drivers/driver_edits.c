/*
 * Reads lines "ID<TAB>OLD<TAB>NEW" (paths); lines with the same ID are one fix. At the end
 * prints the similarity of every pair of fixes, "ID<TAB>ID<TAB>plain<TAB>with frequencies".
 * With an argument K, asks instead for the K nearest neighbours of every fix, by the index and
 * by looking at all, and prints one line of JSON: how many there are, the processor time of
 * both, and how many answers differ.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/map.h"
#include "base/str.h"
#include "source/edit_shape.h"
#include "source/text.h"

enum { MOST_FIXES = 20000 };

struct version {
    struct lw_source source;
    struct lw_tree tree;
    struct lw_names names;
};

struct fixes {
    struct lw_arena arena;
    struct lw_map ids;
    struct lw_edit_shape *shapes;
    struct version a, b;
    struct lw_treediff d;
};

static int load(struct version *v, struct lw_arena *arena, const char *path)
{
    struct lw_err err;
    if (lw_source_load(&v->source, arena, path, &err) < 0 ||
        lw_tree_parse(&v->tree, v->source.text, &err) < 0)
        return -1;
    return lw_names_build(&v->names, &v->tree, &err);
}

static int add(struct fixes *f, struct lw_str id, const char *old_path, const char *new_path)
{
    struct lw_err err;
    bool is_new;
    struct lw_map_entry *e = lw_map_put(&f->ids, lw_arena_copy(&f->arena, id), &is_new);
    if (!e || f->ids.n > MOST_FIXES)
        return -1;
    if (is_new) {
        e->value = f->ids.n - 1;
        lw_edit_shape_init(&f->shapes[e->value], NULL);
    }
    if (load(&f->a, &f->arena, old_path) < 0 || load(&f->b, &f->arena, new_path) < 0 ||
        lw_treediff_build(&f->d, &f->a.tree, &f->b.tree, &err) < 0)
        return -1;
    return lw_edit_shape_add(&f->shapes[e->value], &f->d, &f->a.names, &f->b.names, &err);
}

static void print_pairs(struct fixes *f, struct lw_edit_index *x)
{
    struct lw_err err;
    struct lw_edit_hit *hits = lw_arena_array(&f->arena, f->ids.n, sizeof *hits);
    double *like = lw_arena_array(&f->arena, f->ids.n, sizeof *like);
    size_t count;
    for (size_t i = 0; hits && like && i < f->ids.n; i++) {
        memset(like, 0, f->ids.n * sizeof *like);
        if (lw_edit_index_find(x, &f->shapes[i], hits, f->ids.n, &count, &err) < 0)
            return;
        for (size_t k = 0; k < count; k++)
            like[hits[k].shape] = hits[k].similarity;
        for (size_t k = 0; k < f->ids.n; k++)
            printf("%.*s\t%.*s\t%.6f\t%.6f\n", LW_F(f->ids.entries[i].key),
                   LW_F(f->ids.entries[k].key),
                   lw_edit_similarity(&f->shapes[i], &f->shapes[k]), like[k]);
    }
}

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool same_hits(const struct lw_edit_hit *a, size_t n, const struct lw_edit_hit *b,
                      size_t k)
{
    bool same = n == k;
    for (size_t i = 0; same && i < n; i++)
        same = a[i].shape == b[i].shape && a[i].similarity == b[i].similarity;
    return same;
}

static void print_nearest(struct fixes *f, struct lw_edit_index *x, size_t room)
{
    struct lw_err err;
    struct lw_edit_hit *a = lw_arena_array(&f->arena, room, sizeof *a);
    struct lw_edit_hit *b = lw_arena_array(&f->arena, room, sizeof *b);
    double fast = 0, slow = 0;
    size_t differ = 0, n = 0, k = 0;
    if (!a || !b || lw_edit_index_find(x, &f->shapes[0], a, 1, &n, &err) < 0)
        return;
    for (size_t i = 0; i < f->ids.n; i++) {
        double t0 = seconds();
        int rc = lw_edit_index_find(x, &f->shapes[i], a, room, &n, &err);
        double t1 = seconds();
        rc |= lw_edit_index_scan(x, &f->shapes[i], b, room, &k, &err);
        double t2 = seconds();
        fast += t1 - t0;
        slow += t2 - t1;
        differ += rc < 0 || !same_hits(a, n, b, k);
    }
    printf("{\"edits\": %zu, \"terms\": %zu, \"postings\": %zu, \"find_ms\": %.5f, "
           "\"scan_ms\": %.5f, \"differ\": %zu}\n",
           f->ids.n, x->terms.n, x->postings.n, 1000 * fast / (double)f->ids.n,
           1000 * slow / (double)f->ids.n, differ);
}

int main(int argc, char **argv)
{
    static char line[16384];
    struct fixes f;
    struct lw_edit_index x;
    struct lw_err err;
    lw_arena_init(&f.arena, NULL, 0);
    lw_map_init(&f.ids, NULL);
    f.shapes = lw_arena_array(&f.arena, MOST_FIXES, sizeof *f.shapes);
    lw_tree_init(&f.a.tree, NULL);
    lw_tree_init(&f.b.tree, NULL);
    lw_names_init(&f.a.names, NULL);
    lw_names_init(&f.b.names, NULL);
    lw_treediff_init(&f.d, NULL);
    lw_edit_index_init(&x, NULL);
    while (f.shapes && fgets(line, sizeof line, stdin)) {
        char *one = strchr(line, '\t'), *two = one ? strchr(one + 1, '\t') : NULL;
        line[strcspn(line, "\n")] = '\0';
        if (!two)
            continue;
        *one = *two = '\0';
        if (add(&f, lw_str(line), one + 1, two + 1) < 0)
            fprintf(stderr, "cannot read %s\n", line);
    }
    for (size_t i = 0; i < f.ids.n; i++) {
        lw_edit_shape_finish(&f.shapes[i]);
        (void)lw_edit_index_add(&x, &f.shapes[i], &err);
    }
    if (argc > 1 && f.ids.n > 0)
        print_nearest(&f, &x, strtoul(argv[1], NULL, 10));
    else
        print_pairs(&f, &x);
    for (size_t i = 0; i < f.ids.n; i++)
        lw_edit_shape_release(&f.shapes[i]);
    lw_edit_index_release(&x);
    lw_treediff_release(&f.d);
    lw_names_release(&f.a.names);
    lw_names_release(&f.b.names);
    lw_tree_release(&f.a.tree);
    lw_tree_release(&f.b.tree);
    lw_map_release(&f.ids);
    lw_arena_release(&f.arena);
    return 0;
}
