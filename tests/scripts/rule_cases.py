"""Case files of rules: tests/rules/<category>/<rule>.txt, each with named programs and what they must yield.

    === bad: the axis comes before the tensors
    import tensorflow as tf
    x = tf.concat(0, [a, b])
    === finds
    2:5 tf.concat takes the list of tensors first, then the axis
    also 2:5 api/removed-name

    === good: the tensors come first
    import tensorflow as tf
    x = tf.concat([a, b], 0)

Every line that begins with `=== ` belongs to the format, all others to a program; no program holds such a line.
`=== bad: NAME` and `=== good: NAME` begin a case; names are unique in a file. `=== target: REQUIREMENTS` after
that line says the versions which the program runs with, before the first case those of the whole file.
`=== finds` lists all findings in the order of their places, counted as `lacewing check` prints them: `LINE:COLUMN
MESSAGE` of the rule itself, `also LINE:COLUMN RULE` of others. A good case has none of the rule itself, and no error.
Blank lines at the end of a program or a list are not part of it. `tests/run --update rules` writes the lists."""
import collections
import json
import os
import re
import subprocess
import tempfile

SOURCE = os.environ.get("LW_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROOT = os.path.join(SOURCE, "tests", "rules")
MARK = "=== "
OWN = re.compile(r"([1-9]\d*):([1-9]\d*) (\S.*)$")
ALSO = re.compile(r"also ([1-9]\d*):([1-9]\d*) ([a-z0-9/-]+)$")


class Case:
    """One program. `finds` has (line, column, rule, message); the message is None for a rule of another file."""

    def __init__(self, rule, kind, name, program="", target="", finds=()):
        self.rule, self.kind, self.name = rule, kind, name
        self.program, self.target, self.finds = program, target, list(finds)
        self.number = 0      # in its file, from 1

    def __str__(self):
        return f"{self.rule}: {self.kind}: {self.name}"

    def text(self, target_of_file):
        out = f"{MARK}{self.kind}: {self.name}\n"
        if self.target != target_of_file:
            out += f"{MARK}target: {self.target}\n"
        out += self.program
        if self.finds:
            out += MARK + "finds\n"
        for line, column, rule, message in self.finds:
            out += f"{line}:{column} {message}\n" if rule == self.rule else f"also {line}:{column} {rule}\n"
        return out


class CaseFile:
    """The cases of one rule, in order."""

    def __init__(self, rule, target="", cases=()):
        self.rule, self.target, self.cases = rule, target, list(cases)

    def text(self):
        head = f"{MARK}target: {self.target}\n\n" if self.target else ""
        return head + "\n".join(case.text(self.target) for case in self.cases)


class Reader:
    """Reads the text of one file line by line; `where` is for messages."""

    def __init__(self, rule, where):
        self.file, self.where, self.line = CaseFile(rule), where, 0
        self.case, self.part = None, "head"
        self.names = set()

    def fail(self, what):
        raise ValueError(f"{self.where}:{self.line}: {what}")

    def end_case(self):
        if self.case:
            self.case.program = self.case.program.rstrip("\n") + "\n"
            if self.case.program == "\n":
                self.fail(f"'{self.case.name}' has no program")
            self.file.cases.append(self.case)
            self.case.number = len(self.file.cases)

    def begin_case(self, kind, name):
        self.end_case()
        if not name or name in self.names:
            self.fail(f"a case of the name '{name}' is here already" if name else "a case needs a name")
        self.names.add(name)
        self.case, self.part = Case(self.file.rule, kind, name, target=self.file.target), "begin"

    def control(self, text):
        word, _, rest = text.partition(":")
        rest = rest.strip()
        if word in ("bad", "good"):
            self.begin_case(word, rest)
        elif word == "target" and rest and self.part in ("head", "begin"):
            (self.case or self.file).target = rest
        elif text == "finds" and self.part == "program":
            self.part = "finds"
        else:
            self.fail(f"'{MARK}{text}' is not possible here")

    def finding(self, text):
        own, also = OWN.match(text), ALSO.match(text)
        if own and self.case.kind == "good":
            self.fail("a good case has no finding of its rule")
        if own:
            self.case.finds.append((int(own[1]), int(own[2]), self.file.rule, own[3]))
        elif also and also[3] != self.file.rule:
            self.case.finds.append((int(also[1]), int(also[2]), also[3], None))
        elif text:
            self.fail(f"'{text}' is neither 'LINE:COLUMN MESSAGE' nor 'also LINE:COLUMN OTHER-RULE'")

    def read(self, text):
        for line in text.split("\n"):
            self.line += 1
            if line.startswith(MARK):
                self.control(line[len(MARK):].rstrip())
            elif self.part == "finds":
                self.finding(line.rstrip())
            elif self.case:
                self.part = "program"
                self.case.program += line + "\n"
            elif line.strip():
                self.fail("text before the first case")
        self.end_case()
        return self.file


def parse(text, rule, where="text"):
    return Reader(rule, where).read(text)


def path_of(rule, root=ROOT):
    return os.path.join(root, rule + ".txt")


def files(root=ROOT):
    """All case files, by rule."""
    found = []
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            rule, suffix = os.path.splitext(os.path.relpath(path, root))
            if suffix != ".txt":
                raise ValueError(f"{path}: only case files (*.txt) stand below tests/rules")
            with open(path, encoding="utf-8") as f:
                found.append(parse(f.read(), rule, os.path.relpath(path, SOURCE)))
    return sorted(found, key=lambda file: file.rule)


def cases(kind=None, root=ROOT):
    return [case for file in files(root) for case in file.cases if kind in (None, case.kind)]


def scratch():
    """A folder for thousands of small files, in memory where that is possible: ten times faster than a busy disk."""
    return tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)


