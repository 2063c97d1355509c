"""Programs that grow: each generator repeats or nests one construct n times.

PROGRAMS, NOTEBOOKS, PROJECTS and REPORTS map a name to a generator. A generator of a program, a
notebook or a report returns its text, one of a project {path: text}. The text of a generator
grows in proportion to n, so that work in proportion to the text is work in proportion to n.
"""
import json

PROGRAMS, NOTEBOOKS, PROJECTS, REPORTS = {}, {}, {}, {}
HEAD = "import torch\nimport torch.nn as nn\n"
KERAS = "from tensorflow import keras\nfrom tensorflow.keras import layers\n"
FLOW1 = "import tensorflow as tf\n"


def into(table):
    def keep(function):
        table[function.__name__] = function
        return function
    return keep


program, notebook, project, report = (into(t) for t in (PROGRAMS, NOTEBOOKS, PROJECTS, REPORTS))


def lines(n, form, head=HEAD, tail=""):
    """The head, then `form` with {i} (and {j} = i - 1, {m} = i modulo 10) for each i < n."""
    return head + "".join(form.format(i=i, j=max(i - 1, 0), m=i % 10) for i in range(n)) + tail


def joined(n, form, between, head=HEAD, before="x = ", after="\n"):
    return head + before + between.join(form.format(i=i, j=max(i - 1, 0)) for i in range(n)) + after


def repeated(table, recipes):
    """Generators for the constructs that are one form, repeated."""
    for name, (maker, *parts) in recipes.items():
        def make(n, maker=maker, parts=parts):
            return maker(n, *parts)
        assert name not in table
        table[name] = make


def nested(n, opening, core, closing, head=HEAD, before="x = ", after="\n"):
    return head + before + opening * n + core + closing * n + after


# ---- Statements ----------------------------------------------------------------------------------

repeated(PROGRAMS, {
    "statements_on_one_line": (lines, "x=1;", "", "\n"),
    "statements_on_one_line_many_names": (lines, "x{i}=x{j};", "x0=1;", "\n"),
    "bindings_of_one_name": (lines, "x = {i}\n"),
    "bindings_and_uses_of_one_name": (lines, "x = x + {i}\n", HEAD + "x = 0\n"),
    "uses_of_one_name": (lines, "y{i} = x\n", HEAD + "x = 0\n"),
    "uses_of_an_unknown_name": (lines, "print(unknown)\n"),
    "chain_of_names": (lines, "x{i} = x{j} + 1\n", HEAD + "x0 = 0\n"),
    "calls_as_statements": (lines, "print({i})\n"),
    "expression_statements": (lines, "x\n", HEAD + "x = 1\n"),
    "chained_assignment": (joined, "x{i}", " = ", HEAD, "", " = 0\n"),
    "tuple_assignment": (lines, "a{i}, b{i} = b{j}, a{j}\n", HEAD + "a0 = b0 = 1\n"),
    "augmented_assignments": (lines, "x += {i}\n", HEAD + "x = 0\n"),
    "annotated_assignments": (lines, "x{i}: int = {i}\n"),
    "attribute_assignments": (lines, "o.a{i} = {i}\n", HEAD + "class C: pass\no = C()\n"),
    "subscript_assignments": (lines, "d[{i}] = {i}\n", HEAD + "d = {{}}\n".replace("{{}}", "{}")),
    "deletions": (lines, "del x{i}\n"),
    "passes": (lines, "pass\n"),
    "asserts": (lines, "assert x == {i}, 'no'\n", HEAD + "x = 0\n"),
    "raises": (lines, "if x > {i}: raise ValueError({i})\n", HEAD + "x = 0\n"),
    "imports": (lines, "import m{i}\n"),
    "imports_of_one_module": (lines, "import numpy as np\n"),
    "imports_on_one_line": (joined, "m{i} as a{i}", ", ", HEAD, "import "),
    "imports_from": (lines, "from m{i} import a{i}\n"),
    "imports_from_on_one_line": (joined, "a{i}", ", ", HEAD, "from m import (", ")\n"),
    "star_imports": (lines, "from m{i} import *\n", HEAD, "print(a)\n"),
    "star_imports_of_one_module": (lines, "from torch.nn import *\n", HEAD, "print(Linear)\n"),
    "star_imports_and_uses": (lines, "from m{i} import *\nprint(a{i})\n"),
    "globals": (lines, "    global g{i}\n", HEAD + "def f():\n", "    g0 = 1\n"),
    "globals_on_one_line": (joined, "g{i}", ", ", HEAD, "def f():\n    global ", "\n"),
    "functions_with_global": (lines, "def f{i}():\n    global g\n    g = {i}\n", HEAD, "print(g)\n"),
    "functions_with_nonlocal": (lines, "    def f{i}():\n        nonlocal g\n        g = {i}\n",
                                HEAD + "def f():\n    g = 0\n"),
    "functions_reading_globals": (lines, "g{i} = {i}\ndef f{i}():\n    return g{i}\n"),
    "functions": (lines, "def f{i}(a, b=1, *c, d, **e):\n    return a\n"),
    "functions_of_one_name": (lines, "def f(a):\n    return a\n", HEAD, "f(1)\n"),
    "functions_calling_the_one_before": (lines, "def f{i}(a):\n    return f{j}(a)\n", HEAD, "f1(1)\n"),
    "functions_calling_one": (lines, "def f{i}(a):\n    return g(a)\n",
                              HEAD + "def g(a):\n    return a\n"),
    "calls_of_one_function": (lines, "x{i} = f({i})\n", HEAD + "def f(a):\n    return a\n"),
    "function_calling_many": (lines, "    g{i}()\n", HEAD + "def f():\n", "f()\n"),
    "parameters": (joined, "a{i}", ", ", HEAD, "def f(", "):\n    return a0\nf(1)\n"),
    "parameters_with_defaults": (joined, "a{i}: int = {i}", ", ", HEAD, "def f(", "):\n    return a0\nf()\n"),
    "returns": (lines, "    if a == {i}: return {i}\n", HEAD + "def f(a):\n"),
    "yields": (lines, "    yield {i}\n", HEAD + "def f():\n"),
    "decorators": (lines, "@d{i}\n", HEAD, "def f():\n    pass\nf()\n"),
    "decorators_with_arguments": (lines, "@d({i})\n", HEAD, "class C:\n    pass\n"),
    "classes": (lines, "class C{i}:\n    a = {i}\n"),
    "class_with_methods": (lines, "    def m{i}(self):\n        return self.m{j}()\n",
                           HEAD + "class C:\n", "C().m1()\n"),
    "methods_that_assign_a_field": (lines, "    def m{i}(self):\n        self.a{i} = {i}\n", HEAD + "class C:\n"),
    "methods_that_assign_one_field": (lines, "    def m{i}(self):\n        self.a = self.m{j}\n", HEAD + "class C:\n"),
    "methods_that_assign_a_class_attribute": (lines, "    def m{i}(self):\n        C.a{i} = {i}\n", HEAD + "class C:\n"),
    "methods_that_make_an_instance": (lines, "    def m{i}(self):\n        return C()\n", HEAD + "class C(nn.Module):\n"),
    "methods_without_self": (lines, "    def m{i}(this):\n        this.a{i} = {i}\n", HEAD + "class C:\n"),
    "class_with_attributes": (lines, "        self.a{i} = {i}\n",
                              HEAD + "class C:\n    def __init__(self):\n", "C()\n"),
    "class_with_fields": (lines, "    a{i}: int = {i}\n", HEAD + "class C:\n", "C()\n"),
    "deep_inheritance": (lines, "class C{i}(C{j}):\n    pass\n", HEAD + "class C0: pass\n", "C1().m()\n"),
    "wide_inheritance": (joined, "B{i}", ", ", HEAD, "class C(", "):\n    pass\nC().m()\n"),
    "inheritance_of_one_class": (lines, "class C{i}(B):\n    pass\nC{i}().m()\n",
                                 HEAD + "class B:\n    def m(self): pass\n"),
    "ifs": (lines, "if x == {i}:\n    y = {i}\n", HEAD + "x = input()\n", "print(y)\n"),
    "if_else_of_one_name": (lines, "if c:\n    x = {i}\nelse:\n    x = -{i}\n", HEAD + "c = input()\n",
                            "print(x)\n"),
    "if_else_of_many_names": (lines, "if c:\n    x{i} = x{j}\nelse:\n    x{i} = 0\n",
                              HEAD + "c = input()\nx0 = 1\n"),
    "elifs": (lines, "elif x == {i}:\n    y = {i}\n", HEAD + "x = input()\nif x:\n    y = 0\n",
              "print(y)\n"),
    "fors": (lines, "for i in range({i}):\n    x = i\n", HEAD, "print(x)\n"),
    "for_with_long_body": (lines, "    x{i} = i + x{j}\n", HEAD + "x0 = 0\nfor i in range(10):\n"),
    "whiles": (lines, "while x < {i}:\n    x += 1\nelse:\n    x = 0\n", HEAD + "x = 0\n"),
    "breaks_and_continues": (lines, "    if x == {i}: break\n    if x == -{i}: continue\n",
                             HEAD + "for x in y:\n"),
    "counters_that_end_a_loop": (lines, "    if y < best{i}:\n        best{i} = y\n    else:\n        bad{i} += 1\n"
                                 "    if bad{i} > 9:\n        break\n", HEAD + "for y in z:\n"),
    "withs": (lines, "with open('f') as f:\n    x = f.read()\n"),
    "with_items": (joined, "open('f{i}') as f{i}", ", ", HEAD, "with ", ":\n    print(f0)\n"),
    "tries": (lines, "try:\n    x = {i}\nexcept ValueError as e:\n    print(e)\nfinally:\n    pass\n"),
    "excepts": (lines, "except E{i} as e:\n    x = {i}\n", HEAD + "try:\n    x = 0\n", "print(x)\n"),
    "try_with_long_body": (lines, "    x{i} = f(x{j})\n", HEAD + "x0 = 0\ntry:\n",
                           "except ValueError:\n    print(x0)\n"),
    "except_in_long_try": (lines, "    x = f(x)\n", HEAD + "x = 0\ntry:\n",
                           "except ValueError:\n    print(x)\nfinally:\n    print(x)\n"),
    "match_cases": (lines, "    case {i}:\n        y = {i}\n", HEAD + "match x:\n", "print(y)\n"),
    "match_alternatives": (joined, "{i}", " | ", HEAD, "match x:\n    case ", ":\n        pass\n"),
    "match_captures": (joined, "a{i}", ", ", HEAD, "match x:\n    case [", "]:\n        print(a0)\n"),
    "match_mapping": (joined, "'k{i}': a{i}", ", ", HEAD, "match x:\n    case {", "}:\n        pass\n"),
    "matches": (lines, "match x:\n    case [a, *b]:\n        y = a\n    case _:\n        y = 1\n"),
    "async_functions": (lines, "async def f{i}(a):\n    async with a as b:\n        await b\n"
                               "    async for c in a:\n        yield c\n"),
    "awaits": (lines, "    x = await g(x)\n", HEAD + "async def f(x):\n"),
    "type_aliases": (lines, "type T{i} = list[T{j}]\n"),
    "type_parameters": (joined, "T{i}", ", ", HEAD, "def f[", "](a): pass\n"),
    "comments": (lines, "# a comment with some words {i}\n"),
    "comments_after_code": (lines, "x = {i}  # why {i}\n"),
    "empty_lines": (lines, "\n", HEAD, "x = 1\n"),
    "docstrings": (lines, "def f{i}():\n    '''Says what {i} does.\n\n    At length.\n    '''\n"),
    "ignore_comments": (lines, "x = {i}  # lacewing: ignore[shape] why\n"),
    "magics": (lines, "%matplotlib inline\n!pip install x\n"),
})


