/* Any bytes are a document; its chunks follow each other, and cutting them changes no count of
 * the whole text; a version read before changes nothing. The first byte chooses the language.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "locate/document.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(bool condition)
{
    if (!condition)
        abort();
}

static void check_chunks(struct lw_str text)
{
    for (size_t at = 0, end; at < text.n; at = end) {
        end = lw_chunk_end(text, at);
        need(end > at && end <= text.n);
    }
}

/* The terms of the whole text, counted at once. */
static uint64_t terms_of(const struct lw_stopwords *stop, struct lw_str text)
{
    struct lw_words words;
    lw_counts counts = {0};
    uint64_t length;
    lw_words_init(&words, NULL, stop);
    lw_words_add_text(&words, text);
    need(lw_words_take(&words, NULL, &counts, &length) == 0);
    lw_vec_release(NULL, &counts);
    lw_words_release(&words);
    return length;
}

static void check_document(const struct lw_document_reader *r, const struct lw_document *d)
{
    const struct lw_facts *f = &d->facts;
    for (size_t i = 0; i < f->defs.n; i++) {
        const struct lw_def *def = &f->defs.v[i];
        need(def->first >= 1 && def->first <= def->last && def->last <= f->lines + 1);
        need(def->parent == UINT32_MAX || def->parent < i);
        need(def->param + def->params <= f->params.n);
        need(def->name < r->chunk.texts.n);
    }
    for (size_t i = 0; i < f->strings.n; i++)
        need(f->strings.v[i] < r->chunk.texts.n);
}

/* Reads another version, with a part cut out, then the text: as if it had been read alone. */
static void check_versions(const struct lw_stopwords *stop, const struct lw_language *language,
                           struct lw_str text, const struct lw_document *alone)
{
    struct lw_document_reader reader;
    struct lw_arena arena;
    struct lw_err err = {0};
    struct lw_document other = {0}, d = {0};
    size_t start = text.n / 3, cut = text.n / 8 + 1;
    char *copy = malloc(text.n + 1);
    need(copy != NULL);
    memcpy(copy, text.p, start);
    size_t rest = start + cut < text.n ? text.n - start - cut : 0;
    memcpy(copy + start, text.p + text.n - rest, rest);
    lw_document_reader_init(&reader, NULL, stop);
    lw_arena_init(&arena, NULL, 0);
    need(lw_document_read(&reader, &other, &arena, language, lw_str_n(copy, start + rest),
                          &err) == 0);
    need(lw_document_read(&reader, &d, &arena, language, text, &err) == 0);
    for (int f = 0; f < LW_FIELDS; f++)
        need(d.length[f] == alone->length[f] &&
             d.facts.fields[f].n == alone->facts.fields[f].n);
    need(d.facts.lines == alone->facts.lines && d.facts.defs.n == alone->facts.defs.n);
    free(copy);
    lw_arena_release(&arena);
    lw_document_reader_release(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_languages languages;
    struct lw_stopwords stop;
    struct lw_document_reader reader;
    struct lw_arena arena;
    struct lw_err err = {0};
    if (!size)
        return 0;
    need(lw_languages_load(&languages, NULL, &err) == 0);
    need(lw_stopwords_load(&stop, NULL, &err) == 0);
    lw_document_reader_init(&reader, NULL, &stop);
    lw_arena_init(&arena, NULL, 0);
    const struct lw_language *language = &languages.v[data[0] % languages.n];
    struct lw_str text = lw_str_n((const char *)data + 1, size - 1);
    check_chunks(text);
    for (int round = 0; round < 2; round++) { /* the second time every chunk is known */
        struct lw_document d = {0};
        need(lw_document_read(&reader, &d, &arena, language, text, &err) == 0);
        check_document(&reader, &d);
        if (!language->is_python && !d.facts.flags)
            need(d.length[LW_FIELD_TEXT] == terms_of(&stop, text));
        if (round == 0)
            check_versions(&stop, language, text, &d);
    }
    lw_arena_release(&arena);
    lw_document_reader_release(&reader);
    lw_stopwords_release(&stop);
    lw_languages_release(&languages);
    return 0;
}
