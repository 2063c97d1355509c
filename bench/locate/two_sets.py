#!/usr/bin/python3
"""The same technique on two kinds of software: are the reports of one harder to locate?

usage: two_sets.py NAME=SET.jsonl[.gz]=RANKS.jsonl NAME=SET.jsonl[.gz]=RANKS.jsonl REPOS TECHNIQUE

SET is a set of `locate eval`, RANKS what its --per-report wrote. First all reports are compared (Welch's t-test,
Cohen's d and Cliff's delta of the average precision, by `lacewing stats`), then those whose changed files are of
like size: `lacewing source metrics` of the files as they were at the buggy commit gives lines and cyclomatic
complexity; reports between 0.75 and 1.25 times the common median of lines stay, and of both kinds as many, drawn
by a fixed seed. Prints the three answers for each, and the medians.
"""
import csv
import gzip
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(os.environ.get("LW_BUILD") or os.path.join(SOURCE, "build"), "lacewing")


def lines_of(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf8") as lines:
        return [json.loads(line) for line in lines]


def repository(repos, report):
    names = {name.lower(): name for name in os.listdir(repos)}
    for name in (report["project"], report.get("mirror") or ""):
        folder = os.path.join(repos, names.get(name.lower(), ""))
        for inside in ("", "repo"):
            if name.lower() in names and os.path.exists(os.path.join(folder, inside, "HEAD")):
                return os.path.join(folder, inside)
    return None


def measure(repos, report, folder):
    """Means of lines and complexity over the changed files that are Python."""
    repo, paths = repository(repos, report), []
    for number, path in enumerate(report["truth"]):
        done = subprocess.run(["git", "-C", repo, "show", f"{report['buggy_commit']}:{path}"], capture_output=True)
        if done.returncode == 0 and path.endswith(".py"):
            paths.append(os.path.join(folder, f"{number}.py"))
            with open(paths[-1], "wb") as out:
                out.write(done.stdout)
    if not paths:
        return None
    done = subprocess.run([PROGRAM, "source", "metrics", *paths, "--format", "json"], check=True, capture_output=True)
    whole = [m for f in json.loads(done.stdout)["files"] for m in f["metrics"] if m["file"]]
    return (statistics.mean(m["lines"] for m in whole), statistics.mean(m["cyclomatic"] for m in whole))


def load(spec, repos, technique):
    name, reports, ranks = spec.split("=")
    ap = {(r["project"], r["id"]): r["ap"] for r in lines_of(ranks) if r["technique"] == technique}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for report in lines_of(reports):
            key = (report["project"], report["id"])
            size = measure(repos, report, folder) if key in ap else None
            if size:
                rows.append({"set": name, "ap": ap[key], "lines": size[0], "cyclomatic": size[1]})
    return rows


def compare(title, rows):
    with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="") as out:
        writer = csv.DictWriter(out, ["set", "ap", "lines", "cyclomatic"])
        writer.writeheader()
        writer.writerows(rows)
        out.flush()
        print(f"== {title}")
        for name in sorted({r["set"] for r in rows}):
            own = [r for r in rows if r["set"] == name]
            print(f"{name}: {len(own)} reports, MAP {statistics.mean(r['ap'] for r in own):.4f}, median lines "
                  f"{statistics.median(r['lines'] for r in own):.0f}, median complexity "
                  f"{statistics.median(r['cyclomatic'] for r in own):.0f}")
        for test in ("welch", "cohen-d", "cliff"):
            done = subprocess.run([PROGRAM, "stats", test, out.name, "--columns", "ap", "--by", "set"], check=True,
                                  capture_output=True, text=True)
            print(test + ":", [x for x in done.stdout.splitlines() if x and not x.startswith("note")][-1])


def main():
    first, second, repos, technique = sys.argv[1:]
    sets = [load(spec, repos, technique) for spec in (first, second)]
    compare("all reports", sets[0] + sets[1])
    median = statistics.median(r["lines"] for r in sets[0] + sets[1])
    alike = [[r for r in rows if 0.75 * median <= r["lines"] <= 1.25 * median] for rows in sets]
    count = min(len(rows) for rows in alike)
    drawn = random.Random(0)
    compare(f"changed files of {0.75 * median:.0f} to {1.25 * median:.0f} lines, as many of both",
            [r for rows in alike for r in drawn.sample(rows, count)])


main()
