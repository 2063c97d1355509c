/*
 * git_queue - commits waiting to be looked at, newest first; of the same date the one that came
 * first. And a byte of marks for each commit. Internal to src/source/git_*.
 */
#ifndef LW_SOURCE_GIT_QUEUE_H
#define LW_SOURCE_GIT_QUEUE_H

#include "source/git_internal.h"

struct gt_waiting {
    int64_t date;
    uint64_t number; /* of arrival */
    uint32_t node;
};

struct gt_queue {
    LW_VEC(struct gt_waiting) heap;
    uint64_t arrivals;
};

int gt_queue_put(lw_git *git, struct gt_queue *q, const struct gt_node *node,
                 struct lw_err *err);
/* GT_NONE when it is empty. */
uint32_t gt_queue_take(struct gt_queue *q);
void gt_queue_release(lw_git *git, struct gt_queue *q);

/* One byte per node, zero at first. */
typedef LW_VEC(uint8_t) gt_marks;

/* The mark of the node, or NULL when memory ran out. */
uint8_t *gt_mark(lw_git *git, gt_marks *marks, uint32_t node);

/* Puts the parents that are not marked with `bit` (the first only, if so), and marks them.
 * Those that cannot be read are skipped. */
int gt_queue_parents(lw_git *git, struct gt_queue *q, gt_marks *marks, uint8_t bit,
                     const struct gt_node *node, bool first_parent, struct lw_err *err);

#endif
