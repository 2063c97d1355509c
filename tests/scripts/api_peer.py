"""Random calls of table entries, made both by the real library and by the tables.

A call that the library accepts must not be reported as an error, and what the tables say about
its result (shape, type, range of values) must be true. What the library refuses and the tables
do not see is only counted: the tables promise no wrong alarm, not to find everything.
"""
import os
import random
import re
import subprocess
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap

DRIVER = os.path.join(tap.BUILD, "tests", "drivers", "driver_api")
TENSOR, ARRAY, INT, FLOAT, BOOL, STR, NONE, SEQ, SHAPE, DTYPE = (1 << i for i in range(10))


class Entry:
    def __init__(self, line):
        self.kind, names, *sides = line.rstrip("\n").split("|")
        self.names = [re.split("[>~<]", n)[0] for n in names.split() if n[0] != "@"]
        self.sides = [[Param(p) for p in side.split()] for side in sides]


class Param:
    def __init__(self, text):
        self.name, flags, accepts = text.split("/")
        self.required, self.keyword = "r" in flags, "k" in flags
        self.variadic, self.keywords, self.accepts = "v" in flags, "K" in flags, int(accepts)


def entries():
    lines = subprocess.run([DRIVER, "--list"], capture_output=True, text=True, check=True).stdout
    return [Entry(line) for line in lines.splitlines()]


def says_something(entry):
    """False for names that take any arguments: there is nothing to compare, and some of them start
    processes or wait for others."""
    return any(not p.variadic and not p.keywords for p in entry.sides[0])


def ask(calls):
    """The tables' answers to calls written as text, one line each."""
    done = subprocess.run([DRIVER], input="\n".join(calls) + "\n", capture_output=True, text=True)
    answers = done.stdout.split("\n")[:-1]
    assert len(answers) == len(calls), (len(answers), len(calls), done.stderr, calls[len(answers) - 1:][:1])
    return answers


class Value:
    """An argument: as the library gets it, and as the rule language writes it."""

    def __init__(self, real, text, shape=None):
        self.real, self.text, self.shape = real, text, shape


def plain(v):
    if isinstance(v, (tuple, list)):
        inner = ", ".join(plain(x) for x in v)
        if isinstance(v, list):
            return f"[{inner}]"
        return f"({inner},)" if len(v) == 1 else f"({inner})"
    if isinstance(v, str):
        return f"'{v}'"
    if v is True or v is False:
        return "true" if v else "false"
    return "none" if v is None else repr(v)


def lit(v):
    return Value(v, plain(v))


