/*
 * Versions of libraries: "torch==1.2", "PyTorch Version (e.g., 1.0): 1.4", "CUDA 10.1",
 * "- Python: 3.7".
 */
#include "report/internal.h"

struct library {
    const char *said; /* in small letters */
    const char *name; /* what package tools call it */
};

/* In byte order of `said`. */
static const struct library libraries[] = {
    {"allennlp", "allennlp"},
    {"cuda", "cuda"},
    {"cudnn", "cudnn"},
    {"gpytorch", "gpytorch"},
    {"h5py", "h5py"},
    {"ignite", "pytorch-ignite"},
    {"jax", "jax"},
    {"keras", "keras"},
    {"kornia", "kornia"},
    {"lightning", "pytorch-lightning"},
    {"matplotlib", "matplotlib"},
    {"mxnet", "mxnet"},
    {"numpy", "numpy"},
    {"onnx", "onnx"},
    {"pandas", "pandas"},
    {"pip", "pip"},
    {"protobuf", "protobuf"},
    {"python", "python"},
    {"pytorch", "torch"},
    {"pytorch-lightning", "pytorch-lightning"},
    {"pytorch_lightning", "pytorch-lightning"},
    {"scikit-learn", "scikit-learn"},
    {"scipy", "scipy"},
    {"sklearn", "scikit-learn"},
    {"tensorboard", "tensorboard"},
    {"tensorflow", "tensorflow"},
    {"tensorflow-gpu", "tensorflow"},
    {"tensorpack", "tensorpack"},
    {"tf", "tensorflow"},
    {"theano", "theano"},
    {"torch", "torch"},
    {"torchaudio", "torchaudio"},
    {"torchtext", "torchtext"},
    {"torchvision", "torchvision"},
    {"transformers", "transformers"},
};

static struct lw_str library_of(struct lw_str said)
{
    char lower[32];
    if (said.n >= sizeof lower)
        return (struct lw_str){0};
    for (size_t i = 0; i < said.n; i++)
        lower[i] = (char)(report_is_upper(said.p[i]) ? said.p[i] | 32 : said.p[i]);
    size_t low = 0, high = sizeof libraries / sizeof *libraries;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int c = lw_str_cmp(lw_str(libraries[mid].said), lw_str_n(lower, said.n));
        if (c == 0)
            return lw_str(libraries[mid].name);
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return (struct lw_str){0};
}

/* The length of a version number at the start: 1.2, 2.0.0rc1, 1.13.1+cu117. */
static size_t version_length(struct lw_str s, bool whole_numbers)
{
    size_t i = 0, dots = 0;
    while (i < s.n && (report_is_digit(s.p[i]) ||
                       (s.p[i] == '.' && i + 1 < s.n && i && report_is_digit(s.p[i + 1])))) {
        dots += s.p[i] == '.';
        i++;
    }
    if (!i || (!dots && !whole_numbers))
        return 0;
    while (dots && i < s.n &&
           (report_is_word(s.p[i]) || s.p[i] == '+' ||
            (s.p[i] == '.' && i + 1 < s.n && report_is_word(s.p[i + 1]))))
        i++;
    return i;
}

/* Skips what stands between a library and its number; returns where the number may begin. */
static size_t skip_between(struct lw_str s)
{
    static const char *const words[] = {"version", "Version", "VERSION", "framework"};
    size_t i = 0;
    for (size_t steps = 0; steps < 12 && i < s.n; steps++) {
        struct lw_str rest = lw_str_from(s, i);
        size_t word = 0;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (lw_str_has_prefix(rest, lw_str(words[k])))
                word = strlen(words[k]);
        if (word) {
            i += word;
        } else if (rest.p[0] == '(' && lw_str_find_char(rest, ')') > 0 &&
                   lw_str_find(lw_str_part(rest, 0, 6), LW_S("e.g")) > 0) {
            i += (size_t)lw_str_find_char(rest, ')') + 1; /* "(e.g., 1.0)" of a template */
        } else if (report_is_blank(rest.p[0]) || strchr(":=@>~/*`'(", rest.p[0])) {
            i++;
        } else if ((rest.p[0] == 'v' || rest.p[0] == 'V') && rest.n > 1 &&
                   report_is_digit(rest.p[1])) {
            i++;
        } else {
            break;
        }
    }
    return i;
}

static size_t word_length(struct lw_str s)
{
    size_t n = 0;
    while (n < s.n && (report_is_word(s.p[n]) ||
                       (s.p[n] == '-' && n + 1 < s.n && report_is_letter(s.p[n + 1]))))
        n++;
    return n;
}

/* A library and its version at the start of `s`. Anything is a library before "==". */
static int add_version(struct lw_report *r, uint32_t block, struct lw_str s, size_t word)
{
    struct lw_str said = lw_str_part(s, 0, word), rest = lw_str_from(s, word);
    struct lw_str plain = said; /* "pytorch_version: 1.5" */
    if (plain.n > 8 && lw_str_eq_nocase(lw_str_from(plain, plain.n - 7), LW_S("version")))
        plain.n -= 8;
    struct lw_str library = library_of(plain);
    if (!library.n && lw_str_has_prefix(rest, LW_S("==")))
        library = said;
    if (!library.n)
        return 0;
    size_t gap = skip_between(rest);
    bool whole = lw_str_eq(library, LW_S("cuda")) || lw_str_eq(library, LW_S("cudnn"));
    size_t n = gap ? version_length(lw_str_from(rest, gap), whole) : 0;
    if (!n)
        return 0;
    struct lw_fact f =
        report_fact(r, LW_FACT_VERSION, block, lw_str_part(s, 0, word + gap + n));
    f.text = lw_str_part(rest, gap, n);
    f.name = library;
    return report_add(r, f);
}

int report_versions(struct lw_report *r, uint32_t block)
{
    const struct lw_fact *b = &r->blocks.v[block];
    struct lw_str rest = b->text, line;
    if (b->kind == LW_FACT_CODE || b->kind == LW_FACT_TRACE)
        return 0;
    while (lw_str_line(&rest, &line)) {
        for (size_t i = 0; i < line.n;) {
            struct lw_str s = lw_str_from(line, i);
            size_t n = word_length(s);
            if (n && report_is_letter(s.p[0])) {
                int rc = add_version(r, block, s, n);
                if (rc < 0)
                    return rc;
            }
            i += n ? n : 1;
        }
    }
    return 0;
}
