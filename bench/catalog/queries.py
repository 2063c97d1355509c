#!/usr/bin/python3
"""Listing, showing, filtering, searching and counting bugs: whole processes, with the embedded
bugs only and with 100,000 more.

Ours is the `lacewing` program, the peer a Python process that puts the same question to the same
file through its sqlite3 module and prints the answer. Both answers are compared first. Beside
the ratio each has a limit of its own: 15 ms and 20 MB with the embedded bugs, 30 ms with 100,000.
Ratios are of medians over runs taken by turns; a limit is held against the median of the
quietest of nine rounds, since other work on the machine only ever adds.

LW_BENCH_BUGS=N takes N bugs instead of 100,000.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

BUILD = os.environ.get("LW_BUILD") or os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "build")
LACEWING = os.path.join(BUILD, "lacewing")
PYTHON = "/usr/bin/python3"
MANY = int(os.environ.get("LW_BENCH_BUGS", "100000"))
ROUNDS, OURS, PEERS = 9, 5, 3

COLUMNS = ("b.id, b.title, b.source, b.type, b.leaf, b.category, b.symptom, b.property, "
           "b.framework, e.framework_version, e.python_version, e.modules, b.origin_url, "
           "b.fix_url, b.support_level, b.trusted")
FROM_BUG = f"SELECT {COLUMNS} FROM bug b JOIN environment e ON e.bug = b.num "
FROM_TEXT = (f"SELECT {COLUMNS} FROM bug_text f CROSS JOIN bug b ON b.num = f.rowid "
             "JOIN environment e ON e.bug = b.num WHERE bug_text MATCH ? ORDER BY f.rowid LIMIT 50")
KINDS = ["source", "type", "leaf", "category", "symptom", "property", "framework"]
BITS = [6, 5, 11, 6, 6, 6, 7]
STATS = [("SELECT facets FROM bug WHERE retracted = ''", ())]
COUNT = "SELECT count(*) FROM (SELECT 1 FROM {} LIMIT 1051)"
LIST = [(FROM_BUG + "WHERE b.retracted = '' ORDER BY b.id LIMIT 50", ()),
        (COUNT.format("bug b WHERE b.retracted = ''"), ())]


def category(name):
    where = "b.retracted = '' AND b.category = ?"
    return [(FROM_BUG + f"WHERE {where} ORDER BY b.id LIMIT 50", (name,)),
            (COUNT.format(f"bug b WHERE {where}"), (name,))]


def filters(catalog, **asked):
    """What our program asks: the codes of the words side by side in one number."""
    import sqlite3
    base = sqlite3.connect(catalog)
    mask = value = 0
    for kind, name in asked.items():
        code, = base.execute("SELECT code FROM word WHERE kind = ? AND name = ?", (kind, name)).fetchone()
        shift = sum(BITS[:KINDS.index(kind)])
        mask |= (1 << BITS[KINDS.index(kind)]) - 1 << shift
        value |= code << shift
    base.close()
    return mask, value


def filtered(catalog, **asked):
    mask, value = filters(catalog, **asked)
    where = f"b.retracted = '' AND (b.facets & {mask}) = {value}"
    return [(FROM_BUG + f"WHERE {where} ORDER BY b.id LIMIT 50", ()),
            (COUNT.format(f"bug b WHERE {where}"), ())]


def text(words, catalog=None, **asked):
    match = " ".join(f'"{w}"' for w in words.split())
    if asked:
        mask, value = filters(catalog, **asked)
        for i, _ in enumerate(KINDS):
            shift, width = sum(BITS[:i]), (1 << BITS[i]) - 1
            if mask >> shift & width:
                match += f' "{chr(0xe000 + i)}{value >> shift & width}"'
    return [(FROM_TEXT, (match,)), (COUNT.format("bug_text WHERE bug_text MATCH ?"), (match,))]


def runnable(words, catalog):
    """Of the bugs with these words those whose Python modules are all here."""
    import sqlite3
    base = sqlite3.connect(catalog)
    wanted = [m for m, in base.execute("SELECT DISTINCT modules FROM environment") if m]
    base.close()
    look = "import importlib.util, sys\nfor m in sys.argv[1:]: print(int(all(map(importlib.util.find_spec, m.split()))))"
    found = subprocess.run([PYTHON, "-I", "-c", look, *(m.replace(",", " ") for m in wanted)],
                           stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    here = [m for m, there in zip(wanted, found) if there == "1"]
    only = "e.modules IN (" + ", ".join("?" * len(here)) + ")"
    match = " ".join(f'"{w}"' for w in words.split())
    return [(FROM_TEXT.replace(" ORDER", f" AND {only} ORDER"), (match, *here)),
            (COUNT.format(f"bug_text f JOIN environment e ON e.bug = f.rowid WHERE bug_text MATCH ? AND {only}"),
             (match, *here))]


def show(bug):
    return [("SELECT * FROM bug b JOIN environment e ON e.bug = b.num WHERE b.id = ?", (bug,)),
            ("SELECT * FROM version WHERE bug = (SELECT num FROM bug WHERE id = ?)", (bug,)),
            ("SELECT tool FROM bug_tool WHERE bug = (SELECT num FROM bug WHERE id = ?)", (bug,)),
            ("SELECT other_id FROM similar WHERE bug = (SELECT num FROM bug WHERE id = ?)", (bug,)),
            ("SELECT * FROM verification WHERE bug = (SELECT num FROM bug WHERE id = ?) "
             "ORDER BY num DESC LIMIT 5", (bug,))]


# What the peer does: argv is the file and the questions as JSON.
PEER = """
import json, sqlite3, sys
base = sqlite3.connect(sys.argv[1])
for question, values in json.loads(sys.argv[2]):
    for row in base.execute(question, values):
        print(*row, sep="\\t")