def class_with_fields_and_methods(n, field, method):
    """__init__ sets n fields, n methods do something with one each."""
    fields = "".join(f"        self.a{i} = {field}\n" for i in range(n))
    methods = "".join(f"    def m{i}(self):\n        {method.format(i=i)}\n" for i in range(n))
    return f"{HEAD}class C:\n    def __init__(self):\n{fields}{methods}"


repeated(PROGRAMS, {
    "methods_that_assign_known_fields": (class_with_fields_and_methods, "1", "self.a{i} = 2"),
    "methods_that_fill_empty_fields": (class_with_fields_and_methods, "None", "self.a{i} = 2"),
    "methods_that_read_empty_fields": (class_with_fields_and_methods, "[]", "return self.a{i}"),
    "methods_that_add_to_fields": (class_with_fields_and_methods, "0", "self.a{i} += 1"),
    "methods_that_set_items_of_fields": (class_with_fields_and_methods, "torch.zeros(3)", "self.a{i}[0] = 1"),
})


@program
def counters_in_one_branch(n):
    breaks = "".join(f"    if bad{i} > 9: break\n" for i in range(n))
    counts = "".join(f"        bad{i} += 1\n" for i in range(n))
    return f"{HEAD}for y in z:\n{breaks}    if y < best:\n        best = y\n    else:\n{counts}"


# ---- Expressions ---------------------------------------------------------------------------------

