/*
 * edit_patch - reads unified differences, as `diff -u` and git print them.
 *
 * In: the text of a patch, borrowed, which must outlive the result. Out: files, hunks and
 * lines, owned until release. Text around (commit messages, mode lines, binary notes) is passed
 * over; a hunk whose lines do not add up to what its head says is an error that names the line.
 */
#ifndef LW_SOURCE_EDIT_PATCH_H
#define LW_SOURCE_EDIT_PATCH_H

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "lacewing.h"

struct lw_patch_line {
    char sign;          /* ' ', '-', '+' */
    bool no_newline;    /* the text ends here without a line end */
    struct lw_str text; /* without sign and line feed; a carriage return stays */
};

struct lw_patch_hunk {
    uint32_t old_first; /* line numbers from 1, as in the head of the hunk */
    uint32_t old_count;
    uint32_t new_first;
    uint32_t new_count;
    uint32_t first_line; /* in `lines` */
    uint32_t line_count;
};

struct lw_patch_file {
    struct lw_str old_path; /* without a/ and b/; "/dev/null" for none */
    struct lw_str new_path;
    uint32_t first_hunk;
    uint32_t hunk_count;
};

struct lw_patch {
    struct lw_mem *mem; /* borrowed */
    LW_VEC(struct lw_patch_file) files;
    LW_VEC(struct lw_patch_hunk) hunks;
    LW_VEC(struct lw_patch_line) lines;
};

void lw_patch_init(struct lw_patch *p, struct lw_mem *mem);
void lw_patch_release(struct lw_patch *p);

/* Replaces the contents. LW_EINVAL for a broken hunk, LW_ENOMEM. */
int lw_patch_parse(struct lw_patch *p, struct lw_str text, struct lw_err *err);

/* Appends `old_text` with the hunks of the file applied. LW_EINVAL when a line is not what the
 * patch says. */
int lw_patch_apply(const struct lw_patch *p, uint32_t file, struct lw_str old_text,
                   struct lw_buf *out, struct lw_err *err);

#endif
