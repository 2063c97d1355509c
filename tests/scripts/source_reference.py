"""Puts Lacewing's syntax tree and CPython's `ast` into one form, for test_source_*.

A canonical node is a list [kind, position, {field: value}]; values are nodes, lists, or plain
values. The fields are those of CPython's `ast`, without ctx and type comments. Positions inside
f-strings are left out, since CPython before 3.12 does not know them.
"""
import ast
import json
import os
import re
import subprocess
import sys
import threading
import unicodedata
import warnings

warnings.simplefilter("ignore")


def lacewing():
    return os.path.join(os.environ.get("LW_BUILD", "build"), "lacewing")


def run_json(view, paths):
    """{path: document} of `lacewing source VIEW` for many files."""
    out = subprocess.run([lacewing(), "source", view, "--format", "json", "--", *paths],
                         stdout=subprocess.PIPE, check=True).stdout
    return {f["path"]: f for f in json.loads(out)["files"]}


def python_files(root):
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith(".py") and os.path.isfile(path):
                yield path


def with_deep_stack(function):
    """Runs it where recursion over deep trees has room."""
    sys.setrecursionlimit(200000)
    threading.stack_size(512 << 20)
    result = []
    thread = threading.Thread(target=lambda: result.append(function()))
    thread.start()
    thread.join()
    if not result:
        sys.exit(1)
    return result[0]


# ---- CPython's tree ---------------------------------------------------------------------

SKIPPED_FIELDS = {"ctx", "type_comment", "kind", "type_ignores", "simple"}


def from_ast(node, place=True):
    if isinstance(node, list):
        return [from_ast(n, place) for n in node]
    if not isinstance(node, ast.AST):
        return plain(node)
    where = None
    if hasattr(node, "lineno") and place:
        where = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
    place = place and not isinstance(node, ast.JoinedStr)
    if isinstance(node, ast.arg) and where:
        where = where[:2]
    fields = {f: from_ast(getattr(node, f), place) for f in node._fields
              if f not in SKIPPED_FIELDS}
    return [type(node).__name__, where, fields]


def plain(value):
    if isinstance(value, str):
        return value
    return None if value is None else repr(value)


def constant(value):
    return value if isinstance(value, str) else plain(value)


# ---- Our tree ---------------------------------------------------------------------------

