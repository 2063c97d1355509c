#include "check.h"

#include <pthread.h>

#include "base/log.h"

static void lines_carry_their_level(void **state)
{
    (void)state;
    char *text = NULL;
    size_t n = 0;
    FILE *file = open_memstream(&text, &n);
    struct lw_log log = {file, LW_LOG_INFO};
    lw_log(&log, LW_LOG_ERROR, "a %d", 1);
    lw_log(&log, LW_LOG_WARNING, "b");
    lw_log(&log, LW_LOG_INFO, "c\033[31m\nd");
    lw_log(&log, LW_LOG_DEBUG, "dropped");
    log.level = LW_LOG_DEBUG;
    lw_log(&log, LW_LOG_DEBUG, "e");
    log.file = NULL;
    lw_log(&log, LW_LOG_ERROR, "nobody listens");
    fclose(file);
    assert_string_equal(text, "lacewing: error: a 1\nlacewing: warning: b\n"
                              "lacewing: c\\x1B[31m\\x0Ad\nlacewing: debug: e\n");
    free(text);
}

static void long_lines_end(void **state)
{
    (void)state;
    char *text = NULL, *words = malloc(10001);
    size_t n = 0;
    memset(words, 'w', 10000);
    words[10000] = '\0';
    FILE *file = open_memstream(&text, &n);
    struct lw_log log = {file, LW_LOG_INFO};
    lw_log(&log, LW_LOG_INFO, "%s", words);
    fclose(file);
    assert_in_range(n, 1000, 3000);
    assert_int_equal(text[n - 1], '\n');
    free(text);
    free(words);
}

static void *chatter(void *log)
{
    for (int i = 0; i < 200; i++)
        lw_log(log, LW_LOG_INFO, "%s", "0123456789012345678901234567890123456789");
    return NULL;
}

static void lines_of_threads_do_not_mix(void **state)
{
    (void)state;
    char *text = NULL;
    size_t n = 0;
    FILE *file = open_memstream(&text, &n);
    struct lw_log log = {file, LW_LOG_INFO};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, chatter, &log);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    fclose(file);
    struct lw_str rest = lw_str_n(text, n), line;
    size_t lines = 0;
    for (; lw_str_line(&rest, &line); lines++)
        assert_str(line, "lacewing: 0123456789012345678901234567890123456789");
    assert_int_equal(lines, 800);
    free(text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lines_carry_their_level),
    cmocka_unit_test(long_lines_end),
    cmocka_unit_test(lines_of_threads_do_not_mix),
};
CHECK_MAIN(tests)
