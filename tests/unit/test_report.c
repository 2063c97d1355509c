#include "check.h"

#include "base/map.h"
#include "knowledge/embedded.h"
#include "report/report.h"

static lw_report *read_text(const char *summary, const char *description)
{
    lw_report *r = NULL;
    struct lw_err err = {0};
    assert_int_equal(
        lw_report_parse(&r, NULL, NULL, lw_str(summary), lw_str(description), &err), 0);
    return r;
}

static const struct lw_fact *get(const lw_report *r, enum lw_fact_kind kind, size_t number)
{
    const struct lw_fact *f = NULL;
    for (size_t i = 0; i <= number; i++)
        assert_non_null(f = lw_report_next(r, kind, f));
    return f;
}

static void escapes_are_undone_twice(void **state)
{
    (void)state;
    lw_report *r = read_text("Error &amp;lt;class &amp;#39;int&amp;#39;&amp;gt;",
                             "a &amp; b &lt;c> &bogus; &");
    assert_str(lw_report_summary(r), "Error <class 'int'>");
    assert_str(lw_report_description(r), "a & b <c> &bogus; &");
    lw_report_free(r);
}

static void links_keep_the_target_of_their_tag(void **state)
{
    (void)state;
    lw_report *r = read_text(
        "s", "see <denchmark-link:https://github.com/o/n/blob/abc123/pkg/deep/x.py#L12-L20>here"
             "</denchmark-link>\n .");
    const struct lw_fact *f = get(r, LW_FACT_LINK, 0);
    assert_str(f->link.label, "here");
    assert_str(f->link.repo, "o/n");
    assert_str(f->link.rev, "abc123");
    assert_str(f->link.path, "pkg/deep/x.py");
    assert_int_equal(f->link.first_line, 12);
    assert_int_equal(f->link.last_line, 20);
    lw_report_free(r);
}

static void a_chain_of_tracebacks_is_two(void **state)
{
    (void)state;
    lw_report *r = read_text("s", "Traceback (most recent call last):\n"
                                  "  File \"/a/b/x.py\", line 3, in f\n"
                                  "    g(1)\n"
                                  "KeyError: 'k'\n"
                                  "\n"
                                  "During handling of the above exception, another exception "
                                  "occurred:\n"
                                  "\n"
                                  "Traceback (most recent call last):\n"
                                  "  File \"y.py\", line 5, in <module>\n"
                                  "    f()\n"
                                  "  File \"/a/b/x.py\", line 4, in f\n"
                                  "    raise ValueError('no')\n"
                                  "ValueError: no\n"
                                  "What now?\n");
    assert_int_equal(lw_report_count(r, LW_FACT_TRACE), 2);
    assert_int_equal(lw_report_count(r, LW_FACT_FRAME), 3);
    const struct lw_fact *second = get(r, LW_FACT_TRACE, 1);
    assert_true(second->trace.chained);
    assert_int_equal(second->trace.frames, 2);
    const struct lw_fact *last = get(r, LW_FACT_FRAME, 2);
    assert_str(last->text, "/a/b/x.py");
    assert_int_equal(last->frame.line, 4);
    assert_str(last->frame.function, "f");
    assert_str(last->frame.code, "raise ValueError('no')");
    assert_str(get(r, LW_FACT_EXCEPTION, 0)->text, "KeyError");
    assert_str(get(r, LW_FACT_EXCEPTION, 1)->exception.message, "no");
    assert_str(get(r, LW_FACT_PROSE, 0)->text, "What now?");
    lw_report_free(r);
}