class Tree:
    def __init__(self, document, source):
        self.nodes = {n["id"]: n for n in document["nodes"]}
        for n in self.nodes.values():
            n["children"] = []
        for n in document["nodes"]:
            if "parent" in n:
                self.nodes[n["parent"]]["children"].append(n)
        self.root = document["nodes"][0]
        self.bom = source.startswith(b"\xef\xbb\xbf")
        self.lines = re.split(b"\r\n|\r|\n", source)

    # -- helpers

    def place(self, n, key="line", column="column"):
        line, col = n[key], n[column]
        return line, col - 3 if self.bom and line == 1 else col

    def where(self, n):
        return (*self.place(n), *self.place(n, "end_line", "end_column"))

    def many(self, n, role, place):
        return [self.node(c, place) for c in n["children"] if c["role"] == role]

    def one(self, n, role, place):
        for c in n["children"]:
            if c["role"] == role:
                return self.node(c, place)
        return None

    def node(self, n, place=True):
        method = getattr(self, n["kind"], None)
        where = self.where(n) if place else None
        if method is None:
            raise ValueError("unexpected node " + n["kind"])
        return method(n, where, place)

    def simple(self, kind, n, where, place, ones=(), lists=(), **fields):
        for role in ones:
            fields[role] = self.one(n, role, place)
        for role in lists:
            fields[role] = self.many(n, role, place)
        return [kind, where, fields]

    # -- statements

    def Module(self, n, where, place):
        return self.simple("Module", n, None, place, lists=["body"])

    def definition_place(self, n, where):
        return where and (*self.place(n, "def_line", "def_column"), *where[2:])

    def FunctionDef(self, n, where, place):
        kind = "AsyncFunctionDef" if "async" in n.get("flags", ()) else "FunctionDef"
        return self.simple(kind, n, self.definition_place(n, where), place, ["returns"],
                           ["body", "decorator_list"], name=name(n["name"]),
                           args=self.arguments(n, place))

    def Lambda(self, n, where, place):
        return self.simple("Lambda", n, where, place, ["body"], args=self.arguments(n, place))

    def arguments(self, n, place):
        fields = {"posonlyargs": [], "args": [], "vararg": None, "kwonlyargs": [],
                  "kw_defaults": [], "kwarg": None, "defaults": []}
        params = next((c for c in n["children"] if c["kind"] == "arguments"), None)
        for p in params["children"] if params else ():
            arg = ["arg", self.place(p) if place else None,
                   {"arg": name(p["name"]), "annotation": self.one(p, "annotation", place)}]
            default = self.one(p, "default", place)
            if p["op"] in ("vararg", "kwarg"):
                fields[p["op"]] = arg
            elif p["op"] == "keyword":
                fields["kwonlyargs"].append(arg)
                fields["kw_defaults"].append(default)
            else:
                fields["posonlyargs" if p["op"] == "positional" else "args"].append(arg)
                if default is not None:
                    fields["defaults"].append(default)
        return ["arguments", None, fields]

    def ClassDef(self, n, where, place):
        return self.simple("ClassDef", n, self.definition_place(n, where), place, [],
                           ["bases", "keywords", "body", "decorator_list"], name=name(n["name"]))

    def keyword(self, n, where, place):
        return self.simple("keyword", n, where, place, ["value"],
                           arg=name(n["name"]) if "name" in n else None)

    def Return(self, n, where, place):
        return self.simple("Return", n, where, place, ["value"])

    def Delete(self, n, where, place):
        return self.simple("Delete", n, where, place, [], ["targets"])

    def Assign(self, n, where, place):
        return self.simple("Assign", n, where, place, ["value"], ["targets"])

    def AugAssign(self, n, where, place):
        return self.simple("AugAssign", n, where, place, ["target", "value"],
                           op=[n["op"], None, {}])

    def AnnAssign(self, n, where, place):
        return self.simple("AnnAssign", n, where, place, ["target", "annotation", "value"])

    def prefixed(self, kind, n):
        return ("Async" if "async" in n.get("flags", ()) else "") + kind

    def For(self, n, where, place):
        return self.simple(self.prefixed("For", n), n, where, place, ["target", "iter"],
                           ["body", "orelse"])

    def While(self, n, where, place):
        return self.simple("While", n, where, place, ["test"], ["body", "orelse"])

    def If(self, n, where, place):
        rest = [c for c in n["children"] if c["role"] == "orelse"]
        elifs = [c for c in rest if c["kind"] == "Elif"]
        orelse = [self.node(c, place) for c in rest if c["kind"] != "Elif"]
        for e in reversed(elifs):
            at = where and (*self.place(e), *where[2:])
            orelse = [self.simple("If", e, at, place, ["test"], ["body"], orelse=orelse)]
        return self.simple("If", n, where, place, ["test"], ["body"], orelse=orelse)

    def With(self, n, where, place):
        return self.simple(self.prefixed("With", n), n, where, place, [], ["items", "body"])

    def withitem(self, n, where, place):
        return self.simple("withitem", n, None, place, ["context_expr", "optional_vars"])

    def Raise(self, n, where, place):
        return self.simple("Raise", n, where, place, ["exc", "cause"])

    def Try(self, n, where, place):
        kind = "TryStar" if "mark" in n.get("flags", ()) else "Try"
        return self.simple(kind, n, where, place, [], ["body", "handlers", "orelse", "finalbody"])

    def ExceptHandler(self, n, where, place):
        return self.simple("ExceptHandler", n, where, place, ["type"], ["body"],
                           name=name(n["name"]) if "name" in n else None)

    def Assert(self, n, where, place):
        return self.simple("Assert", n, where, place, ["test", "msg"])

    def Import(self, n, where, place):
        return self.simple("Import", n, where, place, [], ["names"])

    def ImportFrom(self, n, where, place):
        module = dotted(n["module"])
        return self.simple("ImportFrom", n, where, place, [], ["names"],
                           module=module or None, level=plain(n["level"]))

    def alias(self, n, where, place):
        words = re.sub(r"#.*|\\", " ", n["text"])
        parts = re.split(r"\sas\s", words)
        return ["alias", where, {"name": dotted(parts[0]),
                                 "asname": name(n["name"]) if len(parts) > 1 else None}]

    def Global(self, n, where, place):
        names = [name(w) for w in re.findall(r"[^\s,\\]+", n["text"])[1:]]
        return [n["kind"], where, {"names": names}]

    Nonlocal = Global

    def Expr(self, n, where, place):
        return self.simple("Expr", n, where, place, ["value"])

    def leaf(self, n, where, place):
        return [n["kind"], where, {}]

    Pass = Break = Continue = leaf

    # -- expressions

    def BoolOp(self, n, where, place):
        return self.simple("BoolOp", n, where, place, [], ["values"], op=[n["op"], None, {}])

    def NamedExpr(self, n, where, place):
        return self.simple("NamedExpr", n, where, place, ["target", "value"])

    def BinOp(self, n, where, place):
        return self.simple("BinOp", n, where, place, ["left", "right"], op=[n["op"], None, {}])

    def UnaryOp(self, n, where, place):
        return self.simple("UnaryOp", n, where, place, ["operand"], op=[n["op"], None, {}])

    def IfExp(self, n, where, place):
        return self.simple("IfExp", n, where, place, ["test", "body", "orelse"])

    def Dict(self, n, where, place):
        keys, values = [], []
        for c in n["children"]:
            if c["role"] == "keys":
                keys.append(self.node(c, place))
            else:
                if c["role"] == "unpack":
                    keys.append(None)
                values.append(self.node(c, place))
        return ["Dict", where, {"keys": keys, "values": values}]

    def Set(self, n, where, place):
        return self.simple(n["kind"], n, where, place, [], ["elts"])

    List = Tuple = Set

    def ListComp(self, n, where, place):
        return self.simple(n["kind"], n, where, place, ["elt"], ["generators"])

    SetComp = GeneratorExp = ListComp

    def DictComp(self, n, where, place):
        return self.simple("DictComp", n, where, place, [], ["generators"],
                           key=self.one(n, "keys", place), value=self.one(n, "values", place))

    def comprehension(self, n, where, place):
        return self.simple("comprehension", n, None, place, ["target", "iter"], ["ifs"],
                           is_async="1" if "async" in n.get("flags", ()) else "0")

    def Await(self, n, where, place):
        return self.simple(n["kind"], n, where, place, ["value"])

    Yield = YieldFrom = Starred = Await

    def Compare(self, n, where, place):
        ops = [[c["op"], None, {}] for c in n["children"] if c["role"] == "op"]
        return self.simple("Compare", n, where, place, ["left"], ["comparators"], ops=ops)

    def Call(self, n, where, place):
        return self.simple("Call", n, where, place, ["func"], ["args", "keywords"])

    def Attribute(self, n, where, place):
        return self.simple("Attribute", n, where, place, ["value"], attr=name(n["name"]))

    def Subscript(self, n, where, place):
        return self.simple("Subscript", n, where, place, ["value", "slice"])

    def Slice(self, n, where, place):
        return self.simple("Slice", n, where, place, ["lower", "upper", "step"])

    def Name(self, n, where, place):
        return ["Name", where, {"id": name(n["name"])}]

    def Constant(self, n, where, place):
        value = ast.literal_eval("(" + n["text"].replace("\r\n", "\n").replace("\r", "\n") + "\n)")
        return ["Constant", where, {"value": constant(value)}]

    Number = String = Constant

    # -- f-strings

    def JoinedStr(self, n, where, place):
        return ["JoinedStr", where, {"values": self.parts(n)}]

    def parts(self, n):
        values = []

        def text(s):
            if not s:
                return
            if values and values[-1][0] == "Constant":
                values[-1][2]["value"] += s
            else:
                values.append(["Constant", None, {"value": s}])

        for c in n["children"]:
            if c["kind"] == "StringPart":
                text(part_text(c, n["kind"] == "FormatSpec"))
            elif c["kind"] == "String":
                text(self.node(c, False)[2]["value"])
            else:
                if "mark" in c.get("flags", ()):
                    text(self.debug_text(c))
                values.append(self.field(c))
        return values

    def field(self, n):
        spec = next((c for c in n["children"] if c["role"] == "format_spec"), None)
        conversion = ord(n["conversion"]) if "conversion" in n else -1
        if "mark" in n.get("flags", ()) and conversion == -1 and spec is None:
            conversion = ord("r")
        return ["FormattedValue", None, {
            "value": self.one(n, "value", False), "conversion": plain(conversion),
            "format_spec": spec and ["JoinedStr", None, {"values": self.parts(spec)}]}]

    def debug_text(self, n):
        value = next(c for c in n["children"] if c["role"] == "value")
        lines = self.lines[n["line"] - 1:value["end_line"]]
        after = lines[-1][value["end_column"]:]
        tail = re.match(rb"[\s)]*=\s*", after).group()
        lines[-1] = lines[-1][:value["end_column"]] + tail
        lines[0] = lines[0][n["column"] + 1:]
        return b"\n".join(lines).decode()

    # -- patterns

    def Match(self, n, where, place):
        return self.simple("Match", n, where, place, ["subject"], ["cases"])

    def match_case(self, n, where, place):
        return self.simple("match_case", n, None, place, ["pattern", "guard"], ["body"])

    def MatchValue(self, n, where, place):
        return self.simple("MatchValue", n, where, place, ["value"])

    def MatchSingleton(self, n, where, place):
        return ["MatchSingleton", where, {"value": plain(ast.literal_eval(n["text"]))}]

    def MatchSequence(self, n, where, place):
        return self.simple(n["kind"], n, where, place, [], ["patterns"])

    MatchOr = MatchSequence

    def MatchMapping(self, n, where, place):
        rest = next((name(c["name"]) for c in n["children"] if c["kind"] == "MatchRest"), None)
        return self.simple("MatchMapping", n, where, place, [], ["keys", "patterns"], rest=rest)

    def MatchClass(self, n, where, place):
        words = [c for c in n["children"] if c["role"] == "keywords"]
        return self.simple("MatchClass", n, where, place, ["cls"], ["patterns"],
                           kwd_attrs=[name(c["name"]) for c in words],
                           kwd_patterns=[self.one(c, "pattern", place) for c in words])

    def MatchStar(self, n, where, place):
        return ["MatchStar", where, {"name": capture(n)}]

    def MatchAs(self, n, where, place):
        return self.simple("MatchAs", n, where, place, ["pattern"], name=capture(n))


