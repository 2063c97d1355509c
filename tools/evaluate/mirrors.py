"""Work trees of public repositories: bare mirrors come in, folders with the Python of one commit come out."""
import json
import os
import subprocess

PYTHON = ("*.py", "*.ipynb")


def git_dir(mirrors, repo):
    """MIRRORS/owner+name, itself a repository or with repo, repo/.git or .git inside; None: not there."""
    base = os.path.join(mirrors, repo.replace("/", "+"))
    for inside in ("repo/.git", "repo", ".git", ""):
        path = os.path.join(base, inside)
        if os.path.isdir(os.path.join(path, "objects")):
            return path
    return None


class WorkTree:
    """A repository's Python files in `folder`, one commit at a time; the mirror is only read."""

    def __init__(self, mirrors, repo, folder):
        source = git_dir(mirrors, repo)
        if source is None:
            raise LookupError(f"no mirror of {repo} in {mirrors}")
        self.folder = folder
        subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", source, folder], check=True)
        self.git("sparse-checkout", "set", "--no-cone", *PYTHON)

    def git(self, *words):
        done = subprocess.run(["git", "-C", self.folder, *words], capture_output=True, text=True, errors="replace")
        if done.returncode:
            raise RuntimeError(f"git {words[0]}: {done.stderr.strip().splitlines()[-1:]}")
        return done.stdout

    def show(self, commit):
        """A mirror may lack large files: what is there is shown, the others are left out."""
        try:
            self.git("checkout", "--quiet", "--force", "--detach", commit)
        except RuntimeError:
            self.git("clean", "-dfqx")
            self.git("read-tree", commit)
            names = self.git("ls-files", "-z", "--", *PYTHON)
            subprocess.run(["git", "-C", self.folder, "checkout-index", "-f", "-q", "-z", "--stdin"], input=names,
                           text=True, stderr=subprocess.DEVNULL, check=False)

    def changed_lines(self, old, new, path):
        """Lines that a change touches, on the old and on the new side; an insertion counts as its neighbours."""
        sides = (set(), set())
        for line in self.git("diff", "-U0", old, new, "--", path).splitlines():
            if line.startswith("@@"):
                for side, part in zip(sides, line.split()[1:3]):
                    first, _, count = part[1:].partition(",")
                    first, count = int(first), int(count or 1)
                    side.update(range(first, first + count) if count else (first, first + 1))
        return sides


def check(lacewing, paths, folder, *options, timeout=600):
    """The findings of `lacewing check`; an empty list where it fails, with a word about it."""
    try:
        done = subprocess.run([os.path.abspath(lacewing), "check", "--format", "json", *options, *paths], cwd=folder,
                              capture_output=True, timeout=timeout)
        return json.loads(done.stdout), ""
    except (ValueError, subprocess.TimeoutExpired) as trouble:
        return {"findings": [], "statistics": {"lines": 0}}, f"{type(trouble).__name__}: {trouble}"
