/*
 * dtype - element types as sets: every type a value may have is a bit.
 *
 * Unknown is all bits; joining two ways of a program is OR; "is a float" is yes when only float
 * bits are set, no when none is, else cannot tell. Also the sets of devices and of libraries a
 * tensor may belong to.
 */
#ifndef LW_KNOWLEDGE_DTYPE_H
#define LW_KNOWLEDGE_DTYPE_H

#include "base/buf.h"
#include "knowledge/tri.h"
#include "lacewing.h"

typedef uint32_t lw_dtypes;

enum {
    LW_BOOL = 1u << 0,
    LW_U8 = 1u << 1,
    LW_I8 = 1u << 2,
    LW_U16 = 1u << 3,
    LW_I16 = 1u << 4,
    LW_U32 = 1u << 5,
    LW_I32 = 1u << 6,
    LW_U64 = 1u << 7,
    LW_I64 = 1u << 8,
    LW_F16 = 1u << 9,
    LW_BF16 = 1u << 10,
    LW_F32 = 1u << 11,
    LW_F64 = 1u << 12,
    LW_C64 = 1u << 13,
    LW_C128 = 1u << 14,
    LW_TEXT = 1u << 15, /* strings */
    LW_OBJECT = 1u << 16,
    LW_DTYPE_COUNT = 17,
    LW_INTS = LW_U8 | LW_I8 | LW_U16 | LW_I16 | LW_U32 | LW_I32 | LW_U64 | LW_I64,
    LW_FLOATS = LW_F16 | LW_BF16 | LW_F32 | LW_F64,
    LW_COMPLEX = LW_C64 | LW_C128,
    LW_DTYPE_UNKNOWN = (1u << 17) - 1
};

/* Where it lives. */
/* CHOSEN: what the program picks when it runs ("cuda" if there is one, else "cpu"); a tensor
 * that is surely on the CPU must not meet one that is there. */
enum {
    LW_CPU = 1,
    LW_CUDA = 2,
    LW_OTHER_DEVICE = 4,
    LW_CHOSEN_DEVICE = 8,
    LW_DEVICE_UNKNOWN = 15
};
/* "cpu", "cuda"…; for messages. */
const char *lw_device_name(uint32_t device);

/* Whose tensor it is. A Keras symbolic tensor has a shape but no value; PYTHON stands for plain
 * numbers and nested lists where an array is wanted. */
enum {
    LW_NUMPY = 1,
    LW_TORCH = 2,
    LW_TF = 4,
    LW_KERAS = 8,
    LW_PYTHON = 16,
    LW_PANDAS = 32,
    LW_FRAMEWORK_UNKNOWN = 63
};

/* All in `set`: yes; none: no. */
static inline lw_tri lw_set_within(uint32_t mask, uint32_t set)
{
    if (!(mask & set))
        return LW_TRI_NO;
    return mask & ~set ? LW_TRI_MAYBE : LW_TRI_YES;
}

/* Exactly one bit: the thing is known. */
static inline bool lw_set_is_one(uint32_t mask)
{
    return mask && !(mask & (mask - 1));
}

/* "float32", "torch.float", "np.int64", "long", "numpy.float32", "uint8", ">f4"…; 0 when it is
 * none. The part before the last dot is ignored. `framework` decides "float" and "int". */
lw_dtypes lw_dtype_parse(struct lw_str name, uint32_t framework);

/* "float32"; "float32 or int64"; "float" for all floats; "?" for unknown. */
void lw_dtypes_print(lw_dtypes mask, struct lw_buf *out);
const char *lw_dtype_name(lw_dtypes one);

/* How much a plain Python number weighs beside a tensor: it takes the tensor's type unless its
 * kind is higher. */
enum lw_weak { LW_STRONG, LW_WEAK_ZERO_DIM, LW_WEAK_NUMBER };

/* The type of an arithmetic result under the rules of `framework` (one bit). TensorFlow does
 * not promote: differing types give 0 = certainly an error. */
lw_dtypes lw_dtype_promote(uint32_t framework, lw_dtypes a, enum lw_weak wa, lw_dtypes b,
                           enum lw_weak wb);

/* The type of a true division or of a function like exp, given its argument. */
lw_dtypes lw_dtype_to_float(uint32_t framework, lw_dtypes a);

/* The largest finite value, the smallest and the precision; for one bit. */
bool lw_dtype_limits(lw_dtypes one, double *least, double *most);

#endif
