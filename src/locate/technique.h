/*
 * technique - a way to rank files, and the table of all of them.
 *
 * A technique is one constant `struct lw_technique` in its own file tech_<name>.c, listed in
 * technique.c. It scores every candidate of a case; ranking (by falling score, then path) is
 * done elsewhere. Scores may be of any size, but must be numbers.
 *
 * Parameters are rows of the technique's table; `--set technique.parameter=value` changes one.
 *
 * A learnt technique has a `struct lw_learner`: it turns a case into one row of features per
 * candidate; the evaluation keeps those, lets it learn from the reports of other projects, and
 * then has it score. Outside of an evaluation the shipped model is used.
 */
#ifndef LW_LOCATE_TECHNIQUE_H
#define LW_LOCATE_TECHNIQUE_H

#include "base/buf.h"
#include "locate/container.h"
#include "locate/case.h"

enum { LW_TECHNIQUE_PARAMETERS = 16, LW_TECHNIQUES_MAX = 16 };

struct lw_parameter {
    const char *name;
    double value; /* unless set otherwise */
    double least, most;
    const char *help;
};

/* Bits of lw_technique.needs. */
enum {
    LW_NEEDS_HISTORY = 1, /* lw_case.past */
};

struct lw_technique;
struct lw_view_source;

/* A technique with its parameters as they are now. */
struct lw_setup {
    const struct lw_technique *technique;
    double values[LW_TECHNIQUE_PARAMETERS];
    const void *model; /* of a learnt one */
};

/* The rows of a learnt technique for one report; everything lives in `arena`. */
struct lw_features {
    struct lw_arena arena;
    float *rows; /* (candidates, columns) */
    size_t n;    /* candidates */
    void *extra; /* what else scoring needs, in `arena`; the technique's own */
};

/* One report to learn from. */
struct lw_lesson {
    const struct lw_features *features;
    const uint32_t *truth; /* candidates that were changed, ascending */
    size_t truth_count;
    uint32_t project; /* a number for it: learners may balance or hold out */
};

struct lw_learner {
    const char *const *columns; /* names of the features; ends with NULL */
    const char *model_path;     /* of the shipped model: "data/locate/lacewing.model" */

    /* Fills `f->rows` and `f->extra` (its arena is ready); from any thread. */
    int (*describe)(const struct lw_setup *setup, const struct lw_case *c,
                    struct lw_features *f, struct lw_err *err);
    /* Learns; `*model` is freed with `discard`. Same lessons and seed, same model. */
    int (*learn)(const struct lw_setup *setup, const struct lw_ctx *ctx,
                 const struct lw_lesson *lessons, size_t n, void **model, struct lw_err *err);
    /* Scores all candidates of a described case; from any thread. */
    int (*score)(const struct lw_setup *setup, const void *model, const struct lw_features *f,
                 struct lw_mem *mem, double *scores, struct lw_err *err);
    /* The model as text to be shipped, and back. `projects` are those it was learnt on. */
    int (*save)(const void *model, const struct lw_str *projects, size_t project_count,
                struct lw_buf *out, struct lw_err *err);
    int (*load)(struct lw_mem *mem, struct lw_str text, void **model, struct lw_err *err);
    /* Was a loaded model learnt on the project? */
    bool (*knows)(const void *model, struct lw_str project);
    void (*discard)(struct lw_mem *mem, void *model);
};

struct lw_technique {
    const char *name;
    const char *summary;                   /* one line */
    const struct lw_parameter *parameters; /* ends with a NULL name; may be NULL */
    unsigned needs;

    /* Scores every candidate; scores has room for c->snapshot->files.n and is zeroed. From any
     * thread. NULL for a learnt technique. */
    int (*score)(const struct lw_setup *setup, const struct lw_case *c, double *scores,
                 struct lw_err *err);
    /* Appends why candidate `file` stands where it does, one short line; may add nothing.
     * `features` is what `describe` made, for a learnt technique. */
    void (*explain)(const struct lw_setup *setup, const struct lw_case *c,
                    const struct lw_features *features, size_t file, struct lw_buf *why);
    const struct lw_learner *learner; /* NULL: nothing is learnt */

    /* Once per project, before any case and on one thread: what its cases share (a term model
     * of the texts, say). May be NULL. `unshare` frees it. */
    int (*share)(const struct lw_setup *setup, lw_index *index, void **shared,
                 struct lw_err *err);
    void (*unshare)(struct lw_mem *mem, void *shared);

    /* Adds what it wants to find in the view of a commit (view.h) as sections; always as many.
     * May be NULL. 0 or LW_ENOMEM. */
    int (*keep)(const struct lw_view_source *source, struct lw_container_writer *w);
};

/* All techniques; ends with NULL. */
extern const struct lw_technique *const lw_techniques[];

/* The technique of that name, or NULL. */
const struct lw_technique *lw_technique_find(struct lw_str name);

/* With the parameters of the table. */
void lw_setup_init(struct lw_setup *setup, const struct lw_technique *technique);
/* "alpha=0.3"; LW_EINVAL with what is wrong. */
int lw_setup_set(struct lw_setup *setup, struct lw_str assignment, struct lw_err *err);

/* The value of a parameter; the name must be in the table. */
double lw_setup_value(const struct lw_setup *setup, const char *name);

#endif
