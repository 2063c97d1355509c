/*
 * Specimens from arbitrary bytes: up to the first line "%%" the input is bug.ini, then come
 * other files, each "%% path" and its content. Whatever is read must be usable: an id that is
 * one, ranges apart, files that exist.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "catalog/bug.h"
#include "catalog/specimen.h"

static struct lw_vocabulary words;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    struct lw_err err;
    if (lw_vocabulary_load(&words, NULL, &err) < 0)
        abort();
    return 0;
}

static void cut(struct lw_str text, lw_file_vec *files)
{
    struct lw_str line, path = LW_S("bug.ini"), rest = text;
    const char *begin = text.p;
    while (files->n < 20 && lw_str_line(&rest, &line)) {
        if (!lw_str_has_prefix(line, LW_S("%%")))
            continue;
        struct lw_file f = {path, lw_str_n(begin, (size_t)(line.p - begin))};
        if (lw_vec_push(NULL, files, f) < 0)
            abort();
        path = lw_str_trim(lw_str_from(line, 2));
        begin = rest.p;
    }
    struct lw_file f = {path, lw_str_n(begin, (size_t)(text.p + text.n - begin))};
    if (lw_vec_push(NULL, files, f) < 0)
        abort();
}

static void check(const struct lw_bug *bug, const lw_file_vec *files)
{
    if (!lw_bug_id_ok(bug->id) || bug->title.n == 0 || bug->seconds < 1 ||
        bug->seconds > 3600 || bug->seeds < 1 || bug->seeds > 100 || bug->memory_mb < 1 ||
        bug->trusted)
        abort();
    if (bug->expect == LW_EXPECT_METRIC &&
        (!lw_range_apart(&bug->range[0], &bug->range[1]) || bug->metric.n == 0))
        abort();
    if (bug->expect == LW_EXPECT_EXPLICIT && bug->exception.n == 0)
        abort();
    if (bug->git_url.n) {
        if (bug->buggy_commit.n != 40 || bug->fixed_commit.n != 40)
            abort();
        return;
    }
    if (!lw_file_find(files, bug->test) || !lw_file_find(files, LW_S("report.md")))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_arena arena;
    struct lw_bug bug;
    struct lw_err err = {0};
    lw_file_vec files = {0};
    lw_arena_init(&arena, NULL, 0);
    cut(lw_str_n((const char *)data, size), &files);
    if (lw_specimen_read(&bug, &arena, &files, LW_S("x"), LW_S(""), &words, &err) == 0)
        check(&bug, &files);
    else if (err.code >= 0 || err.text[0] == '\0')
        abort(); /* a refusal says why */
    lw_vec_release(NULL, &files);
    lw_arena_release(&arena);
    return 0;
}