def write_programs(some, folder):
    """Each program as a file of its own below `folder`, beside a requirements.txt where it has a target.
    The paths, one for each case."""
    paths = []
    for case in some:
        beside = re.sub(r"[^a-z0-9.]+", "-", case.target)
        path = os.path.join(folder, case.rule, beside, f"{case.kind}_{case.number}.py")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(case.program)
        if case.target:
            with open(os.path.join(os.path.dirname(path), "requirements.txt"), "w", encoding="utf-8") as f:
                f.write("\n".join(case.target.split()) + "\n")
        paths.append(path)
    return paths


def check(program, paths, *options):
    """The findings of each path, in order."""
    run = subprocess.run([program, "check", "--format", "json", *options, *paths], stdin=subprocess.DEVNULL,
                         capture_output=True, text=True)
    if run.returncode not in (0, 1):
        raise RuntimeError(run.stderr.strip() or f"exit code {run.returncode}")
    found = {path: [] for path in paths}
    for f in json.loads(run.stdout)["findings"]:
        found.setdefault(f["path"], []).append(f)
    return found


def place(finding):
    """As `lacewing check` prints it: both from 1."""
    return finding["line"], finding["column"] + 1


def as_finds(case, findings):
    return sorted((*place(f), f["rule"], f["message"] if f["rule"] == case.rule else None) for f in findings)


def never_right(case, findings):
    """What no list of expected findings can make right, one line each."""
    wrong, seen = [], set()
    for f in findings:
        if case.kind == "good" and (f["rule"] == case.rule or f["severity"] == "error"):
            wrong.append(f"a good program has {place(f)[0]}:{place(f)[1]} {f['rule']}: {f['message']}")
        key = (f["path"], *place(f), f["rule"], f["message"])
        if key in seen:
            wrong.append(f"found twice: {place(f)[0]}:{place(f)[1]} {f['rule']}: {f['message']}")
        seen.add(key)
    if case.kind == "bad" and not any(f["rule"] == case.rule for f in findings):
        wrong.append("no finding of this rule")
    return wrong


def differences(case, findings):
    """What is not as the case expects, one line each."""
    def line(find):
        return f"{find[0]}:{find[1]} {find[2]}" + (f": {find[3]}" if find[3] else "")
    want, got = collections.Counter(case.finds), collections.Counter(as_finds(case, findings))
    return ([f"not found: {line(f)}" for f in (want - got).elements()]
            + [f"not expected: {line(f)}" for f in (got - want).elements()])
