#include "verify/tool.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/num.h"
#include "base/path.h"
#include "base/str.h"
#include "knowledge/embedded.h"

static const char *const part_names[LW_PARTS] = {"path",     "line",       "rule",   "category",
                                                 "severity", "confidence", "message"};
static const char *const kind_names[] = {"json", "json-lines", "sarif", "regex", "exit"};
enum { KINDS = 5, MAX_TOOL_BYTES = 256 << 10, MAX_TOOLS = 1000 };

struct reading {
    struct lw_tool *tool;
    struct lw_arena *arena;
    struct lw_ini ini;
    const struct lw_vocabulary *words;
    struct lw_err *err;
};

/* Texts by section and key. */
struct place {
    const char *section, *key;
    struct lw_str *to;
    bool required;
};

static size_t list_places(struct lw_tool *t, struct place *places)
{
    const struct place fixed[] = {
        {"tool", "name", &t->name, true},
        {"tool", "title", &t->title, true},
        {"tool", "url", &t->url, false},
        {"tool", "frameworks", &t->frameworks, false},
        {"tool", "categories", &t->categories, false},
        {"tool", "install", &t->install, false},
        {"tool", "modules", &t->modules, false},
        {"run", "command", &t->command, true},
        {"result", "list", &t->list, false},
        {"result", "pattern", &t->pattern, false},
        {"result", "found", &t->found, false},
    };
    size_t n = sizeof fixed / sizeof *fixed;
    memcpy(places, fixed, sizeof fixed);
    for (size_t i = 0; i < LW_PARTS; i++)
        places[n++] = (struct place){"result", part_names[i], &t->part[i], false};
    return n;
}

enum { MAX_PLACES = 32 };

static bool is_other_key(const struct lw_ini_entry *e)
{
    if (lw_str_eq(e->section, LW_S("run")))
        return lw_str_eq(e->key, LW_S("seconds")) || lw_str_eq(e->key, LW_S("memory_mb"));
    if (!lw_str_eq(e->section, LW_S("result")))
        return false;
    if (lw_str_eq(e->key, LW_S("kind")))
        return true;
    for (size_t i = 0; i < LW_PARTS; i++) {
        struct lw_str name = lw_str(part_names[i]);
        if (e->key.n == name.n + 5 && lw_str_has_prefix(e->key, name) &&
            lw_str_has_suffix(e->key, LW_S("-text")))
            return true;
    }
    return false;
}

static int check_keys(struct reading *r, const struct place *places, size_t n)
{
    for (size_t i = 0; i < r->ini.n; i++) {
        const struct lw_ini_entry *e = &r->ini.entries[i];
        bool known = is_other_key(e);
        for (size_t k = 0; !known && k < n; k++)
            known = lw_str_eq(e->section, lw_str(places[k].section)) &&
                    lw_str_eq(e->key, lw_str(places[k].key));
        if (!known)
            return lw_ini_error(&r->ini, e, r->err, "there is no such key in [%.*s]",
                                LW_F(e->section));
    }
    return 0;
}

static int read_number(struct reading *r, const char *key, int64_t otherwise, int64_t most,
                       int64_t *out)
{
    const struct lw_ini_entry *e = lw_ini_find(&r->ini, "run", key);
    *out = otherwise;
    if (!e || (lw_parse_i64(e->value, out) && *out >= 1 && *out <= most))
        return 0;
    return lw_ini_error(&r->ini, e, r->err, "'%.*s' is not a whole number from 1 to %lld",
                        LW_F(e->value), (long long)most);
}

static int read_kind(struct reading *r)
{
    struct lw_str kind;
    if (lw_ini_need(&r->ini, "result", "kind", &kind, r->err) < 0)
        return r->err->code;
    for (int i = 0; i < KINDS; i++)
        if (lw_str_eq(kind, lw_str(kind_names[i]))) {
            r->tool->kind = (enum lw_result_kind)i;
            return 0;
        }
    return lw_ini_error(&r->ini, lw_ini_find(&r->ini, "result", "kind"), r->err,
                        "'%.*s' is not json, json-lines, sarif, regex or exit", LW_F(kind));
}

