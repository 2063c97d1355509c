#!/usr/bin/python3
"""The Python front end against CPython's `ast.parse` and tree-sitter, on one core and the same
files: those of the standard library, or of the folders in $LW_CORPUS (separated by colons).

tree-sitter needs libtree-sitter-dev and npm's tree-sitter-python 0.23.6 in
build/tree-sitter-python or $LW_TREE_SITTER_PYTHON.
"""
import ast
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
import warnings

SOURCE = os.environ.get("LW_SOURCE") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, "tests", "scripts"))
import source_peer  # noqa: E402
import source_reference as ref  # noqa: E402

OURS = os.path.join(os.environ.get("LW_BUILD") or os.path.join(SOURCE, "build"), "bench_source")
MOST_BYTES = 12_000_000  # what ast.parse reads in some seconds


def line(name, ours, unit, peer, theirs, their_unit, ratio, target):
    print(f"bench source/{name}: ours {ours:.4g} {unit} peer {peer} {theirs:.4g} {their_unit} "
          f"ratio {ratio:.3g} target {target} {'ok' if ratio >= target else 'short'}", flush=True)
    return ratio >= target


def corpus():
    roots = os.environ.get("LW_CORPUS", sysconfig.get_paths()["stdlib"]).split(":")
    files, size = [], 0
    for root in roots:
        for path in ref.python_files(root):
            with open(path, "rb") as f:
                text = f.read()
            try:
                text.decode()
                ast.parse(text)
            except (SyntaxError, ValueError):
                continue
            files.append((path, text))
            size += len(text)
            if size >= MOST_BYTES:
                return files
    return files


def ours(mode, paths):
    with tempfile.NamedTemporaryFile("w", suffix=".list") as f:
        f.write("".join(p + "\n" for p in paths))
        f.flush()
        out = subprocess.run([OURS, mode, f.name], stdout=subprocess.PIPE, check=True).stdout
    return [float(x) for x in out.split()]


def against_python(files):
    before = time.process_time()
    for _, text in files:
        ast.parse(text)
    return sum(len(t) for _, t in files) / 1e6 / (time.process_time() - before)


def against_tree_sitter(paths):
    program = source_peer.build()
    if not program:
        return None
    with tempfile.NamedTemporaryFile("w", suffix=".list") as f:
        f.write("".join(p + "\n" for p in paths))
        f.flush()
        out = subprocess.run([program, "bench", f.name], stdout=subprocess.PIPE, check=True).stdout
    os.unlink(program)
    return float(out)


def growth():
    """Time a byte as texts grow: small against large, in pairs."""
    block = ("class Net(nn.Module):\n    def forward(self, x, mask=None):\n"
             "        # one step\n        y = self.layers[0](x) + mask * 2.5\n"
             "        return y.view(-1, 10) if y is not None else 'nothing'\n\n")
    pairs = [
        ("growth-20MB", block * (60_000 // len(block)), block * (20_000_000 // len(block))),
        ("growth-line-5MB", "x = [" + "a1, " * 15_000 + "]\n", "x = [" + "a1, " * 1_250_000 + "]\n"),
        ("growth-brackets-100000", "x = " + "(" * 5_000, "x = " + "(" * 100_000),
        ("growth-chain-100000", "x = a" + " + a" * 5_000, "x = a" + " + a" * 100_000),
        ("growth-broken-lines", "f(a, b\n" * 5_000, "f(a, b\n" * 100_000),
    ]
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for name, small, large in pairs:
            paths = [os.path.join(folder, n) for n in ("small", "large")]
            for path, text in zip(paths, (small, large)):
                with open(path, "w") as f:
                    f.write(text)
            a, b = ours("each", paths)
            good &= line(name, b, f"ns/B at {len(large)} B", f"itself-at-{len(small)}-B", a, "ns/B",
                         a / b, 0.25)
    return good


def main():
    warnings.simplefilter("ignore")
    files = corpus()
    paths = [p for p, _ in files]
    python = against_python(files)
    lex, parse = ours("lex", paths)[0], ours("parse", paths)[0]
    good = line("lexer", lex, "MB/s", "ast.parse", python, "MB/s", lex / python, 25)
    good &= line("parser", parse, "MB/s", "ast.parse", python, "MB/s", parse / python, 8)
    peer = against_tree_sitter(paths)
    if peer:
        good &= line("parser-tree-sitter", parse, "MB/s", "tree-sitter", peer, "MB/s",
                     parse / peer, 5)
    else:
        print("bench source/parser-tree-sitter: skipped tree-sitter with its Python grammar")
    size = ours("size", paths)[0]
    good &= line("tree-size", size, "B/B", "allowed", 10, "B/B", 10 / size, 1)
    return 0 if growth() and good else 1


sys.exit(main())