static void other_styles_of_traceback(void **state)
{
    (void)state;
    lw_report *r = read_text("s", "```\n"
                                  "~/env/lib/x.py in fit(self, n)\n"
                                  "     10     a\n"
                                  "---> 11     b()\n"
                                  "     12     c\n"
                                  "\n"
                                  "<ipython-input-3-ab> in <module>\n"
                                  "----> 1 fit()\n"
                                  "\n"
                                  "TypeError: bad\n"
                                  "```\n"
                                  "then\n"
                                  "```\n"
                                  "tests/test_x.py:12: in test_x\n"
                                  "    run()\n"
                                  "src/run.py:7: AssertionError\n"
                                  "```\n"
                                  "and\n"
                                  "```\n"
                                  "    /usr/lib/train.py:571 train_function  *\n"
                                  "        outputs = run(data)\n"
                                  "\n"
                                  "    ValueError: shapes\n"
                                  "```\n");
    assert_int_equal(lw_report_count(r, LW_FACT_TRACE), 3);
    assert_int_equal(get(r, LW_FACT_TRACE, 0)->trace.style, LW_TRACE_IPYTHON);
    assert_int_equal(get(r, LW_FACT_TRACE, 1)->trace.style, LW_TRACE_PYTEST);
    assert_int_equal(get(r, LW_FACT_TRACE, 2)->trace.style, LW_TRACE_AUTOGRAPH);
    assert_str(get(r, LW_FACT_FRAME, 0)->frame.code, "b()");
    assert_str(get(r, LW_FACT_FRAME, 1)->frame.function, "<module>");
    assert_str(get(r, LW_FACT_FRAME, 3)->text, "src/run.py");
    assert_str(get(r, LW_FACT_FRAME, 4)->frame.function, "train_function");
    assert_str(get(r, LW_FACT_EXCEPTION, 0)->exception.message, "bad");
    lw_report_free(r);
}

static void tensorflow_says_where_an_operation_was_made(void **state)
{
    (void)state;
    lw_report *r = read_text("s", "Caused by op 'conv', defined at:\n"
                                  "  File \"train.py\", line 3, in <module>\n"
                                  "    main()\n"
                                  "  File \"/x/layers.py\", line 9, in conv\n"
                                  "    return tf.nn.conv2d(x)\n"
                                  "\n"
                                  "InvalidArgumentError (see above for traceback): bad\n");
    assert_int_equal(get(r, LW_FACT_TRACE, 0)->trace.style, LW_TRACE_TENSORFLOW);
    assert_int_equal(get(r, LW_FACT_TRACE, 0)->trace.frames, 2);
    lw_report_free(r);
}

static void code_without_fences_is_found(void **state)
{
    (void)state;
    lw_report *r = read_text("s", "I ran this on my machine:\n"
                                  "import torch\n"
                                  "from pkg import (\n"
                                  "    A,\n"
                                  "    B)\n"
                                  "\n"
                                  "# a comment\n"
                                  "class Net(A):\n"
                                  "    def forward(self, x):\n"
                                  "        \"\"\" words of a docstring \"\"\"\n"
                                  "        return x\n"
                                  "net = Net(\n"
                                  "    1,\n"
                                  ")\n"
                                  "It fails.\n"
                                  "OS: Linux\n"
                                  "torch (1.2)\n"
                                  "Thanks\n");
    assert_int_equal(lw_report_count(r, LW_FACT_CODE), 1);
    const struct lw_fact *code = get(r, LW_FACT_CODE, 0);
    assert_memory_equal(code->text.p, "import torch", 12);
    assert_memory_equal(code->text.p + code->text.n - 2, "\n)", 2);
    assert_int_equal(lw_report_count(r, LW_FACT_PROSE), 2);
    lw_report_free(r);
}

static void fences_tell_code_from_output(void **state)
{
    (void)state;
    lw_report *r = read_text("s", "```python\nx = 1\n```\n"
                                  "```\nmodel.fit(x, y)\nprint(model)\n```\n"
                                  "```bash\npip install x\n```\n"
                                  "```\nEpoch 1/10 loss 0.3\nEpoch 2/10 loss 0.2\n```\n");
    assert_int_equal(lw_report_count(r, LW_FACT_CODE), 2);
    assert_int_equal(lw_report_count(r, LW_FACT_OUTPUT), 2);
    assert_str(get(r, LW_FACT_CODE, 0)->code.language, "python");
    assert_true(get(r, LW_FACT_CODE, 1)->code.fenced);
    lw_report_free(r);
}

