/*
 * tree-sitter on Python files, for comparison only. Built by bench/source/speed.py and by the
 * recovery test where tree-sitter and its Python grammar are present; see docs/source.md.
 *
 *     source_peer bench LIST       megabytes a second over the files named in LIST
 *     source_peer statements LIST  for each file a line "= path", then "kind start end" lines
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_python(void);

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static char *read_all(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    *n = (size_t)ftell(f);
    rewind(f);
    char *p = malloc(*n + 1);
    if (p && fread(p, 1, *n, f) != *n) {
        free(p);
        p = NULL;
    }
    fclose(f);
    return p;
}

/* Walks with the cursor, so that depth costs no stack. */
static void print_statements(TSNode root)
{
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    bool more = true;
    while (more) {
        TSNode n = ts_tree_cursor_current_node(&cursor);
        const char *type = ts_node_type(n);
        if (strcmp(type, "expression_statement") == 0 && ts_node_named_child_count(n) > 0)
            printf("expression_statement/%s %u %u\n", ts_node_type(ts_node_named_child(n, 0)),
                   ts_node_start_byte(n), ts_node_end_byte(n));
        else if (ts_node_is_named(n))
            printf("%s %u %u\n", type, ts_node_start_byte(n), ts_node_end_byte(n));
        if (ts_tree_cursor_goto_first_child(&cursor))
            continue;
        while (!ts_tree_cursor_goto_next_sibling(&cursor))
            if (!ts_tree_cursor_goto_parent(&cursor)) {
                more = false;
                break;
            }
    }
    ts_tree_cursor_delete(&cursor);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    bool bench = strcmp(argv[1], "bench") == 0;
    FILE *list = fopen(argv[2], "r");
    if (!list)
        return 2;
    TSParser *parser = ts_parser_new();
    if (!ts_parser_set_language(parser, tree_sitter_python()))
        return 3;
    char path[4096];
    double bytes = 0, spent = 0;
    while (fgets(path, sizeof path, list)) {
        path[strcspn(path, "\n")] = '\0';
        size_t n;
        char *text = read_all(path, &n);
        if (!text)
            continue;
        double before = seconds();
        TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)n);
        spent += seconds() - before;
        bytes += (double)n;
        if (!bench) {
            printf("= %s\n", path);
            print_statements(ts_tree_root_node(tree));
        }
        ts_tree_delete(tree);
        free(text);
    }
    if (bench)
        printf("%.3f\n", bytes / 1e6 / spent);
    ts_parser_delete(parser);
    fclose(list);
    return 0;
}
