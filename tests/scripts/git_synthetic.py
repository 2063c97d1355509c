"""A git repository with edits, renames, copies, merges and odd things, the same for the same seed.

make(folder, commits, seed) writes a bare repository through `git fast-import`. By default a third
of the changes are odd, so that few commits show much; `calm` is the share of changes that are
plain edits whatever was drawn. Public repositories have 1 % renames and 3 % new files: calm 0.9.
"""
import os
import random
import subprocess

WORDS = ("layer model tensor batch epoch loss gradient optimizer weight shape axis dropout kernel "
         "stride padding input output train evaluate sample label device metric seed").split()
ENV = dict(os.environ, GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL=os.devnull, LC_ALL="C",
           GIT_CONFIG_COUNT="1", GIT_CONFIG_KEY_0="safe.directory", GIT_CONFIG_VALUE_0="*",
           GIT_ATTR_NOSYSTEM="1", GIT_NO_REPLACE_OBJECTS="1")
for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
    ENV.pop(name, None)


def git(repo, *args, **more):
    """What git prints, as bytes; raises when it fails."""
    return subprocess.run(["git", "-C", repo, *args], env=ENV, check=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more).stdout


class Maker:
    def __init__(self, seed, calm):
        self.random, self.calm = random.Random(seed), calm
        self.files_of = {}  # by mark
        self.stream, self.mark, self.time, self.serial = [], 0, 1500000000, 0

    def line(self):
        r = self.random
        words = " ".join(r.choice(WORDS) for _ in range(r.randint(1, 6)))
        return "    " * r.randint(0, 3) + words + (f" = {r.randint(0, 999)}" if r.random() < .6 else "")

    def fresh(self):
        return [self.line() for _ in range(self.random.randint(3, 120))]

    def name(self):
        self.serial += 1
        folder = self.random.choice(["", "src/", "src/nn/", "tests/", "docs/", "src/nn/deep/"])
        return f"{folder}{self.random.choice(WORDS)}_{self.serial % 37}_{self.serial}.py"

    def edit(self, lines):
        r, lines = self.random, list(lines)
        for _ in range(r.randint(1, 4)):
            at = r.randint(0, len(lines))
            kind = r.random()
            if kind < .4:
                lines[at:at] = [self.line() for _ in range(r.randint(1, 5))]
            elif kind < .7 and lines:
                del lines[at:at + r.randint(1, 4)]
            elif lines:
                lines[min(at, len(lines) - 1)] = self.line()
        return lines

    def change(self, files):
        """Some changes of one commit."""
        r = self.random
        for _ in range(r.choice([1, 1, 1, 2, 2, 3, 5])):
            names, kind = sorted(files), 1 if r.random() < self.calm else r.random()
            if not names or kind < .15:
                files[self.name()] = self.fresh()
            elif kind < .2:
                files.pop(r.choice(names))
            elif kind < .3:
                old = r.choice(names)
                body = files.pop(old)
                # the same name elsewhere, or another one; exact or edited
                new = "moved/" + os.path.basename(old) if r.random() < .4 else self.name()
                files[new] = body if r.random() < .4 else self.edit(body)
            elif kind < .34:
                files[self.name()] = list(files[r.choice(names)])
            elif kind < .36:
                files["pkg%d/__init__.py" % r.randint(0, 9)] = []
            elif kind < .37:
                old = names[r.randrange(len(names))].split("/")[0] + "/"
                for n in [n for n in names if n.startswith(old)]:
                    files["again/" + n] = files.pop(n)
            else:
                one = r.choice(names)
                files[one] = self.edit(files[one])

    def commit(self, branch, files, parents):
        self.mark += 1
        self.time += self.random.choice([0, 1, 60, 3600, -30])
        message = f"change {self.mark}".encode()
        out = self.stream.append
        out(f"commit {branch}\nmark :{self.mark}\n".encode())
        out(f"author A U Thor <a@example.com> {self.time} +0100\n".encode())
        out(f"committer C O Mitter <c@example.com> {self.time} +0100\n".encode())
        out(b"data %d\n%s\n" % (len(message), message))
        for i, parent in enumerate(parents):
            out(f"{'merge' if i else 'from'} :{parent}\n".encode())
        before = self.files_of.get(parents[0], {}) if parents else {}
        self.files_of[self.mark] = dict(files)
        for name in sorted(before.keys() - files.keys()):
            out(f"D {name}\n".encode())
        for name, lines in sorted(files.items()):
            if before.get(name) is lines:
                continue
            body = "".join(line + "\n" for line in lines).encode()
            if name.endswith("7.py"):
                body = body[:-1]  # no line end at the end
            mode = "100755" if name.endswith("3.py") else "100644"
            out(f"M {mode} inline {name}\ndata {len(body)}\n".encode() + body + b"\n")
        return self.mark


def merged(random_, ours, theirs):
    both = dict(theirs)
    both.update({n: b for n, b in ours.items() if n not in theirs or random_.random() < .5})
    return both


def make(folder, commits, seed, calm=0, files=8):
    """A bare repository with about so many commits on HEAD; returns its path."""
    m = Maker(seed, calm)
    files = {m.name(): m.fresh() for _ in range(files)}
    tip = m.commit("refs/heads/main", files, [])
    while m.mark < commits:
        if m.random.random() < .12:
            side, at = dict(files), tip
            for _ in range(m.random.randint(1, 3)):
                m.change(side)
                at = m.commit("refs/heads/side", side, [at])
                m.change(files)
                tip = m.commit("refs/heads/main", files, [tip])
            files = merged(m.random, files, side)
            tip = m.commit("refs/heads/main", files, [tip, at])
        else:
            m.change(files)
            tip = m.commit("refs/heads/main", files, [tip])
    subprocess.run(["git", "init", "-q", "--bare", folder], env=ENV, check=True)
    git(folder, "symbolic-ref", "HEAD", "refs/heads/main")
    subprocess.run(["git", "-C", folder, "fast-import", "--quiet"], env=ENV, check=True,
                   input=b"".join(m.stream))
    git(folder, "repack", "-q", "-a", "-d")
    return folder
