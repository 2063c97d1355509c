/*
 * tool - detection tools as described by data/tools/<name>.ini (docs/formats.md).
 *
 * In: the text of a description. Out: what it supports, how it is called, and how its output
 * becomes findings. Everything lives in the arena given.
 */
#ifndef LW_VERIFY_TOOL_H
#define LW_VERIFY_TOOL_H

#include "base/arena.h"
#include "base/finding.h"
#include "base/vec.h"
#include "knowledge/vocabulary.h"
#include "lacewing.h"

enum lw_result_kind {
    LW_RESULT_JSON,
    LW_RESULT_JSON_LINES,
    LW_RESULT_SARIF,
    LW_RESULT_REGEX,
    LW_RESULT_EXIT
};

/* The parts of a finding that a description can name. */
enum lw_part {
    LW_PART_PATH,
    LW_PART_LINE,
    LW_PART_RULE,
    LW_PART_CATEGORY,
    LW_PART_SEVERITY,
    LW_PART_CONFIDENCE,
    LW_PART_MESSAGE
};
enum { LW_PARTS = 7 };

struct lw_tool {
    struct lw_str name, title, url, frameworks, categories, install, modules;
    struct lw_str command;
    int64_t seconds, memory_mb;
    enum lw_result_kind kind;
    struct lw_str list, pattern, found;
    struct lw_str part[LW_PARTS]; /* name of the member, or number of the group */
    struct lw_str text[LW_PARTS]; /* what to say where the output says nothing */
};

typedef LW_VEC(struct lw_tool) lw_tool_vec;
typedef LW_VEC(struct lw_finding) lw_finding_vec;

/* Reads one description; `name` is its file, for messages. */
int lw_tool_read(struct lw_tool *tool, struct lw_arena *arena, struct lw_str name,
                 struct lw_str text, const struct lw_vocabulary *words, struct lw_err *err);

/* All embedded ones, then those of `folder` (may be NULL), which replace others of their name;
 * in byte order of the names. Release the list with lw_vec_release. */
int lw_tools_load(lw_tool_vec *tools, struct lw_arena *arena, struct lw_mem *mem,
                  const char *folder, struct lw_err *err);

/* NULL when there is none. */
const struct lw_tool *lw_tool_find(const lw_tool_vec *tools, struct lw_str name);

/* Why the tool is not for this bug, in `arena`; empty when it is. */
struct lw_str lw_tool_unsupported(const struct lw_tool *tool, const struct lw_bug *bug,
                                  struct lw_arena *arena);

/* Does this exit code mean that it ran to its end? */
bool lw_tool_ran(const struct lw_tool *tool, int exit);

/* From what it printed to findings, sorted; texts in `arena`, list in `mem`, to be released
 * also after a failure. LW_EINVAL: the output is not what the description says. */
int lw_tool_parse(lw_finding_vec *findings, const struct lw_tool *tool, struct lw_arena *arena,
                  struct lw_mem *mem, int exit, struct lw_str out, struct lw_str err_text,
                  struct lw_err *err);

#endif
