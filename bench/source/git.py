#!/usr/bin/python3
"""Walking and diffing 2,000 commits with rename detection, against git.

The repository is that of LW_BENCH_GIT, else a synthetic one is made. Times are CPU seconds of the
processes (best of five, alternating), which a busy machine disturbs less than wall time.
"""
import os
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.environ.get("LW_SOURCE") or os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("LW_BUILD") or os.path.join(SOURCE, "build")
sys.path.insert(0, os.path.join(SOURCE, "tests", "scripts"))
import git_synthetic

COMMITS, ROUNDS, SAMPLE = 2000, 5, 200
# Starting a process is part of its price, so a shell pays it, too.
EACH = 'cd "$1"; shift; for c; do git diff-tree -r -M --root "$c"; done'


def cpu(*argv):
    """CPU seconds of the program; what it prints goes nowhere."""
    child = subprocess.Popen(argv, env=git_synthetic.ENV, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(argv)}: {errors.decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime


def bench(repo):
    commits = git_synthetic.git(repo, "rev-list", "--no-merges", "-n", str(COMMITS), "HEAD").decode().split()
    count = int(git_synthetic.git(repo, "rev-list", "--count", "HEAD"))
    walked = min(count, COMMITS)
    ours, log, single = [], [], []
    step = max(1, len(commits) // SAMPLE)
    for _ in range(ROUNDS):
        ours.append(cpu(os.path.join(BUILD, "lacewing"), "source", "log", repo, "--limit", str(COMMITS)))
        log.append(cpu("git", "-C", repo, "log", "--raw", "-M", "-n", str(COMMITS), "HEAD"))
        some = commits[::step][:SAMPLE]
        single.append(cpu("sh", "-c", EACH, "sh", repo, *some) / len(some))
    mine, theirs, one = min(ours), min(log), min(single) * walked
    for name, peer, value, target in (("git-log", "git-log--raw-M", theirs, 1 / 6),
                                      ("git-process", "git-diff-tree-each", one, 20)):
        ratio = value / mine
        print(f"bench source/{name}: ours {mine:.3f} s-cpu peer {peer} {value:.3f} s-cpu "
              f"ratio {ratio:.2f} target {target:.2f} {'ok' if ratio >= target else 'short'}", flush=True)
    print(f"# {walked} commits of {count}", file=sys.stderr)


def main():
    if not shutil.which("git"):
        print("bench source/git: skipped git")
        return
    if os.environ.get("LW_BENCH_GIT"):
        bench(os.environ["LW_BENCH_GIT"])
        return
    with tempfile.TemporaryDirectory() as top:
        bench(git_synthetic.make(os.path.join(top, "synthetic"), COMMITS, 3, calm=.9, files=150))


main()
