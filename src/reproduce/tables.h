/*
 * tables - what data/reproduce/ knows about names, losses and data sets, and the API tables by
 * the last word of their names.
 *
 * Read-only once loaded; one thread at a time, as the API tables are.
 */
#ifndef LW_REPRODUCE_TABLES_H
#define LW_REPRODUCE_TABLES_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "triage/table.h"

/* What a name that nothing binds stands for. The order is that of the words in names.csv. */
enum rp_role {
    RP_ROLE_UNKNOWN,
    RP_ROLE_INPUT,   /* what the model takes */
    RP_ROLE_TARGET,  /* what the loss compares with */
    RP_ROLE_LOADER,  /* batches of both */
    RP_ROLE_DATASET, /* samples of both */
    RP_ROLE_MODEL,
    RP_ROLE_OPTIMIZER,
    RP_ROLE_CRITERION, /* the loss function */
    RP_ROLE_SCHEDULER,
    RP_ROLE_DEVICE,
    RP_ROLE_RNG,       /* of NumPy */
    RP_ROLE_GENERATOR, /* of PyTorch */
    RP_ROLE_RANDOM,    /* of Python */
    RP_ROLE_NUMBER,    /* a hyperparameter */
    RP_ROLE_LIST,
    RP_ROLE_DICT,
    RP_ROLE_TEXT,
    RP_ROLE_FUNCTION,
    RP_ROLE_CLASS,
    RP_ROLE_ROWS, /* numbers of samples: an index */
    RP_ROLE_COUNT
};

/* What a loss wants as target. */
enum rp_target {
    RP_TARGET_NONE,
    RP_TARGET_CLASS,
    RP_TARGET_BINARY,
    RP_TARGET_REAL,
    RP_TARGET_ONE_HOT
};

struct rp_known_name {
    enum rp_role role;
    struct lw_str value;   /* Python text; empty: made by the role */
    struct lw_str setting; /* the hyperparameter as reports' facts name it; may be empty */
};

struct rp_tables {
    struct lw_mem *mem;
    struct lw_arena arena;
    struct triage_table imports;    /* name, statement, framework, use */
    struct triage_table names;      /* name, role, setting, value */
    struct triage_table losses;     /* name, target */
    struct triage_table datasets;   /* function, family, samples, shape, classes, low, high */
    struct triage_table attributes; /* attribute, role */
    struct triage_table layers;     /* name, takes */
    struct lw_map builtins;
    struct rp_apis *apis;          /* the API tables */
    struct lw_map by_word;         /* the last words of their names */
    LW_VEC(struct lw_str) entries; /* the names */
};

int rp_tables_load(struct rp_tables *t, struct lw_mem *mem, struct lw_err *err);
void rp_tables_release(struct rp_tables *t);

bool rp_is_builtin(const struct rp_tables *t, struct lw_str name);
/* By the whole name, else by a pattern with a star ("*_loader"); in any case of letters. */
bool rp_known_name(const struct rp_tables *t, struct lw_str name, struct rp_known_name *out);
enum rp_target rp_loss_target(const struct rp_tables *t, struct lw_str name);

/* The import statement for a name that is used as a module (`np.zeros`) or else; "torch",
 * "tensorflow" or "" is preferred. Empty: none is known. In `arena`. */
struct lw_str rp_import_for(const struct rp_tables *t, struct lw_str name,
                            struct lw_str framework, bool as_module, struct lw_arena *arena);

/* The row of a function that loads well-known data ("load_iris"); NULL: none is known. */
const struct lw_str *rp_dataset_row(const struct rp_tables *t, struct lw_str function);
enum {
    RP_SET_FUNCTION,
    RP_SET_FAMILY,
    RP_SET_SAMPLES,
    RP_SET_SHAPE,
    RP_SET_CLASSES,
    RP_SET_LOW,
    RP_SET_HIGH,
    RP_SET_COLUMNS
};

/* Do the API tables have the name ("torch.optim.Adam")? */
bool rp_is_api(const struct rp_tables *t, struct lw_str name);

/* What has such an attribute: `parameters` is one of a model. */
enum rp_role rp_attribute_role(const struct rp_tables *t, struct lw_str attribute);

#endif
