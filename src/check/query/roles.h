/*
 * roles - what data is for: training, test, labels, predictions; networks, rewards, masks.
 *
 * Where a value comes from decides first: the n-th result of train_test_split(), a data set
 * that was made with train=False or split="test". Only where nothing tells it, its name does;
 * the words of names are in data/roles.ini. Nothing is changed or reported.
 */
#ifndef LW_CHECK_QUERY_ROLES_H
#define LW_CHECK_QUERY_ROLES_H

#include "base/ini.h"
#include "check/engine/engine.h"

enum role {
    ROLE_NONE,
    ROLE_TRAINING,
    ROLE_TEST,
    ROLE_LABEL,
    ROLE_PREDICTION,
    ROLE_NETWORK,
    ROLE_INPUT,
    ROLE_REWARD,
    ROLE_DISCOUNT,
    ROLE_ENDING, /* of an episode */
    ROLE_MASK,
    ROLE_END
};

/* The words of one role. */
struct role_words {
    lw_str_vec words, whole, except;
    enum role not_with;
};

/* The table, for all checks; read only. */
struct roles {
    struct role_words of[ROLE_END];
};

/* Reads data/roles.ini into `r`; texts are in `arena`, lists belong to `r`. */
int roles_load(struct roles *r, struct lw_arena *arena, struct lw_mem *mem, struct lw_err *err);
void roles_release(struct roles *r, struct lw_mem *mem);

/* Does the name, or the text of an expression, speak of it? */
bool role_is_named(const struct ck *c, struct lw_str name, enum role role);
/* TRAINING or TEST, by the plain name alone; a keyword stands for its value. */
enum role role_of_name(const struct ck *c, const struct lw_tree *t, uint32_t node);

/* Does a name or attribute in it speak of it? */
bool role_is_within(const struct ck *c, const struct lw_tree *t, uint32_t top, enum role role);
/* Does the statement give a value to a name that speaks of it? */
bool role_is_assigned(const struct ck *c, const struct lw_tree *t, uint32_t statement,
                      enum role role);

/* Was the data set made for training or for the test? NONE: it does not say so. */
enum role role_of_set(const struct ck *c, const struct ck_object *set);
/* TRAINING or TEST: what train_test_split() made of the plain name at `node`, else what the
 * text of the expression says. */
enum role role_of_data(struct ck *c, struct ck_file *f, uint32_t node);

/* Is `name` what `other` would be called if it were training data? */
bool role_is_counterpart(struct lw_str name, struct lw_str other);

#endif
