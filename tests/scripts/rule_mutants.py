"""Other ways to write a program: what a rule reports must not hang on comments, names, spellings or unused text.

Each function of GROUPS takes (program, facts) and gives the text of the program written otherwise, or None where it
has nothing to change. All work on Python's own syntax tree and are the same in every run."""
import ast
import builtins
import functools
import glob
import io
import keyword
import os
import re
import tokenize


class Facts:
    """What is known besides the program itself: the API tables, the words that rules look for, and ranks of names."""

    def __init__(self, source):
        self.api = Api(os.path.join(source, "data", "api"))
        self.words = excuse_words(source)
        self.begin_program(dict)

    def begin_program(self, find_ranks):
        """find_ranks() gives {name: number of axes} of the next program; it is only called when a kind asks."""
        self.ranks = functools.lru_cache(None)(find_ranks)


# ---- API tables ---------------------------------------------------------------------------------

class Api:
    """Signatures of data/api/*.api: {name: [(parameter, has default, only by name)]}, and which names mean the same."""

    def __init__(self, folder):
        self.signatures, self.same, self.alias, self.groups = {}, {}, {}, {}
        self.kinds, self.words, self.words_of_arrays = {}, set(), set()
        for path in sorted(glob.glob(os.path.join(folder, "*.api"))):
            with open(path, encoding="utf-8") as f:
                self.read(f.read())
        for path in sorted(glob.glob(os.path.join(folder, "*.txt"))):
            with open(path, encoding="utf-8") as f:
                self.members(f.read())

    def members(self, text):
        self.words.update(re.findall(r"\w+", text))
        for line in text.split("\n"):
            if line.startswith("numpy.ndarray "):
                self.words_of_arrays.update(line.split()[1:])

    def read(self, text):
        self.words.update(re.findall(r"[A-Za-z_]\w*", re.sub(r'"[^"\n]*"', "", text)))
        sections = []
        for line in re.sub(r"\n {4,}", " ", text).split("\n"):
            if line.strip() and not line.startswith(("#", " ")):
                sections.append((line, []))
            elif line.startswith("  ") and sections:
                sections[-1][1].append(line.strip())
        for head, body in sections:
            self.section(head.split(), body)

    def section(self, head, body):
        signature = next((line[1:line.rindex(")")] for line in body if line.startswith("(")), None)
        if head[0] == "alias":
            self.alias[head[1]] = head[2]
        elif head[0] == "group":
            self.groups[head[1]] = signature or " ".join(body)
        elif head[0] != "family":
            names = [re.split(r"[<>~]", name)[0] for name in head if not name.startswith("@")]
            kind = next((line.split()[1] for line in body if line.startswith("kind ")), "function")
            for name in names:
                self.same[name], self.kinds[name] = names, kind
                if signature is not None:
                    self.signatures[name] = signature

    def find(self, name):
        """The name of the table's entry, or None."""
        for start in sorted(self.alias, key=len, reverse=True):
            if name == start or name.startswith(start + "."):
                other = self.alias[start] + name[len(start):]
                if other in self.same:
                    return other
        return name if name in self.same else None

    def parameters(self, name):
        """(name, has a default) of those that may be given by place and by name, in order."""
        out = []
        for part in split(self.signatures.get(name, "*")):
            if part.startswith(("*", "&")):
                break
            word = re.match(r"\w+", part)[0]
            if word.startswith("_") or (name.startswith("tensorflow.") and "|" in part):
                break  # not for programs, or with another meaning in another version
            out.append((word, "=" in part))
        return out


