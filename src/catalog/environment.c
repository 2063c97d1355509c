#include "catalog/environment.h"

#include "base/err.h"
#include "base/sink.h"
#include "base/str.h"

bool lw_environment_parse(struct lw_str name, enum lw_environment_kind *kind)
{
    static const char *const names[] = {"conda", "pip", "container", "script"};
    for (size_t i = 0; i < 4; i++)
        if (lw_str_eq(name, lw_str(names[i]))) {
            *kind = (enum lw_environment_kind)i;
            return true;
        }
    return false;
}

const char *lw_environment_file(enum lw_environment_kind kind)
{
    static const char *const files[] = {"environment.yml", "requirements.txt", "Containerfile",
                                        "setup.sh"};
    return files[kind];
}

/* The first version a constraint such as ">=3.7,<3.9" allows, "3.11" when it says nothing. */
static struct lw_str python_for(const struct lw_bug *bug)
{
    struct lw_str v = bug->python_version;
    size_t at = 0;
    while (at < v.n && !(v.p[at] >= '0' && v.p[at] <= '9'))
        at++;
    size_t end = at;
    while (end < v.n && ((v.p[end] >= '0' && v.p[end] <= '9') || v.p[end] == '.'))
        end++;
    struct lw_str lowest = lw_str_part(v, at, end - at);
    /* ">=3.7" is met by a current one as well, which is easier to get. */
    if (lowest.n == 0 ||
        (lw_str_has_prefix(v, LW_S(">=")) && lw_str_find_char(v, '<') == LW_NPOS))
        return LW_S("3.11");
    return lowest;
}

/* Calls for each requirement line that is not empty or a comment. */
static bool next_requirement(struct lw_str *rest, struct lw_str *line)
{
    while (lw_str_line(rest, line)) {
        *line = lw_str_trim(*line);
        if (line->n && line->p[0] != '#')
            return true;
    }
    return false;
}

/* The text between `quote`s, with what would end it early made harmless: for a shell by '\\'',
 * for YAML and JSON by a backslash. Control characters are left out: no requirement has any. */
static void put_quoted(struct lw_sink *out, struct lw_str text, char quote)
{
    lw_put_char(out, quote);
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if ((unsigned char)c < 0x20 || c == 0x7f)
            continue;
        if (quote == '"' && (c == '"' || c == '\\'))
            lw_put_char(out, '\\');
        if (quote == '\'' && c == '\'')
            lw_putz(out, "'\\''");
        else
            lw_put_char(out, c);
    }
    lw_put_char(out, quote);
}

static void put_conda(struct lw_sink *out, const struct lw_bug *bug)
{
    struct lw_str rest = bug->requirements, line;
    lw_putf(out,
            "name: %.*s\nchannels:\n  - conda-forge\ndependencies:\n  - python=%.*s\n  - pip\n",
            LW_F(bug->id), LW_F(python_for(bug)));
    lw_putz(out, "  - pip:\n");
    while (next_requirement(&rest, &line)) {
        lw_putz(out, "      - ");
        put_quoted(out, line, '"');
        lw_putz(out, "\n");
    }
}

static void put_container(struct lw_sink *out, const struct lw_bug *bug)
{
    lw_putf(out,
            "# Build beside a checkout of %.*s: podman build -t %.*s .\n"
            "FROM docker.io/library/python:%.*s-slim\nWORKDIR /bug\n"
            "COPY requirements.txt .\nRUN pip install --no-cache-dir -r requirements.txt\n"
            "COPY . .\nENV OMP_NUM_THREADS=1\nCMD [\"python\", ",
            LW_F(bug->id), LW_F(bug->id), LW_F(python_for(bug)));
    put_quoted(out, bug->test, '"');
    lw_putz(out, "]\n");
}

static void put_script(struct lw_sink *out, const struct lw_bug *bug)
{
    struct lw_str rest = bug->requirements, line;
    lw_putf(out,
            "#!/bin/sh\n# Sets up a virtual environment for %.*s and runs its test.\n"
            "set -eu\n# The program, its test and its data, unless they are here.\n[ -e ",
            LW_F(bug->id));
    put_quoted(out, bug->test, '\'');
    lw_putf(out,
            " ] || { lacewing bugs checkout %.*s --version \"${1:-buggy}\" --into %.*s && cd "
            "%.*s; }\npython3 -m venv .venv\n.venv/bin/pip install",
            LW_F(bug->id), LW_F(bug->id), LW_F(bug->id));
    while (next_requirement(&rest, &line)) {
        lw_put_char(out, ' ');
        put_quoted(out, line, '\'');
    }
    lw_putz(out, "\nOMP_NUM_THREADS=1 .venv/bin/python ");
    put_quoted(out, bug->test, '\'');
    lw_putz(out, "\n");
}

int lw_environment_text(struct lw_str *text, struct lw_arena *arena, const struct lw_bug *bug,
                        enum lw_environment_kind kind, struct lw_err *err)
{
    struct lw_buf buf;
    lw_buf_init(&buf, arena->mem, 0);
    struct lw_sink out = lw_sink_buf(&buf);
    switch (kind) {
    case LW_ENV_CONDA: put_conda(&out, bug); break;
    case LW_ENV_PIP: lw_put(&out, bug->requirements); break;
    case LW_ENV_CONTAINER: put_container(&out, bug); break;
    case LW_ENV_SCRIPT: put_script(&out, bug); break;
    }
    *text = out.error ? (struct lw_str){NULL, 0} : lw_arena_copy(arena, lw_buf_str(&buf));
    lw_buf_release(&buf);
    return text->p ? 0 : lw_err_nomem(err);
}

int lw_environment_recipe(struct lw_str *text, struct lw_arena *arena, const struct lw_bug *bug,
                          struct lw_err *err)
{
    *text = lw_arena_printf(arena,
                            "FROM docker.io/library/python:%.*s-slim\nCOPY requirements.txt "
                            "/requirements.txt\nRUN pip install --no-cache-dir -r "
                            "/requirements.txt\nENV OMP_NUM_THREADS=1\nWORKDIR /bug\n",
                            LW_F(python_for(bug)));
    return text->p ? 0 : lw_err_nomem(err);
}