def capture(n):
    return None if n["name"] == "_" else name(n["name"])


def name(text):
    return unicodedata.normalize("NFKC", text)


def dotted(text):
    return name(re.sub(r"[\s\\]", "", text))


def part_text(n, spec):
    text = n["text"].replace("\r\n", "\n").replace("\r", "\n")
    if not spec:
        text = re.sub(r"(\\N\{[^}]*\})|\{\{|\}\}", lambda m: m.group(1) or m.group()[0], text) \
            if not n["raw"] else text.replace("{{", "{").replace("}}", "}")
    if n["raw"]:
        return text
    text = re.sub(r'\\[\s\S]|"|\\$', lambda m: '\\"' if m.group() == '"' else m.group(), text)
    if text.endswith("\\") and not text.endswith("\\\\"):
        text += "\\"
    return ast.literal_eval('"""' + text + '"""')


# ---- Comparing --------------------------------------------------------------------------

def difference(a, b, path="Module"):
    """Where the trees first differ, or None."""
    if isinstance(a, list) and isinstance(b, list):
        if a and b and isinstance(a[0], str) and len(a) == 3 and len(b) == 3 \
                and isinstance(a[2], dict) and isinstance(b[2], dict):
            if a[0] != b[0]:
                return f"{path}: kind {a[0]} here, {b[0]} in CPython at {b[1]}"
            if a[1] != b[1]:
                return f"{path}.{a[0]}: at {a[1]} here, {b[1]} in CPython"
            for field, value in b[2].items():
                d = difference(a[2].get(field), value, f"{path}.{field}")
                if d:
                    return d
            return None
        if len(a) != len(b):
            return f"{path}: {len(a)} elements here, {len(b)} in CPython"
        for i, (x, y) in enumerate(zip(a, b)):
            d = difference(x, y, f"{path}[{i}]")
            if d:
                return d
        return None
    return None if a == b else f"{path}: {str(a)[:60]!r} here, {str(b)[:60]!r} in CPython"
