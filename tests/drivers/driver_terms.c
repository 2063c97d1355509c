/* "stem WORD" gives its stem; "terms xHEX" the terms of a text with their counts. */
#include "lines.h"

#include <string.h>

#include "locate/stem.h"
#include "locate/terms.h"

static void put_terms(struct lw_str text, struct lw_sink *out)
{
    struct lw_stopwords stop;
    struct lw_words words;
    lw_counts counts = {0};
    struct lw_err err = {0};
    uint64_t length;
    if (lw_stopwords_load(&stop, NULL, &err) < 0)
        exit(1);
    lw_words_init(&words, NULL, &stop);
    lw_words_add_text(&words, text);
    if (lw_words_take(&words, NULL, &counts, &length) < 0)
        exit(1);
    lw_putf(out, "%llu", (unsigned long long)length);
    for (size_t i = 0; i < counts.n; i++) {
        struct lw_str term = lw_words_term(&words, counts.v[i].term);
        lw_putf(out, " %.*s:%u", LW_F(term), counts.v[i].count);
    }
    lw_vec_release(NULL, &counts);
    lw_words_release(&words);
    lw_stopwords_release(&stop);
}

static void handle(struct lw_arena *arena, struct lw_str line, struct lw_sink *out)
{
    struct lw_str word;
    lw_str_split(&line, ' ', &word);
    if (lw_str_eq(word, LW_S("terms"))) {
        put_terms(from_hex(arena, line), out);
        return;
    }
    char *copy = lw_arena_bytes(arena, line.n + 8);
    memcpy(copy, line.p, line.n);
    lw_put(out, lw_str_n(copy, lw_stem(copy, line.n)));
}

int main(void)
{
    return each_line(handle);
}
