/*
 * list_bugs - the smallest program that uses liblacewing: lists the bugs of the user's
 * catalogue, or those of one category.
 *
 *     cc list_bugs.c $(pkg-config --cflags --libs lacewing) -o list_bugs
 *     ./list_bugs shape
 */
#include <stdio.h>
#include <string.h>

#include <lacewing.h>

static int print_bug(void *data, const struct lw_bug *bug)
{
    (void)data;
    printf("%.*s: %.*s\n", (int)bug->id.n, bug->id.p, (int)bug->title.n, bug->title.p);
    return 0; /* go on */
}

int main(int argc, char **argv)
{
    lw_catalog *catalog;
    struct lw_err err;
    struct lw_query query = {0};
    if (argc > 1)
        query.category = (struct lw_str){argv[1], strlen(argv[1])};

    int rc = lw_catalog_open(&catalog, NULL, &err);
    if (rc == 0) {
        rc = lw_catalog_list(catalog, &query, print_bug, NULL, &err);
        lw_catalog_close(catalog);
    }
    if (rc < 0)
        fprintf(stderr, "list_bugs: %s\n", err.text);
    return lw_exit_code(rc);
}
