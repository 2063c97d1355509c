/* Columns of tables that hold amounts. */
#include "base/err.h"
#include "check/query/amounts.h"

#include "base/str.h"
#include "check/query/look.h"

/* Does the column of a table have the name of an amount? */
static bool names_amount(struct lw_str name)
{
    static const char *const amounts[] = {"price",   "Price",       "salary", "Salary",
                                          "income",  "revenue",     "sales",  "Sales",
                                          "charges", "temperature", "profit", "MEDV"};
    static const char *const classes[] = {"class", "cat", "bin",   "level", "range",
                                          "label", "is_", "high_", "low_",  "over"};
    bool amount = false;
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++)
        amount |= lw_str_find(name, lw_str(amounts[i])) != LW_NPOS;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        amount &= lw_str_find(name, lw_str(classes[i])) == LW_NPOS;
    return amount;
}

bool amounts_in(struct ck *c, struct lw_value *v, struct lw_str *name)
{
    LW_BUG_ON(!v || !name);
    static const char *const forms[] = {"train_test_split"};
    struct lw_value y = *v;
    for (unsigned i = 0; i < 6; i++) {
        y = lineage_through(c, y);
        const struct ck_origin *o = ck_origin_of(c, y);
        struct lw_value key = o && o->in_count == 2 ? o->in[1] : lw_v_absent();
        if (o && text_is(o->op, "[]") && key.kind == LW_V_STR && key.str.p &&
            names_amount(key.str)) {
            *v = y;
            *name = key.str;
            return true;
        }
        if (!o || !o->in_count || !text_is_any(text_tail(o->op), forms, 1))
            return false;
        y = o->in[0];
    }
    return false;
}