/* Every name of a list must be a word of the kind. */
static int check_list(struct reading *r, const char *key, const char *kind, struct lw_str list)
{
    struct lw_str word;
    while (lw_str_split(&list, ',', &word)) {
        word = lw_str_trim(word);
        if (word.n && !lw_vocabulary_has(r->words, kind, word)) {
            lw_vocabulary_refuse(r->words, kind, word, r->err);
            return lw_err_context(r->err, "%.*s:%u", LW_F(r->ini.name),
                                  lw_ini_find(&r->ini, "tool", key)->line);
        }
    }
    return 0;
}

/* JSON members have the names that `check` prints unless told otherwise. */
static int read_parts(struct reading *r)
{
    struct lw_tool *t = r->tool;
    bool json = t->kind == LW_RESULT_JSON || t->kind == LW_RESULT_JSON_LINES;
    for (size_t i = 0; i < LW_PARTS; i++) {
        struct lw_str key = lw_arena_printf(r->arena, "%s-text", part_names[i]);
        if (!key.p)
            return lw_err_nomem(r->err);
        t->text[i] = lw_ini_get(&r->ini, "result", key.p);
        if (json && t->part[i].n == 0)
            t->part[i] = lw_str(part_names[i]);
    }
    if (t->kind == LW_RESULT_REGEX && t->pattern.n == 0)
        return lw_err_set(r->err, LW_EINVAL, "%.*s: [result] needs a pattern",
                          LW_F(r->ini.name));
    return 0;
}

int lw_tool_read(struct lw_tool *tool, struct lw_arena *arena, struct lw_str name,
                 struct lw_str text, const struct lw_vocabulary *words, struct lw_err *err)
{
    struct reading r = {.tool = tool, .arena = arena, .words = words, .err = err};
    struct place places[MAX_PLACES];
    *tool = (struct lw_tool){0};
    size_t n = list_places(tool, places);
    if (lw_ini_parse(&r.ini, arena, name, text, err) < 0 || check_keys(&r, places, n) < 0)
        return err->code;
    for (size_t i = 0; i < n; i++) {
        *places[i].to = lw_ini_get(&r.ini, places[i].section, places[i].key);
        if (places[i].required &&
            lw_ini_need(&r.ini, places[i].section, places[i].key, places[i].to, err) < 0)
            return err->code;
    }
    struct lw_str file = lw_path_name(name);
    if (file.n != tool->name.n + 4 || !lw_str_has_prefix(file, tool->name))
        return lw_err_set(
            err, LW_EINVAL,
            "%.*s: the tool is called '%.*s', and its file must have the same name", LW_F(name),
            LW_F(tool->name));
    if (read_number(&r, "seconds", 60, 86400, &tool->seconds) < 0 ||
        read_number(&r, "memory_mb", 2048, 1 << 20, &tool->memory_mb) < 0 ||
        read_kind(&r) < 0 || read_parts(&r) < 0 ||
        check_list(&r, "frameworks", "framework", tool->frameworks) < 0 ||
        check_list(&r, "categories", "category", tool->categories) < 0)
        return err->code;
    return 0;
}

/* ---- All of them ---------------------------------------------------------------------------
 */

struct loading {
    lw_tool_vec *tools;
    struct lw_arena *arena;
    struct lw_mem *mem;
    struct lw_vocabulary words;
    struct lw_err *err;
};

static int add_tool(struct loading *l, struct lw_str name, struct lw_str text)
{
    struct lw_tool tool;
    int rc = lw_tool_read(&tool, l->arena, name, text, &l->words, l->err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < l->tools->n; i++)
        if (lw_str_eq(l->tools->v[i].name, tool.name)) {
            l->tools->v[i] = tool;
            return 0;
        }
    if (l->tools->n >= MAX_TOOLS)
        return lw_err_set(l->err, LW_ELIMIT, "more than %d tools", MAX_TOOLS);
    return lw_vec_push(l->mem, l->tools, tool) < 0 ? lw_err_nomem(l->err) : 0;
}