repeated(PROGRAMS, {
    "sum": (joined, "a{i}", " + "),
    "sum_of_one_name": (joined, "a", " + ", HEAD + "a = 1\n"),
    "sum_of_numbers": (joined, "{i}", " + "),
    "sum_of_strings": (joined, "'s{i}'", " + "),
    "adjacent_strings": (joined, "'s{i}'", " "),
    "adjacent_strings_in_brackets": (joined, "'s{i}'", "\n", HEAD, "x = (", ")\n"),
    "product": (joined, "a{i}", " * "),
    "powers": (joined, "2", " ** "),
    "mixed_operators": (joined, "a * b - c / d % e // f @ g << h >> k & l | m ^ n", " + "),
    "comparison_chain": (joined, "a{i}", " < "),
    "comparison_chain_of_one": (joined, "a", " <= ", HEAD + "a = 1\n"),
    "ands": (joined, "a{i}", " and "),
    "ands_of_one": (joined, "a", " and ", HEAD + "a = input()\n"),
    "ors": (joined, "a == {i}", " or "),
    "ors_in_ands": (joined, "(a or b)", " and ", HEAD),
    "ors_in_ands_known": (joined, "(a or b)", " and ", HEAD + "a = input()\nb = input()\n"),
    "ands_in_condition": (joined, "a > {i}", " and ", HEAD + "a = 1\n", "if ", ":\n    print(a)\n"),
    "conditional_chain": (joined, "a{i} if b{i} else ", "", HEAD, "x = ", "0\n"),
    "nots": (nested, "not ", "a", ""),
    "minuses": (nested, "-", "a", ""),
    "inversions": (nested, "~", "a", ""),
    "awaits_nested": (nested, "(await ", "a", ")", HEAD, "async def f(): "),
    "attribute_chain": (nested, "", "a", ".b"),
    "call_chain": (nested, "", "a", "()"),
    "call_chain_on_tensor": (nested, "", "torch.zeros(3, 4)", ".relu()"),
    "method_chain": (nested, "", "a", ".m(1)\\\n"),
    "subscript_chain": (nested, "", "a", "[0]"),
    "slices": (joined, "a[{i}:{i}:2, ..., None]", ", "),
    "subscript_with_many_parts": (joined, "{i}:", ", ", HEAD, "x = a[", "]\n"),
    "call_with_arguments": (joined, "a{i}", ", ", HEAD, "x = f(", ")\n"),
    "call_with_keywords": (joined, "k{i}={i}", ", ", HEAD, "x = f(", ")\n"),
    "call_with_one_keyword": (joined, "k={i}", ", ", HEAD, "x = f(", ")\n"),
    "call_with_stars": (joined, "*a{i}", ", ", HEAD, "x = f(", ")\n"),
    "call_of_known_with_keywords": (joined, "k{i}={i}", ", ", HEAD, "x = nn.Linear(3, 4, ", ")\n"),
    "list": (joined, "{i}", ", ", HEAD, "x = [", "]\n"),
    "list_of_names": (joined, "a{i}", ", ", HEAD, "x = [", "]\n"),
    "list_of_lists": (joined, "[{i}, 2]", ", ", HEAD, "x = torch.tensor([", "])\nprint(x @ x)\n"),
    "list_of_strings": (joined, "'s{i}'", ", ", HEAD, "x = [", "]\n"),
    "tuple": (joined, "{i}", ", ", HEAD),
    "set": (joined, "{i}", ", ", HEAD, "x = {", "}\n"),
    "dict": (joined, "{i}: 's{i}'", ", ", HEAD, "x = {", "}\n"),
    "dict_of_strings": (joined, "'k{i}': {i}", ", ", HEAD, "x = {", "}\nprint(x['k1'])\n"),
    "dict_on_lines": (joined, "'k{i}': [{i}, a{i}]", ",\n    ", HEAD, "x = {\n", "}\n"),
    "dict_with_stars": (joined, "**a{i}", ", ", HEAD, "x = {", "}\n"),
    "list_comprehensions": (lines, "x{i} = [a + {i} for a in y if a]\n"),
    "comprehension_with_fors": (joined, "for a{i} in b", " ", HEAD, "x = [a0 ", "]\n"),
    "comprehension_with_ifs": (joined, "if a > {i}", " ", HEAD, "x = [a for a in b ", "]\n"),
    "dict_comprehensions": (lines, "x{i} = {{a: b for a, b in y}}\n"),
    "generators": (lines, "x{i} = sum(a for a in y)\n"),
    "lambdas": (lines, "x{i} = lambda a: a + {i}\n"),
    "f_strings": (lines, "x{i} = f'{{x{j}}} and {{x{j}!r:>{{x{j}}}}}'\n", HEAD + "x0 = 1\n"),
    "f_string_with_many_fields": (joined, "{{a{i}}}", " ", HEAD, "x = f'", "'\n"),
    "long_string": (joined, "some words {i}", " ", HEAD, "x = '", "'\n"),
    "long_string_on_lines": (joined, "some words {i}", "\n", HEAD, "x = '''", "'''\n"),
    "long_byte_string": (joined, "\\x00\\n", "", HEAD, "x = b'", "'\n"),
    "walrus": (lines, "if (x{i} := x{j} + 1): pass\n", HEAD + "x0 = 1\n"),
    "walrus_in_list": (joined, "(x{i} := {i})", ", ", HEAD, "x = [", "]\n"),
    "line_continuations": (joined, "a{i}", " + \\\n"),
    "numbers": (lines, "x = 0x{i} + 1_{m}e5 + .5j\n"),
    "long_number": (nested, "9", "1", ""),
    "long_name": (nested, "a", "b", ""),
    "long_snake_name": (nested, "ab_", "b", ""),
    "names_in_unicode": (lines, "größe{i} = größe{j}\n", HEAD + "größe0 = 1\n"),
    "starred_targets": (lines, "a{i}, *b{i} = c\n"),
    "targets": (joined, "a{i}", ", ", HEAD, "", " = c\nprint(a0)\n"),
    "annotations": (lines, "x{i}: Dict[str, Optional[List[int]]] = None\n"),
    "union_annotation": (joined, "A{i}", " | ", HEAD, "x: ", " = None\n"),
})

# ---- Nesting -------------------------------------------------------------------------------------

repeated(PROGRAMS, {
    "nested_brackets": (nested, "(", "1", ")"),
    "nested_lists": (nested, "[", "1", "]"),
    "nested_dicts": (nested, "{1:", "1", "}"),
    "nested_sets": (nested, "{", "1", "}"),
    "nested_calls": (nested, "f(", "1", ")"),
    "nested_calls_of_known": (nested, "torch.relu(", "torch.zeros(3)", ")"),
    "nested_subscripts": (nested, "a[", "1", "]"),
    "nested_lambdas": (nested, "lambda a: ", "a", ""),
    "nested_conditionals": (nested, "(a if b else ", "c", ")"),
    "nested_comprehensions": (nested, "[", "a", " for a in b]"),
    "nested_f_strings": (nested, "f(f'{", "1", "}')"),
    "nested_sums": (nested, "(1 + ", "1", ")"),
    "nested_ands": (nested, "(a and ", "b", ")"),
    "nested_ors_in_ands": (nested, "(a or b and ", "b", ")"),
    "nested_tuples": (nested, "(1, ", "1", ")"),
    "nested_stars": (nested, "[*", "a", "]"),
})


def indented(n, form, core, width=1, most=90):
    """Blocks in blocks, `most` deep (a real program has few), again and again."""
    text, left = [HEAD], n
    while left > 0:
        depth = min(left, most)
        text += [" " * (width * d) + form + "\n" for d in range(depth)]
        text.append(" " * (width * depth) + core + "\n")
        left -= depth
    return "".join(text)


repeated(PROGRAMS, {
    "nested_ifs": (indented, "if a:", "x = 1"),
    "nested_fors": (indented, "for i in a:", "x = i"),
    "nested_whiles": (indented, "while a:", "x = a"),
    "nested_withs": (indented, "with a as b:", "x = b"),
    "nested_functions": (indented, "def f():", "return 1"),
    "nested_classes": (indented, "class C:", "a = 1"),
    "nested_tries": (indented, "try:", "x = 1"),
    "nested_matches": (indented, "if x == 1:", "match x:"),
})


@program
def deep_ifs(n):
    """As deep as n, but the text must grow in proportion: each level is short for long."""
    depth = max(1, int((2 * n) ** 0.5))
    return HEAD + "".join(" " * d + "if a:\n" for d in range(depth)) + " " * depth + "x = 1\n"


