/* catalog: the file behind the bugs. */
#include "base/err.h"
#include "base/str.h"
#include "cli/bugs.h"

const struct cli_command cmd_catalog = {
    .name = "catalog",
    .usage = "",
    .summary = "inspect the catalogue file",
    .examples =
        (const struct cli_example[]){{"lacewing catalog check", "is it intact?"}, {NULL, NULL}},
};

static int run_info(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    uint64_t bugs = 0;
    struct lw_str version = {0};
    int rc = bugs_open(cli, &catalog, err);
    if (rc == 0)
        rc = lw_catalog_count(catalog, &(struct lw_query){0}, &bugs, err);
    if (rc == 0)
        rc = catalog->store->ops->get_meta(catalog->store, "embedded_version", &cli->arena,
                                           &version, err);
    if (rc == 0 && cli_wants(cli, "json")) {
        struct lw_jsonw w;
        lw_jsonw_init(&w, &cli->out, false);
        lw_json_object(&w);
        lw_json_key_text(&w, "path", lw_str(catalog->path));
        lw_json_key_text(&w, "engine", LW_S("sqlite"));
        lw_json_key_int(&w, "bugs", (int64_t)bugs);
        lw_json_key_text(&w, "embedded_version", version);
        lw_json_end(&w);
    } else if (rc == 0) {
        bugs_put_text(cli, "path", lw_str(catalog->path));
        bugs_put_text(cli, "engine", LW_S("sqlite"));
        bugs_put_text(cli, "bugs",
                      lw_arena_printf(&cli->arena, "%llu", (unsigned long long)bugs));
        bugs_put_text(cli, "embedded bugs of", version);
    }
    lw_catalog_close(catalog);
    return rc;
}

const struct cli_command cmd_catalog_info = {
    .name = "catalog info",
    .usage = "",
    .summary = "where the catalogue is and what it contains",
    .examples = (const struct cli_example[]){{"lacewing catalog info", "path, engine, bugs"},
                                             {NULL, NULL}},
    .run = run_info,
};

struct checking {
    struct cli *cli;
    struct lw_jsonw json;
    uint64_t troubles;
};

static int put_trouble(void *data, struct lw_str line, uint64_t count)
{
    struct checking *c = data;
    c->troubles += count;
    if (cli_wants(c->cli, "json")) {
        lw_json_text(&c->json, line);
    } else {
        lw_put_safe(&c->cli->out, line, false);
        lw_put_char(&c->cli->out, '\n');
    }
    return 0;
}

static int run_check(struct cli *cli, struct lw_err *err)
{
    lw_catalog *catalog = NULL;
    struct checking c = {.cli = cli};
    int rc = bugs_open(cli, &catalog, err);
    if (rc == 0) {
        lw_jsonw_init(&c.json, &cli->out, false);
        if (cli_wants(cli, "json"))
            lw_json_array(&c.json);
        rc = catalog->store->ops->check(catalog->store, put_trouble, &c, err);
        if (cli_wants(cli, "json"))
            lw_json_end(&c.json);
        else if (rc == 0 && c.troubles == 0)
            lw_putf(&cli->out, "%s is intact\n", catalog->path);
    }
    lw_catalog_close(catalog);
    return rc < 0 ? rc : c.troubles > 0;
}

const struct cli_command cmd_catalog_check = {
    .name = "catalog check",
    .usage = "",
    .summary = "look for damage and incomplete rows",
    .examples = (const struct cli_example[]){{"lacewing catalog check", "print each problem"},
                                             {NULL, NULL}},
    .run = run_check,
};