"""


def runs(count, argv):
    """[(milliseconds, KiB)]"""
    out = subprocess.run([os.path.join(BUILD, "bench_stopwatch"), str(count), *argv],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
    lines = [line.split() for line in out.stdout.splitlines()]
    if any(code != "0" for _, _, code in lines):
        sys.exit(f"{' '.join(argv)}: failed")
    return [(float(ms), int(kib)) for ms, kib, _ in lines]


def check_answers(ours, peer, name):
    """The ids of both, in the same order."""
    if name == "stats":
        out = subprocess.run(ours + ["--format", "json"], stdout=subprocess.PIPE, check=True).stdout
        rows = subprocess.run(peer, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        if json.loads(out)["bugs"] != len(rows):
            sys.exit("stats: the counts differ")
        return
    out = subprocess.run(ours + ["--format", "json"], stdout=subprocess.PIPE, check=True).stdout
    answer = json.loads(out)
    mine = [bug["id"] for bug in (answer if isinstance(answer, list) else [answer])]
    out = subprocess.run(peer, stdout=subprocess.PIPE, text=True, check=True).stdout
    column = 1 if name == "show" else 0
    others = [line.split("\t")[column] for line in out.splitlines() if "\t" in line][:len(mine)]
    if not mine or mine != others:
        sys.exit(f"{name}: the answers differ: {mine[:3]}... and {others[:3]}...")


def say(name, ours, peer_name, peer, unit):
    ratio = peer / ours
    print(f"bench catalog/{name}: ours {ours:.1f} {unit} peer {peer_name} {peer:.1f} {unit} "
          f"ratio {ratio:.2f} target 1 {'ok' if ratio >= 1 else 'short'}", flush=True)
    return ratio >= 1


def measure(size, name, arguments, questions, catalog, limits):
    ours = [LACEWING, "bugs", *arguments, "--catalog", catalog]
    peer = [PYTHON, "-I", "-c", PEER, catalog, json.dumps(questions)]
    check_answers(ours, peer, name)
    runs(3, ours), runs(1, peer)
    mine, others = [], []
    for _ in range(ROUNDS):
        mine += runs(OURS, ours)
        others += runs(PEERS, peer)
    def middle(figures, i):
        return statistics.median(f[i] for f in figures)
    full = f"{name}-{size}"
    good = say(full, middle(mine, 0), "python-sqlite3", middle(others, 0), "ms")
    quietest = min(middle(mine[i:i + OURS], 0) for i in range(0, len(mine), OURS))
    if limits:
        good &= say(full + "-time", quietest, "limit", limits[0], "ms")
    if len(limits) > 1:
        good &= say(full + "-memory", max(m[1] for m in mine) / 1000, "limit", limits[1], "MB")
    return good


def main():
    if not os.access(PYTHON, os.X_OK):
        print("bench catalog/queries: skipped /usr/bin/python3 is missing")
        return 0
    good = True
    with tempfile.TemporaryDirectory(prefix="lacewing-bench-") as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        small, large = folder + "/small.db", folder + "/large.db"
        fill = os.path.join(BUILD, "bench_catalog_fill")
        subprocess.run([fill, small, "0"], check=True)
        bug = "np-uint8-wraparound"
        good &= measure("embedded", "list", ["list", "--limit", "50"], LIST, small, (15, 20))
        good &= measure("embedded", "show", ["show", bug], show(bug), small, (15, 20))
        print(f"filling a catalogue with {MANY} bugs", file=sys.stderr, flush=True)
        subprocess.run([fill, large, str(MANY)], check=True)
        size = f"{MANY // 1000}k"
        good &= measure(size, "list", ["list", "--limit", "50"], LIST, large, (30,))
        good &= measure(size, "show", ["show", bug], show(bug), large, (30,))
        good &= measure(size, "category", ["list", "--category", "shape", "--limit", "50"],
                        category("shape"), large, (30,))
        leaf = "Wrong loss function calculation"
        good &= measure(size, "two-filters", ["list", "--category", "shape", "--symptom", "nan",
                                              "--limit", "50"],
                        filtered(large, category="shape", symptom="nan"), large, (30,))
        good &= measure(size, "four-filters", ["list", "--category", "type", "--symptom", "hang",
                                               "--leaf", leaf, "--framework", "numpy", "--limit", "50"],
                        filtered(large, category="type", symptom="hang", leaf=leaf, framework="numpy"),
                        large, (30,))
        good &= measure(size, "text-and-filter", ["list", "--text", "tensor", "--leaf", leaf,
                                                  "--limit", "50"],
                        text("tensor", large, leaf=leaf), large, (30,))
        good &= measure(size, "text-and-two", ["list", "--text", "gradient loss", "--category", "shape",
                                               "--symptom", "nan", "--limit", "50"],
                        text("gradient loss", large, category="shape", symptom="nan"), large, (30,))
        good &= measure(size, "runnable", ["list", "--runnable", "--text", "tensor", "--limit", "50"],
                        runnable("tensor", large), large, (30,))
        good &= measure(size, "stats", ["stats"], STATS, large, ())
        for kind, words in (("rare", "quicksilver"), ("frequent", "tensor"),
                            ("two", "gradient loss")):
            good &= measure(size, "text-" + kind, ["list", "--text", words, "--limit", "50"],
                            text(words), large, (30,))
    return 0 if good else 1


sys.exit(main())