class Library:
    """What differs between numpy and torch."""
    DTYPES = {}

    def __init__(self, rng):
        self.rng = rng

    def shape(self, rank=None):
        rank = self.rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4]) if rank is None else rank
        return tuple(self.rng.choice([1, 2, 3, 4, 5, 6]) for _ in range(rank))

    def tensor(self, shape=None, dtype=None, owner=""):
        shape = self.shape() if shape is None else shape
        dtype = dtype or self.rng.choice(["float32"] * 5 + ["float64", "int64", "int64", "int32", "uint8", "bool"])
        lo, hi = self.rng.choice([(0, 1), (-3, 3), (0.5, 4), (1, 5), (-6, -2)])
        if dtype in ("uint8",):
            lo, hi = abs(lo), abs(hi)
            lo, hi = min(lo, hi), max(lo, hi)
        if dtype == "bool":
            lo, hi = 0, 1
        if "int" in dtype or dtype == "bool":
            lo, hi = int(-(-lo // 1)), int(hi // 1)
            text = f"tensor({plain(shape)}, {dtype}, whole({lo}, {hi}))"
        else:
            text = f"tensor({plain(shape)}, {dtype}, between({lo}, {hi}))"
        return Value(self.make(shape, dtype, lo, hi), text, shape)


def outcome(library, function, args, kwargs):
    """("ok", description of the result) or ("refused", message)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return "ok", library.describe(function(*args, **kwargs))
        except Exception as e:  # whatever a library raises
            return "refused", f"{type(e).__name__}: {e}"


ANSWER = re.compile(r"^(?P<dtype>[a-z0-9 ?]+?) \((?P<shape>[^)]*)\) (?P<range>.*)$")


def split_items(text):
    """Items of "[a; b; [c; d]]", or None when it is no list."""
    if not (text.startswith("[") and text.endswith("]")) or ";" not in text and ANSWER.match(text[1:-1]) is None:
        return None
    items, depth, begin = [], 0, 1
    for i, c in enumerate(text):
        depth += (c in "[(") - (c in "])")
        if (c == ";" and depth == 1) or i == len(text) - 1:
            items.append(text[begin:i].strip())
            begin = i + 1
    return items


def interval(text):
    m = re.match(r"^([\[(])(\S+), (\S+)([\])])$", text)
    if m:
        return float(m.group(2)), float(m.group(3))
    try:
        return float(text), float(text)
    except ValueError:
        return None


def contradiction(text, real, counts):
    """Why the tables' answer is false for the real result, or None."""
    items = split_items(text)
    if isinstance(real, list):
        if items is None:
            return f"several results, one expected" if ANSWER.match(text) else None
        if items and items[-1] == "..":
            items = items[:-1]
            real = real[:len(items)]
        if len(items) != len(real):
            return f"{len(items)} results, really {len(real)}"
        for a, b in zip(items, real):
            why = contradiction(a, b, counts)
            if why:
                return why
        return None
    m = ANSWER.match(text)
    if real is None or not m:
        return None
    dtype, shape, low, high = real
    counts["results"] += 1
    if m.group("dtype") != "?":
        counts["dtypes"] += 1
        said = m.group("dtype").split(" or ")
        if dtype not in said and not ("float" in said and dtype.startswith("float")) and not (
                "int" in said and "int" in dtype):
            return f"type {m.group('dtype')}, really {dtype}"
    parts = [p.strip() for p in m.group("shape").split(",") if p.strip()]
    if "..." not in parts:
        counts["shapes"] += "?" not in parts
        if len(parts) != len(shape):
            return f"shape ({m.group('shape')}), really {shape}"
        for p, size in zip(parts, shape):
            if p != "?" and p.lstrip("-").isdigit() and int(p) != size:
                return f"shape ({m.group('shape')}), really {shape}"
    bounds = interval(m.group("range"))
    if bounds and low is not None:
        slack = 1e-4 * max(1, abs(low), abs(high))
        if low < bounds[0] - slack or high > bounds[1] + slack:
            return f"range {m.group('range')}, really {low}..{high}"
    return None


# Errors about values that the tensor can take, not about what this one happens to hold.
BY_VALUE = ("shape/embedding-range", "shape/target-range", "type/loss-range")


class Tally:
    def __init__(self):
        self.counts = dict.fromkeys(("calls", "accepted", "refused", "seen", "results", "shapes", "dtypes"), 0)
        self.wrong, self.missed = [], {}

    def judge(self, call, state, real, answer):
        c = self.counts
        c["calls"] += 1
        if answer.startswith("error "):
            self.wrong.append(f"{call}: {answer}")
            return
        text, *problems = answer.split(" ! ")
        alarms = [p for p in problems if p.startswith("error ") and not p[6:].startswith(BY_VALUE)]
        if state == "ok":
            c["accepted"] += 1
            why = f"accepted, but {alarms[0]}" if alarms else contradiction(text, real, c)
            if why:
                self.wrong.append(f"{call}: {why}")
        else:
            c["refused"] += 1
            c["seen"] += bool(alarms)
            if not alarms:
                name = call.split("(")[0]
                self.missed.setdefault(name, f"{call}: {real[:90]}")

    def print(self, what):
        c = self.counts
        print(f"# {what}: {c['calls']} calls, {c['accepted']} accepted, {c['refused']} refused of which "
              f"{c['seen']} seen; of {c['results']} results shape known {c['shapes']}, type {c['dtypes']}; "
              f"{len(self.wrong)} contradictions", flush=True)
