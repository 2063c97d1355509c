#include "knowledge/vocabulary.h"

#include <string.h>

#include "base/csv.h"
#include "base/err.h"
#include "base/str.h"
#include "knowledge/embedded.h"

static int add_word(struct lw_vocabulary *v, struct lw_str kind, struct lw_str name)
{
    struct lw_str key = lw_arena_printf(&v->arena, "%.*s\n%.*s", LW_F(kind), LW_F(name));
    return key.p && lw_map_put(&v->words, key, NULL) ? 0 : LW_ENOMEM;
}

/* Words are in the first column, or after the kind where `kind` is NULL. */
static int load_table(struct lw_vocabulary *v, const char *path, const char *kind,
                      struct lw_err *err)
{
    struct lw_str text;
    struct lw_csv csv;
    LW_BUG_ON(!lw_embedded_find(lw_str(path), &text));
    int rc = lw_csv_open_text(&csv, v->arena.mem, lw_str(path), ',', text, err);
    if (rc < 0)
        return rc;
    rc = lw_csv_next(&csv, err); /* the header */
    while (rc > 0 && (rc = lw_csv_next(&csv, err)) > 0) {
        struct lw_str k = kind ? lw_str(kind) : csv.fields.v[0];
        LW_BUG_ON(!kind && csv.fields.n < 2);
        if (add_word(v, k, csv.fields.v[kind ? 0 : 1]) < 0)
            rc = lw_err_nomem(err);
    }
    lw_csv_close(&csv);
    return rc;
}

int lw_vocabulary_load(struct lw_vocabulary *v, struct lw_mem *mem, struct lw_err *err)
{
    lw_arena_init(&v->arena, mem, 0);
    lw_map_init(&v->words, mem);
    int rc = load_table(v, "data/vocabulary.csv", NULL, err);
    if (rc == 0)
        rc = load_table(v, "data/taxonomy.csv", "leaf", err);
    if (rc == 0)
        rc = load_table(v, "data/fix_patterns.csv", "fix_pattern", err);
    if (rc < 0)
        lw_vocabulary_release(v);
    return rc;
}

void lw_vocabulary_release(struct lw_vocabulary *v)
{
    lw_map_release(&v->words);
    lw_arena_release(&v->arena);
}

enum { LONGEST_WORD = 256 };

bool lw_vocabulary_has(const struct lw_vocabulary *v, const char *kind, struct lw_str name)
{
    char key[LONGEST_WORD];
    size_t n = strlen(kind);
    if (n + 1 + name.n > sizeof key)
        return false;
    memcpy(key, kind, n);
    key[n] = '\n';
    if (name.n)
        memcpy(key + n + 1, name.p, name.n);
    return lw_map_find(&v->words, lw_str_n(key, n + 1 + name.n)) != NULL;
}

/* The word behind entry `i` if it is of this kind. */
static bool word_of(const struct lw_vocabulary *v, size_t i, const char *kind,
                    struct lw_str *word)
{
    struct lw_str key = v->words.entries[i].key;
    size_t n = strlen(kind);
    if (key.n <= n || key.p[n] != '\n' || memcmp(key.p, kind, n) != 0)
        return false;
    *word = lw_str_from(key, n + 1);
    return true;
}

int lw_vocabulary_refuse(const struct lw_vocabulary *v, const char *kind, struct lw_str name,
                         struct lw_err *err)
{
    struct lw_str word, nearest = {0};
    size_t limit = lw_str_typo_limit(name), best = limit + 1, count = 0;
    struct lw_buf all;
    lw_buf_init(&all, v->arena.mem, 0);
    for (size_t i = 0; i < v->words.n; i++) {
        if (!word_of(v, i, kind, &word))
            continue;
        size_t d = lw_str_distance(name, word, limit);
        if (d < best) {
            best = d;
            nearest = word;
        }
        lw_buf_addf(&all, "%s%.*s", count++ ? ", " : "", LW_F(word));
    }
    if (nearest.n)
        lw_err_set(err, LW_EINVAL, "'%.*s' is not a known %s; did you mean '%.*s'?", LW_F(name),
                   kind, LW_F(nearest));
    else if (count <= 16)
        lw_err_set(err, LW_EINVAL, "'%.*s' is not a known %s; use one of %s", LW_F(name), kind,
                   lw_buf_z(&all));
    else
        lw_err_set(err, LW_EINVAL, "'%.*s' is not a known %s; see 'lacewing bugs words %s'",
                   LW_F(name), kind, kind);
    lw_buf_release(&all);
    return LW_EINVAL;
}