def split(text):
    """At the commas outside of brackets."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and not depth:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return [p for p in parts + [part.strip()] if p]


# ---- Words that rules look for in the text of a program -------------------------------------------

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
WORD = re.compile(r"(?=.*[A-Za-z]{2})[^%\s]+(?: [^%\s]+)?$")  # no message
RULE_ID = re.compile(r"[a-z]+/[a-z-]+( |$)")
SEARCHES = {"lw_str_find", "ck_shows", "ck_file_shows"}  # all others stand on these
KINDS = "name|variable|attribute|call|keyword|import|def|text|number|subscript"  # of src/check/engine/evidence.h
QUESTION = re.compile(rf"^(?:{KINDS}) \.?\*?([^*]+)\*?$")
FUNCTION = re.compile(r"^(static (?!inline))?(?:static inline )?[\w *]+?\b(\w+)\(([^;{}]*)\)\n\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
ARRAY = re.compile(r"char \*const (\w+)\[\w*\] = \{(.*?)\};", re.DOTALL)


def calls(text, names):
    """The arguments of all calls of these functions."""
    for m in re.finditer(r"\b(?:%s)\(" % "|".join(sorted(names)), text):
        depth, at = 1, m.end()
        while depth and at < len(text):
            depth += (text[at] == "(") - (text[at] == ")")
            at += 1
        yield text[m.end():at - 1]


def searches_of(text, known):
    """The functions of a file that hand a text of theirs on to one that is known, and whether others can call them."""
    found, before = {}, -1
    while len(found) > before:
        before = len(found)
        for static, name, parameters, body in FUNCTION.findall(text):
            given = re.findall(r"const char \*(?:const )?\*?(\w+)", parameters)
            if name not in found and any(re.search(rf", (?:lw_str\()?{g}\b", a) for a in calls(body, known | set(found)) for g in given):
                found[name] = not static
    return found


def shared_searches(texts):
    """SEARCHES and all functions that do the same for several files."""
    known, before = set(SEARCHES), 0
    while len(known) > before:
        before = len(known)
        for text in texts:
            known |= {name for name, is_shared in searches_of(text, known).items() if is_shared}
    return known


def words_of_c(text, known):
    arrays = {name: LITERAL.findall(body) for name, body in ARRAY.findall(text)}
    found = set()
    for arguments in calls(text, known | set(searches_of(text, known))):
        found.update(LITERAL.findall(arguments))
        for name in re.findall(r"\b\w+\b", LITERAL.sub("", arguments)):
            found.update(arrays.get(name, ()))
    return found


def excuse_words(source):
    """All words that src/check looks for in the text of a program, and those that data/ lists for it."""
    found, texts = set(), []
    for folder, _, names in os.walk(os.path.join(source, "src", "check")):
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    texts.append(f.read())
    known = shared_searches(texts)
    for text in texts:
        found |= words_of_c(text, known)
    for path in glob.glob(os.path.join(source, "data", "**", "*.ini"), recursive=True):
        with open(path, encoding="utf-8") as f:
            for value in re.findall(r"^(?:words|whole|excused by|only with)\s*=\s*(.*)$", f.read(), re.MULTILINE):
                found.update(re.split(r", | and ", value))
    plain = {QUESTION.sub(r"\1", re.sub(r"\\(.)", r"\1", word)) for word in found}
    return sorted(w for w in plain if WORD.match(w) and not RULE_ID.match(w))


# ---- Names ----------------------------------------------------------------------------------------

def dotted(node):
    """`a.b.c` of an expression that is only names and dots, or None."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id] + parts[::-1]) if isinstance(node, ast.Name) else None


def imports(tree):
    """{local name: what it stands for}"""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for a in node.names:
                found[a.asname or a.name.split(".")[0]] = a.name if a.asname else a.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for a in node.names:
                found[a.asname or a.name] = f"{node.module}.{a.name}"
    return found