static int load_embedded(struct loading *l)
{
    struct lw_str path, content, folder = LW_S("data/tools/");
    int rc = 0;
    for (size_t i = lw_embedded_first(folder); rc == 0 && lw_embedded_at(i, &path, &content);
         i++) {
        if (!lw_str_has_prefix(path, folder))
            break;
        if (lw_str_has_suffix(path, LW_S(".ini")))
            rc = add_tool(l, path, content);
    }
    return rc;
}

static int load_folder(struct loading *l, const char *folder)
{
    lw_str_vec names = {0};
    struct lw_buf path;
    lw_buf_init(&path, l->mem, 4096);
    int rc = lw_dir_list(l->arena, l->mem, folder, &names, l->err);
    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        struct lw_str text, kept;
        if (!lw_str_has_suffix(names.v[i], LW_S(".ini")))
            continue;
        lw_path_append(&path, lw_str(folder), names.v[i]);
        kept = lw_arena_copy(l->arena, lw_buf_str(&path));
        rc = path.failed || !kept.p
                 ? lw_err_nomem(l->err)
                 : lw_file_read(l->arena, kept.p, MAX_TOOL_BYTES, &text, l->err);
        if (rc == 0)
            rc = add_tool(l, kept, text);
    }
    lw_buf_release(&path);
    lw_vec_release(l->mem, &names);
    return rc;
}

static int by_name(const void *a, const void *b)
{
    return lw_str_cmp(((const struct lw_tool *)a)->name, ((const struct lw_tool *)b)->name);
}

int lw_tools_load(lw_tool_vec *tools, struct lw_arena *arena, struct lw_mem *mem,
                  const char *folder, struct lw_err *err)
{
    struct loading l = {.tools = tools, .arena = arena, .mem = mem, .err = err};
    int rc = lw_vocabulary_load(&l.words, mem, err);
    if (rc < 0)
        return rc;
    rc = load_embedded(&l);
    if (rc == 0 && folder)
        rc = load_folder(&l, folder);
    lw_vocabulary_release(&l.words);
    if (rc == 0 && tools->n)
        qsort(tools->v, tools->n, sizeof *tools->v, by_name);
    return rc;
}

const struct lw_tool *lw_tool_find(const lw_tool_vec *tools, struct lw_str name)
{
    for (size_t i = 0; i < tools->n; i++)
        if (lw_str_eq(tools->v[i].name, name))
            return &tools->v[i];
    return NULL;
}

/* ---- What it is for ------------------------------------------------------------------------
 */

static bool has_word(struct lw_str list, struct lw_str asked)
{
    struct lw_str word;
    if (lw_str_trim(list).n == 0)
        return true;
    while (lw_str_split(&list, ',', &word))
        if (lw_str_eq(lw_str_trim(word), asked))
            return true;
    return false;
}

struct lw_str lw_tool_unsupported(const struct lw_tool *tool, const struct lw_bug *bug,
                                  struct lw_arena *arena)
{
    if (!has_word(tool->frameworks, bug->framework))
        return lw_arena_printf(arena, "it supports %.*s, not %.*s", LW_F(tool->frameworks),
                               LW_F(bug->framework));
    if (!has_word(tool->categories, bug->category))
        return lw_arena_printf(arena, "it looks for %.*s bugs, not for %.*s bugs",
                               LW_F(tool->categories), LW_F(bug->category));
    return LW_S("");
}

bool lw_tool_ran(const struct lw_tool *tool, int exit)
{
    struct lw_str list = tool->found.n ? tool->found : LW_S("1"), word;
    int64_t code;
    if (exit == 0)
        return true;
    while (lw_str_split(&list, ',', &word))
        if (lw_parse_i64(lw_str_trim(word), &code) && code == exit)
            return true;
    return false;
}
