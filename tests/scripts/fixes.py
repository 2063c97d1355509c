"""Changed Python files of commits in git repositories, taken out for the drivers of tree differences."""
import os
import re
import subprocess

RAW = re.compile(r":\d+ \d+ (\w+) (\w+) M\t(.*)")
FIX = r"\b(fix|bug|error|crash|nan)\w*"


def repositories():
    """Git folders named by LW_MIRRORS: a list of folders, each one or holding owner+name/repo."""
    found = []
    for top in filter(None, os.environ.get("LW_MIRRORS", "").split(":")):
        candidates = [top] + sorted(os.path.join(top, n, "repo") for n in
                                    (os.listdir(top) if os.path.isdir(top) else []))
        for path in candidates:
            for git in (path, os.path.join(path, ".git")):
                if os.path.isdir(os.path.join(git, "objects")):
                    found.append(git)
                    break
    return found


def git(folder, *words):
    return subprocess.run(["git", "--git-dir", folder, *words], capture_output=True, check=False)


def blob(folder, name, into):
    """The path of the blob written below `into`, or None where the mirror has it not."""
    path = os.path.join(into, name + ".py")
    if not os.path.exists(path):
        got = git(folder, "cat-file", "blob", name)
        if got.returncode:
            return None
        with open(path, "wb") as file:
            file.write(got.stdout)
    return path


def changes(folder, old, new, into, most=20):
    """(path, old file, new file) for the modified Python files between two trees."""
    words = [old, new] if old else [new]
    raw = git(folder, "diff-tree", "-r", "--no-renames", *words, "--", "*.py")
    found = []
    for line in raw.stdout.decode(errors="replace").splitlines():
        m = RAW.match(line)
        if m and len(found) < most:
            a, b = blob(folder, m[1], into), blob(folder, m[2], into)
            if a and b:
                found.append((m[3], a, b))
    return found


def fix_commits(folder, most):
    log = git(folder, "log", "--no-merges", "-i", "-E", "--grep=" + FIX, "--format=%H", "-n", str(3 * most),
              "--diff-filter=M", "--", "*.py")
    return log.stdout.decode().split()