def bound_names(tree):
    """All names that the program gives a value to, without imports."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
    return found


def resolved(call, known, bound):
    """The full name of the function that is called, or None."""
    name = dotted(call.func)
    root = name.split(".")[0] if name else None
    if root not in known or root in bound:
        return None
    return known[root] + name[len(root):]


class Renaming:
    """New names without a meaning for all that the program itself defines."""

    def __init__(self, tree, facts):
        self.tree, self.facts, self.new = tree, facts, {}
        self.kept = set(dir(builtins)) | set(keyword.kwlist) | set(imports(tree)) | {"self", "cls", "_", "mcs"}
        if any(isinstance(n, ast.ImportFrom) and n.names[0].name == "*" for n in ast.walk(tree)):
            self.kept |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in facts.api.words}
        self.texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        self.members = self.find_members()
        self.parameters = {a.arg for n in ast.walk(tree) if isinstance(n, ast.arguments)
                           for a in n.posonlyargs + n.args + n.kwonlyargs}
        self.keep_hooks()

    def find_members(self):
        """Attributes and methods of the program's own classes whose names no library has."""
        found, foreign = set(), set()
        known = imports(self.tree)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ClassDef):
                for part in node.body:
                    if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        found.add(part.name)
                    elif isinstance(part, (ast.Assign, ast.AnnAssign)):
                        targets = part.targets if isinstance(part, ast.Assign) else [part.target]
                        found.update(t.id for t in targets if isinstance(t, ast.Name))
            elif isinstance(node, ast.Attribute):
                if isinstance(node.ctx, ast.Store) and dotted(node.value) == "self":
                    found.add(node.attr)
                elif (dotted(node) or "").split(".")[0] in known:
                    foreign.add(node.attr)
        in_class = {t for t in found if t in self.facts.api.words or t in foreign or t in self.texts}
        self.kept |= {t for t in in_class if t in self.class_level()}
        return found - in_class

    def class_level(self):
        return {name for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)
                for part in node.body for name in bound_at(part)}

    def keep_hooks(self):
        """A library may give by name what its hook has a default for (`training=None`)."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ClassDef) and node.bases:
                for part in node.body:
                    if isinstance(part, ast.FunctionDef) and part.name not in self.members:
                        args = part.args
                        self.kept |= {a.arg for a in args.args[len(args.args) - len(args.defaults):] + args.kwonlyargs}

    def of(self, name):
        if name in self.kept or (name.startswith("__") and name.endswith("__")):
            return name
        if name not in self.new:
            n = len(self.new) + 1
            word = f"ZU_{n}" if name.isupper() else f"Zu{n}" if name[:1].isupper() else f"zu_{n}"
            self.new[name] = "_" * (len(name) - len(name.lstrip("_"))) + word
        return self.new[name]

    def apply(self):
        bound = bound_names(self.tree) - self.kept
        own = {n.name for n in ast.walk(self.tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and node.id in bound:
                node.id = self.of(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name in bound:
                node.name = self.of(node.name)
            elif isinstance(node, ast.arg):
                node.arg = self.of(node.arg)
            elif isinstance(node, ast.ExceptHandler) and node.name:
                node.name = self.of(node.name)
            elif isinstance(node, (ast.Global, ast.Nonlocal)):
                node.names = [self.of(n) if n in bound else n for n in node.names]
            elif isinstance(node, ast.Attribute) and node.attr in self.members:
                node.attr = self.of(node.attr)
            elif isinstance(node, ast.Call):
                self.keywords(node, own)

    def keywords(self, call, own):
        """Of calls of the program's own functions; ast.walk sees a call before the name in it."""
        name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", None)
        if name in own or (isinstance(call.func, ast.Attribute) and name in self.members):
            for k in call.keywords:
                if k.arg in self.parameters or k.arg in self.members:
                    k.arg = self.of(k.arg)