static void mentions_have_shapes(void **state)
{
    (void)state;
    lw_report *r = read_text("`fit` of LinearModel breaks",
                             "In pkg/models/net.py:12 and x.py, "
                             "torch.nn.Linear calls init_weights and run(3), e.g. here.\n"
                             "owner/pkg/deep.py\n   Line 177\n");
    assert_str(get(r, LW_FACT_NAME, 0)->text, "fit");
    assert_true(get(r, LW_FACT_NAME, 0)->word.quoted);
    assert_int_equal(get(r, LW_FACT_NAME, 1)->word.shape, LW_NAME_CLASS);
    assert_int_equal(get(r, LW_FACT_NAME, 2)->word.shape, LW_NAME_SNAKE);
    assert_int_equal(get(r, LW_FACT_NAME, 3)->word.shape, LW_NAME_CALLED);
    assert_str(get(r, LW_FACT_FILE, 0)->text, "pkg/models/net.py");
    assert_int_equal(get(r, LW_FACT_FILE, 0)->file.line, 12);
    assert_str(get(r, LW_FACT_FILE, 1)->text, "x.py");
    assert_int_equal(get(r, LW_FACT_FILE, 2)->file.line, 177);
    assert_str(get(r, LW_FACT_MODULE, 0)->text, "torch.nn.Linear");
    assert_int_equal(lw_report_count(r, LW_FACT_MODULE), 1);
    lw_report_free(r);
}

static void versions_are_read_in_many_spellings(void **state)
{
    (void)state;
    static const char *const expect[][2] = {{"torch", "1.4.0"},
                                            {"python", "3.7"},
                                            {"cuda", "10"},
                                            {"numpy", "1.18.1"},
                                            {"tensorflow", "2.0.0rc1"},
                                            {"spacy", "2.1.9"},
                                            {"pytorch-lightning", "0.8.3"},
                                            {"torch", "1.13.1+cu117"}};
    lw_report *r = read_text("s", "PyTorch Version (e.g., 1.0): 1.4.0\n- Python: 3.7\nCUDA 10\n"
                                  "numpy==1.18.1\ntf v2.0.0rc1\nspacy==2.1.9\n"
                                  "pytorch-lightning: 0.8.3\npyTorch_version: 1.13.1+cu117\n"
                                  "python is fine, 3.7 times\n");
    for (size_t i = 0; i < sizeof expect / sizeof *expect; i++) {
        const struct lw_fact *f = get(r, LW_FACT_VERSION, i);
        assert_str(f->name, expect[i][0]);
        assert_str(f->text, expect[i][1]);
    }
    assert_int_equal(lw_report_count(r, LW_FACT_VERSION), sizeof expect / sizeof *expect);
    lw_report_free(r);
}

static void files_are_json_or_text(void **state)
{
    (void)state;
    lw_report *r = NULL;
    struct lw_err err = {0};
    struct lw_str json =
        LW_S("{\"title\": \"T\", \"body\": \"B\", \"open_date\": \"2020-01-02\"}");
    assert_int_equal(lw_report_read(&r, NULL, NULL, LW_S("r.json"), json, &err), 0);
    assert_str(lw_report_summary(r), "T");
    assert_str(lw_report_description(r), "B");
    assert_str(lw_report_open_date(r), "2020-01-02");
    lw_report_free(r);
    assert_int_equal(
        lw_report_read(&r, NULL, NULL, LW_S("r.md"), LW_S("# Title\n\nBody\n"), &err), 0);
    assert_str(lw_report_summary(r), "Title");
    lw_report_free(r);
    assert_int_equal(lw_report_read(&r, NULL, NULL, LW_S("r"), LW_S(" \n 3\n"), &err),
                     LW_EINVAL);
    assert_int_equal(lw_report_read(&r, NULL, NULL, LW_S("r"), LW_S("{\"a\": 1}"), &err),
                     LW_EINVAL);
    assert_int_equal(lw_report_read(&r, NULL, NULL, LW_S("r"), LW_S("{"), &err), LW_EINVAL);
    assert_int_equal(
        lw_report_read(&r, NULL, NULL, LW_S("r"), lw_str_n("\x89PNG\r\n\0\0IHDR", 12), &err),
        LW_EINVAL);
    assert_int_equal(
        lw_report_read(&r, NULL, NULL, LW_S("r"), LW_S("\x02\xd7\x01k\x1f\xe3\x05q"), &err),
        LW_EINVAL);
    assert_null(r);
}

static lw_report *read_file(struct lw_str bytes)
{
    lw_report *r = NULL;
    struct lw_err err = {0};
    assert_int_equal(lw_report_read(&r, NULL, NULL, LW_S("report"), bytes, &err), 0);
    return r;
}

