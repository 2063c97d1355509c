/*
 * detect - runs a detection tool on one side of a bug, in the sandbox, and keeps what it found.
 */
#ifndef LW_VERIFY_DETECT_H
#define LW_VERIFY_DETECT_H

#include "source/git_repo.h"
#include "verify/tool.h"
#include "verify/verify.h"

/* How it went. */
enum lw_detection_state {
    LW_DETECT_FOUND,
    LW_DETECT_CLEAN,
    LW_DETECT_UNSUPPORTED, /* not for this bug */
    LW_DETECT_MISSING,     /* the tool, or what it needs, is not installed */
    LW_DETECT_FAILED       /* it ended in another way than its description knows */
};

/* "found", …; static. */
const char *lw_detection_state_name(enum lw_detection_state state);

struct lw_detection {
    enum lw_detection_state state;
    struct lw_str reason; /* of the last three */
    double seconds;
    lw_finding_vec findings; /* in the verifier's memory: lw_vec_release it */
};

/*
 * `files` are those of the catalogue, `git` the repository of a bug that lives in one (else
 * NULL). Texts in `arena`. A tool that cannot run, or fails, is no error. Stores the result
 * when the tool ran.
 */
int lw_detect(struct lw_detection *out, const struct lw_verifier *v, const struct lw_tool *tool,
              const struct lw_bug *bug, const lw_file_vec *files, lw_git *git,
              enum lw_side side, struct lw_arena *arena, struct lw_err *err);

#endif
