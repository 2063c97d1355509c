/* From what a tool printed to findings: see lw_tool_parse in tool.h. */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/num.h"
#include "base/str.h"
#include "verify/tool.h"

enum { MAX_FINDINGS = 10000, MAX_GROUPS = 16 };

struct parsing {
    lw_finding_vec *findings;
    const struct lw_tool *tool;
    struct lw_arena *arena;
    struct lw_mem *mem;
    struct lw_err *err;
};

/* The parts as texts become a finding; what is missing is as the description says. */
static int add_finding(struct parsing *p, const struct lw_str given[LW_PARTS])
{
    struct lw_str text[LW_PARTS];
    struct lw_finding f = {
        .tool = p->tool->name, .severity = LW_SEVERITY_ERROR, .confidence = 1};
    uint64_t line = 0;
    for (size_t i = 0; i < LW_PARTS; i++) {
        text[i] = lw_arena_copy(p->arena, given[i].n ? given[i] : p->tool->text[i]);
        if (!text[i].p)
            return lw_err_nomem(p->err);
    }
    f.path = text[LW_PART_PATH];
    if (lw_str_has_prefix(f.path, LW_S("./")))
        f.path = lw_str_from(f.path, 2);
    f.rule = text[LW_PART_RULE];
    f.category = text[LW_PART_CATEGORY];
    f.message = text[LW_PART_MESSAGE];
    if (lw_parse_u64(text[LW_PART_LINE], &line) && line <= UINT32_MAX)
        f.line = (uint32_t)line;
    lw_severity_parse(text[LW_PART_SEVERITY], &f.severity);
    lw_parse_double(text[LW_PART_CONFIDENCE], &f.confidence);
    if (p->findings->n >= MAX_FINDINGS)
        return lw_err_set(p->err, LW_ELIMIT, "the tool has more than %d findings",
                          MAX_FINDINGS);
    return lw_vec_push(p->mem, p->findings, f) < 0 ? lw_err_nomem(p->err) : 0;
}

/* ---- JSON ----------------------------------------------------------------------------------
 */

/* Follows "a.b.c" through objects; an empty name is the value itself. A part that is a number
 * goes into an array. */
static const json_t *member(const json_t *value, struct lw_str dotted)
{
    struct lw_str part;
    char name[128];
    while (value && lw_str_split(&dotted, '.', &part)) {
        uint64_t index;
        if (part.n == 0 || part.n >= sizeof name)
            return NULL;
        memcpy(name, part.p, part.n);
        name[part.n] = '\0';
        value = json_is_array(value) && lw_parse_u64(part, &index)
                    ? json_array_get(value, index)
                    : json_object_get(value, name);
    }
    return value;
}

/* Texts and numbers as text; `room` holds a number. */
static struct lw_str text_of(const json_t *value, char room[LW_DOUBLE_TEXT])
{
    if (json_is_string(value))
        return lw_str_n(json_string_value(value), json_string_length(value));
    if (json_is_number(value))
        return lw_str(lw_print_double(json_number_value(value), room));
    return LW_S("");
}

static int add_object(struct parsing *p, const json_t *object,
                      const struct lw_str parts[LW_PARTS])
{
    struct lw_str given[LW_PARTS];
    char rooms[LW_PARTS][LW_DOUBLE_TEXT];
    for (size_t i = 0; i < LW_PARTS; i++)
        given[i] = parts[i].n ? text_of(member(object, parts[i]), rooms[i]) : LW_S("");
    return add_finding(p, given);
}

static int parse_json(struct parsing *p, struct lw_str out)
{
    json_t *value = NULL;
    size_t i;
    json_t *object;
    if (lw_json_parse(&value, p->tool->name, out, p->err) < 0)
        return p->err->code;
    const json_t *list = member(value, p->tool->list);
    int rc = json_is_array(list) ? 0
                                 : lw_err_set(p->err, LW_EINVAL, "%.*s printed no list '%.*s'",
                                              LW_F(p->tool->name), LW_F(p->tool->list));
    json_array_foreach(list, i, object)
    {
        if (rc == 0)
            rc = add_object(p, object, p->tool->part);
    }
    json_decref(value);
    return rc;
}