@program
def deep_else_ifs(n):
    depth = max(1, int(n ** 0.5))
    text = [" " * d + "if a:\n" + " " * d + " x = 1\n" + " " * d + "else:\n" for d in range(depth)]
    return HEAD + "".join(text) + " " * depth + "x = 1\nprint(x)\n"


@program
def deep_functions(n):
    depth = max(1, int((2 * n) ** 0.5))
    return (HEAD + "".join(" " * d + f"def f{d}(a{d}):\n" for d in range(depth))
            + " " * depth + "return a0\n")


@program
def deep_loops(n):
    depth = max(1, int((2 * n) ** 0.5))
    return (HEAD + "x = 0\n" + "".join(" " * d + f"for i{d} in range(3):\n" for d in range(depth))
            + " " * depth + "x = x + i0\n")


# ---- Broken programs -----------------------------------------------------------------------------

repeated(PROGRAMS, {
    "broken_unclosed_brackets": (lines, "x = (1\n"),
    "broken_unclosed_on_one_line": (lines, "(", "", "\n"),
    "broken_closing_brackets": (lines, ")", "", "\n"),
    "broken_mixed_brackets": (lines, "([{{", "", "\n"),
    "broken_crossed_brackets": (lines, "([)]", "", "\n"),
    "broken_unclosed_strings": (lines, "x = 'abc\n"),
    "broken_unclosed_long_strings": (lines, "x = '''abc'\n"),
    "broken_unclosed_f_strings": (lines, "x = f'{{a\n"),
    "broken_indentation": (lines, "if a:\nx = 1\n    y = 2\n  z = 3\n"),
    "broken_growing_indentation": (lines, "x = 1\n y = 1\n"),
    "broken_no_colon": (lines, "if a\n    x = 1\n"),
    "broken_operators": (lines, "x = 1 + * / 2\n"),
    "broken_operators_on_one_line": (lines, "* / ", "x = ", "\n"),
    "broken_keywords": (lines, "def class if\n"),
    "broken_keywords_on_one_line": (lines, "if else for ", "", "\n"),
    "broken_characters": (lines, "x = $ ? {i}\n"),
    "broken_characters_on_one_line": (lines, "? $ ", "", "\n"),
    "broken_arguments": (lines, "f(a b c, = {i})\n"),
    "broken_decorators": (lines, "@\n"),
    "broken_dots": (lines, ".", "a", "\n"),
    "broken_commas": (lines, ",", "x = [", "]\n"),
    "broken_colons": (lines, ":", "x", "\n"),
    "broken_excepts": (lines, "except:\n    pass\n"),
    "broken_elses": (lines, "else:\n    pass\n"),
    "broken_print_statements": (lines, "print 'a', {i}\n"),
    "broken_merge_marks": (lines, "<<<<<<< HEAD\nx = {i}\n=======\nx = 2\n>>>>>>> b\n"),
    "broken_backslashes": (lines, "x = \\ 1\n"),
    "broken_nul_bytes": (lines, "x = \0 1\n"),
    "broken_tabs_and_spaces": (lines, "if a:\n\tx = 1\n        y = 2\n"),
    "broken_prompts": (lines, ">>> x = {i}\n... y\n"),
})

# ---- Networks, training and data -----------------------------------------------------------------

MODULE = HEAD + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
RUN = "net = Net()\nprint(net(torch.zeros(2, 8)))\n"
FORWARD = "    def forward(self, x):\n"
TRAIN = (HEAD + "net = nn.Linear(8, 2)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
         "loss_fn = nn.CrossEntropyLoss()\nx = torch.zeros(4, 8)\ny = torch.zeros(4).long()\n")
MODEL = KERAS + "model = keras.Sequential([layers.Dense(4, input_shape=(8,)), layers.Dense(2)])\n"
FRAME = "import pandas as pd\nimport numpy as np\ndf = pd.read_csv('a.csv')\n"

