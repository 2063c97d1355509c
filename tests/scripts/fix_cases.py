"""What the tests of fixes share: the programs, an independent way to apply edits, and checks."""
import atexit
import os
import shutil

import rule_cases

SOURCE = os.environ["LW_SOURCE"]
LACEWING = os.path.join(os.environ["LW_BUILD"], "lacewing")
SPECIMENS = os.path.join(SOURCE, "specimens")


def check(paths, *options):
    """The findings of each path, in order."""
    return rule_cases.check(LACEWING, paths, *options)


def programs():
    """{path: name}: every bad case of the rules, written below a scratch folder, and the buggy side of every specimen."""
    scratch = rule_cases.scratch()
    atexit.register(scratch.cleanup)
    bad = rule_cases.cases("bad")
    out = dict(zip(rule_cases.write_programs(bad, scratch.name), map(str, bad)))
    for name in sorted(os.listdir(SPECIMENS)):
        for folder, _, names in sorted(os.walk(os.path.join(SPECIMENS, name, "buggy"))):
            paths = [os.path.join(folder, n) for n in sorted(names) if n.endswith(".py")]
            out.update((path, os.path.relpath(path, SOURCE)) for path in paths)
    return out


def offset(text, line, column):
    """The byte at a line from 1 and a column from 0."""
    at = 0
    for _ in range(line - 1):
        at = text.index(b"\n", at) + 1
    return at + column


def apply(text, edits):
    """The bytes with the edits, which must come in order and apart from each other."""
    out, at = b"", 0
    for e in edits:
        a, b = offset(text, e["line"], e["column"]), offset(text, e["end_line"], e["end_column"])
        assert at <= a <= b <= len(text), "edits overlap or are out of order"
        out += text[at:a] + e["text"].encode()
        at = b
    return out + text[at:]


def copy_of(path, into):
    """A copy of the program, with the modules beside it where it is a specimen's; its path there."""
    if path.startswith(SPECIMENS):
        top = os.path.relpath(path, SPECIMENS).split(os.sep)[0]
        shutil.copytree(os.path.join(SPECIMENS, top), os.path.join(into, top))
        return os.path.join(into, os.path.relpath(path, SPECIMENS))
    name = os.path.join(into, os.path.basename(path))
    folder = os.path.dirname(path)
    os.makedirs(into)
    for beside in [path] + [os.path.join(folder, n) for n in os.listdir(folder) if not n.endswith(".py")]:
        if os.path.isfile(beside):  # with the requirements that say the version
            shutil.copy(beside, into)
    return name


def counts(findings, serious):
    n = {}
    for f in findings:
        if not serious or f["severity"] != "note":
            n[f["rule"]] = n.get(f["rule"], 0) + 1
    return n
