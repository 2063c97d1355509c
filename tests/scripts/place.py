"""What the fault tests share: a private catalogue, specimens made on the fly, and a look at
what is left running or lying around."""
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from tap import PROGRAM, SOURCE, Skip

sys.path.insert(0, os.path.join(SOURCE, "tests"))
import processes

INI = {
    ("bug", "id"): "t-one",
    ("bug", "title"): "A test bug",
    ("bug", "type"): "api",
    ("bug", "leaf"): "Missing dropout layer",
    ("bug", "category"): "api",
    ("bug", "symptom"): "crash",
    ("bug", "property"): "correctness",
    ("bug", "fix_pattern"): "API contract",
    ("bug", "description"): "It raises.",
    ("bug", "root_cause"): "It was told to.",
    ("bug", "generality"): "None.",
    ("framework", "name"): "numpy",
    ("framework", "modules"): "json",
    ("run", "command"): "main.py",
    ("run", "test"): "test.py",
    ("expect", "kind"): "explicit",
    ("expect", "exception"): "ValueError",
    ("expect", "message"): "boom 3",
}
FILES = {
    "buggy/main.py": "raise ValueError('boom 3')\n",
    "fixed/main.py": "x = 3\n",
    "test.py": "import main\n",
    "report.md": "It says boom.\n",
    "requirements.txt": "numpy\n",
}


def ini_text(values):
    sections = {}
    for (section, key), value in values.items():
        if value is not None:
            sections.setdefault(section, []).append(f"{key} = {value}")
    return "\n".join(f"[{name}]\n" + "\n".join(lines) + "\n" for name, lines in sections.items())


class Place:
    """A folder with everything of one lacewing user in it; use as a context."""

    def __init__(self, parent=None):
        self.top = tempfile.mkdtemp(prefix="lw-place-", dir=parent)
        os.chmod(self.top, 0o755)
        # In the name of each test file, and so on the command line of whatever runs it.
        self.mark = f"mark{random.SystemRandom().randrange(10**12):012d}"
        self.env = dict(os.environ, LC_ALL="C", COLUMNS="100", NO_COLOR="1")
        for name, folder in (("HOME", "home"), ("XDG_DATA_HOME", "data"), ("TMPDIR", "tmp"),
                             ("XDG_CACHE_HOME", "cache")):
            self.env[name] = self.path(folder)
            os.mkdir(self.path(folder))
        self.catalog = self.path("data/lacewing/catalog.db")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in self.running():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        subprocess.run(["chmod", "-R", "u+rwX", self.top], stderr=subprocess.DEVNULL)
        shutil.rmtree(self.top, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.top, *parts)

    def start(self, *arguments, before=(), **more):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "cwd": self.top,
                   "stderr": subprocess.PIPE, "text": True, "env": self.env, **more}
        return subprocess.Popen([*before, PROGRAM, *arguments], **options)

    def run(self, *arguments, limit=120, **more):
        """A finished lacewing with .returncode, .stdout, .stderr."""
        process = self.start(*arguments, **more)
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise AssertionError(f"lacewing {' '.join(arguments)}: not done after {limit} s")
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def specimen(self, name="t-one", ini=(), files=()):
        """Writes a folder in the layout of specimens/; a value of None leaves the entry out."""
        test = f"test_{self.mark}.py"
        values = {**INI, ("bug", "id"): name, ("run", "test"): test, **dict(ini)}
        contents = {**FILES, "bug.ini": ini_text(values), **dict(files)}
        if "test.py" in contents and values[("run", "test")] == test:
            contents[test] = contents.pop("test.py")
        for path, content in contents.items():
            if content is None:
                continue
            target = self.path(name, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as f:
                f.write(content if isinstance(content, bytes) else content.encode())
        os.makedirs(self.path(name), exist_ok=True)
        return self.path(name)

    def running(self):
        """Processes that run a test of this place, and what lacewing forked to watch them: of a
        killed one they live a moment longer, and hold its folder until they end."""
        place = f"TMPDIR={self.path('tmp')}\0".encode()
        return processes.matching(lambda environment, command:
                                  self.mark.encode() in command or place in environment)

    def nothing_runs(self, seconds=0):
        """After a moment, where allowed: what was killed takes its children along, but not at once."""
        deadline = time.monotonic() + seconds
        while (left := self.running()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left, f"left running: {left}"

    def nothing_left(self, seconds=0):
        """Nothing runs (after a moment, where allowed), nothing lies in TMPDIR."""
        self.nothing_runs(seconds)
        lying = os.listdir(self.path("tmp"))
        assert not lying, f"left in TMPDIR: {lying}"

    def is_sound(self, bugs=None, catalog=None):
        catalog = catalog or self.catalog
        done = self.run("catalog", "check", "--catalog", catalog)
        assert (done.returncode, done.stdout) == (0, f"{catalog} is intact\n"), done
        base = sqlite3.connect(catalog)
        with base:
            base.execute("INSERT INTO bug_text(bug_text, rank) VALUES('integrity-check', 1)")
        if bugs is not None:
            found = [r[0] for r in base.execute(
                "SELECT id FROM bug WHERE source NOT IN ('specimen', 'gdefects4dl')")]
            assert sorted(found) == sorted(bugs), found
        base.close()


def says(done, code, *texts):
    """Ended with the code, said exactly one line on standard error with the texts in it."""
    lines = done.stderr.splitlines()
    assert done.returncode == code and len(lines) == 1, \
        f"exit {done.returncode} instead of {code}, or not one line:\n{done.stderr}"
    for text in texts:
        assert text in lines[0], f"'{text}' is not in: {lines[0]}"
    return lines[0]


def need_root():
    if os.geteuid() != 0:
        raise Skip("not root")


def as_nobody():
    """What to put before a command, so that it runs as nobody."""
    need_root()
    if not shutil.which("setpriv"):
        raise Skip("no setpriv")
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


class Tmpfs:
    """A file system of so many bytes at a new folder; use as a context."""

    def __init__(self, size):
        need_root()
        self.path = tempfile.mkdtemp(prefix="lw-disk-")
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", self.path],
                              capture_output=True, text=True)
        if done.returncode != 0:
            os.rmdir(self.path)
            raise Skip(f"no tmpfs here: {done.stderr.strip()}")

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.path])
        os.rmdir(self.path)


def fill_disk(folder, leave=0):
    """Writes until the disk is full, but for some bytes."""
    path = os.path.join(folder, "filler")
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        while os.write(fd, bytes(4096)):
            pass
    except OSError:
        pass
    os.close(fd)
    if leave:
        size = os.path.getsize(path)
        os.truncate(path, max(0, size - leave))
    return path