repeated(PROGRAMS, {
    "torch_sequential": (joined, "nn.Linear(8, 8)", ", ", HEAD, "net = nn.Sequential(",
                         ")\nprint(net(torch.zeros(2, 8)))\n"),
    "torch_sequential_misfit": (joined, "nn.Linear(8, 9)", ",\n", HEAD, "net = nn.Sequential(",
                                ")\nprint(net(torch.zeros(2, 8)))\n"),
    "torch_sequential_nested": (nested, "nn.Sequential(", "nn.Linear(8, 8)", ")", HEAD, "net = ",
                                "\nprint(net(torch.zeros(2, 8)))\n"),
    "torch_sequential_shared": (lines, "s{i} = nn.Sequential(s{j}, s{j})\n",
                                HEAD + "s0 = nn.Linear(8, 8)\n", "net = s1\nprint(net(torch.zeros(2, 8)))\n"),
    "torch_sequential_shared_run": (lines, "s = nn.Sequential(s, nn.ReLU(), s)\n",
                                    HEAD + "s = nn.Linear(8, 8)\n", "print(s(torch.zeros(2, 8)))\n"),
    "torch_sequential_shared_trained": (
        lines, "s = nn.Sequential(s, s)\n", HEAD + "s = nn.Linear(8, 8)\n",
        "opt = torch.optim.SGD(s.parameters(), lr=0.1)\nfor i in range(9):\n    opt.zero_grad()\n"
        "    loss = s(torch.zeros(2, 8)).sum()\n    loss.backward()\n    opt.step()\n"),
    "torch_module_list": (joined, "nn.Linear(8, 8)", ", ", HEAD, "net = nn.ModuleList([",
                          "])\nx = torch.zeros(2, 8)\nfor l in net:\n    x = l(x)\n"),
    "torch_module_dict": (joined, "'l{i}': nn.Linear(8, 8)", ", ", HEAD, "net = nn.ModuleDict({",
                          "})\nprint(net['l0'](torch.zeros(2, 8)))\n"),
    "torch_module_appended": (lines, "net.append(nn.Linear(8, 8))\n", HEAD + "net = nn.ModuleList()\n"),
    "torch_add_module": (lines, "net.add_module('l{i}', nn.Linear(8, 8))\n",
                         HEAD + "net = nn.Sequential()\n", "print(net(torch.zeros(2, 8)))\n"),
    "torch_layers_of_self": (lines, "        self.l{i} = nn.Linear(8, 8)\n", MODULE,
                             FORWARD + "        return self.l0(x)\n" + RUN),
    "torch_forward_statements": (lines, "        x = torch.relu(self.l(x))\n",
                                 MODULE + "        self.l = nn.Linear(8, 8)\n" + FORWARD,
                                 "        return x\n" + RUN),
    "torch_forward_names": (lines, "        x{i} = torch.relu(self.l(x{j}))\n",
                            MODULE + "        self.l = nn.Linear(8, 8)\n    def forward(self, x0):\n",
                            "        return x0\n" + RUN),
    "torch_modules": (lines, "class N{i}(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
                             "        self.l = nn.Linear(8, 8)\n    def forward(self, x):\n"
                             "        return self.l(x)\nprint(N{i}()(torch.zeros(2, 8)))\n"),
    "torch_modules_of_modules": (lines, "class N{i}(nn.Module):\n    def __init__(self):\n"
                                        "        super().__init__()\n        self.l = N{j}()\n"
                                        "    def forward(self, x):\n        return self.l(x)\n",
                                 HEAD + "class N0(nn.Linear): pass\n", "N1()(torch.zeros(2, 8))\n"),
    "torch_residual": (lines, "x = x + net(x)\n", HEAD + "net = nn.Linear(8, 8)\nx = torch.zeros(2, 8)\n"),
    "torch_doubling": (lines, "x = x + x\n", HEAD + "x = torch.zeros(2, 8)\n"),
    "torch_concatenations": (lines, "x = torch.cat([x, y], dim=1)\n",
                             HEAD + "x = y = torch.zeros(2, 8)\n"),
    "torch_concatenation_of_many": (joined, "y", ", ", HEAD + "y = torch.zeros(2, 8)\n",
                                    "x = torch.cat([", "], dim=1)\nprint(nn.Linear(8, 8)(x))\n"),
    "torch_if_else_shapes": (lines, "if c:\n    x = torch.zeros({i}, 8)\nelse:\n    x = torch.zeros(8, {i})\n",
                             HEAD + "c = input()\n", "print(x @ x)\n"),
    "torch_if_else_joined": (lines, "if c:\n    x = torch.cat([x, y])\nelse:\n    y = x\n",
                             HEAD + "c = input()\nx = y = torch.zeros(2, 8)\n"),
    "torch_unknown_shapes": (lines, "x = torch.cat([x, torch.zeros(n{m}, 8)])\n",
                             HEAD + "x = torch.zeros(2, 8)\n"),
    "torch_symbolic_sizes": (lines, "n = n + x.shape[0] * {m}\nx = torch.zeros(n, n)\n",
                             HEAD + "n = int(input())\nx = torch.zeros(n, n)\n"),
    "torch_views": (lines, "x = x.view(-1, {m} + 1).reshape(x.size(0), -1).unsqueeze(0).squeeze(0)\n",
                    HEAD + "x = torch.zeros(2, 8)\n"),
    "torch_misfits": (lines, "print(torch.zeros(2, {m} + 3) @ torch.zeros(2, 8))\n"),
    "torch_misfits_silenced": (lines, "x{i} = torch.zeros(2, 3) @ torch.zeros(2, 3)  # lacewing: ignore\n"),
    "torch_losses": (lines, "loss = loss + loss_fn(net(x), y)\n", TRAIN + "loss = 0\n", "loss.backward()\n"),
    "torch_optimizers": (lines, "opt{i} = torch.optim.Adam(net.parameters(), lr=0.{i}1)\n", TRAIN),
    "torch_optimizer_groups": (joined, "{{'params': net.parameters(), 'lr': {i}}}", ",\n", TRAIN,
                               "opt2 = torch.optim.SGD([", "])\n"),
    "torch_schedulers": (lines, "s{i} = torch.optim.lr_scheduler.StepLR(opt, {i})\ns{i}.step()\n", TRAIN),
    "torch_training_loops": (lines, "for i in range(9):\n    opt.zero_grad()\n    loss = loss_fn(net(x), y)\n"
                                    "    loss.backward()\n    opt.step()\n", TRAIN),
    "torch_training_loops_forgetful": (lines, "for i in range(9):\n    loss = loss_fn(net(x), y)\n"
                                              "    loss.backward()\n    opt.step()\n", TRAIN),
    "torch_training_functions": (lines, "def t{i}(net, opt, x, y):\n    for i in range(9):\n"
                                        "        loss = loss_fn(net(x), y)\n        loss.backward()\n"
                                        "        opt.step()\nt{i}(net, opt, x, y)\n", TRAIN),
    "torch_data_loaders": (lines, "d{i} = torch.utils.data.DataLoader(d, batch_size={m}, shuffle=False)\n"
                                  "for a, b in d{i}:\n    print(net(a))\n", TRAIN),
    "torch_modes": (lines, "net.eval()\nwith torch.no_grad():\n    print(net(x))\nnet.train()\n", TRAIN),
    "torch_devices": (lines, "net.to('cuda')\nx = x.to('cpu')\nprint(net(x))\n", TRAIN),
    "torch_list_of_tensors": (lines, "a.append(torch.zeros(2, {m}))\n", HEAD + "a = []\n",
                              "print(torch.stack(a))\n"),
    "torch_dict_of_layers": (lines, "d['l{i}'] = nn.Linear(8, 8)\nx = d['l{i}'](x)\n",
                             HEAD + "d = {}\nx = torch.zeros(2, 8)\n"),
    "torch_parameters": (lines, "        self.p{i} = nn.Parameter(torch.zeros(8))\n", MODULE,
                         FORWARD + "        return x * self.p0\n" + RUN),
    "keras_sequential": (joined, "layers.Dense(8)", ", ", KERAS,
                         "model = keras.Sequential([layers.Input((8,)), ", "])\nmodel.summary()\n"),
    "keras_add": (lines, "model.add(layers.Dense(8))\n", MODEL, "model.summary()\n"),
    "keras_sequential_nested": (nested, "keras.Sequential([", "layers.Dense(8)", "])", KERAS, "model = ",
                                "\nmodel.build((None, 8))\n"),
    "keras_sequential_shared": (lines, "s{i} = keras.Sequential([s{j}, s{j}])\n",
                                KERAS + "s0 = layers.Dense(8)\n",
                                "s1.build((None, 8))\ns1.compile('adam', 'mse')\n"),
    "keras_sequential_shared_fit": (lines, "s = keras.Sequential([s, s])\n", KERAS + "s = layers.Dense(8)\n",
                                    "s.compile('adam', 'mse')\ns.fit(x, y)\n"),
    "keras_functional": (lines, "x = layers.Dense(8, activation='relu')(x)\n",
                         KERAS + "i = x = keras.Input((8,))\n",
                         "model = keras.Model(i, x)\nmodel.compile('adam', 'mse')\nmodel.fit(a, b)\n"),
    "keras_functional_names": (lines, "x{i} = layers.Dense(8)(x{j})\n", KERAS + "x0 = keras.Input((8,))\n",
                               "model = keras.Model(x0, x1)\n"),
    "keras_functional_skips": (lines, "x = layers.Add()([x, layers.Dense(8)(x)])\n",
                               KERAS + "i = x = keras.Input((8,))\n",
                               "model = keras.Model(i, x)\nmodel.compile('adam', 'mse')\nmodel.fit(a, b)\n"),
    "keras_functional_concatenate": (lines, "x = layers.Concatenate()([x, i])\n",
                                     KERAS + "i = x = keras.Input((8,))\n", "model = keras.Model(i, x)\n"),
    "keras_functional_shared": (lines, "x = d(x)\n", KERAS + "d = layers.Dense(8)\ni = x = keras.Input((8,))\n",
                                "model = keras.Model(i, x)\n"),
    "keras_models_in_models": (lines, "i = keras.Input((8,))\nm = keras.Model(i, m(i))\n",
                               KERAS + "m = layers.Dense(8)\n", "m.compile('adam', 'mse')\nm.fit(a, b)\n"),
    "keras_models_in_models_twice": (lines, "i = keras.Input((8,))\nm = keras.Model(i, m(m(i)))\n",
                                     KERAS + "m = layers.Dense(8)\n", "m.compile('adam', 'mse')\nm.fit(a, b)\n"),
    "keras_inputs": (joined, "keras.Input((8,))", ", ", KERAS, "x = layers.Concatenate()([", "])\n"),
    "keras_subclass": (lines, "        self.l{i} = layers.Dense(8)\n",
                       KERAS + "class M(keras.Model):\n    def __init__(self):\n        super().__init__()\n",
                       "    def call(self, x):\n        return self.l0(x)\nm = M()\nm.compile('adam', 'mse')\n"
                       "m.fit(a, b)\n"),
    "keras_compiles": (lines, "model.compile('adam', 'categorical_crossentropy', metrics=['accuracy'])\n", MODEL),
    "keras_fits": (lines, "model.fit(x, y, epochs={m}, batch_size=32)\n",
                   MODEL + "model.compile('adam', 'sparse_categorical_crossentropy')\n"),
    "keras_fits_and_predicts": (lines, "model.fit(x, y)\np = model.predict(x)\nmodel.evaluate(x, y)\n",
                                MODEL + "model.compile('adam', 'mse')\n"),
    "keras_models": (lines, "m{i} = keras.Sequential([layers.Dense(3, input_shape=(8,), activation='softmax')])\n"
                            "m{i}.compile('adam', 'binary_crossentropy')\nm{i}.fit(x, y)\n", KERAS),
    "keras_tape_loops": (lines, "for i in range(9):\n    with tf.GradientTape() as t:\n"
                                "        l = tf.reduce_mean(model(x))\n    g = t.gradient(l, model.trainable_variables)\n"
                                "    opt.apply_gradients(zip(g, model.trainable_variables))\n",
                         FLOW1 + MODEL + "opt = keras.optimizers.Adam()\n"),
    "tf1_placeholders": (lines, "p{i} = tf.placeholder(tf.float32, [None, 8])\n", FLOW1),
    "tf1_graph": (lines, "x = tf.nn.relu(tf.matmul(x, w) + b)\n",
                  FLOW1 + "x = tf.placeholder(tf.float32, [None, 8])\nw = tf.Variable(tf.zeros([8, 8]))\n"
                          "b = tf.Variable(tf.zeros([8]))\n", "tf.Session().run(x)\n"),
    "tf1_variables": (lines, "w{i} = tf.Variable(tf.random_normal([8, 8]))\nx = tf.matmul(x, w{i})\n",
                      FLOW1 + "x = tf.placeholder(tf.float32, [None, 8])\n",
                      "s = tf.Session()\ns.run(tf.global_variables_initializer())\ns.run(x)\n"),
    "tf1_runs": (lines, "s.run(x, feed_dict={{x: {i}}})\n",
                 FLOW1 + "x = tf.placeholder(tf.float32, [None, 8])\ns = tf.Session()\n"),
    "tf_data": (nested, "", "tf.data.Dataset.from_tensor_slices(x)", ".map(f).batch(8)", FLOW1, "d = "),
    "numpy_steps": (lines, "a = np.concatenate([a, a[:{m}]], axis=0)\nb = np.dot(a.T, a)\n",
                    "import numpy as np\na = np.zeros((4, 8))\n"),
    "pandas_columns": (lines, "df['c{i}'] = df['c{j}'].fillna(0) / df['c{j}'].max()\n", FRAME),
    "pandas_one_column": (lines, "df['c'] = df['c'] * {i}\n", FRAME),
    "pandas_pipeline": (nested, "", "df", ".dropna().drop(['a'], axis=1).reset_index()", FRAME),
    "pandas_frames": (lines, "df = df[df['a'] > {i}]\ndf = pd.concat([df, pd.get_dummies(df['c{i}'])], axis=1)\n",
                      FRAME),
    "sklearn_splits": (lines, "a, b, c, d = train_test_split(x, y, test_size=0.{m})\ns = StandardScaler()\n"
                              "a = s.fit_transform(a)\nb = s.fit_transform(b)\n",
                       "from sklearn.model_selection import train_test_split\n"
                       "from sklearn.preprocessing import StandardScaler\nimport numpy as np\n"
                       "x = np.zeros((9, 3))\ny = np.zeros(9)\n"),
    "argparse_options": (lines, "p.add_argument('--o{i}', type=int, default={i})\n",
                         HEAD + "import argparse\np = argparse.ArgumentParser()\n",
                         "a = p.parse_args()\nprint(nn.Linear(a.o0, a.o1))\n"),
    "config_dict": (lines, "cfg['k{i}'] = {i}\nl{i} = nn.Linear(cfg['k{i}'], cfg['k{j}'])\n", HEAD + "cfg = {}\n"),
    "loss_histories": (lines, "h{i} = []\nfor i in range(9):\n    h{i}.append(loss_fn(net(x), y))\n", TRAIN),
    "plots": (lines, "plt.plot(x, y)\nplt.show()\n", HEAD + "import matplotlib.pyplot as plt\n"),
})


