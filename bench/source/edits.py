#!/usr/bin/python3
"""Nearest neighbours among edits: the index against a comparison with every edit, in one process.

The edits are changed Python files of fix commits where LW_MIRRORS names git repositories (see tests/scripts/fixes.py),
else functions of the standard library, each with some of its tokens changed by a fixed rule. Both sides give the same
ten neighbours of every edit, or the benchmark fails; the time to build the index is in neither.
"""
import io
import json
import keyword
import os
import random
import subprocess
import sys
import sysconfig
import tempfile
import tokenize

SOURCE = os.environ.get("LW_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("LW_BUILD") or os.path.join(SOURCE, "build")
DRIVER = os.path.join(BUILD, "tests", "drivers", "driver_edits")
WANTED, NEAREST, TARGET = 5000, 10, 5
sys.path.insert(0, os.path.join(SOURCE, "tests", "scripts"))
import fixes  # noqa: E402


def real(into):
    """The changed files of fix commits, an equal share of what is still wanted from each repository."""
    repos, pairs = fixes.repositories(), []
    for i, folder in enumerate(repos):
        share, here = -(-(WANTED - len(pairs)) // (len(repos) - i)), []
        for commit in fixes.fix_commits(folder, share):
            here += [(a, b) for _, a, b in fixes.changes(folder, None, commit, into)]
            if len(here) >= share:
                break
        pairs += here
    return pairs


def functions():
    """Texts of top-level definitions in the standard library."""
    top = sysconfig.get_paths()["stdlib"]
    for name in sorted(os.listdir(top)):
        if not name.endswith(".py"):
            continue
        with open(os.path.join(top, name), encoding="utf-8", errors="replace") as file:
            block = []
            for line in file:
                if line[:1].strip() and not line.startswith((")", "#")):
                    if block and block[0].startswith(("def ", "class ")) and len(block) < 80:
                        yield "".join(block)
                    block = []
                block.append(line)


def changed(text, words, rng):
    """The text with one to three of its names replaced, or a keyword argument added."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return None
    names = [t for t in tokens if t.type == tokenize.NAME and not keyword.iskeyword(t.string)]
    if len(names) < 4:
        return None
    lines = text.splitlines(keepends=True)
    for t in sorted(rng.sample(names, rng.randint(1, 3)), key=lambda t: t.start, reverse=True):
        row, column = t.start[0] - 1, t.start[1]
        rest = lines[row][t.end[1]:]
        word = rng.choice(words)
        if rest.startswith("(") and rng.random() < 0.5:
            rest = f"({word}=None" + (", " if not rest.startswith("()") else "") + rest[1:]
            word = t.string
        lines[row] = lines[row][:column] + word + rest
    return "".join(lines)


def synthetic(into):
    rng, texts, pairs = random.Random(1), list(functions()), []
    words = sorted({w for text in texts for w in text.replace("(", " ").replace(".", " ").split() if w.isidentifier()})
    while texts and len(pairs) < WANTED:
        text = rng.choice(texts)
        new = changed(text, words, rng)
        if not new or new == text:
            continue
        paths = [os.path.join(into, f"{len(pairs)}{side}.py") for side in "ab"]
        for path, content in zip(paths, (text, new)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        pairs.append(tuple(paths))
    return pairs


def main():
    if not os.path.exists(DRIVER):
        print("bench source/edits: skipped the drivers are not built (tests=enabled)")
        return 0
    with tempfile.TemporaryDirectory() as into:
        pairs = real(into) if fixes.repositories() else synthetic(into)
        lines = "".join(f"{i}\t{a}\t{b}\n" for i, (a, b) in enumerate(pairs))
        done = subprocess.run([DRIVER, str(NEAREST)], input=lines.encode(), capture_output=True, check=True)
    r = json.loads(done.stdout)
    print(f"{r['edits']} edits, {r['terms']} features, {r['postings']} postings", file=sys.stderr)
    if r["differ"]:
        print(f"{r['differ']} answers differ", file=sys.stderr)
        return 2
    ratio = r["scan_ms"] / r["find_ms"]
    print(f"bench source/edits: ours {r['find_ms']:.4g} ms peer exhaustive {r['scan_ms']:.4g} ms ratio {ratio:.3g} "
          f"target {TARGET} {'ok' if ratio >= TARGET else 'short'}")
    return 0 if ratio >= TARGET else 1


sys.exit(main())
