#!/usr/bin/python3
"""How the cost of `locate eval` grows: a plot of processor time over distinct blobs and reports.

usage: growth.py OUT.svg     (LW_LOCATE_SET and LW_LOCATE_REPOS as for eval.py)

Each project of the set is one point: cold against its distinct blobs, warm against its reports times
candidates. Not a benchmark of its own: prints the points and writes the plot.
"""
import collections
import gzip
import json
import os
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(os.environ.get("LW_BUILD") or os.path.join(SOURCE, "build"), "lacewing")


def run(cache, project):
    child = subprocess.Popen([PROGRAM, "locate", "eval", "--dataset", os.environ["LW_LOCATE_SET"], "--repos",
                              os.environ["LW_LOCATE_REPOS"], "--technique", "buglocator,bm25,bluir", "--projects",
                              project, "--cache", cache, "--jobs", "1", "--format", "json"],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    result = json.loads(child.stdout.read())
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    return result, usage.ru_utime + usage.ru_stime


def panel(x0, title, label, points):
    """Points with the line through the origin that fits best."""
    wide, high = 300, 220
    most_x, most_y = max(p[0] for p in points), max(p[1] for p in points)
    slope = sum(x * y for x, y, _ in points) / sum(x * x for x, _, _ in points)
    at = lambda x, y: (x0 + x / most_x * wide * .95, 40 + high - y / most_y * high * .95)
    out = [f'<text x="{x0}" y="24" font-weight="bold">{title}</text>',
           f'<path d="M{x0} 40V{40 + high}H{x0 + wide}" fill="none" stroke="#888"/>',
           f'<text x="{x0 + wide}" y="{40 + high + 16}" text-anchor="end">{label} (to {most_x:,.0f})</text>',
           f'<text x="{x0 + 4}" y="52">s, to {most_y:.2f}</text>']
    x, y = at(most_x, slope * most_x)
    out.append(f'<path d="M{x0} {40 + high}L{x:.1f} {y:.1f}" stroke="#c66" stroke-dasharray="4"/>')
    for px, py, name in points:
        x, y = at(px, py)
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#47a"><title>{name}</title></circle>')
    return "\n".join(out)


def main():
    path = os.environ["LW_LOCATE_SET"]
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf8") as lines:
        projects = collections.Counter(json.loads(line)["project"] for line in lines)
    cold, warm = [], []
    with tempfile.TemporaryDirectory() as top:
        for project, reports in sorted(projects.items()):
            result, first = run(top, project)
            _, second = run(top, project)
            blobs = result["index"]["blobs"]
            cold.append((blobs, first - second, project))
            warm.append((reports, second, project))
            print(f"{project:40} blobs {blobs:6} reading {first - second:7.3f} s  reports {reports:4} scoring "
                  f"{second:7.3f} s", flush=True)
    with open(sys.argv[1], "w", encoding="utf8") as out:
        out.write('<svg xmlns="http://www.w3.org/2000/svg" width="700" height="300" font-family="sans-serif" '
                  'font-size="12">\n' + panel(20, "reading: processor time over blobs", "distinct blobs", cold) +
                  "\n" + panel(370, "warm run: processor time over reports", "reports", warm) + "\n</svg>\n")


main()
