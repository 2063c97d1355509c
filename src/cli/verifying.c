#include "cli/verifying.h"

#include "base/err.h"
#include "base/str.h"

struct collecting {
    struct lw_arena *arena;
    struct lw_mem *mem;
    LW_VEC(struct lw_str) ids;
};

static int collect(void *data, const struct lw_bug *bug)
{
    struct collecting *c = data;
    /* What names no module has no program of its own to run: it lives in a repository. */
    if (bug->modules.n == 0)
        return 0;
    struct lw_str id = lw_arena_copy(c->arena, bug->id);
    return id.p ? lw_vec_push(c->mem, &c->ids, id) : LW_ENOMEM;
}

int verifying_all(struct cli *cli, lw_catalog *catalog, const struct lw_query *query,
                  struct lw_str **ids, size_t *count, struct lw_err *err)
{
    struct collecting c = {.arena = &cli->arena, .mem = cli->ctx.mem};
    int rc = lw_catalog_list(catalog, query, collect, &c, err);
    *ids = rc == 0 ? lw_arena_array(&cli->arena, c.ids.n + 1, sizeof **ids) : NULL;
    if (*ids && c.ids.n)
        memcpy(*ids, c.ids.v, c.ids.n * sizeof **ids);
    *count = c.ids.n;
    lw_vec_release(c.mem, &c.ids);
    if (rc == LW_ENOMEM || (rc == 0 && !*ids))
        return lw_err_nomem(err);
    return rc;
}

int verifying_ids(struct cli *cli, lw_catalog *catalog, bool all, struct lw_str **ids,
                  size_t *count, struct lw_err *err)
{
    if (all)
        return verifying_all(cli, catalog, &(struct lw_query){0}, ids, count, err);
    *count = cli->arg_count;
    *ids = lw_arena_array(&cli->arena, *count + 1, sizeof **ids);
    for (size_t i = 0; *ids && i < *count; i++) {
        const struct lw_bug *bug;
        if (lw_catalog_find(catalog, lw_str(cli->args[i]), &bug, err) < 0)
            return err->code;
        (*ids)[i] = lw_arena_copy(&cli->arena, bug->id);
    }
    return *ids ? 0 : lw_err_nomem(err);
}

void verifying_warn(struct cli *cli, const struct lw_verifier *v)
{
    const struct lw_sandbox_ability *can = lw_sandbox_probe(v->sandbox);
    if (!can->strong)
        lw_log(&cli->ctx.log, LW_LOG_WARNING, "programs run with weak isolation (%s): %s",
               can->weak_isolation, can->why);
}