static void comments_follow_an_issue(void **state)
{
    (void)state;
    lw_report *r = read_file(LW_S(
        "{\"title\": \"T\", \"body\": \"# Steps\\n```\\nopen fence\", \"labels\": [{\"name\": "
        "\"bug\"}, \"gpu\"], \"created_at\": \"2020-01-02\", \"comments\": [{\"body\": "
        "\"first\"}, "
        "{\"body\": \" \"}, {\"body\": \"torch 1.4\"}]}"));
    assert_int_equal(lw_report_format(r), LW_REPORT_GITHUB);
    assert_str(lw_report_open_date(r), "2020-01-02");
    assert_str(lw_report_tag(r, 0), "bug");
    assert_str(lw_report_tag(r, 1), "gpu");
    assert_int_equal(lw_report_tag(r, 2).n, 0);
    const struct lw_fact *output = get(r, LW_FACT_OUTPUT, 0);
    assert_str(output->text, "open fence");
    assert_str(output->name, "steps");
    assert_int_equal(lw_report_comment(r, output), 0);
    assert_str(get(r, LW_FACT_PROSE, 0)->text, "first");
    assert_int_equal(lw_report_comment(r, get(r, LW_FACT_PROSE, 0)), 1);
    assert_int_equal(get(r, LW_FACT_PROSE, 0)->name.n, 0);
    assert_int_equal(lw_report_comment(r, get(r, LW_FACT_PROSE, 1)), 2);
    lw_report_free(r);
}

static void denchmark_xml_is_a_report(void **state)
{
    (void)state;
    lw_report *r = read_file(LW_S(
        "<bug_data>\n<bug id='7' author='a' open_date='2020-01-02T03:04:05Z'>\n <summary>fit "
        "&amp;lt; 3</summary>\n <description>\n &lt;denchmark-code&gt;import torch\nx = 1\n"
        "&lt;/denchmark-code&gt;\n </description>\n <comments>\n  <comment id='1'>torch 1.4 "
        "</comment>\n </comments>\n</bug>\n<commit id='c'>text of a commit</commit>\n"
        "</bug_data>\n"));
    struct lw_err err;
    lw_report *none;
    assert_int_equal(lw_report_format(r), LW_REPORT_DENCHMARK);
    assert_str(lw_report_summary(r), "fit < 3");
    assert_str(lw_report_open_date(r), "2020-01-02T03:04:05Z");
    assert_str(get(r, LW_FACT_CODE, 0)->text, "import torch\nx = 1");
    assert_int_equal(lw_report_comment(r, get(r, LW_FACT_PROSE, 0)), 1);
    assert_true(lw_str_find(lw_report_text(r), LW_S("commit")) < 0);
    lw_report_free(r);
    assert_int_equal(lw_report_read(&none, NULL, NULL, LW_S("r"), LW_S("<bug_data>x"), &err),
                     LW_EINVAL);
    assert_int_equal(lw_report_read(&none, NULL, NULL, LW_S("r"),
                                    LW_S("<bug_data><bug id='1'></bug></bug_data>"), &err),
                     LW_EINVAL);
}

static void pages_and_posts_become_markdown(void **state)
{
    (void)state;
    lw_report *r = read_file(LW_S(
        "<html><head><title>A &amp; B</title><style>p {}</style></head><body>"
        "<h2>Code</h2><pre class=\"lang-py x\"><code>x = 1 &lt; 2\n</code></pre>"
        "<p>see <a href=\"https://a.b/c\">this</a> and <code>fit</code></p></body></html>"));
    assert_int_equal(lw_report_format(r), LW_REPORT_HTML);
    assert_str(lw_report_summary(r), "A & B");
    assert_str(get(r, LW_FACT_CODE, 0)->text, "x = 1 < 2");
    assert_str(get(r, LW_FACT_CODE, 0)->code.language, "py");
    assert_str(get(r, LW_FACT_CODE, 0)->name, "code");
    assert_str(get(r, LW_FACT_LINK, 0)->link.label, "this");
    assert_true(get(r, LW_FACT_NAME, 0)->word.quoted);
    lw_report_free(r);
    r = read_file(
        LW_S("{\"items\": [{\"title\": \"T\", \"question_id\": 1, \"creation_date\": 5, "
             "\"body\": \"<p>a</p>\", \"answers\": [{\"body\": \"<p>b</p>\"}]}]}"));
    assert_int_equal(lw_report_format(r), LW_REPORT_STACK_OVERFLOW);
    assert_str(lw_report_open_date(r), "5");
    assert_str(get(r, LW_FACT_PROSE, 1)->text, "b");
    lw_report_free(r);
}

