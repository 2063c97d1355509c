#!/usr/bin/python3
"""A whole set of reports with three techniques, against the same in Python.

LW_LOCATE_SET is the set, LW_LOCATE_REPOS the folder of its repositories, LW_LOCATE_PEER the peer: a
Python program with `main` (options --dataset and --repos) and `rank`, which scores one report. The
peer runs once; ours runs cold (an empty cache) and warm, the best of three. Wall time, since ours uses
all processors; where others use them too, `cold-processor` still tells: processor time of both, whose ratio
times the processors is what wall time comes to on a free machine, so 40 on two is 20. Then one query on a warm
repository of 1,000 files, the whole process, median of 30; and the memory of the cold run.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = os.environ.get("LW_SOURCE") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("LW_BUILD") or os.path.join(SOURCE, "build")
PROGRAM = os.path.join(BUILD, "lacewing")
sys.path.insert(0, os.path.join(SOURCE, "tests", "scripts"))
from git_synthetic import ENV, git

ROUNDS, QUERIES, FILES = 3, 30, 1000
PEER = """
import importlib.util, os, sys, time
path = sys.argv.pop(1)
sys.path.insert(0, os.path.dirname(path))
spec = importlib.util.spec_from_file_location("peer", path)
peer = importlib.util.module_from_spec(spec)
spec.loader.exec_module(peer)
scoring, rank = [0.0], peer.rank
def timed(*args):
    start = time.perf_counter()
    result = rank(*args)
    scoring[0] += time.perf_counter() - start
    return result
peer.rank = timed
start = time.perf_counter()
peer.main()
print("TIMES", time.perf_counter() - start, scoring[0])
"""


def say(name, ours, unit, peer, value, target):
    ratio = value / ours
    print(f"bench locate/{name}: ours {ours:.4g} {unit} peer {peer} {value:.4g} {unit} ratio {ratio:.2f} "
          f"target {target} {'ok' if ratio >= target else 'short'}", flush=True)


def measured(command, **more):
    """Seconds, peak bytes and seconds of processors of one run, with those it started."""
    start = time.perf_counter()
    child = subprocess.Popen(command, **more)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{command[0]} failed")
    return time.perf_counter() - start, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime


def ours(cache, dataset, repos):
    return measured([PROGRAM, "locate", "eval", "--dataset", dataset, "--repos", repos, "--technique",
                     "buglocator,bm25,bluir", "--cache", cache, "--format", "json"], stdout=subprocess.DEVNULL)


def whole_set(top):
    wanted = ("LW_LOCATE_SET", "LW_LOCATE_REPOS", "LW_LOCATE_PEER")
    missing = [name for name in wanted if not os.environ.get(name)]
    if missing:
        for name in ("cold", "cold-processor", "warm", "memory"):
            print(f"bench locate/{name}: skipped {missing[0]}")
        return
    dataset, repos, peer = (os.environ[name] for name in wanted)
    cold, warm, processor, memory = [], [], [], 0
    for _ in range(ROUNDS):
        cache = tempfile.mkdtemp(dir=top)
        seconds, used, busy = ours(cache, dataset, repos)
        cold.append(seconds)
        processor.append(busy)
        memory = max(memory, used)
        warm.append(ours(cache, dataset, repos)[0])
        shutil.rmtree(cache)
    with tempfile.TemporaryFile("w+", encoding="utf8") as out:
        _, _, busy = measured([sys.executable, "-c", PEER, peer, "--dataset", dataset, "--repos", repos], stdout=out)
        out.seek(0)
        total, scoring = (float(x) for x in out.read().split("TIMES")[1].split())
    say("cold", min(cold), "s", "python", total, 40)
    say("cold-processor", min(processor), "s", "python", busy, 20)
    say("warm", min(warm), "s", "python-scoring", scoring, 20)
    say("memory", memory / 2**20, "MB", "limit", 500, 1)


def make_repository(folder):
    words = "tensor batch layer model loss label seed gradient optimizer kernel device metric".split()
    os.makedirs(os.path.join(folder, "pkg"))
    git(os.path.dirname(folder), "init", "-q", folder)
    for i in range(FILES):
        with open(os.path.join(folder, "pkg", f"file{i}.py"), "w", encoding="utf8") as out:
            for k in range(40):
                a, b, c = (words[(i * 31 + k * j + k * k) % len(words)] for j in (3, 5, 7))
                out.write(f"def {a}_{b}_{(i * k) % 97}(self, {c}):\n"
                          f'    """{a} of the {b}"""\n    return self.{c}.{a}({b}_{k % 13})\n\n')
    git(folder, "add", "-A")
    env = dict(ENV, GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@x", GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@x")
    subprocess.run(["git", "-C", folder, "commit", "-q", "-m", "x"], env=env, check=True)
    return git(folder, "rev-parse", "HEAD").decode().strip()


def one_query(top):
    repo = os.path.join(top, "repo")
    commit = make_repository(repo)
    report = os.path.join(top, "report.md")
    with open(report, "w", encoding="utf8") as out:
        out.write("Loss of the model is nan\n\n" + "The gradient of a batch overflows in kernel_loss_3. " * 20)
    for technique in ("bm25", "bluir", "lacewing"):
        seconds = []
        for _ in range(QUERIES + 1):
            start = time.perf_counter()
            subprocess.run([PROGRAM, "locate", "--repo", repo, "--commit", commit, "--report", report, "--technique",
                            technique, "--cache", os.path.join(top, "cache")], check=True, capture_output=True)
            seconds.append(time.perf_counter() - start)
        say("query-" + technique, statistics.median(seconds[1:]) * 1000, "ms", "limit", 10, 1)


def main():
    if not shutil.which("git"):
        print("bench locate/eval: skipped git")
        return
    with tempfile.TemporaryDirectory() as top:
        one_query(top)
        whole_set(top)


main()