@program
def torch_nested_loops(n):
    """Training loops in loops, of a depth that programs have."""
    text = [TRAIN]
    for i in range(max(1, n // 5)):
        text += ["    " * d + f"for e{d} in range(3):\n" for d in range(5)]
        text.append("    " * 5 + "loss = loss_fn(net(x), y)\n" + "    " * 5 + "loss.backward()\n"
                    + "    " * 5 + "opt.step()\n")
    return "".join(text)


# ---- Towers: what is made of two of the one before, 18 high, again and again ----------------------

def towers(n, first, step, last, head=HEAD, height=18):
    """{i} counts the floors of a tower, {j} is the one below, {k} the tower."""
    text, left = [head], n
    while left > 0:
        floors = min(left, height)
        place = {"k": left, "t": floors}
        text.append(first.format(i=0, j=0, **place))
        text += [step.format(i=i, j=i - 1, **place) for i in range(1, floors + 1)]
        text.append(last.format(i=floors, j=floors, **place))
        left -= floors
    return "".join(text)


TWICE = """class M{i}_{k}(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = M{j}_{k}()
        self.b = M{j}_{k}()
    def forward(self, x):
        return self.b(self.a(x))
"""

repeated(PROGRAMS, {
    "tower_torch_sequential": (towers, "s = nn.Linear(8, 8)\n", "s = nn.Sequential(s, s)\n", ""),
    "tower_torch_sequential_run": (towers, "s = nn.Linear(8, 8)\n", "s = nn.Sequential(s, nn.ReLU(), s)\n",
                                   "print(s(torch.zeros(2, 8)))\n"),
    "tower_torch_sequential_trained": (
        towers, "s = nn.Linear(8, 8)\n", "s = nn.Sequential(s, s)\n",
        "opt = torch.optim.SGD(s.parameters(), lr=0.1)\nfor i in range(9):\n    opt.zero_grad()\n"
        "    loss = s(torch.zeros(2, 8)).sum()\n    loss.backward()\n    opt.step()\n"),
    "tower_torch_module_list": (towers, "s = nn.Linear(8, 8)\n", "s = nn.ModuleList([s, s])\n",
                                "opt = torch.optim.SGD(s.parameters(), lr=0.1)\n"),
    "tower_torch_modules": (towers, "class M0_{k}(nn.Linear): pass\n", TWICE,
                            "M{i}_{k}()(torch.zeros(2, 8))\n"),
    "tower_torch_sums": (towers, "x = torch.zeros(2, 8)\n", "x = x + x\n", "print(x @ x)\n"),
    "tower_torch_concatenations": (towers, "x = torch.zeros(2, 8)\n", "x = torch.cat([x, x])\n", "print(x @ x)\n"),
    "tower_torch_sizes": (towers, "n = int(input())\n", "n = n * n + n\n", "print(torch.zeros(n, 2) @ torch.zeros(n))\n"),
    "tower_torch_if_else": (towers, "x = torch.zeros(2, 8)\n", "x = torch.cat([x, x]) if input() else x + x\n", "print(x)\n"),
    "tower_keras_sequential": (towers, "s = layers.Dense(8)\n", "s = keras.Sequential([s, s])\n", "", KERAS),
    "tower_keras_sequential_fit": (towers, "s = layers.Dense(8)\n", "s = keras.Sequential([s, s])\n",
                                   "s.build((None, 8))\ns.compile('adam', 'mse')\ns.fit(x, y)\n", KERAS),
    "tower_keras_models": (towers, "m = layers.Dense(8)\n", "i = keras.Input((8,))\nm = keras.Model(i, m(m(i)))\n",
                           "m.compile('adam', 'mse')\nm.fit(a, b)\n", KERAS),
    "tower_keras_add": (towers, "i = x = keras.Input((8,))\n", "x = layers.Add()([x, x])\n",
                        "m = keras.Model(i, x)\nm.compile('adam', 'mse')\nm.fit(a, b)\n", KERAS),
    "tower_keras_dense": (towers, "i = x = keras.Input((8,))\n", "x = layers.Add()([layers.Dense(8)(x), layers.Dense(8)(x)])\n",
                          "m = keras.Model(i, x)\nm.compile('adam', 'mse')\nm.fit(a, b)\n", KERAS),
    "tower_tf1": (towers, "x = tf.placeholder(tf.float32, [8, 8])\n", "x = tf.matmul(x, x)\n",
                  "tf.Session().run(x)\n", FLOW1),
    "tower_numpy": (towers, "x = np.zeros((2, 2))\n", "x = np.concatenate([x, x])\n", "print(x.dot(x))\n",
                    "import numpy as np\n"),
    "tower_pandas": (towers, "d = pd.read_csv('a')\n", "d = pd.concat([d, d])\n", "print(d)\n", FRAME),
    "tower_lists": (towers, "a = [1]\n", "a = [a, a]\n", "print(a)\n"),
    "tower_list_sums": (towers, "a = [1]\n", "a = a + a\n", "print(a)\n"),
    "tower_list_products": (towers, "a = [1]\n", "a = a * 9\n", "print(a)\n"),
    "tower_tuples": (towers, "a = (1,)\n", "a = (a, a)\n", "print(a)\n"),
    "tower_dicts": (towers, "a = {{}}\n", "a = {{'a': a, 'b': a}}\n", "print(a)\n"),
    "tower_strings": (towers, "a = 's'\n", "a = a + a\n", "print(a)\n"),
    "tower_f_strings": (towers, "a = 's'\n", "a = f'{{a}}{{a}}'\n", "print(a)\n"),
    "tower_numbers": (towers, "a = 3\n", "a = a * a\n", "print(a)\n"),
    "tower_functions": (towers, "def f0_{k}(a):\n    return a\n",
                        "def f{i}_{k}(a):\n    return f{j}_{k}(a) + f{j}_{k}(a)\n", "f{i}_{k}(torch.zeros(3))\n"),
    "tower_functions_unlike": (towers, "def f0_{k}(a):\n    return a\n",
                               "def f{i}_{k}(a):\n    return f{j}_{k}(a + 1) + f{j}_{k}(a + 2)\n", "f{i}_{k}(0)\n"),
    "tower_lambdas": (towers, "f = lambda a: a\n", "f = lambda a, g=f: g(g(a))\n", "f(torch.zeros(3))\n"),
    "tower_closures": (towers, "def f(a):\n    return a\n",
                       "def f(a, g=f):\n    return g(g(a))\n", "f(torch.zeros(3))\n"),
    "tower_classes": (towers, "class A0_{k}: pass\nclass B0_{k}: pass\n",
                      "class A{i}_{k}(A{j}_{k}, B{j}_{k}): pass\nclass B{i}_{k}(A{j}_{k}, B{j}_{k}): pass\n",
                      "A{i}_{k}().m()\n"),
    "tower_conditions": (towers, "x = input()\n", "x = (x and x) or (not x and x)\n", "print(x)\n"),
    "tower_if_else": (towers, "x = 1\n", "if input(): x = x + 1\nelse: x = x + 2\n", "print(x)\n"),
    "tower_loops": (towers, "x = 1\n", "for i in range(3):\n    x = x + x\n", "print(x)\n"),
    "tower_aliases": (towers, "import numpy as a0_{k}\n", "a{i}_{k} = a{j}_{k}.a{j}_{k}\n", "print(a{i}_{k})\n"),
})


@program
def tower_loops_in_loops(n):
    """Loops ten deep, as deep as few programs have."""
    return "".join("".join("    " * d + f"for i{d} in range(3):\n" for d in range(10))
                   + "    " * 10 + "x = x + i9\n" for _ in range(max(1, n // 10)))


@program
def tower_functions_in_functions(n):
    return HEAD + "".join("".join("    " * d + f"def f{d}(a{d}):\n" for d in range(10)) + "    " * 10
                          + "return a9 + a0\n" for _ in range(max(1, n // 10)))


# ---- Notebooks, projects, reports ----------------------------------------------------------------

def cells_of(sources):
    """A notebook of these cells: (kind, lines of text)."""
    cells = [{"cell_type": kind, "metadata": {}, "source": source,
              **({"outputs": [], "execution_count": None} if kind == "code" else {})}
             for kind, source in sources]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


@notebook
def notebook_cells(n):
    return cells_of([("code", ["import torch\n"])] + [("code", [f"x = {i}"]) for i in range(n)])


@notebook
def notebook_empty_cells(n):
    return '{"nbformat": 4, "metadata": {}, "cells": [' + ",".join(
        ['{"cell_type":"code","source":"x=1"}'] * n) + "]}"


@notebook
def notebook_cells_with_outputs(n):
    text = json.loads(cells_of([("code", [f"x = {i}\n", f"print(x)"]) for i in range(n)]))
    for i, cell in enumerate(text["cells"]):
        cell["metadata"] = {"id": f"c{i}", "collapsed": False, "tags": ["a"]}
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": [f"{i}\n"]}]
    return json.dumps(text)


@notebook
def notebook_one_long_cell(n):
    return cells_of([("code", ["import torch\n"] + [f"x{i} = torch.zeros({i})\n" for i in range(n)])])


@notebook
def notebook_texts_and_magics(n):
    return cells_of([("markdown", [f"# part {i}\n", "text"]) if i % 2 else ("code", ["%%time\n", f"y = {i}"])
                     for i in range(n)])


@notebook
def notebook_long_outputs(n):
    text = json.loads(cells_of([("code", ["x = 1"])]))
    text["cells"][0]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": [f"{i}\n" for i in range(n)]}]
    return json.dumps(text)


@project
def project_files(n):
    return {f"pkg/m{i}.py": f"import torch\ndef f{i}(a):\n    return a + {i}\n" for i in range(n)}


@project
def project_import_chain(n):
    return {f"pkg/m{i}.py": (f"from pkg.m{i - 1} import f\n" if i else "def f(a):\n    return a\n") + "f(1)\n"
            for i in range(n)}


@project
def project_star_chain(n):
    return {f"pkg/m{i}.py": (f"from pkg.m{i - 1} import *\n" if i else "") + f"def f{i}(a):\n    return f0(a)\n"
            for i in range(n)}


@project
def project_star_of_all(n):
    files = {f"pkg/m{i}.py": f"def f{i}(a):\n    return a\n" for i in range(n)}
    files["main.py"] = "".join(f"from pkg.m{i} import *\n" for i in range(n)) + "f0(1)\n"
    return files


@project
def project_import_of_one(n):
    files = {f"pkg/m{i}.py": "from pkg.base import Base\nclass C(Base):\n    pass\nC().go()\n" for i in range(n)}
    files["pkg/base.py"] = "class Base:\n    def go(self):\n        return 1\n"
    return files


@project
def project_import_ring(n):
    return {f"pkg/m{i}.py": f"import pkg.m{(i + 1) % n} as other\ndef f():\n    return other.f()\n"
            for i in range(n)}


@project
def project_classes_inherit(n):
    return {f"pkg/m{i}.py": (f"from pkg.m{i - 1} import C{i - 1}\nclass C{i}(C{i - 1}):\n    def f{i}(self):\n"
                             f"        return self.f0()\n" if i else
                             "class C0:\n    def f0(self):\n        return 1\n")
            for i in range(n)}


@project
def project_relative_imports(n):
    files = {f"pkg/p{i}/__init__.py": "from .a import f\n" for i in range(n)}
    files.update({f"pkg/p{i}/a.py": f"from ..p{(i * 7) % n} import f as g\ndef f():\n    return g()\n"
                  for i in range(n)})
    return files


def traceback(i):
    return f'  File "pkg/m{i}.py", line {i + 1}, in f{i}\n    x = f{i}(a)\n'


@report
def report_words(n):
    return "Wrong loss\n\n" + " ".join(f"word{i}" for i in range(n)) + "\n"


@report
def report_frames(n):
    return ("Crash\n\nTraceback (most recent call last):\n" + "".join(traceback(i) for i in range(n))
            + "ValueError: shapes do not fit\n")


@report
def report_tracebacks(n):
    return "Crash\n\n" + "".join("Traceback (most recent call last):\n" + traceback(i)
                                 + f"ValueError: shape {i}\n\ntext\n\n" for i in range(n))


@report
def report_fences(n):
    return "Crash\n\n" + "".join(f"```python\nx{i} = f(x)\n```\ntext\n" for i in range(n))


@report
def report_open_fences(n):
    return "Crash\n\n" + "```python\n~~~\n" * n


@report
def report_long_code(n):
    return "Crash\n\n```python\n" + "x = f(1)\n" * n + "```\n"


@report
def report_statements_on_one_line(n):
    return "Crash\n\n```python\n" + "x=1;" * n + "\n```\n"


@report
def report_indented_code(n):
    return "Crash\n\n" + "text\n\n    x = f(1)\n    y = 2\n\n" * n


@report
def report_mentions(n):
    return "Crash\n\n" + "".join(f"see `pkg/m{i}.py` and pkg.m{i}.f{i}() in Class{i}\n" for i in range(n))


@report
def report_ticks(n):
    return "Crash\n\n" + "`" * n + " a `` b ` " * n + "\n"


@report
def report_links(n):
    return "Crash\n\n" + "[a](http://x/y) ![b](z) <c@d> " * n + "\n" + "[" * n + "\n"


@report
def report_html(n):
    return "Crash\n\n" + "<details><summary>a</summary>\n" * n + "<code>" * n + "<!-- " * n + "\n"


@report
def report_lists_and_quotes(n):
    return "Crash\n\n" + "".join(f"> * item {i}\n> 1. b\n" for i in range(n)) + ">" * n + "\n"


@report
def report_versions(n):
    return "Crash\n\n" + "".join(f"torch {i % 9}.{i % 7}.0, Python 3.{i % 12}, tensorflow=={i % 3}.1\n" for i in range(n))


@report
def report_one_long_word(n):
    return "Crash\n\n" + "CamelCase_snake.dot" * n + "\n"


@report
def report_prompts(n):
    return "Crash\n\n" + "".join(f">>> x = {i}\n... y\n{i}\n" for i in range(n))


# ---- Tables and settings: bombs for those who read CSV and INI ------------------------------------

TABLES = {
    "table_rows": lambda n: "a,b\n" + "1,2\n" * n,
    "table_columns": lambda n: ",".join(f"c{i}" for i in range(n)) + "\n" + ",".join("1" for _ in range(n)) + "\n",
    "table_one_name_for_all": lambda n: ",".join("a" for _ in range(n)) + "\n" + ",".join("1" for _ in range(n)) + "\n",
    "table_empty_fields": lambda n: "a\n" + "," * n + "\n",
    "table_long_field": lambda n: 'a,b\n"' + "x" * n + '",1\n',
    "table_quotes_in_quotes": lambda n: 'a,b\n"' + '""' * n + '",1\n',
    "table_open_quote": lambda n: 'a,b\n1,"' + "x\n" * n,
    "table_stray_quotes": lambda n: 'a,b\n' + '1"2,"3"4\n' * n,
    "table_empty_rows": lambda n: "a,b\n" + "\r\n" * n + "1,2\n",
    "table_different_texts": lambda n: "a,b\n" + "".join(f"t{i},{i}\n" for i in range(n)),
    "table_long_numbers": lambda n: "a,b\n" + "9" * n + ",1e" + "9" * n + "\n",
    "table_rows_of_other_lengths": lambda n: "a,b\n" + "".join("1" + ",2" * (i % 7) + "\n" for i in range(n)),
}
SETTINGS = {
    "settings_sections": lambda n: "".join(f"[s{i}]\na = 1\n" for i in range(n)),
    "settings_one_section_again": lambda n: "[check]\n" * n,
    "settings_keys": lambda n: "[check]\n" + "".join(f"k{i} = 1\n" for i in range(n)),
    "settings_one_key_again": lambda n: "[check]\n" + "select = api\n" * n,
    "settings_continued": lambda n: "[check]\nselect = api\n" + "  , api\n" * n,
    "settings_long_value": lambda n: "[check]\nselect = api" + ",api" * n + "\n",
    "settings_wrong_rules": lambda n: "[check]\nselect = " + ",".join(f"api/r{i}" for i in range(n)) + "\n",
    "settings_ignored": lambda n: "[check]\nignore = " + ",".join(["api/loss-kept"] * n) + "\n",
    "settings_comments": lambda n: "# a\n; b\n" * n + "[check]\nselect = api\n",
    "settings_blank_lines": lambda n: "[check]\nselect = api\n" + "\n  \n" * n + "  , shape\n",
    "settings_brackets": lambda n: "[" * n + "]" * n + "\n",
    "settings_targets": lambda n: "[check]\ntarget = torch=1.13" + ",torch=1.13" * n + "\n",
}
