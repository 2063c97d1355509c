#!/usr/bin/python3
"""Tree differences against Python's difflib on the same pairs of files, one core.

Each pair is a module of the standard library and the same with some of its lines changed, moved and removed by a
fixed rule. difflib compares token lists, which is the nearest it has to a syntax tree. Ours includes nothing but the
difference itself, as does the peer's.
"""
import difflib
import io
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
import tokenize

SOURCE = os.environ.get("LW_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DRIVER = os.path.join(os.environ.get("LW_BUILD") or os.path.join(SOURCE, "build"), "tests", "drivers", "driver_treediff")
MODULES = ("argparse", "ast", "bdb", "calendar", "cmd")
TARGET = 5


def change(text):
    lines = text.splitlines(keepends=True)
    for i in range(7, len(lines), 41):
        lines[i] = lines[i].replace("self", "this").replace("None", "0")
    for i in range(len(lines) - 30, 60, -97):
        if lines[i].strip() == "":
            lines[i:i] = ["\n", "def added_%d(a, b):\n" % i, "    return a + b\n"] if lines[i - 1].strip() == "" else []
    return "".join(lines)


def tokens(text):
    return [t.string for t in tokenize.generate_tokens(io.StringIO(text).readline)]


def main():
    if not os.path.exists(DRIVER):
        print("bench source/treediff: skipped the drivers are not built (tests=enabled)")
        return 0
    pairs = []
    with tempfile.TemporaryDirectory() as into:
        for name in MODULES:
            path = os.path.join(sysconfig.get_paths()["stdlib"], name + ".py")
            if not os.path.exists(path):
                continue
            with open(path, encoding="utf-8") as file:
                old = file.read()
            new_path = os.path.join(into, name + ".py")
            with open(new_path, "w", encoding="utf-8") as file:
                file.write(change(old))
            pairs.append((path, new_path, old, change(old)))
        done = subprocess.run([DRIVER], input="".join(f"{a}\t{b}\n" for a, b, _, _ in pairs).encode(),
                              capture_output=True, check=True)
    rows = [json.loads(line) for line in done.stdout.decode().splitlines()]
    if not all(r["exact"] for r in rows):
        print("a script is not exact", file=sys.stderr)
        return 2
    ours = sum(r["ms"] for r in rows)
    theirs = 0.0
    for _, _, old, new in pairs:
        a, b = tokens(old), tokens(new)
        start = time.perf_counter()
        difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
        theirs += 1000 * (time.perf_counter() - start)
    ratio = theirs / ours
    print(f"bench source/treediff: ours {ours:.4g} ms peer difflib {theirs:.4g} ms ratio {ratio:.3g} target {TARGET} "
          f"{'ok' if ratio >= TARGET else 'short'}")
    return 0 if ratio >= TARGET else 1


sys.exit(main())
