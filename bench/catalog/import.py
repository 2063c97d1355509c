#!/usr/bin/python3
"""Importing 100,000 synthetic bugs from a gDefects4DL data base: bugs a second and peak memory.

The limits are 20,000 bugs a second and 100 MB. The rate is by the wall, as a user sees it, of the
fastest of five rounds, since other work on the machine only ever adds; all rounds are printed on
standard error. Beside it the peer: a Python process that parses the same file (ElementTree, as a stream)
and inserts the same fields into one SQLite table with a full-text index, in one transaction.

LW_BENCH_BUGS=N takes N bugs instead of 100,000.
"""
import os
import random
import subprocess
import sys
import tempfile

BUILD = os.environ.get("LW_BUILD") or os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "build")
LACEWING = os.path.join(BUILD, "lacewing")
PYTHON = "/usr/bin/python3"
MANY = int(os.environ.get("LW_BENCH_BUGS", "100000"))
ROUNDS = 5
TYPES = ["shape mismatch", "type mismatch", "numeric error", "API misuse", "Performance",
         "architecture design convention"]
WORDS = ["tensor", "gradient", "model", "loss", "layer", "batch", "shape", "input", "epoch", "value"]

PEER = """
import sqlite3, sys
import xml.etree.ElementTree as tree
base = sqlite3.connect(sys.argv[2])
base.execute("PRAGMA journal_mode = WAL")
base.execute("CREATE TABLE bug(num INTEGER PRIMARY KEY, id TEXT UNIQUE, describe, type, error, "
             "buggy, fixed, issue, fix, tools, similar, support)")
base.execute("CREATE VIRTUAL TABLE words USING fts5(id, describe, error, content='bug', "
             "content_rowid='num', tokenize='porter unicode61')")
names = ("id", "describe", "type", "errormessage", ".//buggycommit", ".//fixcommit", "issue_url",
         "commit_url", "detection_tools", "similar_bugs", "support_level")
for event, element in tree.iterparse(sys.argv[1]):
    if element.tag == "bug":
        row = [(element.findtext(n) or "").strip() for n in names]
        base.execute("INSERT INTO bug VALUES(NULL,?,?,?,?,?,?,?,?,?,?,?)", row)
        base.execute("INSERT INTO words(rowid, id, describe, error) VALUES(last_insert_rowid(),?,?,?)",
                     (row[0], row[1], row[3]))
    elif element.tag == "sir":
        element.clear()
base.commit()
"""


def write(path):
    draw = random.Random(1)
    made_up = ["".join(draw.choice("bcdfgklmnprstvw") + draw.choice("aeiou") for _ in range(3)) for _ in range(4000)]
    with open(path, "w", encoding="utf-8") as f:
        f.write("<root>\n")
        for i in range(MANY):
            text = " ".join(draw.choice(WORDS) if draw.random() < 0.3 else made_up[int(4000 * draw.random() ** 3)]
                            for _ in range(20))
            f.write(f"""    <sir>
        <name>project{i % 977}</name>
        <source>https://example.org/owner/project{i % 977}</source>
        <bug>
            <id>syn-{i * 2654435761 % 1000003:06x}-{i}</id>
            <errormessage>{draw.choice(["ValueError", "TypeError", "None", "RuntimeError"])}</errormessage>
            <describe>{text}</describe>
            <type>{draw.choice(TYPES)}</type>
            <support_level>{1 + i % 9}</support_level>
            <similar_bugs></similar_bugs>
            <buggyVersion><buggycommit>{draw.getrandbits(160):040x}</buggycommit></buggyVersion>
            <fixVersion><fixcommit>{draw.getrandbits(160):040x}</fixcommit></fixVersion>
            <issue_url>https://example.org/owner/project{i % 977}/issues/{i}</issue_url>
            <commit_url>https://example.org/owner/project{i % 977}/commit/{i}</commit_url>
            <detection_tools></detection_tools>
        </bug>
    </sir>
""")
        f.write("</root>\n")


# In a process of its own, so that what we hold ourselves does not count.
LAUNCH = """
import json, os, subprocess, sys, time
begin = time.monotonic()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
print(json.dumps([status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, time.monotonic() - begin]))
"""


def measure(argv):
    import json
    done = subprocess.run([PYTHON, "-I", "-c", LAUNCH, *argv], stdout=subprocess.PIPE, check=True)
    status, cpu, peak, wall = json.loads(done.stdout)
    if status:
        sys.exit(f"{' '.join(argv)}: failed")
    return cpu, peak, wall


def say(name, ours, peer_name, peer, unit, ratio):
    print(f"bench catalog/{name}: ours {ours:.0f} {unit} peer {peer_name} {peer:.0f} {unit} "
          f"ratio {ratio:.2f} target 1 {'ok' if ratio >= 1 else 'short'}", flush=True)
    return ratio >= 1


def main():
    if not os.access(PYTHON, os.X_OK):
        print("bench catalog/import: skipped /usr/bin/python3 is missing")
        return 0
    with tempfile.TemporaryDirectory(prefix="lacewing-bench-") as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        xml = folder + "/Database.xml"
        write(xml)
        ours, peers = [], []
        for i in range(ROUNDS):
            catalog = f"{folder}/c{i}.db"
            subprocess.run([LACEWING, "bugs", "list", "--limit", "1", "--quiet", "--catalog", catalog],
                           stdout=subprocess.DEVNULL, check=True)
            ours.append(measure([LACEWING, "bugs", "import", xml, "--from", "gdefects4dl", "--catalog", catalog]))
            peers.append(measure([PYTHON, "-I", "-c", PEER, xml, f"{folder}/p{i}.db"]))
        for cpu, _, wall in ours:
            print(f"ours: {MANY / wall:.0f} bugs/s, {MANY / cpu:.0f} of CPU time", file=sys.stderr)
        rate, other = MANY / min(o[2] for o in ours), MANY / min(p[2] for p in peers)
        peak = max(o[1] for o in ours) / 1e6
        good = say("import", rate, "python-etree-sqlite3", other, "bugs/s", rate / other)
        good &= say("import-rate", rate, "limit", 20000, "bugs/s", rate / 20000)
        good &= say("import-memory", peak, "limit", 100, "MB", 100 / peak)
    return 0 if good else 1


sys.exit(main())
