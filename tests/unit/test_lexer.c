#include "check.h"

#include "../fuzz/source_invariants.h"
#include "base/buf.h"
#include "source/lexer.h"

/* The kinds of the tokens of a text, blank-separated; the invariants hold for all of them. */
static void assert_kinds(const char *text, const char *expected)
{
    struct lw_lexed lx;
    struct lw_err err;
    struct lw_buf out;
    lw_lexed_init(&lx, NULL);
    lw_buf_init(&out, NULL, 0);
    assert_int_equal(lw_lex(&lx, lw_str(text), &err), 0);
    check_tokens(&lx);
    for (size_t i = 0; i + 1 < lx.tokens.n; i++)
        lw_buf_addf(&out, "%s%s", i ? " " : "",
                    lw_token_kind_name((enum lw_token_kind)lx.tokens.v[i].kind));
    assert_string_equal(lw_buf_z(&out), expected);
    lw_buf_release(&out);
    lw_lexed_release(&lx);
}

static void every_word_is_found(void **state)
{
    (void)state;
    for (int k = LW_TOK_FALSE; k <= LW_TOK_YIELD; k++) {
        uint16_t soft;
        const char *text = lw_token_kind_text((enum lw_token_kind)k);
        assert_int_equal(lw_token_word(text, strlen(text), &soft), k);
        assert_int_equal(soft, LW_SOFT_NONE);
    }
    static const char *const words[] = {"", "match", "case", "type", "print", "exec"};
    for (uint16_t s = LW_SOFT_MATCH; s <= LW_SOFT_EXEC; s++) {
        uint16_t soft;
        assert_int_equal(lw_token_word(words[s], strlen(words[s]), &soft), LW_TOK_NAME);
        assert_int_equal(soft, s);
    }
    uint16_t soft;
    assert_int_equal(lw_token_word("iff", 3, &soft), LW_TOK_NAME);
    assert_int_equal(lw_token_word("continues", 9, &soft), LW_TOK_NAME);
}

static void blocks_are_indented(void **state)
{
    (void)state;
    assert_kinds("if a:\n    b\n\n  # note\n    c\nd\n",
                 "IF NAME COLON NEWLINE INDENT NAME NEWLINE NAME NEWLINE DEDENT NAME NEWLINE");
    assert_kinds("if a:\n\tb\n        c",
                 "IF NAME COLON NEWLINE INDENT NAME NEWLINE NAME NEWLINE "
                 "DEDENT");
    assert_kinds("a = (1,\n  2)\\\n + 3\n",
                 "NAME ASSIGN LPAREN NUMBER COMMA NUMBER RPAREN PLUS NUMBER NEWLINE");
    assert_kinds("", "");
    assert_kinds("# only a comment", "");
}

static void numbers_end_where_they_should(void **state)
{
    (void)state;
    assert_kinds("1_000.5e-3j 0x_fF 0b1 0o7 .5 1.", "NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER "
                                                    "NEWLINE");
    assert_kinds("1if x else 2", "NUMBER IF NAME ELSE NUMBER NEWLINE");
    assert_kinds("1..real", "NUMBER DOT NAME NEWLINE");
    assert_kinds("0777L 10l", "NUMBER NUMBER NEWLINE");
}

static void f_strings_nest(void **state)
{
    (void)state;
    assert_kinds(
        "f'a{b!r:>{w}}{{}}'",
        "FSTRING_START FSTRING_MIDDLE LBRACE NAME BANG NAME COLON FSTRING_MIDDLE LBRACE "
        "NAME RBRACE RBRACE FSTRING_MIDDLE FSTRING_END NEWLINE");
    assert_kinds("f'{x['a']}'", "FSTRING_START LBRACE NAME LBRACKET STRING RBRACKET RBRACE "
                                "FSTRING_END NEWLINE");
    assert_kinds("f'{a'\nb", "STRING NEWLINE NAME NEWLINE");
    assert_kinds("f'''{\na\n}'''", "FSTRING_START LBRACE NAME RBRACE FSTRING_END NEWLINE");
}

