#!/usr/bin/python3
"""Flow graphs: speed against a plain Python analysis of the same files, and time a token as files grow.

Both sides begin with a parsed tree and end with a control-flow graph of every function and the definitions that reach
every use of its local names: ours as names and flow, the peer as a graph of statements over `ast` and sets that are
passed along its edges until nothing changes. The peer knows no `match`, comprehension scopes or merges, so it does
less. The second line compares the time a token of a small file with that of the same text many times over.
"""
import ast
import builtins
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time

SOURCE = os.environ.get("LW_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DRIVER = os.path.join(os.environ.get("LW_BUILD") or os.path.join(SOURCE, "build"), "tests", "drivers", "driver_flow")
MODULES = ("argparse", "ast", "bdb", "calendar", "cmd", "configparser", "csv", "difflib", "inspect", "pdb", "pickle", "zipfile")
TARGET, TIMES, LINEAR = 20, 64, 0.5
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Graph:
    """Statements of one body; an edge from each to those that may run next."""

    def __init__(self, body):
        self.nodes, self.edges = [None], {0: set()}
        self.loops, self.handlers, self.ends = [], [], set()
        self.block(body, {0})

    def add(self, node, before):
        self.nodes.append(node)
        here = len(self.nodes) - 1
        self.edges[here] = set()
        for b in before:
            self.edges[b].add(here)
        if self.handlers:
            self.handlers[-1].add(here)
        return here

    def block(self, body, before):
        for node in body:
            before = self.statement(node, before)
        return before

    def statement(self, node, before):
        here = self.add(node, before)
        if isinstance(node, ast.If):
            return self.block(node.body, {here}) | self.block(node.orelse, {here})
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            self.loops.append((here, set()))
            for last in self.block(node.body, {here}):
                self.edges[last].add(here)
            _, left = self.loops.pop()
            return self.block(node.orelse, {here}) | left
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return self.block(node.body, {here})
        if isinstance(node, ast.Try):
            return self.tried(node, here)
        if isinstance(node, ast.Break) and self.loops:
            self.loops[-1][1].add(here)
        elif isinstance(node, ast.Continue) and self.loops:
            self.edges[here].add(self.loops[-1][0])
        if isinstance(node, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            return set()
        return {here}

    def tried(self, node, here):
        self.handlers.append({here})
        after = self.block(node.body, {here})
        raised = self.handlers.pop()
        after = self.block(node.orelse, after)
        for handler in node.handlers:
            after |= self.block(handler.body, {self.add(handler, raised)})
        return self.block(node.finalbody, after | raised) if node.finalbody else after


HEADS = {ast.If: ("test",), ast.While: ("test",), ast.For: ("target", "iter"), ast.AsyncFor: ("target", "iter"),
         ast.With: ("items",), ast.AsyncWith: ("items",), ast.Try: (), ast.ExceptHandler: ("type",),
         ast.FunctionDef: ("decorator_list", "returns"), ast.AsyncFunctionDef: ("decorator_list", "returns"),
         ast.ClassDef: ("decorator_list", "bases", "keywords")}


def own(node):
    """What the statement itself evaluates."""
    for field in HEADS.get(type(node), node._fields):
        value = getattr(node, field, None)
        yield from (v for v in (value if isinstance(value, list) else [value]) if isinstance(v, ast.AST))


def events(node):
    uses, defs = set(), set()
    for part in own(node):
        for x in ast.walk(part):
            if isinstance(x, ast.Name):
                (uses if isinstance(x.ctx, ast.Load) else defs).add(x.id)
            elif isinstance(x, ast.alias):
                defs.add((x.asname or x.name).split(".")[0])
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)) or (isinstance(node, ast.ExceptHandler) and node.name):
        defs.add(node.name)
    return uses, defs


def reaching(graph):
    """For every use the definitions that reach it; 'free' for none."""
    facts = [(set(), set())] + [events(n) for n in graph.nodes[1:]]
    into = {i: {} for i in graph.edges}
    todo, waiting = list(graph.edges), set(graph.edges)
    while todo:
        i = todo.pop()
        waiting.discard(i)
        out = dict(into[i])
        out.update({name: {i} for name in facts[i][1]})
        for k in graph.edges[i]:
            grew = False
            for name, where in out.items():
                have = into[k].setdefault(name, set())
                if not where <= have:
                    have |= where
                    grew = True
            if grew and k not in waiting:
                waiting.add(k)
                todo.append(k)
    known = set(dir(builtins))
    return [(i, u, into[i].get(u) or (u in known and "builtin") or "free") for i in graph.edges for u in facts[i][0]]


def analyse(tree):
    count = 0
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)):
            count += len(reaching(Graph(node.body)))
    return count


def ask(paths):
    done = subprocess.run([DRIVER], input="".join(p + "\n" for p in paths).encode(), capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def line(name, ours, peer, theirs, ratio, target):
    print(f"bench source/{name}: ours {ours} peer {peer} {theirs} ratio {ratio:.3g} target {target} "
          f"{'ok' if ratio >= target else 'short'}")
    return ratio >= target


def main():
    if not os.path.exists(DRIVER):
        print("bench source/flow: skipped the drivers are not built (tests=enabled)")
        return 0
    top = sysconfig.get_paths()["stdlib"]
    paths = [p for p in (os.path.join(top, m + ".py") for m in MODULES) if os.path.exists(p)]
    ours = min(sum(r["ms"] + r["names_ms"] for r in ask(paths)) for _ in range(3))
    trees = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            trees.append(ast.parse(file.read()))
    start = time.process_time()
    for tree in trees:
        analyse(tree)
    theirs = 1000 * (time.process_time() - start)
    good = line("flow", f"{ours:.4g} ms", "plain-Python", f"{theirs:.4g} ms", theirs / ours, TARGET)
    with tempfile.TemporaryDirectory() as into:
        with open(paths[0], encoding="utf-8") as file:
            text = file.read()
        grown = os.path.join(into, "grown.py")
        with open(grown, "w", encoding="utf-8") as file:
            file.write(text * TIMES)
        small, large = (min((r["ms"] / r["tokens"] for r in ask([p] * 5))) * 1e6 for p in (paths[0], grown))
    good &= line("flow-linear", f"{large:.4g} ns-a-token", f"{TIMES}-times-smaller", f"{small:.4g} ns-a-token",
                 small / large, LINEAR)
    return 0 if good else 1


sys.exit(main())
