/* How the tables lie in memory; only the api_*.c files include it. */
#ifndef LW_KNOWLEDGE_API_INTERNAL_H
#define LW_KNOWLEDGE_API_INTERNAL_H

#include "knowledge/api.h"
#include "knowledge/rule.h"

/* An entry, family or group as found by the scan; parsed on first use. */
struct api_entry {
    struct lw_str names; /* the line in column 0, without its keyword */
    struct lw_str body;  /* the indented lines */
    struct lw_str file;
    uint32_t line;
    bool parsed;
    bool bound;         /* holds dimensions of `dims`: to be parsed again after a restart */
    struct lw_api *api; /* entries */
    struct rule_family *family; /* families */
};

struct api_alias {
    struct lw_str from, to;
};

/* One question of lw_api_is_a and its answer. */
struct api_kinship {
    const struct lw_api *api;
    const char *base;
    uint32_t run; /* restarts when it was asked */
    bool yes;
};
enum { API_KINSHIPS = 512 }; /* a power of 2 */

struct lw_apis {
    struct lw_mem *mem;
    struct lw_dims *dims;
    struct lw_arena arena;
    struct lw_arena scratch; /* spellings; until a restart */
    struct lw_map names;     /* spelling -> entry number */
    struct lw_map families;  /* name -> number in family_entries */
    struct lw_map groups;    /* name -> text of the parameters */
    struct lw_map members;   /* dotted name -> is it in members.txt: lw_tri, remembered */
    struct lw_map modules;   /* what names and aliases begin with; filled when first asked */
    LW_VEC(struct api_entry) entries;
    LW_VEC(struct api_entry) family_entries;
    LW_VEC(struct api_alias) aliases;
    LW_VEC(struct lw_str) group_texts;
    struct lw_err first_error; /* of an entry that could not be parsed */
    int depth;
    uint32_t run; /* restarts so far */
    struct api_kinship kinships[API_KINSHIPS];
};

/* Parses the body of an entry (a family); NULL with `err` on bad text or memory. */
const struct lw_api *api_get(struct lw_apis *apis, size_t index, struct lw_err *err);
const struct rule_family *api_family(struct lw_apis *apis, struct lw_str name,
                                     struct lw_err *err);

/* Parameters "(a, b=1, *, c)". */
int api_parse_params(struct lw_apis *apis, struct lw_str text, struct lw_api_part *part,
                     struct lw_err *err);
/* Cuts the next statement of a body: one line with its continuation lines. */
bool api_next_statement(struct lw_str *body, struct lw_str *statement, uint32_t *line);
/* "name>=1.2~1.5<2.0" into its parts. */
void api_split_versions(struct lw_str text, struct lw_str *name, struct lw_str *added,
                        struct lw_str *deprecated, struct lw_str *removed);

/* Adds a problem to the result (in the call's arena). */
int api_problem(const struct lw_api_call *call, struct lw_api_result *result,
                const struct lw_problem *problem);

#endif