static void an_unclosed_bracket_ends_before_the_next_statement(void **state)
{
    (void)state;
    assert_kinds(
        "x = f(a,\ny = 2\ndef g(): pass",
        "NAME ASSIGN NAME LPAREN NAME COMMA NEWLINE NAME ASSIGN NUMBER NEWLINE DEF NAME "
        "LPAREN RPAREN COLON PASS NEWLINE");
    assert_kinds("def f(a:\n    return 1\n", "DEF NAME LPAREN NAME COLON NEWLINE INDENT RETURN "
                                             "NUMBER NEWLINE DEDENT");
    assert_kinds("[1, (2]\n3", "LBRACKET NUMBER COMMA LPAREN NUMBER RBRACKET NEWLINE NUMBER "
                               "NEWLINE");
}

static void a_misplaced_line_does_not_end_its_block(void **state)
{
    (void)state;
    assert_kinds("if a:\n    b\n  c\n    d\n",
                 "IF NAME COLON NEWLINE INDENT NAME NEWLINE NAME NEWLINE NAME NEWLINE DEDENT");
    assert_kinds(
        "if a:\n    b\nprose goes here\n    d\n",
        "IF NAME COLON NEWLINE INDENT NAME NEWLINE NAME NAME NAME NEWLINE NAME NEWLINE "
        "DEDENT");
}

static void prompts_and_magic_are_trivia(void **state)
{
    (void)state;
    assert_kinds(">>> if a:\n...     b\n>>> c\n",
                 "IF NAME COLON NEWLINE INDENT NAME NEWLINE DEDENT "
                 "NAME NEWLINE");
    assert_kinds("In [3]: a\n   ...: b\nOut[3]: 4\n", "NAME NEWLINE NAME NEWLINE");
    assert_kinds("%matplotlib inline\n!pip install x\na.b?\n$ ls\nc", "NAME NEWLINE");
    assert_kinds("x = !ls\ny = %time f()\n",
                 "NAME ASSIGN MAGIC NEWLINE NAME ASSIGN MAGIC NEWLINE");
    assert_kinds("x = a %\\\n b", "NAME ASSIGN NAME PERCENT NAME NEWLINE");
}

/* A text of `count` copies of a piece, owned by the caller. */
static char *repeat(const char *piece, size_t count, size_t *n)
{
    size_t length = strlen(piece);
    char *p = malloc(length * count + 1);
    assert_non_null(p);
    for (size_t i = 0; i < count; i++)
        memcpy(p + i * length, piece, length);
    *n = length * count;
    return p;
}

/* Texts on which a careless lexer needs quadratic time: minutes instead of moments. */
static void hostile_texts_take_linear_time(void **state)
{
    (void)state;
    static const char *const pieces[] = {"foo(\n",
                                         "\"\"\"a\n",
                                         "f'{",
                                         "f\"{a\n",
                                         "([{",
                                         ")",
                                         "x?\n",
                                         "\\\n",
                                         "`",
                                         "[(\n]",
                                         "(]",
                                         ">>> (\n",
                                         "if a:\n b\nc d\n b\n",
                                         "\r",
                                         "# c\r",
                                         "'\n"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        size_t n;
        char *text = repeat(pieces[i], 100000, &n);
        struct lw_lexed lx;
        struct lw_err err;
        lw_lexed_init(&lx, NULL);
        assert_int_equal(lw_lex(&lx, lw_str_n(text, n), &err), 0);
        check_tokens(&lx);
        lw_lexed_release(&lx);
        free(text);
    }
}

static int lex_with(struct lw_mem *mem, void *data)
{
    struct lw_lexed lx;
    struct lw_err err;
    lw_lexed_init(&lx, mem);
    int rc = lw_lex(&lx, lw_str(data), &err);
    lw_lexed_release(&lx);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(lex_with,
                           "f(a, [1, f'{x}'  # c\nif b:\n  `c` <> 0777\n\tclass D: ?");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_word_is_found),
    cmocka_unit_test(blocks_are_indented),
    cmocka_unit_test(numbers_end_where_they_should),
    cmocka_unit_test(f_strings_nest),
    cmocka_unit_test(an_unclosed_bracket_ends_before_the_next_statement),
    cmocka_unit_test(a_misplaced_line_does_not_end_its_block),
    cmocka_unit_test(prompts_and_magic_are_trivia),
    cmocka_unit_test(hostile_texts_take_linear_time),
    cmocka_unit_test(every_allocation_may_fail),
};
CHECK_MAIN(tests)
