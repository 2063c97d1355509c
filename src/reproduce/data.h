/*
 * data - Python text of what stands in for what a report leaves out.
 *
 * Data are made so that the targets can be learnt from the inputs: one centre a class with
 * noise around it, a first word that tells the class. All of them come from one function of the
 * program, `stand_in_samples(count)`.
 */
#ifndef LW_REPRODUCE_DATA_H
#define LW_REPRODUCE_DATA_H

#include "reproduce/facts.h"
#include "reproduce/needs.h"

/* The definition of stand_in_samples. */
struct lw_str rp_samples_text(struct rp_program *p, const struct rp_facts *f);
/* The definition of a function that loads well-known data, around the import of the real one.
 */
struct lw_str rp_dataset_text(struct rp_program *p, const struct lw_str *row,
                              struct lw_str import);
/* A tensor or array of a stated shape and type, by the framework; `high` > 0: integers. */
struct lw_str rp_array_text(struct rp_program *p, const struct rp_shape *shape,
                            struct lw_str dtype, int64_t high);
/* A model that takes the inputs and gives as many outputs as there are classes. */
struct lw_str rp_model_text(struct rp_program *p, const struct rp_facts *f);
/* "64, 3, 8, 8" */
struct lw_str rp_shape_text(struct rp_program *p, const struct rp_shape *s);

#endif
