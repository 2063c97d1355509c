#!/usr/bin/python3
"""The SWT reports of BLIA as sets for `lacewing locate eval --languages java`.

usage: swt.py BLIA SWT OUT     two git repositories (klausyoum/BLIA, eclipse.platform.swt), a new folder

The published figures rank the 484 files of one snapshot, the sources of SWT 3.659 for Windows, by their
package. So OUT/eclipse+swt is a repository with the history of just those folders, their names cut off.
OUT/snapshot.jsonl judges every report there, as published; OUT/before.jsonl at the
last commit before its fix, as the development set does. Prints how to go on.
"""
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

TAG = "v3659"
BUNDLE = "bundles/org.eclipse.swt/"


def git(repo, *args, data=None):
    return subprocess.run(["git", "-C", repo, *args], input=data, check=True, stdout=subprocess.PIPE).stdout


def folders(swt):
    text = git(swt, "show", f"{TAG}:{BUNDLE}.classpath_win32").decode()
    return [BUNDLE + path + "/" for path in re.findall(r'kind="src" path="([^"]+)"', text)]


def unquote(path):
    return path[1:-1] if path.startswith('"') else path


def flat(path, places):
    """The path below its source folder, or None."""
    for place in places:
        if path.startswith(place) and path.endswith(".java"):
            return path[len(place):]
    return None


def put_changes(out, changes):
    """A file that moved between two folders is both deleted and written: what was written counts."""
    written = {path for path, mode in changes if mode}
    for path, mode in changes:
        if mode:
            out.write(f"M {mode} {path}\n".encode())
        elif path not in written:
            out.write(f"D {path}\n".encode())


def make_repository(swt, repo, places):
    git(".", "init", "-q", "--bare", repo)
    borrowed = os.path.join(repo, "objects", "info", "alternates")
    with open(borrowed, "w", encoding="utf8") as out:
        out.write(os.path.join(os.path.abspath(swt), "objects") + "\n")
    source = subprocess.Popen(["git", "-C", swt, "fast-export", "--no-data", "--reencode=yes", "--signed-tags=strip",
                               "--tag-of-filtered-object=drop", f"{TAG}^{{commit}}", "--", "--", *places],
                              stdout=subprocess.PIPE)
    sink = subprocess.Popen(["git", "-C", repo, "fast-import", "--quiet", "--force"], stdin=subprocess.PIPE)
    changes = []
    lines = source.stdout
    for line in iter(lines.readline, b""):
        if line.startswith(b"data "):
            sink.stdin.write(line + lines.read(int(line[5:])))
            continue
        if line.startswith(b"M "):
            _, mode, blob, path = line.decode().rstrip("\n").split(" ", 3)
            path = flat(unquote(path), places)
            changes += [(path, f"{mode} {blob}")] if path else []
            continue
        if line.startswith(b"D "):
            path = flat(unquote(line.decode().rstrip("\n")[2:]), places)
            changes += [(path, None)] if path else []
            continue
        put_changes(sink.stdin, changes)
        changes = []
        if line.startswith((b"commit ", b"reset ")):
            line = line.split(b" ")[0] + b" refs/heads/main\n"
        sink.stdin.write(line)
    put_changes(sink.stdin, changes)
    sink.stdin.close()
    if source.wait() or sink.wait():
        sys.exit("git fast-export or fast-import failed")
    git(repo, "symbolic-ref", "HEAD", "refs/heads/main")
    git(repo, "repack", "-adq")
    os.remove(borrowed)


def stamp(date):
    return date.replace(" ", "T") + "Z"


def reports(blia):
    root = ET.fromstring(git(blia, "show", "HEAD:data/SWTBugRepository.xml"))
    for bug in root.iter("bug"):
        files = sorted({e.text.strip() for e in bug.iter("file")})
        yield {"project": "eclipse+swt", "id": bug.get("id"), "open_date": stamp(bug.get("opendate")),
               "fix_time": stamp(bug.get("fixdate")), "summary": bug.findtext(".//summary") or "",
               "description": bug.findtext(".//description") or "",
               "truth": [name[:-len(".java")].replace(".", "/") + ".java" for name in files]}


def first_fix(swt, blia):
    """Report to the date of its first fix commit, in seconds."""
    first = {}
    for line in git(blia, "show", "HEAD:data/SWTFixedCommits.txt").decode().splitlines():
        report, *commits = line.split()
        known = git(swt, "cat-file", "--batch-check", data="\n".join(commits).encode()).decode().splitlines()
        there = [x.split()[0] for x in known if x.split()[1] == "commit"]
        if there:
            dates = git(swt, "show", "-s", "--format=%ct", *there).split()
            first[report] = min(int(d) for d in dates)
    return first


def main():
    blia, swt, out = sys.argv[1:]
    os.makedirs(out)
    repo = os.path.join(out, "eclipse+swt")
    make_repository(swt, repo, folders(swt))
    head = git(repo, "rev-parse", "main").decode().strip()
    fixes = first_fix(swt, blia)
    with open(os.path.join(out, "snapshot.jsonl"), "w", encoding="utf8") as snapshot, \
            open(os.path.join(out, "before.jsonl"), "w", encoding="utf8") as before:
        for report in reports(blia):
            snapshot.write(json.dumps(dict(report, buggy_commit=head)) + "\n")
            when = fixes.get(report["id"])
            commit = git(repo, "rev-list", "-1", f"--before={when - 1}", "main").decode().strip() if when else ""
            if commit:
                before.write(json.dumps(dict(report, buggy_commit=commit)) + "\n")
    for name in ("snapshot", "before"):
        print(f"lacewing locate eval --dataset {out}/{name}.jsonl --repos {out} --languages java --technique "
              "bm25,buglocator,bluir,blia,lacewing")


main()