static int parse_json_lines(struct parsing *p, struct lw_str out)
{
    struct lw_str line;
    int rc = 0;
    while (rc == 0 && lw_str_line(&out, &line)) {
        json_t *value = NULL;
        if (lw_str_trim(line).n == 0)
            continue;
        rc = lw_json_parse(&value, p->tool->name, line, p->err);
        if (rc == 0)
            rc = add_object(p, value, p->tool->part);
        json_decref(value);
    }
    return rc;
}

static int parse_sarif(struct parsing *p, struct lw_str out)
{
    const struct lw_str parts[LW_PARTS] = {
        LW_S("locations.0.physicalLocation.artifactLocation.uri"),
        LW_S("locations.0.physicalLocation.region.startLine"),
        LW_S("ruleId"),
        LW_S("properties.category"),
        LW_S("level"),
        LW_S("rank"),
        LW_S("message.text"),
    };
    json_t *value = NULL;
    const json_t *runs;
    json_t *run, *result;
    size_t i, k;
    if (lw_json_parse(&value, p->tool->name, out, p->err) < 0)
        return p->err->code;
    runs = json_object_get(value, "runs");
    int rc = json_is_array(runs)
                 ? 0
                 : lw_err_set(p->err, LW_EINVAL, "%.*s printed no SARIF", LW_F(p->tool->name));
    json_array_foreach(runs, i, run)
    {
        json_array_foreach(json_object_get(run, "results"), k, result)
        {
            if (rc == 0)
                rc = add_object(p, result, parts);
        }
    }
    json_decref(value);
    return rc;
}

/* ---- Lines ---------------------------------------------------------------------------------
 */

static int match_line(struct parsing *p, const regex_t *regex, struct lw_str line)
{
    regmatch_t groups[MAX_GROUPS];
    struct lw_str given[LW_PARTS] = {{0}}, copy = lw_arena_copy(p->arena, line);
    if (!copy.p)
        return lw_err_nomem(p->err);
    if (regexec(regex, copy.p, MAX_GROUPS, groups, 0) != 0)
        return 0;
    for (size_t i = 0; i < LW_PARTS; i++) {
        uint64_t group;
        if (lw_parse_u64(p->tool->part[i], &group) && group > 0 && group < MAX_GROUPS &&
            groups[group].rm_so >= 0)
            given[i] = lw_str_part(copy, (size_t)groups[group].rm_so,
                                   (size_t)(groups[group].rm_eo - groups[group].rm_so));
    }
    return add_finding(p, given);
}

static int parse_lines(struct parsing *p, struct lw_str out, struct lw_str err_text)
{
    regex_t regex;
    struct lw_str pattern = lw_arena_copy(p->arena, p->tool->pattern), line;
    if (!pattern.p)
        return lw_err_nomem(p->err);
    if (regcomp(&regex, pattern.p, REG_EXTENDED) != 0)
        return lw_err_set(p->err, LW_EINVAL, "%.*s: the pattern is not a regular expression",
                          LW_F(p->tool->name));
    int rc = 0;
    while (rc == 0 && lw_str_line(&out, &line))
        rc = match_line(p, &regex, line);
    while (rc == 0 && lw_str_line(&err_text, &line))
        rc = match_line(p, &regex, line);
    regfree(&regex);
    return rc;
}

int lw_tool_parse(lw_finding_vec *findings, const struct lw_tool *tool, struct lw_arena *arena,
                  struct lw_mem *mem, int exit, struct lw_str out, struct lw_str err_text,
                  struct lw_err *err)
{
    struct parsing p = {findings, tool, arena, mem, err};
    const struct lw_str nothing[LW_PARTS] = {{0}};
    int rc = 0;
    switch (tool->kind) {
    case LW_RESULT_JSON: rc = parse_json(&p, out); break;
    case LW_RESULT_JSON_LINES: rc = parse_json_lines(&p, out); break;
    case LW_RESULT_SARIF: rc = parse_sarif(&p, out); break;
    case LW_RESULT_REGEX: rc = parse_lines(&p, out, err_text); break;
    case LW_RESULT_EXIT: rc = exit ? add_finding(&p, nothing) : 0; break;
    }
    if (rc == 0 && findings->n)
        qsort(findings->v, findings->n, sizeof *findings->v, lw_finding_cmp);
    return rc;
}
