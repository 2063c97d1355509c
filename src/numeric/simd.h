/*
 * simd - vector code that every machine runs and newer ones run faster, with equal results.
 *
 * A kernel is written once with the compiler's vector types in an always-inlined body. LW_SIMD
 * makes two functions of it, one for the base architecture and one for AVX2, and a third that
 * picks. Fused multiply-add is not used: it would round differently from machine to machine.
 */
#ifndef LW_NUMERIC_SIMD_H
#define LW_NUMERIC_SIMD_H

#include <string.h>

typedef double lw_v4d __attribute__((vector_size(32)));
typedef double lw_v2d __attribute__((vector_size(16)));
typedef float lw_v8f __attribute__((vector_size(32)));
typedef long long lw_v4i __attribute__((vector_size(32)));

#define LW_SIMD_BODY static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define LW_SIMD(name, params, args)                                \
    __attribute__((target("avx2"))) static void name##_avx2 params \
    {                                                              \
        name##_body args;                                          \
    }                                                              \
    static void name##_base params                                 \
    {                                                              \
        name##_body args;                                          \
    }                                                              \
    static void name params                                        \
    {                                                              \
        if (__builtin_cpu_supports("avx2"))                        \
            name##_avx2 args;                                      \
        else                                                       \
            name##_base args;                                      \
    }
#else
#define LW_SIMD(name, params, args) \
    static void name params         \
    {                               \
        name##_body args;           \
    }
#endif

/* Smaller and larger of two lanes; the second operand where one is NaN. */
#if defined(__SSE2__)
#define LW_MIN2D(a, b) __builtin_ia32_minpd(a, b)
#define LW_MAX2D(a, b) __builtin_ia32_maxpd(a, b)
#else
#define LW_MIN2D(a, b) \
    ((lw_v2d){(a)[0] < (b)[0] ? (a)[0] : (b)[0], (a)[1] < (b)[1] ? (a)[1] : (b)[1]})
#define LW_MAX2D(a, b) \
    ((lw_v2d){(a)[0] > (b)[0] ? (a)[0] : (b)[0], (a)[1] > (b)[1] ? (a)[1] : (b)[1]})
#endif

/* Four doubles from any address. */
#define LW_LOAD4D(v, p) memcpy(&(v), (p), sizeof(lw_v4d))
#define LW_LOAD2D(v, p) memcpy(&(v), (p), sizeof(lw_v2d))
#define LW_LOAD8F(v, p) memcpy(&(v), (p), sizeof(lw_v8f))

#endif
