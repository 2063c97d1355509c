"""Builds bench/source/peer.c (tree-sitter) where its parts are present, else returns None.

The grammar is looked for in $LW_TREE_SITTER_PYTHON, then in build/tree-sitter-python: the folder
of npm's tree-sitter-python 0.23.6, which has src/parser.c in it.
"""
import os
import subprocess
import tempfile

from tap import BUILD, SOURCE


def build():
    folder = os.environ.get("LW_TREE_SITTER_PYTHON") or os.path.join(BUILD, "tree-sitter-python")
    grammar = os.path.join(folder, "src")
    if not os.path.exists(os.path.join(grammar, "parser.c")):
        return None
    program = os.path.join(tempfile.gettempdir(), f"source_peer_{os.getpid()}")
    command = ["cc", "-O2", "-D_GNU_SOURCE", "-I", grammar,
               os.path.join(SOURCE, "bench", "source", "peer.c"),
               os.path.join(grammar, "parser.c"), os.path.join(grammar, "scanner.c"),
               "-ltree-sitter", "-o", program]
    made = subprocess.run(command, stderr=subprocess.DEVNULL)
    return program if made.returncode == 0 else None
