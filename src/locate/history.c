#include "locate/history.h"

#include "base/err.h"
#include "base/str.h"
#include "locate/index_internal.h"
#include "source/git_commit.h"

bool lw_index_commit_date(lw_index *index, struct lw_str commit, int64_t *date)
{
    struct lw_err ignored = {0};
    struct lw_git_id id;
    struct lw_git_commit found;
    struct lw_arena arena;
    if (!commit.n || lw_git_resolve(index->git, commit, &id, &ignored) < 0)
        return false;
    lw_arena_init(&arena, index->mem, 0);
    bool ok = lw_git_commit(index->git, &arena, &id, &found, &ignored) == 0;
    if (ok)
        *date = found.committer.time;
    lw_arena_release(&arena);
    return ok;
}

struct lw_history {
    lw_index *index;
};

int lw_history_open(struct lw_history **out, lw_index *index, struct lw_err *err)
{
    *out = NULL;
    (void)index;
    return lw_err_set(err, LW_EBUG, "not yet");
}

void lw_history_close(struct lw_history *history)
{
    (void)history;
}

int lw_past_make(const struct lw_history *history, struct lw_arena *arena,
                 const lw_index *index, uint32_t commit, int64_t until, struct lw_past *past,
                 struct lw_err *err)
{
    (void)history, (void)arena, (void)index, (void)commit, (void)until, (void)past;
    return lw_err_set(err, LW_EBUG, "not yet");
}