static void mails_have_a_subject_and_a_text(void **state)
{
    (void)state;
    lw_report *r =
        read_file(LW_S("From: a@b\r\nSubject: Re: Wrong\r\n result\r\nDate: today\r\n\r\n"
                       "> import os\r\n> x = os.getcwd()\r\n"));
    assert_int_equal(lw_report_format(r), LW_REPORT_EMAIL);
    assert_str(lw_report_summary(r), "Wrong result");
    assert_str(lw_report_open_date(r), "today");
    assert_str(get(r, LW_FACT_IMPORT, 0)->text, "os");
    lw_report_free(r);
    r = read_file(LW_S("Subject: only a line\nthat looks like one\n"));
    assert_int_equal(lw_report_format(r), LW_REPORT_TEXT);
    lw_report_free(r);
}

/* Rows of data/report/ are four plain fields, and no two say the same words of a kind. */
static void tables_of_words_are_plain(void **state)
{
    (void)state;
    struct lw_map seen;
    struct lw_str path, content, line, prefix = LW_S("data/report/");
    size_t files = 0;
    lw_map_init(&seen, NULL);
    for (size_t i = lw_embedded_first(prefix);
         lw_embedded_at(i, &path, &content) && lw_str_has_prefix(path, prefix); i++, files++) {
        assert_true(lw_str_line(&content, &line));
        assert_str(line, "kind,words,name,more");
        while (lw_str_line(&content, &line)) {
            bool is_new;
            struct lw_str rest = line, kind, words;
            assert_true(lw_str_split(&rest, ',', &kind) && lw_str_split(&rest, ',', &words));
            assert_true(lw_str_find_char(line, '"') < 0 && words.n > 0);
            assert_non_null(lw_map_put(
                &seen, lw_str_n(kind.p, (size_t)(words.p + words.n - kind.p)), &is_new));
            if (!is_new)
                fail_msg("twice: %.*s", LW_F(line));
        }
    }
    assert_true(files >= 8);
    lw_map_release(&seen);
}

static int read_once(struct lw_mem *mem, void *data)
{
    lw_report *r = NULL;
    struct lw_err err = {0};
    int rc = lw_report_read(&r, mem, NULL, LW_S("r"), lw_str(data), &err);
    lw_report_free(r);
    return rc;
}

static void every_allocation_of_a_file_may_fail(void **state)
{
    (void)state;
    check_every_allocation(read_once, "<p>title</p><pre>loss: 0.5</pre>");
    check_every_allocation(read_once,
                           "From: a\nSubject: b\nContent-Type: text/html\n\n<p>c</p>");
    check_every_allocation(read_once,
                           "{\"title\": \"T\", \"body\": \"on GPU\", \"labels\": [\"a\"], "
                           "\"comments\": [\"c\"], \"created_at\": \"d\"}");
}

static int parse_once(struct lw_mem *mem, void *data)
{
    lw_report *r = NULL;
    struct lw_err err = {0};
    int rc = lw_report_parse(&r, mem, NULL, LW_S("Broken `fit`"), lw_str(data), &err);
    lw_report_free(r);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(parse_once, "## x\nimport a\nTraceback (most recent call last):\n"
                                       "  File \"x.py\", line 1, in f\nE: x\n```\nx = 1\n```\n"
                                       "see x.py and torch==1.2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes_are_undone_twice),
        cmocka_unit_test(links_keep_the_target_of_their_tag),
        cmocka_unit_test(a_chain_of_tracebacks_is_two),
        cmocka_unit_test(other_styles_of_traceback),
        cmocka_unit_test(tensorflow_says_where_an_operation_was_made),
        cmocka_unit_test(code_without_fences_is_found),
        cmocka_unit_test(fences_tell_code_from_output),
        cmocka_unit_test(mentions_have_shapes),
        cmocka_unit_test(versions_are_read_in_many_spellings),
        cmocka_unit_test(files_are_json_or_text),
        cmocka_unit_test(comments_follow_an_issue),
        cmocka_unit_test(denchmark_xml_is_a_report),
        cmocka_unit_test(pages_and_posts_become_markdown),
        cmocka_unit_test(mails_have_a_subject_and_a_text),
        cmocka_unit_test(tables_of_words_are_plain),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_allocation_of_a_file_may_fail),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