def bound_at(statement):
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [statement.name]
    return [n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


# ---- The kinds --------------------------------------------------------------------------------------

def unparsed(change):
    """Turns change(tree, facts) -> whether it changed anything into a kind."""
    def kind(program, facts):
        try:
            tree = ast.parse(program)
        except (SyntaxError, ValueError):
            return None  # Python 2
        if not change(tree, facts):
            return None
        text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        ast.parse(text)
        return text
    kind.__name__ = change.__name__
    kind.__doc__ = change.__doc__
    return kind


@unparsed
def reformatted(tree, _):
    """Comments and docstrings are gone, the layout is another."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                node.body[0:1] = [] if len(node.body) > 1 else [ast.Pass()]
    return True


def quoted(text):
    """A plain text in the other quotes."""
    if text[0] == text[-1] == "'" and not set(text) & {'"', "\\", "\n"} and not text.startswith("'''"):
        return '"' + text[1:-1] + '"'
    return text


def squeezed(program, _):
    """No space that Python does not need, two blanks a level, double quotes."""
    try:
        ast.parse(program)
    except (SyntaxError, ValueError):
        return None
    out, level, before = "", 0, ""
    for token in tokenize.generate_tokens(io.StringIO(program).readline):
        if token.type in (tokenize.INDENT, tokenize.DEDENT):
            level += 1 if token.type == tokenize.INDENT else -1
        elif token.type == tokenize.NEWLINE:
            out, before = out + "\n", ""
        elif token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER):
            text = quoted(token.string) if token.type == tokenize.STRING else token.string
            if not before:
                out += "  " * level
            elif is_wordy(before) and is_wordy(text):
                out += " "
            out, before = out + text, text
    ast.parse(out)
    return out


def is_wordy(token):
    """Would two of them, side by side, be read as one?"""
    return token[0].isalnum() or token[0] in "_'\"" or (token[0] == "." and token[1:2].isdigit())


@unparsed
def renamed(tree, facts):
    """Variables, functions, classes, parameters and attributes of the program have names without a meaning."""
    renaming = Renaming(tree, facts)
    renaming.apply()
    return bool(renaming.new)


def known_calls(tree, facts):
    """(call, name of its entry) of all calls whose signature is known."""
    known, bound = imports(tree), bound_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not any(isinstance(a, ast.Starred) for a in node.args):
            name = resolved(node, known, bound)
            entry = facts.api.find(name) if name else None
            if entry:
                yield node, entry


def may_be_named(entry, place, has_default, facts):
    """Real functions take some parameters by place only: the array of a ufunc, the tensor of a function."""
    if facts.api.kinds[entry] in ("function", "method", "activation"):
        return place > 0 and (has_default or not entry.startswith("numpy"))
    return True


@unparsed
def by_name(tree, facts):
    """Arguments given by place are given by name."""
    changed = False
    for call, entry in known_calls(tree, facts):
        parameters = facts.api.parameters(entry)
        while call.args and len(call.args) <= len(parameters):
            place = len(call.args) - 1
            name, has_default = parameters[place]
            if not may_be_named(entry, place, has_default, facts) or name in {k.arg for k in call.keywords}:
                break
            call.keywords.insert(0, ast.keyword(name, call.args.pop()))
            changed = True
    return changed


@unparsed
def by_place(tree, facts):
    """Arguments given by name are given by place, as far as they follow those that are."""
    changed = False
    for call, entry in known_calls(tree, facts):
        parameters = facts.api.parameters(entry)
        given = {k.arg: k for k in call.keywords}
        while None not in given and len(call.args) < len(parameters) and parameters[len(call.args)][0] in given:
            k = given.pop(parameters[len(call.args)][0])
            call.args.append(k.value)
            call.keywords.remove(k)
            changed = True
    return changed


@unparsed
def in_other_order(tree, _):
    """Arguments by name come in the opposite order."""
    changed = False
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and len(call.keywords) > 1 and all(k.arg for k in call.keywords):
            call.keywords.reverse()
            changed = True
    return changed


class Respelt(ast.NodeTransformer):
    """Replaces names by expressions."""

    def __init__(self, expressions):
        self.expressions = expressions

    def visit_Name(self, node):
        text = self.expressions.get(node.id)
        return ast.parse(text, mode="eval").body if text and isinstance(node.ctx, ast.Load) else node


def rewrite_imports(tree, rewrite):
    """rewrite(statement, alias) -> (new statement or None, {name: expression}) for each imported name that is never
    given another value."""
    bound, expressions, changed = bound_names(tree), {}, False
    for block in [b for n in ast.walk(tree) for b in (getattr(n, f, None) for f in ("body", "orelse", "finalbody"))
                  if isinstance(b, list)]:
        for at in range(len(block) - 1, -1, -1):
            node, new = block[at], []
            if not isinstance(node, (ast.Import, ast.ImportFrom)):
                continue
            for alias in list(node.names):
                if (alias.asname or alias.name.split(".")[0]) in bound:
                    continue
                statement, names = rewrite(node, alias)
                if statement:
                    node.names.remove(alias)
                    new.append(statement)
                    expressions.update(names)
                    changed = True
            block[at:at + 1] = new + ([node] if node.names else [])
    Respelt(expressions).visit(tree)
    return changed


@unparsed
def under_other_aliases(tree, _):
    """`import a.b as c` becomes `from a import b as c_`, `import a as b` becomes `import a`."""
    def rewrite(node, alias):
        if not isinstance(node, ast.Import) or not alias.asname:
            return None, {}
        if "." in alias.name:
            package, _, name = alias.name.rpartition(".")
            new = alias.asname + "_"
            return ast.ImportFrom(package, [ast.alias(name, new)], 0), {alias.asname: new}
        return ast.Import([ast.alias(alias.name)]), {alias.asname: alias.name}
    return rewrite_imports(tree, rewrite)


@unparsed
def by_full_names(tree, _):
    """`from a.b import c` becomes `import a.b`, and c is a.b.c."""
    def rewrite(node, alias):
        if not isinstance(node, ast.ImportFrom) or node.level or alias.name == "*" or node.module == "__future__":
            return None, {}
        return ast.Import([ast.alias(node.module)]), {alias.asname or alias.name: f"{node.module}.{alias.name}"}
    if any(isinstance(n, ast.ClassDef) and n.keywords for n in ast.walk(tree)):
        return False
    roots = {n.module.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module}
    aliases = {a.asname or a.name.split(".")[0]: a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    if any(aliases.get(root, root).split(".")[0] != root for root in roots) or roots & bound_names(tree):
        return False
    return rewrite_imports(tree, rewrite)


TENSOR = "torch.Tensor."


@unparsed
def as_methods(tree, facts):
    """torch.f(x, y) becomes x.f(y)."""
    changed = False
    for call, entry in list(known_calls(tree, facts)):
        method = next((n for n in facts.api.same[entry] if n.startswith(TENSOR)), None)
        if method and call.args and isinstance(call.args[0], (ast.Name, ast.Call, ast.Attribute, ast.Subscript)):
            call.func = ast.Attribute(call.args.pop(0), method[len(TENSOR):], ast.Load())
            changed = True
    return changed


@unparsed
def as_functions(tree, facts):
    """x.f(y) becomes torch.f(x, y) where x is known to be a tensor and torch is imported under its name."""
    known, bound, changed = imports(tree), bound_names(tree), False
    if known.get("torch") != "torch" or "torch" in bound:
        return False
    has_numpy = any(v.split(".")[0] == "numpy" for v in known.values())
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)):
            continue
        name, method = call.func.value.id, TENSOR + call.func.attr
        same = facts.api.same.get(method, ())
        if "torch." + call.func.attr in same and not (has_numpy and call.func.attr in facts.api.words_of_arrays) and \
                facts.ranks().get(name) is not None:
            call.args.insert(0, call.func.value)
            call.func = ast.Attribute(ast.Name("torch", ast.Load()), call.func.attr, ast.Load())
            changed = True
    return changed


def axis_argument(call, parameters):
    """The expression of a call's dim or axis, with how to replace it. New axes are counted among those of the result."""
    if (dotted(call.func) or getattr(call.func, "attr", "")).split(".")[-1] in ("unsqueeze", "unsqueeze_", "expand_dims", "stack"):
        return None, None
    for k in call.keywords:
        if k.arg in ("dim", "axis"):
            return k.value, lambda new, k=k: setattr(k, "value", new)
    for place, (name, _) in enumerate(parameters[:len(call.args)]):
        if name in ("dim", "axis"):
            return call.args[place], lambda new, place=place: call.args.__setitem__(place, new)
    return None, None


def number_of(node):
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return None
    return value if type(value) is int else None


@unparsed
def from_other_end(tree, facts):
    """An axis counted from the begin is counted from the end and the other way round, where the rank is known."""
    changed, targets = False, []
    for call, entry in known_calls(tree, facts):
        if call.args:
            targets.append((call, call.args[0], facts.api.parameters(entry)))
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and TENSOR + call.func.attr in facts.api.same:
            targets.append((call, call.func.value, facts.api.parameters(TENSOR + call.func.attr)[1:]))
    for call, tensor, parameters in targets:
        expression, put = axis_argument(call, parameters)
        axis = number_of(expression) if expression is not None else None
        rank = facts.ranks().get(tensor.id) if axis is not None and isinstance(tensor, ast.Name) else None
        if rank and -rank <= axis < rank:
            put(ast.parse(str(axis - rank if axis >= 0 else axis + rank), mode="eval").body)
            changed = True
    return changed


def beside_excuses(program, facts):
    """An unused text with all the words that rules look for stands below the program."""
    return program + "\nunrelated_words = " + repr(" ".join(facts.words)) + "\n"


# What must not matter: the kinds that change it.
GROUPS = {
    "layout": (reformatted, squeezed),
    "names": (renamed,),
    "spelling": (by_name, by_place, in_other_order, under_other_aliases, by_full_names, as_methods, as_functions, from_other_end),
    "text": (beside_excuses,),
}
