/* Polynomials unfolded for work; only dim.c and dim_facts.c include it. */
#ifndef LW_KNOWLEDGE_DIM_INTERNAL_H
#define LW_KNOWLEDGE_DIM_INTERNAL_H

#include "knowledge/dim.h"

enum { DIM_POLY_ROOM = 2 * LW_DIM_MAX_TERMS };

/* Terms in order of their monomials, none zero. */
struct dim_poly {
    size_t n;
    struct lw_dim_term t[DIM_POLY_ROOM];
};

/* `a` must not be unknown. */
void dim_open(const struct lw_dims *c, lw_dim a, struct dim_poly *p);
/* Its handle; unknown beyond LW_DIM_MAX_TERMS. */
lw_dim dim_close(struct lw_dims *c, const struct dim_poly *p);
/* False: a coefficient overflowed or there are too many terms. */
bool dim_add_term(struct dim_poly *p, int64_t coef, uint32_t mono);
/* A known integer without looking at facts. */
bool dim_constant(const struct lw_dims *c, lw_dim a, int64_t *out);
lw_dim dim_of_atom(struct lw_dims *c, uint32_t atom);
lw_dim dim_make_atom(struct lw_dims *c, enum lw_dim_atom_kind kind, lw_dim a, lw_dim b);

#endif
